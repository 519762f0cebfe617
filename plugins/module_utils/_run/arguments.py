# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Validates a task's options, as written and then as Ansible has converted them.

Ansible silently turns numbers, lists and dictionaries into text, and booleans into text and numbers. Its errors name
neither the item nor the zone and record. So before that, each item is checked by itself, for both.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping
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
LISTS_OF_ENTRIES = ("records", "zones")
LISTS_OF_TEXTS = (*CONTENT_NAMES, "replaces")
EMPTY_VARIABLES = {
    "owner": "name the owner",
    "state_dir": "name a folder",
    "state_url": "name a database",
}
"""What to do about empty environment variables, by option."""
IN_PLACE_OF = {"state_dir": "state_url", "state_url": "state_dir"}
"""Options of which a task needs one."""
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
    is_text = isinstance(entry, str) and not is_empty(entry)
    if is_text and not _may_be_dictionary(entry):
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
    for index, record in _entries(arguments.get("records")):
        for doubt in _doubts_in(record, f"records[{index}]: "):
            yield f"{prefix}{doubt}"
    for _index, zone in _entries(arguments.get("zones")):
        yield from _doubts_in(zone)


def _octal_globs(globs: Any) -> Iterator[tuple[int, str]]:
    """Yield the positions and names of an option's globs whose escapes may be octal."""
    for index, glob in _entries(globs):
        name = glob.get("name")
        if isinstance(name, str) and may_be_octal(name, is_name=True):
            yield index, name


