# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""PTR records of addresses: which reverse zones there are, what each holds, and what the filter takes."""

import os
from ipaddress import IPv4Address, ip_address

import dns.reversename
import pytest
from ansible.errors import AnsibleFilterError
from ansible.utils.display import Display
from examples import some
from hypothesis import given, settings
from hypothesis import strategies as st
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.filter.findings import findings
from ansible_collections.zonesmith.dns.plugins.filter.from_zone_file import from_zone_file
from ansible_collections.zonesmith.dns.plugins.filter.ptr_records import ptr_records
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidName
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.reverse import (
    is_reverse,
    reverse_zone,
)

INPUTS = int(os.environ.get("FUZZ_INPUTS", "0"))
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


def lines(given_zones, reverse):
    """PTR records as ``<name> [<TTL>] <hosts>``, the names relative to the reverse zone."""
    return [
        " ".join(
            [
                entry["name"].removesuffix(f".{reverse}."),
                *map(str, filter(None, [entry.get("ttl")])),
                *entry["content"],
            ]
        )
        for entry in ptr_records(given_zones, reverse)
    ]


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
    "a range that is a network, and might be another's prefix": (
        {"example.com": COM, "example.org": ORG},
        f"0-31.{NET}",
        ["1 300 example.com. www.example.com."],
    ),
    "a range that is no network with such a prefix": (
        {"example.com": COM},
        f"1-30.{NET}",
        ["1 300 example.com. www.example.com."],
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
    "all addresses": (
        {"example.org": ORG},
        "in-addr.arpa",
        ["127.2.0.192 host.example.org.", "128.2.0.192 60 example.org."],
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
    "IPv6 at another digit": (
        [LIVE],
        "0.8.b.d.0.1.0.0.2.ip6.arpa",
        [f"{'2' + '.0' * 22} 7200 six.example.net."],
    ),
    "one zone as it is read": (LIVE, NET, ["1 7200 www.example.net.", "255 7200 www.example.net."]),
    "a zone of dns_zones": (
        [{"zone": "example.org", "records": ORG}],
        NET,
        ["127 host.example.org.", "128 60 example.org."],
    ),
    "a zone with its file": (
        [{"zone": "example.com", "records": COM}],
        f"192-207.{NET}",
        ["200 3600 mail.example.com."],
    ),
    "lists in a list": (
        [[LIVE], [[]]],
        NET,
        ["1 7200 www.example.net.", "255 7200 www.example.net."],
    ),
    "nothing": ([], NET, []),
}


@named_rows("row", HELD)
def test_what_a_reverse_zone_holds(row):
    given_zones, reverse, expected = row
    assert lines(given_zones, reverse) == expected


@pytest.mark.parametrize(
    "held, reverse, message",
    [
        (
            {"example.com": COM},
            "192.0.2.in-addr.arpa",
            (
                "Zone 192.0.2.in-addr.arpa: none of the addresses is from 2.0.192.0 to 2.0.192.255: is its "
                "name spelled correctly?"
            ),
        ),
        (
            [LIVE],
            "2.0.0.1.0.d.b.8.ip6.arpa",
            (
                "Zone 2.0.0.1.0.d.b.8.ip6.arpa: none of the addresses is from 8bd0:1002:: to "
                "8bd0:1002:ffff:ffff:ffff:ffff:ffff:ffff: is its name spelled correctly?"
            ),
        ),
        ({"example.com": COM}, NET, ""),
        ({"example.com": "$TTL 60\nwww TXT x"}, NET, ""),
        ([], "192.0.2.in-addr.arpa", ""),
    ],
)
def test_a_zone_for_none_of_the_addresses_is_told(monkeypatch, held, reverse, message):
    warnings = []
    monkeypatch.setattr(Display, "warning", lambda _self, text: warnings.append(text))
    ptr_records(held, reverse)
    assert warnings == [message] * bool(message)


def test_the_records_are_entries_and_the_finding_tells_of_two_names():
    records = ptr_records({"example.com": COM}, NET)
    assert records[0] == {
        "name": "1.2.0.192.in-addr.arpa.",
        "type": "PTR",
        "content": ["example.com.", "www.example.com."],
        "ttl": 300,
    }
    assert [(one["rule"], one["severity"], one["name"]) for one in findings(records, NET)] == [
        ("ptr-several", "info", "1.2.0.192.in-addr.arpa.")
    ]


SEVERAL = {
    "example.com": "$TTL 60\nwww A 192.0.2.1\n@ 300 A 192.0.2.1\nh1.hosts 900 A 192.0.2.1\nb\u00fccher A 192.0.2.2",
    "example.net": [{"name": "h2.hosts", "type": "A", "content": ["192.0.2.1"]}],
}
OPEN = "prefer does not say which name is canonical, so the first one is used: "

# Each row: what is preferred, the entries of 192.0.2.1 and .2, and what people are told.
PREFERRED = {
    "nothing": (
        None,
        ["1 60 example.com. h1.hosts.example.com. h2.hosts.example.net. www.example.com."],
        "",
    ),
    "a glob that one name meets": (["*.hosts.example.com"], ["1 900 h1.hosts.example.com."], ""),
    "a name with its final dot, in capitals": ("WWW.Example.COM.", ["1 60 www.example.com."], ""),
    "the first glob that meets any": (["x.*", "example.com", "www.*"], ["1 300 example.com."], ""),
    "a TTL that nobody says": (["*.net"], ["1 h2.hosts.example.net."], ""),
    "several names": (
        ["*.hosts.*"],
        ["1 900 h1.hosts.example.com."],
        f"{OPEN}192.0.2.1 gets h1.hosts.example.com. of h1.hosts.example.com., h2.hosts.example.net.",
    ),
}


@named_rows("row", PREFERRED)
def test_the_name_that_is_preferred(row, monkeypatch):
    prefer, first, warning = row
    warnings = []
    monkeypatch.setattr(Display, "warning", lambda _self, text: warnings.append(text))
    found = [
        " ".join(
            [
                one["name"].split(".")[0],
                *([str(one["ttl"])] if "ttl" in one else []),
                *one["content"],
            ]
        )
        for one in ptr_records(SEVERAL, NET, prefer=prefer)
    ]
    assert found == [*first, "2 60 xn--bcher-kva.example.com."]
    assert warnings == [f"Zone {NET}: {warning}"] * bool(warning)


def test_an_internationalized_name_is_preferred_in_either_spelling():
    held = {"example.com": "$TTL 60\nb\u00fccher A 192.0.2.1\na A 192.0.2.1"}
    for glob in ("b\u00fc*", "xn--*"):
        assert ptr_records(held, NET, prefer=[glob])[0]["content"] == ["xn--bcher-kva.example.com."]


@pytest.mark.parametrize("prefer", [7, {"a": 1}, [7], [None]])
def test_what_is_no_preference(prefer):
    with pytest.raises(
        AnsibleFilterError, match=r"^ptr_records takes prefer as a list of globs for names$"
    ):
        ptr_records(SEVERAL, NET, prefer=prefer)


RELATIVE = "write the name with its final dot, or give a dictionary of zone names and their records"
NO_REVERSE_ZONE = "it is not a reverse zone, such as 2.0.192.in-addr.arpa, 0/25.2.0.192.in-addr.arpa or 8.b.d.0.1.0.0.2.ip6.arpa"
FORMS = "ptr_records takes a dictionary of zone names and their records, or a list of record sets"
DEEP = []
for _ in range(3000):
    DEEP = [DEEP]
ENDLESS = []
ENDLESS.append(ENDLESS)
TOO_DEEP = "the lists of records are nested too deeply"

ERRORS = {
    "no reverse zone": ([], "example.com", f"Zone example.com: {NO_REVERSE_ZONE}"),
    "a word in it": ([], "a.192.in-addr.arpa", f"Zone a.192.in-addr.arpa: {NO_REVERSE_ZONE}"),
    "a leading zero": (
        [],
        "02.0.192.in-addr.arpa",
        f"Zone 02.0.192.in-addr.arpa: {NO_REVERSE_ZONE}",
    ),
    "too many digits": (
        [],
        f"{'0.' * 33}ip6.arpa",
        f"Zone {'0.' * 33}ip6.arpa: {NO_REVERSE_ZONE}",
    ),
    "a prefix that begins elsewhere": (
        [],
        f"1/25.{NET}",
        f"Zone 1/25.{NET}: {NO_REVERSE_ZONE}",
    ),
    "a range backwards": (
        [],
        f"9-1.{NET}",
        f"Zone 9-1.{NET}: {NO_REVERSE_ZONE}",
    ),
    "a range that is too long": (
        [],
        f"0-256.{NET}",
        f"Zone 0-256.{NET}: {NO_REVERSE_ZONE}",
    ),
    "a range or a prefix, where RFC 2317 and RFC 4183 differ": (
        [],
        f"0-25.{NET}",
        (
            f"Zone 0-25.{NET}: 0-25 may be the network 0/25 (RFC 4183) or the numbers from 0 to 25 (RFC 2317): "
            "for the network, write 0/25"
        ),
    ),
    "a range or a prefix that does not begin at 0": (
        [],
        f"4-30.{NET}",
        (
            f"Zone 4-30.{NET}: 4-30 may be the network 4/30 (RFC 4183) or the numbers from 4 to 30 (RFC 2317): "
            "for the network, write 4/30"
        ),
    ),
    "a prefix as in RFC 4183": (
        [],
        f"128-27.{NET}",
        f"Zone 128-27.{NET}: {NO_REVERSE_ZONE}",
    ),
    "a range of networks": (
        [],
        "0-15.168.192.in-addr.arpa",
        f"Zone 0-15.168.192.in-addr.arpa: {NO_REVERSE_ZONE}",
    ),
    "no name": ([], 5, "ptr_records takes the name of the zone"),
    "a text": (
        COM,
        NET,
        FORMS,
    ),
    "a text in a list": (
        [COM],
        NET,
        f"Zone {NET}: a record must be a dictionary; give the text of a zone file as the value of its zone's name",
    ),
    "a relative name": (
        ORG,
        NET,
        f"Zone {NET}: host a cannot be used: its zone is unknown; {RELATIVE}",
    ),
    "a zone of nothing": (
        {"example.com": None},
        NET,
        "Zone example.com: a zone is a list of records, or the text of a zone file",
    ),
    "lists in lists": (DEEP, NET, f"Zone {NET}: {TOO_DEEP}"),
    "a name of lists in lists": (
        [{"name": DEEP, "type": "A", "content": ["192.0.2.1"]}],
        NET,
        f"Zone {NET}: a record is a dictionary with name, type, ttl and content",
    ),
    "a zone without a name": ([{"records": []}], NET, "ptr_records takes the name of the zone"),
}


@named_rows("row", ERRORS)
def test_errors(row):
    given_zones, reverse, message = row
    with pytest.raises(AnsibleFilterError) as raised:
        ptr_records(given_zones, reverse)
    assert str(raised.value) == message


@settings(
    max_examples=-(-INPUTS // 10) or some(200), derandomize=not INPUTS, database=None, deadline=None
)
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
        ("in-addr.arpa.", True),
        ("8.b.d.0.1.0.0.2.ip6.arpa.", True),
        ("ip6.arpa.", True),
        ("xin-addr.arpa.", False),
        ("xip6.arpa.", False),
        ("arpa.", False),
    ],
)
def test_which_zones_are_reverse(zone, expected):
    assert is_reverse(zone) == expected


def test_the_last_network():
    assert reverse_zone("255.0.192.in-addr.arpa.").last == IPv4Address("192.0.255.255")
