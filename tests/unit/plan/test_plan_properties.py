# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What holds for every name, value, zone and task: canonical forms stay, plans lead where they say, nothing is lost."""

from __future__ import annotations

import base64
from fnmatch import fnmatchcase
from functools import cache
from typing import NamedTuple

import dns.name
import pytest
from examples import some
from hypothesis import HealthCheck, example, given, reject, settings
from hypothesis import strategies as st
from plan_lines import plan
from values import canonical as parsed
from values import txt_bytes, txt_parsed, txt_quoted

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.dialect import PLAIN, host_alone
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
    RecordSets,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sending import sending_form
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import (
    PlanRefused,
    diff_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import Glob
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import Limits
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan

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
ASCII = st.text(
    st.characters(min_codepoint=32, max_codepoint=126, exclude_characters='"\\'), max_size=20
)
QUOTED = ASCII.map('"{}"'.format)
ADDRESS = st.ip_addresses(v=6)
LINE = st.text(st.characters(exclude_characters="\n\r\0", exclude_categories=["Cs"]), min_size=1)
IN_CASE = st.sampled_from([str.lower, str.upper])


def fields(*strategies):
    """The fields of one value, with white space between them."""
    return st.builds(
        lambda blank, values: blank.join(map(str, values)), BLANK, st.tuples(*strategies)
    )


def in_pieces(text):
    return st.integers(1, max(len(text) - 1, 1)).map(lambda at: f"{text[:at]} {text[at:]}".strip())


def hexadecimal(size=None):
    """So many bytes as digits of either case, in one piece or two."""
    data = st.binary(min_size=size or 1, max_size=size or 40)
    return st.builds(lambda value, case: case(value.hex()), data, IN_CASE).flatmap(in_pieces)


def quoted(data):
    return (
        '"'
        + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:03d}" for b in data)
        + '"'
    )


def angle(degrees, hemispheres):
    seconds = st.one_of(
        st.integers(0, 59), st.integers(0, 59999).map(lambda ms: f"{ms / 1000:.3f}")
    )
    return fields(
        st.integers(0, degrees - 1), st.integers(0, 59), seconds, st.sampled_from(hemispheres)
    )


SERVICE_PARAMETERS = st.lists(
    st.one_of(
        st.sampled_from(
            ["alpn=h2,h3", 'alpn="h2"', "no-default-alpn alpn=h3", "ipv4hint=192.0.2.1,192.0.2.2"]
        ),
        SHORT.map("port={}".format),
        SHORT.map('port="{}"'.format),
        ADDRESS.map(lambda address: f"ipv6hint={address.exploded.upper()}"),
        st.from_regex(r"key65[0-4][0-9][0-9]=[a-z]{1,5}", fullmatch=True),
    ),
    max_size=3,
    unique_by=lambda text: next(
        key for key in ("alpn", "ipv4", "ipv6", "port", "key") if key in text
    ),
).map(" ".join)
SERVICE = st.one_of(
    fields(st.just(0), HOST), fields(st.integers(1, 65535), HOST, SERVICE_PARAMETERS)
)
CERTIFICATE = st.one_of(
    fields(BYTE, BYTE, st.just(0), hexadecimal()),
    fields(BYTE, BYTE, st.just(1), hexadecimal(32)),
    fields(BYTE, BYTE, st.just(2), hexadecimal(64)),
)
TEXT = st.one_of(
    st.text(min_size=1, max_size=300).filter(
        lambda text: not any(0xD800 <= ord(c) <= 0xDFFF for c in text)
    ),
    st.text('"\\; ()a1', min_size=1, max_size=12),
    st.text('"\\; a', min_size=1, max_size=8).map(lambda text: quoted(text.encode())),
    st.lists(st.binary(max_size=300).map(quoted), min_size=1, max_size=3).map(" ".join),
)
VALUES = {
    "A": st.ip_addresses(v=4).map(str),
    "AAAA": st.one_of(ADDRESS.map(str), ADDRESS.map(lambda address: address.exploded.upper())),
    "ALIAS": LINE.filter(str.strip),
    "CAA": fields(BYTE, st.from_regex(r"[A-Za-z0-9]{1,15}", fullmatch=True), QUOTED),
    "CNAME": HOST,
    "DNAME": HOST,
    "DS": st.one_of(
        fields(SHORT, BYTE, st.just(1), hexadecimal(20)),
        fields(SHORT, st.sampled_from(["ECDSAP256SHA256", 13, "8"]), st.just(2), hexadecimal(32)),
        fields(SHORT, BYTE, st.just(4), hexadecimal(48)),
    ),
    "HTTPS": SERVICE,
    "LOC": fields(angle(90, "NS"), angle(180, "EW"), st.integers(-100000, 4000000).map(lambda m: f"{m}m")),
    "MX": st.one_of(fields(SHORT, HOST), HOST),
    "NAPTR": fields(SHORT, SHORT, st.sampled_from(['"u"', "S", '""']), QUOTED, QUOTED, HOST),
    "NS": HOST,
    "OPENPGPKEY": st.binary(min_size=1, max_size=60).map(base64.b64encode).map(bytes.decode).flatmap(in_pieces),
    "PTR": HOST,
    "SMIMEA": CERTIFICATE,
    "SRV": fields(SHORT, SHORT, SHORT, HOST),
    "SSHFP": st.one_of(fields(BYTE, st.just(1), hexadecimal(20)), fields(BYTE, st.just(2), hexadecimal(32))),
    "SVCB": SERVICE,
    "TLSA": CERTIFICATE,
    "TXT": TEXT,
    "TYPE65534": st.binary(max_size=20).map(lambda data: rf"\# {len(data)} {data.hex()}".strip()),
    "URI": fields(SHORT, SHORT, ASCII.filter(len).map('"{}"'.format)),
}  # fmt: skip


