# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The way back from a result: as a table of changes, and as zones that are what they were."""

import pytest
from ansible.errors import AnsibleFilterError
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.filter.reversal import FilterModule

reversal = FilterModule().filters()["reversal"]


def change(name, rdtype, before, after):
    """A change from one side to the other, each written like ``300 192.0.2.1|192.0.2.2``; nothing is no set."""
    sides = [text.partition(" ") for text in (before, after)]
    both = [
        {"ttl": int(ttl), "contents": values.split("|")} if ttl else None
        for ttl, _space, values in sides
    ]
    return {
        "name": f"{name}.example.com.",
        "type": rdtype,
        "action": "...",
        "before": both[0],
        "after": both[1],
    }


def result(*changes, **fields):
    return {"changed": bool(changes), "zone": "example.com", "changes": list(changes), **fields}


CREATED = change("new", "A", "", "60 192.0.2.1")
EXTENDED = change("www", "A", "300 192.0.2.1", "300 192.0.2.1|192.0.2.2")
REBUILT = change("ttl", "TXT", '300 "v=1 \\"x\\""', '60 "v=1 \\"x\\""')
DELETED = change("old", "ALIAS", "0 some thing", "")
GONE = {"name": "new.example.com.", "type": "A", "state": "absent"}
AGAIN = [
    {"name": "www.example.com.", "type": "A", "ttl": 300, "content": ["192.0.2.1"]},
    {"name": "ttl.example.com.", "type": "TXT", "ttl": 300, "content": ['"v=1 \\"x\\""']},
    {"name": "old.example.com.", "type": "ALIAS", "ttl": 0, "content": ["some thing"]},
]
ALL = result(CREATED, EXTENDED, REBUILT, DELETED)
FAILED = {"failed": True, "msg": "...", "changes": [CREATED, DELETED], "changed": True}
REFUSED = {"failed": True, "msg": "...", "changes": [], "changed": False}
TIMED_OUT = {
    "failed": True,
    "msg": "Timed out after 3 second(s).",
    "timedout": {"period": 3},
    "changed": False,
}
SKIPPED = {"skipped": True, "changed": False, "skip_reason": "..."}


def task(*changes, check_mode=False):
    """A task as the report as JSON has it."""
    return {"task": "...", "check_mode": check_mode, "changes": list(changes), "failure": None}


REPORT = {
    "format": 1,
    "zones": [
        {
            "zone": "example.com",
            "tasks": [task(EXTENDED), task(change("www", "A", "300 192.0.2.2", "")), task(CREATED)],
        },
        {"zone": "checked.example", "tasks": [task(CREATED, check_mode=True)]},
        {"zone": "same.example", "tasks": [task()]},
    ],
    "untouched": ["left.example"],
}

# Each row: what was registered, and the entries.
BACK = {
    "each action": (ALL, [GONE, *AGAIN]),
    "a report": (REPORT, [{"zone": "example.com", "records": [AGAIN[0], GONE]}]),
    "what was recovered stays": (result(CREATED, recovered=[DELETED]), [GONE]),
    "failed on the way, with what was planned": (
        {**FAILED, "unfinished": [DELETED, EXTENDED]},
        [GONE, AGAIN[2], AGAIN[0]],
    ),
    "failed before it wrote": (REFUSED, []),
    "skipped": (SKIPPED, []),
    "a loop": (
        {"results": [result(EXTENDED), SKIPPED, FAILED], "changed": True},
        [AGAIN[0], GONE, AGAIN[2]],
    ),
    "several tasks": ([result(EXTENDED), {}, {"results": [FAILED]}], [AGAIN[0], GONE, AGAIN[2]]),
    "the first of several changes to a set": (
        {"results": [result(EXTENDED), result(change("www", "A", "300 192.0.2.1|192.0.2.2", ""))]},
        AGAIN[:1],
    ),
    "made, and changed again": (
        {
            "results": [
                result(CREATED),
                result(change("new", "A", "60 192.0.2.1", "60 192.0.2.1|192.0.2.2")),
            ]
        },
        [GONE],
    ),
    "shown without values before": (
        result({**CREATED, "before": {"ttl": 300, "contents": []}}),
        [GONE],
    ),
    "many zones": (
        {
            "changed": True,
            "zones": [
                ALL,
                result(zone="quiet.example"),
                {**result(DELETED, recovered=[CREATED]), "zone": "b.example", "msg": "..."},
            ],
        },
        [
            {"zone": "example.com", "records": [GONE, *AGAIN]},
            {"zone": "b.example", "records": [AGAIN[2]]},
        ],
    ),
}


