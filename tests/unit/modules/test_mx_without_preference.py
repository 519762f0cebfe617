# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Mail hosts that the service shows without their preference: what was sent last counts, where it is remembered."""

import shutil

import pytest

DELETE = "DELETE example.com. MX"
A, B = "a.example.net.", "b.example.net."


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
    "first, then, writes, holds",
    [
        ([f"10 {A}"], [f"10 {A}"], [], [f"10 {A}"]),
        ([f"10 {A}"], [f"30 {A}"], [DELETE, f"POST @ MX 30 {A}"], [f"30 {A}"]),
        (
            [f"10 {A}", f"20 {B}"],
            [f"20 {A}", f"10 {B}"],
            [DELETE, f"POST @ MX 10 {B}", f"POST @ MX 20 {A}"],
            [f"10 {B}", f"20 {A}"],
        ),
        ([f"10 {A}"], [f"10 {A}", f"20 {B}"], [f"POST @ MX 20 {B}"], [f"10 {A}", f"20 {B}"]),
        ([f"10 {A}", f"20 {B}"], [f"10 {A}"], [DELETE, f"POST @ MX 10 {A}"], [f"10 {A}"]),
    ],
)
def test_a_changed_wish_is_written_and_an_unchanged_one_is_not(
    zone,
    run,
    bare,
    first,
    then,
    writes,
    holds,
):
    run("dns_record", **task(*first, ttl=300))
    bare.clear_log()
    check = run("dns_record", check=True, **task(*then))
    done = run("dns_record", **task(*then))
    fields = ("changed", "diff", "changes", "warnings")
    assert [check.get(field) for field in fields] == [done.get(field) for field in fields]
    assert "warnings" not in done
    assert sorted(call for call in zone.calls() if call != "GET") == writes
    assert held(zone, bare) == [f"@ 300 MX {value}" for value in holds]
    bare.clear_log()
    for again in (True, False):
        result = run("dns_record", check=again, **task(*then))
        assert (result["changed"], result.get("warnings")) == (False, None)
    assert set(zone.calls()) == {"GET"}


MODULES = {
    "dns_record": lambda name, value: {"name": name, "type": "MX", "content": value},
    "dns_records": lambda name, value: {
        "records": [{"name": name, "type": "MX", "content": value}]
    },
}


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("module", MODULES)
def test_what_nobody_remembers_is_told_and_left(zone, run, module, check):
    zone.holds(f"@ 300 MX 10 {A}")
    for _again in range(2):
        result = run(module, zone="example.com", check=check, **MODULES[module]("@", f"30 {A}"))
        assert result["changed"] is False
        (warning,) = result["warnings"]
        assert warning == (
            "the service does not show the preferences of example.com. MX, and no earlier run recorded them: they stay "
            "as they are until another ttl rebuilds the set, and a host is removed whatever its preference"
        )
    assert set(zone.calls()) == {"GET"}


def test_it_is_told_once_of_all_sets(zone, run):
    zone.holds("\n".join(f"n{number:02} 300 MX 10 {A}" for number in range(25)))
    records = [
        {"name": f"n{number:02}", "type": "MX", "content": f"30 {A}"} for number in range(25)
    ]
    (warning,) = run("dns_records", zone="example.com", records=records)["warnings"]
    assert "n00.example.com. MX, n01.example.com. MX, " in warning
    assert " and 5 more, and no earlier" in warning


def test_a_memory_that_was_lost_is_made_anew_with_another_ttl(zone, run, bare, state_dir):
    run("dns_record", **task(f"10 {A}", ttl=300))
    shutil.rmtree(state_dir)
    assert "not show the" in run("dns_record", **task(f"30 {A}"))["warnings"][0]
    assert held(zone, bare) == [f"@ 300 MX 10 {A}"]
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
        (task(f"10 {A}", f"20 {B}", ttl=60), None),
        (task(f"10 {A}", f"25 {B}", ttl=60), None),
        (task(f"10 {A}"), None),
        (task("5 c.example.net.", exclusive=False), None),
        ({"zone": "example.com", "name": "@", "type": "MX", "state": "absent"}, None),
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
    options = task(f"20 {B}", exclusive=False, replaces=["a.*"])
    predicted = run("dns_record", check=True, **options)["changes"]
    assert [change["action"] for change in predicted] == ["rebuild"]
    assert run("dns_record", **options)["changes"] == predicted
    assert held(zone, bare) == [f"@ 300 MX 20 {B}"]


def test_a_refused_change_is_not_remembered(zone, run, bare):
    run("dns_record", **task(f"10 {A}", ttl=300))
    for method in ("DELETE", "POST"):
        bare.fault("status", method=method, status=422)
        failed = run("dns_record", **task(f"30 {A}"))
        assert (failed["failed"], failed["changed"], failed["changes"]) == (True, False, [])
        bare.clear_faults()
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
