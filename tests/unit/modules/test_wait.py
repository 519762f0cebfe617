# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""``wait`` as a task has it: a zone in the service, and a name server that serves it, or something else."""

import pytest
from authority import Authority
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._query import served as _served

ZONE = "example.com."
ONE, TWO = "www 300 A 192.0.2.1", "www 300 A 192.0.2.2"
WWW = {"name": "www", "type": "A"}
LAB = "lab 300 NS ns1.lab.example.com."


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """A name server may be slow to answer: the clock stands still, but dnspython's does not."""
    monkeypatch.setattr(_served, "QUERY_TIMEOUT", 60)


@pytest.fixture
def served():
    """The name server."""
    with Authority(ZONE) as server:
        yield server


# A line: what the zone holds, the task, what the name server answers with, what the failure says.
CASES = {
    # Whether or not the task changed anything.
    "unchanged and served": (ONE, {**WWW, "content": ["192.0.2.1"]}, ONE, ""),
    "unchanged and not served": (ONE, {**WWW, "content": ["192.0.2.1"]}, TWO, "answers 192.0.2.2 for"),
    # TTLs.
    "a TTL that does not come": (
        ONE,
        {**WWW, "content": ["192.0.2.1"], "ttl": 60},
        ONE,
        "answers with a TTL of 300, not 60, for www.example.com. A",
    ),
    # Delegations.
    "its glue that does not come": (
        LAB,
        {"name": "ns1.lab", "type": "A", "content": ["192.0.2.53"]},
        LAB,
        "answers nothing for ns1.lab.example.com. A",
    ),
    "what is below it": (LAB, {"name": "a.lab", "type": "TXT", "content": ["x"]}, LAB, ""),
}  # fmt: skip


@named_rows("held, task, answered, says", CASES)
def test_a_task_waits_for_what_it_wants(
    held,
    task,
    answered,
    says,
    zone,
    run,
    served,
):
    zone.holds(held)
    served.holds(answered)
    done = run(
        "dns_record",
        zone="example.com",
        **task,
        wait=True,
        wait_timeout=60,
        wait_nameservers=[served.name],
    )
    assert done.get("failed", False) is bool(says), done
    assert says in done.get("msg", "")
    assert bool(served.asked) is (task["name"] != "a.lab")


def test_a_second_run_after_a_wait_that_timed_out_looks_again(zone, run, served):
    wait = {"wait": True, "wait_timeout": 60, "wait_nameservers": [served.name]}
    task = {"zone": "example.com", **WWW, "content": ["192.0.2.1"], **wait}
    first = run("dns_record", **task)
    assert (first["failed"], first["changed"]) == (True, True)
    second = run("dns_record", **task)
    assert second["msg"] == (
        f"Zone example.com: nothing had to be changed, but {served.name} answers nothing for www.example.com. A, "
        "after 60 s of waiting."
    )
    assert (second["failed"], second["changed"], second["changes"]) == (True, False, [])
    served.holds(ONE)
    third = run("dns_record", **task)
    assert (third.get("failed", False), third["changed"]) == (False, False)
    assert zone.calls()[-1] == "GET"
