# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A zone whose saved state was damaged: nothing goes that a task does not name, until somebody looked."""

from pathlib import Path

import pytest
from shorthand import named_rows

ZONE = {"zone": "example.com"}
WWW = {"name": "www", "type": "A", "content": "192.0.2.1"}
NEW = {"name": "new", "type": "A", "content": "192.0.2.9"}
PRUNE = {**ZONE, "prune": True, "prune_limit": 100}
HELD = ["a 300 A 192.0.2.5", "www 300 A 192.0.2.1", "www 300 A 192.0.2.2"]


@pytest.fixture
def damaged(zone, run, store):
    """The document of a zone in which an owner has a set, cut in the middle."""
    zone.holds("\n".join(HELD))
    mine = {"name": "a", "type": "A", "content": "192.0.2.5"}
    assert not run("dns_records", **ZONE, owner="web", records=[mine]).get("failed")
    file = Path(store.place)
    file.write_bytes(file.read_bytes()[:-20])
    return file


TASKS = {
    # the task -> what it does while nobody has looked, and what it does afterwards
    "prune": ("dns_records", {**PRUNE, "records": [WWW, NEW]}, ["new 3600 A 192.0.2.9"], []),
    "an exact set": (
        "dns_record",
        {**ZONE, **WWW, "content": "192.0.2.3", "exclusive": True},
        ["www 300 A 192.0.2.3"],
        [],
    ),
    "what it names": (
        "dns_record",
        {**ZONE, **WWW, "state": "absent"},
        [],
        ["www 300 A 192.0.2.1"],
    ),
}


@named_rows("module, options, added, removed", TASKS)
def test_what_a_task_may_remove_until_somebody_has_looked(
    zone,
    run,
    damaged,
    module,
    options,
    added,
    removed,
):
    expected = sorted({*HELD, *added} - {*removed})
    assert run(module, check=True, **options)["changed"] is True
    for _again in range(2):
        result = run(module, **options)
        assert zone.lines() == expected, result
        assert "is a damaged state of the zone that nobody has looked at" in str(result["warnings"])
    aside = damaged.with_suffix(".aside")
    assert str(aside) in str(result["warnings"])
    assert "so nothing is removed that the task does not name: " in str(result["warnings"])


def test_a_task_removes_again_what_it_does_not_list_once_somebody_has_looked(zone, run, damaged):
    task = {**PRUNE, "records": [WWW, NEW]}
    run("dns_records", **task)
    damaged.with_suffix(".aside").unlink()
    result = run("dns_records", **task)
    assert "nobody has looked" not in str(result.get("warnings"))
    assert zone.lines() == ["new 3600 A 192.0.2.9", "www 300 A 192.0.2.1"]


def test_a_reviewed_plan_may_have_been_carried_out(zone, run, damaged, tmp_path):
    task = {**ZONE, "records": [NEW], "plan_dir": str(tmp_path / "plans")}
    assert run("dns_records", check=True, **task)["changed"] is True
    result = run("dns_records", **task)
    assert "whether the reviewed plan" in result["msg"]
    assert "was carried out before is not known" in result["msg"]
    assert zone.lines() == HELD
    damaged.unlink()  # and with it all that nobody has looked at
    assert run("dns_records", **task)["changed"] is True
