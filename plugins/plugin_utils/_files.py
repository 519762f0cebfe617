# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Finds zone files on the controller like ansible.builtin.copy, and decrypts them. They are never templates."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ansible.errors import AnsibleError
from ansible.parsing.dataloader import DataLoader

from ..module_utils._dns.globs import ZoneGlobs
from ..module_utils._files.file import LARGEST, TOO_LARGE, UnreadableFile, read_file
from ..module_utils._files.zone_parts import (
    LEADS_OUT,
    File,
    file_read,
    is_of_zone,
    leads_out,
    read_zone,
    zone_called,
)
from ..module_utils._zonefile.included import PART

NO_SUCH_FILE = "there is no such file"
FOUND_NOWHERE = "there is no such file beside the playbook or in its files folder"
LEFT_OUT = {"reason": "limit leaves it out"}

Find = Callable[[str], str]
"""Raises AnsibleError."""


def zone_files(
    options: Mapping[str, Any], find: Find, loader: DataLoader, *, of_account: bool = False
) -> dict[str, File]:
    """The files that ``src`` options name.

    With *of_account*, the task's own ``src`` is a folder, whose zones are named by path. Zones outside ``limit`` are
    not read.
    """
    reader = _Reader(find, loader, options.get("limit") if of_account else None)
    read = reader.account if of_account else reader.zone
    found: dict[str, File] = {}
    src = options.get("src")
    if src:
        found.update(read(str(src)))
    zones = options.get("zones")
    rows = zones if isinstance(zones, list) else []
    for zone in rows:
        if isinstance(zone, dict) and reader.is_in_limit(str(zone.get("zone"))):
            src = zone.get("src")
            if src:
                found.update(reader.zone(str(src)))
    return found


class _Reader:
    """Reads files, and says for each path that is none why, in the form that modules take."""

    def __init__(self, find: Find, loader: DataLoader, limit: Any) -> None:
        self._find = find
        self._loader = loader
        self._limit = limit  # the module validates it
        if not isinstance(limit, (list, type(None))):
            self._limit = str(limit).split(",")

    def is_in_limit(self, zone: str) -> bool:
        if self._limit is None:
            return True
        globs = ZoneGlobs(str(glob) for glob in self._limit)
        return globs.match(zone)

    def account(self, name: str) -> Iterator[tuple[str, File]]:
        """Each zone of a folder, or why it cannot be used."""
        path = self._found(name)
        if isinstance(path, dict) or not os.path.isdir(path):
            yield from self.zone(name)
            return
        reason, inside = _folder(path)
        yield name, reason
        for file in inside:
            # No zone's name has the question mark of what is not UTF-8.
            called = _in_utf8(os.path.join(name, file))
            at = os.path.join(path, file)
            if not self.is_in_limit(zone_called(os.path.basename(called))):
                yield called, dict(LEFT_OUT)
            elif leads_out(at, path):
                # A link must not choose what is read.
                yield called, {"reason": LEADS_OUT}
            else:
                yield called, read_zone(at, path, self._read)

    def zone(self, name: str) -> Iterator[tuple[str, File]]:
        """A file, or a folder with the parts of one zone, and what they include of their folder."""
        path = self._found(name)
        if isinstance(path, dict):
            yield name, path
        elif not os.path.isdir(path):
            yield name, read_zone(path, os.path.dirname(path), self._read)
        elif os.path.normpath(path).endswith(PART):
            yield name, read_zone(path, path, self._read)
        else:
            yield name, _folder(path)[0]

    def _found(self, name: str) -> str | File:
        try:
            return self._find(name)
        except AnsibleError:
            is_whole = name.startswith(("/", "~"))
            return {"reason": NO_SUCH_FILE if is_whole else FOUND_NOWHERE}

    def _read(self, path: str, most: int = LARGEST) -> File:
        """At most *most* bytes."""

        def content() -> bytes:
            if not os.path.isfile(path):
                raise UnreadableFile("it is not a file")
            if os.path.getsize(path) > most:
                raise UnreadableFile(TOO_LARGE)
            decrypted = self._loader.get_real_file(path)
            try:
                return read_file(decrypted, most)
            finally:
                self._loader.cleanup_tmp_file(decrypted)

        try:
            file = file_read(content)
        except AnsibleError as error:
            words = str(error).split()
            return {"reason": f"it cannot be read: {' '.join(words)}"}
        # What is not UTF-8 is in comments only.
        return {name: _in_utf8(text) for name, text in file.items()}


def _in_utf8(text: str) -> str:
    """The text in the UTF-8 that JSON needs."""
    return text.encode("utf-8", "replace").decode()


def _folder(path: str) -> tuple[File, list[str]]:
    """Why a folder is no zone, and the zones in it."""
    try:
        inside = sorted(file for file in os.listdir(path) if is_of_zone(file))
    except OSError as error:
        return {"reason": f"the folder cannot be read: {error.strerror}"}, []
    files = f"{len(inside)} files whose names end"
    if len(inside) == 1:
        files = "1 file whose name ends"
    hint = (
        ": for many zones use dns_zones with this src; a folder with the parts of one zone is "
        f"called NAME{PART}"
    )
    return {"reason": f"it is a folder with {files} in {PART}", "hint": hint}, inside
