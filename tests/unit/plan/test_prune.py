# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What prune deletes, what it spares, and what is told of it."""

import pytest
from plan_lines import APEX, ZONE, desired_sets, lines, plan, pruning, shown, zone
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import relative_name
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
    "ignore, gone",
    [
        (
            [],
            "_acme.www TXT, a.b.dyn A, c.dyn TXT, @ A, ftp CNAME, sub NS, www A, www AAAA",
        ),  # all but SOA and the NS of the zone
        (
            [("_acme*", "TXT"), ("@", "A")],
            "a.b.dyn A, c.dyn TXT, ftp CNAME, sub NS, www A, www AAAA",
        ),
        ([("*", "*")], ""),
    ],
)
def test_prune(ignore, gone):
    changes = plan(ZONE, zone(APEX + MANY), [], pruning(ignore, 100)).changes
    assert {change.action for change in changes} <= {"delete"}
    assert ", ".join(names(changes)) == gone


def names(changes):
    """Changes as ``www A``."""
    return [f"{relative_name(one.key.name, ZONE)} {one.key.type}" for one in changes]


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
}


@named_rows("owners, limits, told", EMPTIED)
def test_prune_of_all_that_a_zone_held_is_told(owners, limits, told):
    live = zone(APEX + "".join(f"{name} 300 IN A 192.0.2.1\n" for name in owners))
    planned = plan(
        ZONE, live, desired_sets("exactly www IN A 192.0.2.1"), Limits(**{"prune": True, **limits})
    )
    warning = (
        f"prune deletes all {told} sets that {ZONE} held: to keep sets that the task does not list, leave prune "
        "out or limit the task with only; if you want this, set prune_limit to 100"
    )
    assert planned.warnings == ((warning,) if told else ())


def test_prune_spares_what_signs_the_zone():
    gone = names(plan(ZONE, zone(APEX + SIGNED), [], pruning(limit=100)).changes)
    assert gone == ["@ A", "sub CDNSKEY", "sub CDS", "sub DNSKEY", "sub DS", "sub ZONEMD"]
    named = desired_sets("absent @ IN DNSKEY\nabsent www IN RRSIG")
    assert names(plan(ZONE, zone(APEX + SIGNED), named).changes) == ["@ DNSKEY", "www RRSIG"]


@pytest.mark.parametrize(
    "name, gone",
    [
        ("@", ["@ A", "@ MX"]),
        ("WWW.Example.COM.", ["www A"]),
        ("sub", ["sub CDNSKEY", "sub CDS", "sub DNSKEY", "sub DS", "sub NS", "sub ZONEMD"]),
        ("0p9m", []),
        ("nothing", []),
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
    assert names(planned.changes) == gone
    assert planned.summary == {**dict.fromkeys(planned.summary, 0), "deleted": len(gone)}


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
    assert [*planned.summary.values()] == [1, 0, 1, 2, 1]
    assert [change.desired.pruned for change in planned.changes] == [True, False, True, False]
