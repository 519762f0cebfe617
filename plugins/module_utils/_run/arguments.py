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
from itertools import chain
from typing import Any, TypeVar

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from .._dns.input_checks import reasons_against_yaml
from .._dns.names import InvalidInput
from .._dns.octal import may_be_octal, octal_in_words
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

# Ansible has no type for a TTL, so it is "raw".
_TAKES = {"float": "number", "int": "number", "path": "text", "str": "text", "raw": "number"}
_NONE_IF_EMPTY = ("priority", "ttl")
_OF_OTHERS = {
    **dict.fromkeys(("fqdn", "host", "hostname", "record"), "name"),
    **dict.fromkeys(("data", "ip", "rdata", "record_data", "target"), "content"),
    **dict.fromkeys(("domain", "zone_name"), "zone"),
    **dict.fromkeys(("api_key", "api_token", "token"), "access_token"),
}
"""Options of other collections, and ours."""
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


def with_whole_values(arguments: dict[str, Any], spec: Spec | None = None) -> dict[str, Any]:
    """Return the arguments with single values as lists, since Ansible would split text at commas.

    Empty ``ttl`` and ``priority``, as in table cells, are dropped, and so are NEEDED options without a value, so that
    the environment applies. A plain zone name becomes an item if *spec* has options for zones.
    """
    kept = {
        k: v
        for k, v in arguments.items()
        if not (_is_blank(v) if k in _NONE_IF_EMPTY else k in NEEDED and v is None)
    }
    whole = {
        k: [v] if k in (*CONTENT_NAMES, "replaces") and isinstance(v, str) else v
        for k, v in kept.items()
    }
    if (spec or {}).get("zones", {}).get("elements") == "dict" and isinstance(
        whole.get("zones"), list
    ):
        whole["zones"] = [{"zone": row} if _is_name(row) else row for row in whole["zones"]]
    for option in ("records", "zones"):
        if isinstance(whole.get(option), list):
            whole[option] = [
                with_whole_values(row) if isinstance(row, dict) else row for row in whole[option]
            ]
    return whole


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
    """Warn of names and globs with octal escapes, and of removals that mean the apex or a whole set only by default."""
    return some_warnings([*_doubts_in(arguments)], "the task")


def _doubts_in(arguments: Mapping[str, Any], place: str = "") -> Iterator[str]:
    prefix, name = zone_prefix(arguments), str(arguments.get("name"))
    if may_be_octal(name, is_name=True):
        yield f"{prefix}{place}{octal_in_words(name)}"
    for option in GLOBS:
        for at, glob in _octal_globs(arguments.get(option)):
            yield f"{prefix}{place}{option}[{at}]: {octal_in_words(glob)}"
    if arguments.get("state") == "absent":
        rdtype = printable(str(arguments.get("type")))
        if arguments.get("name") is None and not any(map(arguments.get, CONTENT_NAMES)):
            yield f"{prefix}{place}without name, this removes the {rdtype} set of the apex: write name: '@' to confirm"
        nothing: tuple[Any, ...] = (
            (None, []) if place else (None,)
        )  # dns_record refuses an empty list
        if empty := [
            one for one in CONTENT_NAMES if one in arguments and arguments[one] in nothing
        ]:
            yield f"{prefix}{place}{empty[0]} is empty, so this removes the whole set: leave it out if you want that"
    for option in ("records", "zones"):
        rows = arguments.get(option)
        for at, row in enumerate(rows if isinstance(rows, list) else ()):
            if isinstance(row, dict):
                inside = f"{option}[{at}]: " if option == "records" else ""
                yield from (f"{prefix}{doubt}" for doubt in _doubts_in(row, inside))


def _octal_globs(rows: Any) -> Iterator[tuple[int, str]]:
    """The positions and names of an option's globs whose escapes may be octal."""
    for at, row in enumerate(rows if isinstance(rows, list) else ()):
        name = row.get("name") if isinstance(row, dict) else None
        if isinstance(name, str) and may_be_octal(name, is_name=True):
            yield at, name


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
    of_task = [*_errors_of_row(spec, task, "option", bool(of_ansible))]
    errors = [*_missing_connection(spec, task), *_about_record(spec, task, of_task)]
    if (
        "state_url" in spec
        and task.get("state_dir")
        and (task.get("state_url") or os.environ.get(STATE_URL))
    ):
        other = "state_url" if task.get("state_url") else f"the environment variable {STATE_URL}"
        errors.append(
            f"state_dir and {other} are both given, but state is kept in one place: leave one of them out"
        )
    for option, rows in _lists_of_items(spec, task):
        items = spec[option]["options"]
        lines = [
            [*_errors_of_item(f"{option}[{at}]", row, items, bool(of_ansible))]
            for at, row in enumerate(rows)
        ]
        if bad := [*filter(None, lines)]:
            entries = "entry" if len(rows) == 1 else "entries"
            errors.append(
                f"{len(bad)} of {len(rows)} {entries} cannot be used: {'. '.join(chain(*bad))}"
            )
    return errors or of_ansible


