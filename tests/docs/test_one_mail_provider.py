# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Zones with one mail provider, as docs/guides/one_mail_provider.md has them: one edit changes all, and nothing else."""

import re

from reader import Folder

ZONES = [f"zone{number:03}.example.com" for number in range(8)]


def test_one_edit_changes_all_zones_at_a_service_with_habits(tmp_path, service):
    mail = Folder(tmp_path, "one_mail_provider", service)
    zone_file = mail.read("zones/zone001.example.com.zone")
    for file in (tmp_path / "zones").glob("*.zone"):
        file.unlink()
    for zone in ZONES:
        mail.write(f"zones/{zone}.zone", zone_file)
        service.zone(zone)
        service.habits(zone, parses=True, write_status=204)
    mail.play("mail.yml")

    mail.edit("zones/shared/mail.inc", "mx2.", "mx3.")
    plan = mail.play("mail.yml --check --diff")
    for sign, host in (("-", "mx2"), ("+", "mx3")):
        lines = re.findall(rf"^\{sign}zone.*MX 20 {host}\.example\.net\.$", plan, re.MULTILINE)
        assert len(lines) == len(ZONES)

    mail.play("dkim.yml")
    assert "changed=0" in mail.play("dkim.yml")
