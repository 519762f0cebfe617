# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The limits of a task, from its options: only tasks for whole zones have them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.given import slip_in
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import InvalidRdata
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import ALL, GLOBS, LIMIT_OPTIONS, Limits

if TYPE_CHECKING:
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import Glob


class InvalidLimits(ValueError):
    """Options of a task on a zone that cannot be used; says all that is wrong in one sentence."""


def limits_of(options: Mapping[str, Any], zones: Iterable[str], own: Collection[str] = tuple(LIMIT_OPTIONS)) -> Limits:
    """The limits that options set for the *zones* (canonical) that they are for. Raises InvalidLimits.

    An option that is missing, or none, has the default of LIMIT_OPTIONS. Those that are the zones' *own* have to be as
    they should; a glob of them has to be one for some of the zones.
    """
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import can_match, globs_of, is_no_name

    given = {
        name: rules["default"] if options.get(name) is None else options[name] for name, rules in LIMIT_OPTIONS.items()
    }
    reasons = [
        f"{name} is {given[name]}, and can be 0 to {ALL}"
        for name in ("prune_limit", "change_limit")
        if name in own and not 0 <= given[name] <= ALL
    ]
    globs: dict[str, tuple[Glob, ...]] = {name: globs_of(given[name]) for name in GLOBS}
    names = list(zones)
    where = f"in the zone {names[0]}" if len(names) == 1 else "in any of the zones"
    for option, of_option in globs.items():
        if option not in own:
            continue
        if elsewhere := [glob.name for glob in of_option if not any(can_match(glob, zone) for zone in names)]:
            told = printable(" and ".join(map(repr, elsewhere)))
            reasons.append(f"{option} names {told}, which can match nothing {where}")
        if none := [glob.name for glob in of_option if names and all(is_no_name(glob, zone) for zone in names)]:
            told = printable(" and ".join(map(repr, none)))
            reasons.append(f"{option} names {told}, which is no name that a zone can hold, and no glob that meets one")
        for glob in of_option:
            if "," in glob.type or " " in glob.type:
                told = printable(repr(glob.type))
                reasons.append(f"{option} has {told} for a type, and nothing is of it: write an entry for each type")
            elif slip := slip_in(glob.type):
                reasons.append(f"{option} cannot be used, {slip}")
    if given["ttl_max"]:
        from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ttl_max import ttl_maxima

        try:
            globs["ttl_max"] = ttl_maxima(given["ttl_max"])
        except InvalidRdata as error:
            reasons.append(f"ttl_max cannot be used, {error}")
    if reasons:
        raise InvalidLimits("; ".join(reasons))
    return Limits(**{**given, **globs})
