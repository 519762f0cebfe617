# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The options of a task as they were written, before Ansible turns them into what the argument spec says.

Ansible makes text of numbers, lists and dictionaries, and text and numbers of booleans, without a word. Of the entries
of a list it does not tell which one is wrong, and of a task neither its zone nor its record. So each entry is looked at
by itself, for what Ansible would take, and for what it has against it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.given import reasons_against_yaml
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import DNSPYTHON_MISSING, InvalidName, zone_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable, quoted, shortened
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import CONTENT_NAMES
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.slips import question
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.entries import lines_against, subject
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

MOST_NAMES = 16
"""Known names that a message lists; nobody reads more."""

OF_OTHERS = {
    **dict.fromkeys(["host", "prefix", "record", "record_name"], "name"),
    **dict.fromkeys(["data", "rdata"], "content"),
    **dict.fromkeys(["overwrite", "solo"], "exclusive"),
    "record_type": "type",
    "zone_name": "zone",
}
"""What modules of other collections call options of these."""

OF_MODULES = {
    "dns_record": "name type content contents value values priority exclusive replaces state",
    "dns_records and dns_zones": "ignore protect only ttl_max prune prune_limit change_limit plan_dir records src",
    "dns_zones": "zones limit unmanaged unmanaged_ignore",
    "dns_zone_info": "names types owners",
    "dns_zone_files": "dest update remove server tsig_name tsig_key tsig_algorithm",
}
"""The options by which a module is known that a task may mean."""

# A TTL is "raw" to Ansible, which has no type for it.
_TAKES = {"float": "number", "int": "number", "path": "text", "str": "text", "raw": "number"}
_OF_ANSIBLE = "_ansible_"
"""What begins the arguments that Ansible adds to those of a task."""
_NONE_WHERE_EMPTY = ("priority", "ttl")
_SPEC_OF_RECORDS = {"records": {"type": "list", "elements": "dict", "options": RECORDS}}


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


def variables_of(spec: Spec) -> Iterator[tuple[str, str]]:
    """The options that a variable of the environment can set, and its name."""
    for option, rules in spec.items():
        for variable in rules.get("fallback", (None, ()))[1]:
            yield option, variable


def validated_records(rows: list[Any], zone: str) -> list[dict[str, Any]]:
    """Entries of *zone* inside an option, as AnsibleModule makes them of what the task has. Raises InvalidOptions."""
    given = with_whole_values({"records": rows})
    if reasons := reasons_against(_SPEC_OF_RECORDS, given, partial(zone_against, zone)):
        raise InvalidOptions("; ".join(reasons))
    return _as_specified(given["records"])


def zone_against(zone: Any, rows: Mapping[int, Any]) -> Mapping[int, str]:
    """What the zone has against entries, as far as it can be told of a task whose other entries no module takes."""
    if DNSPYTHON_MISSING or not isinstance(zone, str):
        return {}
    try:
        return lines_against(zone_name(zone), dict(zip(rows, _as_specified([*rows.values()]), strict=True)))
    except InvalidName:
        return {}


def _as_specified(rows: list[Any]) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = (
        ArgumentSpecValidator(_SPEC_OF_RECORDS).validate({"records": rows}).validated_parameters["records"]
    )
    return entries


def reasons_against(
    spec: Spec, arguments: Mapping[str, Any], of_records: AgainstRecords = lambda _rows: {}
) -> list[str]:
    """What is wrong with the arguments of a task, a clause each.

    Where there is anything, *of_records* says what is wrong with the other entries of ``records``: all in one message.
    """
    given = {name: value for name, value in arguments.items() if not name.startswith(_OF_ANSIBLE)}
    refused: list[str] = ArgumentSpecValidator({**spec}).validate(given).error_messages
    against = partial(_against, asks_ansible=bool(refused))
    reasons = [*_missing(spec, given), *_of_record(spec, given, [*against(spec, given, "option")])]
    if "state_url" in spec and given.get("state_dir") and (given.get("state_url") or os.environ.get(STATE_URL)):
        other = "state_url" if given.get("state_url") else f"the environment variable {STATE_URL}"
        reasons.append(f"state_dir and {other} are given, and the log is kept in one place: leave one of them out")
    lists = {option: given[option] for option, rules in spec.items() if _is_list_of_entries(rules, given.get(option))}
    told: dict[str, dict[int, list[str]]] = {}
    for option, rows in lists.items():
        look = partial(_against_row, spec=spec[option]["options"], against=against)
        told[option] = {at: [*look(f"{option}[{at}]", row)] for at, row in enumerate(rows)}
    if not (reasons or any(lines for of_option in told.values() for lines in of_option.values())):
        return refused
    if "records" in told:
        good = {at: row for at, row in enumerate(lists["records"]) if isinstance(row, dict) and not told["records"][at]}
        told["records"].update({at: [line] for at, line in of_records(good).items()})
    return reasons + [_in_one(lists[option], lines) for option, lines in told.items() if any(lines.values())]


def _is_list_of_entries(rules: Mapping[str, Any], value: Any) -> bool:
    return "options" in rules and isinstance(value, list)


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
    if arguments.get(IN_PLACE_OF_SERVICE) is not None:
        return
    if _is_blank(arguments.get("base_url")):
        yield "base_url is empty: set it, or ZONESMITH_BASE_URL"
    of_needed = {option: variable for option, variable in variables_of(spec) if option in NEEDED}
    lacking = {
        option: variable
        for option, variable in of_needed.items()
        if arguments.get(option) is None and not os.environ.get(variable)
    }
    if lacking:
        unset = [f"{name}{', which is empty,' if name in os.environ else ''}" for name in lacking.values()]
        verb, pronoun = ("is", "it") if len(lacking) == 1 else ("are", "them")
        yield (
            f"{' and '.join(lacking)} {verb} missing: set {pronoun} in the task or in module_defaults, or "
            f"{' and '.join(unset)} in the environment of ansible-playbook"
        )


