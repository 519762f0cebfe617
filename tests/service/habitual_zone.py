# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A zone as a service keeps and shows it: its record sets, now and before, and its habits.

It stands behind HTTP for playbooks, and in memory in the stories of tests/faults. Nothing waits here: each call is told
what time it is. What has been read is never changed: each write makes new sets.
"""

from __future__ import annotations

import copy
import dataclasses
import fnmatch
import heapq
import math
from bisect import bisect_right
from collections import deque
from operator import itemgetter
from typing import NamedTuple

import values
from store import Held, RefusedError, Write


class Done(NamedTuple):
    """A write that was carried out: when, what the set held before and after, and why not, if so."""

    at: float
    write: Write
    before: Held | None
    after: Held | None
    refusal: RefusedError | None = None


class Requests:
    """The requests that were answered in the last seconds, where only so many are."""

    def __init__(self):
        self._times = deque()

    def wait(self, now, rate, window=1.0):
        """Count a request; one that is too much is not counted, and may come again after these seconds."""
        while self._times and self._times[0] <= now - window:
            self._times.popleft()
        if len(self._times) >= rate:
            return self._times[0] + window - now
        self._times.append(now)
        return 0.0


class HabitualZone:
    """The sets of a zone, and what the service makes of reads and writes."""

    def __init__(self, sets, habits, *, forgets=True):
        self.habits = habits
        self._forgets = forgets
        self._requests = Requests()
        self._last_write = -math.inf
        self.become(sets)

    def become(self, sets):
        """Hold these from now on, and show nothing older."""
        self.sets = sets
        self.past = [(-math.inf, sets)]
        """The sets and since when they were so. *forgets* leaves out what no read will show."""
        self.late = []
        """Writes that are still to be carried out: when, in which order, what."""
        self._cached = (-math.inf, sets)
        self.asked = 0
        """How many requests there were, for a habit that is not that of all."""

    def change(self, habits):
        """Take other habits from now on."""
        self.habits = habits
        self.asked = 0

    def fork(self):
        """The same zone, in which nothing that happens there is seen here."""
        other = copy.copy(self)
        other.past, other.late = [*self.past], [*self.late]
        return other

    def check_rate(self, now):
        """Count a request; RefusedError when there were too many."""
        habits = self.habits
        wait = self._requests.wait(now, habits.rate or math.inf, habits.rate_window)
        if wait:
            seconds = max(1, math.ceil(wait))
            headers = {"Retry-After": str(seconds)} if habits.retry_after else None
            raise RefusedError(429, "Too Many Attempts.", headers=headers)

    def read(self, now, age=0.0):
        """The sets as a GET is shown them, at least so old."""
        habits = self.habits
        self.catch_up(now)
        if self.asked % habits.late_reads == 0:
            age = age or habits.read_lag
        self.asked += 1
        later = bisect_right(self.past, now - age, key=itemgetter(0))
        shown = self.past[max(0, later - 1)][1]
        if habits.cache:
            if self._cached[0] + habits.cache <= now:
                self._cached = (now, shown)
            shown = self._cached[1]
        if habits.shows == "nothing":
            return {}
        if habits.shows == "no_soa":
            return {key: held for key, held in shown.items() if key[1] != "SOA"}
        return shown

    def check(self, write, now):
        """RefusedError where the service does not even try."""
        habits = self.habits
        if now < self._last_write + habits.busy_after_write:
            raise RefusedError(409, "Another operation is in progress.")
        if write.value is not None and _matches(habits.refused, f"{write.key[1]} {write.value}"):
            message = f"The content {write.value} is not accepted any more."
            raise RefusedError(habits.refused_status, errors={"content": [message]})
        if habits.busy_after_write:
            self._last_write = now

    def delay(self, write):
        """Seconds after which a write is carried out."""
        if write.value is None and self.habits.delete_after:
            return self.habits.delete_after
        return self.habits.apply_after

    def write(self, write, now):
        """Carry a write out, now or later, or refuse."""
        self.catch_up(now)
        self.check(write, now)
        delay = self.delay(write)
        if delay:
            self.later(write, now + delay)
            return
        done = self.carry_out(write, now)
        if done.refusal:
            raise done.refusal

    def later(self, write, at):
        """Carry a write out at this time; what is impossible by then is dropped."""
        heapq.heappush(self.late, (at, self._next_number(), write))

    def catch_up(self, until):
        """Carry out what has become due, in order."""
        done = []
        while self.late and self.late[0][0] <= until:
            at, _number, write = heapq.heappop(self.late)
            done.append(self.carry_out(write, at))
        return done

    def carry_out(self, write, now, *, by_hand=False):
        """Do what was asked; people who do it by hand are stopped by nothing but the rules of DNS."""
        before = self.sets.get(write.key)
        try:
            after = self.after(write, by_hand=by_hand)
        except RefusedError as refusal:
            return Done(now, write, before, before, refusal)
        self.put(write.key, after, now)
        return Done(now, write, before, after)

    def after(self, write, *, by_hand=False):
        """What the set is to hold after a write, or refuse."""
        name, rdtype = write.key
        held = self.sets.get(write.key)
        habits = self.habits
        if write.value is not None:
            return self._with(write, held)
        if not by_hand and _matches(habits.undeletable, f"{name} {rdtype}"):
            raise RefusedError(403, f"The {rdtype} records of {name} cannot be deleted.")
        if held is None and habits.gone >= 300:
            raise RefusedError(habits.gone, f"Record {name} {rdtype} not found.")
        return held if _matches(habits.returning, f"{name} {rdtype}") else None

    def put(self, key, held, now):
        """Hold this from now on."""
        if self.sets.get(key) == held:
            return
        sets = {**self.sets}
        if held is None:
            del sets[key]
        else:
            sets[key] = held
        self.sets = sets
        self.past.append((now, sets))
        if self._forgets:
            while len(self.past) > 1 and self.past[1][0] <= now - self.habits.read_lag:
                del self.past[0]

    def _with(self, write, held):
        name, rdtype = write.key
        habits = self.habits
        ttl = max(write.ttl, habits.ttl_min)
        ttl = min(ttl, habits.ttl_max or ttl)
        if held and habits.keeps_ttl:
            ttl = held[0]
        if held and any(values.same(rdtype, write.value, value) for value in held[1]):
            if habits.there < 300:
                return ttl, held[1]
            message = f"Record {name} {rdtype} {write.value} already exists."
            raise RefusedError(habits.there, message)
        if self._conflicts(write.key):
            message = f"RRset {name} IN {rdtype}: Conflicts with pre-existing RRset"
            raise RefusedError(422, message)
        there = held[1] if held else ()
        return ttl, (*there, write.value)

    def _conflicts(self, key):
        name, rdtype = key
        if rdtype == "CNAME":
            return any(other == name for other, _type in self.sets)
        return (name, "CNAME") in self.sets

    def _next_number(self):
        return max((number for _at, number, _write in self.late), default=0) + 1


def with_habits(settings, habits):
    """The settings of a zone with these habits."""
    names = ("txt_read", "txt_write", "mx_read")
    own = {name: getattr(habits, name) for name in names if getattr(habits, name)}
    return dataclasses.replace(settings, **own) if own else settings


def as_kept(body, habits):
    """The body of a POST, with its value as a service with these habits takes it; RefusedError when nothing is left."""
    match body:
        case {"type": "TXT", "content": str() as text} if habits.keeps_quotes or habits.parses:
            if values.txt_chunks(text) is not None and habits.keeps_quotes:
                return {**body, "content": values.txt_quoted(text.encode())}
            if habits.parses:
                try:
                    return {**body, "content": values.txt_parsed(text)}
                except ValueError as error:
                    raise RefusedError(422, errors={"content": [str(error)]}) from error
        case {"type": str() as rdtype, "content": str() as text} if rdtype in habits.lower:
            return {**body, "content": text.lower()}
        case {"type": str() as rdtype, "content": str() as text} if rdtype in habits.dotted:
            return {**body, "content": f"{text.rstrip('.')}."}
    return body


def _matches(globs, text):
    return any(fnmatch.fnmatchcase(text, glob) for glob in globs)
