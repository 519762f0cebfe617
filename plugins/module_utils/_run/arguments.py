# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The options of a task as they were written, before Ansible turns them into what the argument spec says.

Ansible makes text of numbers, and text and numbers of booleans, without a word. Of the entries of a list it tells
neither which one is wrong nor all that are, and of a task neither its zone nor its record. So a task and each of its
entries are looked at in the same way, by the same spec, before Ansible does.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.given import given_ttl, reasons_against_yaml
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import DNSPYTHON_MISSING, InvalidName, zone_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import (
    printable,
    printable_name,
    printable_part,
    quoted,
    shortened,
    some_clauses,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import InvalidRdata
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import CONTENT_NAMES
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.slips import question
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.entries import subject
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.entry_lists import lines_against
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import LIMIT_OPTIONS
from ansible_collections.zonesmith.dns.plugins.module_utils._run.desired import limits_from
from ansible_collections.zonesmith.dns.plugins.module_utils._run.findings_report import FindingsReport
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import InvalidOptions
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import RECORDS

Spec = Mapping[str, Mapping[str, Any]]

AgainstRecords = Callable[[Mapping[int, Any]], Mapping[int, str]]
"""What is wrong with entries that the argument spec has nothing against, by their places in the list."""

STATE_URL = "ZONESMITH_STATE_URL"
NEEDED = ("base_url", "access_token")
"""The options that have to be given, in the task or in the environment; to Ansible no option is required that is not in
the task."""

IN_PLACE_OF_SERVICE = "server"
"""The option with which they need not be given."""

_TTL = "raw"
"""The type of a TTL, to Ansible, which has none for it."""

_TAKES = {"float": "number", "int": "number", "path": "text", "str": "text", _TTL: "number"}
# As far as Ansible reads numbers, and no exponent, which can be of any size.
_NUMBERS = {
    "int": re.compile(r"\s*[+-]?[0-9]{1,20}(\.0*)?\s*").fullmatch,
    "float": re.compile(r"\s*[+-]?([0-9]{1,20}\.?[0-9]*|\.[0-9]+|inf|nan)(e[+-]?[0-9]{1,3})?\s*").fullmatch,
}
MAY_BE_DICTIONARY = re.compile(r"=|^\{")
"""What of a text Ansible may read as a dictionary."""
_TRUE = frozenset({"y", "yes", "on", "1", "true", "t", "1.0"})  # Ansible's
_FALSE = frozenset({"n", "no", "off", "0", "false", "f", "0.0"})
_OF_ANSIBLE = "_ansible_"
"""What begins the arguments that Ansible adds to those of a task."""

_NONE_WHERE_EMPTY = ("priority", "ttl")


def with_whole_values(arguments: dict[str, Any], spec: Spec | None = None) -> dict[str, Any]:
    """Arguments in which a single value is a list of one, because Ansible splits text for a list at its commas.

    An empty ``ttl`` or ``priority``, as a cell of a table can be, is none. Where the service is, none is not given, so
    that the environment counts. A name in place of a zone is one of which nothing else is said, if *spec* takes more.
    """
    given = {k: v for k, v in arguments.items() if k not in _NONE_WHERE_EMPTY or not _is_blank(v)}
    given = {k: v for k, v in given.items() if k not in NEEDED or v is not None}
    whole = {k: [v] if k in (*CONTENT_NAMES, "replaces") and isinstance(v, str) else v for k, v in given.items()}
    if (spec or {}).get("zones", {}).get("elements") == "dict" and isinstance(whole.get("zones"), list):
        whole["zones"] = [{"zone": row} if _is_name(row) else row for row in whole["zones"]]
    for option in ("records", "zones"):
        if isinstance(whole.get(option), list):
            whole[option] = [with_whole_values(row) if isinstance(row, dict) else row for row in whole[option]]
    return whole


def _is_name(row: Any) -> bool:
    return isinstance(row, str) and bool(row.strip()) and not MAY_BE_DICTIONARY.search(row)


def variables_of(spec: Spec) -> Iterator[tuple[str, str]]:
    """The options that a variable of the environment can set, and its name."""
    for option, rules in spec.items():
        for variable in rules.get("fallback", (None, ()))[1]:
            yield option, variable


def reasons_against(
    spec: Spec,
    arguments: Mapping[str, Any],
    of_records: AgainstRecords = lambda _rows: {},
    of_others: Callable[[], Iterable[str]] = lambda: (),
) -> list[str]:
    """What is wrong with the arguments that Ansible would take or not tell of as a person needs it; a clause each.

    Where there is anything, *of_records* says what is wrong with the other entries of ``records``, and *of_others* with
    the other options: all in one message.
    """
    reasons = [*_missing(spec, arguments), *_of_record(spec, arguments, against(spec, arguments, "option"))]
    if "state_url" in spec and arguments.get("state_dir") and (arguments.get("state_url") or os.environ.get(STATE_URL)):
        other = "state_url" if arguments.get("state_url") else f"the environment variable {STATE_URL}"
        reasons.append(f"state_dir and {other} are given, and the journal is kept in one place: leave one of them out")
    lists = {option: rules["options"] for option, rules in spec.items() if "options" in rules}
    given = {option: arguments[option] for option in lists if isinstance(arguments.get(option), list)}
    if not (reasons or given):
        return []

    told = {
        option: {at: list(against_row(option, at, row, lists[option])) for at, row in enumerate(rows)}
        for option, rows in given.items()
    }
    if not (reasons or any(line for lines in told.values() for line in lines.values())):
        return []
    if "records" in told:
        told["records"] = with_others(given["records"], told["records"], lists["records"], of_records)
    reasons += of_others()
    return reasons + [in_one(given[option], lines) for option, lines in told.items() if any(lines.values())]


def _of_record(spec: Spec, arguments: Mapping[str, Any], reasons: list[str]) -> list[str]:
    """The reasons as one that begins with the record of the task, where it is about one that can be told."""
    told = (arguments.get("name"), arguments.get("type"))
    if not reasons or "name" not in spec or told[1] is None or any(isinstance(part, bool) for part in told):
        return reasons
    return [f"{subject(arguments)}: {'; '.join(reasons)}"]


def _missing(spec: Spec, arguments: Mapping[str, Any]) -> Iterator[str]:
    """One clause for all, because who has not said where the service is lacks its token mostly too.

    Who names a name server in place of the service needs neither.
    """
    has_other = arguments.get(IN_PLACE_OF_SERVICE) is not None
    if _is_blank(arguments.get("base_url")) and not has_other:
        yield "base_url is empty: set it, or ZONESMITH_BASE_URL"
    needed = [option for option, rules in spec.items() if rules.get("required") or (option in NEEDED and not has_other)]
    missing = [option for option in needed if arguments.get(option) is None]
    variables = {option: variable for option, variable in variables_of(spec) if option in missing}
    lacking = [option for option in missing if not os.environ.get(variables.get(option, ""))]
    if lacking:
        unset = [
            f"{variables[option]}{', which is empty,' if variables[option] in os.environ else ''}"
            for option in lacking
            if option in variables
        ]
        verb, pronoun = ("is", "it") if len(lacking) == 1 else ("are", "them")
        reason = f"{' and '.join(lacking)} {verb} missing"
        if unset:
            reason += f": set {pronoun} in the task or in module_defaults, or {' and '.join(unset)} in the environment "
            reason += "of ansible-playbook"
        yield reason


def against(spec: Spec, row: Mapping[str, Any], called: str) -> list[str]:
    """What is wrong with the options of a task, or with the keys of an entry, but for what is missing."""
    return [*_unknown(spec, row, called), *_made_by_yaml(spec, row), *_wrong_kinds(spec, row), *_ttls(spec, row)]


def _unknown(spec: Spec, row: Mapping[str, Any], called: str) -> Iterator[str]:
    known = sorted({name for option, rules in spec.items() for name in (option, *rules.get("aliases", ()))})
    for key in map(str, row):
        if key not in known and not key.startswith(_OF_ANSIBLE):
            yield f"there is no {called} {quoted(key)}{instead_of(key, known, called)}"


def _wrong_kinds(spec: Spec, row: Mapping[str, Any]) -> Iterator[str]:
    for option, rules in spec.items():
        for name in (option, *rules.get("aliases", ())):
            value = row.get(name)
            if value is not None and (reason := _wrong_kind(rules, value)):
                yield f"{name} {reason}"


def _wrong_kind(rules: Mapping[str, Any], value: Any) -> str | None:
    """What Ansible would tell without the zone and the entry that it is in, or make a text of."""
    if "choices" in rules:
        words = [value] if not isinstance(value, bool) else _TRUE if value else _FALSE  # as YAML reads off for False
        is_one = any(choice in words for choice in rules["choices"])
        return None if is_one else f"is {quoted(value)}, and can be {' or '.join(rules['choices'])}"
    if rules.get("elements") == "dict":
        is_list = isinstance(value, (list, tuple)) or (isinstance(value, str) and MAY_BE_DICTIONARY.search(value))
        return None if is_list else f"is {quoted(value)}, and takes a list of dictionaries{_with_keys(rules)}"
    if rules["type"] == _TTL or isinstance(value, bool):  # a boolean is YAML's, where none is meant
        return None
    if rules["type"] in _NUMBERS:
        return None if _NUMBERS[rules["type"]](str(value)) else f"is {quoted(value)}, and takes a number"
    if rules["type"] == "bool":
        is_one = str(value).strip().lower() in _TRUE | _FALSE
        return None if is_one else f"is {quoted(value)}, and can be true or false"
    if rules["type"] == "list" and isinstance(value, (list, tuple)):
        kinds = dict.fromkeys(kind for kind in map(_kind, value) if kind)
        return f"has {' and '.join(kinds)} in it, and takes a text or a list of texts" if kinds else None
    texts = "a text or a list of texts" if rules["type"] == "list" else "a text"
    return f"is {_kind(value)}, and takes {texts}" if _kind(value) else None


def _with_keys(rules: Mapping[str, Any]) -> str:
    spec = rules.get("options", {})
    required = " and ".join(key for key, of_key in spec.items() if of_key.get("required"))
    others = ", ".join(sorted(key for key, of_key in spec.items() if not of_key.get("required")))
    parts = filter(None, (required, f"any of {others}" if others else ""))
    return f" with {' and '.join(parts)}" if spec else ""


def _kind(value: Any) -> str:
    if isinstance(value, Mapping):
        return "a dictionary"
    return "a list" if isinstance(value, (list, tuple)) else ""


def _made_by_yaml(spec: Spec, arguments: Mapping[str, Any]) -> Iterator[str]:
    for option, rules in spec.items():
        takes = _TAKES.get(rules["elements"] if rules["type"] == "list" else rules["type"])
        if takes is None or "choices" in rules:  # Ansible itself knows which choice YAML has made a boolean of
            continue
        for name in (option, *rules.get("aliases", ())):
            value = arguments.get(name)
            listed = [value] if rules["type"] == "list" and isinstance(value, (bool, float)) else value
            yield from reasons_against_yaml(name, listed, takes)


def _ttls(spec: Spec, arguments: Mapping[str, Any]) -> Iterator[str]:
    for option, rules in spec.items():
        value = arguments.get(option)
        if rules["type"] == _TTL and not isinstance(value, bool) and not DNSPYTHON_MISSING:
            try:
                given_ttl(value)
            except InvalidRdata as error:
                yield str(error)


def _is_blank(value: Any) -> bool:
    return isinstance(value, str) and not value.strip()


def in_one(rows: Sequence[Any], told: Mapping[int, list[str]]) -> str:
    """What is *told* of the entries of one option, by their places, in one clause."""
    bad = [lines for lines in told.values() if lines]
    entries = "entry" if len(rows) == 1 else "entries"
    in_words = ". ".join(line.removesuffix(".") for lines in bad for line in lines)
    return f"{len(bad)} of {len(rows)} {entries} cannot be used: {in_words}"


def with_others(
    rows: Sequence[Any], told: Mapping[int, list[str]], spec: Spec, of_records: AgainstRecords
) -> dict[int, list[str]]:
    """What is *told* of entries of ``records``, and what else is: of the others, and of other values in them."""
    others = {at: _without_slips(row, spec) if told[at] else row for at, row in enumerate(rows)}
    against = of_records({at: row for at, row in others.items() if row is not None})
    merged = dict(told)
    for at, line in against.items():
        begin = f"records[{at}] {subject(rows[at])}: "
        merged[at] = [f"{told[at][0]}; {line.removeprefix(begin)}", *told[at][1:]] if told[at] else [line]
    return merged


def _without_slips(row: Any, spec: Spec) -> Any:
    """An entry without the values that YAML has made something else of; None where it cannot be looked at without."""
    if not isinstance(row, dict):
        return None
    kept = {
        key: [item for item in value if not isinstance(item, (bool, float))]
        if key in CONTENT_NAMES and isinstance(value, (list, tuple))
        else value
        for key, value in row.items()
    }
    is_empty = any(key in CONTENT_NAMES and not value for key, value in kept.items())
    return None if is_empty or [*against_row("records", 0, kept, spec)] else kept


def against_row(option: str, index: int, row: Any, spec: Spec) -> Iterator[str]:
    """What is wrong with one entry of an option as it was written, a clause each."""
    if not isinstance(row, dict):
        if not (isinstance(row, str) and MAY_BE_DICTIONARY.search(row)):
            yield f"{option}[{index}]: it is {quoted(row)}, and an entry is a dictionary{_written(row, spec)}"
        return
    missing = [f"{name} is missing" for name, rules in spec.items() if rules.get("required") and row.get(name) is None]
    if reasons := missing + against(spec, row, "key"):
        is_record_set = spec.get("type", {}).get("required", False)
        zone = f" {shortened(printable(str(row['zone'])))}" if "zone" in row else ""
        of = f" {subject(row)}" if is_record_set else zone
        yield f"{option}[{index}]{of}: {'; '.join(reasons)}"
    for name, rules in spec.items():
        if "options" in rules and isinstance(row.get(name), list):
            for number, inside in enumerate(row[name]):
                yield from against_row(f"{option}[{index}].{name}", number, inside, rules["options"])


def _written(row: Any, spec: Spec) -> str:
    """How a text is written as the first key of an entry, where no other key is needed."""
    if not isinstance(row, str) or not row.strip() or any(rules.get("required") for rules in spec.values()):
        return ""
    is_plain = row[0].isalnum() or row[0] == "_"
    return f": write - {next(iter(spec))}: {printable_part(row) if is_plain else quoted(row)}"


def usable_rows(option: str, rows: Sequence[Any], spec: Spec) -> list[Any]:
    """The entries of an option, a list, that nothing is wrong with."""
    return [row for at, row in enumerate(rows) if not [*against_row(option, at, row, spec)]]


MOST_NAMES = 16
"""Known names that a message lists; nobody reads more."""

_OF_MANY = "ignore protect only ttl_max prune prune_limit change_limit plan_dir concurrency records src"
_OF_ONE = "name type content contents value values priority exclusive replaces state"
_OF_FILES = "dest update remove server tsig_name tsig_key tsig_algorithm"
_OF_WRITING = "owner takeover release on_drift txt_format findings findings_ignore service_owned fail_on_changes"

MODULES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        f"{_OF_WRITING} wait wait_timeout wait_nameservers".split(), ("dns_record", "dns_records", "dns_zones")
    ),
    **dict.fromkeys(_OF_ONE.split(), ("dns_record",)),
    **dict.fromkeys(_OF_MANY.split(), ("dns_records", "dns_zones")),
    **dict.fromkeys(["zones", "limit", "unmanaged", "unmanaged_ignore"], ("dns_zones",)),
    **dict.fromkeys(["names", "types", "owners"], ("dns_zone_info",)),
    **dict.fromkeys(_OF_FILES.split(), ("dns_zone_files",)),
    "zone": ("dns_record", "dns_records", "dns_zone_info"),
}
"""The modules that are told of for an option that some lack."""


