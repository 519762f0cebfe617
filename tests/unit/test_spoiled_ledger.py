# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What people do to the folder of the ledger, and what two owners of a zone have afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from running import Service

from ansible_collections.zonesmith.dns.plugins.module_utils._state.files import FileStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError

OF_MAIL = {"zone": "example.com", "name": "mx", "type": "A", "content": ["192.0.2.25"], "owner": "mail"}
OLD = {"name": "old", "type": "A", "content": ["192.0.2.7"]}
WWW = {"name": "www", "type": "A", "content": ["192.0.2.1"]}
TAKES_FROM_MAIL = {"zone": "example.com", "name": "mx", "type": "A", "state": "absent", "owner": "web"}


@pytest.fixture
def ledger(zone: Any, run: Run, state_dir: Path) -> Path:
    """The ledger of a zone in which mail has one set, and web two."""
    zone.holds("")
    for task in (OF_MAIL, {**OF_MAIL, **OLD, "owner": "web"}, {**OF_MAIL, **WWW, "owner": "web"}):
        assert not run("dns_record", **task).get("failed")
    (path,) = state_dir.glob("*.owners")
    return path


def test_who_loses_the_lock_loses_no_ledger(ledger: Path, run: Run) -> None:
    ledger.with_suffix(".lock").unlink()
    result = run("dns_records", zone="example.com", records=[WWW], owner="web", prune=True, prune_limit=100)
    assert [(change["name"], change["action"]) for change in result["changes"]] == [("old.example.com.", "delete")]
    assert "is of mail" in run("dns_record", **TAKES_FROM_MAIL)["msg"]


def test_a_ledger_that_cannot_be_read_is_no_empty_one(ledger: Path, zone: Any, run: Run) -> None:
    kept = ledger.read_bytes()
    ledger.chmod(0o664)
    held = zone.lines()
    result = run("dns_record", **TAKES_FROM_MAIL)
    assert f"the ledger {ledger}" in result["msg"]
    assert zone.lines() == held
    assert ledger.read_bytes() == kept


def test_the_memory_is_read_beside_a_ledger_that_cannot_be(ledger: Path, state_dir: Path, service: Service) -> None:
    ledger.chmod(0o664)
    store = FileStore(str(state_dir), service.url, "example.com.")
    with pytest.raises(StateError, match="the ledger"):
        store.look(with_ledger=True)
    assert store.look().written


def test_a_ledger_that_is_put_back_while_a_run_waits_for_the_lock_counts(
    ledger: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, look = ledger.read_bytes(), FileStore.look
    ledger.unlink()

    def and_put_back(store: FileStore, *, with_ledger: bool = False) -> Any:
        found = look(store, with_ledger=with_ledger)
        ledger.write_bytes(kept)
        ledger.chmod(0o600)
        return found

    monkeypatch.setattr(FileStore, "look", and_put_back)
    run("dns_record", **{**OF_MAIL, "name": "new", "owner": "web"})
    monkeypatch.undo()
    assert "is of mail" in run("dns_record", **TAKES_FROM_MAIL)["msg"]


def test_in_a_folder_that_cannot_be_used_nobody_is_told_that_nothing_is_anybodys(
    ledger: Path, run: Run, state_dir: Path
) -> None:
    state_dir.chmod(0o777)
    tasks = {"dns_record": {**OF_MAIL, "check": True}, "dns_zone_info": {"zone": "example.com", "owners": True}}
    for module, task in tasks.items():
        result = run(module, **{**task, "state_dir": str(state_dir)})
        assert result.get("msg", "").removeprefix("Zone example.com: ") == (
            f"state_dir {ledger.parent} belongs to another user or can be written by others: make it your own with "
            "mode 0700, or set state_dir to another folder."
        ), module