@pytest.mark.parametrize("rdtype", VALUES)
@given(data=st.data())
@holds
def test_the_canonical_text_of_a_value_is_its_own(rdtype, data):
    value = canonical(rdtype, data.draw(VALUES[rdtype]), ZONE)
    assert canonical(rdtype, value, ZONE) == value
    assert as_read(rdtype, value, ZONE) == value


@pytest.mark.parametrize("rdtype", VALUES)
@given(data=st.data())
@holds
def test_a_value_reads_back_as_it_was_sent(rdtype, data):
    value = canonical(rdtype, data.draw(VALUES[rdtype]), ZONE, priority=10)
    for in_quotes in (False, True):
        assert as_read(rdtype, shown_by_service(rdtype, value, in_quotes=in_quotes), ZONE) == value


@pytest.mark.parametrize("rdtype", VALUES)
@given(text=st.one_of(st.text(), st.text('"\\;()@. \t012a²', max_size=12)))
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


@given(text=st.one_of(st.text(), st.text("a.*@_-\\0äÄß²XN", max_size=12), HOST))
@example(text=r"\²²²")
@example(text=r"a\999")
@holds
def test_any_text_is_a_name_or_is_refused(text):
    assert name_as_read(text).endswith(".")
    try:
        name = owner_name(text, ZONE)
    except InvalidName:
        return
    assert f".{name}".endswith(f".{ZONE}")
    assert owner_name(name, ZONE) == name == name_as_read(name)
    assert relative_name(name, ZONE) in ("@", name.removesuffix(f".{ZONE}"))


@given(text=st.one_of(st.text(), st.text("a./_-\\0äÄß²XN", max_size=12), HOST))
@example(text=r"a\999")
@holds
def test_any_text_is_a_zone_or_is_refused(text):
    try:
        name = zone_name(text)
    except InvalidName:
        return
    assert zone_name(name) == zone_name(name.upper()) == zone_name(name[:-1]) == name


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


def calls(planned):
    """The calls that carry a plan out: within each name, deletes and then creates."""
    rows = [("DELETE", change.key, 0, "") for change in planned.changes if change.deletes]
    rows += [
        ("POST", change.key, change.after.ttl, value)
        for change in planned.changes
        for value in change.creates
    ]
    return sorted(rows, key=lambda row: row[1][0])


def carry_out(live, made, *, in_quotes=False):
    """What the service holds after these calls. It has two: delete a set, add a value."""
    sets = dict(live)
    for verb, key, ttl, value in made:
        if verb == "DELETE":
            del sets[key]
            continue
        held = sets.get(key, RecordSet(*key, ttl, ()))
        assert held.ttl == ttl, "a set has one TTL, and a value that comes to it has the same"
        there = tuple(as_read(key[1], other, ZONE) for other in held.values)
        assert not any_same(key[1], value, there), "created twice"
        assert key[1] == "CNAME" or (key[0], "CNAME") not in sets, "beside a CNAME"
        assert key[1] != "CNAME" or not any(name == key[0] for name, _type in sets), (
            "a CNAME beside others"
        )
        sets[key] = RecordSet(
            *key, ttl, (*held.values, shown_by_service(key[1], value, in_quotes=in_quotes))
        )
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
    "ALIAS": ["target.example.net.", "other.example.net."],
    "CNAME": ["target", "Target.example.com.", "other.example.net"],
}
VALUE_GLOB = st.sampled_from(
    ["*", "192.0.2.[12]", "2001:DB8::1", "*mail*", "pl?in", '"*', "*.example.net", "ü", ""]
)
TTL = st.sampled_from([0, 60, 300])
KEY = st.builds(Key, st.sampled_from(NAMES), st.sampled_from([*POOL, "A", "TXT", "MX"])).filter(
    lambda key: not key.is_owned_by_service(ZONE)
)


