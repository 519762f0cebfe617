# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Validates a task's options, as written and then as Ansible has converted them.

Ansible silently turns numbers, lists and dictionaries into text, and booleans into text and numbers. Its errors name
neither the item nor the zone and record. So before that, each item is checked by itself, for both.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from .._dns.names import InvalidInput
from .._dns.octal import may_be_octal, octal_in_words
from .._dns.option_table import is_empty, is_removal, reason_against_empty, reasons_against_yaml
from .._dns.printable import printable, printable_name, quoted, shortened, some_warnings
from .._dns.record_set import CONTENT_NAMES
from .._dns.record_types import known_of
from .._dns.slips import question
from .._owners.owner import owner_of
from .._plan.limits import GLOBS, LIMIT_OPTIONS, UNLIMITED, Limits, limits_of
from .._plan.records import subject
from .findings_report import ignored_findings
from .options import OF_ZONES, RECORDS, InvalidOptions, check_ranges

Read = TypeVar("Read")

Spec = Mapping[str, Mapping[str, Any]]

STATE_URL = "ZONESMITH_STATE_URL"
NEEDED = ("base_url", "access_token")
"""Options required in the task or the environment, which Ansible's "required" ignores."""

_KINDS = {"float": "number", "int": "number", "path": "text", "str": "text", "raw": "number"}
"""What Ansible's types take. It has none for a TTL, which is "raw"."""
CELLS = ("priority", "ttl")
LISTS_OF_TEXTS = (*CONTENT_NAMES, "replaces")
EMPTY_VARIABLES = {
    "owner": "name the owner",
    "state_dir": "name a folder",
    "state_url": "name a database",
}
"""What to do about empty environment variables, by option."""
_OF_OTHERS = {
    **dict.fromkeys(("fqdn", "host", "hostname", "record"), "name"),
    **dict.fromkeys(("data", "ip", "rdata", "record_data", "target"), "content"),
    **dict.fromkeys(("domain", "zone_name"), "zone"),
    **dict.fromkeys(("api_key", "api_token", "token"), "access_token"),
}
"""Options of other collections, and ours."""
OF_A_RECORD = {*RECORDS, *CONTENT_NAMES}
_SPEC_OF_RECORDS = {"records": {"type": "list", "elements": "dict", "options": RECORDS}}


