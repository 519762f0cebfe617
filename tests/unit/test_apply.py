# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plans carried out against the stand-in service: given this zone and this task, these calls, and this zone after."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Any

import pytest
from running import Service

from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan, plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError, TransientFailure
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._service.late_reads import READ_BACKOFF, SHORT_BACKOFF
from ansible_collections.zonesmith.dns.plugins.module_utils._service.sender import Sender

Run = Callable[..., dict[str, Any]]

TWO = """
    www 300 A 192.0.2.1
    www 300 A 192.0.2.2
"""
LONG = "k" * 300
DELETE_WWW = "DELETE www.example.com. A"


def text(zone: str) -> list[str]:
    """Zone text, as ``Zone.lines`` gives it."""
    return sorted(line.strip() for line in zone.strip().splitlines() if line.strip())


def www(*content: str, **options: Any) -> dict[str, Any]:
    """The task that is about the addresses of www."""
    return {"name": "www", "type": "A", "content": list(content), **options}


TABLE: dict[str, tuple[str, dict[str, Any], list[str], str]] = {
    "create": (
        "",
        www("192.0.2.1", "192.0.2.2", ttl=300),
        ["GET", "POST www A 192.0.2.1", "POST www A 192.0.2.2", "GET"],
        TWO,
    ),
    "create with the default TTL": (
        "",
        www("192.0.2.1"),
        ["GET", "POST www A 192.0.2.1", "GET"],
        "www 3600 A 192.0.2.1",
    ),
    "create at the apex": (
        "",
        {"type": "MX", "content": ["mail.example.net."], "priority": 10},
        ["GET", "POST @ MX 10 mail.example.net.", "GET"],
        "@ 3600 MX 10 mail.example.net.",
    ),
    "create below a wildcard": (
        "* 300 A 192.0.2.1",
        {"name": "*.www", "type": "AAAA", "content": ["2001:DB8::0"]},
        ["GET", "POST *.www AAAA 2001:db8::", "GET"],
        "* 300 A 192.0.2.1\n*.www 3600 AAAA 2001:db8::",
    ),
    "nothing to do": (TWO, www("192.0.2.2"), ["GET"], TWO),
    "nothing to do, exclusive": (TWO, www("192.0.2.2", "192.0.2.1", exclusive=True, ttl=300), ["GET"], TWO),
    "extend, with the live TTL": (
        TWO,
        www("192.0.2.2", "192.0.2.3"),
        ["GET", "POST www A 192.0.2.3", "GET"],
        TWO + "www 300 A 192.0.2.3",
    ),
    "extend, exclusive": (
        TWO,
        www("192.0.2.3", "192.0.2.2", "192.0.2.1", exclusive=True),
        ["GET", "POST www A 192.0.2.3", "GET"],
        TWO + "www 300 A 192.0.2.3",
    ),
    "another TTL: rebuild with all values": (
        TWO,
        www("192.0.2.2", ttl=60),
        ["GET", "GET", "DELETE www.example.com. A", "POST www A 192.0.2.1", "POST www A 192.0.2.2", "GET"],
        "www 60 A 192.0.2.1\nwww 60 A 192.0.2.2",
    ),
    "exclusive: rebuild without the others": (
        TWO,
        www("192.0.2.2", "192.0.2.3", exclusive=True),
        ["GET", "GET", "DELETE www.example.com. A", "POST www A 192.0.2.2", "POST www A 192.0.2.3", "GET"],
        "www 300 A 192.0.2.2\nwww 300 A 192.0.2.3",
    ),
    "one value goes": (
        TWO,
        www("192.0.2.1", state="absent"),
        ["GET", "GET", "DELETE www.example.com. A", "POST www A 192.0.2.2", "GET"],
        "www 300 A 192.0.2.2",
    ),
    "one value goes, and ttl is ignored": (
        TWO,
        www("192.0.2.1", state="absent", ttl=60),
        ["GET", "GET", "DELETE www.example.com. A", "POST www A 192.0.2.2", "GET"],
        "www 300 A 192.0.2.2",
    ),
    "the last values go": (
        TWO,
        www("192.0.2.2", "192.0.2.1", state="absent"),
        ["GET", "GET", "DELETE www.example.com. A", "GET"],
        "",
    ),
    "the whole set goes": (
        TWO + 'www 300 TXT "stays"',
        {"name": "www", "type": "A", "state": "absent"},
        ["GET", "DELETE www.example.com. A", "GET"],
        'www 300 TXT "stays"',
    ),
    "a value that is not there goes": (TWO, www("192.0.2.9", state="absent"), ["GET"], TWO),
    "a set that is not there goes": (TWO, {"name": "ftp", "type": "A", "state": "absent"}, ["GET"], TWO),
    "one mail host goes, whatever its preference": (
        "@ 300 MX 10 a.example.net.\n@ 300 MX 20 b.example.net.\n@ 300 MX 30 b.example.net.",
        {"type": "MX", "content": ["b.example.net."], "state": "absent"},
        ["GET", "GET", "DELETE example.com. MX", "POST @ MX 10 a.example.net.", "GET"],
        "@ 300 MX 10 a.example.net.",
    ),
    "a CNAME is replaced": (
        "www 300 CNAME old.example.net.",
        {"name": "www", "type": "CNAME", "content": ["new.example.net"], "exclusive": True},
        ["GET", "GET", "DELETE www.example.com. CNAME", "POST www CNAME new.example.net.", "GET"],
        "www 300 CNAME new.example.net.",
    ),
    "the other sets of the name stay": (
        TWO + 'www 600 AAAA 2001:db8::1\nwww 60 TXT "text"',
        www("192.0.2.3", exclusive=True),
        ["GET", "GET", "DELETE www.example.com. A", "POST www A 192.0.2.3", "GET"],
        'www 300 A 192.0.2.3\nwww 600 AAAA 2001:db8::1\nwww 60 TXT "text"',
    ),
    "a type that nobody knows": (
        "www 300 ALIAS Old.example.net",
        {"name": "www", "type": "alias", "content": ["New.example.net"], "ttl": 60},
        [
            "GET",
            "GET",
            "DELETE www.example.com. ALIAS",
            "POST www ALIAS old.example.net.",
            "POST www ALIAS new.example.net.",
            "GET",
        ],
        "www 60 ALIAS new.example.net.\nwww 60 ALIAS old.example.net.",
    ),
}


