# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zones as filters get them: a zone file's text, entries, or a result of dns_zone_info."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from ansible.errors import AnsibleFilterError
from ansible.utils.display import Display

from ..module_utils._dns.names import DNSPYTHON_MISSING, InvalidName, zone_name
from ..module_utils._dns.option_table import checked_ttl
from ..module_utils._dns.printable import printable, printable_name
from ..module_utils._dns.rdata import InvalidRdata
from ..module_utils._dns.record_set import MAX_TTL, Key, RecordSet
from ..module_utils._dns.records import InvalidRecord, record_sets
from ..module_utils._python import pip_command
from ..module_utils._zonefile.file_text import InvalidZoneFile, Source
from ..module_utils._zonefile.zone_file import ParsedZone, read_zone_parts

THE_FILE = "the zone file"


def canonical_zone(plugin: str, zone: Any) -> str:
    """Raises AnsibleFilterError, also without dnspython."""
    if DNSPYTHON_MISSING:
        raise AnsibleFilterError(
            f"{plugin} needs the Python library dnspython >= 2.6.1 on the controller: "
            f"{pip_command()}"
        )
    if not isinstance(zone, str):
        raise AnsibleFilterError(f"{plugin} takes the name of the zone")
    try:
        return zone_name(zone)
    except InvalidName as error:
        raise filter_error(zone, error) from None


def filter_error(zone: str, reason: object) -> AnsibleFilterError:
    return AnsibleFilterError(_sentence(zone, reason))


def warn(zone: str, *warnings: str) -> None:
    for warning in warnings:
        Display().warning(_sentence(zone, warning))


def _sentence(zone: str, reason: object) -> str:
    name = printable_name(zone.strip().rstrip("."))
    return printable(f"Zone {name}: {reason}")


def ttl_option(plugin: str, ttl: Any) -> int | None:
    """In seconds. Raises AnsibleFilterError."""
    with suppress(InvalidRdata):
        return checked_ttl(ttl)
    raise AnsibleFilterError(
        f"{plugin} takes ttl as seconds, 0 to {MAX_TTL}, or the form of zone files, such as 5m or "
        "1h30m"
    )


def parsed_file(text: str, zone: str, ttl: int | None = None) -> ParsedZone:
    """The contents of a zone file, after its warnings. Raises AnsibleFilterError.

    *ttl* (seconds) acts as an initial ``$TTL``.
    """
    warnings: list[str] = []
    try:
        parsed = read_zone_parts(
            [Source(THE_FILE, text)], zone, warnings, place=THE_FILE, default_ttl=ttl
        )
    except InvalidZoneFile as error:
        raise filter_error(zone, error) from None
    warn(zone, *warnings)
    return parsed


def is_list(value: Any) -> bool:
    """Also Jinja's equivalent."""
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping))


def sets_of(raw: Any, zone: str, ttl: int | None = None) -> dict[Key, RecordSet]:
    """The record sets of a zone in any form. Raises AnsibleFilterError.

    *ttl* (seconds) is the default in a file.
    """
    if isinstance(raw, str):
        raw = parsed_file(raw, zone, ttl).task_records
    try:
        if isinstance(raw, Mapping):
            raw = _records_of_zone(raw, zone)
        if not isinstance(raw, Iterable):
            raise InvalidRecord("a zone is a list of records, or the text of a zone file")
        return record_sets(raw, zone)
    except (InvalidName, InvalidRecord) as error:
        raise filter_error(zone, error) from None


def _records_of_zone(item: Mapping[str, Any], zone: str) -> Iterator[Any]:
    name = zone_of(item)
    if name is not None and zone_name(str(name)) != zone:
        raise InvalidRecord(f"the records are those of {name}")
    if not is_list(item.get("records")):
        raise InvalidRecord(
            "there are no records: when you use dns_zone_info, set zone, or set records to true"
        )
    return iter(item["records"])


def zone_of(item: Mapping[str, Any]) -> Any:
    return item.get("zone", item.get("name"))
