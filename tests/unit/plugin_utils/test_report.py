# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The report: what results mean for it, what Ansible's events add, and what its three forms say."""

from __future__ import annotations

import json
import os
import pathlib
import re
import stat
from types import SimpleNamespace
from typing import Any

import pytest

from ansible_collections.zonesmith.dns.plugins.callback.report import (
    form_of,
    write,
    write_all,
)
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report import html as _report_html
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report import (
    markdown as _report_markdown,
)
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.diff import (
    LONGEST,
    lines,
    printable_line,
)
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.gather import Gathering
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.html import as_html
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.json import as_json
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.markdown import (
    LARGEST,
    as_markdown,
    code,
)
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.model import (
    Hidden,
    Place,
    Report,
    Run,
)
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.outcomes import (
    CONDITION,
    Event,
    Failure,
    Outcome,
    ReportedChange,
    ReportedFinding,
    ServiceOwned,
    Side,
    outcomes_of,
    outcomes_of_a_try,
)
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.view import view_of
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.words import notes


def html_of(report: Report) -> str:
    return as_html(view_of(report))


def markdown_of(report: Report) -> str:
    return as_markdown(view_of(report))


def json_of(report: Report) -> str:
    return as_json(view_of(report))


TOKEN = "token-that-nobody-may-see"
CREATED = {"name": "www.example.com.", "type": "A", "action": "create", "before": None}
CREATED |= {"after": {"ttl": 300, "contents": ["192.0.2.1"]}}
FINE: dict[str, Any] = {"changed": False, "zone": "example.com", "changes": [], "recovered": []}
WROTE = {**FINE, "changed": True, "changes": [CREATED]}
REFUSED = {"changed": False, "msg": "Zone example.com: no.", "status_code": 401, "changes": []}
HALF = {**REFUSED, "changed": True, "changes": [CREATED]}
FINDING = {
    "rule": "spf",
    "severity": "error",
    "name": "example.com.",
    "type": "TXT",
    "message": "two",
    "source": "RFC",
}
CHANGE = ReportedChange("www.example.com.", "A", "create", None, Side(300, ("192.0.2.1",)))


def outcome_lines(event: Event) -> list[str]:
    """What an event says, a line an outcome."""
    return [
        f"{outcome.zone or '-'} {len(outcome.changes)}{'!' if outcome.failure else ''}"
        for outcome in outcomes_of(event)
    ]


def zones_result(*zones: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"changed": any(zone.get("changed") for zone in zones), "zones": list(zones), **fields}


# Each: what the task says, what Ansible says of it, and the outcomes: zone, changes, ! for a failure.
RESULTS = {
    "nothing to do": (FINE, {}, ["example.com 0"]),
    "a change": (WROTE, {}, ["example.com 1"]),
    "a failure names its zone by the option": (
        REFUSED,
        {"failed": True, "zone": "example.com"},
        ["example.com 0!"],
    ),
    "a failure names its zone in words": (REFUSED, {"failed": True}, ["example.com 0!"]),
    "a failure of a filter does too": (
        {"msg": "Task failed: x failed: Zone a.example: line 1 cannot be used"},
        {"failed": True},
        ["a.example 0!"],
    ),
    "a failure names no zone": ({**REFUSED, "msg": "zone is missing."}, {"failed": True}, ["- 0!"]),
    "a failure half-way": (HALF, {"failed": True, "zone": "example.com"}, ["example.com 1!"]),
    "drift": (
        {**WROTE, "failed_when_result": True},
        {"failed": True, "check_mode": True},
        ["example.com 1"],
    ),
    "fail_on_changes": (
        {**WROTE, "differs": True, "msg": "not all is", "status_code": None},
        {"failed": True, "check_mode": True},
        ["example.com 1"],
    ),
    "failed_when in a real run": (
        {**WROTE, "failed_when_result": True},
        {"failed": True},
        ["example.com 1!"],
    ),
    "failed_when for another reason": (
        {**FINE, "failed_when_result": True},
        {"failed": True, "check_mode": True},
        ["example.com 0!"],
    ),
    "until": (WROTE, {"failed": True, "check_mode": True}, ["example.com 1!"]),
    "an expired token and failed_when": (
        {**REFUSED, "failed_when_result": True},
        {"failed": True, "check_mode": True, "zone": "example.com"},
        ["example.com 0!"],
    ),
    "reading": ({"zones": [{"name": "example.com"}]}, {"reads_only": True}, []),
    "files are written": (
        {"files": [{"zone": "example.com"}], "changed": True},
        {"reads_only": True},
        [],
    ),
    "many zones": (
        zones_result({**WROTE, "zone": "a.example"}, {**FINE, "zone": "b.example"}),
        {},
        ["a.example 1", "b.example 0"],
    ),
    "many zones, one of them failed": (
        zones_result(
            {**WROTE, "zone": "a.example"},
            {**HALF, "zone": "b.example"},
            msg="1 of 2",
            status_code=None,
        ),
        {"failed": True},
        ["a.example 1", "b.example 1!"],
    ),
    "many zones, all unchanged, and one has no file": (
        zones_result(
            unchanged=["a.example"],
            unmanaged=["b.example"],
            differs=True,
            msg="no",
            status_code=None,
        ),
        {"failed": True, "check_mode": True},
        ["a.example 0", "b.example 0"],
    ),
    "many zones, and a failure of none": (
        zones_result({**FINE, "zone": "a.example", "summary": {}}, msg="no", status_code=None),
        {"failed": True},
        ["a.example 0", "- 0!"],
    ),
    "many zones, two of them not looked at, because another cannot be planned": (
        zones_result(
            {**REFUSED, "zone": "a.example"},
            untouched=["b.example", "c.example"],
        ),
        {"failed": True},
        ["a.example 0!"],
    ),
    "many zones, none begun": (
        {"msg": "no", "status_code": None, "zones": []},
        {"failed": True},
        ["- 0!"],
    ),
}