@pytest.mark.parametrize(("before", "task", "calls", "after"), TABLE.values(), ids=TABLE)
def test_a_task(zone: Any, run: Run, before: str, task: dict[str, Any], calls: list[str], after: str) -> None:
    zone.holds(before)
    result = run("dns_record", zone="example.com", **task)
    assert zone.calls() == calls
    assert zone.lines() == text(after)
    assert result["changed"] is (before != after)


@pytest.mark.parametrize(
    ("before", "task", "after"), [(before, task, after) for before, task, _calls, after in TABLE.values()], ids=TABLE
)
def test_a_task_done_again_is_one_reading(
    zone: Any, run: Run, service: Service, before: str, task: dict[str, Any], after: str
) -> None:
    zone.holds(before)
    run("dns_record", zone="example.com", **task)
    service.clear_log()
    assert run("dns_record", zone="example.com", **task)["changed"] is False
    assert zone.calls() == ["GET"]
    assert zone.lines() == text(after)


def test_what_a_creation_sends(run: Run, service: Service) -> None:
    run("dns_record", zone="example.com", name="@", type="MX", content=["10 mail.example.net"], ttl=300)
    (sent,) = [entry["body"] for entry in service.log() if entry["method"] == "POST"]
    assert sent == {"name": "@", "type": "MX", "content": "mail.example.net.", "ttl": 300, "priority": 10}


# TXT (docs/design.md, "What is open in the specification")

PLAIN, QUOTED = "v=spf1 -all", '"v=spf1 -all"'


@pytest.mark.parametrize(
    ("txt_format", "txt_read", "txt_write", "before", "posts"),
    [
        # auto, nothing to learn from: plain, and in quotes once that is refused, from then on
        ("auto", "quoted", "any", "", [PLAIN, "two"]),
        ("auto", "plain", "any", "", [PLAIN, "two"]),
        ("auto", "quoted", "quoted", "", [PLAIN, QUOTED, '"two"']),
        ("auto", "plain", "quoted", "", [PLAIN, QUOTED, '"two"']),
        # auto, and the zone shows how
        ("auto", "quoted", "any", "other 300 TXT old", [QUOTED, '"two"']),
        ("auto", "quoted", "quoted", "other 300 TXT old", [QUOTED, '"two"']),
        ("auto", "plain", "any", "other 300 TXT old", [PLAIN, "two"]),
        ("auto", "plain", "quoted", "other 300 TXT old", [PLAIN, QUOTED, '"two"']),
        # as told
        ("plain", "quoted", "any", "other 300 TXT old", [PLAIN, "two"]),
        ("plain", "plain", "any", "", [PLAIN, "two"]),
        ("quoted", "plain", "any", "other 300 TXT old", [QUOTED, '"two"']),
        ("quoted", "quoted", "quoted", "", [QUOTED, '"two"']),
    ],
)
def test_how_text_is_sent(
    zone: Any,
    run: Run,
    service: Service,
    txt_format: str,
    txt_read: str,
    txt_write: str,
    before: str,
    posts: list[str],
) -> None:
    zone.holds(before)
    service.settings(txt_read=txt_read, txt_write=txt_write)
    task = {"zone": "example.com", "type": "TXT", "content": [PLAIN, "two"], "ttl": 300, "txt_format": txt_format}
    assert run("dns_record", **task)["changed"] is True
    assert [entry["body"]["content"] for entry in service.log() if entry["method"] == "POST"] == posts
    service.clear_log()
    assert run("dns_record", **task)["changed"] is False
    assert zone.calls() == ["GET"]
    service.settings(txt_read="quoted")
    assert [line for line in zone.lines() if line.startswith("@")] == ['@ 300 TXT "two"', f"@ 300 TXT {QUOTED}"]


@pytest.mark.parametrize(
    ("status", "again"),
    [(400, True), (401, False), (402, True), (403, True), (404, True), (422, True)],
)
def test_plain_text_that_is_refused_is_sent_once_more_in_quotes(
    zone: Any, run: Run, service: Service, status: int, again: bool
) -> None:
    service.fault("status", method="POST", status=status, times=1)
    result = run("dns_record", zone="example.com", type="TXT", content=[PLAIN])
    assert result.get("failed", False) is not again
    assert [call for call in zone.calls() if call != "GET"] == [f"POST @ TXT {PLAIN}", f"POST @ TXT {QUOTED}"][
        : again + 1
    ]


@pytest.mark.parametrize("status", [408, 409, 423, 425, 429, 500, 501, 503, 507])
def test_a_failure_that_may_pass_is_no_reason_for_quotes(zone: Any, run: Run, service: Service, status: int) -> None:
    service.fault("status", method="POST", status=status, times=1)
    assert run("dns_record", zone="example.com", type="TXT", content=[PLAIN])["changed"]
    assert [call for call in zone.calls() if call != "GET"] == [f"POST @ TXT {PLAIN}"] * 2


def test_plain_text_that_is_refused_is_not_sent_in_quotes_unasked(zone: Any, run: Run, service: Service) -> None:
    service.settings(txt_write="quoted")
    result = run("dns_record", zone="example.com", type="TXT", content=[PLAIN], txt_format="plain")
    assert result["failed"]
    assert "should start with quote" in result["msg"]
    assert zone.calls() == ["GET", f"POST @ TXT {PLAIN}", "GET", "GET"]


@pytest.mark.parametrize("txt_read", ["plain", "quoted"])
@pytest.mark.parametrize("txt_format", ["auto", "plain", "quoted"])
@pytest.mark.parametrize(
    "value",
    [
        "v=spf1 -all",
        '"two" "chunks"',
        LONG,
        'with "quotes" inside',
        r"back\slash \123",
        "semi; colon",
        "grüße, 世界",
        " white space ",
        '""',
        '"in quotes"',
    ],
)
def test_text_is_the_same_the_second_time(
    run: Run, service: Service, txt_read: str, txt_format: str, value: str
) -> None:
    service.settings(txt_read=txt_read)
    task = {"zone": "example.com", "type": "TXT", "content": [value], "txt_format": txt_format}
    assert run("dns_record", **task)["changed"] is True
    assert run("dns_record", **task)["changed"] is False


