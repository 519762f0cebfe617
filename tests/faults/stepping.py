# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A scenario played: two tasks with something going wrong, and then the last of them until it is idle."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from tempfile import gettempdir
from typing import Any

from doors import BASE_URL, TOKEN, Disk, WorldShared
from going_wrong import FAULTS, LAGS
from stories import BEGINNINGS
from tasks import BY_HAND, FIRSTS, FTP, GAPS, START, TASKS, WWW, First, Key, Task, beside
from worlds import (
    EPOCH,
    PLAIN,
    ZONES,
    Endless,
    Habits,
    Held,
    Killed,
    Line,
    Process,
    TurnedMachine,
    World,
)

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Document
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._log.past import Past
from ansible_collections.zonesmith.dns.plugins.module_utils._log.stored import document_bytes
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import in_place_of_it
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import Invocation
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import FILES, RECORDS
from ansible_collections.zonesmith.dns.plugins.module_utils._run.results import result_of
from ansible_collections.zonesmith.dns.plugins.modules import dns_record, dns_records, dns_zones

MODULES: dict[str, tuple[dict[str, dict[str, Any]], Callable[[Invocation], dict[str, Any]]]] = {
    "dns_record": (dns_record.OPTIONS, dns_record.converge_record_set),
    "dns_records": (dns_records.OPTIONS, dns_records.converge_record_sets),
    "dns_zones": (dns_zones.OPTIONS, dns_zones.converge_zones),
}
Rows = dict[Key, list[Any]]
HAS_DELETE, IS_PENDING = 2, 5
"""Fields of an entry in a document."""
AFTERWARDS = (1, 1000, 1)
"""Seconds before each of the last runs; by the second all that was sent late has come, and mostly it is idle."""
LAGGING = tuple(LAGS.values())


