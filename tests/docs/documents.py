# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The blocks of code that a reader meets: in the Markdown files, and in the EXAMPLES of plugins."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import yaml

REPOSITORY = Path(__file__).resolve().parents[2]
MARKDOWN = sorted(
    path
    for path in [
        REPOSITORY / "README.md",
        *REPOSITORY.glob("docs/**/*.md"),
        *REPOSITORY.glob("roles/*/README.md"),
    ]
)
# Those of modules are run by the integration target module_examples.
PLUGINS = sorted(
    [*REPOSITORY.glob("plugins/filter/*.py"), *REPOSITORY.glob("plugins/inventory/*.py")]
)
FENCE = re.compile(r"^```(.*)\n((?:.*\n)*?)```$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A block of code."""

    place: str
    language: str
    text: str

    @property
    def value(self):
        """What its YAML holds."""
        return yaml.safe_load(self.text)


def name(path):
    """A file of the repository, as a person writes it."""
    return path.relative_to(REPOSITORY).as_posix()


def blocks(path):
    """The blocks of a file, in order."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        found = re.search(r'^EXAMPLES = r"""\n(.*?)^"""', text, re.MULTILINE | re.DOTALL)
        assert found, f"{name(path)} has no EXAMPLES"
        return [Block(name(path), "yaml", found[1])]
    assert len(FENCE.findall(text)) * 2 == len(re.findall(r"^\s*```", text, re.MULTILINE)), name(
        path
    )
    return [
        Block(f"{name(path)}:{text.count(chr(10), 0, match.start()) + 1}", match[1], match[2])
        for match in FENCE.finditer(text)
    ]


def modules(block):
    """The modules that a list of tasks uses, by their full names."""
    return {key for task in block.value for key in task if re.fullmatch(r"\w+\.\w+\.\w+", key)}


def is_tasks(block):
    """Whether a block is a list of tasks, and no playbook."""
    return (
        block.language == "yaml" and isinstance(block.value, list) and "hosts" not in block.value[0]
    )


def is_elsewhere(block):
    """Whether a block is tasks that somebody moves from: none of them is of this collection."""
    return is_tasks(block) and all(module.startswith("community.") for module in modules(block))
