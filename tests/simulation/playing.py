# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A story played: the collection's own code in a simulated world, and what came of it."""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from tempfile import gettempdir
from typing import Any

from service import BY_HAND, TOKEN, Event, Shown, Wire, Zones
from stores import Kept, SimulatedNote, SimulatedStore
from story import Hand, Key, Run, SetClock, Story, key_of
from wishes import Wish, wish_of
from world import Endless, Killed, Process, SimulatedMachine, Task, World

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import in_place_of_it
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.reversal import reversal
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import FILES, Invocation, Shared
from ansible_collections.zonesmith.dns.plugins.module_utils._run.module import RECORDS
from ansible_collections.zonesmith.dns.plugins.module_utils._run.results import result_of
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._service.connection import Connection
from ansible_collections.zonesmith.dns.plugins.module_utils._service.under_way import Concurrency
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import Store
from ansible_collections.zonesmith.dns.plugins.modules import dns_record, dns_records, dns_zones

MODULES: dict[str, tuple[dict[str, dict[str, Any]], Callable[[Invocation], dict[str, Any]]]] = {
    "dns_record": (dns_record.OPTIONS, dns_record.converge_record_set),
    "dns_records": (dns_records.OPTIONS, dns_records.converge_record_sets),
    "dns_zones": (dns_zones.OPTIONS, dns_zones.converge_account),
}
CONNECTION = {"base_url": Wire.base_url, "access_token": TOKEN, "state_dir": "/state"}

SETTLED_AFTER = 12.0
"""Seconds after the last write after which every reading shows it, if none is older by then."""
FORGOTTEN_AFTER = 620.0
"""Seconds after which no DELETE without an answer comes any more."""


@dataclass
class Played:
    """One run of a module, as it went."""

    run: Run
    wish: Wish
    began: float
    ended: float = 0.0
    result: dict[str, Any] | None = None
    """What it returned; None where it was killed."""
    sent: int = 0
    deleted: list[Key] = field(default_factory=list)
    unkept: list[tuple[Key, list[str]]] = field(default_factory=list)
    """What it had read of a set that it deleted, and its journal did not have."""
    events: range = range(0)
    """Where in the events of the service it was under way."""
    reverses: str = ""
    """Whose changes it took back."""

    @property
    def is_ok(self) -> bool:
        """Whether it said that all is as it was asked."""
        return self.result is not None and not self.result["failed"]


@dataclass
class Outcome:
    """What came of a story."""

    story: Story
    zones: Zones
    runs: list[Played]
    hands: list[tuple[float, Hand]]
    kept: dict[str, Kept]
    ended: float
    problem: str = ""
    """Why it did not come to its end, if so."""


class _Client(Client):
    """Looks through what it is shown once, however often and to whomever the same is shown."""

    def looked_through(self, envelope: dict[str, Any]) -> dict[Any, Any]:
        if not isinstance(envelope, Shown):
            return super().looked_through(envelope)
        if envelope.sets is None:
            envelope.sets = super().looked_through(envelope)
        return envelope.sets


class _Own(Shared):
    """What a process of the world shares: its way to the service, and its folder or database."""

    def __init__(
        self, connected: Callable[[], Wire], stores: Callable[[str], SimulatedStore], note: SimulatedNote | None
    ):
        super().__init__()
        self._connected = connected
        self._stores = stores
        self._note = note

    def _opened(self, connection: Connection, concurrency: Concurrency) -> Client:
        return _Client(connection, concurrency, lambda _connection, _concurrency: self._connected())

    def stores(
        self,
        _state_dir: str,
        _state_url: str | None,
        _base_url: str,
        zone: str,
        _lock_timeout: float,
    ) -> tuple[Store, Store | None]:
        return self._stores(zone), None

    def note(self, *_place: Any) -> SimulatedNote | None:
        return self._note


@cache
def _defaults(module: str) -> dict[str, Any]:
    return {name: rules.get("default") for name, rules in MODULES[module][0].items()}


_OF_ENTRY = {name: rules.get("default") for name, rules in RECORDS.items()}


