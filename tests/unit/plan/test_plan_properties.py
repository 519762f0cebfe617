# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What holds for every name, value, zone and task: canonical forms stay, plans lead where they say, nothing is lost."""

from collections import namedtuple
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache, partial

import dns.name
import pytest
from examples import some
from hypothesis import HealthCheck, example, given, reject, settings
from hypothesis import strategies as st
from plan_lines import plan, plan_or_refusal
from values import canonical as parsed
from values import txt_bytes, txt_parsed, txt_quoted

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.dialect import PLAIN
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import (
    InvalidName,
    name_as_read,
    owner_name,
    relative_name,
    zone_name,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    InvalidRdata,
    as_read,
    canonical,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    DEFAULT_TTL,
    Key,
    RecordSet,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sending import sending_form
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import Glob, matches
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import Limits

ZONE = "example.com."
NOT_UNDERSTOOD = "not an address"
# The same examples in every run, and no clock: a busy machine is no reason to fail.
holds = settings(
    deadline=None,
    derandomize=True,
    max_examples=some(100),
    suppress_health_check=[HealthCheck.too_slow],
)


# Values as people write them: hosts in all their forms, digits in both cases, white space where it means nothing.

BLANK = st.sampled_from([" ", "  ", "\t"])
LABEL = st.one_of(
    st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,8}", fullmatch=True),
    st.sampled_from(["Äpfel", "äpfel", "straße", "例え", "XN--PFEL-KOA", "*", r"a\.b", r"a\032b"]),
)
HOST = st.one_of(
    st.sampled_from(["@", "."]),
    st.builds(
        lambda labels, dot: ".".join(labels) + dot,
        st.lists(LABEL, min_size=1, max_size=4),
        st.sampled_from(["", "."]),
    ),
)
BYTE, SHORT = st.integers(0, 255), st.integers(0, 65535)
ASCII = st.text(st.characters(min_codepoint=32, max_codepoint=126, exclude_characters='"\\'))
QUOTED = ASCII.map('"{}"'.format)
ADDRESS = st.ip_addresses(v=6)


def fields(*strategies):
    """The fields of one value, with white space between them."""
    return st.builds(
        lambda blank, values: blank.join(map(str, values)), BLANK, st.tuples(*strategies)
    )


def in_pieces(text):
    return st.integers(1, len(text) - 1).map(lambda at: f"{text[:at]} {text[at:]}")


def quoted(data):
    return '"' + "".join(f"\\{byte:03d}" for byte in data) + '"'


SERVICE_PARAMETERS = st.tuples(
    st.sampled_from(["", "alpn=h2,h3", 'alpn="h2"', "no-default-alpn alpn=h3"]),
    SHORT.map('port="{}"'.format),
    ADDRESS.map(lambda address: f"ipv6hint={address.exploded.upper()}"),
    st.from_regex(r"key65[0-4][0-9][0-9]=[a-z]{1,5}", fullmatch=True),
)
TEXT = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=300),
    st.text('"\\; ()a1', min_size=1, max_size=12),
    st.lists(st.binary(max_size=300).map(quoted), min_size=1, max_size=3).map(" ".join),
)
DIGITS = st.binary(min_size=20, max_size=20).map(bytes.hex)
VALUES = {
    "AAAA": ADDRESS.map(str) | ADDRESS.map(lambda address: address.exploded.upper()),
    "ALIAS": ASCII.filter(str.strip),
    "CAA": fields(BYTE, st.from_regex(r"[A-Za-z0-9]{1,15}", fullmatch=True), QUOTED),
    "CNAME": HOST,
    "DS": fields(SHORT, BYTE, st.just(1), (DIGITS | DIGITS.map(str.upper)).flatmap(in_pieces)),
    "HTTPS": fields(
        SHORT.filter(bool), HOST, SERVICE_PARAMETERS.flatmap(st.permutations).map(" ".join)
    ),
    "MX": fields(SHORT, HOST) | HOST,
    "NAPTR": fields(SHORT, SHORT, st.sampled_from(['"u"', "S", '""']), QUOTED, QUOTED, HOST),
    "TXT": TEXT,
}


