# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The options of one run, checked, and what it uses of the runs before it in the same process."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from shorthand import MachineAt

from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import InvalidOptions, Invocation, Shared
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.connection import LONGEST_TIMEOUT, Connection
from ansible_collections.zonesmith.dns.plugins.module_utils._state import database
from ansible_collections.zonesmith.dns.plugins.module_utils._state.files import FileStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.sessions import Sessions
from ansible_collections.zonesmith.dns.plugins.module_utils._write import reading
from ansible_collections.zonesmith.dns.plugins.module_utils._write.reading import Reading

CONNECTION = Connection("https://dns.example.com", "token-of-a-test")
OTHER = replace(CONNECTION, access_token="other-token-of-a-test")


@pytest.fixture
def options(tmp_path: Path) -> dict[str, Any]:
    """Options as a module has them."""
    own = {"zone": "Example.com", "state_dir": str(tmp_path), "state_url": None, "lock_timeout": 600.0}
    return {**vars(CONNECTION), **own, "name": "www"}


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(FileStore(str(tmp_path), "https://dns.example.com", "example.com."))


def test_the_zone_is_called_by_its_canonical_name(options: dict[str, Any]) -> None:
    assert Invocation(options, False).zone == "example.com."
    with pytest.raises(InvalidOptions) as told:
        _zone = Invocation({**options, "zone": "a\x1bb"}, False).zone
    assert str(told.value) == r"zone 'a\x1bb' cannot be used, it has white space or control characters in it"


def test_the_connection_is_what_the_options_say(options: dict[str, Any]) -> None:
    assert Invocation(options, False).connection == CONNECTION
    with pytest.raises(InvalidOptions, match=r"^timeout must be "):
        _connection = Invocation({**options, "timeout": 0}, False).connection


def test_a_client_is_there_once_for_each_connection(options: dict[str, Any]) -> None:
    shared = Shared()
    run, again = Invocation(options, False, shared), Invocation({**options, "zone": "example.org"}, True, shared)
    client = run.client()
    assert again.client() is client
    assert run.client(1) is client
    assert run.client(2) is not client
    assert Invocation({**options, "access_token": "other-token-of-a-test"}, False, shared).client() is not client
    assert Invocation(options, False).client() is not client
    assert sorted(connections for _connection, connections in shared.clients) == [1, 1, 2]


@pytest.mark.parametrize("url", ["http://dns.example.com", "ftp://dns.example.com"])
def test_a_token_that_must_not_be_sent_so_makes_no_client(options: dict[str, Any], url: str) -> None:
    with pytest.raises(InvalidOptions, match=r"^base_url "):
        Invocation({**options, "base_url": url}, False).client()


@pytest.mark.parametrize("seconds", [0.0, 600.0, LONGEST_TIMEOUT])
def test_for_how_long_a_lock_is_waited_for(options: dict[str, Any], seconds: float) -> None:
    assert Invocation({**options, "lock_timeout": seconds}, False).checked_lock_timeout() == seconds


@pytest.mark.parametrize("seconds", [-0.5, LONGEST_TIMEOUT + 1, float("inf"), float("nan")])
def test_a_lock_is_not_waited_for_so_long(options: dict[str, Any], seconds: float) -> None:
    with pytest.raises(InvalidOptions) as told:
        Invocation({**options, "lock_timeout": seconds}, False).checked_lock_timeout()
    assert str(told.value) == f"lock_timeout must be 0 to {LONGEST_TIMEOUT} seconds"


def test_the_journal_is_in_the_folder_and_warns_of_the_run(options: dict[str, Any], tmp_path: Path) -> None:
    run = Invocation(options, False)
    journal = run.journal(run.client())
    assert Path(journal.store.place).parent == tmp_path
    assert journal.warnings is run.warnings


# Readings


def read(age: float, monkeypatch: pytest.MonkeyPatch, journal: Journal) -> Reading:
    """A reading of the zone, made *age* seconds ago."""
    live = LiveZone("example.com.", "examplecom", {})
    monkeypatch.setattr(reading, "machine", lambda: MachineAt(lambda: live.read_at + age))
    return Reading(live, journal.look())


@pytest.mark.parametrize(("age", "is_good"), [(0.0, True), (9.5, True), (10.0, False), (60.0, False)])
def test_a_reading_is_good_for_ten_seconds(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, age: float, is_good: bool
) -> None:
    shared, reading = Shared(), read(age, monkeypatch, journal)
    shared.remember(CONNECTION, reading)
    recalled = shared.recall(CONNECTION, journal, "example.com.")
    assert (recalled.zone if recalled else None) == (reading.zone if is_good else None)


def test_a_reading_is_of_its_zone_and_of_its_service(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = Shared()
    shared.remember(CONNECTION, read(0, monkeypatch, journal))
    assert shared.recall(CONNECTION, journal, "example.org.") is None
    assert shared.recall(OTHER, journal, "example.com.") is None
    assert shared.recall(CONNECTION, journal, "example.com.")


def test_a_reading_is_good_until_somebody_writes(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = Shared()
    shared.remember(CONNECTION, read(0, monkeypatch, journal))
    with journal.lock():
        pass
    assert shared.recall(CONNECTION, journal, "example.com.") is None


def test_what_is_kept_of_the_zone_is_looked_at_again(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = Shared()
    shared.remember(CONNECTION, read(0, monkeypatch, journal))
    Path(journal.store.place).write_text("{}", encoding="utf-8")
    recalled = shared.recall(CONNECTION, journal, "example.com.")
    assert recalled
    assert recalled.kept.is_open, "another process was killed since"


def test_where_a_database_is_named_the_journal_is_there_and_the_folder_s_is_taken_over(
    options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The unit tests run without psycopg; tests/state has a real database."""
    asked: list[tuple[Any, ...]] = []

    def store(*arguments: Any) -> FileStore:
        asked.append(arguments)
        return FileStore(str(tmp_path / "in place of a database"), *arguments[1:4])

    monkeypatch.setattr(database, "DatabaseStore", store)
    run = Invocation({**options, "state_url": "postgresql://db.example.net"}, False)
    left = Invocation(options, False).journal(run.client()).store.place
    journal = run.journal(run.client())
    assert isinstance(run.shared.sessions, Sessions)
    assert asked == [
        ("postgresql://db.example.net", "https://dns.example.com", "example.com.", 600.0, run.shared.sessions)
    ]
    assert journal.warnings is run.warnings
    assert not journal.look().is_open
    Path(left).write_text("{}", encoding="utf-8")
    assert journal.look().is_open


def test_no_representation_shows_an_option(options: dict[str, Any]) -> None:
    assert "token-of-a-test" not in repr(Invocation(options, False))
