# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`wait` ends when every name server answers with the change, and not before: tried with a secondary that lags."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from powerdns import PowerDNS

ZONE = "lagging.example"
LAG = 3  # seconds


@pytest.fixture(scope="module")
def secondary(powerdns, service):
    """A name server that has the zone as it was before the tests."""
    service.zone(ZONE, [("old", "TXT", 300, ["old"])])
    with PowerDNS() as server:
        server.follow(powerdns, ZONE)
        yield server


DELEGATED = [
    {"name": "new", "type": "NS", "content": f"ns1.new.{ZONE}."},
    {"name": "ns1.new", "type": "A", "content": "192.0.2.54"},
    {"name": "x.new", "type": "TXT", "content": "hidden below the delegation"},
]
CASES = {
    "one more value": ("dns_record", {"name": "old", "type": "TXT", "content": "new"}),
    "removal": ("dns_record", {"name": "old", "type": "TXT", "state": "absent"}),
    "a delegation and what is below it": ("dns_records", {"records": DELEGATED}),
}


@pytest.mark.parametrize("module, options", CASES.values(), ids=CASES)
def test_it_ends_when_the_secondary_has_it(module, options, ansible, powerdns, secondary):
    before = powerdns.serial(ZONE)
    servers = [powerdns.name_server, secondary.name_server]
    wait = {"wait": True, "wait_timeout": 100, "wait_nameservers": servers}
    task = {f"zonesmith.dns.{module}": {"zone": ZONE, **wait, **options}}
    with ThreadPoolExecutor(1) as other:
        playing = other.submit(ansible.tasks, task)
        while powerdns.serial(ZONE) == before and not playing.done():
            time.sleep(0.1)
        time.sleep(LAG)
        assert not playing.done()
        secondary.catch_up(powerdns, ZONE)
        (result,) = playing.result()
    assert (result.get("msg"), result["changed"]) == (None, True)
