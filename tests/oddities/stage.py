# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One case's zone: its oddities, the runs of modules on it, each in a process of its own, and what it holds."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import run_directly
from playing import Task, service_environment
from running import Service
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
    """Where a case is played. The modules run in forks of this process, which has loaded them."""

    def __init__(self, url: str, token: str, number: int, folder: Path) -> None:
        self.zone = f"case{number:05d}.example"
        self._path = f"/case{number:05d}example"
        self._folder = folder / str(number)
        self._folder.mkdir(parents=True)
        self._service = Service(token=token)
        self._service.url = url
        self._runs = 0

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

    def state(self, glob: str) -> list[Path]:
        """The files that the runs keep, as far as their names match."""
        return sorted((self._folder / "state").glob(glob))

    def journals(self) -> list[str]:
        """The names of the journals that are left."""
        return [file.name for file in self.state("*.json") if "entries" in file.read_text(encoding="utf-8")]

    def log(self) -> Log:
        """Every request on the zone so far."""
        return self._service.log(self._path)

    def run(self, task: Task, *, check: bool = False, **options: Any) -> Ran:
        """Run a task to its end."""
        before = len(self.log())
        return Ran(self._ended(self._begin(task, check=check, **options)), self.log()[before:])

    def run_together(self, tasks: Iterable[Task], **options: Any) -> list[Ran]:
        """Run tasks at the same time, as hosts of one play do; what each sent is not told apart."""
        begun = [self._begin(task, check=False, **options) for task in tasks]
        return [Ran(self._ended(run), []) for run in begun]

    def kill(self, task: Task, method: str, nth: int, *, carried_out: bool) -> bool:
        """Run a task, and kill it once its nth request of this method has arrived; False when that never came."""
        before = len(self.log())
        self.fault("hang_after" if carried_out else "hang_before", method=method, nth=nth, seconds=LONG)
        pid, _result = self._begin(task, check=False, timeout=LONG)
        end = time.monotonic() + REACHED_WITHIN
        while time.monotonic() < end:
            of_method = [entry for entry in self.log()[before:] if entry["method"] == method]
            if len(of_method) >= nth and (of_method[nth - 1]["changed"] or not carried_out):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                return True
            if os.waitpid(pid, os.WNOHANG)[0]:
                return False
            time.sleep(PAUSE)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        return False

    def _begin(self, task: Task, *, check: bool, **options: Any) -> tuple[int, Path]:
        self._runs += 1
        result = self._folder / f"run{self._runs}"
        pid = os.fork()
        if pid:
            return pid, result
        try:
            os.environ.update(service_environment(self._service, self._folder / "state"))
            own = {} if task.module == "dns_zones" else {"zone": self.zone}
            arguments = {**own, **task.options, **options, "_ansible_diff": True}
            said = run_directly.run(task.module, {**arguments, "_ansible_check_mode": check})
            result.write_text(json.dumps(said), encoding="utf-8")
        finally:
            os._exit(0)

    def _ended(self, begun: tuple[int, Path]) -> Mapping[str, Any]:
        pid, file = begun
        os.waitpid(pid, 0)
        if not file.exists():
            return {"failed": True, "msg": "the module died without a result"}
        result: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return result
