# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples with zone files know how one is called whose zone has a slash in its name (RFC 2317)."""

import json
import shlex

from reader import Folder

ZONE = "0/25.2.0.192.in-addr.arpa"
FILE = "zones/0%2F25.2.0.192.in-addr.arpa.zone"


def test_such_a_zone_is_exported_to_its_file_and_a_reverse_zone_made_of_that(tmp_path, service):
    service.zone(ZONE, [("1", "A", 300, ["192.0.2.7"])], slug="reverse")
    variables = shlex.quote(json.dumps({"dns_zone": ZONE, "reverse_zone": ZONE}))
    folder = Folder(tmp_path, "zone_in_git", service)
    folder.play(f"export.yml --extra-vars {variables}")
    assert "1 IN A 192.0.2.7" in [" ".join(line.split()) for line in folder.read(FILE).splitlines()]
    folder = Folder(tmp_path, "reverse_zones", service)
    folder.play(f"reverse.yml --extra-vars {variables}")
    assert [f"1.{ZONE}."] in [row["contents"] for row in service.records(ZONE)]
