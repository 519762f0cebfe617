# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Old values are put back if a request fails."""

from dataclasses import replace

import pytest
from shorthand import (
    DELETE,
    EXCLUSIVE,
    FOUR,
    ONE,
    OTHER,
    PAIR,
    THIRD,
    THREE,
    TWO,
    left,
    named_rows,
    no,
    only,
    text,
    writes,
    www,
)

from ansible_collections.zonesmith.dns.plugins.module_utils._api import client
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.zone import Zone as ZoneAtWork

V6 = "www 300 AAAA 2001:db8::1"

COMPLETES = "; the next run on the zone uses {place} to complete what is missing"

BROKEN, NO = "the service answered 500: No", "the service answered 422: No"

BACK = "its old values were put back; www.example.com. A holds 192.0.2.1, 192.0.2.2 (TTL 300)"

HALF = "192.0.2.3 (TTL 300)"

ADD = "cannot add 192.0.2.{} to www.example.com. A: "

ADD_V6 = f"cannot add 2001:db8::2 to www.example.com. AAAA: {NO}; "

BACK_V6 = f"{ADD_V6}its old values were put back; www.example.com. AAAA holds 2001:db8::1 "

DENIED = (
    "cannot delete www.example.com. A: the service answered 403: No; www.example.com. A holds "
    "192.0.2.1, 192.0.2.2 (TTL 300)"
)

TRIED = "its old values were tried too: "

PAIR_FAILED = "(TTL 300) (sets applied: 1, failed: 1, not attempted: 0)."

POST_V6, POST_OLD_V6 = "POST www AAAA 2001:db8::2", "POST www AAAA 2001:db8::1"

FAULTS = {
    # the zone, what goes wrong, the task -> its writes, the zone after, what is said, and whether something is left
    "the second value of a rebuild is refused": (
        TWO,
        [no(nth=2)],
        [PAIR],
        [DELETE, THREE, FOUR, ONE, OTHER, DELETE, ONE, OTHER],
        TWO,
        f"{ADD.format(4)}{NO}; {BACK}.",
        False,
    ),
    "all values are refused": (
        TWO,
        [no(times=0)],
        [EXCLUSIVE],
        [DELETE, THREE, ONE, OTHER],
        "",
        f"{ADD.format(3)}{NO}; {TRIED}{ADD.format(1)}{NO}; www.example.com. A holds nothing{COMPLETES}.",
        True,
    ),
    "a former value is refused once what is new has gone": (
        TWO,
        [no(nth=2), no(content="192.0.2.1", nth=2)],
        [PAIR],
        [DELETE, THREE, FOUR, ONE, OTHER, DELETE, ONE, OTHER],
        "www 300 A 192.0.2.2",
        f"{ADD.format(4)}{NO}; {TRIED}{ADD.format(1)}{NO}; www.example.com. A holds 192.0.2.2 (TTL 300){COMPLETES}.",
        True,
    ),
    "a value is refused, and then the zone cannot be read": (
        TWO,
        [no(times=0), no("GET", 500, nth=3, times=0)],
        [EXCLUSIVE],
        [DELETE, THREE],
        "",
        f"{ADD.format(3)}{NO}; {TRIED}{BROKEN}; the state of www.example.com. A is unknown{COMPLETES}.",
        True,
    ),
    "the only request is refused, and then the zone cannot be read": (
        TWO,
        [no(), no("GET", 500, nth=2, times=0)],
        [www("192.0.2.3")],
        [THREE],
        TWO,
        f"{ADD.format(3)}{NO}; the state of www.example.com. A is unknown.",
        False,
    ),
    "the service fails where an alias is made, and nothing was there": (
        "",
        [no(status=500, times=0)],
        [only("new.example.net.", rdtype="CNAME")],
        ["POST www CNAME new.example.net."],
        "",
        f"cannot add new.example.net. to www.example.com. CNAME: {BROKEN}; www.example.com. CNAME holds nothing.",
        False,
    ),
    "the service fails where something is built": (
        TWO,
        [no(status=500, nth=2, times=0)],
        [PAIR],
        [DELETE, THREE, FOUR],
        THIRD,
        f"{ADD.format(4)}{BROKEN}; www.example.com. A holds {HALF}{COMPLETES}.",
        True,
    ),
    "the DELETE is refused": (
        TWO,
        [no("DELETE", 403)],
        [www("192.0.2.1", state="absent")],
        [DELETE],
        TWO,
        f"{DENIED}.",
        False,
    ),
    "the DELETE is refused, and the set of another name is not begun": (
        f"{TWO}\nzz 300 A 192.0.2.9",
        [no("DELETE", 403)],
        [only("192.0.2.3"), only("192.0.2.8", name="zz")],
        [DELETE],
        f"{TWO}\nzz 300 A 192.0.2.9",
        f"{DENIED} (sets applied: 0, failed: 1, not attempted: 1).",
        False,
    ),
    "a value of another set of the name is refused": (
        f"{TWO}\n{V6}",
        [no(content="2001:db8::2", times=0)],
        [only("192.0.2.3"), only("2001:db8::2", rdtype="AAAA")],
        [DELETE, THREE, "DELETE www.example.com. AAAA", POST_V6, POST_OLD_V6],
        f"{THIRD}\n{V6}",
        f"{BACK_V6}{PAIR_FAILED}",
        False,
    ),
    "a value is refused where a CNAME was": (
        "www 300 CNAME old.example.net.",
        [no(content="2001:db8::2")],
        [only("192.0.2.1"), only("2001:db8::2", rdtype="AAAA"), only(rdtype="CNAME")],
        ["DELETE www.example.com. CNAME", ONE, POST_V6, DELETE, "POST www CNAME old.example.net."],
        "www 300 CNAME old.example.net.",
        f"{ADD_V6}its old values were put back; www.example.com. AAAA holds nothing; www.example.com. A holds ",
        False,
    ),
    "the second of two sets cannot be deleted for a CNAME": (
        f"www 300 A 192.0.2.1\n{V6}",
        [no("DELETE", 500, nth=2, times=0)],
        [only(), only(rdtype="AAAA"), only("new.example.net.", rdtype="CNAME")],
        [DELETE, "DELETE www.example.com. AAAA", ONE],
        f"www 300 A 192.0.2.1\n{V6}",
        f"cannot delete www.example.com. AAAA: {BROKEN}; its old values were put back; www.example.com. AAAA holds ",
        True,
    ),
    "the second deletion for a CNAME is answered, and never seen": (
        f"www 300 A 192.0.2.1\n{V6}",
        [{"kind": "lie", "method": "DELETE", "nth": 2, "times": 0}],
        [only(), only(rdtype="AAAA"), only("new.example.net.", rdtype="CNAME")],
        [
            DELETE,
            "DELETE www.example.com. AAAA",
            "POST www CNAME new.example.net.",
            "DELETE www.example.com. AAAA",
            ONE,
        ],
        f"www 300 A 192.0.2.1\n{V6}",
        "cannot delete www.example.com. AAAA: the service answered that it deleted the set, but still shows it; ",
        True,
    ),
}


