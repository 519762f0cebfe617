# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Run many tasks, each through its module's main() in a fork of its own, without ansible-playbook around it.

Reads from stdin {host: {"module", "options"}}, and prints {host: result}. It is for the runs that nothing disturbs, and
spares hundreds of starts of Python. Many run at once, because most of their time is waiting.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import multiprocessing
import sys
from typing import Any

from ansible.module_utils import basic

MODULES = "ansible_collections.zonesmith.dns.plugins.modules"
AT_ONCE = 10


def run(module: str, options: dict[str, Any]) -> Any:
    """The result of one task."""
    # What ansible.module_utils.testing.patch_module_args does; ansible-core 2.18 does not have it.
    basic._ANSIBLE_ARGS = json.dumps({"ANSIBLE_MODULE_ARGS": options}).encode()
    basic._ANSIBLE_PROFILE = "legacy"
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        importlib.import_module(f"{MODULES}.{module}").main()
    return json.loads(said.getvalue())


if __name__ == "__main__":
    tasks = json.load(sys.stdin)
    for module in {task["module"] for task in tasks.values()}:  # loaded once, here: it takes longer than to run it
        importlib.import_module(f"{MODULES}.{module}")
    with multiprocessing.get_context("fork").Pool(min(AT_ONCE, len(tasks)) or 1, maxtasksperchild=1) as pool:
        results = pool.starmap(run, [(task["module"], task["options"]) for task in tasks.values()], chunksize=1)
    print(json.dumps(dict(zip(tasks, results, strict=True))))
