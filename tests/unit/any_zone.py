# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Any zone that a service can show: every byte in names and texts, and types of every kind."""

import dns.name
from hypothesis import strategies as st

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import owner_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import canonical

ZONE = "example.com."
SIGNATURE = "A 13 2 300 20300101000000 20200101000000 1 example.com. AAAA"


def as_sets(records, zone=ZONE):
    """Entries, or what a reading shows, to be compared: without the order of sets and values, and spellings."""
    return {
        (owner_name(record["name"], zone), record["type"]): (
            record["ttl"],
            frozenset(
                canonical(record["type"], value, zone)
                for value in record.get("contents") or record["content"]
            ),
        )
        for record in records
    }


label = st.one_of(
    st.sampled_from(
        [b"www", b"_dmarc", b"*", b"a", b"in", b"300", b"@", b"$TTL", b"xn--bcher-kva"]
    ),
    st.binary(min_size=1, max_size=63).map(bytes.lower),
)
owner = st.lists(label, max_size=3).map(
    lambda labels: (
        dns.name.Name((*labels, *dns.name.from_text(ZONE).labels)).canonicalize().to_text()
    )
)
# Some below the zone, which a file has as relative names.
elsewhere = st.from_regex(
    r"([a-z_][a-z0-9_-]{0,9}|a\\\.b|\*)(\.[a-z][a-z0-9-]{0,9}){1,2}\.", fullmatch=True
)
host = st.one_of(
    elsewhere,
    elsewhere.map(lambda name: name + ZONE),
    st.sampled_from(
        [
            ZONE,
            rf"\@.{ZONE}",
            rf"\$ttl.{ZONE}",
            rf"a\.b.{ZONE}",
            rf"\000\255\;\".{ZONE}",
            f"1.{ZONE}",
        ]
    ),
)
number = st.integers(0, 65535)
ttl = st.integers(0, 2**31 - 1).filter(
    lambda seconds: seconds != 1
)  # which is automatic, where all TTLs are so
opaque = st.from_regex(r"[!-~]([ \t!-~äß\u4e2d]{0,40}[!-~])?", fullmatch=True).filter(
    lambda text: "*" * 8 not in text
)


def quoted(data):
    return '"' + "".join(f"\\{byte:03d}" for byte in data) + '"'


strings = st.binary(max_size=255).map(quoted)
values_of = {
    "A": st.ip_addresses(v=4).map(str),
    "AAAA": st.ip_addresses(v=6).map(str),
    "TXT": st.lists(strings, min_size=1, max_size=3).map(" ".join),
    "CNAME": host,
    "NS": host,
    "MX": st.builds("{} {}".format, number, host),
    "SRV": st.builds("{} {} {} {}".format, number, number, number, host),
    "CAA": st.builds("{} issue {}".format, st.integers(0, 255), strings),
    "NAPTR": st.builds("{} {} {} {} {} {}".format, number, number, strings, strings, strings, host),
    "TLSA": st.builds("3 1 1 {}".format, st.binary(min_size=32, max_size=32).map(bytes.hex)),
    "TYPE65333": st.binary(min_size=1, max_size=40).map(
        lambda data: rf"\# {len(data)} {data.hex()}"
    ),
    "ALIAS": host,
    "X-OPAQUE": opaque,
    "RP": st.builds("{} {}".format, host, host),
    "SVCB": st.builds("{} {}".format, st.integers(1, 9), host),
}


@st.composite
def zones(draw):
    keys = draw(
        st.lists(st.tuples(owner, st.sampled_from(sorted(values_of))), max_size=8, unique=True)
    )
    return [
        {
            "name": name,
            "type": rdtype,
            "ttl": draw(ttl),
            "content": draw(st.lists(values_of[rdtype], min_size=1, max_size=3)),
        }
        for name, rdtype in keys
        if (name, rdtype) != (ZONE, "NS")
    ]


def rows(*lines):
    """Record sets from lines of ``<relative name> <TTL> <type> <value>``."""
    parts = [line.split(" ", 3) for line in lines]
    return [
        {"name": name, "ttl": int(ttl), "type": rdtype, "contents": [value]}
        for name, ttl, rdtype, value in parts
    ]
