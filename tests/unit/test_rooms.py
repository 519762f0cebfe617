# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The rooms of module_utils: what each may know, and how long its files may be (docs/design.md, "The rooms")."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.zonesmith import dns

PLUGINS = Path(next(iter(dns.__path__)), "plugins")
ROOMS = PLUGINS / "module_utils"
OWN = "ansible_collections.zonesmith.dns.plugins.module_utils."

BELOW = {
    "_python.py": set(),
    "_dns": {"_dns"},
    "_plan": {"_plan", "_dns"},
    "_service": {"_service", "_dns"},
    "_state": {"_state", "_dns"},
    "_run": {"_run", "_plan", "_service", "_state", "_dns"},
}
"""The rooms that each room may import from. Before all of them comes what a Python that is too old can still import."""

PURE = {
    "__future__",
    "collections",
    "contextlib",
    "dataclasses",
    "difflib",
    "enum",
    "fnmatch",
    "functools",
    "ipaddress",
    "itertools",
    "json",
}
PURE |= {"binascii", "re", "struct", "typing", "unicodedata"}
ALLOWED = {"_dns": PURE | {"dns"}, "_plan": PURE}
"""The other imports of the rooms that do no I/O and know no clock."""

NOT_IN = {
    "_service": {"ansible"},
    "_state": {"ansible", "requests", "urllib3", "dns", "http"},
    "_run": {"requests", "dns"},
}
KNOW_ANSIBLE = {"_python.py", "_run/module.py"}

FILES = sorted(path.relative_to(ROOMS) for path in ROOMS.rglob("*.py") if path.name != "__init__.py")
LONGEST = {"file": 300, "class": 150, "function": 50}


def imports(tree: ast.AST) -> Iterator[str]:
    """The full names of the modules that a file imports, wherever in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", FILES, ids=str)
def test_arrows_point_down(path: Path) -> None:
    room = path.parts[0]
    for name in imports(ast.parse((ROOMS / path).read_text(encoding="utf-8"))):
        own, _found, rest = name.partition(OWN)
        if not own and rest:
            assert rest.split(".")[0] in BELOW[room], name
            continue
        library = name.split(".")[0]
        assert room not in ALLOWED or library in ALLOWED[room], name
        assert library not in NOT_IN.get(room, set()), name
        assert library != "ansible" or path.as_posix() in KNOW_ANSIBLE, name


def test_every_file_has_a_room() -> None:
    assert {path.parts[0] for path in FILES} == set(BELOW)
    assert all(not (ROOMS / room / "__init__.py").read_text(encoding="utf-8") for room in BELOW if "." not in room)


def lengths(path: Path) -> Iterator[tuple[str, str, int]]:
    """What stands in a file, by kind and name, with its lines."""
    text = path.read_text(encoding="utf-8")
    yield "file", path.name, text.count("\n")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            kind = "class" if isinstance(node, ast.ClassDef) else "function"
            yield kind, node.name, (node.end_lineno or node.lineno) - node.lineno + 1


# The files of modules and plugins are mostly documentation, which is as long as it must be.
@pytest.mark.parametrize("path", [*FILES, *sorted((PLUGINS / "plugin_utils").glob("*.py"))], ids=str)
def test_nothing_is_long(path: Path) -> None:
    assert [one for one in lengths(ROOMS / path) if one[2] > LONGEST[one[0]]] == []
