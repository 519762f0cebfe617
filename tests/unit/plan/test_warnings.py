# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Names and hosts that look like whole ones, and so may lack their final dot."""

import pytest
from one_file import read_zone_file
from plan_lines import plan
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.whole_names import whole_names

ZONE = "z07.test."
OF_Z08 = "www.z08.test.z07.test. A: it looks like the full name www.z08.test."


def sets_of_file(text):
    return [
        Desired(one["name"], one["type"], (*one["content"],), ttl=300)
        for one in read_zone_file(text, ZONE)
    ]


def made(zone, names):
    """The changes that create these relative names."""
    owners = [f"{name}.{zone}" for name in names.split()]
    return [
        Change(None, RecordSet(name, "A", 300, ("192.0.2.1",)), Desired(name, "A"))
        for name in owners
    ]


# Each row: relative names that the zone holds, new ones, and those of them that are doubtful.
DOUBTFUL = {
    "in a deep zone": ("a.b.c.d", "www.z08.test", "www.z08.test"),
    "no end of a label": ("www", "xz08.interna mail com", ""),
    "three labels": ("www", "www.shop.com www.heise.org", "www.heise.org www.shop.com"),
    "labels that are also places": ("www", "web.de mail.eu api.dev *.dev", ""),
    "a known end": ("mail.shop.com", "www.other.com", ""),
    "a host that is called like an end": ("com", "www.other.com", ""),
    "beside new ones": ("", "mail www.shop.com", "www.shop.com"),
    "an empty zone": ("", "shop.com", "shop.com"),
    "the top-level label of the zone": ("www", "www.other.test", "www.other.test"),
    "the name of an address": ("www", "1.2.0.192.in-addr.arpa", "1.2.0.192.in-addr.arpa"),
    "no known top-level label": ("www", "com.shop.rack7", ""),
    "what is there": ("www.shop.com", "www.shop.com", ""),
}


@named_rows("live, new, doubtful", DOUBTFUL)
def test_names_that_may_be_whole(live, new, doubtful):
    held = {Key(ZONE, "SOA"): RecordSet(ZONE, "SOA", 300, ("",))}
    held |= {change.key: change.after for change in made(ZONE, live) if change.after}
    doubts = [*whole_names(ZONE, held, made(ZONE, new))]
    assert [doubt.partition(f".{ZONE} A: ")[0] for doubt in doubts] == doubtful.split()


def test_what_is_said():
    assert [*whole_names(ZONE, {}, made(ZONE, "www.z08.test"))] == [
        f"{OF_Z08} with z07.test. appended"
    ]
    many = " ".join(f"w{number:02}.shop.com" for number in range(12))
    first, *_others, last = whole_names(ZONE, {}, made(ZONE, many))
    assert (
        first
        == "w00.shop.com.z07.test. A: it looks like the full name w00.shop.com. with z07.test. appended"
    )
    assert last == "there are 2 more sets with the same warning, see changes"


def test_what_goes_and_what_grows_is_no_new_name():
    held = RecordSet(f"www.shop.com.{ZONE}", "A", 300, ("192.0.2.1",))
    assert not [*whole_names(ZONE, {held.key: held}, [Change(held, None, Desired(*held.key))])]


# Each row: a type and its value in a zone file, and the name that its host looks like.
HOSTS_WITHOUT_A_DOT = {
    "an MX": ("MX", "1 aspmx.l.google.com", "aspmx.l.google.com."),
    "a CNAME": ("CNAME", "shop.com", "shop.com."),
    "with parameters": ("HTTPS", "1 www.shop.com alpn=h2", "www.shop.com."),
    "the whole name of one in the zone": ("CNAME", "www.z07.test.", None),
    "one that there is": ("CNAME", "www.acme.com.au", None),
    "one that there will be": ("CNAME", "new", None),
    "no host": ("TXT", "www.shop.com", None),
}


@named_rows("rdtype, value, looks_like", HOSTS_WITHOUT_A_DOT)
def test_a_host_that_may_be_whole(rdtype, value, looks_like):
    held = {
        change.key: change.after for change in made(ZONE, "www *.x www.acme.com.au") if change.after
    }
    text = f"$TTL 300\nnew A 192.0.2.1\nmail {rdtype} {value}\n"
    doubts = [*whole_names(ZONE, held, plan(ZONE, held, sets_of_file(text)).changes)]
    message = f"mail.{ZONE} {rdtype}: {looks_like}{ZONE} looks like the full name {looks_like} with {ZONE} appended"
    assert doubts == ([f"{message}: end it with a dot if you mean that"] if looks_like else [])


def test_a_name_of_another_zone_of_the_task_is_doubted(service, run):
    for name in ("z07.test", "z08.test"):
        service.zone(name, [("a.b.c.d", "A", 300, ["192.0.2.1"])])
    row = {"name": "www.z08.test", "type": "A", "content": "192.0.2.1"}
    zones = [{"zone": name, "records": [row]} for name in ("z07.test", "z08.test")]
    warnings = run("dns_zones", zones=zones, check=True)["warnings"]
    assert [one for one in warnings if "full name" in one] == [
        f"Zone z07.test: {OF_Z08} with z07.test. appended"
    ]


@pytest.mark.parametrize(
    "name, told", [("www.shop.com", [1, 0]), ("www.shop.com.z07.test", [0, 0])]
)
def test_it_is_told_once_and_not_of_a_name_that_is_whole(service, run, name, told):
    service.zone("z07.test", [("www", "A", 300, ["192.0.2.1"])])
    task = {"zone": "z07.test", "name": name, "type": "A", "content": "192.0.2.1"}
    both = [str(run("dns_record", **task).get("warnings")) for _time in range(2)]
    assert [warnings.count("full name") for warnings in both] == told
