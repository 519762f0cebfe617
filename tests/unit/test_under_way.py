# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How many requests are under way, as a task says or as is learned from each, and which of them are learned from."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError, TransientFailure
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._service.concurrency import Finding, Outcome, Sample
from ansible_collections.zonesmith.dns.plugins.module_utils._service.connection import Connection
from ansible_collections.zonesmith.dns.plugins.module_utils._service.learning import KEPT, Learning, kept_number
from ansible_collections.zonesmith.dns.plugins.module_utils._service.limiter import LeftBehind
from ansible_collections.zonesmith.dns.plugins.module_utils._service.note import part_of
from ansible_collections.zonesmith.dns.plugins.module_utils._service.threads import how_many
from ansible_collections.zonesmith.dns.plugins.module_utils._service.under_way import AUTO, Concurrency, UnderWay


def lost(status: int | None) -> TransientFailure:
    return TransientFailure(ServiceError("It failed.", status), not_carried_out=False)


@pytest.fixture
def learned(monkeypatch: pytest.MonkeyPatch) -> list[Sample]:
    """What those that ended have taught."""
    samples: list[Sample] = []
    monkeypatch.setattr(
        "ansible_collections.zonesmith.dns.plugins.module_utils._service.concurrency.Finding.take",
        lambda _self, sample: samples.append(sample) or 10 + len(samples),
    )
    return samples


def end(under_way: UnderWay, what: Any) -> Any:
    def once() -> Any:
        if isinstance(what, BaseException):
            raise what
        return what

    try:
        return under_way.send(once)
    except BaseException as raised:  # noqa: BLE001 - also what ends a thread
        return raised


@pytest.mark.parametrize(
    ("what", "outcomes"),
    [
        ("an answer", [Outcome.ANSWERED]),
        (ServiceError("It is refused.", 422), [Outcome.ANSWERED]),
        (lost(429), [Outcome.THROTTLED]),
        (lost(503), [Outcome.THROTTLED]),
        (lost(409), [Outcome.ANSWERED]),
        (lost(423), [Outcome.ANSWERED]),
        (lost(425), [Outcome.ANSWERED]),
        (lost(408), [Outcome.LOST]),
        (lost(500), [Outcome.LOST]),
        (lost(504), [Outcome.LOST]),
        (lost(None), [Outcome.LOST]),
        # What ended for another reason than the service says nothing of it.
        (LeftBehind(), []),
        (KeyboardInterrupt(), []),
        (MemoryError(), []),
    ],
)
def test_what_is_learned_from(learned: list[Sample], what: Any, outcomes: list[Outcome]) -> None:
    under_way = Learning()
    assert end(under_way, what) is what
    assert [sample.outcome for sample in learned] == outcomes
    assert under_way.limiter.most == 8 + 3 * len(outcomes), "what the rule says counts"
    assert how_many(under_way.threads) == under_way.limiter.most
    assert under_way._number == 0


def test_the_most_that_one_has_seen_under_way_counts(learned: list[Sample]) -> None:
    """The first begins alone and ends beside two others; they begin as the second and third."""
    under_way = Learning()

    def first() -> None:
        under_way._number += 2

    under_way.send(first)
    under_way._number = 2
    end(under_way, "an answer")
    assert [sample.under_way for sample in learned] == [3, 3]


@pytest.mark.parametrize("number", [1, 5, 64])
def test_a_number_stays_as_it_is(learned: list[Sample], number: int) -> None:
    under_way = UnderWay(number)
    for what in ("an answer", lost(429)):
        assert end(under_way, what) is what
    assert learned == []
    assert (under_way.limiter.most, under_way.threads, under_way.at_most) == (number, number, number)


# What the next run is told


class InMemory:
    """A note, and how often it was changed."""

    ahead = 0.0

    def __init__(self, told: Any = None) -> None:
        self.content = json.dumps({"pace": "another's", "under_way": told}).encode()
        self.changes = 0

    def read(self) -> bytes:
        return self.content

    def change(self, to: Callable[[bytes], bytes]) -> None:
        self.changes += 1
        self.content = to(self.content)

    def keep(self) -> None:
        """Others see it."""


NOW = 1_800_000_000.0


@pytest.mark.parametrize(
    ("told", "number"),
    [
        ([1, NOW], 1),
        ([64, NOW], 64),
        ([20, NOW - KEPT + 1], 20),
        ([20, NOW - KEPT], None),
        ([20, NOW + 1], None),
        ([0, NOW], None),
        ([65, NOW], None),
        ([True, NOW], None),
        ([20.0, NOW], None),
        (["20", NOW], None),
        ([20, "now"], None),
        ([20, math.nan], None),
        ([20, 10**400], None),
        ([20, -(10**400)], None),
        ([20], None),
        (20, None),
        (None, None),
        ({}, None),
    ],
)
def test_what_a_note_tells_of_the_run_before(told: Any, number: int | None) -> None:
    assert kept_number(InMemory(told).content, NOW) == number


@pytest.mark.parametrize(("found", "begins"), [(64, 32), (20, 10), (17, 8), (16, 8), (3, 8)])
def test_a_run_begins_with_half_of_what_the_one_before_has_found(found: int, begins: int) -> None:
    under_way, note = Learning(), InMemory([found, machine().time()])
    under_way.share(note)
    under_way.share(InMemory([50, machine().time()]))
    assert (under_way.limiter.most, how_many(under_way.threads)) == (begins, begins)


def test_a_number_is_neither_told_nor_asked_for() -> None:
    under_way, note = UnderWay(20), InMemory([64, machine().time()])
    under_way.share(note)
    under_way.tell()
    assert (under_way.limiter.most, note.changes) == (20, 0)


def test_what_a_run_has_found_is_told_once() -> None:
    note = InMemory()
    under_way, following = Learning(), Learning()
    under_way.share(note)
    under_way.tell()
    assert note.changes == 0, "it has found nothing"
    under_way._finding = Finding(40)
    under_way.tell()
    under_way.tell()
    assert note.changes == 1
    assert part_of(note.content, "pace") == "another's"
    following.share(note)
    assert following.limiter.most == 20
    following._finding = Finding(40)
    following.tell()
    assert note.changes == 1, "it is as it was"


@pytest.mark.parametrize(("concurrency", "connections"), [(1, 1), (20, 20), (AUTO, 64)])
def test_as_many_connections_are_kept_as_requests_may_be_under_way(concurrency: Concurrency, connections: int) -> None:
    kept: list[int] = []

    def sender(_connection: Connection, number: int) -> None:
        kept.append(number)

    Client(Connection("https://dns.example", "token"), concurrency, sender)  # type: ignore[arg-type] # makes none
    assert kept == [connections]
