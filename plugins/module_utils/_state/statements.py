# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is asked of the database, in SQL: each statement is of one zone of one service."""

from __future__ import annotations

TOO_LARGE = "too large"
"""What a statement gives in place of a ledger that is not to be fetched."""

_LEDGER = f"case when octet_length(z.ledger) > %(largest)s then '{TOO_LARGE}' else z.ledger end"
_LOOK = """
select v.version, z.last_write, extract(epoch from clock_timestamp() - z.changed_at)::float8,
    extract(epoch from clock_timestamp())::float8,
    case when octet_length(z.written) > %(largest)s then null
        when z.changed_at > clock_timestamp() - make_interval(secs => %(late)s) then z.written
        else split_part(z.written, E'\\n', 1) end,
    exists (select from zonesmith.journal j where j.service = %(service)s and j.zone = %(zone)s)"""
_FROM = """
from (select max(version) as version from zonesmith.version) v
    left join zonesmith.zone z on z.service = %(service)s and z.zone = %(zone)s
"""
LOOK = f"{_LOOK}{_FROM}"
LOOK_WITH_LEDGER = f"{_LOOK}, {_LEDGER}{_FROM}"
SIGN = """
insert into zonesmith.zone as z (service, zone, last_write, changed_at, holder, run)
select %(service)s, %(zone)s, 1, clock_timestamp(), %(holder)s, %(run)s
where (select max(version) from zonesmith.version) = %(newest)s
on conflict (service, zone) do update
set last_write = z.last_write + 1, changed_at = clock_timestamp(), holder = excluded.holder, run = excluded.run
returning z.last_write, case when octet_length(z.written) <= %(largest)s then z.written end,
    extract(epoch from clock_timestamp())::float8, pg_backend_pid()"""
SIGN_WITH_LEDGER = f"{SIGN}, {_LEDGER}"
JOURNAL = """
select case when sum(octet_length(entry::text)) > %(largest)s then '' else
    json_agg(entry order by name, type)::text end
from zonesmith.journal where service = %(service)s and zone = %(zone)s
"""
# Locks the row, so that what follows is still of the run that it was for.
NOTE = """
update zonesmith.zone set last_write = last_write + 1, changed_at = clock_timestamp(),
    written = coalesce(%(written)s, written)
where service = %(service)s and zone = %(zone)s and run = %(run)s returning last_write
"""
NOTE_WITH_LEDGER = NOTE.replace("\nwhere", ", ledger = %(ledger)s\nwhere")
EMPTY = """
delete from zonesmith.journal where service = %(service)s and zone = %(zone)s
and exists (select from zonesmith.zone where service = %(service)s and zone = %(zone)s and run = %(run)s)
"""
FILL = """
insert into zonesmith.journal (service, zone, name, type, entry)
select %(service)s, %(zone)s, entry -> 'key' ->> 0, entry -> 'key' ->> 1, entry
from json_array_elements(%(entries)s::json) as entry
where exists (select from zonesmith.zone where service = %(service)s and zone = %(zone)s and run = %(run)s)
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
END = """
select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and objsubid = 1
and database = (select oid from pg_database where datname = current_database())
and classid = ((%(lock)s::bigint >> 32) & 4294967295)::oid and objid = (%(lock)s::bigint & 4294967295)::oid
and pid = %(former)s
"""
TELL = "select pg_notify('zonesmith', %(news)s)"
WHO = """
select holder, run, last_write, extract(epoch from changed_at)::float8
from zonesmith.zone where service = %(service)s and zone = %(zone)s
"""
# What a server lacks that was a standby; for who has the lock. The journal goes with it, by EMPTY and FILL.
SIGN_AGAIN = """
insert into zonesmith.zone as z (service, zone, last_write, changed_at, holder, run, written)
values (%(service)s, %(zone)s, %(last_write)s + 1, clock_timestamp(), %(holder)s, %(run)s, %(written)s)
on conflict (service, zone) do update
set last_write = excluded.last_write, changed_at = excluded.changed_at, holder = excluded.holder, run = excluded.run,
    written = excluded.written
returning last_write
"""
SET_LEDGER = """
update zonesmith.zone set ledger = %(ledger)s where service = %(service)s and zone = %(zone)s and run = %(run)s
"""
