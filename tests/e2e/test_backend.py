# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The service in front of PowerDNS: what it adds to it, and what it leaves to it."""

from __future__ import annotations

import http.client
import json
import urllib.parse
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from powerdns import PowerDNS
from running import Service

ZONE = "backend.example"
PATH = "/dns/domains/backendexample"


@pytest.fixture
def front(powerdns: PowerDNS) -> Iterator[Service]:
    """A service of its own for a test, with one zone."""
    backend = ["--backend=powerdns", f"--powerdns-url={powerdns.url}", f"--powerdns-key={powerdns.key}"]
    with Service(*backend, zones=[ZONE]) as service:
        yield service


def call(service: Service, method: str, path: str, body: object = None) -> tuple[int, dict[str, object]]:
    """Call the interface; return the status and the answer."""
    address = urllib.parse.urlsplit(service.url).netloc
    headers = {"Authorization": f"Bearer {service.token}", "Accept": "application/json"}
    connection = http.client.HTTPConnection(address, timeout=30)
    try:
        if body is None:
            connection.request(method, path, headers=headers)
        else:
            connection.request(method, path, json.dumps(body), {**headers, "Content-Type": "application/json"})
        response = connection.getresponse()
        return response.status, json.load(response)
    finally:
        connection.close()


def add(service: Service, name: str, rtype: str, content: str, **fields: object) -> tuple[int, dict[str, object]]:
    """Add a value."""
    return call(
        service, "POST", f"{PATH}/records", {"name": name, "type": rtype, "content": content, "ttl": 300, **fields}
    )


CREATED = "Domain record created successfully."
CALLS = [
    pytest.param(
        ("A", "192.0.2.1"), {}, 422, 'Duplicate record in RRset held.{}. IN A with content "192.0.2.1"', id="2x"
    ),
    pytest.param(("CNAME", "a."), {}, 422, "RRset held.{}. IN CNAME: Conflicts with pre-existing RRset", id="CNAME"),
    pytest.param(("A", "192.0.2.256"), {}, 422, "unable to parse IP address", id="wrong value"),
    pytest.param(("AAAA", "2001:DB8::1"), {}, 200, CREATED, id="other spelling"),
    pytest.param(("TXT", "plain text"), {}, 422, "Data field in DNS should start with quote", id="TXT without quotes"),
    pytest.param(("TXT", '"text"'), {}, 200, CREATED, id="TXT in quotes"),
    pytest.param(("MX", "mail."), {"priority": 7}, 200, CREATED, id="MX"),
    pytest.param(("MX", "mail."), {}, 422, "The given data was invalid.", id="the interface's own rules come first"),
]


@pytest.mark.parametrize(("value", "fields", "status", "message"), CALLS)
def test_what_a_post_says(
    value: tuple[str, str], fields: dict[str, object], status: int, message: str, front: Service
) -> None:
    add(front, "held", "A", "192.0.2.1")
    answered, answer = add(front, "held", *value, **fields)
    assert answered == status
    assert message.format(ZONE) in str(answer["message"])


def test_values_of_one_set_are_not_lost_and_sqlite_is_not_locked(front: Service, powerdns: PowerDNS) -> None:
    values = [("many", f"192.0.2.{n}") for n in range(1, 41)] + [(f"one{n}", "192.0.2.1") for n in range(40)]
    with ThreadPoolExecutor(8) as clients:
        statuses = set(clients.map(lambda value: add(front, value[0], "A", value[1])[0], values))
    assert statuses == {200}
    assert len(powerdns.ask(f"many.{ZONE}", "A").answer[0]) == 40


def test_mx_reads_as_preference_and_host(front: Service, powerdns: PowerDNS) -> None:
    add(front, "@", "MX", "mail.example.net.", priority=10)
    assert {"name": f"{ZONE}.", "type": "MX", "ttl": 300, "contents": ["10 mail.example.net."]} in front.records(ZONE)
    assert [rdata.to_text() for rdata in powerdns.ask(ZONE, "MX").answer[0]] == ["10 mail.example.net."]


def test_values_are_shown_in_the_order_in_which_they_came(front: Service) -> None:
    values = [f"192.0.2.{n}" for n in (3, 1, 2)]
    for value in values:
        add(front, "order", "A", value)
    front.zone("order.example", [("@", "A", 300, values)])
    records = front.records(ZONE) + front.records("order.example")
    assert [record["contents"] for record in records if record["type"] == "A"] == [values, values]


