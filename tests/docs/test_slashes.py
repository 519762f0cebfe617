# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples with zone files know how one is called whose zone has a slash in its name (RFC 2317)."""

import json
import shutil
from pathlib import Path

from reader import run

TESTS = Path(__file__).resolve().parents[1]

EXAMPLES = TESTS.parent / "docs" / "examples"
ZONE = "0/25.2.0.192.in-addr.arpa"
FILE = "0%2F25.2.0.192.in-addr.arpa.zone"


def test_such_a_zone_is_exported_to_its_file_and_a_reverse_zone_made_of_that(tmp_path, service):
    service.zone(ZONE, [("1", "A", 300, ["192.0.2.7"])], slug="reverse")
    for example in ("zone_in_git", "reverse_zones"):
        shutil.copytree(EXAMPLES / example, tmp_path, dirs_exist_ok=True)
    variables = json.dumps({"dns_zone": ZONE, "reverse_zone": ZONE})
    done = run(["ansible-playbook", "export.yml", "--extra-vars", variables], tmp_path, service)
    assert done.returncode == 0, done.stdout
    lines = (tmp_path / "zones" / FILE).read_text(encoding="utf-8").splitlines()
    assert "1 IN A 192.0.2.7" in [" ".join(line.split()) for line in lines]
    done = run(["ansible-playbook", "reverse.yml", "--extra-vars", variables], tmp_path, service)
    assert done.returncode == 0, done.stdout
    assert [f"1.{ZONE}."] in [row["contents"] for row in service.records(ZONE)]
