# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The advisory lock of one zone, which is that of a session: who has lost the session has lost the lock.

It is taken again only if nobody had it meanwhile; in a standby that took over, what it lacks of this run is kept again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._state.session import DatabaseError, Session
from ansible_collections.zonesmith.dns.plugins.module_utils._state.statements import END, HOLDERS, WHO
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import LockLost, StateError

GIVES_UP_AFTER = 5.0
"""Seconds for which a lock that was lost is tried to be taken again, and for which that is not tried anew."""

URGENT_FOR = 60.0
"""Seconds for which a set that is deleted is gone on with where nobody can be asked: another run may have the lock."""

PAUSE = 0.1


LOST = "the connection to the database of state_url was lost, and with it the lock on the zone, and "


class SessionLock:
    """A lock that a *session* was given; *values* tell its number, the zone and the run. For several threads.

    *last_write* tells which of the run's commits a server must know, and *keep_again* keeps what one lacks.
    """

    def __init__(
        self,
        session: Session,
        values: dict[str, Any],
        last_write: Callable[[], int],
        keep_again: Callable[[], None],
    ):
        self._session = session
        self._values = values
        self._last_write = last_write
        self._keep_again = keep_again
        self._signed_at = 0.0  # by the server's clock
        self._mutex = machine().lock()
        self._pid = self._number = 0  # of the session; the second tells those apart that the server calls the same
        self._lost: LockLost | None = None
        self._tried_at, self._tried_for, self._failed = -GIVES_UP_AFTER, 0.0, ""
        self._held_at = 0.0

    @property
    def is_held(self) -> bool:
        """Whether it was given, and not let go of."""
        return bool(self._number)

    def is_signed(self, at: float) -> None:
        """The session that there is has the lock, and the run has signed at that moment of the server's clock."""
        self._signed_at = at
        self._is_given()

    def _is_given(self) -> None:
        self._pid, self._number = self._session.pid, self._session.number
        self._held_at = machine().monotonic()

    def let_go(self, news: str = "") -> None:
        """Unlock, and tell who listens the *news*; end the session where it may be another one that has the lock."""
        is_sure = self.is_held and self._number == self._session.number and self._lost is None
        self._pid = self._number = 0
        if is_sure:
            self._session.unlock(news)
        else:
            self._session.close()

    def check(self, *, is_urgent: bool) -> None:
        """Make sure that the lock is held; what *is_urgent* may go on where nobody can be asked. Raises StateError."""
        with self._mutex:
            if self._lost:
                raise self._lost
            if not (self._session.number == self._number and self._session.is_alive()):
                try:
                    self._take_again(0.0 if is_urgent else GIVES_UP_AFTER)
                except LockLost:
                    raise
                except StateError:
                    if not is_urgent or machine().monotonic() - self._held_at > URGENT_FOR:
                        raise
                    return
            self._held_at = machine().monotonic()

    def _take_again(self, patience: float) -> None:
        """Take the lock on a new session, where nobody has had it since. Raises LockLost, StateError.

        A database that cannot be reached is tried again for *patience* seconds.
        """
        began = machine().monotonic()
        # One short try tells nothing to who has patience.
        if began - self._tried_at < GIVES_UP_AFTER and patience <= self._tried_for:
            raise StateError(self._failed)
        while True:
            try:
                if self._is_taken_again():
                    break
                is_late = machine().monotonic() - began > GIVES_UP_AFTER
            except DatabaseError as error:
                if machine().monotonic() - began >= patience:
                    self._tried_at, self._tried_for, self._failed = machine().monotonic(), patience, str(error)
                    raise
                is_late = False
            if is_late:
                raise self.lose("its former session does not end")
            machine().sleep(PAUSE)
        self._is_given()

    def _is_taken_again(self) -> bool:
        ((is_taken,),), who = self._session.ask(
            ("select pg_try_advisory_lock(%(lock)s)", self._values), (WHO, self._values)
        )
        lacks = self._lacks(who)
        if is_taken:
            if lacks:
                self._keep_again()
            return True
        holders = [pid for (pid,) in self._session.ask((HOLDERS, self._values))[0]]
        if any(pid != self._pid for pid in holders):
            raise self.lose("another run has the lock")
        # The server has not noticed yet that the former session is over.
        self._session.ask((END, {**self._values, "former": self._pid}))
        return False

    def _lacks(self, who: list[tuple[Any, ...]]) -> bool:
        """Whether the server lacks commits of this run, as a standby can that took over. Raises LockLost.

        What it knows of others is then from before this run: whoever had the lock since has signed later.
        """
        for _holder, run, last_write, changed_at in who:
            if run != self._values["run"] and changed_at >= self._signed_at:
                raise self.lose("another run has had the lock since")
            return run != self._values["run"] or bool(last_write < self._last_write())
        return True

    def lose(self, why: str, lost: str = LOST) -> LockLost:
        """The error of who has lost the lock, now and whenever it is asked for again."""
        self._session.close()
        self._lost = LockLost(f"{lost}{why}: this run stops, and the next one completes what it left")
        return self._lost
