# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What an earlier run left incomplete, as the next run finds it."""

import time

import pytest
from shorthand import left_behind, no

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import OLD

WWW = Key("www.example.com.", "A")
FTP = Key("ftp.example.com.", "A")
ASKS = {"zone": "example.com", "name": "www", "type": "A", "content": "192.0.2.3", "ttl": 60}
UNRELATED = {"zone": "example.com", "name": "other", "type": "A", "state": "absent"}


def test_only_the_sets_that_cannot_be_completed_are_told(zone, run, service, store):
    left_behind(store, FTP, "300 192.0.2.1", "60 192.0.2.3")
    left_behind(store, WWW, "300 192.0.2.1 192.0.2.2", "60 192.0.2.4")
    service.fault(**no(content="192.0.2.4", times=0))
    result = run("dns_record", **UNRELATED)
    assert not result.get("failed")
    assert zone.lines() == ["ftp 60 A 192.0.2.3"]
    (warning,) = [text for text in result["warnings"] if "cannot be completed" in text]
    assert warning.endswith(
        "cannot be completed: the service answered 422: No; www.example.com. A held 192.0.2.1, 192.0.2.2 (TTL 300) "
        "and is to hold 192.0.2.4 (TTL 60); to decide what they hold, list them in a task"
    )


@pytest.mark.parametrize("age, is_old", [(OLD - 60, False), (OLD + 60, True)])
def test_what_was_begun_a_week_ago_is_told_and_put_aside(zone, run, store, clock, age, is_old):
    left_behind(store, WWW, "300 192.0.2.1 192.0.2.2", "60 192.0.2.3", age=age)
    entry = store.load().entries[WWW]
    result = run(
        "dns_record", zone="example.com", name="ftp", type="A", content="192.0.2.21", ttl=300
    )
    assert zone.lines() == ["ftp 300 A 192.0.2.21", *([] if is_old else ["www 60 A 192.0.2.3"])]
    (warning,) = result["warnings"]
    since = time.strftime("%Y-%m-%d at %H:%M UTC", time.gmtime(entry.began))
    told = (
        f"is not as a run that began on {since} should have left it, and no run completes it any "
        "more: it held 192.0.2.1, 192.0.2.2 (TTL 300) and should have held 192.0.2.3 (TTL 60); "
        "decide which is right"
        if is_old
        else f"was left incomplete by a run that began on {since}, and is to be completed"
    )
    assert warning == f"www.example.com. A {told}"
    assert store.load().quarantined == ((WWW, entry),) * is_old
    assert WWW not in store.load().entries or not is_old
    clock.turn(60)
    again = run("dns_record", **UNRELATED)
    assert "warnings" not in again, "it is told once"


@pytest.mark.parametrize("was_killed", [True, False], ids=["a new set", "another TTL"])
def test_what_has_ended_says_nothing_weeks_later(zone, run, store, clock, was_killed):
    """A run was killed that only added, or one has only changed a TTL. Weeks later, somebody sets another TTL."""
    if was_killed:
        zone.holds("www 60 A 192.0.2.3")
        left_behind(store, WWW, "", "60 192.0.2.3", has_delete=False)
    else:
        zone.holds("www 300 A 192.0.2.3")
    for _run in range(3):
        assert "warnings" not in run("dns_record", **ASKS)
        clock.turn(700)
    zone.holds("www 300 A 192.0.2.3")
    clock.turn(OLD)
    assert "warnings" not in run("dns_record", **ASKS)
    assert zone.lines() == ["www 60 A 192.0.2.3"]


def test_what_was_begun_a_week_ago_and_is_as_desired_is_told_by_nobody(zone, run, store):
    """The run was killed before its end, and nobody has run a task since."""
    zone.holds("www 60 A 192.0.2.3")
    left_behind(store, WWW, "300 192.0.2.1 192.0.2.2", "60 192.0.2.3", age=OLD + 60)
    task = {"zone": "example.com", "name": "ftp", "type": "A", "content": "192.0.2.21", "ttl": 300}
    assert "warnings" not in run("dns_record", **task)
    assert store.load().quarantined == ()
