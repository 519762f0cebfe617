# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The quick way to read plain lines: each file says the same with it and without it, and which lines it takes."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from any_zone_file import ZoneFile
from examples import some

from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile import collected as _collected
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile import plain_lines as _plain_lines
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.included import Included, Source, Where
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.plain_lines import PlainLines
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_file import (
    InvalidZoneFile,
    read_zone_file,
    read_zone_parts,
)

ZONE = "example.com."
APEX_IN_CLASSLESS = "0/25.2.0.192.in-addr.arpa."
INCLUDED = "more"
NOTHING_IS_PLAIN = re.compile(r"(?!)")


def taken(text: str, zone: str = ZONE, origin: str = ZONE, last: str = ZONE) -> list[str]:
    """What the quick way takes of a text, as lines."""
    return [
        f"{line.number}: {line.owner} {line.ttl} {line.type} {line.value}"
        for line in PlainLines(text, zone).following(0, 1, origin, last)
    ]


TAKES = {
    "an address": ("www 300 IN A 192.0.2.1", "www.example.com. 300 A 192.0.2.1"),
    "no TTL, no class": ("www A 192.0.2.1", "www.example.com. None A 192.0.2.1"),
    "tabs": ("www\t300\tA\t192.0.2.1\t", "www.example.com. 300 A 192.0.2.1"),
    "a comment": ("www 300 A 192.0.2.1; \x0b grün \\", "www.example.com. 300 A 192.0.2.1"),
    "no name": ("  300 A 192.0.2.1", "example.com. 300 A 192.0.2.1"),
    "the zone": ("@ A 192.0.2.1", "example.com. None A 192.0.2.1"),
    "a whole name": ("WWW.Example.COM. A 192.0.2.1", "www.example.com. None A 192.0.2.1"),
    "a name that looks like a TTL": ("300 300 A 192.0.2.1", "300.example.com. 300 A 192.0.2.1"),
    "a name that looks like a class": ("IN IN A 192.0.2.1", "in.example.com. None A 192.0.2.1"),
    "a wildcard": ("*.a_b A 192.0.2.1", "*.a_b.example.com. None A 192.0.2.1"),
    "IPv6": ("www AAAA 2001:DB8:0::1", "www.example.com. None AAAA 2001:db8::1"),
    "IPv6 that holds IPv4": ("www AAAA ::ffff:c000:201", "www.example.com. None AAAA ::ffff:192.0.2.1"),
    "an alias": ("a CNAME WWW", "a.example.com. None CNAME www.example.com."),
    "an alias of the zone": ("a CNAME @", "a.example.com. None CNAME example.com."),
    "a pointer": ("1 PTR Host.example.NET.", "1.example.com. None PTR host.example.net."),
    "mail": ("@ 1 MX 10 mail", "example.com. 1 MX 10 mail.example.com."),
    "mail at the highest preference": ("@ MX 65535 m.", "example.com. None MX 65535 m."),
    "a text": ("a TXT \"v=x; p ('1')\"", "a.example.com. None TXT \"v=x; p ('1')\""),
    "an empty text": ('a TXT ""', 'a.example.com. None TXT ""'),
    "the longest text": (f'a TXT "{"x" * 255}"', f'a.example.com. None TXT "{"x" * 255}"'),
    "the highest TTL": ("a 2147483647 A 192.0.2.1", "a.example.com. 2147483647 A 192.0.2.1"),
}
LEAVES = {
    "a directive": "$TTL 300",
    "an escape in a name": r"a\.b A 192.0.2.1",
    "a U-label": "grün A 192.0.2.1",
    "a name outside": "www.example.net. A 192.0.2.1",
    "a name that only ends as the zone does": "notexample.com. A 192.0.2.1",
    "an empty label": "a..b A 192.0.2.1",
    "a name that begins with a dot": ".a A 192.0.2.1",
    "a long label": f"{'a' * 64} A 192.0.2.1",
    "a long name": f"{'a.' * 122} A 192.0.2.1",
    "the zone with a word before it": "@.a A 192.0.2.1",
    "a TTL with a unit": "a 5m A 192.0.2.1",
    "the class before the TTL": "a IN 300 A 192.0.2.1",
    "another class": "a CH A 192.0.2.1",
    "a type in lower case": "a a 192.0.2.1",
    "another type": "a NS ns1",
    "an octet that begins with 0": "a A 192.0.2.01",
    "an octet above 255": "a A 192.0.2.256",
    "a word too many": "a A 192.0.2.1 192.0.2.2",
    "IPv6 that is none": "a AAAA 2001:db8:::1",
    "IPv6 with IPv4 in it": "a AAAA ::ffff:192.0.2.1",
    "a parenthesis": "a A ( 192.0.2.1 )",
    "an address as a host": "a CNAME 192.0.2.1",
    "an address as a host, with its dot": "a CNAME 192.0.2.1.",
    "the root as a host": "@ MX 0 .",
    "an empty label in a host": "a CNAME b..c",
    "a port": "a CNAME b:80",
    "a preference that begins with 0": "@ MX 010 mail",
    "a preference above 65535": "@ MX 65536 mail",
    "a text without quotes": "a TXT x",
    "two texts": 'a TXT "x" "y"',
    "two texts without a blank": 'a TXT "x""y"',
    "an escape in a text": r'a TXT "\""',
    "a text that is not ASCII": 'a TXT "grün"',
    "a tab in a text": 'a TXT "a\tb"',
    "a long text": f'a TXT "{"x" * 256}"',
    "a text that ends elsewhere": 'a TXT "x\n"',
}


