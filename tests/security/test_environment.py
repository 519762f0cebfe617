# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Options from the controller's environment, where no process of a module has it: they count, and stay hidden."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import elsewhere
import pytest
from held_zones import held_by
from playing import CALLBACKS, Played, play
from running import Service

TOKEN = "token-that-nobody-may-see"

# As those that keep what tasks were called with.
CALLBACK = """
from pathlib import Path
from ansible.plugins.callback import CallbackBase
DOCUMENTATION = "name: keeping\\ntype: notification\\nshort_description: Keeps arguments\\ndescription: Keeps them."
class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "notification"
    CALLBACK_NAME = "keeping"
    CALLBACK_NEEDS_ENABLED = True
    def v2_runner_on_ok(self, result):
        task = getattr(result, "task" if hasattr(result, "task") else "_task")
        with Path(__file__).with_name("kept").open("a") as file:
            print(task.args, file=file)
"""


@dataclass
class Scene:
    """What became of the tasks, and the folder in which each kept its state."""

    folder: Path
    played: Played
    held: set[tuple[str, str]]


OVER = {"remote": {"ansible_connection": "jail"}, "become": {"ansible_become": True}, "local": {}}
ROWS = [  # where the module runs, what the task says besides, where its state is then
    ("remote", "plain", {}, "controller"),
    ("remote", "async", {"async": 60, "poll": 1}, "controller"),
    (
        "remote",
        "keyword",
        {"environment": {"ZONESMITH_STATE_DIR": "{{ folder }}/keyword"}},
        "keyword",
    ),
    ("remote", "option", {"state_dir": "{{ folder }}/option"}, "option"),
    ("become", "plain", {}, "controller"),
    (
        "become",
        "keyword",
        {"environment": {"ZONESMITH_STATE_DIR": "{{ folder }}/keyword"}},
        "keyword",
    ),
    ("local", "plain", {}, "controller"),
    (
        "local",
        "keyword",
        {"environment": {"ZONESMITH_STATE_DIR": "{{ folder }}/keyword"}},
        "keyword",
    ),
]
IDS = [f"{over}-{name}" for over, name, _says, _state in ROWS]


def _task(host, says):
    options = {"zone": "example.com", "name": host, "type": "A", "content": "192.0.2.1"}
    options |= {name: value for name, value in says.items() if name == "state_dir"}
    keywords = {name: value for name, value in says.items() if name != "state_dir"}
    return {"name": host, "hosts": host, "gather_facts": False, "tasks": [
        {"name": host, "zonesmith.dns.dns_record": options, "ignore_errors": True, **keywords},
    ]}  # fmt: skip


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """All tasks of this file, run as verbosely as can be."""
    folder = tmp_path_factory.mktemp("environment")
    (folder / "keeping.py").write_text(CALLBACK)
    common = {
        "ansible_become_method": "marking",
        "ansible_become_flags": "become-mark",
        "folder": str(folder),
    }
    hosts = {host: {**common, **OVER[row[0]]} for host, row in zip(IDS, ROWS, strict=True)}
    with Service(zones=["example.com"], token=TOKEN) as service:
        played = play(
            [
                _task(host, says)
                for host, (_over, _name, says, _state) in zip(IDS, ROWS, strict=True)
            ],
            {"all": {"hosts": hosts}},
            {
                **service.environment(folder / "controller"),
                **elsewhere.put(folder),
                "ANSIBLE_CALLBACKS_ENABLED": "as_json_lines,keeping",
                "ANSIBLE_CALLBACK_PLUGINS": f"{CALLBACKS}:{folder}",
                "ANSIBLE_DISPLAY_ARGS_TO_STDOUT": "1",
                "ANSIBLE_INJECT_INVOCATION": "1",
                "ANSIBLE_ASYNC_DIR": str(folder / "async"),
            },
            verbosity=4,
        )
        yield Scene(folder, played, set(held_by(service, "example.com")))


@pytest.mark.parametrize("host, row", [*zip(IDS, ROWS, strict=True)], ids=IDS)
def test_the_environment_counts_wherever_the_module_runs(scene, host, row):
    result = scene.played.results[host]
    assert result.get("changed") is True, result
    assert (host, "A") in scene.held
    assert result["invocation"]["module_args"]["state_dir"] == str(scene.folder / row[3])
    assert list((scene.folder / row[3]).glob("*.lock"))


def test_the_token_is_shown_nowhere(scene):
    assert TOKEN not in scene.played.output
    assert TOKEN not in json.dumps(scene.played.results)
    left = [path for path in scene.folder.rglob("*") if path.is_file()]
    assert scene.folder / "kept" in left
    assert [path for path in left if TOKEN.encode() in path.read_bytes()] == []
