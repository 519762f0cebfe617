# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Thirty zones with one mail provider, as docs/guides/one_mail_provider.md has them: one edit changes all, and nothing else."""

import re
import shutil

import reader
from documents import REPOSITORY

EXAMPLE = REPOSITORY / "docs" / "examples" / "one_mail_provider"
ZONES = [f"zone{number:03}.example.com" for number in range(30)]
ONE = "zones/zone001.example.com.zone"


def play(folder, service, arguments):
    done = reader.run(f"ansible-playbook {arguments}", folder, service)
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_one_edit_changes_thirty_zones_at_a_service_with_habits(tmp_path, service):
    shutil.copytree(EXAMPLE, tmp_path, dirs_exist_ok=True)
    for file in (tmp_path / "zones").glob("*.zone"):
        file.unlink()
    for zone in ZONES:
        shutil.copy(EXAMPLE / ONE, tmp_path / "zones" / f"{zone}.zone")
        service.zone(zone)
        service.habits(zone, parses=True, write_status=204, ttl_min=86400)
    snippet = tmp_path / "zones" / "shared" / "mail.inc"
    play(tmp_path, service, "mail.yml")

    snippet.write_text(snippet.read_text(encoding="utf-8").replace("mx2.", "mx3."), "utf-8")
    plan = play(tmp_path, service, "mail.yml --check --diff")
    for sign, host in (("-", "mx2"), ("+", "mx3")):
        lines = re.findall(rf"^\{sign}zone.*MX 20 {host}\.example\.net\.$", plan, re.MULTILINE)
        assert len(lines) == len(ZONES)

    play(tmp_path, service, "dkim.yml")
    assert "changed=0" in play(tmp_path, service, "dkim.yml")
