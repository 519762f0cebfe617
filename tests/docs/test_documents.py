# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the Markdown files say of other files and of messages is so."""

import ast
import re
from functools import cache

import pytest
from documents import REPOSITORY, name

LINKING = sorted(
    [*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/**/*.md"), *REPOSITORY.glob("roles/*/*.md")]
)
SHOWING_MESSAGES = {
    "troubleshooting.md": "# Troubleshooting",
    "zone_in_git.md": "## 7. When it refuses",
}
"""Guides, and the heading from which on the first column of their tables holds messages."""
MESSAGES = [
    message
    for guide, heading in SHOWING_MESSAGES.items()
    for text in [(REPOSITORY / "docs" / "guides" / guide).read_text("utf-8").partition(heading)[2]]
    for row in re.findall(r"^\| (`.+?`(?:, `.+?`)*) \|", text, re.MULTILINE)
    for message in re.findall(r"`(.+?)`", row)
]


@pytest.mark.parametrize("path", [pytest.param(path, id=name(path)) for path in LINKING])
def test_links_lead_to_files(path):
    """The site's own check knows the guides only, and anchors too."""
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", path.read_text("utf-8")):
        assert "://" in target or (path.parent / target).exists(), target


def strings(tree):
    """The strings of a program, with ... where something is filled in."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(
                part.value if isinstance(part, ast.Constant) else "..." for part in node.values
            )


@cache
def code():
    """The strings of all programs that say something to users."""
    return "\n".join(
        string
        for folder in ("plugins", "docs/examples")
        for path in REPOSITORY.glob(f"{folder}/**/*.py")
        for string in strings(ast.parse(path.read_text("utf-8")))
    )


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_in_the_guide_is_one_of_the_code(message):
    """N, M and ... stand for what is filled in there, 401 and 302 are examples of it; clauses are put together."""
    for part in re.split(r"\b[NM]\b|\b[34]\d\d\b|\.\.\.|, (?:and )?", message):
        assert part.strip() in code()