def test_a_whole_set_is_deleted_and_one_that_is_not_there_too(front: Service, powerdns: PowerDNS) -> None:
    add(front, "gone", "A", "192.0.2.1")
    answers = [call(front, "DELETE", f"{PATH}/records?name=gone.{ZONE}.&type=A")[0] for _time in range(2)]
    assert answers == [200, 200]
    assert powerdns.ask(f"gone.{ZONE}", "A").answer == []


def test_a_new_zone_has_soa_and_ns(front: Service, powerdns: PowerDNS) -> None:
    assert {(record["name"], record["type"]) for record in front.records(ZONE)} == {
        (f"{ZONE}.", "SOA"),
        (f"{ZONE}.", "NS"),
    }
    assert powerdns.ask(ZONE, "SOA").answer
    assert powerdns.ask(ZONE, "NS").answer


def test_zones_that_powerdns_has_already_are_listed(front: Service, powerdns: PowerDNS) -> None:
    powerdns.make_zone("already.example")
    assert {"name": "already.example", "slug": "alreadyexample", "status": True} in front.zones()
    front.remove_zone("already.example")
    assert "already.example" not in {zone["name"] for zone in front.zones()}


def test_a_disabled_record_is_not_shown(front: Service, powerdns: PowerDNS) -> None:
    name = f"off.{ZONE}."
    records = [{"content": f"192.0.2.{n}", "disabled": n == 2} for n in (1, 2)]
    rrset = {"name": name, "type": "A", "ttl": 300, "changetype": "REPLACE", "records": records}
    powerdns.api("PATCH", f"zones/{ZONE}.", {"rrsets": [rrset]})
    assert {"name": name, "type": "A", "ttl": 300, "contents": ["192.0.2.1"]} in front.records(ZONE)


def test_a_zone_is_replaced_whole_or_not_at_all(front: Service) -> None:
    front.zone(ZONE, [("www", "A", 300, ["192.0.2.1"]), ("old", "A", 300, ["192.0.2.1"])])
    front.zone(ZONE, [("www", "CNAME", 300, ["a."])])
    shown = front.records(ZONE)
    assert {(record["name"], record["type"]) for record in shown if record["name"] != f"{ZONE}."} == {
        (f"www.{ZONE}.", "CNAME")
    }
    with pytest.raises(ValueError, match="Conflicts with pre-existing RRset"):
        front.zone(ZONE, [("x", "A", 300, ["192.0.2.1"]), ("x", "CNAME", 300, ["a."])])
    assert [record for record in front.records(ZONE) if record["type"] != "SOA"] == [
        record for record in shown if record["type"] != "SOA"
    ]


def test_reset_goes_back_to_the_start() -> None:
    with PowerDNS() as other:
        backend = ["--backend=powerdns", f"--powerdns-url={other.url}", f"--powerdns-key={other.key}"]
        with Service(*backend, zones=[f"{ZONE}=slug"]) as service:
            start = (service.zones(), [record["type"] for record in service.records(ZONE)])
            service.zone(ZONE, [("www", "A", 300, ["192.0.2.1"])])
            service.zone("more.example")
            service.reset()
            assert (service.zones(), [record["type"] for record in service.records(ZONE)]) == start


def test_a_powerdns_that_is_gone_is_a_bad_gateway() -> None:
    with PowerDNS() as other:
        backend = ["--backend=powerdns", f"--powerdns-url={other.url}", f"--powerdns-key={other.key}"]
        service = Service(*backend, zones=[ZONE])
        service.start()
    try:
        status, answer = call(service, "GET", PATH)
    finally:
        service.stop()
    assert status == 502
    assert str(answer["message"]).startswith("PowerDNS does not answer: ")


WRONG_KEY = ["--backend=powerdns", "--powerdns-url={url}", "--powerdns-key=wrong"]
CANNOT_START = [
    pytest.param(["--backend=powerdns"], "--backend powerdns needs --powerdns-url and --powerdns-key.", id="no URL"),
    pytest.param(["--powerdns-key=x"], "--powerdns-url and --powerdns-key need --backend powerdns.", id="memory"),
    pytest.param(WRONG_KEY, "PowerDNS does not accept the key.", id="wrong key"),
]


@pytest.mark.parametrize(("arguments", "sentence"), CANNOT_START)
def test_it_says_why_it_cannot_start(arguments: list[str], sentence: str, powerdns: PowerDNS) -> None:
    service = Service(*(argument.format(url=powerdns.url) for argument in arguments))
    with pytest.raises(RuntimeError) as failed:
        service.start()
    assert str(failed.value).endswith(f"The service cannot start: {sentence}")
