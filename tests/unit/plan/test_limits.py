# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How far a task may go, as tables of zones, wishes and globs, in the lines of ``plan_lines``."""

from dataclasses import replace

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
    plan_or_refusal,
    pruning,
    shown,
    zone,
)
from shorthand import change, named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import (
    InvalidInput,
    relative_name,
)
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


@pytest.mark.parametrize("live, desired, planned, options", cases(REPLACING, options=("replaces",)))
def test_replaces(live, desired, planned, options):
    (one,) = desired_sets(desired)
    globs = tuple(option.removeprefix("replaces ") for option in options)
    assert shown(plan(ZONE, zone(APEX + live), [replace(one, replaces=globs)])) == lines(planned)


GLOBS = {"replaces": ["x*"]}
GO = {"state": "absent", "exclusive": True}
REFUSED = {
    "replaces, to go": ({**GLOBS, "state": "absent"}, "replaces works only with state present: leave it out, or list the values"),
    "replaces, exclusive": ({**GLOBS, "exclusive": True}, "exclusive removes all other values, replaces only some"),
    "replaces, a template": ({"replaces": ["x*", "None"]}, "replaces has 'None', it is the placeholder of"),
    "replaces, of the service": ({**GLOBS, "type": "NS", "content": ["ns1.example.net."]}, "NS at the apex belongs to"),
    "exclusive, to go": (GO, "@ TXT: exclusive works only with state present: leave it out"),
    "exclusive, all types to go": ({**GO, "type": "*", "content": None}, "@ *: exclusive works only with state present"),
}  # fmt: skip


@named_rows("options, reason", REFUSED)
def test_what_removes_others_has_its_place(options, reason):
    record = {"name": "@", "type": "TXT", "content": ["x"], "state": "present", **options}
    with pytest.raises(RecordRefused) as refusal:
        desired_of_name(ZONE, record)
    assert reason in str(refusal.value)


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
    > would rebuild www.example.com. A, but protect matches it
absent
    absent www IN A
    protect www A
    > would delete www.example.com. A, but protect matches it
a value that goes
    www 300 IN A 192.0.2.1
    www 300 IN AAAA 2001:db8::1
    ftp 300 IN A 192.0.2.1
    www 300 IN A 192.0.2.2
    absent www IN A 192.0.2.2
    protect www
    > would rebuild www.example.com. A, but protect matches it
pruned, with all that is
    exactly ftp IN A 192.0.2.2
    prune
    protect www
    protect f*
    > would rebuild ftp.example.com. A, delete www.example.com. A, delete www.example.com. AAAA, but protect matches them
another value of the glob
    absent www IN A
    protect www A 198.*
    delete www A
    - 300 192.0.2.1
the value that the zone holds
    exactly www IN A 198.51.100.1
    protect www A 192.*
    > would rebuild www.example.com. A, but protect matches it
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
    told = plan_or_refusal(zone(APEX + live), desired_sets(desired), limits)
    assert told.removeprefix("the plan ").partition(":")[0] == lines(expected)


# What a later round may do, by what the zone holds then, what was planned, and what is to be done again.

