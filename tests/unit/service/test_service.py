# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The stand-in service over real HTTP: what other tests rely on without seeing it."""

import http.client
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import urllib.parse

import pytest
from running import Service

SERVICE = pathlib.Path(__file__).parents[2] / "service"
ZONE = "/dns/domains/examplecom"
RECORDS = f"{ZONE}/records"
OK = {"status": "Success", "message": "OK"}
CREATED = {"status": "Success", "message": "Domain record created successfully."}
SOA = "SOA ns1.dns.example. hostmaster.dns.example. 1 3600 600 1209600 3600"
OWNED = (SOA, "NS ns1.dns.example. | ns2.dns.example.")
LONG = 600
"""Seconds that no test waits for: what is to come after them does not come."""


@pytest.fixture(scope="module")
def running():
    with Service(zones=["example.com"]) as service:
        yield service


@pytest.fixture
def service(running):
    running.reset()
    return running


def call(service, method, path, body=None, **headers):
    """The status and the body of an answer, to a request as the specification asks for, but for these headers."""
    parts = urllib.parse.urlsplit(service.url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=10)
    sent = {"Authorization": f"Bearer {service.token}", "Accept": "application/json"}
    sent |= {} if body is None else {"Content-Type": "application/json"}
    sent |= {name.replace("_", "-").title(): value for name, value in headers.items()}
    raw = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    try:
        connection.request(
            method, path, raw, {name: value for name, value in sent.items() if value is not None}
        )
        response = connection.getresponse()
        text = response.read()
        return response.status, json.loads(text) if text else None
    finally:
        connection.close()


def post(service, text, **fields):
    """Add `NAME TYPE CONTENT`, with a TTL of 300 unless the fields say otherwise."""
    record = {
        **dict(zip(("name", "type", "content"), text.split(" ", 2), strict=True)),
        "ttl": 300,
        **fields,
    }
    return call(
        service,
        "POST",
        RECORDS,
        {name: value for name, value in record.items() if value is not None},
    )


def do(service, request):
    """The status of `GET`, `NAME TYPE CONTENT` (a POST) or `-NAME TYPE` (a DELETE)."""
    if request == "GET":
        return call(service, "GET", ZONE)[0]
    if request.startswith("-"):
        name, rtype = request[1:].split()
        query = urllib.parse.urlencode({"name": f"{name}.example.com.", "type": rtype})
        return call(service, "DELETE", f"{RECORDS}?{query}")[0]
    return post(service, request)[0]


def line(row):
    return f"{row['name']} {row['ttl']} {row['type']} {' | '.join(row['contents'])}"


def shown(records):
    """What was added to a zone, a line for each set."""
    rows = [line(row) for row in records]
    return [row.replace(".example.com.", "", 1) for row in rows if not row.endswith(OWNED)]


def test_what_reads_return(service):
    service.zone("b.example", status=False, slug="other")
    listed = [{"name": "example.com", "slug": "examplecom", "status": True}]
    listed += [{"name": "b.example", "slug": "other", "status": False}]
    assert call(service, "GET", "/dns/domains") == (200, {**OK, "total": 2, "data": listed})
    status, answer = call(service, "GET", ZONE)
    rows = [line(row) for row in answer.pop("data")["records"]]
    assert (status, rows, answer) == (200, [f"example.com. 3600 {owned}" for owned in OWNED], OK)


@pytest.mark.parametrize(
    "record, held",
    [
        ("WWW A 192.0.2.1", "www 300 A 192.0.2.1"),
        ("www AAAA 2001:DB8::0:1", "www 300 AAAA 2001:db8::1"),
        ("www CNAME target", "www 300 CNAME target"),
        (r"www TYPE65400 \# 2 abcd", r"www 300 TYPE65400 \# 2 abcd"),
        ("www ALIAS anything at all", "www 300 ALIAS anything at all"),
        ('www TXT "a" "b"', 'www 300 TXT "ab"'),
        ("www TXT é", r'www 300 TXT "\195\169"'),
        (f"www TXT {'x' * 256}", f'www 300 TXT "{"x" * 255}" "x"'),
    ],
)
def test_what_a_post_stores(service, record, held):
    assert post(service, record) == (200, CREATED)
    assert [
        line.replace("target.example.com.", "target")
        for line in shown(service.records("example.com"))
    ] == [held]
    assert post(service, record)[0] == 422


