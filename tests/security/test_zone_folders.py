# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Folders of zone files that somebody else may write to: nothing outside is read for them, and nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.parsing.dataloader import DataLoader
from playing import play
from running import Service

from ansible_collections.zonesmith.dns.plugins.plugin_utils._files import zone_files

pytestmark = pytest.mark.any_core

SECRET = "a-secret-beside-the-folder"
WAYS_OUT = {
    "a part that is a link": {"a.zone": "->../../secret"},
    "a part that is an absolute link": {"a.zone": "->{secret}"},
    "a part behind a linked folder": {"a.zone": "->inside/secret", "inside": "->../.."},
    "a path with dots": {"a.zone": "$INCLUDE ../../secret\n"},
    "an absolute path": {"a.zone": "$INCLUDE {secret}\n"},
    "a path in quotes, with dots in the middle": {"a.zone": '$INCLUDE "inside/../../../secret"\n', "inside/x": ""},
    "a link that is included": {"a.zone": "$INCLUDE x\n", "x": "->../../secret"},
    "a linked folder on the way": {"a.zone": "$INCLUDE inside/secret\n", "inside": "->../.."},
    "a hidden link": {"a.zone": "$INCLUDE .x\n", ".x": "->../../secret"},
}


def put(folder: Path, files: dict[str, str], secret: Path) -> None:
    """Write files; what begins with -> is a link to what follows."""
    for name, text in files.items():
        path, text = folder / name, text.replace("{secret}", str(secret))
        path.parent.mkdir(parents=True, exist_ok=True)
        if text.startswith("->"):
            path.symlink_to(text[2:])
        else:
            path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("files", WAYS_OUT.values(), ids=WAYS_OUT)
def test_nothing_outside_is_read_for_a_part(files: dict[str, str], tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text(SECRET, encoding="utf-8")
    put(tmp_path / "zones" / "example.com.zone", files, secret)
    (tmp_path / "zones" / "linked.zone").symlink_to(tmp_path)
    (tmp_path / "a.zone").write_text(SECRET, encoding="utf-8")
    for of_account, src in ((True, "zones"), (False, "zones/example.com.zone")):
        found = zone_files({"src": src}, lambda name: str(tmp_path / name), DataLoader(), of_account=of_account)
        assert "zones/example.com.zone" in found
        assert SECRET not in str(found)


@pytest.mark.parametrize("place", ["zones/example.com.zone", "zones/example.com.zone/a.zone"])
def test_nothing_is_written_through_a_link(place: str, tmp_path: Path) -> None:
    """Nor into what somebody put where the file is made before it is renamed: nobody can know that name."""
    precious, link = tmp_path / "precious", tmp_path / place
    precious.write_text("precious", encoding="utf-8")
    link.parent.mkdir(parents=True)
    link.symlink_to(precious)
    plays = [{"hosts": "all", "gather_facts": False, "tasks": []}]
    for update in (True, False):
        task = {"zonesmith.dns.dns_zone_files": {"dest": str(tmp_path / "zones"), "update": update}}
        plays[0]["tasks"] = [{**task, "ignore_errors": True}]
        with Service(zones=["example.com"]) as service:
            play(plays, {"all": {"hosts": {"one": {}}}}, service.environment(tmp_path / "state"))
    assert precious.read_text(encoding="utf-8") == "precious"
    assert link.is_symlink()
