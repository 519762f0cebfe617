# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables: who may make and use them, how two versions share them, and what strangers may have written there."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from test_away import NEW, OLD, WWW, MakeStore, make  # noqa: F401 - a fixture

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._run.recovery import believed
from ansible_collections.zonesmith.dns.plugins.module_utils._state import schema
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Entry, Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError
from ansible_collections.zonesmith.dns.plugins.module_utils._state.written import LastWrites

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


def check(written: object) -> Entry:
    """An entry that a run of the zone can have written."""
    return believed("example.com.", written)


def use(store: object) -> None:
    """Everything that a run does with a store, whose journal is left open."""
    journal = Journal(store)  # type: ignore[arg-type]
    journal.look()
    journal.preview(check)
    with journal.lock():
        journal.pending(check)
        journal.write([Entry(WWW, OLD, NEW)], LastWrites(text_form="plain"))
        journal.write([])
        store.hold(is_urgent=False)  # type: ignore[attr-defined]
        journal.put_aside([Entry(WWW, OLD, NEW)])
        journal.write([Entry(WWW, OLD, NEW)])


@pytest.fixture
def run_sql(state_url: str) -> Callable[..., list[tuple[object, ...]]]:
    """Runs statements as the owner of the database."""

    def run(*statements: str) -> list[tuple[object, ...]]:
        rows: list[tuple[object, ...]] = []
        with psycopg.connect(state_url, autocommit=True) as admin:
            for statement in statements:
                cursor = admin.execute(statement.encode())
                rows = cursor.fetchall() if cursor.description else []
        return rows

    return run


RunSql = Callable[..., list[tuple[object, ...]]]


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


def refusals(make: MakeStore, url: str) -> set[str]:  # noqa: F811
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


def test_a_role_needs_no_more_than_is_documented(make: MakeStore, role_url: str, run_sql: RunSql) -> None:  # noqa: F811
    use(make())
    granted(run_sql, role_url, GRANTS)
    use(make(role_url))


@pytest.mark.parametrize("missing", range(len(GRANTS)))
def test_a_role_needs_all_that_is_documented(
    make: MakeStore,  # noqa: F811
    role_url: str,
    run_sql: RunSql,
    missing: int,
) -> None:
    use(make())
    granted(run_sql, role_url, [grant for number, grant in enumerate(GRANTS) if number != missing])
    for said in refusals(make, role_url):
        assert "let the owner of the schema zonesmith grant the role of state_url what the documentation names" in said


def test_a_role_that_may_not_make_the_tables(make: MakeStore, role_url: str, run_sql: RunSql) -> None:  # noqa: F811
    (said,) = refusals(make, role_url)
    assert said.startswith("the role of state_url may not make the tables: let a role that may create in the database")
    assert run_sql("select from pg_namespace where nspname = 'zonesmith'") == []


def test_a_role_may_be_given_the_schema_alone(make: MakeStore, role_url: str, run_sql: RunSql) -> None:  # noqa: F811
    granted(run_sql, role_url, ["create schema zonesmith authorization {role}"])
    use(make(role_url))


def test_a_server_that_cannot_be_written_to(
    make: MakeStore,  # noqa: F811
    database: str,
    run_sql: RunSql,
) -> None:
    use(make())
    run_sql(f"alter database {database} set default_transaction_read_only = on")
    for said in refusals(make, ""):
        assert "must" in said
        assert "can be written to" in said or "must be a server that can" in said


def test_machines_that_make_the_tables_at_one_moment(make: MakeStore) -> None:  # noqa: F811
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
    make: MakeStore,  # noqa: F811
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
    assert run_sql("select max(version) from zonesmith.version") == [(2,)]
    journal = Journal(make())
    with journal.lock():
        assert [entry.key for entry in journal.pending(check)] == [WWW]


def test_many_machines_migrate_at_one_moment(
    make: MakeStore,  # noqa: F811
    upgrade: Callable[[str], None],
    run_sql: RunSql,
) -> None:
    use(make())
    upgrade(MORE_COLUMNS)
    with ThreadPoolExecutor(8) as pool:
        looks = list(pool.map(lambda _number: make().look(), range(8)))
    assert all(look.is_open for look in looks)
    assert run_sql("select version from zonesmith.version") == [(2,)]


@pytest.mark.parametrize("step", [MORE_COLUMNS, OTHER_COLUMNS, "drop table zonesmith.journal;"])
def test_an_older_version_says_so(
    make: MakeStore,  # noqa: F811
    run_sql: RunSql,
    step: str,
) -> None:
    use(make())
    run_sql(step, "update zonesmith.version set version = 2")
    before = run_sql("select last_write from zonesmith.zone")
    (said,) = refusals(make, "") | {lock_refused(make)}
    assert said.startswith("the tables in the database of state_url are of version 2, and this version of the")
    assert said.endswith("use the newest zonesmith.dns that any of your runs uses")
    assert run_sql("select last_write from zonesmith.zone") == before


def lock_refused(make: MakeStore) -> str:  # noqa: F811
    """What is said where the tables were migrated after the look."""
    with pytest.raises(StateError) as failed, make().lock():
        pass
    return str(failed.value)


