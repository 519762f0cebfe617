# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Turn records into desired record sets, with all checks that need no zone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from .._dns.dialect import host_alone
from .._dns.input_checks import (
    checked_name,
    checked_type,
    checked_value,
    reason_against_template,
    undotted_host,
)
from .._dns.names import InvalidInput, InvalidName, owner_name
from .._dns.option_table import checked_ttl, reason_against_number
from .._dns.printable import as_written, printable, printable_name, quoted, shortened
from .._dns.rdata import InvalidRdata
from .._dns.record_set import CNAME_AT_APEX, NO_CONTENT_TO_REMOVE, Key
from .desired import EVERY_TYPE, SINGLE_VALUED, Desired, cname_alone, one_value
from .limits import Limits

Record: TypeAlias = "Mapping[str, Any] | Desired"
"""As in ``dns_records``, or a set of a file, whose name and values are canonical."""


class RecordRefused(InvalidInput):
    """Wrong in any zone. Lists all reasons."""

    def __init__(self, record: Record, reasons: list[str]):
        super().__init__(f"{subject(record)}: {'; '.join(reasons)}")
        self.reasons = reasons


def desired_record_set(zone: str, record: Mapping[str, Any]) -> Desired:
    """What ``dns_record`` wants. Raises RecordRefused.

    To be deleted, a value may be anything that a zone holds.
    """
    reasons: list[str] = []
    present = record["state"] == "present"
    key = Key(
        _name(zone, record, checked_name if present else owner_name, reasons),
        _type(record, reasons),
    )
    is_owned, is_at_apex = key.is_owned_by_service(zone), key.name in ("", zone)
    if is_owned and not is_at_apex:
        reasons.append(
            "only the apex of a zone has an SOA: at another name, it belongs to a zone of that name"
        )
    elif is_owned and (not present or record.get("replaces")):
        what = "SOA" if key.type == "SOA" else "NS at the apex"
        reasons.append(f"{what} belongs to the service and is never written")
    values = _canonical_values(zone, key.type, record, present, reasons) if key.type else ()
    ttl = _ttl(record, reasons) if present else None
    if present:
        reasons += (
            []
            if record.get("content")
            else ["content is required, and cannot be empty, when state is present"]
        )
        reasons += _reasons_against_presence(zone, key, values)
    elif record.get("content") == []:
        reasons.append("content is empty: leave it out to remove the whole set")
    reasons += _reasons_against_others(record)
    if reasons:
        raise RecordRefused(record, reasons)
    if not present:
        return Desired(*key, unwanted=values, keeps_others=bool(values))
    hosts = (undotted_host(key.type, text, zone) for text in record["content"])
    return Desired(
        *key,
        values,
        keeps_others=not record.get("exclusive"),
        ttl=ttl,
        replaces=tuple(record.get("replaces") or ()),
        undotted=tuple(filter(None, hosts)),
        is_absolute=f".{record['name'].lower()}".endswith((".", f".{zone[:-1]}")),
    )


def desired_of_name(zone: str, record: Mapping[str, Any]) -> Desired:
    """The same, or all types with EVERY_TYPE. Raises RecordRefused."""
    if str(record["type"]).strip() != EVERY_TYPE or record["state"] != "absent":
        return desired_record_set(zone, record)
    reasons: list[str] = []
    name = _name(zone, record, owner_name, reasons)
    reasons += [
        f"{option} is for a set of one type: leave it out, or set type"
        for option in ("content", "priority")
        if record.get(option) is not None
    ]
    reasons += _reasons_against_others(record)
    if reasons:
        raise RecordRefused(record, reasons)
    return Desired(name, EVERY_TYPE)


def subject(record: Record) -> str:
    """A record as errors call it: name, type, comment."""
    record = record.key._asdict() if isinstance(record, Desired) else record
    parts = ["@" if record.get("name") is None else record["name"], record.get("type")]
    named = " ".join(printable_name(as_written(part)) for part in parts if part is not None)
    return printable(
        f"{named} ({shortened(str(record['comment']))})" if record.get("comment") else named
    )


