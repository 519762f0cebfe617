# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A small file in ``state_dir`` in which runs tell each other what a service likes; nobody depends on it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._state.state_dir import StateDir, StateDirError

LARGEST = 4096
"""Bytes that are read of it."""

TRIES = 20
PAUSE = 0.002
"""Seconds between two tries to have it alone: nobody has it for longer than it takes to write it."""

WHAT = "the note on the service"


class FileNote:
    """The note on the service at *base_url*. It is made where the folder is there."""

    ahead = 0.0

    def __init__(self, state_dir: str, base_url: str):
        self._folder = Path(os.path.expanduser(state_dir))
        self._name = f"{sha256(base_url.encode()).hexdigest()[:16]}.service"

    def read(self) -> bytes:
        """What it says; empty where there is none."""
        with suppress(OSError, ValueError, StateDirError), StateDir.opened(self._folder) as folder:
            descriptor = folder.open_file(self._name, WHAT)
            try:
                return os.pread(descriptor, LARGEST, 0)
            finally:
                os.close(descriptor)
        return b""

    def change(self, to: Callable[[bytes], bytes]) -> None:
        """Have it say what is made of what it says; it is made once, with nothing where there is no note."""
        descriptor = self._alone()
        try:
            content = to(b"" if descriptor is None else _read(descriptor))
            if descriptor is not None:
                with suppress(OSError):
                    os.ftruncate(descriptor, os.pwrite(descriptor, content[:LARGEST], 0))
        finally:
            if descriptor is not None:
                os.close(descriptor)

    def keep(self) -> None:
        """See Note. They do."""

    def _alone(self) -> int | None:
        """The descriptor of the file, which nobody else changes until it is closed."""
        with suppress(OSError, ValueError, StateDirError), StateDir.opened(self._folder) as folder:
            try:
                descriptor = folder.create_file(self._name)
            except FileExistsError:
                descriptor = folder.open_file(self._name, WHAT, write=True)
            for _try in range(TRIES):
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    return descriptor
                except BlockingIOError:
                    machine().sleep(PAUSE)
                except OSError:
                    break
            os.close(descriptor)
        return None


def _read(descriptor: int) -> bytes:
    try:
        return os.pread(descriptor, LARGEST, 0)
    except OSError:
        return b""
