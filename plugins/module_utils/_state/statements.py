# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""SQL. A row is one zone of one service, with the run that had the lock last.

The session's advisory lock is the lock, so it ends with its holder.
A row put aside has "aside" after the zone's name, and is never read.
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
        service text not null, zone text not null, holder text not null, document text,
        primary key (service, zone)
    );
end
$make$
"""
LOAD = """
select case when octet_length(document) > %(largest)s then 'too large' else document end,
    extract(epoch from clock_timestamp())::float8,
    exists (select from zonesmith.zone where service = %(service)s and zone = %(zone)s || ' aside')
from (select) none left join zonesmith.zone on service = %(service)s and zone = %(zone)s
"""
SET_PATIENCE = "select set_config('lock_timeout', %(patience)s, false)"
LOCK = "select pg_advisory_lock(%(lock)s) where pg_backend_pid() = %(pid)s"
"""No row behind a pooler, which may give the lock to a session of somebody else."""

NO_PATIENCE = "select set_config('lock_timeout', '0', false)"
"""Needed for that lock alone."""

SIGN = """
insert into zonesmith.zone as z (service, zone, holder) values (%(service)s, %(zone)s, %(holder)s)
on conflict (service, zone) do update set holder = excluded.holder
"""
SAVE = """
insert into zonesmith.zone as z (service, zone, holder, document)
values (%(service)s, %(zone)s, %(holder)s, %(document)s)
on conflict (service, zone) do update set document = excluded.document
"""
PUT_ASIDE = """
update zonesmith.zone as z set zone = z.zone || ' aside' || case
    when exists (select from zonesmith.zone where service = z.service and zone = z.zone || ' aside')
    then ' ' || clock_timestamp() else '' end
where service = %(service)s and zone = %(zone)s returning zone
"""
UNLOCK = "select pg_advisory_unlock_all()"
WHO = """
select coalesce(left(max(holder), 300), 'unknown') from zonesmith.zone
where service = %(service)s and zone = %(zone)s
"""