def _name(
    zone: str, record: Mapping[str, Any], read: Callable[[str, str], str], reasons: list[str]
) -> str:
    try:
        return read(record["name"], zone)
    except InvalidName as error:
        reasons.append(f"name {quoted(record['name'])} cannot be used: {error}")
        return ""


def _type(record: Mapping[str, Any], reasons: list[str]) -> str:
    try:
        return checked_type(record["type"])
    except InvalidRdata as error:
        why = (
            "only dns_record takes it, with state absent"
            if record["type"].strip() == EVERY_TYPE
            else error
        )
        reasons.append(f"type {quoted(record['type'])} cannot be used: {why}")
        return ""


def _canonical_values(
    zone: str, rdtype: str, record: Mapping[str, Any], is_new: bool, reasons: list[str]
) -> tuple[str, ...]:
    priority = record.get("priority")
    if priority is not None and rdtype != "MX":
        reasons.append("priority is for MX only")
    if out_of_range := reason_against_number("priority", priority):
        reasons.append(out_of_range)
        return ()
    values: list[str] = []
    texts = record.get("content") or ()
    for text in texts:
        try:
            value = checked_value(rdtype, text, zone, priority, is_new=is_new)
        except InvalidRdata as error:
            reasons.append(f"{quoted(text)} is not a value of type {rdtype}: {error}")
            continue
        if value in values:
            reasons.append(f"{quoted(text)} is listed twice")
        values.append(value)
    is_of_no_value = priority is not None and not any(
        value.startswith(f"{priority} ") for value in values
    )
    if is_of_no_value and rdtype == "MX" and values and len(values) == len(texts):
        reasons.append(
            f"priority is {priority}, but every value begins with another preference: leave it out"
        )
    return tuple(values)


def _ttl(record: Mapping[str, Any], reasons: list[str]) -> int | None:
    try:
        return checked_ttl(record.get("ttl"))
    except InvalidRdata as error:
        reasons.append(str(error))
        return None


def _reasons_against_presence(zone: str, key: Key, values: tuple[str, ...]) -> Iterator[str]:
    if any(host_alone(key.type, value) for value in values):
        yield "an MX value needs a preference: set priority, or write it as in '10 mail.example.com.'"
    if key == (zone, "CNAME"):
        yield CNAME_AT_APEX
    if len(values) > 1:
        yield from (problem.of_record for problem in one_value([Desired(*key, values)]))


def _reasons_against_others(record: Mapping[str, Any]) -> Iterator[str]:
    present, exclusive = record["state"] == "present", record.get("exclusive")
    if exclusive and not present:
        yield "exclusive works only with state present: leave it out"
    if not record.get("replaces"):
        return
    if not present:
        yield "replaces works only with state present: leave it out, or list the values to remove in content"
    if exclusive:
        yield "exclusive removes all other values, replaces only some: leave one of the two out"
    for glob in record["replaces"]:
        if reason := reason_against_template(glob):
            yield f"replaces has {quoted(glob)}, {reason}"


class RecordsRefused(InvalidInput):
    """All invalid records of a task; *reasons* has a line for each."""

    def __init__(
        self, reasons: dict[int, list[str]], records: Sequence[Record], place: Callable[[int], str]
    ):
        self.reasons = [
            f"{place(at)} {subject(records[at])}: {'; '.join(reasons[at])}"
            for at in sorted(reasons)
        ]
        count = f"{len(reasons)} of {len(records)} {'entry' if len(records) == 1 else 'entries'}"
        listed = ". ".join(reason.removesuffix(".") for reason in self.reasons)
        super().__init__(f"{count} cannot be used: {listed}")


OUTSIDE = "no entry of only matches it: add one, or take this entry out"


