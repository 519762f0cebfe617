# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The report: given what Ansible tells of a run, what the report says of its zones, and of all else."""

import os
import re
import stat
from types import SimpleNamespace

import pytest
from reported import (
    FINE,
    HALF,
    REFUSED,
    TOKEN,
    WROTE,
    began,
    document_of,
    ended,
    item,
    said,
    skipped,
    tried,
    unreachable,
    view_after,
)
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.callback.report import form_of, write_all
from ansible_collections.zonesmith.dns.plugins.module_utils._files.file import replace_file

NO = "Zone example.com: no."
FINDING = {"rule": "spf", "severity": "error", "name": "example.com.", "type": "TXT"}
FINDING |= {"message": "two", "source": "RFC"}
OWNED = {"name": "example.com.", "type": "NS", "message": "example.com. NS belongs to the service"}
NOT_OURS = {**OWNED, "live": None, "wanted": {"ttl": None, "contents": ["ns1.evil.example."]}}
LATE = "Zone example.com: the lock was old"
LACK = "the account has 1 zone without a file in zones: old.example"
BY_CONDITION = "The module succeeded, but failed_when or until made the task fail."
CHECK = {"failed": True, "check_mode": True}
DRIFT = {**WROTE, "differs": True, "msg": "not all is", "status_code": None}


def zones(*of_zones, **fields):
    return {"changed": False, "zones": [*of_zones], **fields}


A, B = {**FINE, "zone": "a.example"}, {**FINE, "zone": "b.example"}

# Each: what a task returns, what Ansible says of it, and what the report says.
RESULTS = {
    "nothing to do": (FINE, {}, ["example.com is unchanged"]),
    "a failure names its zone by the option, and says nothing": (
        {},
        {"failed": True, "zone": "a.example"},
        ["a.example is failed, failed: The task failed without saying why."],
    ),
    "a failure names no zone": (
        {"msg": "zone is missing."},
        {"failed": True, "zone": "{{ none }}"},
        ["no zone, failed: zone is missing."],
    ),
    "a message ends where Ansible quotes the playbook": (
        {"msg": f"'x' is undefined\n\nThe offending line appears to be:\n\n token: {TOKEN}"},
        {"failed": True},
        ["example.com is failed, failed: 'x' is undefined"],
    ),
    "a failure that failed_when accepts": (
        REFUSED,
        {},
        [f"example.com is failed, failed (ignored): {NO}"],
    ),
    "fail_on_changes": (DRIFT, CHECK, ["example.com is would_change, 1 changes"]),
    "failed_when says that a change is drift": (
        {**WROTE, "failed_when_result": True},
        CHECK,
        ["example.com is would_change, 1 changes"],
    ),
    "failed_when in a real run": (
        {**WROTE, "failed_when_result": True},
        {"failed": True},
        [f"example.com is failed, 1 changes, failed: {BY_CONDITION}"],
    ),
    "failed_when for another reason": (
        {**FINE, "failed_when_result": True},
        CHECK,
        [f"example.com is failed, failed: {BY_CONDITION}"],
    ),
    "until": (WROTE, CHECK, [f"example.com is failed, 1 changes, failed: {BY_CONDITION}"]),
    "reading": (
        {"zones": [{"name": "example.com"}]},
        {"action": "zonesmith.dns.dns_zone_info"},
        [],
    ),
    "files are written": (
        {"files": [{"zone": "example.com"}], "changed": True},
        {"action": "zonesmith.dns.dns_zone_files"},
        [],
    ),
    "many zones, one of them failed": (
        zones({**WROTE, "zone": "a.example"}, {**HALF, "zone": "b.example"}, msg="1 of 2 failed"),
        {"failed": True},
        [
            "a.example is changed, 1 changes",
            f"b.example is failed, 1 changes, 1 unfinished, failed: {NO}",
        ],
    ),
    "many zones, and a failure of none": (
        zones(A, msg="no", status_code=None),
        {"failed": True},
        ["a.example is unchanged", "no zone, failed: no"],
    ),
    "many zones, two of them not looked at, because another cannot be planned": (
        zones({**REFUSED, "zone": "a.example"}, untouched=["b.example", "c.example"]),
        {"failed": True},
        [f"a.example is failed, failed: {NO}", "b.example is untouched", "c.example is untouched"],
    ),
    "many zones, all unchanged, and one has no file": (
        zones(unchanged=["a.example"], unmanaged=["old.example"], differs=True, msg="no"),
        CHECK,
        ["a.example is unchanged", "old.example is unmanaged, unmanaged"],
    ),
    "a warning is of the zone that it begins with": (
        zones(A, B, warnings=["Zone b.example: late.", "of all"]),
        {},
        [
            "a.example is unchanged",
            "b.example is unchanged, warning: Zone b.example: late.",
            "no zone, warning: of all",
        ],
    ),
    "a warning that is a finding is told once": (
        {**FINE, "findings": [FINDING], "warnings": ["example.com. TXT: two (spf)", LATE]},
        {},
        [f"example.com is unchanged, 1 findings, warning: {LATE}"],
    ),
    "a warning that is a finding of another zone alone is told": (
        zones({**A, "findings": [FINDING]}, B, warnings=["Zone b.example: two"]),
        {},
        [
            "a.example is unchanged, 1 findings",
            "b.example is unchanged, warning: Zone b.example: two",
        ],
    ),
    "a warning that is of the service's own sets is told once": (
        {**FINE, "service_owned": [NOT_OURS], "warnings": [OWNED["message"], LATE]},
        {},
        [f"example.com is not_ours, 1 service_owned, warning: {LATE}"],
    ),
    "a warning of zones without a file": (
        zones(A, warnings=[LACK], unmanaged=["old.example"]),
        {},
        [
            "a.example is unchanged",
            "old.example is unmanaged, unmanaged",
            f"no zone, warning: {LACK}",
        ],
    ),
    "a refusal of zones without a file": (
        zones(msg=f"Nothing was written: {LACK}.", unmanaged=["old.example"], status_code=None),
        {"failed": True, "zone": None},
        ["old.example is unmanaged, unmanaged", f"no zone, failed: Nothing was written: {LACK}."],
    ),
}


