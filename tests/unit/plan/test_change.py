# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How a change differs from the set that is there, and the diff of all changes."""

from dataclasses import replace

import pytest
from plan_lines import ZONE, desired_sets, plan, zone
from shorthand import change, ends, held, named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import (
    DRIFT,
    changes_made,
    diff_of,
)


@pytest.mark.parametrize(
    "live, desired, depends",
    [
        ("", "present www IN A 192.0.2.1", False),  # create
        ("www 300 IN A 192.0.2.1", "present www IN A 192.0.2.2", False),  # extend
        ("www 300 IN A 192.0.2.1", "present www 60 IN A 192.0.2.1", True),  # rebuild for a ttl
        ("www 300 IN A 192.0.2.1", "exactly www IN A 192.0.2.2", True),  # rebuild exclusive
        ("www 300 IN A 192.0.2.1", "absent www IN A 192.0.2.1", True),  # delete of the last value
        ("www 300 IN A 192.0.2.1", "absent www IN A", False),  # delete of the whole set
    ],
)
def test_depends_on_others(live, desired, depends):
    (change,) = plan(ZONE, zone(live), desired_sets(desired)).changes
    assert change.undoes_concurrent_writes is depends


MIXED = """
    @   300 IN MX  10 mail.example.com.
    ftp 300 IN A   192.0.2.3
    old 300 IN A   192.0.2.1
    www 300 IN A   192.0.2.1
    xyz 300 IN TXT plain \x1btext
"""

MIXED_WANTED = """
    exactly  xyz 60 IN TXT plain text
    absent   old IN A
    present  ftp IN A 192.0.2.2
    present  new 60 IN TXT say "hi"
    present  www IN A 192.0.2.1
    present  @ IN MX 10 mail
    absent   no IN A
"""


def test_diff_has_only_the_sets_that_change_as_sorted_printable_zone_lines():
    assert diff_of(plan(ZONE, zone(MIXED), desired_sets(MIXED_WANTED)).changes) == {
        "before": (
            "ftp.example.com. 300 IN A 192.0.2.3\n"
            "old.example.com. 300 IN A 192.0.2.1\n"
            'xyz.example.com. 300 IN TXT "plain \\027text"\n'
        ),
        "after": (
            "ftp.example.com. 300 IN A 192.0.2.2\n"
            "ftp.example.com. 300 IN A 192.0.2.3\n"
            'new.example.com. 60 IN TXT "say \\"hi\\""\n'
            'xyz.example.com. 60 IN TXT "plain text"\n'
        ),
        "after_header": "1 set rebuilt, gone for a moment: xyz.example.com. TXT",
    }


CNAMES = {
    # what the zone holds, what is wanted, and the names that are gone for a moment
    "a CNAME for an address": (
        "www 300 IN A 192.0.2.1",
        "present www IN CNAME web\nabsent www IN A",
        "1 name between CNAME and other types, gone for a moment: www.example.com.",
    ),
    "addresses for a CNAME": (
        "www 300 IN CNAME web\nftp 300 IN CNAME web",
        (
            "present www IN A 192.0.2.1\npresent www IN AAAA 2001:db8::1\nabsent www IN CNAME\n"
            "present ftp IN A 192.0.2.1\nabsent ftp IN CNAME"
        ),
        "2 names between CNAME and other types, gone for a moment: ftp.example.com., www.example.com.",
    ),
    "a new CNAME": ("", "present www IN CNAME web", None),
    "two types that are no CNAME": (
        "www 300 IN A 192.0.2.1",
        "present www IN AAAA 2001:db8::1\nabsent www IN A",
        None,
    ),
}


@named_rows("live, wanted, header", CNAMES)
def test_diff_tells_of_names_that_change_between_cname_and_other_types(live, wanted, header):
    planned = plan(ZONE, zone(live), desired_sets(wanted))
    assert diff_of(planned.changes).get("after_header") == header


def test_diff_tells_once_of_a_set_that_is_rebuilt_in_two_steps():
    planned = plan(ZONE, zone("a 300 IN ALIAS b\u202e\n"), desired_sets("present a 60 IN ALIAS c"))
    assert (
        diff_of(planned.changes, planned.changes)["after_header"]
        == "1 set rebuilt, gone for a moment: a.example.com. ALIAS"
    )


def test_diff_tells_of_what_somebody_else_changed():
    lost = replace(change("www", "A", "", "300 192.0.2.1"), reason=DRIFT)
    header = "1 set changed by somebody else before: www.example.com. A"
    assert diff_of([lost])["after_header"] == header


MADE = {
    # what was planned for www A, what is shown -> the changes that were made
    "as planned": ("300 192.0.2.1", "60 192.0.2.2", ["www 60 A 192.0.2.2"], ["www A 60 192.0.2.2"]),
    "gone": ("300 192.0.2.1", "60 192.0.2.2", [], ["www A gone"]),
    "something else": (
        "300 192.0.2.1",
        "60 192.0.2.2",
        ["www 60 A 192.0.2.7"],
        ["www A 60 192.0.2.7"],
    ),
    "as before": ("300 192.0.2.1", "60 192.0.2.1", ["www 300 A 192.0.2.1"], []),
    "a new one that is not there": ("", "60 192.0.2.2", [], []),
    "one that was to go, and is there": ("300 192.0.2.1", "", ["www 300 A 192.0.2.1"], []),
}


def test_another_ttl_of_one_value_is_a_change():
    planned = change("www", "A", "60 192.0.2.1", "60 192.0.2.1 192.0.2.2")
    with_two_ttls = replace(planned.after, higher_ttls=(("192.0.2.2", 600),))
    (made,) = changes_made([planned], {planned.key: with_two_ttls})
    assert made.after == with_two_ttls
    assert not changes_made([replace(planned, before=with_two_ttls)], {planned.key: with_two_ttls})
    (unified,) = changes_made(
        [replace(planned, before=with_two_ttls)], {planned.key: planned.after}
    )
    assert unified.after == planned.after


@named_rows("before, after, shown, expected", MADE)
def test_what_became_of_planned_changes(before, after, shown, expected):
    planned = change("www", "A", before, after)
    assert ends(changes_made([planned], held(*shown).record_sets)) == expected
