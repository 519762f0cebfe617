# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Advise on the prose of README, the guides and the options: python tests/tools/prose [--count]

Harper looks for misspelled words (words.txt has ours), sentences of more than 40 words, wordiness, and words that the
glossary in CONTRIBUTING.md avoids (glossary.weir). This is advice: it fails nothing.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import yaml

PROSE = Path(__file__).resolve().parent
ROOT = PROSE.parents[2]
DOCUMENTS = ("*.md", "docs/*.md", "docs/guides/*.md", "roles/*/README.md")
OPTIONS = ("plugins/*/*.py", "roles/*/meta/argument_specs.yml")
WRITTEN_BY_PROGRAMS = ("CHANGELOG.md",)
HARPER = Path(sys.executable).parent / "harper"

# Its other rules are for prose without tables, commands and DNS.
ASKED = ("SpellCheck", "LongSentences", "RepeatedWords", "FillerWords", "Hedging", "RedundantThat")
ASKED += ("AvoidAndAlso", "DiscourseMarkers", "Glossary")


def paragraphs(node, place = ""):
    """The texts of a documentation that people read, each after the option or result that it describes."""
    for key, value in node.items() if isinstance(node, dict) else ():
        if key in ("short_description", "description", "notes"):
            for text in [value] if isinstance(value, str) else value:
                yield place, text
        else:
            yield from paragraphs(
                value, place if key in ("options", "suboptions", "contains") else key
            )


def documentations(path):
    """The YAML of a role, or what stands in the upper-case strings of a plugin."""
    source = path.read_text("utf-8")
    if path.suffix == ".yml":
        yield yaml.safe_load(source)["argument_specs"]
        return
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text))) if (
                "description:" in text
            ):
                if name != "EXAMPLES":
                    yield yaml.safe_load(text)


def without_markup(text):
    """A text of an option as Markdown: options, values and names as code, and links as their words."""
    text = re.sub(r"\b(?:O|V|RV|E|C|M|P)\(([^)]*)\)", r"`\1`", text)
    return re.sub(r"\b[BILR]\(([^,)]*)[^)]*\)", r"\1", text)


def pages():
    """Each file that people read: its name, its lines of Markdown, and the place of each line."""
    for pattern in DOCUMENTS:
        for path in sorted(ROOT.glob(pattern)):
            lines = path.read_text("utf-8").splitlines()
            if path.name not in WRITTEN_BY_PROGRAMS:
                yield name_of(path), lines, [f":{number}" for number, _line in enumerate(lines, 1)]
    for pattern in OPTIONS:
        for path in sorted(ROOT.glob(pattern)):
            found = [
                pair for documentation in documentations(path) for pair in paragraphs(documentation)
            ]
            lines = [
                line
                for _place, text in found
                for line in (" ".join(without_markup(text).split()), "")
            ]
            yield (
                name_of(path),
                lines,
                [f" {place}".rstrip() for place, _text in found for _line in range(2)],
            )


def name_of(path):
    """A file of the repository, as a person writes it."""
    return path.relative_to(ROOT).as_posix()


def advice(folder):
    """What Harper says of all pages, a line each."""
    places = {}
    for name, lines, of_lines in pages():
        file = f"{name.replace('/', '+')}.md"
        (folder / file).write_text("\n".join(lines), "utf-8")
        places[file] = name, of_lines
    glossary = folder / "glossary.weirpack"
    with zipfile.ZipFile(glossary, "w") as pack:
        pack.writestr(
            "manifest.json",
            json.dumps(dict.fromkeys(("author", "version", "description", "license"), "")),
        )
        pack.write(PROSE / "glossary.weir", "Glossary.weir")
    options = [
        "--quiet",
        "--no-color",
        "--format=json",
        "--dialect=uk",
        f"--user-dict-path={PROSE / 'words.txt'}",
    ]
    options += [f"--weirpacks={glossary}", *(f"--only={rule}" for rule in ASKED)]
    command = [HARPER, "lint", *options, *places]
    output = subprocess.run(command, check=False, cwd=folder, capture_output=True).stdout
    for page in json.loads(output):
        name, of_lines = places[page["file"]]
        for lint in page["lints"]:
            quoted = lint["matched_text"].splitlines()[0][:60]
            yield f"{name}{of_lines[lint['line'] - 1]}: {quoted}: {lint['message']}"


def main():
    """Print it."""
    with tempfile.TemporaryDirectory() as temporary:
        found = list(advice(Path(temporary)))
    if "--count" not in sys.argv[1:]:
        print(*found, sep="\n")
    print(f"{len(found)} pieces of advice on prose; nox -s prose shows them")


if __name__ == "__main__":
    main()
