# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone files that somebody edits by chance: one edit for each seed."""

import copy
import random

from any_zone_file import ZONE
from one_file import read_zone_file, written_over

from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import (
    InvalidZoneFile,
)

VALUES = {
    "A": ["192.0.2.77", "192.0.2.78", "192.0.2.1"],
    "AAAA": ["2001:db8::77", "2001:db8::78"],
    "TXT": ['"v=spf1 -all"', '"a;b (c"', '"' + "x" * 255 + '" "tail"', r'"\000\255"', '""'],
    "MX": ["5 mail.example.com.", "15 mx.example.net.", "10 example.com."],
    "SRV": ["0 9 5060 sip.example.com."],
    "CNAME": ["elsewhere.example.net.", "www.example.com."],
    "HTTPS": ['1 www.example.com. alpn="h2,h3"'],
    "ALIAS": ["x;y.example.net.", "lb.example.com."],
}
OF_BIND = VALUES.keys() - {"ALIAS", "CNAME"}
"""A CNAME beside other data, or a type of a service, is no zone to BIND."""
NAMES = ["new", "www2", "a.b.c", r"x\.y", "*.new", "_sip._tcp.new", "zzz", "0", "mail.eu"]


def zone_of(text):
    return [
        {"name": one["name"], "type": one["type"], "ttl": one["ttl"], "contents": one["content"]}
        for one in read_zone_file(text, ZONE)
    ]


def edited_zone(zone, seed, types=VALUES):
    """A zone that somebody has changed by hand, by the numbers of *seed*, in sets of these types."""
    chance = random.Random(seed)  # noqa: S311 - the same edits each time
    zone = copy.deepcopy(zone)
    for _edit in range(chance.randint(1, 4)):
        chance.choice([add, remove, change_values, change_values, change_ttl])(zone, chance, types)
    return zone


def add(zone, chance, types):
    rdtype = chance.choice(sorted(types))
    there = [one["name"] for one in zone[:3]]
    name = chance.choice([*there, ZONE, *(f"{name}.{ZONE}" for name in NAMES)])
    beside = [one["type"] for one in zone if one["name"] == name]
    if rdtype in beside or ("CNAME" in beside and "CNAME" not in types):
        return
    values = chance.sample(VALUES[rdtype], chance.randint(1, min(2, len(VALUES[rdtype]))))
    ttl = chance.choice([5, 300, 3600, *(one["ttl"] for one in zone)])
    zone.append({"name": name, "type": rdtype, "ttl": ttl, "contents": values})


def remove(zone, chance, _types):
    if zone:
        zone.remove(chance.choice(zone))


def change_values(zone, chance, types):
    changeable = [one for one in zone if one["type"] in types]
    if changeable:
        one = chance.choice(changeable)
        kept = chance.sample(one["contents"], chance.randint(0, len(one["contents"])))
        one["contents"] = list(dict.fromkeys([*kept, chance.choice(VALUES[one["type"]])]))


def change_ttl(zone, chance, _types):
    if zone:
        chance.choice(zone)["ttl"] = chance.choice([0, 5, 300, 7200, 5400, 2**31 - 1])


def edited(text, zone):
    """The file with that zone; None where it says why it has to be edited by hand."""
    try:
        return written_over(text, ZONE, zone)
    except InvalidZoneFile as error:
        if "makes it with $GENERATE" not in str(error):
            raise
        return None
