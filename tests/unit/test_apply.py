# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plans carried out against the stand-in service: given this zone and this task, these calls, and this zone after."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import requests
from converging import converge
from running import Service

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, LiveSets, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan, plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError, TransientFailure
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._service.late_reads import READ_BACKOFF, SHORT_BACKOFF
from ansible_collections.zonesmith.dns.plugins.module_utils._service.sender import Sender
from ansible_collections.zonesmith.dns.plugins.module_utils._service.writer import ZoneWriter
from ansible_collections.zonesmith.dns.plugins.module_utils._state import journal as _journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.files import FileStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import no_histories
from ansible_collections.zonesmith.dns.plugins.module_utils._state.state_dir import StateDirError
from ansible_collections.zonesmith.dns.plugins.module_utils._write.apply import Settings
from ansible_collections.zonesmith.dns.plugins.module_utils._write.apply_failed import ApplyFailed
from ansible_collections.zonesmith.dns.plugins.module_utils._write.converge import preview

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
            "POST www ALIAS Old.example.net",
            "POST www ALIAS New.example.net",
            "GET",
        ],
        "www 60 ALIAS Old.example.net\nwww 60 ALIAS New.example.net",
    ),
}


@pytest.mark.parametrize(("before", "task", "calls", "after"), TABLE.values(), ids=TABLE)
def test_a_task(
    zone: Any, run: Run, journal: Journal, before: str, task: dict[str, Any], calls: list[str], after: str
) -> None:
    zone.holds(before)
    result = run("dns_record", zone="example.com", **task)
    assert zone.calls() == calls
    assert zone.lines() == text(after)
    assert result["changed"] is (before != after)
    assert not journal.look().is_open


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


@pytest.mark.parametrize("status", [400, 403, 422])
@pytest.mark.parametrize("nth", [1, 2])
def test_a_refusal_in_a_rebuild_puts_the_old_set_back(
    zone: Any, run: Run, service: Service, journal: Journal, status: int, nth: int
) -> None:
    zone.holds(TWO)
    service.fault("status", method="POST", nth=nth, status=status, body={"message": "We do not like it"})
    result = run("dns_record", zone="example.com", **www("192.0.2.3", "192.0.2.4", exclusive=True))
    assert result["msg"] == (
        f"Zone example.com: cannot add 192.0.2.{nth + 2} to www.example.com. A: the service answered {status}: "
        "We do not like it; its old values were put back, it holds 192.0.2.1, 192.0.2.2 (TTL 300)."
    )
    assert (result["changed"], result["changes"], result["status_code"]) == (False, [], status)
    assert zone.lines() == text(TWO)
    assert not journal.look().is_open
    writes = [call for call in zone.calls() if call != "GET"]
    old = ["POST www A 192.0.2.1", "POST www A 192.0.2.2"]
    assert writes[1 + nth :] == (old if nth == 1 else [*old, "DELETE www.example.com. A", *old]), "nothing goes first"


@pytest.mark.parametrize("status", [401, 429, 500, 503])
def test_what_is_no_refusal_of_a_value_takes_nothing_back(
    zone: Any, run: Run, service: Service, journal: Journal, status: int
) -> None:
    """What was built so far stays, and the next run goes on with it."""
    zone.holds(TWO)
    service.fault("status", method="POST", nth=2, status=status, times=0)
    result = run("dns_record", zone="example.com", retries=0, **www("192.0.2.3", "192.0.2.4", exclusive=True))
    assert "the set holds 192.0.2.3 (TTL 300), and the next run on the zone completes it from" in result["msg"]
    assert zone.lines() == ["www 300 A 192.0.2.3"]
    assert journal.look().is_open
    service.clear_faults()
    again = run("dns_record", zone="example.com", name="other", type="A", state="absent")
    assert again["recovered"][0]["after"]["contents"] == ["192.0.2.3", "192.0.2.4"]
    assert zone.lines() == ["www 300 A 192.0.2.3", "www 300 A 192.0.2.4"]
    assert not journal.look().is_open


@pytest.mark.parametrize(
    ("task", "said"),
    [
        (www("192.0.2.3"), "cannot add 192.0.2.3 to www.example.com. A: "),
        (www("192.0.2.1", state="absent"), "cannot delete www.example.com. A: "),
        ({"name": "www", "type": "A", "state": "absent"}, "cannot delete www.example.com. A: "),
    ],
)
def test_a_refusal_of_the_first_write_leaves_all_as_it_was(
    zone: Any, run: Run, service: Service, journal: Journal, task: dict[str, Any], said: str
) -> None:
    zone.holds(TWO)
    for method in ("POST", "DELETE"):
        service.fault("status", method=method, status=403, body={"message": "Not yours"}, times=0)
    result = run("dns_record", zone="example.com", **task)
    assert said + "the service answered 403: Not yours; " in result["msg"]
    assert "the set holds 192.0.2.1, 192.0.2.2 (TTL 300)" in result["msg"]
    assert (result["changed"], result["changes"], result["status_code"]) == (False, [], 403)
    assert zone.lines() == text(TWO)
    assert not journal.look().is_open


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


def test_a_roll_back_that_is_refused_too_leaves_it_to_the_journal(
    zone: Any, run: Run, service: Service, journal: Journal
) -> None:
    zone.holds(TWO)
    service.fault("status", method="POST", status=422, body={"message": "Full"}, times=0)
    result = run("dns_record", zone="example.com", **www("192.0.2.3", exclusive=True))
    assert result["msg"] == (
        "Zone example.com: cannot add 192.0.2.3 to www.example.com. A: the service answered 422: Full; "
        "its old values were tried too: the service answered 422: Full; "
        f"the set is gone, and the next run on the zone completes it from {journal.store.path}."
    )
    assert result["changed"] is True
    assert result["changes"][0]["after"] is None
    assert result["changes"][0]["action"] == "delete"
    assert zone.lines() == []
    assert journal.look().is_open


def test_a_refusal_with_no_answer_to_the_question_after_it(
    zone: Any, run: Run, service: Service, journal: Journal
) -> None:
    """The set is gone, the new value refused, and the zone cannot be read: the error must still say all that."""
    zone.holds(TWO)
    service.fault("status", method="POST", status=422, body={"message": "Full"}, times=0)
    service.fault("status", method="GET", nth=3, status=500, body={"message": "Oops"}, times=0)
    result = run("dns_record", zone="example.com", retries=1, **www("192.0.2.3", exclusive=True))
    assert result["msg"] == (
        "Zone example.com: cannot add 192.0.2.3 to www.example.com. A: the service answered 422: Full; "
        "its old values were tried too: the service answered 422: Full; "
        "what the set holds now cannot be read: the service answered 500: Oops; "
        f"what it lacks is in {journal.store.path}, from which the next run on the zone completes it."
    )
    assert result["status_code"] == 422
    assert journal.look().is_open


def test_a_value_that_somebody_else_has_added_meanwhile_is_no_error(zone: Any, connect: Any, journal: Journal) -> None:
    zone.holds(TWO)

    def make_plan(live: LiveSets, *_: object) -> Plan:
        zone.holds(TWO + "www 300 A 192.0.2.3")
        return plan("example.com.", live, [Wanted("www.example.com.", "A", ("192.0.2.3",), keeps_others=True)])

    converge(connect(), "example.com.", make_plan, journal, Settings())
    assert zone.calls() == ["GET", "POST www A 192.0.2.3", "GET", "GET"]
    assert zone.lines() == text(TWO + "www 300 A 192.0.2.3")


@pytest.mark.parametrize(("left", "gone"), [("", True), (TWO, False)])
def test_a_set_that_is_not_found_is_gone_if_the_zone_says_so(
    zone: Any, connect: Any, journal: Journal, service: Service, left: str, gone: bool
) -> None:
    zone.holds(TWO)
    if not gone:
        service.fault("status", method="DELETE", status=404, body={"message": "Not found"}, times=0)

    def make_plan(live: LiveSets, *_: object) -> Plan:
        zone.holds(left)
        return wanted("www.example.com. A")(live)

    if gone:
        converge(connect(), "example.com.", make_plan, journal, Settings())
    else:
        with pytest.raises(ApplyFailed, match=r"cannot delete www.example.com. A: the service answered 404: Not found"):
            converge(connect(), "example.com.", make_plan, journal, Settings())
    looks = 1 if gone else 1 + len(READ_BACKOFF)
    assert zone.calls() == ["GET", "DELETE www.example.com. A", *["GET"] * looks, "GET"]
    assert zone.lines() == text(left)
    assert not journal.look().is_open


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