@cache
def live_set(key):
    most = 1 if key[1] == "CNAME" else 4
    values = st.lists(st.sampled_from(POOL[key[1]]), min_size=1, max_size=most)
    return st.builds(RecordSet, st.just(key[0]), st.just(key[1]), TTL, values.map(tuple))


@cache
def any_desired(key):
    """What ``desired_record_set`` can make: canonical values, each once."""
    name, rdtype = st.just(key[0]), st.just(key[1])
    pool = sorted(
        {canonical(key[1], text, ZONE) for text in POOL[key[1]] if text != NOT_UNDERSTOOD}
    )
    values = st.lists(
        st.sampled_from(pool), min_size=1, max_size=1 if key[1] == "CNAME" else 3, unique=True
    ).map(tuple)
    bare = (
        st.sampled_from(sorted({value.rpartition(" ")[2] for value in pool}))
        if key[1] == "MX"
        else st.nothing()
    )
    unwanted = st.lists(
        st.one_of(st.sampled_from(pool), bare), min_size=1, max_size=3, unique=True
    ).map(tuple)
    return st.one_of(
        st.builds(Desired, name, rdtype, values, keeps_others=st.booleans(), ttl=st.none() | TTL),
        st.builds(
            Desired,
            name,
            rdtype,
            values,
            keeps_others=st.just(True),
            replaces=st.tuples(VALUE_GLOB),
        ),
        st.builds(Desired, name, rdtype, unwanted=unwanted, keeps_others=st.just(True)),
        st.builds(Desired, name, rdtype),
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
    st.booleans(),
    st.just(100),
    st.sampled_from([0, 50, 100]),
    GLOBS,
    NONE | GLOBS,
    only=NONE,
    ttl_max=NONE,
    spared=st.just(frozenset()),
)


class Case(NamedTuple):
    live: RecordSets
    desired: list[Desired]
    limits: Limits
    planned: Plan

    def again(self, live):
        return plan(ZONE, live, self.desired, self.limits)


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


@given(case=cases(), in_quotes=st.booleans())
@holds
def test_a_plan_carried_out_gives_what_was_wanted(case, in_quotes):
    after = carry_out(case.live, calls(case.planned), in_quotes=in_quotes)
    for desired in case.desired:
        held, before = after.get(desired.key), case.live.get(desired.key)
        assert set(desired.values) <= values(held)
        assert not any(any_same(desired.type, value, desired.unwanted) for value in values(held))
        assert not any(
            met(value, desired.type, desired.replaces)
            for value in values(held) - set(desired.values)
        )
        if not desired.keeps_others:
            assert values(held) == set(desired.values)
        if held:
            ttl = desired.ttl if desired.ttl is not None else before.ttl if before else DEFAULT_TTL
            assert held.ttl == ttl


@given(case=cases(), in_quotes=st.booleans())
@holds
def test_the_plan_after_that_is_empty(case, in_quotes):
    again = case.again(carry_out(case.live, calls(case.planned), in_quotes=in_quotes))
    assert again.changes == ()
    assert again.unchanged == len(case.desired)


@given(case=cases())
@holds
def test_what_is_not_concerned_is_never_lost(case):
    after = carry_out(case.live, calls(case.planned))
    desired_sets = {desired.key: desired for desired in case.desired}
    for key, before in case.live.items():
        desired = desired_sets.get(key)
        if desired is None:
            goes = (
                case.limits.prune
                and not key.is_owned_by_service(ZONE)
                and not matched(before, case.limits.ignore)
            )
            assert after.get(key) == (None if goes else before)
        elif desired.keeps_others:
            stay = {
                value
                for value in values(before)
                if not any_same(key[1], value, desired.unwanted)
                and not met(value, key[1], desired.replaces)
            }
            assert stay <= values(after.get(key))
    assert after.keys() <= case.live.keys() | desired_sets.keys()


def met(value, rdtype, globs):
    """Whether a glob meets a canonical value: a text as itself, what is no text in any case and with or without dot."""
    if rdtype == "TXT":
        return any(fnmatchcase(txt_bytes(value).decode(), glob) for glob in globs)
    spellings = (value.lower(), value.lower().removesuffix("."))
    return any(fnmatchcase(spelling, glob.lower()) for glob in globs for spelling in spellings)


