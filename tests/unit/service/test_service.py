# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The stand-in service over real HTTP: each rule of the specification, each switch, each fault."""

from __future__ import annotations

import http.client
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from running import Service

SERVICE = pathlib.Path(__file__).parents[2] / "service"
ZONE = "/dns/domains/examplecom"
RECORDS = f"{ZONE}/records"
BORN = ["example.com. SOA", "example.com. NS"]
CREATED = {"status": "Success", "message": "Domain record created successfully."}
DELETED = {"status": "Success", "message": "Domain record deleted successfully."}


class Answer(NamedTuple):
    status: int
    body: Any
    headers: dict[str, str]


class Client:
    """Sends what the specification asks for, unless a test says otherwise."""

    def __init__(self, service: Service) -> None:
        self._service = service
        parts = urllib.parse.urlsplit(service.url)
        self._connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=10)

    def close(self) -> None:
        self._connection.close()

    def call(self, method: str, path: str, body: Any = None, **more: Any) -> Answer:
        self.send(method, path, body, **more)
        return self.receive()

    def send(
        self, method: str, path: str, body: Any = None, *, raw: bytes | None = None, **headers: str | None
    ) -> None:
        sent = {"Authorization": f"Bearer {self._service.token}", "Accept": "application/json"}
        if body is not None:
            raw = json.dumps(body).encode()
        if raw is not None:
            sent["Content-Type"] = "application/json"
        for name, value in headers.items():
            sent[name.replace("_", "-").title()] = value
        self._connection.request(method, path, raw, {name: value for name, value in sent.items() if value is not None})

    def receive(self) -> Answer:
        response = self._connection.getresponse()
        text = response.read()
        as_json = response.headers.get_content_type() == "application/json" and text
        return Answer(response.status, json.loads(text) if as_json else text.decode(), dict(response.headers))

    def post(
        self, name: Any = "www", rtype: Any = "A", content: Any = "192.0.2.1", ttl: Any = 300, **more: Any
    ) -> Answer:
        return self.call("POST", RECORDS, {"name": name, "type": rtype, "content": content, "ttl": ttl, **more})

    def delete(self, name: str, rtype: str) -> Answer:
        return self.call("DELETE", f"{RECORDS}?{urllib.parse.urlencode({'name': name, 'type': rtype})}")


@pytest.fixture(scope="module")
def running() -> Iterator[Service]:
    with Service(zones=["example.com"]) as service:
        yield service


@pytest.fixture
def service(running: Service) -> Service:
    running.reset()
    return running


@pytest.fixture
def client(service: Service) -> Iterator[Client]:
    client = Client(service)
    yield client
    client.close()


def lines(service: Service, zone: str = "example.com") -> list[str]:
    """Return what was added to a zone, one line a set."""
    sets = [f"{r['name']} {r['ttl']} {r['type']} {' | '.join(r['contents'])}" for r in service.records(zone)]
    return [line for line in sets if not line.startswith((f"{zone}. 3600 SOA", f"{zone}. 3600 NS"))]


# Reading


def test_list_has_exactly_the_fields_of_the_specification(service: Service, client: Client) -> None:
    service.zone("b.example", status=False, slug="other")
    assert client.call("GET", "/dns/domains").body == {
        "status": "Success",
        "message": "OK",
        "total": 2,
        "data": [
            {"name": "example.com", "slug": "examplecom", "status": True},
            {"name": "b.example", "slug": "other", "status": False},
        ],
    }


def test_zone_is_born_with_soa_and_ns(client: Client) -> None:
    answer = client.call("GET", ZONE)
    assert answer.status == 200
    assert answer.headers["Content-Type"].startswith("application/json")
    soa, ns = answer.body.pop("data")["records"]
    assert answer.body == {"status": "Success", "message": "OK"}
    assert soa["contents"] == ["ns1.dns.example. hostmaster.dns.example. 1 3600 600 1209600 3600"]
    assert ns == {
        "name": "example.com.",
        "type": "NS",
        "ttl": 3600,
        "contents": ["ns1.dns.example.", "ns2.dns.example."],
    }


