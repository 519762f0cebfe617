# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A world whose time goes on where nothing else happens: processes, their threads, and machines that they are on.

Threads are greenlets that take turns where the code sleeps, waits, sends or saves, and nowhere else. What happens at
one moment happens in the order in which it was asked for, so that one story is always played the same way.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from queue import Empty
from typing import Any

from greenlet import getcurrent, greenlet

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import Machine

EPOCH = 1_800_000_000.0
MOST_EVENTS = 60_000
"""After so many a story counts as one that does not end."""


class Killed(BaseException):
    """Ends the threads of a process that is no more; whatever they do on their way out happens nowhere."""


class Endless(Exception):
    """A story that does not come to an end."""


class Process:
    """One process on one machine, and what it has asked for so far."""

    def __init__(self, who: str, host: str):
        self.who = who
        self.host = host
        self.is_dead = False
        self.tasks: list[Task] = []
        self.at_end: list[Callable[[], None]] = []
        """What the system does when it is gone, such as to let go of its locks."""


class Task(greenlet):
    """A thread of a process."""

    def __init__(self, world: World, process: Process, run: Callable[[], None]):
        super().__init__(self._begin, world.hub)
        self.process = process
        self.is_over = False
        self._run = run
        self._world = world
        self._waiting: list[Task] = []
        process.tasks.append(self)

    def _begin(self, *_nothing: object) -> None:
        try:
            self._run()
        except Killed:
            pass
        finally:
            self.is_over = True
            for task in self._waiting:
                self._world.wake(task)

    # What a threading.Thread has.

    def start(self) -> None:
        """Begin, once those that are under way have come to a wait."""
        self._world.wake(self)

    def is_alive(self) -> bool:
        """Whether it still runs."""
        return not self.is_over

    def join(self) -> None:
        """Wait until it does not."""
        while not self.is_over:
            self._waiting.append(here())
            self._world.block()


here: Callable[[], Task] = getcurrent  # type: ignore[assignment] # only tasks run here
"""The thread that runs."""


class World:
    """What happens, one thing after the other."""

    def __init__(self) -> None:
        self.hub = getcurrent()
        self.now = 0.0
        self.skew: dict[str, float] = {}
        """Seconds by which the clock of a host is wrong."""
        self._dice: tuple[float, ...] = (0.5,)
        self._rolled = 0
        self._events: list[tuple[float, int, Any]] = []
        self._number = 0
        self._happened = 0

    def loads(self, dice: tuple[float, ...]) -> None:
        """What chance gives, over and over."""
        self._dice = dice

    def roll(self) -> float:
        """A number from 0 to 1."""
        self._rolled += 1
        return self._dice[self._rolled % len(self._dice)]

    def at(self, when: float, what: Any) -> None:
        """Do something, or let a task go on, at a moment."""
        self._number += 1
        heapq.heappush(self._events, (when, self._number, what))

    def wake(self, task: Task) -> None:
        """Let a task go on now."""
        self.at(self.now, task)

    def sleep(self, seconds: float) -> None:
        """Let time pass for the task that calls."""
        process = here().process
        if process.is_dead:
            raise Killed
        when = self.now + max(0.0, seconds)
        if not self._events or self._events[0][0] > when:
            self.now = when
            self._count()
            return
        self.at(when, here())
        self.block()

    def block(self) -> None:
        """Wait until somebody wakes the task that calls."""
        process = here().process
        if process.is_dead:
            raise Killed
        self.hub.switch()
        if process.is_dead:
            raise Killed

    def begin(self, process: Process, run: Callable[[], None]) -> Task:
        """Start a thread of a process."""
        task = Task(self, process, run)
        task.start()
        return task

    def kill(self, process: Process) -> None:
        """End a process, here and now. Raises Killed where it is that which calls."""
        process.is_dead = True
        for let_go in process.at_end:
            let_go()
        process.at_end.clear()
        current = getcurrent()
        for task in process.tasks:
            if task is not current and not task.is_over:
                self.at(self.now, lambda task=task: task.throw(Killed) if task else None)
        if isinstance(current, Task) and current.process is process:
            raise Killed

    def run(self) -> None:
        """Let everything happen that is to happen. Raises Endless."""
        while self._events:
            self.now, _number, what = heapq.heappop(self._events)
            self._count()
            if not isinstance(what, Task):
                what()
            elif not what.is_over and not what.process.is_dead:
                what.switch()

    def _count(self) -> None:
        self._happened += 1
        if self._happened > MOST_EVENTS:
            raise Endless(f"after {self.now:.0f} s it still goes on")


