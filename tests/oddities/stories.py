# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What takes more than one task: each a function that plays it on a stage, and says what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from attacks import attacks
from beside import beside_a_tidy_zone
from kills import after_a_kill
from playing import Task
from rows import READS
from scenarios import Held
from stage import Stage
from trial import failed, wrong
from wishes import (
    BEFORE,
    DKIM,
    REMOVE_3,
    UNRELATED,
    UNRELATED_SET,
    WISHES,
    WWW,
    addresses,
    task_on,
    with_set,
    www,
)

Story = Callable[[Stage], Iterator[str]]

NO = {"status": 422, "body": {"message": "No."}}


# A reading from before the last write


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


# Answers that come late or not at all


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


def five_values(stage: Stage, **fault: Any) -> Iterator[str]:
    """A rebuild of five values whose third is not taken for a while: what is there is not to go again."""
    before, after = www(1, 2, 3, 4, 5), www(1, 2, 3, 4, 5, ttl=600)
    stage.fill(before)
    stage.fault("status", method="POST", nth=3, times=4, **fault)
    task = task_on(WWW, *addresses(1), ttl=600)
    ran = stage.run(task, retries=1)
    held = stage.held().get(WWW, (0, ()))[1]
    if len(held) < 2:
        yield f"LOST {len(before[WWW][1]) - len(held)} of five values, {ran.result.get('msg')}"
    if ran.failed and ran.result.get("changed") is not (stage.held() != before):
        yield f"says changed={ran.result.get('changed')}"
    if len(ran.sent("DELETE")) > 1:
        yield "deletes what it has put back"
    stage.run(UNRELATED)  # may well meet the rest of the fault
    yield from failed("the same task, later", stage.run(task))
    yield from failed("another task, later", stage.run(UNRELATED))
    yield from wrong("in the end", {**after, **UNRELATED_SET}, stage.held())


def healthy_neighbour(stage: Stage) -> Iterator[str]:
    """The refusal of a value of www AAAA, a rebuild, is no reason to touch www A, which only gained a value."""
    stage.fill(BEFORE)
    stage.fault("status", method="POST", content="2001:db8::2", times=0, **NO)
    records = [
        {"name": "www", "type": "A", "content": list(addresses(1, 2, 3, 9)), "ttl": 300},
        {"name": "www", "type": "AAAA", "content": ["2001:db8::2"], "ttl": 300},
    ]
    ran = stage.run(Task("dns_records", {"records": records}))
    if not ran.failed:
        yield "did not fail"
    if f"www.{stage.zone}. A" in ran.sent("DELETE"):
        yield "deleted www A"
    held = stage.held()
    if held.get(("www", "AAAA")) != BEFORE["www", "AAAA"]:
        yield f"LOST 2001:db8::1: www AAAA holds {held.get(('www', 'AAAA'))}"
    if not {*addresses(1, 2, 3)} <= {*held.get(WWW, (0, ()))[1]}:
        yield f"LOST: www A holds {held.get(WWW)}"


def refused_kept_value(stage: Stage, wish: str) -> Iterator[str]:
    """A set is rebuilt, and a value that it keeps is refused since: the others must be there after every run."""
    scenario = WISHES[wish]
    stage.fill(scenario.before)
    stage.odd(refused=["A 192.0.2.3"])
    for run in ("first", "second"):
        ran = stage.run(scenario.task)
        held = stage.held().get(WWW, (0, ()))[1]
        missing = {value for value in scenario.after[WWW][1] if value not in held} - {*addresses(3)}
        if missing:
            yield f"LOST {' '.join(sorted(missing))} in the {run} run"
        if run == "first" and not ran.failed:
            yield "did not fail"
        if ran.failed and addresses(3)[0] not in ran.told:
            yield f"does not name the value: {ran.told}"
    yield from failed("another task", stage.run(UNRELATED))
    yield from failed("the task that drops the value", stage.run(REMOVE_3))
    if addresses(3)[0] in stage.held().get(WWW, (0, ()))[1]:
        yield "the value is still there"


def mangled_text(stage: Stage, txt: str, read: str) -> Iterator[str]:
    """The same TXT over and over adds nothing, and what is told is so."""
    stage.fill(BEFORE)
    stage.odd(txt=txt, txt_read=read)
    value = "v=DKIM1; k=rsa; p=MIIB"
    for number in range(3):
        yield from failed(f"run {number + 1}", stage.run(task_on(DKIM, value, ttl=300)))
    yield from wrong("in the end", with_set(BEFORE, DKIM, 300, f'"{value}"'), stage.held())


def _stories() -> Iterator[tuple[str, Story]]:
    for reads in READS:
        for name, (tasks, wanted) in ROWS.items():
            yield f"row-{name}/{reads}", partial(in_a_row, reads=reads, tasks=tasks, wanted=wanted)
    for reads in ("fresh", "lag-1", "lag-3-alternate", "lag-1-random", "cache-5"):
        yield f"hosts-join-and-leave/{reads}", partial(join_and_leave, reads=reads)
    yield "hosts-at-a-limit/5-a-second", partial(many_hosts, hosts=20, rate=5, rate_window=1)
    yield "hosts-at-a-limit/mute", partial(many_hosts, hosts=20, rate=5, rate_window=1, retry_after=False)
    yield "hosts-at-a-limit/busy", partial(many_hosts, hosts=20, busy_after_write=0.2)
    yield from after_a_kill()
    yield from attacks()
    yield from beside_a_tidy_zone()
    for wish in ("exclusive", "ttl", "absent-one", "absent-set", "replace"):
        yield f"late-delete/{wish}/504", partial(late_delete, wish=wish, seconds=4)
        yield f"late-delete/{wish}/silent", partial(late_delete, wish=wish, seconds=6, timeout=1.0, retries=2)
    for status in (429, 500, 503, 401, 422):
        yield f"five-values/{status}", partial(five_values, status=status)
    yield "healthy-neighbour/422", healthy_neighbour
    for wish in ("ttl", "absent-one"):
        yield f"refused-kept-value/{wish}", partial(refused_kept_value, wish=wish)
    for txt in ("parses", "keeps_quotes"):
        for read in ("quoted", "plain"):
            yield f"mangled-text/{txt.replace('_', '-')}-{read}", partial(mangled_text, txt=txt, read=read)


STORIES: Mapping[str, Story] = dict(_stories())
