# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""When a module runs in Ansible's worker; the integration targets show that its result is the same there."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from running import Service

from ansible_collections.zonesmith.dns.plugins.action.dns_record import ActionModule
from ansible_collections.zonesmith.dns.plugins.module_utils._module import Memory, Task, result_of
from ansible_collections.zonesmith.dns.plugins.plugin_utils import direct

OPTIONS = {"zone": "example.com", "type": "A", "content": "192.0.2.1", "base_url": "https://x", "access_token": "t"}


def _action(
    args: dict[str, Any] | None = None, *, transport: str = "local", become: bool = False, async_val: int = 0
) -> Any:
    return ActionModule(
        task=SimpleNamespace(
            args=args or OPTIONS, async_val=async_val, delegate_to="other", check_mode=False, until=[], retries=None
        ),
        connection=SimpleNamespace(transport=transport),
        play_context=SimpleNamespace(become=become),
        loader=None,
        templar=SimpleNamespace(template=lambda value: value),
        shared_loader_obj=None,
    )


def _python(path: str) -> dict[str, Any]:
    return {"ansible_python_interpreter": path}


@pytest.mark.parametrize(
    ("task", "variables", "runs_here"),
    [
        ({}, {}, True),
        ({"transport": "ssh"}, {}, False),
        ({"become": True}, {}, False),
        ({"async_val": 60}, {}, False),
        ({}, _python("auto"), True),
        ({}, _python("auto_legacy_silent"), True),
        ({}, _python(sys.executable), True),
        ({}, _python(os.path.join(os.path.dirname(sys.executable), ".", os.path.basename(sys.executable))), True),
        ({}, _python(os.path.join(os.path.dirname(sys.executable), "python3")), True),
        ({}, _python(os.path.realpath(sys.executable)), False),  # the same Python, and not its environment
        ({}, _python("/usr/bin/no-such-python3"), False),
        ({}, {"ansible_delegated_vars": {"other": _python("/usr/bin/no-such-python3")}}, False),
        ({}, {**_python("/usr/bin/no-such-python3"), "ansible_delegated_vars": {"other": {}}}, True),
        ({}, {"zonesmith_direct": False}, False),
        ({}, {"zonesmith_direct": "no"}, False),
        ({}, {"zonesmith_direct": "yes"}, True),
    ],
)
def test_where_it_runs(task: dict[str, Any], variables: dict[str, Any], runs_here: bool) -> None:
    assert _action(**task)._may_run_here(variables) is runs_here


def test_the_python_of_the_configuration_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANSIBLE_PYTHON_INTERPRETER", "/usr/bin/no-such-python3")
    assert not _action()._may_run_here({})
    assert _action()._may_run_here(_python(sys.executable))


def test_nothing_runs_here_where_a_library_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(direct, "POSSIBLE", False)
    assert not _action()._may_run_here({})


@pytest.mark.parametrize(
    ("change", "content"),
    [
        ({}, ["192.0.2.1"]),
        ({"content": ["a, b", "c"]}, ["a, b", "c"]),
        ({"content": "a, b"}, ["a, b"]),
        ({"value": "a, b"}, None),  # two names for one option: the module warns
        ({"ttl": "soon"}, None),
        ({"state": "gone"}, None),
        ({"colour": "green"}, None),
        ({"content": [object()]}, None),
        ({"content": ["\udc80"]}, None),
    ],
)
def test_options_that_the_module_would_complain_about_are_left_to_it(change: dict[str, Any], content: Any) -> None:
    options = _action({**OPTIONS, **change})._validated_options()
    assert (options["content"] if options else None) == content


def _ask(service: Service, state_dir: Path, memory: Memory, content: str) -> list[str]:
    """The methods of the requests of one item of a loop."""
    connection = {"base_url": service.url, "access_token": service.token, "state_dir": str(state_dir)}
    options = _action({**OPTIONS, **connection, "name": "www", "content": content})._validated_options()
    service.clear_log()
    assert not result_of(ActionModule.perform, Task(options, False, memory))["failed"]
    return [entry["method"] for entry in service.log()]


@pytest.mark.parametrize(
    ("content", "ages", "calls"),
    [
        ("192.0.2.1", [0], [[]]),
        ("192.0.2.1", [6, 6], [[], ["GET"]]),  # an item that used a reading has not made it younger
        ("192.0.2.1", [11], [["GET"]]),
        ("192.0.2.2", [0], [["POST", "GET"]]),
        ("192.0.2.2", [2], [["GET", "POST", "GET"]]),  # too old to write from
        ("192.0.2.2", [2, 0], [["GET", "POST", "GET"], []]),
    ],
)
def test_the_items_of_a_loop_share_a_reading_until_it_is_old(
    service: Service, tmp_path: Path, content: str, ages: list[int], calls: list[list[str]]
) -> None:
    service.zone("example.com", [("www", "A", 300, ["192.0.2.1"])])
    memory = Memory()
    assert _ask(service, tmp_path, memory, "192.0.2.1") == ["GET"]
    seen = []
    for age in ages:
        for reading in memory._readings.values():
            object.__setattr__(reading.zone, "read_at", reading.zone.read_at - age)
        seen.append(_ask(service, tmp_path, memory, content))
    assert seen == calls


def test_who_tries_again_reads_again(service: Service, tmp_path: Path) -> None:
    service.zone("example.com", [("www", "A", 300, ["192.0.2.1"])])
    connection = {"base_url": service.url, "access_token": service.token, "state_dir": str(tmp_path)}
    action = _action({**OPTIONS, **connection, "name": "www"})
    action._task.until = ["answer is not changed"]
    for _try in range(2):
        action._performed(action._validated_options(), {})
    assert service.calls() == ["GET /dns/domains/examplecom"] * 2
