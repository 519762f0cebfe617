# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Validates a task's options, as written and then as Ansible has converted them.

Ansible silently turns numbers, lists and dictionaries into text, and booleans into text and numbers. Its errors name
neither the item nor the zone and record. So before that, each item is checked by itself, for both.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from .._dns.option_table import is_empty, is_removal, reason_against_empty, reasons_against_yaml
from .._dns.printable import printable, printable_name, printable_part, quoted, some_warnings
from .._dns.record_set import CONTENT_NAMES
from .._dns.slips import question
from .._plan.records import subject
from .options import RECORDS, InvalidOptions

Spec = Mapping[str, Mapping[str, Any]]

NEEDED = ("base_url", "access_token")
"""Options required in the task or the environment, which Ansible's "required" ignores."""

_KINDS = {"float": "number", "int": "number", "path": "text", "str": "text", "raw": "number"}
"""What Ansible's types take. It has none for a TTL, which is "raw"."""
CELLS = ("priority", "ttl")
LISTS_OF_ENTRIES = ("records", "zones")
LISTS_OF_TEXTS = (*CONTENT_NAMES, "replaces")
IN_PLACE_OF = {"state_dir": "state_url", "state_url": "state_dir"}
"""Options of which a task needs one."""
OF_A_RECORD = {*RECORDS, *CONTENT_NAMES}
_SPEC_OF_RECORDS = {"records": {"type": "list", "elements": "dict", "options": RECORDS}}


def with_whole_values(arguments: Mapping[str, Any], spec: Spec | None = None) -> dict[str, Any]:
    """Return the arguments with single values as lists, since Ansible would split text at commas.

    Empty cells of a table become null. A plain zone name becomes an entry if *spec* has options for zones.
    """
    whole = dict(arguments)
    for option, value in arguments.items():
        if option in CELLS and is_empty(value):
            whole[option] = None
        elif option in LISTS_OF_TEXTS and isinstance(value, str):
            whole[option] = [value]
        elif option in LISTS_OF_ENTRIES and isinstance(value, list):
            whole[option] = [_whole_entry(entry) for entry in value]
    zones = whole.get("zones")
    if isinstance(zones, list) and spec and "options" in spec.get("zones", {}):
        whole["zones"] = [_named_zone(one) for one in zones]
    return whole


def _whole_entry(entry: Any) -> Any:
    if isinstance(entry, dict):
        return with_whole_values(entry)
    return entry


def _named_zone(entry: Any) -> Any:
    """Return an entry for a zone's name alone, and others as they are."""
    if isinstance(entry, str) and not is_empty(entry):
        return {"zone": entry}
    return entry


def variables_of(spec: Spec) -> Iterator[tuple[str, str]]:
    """Yield options with their environment variables."""
    for option, rules in spec.items():
        for variable in rules.get("fallback", (None, ()))[1]:
            yield option, variable


def zone_prefix(arguments: Mapping[str, Any]) -> str:
    """Return what begins a message about a task's zone as written, if it has one."""
    zone = arguments.get("zone")
    if not isinstance(zone, str):
        return ""
    name = printable_name(zone.strip().rstrip("."))
    return f"Zone {name}: "


def doubts_in(arguments: Mapping[str, Any]) -> list[str]:
    """Warn of removals that mean the apex only by default."""
    return some_warnings([*_doubts_in(arguments)], "the task")


def _doubts_in(arguments: Mapping[str, Any], place: str = "") -> Iterator[str]:
    prefix = f"{zone_prefix(arguments)}{place}"
    has_content = any(arguments.get(option) for option in CONTENT_NAMES)
    if is_removal(arguments) and "name" not in arguments and not has_content:
        rdtype = printable(str(arguments.get("type")))
        yield f"{prefix}without name, this removes the {rdtype} set of the apex: write name: '@' to confirm"
    for option in LISTS_OF_ENTRIES:
        entries = arguments.get(option)
        if not isinstance(entries, list):
            continue
        for index, entry in enumerate(entries):
            if isinstance(entry, dict):
                inner_place = "" if "zone" in entry else f"{option}[{index}]: "
                for doubt in _doubts_in(entry, inner_place):
                    yield f"{prefix}{doubt}"


def validated_records(rows: list[Any]) -> list[dict[str, Any]]:
    """Validate nested items as AnsibleModule would. Raises InvalidOptions."""
    records = with_whole_values({"records": rows})
    errors = validation_errors(_SPEC_OF_RECORDS, records)
    if errors:
        raise InvalidOptions("; ".join(errors))
    validation = ArgumentSpecValidator(_SPEC_OF_RECORDS).validate(records)
    return list(validation.validated_parameters["records"])


def validation_errors(spec: Spec, arguments: Mapping[str, Any]) -> list[str]:
    """Return the errors in a task's arguments, as clauses."""
    task = {name: value for name, value in arguments.items() if not name.startswith("_ansible_")}
    validation = ArgumentSpecValidator({**spec}).validate(task)
    of_ansible: list[str] = validation.error_messages
    errors = [*_errors_of_environment(spec, task)]
    errors += _two_states(spec, task)
    errors += _errors_of_entry("", task, spec, bool(of_ansible))
    return errors or of_ansible


