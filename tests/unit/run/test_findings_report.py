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
def test_what_a_change_brings_is_a_warning(zone, run, check):
    result = run("dns_record", zone="example.com", check=check, **MX)
    finding, *others = result["findings"]
    assert {other["severity"] for other in others} == {"info"}
    assert (finding["severity"], finding["type"]) == ("error", "MX")
    assert result["warnings"] == [
        f"example.com. MX: {finding['message']} ({finding['rule']}, {finding['source']})"
    ]
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
    assert zone.calls() == ["GET"]


@pytest.mark.parametrize(
    "before, task, options",
    [
        ("", [MX, MAIL], {}),
        ("@ 300 MX 10 mail.example.com.", [MAIL | {"name": "www"}], {}),  # was there before
        ("", [MX], {"findings": "off"}),
        ("", [MX], {"findings_ignore": [{"rule": "mx-*"}]}),
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
    gone = {"name": "mail", "type": "A", "state": "absent"}
    result = run("dns_record", zone="example.com", findings="error", **gone)
    assert "example.com. MX: " in result["msg"]


def test_an_error_in_one_of_many_zones_keeps_all_as_they_are(zone, service, run):
    service.zone("example.org", [])
    bad = {"type": "MX", "content": "10 mail.example.org."}
    zones = [{"zone": "example.com", "records": [MAIL]}, {"zone": "example.org", "records": [bad]}]
    result = run("dns_zones", zones=zones, findings="error")
    assert result["msg"].startswith(
        "1 of 2 zones cannot be planned, and nothing was changed. Zone example.org: findings is"
    )
    assert zone.lines() == []
    result = run("dns_zones", zones=zones)
    assert [rules(item) for item in result["zones"]] == [[], ["mx-no-address"]]
    assert result["warnings"][0].startswith("Zone example.org: example.org. MX: ")


def put(monkeypatch, finds):
    """One rule more."""
    broken = Rule("broken", "error", "RFC 1", "It fails.", finds)
    monkeypatch.setattr(f"{findings.__name__}.RULES", (broken, *findings.RULES))


@pytest.mark.parametrize("mode", ["warn", "error"])
def test_a_rule_that_fails_ends_no_task(zone, run, mode, monkeypatch):
    def fails(view):
        raise RecursionError(view.zone)

    put(monkeypatch, fails)
    result = run("dns_records", zone="example.com", records=[MAIL], findings=mode)
    (warning,) = result["warnings"]
    assert warning == (
        "example.com. SOA: the rule broken failed, so its findings are missing: report the bug, with the zone as "
        "dns_zone_info returns it, and ignore broken meanwhile (rule-failed, a bug)"
    )
    assert zone.lines() == ["mail 3600 A 192.0.2.1"]


def test_what_a_rule_could_not_judge_before_is_not_new(run, monkeypatch):
    def fails_without_mail(view):
        if "mail.example.com." not in view.names:
            raise ValueError
        yield Key("example.com.", "MX"), "it may have been there before"

    put(monkeypatch, fails_without_mail)
    result = run("dns_records", zone="example.com", records=[MAIL], findings="error")
    assert ("failed" in result, rules(result)) == (False, ["rule-failed"])


# To the letter


def judged(count, mode="warn"):
    """What a plan brings that makes so many sets, with which something is wrong each."""
    new = [change(f"n{number}", "A", "", "300 192.0.2.1") for number in range(count)]
    return new_findings("example.com.", {}, new, {"findings": mode, "findings_ignore": []})


@pytest.fixture
def severity(monkeypatch):
    """Find something wrong with every address, and nothing else; says how wrong it is."""

    def finds(view):
        yield from ((Key(name, "A"), "it is an address") for name in view.names)

    def set_severity(severity):
        rule = Rule("no-address", severity, "RFC 1", "Nothing has an address.", finds)
        monkeypatch.setattr(f"{findings.__name__}.RULES", (rule,))

    set_severity("error")
    return set_severity


def told_of(number):
    """What is told of one set."""
    return f"n{number}.example.com. A: it is an address (no-address, RFC 1)"


@pytest.mark.usefixtures("severity")
@pytest.mark.parametrize("count, shown, more", [(2, 2, ""), (11, 10, "; and 1 more")])
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
        (10, []),
        (12, ["more warnings of this kind: 2 (see findings in the result)"]),
    ],
)
@pytest.mark.usefixtures("severity")
def test_what_people_are_warned_of(count, more):
    found, warnings = judged(count)
    assert len(found) == count
    assert (warnings[0], [*warnings[10:]]) == (told_of(0), more)


def test_of_what_is_no_matter_nobody_is_told(severity):
    severity("info")
    found, warnings = judged(2, "error")
    assert (len(found), warnings) == (2, [])


def test_all_rules_that_there_are_not_are_named():
    names = ("mx-adress", "mx-no-address", "no\x1b")
    with pytest.raises(InvalidOptions) as caught:
        ignored_findings({"findings_ignore": [{"rule": rule, "name": "*"} for rule in names]})
    named = r"mx-adress (did you mean mx-no-address?), no\x1b"
    assert str(caught.value) == f"findings_ignore names {named}, but there is no such rule"


def test_an_error_is_refused_whatever_an_earlier_run_left(zone, run, store):
    zone.holds("www 300 A 192.0.2.1")
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
