# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lock and the one document of a zone, in a folder or a database."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Protocol

from .._dns.printable import printable
from .._log.document import Document
from .._log.stored import InvalidDocument, NewerDocument, document_bytes, document_of

LARGEST = 128 * 2**20
"""In bytes."""

DAMAGED = "is a damaged state of the zone that nobody has looked at"


class StateError(Exception):
    """The state cannot be reached or must not be used. The message says why and what to do."""


class Store(Protocol):
    """One zone of one service. All methods raise StateError.

    *place* is where the document is, for people. *warnings* grow. *ahead* is by how many seconds
    the store's clock is ahead of this machine's.
    """

    place: str
    warnings: list[str]
    ahead: float

    def load(self) -> Document:
        """The current document, whoever holds the lock; an empty one if there is no valid one."""

    def lock(self) -> AbstractContextManager[Document]:
        """Hold the exclusive lock for the context, and give the document as of then.

        An invalid document is put aside.
        """

    def save(self, document: Document) -> None:
        """Replace the document durably and atomically. For the holder of the lock."""

    def check_held(self) -> None:
        """Raises StateError if the lock is lost, or not held: then nothing else may be begun.

        Called before each write; rarely asks the store.
        """


def believed(
    store: Store,
    content: bytes | str | None,
    zone: str,
    now: float,
    aside: str,
    put_aside: Callable[[], str] | None = None,
) -> Document:
    """The document in *content*, read *now* by the store's clock. Raises StateError for a newer format.

    What cannot be read of it is left out, with a warning. *aside* is where an earlier such document
    lies; while one lies there, the document is closed. *put_aside*, for the holder of the lock,
    moves it and says where; what could be read of it is saved then.
    """
    document, damage = Document(), ""
    if content is not None:
        try:
            document, parts = document_of(content, zone, now)
        except NewerDocument as error:
            raise StateError(
                f"the saved state of the zone, {store.place}, cannot be used: {error}"
            ) from error
        except InvalidDocument as error:
            damage = f"is damaged and was ignored: {error}"
        else:
            if parts:
                damage = f"is damaged: some of its {' and '.join(parts)} cannot be read"
    if damage and put_aside:
        aside = put_aside()
        if document != Document():
            store.save(document)
        damage += f"; it was moved to {aside}: look there for unfinished changes, then remove it"
    if damage:
        store.warnings.append(f"the saved state of the zone, {store.place}, {damage}")
    if damage or aside:
        document = replace(document, closed=f"{aside or store.place} {DAMAGED}")
    return document


def content_of(document: Document, zone: str, place: str) -> bytes:
    """Raises StateError for too many bytes, and for what could not be read again."""
    try:
        content = document_bytes(document, zone)
    except InvalidDocument as error:
        raise StateError(f"the state of the zone cannot be saved to {place}: {error}") from error
    if len(content) > LARGEST:
        raise StateError(
            f"the state to save for the zone, {place}, would have more than {LARGEST >> 20} MiB: "
            "change fewer record sets in one task"
        )
    return content


def this_holder() -> str:
    host = printable(os.uname().nodename)
    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    return f"host {host}, pid {os.getpid()}, since {since}"


def waits_for(zone: str, holder: str, timeout: float) -> str:
    name = printable(zone.rstrip("."))
    return (
        f"another run has the lock on {name} ({printable(holder)}); lock_timeout is {timeout:g} s"
    )


def held_by_another(holder: str, timeout: float) -> StateError:
    return StateError(
        f"another run holds the lock on the zone ({printable(holder)}) and did not release it "
        f"within {timeout:g} seconds; nothing was changed: run the task again after the other run "
        "has ended, stop that run if it hangs, or set a longer lock_timeout"
    )


def not_held() -> StateError:
    return StateError("this run does not hold the lock on the zone, so it writes nothing")