HELD, OTHERS, TTL = "300 192.0.2.1", "300 192.0.2.9", "60 192.0.2.1"
FOREIGN = "www 300 IN A 192.0.2.9"
EXTENDED, MADE = change("www", "A", HELD, "300 192.0.2.1 192.0.2.2"), change("www", "A", "", HELD)
REBUILT, GONE = change("www", "A", HELD, TTL), change("www", "A", OTHERS, "")
AGAIN = change("www", "A", OTHERS, HELD)
PROTECTED = Limits(protect=(Glob(value="192.0.2.9"),))
TEN = hosts(9) + FOREIGN
FURTHER = {
    "protect, of a value that others made": (
        FOREIGN,
        EXTENDED,
        AGAIN,
        PROTECTED,
        "rebuild www.example.com. A, but protect",
    ),
    "protect, of what the task has made itself": (FOREIGN, MADE, AGAIN, PROTECTED, ""),
    "protect, of what is gone": ("", EXTENDED, AGAIN, PROTECTED, ""),
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


@pytest.mark.parametrize(
    "sets, gone, rebuilt, limit, is_refused",
    [
        (10, 3, 0, 30, False),  # as many as may
        (10, 2, 2, 30, True),  # one too many, and rebuilt ones count too
        (9, 9, 0, 0, False),  # fewer than 10 sets
        (10, 1, 0, 0, True),  # 0 allows none
        (101, 100, 0, 99, True),  # 99 is a limit
        (10, 10, 0, 100, False),  # 100 is none
    ],
)
def test_change_limit(sets, gone, rebuilt, limit, is_refused):
    """The first that goes is listed, and the others are pruned."""
    wanted = "absent host0 IN A\nexactly new IN A 192.0.2.1\n"
    wanted += "".join(f"exactly host{i} 60 IN A 192.0.2.{i}\n" for i in range(gone, gone + rebuilt))
    wanted += "".join(f"exactly host{i} IN A 192.0.2.{i}\n" for i in range(gone + rebuilt, sets))
    limits = Limits(prune=True, prune_limit=100, change_limit=limit)
    told = plan_or_refusal(zone(APEX + hosts(sets)), desired_sets(wanted), limits)
    message = (
        f"the plan would delete or rebuild {gone + rebuilt} of the zone's {sets} sets, more than "
        f"change_limit ({limit} percent) allows: host0.example.com. A"
    )
    assert told.startswith(message if is_refused else "delete host0 A")


def test_change_limit_counts_neither_soa_nor_the_own_ns_nor_what_is_extended():
    live = zone(APEX + hosts(9) + "sub 300 IN NS ns1.example.net.")
    desired = desired_sets("".join(f"present host{i} IN A 198.51.100.{i}\n" for i in range(9)))
    assert len(plan(ZONE, live, desired, Limits(change_limit=0)).changes) == 9
    with pytest.raises(PlanRefused, match="1 of the zone's 10 sets"):
        plan(ZONE, live, desired_sets("absent sub IN NS"), Limits(change_limit=0))


# What is ignored

VERIFIED = Limits(prune=True, prune_limit=ALL, ignore=(Glob("@", "TXT", "google-site-verif*"),))
SPF = """
    @ 300 IN TXT "v=spf1 a -all"
    @ 300 IN TXT "google-site-verification=x"
"""


def test_what_is_ignored_by_a_value_survives_prune_whole():
    live = zone(APEX + SPF + "ftp 300 IN TXT other")
    assert plan_or_refusal(live, [], VERIFIED) == lines('delete ftp TXT\n- 300 "other"')


@pytest.mark.parametrize("desired", ["exactly @ IN TXT v=spf1 mx -all", "absent @ IN TXT"])
def test_what_is_ignored_by_a_value_that_the_zone_holds_is_not_to_be_listed(desired):
    assert plan_or_refusal(zone(APEX + SPF), desired_sets(desired), VERIFIED) == (
        "ignore matches example.com. TXT as the zone holds it, so this task may not touch it: "
        "leave that out, or change the option"
    )
    without = zone(APEX + '@ 300 IN TXT "v=spf1 a -all"')
    assert len(plan(ZONE, without, desired_sets(desired), VERIFIED).changes) == 1


def test_what_is_listed_with_a_value_that_is_ignored_is_refused_before_it_is_there():
    said = {"name": "@", "type": "TXT", "content": ["google-site-verification=x"]}
    rows = [{**said, "state": "present"}, {**said, "name": "www", "state": "present"}]
    with pytest.raises(RecordsRefused) as refusal:
        desired_record_sets(ZONE, rows, None, VERIFIED)
    assert refusal.value.reasons == [
        "records[0] @ TXT: ignore matches it, so the task cannot change it"
    ]
    gone = {**said, "content": None, "state": "absent"}
    assert desired_record_sets(ZONE, [gone], None, VERIFIED) == [Desired("example.com.", "TXT")]


@pytest.mark.parametrize("glob", ["HTTPS", "TYPE6*"])
def test_types_are_ignored_as_the_service_shows_them_too(glob):
    shown_by_number = RecordSet(
        "www.example.com.", "HTTPS", 300, ("1 .",), shown=Key("www.example.com.", "TYPE65")
    )
    live = {**zone(APEX), shown_by_number.key: shown_by_number}
    assert plan(ZONE, live, [], pruning((("*", glob),), ALL)).changes == ()
    assert plan(ZONE, live, [], pruning((("*", "TYPE66"),), ALL)).changes != ()


# Prune

ONE_TOO_MANY = (
    "prune would remove {} of the zone's 10 sets, more than prune_limit ({} percent) allows: {}host8.example.com. A, "
    "host9.example.com. A; raise prune_limit if you want all of that"
)


@pytest.mark.parametrize(
    "sets, desired, limit, refusal",
    [
        (10, 7, 30, ""),
        (10, 6, 30, ONE_TOO_MANY.format(4, 30, "host6.example.com. A, host7.example.com. A, ")),
        (9, 1, 30, ""),  # 9 sets have no limit
        (10, 8, 0, ONE_TOO_MANY.format(2, 0, "")),  # 0 allows none
    ],
)
def test_prune_limit(sets, desired, limit, refusal):
    told = plan_or_refusal(
        zone(APEX + hosts(sets)), desired_sets(kept(desired)), pruning(limit=limit)
    )
    assert told == refusal or (told.count("delete host") == sets - desired and not refusal)


@pytest.mark.parametrize(
    "desired",
    [
        "",
        "absent gone IN A",
        "present @ 86400 IN NS ns1.example.net.\npresent @ 86400 IN NS ns2.example.net.",
    ],
)
@pytest.mark.parametrize("sets", [1, 10])
def test_prune_does_not_empty_a_zone_of_any_size_for_which_nothing_is_wanted(desired, sets):
    live = zone(APEX + hosts(sets))
    message = f"prune would remove all {sets} sets, .*prune_limit to 100"
    with pytest.raises(PlanRefused, match=message):
        plan(ZONE, live, desired_sets(desired), pruning(limit=99))
    assert len(plan(ZONE, live, desired_sets(desired), pruning(limit=100)).changes) == sets


def test_prune_where_nothing_is_wanted_and_nothing_would_go():
    live = zone(APEX + "dyn 300 IN TXT text")
    assert plan(ZONE, live, [], pruning((("dyn", "*"),), limit=0)).changes == ()
    assert len(plan(ZONE, live, desired_sets("absent dyn IN TXT"), pruning()).changes) == 1


def test_prune_limit_counts_neither_what_is_ignored_nor_what_the_service_owns():
    signing = "@ 300 IN DNSKEY 257 3 13 AAAA\nhost1 300 IN NSEC host2.example.com. A\n"
    live = zone(APEX + hosts(9) + signing + "dyn 300 IN TXT text")
    ignoring = pruning((("dyn", "*"),), limit=30)
    assert len(plan(ZONE, live, desired_sets(kept(1)), ignoring).changes) == 8


ZONE_OF_MANY = """
    @           300 IN A     192.0.2.1
    ftp         300 IN CNAME www
    www         300 IN A     192.0.2.2
    www         300 IN AAAA  2001:db8::2
    _acme.www   300 IN TXT   "token"
    a.b.dyn     300 IN A     192.0.2.3
    c.dyn       300 IN TXT   "dynamic"
    sub         300 IN NS    ns1.example.net.
"""


@pytest.mark.parametrize(
    "ignore, gone",
    [
        (
            [],
            "_acme.www TXT, a.b.dyn A, c.dyn TXT, @ A, ftp CNAME, sub NS, www A, www AAAA",
        ),  # all but SOA and the NS of the zone
        (
            [("_acme*", "TXT"), ("@", "A")],
            "a.b.dyn A, c.dyn TXT, ftp CNAME, sub NS, www A, www AAAA",
        ),
        ([("*", "*")], ""),
    ],
)
def test_prune(ignore, gone):
    changes = plan(ZONE, zone(APEX + ZONE_OF_MANY), [], pruning(ignore, 100)).changes
    assert {change.action for change in changes} <= {"delete"}
    assert ", ".join(names(changes)) == gone


def names(changes):
    """Changes as ``www A``."""
    return [f"{relative_name(one.key.name, ZONE)} {one.key.type}" for one in changes]


SIGNED = """
    @     300 IN A          192.0.2.1
    @     300 IN CDNSKEY    257 3 13 AAAA
    @     300 IN CDS        1 13 2 00
    @     300 IN DNSKEY     257 3 13 AAAA
    @     300 IN NSEC       www.example.com. A RRSIG NSEC
    @     300 IN NSEC3PARAM 1 0 0 -
    @     300 IN RRSIG      A 13 2 300 20260101000000 20250101000000 1 example.com. AAAA
    @     300 IN TYPE65534  \\# 5 0d00010001
    @     300 IN ZONEMD     1 1 1 00
    sub   300 IN ZONEMD     1 1 1 00
    0p9m  300 IN NSEC3      1 0 0 - 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR A RRSIG
    www   300 IN NSEC       example.com. A RRSIG NSEC
    www   300 IN RRSIG      A 13 3 300 20260101000000 20250101000000 1 example.com. AAAA
    sub   300 IN CDS        1 13 2 00
    sub   300 IN CDNSKEY    257 3 13 AAAA
    sub   300 IN DNSKEY     257 3 13 AAAA
    sub   300 IN DS         1 13 2 00
"""

# Each row: what a zone holds beside its apex, the limits, and how many sets the warning tells of.
EMPTIED = {
    "all that was there": (("a", "b", "c", "d"), {}, 4),
    "one set": (("a",), {}, 0),
    "all but one that is wanted": (("www", "b", "c"), {}, 0),
    "all but one that is ignored": (("a", "b", "c"), {"ignore": (Glob("a"),)}, 2),
    "all that the task is about": (("a.dev", "b.dev"), {"only": (Glob("*.dev"), Glob("www"))}, 0),
    "as many as are meant": (("a", "b", "c", "d"), {"prune_limit": 100}, 0),
}


@named_rows("owners, limits, told", EMPTIED)
def test_prune_of_all_that_a_zone_held_is_told(owners, limits, told):
    live = zone(APEX + "".join(f"{name} 300 IN A 192.0.2.1\n" for name in owners))
    planned = plan(
        ZONE, live, desired_sets("exactly www IN A 192.0.2.1"), Limits(**{"prune": True, **limits})
    )
    warning = (
        f"prune deletes all {told} sets that {ZONE} held: to keep sets that the task does not list, leave prune "
        "out or limit the task with only; if you want this, set prune_limit to 100"
    )
    assert planned.warnings == ((warning,) if told else ())


def test_prune_spares_what_signs_the_zone():
    gone = names(plan(ZONE, zone(APEX + SIGNED), [], pruning(limit=100)).changes)
    assert gone == ["@ A", "sub CDNSKEY", "sub CDS", "sub DNSKEY", "sub DS", "sub ZONEMD"]
    named = desired_sets("absent @ IN DNSKEY\nabsent www IN RRSIG")
    assert names(plan(ZONE, zone(APEX + SIGNED), named).changes) == ["@ DNSKEY", "www RRSIG"]


@pytest.mark.parametrize(
    "name, gone",
    [
        ("@", ["@ A", "@ MX"]),
        ("WWW.Example.COM.", ["www A"]),
        ("sub", ["sub CDNSKEY", "sub CDS", "sub DNSKEY", "sub DS", "sub NS", "sub ZONEMD"]),
        ("0p9m", []),
        ("nothing", []),
    ],
)
def test_all_types_of_a_name_go_but_those_of_the_service(name, gone):
    more = """
        @     300 IN MX 10 mail
        www   300 IN A  192.0.2.1
        sub   300 IN NS ns1.example.net.
        b.www 300 IN A  192.0.2.1
    """
    planned = plan(ZONE, zone(APEX + SIGNED + more), desired_sets(f"absent {name} IN *"))
    assert names(planned.changes) == gone
    assert planned.summary == {**dict.fromkeys(planned.summary, 0), "deleted": len(gone)}


def test_prune_beside_other_changes():
    live = """
        ftp 300 IN A   192.0.2.1
        old 300 IN TXT "old"
        www 300 IN A   192.0.2.1
        xyz 300 IN A   192.0.2.1
    """
    desired = """
        exactly ftp IN CNAME www
        exactly www IN A 192.0.2.2
        exactly xyz IN A 192.0.2.1
    """
    planned = plan(ZONE, zone(APEX + live), desired_sets(desired), pruning(limit=100))
    assert shown(planned) == lines("""
        delete ftp A
        - 300 192.0.2.1
        create ftp CNAME
        + 3600 www.example.com.
        delete old TXT
        - 300 "old"
        rebuild www A
        - 300 192.0.2.1
        + 300 192.0.2.2
    """)
    assert [*planned.summary.values()] == [1, 0, 1, 2, 1]
    assert [change.desired.pruned for change in planned.changes] == [True, False, True, False]


# Options to limits.

NO_GLOB = "which is not a glob: write * for any text, and an entry for each name and type"
REFUSED_OPTIONS = {
    "types in one": ({"ignore": [{"type": "MX, TXT"}]}, f"ignore has 'MX, TXT', {NO_GLOB}"),
    "names as in a regular expression": (
        {"ignore": [{"name": "^(blog|www).*$"}]},
        f"ignore has '^(blog|www).*$', {NO_GLOB}",
    ),
    "nearly a type": (
        {"protect": [{"type": "A"}, {"type": "cnaem"}]},
        "protect cannot be used: the type CNAEM is unknown (did you mean CNAME?)",
    ),
    "names elsewhere": (
        {"protect": [{"name": "a.example.org."}, {"name": ""}]},
        "protect names 'a.example.org.' and '', which can match nothing in the zone example.com.",
    ),
    "all at once": (
        {"prune_limit": 101, "change_limit": -1, "ignore": [{"name": "."}]},
        (
            "prune_limit is 101, but must be 0 to 100; change_limit is -1, but must be 0 to 100; "
            "ignore names '.', which can match nothing in the zone example.com."
        ),
    ),
}


@named_rows("options, reason", REFUSED_OPTIONS)
def test_options_that_cannot_be_used(options, reason):
    with pytest.raises(InvalidInput) as refusal:
        limits_of(options, [ZONE])
    assert str(refusal.value) == reason
    assert limits_of(options, [ZONE], own=()), "what is said of all zones need not be of this one"


def test_options_to_limits():
    defaults = {name: rules["default"] for name, rules in LIMIT_OPTIONS.items()}
    assert limits_of(dict.fromkeys(defaults), [ZONE]) == limits_of(defaults, [ZONE]) == Limits()
    options = {
        "prune": True,
        "change_limit": 0,
        "ignore": [{"name": "WWW", "type": "a*", "value": "X"}, {"type": "type65"}],
        "protect": [{"name": None, "type": None, "value": None}],
        "records": "something else",
    }
    ignore = (Glob("www", "A*", "X"), Glob("*", "HTTPS", "*"))
    assert limits_of(options, [ZONE]) == Limits(True, 30, 0, ignore, (Glob(),))


def test_globs_of_many_zones_have_to_match_in_one_of_them():
    options = {"protect": [{"name": "mx.example.com."}, {"name": "dyn"}]}
    zones = [ZONE, "example.org."]
    assert limits_of(options, zones).protect == (Glob("mx.example.com."), Glob("dyn"))
    with pytest.raises(InvalidInput) as refusal:
        limits_of(options, ["example.net.", "example.org."])
    message = "protect names 'mx.example.com.', which can match nothing in any of the zones"
    assert str(refusal.value) == message


MANY = {
    # how many sets are rebuilt of how many, the globs of only, and of how many sets that is told
    "three of ten": (3, 10, (), 0),
    "four of ten": (4, 10, (), 10),
    "all of nine": (9, 9, (), 0),
    "four of twenty": (4, 20, (), 0),
    "four of twenty, of which the task is about ten": (4, 20, (Glob("h?"),), 10),
}


@named_rows("rebuilt, total, only, told_of", MANY)
def test_many_rebuilds_are_told_with_how_long_resolvers_may_keep_that(
    rebuilt, total, only, told_of
):
    soa = f"@ 7200 IN SOA ns hostmaster 1 7200 900 1209600 {RESOLVERS_KEEP}"
    live = zone("\n".join([soa, *(f"h{n} 300 IN A 192.0.2.1" for n in range(total))]))
    wanted = "\n".join(f"present h{n} 60 IN A 192.0.2.1" for n in range(rebuilt))
    changes = plan(ZONE, live, desired_sets(wanted)).changes
    sentence = (
        f"the plan rebuilds {rebuilt} of the zone's {told_of} sets: each is gone for a moment, and resolvers that ask "
        f"then may remember that for {RESOLVERS_KEEP} seconds (the last number of the SOA); to refuse such plans, set "
        "change_limit"
    )
    told = [*many_rebuilt(ZONE, live, changes, Limits(only=only))]
    assert told == ([sentence] if told_of else [])
