# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The world of a scenario: the service, the disks and the clock, in memory, and what goes wrong at which step.

A step is a request or a save. Everything that a process can do leads through here, so that one that is killed does
nothing any more, be it on its way out.
"""

from __future__ import annotations

import contextvars
import copy
import threading
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, NamedTuple
from urllib.parse import unquote

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import Machine

Key = tuple[str, str]
"""The absolute name and the type of a set."""
Held = tuple[int, tuple[str, ...]]
"""TTL and values, as they are; how they are shown is a habit."""
Zone = dict[Key, Held]

EPOCH = 1_800_000_000.0
ZONES = ("example.com.", "example.net.")
TIMEOUT = 30.0
TAKES = 0.05
"""Seconds that a request takes."""
SOA = "ns1.example.org. host.example.org. 1 7200 3600 1209600 3600"
OWNED: Zone = {(zone, rdtype): (3600, (value,)) for zone in ZONES for rdtype, value in
               (("SOA", SOA), ("NS", "ns1.example.org."))}  # fmt: skip


class Killed(BaseException):
    """Ends a process; raised again wherever it turns to on its way out."""


class Endless(Exception):
    """A scenario that does not come to an end."""


class NoAnswer(Exception):
    """A request without an answer."""


class DiskFull(Exception):
    """A save that cannot be made."""


@dataclass(frozen=True)
class Fault:
    """What goes wrong at one step."""

    name: str
    answer: int | str = ""
    """A status, ``none``, or ``kill``; the service's own where this is empty."""
    when: float | None = 0.0
    """So many seconds later what was asked is carried out; None: never."""
    before: str = ""
    """What happens just before: ``adds`` or ``deletes`` (by hand), ``run`` (another one, from its begin to its end)."""
    age: float = 0.0
    """Seconds by which the snapshot is old."""
    lasts: bool = False
    """Whether the value is refused from then on, until the last task is run again."""


@dataclass(frozen=True)
class Habits:
    """What the service does that its specification does not say."""

    lag: float = 0.0
    every: int = 1
    """Every so-manieth snapshot is *lag* seconds old."""
    status: int = 200
    has_body: bool = True
    least_ttl: int = 0
    only_ttl: int | None = None
    is_bare: bool = False
    """MX without preference."""
    shows_quotes: bool = False
    parses: bool = False
    """A text without quotes is read as zone files are."""
    wants_quotes: bool = False
    """A text without quotes is refused."""
    keeps_quotes: bool = False
    gone: int = 200
    """The status where what is to be deleted is not there."""
    there: int = 200
    late: float = 0.0
    """DELETEs are answered with 200, and carried out so many seconds later."""
    posts: int = 0
    """The status of each POST."""
    lowers: bool = False
    """CAA values are kept in small letters."""
    keeps: tuple[Key, ...] = ()
    """These cannot be deleted."""
    returns: tuple[Key, ...] = ()
    """These are made again as soon as they are deleted."""


PLAIN = Habits()


class Line(NamedTuple):
    """One line of the table of a scenario."""

    at: float
    who: str
    number: int | None
    what: str
    answer: str = ""
    held: Held | None = None


class Answer(NamedTuple):
    """As much of an answer as is looked at."""

    status_code: int
    content: bytes = b""
    headers: Mapping[str, str] = {}


class Process:
    """One run."""

    def __init__(self, who: str):
        self.who = who
        self.is_dead = False
        self.sent = {"GET": 0, "POST": 0, "DELETE": 0, "save": 0}


