# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is awaited of name servers: given this zone after a task, and what the task wanted, these answers."""

import pytest
from plan_lines import ZONE, zone
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import owner_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.awaited import Awaited, awaited_of
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired


def desired_set(name, rdtype, *values, **more):
    """What a task wants of a set."""
    return Desired(owner_name(name, ZONE), rdtype, values, **more)


def awaited_set(name, rdtype, *values, **more):
    """What is awaited of it."""
    return Awaited(owner_name(name, ZONE), rdtype, values, **more)


@pytest.mark.parametrize(
    "name, rdtype, is_answered",
    [
        ("@", "SOA", False),
        ("@", "DNSKEY", False),
        ("www", "ALIAS", False),
        # s is delegated, and t.s below it too; the name server of s is in the zone
        ("s", "DS", True),
        ("t.s", "NS", False),
        ("ns.s", "A", True),
        ("ns.s", "TXT", False),
        ("ns.t.s", "A", False),
        ("xs", "A", True),
        # d is a DNAME
        ("x.d", "A", False),
    ],
)
def test_what_servers_answer_with(name, rdtype, is_answered):
    held = zone(
        f"s 300 IN NS ns.s.{ZONE}\nt.s 300 IN NS ns.t.s.{ZONE}\nd 300 IN DNAME example.net."
    )
    awaited = awaited_of(ZONE, held, [desired_set(name, rdtype, "x")], (), ())
    assert bool(awaited) is is_answered


HELD = "www 300 IN A 192.0.2.1\nwww 300 IN A 192.0.2.2"
AWAITED = {
    "with a TTL, that which is kept": (
        HELD,
        desired_set("www", "A", "192.0.2.1", ttl=60, keeps_others=True),
        awaited_set("www", "A", "192.0.2.1", ttl=300, keeps_others=True),
    ),
    "without some values": (
        HELD,
        desired_set("www", "A", unwanted=("192.0.2.3",), keeps_others=True, replaces=("10.*",)),
        awaited_set("www", "A", unwanted=("192.0.2.3",), keeps_others=True, replaces=("10.*",)),
    ),
    "not there": (HELD, desired_set("ftp", "A", ttl=60), awaited_set("ftp", "A")),
    "not there, with a wildcard": (
        "*.a 300 IN A 192.0.2.9",
        desired_set("x.a", "A"),
        awaited_set("x.a", "A", instead=("192.0.2.9",)),
    ),
    "not there, at a name that exists": (
        "*.a 300 IN A 192.0.2.9\nx.a 300 IN TXT x",
        desired_set("x.a", "A"),
        awaited_set("x.a", "A"),
    ),
    "not there, where the service looks addresses up": (
        "www 300 IN ALIAS example.net.",
        desired_set("www", "A", unwanted=("192.0.2.1",)),
        awaited_set("www", "A", keeps_others=True),
    ),
    "a delegation": (
        "s 300 IN NS ns.example.net.",
        desired_set("s", "NS", "ns.example.net."),
        awaited_set("s", "NS", "ns.example.net.", delegated_at=f"s.{ZONE}"),
    ),
    "glue, of the delegation next to the zone": (
        f"b.s 300 IN NS ns.b.s.{ZONE}\ns 300 IN NS ns.b.s.{ZONE}",
        desired_set("ns.b.s", "A", "192.0.2.1"),
        awaited_set("ns.b.s", "A", "192.0.2.1", delegated_at=f"s.{ZONE}"),
    ),
}


@named_rows("text, desired, awaited", AWAITED)
def test_what_is_awaited(text, desired, awaited):
    assert awaited_of(ZONE, zone(text), [desired], (), ()) == [awaited]


def test_what_was_planned_and_what_was_completed_count_too():
    held = zone(HELD)
    gone = RecordSet(f"ftp.{ZONE}", "A", 300, ("192.0.2.7",))
    pruned = Change(gone, None, desired_set("ftp", "A", pruned=True))
    completed = Change(None, next(iter(held.values())), desired_set("www", "A", "192.0.2.1"))
    removed = Change(gone, None, desired_set("old", "A"))
    recovered = (completed, removed)
    # What the task names is awaited as the task wants it.
    named = desired_set("www", "A", "192.0.2.2")
    assert awaited_of(ZONE, held, [named], [pruned, Change(None, gone, named)], recovered) == [
        awaited_set("www", "A", "192.0.2.2"),
        awaited_set("ftp", "A"),
    ]
    assert awaited_of(ZONE, held, (), (), recovered) == [awaited_set("www", "A", "192.0.2.1")]


MET = {
    # what is awaited, the answers that are as they should be, and those that are not; values are one letter each
    "these values and no others": (
        awaited_set("www", "A", "a", "b"),
        ["ab", "ba"],
        ["", "a", "abc"],
    ),
    "these values, and others may be": (
        awaited_set("www", "A", "a", keeps_others=True),
        ["a", "ab"],
        ["", "b"],
    ),
    "what a wildcard holds in its place": (
        awaited_set("www", "A", instead=("w", "x")),
        ["", "wx", "xw"],
        ["w", "wxa", "a"],
    ),
    "a set beside a wildcard": (
        awaited_set("www", "A", "a", instead=("w",)),
        ["a"],
        ["w", "aw", ""],
    ),
    "neither what is unwanted nor what is replaced": (
        awaited_set("www", "A", unwanted=("a",), keeps_others=True, replaces=("b*",)),
        ["", "c"],
        ["a", "b", "cb"],
    ),
}


@named_rows("awaited, met, not_met", MET)
def test_which_answers_are_as_they_should_be(awaited, met, not_met):
    assert [answer for answer in met if not awaited.is_met_by(answer)] == []
    assert [answer for answer in not_met if awaited.is_met_by(answer)] == []
