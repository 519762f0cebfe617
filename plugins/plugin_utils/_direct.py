# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs modules in Ansible's worker, so that loops start no Python for each item.

Items then share a connection, and a zone's snapshot until a write. In doubt, the module itself runs.
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
from functools import lru_cache, partial
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

from ..module_utils._api.secrets import passwords_in
from ..module_utils._api.sender import REQUESTS_MISSING
from ..module_utils._dns.names import DNSPYTHON_MISSING
from ..module_utils._dns.printable import printable, some_names
from ..module_utils._run.arguments import (
    doubts_in,
    validation_errors,
    variables_of,
    with_whole_values,
)
from ..module_utils._run.invocation import Invocation, Shared
from ..module_utils._run.module import missing_psycopg
from ..module_utils._run.options import FILES, WRITING_OPTIONS
from ..module_utils._run.results import result_of
from ..module_utils._telling import end_tearing, torn, watched
from ._files import zone_files
from ._record_origins import merged_in_words

SWITCH = "zonesmith_direct"
"""If false, every task runs the module itself."""

INTERRUPTED = "Interrupted while these sets were deleted or incomplete: {}. Run the task again to complete them."

ENDINGS = (signal.SIGINT, signal.SIGTERM)

NOT_OF_ALL_MODULES = {*WRITING_OPTIONS, "zone"}

AT_START = re.compile("PYTHON|LD_|DYLD_|GLIBC_|OPENSSL_|SSLKEYLOGFILE|RES_OPTIONS|LOCALDOMAIN")
"""Environment variables that only take effect when a process starts."""

SHELLS = re.compile("(/usr)?/bin/(sh|ash|bash|dash|ksh|zsh)")
"""Shells that only run the module. Others may run it elsewhere or as another user."""

IS_WATCHED = sys.stdout.isatty()  # when the action is loaded, since workers have no terminal


def _for_last_words() -> int:
    """A descriptor for Ctrl-C, when Ansible's display shows nothing more; -1 for none.

    Without a terminal it is stderr, so that JSON on stdout stays valid.
    """
    try:
        return os.dup((sys.stdout if IS_WATCHED else sys.stderr).fileno())
    except (AttributeError, OSError, ValueError):
        return -1


LAST_WORDS = _for_last_words()

# On macOS, looking up the system's proxies can crash a forked process.
POSSIBLE = not (REQUESTS_MISSING or DNSPYTHON_MISSING or sys.platform == "darwin")