def desired_record_sets(
    zone: str,
    records: Sequence[Record],
    default_ttl: int | None,
    limits: Limits,
    place: Callable[[int], str] = "records[{}]".format,
) -> list[Desired]:
    """What a list or a zone file wants. Raises RecordsRefused.

    *default_ttl* (seconds) is for sets without one. *place* names a record for people.
    """
    reasons: dict[int, list[str]] = {}
    desired: dict[Key, Desired] = {}
    places: dict[Key, tuple[int, ...]] = {}  # a record that lists values comes first
    for index, record in enumerate(records):
        try:
            row = _row(zone, record)
        except RecordRefused as error:
            reasons[index] = error.reasons
            continue
        is_ignored = limits.ignore and limits.ignores(row.as_held, zone)
        against = ["ignore matches it, so the task cannot change it"] if is_ignored else []
        key = row.key
        earlier, known = desired.setdefault(key, row), places.get(key, ())
        if earlier is not row:
            against += _reasons_against_merging(earlier, row, place(known[0]))
            desired[key] = _merged(earlier, row)
        places[key] = (index, *known) if row.values and not earlier.values else (*known, index)
        if against:
            reasons[index] = against
    for key, one in desired.items():
        if not limits.is_about_desired(one, zone):
            for index in places[key]:
                reasons.setdefault(index, []).append(OUTSIDE)
    for problem in cname_alone(desired.values()):
        others = ", ".join(place(places[key][0]) for key in problem.beside)
        reasons.setdefault(places[problem.key][0], []).append(f"{problem.of_record} (see {others})")
    if reasons:
        raise RecordsRefused(reasons, records, place)
    if default_ttl is None:
        return list(desired.values())
    return [
        replace(one, ttl=default_ttl)
        if one.ttl is None and not key.is_owned_by_service(zone)
        else one
        for key, one in desired.items()
    ]


def _row(zone: str, record: Record) -> Desired:
    """What one record wants: a whole set, or only its values with ``replaces`` or without ``exclusive``."""
    if isinstance(record, Desired):
        if record.type in SINGLE_VALUED and (
            reasons := [*_reasons_against_presence(zone, record.key, record.values)]
        ):
            raise RecordRefused(record, reasons)
        return record
    is_of_values = bool(record.get("replaces")) or record.get("exclusive") is False
    if record["state"] == "absent":
        reasons = [NO_CONTENT_TO_REMOVE] if any(record.get("content") or ()) else []
        reasons += [
            f"absent removes the whole set, whatever {option} says: leave it out"
            for option in ("exclusive", "replaces")
            if record.get(option) not in (None, True, [])
        ]
        if reasons:
            raise RecordRefused(record, reasons)
        return desired_record_set(zone, {key: record[key] for key in ("name", "type", "state")})
    return desired_record_set(zone, {**record, "exclusive": not is_of_values})


def _merged(earlier: Desired, row: Desired) -> Desired:
    """Join two records. Others' values stay if neither lists the whole set."""
    return replace(
        earlier,
        values=earlier.values + tuple(value for value in row.values if value not in earlier.values),
        keeps_others=earlier.keeps_others and row.keeps_others,
        ttl=row.ttl if earlier.ttl is None else earlier.ttl,
        replaces=tuple(dict.fromkeys(earlier.replaces + row.replaces)),
        undotted=earlier.undotted + row.undotted,
    )


def _reasons_against_merging(earlier: Desired, row: Desired, place: str) -> Iterator[str]:
    if bool(earlier.values) != bool(row.values):
        yield f"it is both present and absent (see {place})"
    if None not in (earlier.ttl, row.ttl) and earlier.ttl != row.ttl:
        yield f"ttl is {row.ttl}, but {earlier.ttl} in {place}, and a set has one TTL"
    yield from (
        f"{value} is listed twice (see {place})" for value in row.values if value in earlier.values
    )
    if row.type in SINGLE_VALUED and row.values and earlier.values and row.values != earlier.values:
        yield f"a {row.type} holds one value (see {place})"
