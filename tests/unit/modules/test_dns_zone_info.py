# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reading zones: the result to the letter, and the requests that it costs."""

import pytest

SOA = "ns1.dns.example. hostmaster.dns.example. 1 3600 600 1209600 3600"


def record(name, rdtype, ttl, *contents):
    return {"name": name, "type": rdtype, "ttl": ttl, "contents": list(contents)}


@pytest.fixture(autouse=True)
def _account(service):
    """Two zones, listed in no order."""
    service.zone(
        "example.net",
        [("www", "A", 60, ["192.0.2.9"])],
        slug="zone-2",
        status=False,
    )
    service.zone(
        "example.com",
        [
            ("www", "A", 300, ["192.0.2.2", "192.0.2.1"]),
            ("www", "AAAA", 300, ["2001:db8::1"]),
            ("@", "MX", 600, ["10 mail.example.net."]),
            ("*.www", "TXT", 300, ["text"]),
        ],
    )


COM = [
    record("*.www.example.com.", "TXT", 300, '"text"'),
    record("example.com.", "MX", 600, "10 mail.example.net."),
    record("example.com.", "NS", 3600, "ns1.dns.example.", "ns2.dns.example."),
    record("example.com.", "SOA", 3600, SOA),
    record("www.example.com.", "A", 300, "192.0.2.2", "192.0.2.1"),
    record("www.example.com.", "AAAA", 300, "2001:db8::1"),
]
EXAMPLE_COM = {"name": "example.com", "slug": "examplecom", "status": True}
EXAMPLE_NET = {"name": "example.net", "slug": "zone-2", "status": False}


LIST, GET = "GET /dns/domains", "GET /dns/domains/examplecom"


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(
    "options, zones, calls",
    [
        ({}, [EXAMPLE_COM, EXAMPLE_NET], [LIST]),  # all zones
        ({"zone": "example.com", "records": False}, [EXAMPLE_COM], [LIST]),
        (
            {"zone": "example.net", "types": ["A"]},
            [{**EXAMPLE_NET, "records": [record("www.example.net.", "A", 60, "192.0.2.9")]}],
            [LIST, "GET /dns/domains/zone-2"],
        ),  # a slug of its own
        (
            {"zone": "example.com", "names": ["www.example.com", "*.www.example.com."]},
            [{**EXAMPLE_COM, "records": [COM[0], *COM[4:]]}],
            [LIST, GET],
        ),  # absolute names
    ],
)
def test_a_result(
    service,
    run,
    state_dir,
    options,
    zones,
    calls,
    check,
):
    result = run("dns_zone_info", check=check, **options)
    del result["invocation"]
    assert result == {"changed": False, "zones": zones}
    assert service.calls() == calls
    assert not state_dir.exists()


def test_values_are_as_the_service_gives_them(service, run):
    service.settings(txt_read="plain", mx_read="bare")
    (zone,) = run("dns_zone_info", zone="example.com", types=["TXT", "MX"])["zones"]
    assert [row["contents"] for row in zone["records"]] == [["text"], ["mail.example.net."]]


def test_an_answer_that_is_not_whole_is_shown_with_a_warning(service, run):
    service.habits("example.com", shows="nothing")
    lacks = "the service's answer lacks the zone's SOA, so it may lack other record sets too; try again later"
    for options in ({"zone": "example.com"}, {"records": True}):
        result = run("dns_zone_info", **options)
        assert result["zones"][0] == {**EXAMPLE_COM, "records": []}
        assert result["warnings"] == [f"Zone example.com: {lacks}"]