@pytest.mark.parametrize(("result", "event", "expected"), RESULTS.values(), ids=RESULTS.keys())
def test_a_result_means(result: dict[str, Any], event: dict[str, Any], expected: list[str]) -> None:
    assert outcome_lines(Event("host", "task", result, **event)) == expected


def test_a_warning_goes_to_the_zone_that_it_begins_with() -> None:
    zones = ({**FINE, "zone": "a.example"}, {**FINE, "zone": "b.example"})
    result = zones_result(*zones, warnings=["Zone b.example: late.", "of all"])
    found = [
        (outcome.zone, outcome.warnings) for outcome in outcomes_of(Event("host", "task", result))
    ]
    assert found == [
        ("a.example", ()),
        ("b.example", ("Zone b.example: late.",)),
        ("", ("of all",)),
    ]


def test_what_is_a_finding_is_not_a_warning_too() -> None:
    words = "example.com. TXT: two (spf, RFC)"
    more = "there are 5 more findings in example.com, see findings in the result"
    kept = "Zone example.com: the lock was old"
    one = {**WROTE, "findings": [FINDING], "warnings": [words, more, kept]}
    (outcome,) = outcomes_of(Event("host", "task", one))
    assert (outcome.findings, outcome.warnings) == ((ReportedFinding(**FINDING),), (kept,))
    warnings = [
        f"Zone example.com: {words}",
        f"Zone example.com: {more}",
        kept,
        f"Zone b.example: {words}",
    ]
    many = zones_result(
        {**WROTE, "findings": [FINDING]}, {**FINE, "zone": "b.example"}, warnings=warnings
    )
    found = {outcome.zone: outcome.warnings for outcome in outcomes_of(Event("host", "task", many))}
    # Where it is in no result, the warning is all that there is.
    assert found == {"example.com": (kept,), "b.example": (warnings[3],)}


def test_a_zone_that_was_not_looked_at_is_not_unchanged() -> None:
    known = {**FINE, "zone": "d.example", "summary": {"unchanged": 9}}
    result = zones_result(
        {**REFUSED, "zone": "a.example"}, known, untouched=["b.example", "c.example"]
    )
    gathering = Gathering()
    gathering.tried(Told(result))
    assert gathering.report.untouched == set()  # a try that is made again may touch them
    gathering.ended(Told(result), failed=True)
    gathering.ended(Told(result), failed=True)
    report = gathering.finished()
    assert [zone.name for zone in view_of(report).zones] == ["a.example", "d.example"]
    assert report.untouched == {"b.example", "c.example"}
    assert [outcome.warnings for outcome in report.outcomes if outcome.warnings] == [
        ("An attempt failed and was repeated: Zone example.com: no.",)
    ]


def test_findings_and_what_was_recovered_are_kept() -> None:
    (outcome,) = outcomes_of(
        Event("h", "t", {**FINE, "findings": [FINDING], "recovered": [CREATED]})
    )
    assert outcome.findings == (
        ReportedFinding("spf", "error", "example.com.", "TXT", "two", "RFC"),
    )
    assert outcome.recovered == (CHANGE,)
    assert outcome.changed


def test_a_try_that_is_made_again_is_no_failure_and_its_changes_stand() -> None:
    (outcome,) = outcomes_of_a_try(Event("h", "t", HALF, zone="example.com"))
    assert (outcome.failure, len(outcome.changes)) == (None, 1)
    assert outcome.warnings == ("An attempt failed and was repeated: Zone example.com: no.",)
    assert outcomes_of_a_try(Event("h", "t", FINE)) == []


def test_a_message_ends_where_ansible_quotes_the_playbook() -> None:
    msg = f"'x' is undefined\n\nThe offending line appears to be:\n\n    access_token: {TOKEN}\n"
    (outcome,) = outcomes_of(Event("h", "t", {"msg": msg}, failed=True))
    assert outcome.failure == Failure("'x' is undefined")


OWNED = ServiceOwned("example.com.", "NS", "example.com. NS belongs to the service <b>`\x1b")
NOT_OURS = {**vars(OWNED), "live": None, "wanted": {"ttl": None, "contents": ["ns1.evil.example."]}}
LACK = "the account has 1 zone without a file in zones: old.example"


