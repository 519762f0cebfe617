# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the entries of a list say together to the record sets they want: all reasons of all entries at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    NO_CONTENT_TO_REMOVE,
    Key,
    is_owned_by_service,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.checks import SINGLE_VALUED, cname_alone
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.entries import (
    InvalidEntries,
    InvalidEntry,
    reasons_against_presence,
    subject,
    wanted_record_set,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import UNLIMITED, Limits
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted

OUTSIDE = "only does not match it, and the task is about nothing else"


def place_in_list(index: int) -> str:
    """What an error calls the place of an entry in the option ``records``."""
    return f"records[{index}]"


def wanted_record_sets(
    zone: str,
    entries: Sequence[Mapping[str, Any]],
    default_ttl: int | None,
    limits: Limits,
    place: Callable[[int], str] = place_in_list,
) -> list[Wanted]:
    """What the entries of ``dns_records`` or of a zone file want of *zone* (canonical), one a record set.

    *default_ttl* is in seconds, for sets whose entries have none; *limits* tell which sets the task leaves alone;
    *place* is what people know an entry by. Raises InvalidEntries with what is wrong in any of them.
    """
    reasons: dict[int, list[str]] = {}
    wanted: dict[Key, Wanted] = {}
    places: dict[Key, list[int]] = {}  # first one that wants something there
    for index, entry in enumerate(entries):
        try:
            row = _row(zone, entry)
        except InvalidEntry as error:
            reasons[index] = error.reasons
            continue
        against = ["ignore matches it, so it would stay untouched"] if limits.ignores_wanted(row, zone) else []
        key = row.key
        earlier = wanted.setdefault(key, row)
        known = places.setdefault(key, [])
        if earlier is not row:
            against += _reasons_against_merging(earlier, row, place(known[0]))
            wanted[key] = _merged(earlier, row)
        known.insert(0 if row.values and not earlier.values else len(known), index)
        if against:
            reasons[index] = against
    for one in wanted.values():
        if not limits.is_about_wanted(one, zone):
            for index in places[one.key]:
                reasons.setdefault(index, []).append(OUTSIDE)
    for problem in cname_alone(_at_cnames(wanted.values())):
        others = ", ".join(place(places[key][0]) for key in problem.beside)
        reasons.setdefault(places[problem.key][0], []).append(f"{problem.of_entry} (see {others})")
    if reasons:
        raise InvalidEntries(reasons, entries, place)
    if default_ttl is not None:
        return [
            replace(one, ttl=default_ttl) if one.ttl is None and not is_owned_by_service(*key, zone) else one
            for key, one in wanted.items()
        ]
    return list(wanted.values())


def lines_against(zone: str, entries: Mapping[int, Mapping[str, Any]]) -> dict[int, str]:
    """What *zone* (canonical) has against some entries of a task, a line each; keys are their places in the list."""
    places = list(entries)
    try:
        wanted_record_sets(zone, list(entries.values()), None, UNLIMITED, lambda index: place_in_list(places[index]))
    except InvalidEntries as error:
        return {places[index]: line for index, line in error.lines.items()}
    return {}


def _row(zone: str, entry: Mapping[str, Any]) -> Wanted:
    """What one entry wants: of a whole set, or of its values alone with ``replaces`` or where it is not ``exclusive``.

    An absent one is of no values, and its TTL does not matter.
    """
    if "state" not in entry:  # as ``read_zone_file`` makes them
        return _row_of_file(zone, entry)
    is_of_values = bool(entry.get("replaces")) or entry.get("exclusive") is False
    if entry["state"] == "absent":
        reasons = [NO_CONTENT_TO_REMOVE] if any(entry.get("content") or ()) else []
        if is_of_values:
            given = [option for option in ("exclusive", "replaces") if entry.get(option) not in (None, True, [])]
            say, them = ("says", "it") if len(given) == 1 else ("say", "them")
            reasons.append(f"absent removes the whole set, whatever {' and '.join(given)} {say}: leave {them} out")
        if reasons:
            raise InvalidEntry(subject(entry), reasons)
        return wanted_record_set(zone, {key: entry[key] for key in ("name", "type", "state")})
    return wanted_record_set(zone, {**entry, "exclusive": not is_of_values})


def _merged(earlier: Wanted, row: Wanted) -> Wanted:
    """Two rows for one set as one; one that is of its values alone leaves it to the other what becomes of the rest."""
    return replace(
        earlier,
        values=earlier.values + tuple(value for value in row.values if value not in earlier.values),
        keeps_others=earlier.keeps_others and row.keeps_others,
        ttl=row.ttl if earlier.ttl is None else earlier.ttl,
        replaces=tuple(dict.fromkeys(earlier.replaces + row.replaces)),
        undotted=earlier.undotted + row.undotted,
    )


def _row_of_file(zone: str, entry: Mapping[str, Any]) -> Wanted:
    """The same where name, type and values are canonical, and the TTL is one."""
    one = Wanted(entry["name"], entry["type"], values=tuple(entry["content"]), ttl=entry["ttl"])
    if reasons := reasons_against_presence(zone, one.name, one.type, one.values, entry):
        raise InvalidEntry(subject(entry), reasons)
    return one


def _reasons_against_merging(earlier: Wanted, row: Wanted, place: str) -> list[str]:
    reasons = []
    if bool(earlier.values) != bool(row.values):
        reasons.append(f"it is both present and absent (see {place})")
    if None not in (earlier.ttl, row.ttl) and earlier.ttl != row.ttl:
        reasons.append(f"ttl is {row.ttl}, and {earlier.ttl} in {place}, and a set has one TTL")
    reasons += [f"{value} is listed twice (see {place})" for value in row.values if value in earlier.values]
    if row.type in SINGLE_VALUED and row.values and earlier.values and row.values != earlier.values:
        reasons.append(f"a {row.type} holds one value (see {place})")
    return reasons


def _at_cnames(wanted: Collection[Wanted]) -> dict[str, dict[str, tuple[str, ...]]]:
    """The values of the sets at each name with a CNAME, by type: of most names of a large zone nobody has to ask."""
    found: dict[str, dict[str, tuple[str, ...]]] = {one.name: {} for one in wanted if one.type == "CNAME"}
    for one in wanted:
        if one.values and one.name in found:
            found[one.name][one.type] = one.values
    return found
