# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Many owner names at once, as far as one need not wait for the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._service.limiter import Threads
from ansible_collections.zonesmith.dns.plugins.module_utils._service.threads import in_threads
from ansible_collections.zonesmith.dns.plugins.module_utils._write.failures import Failure, unexpected
from ansible_collections.zonesmith.dns.plugins.module_utils._write.unit import Stopped, Unit


class Ended(NamedTuple):
    """How the work on many names ended; *is_early* where a failure stopped it, which a refused pruning does not."""

    failures: list[Failure]
    not_begun: list[Key]
    is_early: bool


def change_all(changes: Iterable[Change], unit: Callable[[list[Change]], Unit], concurrency: Threads) -> Ended:
    """Change every name, so many at once.

    Once one fails no other begins. What is pruned comes last, because a set that the service does not let go must not
    stop the others; for the same reason its refusal stops nothing.
    """
    groups = [list(group) for _name, group in groupby(changes, key=lambda change: change.key.name)]
    failures: list[Failure] = []
    not_begun: list[Key] = []
    stop = machine().event()

    def change_one(group: list[Change]) -> None:
        if stop.is_set():
            not_begun.extend(change.key for change in group)
            return
        try:
            unit(group).carry_out()
        except Stopped as stopped:
            failures.append(stopped.failure)
            if not (all(change.is_pruned for change in group) and stopped.failure.error.refuses_the_value):
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
                change_one(group)
        else:
            in_threads(change_one, begun, concurrency)
    return Ended(failures, not_begun, stop.is_set())


def _pruned_last(group: list[Change]) -> tuple[list[Change], list[Change]]:
    """The changes of a name that come first, and those that can come last: nothing can be beside a CNAME."""
    if any(change.key.type == "CNAME" for change in group):
        return group, []
    return [change for change in group if not change.is_pruned], [change for change in group if change.is_pruned]
