# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A zone whose file is one text, read and edited."""

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import relative_name
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile import zone_over
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import (
    InvalidZoneFile,
    Source,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_file import (
    read_zone_parts,
)

PLACE = "the zone file"


def read_zone_file(
    text,
    zone,
    warnings=None,
    *,
    default_ttl=None,
    place=PLACE,
):
    """Its entries of ``dns_records``; an error calls it *place*."""
    return read_zone_parts(
        [Source(place, text)], zone, warnings, place=place, default_ttl=default_ttl
    ).task_records


def refused(text):
    """What is said of a file that cannot be used."""
    with pytest.raises(InvalidZoneFile) as refusal:
        read_zone_file(text, "example.com.")
    return str(refusal.value)


def written_over(text, zone, records):
    """The text with these record sets."""
    return zone_over.written_over({PLACE: text}, zone, records)[PLACE]


def lines(entries):
    """Entries as lines of ``<relative name> <TTL> <type> <value>``."""
    return [
        f"{relative_name(entry['name'], 'example.com.')} {entry['ttl']} {entry['type']} {value}"
        for entry in entries
        for value in entry["content"]
    ]
