# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whatever stands in place of a number in the journal and the memory: a run adds values, and ends in words."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._state.files import FileStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal

Run = Callable[..., dict[str, Any]]

TAKES_OUT = {"name": "www", "type": "A", "content": "192.0.2.2", "state": "absent"}
HELD = ["other 300 A 192.0.2.9", "www 300 A 192.0.2.1", "www 300 A 192.0.2.2"]
SET = {"name": "www.example.com.", "type": "A", "ttl": 300, "contents": ["192.0.2.1", "192.0.2.2"]}
NOW = time.time()
ENTRY = {"key": ["www.example.com.", "A"], "before": SET, "after": {**SET, "ttl": 60}, "at": NOW}
FIRST = {
    "format": 3,
    "at": NOW,
    "kept_ttls": [["www.example.com.", "A", 300, 60]],
    "text_form": "plain",
}
LEFT = [300, "192.0.2.1", "192.0.2.2"]
STEPS = [["delete", NOW, "unknown", False], ["add", NOW, "done", False, *LEFT], ["seen", NOW, [60, "192.0.2.1"]]]
ROW = {"key": ["www.example.com.", "A"], "start": [60, "192.0.2.3"], "steps": STEPS, "left": LEFT, "is_to_go": False}
OTHER = {**ROW, "key": ["other.example.com.", "A"], "steps": [["add", NOW, "unknown", False, 60, "192.0.2.7"]]}
SECOND = {"sets": [ROW, OTHER]}
JOURNAL = {"format": 1, "entries": [{**ENTRY, "history": ROW}]}
JOURNALS = {"new": JOURNAL, "old": {"format": 1, "entries": [{**ENTRY, "sent_deletes": 1}]}}
HUGE, INFINITE = 10**400, float("inf")
ODD = [None, True, -1, 0.5, 2**31, HUGE, -HUGE, INFINITE, -INFINITE, float("nan"), "1", "\x1b[31m\ud800", [], {"a": 1}]


def numbers(whole: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each number in a JSON value."""
    if isinstance(whole, (int, float)):
        yield path
    items = whole.items() if isinstance(whole, dict) else enumerate(whole) if isinstance(whole, list) else ()
    for name, held in items:
        yield from numbers(held, (*path, name))


def oddly(whole: Any, path: tuple[Any, ...]) -> Iterator[Any]:
    """The value with one part of it odd, in every way."""
    for value in ODD:
        changed = copy.deepcopy(whole)
        part = changed
        for name in path[:-1]:
            part = part[name]
        part[path[-1]] = value
        yield changed


@pytest.fixture
def _ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of the store is ahead, as that of a database can be."""
    look = FileStore.look
    monkeypatch.setattr(FileStore, "look", lambda store, **how: replace(look(store, **how), ahead=1.5))


@pytest.fixture
def survives(zone: Any, run: Run, journal: Journal, state_dir: Path) -> Callable[[str, bytes], None]:
    """Runs a task that takes a value out, with a file of this content in state_dir."""

    def survives(ending: str, content: bytes) -> None:
        zone.holds("\n".join(HELD))
        with journal.lock():
            pass
        journal.store.path.with_suffix(ending).write_bytes(content)
        result = run("dns_record", zone="example.com", **TAKES_OUT)
        assert "msg" not in result, content
        assert all(word.isprintable() for word in result.get("warnings", ())), content
        assert [line.split()[-1] for line in zone.lines()] == ["192.0.2.9", "192.0.2.1"], content
        for file in state_dir.iterdir():
            file.unlink()

    return survives


@pytest.mark.usefixtures("_ahead")
@pytest.mark.parametrize(
    ("version", "path"), [(version, path) for version, whole in JOURNALS.items() for path in numbers(whole)], ids=str
)
def test_an_odd_number_in_the_journal(survives: Any, version: str, path: tuple[Any, ...]) -> None:
    for odd in oddly(JOURNALS[version], path):
        survives(".json", json.dumps(odd).encode())


@pytest.mark.usefixtures("_ahead")
@pytest.mark.parametrize("path", [*numbers([FIRST, SECOND])], ids=str)
def test_an_odd_number_in_the_memory(survives: Any, path: tuple[Any, ...]) -> None:
    for whole in oddly([FIRST, SECOND], path):
        survives(".written", b"\n".join(json.dumps(line).encode() for line in whole))


@pytest.mark.parametrize(
    ("ending", "content", "what"),
    [
        (".json", json.dumps({**JOURNAL, "format": 2}), "the journal of an earlier run is kept in format 2"),
        (".written", json.dumps({**FIRST, "format": 4}), "the memory of earlier runs is kept in format 4"),
    ],
)
def test_what_a_newer_version_kept_is_left_to_it(
    zone: Any, run: Run, journal: Journal, ending: str, content: str, what: str
) -> None:
    zone.holds("\n".join(HELD))
    with journal.lock():
        pass
    file = journal.store.path.with_suffix(ending)
    file.write_text(content, encoding="utf-8")
    result = run("dns_record", zone="example.com", **TAKES_OUT)
    assert what in result["msg"]
    assert result["msg"].endswith(": use the newest zonesmith.dns that any of your runs uses.")
    assert [call for call in zone.calls() if call != "GET"] == []
    assert file.read_text(encoding="utf-8") == content
