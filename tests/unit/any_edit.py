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
    "CAA": ['0 issue "other.example.net"'],
    "SRV": ["0 9 5060 sip.example.com."],
    "CNAME": ["elsewhere.example.net.", "www.example.com."],
    "PTR": ["host.example.com."],
    "HTTPS": ['1 www.example.com. alpn="h2,h3"'],
    "ALIAS": ["x;y.example.net.", "lb.example.com."],
    "TLSA": ["3 1 1 " + "ef" * 32],
    "SSHFP": ["4 2 " + "ab" * 32],
}
NAMES = [
    "new",
    "www2",
    "a.b.c",
    r"x\.y",
    "*.new",
    "_sip._tcp.new",
    "@",
    "zzz",
    "0",
    "mail.eu",
    "lab-2",
]


def zone_of(text):
    return [
        {"name": one["name"], "type": one["type"], "ttl": one["ttl"], "contents": one["content"]}
        for one in read_zone_file(text, ZONE)
    ]


class Edit:
    """A zone that somebody has changed by hand, by the numbers of *seed*."""

    def __init__(self, zone, seed, *, of_bind=False):
        # A CNAME beside other data, or a type of a service, is no zone to BIND.
        self.types = sorted(VALUES.keys() - {"ALIAS", "CNAME"} if of_bind else VALUES)
        self.random = random.Random(seed)  # noqa: S311 - the same edits each time
        self.zone = copy.deepcopy(zone)
        for _edit in range(self.random.randint(1, 4)):
            self.random.choice(
                [self._add, self._remove, self._values, self._values, self._values, self._ttl]
            )()

    def _one(self):
        return self.random.choice(self.zone) if self.zone else None

    def _add(self):
        rdtype = self.random.choice(self.types)
        name = self.random.choice(
            [*(one["name"] for one in self.zone[:3]), *(f"{name}.{ZONE}" for name in NAMES)]
        )
        name = name.replace("@.", "")
        beside = [one["type"] for one in self.zone if one["name"] == name]
        if rdtype in beside or ("CNAME" not in self.types and "CNAME" in beside):
            return
        values = self.random.sample(
            VALUES[rdtype], self.random.randint(1, min(2, len(VALUES[rdtype])))
        )
        ttls = [5, 300, 3600, *(one["ttl"] for one in self.zone)]
        self.zone.append(
            {"name": name, "type": rdtype, "ttl": self.random.choice(ttls), "contents": values}
        )

    def _remove(self):
        if self.zone:
            self.zone.remove(self.random.choice(self.zone))

    def _values(self):
        one = self._one()
        if not one or one["type"] not in self.types:
            return
        kept = self.random.sample(one["contents"], self.random.randint(0, len(one["contents"])))
        more = self.random.sample(
            VALUES[one["type"]], self.random.randint(0, 2) if len(VALUES[one["type"]]) > 1 else 1
        )
        one["contents"] = list(dict.fromkeys([*kept, *more])) or one["contents"]

    def _ttl(self):
        if one := self._one():
            one["ttl"] = self.random.choice([0, 5, 300, 7200, 5400, 2**31 - 1])


def edited(text, zone):
    """The file with that zone; None where it says why it has to be edited by hand."""
    try:
        return written_over(text, ZONE, zone)[0]
    except InvalidZoneFile as error:
        if "makes it with $GENERATE" not in str(error):
            raise
        return None