def test_what_is_not_ours_and_what_is_unmanaged_is_told_once() -> None:
    kept = "Zone example.com: the lock was old"
    one = {**FINE, "service_owned": [NOT_OURS], "warnings": [OWNED.message, kept]}
    (outcome,) = outcomes_of(Event("h", "t", one, zone="example.com"))
    assert (outcome.service_owned, outcome.warnings) == ((OWNED,), (kept,))
    warnings = [f"Zone example.com: {OWNED.message}", kept, LACK]
    for many in (
        zones_result(
            {**FINE, "service_owned": [NOT_OURS]}, warnings=warnings, unmanaged=["old.example"]
        ),
        {
            **zones_result({**FINE, "service_owned": [NOT_OURS]}),
            "warnings": warnings,
            "unmanaged": ["old.example"],
        },
    ):
        found = [
            (one.zone, one.service_owned, one.warnings, one.unmanaged)
            for one in outcomes_of(Event("h", "t", many))
        ]
        assert found == [("example.com", (OWNED,), (kept,), False), ("old.example", (), (), True)]
    untold = zones_result(FINE, warnings=["the account may have zones"], unmanaged=None)
    assert [one.warnings for one in outcomes_of(Event("h", "t", untold)) if one.warnings] == [
        (untold["warnings"][0],)
    ]
    refused = {
        "msg": f"Nothing was written, because {LACK}.",
        "status_code": None,
        "zones": [],
        "unmanaged": ["old.example"],
    }
    outcomes = outcomes_of(Event("h", "t", refused, failed=True))
    assert [(one.zone, bool(one.failure), one.unmanaged) for one in outcomes] == [
        ("", True, False),
        ("old.example", False, True),
    ]


def test_every_form_shows_what_is_not_ours_and_what_is_unmanaged() -> None:
    fine = Outcome("fine.example", "h", "t", check_mode=True)
    outcomes = [
        fine,
        Outcome("old.example", "h", "t", check_mode=True, unmanaged=True),
        Outcome("z.example", "h", "t", check_mode=True, service_owned=(OWNED,)),
    ]
    report = Report(outcomes=outcomes, run=Run(is_complete=True))
    page, markdown, document = html_of(report), markdown_of(report), json.loads(json_of(report))
    headline = "0 failed, 0 would change, 1 owned by the service, 1 unmanaged, 1 unchanged"
    assert f"<title>DNS report: {headline}</title>" in page
    assert markdown.startswith(f"## DNS: {headline}\n")
    assert [zone["state"] for zone in document["zones"]] == ["unchanged", "unmanaged", "not_ours"]
    assert document["zones"][2]["tasks"][0]["service_owned"] == [vars(OWNED)]
    assert (document["counts"]["service_owned"], document["counts"]["unmanaged"]) == (1, 1)
    assert (
        "<strong>Owned by the service:</strong> example.com. NS belongs to the service &lt;b&gt;`\\x1b"
        in page
    )
    assert (
        "- Owned by the service: ``example.com. NS belongs to the service <b>`\\x1b``\n" in markdown
    )
    assert "<strong>Unmanaged:</strong> the account has this zone" in page
    assert "Unmanaged: <code>old.example</code>" in markdown


# Each: changes, recovered, failure and check mode of the outcomes of one zone, and its state.
STATES = {
    "would change": (
        [Outcome("z", "h", "t", True, (CHANGE,)), Outcome("z", "h", "t")],
        "would_change",
    ),
    "checked and then done": (
        [Outcome("z", "h", "t", True, (CHANGE,)), Outcome("z", "h", "t", False, (CHANGE,))],
        "changed",
    ),
    "owned by the service": (
        [Outcome("z", "h", "t", service_owned=(OWNED,)), Outcome("z", "h", "t")],
        "not_ours",
    ),
    "unmanaged": ([Outcome("z", "h", "t", unmanaged=True)], "unmanaged"),
    "unmanaged by one task alone": (
        [Outcome("z", "h", "t", unmanaged=True), Outcome("z", "h", "u")],
        "unchanged",
    ),
    "only recovered": ([Outcome("z", "h", "t", recovered=(CHANGE,))], "changed"),
    "failed, rescued": ([Outcome("z", "h", "t", failure=Failure("no", "rescued"))], "failed"),
}


@pytest.mark.parametrize(("outcomes", "state"), STATES.values(), ids=STATES.keys())
def test_the_worst_state_of_a_zone_counts(outcomes: list[Outcome], state: str) -> None:
    (zone,) = view_of(Report(outcomes=outcomes)).zones
    assert zone.state == state
    assert zone.outcomes == tuple(outcomes)


# Events


class Told:
    """What Ansible hands its callbacks with an event, as far as the report looks at it."""

    def __init__(self, result: dict[str, Any], host: str = "localhost", **task: Any) -> None:
        fields = {
            "check_mode": False,
            "no_log": False,
            "ignore_unreachable": False,
            "_parent": None,
            "_uuid": "1",
        }
        action = task.pop("action", "zonesmith.dns.dns_record")
        self._task = SimpleNamespace(
            **{**fields, "action": action, "resolved_action": action, **task}
        )
        self._task.get_name = lambda: "Keep it"
        self._host = SimpleNamespace(get_name=lambda: host)
        self._result = {
            **result,
            "invocation": {"module_args": {"access_token": TOKEN, "state_url": TOKEN}},
        }
        self._task_fields = {
            "args": {"zone": "Example.COM.", "access_token": TOKEN},
            "check_mode": fields["check_mode"],
        }
        self.task_name = "Keep it"


def block(*tasks: str, parent: Any = None, rescue: Any = ("x",)) -> Any:
    return SimpleNamespace(
        block=[SimpleNamespace(_uuid=uuid) for uuid in tasks],
        rescue=rescue,
        _parent=parent,
        _uuid="b",
    )


