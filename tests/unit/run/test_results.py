# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a module returns where it fails: one sentence, and the fields that tell what was done all the same."""

import pytest
from shorthand import change

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import ZoneNotFound
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.outcome import ApplyFailed
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import (
    InvalidInput,
    InvalidName,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import PlanRefused, diff_of
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import Invocation
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import InvalidOptions
from ansible_collections.zonesmith.dns.plugins.module_utils._run.results import (
    encodable,
    result_of,
    sentence,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError

INFO = {"zone": " example.com. "}
RECORD = {"zone": "example.com", "name": "www", "type": "A", "wait": False}
RECORDS = {"zone": "example.com", "wait": False}
ONE_OF_MANY = {"zone": "example.com", "wait": False, "zones": None}
MANY = {"wait": False, "zones": []}
BUSY = ServiceError("the service answered 503: Busy.", 503)
NOT_THERE = ZoneNotFound("the account has no zone of that name", 404)


def raising(error):
    """A run that meets an error."""

    def perform(_invocation):
        raise error

    return perform


MESSAGES = [
    # options, the error, what is said
    (INFO, BUSY, "Zone example.com: cannot read it: the service answered 503: Busy."),
    (
        RECORD,
        BUSY,
        "Zone example.com: cannot read it: the service answered 503: Busy; nothing was changed.",
    ),
    ({}, BUSY, "the service answered 503: Busy."),
    (RECORD, NOT_THERE, "Zone example.com: the account has no zone of that name."),
    (
        RECORD,
        PlanRefused("protect matches it"),
        "Zone example.com: protect matches it; nothing was changed.",
    ),
    (RECORD, StateError("who holds the lock?"), "Zone example.com: who holds the lock?"),
    (RECORD, InvalidName("it is empty"), "Zone example.com: it is empty."),
    (RECORD, InvalidOptions("timeout is 0"), "timeout is 0."),
    (RECORD, InvalidInput("ignore matches nothing"), "Zone example.com: ignore matches nothing."),
    ({**RECORD, "zone": "a\x1b"}, PlanRefused("no"), r"Zone a\x1b: no; nothing was changed."),
    ({**RECORD, "zone": ""}, PlanRefused("no\x1b"), r"no\x1b; nothing was changed."),
]


@pytest.mark.parametrize("options, error, warning", MESSAGES)
def test_what_is_said_of_an_error(options, error, warning):
    result = result_of(raising(error), Invocation(options, False))
    assert result["msg"] == warning
    assert result["status_code"] == getattr(error, "status_code", None)
    assert (result["failed"], result["changed"], result["warnings"]) == (True, False, [])
    assert "exception" not in result


@pytest.mark.parametrize(
    "options, field",
    [(INFO, None), (RECORD, "changes"), (ONE_OF_MANY, "changes"), (MANY, "zones")],
)
def test_a_failure_has_the_list_that_a_success_has(options, field):
    result = result_of(raising(PlanRefused("no")), Invocation(options, False))
    assert result == {
        "failed": True,
        "msg": f"{'Zone example.com: ' if 'zone' in options else ''}no{'; nothing was changed' if field else ''}.",
        "changed": False,
        "status_code": None,
        "warnings": [],
        **({field: []} if field else {}),
    }


def test_changes_that_check_mode_forbids_are_no_answer_of_the_service():
    one = {"action": "create", "name": "www.example.com.", "type": "A"}
    forbidding = Invocation({**RECORD, "fail_on_changes": True}, True)
    result = result_of(lambda _run: {"zone": "example.com", "changes": [one]}, forbidding)
    assert (result["differs"], result["status_code"]) == (True, None)


RECOVERED = change("ftp", "A", "", "300 192.0.2.8")
DONE = change("www", "A", "", "300 192.0.2.1")
LEFT = change("ns", "A", "300 192.0.2.2", "60 192.0.2.2")


@pytest.mark.parametrize("changes, recovered", [((), ()), ((DONE,), (RECOVERED,))])
def test_a_plan_that_was_not_carried_out_whole_tells_its_parts(changes, recovered):
    error = ApplyFailed(
        "the set is gone",
        422,
        changes,
        applied=(DONE.key,),
        failed=(RECOVERED.key,),
        not_attempted=(LEFT.key,),
        unfinished=(LEFT,),
        recovered=recovered,
    )
    result = result_of(raising(error), Invocation(RECORD, False))
    assert (result["status_code"], result["changed"]) == (422, bool(changes))
    assert result["changes"] == [one.as_result() for one in changes]
    told = [result["applied"], result["failed_sets"], result["not_attempted"]]
    assert told == [[one.key._asdict()] for one in (DONE, RECOVERED, LEFT)]
    assert result["unfinished"] == [LEFT.as_result()]
    assert result.get("recovered", []) == [one.as_result() for one in recovered]
    assert result.get("diff") == (diff_of(recovered, changes) if changes else None)


UNEXPECTED = [
    # options -> what is said behind the error
    (INFO, ""),
    (RECORDS, "; check that the zone is as it should be"),
]


@pytest.mark.parametrize("options, message", UNEXPECTED)
def test_an_error_that_nobody_expected(options, message):
    result = result_of(raising(KeyError("x")), Invocation(options, False))
    start = "Zone example.com: " if message else "Zone example.com: cannot read it: "
    assert result["msg"] == f"{start}there was an unexpected KeyError 'x'{message}."
    assert result["exception"].startswith("Traceback (most recent call last):")
    assert (result["failed"], result["changed"], result["status_code"]) == (True, False, None)


# What can leave a module


def test_a_success_is_what_was_returned_with_its_warnings():
    invocation = Invocation(RECORD, False, warnings=["red \x1b[31m", "half \ud800"])
    assert result_of(lambda _invocation: {"changed": True}, invocation) == {
        "failed": False,
        "changed": True,
        "warnings": [r"red \x1b[31m", r"half \ud800"],
    }


@pytest.mark.parametrize(
    "value, carried",
    [
        ({"\ud800": ("\ud800", 1)}, {"\\ud800": ["\\ud800", 1]}),
        (None, None),
    ],
)
def test_half_a_character_is_written_as_an_escape(value, carried):
    assert encodable(value) == carried


@pytest.mark.parametrize(
    "text, message",
    [("it is so", "it is so."), ("it is so.", "it is so."), ("is it so?", "is it so?"), ("", ".")],
)
def test_a_sentence_ends_with_one_full_stop(text, message):
    assert sentence(text) == message