@pytest.mark.parametrize(
    "change, field",
    [
        *[
            ({"name": name}, "name")
            for name in (None, "", 1, "www.", "www.example.com", "a..b", "a b", "ä", "a" * 64)
        ],
        *[({"type": rtype}, "type") for rtype in (None, "", 1, "a", "A A", "ANY", "AXFR", "OPT")],
        *[
            ({"content": content}, "content")
            for content in (None, "", 1, "192.0.2.256", "192.0.2.1 ; b", "host")
        ],
        *[({"ttl": ttl}, "ttl") for ttl in (None, "300", 300.0, True, -1, 2147483648)],
        ({"priority": 1}, "priority"),
        ({"comment": "x"}, "comment"),
        *[
            ({"type": "MX", "content": "m.", "priority": priority}, "priority")
            for priority in (None, "10", -1, 65536)
        ],
        *[
            ({"type": "MX", "content": content, "priority": 1}, "content")
            for content in ("m.net", "10 m.net.")
        ],
        ({"type": "TYPE65400", "content": "text"}, "content"),
        ({"type": "TXT", "content": "a" * 65536}, "content"),
    ],
)
def test_fields_that_are_refused(service, change, field):
    status, answer = post(service, "www A 192.0.2.1", **change)
    assert (status, answer["message"], list(answer["errors"])) == (
        422,
        "The given data was invalid.",
        [field],
    )
    assert shown(service.records("example.com")) == []


@pytest.mark.parametrize(
    "method, path, more, status",
    [
        *[
            ("GET", "/dns/domains", {"authorization": token}, 401)
            for token in (None, "Bearer wrong", "stand-in-token")
        ],
        *[("GET", "/dns/domains", {"accept": accept}, 406) for accept in (None, "*/*")],
        ("GET", "/dns/domains", {"accept": "text/html, application/json;q=0.9"}, 200),
        *[
            ("GET", path, {}, 404)
            for path in ("/dns/domains/", "/dns/domains/example.com", "/", f"{RECORDS}/1")
        ],
        ("POST", "/dns/domains/nowhere/records", {}, 404),
        *[
            (method, path, {}, 405)
            for method, path in (("GET", RECORDS), ("PUT", RECORDS), ("DELETE", ZONE))
        ],
        *[("GET", path, {}, 422) for path in ("/dns/domains?page=2", f"{ZONE}?page=2")],
        ("GET", ZONE, {"body": {}}, 422),
        *[
            ("POST", RECORDS, {"body": b"{}", "content_type": sent}, 415)
            for sent in (None, "text/plain")
        ],
        *[
            ("POST", RECORDS, {"body": body}, status)
            for body, status in ((b"{", 400), (b"[]", 422))
        ],
        *[
            ("DELETE", f"{RECORDS}?{query}", {}, 422)
            for query in (
                *(
                    "",
                    "type=A",
                    "name=www.example.com.",
                    "name=www&type=A",
                    "name=www.example.net.&type=A",
                ),
                *("name=www.example.com.&type=a", "name=www.example.com.&type=A&content=192.0.2.1"),
            )
        ],
        ("DELETE", f"{RECORDS}?name=example.com.&type=NS", {}, 403),
        ("DELETE", f"{RECORDS}?name=WWW.example.com.&type=A", {}, 200),
    ],
)
def test_requests(service, method, path, more, status):
    post(service, "www A 192.0.2.1")
    assert call(service, method, path, **more)[0] == status
    assert bool(shown(service.records("example.com"))) == (method != "DELETE" or status != 200)


A1, A2, A3 = (f"www A 192.0.2.{number}" for number in (1, 2, 3))
BOTH, ALL = "www 300 A 192.0.2.1 | 192.0.2.2", "www 300 A 192.0.2.1 | 192.0.2.2 | 192.0.2.3"


