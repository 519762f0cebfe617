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


def check_introspect(collections, folder):
    """The collection asks for its libraries, and for no package of the system."""
    python, system = folder / "python.txt", folder / "system.txt"
    build("introspect", collections, "--write-pip", python, "--write-bindep", system)
    found = libraries(python.read_text(encoding="utf-8"))
    assert found == LIBRARIES, f"The collection asks for {found}."
    assert not system.exists(), f"The collection asks for {system.read_text(encoding='utf-8')}"


def check_create(definition, context):
    """The build context brings the collection."""
    build(
        "create", "--file", definition, "--context", context, "--output-filename", "Containerfile"
    )
    galaxy = yaml.safe_load((context / "_build" / "requirements.yml").read_text(encoding="utf-8"))
    assert galaxy == {"collections": [{"name": "zonesmith.dns"}]}, (
        f"{definition} brings the collections {galaxy}."
    )
    assert (context / "Containerfile").is_file()


def check_libraries(context):
    """The build context brings the libraries."""
    found = libraries((context / "_build" / "requirements.txt").read_text(encoding="utf-8"))
    assert found == LIBRARIES, f"The context has the libraries {found}."


def from_guide(folder):
    """The definition that the guide shows, as a file; all its other YAML is read too."""
    blocks = re.findall(
        r"^```yaml\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    (definition,) = (block for block in blocks if "version" in yaml.safe_load(block))
    path = folder / "guide.yml"
    path.write_text(definition, encoding="utf-8")
    return path


def main():
    """Check both."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as temporary:
        check_introspect(Path(sys.argv[1]), Path(temporary))
        check_create(DEFINITION, Path(temporary, "context"))
        check_libraries(Path(temporary, "context"))
        check_create(from_guide(Path(temporary)), Path(temporary, "context-of-guide"))
    print(f"introspect and create: {', '.join(sorted(LIBRARIES))}, no package of the system")


if __name__ == "__main__":
    main()
