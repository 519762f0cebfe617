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
from .._dns.option_table import checked_ttl, reason_against_number, takes
from .._dns.printable import as_written, printable, printable_name, quoted, shortened
from .._dns.rdata import InvalidRdata
from .._dns.record_set import CNAME_AT_APEX, NO_CONTENT_TO_REMOVE, Key
from .desired import EVERY_TYPE, SINGLE_VALUED, Desired, beside_cnames
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
    present = record["state"] == "present"
    reasons: list[str] = []
    name = _name(zone, record, checked_name if present else owner_name, reasons)
    key = Key(name, _type(record, reasons))
    reasons += _reasons_against_service_owned(zone, key, record)
    values: tuple[str, ...] = ()
    if key.type:
        values = _canonical_values(zone, key.type, record, present, reasons)
    ttl = None
    if present:
        ttl = _ttl(record, reasons)
        if not record.get("content"):
            reasons.append("content is required, and cannot be empty, when state is present")
        reasons += _reasons_against_presence(zone, key, values)
    elif record.get("content") == []:
        reasons.append(f"content is empty: {takes('content').instead}")
    reasons += _reasons_against_others(record)
    if reasons:
        raise RecordRefused(record, reasons)
    if not present:
        return Desired(*key, unwanted=values, keeps_others=bool(values))
    replaces = record.get("replaces") or ()
    hosts = [undotted_host(key.type, text, zone) for text in record["content"]]
    return Desired(
        *key,
        values,
        keeps_others=not record.get("exclusive"),
        ttl=ttl,
        replaces=tuple(replaces),
        undotted=tuple(filter(None, hosts)),
    )


def _reasons_against_service_owned(zone: str, key: Key, record: Mapping[str, Any]) -> Iterator[str]:
    if not key.is_owned_by_service(zone):
        return
    if key.name not in ("", zone):
        yield (
            "only the apex of a zone has an SOA: at another name, it belongs to a zone of that name"
        )
    elif record["state"] != "present" or record.get("replaces"):
        what = "SOA" if key.type == "SOA" else "NS at the apex"
        yield f"{what} belongs to the service and is never written"


def desired_of_name(zone: str, record: Mapping[str, Any]) -> Desired:
    """The same, or all types with EVERY_TYPE. Raises RecordRefused."""
    rdtype = str(record["type"]).strip()
    if rdtype != EVERY_TYPE or record["state"] != "absent":
        return desired_record_set(zone, record)
    reasons: list[str] = []
    name = _name(zone, record, owner_name, reasons)
    for option in ("content", "priority"):
        if record.get(option) is not None:
            reasons.append(f"{option} is for a set of one type: leave it out, or set type")
    reasons += _reasons_against_others(record)
    if reasons:
        raise RecordRefused(record, reasons)
    return Desired(name, EVERY_TYPE)


def subject(record: Record) -> str:
    """A record as errors call it: name, type, comment."""
    if isinstance(record, Desired):
        record = record.key._asdict()
    name, rdtype = record.get("name"), record.get("type")
    parts = ["@" if name is None else name]
    if rdtype is not None:
        parts.append(rdtype)
    named = " ".join(printable_name(as_written(part)) for part in parts)
    if record.get("comment"):
        comment = shortened(str(record["comment"]))
        named = f"{named} ({comment})"
    return printable(named)


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
        why = str(error)
        if record["type"].strip() == EVERY_TYPE:
            why = "only dns_record takes it, with state absent"
        reasons.append(f"type {quoted(record['type'])} cannot be used: {why}")
        return ""


def _canonical_values(
    zone: str, rdtype: str, record: Mapping[str, Any], is_new: bool, reasons: list[str]
) -> tuple[str, ...]:
    priority = record.get("priority")
    if priority is not None and rdtype != "MX":
        reasons.append("priority is for MX only")
    out_of_range = reason_against_number("priority", priority)
    if out_of_range:
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
    return tuple(values)


def _ttl(record: Mapping[str, Any], reasons: list[str]) -> int | None:
    try:
        return checked_ttl(record.get("ttl"))
    except InvalidRdata as error:
        reasons.append(str(error))
        return None


def _reasons_against_presence(zone: str, key: Key, values: tuple[str, ...]) -> Iterator[str]:
    if any(host_alone(key.type, value) for value in values):
        yield (
            "an MX value needs a preference: set priority, or write it as in '10 mail.example.com.'"
        )
    if key == (zone, "CNAME"):
        yield CNAME_AT_APEX
    if len(values) > 1 and key.type in SINGLE_VALUED:
        yield f"a {key.type} holds one value"


def _reasons_against_others(record: Mapping[str, Any]) -> Iterator[str]:
    present = record["state"] == "present"
    exclusive = record.get("exclusive")
    if exclusive and not present:
        yield "exclusive works only with state present: leave it out"
    if not record.get("replaces"):
        return
    if not present:
        yield (
            "replaces works only with state present: leave it out, or list the values to remove in "
            "content"
        )
    if exclusive:
        yield "exclusive removes all other values, replaces only some: leave one of the two out"
    for glob in record["replaces"]:
        reason = reason_against_template(glob)
        if reason:
            yield f"replaces has {quoted(glob)}, {reason}"