@named_rows("registered, entries", BACK)
def test_reversal(registered, entries):
    assert reversal(registered) == entries


DEEP = []
for _ in range(3000):
    DEEP = [DEEP]

SOMETHING_ELSE = "its zones or changes are not as a module returns them"
WRONG = {
    "values that are no list": (
        {"changes": [{**DELETED, "before": {"ttl": 1, "contents": "abc"}}]},
        SOMETHING_ELSE,
    ),
    "lists in lists": (DEEP, "it is nested too deeply"),
    "text": ("changed", "it is not the result of a task"),
    "of a task that was ended in time": (
        TIMED_OUT,
        "its task was ended by timeout before it could report",
    ),
    "of another module": (
        {"changed": True, "stdout": ""},
        "it does not list changes",
    ),
    "changes that are none": ({"changes": {"a": 1}}, SOMETHING_ELSE),
    "several zones": (
        {"results": [result(), result(zone="example.net")]},
        "the results are of several zones, example.com and example.net: use each one separately",
    ),
}


@named_rows("registered, reason", WRONG)
def test_what_leads_nowhere(registered, reason):
    with pytest.raises(AnsibleFilterError) as refusal:
        reversal(registered)
    assert str(refusal.value).startswith(f"reversal takes the result of a writing module: {reason}")


BEFORE = r"""
    @ 300 MX 10 a.example.net.
    @ 300 MX 20 b.example.net.
    @ 300 TXT "v=spf1 -all"
    @ 300 TXT "say \"hi\"; \195\188"
    alias 300 ALIAS Some Thing
    blog 300 CNAME www.example.com.
    old 0 A 192.0.2.1
    www 300 A 192.0.2.1
    www 300 A 192.0.2.2
"""
RECORDS = [
    {"name": "@", "type": "MX", "content": ["20 b.example.net."], "ttl": 60},
    {"name": "@", "type": "TXT", "content": ["v=spf1 mx -all"]},
    {"name": "alias", "type": "ALIAS", "content": ["Another"]},
    {"name": "blog", "type": "CNAME", "state": "absent"},
    {"name": "blog", "type": "A", "content": ["192.0.2.9"]},
    {"name": "new", "type": "TXT", "content": ["x"]},
    {"name": "www", "type": "A", "content": ["192.0.2.1", "192.0.2.2", "192.0.2.3"]},
]
TASKS = {
    "many sets, and pruning": [
        ("dns_records", {"records": RECORDS, "prune": True, "prune_limit": 100})
    ],
    "one SPF": [
        ("dns_record", {"type": "TXT", "content": ["v=spf1 mx -all"], "replaces": ["v=spf1*"]})
    ],
    "one set in several steps": [
        ("dns_record", {"name": "www", "type": "A", "content": ["192.0.2.3"]}),
        ("dns_record", {"name": "www", "type": "A", "state": "absent"}),
        ("dns_record", {"name": "www", "type": "CNAME", "content": ["blog"]}),
        ("dns_record", {"name": "www", "type": "CNAME", "content": ["old"], "exclusive": True}),
    ],
}


@pytest.mark.parametrize("txt_read", ["plain", "quoted"])
@named_rows("tasks", TASKS)
def test_the_zone_is_as_it_was(zone, run, service, tasks, txt_read):
    service.settings(txt_read=txt_read)
    zone.holds(BEFORE)
    before = zone.lines()
    results = [run(module, zone="example.com", **options) for module, options in tasks]
    assert not any(one.get("failed") for one in results)
    assert zone.lines() != before
    back = run("dns_records", zone="example.com", records=reversal({"results": results}))
    assert not back.get("failed")
    assert zone.lines() == before
    # The way back has a way back too.
    assert run("dns_records", zone="example.com", records=reversal(back))["changed"]


FAULTS = {
    "refused": {"kind": "status", "status": 422, "method": "POST"},
    "carried out and cut": {"kind": "drop_after", "method": "POST"},
    "no deletion": {"kind": "status", "status": 403, "method": "DELETE"},
}


@pytest.mark.parametrize("nth", [1, 5])
@named_rows("fault", FAULTS)
def test_a_task_that_failed_half_way_is_taken_back(zone, run, service, fault, nth):
    zone.holds(BEFORE)
    before = zone.lines()
    service.fault(**fault, nth=nth, times=0)
    done = run(
        "dns_records",
        zone="example.com",
        records=RECORDS,
        prune=True,
        prune_limit=100,
        concurrency=2,
        retries=1,
    )
    service.clear_faults()
    back = run("dns_records", zone="example.com", records=reversal(done))
    assert not back.get("failed")
    assert zone.lines() == before
