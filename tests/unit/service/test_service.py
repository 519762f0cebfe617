# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The stand-in service over real HTTP: what other tests rely on without seeing it."""

import http.client
import json
import urllib.parse

import pytest

ZONE = "/dns/domains/examplecom"
RECORDS = f"{ZONE}/records"
CREATED = {"status": "Success", "message": "Domain record created successfully."}
SOA = "SOA ns1.dns.example. hostmaster.dns.example. 1 3600 600 1209600 3600"
OWNED = (SOA, "NS ns1.dns.example. | ns2.dns.example.")


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


def line(row):
    return f"{row['name']} {row['ttl']} {row['type']} {' | '.join(row['contents'])}"


def shown(records):
    """What was added to a zone, a line for each set."""
    rows = [line(row) for row in records]
    return [row.replace(".example.com.", "", 1) for row in rows if not row.endswith(OWNED)]


@pytest.mark.parametrize(
    "record, held",
    [
        ("WWW AAAA 2001:DB8::0:1", "www 300 AAAA 2001:db8::1"),
        (r"www TYPE65400 \# 2 abcd", r"www 300 TYPE65400 \# 2 abcd"),
        ("www ALIAS anything at all", "www 300 ALIAS anything at all"),
        ('www TXT "a" "b"', 'www 300 TXT "ab"'),
        ("www TXT é", r'www 300 TXT "\195\169"'),
        (f"www TXT {'x' * 256}", f'www 300 TXT "{"x" * 255}" "x"'),
    ],
)
def test_what_a_post_stores(service, record, held):
    assert post(service, record) == (200, CREATED)
    assert shown(service.records("example.com")) == [held]
    assert post(service, record)[0] == 422


@pytest.mark.parametrize(
    "change, field",
    [
        *[({"name": name}, "name") for name in (None, "www.", "www.example.com", "ä")],
        *[({"type": rtype}, "type") for rtype in (None, "a", "ANY")],
        *[({"content": content}, "content") for content in (None, "192.0.2.256", "192.0.2.1 ; b")],
        *[({"ttl": ttl}, "ttl") for ttl in (None, "300", True, -1, 2147483648)],
        ({"priority": 1}, "priority"),
        ({"comment": "x"}, "comment"),
        ({"type": "MX", "content": "m."}, "priority"),
        ({"type": "MX", "content": "m.", "priority": 65536}, "priority"),
        ({"type": "MX", "content": "10 m.net.", "priority": 1}, "content"),
        ({"type": "TXT", "content": "a" * 65536}, "content"),
    ],
)
def test_fields_that_are_refused(service, change, field):
    status, answer = post(service, "www A 192.0.2.1", **change)
    assert (status, [*answer["errors"]]) == (422, [field])
    assert shown(service.records("example.com")) == []


@pytest.mark.parametrize(
    "method, path, more, status",
    [
        ("GET", "/dns/domains", {"authorization": "Bearer wrong"}, 401),
        ("GET", "/dns/domains", {"accept": "*/*"}, 406),
        ("GET", "/dns/domains", {"accept": "text/html, application/json;q=0.9"}, 200),
        ("GET", "/dns/domains/example.com", {}, 404),
        ("GET", f"{ZONE}?page=2", {}, 422),
        ("POST", RECORDS, {"body": b"{}", "content_type": "text/plain"}, 415),
        ("POST", RECORDS, {"body": b"{"}, 400),
        ("DELETE", f"{RECORDS}?name=www.example.com.", {}, 422),
        ("DELETE", f"{RECORDS}?name=www&type=A", {}, 422),
        ("DELETE", f"{RECORDS}?name=www.example.com.&type=A&content=192.0.2.1", {}, 422),
        ("DELETE", f"{RECORDS}?name=example.com.&type=NS", {}, 403),
        ("DELETE", f"{RECORDS}?name=WWW.example.com.&type=A", {}, 200),
    ],
)
def test_requests(service, method, path, more, status):
    post(service, "www A 192.0.2.1")
    assert call(service, method, path, **more)[0] == status
    assert bool(shown(service.records("example.com"))) == (method != "DELETE" or status != 200)


def test_soa_and_ns_of_the_zone_are_the_services(service):
    for record in ("@ SOA ns. h. 1 2 3 4 5", "@ NS ns."):
        assert post(service, record)[0] == 403


def test_the_last_value_says_the_ttl_of_its_set(service):
    for priority, ttl in ((10, 60), (0, 600)):
        assert post(service, "@ MX m.net.", priority=priority, ttl=ttl) == (200, CREATED)
    assert shown(service.records("example.com")) == ["example.com. 600 MX 10 m.net. | 0 m.net."]


def test_a_switch_that_there_is_not_is_refused(service):
    """A test that misspells one would pass for nothing."""
    calls = [
        lambda: service.settings(nothing=1),
        lambda: service.fault(kind="lie", wait=1),
        lambda: service.habits("example.com", read_lags=1),
    ]
    for wrong in calls:
        with pytest.raises(ValueError, match="400"):
            wrong()
