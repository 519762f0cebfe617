# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Modules run in Ansible's own worker, where that gives the same result: no Python start for each item of a loop.

A worker serves all items of a loop, so they share one connection, and one reading of a zone as long as nobody writes.
Wherever there is any doubt the ordinary module runs.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from types import ModuleType
from typing import Any, ClassVar

import ansible.plugins.connection
import ansible.plugins.shell
from ansible import constants
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible.module_utils.common.parameters import remove_values
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.plugins.action import ActionBase
from ansible.plugins.action.normal import ActionModule as OrdinaryAction
from ansible.utils.display import Display

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import DNSPYTHON_MISSING
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable, some_names
from ansible_collections.zonesmith.dns.plugins.module_utils._run.arguments import (
    reasons_against,
    variables_of,
    with_whole_values,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._run.garbage import seldom_collected
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import FILES, Invocation, Shared
from ansible_collections.zonesmith.dns.plugins.module_utils._run.module import missing_psycopg
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import WAIT_OPTIONS, WRITING_OPTIONS
from ansible_collections.zonesmith.dns.plugins.module_utils._run.results import result_of
from ansible_collections.zonesmith.dns.plugins.module_utils._service.secrets import passwords_in
from ansible_collections.zonesmith.dns.plugins.module_utils._service.sender import REQUESTS_MISSING
from ansible_collections.zonesmith.dns.plugins.module_utils._telling import end_tearing, torn, watched
from ansible_collections.zonesmith.dns.plugins.plugin_utils._files import zone_files

SWITCH = "zonesmith_direct"
"""The variable that, set to false, makes every task run the ordinary module."""

INTERRUPTED = (
    "Interrupted with sets that are deleted and not whole again: {}. Run the task again, which completes them."
)

NOT_OF_ALL_MODULES = {*WRITING_OPTIONS, *WAIT_OPTIONS, "zone"}
"""The options that some modules share and others lack."""

AT_START = re.compile("PYTHON|LD_|DYLD_|GLIBC_|OPENSSL_|SSLKEYLOGFILE|RES_OPTIONS|LOCALDOMAIN")
"""The variables of the environment that only a process which starts with them obeys."""

SHELLS = re.compile("(/usr)?/bin/(sh|ash|bash|dash|ksh|zsh)")
"""What only runs the module; anything else may run it somewhere else, or as somebody else."""

IS_WATCHED = sys.stdout.isatty()  # as it is where Ansible looks the action up: a worker has no terminal


def _for_last_words() -> int:
    """What a worker can still write to on Ctrl-C: Ansible ends before it shows what it has handed to its display.

    Without a terminal it is stderr, so that what somebody reads as JSON from stdout stays that; -1 where there is none.
    """
    try:
        return os.dup((sys.stdout if IS_WATCHED else sys.stderr).fileno())
    except (AttributeError, OSError, ValueError):
        return -1


LAST_WORDS = _for_last_words()

# On macOS, looking up the system's proxies can crash a process that was forked and not started anew.
POSSIBLE = not (REQUESTS_MISSING or DNSPYTHON_MISSING or sys.platform == "darwin")


class DirectAction(OrdinaryAction):
    """The action of one module: *options* is its argument spec, *perform* what it does."""

    options: ClassVar[Mapping[str, Any]]
    perform: ClassVar[Callable[[Invocation], dict[str, Any]]]

    # Of this process, which Ansible forks for one task of one host, with all items of its loop.
    _shared: ClassVar[tuple[dict[str, str], Shared]] = ({}, Shared())

    def run(self, tmp: Any = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        """The result of the module, worked out here or by the module itself."""
        variables = task_vars or {}
        self._task.args = self._without_defaults_of_others(self._task.args)
        if self._connection.transport == "local":  # where Ansible lets modules begin in the playbook's folder
            self._task.args = self._with_whole_paths(self._task.args)
        environment: dict[str, str] = {}
        self._compute_environment_string(environment)
        if self._may_run_here(variables) and all(map(_may_be_set, environment.items())):
            with _environment(environment):
                options = None if any(map(AT_START.match, environment)) else self._validated_options()
                if options is not None:
                    options.update(self._from_files())
                    result = self._performed(options, environment)
                    if not _wants_invocation(variables):
                        del result["invocation"]
                    return {**ActionBase.run(self, tmp, variables), **result}
        return OrdinaryAction.run(self, tmp, variables)

    def _without_defaults_of_others(self, options: dict[str, Any]) -> dict[str, Any]:
        """The options, without those that a group of module_defaults sets for other modules.

        Ansible gives the defaults of a group to each of its modules, and a module refuses what it does not know.
        """
        unsupported = {name for name in options if name in NOT_OF_ALL_MODULES and name not in self.options}
        if not unsupported:
            return options
        latest = {of: defaults for each in self._task.module_defaults for of, defaults in each.items()}
        groups = (defaults for of, defaults in latest.items() if of.startswith("group/"))
        evaluated = (self._templar.template(group) if isinstance(group, str) else group for group in groups)
        unsupported &= {name for group in evaluated for name in group}
        return {name: value for name, value in options.items() if name not in unsupported}

    def _execute_module(self, module_name: Any = None, module_args: Any = None, **more: Any) -> Any:
        """Run a module, this one with what the controller's environment says of its options too.

        Not by way of the task's arguments: callbacks show those.
        """
        if module_args is None:
            module_args = {**self._task.args, **self._from_environment(), **self._from_files()}
        return super()._execute_module(module_name, module_args, **more)

    def _from_files(self) -> dict[str, Any]:
        """What is in the zone files that the task names, which are the controller's."""
        if "src" not in self.options:
            return {}

        def find(name: str) -> str:
            return str(self._find_needle("files", name))

        return {FILES: zone_files(self._task.args, find, self._loader, of_account="zones" in self.options)}

    def _from_environment(self) -> dict[str, str]:
        """The options that the task does not give and the controller's environment does, as far as no process has it.

        What the task's own environment says stays there, as Ansible takes that along wherever the module runs.
        """
        if self._runs_as_this_process():
            return {}
        of_task: dict[str, str] = {}
        self._compute_environment_string(of_task)
        found = {
            option: os.environ[variable]
            for option, variable in variables_of(self.options)
            if self._task.args.get(option) is None and os.environ.get(variable) and variable not in of_task
        }
        if "state_url" in {**self._task.args, **found}:
            found.pop("state_dir", None)  # it is for the journals of a machine, and there is none to be shared
        return self._with_whole_paths(found) if self._connection.transport == "local" else found

    def _may_run_here(self, variables: dict[str, Any]) -> bool:
        if not POSSIBLE or self._task.async_val or constants.DEFAULT_KEEP_REMOTE_FILES:
            return False
        if not self._runs_as_this_process():
            return False
        host = variables.get("ansible_delegated_vars", {}).get(self._task.delegate_to, variables)
        # From the variable ansible_python_interpreter, the environment or ansible.cfg.
        python = self._templar.template(constants.config.get_config_value("INTERPRETER_PYTHON", variables=host))
        if not python.startswith("auto") and not _is_own_python(python):
            return False
        return boolean(self._templar.template(variables.get(SWITCH, True)), strict=False)

    def _runs_as_this_process(self) -> bool:
        """Whether the module's process would be this user's, on this machine, and in the same view of it."""
        # ansible-core 2.18 knows of `become` only where the connection is, whether a variable or the task asks for it.
        if self._connection.become or self._play_context.become:
            return False
        # Others may derive from them, and keep the name of their transport.
        is_local = _is_own_plugin(self._connection, ansible.plugins.connection, "local")
        if not (is_local and _is_own_plugin(self._connection._shell, ansible.plugins.shell, "sh")):
            return False
        return all(SHELLS.fullmatch(str(shell)) for shell in (self._play_context.executable, _default_shell()))

    def _with_whole_paths(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Options in which a relative path is one in the playbook's folder, whoever opens it."""
        paths = [name for name, spec in self.options.items() if spec["type"] == "path"]
        folder = self._loader.get_basedir()
        return {
            name: os.path.join(folder, value)
            if name in paths and isinstance(value, str) and value and value[0] not in "~$/"
            else value
            for name, value in options.items()
        }

    def _validated_options(self) -> dict[str, Any] | None:
        """The task's options, checked as the module checks them; nothing where the module has something to say."""
        try:
            # Through JSON, as the module gets them: plain values, without Ansible's marks on them.
            arguments = json.loads(json.dumps(self._task.args, ensure_ascii=False).encode())
        except (
            TypeError,
            ValueError,
            RecursionError,
        ):  # dates, and text that is not UTF-8: Ansible has its own ways with them
            return None
        given = with_whole_values(arguments, self.options)
        if reasons_against(self.options, given):
            return None
        validation = ArgumentSpecValidator(dict(self.options)).validate(given)
        options = validation.validated_parameters
        if validation.error_messages or validation.unsupported_parameters or validation._warnings:
            return None
        # Once more, for what came from the environment, or behind a variable of it.
        return None if missing_psycopg(options) else self._with_whole_paths(options)

    def _performed(self, options: dict[str, Any], environment: dict[str, str]) -> dict[str, Any]:
        # Who tries again waits for a change, so each try reads the zone.
        shared = Shared() if self._task.until or self._task.retries else _shared_for(environment)
        secrets = {options[name] for name, spec in self.options.items() if spec.get("no_log")} - {"", None}
        secrets |= passwords_in(str(options["base_url"]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # nobody sees those of a module's process either
            invocation = Invocation(options, self._task.check_mode, shared)
            try:
                with _watched(secrets), seldom_collected():
                    result = result_of(type(self).perform, invocation)
            except BaseException:
                # Who was left behind still has places in the client, and the next item would wait for them.
                DirectAction._shared = ({}, Shared())
                raise
        result = {name: value for name, value in result.items() if name != "warnings" or value}
        options = {name: value for name, value in options.items() if name != FILES}
        return dict(remove_values({**result, "invocation": {"module_args": options}}, secrets))


@contextmanager
def _watched(secrets: set[str]) -> Iterator[None]:
    """Have those who watch told what happens inside; and on Ctrl-C what it leaves, before Ansible ends the worker.

    The *secrets* are masked, as in results: what others have left beside the lock can be told too.
    """
    before = signal.getsignal(signal.SIGINT) or signal.SIG_DFL

    def tell_incomplete_sets(number: int, _frame: Any) -> None:
        signal.signal(number, before)
        end_tearing()
        if sets := torn():
            with suppress(OSError):
                told = remove_values(INTERRUPTED.format(printable(some_names(sets))), secrets)
                os.write(LAST_WORDS, f"\n{told}\n".encode())
        signal.raise_signal(number)

    # The main thread alone is told of signals; one that is ignored interrupts nothing.
    is_told = threading.current_thread() is threading.main_thread() and before is not signal.SIG_IGN
    if is_told:
        signal.signal(signal.SIGINT, tell_incomplete_sets)
    try:
        with watched(lambda line: Display().display(remove_values(line, secrets))) if IS_WATCHED else nullcontext():
            yield
    finally:
        if is_told:
            signal.signal(signal.SIGINT, before)


def _is_own_plugin(plugin: Any, package: ModuleType, name: str) -> bool:
    """Whether it is the one that comes with Ansible, and none that is derived from it or has its name."""
    return os.path.realpath(inspect.getfile(type(plugin))) in (
        os.path.realpath(os.path.join(folder, f"{name}.py")) for folder in package.__path__
    )


def _default_shell() -> str:
    """The shell that a local connection starts, whatever the variables say."""
    return (constants.DEFAULT_EXECUTABLE or "").partition(" ")[0]


def _may_be_set(variable: tuple[str, Any]) -> bool:
    """Whether a process can set it for itself; Ansible has its own ways with all others."""
    name, value = (str(part) for part in variable)
    return bool(name) and "=" not in name and "\0" not in name + value and (name + value).isprintable()


def _is_own_python(path: str) -> bool:
    """Whether it is another name for this Python: a link from another folder can belong to another environment."""
    places = {(os.path.dirname(os.path.abspath(name)), os.path.realpath(name)) for name in (path, sys.executable)}
    return len(places) == 1


def _shared_for(environment: dict[str, str]) -> Shared:
    """What earlier items left, as long as the environment is theirs: proxies and authorities come from it."""
    of, shared = DirectAction._shared
    if of != environment:
        shared = Shared()
        DirectAction._shared = (environment, shared)
    return shared


def _wants_invocation(variables: dict[str, Any]) -> bool:
    """Whether results repeat the options; ansible-core before 2.21 does not ask."""
    known = hasattr(constants, "INJECT_INVOCATION")
    return bool(constants.config.get_config_value("INJECT_INVOCATION", variables=variables)) if known else True


@contextmanager
def _environment(changes: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    try:
        os.environ.update({name: str(value) for name, value in changes.items()})
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
