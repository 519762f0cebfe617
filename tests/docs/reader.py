# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs commands as a reader does: in a folder beside the collection, for a service."""

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

import collection
import demo
import programs
from documents import REPOSITORY

EXAMPLES = REPOSITORY / "docs" / "examples"


@functools.cache
def settings():
    """Ansible's, the same in all folders, as those of one reader are: so few starts of it do for all runs."""
    folder = Path(tempfile.mkdtemp(prefix="reader-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    collection.link(folder / "collections")
    return demo.settings(folder)


def run(command, folder, service=None, **variables):
    """What becomes of a command, all of whose output is in stdout."""
    environment = {
        **settings(),
        "NO_PROXY": "*",
        "ZONESMITH_STATE_DIR": str(folder / "state"),
        **(service.environment(folder / "state") if service else {}),
        **variables,
    }
    environment["PATH"] = f"{programs.folder(environment)}:{demo.BIN}:/usr/bin:/bin"
    return programs.called(
        ["sh", "-c", command] if isinstance(command, str) else command, folder, environment
    )


class Folder:
    """A folder with the files of an example, and the service."""

    def __init__(self, path, example, service):
        self.path, self.service = path, service
        shutil.copytree(EXAMPLES / example, path, dirs_exist_ok=True)

    def read(self, name):
        """What a file says."""
        return (self.path / name).read_text("utf-8")

    def write(self, name, text):
        """Make a file say something else."""
        file = self.path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")

    def edit(self, name, old, new):
        """Replace a part of a file."""
        text = self.read(name)
        assert old in text
        self.write(name, text.replace(old, new))

    def play(self, arguments, status=0, **variables):
        """What a run of Ansible prints that ends with this status."""
        done = run(f"ansible-playbook {arguments}", self.path, self.service, **variables)
        assert done.returncode == status, done.stdout
        return done.stdout
