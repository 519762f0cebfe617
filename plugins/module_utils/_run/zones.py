# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs a task on many zones. All are checked before any is read, and all planned before any is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import ceil
from typing import Any

from .._api.answers import ServiceError
from .._api.client import ZoneNotFound
from .._apply.outcome import Agenda, ZoneOutcome
from .._dns.printable import SHOWN_CLAUSES, printable_name, some_names
from .._machine import machine
from .._plan.globs import Unmatched, unmatched_warnings
from .._plan.limits import LIMIT_OPTIONS, limits_of
from .._plan.plan import NOTHING
from .._telling import tell
from .._threads import Threads, how_many, in_threads
from .arguments import validated_records
from .desired import limits_and_sets
from .invocation import Invocation
from .options import InvalidOptions
from .plan_file import keep_plan
from .results import UNCHANGED, failure_of, sentence, with_names_of_unchanged
from .task_zones import TaskZone, Unmanaged, count_of, limited, task_zones, unmanaged_zones
from .zone import (
    ZoneTask,
    look_at,
    outcome_without_writing,
    result_of_zone,
    wait,
    write,
)

WAITING = 8
"""Zones whose name servers are queried at once."""

SHOWN_ZONES = 3
"""Most zones named where several share a warning or a reason, and most diffs without totals."""

UNHEARD = (None, 401, 429, 503)
"""Statuses that end reading for all zones: no answer, unknown token, retry_timeout exceeded."""


class _Zone:
    """One of the zones, and its outcome or failure."""

    task: ZoneTask

    def __init__(self, of_task: TaskZone, invocation: Invocation):
        self.of_task = of_task
        own = {}
        for option, value in of_task.options.items():
            if value is not None:
                own[option] = value
        options = {**invocation.options, "records": None, "src": None, **own}
        self.invocation = replace(invocation, options=options, warnings=[])
        self.own_limits = LIMIT_OPTIONS.keys() & own
        self.failure: dict[str, Any] = {}
        self.unmatched: Unmatched = {}
        self.agenda: Agenda | None = None
        self.outcome: ZoneOutcome | None = None

    @property
    def name(self) -> str:
        return printable_name(self.of_task.name.strip().rstrip("."))

    @property
    def is_untouched(self) -> bool:
        """Whether another zone's failure ended the task first."""
        return not (self.failure or self.outcome)

    @property
    def result(self) -> dict[str, Any]:
        """Its item in the module's result."""
        if self.outcome and not self.failure:
            return result_of_zone(self.task, self.outcome)
        result = {"zone": self.name, "changed": False, "changes": [], "recovered": []}
        return result | self.failure

    def attempt(self, step: Callable[[_Zone], object]) -> None:
        """Run a step; if it fails, keep the failure."""
        try:
            step(self)
        except Exception as error:  # noqa: BLE001 - the other zones go on
            prefix = f"Zone {self.name}: "
            self.failure = failure_of(error, self.invocation)
            reason = self.failure["msg"].removeprefix(prefix)
            self.failure["msg"] = f"{prefix}{reason}"
            del self.failure["failed"]


def converge_zones(invocation: Invocation) -> dict[str, Any]:
    """Converge all zones and return the module's result. Raises InvalidOptions."""
    all_zones = task_zones(invocation.options)
    chosen = limited(all_zones, invocation.options, invocation.warnings)
    zones = [_Zone(zone, invocation) for zone in chosen]
    canonical = _checked(zones)
    names = {zone.canonical for zone in all_zones} - {""}
    if names:
        # Those outside ``limit`` count, too: a glob for them is no mistake.
        limits_of(invocation.options, names)
    if not zones:
        empty = "limit" if all_zones else "zones"
        invocation.warnings.append(f"{empty} is empty, so no zone is read")
    # Sorted, so that two runs never wait for each other.
    ordered = [canonical[name] for name in sorted(canonical)]
    unmanaged = Unmanaged()
    if not _failed(zones):
        unmanaged = _look(invocation, ordered)
    if unmanaged.error or _failed(zones):
        return _result(invocation, zones, unmanaged, f"cannot be planned, and {UNCHANGED}")
    _warn_of_unmatched(invocation, ordered)
    for zone in ordered:
        zone.attempt(lambda zone: keep_plan(zone.invocation, zone.outcome))
    _write(invocation, [zone for zone in ordered if not zone.outcome])
    written = [zone for zone in ordered if not zone.failure]
    in_threads(lambda zone: zone.attempt(_wait), written, WAITING)
    others = ""
    if len(_failed(zones)) < len(zones):
        state = "were planned" if invocation.check_mode else "are as desired"
        others = f", and the others {state}"
    return _result(invocation, zones, unmanaged, f"failed{others}")


