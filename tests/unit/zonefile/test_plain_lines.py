# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The quick way to read plain lines: each file says the same with it and without it, and which lines it takes."""

import random

import pytest
from any_zone_file import ZoneFile
from examples import some
from one_file import read_zone_file

from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile import zone_file as _zone_file
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import (
    InvalidZoneFile,
    Source,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.included import Included
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_file import (
    read_zone_parts,
)

ZONE = "example.com."
APEX_IN_CLASSLESS = "0/25.2.0.192.in-addr.arpa."
INCLUDED = "more"


def outcome(parts, included, zone, default_ttl):
    """All that reading the parts of a zone tells."""
    warnings = []
    sources = [Source(f"zones/{number}.zone", text) for number, text in enumerate(parts)]
    follows = Included("zones", {INCLUDED: {"text": included}})
    try:
        reading = read_zone_parts(
            sources, zone, warnings, place="zones", included=follows, default_ttl=default_ttl
        )
    except InvalidZoneFile as error:
        return warnings, str(error)
    # What is in a dictionary is in an order too.
    return warnings, [*reading.sets.items()], [*reading.owned.items()], reading.records


def mutated(text, chance):
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
    *' \t\n\r"\\();$@.*:/0aAé\x00\ufeff\u2028',
    "\n\n",
    "..",
    " CH ",
    " 300 ",
    " 4294967296 ",
    "1h",
    '""',
    "\\065",
    "\\300",
    "\n$ORIGIN a\n",
    "\n$ORIGIN example.net.\n",
    "\n$TTL 60\n",
    "\n  ",
    "x" * 64,
    "x" * 256,
    "a." * 127,
    "xn--a",
    f"\n$INCLUDE {INCLUDED} eu\n",
    "\nw 60 IN A 192.0.2.1\n",
    "\nW A 192.0.2.2\n A 192.0.2.3\n",
    '\nt TXT "a" ; b\n',
    "\n$GENERATE 1-2 g$ A 192.0.2.$\n A 192.0.2.9\n",
    "\nc CNAME W.\n",
]


def plainly(chance):
    """A file of mostly plain lines, in which sets have several TTLs and runs."""
    lines = [chance.choice(["$TTL 1h", "", "@ 5 SOA ns h 1 2 3 4 77", "@ SOA ns h 1 2 3 4 77"])]
    for _line in range(chance.randint(1, 12)):
        words = [
            chance.choice(OWNERS),
            chance.choice(["", "", "60", "300", "0300", "1h"]),
            chance.choice(["", "IN"]),
            type_and_value(chance),
        ]
        between = chance.choice([" ", "\t", "  "])
        lines.append(between.join(words) + chance.choice(["", "", "", " ", "; x", "\t;", " )"]))
    return "\n".join(lines) + chance.choice(["", "\n"])


def type_and_value(chance):
    address = chance.choice(["::1", "2001:DB8::", "1:2:3:4:5:6:7:8", "::ffff:102:304", "1::2::3"])
    host = chance.choice(HOSTS)
    text = "".join(chance.choices(TEXT, k=chance.randrange(6)))
    return chance.choice(
        [
            f"A 192.0.2.{chance.randrange(300)}",
            f"A {chance.randrange(9)}.0.02.1",
            f"AAAA {address}",
            f"CNAME {host}",
            f"PTR {host}",
            f"MX {chance.choice(['0', '007', '65535', '65536', '-1', ''])} {host}",
            f'TXT "{text}"',
            f"NS {host}",
        ]
    )


OWNERS = ["", "", "www", "WWW", "@", "300", "IN", "*", "a.b.", "X.Example.Com.", "1", "a..b"]
HOSTS = ["www", "WWW.Example.com.", "@", ".", "a.b", "1.", "192.0.2.1.", "a,b", "x-", "_a", "*.b"]
TEXT = [*"ab1;() '=$@~!", "\\;", '"', "\\", "é", "\t"]


def written(seed, chance):
    text = plainly(chance) if chance.random() < 0.7 else ZoneFile(seed).text
    return text if chance.random() < 0.3 else mutated(text, chance)


@pytest.mark.parametrize("begin", range(0, some(1500), 100))
def test_a_file_says_the_same_both_ways(begin, monkeypatch):
    for seed in range(begin, begin + 100):
        chance = random.Random(seed)  # noqa: S311 - the same file each time
        parts = [written(seed, chance) for _part in range(chance.choice([1, 1, 1, 2]))]
        zone = chance.choice([ZONE, ZONE, ZONE, "com.", "eu.example.com.", APEX_IN_CLASSLESS])
        asked = (parts, written(seed, chance), zone, chance.choice([None, None, 900]))
        quickly = outcome(*asked)
        with monkeypatch.context() as patched:
            patched.setattr(_zone_file, "plain_value", lambda *_value: None)
            patched.setattr(_zone_file, "is_plain_name", lambda _name: False)
            assert quickly == outcome(*asked), f"seed {seed}: {asked}"


def test_a_plain_file_is_read_without_dnspython(monkeypatch):
    monkeypatch.setattr("dns.rdata.from_text", None)
    text = (
        "$TTL 300\n"
        + "".join(f"host{n} A 192.0.2.{n}\n" for n in range(99))
        + 'a TXT "x"\n@ MX 10 a\nb CNAME a\n'
    )
    assert len(read_zone_file(text, ZONE)) == 102