@named_rows("result, task, expected", RESULTS)
def test_what_a_result_means(result, task, expected):
    assert said(view_after(ended(result, **task))) == expected


def block(*tasks, parent=None, rescue=("x",)):
    """A block with such tasks."""
    inside = [SimpleNamespace(_uuid=uuid) for uuid in tasks]
    return SimpleNamespace(block=inside, rescue=rescue, _parent=parent, _uuid="b")


# Each: what the failing task stands in, and what became of its failure.
PARENTS = {
    "a block with rescue": (block("1"), " (rescued)"),
    "the rescue itself": (block("other"), ""),
    "a block in one with rescue": (block("1", rescue=(), parent=block("b")), " (rescued)"),
    "an include in one with rescue": (
        SimpleNamespace(_uuid="b", _parent=block("b")),
        " (rescued)",
    ),
}


@named_rows("parent, handled", PARENTS)
def test_a_failure_is_rescued_where_the_playbook_goes_on(parent, handled):
    view = view_after(ended(REFUSED, failed=True, _parent=parent))
    assert said(view) == [f"example.com is failed, failed{handled}: {NO}"]


STATUS = "ansible.builtin.async_status"
OTHERS = {"action": "ansible.builtin.uri"}
IN_BACKGROUND = {"ansible_job_id": "j1", "started": True, "finished": False, "changed": True}
HIDDEN = {"censored": "the output has been hidden", "changed": True}

# Each: the events of a run, and what the report says.
RUNS = {
    "items of a loop count once each, and its end tells what became of their failures": (
        [
            item(WROTE),
            item(REFUSED, failed=True),
            item(WROTE, host="other"),
            ended({"results": [], "msg": "One failed"}, failed=True, ignored=True),
        ],
        [
            "example.com is failed, 1 changes",
            f"example.com is failed, failed (ignored): {NO}",
            "example.com is failed, 1 changes",
        ],
    ),
    "a try that is made again is no failure, and its changes stand": (
        [tried(HALF), tried(FINE), tried({**REFUSED, "untouched": ["x"]}), ended(FINE)],
        ["example.com is changed, 1 changes, 1 unfinished", "example.com is changed"],
    ),
    "one zone has one name": (
        [ended(WROTE), *(ended({}, zone=zone) for zone in ("Example.COM.", " example.com "))],
        ["example.com is changed, 1 changes", *["example.com is changed"] * 2],
    ),
    "a zone is checked, and then changed": (
        [ended(WROTE, check_mode=True), ended(WROTE)],
        ["example.com is changed, 1 changes"] * 2,
    ),
    "a zone is checked, and needs no change": (
        [ended(WROTE, check_mode=True), ended(FINE)],
        ["example.com is would_change, 1 changes", "example.com is would_change"],
    ),
    "a zone is unmanaged by one task alone": (
        [ended(zones(A, unmanaged=["b.example"])), ended(zones(B))],
        ["a.example is unchanged", "b.example is unchanged, unmanaged", "b.example is unchanged"],
    ),
    "results that no_log hides": (
        [
            item(HIDDEN, failed=True),
            ended(HIDDEN, failed=True),
            ended(WROTE, no_log=True, _uuid="2"),
            tried(HIDDEN),
        ],
        ["2 hidden, 1 failed"],
    ),
    "tasks of others, and failures that they handle": (
        [
            ended(WROTE, **OTHERS),
            ended(WROTE, failed=True, ignored=True, **OTHERS),
            ended(WROTE, failed=True, _parent=block("1"), **OTHERS),
        ],
        [],
    ),
    "a failure of others, whose words are theirs": (
        [ended({"msg": TOKEN}, failed=True, **OTHERS)],
        ["failed_elsewhere, Keep it, localhost"],
    ),
    "a task in the background": (
        [
            ended(IN_BACKGROUND),
            ended({**WROTE, "ansible_job_id": "x", "finished": 1}, action=STATUS),
        ],
        ["interrupted, Keep it, localhost"],
    ),
    "a task in the background for which Ansible waits": (
        [ended({**WROTE, "ansible_job_id": "j1", "finished": True})],
        ["example.com is changed, 1 changes"],
    ),
    "an unreachable host": (
        [unreachable({"msg": "no route"})],
        ["example.com is failed, failed: no route", "unreachable, Keep it, localhost, no route"],
    ),
    "a task that the keyword timeout ended": (
        [ended({"msg": "Timed out.", "timedout": {"period": 2}}, failed=True)],
        ["example.com is failed, failed: Timed out.", "interrupted, Keep it, localhost"],
    ),
}


