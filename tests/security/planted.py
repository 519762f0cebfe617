# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The document of a zone as somebody else may have written it, and what else can be in its place."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Document, document_bytes
from ansible_collections.zonesmith.dns.plugins.module_utils._state.folder import FolderStore

Put = Callable[[Path], object]
THREE_GIGABYTES = 3 * 10**9
VALUE = "203.0.113.66"


def document_in(state_dir: Path, base_url: str, zone: str) -> Path:
    """Where the document of a zone is kept."""
    return Path(FolderStore(str(state_dir), base_url, f"{zone}.").place)


def lock_of(document: Path) -> Path:
    """The lock beside a document."""
    return document.with_suffix(".lock")


def entry(name: str = "planted.example.com.", rdtype: str = "A", want: Any = (300, VALUE), **other: Any) -> list[Any]:
    """The row of an entry: a set that an interrupted run has deleted and not yet created again."""
    at = time.time() - 60
    former = [300, "10 old.example.net." if rdtype == "MX" else "192.0.2.254"]
    row = {"before": former, "want": want, "deletes": True, "begun": at, "at": at, "pending_until": 0, "done": False}
    return [name, rdtype, *(row | other).values()]


def document(*entries: Any, **parts: Any) -> str:
    """A document with these entries, and other parts than an empty one has."""
    kept = json.loads(document_bytes(Document()))
    return json.dumps({**kept, "entries": entries, **parts})


def says(content: str) -> Put:
    """A file of our own that holds this."""

    def put(path: Path) -> None:
        path.write_text(content, encoding="utf-8")
        path.chmod(0o600)

    return put


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(THREE_GIGABYTES)
    path.chmod(0o600)


def open_to_all(path: Path) -> None:
    """A file of our own that others can write to."""
    says(document(entry()))(path)
    path.chmod(0o666)


def somebody_elses(path: Path) -> None:
    """A file of another user."""
    says(document(entry()))(path)
    os.chown(path, 12345, -1)


def linked(path: Path) -> None:
    """A link to a file of our own."""
    elsewhere = path.parent.parent / "elsewhere"
    says(document(entry()))(elsewhere)
    path.symlink_to(elsewhere)


def linked_twice(path: Path) -> None:
    """A file that has another name too."""
    precious = path.parent.parent / "precious"
    says("precious")(precious)
    os.link(precious, path)


NO_FILE_OF_OURS: Mapping[str, tuple[Put, str]] = {
    "FIFO": (os.mkfifo, "is no regular file"),
    "link": (linked, "is a link"),
    "link to /dev/zero": (lambda path: path.symlink_to("/dev/zero"), "is a link"),
    "link that leads nowhere": (lambda path: path.symlink_to("nowhere"), "is a link"),
    "folder": (Path.mkdir, "is no regular file"),
    "3 GB": (_sparse, "has more than 128 MiB"),
    "file that others can write to": (open_to_all, "can be written by others"),
    "file of another user": (somebody_elses, "belongs to another user"),
}
"""What is in the place of a document: how it gets there, and what a task says of it."""