def test_mail_hosts_that_read_back_without_preference(zone: Any, run: Run, service: Service, state_dir: Any) -> None:
    service.settings(mx_read="bare")
    task = {"zone": "example.com", "type": "MX", "content": ["10 a.example.net.", "20 b.example.net."], "ttl": 300}
    assert run("dns_record", **task)["changed"] is True
    service.clear_log()
    assert run("dns_record", **task)["changed"] is False
    assert zone.calls() == ["GET"]
    shutil.rmtree(state_dir)
    result = run("dns_record", **{**task, "content": ["10 a.example.net."], "ttl": 60})
    assert "does not tell the preference of b.example.net." in result["msg"]
    assert run("dns_record", **{**task, "ttl": 60})["changed"] is True
    service.settings(mx_read="full")
    assert zone.lines() == ["@ 60 MX 10 a.example.net.", "@ 60 MX 20 b.example.net."]


# Refusals, and what is put back


def test_what_was_added_before_a_refusal_stays_and_is_told(zone: Any, run: Run, service: Service) -> None:
    zone.holds(TWO)
    service.fault("status", method="POST", content="192.0.2.4", status=422, body={"message": "No"})
    result = run("dns_record", zone="example.com", **www("192.0.2.3", "192.0.2.4", "192.0.2.5"))
    assert result["changed"] is True
    assert result["changes"] == [
        {
            "name": "www.example.com.",
            "type": "A",
            "action": "extend",
            "before": {"ttl": 300, "contents": ["192.0.2.1", "192.0.2.2"]},
            "after": {"ttl": 300, "contents": ["192.0.2.1", "192.0.2.2", "192.0.2.3"]},
        }
    ]
    assert "the set holds 192.0.2.1, 192.0.2.2, 192.0.2.3 (TTL 300)" in result["msg"]
    assert zone.lines() == text(TWO + "www 300 A 192.0.2.3")


def test_several_sets_that_cannot_be_verified(run: Run, service: Service) -> None:
    service.fault("status", method="GET", nth=2, status=500, times=0)
    records = [{"name": name, "type": "A", "content": ["192.0.2.1"]} for name in "abc"]
    result = run("dns_records", zone="example.com", retries=0, records=records)
    assert result["msg"].endswith("; the state of a.example.com. A and 2 more is unknown.")


def test_a_zone_that_cannot_be_verified(run: Run, service: Service) -> None:
    service.fault("status", method="GET", nth=2, status=500, body={"message": "Oops"}, times=0)
    result = run("dns_record", zone="example.com", retries=1, **www("192.0.2.1"))
    assert result["msg"] == (
        "Zone example.com: all changes were sent, and could not be verified: the service answered 500: Oops; "
        "the state of www.example.com. A is unknown."
    )
    assert result["changed"] is True
    assert result["status_code"] == 500
    assert [change["action"] for change in result["changes"]] == ["create"]


def test_a_failure_after_which_the_zone_cannot_be_read(zone: Any, run: Run, service: Service) -> None:
    zone.holds(TWO)
    service.fault("status", method="POST", status=403, body={"message": "No"})
    service.fault("status", method="GET", nth=2, status=500, body={"message": "Oops"}, times=0)
    result = run("dns_record", zone="example.com", retries=0, **www("192.0.2.3"))
    assert result["msg"].endswith(
        "the service answered 403: No; what the set holds now cannot be read: the service answered 500: Oops."
    )
    assert (result["changed"], result["changes"], result["status_code"]) == (False, [], 403)


# Lost answers (docs/design.md, "Why nothing is lost", 5)

LOSSES = {
    "dropped before": ("drop_before", {}),
    "dropped after": ("drop_after", {}),
    "500 before": ("status", {"status": 500}),
    "500 after": ("status_after", {"status": 500}),
    "502 after": ("status_after", {"status": 502}),
    "504 after": ("status_after", {"status": 504}),
    "hangs": ("hang_after", {"seconds": 1.5}),
}


ONE = "www 300 A 192.0.2.2"
THREE = TWO + "www 300 A 192.0.2.3"
REFUSED = {"status": 422, "body": {"message": "No"}}


def test_a_mail_host_that_is_created_again_is_there_without_its_preference(
    zone: Any, run: Run, service: Service, clock: Any
) -> None:
    service.settings(mx_read="bare")
    zone.holds("@ 300 MX 10 mail.example.net.\n@ 300 MX 20 other.example.net.")
    task = {"zone": "example.com", "type": "MX"}
    run("dns_record", **task, state="absent")
    clock.turn(20)  # then no reading can show the set as it was
    service.clear_log()
    service.fault("drop_after", method="POST")
    assert run("dns_record", **task, content="10 mail.example.net.", ttl=300)["changed"] is True
    assert [call for call in zone.calls() if call != "GET"] == ["POST @ MX 10 mail.example.net."]
    assert [wait for wait in clock.waits if wait in READ_BACKOFF] == []


@pytest.mark.usefixtures("clock")
def test_a_lost_answer_where_the_service_keeps_the_ttl_that_the_set_had(zone: Any, run: Run, service: Service) -> None:
    """No reading shows the TTL that was sent: the value proves that it was added."""
    zone.holds("www 450 A 192.0.2.1")
    service.odd("example.com", ttl_fixed=450, duplicate_status=409)
    service.fault("drop_after", method="POST")
    result = run("dns_record", zone="example.com", **www("192.0.2.2", exclusive=True, ttl=600))
    assert result["changed"] is True
    assert zone.lines() == ["www 450 A 192.0.2.2"]
    assert [call for call in zone.calls() if call != "GET"] == [DELETE_WWW, "POST www A 192.0.2.2"]


@pytest.mark.parametrize(("kind", "fields"), LOSSES.values(), ids=LOSSES)
def test_a_lost_answer_to_text_that_reads_back_otherwise(
    zone: Any, run: Run, service: Service, kind: str, fields: Any
) -> None:
    service.fault(kind, method="POST", **fields)
    run("dns_record", zone="example.com", timeout=0.5, type="TXT", content=[LONG], ttl=60)
    assert [entry["changed"] for entry in service.log() if entry["method"] == "POST"].count(True) == 1
    assert zone.lines() == [f'@ 60 TXT "{LONG[:255]}" "{LONG[255:]}"']


@pytest.mark.parametrize("contents", [[f"192.0.2.{number}" for number in range(11, 11 + many)] for many in range(1, 9)])
def test_a_service_that_breaks_every_third_connection_gets_a_set_that_is_gone_whole_again(
    zone: Any, run: Run, monkeypatch: pytest.MonkeyPatch, contents: list[str]
) -> None:
    zone.holds(TWO)
    send, sent = Sender.send, [0]

    def break_every_third(sender: Sender, *arguments: Any) -> dict[str, Any]:
        sent[0] += 1
        if sent[0] % 3 == 0:
            raise TransientFailure(ServiceError("the connection broke"), not_carried_out=False)
        return send(sender, *arguments)

    monkeypatch.setattr(Sender, "send", break_every_third)
    run("dns_record", zone="example.com", retries=1, **www(*contents, exclusive=True, ttl=60))
    assert zone.lines() == [f"www 60 A {value}" for value in contents]


