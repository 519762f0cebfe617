# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The options of one run, checked, and what it uses of the runs before it in the same process."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import Connection
from ansible_collections.zonesmith.dns.plugins.module_utils._run import invocation
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import (
    Invocation,
    Shared,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import InvalidOptions
from ansible_collections.zonesmith.dns.plugins.module_utils._state import database, session

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


def test_a_client_is_there_once_for_each_connection(options):
    shared = Shared()
    run = Invocation(options, False, shared)
    client = run.client()
    assert Invocation({**options, "zone": "example.org"}, True, shared).client() is client
    assert run.client(1) is client
    assert run.client(2) is not client
    of_another = {**options, "access_token": OTHER.access_token}
    assert Invocation(of_another, False, shared).client() is not client
    assert Invocation(options, False).client() is not client


def test_state_in_a_database_is_not_lost_with_the_machine(options, monkeypatch):
    monkeypatch.setattr(invocation, "short_lived", lambda _folder: "it is a machine of an hour")
    assert Invocation(options, False).ends_early() == "it is a machine of an hour"
    assert Invocation({**options, "state_url": "postgresql://db/x"}, False).ends_early() == ""


# Snapshots


def left(age):
    """How a run left the zone whose last snapshot is so old."""
    return SimpleNamespace(snapshot=SimpleNamespace(name="example.com.", age=age))


@pytest.mark.parametrize("age, is_good", [(9.5, True), (10.0, False)])
def test_a_snapshot_is_good_for_ten_seconds(age, is_good):
    shared, outcome = Shared(), left(age)
    shared.remember(CONNECTION, outcome)
    assert shared.recall(CONNECTION, "example.com.") == (outcome if is_good else None)


def test_a_snapshot_is_of_its_zone_and_of_its_service():
    shared = Shared()
    shared.remember(CONNECTION, left(0))
    assert shared.recall(CONNECTION, "example.org.") is None
    assert shared.recall(OTHER, "example.com.") is None
    shared.remember(OTHER, left(0))
    assert shared.recall(CONNECTION, "example.com.") is None, "one is kept"


@pytest.mark.parametrize("concurrency, most", [(1, 3), ("auto", 66)])
def test_where_a_database_is_named_the_document_is_there(options, monkeypatch, concurrency, most):
    """The unit tests run without psycopg; tests/state has a real database."""
    asked = []

    monkeypatch.setattr(database, "DatabaseStore", lambda *arguments: asked.append(arguments))
    monkeypatch.setattr(session, "Sessions", lambda url, most: [url, most])
    url = "postgresql://db.example.net"
    run = Invocation({**options, "state_url": url, "concurrency": concurrency}, False)
    for _time in range(2):
        run.shared.store(run.options, run.client(), run.zone)
    (first, again) = asked
    assert first == ([url, most], "https://dns.example.com", "example.com.", 600.0)
    assert again[0] is first[0]


def test_no_representation_shows_an_option(options):
    assert "token-of-a-test" not in repr(Invocation(options, False))
