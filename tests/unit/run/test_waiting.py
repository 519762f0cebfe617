# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whom a task asks that waits, what is wrong with its options, and what it says where it waits in vain."""

import socket
from types import SimpleNamespace

import pytest
from shorthand import change

from ansible_collections.zonesmith.dns.plugins.module_utils._apply.outcome import ApplyFailed
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan
from ansible_collections.zonesmith.dns.plugins.module_utils._query import served
from ansible_collections.zonesmith.dns.plugins.module_utils._query.name_servers import (
    UnusableNameServer,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import Invocation
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import InvalidOptions
from ansible_collections.zonesmith.dns.plugins.module_utils._run.waiting import Waiting
from ansible_collections.zonesmith.dns.plugins.module_utils._run.zone import wait

NS = Key("example.com.", "NS")
DONE = change("www", "A", "", "300 192.0.2.1")
RECOVERED = change("ftp", "A", "", "300 192.0.2.8")
ADDRESSES = {
    "ns1.example.net": "198.51.100.1",
    "ns2.example.net": "198.51.100.2",
    "localhost": "127.0.0.1",
}


@pytest.fixture(autouse=True)
def looked_up(monkeypatch):
    """The hosts whose addresses are looked up; there are three."""
    hosts = []

    def resolve(host, *_where, **_options):
        hosts.append(host)
        if host not in ADDRESSES:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(socket.AF_INET, socket.SOCK_DGRAM, 17, "", (ADDRESSES[host], 53))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return hosts


@pytest.fixture
def waited(monkeypatch):
    """What is waited for: the zone, the sets, the servers, and the seconds; nothing is."""
    calls = []

    def wait(zone, awaited, servers, options):
        keys, hosts = [one.key for one in awaited], [one.server.host for one in servers]
        calls.append((zone, keys, hosts, options["wait_timeout"]))

    monkeypatch.setattr(served, "wait_until_served", wait)
    return calls


def options(**arguments):
    """The options of a task that waits."""
    return {"wait": True, "wait_timeout": 120.0, "wait_nameservers": None, **arguments}


def waiting(**arguments):
    """A wait for example.com."""
    return Waiting("example.com.", options(**arguments))


def served_by(*hosts):
    """The zone, with these name servers."""
    return {NS: RecordSet(*NS, 300, hosts)}


def outcome(*changes, recovered=()):
    """What a run has found and done."""
    plan = Plan(changes, 0, awaited=tuple(one.desired for one in changes))
    return SimpleNamespace(plan=plan, shown={}, recovered=recovered)


def test_what_is_no_name_server_is_refused():
    with pytest.raises(InvalidOptions) as caught:
        waiting(wait_nameservers=["ns1.example.net", "a b\x1b"])
    assert str(caught.value).startswith(r"wait_nameservers has 'a b\x1b', and ")


@pytest.mark.parametrize("check_mode", [False, True])
def test_check_mode_does_not_wait(check_mode, waited):
    one = waiting()
    one.find_servers(served_by("ns1.example.net."))
    task = SimpleNamespace(invocation=Invocation(options(), check_mode), waiting=one)
    wait(task, outcome(DONE))
    assert bool(waited) is not check_mode


# Whom it asks


def test_the_name_servers_of_the_zone_are_asked_where_nobody_names_others(looked_up, waited):
    one = waiting()
    one.find_servers(served_by("NS2.example.net", "ns1.example.net."))
    assert sorted(looked_up) == ["ns1.example.net", "ns2.example.net"]
    one.find_servers(served_by("ns3.example.net."))
    assert len(looked_up) == 2, "they are found once"
    one.wait(outcome(DONE))
    assert waited == [("example.com.", [DONE.key], ["ns2.example.net", "ns1.example.net"], 120.0)]


def test_those_that_are_named_are_asked(looked_up, waited):
    one = waiting(wait_nameservers=["localhost"], wait_timeout=5.0)
    one.find_servers(served_by("ns1.example.net."))
    one.wait(outcome(DONE, recovered=(RECOVERED,)))
    assert looked_up == ["localhost"]
    assert waited == [("example.com.", [DONE.key, RECOVERED.key], ["localhost"], 5.0)]


UNUSABLE = [
    # what the zone has, what the task names -> what is said before anything is written
    (
        served_by(),
        None,
        "the zone has no NS records, so there is no name server to query: set wait_nameservers",
    ),
    (
        served_by("localhost."),
        None,
        "the zone's name server localhost. has the address 127.0.0.1, ",
    ),
    (
        {},
        ["ns1.example.net", "ns1.invalid"],
        "the name server ns1.invalid has no address to query; ",
    ),
]


@pytest.mark.parametrize("live, named, message", UNUSABLE)
def test_who_can_never_be_asked_is_told_before_the_write(live, named, message):
    with pytest.raises(PlanRefused) as caught:
        waiting(wait_nameservers=named).find_servers(live)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("host", ["example.com", "a.ns.Example.com"])
def test_a_host_inside_the_zone_may_get_its_address_from_the_task(host, looked_up):
    waiting(wait_nameservers=[host]).find_servers({})
    assert looked_up == [host.lower()]


def test_a_server_without_an_address_is_refused_before_the_write():
    with pytest.raises(PlanRefused, match=r"the name server ns1\.invalid has no address to query"):
        waiting(wait_nameservers=["ns1.invalid"]).find_servers({})


# In vain


NOT_SERVED = served.NotServed("ns1.example.net answers otherwise")
TOO_LATE = "ns1.example.net answers otherwise, after 5 s of waiting"
IN_VAIN = [
    # what was done, the error -> what is said
    (
        outcome(recovered=(RECOVERED,)),
        NOT_SERVED,
        f"the service took all changes, but {TOO_LATE}",
    ),
    (outcome(), NOT_SERVED, f"nothing had to be changed, but {TOO_LATE}"),
    (
        outcome(DONE),
        UnusableNameServer("ns1 is none"),
        "the service took all changes, but ns1 is none",
    ),
]


@pytest.mark.parametrize("found, error, message", IN_VAIN)
def test_who_waits_in_vain_tells_what_was_done(found, error, message, monkeypatch):
    def wait(*_arguments):
        raise error

    monkeypatch.setattr(served, "wait_until_served", wait)
    one = waiting(wait_nameservers=["ns1.example.net"], wait_timeout=5.0)
    one.find_servers({})
    with pytest.raises(ApplyFailed) as failed:
        one.wait(found)
    assert str(failed.value) == message
    assert failed.value.changes == found.plan.changes
    assert failed.value.applied == tuple(one.key for one in found.plan.changes)
