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
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from queue import SimpleQueue
from typing import Any, NamedTuple
from urllib.parse import unquote

import rules
from habitual_zone import Done, HabitualZone, as_kept, with_habits
from settings import Settings
from store import Held, Key, RefusedError, Sets, Write
from zone_habits import Habits
from zones import as_stored

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import Machine

EPOCH = 1_800_000_000.0
ZONES = ("example.com.", "example.net.")
TIMEOUT = 30.0
TAKES = 0.05
"""Seconds that a request takes."""
JUST_BEFORE = 3.0
"""Seconds between an edit and the start."""
SOA = "ns1.example.org. host.example.org. 1 7200 3600 1209600 3600"
OWNED: Sets = {(zone, rdtype): (3600, (value,)) for zone in ZONES for rdtype, value in
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
    busy: float = 0.0
    """For so many seconds no value is taken; the answers say how long still."""


PLAIN = Habits(gone=200, there=200, keeps_ttl=True, txt_read="plain")
"""Those of a service that does what it is asked."""


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

    sets: Sets
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
        self.zone = HabitualZone({**OWNED, **self.sets}, self.habits, forgets=False)
        self.disks: dict[str, Any] = {}
        self.steps: list[str] = []
        self.by_people: list[tuple[float, str]] = []
        self.shown: set[tuple[Key, str, float]] = set()  # with since when it was there
        self.since: dict[tuple[Key, str], float] = {}
        self.refused: set[str] = set()  # in whatever quotes
        self.refuses = True
        self.busy_until = 0.0
        self.came_late: set[tuple[Key, str | None]] = set()
        self.lines: list[Line] = []
        self.writes: list[tuple[str, Key]] = []
        """Who has sent what for which set."""
        self.process = Process("nobody")

    @property
    def is_refusing(self) -> bool:
        """Whether there are values that are refused."""
        return self.refuses and bool(self.refused)

    def fork(self) -> World:
        """The same world, in which nothing that happens there is seen here, and nothing goes wrong any more."""
        other = copy.copy(self)
        other.faults, other.zone = {}, self.zone.fork()
        for name in (
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
        self.t += seconds
        for done in self.zone.catch_up(self.t):
            self.came_late.add((done.write.key, done.write.value))
            self._note(done, "late")
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

    def was_just_edited(self) -> None:
        """A person has added a value, so that a stale snapshot hides it."""
        self.t -= JUST_BEFORE
        self._before("adds")
        self.t += JUST_BEFORE

    def _before(self, what: str) -> None:
        if what == "run":
            self.beside(self)
        else:
            key, value = self.by_hand
            ttl = self.zone.sets.get(key, (300, ()))[0]
            write = Write(key, value, ttl) if what == "adds" else Write(key)
            done = self.zone.carry_out(write, self.t, by_hand=True)
            self._note(done, "a person")
            if not done.refusal:
                self.by_people.append((self.t, what))

    def _note(self, done: Done, who: str = "") -> None:
        """Write down what the set has held since when, and, where nobody was answered, a line."""
        key, value = done.write.key, done.write.value
        before = done.before[1] if done.before else ()
        after = done.after[1] if done.after else ()
        for gone in before:
            if gone not in after:
                self.since.pop((key, gone), None)
        if len(after) > len(before):
            self.since[key, after[-1]] = done.at
        if who:
            what = "deletes" if value is None else f"adds {value}"
            status = str(done.refusal.status if done.refusal else 0)
            text = f"{what}: {' '.join(key)}"
            self.lines.append(Line(done.at, who, None, text, status, done.after))

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
    ) -> Answer | Sets:
        """The answer to a request on a zone; of a snapshot the sets. Raises NoAnswer."""
        zone = next(zone for zone in ZONES if zone.replace(".", "") in unquote(path).split("/"))
        if method == "GET":
            fault = self.step(method, f"{method} {zone}")
            self.advance(TAKES)
            answer = self._read(zone, fault)
            shown = None
        else:
            sent = tuple((query or body or {}).items())
            write, refusal = _asked(zone, method, sent, self.zone.habits)
            what = f"{write.key} {write.value or ''} {write.ttl or ''}"
            fault = self.step(method, f"{method} {what}")
            self.advance(TAKES)
            self.writes.append((self.process.who, write.key))
            answer = _refusal(refusal) if refusal else self._write(write, fault)
            shown = self.zone.sets.get(write.key)
        if self.lines:
            status = "" if isinstance(answer, dict) else str(answer.status_code)
            last = self.lines[-1]
            self.lines[-1] = last._replace(answer=f"{last.answer} {status}".strip(), held=shown)
        return answer

    def _ends(self, fault: Fault) -> None:
        if fault.answer == "kill":
            self.kill()
        if fault.answer == "none":
            self.advance(TIMEOUT)
            raise NoAnswer

    def _read(self, zone: str, fault: Fault | None) -> Answer | Sets:
        if fault and isinstance(fault.answer, int):
            return _refusal(fault.answer)
        if fault:
            self._ends(fault)
        self.zone.asked = len(self.steps)
        sets = self.zone.read(self.t, fault.age if fault else 0.0)
        if not self.process.is_dead:
            for key, held in sets.items():
                self.shown.update(
                    (key, value, self.since.get((key, value), 0.0)) for value in held[1]
                )
        return {
            key: held for key, held in sets.items() if key[0] == zone or key[0].endswith(f".{zone}")
        }

    def _write(self, write: Write, fault: Fault | None) -> Answer:
        habits, status = self.zone.habits, 0
        try:
            self.zone.check(write, self.t)
        except RefusedError as refused:
            return _refusal(refused.status)
        delay = self.zone.delay(write)
        if delay and not fault:
            fault = Fault("late", 200, delay)
        is_lasting = fault is not None and fault.lasts
        text = unquoted(write.value or "")
        is_refused = self.is_refusing and text in self.refused
        if write.value is not None and (is_refused or is_lasting):
            self.refused.add(text)
            return _refusal(422)
        if fault and fault.busy:
            self.busy_until = self.t + fault.busy
        if write.value is not None and self.t < self.busy_until:
            return _refusal(429, math.ceil(self.busy_until - self.t))
        if fault and fault.when:
            self.zone.later(write, self.t + fault.when)
        elif not fault or fault.when is not None:
            done = self.zone.carry_out(write, self.t)
            self._note(done)
            status = done.refusal.status if done.refusal else 0
        if fault:
            self._ends(fault)
        if fault and isinstance(fault.answer, int):
            if fault.answer >= 300:
                return _refusal(fault.answer)
            return Answer(fault.answer, _success(fault.answer))
        if status:
            return _refusal(status)
        content = _success(habits.write_status) if habits.has_body else b""
        return Answer(habits.write_status, content)


@cache
def _asked(
    zone: str, method: str, sent: tuple[tuple[str, Any], ...], habits: Habits
) -> tuple[Write, int]:
    """What a request asks for, and the status where the service takes no such request."""
    if method == "DELETE":
        return rules.deletion(sent, zone), 0
    body = dict(sent)
    try:
        taken = as_kept(body, habits)
        return as_stored(rules.addition(taken, zone, with_habits(Settings(), habits)), zone), 0
    except RefusedError as refused:
        name = body["name"].removesuffix("@")
        absolute = name if name.endswith(".") else f"{name}.{zone}".lstrip(".")
        return Write((absolute, body["type"]), body["content"], body["ttl"]), refused.status


def unquoted(value: str) -> str:
    """A value without quotes, be they a part of it or not."""
    return value.replace('\\"', "").strip('"')


def _refusal(status: int, retry_after: int = 0) -> Answer:
    if status == 503:
        retry_after = 1
    headers = {"Retry-After": str(retry_after)} if retry_after else {}
    return Answer(status, b'{"status": "Error", "message": "not so"}', headers)


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
