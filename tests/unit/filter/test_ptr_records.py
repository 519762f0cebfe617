# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""PTR records of addresses: which reverse zones there are, what each holds, and what the filter takes."""

from ipaddress import ip_address

import dns.reversename
import pytest
from ansible.errors import AnsibleFilterError
from ansible.utils.display import Display
from examples import some
from hypothesis import given, settings
from hypothesis import strategies as st
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.filter.from_zone_file import from_zone_file
from ansible_collections.zonesmith.dns.plugins.filter.ptr_records import ptr_records
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidName
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.reverse import (
    is_reverse,
    reverse_zone,
)

NET = "2.0.192.in-addr.arpa"
COM = """$TTL 3600
@ A 192.0.2.1
@ AAAA 2001:db8::1
www 300 A 192.0.2.1
mail A 192.0.2.200
*.apps A 192.0.2.3
* A 192.0.2.4
elsewhere A 198.51.100.1
text TXT 192.0.2.5
"""
ORG = [
    {"name": "host", "type": "a", "content": "192.0.2.127"},
    {"name": "@", "type": "A", "value": ["192.0.2.128"], "ttl": 60},
    {"name": "gone", "type": "A", "state": "absent"},
    {"name": "broken", "type": "MX", "content": ["not looked at"]},
]
LIVE = {
    "name": "example.net",
    "slug": "examplenet",
    "records": [
        {
            "name": "www.example.net.",
            "type": "A",
            "ttl": 7200,
            "contents": ["192.0.2.1", "192.0.2.255"],
        },
        {"name": "six.example.net.", "type": "AAAA", "ttl": 7200, "contents": ["2001:DB8:0:0::2"]},
        {
            "name": "odd.example.net.",
            "type": "A",
            "ttl": 7200,
            "contents": ["what nobody can read"],
        },
    ],
}


def lines(given_zones, reverse, prefer=None):
    """PTR records as ``<name> [<TTL>] <hosts>``, the names relative to the reverse zone."""
    found = []
    for entry in ptr_records(given_zones, reverse, prefer=prefer):
        ttl = [str(entry["ttl"])] if "ttl" in entry else []
        name = entry["name"].removesuffix(f".{reverse}.")
        found.append(" ".join([name, *ttl, *entry["content"]]))
    return found


HELD = {
    "a whole network": (
        {"example.com": COM, "example.org": ORG, "EXAMPLE.NET.": LIVE["records"]},
        NET,
        [
            "1 300 example.com. www.example.com. www.example.net.",
            "127 host.example.org.",
            "128 60 example.org.",
            "200 3600 mail.example.com.",
            "255 7200 www.example.net.",
        ],
    ),
    "the lower half, by prefix": (
        {"example.com": COM, "example.org": ORG},
        f"0/25.{NET}",
        ["1 300 example.com. www.example.com.", "127 host.example.org."],
    ),
    "a range": (
        {"example.org": ORG},
        f"127-128.{NET}",
        ["127 host.example.org.", "128 60 example.org."],
    ),
    "a larger network": (
        {"example.org": ORG},
        "0.192.in-addr.arpa",
        ["127.2 host.example.org.", "128.2 60 example.org."],
    ),
    "one address": (
        {"example.org": ORG},
        f"127.{NET}",
        ["127.2.0.192.in-addr.arpa. host.example.org."],
    ),
    "another network": ({"example.com": COM}, "3.0.192.in-addr.arpa", []),
    "IPv6 at a digit": (
        [LIVE, *from_zone_file(COM, "example.com")],
        "8.b.d.0.1.0.0.2.ip6.arpa",
        [
            "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0 3600 example.com.",
            "2.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0 7200 six.example.net.",
        ],
    ),
    "one zone as it is read": (LIVE, NET, ["1 7200 www.example.net.", "255 7200 www.example.net."]),
    "a zone of dns_zones": (
        [{"zone": "example.org", "records": ORG}],
        NET,
        ["127 host.example.org.", "128 60 example.org."],
    ),
    "lists in a list": (
        [[LIVE], [[]]],
        NET,
        ["1 7200 www.example.net.", "255 7200 www.example.net."],
    ),
    "nothing": ([], NET, []),
}