def test_first_of_two_zones_with_one_slug_answers(service: Service, client: Client) -> None:
    service.zone("ex.ample.com")
    assert client.call("GET", "/dns/domains").body["total"] == 2
    assert client.call("GET", ZONE).body["data"]["records"][0]["name"] == "example.com."


# Writing


@pytest.mark.parametrize(
    ("record", "line"),
    [
        (("www", "A", "192.0.2.1"), "www.example.com. 300 A 192.0.2.1"),
        (("@", "A", "192.0.2.1"), "example.com. 300 A 192.0.2.1"),
        (("*.dev", "A", "192.0.2.1"), "*.dev.example.com. 300 A 192.0.2.1"),
        (("WWW", "A", "192.0.2.1"), "www.example.com. 300 A 192.0.2.1"),
        (("notexample.com", "A", "192.0.2.1"), "notexample.com.example.com. 300 A 192.0.2.1"),
        (("www", "AAAA", "2001:DB8::0:1"), "www.example.com. 300 AAAA 2001:db8::1"),
        (("www", "CNAME", "target"), "www.example.com. 300 CNAME target.example.com."),
        (("www", "CNAME", "@"), "www.example.com. 300 CNAME example.com."),
        (("www", "CNAME", "t.example.net."), "www.example.com. 300 CNAME t.example.net."),
        (("sub", "NS", "ns1.example.net."), "sub.example.com. 300 NS ns1.example.net."),
        (("_sip._tcp", "SRV", "1 2 5060 sip.example.net."), "_sip._tcp.example.com. 300 SRV 1 2 5060 sip.example.net."),
        (("@", "CAA", "0 issue ca.example"), 'example.com. 300 CAA 0 issue "ca.example"'),
        (("@", "TYPE1", "192.0.2.1"), "example.com. 300 A 192.0.2.1"),
        (("@", "TYPE65400", r"\# 2 abcd"), r"example.com. 300 TYPE65400 \# 2 abcd"),
        (("@", "ALIAS", "anything at all"), "example.com. 300 ALIAS anything at all"),
    ],
)
def test_post_stores(service: Service, client: Client, record: tuple[str, str, str], line: str) -> None:
    answer = client.post(*record)
    assert (answer.status, answer.body) == (200, CREATED)
    assert lines(service) == [line]


def test_mx_resolves_as_priority_and_host(service: Service, client: Client) -> None:
    for content, priority in (("mail.example.com.", 10), ("mail.example.com.", 0), (".", 65535)):
        assert client.post("@", "MX", content, priority=priority).body == CREATED
    assert lines(service) == ["example.com. 300 MX 10 mail.example.com. | 0 mail.example.com. | 65535 ."]


def test_values_of_one_name_and_type_are_one_set_with_the_last_ttl(service: Service, client: Client) -> None:
    client.post(content="192.0.2.2", ttl=300)
    client.post(content="192.0.2.1", ttl=0)
    client.post(content="192.0.2.3", ttl=2147483647)
    assert lines(service) == ["www.example.com. 2147483647 A 192.0.2.2 | 192.0.2.1 | 192.0.2.3"]


def test_delete_removes_the_whole_set_and_no_other(service: Service, client: Client) -> None:
    for content in ("192.0.2.1", "192.0.2.2"):
        client.post(content=content)
    client.post(rtype="AAAA", content="2001:db8::1")
    answer = client.delete("WWW.example.com.", "A")
    assert (answer.status, answer.body) == (200, DELETED)
    assert lines(service) == ["www.example.com. 300 AAAA 2001:db8::1"]
    assert client.delete("www.example.com.", "A").status == 404


