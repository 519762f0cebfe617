# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One case's zone: its oddities, the runs of modules on it, each in a process of its own, and what it holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from forks import Fork, Forks
from playing import Task
from scenarios import Held, fill, held_by

PAUSE = 0.05
LONG = 600
"""Seconds that a request hangs whose sender is killed meanwhile."""
REACHED_WITHIN = 60
Log = list[dict[str, Any]]


@dataclass(frozen=True)
class Ran:
    """The result of a module, and the requests that it sent."""

    result: Mapping[str, Any]
    log: Log

    @property
    def failed(self) -> bool:
        """Whether the task failed."""
        return bool(self.result.get("failed"))

    @property
    def told(self) -> str:
        """All that it said to the user."""
        return "\n".join([str(self.result.get("msg", "")), *map(str, self.result.get("warnings", ()))])

    def sent(self, method: str) -> list[str]:
        """The record sets, as name and type, that its requests with this method were for."""
        rows = [entry["query"] if method == "DELETE" else entry["body"] for entry in self.log_of(method)]
        return [f"{row['name']} {row['type']}" for row in rows]

    def log_of(self, *methods: str) -> Log:
        """Its requests with these methods."""
        return [entry for entry in self.log if entry["method"] in methods]


class Stage:
    """Where a case is played: a zone of its own, on a machine that forks run on."""

    def __init__(self, number: int, runs: Forks) -> None:
        self.zone = f"case{number:05d}.example"
        self._path = f"/case{number:05d}example"
        self._runs = runs
        self._service = runs.service
        self.now = runs.now
        self.sleep = runs.sleep

    def fill(self, held: Held) -> None:
        """Make the zone hold this, at once and for every reader."""
        fill(self._service, self.zone, held)

    def odd(self, **oddities: Any) -> None:
        """Give the zone these oddities, and no others."""
        self._service.odd(self.zone, **oddities)

    def fault(self, kind: str, **fields: Any) -> None:
        """Set a fault for the zone."""
        self._service.fault(kind, path=self._path, **fields)

    def held(self) -> Held:
        """What the zone holds, whatever it shows."""
        return held_by(self._service, self.zone)

    def log(self) -> Log:
        """Every request on the zone so far."""
        return self._service.log(self._path)

    def run(self, task: Task, *, check: bool = False, **options: Any) -> Ran:
        """Run a task to its end."""
        before = len(self.log())
        return Ran(self._begin(task, check=check, **options).result(), self.log()[before:])

    def run_together(self, tasks: Iterable[Task], **options: Any) -> list[Ran]:
        """Run tasks at the same time, as hosts of one play do; what each sent is not told apart."""
        begun = [self._begin(task, check=False, **options) for task in tasks]
        return [Ran(run.result(), []) for run in begun]

    def kill(self, task: Task, method: str, nth: int, *, carried_out: bool) -> bool:
        """Run a task, and kill it once its nth request of this method has arrived; False when that never came."""
        before = len(self.log())
        self.fault("hang_after" if carried_out else "hang_before", method=method, nth=nth, seconds=LONG)
        run = self._begin(task, check=False, timeout=LONG)
        end = self.now() + REACHED_WITHIN
        while self.now() < end:
            of_method = [entry for entry in self.log()[before:] if entry["method"] == method]
            if len(of_method) >= nth and (of_method[nth - 1]["changed"] or not carried_out):
                run.kill()
                return True
            if run.is_over():
                return False
            self.sleep(PAUSE)
        run.kill()
        return False

    def _begin(self, task: Task, *, check: bool, **options: Any) -> Fork:
        own = {} if task.module == "dns_zones" else {"zone": self.zone}
        return self._runs.begin(task.module, {**own, **task.options, **options}, check=check)
