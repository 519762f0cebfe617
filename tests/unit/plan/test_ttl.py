# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""``ttl_max``: given this set and this task, this TTL; and how long resolvers may still have what was there before."""

import time
from datetime import datetime, timezone

import pytest
from plan_lines import APEX, ZONE, desired_sets, plan, zone
from shorthand import named_rows, short

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidInput
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import (
    limits_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ttl import cached, with_ttl_max

WWW = {"name": "www", "ttl": 300}
HIGHER = "www 60 IN A 192.0.2.1\nwww 3600 IN A 192.0.2.2"

# Each row: the set, what is wanted of it, what ttl_max says, and the TTL of the set then.
TTLS = {
    "what a task says above it": (
        "www 300 IN A 192.0.2.1",
        "exactly www 3600 IN A 192.0.2.1",
        [WWW],
        300,
    ),
    "a live TTL below it": ("www 60 IN A 192.0.2.1", "exactly www IN A 192.0.2.1", [WWW], 60),
    "a new set": ("", "present www IN A 192.0.2.1", [WWW], 300),
    "the least of several": (
        "",
        "present www 1800 IN A 192.0.2.1",
        [{"ttl": "10m"}, WWW, {"ttl": 900}],
        300,
    ),
    "another name, and another value": (
        "www 900 IN A 192.0.2.1",
        "exactly www IN A 192.0.2.1",
        [{"name": "mail", "ttl": 60}, {"value": "198.51.100.*", "ttl": 60}],
        900,
    ),
    "the value that it is to have, and not that it had": (
        "www 900 IN A 192.0.2.1",
        "exactly www IN A 198.51.100.1",
        [{"value": "198.51.100.*", "ttl": 60}, {"value": "192.0.2.*", "ttl": 30}],
        60,
    ),
    "a value that stays": (
        "www 900 IN A 192.0.2.1",
        "present www IN A 198.51.100.1",
        [{"value": "192.0.2.*", "ttl": 60}],
        60,
    ),
    "several live TTLs, of which one is above it": (
        HIGHER,
        "exactly www IN A 192.0.2.1\nexactly www IN A 192.0.2.2",
        [WWW],
        60,
    ),
    "the SOA is the service's": (
        "@ 86400 IN SOA a.example. b.example. 1 2 3 4 5",
        "exactly @ IN SOA a.example. b.example. 1 2 3 4 5",
        [{"ttl": 60}],
        86400,
    ),
}


@named_rows("held, desired, ttl_max, ttl", TTLS)
def test_the_ttl_of_a_set(held, desired, ttl_max, ttl):
    live, (one,) = zone(held), desired_sets(desired)
    lowered = with_ttl_max(
        one, live.get(one.key), limits_of({"ttl_max": ttl_max}, [ZONE]).ttl_max, ZONE
    )
    changes = plan(ZONE, live, [lowered]).changes
    after = changes[0].after if changes else live[one.key]
    assert after is not None
    assert (after.ttl, after.higher_ttls) == (ttl, ())


@pytest.mark.parametrize(
    "record, reason",
    [
        ({"ttl": -1}, "ttl_max cannot be used: ttl is -1, but takes seconds, 0 to 2147483647"),
        ({"ttl": ""}, "ttl_max cannot be used: ttl is empty, but must be 0 to 2147483647 seconds"),
        (
            {"ttl": 60, "name": "www.example.org."},
            "ttl_max names 'www.example.org.', which can match nothing in the zo",
        ),
    ],
)
def test_what_cannot_be_used(record, reason):
    with pytest.raises(InvalidInput) as refusal:
        limits_of({"ttl_max": [record]}, [ZONE])
    assert str(refusal.value).startswith(reason)


OLD = (
    "www 86400 IN A 192.0.2.1\n*.w 7200 IN A 192.0.2.1\nalias 600 IN CNAME www.example.com.\n"
    + APEX
)

# Each row: the zone, what is wanted, and for how long resolvers may still have what was there: by type and name.
CACHED = {
    "the old TTL, whatever the new one is": (
        OLD,
        "exactly www 60 IN A 192.0.2.2",
        {"www A": 86400},
    ),
    "the minimum is less than the TTL of the SOA": (
        OLD,
        "present new 86400 IN A 192.0.2.2",
        {"new A": 5},
    ),
    "a minimum that is no number": (
        OLD.replace("3 4 5", "3 4 " + "9" * 5000),
        "present new 86400 IN A 192.0.2.2",
        {"new A": 86400},
    ),
    "what a wildcard of its type was": (
        OLD,
        "present a.w 60 IN A 192.0.2.2\npresent a.w 60 IN MX 10 www",
        {"a.w A": 7200, "a.w MX": 5},
    ),
    "the alias that was there": (
        OLD,
        "absent alias IN CNAME\nexactly alias 60 IN A 192.0.2.1",
        {"alias A": 600, "alias CNAME": 600},
    ),
    "the highest of several TTLs": (HIGHER, "exactly www 60 IN A 192.0.2.1", {"www A": 3600}),
    "without an SOA": ("", "present www IN A 192.0.2.1", {"www A": 0}),
}


@named_rows("held, desired, seconds", CACHED)
def test_how_long_old_answers_are_kept(held, desired, seconds):
    live = zone(held)
    found = cached(ZONE, live, plan(ZONE, live, desired_sets(desired)).changes)
    assert {short([key])[0]: number for key, number in found.items()} == seconds


# A move, against the stand-in.

LOWERED = [{"name": "www", "ttl": "5m"}]


def when(text):
    """A time in a result, in seconds since 1970."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc).timestamp()


def lasts(result, began):
    """How many seconds after its end a run says that old answers last, give or take as long as it took."""
    until = when(result["cached_until"])
    return round(until - began, -1) if began < until <= time.time() + 86401 else 0


def test_a_move(zone, run):
    zone.holds("www 86400 A 192.0.2.1")

    def keep(address, **options):
        files = {"z": {"text": f"$TTL 1d\nwww A {address}\n"}}
        return run("dns_records", zone="example.com", src="z", _files=files, **options)

    began = time.time()
    foreseen = keep("192.0.2.1", check=True, ttl_max=LOWERED)
    lowered = keep("192.0.2.1", ttl_max=LOWERED)
    assert (foreseen["cached_until"], foreseen["changes"]) == (None, lowered["changes"])
    assert lowered["cached"] == foreseen["cached"]
    assert lowered["cached"] == [{"name": "www.example.com.", "type": "A", "seconds": 86400}]
    assert lasts(lowered, began) == 86400
    assert zone.lines() == ["www 300 A 192.0.2.1"]
    again = keep("192.0.2.1", ttl_max=LOWERED)
    assert (again["changed"], again["cached"], again["cached_until"]) == (False, [], None)
    ended = keep("192.0.2.1")
    assert zone.lines() == ["www 86400 A 192.0.2.1"]
    assert "cached" not in ended


def test_limits_hold_for_what_it_lowers(zone, run):
    zone.holds("h1 3600 A 192.0.2.1")
    records = [{"name": "h1", "type": "A", "content": ["192.0.2.1"]}]
    task = {"zone": "example.com", "records": records, "protect": [{"name": "h1"}]}
    result = run("dns_records", ttl_max=[{"ttl": 60}], **task)
    assert "the plan would rebuild h1.example.com. A, but protect matches" in result["msg"]
    result = run("dns_records", ttl_max=[{"ttl": 60, "name": "no"}], **task)
    assert result["warnings"][0].startswith("nothing in the zone matches ttl_max[0] (")


def test_each_zone_has_its_own_and_the_last_of_all_is_told(three, run):
    three.zone("example.com", [("www", "A", 86400, ["192.0.2.1"])])
    records = [{"name": "www", "type": "A", "content": ["192.0.2.1"]}]
    zones = ["example.com", {"zone": "example.net", "ttl_max": [{"ttl": 60}]}]
    result = run("dns_zones", zones=zones, records=records, ttl_max=LOWERED)
    assert [item["cached"][0]["seconds"] for item in result["zones"]] == [86400, 300]
    assert result["cached_until"] == max(item["cached_until"] for item in result["zones"])
    changes = [change for item in result["zones"] for change in item["changes"]]
    assert [change["after"]["ttl"] for change in changes] == [300, 60]
