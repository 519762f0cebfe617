# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Put this collection where Python and Ansible find it: FOLDER/ansible_collections/zonesmith/dns.

python tests/collection.py link FOLDER       a link to the repository, for tools that import the sources
python tests/collection.py copy FOLDER       the files git sees, for tools that want a clean tree
python tests/collection.py install FOLDER    built and installed: what a user gets
python tests/collection.py installed HOME    nothing but a trace of it, in HOME: what many a contributor has there
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import programs

REPOSITORY = Path(__file__).resolve().parent.parent
GALAXY = Path(sys.executable).with_name("ansible-galaxy")


def link(folder):
    """Link the repository itself."""
    _place(folder).symlink_to(REPOSITORY, target_is_directory=True)


def copy(folder):
    """Copy the files that git tracks or would track."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(
        command, cwd=REPOSITORY, check=False, stdout=subprocess.PIPE, text=True
    )
    if listing.returncode:
        sys.exit(
            f"git cannot list the files of {REPOSITORY}: this works in a clone of the repository only."
        )
    place = _place(folder)
    for name in filter(None, listing.stdout.split("\0")):
        source = REPOSITORY / name
        if source.is_file():
            target = place / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    # ansible-test and ansible-lint ask git for the files: inside this repository's ignored folders it would name none,
    # and both would pass without having looked at anything.
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main"], cwd=place, check=True)


def build(folder):
    """Build the archive that is published, from a clean copy."""
    with tempfile.TemporaryDirectory() as temporary:
        copy(Path(temporary))
        source = Path(temporary, "ansible_collections", "zonesmith", "dns")
        _galaxy("build", source, "--output-path", folder)
    (archive,) = folder.glob("*.tar.gz")
    return archive


def install(folder):
    """Build the archive and install it, without asking any server."""
    _place(folder)
    with tempfile.TemporaryDirectory() as temporary:
        _galaxy(
            "install", build(Path(temporary)), "--force", "--offline", "--collections-path", folder
        )


def installed(home):
    """Make a home in which this version was installed once. There is nothing in it, so who uses it fails."""
    (version,) = re.findall(
        r"(?m)^version: (.+)$", (REPOSITORY / "galaxy.yml").read_text(encoding="utf-8")
    )
    place = _place(home / ".ansible" / "collections")
    place.mkdir()
    information = {"namespace": "zonesmith", "name": "dns", "version": version, "dependencies": {}}
    manifest = {
        "collection_info": information,
        "file_manifest_file": {"name": "FILES.json"},
        "format": 1,
    }
    (place / "MANIFEST.json").write_text(json.dumps(manifest), encoding="utf-8")


def _place(folder):
    place = folder / "ansible_collections" / "zonesmith" / "dns"
    if place.is_symlink():
        place.unlink()
    elif place.exists():
        shutil.rmtree(place)
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def _galaxy(*arguments):
    with tempfile.TemporaryDirectory() as home:
        config = Path(home, "ansible.cfg")
        config.touch()
        # Where ansible-galaxy finds the same version among the collections of the user, it installs nothing.
        own = {
            "ANSIBLE_COLLECTIONS_PATH": home,
            "ANSIBLE_CONFIG": str(config),
            "ANSIBLE_HOME": home,
        }
        others = {
            name: value for name, value in os.environ.items() if not name.startswith("ANSIBLE_")
        }
        done = programs.called([GALAXY, "collection", *arguments], Path.cwd(), {**others, **own})
    if done.returncode:
        sys.exit(f"{done.stdout}ansible-galaxy collection {arguments[0]} failed.")


if __name__ == "__main__":
    forms = {"link": link, "copy": copy, "install": install, "installed": installed}
    if len(sys.argv) != 3 or sys.argv[1] not in forms:
        sys.exit(__doc__)
    forms[sys.argv[1]](Path(sys.argv[2]).resolve())
