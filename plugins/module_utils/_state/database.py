# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A Store in PostgreSQL, for runs whose machine does not outlast them.

The lock is an advisory lock of the session, so it ends with its holder, and there is nothing to
break by hand. A run whose session is lost has lost the lock for good: it begins nothing new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from typing import Any

from .._dns.printable import printable
from .._log.document import Document
from .._machine import machine
from .._telling import waiting
from . import statements as sql
from .session import NOT_AVAILABLE, POOLED, DatabaseError, Rows, Session, Sessions, Statement
from .store import (
    LARGEST,
    StateError,
    believed,
    content_of,
    held_by_another,
    not_held,
    this_holder,
    waits_for,
)

LONGEST_SILENCE = 20.0
"""Seconds that a wait for a lock is silent. Proxies end connections that are idle for a minute or so."""

NO_TABLES = ("42P01", "3F000")
"""SQLSTATEs for a missing table or schema."""

LOST = (
    "the connection to the database of state_url was lost, and with it the lock on the zone: this "
    "run stops, and the next one completes what it left undone"
)


class DatabaseStore:
    """Waits at most *lock_timeout* seconds for the lock.

    A session is in use only while the lock is held or something is asked.
    """

    def __init__(self, sessions: Sessions, base_url: str, zone: str, lock_timeout: float):
        of_zone = f"zonesmith {base_url} {zone}"
        digest = sha256(of_zone.encode()).digest()
        self._sessions = sessions
        self._lock_timeout = lock_timeout
        self._values: dict[str, Any] = {
            "service": base_url,
            "zone": zone,
            "lock": int.from_bytes(digest[:8], "big", signed=True),
            "largest": LARGEST,
        }
        self._held: Session | None = None
        self.place = _row_of(zone)
        self.warnings: list[str] = []
        self.ahead = 0.0

    def load(self) -> Document:
        """See Store. Without tables there are no documents."""
        try:
            rows = self._sessions.rows((sql.LOAD, self._values))
        except DatabaseError as error:
            if error.code in NO_TABLES:
                return Document()
            raise
        (((content, now, has_aside),),) = rows
        return self._document(content, now, has_aside)

    @contextmanager
    def lock(self) -> Iterator[Document]:
        """See Store."""
        with self._sessions.session() as session:
            try:
                self._values["holder"] = this_holder()
                content, now, has_aside = self._taken(session)
                self._held = session
                yield self._document(content, now, has_aside, self._put_aside)
            finally:
                self._held = None
                try:
                    session.ask((sql.UNLOCK, {}))
                except DatabaseError:
                    session.close()  # and with it the lock

    def save(self, document: Document) -> None:
        """See Store."""
        content = content_of(document, self._values["zone"], self.place).decode()
        try:
            self._ask_held(sql.SAVE, document=content)
        except StateError as error:
            raise StateError(f"the document of the zone cannot be written: {error}") from error

    def check_held(self) -> None:
        """See Store. The server is asked every few seconds."""
        if self._held is None:
            raise not_held()
        if not self._held.is_alive():
            raise StateError(LOST)

    def _ask_held(self, statement: str, **more: str) -> Rows:
        """The answer of the session that holds the lock. Raises StateError."""
        if self._held is None:
            raise not_held()
        try:
            return self._held.ask((statement, {**self._values, **more}))
        except DatabaseError as error:
            if self._held.pid:
                raise
            raise StateError(LOST) from error

    def _document(
        self,
        content: str | None,
        now: float,
        has_aside: bool,
        put_aside: Callable[[], str] | None = None,
    ) -> Document:
        """*has_aside*: an earlier damaged document was put aside."""
        self.ahead = now - machine().time()
        zone = self._values["zone"]
        aside = _row_of(f"{zone} aside") if has_aside else ""
        return believed(self, content, zone, now, aside, put_aside)

    def _put_aside(self) -> str:
        (((where,),),) = self._ask_held(sql.PUT_ASIDE)
        return _row_of(where)

    def _taken(self, session: Session) -> tuple[Any, ...]:
        """Take the lock, and return the answer of LOAD. Raises StateError."""
        deadline = machine().monotonic() + self._lock_timeout
        with waiting(self._waits_for):
            while True:
                remaining = deadline - machine().monotonic()
                try:
                    return self._locked(session, min(remaining, LONGEST_SILENCE))
                except DatabaseError as error:
                    if error.code in NO_TABLES:
                        session.ask((sql.MAKE, {}))
                    elif error.code != NOT_AVAILABLE:
                        raise
                    elif remaining <= LONGEST_SILENCE:
                        holder = self._holder(session.ask)
                        raise held_by_another(holder, self._lock_timeout) from error

    def _locked(self, session: Session, patience: float) -> tuple[Any, ...]:
        milliseconds = max(1, round(patience * 1000))  # 0 would be without end
        values = {**self._values, "patience": f"{milliseconds}ms", "pid": session.pid}
        statements = (sql.SET_PATIENCE, sql.LOCK, sql.NO_PATIENCE, sql.SIGN, sql.LOAD)
        asked = [(statement, values) for statement in statements]
        _patience, lock, _no_patience, _sign, load = session.ask(*asked, waits=patience)
        if not lock:
            raise StateError(POOLED)
        return load[0]

    def _waits_for(self) -> str:
        holder = self._holder(partial(self._sessions.rows, waits=False))
        return waits_for(self._values["zone"], holder, self._lock_timeout)

    def _holder(self, ask: Callable[[Statement], Rows]) -> str:
        """Who holds the lock. It must not wait for a session, since all others may wait for locks."""
        try:
            (((holder,),),) = ask((sql.WHO, self._values))
        except DatabaseError:
            return "unknown"
        return str(holder)


def _row_of(zone: str) -> str:
    return f"the row of the zone '{printable(zone)}' in the table zonesmith.zone of state_url"
