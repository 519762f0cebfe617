# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs of modules as forks of this process, which has loaded them: with real time, requests, files and kills."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import run_directly
from playing import service_environment
from running import Service


class Fork:
    """One run of a module."""

    def __init__(self, pid: int, result: Path) -> None:
        self._pid = pid
        self._result = result

    def is_over(self) -> bool:
        """Whether it has come to its end; to be asked until it has."""
        return bool(os.waitpid(self._pid, os.WNOHANG)[0])

    def kill(self) -> None:
        """End it at once."""
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)

    def result(self) -> Mapping[str, Any]:
        """What it returns, once it has come to its end."""
        os.waitpid(self._pid, 0)
        if not self._result.exists():
            return {"failed": True, "msg": "the module died without a result"}
        result: dict[str, Any] = json.loads(self._result.read_text(encoding="utf-8"))
        return result


class Forks:
    """The machine that we are on, with a folder for what runs keep."""

    def __init__(self, service: Service, folder: Path) -> None:
        self.service = service
        self._folder = folder
        self._folder.mkdir(parents=True)
        self._begun = 0

    def now(self) -> float:
        """Seconds since some moment, as the log of the service has them."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Let so many seconds pass."""
        time.sleep(seconds)

    def begin(self, module: str, options: Mapping[str, Any], *, check: bool) -> Fork:
        """Start a module."""
        self._begun += 1
        result = self._folder / f"run{self._begun}"
        pid = os.fork()
        if pid:
            return Fork(pid, result)
        try:
            os.environ.update(service_environment(self.service, self._folder / "state"))
            said = run_directly.run(module, {**options, "_ansible_diff": True, "_ansible_check_mode": check})
            result.write_text(json.dumps(said), encoding="utf-8")
        finally:
            os._exit(0)