# Verification (docs/design.md, "Why nothing is lost", 6)


@pytest.mark.parametrize(
    ("before", "method", "task", "after"),
    [
        ("", "POST", www("192.0.2.1", "192.0.2.2", ttl=300), TWO),
        (TWO, "POST", www("192.0.2.3", exclusive=True), "www 300 A 192.0.2.3"),
        (TWO, "DELETE", www("192.0.2.3", exclusive=True), "www 300 A 192.0.2.3"),
        (TWO, "DELETE", {"name": "www", "type": "A", "state": "absent"}, ""),
        (TWO, "POST", www("192.0.2.1", state="absent"), "www 300 A 192.0.2.2"),
        (TWO, "POST", www("192.0.2.1", ttl=60), "www 60 A 192.0.2.1\nwww 60 A 192.0.2.2"),
    ],
)
def test_a_success_that_did_nothing_is_repaired_in_the_second_round(
    zone: Any, run: Run, service: Service, before: str, method: str, task: dict[str, Any], after: str
) -> None:
    zone.holds(before)
    service.fault("lie", method=method)
    assert run("dns_record", zone="example.com", **task)["changed"] is True
    assert zone.lines() == text(after)


def test_three_rounds_and_then_an_error_that_says_what_is_there_instead(zone: Any, run: Run, service: Service) -> None:
    zone.holds(TWO)
    service.fault("lie", method="POST", content="192.0.2.3", times=0)
    result = run("dns_record", zone="example.com", **www("192.0.2.3"))
    assert result["msg"].startswith(
        "Zone example.com: www.example.com. A is not as wanted after 3 rounds, in which the service answered Success: "
        "it holds 192.0.2.1, 192.0.2.2 (TTL 300) in place of 192.0.2.1, 192.0.2.2, 192.0.2.3 (TTL 300)"
    )
    assert zone.calls() == ["GET", *["POST www A 192.0.2.3", "GET", *["GET"] * len(READ_BACKOFF)] * 3]
    assert (result["changed"], result["changes"], result["status_code"]) == (False, [], None)


# Plans over many names


def wanted(*lines: str, **fields: Any) -> Callable[..., Plan]:
    """Makes plans for what lines want, like ``www.example.com. A 192.0.2.1 192.0.2.2``, with _ for a space in a value.

    Without values, no such set.
    """
    wanted_sets = []
    for line in lines:
        name, rdtype, *values = (word.replace("_", " ") for word in line.split())
        wanted_sets.append(Wanted(name, rdtype, tuple(values), **({"keeps_others": bool(values)} | fields)))
    return lambda live, *_: plan("example.com.", live, wanted_sets)


NAMES = [f"n{number:02}.example.com." for number in range(40)]


# Other runs


# Pruning what the service does not let go

RECORDS = [{"name": "www", "type": "A", "content": ["192.0.2.1"], "ttl": 300}]
PARKED = 'parked-a 300 TXT "a"\nparked-b 300 TXT "b"'
PRUNE = {"zone": "example.com", "records": RECORDS, "prune": True, "concurrency": 1}


def test_what_is_pruned_comes_last(zone: Any, run: Run) -> None:
    zone.holds(f"a 300 A 192.0.2.9\n{PARKED}\nwww 300 AAAA 2001:db8::1")
    assert run("dns_records", **PRUNE)["changed"] is True
    deleted = ["a.example.com. A", "parked-a.example.com. TXT", "parked-b.example.com. TXT", "www.example.com. AAAA"]
    assert zone.calls() == ["GET", "POST www A 192.0.2.1", *(f"DELETE {one}" for one in deleted), "GET"]
    assert zone.lines() == ["www 300 A 192.0.2.1"]


@pytest.mark.parametrize("concurrency", [1, 8])
def test_a_set_that_the_service_does_not_let_go_stops_no_other(
    zone: Any, run: Run, service: Service, clock: Any, concurrency: int
) -> None:
    zone.holds(PARKED)
    service.odd("example.com", undeletable=["parked-a.*"])
    result = run("dns_records", **{**PRUNE, "concurrency": concurrency})
    assert clock.waits == list(SHORT_BACKOFF), "nobody looks again for what is known to be there"
    assert zone.lines() == ['parked-a 300 TXT "a"', "www 300 A 192.0.2.1"]
    assert result["failed"]
    assert result["msg"].startswith(
        "Zone example.com: cannot delete parked-a.example.com. TXT: the service answered 403"
    )
    assert 'the set holds "a" (TTL 300); where the service does not let it go, list it in ignore' in result["msg"]
    assert result["msg"].endswith("(2 sets applied, 1 failed, 0 not attempted).")
    assert [change["name"] for change in result["changes"]] == ["parked-b.example.com.", "www.example.com."]
    assert zone.calls().count("DELETE parked-a.example.com. TXT") == 1
    assert run("dns_records", **PRUNE, ignore=[{"name": "parked-*"}])["changed"] is False


def test_what_is_pruned_beside_an_alias_goes_first(zone: Any, run: Run) -> None:
    zone.holds("www 300 A 192.0.2.1\nother 300 A 192.0.2.1")
    records = [{"name": "www", "type": "CNAME", "content": ["other.example.net."], "ttl": 300}]
    assert run("dns_records", **{**PRUNE, "records": records})["changed"] is True
    assert zone.calls() == [
        "GET",
        DELETE_WWW,
        "POST www CNAME other.example.net.",
        "DELETE other.example.com. A",
        "GET",
    ]
    assert zone.lines() == ["www 300 CNAME other.example.net."]


def test_an_alias_that_a_set_is_in_the_way_of_fails_with_the_set(
    zone: Any, run: Run, service: Service, clock: Any
) -> None:
    zone.holds("www 300 A 192.0.2.1\nother 300 A 192.0.2.1")
    service.odd("example.com", undeletable=["www.*"])
    records = [{"name": "www", "type": "CNAME", "content": ["other.example.net."], "ttl": 300}]
    result = run("dns_records", **{**PRUNE, "records": records})
    assert "cannot delete www.example.com. A: the service answered 403: " in result["msg"]
    assert "the set holds 192.0.2.1 (TTL 300); where the service does not let it go, list it in ignore" in result["msg"]
    assert result["msg"].endswith("(0 sets applied, 2 failed, 1 not attempted).")
    assert zone.lines() == ["other 300 A 192.0.2.1", "www 300 A 192.0.2.1"]
    assert clock.waits == list(SHORT_BACKOFF), "what was refused may be gone"


