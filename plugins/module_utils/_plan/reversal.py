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

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

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
            return _zones(results)
        return _records(_changes_of_one_zone(results))
    except RecursionError as error:
        raise NoResult("it is nested too deeply") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise NoResult("its zones or changes are not as a module returns them") from error


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


def _changes_of_one_zone(results: Iterable[Mapping[str, Any]]) -> list[Any]:
    """Raises NoResult if there are several zones."""
    zones: set[str] = set()
    changes: list[Any] = []
    for result in results:
        if "zone" in result:
            zones.add(result["zone"])
        changes += _changes(result)
    if len(zones) > 1:
        names = " and ".join(sorted(zones))
        raise NoResult(f"the results are of several zones, {names}: use each one separately")
    return changes


def _zones(results: Iterable[Mapping[str, Any]]) -> list[Reversal]:
    """What takes each zone back. A report has several tasks of a zone, a module one result."""
    changes: dict[str, list[Any]] = {}
    for result in results:
        for one in result.get("zones", [result]):
            of_zone = changes.setdefault(one["zone"], [])
            for task in one.get("tasks", [one]):
                if not task.get("check_mode"):
                    of_zone += _changes(task)
    found = []
    for zone, of_zone in changes.items():
        records = _records(of_zone)
        if records:
            found.append({"zone": zone, "records": records})
    return found


def _changes(result: Mapping[str, Any]) -> list[Any]:
    return [*(result.get("changes") or ()), *(result.get("unfinished") or ())]


def _records(changes: Iterable[Any]) -> list[Reversal]:
    records: dict[Key, Reversal] = {}
    for change in changes:
        key = Key(change["name"], change["type"])
        records.setdefault(key, _record(key, change["before"]))
    return list(records.values())


def _record(key: Key, before: Mapping[str, Any] | None) -> Reversal:
    """The set as it was; shown without values, it counts as absent."""
    if not before or not before["contents"]:
        return {**key._asdict(), "state": "absent"}
    values = before["contents"]
    if not isinstance(values, _LISTS):
        raise TypeError
    return {**key._asdict(), "ttl": before["ttl"], "content": [*values]}