def states(report: Report) -> list[tuple[str, str, str]]:
    return [
        (zone.name, zone.state, failure.handled if (failure := zone.outcomes[-1].failure) else None)
        for zone in view_of(report).zones
    ]


# Each: where the failing task stands, whether its failure is ignored, and what the report says of that.
PARENTS = {
    "nowhere": (None, False, None),
    "ignored": (None, True, "ignored"),
    "in a block with rescue": (block("1"), False, "rescued"),
    "in the rescue itself": (block("other"), False, None),
    "in a block without": (block("1", rescue=()), False, None),
    "in a block in one with rescue": (block("1", rescue=(), parent=block("b")), False, "rescued"),
    "in an include in one with rescue": (
        SimpleNamespace(_uuid="b", _parent=block("b")),
        False,
        "rescued",
    ),
}


@pytest.mark.parametrize(("parent", "ignored", "handled"), PARENTS.values(), ids=PARENTS.keys())
def test_what_the_playbook_does_about_a_failure_is_told(
    parent: Any, ignored: bool, handled: str
) -> None:
    gathering = Gathering()
    gathering.ended(Told(REFUSED, _parent=parent), failed=True, ignored=ignored)
    assert states(gathering.report) == [("example.com", "failed", handled)]


def test_a_failure_that_failed_when_takes_back_is_ignored() -> None:
    gathering = Gathering()
    gathering.ended(Told(REFUSED), failed=False)
    assert states(gathering.report) == [("example.com", "failed", "ignored")]


def test_items_of_a_loop_count_once_each_and_are_settled_at_its_end() -> None:
    gathering = Gathering()
    gathering.item(Told(WROTE), failed=False)
    gathering.item(Told(REFUSED), failed=True)
    gathering.item(Told(WROTE, host="other"), failed=False)
    gathering.ended(
        Told({"results": [WROTE, REFUSED], "msg": "One or more items failed"}),
        failed=True,
        ignored=True,
    )
    assert [(one.host, len(one.changes), one.failure) for one in gathering.report.outcomes] == [
        ("localhost", 1, None),
        ("localhost", 0, Failure("Zone example.com: no.", "ignored")),
        ("other", 1, None),
    ]
    # A loop that could not begin has no items.
    gathering.ended(Told({"msg": "no list"}), failed=True)
    assert gathering.report.outcomes[-1].failure == Failure("no list")


def test_a_hidden_result_is_counted_and_nothing_else() -> None:
    gathering = Gathering()
    hidden = {"censored": "the output has been hidden", "changed": True}
    gathering.item(Told(hidden), failed=True)
    gathering.ended(Told(hidden), failed=True)
    gathering.ended(Told(WROTE, no_log=True, _uuid="2"), failed=False)
    gathering.tried(Told(hidden))
    report = gathering.report
    assert (report.outcomes, report.hidden) == ([], Hidden(2, 1))
    assert [sentence for sentence, _where in notes(report)][1:] == [
        "2 results are hidden by no_log, 1 of them failed."
    ]


def test_of_the_tasks_of_others_only_failures_are_told_and_not_what_they_said() -> None:
    gathering = Gathering()
    for failed, ignored, parent in (
        (False, False, None),
        (True, True, None),
        (True, False, block("1")),
    ):
        gathering.ended(
            Told(WROTE, action="ansible.builtin.uri", _parent=parent),
            failed=failed,
            ignored=ignored,
        )
    assert gathering.report == Report(Run(began=gathering.report.run.began))
    gathering.ended(Told({"msg": TOKEN}, action="ansible.builtin.uri"), failed=True)
    assert gathering.report.failed_elsewhere == [Place("localhost", "Keep it")]


def test_a_task_in_the_background_is_told_until_its_result_is_seen() -> None:
    gathering = Gathering()
    begun = {"ansible_job_id": "j1", "started": True, "finished": False, "changed": True}
    gathering.ended(Told(begun), failed=False)
    assert gathering.finished().in_background == [Place("localhost", "Keep it")]
    status = "ansible.builtin.async_status"
    gathering.ended(
        Told({**WROTE, "ansible_job_id": "other", "finished": True}, action=status), failed=False
    )
    assert gathering.report.outcomes == []
    gathering.ended(
        Told({**WROTE, "ansible_job_id": "j1", "finished": True}, action=status), failed=False
    )
    assert gathering.finished().in_background == []
    assert states(gathering.report) == [("example.com", "changed", None)]


def test_an_unreachable_host_is_told_and_its_zone_has_failed() -> None:
    gathering = Gathering()
    gathering.unreachable(Told({"msg": "no route", "unreachable": True}))
    gathering.unreachable(
        Told({"msg": "no route"}, "away", action="ansible.builtin.setup", ignore_unreachable=True)
    )
    assert gathering.report.unreachable == [
        Place("localhost", "Keep it", "no route"),
        Place("away", "Keep it", "no route", "ignored"),
    ]
    assert states(gathering.report) == [("example.com", "failed", None)]


