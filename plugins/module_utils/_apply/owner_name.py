# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The sets at one owner name, one after the other: DELETE, then POSTs (rule 5).

Concurrent writes to one set can lose values in the service, so only owner names run in parallel.
Set by set, a name never loses all of its sets at once. Where a CNAME comes or goes, which must be
alone, all DELETEs come first. After a refusal, the former values come back (``put_back.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from .._api.answers import ServiceError, unexpected
from .._interruption import making_again
from .._machine import machine
from .._threads import Threads, in_threads
from .put_back import after_failure
from .set_at_work import SetAtWork
from .unit import Failure, Unit


class Ended(NamedTuple):
    """How a round ended; *is_early* if the task must not go on."""

    failures: list[Failure]
    is_early: bool


MakeUnit = Callable[[Sequence[SetAtWork]], None]
"""Makes sets of which all DELETEs come first. Raises Failure."""


def make_all(sets: Iterable[SetAtWork], make: MakeUnit, threads: Threads) -> Ended:
    """Carry out all names in parallel, and at each the sets one after the other, by *make*.

    None begins after a failure. Pruning comes last. Refused pruning and recovery stop nothing.
    """
    failures: list[Failure] = []
    stop = machine().event()

    def make_name(units: list[list[SetAtWork]]) -> None:
        for unit in units:
            is_under_way = any(one.has_sent_delete for one in unit)  # since an earlier round
            if is_under_way or not stop.is_set():
                make_one(unit)

    def make_one(unit: Sequence[SetAtWork]) -> None:
        try:
            make(unit)
        except Failure as failure:
            failures.append(failure)
            if _stops_all(unit, failure):
                stop.set()
        except Exception as error:  # noqa: BLE001 - whatever it is, report what was done
            stop.set()
            keys = tuple(one.key for one in unit)
            why = ServiceError(f"there was an unexpected {unexpected(error)}")
            failures.append(Failure(keys[0], f"change {keys[0]}", why, together=keys))

    now, later = [], []
    for _name, group in groupby(sets, key=lambda one: one.key.name):
        units = _units([*group])
        now.append([unit for unit in units if not _is_pruning(unit)])
        later.append([unit for unit in units if _is_pruning(unit)])
    in_threads(make_name, filter(None, now), threads)
    in_threads(make_name, filter(None, later), threads)
    return Ended(failures, stop.is_set())


def _units(sets: list[SetAtWork]) -> list[list[SetAtWork]]:
    """The sets of a name that are made together: each alone, but for a CNAME, which must be alone."""
    if any(one.key.type == "CNAME" for one in sets):
        return [sets]
    return [[one] for one in sets]


def _is_pruning(unit: Iterable[SetAtWork]) -> bool:
    return all(one.change.desired.pruned for one in unit)


def _stops_all(unit: Sequence[SetAtWork], failure: Failure) -> bool:
    if _is_pruning(unit) and failure.error.refuses_the_value:
        return False
    return any(one.first.is_of_task for one in unit)


def make_unit(sets: Sequence[SetAtWork]) -> None:
    """Make sets of one owner name of which all DELETEs come first. Raises Failure."""
    unit = Unit(sets)
    # One place in the queue for all requests, so that no other name goes between them.
    with unit.zone.client.turns.one_place(), making_again(unit.not_whole):
        try:
            unit.make()
        except Failure as failure:
            after_failure(unit, failure)
            raise
        finally:
            unit.zone.deletions.addition_ended(unit.at)