def test_a_set_that_comes_back_is_fought_once(zone: Any, run: Run, service: Service, clock: Any) -> None:
    zone.holds(PARKED)
    service.odd("example.com", returning=["parked-a.*"])
    result = run("dns_records", **PRUNE)
    assert (
        "parked-a.example.com. TXT was removed and is there again: where the service makes it itself, list it in ignore"
    ) in result["warnings"]
    assert [change["name"] for change in result["changes"]] == ["parked-b.example.com.", "www.example.com."]
    assert zone.calls().count("DELETE parked-a.example.com. TXT") == 1
    assert clock.waits == list(READ_BACKOFF)
    assert zone.lines() == ['parked-a 300 TXT "a"', "www 300 A 192.0.2.1"]


# A DELETE that is refused, or has no answer


@pytest.mark.parametrize(
    ("status", "waits"),
    [
        (404, READ_BACKOFF),
        (410, READ_BACKOFF),
        (422, SHORT_BACKOFF),
        (400, SHORT_BACKOFF),
        (403, SHORT_BACKOFF),
        (401, ()),
    ],
)
def test_how_long_a_set_is_looked_for_whose_deletion_was_refused(
    zone: Any, run: Run, service: Service, clock: Any, status: int, waits: tuple[float, ...]
) -> None:
    zone.holds(TWO)
    service.fault("status", method="DELETE", status=status, body={"message": "No"}, times=0)
    result = run("dns_record", zone="example.com", name="www", type="A", state="absent")
    assert f"cannot delete www.example.com. A: the service answered {status}: No" in result["msg"]
    assert "; the set holds " in result["msg"]
    assert clock.waits == list(waits)
    assert zone.calls().count(DELETE_WWW) == 1


def test_a_refused_deletion_of_what_the_last_run_deleted_is_not_shown_yet(
    zone: Any, run: Run, service: Service, clock: Any
) -> None:
    zone.holds(TWO)
    absent = {"zone": "example.com", "name": "www", "type": "A", "state": "absent"}
    run("dns_record", **absent)
    zone.holds(TWO)  # a replica that is behind
    service.fault("status", method="DELETE", status=422, body={"message": "No"})
    clock.on_wait = lambda _seconds: zone.holds("") if clock.waits.count(1.0) == 2 else None
    assert run("dns_record", **absent)["changed"] is True
    assert clock.waits == [*READ_BACKOFF, *SHORT_BACKOFF]


NOT_FOR_YOU = {"status": 403, "body": {"message": "No"}}
LATER = {"status": 202, "body": ""}
MADE, GROWN = ("", www("192.0.2.1", "192.0.2.2")), ("www 300 A 192.0.2.1", www("192.0.2.2"))


@pytest.mark.parametrize(
    "between",
    [
        pytest.param({"name": "mail", "type": "A", "content": ["192.0.2.25"]}, id="a task for another set"),
        pytest.param(www("192.0.2.3", "192.0.2.4", "192.0.2.66"), id="a task for the set that fails"),
        pytest.param(www("192.0.2.66"), id="a task for the set that fails and writes nothing"),
    ],
)
def test_a_deletion_may_come_late_also_after_a_run_that_failed(
    zone: Any, run: Run, service: Service, between: dict[str, Any]
) -> None:
    zone.holds(f"{TWO}zzz 300 A 192.0.2.9")
    service.fault("status", method="DELETE", status=504)
    for refused in ("192.0.2.66", "192.0.2.67"):
        service.fault("status", method="POST", content=refused, status=422, times=0)
    records = [www("192.0.2.3", ttl=600), {**www("192.0.2.67", ttl=600), "name": "zzz"}]
    failed = run("dns_records", zone="example.com", concurrency=1, records=records)
    assert "cannot add 192.0.2.67 to zzz.example.com. A" in failed["msg"]
    run("dns_record", zone="example.com", **between)
    held = [line for line in zone.lines() if line.startswith("www")]
    assert "www 600 A 192.0.2.3" in held
    zone.holds("")  # now it is carried out
    result = run("dns_record", zone="example.com", name="ftp", type="A", content=["192.0.2.21"])
    assert len(result["recovered"]) == 1
    assert [line for line in zone.lines() if line.startswith("www")] == held


def test_a_deletion_may_come_late_also_after_another_task_for_the_set(zone: Any, run: Run, service: Service) -> None:
    zone.holds(TWO)
    service.fault("status", method="DELETE", status=504)
    first = run("dns_record", zone="example.com", **www("192.0.2.3", exclusive=True))
    second = run("dns_record", zone="example.com", **www("192.0.2.4"))
    assert [one.get("warnings", [""])[0][:40] for one in (first, second)] == [
        "a deletion of www.example.com. A had no ",
        "",
    ], "who sent it warns of it"
    zone.holds("")
    run("dns_record", zone="example.com", name="other", type="A", state="absent")
    assert zone.lines() == ["www 300 A 192.0.2.3", "www 300 A 192.0.2.4"]


def test_what_others_add_comes_back_with_the_rest_once_a_task_has_seen_it(
    zone: Any, run: Run, service: Service
) -> None:
    zone.holds(TWO)
    service.fault("status", method="DELETE", status=504)
    run("dns_record", zone="example.com", **www("192.0.2.3", exclusive=True))
    zone.holds("www 300 A 192.0.2.3\nwww 300 A 192.0.2.9")  # by hand
    run("dns_record", zone="example.com", name="other", type="A", content=["192.0.2.5"])
    zone.holds("other 300 A 192.0.2.5")
    run("dns_record", zone="example.com", name="other", type="A", state="absent")
    assert zone.lines() == ["www 300 A 192.0.2.3", "www 300 A 192.0.2.9"]


def without_an_answer(zone: Any, run: Run, service: Service) -> dict[str, Any]:
    """Leave the set as it is, and a run that has failed because no DELETE of it had an answer; its task."""
    zone.holds(TWO)
    service.fault("status", method="DELETE", status=504, times=0)
    task = {"zone": "example.com", **www("192.0.2.2", state="absent")}
    assert "looks whether it was deleted late" in run("dns_record", **task)["msg"]
    service.clear_faults()
    return task


