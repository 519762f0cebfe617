# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs a task on many zones. All are checked before any is read, and all planned before any is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from .._api.answers import ServiceError
from .._api.client import ZoneNotFound
from .._api.connection import AUTO
from .._apply.outcome import Agenda, ZoneOutcome
from .._dns.dialect import Dialect
from .._dns.printable import SHOWN_CLAUSES, printable_name, some_names
from .._machine import machine
from .._plan.globs import Unmatched, unmatched_warnings
from .._plan.limits import LIMIT_OPTIONS
from .._plan.plan import NOTHING
from .._telling import tell
from .._threads import Threads, how_many, in_threads
from .arguments import check_options
from .desired import limits_and_sets
from .invocation import Invocation
from .options import InvalidOptions
from .plan_file import forget_plan, keep_plan
from .results import UNCHANGED, failure_of, sentence, with_names_of_unchanged
from .task_zones import TaskZone, Unmanaged, limited, task_zones
from .zone import (
    ZoneTask,
    look_at,
    outcome_without_writing,
    result_of_zone,
    wait,
    waiting_of,
    write,
)

WAITING = 8
"""Zones whose name servers are queried at once by default."""

SHOWN_ZONES = 3
"""Most zones named where several share a warning or a reason."""

CHANGED = ("created", "extended", "rebuilt", "deleted")
"""What a summary counts, but for unchanged sets."""

UNHEARD = (None, 401, 429, 503)
"""Statuses that end reading for all zones: no answer, unknown token, retry_timeout exceeded."""


class _Zone:
    """One of the zones, and its outcome or failure."""

    task: ZoneTask

    def __init__(self, of_task: TaskZone, invocation: Invocation):
        self.of_task = of_task
        own = {option: value for option, value in of_task.options.items() if value is not None}
        options = {**invocation.options, "records": None, "src": None, **own}
        self.invocation = replace(invocation, options=options, warnings=[])
        self.own_limits = [option for option in LIMIT_OPTIONS if option in own]
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
        if self.failure or not self.outcome:
            return {
                "zone": self.name,
                "changed": False,
                "changes": [],
                "recovered": [],
                **self.failure,
            }
        return result_of_zone(self.task, self.outcome)

    def attempt(self, step: Callable[[_Zone], object]) -> None:
        """Run a step; if it fails, keep the failure."""
        try:
            step(self)
        except Exception as error:  # noqa: BLE001 - the other zones go on
            prefix, result = f"Zone {self.name}: ", failure_of(error, self.invocation)
            self.failure = {**result, "msg": f"{prefix}{result['msg'].removeprefix(prefix)}"}
            del self.failure["failed"]

    def let_go(self) -> None:
        """Free all sets but the zone's own at the apex, since many zones take much memory."""
        if self.outcome and not (self.task.waiting and self.task.waiting.is_asked_for):
            snapshot = self.outcome.snapshot
            apex = {
                key: one for key, one in snapshot.record_sets.items() if key.name == snapshot.name
            }
            shown = Dialect().read(apex, snapshot.name)
            self.outcome = self.outcome._replace(
                snapshot=replace(snapshot, record_sets=apex), shown=shown
            )
            self.agenda = None


def converge_zones(invocation: Invocation) -> dict[str, Any]:
    """Converge all zones and return the module's result. Raises InvalidOptions."""
    all_zones = task_zones(invocation.options)
    zones = [
        _Zone(zone, invocation)
        for zone in limited(all_zones, invocation.options, invocation.warnings)
    ]
    for zone in zones:
        zone.attempt(lambda zone: forget_plan(zone.invocation))
    _check_shared(invocation, {zone.canonical for zone in all_zones} - {""})
    if not all_zones:
        invocation.warnings.append(
            "zones is empty, so no zone is read, whatever the other options say"
        )
    canonical = _checked(zones)
    # Sorted, so that two runs never wait for each other.
    ordered = [canonical[name] for name in sorted(canonical)]
    unmanaged = Unmanaged(invocation.options)
    unread = 0 if any(zone.failure for zone in zones) else _look(invocation, ordered, unmanaged)
    if unmanaged.error or any(zone.failure for zone in zones):
        others = f", {unread} more were not read" if unread else ""
        return _result(invocation, zones, unmanaged, f"cannot be planned{others}, and {UNCHANGED}")
    _warn_of_unmatched(invocation, ordered)
    for zone in ordered:
        zone.attempt(_keep_plan)
    _write(invocation, [zone for zone in ordered if not zone.outcome])
    written = [zone for zone in ordered if not zone.failure]
    waiting = WAITING if (concurrency := invocation.concurrency) == AUTO else concurrency
    in_threads(lambda zone: zone.attempt(_wait), written, waiting)
    state = "were planned" if invocation.check_mode else "are as desired"
    others = f", and the others {state}" if any(not zone.failure for zone in zones) else ""
    return _result(invocation, zones, unmanaged, f"failed{others}")