@pytest.mark.parametrize(
    "habits, requests, statuses, held, seen",
    [
        ({}, [A3, "-www A", "-www A", A1, A2], [200, 200, 404, 200, 200], [BOTH], [BOTH]),
        ({}, ["@ SOA ns. h. 1 2 3 4 5", "@ NS ns."], [403, 403], [BOTH], [BOTH]),
        ({"read_lag": LONG}, [A3], [200], [ALL], [BOTH]),
        ({"read_lag": LONG, "late_reads": 2}, [A3, "GET"], [200, 200], [ALL], [ALL]),
        ({"cache": LONG}, ["GET", A3], [200, 200], [ALL], [BOTH]),
        ({"apply_after": LONG, "write_status": 202}, ["-www A", A1], [202, 202], [BOTH], [BOTH]),
        ({"busy_after_write": LONG}, [A3, A1, "-www A"], [200, 409, 409], [ALL], [ALL]),
        ({"rate": 4, "rate_window": LONG}, ["GET", "GET", "GET"], [200, 200, 429], [BOTH], None),
        ({"shows": "nothing"}, [A3], [200], [ALL], []),
    ],
)
def test_habits(
    service,
    habits,
    requests,
    statuses,
    held,
    seen,
):
    post(service, A1)
    post(service, A2)
    service.habits("example.com", **habits)
    assert [do(service, request) for request in requests] == statuses
    assert shown(service.records("example.com")) == held
    assert seen is None or shown(call(service, "GET", ZONE)[1]["data"]["records"]) == seen


def test_mx_and_ttl_of_a_set(service):
    for ttl, (host, priority) in ((60, ("m.net.", 10)), (600, ("m.net.", 0))):
        assert post(service, f"@ MX {host}", priority=priority, ttl=ttl) == (200, CREATED)
    assert shown(service.records("example.com")) == ["example.com. 600 MX 10 m.net. | 0 m.net."]
    service.settings(mx_read="bare")
    assert call(service, "GET", ZONE)[1]["data"]["records"][-1]["contents"] == ["m.net.", "m.net."]


def test_zones_are_made_and_removed(service):
    service.zone(
        "New.Example.",
        [("www", "A", 60, ["192.0.2.1"]), ("a.new.example.", "TXT", 60, ["plain"])],
        slug="n",
    )
    rows = ["www.new.example. 60 A 192.0.2.1", 'a.new.example. 60 TXT "plain"']
    assert [row for row in shown(service.records("new.example")) if " 60 " in row] == rows
    assert call(service, "GET", "/dns/domains/n")[1]["data"]["records"] == service.records(
        "new.example"
    )
    service.remove_zone("new.example")
    assert [zone["slug"] for zone in service.zones()] == ["examplecom"]


@pytest.mark.parametrize(
    "record", [("www.example.net.", "A", 60, ["192.0.2.1"]), ("w", "A", 60, ["x"])]
)
@pytest.mark.parametrize(
    "wrong",
    [
        {"settings": {"nothing": 1}},
        {"fault": {"kind": "lie", "wait": 1}},
        {"habits": {"read_lags": 1}},
    ],
)
def test_wrong_calls_of_the_control_interface_are_refused(service, record, wrong):
    with pytest.raises(ValueError, match=r"4[02][02]"):
        service.zone("new.example", [record])
    (name, fields) = next(iter(wrong.items()))
    with pytest.raises(ValueError, match="400"):
        getattr(service, name)(*(["example.com"] if name == "habits" else []), **fields)
    assert len(service.zones()) == 1


def test_it_stops_with_a_signal_and_with_its_parent():
    parent = (
        "import os, subprocess, sys; p = subprocess.Popen([sys.executable, sys.argv[1], f'--parent={os.getpid()}'], "
        "stdout=subprocess.PIPE, text=True); print(p.pid, p.stdout.readline(), flush=True)"
    )
    done = subprocess.run(
        [sys.executable, "-c", parent, str(SERVICE)], capture_output=True, text=True, check=True
    )
    status = pathlib.Path(f"/proc/{done.stdout.split()[0]}/stat")
    deadline = time.monotonic() + 60
    # A child that nobody waits for stays in the process table where there is no init to reap it.
    while status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, str(SERVICE)], **pipes) as process:
        assert process.stdout.readline().startswith("http://")
        os.kill(process.pid, signal.SIGTERM)
        assert process.communicate(timeout=10) == ("", "")
        assert process.returncode == 0