@pytest.mark.parametrize("rdtype", VALUES)
@given(data=st.data())
@holds
def test_a_value_reads_back_as_it_was_sent(rdtype, data):
    value = canonical(rdtype, data.draw(VALUES[rdtype]), ZONE, priority=10)
    assert canonical(rdtype, value, ZONE) == as_read(rdtype, value, ZONE) == value
    for in_quotes in (False, True):
        assert as_read(rdtype, shown_by_service(rdtype, value, in_quotes=in_quotes), ZONE) == value


@pytest.mark.parametrize("rdtype", [*VALUES, "LOC", "TLSA", "URI", "TYPE65534"])
@given(text=st.text() | st.text('"\\;()@. \t012a²', max_size=12))
@example(text=r"\²²²")
@example(text=r'"\²²²"')
@example(text=r"a\999")
@holds
def test_any_text_is_a_value_or_is_refused(rdtype, text):
    """No other exception, and what the service shows is always readable."""
    assert isinstance(as_read(rdtype, text, ZONE), str)
    try:
        value = canonical(rdtype, text, ZONE)
    except InvalidRdata:
        return
    assert canonical(rdtype, value, ZONE) == value


@given(text=st.text() | st.text("a.*/@_-\\0äÄß²XN", max_size=12) | HOST)
@holds
def test_any_text_is_a_name_or_is_refused(text):
    assert name_as_read(text).endswith(".")
    zone, name = name_of(zone_name, text), name_of(owner_name, text, ZONE)
    if zone:
        assert zone_name(zone) == zone_name(zone.upper()) == zone_name(zone[:-1]) == zone
    if name:
        assert f".{name}".endswith(f".{ZONE}")
        assert owner_name(name, ZONE) == name == name_as_read(name)
        assert relative_name(name, ZONE) in ("@", name.removesuffix(f".{ZONE}"))


def name_of(read, *texts):
    """The name that is read; none where it is refused."""
    try:
        return read(*texts)
    except InvalidName:
        return None


# A service in memory: what it shows after the calls of a plan.


def shown_by_service(rdtype, value, *, in_quotes):
    """A canonical value as a service shows it that read it with a parser of its own, which knows zone files only."""
    content, priority = sending_form(rdtype, value, quoted=in_quotes)
    if rdtype == "TXT":
        return txt_parsed(content) if in_quotes else txt_quoted(txt_bytes(content))
    if rdtype == "ALIAS" or value == NOT_UNDERSTOOD:
        return content
    text = f"{priority} {content}" if rdtype == "MX" else content
    return parsed(rdtype, text, dns.name.from_text(ZONE))[0]


def carry_out(live, planned, *, in_quotes=False):
    """What the service holds after the plan. It can only delete a set and add a value, and the deletes come first."""
    deleted = [change.key for change in planned.changes if change.deletes]
    sets = {key: held for key, held in live.items() if key not in deleted}
    for change in planned.changes:
        key = change.key
        for value in change.creates:
            held = sets.get(key, RecordSet(*key, change.after.ttl, ()))
            assert held.ttl == change.after.ttl, "a set has one TTL, and so has a new value"
            there = [as_read(key.type, other, ZONE) for other in held.values]
            assert not any_same(key.type, value, there), "created twice"
            beside = {rdtype for name, rdtype in sets if name == key.name and rdtype != key.type}
            assert not beside if key.type == "CNAME" else "CNAME" not in beside
            shown = shown_by_service(key.type, value, in_quotes=in_quotes)
            sets[key] = replace(held, values=(*held.values, shown))
    return sets


# Zones and what is wanted of them: few names, types and values, so that they meet.

