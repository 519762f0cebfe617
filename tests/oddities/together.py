# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plays many cases at once: most of their time is waiting. A case is a fork, and so is each run of a module in it.

Reads from stdin {"url", "token", "folder", "jobs", "cases"}, and prints {case: [what is wrong with it]}.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), *(str(HERE.parent / folder) for folder in ("", "faults", "service"))]

import run_directly  # noqa: E402 - tests/ is no package
from forks import Forks  # noqa: E402
from named import play  # noqa: E402
from running import Service  # noqa: E402
from stage import Stage  # noqa: E402

TIME_LIMIT = 240
PAUSE = 0.02
# Loaded once, here: it is what a run of a module takes longest for.
LOADED = ("dns_record", "dns_records", "dns_zones")


def _fork(number: int, name: str, asked: dict[str, Any], folder: Path) -> int:
    pid = os.fork()
    if pid:
        return pid
    os.setsid()
    try:
        service = Service(token=asked["token"])
        service.url = asked["url"]
        complaints = play(name, Stage(number, Forks(service, folder / str(number))))
    except BaseException as error:  # noqa: BLE001 - whatever it is, the case says so
        complaints = [f"the case itself broke: {error!r}", traceback.format_exc()]
    (folder / f"{number}.json").write_text(json.dumps(complaints), encoding="utf-8")
    os._exit(0)


def play_all(asked: dict[str, Any]) -> dict[str, list[str]]:
    """What is wrong in each case."""
    folder, names = Path(asked["folder"]), list(enumerate(asked["cases"]))
    begin = partial(_fork, asked=asked, folder=folder)
    running: dict[int, tuple[int, float]] = {}
    waiting = names[::-1]
    while waiting or running:
        while waiting and len(running) < asked["jobs"]:
            number, name = waiting.pop()
            running[begin(number, name)] = (number, time.monotonic())
        time.sleep(PAUSE)
        for pid, (number, began) in list(running.items()):
            if os.waitpid(pid, os.WNOHANG)[0]:
                del running[pid]
            elif time.monotonic() - began > TIME_LIMIT:
                os.killpg(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                del running[pid]
                (folder / f"{number}.json").write_text(json.dumps([f"takes longer than {TIME_LIMIT} s"]))
    return {name: json.loads((folder / f"{number}.json").read_text(encoding="utf-8")) for number, name in names}


def main(text: str) -> Sequence[str]:
    """Play what is asked for."""
    for module in LOADED:
        importlib.import_module(f"{run_directly.MODULES}.{module}")
    return [json.dumps(play_all(json.loads(text)))]


if __name__ == "__main__":
    print(*main(sys.stdin.read()))
