# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The tasks that scenarios are made of, and what each asks for, value by value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from worlds import PLAIN, Habits, Key, Sets

from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import PENDING

WWW: Key = ("www.example.com.", "A")
FTP: Key = ("ftp.example.com.", "A")
ALIAS: Key = ("alias.example.com.", "CNAME")
ALIAS_A: Key = ("alias.example.com.", "A")
WWW_ALIAS: Key = ("www.example.com.", "CNAME")
TXT: Key = ("example.com.", "TXT")
MX: Key = ("example.com.", "MX")
CAA: Key = ("example.com.", "CAA")
NEW: Key = ("new.example.com.", "A")
OTHER: Key = ("www.example.net.", "A")

START: Sets = {
    WWW: (300, ("192.0.2.1", "192.0.2.2")),
    FTP: (300, ("192.0.2.5",)),
    ALIAS: (300, ("ftp.example.com.",)),
    TXT: (300, ('"v=spf1 mx -all"', '"site=1"', '"token=abc"')),
    MX: (300, ("10 mail.example.net.", "20 mx.example.net.")),
    OTHER: (300, ("192.0.2.1", "192.0.2.2")),
    CAA: (300, ('0 issue "LetsEncrypt.org"', '0 issuewild ";"')),
}

BY_HAND = {
    "A": "192.0.2.8",
    "TXT": '"by hand"',
    "MX": "80 hand.example.net.",
    "CNAME": "hand.example.net.",
    "CAA": '256 iodef "mailto:hand"',
}
"""What people add to a set of a type; the CAA value is one that no request could add."""
BESIDE = {
    "A": "192.0.2.4",
    "TXT": '"of another run"',
    "MX": "40 beside.example.net.",
    "CNAME": "beside.example.net.",
    "CAA": '0 iodef "mailto:beside"',
}
"""What another run adds."""


@dataclass(frozen=True)
class DesiredSet:
    """What a task asks for of one set."""

    adds: frozenset[str] = frozenset()
    removes: frozenset[str] = frozenset()
    all_else: bool = False
    """Whether nothing but *adds* is to be there."""
    ttl: int | None = None
    is_once: bool = False
    """Whether the removal is no lasting one: what an owner has given up is nobody's where it comes later."""

    def removes_value(self, value: str) -> bool:
        """Whether a value is to go."""
        return value not in self.adds and (self.all_else or value in self.removes)

    def is_kept(self, held: frozenset[str]) -> bool:
        """Whether a set that holds this is as it is to be."""
        return held >= self.adds and not any(map(self.removes_value, held))


@dataclass(frozen=True)
class Task:
    """What somebody runs."""

    module: str
    options: Mapping[str, Any] = field(hash=False)
    desired: Mapping[Key, DesiredSet] = field(hash=False)

    @property
    def is_reviewed(self) -> bool:
        """Whether it carries out a plan that somebody has looked at."""
        return "plan_dir" in self.options


def _a(*numbers: int) -> list[str]:
    return [f"192.0.2.{number}" for number in numbers]


def _texts(*texts: str) -> frozenset[str]:
    """Texts in zone-file form."""
    return frozenset(f'"{text}"' for text in texts)


def exactly(*values: str, ttl: int | None = None) -> DesiredSet:
    """These, and nothing else."""
    return DesiredSet(frozenset(values), all_else=True, ttl=ttl)


def _record(key: Key, desired: DesiredSet, **options: Any) -> Task:
    name = key[0].removesuffix(".example.com.") if key[0] != "example.com." else "@"
    return Task(
        "dns_record",
        {"zone": "example.com", "name": name, "type": key[1], **options},
        {key: desired},
    )


def _record_of(key: Key, desired: DesiredSet) -> dict[str, Any]:
    record: dict[str, Any] = {
        "name": key[0],
        "type": key[1],
        "state": "present" if desired.adds else "absent",
    }
    if desired.adds:
        record["content"] = sorted(desired.adds)
    if desired.ttl:
        record["ttl"] = desired.ttl
    return record


def _records(desired: Mapping[Key, DesiredSet], **options: Any) -> Task:
    # What a record says of a whole set, it says for an owner of the owner's values.
    records = [_record_of(key, one) for key, one in desired.items()]
    return Task("dns_records", {"zone": "example.com", "records": records, **options}, desired)


