# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables: who may make and use them, how two versions share them, and what strangers may have written there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from keeping import NEW, OLD, WWW, MakeStore, RunSql, check, use

from ansible_collections.zonesmith.dns.plugins.module_utils._state import schema
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError

GRANTS = (
    "grant usage on schema zonesmith to {role}",
    "grant select on zonesmith.version to {role}",
    "grant select, insert, update on zonesmith.zone to {role}",
    "grant select, insert, delete on zonesmith.journal to {role}",
    "grant select, insert on zonesmith.aside to {role}",
)
"""What a role needs once the tables are there, besides that it may connect (docs)."""

MORE_COLUMNS = "alter table zonesmith.zone add column note text not null default 'new';"
OTHER_COLUMNS = "alter table zonesmith.zone rename column written to memory;"


@pytest.fixture
def role_url(state_url: str, database: str, run_sql: RunSql) -> Iterator[str]:
    """The state_url of a role that may connect and no more."""
    role = f"runner_{database}"
    run_sql(
        f"create role {role} login password 'known'",
        f"revoke all on database {database} from public",
        f"grant connect on database {database} to {role}",
    )
    yield state_url.replace(state_url.partition("://")[2].partition("@")[0], f"{role}:known")
    run_sql(f"drop owned by {role}", f"drop role {role}")


def granted(run_sql: RunSql, role_url: str, grants: Sequence[str]) -> None:
    """Give the role what these statements say."""
    role = role_url.partition("://")[2].partition(":")[0]
    run_sql(*(grant.format(role=role) for grant in grants))


def refusals(make: MakeStore, url: str) -> set[str]:
    """What is said in check mode of a change, and without."""

    def preview() -> None:
        journal = Journal(make(url))
        journal.look()
        journal.preview(check)

    said = set()
    for act in (preview, lambda: use(make(url))):
        with pytest.raises(StateError) as failed:
            act()
        said.add(str(failed.value))
    return said


def test_a_role_needs_no_more_than_is_documented(make: MakeStore, role_url: str, run_sql: RunSql) -> None:
    use(make())
    granted(run_sql, role_url, GRANTS)
    use(make(role_url))


@pytest.mark.parametrize("missing", range(len(GRANTS)))
def test_a_role_needs_all_that_is_documented(
    make: MakeStore,
    role_url: str,
    run_sql: RunSql,
    missing: int,
) -> None:
    use(make())
    granted(run_sql, role_url, [grant for number, grant in enumerate(GRANTS) if number != missing])
    for said in refusals(make, role_url):
        assert "let the owner of the schema zonesmith grant the role of state_url what the documentation names" in said


def test_a_role_that_may_not_make_the_tables(make: MakeStore, role_url: str, run_sql: RunSql) -> None:
    (said,) = refusals(make, role_url)
    assert said.startswith("the role of state_url may not make the tables: let a role that may create in the database")
    assert run_sql("select from pg_namespace where nspname = 'zonesmith'") == []


def test_a_role_may_be_given_the_schema_alone(make: MakeStore, role_url: str, run_sql: RunSql) -> None:
    granted(run_sql, role_url, ["create schema zonesmith authorization {role}"])
    use(make(role_url))


def test_a_server_that_cannot_be_written_to(
    make: MakeStore,
    database: str,
    run_sql: RunSql,
) -> None:
    use(make())
    run_sql(f"alter database {database} set default_transaction_read_only = on")
    for said in refusals(make, ""):
        assert "must" in said
        assert "can be written to" in said or "must be a server that can" in said


def test_machines_that_make_the_tables_at_one_moment(make: MakeStore) -> None:
    """Also those that would not wait for another run on the zone."""
    stores = [make(zone=f"zone{number}.example.", patience=0) for number in range(8)]

    def lock(number: int) -> bool:
        with stores[number].lock():
            return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(lock, range(8)))


@pytest.fixture
def upgrade(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes this collection a newer one."""

    def to(step: str) -> None:
        monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, step))

    return to


def test_a_newer_version_migrates(
    make: MakeStore,
    upgrade: Callable[[str], None],
    run_sql: RunSql,
) -> None:
    use(make())
    old = make()
    with old.lock():
        upgrade(MORE_COLUMNS)
        assert make().look().is_open
        Journal(old).write([])  # a run that is under way goes on
        Journal(old).write([Entry(WWW, OLD, NEW)])
    assert run_sql("select max(version) from zonesmith.version") == [(schema.newest(),)]
    journal = Journal(make())
    with journal.lock():
        assert [entry.key for entry in journal.pending(check)] == [WWW]


def test_what_each_version_before_has_kept_stays(
    make: MakeStore, run_sql: RunSql, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first version kept no ledgers."""
    with monkeypatch.context() as before:
        before.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:1])
        use(make())
    assert run_sql("select version from zonesmith.version") == [(1,)]
    look = make().look(with_ledger=True)
    assert (look.is_open, look.ledger) == (True, None)
    assert run_sql("select version from zonesmith.version") == [(schema.newest(),)]
    store = make()
    with store.lock(with_ledger=True) as seen:
        assert seen.ledger is None
        store.save(ledger=b"[]")
    assert make().look(with_ledger=True).ledger == b"[]"
    journal = Journal(make())
    with journal.lock():
        assert [entry.key for entry in journal.pending(check)] == [WWW]


def test_many_machines_migrate_at_one_moment(
    make: MakeStore,
    upgrade: Callable[[str], None],
    run_sql: RunSql,
) -> None:
    use(make())
    upgrade(MORE_COLUMNS)
    with ThreadPoolExecutor(8) as pool:
        looks = list(pool.map(lambda _number: make().look(), range(8)))
    assert all(look.is_open for look in looks)
    assert run_sql("select version from zonesmith.version") == [(schema.newest(),)]


@pytest.mark.parametrize("step", [MORE_COLUMNS, OTHER_COLUMNS, "drop table zonesmith.journal;"])
def test_an_older_version_says_so(
    make: MakeStore,
    run_sql: RunSql,
    step: str,
) -> None:
    use(make())
    run_sql(step, f"update zonesmith.version set version = {schema.newest() + 1}")  # noqa: S608 - a number
    before = run_sql("select last_write from zonesmith.zone")
    (said,) = refusals(make, "") | {lock_refused(make)}
    newer = schema.newest() + 1
    assert said.startswith(f"the tables in the database of state_url are of version {newer}, and this version of the")
    assert said.endswith("use the newest zonesmith.dns that any of your runs uses")
    assert run_sql("select last_write from zonesmith.zone") == before


def lock_refused(make: MakeStore) -> str:
    """What is said where the tables were migrated after the look."""
    with pytest.raises(StateError) as failed, make().lock():
        pass
    return str(failed.value)