@pytest.mark.parametrize(("method", "nth"), [("DELETE", 1), ("POST", 1), ("POST", 2), ("POST", 3)])
@pytest.mark.parametrize(("kind", "fields"), LOSSES.values(), ids=LOSSES)
def test_a_lost_answer_loses_nothing_and_doubles_nothing(
    zone: Any, run: Run, service: Service, journal: Journal, kind: str, fields: Any, method: str, nth: int
) -> None:
    zone.holds(TWO)
    service.fault(kind, method=method, nth=nth, **fields)
    result = run("dns_record", zone="example.com", timeout=0.5, **www("192.0.2.3", ttl=60))
    assert result["changed"] is True
    assert zone.lines() == ["www 60 A 192.0.2.1", "www 60 A 192.0.2.2", "www 60 A 192.0.2.3"]
    carried_out = [entry for entry in service.log() if entry["changed"]]
    assert [entry["method"] for entry in carried_out] == ["DELETE", "POST", "POST", "POST"]
    sent = Counter(entry["body"]["content"] for entry in service.log() if entry["method"] == "POST")
    assert sum(sent.values()) == (4 if method == "POST" and kind in ("drop_before", "status") else 3)
    assert not journal.look().is_open
    # A DELETE without an answer may be carried out later, and takes along what is there then.
    memory = journal.look().memory
    may_come = method == "DELETE" and kind in ("drop_before", "status")
    assert [memory.histories.unseen_deletes(key) for key in memory.histories.sets] == [int(may_come)]
    assert ["had no clear answer" in warning for warning in result.get("warnings", [])] == [True] * may_come
    # Where the set was gone, others may have deleted it.
    pending = [memory.histories.pending_deletes(key) for key in memory.histories.sets]
    assert pending == [int(method == "DELETE")]


