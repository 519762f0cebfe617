# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Many owner names at once, as far as one need not wait for the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._apply.apply_failed import unexpected
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.owner_name import Failure, OwnerName, Stopped
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.step import Step
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._service.limiter import Threads
from ansible_collections.zonesmith.dns.plugins.module_utils._service.threads import in_threads


class Ended(NamedTuple):
    """How the work on many names ended; *is_early* where a failure stopped it."""

    failures: list[Failure]
    not_begun: list[Key]
    is_early: bool


def make_all(steps: Iterable[Step], owner_name: Callable[[list[Step]], OwnerName], concurrency: Threads) -> Ended:
    """Make every name, so many at once.

    Once one fails no other begins. What is pruned comes last, because a set that the service does not let go must not
    stop the others; for the same reason its refusal stops nothing. Nor does what an earlier run had begun.
    """
    groups = [list(group) for _name, group in groupby(steps, key=lambda step: step.key.name)]
    failures: list[Failure] = []
    not_begun: list[Key] = []
    stop = machine().event()

    def make_one(group: list[Step]) -> None:
        if stop.is_set():
            not_begun.extend(step.key for step in group)
            return
        try:
            owner_name(group).carry_out()
        except Stopped as stopped:
            failures.append(stopped.failure)
            if stops_all(group, stopped.failure):
                stop.set()
        except Exception as error:  # noqa: BLE001 - whatever it is, what was done has to be told
            stop.set()
            key = group[0].key
            refusal = ServiceError(f"there was an unexpected {unexpected(error)}")
            failures.append(Failure(key, f"change {' '.join(key)}", refusal))

    for part in zip(*map(_pruned_last, groups), strict=True):
        begun = [group for group in part if group]
        if concurrency == 1 or len(begun) == 1:
            for group in begun:
                make_one(group)
        else:
            in_threads(make_one, begun, concurrency)
    return Ended(failures, not_begun, stop.is_set())


def stops_all(group: Iterable[Step], failure: Failure) -> bool:
    """Whether a failure at a name ends the task."""
    of_task = [step for step in group if step.is_of_task]
    is_pruned_only = all(step.change.is_pruned for step in of_task) and failure.error.refuses_the_value
    return bool(of_task) and not is_pruned_only


def _pruned_last(group: list[Step]) -> tuple[list[Step], list[Step]]:
    """The steps of a name that come first, and those that can come last: nothing can be beside a CNAME."""
    if any(step.key.type == "CNAME" for step in group):
        return group, []
    return [step for step in group if not step.change.is_pruned], [step for step in group if step.change.is_pruned]