def _lists_of_items(spec: Spec, row: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    for option, rules in spec.items():
        if "options" in rules and isinstance(row.get(option), list):
            yield option, row[option]


def _missing_connection(spec: Spec, task: Mapping[str, Any]) -> Iterator[str]:
    """Report missing options in one clause, since they are mostly missing together."""
    missing = {
        option: variable
        for option, variable in variables_of(spec)
        if option in NEEDED and task.get(option) is None and not os.environ.get(variable)
    }
    if missing:
        verb, pronoun = ("is", "it") if len(missing) == 1 else ("are", "them")
        yield (
            f"{' and '.join(missing)} {verb} missing: set {pronoun} in the task or in module_defaults, or "
            f"{' and '.join(missing.values())} in the environment of ansible-playbook"
        )


def _about_record(spec: Spec, task: Mapping[str, Any], errors: list[str]) -> list[str]:
    """Join the errors behind the task's record, if it has one."""
    record = (task.get("name"), task.get("type"))
    if (
        not errors
        or "name" not in spec
        or record[1] is None
        or any(isinstance(part, bool) for part in record)
    ):
        return errors
    return [f"{subject(task)}: {'; '.join(errors)}"]


def _item_as_in(spec: Spec, row: Any) -> str:
    """Return an example of what to write instead of *row*."""
    if spec.get("type", {}).get("required"):
        return "{name: www, type: A, value: 192.0.2.1}, or lines of a zone file in the file that src names"
    if "zone" in spec and isinstance(row, str) and len(names := row.replace(",", " ").split()) > 1:
        return f"{{zone: {quoted(names[0])}}}, and one such line for each zone"
    return f"{{{'zone' if 'zone' in spec else next(iter(spec))}: {quoted(row) if isinstance(row, str) else '...'}}}"


def _errors_of_row(
    spec: Spec, row: Mapping[str, Any], kind: str, asks_ansible: bool
) -> Iterator[str]:
    """Yield the errors in a row, without its nested items.

    Ansible validates each row separately, because its messages do not name the row.
    """
    traps = {name: errors for name, errors in _traps(spec, row) if errors}
    if asks_ansible:
        known = sorted(
            {name for option, rules in spec.items() for name in (option, *rules.get("aliases", ()))}
        )
        unknown = [key for key in row if key not in known]
        for key in map(str, unknown):
            ours = _OF_OTHERS.get(key, key.lower())
            other = (
                ": dns_records has this option"
                if key in ("records", *OF_ZONES)
                else f", only {', '.join(known)}"
            )
            hint = question(key if ours in row else ours, known) or other
            yield f"there is no {kind} {quoted(key)}{hint}"
        others = {*traps, *unknown, *(option for option, _rows in _lists_of_items(spec, row))}
        plain = {
            option: {
                name: rule for name, rule in rules.items() if name not in ("options", "required")
            }
            for option, rules in spec.items()
        }
        simple = {key: value for key, value in row.items() if key not in others}
        yield from ArgumentSpecValidator(plain).validate(simple).error_messages
    yield from chain(*traps.values())


def _errors_of_item(place: str, row: Any, spec: Spec, asks_ansible: bool) -> Iterator[str]:
    is_record_set = spec.get("type", {}).get("required", False)
    if not isinstance(row, dict):
        if not _may_be_dictionary(row):
            yield f"{place}: it is {quoted(row)}, but an entry is a dictionary: write it as in {_item_as_in(spec, row)}"
        return
    if errors := [*_errors_of_row(spec, row, "key", asks_ansible)]:
        zone = f" {shortened(printable(str(row['zone'])))}" if "zone" in row else ""
        yield f"{place}{f' {subject(row)}' if is_record_set else zone}: {'; '.join(errors)}"
    for option, rows in _lists_of_items(spec, row):
        for at, inside in enumerate(rows):
            yield from _errors_of_item(
                f"{place}.{option}[{at}]", inside, spec[option]["options"], asks_ansible
            )


def _traps(spec: Spec, row: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield missing options, and values that YAML or Ansible would convert silently."""
    example = known_of(str(row.get("type")).upper()).example
    for option, rules in spec.items():
        for name in (option, *rules.get("aliases", ())):
            if row.get(name) is not None:
                yield (
                    name,
                    [*_traps_in(name, row[name], rules, example if name in CONTENT_NAMES else "")],
                )
            elif rules.get("required"):
                yield name, [f"{name} is missing"]


def _traps_in(name: str, value: Any, rules: Mapping[str, Any], example: str) -> Iterator[str]:
    is_list = rules["type"] == "list"
    is_text = isinstance(value, str) and ("\n" in value or not _may_be_dictionary(value))
    if "options" in rules and (is_text or isinstance(value, dict)):
        found = "a text" if is_text else "a dictionary"
        yield f"{name} is {found}, but must be a list: write - {_item_as_in(rules['options'], value)}"
    takes = _TAKES.get(rules["elements"] if is_list else rules["type"])
    if takes is None or "choices" in rules:  # Ansible recognises choices that YAML made boolean
        return
    items: Sequence[Any] = value if is_list and isinstance(value, (list, tuple)) else [value]
    yield from reasons_against_yaml(name, items if is_list else value, takes)
    parts = (item for item in items if isinstance(item, (dict, list, tuple)))
    kinds = dict.fromkeys("a dictionary" if isinstance(item, dict) else "a list" for item in parts)
    if kinds and takes == "text":
        found = " and ".join(kinds)
        wrong, texts = (
            (f"contains {found}", "a text or a list of texts")
            if is_list
            else (f"is {found}", "a text")
        )
        yield f"{name} {wrong}, but takes {texts}{f', such as {quoted(example)}' if example else ''}"


def _is_name(row: Any) -> bool:
    return isinstance(row, str) and bool(row.strip()) and not _may_be_dictionary(row)


def _may_be_dictionary(value: Any) -> bool:
    return isinstance(value, str) and ("=" in value or value.startswith("{"))


def _is_blank(value: Any) -> bool:
    return isinstance(value, str) and not value.strip()