def test_plays_that_were_not_begun_are_counted_and_an_end_without_stats_is_told() -> None:
    gathering = Gathering()
    plays = [SimpleNamespace(_uuid=str(number)) for number in range(3)]
    gathering.playbook(
        SimpleNamespace(_file_name="/home/somebody/zones.yml", get_plays=lambda: plays)
    )
    gathering.play(plays[0])
    assert json.loads(json_of(gathering.finished()))["complete"] is False
    assert notes(gathering.report)[0][0].startswith("The run ended early")
    gathering.playbook_ended()
    assert notes(gathering.finished()) == [("The run ended early: 2 plays were not begun.", [])]
    assert gathering.report.run.playbooks == ["zones.yml"]
    gathering.play(plays[1])
    gathering.play(plays[2])
    assert json.loads(json_of(gathering.finished()))["complete"] is True


def test_a_task_that_began_and_did_not_end_is_told() -> None:
    gathering = Gathering()
    tasks = [Told(WROTE, host, _uuid=uuid) for host in ("h1", "h2") for uuid in ("1", "2", "3")]
    gathering.playbook(SimpleNamespace(_file_name="zones.yml", get_plays=list))
    for one in (*tasks, Told(WROTE, "h1", action="ansible.builtin.setup", _uuid="4")):
        gathering.began(one._host, one._task)
    gathering.ended(tasks[0], failed=False)
    gathering.skipped(tasks[1])
    gathering.unreachable(tasks[3])
    gathering.ended(tasks[4], failed=True)
    left = [Place("h1", "Keep it"), Place("h2", "Keep it")]
    report = gathering.finished()
    assert report.interrupted == left
    sentence = "2 tasks were interrupted: run again."
    assert (sentence, ["Keep it on h1", "Keep it on h2"]) in notes(report)
    document = json.loads(json_of(report))
    assert document["interrupted"] == [vars(place) for place in left]
    assert [place["check_mode"] for place in document["interrupted"]] == [False, False]
    assert document["counts"]["interrupted"] == 2
    assert markdown_of(report).startswith("## DNS: **1 failed**, **2 interrupted**, 0 changed")
    page = html_of(report)
    assert sentence in page
    assert re.search("<title>DNS report: 1 failed, 2 interrupted, 0 changed", page)
    gathering.playbook_ended()
    assert gathering.finished().interrupted == []


def test_what_was_interrupted_says_whether_it_only_checked() -> None:
    gathering = Gathering()
    gathering.playbook(SimpleNamespace(_file_name="zones.yml", get_plays=list))
    check = Told(WROTE, "h1", _uuid="1", check_mode=True)
    gathering.began(check._host, check._task)
    sentence = "1 task was interrupted: run again."
    assert notes(gathering.finished())[1:] == [(sentence, ["Keep it on h1"])]
    document = json.loads(json_of(gathering.report))
    assert (document["mode"], document["interrupted"][0]["check_mode"]) == ("check", True)
    assert "Check mode: nothing was written." in markdown_of(gathering.report)
    run = Told(WROTE, "h3", _uuid="2")
    gathering.began(run._host, run._task)
    assert view_of(gathering.finished()).mode == "mixed"


@pytest.mark.parametrize("zone", ["Example.COM.", "example.com", " example.com "])
def test_one_zone_has_one_name(zone: str) -> None:
    gathering = Gathering()
    event = Told(REFUSED)
    event._task_fields["args"]["zone"] = zone
    gathering.ended(Told(WROTE), failed=False)
    gathering.ended(event, failed=True)
    assert states(gathering.report) == [("example.com", "failed", None)]


@pytest.mark.parametrize("zone", ["{{ zone }}", None, 7, "", "a..b", "ex\u202eample"])
def test_a_zone_that_is_none_breaks_nothing(zone: Any) -> None:
    gathering = Gathering()
    event = Told(REFUSED)
    event._task_fields = {"args": {"zone": zone}}
    gathering.ended(event, failed=True)
    assert gathering.report.outcomes[0].failure
    assert "\u202e" not in html_of(gathering.finished()) + markdown_of(gathering.report) + json_of(
        gathering.report
    )


# Forms

SETS = Side(300, ("192.0.2.1", "192.0.2.2"))
LINES = {
    "create": ((None, Side(300, ("192.0.2.1",))), ["+ 300 192.0.2.1"]),
    "delete": ((Side(300, ("192.0.2.1",)), None), ["- 300 192.0.2.1"]),
    "extend": ((Side(300, ("192.0.2.1",)), SETS), ["  300 192.0.2.1", "+ 300 192.0.2.2"]),
    "remove one": ((SETS, Side(300, ("192.0.2.2",))), ["- 300 192.0.2.1", "  300 192.0.2.2"]),
    "another TTL": (
        (Side(300, ("192.0.2.1",)), Side(60, ("192.0.2.1",))),
        ["- 300 192.0.2.1", "+ 60 192.0.2.1"],
    ),
}


@pytest.mark.parametrize(("sides", "expected"), LINES.values(), ids=LINES.keys())
def test_a_change_is_lines_of_a_zone_file(sides: Any, expected: list[str]) -> None:
    found = [
        f"{line.sign} {line.text}"
        for line in lines([ReportedChange("www.example.com.", "A", "", *sides)])
    ]
    assert found == [
        re.sub(r"^(..)(\d+)", r"\1www.example.com. \2 IN A", line) for line in expected
    ]