Against = Callable[[Spec, Mapping[str, Any], str], Iterator[str]]


def _against(spec: Spec, row: Mapping[str, Any], called: str, *, asks_ansible: bool) -> Iterator[str]:
    """What is wrong with the options of a task, or with the keys of an entry, by themselves."""
    traps = {name: reasons for name, reasons in _traps(spec, row) if reasons}
    if asks_ansible:
        known = sorted({name for option, rules in spec.items() for name in (option, *rules.get("aliases", ()))})
        unknown = [key for key in row if key not in known]
        for key in map(str, unknown):
            meant = question(OF_OTHERS.get(key, key), known) or _where(key, known, called)
            yield f"there is no {called} {quoted(key)}{meant}"
        yield from _in_ansibles_words(spec, {key: row[key] for key in row if key not in (*unknown, *traps)}, traps)
    for reasons in traps.values():
        yield from reasons


def _where(name: str, known: Sequence[str], called: str) -> str:
    """Where an unknown option is one, or what is known in its place."""
    of_others = [modules for modules, options in OF_MODULES.items() if called == "option" and name in options.split()]
    if of_others:
        return f", which is one of {of_others[0]}"
    return f", but {', '.join(known)}" if len(known) <= MOST_NAMES else ": ansible-doc tells those of the module"


def _in_ansibles_words(spec: Spec, row: Mapping[str, Any], told: Collection[str]) -> list[str]:
    """What Ansible has against a row, but for entries in it, and for the options that are *told* of."""
    plain = {
        option: {name: rule for name, rule in rules.items() if name != "options"}
        for option, rules in spec.items()
        if not (_is_list_of_entries(rules, row.get(option)) or {option, *rules.get("aliases", ())} & {*told})
    }
    of_entries = spec.keys() - plain.keys()
    validation = ArgumentSpecValidator(plain).validate({key: row[key] for key in row if key not in of_entries})
    return list(validation.error_messages)


def _traps(spec: Spec, row: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """What is missing, and what Ansible would take for something else: words that YAML reads, and what is no text."""
    for option, rules in spec.items():
        for name in (option, *rules.get("aliases", ())):
            if row.get(name) is not None:
                yield name, [*_traps_in(name, row[name], rules)]
            elif rules.get("required"):
                yield name, [f"{name} is missing"]


def _traps_in(name: str, value: Any, rules: Mapping[str, Any]) -> Iterator[str]:
    is_list = rules["type"] == "list"
    if rules.get("elements") == "dict" and not (isinstance(value, (list, tuple)) or _may_be_dictionary(value)):
        yield f"{name} is {quoted(value)}, and takes a list of {'zones' if name == 'zones' else 'dictionaries'}"
    takes = _TAKES.get(rules["elements"] if is_list else rules["type"])
    if takes is None or "choices" in rules:  # Ansible itself knows which choice YAML has made a boolean of
        return
    yield from reasons_against_yaml(name, [value] if is_list and isinstance(value, (bool, float)) else value, takes)
    items = (value if _has_parts(value) else ()) if is_list else (value,)
    kinds = dict.fromkeys("a dictionary" if isinstance(item, dict) else "a list" for item in items if _has_parts(item))
    if kinds and takes == "text":
        told = " and ".join(kinds)
        texts = f"has {told} in it, and takes a text or a list of texts" if is_list else f"is {told}, and takes a text"
        yield f"{name} {texts}"


def _has_parts(value: Any) -> bool:
    return isinstance(value, (dict, list, tuple))


def _against_row(place: str, row: Any, spec: Spec, against: Against) -> Iterator[str]:
    """What is wrong with one entry of an option as it was written, a clause each."""
    if not isinstance(row, dict):
        if not _may_be_dictionary(row):
            is_glob = "name" in spec and not spec.get("type", {}).get("required") and isinstance(row, str)
            remedy = f": write - name: {quoted(row)}" if is_glob else ""
            yield f"{place}: it is {quoted(row)}, and an entry is a dictionary{remedy}"
        return
    if reasons := [*against(spec, row, "key")]:
        is_record_set = spec.get("type", {}).get("required", False)
        zone = f" {shortened(printable(str(row['zone'])))}" if "zone" in row else ""
        yield f"{place}{f' {subject(row)}' if is_record_set else zone}: {'; '.join(reasons)}"
    for name, rules in spec.items():
        if _is_list_of_entries(rules, row.get(name)):
            for number, inside in enumerate(row[name]):
                yield from _against_row(f"{place}.{name}[{number}]", inside, rules["options"], against)


def _in_one(rows: Sequence[Any], told: Mapping[int, list[str]]) -> str:
    """What is *told* of the entries of one option, by their places, in one clause."""
    bad = [told[at] for at in sorted(told) if told[at]]
    entries = "entry" if len(rows) == 1 else "entries"
    in_words = ". ".join(line.removesuffix(".") for lines in bad for line in lines)
    return f"{len(bad)} of {len(rows)} {entries} cannot be used: {in_words}"


def _is_name(row: Any) -> bool:
    return isinstance(row, str) and bool(row.strip()) and not _may_be_dictionary(row)


def _may_be_dictionary(value: Any) -> bool:
    """Whether Ansible may read a text as a dictionary."""
    return isinstance(value, str) and ("=" in value or value.startswith("{"))


def _is_blank(value: Any) -> bool:
    return isinstance(value, str) and not value.strip()
