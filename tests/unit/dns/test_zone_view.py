# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the rules ask of names, values and a zone; that they ask well is in test_findings.py."""

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.zone_view import (
    ZoneView,
    hosts,
    labels,
    parent,
)

ZONE = "example.com."


def view(*sets):
    """A zone that holds sets of these names and types."""
    every = [RecordSet(name, rdtype, 300, ("x",)) for name, rdtype in sets]
    return ZoneView({one.key: one for one in every}, ZONE)


@pytest.mark.parametrize(
    "name, above, parts",
    [
        ("www.example.com.", "example.com.", ["www", "example", "com"]),
        (r"a\.b.com.", "com.", [r"a\.b", "com"]),
        (r"a\\.b.com.", "b.com.", [r"a\\", "b", "com"]),
        ("\\", "", []),
    ],
)
def test_names(name, above, parts):
    assert parent(name) == above
    assert labels(name) == parts


@pytest.mark.parametrize(
    "rdtype, value, expected",
    [
        ("MX", "10 a.example.net.", ["a.example.net."]),
        ("MX", "a.example.net.", ["a.example.net."]),
        ("MX", "0 .", []),
        ("SRV", "0 0 1", []),
        ("HTTPS", "1 a.example.net. alpn=h2", ["a.example.net."]),
        ("CNAME", "", []),
    ],
)
def test_the_host_of_a_value(rdtype, value, expected):
    assert list(hosts(RecordSet(ZONE, rdtype, 300, (value,)))) == expected


@pytest.mark.parametrize(
    "name, inside",
    [
        ("www.example.com.", True),
        (r"a\.b.example.com.", True),
        ("notexample.com.", False),
        (r"a\.example.com.", False),
    ],
)
def test_what_is_inside_a_zone(name, inside):
    assert view().is_inside(name) == inside
