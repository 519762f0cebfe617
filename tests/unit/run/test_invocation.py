# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The options of one run, checked, and what it uses of the runs before it in the same process."""

import weakref
from dataclasses import replace

import pytest
from shorthand import MachineAt

from ansible_collections.zonesmith.dns.plugins.module_utils._api import client as api_client
from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Snapshot
from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import (
    Connection,
    InvalidConnection,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.outcome import ZoneOutcome
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.dialect import Dialect
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Document
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import NOTHING
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import (
    Invocation,
    Shared,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import InvalidOptions
from ansible_collections.zonesmith.dns.plugins.module_utils._state import database, session
from ansible_collections.zonesmith.dns.plugins.module_utils._state.folder import FolderStore

CONNECTION = Connection("https://dns.example.com", "token-of-a-test")
OTHER = replace(CONNECTION, access_token="other-token-of-a-test")


@pytest.fixture
def options(tmp_path):
    """Options as a module has them."""
    own = {
        "zone": "Example.com",
        "state_dir": str(tmp_path),
        "state_url": None,
        "lock_timeout": 600.0,
    }
    return {**vars(CONNECTION), **own, "name": "www"}


def test_the_zone_is_called_by_its_canonical_name(options):
    assert Invocation(options, False).zone == "example.com."
    with pytest.raises(InvalidOptions) as caught:
        _zone = Invocation({**options, "zone": "a\x1bb"}, False).zone
    assert (
        str(caught.value)
        == r"zone 'a\x1bb' cannot be used: it contains white space or control characters"
    )


def test_the_connection_is_what_the_options_say(options):
    assert Invocation(options, False).connection == CONNECTION
    with pytest.raises(InvalidConnection, match=r"^timeout is 0, but must be "):
        _connection = Invocation({**options, "timeout": 0}, False).connection


def test_a_client_is_there_once_for_each_connection(options):
    shared = Shared()
    run, again = (
        Invocation(options, False, shared),
        Invocation({**options, "zone": "example.org"}, True, shared),
    )
    client = run.client()
    assert again.client() is client
    assert run.client(1) is client
    assert run.client(2) is not client
    assert (
        Invocation({**options, "access_token": "other-token-of-a-test"}, False, shared).client()
        is not client
    )
    assert Invocation(options, False).client() is not client
    assert sorted(connections for _connection, connections in shared.clients) == [1, 1, 2]


# Snapshots


def left(age, monkeypatch):
    """How a run left the zone whose last snapshot was taken *age* seconds ago."""
    live = Snapshot("example.com.", "examplecom", {})
    monkeypatch.setattr(api_client, "machine", lambda: MachineAt(lambda: live.read_at + age))
    shown = Dialect().read(live.record_sets, live.name)
    return ZoneOutcome(live, Document(), shown, NOTHING)


@pytest.mark.parametrize("age, is_good", [(0.0, True), (9.5, True), (10.0, False), (60.0, False)])
def test_a_snapshot_is_good_for_ten_seconds(monkeypatch, age, is_good):
    shared, outcome = Shared(), left(age, monkeypatch)
    shared.remember(CONNECTION, outcome)
    assert shared.recall(CONNECTION, "example.com.") == (outcome if is_good else None)


def test_a_snapshot_is_of_its_zone_and_of_its_service(monkeypatch):
    shared, outcome = Shared(), left(0, monkeypatch)
    shared.remember(CONNECTION, outcome)
    assert shared.recall(CONNECTION, "example.org.") is None
    assert shared.recall(OTHER, "example.com.") is None
    assert shared.recall(CONNECTION, "example.com.") is outcome


def test_one_snapshot_is_kept(monkeypatch):
    shared = Shared()
    snapshots = []
    for number in range(100):
        now = float(number)
        monkeypatch.setattr(api_client, "machine", lambda now=now: MachineAt(lambda: now))
        live = Snapshot(f"zone{number}.example.", f"zone{number}", {})
        snapshots.append(weakref.ref(live))
        shared.remember(CONNECTION, ZoneOutcome(live, Document(), {}, NOTHING))
        del live
    kept = [number for number in range(100) if snapshots[number]()]
    assert kept == [99]


@pytest.mark.parametrize("concurrency, most", [(1, 3), (20, 22), ("auto", 66)])
def test_where_a_database_is_named_the_document_is_there(
    options,
    tmp_path,
    monkeypatch,
    concurrency,
    most,
):
    """The unit tests run without psycopg; tests/state has a real database."""
    asked = []

    def store(*arguments):
        asked.append(arguments)
        return FolderStore(str(tmp_path / "in place of a database"), *arguments[1:])

    monkeypatch.setattr(database, "DatabaseStore", store)
    monkeypatch.setattr(session, "Sessions", lambda url, most: [url, most])
    given = {"state_url": "postgresql://db.example.net", "concurrency": concurrency}
    run = Invocation({**options, **given}, False)
    for _time in range(2):
        run.shared.store(run.options, run.client(), run.zone)
    ((sessions, *of_zone), again) = asked
    assert sessions == ["postgresql://db.example.net", most]
    assert of_zone == ["https://dns.example.com", "example.com.", 600.0]
    assert again[0] is sessions


def test_no_representation_shows_an_option(options):
    assert "token-of-a-test" not in repr(Invocation(options, False))
