# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The client over real HTTP: the four calls to the letter, what is sent again, what is believed, the way to a zone."""

import json

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._api.retries import Write
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key

A_VALUE = {"name": "www", "type": "A", "content": "192.0.2.1", "ttl": 300}


def never():
    """An ``is_there`` that must not be asked."""
    raise AssertionError("the zone must not be read again here")


def post(client, is_there=never, **write):
    client.create_value("examplecom", A_VALUE, Write(is_there, **write))


def delete(client, is_gone=never):
    client.delete_record_set("examplecom", "www.example.com.", "A", Write(is_gone))


def reason(call, *arguments):
    """What a call that must fail says."""
    with pytest.raises(ServiceError) as failed:
        call(*arguments)
    return str(failed.value)


# The four calls (spec 4)


@pytest.mark.parametrize(
    "slug, path",
    [("../zones", "..%2Fzones"), ("a b?c#d%2f&é", "a%20b%3Fc%23d%252f%26%C3%A9")],
)
def test_a_slug_stays_one_segment_of_the_path(connect, recorder, slug, path):
    connect(base_url=recorder.url).read_record_sets(slug)
    assert recorder.requests[0].path == f"/dns/domains/{path}"


def test_a_name_stays_one_parameter_of_the_query(connect, recorder):
    client = connect(base_url=recorder.url)
    client.delete_record_set("examplecom", r"*\.&b=c+d#.example.com.", "TXT", Write(never))
    assert recorder.requests[0].path == (
        "/dns/domains/examplecom/records?name=%2A%5C.%26b%3Dc%2Bd%23.example.com.&type=TXT"
    )


def test_the_calls_of_one_client_share_a_connection(connect, service):
    client = connect()
    client.read_zone("example.com.")
    post(client)
    delete(client)
    assert len({entry["connection"] for entry in service.log()}) == 1


def row(name, rdtype, ttl, *contents):
    return {"name": name, "type": rdtype, "ttl": ttl, "contents": contents, "comment": "unknown"}


def test_a_zone_is_read_as_the_service_shows_it(connect, recorder):
    """Sets that it shows in parts are one, and a type by its number is the type."""
    rows = [
        row("WWW.Example.COM", "a", 300, "192.0.2.1"),
        row("www.example.com.", "A", 60, "192.0.2.2"),
        row("empty.example.com.", "X-NEW", 0),
        row("example.com.", "TYPE6", 300, "a. b. 1 2 3 4 5"),
    ]
    recorder.answers(json.dumps({"status": "Success", "data": {"records": rows}}).encode())
    live = connect(base_url=recorder.url).read_zone("example.com.")
    www, empty, soa = live.record_sets.values()
    assert (www.name, www.type, www.ttl) == ("www.example.com.", "A", 60)
    assert www.values == ("192.0.2.1", "192.0.2.2")
    assert www.higher_ttls == (("192.0.2.1", 300),)
    assert (empty.type, empty.values) == ("X-NEW", ())
    assert live.shown_type(soa.key) == "TYPE6"
    assert live.shown_type(Key("not.there.", "A")) == "A"


# What is sent again


@pytest.mark.parametrize("call", [post, delete])
@pytest.mark.parametrize(
    "kind, fields, timeout",
    [
        ("status_after", {"status": 504}, 30),
        ("drop_after", {}, 30),
        ("hang_after", {"seconds": 1}, 0.3),
    ],
)
def test_a_write_that_was_carried_out_without_an_answer_is_not_repeated(
    connect, zone, service, call, kind, fields, timeout
):
    zone.holds("www 300 A 192.0.2.9")
    service.fault(kind, **fields)
    call(connect(timeout=timeout), lambda: True)
    assert [entry["changed"] for entry in service.log()] == [True]


@pytest.mark.parametrize("call", [post, delete])
@pytest.mark.parametrize("kind", ["status", "drop_before"])
def test_a_write_that_was_not_carried_out_is_repeated(connect, zone, service, call, kind):
    zone.holds("www 300 A 192.0.2.9")
    service.fault(kind)
    call(connect(retries=1), lambda: False)
    assert [entry["changed"] for entry in service.log()] == [False, True]