def _failed(zones: Iterable[_Zone]) -> list[_Zone]:
    return [zone for zone in zones if zone.failure]


def _checked(zones: Sequence[_Zone]) -> dict[str, _Zone]:
    """Check the zones without the service. Keep failures; return the zones by canonical name."""
    canonical: dict[str, _Zone] = {}

    def check(zone: _Zone) -> None:
        invocation, name = zone.invocation, zone.invocation.zone
        # An earlier one, before anything can fail.
        keep_plan(invocation)
        first = canonical.setdefault(name, zone)
        if first is not zone:
            places = f"as {first.of_task.place} and as {zone.of_task.place}"
            raise InvalidOptions(f"it is listed twice, {places}")
        records = invocation.options["records"]
        if records is not None:
            invocation.options["records"] = validated_records(records)
        # Globs shared by all zones need not match in this one.
        limits, desired = limits_and_sets(
            invocation.options, name, invocation.warnings, zone.own_limits
        )
        zone.task = ZoneTask(invocation, desired, limits)

    for zone in zones:
        zone.attempt(check)
    return canonical


def _look(invocation: Invocation, zones: Sequence[_Zone]) -> Unmanaged:
    """Read and plan all zones, until an error that would recur for each. Return the unmanaged ones."""
    client = invocation.client()
    unheard: list[_Zone] = []

    def look_at_one(zone: _Zone) -> None:
        try:
            zone.agenda = look_at(zone.task)
        except ServiceError as error:
            if error.status_code in UNHEARD and not isinstance(error, ZoneNotFound):
                unheard.append(zone)
            raise
        zone.unmatched = zone.task.unmatched(zone.agenda.shown)
        zone.outcome = outcome_without_writing(zone.task, zone.agenda)

    attempt = _counted(look_at_one, len(zones), "read")
    in_threads(lambda zone: unheard or attempt(zone), zones, _zones_at_once(client.threads))
    if unheard:
        return Unmanaged()
    managed = {zone.invocation.zone for zone in zones}
    return unmanaged_zones(invocation.options, client, managed)


def _wait(zone: _Zone) -> None:
    if zone.outcome:
        wait(zone.task, zone.outcome)


def _warn_of_unmatched(invocation: Invocation, zones: Sequence[_Zone]) -> None:
    """Warn of unmatched globs, and of shared ones that match in no zone."""
    shared: dict[str, set[int]] = {}
    for zone in zones:
        own = {}
        for option, places in zone.unmatched.items():
            if option in zone.own_limits:
                own[option] = places
            else:
                shared[option] = shared.get(option, places) & places
        warnings = unmatched_warnings(zone.invocation.options, own, "the zone")
        zone.invocation.warnings.extend(warnings)
    if invocation.options["limit"] is None:  # zones outside the limit may match
        invocation.warnings.extend(unmatched_warnings(invocation.options, shared, "any zone"))


def _write(invocation: Invocation, zones: Sequence[_Zone]) -> None:
    requests = invocation.client().threads
    under_way: list[_Zone] = []

    def threads() -> int:
        return ceil(how_many(requests) / max(1, len(under_way)))

    def write_one(zone: _Zone) -> None:
        under_way.append(zone)
        try:
            if zone.agenda:
                zone.outcome = write(zone.task, zone.agenda, threads)
        finally:
            under_way.remove(zone)

    in_threads(_counted(write_one, len(zones), "written"), zones, _zones_at_once(requests))