class DirectAction(OrdinaryAction):
    """*options* and *rules* are the module's argument spec, *perform* does its work."""

    options: ClassVar[Mapping[str, Any]]
    rules: ClassVar[Mapping[str, Any]] = {}
    perform: ClassVar[Callable[[Invocation], dict[str, Any]]]

    def run(self, tmp: Any = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result = self._result(tmp, task_vars or {})
        if found := [*result.pop("warnings", ()), *self._warnings_of_task(task_vars or {})]:
            result["warnings"] = found
        return result

    def _warnings_of_task(self, _variables: dict[str, Any]) -> Iterator[str]:
        """Warnings about what Ansible knows of the task, and its module does not."""
        return merged_in_words(self._task.args)

    def _result(self, tmp: Any, variables: dict[str, Any]) -> dict[str, Any]:
        self._task.args = self._without_defaults_of_others(self._task.args)
        environment = self._environment_of_task()
        if self._may_run_here(variables, environment):
            with _environment(environment):
                if options := self._validated_options():
                    result = self._performed(options, environment)
                    if not _wants_invocation(variables):
                        del result["invocation"]
                    return {**ActionBase.run(self, tmp, variables), **result}
        return OrdinaryAction.run(self, tmp, variables)

    def _without_defaults_of_others(self, options: dict[str, Any]) -> dict[str, Any]:
        """The options without module_defaults for other modules.

        Ansible passes them to all modules of the group, which refuse unknown options.
        """
        unsupported = {
            name for name in options if name in NOT_OF_ALL_MODULES and name not in self.options
        }
        if not unsupported:
            return options
        latest = {
            of: defaults for each in self._task.module_defaults for of, defaults in each.items()
        }
        groups = (defaults for of, defaults in latest.items() if of.startswith("group/"))
        evaluated = (
            self._templar.template(group) if isinstance(group, str) else group for group in groups
        )
        unsupported &= {name for group in evaluated for name in group}
        return {name: value for name, value in options.items() if name not in unsupported}

    def _execute_module(self, module_name: Any = None, module_args: Any = None, **more: Any) -> Any:
        """Run a module; this one gets options from the controller's environment.

        Those do not become task arguments, which callbacks show.
        """
        if module_args is None:
            options = {**self._task.args, **self._from_environment()}
            if (
                self._connection.transport == "local"
            ):  # Ansible starts local modules in the playbook's folder
                options = self._with_whole_paths(options)
            module_args = {**options, **self._from_files()}
        return super()._execute_module(module_name, module_args, **more)

    def _from_files(self) -> dict[str, Any]:
        if "src" not in self.options:
            return {}
        find = partial(self._find_needle, "files")
        return {
            FILES: zone_files(
                self._task.args, find, self._loader, of_account="zones" in self.options
            )
        }

    def _from_environment(self) -> dict[str, str]:
        """Options set only by the environment of ansible-playbook.

        Ansible itself passes the task's environment to the module.
        """
        if self._runs_as_this_process():
            return {}
        of_task = self._environment_of_task()
        found = {
            option: os.environ[variable]
            for option, variable in variables_of(self.options)
            if self._task.args.get(option) is None
            and os.environ.get(variable)
            and variable not in of_task
        }
        if "state_url" in {**self._task.args, **found}:
            found.pop("state_dir", None)  # one machine's state, which state_url replaces
        return found

    def _environment_of_task(self) -> dict[str, str]:
        found: dict[str, str] = {}
        self._compute_environment_string(found)
        return found

    def _may_run_here(self, variables: Mapping[str, Any], environment: Mapping[str, Any]) -> bool:
        return (
            POSSIBLE
            and not self._task.async_val
            and not constants.DEFAULT_KEEP_REMOTE_FILES
            and self._runs_as_this_process()
            and self._has_own_python(variables)
            and all(_may_be_set(str(name), str(value)) for name, value in environment.items())
            and boolean(self._templar.template(variables.get(SWITCH, True)), strict=False)
        )

    def _has_own_python(self, variables: Mapping[str, Any]) -> bool:
        """Whether the module would use this Python; a link elsewhere can be another environment."""
        host = variables.get("ansible_delegated_vars", {}).get(self._task.delegate_to, variables)
        # From the variable ansible_python_interpreter, the environment or ansible.cfg.
        python = self._templar.template(
            constants.config.get_config_value("INTERPRETER_PYTHON", variables=host)
        )
        places = {
            (os.path.dirname(os.path.abspath(name)), os.path.realpath(name))
            for name in (python, sys.executable)
        }
        return python.startswith("auto") or len(places) == 1

    def _runs_as_this_process(self) -> bool:
        """Whether a module process would run as this user, on this machine, with the same view."""
        default_shell = (constants.DEFAULT_EXECUTABLE or "").partition(" ")[
            0
        ]  # always that of a local connection
        return (
            # In ansible-core 2.18, only the connection knows of `become`, from variables and the task.
            not (self._connection.become or self._play_context.become)
            # Derived plugins may keep the name of the transport.
            and _is_own_plugin(self._connection, ansible.plugins.connection, "local")
            and _is_own_plugin(self._connection._shell, ansible.plugins.shell, "sh")
            and all(
                SHELLS.fullmatch(str(shell))
                for shell in (self._play_context.executable, default_shell)
            )
        )

    def _with_whole_paths(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options, with paths relative to the playbook made absolute."""
        paths = {
            name: options.get(name) for name, spec in self.options.items() if spec["type"] == "path"
        }
        relative = {
            of: path
            for of, path in paths.items()
            if isinstance(path, str) and path and path[0] not in "~$/"
        }
        folder = self._loader.get_basedir()
        return {**options, **{name: os.path.join(folder, path) for name, path in relative.items()}}

    def _validated_options(self) -> dict[str, Any] | None:
        """None if the module must report something."""
        try:
            # Through JSON, as for a module, which removes Ansible's tags.
            arguments = json.loads(json.dumps(self._task.args, ensure_ascii=False).encode())
        except (
            TypeError,
            ValueError,
            RecursionError,
        ):  # dates and invalid UTF-8, which Ansible handles itself
            return None
        whole = with_whole_values(arguments, self.options)
        if validation_errors(self.options, whole):
            return None
        validation = ArgumentSpecValidator(dict(self.options), **self.rules).validate(whole)
        options = validation.validated_parameters
        if validation.error_messages or validation.unsupported_parameters or validation._warnings:
            return None
        return None if missing_psycopg(options) else self._with_whole_paths(options)

    def _performed(self, options: dict[str, Any], environment: dict[str, str]) -> dict[str, Any]:
        # A retry waits for a change, so each try reads the zone.
        is_tried_again = self._task.until or self._task.retries
        shared = (
            Shared()
            if is_tried_again
            else _shared(*sorted(f"{of}={value}" for of, value in environment.items()))
        )
        secrets = {options[name] for name, spec in self.options.items() if spec.get("no_log")} - {
            "",
            None,
        }
        secrets |= passwords_in(str(options["base_url"]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # as in a module's process
            whole = {**options, **self._from_files()}
            invocation = Invocation(
                whole, self._task.check_mode, shared, doubts_in(self._task.args)
            )
            try:
                with _watched(secrets):
                    result = result_of(type(self).perform, invocation)
            except BaseException:
                # Abandoned threads still hold places, and the next item would wait.
                _shared.cache_clear()
                raise
        return dict(remove_values({**result, "invocation": {"module_args": options}}, secrets))


@contextmanager
def _watched(secrets: set[str]) -> Iterator[None]:
    """Report waits, and on Ctrl-C incomplete sets, before Ansible ends the worker. *secrets* are masked."""
    # Ansible sends SIGTERM milliseconds after SIGINT. Only the main thread gets signals; ignored ones end nothing.
    is_main = threading.current_thread() is threading.main_thread()
    handlers = {number: signal.getsignal(number) or signal.SIG_DFL for number in ENDINGS if is_main}
    before = {
        number: handler for number, handler in handlers.items() if handler is not signal.SIG_IGN
    }

    def tell_incomplete_sets(number: int, _frame: Any) -> None:
        for each in before:
            signal.signal(each, lambda *_: None)
        end_tearing()
        if sets := torn():
            with suppress(OSError):
                message = remove_values(INTERRUPTED.format(printable(some_names(sets))), secrets)
                os.write(LAST_WORDS, f"\n{message}\n".encode())
        signal.signal(number, before[number])
        signal.raise_signal(number)

    try:
        for each in before:
            signal.signal(each, tell_incomplete_sets)
        with (
            watched(lambda line: Display().display(printable(remove_values(line, secrets))))
            if IS_WATCHED
            else nullcontext()
        ):
            yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _is_own_plugin(plugin: Any, package: ModuleType, name: str) -> bool:
    """Whether Ansible ships it, so it is not derived or named alike."""
    return os.path.realpath(inspect.getfile(type(plugin))) in (
        os.path.realpath(os.path.join(folder, f"{name}.py")) for folder in package.__path__
    )


def _may_be_set(name: str, value: str) -> bool:
    """Whether a process that sets the variable for itself obeys it."""
    return (
        bool(name) and "=" not in name and (name + value).isprintable() and not AT_START.match(name)
    )


@lru_cache(maxsize=1)
def _shared(*_environment: str) -> Shared:
    """State left by earlier items of a loop, for the same proxies and certificates."""
    return Shared()


def _wants_invocation(variables: dict[str, Any]) -> bool:
    """Whether results repeat the options, as always before ansible-core 2.21."""
    known = hasattr(constants, "INJECT_INVOCATION")
    return (
        bool(constants.config.get_config_value("INJECT_INVOCATION", variables=variables))
        if known
        else True
    )


@contextmanager
def _environment(changes: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    try:
        os.environ.update({name: str(value) for name, value in changes.items()})
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
