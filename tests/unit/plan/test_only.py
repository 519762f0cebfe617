# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""``only``: given this zone and the sets that a task is about, what it plans, refuses and tells."""

import pytest
from plan_lines import APEX, ZONE, desired_sets, hosts, lines, plan, plan_or_refusal, zone
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import Glob
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import Limits
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.records import (
    RecordsRefused,
    desired_record_sets,
)

SHOP = Glob("*.shop")
NOT_MATCHED = "no entry of only matches it: add one, or take this entry out"

# Each row: the zone, what is wanted, the limits besides, and the plan of a task that is about *.shop alone.
PLANS = {
    "prune sees nothing else": (
        f"{APEX}old.shop 300 IN A 192.0.2.1\na.shop 300 IN A 192.0.2.1\nwww 300 IN A 192.0.2.1",
        "exactly a.shop IN A 192.0.2.1",
        {},
        "delete old.shop A\n- 300 192.0.2.1",
    ),
    "sets of others do not count as those of which a share may go": (
        f"{hosts(100)}a.shop 300 IN A 192.0.2.1\nb.shop 300 IN A 192.0.2.1",
        "exactly a.shop IN A 192.0.2.1",
        {"prune_limit": 0, "change_limit": 0},
        "delete b.shop A\n- 300 192.0.2.1",
    ),
    "a CNAME beside what it is not about is refused": (
        "www.shop 300 IN A 192.0.2.1",
        "exactly www.shop IN CNAME a.example.net.",
        {"only": (Glob("*.shop", "CNAME"),)},
        "www.shop.example.com. would hold a CNAME beside A, but a CNAME must be alone at its name",
    ),
    "a set that has no such value yet is another's": (
        '@ 300 IN TXT "google=1"',
        "exactly @ IN TXT v=spf1 -all",
        {"only": (Glob(value="v=spf1*"),)},
        "no entry of only matches example.com. TXT as the zone holds it, so this task may not touch it",
    ),
    "a set that has such a value beside others is its own": (
        '@ 300 IN TXT "google=1"\n@ 300 IN TXT "v=spf1 mx -all"',
        "exactly @ IN TXT v=spf1 -all",
        {"only": (Glob(value="v=spf1*"),)},
        'rebuild @ TXT\n- 300 "google=1"\n- 300 "v=spf1 mx -all"\n+ 300 "v=spf1 -all"',
    ),
}


@named_rows("held, desired, besides, planned", PLANS)
def test_plans_are_about_the_matching_sets_alone(held, desired, besides, planned):
    limits = Limits(**{"prune": True, "only": (SHOP,), **besides})
    told = plan_or_refusal(zone(held), desired_sets(desired), limits)
    assert told.partition(": l")[0] == lines(planned)


@pytest.mark.parametrize("option", ["prune_limit", "change_limit"])
def test_a_share_is_one_of_the_matching_sets(option):
    held = "".join(f"host{i}.shop 300 IN A 192.0.2.{i}\n" for i in range(10)) + hosts(90)
    desired = desired_sets("".join(f"exactly host{i}.shop IN A 192.0.2.{i}\n" for i in range(6)))
    limits = {"prune": True, "prune_limit": 100, option: 30}
    with pytest.raises(PlanRefused, match="4 of the zone's 10 sets"):
        plan(ZONE, zone(held), desired, Limits(only=(SHOP,), **limits))


def row(name, *content):
    """An entry about addresses; without any, the set is to go."""
    state = "present" if content else "absent"
    return {"name": name, "type": "A", "content": [*content], "state": state}


def test_all_entries_outside_are_refused_at_once_by_index():
    rows = [row("www", "192.0.2.1"), row("a.shop", "192.0.2.1"), row("www", "192.0.2.2"), row("@")]
    with pytest.raises(RecordsRefused) as refusal:
        desired_record_sets(ZONE, rows, None, Limits(only=(SHOP,)))
    assert refusal.value.reasons == [
        f"records[0] www A: {NOT_MATCHED}",
        f"records[2] www A: {NOT_MATCHED}",
        f"records[3] @ A: {NOT_MATCHED}",
    ]


def test_a_set_is_matched_by_one_value_of_all_its_rows_and_one_that_is_to_go_by_any():
    rows = [row("a", "198.51.100.1"), row("a", "192.0.2.1"), row("b"), row("c", "198.51.100.1")]
    limits = Limits(only=(Glob(value="192.0.2.*"),))
    with pytest.raises(RecordsRefused) as refusal:
        desired_record_sets(ZONE, rows, None, limits)
    assert refusal.value.reasons == [f"records[3] c A: {NOT_MATCHED}"]


# The module: the zone is the stand-in's.

ONLY = [{"name": "*.shop"}]
HELD = "old.shop 300 A 192.0.2.1\nwww 300 A 192.0.2.1\n@ 300 MX 10 mail.example.com."


def record(name, *content, rdtype="A"):
    return {"name": name, "type": rdtype, "content": [*content], "ttl": 300}


FILE = """$TTL 300
@ IN SOA ns.other.example. x.other.example. 1 2 3 4 5
@ IN NS ns.other.example.
a.shop IN A 192.0.2.2
www IN A 192.0.2.2
"""


def test_a_zone_file_is_refused_by_line_and_not_for_what_the_service_owns(zone, run):
    zone.holds(HELD)
    of_file = {"zone": "example.com", "src": "z", "only": ONLY}
    result = run("dns_records", _files={"z": {"text": FILE}}, **of_file)
    assert (
        result["msg"]
        == f"Zone example.com: 1 of 2 entries cannot be used: line 5 of z www.example.com. A: {NOT_MATCHED}."
    )
    own = FILE.replace("www IN", "b.shop IN")
    result = run("dns_records", _files={"z": {"text": own}}, service_owned="error", **of_file)
    assert (result.get("failed", False), result["service_owned"]) == (False, [])


def test_findings_are_those_of_the_matching_sets(zone, run):
    task = {"zone": "example.com", "findings": "error", "prune": True, "only": ONLY}
    zone.holds("mail.shop 300 A 192.0.2.1\n@ 300 MX 10 mail.shop.example.com.")
    # The MX at the apex is another's, and leads to nothing without mail.shop.
    assert "failed" not in run("dns_records", records=[record("a.shop", "192.0.2.1")], **task)
    zone.holds("www 300 A 192.0.2.1")
    # The host is there, in a set of others.
    records = [record("a.shop", "10 www.example.com.", rdtype="MX")]
    found = run("dns_records", records=records, **task)["findings"]
    assert [finding["rule"] for finding in found] == ["mail-no-spf"]
    records = [record("a.shop", "10 gone.example.com.", rdtype="MX")]
    message = "gone.example.com. is in this zone but has no address"
    assert message in run("dns_records", records=records, **task)["msg"]
