# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each habit of a service gives the answer that names it, and the zone is as it was afterwards."""

import itertools
import time

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._api.retries import Write
from ansible_collections.zonesmith.dns.plugins.module_utils._check.questions import (
    AS_SENT,
    CHECK,
    MEANINGS,
    REPORT,
    questions,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.folder import FolderStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError

MARK = f'{CHECK} 300 TXT "zonesmith-check"'
SEEN = "After how long is a write seen?"
GONE = "Are deleted sets gone?"
PLAIN = "How is a TXT with a semicolon shown that is sent plain?"
QUOTED = "How is a TXT with a semicolon shown that is sent quoted?"
MX = "Is the type MX taken, and how is it shown?"
AGAIN = "What does POST answer to a value that is there?"
NOTHING = "What does DELETE answer where there is no such set?"
SECOND = "What does a second value with another TTL do to its set?"
TTL_1 = "What is kept of the TTL 1?"
RATE = "How many requests a second are answered?"
TOTAL = "How many zones does the list show, of how many?"

POST = "What does POST answer?"
DELETE = "What does DELETE answer?"
SPEED = 10
"""How many seconds of the check pass in one of the service."""


HABITS = [
    # habits of the zone, settings, what is recommended, rows
    (
        {},
        {},
        {},
        [
            (SEEN, "after 0.0 s in all reads", "no habit"),
            (POST, "accepted (", "no habit"),
            (PLAIN, '"k=1; p=2" (TTL 300)', "no habit"),
            (GONE, "yes", "no habit"),
        ],
    ),
    ({"read_lag": 0.1}, {}, {}, [(SEEN, "s in all reads", "habit: it shows a write late")]),
    (
        {"read_lag": 0.1, "late_reads": 2},
        {},
        {},
        [(SEEN, "s in some reads, after", "habit: it shows a write late")],
    ),
    ({"apply_after": 0.1}, {}, {}, [(SEEN, "s in all reads", "habit: it shows a write late")]),
    ({"busy_after_write": 0.01}, {}, {}, [(TTL_1, "192.0.2.1 (TTL 1)", "no habit")]),
    ({"rate": 10, "rate_window": 0.3}, {}, {}, [(TTL_1, "192.0.2.1 (TTL 1)", "no habit")]),
    (
        {
            "write_status": 202,
            "parses": True,
            "ttl_min": 60,
            "refused": ["MX *"],
        },
        {},
        {"txt_format": "quoted"},
        [
            (POST, "accepted, not confirmed", "habit: such an answer does not say that it is done"),
            (PLAIN, '"k=1" (TTL 300)', "habit: it reads text without quotes as"),
            (TTL_1, "192.0.2.1 (TTL 60)", "habit: it keeps TTLs of its own"),
            (MX, "the service answered 422", "tasks fail with this type"),
        ],
    ),
    (
        {"write_status": 204, "keeps_quotes": True},
        {"mx_read": "bare", "list_total_extra": 3},
        {"txt_format": "plain"},
        [
            (
                DELETE,
                "accepted, not confirmed",
                "habit: such an answer does not say that it is done",
            ),
            (PLAIN, '"k=1; p=2" (TTL 300)', "no habit"),
            (QUOTED, '"\\"k=1; p=2\\"" (TTL 300)', "habit: quotes become part"),
            (MX, "Host.Example.NET. (TTL 300)", "habit: MX hosts are shown without"),
            (TOTAL, "1 of 4", "habit: an incomplete list"),
        ],
    ),
    (
        {"keeps_ttl": True, "has_body": False, "gone": 410, "there": 409},
        {},
        {},
        [
            (POST, "accepted, not confirmed", "habit: such an answer does not say that it is done"),
            (SECOND, "192.0.2.1, 192.0.2.2 (TTL 300)", "no habit"),
            (AGAIN, "the service answered 409", "habit: it refuses what is there"),
            (NOTHING, "the service answered 410", "habit: it refuses to delete what is gone"),
        ],
    ),
    ({"txt_read": "plain"}, {}, {}, [(QUOTED, "k=1; p=2 (TTL 300)", "no habit")]),
    (
        {},
        {"txt_write": "quoted"},
        {"txt_format": "quoted"},
        [
            (PLAIN, "the service answered 422", "habit: it refuses text without"),
            (QUOTED, '"k=1; p=2" (TTL 300)', "no habit"),
        ],
    ),
]


@pytest.fixture
def ask(run):
    """Runs the module for example.com, and gives its result."""
    return lambda **options: run("dns_service_check", zone="example.com", **options)


def answers(result):
    return {row["question"]: (row["answer"], row["means"]) for row in result["answers"]}


@pytest.mark.parametrize("habits, settings, recommended, rows", HABITS, ids=str)
def test_a_habit_has_its_answer(ask, service, zone, clock, habits, settings, recommended, rows):
    zone.holds("www 300 A 192.0.2.1")
    service.settings(**settings)
    service.habits("example.com", **habits)
    clock.on_wait = lambda seconds: time.sleep(seconds / SPEED)
    result = ask()
    service.habits("example.com")
    found = answers(result)
    for question, answer, means in rows:
        assert answer in found[question][0]
        assert found[question][1].startswith(means)
    assert REPORT not in {means for _answer, means in found.values()}
    assert result["recommended"] == recommended
    assert result["restored"]
    assert zone.lines() == ["www 300 A 192.0.2.1"]


@pytest.mark.parametrize("habit", ["undeletable", "returning"])
def test_what_cannot_be_deleted_is_told_and_removed_next_time(ask, service, zone, habit):
    service.habits("example.com", **{habit: ["*ttl-1.* A"]})
    result = ask()
    answer, means = answers(result)[GONE]
    assert answer == f"still there: ttl-1.{CHECK} A"
    assert means.startswith("habit: sets that cannot be deleted")
    assert (result["changed"], result["restored"]) == (True, False)
    assert f"ttl-1.{CHECK} A" in result["warnings"][0]
    assert zone.lines() == [MARK, f"ttl-1.{CHECK} 1 A 192.0.2.1"]
    service.habits("example.com")
    assert ask()["restored"]
    assert zone.lines() == []


@pytest.mark.parametrize(
    "habits, message",
    [
        (
            {"refused": ["TXT *"]},
            "Zone example.com: the check ended early: the service answered 422",
        ),
        ({"shows": "nothing"}, "lacks the zone's SOA"),
        ({"read_lag": 3600}, "what the check wrote was not seen within 60 seconds"),
    ],
    ids=str,
)
def test_without_answers_it_fails_in_one_sentence(ask, service, zone, habits, message):
    service.habits("example.com", **habits)
    assert message in ask()["msg"]
    service.habits("example.com")
    assert zone.lines() == []


def test_a_slug_of_its_own(ask, zone):
    zone.holds("", slug="zone-7")
    means = "habit: a slug of its own; tasks look it up in the list"
    found = answers(ask())
    assert found["What is the slug of the zone?"] == ("zone-7", means)


@pytest.mark.parametrize(
    "limit, answer, means",
    [
        ({}, "none refused", "no habit"),
        ({"rate": 200, "rate_window": 3600}, "then 429 with Retry-After 3", "habit: a limit"),
    ],
    ids=str,
)
def test_the_rate_is_found_on_request(ask, service, limit, answer, means):
    service.habits("example.com", **limit)
    assert RATE not in answers(ask(check=True))
    found = answers(ask(rate=True))[RATE]
    assert answer in found[0]
    assert found[1].startswith(means)


def test_check_mode_reads_and_lists_the_questions(ask, zone):
    result = ask(check=True)
    assert set(zone.calls()) == {"GET", "GET list"}
    asked = ask()
    assert [*answers(result)] == [*answers(asked)]
    assert answers(result)[SEEN] == ("", "")
    assert (result["changed"], asked["changed"]) == (False, False)


@pytest.mark.parametrize(
    "held, key",
    [
        (f"www.{CHECK} 300 A 192.0.2.1", f"www.{CHECK} A"),
        (f"ttl-1.{CHECK} 300 A 192.0.2.1", f"ttl-1.{CHECK} A"),
        (f'{MARK}\n{CHECK} 300 TXT "mine"', f"{CHECK} TXT"),
        (f'{CHECK} 300 TXT "v=zonesmith-check-of-mine"', f"{CHECK} TXT"),
        (f"{MARK}\n{CHECK} 300 A 192.0.2.1", f"{CHECK} A"),
        (f"{MARK}\nwww.{CHECK} 300 A 192.0.2.1", f"www.{CHECK} A"),
    ],
    ids=str,
)
@pytest.mark.parametrize("check", [True, False])
def test_what_it_did_not_make_is_refused(ask, zone, held, key, check):
    zone.holds(held)
    before = zone.lines()
    message = ask(check=check)["msg"]
    assert f"whose names it needs: {key}" in message
    assert zone.lines() == before
    assert set(zone.calls()) == {"GET", "GET list"}


@pytest.mark.parametrize(
    "mark", ["zonesmith-check", '"zonesmith-check"', '"\\"zonesmith-check\\""']
)
def test_what_a_killed_check_left_is_removed(ask, zone, mark):
    lines = ["www 300 A 192.0.2.1", f"{CHECK} 300 TXT {mark}", f"ttl-1.{CHECK} 60 A 192.0.2.1"]
    zone.holds("\n".join(lines))
    result = ask()
    assert answers(result)[TTL_1][1] == "no habit"
    assert zone.lines() == ["www 300 A 192.0.2.1"]


@pytest.mark.parametrize(
    "fault, message",
    [
        ({"kind": "status", "status": 401}, "answered 401"),
        ({"kind": "status", "status": 401, "nth": 30}, "answered 401"),
        ({"kind": "drop_after", "nth": 30, "times": 50}, ""),
        ({"kind": "status_after", "status": 500}, ""),
        ({"kind": "status_after", "status": 500, "times": 0}, "ended early: the service answered"),
        ({"kind": "status", "status": 429, "nth": 20, "times": 0}, "the check ended early"),
    ],
    ids=str,
)
def test_a_fault_leaves_nothing(ask, service, zone, fault, message):
    service.fault(**fault, method="POST")
    result = ask(retries=1)
    service.clear_faults()
    assert message in result.get("msg", "")
    assert zone.lines() == []


def test_a_failing_service_is_not_told_as_a_habit(ask, service, zone):
    service.fault(kind="status", status=500, method="POST", content="k=1", times=0)
    result = ask(retries=1)
    answer, means = answers(result)[PLAIN]
    assert "answered 500" in answer
    assert means.startswith("a failure, which says nothing")
    assert result["recommended"] == {}
    assert zone.lines() == []


def test_an_earlier_check_is_removed_first_or_nothing_is_done(ask, service, zone):
    zone.holds(f"{MARK}\nttl-1.{CHECK} 60 A 192.0.2.1")
    before = zone.lines()
    service.fault(kind="status", status=500, method="GET", nth=4, times=0)
    result = ask(retries=1)
    assert "what an earlier check left cannot be removed: the service answered 500" in result["msg"]
    assert zone.lines() == before
    assert set(zone.calls()) == {"GET", "GET list"}


@pytest.mark.parametrize("nth", [2, 6])
def test_a_failure_at_the_end_is_told_as_such(ask, service, zone, nth):
    service.fault(kind="drop_before", method="DELETE", nth=nth, times=0)
    result = ask(retries=1)
    answer, means = answers(result)[GONE]
    assert answer.startswith("not known: ")
    assert means.startswith("a failure, which says nothing")
    assert (result["changed"], result["restored"]) == (True, False)
    assert f"the check may have left *.{CHECK} A" in result["warnings"][0]
    service.clear_faults()
    assert ask()["restored"]
    assert zone.lines() == []


def test_a_token_that_may_not_delete(ask, service):
    service.fault(kind="status", status=403, method="DELETE", times=0)
    result = ask()
    answer, means = answers(result)[DELETE]
    assert answer.startswith("the service answered 403")
    assert means == "tasks fail with this"
    assert answers(result)[GONE][0].startswith("still there: ")
    assert not result["restored"]


@pytest.mark.parametrize("status, means", [(500, "a failure"), (403, REPORT)])
def test_only_a_refusal_for_now_is_a_limit(ask, service, status, means):
    service.fault(kind="status", status=status, method="GET", nth=100, times=0)
    result = ask(rate=True)
    found = answers(result)[RATE]
    assert f"then the service answered {status}" in found[0]
    assert found[1].startswith(means)
    assert result["restored"]


def test_a_zone_whose_name_leaves_no_room_is_left_alone(run, service):
    label = 60 * "z"
    name = f"{label}.{label}.{label}.com"
    service.zone(name, [])
    service.clear_log()
    result = run("dns_service_check", zone=name)
    assert "255" in result["msg"]
    assert all(call.startswith("GET") for call in service.calls())


def test_another_run_has_the_lock(ask, store, zone):
    with store.lock():
        assert "holds the lock" in ask(lock_timeout=0)["msg"]
    assert set(zone.calls()) == {"GET", "GET list"}


def test_a_lost_lock_ends_it(ask, zone, monkeypatch):
    def lost(_store):
        raise StateError("the lock is lost")

    monkeypatch.setattr(FolderStore, "check_held", lost)
    assert "the lock is lost" in ask()["msg"]
    assert set(zone.calls()) == {"GET", "GET list"}


def test_what_others_write_meanwhile_stays(ask, service, zone, clock, connect):
    row = {"name": f"www.{CHECK}", "type": "A", "content": "192.0.2.9", "ttl": 300}
    waits = itertools.count()

    def write_once(_seconds):
        if next(waits) == 0:
            connect().create_value("examplecom", row, Write(lambda: False))
        time.sleep(0.02)

    clock.on_wait = write_once
    service.habits("example.com", read_lag=0.1)
    assert ask()["restored"]
    service.habits("example.com")
    assert zone.lines() == [f"www.{CHECK} 300 A 192.0.2.9"]


def test_what_nobody_has_seen_asks_for_a_report():
    for question in questions():
        assert question.means("unheard of") == REPORT
        assert question.means(AS_SENT).startswith("no habit")
    kinds = {question.kind for question in questions()}
    assert {kind for kind, _outcome in MEANINGS} - {""} <= kinds


def test_each_question_names_what_it_is_about_and_sends_valid_values():
    asked = [question.text for question in questions()]
    assert len({*asked}) == len(asked)
    assert [text for text in asked if "  " in text or not text.endswith("?")] == []
    assert [outcome for outcome, meaning in MEANINGS.items() if not meaning] == []
    sent = [question for question in questions() if question.sends]
    assert [one.text for one in sent if not all(one.sent_set("example.com.").values)] == []