@pytest.mark.parametrize("zones", [1, 2, 59, 5000])
def test_zones_that_nobody_touched_are_a_count_and_a_folded_list_below_the_failure(
    zones: int,
) -> None:
    names = {f"z{number:04}.example" for number in range(zones)}
    failed = Outcome("bad.example", "h", "t", failure=Failure("line 3 cannot be used"))
    report = Report(outcomes=[failed], untouched=names, run=Run(is_complete=True))
    were = f"{zones:,} {'zone was' if zones == 1 else 'zones were'} not touched"
    page, markdown = html_of(report), markdown_of(report)
    assert page.count("line 3 cannot be used") == markdown.count("line 3 cannot be used") == 1
    folded = page.partition('<details class="untouched">')[2]
    assert re.findall(r"<summary>(.*), because others", folded) == [were]
    assert re.findall(r"<li>(.*)</li>", folded) == sorted(names)
    assert "z0000.example" not in page[: page.index("line 3 cannot be used")]
    assert markdown.startswith(
        f"## DNS: **1 failed**, {zones:,} not touched, 0 changed, 0 unchanged\n"
    )
    assert len(markdown) < LARGEST
    shown_below, counted = markdown.partition(f"<details><summary>{were}")[2], 0
    if zones == 5000:
        (more,) = re.findall(r"- and ([\d,]+) more\n", shown_below)
        counted = int(more.replace(",", ""))
    assert len(re.findall("^- `z", shown_below, re.MULTILINE)) + counted == zones
    assert "z0000.example" not in markdown.partition("line 3 cannot be used")[0]
    document = json.loads(json_of(report))
    assert (document["untouched"], document["counts"]["untouched"]) == (sorted(names), zones)
    assert [zone["zone"] for zone in document["zones"]] == ["bad.example"]


def test_a_set_that_is_rebuilt_is_marked_and_counted_in_every_form() -> None:
    sides = Side(300, ("192.0.2.1", "192.0.2.2")), Side(300, ("192.0.2.1",))
    changes = (
        ReportedChange("a.example.", "A", "rebuild", *sides),
        ReportedChange("b.a.example.", "A", "extend", *sides),
    )
    mark = "; a.example. A is rebuilt, and gone for a moment"
    assert [line.text for line in lines(changes) if line.sign == "!"] == [mark]
    assert next(lines(changes)).text == mark
    outcome = Outcome("a.example", "h", "t", changes=changes)
    report = Report(
        outcomes=[outcome, Outcome("b.example", "h", "t", recovered=changes)],
        run=Run(is_complete=True),
    )
    page, markdown = html_of(report), markdown_of(report)
    counted = "1 set rebuilt (gone for a moment)"
    assert f"<span>{counted}</span>" in page
    assert f"2 changes, {counted}, " in markdown
    assert f'<span class="note">! {mark}' in page
    assert f"\n! {mark}\n- a.example. 300 IN A 192.0.2.2\n" in markdown
    assert f"2 changes · {counted}" in page
    document = json.loads(json_of(report))
    assert (document["counts"]["changes"], document["counts"]["rebuilt"]) == (2, 1)
    assert "rebuilt" not in html_of(many(1, 1)) + markdown_of(many(1, 1))


def test_a_set_that_somebody_else_changed_is_marked_in_every_form() -> None:
    sides = Side(300, ("192.0.2.1", "192.0.2.2")), Side(300, ("192.0.2.1",))
    reasons = ("drift", "both", "wanted", "")
    changes = tuple(
        ReportedChange(f"{why or 'x'}.example.", "A", "extend", *sides, why) for why in reasons
    )
    marks = [f"; {why}.example. A was changed by somebody else before" for why in ("drift", "both")]
    assert [line.text for line in lines(changes) if line.sign == "!"] == marks
    report = Report(
        outcomes=[Outcome("a.example", "h", "t", changes=changes)], run=Run(is_complete=True)
    )
    page, markdown = html_of(report), markdown_of(report)
    assert all(f"! {mark}" in text for mark in marks for text in (page, markdown))
    (zone,) = json.loads(json_of(report))["zones"]
    reported = zone["tasks"][0]["changes"]
    assert [one.get("because") for one in reported] == ["drift", "both", "wanted", None]


HOSTILE = [
    "</pre></details></code></script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)" x="',
    "`x` ``` ```` `````",
    "```\n\n# Heading\n\n@someone ![a](https://evil.example/x.png) [b](javascript:alert(1)) <b>",
    "\u202egnp.exe\u202c \u2066x\u2069 \x1b[31m \x00 \x07 \u200b \ud800",
    "{{ 7 * 7 }} {% raw %} ${x}",
    "]]> --> <!--",
    "@team #1 GH-1 https://evil.example www.evil.example",
]


def hostile_report(text: str) -> Report:
    """A report that holds *text* wherever a zone, the service or a playbook can put it."""
    change = ReportedChange(text, text, text, Side(1, (text, text)), Side(2, (text,)))
    finding = ReportedFinding(*[text] * 6)
    place = Place(text, text, text)
    full = {
        "changes": (change,),
        "recovered": (change,),
        "findings": (finding,),
        "warnings": (text,),
        "failure": Failure(text),
    }
    return Report(
        run=Run(playbooks=[text]),
        outcomes=[Outcome(zone, text, text, **full) for zone in (text, "", "other.example")],
        unreachable=[place],
        failed_elsewhere=[place],
        in_background=[place],
        untouched={text},
    )


