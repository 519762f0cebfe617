# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Options, results and errors of the modules. The only file that knows AnsibleModule."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from typing import Any

from ansible.module_utils.basic import AnsibleModule, env_fallback, missing_required_lib

from ansible_collections.zonesmith.dns.plugins.module_utils._apply import (
    ApplyFailed,
    Outcome,
    Reading,
    Settings,
    converge,
    preview,
    unexpected,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._client import (
    REQUESTS_MISSING,
    Client,
    Connection,
    InvalidConnection,
    ServiceError,
    ZoneNotFound,
    clause,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._desired import InvalidEntries, InvalidEntry
from ansible_collections.zonesmith.dns.plugins.module_utils._journal import LOCK_TIMEOUT, Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._names import DNSPYTHON_MISSING, InvalidName, zone_name
from ansible_collections.zonesmith.dns.plugins.module_utils._plan import Change, Plan, PlanRefused, Prune, Wanted, plan
from ansible_collections.zonesmith.dns.plugins.module_utils._rdata import InvalidRdata
from ansible_collections.zonesmith.dns.plugins.module_utils._record_set import LiveSets, visible
from ansible_collections.zonesmith.dns.plugins.module_utils._results import encodable, sentence
from ansible_collections.zonesmith.dns.plugins.module_utils._state_dir import StateDirError

OPTIONS: dict[str, dict[str, Any]] = {
    "base_url": {"type": "str", "required": True, "fallback": (env_fallback, ["ZONESMITH_BASE_URL"])},
    "access_token": {
        "type": "str",
        "required": True,
        "no_log": True,
        "fallback": (env_fallback, ["ZONESMITH_ACCESS_TOKEN"]),
    },
    "validate_certs": {"type": "bool", "default": True},
    "ca_path": {"type": "path"},
    "allow_insecure_http": {"type": "bool", "default": False},
    "timeout": {"type": "float", "default": 30.0},
    "retries": {"type": "int", "default": 5},
    "txt_format": {"type": "str", "choices": ["auto", "plain", "quoted"], "default": "auto"},
    "state_dir": {
        "type": "path",
        "default": "~/.ansible/zonesmith",
        "fallback": (env_fallback, ["ZONESMITH_STATE_DIR"]),
    },
    "lock_timeout": {"type": "float", "default": LOCK_TIMEOUT},
}


WAIT_OPTIONS: dict[str, dict[str, Any]] = {
    "wait": {"type": "bool", "default": False},
    "wait_timeout": {"type": "float", "default": 120.0},
    "wait_nameservers": {"type": "list", "elements": "str"},
}


LONGEST_TIMEOUT = 86400  # seconds; sockets take no number that is much larger


class InvalidOptions(ValueError):
    """Options that make no sense for any zone; says all of them in one sentence."""


EXPECTED = (
    InvalidOptions,
    InvalidRdata,
    InvalidEntry,
    InvalidEntries,
    InvalidName,
    ServiceError,
    PlanRefused,
    StateDirError,
    ApplyFailed,
)
"""What a task can run into without the code being wrong."""


class Memory:
    """Clients and readings that the tasks of one process share, such as the items of a loop in Ansible's own worker."""

    READING_LASTS = 10.0  # seconds; others may write to the zone too

    def __init__(self) -> None:
        self.clients: dict[tuple[Connection, int], Client] = {}
        self._readings: dict[tuple[Connection, str], Reading] = {}

    def take_reading(self, connection: Connection, journal: Journal, zone: str) -> Reading | None:
        """A reading that is still good, until it is remembered again."""
        reading = self._readings.pop((connection, zone), None)
        is_good = reading and reading.age < self.READING_LASTS and reading.last_write == journal.last_write()
        return reading if is_good else None

    def remember(self, connection: Connection, reading: Reading) -> None:
        """Keep a reading for the next task; it ages all the same."""
        self._readings[connection, reading.zone.name] = reading


@dataclass(frozen=True)
class Task:
    """One run of a module: its options, its mode, what it can use of earlier runs in the same process.

    While it runs it gathers warnings, and what is done.
    """

    options: dict[str, Any] = field(repr=False)
    check_mode: bool
    memory: Memory = field(default_factory=Memory)
    warnings: list[str] = field(default_factory=list)
    done: list[Change] = field(default_factory=list)

    @property
    def zone(self) -> str:
        """The canonical name of the zone that the task is about. Raises InvalidOptions."""
        try:
            return zone_name(self.options["zone"])
        except InvalidName as error:
            raise InvalidOptions(f"zone {visible(repr(self.options['zone']))} cannot be used, {error}") from error

    @property
    def connection(self) -> Connection:
        """How to reach the service. Raises InvalidOptions."""
        if not 0 < self.options["timeout"] <= LONGEST_TIMEOUT or self.options["retries"] < 0:
            raise InvalidOptions(
                f"timeout must be above 0 and at most {LONGEST_TIMEOUT} seconds, and retries 0 or more"
            )
        return Connection(**{item.name: self.options[item.name] for item in fields(Connection)})

    def journal(self, client: Client) -> Journal:
        """The lock and the journal of the task's zone at the client's service. Raises InvalidOptions, StateDirError."""
        lock_timeout = self.options["lock_timeout"]
        if not 0 <= lock_timeout <= LONGEST_TIMEOUT:
            raise InvalidOptions(f"lock_timeout must be 0 to {LONGEST_TIMEOUT} seconds")
        return Journal(self.options["state_dir"], client.base_url, self.zone, self.warnings, lock_timeout)

    def client(self, connections: int = 1) -> Client:
        """A client for the service of the task. Raises InvalidOptions."""
        key = (self.connection, connections)
        try:
            return self.memory.clients.get(key) or self.memory.clients.setdefault(key, Client(*key))
        except InvalidConnection as error:
            raise InvalidOptions(str(error)) from error


def converge_zone(
    task: Task, wanted: Iterable[Wanted], prune: Prune | None = None, concurrency: int = 1
) -> tuple[Outcome, dict[str, Any]]:
    """Give the task's zone the wanted sets, or tell what that would change; the outcome, and the result to return."""
    zone, wishes = task.zone, list(wanted)
    _check_wait(task.options)
    client = task.client(concurrency)
    journal = task.journal(client)

    def make_plan(live: LiveSets) -> Plan:
        return plan(zone, live, wishes, prune)

    reading = task.memory.take_reading(task.connection, journal, zone)
    if task.check_mode:
        outcome = preview(client, zone, make_plan, journal, reading)
    else:
        settings = Settings(task.options["txt_format"], concurrency)
        outcome = converge(client, zone, make_plan, journal, settings, reading)
        task.done.extend((*outcome.recovered, *outcome.plan.changes))
    task.memory.remember(task.connection, outcome.reading)
    task.warnings.extend(_recovery_warnings(outcome.recovered, check_mode=task.check_mode))
    if task.options["wait"] and outcome.plan.changes and not task.check_mode:
        _wait(task, outcome)
    result = {
        "changed": bool(outcome.plan.changes or outcome.recovered),
        "zone": zone.rstrip("."),
        "changes": [change.as_result() for change in outcome.plan.changes],
        "diff": outcome.plan.diff(),
        "recovered": [change.as_result() for change in outcome.recovered],
    }
    return outcome, result


def _check_wait(options: dict[str, Any]) -> None:
    if not 0 < options["wait_timeout"] <= LONGEST_TIMEOUT:
        raise InvalidOptions(f"wait_timeout must be above 0 and at most {LONGEST_TIMEOUT} seconds")
    for text in options["wait_nameservers"] or ():
        from ansible_collections.zonesmith.dns.plugins.module_utils._wait import InvalidNameServer, given_server

        try:
            given_server(text)
        except InvalidNameServer as error:
            raise InvalidOptions(f"wait_nameservers has {visible(repr(text))}, and {error}") from error


def _wait(task: Task, outcome: Outcome) -> None:
    from ansible_collections.zonesmith.dns.plugins.module_utils._wait import (
        NotServed,
        given_server,
        wait_until_served,
        zones_server,
    )

    zone, changes = outcome.zone, outcome.plan.changes
    own, given = zone.record_sets.get((zone.name, "NS")), task.options["wait_nameservers"]
    try:
        servers = [given_server(text) for text in given] if given else map(zones_server, own.contents if own else ())
        wait_until_served(zone.name, changes, servers, task.options["wait_timeout"])
    except NotServed as error:
        keys = tuple(change.key for change in changes)
        raise ApplyFailed(f"the service took all changes, but {error}", done=changes, applied=keys) from error


CONTENT_NAMES = ("content", "contents", "value", "values")


def with_whole_values(arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments in which a single value is a list of one, because Ansible splits text for a list at its commas."""
    whole = {k: [v] if k in CONTENT_NAMES and isinstance(v, str) else v for k, v in arguments.items()}
    if isinstance(whole.get("records"), list):
        whole["records"] = [with_whole_values(row) if isinstance(row, dict) else row for row in whole["records"]]
    return whole


class _Module(AnsibleModule):  # type: ignore[misc] # ansible-core does not ship its types
    def _load_params(self) -> None:
        super()._load_params()
        # AnsibleModule forgets the token where it finds an entry of a list of dictionaries that is none.
        if token := self.params.get("access_token"):
            self.no_log_values.add(str(token))
        self.params: dict[str, Any] = with_whole_values(self.params)


def run_module(options: dict[str, dict[str, Any]], perform: Callable[[Task], dict[str, Any]], **rules: Any) -> None:
    """Run *perform* as an Ansible module with these options and AnsibleModule's *rules*, and exit with what it says."""
    module = _Module(argument_spec=options, supports_check_mode=True, **rules)
    for library, reason, missing in (
        ("requests", None, REQUESTS_MISSING),
        ("dnspython", "in version 2.9 or newer", DNSPYTHON_MISSING),
    ):
        if missing:
            module.fail_json(
                msg=missing_required_lib(library, reason),
                exception="".join(traceback.format_exception(missing)),
            )
    result = result_of(perform, Task(module.params, module.check_mode))
    for warning in result.pop("warnings"):
        module.warn(warning)
    if result.pop("failed"):
        module.fail_json(**result)
    module.exit_json(**result)


def result_of(perform: Callable[[Task], dict[str, Any]], task: Task) -> dict[str, Any]:
    """What a task returns: what *perform* says, or one sentence about what went wrong; with ``failed`` and warnings.

    Whatever is raised becomes such a result, since the items of a loop before this one would be lost with it.
    """
    try:
        result = encodable({"failed": False, **perform(task)})
    except EXPECTED as error:
        result = encodable({"failed": True, **_failure(error, task.options)})
    except Exception as error:  # noqa: BLE001
        # The traceback is for who reports it; Ansible shows it to who asks.
        trace = traceback.format_exc()
        result = encodable({"failed": True, **_failure(_in_words(error, task), task.options), "exception": trace})
    return {**result, "warnings": encodable(task.warnings)}


def _in_words(error: Exception, task: Task) -> ServiceError | ApplyFailed:
    """An error that nobody expected as one that says what was done."""
    what = f"there was an unexpected {unexpected(error)}"
    if "wait" not in task.options:
        return ServiceError(what)
    if task.done:
        keys = tuple(change.key for change in task.done)
        return ApplyFailed(f"the service took all changes, but then {what}", done=tuple(task.done), applied=keys)
    state = "nothing was changed" if task.check_mode else "look whether the zone is as it should be"
    return ApplyFailed(f"{what}; {state}")


def _failure(error: Exception, options: dict[str, Any]) -> dict[str, Any]:
    zone = visible(options["zone"].strip().rstrip(".")) if options.get("zone") else ""
    prefix = f"Zone {zone}: " if zone and not isinstance(error, InvalidOptions) else ""
    writes = "wait" in options
    reason = str(error)
    if zone and isinstance(error, ServiceError) and not isinstance(error, ZoneNotFound):
        what = f"{options['name']} {options['type']}" if "name" in options else "it"
        reason = f"cannot read {visible(what)}: " + (f"{clause(error)}; nothing was changed" if writes else str(error))
    result: dict[str, Any] = {
        "msg": sentence(f"{prefix}{reason}"),
        "changed": False,
        "status_code": getattr(error, "status_code", None),
    }
    if writes:
        result["changes"] = []
    if isinstance(error, ApplyFailed):
        result["changes"] = [change.as_result() for change in error.done]
        result["changed"] = bool(error.done)
        # Not "failed", which Ansible itself writes.
        for field, keys in (
            ("applied", error.applied),
            ("failed_sets", error.failed),
            ("not_attempted", error.not_attempted),
        ):
            result[field] = [{"name": name, "type": rdtype} for name, rdtype in keys]
    return result


def _recovery_warnings(recovered: Iterable[Change], *, check_mode: bool) -> list[str]:
    done = "would be completed" if check_mode else "was completed"
    return [
        f"{' '.join(change.key)} had been left incomplete by an interrupted run and {done} from the journal"
        for change in recovered
    ]
