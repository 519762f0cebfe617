# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two owners on machines of their own: what is whose is known wherever a run is."""

from machines import hold_back, wait_for_fault
from playing import Task


def test_two_owners_on_machines_of_their_own(service, zone, machine, state_url):
    """A run of one is killed in a rebuild; the other, elsewhere, finds what is whose, and takes nothing."""

    def keep(owner, *rows, **options):
        records = [
            {"name": name, "type": "A", "ttl": 300, "content": [value]} for name, value in rows
        ]
        common = {
            "zone": zone,
            "records": records,
            "findings": "off",
            "prune": True,
            "prune_limit": 100,
        }
        return Task("dns_records", {**common, "owner": owner, **options})

    service.zone(zone, [("hand", "A", 300, ["192.0.2.9"])])
    web, mail = machine(state_url), machine(state_url)
    assert web.act(keep("web", ("www", "192.0.2.1"), ("old", "192.0.2.1")))["unowned"] == 1
    assert mail.act(keep("mail", ("www", "192.0.2.2")))["changes"][0]["because"] == "wanted"
    hold_back(service, "POST")
    killed = web.start(keep("web", ("www", "192.0.2.3")))
    wait_for_fault(service)
    killed.kill()
    service.clear_faults()
    again = mail.act(keep("mail", ("www", "192.0.2.2"), on_drift="refuse"))
    assert not again.get("failed"), again
    assert "192.0.2.2" in {
        value for row in service.records(zone) if row["type"] == "A" for value in row["contents"]
    }
    done = machine(state_url).act(keep("web", ("www", "192.0.2.3")))
    assert not done.get("failed"), done
    held = {
        row["name"]: sorted(row["contents"]) for row in service.records(zone) if row["type"] == "A"
    }
    assert held == {f"hand.{zone}.": ["192.0.2.9"], f"www.{zone}.": ["192.0.2.2", "192.0.2.3"]}
    assert not mail.act(keep("mail", ("www", "192.0.2.2")))["changed"]