def test_a_memory_that_takes_long_to_parse_is_no_reason_to_read_twice(
    zone: Any, run: Run, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = {"zone": "example.com", **www("192.0.2.1")}
    run("dns_record", **task)
    began, parse, waits = time.monotonic(), _journal.remembered, threading.Event()

    def slowly(*arguments: Any) -> Any:
        waits.wait(time.monotonic() - began + 0.05)  # longer than the last write is ago
        return parse(*arguments)

    monkeypatch.setattr(_journal, "remembered", slowly)
    service.clear_log()
    assert run("dns_record", **task)["changed"] is False
    assert zone.calls() == ["GET"]


ONE = "www 300 A 192.0.2.2"
THREE = TWO + "www 300 A 192.0.2.3"
REFUSED = {"status": 422, "body": {"message": "No"}}


@pytest.mark.parametrize(
    ("kind", "fields", "sent", "truth"),
    [
        pytest.param("status_after", REFUSED, 1, ONE, id="refused, and there all the same"),
        pytest.param("status_after", REFUSED, 2, "", id="refused, and not there"),
        pytest.param("drop_after", {}, 2, ONE, id="no answer, and there"),
    ],
)
def test_a_reading_as_the_set_was_on_the_way_before_proves_nothing(
    zone: Any, run: Run, service: Service, clock: Any, kind: str, fields: Any, sent: int, truth: str
) -> None:
    """After the first task one value alone had been there for a moment, and this is what the second one leaves."""
    zone.holds(THREE)
    run("dns_record", zone="example.com", name="www", type="A", content=["192.0.2.1"], state="absent")
    service.fault(kind, method="POST", **fields)
    service.clear_log()
    # What was read until then was from before, and this is what there is.
    clock.on_wait = lambda _seconds: zone.holds(truth) if len(clock.waits) == len(READ_BACKOFF) else None
    result = run("dns_record", zone="example.com", name="www", type="A", content=["192.0.2.3"], state="absent")
    assert result["changed"] is True
    assert zone.lines() == text(ONE)
    assert sum(entry["method"] == "POST" for entry in service.log()) == sent
    assert clock.waits[-len(READ_BACKOFF) :] == list(READ_BACKOFF)
    assert clock.waits.count(READ_BACKOFF[-1]) == 1, "what was settled is no reason to wait once more"


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


def test_a_service_that_goes_away_in_a_rebuild_is_left_to_the_journal(
    zone: Any, run: Run, service: Service, journal: Journal
) -> None:
    zone.holds(TWO)
    service.fault("drop_before", method="POST", times=0)
    result = run("dns_record", zone="example.com", retries=2, retry_timeout=0, **www("192.0.2.3", exclusive=True))
    assert result["msg"].startswith(
        "Zone example.com: cannot add 192.0.2.3 to www.example.com. A: the connection broke to "
    )
    assert f"the set is gone, and the next run on the zone completes it from {journal.store.path}" in result["msg"]
    assert result["status_code"] is None
    assert [call for call in zone.calls() if call != "GET"] == [
        "DELETE www.example.com. A",
        *["POST www A 192.0.2.3"] * 3,
    ]
    assert journal.look().is_open


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


def test_three_rounds_tell_the_sets_that_are_as_wanted_from_the_others(
    zone: Any, connect: Any, journal: Journal, service: Service
) -> None:
    service.fault("lie", method="POST", content="192.0.2.66", times=0)
    make_plan = wanted("bad.example.com. A 192.0.2.66", "good.example.com. A 192.0.2.1")
    with pytest.raises(ApplyFailed, match=r"^bad.example.com. A is not as wanted after 3 rounds") as failed:
        converge(connect(), "example.com.", make_plan, journal, Settings())
    assert failed.value.applied == (("good.example.com.", "A"),)
    assert failed.value.failed == (("bad.example.com.", "A"),)
    assert failed.value.not_attempted == ()
    assert [change.key for change in failed.value.changes] == [("good.example.com.", "A")]
    assert zone.lines() == ["good 3600 A 192.0.2.1"]


def test_three_rounds_with_a_set_that_does_not_go(zone: Any, run: Run, service: Service, journal: Journal) -> None:
    zone.holds(TWO)
    service.fault("lie", method="DELETE", times=0)
    result = run("dns_record", zone="example.com", name="www", type="A", state="absent")
    assert "it holds 192.0.2.1, 192.0.2.2 (TTL 300) in place of nothing" in result["msg"]
    assert zone.calls() == ["GET", *["DELETE www.example.com. A", "GET", *["GET"] * len(READ_BACKOFF)] * 3]
    assert not journal.look().is_open, "no set lacks anything"


def test_three_rounds_with_a_set_that_does_not_come_back(
    zone: Any, run: Run, service: Service, journal: Journal
) -> None:
    zone.holds(TWO)
    service.fault("lie", method="POST", times=0)
    result = run("dns_record", zone="example.com", **www("192.0.2.3", exclusive=True))
    assert "it holds nothing in place of 192.0.2.3 (TTL 300)" in result["msg"]
    assert journal.look().is_open


def test_somebody_else_who_writes_between_creation_and_verification(zone: Any, connect: Any, journal: Journal) -> None:
    """What another controller took away and is wanted is put back; what it added does no harm."""
    zone.holds(TWO)
    client = connect()
    read = client.read_record_sets
    readings = itertools.count()

    def read_after_somebody_else(slug: str) -> LiveSets:
        if next(readings) == 1:
            zone.holds("www 300 A 192.0.2.1\nwww 300 A 192.0.2.9")
        return read(slug)

    client.read_record_sets = read_after_somebody_else
    converge(client, "example.com.", wanted("www.example.com. A 192.0.2.3"), journal, Settings())
    assert {"www 300 A 192.0.2.1", "www 300 A 192.0.2.3", "www 300 A 192.0.2.9"} <= set(zone.lines())


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


@pytest.mark.parametrize("concurrency", [1, 8])
def test_within_one_name_deletes_come_first(zone: Any, connect: Any, journal: Journal, concurrency: int) -> None:
    """A CNAME makes room for addresses, and the reverse, in one task."""
    zone.holds(
        """
        a 300 CNAME old.example.net.
        b 300 A 192.0.2.1
        b 300 AAAA 2001:db8::1
        """
    )
    make_plan = wanted(
        "a.example.com. A 192.0.2.2 192.0.2.3",
        "a.example.com. CNAME",
        "b.example.com. CNAME new.example.net.",
        "b.example.com. A",
        "b.example.com. AAAA",
        ttl=60,
    )
    converge(connect(connections=concurrency), "example.com.", make_plan, journal, Settings(concurrency=concurrency))
    assert zone.lines() == ["a 60 A 192.0.2.2", "a 60 A 192.0.2.3", "b 60 CNAME new.example.net."]
    calls = zone.calls()
    assert [call for call in calls if re.search(r"\ba\b", call)] == [
        "DELETE a.example.com. CNAME",
        "POST a A 192.0.2.2",
        "POST a A 192.0.2.3",
    ]
    assert [call for call in calls if re.search(r"\bb\b", call)] == [
        "DELETE b.example.com. A",
        "DELETE b.example.com. AAAA",
        "POST b CNAME new.example.net.",
    ]
    assert not journal.look().is_open


def test_a_refusal_puts_back_every_set_of_its_name(zone: Any, connect: Any, journal: Journal, service: Service) -> None:
    zone.holds(
        """
        www 300 A 192.0.2.1
        www 300 AAAA 2001:db8::1
        www 300 TXT "stays"
        """
    )
    before = zone.lines()
    service.fault("status", method="POST", content="2001:db8::2", status=422, body={"message": "No"}, times=0)
    make_plan = wanted("www.example.com. A 192.0.2.2", "www.example.com. AAAA 2001:db8::2", keeps_others=False)
    with pytest.raises(ApplyFailed, match="its old values were put back") as failed:
        converge(connect(), "example.com.", make_plan, journal, Settings())
    assert zone.lines() == before
    assert failed.value.changes == ()
    assert failed.value.failed == (("www.example.com.", "A"), ("www.example.com.", "AAAA"))
    assert not journal.look().is_open


def test_a_refusal_in_the_second_round_puts_back_what_was_there_before_the_first(
    zone: Any, connect: Any, journal: Journal, service: Service
) -> None:
    """Also what the first round was done with; the second has nothing to do there."""
    zone.holds("www 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1")
    before = zone.lines()
    service.fault("lie", method="POST", content="2001:db8::2")
    service.fault("status", method="POST", content="2001:db8::2", nth=2, status=422, body={"message": "No"})
    make_plan = wanted("www.example.com. A 192.0.2.2", "www.example.com. AAAA 2001:db8::2", keeps_others=False)
    with pytest.raises(ApplyFailed, match=r"cannot add 2001:db8::2 to .* AAAA: .*; its old values were put back"):
        converge(connect(), "example.com.", make_plan, journal, Settings())
    assert zone.lines() == before
    assert not journal.look().is_open


def test_of_two_rounds_that_delete_the_first_knows_what_was_there_before(
    zone: Any, connect: Any, journal: Journal, service: Service
) -> None:
    """Meanwhile somebody else gives the second round one more set to delete, so that it writes the journal again."""
    zone.holds(TWO)
    service.fault("lie", method="DELETE", path="www")
    service.fault("status", method="POST", content="192.0.2.3", nth=2, status=422, body={"message": "No"})
    client = connect()
    read, somebody = client.read_record_sets, iter(["a 3600 A 192.0.2.9"])

    def read_after_somebody_else(slug: str) -> LiveSets:
        if "POST www A 192.0.2.3" in zone.calls():
            zone.holds("\n".join([*somebody, *zone.lines()]))
        return read(slug)

    client.read_record_sets = read_after_somebody_else
    make_plan = wanted("a.example.com. A 192.0.2.8", "www.example.com. A 192.0.2.3", keeps_others=False)
    with pytest.raises(ApplyFailed, match=r"its old values were put back, it holds 192.0.2.1, 192.0.2.2 \(TTL 300\)"):
        converge(client, "example.com.", make_plan, journal, Settings())
    assert [line for line in zone.lines() if line.startswith("www")] == text(TWO)
    assert [call for call in zone.calls() if call.startswith("DELETE")] == [
        "DELETE www.example.com. A",
        "DELETE a.example.com. A",
        "DELETE www.example.com. A",
    ]


def test_a_set_that_was_not_there_goes_again_in_a_roll_back(
    zone: Any, connect: Any, journal: Journal, service: Service
) -> None:
    zone.holds("www 300 CNAME old.example.net.")
    service.fault("status", method="POST", content="2001:db8::1", status=422, body={"message": "No"})
    make_plan = wanted("www.example.com. A 192.0.2.1", "www.example.com. AAAA 2001:db8::1", "www.example.com. CNAME")
    with pytest.raises(ApplyFailed) as failed:
        converge(connect(), "example.com.", make_plan, journal, Settings())
    assert str(failed.value) == (
        "cannot add 2001:db8::1 to www.example.com. AAAA: the service answered 422: No; its old values were put back, "
        "it holds nothing, www.example.com. CNAME holds old.example.net. (TTL 300) "
        "(0 sets applied, 3 failed, 0 not attempted)"
    )
    assert zone.lines() == ["www 300 CNAME old.example.net."]
    assert [call for call in zone.calls() if call != "GET"] == [
        "DELETE www.example.com. CNAME",
        "POST www A 192.0.2.1",
        "POST www AAAA 2001:db8::1",
        "DELETE www.example.com. A",
        "POST www CNAME old.example.net.",
    ]
    assert not journal.look().is_open


def test_a_roll_back_that_is_refused_tells_what_became_of_the_other_sets_of_the_name(
    zone: Any, connect: Any, journal: Journal, service: Service
) -> None:
    zone.holds("other 300 A 192.0.2.1\nwww 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1")
    service.fault("status", method="POST", content="2001:db8::", status=422, body={"message": "No"}, times=0)
    make_plan = wanted(
        "other.example.com. A 192.0.2.2",
        "www.example.com. A 192.0.2.2",
        "www.example.com. AAAA 2001:db8::2",
        keeps_others=False,
    )
    with pytest.raises(ApplyFailed) as failed:
        converge(connect(), "example.com.", make_plan, journal, Settings())
    assert str(failed.value) == (
        "cannot add 2001:db8::2 to www.example.com. AAAA: the service answered 422: No; "
        "its old values were tried too: the service answered 422: No; the set is gone, "
        "www.example.com. A holds 192.0.2.1 (TTL 300), and the next run on the zone completes it from "
        f"{journal.store.path} (1 set applied, 2 failed, 0 not attempted)"
    )
    assert zone.lines() == ["other 300 A 192.0.2.2", "www 300 A 192.0.2.1"]
    assert journal.look().is_open


NAMES = [f"n{number:02}.example.com." for number in range(40)]


def test_many_names_are_written_at_once_on_kept_connections(
    zone: Any, connect: Any, journal: Journal, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first eight values wait for each other, and never is a second one of a name on its way."""
    service.settings(lose_concurrent_writes=True)
    eight, begun = threading.Barrier(8, timeout=60), itertools.count()
    on_the_way: Counter[str] = Counter()
    send = requests.adapters.HTTPAdapter.send

    def watched(adapter: Any, request: requests.PreparedRequest, **options: Any) -> requests.Response:
        if request.method != "POST":
            return send(adapter, request, **options)
        name = json.loads(request.body)["name"]
        on_the_way[name] += 1
        assert on_the_way[name] == 1, "one at a time within a name"
        if next(begun) < 8:
            eight.wait()
        try:
            return send(adapter, request, **options)
        finally:
            on_the_way[name] -= 1

    monkeypatch.setattr(requests.adapters.HTTPAdapter, "send", watched)
    make_plan = wanted(*(f"{name} A 192.0.2.1 192.0.2.2" for name in NAMES))
    outcome = converge(connect(connections=8), "example.com.", make_plan, journal, Settings(concurrency=8))
    assert outcome.plan.summary["created"] == 40
    assert len(zone.lines()) == 80
    log = service.log()
    assert Counter(entry["method"] for entry in log) == {"GET": 2, "POST": 80}
    assert len({entry["connection"] for entry in log}) <= 8


def test_one_failure_stops_the_names_that_are_not_begun(
    zone: Any, connect: Any, journal: Journal, service: Service
) -> None:
    service.settings(latency=200)  # more than a busy machine takes to tell the others
    service.fault("status", method="POST", content="192.0.2.66", status=422, body={"message": "No"}, times=0)
    make_plan = wanted(*(f"{name} A {'192.0.2.66' if name[:3] == 'n12' else '192.0.2.1'}" for name in NAMES))
    with pytest.raises(ApplyFailed) as failed:
        converge(connect(connections=8), "example.com.", make_plan, journal, Settings(concurrency=8))
    error = failed.value
    assert error.failed == (("n12.example.com.", "A"),)
    assert error.status_code == 422
    assert sorted(error.applied + error.failed + error.not_attempted) == [(name, "A") for name in NAMES]
    assert len(error.applied) >= 12
    assert len(error.not_attempted) >= 8
    sent = {entry["body"]["name"] for entry in service.log() if entry["method"] == "POST"}
    assert sent == {name.partition(".")[0] for name, _type in error.applied + error.failed}
    assert [change.key for change in error.changes] == list(error.applied)
    assert [f"{name.partition('.')[0]} 3600 A 192.0.2.1" for name, _type in error.applied] == zone.lines()
    assert str(error).startswith("cannot add 192.0.2.66 to n12.example.com. A: the service answered 422: No; ")
    assert str(error).endswith(
        f"({len(error.applied)} {'set' if len(error.applied) == 1 else 'sets'} applied, 1 failed, "
        f"{len(error.not_attempted)} not attempted)"
    )


def test_several_failures_at_once_are_all_told(connect: Any, journal: Journal, service: Service) -> None:
    service.settings(latency=20)
    service.fault("status", method="POST", status=422, body={"message": "No"}, times=0)
    make_plan = wanted(*(f"{name} A 192.0.2.1" for name in NAMES))
    with pytest.raises(ApplyFailed) as failed:
        converge(connect(connections=4), "example.com.", make_plan, journal, Settings(concurrency=4))
    assert failed.value.applied == ()
    assert 1 <= len(failed.value.failed) <= 4
    assert len(failed.value.failed) + len(failed.value.not_attempted) == 40


def test_one_at_a_time_stops_at_the_first_failure(connect: Any, journal: Journal, service: Service) -> None:
    service.fault("status", method="POST", nth=3, status=403, body={"message": "No"})
    with pytest.raises(ApplyFailed) as failed:
        converge(connect(), "example.com.", wanted(*(f"{name} A 192.0.2.1" for name in NAMES[:5])), journal, Settings())
    keys = [(name, "A") for name in NAMES[:5]]
    assert failed.value.applied == tuple(keys[:2])
    assert failed.value.failed == (keys[2],)
    assert failed.value.not_attempted == tuple(keys[3:])


def test_text_that_was_refused_once_is_sent_in_quotes_for_the_rest_of_the_run(
    zone: Any, connect: Any, journal: Journal, service: Service
) -> None:
    service.settings(txt_write="quoted")
    make_plan = wanted(*(f'{name} TXT "text"' for name in NAMES))
    converge(connect(connections=8), "example.com.", make_plan, journal, Settings(concurrency=8))
    refused = [entry for entry in service.log() if entry["status"] == 422]
    assert 1 <= len(refused) <= 8
    assert len(zone.lines()) == 40


@pytest.mark.parametrize(
    ("takes", "is_known", "sent"),
    [
        pytest.param("quoted", True, ["one", "two", '"two"'], id="the service wants quotes"),
        pytest.param("quoted", False, ["one", "two", '"two"'], id="nobody knows it, and the service wants quotes"),
        pytest.param("any", False, ["one", "two"], id="nobody knows it, and the service wants none"),
    ],
)
def test_a_text_that_is_refused_because_it_is_there_tells_nothing_of_the_form(
    zone: Any, connect: Any, service: Service, takes: str, is_known: bool, sent: list[str]
) -> None:
    """An earlier run has created it, which the reading at the beginning does not show."""
    client = connect()
    live = client.read_zone("example.com.")
    zone.holds('@ 300 TXT "one"')
    service.settings(txt_write=takes)
    histories = no_histories()
    for value in ('"one"', '"two"') if is_known else ():
        histories.send(Key("example.com.", "TXT"), value, 300)
    writer = ZoneWriter(client, live, histories, "auto")
    for value in ('"one"', '"two"'):
        writer.add_value(Key("example.com.", "TXT"), 300, value)
    assert [call for call in zone.calls() if call.startswith("POST")] == [f"POST @ TXT {text}" for text in sent]


# Other runs


def test_a_plan_is_made_again_when_another_run_has_written_meanwhile(
    zone: Any, connect: Any, journal: Journal, service: Service, state_dir: Any
) -> None:
    make_plan = wanted("www.example.com. A 192.0.2.1 192.0.2.2")
    others = iter([wanted("www.example.com. A 192.0.2.2")])

    def make_plan_while_others_write(live: LiveSets, *_: object) -> Plan:
        for other in others:
            converge(
                connect(),
                "example.com.",
                other,
                Journal(FileStore(str(state_dir), service.url, "example.com.")),
                Settings(),
            )
        return make_plan(live, {})

    converge(connect(), "example.com.", make_plan_while_others_write, journal, Settings())
    assert zone.calls() == [
        "GET",  # ours, before the other run
        *["GET", "POST www A 192.0.2.2", "GET"],  # the other run
        "GET",  # ours again, under the lock
        "POST www A 192.0.2.1",
        "GET",
    ]


def test_without_another_run_the_first_reading_is_enough_again(
    zone: Any, connect: Any, journal: Journal, service: Service
) -> None:
    """That somebody wrote before the first reading is no reason for a second one."""
    for value in ("192.0.2.1", "192.0.2.2"):
        service.clear_log()
        converge(connect(), "example.com.", wanted(f"www.example.com. A {value}"), journal, Settings())
        assert zone.calls() == ["GET", f"POST www A {value}", "GET"]


@pytest.mark.parametrize(
    ("before", "make_plan", "after"),
    [
        ("", lambda number: wanted(f"www.example.com. A 192.0.2.{number}", ttl=300), range(1, 9)),
        (
            "\n".join(f"www 300 A 192.0.2.{number}" for number in range(1, 11)),
            lambda number: (
                lambda live, _kept: plan(
                    "example.com.",
                    live,
                    [Wanted("www.example.com.", "A", unwanted=(f"192.0.2.{number}",), keeps_others=True)],
                )
            ),
            range(9, 11),
        ),
    ],
    ids=["adding", "removing"],
)
def test_many_runs_at_once_do_not_undo_each_other(
    zone: Any, connect: Any, service: Service, state_dir: Any, before: str, make_plan: Any, after: range
) -> None:
    zone.holds(before)
    service.settings(lose_concurrent_writes=True)
    start = threading.Barrier(8)

    def one_run(number: int) -> None:
        client, journal = connect(), Journal(FileStore(str(state_dir), service.url, "example.com."))
        start.wait()
        converge(client, "example.com.", make_plan(number), journal, Settings())

    with ThreadPoolExecutor(8) as workers:
        list(workers.map(one_run, range(1, 9)))
    assert sorted(zone.lines()) == sorted(f"www 300 A 192.0.2.{number}" for number in after)


def test_a_preview_reads_and_nothing_else(zone: Any, connect: Any, journal: Journal, state_dir: Any) -> None:
    zone.holds(TWO)
    outcome = preview(connect(), "example.com.", wanted("www.example.com. A"), journal)
    assert outcome.record_set(("www.example.com.", "A")) is None
    assert outcome.plan.summary["deleted"] == 1
    assert zone.calls() == ["GET"]
    assert not state_dir.exists()


def test_an_error_before_the_first_write_is_the_service_s_own(connect: Any, journal: Journal, service: Service) -> None:
    service.fault("status", status=401, body={"message": "Unauthenticated"}, times=0)
    with pytest.raises(ServiceError, match="answered 401: Unauthenticated"):
        converge(connect(), "example.com.", wanted("www.example.com. A"), journal, Settings())


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


@pytest.mark.parametrize(("status", "said"), [(500, "500: Oops"), (401, "401: Oops (see access_token)")])
def test_no_refusal_of_a_deletion_stops_what_is_not_begun(
    zone: Any, run: Run, service: Service, journal: Journal, status: int, said: str
) -> None:
    zone.holds(PARKED)
    service.fault("status", method="DELETE", status=status, body={"message": "Oops"}, times=0)
    result = run("dns_records", **PRUNE, retries=0)
    assert f"cannot delete parked-a.example.com. TXT: the service answered {said}; " in result["msg"]
    assert "ignore" not in result["msg"]
    assert result["msg"].endswith("(1 set applied, 1 failed, 1 not attempted).")
    assert [key["name"] for key in result["not_attempted"]] == ["parked-b.example.com."]
    assert [key["name"] for key in result["applied"]] == ["www.example.com."]
    assert [call for call in zone.calls() if call != "GET"] == [
        "POST www A 192.0.2.1",
        "DELETE parked-a.example.com. TXT",
    ]
    assert journal.look().is_open is (status == 500), "it may be carried out later"


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


@pytest.mark.parametrize("status", [404, 410, 422, 400, 403, 200])
@pytest.mark.parametrize(
    ("task", "after"),
    [({"name": "www", "type": "A", "state": "absent"}, ""), (www("192.0.2.3", exclusive=True), "www 300 A 192.0.2.3")],
    ids=["absent", "exclusive"],
)
def test_a_deletion_that_is_refused_because_the_set_is_gone_is_done(
    zone: Any, run: Run, service: Service, journal: Journal, clock: Any, status: int, task: dict[str, Any], after: str
) -> None:
    zone.holds(TWO)
    service.odd("example.com", gone_first=1, gone_status=status)
    assert run("dns_record", zone="example.com", **task)["changed"] is True
    assert zone.lines() == text(after)
    assert zone.calls().count(DELETE_WWW) == 1
    assert clock.waits == []
    assert not journal.look().is_open


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


@pytest.mark.parametrize("kind", ["status_after", "answer"])
def test_a_deletion_that_is_called_done_and_is_not(
    zone: Any, run: Run, service: Service, journal: Journal, kind: str
) -> None:
    zone.holds(TWO)
    if kind == "answer":
        service.fault("answer", method="DELETE", body="<html>OK</html>", times=0)
    else:
        service.fault("status_after", method="DELETE", status=202, body="", times=0)
    result = run("dns_record", zone="example.com", **www("192.0.2.3", exclusive=True))
    if kind == "answer":
        assert (
            "cannot delete www.example.com. A: the service answered as if it had deleted the set, and does not show "
            "that it is gone; the set holds 192.0.2.1, 192.0.2.2 (TTL 300), and the next run on the zone looks whether "
            f"it was deleted late, because the deletion had no clear answer, by {journal.store.path}."
        ) in result["msg"]
        assert zone.lines() == text(TWO)
        assert journal.look().is_open
    else:
        assert result["changed"] is True
        assert zone.lines() == ["www 300 A 192.0.2.3"]
        assert not journal.look().is_open


NOT_FOR_YOU = {"status": 403, "body": {"message": "No"}}
LATER = {"status": 202, "body": ""}
MADE, GROWN = ("", www("192.0.2.1", "192.0.2.2")), ("www 300 A 192.0.2.1", www("192.0.2.2"))


@pytest.mark.parametrize(
    ("before", "kind", "fields", "late", "waits", "is_gone"),
    [
        # what the task a moment ago began with and made, the answer to the DELETE, the readings after it that show none
        pytest.param(MADE, "status", NOT_FOR_YOU, 1, SHORT_BACKOFF, False, id="refused"),
        pytest.param(MADE, "status", NOT_FOR_YOU, 5, READ_BACKOFF, False, id="refused, and shown late"),
        pytest.param(MADE, "status_after", NOT_FOR_YOU, 0, READ_BACKOFF, True, id="refused, and gone"),
        pytest.param(MADE, "status", LATER, 1, READ_BACKOFF, False, id="accepted"),
        pytest.param(MADE, "status_after", LATER, 0, READ_BACKOFF, True, id="accepted, and gone"),
        pytest.param(
            MADE, "status_after", {"status": 204, "body": ""}, 0, READ_BACKOFF, True, id="done without a word"
        ),
        pytest.param(MADE, "slow", {"seconds": 0}, 0, (), True, id="done"),
        pytest.param(GROWN, "status_after", NOT_FOR_YOU, 0, (), True, id="grown, refused, and gone"),
        pytest.param(GROWN, "status_after", LATER, 0, (), True, id="grown, accepted, and gone"),
    ],
)
def test_a_reading_from_before_a_set_was_made_is_no_proof_that_it_was_deleted(
    zone: Any,
    run: Run,
    service: Service,
    journal: Journal,
    clock: Any,
    monkeypatch: pytest.MonkeyPatch,
    before: tuple[str, dict[str, Any]],
    kind: str,
    fields: Any,
    late: int,
    waits: tuple[float, ...],
    is_gone: bool,
) -> None:
    held, task = before
    zone.holds(held)
    assert run("dns_record", zone="example.com", **{**task, "ttl": 300})["changed"] is True
    there, read = zone.lines(), Client.read_record_sets
    service.clear_log()
    service.fault(kind, method="DELETE", **fields)

    def read_late(client: Client, slug: str) -> LiveSets:
        shown, calls = read(client, slug), zone.calls()
        is_late = DELETE_WWW in calls and calls[::-1].index(DELETE_WWW) <= late
        return {key: held for key, held in shown.items() if not (is_late and key.name == "www.example.com.")}

    monkeypatch.setattr(Client, "read_record_sets", read_late)
    result = run("dns_record", zone="example.com", **www("192.0.2.3", exclusive=True))
    assert result.get("failed", False) is not is_gone, result
    assert zone.lines() == (["www 300 A 192.0.2.3"] if is_gone else there)
    writes = [call for call in zone.calls() if call != "GET"]
    assert writes == [DELETE_WWW, *(["POST www A 192.0.2.3"] if is_gone else [])]
    assert clock.waits == list(waits)
    assert journal.look().is_open is (not is_gone and fields is LATER)


def entries_of(journal: Journal) -> list[Any]:
    return json.loads(journal.store.path.read_bytes())["entries"] if journal.look().is_open else []


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("status", {"status": 504}),
        ("status", {"status": 408}),
        ("status", {"status": 524}),
        ("hang_before", {"seconds": 1.5}),
        ("drop_before", {}),
    ],
)
def test_a_deletion_without_an_answer_that_comes_late_takes_nothing_along(
    zone: Any, run: Run, service: Service, journal: Journal, kind: str, fields: dict[str, Any]
) -> None:
    zone.holds(TWO)
    service.fault(kind, method="DELETE", times=2, **fields)
    task = {"zone": "example.com", **www("192.0.2.3", exclusive=True)}
    first = run("dns_record", timeout=0.5, **task)
    assert first["changed"] is True
    (warning,) = first["warnings"]
    assert warning.startswith(
        "a deletion of www.example.com. A had no clear answer, and the service may yet carry it out"
    )
    assert not journal.look().is_open, "the set is as it should be"
    second = run("dns_record", **task)
    assert (second["changed"], "warnings" in second) == (False, False)
    for _time in range(2):  # now one is carried out, and the other one after that
        zone.holds("")
        checked, result = run("dns_record", check=True, **task), run("dns_record", **task)
        assert [change["after"]["contents"] for change in result["recovered"]] == [["192.0.2.3"]]
        assert checked["recovered"] == result["recovered"]
        (warning,) = result["warnings"]
        assert warning.startswith(
            "www.example.com. A lacked what an earlier run had left, and a late request or somebody else had taken, "
        )
        assert zone.lines() == ["www 300 A 192.0.2.3"]
    assert not journal.look().is_open


@pytest.mark.parametrize(("age", "stays"), [(590, True), (610, True), (80_000, True), (90_000, False)])
def test_for_how_long_it_is_looked_whether_a_deletion_came_late(
    zone: Any, run: Run, service: Service, clock: Any, age: float, stays: bool
) -> None:
    zone.holds(TWO)
    service.fault("status", method="DELETE", status=504)
    task = {"zone": "example.com", **www("192.0.2.3", exclusive=True)}
    run("dns_record", **task)
    clock.turn(age)
    zone.holds("")
    result = run("dns_record", **{**task, "state": "absent", "exclusive": False})
    assert bool(result["recovered"]) is stays


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


@pytest.mark.parametrize(
    ("task", "seconds", "saves"),
    [
        ({"ttl": 600}, 3, 2),
        ({"ttl": 600}, 5, 3),
        ({}, 29, 2),
        ({}, 31, 3),
    ],
)
def test_what_is_sent_long_after_it_was_kept_is_kept_anew(
    zone: Any,
    run: Run,
    service: Service,
    clock: Any,
    monkeypatch: pytest.MonkeyPatch,
    task: dict[str, Any],
    seconds: int,
    saves: int,
) -> None:
    """The first of two sets is held up for so many seconds; the other is made anew, or new."""
    zone.holds(TWO if task else "")
    monkeypatch.setattr(clock, "uniform", lambda least, _most: least)
    service.fault("status", method="POST", status=429, headers={"Retry-After": str(seconds)})
    save, saved = FileStore.save, list[Any]()

    def counted(store: FileStore, *content: Any) -> None:
        saved.append(content)
        save(store, *content)

    monkeypatch.setattr(FileStore, "save", counted)
    records = [{"name": "ftp", "type": "A", "content": ["192.0.2.21"]}, www("192.0.2.1", "192.0.2.2", **task)]
    result = run("dns_records", zone="example.com", concurrency=1, records=records)
    assert result["changed"] is True
    assert len(saved) == saves


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


def test_a_deletion_of_a_run_that_failed_may_come_late_also_after_one_that_did_not(
    zone: Any, run: Run, service: Service, journal: Journal
) -> None:
    task = without_an_answer(zone, run, service)
    assert run("dns_record", **task)["changed"] is True
    assert not journal.look().is_open
    zone.holds("")
    assert run("dns_record", **task)["recovered"]
    assert zone.lines() == ["www 300 A 192.0.2.1"]


def test_a_deletion_of_a_run_that_failed_may_come_late_also_after_one_that_failed_too(
    zone: Any, run: Run, service: Service
) -> None:
    without_an_answer(zone, run, service)
    service.fault("status", method="POST", content="192.0.2.66", status=422, times=0)
    records = [www("192.0.2.1", "192.0.2.2", "192.0.2.3", ttl=300), {**www("192.0.2.66"), "name": "zzz"}]
    assert "192.0.2.66" in run("dns_records", zone="example.com", concurrency=1, records=records)["msg"]
    held = zone.lines()
    zone.holds("")
    run("dns_record", zone="example.com", name="other", type="A", state="absent")
    assert zone.lines() == held == text(TWO + "www 300 A 192.0.2.3")


def test_a_set_that_is_deleted_later_does_not_come_back(zone: Any, run: Run, service: Service) -> None:
    zone.holds(TWO)
    service.fault("status", method="DELETE", status=504)
    task = {"zone": "example.com", **www("192.0.2.3", exclusive=True)}
    run("dns_record", **task)
    assert run("dns_record", zone="example.com", name="www", type="A", state="absent")["changed"] is True
    assert run("dns_record", zone="example.com", name="www", type="A", state="absent")["changed"] is False
    assert zone.lines() == []


def test_a_deletion_may_come_late_also_after_a_task_that_did_not_reach_its_end(
    zone: Any, run: Run, service: Service, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else adds a value in every round."""
    zone.holds(TWO)
    service.fault("status", method="DELETE", status=504)
    create = Client.create_value

    def create_and_others(client: Client, *args: Any, **options: Any) -> bool:
        done = create(client, *args, **options)
        zone.holds("www 300 A 192.0.2.3\nwww 300 A 192.0.2.7")
        return done

    monkeypatch.setattr(Client, "create_value", create_and_others)
    result = run("dns_record", zone="example.com", **www("192.0.2.3", exclusive=True))
    assert "is not as wanted after 3 rounds" in result["msg"]
    assert zone.calls().count("POST www A 192.0.2.3") == 3
    assert [entry["key"] for entry in entries_of(journal)] == [["www.example.com.", "A"]]


# TTLs that the service keeps in place of those that are sent

MADE_ANEW = "www.example.com. A was gone for a moment: it was deleted and made anew on the way"


@pytest.mark.parametrize(
    ("odd", "before", "sent", "kept", "deleted"),
    [
        pytest.param({"ttl_min": 900}, "", 60, 900, 0, id="raised, new"),
        pytest.param({"ttl_min": 900}, TWO, 60, 900, 1, id="raised"),
        pytest.param({"ttl_max": 120}, TWO, 600, 120, 1, id="lowered"),
        pytest.param({"ttl_multiple": 500}, TWO, 501, 1000, 1, id="rounded"),
        pytest.param({"ttl_fixed": 3600}, TWO, 60, 3600, 1, id="fixed"),
        pytest.param({"ttl_fixed": 300}, TWO, 60, 300, 1, id="fixed, and so as before"),
    ],
)
def test_a_ttl_that_the_service_does_not_keep(
    zone: Any,
    run: Run,
    service: Service,
    clock: Any,
    journal: Journal,
    odd: dict[str, int],
    before: str,
    sent: int,
    kept: int,
    deleted: int,
) -> None:
    zone.holds(before)
    service.odd("example.com", **odd)
    task = {"zone": "example.com", **www("192.0.2.1", "192.0.2.2", ttl=sent)}
    result = run("dns_record", **task)
    told = f"www.example.com. A has a TTL of {kept} seconds and not of {sent}: the service keeps its own"
    is_as_before = before == TWO and kept == 300
    assert result["warnings"] == [told, *[MADE_ANEW] * is_as_before]
    assert result["changed"] is not is_as_before
    assert result["record_set"]["ttl"] == kept
    assert zone.calls().count(DELETE_WWW) == deleted
    assert clock.waits == ([*READ_BACKOFF] if is_as_before else []), "only what is as before may be late"
    assert not journal.look().is_open

    service.clear_log()
    again = run("dns_record", **task)
    assert (again["changed"], again["warnings"]) == (False, [told]), "each run says so"
    assert zone.calls() == ["GET"]

    service.odd("example.com", ttl_fixed=1234)  # and to show another one, somebody wrote it
    zone.holds("www 1234 A 192.0.2.1\nwww 1234 A 192.0.2.2")
    clock.waits.clear()
    last = run("dns_record", **task)
    assert last["warnings"] == [
        f"www.example.com. A has a TTL of 1234 seconds and not of {sent}: the service keeps its own",
        MADE_ANEW,
    ]
    assert zone.calls().count(DELETE_WWW) == 1, "it is tried again, once"

    service.odd("example.com")
    zone.holds("www 77 A 192.0.2.1\nwww 77 A 192.0.2.2")
    assert "warnings" not in run("dns_record", **task)
    assert zone.lines() == [f"www {sent} A 192.0.2.1", f"www {sent} A 192.0.2.2"]
    assert journal.look().memory.kept_ttls == {}


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


def test_a_ttl_that_is_not_kept_of_a_set_that_lacks_a_value(zone: Any, run: Run, service: Service) -> None:
    zone.holds(TWO)
    service.odd("example.com", ttl_min=900)
    service.fault("lie", method="POST", content="192.0.2.2")
    result = run("dns_record", zone="example.com", **www("192.0.2.1", ttl=60))
    assert zone.lines() == ["www 900 A 192.0.2.1", "www 900 A 192.0.2.2"]
    assert [call for call in zone.calls() if call != "GET"] == [
        DELETE_WWW,
        "POST www A 192.0.2.1",
        "POST www A 192.0.2.2",
        "POST www A 192.0.2.2",
    ]
    assert len(result["warnings"]) == 1


@pytest.mark.parametrize("options", [{}, {"ttl": 300}], ids=["nobody asks", "the task asks"])
def test_a_ttl_that_an_addition_changes(zone: Any, run: Run, service: Service, options: dict[str, Any]) -> None:
    """Of a set that was there, only what the run makes of it shows whether the service keeps a TTL of its own."""
    zone.holds("www 300 A 192.0.2.1")
    service.odd("example.com", ttl_multiple=500)
    result = run("dns_record", zone="example.com", **www("192.0.2.2", **options))
    (told,) = result["warnings"]
    assert zone.lines() == ["www 500 A 192.0.2.1", "www 500 A 192.0.2.2"]
    is_rebuilt = DELETE_WWW in zone.calls()
    kept = "www.example.com. A has a TTL of 500 seconds and not of 300: the service keeps its own"
    changed = "www.example.com. A had a TTL of 300 seconds, and has 500 since this task wrote to it: "
    assert (is_rebuilt, told[: len(changed)]) == ((True, kept[: len(changed)]) if options else (False, changed))
    assert result["changes"][0]["action"] == ("rebuild" if is_rebuilt else "extend")
    assert ("after_header" in result["diff"]) is is_rebuilt
    service.clear_log()
    assert run("dns_record", zone="example.com", **www("192.0.2.2", **options))["changed"] is False
    assert zone.calls() == ["GET"]


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


def test_a_ttl_that_a_rebuild_changes_though_nobody_asks_for_another(zone: Any, run: Run, service: Service) -> None:
    zone.holds(TWO)
    service.odd("example.com", ttl_min=900)
    (told,) = run("dns_record", zone="example.com", **www("192.0.2.1", state="absent"))["warnings"]
    assert told.startswith("www.example.com. A had a TTL of 300 seconds, and has 900 since this task wrote to it: ")


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
        assert posts == [*first, *plain]
        assert result["warnings"] == [f"{OWN_WAY}without quotes: set txt_format to plain"]
    else:
        assert posts == plain
        assert "warnings" not in result
    assert result["changed"] is True
    assert result["record_set"]["contents"] == ['"one"', '"two"']
    assert run("dns_record", **task)["changed"] is False
    service.odd("example.com", txt_read="quoted")
    assert zone.lines() == ['k 300 TXT "one"', 'k 300 TXT "two"']


@pytest.mark.parametrize("txt_format", ["plain", "quoted"])
def test_what_was_found_out_outlives_a_task_that_says_how(
    run: Run, service: Service, journal: Journal, txt_format: str
) -> None:
    service.odd("example.com", txt="parses")
    run("dns_record", **TXT)
    run("dns_record", **TXT | {"name": "l", "content": "text", "txt_format": txt_format})
    assert journal.look().memory.text_form == "quoted"


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


def test_a_value_that_was_to_stay_is_refused_after_a_misread_text(
    zone: Any, run: Run, service: Service, journal: Journal
) -> None:
    """The first round only adds; the second deletes, and what it deleted is put back."""
    zone.holds("k 300 TXT one\nk 300 TXT two")
    service.odd("example.com", txt="parses", txt_read="plain", refused=["TXT *one*"])
    result = run("dns_record", **TXT)
    assert "cannot add " in result["msg"]
    assert "two" in "".join(zone.lines())
    assert journal.look().is_open, "and what is missing is left to the next run"


def test_a_roll_back_goes_on_past_what_nobody_can_send(
    zone: Any, connect: Any, journal: Journal, service: Service
) -> None:
    zone.holds("@ 300 MX 10 a.example.net.")
    client = connect()
    read = client.read_record_sets

    def read_with_another(slug: str) -> LiveSets:
        live = read(slug)
        key = ("example.com.", "MX")
        if key in live and "POST @ MX 5 new.example.net." not in zone.calls():
            live[key] = RecordSet(*key, 300, ("mail.example.net. 10", *live[key].values))
        return live

    client.read_record_sets = read_with_another
    service.fault("status", method="POST", content="new", status=422, body={"message": "No"}, times=0)
    make_plan = wanted("example.com. MX 5_new.example.net.", keeps_others=False)
    with pytest.raises(ApplyFailed, match=r"cannot add 5 new.example.net. to example.com. MX: .* 422: No") as failed:
        converge(client, "example.com.", make_plan, journal, Settings())
    assert "put back" not in str(failed.value)
    assert zone.lines() == ["@ 300 MX 10 a.example.net."]


def test_a_live_value_that_nobody_can_send_is_refused_before_the_journal(
    zone: Any, connect: Any, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone.holds("@ 300 MX 10 a.example.net.")
    client = connect()
    read = client.read_record_sets

    def read_with_another(slug: str) -> LiveSets:
        live, key = read(slug), ("example.com.", "MX")
        return {**live, key: RecordSet(*key, 300, ("mail.example.net. 10", *live[key].values))}

    client.read_record_sets = read_with_another
    monkeypatch.setattr(Journal, "write", lambda _journal, entries, *_, **_how: entries and pytest.fail("written"))
    one = Wanted("example.com.", "MX", ("10 a.example.net.",), keeps_others=True, ttl=60)
    with pytest.raises(PlanRefused) as refused:
        converge(client, "example.com.", lambda live, _kept: plan("example.com.", live, [one]), journal, Settings())
    assert str(refused.value) == (
        "example.com. MX must be rebuilt, and a value that it holds cannot be created again, mail.example.net. is no "
        "preference: remove the set, or give it other values with exclusive"
    )
    assert set(zone.calls()) == {"GET"}


def test_a_sister_set_that_only_gained_a_value_is_not_touched(
    zone: Any, connect: Any, journal: Journal, service: Service
) -> None:
    zone.holds("www 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1")
    service.fault("status", method="POST", content="2001:db8::2", status=422, body={"message": "No"}, times=0)
    sets = [
        Wanted("www.example.com.", "A", ("192.0.2.2",), keeps_others=True),
        Wanted("www.example.com.", "AAAA", ("2001:db8::2",)),
    ]
    with pytest.raises(ApplyFailed, match="its old values were put back") as failed:
        converge(connect(), "example.com.", lambda live, _kept: plan("example.com.", live, sets), journal, Settings())
    assert [call for call in zone.calls() if call != "GET"] == [
        "DELETE www.example.com. AAAA",
        "POST www A 192.0.2.2",
        "POST www AAAA 2001:db8::2",
        "POST www AAAA 2001:db8::1",
    ]
    assert zone.lines() == ["www 300 A 192.0.2.1", "www 300 A 192.0.2.2", "www 300 AAAA 2001:db8::1"]
    assert [change.key.type for change in failed.value.changes] == ["A"]
    assert not journal.look().is_open


def test_a_roll_back_puts_back_what_it_can(zone: Any, run: Run, service: Service, journal: Journal) -> None:
    """One old value is refused too; nothing that is there is taken out for that."""
    zone.holds(TWO)
    service.odd("example.com", refused=["A 192.0.2.1", "A 192.0.2.4"])
    result = run("dns_record", zone="example.com", **www("192.0.2.3", "192.0.2.4", exclusive=True))
    assert [call for call in zone.calls() if call != "GET"] == [
        DELETE_WWW,
        *(f"POST www A 192.0.2.{n}" for n in (3, 4, 1, 2)),
    ]
    assert zone.lines() == ["www 300 A 192.0.2.2", "www 300 A 192.0.2.3"]
    assert "cannot add 192.0.2.4 to www.example.com. A: the service answered 422" in result["msg"]
    assert "the set holds 192.0.2.2, 192.0.2.3 (TTL 300), and the next run on the zone completes it" in (
        result["msg"].replace("192.0.2.3, 192.0.2.2", "192.0.2.2, 192.0.2.3")
    )
    assert "put back" not in result["msg"]
    assert journal.look().is_open


@pytest.mark.parametrize("status", [500, 503, 429, 401])
def test_a_roll_back_that_meets_no_refusal_ends_there(
    zone: Any, run: Run, service: Service, journal: Journal, status: int
) -> None:
    zone.holds(TWO)
    service.odd("example.com", refused=["A 192.0.2.3"])
    service.fault("status", method="POST", content="192.0.2.1", status=status, times=0)
    result = run("dns_record", zone="example.com", retries=0, **www("192.0.2.3", exclusive=True))
    assert [call for call in zone.calls() if call != "GET"] == [
        DELETE_WWW,
        "POST www A 192.0.2.3",
        "POST www A 192.0.2.1",
    ]
    assert "the set is gone, and the next run on the zone completes it from" in result["msg"]
    assert journal.look().is_open


@pytest.mark.parametrize("status", [500, 401])
def test_where_nothing_is_left_of_a_name_it_gets_what_it_had(
    zone: Any, run: Run, service: Service, journal: Journal, status: int
) -> None:
    zone.holds(TWO)
    service.fault("status", method="POST", content="192.0.2.3", status=status, times=0)
    result = run("dns_record", zone="example.com", retries=0, **www("192.0.2.3", exclusive=True))
    assert "its old values were put back, it holds 192.0.2.1, 192.0.2.2 (TTL 300)" in result["msg"]
    assert zone.lines() == text(TWO)
    assert not journal.look().is_open


@pytest.mark.parametrize("retry_after", [None, "2", "20"])
def test_a_set_that_is_gone_ends_in_the_time_that_is_told(
    zone: Any, run: Run, service: Service, journal: Journal, clock: Any, retry_after: str | None
) -> None:
    """Ten times retry_timeout for the new value, and once for the old ones and for the last reading."""
    zone.holds(TWO)
    asks = {"headers": {"Retry-After": retry_after}} if retry_after else {}
    service.fault("status", method="POST", status=503, times=0, body={"message": "Busy"}, **asks)
    began = clock.monotonic()
    result = run("dns_record", zone="example.com", retry_timeout=3, **www("192.0.2.3", exclusive=True))
    assert clock.monotonic() - began <= 30 + 3 + 3 + 3
    said = "cannot add 192.0.2.3 to www.example.com. A: the service answered 503: Busy; it was throttled"
    assert said in result["msg"]
    assert "its old values were tried too: the service answered 503" in result["msg"]
    if retry_after != "20":  # longer than a reading waits
        assert {"POST www A 192.0.2.3", "POST www A 192.0.2.1"} <= {*zone.calls()}
        assert zone.calls()[-1] == "GET"
        assert "; the set is gone, and the next run on the zone completes it from" in result["msg"]
    assert journal.look().is_open


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


@pytest.mark.parametrize(
    ("status", "body", "content_type"),
    [
        (201, '{"status": "Success"}', "application/json"),
        (202, "", "text/plain"),
        (202, '{"status": "Success"}', "application/json"),
        (204, "", "text/plain"),
        (200, "", "text/plain"),
        (200, "<html>OK</html>", "text/html"),
    ],
)
@pytest.mark.parametrize(
    ("task", "after"),
    [
        (www("192.0.2.3"), TWO + "www 300 A 192.0.2.3"),
        (www("192.0.2.3", exclusive=True), "www 300 A 192.0.2.3"),
        ({"name": "www", "type": "A", "state": "absent"}, ""),
    ],
    ids=["extend", "exclusive", "absent"],
)
def test_an_answer_that_does_not_say_what_was_done(
    zone: Any,
    run: Run,
    service: Service,
    journal: Journal,
    clock: Any,
    status: int,
    body: str,
    content_type: str,
    task: dict[str, Any],
    after: str,
) -> None:
    zone.holds(TWO)
    for method in ("POST", "DELETE"):
        answer = {"status": status, "body": body, "content_type": content_type}
        service.fault("status_after", method=method, times=0, **answer)
    result = run("dns_record", zone="example.com", **task)
    assert (result["changed"], result.get("warnings")) == (True, None)
    assert zone.lines() == text(after)
    assert clock.waits == []
    writes = [call for call in zone.calls() if call != "GET"]
    assert len(writes) == len(set(writes))
    assert not journal.look().is_open


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


def fails_from(monkeypatch: pytest.MonkeyPatch, method: str, nth: int) -> None:
    """Let the disk be full from the nth call on."""
    real, calls = getattr(Journal, method), itertools.count(1)

    def full(journal: Journal, *args: Any, **how: Any) -> Any:
        if next(calls) >= nth:
            raise StateDirError("the disk is full")
        return real(journal, *args, **how)

    monkeypatch.setattr(Journal, method, full)


def test_a_full_disk_hides_no_failure(
    zone: Any, run: Run, service: Service, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone.holds(TWO)
    service.fault("status", method="POST", status=422, body={"message": "Full."}, times=0)
    fails_from(monkeypatch, "write", 2)
    result = run("dns_record", zone="example.com", **www("192.0.2.3", exclusive=True))
    assert result["msg"] == (
        "Zone example.com: cannot add 192.0.2.3 to www.example.com. A: the service answered 422: Full; "
        "its old values were tried too: the service answered 422: Full; "
        f"the set is gone, and the next run on the zone completes it from {journal.store.path}; "
        "besides, the disk is full."
    )
    assert (result["changed"], result["status_code"]) == (True, 422)
    assert [change["action"] for change in result["changes"]] == ["delete"]
    assert result["failed_sets"] == [{"name": "www.example.com.", "type": "A"}]
    assert journal.look().is_open


def test_a_full_disk_hides_no_success(zone: Any, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    zone.holds(TWO)
    fails_from(monkeypatch, "write", 2)
    result = run("dns_record", zone="example.com", **www("192.0.2.3", exclusive=True))
    assert result["msg"] == "Zone example.com: all changes were made and verified; besides, the disk is full."
    assert result["changed"] is True
    assert [change["after"]["contents"] for change in result["changes"]] == [["192.0.2.3"]]
    assert result["applied"] == [{"name": "www.example.com.", "type": "A"}]


def test_a_disk_that_is_full_in_a_later_round(
    zone: Any, run: Run, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first round only adds; the second has to delete, and must not without a journal."""
    zone.holds('k 300 TXT "one"')
    service.odd("example.com", txt="parses", txt_read="plain")
    fails_from(monkeypatch, "write", 2)
    result = run("dns_record", **TXT)
    assert "is not as wanted after 1 rounds" in result["msg"]
    assert result["msg"].endswith("besides, the disk is full.")
    assert not any(call.startswith("DELETE") for call in zone.calls())
    assert result["changed"] is True
    assert zone.lines() == ['k 300 TXT "one"', 'k 300 TXT "v=DKIM1"']


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("may_be_there", [False, True], ids=["nothing to write", "something to write"])
def test_a_state_dir_that_goes_away_while_a_run_writes(
    zone: Any, run: Run, journal: Journal, state_dir: Any, monkeypatch: pytest.MonkeyPatch, may_be_there: bool
) -> None:
    ftp = RecordSet("ftp.example.com.", "A", 300, ("192.0.2.8",))
    zone.holds(f"{TWO}ftp 300 A 192.0.2.8")
    if may_be_there:
        with journal.lock():
            journal.write([Entry(ftp.key, ftp, None)])
    create = Client.create_value

    def create_and_remove(client: Client, *args: Any, **options: Any) -> bool:
        shutil.rmtree(state_dir, ignore_errors=True)
        return create(client, *args, **options)

    monkeypatch.setattr(Client, "create_value", create_and_remove)
    result = run("dns_record", zone="example.com", **www("192.0.2.3", exclusive=True))
    assert result["changed"] is True
    assert [change["after"]["contents"] for change in result["changes"]] == [["192.0.2.3"]]
    assert zone.lines() == ["ftp 300 A 192.0.2.8", "www 300 A 192.0.2.3"]
    if may_be_there:
        assert "all changes were made and verified; besides, the journal " in result["msg"]
        assert result["msg"].endswith("cannot be written, No such file or directory.")


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


def test_a_new_set_that_is_in_nobody_s_way_stays_in_a_roll_back(
    zone: Any, connect: Any, journal: Journal, service: Service
) -> None:
    zone.holds("www 300 A 192.0.2.1")
    service.fault("status", method="POST", content="2001:db8::2", status=422, body={"message": "No"}, times=0)
    make_plan = wanted(
        "www.example.com. A 192.0.2.2", "www.example.com. AAAA 2001:db8::1 2001:db8::2", keeps_others=False
    )
    with pytest.raises(
        ApplyFailed, match=r"; the set holds 2001:db8::1 \(TTL 3600\), www.example.com. A holds 192.0.2.1 "
    ):
        converge(connect(), "example.com.", make_plan, journal, Settings())
    assert zone.lines() == ["www 300 A 192.0.2.1", "www 3600 AAAA 2001:db8::1"]
    assert not any(call == "DELETE www.example.com. AAAA" for call in zone.calls())


@pytest.mark.parametrize("retries", [0, 5])
def test_a_deletion_that_was_carried_out_without_an_answer_is_not_sent_again(
    zone: Any, run: Run, service: Service, journal: Journal, retries: int
) -> None:
    zone.holds(TWO)
    service.fault("status_after", method="DELETE", status=504)
    assert run("dns_record", zone="example.com", retries=retries, **www("192.0.2.3", exclusive=True))["changed"] is True
    assert zone.calls().count(DELETE_WWW) == 1
    assert zone.lines() == ["www 300 A 192.0.2.3"]
    assert not journal.look().is_open


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
