# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The options findings and findings_ignore: what a change brings is told, or refused, and what was there is not."""

import pytest
from shorthand import change, left_behind

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._findings import findings
from ansible_collections.zonesmith.dns.plugins.module_utils._findings.rule import Rule
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._run.findings_report import (
    ignored_findings,
    new_findings,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import InvalidOptions

MX = {"type": "MX", "content": "10 mail.example.com."}
MAIL = {"name": "mail", "type": "A", "content": "192.0.2.1"}


def rules(result):
    """The rules of the findings in a result that people are told of."""
    return [finding["rule"] for finding in result["findings"] if finding["severity"] != "info"]


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize("module", ["dns_record", "dns_records"])
def test_what_a_change_brings_is_a_warning(zone, run, module, check):
    task = MX if module == "dns_record" else {"records": [MX]}
    result = run(module, zone="example.com", check=check, **task)
    finding, *others = result["findings"]
    assert {other["severity"] for other in others} == {"info"}
    assert (finding["severity"], finding["name"], finding["type"]) == (
        "error",
        "example.com.",
        "MX",
    )
    assert finding["source"]
    (warning,) = result["warnings"]
    assert (
        warning == f"example.com. MX: {finding['message']} ({finding['rule']}, {finding['source']})"
    )
    assert bool(zone.lines()) is not check


@pytest.mark.parametrize("check", [False, True])
def test_an_error_is_refused_before_any_write(zone, run, check):
    result = run(
        "dns_records",
        zone="example.com",
        records=[MX, MAIL | {"name": "www"}],
        findings="error",
        check=check,
    )
    assert result["failed"]
    assert result["msg"].startswith(
        "Zone example.com: findings is error, and the change would bring errors into the zone: example.com. MX: "
    )
    assert zone.lines() == []
    assert zone.calls() == ["GET"]


@pytest.mark.parametrize(
    "before, task, options",
    [
        ("", [MX, MAIL], {}),
        ("@ 300 MX 10 mail.example.com.", [MAIL | {"name": "www"}], {}),  # was there before
        ("@ 300 MX 10 mail.example.com.", [MX], {}),  # changes nothing
        ("", [MX], {"findings": "off"}),
        ("", [MX], {"findings_ignore": [{"rule": "mx-*"}]}),
        ("", [MX], {"findings_ignore": [{"name": "Example.com."}]}),
    ],
)
def test_nothing_is_told(zone, run, before, task, options):
    if before:
        zone.holds(before)
    result = run(
        "dns_records", zone="example.com", records=task, **{"findings": "error", **options}
    )
    assert not result.get("failed"), result
    assert rules(result) == []
    assert "warnings" not in result


def test_what_is_removed_counts_too(zone, run):
    zone.holds("@ 300 MX 10 mail.example.com.\nmail 300 A 192.0.2.1")
    result = run(
        "dns_record", zone="example.com", name="mail", type="A", state="absent", findings="error"
    )
    assert "example.com. MX: " in result["msg"]
    assert zone.lines() == ["@ 300 MX 10 mail.example.com.", "mail 300 A 192.0.2.1"]


def test_an_error_in_one_of_many_zones_keeps_all_as_they_are(zone, service, run):
    service.zone("example.org", [])
    listed = [{"zone": "example.com", "records": [MAIL]}, {"zone": "example.org", "records": [MX]}]
    result = run("dns_zones", zones=listed)
    assert [rules(item) for item in result["zones"]] == [[], []]  # the host is in the other zone
    listed[1]["records"] = [{"type": "MX", "content": "10 mail.example.org."}]
    result = run(
        "dns_zones",
        zones=[{**listed[0], "records": [MAIL | {"name": "new"}]}, listed[1]],
        findings="error",
    )
    assert result["msg"].startswith(
        "1 of 2 zones cannot be planned, and nothing was changed. Zone example.org: findings is"
    )
    assert zone.lines() == ["mail 3600 A 192.0.2.1"]
    result = run("dns_zones", zones=listed)
    assert rules(result["zones"][1]) == ["mx-no-address"]
    assert result["warnings"][0].startswith("Zone example.org: example.org. MX: ")


@pytest.mark.parametrize("mode", ["warn", "error"])
def test_a_rule_that_fails_ends_no_task(zone, run, mode, monkeypatch):
    def fails(view):
        raise RecursionError(view.zone)

    broken = Rule("broken", "error", "RFC 1", "It fails.", fails)
    monkeypatch.setattr(f"{findings.__name__}.RULES", (broken, *findings.RULES))
    result = run("dns_records", zone="example.com", records=[MAIL], findings=mode)
    assert not result.get("failed")
    (warning,) = result["warnings"]
    assert warning == (
        "example.com. SOA: the rule broken failed, so its findings are missing: report the bug, with the zone as "
        "dns_zone_info returns it, and ignore broken meanwhile (rule-failed, a bug)"
    )
    assert zone.lines() == ["mail 3600 A 192.0.2.1"]
    options = {"findings": mode, "findings_ignore": [{"rule": "broken"}]}
    assert "warnings" not in run(
        "dns_record", zone="example.com", name="www", type="A", content="192.0.2.1", **options
    )


def test_what_a_rule_could_not_judge_before_is_not_new(run, monkeypatch):
    def fails_without_mail(view):
        if "mail.example.com." not in view.names:
            raise ValueError
        yield Key("example.com.", "MX"), "it may have been there before"

    broken = Rule("broken", "error", "RFC 1", "It fails.", fails_without_mail)
    monkeypatch.setattr(f"{findings.__name__}.RULES", (broken, *findings.RULES))
    result = run("dns_records", zone="example.com", records=[MAIL], findings="error")
    assert (result.get("failed"), rules(result), len(result["warnings"])) == (
        None,
        ["rule-failed"],
        1,
    )


# To the letter


def judged(count, mode="warn"):
    """What a plan brings that makes so many sets, with which something is wrong each."""
    new = [change(f"n{number}", "A", "", "300 192.0.2.1") for number in range(count)]
    return new_findings("example.com.", {}, new, {"findings": mode, "findings_ignore": []})


@pytest.fixture
def _one_rule(request, monkeypatch):
    """Find something wrong with every address, and nothing else."""

    def finds(view):
        yield from ((Key(name, "A"), "it is an address") for name in view.names)

    rule = Rule(
        "no-address", getattr(request, "param", "error"), "RFC 1", "Nothing has an address.", finds
    )
    monkeypatch.setattr(f"{findings.__name__}.RULES", (rule,))


def told_of(number):
    """What is told of one set."""
    return f"n{number}.example.com. A: it is an address (no-address, RFC 1)"


@pytest.mark.usefixtures("_one_rule")
@pytest.mark.parametrize(
    "count, shown, more", [(1, 1, ""), (2, 2, ""), (10, 10, ""), (11, 10, "; and 1 more")]
)
def test_what_is_said_where_errors_are_refused(count, shown, more):
    with pytest.raises(PlanRefused) as refused:
        judged(count, "error")
    numbers = sorted(range(count), key=str)[:shown]
    message = "; ".join(map(told_of, numbers))
    assert str(refused.value) == (
        f"findings is error, and the change would bring errors into the zone: {message}{more}; fix them, list them in "
        "findings_ignore, or set findings to warn"
    )


@pytest.mark.parametrize(
    "count, more",
    [
        (1, []),
        (10, []),
        (11, ["there is 1 more finding in example.com, see findings in the result"]),
        (12, ["there are 2 more findings in example.com, see findings in the result"]),
    ],
)
@pytest.mark.usefixtures("_one_rule")
@pytest.mark.parametrize("_one_rule", ["error", "warning"], indirect=True)
def test_what_people_are_warned_of(count, more):
    found, warnings = judged(count)
    assert len(found) == count
    assert [*warnings[min(count, 10) :]] == more
    assert warnings[0] == told_of(0)


@pytest.mark.usefixtures("_one_rule")
@pytest.mark.parametrize("_one_rule", ["info"], indirect=True)
def test_of_what_is_no_matter_nobody_is_told():
    found, warnings = judged(2, "error")
    assert (warnings, [one["severity"] for one in found]) == ([], ["info", "info"])


def test_all_rules_that_there_are_not_are_named():
    with pytest.raises(InvalidOptions) as caught:
        ignored_findings(
            {
                "findings_ignore": [
                    {"rule": r, "name": "*"} for r in ("mx-adress", "mx-no-address", "no\x1b")
                ]
            }
        )
    named = r"mx-adress (did you mean mx-no-address?), no\x1b"
    assert str(caught.value) == f"findings_ignore names {named}, but there is no such rule"


@pytest.mark.parametrize("is_left", [False, True], ids=["nothing", "a set"])
def test_an_error_is_refused_whatever_an_earlier_run_left(zone, run, store, is_left):
    zone.holds("www 300 A 192.0.2.1")
    if is_left:
        left_behind(store, Key("www.example.com.", "A"), "300 192.0.2.1", "60 192.0.2.1")
    result = run("dns_records", zone="example.com", records=[MX], findings="error")
    assert "the change would bring errors into the zone" in result.get("msg", "")
    assert zone.lines() == ["www 300 A 192.0.2.1"]


# What is found where a task fails after it has written

TOLD = "example.com. MX: "
REFUSED = {"name": "x", "type": "A", "content": "192.0.2.4"}


def test_what_the_plan_brings_is_told_though_the_task_fails(zone, run, service):
    service.habits("example.com", refused=["A 192.0.2.4"])
    zone.holds("www 300 A 192.0.2.1")
    result = run("dns_records", zone="example.com", records=[MX, REFUSED])
    assert ": cannot add 192.0.2." in result["msg"]
    assert [change["type"] for change in result["changes"]] == ["MX"]
    assert "mx-no-address" in rules(result)
    assert any(warning.startswith(TOLD) for warning in result["warnings"])


def test_what_was_made_is_judged_with_what_the_zone_holds(zone, run, service):
    zone.holds("mail 300 A 192.0.2.1")
    service.habits("example.com", refused=["A 192.0.2.4"])
    result = run("dns_records", zone="example.com", records=[MX, REFUSED])
    assert ([change["type"] for change in result["changes"]], rules(result)) == (["MX"], [])
