# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the guides as docs.ansible.com takes them, into docs/docsite/rst: python docs/docsite/guides.py [FOLDER]

The guides are Markdown, which is read on a code hosting site as it is. `nox -s docs` says where the two differ.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode as Node

SITE = Path(__file__).resolve().parent
DOCS = SITE.parent
PAGES = [*sorted(DOCS.glob("guides/*.md")), DOCS / "security.md"]
LABEL = "ansible_collections.zonesmith.dns.docsite"
SOURCE = "https://github.com/zonesmith/zonesmith.dns/blob/main/"
HEAD = "..\n{licence}\n\n.. Written by docs/docsite/guides.py from {source}.\n"
UNDERLINES = " =-~^"


class Page:
    """One guide as reStructuredText."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tree = Node(
            MarkdownIt("commonmark").enable("table").parse(path.read_text(encoding="utf-8"))
        )

    def text(self) -> str:
        """The whole page."""
        source = self._path.relative_to(DOCS.parent).as_posix()
        licence = indented(
            self._tree.children[0].content.removeprefix("<!--\n").rstrip("->\n"), "  "
        )
        return (
            "\n".join(
                [HEAD.format(licence=licence, source=source), *self._blocks(self._tree)]
            ).rstrip()
            + "\n"
        )

    def _blocks(self, node: Node) -> Iterator[str]:
        for child in node.children:
            if child.type != "html_block":  # the licence
                write: Callable[[Node], str] = getattr(self, f"_{child.type}")
                yield write(child) + "\n"

    def _heading(self, node: Node) -> str:
        title, level = self._inline(node), int(node.tag[1])
        label = f"{LABEL}.{self._path.stem}" + ("" if level == 1 else f".{anchor(plain(node))}")
        return f".. _{label}:\n\n{title}\n{UNDERLINES[level] * len(title)}"

    def _paragraph(self, node: Node) -> str:
        return self._inline(node)

    def _fence(self, node: Node) -> str:
        return f".. code-block:: {node.info or 'text'}\n\n{indented(node.content, '    ')}".rstrip()

    def _bullet_list(self, node: Node) -> str:
        return self._items(node, "- ")

    def _ordered_list(self, node: Node) -> str:
        return self._items(node, "#. ")

    def _items(self, node: Node, mark: str) -> str:
        items = ("\n".join(self._blocks(item)).rstrip() for item in node.children)
        return "\n".join(mark + indented(item, " " * len(mark)).lstrip() for item in items)

    def _table(self, node: Node) -> str:
        rows = [row for part in node.children for row in part.children]
        lines = [".. list-table::", "   :header-rows: 1", ""]
        for row in rows:
            for mark, cell in zip(
                ["   * - ", *["     - "] * len(row.children)], row.children, strict=False
            ):
                lines.append((mark + self._inline(cell)).rstrip())
        return "\n".join(lines)

    def _inline(self, node: Node) -> str:
        parts = [self._span(child) for inline in node.children for child in inline.children]
        text = ""
        for index, (part, is_markup) in enumerate(parts):
            # Markup ends and begins at a word's, and "\ " is the end of one that is not seen.
            before = text[-1:] and not re.search(r"[\s(\[{'\"/:-]$", text)
            if text and (
                (is_markup and before)
                or (parts[index - 1][1] and re.match(r"[^\s.,;:!?)\]}'\"/-]", part))
            ):
                text += "\\ "
            text += part
        return text

    def _span(self, node: Node) -> tuple[str, bool]:
        """A part of a line, and whether it is marked up. There is no markup inside of markup."""
        if node.type == "code_inline":
            return f"``{node.content}``", True
        if node.type in ("strong", "em"):
            mark = "**" if node.type == "strong" else "*"
            return f"{mark}{escaped(plain(node))}{mark}", True
        if node.type == "link":
            return self._link(escaped(plain(node)), str(node.attrs["href"])), True
        if node.type == "softbreak":
            return "\n", False
        if node.type == "text":
            return escaped(node.content), False
        raise ValueError(
            f"{self._path} has {node.type}, which docs/docsite/guides.py does not know"
        )

    def _link(self, text: str, target: str) -> str:
        if "://" in target:
            return f"`{text} <{target}>`__"
        file, _hash, heading = target.partition("#")
        path = (self._path.parent / file).resolve() if file else self._path
        if path in PAGES:
            return f":ref:`{text} <{LABEL}.{path.stem}{'.' if heading else ''}{heading}>`"
        return f"`{text} <{SOURCE}{path.relative_to(DOCS.parent).as_posix()}>`__"


def plain(node: Node) -> str:
    """The words of a node without their markup."""
    return "".join(
        " " if part.type == "softbreak" else part.content
        for part in node.walk()
        if part.type != "inline"
    )


def anchor(title: str) -> str:
    """What a heading is called in a link."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def escaped(text: str) -> str:
    """Text in which no character is markup."""
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def indented(text: str, by: str) -> str:
    """Lines moved to the right."""
    return "\n".join(f"{by}{line}" if line else "" for line in text.rstrip("\n").split("\n"))


def main(folder: Path) -> None:
    """Write all pages, and remove those whose guide is gone."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.rst"):
        old.unlink()
    for path in PAGES:
        (folder / f"{path.stem}.rst").write_text(Page(path).text(), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]) if sys.argv[1:] else SITE / "rst")
