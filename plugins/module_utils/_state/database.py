# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A Store in PostgreSQL, for runs whose machine does not outlast them.

A session's advisory lock ends with it, so there is no lease and nothing to break by hand. A run that lost its session
takes the lock again only if nobody had it meanwhile, and saves again what a standby that took over lacks.

The channel ``zonesmith`` announces zones as JSON objects, since Event-Driven Ansible's sources end at anything else.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple

from .._dns.printable import printable
from .._log.document import Document
from .._machine import machine
from .._telling import waiting
from . import statements as sql
from .session import (
    ANSWERS_WITHIN,
    NOT_AVAILABLE,
    POOLED,
    DatabaseError,
    Rows,
    Session,
    Sessions,
    Statement,
)
from .store import (
    LARGEST,
    LockLost,
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

NONE_THERE = frozenset({"42P01", "3F000"})
"""SQLSTATEs for a missing table or schema."""

FORBIDDEN = "42501"


GIVES_UP_AFTER = 5.0
"""Seconds."""

PAUSE = 0.1

LOST = (
    "the connection to the database of state_url was lost, and with it the lock on the zone, and "
)
STOPS = ": this run stops, and the next one completes what it left undone"

LACKED = (
    "the database of state_url has lost the last commits of this run, as an asynchronous standby does after a "
    "failover: this run has taken the lock and saved its document again, but other commits may be lost too; see the "
    "guide on state"
)


class Signed(NamedTuple):
    """When a run signed (seconds since 1970, the server's clock), and what it saved."""

    at: float
    saves: int
    document: str | None


class HeldLock:
    """A lock of *session*; *values* have its number, zone and run. Thread-safe."""

    def __init__(
        self,
        sessions: Sessions,
        session: Session,
        values: dict[str, Any],
        signed: Signed,
        warnings: list[str],
    ):
        self._sessions = sessions
        self._session = session
        self._values = values
        self._signed = signed
        self._warnings = warnings
        self._mutex = machine().lock()
        self._pid = session.pid
        self._refusal: LockLost | None = None

    def check(self) -> None:
        """Raises LockLost."""
        with self._mutex:
            self._check()

    def ask(self, statement: str, more: dict[str, Any]) -> Rows:
        """The rows of a repeatable statement. Raises LockLost, DatabaseError."""
        with self._mutex:
            return self._ask((statement, {**self._values, **more}))

    def save(self, document: str | None) -> None:
        """Raises LockLost, DatabaseError."""
        with self._mutex:
            signed = self._signed._replace(saves=self._signed.saves + 1, document=document)
            (rows,) = self._ask(self._saving(signed))
            if not rows:
                raise self._lose("the tables of state_url no longer know this run")
            self._signed = signed

    def let_go(self, news: str) -> None:
        """Release the lock and announce *news*, if any. In doubt, the session ends, and nothing is announced."""
        telling = [(sql.TELL, {"news": news})] if news else []
        with self._mutex:
            try:
                with suppress(DatabaseError):
                    self._session.ask(*telling, (sql.UNLOCK, {}))
            finally:
                self._sessions.give(self._session)

    def _ask(self, *statements: Statement) -> Rows:
        self._check()
        try:
            return self._session.ask(*statements)
        except DatabaseError as error:
            if error.code and self._session.is_alive():
                raise
        self._check()  # it may be repeated, whether or not it took effect
        return self._session.ask(*statements)

    def _check(self) -> None:
        if self._refusal:
            raise self._refusal
        if not self._session.is_alive():
            self._take_again()

    def _take_again(self) -> None:
        """Take the lock on a new session, if nobody had it since. Raises LockLost."""
        began = machine().monotonic()
        while True:
            try:
                if not self._session.pid:
                    self._session = self._sessions.renewed(self._session)
                if self._is_taken_again():
                    self._pid = self._session.pid
                    return
                why = "its former session does not end"
            except DatabaseError as error:
                self._session.close()
                why = str(error)
            if machine().monotonic() - began >= GIVES_UP_AFTER:
                raise self._lose(f"{LOST}{why}")
            machine().sleep(PAUSE)

    def _is_taken_again(self) -> bool:
        ((is_taken,),), who = self._session.ask(
            (sql.TRY_LOCK, self._values), (sql.WHO, self._values)
        )
        lacks = True
        for _holder, run, saves, signed_at in who:
            is_own = run == self._values["run"]
            # A standby knows others only from before this run; who had the lock since has signed later.
            if not is_own and signed_at >= self._signed.at:
                raise self._lose(f"{LOST}another run has had the lock since")
            lacks = not is_own or saves < self._signed.saves
        if not is_taken:
            # The server has not noticed yet that the former session ended.
            self._session.ask((sql.END, {**self._values, "former": self._pid}))
        elif lacks:
            self._session.ask((sql.SIGN, self._values), self._saving(self._signed))
            self._warnings.append(LACKED)
        return bool(is_taken)

    def _saving(self, signed: Signed) -> Statement:
        return sql.SAVE, {**self._values, "saves": signed.saves, "document": signed.document}

    def _lose(self, why: str) -> LockLost:
        """Mark the lock as lost for good."""
        self._session.close()
        self._refusal = LockLost(f"{why}{STOPS}")
        return self._refusal


class DatabaseStore:
    """Waits at most *lock_timeout* seconds for the lock, or for a free session.

    A session is in use only while the lock is held or something is asked.
    """

    def __init__(self, sessions: Sessions, base_url: str, zone: str, lock_timeout: float):
        number = int.from_bytes(
            sha256(f"zonesmith {base_url} {zone}".encode()).digest()[:8], "big", signed=True
        )
        self._sessions = sessions
        self._lock_timeout = lock_timeout
        self._values: dict[str, Any] = {
            "service": base_url,
            "zone": zone,
            "lock": number,
            "largest": LARGEST,
        }
        self._values["run"] = str(uuid.uuid4())
        self._held: HeldLock | None = None
        self._news = ""
        self.place = f"the row of the zone {printable(zone.rstrip('.'))} in the table zonesmith.zone of state_url"
        self.warnings: list[str] = []
        self.ahead = 0.0

    def load(self) -> Document:
        """See Store. Without tables there are no documents."""
        try:
            if self._held:
                ((row,),) = self._held.ask(sql.LOAD, {})
            else:
                ((row,),) = self._sessions.rows(self._lock_timeout, (sql.LOAD, self._values))
        except DatabaseError as error:
            if error.code in NONE_THERE:
                return Document()
            raise
        return self._document(*row)

    @contextmanager
    def lock(self) -> Iterator[Document]:
        """See Store."""
        session, (content, now, pid) = self._taken()
        held = HeldLock(
            self._sessions, session, self._values, Signed(now, 0, content), self.warnings
        )
        try:
            if pid != session.pid:
                held.ask(sql.END, {"former": pid})  # a pooler's session would keep the lock
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
        except StateError as error:
            kind = LockLost if isinstance(error, LockLost) else StateError
            raise kind(f"the document of the zone cannot be written: {error}") from error

    def check_held(self) -> None:
        """See Store. An older session is checked every few seconds."""
        self._lock_held().check()

    def notify(self, state: str) -> None:
        """See Store."""
        news = news_of(self._values["zone"], state, self._values["service"])
        if self._held:
            self._news = news
            return
        with suppress(StateError):
            self._sessions.rows(0.0, (sql.TELL, {"news": news}))

    def _lock_held(self) -> HeldLock:
        if self._held is None:
            raise not_held()
        return self._held

    def _document(
        self, content: str | None, now: float, put_aside: Callable[[], str] | None = None
    ) -> Document:
        self.ahead = now - machine().time()
        return believed(
            self,
            None if content is None else content.encode(),
            self._values["zone"],
            now,
            put_aside,
        )

    def _taken(self) -> tuple[Session, tuple[Any, ...]]:
        """A session with the lock, and the values signed. Raises StateError."""
        self._values["holder"] = this_holder()
        deadline, are_made = machine().monotonic() + self._lock_timeout, False
        with waiting(lambda: waits_for(self._values["zone"], self._holder(), self._lock_timeout)):
            while True:
                remaining = deadline - machine().monotonic()
                try:
                    return self._locked(
                        max(0.001, min(remaining, LONGEST_SILENCE))
                    )  # 0 would be without end
                except DatabaseError as error:
                    if error.code in NONE_THERE and not are_made:
                        self._make_tables()
                        are_made = True
                    elif error.code != NOT_AVAILABLE:
                        raise
                    elif remaining <= LONGEST_SILENCE:
                        raise held_by_another(self._holder(), self._lock_timeout) from error

    def _locked(self, patience: float) -> tuple[Session, tuple[Any, ...]]:
        values = {**self._values, "patience": f"{patience * 1000:.0f}ms"}
        statements = [
            (one, values) for one in (sql.SET_PATIENCE, sql.LOCK, sql.NO_PATIENCE, sql.SIGN)
        ]
        session, rows = self._sessions.asked(
            self._lock_timeout, *statements, within=patience + ANSWERS_WITHIN
        )
        return session, rows[-1][0]

    def _make_tables(self) -> None:
        try:
            self._sessions.rows(self._lock_timeout, (sql.MAKE, {}))
        except DatabaseError as error:
            if error.code != FORBIDDEN:
                raise
            raise StateError(
                "the role of state_url may not create the tables: let a role with the CREATE privilege run a task "
                "once, then grant this role the rights in the guide on state"
            ) from error

    def _holder(self) -> str:
        try:
            (rows,) = self._sessions.rows(0.0, (sql.WHO, self._values))
        except DatabaseError:
            return "unknown"
        return str(rows[0][0]) if rows else "unknown"


def news_of(zone: str, state: str, service: str) -> str:
    """In ASCII without NUL."""
    return json.dumps({"zone": zone.rstrip("."), "state": state, "service": service})


def _put_aside(held: HeldLock) -> str:
    (((where,),),) = held.ask(sql.PUT_ASIDE, {})
    held.save(None)
    return f"the row of the zone '{printable(where)}' there"
