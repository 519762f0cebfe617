# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads files of this machine, and replaces them atomically."""

from __future__ import annotations

import os
from contextlib import suppress
from secrets import token_hex
from stat import S_IMODE, S_ISREG

LARGEST = 64 * 2**20
"""Most bytes of a plan or a zone's files: enough for a million records."""

TOO_LARGE = f"it has more than {LARGEST >> 20} MiB"


class UnreadableFile(ValueError):
    """Not a file, or too large. The message is one clause."""


def read_file(path: str, most: int, *, follows_link: bool = True) -> bytes:
    """Read a file of at most *most* bytes, without waiting for pipes. Raises UnreadableFile, OSError."""
    flags = os.O_RDONLY | os.O_NONBLOCK
    if not follows_link:
        flags |= os.O_NOFOLLOW
    descriptor = os.open(path, flags)
    try:
        if not S_ISREG(os.fstat(descriptor).st_mode):
            raise UnreadableFile("it is not a file")
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(most + 1)
    finally:
        os.close(descriptor)
    if len(content) > most:
        raise UnreadableFile(TOO_LARGE)
    return content


def replace_file(path: str, content: bytes, *, in_link: bool = True) -> None:
    """Replace a file atomically, keeping its mode, and make its folder.

    The folder may be a link unless *in_link* is False. Raises OSError.
    """
    parent = os.path.dirname(path) or "."
    name = os.path.basename(path)
    os.makedirs(parent, exist_ok=True)
    # Nobody can guess this name, and an existing file is neither opened nor followed.
    other = f".{token_hex(16)}.new"
    # Keep the folder open, since the path to it may change.
    flags = os.O_RDONLY | os.O_DIRECTORY
    if not in_link:
        flags |= os.O_NOFOLLOW
    folder = os.open(parent, flags)
    try:
        new = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        descriptor = os.open(other, new, 0o666, dir_fd=folder)
        with open(descriptor, "wb") as file:
            with suppress(FileNotFoundError):
                status = os.stat(name, dir_fd=folder, follow_symlinks=False)
                if S_ISREG(status.st_mode):
                    os.fchmod(descriptor, S_IMODE(status.st_mode))
            file.write(content)
        os.replace(other, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(other, dir_fd=folder)
        raise
    finally:
        os.close(folder)