@named_rows("steps, expected", RUNS)
def test_what_a_run_means(steps, expected):
    assert said(view_after(*steps)) == expected


def test_tasks_that_began_and_did_not_end_are_interrupted():
    at = [{"host": host, "_uuid": uuid} for host in ("h1", "h2") for uuid in ("1", "2", "3")]
    steps = [*(began(**task) for task in at), began(**OTHERS, _uuid="4")]
    steps += [ended(FINE, **at[0]), skipped(**at[1]), unreachable({}, **at[3])]
    steps.append(ended(FINE, failed=True, **at[4]))
    left = ["interrupted, Keep it, h1", "interrupted, Keep it, h2"]
    early = "ended early"
    assert said(view_after(*steps, ends=False))[-3:] == [*left, early]
    assert not set(left) & set(said(view_after(*steps)))


def test_what_was_interrupted_says_whether_it_only_checked():
    steps = [began(_uuid=str(is_check), check_mode=is_check) for is_check in (True, False)]
    document = document_of(view_after(*steps, ends=False))
    assert [place["check_mode"] for place in document["interrupted"]] == [True, False]
    assert document["mode"] == "mixed"


def test_a_run_whose_plays_were_not_all_begun_ended_early():
    first = SimpleNamespace(_uuid="0")
    view = view_after(lambda run: run.play(first), plays=3)
    assert said(view) == ["ended early"]
    assert document_of(view)["playbooks"] == ["zones.yml"]
    every = [SimpleNamespace(_uuid=str(number)) for number in range(3)]
    assert said(view_after(lambda run: [*map(run.play, every)], plays=3)) == []


@pytest.mark.parametrize("zone", [None, 7, "a..b"])
def test_a_zone_that_is_none_breaks_nothing(zone):
    (line,) = said(view_after(ended({"msg": "no"}, zone=zone, failed=True)))
    assert line.endswith("failed: no")


# Files


@pytest.mark.parametrize(
    "path, form",
    [
        ("r.html", "as_html"),
        ("R.HTML", "as_html"),
        ("a.b.md", "as_markdown"),
        ("r.markdown", ""),
        ("r.json", "as_json"),
        ("r.md~", ""),
        (".html", ""),
    ],
)
def test_the_ending_tells_the_form(path, form):
    assert getattr(form_of(path), "__name__", "") == form


def test_a_file_is_replaced_as_a_whole_with_the_mode_of_the_umask(tmp_path):
    target, before = tmp_path / "new" / "r.json", os.umask(0o027)
    try:
        replace_file(str(target), b"one")
        replace_file(str(target), b"two")
    finally:
        os.umask(before)
    assert target.read_text() == "two"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert [file.name for file in target.parent.iterdir()] == ["r.json"]


def test_a_link_is_replaced_and_not_followed(tmp_path):
    (tmp_path / "secret").write_text("mine")
    (tmp_path / "r.md").symlink_to("secret")
    replace_file(str(tmp_path / "r.md"), b"report")
    assert (tmp_path / "secret").read_text() == "mine"
    assert (tmp_path / "r.md").read_text() == "report"


def test_what_cannot_be_written_is_told_and_the_others_are_written(tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "r.md").mkdir()
    paths = [str(tmp_path / name) for name in ("file/r.html", "r.md", "r.json")]
    troubles = [re.sub(r".* to .+/", "", trouble) for trouble in write_all(view_after(), paths)]
    assert troubles == ["r.html: File exists", "r.md: Is a directory"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "r.json", "r.md"]
