# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Take the changes of a task back, as entries of ``dns_records`` or ``dns_zones``. Pure.

* A created set goes. Any other gets its old values and TTL back.
* If several results name a set, the state before the first counts.
* What was recovered for an interrupted run stays: this task had not removed it.
* What a failed task left unfinished is restored too: the next run may complete it first.
* In a report, tasks in check mode do not count.
* Results without changes (skipped, refused, failed before writing) give no entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import lacks_preference, same
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key

Reversal = dict[str, Any]
"""An entry that takes back a change."""

WITHOUT_CHANGES = ("failed", "skipped", "unreachable")


class NoResult(ValueError):
    """Not a writing module's result, or several that one task cannot take back. Says why in one clause."""


def reversal(returned: Any) -> list[Reversal]:
    """The entries that take back what a module *returned*, or all items of a loop.

    For ``dns_zones``, or a JSON report, one for each zone with its ``records``. Raises NoResult.
    """
    try:
        return list(_reversal(list(_results(returned))))
    except RecursionError as error:
        raise NoResult("it is nested too deeply") from error


def _reversal(results: list[Mapping[str, Any]]) -> Iterable[Reversal]:
    if any("zones" in result for result in results):
        return _zones(results)
    zones = sorted({_checked(result["zone"], str, "its zone is no name") for result in results if "zone" in result})
    if len(zones) > 1:
        raise NoResult(f"there are results of the zones {' and '.join(zones)}: take each by itself")
    return _entries(change for result in results for change in _changes(result))


def _results(returned: Any) -> Iterator[Mapping[str, Any]]:
    """All results in a registered variable: one, a loop's, or a list."""
    if isinstance(returned, (list, tuple)):
        for one in returned:
            yield from _results(one)
    elif not isinstance(returned, Mapping):
        raise NoResult("it is no result of a task")
    elif isinstance(returned.get("results"), (list, tuple)):
        yield from _results(returned["results"])
    elif {"changes", "zones"} & returned.keys():
        yield returned
    elif returned.get("timedout"):
        raise NoResult(
            "its task was ended by timeout before it could tell what it had done, and the next task on the zone "
            "completes that: let it, then list what is to be there"
        )
    elif returned and not any(returned.get(word) for word in WITHOUT_CHANGES):
        raise NoResult("it is a result without changes, and so none of a module that writes to a zone")


def _checked(value: Any, kind: type | tuple[type, ...], reason: str) -> Any:
    if not isinstance(value, kind):
        raise NoResult(reason)
    return value


def _zones(results: Iterable[Mapping[str, Any]]) -> Iterator[Reversal]:
    changes: dict[str, list[Any]] = {}
    for result in results:
        of_zones = result.get("zones", [result] if "zone" in result else ())
        for one in _checked(of_zones, (list, tuple), "its zones are no list"):
            if not (isinstance(one, Mapping) and isinstance(one.get("zone"), str)):
                raise NoResult("its zones are none of a module that writes")
            for part in _parts(one):
                changes.setdefault(one["zone"], []).extend(_changes(part))
    for zone, of_zone in changes.items():
        if records := _entries(of_zone):
            yield {"zone": zone, "records": records}


def _parts(zone: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A zone's results: one, or those of a report's tasks."""
    tasks = zone.get("tasks", (zone,))
    if not (isinstance(tasks, (list, tuple)) and all(isinstance(task, Mapping) for task in tasks)):
        raise NoResult("its tasks are none of a report")
    yield from (task for task in tasks if not task.get("check_mode"))


def _changes(result: Mapping[str, Any]) -> Iterator[Any]:
    for field in ("changes", "unfinished"):
        yield from _checked(result.get(field) or (), (list, tuple), "its changes are no list")


def _entries(changes: Iterable[Any]) -> list[Reversal]:
    entries: dict[Key, Reversal] = {}
    for change in changes:
        try:
            key = Key(change["name"], change["type"])
            if not all(isinstance(part, str) for part in key):
                raise TypeError
            entry = _entry(key, change["before"], change["after"])
        except (KeyError, TypeError, AttributeError) as error:
            raise NoResult("its changes are none of a zone") from error
        entries.setdefault(key, entry)
    return list(entries.values())


def _entry(key: Key, before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> Reversal:
    """The set as it was; shown without values, it counts as absent."""
    if not before or not before["contents"]:
        return {"name": key.name, "type": key.type, "state": "absent"}
    if not isinstance(before["contents"], (list, tuple)):
        raise TypeError
    sent = after["contents"] if after else ()
    values = [_with_preference(key.type, value, sent) for value in before["contents"]]
    return {"name": key.name, "type": key.type, "ttl": before["ttl"], "content": list(dict.fromkeys(values))}


def _with_preference(rdtype: str, value: str, sent: Iterable[str]) -> str:
    """The mail host, with the preference that was sent if the service showed none."""
    if not lacks_preference(rdtype, value):
        return value
    return next((other for other in sent if not lacks_preference(rdtype, other) and same(rdtype, value, other)), value)