@pytest.mark.parametrize(
    ("change", "field"),
    [
        *[({"name": name}, "name") for name in (None, "", 1, ["www"], "www.", ".", "www.example.com", "Example.COM")],
        *[({"name": name}, "name") for name in ("a..b", "a b", "ä", "a" * 64, ".".join(["a" * 60] * 4) + ".bc")],
        *[({"type": rtype}, "type") for rtype in (None, "", 1, "a", "A A", "ANY", "AXFR", "OPT")],
        *[({"content": content}, "content") for content in (None, "", 1, ["192.0.2.1"], "\ud800")],
        *[({"content": content}, "content") for content in ("192.0.2.256", "192.0.2.1 ; b", "192.0.2.1\n", "host")],
        *[({"ttl": ttl}, "ttl") for ttl in (None, "300", 300.0, True, -1, 2147483648)],
        ({"priority": 1}, "priority"),
        ({"comment": "x"}, "comment"),
        *[
            ({"type": "MX", "content": "m.example.com.", "priority": priority}, "priority")
            for priority in (None, "10", 10.0, True, -1, 65536)
        ],
        *[
            ({"type": "MX", "content": content, "priority": 1}, "content")
            for content in ("m.example.com", "m", "10 m.example.com.")
        ],
        ({"type": "CNAME", "content": "two hosts."}, "content"),
        ({"type": "TYPE65400", "content": "text"}, "content"),
        ({"type": "ALIAS", "content": "a\nb"}, "content"),
        ({"type": "TXT", "content": "a" * 65536}, "content"),
    ],
)
def test_post_refuses_wrong_fields(service: Service, client: Client, change: dict[str, Any], field: str) -> None:
    record = {"name": "www", "type": "A", "content": "192.0.2.1", "ttl": 300, **change}
    answer = client.call("POST", RECORDS, {name: value for name, value in record.items() if value is not None})
    assert answer.status == 422
    assert list(answer.body) == ["message", "errors"]
    assert answer.body["message"] == "The given data was invalid."
    assert list(answer.body["errors"]) == [field]
    assert lines(service) == []


def test_post_names_all_wrong_fields_at_once(client: Client) -> None:
    errors = client.post(name="www.", rtype="MX", content="m", ttl=True).body["errors"]
    assert sorted(errors) == ["content", "name", "priority", "ttl"]


@pytest.mark.parametrize(
    "query",
    [
        "",
        "type=A",
        "name=www.example.com.",
        "name=www.example.com&type=A",
        "name=www&type=A",
        "name=www.example.net.&type=A",
        "name=www.notexample.com.&type=A",
        "name=www.example.com.&type=a",
        "name=www.example.com.&type=A&type=A",
        "name=www.example.com.&type=A&content=192.0.2.1",
    ],
)
def test_delete_refuses_wrong_parameters(service: Service, client: Client, query: str) -> None:
    client.post()
    assert client.call("DELETE", f"{RECORDS}?{query}").status == 422
    assert lines(service) == ["www.example.com. 300 A 192.0.2.1"]


@pytest.mark.parametrize(
    ("there", "record", "message"),
    [
        (("www", "A", "192.0.2.1"), ("www", "A", "192.0.2.1"), "already exists"),
        (("www", "AAAA", "2001:db8::1"), ("www", "AAAA", "2001:DB8:0::1"), "already exists"),
        (("www", "CNAME", "b.example.net."), ("www", "CNAME", "B.Example.NET."), "already exists"),
        (("www", "TXT", "a b"), ("www", "TXT", '"a" " b"'), "already exists"),
        (("www", "ALIAS", "x"), ("www", "ALIAS", "x"), "already exists"),
        (("www", "A", "192.0.2.1"), ("www", "CNAME", "b"), "Conflicts with pre-existing RRset"),
        (("www", "CNAME", "b"), ("www", "A", "192.0.2.1"), "Conflicts with pre-existing RRset"),
        (("www", "CNAME", "b"), ("www", "CNAME", "c"), "Conflicts with pre-existing RRset"),
        (("www", "A", "192.0.2.1"), ("@", "CNAME", "b"), "Conflicts with pre-existing RRset"),
        (("www", "A", "192.0.2.1"), ("www", "DNAME", "b.example.net."), None),
    ],
)
def test_values_beside_each_other(
    client: Client, there: tuple[str, str, str], record: tuple[str, str, str], message: str | None
) -> None:
    assert client.post(*there).body == CREATED
    answer = client.post(*record)
    if message is None:
        assert answer.body == CREATED
    else:
        assert (answer.status, answer.body["status"]) == (422, "Error")
        assert message in answer.body["message"]