@dataclass
class World:
    """The service, the disks and the clock."""

    zone: Zone
    habits: Habits = PLAIN
    faults: Mapping[int, int] = field(default_factory=dict)
    """At the step of this number the so-manieth of what can go wrong there."""
    table: Mapping[str, Sequence[Fault]] = field(default_factory=dict)
    by_hand: tuple[Key, str] = (("", ""), "")
    """The set that people write to by hand, and what they add."""
    beside: Callable[[World], None] = lambda _world: None
    """Plays another run."""

    def __post_init__(self) -> None:
        self.t = 1000.0
        self.zone = {**OWNED, **self.zone}
        self.past: list[tuple[float, Zone]] = [(0.0, self.zone)]
        self.late: list[tuple[float, int, Any]] = []
        self.disks: dict[str, Any] = {}
        self.steps: list[str] = []
        self.by_people: list[tuple[float, str]] = []
        self.shown: set[tuple[Key, str, float]] = set()  # with since when it was there
        self.since: dict[tuple[Key, str], float] = {}
        self.refused: set[str] = set()
        self.came_late: set[tuple[Any, ...]] = set()
        self.lines: list[Line] = []
        self.writes: list[tuple[str, Key]] = []
        """Who has sent what for which set."""
        self.process = Process("nobody")

    def fork(self) -> World:
        """The same world, in which nothing that happens there is seen here, and nothing goes wrong any more."""
        other = copy.copy(self)
        other.faults, other.zone = {}, dict(self.zone)
        for name in (
            "past",
            "late",
            "steps",
            "by_people",
            "shown",
            "since",
            "refused",
            "came_late",
            "lines",
            "writes",
        ):
            setattr(other, name, copy.copy(getattr(self, name)))
        other.disks = {place: copy.copy(disk) for place, disk in self.disks.items()}
        return other

    # Time.

    def check_alive(self) -> None:
        """Raise Killed for a process that is no more."""
        if self.process.is_dead:
            raise Killed

    def advance(self, seconds: float) -> None:
        """Let time pass, and what was sent late come."""
        until = self.t + seconds
        while self.late and (first := min(self.late))[0] <= until:
            self.late.remove(first)
            self.t = max(self.t, first[0])
            self.came_late.add((first[2][0], *first[2][2:]))
            self.carry_out(first[2], "late")
        self.t = until
        if self.t > 10**6 or len(self.steps) > 2000:
            raise Endless(f"after {len(self.steps)} steps it still goes on")

    # Steps.

    def step(self, kind: str, what: str) -> Fault | None:
        """Whatever goes wrong at the next step; what somebody else does just before it has happened then."""
        self.check_alive()
        number = len(self.steps)
        self.steps.append(kind)
        self.process.sent[kind] += 1
        fault = self.table[kind][self.faults[number]] if number in self.faults else None
        if fault and fault.before:
            self._before(fault.before)
        self.lines.append(Line(self.t, self.process.who, number, what, fault.name if fault else ""))
        return fault

    def kill(self) -> None:
        """End the process that runs. Raises Killed."""
        self.process.is_dead = True
        for disk in self.disks.values():
            if disk.holder is self.process:
                disk.holder = None
        raise Killed

    def _before(self, what: str) -> None:
        if what == "run":
            self.beside(self)
        else:
            key, value = self.by_hand
            held = self.zone.get(key)
            if not self.carry_out(
                (key, held[0] if held else 300, value) if what == "adds" else (key,), "a person"
            ):
                self.by_people.append((self.t, what))

    def save(self, keep: Callable[[], None], what: str) -> None:
        """A step that saves something. Raises DiskFull."""
        fault = self.step("save", what)
        if fault and fault.answer == "full":
            raise DiskFull
        keep()
        if fault and fault.answer == "kill":
            self.kill()

    # The service.

    def send(
        self, method: str, path: str, query: dict[str, str] | None, body: dict[str, Any] | None
    ) -> Answer | Zone:
        """The answer to a request on a zone; of a snapshot the sets. Raises NoAnswer."""
        zone = next(zone for zone in ZONES if zone.replace(".", "") in unquote(path).split("/"))
        action = self._asked(zone, query, body)
        fault = self.step(
            method, f"{method} {zone if method == 'GET' else ' '.join(map(str, action))}"
        )
        self.advance(TAKES)
        answer = self._read(zone, fault) if method == "GET" else self._write(action, fault, body)
        if self.lines:
            status = "" if isinstance(answer, dict) else str(answer.status_code)
            last = self.lines[-1]
            shown = self.zone.get(action[0]) if method != "GET" else None
            self.lines[-1] = last._replace(answer=f"{last.answer} {status}".strip(), held=shown)
        return answer

    def _ends(self, fault: Fault) -> None:
        if fault.answer == "kill":
            self.kill()
        if fault.answer == "none":
            self.advance(TIMEOUT)
            raise NoAnswer

    def _read(self, zone: str, fault: Fault | None) -> Answer | Zone:
        if fault and isinstance(fault.answer, int):
            return _refusal(fault.answer)
        if fault:
            self._ends(fault)
        habits = self.habits
        age = (fault.age if fault else 0.0) or (
            habits.lag if len(self.steps) % habits.every == 0 else 0.0
        )
        sets = self.past[bisect_right(self.past, self.t - age, key=lambda one: one[0]) - 1][1]
        if not self.process.is_dead:
            for key, held in sets.items():
                self.shown.update(
                    (key, value, self.since.get((key, value), 0.0)) for value in held[1]
                )
        return {
            key: held for key, held in sets.items() if key[0] == zone or key[0].endswith(f".{zone}")
        }

    def _write(
        self, action: tuple[Any, ...], fault: Fault | None, body: dict[str, Any] | None
    ) -> Answer:
        habits, status = self.habits, 0
        self.writes.append((self.process.who, action[0]))
        if habits.posts and body:
            return _refusal(habits.posts)
        if habits.late and not body and not fault:
            fault = Fault("late", 200, habits.late)
        if body and (action[2] in self.refused or (fault and fault.lasts)):
            self.refused.add(action[2])
            return _refusal(422)
        if (
            body
            and habits.wants_quotes
            and body["type"] == "TXT"
            and not body["content"].startswith('"')
        ):
            return _refusal(422)
        if fault and fault.when:
            self.late.append((self.t + fault.when, len(self.steps), action))
        elif not fault or fault.when is not None:
            status = self.carry_out(action)
        if fault:
            self._ends(fault)
        if fault and isinstance(fault.answer, int):
            return (
                _refusal(fault.answer)
                if fault.answer >= 300
                else Answer(fault.answer, _success(fault.answer))
            )
        if status >= 300:
            return _refusal(status)
        return Answer(habits.status, _success(habits.status) if habits.has_body else b"")

    def _asked(
        self, zone: str, query: dict[str, str] | None, body: dict[str, Any] | None
    ) -> tuple[Any, ...]:
        if query:
            return ((query["name"], query["type"]),)
        if not body:
            return ()
        name, rdtype, content = body["name"], body["type"], str(body["content"])
        absolute = zone if name == "@" else name if name.endswith(".") else f"{name}.{zone}"
        if rdtype == "MX":
            content = f"{body['priority']} {content}"
        if rdtype == "TXT":
            is_quoted = content.startswith('"') and content.endswith('"') and len(content) > 1
            if is_quoted and not self.habits.keeps_quotes:
                content = content[1:-1]
            elif self.habits.parses and not is_quoted:
                content = "".join(content.partition(";")[0].split())
        if self.habits.lowers and rdtype == "CAA":
            content = content.lower()
        return (absolute, rdtype), int(body["ttl"]), content

    def carry_out(self, action: tuple[Any, ...], who: str = "") -> int:
        """Do to the zone what was asked, and tell with which status that is refused; 0 where it is not."""
        key = action[0]
        held = self.zone.get(key)
        status = (
            self._delete(key, held, who) if len(action) == 1 else self._add(key, held, *action[1:])
        )
        if who:
            what = "deletes" if len(action) == 1 else f"adds {action[2]}"
            self.lines.append(
                Line(self.t, who, None, f"{what}: {' '.join(key)}", str(status), self.zone.get(key))
            )
        if self.zone is not self.past[-1][1]:
            self.past.append((self.t, self.zone))
        return status

    def _delete(self, key: Key, held: Held | None, who: str) -> int:
        if key in self.habits.keeps and not who:
            return 403
        if held is None:
            return self.habits.gone if self.habits.gone >= 300 else 0
        if key not in self.habits.returns:
            self.zone = {other: of for other, of in self.zone.items() if other != key}
            for value in held[1]:
                self.since.pop((key, value), None)
        return 0

    def _add(self, key: Key, held: Held | None, ttl: int, value: str) -> int:
        habits = self.habits
        if held and value in held[1]:
            return habits.there if habits.there >= 300 else 0
        others = {other for other in self.zone if other[0] == key[0] and other != key}
        if others and (key[1] == "CNAME" or (key[0], "CNAME") in others):
            return 422
        ttl = max(ttl if habits.only_ttl is None else habits.only_ttl, habits.least_ttl)
        self.zone = {**self.zone, key: (held[0], (*held[1], value)) if held else (ttl, (value,))}
        self.since[key, value] = self.t
        return 0

    def shown_values(self, key: Key, held: Held) -> list[str]:
        """The values of a set as the service shows them."""
        habits, values = self.habits, held[1]
        if key[1] == "MX" and habits.is_bare:
            return [value.partition(" ")[2] for value in values]
        if key[1] == "TXT" and habits.shows_quotes:
            escaped = [value.replace('"', r"\"") for value in values]
            return [f'"{value}"' for value in escaped]
        return [*values]