def _check_shared(invocation: Invocation, names: Collection[str]) -> None:
    """Check shared options once for all zones. Raises what the checks raise.

    *names* (canonical) include zones outside ``limit``, whose globs are no errors.
    """
    invocation.client()
    own = LIMIT_OPTIONS if names else ()
    check_options(invocation.options, names, lambda _limits: waiting_of("", invocation), own)


def _checked(zones: Sequence[_Zone]) -> dict[str, _Zone]:
    """Check the zones without the service. Keep failures; return the zones by canonical name."""
    canonical: dict[str, _Zone] = {}
    names = {zone.of_task.canonical for zone in zones} - {""}

    def check(zone: _Zone) -> None:
        invocation, name = zone.invocation, zone.invocation.zone
        if zone.of_task.error:
            raise InvalidOptions(zone.of_task.error)
        if (first := canonical.setdefault(name, zone)) is not zone:
            raise InvalidOptions(
                f"it is listed twice, as {first.of_task.place} and as {zone.of_task.place}"
            )

        # Globs shared by all zones need not match in this one.
        limits, desired = limits_and_sets(
            invocation.options, name, invocation.warnings, zone.own_limits
        )
        zone.task = ZoneTask(invocation, desired, limits, names)

    for zone in zones:
        zone.attempt(check)
    return canonical


def _look(invocation: Invocation, zones: Sequence[_Zone], unmanaged: Unmanaged) -> int:
    """Read and plan all zones, until an error that would recur for each. Return how many were not read.

    Also read the account's list if unmanaged zones matter.
    """
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
    looks: list[Callable[[], object]] = [partial(attempt, zone) for zone in zones]
    if unmanaged.is_asked_for:
        looks.append(lambda: unmanaged.look(client, {zone.invocation.zone for zone in zones}))
    in_threads(lambda look: unheard or look(), looks, _zones_at_once(client.threads))
    return sum(zone.is_untouched and not zone.agenda for zone in zones)


def _keep_plan(zone: _Zone) -> None:
    if zone.outcome:
        keep_plan(zone.invocation, zone.outcome.plan.changes, zone.outcome.document)


def _wait(zone: _Zone) -> None:
    if zone.outcome:
        wait(zone.task, zone.outcome)


def _warn_of_unmatched(invocation: Invocation, zones: Sequence[_Zone]) -> None:
    """Warn of unmatched globs, and of shared ones that match in no zone."""
    shared: dict[str, set[int]] = {}
    for zone in zones:
        own = {
            option: places for option, places in zone.unmatched.items() if option in zone.own_limits
        }
        zone.invocation.warnings.extend(
            unmatched_warnings(zone.invocation.options, own, "the zone")
        )
        for option, places in zone.unmatched.items():
            if option not in own:
                shared[option] = shared.get(option, places) & places
    if invocation.options["limit"] is None:  # zones outside the limit may match
        invocation.warnings.extend(unmatched_warnings(invocation.options, shared, "any zone"))