TAGS = re.compile(r"<(/?[a-zA-Z!][^\s>]*)")


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_a_part_of_the_page(text: str) -> None:
    page, harmless = html_of(hostile_report(text)), html_of(hostile_report("harmless"))
    assert TAGS.findall(page) == TAGS.findall(harmless)
    assert not re.search(
        r"\bon\w+=(?!\S*(&#34;|&lt;|alert\(1\)))",
        page.partition("<body>")[2].partition("<script>")[0],
    )
    assert page.count("{{ 7 * 7 }}") == (page.count("${x}") if "{{" in text else 0)
    page.encode()


def test_the_page_loads_nothing_and_runs_its_own_script_alone() -> None:
    page = html_of(hostile_report("x"))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    rules = dict(rule.split(" ", 1) for rule in policy[1].replace("&#39;", "'").split("; "))
    assert rules.pop("style-src").startswith("'sha256-")
    assert rules.pop("script-src").startswith("'sha256-")
    assert rules == {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'"}
    assert not re.search(r"\b(src|href|action|srcset|style)=|url\(|@import|https?:", page)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_a_part_of_the_markdown(text: str) -> None:
    """Outside of code, which is what a fence or a span holds, there is nothing but the report's own words."""
    markdown, harmless = markdown_of(hostile_report(text)), markdown_of(hostile_report("harmless"))
    assert outside_code(markdown) == outside_code(harmless)
    markdown.encode()


def outside_code(markdown: str) -> str:
    """Markdown with its code taken out, as CommonMark finds it (sections 4.5 and 6.1), and what <code> holds."""
    rest, fence = [], ""
    for line in markdown.split("\n"):
        if fence:
            fence = "" if re.fullmatch(f" {{0,3}}{fence}`*[ \t]*", line) else fence
        elif opening := re.match(r"(`{3,})[^`]*$", line):
            fence = opening[1]
        else:
            rest.append(
                re.sub(
                    r"<code>[^<]*</code>", "", re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", line)
                )
            )
    assert not fence
    return "\n".join(rest)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("x", "`x`"),
        ("a`b", "``a`b``"),
        ("`", "`` ` ``"),
        ("```", "```` ``` ````"),
        ("", "`  `"),
        (" x", "`  x `"),
    ],
)
def test_a_code_span_has_a_fence_that_its_text_has_not(text: str, span: str) -> None:
    assert code(text) == span


@pytest.mark.parametrize("text", HOSTILE)
def test_json_holds_every_text_as_it_is_and_in_ascii(text: str) -> None:
    written = json_of(hostile_report(text))
    assert written.isascii()
    document = json.loads(written)
    zone = next(zone for zone in document["zones"] if zone["zone"] == text)
    (task,) = zone["tasks"]
    assert task["changes"][0]["before"] == {"ttl": 1, "contents": [text, text]}
    assert task["failure"] == {"msg": text, "handled": None}


def test_what_cannot_be_seen_is_an_escape_and_what_is_long_is_cut() -> None:
    assert printable_line("a\u202eb\x1b\n") == "a\\u202eb\\x1b\\n"
    assert printable_line("x" * LONGEST) == "x" * LONGEST
    assert printable_line("x" * 70_000) == "x" * LONGEST + "… (cut, it has 70000 characters)"
    assert len(printable_line("\U000e0001" * 70_000)) < LONGEST + 100


def many(zones: int, changes: int, **fields: Any) -> Report:
    """A report of zones with changes each."""
    outcomes = []
    for number in range(zones):
        zone = f"zone{number:04}.example"
        sets = tuple(
            ReportedChange(f"h{n}.{zone}.", "A", "create", None, Side(300, ("192.0.2.1",)))
            for n in range(changes)
        )
        outcomes.append(Outcome(zone, "localhost", "Keep it", changes=sets, **fields))
    return Report(outcomes=outcomes, run=Run(is_complete=True))


@pytest.mark.parametrize(
    ("zones", "changes"), [(500, 20), (5000, 1), (1, 20_000), (20_000, 0), (60, 2000)]
)
def test_markdown_fits_a_comment_and_counts_what_it_leaves_out(zones: int, changes: int) -> None:
    report = many(zones, changes, failure=None if changes else Failure("x" * 5000))
    markdown = markdown_of(report)
    assert len(markdown.encode()) <= LARGEST
    shown = len(re.findall("^(?:<details|. Changed|. Failed)", markdown, re.MULTILINE))
    left = sum(
        int(count.replace(",", "")) for count in re.findall(r"space: ([\d,]+) zone", markdown)
    )
    assert shown + left == zones


def test_a_page_shows_some_lines_and_counts_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_report_html, "MOST_LINES_IN_ALL", 1200)
    page = html_of(many(4, 700))
    assert page.count('<span class="in">') == 1200
    assert re.findall(r"and ([\d,]+) more lines?<", page) == ["200", "200", "500", "700"]
    assert "2,800 changes" in page


def test_failures_come_first_then_changes() -> None:
    outcomes = [Outcome("a.example", "h", "t"), Outcome("b.example", "h", "t", changes=(CHANGE,))]
    outcomes += [Outcome("c.example", "h", "t", failure=Failure("no", "rescued"))]
    report = Report(outcomes=outcomes, run=Run(is_complete=True))
    assert re.findall(r'class="name">(\w)', html_of(report)) == ["c", "b", "a"]
    markdown = markdown_of(report)
    assert markdown.startswith(
        "## DNS: **1 failed (1 ignored or rescued)**, 1 changed, 1 unchanged\n"
    )
    assert re.findall(r"<code>(\w)", markdown) == ["c", "b"]
    assert "**Failed, rescued:** `no`" in markdown
    assert [zone["zone"][0] for zone in json.loads(json_of(report))["zones"]] == ["a", "b", "c"]


