# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A store that fails to save, or loses its lock, in the middle of a run."""

import itertools

import pytest
from shorthand import (
    DELETE,
    EXCLUSIVE,
    FOUR,
    PAIR,
    THREE,
    TWO,
    left_behind,
    named_rows,
    no,
    writes,
)

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._state.folder import FolderStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError

FULL = StateError("the disk is full")
WWW = Key("www.example.com.", "A")

STORES = {
    # what fails from which call on -> the writes, and what is said
    "it is full before the first write": ("save", 1, [], "Zone example.com: the disk is full."),
    "it is full at the end": (
        "save",
        2,
        [DELETE, THREE, FOUR],
        "Zone example.com: all changes were made and verified, but the disk is full.",
    ),
    "the lock is lost before the DELETE": (
        "check_held",
        1,
        [],
        "Zone example.com: cannot delete www.example.com. A: another run may have the lock; www.example.com. A holds ",
    ),
    "the lock is lost after it": ("check_held", 2, [DELETE, THREE, FOUR], ""),
}


@named_rows("method, nth, sent, message", STORES)
def test_a_store_that_fails(
    zone,
    run,
    monkeypatch,
    method,
    nth,
    sent,
    message,
):
    zone.holds(TWO)
    real, count = getattr(FolderStore, method), itertools.count(1)

    def fails(store, *args):
        if next(count) >= nth:
            raise FULL if method == "save" else StateError("another run may have the lock")
        return real(store, *args)

    monkeypatch.setattr(FolderStore, method, fails)
    result = run("dns_record", zone="example.com", **PAIR)
    assert result.get("msg", "").startswith(message)
    assert result.get("failed", False) is bool(message)
    assert writes(zone) == sent
    assert result["changed"] is bool(sent)


def test_what_is_learnt_is_told_once_although_the_disk_is_full_at_the_end(
    run, service, monkeypatch
):
    service.habits("example.com", ttl_min=7200)
    real, count = FolderStore.save, itertools.count(1)

    def fails(store, *args):
        if next(count) > 1:
            raise FULL
        return real(store, *args)

    monkeypatch.setattr(FolderStore, "save", fails)
    result = run("dns_record", zone="example.com", **PAIR)
    assert "all changes were made and verified" in result["msg"]
    assert len(result["warnings"]) == 1


def test_a_full_disk_hides_no_failure(zone, run, service, store, monkeypatch):
    zone.holds(TWO)
    service.fault(**no(times=0))
    save, count = FolderStore.save, itertools.count()

    def full(one, *args):
        if next(count):
            raise FULL
        save(one, *args)

    monkeypatch.setattr(FolderStore, "save", full)
    result = run("dns_record", zone="example.com", **EXCLUSIVE)
    assert result["msg"] == (
        "Zone example.com: cannot add 192.0.2.3 to www.example.com. A: the service answered 422: No; its old values "
        "were tried too: the disk is full; www.example.com. A holds nothing; the next run on the zone uses "
        f"{store.place} to complete what is missing."
    )
    assert (result["changed"], [change["action"] for change in result["changes"]]) == (
        True,
        ["delete"],
    )


@pytest.fixture
def _ahead(monkeypatch):
    """The store's clock is ahead of this machine's, as that of a database may be."""
    real = FolderStore.__init__

    def init(store, *args, **options):
        real(store, *args, **options)
        store.ahead = 5000.0

    monkeypatch.setattr(FolderStore, "__init__", init)


@pytest.mark.usefixtures("_ahead")
def test_by_the_store_s_clock_a_deletion_can_come_no_more(zone, run, store):
    zone.holds(TWO)
    left_behind(store, WWW, "300 192.0.2.3", "300 192.0.2.1 192.0.2.2")
    run("dns_record", zone="example.com", name="other", type="A", content="192.0.2.9")
    assert WWW not in store.load().entries
