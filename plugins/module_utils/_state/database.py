# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lock, the journal and the memory of one zone in a PostgreSQL, for runs whose machine does not outlast them.

The lock is an advisory one of the session, which ends with it: there is no lease, no clock, and nothing to break by
hand. Who has lost the session has lost the lock, and takes it again only if nobody had it meanwhile.
"""

from __future__ import annotations

import json
import os
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.shown import visible
from ansible_collections.zonesmith.dns.plugins.module_utils._state import schema
from ansible_collections.zonesmith.dns.plugins.module_utils._state.session import (
    ANSWERS_WITHIN,
    DatabaseError,
    Session,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import (
    LockLost,
    Look,
    StateError,
    held_by_another,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.written import LATE

NOT_AVAILABLE = "55P03"
GIVES_UP_AFTER = 5.0
"""Seconds for which a lock that was lost is tried to be taken again, and for which that is not tried anew."""

LOOK = """
select v.version, z.last_write, extract(epoch from clock_timestamp() - z.changed_at)::float8,
    extract(epoch from clock_timestamp())::float8,
    case when z.changed_at > clock_timestamp() - make_interval(secs => %(late)s) then z.written
        else split_part(z.written, E'\\n', 1) end,
    exists (select from zonesmith.journal j where j.service = %(service)s and j.zone = %(zone)s)
from zonesmith.version v left join zonesmith.zone z on z.service = %(service)s and z.zone = %(zone)s
"""
SIGN = """
insert into zonesmith.zone as z (service, zone, last_write, changed_at, holder, run)
values (%(service)s, %(zone)s, 1, clock_timestamp(), %(holder)s, %(run)s)
on conflict (service, zone) do update
set last_write = z.last_write + 1, changed_at = clock_timestamp(), holder = excluded.holder, run = excluded.run
returning z.last_write, z.written, extract(epoch from clock_timestamp())::float8, pg_backend_pid(),
    (select version from zonesmith.version)
"""
JOURNAL = """
select json_agg(entry order by name, type)::text from zonesmith.journal
where service = %(service)s and zone = %(zone)s
"""
EMPTY = "delete from zonesmith.journal where service = %(service)s and zone = %(zone)s"
FILL = """
insert into zonesmith.journal (service, zone, name, type, entry)
select %(service)s, %(zone)s, entry -> 'key' ->> 0, entry -> 'key' ->> 1, entry
from json_array_elements(%(entries)s::json) as entry
"""
NOTE = """
update zonesmith.zone set last_write = last_write + 1, changed_at = clock_timestamp(),
    written = coalesce(%(written)s, written)
where service = %(service)s and zone = %(zone)s and run = %(run)s returning last_write
"""
KEEP = """
insert into zonesmith.aside (service, zone, kind, content) values (%(service)s, %(zone)s, %(kind)s, %(content)s)
returning number
"""
HOLDERS = """
select pid from pg_locks where locktype = 'advisory' and granted and objsubid = 1
and database = (select oid from pg_database where datname = current_database())
and classid = ((%(lock)s::bigint >> 32) & 4294967295)::oid and objid = (%(lock)s::bigint & 4294967295)::oid
"""
WHO = "select holder, run from zonesmith.zone where service = %(service)s and zone = %(zone)s"
MAY_WRITE = """
select coalesce(has_table_privilege(to_regclass('zonesmith.journal'), 'insert,delete'),
    has_database_privilege(current_database(), 'create'))
