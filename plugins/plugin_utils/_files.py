# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone files on the controller: found as ansible.builtin.copy finds its source, decrypted, and never templates."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ansible.errors import AnsibleError
from ansible.parsing.dataloader import DataLoader

LARGEST = 64 * 2**20
"""Bytes of a file: what a million records take."""

ENDING = ".zone"

NO_SUCH_FILE = "there is no such file"
FOUND_NOWHERE = "it is found neither in a folder files nor beside the playbook"

Find = Callable[[str], str]
"""The path of what a task calls so. Raises AnsibleError."""

File = dict[str, str]
"""The ``text`` of a file, or the ``reason`` why there is none, with a ``hint`` for who needs a file."""

TOO_LARGE = {"reason": f"it has more than {LARGEST >> 20} MiB"}


def zone_files(options: Mapping[str, Any], find: Find, loader: DataLoader) -> dict[str, File]:
    """What the options of a task name as ``src``, by the name that they give it; of a folder, each of its files."""
    zones, src = options.get("zones"), options.get("src")
    listed = [zone.get("src") for zone in zones if isinstance(zone, dict)] if isinstance(zones, list) else []
    found: dict[str, File] = {}
    for name in (src, *listed):
        if isinstance(name, (str, int)) and name != "":
            found.update(_files(str(name), find, loader))
    return found


def _files(name: str, find: Find, loader: DataLoader) -> Iterator[tuple[str, File]]:
    try:
        path = find(name)
    except AnsibleError:
        yield name, {"reason": NO_SUCH_FILE if name.startswith(("/", "~")) else FOUND_NOWHERE}
        return
    if not os.path.isdir(path):
        yield name, _read(path, loader)
        return
    try:
        inside = sorted(file for file in os.listdir(path) if _may_be_zone_file(path, file))
    except OSError as error:
        yield name, {"reason": f"the folder cannot be read, {error.strerror}"}
        return
    files = "1 file whose name ends" if len(inside) == 1 else f"{len(inside)} files whose names end"
    hint = ": dns_zones takes a folder, as its own src"
    yield name, {"reason": f"it is a folder with {files} in {ENDING}", "hint": hint}
    for file in inside:
        # What is not UTF-8 goes through no JSON, and a zone's name has no question mark.
        called = os.path.join(name, file).encode("utf-8", "replace").decode()
        yield called, _read(os.path.join(path, file), loader)


def _may_be_zone_file(folder: str, name: str) -> bool:
    return name.endswith(ENDING) and not name.startswith(".") and not os.path.isdir(os.path.join(folder, name))


def _read(path: str, loader: DataLoader) -> File:
    try:
        if not os.path.isfile(path):
            leads_nowhere = os.path.islink(path) and not os.path.exists(path)
            return {"reason": "it is a link to what is not there" if leads_nowhere else "it is no file"}
        if os.path.getsize(path) > LARGEST:
            return dict(TOO_LARGE)
        decrypted = loader.get_real_file(path)
        try:
            with open(decrypted, "rb") as file:
                content = file.read(LARGEST + 1)
        finally:
            loader.cleanup_tmp_file(decrypted)
        # It may have grown meanwhile, and the first part of a zone file is one too.
        return {"text": content.decode()} if len(content) <= LARGEST else dict(TOO_LARGE)
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        return {"reason": f"line {line} is not UTF-8 text"}
    except OSError as error:
        return {"reason": f"it cannot be read, {error.strerror}"}
    except AnsibleError as error:
        return {"reason": f"it cannot be read, {' '.join(str(error).split())}"}
