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


@pytest.fixture
def act(run):
    """Runs a task about the mail hosts of the zone, which are these alone unless it says otherwise."""

    def act(*content, exclusive=True, **options):
        mail = {"zone": "example.com", "type": "MX", "content": content, "exclusive": exclusive}
        return run("dns_record", **mail, **options)

    return act


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
def test_a_changed_wish_is_written_and_an_unchanged_one_is_not(act, zone, bare, then, writes):
    act(f"10 {A}", f"20 {B}", ttl=300)
    bare.clear_log()
    check = act(*then, check=True)
    done = act(*then)
    for field in ("changed", "diff", "changes"):
        assert check[field] == done[field]
    assert "warnings" not in done
    assert sorted(call for call in zone.calls() if call != "GET") == writes
    assert held(zone, bare) == sorted(f"@ 300 MX {value}" for value in then)
    bare.clear_log()
    again = act(*then)
    assert (again["changed"], again.get("warnings")) == (False, None)
    assert zone.calls() == ["GET"]


@pytest.mark.parametrize("check", [True, False])
def test_what_nobody_remembers_is_told_and_left(act, zone, check):
    zone.holds(f"@ 300 MX 10 {A}")
    for _again in range(2):
        result = act(f"30 {A}", exclusive=False, check=check)
        assert result["changed"] is False
        (warning,) = result["warnings"]
        assert warning == (
            "the service does not show the preferences of example.com. MX, and no earlier run recorded them: they stay "
            "as they are until another ttl rebuilds the set, and a host is removed whatever its preference"
        )
    assert {*zone.calls()} == {"GET"}


def test_a_memory_that_was_lost_is_made_anew_with_another_ttl(act, zone, bare, state_dir):
    act(f"10 {A}", ttl=300)
    shutil.rmtree(state_dir)
    result = act(f"30 {A}", ttl=600)
    assert (result["changed"], result.get("warnings")) == (True, None)
    assert held(zone, bare) == [f"@ 600 MX 30 {A}"]
    assert act(f"40 {A}")["changed"]
    assert held(zone, bare) == [f"@ 600 MX 40 {A}"]


def test_a_set_that_is_rebuilt_keeps_what_is_remembered(act, zone, bare):
    """A task that names one host need not show the preference of the other."""
    act(f"10 {A}", f"20 {B}", ttl=300)
    assert act(f"10 {A}", ttl=60, exclusive=False)["changed"]
    assert held(zone, bare) == [f"@ 60 MX 10 {A}", f"@ 60 MX 20 {B}"]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(
    "content, options, message",
    [
        (f"10 {A}", {"ttl": 60}, B),
        (f"15 {B}", {"replaces": ["b.*"]}, A),
        (f"10 {A}", {"ttl": 60, "exclusive": True}, None),
        (f"5 {C}", {}, None),
    ],
)
def test_a_preference_that_is_sent_as_it_is_remembered_is_told(
    act, content, options, message, check
):
    """Somebody may have changed it by hand meanwhile, which no reading shows."""
    act(f"10 {A}", f"20 {B}", ttl=300)
    result = act(content, check=check, **{"exclusive": False, **options})
    expected = (
        f"example.com. MX is deleted and created again, which may alter {message}: a preference that the service does "
        "not show is sent as last known, and quotes that other values lack are left out; list the values in the task, or "
        "the set in ignore"
    )
    assert result.get("warnings", []) == ([expected] if message else [])


def test_a_preference_that_is_shown_is_no_remembered_one(act, bare):
    bare.settings(mx_read="full")
    act(f"10 {A}", f"20 {B}", ttl=300)
    done = act(f"10 {A}", ttl=60, exclusive=False)
    assert (done["changed"], done.get("warnings")) == (True, None)


def test_a_glob_meets_what_the_service_shows(act, zone, run, bare):
    """What is remembered changes nothing of what a glob replaces, and of what it guards."""
    act(f"10 {A}", ttl=300)
    records = [{"name": "@", "type": "MX", "content": f"30 {A}"}]
    guard = [{"type": "MX", "value": A}]
    for option in ("protect", "ignore"):
        assert run("dns_records", zone="example.com", records=records, **{option: guard})["failed"]
    done = act(f"20 {B}", exclusive=False, replaces=["a.*"])
    assert [change["action"] for change in done["changes"]] == ["rebuild"]
    assert held(zone, bare) == [f"@ 300 MX 20 {B}"]


@pytest.mark.parametrize("method", ["DELETE", "POST"])
def test_a_refused_change_is_not_remembered(act, zone, bare, method):
    act(f"10 {A}", ttl=300)
    bare.fault("status", method=method, status=422)
    failed = act(f"30 {A}")
    assert (failed["failed"], failed["changed"], failed["changes"]) == (True, False, [])
    assert held(zone, bare) == [f"@ 300 MX 10 {A}"]
    assert not act(f"10 {A}", check=True)["changed"]
    assert act(f"30 {A}", check=True)["changed"]
