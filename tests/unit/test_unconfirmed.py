# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a run that was killed may have created: what a reading lacks of it, and whether a plan would remove it."""

from __future__ import annotations

import pytest
from shorthand import held

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, LiveSets
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan, plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory
from ansible_collections.zonesmith.dns.plugins.module_utils._write.reading import removes_unconfirmed, unconfirmed

WWW, MX = Key("www.example.com.", "A"), Key("www.example.com.", "MX")
ONE, SENT = "192.0.2.1", "192.0.2.9"


def sending(key: Key, *values: str) -> Memory:
    """The memory of a run that was killed while it added these values."""
    memory = Memory()
    for value in values:
        memory.histories.send(key, value, 300)
    return memory


WAS = f"www 300 A {ONE}"


@pytest.mark.parametrize(
    ("key", "sent", "read", "missing"),
    [
        (WWW, (SENT, ONE), [], (SENT, ONE)),
        (WWW, (SENT, ONE), [WAS], (SENT,)),
        (WWW, (SENT, ONE), [f"www 300 A {ONE} {SENT}"], ()),
        (WWW, (SENT,), [f"ftp 300 A {SENT}"], (SENT,)),
        (MX, ("10 mx.example.net.",), ["www 300 MX mx.example.net."], ()),
    ],
)
def test_what_a_reading_lacks(key: Key, sent: tuple[str, ...], read: list[str], missing: tuple[str, ...]) -> None:
    assert unconfirmed(sending(key, *sent).histories, held(*read)) == ({key: missing} if missing else {})


GOES = [
    # what is read, what a task wants -> whether what was sent would go, or be built anew
    pytest.param([WAS], Wanted(*WWW, (ONE,)), True, id="all others go"),
    pytest.param([WAS], Wanted(*WWW), True, id="the set goes"),
    pytest.param([], Wanted(*WWW), True, id="the set goes, which is not shown"),
    pytest.param([WAS], Wanted(*WWW, unwanted=(SENT,), keeps_others=True), True, id="it goes"),
    pytest.param([], Wanted(*WWW, unwanted=(SENT,), keeps_others=True), True, id="it goes, and the set is not shown"),
    pytest.param([WAS], Wanted(*WWW, (ONE,), keeps_others=True, ttl=60), True, id="the set is rebuilt"),
    pytest.param([], Wanted(*WWW, (SENT,), ttl=60), False, id="a new set, of which nobody knows the TTL"),
    pytest.param([WAS], Wanted(*WWW, (SENT,), keeps_others=True), False, id="it is wanted"),
    pytest.param([WAS], Wanted(*WWW, ("192.0.2.2",), keeps_others=True), False, id="the set is extended"),
    pytest.param([WAS], Wanted("ftp.example.com.", "A", (ONE,)), False, id="another set"),
]


@pytest.mark.parametrize(("read", "wanted", "goes"), GOES)
def test_whether_it_is_removed(read: list[str], wanted: Wanted, goes: bool) -> None:
    def make_plan(live: LiveSets, _writes: Memory) -> Plan:
        return plan("example.com.", live, [wanted])

    assert removes_unconfirmed(sending(WWW, SENT), held(*read), make_plan) is goes


def refusing(_live: LiveSets, _writes: Memory) -> Plan:
    raise PlanRefused("protect matches it")


def test_a_refusal_is_for_a_reading_that_shows_it_to_say() -> None:
    assert removes_unconfirmed(sending(WWW, SENT), held(WAS), refusing) is True


def test_where_nothing_is_unseen_nothing_is_planned() -> None:
    assert removes_unconfirmed(Memory(), held(WAS), refusing) is False
    assert removes_unconfirmed(sending(WWW, ONE), held(WAS), refusing) is False
