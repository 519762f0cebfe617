# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What takes more than one task, and differs with real time, or many at once: each a function that plays it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from playing import Task
from rows import READS
from scenarios import Held
from stage import Stage
from trial import failed, wrong
from wishes import BEFORE, WISHES, WWW, addresses, task_on, with_set, www

Story = Callable[[Stage], Iterator[str]]


def in_a_row(stage: Stage, reads: str, tasks: Sequence[Task], wanted: Held) -> Iterator[str]:
    """Tasks one right after the other; each is to build on what the ones before it wrote."""
    stage.fill(BEFORE)
    stage.odd(**READS[reads])
    for number, task in enumerate(tasks, start=1):
        yield from failed(f"task {number}", stage.run(task))
    yield from wrong("in the end", wanted, stage.held())


ADD_9, ADD_8 = task_on(WWW, *addresses(9)), task_on(WWW, *addresses(8))
REMOVE_2 = task_on(WWW, *addresses(2), state="absent")
ROWS = {
    "add-remove": ([ADD_9, REMOVE_2], www(1, 3, 9)),
    "add-ttl": ([ADD_9, task_on(WWW, *addresses(1), ttl=600)], www(1, 2, 3, 9, ttl=600)),
    "remove-add": ([REMOVE_2, ADD_9], www(1, 3, 9)),
    "three": ([ADD_9, ADD_8, REMOVE_2], www(1, 3, 8, 9)),
    "add-and-away": ([ADD_9, task_on(WWW, *addresses(9), state="absent")], BEFORE),
    "away-and-again": (
        [task_on(WWW, state="absent"), task_on(WWW, *addresses(1), ttl=300)],
        with_set(BEFORE, WWW, 300, *addresses(1)),
    ),
}


def join_and_leave(stage: Stage, reads: str) -> Iterator[str]:
    """Ten hosts at once, five of which take their address out of a set and five put theirs in; then the other way."""
    old, new = range(11, 16), range(21, 26)
    stage.fill(www(*old))
    stage.odd(**READS[reads])
    for leaving, joining in ((old, new), (new, old)):
        tasks = [task_on(WWW, *addresses(host), state="absent") for host in leaving]
        tasks += [task_on(WWW, *addresses(host), ttl=300) for host in joining]
        for host, ran in zip([*leaving, *joining], stage.run_together(tasks), strict=True):
            yield from failed(f"host {host}", ran)
        yield from wrong("after a play", www(*joining), stage.held())


def many_hosts(stage: Stage, hosts: int, **oddities: Any) -> Iterator[str]:
    """Hosts that each add a set of their own at once, at a service that limits or refuses writers at once."""
    stage.fill(BEFORE)
    stage.odd(**oddities)
    tasks = [task_on((f"host{host}", "A"), *addresses(host), ttl=300) for host in range(hosts)]
    for host, ran in enumerate(stage.run_together(tasks)):
        yield from failed(f"host {host}", ran)
    wanted = {**BEFORE, **{(f"host{host}", "A"): (300, addresses(host)) for host in range(hosts)}}
    yield from wrong("in the end", wanted, stage.held())


def late_delete(stage: Stage, wish: str, seconds: float, **options: Any) -> Iterator[str]:
    """A DELETE is carried out long after the run gave it up; the same task comes again after that."""
    scenario = WISHES[wish]
    stage.fill(scenario.before)
    kind = "slow" if options.get("timeout") else "late"
    stage.fault(kind, method="DELETE", seconds=seconds)
    first = stage.run(scenario.task, **options)
    if not first.failed:
        yield from wrong("at the end of the run", scenario.after, stage.held())
    arrived: float = first.log_of("DELETE")[0]["time"]
    stage.sleep(max(0, arrived + seconds + 1 - stage.now()))
    yield from failed("the same task, later", stage.run(scenario.task))
    yield from wrong("in the end", scenario.after, stage.held())


def killed(stage: Stage, reads: str, wish: str, point: tuple[str, int, bool]) -> Iterator[str]:
    """A run is killed, and the same task comes again at once; reads lag throughout."""
    scenario = WISHES[wish]
    method, nth, carried_out = point
    stage.fill(scenario.before)
    stage.odd(**READS[reads])
    if not stage.kill(scenario.task, method, nth, carried_out=carried_out):
        yield "the run ended before it was to be killed"
        return
    yield from failed("the same task", stage.run(scenario.task))
    yield from wrong("in the end", scenario.after, stage.held())


def _stories() -> Iterator[tuple[str, Story]]:
    for reads in READS:
        for name, (tasks, wanted) in ROWS.items():
            yield f"row-{name}/{reads}", partial(in_a_row, reads=reads, tasks=tasks, wanted=wanted)
    for reads in ("fresh", "lag-1", "lag-3-alternate", "lag-1-random", "cache-5"):
        yield f"hosts-join-and-leave/{reads}", partial(join_and_leave, reads=reads)
    yield "hosts-at-a-limit/5-a-second", partial(many_hosts, hosts=20, rate=5, rate_window=1)
    yield "hosts-at-a-limit/mute", partial(many_hosts, hosts=20, rate=5, rate_window=1, retry_after=False)
    yield "hosts-at-a-limit/busy", partial(many_hosts, hosts=20, busy_after_write=0.2)
    for wish in ("exclusive", "ttl", "absent-one"):
        for point in (("DELETE", 1, False), ("DELETE", 1, True), ("POST", 2, False)):
            name = f"kill-{'after' if point[2] else 'at'}-{point[0].lower()}-{point[1]}/{wish}"
            yield name, partial(killed, reads="lag-3", wish=wish, point=point)
    for wish in ("exclusive", "ttl", "absent-one", "absent-set", "replace"):
        yield f"late-delete/{wish}/504", partial(late_delete, wish=wish, seconds=4)
        yield f"late-delete/{wish}/silent", partial(late_delete, wish=wish, seconds=6, timeout=1.0, retries=2)


STORIES: Mapping[str, Story] = dict(_stories())
