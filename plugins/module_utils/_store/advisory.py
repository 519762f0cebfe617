# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The advisory lock of one zone, which is that of a session: who has lost the session has lost the lock.

It is taken again only if nobody had it meanwhile; in a standby that took over, what it lacks of this run is kept again.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._store import statements as sql
from ansible_collections.zonesmith.dns.plugins.module_utils._store.session import (
    DatabaseError,
    Rows,
    Session,
    Sessions,
    Statement,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._store.store import LockLost

GIVES_UP_AFTER = 5.0
"""Seconds for which a lock that was lost is tried to be taken again, and then is not tried anew."""

PAUSE = 0.1

LOST = "the connection to the database of state_url was lost, and with it the lock on the zone, and "
STOPS = ": this run stops, and the next one completes what it left"

LACKED = (
    "the database of state_url that answers now lacked the last commits of this run, as a standby does that took over "
    "and is not synchronous: nobody has had the lock there since, so this run has taken it and kept its document "
    "again; what else it lacks nobody knows, see the guide on state_url"
)


class Signed(NamedTuple):
    """What a server must know of a run: that it has signed (seconds since 1970, by its clock), and what it has kept."""

    at: float
    saves: int
    document: str | None


class HeldLock:
    """A lock that a *session*, one of *sessions*, was given; *values* tell its number, the zone and the run.

    Safe to use from several threads. What people should know goes into *warnings*.
    """

    def __init__(
        self, sessions: Sessions, session: Session, values: dict[str, Any], signed: Signed, warnings: list[str]
    ):
        self._sessions = sessions
        self._session = session
        self._values = values
        self._signed = signed
        self._warnings = warnings
        self._mutex = machine().lock()
        self._pid = session.pid
        self._refusal: tuple[LockLost, float] | None = None  # and until when that is not tried anew

    def check(self) -> None:
        """Make sure that the lock is held. Raises LockLost where another run may have it."""
        with self._mutex:
            self._check()

    def ask(self, statement: str, more: dict[str, Any]) -> Rows:
        """What a statement that may be carried out twice gives, under the lock. Raises LockLost, DatabaseError."""
        with self._mutex:
            return self._ask((statement, {**self._values, **more}))

    def save(self, document: str | None) -> None:
        """Keep a document. Raises LockLost, DatabaseError."""
        with self._mutex:
            signed = self._signed._replace(saves=self._signed.saves + 1, document=document)
            (rows,) = self._ask(self._saving(signed))
            if not rows:
                raise self._lose("the tables of state_url do not tell of this run any more")
            self._signed = signed

    def let_go(self, news: str) -> None:
        """Unlock, and tell who listens the *news*; end the session where it may be another one that has the lock."""
        with self._mutex:
            if self._refusal or not self._session.pid:
                self._session.close()
            else:
                self._session.unlock(news)
            self._sessions.give(self._session)

    def _ask(self, *statements: Statement) -> Rows:
        self._check()
        try:
            return self._session.ask(*statements)
        except DatabaseError as error:
            if error.code and self._session.is_alive():
                raise
        self._check()  # whether it was carried out or not, it may be so twice
        return self._session.ask(*statements)

    def _check(self) -> None:
        if self._refusal and machine().monotonic() < self._refusal[1]:
            raise self._refusal[0]
        if not self._session.is_alive():
            self._take_again()
        self._refusal = None

    def _take_again(self) -> None:
        """Take the lock on a new session, where nobody has had it since. Raises LockLost."""
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
                lost = LockLost(f"{LOST}{why}{STOPS}")
                self._refusal = lost, machine().monotonic() + GIVES_UP_AFTER
                raise lost
            machine().sleep(PAUSE)

    def _is_taken_again(self) -> bool:
        ((is_taken,),), who = self._session.ask((sql.TRY_LOCK, self._values), (sql.WHO, self._values))
        lacks = True
        for _holder, run, saves, signed_at in who:
            is_own = run == self._values["run"]
            # What a standby knows of others is from before this run: whoever had the lock since has signed later.
            if not is_own and signed_at >= self._signed.at:
                raise self._lose(f"{LOST}another run has had the lock since")
            lacks = not is_own or saves < self._signed.saves
        if not is_taken:
            # The server has not noticed yet that the former session is over.
            self._session.ask((sql.END, {**self._values, "former": self._pid}))
        elif lacks:
            self._session.ask((sql.SIGN, self._values), self._saving(self._signed))
            self._warnings.append(LACKED)
        return bool(is_taken)

    def _saving(self, signed: Signed) -> Statement:
        return sql.SAVE, {**self._values, "saves": signed.saves, "document": signed.document}

    def _lose(self, why: str) -> LockLost:
        """The error of who has lost the lock, now and whenever it is asked for again."""
        self._session.close()
        lost = LockLost(f"{why}{STOPS}")
        self._refusal = lost, math.inf
        return lost
