# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The log of a zone: given an entry and a snapshot, what the set holds, and what stays of the entry."""

import pytest
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    Key,
    RecordSet,
    minus,
    without,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import (
    OLD,
    PENDING,
    STALE,
    Entry,
    begun,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._log.log import (
    is_fresh,
    looked_at,
    over,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._log.past import Past

NOW = 1_000_000.0
WWW, ALIAS, V6 = (Key("www.example.com.", rdtype) for rdtype in ("A", "CNAME", "AAAA"))


def held(text, key=WWW):
    """A set as ``TTL value value``; an empty text is none."""
    ttl, *values = text.split() or ("0",)
    return RecordSet(*key, int(ttl), tuple(values)) if values else None


def shown(record_set):
    """The same as text."""
    return " ".join([str(record_set.ttl), *record_set.values]) if record_set else ""


def entry(before, desired, key=WWW, **fields):
    """An entry that deletes and was sent just now, all of it, unless the fields say otherwise."""
    return Entry(
        Past().with_newest(held(before, key)),
        held(desired, key),
        **{"has_delete": True, "began": NOW, "at": NOW, "sent": held(desired, key), **fields},
    )


def gone(one):
    """The same, once a snapshot has shown the past gone."""
    return one._replace(past=one.past._replace(is_gone=True))


REBUILD = ("300 .1 .2", "300 .1 .3")
OVER = {
    "nothing was carried out": (entry(*REBUILD), "300 .1 .2", "300 .1 .2"),
    "nothing, and others have added": (entry(*REBUILD), "300 .1 .2 .8", "300 .1 .2 .8"),
    "it was deleted": (entry(*REBUILD), "", "300 .1 .3"),
    "half of it was created": (entry(*REBUILD), "300 .1", "300 .1 .3"),
    "others have added meanwhile": (entry(*REBUILD), "300 .8", "300 .8 .1 .3"),
    "it is as wanted": (entry(*REBUILD, done=True), "300 .1 .3", "300 .1 .3"),
    "it was as wanted, and nothing may come": (entry(*REBUILD, done=True), "300 .3", "300 .3"),
    "it was as wanted, and a DELETE may come": (
        entry(*REBUILD, done=True, pending_since=NOW),
        "",
        "300 .1 .3",
    ),
    "it only adds": (entry("300 .1", "300 .1 .3", has_delete=False), "300 .1", "300 .1"),
    "it is to be gone": (entry("300 .1", ""), "", ""),
    "it is to be gone, and others have added": (entry("300 .1", ""), "300 .8", "300 .8"),
    "another TTL, and nothing was carried out": (entry("300 .1", "60 .1"), "300 .1", "300 .1"),
    "another TTL, and it was deleted": (entry("300 .1", "60 .1"), "", "60 .1"),
    "the TTL of what is there stays": (entry("300 .1 .2", "60 .1 .2"), "90 .1", "90 .1 .2"),
}


@named_rows("one, live, expected", OVER)
def test_what_a_set_holds_once_what_was_begun_is_finished(one, live, expected):
    snapshot = held(live)
    sets = {WWW: snapshot} if snapshot else {}
    assert shown({**sets, **over({WWW: one}, sets)}.get(WWW)) == expected


TO_ADDRESS = {ALIAS: entry("300 b.", "", ALIAS), WWW: entry("", "300 .1")}
TO_ALIAS = {WWW: entry("300 .1", ""), ALIAS: entry("", "300 b.", ALIAS)}
BESIDE = {WWW: entry("300 .1", "300 .2"), V6: entry("60 ::1", "60 ::1 ::2", V6, has_delete=False)}
NAMES = {
    "a CNAME to A, killed before the DELETE": (TO_ADDRESS, {ALIAS: "300 b."}, {ALIAS: "300 b."}),
    "a CNAME to A, killed after it": (TO_ADDRESS, {}, {WWW: "300 .1"}),
    "a CNAME to A, and all was done": (TO_ADDRESS, {WWW: "300 .1"}, {WWW: "300 .1"}),
    "A to a CNAME, killed before the DELETE": (TO_ALIAS, {WWW: "300 .1"}, {WWW: "300 .1"}),
    "A to a CNAME, killed after it": (TO_ALIAS, {}, {ALIAS: "300 b."}),
    "of two sets one is deleted, and it was not": (
        BESIDE,
        {WWW: "300 .1", V6: "60 ::1"},
        {WWW: "300 .1", V6: "60 ::1"},
    ),
    "of two sets one is deleted, and it was": (
        BESIDE,
        {V6: "60 ::1"},
        {WWW: "300 .2", V6: "60 ::1"},
    ),
    "of two sets were deleted one was": (
        {WWW: entry("300 .1", "300 .2"), V6: entry("60 ::1", "60 ::2", V6)},
        {V6: "60 ::1"},
        {WWW: "300 .2", V6: "60 ::1"},
    ),
    "one is as wanted, and others have made it as it was": (
        {
            WWW: entry("300 .1", "300 .2", done=True, pending_since=NOW),
            V6: entry("", "60 ::2", V6),
        },
        {WWW: "300 .1"},
        {WWW: "300 .1 .2", V6: "60 ::2"},
    ),
}


@named_rows("log, live, expected", NAMES)
def test_each_set_is_a_unit_but_where_a_cname_is(log, live, expected):
    sets = {key: one for key, text in live.items() if (one := held(text, key))}
    assert {key: shown(one) for key, one in {**sets, **over(log, sets)}.items()} == expected


UNTOUCHED = {
    "as it was": (REBUILD, "300 .1 .2", True),
    "as it was, and others have added": (REBUILD, "300 .1 .2 .8", True),
    "a value is gone": (REBUILD, "300 .1", False),
    "all is gone": (REBUILD, "", False),
    "with the values and a TTL of others": (REBUILD, "90 .1 .2", False),
    "a new set": (("", "300 .1"), "300 .1", False),
    "one that only grows": (("300 .1", "300 .1 .2"), "300 .1", False),
    "another TTL, and as it was": (("300 .1", "60 .1"), "300 .1", True),
    "another TTL, and as wanted": (("300 .1", "60 .1"), "60 .1", False),
}


@named_rows("sides, live, expected", UNTOUCHED)
def test_whether_a_snapshot_shows_that_no_delete_was_carried_out(sides, live, expected):
    assert entry(*sides).is_untouched(held(live)) is expected


def test_a_set_is_not_untouched_if_an_earlier_run_deleted_what_is_to_stay():
    one = entry("300 .1 .2", "60 .1 .2", sent=held("300 .1")).deleting(NOW)
    assert one.past.newest == held("300 .1")
    assert not one.is_untouched(held("300 .1"))


# Two values are to become .1 and .3, which are sent, and somebody adds .8.
SNAPSHOTS = {
    # a snapshot -> whether it agrees, whether the old set is still there, whether it is untouched, what others added
    "as before": ("300 .1 .2", False, True, True, ()),
    "nothing": ("", False, False, False, ()),
    "a part": ("300 .1", False, False, False, ()),
    "as sent": ("300 .1 .3", True, False, False, ()),
    "as sent, and what others added": ("300 .1 .3 .8", True, False, False, (".8",)),
    "as before, and what others added": ("300 .1 .2 .8", False, True, True, (".8",)),
}


@named_rows("live, agrees, is_there, is_untouched, others", SNAPSHOTS)
def test_what_a_snapshot_proves(live, agrees, is_there, is_untouched, others):
    """As the docstring of entry.py has it."""
    one, there = entry(*REBUILD), held(live)
    assert one.agrees(there) is agrees
    assert one.is_still_there(there) is is_there
    assert one.is_untouched(there) is is_untouched
    assert minus(without(there, one.may_be_past(NOW)), one.desired) == others


def test_what_is_to_be_there_again_is_of_the_past_until_it_is_sent():
    assert not entry(*REBUILD, sent=None).agrees(held("300 .1"))


STILL_THERE = {
    # before, desired, what a snapshot shows -> whether it may be from before the DELETE
    "all of it with another TTL": ("300 .1", "60 .1", "60 .1", True),
    "it lacks what was to stay": (*REBUILD, "300 .2", False),
}


@named_rows("before, desired, live, expected", STILL_THERE)
def test_whether_a_deleted_set_is_still_there(before, desired, live, expected):
    assert entry(before, desired).is_still_there(held(live)) is expected


def test_a_set_that_was_just_written_is_still_there_where_a_snapshot_may_be_from_before_that():
    """A value was added, and the next task removes it: a snapshot without it tells nothing."""
    added = begun(None, held("300 .1"), held("300 .1 .2"), NOW, has_delete=False)
    one = begun(added, held("300 .1 .2"), held("300 .1"), NOW, has_delete=True)
    assert one.is_still_there(held("300 .1"))
    assert not one.is_still_there(held("300 .2"))


IS_OLD = {
    "begun and written to long ago": ({"began": NOW - OLD, "at": NOW - OLD}, True),
    "a second less ago": ({"began": NOW - OLD, "at": NOW - OLD + 1}, False),
    "written to lately": ({"began": NOW - OLD}, False),
    "all was done, and a DELETE may come": (
        {"began": NOW - OLD, "at": NOW - OLD, "done": True, "pending_since": NOW - OLD},
        True,
    ),
}


@named_rows("fields, expected", IS_OLD)
def test_what_is_too_old_to_be_finished(fields, expected):
    assert entry(*REBUILD, **fields).is_put_aside(None, NOW) is expected


AGREES = {
    "all there": (REBUILD, "300 .1 .3", True),
    "all there, and more of others": (REBUILD, "300 .1 .3 .8", True),
    "a value is missing": (REBUILD, "300 .1", False),
    "a former value": (REBUILD, "300 .1 .2 .3", False),
    "the former TTL": (("300 .1", "60 .1"), "300 .1", False),
    "a TTL that it never had": (("300 .1", "60 .1"), "90 .1", True),
    "gone, as wanted": (("300 .1", ""), "", True),
    "gone, and wanted": (REBUILD, "", False),
}


@named_rows("sides, live, expected", AGREES)
def test_whether_a_snapshot_agrees(sides, live, expected):
    one, snapshot = entry(*sides), held(live)
    sets = {WWW: snapshot} if snapshot else {}
    assert one.agrees(snapshot) is expected
    assert is_fresh({WWW: one}, sets, NOW) is expected
    assert is_fresh({WWW: one}, sets, NOW + STALE), "only what is young is read again for"


ENDED = {
    "as wanted, and young": (entry(*REBUILD), "300 .1 .3", 0.0, (True, False)),
    "as wanted, and not young": (gone(entry(*REBUILD)), "300 .1 .3", STALE, None),
    "the same, and nothing shows that the DELETE took effect": (
        entry(*REBUILD),
        "300 .1 .3",
        STALE,
        (True, False),
    ),
    "the same, once it cannot come any more": (
        entry(*REBUILD),
        "300 .1 .3",
        PENDING + STALE,
        None,
    ),
    "as it was, since the DELETE was refused": (entry("300 .1", "300 .1"), "300 .1", STALE, None),
    "not as wanted": (entry(*REBUILD), "300 .1", STALE, (False, False)),
    "it only adds, and is not young": (entry("", "300 .1", has_delete=False), "", STALE, None),
    "pending": (
        entry(*REBUILD, pending_since=NOW),
        "300 .1 .3",
        STALE,
        (True, True),
    ),
    "over, but the snapshot may be from before": (
        entry(*REBUILD, pending_since=NOW),
        "300 .1 .3",
        PENDING + STALE - 1,
        (True, True),
    ),
    "no more pending": (
        entry(*REBUILD, pending_since=NOW),
        "300 .1 .3",
        PENDING + STALE,
        None,
    ),
    "no more, and it was taken": (
        entry(*REBUILD, done=True, pending_since=NOW),
        "",
        PENDING,
        (True, True),
    ),
}


@named_rows("one, live, after, expected", ENDED)
def test_what_stays_of_an_entry_after_a_snapshot(one, live, after, expected):
    snapshot = held(live)
    kept = looked_at({WWW: one}, {WWW: snapshot} if snapshot else {}, NOW + after).get(WWW)
    assert (kept and (kept.done, kept.is_pending)) == expected


EVENTS = {
    # the entry, what happens -> its state, what was there before, what is to be there
    "sent": (
        entry(*REBUILD),
        lambda one: one.written(None, NOW + 9),
        "open",
        "300 .1 .2",
        "300 .1 .3",
    ),
    "a set that was as desired is written again, and a DELETE may still come": (
        entry(*REBUILD, done=True, pending_since=NOW),
        lambda one: one.written(one.sent, NOW + 9),
        "pending",
        "300 .1 .2",
        "300 .1 .3",
    ),
    "a value has no answer": (
        entry("300 .1", "300 .1 .3", has_delete=False),
        lambda one: one.with_delete_pending(NOW),
        "open",
        "300 .1",
        "300 .1 .3",
    ),
    "no answer": (
        entry(*REBUILD),
        lambda one: one.with_delete_pending(NOW),
        "pending",
        "300 .1 .2",
        "300 .1 .3",
    ),
    "a snapshot lacks the set after the DELETE": (
        entry(*REBUILD, sent=None),
        lambda one: one.compared(None, NOW),
        "open",
        "300 .1 .2",
        "300 .1 .3",
    ),
    "a snapshot shows the set after the DELETE": (
        entry(*REBUILD, sent=None),
        lambda one: one.compared(held("300 .1 .2"), NOW),
        "pending",
        "300 .1 .2",
        "300 .1 .3",
    ),
    "half of it was sent, and a snapshot shows that": (
        entry(*REBUILD, sent=held("300 .1")),
        lambda one: one.compared(held("300 .1"), NOW),
        "open",
        "300 .1 .2",
        "300 .1 .3",
    ),
    "others have added, and the DELETE does not show yet": (
        entry(*REBUILD),
        lambda one: one.with_others_kept(held("300 .1 .2 .8")),
        "open",
        "300 .1 .2",
        "300 .1 .3 .8",
    ),
    "a snapshot agrees": (
        entry(*REBUILD),
        lambda one: one.looked_at(held("300 .1 .3"), NOW),
        "done",
        "300 .1 .2",
        "300 .1 .3",
    ),
    "a snapshot contradicts": (
        entry(*REBUILD),
        lambda one: one.compared(held("300 .1 .2"), NOW),
        "pending",
        "300 .1 .2",
        "300 .1 .3",
    ),
    "others have added, and nothing is pending": (
        entry(*REBUILD),
        lambda one: one.with_others_kept(held("300 .1 .3 .8")),
        "open",
        "300 .1 .2",
        "300 .1 .3",
    ),
    "others have added, and a DELETE may come": (
        entry(*REBUILD, done=True, pending_since=NOW),
        lambda one: one.with_others_kept(held("300 .1 .3 .8")),
        "done and pending",
        "300 .1 .2",
        "300 .1 .3 .8",
    ),
    "a value that was sent is nobody else's, though the former ones come back": (
        entry("300 .1 .2", "300 .1 .2", pending_since=NOW, sent=held("300 .3")),
        lambda one: one.with_others_kept(held("300 .1 .2 .3 .8")),
        "pending",
        "300 .1 .2",
        "300 .1 .2 .8",
    ),
    "a value is refused after the DELETE": (
        entry(*REBUILD),
        lambda one: one.redirected(held("300 .1 .2")),
        "open",
        "300 .1 .2",
        "300 .1 .2",
    ),
    "a task desires something else": (
        entry(*REBUILD, pending_since=NOW),
        lambda one: one.redirected(held("300 .7")),
        "pending",
        "300 .1 .2",
        "300 .7",
    ),
    "a second round deletes it again": (
        entry(*REBUILD, pending_since=NOW),
        lambda one: begun(one, held("300 .1 .2"), one.desired, NOW + 1, has_delete=True),
        "pending",
        "300 .1 .2",
        "300 .1 .3",
    ),
    "the next run only adds what is missing": (
        entry(*REBUILD, done=True, pending_since=NOW),
        lambda one: one.continued(held("300 .1"), one.desired, NOW + 9),
        "pending",
        "300 .1 .2",
        "300 .1 .3",
    ),
}


def state(one):
    """The state of an entry in the words of its table."""
    words = ["done"] * one.done + ["pending"] * one.is_pending
    return " and ".join(words) or "open"


@named_rows("one, event, expected, before, desired", EVENTS)
def test_what_an_event_makes_of_an_entry(one, event, expected, before, desired):
    after = event(one)
    assert (state(after), shown(after.past.newest), shown(after.desired)) == (
        expected,
        before,
        desired,
    )


@pytest.mark.parametrize("done, began", [(False, NOW), (True, NOW + 9)])
def test_when_the_run_began_that_left_a_set_incomplete(done, began):
    """An entry that is done tells nothing of the run that made it."""
    one = entry(*REBUILD, done=done)
    assert begun(one, one.desired, held("300 .4"), NOW + 9, has_delete=True).began == began


# It held two values, then one of them.
TWICE = entry(*REBUILD)._replace(past=entry(*REBUILD).past.with_newest(held("300 .1")))
PROOFS = {
    # the entry, how much later -> the values and the TTLs that tell nothing
    "it held them before": (entry(*REBUILD), 0.0, {".1", ".2"}, {}),
    "however late": (entry(*REBUILD), STALE, {".1", ".2"}, {}),
    "it held them before the last write but one": (
        TWICE,
        STALE - 1,
        {".1", ".2"},
        {},
    ),
    "the same, and no snapshot may be older": (
        TWICE,
        STALE,
        {".1"},
        {},
    ),
    "the same, and a DELETE may still come": (
        TWICE._replace(pending_since=NOW),
        STALE,
        {".1", ".2"},
        {},
    ),
    "it was seen gone, and a snapshot may be older": (
        gone(entry(*REBUILD)),
        0.0,
        {".1", ".2"},
        {},
    ),
    "it was seen gone, and none can be older": (
        gone(entry(*REBUILD)),
        STALE,
        set(),
        {},
    ),
    "it is new": (entry("", "60 .1"), 0.0, set(), {}),
    "it had that TTL before": (entry("300 .1", "60 .1"), STALE, {".1"}, {300}),
    "it had that TTL before, and was seen gone": (
        gone(entry("300 .1", "60 .1")),
        STALE,
        set(),
        {},
    ),
}


@named_rows("one, later, values, ttls", PROOFS)
def test_what_tells_nothing_of_the_service(one, later, values, ttls):
    assert one.may_be_past(NOW + later) == values
    others = {300, 900} - one.desired.ttls
    assert {ttl for ttl in others if not one.ttl_is_proof(ttl, NOW + later)} == {*ttls}


def test_a_set_with_several_ttls_is_still_there_as_long_as_it_shows_them():
    """A DELETE that levels them may come late, and takes the new set if nothing waits for it."""
    two_ttls = RecordSet(*WWW, 300, (".1", ".2"), higher_ttls=((".2", 600),))
    level = held("300 .1 .2")
    one = begun(None, two_ttls, level, NOW, has_delete=True).written(level, NOW)
    assert one.is_still_there(two_ttls)
    assert one.compared(two_ttls, NOW).is_pending
    assert not one.compared(level, NOW).is_pending


def test_a_set_with_several_ttls_that_is_only_extended_keeps_them():
    two_ttls = RecordSet(*WWW, 300, (".1", ".2"), higher_ttls=((".2", 600),))
    extended = RecordSet(*WWW, 300, (".1", ".2", ".3"), higher_ttls=((".2", 600),))
    one = begun(None, two_ttls, extended, NOW, has_delete=False)
    assert one.written(extended, NOW).agrees(extended)


def test_a_set_with_several_ttls_whose_deletion_is_refused_is_as_it_was():
    """What was there is what was sent so far, so nothing of it is a sign that a DELETE may come."""
    two_ttls = RecordSet(*WWW, 300, (".1", ".2"), higher_ttls=((".2", 600),))
    begins = begun(None, two_ttls, held("300 .1 .3"), NOW, has_delete=True)
    deleting = begins.written(two_ttls, NOW).deleting(NOW)
    one = deleting.compared(two_ttls, NOW)
    assert (one.is_pending, one.past.is_gone) == (False, False)
    assert deleting.written(None, NOW).compared(two_ttls, NOW).is_pending


def test_a_ttl_that_the_service_keeps_is_no_sign_that_a_deletion_may_come():
    one = begun(None, held("300 .1"), held("60 .1"), NOW, has_delete=True)
    one = one.written(one.desired, NOW)
    assert not one.agrees(held("300 .1"))
    assert one.with_ttl_kept().agrees(held("300 .1"))
