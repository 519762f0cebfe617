# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is awaited of name servers: given this zone after a task, and what the task wanted, these answers."""

import pytest
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.awaited import Awaited, awaited_of
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired

ZONE = "example.com."
WWW = Key(f"www.{ZONE}", "A")


def zone(text):
    """The sets of lines of ``<name> <TTL> <type> <value>``."""
    sets = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, ttl, rdtype, value = line.split(None, 3)
        key = Key(absolute(name), rdtype)
        values = (*sets[key].values, value) if key in sets else (value,)
        sets[key] = RecordSet(*key, int(ttl), values)
    return sets


def absolute(name):
    """An owner name of the zone."""
    return ZONE if name == "@" else f"{name}.{ZONE}"


def desired_set(name, rdtype, *values, **more):
    """What a task wants of a set."""
    return Desired(absolute(name), rdtype, values, **more)


def of(
    text,
    *desired,
    planned=(),
    recovered=(),
):
    """What is awaited."""
    return awaited_of(ZONE, zone(text), desired, planned, recovered)


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
        # v.u is delegated, and u is not
        # d is a DNAME
        ("x.d", "A", False),
        ("xd", "A", True),
    ],
)
def test_what_servers_answer_with(name, rdtype, is_answered):
    text = "s 300 NS ns.s.example.com.\nt.s 300 NS ns.t.s.example.com.\nd 300 DNAME example.net."
    text += "\nv.u 300 NS ns.example.net."
    assert [one.key for one in of(text, desired_set(name, rdtype, "x"))] == [
        Key(absolute(name), rdtype)
    ] * is_answered


HELD = "www 300 A 192.0.2.1\nwww 300 A 192.0.2.2"
AWAITED = {
    "with a TTL, that which is kept": (
        HELD,
        desired_set("www", "A", "192.0.2.1", ttl=60, keeps_others=True),
        Awaited(*Key(absolute("www"), "A"), ("192.0.2.1",), keeps_others=True, ttl=300),
    ),
    "without some values": (
        HELD,
        desired_set("www", "A", unwanted=("192.0.2.3",), keeps_others=True, replaces=("10.*",)),
        Awaited(
            *Key(absolute("www"), "A"),
            unwanted=("192.0.2.3",),
            keeps_others=True,
            replaces=("10.*",),
        ),
    ),
    "not there": (HELD, desired_set("ftp", "A", ttl=60), Awaited(*Key(absolute("ftp"), "A"))),
    "not there, with a wildcard": (
        "*.a 300 A 192.0.2.9",
        desired_set("x.a", "A"),
        Awaited(*Key(absolute("x.a"), "A"), instead=("192.0.2.9",)),
    ),
    "not there, where another name is between": (
        "*.a 300 A 192.0.2.9\nz.x.a 300 A 192.0.2.1",
        desired_set("y.x.a", "A"),
        Awaited(*Key(absolute("y.x.a"), "A")),
    ),
    "not there, at a name that exists": (
        "*.a 300 A 192.0.2.9\nx.a 300 TXT x",
        desired_set("x.a", "A"),
        Awaited(*Key(absolute("x.a"), "A")),
    ),
    "not there, with an escaped dot": (
        r"*.a 300 A 192.0.2.9",
        desired_set(r"x\.y.a", "A"),
        Awaited(*Key(absolute(r"x\.y.a"), "A"), instead=("192.0.2.9",)),
    ),
    "not there, with a wildcard of another zone's end": (
        "*.xa 300 A 192.0.2.9",
        desired_set("b.a", "A"),
        Awaited(*Key(absolute("b.a"), "A")),
    ),
    "not there, where the service looks addresses up": (
        "www 300 ALIAS example.net.",
        desired_set("www", "A", unwanted=("192.0.2.1",)),
        Awaited(*Key(absolute("www"), "A"), keeps_others=True),
    ),
    "a delegation": (
        "s 300 NS ns.example.net.",
        desired_set("s", "NS", "ns.example.net."),
        Awaited(*Key(absolute("s"), "NS"), ("ns.example.net.",), delegated_at=absolute("s")),
    ),
    "a delegation that is gone": (
        "www 300 A 192.0.2.1",
        desired_set("s", "NS"),
        Awaited(*Key(absolute("s"), "NS"), delegated_at=absolute("s")),
    ),
    "glue, of the delegation next to the zone": (
        "b.s 300 NS ns.b.s.example.com.\ns 300 NS ns.b.s.example.com.",
        desired_set("ns.b.s", "A", "192.0.2.1"),
        Awaited(*Key(absolute("ns.b.s"), "A"), ("192.0.2.1",), delegated_at=absolute("s")),
    ),
}


@named_rows("text, desired, awaited", AWAITED)
def test_what_is_awaited(text, desired, awaited):
    assert of(text, desired) == [awaited]


def test_what_was_planned_and_what_was_completed_count_too():
    held = zone(HELD)
    gone = RecordSet(absolute("ftp"), "A", 300, ("192.0.2.7",))
    pruned = Change(gone, None, desired_set("ftp", "A", pruned=True))
    named = Change(None, gone, desired_set("www", "A", "192.0.2.2"))
    completed = Change(None, held[Key(absolute("www"), "A")], desired_set("www", "A", "192.0.2.1"))
    removed = Change(gone, None, desired_set("old", "A"))
    www = Key(absolute("www"), "A")
    # What the task names is awaited as the task wants it.
    assert of(
        HELD,
        desired_set("www", "A", "192.0.2.2"),
        planned=(pruned, named),
        recovered=(completed, removed),
    ) == [Awaited(*www, ("192.0.2.2",)), Awaited(*Key(absolute("ftp"), "A"))]
    assert of(HELD, recovered=(completed, removed)) == [Awaited(*www, ("192.0.2.1",))]


MET = {
    # what is awaited, the answers that are as they should be, and those that are not; values are one letter each
    "these values and no others": (Awaited(*WWW, ("a", "b")), ["ab", "ba"], ["", "a", "abc", "c"]),
    "these values, and others may be": (
        Awaited(*WWW, ("a",), keeps_others=True),
        ["a", "ab"],
        ["", "b"],
    ),
    "no set": (Awaited(*WWW), [""], ["a"]),
    "nothing of it, and others may be": (
        Awaited(*WWW, unwanted=("a", "b"), keeps_others=True),
        ["", "c"],
        ["a", "cb"],
    ),
    "what a wildcard holds in its place": (
        Awaited(*WWW, instead=("w", "x")),
        ["", "wx", "xw"],
        ["w", "wxa", "a"],
    ),
    "a set beside a wildcard": (Awaited(*WWW, ("a",), instead=("w",)), ["a"], ["w", "aw", ""]),
    "nothing that is replaced": (
        Awaited(*WWW, ("a",), keeps_others=True, replaces=("b*", "a")),
        ["a", "ac"],
        ["ab", "acb", "b", "c"],
    ),
    "neither what is unwanted nor what is replaced": (
        Awaited(*WWW, (), ("a",), keeps_others=True, replaces=("b",)),
        ["", "c"],
        ["a", "b", "ab"],
    ),
}


@named_rows("awaited, met, not_met", MET)
def test_which_answers_are_as_they_should_be(awaited, met, not_met):
    assert [answer for answer in met if not awaited.is_met_by(answer)] == []
    assert [answer for answer in not_met if awaited.is_met_by(answer)] == []
