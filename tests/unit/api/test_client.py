# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The client over real HTTP: the four calls to the letter, what is not sent, what is tried again, what is believed."""

import base64
import json

import pytest
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import (
    ServiceError,
    Success,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import (
    Client,
    Snapshot,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import Connection
from ansible_collections.zonesmith.dns.plugins.module_utils._api.retries import Write
from ansible_collections.zonesmith.dns.plugins.module_utils._api.sender import Sender
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key

TOKEN = "token-that-nobody-may-see"
ZONE = "/dns/domains/examplecom"
RECORDS = f"{ZONE}/records"
A_VALUE = {"name": "www", "type": "A", "content": "192.0.2.1", "ttl": 300}
EMPTY_ZONE = {"status": "Success", "message": "OK", "data": {"records": []}}


def never():
    """An ``is_there`` that must not be asked."""
    raise AssertionError("the zone must not be read again here")


def get(client):
    client.read_record_sets("examplecom")


def post(client, is_there=never):
    client.create_value("examplecom", A_VALUE, Write(is_there))


def delete(client, is_gone=never):
    return client.delete_record_set("examplecom", "www.example.com.", "A", Write(is_gone))


CALLS = {"GET": get, "POST": post, "DELETE": delete}


def reason(call, *arguments):
    """What a call that must fail says."""
    with pytest.raises(ServiceError) as failed:
        call(*arguments)
    return str(failed.value)


# The four calls (spec 4)


@pytest.mark.parametrize(
    "slug, path",
    [
        ("examplecom", "/dns/domains/examplecom"),
        ("a/b", "/dns/domains/a%2Fb"),
        ("../zones", "/dns/domains/..%2Fzones"),
        ("a b?c#d%2f&e", "/dns/domains/a%20b%3Fc%23d%252f%26e"),
        ("bücher", "/dns/domains/b%C3%BCcher"),
    ],
)
def test_a_slug_stays_one_segment_of_the_path(connect, recorder, slug, path):
    connect(base_url=recorder.url).read_record_sets(slug)
    assert [request.path for request in recorder.requests] == [path]


@pytest.mark.parametrize(
    "name, query",
    [
        ("*.example.com.", "name=%2A.example.com.&type=TXT"),
        ("_dmarc.example.com.", "name=_dmarc.example.com.&type=TXT"),
        (r"a\.b.example.com.", "name=a%5C.b.example.com.&type=TXT"),
        ("a&b=c+d#.example.com.", "name=a%26b%3Dc%2Bd%23.example.com.&type=TXT"),
    ],
)
def test_a_name_stays_one_parameter_of_the_query(connect, recorder, name, query):
    connect(base_url=recorder.url).delete_record_set("examplecom", name, "TXT", Write(never))
    assert [request.path for request in recorder.requests] == [f"{RECORDS}?{query}"]


def test_the_calls_of_one_client_share_a_connection(connect, service):
    client = connect()
    client.read_zone("example.com.")
    post(client)
    delete(client)
    assert len({entry["connection"] for entry in service.log()}) == 1


def test_a_zone_is_read_as_the_service_shows_it(connect, recorder):
    rows = [
        {
            "name": "WWW.Example.COM",
            "type": "a",
            "ttl": 300,
            "contents": ["192.0.2.1"],
            "comment": "unknown field",
        },
        {"name": "www.example.com.", "type": "A", "ttl": 60, "contents": ["192.0.2.2"]},
        {"name": "empty.example.com.", "type": "X-NEW", "ttl": 0, "contents": []},
    ]
    recorder.answers(
        json.dumps({**EMPTY_ZONE, "data": {"records": rows, "id": 1}, "version": 2}).encode()
    )
    record_sets = connect(base_url=recorder.url).read_record_sets("examplecom")
    assert [record_set.as_result() for record_set in record_sets.values()] == [
        {
            "name": "www.example.com.",
            "type": "A",
            "ttl": 60,
            "contents": ["192.0.2.1", "192.0.2.2"],
        },
        {"name": "empty.example.com.", "type": "X-NEW", "ttl": 0, "contents": []},
    ]
    assert [record_set.higher_ttls for record_set in record_sets.values()] == [
        (("192.0.2.1", 300),),
        (),
    ]


def test_a_type_by_its_number_is_the_type(connect, recorder):
    rows = [
        {"name": "example.com.", "type": "TYPE6", "ttl": 300, "contents": ["a. b. 1 2 3 4 5"]},
        {"name": "example.com.", "type": "type65", "ttl": 300, "contents": ["1 . alpn=h2"]},
        {"name": "example.com.", "type": "HTTPS", "ttl": 300, "contents": ["2 ."]},
        {"name": "www.example.com.", "type": "TYPE65534", "ttl": 300, "contents": ["\\# 1 00"]},
    ]
    recorder.answers(json.dumps({**EMPTY_ZONE, "data": {"records": rows}}).encode())
    live = connect(base_url=recorder.url).read_zone("example.com.")
    assert {
        (name, rdtype): live.shown_type(Key(name, rdtype)) for name, rdtype in live.record_sets
    } == {
        ("example.com.", "SOA"): "TYPE6",
        ("example.com.", "HTTPS"): "TYPE65",
        ("www.example.com.", "TYPE65534"): "TYPE65534",
    }
    assert live.record_sets[Key("example.com.", "HTTPS")].values == ("1 . alpn=h2", "2 .")
    assert live.shown_type(Key("not.there.", "A")) == "A"


def test_two_readings_that_show_the_same_are_the_same():
    first, second = (Snapshot("example.com.", "examplecom", {}) for _reading in range(2))
    assert first.read_at <= second.read_at
    object.__setattr__(second, "read_at", first.read_at + 9)
    assert first == second


# What must not be sent


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@named_rows("call", CALLS)
def test_a_redirect_is_not_followed(connect, service, recorder, call, status):
    service.fault("redirect", location=f"{recorder.url}/elsewhere", status=status)
    message = reason(call, connect())
    assert message.startswith(
        f"the service answered {status} and points to {recorder.url}/elsewhere (requested "
    )
    assert message.endswith("; see base_url)")
    assert f" {service.url}/dns/domains/examplecom" in message
    assert recorder.requests == []
    assert len(service.calls()) == 1


# What is tried again


@pytest.mark.parametrize("kind", ["drop_before", "drop_after"])
def test_a_reading_whose_connection_broke_is_tried_again(connect, service, kind):
    service.fault(kind, times=2)
    connect().read_zone("example.com.")
    assert len(service.log()) == 3


# How an answer is lost, and whether the write was carried out all the same.
LOST = [
    ("status", {"status": 500}, False),
    ("status", {"status": 409}, False),
    ("status_after", {"status": 504}, True),
    ("drop_before", {}, False),
    ("drop_after", {}, True),
    ("hang_after", {"seconds": 1}, True),
]


@pytest.mark.parametrize("retries", [1, 0])
@pytest.mark.parametrize("call", [post, delete])
@pytest.mark.parametrize("kind, fields, is_done", LOST)
def test_a_write_whose_answer_was_lost_is_repeated_only_when_it_was_not_carried_out(
    connect,
    zone,
    service,
    call,
    kind,
    fields,
    is_done,
    retries,
):
    zone.holds("www 300 A 192.0.2.1" if call is delete else "other 300 A 192.0.2.1")
    service.fault(kind, **fields)
    asked = []
    client = connect(timeout=0.3 if kind == "hang_after" else 30, retries=retries)
    if retries or is_done:
        call(client, lambda: is_done and not asked.append(1))
    else:
        reason(call, client, lambda: False)
    assert asked == [1] * is_done
    assert [entry["changed"] for entry in service.log()] == [
        is_done,
        *[True] * (retries and not is_done),
    ]


# What is believed


@pytest.mark.parametrize(
    "status, body, is_confirmed",
    [(202, {"status": "Success"}, False), (200, "OK", False), (201, {"status": "Success"}, True)],
)
@pytest.mark.parametrize("call", [post, delete])
def test_whether_a_write_is_confirmed(
    connect,
    service,
    clock,
    call,
    status,
    body,
    is_confirmed,
):
    """Which counts for a deletion alone: what is created the zone shows at the end of the run."""
    service.fault("status", status=status, body=body)
    assert call(connect()) is (is_confirmed if call is delete else None)
    assert len(service.log()) == 1
    assert clock.waits == []


@pytest.mark.parametrize(
    "proxy",
    [
        "http://user:s3cr3t-pw@127.0.0.1:port",
        "http://user:s3cr3t-pw@127.0.0.1:99999",
        "http://user:s3cr3t-pw@[::1",
        "http://user:s3cr3t-pw@",
        "http://user:s3cr3t-pw",
        "user:s3cr3t-pw@proxy host",
        "http://user:s3cr3t-pw@host@127.0.0.1:1",
        "http://user:s3cr3t-pw#s3cr3t-pw@127.0.0.1:1",
        "http://user:s3cr3t-pw/s3cr3t-pw@127.0.0.1:1",
        "http://us er:s3cr3t-pw@127.0.0.1:1",
        "http://user:s3cr3t%2Dpw@127.0.0.1:x",
        "http://user:s3cr3t-pw@127.0.0.1:1",
        "ftp://user:s3cr3t-pw@127.0.0.1:1",
        "http://user:s3cr3t-pw@..:1",
    ],
)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_password_of_a_proxy_is_not_shown(connect, monkeypatch, scheme, proxy):
    monkeypatch.setenv(f"{scheme}_proxy", proxy)
    message = reason(
        get, connect(base_url=f"{scheme}://dns.invalid", allow_insecure_http=True, retries=0)
    )
    assert "s3cr3t" not in message.lower()


def test_a_proxy_that_repeats_its_password(connect, recorder, monkeypatch):
    monkeypatch.setenv("http_proxy", recorder.url.replace("//", "//user:s3cr3t-pw@"))
    account = base64.b64encode(b"user:s3cr3t-pw").decode()
    recorder.answers(f"no {account} nor s3cr3t-pw".encode(), status=407)
    assert reason(get, connect(base_url="http://dns.invalid", allow_insecure_http=True)) == (
        f"the service answered 407: no ********{account[-2:]} nor ******** (see the proxies in the environment)"
    )


def test_a_redirect_is_shown_without_escapes(connect, recorder):
    recorder.answers(b"", status=302, Location="https://other.example/\x1b[31m" + "x" * 500)
    message = reason(get, connect(base_url=recorder.url))
    assert r"points to https://other.example/\x1b[31mxxx" in message
    assert len(message) < 500


@pytest.mark.parametrize(
    "headers, body",
    [
        ({"Content_Encoding": "gzip"}, b"this is not gzip"),
        ({"Content_Length": "99999"}, b'{"status": "Success"'),
    ],
    ids=["encoding", "length"],
)
def test_a_body_that_does_not_arrive_whole(connect, recorder, headers, body):
    recorder.answers(body, Connection="close", **headers)
    with pytest.raises(ServiceError):
        get(connect(base_url=recorder.url, retries=0, timeout=0.3))


# Slugs (docs/design_details.md, "Open questions in the specification")


def make_zones(service, *zones):
    for name in service.zones():
        service.remove_zone(name["name"])
    for name, slug in zones:
        service.zone(name, slug=slug)


@pytest.mark.parametrize(
    "zones, wanted, slug, calls",
    [
        ([("example.com", None)], "example.com.", "examplecom", ["/examplecom"]),
        # One slug for two zones: it leads to the first, and its SOA tells.
        (
            [("ex.ample.com", None), ("example.com", "two")],
            "example.com.",
            "two",
            ["/examplecom", "", "/two"],
        ),
        (
            [("ex.ample.com", None), ("example.com", "two")],
            "ex.ample.com.",
            "examplecom",
            ["/examplecom"],
        ),
        # A slug that is not the name without its dots.
        ([("example.com", "zone-17")], "example.com.", "zone-17", ["/examplecom", "", "/zone-17"]),
        (
            [("example.com", "a b%2fc?")],
            "example.com.",
            "a b%2fc?",
            ["/examplecom", "", "/a b%2fc?"],
        ),
        (
            [("xn--bcher-kva.example", None)],
            "xn--bcher-kva.example.",
            "xn--bcher-kvaexample",
            ["/xn--bcher-kvaexample"],
        ),
        (
            [("0/25.2.0.192.in-addr.arpa", "r")],
            "0/25.2.0.192.in-addr.arpa.",
            "r",
            ["/0/2520192in-addrarpa", "", "/r"],
        ),
    ],
)
def test_the_slug_of_a_zone(connect, service, zones, wanted, slug, calls):
    make_zones(service, *zones)
    live = connect().read_zone(wanted)
    assert (live.name, live.slug) == (wanted, slug)
    assert (wanted, "SOA") in live.record_sets
    assert service.calls() == [f"GET /dns/domains{path}" for path in calls]


@pytest.mark.parametrize(
    "zones, wanted, message",
    [
        (
            [("example.com", None)],
            "exmple.com.",
            "the account has no zone of that name \\(it has 1\\); did you mean example.com",
        ),
        (
            [("example.com", None), ("example.org", None)],
            "example.cm.",
            "did you mean example.com",
        ),
        (
            [("example.com", None)],
            "other.net.",
            "the account has no zone of that name \\(it has 1\\); check its name",
        ),
        (
            [("example.com", None)],
            "192.0.2.0/24.",
            "write a reverse zone as in 2.0.192.in-addr.arpa",
        ),
        (
            [(f"{number}.2.0.192.in-addr.arpa", None) for number in (1, 3)],
            "2.2.0.192.in-addr.arpa.",
            "did you mean 3.2.0.192.in-addr.arpa or 1.2.0.192.in-addr.arpa",
        ),
        ([], "example.com.", "the account has no zones at all"),
        # One slug for two zones, and no other way to the second.
        (
            [("ex.ample.com", None), ("example.com", None)],
            "example.com.",
            "its slug examplecom leads to the zone ex.ample.com. instead",
        ),
    ],
)
def test_no_way_to_a_zone(connect, service, zones, wanted, message):
    make_zones(service, *zones)
    with pytest.raises(ServiceError, match=message):
        connect().read_zone(wanted)


@pytest.mark.parametrize(
    "call, arguments",
    [("create_value", [A_VALUE]), ("delete_record_set", ["www.example.com.", "A"])],
)
def test_nothing_is_sent_that_is_not_allowed_any_more(connect, service, call, arguments):
    """It is asked before each try."""
    service.fault("status", path="/records", status=503)
    tries = []

    def before_each_try():
        tries.append("asked")
        if len(tries) == 2:
            raise ServiceError("somebody else has the zone now")

    refused = reason(
        getattr(connect(), call), "examplecom", *arguments, Write(never, before_each_try)
    )
    assert refused == "somebody else has the zone now"
    assert len(service.calls()) == 1


def test_a_listed_zone_that_the_service_does_not_show(connect, service):
    service.fault(
        "status", path="/examplecom", status=404, body={"message": "Gone fishing"}, times=0
    )
    assert reason(connect().read_zone, "example.com.") == "the service answered 404: Gone fishing"


def test_an_incomplete_list_does_not_tell_that_a_zone_is_missing(connect, service):
    service.settings(list_total_extra=2)
    assert reason(connect().read_zone, "other.net.") == (
        "it is not among the 1 zones that the service lists, but the account has 3, so the zone may exist"
    )
    assert "lists 1 of 3 zones" in reason(connect().list_zones)
    assert connect().listed_zone("example.com.").slug == "examplecom"


LACKS_SOA = "the service's answer lacks the zone's SOA, so it may lack other record sets too; try again later"


@pytest.mark.parametrize("shows", ["no_soa", "nothing"])
@pytest.mark.parametrize("slug", ["examplecom", "zone-17"])
def test_a_zone_without_soa_is_not_believed(connect, service, shows, slug):
    make_zones(service, ("example.com", slug))
    service.habits("example.com", shows=shows)
    assert reason(connect().read_zone, "example.com.") == LACKS_SOA
    gets = ["", "/zone-17"] if slug == "zone-17" else [""]
    assert service.calls() == [f"GET /dns/domains{path}" for path in ("/examplecom", *gets)]


def test_a_zone_is_read_again_by_the_slug_that_led_to_it(connect, service, zone, clock):
    client = connect()
    before = client.read_zone("example.com.")
    clock.turn(1)
    zone.holds("www 300 A 192.0.2.1")
    service.clear_log()
    again = client.read_again(before)
    assert service.calls() == ["GET /dns/domains/examplecom"]
    assert (again.name, again.slug) == (before.name, before.slug)
    assert again.read_at == before.read_at + 1
    assert again.record_sets.keys() - before.record_sets.keys() == {("www.example.com.", "A")}


@pytest.mark.parametrize("shows", ["no_soa", "nothing"])
def test_a_zone_that_is_read_again_without_its_soa_is_not_believed(connect, service, shows):
    client = connect()
    before = client.read_zone("example.com.")
    service.habits("example.com", shows=shows)
    with pytest.raises(ServiceError, match=LACKS_SOA) as refused:
        client.read_again(before)
    assert refused.value.status_code == 200


def test_near_names_are_shown_without_escapes(connect, service):
    row = {"name": "example.com\x1b[31m", "slug": "x", "status": True}
    service.fault(
        "answer", path="/dns/domains", nth=2, body={"status": "Success", "data": [row], "total": 1}
    )
    assert r"did you mean example.com\x1b[31m" in reason(connect().read_zone, "example.com-31m.")


SOA_ROW = {"name": "example.com.", "type": "SOA", "ttl": 300, "contents": ["a. b. 1 2 3 4 5"]}
LISTED = [{"name": "example.com", "slug": "17", "status": True}]


@pytest.fixture
def scripted(monkeypatch):
    """Makes a client of a service that gives each path one answer, and what it was asked for."""

    def scripted(**answers):
        asked = []

        def send(_sender, method, path, *_content):
            slug = path.removeprefix("/dns/domains").removeprefix("/")
            asked.append(f"{method} {slug}".rstrip())
            answer = answers[slug or "list"]
            if isinstance(answer, int):
                raise ServiceError(f"the service answered {answer}", answer)
            return Success({"data": answer})

        monkeypatch.setattr(Sender, "send", send)
        return Client(Connection("https://dns.example.com", TOKEN)), asked

    return scripted


@pytest.mark.parametrize("status", [200, 201, 400, 401, 403, 404, 405, 410, 422, 423, 500])
def test_a_refusal_that_may_be_about_the_slug_leads_to_the_list(scripted, status):
    client, asked = scripted(examplecom=status, list=LISTED, **{"17": {"records": [SOA_ROW]}})
    if status in (200, 400, 404, 422):
        assert client.read_zone("example.com.").slug == "17"
        assert asked == ["GET examplecom", "GET", "GET 17"]
    else:
        assert reason(client.read_zone, "example.com.") == f"the service answered {status}"
        assert asked == ["GET examplecom"]


def test_a_zone_is_that_of_its_soa_wherever_it_stands(scripted):
    www = {"name": "www.example.com.", "type": "A", "ttl": 300, "contents": ["192.0.2.1"]}
    client, asked = scripted(examplecom={"records": [www, SOA_ROW]})
    live = client.read_zone("example.com.")
    assert client.read_again(live) == live
    assert asked == ["GET examplecom", "GET examplecom"]


# TLS
