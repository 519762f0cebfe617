# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What users want of a zone: each a task, the zone that it finds, and the zone that it must leave."""

from __future__ import annotations

from typing import Any

from playing import Task
from scenarios import SCENARIOS, Held, Key, Scenario


def addresses(*last: int) -> tuple[str, ...]:
    """Addresses by their last number."""
    return tuple(f"192.0.2.{number}" for number in last)


WWW: Key = ("www", "A")
DKIM: Key = ("sel._domainkey", "TXT")
PARKED: Key = ("parked", "A")
BEFORE: Held = {
    ("@", "TXT"): (300, ('"v=spf1 -all"',)),
    WWW: (300, addresses(1, 2, 3)),
    ("www", "AAAA"): (300, ("2001:db8::1",)),
    ("old", "A"): (300, addresses(7)),
    ("text", "TXT"): (300, ('"one; 1"', '"two 2"', '"three"')),
    ("docs", "CNAME"): (300, ("www.example.net.",)),
    PARKED: (300, addresses(99)),
    ("other", "A"): (60, ("198.51.100.1", "198.51.100.2")),
}
MX: Key = ("@", "MX")
MAIL: Held = {**BEFORE, MX: (300, ("10 mx.example.net.",))}
WITHOUT_TXT: Held = {key: held for key, held in BEFORE.items() if key[1] != "TXT"}


def task_on(key: Key, *content: str, **options: Any) -> Task:
    """A task on one set."""
    given = {"content": list(content)} if content else {}
    return Task("dns_record", {"name": key[0], "type": key[1], **given, **options})


def with_set(zone: Held, key: Key, ttl: int, *values: str) -> Held:
    """The zone with a set, or without it where it has no values."""
    others = {other: held for other, held in zone.items() if other != key}
    return {**others, key: (ttl, values)} if values else others


def www(*last: int, ttl: int = 300, zone: Held | None = None) -> Held:
    """The zone, or BEFORE, with these addresses in www."""
    return with_set(BEFORE if zone is None else zone, WWW, ttl, *addresses(*last))


def _of_one_set(name: str, key: Key, task: Task, ttl: int, *after: str, before: Held | None = None) -> Scenario:
    held = BEFORE if before is None else before
    return Scenario(name, task, held, with_set(held, key, ttl, *after))


def _replace() -> Scenario:
    """An alias that becomes two addresses in one task."""
    records = [
        {"name": "docs", "type": "CNAME", "state": "absent"},
        {"name": "docs", "type": "A", "content": list(addresses(7, 8)), "ttl": 300},
    ]
    after = with_set(with_set(BEFORE, ("docs", "CNAME"), 0), ("docs", "A"), 300, *addresses(7, 8))
    return Scenario("replace", Task("dns_records", {"records": records}), BEFORE, after)


def whole_zone(wanted: Held) -> Task:
    """A task that leaves nothing in the zone but this."""
    records = [
        {"name": name, "type": rdtype, "ttl": ttl, "content": list(values)}
        for (name, rdtype), (ttl, values) in wanted.items()
    ]
    return Task("dns_records", {"records": records, "prune": True, "prune_limit": 100})


def _zone() -> Scenario:
    """Sets that are new, extended, rebuilt, as they were, and two that go."""
    after: Held = {
        **BEFORE,
        WWW: (300, addresses(1, 4)),
        ("text", "TXT"): (300, (*BEFORE["text", "TXT"][1], '"four"')),
        ("new", "A"): (300, addresses(10, 11)),
        DKIM: (300, ('"v=DKIM1; k=rsa"',)),
    }
    del after["old", "A"], after[PARKED]
    return Scenario("zone", whole_zone(after), BEFORE, after)


_SIGNED = '"v=DKIM1; k=rsa; p=MIIB"'
_PLAIN = _SIGNED.strip('"')

WISHES = {
    wish.name: wish
    for wish in (
        _of_one_set(
            "new-set", ("new", "A"), task_on(("new", "A"), *addresses(10, 11), ttl=300), 300, *addresses(10, 11)
        ),
        _of_one_set("extend", WWW, task_on(WWW, *addresses(9)), 300, *addresses(1, 2, 3, 9)),
        _of_one_set("exclusive", WWW, task_on(WWW, *addresses(1, 4), exclusive=True), 300, *addresses(1, 4)),
        _of_one_set("ttl", WWW, task_on(WWW, *addresses(1, 2, 3), ttl=600), 600, *addresses(1, 2, 3)),
        _of_one_set("absent-one", WWW, task_on(WWW, *addresses(2), state="absent"), 300, *addresses(1, 3)),
        _of_one_set("absent-set", ("old", "A"), task_on(("old", "A"), state="absent"), 0),
        _of_one_set("txt-new", DKIM, task_on(DKIM, _PLAIN, ttl=300), 300, _SIGNED),
        _of_one_set("txt-first", DKIM, task_on(DKIM, _PLAIN, ttl=300), 300, _SIGNED, before=WITHOUT_TXT),
        _of_one_set(
            "txt-fewer",
            ("text", "TXT"),
            task_on(("text", "TXT"), "two 2", state="absent"),
            300,
            '"one; 1"',
            '"three"',
        ),
        _of_one_set(
            "mx", MX, task_on(MX, "30 mx.example.net.", exclusive=True), 300, "30 mx.example.net.", before=MAIL
        ),
        _replace(),
        _zone(),
        next(scenario for scenario in SCENARIOS if scenario.name == "bulk"),
    )
}

COMMON = tuple(name for name in WISHES if name not in ("txt-first", "mx", "bulk"))
WITH_DELETION = ("exclusive", "ttl", "absent-one", "absent-set", "txt-fewer", "replace", "zone")
OF_TEXT = ("txt-new", "txt-first", "txt-fewer", "zone")
EACH_CALL = ("new-set", "extend", "exclusive", "absent-one", "absent-set", "replace", "zone")
UNRELATED = task_on(("unrelated", "TXT"), "here", ttl=60)
UNRELATED_SET: Held = {("unrelated", "TXT"): (60, ('"here"',))}
NOTHING_TO_DO = task_on(("other", "A"), "198.51.100.1")
REMOVE_3 = task_on(WWW, *addresses(3), state="absent")
