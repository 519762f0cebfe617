# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rights to files as everybody has them, whoever runs the tests."""

import os
from contextlib import contextmanager
from pathlib import Path

import pytest

# A folder that is on every machine, and that nobody but root can write to.
OF_ROOT = Path("/usr")
SOMEBODY = 12345
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")


@contextmanager
def an_ordinary_user():
    """Without the rights of root: what is not reached through a descriptor must be where everybody may look."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(SOMEBODY)
    try:
        yield
    finally:
        os.seteuid(user)


def take_the_right_to_write(folder):
    """Take it from an ordinary user, whose folder it stays."""
    folder.chmod(0o500)
    if os.geteuid() == 0:
        os.chown(folder, SOMEBODY, -1)