APEX = {
    Key(ZONE, "SOA"): RecordSet(
        ZONE, "SOA", 86400, ("ns1.example.net. root.example.net. 1 2 3 4 5",)
    ),
    Key(ZONE, "NS"): RecordSet(ZONE, "NS", 86400, ("ns1.example.net.",)),
}
NAMES = [ZONE, "www.example.com.", "ftp.example.com.", "a.b.dyn.example.com."]
POOL = {
    "A": ["192.0.2.1", "192.0.2.2", "192.0.2.3", NOT_UNDERSTOOD],
    "AAAA": ["2001:db8::1", "2001:DB8:0::1", "2001:db8::2"],
    "MX": ["10 mail", "20 mail", "10 Mail.example.com", "0 .", "10 backup.example.net."],
    "TXT": ["plain", '"plain"', '"pl" "ain"', '"a"; b="c"', "ü", '"\\195\\188"', '""', "x" * 256],
    "NS": ["ns1.example.net", "NS1.example.net.", "ns2.example.net"],
    "CNAME": ["target", "Target.example.com.", "other.example.net"],
}
VALUE_GLOB = st.sampled_from(
    ["*", "192.0.2.[12]", "2001:DB8::1", "*mail*", "pl?in", '"*', "*.example.net", "ü", ""]
)
TTL = st.sampled_from([0, 60, 300])
KEY = st.builds(Key, st.sampled_from(NAMES), st.sampled_from([*POOL, "A", "TXT", "MX"])).filter(
    lambda key: not key.is_owned_by_service(ZONE)
)


def some_values(key, texts):
    """One or several of these, as many as a set of this key can have."""
    most = 1 if key.type == "CNAME" else 4
    return st.lists(st.sampled_from(texts), min_size=1, max_size=most)


@cache
def live_set(key):
    values = some_values(key, POOL[key.type]).map(tuple)
    return st.builds(RecordSet, st.just(key.name), st.just(key.type), TTL, values)


@cache
def any_desired(key):
    """What ``desired_record_set`` can make: canonical values, each once."""
    pool = [canonical(key.type, text, ZONE) for text in POOL[key.type] if text != NOT_UNDERSTOOD]
    values = some_values(key, pool).map(dict.fromkeys).map(tuple)
    unwanted = values | st.just(("mail.example.com.",)) if key.type == "MX" else values
    of_key = partial(st.builds, Desired, st.just(key.name), st.just(key.type))
    beside = partial(of_key, keeps_others=st.just(True))
    return st.one_of(
        of_key(values, keeps_others=st.booleans(), ttl=st.none() | TTL),
        beside(values, replaces=st.tuples(VALUE_GLOB)),
        beside(unwanted=unwanted),
        of_key(),
    )


def zone_without_cname_trouble(sets):
    live = dict(APEX)
    for held in sets:
        beside = {rdtype for name, rdtype in live if name == held.name}
        if not beside or (held.type != "CNAME" and "CNAME" not in beside):
            live[held.key] = held
    return live


ZONES = st.lists(KEY.flatmap(live_set), max_size=14, unique_by=lambda held: held.key).map(
    zone_without_cname_trouble
)
WANTED = st.lists(KEY.flatmap(any_desired), max_size=6, unique_by=lambda desired: desired.key)
GLOBS = st.lists(
    st.builds(
        Glob,
        st.sampled_from(["*", "@", "w*", "*.dyn", "ftp"]),
        st.sampled_from(["*", "A", "A*", "TXT", "MX"]),
        st.just("*") | VALUE_GLOB,
    ),
    max_size=2,
).map(tuple)
NONE = st.just(())
LIMITS = st.just(Limits()) | st.builds(
    Limits,
    prune=st.booleans(),
    prune_limit=st.just(100),
    change_limit=st.sampled_from([0, 50, 100]),
    ignore=GLOBS,
    protect=NONE | GLOBS,
    only=NONE,
    ttl_max=NONE,
    spared=NONE,
)


Case = namedtuple("Case", "live desired limits planned")


@st.composite
def cases(draw):
    """A zone, what is wanted of it, and the plan between them; nothing that contradicts the rule of CNAMEs.

    What is ignored as an entry has it never comes to a plan.
    """
    live, limits = draw(ZONES), draw(LIMITS)
    desired = [one for one in draw(WANTED) if not limits.ignores(one.as_held, ZONE)]
    try:
        return Case(live, desired, limits, plan(ZONE, live, desired, limits))
    except PlanRefused:
        reject()


def values(held):
    return set(PLAIN.read_set(held, ZONE).values) if held else set()


def any_same(rdtype, value, others):
    """Whether a value is among others; a mail host alone is any value with it."""
    if rdtype == "MX" and " " not in value:
        return any(value == other.rpartition(" ")[2] for other in others)
    return value in others or (rdtype == "MX" and value.rpartition(" ")[2] in others)


