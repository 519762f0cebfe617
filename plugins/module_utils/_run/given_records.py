# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is wrong with the entries of a task and with the options beside them, told with what is wrong as it is written.

Only tasks with lists, and those with something wrong in them, need it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import DNSPYTHON_MISSING, InvalidName, zone_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import (
    printable_name,
    printable_part,
    some_clauses,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import LIMIT_OPTIONS
from ansible_collections.zonesmith.dns.plugins.module_utils._run.arguments import (
    Spec,
    reasons_against,
    with_whole_values,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._run.findings_report import FindingsReport
from ansible_collections.zonesmith.dns.plugins.module_utils._run.given_rows import usable_rows
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import InvalidOptions
from ansible_collections.zonesmith.dns.plugins.module_utils._run.module import RECORDS

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
    from ansible_collections.zonesmith.dns.plugins.module_utils._run.listed import limits_from

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
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.entries import lines_against

    try:
        return lines_against(zone_name(zone), dict(zip(rows, _as_specified(list(rows.values())), strict=True)))
    except (InvalidName, InvalidOptions):
        return {}
