# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone files as a person writes them: record sets in, the text out, and read again the same zone."""

import re

from any_zone import SIGNATURE, ZONE, as_sets, rows
from one_file import read_zone_file
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_text import (
    pretty_zone_file,
)

LONG = "v=DKIM1; k=rsa; p=" + "MIIB" * 80


def records_in(text):
    """The lines of a file but its directives and comments."""
    return [line for line in text.splitlines() if line and line[0] not in "$;"]


def test_a_whole_file():
    zone = rows(
        "@ 900 SOA ns1.example.net. hostmaster.example.net. 2026112401 7200 3600 1209600 300",
        "@ 3600 NS ns10.example.net.",
        "@ 3600 NS ns2.example.net.",
        "@ 3600 DNSKEY 257 3 13 AAAA",
        f"@ 300 RRSIG {SIGNATURE}",
        "@ 300 A 192.0.2.10",
        '@ 3600 TXT "v=spf1 mx -all"',
        "@ 3600 MX 20 mx.example.net.",
        "@ 3600 MX 5 mail.example.com.",
        "www 300 A 192.0.2.10",
        "_443._tcp.www 3600 CNAME tlsa.example.com.",
        "web10 300 A 192.0.2.110",
        "web2 300 A 192.0.2.102",
        "mail 3600 A 192.0.2.25",
        "lab 3600 NS ns.lab.example.com.",
        "ns.lab 3600 A 192.0.2.53",
        f'k1._domainkey 3600 TXT "{LONG}"',
        "shop 3600 ALIAS shops.example.net.",
    )
    assert pretty_zone_file(zone, ZONE) == (
        "$ORIGIN example.com.\n"
        "$TTL 3600\n"
        "\n"
        "; Left out, since the service writes them: SOA, NS at the apex, DNSSEC records\n"
        "\n"
        "@                    IN  MX     5 mail\n"
        "@                    IN  MX     20 mx.example.net.\n"
        "@               300  IN  A      192.0.2.10\n"
        '@                    IN  TXT    "v=spf1 mx -all"\n'
        "\n"
        "k1._domainkey        IN  TXT    (\n"
        f'    "{LONG[:255]}"\n'
        f'    "{LONG[255:]}"\n'
        ")\n"
        "\n"
        "lab                  IN  NS     ns.lab\n"
        "ns.lab               IN  A      192.0.2.53\n"
        "\n"
        "mail                 IN  A      192.0.2.25\n"
        "\n"
        "shop           3600  IN  ALIAS  shops.example.net.\n"
        "\n"
        "web2            300  IN  A      192.0.2.102\n"
        "web10           300  IN  A      192.0.2.110\n"
        "\n"
        "www             300  IN  A      192.0.2.10\n"
        "_443._tcp.www        IN  CNAME  tlsa\n"
    )


ORDERS = {
    "numbers as numbers": (["host10", "host9", "host2"], ["host2", "host9", "host10"]),
    "by the label from the right": (["a.z", "z.a", "b.a", "a"], ["a", "b.a", "z.a", "a.z"]),
    "the apex and a wildcard first": (["a", "*", "@", "*.a"], ["@", "*", "a", "*.a"]),
    "the zone's name twice": (
        ["b.example.com.example.com.", "a"],
        ["a", "b.example.com.example.com."],
    ),
    "a dot inside a label": ([r"a\.b", "b", r"b.b"], [r"a\.b", "b", "b.b"]),
}


@named_rows("names, expected", ORDERS)
def test_names_are_in_the_order_of_people(names, expected):
    text = pretty_zone_file(rows(*(f"{name} 5 A 192.0.2.1" for name in names)), ZONE)
    assert [line.split()[0] for line in records_in(text)] == expected


OF_A_NAME = f"""\
NS ns.example.net.
DS 1 13 2 {"0" * 64}
CNAME b.example.net.
DNAME c.example.net.
MX 10 b.example.net.
A 192.0.2.1
AAAA 2001:db8::1
HTTPS 1 .
SVCB 1 .
SRV 0 0 1 b.example.net.
PTR b.example.net.
TXT "x"
CAA 0 issue ";"
ALIAS b.example.net.
LOC 1 N 2 E 3m
"""


