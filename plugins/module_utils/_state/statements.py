# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""SQL. A row is one zone of one service, with the run that had the lock last.

A row put aside has a time after the zone's name, and is never read.
"""

from __future__ import annotations

MAKE = """
do $make$
begin
    perform set_config('lock_timeout', '20s', true);
    perform pg_advisory_xact_lock(hashtextextended('zonesmith', 0));
    if to_regnamespace('zonesmith') is null then
        create schema zonesmith;
    end if;
    create table if not exists zonesmith.zone (
        service text not null, zone text not null, run text not null, holder text not null,
        signed_at timestamptz not null, saves bigint not null, document text, primary key (service, zone)
    );
end
$make$
"""
LOAD = """
select case when octet_length(document) > %(largest)s then 'too large' else document end,
    extract(epoch from clock_timestamp())::float8
from (select) none left join zonesmith.zone on service = %(service)s and zone = %(zone)s
"""
SET_PATIENCE = "select set_config('lock_timeout', %(patience)s, false)"
LOCK = "select pg_advisory_lock(%(lock)s)"
NO_PATIENCE = "select set_config('lock_timeout', '0', false)"
"""Needed for that lock alone."""
SIGN = """
insert into zonesmith.zone as z (service, zone, run, holder, signed_at, saves)
values (%(service)s, %(zone)s, %(run)s, %(holder)s, clock_timestamp(), 0)
on conflict (service, zone) do update
set run = excluded.run, holder = excluded.holder, signed_at = excluded.signed_at, saves = 0
returning case when octet_length(document) > %(largest)s then 'too large' else document end,
    extract(epoch from signed_at)::float8, pg_backend_pid()
"""
SAVE = """
update zonesmith.zone set document = %(document)s, saves = %(saves)s
where service = %(service)s and zone = %(zone)s and run = %(run)s returning saves
"""
PUT_ASIDE = """
insert into zonesmith.zone (service, zone, run, holder, signed_at, saves, document)
select service, zone || ' ' || clock_timestamp(), run, holder, signed_at, saves, document
from zonesmith.zone where service = %(service)s and zone = %(zone)s and run = %(run)s returning zone
"""
UNLOCK = "select pg_advisory_unlock_all()"
TELL = "select pg_notify('zonesmith', %(news)s)"
WHO = """
select left(holder, 300), run, saves, extract(epoch from signed_at)::float8
from zonesmith.zone where service = %(service)s and zone = %(zone)s
"""
TRY_LOCK = "select pg_try_advisory_lock(%(lock)s)"
# Ends a session of a lost connection that the server still keeps.
END = """
select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and objsubid = 1
and database = (select oid from pg_database where datname = current_database())
and classid = ((%(lock)s::bigint >> 32) & 4294967295)::oid and objid = (%(lock)s::bigint & 4294967295)::oid
and pid = %(former)s
"""