def options_of(run: Run) -> dict[str, Any]:
    """The options of a run as AnsibleModule makes them, and what the action has read for it."""
    given: dict[str, Any] = {**_defaults(run.module), **CONNECTION, FILES: {}, "findings_ignore": [], **run.options}
    given |= {option: [{**_OF_GLOB, **glob} for glob in given.get(option) or ()] for option in OF_GLOBS}
    if given.get("plan_dir"):
        given["plan_dir"] = plan_dir()
    if given.get("zones"):
        given["zones"] = [_as_read(zone, given[FILES]) for zone in given["zones"]]
    return _as_read(given, given[FILES])


OF_GLOBS = ("ignore", "protect", "only", "ttl_max")
_OF_GLOB = {"name": "*", "type": "*", "value": "*"}


def plan_dir() -> str:
    """The folder for the plans of the story that is played: the same for all that one process plays."""
    return f"{gettempdir()}/zonesmith-simulation-{os.getpid()}"


def _as_read(given: dict[str, Any], files: dict[str, Any]) -> dict[str, Any]:
    """The options on one zone; what they have of a file goes to *files*."""
    records = given.get("records")
    if records and given.get("src"):
        files[given["src"]] = {"text": "".join(_lines(f"{given['zone']}.", records))}
        return {**given, "records": None}
    return {**given, "records": [{**_OF_ENTRY, **record} for record in records]} if records else {**given}


def _lines(zone: str, records: list[dict[str, Any]]) -> Iterator[str]:
    for record in records:
        name, rdtype = key_of(zone, record)
        for value in record["content"]:
            shown = f'"{value}"' if rdtype == "TXT" else value
            yield f"{name} {record.get('ttl', 300)} IN {rdtype} {shown}\n"


def play(story: Story) -> Outcome:
    """Play a story to its end, and let the next runs come by after it."""
    world = World()
    player = _Player(world, story)
    collects = gc.isenabled()
    gc.disable()
    try:
        with in_place_of_it(SimulatedMachine(world)):
            world.begin(Process("the story", "one"), player.tell)
            try:
                world.run()
            except Endless as error:
                player.outcome.problem = str(error)
            player.end()
    finally:
        if collects:
            gc.enable()
        shutil.rmtree(plan_dir(), ignore_errors=True)
    player.outcome.ended = world.now
    return player.outcome


