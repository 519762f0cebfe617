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


def waiting(module, powerdns, secondary, timeout, **options):
    """A task that waits."""
    servers = [powerdns.name_server, secondary.name_server]
    wait = {"wait": True, "wait_timeout": timeout, "wait_nameservers": servers}
    return {f"zonesmith.dns.{module}": {"zone": ZONE, **wait, **options}}


DELEGATED = [
    {"name": "new", "type": "NS", "content": f"ns1.new.{ZONE}."},
    {"name": "ns1.new", "type": "A", "content": "192.0.2.54"},
    {"name": "x.new", "type": "TXT", "content": "hidden below the delegation"},
]
MANY = [f"many{n}" for n in range(5)]
CASES = {
    "dns_record": ("dns_record", {"name": "old", "type": "TXT", "content": "new"}, ["old"]),
    "removal": ("dns_record", {"name": "old", "type": "TXT", "state": "absent"}, ["old"]),
    "a delegation and what is below it": ("dns_records", {"records": DELEGATED}, []),
    "dns_records": (
        "dns_records",
        {"records": [{"name": n, "type": "TXT", "content": "x y"} for n in MANY]},
        MANY,
    ),
}


@pytest.mark.parametrize("module, options, names", CASES.values(), ids=CASES)
def test_it_ends_when_the_secondary_has_it(
    module,
    options,
    names,
    ansible,
    powerdns,
    secondary,
):
    before = powerdns.serial(ZONE)
    with ThreadPoolExecutor(1) as other:
        playing = other.submit(ansible.tasks, waiting(module, powerdns, secondary, 100, **options))
        while powerdns.serial(ZONE) == before and not playing.done():
            time.sleep(0.1)
        time.sleep(LAG)
        assert not playing.done()
        secondary.catch_up(powerdns, ZONE)
        (result,) = playing.result()
    assert (result.get("msg"), result["changed"]) == (None, True)
    for name in names:
        answers = [server.ask(f"{name}.{ZONE}", "TXT").answer for server in (powerdns, secondary)]
        assert answers[0] == answers[1]


def test_it_fails_when_the_secondary_never_has_it(ansible, powerdns, secondary):
    task = waiting("dns_record", powerdns, secondary, 2, name="late", type="A", content="192.0.2.1")
    (result,) = ansible.tasks(task)
    assert (result["failed"], result["changed"]) == (True, True)
    assert secondary.name_server in result["msg"]
    assert powerdns.name_server not in result["msg"]
    assert powerdns.ask(f"late.{ZONE}", "A").answer
    # The next run has nothing to change, and looks again.
    (again,) = ansible.tasks(task)
    assert (again["failed"], again["changed"]) == (True, False)
    assert (
        f"nothing had to be changed, but {secondary.name_server} answers nothing for late.{ZONE}. A"
        in again["msg"]
    )
    secondary.catch_up(powerdns, ZONE)
    (done,) = ansible.tasks(task)
    assert (done.get("msg"), done["changed"]) == (None, False)


@pytest.mark.usefixtures("secondary")
def test_the_delegated_zone_on_the_same_server_answers_for_itself(ansible, powerdns):
    powerdns.make_zone(f"child.{ZONE}")
    task = waiting(
        "dns_record", powerdns, powerdns, 10, name="child", type="NS", content="ns.example.net."
    )
    (result,) = ansible.tasks(task)
    assert (result.get("msg"), result["changed"]) == (None, True)
    assert powerdns.ask(f"child.{ZONE}", "NS").answer[0][0].to_text() != "ns.example.net."
