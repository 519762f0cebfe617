# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Run many tasks, each through its module's main() in a fork of its own, without ansible-playbook around it.

Reads from stdin {host: {"module", "options"}}, and prints {host: result}, without those that were killed. It spares
hundreds of starts of Python. Many run at once, because most of their time is waiting.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import multiprocessing
import sys
from collections.abc import Mapping
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from ansible.module_utils import basic

MODULES = "ansible_collections.zonesmith.dns.plugins.modules"
AT_ONCE = 10


def run(module: str, options: dict[str, Any]) -> Any:
    """The result of one task."""
    # What ansible.module_utils.testing.patch_module_args does; ansible-core 2.18 does not have it.
    basic._ANSIBLE_ARGS = json.dumps({"ANSIBLE_MODULE_ARGS": options}).encode()
    basic._ANSIBLE_PROFILE = "legacy"
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.suppress(SystemExit):
        importlib.import_module(f"{MODULES}.{module}").main()
    return json.loads(output.getvalue())


def run_all(tasks: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The results of many tasks, by their hosts."""
    fork = multiprocessing.get_context("fork")
    waiting, results = list(tasks.items()), {}
    running: dict[Any, tuple[str, Any]] = {}
    while waiting or running:
        while waiting and len(running) < AT_ONCE:
            host, task = waiting.pop(0)
            ours, theirs = fork.Pipe(duplex=False)
            process = fork.Process(target=_tell, args=(theirs, host, task))
            process.start()
            theirs.close()
            running[ours] = host, process
        for ready in wait(list(running)):
            host, process = running.pop(ready)
            with contextlib.suppress(EOFError):
                results[host] = ready.recv()
            ready.close()
            process.join()
    return results


def _tell(to: Connection, host: str, task: Mapping[str, Any]) -> None:
    # The name by which killing.py finds the process.
    Path("/proc/self/comm").write_text(host, encoding="utf-8")
    to.send(run(task["module"], task["options"]))


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    for module in {
        task["module"] for task in asked.values()
    }:  # loaded once, here: it takes longer than to run it
        importlib.import_module(f"{MODULES}.{module}")
    print(json.dumps(run_all(asked)))