@named_rows("given_zones, reverse, expected", HELD)
def test_what_a_reverse_zone_holds(given_zones, reverse, expected):
    assert lines(given_zones, reverse) == expected


NONE_OF_THE_ADDRESSES = (
    "Zone 192.0.2.in-addr.arpa: no host has an address from 2.0.192.0 to 2.0.192.255: "
)


@pytest.mark.parametrize(
    "text, messages",
    [
        (
            COM,
            [f"{NONE_OF_THE_ADDRESSES}is its name spelled correctly?"],
        ),
        ("$TTL 60\nwww TXT x", []),
    ],
)
def test_a_zone_for_none_of_the_addresses_is_told(monkeypatch, text, messages):
    warnings = []
    monkeypatch.setattr(Display, "warning", lambda _self, text: warnings.append(text))
    ptr_records({"example.com": text}, "192.0.2.in-addr.arpa")
    assert warnings == messages


def test_the_records_are_entries():
    assert ptr_records({"example.com": COM}, NET)[0] == {
        "name": "1.2.0.192.in-addr.arpa.",
        "type": "PTR",
        "content": ["example.com.", "www.example.com."],
        "ttl": 300,
    }


SEVERAL = {
    "example.com": "$TTL 60\nwww A 192.0.2.1\n@ 300 A 192.0.2.1\nh1.hosts 900 A 192.0.2.1\nb\u00fccher A 192.0.2.2",
    "example.net": [{"name": "h2.hosts", "type": "A", "ttl": "", "content": ["192.0.2.1"]}],
}
# Each row: what is preferred, and the entry of 192.0.2.1.
PREFERRED = {
    "nothing": (
        None,
        "1 60 example.com. h1.hosts.example.com. h2.hosts.example.net. www.example.com.",
    ),
    "a glob that one name meets": (["*.hosts.example.com"], "1 900 h1.hosts.example.com."),
    "a name without a TTL": (["h2.*"], "1 h2.hosts.example.net."),
    "a name with its final dot, in capitals": ("WWW.Example.COM.", "1 60 www.example.com."),
    "the first glob that meets any": (["x.*", "example.com", "www.*"], "1 300 example.com."),
    "several names": (["*.hosts.*"], "1 900 h1.hosts.example.com."),
    "no name": (["mail.*"], "1 300 example.com."),
}


@named_rows("prefer, first", PREFERRED)
def test_the_name_that_is_preferred(prefer, first):
    assert lines(SEVERAL, NET, prefer) == [first, "2 60 xn--bcher-kva.example.com."]


@pytest.mark.parametrize("glob", ["b\u00fc*", "xn--*"])
def test_an_internationalized_name_is_preferred_in_either_spelling(glob):
    held = {"example.com": "$TTL 60\nb\u00fccher A 192.0.2.1\na A 192.0.2.1"}
    assert lines(held, NET, [glob]) == ["1 60 xn--bcher-kva.example.com."]


@pytest.mark.parametrize("prefer", [7, [None]])
def test_what_is_no_preference(prefer):
    with pytest.raises(
        AnsibleFilterError, match=r"^ptr_records takes prefer as a list of globs for names$"
    ):
        ptr_records(SEVERAL, NET, prefer=prefer)


RELATIVE = "write the name with its final dot, or give a dictionary of zone names and their records"
NO_REVERSE_ZONE = "it is not a reverse zone, such as 2.0.192.in-addr.arpa, 0/25.2.0.192.in-addr.arpa or 8.b.d.0.1.0.0.2.ip6.arpa"
FORMS = "ptr_records takes a dictionary of zone names and their records, or a list of record sets"