def _zones(desired: Mapping[Key, DesiredSet]) -> Task:
    zones = [
        {
            "zone": zone,
            "records": [
                _record_of(key, one) for key, one in desired.items() if key[0].endswith(f".{zone}.")
            ],
        }
        for zone in ("example.com", "example.net")
    ]
    return Task("dns_zones", {"zones": zones}, desired)


def beside(key: Key) -> Task:
    """What another run does to a set at any step of a task: it adds a value, and does not wait for the lock."""
    value, zone = BESIDE[key[1]], "example.net" if key == OTHER else "example.com"
    task = _record(key, DesiredSet(frozenset([value])), content=[value], lock_timeout=0.0)
    return Task(task.module, {**task.options, "zone": zone, "name": key[0]}, task.desired)


ADDS_3, EXACTLY_13 = DesiredSet(frozenset(_a(3))), exactly(*_a(1, 3))
TEXT = "v=spf1 include:spf.example.net -all"
HOSTS = exactly("10 mail.example.net.", "30 backup.example.net.")

TASKS: dict[str, Task] = {
    "A exactly 3": _record(WWW, exactly(*_a(3)), content=_a(3), exclusive=True),
    "A exactly 1 3": _record(WWW, EXACTLY_13, content=_a(1, 3), exclusive=True),
    "A add 3": _record(WWW, ADDS_3, content=_a(3)),
    "A remove 1": _record(WWW, DesiredSet(removes=frozenset(_a(1))), content=_a(1), state="absent"),
    "A absent": _record(WWW, exactly(), state="absent"),
    "A other TTL": _record(WWW, DesiredSet(frozenset(_a(1)), ttl=60), content=_a(1), ttl=60),
    "TXT replaced": _record(
        TXT,
        DesiredSet(_texts(TEXT), _texts("v=spf1 mx -all")),
        content=[TEXT],
        replaces=["v=spf1*"],
    ),
    "MX exactly": _records({MX: HOSTS}),
    "CNAME to A": _records({ALIAS: exactly(), ALIAS_A: exactly(*_a(1, 2))}),
    "A to CNAME": _records({WWW: exactly(), WWW_ALIAS: exactly("ftp.example.com.")}),
    "two sets": _records({WWW: EXACTLY_13, FTP: exactly(*_a(5), ttl=60)}),
    "two zones": _zones({WWW: EXACTLY_13, OTHER: EXACTLY_13}),
    "an owner": _records({WWW: ADDS_3}, owner="web"),
    "a reviewed plan": _records({WWW: EXACTLY_13}, plan_dir="plans"),
    "only": _records({WWW: EXACTLY_13}, only=[{"name": "www"}], prune=True, prune_limit=100),
    "prune": _records(
        {WWW: EXACTLY_13, FTP: exactly()},
        prune=True,
        prune_limit=100,
        ignore=[{"type": "MX"}, {"type": "TXT"}, {"type": "CNAME"}, {"type": "CAA"}],
    ),
    # Values that differ little.
    "CAA other case": _record(
        CAA,
        exactly('0 issue "letsencrypt.org"', '0 issuewild ";"'),
        content=['0 issue "letsencrypt.org"', '0 issuewild ";"'],
        exclusive=True,
    ),
    "CAA capitals": _record(
        CAA,
        exactly('0 issue "LETSENCRYPT.org"', '0 issuewild ";"'),
        content=['0 issue "LETSENCRYPT.org"', '0 issuewild ";"'],
        exclusive=True,
    ),
    "CAA another": _record(
        CAA,
        exactly('0 issue "Example.org"', '0 issuewild ";"'),
        content=['0 issue "Example.org"', '0 issuewild ";"'],
        exclusive=True,
    ),
    "TXT other case": _record(
        TXT,
        DesiredSet(_texts("token=ABC"), _texts("token=abc")),
        content=["token=ABC"],
        replaces=["token=*"],
    ),
    "TXT blanks": _record(
        TXT,
        DesiredSet(_texts("site =1"), _texts("site=1")),
        content=["site =1"],
        replaces=["site=*"],
    ),
    "TXT with a TTL": _record(
        TXT, DesiredSet(_texts("k=1; p=2"), ttl=60), content=["k=1; p=2"], ttl=60
    ),
    "MX preference": _records({MX: exactly("15 mail.example.net.", "20 mx.example.net.")}),
    "A other TTL and value": _record(
        WWW, exactly(*_a(1, 3), ttl=60), content=_a(1, 3), ttl=60, exclusive=True
    ),
    "three sets": _records(
        {
            FTP: exactly(*_a(6)),
            WWW: EXACTLY_13,
            ALIAS: exactly("www.example.com."),
            TXT: exactly(*_texts("new text")),
        }
    ),
    "apex": _records(
        {MX: HOSTS, TXT: exactly(*_texts("new text")), CAA: exactly('0 issue "letsencrypt.org"')}
    ),
    "A exactly 1 2": _record(WWW, exactly(*_a(1, 2)), content=_a(1, 2), exclusive=True),
    "unrelated": _record(NEW, DesiredSet(frozenset(_a(77))), content=_a(77)),
    "new with a TTL": _record(NEW, DesiredSet(frozenset(_a(77)), ttl=60), content=_a(77), ttl=60),
    # What comes next.
    "another set": _record(FTP, DesiredSet(frozenset(_a(6))), content=_a(6)),
    "A add 9": _record(WWW, DesiredSet(frozenset(_a(9))), content=_a(9)),
    "A remove 2": _record(WWW, DesiredSet(removes=frozenset(_a(2))), content=_a(2), state="absent"),
    "A exactly 7": _record(WWW, exactly(*_a(7)), content=_a(7), exclusive=True),
    "zones, another set": _zones({FTP: exactly(*_a(5, 6)), OTHER: exactly(*_a(9))}),
    "owner, another value": _records({WWW: DesiredSet(frozenset(_a(9)))}, owner="web"),
    "owner, in place of 3": _records(
        {WWW: DesiredSet(frozenset(_a(9)), frozenset(_a(3)), is_once=True)}, owner="web"
    ),
    "plan, exactly 7": _records({WWW: exactly(*_a(7))}, plan_dir="plans"),
    "only, another set": _records(
        {FTP: exactly(*_a(6))}, only=[{"name": "ftp"}], prune=True, prune_limit=100
    ),
    "TXT add": _record(TXT, DesiredSet(_texts("more")), content=["more"]),
    "MX with a TTL": _records(
        {MX: exactly("10 mail.example.net.", "30 backup.example.net.", ttl=60)}
    ),
    "MX add": _record(
        MX, DesiredSet(frozenset(["50 late.example.net."])), content=["50 late.example.net."]
    ),
    "A back to CNAME": _records({ALIAS_A: exactly(), ALIAS: exactly("ftp.example.com.")}),
    "CNAME back to A": _records({WWW_ALIAS: exactly(), WWW: exactly(*_a(1, 2))}),
}