@pytest.mark.parametrize(
    ("name", "rtype"), [("@", "SOA"), ("@", "NS"), ("www", "SOA")], ids=["soa", "ns-at-apex", "soa-below"]
)
def test_records_of_the_service_are_refused(service: Service, client: Client, name: str, rtype: str) -> None:
    content = "ns.example. h.example. 1 2 3 4 5" if rtype == "SOA" else "ns.example."
    fqdn = "example.com." if name == "@" else f"{name}.example.com."
    for answer in (client.post(name, rtype, content), client.delete(fqdn, rtype)):
        assert (answer.status, answer.body["status"]) == (403, "Error")
    assert [f"{r['name']} {r['type']}" for r in service.records("example.com")] == BORN


# HTTP


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/dns/domains", {"authorization": None}, 401),
        ("GET", "/dns/domains", {"authorization": "Bearer wrong"}, 401),
        ("GET", "/dns/domains", {"authorization": "stand-in-token"}, 401),
        ("GET", "/dns/domains", {"accept": None}, 406),
        ("GET", "/dns/domains", {"accept": "*/*"}, 406),
        ("GET", "/dns/domains", {"accept": "text/html, application/json;q=0.9"}, 200),
        ("GET", "/dns/domains/", {}, 404),
        ("GET", "/dns/domains/example.com", {}, 404),
        ("GET", "/dns/domains?page=2", {}, 422),
        ("POST", "/dns/domains/nowhere/records", {}, 404),
        ("GET", "/", {}, 404),
        ("GET", "/dns/domains/a%0Ab", {}, 404),
        ("GET", f"{RECORDS}/1", {}, 404),
        ("GET", RECORDS, {}, 405),
        ("PUT", RECORDS, {}, 405),
        ("PATCH", RECORDS, {}, 405),
        ("DELETE", ZONE, {}, 405),
        ("POST", "/dns/domains", {}, 405),
    ],
)
def test_requests_that_are_not_in_the_specification(
    client: Client, method: str, path: str, headers: dict[str, str | None], status: int
) -> None:
    answer = client.call(method, path, **headers)
    assert answer.status == status
    assert status in (200, 422) or answer.body["status"] == "Error"


@pytest.mark.parametrize(
    ("raw", "content_type", "status"),
    [
        (b"{}", None, 415),
        (b"{}", "application/x-www-form-urlencoded", 415),
        (b'{"name": "www", "type": "A", "content": "192.0.2.1", "ttl": 1}', "application/json; charset=utf-8", 200),
        (b"{", "application/json", 400),
        (b"[]", "application/json", 422),
    ],
)
def test_bodies(client: Client, raw: bytes, content_type: str | None, status: int) -> None:
    assert client.call("POST", RECORDS, raw=raw, content_type=content_type).status == status


def test_only_post_has_a_body(service: Service, client: Client) -> None:
    client.post()
    assert client.call("DELETE", f"{RECORDS}?name=www.example.com.&type=A", {}).status == 422
    assert client.call("GET", ZONE, {}).status == 422
    assert lines(service) == ["www.example.com. 300 A 192.0.2.1"]


# TXT


@pytest.mark.parametrize(
    ("sent", "quoted", "plain"),
    [
        ("a b", '"a b"', "a b"),
        ('"a b"', '"a b"', "a b"),
        ('"a" "b"', '"ab"', "ab"),
        ('""', '""', ""),
        ('"', r'"\""', '"'),
        ('say "hi"', r'"say \"hi\""', 'say "hi"'),
        ('"say" and "hi"', r'"\"say\" and \"hi\""', '"say" and "hi"'),
        ('"a\\"', r'"\"a\\\""', '"a\\"'),
        ("v=DKIM1; k=rsa", '"v=DKIM1; k=rsa"', "v=DKIM1; k=rsa"),
        ("back\\slash", r'"back\\slash"', "back\\slash"),
        ("é", r'"\195\169"', "é"),
        (r'"\195\169"', r'"\195\169"', "é"),
        ("x" * 256, f'"{"x" * 255}" "x"', "x" * 256),
        (f'"{"x" * 256}"', f'"{"x" * 255}" "x"', "x" * 256),
    ],
)
def test_txt(service: Service, client: Client, sent: str, quoted: str, plain: str) -> None:
    assert client.post("t", "TXT", sent).body == CREATED
    assert client.call("GET", ZONE).body["data"]["records"][-1]["contents"] == [quoted]
    service.settings(txt_read="plain")
    assert client.call("GET", ZONE).body["data"]["records"][-1]["contents"] == [plain]
    # What reads back as quoted is the same value when it is written again.
    assert "already exists" in client.post("t", "TXT", quoted).body["message"]


