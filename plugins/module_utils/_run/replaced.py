# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Files that people name, replaced at one moment: whoever reads one sees what it was or what it is to be."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from secrets import token_hex
from stat import S_IMODE, S_ISREG


def replace_file(path: str, content: bytes, *, in_link: bool = True) -> None:
    """Put a file in the place of what is at a path, with its rights where it is a file.

    The folder may be a link, unless *in_link* is false. Raises OSError.
    """
    name = os.path.basename(path)
    # A name that nobody can know, and what is there all the same is neither opened nor followed.
    other = f".{token_hex(16)}.new"
    with _folder_of(path, in_link=in_link) as folder:
        try:
            descriptor = os.open(other, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666, dir_fd=folder)
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


@contextmanager
def _folder_of(path: str, *, in_link: bool) -> Iterator[int]:
    """The open folder of a path: what leads to it may change, and all of a file is done in one. Raises OSError."""
    flags = os.O_RDONLY | os.O_DIRECTORY | (0 if in_link else os.O_NOFOLLOW)
    descriptor = os.open(os.path.dirname(path) or ".", flags)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
