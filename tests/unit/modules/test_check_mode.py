# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Check mode: a task tells what it would do, or fails because it would do something, and writes nothing."""

from shorthand import zones

WWW = [{"name": "www", "type": "A", "content": "192.0.2.1"}]
NEW = [{"name": "new", "type": "A", "content": "192.0.2.9"}]


def test_check_mode_can_fail_where_something_would_change(three, run):
    task = {"zones": zones(com=WWW, net=NEW, org=WWW), "unmanaged": "warn", "fail_on_changes": True}
    says = "fail_on_changes is true, and there are differences: "
    result = run("dns_zones", check=True, **task)
    assert result["msg"] == f"{says}zone example.net (create new.example.net. A)."
    assert (result["changed"], result["differs"], result["status_code"]) == (True, True, None)
    assert [item["zone"] for item in result["zones"]] == ["example.net"]
    three.zone("example.edu", [])
    unmanaged = run("dns_zones", check=True, **{**task, "zones": zones(com=WWW, net=WWW, org=WWW)})
    assert unmanaged["msg"] == (
        f"{says}the account has zones that the task does not list (example.edu)."
    )
    assert not [call for call in three.calls() if not call.startswith("GET")]
    done = run("dns_zones", **task)
    assert (done.get("failed", False), done["changed"]) == (False, True)
    assert not run("dns_zones", check=True, **{**task, "unmanaged": "ignore"}).get("failed")


def test_check_mode_of_one_zone_can_fail(zone, run):
    task = {"zone": "example.com", **NEW[0], "fail_on_changes": True}
    result = run("dns_record", check=True, **task)
    assert result["msg"] == (
        "fail_on_changes is true, and there are differences: zone example.com (create new.example.com. A)."
    )
    assert (result["record_set"]["contents"], result["status_code"]) == (["192.0.2.9"], None)
    assert zone.lines() == []
    run("dns_record", **task)
    assert not run("dns_record", check=True, **task).get("failed")


def test_check_mode_fails_where_the_state_could_not_be_saved(zone, run, tmp_path):
    (tmp_path / "file").touch()
    task = {"zone": "example.com", **NEW[0], "state_dir": str(tmp_path / "file" / "state")}
    predicted = run("dns_record", check=True, **task)
    assert "cannot be used: Not a directory: set state_dir" in predicted["msg"]
    assert predicted["msg"] == run("dns_record", **task)["msg"]
    assert {*zone.calls()} <= {"GET"}
