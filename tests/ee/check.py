# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What ansible-builder finds in the installed collection, and what it writes into a build context.

The context is made of tests/ee/execution-environment.yml, and of the definition that docs/guides/awx.md shows.

python tests/ee/check.py COLLECTIONS    the folder that holds the installed collection
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

BUILDER = Path(sys.executable).with_name("ansible-builder")
DEFINITION = Path(__file__).with_name("execution-environment.yml")
GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "awx.md"
LIBRARIES = {"dnspython", "requests", "urllib3"}


def build(command, *arguments):
    """Run a command of ansible-builder; what it prints."""
    done = subprocess.run(
        [BUILDER, command, *arguments], check=False, stdout=subprocess.PIPE, text=True
    )
    if done.returncode:
        sys.exit(f"{done.stdout}ansible-builder {command} failed.")
    return done.stdout


def libraries(requirements):
    """The names in a requirements file."""
    lines = (line.partition("#")[0].strip() for line in requirements.splitlines())
    return {line.partition(">")[0].strip() for line in lines if line}


def from_guide():
    """The definition that the guide shows; all its other YAML is read too."""
    text = GUIDE.read_text("utf-8")
    blocks = re.findall(r"^```yaml\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    (definition,) = (block for block in blocks if "version" in yaml.safe_load(block))
    return definition


def check(collections, folder):
    """The collection asks for its libraries and for no package of the system; each context brings both."""
    python, system = folder / "python.txt", folder / "system.txt"
    build("introspect", collections, "--write-pip", python, "--write-bindep", system)
    found = libraries(python.read_text("utf-8"))
    assert found == LIBRARIES, f"The collection asks for {found}."
    assert not system.exists(), f"The collection asks for {system.read_text('utf-8')}"
    guide = folder / "guide.yml"
    guide.write_text(from_guide(), "utf-8")
    for definition in (guide, DEFINITION):
        context = folder / f"context-{definition.stem}"
        build("create", "--file", definition, "--context", context)
        galaxy = yaml.safe_load((context / "_build" / "requirements.yml").read_text("utf-8"))
        wanted = {"collections": [{"name": "zonesmith.dns"}]}
        assert galaxy == wanted, f"{definition} brings the collections {galaxy}."
    found = libraries((context / "_build" / "requirements.txt").read_text("utf-8"))
    assert found == LIBRARIES, f"The context has the libraries {found}."


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        check(Path(sys.argv[1]), Path(temporary))
    print(f"introspect and create: {', '.join(sorted(LIBRARIES))}, no package of the system")