def matched(held, globs):
    name = "@" if held.name == ZONE else held.name.removesuffix(f".{ZONE}")
    return any(
        fnmatchcase(name, glob.name)
        and fnmatchcase(held.type, glob.type)
        and any(met(value, held.type, (glob.value,)) for value in values(held))
        for glob in globs
    )


@given(case=cases())
@holds
def test_what_is_ignored_is_untouched_and_what_is_protected_never_deleted(case):
    after = carry_out(case.live, calls(case.planned))
    for key, before in case.live.items():
        if matched(before, case.limits.ignore):
            assert after.get(key) == before
        if matched(before, case.limits.protect):
            assert after[key].ttl == before.ttl
            assert values(before) <= values(after[key])
    deleted = [change for change in case.planned.changes if change.deletes]
    sets = len(case.live) - len(APEX)
    assert sets < 10 or len(deleted) * 100 <= case.limits.change_limit * sets


@given(live=ZONES, desired=WANTED, limits=LIMITS)
@holds
def test_limits_refuse_what_they_forbid_and_nothing_else(live, desired, limits):
    within = limits._replace(ignore=(), protect=(), change_limit=100)
    try:
        unbounded = plan(ZONE, live, desired, within).changes
    except PlanRefused:
        reject()
    is_ignored = any(one.key in live and matched(live[one.key], limits.ignore) for one in desired)
    going = [change.key for change in unbounded if change.deletes]
    going = [key for key in going if not matched(live[key], limits.ignore)]
    is_protected = any(matched(live[key], limits.protect) for key in going)
    sets = len(live) - len(APEX)
    is_too_much = sets >= 10 and len(going) * 100 > limits.change_limit * sets
    try:
        plan(ZONE, live, desired, limits)
    except PlanRefused as refused:
        words = [
            word
            for word in ("ignore matches", "protect matches", "change_limit")
            if word in str(refused)
        ]
        assert words or limits.ignore, "a CNAME may stay beside what is ignored"
        assert is_ignored or is_protected or is_too_much or not words
    else:
        assert (is_ignored, is_protected, is_too_much) == (False, False, False)


@given(case=cases())
@holds
def test_a_plan_tells_what_will_be(case):
    after = carry_out(case.live, calls(case.planned))
    for change in case.planned.changes:
        for side, held in (
            (change.before, case.live.get(change.key)),
            (change.after, after.get(change.key)),
        ):
            assert values(side) == values(held)
            assert (side and side.ttl) == (held and held.ttl)
        assert change.before != change.after
    changed = {change.key for change in case.planned.changes}
    assert {
        key for key in case.live.keys() | after.keys() if case.live.get(key) != after.get(key)
    } == changed
    assert [change.key for change in case.planned.changes] == sorted(changed)
    assert sum(case.planned.summary.values()) == len(
        changed | {desired.key for desired in case.desired}
    )


@given(case=cases())
@holds
def test_nothing_is_deleted_where_adding_is_enough(case):
    for change in case.planned.changes:
        if change.deletes:
            assert change.after is None or (
                change.before.ttl != change.after.ttl
                or not values(change.before) <= values(change.after)
            )
        assert change.after is None or change.creates


@given(case=cases())
@holds
def test_the_diff_is_the_changing_sets_line_by_line(case):
    diff = diff_of(case.planned.changes)
    for side in ("before", "after"):
        text = diff[side].splitlines()
        assert text == sorted(text)
        sets = [held for change in case.planned.changes if (held := getattr(change, side))]
        assert len(text) == sum(len(held.values) for held in sets)


def without_preferences(live):
    """The zone in a service that shows MX hosts without their preference."""
    return {
        key: RecordSet(*key, held.ttl, tuple(value.rpartition(" ")[2] for value in held.values))
        if held.type == "MX"
        else held
        for key, held in live.items()
    }


@given(live=ZONES, desired=WANTED)
@holds
def test_mx_hosts_shown_without_preference_settle_too(live, desired):
    bare = without_preferences(live)
    try:
        planned = plan(ZONE, bare, desired)
    except PlanRefused:
        reject()
    made = calls(planned)
    assert not any(host_alone(key[1], value) for verb, key, _ttl, value in made if verb == "POST")
    deleted = {key for verb, key, *_rest in made if verb == "DELETE"}
    after = {key: held for key, held in bare.items() if key not in deleted}
    for verb, key, ttl, value in made:
        if verb == "POST":
            held = after.get(key, RecordSet(*key, ttl, ()))
            after[key] = RecordSet(
                *key, ttl, (*held.values, shown_by_service(key[1], value, in_quotes=True))
            )
    assert plan(ZONE, without_preferences(after), desired).changes == ()