def _errors_of_environment(spec: Spec, task: Mapping[str, Any]) -> Iterator[str]:
    """Report what neither the task nor the environment says, and variables that are set to nothing."""
    for option, variable in variables_of(spec):
        if option in task or IN_PLACE_OF.get(option) in task:
            continue
        value = os.environ.get(variable, "")
        if option in NEEDED and is_empty(value):
            yield (
                f"{option} is missing: set it in the task or in module_defaults, or {variable} in the environment of "
                "ansible-playbook"
            )
        elif variable in os.environ and is_empty(value):
            yield f"the environment variable {variable} is empty: give it a value, or unset it"


def _two_states(spec: Spec, task: Mapping[str, Any]) -> Iterator[str]:
    """Report a folder and a database for the state."""
    if "state_url" not in spec or not task.get("state_dir"):
        return
    if task.get("state_url") or os.environ.get("ZONESMITH_STATE_URL"):
        yield (
            "state_dir and state_url, or the environment variable ZONESMITH_STATE_URL, are both given, but state is kept "
            "in one place: leave one of them out"
        )


def _errors_of_entry(place: str, entry: Any, spec: Spec, asks_ansible: bool) -> Iterator[str]:
    """Yield the errors in an entry and in those inside it. A task is one without a *place*."""
    if not isinstance(entry, dict):
        keys = ", ".join(spec)
        yield f"{place}: it is {quoted(entry)}, but an entry is a dictionary of {keys}"
        return
    reasons = "; ".join(_errors_of_row(spec, entry, "key" if place else "option", asks_ansible))
    if reasons:
        yield f"{_named(place, entry, spec)}{reasons}"
    for option, rules in spec.items():
        inner = entry.get(option)
        if "options" not in rules or not isinstance(inner, list):
            continue
        of_option = f"{place}.{option}" if place else option
        for index, inside in enumerate(inner):
            inner_place = f"{of_option}[{index}]"
            yield from _errors_of_entry(inner_place, inside, rules["options"], asks_ansible)


def _named(place: str, entry: Mapping[str, Any], spec: Spec) -> str:
    """Return what begins the errors in an entry, so that people find it."""
    parts = [place] if place else []
    if spec.get("type", {}).get("required"):
        parts.append(subject(entry))
    elif place and "zone" in entry:
        parts.append(printable_part(str(entry["zone"])))
    return f"{' '.join(parts)}: " if parts else ""


def _errors_of_row(
    spec: Spec, row: Mapping[str, Any], kind: str, asks_ansible: bool
) -> Iterator[str]:
    """Yield the errors in a task or an entry, a *kind* of row, without its entries.

    Ansible validates each row separately, because its messages do not name the row.
    """
    traps: dict[str, list[str]] = {}
    for option, rules in spec.items():
        for name in (option, *rules.get("aliases", ())):
            errors = [*_traps_in(option, name, rules, row)]
            if errors:
                traps[name] = errors
    if asks_ansible:
        yield from _of_ansible(spec, row, kind, traps)
    for errors in traps.values():
        yield from errors


def _of_ansible(
    spec: Spec, row: Mapping[str, Any], kind: str, traps: Collection[str]
) -> Iterator[str]:
    """Yield unknown options, and what Ansible says of those without *traps*."""
    known: set[str] = set()
    plain = {}
    for option, rules in spec.items():
        known |= {option, *rules.get("aliases", ())}
        if "options" not in rules:
            plain[option] = {**rules, "required": False}
    others = {}
    for key, value in row.items():
        if key not in known:
            hint = _hint(str(key), sorted(known), spec)
            yield f"there is no {kind} {quoted(key)}{hint}"
        elif key not in traps and "options" not in spec.get(key, ()):
            others[key] = value
    yield from ArgumentSpecValidator(plain).validate(others).error_messages


def _hint(key: str, known: list[str], spec: Spec) -> str:
    """Return what an unknown option was probably meant to be."""
    if key in OF_A_RECORD and spec.get("records", {}).get("type") == "list":
        return ": put it into an entry of records"
    return question(key.lower(), known) or f", only {', '.join(known)}"


def _traps_in(
    option: str, name: str, rules: Mapping[str, Any], row: Mapping[str, Any]
) -> Iterator[str]:
    """Yield why an option is missing, empty, or has a value that YAML or Ansible would convert silently."""
    if name not in row:
        if rules.get("required"):
            yield f"{name} is missing"
        return
    value = row[name]
    if rules["type"] == "path" and isinstance(value, str):
        # Ansible does so too, and a variable may be set to nothing.
        row = {**row, name: os.path.expandvars(value)}
    reason = reason_against_empty(option, name, row)
    if reason:
        yield reason
    if reason or value is None:
        return
    if "options" in rules:
        if not isinstance(value, list):
            keys = ", ".join(rules["options"])
            yield f"{name} must be a list of dictionaries of {keys}"
        return
    is_list = rules["type"] == "list"
    kind = _KINDS.get(rules["elements"] if is_list else rules["type"])
    if kind is None or "choices" in rules:  # Ansible recognises choices that YAML made boolean
        return
    if is_list and not isinstance(value, (list, tuple)):
        value = [value]
    yield from reasons_against_yaml(name, value, kind)
    if kind == "text":
        yield from _traps_of_texts(name, value, is_list)


def _traps_of_texts(name: str, value: Any, is_list: bool) -> Iterator[str]:
    """Yield why a list or a dictionary is no text."""
    takes = "a text or a list of texts" if is_list else "a text"
    for item in value if is_list else [value]:
        if isinstance(item, (dict, list, tuple)):
            found = "a dictionary" if isinstance(item, dict) else "a list"
            yield f"{name} has {found}, but takes {takes}"
            return