def _write(invocation: Invocation, zones: Sequence[_Zone]) -> None:
    requests = invocation.client().threads
    under_way: list[_Zone] = []

    def threads() -> int:
        return -(-how_many(requests) // max(1, len(under_way)))

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
    ended: list[bool] = []
    mutex = machine().lock()

    def attempt(zone: _Zone) -> None:
        zone.attempt(step)
        zone.let_go()
        with mutex:
            ended.append(bool(zone.failure))
            failed = f", {ended.count(True)} failed" if any(ended) else ""
            line = f"{ended.count(False)} of {total} zones {done}{failed}"
        tell(line)

    return attempt


def _zones_at_once(requests: Threads) -> Threads:
    """Allow a quarter more zones than requests, to send for one while another is planned or logged."""
    return lambda: how_many(requests) + how_many(requests) // 4


def _result(
    invocation: Invocation, zones: Sequence[_Zone], unmanaged: Unmanaged, outcome: str
) -> dict[str, Any]:
    failed = [zone for zone in zones if zone.failure]
    traces = {
        key: zone.failure.pop(key)
        for zone in failed
        for key in ("exception",)
        if key in zone.failure
    }
    items = [zone.result for zone in zones if not zone.is_untouched]
    untouched = [zone.name for zone in zones if zone.is_untouched]
    invocation.warnings.extend((*_warnings(zones), *unmanaged.warnings))
    differences = [(item["zone"], item.pop("diff", None)) for item in items]
    summary = Counter(NOTHING.summary)
    for item in items:
        summary.update(item.get("summary", {}))
    cached = [item["cached_until"] for item in items if "cached_until" in item]
    result = {
        "changed": any(item["changed"] for item in items),
        "zones": items,
        "summary": dict(summary),
        "diff": _diff_of_zones(differences, summary),
        **unmanaged.result,
        **({"cached_until": max(filter(None, cached), default=None)} if cached else {}),
    }
    if not (failed or unmanaged.error):
        return result
    messages = []
    if failed:
        count = f"{len(failed)} of {len(zones)} {'zone' if len(zones) == 1 else 'zones'}"
        messages.append(f"{count} {outcome}. {_reasons(failed, outcome.endswith(UNCHANGED))}")
    if unmanaged.error:
        lead = "Also," if failed else "Nothing was written, because"
        messages.append(sentence(f"{lead} {unmanaged.error}"))
    status_code = failed[0].failure["status_code"] if failed else unmanaged.status_code
    failure = {"failed": True, "msg": " ".join(messages), "status_code": status_code}
    return {
        **with_names_of_unchanged(result),
        **({"untouched": untouched} if untouched else {}),
        **traces,
        **failure,
    }


def _diff_of_zones(
    differences: Iterable[tuple[str, dict[str, str] | None]], summary: Mapping[str, int]
) -> list[dict[str, str]]:
    """Return a diff for each zone that changes, and the totals where they are many."""
    diffs = []
    for name, diff in differences:
        if diff and diff["before"] != diff["after"]:
            header = ", ".join(filter(None, [name, diff.get("after_header")]))
            diffs.append({**diff, "before_header": name, "after_header": header})
    if len(diffs) > SHOWN_ZONES:
        counts = [f"{count} {what}" for what, count in summary.items() if count and what in CHANGED]
        first, *others = counts or ["no sets"]
        totals = ", ".join([first.replace(" ", " sets ", 1), *others])
        diffs.append({"prepared": f"{len(diffs)} zones change: {totals}\n"})
    return diffs


class _Group:
    """What several zones say alike, but for their own names."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.texts: list[str] = []

    @property
    def is_shared(self) -> bool:
        """Whether all zones say the same, also of themselves."""
        return len({*self.texts}) == 1

    def once(self) -> str:
        """The text of the first zone, for all of them."""
        if len(self.names) == 1:
            return f"Zone {self.names[0]}: {self.texts[0]}"
        names = some_names(self.names, SHOWN_ZONES)
        like = "" if self.is_shared else ", each like the first"
        return f"Zones {names}{like}: {self.texts[0]}"

    def one_by_one(self) -> Iterator[str]:
        """The text of each zone."""
        for name, text in zip(self.names, self.texts, strict=True):
            yield f"Zone {name}: {text}"


def _grouped(messages: Iterable[tuple[str, str]]) -> list[_Group]:
    """Group the texts of zones, each given before the name of its zone."""
    groups: dict[str, _Group] = {}
    for text, name in messages:
        group = groups.setdefault(text.replace(name, "/"), _Group())
        group.names.append(name)
        group.texts.append(text)
    return [*groups.values()]


def _warnings(zones: Sequence[_Zone]) -> Iterator[str]:
    """Yield warnings with zone names; one that many zones share, once."""
    every = ((text, zone.name) for zone in zones for text in zone.invocation.warnings)
    for group in _grouped(every):
        if len(group.names) > SHOWN_ZONES:
            yield group.once()
        else:
            yield from group.one_by_one()


def _reasons(failed: Sequence[_Zone], is_unchanged: bool) -> str:
    """List the failures, each reason once with its zones.

    With *is_unchanged*, the message already says that nothing was changed, so the reasons omit it.
    """

    def reason(zone: _Zone) -> str:
        msg = str(zone.failure["msg"]).removeprefix(f"Zone {zone.name}: ")
        return sentence(msg.removesuffix(f"; {UNCHANGED}.")) if is_unchanged else msg

    clauses: list[str] = []
    told = 0
    for group in _grouped((reason(zone), zone.name) for zone in failed):
        is_once = group.is_shared or len(group.names) > SHOWN_ZONES
        of_group = [group.once()] if is_once else [*group.one_by_one()]
        if len(clauses) + len(of_group) > SHOWN_CLAUSES:
            break
        clauses += of_group
        told += len(group.names)
    if told < len(failed):
        clauses.append(f"And {len(failed) - told} more, see zones in the result.")
    return " ".join(clauses)
