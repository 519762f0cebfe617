# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Take the changes of a task back, as records of ``dns_records`` or ``dns_zones``.

* If several results name a set, the state before the first counts.
* What was recovered for an interrupted run stays: this task had not removed it.
* What a failed task left unfinished is restored too: the next run may complete it first.
* In a report, tasks in check mode do not count.
* Results without changes (skipped, refused, failed before writing) give no records.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from .._dns.dialect import host_alone, with_host
from .._dns.record_set import Key

Reversal = dict[str, Any]

WITHOUT_CHANGES = ("failed", "skipped", "unreachable")
_LISTS = (list, tuple)


class NoResult(ValueError):
    """Not a writing module's result, or several that one task cannot take back. One clause."""


def reversal(returned: Any) -> list[Reversal]:
    """The records for a module's result, or a loop's. Raises NoResult.

    For ``dns_zones``, or a JSON report, one for each zone with its ``records``.
    """
    try:
        results = [*_results(returned)]
        if any("zones" in result for result in results):
            return [*_zones(results)]
        return _records(_changes_of_one_zone(results))
    except RecursionError as error:
        raise NoResult("it is nested too deeply") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise NoResult("its zones or changes are not as a module returns them") from error


def _changes_of_one_zone(results: Iterable[Mapping[str, Any]]) -> list[Any]:
    """Raises NoResult if there are several zones."""
    zones: set[str] = set()
    changes: list[Any] = []
    for result in results:
        if "zone" in result:
            zones.add(_checked(str, result["zone"]))
        changes += _changes(result)
    if len(zones) > 1:
        names = " and ".join(sorted(zones))
        raise NoResult(f"the results are of several zones, {names}: use each one separately")
    return changes


def _results(returned: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(returned, _LISTS):
        for one in returned:
            yield from _results(one)
    elif not isinstance(returned, Mapping):
        raise NoResult("it is not the result of a task")
    elif isinstance(returned.get("results"), _LISTS):
        yield from _results(returned["results"])
    elif {"changes", "zones"} & returned.keys():
        yield returned
    elif returned.get("timedout"):
        raise NoResult(
            "its task was ended by timeout before it could report its changes: run a task on the "
            "zone to complete them, then list the values that you want"
        )
    elif returned and not any(returned.get(word) for word in WITHOUT_CHANGES):
        raise NoResult("it does not list changes")


def _checked(kind: type | tuple[type, ...], value: Any) -> Any:
    if not isinstance(value, kind):
        raise TypeError(value)
    return value


def _zones(results: Iterable[Mapping[str, Any]]) -> Iterator[Reversal]:
    changes: dict[str, list[Any]] = {}
    for zone, task in _tasks(results):
        of_zone = changes.setdefault(zone, [])
        of_zone.extend(_changes(task))
    for zone, of_zone in changes.items():
        records = _records(of_zone)
        if records:
            yield {"zone": zone, "records": records}


def _tasks(results: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What changed zones, with their names: a result for each, or in a report, several tasks."""
    for result in results:
        own = [result] if "zone" in result else ()
        for one in _checked(_LISTS, result.get("zones", own)):
            for task in _checked(_LISTS, one.get("tasks", (one,))):
                if not task.get("check_mode"):
                    yield _checked(str, one["zone"]), task


def _changes(result: Mapping[str, Any]) -> Iterator[Any]:
    for field in ("changes", "unfinished"):
        yield from _checked(_LISTS, result.get(field) or ())


def _records(changes: Iterable[Any]) -> list[Reversal]:
    records: dict[Key, Reversal] = {}
    for change in changes:
        key = Key(_checked(str, change["name"]), _checked(str, change["type"]))
        records.setdefault(key, _record(key, change["before"], change["after"]))
    return list(records.values())


def _record(
    key: Key, before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
) -> Reversal:
    """The set as it was; shown without values, it counts as absent."""
    if not before or not before["contents"]:
        return {"name": key.name, "type": key.type, "state": "absent"}
    # The service may have shown mail hosts without their preference.
    values: list[str] = []
    for value in _checked(_LISTS, before["contents"]):
        found: Collection[str] = ()
        if after and host_alone(key.type, value):
            found = with_host(value, after["contents"])
        values += found or [value]
    return {"name": key.name, "type": key.type, "ttl": before["ttl"], "content": values}
