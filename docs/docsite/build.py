# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Build the documentation site: python docs/docsite/build.py COLLECTIONS FOLDER

COLLECTIONS is where Ansible finds the collection, built and installed. FOLDER/source becomes what Sphinx reads: the
guides of docs/, a page for each example, and the pages that antsibull-docs makes of plugins and roles. FOLDER/html
becomes the site. FOLDER/ansible is what docs.ansible.com, which has the archive alone, shows of the collection.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

SITE = Path(__file__).resolve().parent
DOCS = SITE.parent
HEAD_ENDS = "GPL-3.0-or-later"
LANGUAGES = {".yml": "yaml+jinja", ".zone": "text", ".inc": "text", ".j2": "text"}

EXAMPLES = """\
# Examples

The playbooks of the guides, whole. The tests run them.

```{toctree}
:glob:

*
```
"""


def copy_guides(source: Path) -> None:
    """Copy what users read, and let its links to examples lead to the pages of these."""
    shutil.copytree(
        DOCS,
        source,
        ignore=shutil.ignore_patterns(
            SITE.name, "design*.md", "maintaining.md", "*.py", "__pycache__"
        ),
    )
    for guide in source.rglob("*.md"):
        text = guide.read_text(encoding="utf-8")
        linked = re.sub(r"\]\(((?:\.\./)?examples/\w+)(?:\.yml)?\)", r"](\1.md)", text)
        guide.write_text(linked, encoding="utf-8")


def write_example_pages(examples: Path) -> None:
    """Write a page for each example, which is a file or a folder."""
    for example in sorted(examples.iterdir()):
        files = (
            sorted(file for file in example.rglob("*") if file.is_file())
            if example.is_dir()
            else [example]
        )
        parts = [f"# {example.name}"]
        for file in files:
            name = file.relative_to(example if example.is_dir() else examples)
            parts += [f"## {name}"] if example.is_dir() else []
            options = f":language: {LANGUAGES[file.suffix]}\n:start-after: {HEAD_ENDS}"
            parts += [f"```{{literalinclude}} {file.relative_to(examples)}\n{options}\n```"]
        example.with_suffix(".md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    contents = "# Examples\n\nThe playbooks of the guides, whole. The tests run them.\n\n```{toctree}\n:glob:\n\n*\n```\n"
    (examples / "index.md").write_text(contents, encoding="utf-8")


def write_plugin_pages(folder: Path, collections: Path) -> None:
    """Let antsibull-docs write the pages of plugins and roles, and of the guides in the archive."""
    folder.mkdir(mode=0o755)
    command = [
        "antsibull-docs",
        "collection",
        "--use-current",
        "--squash-hierarchy",
        "--no-breadcrumbs",
    ]
    environment = {**os.environ, "ANSIBLE_COLLECTIONS_PATH": str(collections)}
    command += ["--fail-on-error", "--dest-dir", folder, "zonesmith.dns"]
    subprocess.run(command, env=environment, check=True)


def fit_in(folder: Path) -> None:
    """Make the pages of plugins and roles a part of the site, which has guides of its own."""
    shutil.rmtree(folder / "docsite")
    for page in folder.glob("*.rst"):
        # The theme shows the contents of a page beside it, and index.md has those of the reference.
        text = page.read_text(encoding="utf-8").replace("Zonesmith.Dns\n", "Reference\n")
        text = re.sub(r"^Guides\n-+\n", "", text, flags=re.MULTILINE)
        text = re.sub(
            r"^\.\. (?:contents|toctree)::\n(?:(?: .*)?\n)*", "", text, flags=re.MULTILINE
        )
        page.write_text(text, encoding="utf-8")


def main(collections: Path, folder: Path) -> None:
    """Build."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    source, archived = folder / "source", folder / "archived"
    write_plugin_pages(archived, collections)
    show(archived, folder / "ansible")
    copy_guides(source)
    write_example_pages(source / "examples")
    shutil.copytree(archived, source / "collection")
    fit_in(source / "collection")
    show(source, folder / "html")


def show(source: Path, html: Path, *options: str) -> None:
    """Let Sphinx make a site, without a warning."""
    command = [
        "sphinx-build",
        "-c",
        SITE,
        "-d",
        html.with_suffix(".doctrees"),
        "-b",
        "html",
        *options,
    ]
    subprocess.run([*command, "-q", "-W", "--keep-going", "-n", "-E", source, html], check=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*(Path(argument).resolve() for argument in sys.argv[1:]))
