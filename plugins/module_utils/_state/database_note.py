# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The note on a service in the database of ``state_url``: read and written seldom, since each time is a round trip.

In between, a run goes by what it knows itself. Nobody depends on it: where the database does not answer at once, or
refuses, the run does without.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._state.file_note import LARGEST
from ansible_collections.zonesmith.dns.plugins.module_utils._state.schema import NONE_THERE
from ansible_collections.zonesmith.dns.plugins.module_utils._state.session import DatabaseError, Session, Statement
from ansible_collections.zonesmith.dns.plugins.module_utils._state.sessions import Sessions
from ansible_collections.zonesmith.dns.plugins.module_utils._state.statements import NOTE_ON_SERVICE, NOTE_SERVICE
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError, this_run

ASKS_AGAIN = 5.0
"""Seconds between two readings, and between two writings, but for the one at the end of a run."""

ANSWERS_WITHIN = 2.0
"""Seconds after which a run does without it."""


class DatabaseNote:
    """The note on the service at *base_url* in the database at *url*, on a connection of *sessions* for each question.

    Safe to use from several threads.
    """

    def __init__(self, url: str, base_url: str, sessions: Sessions | None = None):
        self._url, self._sessions = url, sessions
        self._values = {"service": base_url, "longest": LARGEST, "holder": this_run()}
        self._content = self._kept = b""  # what it says here, and in the database as far as that is known
        self._read_at = self._written_at = -math.inf
        self._is_lost = False
        self._mutex = machine().lock()
        self.ahead = 0.0

    def read(self) -> bytes:
        """See Note."""
        with self._mutex:
            return self._read()

    def change(self, to: Callable[[bytes], bytes]) -> None:
        """See Note. Others see it within ASKS_AGAIN seconds, if this run changes it again by then, or ends."""
        with self._mutex:
            self._content = to(self._read())[:LARGEST]
            if machine().monotonic() - self._written_at >= ASKS_AGAIN:
                self._write()

    def keep(self) -> None:
        """See Note."""
        with self._mutex:
            if self._content != self._kept:
                self._write()

    def _read(self) -> bytes:
        if machine().monotonic() - self._read_at >= ASKS_AGAIN:
            self._read_at = machine().monotonic()
            for kept, now in self._asked((NOTE_ON_SERVICE, self._values)):
                self.ahead = now - machine().time()
                content = (kept or "").encode()
                if content != self._kept:  # of another run, which knows better than this one for itself
                    self._content = self._kept = content
        return self._content

    def _write(self) -> None:
        self._written_at = machine().monotonic()
        note = self._content.decode("utf-8", "replace").replace("\0", "")
        self._asked((NOTE_SERVICE, {**self._values, "note": note}))
        self._kept = note.encode()

    def _asked(self, statement: Statement) -> list[tuple[Any, ...]]:
        if self._is_lost:
            return []
        try:
            session = Session(self._url, self._sessions)
            try:
                return session.ask(statement, within=ANSWERS_WITHIN)[0]
            finally:
                session.give_back()
        except StateError as error:
            # Tables that nobody has made yet are made by whoever takes the first lock.
            self._is_lost = not (isinstance(error, DatabaseError) and error.code in NONE_THERE)
            return []
