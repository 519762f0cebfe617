# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two owners on machines of their own: what is whose is known wherever a run is."""

from held_zones import held_by
from machines import hold_back, wait_for_fault
from playing import Task


def test_two_owners_on_machines_of_their_own(service, zone, machine):
    """A run of one is killed in a rebuild; the other, elsewhere, finds what is whose, and takes nothing."""

    def keep(owner, *rows, **options):
        records = []
        for name, value in rows:
            records.append({"name": name, "type": "A", "ttl": 300, "content": value})
        pruning = {"prune": True, "prune_limit": 100, "findings": "off"}
        task = {"zone": zone, "records": records, "owner": owner, **pruning, **options}
        return Task("dns_records", task)

    service.zone(zone, [("hand", "A", 300, ["192.0.2.9"])])
    web, mail = machine(), machine()
    assert web.act(keep("web", ("www", "192.0.2.1"), ("old", "192.0.2.1")))["unowned"] == 1
    assert mail.act(keep("mail", ("www", "192.0.2.2")))["changes"][0]["because"] == "wanted"
    hold_back(service, "POST")
    killed = web.start(keep("web", ("www", "192.0.2.3")))
    wait_for_fault(service)
    killed.kill()
    service.clear_faults()
    again = mail.act(keep("mail", ("www", "192.0.2.2"), on_drift="refuse"))
    assert not again.get("failed"), again
    assert "192.0.2.2" in held_by(service, zone)["www", "A"][1]
    done = machine().act(keep("web", ("www", "192.0.2.3")))
    assert not done.get("failed"), done
    assert held_by(service, zone) == {
        ("hand", "A"): (300, ("192.0.2.9",)),
        ("www", "A"): (300, ("192.0.2.2", "192.0.2.3")),
    }
    assert not mail.act(keep("mail", ("www", "192.0.2.2")))["changed"]