# Switches


@pytest.mark.parametrize(
    "wrong", [{"nothing": 1}, {"latency": -1}, {"txt_read": "x"}, {"rate_limit": True}, {"token": ""}]
)
def test_wrong_settings_are_refused_whole(service: Service, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="400"):
        service.settings(mx_read="bare", **wrong)
    assert service.settings()["mx_read"] == "full"


# Log


def test_log_tells_everything(service: Service, client: Client) -> None:
    before = time.monotonic()
    client.call("GET", ZONE, authorization=None)
    client.post("@", "MX", "m.example.com.", priority=10)
    client.delete("example.com.", "MX")
    first, second, third = service.log()
    assert before <= first.pop("time") <= time.monotonic()
    assert first == {
        "n": 1,
        "method": "GET",
        "path": ZONE,
        "query": {},
        "body": None,
        "status": 401,
        "connection": first["connection"],
        "changed": False,
        "authorized": False,
    }
    assert second["body"]["priority"] == 10
    assert (second["status"], second["changed"], second["authorized"]) == (200, True, True)
    assert third["query"] == {"name": "example.com.", "type": "MX"}
    assert service.calls() == [f"GET {ZONE}", "POST @ MX 10 m.example.com.", "DELETE example.com. MX"]
    service.clear_log()
    assert service.log() == []


# Faults


@pytest.mark.parametrize(
    ("fault", "statuses"),
    [
        ({}, [500, 200, 200, 200]),
        ({"nth": 2}, [200, 500, 200, 200]),
        ({"nth": 2, "times": 2}, [200, 500, 500, 200]),
        ({"times": 0}, [500, 500, 500, 500]),
        ({"method": "DELETE"}, [200, 200, 200, 500]),
        ({"content": "0.2.2"}, [200, 200, 500, 200]),
        ({"path": "name=www.example.com."}, [200, 200, 200, 500]),
        ({"method": "POST", "nth": 2}, [200, 200, 500, 200]),
    ],
)
def test_fault_selection(service: Service, client: Client, fault: dict[str, Any], statuses: list[int]) -> None:
    client.post(content="192.0.2.9")
    service.fault("status", **fault)
    answers = [
        client.call("GET", ZONE),
        client.post(content="192.0.2.1"),
        client.post(content="192.0.2.2"),
        client.delete("www.example.com.", "A"),
    ]
    assert [answer.status for answer in answers] == statuses


@pytest.mark.parametrize(
    ("kind", "fields"),
    [("nothing", {}), ("lie", {"status": 200}), ("redirect", {}), ("slow", {"seconds": "1"}), ("status", {"nth": 0})],
)
def test_wrong_faults_are_refused(service: Service, kind: str, fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="400"):
        service.fault(kind, **fields)


# Control


def test_zone_is_made_and_replaced(service: Service, client: Client) -> None:
    records = [
        {"name": "www", "type": "A", "ttl": 60, "contents": ["192.0.2.1", "192.0.2.2"]},
        {"name": "@", "type": "MX", "ttl": 60, "contents": ["10 mail"]},
        {"name": "a.new.example.", "type": "TXT", "ttl": 60, "contents": ["plain", '"quo" "ted"']},
    ]
    service.zone("New.Example.", records, slug="n")
    assert lines(service, "new.example") == [
        "new.example. 60 MX 10 mail.new.example.",
        "www.new.example. 60 A 192.0.2.1 | 192.0.2.2",
        'a.new.example. 60 TXT "plain" | "quoted"',
    ]
    assert client.call("GET", "/dns/domains/n").body["data"]["records"] == service.records("new.example")
    service.zone("new.example", [("@", "NS", 60, ["ns.example.net."])])
    assert [r["contents"] for r in service.records("new.example") if r["type"] == "NS"] == [["ns.example.net."]]
    assert [zone["slug"] for zone in service.zones()] == ["examplecom", "newexample"]
    service.remove_zone("new.example")
    assert client.call("GET", "/dns/domains").body["total"] == 1


