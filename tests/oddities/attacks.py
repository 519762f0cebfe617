# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What an attacker found that loses values, or brings them back: kills, refusals and late readings, several at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from playing import Task
from scenarios import Held
from stage import Stage
from trial import failed, wrong
from wishes import UNRELATED, UNRELATED_SET, WWW, addresses, task_on

THREE: Held = {WWW: (300, addresses(1, 2, 3))}
TTL = task_on(WWW, *addresses(1), ttl=600)
WITH_TTL: Held = {WWW: (600, addresses(1, 2, 3))}
ALIASED: Held = {("docs", "A"): (300, addresses(1, 2, 3)), ("docs", "TXT"): (300, ('"keep"',))}
TO_ALIAS = Task(
    "dns_records",
    {
        "records": [
            {"name": "docs", "type": "CNAME", "content": ["www.example.net."], "ttl": 300},
            {"name": "docs", "type": "A", "state": "absent"},
            {"name": "docs", "type": "TXT", "state": "absent"},
        ]
    },
)


def _killed(stage: Stage, task: Task, method: str, nth: int, *, carried_out: bool) -> Iterator[str]:
    if not stage.kill(task, method, nth, carried_out=carried_out):
        yield "the run ended before it was to be killed"


def _afterwards(stage: Stage, wanted: Held, task: Task = UNRELATED, more: Held | None = None) -> Iterator[str]:
    yield from failed("the task after it", stage.run(task))
    yield from wrong("in the end", {**wanted, **(UNRELATED_SET if more is None else more)}, stage.held())


def sister_is_written(stage: Stage) -> Iterator[str]:
    """What a recovery could not complete stays in the journal though another set of the name is written."""
    stage.fill(THREE)
    yield from _killed(stage, TTL, "POST", 2, carried_out=False)
    stage.fault("status", method="POST", content="192.0.2", status=500, times=2)
    text: Held = {("www", "TXT"): (60, ('"hello"',))}
    yield from failed("the sister's task", stage.run(task_on(("www", "TXT"), "hello", ttl=60), retries=1))
    yield from _afterwards(stage, {**WITH_TTL, **text})


def alias(stage: Stage, method: str, nth: int, *, refused: bool) -> Iterator[str]:
    """A name on its way to an alias is left half way, and the alias is impossible or refused."""
    stage.fill(ALIASED)
    stage.odd(refused=["CNAME *"] if refused else [])
    yield from _killed(stage, TO_ALIAS, method, nth, carried_out=False)
    yield from _afterwards(stage, ALIASED)


def settled_since(stage: Stage) -> Iterator[str]:
    """A run settles what an older journal tells of, and fails at another set: the old does not come back."""
    stage.fill({**THREE, ("x", "A"): (300, addresses(7))})
    yield from _killed(stage, TTL, "DELETE", 1, carried_out=False)
    stage.odd(refused=["A 192.0.2.66"])
    records = [
        {"name": "www", "type": "A", "state": "absent"},
        {"name": "zzz", "type": "A", "content": ["192.0.2.66"]},
    ]
    if not stage.run(Task("dns_records", {"records": records})).failed:
        yield "the refused set is no failure"
    yield from _afterwards(stage, {("x", "A"): (300, addresses(7))})


def deleted_on_purpose(stage: Stage) -> Iterator[str]:
    """A set of which a DELETE had no answer is deleted by a task that is killed: it does not come back."""
    stage.fill({**THREE, ("x", "A"): (300, addresses(7))})
    stage.fault("status", method="DELETE", status=504)
    yield from failed("the rebuild", stage.run(TTL))
    away = task_on(WWW, state="absent")
    yield from _killed(stage, away, "DELETE", 1, carried_out=True)
    yield from failed("the same task", stage.run(away))
    yield from _afterwards(stage, {("x", "A"): (300, addresses(7))})


def quotes_of_a_refusal(stage: Stage) -> Iterator[str]:
    """A text that is refused for good is no reason to put back the others in quotes."""
    before: Held = {("t", "TXT"): (300, ('"one"', '"two"'))}
    stage.fill(before)
    stage.odd(txt="keeps_quotes", txt_read="plain", refused=["TXT *bad*"])
    if not stage.run(task_on(("t", "TXT"), "one", "bad", exclusive=True)).failed:
        yield "the refused text is no failure"
    yield from _afterwards(stage, before)


