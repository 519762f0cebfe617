# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A sample of the habits of services, for what is real of them: requests, seconds, files, and processes at once.

Each case has a zone of its own. Nothing may be lost, nothing sent twice, and the last task finds all as it wants it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playing import Task, run_directly
from running import Service
from scenarios import BYSTANDERS, Held, fill, held_by, same, sent_twice, stored_twice

WWW, TEXT = ("www", "A"), ("text", "TXT")
_BOTH = ("POST", "DELETE")


def _addresses(*last: int) -> tuple[str, ...]:
    return tuple(f"192.0.2.{number}" for number in last)


def _www(*last: int, **options: Any) -> Task:
    return Task("dns_record", {"name": "www", "type": "A", "content": list(_addresses(*last)), **options})


BEFORE: Held = {
    **BYSTANDERS,
    WWW: (300, _addresses(1, 2, 3)),
    TEXT: (300, ('"one; 1"', '"two"')),
    ("old", "A"): (300, _addresses(7)),
}
CHANGES = Task(
    "dns_records",
    {
        "records": [
            {"name": "www", "type": "A", "content": list(_addresses(1, 4)), "exclusive": True},
            {"name": "text", "type": "TXT", "content": ["one; 1"], "exclusive": True},
            {"name": "new", "type": "TXT", "content": ["v=DKIM1; k=rsa"], "ttl": 300},
            {"name": "old", "type": "A", "state": "absent"},
        ]
    },
)
AFTER: Held = {
    **BYSTANDERS,
    WWW: (300, _addresses(1, 4, 9)),
    TEXT: (300, ('"one; 1"',)),
    ("new", "TXT"): (300, ('"v=DKIM1; k=rsa"',)),
}
# What the second adds has to be built on what the first wrote.
TASKS = (CHANGES, _www(9), _www(9))

LOST = [{"kind": "drop_after", "method": method} for method in _BOTH]
FAILED = [{"kind": "status_after", "method": method} for method in _BOTH]
LATE = {"kind": "late", "method": "POST", "seconds": 1}
HTML = {"kind": "status_after", "status": 200, "body": "<html>OK</html>", "content_type": "text/html"}
PAGES = [{**HTML, "method": method} for method in _BOTH]

HABITS: Mapping[str, tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]] = {
    "none": ({}, ()),
    "shows a write 3 s later": ({"read_lag": 3}, ()),
    "shows a write 3 s later, on every other read": ({"read_lag": 3, "late_reads": "alternate"}, ()),
    "shows for 5 s what it has shown": ({"cache": 5}, ()),
    "carries a write out 2 s later": ({"apply_after": 2, "write_status": 202}, ()),
    "204": ({"write_status": 204}, ()),
    "refuses a write right after another": ({"busy_after_write": 0.5}, ()),
    "takes two requests a second": ({"rate": 2, "rate_window": 1}, ()),
    "takes two requests a second, and does not tell when again": (
        {"rate": 2, "rate_window": 1, "retry_after": False},
        (),
    ),
    "keeps quotes": ({"txt": "keeps_quotes", "txt_read": "quoted"}, ()),
    "shows a write 1 s later, and no answer comes": ({"read_lag": 1}, LOST),
    "shows a write 1 s later, and 500 comes": ({"read_lag": 1}, FAILED),
    "shows a write 1 s later, and a POST is carried out after its 504": ({"read_lag": 1}, [LATE]),
    "answers with a page": ({}, PAGES),
}

# The hosts of a play on one zone: by name, what the zone has to begin with, the habits, the tasks, and what then is so.
OLD, NEW = range(11, 14), range(21, 24)
HOSTS: Mapping[str, tuple[Held, Mapping[str, Any], Sequence[Task], Held]] = {
    "some leave a set and some join it, which is shown 1 s later": (
        {WWW: (300, _addresses(*OLD))},
        {"read_lag": 1},
        [*(_www(host, state="absent") for host in OLD), *(_www(host, ttl=300) for host in NEW)],
        {WWW: (300, _addresses(*NEW))},
    ),
    "ten add sets, five requests a second": (
        {},
        {"rate": 5, "rate_window": 1, "retry_after": False},
        [Task("dns_record", {"name": f"h{n}", "type": "A", "content": ["192.0.2.1"], "ttl": 300}) for n in range(10)],
        {(f"h{n}", "A"): (300, _addresses(1)) for n in range(10)},
    ),
}


