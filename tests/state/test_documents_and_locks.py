# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a store must do, be it a folder or a database: keep documents, and let runs take turns by its lock."""

import multiprocessing
import os
import re
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from kept import ENTRY, FULL, PLAIN, SERVICE, WWW

from ansible_collections.zonesmith.dns.plugins.module_utils import _telling
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.dialect import Dialect
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Document
from ansible_collections.zonesmith.dns.plugins.module_utils._log.stored import document_bytes
from ansible_collections.zonesmith.dns.plugins.module_utils._state import store as _store
from ansible_collections.zonesmith.dns.plugins.module_utils._state.database import DatabaseStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.folder import FolderStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.session import Sessions
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import (
    StateError,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._telling import watched

GUARD = 60.0  # seconds in which everything here has an end
EMPTY = Document()
QUOTED = Document(dialect=Dialect(form="quoted"))
ZONE = "example.com."


@pytest.fixture(params=["folder", "database"])
def kind(request):
    """Which store."""
    return str(request.param)


@pytest.fixture
def make(kind, request, tmp_path):
    """Makes stores that keep things in one place: for a zone, and with a patience."""
    sessions = Sessions(request.getfixturevalue("state_url"), 20) if kind == "database" else None

    def make(zone="example.com.", patience=5.0, service=SERVICE):
        if sessions:
            return DatabaseStore(sessions, service, zone, patience)
        return FolderStore(str(tmp_path / "state"), service, zone, patience)

    return make


@pytest.fixture
def spoil(kind, request, tmp_path):
    """Puts something in place of the document."""
    if kind == "database":
        run_sql = request.getfixturevalue("run_sql")
        return lambda text: (
            run_sql(f"update zonesmith.zone set document = $text${text}$text$")  # noqa: S608
            and None
        )

    def write(text):
        (file,) = (tmp_path / "state").glob("*.json")
        file.write_text(text)

    return write


@pytest.fixture
def remove_aside(kind, request, tmp_path):
    """Removes what was put aside, as somebody does who has looked at it."""
    if kind == "database":
        run_sql = request.getfixturevalue("run_sql")
        return lambda: run_sql("delete from zonesmith.zone where zone like '% aside'") and None

    def remove():
        (file,) = (tmp_path / "state").glob("*.aside")
        file.unlink()

    return remove


def keep(store, document):
    """A run that keeps something."""
    with store.lock():
        store.save(document)


def busy(store):
    """What is said to who wants the lock that another has."""
    with pytest.raises(StateError) as failed, store.lock():
        pass
    return str(failed.value)


# The document


@pytest.mark.parametrize("document", [FULL, EMPTY], ids=["full", "empty"])
def test_what_is_saved_is_there_for_all(make, document):
    keep(make(), QUOTED)
    first = make()
    with first.lock() as before:
        assert before == QUOTED
        first.save(document)
        assert first.load() == make().load() == document, "whoever holds the lock"
    with make().lock() as again:
        assert again == document


def test_who_ends_without_saving_leaves_it(make):
    store = make()
    keep(store, FULL)
    # What Ansible raises when the time of a task is over is no Exception either.
    with pytest.raises(KeyboardInterrupt), store.lock():
        raise KeyboardInterrupt
    assert make().load() == FULL
    keep(store, PLAIN)
    assert make().load() == PLAIN


def test_zones_and_services_are_apart(make):
    keep(make(), FULL)
    others = [make("example.net."), make(service="https://other.example.net")]
    assert [other.load() for other in others] == [EMPTY, EMPTY]
    with make().lock(), others[0].lock(), others[1].lock():
        pass


@pytest.mark.parametrize(
    "zone", ["it's.example.", 'a"b\\.example.', "a/b.example.", "..\\000.example.", "é.example."]
)
def test_a_zone_may_have_any_name(make, zone):
    keep(make(zone), PLAIN)
    assert (make(zone).load(), make().load()) == (PLAIN, EMPTY)


def test_values_come_back_as_they_were(make):
    odd = ("\\000", "\\", "%s %(zone)s", "'; drop schema zonesmith;", "é\u202e\U0001f600", "a\x00b")
    document = Document(entries={WWW: ENTRY._replace(desired=replace(ENTRY.desired, values=odd))})
    keep(make(), document)
    assert make().load() == document


def test_what_is_too_large_is_not_written(make, monkeypatch):
    keep(make(), PLAIN)
    monkeypatch.setattr(_store, "LARGEST", len(document_bytes(FULL, ZONE)) - 1)
    store = make()
    with store.lock(), pytest.raises(StateError, match="change fewer record sets in one task"):
        store.save(FULL)
    assert make().load() == PLAIN


# What is there and makes no sense

INVALID = {
    "nothing": "",
    "null": "null",
    "too deep": "[" * 100_000,
    "a wrong form": document_bytes(FULL, ZONE).decode().replace('"plain"', '"odd"'),
}


@pytest.mark.parametrize("text", INVALID.values(), ids=INVALID)
def test_what_is_invalid_is_put_aside_and_closes_the_zone_until_it_is_removed(
    make, spoil, remove_aside, text
):
    keep(make(), FULL)
    spoil(text)
    loads, locks = make(), make()
    for _again in range(2):
        document = loads.load()
        assert document.closed
        assert replace(document, closed="") == EMPTY, "who only looks changes nothing"
    for warning in loads.warnings:
        assert "is damaged and was ignored: " in warning
        assert "moved to" not in warning
    with locks.lock() as document:
        assert replace(document, closed="") == EMPTY
        locks.save(PLAIN)
    (warning,) = locks.warnings
    assert "; it was moved to " in warning
    assert warning.endswith(": look there for unfinished changes, then remove it")
    after = make()
    assert after.load() == replace(PLAIN, closed=document.closed), "later runs know it too"
    assert after.warnings == []
    remove_aside()
    assert make().load() == PLAIN


def test_of_a_row_that_cannot_be_read_the_rest_is_used(make, spoil):
    keep(make(), FULL)
    spoil(document_bytes(FULL, ZONE).decode().replace("www.example.com.", "www.example.net.", 1))
    store = make()
    with store.lock() as document:
        assert document.entries == {}
        assert document.ledger == FULL.ledger
    (warning,) = store.warnings
    assert "is damaged: some of its entries cannot be read; it was moved to " in warning
    after = make().load()
    assert (after.ledger, after.closed) == (FULL.ledger, document.closed)


def test_what_is_newer_is_refused_in_words_and_stays(make, spoil):
    keep(make(), FULL)
    spoil('{"format": 99}')
    for act in (make().load, make().lock().__enter__):
        with pytest.raises(
            StateError, match="cannot be used: it has format 99, and this version of the collection"
        ):
            act()
    spoil(document_bytes(FULL, ZONE).decode())
    assert make().load() == FULL


# The lock


def test_two_do_not_hold_one_lock(make):
    with make().lock():
        message = busy(make(patience=0.2))
        busy(make(patience=0))
    host = re.escape(os.uname().nodename)
    assert re.fullmatch(
        rf"another run holds the lock on the zone \(host {host}, pid {os.getpid()}, since 20\d\d-\d\d-\d\dT\S+Z\) and "
        r"did not release it within 0\.2 seconds; nothing was changed: run the task "
        r"again after the other run has ended, stop that run if it hangs, or set a longer lock_timeout",
        message,
    )
    with make(patience=1).lock():
        pass


def test_many_change_one_document_and_no_change_is_lost(make):
    def change(number):
        store = make(patience=GUARD)
        with store.lock() as document:
            ttls = {**document.dialect.ttls, WWW._replace(type=f"TYPE{number}"): (1, 2)}
            store.save(replace(document, dialect=replace(document.dialect, ttls=ttls)))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(change, range(40)))
    assert len(make().load().dialect.ttls) == 40


