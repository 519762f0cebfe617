# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zones and records as they are shown: which are chosen, in which order, and what is said of a choice that is none."""

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._api.zones import read_zones
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidInput

COM = "example.com."
MAIL, TEXT, WWW = f"{COM} MX", f"a.{COM} TXT", f"www.{COM} A"


@pytest.fixture
def read(connect, service):
    """Reads from an account with three zones, one of which has records beside SOA and NS."""
    service.zone(
        "example.com",
        [
            ("www", "A", 300, ["192.0.2.1"]),
            ("@", "MX", 300, ["10 mail.example.net."]),
            ("a", "TXT", 300, ["one"]),
        ],
    )
    service.zone("example.net", slug="net")
    service.zone("a.example.org")

    def read(zone=None, **options):
        return read_zones(connect(), zone, **options)

    return read


def names(zones):
    return [zone["name"] for zone in zones]


def shown(zone):
    """The name and type of each record set of a zone."""
    return [f"{one['name']} {one['type']}" for one in zone["records"]]


def test_all_zones_are_shown_by_name(read):
    assert names(read()) == ["a.example.org", "example.com", "example.net"]
    (zone,) = read("example.net.", records=True)
    assert (zone["slug"], shown(zone)) == ("net", ["example.net. NS", "example.net. SOA"])


def test_only_zones_that_match_are_read(read, service):
    assert names(read(records=True, matches=lambda name: name.endswith("com"))) == ["example.com"]
    assert service.calls() == ["GET /dns/domains", "GET /dns/domains/examplecom"]


@pytest.mark.parametrize(
    "owners, types, expected",
    [
        (None, None, [TEXT, f"{COM} MX", f"{COM} NS", f"{COM} SOA", WWW]),
        (["WWW", f"a.{COM}"], None, [TEXT, WWW]),
        (None, ["a", "MX"], [MAIL, WWW]),
        (["@", "a"], ["MX", "A"], [MAIL]),
    ],
)
@pytest.mark.parametrize("zone", [COM, None])
def test_records_are_chosen_by_name_and_type(read, zone, owners, types, expected):
    found = read(zone, records=True, names=owners, types=types)
    (of_com,) = [one for one in found if one["name"] == "example.com"]
    assert shown(of_com) == expected


def test_a_name_of_one_zone_is_no_mistake_among_several(read):
    assert [shown(zone) for zone in read(records=True, names=[f"www.{COM}"])] == [[], [WWW], []]


@pytest.mark.parametrize(
    "zone, options, message",
    [
        (
            COM,
            {"names": ["www", "www.example.net."]},
            (
                "'www.example.net.' in names cannot be used: it ends in a dot and is not inside the zone "
                "example.com.: leave out the dot, or use its zone"
            ),
        ),
        (
            None,
            {"names": ["a\x1b"]},
            r"'a\x1b' in names cannot be used: it contains white space or control characters",
        ),
        (
            COM,
            {"types": ["aa", "MX"]},
            "'aa' in types cannot be used: the type AA is unknown (did you mean CAA?)",
        ),
    ],
)
def test_a_filter_that_cannot_be_used(read, service, zone, options, message):
    with pytest.raises(InvalidInput) as refused:
        read(zone, records=True, **options)
    assert str(refused.value) == message
    assert "types" not in options or not service.calls(), "a type is the same in every zone"


def test_a_listed_name_that_is_none(read, service):
    odd = {"name": "no..name\x1b", "slug": "examplecom", "status": True}
    service.fault("answer", body={"status": "Success", "data": [odd]}, times=2)
    assert read() == [odd]


@pytest.mark.parametrize(
    "path, zone, place",
    [
        ("/dns/domains", None, "cannot list the zones: "),
        ("/net", None, "cannot read zone example.net: "),
        ("/net", "example.net.", ""),
    ],
)
def test_what_cannot_be_read(read, service, path, zone, place):
    service.fault("status", path=path, status=404, body={"message": "No."})
    with pytest.raises(ServiceError) as failed:
        read(zone, records=True)
    assert str(failed.value).startswith(f"{place}the service answered 404: No")
    assert failed.value.status_code == 404