@dataclass(frozen=True)
class Scenario:
    """Which one it is, by the numbers in the tables; *faults* are steps, and what goes wrong there."""

    first: int
    following: int
    gap: int
    lag: int = 0
    faults: tuple[tuple[int, int], ...] = ()

    def __str__(self) -> str:
        where = f"{self.first}.{self.following}.{self.gap}.{self.lag}"
        return "-".join((where, *(f"{step}.{fault}" for step, fault in self.faults)))

    @property
    def begins(self) -> First:
        """Its first task, and the world."""
        return BEGINNINGS[self.first]

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The two tasks."""
        first, following = self.begins.task, self.begins.nexts[self.following]
        tasks = TASKS[first], TASKS[first if following == "the same" else following]
        return (*tasks, TASKS[self.begins.third]) if self.begins.third else tasks

    @property
    def depth(self) -> int:
        """How many things go wrong."""
        return len(self.faults) + bool(self.lag)


def scenario_of(number: str) -> Scenario:
    """The scenario of a number."""
    where, *faults = number.split("-")
    first, following, gap, lag = map(int, where.split("."))
    pairs = (fault.split(".") for fault in faults)
    return Scenario(
        first, following, gap, lag, tuple((int(step), int(fault)) for step, fault in pairs)
    )


def worlds_of_tasks() -> Iterator[Scenario]:
    """Each two tasks, with each gap, where nothing goes wrong."""
    for number, first in enumerate(FIRSTS):
        for following in range(len(first.nexts)):
            yield from (Scenario(number, following, gap) for gap in range(len(GAPS)))


@dataclass
class Played:
    """One run."""

    who: str
    task: Task
    began: float
    ended: float = 0.0
    result: dict[str, Any] | None = None
    """None where it was killed."""
    sent: dict[str, int] = field(default_factory=dict)
    differs: str = ""
    """How check mode, asked just before, told something else than what was done."""
    log: tuple[Rows, Rows] = field(default_factory=lambda: ({}, {}))
    """The entries of the log before it and after it."""
    wrote: list[Key] = field(default_factory=list)
    """The sets for which it sent a request."""

    @property
    def is_ok(self) -> bool:
        """Whether it said that all is as it was asked."""
        return self.result is not None and not self.result["failed"]

    @property
    def is_idle(self) -> bool:
        """Whether it looked once at each zone, and found all as it was asked."""
        zones = self.task.options.get("zones") or [self.task]
        looked = {"GET": len(zones), "POST": 0, "DELETE": 0, "save": 0}
        return (
            self.result is not None
            and self.is_ok
            and not self.result["changed"]
            and self.sent == looked
        )

    @property
    def sent_writes(self) -> tuple[int, int]:
        """How many POSTs and DELETEs it has sent."""
        return self.sent["POST"], self.sent["DELETE"]

    @property
    def texts(self) -> list[str]:
        """What it told people."""
        result = self.result or {"warnings": [], "failed": False}
        zones = [zone["msg"] for zone in result.get("zones") or () if zone.get("msg")]
        return [*result["warnings"], *([result["msg"]] if result["failed"] else []), *zones]


@dataclass
class Outcome:
    """What came of a scenario."""

    scenario: Scenario
    world: World
    runs: list[Played]
    last: Task
    steps: list[str] = field(default_factory=list)
    """Their kinds, as far as something can go wrong there."""
    after_first: int = 0
    """How many of them the first run has taken."""
    problem: str = ""
    """Why it did not come to its end, if so."""


def log_at_the_start(kind: str) -> bytes:
    """A document with entries of www and ftp.

    ``young`` and ``old`` ones are done, in a ``begun`` one a DELETE may still come, and a ``redirected`` one desires
    what is there.
    """
    now = EPOCH + 1000
    at = now - 86400.0 if kind == "old" else now - 5.0
    entries = {}
    for name in (WWW, FTP):
        ttl, values = START[name]
        there = RecordSet(*name, ttl, values)
        before, desired, pending_since, done = there, there, None, True
        if kind == "begun":
            desired = replace(there, values=("192.0.2.66",))
        elif kind == "redirected":
            before = replace(there, values=("192.0.2.98",))
        else:
            before = replace(there, values=(*values, "192.0.2.99"))
        if kind in ("begun", "redirected"):
            pending_since, done = at, False
        entries[there.key] = Entry(
            Past().with_newest(before), desired, True, at, at, pending_since, done, desired
        )
    return document_bytes(Document(entries), ZONES[0])


def plan_dir() -> str:
    """The folder for the plans of the scenario that this process plays."""
    return f"{gettempdir()}/zonesmith-faults-{os.getpid()}"


@cache
def _defaults(module: str) -> dict[str, Any]:
    return {name: rules.get("default") for name, rules in MODULES[module][0].items()}


_RECORD = {name: rules.get("default") for name, rules in RECORDS.items()}
_GLOB = {"name": "*", "type": "*", "value": "*"}


def options_of(task: Task) -> dict[str, Any]:
    """The options of a task as AnsibleModule makes them."""
    connection = {
        "base_url": BASE_URL,
        "access_token": TOKEN,
        "state_dir": "/state",
        FILES: {},
        "findings_ignore": [],
    }
    arguments: dict[str, Any] = {
        **_defaults(task.module),
        **connection,
        "concurrency": 1,
        **task.options,
    }
    for option in ("ignore", "protect", "only", "ttl_max"):
        if arguments.get(option):
            arguments[option] = [{**_GLOB, **glob} for glob in arguments[option]]
    if "findings" in arguments:
        arguments["findings"] = "off"
    if task.is_reviewed:
        arguments["plan_dir"] = plan_dir()
    return _filled(arguments)


def _filled(options: Mapping[str, Any]) -> dict[str, Any]:
    records = options.get("records")
    return (
        {**options, "records": [{**_RECORD, **record} for record in records]}
        if records
        else dict(options)
    )


_MACHINE = TurnedMachine(World({}))


@contextmanager
def _in(world: World) -> Iterator[None]:
    outer, _MACHINE.world = _MACHINE.world, world
    try:
        yield
    finally:
        _MACHINE.world = outer


def run(world: World, who: str, task: Task, *, check: bool = False) -> Played:
    """One run from its begin to its end, be it in the middle of another one."""
    outer, world.process = world.process, Process(who)
    played = Played(who, task, world.t)
    before, number = _log_rows(world), len(world.writes)
    world.lines.append(
        Line(world.t, who, None, f"begins{' to check' if check else ''}: {_shown(task)}")
    )
    try:
        with _in(world):
            perform = MODULES[task.module][1]
            played.result = result_of(
                perform, Invocation(options_of(task), check, WorldShared(world))
            )
    except Killed:
        world.lines.append(Line(world.t, who, None, "is no more"))
    else:
        result = played.result
        word = "failed" if result["failed"] else "changed" if result["changed"] else "ok"
        world.lines.append(Line(world.t, who, None, " | ".join((f"says {word}", *played.texts))))
    played.ended, played.sent = world.t, world.process.sent
    played.log = before, _log_rows(world)
    played.wrote = [key for by, key in world.writes[number:] if by == who]
    world.process = outer
    return played


def _log_rows(world: World) -> Rows:
    """The entries as the next run reads them: if this one was killed, a DELETE may come."""
    rows: Rows = {}
    for disk in world.disks.values():
        if disk.document:
            document = json.loads(disk.document)
            for key, fields in document["entries"]:
                if key in document["under_way"]:
                    fields[IS_PENDING] = fields[HAS_DELETE]
                rows[tuple(key)] = fields
    return rows


def _shown(task: Task) -> str:
    left_out = ("zone", "findings")
    options = {name: value for name, value in task.options.items() if name not in left_out}
    return f"{task.module} {options}"


class _Player:
    """Plays one scenario."""

    def __init__(self, scenario: Scenario, tasks: tuple[Task, ...], world: World, *, checks: bool):
        self.outcome = Outcome(scenario, world, [], tasks[-1])
        self._tasks, self._checks = tasks, checks

    def begin(self) -> None:
        """The first run."""
        self._run("run 1", self._tasks[0])

    def go_on(self) -> None:
        """All that comes after it."""
        world = self.outcome.world
        if len(self._tasks) > 1:
            self.outcome.after_first = len(world.steps)
            world.advance(GAPS[self.outcome.scenario.gap])
            self._run("run 2", self._tasks[1])
        for task in self._tasks[2:]:
            self._run("run 3", task)
        self.outcome.steps = [*world.steps]
        world.faults, world.refuses = {}, False
        if self.outcome.scenario.lag:
            world.zone.change(replace(world.zone.habits, read_lag=0.0))
        for number, pause in enumerate(AFTERWARDS):
            if number > 1 and self.outcome.runs[-1].is_idle:
                break
            world.advance(pause)
            # By the second it has done what there was to do, and check mode has shown what it can.
            self._checks = self._checks and not number
            self._run(f"again {number + 1}", self.outcome.last)

    def _run(self, who: str, task: Task) -> None:
        world = self.outcome.world
        foreseen = self._foreseen(who, task)
        played = run(world, who, task)
        if foreseen and foreseen.result and played.result:
            played.differs = _difference(foreseen.result, played.result)
        self.outcome.runs.append(played)

    def _foreseen(self, who: str, task: Task) -> Played | None:
        """What check mode tells, where nothing can go wrong any more before the run is over; it writes the plan."""
        world = self.outcome.world
        is_quiet = not (world.zone.late or world.is_refusing or world.zone.habits.read_lag)
        is_quiet = is_quiet and world.t >= world.busy_until
        is_quiet = is_quiet and all(at < len(world.steps) for at in world.faults)
        if not task.is_reviewed and not (self._checks and is_quiet):
            return None
        aside = world.fork()
        foreseen = run(aside, f"{who} --check", task, check=True)
        is_kept = all(world.disks.get(place, Disk()) == disk for place, disk in aside.disks.items())
        if set(aside.steps[len(world.steps) :]) - {"GET"} or not is_kept:
            foreseen.result = {"changed": "check mode writes"}
        return foreseen if is_quiet and self._checks else None


def _difference(foreseen: dict[str, Any], done: dict[str, Any]) -> str:
    names = ("failed", "changed", "changes", "summary", "diff")
    differing = [name for name in names if foreseen.get(name) != done.get(name)]
    return "; ".join(
        f"{name}: {foreseen.get(name)} foreseen, {done.get(name)} done" for name in differing
    )


def played(scenario: Scenario, *, checks: bool = True) -> Outcome:
    """What comes of a scenario; with *checks* each run that nothing is wrong with is foreseen in check mode."""
    player, is_begun = _begun(scenario, checks=checks)
    return _told(player, () if is_begun else (player.begin, partial(_keep, player, checks=checks)))


def played_with(habits: Habits, scenario: Scenario, task: Task) -> Outcome:
    """What comes of one task, which is run again until it is idle, at a service with habits."""
    player = _Player(scenario, (task,), World(dict(START), habits), checks=False)
    return _told(player, (player.begin,))


def _told(player: _Player, first: tuple[Callable[[], None], ...]) -> Outcome:
    with in_place_of_it(_MACHINE):
        try:
            for step in (*first, player.go_on):
                step()
        except Endless as error:
            player.outcome.problem = str(error)
    if any(one.is_reviewed for one in player.outcome.scenario.tasks):
        shutil.rmtree(plan_dir(), ignore_errors=True)
    return player.outcome


_AFTER_FIRST: dict[tuple[object, ...], tuple[World, list[Played]]] = {}
"""The world after a first run, for all scenarios that begin so."""


def _keep(player: _Player, *, checks: bool) -> None:
    scenario, world = player.outcome.scenario, player.outcome.world
    if any(key[0] != scenario.first for key in _AFTER_FIRST):
        _AFTER_FIRST.clear()
    met = tuple(fault for fault in scenario.faults if fault[0] < len(world.steps))
    _AFTER_FIRST[scenario.first, scenario.lag, met, checks] = world.fork(), [*player.outcome.runs]


def _begun(scenario: Scenario, *, checks: bool) -> tuple[_Player, bool]:
    """Who plays a scenario, and whether its first run is played already."""
    first, kept = scenario.begins, None
    for number in range(len(scenario.faults) + 1):
        begun = _AFTER_FIRST.get((scenario.first, scenario.lag, scenario.faults[:number], checks))
        if begun and all(at >= len(begun[0].steps) for at, _fault in scenario.faults[number:]):
            kept = begun
    habits = first.habits
    if scenario.lag:
        habits = replace(habits, read_lag=LAGGING[scenario.lag], late_reads=2)
    world = kept[0].fork() if kept else World(dict(START), habits, table=FAULTS)
    if first.log and not kept:
        world.disks[ZONES[0]] = Disk(log_at_the_start(first.log))
    world.by_hand = first.key, BY_HAND[first.key[1]]
    if first.is_edited and not kept:
        world.was_just_edited()
    player = _Player(scenario, scenario.tasks, world, checks=checks)
    player.outcome.runs += kept[1] if kept else ()
    world.faults = dict(scenario.faults)
    # Another run is one more, and nobody checks what it does.
    world.beside = lambda world: player.outcome.runs.append(
        run(world, "another", beside(first.key))
    )
    return player, kept is not None


def table(outcome: Outcome) -> Iterator[str]:
    """A scenario as people read it: when, who, at which step, what, what was answered, what the set holds then."""
    scenario = outcome.scenario
    first = scenario.begins
    yield f"scenario {scenario}: {first.task}, {GAPS[scenario.gap]} s later {first.nexts[scenario.following]}"
    lag = tuple(LAGS)[scenario.lag]
    habits = [
        f"{name} {value}"
        for name, value in vars(first.habits).items()
        if value != getattr(PLAIN, name)
    ]
    yield f"the service: {', '.join(habits) or 'as specified'} {lag}".rstrip()
    for line in outcome.world.lines:
        number = "" if line.number is None else line.number
        yield f"{line.at - 1000:9.2f}  {line.who:<9} {number:>3}  {line.what:<52} {line.answer:<34} {_held(line.held)}"


def _held(held: Held | None) -> str:
    return f"{held[0]} {', '.join(held[1])}" if held else ""
