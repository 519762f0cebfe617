# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""When a module runs in Ansible's worker; the integration targets show that its result is the same there."""

import os
import sys
from types import SimpleNamespace

import pytest
from ansible.playbook.play_context import PlayContext
from ansible.plugins.action import ActionBase
from ansible.plugins.action.normal import ActionModule as OrdinaryAction
from ansible.plugins.connection.local import Connection as LocalConnection
from ansible.plugins.connection.ssh import Connection as SshConnection
from ansible.plugins.shell.sh import ShellModule as LocalShell

from ansible_collections.zonesmith.dns.plugins.action.dns_record import ActionModule
from ansible_collections.zonesmith.dns.plugins.plugin_utils import _direct as direct

OPTIONS = {
    "zone": "example.com",
    "type": "A",
    "content": "192.0.2.1",
    "base_url": "https://x",
    "access_token": "t",
}


class Jail(LocalConnection):
    """Runs commands somewhere else; its transport is that of what it is derived from."""


class OwnShell(LocalShell):
    """Builds commands in its own way."""


def _action(
    args=None,
    *,
    kind=LocalConnection,
    become=None,
    keyword=False,
    shell=LocalShell,
    executable="/bin/sh",
    environment=None,
    **task,
):
    context = PlayContext()
    context.become, context.executable = keyword, executable
    connection = kind(context, None, shell=shell())
    connection.set_become_plugin(become)
    return ActionModule(
        task=SimpleNamespace(
            **{
                "args": args or OPTIONS,
                "async_val": 0,
                "delegate_to": "other",
                "check_mode": False,
                "until": [],
                "retries": None,
                "environment": [environment],
                **task,
            }
        ),
        connection=connection,
        play_context=context,
        loader=SimpleNamespace(get_basedir=lambda: "/play"),
        templar=SimpleNamespace(template=lambda value: value),
        shared_loader_obj=None,
    )


@pytest.fixture(autouse=True)
def default_shell(monkeypatch):
    """The shell that Ansible starts, without a configuration."""
    monkeypatch.setattr(direct.constants, "DEFAULT_EXECUTABLE", "/bin/sh")


@pytest.fixture
def ordinarily(monkeypatch):
    """The actions whose module Ansible was to run as any other."""
    ordinarily = []
    monkeypatch.setattr(ActionBase, "run", lambda _self, _tmp, _variables: {})
    monkeypatch.setattr(
        OrdinaryAction, "run", lambda self, _tmp, _variables: ordinarily.append(self) or {}
    )
    return ordinarily


@pytest.fixture
def options_here(monkeypatch, ordinarily):
    """Tells the options with which an action does its work in this process; None where it does not."""
    done = []

    def perform(invocation):
        done.append(invocation.options)
        return {"changed": False}

    monkeypatch.setattr(ActionModule, "perform", staticmethod(perform))

    def options_here(action, variables=None):
        done.clear()
        action.run(task_vars=variables or {})
        return None if action in ordinarily else done[0]

    return options_here


NO_PYTHON = "/usr/bin/no-such-python3"


def _python(path):
    return {"ansible_python_interpreter": path}


@pytest.mark.parametrize(
    "task, variables, runs_here",
    [
        ({}, {}, True),
        ({"kind": SshConnection}, {}, False),
        ({"kind": Jail}, {}, False),
        ({"shell": OwnShell}, {}, False),
        ({"executable": "/usr/local/bin/enter-jail"}, {}, False),
        ({"keyword": True}, {}, False),
        ({"become": object()}, {}, False),  # from a variable, on ansible-core 2.18
        ({}, _python(os.path.join(os.path.dirname(sys.executable), ".", "python3")), True),
        # The same Python, and not its environment.
        ({}, _python(os.path.realpath(sys.executable)), False),
        ({}, _python(NO_PYTHON), False),
        ({}, {"ansible_delegated_vars": {"other": _python(NO_PYTHON)}}, False),
        ({}, {**_python(NO_PYTHON), "ansible_delegated_vars": {"other": {}}}, True),
        ({}, {"zonesmith_direct": "no"}, False),
        ({}, {"zonesmith_direct": "yes"}, True),
    ],
)
def test_where_it_runs(options_here, task, variables, runs_here):
    assert (options_here(_action(**task), variables) is not None) is runs_here


def test_python_and_shell_of_the_configuration_count(options_here, monkeypatch):
    monkeypatch.setenv("ANSIBLE_PYTHON_INTERPRETER", NO_PYTHON)
    assert not options_here(_action())
    assert options_here(_action(), _python(sys.executable))
    monkeypatch.setattr(direct.constants, "DEFAULT_EXECUTABLE", "/usr/local/bin/enter-jail -v")
    assert not options_here(_action(), _python(sys.executable))


@pytest.mark.parametrize(
    "variable, possible",
    [
        ("ZONESMITH_BASE_URL", True),
        ("https_proxy", True),
        ("REQUESTS_CA_BUNDLE", True),
        ("PGSSLROOTCERT", True),
        ("", False),
        ("PYTHONPATH", False),
    ],
)
def test_an_environment_that_may_need_its_own_process_is_left_to_ansible(
    options_here, variable, possible
):
    action = _action(environment={variable: "value"})
    assert (options_here(action) is not None) is possible


