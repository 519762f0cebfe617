# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""In which order names are made and which at once, and what a failure stops."""

from __future__ import annotations

import threading
from typing import Any, cast

import pytest
from shorthand import (
    change,
    named_rows,
    short,
)

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.outcome import Step
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.owner_name import (
    Ended,
    make_all,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.set_at_work import SetAtWork
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.unit import Failure

REFUSED, BROKEN = (
    ServiceError("the service answered 403", 403),
    ServiceError("the service answered 500", 500),
)


def new(name, rdtype="A", *, is_of_task=True):
    """A set that is to be created, for the task or for an earlier run."""
    created = change(name, rdtype, "", "300 192.0.2.1")
    return Step(created, None, created if is_of_task else None, is_of_task)


def pruned(name, rdtype="A"):
    """A set that goes because nobody names it."""
    gone = change(name, rdtype, "300 192.0.2.1", "", pruned=True)
    return Step(gone, gone.before, gone)


class Names:
    """Stands in for the work on names: tells which sets are made together, and fails where it is told to."""

    def __init__(self, **errors):
        self.groups: list[list[str]] = []
        self._errors = errors

    def __call__(self, sets):
        self.groups.append(short(one.key for one in sets))
        for one in sets:
            one.has_sent = True
        key = sets[0].key
        name = key.name.partition(".")[0]
        error = self._errors.get(name) or self._errors.get(f"{name} {key.type}")
        if isinstance(error, ServiceError):
            raise Failure(key, f"change {' '.join(key)}", error)
        if error:
            raise error


def at_work(*steps):
    """The sets of a round."""
    return [SetAtWork(cast("Any", None), step) for step in steps]


def not_sent(sets):
    """The sets for which nothing was sent."""
    return short(one.key for one in sets if not one.has_sent)


def test_what_is_pruned_comes_last_but_beside_an_alias():
    names = Names()
    steps = [
        pruned("a"),
        new("b"),
        pruned("b", "TXT"),
        pruned("c"),
        new("c", "CNAME"),
        new("d"),
        new("d", "TXT"),
    ]
    assert make_all(at_work(*steps), names, 1) == Ended([], False)
    assert names.groups == [["b A"], ["c A", "c CNAME"], ["d A"], ["d TXT"], ["a A"], ["b TXT"]]


STOPS = {
    # which name fails, and how -> the names that are begun, the sets that are not, and whether that is the end
    "refused": ({"a": REFUSED}, ["a A"], ["b A", "b TXT", "l A", "y A", "z A"], True),
    "the service is broken": ({"b": BROKEN}, ["a A", "b A"], ["b TXT", "l A", "y A", "z A"], True),
    "what an earlier run had begun": (
        {"l": BROKEN},
        ["a A", "b A", "b TXT", "l A", "y A", "z A"],
        [],
        False,
    ),
    "pruned and refused": ({"y": REFUSED}, ["a A", "b A", "b TXT", "l A", "y A", "z A"], [], False),
    "pruned, and the service is broken": (
        {"y": BROKEN},
        ["a A", "b A", "b TXT", "l A", "y A"],
        ["z A"],
        True,
    ),
}


@named_rows("errors, begun, not_begun, is_early", STOPS)
def test_what_a_failure_stops(errors, begun, not_begun, is_early):
    names = Names(**errors)
    steps = [
        new("a"),
        new("b"),
        new("b", "TXT"),
        new("l", is_of_task=False),
        pruned("y"),
        pruned("z"),
    ]
    sets = at_work(*steps)
    ended = make_all(sets, names, 1)
    assert [one for group in names.groups for one in group] == begun
    assert not_sent(sets) == not_begun
    assert ended.is_early is is_early
    assert [failure.error for failure in ended.failures] == [*errors.values()]


@pytest.mark.parametrize(
    "make",
    [
        lambda: [pruned("a"), new("a", "CNAME")],
        lambda: [new("a", "CNAME"), new("a", is_of_task=False)],
    ],
)
def test_a_refusal_at_an_alias_that_the_task_wants_in_part_stops_the_others(make):
    sets = at_work(*make(), new("b"))
    assert make_all(sets, Names(a=REFUSED), 1).is_early
    assert not_sent(sets) == ["b A"]


PARTS = {
    # the sets of a name, of which the first is refused -> the sets of the name that are made
    "pruned sets": ([pruned("a"), pruned("a", "TXT")], ["a A", "a TXT"]),
    "what an earlier run left": ([new("a", is_of_task=False), new("a", "TXT")], ["a A", "a TXT"]),
}


@named_rows("steps, made", PARTS)
def test_a_refusal_that_stops_nothing_leaves_the_other_sets_of_the_name_alone(steps, made):
    names = Names(**{"a A": REFUSED})
    ended = make_all(at_work(*steps), names, 1)
    assert [one for group in names.groups for one in group] == made
    assert not ended.is_early
    assert [failure.key.type for failure in ended.failures] == ["A"]


def test_an_error_that_nobody_expected_is_told_and_stops_the_others():
    sets = at_work(new("a"), new("a", "TXT"), new("b"))
    ended = make_all(sets, Names(a=RuntimeError("it broke.")), 1)
    (failure,) = ended.failures
    assert (failure.tried, str(failure.error)) == (
        "change a.example.com. A",
        "there was an unexpected RuntimeError it broke",
    )
    assert (failure.key.type, not_sent(sets), ended.is_early) == ("A", ["a TXT", "b A"], True)


@pytest.mark.parametrize("concurrency", [2, 3])
def test_so_many_names_are_made_at_once(concurrency):
    meeting, met = threading.Barrier(concurrency, timeout=20), list[int]()

    def make(_sets):
        met.append(meeting.wait())

    sets = at_work(*(new(f"a{number}") for number in range(concurrency)))
    assert make_all(sets, make, concurrency) == Ended([], False)
    assert sorted(met) == [*range(concurrency)], "each waited for all others"
