# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Options from the controller's environment, where no process of a module has it: they count, and stay hidden."""

import json
from dataclasses import dataclass
from pathlib import Path

import elsewhere
import pytest
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


KEYWORD = {"environment": {"ZONESMITH_STATE_DIR": "{{ folder }}/keyword"}}
TASKS = {  # what the host's variables are, what the task says besides, where its state is then
    "remote-plain": ({"ansible_connection": "jail"}, {}, "controller"),
    "remote-async": ({"ansible_connection": "jail"}, {"async": 60, "poll": 1}, "controller"),
    "remote-keyword": ({"ansible_connection": "jail"}, KEYWORD, "keyword"),
    "become-plain": ({"ansible_become": True}, {}, "controller"),
    "become-keyword": ({"ansible_become": True}, KEYWORD, "keyword"),
    "local-keyword": ({}, KEYWORD, "keyword"),
}


def _play(host, says):
    options = {"zone": "example.com", "name": host, "type": "A", "content": "192.0.2.1"}
    task = {"name": host, "zonesmith.dns.dns_record": options, "ignore_errors": True, **says}
    return {"name": host, "hosts": host, "gather_facts": False, "tasks": [task]}


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """All tasks of this file, run as verbosely as can be."""
    folder = tmp_path_factory.mktemp("environment")
    (folder / "keeping.py").write_text(CALLBACK)
    common = {
        "ansible_become_method": "marking",
        "ansible_become_flags": "{{ inventory_hostname }}",
        "folder": str(folder),
    }
    hosts = {host: variables for host, (variables, _says, _state) in TASKS.items()}
    with Service(zones=["example.com"], token=TOKEN) as service:
        played = play(
            [_play(host, says) for host, (_variables, says, _state) in TASKS.items()],
            {"all": {"hosts": hosts, "vars": common}},
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
        return Scene(folder, played)


@pytest.mark.parametrize("host", TASKS)
def test_the_environment_counts_wherever_the_module_runs(scene, host):
    result = scene.played.results[host]
    assert result.get("changed") is True, result
    state_dir = scene.folder / TASKS[host][2]
    if host != "local-keyword":  # what runs in Ansible's worker does not repeat its options
        assert result["invocation"]["module_args"]["state_dir"] == str(state_dir)
    assert list(state_dir.glob("*.lock"))
    assert (scene.folder / host).exists() is host.startswith("become")


def test_the_token_is_shown_nowhere(scene):
    assert TOKEN not in scene.played.output
    assert TOKEN not in json.dumps(scene.played.results)
    left = [path for path in scene.folder.rglob("*") if path.is_file()]
    assert scene.folder / "kept" in left
    assert [path for path in left if TOKEN.encode() in path.read_bytes()] == []