def test_a_set_that_is_deleted_later_does_not_come_back(zone: Any, run: Run, service: Service) -> None:
    zone.holds(TWO)
    service.fault("status", method="DELETE", status=504)
    task = {"zone": "example.com", **www("192.0.2.3", exclusive=True)}
    run("dns_record", **task)
    assert run("dns_record", zone="example.com", name="www", type="A", state="absent")["changed"] is True
    assert run("dns_record", zone="example.com", name="www", type="A", state="absent")["changed"] is False
    assert zone.lines() == []


# TTLs that the service keeps in place of those that are sent

MADE_ANEW = "www.example.com. A was gone for a moment: it was deleted and made anew on the way"


def test_a_ttl_that_the_service_keeps_is_known_after_the_next_change_of_the_set(
    zone: Any, run: Run, service: Service
) -> None:
    """The set is created anew with the TTL that is kept, which is no word on the one that is wanted."""
    zone.holds(TWO)
    service.odd("example.com", ttl_min=900)
    told = ["www.example.com. A has a TTL of 900 seconds and not of 60: the service keeps its own"]
    run("dns_record", zone="example.com", **www("192.0.2.1", "192.0.2.2", ttl=60))
    task = {"zone": "example.com", **www("192.0.2.3", ttl=60), "exclusive": True}
    assert run("dns_record", **task)["changed"]
    service.clear_log()
    for check in (True, False):
        again = run("dns_record", check=check, **task)
        assert (again["changed"], again["warnings"]) == (False, told)
    assert zone.calls() == ["GET"] * 2


@pytest.mark.parametrize("status", [202, 204])
def test_answers_that_say_little_leave_no_doubt_about_what_is_seen(
    zone: Any, run: Run, service: Service, status: int
) -> None:
    zone.holds(TWO)
    for method in ("DELETE", "POST"):
        service.fault("status_after", method=method, status=status, body="", times=0)
    assert "warnings" not in run("dns_record", zone="example.com", **www("192.0.2.1", ttl=60))
    assert "warnings" not in run("dns_record", zone="example.com", **www("192.0.2.2", state="absent"))
    assert zone.lines() == ["www 60 A 192.0.2.1"]


@pytest.mark.usefixtures("zone")
def test_kept_ttls_are_told_together(run: Run, service: Service) -> None:
    service.odd("example.com", ttl_min=900)
    records = [{"name": name, "type": "A", "content": "192.0.2.1", "ttl": 60} for name in ("a", "b")]
    (told,) = run("dns_records", zone="example.com", records=records)["warnings"]
    assert told == (
        "a.example.com. A, b.example.com. A have a TTL of 900 seconds and not of 60: the service keeps its own"
    )


# TXT values of which the service makes others

DKIM, DKIM_QUOTED = "v=DKIM1; k=rsa", '"v=DKIM1; k=rsa"'
TXT = {"zone": "example.com", "name": "k", "type": "TXT", "content": DKIM, "ttl": 300}
OWN_WAY = "TXT values came back otherwise than they were sent, and right once they were sent "


@pytest.mark.parametrize("read", ["quoted", "plain"])
def test_text_that_is_read_as_zone_files_are(zone: Any, run: Run, service: Service, clock: Any, read: str) -> None:
    service.odd("example.com", txt="parses", txt_read=read)
    result = run("dns_record", **TXT)
    assert result["changed"] is True
    assert zone.calls() == [
        "GET",
        f"POST k TXT {DKIM}",
        "GET",
        f"POST k TXT {DKIM_QUOTED}",
        "GET",
        "DELETE k.example.com. TXT",
        f"POST k TXT {DKIM_QUOTED}",
        "GET",
    ]
    assert clock.waits == [], "what was made of it is shown, so it is not late"
    assert result["warnings"] == [f"{OWN_WAY}in quotes: set txt_format to quoted"]

    service.clear_log()
    assert run("dns_record", **TXT)["changed"] is False
    second = run("dns_record", **TXT | {"name": "l"})
    assert (second["changed"], second.get("warnings")) == (True, None)
    assert zone.calls() == ["GET", "GET", f"POST l TXT {DKIM_QUOTED}", "GET"]
    service.odd("example.com", txt_read="quoted")
    assert zone.lines() == [f"{name} 300 TXT {DKIM_QUOTED}" for name in "kl"]


@pytest.mark.parametrize("read", ["quoted", "plain"])
def test_text_whose_quotes_are_kept(zone: Any, run: Run, service: Service, read: str) -> None:
    """The zone shows quotes, so they were sent; a partial removal sends the kept values too."""
    zone.holds('k 300 TXT "one"\nk 300 TXT "two"\nk 300 TXT "three"')
    task = {**TXT, "content": "three", "state": "absent"}
    service.odd("example.com", txt="keeps_quotes", txt_read=read)
    result = run("dns_record", **task)
    posts = [call for call in zone.calls() if call != "GET"]
    plain = ["DELETE k.example.com. TXT", "POST k TXT one", "POST k TXT two"]
    if read == "quoted":
        first = ["DELETE k.example.com. TXT", 'POST k TXT "one"', 'POST k TXT "two"']
        assert posts == [*first, "POST k TXT one", "POST k TXT two", *plain]
        assert result["warnings"] == [f"{OWN_WAY}without quotes: set txt_format to plain"]
    else:
        assert posts == plain
        assert "warnings" not in result
    assert result["changed"] is True
    assert result["record_set"]["contents"] == ['"one"', '"two"']
    assert run("dns_record", **task)["changed"] is False
    service.odd("example.com", txt_read="quoted")
    assert zone.lines() == ['k 300 TXT "one"', 'k 300 TXT "two"']


@pytest.mark.parametrize(
    ("txt_format", "odd", "posts", "held"),
    [
        ("plain", "parses", [DKIM], "v=DKIM1"),
        ("quoted", "keeps_quotes", [DKIM_QUOTED], r"\"v=DKIM1; k=rsa\""),
    ],
)
def test_a_form_that_was_asked_for_is_not_switched(
    run: Run, service: Service, clock: Any, txt_format: str, odd: str, posts: list[str], held: str
) -> None:
    service.odd("example.com", txt=odd)
    result = run("dns_record", **TXT, txt_format=txt_format)
    assert result["msg"] == (
        f'Zone example.com: k.example.com. TXT is stored otherwise than it was sent, it holds "{held}" (TTL 300) '
        f"in place of {DKIM_QUOTED} (TTL 300): set txt_format to {'plain' if txt_format == 'quoted' else 'quoted'}."
    )
    assert [entry["body"]["content"] for entry in service.log() if entry["method"] == "POST"] == posts
    assert clock.waits == []
    assert result["changed"] is True
    assert [change["after"]["contents"] for change in result["changes"]] == [[f'"{held}"']]


