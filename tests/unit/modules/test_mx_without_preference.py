# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Mail hosts that the service shows without their preference: what was sent last counts, where it is remembered."""

import shutil

import pytest

DELETE = "DELETE example.com. MX"
A, B, C = "a.example.net.", "b.example.net.", "c.example.net."


@pytest.fixture(autouse=True)
def bare(service):
    """The service, which shows mail hosts alone."""
    service.settings(mx_read="bare")
    return service


def task(*content, **options):
    return {
        "zone": "example.com",
        "type": "MX",
        "content": [*content],
        "exclusive": True,
        **options,
    }


def held(zone, service):
    """What the zone holds, as no task can read it."""
    service.settings(mx_read="full")
    lines = zone.lines()
    service.settings(mx_read="bare")
    return lines


@pytest.mark.parametrize(
    "then, writes",
    [
        ([f"10 {A}", f"20 {B}"], []),
        ([f"20 {A}", f"10 {B}"], [DELETE, f"POST @ MX 10 {B}", f"POST @ MX 20 {A}"]),
        ([f"10 {A}", f"20 {B}", f"30 {C}"], [f"POST @ MX 30 {C}"]),
        ([f"10 {A}"], [DELETE, f"POST @ MX 10 {A}"]),
    ],
)
def test_a_changed_wish_is_written_and_an_unchanged_one_is_not(zone, run, bare, then, writes):
    run("dns_record", **task(f"10 {A}", f"20 {B}", ttl=300))
    bare.clear_log()
    check = run("dns_record", check=True, **task(*then))
    done = run("dns_record", **task(*then))
    for field in ("changed", "diff", "changes"):
        assert check[field] == done[field]
    assert "warnings" not in done
    assert sorted(call for call in zone.calls() if call != "GET") == writes
    assert held(zone, bare) == sorted(f"@ 300 MX {value}" for value in then)
    bare.clear_log()
    again = run("dns_record", **task(*then))
    assert (again["changed"], again.get("warnings")) == (False, None)
    assert zone.calls() == ["GET"]


@pytest.mark.parametrize("check", [True, False])
def test_what_nobody_remembers_is_told_and_left(zone, run, check):
    zone.holds(f"@ 300 MX 10 {A}")
    for _again in range(2):
        result = run("dns_record", check=check, **task(f"30 {A}", exclusive=False))
        assert result["changed"] is False
        (warning,) = result["warnings"]
        assert warning == (
            "the service does not show the preferences of example.com. MX, and no earlier run recorded them: they stay "
            "as they are until another ttl rebuilds the set, and a host is removed whatever its preference"
        )
    assert {*zone.calls()} == {"GET"}


def test_a_memory_that_was_lost_is_made_anew_with_another_ttl(zone, run, bare, state_dir):
    run("dns_record", **task(f"10 {A}", ttl=300))
    shutil.rmtree(state_dir)
    result = run("dns_record", **task(f"30 {A}", ttl=600))
    assert (result["changed"], result.get("warnings")) == (True, None)
    assert held(zone, bare) == [f"@ 600 MX 30 {A}"]
    assert run("dns_record", **task(f"40 {A}"))["changed"]
    assert held(zone, bare) == [f"@ 600 MX 40 {A}"]


def test_a_set_that_is_rebuilt_keeps_what_is_remembered(zone, run, bare):
    """A task that names one host need not show the preference of the other."""
    run("dns_record", **task(f"10 {A}", f"20 {B}", ttl=300))
    assert run("dns_record", **task(f"10 {A}", ttl=60, exclusive=False))["changed"]
    assert held(zone, bare) == [f"@ 60 MX 10 {A}", f"@ 60 MX 20 {B}"]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(
    "options, message",
    [
        (task(f"10 {A}", ttl=60, exclusive=False), B),
        (task(f"15 {B}", exclusive=False, replaces=["b.*"]), A),
        (task(f"10 {A}", f"25 {B}", ttl=60), None),
        (task(f"5 {C}", exclusive=False), None),
    ],
)
def test_a_preference_that_is_sent_as_it_is_remembered_is_told(run, options, message, check):
    """Somebody may have changed it by hand meanwhile, which no reading shows."""
    run("dns_record", **task(f"10 {A}", f"20 {B}", ttl=300))
    result = run("dns_record", check=check, **options)
    expected = (
        f"example.com. MX is deleted and created again, which may alter {message}: a preference that the service does "
        "not show is sent as last known, quotes that other values lack are left out, and strings are joined; list the "
        "values in the task, or the set in ignore"
    )
    assert result.get("warnings", []) == ([expected] if message else [])


def test_a_preference_that_is_shown_is_no_remembered_one(run, bare):
    bare.settings(mx_read="full")
    run("dns_record", **task(f"10 {A}", f"20 {B}", ttl=300))
    done = run("dns_record", **task(f"10 {A}", ttl=60, exclusive=False))
    assert (done["changed"], done.get("warnings")) == (True, None)


def test_a_glob_meets_what_the_service_shows(zone, run, bare):
    """What is remembered changes nothing of what a glob replaces, and of what it guards."""
    run("dns_record", **task(f"10 {A}", ttl=300))
    records = [{"name": "@", "type": "MX", "content": f"30 {A}"}]
    guard = [{"type": "MX", "value": A}]
    for option in ("protect", "ignore"):
        assert run("dns_records", zone="example.com", records=records, **{option: guard})["failed"]
    done = run("dns_record", **task(f"20 {B}", exclusive=False, replaces=["a.*"]))
    assert [change["action"] for change in done["changes"]] == ["rebuild"]
    assert held(zone, bare) == [f"@ 300 MX 20 {B}"]


@pytest.mark.parametrize("method", ["DELETE", "POST"])
def test_a_refused_change_is_not_remembered(zone, run, bare, method):
    run("dns_record", **task(f"10 {A}", ttl=300))
    bare.fault("status", method=method, status=422)
    failed = run("dns_record", **task(f"30 {A}"))
    assert (failed["failed"], failed["changed"], failed["changes"]) == (True, False, [])
    assert held(zone, bare) == [f"@ 300 MX 10 {A}"]
    assert not run("dns_record", check=True, **task(f"10 {A}"))["changed"]
    assert run("dns_record", check=True, **task(f"30 {A}"))["changed"]


@pytest.mark.parametrize("forgets", ["before", "after", "between"])
def test_a_reviewed_plan_agrees_where_the_memory_is_lost(run, tmp_path, state_dir, forgets):
    run("dns_record", **task(f"10 {A}", ttl=300))
    records = [{"name": "@", "type": "MX", "content": [f"10 {A}", f"20 {B}"]}]
    options = {"zone": "example.com", "records": records, "plan_dir": str(tmp_path / "plans")}
    for stage in ("before", "between", "after"):
        if forgets == stage:
            shutil.rmtree(state_dir)
        result = run("dns_records", check=stage == "before", **options)
        assert not result.get("failed"), (stage, result)