def test_check_mode_says_would_change() -> None:
    report = Report(
        outcomes=[Outcome("a.example", "h", "t", True, (CHANGE,))], run=Run(is_complete=True)
    )
    assert markdown_of(report).startswith(
        "## DNS: 0 failed, 1 would change, 0 unchanged\n\nCheck mode: nothing was"
    )
    page = html_of(report)
    assert "Check mode: nothing was written" in page
    assert not re.search(r">\s*Changed", page)
    assert json.loads(json_of(report))["zones"][0]["state"] == "would_change"


def test_a_finding_is_in_every_form() -> None:
    found = ReportedFinding(
        "spf-lookups",
        "warning",
        "example.com.",
        "TXT",
        "needs 11 look-ups",
        "RFC 7208, section 4.6.4",
    )
    report = Report(outcomes=[Outcome("example.com", "h", "t", findings=(found,))])
    sentence = "example.com. TXT spf-lookups: needs 11 look-ups (RFC 7208, section 4.6.4)"
    assert sentence in html_of(report)
    assert f"- Finding: `{sentence}`" in markdown_of(report)
    (zone,) = json.loads(json_of(report))["zones"]
    assert (zone["state"], zone["tasks"][0]["findings"]) == ("unchanged", [vars(found)])
    assert view_of(report).counts["findings"] == 1


def test_json_says_what_its_format_is() -> None:
    document = json.loads(
        json_of(Report(outcomes=[Outcome("z.example", "h", "t", failure=Failure(CONDITION))]))
    )
    assert document["format"] == 1
    of_run = (
        "format began ended playbooks complete mode counts zones without_zone untouched unreachable"
    )
    assert (
        " ".join(document)
        == f"{of_run} failed_elsewhere in_background interrupted hidden plays_not_begun"
    )
    of_zones = "zones failed changed would_change not_ours unmanaged unchanged failed_handled failed_without_zone"
    of_changes = (
        "interrupted untouched changes rebuilt unfinished findings service_owned recovered warnings"
    )
    assert " ".join(document["counts"]) == f"{of_zones} {of_changes}"
    of_task = "host task check_mode changes unfinished recovered findings service_owned warnings unmanaged failure"
    assert " ".join(document["zones"][0]["tasks"][0]) == of_task


def test_a_page_has_at_most_100_sentences_of_a_kind_for_a_result() -> None:
    page = html_of(
        Report(
            outcomes=[Outcome("a.example", "h", "t", warnings=tuple(f"w{n}w" for n in range(120)))]
        )
    )
    assert (page.count("Warning:"), "w99w" in page, "w100w" in page, "and 20 more" in page) == (
        100,
        True,
        False,
        True,
    )


def test_a_long_list_in_markdown_is_cut_with_a_count() -> None:
    outcome = Outcome("z.example", "h", "t", warnings=tuple(f"w{number}" for number in range(30)))
    places = [Place(f"h{number}", "t") for number in range(30)]
    markdown = markdown_of(Report(outcomes=[outcome], unreachable=places))
    assert markdown.count("\n- Warning") == _report_markdown.MOST_LISTED
    assert markdown.count("- and 10 more\n") == 2


# Files


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("r.html", "html"),
        ("R.HTM", "html"),
        ("a.b.md", "markdown"),
        ("r.markdown", "markdown"),
        ("/x/r.JSON", "json"),
    ],
)
def test_the_ending_tells_the_form(path: str, form: str) -> None:
    assert getattr(form_of(path), "__name__", "") == f"as_{form}"


@pytest.mark.parametrize("path", ["report", "r.pdf", "r.md~", ".html", ""])
def test_another_ending_is_refused(path: str) -> None:
    assert form_of(path) is None


def test_a_file_is_replaced_as_a_whole_with_the_mode_of_the_umask(tmp_path: pathlib.Path) -> None:
    target, before = tmp_path / "new" / "r.json", os.umask(0o027)
    try:
        write(str(target), "one")
        write(str(target), "two")
    finally:
        os.umask(before)
    assert target.read_text() == "two"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert [file.name for file in target.parent.iterdir()] == ["r.json"]


def test_a_link_is_replaced_and_not_followed(tmp_path: pathlib.Path) -> None:
    (tmp_path / "secret").write_text("mine")
    (tmp_path / "r.md").symlink_to("secret")
    write(str(tmp_path / "r.md"), "report")
    assert (tmp_path / "secret").read_text() == "mine"
    assert (tmp_path / "r.md").read_text() == "report"


def test_what_cannot_be_written_is_told_and_the_others_are_written(tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "r.md").mkdir()
    paths = [str(tmp_path / name) for name in ("file/r.html", "r.md", "r.json")]
    troubles = write_all(view_of(Report()), paths)
    assert [re.sub(r".* to .+/", "", trouble) for trouble in troubles] == [
        "r.html: File exists",
        "r.md: Is a directory",
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "r.json", "r.md"]


# The callback