@named_rows("before, faults, tasks, sent, after, message, is_left", FAULTS)
def test_old_values_are_put_back_if_a_request_fails(
    zone,
    run,
    service,
    store,
    before,
    faults,
    tasks,
    sent,
    after,
    message,
    is_left,
):
    zone.holds(before)
    for fault in faults:
        service.fault(**fault)
    if len(tasks) == 1:
        result = run("dns_record", zone="example.com", retries=0, **tasks[0])
    else:
        result = run("dns_records", zone="example.com", retries=0, concurrency=1, records=tasks)
    expected = f"Zone example.com: {message.format(place=store.place)}"
    assert (
        (result["msg"] == expected) if message.endswith(".") else result["msg"].startswith(expected)
    )
    assert writes(zone) == sent
    assert zone.lines() == text(after)
    assert result["changed"] is (before != after)
    assert result["status_code"] == faults[0].get("status")
    assert bool(left(store)) is is_left


def test_a_deletion_that_takes_effect_while_former_sets_come_back(zone, run, service, monkeypatch):
    """Two sets were to go for a CNAME. The second DELETE fails, and a look still shows the set."""
    zone.holds(f"www 300 A 192.0.2.1\n{V6}")
    service.fault(**no("DELETE", 500, nth=2, times=0))
    real, looks = ZoneAtWork.read, []

    def read(of_zone):
        if "DELETE www.example.com. AAAA" in writes(zone):
            looks.append(1)
            if len(looks) == 2:
                zone.holds("")
        return real(of_zone)

    monkeypatch.setattr(ZoneAtWork, "read", read)
    records = [only(), only(rdtype="AAAA"), only("new.example.net.", rdtype="CNAME")]
    result = run("dns_records", zone="example.com", retries=0, records=records)
    assert "its old values were put back" in result["msg"]
    assert zone.lines() == text(f"www 300 A 192.0.2.1\n{V6}")


