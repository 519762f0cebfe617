# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a task lists of a zone: entries of its own, or those of a zone file that was read on the controller."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import InvalidConnection
from ansible_collections.zonesmith.dns.plugins.module_utils._api.under_way import given_concurrency
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.given import given_ttl
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable, printable_part
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import InvalidRdata
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import MAX_TTL
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.entries import desired_record_sets
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import (
    UNLIMITED,
    InvalidLimits,
    Limits,
    limits_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import FILES, InvalidForZone, InvalidOptions
from ansible_collections.zonesmith.dns.plugins.module_utils._run.owner import owner_of
from ansible_collections.zonesmith.dns.plugins.module_utils._run.refusals import all_told

if TYPE_CHECKING:
    from ansible_collections.zonesmith.dns.plugins.module_utils._run.zone_folder import File
    from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import Source, Where
    from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.included import Included

NOT_READ = {"reason": "nobody has read it: use the module in a task of a playbook"}

GUARDS = ("ignore", "protect", "only", "ttl_max", "prune_limit", "change_limit")


def check_ranges(options: Mapping[str, Any]) -> None:
    """Raise InvalidOptions where a number can be none of its option."""
    try:
        if options.get("concurrency") is not None:
            given_concurrency(options["concurrency"])
    except InvalidConnection as error:
        raise InvalidOptions(str(error)) from error
    ttl = _default_ttl(options)
    if ttl is not None and not 0 <= ttl <= MAX_TTL:
        raise InvalidOptions(f"ttl is {ttl}, and can be 0 to {MAX_TTL}")


def limits_from(options: Mapping[str, Any], zones: Iterable[str], own: Collection[str] = GUARDS) -> Limits:
    """How far the options let a task go in *zones* (canonical), as ``limits_of`` has it. Raises InvalidForZone."""
    try:
        return limits_of(options, zones, own)
    except InvalidLimits as error:
        raise InvalidForZone(str(error)) from error


def limits_and_sets(
    options: Mapping[str, Any],
    zone: str,
    warnings: list[str],
    *checks: Callable[[], object],
    prepare: Callable[[], None] = lambda: None,
    own: Collection[str] = GUARDS,
) -> tuple[Limits, list[Desired]]:
    """What ``limits_from`` and ``listed_sets`` make of the options of a *zone* (canonical), once all *checks* pass.

    The sets are looked at after *prepare*, which may refuse too.
    Raises what these do, all at once.
    """
    limits, wanted = UNLIMITED, list[Desired]()

    def limit() -> None:
        nonlocal limits
        limits = limits_from(options, [zone], own)

    def look() -> None:
        prepare()
        wanted.extend(listed_sets(options, zone, limits, warnings))

    all_told(partial(check_ranges, options), limit, partial(owner_of, options), *checks, look)
    return limits, wanted


def unusable(src: str, reason: str) -> InvalidForZone:
    """The error for a file or folder *src*; *reason* tells what is wrong with it."""
    return InvalidForZone(f"src {src} cannot be used, {reason}" if src else "src is empty")


def _default_ttl(options: Mapping[str, Any]) -> int | None:
    try:
        return given_ttl(options.get("ttl"))
    except InvalidRdata as error:
        raise InvalidOptions(str(error)) from error


def listed_sets(options: Mapping[str, Any], zone: str, limits: Limits, warnings: list[str]) -> list[Desired]:
    """The sets of *zone* (canonical) that ``records`` lists, or the file ``src``; *warnings* gets doubts about a line.

    Those of a file that the service owns are among them, to be compared.

    Raises InvalidForZone, InvalidEntries, InvalidZoneFile.
    """
    src, records, ttl = options["src"], options["records"], _default_ttl(options)
    if (src is None) == (records is None):
        problem = "neither is given" if src is None else "both are given"
        raise InvalidForZone(f"either records or src is needed, and {problem}")
    if src is None:
        return desired_record_sets(zone, records, ttl, limits)
    found = (options[FILES] or {}).get(src, NOT_READ)
    if reason := found.get("reason"):
        raise unusable(src, f"{reason}{found.get('hint', '')}")
    from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_file import read_zone_parts

    begins: list[Where] = []
    owned: dict[tuple[str, str], list[str]] = {}
    place = printable(src)
    parts, included = _sources(found, place, zone)
    entries = read_zone_parts(
        parts, zone, warnings, place=place, included=included, default_ttl=ttl, begins=begins, owned=owned
    )
    compared = [Desired(*key, values=tuple(values), is_of_file=True) for key, values in owned.items()]
    return compared + desired_record_sets(zone, entries, None, limits, lambda at: str(begins[at]))


def _sources(found: File, place: str, zone: str) -> tuple[list[Source], Included | None]:
    """The texts of what errors call *place*, and where it is a folder, what they may include."""
    from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import Source
    from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.included import Included

    if "parts" not in found:
        return [Source(place, found["text"])], None
    folder = place.rstrip("/")
    parts = [Source(f"{folder}/{printable_part(name)}", text) for name, text in found["parts"].items()]
    return parts, Included(zone, folder, found["included"])
