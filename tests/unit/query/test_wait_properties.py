# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whatever a zone holds, and whatever a task wants of it: the wait ends where its name servers have it, and only there.

The name servers are those of ``authority``, without a network: what they answer is found out from the zone alone.
"""

from functools import cache, partial
from types import SimpleNamespace

import dns.flags
import dns.message
import dns.rdatatype
import pytest
from authority import answer
from examples import some
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import as_read
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.awaited import awaited_of
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import Limits
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import plan
from ansible_collections.zonesmith.dns.plugins.module_utils._query import served as _served
from ansible_collections.zonesmith.dns.plugins.module_utils._query.name_servers import (
    Addresses,
    NameServer,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._query.served import (
    NotServed,
    wait_until_served,
)

ZONE = "example.com."
holds = settings(
    deadline=None,
    derandomize=True,
    max_examples=some(250),
    suppress_health_check=[HealthCheck.too_slow],
)

NAMES = [
    ZONE,
    *(
        f"{name}.{ZONE}"
        for name in ("www", "*", "a.www", "lab", "ns1.lab", "x.lab", "*.lab", "sub.x.lab")
    ),
]
POOL = {
    "A": ["192.0.2.1", "192.0.2.2"],
    "NS": ["ns1.lab.example.com.", "ns.example.net."],
    "MX": ["10 mail.example.net.", "20 mail.example.net."],
    "TXT": ['"a"', '"bc"'],
    "CNAME": ["a.example.net.", "www.example.com."],
}
APEX = [(ZONE, "NS"), (ZONE, "CNAME")]
KEYS = [(name, rdtype) for name in NAMES for rdtype in POOL if (name, rdtype) not in APEX]
OFTEN = [
    ("lab.example.com.", "NS"),
    ("ns1.lab.example.com.", "A"),
    ("*.example.com.", "A"),
    ("www.example.com.", "A"),
]
KEY = st.sampled_from([*(key for key in KEYS if "*" not in key[0] or key[1] != "NS"), *OFTEN * 6])
TTL = st.sampled_from([60, 300])


@cache
def values_of(key):
    most = 1 if key[1] == "CNAME" else 2
    texts = st.lists(st.sampled_from(POOL[key[1]]), min_size=1, max_size=most, unique=True)
    return texts.map(tuple)


@cache
def live_set(key):
    return st.builds(RecordSet, st.just(key[0]), st.just(key[1]), TTL, values_of(key))


@cache
def any_desired(key):
    of_key = partial(st.builds, Desired, st.just(key[0]), st.just(key[1]))
    return st.one_of(
        of_key(values_of(key), keeps_others=st.booleans(), ttl=st.none() | TTL),
        of_key(unwanted=values_of(key), keeps_others=st.just(True)),
        of_key(),
    )


def zone_of(sets):
    """The sets, as far as no CNAME is beside others."""
    live = {}
    for held in sets:
        beside = {rdtype for name, rdtype in live if name == held.name}
        if not (beside and "CNAME" in {*beside, held.type}):
            live[held.key] = held
    return live


ZONES = st.lists(KEY.flatmap(live_set), max_size=8, unique_by=lambda held: held.key).map(zone_of)
WANTED = st.lists(
    KEY.flatmap(any_desired), min_size=1, max_size=4, unique_by=lambda wanted: wanted.key
)


def as_served(live):
    return {tuple(key): (held.ttl, held.values) for key, held in live.items()}


def waits(awaited, versions):
    """Whether the wait ends well with a server that has these one after the other, each for one round."""
    server = Addresses(NameServer("ns1.example.net", "ns1.example.net"))
    server.found = ("192.0.2.53",)
    left = [*versions]
    clock = SimpleNamespace(now=0.0, monotonic=lambda: clock.now)

    def sleep(seconds):
        """Until the next round."""
        clock.now += seconds
        if len(left) > 1:
            del left[0]

    clock.sleep = sleep
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_served, "machine", lambda: clock)
        patch.setattr(_served, "AT_ONCE", 1)
        patch.setattr(_served, "ask", lambda query, *_where: answer(query, ZONE, left[0]))
        try:
            wait_until_served(ZONE, awaited, [server], {"wait_timeout": 60})
        except NotServed as error:
            assert "ns1.example.net answers" in str(error)  # noqa: PT017 - there may be none
            return False
    return True


@st.composite
def cases(draw):
    before, wanted = draw(ZONES), draw(WANTED)
    limits = Limits(prune=draw(st.booleans()), prune_limit=100)
    try:
        planned = plan(ZONE, before, wanted, limits).changes
    except PlanRefused:
        reject()
    changed = {change.key: change.after for change in planned}
    after = {key: held for key, held in {**before, **changed}.items() if held}
    pruned = [change.desired for change in planned if change.desired.pruned]
    awaited = awaited_of(ZONE, after, wanted, planned, ())
    again = awaited_of(ZONE, after, wanted, plan(ZONE, after, wanted).changes, ())
    assert set(again) <= set(awaited), "a second run awaits nothing else"
    return SimpleNamespace(before=before, after=after, wanted=[*wanted, *pruned], awaited=awaited)


@given(case=cases(), others=st.lists(ZONES, max_size=3))
@holds
def test_a_server_that_has_the_zone_ends_the_wait(case, others):
    """Whatever it had before."""
    assert waits(case.awaited, [*map(as_served, [case.before, *others]), as_served(case.after)])


def heard(served, key):
    """The values and the TTL that somebody hears who asks a server with these sets."""
    query = dns.message.make_query(*key)
    response = answer(query, ZONE, served)
    for rrset in (*response.answer, *response.authority, *response.additional):
        if (rrset.name.to_text(), dns.rdatatype.to_text(rrset.rdtype)) == key:
            return {as_read(key[1], rdata.to_text(), ZONE) for rdata in rrset}, rrset.ttl
    return set(), None


def is_behind(wanted, has, after):
    """Whether somebody who asks a server hears something that the task does not want, and would not hear later."""
    (now, ttl), (later, later_ttl) = heard(has, wanted.key), heard(after, wanted.key)
    if now == later:
        return wanted.ttl is not None and ttl != later_ttl

    if any(value in later and value not in now for value in wanted.values):
        return True
    if wanted.values and wanted.ttl is not None and now and later and ttl != later_ttl:
        return True
    if wanted.keeps_others:
        return any(value in wanted.unwanted for value in now)
    return bool(now - set(wanted.values))


@given(case=cases(), other=ZONES)
@holds
def test_a_server_that_lags_or_has_something_else_ends_it_only_where_nobody_hears_that(case, other):
    after = as_served(case.after)
    asked = {one.key for one in case.awaited}
    for has in map(as_served, (case.before, other)):
        behind = [one for one in case.wanted if one.key in asked and is_behind(one, has, after)]
        assert waits(case.awaited, [has]) is not bool(behind), behind