@pytest.mark.parametrize(
    "record",
    [
        ("www.example.net.", "A", 60, ["192.0.2.1"]),
        ("www", "A", 60, []),
        ("www", "A", -1, ["192.0.2.1"]),
        ("www", "A", 60, ["x"]),
        ("www", "A", 60, ["192.0.2.1", "192.0.2.1"]),
        ("@", "CNAME", 60, ["x"]),
    ],
)
def test_wrong_zones_are_refused(service: Service, record: tuple[str, str, int, list[str]]) -> None:
    with pytest.raises(ValueError, match=r"4[02][02]"):
        service.zone("new.example", [record])
    assert len(service.zones()) == 1


def test_unknown_control_call(running: Service) -> None:
    client = Client(running)
    answer = client.call("GET", "/_control/nothing", authorization=None)
    assert (answer.status, answer.body["status"]) == (404, "Error")
    client.close()


# Process


def test_switches_of_the_command_line(tmp_path: pathlib.Path) -> None:
    load = tmp_path / "zones.json"
    record = {"name": "t", "type": "TXT", "ttl": 60, "contents": ["x"]}
    load.write_text(json.dumps({"zones": [{"name": "c.example", "slug": "see", "status": False, "records": [record]}]}))
    switches = "--latency 1 --txt-read plain --txt-write quoted --mx-read bare --lose-concurrent-writes --rate-limit 9"
    with Service(*switches.split(), f"--load={load}", zones=["a.example", "b.example=bee"], token="-x") as service:
        assert service.settings() == {
            "token": "-x",
            "latency": 1.0,
            "txt_read": "plain",
            "txt_write": "quoted",
            "mx_read": "bare",
            "lose_concurrent_writes": True,
            "rate_limit": 9,
            "list_total_extra": 0,
        }
        assert [(zone["slug"], zone["status"]) for zone in service.zones()] == [
            ("aexample", True),
            ("bee", True),
            ("see", False),
        ]
        assert lines(service, "c.example") == ["t.c.example. 60 TXT x"]


@pytest.mark.parametrize(
    ("switches", "complaint"),
    [
        (["--port", "{taken}"], "port {taken} on 127.0.0.1 is already in use."),
        (["--zone", "a..b"], "'a..b' is not a domain name"),
        (["--load", "/nowhere.json"], "/nowhere.json: No such file or directory."),
        (["--tls-cert", "/nowhere.pem"], "certificate /nowhere.pem: No such file or directory."),
        (["--latency", "-1"], "latency must be"),
    ],
)
def test_a_service_that_cannot_start_says_so_in_one_sentence(
    running: Service, switches: list[str], complaint: str
) -> None:
    taken = str(urllib.parse.urlsplit(running.url).port)
    command = [sys.executable, str(SERVICE), *(switch.format(taken=taken) for switch in switches)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"The service cannot start: {complaint.format(taken=taken)}")
    with pytest.raises(RuntimeError, match="cannot start"):
        Service(*(switch.format(taken=taken) for switch in switches)).start()


@pytest.mark.parametrize("waits", [True, False], ids=["which waited for it", "which did not wait for it"])
def test_it_may_die_with_its_parent(waits: bool) -> None:
    parent = (
        "import os, subprocess, sys; p = subprocess.Popen([sys.executable, sys.argv[1], f'--parent={os.getpid()}'], "
        "stdout=subprocess.PIPE if len(sys.argv) > 2 else subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True); "
        "print(p.pid, p.stdout and p.stdout.readline(), flush=True)"
    )
    command = [sys.executable, "-c", parent, str(SERVICE), *(["waits"] if waits else [])]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    pid = int(said.stdout.split()[0])
    deadline = time.monotonic() + 60
    while (alive := _is_alive(pid)) and time.monotonic() < deadline:
        time.sleep(0.05)
    if alive:
        os.kill(pid, signal.SIGKILL)
    assert not alive


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A child that nobody waits for stays in the process table where there is no init to reap it.
    state = pathlib.Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
