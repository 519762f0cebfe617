# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The tables in which a database keeps what is kept of zones, and how older ones become the newest."""

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
    "alter table zonesmith.zone add column ledger text;",
)
"""What leads from each version of the tables to the next; what was released is never changed."""

NONE_THERE = frozenset({"42P01", "3F000", "42703"})
"""SQLSTATEs of a table, a schema and a column that there is not."""

FORBIDDEN = "42501"
NONE = 0
"""The version where there are no tables."""

GRANT = "let the owner of the schema zonesmith grant the role of state_url what the documentation names"

_VERSION = "select max(version) from zonesmith.version"
_MAY_WRITE = """
select current_setting('transaction_read_only') = 'off',
    case when to_regnamespace('zonesmith') is null then has_database_privilege(current_database(), 'create')
        when to_regclass('zonesmith.zone') is null then has_schema_privilege('zonesmith', 'create')
        else has_table_privilege('zonesmith.zone', 'insert') and has_table_privilege('zonesmith.zone', 'update')
            and has_table_privilege('zonesmith.journal', 'insert')
            and has_table_privilege('zonesmith.journal', 'delete')
            and has_table_privilege('zonesmith.aside', 'insert') end,
    to_regclass('zonesmith.zone') is null
"""

_MIGRATE = """
do $migrate$
declare
    found int := 0;
begin
    perform set_config('lock_timeout', '20s', true);
    perform pg_advisory_xact_lock(hashtextextended('zonesmith.version', 0));
    if to_regnamespace('zonesmith') is null then
        create schema zonesmith;
    end if;
    if to_regclass('zonesmith.version') is null then
        create table zonesmith.version (version int not null);
        insert into zonesmith.version values (0);
    end if;
    select max(version) into found from zonesmith.version;
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
    """Make the tables, or bring them to the newest version, at most one run at a time.

    Raises StateError, also where they are newer.
    """
    steps = [_STEP.format(version=number, sql=sql) for number, sql in enumerate(MIGRATIONS, start=1)]
    try:
        _done, ((version,),) = session.ask((_MIGRATE.format(steps="".join(steps)), {}), (_VERSION, {}))
    except DatabaseError as error:
        if error.code != FORBIDDEN:
            raise
        raise _cannot_be_made() from error
    check(version)


def check(version: int | None) -> bool:
    """Whether tables of this version need to be brought to the newest. Raises StateError for one that is newer."""
    if version is None:
        raise StateError(
            "the table zonesmith.version in the database of state_url is empty, and no run leaves it so: restore it "
            "from a backup, or remove the schema zonesmith while no run is under way"
        )
    if version > newest():
        raise StateError(
            f"the tables in the database of state_url are of version {version}, and this version of the collection "
            f"knows them up to {newest()}: use the newest zonesmith.dns that any of your runs uses"
        )
    return version < newest()


def behind(session: Session, error: DatabaseError, *, is_first: bool) -> int:
    """The version of the tables because of which there was this error, or NONE. Raises StateError for others.

    If it is the newest, somebody made them just now; where the error is not the *first*, something of them is missing.
    """
    if error.code not in NONE_THERE:
        raise error
    try:
        ((version,),) = session.ask((_VERSION, {}))[0]
    except DatabaseError as missing:
        if missing.code not in NONE_THERE:
            raise
        return NONE
    if not (check(version) or is_first):
        raise StateError(f"{error}: restore the schema zonesmith from a backup, or remove it while no run is under way")
    return int(version)


def check_writable(session: Session) -> None:
    """Raise StateError where nothing can be kept in the tables, or where there are none and none can be made."""
    ((can_be_written, may_write, has_none),) = session.ask((_MAY_WRITE, {}))[0]
    if not can_be_written:
        raise StateError("the database of state_url cannot be written to: it must be a server that can")
    if not may_write:
        raise (
            _cannot_be_made()
            if has_none
            else StateError(f"the role of state_url may not write to the tables in the schema zonesmith: {GRANT}")
        )


def _cannot_be_made() -> StateError:
    return StateError(
        "the role of state_url may not make the tables: let a role that may create in the database run a task once, "
        "and then grant this one what the documentation names"
    )
