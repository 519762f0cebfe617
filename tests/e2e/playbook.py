# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run ansible-playbook as a user does: with installed collections, and nothing of anybody's own configuration."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import sys
import tempfile
from pathlib import Path

import programs

PLAYBOOK = Path(sys.executable).with_name("ansible-playbook")
TIME_LIMIT = 600
_RECAP = re.compile(
    r"ok=(?P<ok>\d+) +changed=(?P<changed>\d+) +unreachable=\d+ +failed=(?P<failed>\d+)"
)


@dataclasses.dataclass(frozen=True)
class Played:
    """How a playbook ended."""

    code: int
    output: str

    @property
    def changed(self):
        """How many tasks changed something."""
        recap = _RECAP.search(self.output)
        assert recap, self.output
        return int(recap["changed"])


class Ansible:
    """Runs playbooks against one service."""

    def __init__(self, collections, service_url, token):
        self._collections = collections
        self._service = {"ZONESMITH_BASE_URL": service_url, "ZONESMITH_ACCESS_TOKEN": token}

    def run(self, playbook, variables, **environment):
        """Run a playbook."""
        command = [PLAYBOOK, playbook, "--extra-vars", json.dumps(variables)]
        with tempfile.TemporaryDirectory(prefix="e2e-") as home:
            config = Path(home, "ansible.cfg")
            config.touch()
            environment = {
                **{
                    name: value
                    for name, value in os.environ.items()
                    if not name.startswith("ANSIBLE_")
                },
                "ANSIBLE_COLLECTIONS_PATH": str(self._collections),
                "ANSIBLE_COLLECTIONS_SCAN_SYS_PATH": "false",
                "ANSIBLE_CONFIG": str(config),
                "ANSIBLE_HOME": str(Path(home, "ansible")),
                "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
                "ANSIBLE_LOCALHOST_WARNING": "false",
                "ANSIBLE_NOCOLOR": "1",
                "ZONESMITH_STATE_DIR": str(Path(home, "state")),
                **self._service,
                **environment,
            }
            done = programs.called(command, Path(home), environment, TIME_LIMIT)
        return Played(done.returncode, done.stdout)

    def tasks(self, *tasks, **variables):
        """Run tasks, also those after one that fails, and return their results."""
        numbered = [
            {**task, "register": f"result_{n}", "ignore_errors": True}
            for n, task in enumerate(tasks)
        ]
        with tempfile.TemporaryDirectory(prefix="e2e-") as folder:
            results = Path(folder, "results.json")
            kept = "{{ [" + ", ".join(task["register"] for task in numbered) + "] | to_json }}"
            play = {
                "hosts": "localhost",
                "gather_facts": False,
                "tasks": [
                    *numbered,
                    {
                        "ansible.builtin.copy": {
                            "content": kept,
                            "dest": str(results),
                            "mode": "0600",
                        }
                    },
                ],
            }
            playbook = Path(folder, "playbook.yml")
            playbook.write_text(json.dumps([play]), encoding="utf-8")
            played = self.run(playbook, variables)
            assert played.code == 0, played.output
            return json.loads(results.read_text(encoding="utf-8"))