def _counted(step: Callable[[_Zone], None], total: int, done: str) -> Callable[[_Zone], None]:
    """Wrap a step to report how many zones are *done*. Thread-safe."""
    ended: list[_Zone] = []
    mutex = machine().lock()

    def attempt(zone: _Zone) -> None:
        zone.attempt(step)
        with mutex:
            ended.append(zone)
            line = f"{len(ended)} of {total} zones {done}, {len(_failed(ended))} failed"
        tell(line)

    return attempt


def _zones_at_once(requests: Threads) -> Threads:
    """Allow a quarter more zones than requests, to send for one while another is planned or logged."""
    return lambda: how_many(requests) + how_many(requests) // 4


def _result(
    invocation: Invocation, zones: Sequence[_Zone], unmanaged: Unmanaged, outcome: str
) -> dict[str, Any]:
    failed = _failed(zones)
    invocation.warnings.extend((*_warnings(zones), *unmanaged.warnings))
    traces = [zone.failure.pop("exception", None) for zone in failed]
    items = [zone.result for zone in zones if not zone.is_untouched]
    result = {**_result_of_all(items), **unmanaged.result}
    messages = []
    if failed:
        reasons = _reasons(failed, outcome.endswith(UNCHANGED))
        messages.append(f"{len(failed)} of {count_of(zones)} {outcome}. {reasons}")
    if unmanaged.error:
        messages.append(sentence(f"Nothing was written, because {unmanaged.error}"))
    if not messages:
        return result
    result = with_names_of_unchanged(result)
    untouched = [zone.name for zone in zones if zone.is_untouched]
    if untouched:
        result["untouched"] = untouched
    if any(traces):
        result["exception"] = "\n".join(filter(None, traces))
    result["status_code"] = unmanaged.status_code
    if failed:
        result["status_code"] = failed[0].failure["status_code"]
    return {**result, "failed": True, "msg": " ".join(messages)}


def _result_of_all(items: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the items with what they add up to."""
    summary = Counter(NOTHING.summary)
    diffs = []
    ends = []
    for item in items:
        summary.update(item.get("summary", {}))
        diff = item.pop("diff", None)
        if diff and diff["before"] != diff["after"]:
            name, header = item["zone"], diff.get("after_header")
            after = f"{name}, {header}" if header else name
            diffs.append({**diff, "before_header": name, "after_header": after})
        if "cached_until" in item:
            ends.append(item["cached_until"])
    if len(diffs) > SHOWN_ZONES:
        counts = ", ".join(f"{count} {done}" for done, count in summary.items())
        diffs.append({"prepared": f"{len(diffs)} zones change; sets: {counts}\n"})
    is_changed = any(item["changed"] for item in items)
    result = {"changed": is_changed, "zones": items, "summary": dict(summary), "diff": diffs}
    if ends:
        result["cached_until"] = max(filter(None, ends), default=None)
    return result


def _grouped(messages: Iterable[tuple[str, str]]) -> list[str]:
    """Tell what zones say, each given behind its name; what they say alike but for their names, once."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for name, text in messages:
        groups.setdefault(text.replace(name, "/"), []).append((name, text))
    told = []
    for group in groups.values():
        names = some_names([name for name, _text in group], SHOWN_ZONES)
        first = group[0][1]
        if len(group) == 1:
            told.append(f"Zone {names}: {first}")
        else:
            told.append(f"Zones {names}, each like the first: {first}")
    return told


def _warnings(zones: Sequence[_Zone]) -> list[str]:
    warnings = []
    for zone in zones:
        warnings += [(zone.name, text) for text in zone.invocation.warnings]
    return _grouped(warnings)


def _reasons(failed: Sequence[_Zone], is_unchanged: bool) -> str:
    """List the failures.

    With *is_unchanged*, the message already says that nothing was changed, so the reasons omit it.
    """
    reasons = []
    for zone in failed:
        reason = zone.failure["msg"].removeprefix(f"Zone {zone.name}: ")
        if is_unchanged:
            reason = sentence(reason.removesuffix(f"; {UNCHANGED}."))
        reasons.append((zone.name, reason))
    told = _grouped(reasons)
    more = len(told) - SHOWN_CLAUSES
    if more > 0:
        told[SHOWN_CLAUSES:] = [f"And {more} more, see zones in the result."]
    return " ".join(told)