def check_options(
    options: Mapping[str, Any],
    zones: Collection[str],
    read: Callable[[Limits], Read],
    own: Collection[str] = tuple(LIMIT_OPTIONS),
) -> tuple[Limits, Read]:
    """Return the limits of the *zones* (canonical), whose *own* options are checked, and what *read* returns.

    Raises the error of a check unchanged, and InvalidInput for several.
    """
    errors: list[InvalidInput] = []

    def attempt(check: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return check(*arguments)
        except InvalidInput as error:
            errors.append(error)

    attempt(check_ranges, options)
    limits: Limits = attempt(limits_of, options, zones, own) or UNLIMITED
    attempt(owner_of, options)
    attempt(ignored_findings, options)
    found: Read = attempt(read, limits)
    reasons = dict.fromkeys(str(error).removesuffix(".") for error in errors)
    if len(reasons) == 1:
        raise errors[0]
    if reasons:
        raise InvalidInput("; ".join(reasons))
    return limits, found


def with_whole_values(arguments: Mapping[str, Any], spec: Spec | None = None) -> dict[str, Any]:
    """Return the arguments with single values as lists, since Ansible would split text at commas.

    Empty cells of a table become null. A plain zone name becomes an entry if *spec* has options for zones.
    """
    names_are_zones = (spec or {}).get("zones", {}).get("elements") == "dict"
    whole = dict(arguments)
    for option, value in arguments.items():
        if option in CELLS and is_empty(value):
            whole[option] = None
        elif option in LISTS_OF_TEXTS and isinstance(value, str):
            whole[option] = [value]
        elif option == "records" and isinstance(value, list):
            whole[option] = [_whole_entry(entry) for entry in value]
        elif option == "zones" and isinstance(value, list):
            zones = [_named_zone(entry) for entry in value] if names_are_zones else value
            whole[option] = [_whole_entry(entry) for entry in zones]
    return whole


def _whole_entry(entry: Any) -> Any:
    return with_whole_values(entry) if isinstance(entry, dict) else entry


def _named_zone(entry: Any) -> Any:
    is_name = isinstance(entry, str) and not is_empty(entry) and not _may_be_dictionary(entry)
    return {"zone": entry} if is_name else entry


def variables_of(spec: Spec) -> Iterator[tuple[str, str]]:
    """Yield options with their environment variables."""
    for option, rules in spec.items():
        for variable in rules.get("fallback", (None, ()))[1]:
            yield option, variable


def zone_prefix(arguments: Mapping[str, Any]) -> str:
    """Return what begins a message about a task's zone as written, if it has one."""
    zone = arguments.get("zone")
    return f"Zone {printable_name(zone.strip().rstrip('.'))}: " if isinstance(zone, str) else ""


def doubts_in(arguments: Mapping[str, Any]) -> list[str]:
    """Warn of names and globs with octal escapes, and of removals that mean the apex only by default."""
    return some_warnings([*_doubts_in(arguments)], "the task")


def _doubts_in(arguments: Mapping[str, Any], place: str = "") -> Iterator[str]:
    prefix = zone_prefix(arguments)
    name = str(arguments.get("name"))
    if may_be_octal(name, is_name=True):
        yield f"{prefix}{place}{octal_in_words(name)}"
    for option in GLOBS:
        for index, glob in _octal_globs(arguments.get(option)):
            yield f"{prefix}{place}{option}[{index}]: {octal_in_words(glob)}"
    has_content = any(arguments.get(option) for option in CONTENT_NAMES)
    if is_removal(arguments) and "name" not in arguments and not has_content:
        rdtype = printable(str(arguments.get("type")))
        yield f"{prefix}{place}without name, this removes the {rdtype} set of the apex: write name: '@' to confirm"
    for option in ("records", "zones"):
        entries = arguments.get(option)
        if not isinstance(entries, list):
            continue
        for index, entry in enumerate(entries):
            if not isinstance(entry, dict):
                continue
            inside = f"{option}[{index}]: " if option == "records" else ""
            for doubt in _doubts_in(entry, inside):
                yield f"{prefix}{doubt}"


def _octal_globs(entries: Any) -> Iterator[tuple[int, str]]:
    """Yield the positions and names of an option's globs whose escapes may be octal."""
    if not isinstance(entries, list):
        return
    for index, entry in enumerate(entries):
        name = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(name, str) and may_be_octal(name, is_name=True):
            yield index, name


def validated_records(rows: list[Any]) -> list[dict[str, Any]]:
    """Validate nested items as AnsibleModule would. Raises InvalidOptions."""
    records = with_whole_values({"records": rows})
    if errors := validation_errors(_SPEC_OF_RECORDS, records):
        raise InvalidOptions("; ".join(errors))
    return list(
        ArgumentSpecValidator(_SPEC_OF_RECORDS).validate(records).validated_parameters["records"]
    )


def validation_errors(spec: Spec, arguments: Mapping[str, Any]) -> list[str]:
    """Return the errors in a task's arguments, as clauses."""
    task = {name: value for name, value in arguments.items() if not name.startswith("_ansible_")}
    of_ansible: list[str] = ArgumentSpecValidator({**spec}).validate(task).error_messages
    asks_ansible = bool(of_ansible)
    errors = [*_missing_connection(spec, task), *_empty_variables(spec, task)]
    errors += _about_record(spec, task, [*_errors_of_row(spec, task, "option", asks_ansible)])
    errors += _two_states(spec, task)
    for option, entries in _lists_of_entries(spec, task):
        errors += _errors_of_entries(option, entries, spec[option]["options"], asks_ansible)
    return errors or of_ansible


def _lists_of_entries(spec: Spec, row: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    for option, rules in spec.items():
        if "options" in rules and isinstance(row.get(option), list):
            yield option, row[option]


def _missing_connection(spec: Spec, task: Mapping[str, Any]) -> Iterator[str]:
    """Report missing options in one clause, since they are mostly missing together."""
    missing = {}
    for option, variable in variables_of(spec):
        if option in NEEDED and option not in task and is_empty(os.environ.get(variable)):
            missing[option] = variable
    if missing:
        are, them = ("is", "it") if len(missing) == 1 else ("are", "them")
        yield (
            f"{' and '.join(missing)} {are} missing: set {them} in the task or in module_defaults, or "
            f"{' and '.join(missing.values())} in the environment of ansible-playbook"
        )


def _empty_variables(spec: Spec, task: Mapping[str, Any]) -> Iterator[str]:
    """Report variables of the environment that are set to nothing, and that the task needs."""
    for option, variable in variables_of(spec):
        if option in NEEDED or option in task or variable not in os.environ:
            continue
        is_replaced = option == "state_url" and "state_dir" in task
        is_replaced = is_replaced or (option == "state_dir" and "state_url" in task)
        if is_empty(os.environ[variable]) and not is_replaced:
            yield f"the environment variable {variable} is empty: {EMPTY_VARIABLES[option]}, or unset it"


def _two_states(spec: Spec, task: Mapping[str, Any]) -> Iterator[str]:
    """Report a folder and a database for the state."""
    if "state_url" not in spec or not task.get("state_dir"):
        return
    other = "state_url" if task.get("state_url") else ""
    if not other and os.environ.get(STATE_URL):
        other = f"the environment variable {STATE_URL}"
    if other:
        yield (
            f"state_dir and {other} are both given, but state is kept in one place: leave one of them out"
        )


def _about_record(spec: Spec, task: Mapping[str, Any], errors: list[str]) -> list[str]:
    """Join the errors behind the task's record, if it has one."""
    name, rdtype = task.get("name"), task.get("type")
    is_named = not (isinstance(name, bool) or isinstance(rdtype, bool) or rdtype is None)
    if not errors or "name" not in spec or not is_named:
        return errors
    return [f"{subject(task)}: {'; '.join(errors)}"]


def _errors_of_entries(
    option: str, entries: list[Any], spec: Spec, asks_ansible: bool
) -> Iterator[str]:
    """Yield one sentence about all entries of an option that cannot be used."""
    lines: list[str] = []
    bad = 0
    for index, entry in enumerate(entries):
        of_entry = [*_errors_of_entry(f"{option}[{index}]", entry, spec, asks_ansible)]
        bad += bool(of_entry)
        lines += of_entry
    if bad:
        noun = "entry" if len(entries) == 1 else "entries"
        yield f"{bad} of {len(entries)} {noun} cannot be used: {'. '.join(lines)}"


def _entry_as_in(spec: Spec, entry: Any) -> str:
    """Return an example of what to write instead of *entry*."""
    if _is_of_records(spec):
        return "{name: www, type: A, value: 192.0.2.1}, or lines of a zone file in the file that src names"
    first = "zone" if "zone" in spec else next(iter(spec))
    if not isinstance(entry, str):
        return f"{{{first}: ...}}"
    names = entry.replace(",", " ").split()
    if first == "zone" and len(names) > 1:
        return f"{{zone: {quoted(names[0])}}}, and one such line for each zone"
    return f"{{{first}: {quoted(entry)}}}"


def _is_of_records(spec: Spec) -> bool:
    is_required: bool = spec.get("type", {}).get("required", False)
    return is_required


def _errors_of_entry(place: str, entry: Any, spec: Spec, asks_ansible: bool) -> Iterator[str]:
    if not isinstance(entry, dict):
        if not _may_be_dictionary(entry):
            example = _entry_as_in(spec, entry)
            yield f"{place}: it is {quoted(entry)}, but an entry is a dictionary: write it as in {example}"
        return
    if not entry and not any(rules.get("required") for rules in spec.values()):
        yield f"{place}: it says nothing: take it out, or write it as in {_entry_as_in(spec, '*')}"
    if errors := [*_errors_of_row(spec, entry, "key", asks_ansible)]:
        yield f"{place}{_named_entry(spec, entry)}: {'; '.join(errors)}"
    for option, inner in _lists_of_entries(spec, entry):
        for index, inside in enumerate(inner):
            inner_place = f"{place}.{option}[{index}]"
            inner_spec = spec[option]["options"]
            yield from _errors_of_entry(inner_place, inside, inner_spec, asks_ansible)


def _named_entry(spec: Spec, entry: Mapping[str, Any]) -> str:
    """Return what follows the place of an entry, so that people find it."""
    if _is_of_records(spec):
        return f" {subject(entry)}"
    if "zone" in entry:
        return f" {shortened(printable(str(entry['zone'])))}"
    return ""


def _errors_of_row(
    spec: Spec, row: Mapping[str, Any], kind: str, asks_ansible: bool
) -> Iterator[str]:
    """Yield the errors in a task or an entry, a *kind* of row, without its entries.

    Ansible validates each row separately, because its messages do not name the row.
    """
    traps: dict[str, list[str]] = {}
    for option, rules in spec.items():
        for name in (option, *rules.get("aliases", ())):
            if errors := [*_traps_in(option, name, rules, row)]:
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
    for option, rules in spec.items():
        known |= {option, *rules.get("aliases", ())}
    unknown = [key for key in row if key not in known]
    for key in unknown:
        hint = _hint(str(key), row, sorted(known))
        if spec.get("records", {}).get("type") == "list" and key in OF_A_RECORD:
            hint = ": put it into an entry of records"
        yield f"there is no {kind} {quoted(key)}{hint}"
    others = {*traps, *unknown, *(option for option, _entries in _lists_of_entries(spec, row))}
    plain = {}
    for option, rules in spec.items():
        plain[option] = {name: rules[name] for name in rules if name not in ("options", "required")}
    simple = {key: value for key, value in row.items() if key not in others}
    yield from ArgumentSpecValidator(plain).validate(simple).error_messages


def _hint(key: str, row: Mapping[str, Any], known: list[str]) -> str:
    """Return what an unknown option was probably meant to be."""
    ours = _OF_OTHERS.get(key, key.lower())
    if near := question(key if ours in row else ours, known):
        return near
    if key in ("records", *OF_ZONES):
        return ": dns_records has this option"
    return f", only {', '.join(known)}"


def _traps_in(
    option: str, name: str, rules: Mapping[str, Any], row: Mapping[str, Any]
) -> Iterator[str]:
    """Yield why an option is missing, empty, or has a value that YAML or Ansible would convert silently."""
    value = row.get(name)
    if value is None and rules.get("required"):
        yield f"{name} is missing"
        return
    if name not in row:
        return
    has_entries = "options" in rules and isinstance(value, list) and value != []
    reason = None if has_entries else reason_against_empty(option, name, row)
    if reason:
        yield reason
    if reason or value is None:
        return
    yield from _traps_of_lists(name, value, rules)
    is_list = rules["type"] == "list"
    kind = _KINDS.get(rules["elements"] if is_list else rules["type"])
    if kind is None or "choices" in rules:  # Ansible recognises choices that YAML made boolean
        return
    items = value if is_list and isinstance(value, (list, tuple)) else [value]
    yield from reasons_against_yaml(name, items if is_list else value, kind)
    if kind == "text":
        yield from _traps_of_texts(name, items, is_list, row)


def _traps_of_lists(name: str, value: Any, rules: Mapping[str, Any]) -> Iterator[str]:
    """Yield why a text or a dictionary is no list of entries."""
    is_text = isinstance(value, str) and ("\n" in value or not _may_be_dictionary(value))
    if "options" in rules and (is_text or isinstance(value, dict)):
        found = "a text" if is_text else "a dictionary"
        example = _entry_as_in(rules["options"], value)
        yield f"{name} is {found}, but must be a list: write - {example}"


def _traps_of_texts(
    name: str, items: Sequence[Any], is_list: bool, row: Mapping[str, Any]
) -> Iterator[str]:
    """Yield why a list or a dictionary is no text."""
    kinds: dict[str, None] = {}
    for item in items:
        if isinstance(item, dict):
            kinds["a dictionary"] = None
        elif isinstance(item, (list, tuple)):
            kinds["a list"] = None
    if not kinds:
        return
    found = " and ".join(kinds)
    if not is_list:
        yield f"{name} is {found}, but takes a text"
        return
    example = known_of(str(row.get("type")).upper()).example if name in CONTENT_NAMES else ""
    such_as = f", such as {quoted(example)}" if example else ""
    yield f"{name} contains {found}, but takes a text or a list of texts{such_as}"


def _may_be_dictionary(value: Any) -> bool:
    return isinstance(value, str) and ("=" in value or value.startswith("{"))
