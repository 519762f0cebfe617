# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The tables in which a database keeps lock holders, journals and memories, and how older ones become the newest."""

from __future__ import annotations

from ansible_collections.zonesmith.dns.plugins.module_utils._state.session import DatabaseError, Session
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError

MIGRATIONS = (
    """
    create table zonesmith.zone (
        service text not null,
        zone text not null,
        last_write bigint not null,
        changed_at timestamptz not null,
        holder text not null,
        run text not null,
        written text,
        primary key (service, zone)
    );
    create table zonesmith.journal (
        service text not null,
        zone text not null,
        name text not null,
        type text not null,
        entry json not null,
        primary key (service, zone, name, type)
    );
    create table zonesmith.aside (
        number bigint generated always as identity primary key,
        service text not null,
        zone text not null,
        kind text not null,
        kept_at timestamptz not null default now(),
        content text not null
    );
    """,
)
"""What leads from each version of the tables to the next; what was released is never changed."""

NONE_THERE = frozenset({"42P01", "3F000", "42703"})
"""SQLSTATEs of a table, a schema and a column that there is not."""

FORBIDDEN = "42501"

_MIGRATE = """
do $migrate$
declare
    found int := 0;
begin
    perform pg_advisory_xact_lock(hashtextextended('zonesmith.version', 0));
    if to_regnamespace('zonesmith') is null then
        create schema zonesmith;
    end if;
    if to_regclass('zonesmith.version') is null then
        create table zonesmith.version (version int not null);
        insert into zonesmith.version values (0);
    end if;
    select version into found from zonesmith.version;
    {steps}
end
$migrate$
"""

_STEP = """
    if found < {version} then
        {sql}
        update zonesmith.version set version = {version};
    end if;
"""


def newest() -> int:
    """The version of the tables that this collection knows."""
    return len(MIGRATIONS)


def make(session: Session) -> None:
    """Make the tables, or bring them to the newest version, at most one run at a time. Raises StateError."""
    steps = [_STEP.format(version=number, sql=sql) for number, sql in enumerate(MIGRATIONS, start=1)]
    try:
        session.ask((_MIGRATE.format(steps="".join(steps)), {}))
    except DatabaseError as error:
        if error.code != FORBIDDEN:
            raise
        raise StateError(
            f"{error}: let a role that may create schemas in the database run a task once, or give this one that right"
        ) from error


def check(version: int) -> bool:
    """Whether tables of this version need to be brought to the newest. Raises StateError for one that is newer."""
    if version > newest():
        raise StateError(
            f"the tables in the database of state_url are of version {version}, and this version of the collection "
            f"knows them up to {newest()}: use the newest zonesmith.dns that any of your runs uses"
        )
    return version < newest()
