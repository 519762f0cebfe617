# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run ansible-playbook as a user does: with installed collections, and nothing of anybody's own configuration."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
import tempfile
from pathlib import Path

import demo
import programs

PLAYBOOK = Path(sys.executable).with_name("ansible-playbook")
TIME_LIMIT = 600


@dataclasses.dataclass(frozen=True)
class Played:
    """How a playbook ended."""

    code: int
    output: str

    @property
    def changed(self):
        """How many tasks changed something."""
        recap = re.search(r"ok=\d+ +changed=(\d+) ", self.output)
        assert recap, self.output
        return int(recap[1])


class Ansible:
    """Runs playbooks against one service."""

    def __init__(self, collections, service_url, token):
        self._collections = collections
        self._service = {"ZONESMITH_BASE_URL": service_url, "ZONESMITH_ACCESS_TOKEN": token}

    def run(self, playbook, variables, **environment):
        """Run a playbook."""
        command = [PLAYBOOK, playbook, "--extra-vars", json.dumps(variables)]
        with tempfile.TemporaryDirectory(prefix="e2e-") as home:
            environment = {
                **demo.settings(Path(home)),
                "ANSIBLE_COLLECTIONS_PATH": str(self._collections),
                "ANSIBLE_COLLECTIONS_SCAN_SYS_PATH": "false",
                "ZONESMITH_STATE_DIR": str(Path(home, "state")),
                **self._service,
                **environment,
            }
            done = programs.called(command, Path(home), environment, TIME_LIMIT)
        return Played(done.returncode, done.stdout)

    def tasks(self, *tasks):
        """Run tasks, also those after one that fails, and return their results."""
        numbered = [
            {**task, "register": f"result_{n}", "ignore_errors": True}
            for n, task in enumerate(tasks)
        ]
        with tempfile.TemporaryDirectory(prefix="e2e-") as folder:
            results = Path(folder, "results.json")
            kept = "{{ [" + ", ".join(task["register"] for task in numbered) + "] | to_json }}"
            copy = {"content": kept, "dest": str(results), "mode": "0600"}
            tasks = [*numbered, {"ansible.builtin.copy": copy}]
            playbook = Path(folder, "playbook.yml")
            play = {"hosts": "localhost", "gather_facts": False, "tasks": tasks}
            playbook.write_text(json.dumps([play]), "utf-8")
            played = self.run(playbook, {})
            assert played.code == 0, played.output
            return json.loads(results.read_text("utf-8"))
