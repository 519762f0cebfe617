# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Turns callbacks into a report of the collection's results."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ...module_utils._dns.names import InvalidName, zone_name
from .model import Place, Report
from .outcomes import Event, Outcome, message_of, outcomes_of, outcomes_of_a_try, untouched_by

COLLECTION = "zonesmith.dns."
READS_ONLY = ("_info", "_files")
ASYNC_STATUS = ("ansible.builtin.async_status", "ansible.legacy.async_status")


class Gathering:
    """Follows one run."""

    def __init__(self) -> None:
        self.report = Report(began=time.time())
        self._items: dict[tuple[str, str], list[int]] = {}
        self._jobs: dict[tuple[str, str], Place] = {}
        self._under_way: dict[tuple[str, str], Place] = {}
        self._plays: set[str] = set()

    def playbook(self, playbook: Any) -> None:
        # An ad-hoc command has a playbook without plays and file.
        self.report.playbooks.append(
            os.path.basename(str(getattr(playbook, "_file_name", None) or ""))
        )
        self.report.is_complete = False
        self._plays |= {play._uuid for play in playbook.get_plays()}

    def play(self, play: Any) -> None:
        self._plays.discard(play._uuid)

    def playbook_ended(self) -> None:
        self.report.is_complete = True
        self._under_way.clear()

    def finished(self) -> Report:
        self.report.ended = time.time()
        self.report.background = [*self._jobs.values()]
        self.report.interrupted = [*self._under_way.values()]
        self.report.plays_left = len(self._plays) if self.report.is_complete else 0
        return self.report

    def began(self, host: Any, task: Any) -> None:
        if _is_of_collection(task):
            place = Place(host.get_name(), str(task.get_name()), check_mode=task.check_mode is True)
            self._under_way[host.get_name(), task._uuid] = place

    def item(self, result: Any, *, failed: bool) -> None:
        """The loop's end tells how a failure is handled."""
        if self._is_ours(result):
            self._items.setdefault(_key(result), []).extend(self._add_result(result, failed=failed))

    def tried(self, result: Any) -> None:
        if self._is_ours(result) and not _is_hidden(result):
            self.report.outcomes += map(_canonical, outcomes_of_a_try(_event(result, failed=False)))

    def ended(self, result: Any, *, failed: bool, ignored: bool = False) -> None:
        self._under_way.pop(_key(result), None)
        if not self._is_ours(result):
            if failed and not ignored and not _is_rescued(result._task):
                self.report.elsewhere.append(_place(result))
            return
        positions = self._items.pop(_key(result), None)
        if positions is None:
            positions = self._add_result(result, failed=failed)
        if failed and (ignored or _is_rescued(result._task)):
            self._settle(positions, "ignored" if ignored else "rescued")
        elif not failed:
            # The module failed, and failed_when accepts that.
            self._settle(positions, "ignored")

    def skipped(self, result: Any) -> None:
        self._under_way.pop(_key(result), None)
        self._items.pop(_key(result), None)

    def unreachable(self, result: Any) -> None:
        self._under_way.pop(_key(result), None)
        handled = (
            "ignored"
            if result._task.ignore_unreachable
            else "rescued"
            if _is_rescued(result._task)
            else ""
        )
        msg = "" if _is_hidden(result) else message_of(result._result)
        self.report.unreachable.append(_place(result, msg, handled))
        positions = self._items.pop(_key(result), None)
        if self._is_ours(result):
            self._settle(
                self._add_result(result, failed=True) if positions is None else positions, handled
            )

    def _is_ours(self, result: Any) -> bool:
        if _action(result._task) in ASYNC_STATUS:
            return _job(result) in self._jobs
        return _is_of_collection(result._task)

    def _add_result(self, result: Any, *, failed: bool) -> list[int]:
        """Returns the positions of its outcomes in the report."""
        if _is_hidden(result):
            self.report.hidden += 1
            self.report.hidden_failed += failed
            return []
        if "ansible_job_id" in result._result:
            if not result._result.get("finished"):
                self._jobs.setdefault(_job(result), _place(result))
                return []
            self._jobs.pop(_job(result), None)
        event, before = _event(result, failed=failed), len(self.report.outcomes)
        self.report.outcomes += map(_canonical, outcomes_of(event))
        self.report.untouched |= {*untouched_by(event)}
        return [*range(before, len(self.report.outcomes))]

    def _settle(self, positions: Iterable[int], handled: str) -> None:
        outcomes = self.report.outcomes
        for position in positions:
            if outcomes[position].failure:
                outcomes[position] = replace(outcomes[position], handled=handled)


def _action(task: Any) -> str:
    return str(task.resolved_action or task.action)


def _is_of_collection(task: Any) -> bool:
    return _action(task).startswith(COLLECTION)


def _key(result: Any) -> tuple[str, str]:
    return result._host.get_name(), result._task._uuid


def _job(result: Any) -> tuple[str, str]:
    return result._host.get_name(), str(result._result.get("ansible_job_id"))


def _is_hidden(result: Any) -> bool:
    return "censored" in result._result or result._task.no_log is True


def _event(result: Any, *, failed: bool) -> Event:
    # The options for this item, of which only "zone" is read.
    fields = result._task_fields or {}
    zone = (fields.get("args") or {}).get("zone")
    task = result._task
    return Event(
        host=result._host.get_name(),
        task=_task_name(result),
        result=result._result,
        zone=zone if isinstance(zone, str) and "{{" not in zone else "",
        check_mode=fields.get("check_mode", task.check_mode) is True,
        failed=failed,
        reads_only=_action(task).endswith(READS_ONLY),
    )


def _task_name(result: Any) -> str:
    return str(result.task_name or result._task.get_name())


def _place(result: Any, msg: str = "", handled: str = "") -> Place:
    return Place(result._host.get_name(), _task_name(result), msg, handled)


def _canonical(outcome: Outcome) -> Outcome:
    if not outcome.zone:
        return outcome
    try:
        zone = zone_name(outcome.zone).rstrip(".")
    except (InvalidName, NameError, AttributeError):  # the last two without dnspython
        zone = outcome.zone.strip().rstrip(".").lower()
    return replace(outcome, zone=zone)


def _is_rescued(task: Any) -> bool:
    child, parent = task, task._parent
    while parent is not None:
        if getattr(parent, "rescue", None) and any(
            one._uuid == child._uuid for one in parent.block
        ):
            return True
        child, parent = parent, parent._parent
    return False