def test_types_of_a_name_are_in_the_order_of_people():
    """Those of the table, and others by letter."""
    values = OF_A_NAME.splitlines()
    text = pretty_zone_file(rows(*(f"a 5 {value}" for value in sorted(values))), ZONE)
    types = [re.search(r"IN +(\S+)", line)[1] for line in records_in(text)]
    assert types == [value.split()[0] for value in values]


PARAGRAPHS = {
    "nothing in common": (["mail", "www"], 2),
    "one below the other": (["www", "_443._tcp.www"], 1),
    "both below a third": (["a.dev", "b.dev"], 1),
    "one label but for a number": (["web2", "web10", "web11"], 1),
    "one part of a label": (["mail", "mail-old"], 2),
}


@named_rows("names, expected", PARAGRAPHS)
def test_a_blank_line_is_between_names_without_anything_in_common(names, expected):
    text = pretty_zone_file(rows(*(f"{name} 5 A 192.0.2.1" for name in names)), ZONE)
    assert len(text.split("\n\n")) == 1 + expected
    assert "\n\n\n" not in text


TTLS = {
    "most sets": (["a 60 A 192.0.2.1", "b 300 A 192.0.2.1", "c 300 A 192.0.2.1"], 300),
    "the highest of several": (["a 60 A 192.0.2.1", "b 300 A 192.0.2.1"], 300),
    "none of the service's": (
        ["@ 900 NS ns1.example.net.", f"a 901 RRSIG {SIGNATURE}", "a 5 A 192.0.2.1"],
        5,
    ),
}


@named_rows("lines, ttl", TTLS)
def test_the_ttl_of_most_sets_is_said_once(lines, ttl):
    text = pretty_zone_file(rows(*lines), ZONE)
    assert f"\n$TTL {ttl}\n" in text
    assert not [line for line in records_in(text) if str(ttl) in line.split()]


WRITTEN = {
    "a host below the zone": (ZONE, "x CNAME www.example.com.", "www"),
    "the zone itself": (ZONE, "x MX 10 example.com.", "10 @"),
    "a host whose name ends like the zone's": (ZONE, "x CNAME www.notexample.com.", "www.notexample.com."),
    "two hosts": (ZONE, "x RP a.example.com. b.c.example.com.", "a b.c"),
    "what looks like an address then": (ZONE, "x MX 1 192.0.2.1.example.com.", "1 192.0.2.1.example.com."),
    "the zone in a text": (ZONE, 'x TXT "www.example.com."', '"www.example.com."'),
    "a comment in a type that nobody knows": (ZONE, "x WEB a;b", r"a\;b"),
    "a name below a range": (
        "0/25.2.0.192.in-addr.arpa.", "1 PTR a.0/25.2.0.192.in-addr.arpa.", "a",
    ),
}  # fmt: skip


@named_rows("zone, line, written", WRITTEN)
def test_a_value_is_written_as_people_do(zone, line, written):
    name, rdtype, value = line.split(" ", 2)
    record = {"name": name, "ttl": 5, "type": rdtype, "contents": [value]}
    text = pretty_zone_file([record], zone)
    assert records_in(text)[0].split(f"IN  {rdtype}  ")[1] == written
    assert as_sets(read_zone_file(text, zone), zone) == as_sets([record], zone)


def test_an_owner_that_is_too_long_makes_no_room_for_the_others():
    text = pretty_zone_file(
        rows("a 5 A 192.0.2.1", f"{'b' * 41} 5 A 192.0.2.1", f"{'c' * 40} 5 A 192.0.2.1"), ZONE
    )
    assert {line.index("IN") for line in records_in(text)} == {42, 43}


def test_a_set_with_several_ttls_has_the_lowest():
    text = pretty_zone_file(
        rows("a 300 A 192.0.2.1", "a 60 A 192.0.2.2", "a 300 A 192.0.2.1"), ZONE
    )
    assert text == "$ORIGIN example.com.\n$TTL 60\n\na  IN  A  192.0.2.1\na  IN  A  192.0.2.2\n"


def test_an_empty_zone_has_its_origin_alone():
    assert pretty_zone_file([], ZONE) == "$ORIGIN example.com.\n"
    assert (
        pretty_zone_file([{"name": "a", "type": "A", "ttl": 5, "contents": []}], ZONE)
        == "$ORIGIN example.com.\n"
    )
