# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The service: four calls on zones in memory, with all that services do beside what the specification says."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any
from urllib.parse import unquote

from story import ZONE, ZONES, Fault, Key, Service, Sets, key_of, zone_of
from world import Process, Task, World, here

from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import (
    Asked,
    ServiceError,
    TransientFailure,
    checked_envelope,
)

OLDEST = 16.0
"""Seconds by which a reading can be old (docs/design.md)."""
REMEMBERED = 60.0
"""Seconds in which what a set has held looks the same as what others add to it again."""
TIMEOUT = 30.0
BY_HAND = "by hand"
OWNED = frozenset({"SOA", "NS"})
TOKEN = "token-that-nobody-sees"
SUCCESS = b'{"status": "Success", "message": "", "data": {}}'


@dataclass(frozen=True)
class Event:
    """Something that was asked of the service, or that happened to it."""

    at: float
    who: str
    what: str
    answer: str = ""
    key: Key | None = None
    before: tuple[int, tuple[str, ...]] | None = None
    after: tuple[int, tuple[str, ...]] | None = None
    is_late: bool = False
    adds: str = ""
    shows: float | None = None
    """The moment as of which a reading is."""

    @property
    def changes(self) -> bool:
        """Whether a set is not what it was."""
        return self.key is not None and self.before != self.after


@dataclass
class Answer:
    """What the service answers."""

    status_code: int
    content: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