# A DELETE is carried out when the run has given it up: after its 504, or without an answer.
GIVEN_UP: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "after a 504": ("late", {}),
    "after silence": ("slow", {"timeout": 1.0, "retries": 1}),
}
LATER = 5.0
"""Seconds after which it is."""

Results = Mapping[str, Mapping[str, Any]]


def _zone(host: str) -> str:
    return f"{host.partition('-')[0]}.example"


def _path(host: str) -> str:
    return f"/{host}example"


def _run(service: Service, folder: Path, tasks: Mapping[str, Task]) -> Results:
    in_zones = {host: Task(task.module, {"zone": _zone(host), **task.options}) for host, task in tasks.items()}
    return run_directly(in_zones, service, folder)


def _failures(results: Iterable[Mapping[str, Any]]) -> list[str]:
    return [str(result["msg"]) for result in results if result.get("failed")]


def _other(service: Service, host: str, wanted: Held) -> list[str]:
    held = held_by(service, _zone(host))
    return [] if same(held, wanted) else [f"it holds {held}"]


def _habits(service: Service, folder: Path) -> dict[str, list[str]]:
    """What is wrong with each habit, after tasks one right after the other."""
    cases = {name: f"case{number:02}" for number, name in enumerate(HABITS)}
    for name, case in cases.items():
        habits, faults = HABITS[name]
        fill(service, _zone(case), BEFORE)
        service.odd(_zone(case), **habits)
        for fault in faults:
            service.fault(path=_path(case), **fault)
    runs, sent = [], dict.fromkeys(cases.values(), 0)
    for task in TASKS:
        sent = {case: len(service.log(_path(case))) for case in sent}
        runs.append(_run(service, folder, dict.fromkeys(sent, task)))
    wrong = {}
    for name, case in cases.items():
        log = service.log(_path(case))
        # The form that came back wrong is taken out and sent in the other one.
        doubled = [] if name == "keeps quotes" else sent_twice(BEFORE, log)
        doubled += stored_twice(held_by(service, _zone(case)))
        idle = not runs[-1][case]["changed"] and all(row["method"] == "GET" for row in log[sent[case] :])
        wrong[name] = [*_failures(run[case] for run in runs), *(f"doubled {value}" for value in doubled)]
        wrong[name] += [*_other(service, case, AFTER), *([] if idle else ["the last run is not idle"])]
    return wrong


def _hosts(service: Service, folder: Path, name: str) -> list[str]:
    before, habits, tasks, after = HOSTS[name]
    play = f"play{list(HOSTS).index(name)}"
    fill(service, _zone(play), before)
    service.odd(_zone(play), **habits)
    results = _run(service, folder, {f"{play}-{host}": task for host, task in enumerate(tasks)})
    return [*_failures(results.values()), *_other(service, play, after)]


def _given_up(service: Service, folder: Path, name: str) -> list[str]:
    """The set is whole once the same task has come again, after that."""
    kind, options = GIVEN_UP[name]
    fill(service, _zone(kind), BEFORE)
    service.fault(kind, method="DELETE", path=_path(kind), seconds=LATER)
    task = _www(1, 4, exclusive=True)
    _run(service, folder, {kind: Task(task.module, {**task.options, **options})})
    sent = next(row["time"] for row in service.log(_path(kind)) if row["method"] == "DELETE")
    time.sleep(max(0, sent + LATER + 1 - time.monotonic()))
    again = _run(service, folder, {kind: task})
    return [*_failures(again.values()), *_other(service, kind, {**BEFORE, WWW: (300, _addresses(1, 4))})]


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What is wrong in each case; most of their time is waiting."""
    folders = tmp_path_factory.mktemp("habits")
    plays = dict.fromkeys(HOSTS, _hosts) | dict.fromkeys(GIVEN_UP, _given_up)
    with Service() as service, ThreadPoolExecutor() as pool:
        habits = pool.submit(_habits, service, folders / "habits")
        others = {name: pool.submit(play, service, folders / name, name) for name, play in plays.items()}
        return habits.result() | {name: other.result() for name, other in others.items()}


@pytest.mark.parametrize("name", [*HABITS, *HOSTS, *GIVEN_UP])
def test_all_is_as_wanted(wrong: dict[str, list[str]], name: str) -> None:
    assert not wrong[name]
