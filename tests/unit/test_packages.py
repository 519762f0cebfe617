# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The packages in plugins/: what each may import, and that none needs one that needs it."""

import ast
import re
from graphlib import TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path

import pytest

from ansible_collections.zonesmith import dns

PLUGINS = Path(next(iter(dns.__path__)), "plugins")
UTILS = PLUGINS / "module_utils"
OWN = "ansible_collections.zonesmith.dns.plugins.module_utils."

DESIGN = Path(__file__).parents[2] / "docs" / "design.md"
ARROWS = {
    package: set(below.split(", "))
    for package, below in re.findall(
        r"^(_[a-z]+) ─+▶ (.+)$", DESIGN.read_text(encoding="utf-8"), re.MULTILINE
    )
}
"""The packages that each package imports, as docs/design.md draws them."""
ARROWS |= {
    "_dns": set(),
    **{
        f"{name}.py": set()
        for name in ("_machine", "_secrets", "_interruption", "_telling", "_threads", "_python")
    },
}
BESIDE = {"_machine", "_secrets", "_interruption", "_telling", "_threads"}
"""The files beside the packages, which those that do I/O may import."""

IO = {"http", "os", "pathlib", "requests", "socket", "subprocess", "urllib3"}
"""Libraries with which a package could do I/O."""
WITHOUT_IO = ("_dns", "_zonefile", "_findings", "_log", "_owners", "_plan")
OF_THE_MACHINE = {"time", "random", "threading", "asyncio", "concurrent", "multiprocessing"}
"""What is taken from ``_machine.py`` alone, which the enumeration replaces."""
OPEN_OTHER_DOORS = {
    "_machine.py",
    # The type of what the machine gives.
    "_threads.py",
    # What is behind a Sender, a Store or a query, which the enumeration replaces as a whole.
    *("_api/transport.py", "_query/name_servers.py"),
    *("_state/database.py", "_state/folder.py", "_state/session.py", "_state/store.py"),
}
KNOW_ANSIBLE = {"_python.py", "_run/arguments.py", "_run/module.py", "_run/options.py"}

FILES = sorted(
    path.relative_to(UTILS) for path in UTILS.rglob("*.py") if path.name != "__init__.py"
)


def module_of(node, path):
    """The full name of the module that a file in ``plugins/`` imports from (PEP 328)."""
    package = ".".join((dns.__name__, "plugins", *path.relative_to(PLUGINS).parts[:-1]))
    return resolve_name(f"{'.' * node.level}{node.module}", package)


def read(path):
    """The full names of what a file imports from ``module_utils``, and from elsewhere, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse((UTILS / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.update(f"{module_of(node, UTILS / path)}.{alias.name}" for alias in node.names)
    return names


@pytest.mark.parametrize("package", sorted({path.parts[0] for path in FILES}))
def test_the_packages_are_as_drawn(package):
    """No arrow is missing in docs/design.md, and none is too many."""
    names = {name for path in FILES if path.parts[0] == package for name in read(path)}
    found = {name.removeprefix(OWN).split(".")[0] for name in names if name.startswith(OWN)} - {
        package
    }
    if package not in WITHOUT_IO:
        found -= BESIDE
    assert found - ({"_python"} if package == "_run" else set()) == ARROWS[package]


@pytest.mark.parametrize("path", FILES, ids=str)
def test_what_does_no_io_imports_nothing_that_does(path):
    package = path.parts[0]
    for name in read(path):
        library = name.split(".")[0]
        if name.startswith(OWN):
            continue
        assert package not in WITHOUT_IO or library not in IO, name
        assert library not in OF_THE_MACHINE or path.as_posix() in OPEN_OTHER_DOORS, name
        assert library != "ansible" or path.as_posix() in KNOW_ANSIBLE, name


def test_no_file_needs_one_that_needs_it():
    """Also where it is imported within a function: who reads a file of it need not know the one that reads it."""
    graph = {}
    for path in FILES:
        own = {name.removeprefix(OWN) for name in read(path) if name.startswith(OWN)}
        graph[".".join(path.with_suffix("").parts)] = {name.rpartition(".")[0] for name in own}
    TopologicalSorter(graph).prepare()