def _refusal(status: int) -> Answer:
    return Answer(
        status,
        b'{"status": "Error", "message": "not so"}',
        {"Retry-After": "1"} if status == 503 else {},
    )


def _success(status: int) -> bytes:
    return b"" if status in (202, 204) else b'{"status": "Success", "message": "", "data": {}}'


class _Thread:
    """Runs inline, as soon as it is started, in a context of its own."""

    def __init__(self, run: Callable[[], None]):
        self._run = run

    def start(self) -> None:
        contextvars.copy_context().run(self._run)

    def is_alive(self) -> bool:
        return False

    def join(self) -> None:
        pass


class _Event(threading.Event):
    def __init__(self, turned: TurnedMachine):
        super().__init__()
        self._turned = turned

    def wait(self, timeout: float | None = None) -> bool:
        if not self.is_set():
            self._turned.sleep(timeout or 0.0)
        return self.is_set()


class TurnedMachine(Machine):
    """The machine of whoever runs in the *world*, whose clock moves only where somebody waits."""

    def __init__(self, world: World):
        self.world = world

    def monotonic(self) -> float:
        """See Machine."""
        self.world.check_alive()
        return self.world.t

    def time(self) -> float:
        """See Machine."""
        self.world.check_alive()
        return EPOCH + self.world.t

    def sleep(self, seconds: float) -> None:
        """See Machine."""
        self.world.check_alive()
        self.world.advance(max(0.0, seconds))

    def uniform(self, least: float, most: float) -> float:
        """See Machine."""
        return (least + most) / 2

    def lock(self) -> Any:
        """See Machine."""
        return threading.RLock()

    def event(self) -> Any:
        """See Machine."""
        return _Event(self)

    def queue(self) -> Any:
        """See Machine."""
        return SimpleQueue()

    def thread(self, run: Callable[..., None], *args: object) -> Any:
        """See Machine."""
        return _Thread(lambda: run(*args))