def met(value, rdtype, globs):
    """Whether a glob meets a canonical value: a text as itself, what is no text in any case and with or without dot."""
    if rdtype == "TXT":
        return any(fnmatchcase(txt_bytes(value).decode(), glob) for glob in globs)
    spellings = (value.lower(), value.lower().removesuffix("."))
    return any(fnmatchcase(spelling, glob.lower()) for glob in globs for spelling in spellings)


def goes(value, desired):
    """Whether a task removes a value that it does not list."""
    return any_same(desired.type, value, desired.unwanted) or met(
        value, desired.type, desired.replaces
    )


@given(case=cases(), in_quotes=st.booleans())
@holds
def test_a_plan_carried_out_gives_what_was_wanted(case, in_quotes):
    """And leaves nothing to plan."""
    after = carry_out(case.live, case.planned, in_quotes=in_quotes)
    for desired in case.desired:
        held, before = after.get(desired.key), case.live.get(desired.key)
        assert set(desired.values) <= values(held)
        assert not any(goes(value, desired) for value in values(held) - set(desired.values))
        if not desired.keeps_others:
            assert values(held) == set(desired.values)
        if held:
            ttl = desired.ttl if desired.ttl is not None else before.ttl if before else DEFAULT_TTL
            assert held.ttl == ttl
    again = plan(ZONE, after, case.desired, case.limits)
    assert (again.changes, again.unchanged) == ((), len(case.desired))


@given(case=cases())
@holds
def test_what_is_not_concerned_is_never_lost(case):
    after = carry_out(case.live, case.planned)
    desired_sets = {desired.key: desired for desired in case.desired}
    for key, before in case.live.items():
        desired = desired_sets.get(key)
        if desired is None:
            is_spared = key.is_owned_by_service(ZONE) or matched(before, case.limits.ignore)
            is_pruned = case.limits.prune and not is_spared
            assert after.get(key) == (None if is_pruned else before)
        elif desired.keeps_others:
            stay = {value for value in values(before) if not goes(value, desired)}
            assert stay <= values(after.get(key))
    assert after.keys() <= case.live.keys() | desired_sets.keys()


def matched(held, globs):
    return matches(globs, PLAIN.read_set(held, ZONE), ZONE)


@given(live=ZONES, desired=WANTED, limits=LIMITS)
@holds
def test_limits_refuse_what_they_forbid_and_nothing_else(live, desired, limits):
    """A CNAME may stay beside what is ignored; that is refused too."""
    within = limits._replace(ignore=(), protect=(), change_limit=100)
    try:
        unbounded = plan(ZONE, live, desired, within).changes
    except PlanRefused:
        reject()
    is_ignored = any(one.key in live and matched(live[one.key], limits.ignore) for one in desired)
    going = [live[change.key] for change in unbounded if change.deletes]
    going = [held for held in going if not matched(held, limits.ignore)]
    is_protected = any(matched(held, limits.protect) for held in going)
    sets = len(live) - len(APEX)
    is_too_much = sets >= 10 and len(going) * 100 > limits.change_limit * sets
    is_forbidden = is_ignored or is_protected or is_too_much
    told = plan_or_refusal(live, desired, limits)
    is_refused = told.startswith(("ignore matches", "the plan would"))
    assert is_refused is is_forbidden or "would hold a CNAME beside" in told


@given(case=cases())
@holds
def test_a_plan_tells_what_will_be(case):
    """And deletes nothing where adding is enough."""
    after = carry_out(case.live, case.planned)
    for change in case.planned.changes:
        for side, sets in ((change.before, case.live), (change.after, after)):
            held = sets.get(change.key)
            assert values(side) == values(held)
            assert (side and side.ttl) == (held and held.ttl)
        if change.deletes and change.after:
            is_same_ttl = change.before.ttl == change.after.ttl
            assert not (is_same_ttl and values(change.before) <= values(change.after))
    changed = [key for key in sorted({*case.live, *after}) if case.live.get(key) != after.get(key)]
    assert [change.key for change in case.planned.changes] == changed
