# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples with zone files know how one is called whose zone has a slash in its name (RFC 2317)."""

import shutil
from pathlib import Path

from reader import run

TESTS = Path(__file__).resolve().parents[1]

EXAMPLES = TESTS.parent / "docs" / "examples"
ZONE = "0/25.2.0.192.in-addr.arpa"
FILE = "0%2F25.2.0.192.in-addr.arpa.zone"


def play(folder, example, playbook, zone, service):
    """Run a playbook of an example for a reverse zone of half a network, in a folder beside the collection."""
    service.zone(ZONE, [("1", "PTR", 300, ["www.example.com."])], slug="reverse")
    shutil.copytree(EXAMPLES / example, folder, dirs_exist_ok=True)
    done = run(["ansible-playbook", playbook, "--extra-vars", f"{zone}={ZONE}"], folder, service)
    assert done.returncode == 0, done.stdout


def test_such_a_zone_is_exported_to_its_file(tmp_path, service):
    play(tmp_path, "zone_in_git", "export.yml", "dns_zone", service)
    lines = (tmp_path / "zones" / FILE).read_text(encoding="utf-8").splitlines()
    assert "1 IN PTR www.example.com." in [" ".join(line.split()) for line in lines]


def test_such_a_file_is_among_those_that_a_reverse_zone_is_made_of(tmp_path, service):
    (tmp_path / "zones").mkdir()
    (tmp_path / "zones" / FILE).write_text(
        "@ 60 IN TXT x\nwww 300 IN A 192.0.2.7\n", encoding="utf-8"
    )
    play(tmp_path, "reverse_zones", "reverse.yml", "reverse_zone", service)
    assert f"www.{ZONE}." in str(service.records(ZONE))