def instead_of(name: str, known: Sequence[str], called: str) -> str:
    """What a message says behind an unknown *name*, *called* an option or a key, where these are *known*."""
    if near := question(name, known):
        return near
    if called == "option" and (modules := MODULES.get(name)):
        return f", which is one of {' and '.join(modules)}"
    return f", but {', '.join(known)}" if len(known) <= MOST_NAMES else ": ansible-doc tells those of the module"


_SPEC_OF_RECORDS = {"records": {"type": "list", "elements": "dict", "options": RECORDS}}


def validated_records(rows: list[Any], zone: str) -> list[dict[str, Any]]:
    """Entries of *zone* inside an option, as AnsibleModule makes them of what the task has. Raises InvalidOptions."""
    given = with_whole_values({"records": rows})
    if reasons := reasons_against(_SPEC_OF_RECORDS, given, partial(zone_against, zone)):
        raise InvalidOptions("; ".join(reasons))
    return _as_specified(given["records"])


def _as_specified(rows: list[Any]) -> list[dict[str, Any]]:
    validation = ArgumentSpecValidator(_SPEC_OF_RECORDS).validate({"records": rows})
    if validation.error_messages:
        raise InvalidOptions("; ".join(validation.error_messages))
    entries: list[dict[str, Any]] = validation.validated_parameters["records"]
    return entries


