# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A sample of the habits of services, for what is real of them: requests, seconds, files, and processes at once.

Each case has a zone of its own. Nothing may be lost, nothing sent twice, and the last task finds all as it wants it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from held_zones import BYSTANDERS, Held, fill, held_by, same, sent_twice, stored_twice
from playing import Task, run_directly
from running import Service

WWW, TEXT = ("www", "A"), ("text", "TXT")
_BOTH = ("POST", "DELETE")


def _addresses(*last: int) -> tuple[str, ...]:
    return tuple(f"192.0.2.{number}" for number in last)


def _www(*last: int, **options: Any) -> Task:
    return Task(
        "dns_record", {"name": "www", "type": "A", "content": list(_addresses(*last)), **options}
    )


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
HTML = {
    "kind": "status_after",
    "status": 200,
    "body": "<html>OK</html>",
    "content_type": "text/html",
}
PAGES = [{**HTML, "method": method} for method in _BOTH]

HABITS: Mapping[str, tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]] = {
    "none": ({}, ()),
    "shows a write 3 s later": ({"read_lag": 3}, ()),
    "shows a write 3 s later, on every other read": (
        {"read_lag": 3, "late_reads": 2},
        (),
    ),
    "shows for 5 s what it has shown": ({"cache": 5}, ()),
    "carries a write out 2 s later": ({"apply_after": 2, "write_status": 202}, ()),
    "204": ({"write_status": 204}, ()),
    "refuses a write right after another": ({"busy_after_write": 0.5}, ()),
    "takes two requests a second": ({"rate": 2, "rate_window": 1}, ()),
    "takes two requests a second, and does not tell when again": (
        {"rate": 2, "rate_window": 1, "retry_after": False},
        (),
    ),
    "keeps quotes": ({"keeps_quotes": True, "txt_read": "quoted"}, ()),
    "shows a write 1 s later, and no answer comes": ({"read_lag": 1}, LOST),
    "shows a write 1 s later, and 500 comes": ({"read_lag": 1}, FAILED),
    "shows a write 1 s later, and a POST is carried out after its 504": ({"read_lag": 1}, [LATE]),
    "answers with a page": ({}, PAGES),
}


def _zone(case: str) -> str:
    return f"{case}.example"


def _path(case: str) -> str:
    return f"/{case}example"


def _habits(service: Service, folder: Path) -> dict[str, list[str]]:
    """What is wrong with each habit, after tasks one right after the other."""
    cases = {name: f"case{number:02}" for number, name in enumerate(HABITS)}
    for name, case in cases.items():
        habits, faults = HABITS[name]
        fill(service, _zone(case), BEFORE)
        service.habits(_zone(case), **habits)
        for fault in faults:
            service.fault(path=_path(case), **fault)
    runs, sent = [], dict.fromkeys(cases.values(), 0)
    for task in TASKS:
        sent = {case: len(service.log(_path(case))) for case in sent}
        in_zones = {case: Task(task.module, {"zone": _zone(case), **task.options}) for case in sent}
        runs.append(run_directly(in_zones, service, folder))
    wrong = {}
    for name, case in cases.items():
        log, held = service.log(_path(case)), held_by(service, _zone(case))
        wrong[name] = [str(run[case]["msg"]) for run in runs if run[case].get("failed")]
        # The form that came back wrong is taken out and sent in the other one.
        doubled = stored_twice(held) + ([] if name == "keeps quotes" else sent_twice(BEFORE, log))
        wrong[name] += [f"doubled {value}" for value in doubled]
        if not same(held, AFTER):
            wrong[name].append(f"it holds {held}")
        if runs[-1][case]["changed"] or any(row["method"] != "GET" for row in log[sent[case] :]):
            wrong[name].append("the last run is not idle")
    return wrong


@pytest.fixture(scope="module")
def wrong(tmp_path_factory):
    """What is wrong with each habit; most of their time is waiting."""
    with Service() as service:
        return _habits(service, tmp_path_factory.mktemp("habits"))


@pytest.mark.parametrize("name", HABITS)
def test_all_is_as_wanted(wrong, name):
    assert not wrong[name]
