# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plans carried out against the stand-in service: given this zone and this task, these calls, and this zone after."""

import time
from contextlib import contextmanager
from dataclasses import replace

import pytest
from shorthand import (
    ABSENT,
    DELETE,
    EXCLUSIVE,
    ONE,
    OTHER,
    THIRD,
    THREE,
    TWO,
    left,
    left_behind,
    named_rows,
    no,
    only,
    text,
    writes,
    www,
)

from ansible_collections.zonesmith.dns.plugins.module_utils._api.stale_snapshots import (
    SHORT_BACKOFF,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.deletions import Deletions
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.zone import Zone as ZoneAtWork
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import PENDING, Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._log.past import Past
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._state.folder import FolderStore

WWW = Key("www.example.com.", "A")


OTHER_SET = {"zone": "example.com", "name": "other", "type": "A", "state": "absent"}

TABLE = {
    "create": ("", www("192.0.2.1", "192.0.2.2", ttl=300), ["GET", ONE, OTHER, "GET"], TWO),
    "nothing to do": (TWO, www("192.0.2.2"), ["GET"], TWO),
    "extend, exclusive": (
        TWO,
        www("192.0.2.3", "192.0.2.2", "192.0.2.1", exclusive=True),
        ["GET", THREE, "GET"],
        f"{TWO}\n{THIRD}",
    ),
    "another TTL: rebuild with all values": (
        TWO,
        www("192.0.2.2", ttl=60),
        ["GET", "GET", DELETE, ONE, OTHER, "GET"],
        "www 60 A 192.0.2.1\nwww 60 A 192.0.2.2",
    ),
    "exclusive: rebuild without the others": (
        TWO,
        www("192.0.2.2", "192.0.2.3", exclusive=True),
        ["GET", "GET", DELETE, OTHER, THREE, "GET"],
        f"www 300 A 192.0.2.2\n{THIRD}",
    ),
    "one value goes": (
        TWO,
        www("192.0.2.1", state="absent"),
        ["GET", "GET", DELETE, OTHER, "GET"],
        "www 300 A 192.0.2.2",
    ),
    "the whole set goes": (
        f'{TWO}\nwww 300 TXT "stays"',
        ABSENT,
        ["GET", DELETE, "GET"],
        'www 300 TXT "stays"',
    ),
    "one mail host goes, whatever its preference": (
        "@ 300 MX 10 a.example.net.\n@ 300 MX 20 b.example.net.\n@ 300 MX 30 b.example.net.",
        {"type": "MX", "content": ["b.example.net."], "state": "absent"},
        ["GET", "GET", "DELETE example.com. MX", "POST @ MX 10 a.example.net.", "GET"],
        "@ 300 MX 10 a.example.net.",
    ),
    "a CNAME is replaced": (
        "www 300 CNAME old.example.net.",
        {"name": "www", "type": "CNAME", "content": ["new.example.net"], "exclusive": True},
        ["GET", "GET", "DELETE www.example.com. CNAME", "POST www CNAME new.example.net.", "GET"],
        "www 300 CNAME new.example.net.",
    ),
}


@named_rows("before, task, calls, after", TABLE)
def test_a_task(
    zone,
    run,
    service,
    store,
    clock,
    before,
    task,
    calls,
    after,
):
    zone.holds(before)
    predicted = run("dns_record", check=True, zone="example.com", **task)
    assert zone.calls() == ["GET"]
    service.clear_log()
    result = run("dns_record", zone="example.com", **task)
    assert result == {**predicted, "invocation": result["invocation"]}
    assert zone.calls() == calls
    assert clock.waits == [], "nobody waits where the first reading shows it"
    assert zone.lines() == text(after)
    assert result["changed"] is (before != after)
    assert not left(store)
    service.clear_log()
    assert run("dns_record", zone="example.com", **task)["changed"] is False
    assert zone.calls() == ["GET"], "done again it is one reading"
    assert zone.lines() == text(after)


def test_what_a_creation_sends(run, service):
    run(
        "dns_record",
        zone="example.com",
        name="@",
        type="MX",
        content=["10 mail.example.net"],
        ttl=300,
    )
    (sent,) = [entry["body"] for entry in service.log() if entry["method"] == "POST"]
    assert sent == {
        "name": "@",
        "type": "MX",
        "content": "mail.example.net.",
        "ttl": 300,
        "priority": 10,
    }


def test_many_names_at_once(zone, run, service):
    """Never two requests about one name, and a CNAME makes room for addresses, and the reverse."""
    service.settings(lose_concurrent_writes=True)
    zone.holds("a 300 CNAME old.example.net.\nb 300 A 192.0.2.1\nb 300 AAAA 2001:db8::1")
    names = [f"n{number:02}" for number in range(12)]
    records = [
        *(only("192.0.2.1", "192.0.2.2", name=name) for name in names),
        only("192.0.2.2", "192.0.2.3", name="a", ttl=60),
        only(name="a", rdtype="CNAME"),
        only("new.example.net.", name="b", rdtype="CNAME", ttl=60),
        only(name="b"),
        only(name="b", rdtype="AAAA"),
    ]
    result = run("dns_records", zone="example.com", concurrency=8, records=records)
    assert result["changed"] is True
    many = [f"{name} 3600 A 192.0.2.{number}" for name in names for number in (1, 2)]
    assert zone.lines() == [
        "a 60 A 192.0.2.2",
        "a 60 A 192.0.2.3",
        "b 60 CNAME new.example.net.",
        *many,
    ]
    first = ["DELETE a.example.com. CNAME", "POST a A 192.0.2.2", "POST a A 192.0.2.3"]
    assert [call for call in writes(zone) if call.split()[1].split(".")[0] == "a"] == first
    second = [
        "DELETE b.example.com. A",
        "DELETE b.example.com. AAAA",
        "POST b CNAME new.example.net.",
    ]
    assert [call for call in writes(zone) if call.split()[1].split(".")[0] == "b"] == second
    assert len({entry["connection"] for entry in service.log()}) <= 8


# Sets that cannot be verified, or do not go


@pytest.mark.parametrize(
    "of_module, message",
    [
        (www("192.0.2.1"), "the state of www.example.com. A is unknown."),
        (
            [only("192.0.2.1", name=name) for name in "ab"],
            "the state of a.example.com. A, b.example.com. A is unknown (sets applied: 0, failed: 2, not attempted: 0).",
        ),
    ],
)
def test_a_zone_that_cannot_be_verified(run, service, of_module, message):
    service.fault(**no("GET", 500, nth=2, times=0))
    options = {"records": of_module} if isinstance(of_module, list) else of_module
    result = run(
        "dns_records" if "records" in options else "dns_record",
        zone="example.com",
        retries=1,
        **options,
    )
    assert result["msg"] == (
        f"Zone example.com: all changes were sent but could not be verified: the service answered 500: No; {message}"
    )
    assert (result["changed"], result["status_code"]) == (True, 500)
    assert {change["action"] for change in result["changes"]} == {"create"}


RECORDS = [{"name": "www", "type": "A", "content": ["192.0.2.1"], "ttl": 300}]
PARKED = 'parked-a 300 TXT "a"\nparked-b 300 TXT "b"'
PRUNE = {"zone": "example.com", "records": RECORDS, "prune": True, "concurrency": 1}


@pytest.mark.parametrize("concurrency", [1, 8])
def test_a_set_that_the_service_does_not_let_go_stops_no_other(
    zone, run, service, clock, concurrency
):
    zone.holds(PARKED)
    service.habits("example.com", undeletable=["parked-a.*"])
    result = run("dns_records", **{**PRUNE, "concurrency": concurrency})
    assert clock.waits == list(SHORT_BACKOFF), "nobody looks again for what is known to be there"
    assert zone.lines() == ['parked-a 300 TXT "a"', "www 300 A 192.0.2.1"]
    assert result["msg"].startswith(
        "Zone example.com: cannot delete parked-a.example.com. TXT: the service answered 403"
    )
    assert (
        'if the service refuses to delete it, list it in ignore; parked-a.example.com. TXT holds "a" (TTL 300)'
        in result["msg"]
    )
    assert result["msg"].endswith("(sets applied: 2, failed: 1, not attempted: 0).")
    assert [change["name"] for change in result["changes"]] == [
        "parked-b.example.com.",
        "www.example.com.",
    ]
    assert zone.calls().count("DELETE parked-a.example.com. TXT") == 1
    assert run("dns_records", **PRUNE, ignore=[{"name": "parked-*"}])["changed"] is False


def test_a_set_that_comes_back_is_fought_once(zone, run, service):
    zone.holds(PARKED)
    service.habits("example.com", returning=["parked-a.*"])
    result = run("dns_records", **PRUNE)
    assert (
        "parked-a.example.com. TXT was removed but is still or again there: if the service creates it, list it in ignore"
    ) in result["warnings"]
    assert [change["name"] for change in result["changes"]] == [
        "parked-b.example.com.",
        "www.example.com.",
    ]
    assert zone.calls().count("DELETE parked-a.example.com. TXT") == 1
    assert zone.lines() == ['parked-a 300 TXT "a"', "www 300 A 192.0.2.1"]


def test_an_alias_that_a_set_is_in_the_way_of_fails_with_the_set(zone, run, service):
    zone.holds("www 300 A 192.0.2.1\nother 300 A 192.0.2.1")
    service.habits("example.com", undeletable=["www.*"])
    records = [only("other.example.net.", rdtype="CNAME", ttl=300)]
    result = run("dns_records", **{**PRUNE, "records": records})
    assert "cannot delete www.example.com. A: the service answered 403: " in result["msg"]
    assert result["msg"].endswith(
        "; if the service refuses to delete it, list it in ignore; www.example.com. A holds 192.0.2.1 (TTL 300); "
        "www.example.com. CNAME holds nothing (sets applied: 0, failed: 2, not attempted: 1)."
    )
    assert zone.lines() == ["other 300 A 192.0.2.1", "www 300 A 192.0.2.1"]
    service.habits("example.com")
    service.clear_log()
    assert run("dns_records", **{**PRUNE, "records": records})["changed"] is True
    assert writes(zone) == [
        DELETE,
        "POST www CNAME other.example.net.",
        "DELETE other.example.com. A",
    ]


# Answers that are lost, say nothing, are late or not true


@pytest.mark.parametrize(
    "method, task, desired, holds, is_left",
    [
        (
            "POST",
            www("192.0.2.3"),
            "192.0.2.1, 192.0.2.2, 192.0.2.3 (TTL 300)",
            "192.0.2.1, 192.0.2.2 (TTL 300).",
            False,
        ),
        ("POST", EXCLUSIVE, "192.0.2.3 (TTL 300)", "nothing; the next run ", True),
    ],
)
def test_three_rounds_and_then_an_error_that_says_what_is_there_instead(
    zone,
    run,
    service,
    store,
    method,
    task,
    desired,
    holds,
    is_left,
):
    zone.holds(TWO)
    service.fault("lie", method=method, times=0)
    result = run("dns_record", zone="example.com", **task)
    assert result["msg"].startswith(
        "Zone example.com: www.example.com. A is not as desired after 3 rounds, each of which the service reported "
        f"as done: it should hold {desired}, but somebody else changes it, or the service does not do what it "
        f"reports; www.example.com. A holds {holds}"
    )
    assert sum(call.startswith(method) for call in writes(zone)) == 3
    assert bool(left(store)) is is_left


@pytest.mark.parametrize("task", [ABSENT, EXCLUSIVE], ids=["removed", "rebuilt"])
def test_a_deletion_that_never_shows_is_sent_once_more_and_told(zone, run, service, store, task):
    """The service answers that it deleted the set, and nothing comes of it: it still may."""
    zone.holds(TWO)
    service.fault("lie", method="DELETE", times=0)
    result = run("dns_record", zone="example.com", **task)
    assert result["msg"].startswith(
        "Zone example.com: cannot delete www.example.com. A: the service answered that it deleted "
        "the set, but still shows it; www.example.com. A holds 192.0.2.1, 192.0.2.2"
    )
    assert sum(call.startswith("DELETE") for call in writes(zone)) == 2
    assert left(store)
    warnings = result.get("warnings", [])
    assert len(warnings) == (task is EXCLUSIVE), "what is to be gone anyway is not at risk"
    for warning in warnings:
        assert "a deletion of www.example.com. A was not confirmed, and the service may" in warning


def test_values_of_a_deleted_set_are_tried_for_long_in_later_rounds_too(zone, run, service):
    """The first addition is answered, and nothing comes of it; the second one fails for a while."""
    zone.holds(TWO)
    service.fault("lie", method="POST", nth=1)
    service.fault(**no(status=500, nth=2, times=4))
    result = run("dns_record", zone="example.com", retries=1, **EXCLUSIVE)
    assert not result.get("failed"), result["msg"]
    assert zone.lines() == text(THIRD)


@pytest.mark.parametrize("had", ["a 300 A 192.0.2.1\n", ""], ids=["rebuilt", "created"])
def test_what_is_not_there_was_not_applied(zone, run, service, had):
    """The service says Success and does nothing; then it refuses the next set."""
    zone.holds(f"{had}b 300 A 192.0.2.1")
    service.fault("lie", method="POST", nth=1)
    service.fault(**no(nth=2))
    records = [only("192.0.2.2", name=name) for name in "ac"]
    result = run("dns_records", zone="example.com", records=records, concurrency=1)
    a, c = ({"name": f"{name}.example.com.", "type": "A"} for name in "ac")
    assert (result["applied"], result["failed_sets"]) == ([], [c, a])
    assert "; c.example.com. A holds nothing; a.example.com. A holds nothing" in result["msg"]
    assert result["msg"].endswith(" (sets applied: 0, failed: 2, not attempted: 0).")
    assert [change["name"] for change in result["changes"]] == ([a["name"]] if had else [])
    assert not run("dns_records", zone="example.com", records=records, concurrency=1).get("failed")
    assert zone.lines() == [
        f"a {300 if had else 3600} A 192.0.2.2",
        "b 300 A 192.0.2.1",
        "c 3600 A 192.0.2.2",
    ]


def test_what_is_refused_as_there_after_an_answer_was_lost_is_waited_for(zone, run, service, clock):
    """The value was added and its answer lost; reads show it only after the second POST was refused."""
    service.habits("example.com", read_lag=1000.0, there=422)
    service.fault("drop_after", method="POST")

    def show_it_at_last(_seconds):
        if len(writes(zone)) == 2:
            service.habits("example.com", there=422)

    clock.on_wait = show_it_at_last
    result = run("dns_record", zone="example.com", **www("192.0.2.1"))
    assert not result.get("failed"), result["msg"]


# A DELETE without an answer, or one that comes late

UNPROVEN = (
    " it held 192.0.2.1, 192.0.2.2 (TTL 300) and should have held 192.0.2.1, 192.0.2.2 (TTL 60); "
    "decide which is right"
)


def pending(zone, run, service):
    """Leave the set rebuilt by a run of which one DELETE had no answer; what that says."""
    zone.holds(TWO)
    service.fault("status", method="DELETE", status=504)
    result = run("dns_record", zone="example.com", **EXCLUSIVE)
    assert zone.lines() == [THIRD]
    return result


def test_a_deletion_without_an_answer_is_warned_of_until_when(zone, run, service, store, clock):
    (warning,) = pending(zone, run, service)["warnings"]
    until = store.load().entries[WWW].at + PENDING
    assert until - PENDING <= clock.time() < until
    at = time.strftime("%H:%M UTC", time.gmtime(until + 60))
    assert warning == (
        f"a deletion of www.example.com. A was not confirmed, and the service may still carry it out until {at}: run "
        "the task again after that to restore anything it removes"
    )
    assert "warnings" not in run("dns_record", zone="example.com", **EXCLUSIVE), "who sent it tells"


def test_a_deletion_for_a_cname_is_warned_of_where_the_set_is_still_there(zone, run, service):
    """It may leave the name empty later, since the task has failed and adds no CNAME."""
    zone.holds("www 300 A 192.0.2.1")
    service.fault(**no("DELETE", 504, times=0))
    records = [only(), only("new.example.net.", rdtype="CNAME")]
    result = run("dns_records", zone="example.com", records=records, retries=0)
    assert result["failed"]
    (warning,) = result["warnings"]
    assert warning.startswith("a deletion of www.example.com. A was not confirmed")


def test_a_deletion_that_waits_leaves_the_addition_it_waits_for_its_turn(zone, run, service, clock):
    """After a conflict one write is sent at a time, and that one must not be a DELETE that waits."""
    names = "abcdef"
    zone.holds("\n".join(f"{name} 300 A 192.0.2.1" for name in names))
    service.fault("status", method="POST", status=409, times=1)
    service.fault("status", method="POST", status=500, nth=4, times=2)
    clock.on_wait = lambda seconds: time.sleep(seconds / 20)
    records = [only("192.0.2.2", name=name) for name in names]
    result = run("dns_records", zone="example.com", records=records, concurrency=3)
    assert not result.get("failed"), result["msg"]
    assert zone.lines() == [f"{name} 300 A 192.0.2.2" for name in names]


def test_a_second_deletion_takes_nothing_that_others_have_added(zone, run, service, clock):
    """The first one has no effect, so that a value is refused, and meanwhile somebody adds another."""
    zone.holds(TWO)
    service.fault("lie", method="DELETE")
    theirs = "www 300 A 192.0.2.8\nwww 300 A 192.0.2.9"
    clock.on_wait = lambda _seconds: zone.holds(f"{TWO}\n{theirs}")
    result = run("dns_record", zone="example.com", **www("192.0.2.1", ttl=60))
    assert "others have added 192.0.2.8, 192.0.2.9 to it in the meantime" in result["msg"]
    assert writes(zone).count(DELETE) == 1
    assert zone.lines() == text(f"{TWO}\n{theirs}")


@pytest.mark.parametrize("was_killed", [False, True])
def test_a_value_that_was_seen_is_not_lost_to_a_stale_snapshot(
    zone, run, store, clock, monkeypatch, was_killed
):
    """Somebody has just added it, and meanwhile a run on another set has saved the log.

    Or an earlier run was killed: until when its DELETE may come is counted anew each time.
    """
    zone.holds(TWO)
    if was_killed:
        at = machine().time() - 60
        before, after = (RecordSet(*WWW, ttl, ("192.0.2.1",)) for ttl in (300, 60))
        with store.lock() as document:
            killed = Entry(Past().with_newest(before), after, True, at, at, pending_since=at)
            store.save(replace(document, entries={WWW: killed}))
    other = RecordSet("other.example.com.", "A", 300, ("192.0.2.9",))
    real = FolderStore.lock

    def shows_all_again(_seconds):
        zone.holds(TWO)
        clock.on_wait = lambda _seconds: None

    @contextmanager
    def lock(store):
        clock.turn(1)
        with real(store) as document:
            zone.holds("www 300 A 192.0.2.1")
            clock.on_wait = shows_all_again
            entry = Entry(Past(is_gone=True), other, False, 0.0, 0.0)
            yield replace(document, entries={**document.entries, other.key: entry})

    monkeypatch.setattr(FolderStore, "lock", lock)
    run("dns_record", zone="example.com", **www("192.0.2.1", state="absent"))
    assert zone.lines() == text("www 300 A 192.0.2.2")


def test_a_deletion_is_pending_if_the_zone_cannot_be_read_after_it(
    zone, run, service, store, clock
):
    """However long the round took: the ten minutes count from when the log is read."""
    zone.holds(TWO)
    service.fault(**no("GET", 500, nth=3, times=0))
    result = run("dns_record", zone="example.com", retries=0, **EXCLUSIVE)
    assert "all changes were sent but could not be verified" in result["msg"]
    clock.turn(640)
    entry = store.load().entries[WWW]
    assert entry.pending_since == pytest.approx(clock.time(), abs=5)


def test_a_delete_beside_a_pending_one_may_come_for_ten_minutes_too(zone, run, store, clock):
    """Which of the two took effect, nothing tells."""
    zone.holds(TWO)
    left_behind(store, WWW, "300 192.0.2.1 192.0.2.2", "300 192.0.2.2")
    run("dns_record", **OTHER_SET | {"state": "present", "content": "192.0.2.9"})
    clock.turn(300)
    assert run("dns_record", zone="example.com", **EXCLUSIVE)["changed"]
    entry = store.load().entries[WWW]
    assert entry.pending_since == pytest.approx(clock.time(), abs=60)


@named_rows(
    "seconds, now_there, is_told",
    {
        "a late DELETE": (60, "", True),
        "a late DELETE that is seen the next day": (86400, "", True),
        "somebody adds a value": (60, f"{TWO}\nwww 60 A 192.0.2.8".replace("300", "60"), False),
        "nothing": (60, TWO.replace("300", "60"), False),
    },
)
def test_a_late_delete_after_another_ttl_is_told(zone, run, clock, seconds, now_there, is_told):
    """Nothing shows whether it took effect: a service may give the TTL of a POST to all values."""
    zone.holds(TWO)
    result = run("dns_record", zone="example.com", **www("192.0.2.2", ttl=60))
    assert (result["changed"], result.get("warnings")) == (True, None)
    zone.holds(now_there)
    clock.turn(seconds)
    warnings = run("dns_record", **OTHER_SET).get("warnings", ())
    assert [warning.split(":")[-1] for warning in warnings if "www" in warning] == [
        UNPROVEN
    ] * is_told
    assert zone.lines() == text(now_there)
    assert "warnings" not in run("dns_record", **OTHER_SET), "once is enough"


def test_a_late_delete_after_another_ttl_and_a_new_value_is_told(zone, run):
    """A second task has added the value meanwhile."""
    zone.holds(TWO)
    run("dns_record", zone="example.com", **www("192.0.2.2", ttl=60))
    run("dns_record", zone="example.com", **www("192.0.2.3"))
    zone.holds("")
    (warning,) = run("dns_record", **OTHER_SET)["warnings"]
    assert "should have held 192.0.2.1, 192.0.2.2, 192.0.2.3 (TTL 60)" in warning


def test_a_late_delete_after_another_ttl_meets_the_addition_of_another_task(zone, run, monkeypatch):
    """It takes effect after the addition, and before that is seen."""
    zone.holds(TWO)
    run("dns_record", zone="example.com", **www("192.0.2.2", ttl=60))
    real = ZoneAtWork.read

    def read(of_zone):
        if THREE in writes(zone):
            monkeypatch.setattr(ZoneAtWork, "read", real)
            zone.holds("www 60 A 192.0.2.3")
        return real(of_zone)

    monkeypatch.setattr(ZoneAtWork, "read", read)
    assert not run("dns_record", zone="example.com", **www("192.0.2.3")).get("failed")
    assert zone.lines() == [f"www 60 A 192.0.2.{number}" for number in (1, 2, 3)]


def test_a_pruned_set_that_the_service_makes_again_is_only_warned_of(zone, run, service):
    zone.holds("a 300 A 192.0.2.1\nwww 300 A 192.0.2.1\nzzz 300 A 192.0.2.1")
    service.habits("example.com", returning=["www.example.com. A"])
    listed = {"name": "a", "type": "A", "content": "192.0.2.1"}
    for _night in range(2):
        result = run("dns_records", zone="example.com", records=[listed], prune=True)
        assert "www.example.com. A was removed but is still or again there" in result["warnings"][0]
    assert zone.lines() == ["a 300 A 192.0.2.1", "www 300 A 192.0.2.1"]


def test_a_deletion_of_a_set_that_is_gone_is_not_pending(zone, run, service, store):
    zone.holds(TWO)
    service.fault(**no("DELETE", 404, kind="status_after"))
    result = run("dns_record", zone="example.com", **EXCLUSIVE)
    assert (result["changed"], result.get("warnings")) == (True, None)
    assert not store.load().entries[WWW].is_pending


# What an earlier run left, and what a task makes of it


def test_a_set_that_is_pruned_is_not_made_again_for_the_run_that_left_it(zone, run, store):
    """The zone lacks it already, so that nothing is sent; the log must not want it any longer."""
    zone.holds("a 300 A 192.0.2.1")
    left_behind(store, WWW, "300 192.0.2.1", "300 192.0.2.2")
    listed = {"name": "a", "type": "A", "content": "192.0.2.1"}
    assert not run("dns_records", zone="example.com", records=[listed], prune=True).get("failed")
    assert not run("dns_record", **OTHER_SET).get("failed")
    assert zone.lines() == ["a 300 A 192.0.2.1"]


def test_values_of_others_are_kept_for_a_pending_set_that_is_not_begun(zone, run, service, store):
    """A value of the set before it is refused. Its own DELETE of before may still come."""
    pending(zone, run, service)
    zone.holds(f"{THIRD}\nwww 300 A 192.0.2.8")
    service.fault(**no())
    records = [only("192.0.2.1", name="aaa"), www("192.0.2.77")]
    result = run("dns_records", zone="example.com", records=records, concurrency=1)
    assert "(sets applied: 0, failed: 1, not attempted: 1)" in result["msg"]
    assert store.load().entries[WWW].desired.values == ("192.0.2.3", "192.0.2.8")


def test_what_is_not_seen_is_not_said_to_be_completed(run, service, store):
    """A POST is answered, and nothing comes of it."""
    left_behind(store, WWW, "300 192.0.2.1", "300 192.0.2.3")
    service.fault("lie", method="POST", times=0)
    result = run("dns_record", **OTHER_SET)
    assert "www.example.com. A is not as desired after 3 rounds" in result["msg"]
    assert not result.get("recovered")


def test_what_is_completed_is_told_although_the_zone_cannot_be_read(run, service, store):
    left_behind(store, WWW, "300 192.0.2.1", "300 192.0.2.3")
    service.fault(**no("GET", 500, nth=3, times=0))
    result = run("dns_record", retries=0, **OTHER_SET)
    assert "all changes were sent but could not be verified" in result["msg"]
    assert [change["name"] for change in result["recovered"]] == ["www.example.com."]


def test_a_text_that_was_only_added_is_left_to_its_own_task(zone, run, store):
    """It came back cut, and the run was killed; no other task removes what is there."""
    zone.holds('www 300 TXT "v=1"')
    at = machine().time() - 60
    desired = RecordSet("www.example.com.", "TXT", 300, ('"v=1; p=2"',))
    with store.lock() as document:
        store.save(
            replace(
                document, entries={desired.key: Entry(Past(is_gone=True), desired, False, at, at)}
            )
        )
    result = run("dns_record", **OTHER_SET)
    assert (result["changed"], result.get("warnings")) == (False, None)
    assert zone.lines() == ['www 300 TXT "v=1"']


@pytest.mark.parametrize("was_removed_long_ago", [False, True])
def test_others_are_kept_while_an_accepted_deletion_may_still_come(
    zone, run, service, store, clock, monkeypatch, was_removed_long_ago
):
    """The service has accepted the DELETE with 202, and carries it out whenever it likes.

    What they add may be what a run removed weeks ago: that run's entry has ended.
    """
    if was_removed_long_ago:
        before = RecordSet(*WWW, 300, ("192.0.2.1", "192.0.2.2", "192.0.2.8"))
        after = replace(before, values=("192.0.2.1", "192.0.2.2"))
        at = machine().time() - 40
        past = Past().with_newest(before)._replace(is_gone=True)
        ended = Entry(past, after, True, at, at, done=True)
        with store.lock() as document:
            store.save(replace(document, entries={WWW: ended}))
    zone.holds(TWO)
    service.fault("status", method="DELETE", status=202)
    stopped_by = []
    monkeypatch.setattr(Deletions, "stop", lambda _all, name: stopped_by.append(name))
    clock.on_wait = lambda _seconds: zone.holds(f"{TWO}\nwww 300 A 192.0.2.8")
    result = run("dns_record", zone="example.com", **EXCLUSIVE)
    assert not stopped_by, "no value was tried"
    assert "others have added 192.0.2.8 to it in the meantime" in result["msg"]
    entry = store.load().entries[WWW]
    assert (entry.is_pending, entry.desired.values) == (True, ("192.0.2.3", "192.0.2.8"))


@pytest.mark.parametrize("was_just_removed", [False, True])
def test_what_a_read_for_another_set_shows_of_others_is_not_deleted(
    zone, run, service, store, clock, was_just_removed
):
    """A rate limit delays the first DELETE, and the zone is read again for it; not so for the second.

    They may add what the task before this one has removed: no snapshot is that old any more.
    """
    if was_just_removed:
        left = RecordSet("b.example.com.", "A", 300, ("192.0.2.1",))
        before = replace(left, values=("192.0.2.1", "192.0.2.8"))
        at = machine().time() - 10
        entry = Entry(
            Past().with_newest(before)._replace(is_gone=True),
            left,
            True,
            at,
            at,
            done=True,
        )
        with store.lock() as document:
            store.save(replace(document, entries={left.key: entry}))
    before = "a 300 A 192.0.2.1\nb 300 A 192.0.2.1"
    zone.holds(before)
    service.fault("status", method="DELETE", status=429, headers={"Retry-After": "17"})

    def add(seconds):
        if seconds > 10:
            zone.holds(f"{before}\nb 300 A 192.0.2.8")

    clock.on_wait = add
    records = [{"name": name, "type": "A", "content": "192.0.2.1", "ttl": 60} for name in "ab"]
    result = run("dns_records", zone="example.com", records=records, concurrency=1)
    assert "others have added 192.0.2.8 to it in the meantime" in result["msg"]
    assert zone.lines() == ["a 60 A 192.0.2.1", "b 300 A 192.0.2.1", "b 300 A 192.0.2.8"]


def test_a_reviewed_plan_is_carried_out_once(zone, run, clock, tmp_path):
    """Somebody has taken its changes back since."""
    records = [{"name": "www", "type": "A", "content": "192.0.2.3"}]
    task = {"zone": "example.com", "records": records, "plan_dir": str(tmp_path / "plans")}
    zone.holds("")
    assert run("dns_records", check=True, **task)["changed"]
    assert run("dns_records", **task)["changed"]
    zone.holds("")
    clock.turn(60)
    assert "was carried out on" in run("dns_records", **task)["msg"]
    assert zone.lines() == []