"""


class DatabaseStore:
    """A Store in the database at *url*, for the zone *zone* (canonical) of the service at *base_url*.

    The lock is waited for at most *lock_timeout* seconds.
    """

    def __init__(self, url: str, base_url: str, zone: str, lock_timeout: float):
        self._session = Session(url)
        number = int.from_bytes(sha256(f"zonesmith {base_url} {zone}".encode()).digest()[:8], "big", signed=True)
        since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self._values: dict[str, Any] = {
            "service": base_url,
            "zone": zone,
            "lock": number,
            "late": LATE,
            "holder": visible(f"host {os.uname().nodename}, pid {os.getpid()}, since {since}"),
            "run": str(uuid.uuid4()),
        }
        self._lock_timeout = lock_timeout
        self._mutex = threading.Lock()
        self._pid = 0
        self._lost: LockLost | None = None
        self._tried_at = -GIVES_UP_AFTER
        self._journal: bytes | None = None
        self.released = 0
        self.place = f"the table zonesmith.journal of the database of state_url (zone {visible(zone.rstrip('.'))})"

    def look(self) -> Look:
        """See Store. What has no tables yet shows nothing."""
        try:
            ((version, last_write, idle, now, written, is_open),) = self._session.ask((LOOK, self._values))[0]
        except DatabaseError as error:
            if error.code not in schema.NONE_THERE:
                raise
            return Look()
        if schema.check(version):
            schema.make(self._session)
            return self.look()
        look = Look(is_open=is_open, ahead=now - time.time())
        return look if last_write is None else Look(last_write, idle, is_open, _bytes(written), look.ahead)

    @contextmanager
    def lock(self) -> Iterator[Look]:
        """See Store."""
        try:
            look = self._taken()
            yield look
        finally:
            self._pid = 0
            self._session.close()

    def hold(self, *, is_urgent: bool) -> None:
        """See Store."""
        with self._mutex:
            if self._lost:
                raise self._lost
            if self._session.pid == self._pid and self._session.is_alive():
                return
            try:
                self._take_again()
            except LockLost as error:
                self._lost = error
                raise
            except StateError:
                if not is_urgent:
                    raise

    def journal(self) -> bytes | None:
        """See Store."""
        return self._journal

    def preview(self) -> bytes | None:
        """See Store."""
        ((may_write,),) = self._session.ask((MAY_WRITE, {}))[0]
        if not may_write:
            raise StateError(
                "the role of state_url may not write to the tables of the schema zonesmith: let their owner grant that"
            )
        try:
            holders, ((entries,),) = self._session.ask((HOLDERS, self._values), (JOURNAL, self._values))
        except DatabaseError as error:
            if error.code not in schema.NONE_THERE:
                raise
            return None
        return None if holders else _as_file(entries)

    def save(self, journal: bytes | None = None, written: bytes | None = None) -> None:
        """See Store."""
        values = {**self._values, "written": written and written.decode()}
        statements = [(NOTE, values)]
        if journal is not None:
            statements.insert(0, (EMPTY, values))
        if journal:
            statements.insert(1, (FILL, {**values, "entries": json.dumps(json.loads(journal)["entries"])}))
        try:
            self.hold(is_urgent=False)
            try:
                rows = self._session.ask(*statements)[-1]
            except DatabaseError as error:
                if error.code and self._session.is_alive():
                    raise
                self.hold(is_urgent=False)  # whether it was carried out or not, it may be so twice
                rows = self._session.ask(*statements)[-1]
        except StateError as error:
            raise StateError(f"the journal of the zone cannot be written: {error}") from error
        if not rows:
            raise self._lose("another run has the lock")
        ((self.released,),) = rows
        self._journal = self._journal if journal is None else journal or None

    def ends_early(self) -> str:
        """See Store. A database is there to stay."""
        return ""

    def close(self) -> None:
        """See Store."""
        self._session.close()

    def put_aside(self, kind: str, content: bytes) -> str:
        """See Store."""
        values = {**self._values, "kind": kind, "content": content.decode("utf-8", "backslashreplace")}
        ((number,),) = self._session.ask((KEEP, values))[0]
        return f"number {number} of the table zonesmith.aside in the database of state_url"

    def _taken(self) -> Look:
        timeout = {"timeout": f"{max(1, int(self._lock_timeout * 1000))}ms"}
        try:
            _, _, ((last_write, written, now, pid, version),), ((entries,),) = self._session.ask(
                ("select set_config('lock_timeout', %(timeout)s, false)", timeout),
                ("select pg_advisory_lock(%(lock)s)", self._values),
                (SIGN, self._values),
                (JOURNAL, self._values),
                within=self._lock_timeout + ANSWERS_WITHIN,
            )
        except DatabaseError as error:
            if error.code == NOT_AVAILABLE:
                who = self._session.ask((WHO, self._values))[0]
                raise held_by_another(who[0][0] if who else "unknown", self._lock_timeout) from error
            if error.code not in schema.NONE_THERE:
                raise
            schema.make(self._session)
            return self._taken()
        if schema.check(version):
            schema.make(self._session)
            return self._taken()
        if pid != self._session.pid:
            raise StateError(
                "state_url leads to a connection pooler, behind which a lock is not its holder's: give the address of "
                "the database itself"
            )
        self._pid, self._journal, self.released = pid, _as_file(entries), last_write
        return Look(last_write - 1, 0.0, bool(entries), _bytes(written), now - time.time())

    def _take_again(self) -> None:
        """Take the lock on a new session, where nobody has had it since. Raises LockLost, StateError."""
        if time.monotonic() - self._tried_at < GIVES_UP_AFTER:
            raise StateError("the connection to the database of state_url is lost, and with it the lock on the zone")
        former, began = self._pid, time.monotonic()
        try:
            while not self._session.ask(("select pg_try_advisory_lock(%(lock)s)", self._values))[0][0][0]:
                holders = [pid for (pid,) in self._session.ask((HOLDERS, self._values))[0]]
                if any(pid != former for pid in holders) or time.monotonic() - began > GIVES_UP_AFTER:
                    raise self._lose("another run has the lock")
                # The server has not noticed yet that the former session is over.
                self._session.ask(("select pg_terminate_backend(%(pid)s)", {"pid": former}))
                time.sleep(0.1)
        except DatabaseError:
            self._tried_at = time.monotonic()
            raise
        if [run for _holder, run in self._session.ask((WHO, self._values))[0]] != [self._values["run"]]:
            raise self._lose("another run has had the lock since")
        self._pid = self._session.pid

    def _lose(self, why: str) -> LockLost:
        self._session.close()
        return LockLost(
            f"the connection to the database of state_url was lost, and with it the lock on the zone, and {why}: "
            "this one stops, and the next one completes what it left"
        )


def _as_file(entries: str | None) -> bytes | None:
    """The rows of a journal as the one text that it is elsewhere."""
    return None if entries is None else f'{{"format": 1, "entries": {entries}}}'.encode()


def _bytes(written: str | None) -> bytes | None:
    return None if written is None else written.encode()