NO_REVERSE_ZONES = [
    "example.com",
    "a.192.in-addr.arpa",
    "02.0.192.in-addr.arpa",
    f"{'0.' * 33}ip6.arpa",
    "10.8.b.d.0.1.0.0.2.ip6.arpa",
    f"1/25.{NET}",
    f"9-1.{NET}",
    f"0-256.{NET}",
    f"128-27.{NET}",  # a prefix, as in RFC 4183
    "0-15.168.192.in-addr.arpa",
]


@pytest.mark.parametrize("zone", NO_REVERSE_ZONES)
def test_what_is_no_reverse_zone(zone):
    with pytest.raises(AnsibleFilterError) as raised:
        ptr_records([], zone)
    assert str(raised.value) == f"Zone {zone}: {NO_REVERSE_ZONE}"


def test_a_range_or_a_prefix_where_two_rfcs_differ_is_refused():
    message = r"0-25 may be the network 0/25 \(RFC 4183\) or the numbers from 0 to 25 \(RFC 2317\): for the network, "
    with pytest.raises(AnsibleFilterError, match=message):
        ptr_records([], f"0-25.{NET}")


ERRORS = {
    "a text": (COM, FORMS),
    "a text in a list": (
        [COM],
        f"Zone {NET}: a record must be a dictionary; give the text of a zone file as the value of its zone's name",
    ),
    "a relative name": (
        ORG,
        f"Zone {NET}: host a cannot be used: its zone is unknown; {RELATIVE}",
    ),
    "a zone of nothing": (
        {"example.com": None},
        "Zone example.com: a zone is a list of records, or the text of a zone file",
    ),
    "a zone without a name": ([{"records": []}], "ptr_records takes the name of the zone"),
}


@named_rows("given_zones, message", ERRORS)
def test_errors(given_zones, message):
    with pytest.raises(AnsibleFilterError) as raised:
        ptr_records(given_zones, NET)
    assert str(raised.value) == message


@settings(max_examples=some(200), derandomize=True, database=None, deadline=None)
@given(
    st.one_of(
        st.ip_addresses(v=4), st.ip_addresses(v=6).filter(lambda address: not address.ipv4_mapped)
    ),
    st.integers(0, 32),
)
def test_every_address_has_its_name_in_every_zone_above_it(address, count):
    """The whole name is what dnspython makes of the address."""
    whole = dns.reversename.from_address(str(address)).to_text()
    labels = whole.split(".")[:-1]
    zone = ".".join(labels[min(count, len(labels) - 2) :])
    rdtype = "A" if address.version == 4 else "AAAA"
    entry = {"name": "a.example.com.", "type": rdtype, "content": [str(address)]}
    assert ptr_records([entry], zone) == [
        {"name": whole, "type": "PTR", "content": ["a.example.com."]}
    ]


@settings(max_examples=some(200), derandomize=True, database=None, deadline=None)
@given(st.integers(24, 32), st.integers(0, 255), st.integers(0, 255))
def test_the_parts_of_a_network_have_each_address_once(length, at, asked):
    size = 1 << (32 - length)
    first = at - at % size
    address = ip_address(f"192.0.2.{asked}")
    for name in (f"{first}/{length}", f"{first}-{first + size - 1}"):
        zone = reverse_zone(f"{name}.{NET}.")
        assert zone.holds(address) == (first <= asked < first + size)
        assert zone.owner_name(address) == f"{asked}.{name}.{NET}."
    with pytest.raises(InvalidName):
        reverse_zone(f"{first}/{length}.0.{NET}.")


@pytest.mark.parametrize(
    "zone, expected",
    [
        ("2.0.192.in-addr.arpa.", True),
        ("ip6.arpa.", True),
        ("xin-addr.arpa.", False),
        ("xip6.arpa.", False),
    ],
)
def test_which_zones_are_reverse(zone, expected):
    assert is_reverse(zone) == expected
