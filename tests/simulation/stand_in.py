# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs of modules in a simulated world, at the stand-in service's own code: hours of waiting take no time.

tests/oddities and tests/faults play their cases here; forks.py of the former is the same for real. What is not as
there: requests are handed over without HTTP, journal and memory are kept without a disk, and a process is killed where
it waits. What a service does, and what a module does, is the same code.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlencode

from aiohttp import hdrs, web
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from clock import Clock
from faults import Fault, Faults
from log import Log
from multidict import CIMultiDict
from odd_zones import OddZones
from oddities import Oddities
from rules import zone_detail
from settings import Settings
from store import ZoneDefinition
from stores import Kept, SimulatedNote, SimulatedStore
from web import Interface
from world import Killed, Process, SimulatedMachine, Task, World
from yarl import URL
from zones import MemoryZones

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import in_place_of_it
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import FILES, Invocation, Shared
from ansible_collections.zonesmith.dns.plugins.module_utils._run.results import result_of
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import (
    Asked,
    ServiceError,
    TransientFailure,
    checked_envelope,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._service.connection import Connection
from ansible_collections.zonesmith.dns.plugins.module_utils._service.under_way import Concurrency
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import Store
from ansible_collections.zonesmith.dns.plugins.modules import dns_record, dns_records, dns_zones

MODULES: Mapping[str, tuple[ArgumentSpecValidator, Callable[[Invocation], dict[str, Any]]]] = {
    "dns_record": (ArgumentSpecValidator(dns_record.OPTIONS), dns_record.converge_record_set),
    "dns_records": (ArgumentSpecValidator(dns_records.OPTIONS), dns_records.converge_record_sets),
    "dns_zones": (ArgumentSpecValidator(dns_zones.OPTIONS), dns_zones.converge_account),
}
BASE_URL = "https://dns.example"
Answered = TypeVar("Answered")

ON_THE_WAY = 0.001
"""Seconds that a request takes, and an answer."""


def _done(work: Awaitable[Any]) -> Any:
    """What comes of code of the service, which waits for nothing but its clock, and that for the world."""
    steps = work.__await__()
    try:
        next(steps)
    except StopIteration as end:
        return end.value
    raise AssertionError("the service waits for something else than its clock")


class WorldClock(Clock):
    """The clock of a service in the world."""

    def __init__(self, world: World, process: Process) -> None:
        super().__init__()
        self._world = world
        self._process = process

    def now(self) -> float:
        """See Clock."""
        return self._world.now

    async def sleep(self, seconds: float) -> None:
        """See Clock."""
        self._world.sleep(seconds)

    async def wait(self, _event: asyncio.Event, seconds: float) -> None:
        """See Clock. Nobody takes back a fault here."""
        self._world.sleep(seconds)

    def later(self, seconds: float, do: Callable[[], Awaitable[object]]) -> None:
        """See Clock."""
        self._world.at(self._world.now + seconds, lambda: self._world.begin(self._process, lambda: _done(do())))


@dataclass(eq=False)
class Transport:
    """A connection, until somebody cuts it."""

    is_cut: bool = False

    def abort(self) -> None:
        """Cut it."""
        self.is_cut = True

    def is_closing(self) -> bool:
        """Whether it is cut."""
        return self.is_cut


class Request:
    """What the service has of a request."""

    content_type = "application/json"

    def __init__(self, method: str, target: str, raw: bytes, transport: Transport, token: str) -> None:
        self.method = method
        self.rel_url = URL(target, encoded=True)
        self.path = self.rel_url.path
        self.query = self.rel_url.query
        self.transport = transport
        self.headers = CIMultiDict({hdrs.AUTHORIZATION: f"Bearer {token}", hdrs.ACCEPT: self.content_type})
        self._raw = raw

    async def read(self) -> bytes:
        """Its body."""
        return self._raw


class WorldService:
    """The stand-in service, with as much of running.Service as cases use."""

    token = "token-that-nobody-sees"
    url = BASE_URL

    def __init__(self, world: World) -> None:
        self.process = Process("the service", "service")
        self._settings = Settings(token=self.token)
        clock = WorldClock(world, self.process)
        self._zones, self._faults, self._log = MemoryZones(self._settings), Faults(), Log(clock)
        self._odd_zones = OddZones(self._zones, Oddities(), clock)
        self._interface = Interface(self._zones, self._odd_zones, self._settings, self._faults, self._log, clock)

    def zone(self, name: str, records: Iterable[tuple[str, str, int, Sequence[str]]]) -> None:
        """See running.Service."""
        rows = [
            {"name": owner, "type": rdtype, "ttl": ttl, "contents": list(contents)}
            for owner, rdtype, ttl, contents in records
        ]
        _done(self._zones.put_zone(ZoneDefinition.from_json(name, {"records": rows})))

    def records(self, name: str) -> list[dict[str, Any]]:
        """See running.Service."""
        shown: dict[str, Any] = json.loads(json.dumps(zone_detail(_done(self._zones.records(name)), self._settings)))
        records: list[dict[str, Any]] = shown["data"]["records"]
        return records

    def odd(self, zone: str, **oddities: Any) -> None:
        """See running.Service."""
        self._odd_zones.put(zone, Oddities.from_json(oddities))

    def fault(self, kind: str, **fields: Any) -> None:
        """See running.Service."""
        self._faults.add(Fault.from_json({"kind": kind, **fields}))

    def is_met(self) -> bool:
        """Whether a fault has seen as many requests as it waits for."""
        return any(fault["seen"] >= fault["nth"] for fault in self._faults.as_json())

    def clear_faults(self) -> None:
        """See running.Service."""
        self._faults.clear()

    def log(self, path: str) -> list[dict[str, Any]]:
        """See running.Service."""
        return [dict(entry) for entry in self._log.as_json() if path in entry["path"]]

    def answer(self, request: Request) -> web.Response:
        """What comes of a request; waits until that is so."""
        response: web.Response = _done(self._interface.handle(request))  # type: ignore[arg-type]
        return response


@dataclass
class Answer:
    """An answer as what looks at it takes it."""

    status_code: int
    content: bytes
    headers: Mapping[str, str]


class Wire:
    """The Sender of one process."""

    def __init__(self, world: World, service: WorldService, machine: SimulatedMachine, connection: Connection) -> None:
        self.base_url = BASE_URL
        self._world = world
        self._service = service
        self._machine = machine
        self._connection = connection
        self._idle: list[Transport] = []

    def send(self, method: str, path: str, query: dict[str, str] | None, body: dict[str, Any] | None) -> dict[str, Any]:
        """See Sender."""
        transport = self._idle.pop() if self._idle else Transport()
        asked = Asked(method, self.base_url, f"{path}?{urlencode(query)}" if query else path)
        raw = b"" if body is None else json.dumps(body).encode()
        request = Request(method, asked.path, raw, transport, self._connection.access_token)
        response = self._answer(request)
        if response is None or transport.is_cut:
            raise TransientFailure(ServiceError("dns.example did not answer"), not_carried_out=False)
        self._idle.append(transport)
        content = bytes(response.body or b"")  # type: ignore[arg-type]
        answer = Answer(response.status, content, response.headers)
        return checked_envelope(answer, content, self._connection.access_token, asked)  # type: ignore[arg-type]

    def _answer(self, request: Request) -> web.Response | None:
        """The response, or None where none comes in time; who asked may be gone, and the service goes on."""
        answers: list[web.Response] = []
        changed = self._machine.condition()

        def serve() -> None:
            self._world.sleep(ON_THE_WAY)
            answers.append(self._service.answer(request))
            self._world.sleep(ON_THE_WAY)
            with changed:
                changed.notify_all()

        self._world.begin(self._service.process, serve)
        with changed:
            changed.wait(self._connection.timeout)
        return answers[0] if answers else None


class _Own(Shared):
    """What a process of the world shares: its way to the service, and what is kept on its machine."""

    def __init__(
        self, connected: Callable[[Connection, int], Wire], stores: Callable[[str], Store], note: SimulatedNote
    ) -> None:
        super().__init__()
        self._connected = connected
        self._stores = stores
        self._note = note

    def _opened(self, connection: Connection, concurrency: Concurrency) -> Client:
        return Client(connection, concurrency, self._connected)  # type: ignore[arg-type] # a wire, duck-typed

    def stores(self, *place: Any) -> tuple[Store, Store | None]:
        """See Shared."""
        _state_dir, _state_url, _base_url, zone, _lock_timeout = place
        return self._stores(zone), None

    def note(self, *_place: Any) -> SimulatedNote:
        """See Shared."""
        return self._note


@dataclass
class SimulatedRun:
    """One run of a module."""

    world: World
    process: Process
    said: dict[str, Any] = field(default_factory=lambda: {"failed": True, "msg": "the module died without a result"})
    tasks: list[Task] = field(default_factory=list)

    def is_over(self) -> bool:
        """See Fork."""
        return self.process.is_dead or self.tasks[0].is_over

    def kill(self) -> None:
        """See Fork."""
        self.world.kill(self.process)

    def result(self) -> Mapping[str, Any]:
        """See Fork."""
        if not self.process.is_dead:
            self.tasks[0].join()
        return self.said


class SimulatedRuns:
    """What Forks is, in the world."""

    def __init__(self, world: World, machine: SimulatedMachine) -> None:
        self.service = WorldService(world)
        self.all: list[Process] = [self.service.process]
        self._world = world
        self._machine = machine
        self._kept: dict[str, Kept] = {}
        self._note = SimulatedNote()

    def now(self) -> float:
        """See Forks."""
        return self._world.now

    def sleep(self, seconds: float) -> None:
        """See Forks."""
        self._world.sleep(seconds)

    def begin(self, module: str, options: Mapping[str, Any], *, check: bool) -> SimulatedRun:
        """See Forks."""
        run = SimulatedRun(self._world, Process(f"run {len(self.all)}", "one"))
        self.all.append(run.process)

        def perform() -> None:
            try:
                run.said = self._perform(module, options, check=check)
            except Killed:
                raise
            except Exception as error:  # noqa: BLE001 - as of a module that ends with a traceback
                run.said = {"failed": True, "msg": "Traceback", "exception": f"Traceback: {error!r}"}

        run.tasks.append(self._world.begin(run.process, perform))
        return run

    def _perform(self, module: str, options: Mapping[str, Any], *, check: bool) -> dict[str, Any]:
        validator, perform = MODULES[module]
        connection = {"base_url": BASE_URL, "access_token": self.service.token, "state_dir": "/state"}
        validated = validator.validate({**connection, **options})
        if validated.error_messages:
            return {"failed": True, "msg": "; ".join(validated.error_messages)}
        shared = _Own(
            lambda connection, _connections: Wire(self._world, self.service, self._machine, connection),
            lambda zone: SimulatedStore(self._world, self._kept.setdefault(zone, Kept()), {}, is_shared=False),  # type: ignore[arg-type]
            self._note,
        )
        result = result_of(perform, Invocation({**validated.validated_parameters, FILES: None}, check, shared))
        said: dict[str, Any] = json.loads(json.dumps(result))
        return said

    def journals(self) -> dict[str, str]:
        """See Forks."""
        return {zone: kept.journal.decode() for zone, kept in self._kept.items() if kept.journal}

    def write_journal(self, name: str, text: str) -> None:
        """See Forks."""
        self._kept[name].journal = text.encode()


def in_a_world(tell: Callable[[SimulatedRuns], Answered]) -> Answered:
    """What comes of something that is played in a world of its own."""
    world = World()
    machine = SimulatedMachine(world)
    runs = SimulatedRuns(world, machine)
    told: list[Answered] = []
    with in_place_of_it(machine):
        world.begin(Process("the case", "one"), lambda: told.append(tell(runs)))
        world.run()
        for process in runs.all:
            process.is_dead = True
            for task in process.tasks:
                if task:
                    task.throw(Killed)
    return told[0]
