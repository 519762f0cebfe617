# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Given this playbook, in which the task x fails: may a ping be left undone after it?"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

X = {"name": "x", "ansible.builtin.assert": {"that": False}}
OTHER = {"ansible.builtin.debug": {"msg": "other"}}
OURS = {"ansible.builtin.ping": None}
INCLUDE = {"ansible.builtin.include_tasks": "more.yml"}
PLAY = {"hosts": "localhost", "gather_facts": False}

# Each: the plays, of which the task x is in one, and whether something may be left undone.
PLAYBOOKS = {
    "after ours": ([{"tasks": [OURS, X]}], False),
    "before ours": ([{"tasks": [X, OURS]}], True),
    "before an include": ([{"tasks": [OURS, X, INCLUDE]}], True),
    "before post_tasks of ours": ([{"pre_tasks": [X], "post_tasks": [OURS]}], True),
    "after pre_tasks of ours": ([{"pre_tasks": [OURS], "tasks": [X]}], False),
    "before ours in the same block": ([{"tasks": [{"block": [X, OURS]}]}], True),
    "at the end of two blocks": ([{"tasks": [OURS, {"block": [{"block": [OURS, X]}]}, OTHER]}], False),
    "before always": ([{"tasks": [{"block": [X], "always": [OURS]}]}], False),
    "in always": ([{"tasks": [{"block": [OTHER], "always": [X, OURS]}]}], True),
    "in rescue": ([{"tasks": [{"block": [OTHER], "rescue": [X, OURS]}]}], True),
    "before handlers of ours": ([{"tasks": [OURS, X], "handlers": [{"name": "h", **OURS}]}], True),
    "in a play before one of ours": ([{"tasks": [X]}, {"tasks": [OTHER]}, {"tasks": [OURS]}], True),
    "before a role of ours": ([{"pre_tasks": [X], "roles": [{"role": "kept"}]}], True),
    "after a role of ours": ([{"roles": [{"role": "kept"}], "tasks": [X]}], False),
}


# Ansible knows no module before its loader is set up, which cannot be taken back: so in a process of its own.
VERDICTS = """
import json, sys
from ansible.plugins.loader import init_plugin_loader
init_plugin_loader()
from ansible.parsing.dataloader import DataLoader
from ansible.playbook import Playbook
from ansible.vars.manager import VariableManager
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.gather import leaves_out

def tasks_of(listed):
    for one in listed:
        inside = getattr(one, "block", None)
        yield from [one] if inside is None else tasks_of([*inside, *one.rescue, *one.always])

def verdict(path):
    loader = DataLoader()
    plays = Playbook.load(path, variable_manager=VariableManager(loader=loader), loader=loader).get_plays()
    while not (found := [task for task in tasks_of(plays[0].compile()) if task.get_name() == "x"]):
        plays.pop(0)
    return leaves_out(found[0], plays, lambda one: one.action == "ansible.builtin.ping")

print(json.dumps([verdict(path) for path in sys.argv[1:]]))
"""


def test_what_is_left_undone(tmp_path: pathlib.Path) -> None:
    (tmp_path / "roles" / "kept" / "tasks").mkdir(parents=True)
    (tmp_path / "roles" / "kept" / "tasks" / "main.yml").write_text(json.dumps([OURS]), encoding="utf-8")
    files = [tmp_path / f"{number}.yml" for number in range(len(PLAYBOOKS))]
    for file, (plays, _is_left) in zip(files, PLAYBOOKS.values(), strict=True):
        file.write_text(json.dumps([{**PLAY, **play} for play in plays]), encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", VERDICTS, *files], check=True, stdout=subprocess.PIPE, text=True)
    verdicts = dict(zip(PLAYBOOKS, json.loads(done.stdout), strict=True))
    assert verdicts == {case: may_be_there for case, (_plays, may_be_there) in PLAYBOOKS.items()}
