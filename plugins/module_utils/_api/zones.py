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
from .._dns.record_set import RecordSet, octal_warnings
from .._threads import in_threads
from .answers import ListedZone, ServiceError
from .client import LACKS_SOA, Client, Snapshot

CONNECTIONS = 8

More = Callable[[RecordSet], dict[str, Any]]
"""Further fields of a set in the result."""


def read_zones(
    client: Client,
    zone: str | None = None,
    *,
    records: bool = False,
    names: Sequence[str] | None = None,
    types: Sequence[str] | None = None,
    matches: Callable[[str], bool] = lambda _name: True,
    more_of: Callable[[str], More] = lambda _zone: lambda _one: {},
    needs_all: bool = False,
    warn: Callable[[str], None] = lambda _warning: None,
) -> list[dict[str, Any]]:
    """One zone, or all by name; with *records*, their record sets.

    *more_of* a canonical zone returns a function for further fields of its sets. An answer
    without SOA may lack more: with *needs_all* it is refused, otherwise *warn* is told of it, as of shown names that may
    be others. Raises ServiceError, InvalidName, InvalidRdata, and what the functions raise.
    """
    shown_types = None
    if records and types is not None:
        shown_types = {_type(text) for text in types}
    found = _all_zones(client) if zone is None else [client.listed_zone(zone)]
    listed = [item for item in found if matches(item.name)]
    listed.sort(key=lambda item: item.name)

    def read(item: ListedZone) -> dict[str, Any]:
        shown = {"name": item.name, "slug": item.slug, "status": item.status}
        if not records:
            return shown
        owners = None
        if names is not None:
            owners = _owner_names(names, item.canonical, one_zone=zone is not None)
        try:
            snapshot = client.read_listed(item)
            if needs_all and not snapshot.is_whole:
                raise ServiceError(LACKS_SOA, 200)
        except ServiceError as error:
            if zone is not None:
                raise
            reason = f"cannot read zone {printable(item.name)}: {error}"
            raise ServiceError(reason, error.status_code) from error
        more = more_of(item.canonical)
        sets = _chosen(snapshot, owners, shown_types)
        lack = () if snapshot.is_whole else (LACKS_SOA,)
        for warning in (*octal_warnings(sets), *lack):
            warn(f"Zone {printable(item.name)}: {warning}")
        return {**shown, "records": [{**one.as_result(), **more(one)} for one in sets]}

    return in_threads(read, listed, CONNECTIONS)


def _all_zones(client: Client) -> list[ListedZone]:
    try:
        return client.list_zones()
    except ServiceError as error:
        raise ServiceError(f"cannot list the zones: {error}", error.status_code) from error


def _chosen(snapshot: Snapshot, names: set[str] | None, types: set[str] | None) -> list[RecordSet]:
    sets = []
    for key, one in sorted(snapshot.record_sets.items()):
        if (names is None or key.name in names) and (types is None or key.type in types):
            sets.append(one)
    return sets


def _type(text: str) -> str:
    try:
        return checked_type(text)
    except InvalidRdata as error:
        raise InvalidRdata(f"{printable(repr(text))} in types cannot be used: {error}") from error


def _owner_names(names: Sequence[str], zone: str, *, one_zone: bool) -> set[str]:
    """With several zones, an absolute name counts only inside its own."""
    found = set()
    for name in names:
        try:
            found.add(owner_name(name, zone))
        except InvalidName as error:
            if one_zone or not isinstance(error, NameOutsideZone):
                shown = printable(repr(name))
                raise InvalidName(f"{shown} in names cannot be used: {error}") from error
    return found
