# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is kept of one zone in a PostgreSQL, for runs whose machine does not outlast them: a Store.

The lock is an advisory one of the session, which ends with it: there is no lease, no clock, and nothing to break by
hand.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._history.history import LATE
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._state import schema
from ansible_collections.zonesmith.dns.plugins.module_utils._state.advisory import SessionLock
from ansible_collections.zonesmith.dns.plugins.module_utils._state.news import news_of
from ansible_collections.zonesmith.dns.plugins.module_utils._state.session import (
    ANSWERS_WITHIN,
    POOLED,
    DatabaseError,
    Session,
    Statement,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.statements import (
    EMPTY,
    END,
    FILL,
    HOLDERS,
    JOURNAL,
    KEEP,
    LOOK,
    LOOK_WITH_LEDGER,
    NOTE,
    NOTE_WITH_LEDGER,
    SET_LEDGER,
    SIGN,
    SIGN_AGAIN,
    SIGN_WITH_LEDGER,
    TELL,
    TOO_LARGE,
    WHO,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import (
    LARGEST,
    LONGEST_HOLDER,
    Look,
    StateError,
    held_by_another,
    this_run,
    waits_for,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._telling import waiting

if TYPE_CHECKING:
    from ansible_collections.zonesmith.dns.plugins.module_utils._state.sessions import Sessions

NOT_AVAILABLE = "55P03"

LACKED = (
    "the database of state_url that answers now lacked the last commits of this run, as a standby does that took over "
    "and is not synchronous: nobody has had the lock there since, so this run has taken it and kept its journal again; "
    "what else it lacks nobody knows, see the guide on state_url"
)


class DatabaseStore:
    """A Store in the database at *url*, for the zone *zone* (canonical) of the service at *base_url*.

    The lock is waited for at most *lock_timeout* seconds. The session is one of *sessions*, if they are given, and goes
    back to them when the store is closed.
    """

    def __init__(self, url: str, base_url: str, zone: str, lock_timeout: float, sessions: Sessions | None = None):
        self._url = url
        self._session = Session(url, sessions)
        number = int.from_bytes(sha256(f"zonesmith {base_url} {zone}".encode()).digest()[:8], "big", signed=True)
        since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self._values: dict[str, Any] = {
            "service": base_url,
            "zone": zone,
            "lock": number,
            "late": LATE,
            "largest": LARGEST,
            "newest": schema.newest(),
            "holder": f"{this_run()}, since {since}",
            "run": str(uuid.uuid4()),
        }
        self._lock_timeout = lock_timeout
        self._held = SessionLock(self._session, self._values, lambda: self.released, self._keep_again)
        self._journal: bytes | None = None
        self._written: bytes | None = None
        self._news = ""
        self._ledger: bytes | None = None
        self.warnings: list[str] = []
        self._is_closed = False
        self.released = 0
        self.place = f"the table zonesmith.journal of the database of state_url (zone {printable(zone.rstrip('.'))})"

    def look(self, *, with_ledger: bool = False) -> Look:
        """See Store. What has no tables yet shows nothing; older ones are brought to the newest version."""
        try:
            return self._look(LOOK_WITH_LEDGER if with_ledger else LOOK, is_first=True)
        except DatabaseError as error:
            raise StateError(f"{error}; nothing was changed") from error

    def _look(self, statement: str, *, is_first: bool) -> Look:
        try:
            ((version, last_write, idle, now, written, is_open, *ledger),) = self._session.ask(
                (statement, self._values)
            )[0]
        except DatabaseError as error:
            version = schema.behind(self._session, error, is_first=is_first)
            if version == schema.NONE:
                return Look()
            now = None
        if schema.check(version) or now is None:
            schema.make(self._session)
            return self._look(statement, is_first=False)
        look = Look(is_open=is_open, ahead=now - machine().time())
        if last_write is None:
            return look
        return Look(last_write, idle, is_open, _bytes(written), _ledger(*ledger), look.ahead)

    @contextmanager
    def lock(self, *, with_ledger: bool = False) -> Iterator[Look]:
        """See Store."""
        try:
            look = self._taken(SIGN_WITH_LEDGER if with_ledger else SIGN, is_first=True)
            yield look
        finally:
            if self._is_closed:
                self._session.close()
            self._held.let_go(self._news)
            self._news = ""

    def hold(self, *, is_urgent: bool) -> None:
        """See Store."""
        self._held.check(is_urgent=is_urgent)

    def journal(self) -> bytes | None:
        """See Store."""
        return self._journal

    def preview(self) -> bytes | None:
        """See Store."""
        schema.check_writable(self._session)
        try:
            (((entries,),),) = self._session.ask((JOURNAL, self._values))
        except DatabaseError as error:
            schema.behind(self._session, error, is_first=True)
            return None
        return _as_file(entries)

    def holder(self) -> str:
        """See Store."""
        with suppress(DatabaseError):
            return self._who(self._session) if self._session.ask((HOLDERS, self._values))[0] else ""
        return ""

    def save(self, journal: bytes | None = None, written: bytes | None = None, ledger: bytes | None = None) -> None:
        """See Store."""
        values = {**self._values, "written": written and written.decode(), "ledger": ledger and ledger.decode()}
        statements = [(NOTE_WITH_LEDGER if ledger else NOTE, values), *_replaced(journal, values)]
        try:
            self.hold(is_urgent=False)
            try:
                rows = self._session.ask(*statements)[0]
            except DatabaseError as error:
                if error.code and self._session.is_alive():
                    raise
                self.hold(is_urgent=False)  # whether it was carried out or not, it may be so twice
                rows = self._session.ask(*statements)[0]
        except StateError as error:
            raise StateError(f"the journal of the zone cannot be written: {error}") from error
        if not rows:
            raise self._held.lose("the tables of state_url do not tell of this run any more", lost="")
        ((self.released,),) = rows
        self._journal = self._journal if journal is None else journal or None
        self._written = written or self._written
        self._ledger = ledger or self._ledger

    def _keep_again(self) -> None:
        """Keep what this run knows in a server that lacks it; the lock is held there. Raises StateError."""
        written = self._written and self._written.decode()
        values = {**self._values, "written": written, "last_write": self.released}
        statements = [(SIGN_AGAIN, values), *_replaced(self._journal or b"", values)]
        if self._ledger:
            statements.append((SET_LEDGER, {**values, "ledger": self._ledger.decode()}))
        ((self.released,),) = self._session.ask(*statements)[0]
        self.warnings.append(LACKED)

    def tell(self, state: str) -> None:
        """See Store."""
        news = news_of(self._values["zone"], state, self._values["service"])
        if self._held.is_held:
            self._news = news
        else:
            with suppress(DatabaseError):
                self._session.ask((TELL, {"news": news}))

    def ends_early(self) -> str:
        """See Store. A database is there to stay."""
        return ""

    def close(self) -> None:
        """See Store. The lock stays: threads that were left behind may still write under it."""
        if self._held.is_held:
            self._is_closed = True
        else:
            self._session.give_back()

    def put_aside(self, kind: str, content: bytes) -> str:
        """See Store."""
        values = {**self._values, "kind": kind, "content": content.decode("utf-8", "backslashreplace")}
        ((number,),) = self._session.ask((KEEP, values))[0]
        return f"number {number} of the table zonesmith.aside in the database of state_url"

    def _taken(self, sign: str, *, is_first: bool) -> Look:
        timeout = {"timeout": f"{max(1, int(self._lock_timeout * 1000))}ms"}
        try:
            with waiting(self._waits_for):
                *_others, signed, ((entries,),) = self._session.ask(
                    ("select set_config('lock_timeout', %(timeout)s, false)", timeout),
                    ("select pg_advisory_lock(%(lock)s)", self._values),
                    ("select set_config('lock_timeout', '0', false)", {}),  # it is for that lock alone
                    (sign, self._values),
                    (JOURNAL, self._values),
                    within=self._lock_timeout + ANSWERS_WITHIN,
                )
        except DatabaseError as error:
            if error.code == NOT_AVAILABLE:
                raise held_by_another(self._who(self._session), self._lock_timeout) from error
            schema.behind(self._session, error, is_first=is_first)
            signed = []
        if not signed:
            schema.make(self._session)
            return self._taken(sign, is_first=False)
        ((last_write, written, now, pid, *ledger),) = signed
        if pid != self._session.pid:
            with suppress(DatabaseError):  # the session that has the lock now is the pooler's, and would keep it
                self._session.ask((END, {**self._values, "former": pid}))
            raise StateError(POOLED)
        self._held.is_signed(now)
        self.released, self._journal, self._written = last_write, _as_file(entries), _bytes(written)
        self._ledger = _ledger(*ledger)
        return Look(last_write - 1, 0.0, bool(entries), self._written, self._ledger, now - machine().time())

    def _waits_for(self) -> str:
        """What the lock is waited for, found out on a session of its own: that of this store waits."""
        session = Session(self._url)
        try:
            return waits_for(self._values["zone"], self._who(session), self._lock_timeout)
        finally:
            session.close()

    def _who(self, session: Session) -> str:
        """Who has signed last, for people."""
        try:
            return str(session.ask((WHO, self._values))[0][0][0])[:LONGEST_HOLDER]
        except (DatabaseError, IndexError):  # it makes the tables just now
            return "unknown"


def _replaced(journal: bytes | None, values: dict[str, Any]) -> list[Statement]:
    """What replaces the journal, as in ``save``."""
    statements = [] if journal is None else [(EMPTY, values)]
    if journal:
        statements.append((FILL, {**values, "entries": json.dumps(json.loads(journal)["entries"])}))
    return statements


def _as_file(entries: str | None) -> bytes | None:
    """The rows of a journal as the one text that it is elsewhere."""
    if entries == "":
        most = f"more than {LARGEST >> 20} MiB, which no run writes"
        raise StateError(f"the journal of the zone in the table zonesmith.journal has {most}: look what wrote it")
    return None if entries is None else f'{{"format": 1, "entries": {entries}}}'.encode()


def _ledger(written: str | None = None) -> bytes | None:
    """The ledger, for who has asked for it. Raises StateError."""
    if written == TOO_LARGE:
        most = f"more than {LARGEST >> 20} MiB, which no run writes"
        raise StateError(f"the ledger of the zone in the table zonesmith.zone has {most}: look what wrote it")
    return _bytes(written)


def _bytes(written: str | None) -> bytes | None:
    return None if written is None else written.encode()