def _entries(value: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the dictionaries in a list, with their positions."""
    if not isinstance(value, list):
        return
    for index, entry in enumerate(value):
        if isinstance(entry, dict):
            yield index, entry


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
    of_ansible: list[str] = ArgumentSpecValidator({**spec}).validate(task).error_messages
    asks_ansible = bool(of_ansible)
    errors = [*_missing_connection(spec, task), *_empty_variables(spec, task)]
    of_task = [*_errors_of_row(spec, task, "option", asks_ansible)]
    errors += _about_record(spec, task, of_task)
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
    if not missing:
        return
    options = " and ".join(missing)
    variables = " and ".join(missing.values())
    are_missing = "is missing: set it" if len(missing) == 1 else "are missing: set them"
    yield (
        f"{options} {are_missing} in the task or in module_defaults, or {variables} in the environment of "
        "ansible-playbook"
    )


def _empty_variables(spec: Spec, task: Mapping[str, Any]) -> Iterator[str]:
    """Report variables of the environment that are set to nothing, and that the task needs."""
    for option, variable in variables_of(spec):
        is_given = option in task or IN_PLACE_OF.get(option) in task
        if option in NEEDED or is_given or variable not in os.environ:
            continue
        if is_empty(os.path.expandvars(os.environ[variable])):
            instead = EMPTY_VARIABLES[option]
            yield f"the environment variable {variable} is empty: {instead}, or unset it"


def _two_states(spec: Spec, task: Mapping[str, Any]) -> Iterator[str]:
    """Report a folder and a database for the state."""
    if "state_url" not in spec or not task.get("state_dir"):
        return
    other = ""
    if task.get("state_url"):
        other = "state_url"
    elif os.environ.get(STATE_URL):
        other = f"the environment variable {STATE_URL}"
    if other:
        yield (
            f"state_dir and {other} are both given, but state is kept in one place: leave one of them out"
        )


def _about_record(spec: Spec, task: Mapping[str, Any], errors: list[str]) -> list[str]:
    """Join the errors behind the task's record, if it has one."""
    rdtype = task.get("type")
    is_of_yaml = isinstance(task.get("name"), bool) or isinstance(rdtype, bool)
    if not errors or "name" not in spec or rdtype is None or is_of_yaml:
        return errors
    reasons = "; ".join(errors)
    return [f"{subject(task)}: {reasons}"]


def _errors_of_entries(
    option: str, entries: list[Any], spec: Spec, asks_ansible: bool
) -> Iterator[str]:
    """Yield one sentence about all entries of an option that cannot be used."""
    bad = []
    for index, entry in enumerate(entries):
        lines = [*_errors_of_entry(f"{option}[{index}]", entry, spec, asks_ansible)]
        if lines:
            bad.append(". ".join(lines))
    if bad:
        noun = "entry" if len(entries) == 1 else "entries"
        reasons = ". ".join(bad)
        yield f"{len(bad)} of {len(entries)} {noun} cannot be used: {reasons}"


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
    needs_a_key = any(rules.get("required") for rules in spec.values())
    if not entry and not needs_a_key:
        example = _entry_as_in(spec, "*")
        yield f"{place}: it says nothing: take it out, or write it as in {example}"
    reasons = "; ".join(_errors_of_row(spec, entry, "key", asks_ansible))
    if reasons:
        yield f"{place}{_named_entry(spec, entry)}: {reasons}"
    for option, inner in _lists_of_entries(spec, entry):
        inner_spec = spec[option]["options"]
        for index, inside in enumerate(inner):
            inner_place = f"{place}.{option}[{index}]"
            yield from _errors_of_entry(inner_place, inside, inner_spec, asks_ansible)


def _named_entry(spec: Spec, entry: Mapping[str, Any]) -> str:
    """Return what follows the place of an entry, so that people find it."""
    if _is_of_records(spec):
        return f" {subject(entry)}"
    if "zone" not in entry:
        return ""
    zone = printable(str(entry["zone"]))
    return f" {shortened(zone)}"


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
        plain[option] = {name: rules[name] for name in rules if name not in ("options", "required")}
    has_records = spec.get("records", {}).get("type") == "list"
    others = {option for option, _list in _lists_of_entries(spec, row)} | {*traps}
    for key in row:
        if key in known:
            continue
        others.add(key)
        hint = _hint(str(key), row, sorted(known))
        if has_records and key in OF_A_RECORD:
            hint = ": put it into an entry of records"
        yield f"there is no {kind} {quoted(key)}{hint}"
    simple = {key: value for key, value in row.items() if key not in others}
    yield from ArgumentSpecValidator(plain).validate(simple).error_messages


def _hint(key: str, row: Mapping[str, Any], known: list[str]) -> str:
    """Return what an unknown option was probably meant to be."""
    ours = _OF_OTHERS.get(key, key.lower())
    if ours in row:
        ours = key
    near = question(ours, known)
    if near:
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
    if rules["type"] == "path" and isinstance(value, str):
        # Ansible does so too, and a variable may be set to nothing.
        row = {**row, name: os.path.expandvars(value)}
    has_entries = "options" in rules and isinstance(value, list) and value != []
    if not has_entries:
        reason = reason_against_empty(option, name, row)
        if reason:
            yield reason
            return
    if value is None:
        return
    yield from _traps_of_lists(name, value, rules)
    is_list = rules["type"] == "list"
    kind = _KINDS.get(rules["elements"] if is_list else rules["type"])
    if kind is None or "choices" in rules:  # Ansible recognises choices that YAML made boolean
        return
    if is_list and not isinstance(value, (list, tuple)):
        value = [value]
    yield from reasons_against_yaml(name, value, kind)
    if kind == "text":
        yield from _traps_of_texts(name, value, is_list, row)


def _traps_of_lists(name: str, value: Any, rules: Mapping[str, Any]) -> Iterator[str]:
    """Yield why a text or a dictionary is no list of entries."""
    is_text = isinstance(value, str) and ("\n" in value or not _may_be_dictionary(value))
    if "options" in rules and (is_text or isinstance(value, dict)):
        found = "a text" if is_text else "a dictionary"
        example = _entry_as_in(rules["options"], value)
        yield f"{name} is {found}, but must be a list: write - {example}"


def _traps_of_texts(name: str, value: Any, is_list: bool, row: Mapping[str, Any]) -> Iterator[str]:
    """Yield why a list or a dictionary is no text."""
    kinds: dict[str, None] = {}
    items = value if is_list else [value]
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
    takes = "a text or a list of texts"
    rdtype = str(row.get("type")).upper()
    example = known_of(rdtype).example
    if example and name in CONTENT_NAMES:
        takes = f"{takes}, such as {quoted(example)}"
    yield f"{name} contains {found}, but takes {takes}"


def _may_be_dictionary(value: Any) -> bool:
    return isinstance(value, str) and ("=" in value or value.startswith("{"))