def late_after_roll_back(stage: Stage) -> Iterator[str]:
    """A DELETE comes after the old values were put back: they are put back again, and not what was refused."""
    stage.fill(THREE)
    stage.odd(refused=["A 192.0.2.66"])
    stage.fault("late", method="DELETE", seconds=6, status=504)
    ran = stage.run(task_on(WWW, *addresses(4, 66), exclusive=True))
    if not ran.failed:
        yield "the refused value is no failure"
    arrived: float = ran.log_of("DELETE")[0]["time"]
    stage.sleep(max(0, arrived + 7 - stage.now()))
    yield from _afterwards(stage, THREE)


def old_look(stage: Stage, reads: str, seed: int) -> Iterator[str]:
    """A recovery is told to wait, and what it looks at in between may be from before the deletion."""
    stage.fill(THREE)
    stage.odd(read_lag=20, late_reads=reads, seed=seed)
    yield from _killed(stage, TTL, "DELETE", 1, carried_out=True)
    stage.fault("status", method="POST", status=409, nth=2, content="192.0.2")
    yield from _afterwards(stage, WITH_TTL)


def clock_set_back(stage: Stage) -> Iterator[str]:
    """The clock was set back after a kill; readings are late."""
    stage.fill(THREE)
    stage.odd(read_lag=3)
    yield from _killed(stage, TTL, "DELETE", 1, carried_out=True)
    ((name, text),) = stage.journals().items()
    held = json.loads(text)
    for entry in held["entries"]:
        entry["at"] += 5
    stage.write_journal(name, json.dumps(held))
    yield from _afterwards(stage, WITH_TTL)


def busy_hosts(stage: Stage, **oddities: Any) -> Iterator[str]:
    """Three hosts leave a set and three join it at once, on a service that is late and busy."""
    stage.fill({WWW: (300, addresses(11, 12, 13))})
    stage.odd(read_lag=2, busy_after_write=0.2, seed=1, **oddities)
    tasks = [task_on(WWW, *addresses(host), state="absent") for host in (11, 12, 13)]
    tasks += [task_on(WWW, *addresses(host), ttl=300) for host in (21, 22, 23)]
    for ran in stage.run_together(tasks):
        yield from failed("a host", ran)
    yield from wrong("in the end", {WWW: (300, addresses(21, 22, 23))}, stage.held())


def as_on_the_way(stage: Stage) -> Iterator[str]:
    """What a task leaves has been there for a moment before: a reading that is late shows that, and proves nothing."""
    stage.fill({WWW: (300, addresses(1, 2, 3))})
    stage.odd(read_lag=2, late_reads="alternate", busy_after_write=0.2)
    for host in (1, 3):
        yield from failed("the task", stage.run(task_on(WWW, *addresses(host), state="absent")))
    yield from _afterwards(stage, {WWW: (300, addresses(2))})


def refused_on_the_way(stage: Stage, seed: int) -> Iterator[str]:
    """So too where the service does not take the value any more: the task must not count it as there."""
    stage.fill({WWW: (300, addresses(1, 2, 3))})
    late = {"read_lag": 3, "late_reads": "random", "busy_after_write": 0.2, "seed": seed}
    stage.odd(**late)
    yield from failed("the first task", stage.run(task_on(WWW, *addresses(1), state="absent")))
    stage.odd(**late, refused=["A 192.0.2.2"])
    if not stage.run(task_on(WWW, *addresses(3), state="absent")).failed:
        yield "the refused value is no failure"
    yield from wrong("in the end", {WWW: (300, addresses(3))}, stage.held())


def attacks() -> Iterator[tuple[str, Callable[[Stage], Iterator[str]]]]:
    """Every story of an attack, by name."""
    yield "attack-sister/500", sister_is_written
    yield "attack-alias/refused", partial(alias, method="POST", nth=1, refused=True)
    yield "attack-alias/in-the-roll-back", partial(alias, method="POST", nth=3, refused=True)
    yield "attack-alias/between-deletions", partial(alias, method="DELETE", nth=2, refused=True)
    yield "attack-settled/since", settled_since
    yield "attack-deleted/on-purpose", deleted_on_purpose
    yield "attack-quotes/refused", quotes_of_a_refusal
    yield "attack-late/roll-back", late_after_roll_back
    for reads, seeds in (("alternate", 1), ("random", 6)):
        for seed in range(seeds):
            yield f"attack-old-look/{reads}-{seed}", partial(old_look, reads=reads, seed=seed)
    yield "attack-clock/back", clock_set_back
    yield "attack-as-before/on-the-way", as_on_the_way
    for seed in (2, 7, 11):
        yield f"attack-refused-before/{seed}", partial(refused_on_the_way, seed=seed)
    for reads in ("alternate", "random"):
        yield f"attack-busy-hosts/{reads}", partial(busy_hosts, late_reads=reads)
