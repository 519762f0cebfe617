# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs the modules as users do, with ansible-playbook: many hosts at once, each with a task of its own."""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import programs
from running import Service

PLAYBOOK = Path(sys.executable).with_name("ansible-playbook")
CALLBACKS = Path(__file__).with_name("callbacks")
DIRECTLY = Path(__file__).with_name("run_directly.py")
CASE = "ZONESMITH_FAULT_CASE"
"""The variable in the environment of a process that tells for which host it runs."""

TIME_LIMIT = 600


@dataclass(frozen=True)
class Task:
    """A module with its options."""

    module: str
    options: Mapping[str, Any]


@dataclass(frozen=True)
class Played:
    """What a run of ansible-playbook said: all of its output, and the last result of each host."""

    output: str
    results: dict[str, dict[str, Any]] = field(default_factory=dict)


def collections_path() -> Path:
    """The folder above ansible_collections from which Python imports the collection under test."""
    package = importlib.import_module("ansible_collections.zonesmith.dns")
    return Path(package.__path__[0]).parents[2]


def play_tasks(
    tasks: Mapping[str, Task],
    service: Service,
    state_dir: Path,
    *,
    direct: bool = False,
    forks: int = 10,
    verbosity: int = 0,
    marks: Mapping[str, str] | None = None,
) -> Played:
    """Run each host's task, several at once, in processes of their own or *direct*, in Ansible's workers.

    Each module has a play. *marks* are variables in the environment, by which processes are found.
    """
    modules: dict[str, dict[str, Task]] = {}
    for host, task in tasks.items():
        modules.setdefault(task.module, {})[host] = task
    inventory = {
        module: {
            "hosts": {host: {"options": dict(task.options)} for host, task in sorted(held.items())}
        }
        for module, held in modules.items()
    }
    plays = [_play(module, held.values(), direct=direct) for module, held in modules.items()]
    environment = {**service.environment(state_dir), **(marks or {})}
    return play(plays, inventory, environment, forks=forks, verbosity=verbosity, forked=not marks)


def run_directly(
    tasks: Mapping[str, Task], service: Service, state_dir: Path
) -> dict[str, dict[str, Any]]:
    """The result of each host's task, with no ansible-playbook around the modules."""
    asked = {
        host: {"module": task.module, "options": dict(task.options)} for host, task in tasks.items()
    }
    done = subprocess.run(
        [sys.executable, str(DIRECTLY)],
        check=True,
        env={**os.environ, **service.environment(state_dir), "PYTHONPATH": str(collections_path())},
        input=json.dumps(asked),
        stdout=subprocess.PIPE,
        text=True,
        timeout=TIME_LIMIT,
    )
    results: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return results


def wait_until(condition: Callable[[], object], seconds: float = 300.0) -> None:
    """Wait until it holds; TimeoutError where that takes longer."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("It does not come.")
        time.sleep(0.01)


def _obeys_ctrl_c() -> None:
    """What a shell starts in the background is born deaf to it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def begun(
    plays: Sequence[Mapping[str, Any]],
    hosts: Mapping[str, Any],
    environment: Mapping[str, str],
    folder: Path,
    stdout: int = subprocess.PIPE,
) -> subprocess.Popen[str]:
    """A run that somebody will interrupt: its processes are a group, as in a terminal, where Ctrl-C is for all."""
    for name, content in (("playbook", plays), ("inventory", {"all": {"hosts": hosts}})):
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    (folder / "ansible.cfg").touch()
    return subprocess.Popen(
        [PLAYBOOK, "playbook.json", "-i", "inventory.json"],
        cwd=folder,
        env={**clean_environment(folder), "RESULTS_FILE": str(folder / "results"), **environment},
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=_obeys_ctrl_c,
    )


def play(
    plays: Sequence[Mapping[str, Any]],
    inventory: Mapping[str, Any],
    environment: Mapping[str, str],
    *,
    forks: int = 10,
    verbosity: int = 0,
    arguments: Sequence[str] = (),
    beside: Path | None = None,
    forked: bool = True,
) -> Played:
    """Run plays against an inventory, with nothing of the user's own configuration.

    *beside* is the playbook's folder where that is not the one in which ansible-playbook is started. *forked*, it is
    one of tests/programs.py, which takes half as long, and whose environment is not to be seen in /proc.
    """
    program = programs.folder() / PLAYBOOK.name if forked else PLAYBOOK
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        playbook = (beside or folder) / "playbook.json"
        for file, content in ((playbook, plays), (folder / "inventory.json", inventory)):
            file.write_text(json.dumps(content), encoding="utf-8")
        (folder / "ansible.cfg").touch()
        results = folder / "results"
        results.touch()
        command: list[str | Path] = [program, playbook, "-i", folder / "inventory.json"]
        command += [
            "--forks",
            str(forks),
            *([f"-{'v' * verbosity}"] if verbosity else []),
            *arguments,
        ]
        environment = {**clean_environment(folder), "RESULTS_FILE": str(results), **environment}
        done = programs.called(command, folder, environment, TIME_LIMIT)
        lines = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    return Played(done.stdout, {line["host"]: line["result"] for line in lines})


def _play(module: str, tasks: Any, *, direct: bool) -> dict[str, Any]:
    names = sorted({name for task in tasks for name in task.options})
    options = {name: f"{{{{ options.{name} | default(omit) }}}}" for name in names}
    return {
        "name": module,
        "hosts": module,
        "gather_facts": False,
        "vars": {"zonesmith_direct": direct},
        "tasks": [{"name": module, f"zonesmith.dns.{module}": options, "ignore_errors": True}],
    }


def clean_environment(folder: Path) -> dict[str, str]:
    """That of a program of Ansible's which has a folder to itself, with nothing of the user's own."""
    own = ("ANSIBLE_", "ZONESMITH_")
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(own)},
        # Where HOME is another than the account's, Ansible writes jobs into the one and looks for them in the other.
        "ANSIBLE_ASYNC_DIR": str(folder / "async"),
        "ANSIBLE_CALLBACKS_ENABLED": "as_json_lines",
        "ANSIBLE_CALLBACK_PLUGINS": str(CALLBACKS),
        "ANSIBLE_COLLECTIONS_PATH": str(collections_path()),
        "ANSIBLE_CONFIG": str(folder / "ansible.cfg"),
        "ANSIBLE_HOME": str(folder / "home"),
        "ANSIBLE_NOCOLOR": "1",
        "ANSIBLE_PYTHON_INTERPRETER": sys.executable,
        "ANSIBLE_TRANSPORT": "local",
        "LC_ALL": "C.UTF-8",
    }
