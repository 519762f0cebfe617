# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Advise on the prose of README, the guides and the options: python tests/tools/prose [--count]

Harper looks for misspelled words (words.txt has ours), sentences of more than 40 words, wordiness, and words that the
glossary in CONTRIBUTING.md avoids (glossary.weir). This is advice: it fails nothing.
"""

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


def paragraphs(node):
    """The texts of a documentation that people read."""
    for key, value in node.items() if isinstance(node, dict) else ():
        if key in ("short_description", "description", "notes"):
            yield from [value] if isinstance(value, str) else value
        else:
            yield from paragraphs(value)


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
    """Each file that people read: its name, and its text as Markdown."""
    for path in sorted(path for pattern in DOCUMENTS for path in ROOT.glob(pattern)):
        if path.name not in WRITTEN_BY_PROGRAMS:
            yield name_of(path), path.read_text("utf-8")
    for path in sorted(path for pattern in OPTIONS for path in ROOT.glob(pattern)):
        texts = []
        for documentation in documentations(path):
            for text in paragraphs(documentation):
                texts.append(" ".join(without_markup(text).split()))
        yield name_of(path), "\n\n".join(texts)


def name_of(path):
    """A file of the repository, as a person writes it."""
    return path.relative_to(ROOT).as_posix()


def advice(folder):
    """What Harper says of all pages, a line each, with the words that it is about."""
    names = {}
    for name, text in pages():
        file = f"{name.replace('/', '+')}.md"
        (folder / file).write_text(text, "utf-8")
        names[file] = name
    glossary = folder / "glossary.weirpack"
    with zipfile.ZipFile(glossary, "w") as pack:
        pack.writestr(
            "manifest.json",
            json.dumps(dict.fromkeys(("author", "version", "description", "license"), "")),
        )
        pack.write(PROSE / "glossary.weir", "Glossary.weir")
    command = [HARPER, "lint", "--quiet", "--no-color", "--format=json", "--dialect=uk"]
    command += [f"--user-dict-path={PROSE / 'words.txt'}", f"--weirpacks={glossary}"]
    command += [f"--only={rule}" for rule in ASKED]
    done = subprocess.run([*command, *names], check=False, cwd=folder, capture_output=True)
    for page in json.loads(done.stdout):
        for lint in page["lints"]:
            quoted = lint["matched_text"].splitlines()[0][:60]
            yield f"{names[page['file']]}: {quoted}: {lint['message']}"


def main():
    """Print it."""
    with tempfile.TemporaryDirectory() as temporary:
        found = list(advice(Path(temporary)))
    if "--count" not in sys.argv[1:]:
        print(*found, sep="\n")
    print(f"{len(found)} pieces of advice on prose; nox -s prose shows them")


if __name__ == "__main__":
    main()
