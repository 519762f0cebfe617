# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The document of one zone in a PostgreSQL, for runs whose machine does not outlast them: a Store.

The lock is an advisory one of the session, which ends with it: there is no lease, no clock, and nothing to break by
hand. Who listens to the channel ``zonesmith`` is told what became of a zone, in JSON, and as an object, because the
sources of Event-Driven Ansible end at anything else.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Document
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._store import statements as sql
from ansible_collections.zonesmith.dns.plugins.module_utils._store.advisory import HeldLock, Signed
from ansible_collections.zonesmith.dns.plugins.module_utils._store.session import (
    ANSWERS_WITHIN,
    NOT_AVAILABLE,
    POOLED,
    DatabaseError,
    Rows,
    Session,
    Sessions,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._store.store import (
    LARGEST,
    LONGEST_HOLDER,
    LockLost,
    StateError,
    believed,
    content_of,
    held_by_another,
    not_held,
    this_run,
    waits_for,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._telling import waiting

LONGEST_NEWS = 7_000
"""Bytes, of the fewer than 8,000 that PostgreSQL takes ("NOTIFY"), and of the 7 KiB that rulebooks send at once."""

LONGEST_WAIT = 2.0
"""Seconds for which the server is asked to wait for a lock before somebody looks who has it."""

NONE_THERE = frozenset({"42P01", "3F000"})
"""SQLSTATEs of a table and of a schema that there is not."""

FORBIDDEN = "42501"


class DatabaseStore:
    """A Store in the database of *sessions*, for the zone *zone* (canonical) of the service at *base_url*.

    The lock is waited for at most *lock_timeout* seconds, and so is a server that takes no more sessions. A session is
    in use while the lock is held, and else while something is asked.
    """

    def __init__(self, sessions: Sessions, base_url: str, zone: str, lock_timeout: float):
        number = int.from_bytes(sha256(f"zonesmith {base_url} {zone}".encode()).digest()[:8], "big", signed=True)
        self._sessions = sessions
        self._lock_timeout = lock_timeout
        self._values: dict[str, Any] = {
            "service": base_url,
            "zone": zone,
            "lock": number,
            "largest": LARGEST,
            "run": str(uuid.uuid4()),
        }
        self._held: HeldLock | None = None
        self._news = ""
        self.place = f"the table zonesmith.zone of the database of state_url (zone {printable(zone.rstrip('.'))})"
        self.warnings: list[str] = []
        self.ahead = 0.0

    def load(self) -> Document:
        """See Store. What has no tables yet has no documents."""
        try:
            if self._held:
                ((row,),) = self._held.ask(sql.LOAD, {})
            else:
                session, ((row,),) = self._sessions.asked(self._lock_timeout, (sql.LOAD, self._values))
                self._sessions.give(session)
        except DatabaseError as error:
            if error.code in NONE_THERE:
                return Document()
            raise
        return self._document(*row)

    @contextmanager
    def lock(self) -> Iterator[Document]:
        """See Store."""
        session, (content, now, pid) = self._taken()
        held = HeldLock(self._sessions, session, self._values, Signed(now, 0, content), self.warnings)
        try:
            if pid != session.pid:
                held.ask(sql.END, {"former": pid})  # the session that has the lock is the pooler's, and would keep it
                raise StateError(POOLED)
            document = self._document(content, now, partial(_put_aside, held))
            self._held = held
            yield document
        finally:
            self._held = None
            news, self._news = self._news, ""
            held.let_go(news)

    def save(self, document: Document) -> None:
        """See Store."""
        content = content_of(document, self.place)
        try:
            self._lock_held().save(content.decode())
        except LockLost:
            raise
        except StateError as error:
            raise StateError(f"the document of the zone cannot be written: {error}") from error

    def check_held(self) -> None:
        """See Store. A session that is not new is asked every few seconds whether it goes on."""
        self._lock_held().check()

    def notify(self, state: str) -> None:
        """See Store."""
        news = news_of(self._values["zone"], state, self._values["service"])
        if self._held:
            self._news = news
            return
        with suppress(StateError):
            session, _none = self._sessions.asked(0.0, (sql.TELL, {"news": news}))
            self._sessions.give(session)

    def _lock_held(self) -> HeldLock:
        if self._held is None:
            raise not_held()
        return self._held

    def _document(self, content: str | None, now: float, put_aside: Callable[[], str] | None = None) -> Document:
        self.ahead = now - machine().time()
        return believed(self, None if content is None else content.encode(), self._values["zone"], now, put_aside)

    def _taken(self) -> tuple[Session, tuple[Any, ...]]:
        """A session that has the lock and has signed for it, and what was signed. Raises StateError."""
        deadline = machine().monotonic() + self._lock_timeout
        self._values["holder"] = this_run()
        holder, patience, are_made = "unknown", 0.05, False
        with waiting(lambda: waits_for(self._values["zone"], holder, self._lock_timeout)):
            while True:
                remaining = deadline - machine().monotonic()
                try:
                    session, rows = self._locked(max(0.001, min(patience, remaining)))
                    return session, rows[-1][0]
                except DatabaseError as error:
                    if error.code in NONE_THERE and not are_made:
                        self._make_tables()
                        are_made = True
                        continue
                    if error.code != NOT_AVAILABLE:
                        raise
                holder = self._holder()
                if remaining <= patience:
                    raise held_by_another(holder, self._lock_timeout)
                patience = min(2 * patience, LONGEST_WAIT)

    def _locked(self, patience: float) -> tuple[Session, Rows]:
        values = {**self._values, "patience": f"{patience * 1000:.0f}ms"}
        statements = [(one, values) for one in (sql.SET_PATIENCE, sql.LOCK, sql.NO_PATIENCE, sql.SIGN)]
        return self._sessions.asked(self._lock_timeout, *statements, within=patience + ANSWERS_WITHIN)

    def _make_tables(self) -> None:
        try:
            session, _none = self._sessions.asked(self._lock_timeout, (sql.MAKE, {}))
        except DatabaseError as error:
            if error.code != FORBIDDEN:
                raise
            raise StateError(
                "the role of state_url may not make the tables: let a role that may create in the database run a task "
                "once, and then grant this one what the documentation names"
            ) from error
        self._sessions.give(session)

    def _holder(self) -> str:
        """Who has signed last, for people."""
        try:
            session, (rows,) = self._sessions.asked(0.0, (sql.WHO, self._values))
        except DatabaseError:
            return "unknown"
        self._sessions.give(session)
        return str(rows[0][0])[:LONGEST_HOLDER] if rows else "unknown"


def news_of(zone: str, state: str, service: str) -> str:
    """The news that *zone* (canonical) of the *service*, its URL, is in that *state*, in ASCII without a NUL."""
    news = {"zone": zone.rstrip("."), "state": state, "service": service}
    text = json.dumps(news)
    return text if len(text) <= LONGEST_NEWS else json.dumps({**news, "service": None})


def _put_aside(held: HeldLock) -> str:
    (((where,),),) = held.ask(sql.PUT_ASIDE, {})
    held.save(None)
    return f"the row of the zone '{printable(where)}' there"
