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
from contextlib import contextmanager, suppress
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

from ..module_utils._api.sender import REQUESTS_MISSING
from ..module_utils._dns.names import DNSPYTHON_MISSING
from ..module_utils._dns.printable import printable, some_names
from ..module_utils._interruption import incomplete_sets, interrupt
from ..module_utils._run.arguments import (
    IN_PLACE_OF,
    NEEDED,
    doubts_in,
    validation_errors,
    variables_of,
    with_whole_values,
)
from ..module_utils._run.invocation import Invocation, Shared
from ..module_utils._run.module import missing_psycopg
from ..module_utils._run.options import FILES, WRITING_OPTIONS
from ..module_utils._run.results import result_of
from ..module_utils._secrets import passwords_in
from ..module_utils._telling import watched
from ._files import zone_files

SWITCH = "zonesmith_direct"
"""If false, every task runs the module itself."""

INTERRUPTED = (
    "Interrupted while these sets were deleted or incomplete: {}. "
    "Run the task again to complete them."
)

ENDINGS = (signal.SIGINT, signal.SIGTERM)

NOT_OF_ALL_MODULES = {*WRITING_OPTIONS, "zone"}

OBEYED = re.compile(
    "ZONESMITH_[A-Z_]+|(HTTPS?|ALL|NO)_PROXY|(REQUESTS|CURL)_CA_BUNDLE|PG[A-Z]+", re.IGNORECASE
)
"""Environment variables that this process obeys if it sets them itself. Others may need one of their own."""

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
    """*options* are the module's argument spec, *perform* does its work."""

    options: ClassVar[Mapping[str, Any]]
    perform: ClassVar[Callable[[Invocation], dict[str, Any]]]

    def run(self, tmp: Any = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        variables = task_vars or {}
        self._task.args = self._without_defaults_of_others(self._task.args)
        environment = self._environment_of_task()
        if self._may_run_here(variables, environment):
            with _environment(environment):
                options = self._validated_options()
                if options is not None:
                    result = self._performed(options, environment)
                    return {**ActionBase.run(self, tmp, variables), **result}
        return OrdinaryAction.run(self, tmp, variables)

    def _without_defaults_of_others(self, options: dict[str, Any]) -> dict[str, Any]:
        """The options without module_defaults for other modules.

        Ansible passes them to all modules of the group, which refuse unknown options.
        """
        unsupported = (options.keys() & NOT_OF_ALL_MODULES) - self.options.keys()
        if not unsupported:
            return options
        defaults_of: dict[str, Any] = {}
        for defaults in self._task.module_defaults:
            defaults_of.update(defaults)
        from_groups: set[str] = set()
        for name, defaults in defaults_of.items():
            if name.startswith("group/"):
                is_template = isinstance(defaults, str)
                from_groups.update(self._templar.template(defaults) if is_template else defaults)
        unsupported &= from_groups
        return {name: value for name, value in options.items() if name not in unsupported}

    def _execute_module(self, module_name: Any = None, module_args: Any = None, **more: Any) -> Any:
        """Run a module; this one gets options from the controller's environment.

        Those do not become task arguments, which callbacks show.
        """
        if module_args is None:
            options = {**self._task.args, **self._from_environment()}
            # Ansible starts local modules in the playbook's folder.
            if self._connection.transport == "local":
                options = self._with_whole_paths(options)
            module_args = {**options, **self._from_files()}
        return super()._execute_module(module_name, module_args, **more)

    def _from_files(self) -> dict[str, Any]:
        if "src" not in self.options:
            return {}
        find = partial(self._find_needle, "files")
        of_account = "zones" in self.options
        return {FILES: zone_files(self._task.args, find, self._loader, of_account=of_account)}

    def _from_environment(self) -> dict[str, str]:
        """Options set only by the environment of ansible-playbook.

        Ansible itself passes the task's environment to the module.
        """
        if self._runs_as_this_process():
            return {}
        of_task = self._environment_of_task()
        found = {}
        for option, variable in variables_of(self.options):
            value = os.environ.get(variable)
            is_open = self._task.args.get(option) is None and variable not in of_task
            if value is None or not is_open:
                continue
            # The module refuses an empty one, unless the task makes it needless.
            is_needless = option in NEEDED or IN_PLACE_OF.get(option) in self._task.args
            if value.strip() or not is_needless:
                found[option] = value
        if "state_url" in {**self._task.args, **found}:
            found.pop("state_dir", None)  # one machine's state, which state_url replaces
        return found

    def _environment_of_task(self) -> dict[str, str]:
        found: dict[str, str] = {}
        self._compute_environment_string(found)
        return found

    def _may_run_here(self, variables: Mapping[str, Any], environment: Mapping[str, Any]) -> bool:
        if not POSSIBLE or self._task.async_val or constants.DEFAULT_KEEP_REMOTE_FILES:
            return False
        if not self._runs_as_this_process() or not self._has_own_python(variables):
            return False
        if not all(map(OBEYED.fullmatch, environment)):
            return False
        switch = self._templar.template(variables.get(SWITCH, True))
        return bool(boolean(switch, strict=False))

    def _has_own_python(self, variables: Mapping[str, Any]) -> bool:
        """Whether the module would use this Python; a link elsewhere can be another environment."""
        delegated = variables.get("ansible_delegated_vars", {})
        host = delegated.get(self._task.delegate_to, variables)
        # From the variable ansible_python_interpreter, the environment or ansible.cfg.
        setting = constants.config.get_config_value("INTERPRETER_PYTHON", variables=host)
        python = self._templar.template(setting)
        return python.startswith("auto") or _place_of(python) == _place_of(sys.executable)

    def _runs_as_this_process(self) -> bool:
        """Whether a module process would run as this user, on this machine, with the same view."""
        # In ansible-core 2.18, only the connection knows of `become`, from variables and the task.
        if self._connection.become or self._play_context.become:
            return False
        # Derived plugins may keep the name of the transport.
        if not _is_own_plugin(self._connection, ansible.plugins.connection, "local"):
            return False
        if not _is_own_plugin(self._connection._shell, ansible.plugins.shell, "sh"):
            return False
        # A local connection starts the default shell, whatever the play says.
        default_shell, *_options = str(constants.DEFAULT_EXECUTABLE).split(" ")
        shells = (str(self._play_context.executable), default_shell)
        return all(SHELLS.fullmatch(shell) for shell in shells)

    def _with_whole_paths(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options, with paths relative to the playbook made absolute."""
        whole = dict(options)
        for name, spec in self.options.items():
            path = options.get(name)
            if spec["type"] == "path" and isinstance(path, str) and path:
                is_whole = path.startswith(("~", "$", "/"))
                if not is_whole:
                    whole[name] = os.path.join(self._loader.get_basedir(), path)
        return whole

    def _validated_options(self) -> dict[str, Any] | None:
        """None if the module must report something."""
        try:
            # Through JSON, as for a module, which removes Ansible's tags.
            text = json.dumps(self._task.args, ensure_ascii=False)
            arguments = json.loads(text.encode())
        except (TypeError, ValueError, RecursionError):
            return None  # dates and invalid UTF-8, which Ansible handles itself
        whole = with_whole_values(arguments, self.options)
        if validation_errors(self.options, whole):
            return None
        validation = ArgumentSpecValidator(dict(self.options)).validate(whole)
        if validation.error_messages or validation.unsupported_parameters or validation._warnings:
            return None
        options = validation.validated_parameters
        if missing_psycopg(options):
            return None
        return self._with_whole_paths(options)

    def _performed(self, options: dict[str, Any], environment: dict[str, str]) -> dict[str, Any]:
        shared = _shared(*sorted(environment.items()))
        # A retry waits for a change, so each try reads the zone.
        if self._task.until or self._task.retries:
            shared = Shared()
        secrets = self._secrets(options)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # as in a module's process
            whole = {**options, **self._from_files()}
            doubts = doubts_in(self._task.args)
            invocation = Invocation(whole, self._task.check_mode, shared, doubts)
            try:
                with watched_task(secrets):
                    result = result_of(type(self).perform, invocation)
            except BaseException:
                # Abandoned threads still hold places, and the next item would wait.
                _shared.cache_clear()
                raise
        if not result["warnings"]:
            del result["warnings"]
        return dict(remove_values(result, secrets))

    def _secrets(self, options: Mapping[str, Any]) -> set[str]:
        secrets = {*passwords_in(str(options["base_url"]))}
        for name, spec in self.options.items():
            if spec.get("no_log") and options[name]:
                secrets.add(options[name])
        return secrets


@contextmanager
def watched_task(secrets: set[str]) -> Iterator[None]:
    """Report waits, and on Ctrl-C incomplete sets, before Ansible ends the worker. *secrets* are masked."""
    before = _handlers()

    def tell_incomplete_sets(number: int, _frame: Any) -> None:
        for each in before:
            signal.signal(each, lambda *_: None)
        interrupt()
        sets = incomplete_sets()
        if sets:
            names = printable(some_names(sets))
            message = remove_values(INTERRUPTED.format(names), secrets)
            with suppress(OSError):
                os.write(LAST_WORDS, f"\n{message}\n".encode())
        signal.signal(number, before[number])
        signal.raise_signal(number)

    def show(line: str) -> None:
        # Without a terminal, stdout may be JSON for a program.
        Display().display(printable(remove_values(line, secrets)), stderr=not IS_WATCHED)

    try:
        for each in before:
            signal.signal(each, tell_incomplete_sets)
        with watched(show):
            yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _handlers() -> dict[int, Any]:
    """What the endings do now that are not ignored. Only the main thread gets signals.

    Ansible sends SIGTERM milliseconds after SIGINT.
    """
    handlers: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for number in ENDINGS:
            handler = signal.getsignal(number) or signal.SIG_DFL
            if handler is not signal.SIG_IGN:
                handlers[number] = handler
    return handlers


def _is_own_plugin(plugin: Any, package: ModuleType, name: str) -> bool:
    """Whether Ansible ships it, so it is not derived or named alike."""
    own = os.path.join(package.__path__[0], f"{name}.py")
    return os.path.realpath(inspect.getfile(type(plugin))) == os.path.realpath(own)


def _place_of(python: str) -> tuple[str, str]:
    """The environment of a Python, and the program that its links lead to."""
    return os.path.dirname(os.path.abspath(python)), os.path.realpath(python)


@lru_cache(maxsize=1)
def _shared(*_environment: tuple[str, str]) -> Shared:
    """State left by earlier items of a loop, for the same proxies and certificates."""
    return Shared()


@contextmanager
def _environment(changes: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    try:
        os.environ.update({name: str(value) for name, value in changes.items()})
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
