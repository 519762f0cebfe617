# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values that are canonical at a glance: which they are, and that reading them says the same."""

import random

import pytest
from examples import some

from ansible_collections.zonesmith.dns.plugins.module_utils._dns import rdata as _rdata
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    InvalidRdata,
    canonical,
)

ZONE = "example.com."


PARTS = [
    *("192.0.2.1", "0.0.0.", "256", "01.2.3.4", ".", "..", "@", "::1", "2001:DB8::", "1:2:3:4:5:6:7:8"),
    *("mail", "Mail.Example.com", ".com.", "-", "_", "*", "a/b", "0", "7", "65535", "65536"),
    *(":", "::ffff:1:2", " ", "\t", '"', "\\", ";", "("),
    *("é", "x" * 63, "x" * 64, "x" * 255, "10 mail", "10", "v=x", "\x7f", "~", "\n", "\0", ","),
]  # fmt: skip


def outcome(rdtype, text, zone, priority):
    try:
        return canonical.__wrapped__(rdtype, text, zone, priority)
    except InvalidRdata as error:
        return f"refused: {error}"


@pytest.mark.parametrize("begin", range(0, some(10000), 1000))
def test_a_value_is_the_same_both_ways(begin, monkeypatch):
    for seed in range(begin, begin + 1000):
        chance = random.Random(seed)  # noqa: S311 - the same value each time
        text = "".join(chance.choices(PARTS, k=chance.choice([1, 1, 2, 3, 5])))
        rdtype = chance.choice(["A", "AAAA", "CNAME", "DNAME", "MX", "NS", "PTR", "SPF", "TXT"])
        zone = chance.choice([ZONE, "com.", "0/25.2.0.192.in-addr.arpa."])
        asked = (rdtype, text, zone, chance.choice([None, 7]) if rdtype == "MX" else None)
        quickly = outcome(*asked)
        with monkeypatch.context() as patched:
            patched.setattr(_rdata, "plain_value", lambda *_: None)
            assert quickly == outcome(*asked), f"seed {seed}: {asked}"
