# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Turns a task's options into desired sets and limits."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from .._dns.names import InvalidInput
from .._dns.option_table import checked_ttl
from .._dns.printable import printable
from .._files.zone_parts import sources
from .._owners.owner import owner_of
from .._plan.desired import Desired
from .._plan.limits import LIMIT_OPTIONS, Limits, limits_of
from .._plan.records import desired_record_sets
from .findings_report import ignored_findings
from .options import FILES, check_ranges

NOT_READ = {"reason": "its content did not arrive: use the module in a task of a playbook"}


def check_options(
    options: Mapping[str, Any], zones: Collection[str], own: Collection[str] = ()
) -> Limits:
    """Return the limits of the *zones* (canonical), whose *own* options are checked. Raises InvalidInput."""
    check_ranges(options)
    limits = limits_of(options, zones, own)
    owner_of(options)
    ignored_findings(options)
    return limits


def limits_and_sets(
    options: Mapping[str, Any],
    zone: str,
    warnings: list[str],
    own: Collection[str] = tuple(LIMIT_OPTIONS),
) -> tuple[Limits, list[Desired]]:
    """Return limits and desired sets of a *zone* (canonical) after all checks. Raises InvalidInput.

    Of the limits, the zone's *own* options are checked.
    """
    limits = check_options(options, [zone], own)
    return limits, listed_sets(options, zone, limits, warnings)


def unusable(src: str, reason: str) -> InvalidInput:
    """Return the error for an unusable *src*."""
    return InvalidInput(f"src {src} cannot be used: {reason}")


def listed_sets(
    options: Mapping[str, Any], zone: str, limits: Limits, warnings: list[str]
) -> list[Desired]:
    """Return the sets in ``records`` or the file ``src``; *warnings* gets doubts about its lines.

    Sets that the service owns are included for comparison. Raises InvalidInput, RecordsRefused, InvalidZoneFile.
    """
    src = options["src"]
    records = options["records"]
    ttl = checked_ttl(options.get("ttl"))
    if (src is None) == (records is None):
        found = "neither is" if src is None else "both are"
        raise InvalidInput(f"set either records or src, but {found} given")
    if src is None:
        return desired_record_sets(zone, records, ttl, limits)
    files = options[FILES] or {}
    return _sets_of_file(src, files.get(src, NOT_READ), zone, ttl, limits, warnings)


def _sets_of_file(
    src: str,
    file: dict[str, Any],
    zone: str,
    default_ttl: int | None,
    limits: Limits,
    warnings: list[str],
) -> list[Desired]:
    """Return the sets in a *file* of the action. Raises InvalidInput, RecordsRefused, InvalidZoneFile."""
    if "reason" in file:
        raise unusable(src, f"{file['reason']}{file.get('hint', '')}")
    from .._zonefile.zone_file import read_zone_parts

    place = printable(src)
    parts, included = sources(file, place)
    parsed = read_zone_parts(
        parts, zone, warnings, place=place, included=included, default_ttl=default_ttl
    )
    compared = []
    for key, one in parsed.owned.items():
        compared.append(Desired(*key, tuple(one.values), is_of_file=True))
    desired = []
    begins = []
    for key, one in parsed.sets.items():
        desired.append(Desired(*key, tuple(one.values), ttl=one.ttl))
        begins.append(str(one.first.where))
    return compared + desired_record_sets(zone, desired, None, limits, begins.__getitem__)
