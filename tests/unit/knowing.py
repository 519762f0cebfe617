# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which tests can end otherwise with another ansible-core: those whose files know Ansible, by their imports or names.

A file knows it that imports a part of it, or names one in a string, as who starts a program or looks a module up does;
or that imports a file of this repository, or names one, that does.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = "ansible_collections.zonesmith.dns."
SUPPORT = tuple(ROOT / "tests" / folder for folder in ("", "service", "unit"))
"""Where tests import from by a name alone."""

NAMES_IT = re.compile(r"(?<![\w/.-])ansible(?![\w])")


@cache
def knows_ansible(file: Path) -> bool:
    """Whether a file of this repository, or one that it leads to, knows Ansible."""
    seen, waiting = set[Path](), [file]
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        is_it, leads_to = _looked_at(one)
        if is_it:
            return True
        waiting += leads_to
    return False


@cache
def _looked_at(file: Path) -> tuple[bool, tuple[Path, ...]]:
    """Whether a file itself knows Ansible, and the files that it leads to."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    modules, texts = set(_imported(tree)), list(_texts(tree))
    is_it = any(module.partition(".")[0] == "ansible" for module in modules) or any(map(NAMES_IT.search, texts))
    modules |= {text for text in texts if text.startswith(PACKAGE)}
    return is_it, tuple(path for module in sorted(modules) for path in _files(module))


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _texts(tree: ast.AST) -> Iterator[str]:
    """Every string that is no documentation."""
    documentation = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in documentation:
            yield node.value


def _files(module: str) -> Iterator[Path]:
    """The file of a module of this repository, and those of the packages around it; none of any other module."""
    if module.startswith(PACKAGE):
        parts = module.removeprefix(PACKAGE).split(".")
        paths = [ROOT.joinpath(*parts[:end]) for end in range(1, len(parts) + 1)]
    else:
        paths = [folder / module.partition(".")[0] for folder in SUPPORT]
    for path in paths:
        yield from (file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file())