TAMPERED = {
    "no version": ["delete from zonesmith.version"],
    "two versions": ["insert into zonesmith.version values (1)"],
    "a version of the future besides": ["insert into zonesmith.version values (99)"],
    "a version of the past": ["update zonesmith.version set version = -7"],
    "the last number": ["update zonesmith.zone set last_write = 9223372036854775807"],
    "no end of time": ["update zonesmith.zone set changed_at = 'infinity'"],
    "a time to come": ["update zonesmith.zone set changed_at = now() + interval '9 years'"],
    "a memory of nothing": ["update zonesmith.zone set written = ''"],
    "a memory of nonsense": ["update zonesmith.zone set written = repeat('[', 100000)"],
    "a memory of null": ["update zonesmith.zone set written = 'null' || chr(10) || '[]'"],
    "a memory of lists": [
        """update zonesmith.zone set written = '{"format": 2, "at": 1e999, "lasts": [], "kept_ttls": 1}'"""
    ],
    "a huge memory": ["update zonesmith.zone set written = repeat('x', 70000000)"],
    "an entry of null": ["update zonesmith.journal set entry = 'null'"],
    "an entry of a number": ["update zonesmith.journal set entry = '1e999999'"],
    "an entry of many digits": ["update zonesmith.journal set entry = repeat('9', 10000)::json"],
    "an entry with NUL": ["""update zonesmith.journal set entry = '{"key": ["\\u0000", "A"], "at": "\\u0000"}'"""],
    "an entry with half a character": ["""update zonesmith.journal set entry = '{"key": ["\\ud800", "A"]}'"""],
    "a deep entry": ["update zonesmith.journal set entry = (repeat('[', 3000) || repeat(']', 3000))::json"],
    "an entry of another zone": [
        """update zonesmith.journal set entry = replace(entry::text, 'www.example.com.', 'www.example.net.')::json"""
    ],
    "entries twice": ["insert into zonesmith.journal select service, zone, 'x', type, entry from zonesmith.journal"],
    "a huge journal": [
        "create table public.long as select to_json(repeat('x', 7000000)) as entry, n from generate_series(1, 10) n",
        "insert into zonesmith.journal select service, zone, n::text, 'A', entry from zonesmith.zone, public.long",
    ],
    "a table less": ["drop table zonesmith.journal"],
    "a column less": ["alter table zonesmith.zone drop column holder cascade"],
}


@pytest.mark.parametrize("statements", TAMPERED.values(), ids=TAMPERED)
def test_what_strangers_wrote_ends_in_words(make: MakeStore, run_sql: RunSql, statements: list[str]) -> None:  # noqa: F811
    """Either nothing comes of it, or a sentence; and nothing that no run can have written is ever carried out."""
    use(make())
    run_sql(*statements)
    journal = Journal(make())
    found: list[Entry] = []
    try:
        journal.look()
        found += journal.preview(check)
        with journal.lock():
            found += journal.pending(check)
            journal.write(found)
    except StateError as error:
        said = str(error)
        assert said.isprintable()
        assert len(said) < 600, said
    assert {(entry.key, entry.before, entry.after) for entry in found} <= {(WWW, OLD, NEW)}
    assert all(warning.isprintable() for warning in journal.warnings)


def test_a_holder_can_say_nothing_to_the_terminal(make: MakeStore, run_sql: RunSql) -> None:  # noqa: F811
    with make().lock():
        run_sql("update zonesmith.zone set holder = chr(27) || ']0;owned' || chr(7) || chr(10) || repeat('x', 100000)")
        with pytest.raises(StateError) as failed, make(patience=0).lock():
            pass
    assert str(failed.value).isprintable()
    assert len(str(failed.value)) < 1000


def test_values_come_back_as_they_were(make: MakeStore) -> None:  # noqa: F811
    odd = tuple(
        f'"{text}"' for text in ("\\000", "\\", "%s %(zone)s", "'; drop schema zonesmith;", "é\u202e\U0001f600")
    )
    key = WWW._replace(type="TXT")
    entry = Entry(key, RecordSet(*key, 300, odd), RecordSet(*key, 300, ('"a"',)))
    first = make()
    with first.lock():
        Journal(first).write([entry])
    second = Journal(make())
    with second.lock():
        content = second.store.journal()
    assert content is not None
    assert Entry(key, entry.before, entry.after).as_written()["before"] == _entries(content)[0]["before"]


def _entries(content: bytes) -> list[dict[str, object]]:
    entries: list[dict[str, object]] = json.loads(content)["entries"]
    return entries


@pytest.mark.parametrize("hours", [-30, 30])
def test_the_clock_of_the_machine_does_not_matter(
    make: MakeStore,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    hours: int,
) -> None:
    """What one machine wrote a moment ago is a moment old for all, whatever their clocks say."""
    true = time.time

    def act(write: bool) -> tuple[Entry | None, LastWrites, float]:
        journal = Journal(make())
        seen = journal.look()
        with journal.lock() as under_lock:
            entries = journal.pending(check)
            if write:
                writes = LastWrites()
                writes.note(WWW, OLD, NEW)
                journal.write([Entry(WWW, OLD, NEW, time.time())], writes)
        assert seen.writes.sets.keys() == under_lock.writes.sets.keys()
        return (entries[0] if entries else None), under_lock.writes, seen.idle

    def wrong() -> float:
        return true() + hours * 3600

    for writer, reader in ((wrong, true), (true, wrong)):
        monkeypatch.setattr(time, "time", writer)
        act(write=True)
        monkeypatch.setattr(time, "time", reader)
        entry, writes, idle = act(write=False)
        assert entry is not None
        assert 0 <= entry.age < 60
        assert abs(writes.sets[WWW].at - reader()) < 60
        assert writes.sets[WWW].is_young
        assert 0 <= idle < 60 < math.inf