ELSEWHERE = [
    # the task's options, the environment of ansible-playbook -> what a module of another machine is given besides
    ({}, {"ZONESMITH_OWNER": "web"}, {"owner": "web"}),
    # Dropped, it would let the task work for nobody, or keep its state elsewhere.
    ({}, {"ZONESMITH_OWNER": ""}, {"owner": ""}),
    ({}, {"ZONESMITH_STATE_URL": " "}, {"state_url": " "}),
    ({"state_dir": "/x"}, {"ZONESMITH_STATE_URL": ""}, {}),
    ({}, {"ZONESMITH_BASE_URL": ""}, {}),
    ({}, {"ZONESMITH_STATE_URL": "u", "ZONESMITH_STATE_DIR": "/x"}, {"state_url": "u"}),
]


@pytest.mark.parametrize("args, environment, given", ELSEWHERE)
def test_what_the_controllers_environment_gives_a_module_of_another_machine(
    monkeypatch,
    args,
    environment,
    given,
):
    for variable in ("BASE_URL", "ACCESS_TOKEN", "OWNER", "STATE_DIR", "STATE_URL"):
        monkeypatch.delenv(f"ZONESMITH_{variable}", raising=False)
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    passed = {}
    monkeypatch.setattr(
        ActionBase, "_execute_module", lambda _self, _name, args: passed.update(args)
    )
    monkeypatch.setattr(
        OrdinaryAction, "run", lambda self, _tmp, _variables: self._execute_module() or {}
    )
    task = {"zone": "example.com", "type": "A", "content": "192.0.2.1", **args}
    _action(task, kind=SshConnection).run()
    assert {name: value for name, value in passed.items() if name not in task} == given


@pytest.mark.parametrize(
    "given, used",
    [
        ("../ca.pem", "/play/../ca.pem"),
        ("/etc/ca.pem", "/etc/ca.pem"),
        ("~/ca.pem", os.path.expanduser("~/ca.pem")),
        ("$FOLDER/ca.pem", "/play/certificates/ca.pem"),
    ],
)
def test_a_relative_path_is_one_beside_the_playbook(options_here, monkeypatch, given, used):
    monkeypatch.setenv("FOLDER", "certificates")
    monkeypatch.setenv("ZONESMITH_STATE_DIR", "state")
    options = options_here(_action({**OPTIONS, "ca_path": given}))
    assert (options["ca_path"], options["state_dir"]) == (used, "/play/state")


def test_nothing_runs_here_where_a_library_is_missing(options_here, monkeypatch):
    monkeypatch.setattr(direct, "POSSIBLE", False)
    assert not options_here(_action())


@pytest.mark.parametrize(
    "change, content",
    [
        ({"content": "a, b", "ttl": ""}, ["a, b"]),
        ({"value": "a, b"}, None),  # two names for one option: the module warns
        ({"ttl": "soon"}, ["192.0.2.1"]),  # which this side tells as well
        ({"content": ["a", True]}, None),
        ({"colour": "green"}, None),
        ({"content": [object()]}, None),
        ({"content": ["\udc80"]}, None),
    ],
)
def test_options_that_the_module_would_complain_about_are_left_to_it(options_here, change, content):
    options = options_here(_action({**OPTIONS, **change}))
    assert (options["content"] if options else None) == content


@pytest.fixture
def act(service, tmp_path, ordinarily):
    """Acts on a set of the service: what that gives. The tasks of one process have one environment."""

    def act(content, process="this", until=()):
        environment = {"ZONESMITH_PROCESS": f"{process} {tmp_path}"}
        connection = {"base_url": service.url, "access_token": service.token}
        www = {"state_dir": str(tmp_path), "name": "www", "content": content}
        args = {**OPTIONS, **connection, **www}
        result = _action(args, environment=environment, until=until).run()
        assert not ordinarily
        return result

    return act


@pytest.fixture
def ask(service, act):
    """Acts, and tells the methods of the requests."""

    def ask(content, process="this"):
        service.clear_log()
        assert not act(content, process)["failed"]
        return [entry["method"] for entry in service.log()]

    return ask


@pytest.mark.parametrize(
    "content, ages, calls",
    [
        ("192.0.2.1", [6, 6], [[], ["GET"]]),  # an item that used a reading has not made it younger
        ("192.0.2.2", [0], [["POST", "GET"]]),
        ("192.0.2.2", [2, 0], [["GET", "POST", "GET"], []]),  # too old to write from
    ],
)
def test_the_items_of_a_loop_share_a_reading_until_it_is_old(
    service, clock, ask, content, ages, calls
):
    service.zone("example.com", [("www", "A", 300, ["192.0.2.1"])])
    assert ask("192.0.2.1") == ["GET"]
    seen = []
    for age in ages:
        clock.turn(age)
        seen.append(ask(content))
    assert seen == calls


@pytest.mark.usefixtures("clock")
def test_a_reading_is_not_shared_once_another_process_has_written(service, ask):
    """However young it is; the next item sees what the other process wrote."""
    service.zone("example.com", [("www", "A", 300, ["192.0.2.1"])])
    assert ask("192.0.2.1") == ["GET"]
    assert ask("192.0.2.1") == []
    assert ask("192.0.2.2", "another") == ["GET", "POST", "GET"]
    assert ask("192.0.2.1") == ["GET"]
    assert ask("192.0.2.2") == []


def test_who_tries_again_reads_again(service, act):
    service.zone("example.com", [("www", "A", 300, ["192.0.2.1"])])
    for _try in range(2):
        act("192.0.2.1", until=["answer is not changed"])
    assert service.calls() == ["GET /dns/domains/examplecom"] * 2


# the next run completes it