class Zones:
    """What the service holds, now and at each moment before."""

    def __init__(self, world: World, sets: Sets, service: Service):
        self._world = world
        self.service = service
        soa = "ns1.example.org. host.example.org. 1 7200 3600 1209600 3600"
        owned: Sets = {(zone, "SOA"): (3600, (soa,)) for zone in ZONES}
        self.sets: Sets = {**owned, **{(zone, "NS"): (3600, ("ns1.example.org.",)) for zone in ZONES}, **sets}
        self.events: list[Event] = []
        self.pending = 0
        """Writes that are still to be carried out."""
        self._taken: deque[float] = deque()
        self._moments = [float("-inf")]
        self._states = [self.sets]
        self._ttls: dict[Key, dict[str, int]] = {}  # of values with another TTL than their set
        self._ttls_of_states: dict[int, dict[Key, dict[str, int]]] = {}
        self._shown_sets: dict[tuple[int, str], bytes] = {}
        self._cached: dict[str, tuple[float, Sets]] = {}

    def takes_no_more(self) -> bool:
        """Whether a request that comes in now is one too many in a second; else it is taken."""
        while self._taken and self._taken[0] <= self._world.now - 1:
            self._taken.popleft()
        if self.service.a_second and len(self._taken) >= self.service.a_second:
            return True
        self._taken.append(self._world.now)
        return False

    def held_at(self, moment: float) -> Sets:
        """What it held then."""
        return self._states[bisect_right(self._moments, moment) - 1]

    def read(self, zone: str, age: float) -> tuple[float, Sets]:
        """What a reading is shown of a zone, and of which moment that is: so old, or as a cache has it."""
        now = self._world.now
        found = now - age, self.held_at(now - age)
        if self.service.cache:
            cached = self._cached.get(zone)
            if cached and now < cached[0] + self.service.cache:
                return cached
            self._cached[zone] = found
        return found

    def held_between(self, first: float, last: float) -> list[Sets]:
        """Everything that it held from one moment to another."""
        return self._states[max(0, bisect_right(self._moments, first) - 1) : bisect_right(self._moments, last)]

    def add(self, who: str, what: str, key: Key, ttl: int, value: str, *, is_late: bool = False) -> int:
        """Add a value; the status that tells what became of that."""
        held = self.sets.get(key)
        if value in self.service.refuses:
            return 422
        least, most = self.service.ttls
        ttl = min(max(-(-ttl // self.service.ttl_step) * self.service.ttl_step, least), most)
        if held is None:
            self._becomes(who, what, key, (ttl, (value,)), is_late=is_late, adds=value)
        elif value in held[1]:
            if self.service.takes_ttl and self.service.duplicate == 200:
                self._becomes(who, what, key, (ttl, held[1]), is_late=is_late, adds=value)
            return self.service.duplicate
        else:
            kept = ttl if self.service.takes_ttl else held[0]
            if self.service.rows:
                self._ttls = {**self._ttls, key: {**self._ttls.get(key, {}), value: ttl}}
            self._becomes(who, what, key, (kept, (*held[1], value)), is_late=is_late, adds=value)
        return self.service.status

    def delete(self, who: str, what: str, key: Key, *, is_late: bool = False) -> int:
        """Delete a set; the status that tells what became of that."""
        held = self.sets.get(key)
        if key in self.service.keeps and who != BY_HAND:
            return 403
        if held is None:
            return self.service.absent
        self._becomes(who, what, key, None, is_late=is_late)
        for other in [one for one in self.sets if self.service.wide and one[0] == key[0] and one[1] not in OWNED]:
            self._becomes(who, what, other, None, is_late=is_late)
        if key in self.service.returns:
            self._becomes("the service", f"{what} comes back", key, held, is_late=is_late)
        return self.service.status

    def _becomes(
        self,
        who: str,
        what: str,
        key: Key,
        now: tuple[int, tuple[str, ...]] | None,
        *,
        is_late: bool,
        adds: str = "",
    ) -> None:
        before = self.sets.get(key)
        self.sets = {**self.sets}
        if now is None:
            del self.sets[key]
            self._ttls = {other: ttls for other, ttls in self._ttls.items() if other != key}
        else:
            self.sets[key] = now
        self._moments.append(self._world.now)
        self._states.append(self.sets)
        self._ttls_of_states[id(self.sets)] = self._ttls
        self.events.append(Event(self._world.now, who, what, "", key, before, now, is_late, adds))

    def shown(self, sets: Sets, zone: str) -> bytes:
        """The answer to a reading of a state of a zone."""
        number = id(sets), zone  # they are all kept as long as the numbers
        if number not in self._shown_sets:
            of_zone = {key: held for key, held in sets.items() if zone_of(key) == zone}
            self._shown_sets[number] = self._as_shown(of_zone, self._ttls_of_states.get(id(sets), {}))
        return self._shown_sets[number]

    def shown_in_part(self, sets: Sets, zone: str) -> bytes:
        """The answer to a reading that lacks the SOA, and half of the other sets."""
        there = [key for key in sets if zone_of(key) == zone and key[1] != "SOA"]
        return self._as_shown({key: sets[key] for key in there[::2]}, self._ttls_of_states.get(id(sets), {}))

    def _as_shown(self, sets: Sets, ttls: dict[Key, dict[str, int]]) -> bytes:
        records = []
        for key, (ttl, values) in sets.items():
            rows: dict[int, list[str]] = {}
            for value in values:
                rows.setdefault(ttls.get(key, {}).get(value, ttl), []).append(self._shown(key[1], value))
            records += [{"name": key[0], "type": key[1], "ttl": of, "contents": shown} for of, shown in rows.items()]
        return json.dumps({"status": "Success", "message": "", "data": {"records": records}}).encode()

    def _shown(self, rdtype: str, value: str) -> str:
        if rdtype == "TXT" and self.service.quotes:
            quotes_of_its_own = value.replace('"', r"\"")
            return f'"{quotes_of_its_own}"'
        return value.partition(" ")[2] if rdtype == "MX" and self.service.bare else value

    def read_as(self, body: dict[str, Any]) -> str:
        """What the service makes of a value that is sent."""
        content = str(body["content"])
        if body["type"] == "MX":
            return f"{body['priority']} {content}" if "priority" in body else content
        if body["type"] == "TXT":
            if content.startswith('"') and content.endswith('"') and len(content) > 1:
                return content if self.service.keeps_quotes else content[1:-1]
            if self.service.parses:
                return "".join(content.partition(";")[0].split())
        return content


class Wire:
    """A Sender of one process, without a network."""

    base_url = "https://dns.example/api"

    def __init__(
        self,
        world: World,
        zones: Zones,
        faults: dict[tuple[str, int], Fault],
        before: Callable[[int], None],
        journal: Callable[[str], bytes | None],
    ):
        self._world = world
        self._zones = zones
        self._faults = faults
        self._before = before
        self._journal = journal
        self._read_last: dict[tuple[Task, str], tuple[int, Key | None, Sets]] = {}
        self._read_first: list[tuple[float, str, Sets]] = []  # before anything was written
        self._wrote_last: dict[Task, Key] = {}
        self.sent = 0
        self.deleted: list[Key] = []
        self.unkept: list[tuple[Key, list[str]]] = []
        """What a reading showed and was there when a DELETE was sent, and no journal had."""
        self._counts = {"GET": 0, "POST": 0, "DELETE": 0}

    def send(self, method: str, path: str, query: dict[str, str] | None, body: dict[str, Any] | None) -> dict[str, Any]:
        """See Sender."""
        process, world = here().process, self._world
        if process.is_dead:
            world.sleep(0)
        self.sent += 1
        self._before(self.sent)
        self._counts[method] += 1
        if method != "GET":
            self._wrote_last[here()] = _key(path, query, body)
        fault = self._faults.get((method, self._counts[method]))
        pace = self._zones.service.pace
        takes = pace[(self.sent + 3 * len(process.who)) % len(pace)]
        if fault and fault.kind == "kill" and not fault.seconds:
            self._log(process, method, path, query, body, "killed before")
            world.kill(process)
        if fault and fault.kind == "refused":
            world.sleep(takes)
            self._log(process, method, path, query, body, "no connection")
            raise TransientFailure(ServiceError("no connection to dns.example"), not_carried_out=True)
        world.sleep(takes / 2)
        answer = self._answer(process, method, path, query, body, fault)
        world.sleep(takes / 2 if answer else TIMEOUT)
        if fault and fault.kind == "kill":
            world.kill(process)
        if answer is None:
            raise TransientFailure(ServiceError("dns.example did not answer within 30 s"), not_carried_out=False)
        if answer.status_code == 200:
            return _checked(answer.content)
        asked = Asked(method, self.base_url, path)
        return checked_envelope(answer, answer.content, TOKEN, asked)  # type: ignore[arg-type] # duck-typed

    def _answer(
        self,
        process: Process,
        method: str,
        path: str,
        query: dict[str, str] | None,
        body: dict[str, Any] | None,
        fault: Fault | None,
    ) -> Answer | None:
        kind = fault.kind if fault else ""
        what = _what(method, path, query, body)
        if self._zones.takes_no_more():
            self._log(process, method, path, query, body, "429")
            return Answer(
                429, b'{"message": "too many"}', {"Retry-After": "1"} if self._zones.service.says_when else {}
            )
        if kind.isdigit() and kind != "504":
            self._log(process, method, path, query, body, kind)
            retry = {"Retry-After": str(int(fault.seconds))} if fault and fault.seconds else {}
            return Answer(int(kind), b'{"message": "not now"}', retry)
        if kind == "lost" or (kind in ("late", "504", "accepted") and method == "GET"):
            self._log(process, method, path, query, body, "no answer, not carried out")
            return None
        if method == "GET":
            return self._read(process, path, is_partial=kind == "partial")
        key = _key(path, query, body)
        carry_out = self._carrier(process.who, what, key, body)
        if method == "DELETE":
            self.deleted.append(key)
            self._note_unkept(key)
        if fault and kind in ("late", "504", "accepted"):
            told = {"late": "no answer", "504": "504", "accepted": "202"}[kind]
            when = "never carried out" if fault.seconds < 0 else f"carried out {fault.seconds:g} s late"
            self._log(process, method, path, query, body, f"{told}, {when}")
            if fault.seconds >= 0:
                self._zones.pending += 1
                self._world.at(self._world.now + fault.seconds, lambda: self._late(carry_out))
            return {"late": None, "504": Answer(504, b"gateway"), "accepted": Answer(202)}[kind]
        status = carry_out(False)
        told = "no answer, carried out" if kind == "done" else str(status)
        self._log(process, method, path, query, body, told)
        if kind == "done":
            return None
        if status in (202, 204):
            return Answer(status)
        return Answer(status, SUCCESS if status < 300 else b'{"message": "as it is, it cannot be"}')

    def _late(self, carry_out: Callable[[bool], int]) -> None:
        self._zones.pending -= 1
        carry_out(True)

    def _carrier(self, who: str, what: str, key: Key, body: dict[str, Any] | None) -> Callable[[bool], int]:
        zones = self._zones
        if body is None:
            return lambda is_late: zones.delete(who, what, key, is_late=is_late)
        value, ttl = zones.read_as(body), int(body["ttl"])
        return lambda is_late: zones.add(who, what, key, ttl, value, is_late=is_late)

    def _read(self, process: Process, path: str, *, is_partial: bool) -> Answer:
        zone = _zone(path)
        if not zone:
            return Answer(404, b'{"message": "no such zone"}')
        ages = self._zones.service.ages
        age = ages[(self.sent + 5 * len(process.who)) % len(ages)]
        at, sets = self._zones.read(zone, age)
        told = f"as it was {self._world.now - at:.4g} s before" if at < self._world.now else "as it is"
        what = _what("GET", path, None, None)
        if is_partial:
            self._zones.events.append(Event(self._world.now, process.who, what, f"{told}, but for the SOA and more"))
            return Answer(200, self._zones.shown_in_part(sets, zone))
        self._read_last[here(), zone] = self.sent, self._wrote_last.get(here()), sets
        if not self._wrote_last:
            self._read_first.append((at, zone, sets))
        self._zones.events.append(Event(self._world.now, process.who, what, told, shows=at))
        return Answer(200, self._zones.shown(sets, zone))

    def _note_unkept(self, key: Key) -> None:
        """What the thread read last is what it knows of the set; but for what it read because of another set.

        What it read before it wrote anything it knows too, if that has been there ever since; but for what had gone
        before, and came again, which looks the same where a reading may be old.
        """
        zone = zone_of(key)
        readings = (self._read_last.get((task, zone)) for task in (here(), here().process.tasks[0]))
        counting = (reading for reading in readings if reading and reading[1] in (None, key))
        _number, _because, sets = max(counting, default=(0, None, Sets()), key=lambda one: one[0])
        journal = json.loads(self._journal(zone) or b'{"entries": []}')
        kept = {
            value.strip('"')
            for entry in journal["entries"]
            if tuple(entry["key"]) == key
            for side in (entry["before"], entry["after"])
            for value in (side or {}).get("contents", ())
        }
        there, shown = (set(of.get(key, (0, ()))[1]) for of in (self._zones.sets, sets))
        # By a clock that was set back, nobody can tell whether a set was read before it was written or after.
        first = ((at, read) for at, of, read in self._read_first if of == zone and not self._world.skew)
        shown |= {value for at, read in first for value in self._staying(key, read, at)}
        if unkept := sorted((shown & there) - kept):
            self.unkept.append((key, unkept))

    def _staying(self, key: Key, read: Sets, at: float) -> Iterator[str]:
        """What a reading showed as of a moment, and has not come and gone since, or lately before."""
        held = [sets.get(key, (0, ()))[1] for sets in self._zones.held_between(at - REMEMBERED, self._world.now)]
        for value in read.get(key, (0, ()))[1]:
            if not any(value in before and value not in after for before, after in pairwise(held)):
                yield value

    def _log(
        self,
        process: Process,
        method: str,
        path: str,
        query: dict[str, str] | None,
        body: dict[str, Any] | None,
        answer: str,
    ) -> None:
        self._zones.events.append(Event(self._world.now, process.who, _what(method, path, query, body), answer))


class Shown(dict[str, Any]):
    """What an answer with 200 has; nobody changes it."""

    sets: dict[Any, Any] | None = None
    """The record sets that it shows, for whom looks through it again."""


@lru_cache(2000)
def _checked(content: bytes) -> Shown:
    """An answer with 200, looked at once however often it is given."""
    answer: Any = Answer(200, content)  # of requests as far as that is looked at
    return Shown(checked_envelope(answer, content, TOKEN, Asked("GET", Wire.base_url, "")))


@cache
def _zone(path: str) -> str:
    slugs = unquote(path).split("/")
    return next((zone for zone in ZONES if zone.replace(".", "") in slugs), "")


def _key(path: str, query: dict[str, str] | None, body: dict[str, Any] | None) -> Key:
    if query:
        return query["name"], query["type"]
    return key_of(_zone(path), body or {"type": ""})


def reading_of(zone: str) -> str:
    """What is asked of the service where a zone is read, as an event has it."""
    return "GET" if zone == ZONE else f"GET {zone}"


def deletion_of(key: Key) -> str:
    """What is asked of the service where a set is deleted, as an event has it."""
    name, rdtype = key
    return f"DELETE {name.removesuffix(f'.{ZONE}') if name != ZONE else '@'} {rdtype}"


def _what(method: str, path: str, query: dict[str, str] | None, body: dict[str, Any] | None) -> str:
    if method == "GET":
        return reading_of(_zone(path))
    name, rdtype = _key(path, query, body)
    if not body:
        return deletion_of((name, rdtype))
    short = name.removesuffix(f".{ZONE}") if name != ZONE else "@"
    priority = f"{body['priority']} " if "priority" in body else ""
    return f"POST {short} {body['ttl']} {rdtype} {priority}{body['content']}"
