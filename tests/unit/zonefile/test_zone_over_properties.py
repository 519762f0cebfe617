# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone files as nobody would write them, edited by chance: the result is the zone, and no line differs without need."""

from collections import Counter

import pytest
from any_edit import edited, edited_zone, zone_of
from any_zone import as_sets
from any_zone_file import ZONE, ZoneFile
from examples import some
from one_file import written_over

from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import Source
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.logical_lines import (
    logical_lines,
    record_words,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_file import (
    read_zone_parts,
)

FILES = some(400)


@pytest.mark.parametrize("first", range(0, FILES, 50))
def test_any_file_holds_the_zone_once_it_is_edited(first):
    refused = 0
    for seed in range(first, first + 50):
        text = ZoneFile(seed).text
        zone = zone_of(text)
        assert written_over(text, ZONE, zone) == text
        edit = edited_zone(zone, seed)
        new = edited(text, edit)
        if new is None:
            refused += 1
            continue
        assert as_sets(zone_of(new)) == as_sets(edit), f"seed {seed}\n{text}\n{new}"
        assert not lost(text, new, as_sets(zone), as_sets(edit)), f"seed {seed}"
    assert refused < 25


def lost(text, new, before, after):
    """The entries of a file that are not in the new one, and did not have to change."""
    records = read_zone_parts([Source("", text)], ZONE, place="").records
    at = {record.line: record for record in records}
    ttls = {}
    for record in records:
        ttls.setdefault(record.key, set()).add(record.ttl)
    left = Counter(line.text for line in logical_lines(new))
    for line in logical_lines(text):
        if line.text.upper().startswith("$TTL") or not line.text.endswith("\n"):
            continue
        record = at.get(line.number)
        if record:
            key = record.key
            words = record_words(line.text)
            # A line that says all itself depends on no other, unless its set has several TTLs.
            has_ttl = words.ttl or record.default_ttl is not None
            says_all = words.owner and has_ttl and len(ttls[key]) == 1
            if before.get(key) != after.get(key) or not says_all:
                continue
        left[line.text] -= 1
    return [text for text, count in left.items() if count < 0]
