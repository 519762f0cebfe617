# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How far a task may go, as tables of zones, wishes and globs, in the lines of ``plan_lines``."""

import pytest
from plan_lines import (
    APEX,
    ZONE,
    cases,
    desired_sets,
    hosts,
    kept,
    lines,
    plan,
    pruning,
    shown,
    zone,
)
from shorthand import change, named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidInput
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import some_names
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import Glob
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import (
    ALL,
    LIMIT_OPTIONS,
    Limits,
    limits_of,
    many_rebuilt,
    refuse_beyond_limits,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.records import (
    RecordRefused,
    RecordsRefused,
    desired_of_name,
    desired_record_sets,
)

RESOLVERS_KEEP = 600
"""Seconds, as the SOA says."""

NO_NAMES = [
    "a..b",
    "x" * 64,
    "a\\",
    "\t.a",
    "a b" * 99,
    "*..b",
    ".*",
    "*.a\\b",
    "a\\.b?\\",
    r"\*..b",
    r"\x*",
]


@pytest.mark.parametrize("name", NO_NAMES)
def test_a_name_that_is_none_guards_nothing(name):
    message = "^protect names '.*', which can match nothing in any of the zones$"
    with pytest.raises(InvalidInput, match=message):
        limits_of({"protect": [{"name": name}]}, [ZONE, "example.org."])


@pytest.mark.parametrize(
    "name", ["*", "*.", "a*.", "*.b", "[!.]*", r"*\.b", r"a\046*", r"\\*", "[.]x*", r"[\w]", "a b*"]
)
def test_a_name_that_may_be_one_guards_it(name):
    limits_of({"protect": [{"name": name}]}, [ZONE, "b."])


@pytest.mark.parametrize(
    "rdtype, known", [("mxx", "MX"), ("CNAEM", "CNAME"), ("TXTT", "TXT"), ("HTTP", "HTTPS")]
)
def test_a_type_that_is_nearly_one_guards_nothing(rdtype, known):
    with pytest.raises(InvalidInput) as refused:
        limits_of(
            {"ignore": [{"type": rdtype}], "protect": [{"type": "A"}, {"type": rdtype}]}, [ZONE]
        )
    message = f"cannot be used: the type {rdtype.upper()} is unknown (did you mean {known}?)"
    assert str(refused.value) == f"ignore {message}; protect {message}"


@pytest.mark.parametrize(
    "rdtype", ["TX*", "?X", "[AM]X", "ALIAS", "URL", "TYPE65280", "BOGUS", "RESINFO", ""]
)
def test_a_type_that_may_be_one_guards_it(rdtype):
    limits_of({"ignore": [{"type": rdtype}]}, [ZONE])


SPF = """
    @ 300 IN TXT "v=spf1 a -all"
    @ 300 IN TXT "google-site-verification=x"
"""
REPLACING = """
the one among others
    @ 300 IN TXT "v=spf1 a -all"
    @ 300 IN TXT "google-site-verification=x"
    present @ IN TXT v=spf1 mx -all
    replaces v=spf1*
    rebuild @ TXT
    - 300 "v=spf1 a -all"
      300 "google-site-verification=x"
    + 300 "v=spf1 mx -all"
what is wanted and there stays, and the other goes
    @ 300 IN TXT "v=spf1 a -all"
    @ 300 IN TXT "v=spf1 mx -all"
    present @ IN TXT v=spf1 mx -all
    replaces v=spf1*
    rebuild @ TXT
    - 300 "v=spf1 a -all"
      300 "v=spf1 mx -all"
nothing matches, so one is added
    @ 300 IN TXT "v=spf1 a -all"
    @ 300 IN TXT "google-site-verification=x"
    present @ IN TXT v=spf1 mx -all
    replaces v=spf2*
    replaces "v=spf1*
    extend @ TXT
      300 "v=spf1 a -all"
      300 "google-site-verification=x"
    + 300 "v=spf1 mx -all"
a CNAME
    www 300 IN CNAME old
    present www IN CNAME new
    replaces OLD.example.com
    rebuild www CNAME
    - 300 old.example.com.
    + 300 new.example.com.
"""


def replacing(desired, globs):
    (one,) = desired_sets(desired)
    record = {
        "name": one.name,
        "type": one.type,
        "content": list(one.values),
        "ttl": one.ttl,
        "state": "present",
    }
    return desired_of_name(ZONE, {**record, "replaces": globs})


@pytest.mark.parametrize("live, desired, planned, options", cases(REPLACING, options=("replaces",)))
def test_replaces(live, desired, planned, options):
    one = replacing(desired, [option.removeprefix("replaces ") for option in options])
    found = plan(ZONE, zone(APEX + live), [one])
    assert shown(found) == lines(planned)
    for made in found.changes:
        assert made.after
        again = {made.key: RecordSet(*made.key, made.after.ttl, made.after.values)}
        assert plan(ZONE, again, [one]).changes == ()


REFUSED_REPLACING = {
    "to go": ({"state": "absent"}, "replaces works only with state present: leave it out, or list the values"),
    "all types to go": ({"state": "absent", "type": "*", "content": None}, "replaces works only with state present"),
    "exclusive": ({"exclusive": True}, "exclusive removes all other values, replaces only some"),
    "of the service": ({"type": "NS", "content": ["ns1.example.net."]}, "NS at the apex belongs to the service"),
}  # fmt: skip


@named_rows("options, reason", REFUSED_REPLACING)
def test_replaces_is_refused(options, reason):
    record = {"name": "@", "type": "TXT", "content": ["x"], "state": "present", **options}
    with pytest.raises(RecordRefused) as refusal:
        desired_of_name(ZONE, {**record, "replaces": ["x*"]})
    assert reason in str(refusal.value)
    for none in ([], None):
        assert desired_of_name(ZONE, {**record, "replaces": none}) == desired_of_name(ZONE, record)


@pytest.mark.parametrize(
    "options", [{}, {"content": ["x"]}, {"type": "*"}], ids=["a-set", "values", "all-types"]
)
def test_what_is_to_go_is_not_exclusive(options):
    record = {"name": "www", "type": "TXT", "state": "absent", "exclusive": True, **options}
    with pytest.raises(RecordRefused) as refusal:
        desired_of_name(ZONE, record)
    assert refusal.value.reasons == ["exclusive works only with state present: leave it out"]


WWW = "www 300 IN A 192.0.2.1\nwww 300 IN AAAA 2001:db8::1\nftp 300 IN A 192.0.2.1"
PROTECTING = """
extended
    present www IN A 192.0.2.2
    protect *
    extend www A
      300 192.0.2.1
    + 300 192.0.2.2
another value
    exactly www IN A 192.0.2.2
    protect www
    > would rebuild www.example.com. A,
absent
    absent www IN A
    protect www A
    > would delete www.example.com. A,
a value that goes
    www 300 IN A 192.0.2.1
    www 300 IN AAAA 2001:db8::1
    ftp 300 IN A 192.0.2.1
    www 300 IN A 192.0.2.2
    absent www IN A 192.0.2.2
    protect www
    > would rebuild www.example.com. A,
pruned, with all that is
    exactly ftp IN A 192.0.2.2
    prune
    protect www
    protect f*
    > would rebuild ftp.example.com. A, delete www.example.com. A, delete www.example.com. AAAA, but protect
another value of the glob
    absent www IN A
    protect www A 198.*
    delete www A
    - 300 192.0.2.1
the value that the zone holds
    exactly www IN A 198.51.100.1
    protect www A 192.*
    > would rebuild www.example.com. A,
the value that the zone would hold
    exactly www IN A 198.51.100.1
    protect www A 198.*
    rebuild www A
    - 300 192.0.2.1
    + 300 198.51.100.1
"""


@pytest.mark.parametrize(
    "live, desired, expected, options", cases(PROTECTING, WWW, options=("prune", "protect"))
)
def test_protect(live, desired, expected, options):
    protect = tuple(Glob(*option.split()[1:]) for option in options if option != "prune")
    limits = Limits(prune="prune" in options, protect=protect)
    task = (ZONE, zone(APEX + live), desired_sets(desired), limits)
    if expected.startswith("would"):
        with pytest.raises(PlanRefused) as refusal:
            plan(*task)
        assert f"the plan {expected}" in str(refusal.value)
    else:
        assert shown(plan(*task)) == lines(expected)


# What a later round may do, by what the zone holds then, what was planned, and what is to be done again.

HELD, OTHERS, TTL = "300 192.0.2.1", "300 192.0.2.9", "60 192.0.2.1"
FOREIGN = "www 300 IN A 192.0.2.9"
EXTENDED, MADE = change("www", "A", HELD, "300 192.0.2.1 192.0.2.2"), change("www", "A", "", HELD)
REBUILT, GONE = change("www", "A", HELD, TTL), change("www", "A", OTHERS, "")
AGAIN = change("www", "A", OTHERS, HELD)
NAME, VALUE = (Glob("www"),), (Glob(value="192.0.2.9"),)
TEN = hosts(9) + FOREIGN
FURTHER = {
    "protect a name, rebuilt": (
        FOREIGN,
        EXTENDED,
        AGAIN,
        Limits(protect=NAME),
        "rebuild www.example.com. A, but protect",
    ),
    "protect a value that others made": (
        FOREIGN,
        EXTENDED,
        AGAIN,
        Limits(protect=VALUE),
        "rebuild www.example.com. A",
    ),
    "protect, a TTL": (
        "www 300 IN A 192.0.2.1",
        EXTENDED,
        REBUILT,
        Limits(protect=NAME),
        "rebuild www.example.com. A, but protect matches it",
    ),
    "protect, deleted": (
        FOREIGN,
        REBUILT,
        GONE,
        Limits(protect=NAME),
        "delete www.example.com. A, but protect",
    ),
    "protect what the task has made itself": (FOREIGN, MADE, AGAIN, Limits(protect=NAME), ""),
    "protect what is gone": ("", EXTENDED, AGAIN, Limits(protect=NAME), ""),
    "change_limit, one of ten": (
        TEN,
        EXTENDED,
        AGAIN,
        Limits(change_limit=9),
        "rebuild 1 of the zone's 10 sets",
    ),
    "change_limit, the same set twice": (TEN, REBUILT, AGAIN, Limits(change_limit=10), ""),
    "change_limit, what the task has made itself": (TEN, MADE, AGAIN, Limits(change_limit=0), ""),
    "change_limit, with what is gone by now": (
        hosts(9),
        GONE,
        change("host1", "A", OTHERS, HELD),
        Limits(change_limit=19),
        "rebuild 2 of the zone's 10 sets, more than change_limit (19 percent) allows: host1.example.com. A",
    ),
}


@named_rows("live, planned, again, limits, refusal", FURTHER)
def test_a_later_round_goes_no_further(live, planned, again, limits, refusal):
    message = ""
    try:
        refuse_beyond_limits(ZONE, zone(APEX + live), [planned], [again], limits)
    except PlanRefused as refused:
        message = str(refused)
    assert refusal in message
    assert bool(message) is bool(refusal)


def test_a_refusal_names_twenty_sets_and_the_number_of_the_others():
    live = zone(APEX + hosts(23))
    desired = desired_sets("".join(f"absent host{i} IN A\n" for i in range(23)))
    with pytest.raises(PlanRefused) as refusal:
        plan(ZONE, live, desired, Limits(protect=(Glob("host*"),)))
    assert str(refusal.value).count("delete host") == 20
    assert "host6.example.com. A and 3 more, but protect" in str(refusal.value)


@pytest.mark.parametrize(
    "sets, absent, ttl, limit, refused",
    [
        (10, 3, 0, 30, False),  # as many as may
        (10, 4, 0, 30, True),  # one too many
        (10, 2, 2, 30, True),  # rebuilt ones count too
        (9, 9, 0, 0, False),  # fewer than 10 sets
        (10, 1, 0, 0, True),  # 0 allows none
        (10, 0, 0, 0, False),  # 0 and nothing to change
        (101, 100, 0, 99, True),  # 99 is a limit
        (10, 10, 0, 100, False),  # 100 is none
    ],
)
@pytest.mark.parametrize("prune", [True, False])
def test_change_limit(sets, absent, ttl, limit, refused, prune):
    live = zone(APEX + hosts(sets))
    changed = "".join(f"exactly host{i} 60 IN A 192.0.2.{i}\n" for i in range(absent, absent + ttl))
    stays = "".join(f"exactly host{i} IN A 192.0.2.{i}\n" for i in range(absent + ttl, sets))
    gone = "" if prune else "".join(f"absent host{i} IN A\n" for i in range(absent))
    desired = desired_sets(changed + stays + gone + "exactly new IN A 192.0.2.1")
    limits = Limits(prune=prune, prune_limit=100, change_limit=limit)
    if not refused:
        assert len(plan(ZONE, live, desired, limits).changes) == absent + ttl + 1
        return
    with pytest.raises(PlanRefused) as refusal:
        plan(ZONE, live, desired, limits)
    message = f"the plan would delete or rebuild {absent + ttl} of the zone's {sets} sets, more than change_limit ({limit} "
    assert str(refusal.value).startswith(f"{message}percent) allows: host0.example.com. A")
    assert ("and 80 more" in str(refusal.value)) is (absent == 100)


def test_change_limit_counts_neither_soa_nor_the_own_ns_nor_what_is_extended():
    live = zone(APEX + hosts(9) + "sub 300 IN NS ns1.example.net.")
    desired = desired_sets("".join(f"present host{i} IN A 198.51.100.{i}\n" for i in range(9)))
    assert len(plan(ZONE, live, desired, Limits(change_limit=0)).changes) == 9
    with pytest.raises(PlanRefused, match="1 of the zone's 10 sets"):
        plan(ZONE, live, desired_sets("absent sub IN NS"), Limits(change_limit=0))


VERIFIED = Glob("@", "TXT", "google-site-verification=*")


def test_what_is_ignored_by_a_value_survives_prune_whole():
    live = zone(APEX + SPF + "ftp 300 IN TXT other\nwww 300 IN A 192.0.2.1")
    planned = plan(
        ZONE,
        live,
        desired_sets("exactly www IN A 192.0.2.1"),
        Limits(prune=True, ignore=(VERIFIED,)),
    )
    assert shown(planned) == lines('delete ftp TXT\n- 300 "other"')


@pytest.mark.parametrize("prune", [True, False])
@pytest.mark.parametrize("desired", ["exactly @ IN TXT v=spf1 mx -all", "absent @ IN TXT"])
def test_what_is_ignored_by_a_value_that_the_zone_holds_is_not_to_be_listed(desired, prune):
    limits = Limits(prune=prune, prune_limit=100, ignore=(VERIFIED,))
    with pytest.raises(PlanRefused) as refusal:
        plan(ZONE, zone(APEX + SPF), desired_sets(desired), limits)
    assert str(refusal.value) == (
        "ignore matches example.com. TXT as the zone holds it, so this task may not touch it: "
        "leave that out, or change the option"
    )
    without = zone(APEX + '@ 300 IN TXT "v=spf1 a -all"')
    assert len(plan(ZONE, without, desired_sets(desired), limits).changes) == 1


def test_what_is_ignored_by_the_type_that_the_service_shows_is_not_to_be_listed():
    shown_by_number = RecordSet(
        "www.example.com.", "HTTPS", 300, ("1 .",), shown=Key("www.example.com.", "TYPE65")
    )
    desired = desired_sets("exactly www IN HTTPS 1 a.example.net.")
    with pytest.raises(
        PlanRefused, match=r"^ignore matches www.example.com. HTTPS as the zone holds it"
    ):
        plan(
            ZONE,
            {shown_by_number.key: shown_by_number},
            desired,
            Limits(ignore=(Glob(type="TYPE6*"),)),
        )


def test_several_that_are_ignored_are_named_at_once():
    live = zone(APEX + hosts(3))
    message = (
        r"^ignore matches host0.example.com. A, host1.example.com. A as the zone holds it, so this task may "
        "not touch it: leave that out, or change the option$"
    )
    with pytest.raises(PlanRefused, match=message):
        plan(ZONE, live, desired_sets(kept(3)), Limits(ignore=(Glob(value="192.0.2.[01]"),)))


def test_what_is_listed_with_a_value_that_is_ignored_is_refused_before_it_is_there():
    rows = [
        {"name": "@", "type": "TXT", "content": ["v=spf1 -all"], "state": "present"},
        {"name": "@", "type": "TXT", "content": ["google-site-verification=x"], "state": "present"},
        {
            "name": "www",
            "type": "TXT",
            "content": ["google-site-verification=x"],
            "state": "present",
        },
        {"name": "@", "type": "TXT", "state": "absent"},
    ]
    limits = Limits(ignore=(VERIFIED,))
    with pytest.raises(RecordsRefused) as refusal:
        desired_record_sets(ZONE, rows[:3], None, limits)
    assert refusal.value.reasons == [
        "records[1] @ TXT: ignore matches it, so the task cannot change it"
    ]
    assert desired_record_sets(ZONE, rows[3:], None, limits) == [Desired("example.com.", "TXT")]


@pytest.mark.parametrize(
    "sets, desired, limit, refused",
    [
        (10, 7, 30, False),  # 10 sets 30 percent
        (10, 6, 30, True),  # 10 sets 40 percent
        (9, 1, 30, False),  # 9 sets have no limit
        (10, 0, 100, False),  # 100 turns it off
        (101, 1, 99, True),  # 99 does not
        (10, 9, 0, True),  # 0 allows none
        (10, 10, 0, False),  # 0 and nothing to prune
    ],
)
def test_prune_limit(sets, desired, limit, refused):
    live, prune = zone(APEX + hosts(sets)), pruning(limit=limit)
    if not refused:
        assert len(plan(ZONE, live, desired_sets(kept(desired)), prune).changes) == sets - desired
        return
    with pytest.raises(PlanRefused) as refusal:
        plan(ZONE, live, desired_sets(kept(desired)), prune)
    going = some_names(sorted(f"host{i}.example.com. A" for i in range(desired, sets)))
    assert str(refusal.value) == (
        f"prune would remove {sets - desired} of the zone's {sets} sets, more than prune_limit "
        f"({limit} percent) allows: {going}; raise prune_limit if you want all of that"
    )


@pytest.mark.parametrize(
    "desired",
    [
        "",
        "absent gone IN A",
        "present @ 86400 IN NS ns1.example.net.\npresent @ 86400 IN NS ns2.example.net.",
    ],
)
@pytest.mark.parametrize("sets", [1, 2, 9, 10])
def test_prune_does_not_empty_a_zone_of_any_size_for_which_nothing_is_wanted(desired, sets):
    live = zone(APEX + hosts(sets))
    message = f"prune would remove all {sets} sets, .*prune_limit to 100"
    with pytest.raises(PlanRefused, match=message):
        plan(ZONE, live, desired_sets(desired), pruning(limit=99))
    assert len(plan(ZONE, live, desired_sets(desired), pruning(limit=100)).changes) == sets


def test_prune_where_nothing_is_wanted_and_nothing_would_go():
    live = zone(APEX + "dyn 300 IN TXT text")
    assert plan(ZONE, live, [], pruning((("dyn", "*"),), limit=0)).changes == ()
    assert plan(ZONE, zone(APEX), [], pruning()).changes == ()
    gone = plan(ZONE, live, desired_sets("absent dyn IN TXT"), pruning())
    assert len(gone.changes) == 1


@pytest.mark.parametrize("glob", ["HTTPS", "TYPE65", "TYPE6*", "HTTP*"])
def test_types_are_ignored_as_the_service_shows_them_too(glob):
    shown_by_number = RecordSet(
        "www.example.com.", "HTTPS", 300, ("1 .",), shown=Key("www.example.com.", "TYPE65")
    )
    live = {**zone(APEX), shown_by_number.key: shown_by_number}
    assert plan(ZONE, live, [], pruning((("*", glob),), ALL)).changes == ()
    assert plan(ZONE, live, [], pruning((("*", "TYPE66"),), ALL)).changes != ()


def test_prune_limit_counts_neither_what_is_ignored_nor_what_the_service_owns():
    signing = "@ 300 IN DNSKEY 257 3 13 AAAA\nhost1 300 IN NSEC host2.example.com. A\n"
    live = zone(APEX + hosts(9) + signing + "dyn 300 IN TXT text")
    assert (
        len(plan(ZONE, live, desired_sets(kept(1)), pruning((("dyn", "*"),), limit=30)).changes)
        == 8
    )


# Options to limits.

REFUSED_OPTIONS = {
    "prune_limit": ({"prune_limit": -1}, "prune_limit is -1, but must be 0 to 100"),
    "change_limit": ({"change_limit": 101}, "change_limit is 101, but must be 0 to 100"),
    "ignore": (
        {"ignore": [{"name": "WWW.example.org."}]},
        "ignore names 'www.example.org.', which can match nothing in the zone example.com.",
    ),
    "types in one": (
        {"ignore": [{"type": "MX, TXT"}]},
        "ignore has 'MX, TXT', which is not a glob: write * for any text, and an entry for each name and type",
    ),
    "types as in a regular expression": (
        {"protect": [{"type": "NS|MX"}]},
        "protect has 'NS|MX', which is not a glob: write * for any text, and an entry for each name and type",
    ),
    "names as in a regular expression": (
        {"ignore": [{"name": "^(blog|www).*$"}]},
        "ignore has '^(blog|www).*$', which is not a glob: write * for any text, and an entry for each name and type",
    ),
    "protect": (
        {"protect": [{"name": "a.example.org."}, {"name": ""}]},
        "protect names 'a.example.org.' and '', which can match nothing in the zone example.com.",
    ),
    "all at once": (
        {"prune_limit": 101, "change_limit": -1, "protect": [{"name": "."}]},
        (
            "prune_limit is 101, but must be 0 to 100; change_limit is -1, but must be 0 to 100; "
            "protect names '.', which can match nothing in the zone example.com."
        ),
    ),
}


@named_rows("options, reason", REFUSED_OPTIONS)
def test_options_that_cannot_be_used(options, reason):
    with pytest.raises(InvalidInput) as refusal:
        limits_of(options, [ZONE])
    assert str(refusal.value) == reason


def test_options_to_limits():
    nothing = dict.fromkeys(LIMIT_OPTIONS)
    defaults = {name: rules["default"] for name, rules in LIMIT_OPTIONS.items()}
    assert (
        limits_of({}, [ZONE])
        == limits_of(nothing, [ZONE])
        == limits_of(defaults, [ZONE])
        == Limits()
    )
    options = {
        "prune": True,
        "prune_limit": 0,
        "change_limit": 0,
        "ignore": [{"name": "WWW", "type": "a*", "value": "X"}, {"type": "type65"}],
        "protect": [{"name": None, "type": None, "value": None}],
        "records": "something else",
    }
    ignore = (Glob("www", "A*", "X"), Glob("*", "HTTPS", "*"))
    assert limits_of(options, [ZONE]) == Limits(True, 0, 0, ignore, (Glob(),))


MANY = {
    # how many sets are rebuilt of how many, and whether it is told
    "none": (0, 20, False),
    "three of ten": (3, 10, False),
    "four of ten": (4, 10, True),
    "all of nine": (9, 9, False),
    "all": (20, 20, True),
}


@named_rows("rebuilt, total, is_told", MANY)
def test_many_rebuilds_are_told_with_how_long_resolvers_may_keep_that(rebuilt, total, is_told):
    soa = f"@ 7200 IN SOA ns hostmaster 1 7200 900 1209600 {RESOLVERS_KEEP}"
    live = zone("\n".join([soa, *(f"h{n} 300 IN A 192.0.2.1" for n in range(total))]))
    wanted = "\n".join(f"present h{n} 60 IN A 192.0.2.1" for n in range(rebuilt))
    changes = plan(ZONE, live, desired_sets(wanted)).changes
    told = [*many_rebuilt(ZONE, live, changes, Limits())]
    sentence = (
        f"the plan rebuilds {rebuilt} of the zone's {total} sets: each is gone for a moment, and resolvers that ask "
        f"then may remember that for {RESOLVERS_KEEP} seconds (the last number of the SOA); to refuse such plans, set "
        "change_limit"
    )
    assert told == ([sentence] if is_told else [])


def test_rebuilds_outside_only_do_not_count():
    live = zone("\n".join(f"h{n} 300 IN A 192.0.2.1" for n in range(20)))
    wanted = "\n".join(f"present h{n} 60 IN A 192.0.2.1" for n in range(4))
    changes = plan(ZONE, live, desired_sets(wanted)).changes
    only = tuple(Glob(f"h{n}") for n in range(10))
    assert [*many_rebuilt(ZONE, live, changes, Limits())] == []
    (told,) = many_rebuilt(ZONE, live, changes, Limits(only=only))
    assert told.startswith("the plan rebuilds 4 of the zone's 10 sets: each is gone for a moment")


def test_globs_of_many_zones_have_to_match_in_one_of_them():
    options = {
        "ignore": [{"name": "*.example.org."}, {"name": "dyn"}],
        "protect": [{"name": "mx.example.com."}],
    }
    limits = limits_of(options, [ZONE, "example.org."])
    assert limits.ignore == (Glob("*.example.org."), Glob("dyn"))
    with pytest.raises(InvalidInput) as refusal:
        limits_of(options, ["example.net.", "example.org."])
    assert (
        str(refusal.value)
        == "protect names 'mx.example.com.', which can match nothing in any of the zones"
    )
