# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""In which order names are made and which at once, what a failure stops, and how old values are put back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, cast

import pytest
from running import Service
from shorthand import (
    DELETE,
    EXCLUSIVE,
    FOUR,
    ONE,
    OTHER,
    PAIR,
    THIRD,
    THREE,
    TWO,
    Run,
    change,
    left,
    no,
    only,
    short,
    text,
    writes,
    www,
)

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.outcome import Step
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.owner_name import (
    Ended,
    Failure,
    OwnerName,
    make_all,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.folder import FolderStore

REFUSED, BROKEN = ServiceError("the service answered 403", 403), ServiceError("the service answered 500", 500)


def new(name: str, rdtype: str = "A", *, is_of_task: bool = True) -> Step:
    """A set that is to be created, for the task or for an earlier run."""
    created = change(name, rdtype, "", "300 192.0.2.1")
    return Step(created, None, created if is_of_task else None, is_of_task)


def pruned(name: str, rdtype: str = "A") -> Step:
    """A set that goes because nobody names it."""
    gone = change(name, rdtype, "300 192.0.2.1", "", pruned=True)
    return Step(gone, gone.before, gone)


class Names:
    """Stands in for the work on names: tells which sets are made together, and fails where it is told to."""

    def __init__(self, **errors: Exception):
        self.groups: list[list[str]] = []
        self._errors = errors

    def __call__(self, steps: list[Step]) -> OwnerName:
        class OneName:
            @staticmethod
            def carry_out() -> None:
                self.groups.append(short(step.key for step in steps))
                key = steps[0].key
                error = self._errors.get(key.name.partition(".")[0])
                if isinstance(error, ServiceError):
                    raise Failure(key, f"change {' '.join(key)}", error)
                if error:
                    raise error

        return cast("OwnerName", OneName())


def test_what_is_pruned_comes_last_but_beside_an_alias() -> None:
    names = Names()
    steps = [pruned("a"), new("b"), pruned("b", "TXT"), pruned("c"), new("c", "CNAME"), new("d"), new("d", "TXT")]
    assert make_all(steps, names, 1) == Ended([], [], False)
    assert names.groups == [["b A"], ["c A", "c CNAME"], ["d A", "d TXT"], ["a A"], ["b TXT"]]


STOPS = {
    # which name fails, and how -> the names that are begun, the sets that are not, and whether that is the end
    "refused": ({"a": REFUSED}, ["a A"], ["b A", "b TXT", "l A", "y A", "z A"], True),
    "the service is broken": ({"b": BROKEN}, ["a A", "b A", "b TXT"], ["l A", "y A", "z A"], True),
    "what an earlier run had begun": ({"l": BROKEN}, ["a A", "b A", "b TXT", "l A", "y A", "z A"], [], False),
    "pruned and refused": ({"y": REFUSED}, ["a A", "b A", "b TXT", "l A", "y A", "z A"], [], False),
    "pruned, and the service is broken": ({"y": BROKEN}, ["a A", "b A", "b TXT", "l A", "y A"], ["z A"], True),
}


@pytest.mark.parametrize(("errors", "begun", "not_begun", "is_early"), STOPS.values(), ids=STOPS)
def test_what_a_failure_stops(errors: Any, begun: list[str], not_begun: list[str], is_early: bool) -> None:
    names = Names(**errors)
    steps = [new("a"), new("b"), new("b", "TXT"), new("l", is_of_task=False), pruned("y"), pruned("z")]
    ended = make_all(steps, names, 1)
    assert [one for group in names.groups for one in group] == begun
    assert short(ended.not_begun) == not_begun
    assert ended.is_early is is_early
    assert [failure.error for failure in ended.failures] == [*errors.values()]


@pytest.mark.parametrize(
    "make", [lambda: [pruned("a"), new("a", "CNAME")], lambda: [new("a"), new("a", "TXT", is_of_task=False)]]
)
def test_a_refusal_at_a_name_that_the_task_wants_in_part_stops_the_others(make: Callable[[], list[Step]]) -> None:
    ended = make_all([*make(), new("b")], Names(a=REFUSED), 1)
    assert (short(ended.not_begun), ended.is_early) == (["b A"], True)


def test_an_error_that_nobody_expected_is_told_and_stops_the_others() -> None:
    ended = make_all([new("a"), new("a", "TXT"), new("b")], Names(a=RuntimeError("it broke.")), 1)
    (failure,) = ended.failures
    assert (failure.tried, str(failure.error)) == (
        "change a.example.com. A",
        "there was an unexpected RuntimeError it broke",
    )
    assert (failure.key.type, short(ended.not_begun), ended.is_early) == ("A", ["b A"], True)


@pytest.mark.parametrize("concurrency", [2, 3])
def test_so_many_names_are_made_at_once(concurrency: int) -> None:
    meeting, met = threading.Barrier(concurrency, timeout=20), list[int]()

    class OneName:
        @staticmethod
        def carry_out() -> None:
            met.append(meeting.wait())

    steps = [new(f"a{number}") for number in range(concurrency)]
    assert make_all(steps, lambda _steps: cast("OwnerName", OneName()), concurrency) == Ended([], [], False)
    assert sorted(met) == [*range(concurrency)], "each waited for all others"


V6 = "www 300 AAAA 2001:db8::1"

FROM_PLACE = "the next run on the zone completes it from {place}"

BROKEN, NO = "the service answered 500: No", "the service answered 422: No"

BACK = "its old values were put back, and it holds 192.0.2.1, 192.0.2.2 (TTL 300)"

HALF = "192.0.2.3 (TTL 300)"

COMPLETES = f"; {FROM_PLACE}"

ADD = "cannot add 192.0.2.{} to www.example.com. A: "

ADD_V6 = f"cannot add 2001:db8::2 to www.example.com. AAAA: {NO}; "

BACK_V6 = f"{ADD_V6}its old values were put back, and it holds 2001:db8::1 (TTL 300), www.example.com. A holds "

TRIED = "its old values were tried too: "

PAIR_FAILED = "(TTL 300) (0 sets applied, 2 failed, 0 not attempted)."

POST_V6, POST_OLD_V6 = "POST www AAAA 2001:db8::2", "POST www AAAA 2001:db8::1"

FAULTS: dict[str, tuple[str, list[dict[str, Any]], list[dict[str, Any]], list[str], str, str, bool]] = {
    # the zone, what goes wrong, the task -> its writes, the zone after, what is said, and whether something is left
    "the second value of a rebuild is refused": (
        TWO,
        [no(nth=2)],
        [PAIR],
        [DELETE, THREE, FOUR, ONE, OTHER, DELETE, ONE, OTHER],
        TWO,
        f"{ADD.format(4)}{NO}; {BACK}.",
        False,
    ),
    "all values are refused": (
        TWO,
        [no(times=0)],
        [EXCLUSIVE],
        [DELETE, THREE, ONE, OTHER],
        "",
        f"{ADD.format(3)}{NO}; {TRIED}{NO}; the set is gone{COMPLETES}.",
        True,
    ),
    "a value is refused, and then the zone cannot be read": (
        TWO,
        [no(times=0), no("GET", 500, nth=3, times=0)],
        [EXCLUSIVE],
        [DELETE, THREE],
        "",
        f"{ADD.format(3)}{NO}; {TRIED}{BROKEN}; the set cannot be read now: {BROKEN}; {FROM_PLACE}.",
        True,
    ),
    "the service fails where something is built": (
        TWO,
        [no(status=500, nth=2, times=0)],
        [PAIR],
        [DELETE, THREE, FOUR],
        THIRD,
        f"{ADD.format(4)}{BROKEN}; the set holds {HALF}{COMPLETES}.",
        True,
    ),
    "the DELETE is refused": (
        TWO,
        [no("DELETE", 403)],
        [www("192.0.2.1", state="absent")],
        [DELETE],
        TWO,
        "cannot delete www.example.com. A: the service answered 403: No; the set holds 192.0.2.1, 192.0.2.2 (TTL 300).",
        False,
    ),
    "a value of another set of the name is refused": (
        f"{TWO}\n{V6}",
        [no(content="2001:db8::2", times=0)],
        [only("192.0.2.3"), only("2001:db8::2", rdtype="AAAA")],
        [
            DELETE,
            "DELETE www.example.com. AAAA",
            THREE,
            POST_V6,
            ONE,
            OTHER,
            POST_OLD_V6,
            DELETE,
            ONE,
            OTHER,
        ],
        f"{TWO}\n{V6}",
        f"{BACK_V6}192.0.2.1, 192.0.2.2 {PAIR_FAILED}",
        False,
    ),
    "a value is refused where a CNAME was": (
        "www 300 CNAME old.example.net.",
        [no(content="2001:db8::2")],
        [only("192.0.2.1"), only("2001:db8::2", rdtype="AAAA"), only(rdtype="CNAME")],
        ["DELETE www.example.com. CNAME", ONE, POST_V6, DELETE, "POST www CNAME old.example.net."],
        "www 300 CNAME old.example.net.",
        f"{ADD_V6}its old values were put back, and it holds nothing, www.example.com. CNAME holds old.example.net. ",
        False,
    ),
}


@pytest.mark.parametrize(
    ("before", "faults", "tasks", "sent", "after", "message", "is_left"), FAULTS.values(), ids=FAULTS
)
def test_old_values_are_put_back_if_a_request_fails(
    zone: Any,
    run: Run,
    service: Service,
    store: FolderStore,
    before: str,
    faults: list[dict[str, Any]],
    tasks: list[dict[str, Any]],
    sent: list[str],
    after: str,
    message: str,
    is_left: bool,
) -> None:
    zone.holds(before)
    for fault in faults:
        service.fault(**fault)
    if len(tasks) == 1:
        result = run("dns_record", zone="example.com", retries=0, **tasks[0])
    else:
        result = run("dns_records", zone="example.com", retries=0, concurrency=1, records=tasks)
    expected = f"Zone example.com: {message.format(place=store.place)}"
    assert (result["msg"] == expected) if message.endswith(".") else result["msg"].startswith(expected)
    assert writes(zone) == sent
    assert zone.lines() == text(after)
    assert result["changed"] is (before != after)
    assert result["status_code"] == faults[0].get("status")
    assert bool(left(store)) is is_left
