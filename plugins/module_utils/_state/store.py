# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What keeps the lock and the one document of a zone: a folder or a database, which look alike."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import (
    Document,
    InvalidDocument,
    NewerDocument,
    document_bytes,
    document_of,
)

LARGEST = 128 * 2**20
"""Bytes of a document that is read into memory, and so the most that is written."""


class StateError(Exception):
    """What is kept of a zone cannot be reached, or must not be used; says what it is and what to do."""


class LockLost(StateError):
    """Another run may have the lock by now, so that this one must not begin to write anything more."""


class Store(Protocol):
    """The lock and the document of one zone of one service. All but ``notify`` raise StateError.

    *place* is where the document is, for people; *warnings* what they should know of it, which grow. The clock of the
    store is *ahead* of this machine's by so many seconds, as was seen when it was asked last.
    """

    place: str
    warnings: list[str]
    ahead: float

    def load(self) -> Document:
        """The document as it is now, whoever holds the lock; an empty one where there is none, or none that is valid.

        Raises StateError where it cannot be read, or is of a newer version.
        """

    def lock(self) -> AbstractContextManager[Document]:
        """The exclusive lock for as long as the context lasts, and the document as it is then.

        A document that is not valid is put aside. Raises StateError where others do not let go of the lock in time, or
        nothing can be written.
        """

    def save(self, document: Document) -> None:
        """Replace the document, for the holder of the lock: whole or not at all, and there after a power failure."""

    def check_held(self) -> None:
        """Make sure that the lock is held, before something is written to the service; mostly asks nobody.

        Raises LockLost where another run may have it.
        """

    def notify(self, state: str) -> None:
        """Tell who listens that the zone is "changed" or "failed", for the holder of the lock, as it is let go of.

        Anybody else tells at once, that it "would_change". Who cannot be told is no failure.
        """


def believed(
    store: Store, content: bytes | None, zone: str, now: float, put_aside: Callable[[], str] | None = None
) -> Document:
    """The document of *zone* that a *store* holds, *now* by its clock; None is no document.

    One that is not valid counts as empty, with a warning. Who has the lock gives what *puts aside* the one there is,
    and tells where. Raises StateError for what a newer version wrote.
    """
    try:
        return Document() if content is None else document_of(content, zone, now)
    except NewerDocument as error:
        raise StateError(f"what is kept of the zone, {store.place}, cannot be used: {error}") from error
    except InvalidDocument as error:
        aside = ""
        if put_aside:
            aside = f"; it was put aside: look in {put_aside()} for what a run may have left undone, then remove that"
        store.warnings.append(f"what is kept of the zone, {store.place}, counts as nothing: {error}{aside}")
        return Document()


def content_of(document: Document, place: str) -> bytes:
    """What is to be kept at a *place*. Raises StateError where it would be too large to be read again."""
    content = document_bytes(document)
    if len(content) > LARGEST:
        raise StateError(
            f"what is to be kept of the zone, {place}, would have more than {LARGEST >> 20} MiB: let the task change "
            "fewer record sets at once"
        )
    return content


def this_run() -> str:
    """Who this run is, for people who look for it."""
    return printable(f"host {os.uname().nodename}, pid {os.getpid()}")


def this_holder() -> str:
    """Who this run is, and since when it holds the lock that it has now."""
    return f"{this_run()}, since {time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())}"


def waits_for(zone: str, holder: str, timeout: float) -> str:
    """What somebody waits for who wants the lock on *zone*, for at most *timeout* seconds."""
    name = printable(zone.rstrip("."))
    return f"another run has the lock on {name} ({printable(holder)}); lock_timeout is {timeout:g} s"


def held_by_another(holder: str, timeout: float) -> StateError:
    """The error of who waited *timeout* seconds for the lock that *holder* has."""
    return StateError(
        f"another run holds the lock on the zone ({printable(holder)}) and did not let go of it within {timeout:g} "
        "seconds; nothing was changed: run the task again when the other has ended, "
        "end that one if it hangs, or set a longer lock_timeout"
    )


def not_held() -> LockLost:
    """The error of who wants to write without the lock."""
    return LockLost("this run does not hold the lock on the zone, so that it writes nothing")