class SimulatedMachine(Machine):
    """Whatever machine the process is on that asks."""

    def __init__(self, world: World):
        self._world = world

    def monotonic(self) -> float:
        """See Machine."""
        return self._world.now + 1000.0

    def time(self) -> float:
        """See Machine."""
        world = self._world
        return EPOCH + world.now + world.skew.get(here().process.host, 0.0)

    def sleep(self, seconds: float) -> None:
        """See Machine."""
        self._world.sleep(seconds)

    def uniform(self, least: float, most: float) -> float:
        """See Machine."""
        return least + (most - least) * self._world.roll()

    def lock(self) -> Any:
        """See Machine."""
        return Lock(self._world)

    def condition(self) -> Any:
        """A lock that can be waited under."""
        return Condition(self._world)

    def event(self) -> Any:
        """See Machine."""
        return Event(self._world)

    def semaphore(self, places: int) -> Any:
        """See Machine."""
        return Semaphore(self._world, places)

    def queue(self) -> Any:
        """See Machine."""
        return Queue(self._world)

    def thread(self, run: Callable[..., None], *args: object) -> Any:
        """See Machine."""
        return Task(self._world, here().process, lambda: run(*args))


class Semaphore:
    """What so many tasks have at a time; who waits longest is next."""

    def __init__(self, world: World, places: int):
        self._world = world
        self._places = places
        self._waiting: list[Task] = []

    def acquire(self, *, blocking: bool = True) -> bool:
        """Take a place, once there is one; whether that is so, where it is not waited for."""
        if here().process.is_dead:
            raise Killed
        while self._places <= 0:
            if not blocking:
                return False
            self._waiting.append(here())
            self._world.block()
        self._places -= 1
        return True

    def release(self) -> None:
        """Give it back, or one more."""
        self._places += 1
        if self._waiting:
            self._world.wake(self._waiting.pop(0))

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *_error: object) -> None:
        self.release()


class Lock(Semaphore):
    """What one task has at a time."""

    def __init__(self, world: World):
        super().__init__(world, 1)


class Condition(Lock):
    """A lock that can be waited under."""

    def __init__(self, world: World):
        super().__init__(world)
        self._asleep: list[Task] = []

    def wait(self, timeout: float) -> None:
        """Let go of the lock until somebody notifies, or for so many seconds."""
        task = here()
        self._asleep.append(task)
        self.__exit__()
        self._world.at(self._world.now + timeout, lambda: self._wake(task))
        self._world.block()
        self.__enter__()

    def notify_all(self) -> None:
        """Wake all who wait."""
        for task in [*self._asleep]:
            self._wake(task)

    def _wake(self, task: Task) -> None:
        if task in self._asleep:
            self._asleep.remove(task)
            self._world.wake(task)


class Event:
    """A flag."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._is_set = False
        self._waiting: list[Task] = []

    def set(self) -> None:
        """Set it for good."""
        self._is_set = True
        for task in [*self._waiting]:
            self._wake(task)

    def wait(self, timeout: float) -> bool:
        """Whether it is set, by then or in so many seconds."""
        if not self._is_set:
            task = here()
            self._waiting.append(task)
            self._world.at(self._world.now + timeout, lambda: self._wake(task))
            self._world.block()
        return self._is_set

    def _wake(self, task: Task) -> None:
        if task in self._waiting:
            self._waiting.remove(task)
            self._world.wake(task)

    def is_set(self) -> bool:
        """Whether it is."""
        return self._is_set


class Queue:
    """What tasks hand each other."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._items: list[Any] = []
        self._waiting: list[Task] = []

    def put(self, item: Any) -> None:
        """Hand something over."""
        self._items.append(item)
        if self._waiting:
            self._world.wake(self._waiting.pop(0))

    def get(self, timeout: float = 0.0) -> Any:  # noqa: ARG002 - no signal comes that would have to be looked for
        """Take what was handed over; wait for it."""
        if not self._items:
            self._waiting.append(here())
            self._world.block()
        if not self._items:
            raise Empty
        return self._items.pop(0)