@pytest.mark.parametrize("had", ["a 300 A 192.0.2.1\n", ""], ids=["rebuilt", "created"])
def test_what_is_not_there_was_not_applied(zone: Any, run: Run, service: Service, had: str) -> None:
    """The service says Success and does nothing; then it refuses the next set."""
    zone.holds(f"{had}b 300 A 192.0.2.1")
    service.fault("lie", method="POST", nth=1)
    service.fault("status", method="POST", nth=2, status=422, body={"message": "No"})
    records = [{"name": name, "type": "A", "content": ["192.0.2.2"]} for name in "ac"]
    result = run("dns_records", zone="example.com", records=records, concurrency=1)
    a, c = ({"name": f"{name}.example.com.", "type": "A"} for name in "ac")
    assert (result["applied"], result["failed_sets"]) == ([], [c, a])
    assert "; a.example.com. A holds nothing, and is not as planned either (0 sets applied, 2 failed, " in result["msg"]
    assert [change["name"] for change in result["changes"]] == ([a["name"]] if had else [])
    result = run("dns_records", zone="example.com", records=records, concurrency=1)
    assert not result.get("failed")
    assert zone.lines() == [f"a {300 if had else 3600} A 192.0.2.2", "b 300 A 192.0.2.1", "c 3600 A 192.0.2.2"]


def test_what_still_holds_the_old_value_was_not_applied(zone: Any, run: Run, service: Service) -> None:
    zone.holds("a 300 A 192.0.2.1")
    service.fault("lie", method="DELETE", nth=1)
    service.fault("lie", method="POST", nth=1)
    service.fault("status", method="POST", nth=2, status=422, body={"message": "No"})
    records = [{"name": name, "type": "A", "content": ["192.0.2.2"]} for name in "ac"]
    result = run("dns_records", zone="example.com", records=records, concurrency=1)
    assert result["applied"] == []
    assert "; a.example.com. A holds 192.0.2.1 (TTL 300), and is not as planned either (0 sets" in result["msg"]


def test_a_ttl_of_its_own_is_no_reason_to_call_a_set_failed(run: Run, service: Service) -> None:
    service.odd("example.com", ttl_min=600)
    service.fault("status", method="POST", nth=2, status=422, body={"message": "No"})
    records = [{"name": name, "type": "A", "content": ["192.0.2.2"], "ttl": 60} for name in "ac"]
    result = run("dns_records", zone="example.com", records=records, concurrency=1)
    assert result["applied"] == [{"name": "a.example.com.", "type": "A"}]


BLANK = '" lead"'
"""A text that goes in quotes whatever the form: as it is, a service may leave its blank out."""


def test_a_text_that_goes_in_quotes_alone_takes_no_others_along(zone: Any, run: Run, service: Service) -> None:
    """Where the service keeps the quotes; that others come back right without them is no reason to send theirs."""
    zone.holds('k 300 TXT "one"')
    service.odd("example.com", txt="keeps_quotes")
    assert run("dns_record", **TXT | {"name": "l"})["warnings"] == [f"{OWN_WAY}without quotes: set txt_format to plain"]
    service.clear_log()
    result = run("dns_record", **TXT | {"content": BLANK})
    assert result["msg"] == (
        f"Zone example.com: k.example.com. TXT cannot be as wanted, {BLANK} can only be sent in quotes, and the "
        "service takes those for a part of it: leave the value out, or set txt_format to quoted if the service does so "
        "no longer; nothing was changed."
    )
    assert zone.calls() == ["GET"]


def test_what_a_text_that_goes_in_quotes_alone_tells_is_remembered(zone: Any, run: Run, service: Service) -> None:
    service.odd("example.com", txt="keeps_quotes")
    task = TXT | {"content": [BLANK, "one"]}
    assert "is stored otherwise than it was sent" in run("dns_record", **task)["msg"]
    assert not any(call.startswith("DELETE") for call in zone.calls())
    service.clear_log()
    assert "can only be sent in quotes" in run("dns_record", **task)["msg"]
    assert {*zone.calls()} == {"GET"}
    assert zone.lines() == [r'k 300 TXT "\" lead\""', 'k 300 TXT "one"']


@pytest.mark.parametrize("txt_format", ["auto", "plain"])
def test_what_could_not_be_created_again_without_quotes_is_not_deleted(
    zone: Any, run: Run, service: Service, txt_format: str
) -> None:
    zone.holds(f'k 300 TXT {BLANK}\nk 300 TXT "one"')
    service.odd("example.com", txt="keeps_quotes")
    run("dns_record", **TXT | {"name": "l"})
    service.clear_log()
    result = run("dns_record", **TXT | {"content": "one", "ttl": 60, "txt_format": txt_format})
    assert result["failed"]
    assert "must be rebuilt, and a value that it holds cannot be created again" in result["msg"]
    assert not any(call.startswith(("DELETE", "POST")) for call in zone.calls())


def test_two_sentences_of_a_failure_have_something_between_them(zone: Any, run: Run, service: Service) -> None:
    zone.holds(f'k 300 TXT {BLANK}\nk 300 TXT "one"')
    service.odd("example.com", txt="keeps_quotes")
    result = run("dns_record", **TXT | {"content": "one", "ttl": 60, "txt_format": "plain"})
    said = (
        ": it can only be sent in quotes, and the service takes those for a part of it, so leave it out. The next run"
    )
    assert f"{said} on the zone completes what is missing from /" in result["msg"]


def test_what_was_only_taken_without_quotes_does_not_tell_that_they_are_not_needed(
    zone: Any, run: Run, service: Service
) -> None:
    """The first is cut, which no reading has told yet, when the second is refused."""
    zone.holds('w 300 TXT "old1"\nz 300 TXT "old2"')
    service.odd("example.com", txt="parses", txt_read="plain")
    wishes = [TXT | {"name": "w"}, TXT | {"name": "z", "content": 'say "hi'}]
    records = [
        {name: value for name, value in wish.items() if name != "zone"} | {"state": "present"} for wish in wishes
    ]
    task = {"zone": "example.com", "records": records, "concurrency": 1}
    result = run("dns_records", **task)
    assert not result.get("failed"), result["msg"]
    assert result["warnings"] == [f"{OWN_WAY}in quotes: set txt_format to quoted"]
    assert run("dns_records", **task)["changed"] is False
    service.odd("example.com", txt_read="quoted")
    assert zone.lines() == [f"w 300 TXT {DKIM_QUOTED}", r'z 300 TXT "say \"hi"']