_ANY = ("the same", "another set", "A add 9", "A remove 2", "A exactly 7", "zones, another set")
_SOME = ("the same", "another set", "A exactly 7")
_FEW = ("the same", "another set")


@dataclass(frozen=True)
class First:
    """The task that a scenario begins with, in a world, and what can come next."""

    task: str
    key: Key
    nexts: tuple[str, ...]
    habits: Habits = PLAIN
    log: str = ""
    """What the log holds at the start (``log_at_the_start``)."""
    is_edited: bool = False
    """Whether a person has added a value just before the start."""
    third: str = ""
    """A task after the two."""


FIRSTS: tuple[First, ...] = (
    First(
        "A exactly 3", WWW, (*_ANY, "owner, another value", "plan, exactly 7", "only, another set")
    ),
    First("A exactly 1 3", WWW, _SOME),
    First("A add 3", WWW, _SOME),
    First("A remove 1", WWW, _SOME),
    First("A absent", WWW, _SOME),
    First("A other TTL", WWW, _SOME),
    First("TXT replaced", TXT, ("the same", "TXT add")),
    First("TXT replaced", TXT, ("the same", "TXT add"), replace(PLAIN, txt_read="quoted")),
    First("MX exactly", MX, ("the same", "MX add")),
    First("MX exactly", MX, ("the same", "MX add"), replace(PLAIN, mx_read="bare")),
    First("CNAME to A", ALIAS_A, ("the same", "A back to CNAME")),
    First("A to CNAME", WWW, ("the same", "CNAME back to A")),
    First("two sets", WWW, ("the same", "A add 9")),
    First("two zones", WWW, ("the same", "zones, another set")),
    First("an owner", WWW, ("the same", "owner, in place of 3")),
    First("a reviewed plan", WWW, ("another set", "plan, exactly 7")),
    First("only", WWW, ("the same", "only, another set")),
    First("prune", WWW, _FEW),
)
GAPS = (1, 40, int(PENDING) + 100)
