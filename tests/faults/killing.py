# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Kills the processes of modules with SIGKILL, each at the request it was sentenced at."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from playing import CASE
from running import Service

PAUSE = 0.05


class Killer:
    """While the block lasts, kills the process of each host once the request that its path's fault waits for is there.

    The fault holds the request back, so what the process has done by then is known: all before it, and of itself
    nothing (hang_before) or all (hang_after).
    """

    def __init__(self, service: Service, hosts_by_path: Mapping[str, str]) -> None:
        self.killed: set[str] = set()
        self._service = service
        self._waiting = dict(hosts_by_path)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Killer:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while self._waiting and not self._stop.is_set():
            for fault in self._service.met_faults():
                if fault["path"] in self._waiting:
                    host = self._waiting.pop(fault["path"])
                    for pid in processes_of(host, self._service):
                        os.kill(pid, signal.SIGKILL)
                        self.killed.add(host)
            time.sleep(PAUSE)


def processes_of(host: str, service: Service) -> list[int]:
    """The processes that run the task of a host at a service, and say so in their environment or by their name.

    The service tells them from those of the same tests, run elsewhere on the machine at the same time.
    """
    marker, served = f"{CASE}={host}".encode(), f"ZONESMITH_BASE_URL={service.url}".encode()
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                named = (folder / "comm").read_bytes().strip() == host.encode()
                variables = (folder / "environ").read_bytes().split(b"\0")
                if served in variables and (named or marker in variables):
                    found.append(int(folder.name))
    return found