class RecordsRefused(InvalidInput):
    """All invalid records of a task; *reasons* has a line for each."""

    def __init__(
        self, reasons: dict[int, list[str]], records: Sequence[Record], place: Callable[[int], str]
    ):
        self.reasons = []
        for index in sorted(reasons):
            record = subject(records[index])
            self.reasons.append(f"{place(index)} {record}: {'; '.join(reasons[index])}")
        entries = "entry" if len(records) == 1 else "entries"
        listed = ". ".join(reason.removesuffix(".") for reason in self.reasons)
        super().__init__(f"{len(reasons)} of {len(records)} {entries} cannot be used: {listed}")


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
    reading = _Reading(zone, limits, place)
    for index, record in enumerate(records):
        reading.read(index, record)
    reading.look_over()
    if reading.reasons:
        raise RecordsRefused(reading.reasons, records, place)
    desired = []
    for key, one in reading.desired.items():
        if default_ttl is not None and one.ttl is None and not key.is_owned_by_service(zone):
            one = replace(one, ttl=default_ttl)
        desired.append(one)
    return desired


class _Reading:
    """The records of a task as they are read, with all that is wrong with them.

    *places* are the indexes of a set's records.
    """

    def __init__(self, zone: str, limits: Limits, place: Callable[[int], str]):
        self._zone = zone
        self._limits = limits
        self._place = place
        self.reasons: dict[int, list[str]] = {}
        self.desired: dict[Key, Desired] = {}
        self.places: dict[Key, list[int]] = {}

    def read(self, index: int, record: Record) -> None:
        try:
            row = _row(self._zone, record)
        except RecordRefused as error:
            self.reasons[index] = error.reasons
            return
        key = row.key
        if self._limits.ignore and self._limits.ignores(row.as_held, self._zone):
            self._refuse(index, "ignore matches it, so the task cannot change it")
        places = self.places.setdefault(key, [])
        if places:
            earlier = self.desired[key]
            for reason in _reasons_against_merging(earlier, row, self._place(places[0])):
                self._refuse(index, reason)
            row = _merged(earlier, row)
        places.append(index)
        self.desired[key] = row

    def _refuse(self, index: int, reason: str) -> None:
        self.reasons.setdefault(index, []).append(reason)

    def look_over(self) -> None:
        """Find what is wrong with the sets that the records make together."""
        for key, one in self.desired.items():
            if not self._limits.is_about_desired(one, self._zone):
                for index in self.places[key]:
                    self._refuse(index, OUTSIDE)
        for name, types in beside_cnames(self.desired.values()):
            firsts = [self._place(self.places[Key(name, rdtype)][0]) for rdtype in types]
            self._refuse(
                self.places[Key(name, "CNAME")][0],
                f"a CNAME must be alone at its name, but {' and '.join(types)} is there too "
                f"(see {', '.join(firsts)})",
            )


def _row(zone: str, record: Record) -> Desired:
    """What one record wants: a whole set, or only its values with ``replaces`` or without ``exclusive``."""
    if isinstance(record, Desired):
        if record.type in SINGLE_VALUED:
            reasons = [*_reasons_against_presence(zone, record.key, record.values)]
            if reasons:
                raise RecordRefused(record, reasons)
        return record
    if record["state"] != "absent":
        is_of_values = bool(record.get("replaces")) or record.get("exclusive") is False
        return desired_record_set(zone, {**record, "exclusive": not is_of_values})
    if any(record.get("content") or ()):
        raise RecordRefused(record, [NO_CONTENT_TO_REMOVE])
    if record.get("exclusive") is False:
        reason = "absent removes the whole set, whatever exclusive says: leave it out"
        raise RecordRefused(record, [reason])
    of_set = ("name", "type", "state", "replaces")
    return desired_record_set(zone, {option: record.get(option) for option in of_set})


def _merged(earlier: Desired, row: Desired) -> Desired:
    """Two records as one. Others' values stay if neither lists the whole set."""
    values = dict.fromkeys(earlier.values + row.values)
    replaces = dict.fromkeys(earlier.replaces + row.replaces)
    return replace(
        earlier,
        values=tuple(values),
        keeps_others=earlier.keeps_others and row.keeps_others,
        ttl=row.ttl if earlier.ttl is None else earlier.ttl,
        replaces=tuple(replaces),
        undotted=earlier.undotted + row.undotted,
    )


def _reasons_against_merging(earlier: Desired, row: Desired, place: str) -> Iterator[str]:
    if bool(earlier.values) != bool(row.values):
        yield f"it is both present and absent (see {place})"
    if None not in (earlier.ttl, row.ttl) and earlier.ttl != row.ttl:
        yield f"ttl is {row.ttl}, but {earlier.ttl} in {place}, and a set has one TTL"
    for value in row.values:
        if value in earlier.values:
            yield f"{value} is listed twice (see {place})"
    if row.type in SINGLE_VALUED and row.values and earlier.values and row.values != earlier.values:
        yield f"a {row.type} holds one value (see {place})"
