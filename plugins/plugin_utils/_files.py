# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Finds zone files on the controller like ansible.builtin.copy, and decrypts them. They are never templates."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from functools import partial
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
    read_parts,
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
    zones, src = options.get("zones"), options.get("src")
    is_in_limit = _in_limit(options.get("limit") if of_account else None)
    rows = [zone for zone in zones if isinstance(zone, dict)] if isinstance(zones, list) else []
    listed = [zone.get("src") for zone in rows if is_in_limit(str(zone.get("zone")))]
    found: dict[str, File] = {}
    for name in (src, *listed):
        if isinstance(name, (str, int)) and name != "":
            files = partial(_account, is_in_limit) if of_account and name is src else _zone
            found.update(files(str(name), find, partial(_read, loader)))
    return found


def _in_limit(limit: Any) -> Callable[[str], bool]:
    """The module validates it."""
    if limit is None:
        return lambda _name: True
    texts = (
        limit.split(",")
        if isinstance(limit, str)
        else limit
        if isinstance(limit, (list, tuple))
        else [limit]
    )
    return ZoneGlobs(map(str, texts)).match


def _account(
    is_in_limit: Callable[[str], bool], name: str, find: Find, read: Callable[..., File]
) -> Iterator[tuple[str, File]]:
    """Each zone of a folder, or why it cannot be used."""
    path = _found(name, find)
    if isinstance(path, dict) or not os.path.isdir(path):
        yield from _zone(name, find, read)
        return
    reason, inside = _folder(path)
    yield name, reason
    for file in inside:
        # JSON needs UTF-8, and no zone's name has a question mark.
        called = os.path.join(name, file).encode("utf-8", "replace").decode()
        if not is_in_limit(zone_called(called.rpartition("/")[2])):
            yield called, dict(LEFT_OUT)
            continue
        at = os.path.join(path, file)
        # A link must not choose the folder to list.
        is_elsewhere = os.path.isdir(at) and leads_out(at, path)
        yield called, {"reason": LEADS_OUT} if is_elsewhere else _of_zone(at, read)


def _zone(name: str, find: Find, read: Callable[..., File]) -> Iterator[tuple[str, File]]:
    path = _found(name, find)
    if isinstance(path, dict):
        yield name, path
    elif not os.path.isdir(path) or os.path.basename(os.path.normpath(path)).endswith(PART):
        yield name, _of_zone(path, read)
    else:
        yield name, _folder(path)[0]


def _found(name: str, find: Find) -> str | File:
    try:
        return find(name)
    except AnsibleError:
        return {"reason": NO_SUCH_FILE if name.startswith(("/", "~")) else FOUND_NOWHERE}


def _folder(path: str) -> tuple[File, list[str]]:
    """Why a folder is no zone, and the zones in it."""
    try:
        inside = sorted(filter(is_of_zone, os.listdir(path)))
    except OSError as error:
        return {"reason": f"the folder cannot be read: {error.strerror}"}, []
    files = "1 file whose name ends" if len(inside) == 1 else f"{len(inside)} files whose names end"
    hint = f": for many zones use dns_zones with this src; a folder with the parts of one zone is called NAME{PART}"
    return {"reason": f"it is a folder with {files} in {PART}", "hint": hint}, inside


def _of_zone(path: str, read: Callable[..., File]) -> File:
    return read_parts(path, read) if os.path.isdir(path) else read(path)


def _read(loader: DataLoader, path: str, most: int = LARGEST) -> File:
    """At most *most* bytes."""

    def content() -> bytes:
        if not os.path.isfile(path):
            leads_nowhere = os.path.islink(path) and not os.path.exists(path)
            raise UnreadableFile("it is a broken link" if leads_nowhere else "it is not a file")
        if os.path.getsize(path) > most:
            raise UnreadableFile(TOO_LARGE)
        decrypted = loader.get_real_file(path)
        try:
            return read_file(decrypted, most)
        finally:
            loader.cleanup_tmp_file(decrypted)

    try:
        file = file_read(content)
    except AnsibleError as error:
        return {"reason": f"it cannot be read: {' '.join(str(error).split())}"}
    # JSON needs UTF-8; what is not is in comments only.
    return {name: text.encode("utf-8", "replace").decode() for name, text in file.items()}
