# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reading zones: the result to the letter, and the requests that it costs."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import Any

import pytest
from running import Service

Run = Callable[..., dict[str, Any]]

SOA = "ns1.dns.example. hostmaster.dns.example. 1 3600 600 1209600 3600"


def record(name: str, rdtype: str, ttl: int, *contents: str) -> dict[str, Any]:
    return {"name": name, "type": rdtype, "ttl": ttl, "contents": list(contents)}


@pytest.fixture(autouse=True)
def _account(service: Service) -> None:
    """Three zones, listed in no order."""
    service.zone(
        "example.net",
        [("www", "A", 60, ["192.0.2.9"])],
        slug="zone-2",
        status=False,
    )
    service.zone("bücher.example")
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
BUECHER = {"name": "xn--bcher-kva.example", "slug": "xn--bcher-kvaexample", "status": True}
EXAMPLE_COM = {"name": "example.com", "slug": "examplecom", "status": True}
EXAMPLE_NET = {"name": "example.net", "slug": "zone-2", "status": False}


def born(name: str) -> list[dict[str, Any]]:
    return [record(name, "NS", 3600, "ns1.dns.example.", "ns2.dns.example."), record(name, "SOA", 3600, SOA)]


def of(*types: str) -> list[dict[str, Any]]:
    return [row for row in COM if row["type"] in types]


LIST, GET = "GET /dns/domains", "GET /dns/domains/examplecom"


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(
    ("options", "zones", "calls"),
    [
        pytest.param({}, [EXAMPLE_COM, EXAMPLE_NET, BUECHER], [LIST], id="all zones"),
        pytest.param({"records": False}, [EXAMPLE_COM, EXAMPLE_NET, BUECHER], [LIST], id="all, without records"),
        pytest.param({"zone": "example.com"}, [{**EXAMPLE_COM, "records": COM}], [LIST, GET], id="one zone"),
        pytest.param({"zone": "EXAMPLE.com."}, [{**EXAMPLE_COM, "records": COM}], [LIST, GET], id="in other spelling"),
        pytest.param({"zone": "example.com", "records": False}, [EXAMPLE_COM], [LIST], id="one, without records"),
        pytest.param(
            {"zone": "Bücher.example", "records": True},
            [{**BUECHER, "records": born("xn--bcher-kva.example.")}],
            [LIST, "GET /dns/domains/xn--bcher-kvaexample"],
            id="an internationalized zone",
        ),
        pytest.param(
            {"zone": "example.net", "types": ["A"]},
            [{**EXAMPLE_NET, "records": [record("www.example.net.", "A", 60, "192.0.2.9")]}],
            [LIST, "GET /dns/domains/zone-2"],
            id="a slug of its own",
        ),
        pytest.param(
            {"zone": "example.com", "types": ["a", " MX "]},
            [{**EXAMPLE_COM, "records": of("MX", "A")}],
            [LIST, GET],
            id="types",
        ),
        pytest.param(
            {"zone": "example.com", "names": ["WWW"]},
            [{**EXAMPLE_COM, "records": of("A", "AAAA")}],
            [LIST, GET],
            id="a relative name",
        ),
        pytest.param(
            {"zone": "example.com", "names": ["www.example.com", "*.www.example.com."]},
            [{**EXAMPLE_COM, "records": of("TXT", "A", "AAAA")}],
            [LIST, GET],
            id="absolute names",
        ),
        pytest.param(
            {"zone": "example.com", "names": ["@"], "types": ["MX", "A"]},
            [{**EXAMPLE_COM, "records": of("MX")}],
            [LIST, GET],
            id="the apex, and types",
        ),
        pytest.param(
            {"zone": "example.com", "names": ["nobody"]}, [{**EXAMPLE_COM, "records": []}], [LIST, GET], id="no match"
        ),
        pytest.param(
            {"zone": "example.com", "names": [], "types": []},
            [{**EXAMPLE_COM, "records": []}],
            [LIST, GET],
            id="empty filters",
        ),
        pytest.param({"zone": "example.com", "records": False, "names": ["a..b"]}, [EXAMPLE_COM], [LIST], id="unread"),
    ],
)
def test_a_result(
    service: Service,
    run: Run,
    state_dir: pathlib.Path,
    options: dict[str, Any],
    zones: list[dict[str, Any]],
    calls: list[str],
    check: bool,
) -> None:
    result = run("dns_zone_info", check=check, **options)
    del result["invocation"]
    assert result == {"changed": False, "zones": zones}
    assert service.calls() == calls
    assert not state_dir.exists()


@pytest.mark.parametrize(
    ("options", "records"),
    [
        ({}, [COM, [record("example.net.", *row) for row in (("NS", 3600, "ns1.dns.example.", "ns2.dns.example."),)]]),
        ({"names": ["www"]}, [of("A", "AAAA"), [record("www.example.net.", "A", 60, "192.0.2.9")]]),
        ({"types": ["A"]}, [of("A"), [record("www.example.net.", "A", 60, "192.0.2.9")]]),
        # A name of one zone is no mistake where all zones are read.
        ({"names": ["www.example.com."]}, [of("A", "AAAA"), []]),
    ],
)
def test_records_of_all_zones(service: Service, run: Run, options: dict[str, Any], records: list[Any]) -> None:
    service.remove_zone("bücher.example")
    result = run("dns_zone_info", records=True, **options)
    assert "zones" in result, result["msg"]
    com, net = result["zones"]
    assert com == {**EXAMPLE_COM, "records": records[0]}
    assert {**net, "records": [row for row in net["records"] if row["type"] != "SOA"]} == {
        **EXAMPLE_NET,
        "records": records[1] if options else [*records[1], record("www.example.net.", "A", 60, "192.0.2.9")],
    }
    assert service.calls()[0] == LIST
    assert sorted(service.calls()[1:]) == [GET, "GET /dns/domains/zone-2"]


