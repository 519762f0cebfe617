# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zones and records for ``dns_zone_info`` and the inventory plugins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .._dns.input_checks import checked_type
from .._dns.names import InvalidName, NameOutsideZone, owner_name
from .._dns.printable import printable
from .._dns.rdata import InvalidRdata
from .._dns.record_set import RecordSet, octal_warning
from .._threads import in_threads
from .answers import ListedZone, ServiceError
from .client import Client, Snapshot

CONNECTIONS = 8


def read_zones(
    client: Client,
    zone: str | None = None,
    *,
    records: bool = False,
    names: Sequence[str] | None = None,
    types: Sequence[str] | None = None,
    matches: Callable[[str], bool] = lambda _name: True,
    more_of: Callable[[str], Callable[[RecordSet], dict[str, Any]]] = lambda _zone: lambda _one: {},
    lacks_soa: Callable[[ListedZone], None] = lambda _zone: None,
    warn: Callable[[str], None] = lambda _warning: None,
) -> list[dict[str, Any]]:
    """One zone, or all by name; with *records*, their record sets.

    *more_of* a canonical zone returns a function for further fields of its sets. *lacks_soa* gets zones whose answer
    lacks its SOA, and perhaps more. *warn* is told of shown names that may be others. Raises ServiceError, InvalidName,
    InvalidRdata, and what the functions raise.
    """
    shown_types = set(map(_type, types)) if records and types is not None else None
    found = [client.listed_zone(zone)] if zone is not None else _all_zones(client)
    listed = sorted((item for item in found if matches(item.name)), key=lambda item: item.name)
    items = [{"name": item.name, "slug": item.slug, "status": item.status} for item in listed]
    if not records:
        return items

    def read(item: ListedZone) -> list[dict[str, Any]]:
        owners = (
            None
            if names is None
            else _owner_names(names, item.canonical, one_zone=zone is not None)
        )
        try:
            snapshot = client.read_listed(item)
            if not snapshot.is_whole:
                lacks_soa(item)
            more = more_of(item.canonical)
            shown = _records(snapshot, owners, shown_types)
            if octal := octal_warning(shown):
                warn(f"Zone {printable(item.name)}: {octal}")
            return [{**one.as_result(), **more(one)} for one in shown]
        except ServiceError as error:
            if zone is not None:
                raise
            raise ServiceError(
                f"cannot read zone {printable(item.name)}: {error}", error.status_code
            ) from error

    return [
        {**item, "records": records}
        for item, records in zip(items, in_threads(read, listed, CONNECTIONS), strict=True)
    ]


def _all_zones(client: Client) -> list[ListedZone]:
    try:
        return client.list_zones()
    except ServiceError as error:
        raise ServiceError(f"cannot list the zones: {error}", error.status_code) from error


def _records(snapshot: Snapshot, names: set[str] | None, types: set[str] | None) -> list[RecordSet]:
    return [
        snapshot.record_sets[key]
        for key in sorted(snapshot.record_sets)
        if (names is None or key.name in names) and (types is None or key.type in types)
    ]


def _type(text: str) -> str:
    try:
        return checked_type(text)
    except InvalidRdata as error:
        raise InvalidRdata(f"{printable(repr(text))} in types cannot be used: {error}") from error


def _owner_names(names: Sequence[str], zone: str, *, one_zone: bool) -> set[str]:
    """With several zones, an absolute name counts only inside its own."""
    if not zone.endswith("."):
        raise InvalidName(
            f"the service lists a zone {printable(repr(zone))}, which is not a zone's name"
        )
    found = set()
    for name in names:
        try:
            found.add(owner_name(name, zone))
        except InvalidName as error:
            if one_zone or not isinstance(error, NameOutsideZone):
                raise InvalidName(
                    f"{printable(repr(name))} in names cannot be used: {error}"
                ) from error
    return found
