# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Turns callbacks into a report of the collection's results."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from typing import Any

from .model import Place, Report, Run
from .outcomes import Event, Outcome, listed, message_of, outcomes_of

COLLECTION = "zonesmith.dns."
READS_ONLY = ("_info", "_files")


class Gathering:
    """Follows one run.

    Of tasks under way, it keeps the places, and where in the report the outcomes of a loop's items are. The loop's end
    tells how a failure is handled.
    """

    def __init__(self) -> None:
        self.report = Report(Run(began=time.time()))
        self._items: dict[tuple[str, str], list[int]] = {}
        self._under_way: dict[tuple[str, str], Place] = {}
        self._unknown: list[Place] = []
        self._plays: set[str] = set()

    def playbook(self, playbook: Any) -> None:
        # An ad-hoc command has a playbook without plays and file.
        path = str(getattr(playbook, "_file_name", None) or "")
        self.report.run.playbooks.append(os.path.basename(path))
        self.report.run.is_complete = False
        self._plays |= {play._uuid for play in playbook.get_plays()}

    def play(self, play: Any) -> None:
        self._plays.discard(play._uuid)

    def playbook_ended(self) -> None:
        # A failure can end it before all plays have begun.
        self.report.run.is_complete = not self._plays
        self._under_way.clear()

    def finished(self) -> Report:
        run = self.report.run
        run.ended = time.time()
        self.report.interrupted = [*self._unknown, *self._under_way.values()]
        return self.report

    def began(self, host: Any, task: Any) -> None:
        if _is_of_collection(task):
            name = host.get_name()
            is_check = task.check_mode is True
            place = Place(name, str(task.get_name()), check_mode=is_check)
            self._under_way[name, task._uuid] = place

    def item(self, result: Any, *, failed: bool) -> None:
        """An item of a loop ended."""
        if _is_of_collection(result._task):
            positions = self._items.setdefault(_key(result), [])
            positions += self._add(result, failed=failed)

    def tried(self, result: Any) -> None:
        """An attempt ended that ``until`` repeats."""
        if _is_of_collection(result._task) and not _is_hidden(result):
            for outcome in outcomes_of(_event(result, failed=False)):
                # Its changes stand, but its failure is not final.
                tried = _canonical(replace(outcome, failure=None))
                if tried.tells:
                    self.report.outcomes.append(tried)

    def ended(self, result: Any, *, failed: bool, ignored: bool = False) -> None:
        """A task ended, after its items if any."""
        handled = _handled(result._task, failed=failed, ignored=ignored)
        if _is_of_collection(result._task):
            self._settle(result, handled, failed=failed)
        elif failed and not handled:
            self.report.failed_elsewhere.append(_place(result))

    def unreachable(self, result: Any) -> None:
        handled = _handled(result._task, failed=True, ignored=result._task.ignore_unreachable)
        msg = None if _is_hidden(result) else message_of(result._result)
        self.report.unreachable.append(_place(result, msg=msg, handled=handled))
        if _is_of_collection(result._task):
            self._settle(result, handled, failed=True)

    def closed(self, result: Any) -> list[int] | None:
        """Forget a task that is over. Returns where the outcomes of its items are; None if it has none."""
        self._under_way.pop(_key(result), None)
        return self._items.pop(_key(result), None)

    def _add(self, result: Any, *, failed: bool) -> list[int]:
        """Returns the positions of its outcomes in the report."""
        if _is_hidden(result):
            self.report.hidden.results += 1
            if failed:
                self.report.hidden.failed += 1
            return []
        in_background = "ansible_job_id" in result._result and not result._result.get("finished")
        if in_background or result._result.get("timedout"):  # so it lists no changes
            self._unknown.append(_place(result))
        if in_background:
            return []
        event = _event(result, failed=failed)
        first = len(self.report.outcomes)
        self.report.outcomes += [_canonical(outcome) for outcome in outcomes_of(event)]
        self.report.untouched.update(map(str, listed(event.result, "untouched")))
        return list(range(first, len(self.report.outcomes)))

    def _settle(self, result: Any, handled: str | None, *, failed: bool) -> None:
        """Note how the failures of a task, or of its items if any, are handled."""
        positions = self.closed(result)
        if positions is None:
            positions = self._add(result, failed=failed)
        outcomes = self.report.outcomes
        for position in positions:
            failure = outcomes[position].failure
            if failure:
                settled = replace(failure, handled=handled)
                outcomes[position] = replace(outcomes[position], failure=settled)


def _action(task: Any) -> str:
    return str(task.resolved_action or task.action)


def _is_of_collection(task: Any) -> bool:
    return _action(task).startswith(COLLECTION)


def _key(result: Any) -> tuple[str, str]:
    return result._host.get_name(), result._task._uuid


def _is_hidden(result: Any) -> bool:
    return "censored" in result._result or result._task.no_log is True


def _event(result: Any, *, failed: bool) -> Event:
    # The options for this item, of which only "zone" is read.
    fields = result._task_fields or {}
    options = fields.get("args") or {}
    zone = str(options.get("zone") or "")
    return Event(
        host=result._host.get_name(),
        task=_task_name(result),
        result=result._result,
        zone="" if "{{" in zone else zone,
        check_mode=_is_check(result),
        failed=failed,
        reads_only=_action(result._task).endswith(READS_ONLY),
    )


def _task_name(result: Any) -> str:
    return str(result.task_name or result._task.get_name())


def _is_check(result: Any) -> bool:
    fields = result._task_fields or {}
    return fields.get("check_mode", result._task.check_mode) is True


def _place(result: Any, **said: Any) -> Place:
    return Place(result._host.get_name(), _task_name(result), check_mode=_is_check(result), **said)


def _canonical(outcome: Outcome) -> Outcome:
    """The outcome with its zone's name in one spelling."""
    return replace(outcome, zone=outcome.zone.strip().rstrip(".").lower())


def _handled(task: Any, *, failed: bool, ignored: bool) -> str | None:
    """What the playbook makes of a failure: ``ignored``, ``rescued``, or nothing."""
    if ignored or not failed:  # failed_when can accept what the module calls a failure
        return "ignored"
    return "rescued" if _is_rescued(task) else None


def _is_rescued(task: Any) -> bool:
    """Whether it is in the block of a ``rescue``, not in the rescue itself."""
    child, parent = task, task._parent
    while parent is not None:
        if getattr(parent, "rescue", None):
            in_block = {one._uuid for one in parent.block}
            if child._uuid in in_block:
                return True
        child, parent = parent, parent._parent
    return False
