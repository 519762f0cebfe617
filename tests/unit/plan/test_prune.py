# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What prune deletes, what it spares, and what is told of it."""

import pytest
from plan_lines import APEX, ZONE, desired_sets, lines, plan, pruning, shown, zone
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import (
    owner_name,
    relative_name,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import Glob
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import Limits

MANY = """
    @           300 IN A     192.0.2.1
    ftp         300 IN CNAME www
    www         300 IN A     192.0.2.2
    www         300 IN AAAA  2001:db8::2
    _acme.www   300 IN TXT   "token"
    a.b.dyn     300 IN A     192.0.2.3
    c.dyn       300 IN TXT   "dynamic"
    sub         300 IN NS    ns1.example.net.
"""


@pytest.mark.parametrize(
    "desired, ignore, gone",
    [
        (
            "",
            [],
            [
                "@ A",
                "_acme.www TXT",
                "a.b.dyn A",
                "c.dyn TXT",
                "ftp CNAME",
                "sub NS",
                "www A",
                "www AAAA",
            ],
        ),  # all but soa and apex ns
        (
            "",
            [("_acme*", "TXT"), ("@", "A")],
            ["a.b.dyn A", "c.dyn TXT", "ftp CNAME", "sub NS", "www A", "www AAAA"],
        ),  # ignore name and type
        ("", [("*", "*")], []),  # ignore all
    ],
)
def test_prune(desired, ignore, gone):
    planned = plan(ZONE, zone(APEX + MANY), desired_sets(desired), pruning(ignore, 100))
    assert [change.action for change in planned.changes] == ["delete"] * len(gone)
    assert [
        f"{relative_name(change.key[0], ZONE)} {change.key[1]}" for change in planned.changes
    ] == sorted(gone, key=lambda row: (owner_name(row.split()[0], ZONE), row.split()[1]))


SIGNED = """
    @     300 IN A          192.0.2.1
    @     300 IN CDNSKEY    257 3 13 AAAA
    @     300 IN CDS        1 13 2 00
    @     300 IN DNSKEY     257 3 13 AAAA
    @     300 IN NSEC       www.example.com. A RRSIG NSEC
    @     300 IN NSEC3PARAM 1 0 0 -
    @     300 IN RRSIG      A 13 2 300 20260101000000 20250101000000 1 example.com. AAAA
    @     300 IN TYPE65534  \\# 5 0d00010001
    @     300 IN ZONEMD     1 1 1 00
    sub   300 IN ZONEMD     1 1 1 00
    0p9m  300 IN NSEC3      1 0 0 - 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR A RRSIG
    www   300 IN NSEC       example.com. A RRSIG NSEC
    www   300 IN RRSIG      A 13 3 300 20260101000000 20250101000000 1 example.com. AAAA
    sub   300 IN CDS        1 13 2 00
    sub   300 IN CDNSKEY    257 3 13 AAAA
    sub   300 IN DNSKEY     257 3 13 AAAA
    sub   300 IN DS         1 13 2 00
"""

# Each row: what a zone holds beside its apex, the limits, and how many sets the warning tells of.
EMPTIED = {
    "all that was there": (("a", "b", "c", "d"), {}, 4),
    "one set": (("a",), {}, 0),
    "all but one that is wanted": (("www", "b", "c"), {}, 0),
    "all but one that is ignored": (("a", "b", "c"), {"ignore": (Glob("a"),)}, 2),
    "all that the task is about": (("a.dev", "b.dev"), {"only": (Glob("*.dev"), Glob("www"))}, 0),
    "as many as are meant": (("a", "b", "c", "d"), {"prune_limit": 100}, 0),
    "no prune": (("a", "b"), {"prune": False}, 0),
}


@named_rows("names, limits, told", EMPTIED)
def test_prune_of_all_that_a_zone_held_is_told(names, limits, told):
    live = zone(APEX + "".join(f"{name} 300 IN A 192.0.2.1\n" for name in names))
    planned = plan(
        ZONE, live, desired_sets("exactly www IN A 192.0.2.1"), Limits(**{"prune": True, **limits})
    )
    warning = (
        f"prune deletes all {told} sets that {ZONE} held: to keep sets that the task does not list, leave prune "
        "out or limit the task with only; if you want this, set prune_limit to 100"
    )
    assert [*planned.warnings] == [warning] * bool(told)


def test_prune_spares_what_signs_the_zone():
    planned = plan(ZONE, zone(APEX + SIGNED), [], pruning(limit=100))
    gone = [
        f"{relative_name(change.key.name, ZONE)} {change.key.type}" for change in planned.changes
    ]
    assert gone == ["@ A", "sub CDNSKEY", "sub CDS", "sub DNSKEY", "sub DS", "sub ZONEMD"]


def test_a_task_that_names_what_signs_the_zone_may_remove_it():
    named = plan(
        ZONE,
        zone(APEX + SIGNED),
        desired_sets("absent @ IN DNSKEY\nabsent www IN RRSIG"),
        pruning(limit=100),
    )
    assert {("example.com.", "DNSKEY"), ("www.example.com.", "RRSIG")} <= {
        change.key for change in named.changes
    }


@pytest.mark.parametrize(
    "name, gone",
    [
        ("@", ["@ A", "@ MX"]),
        ("www", ["www A"]),
        ("WWW.Example.COM.", ["www A"]),
        ("sub", ["sub CDNSKEY", "sub CDS", "sub DNSKEY", "sub DS", "sub NS", "sub ZONEMD"]),
        ("0p9m", []),
        ("nothing", []),
        ("a.www", []),
    ],
)
def test_all_types_of_a_name_go_but_those_of_the_service(name, gone):
    more = """
        @     300 IN MX 10 mail
        www   300 IN A  192.0.2.1
        sub   300 IN NS ns1.example.net.
        b.www 300 IN A  192.0.2.1
    """
    planned = plan(ZONE, zone(APEX + SIGNED + more), desired_sets(f"absent {name} IN *"))
    found = [
        f"{one.action} {relative_name(one.key.name, ZONE)} {one.key.type}"
        for one in planned.changes
    ]
    assert found == [f"delete {row}" for row in gone]
    assert planned.summary["unchanged"] == 0


def test_a_change_tells_whether_prune_asked_for_it():
    live = "ftp 300 IN A 192.0.2.1\nold 300 IN A 192.0.2.1\nwww 300 IN A 192.0.2.1"
    wanted = "absent ftp IN A\nexactly www IN A 192.0.2.2"
    planned = plan(ZONE, zone(APEX + live), desired_sets(wanted), pruning(limit=100))
    assert {change.key.name: change.desired.pruned for change in planned.changes} == {
        "ftp.example.com.": False,
        "old.example.com.": True,
        "www.example.com.": False,
    }


def test_prune_beside_other_changes():
    live = """
        ftp 300 IN A   192.0.2.1
        old 300 IN TXT "old"
        www 300 IN A   192.0.2.1
        xyz 300 IN A   192.0.2.1
    """
    desired = """
        exactly ftp IN CNAME www
        exactly www IN A 192.0.2.2
        exactly xyz IN A 192.0.2.1
    """
    planned = plan(ZONE, zone(APEX + live), desired_sets(desired), pruning(limit=100))
    assert shown(planned) == lines("""
        delete ftp A
        - 300 192.0.2.1
        create ftp CNAME
        + 3600 www.example.com.
        delete old TXT
        - 300 "old"
        rebuild www A
        - 300 192.0.2.1
        + 300 192.0.2.2
    """)
    assert planned.summary == {
        "created": 1,
        "extended": 0,
        "rebuilt": 1,
        "deleted": 2,
        "unchanged": 1,
    }
