# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""In which order the names of a plan are changed, which of them at once, and what a failure stops."""

from __future__ import annotations

import threading
from typing import Any, cast

import pytest
from shorthand import change, short

from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._write.at_once import Ended, change_all
from ansible_collections.zonesmith.dns.plugins.module_utils._write.failures import Failure
from ansible_collections.zonesmith.dns.plugins.module_utils._write.unit import Stopped, Unit

REFUSED, BROKEN = ServiceError("the service answered 403", 403), ServiceError("the service answered 500", 500)


def new(name: str, rdtype: str = "A") -> Change:
    """A set that is to be created."""
    return change(name, rdtype, "", "300 192.0.2.1")


def pruned(name: str, rdtype: str = "A") -> Change:
    """A set that goes because nobody names it."""
    return change(name, rdtype, "300 192.0.2.1", "", pruned=True)


class Names:
    """Stands in for the work on names: tells which sets are changed together, and fails where it is told to."""

    def __init__(self, **errors: Exception):
        self.groups: list[list[str]] = []
        self._errors = errors

    def __call__(self, changes: list[Change]) -> Unit:
        class OneName:
            @staticmethod
            def carry_out() -> None:
                self.groups.append(short(one.key for one in changes))
                key = changes[0].key
                error = self._errors.get(key.name.partition(".")[0])
                if isinstance(error, ServiceError):
                    raise Stopped(Failure(key, f"change {' '.join(key)}", error))
                if error:
                    raise error

        return cast("Unit", OneName())


def test_what_is_pruned_comes_last_but_beside_an_alias() -> None:
    names = Names()
    changes = [pruned("a"), new("b"), pruned("b", "TXT"), pruned("c"), new("c", "CNAME"), new("d"), new("d", "TXT")]
    assert change_all(changes, names, 1) == Ended([], [], False)
    assert names.groups == [["b A"], ["c A", "c CNAME"], ["d A", "d TXT"], ["a A"], ["b TXT"]]


STOPS = [
    # which name fails, and how -> the names that are begun, the sets that are not, and whether that is the end
    pytest.param({"a": REFUSED}, ["a A"], ["b A", "b TXT", "y A", "z A"], True, id="refused"),
    pytest.param({"b": BROKEN}, ["a A", "b A", "b TXT"], ["y A", "z A"], True, id="the last of those that are new"),
    pytest.param({"y": REFUSED}, ["a A", "b A", "b TXT", "y A", "z A"], [], False, id="pruned and refused"),
    pytest.param({"y": BROKEN}, ["a A", "b A", "b TXT", "y A"], ["z A"], True, id="pruned, and the service is broken"),
]


@pytest.mark.parametrize(("errors", "begun", "not_begun", "is_early"), STOPS)
def test_what_a_failure_stops(errors: Any, begun: list[str], not_begun: list[str], is_early: bool) -> None:
    names = Names(**errors)
    changes = [new("a"), new("b"), new("b", "TXT"), pruned("y"), pruned("z")]
    ended = change_all(changes, names, 1)
    assert [one for group in names.groups for one in group] == begun
    assert short(ended.not_begun) == not_begun
    assert ended.is_early is is_early
    assert [failure.error for failure in ended.failures] == [*errors.values()]


def test_a_refusal_at_a_name_of_which_not_all_is_pruned_stops_the_others() -> None:
    ended = change_all([pruned("a"), new("a", "CNAME"), new("b")], Names(a=REFUSED), 1)
    assert (short(ended.not_begun), ended.is_early) == (["b A"], True)


def test_an_error_that_nobody_expected_is_told_and_stops_the_others() -> None:
    ended = change_all([new("a"), new("a", "TXT"), new("b")], Names(a=RuntimeError("it broke.")), 1)
    (failure,) = ended.failures
    assert (failure.tried, str(failure.error)) == (
        "change a.example.com. A",
        "there was an unexpected RuntimeError it broke",
    )
    assert (failure.key.type, short(ended.not_begun), ended.is_early) == ("A", ["b A"], True)


@pytest.mark.parametrize("concurrency", [2, 3])
def test_so_many_names_are_changed_at_once(concurrency: int) -> None:
    meeting, met = threading.Barrier(concurrency, timeout=20), list[int]()

    class OneName:
        @staticmethod
        def carry_out() -> None:
            met.append(meeting.wait())

    changes = [new(f"a{number}") for number in range(concurrency)]
    assert change_all(changes, lambda _changes: cast("Unit", OneName()), concurrency) == Ended([], [], False)
    assert sorted(met) == [*range(concurrency)], "each waited for all others"
