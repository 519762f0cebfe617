# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ansible's programs, imported once and forked for each run: what they import is four fifths of what a run costs.

A run is the program's own main(), in a process of its own, with its own arguments, folder and environment. Only what
is read while Ansible is imported lasts: its settings in the environment. Other settings are another start.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

MODULES = {
    "ansible": "ansible.cli.adhoc",
    "ansible-inventory": "ansible.cli.inventory",
    "ansible-playbook": "ansible.cli.playbook",
}
SETTINGS = ("ANSIBLE_", "PYTHON", "LC_")


def run(
    program: str, *arguments: str, folder: Path, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a program of MODULES in a folder; *environment* is all that it finds in its environment."""
    settings = {name: value for name, value in environment.items() if name.startswith(SETTINGS)}
    started = _start(program, tuple(sorted(settings.items())))
    with tempfile.TemporaryDirectory() as temporary:
        said, complained = Path(temporary, "stdout"), Path(temporary, "stderr")
        run = {
            "arguments": [program, *arguments],
            "folder": str(folder),
            "environment": dict(environment),
            "outputs": [str(said), str(complained)],
        }
        assert started.stdin
        assert started.stdout
        print(json.dumps(run), file=started.stdin, flush=True)
        code = int(started.stdout.readline())
        outputs = said.read_text("utf-8"), complained.read_text("utf-8")
    return subprocess.CompletedProcess([program, *arguments], code, *outputs)


@functools.cache
def _start(program: str, settings: tuple[tuple[str, str], ...]) -> subprocess.Popen[str]:
    others = {name: value for name, value in os.environ.items() if not name.startswith(SETTINGS)}
    started = subprocess.Popen(
        [sys.executable, __file__, MODULES[program]],
        env={**others, **dict(settings)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(started.communicate)  # which ends its input, and it with it
    return started


def _serve(name: str) -> None:
    program = importlib.import_module(name)
    # What the collection imports at once; ansible's own parts that main() imports.
    for more in ("requests", "dns.zonefile", "ansible.vars.manager", "ansible.inventory.manager", "ansible.template"):
        with contextlib.suppress(ImportError):
            importlib.import_module(more)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _run(program, **json.loads(line))
        _child, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _run(
    program: ModuleType, arguments: list[str], folder: str, environment: dict[str, str], outputs: list[str]
) -> None:
    code: object = 1
    try:
        files = [os.open(os.devnull, os.O_RDONLY), *(os.open(path, os.O_WRONLY | os.O_CREAT) for path in outputs)]
        for number, file in enumerate(files):
            os.dup2(file, number)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = arguments
        program.main()
        code = 0
    except SystemExit as ended:
        code = ended.code
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    _serve(sys.argv[1])