def test_values_are_as_the_service_gives_them(service: Service, run: Run) -> None:
    service.settings(txt_read="plain", mx_read="bare")
    (zone,) = run("dns_zone_info", zone="example.com", types=["TXT", "MX"])["zones"]
    assert [row["contents"] for row in zone["records"]] == [["text"], ["mail.example.net."]]


def test_an_answer_that_is_not_whole_is_shown_with_a_warning(service: Service, run: Run) -> None:
    service.odd("example.com", shows="nothing")
    lacks = "the service's answer lacks the zone's SOA, so it may lack other record sets too; try again later"
    for options in ({"zone": "example.com"}, {"records": True}):
        result = run("dns_zone_info", **options)
        assert result["zones"][0] == {**EXAMPLE_COM, "records": []}
        assert result["warnings"] == [f"Zone example.com: {lacks}"]


def test_an_account_without_zones(service: Service, run: Run) -> None:
    for zone in service.zones():
        service.remove_zone(zone["name"])
    assert run("dns_zone_info")["zones"] == []


def test_a_status_and_a_name_are_passed_on(service: Service, run: Run) -> None:
    rows = [{"name": "Example.ORG", "slug": "x", "status": "pending", "owner": "unknown field"}]
    service.fault("answer", body={"status": "Success", "data": rows, "total": 1}, times=0)
    assert run("dns_zone_info")["zones"] == [{"name": "Example.ORG", "slug": "x", "status": "pending"}]


@pytest.mark.parametrize(
    ("options", "said", "status_code", "calls"),
    [
        (
            {"zone": "exampel.net"},
            "Zone exampel.net: the account has no zone of that name",
            404,
            [LIST],
        ),
        ({"zone": "a..b"}, "empty label", None, []),
        ({"zone": ""}, "it is empty", None, []),
        ({"timeout": 0}, "timeout must be above 0", None, []),
        ({"zone": "example.com", "names": ["www.example.net."]}, "www.example.net.", None, None),
        ({"zone": "example.com", "names": ["a..b"]}, "a..b", None, None),
        (
            {"zone": "example.com", "names": [""]},
            "Zone example.com: '' in names cannot be used, it is empty: the zone itself is @.",
            None,
            None,
        ),
        (
            {"zone": "example.com", "types": ["A", "B C"]},
            "Zone example.com: 'B C' in types cannot be used, a type is a mnemonic such as A, MX or TXT.",
            None,
            None,
        ),
        ({"records": True, "types": ["ANY"]}, "'ANY' in types cannot be used, ANY is not a type of data", None, None),
    ],
)
def test_an_error(
    service: Service, run: Run, options: Any, said: str, status_code: int | None, calls: list[str] | None
) -> None:
    result = run("dns_zone_info", **options)
    assert said in result["msg"]
    assert not result["msg"].endswith("..")
    assert (result["changed"], result["status_code"]) == (False, status_code)
    assert calls is None or service.calls() == calls


@pytest.mark.parametrize("records", [False, True])
def test_an_incomplete_list_is_an_error(service: Service, run: Run, records: bool) -> None:
    service.settings(list_total_extra=7)
    assert "lists 3 of 10 zones" in run("dns_zone_info", records=records)["msg"]
    assert run("dns_zone_info", zone="example.com")["zones"][0]["name"] == "example.com"
    assert "it is not among the 3 zones" in run("dns_zone_info", zone="other.example")["msg"]


def test_a_zone_that_cannot_be_read(service: Service, run: Run) -> None:
    service.fault("status", path="zone-2", status=403, body={"message": "Not yours"}, times=0)
    result = run("dns_zone_info", records=True)
    assert result["msg"] == "cannot read zone example.net: the service answered 403: Not yours (see access_token)."
    assert result["status_code"] == 403
    assert "zones" not in result


def test_a_slug_that_leads_to_another_zone(service: Service, run: Run) -> None:
    service.zone("ex.ample.com")
    result = run("dns_zone_info", zone="ex.ample.com")
    assert "its slug examplecom leads to the zone example.com. instead" in result["msg"]


def test_a_listed_name_that_is_none_is_no_traceback(service: Service, run: Run) -> None:
    rows = [{"name": "no..name", "slug": "examplecom", "status": True}]
    service.fault("answer", body={"status": "Success", "data": {"records": []}}, path="/examplecom")
    service.fault("answer", body={"status": "Success", "data": rows, "total": 1})
    result = run("dns_zone_info", records=True, names=["www"])
    assert "no..name" in (result["msg"] if result.get("failed") else result["zones"][0]["name"])


@pytest.mark.parametrize("option", ["zone", "names", "types"])
def test_what_yaml_made_a_number_of_is_refused_before_any_request(service: Service, run: Run, option: str) -> None:
    result = run("dns_zone_info", **{"zone": "example.com", option: 7.1 if option == "zone" else ["www", 7.1]})
    assert "the number 7.1, and takes " in result["msg"]
    assert service.calls() == []