def test_what_others_add_after_an_accepted_deletion_stays(zone, run, service, monkeypatch):
    """The set is gone by then, so that nothing more is sent that could take it."""
    zone.holds(TWO)
    service.fault("status_after", method="DELETE", status=202)
    real = ZoneAtWork.read

    def read(of_zone):
        if not zone.lines():
            zone.holds("www 300 A 192.0.2.8")
        return real(of_zone)

    monkeypatch.setattr(ZoneAtWork, "read", read)
    result = run("dns_record", zone="example.com", **www("192.0.2.1", state="absent"))
    assert not result.get("failed"), result["msg"]
    assert zone.lines() == ["www 300 A 192.0.2.2", "www 300 A 192.0.2.8"]


@pytest.mark.parametrize("status", [403, 500])
def test_a_value_that_an_earlier_round_removed_is_not_put_back(zone, run, service, status):
    """The service keeps its TTL, so that a second round sends a second DELETE, which fails."""
    zone.holds("a 300 A 192.0.2.1\na 300 A 192.0.2.2")
    service.habits("example.com", ttl_min=300, ttl_max=300)
    service.fault(**no("DELETE", status, nth=2, times=0))
    task = only("192.0.2.1", "192.0.2.3", name="a", ttl=60)
    result = run("dns_record", zone="example.com", exclusive=True, retries=0, **task)
    assert "cannot delete a.example.com. A" in result["msg"]
    assert zone.lines() == ["a 300 A 192.0.2.1", "a 300 A 192.0.2.3"]


@pytest.mark.parametrize("status", [422, 500])
def test_what_others_added_to_a_set_that_this_run_made_comes_back(
    zone, run, service, monkeypatch, status
):
    """They gave it another TTL, too, so that a second round makes it again."""
    service.fault(**no("POST", status, nth=2))
    real = ZoneAtWork.read

    def read(of_zone):
        if ONE in writes(zone):
            monkeypatch.setattr(ZoneAtWork, "read", real)
            zone.holds("www 300 A 192.0.2.1\nwww 300 A 192.0.2.8")
        return real(of_zone)

    monkeypatch.setattr(ZoneAtWork, "read", read)
    result = run("dns_record", zone="example.com", retries=0, **www("192.0.2.1", ttl=60))
    assert "its old values were put back; www.example.com. A holds 192.0.2.8" in result["msg"]
    assert zone.lines() == ["www 300 A 192.0.2.8"]


def test_a_new_ttl_beside_a_refused_value_is_not_taken_for_the_services_own(zone, run, service):
    """The other values are there again, with the new TTL, so none is put back."""
    zone.holds(TWO)
    service.fault(**no(content="192.0.2.3", times=0))
    task = www("192.0.2.1", "192.0.2.2", "192.0.2.3", ttl=60)
    refused = run("dns_record", zone="example.com", **task)
    assert "cannot add 192.0.2.3" in refused["msg"]
    assert "warnings" not in refused
    again = run("dns_record", zone="example.com", **www("192.0.2.1", "192.0.2.2", ttl=300))
    assert "warnings" not in again
    assert zone.lines() == text(TWO)


def test_a_set_of_which_nothing_is_missing_is_not_deleted_again(zone, run, service, monkeypatch):
    """Two sets were to go for a CNAME, and one cannot be deleted. The TTLs of its values differ."""
    before = f"www 300 A 192.0.2.1\n{V6}\nwww 300 AAAA 2001:db8::2"
    zone.holds(before)
    service.fault(**no("DELETE", 403, nth=2))
    real = client.record_sets_of

    def with_two_ttls(envelope):
        for one in real(envelope):
            for number, value in enumerate(one.values):
                yield replace(one, ttl=one.ttl + number, values=(value,))

    monkeypatch.setattr(client, "record_sets_of", with_two_ttls)
    records = [only(), only(rdtype="AAAA"), only("new.example.net.", rdtype="CNAME")]
    result = run("dns_records", zone="example.com", records=records)
    assert "its old values were put back" in result["msg"]
    assert writes(zone) == [DELETE, "DELETE www.example.com. AAAA", ONE]
    assert zone.lines() == text(before)