@pytest.mark.parametrize(("line", "record"), TAKES.values(), ids=TAKES)
def test_takes_a_plain_line(line: str, record: str) -> None:
    assert taken(f"; first\n\n{line}\n") == [f"3: {record}"]


@pytest.mark.parametrize("line", LEAVES.values(), ids=LEAVES)
def test_leaves_any_other_line_and_what_follows(line: str) -> None:
    assert taken(f"b 1 A 192.0.2.1\n{line}\nc A 192.0.2.1\n") == ["1: b.example.com. 1 A 192.0.2.1"]


def test_leaves_a_line_that_does_not_end() -> None:
    assert taken("a A 192.0.2.1") == []


@pytest.mark.parametrize(
    ("origin", "name"),
    [(".", "a."), ("Eu.example.com.", "a.eu.example.com."), (r"a\.b.example.com.", None), ("example.net.", None)],
)
def test_names_are_relative_to_the_origin(origin: str, name: str | None) -> None:
    zone = "a." if origin == "." else ZONE
    assert taken("a A 192.0.2.1\n", zone, origin) == ([f"1: {name} None A 192.0.2.1"] if name else [])


def test_a_line_without_a_name_belongs_to_the_last_one() -> None:
    text = "  1 A 192.0.2.1\nb A 192.0.2.2\n\tAAAA ::1\n"
    assert [line.partition(" ")[2].partition(" ")[0] for line in taken(text, last="Last.example.com.")] == [
        "last.example.com.",
        "b.example.com.",
        "b.example.com.",
    ]


# Both ways


def said(parts: list[str], included: str, zone: str, default_ttl: int | None) -> dict[str, Any]:
    """All that reading the parts of a zone tells."""
    warnings: list[str] = []
    begins: list[Where] = []
    owned: dict[tuple[str, str], list[str]] = {}
    told: dict[str, Any] = {"warnings": warnings, "begins": begins, "owned": owned}
    sources = [Source(f"zones/{number}.zone", text) for number, text in enumerate(parts)]
    follows = Included(zone, "zones", {INCLUDED: {"text": included}})
    try:
        told["entries"] = read_zone_parts(
            sources,
            zone,
            warnings,
            place="zones",
            included=follows,
            default_ttl=default_ttl,
            begins=begins,
            owned=owned,
        )
    except InvalidZoneFile as error:
        told["error"] = str(error)
    # What is in a dictionary is in an order too.
    return {name: [*items.items()] if isinstance(items, dict) else items for name, items in told.items()}


def mutated(text: str, chance: random.Random) -> str:
    """A file with a few slips: letters gone, doubled, or others; lines gone, moved, or twice."""
    for _slip in range(chance.randint(1, 6)):
        at = chance.randrange(len(text) + 1)
        cut = chance.choice([0, 0, 1, 1, 2, 9])
        lines = text.split("\n")
        one, other = (chance.randrange(len(lines)) for _line in range(2))
        text = chance.choice(
            [
                text[:at] + chance.choice(SLIPS) + text[at + cut :],
                text[:at] + chance.choice(SLIPS) + text[at + cut :],
                text[:at] + text[at + cut :],
                "\n".join([*lines[:one], lines[other], *lines[one:]]),
            ]
        )
    return text


SLIPS = [
    *' \t\n\r"\\();$@.*:/0aAé\x00\x0b\ufeff\u2028',
    *("\n\n", "..", ".\n", " IN ", " CH ", " 300 ", " 4294967296 ", " 2147483648 ", "1h", '""', "\\065", "\\300"),
    *("\n$ORIGIN a\n", "\n$ORIGIN .\n", "\n$ORIGIN example.net.\n", "\n$TTL 60\n", "\n$TTL 4000000000\n", "\n  "),
    *("\n<<<<<<< HEAD\n", "192.0.2.1", "::1", "x" * 64, "x" * 256, "a." * 127, "\n@ SOA a b 1 2 3 4 5\n", "xn--a"),
    *(f"\n$INCLUDE {INCLUDED}\n", f"\n$INCLUDE {INCLUDED} eu\n", "\n$INCLUDE none\n"),
    *("\nw 60 IN A 192.0.2.1\n", "\nW A 192.0.2.2\n A 192.0.2.3\n", '\nt TXT "a" ; b\n', "\nm MX 10 w\n", "\n;"),
    *("\na 5 IN ALIAS b.example.net.\n", "\n$GENERATE 1-2 g$ A 192.0.2.$\n A 192.0.2.9\n", "\nc CNAME W.\n"),
]


