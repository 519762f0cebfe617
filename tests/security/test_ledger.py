# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What somebody else can do with the ledger of a zone: whatever is in its place, nothing goes that no owner had."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from planted import NO_FILE_OF_OURS, Put, document, document_in, lock_of, says
from playing import Played, Task, play_tasks
from running import Service

pytestmark = pytest.mark.any_core

ZONE = "example.com"
ROW = ["victim.example.com.", "A", 300, False, "192.0.2.1"]


def _owners(**owners: Any) -> Put:
    return says(document(ledger=owners))


NONSENSE: Mapping[str, Put] = {
    **{what: put for what, (put, _said) in NO_FILE_OF_OURS.items() if what != "file of another user"},
    "deep list": says(document().replace('"ledger": {}', f'"ledger": {"[" * 100_000}')),
    "SOA": _owners(web=[ROW, ["example.com.", "SOA", 300, False, "a. b. 1 2 3 4 5"]]),
    "NS of the zone": _owners(web=[ROW, ["example.com.", "NS", 300, False, "ns1.example.net."]]),
    "set of another zone": _owners(web=[ROW, ["www.example.org.", "A", 300, False, "192.0.2.1"]]),
    "endless TTL": says(document(ledger={"web": [ROW]}).replace("300", "1e999")),
    "half a character": _owners(web=[[*ROW[:4], "\ud800"]]),
    "owner that is a template": _owners(**{"{{ lookup('pipe', 'touch owned') }}": [ROW]}),
    "set twice": _owners(web=[ROW, ROW]),
    "no rows": _owners(web={"victim": 1}),
}


UNREADABLE = set(NO_FILE_OF_OURS)
PLACES: dict[str, Path] = {}
"""The folders of the ledgers."""


def _host(what: str) -> str:
    return what.replace(" ", "-").replace("/", "")


@pytest.fixture(scope="module", params=[False, True], ids=["module", "direct"])
def scene(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, Played]]:
    """A task of an owner that prunes, once for each ledger; and one that meets what another owner has."""
    folder = tmp_path_factory.mktemp("ledger")
    records = [{"name": "www", "type": "A", "ttl": 300, "content": ["192.0.2.9"]}]
    common = {"zone": ZONE, "records": records, "retries": 0, "owner": "web", "prune": True, "prune_limit": 100}
    hostile = _owners(**{"a/b": [["www.example.com.", "A", 300, False, "{{ lookup('pipe', 'touch owned') }}"]]})
    ledgers = {**NONSENSE, "what is refused": hostile}
    with Service() as service:
        service.zone(ZONE, [("victim", "A", 300, ["192.0.2.1"]), ("www", "A", 300, ["192.0.2.9"])])
        tasks = {}
        for what, put in ledgers.items():
            state = folder / _host(what) / "state"
            state.mkdir(parents=True, mode=0o700)
            kept = document_in(state, service.url, ZONE)
            lock_of(kept).touch(mode=0o600)
            put(kept)
            PLACES[_host(what)] = state
            tasks[_host(what)] = Task("dns_records", {**common, "state_dir": str(state)})
        refused = {**tasks[_host("what is refused")].options, "records": [{**records[0], "ttl": 60}]}
        tasks[_host("what is refused")] = Task("dns_records", refused)
        yield service, play_tasks(tasks, service, folder / "unused", direct=request.param)


@pytest.mark.parametrize("what", NONSENSE)
def test_what_no_run_can_have_kept_takes_nothing_away(scene: tuple[Service, Played], what: str) -> None:
    service, played = scene
    result = played.results[_host(what)]
    assert not any(call.startswith(("DELETE", "POST")) for call in service.calls())
    if what in UNREADABLE:  # is no empty one, which would take the place of what other owners have
        assert "the document of the zone" in result["msg"]
        assert any(os.path.lexists(path) for path in PLACES[_host(what)].glob("*.json"))
        return
    assert not result.get("failed"), result
    assert (result["changed"], result["unowned"]) == (False, 1)
    assert any("there is no ledger of the zone that tells what is whose" in told for told in result["warnings"])


def test_what_it_says_is_no_template(scene: tuple[Service, Played]) -> None:
    _service, played = scene
    result = played.results[_host("what is refused")]
    assert result["failed"]
    assert "is of a/b too, and a set has one TTL" in result["msg"]
    assert not Path("owned").exists()