def test_nothing_is_sent_that_is_not_allowed_any_more(connect, service):
    """It is asked before each try."""
    service.fault("status", path="/records", status=503)
    tries = []

    def before_each_try():
        tries.append("asked")
        if len(tries) == 2:
            raise ServiceError("somebody else has the zone now")

    with pytest.raises(ServiceError, match=r"^somebody else has the zone now$"):
        post(connect(), before_each_try=before_each_try)
    assert len(service.calls()) == 1


# Passwords


@pytest.mark.parametrize(
    "proxy",
    [
        "http://user:s3cr3t-pw@127.0.0.1:99999",
        "http://user:s3cr3t-pw@[::1",
        "http://user:s3cr3t-pw",
        "user:s3cr3t-pw@proxy host",
        "http://user:s3cr3t-pw/s3cr3t-pw@127.0.0.1:1",
        "http://user:s3cr3t%2Dpw@127.0.0.1:x",
        "ftp://user:s3cr3t-pw@127.0.0.1:1",
    ],
)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_password_of_a_proxy_is_not_shown(connect, monkeypatch, scheme, proxy):
    monkeypatch.setenv(f"{scheme}_proxy", proxy)
    client = connect(base_url=f"{scheme}://dns.invalid", allow_insecure_http=True, retries=0)
    assert "s3cr3t" not in reason(client.list_zones).lower()


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
        # A slug that is not the name without its dots.
        (
            [("0/25.2.0.192.in-addr.arpa", "a b%2fc?")],
            "0/25.2.0.192.in-addr.arpa.",
            "a b%2fc?",
            ["/0/2520192in-addrarpa", "", "/a b%2fc?"],
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
    "zones, message",
    [
        (
            [("exmple.com", None)],
            "the account has no zone of that name \\(it has 1\\); did you mean exmple.com",
        ),
        ([], "the account has no zone of that name \\(it has 0\\); "),
        # One slug for two zones, and no other way to the second.
        (
            [("ex.ample.com", None), ("example.com", None)],
            "its slug examplecom leads to the zone ex.ample.com. instead",
        ),
    ],
)
def test_no_way_to_a_zone(connect, service, zones, message):
    make_zones(service, *zones)
    with pytest.raises(ServiceError, match=message):
        connect().read_zone("example.com.")


@pytest.mark.parametrize(
    "status, is_listed",
    [(200, True), (400, True), (404, True), (422, True), (401, False), (403, False), (410, False)],
)
def test_a_refusal_that_may_be_about_the_slug_leads_to_the_list(
    connect, service, status, is_listed
):
    make_zones(service, ("example.com", "17"))
    service.fault("status", path="/examplecom", status=status)
    if is_listed:
        assert connect().read_zone("example.com.").slug == "17"
    else:
        assert f"the service answered {status}" in reason(connect().read_zone, "example.com.")


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


def test_near_names_are_shown_without_escapes(connect, service):
    row = {"name": "example.com\x1b[31m", "slug": "x", "status": True}
    service.fault("answer", path="/dns/domains", nth=2, body={"status": "Success", "data": [row]})
    assert r"did you mean example.com\x1b[31m" in reason(connect().read_zone, "example.com-31m.")


LACKS_SOA = "the service's answer lacks the zone's SOA, so it may lack other record sets too; try again later"


@pytest.mark.parametrize(
    "slug, calls", [("examplecom", ["/examplecom", ""]), ("17", ["/examplecom", "", "/17"])]
)
def test_a_zone_without_soa_is_not_believed(connect, service, slug, calls):
    make_zones(service, ("example.com", slug))
    service.habits("example.com", shows="no_soa")
    assert reason(connect().read_zone, "example.com.") == LACKS_SOA
    assert service.calls() == [f"GET /dns/domains{path}" for path in calls]


def test_a_zone_is_read_again_by_the_slug_that_led_to_it(connect, service, clock):
    make_zones(service, ("example.com", "17"))
    client = connect()
    before = client.read_zone("example.com.")
    clock.turn(1)
    service.clear_log()
    again = client.read_again(before)
    assert service.calls() == ["GET /dns/domains/17"]
    assert again == before
    assert (again.slug, again.read_at) == ("17", before.read_at + 1)
    service.habits("example.com", shows="nothing")
    with pytest.raises(ServiceError, match=LACKS_SOA) as refused:
        client.read_again(before)
    assert refused.value.status_code == 200