def test_a_text_that_is_another_without_quotes_gets_them(zone: Any, run: Run, service: Service) -> None:
    """As the service reads it unquoted it is there already."""
    zone.holds('t 300 TXT "hello"\nt 300 TXT "v=spf1-all"')
    service.odd("example.com", txt="parses", txt_read="plain")
    task = {**TXT, "name": "t", "content": "v=spf1 -all", "ttl": 60}
    result = run("dns_record", **task)
    assert not result.get("failed"), result["msg"]
    assert run("dns_record", **task)["changed"] is False
    service.odd("example.com", txt_read="quoted")
    assert zone.lines() == [f't 60 TXT "{text}"' for text in ("hello", "v=spf1 -all", "v=spf1-all")]


def test_neither_form_comes_back_right(zone: Any, run: Run, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    service.odd("example.com", txt="parses")
    send = Client.create_value

    def keep_quotes_next(client: Client, *args: Any, **options: Any) -> bool:
        sent = send(client, *args, **options)
        service.odd("example.com", txt="keeps_quotes")
        return sent

    monkeypatch.setattr(Client, "create_value", keep_quotes_next)
    result = run("dns_record", **TXT)
    assert result["failed"]
    assert "is stored otherwise than it was sent, it holds " in result["msg"]
    assert result["msg"].endswith(
        ": so it is with and without quotes, and no txt_format helps: leave out what the service changes."
    )
    assert [call for call in zone.calls() if call.startswith("POST")] == [
        f"POST k TXT {DKIM}",
        f"POST k TXT {DKIM_QUOTED}",
    ]
    assert "warnings" not in result


def test_what_others_have_written_is_no_misread_text(zone: Any, run: Run, service: Service) -> None:
    zone.holds('k 300 TXT "v=DKIM1"')
    service.fault("lie", method="POST")
    assert run("dns_record", **TXT)["changed"] is True
    assert zone.lines() == ['k 300 TXT "v=DKIM1"', f"k 300 TXT {DKIM_QUOTED}"]
    assert not any(call.startswith("DELETE") for call in zone.calls())


@pytest.mark.parametrize("length", [17_000, 65_000])
def test_a_long_text_that_is_shown_late(zone: Any, run: Run, service: Service, clock: Any, length: int) -> None:
    """What would become of it with its escapes is longer than any value."""
    zone.holds('k 300 TXT "one"')
    service.odd("example.com", read_lag=600)
    clock.on_wait = lambda _seconds: service.odd("example.com")
    value = "\u00fc" * (length // 2)
    assert run("dns_record", **TXT | {"content": value, "txt_format": "quoted"}).get("msg") is None
    assert clock.waits == [0.25]


# Roll-backs


def test_a_roll_back_to_another_ttl_adds_first(zone: Any, run: Run, service: Service) -> None:
    zone.holds(TWO)
    service.fault("status", method="POST", content="192.0.2.2", nth=1, status=422, body={"message": "No"})
    result = run("dns_record", zone="example.com", **www("192.0.2.1", ttl=60))
    assert "its old values were put back, it holds 192.0.2.1, 192.0.2.2 (TTL 300)" in result["msg"]
    first, second = "POST www A 192.0.2.1", "POST www A 192.0.2.2"
    assert [call for call in zone.calls() if call != "GET"] == [
        *(DELETE_WWW, first, second),
        second,  # all of it is there again, though with the new TTL
        *(DELETE_WWW, first, second),
    ]
    assert zone.lines() == text(TWO)


# Answers that do not say what was done


@pytest.mark.parametrize("status", [408, 500, 504, 524])
def test_a_value_whose_creation_is_carried_out_while_nobody_waits(
    zone: Any, run: Run, service: Service, clock: Any, status: int
) -> None:
    service.fault("status_after", method="POST", status=status, times=0)
    assert run("dns_record", zone="example.com", **www("192.0.2.3"))["changed"] is True
    assert zone.calls().count("POST www A 192.0.2.3") == 1
    assert zone.lines() == ["www 3600 A 192.0.2.3"]
    assert len(clock.waits) <= 1


# Failures of the journal itself


def test_an_unexpected_error_in_one_name_is_told_with_what_was_done(
    zone: Any, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = Client.create_value

    def create_or_err(client: Client, slug: str, body: dict[str, Any], *args: Any, **options: Any) -> bool:
        if body["name"] == "b":
            raise RuntimeError("it broke.")
        return create(client, slug, body, *args, **options)

    monkeypatch.setattr(Client, "create_value", create_or_err)
    records = [{"name": name, "type": "A", "content": ["192.0.2.1"]} for name in "abc"]
    result = run("dns_records", zone="example.com", records=records, concurrency=1)
    assert result["msg"] == (
        "Zone example.com: cannot change b.example.com. A: there was an unexpected RuntimeError it broke; "
        "the set holds nothing (1 set applied, 1 failed, 1 not attempted)."
    )
    assert zone.lines() == ["a 3600 A 192.0.2.1"]


@pytest.mark.parametrize(
    ("task", "is_done"),
    [(www("192.0.2.3"), False), (www("192.0.2.3", exclusive=True), True)],
    ids=["extend", "exclusive"],
)
def test_a_value_of_a_set_that_is_gone_is_tried_for_longer(
    zone: Any, run: Run, service: Service, clock: Any, task: dict[str, Any], is_done: bool
) -> None:
    zone.holds(TWO)
    service.fault("status", method="POST", status=503, times=12)
    assert run("dns_record", zone="example.com", **task)["changed"] is is_done
    assert 100 < sum(clock.waits) < 1200


@pytest.mark.parametrize("status", [404, 410])
def test_a_value_that_is_not_found_and_created_is_looked_for(
    zone: Any, run: Run, service: Service, clock: Any, status: int
) -> None:
    service.fault("status_after", method="POST", status=status, body={"message": "No"})
    service.odd("example.com", read_lag=600)
    clock.on_wait = lambda _seconds: service.odd("example.com")
    result = run("dns_record", zone="example.com", name="www", type="A", content="192.0.2.1")
    assert zone.lines() == ["www 3600 A 192.0.2.1"]
    assert (result["changed"], len(result["changes"]), result.get("failed")) == (True, 1, None)
    assert clock.waits == [0.25]