def test_who_watches_is_told_who_has_the_lock(make, monkeypatch):
    monkeypatch.setattr(_telling, "QUIET", 0.5)
    monkeypatch.setattr(_telling, "CHECKS_EVERY", 0.01)
    lines = []
    with make().lock(), watched(lines.append):
        busy(make(patience=1.5))
    message = lines[0].partition(" s: ")[2]
    assert message.startswith("another run has the lock on example.com (host ")
    assert f", pid {os.getpid()}, since " in message
    assert message.endswith("Z); lock_timeout is 1.5 s")


def test_without_the_lock_nothing_is_written(make):
    store = make()
    with store.lock():
        store.check_held()
        store.save(FULL)
    for act in (store.check_held, lambda: store.save(PLAIN)):
        with pytest.raises(StateError, match="this run does not hold the lock on the zone"):
            act()
    assert make().load() == FULL


def _hold(make, holds):
    store = make()
    with store.lock():
        store.save(FULL)
        holds.set()
        time.sleep(600)  # until it is killed


def test_a_lock_dies_with_its_holder(make):
    """And what it has kept by then stays."""
    context = multiprocessing.get_context("fork")
    holds = context.Event()
    process = context.Process(target=_hold, args=(make, holds))
    process.start()
    assert holds.wait(20)
    busy(make(patience=0))
    process.kill()
    process.join()
    with make().lock() as document:
        assert document == FULL


@pytest.mark.parametrize("hours", [-30, 30])
def test_times_are_by_the_clock_of_the_store(make, kind, monkeypatch, hours):
    """What one machine wrote a moment ago is a moment old for all that share a database."""
    true = time.time
    if kind == "folder":
        hours = 0
    monkeypatch.setattr(time, "time", lambda: true() + hours * 3600)
    store = make()
    with store.lock():
        at = time.time() + store.ahead
        entry = ENTRY._replace(began=at, at=at, pending_since=at)
        store.save(Document(entries={WWW: entry}))
    entry = make().load().entries[WWW]
    assert entry.at == pytest.approx(true(), abs=5)
