# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What docs/guides/your_service.md says of a PowerDNS, by the playbook that it shows."""

from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "check_service.yml"
ZONE = "checked.example"


def test_the_guide_says_what_powerdns_does(ansible, powerdns):
    powerdns.make_zone(ZONE)
    powerdns.write(ZONE, f"www.{ZONE}", "A", 300, ["192.0.2.1"])
    played = ansible.run(EXAMPLE, {"dns_zone": ZONE})
    assert played.code == 0, played.output
    assert '"txt_format": "quoted"' in played.output
    assert "nobody has seen" not in played.output
    assert powerdns.ask(f"www.{ZONE}", "A").answer
    (found,) = ansible.tasks({"zonesmith.dns.dns_zone_info": {"zone": ZONE}})
    types = [record["type"] for record in found["zones"][0]["records"]]
    assert sorted(types) == ["A", "NS", "SOA"]