def plainly(chance: random.Random) -> str:
    """A file of mostly plain lines, in which sets have several TTLs and runs."""
    lines = [chance.choice(["$TTL 1h", "", "@ 5 SOA ns h 1 2 3 4 77", "@ SOA ns h 1 2 3 4 77"])]
    makers: list[Callable[[], str]] = [
        lambda: f"A 192.0.2.{chance.randrange(300)}",
        lambda: f"A {chance.randrange(9)}.0.02.{chance.randrange(3)}",
        lambda: f"AAAA {chance.choice(['::1', '2001:DB8::', '1:2:3:4:5:6:7:8', '::ffff:102:304', '1::2::3', ':1'])}",
        lambda: f"CNAME {chance.choice(HOSTS)}",
        lambda: f"PTR {chance.choice(HOSTS)}",
        lambda: f"MX {chance.choice(['0', '7', '007', '65535', '65536', '-1', ''])} {chance.choice(HOSTS)}",
        lambda: f'TXT "{"".join(chance.choices(TEXT, k=chance.randrange(6)))}"',
        lambda: f"NS {chance.choice(HOSTS)}",
    ]
    for _line in range(chance.randint(1, 12)):
        words = [chance.choice(OWNERS), chance.choice(["", "", "60", "300", "0300", "1h"]), chance.choice(["", "IN"])]
        end = chance.choice(["", "", "", " ", "; x", "\t;", " )"])
        between = chance.choice([" ", "\t", "  "])
        lines.append(between.join([*words, chance.choice(makers)()]) + end)
    return "\n".join(lines) + chance.choice(["", "\n"])


OWNERS = [
    "",
    "",
    "www",
    "WWW",
    "@",
    "a",
    "300",
    "IN",
    "A",
    "*",
    "a.b.",
    "x.example.com.",
    "X.Example.Com.",
    "1",
    "a..b",
]
HOSTS = ["www", "WWW.Example.com.", "@", ".", "a.b", "1", "1.", "192.0.2.1", "192.0.2.1.", "a,b", "x-", "_a", "*.b"]
TEXT = [*"ab1;() '=$@~!", "\\;", '"', "\\", "é", "\t"]


def written(seed: int, chance: random.Random) -> str:
    text = plainly(chance) if chance.random() < 0.7 else ZoneFile(seed).text
    return text if chance.random() < 0.3 else mutated(text, chance)


@pytest.mark.parametrize("begin", range(0, some(1500), 100))
def test_a_file_says_the_same_both_ways(begin: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(begin, begin + 100):
        chance = random.Random(seed)  # noqa: S311 - the same file each time
        parts = [written(seed, chance) for _part in range(chance.choice([1, 1, 1, 2]))]
        zone = chance.choice([ZONE, ZONE, ZONE, "com.", "eu.example.com.", APEX_IN_CLASSLESS])
        asked = (parts, written(seed, chance), zone, chance.choice([None, None, 900]))
        quickly = said(*asked)
        with monkeypatch.context() as patched:
            patched.setattr(_plain_lines, "_LINE", NOTHING_IS_PLAIN)
            assert quickly == said(*asked), f"seed {seed}: {asked}"


def test_the_files_have_plain_lines_and_others() -> None:
    """Else the test before would say nothing."""
    counted = Counter[str]()
    for seed in range(200):
        chance = random.Random(seed)  # noqa: S311 - the same file each time
        for line in filter(None, plainly(chance).split("\n")):
            counted.update(record.split()[3] for record in taken(f"{line}\n") or ["1: a 1 others"])
    assert min(counted[kind] for kind in ("A", "AAAA", "CNAME", "PTR", "MX", "TXT", "others")) > 10


def test_more_records_than_a_file_can_have_are_refused_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_collected, "MAX_RECORDS", 2)
    with pytest.raises(InvalidZoneFile, match=r"line 4 of the zone file .*the file has more than 2 records"):
        read_zone_file("$TTL 1\n" + "".join(f"a{n} A 192.0.2.1\n" for n in range(1, 4)), ZONE)


def test_a_plain_file_is_read_without_dnspython(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dns.rdata.from_text", None)
    text = "$TTL 300\n" + "".join(f"host{n} A 192.0.2.{n}\n" for n in range(99)) + 'a TXT "x"\n@ MX 10 a\nb CNAME a\n'
    assert len(read_zone_file(text, ZONE)) == 102