class _Player:
    """Takes the steps of a story."""

    def __init__(self, world: World, story: Story):
        self._world = world
        self._story = story
        world.loads(story.service.dice)
        zones = Zones(world, story.zone, story.service)
        self.outcome = Outcome(story, zones, [], [], {}, 0.0)
        self._tasks: list[Task] = []
        self._all: list[Process] = []
        self._notes: dict[str, SimulatedNote] = {}

    def tell(self) -> None:
        """All steps, and then the runs of those who come later."""
        for step in self._story.steps:
            if isinstance(step, SetClock):
                self._world.sleep(step.pause)
                self._world.skew[step.host] = self._world.skew.get(step.host, 0.0) + step.seconds
                told = f"the clock of {step.host} is set by {step.seconds:g} s"
                self.outcome.zones.events.append(Event(self._world.now, BY_HAND, told))
            elif isinstance(step, Hand):
                if step.before is None:
                    self._world.sleep(step.pause)
                    self._by_hand(step)
            else:
                if not step.beside:
                    self._wait_for_all()
                self._world.sleep(step.pause)
                self._start(step)
        self._wait_for_all()
        self._settle()
        self._epilogue()

    def _settle(self) -> None:
        """Until nothing is under way any more, and every reading shows what is there."""
        while self.outcome.zones.pending:
            self._world.sleep(1.0)
        self._world.sleep(max(SETTLED_AFTER, max(self._story.service.ages) + 2))

    def _epilogue(self) -> None:
        """Somebody asks for what is there; the last task is run again; and once more when all is forgotten."""
        steps = [step for step in self._story.steps if isinstance(step, Run) and not step.check and self._is_any(step)]
        asks = Run("next", "dns_record", {"zone": "example.com", "name": "www", "type": "A", "content": ["192.0.2.1"]})
        if steps:
            asks = replace(steps[-1], who="next", pause=0.0, beside=False)
        for owner in sorted({step.options["owner"] for step in steps if "owner" in step.options}):
            of_owner = [step for step in steps if step.options.get("owner") == owner]
            self._run_alone(replace(of_owner[-1], who=f"of {owner}", pause=0.0, beside=False))
            self._settle()
        self._run_alone(asks)
        self._settle()
        self._run_alone(replace(asks, who="again"))
        self._world.sleep(FORGOTTEN_AFTER)
        self._run_alone(replace(asks, who="last"))

    def _run_alone(self, run: Run) -> None:
        self._start(run)
        self._wait_for_all()

    def _wait_for_all(self) -> None:
        while any(not task.is_over and not task.process.is_dead for task in self._tasks):
            self._world.sleep(0.5)
        self._tasks.clear()

    def _start(self, run: Run) -> None:
        process = Process(run.who, run.host)
        self._all.append(process)
        self._tasks.append(self._world.begin(process, lambda: self._perform(run)))

    def _is_any(self, run: Run) -> bool:
        return "reverses" not in run.options or self._taking_back(run) is not None

    def _taking_back(self, run: Run) -> Run | None:
        """The run that takes back what the result of another tells; None where it tells nothing."""
        of = next((played for played in self.outcome.runs if played.run.who == run.options["reverses"]), None)
        entries = reversal(of.result) if of and of.result else []
        if not of or not entries:
            return None
        options = {name: given for name, given in run.options.items() if name != "reverses"}
        if of.run.module == "dns_zones":
            options.pop("zone")
            return replace(run, module="dns_zones", options={**options, "zones": entries})
        return replace(run, options={**options, "records": entries})

    def _perform(self, step: Run) -> None:
        run = self._taking_back(step) if "reverses" in step.options else step
        if run is None:
            return
        outcome, world, story = self.outcome, self._world, self._story
        faults = {(one.call, one.number): one for one in story.faults if one.who == run.who}
        hands = [step for step in story.steps if isinstance(step, Hand) and step.before and step.before[0] == run.who]

        def before(number: int) -> None:
            for hand in hands:
                if hand.before == (run.who, number):
                    self._by_hand(hand)

        of_saves = {number: one for (call, number), one in faults.items() if call == "save"}

        def kept(zone: str) -> Kept:
            return outcome.kept.setdefault(f"{'database' if story.database else run.host} {zone}", Kept())

        def store(zone: str) -> SimulatedStore:
            return SimulatedStore(world, kept(zone), of_saves, is_shared=story.database)

        wire = Wire(world, outcome.zones, faults, before, lambda zone: kept(zone).journal)

        _options, perform = MODULES[run.module]
        played = Played(run, wish_of(run), world.now, reverses=step.options.get("reverses", ""))
        outcome.runs.append(played)
        first = len(outcome.zones.events)
        note = None if story.database else self._notes.setdefault(run.host, SimulatedNote())
        shared = _Own(lambda: wire, store, note)
        try:
            played.result = result_of(perform, Invocation(options_of(run), run.check, shared))
        except Killed:
            outcome.zones.events.append(Event(world.now, run.who, "killed"))
            raise
        finally:
            played.ended, played.sent = world.now, wire.sent
            played.deleted, played.unkept = wire.deleted, wire.unkept
            played.events = range(first, len(outcome.zones.events))

    def _by_hand(self, hand: Hand) -> None:
        zones = self.outcome.zones
        self.outcome.hands.append((self._world.now, hand))
        if hand.does == "add":
            zones.add(BY_HAND, "add", hand.key, hand.ttl, hand.value)
        else:
            zones.delete(BY_HAND, "delete", hand.key)

    def end(self) -> None:
        """Leave nothing of the processes behind."""
        for process in self._all:
            process.is_dead = True
            for task in process.tasks:
                if task:
                    task.throw(Killed)