def others_against(spec: Spec, arguments: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the options that say how far the task may go, and with the records of zones.

    As far as each is what Ansible takes, and without the entries of which more is told.
    """
    names = [name for name in ("findings_ignore", *LIMIT_OPTIONS) if name in spec]
    given = {name: spec[name].get("default") for name in names}
    for name in names:
        option = {name: arguments.get(name)} if arguments.get(name) is not None else {}
        validation = ArgumentSpecValidator({name: spec[name]}).validate(option)
        if not validation.error_messages:
            given.update(validation.validated_parameters)
        if rules := spec[name].get("options"):
            given[name] = usable_rows(name, given[name] or [], rules)
    yield from _guards_against(given, arguments.get("zone"))
    zones = arguments.get("zones")
    against = filter(None, map(_records_against, zones if isinstance(zones, list) else ()))
    if told := some_clauses([*against]):
        yield told


def _guards_against(options: dict[str, Any], zone: Any) -> Iterator[str]:
    """What is wrong with ``findings_ignore``, and for a *zone* as the task has it with its limits; a clause each."""
    try:
        if options.get("findings_ignore"):
            FindingsReport("", {"findings": "off", **options})
    except InvalidOptions as refusal:
        yield str(refusal)
    try:
        if "protect" in options and isinstance(zone, str):
            limits_from(options, [zone_name(zone)])
    except InvalidOptions as refusal:
        yield str(refusal)
    except InvalidName:
        return


def _records_against(row: Any) -> str:
    """What is wrong with the records of an entry of ``zones``, in a clause."""
    zone, records = (row.get("zone"), row.get("records")) if isinstance(row, dict) else (None, None)
    if not isinstance(zone, str) or not isinstance(records, list):
        return ""
    try:
        lines = zone_against(zone, dict(enumerate(validated_records(records, zone))))
    except InvalidOptions as refusal:
        return f"zone {printable_part(printable_name(zone))}: {refusal}"
    told = some_clauses([*lines.values()])
    return f"zone {printable_part(printable_name(zone))}: {told}" if told else ""


def zone_against(zone: Any, rows: Mapping[int, Any]) -> Mapping[int, str]:
    """What the zone has against entries, as far as it can be told of a task whose other entries no module takes."""
    if DNSPYTHON_MISSING or not isinstance(zone, str):
        return {}
    try:
        return lines_against(zone_name(zone), dict(zip(rows, _as_specified(list(rows.values())), strict=True)))
    except (InvalidName, InvalidOptions):
        return {}
