# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How many requests are under way, as a task says or as is learned from each, and which of them are learned from."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import (
    ServiceError,
    TransientFailure,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._api.concurrency import (
    AnswerKind,
    Sample,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import Connection
from ansible_collections.zonesmith.dns.plugins.module_utils._api.under_way import (
    AUTO,
    Concurrency,
    UnderWay,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._threads import how_many


def lost(status: int | None) -> TransientFailure:
    return TransientFailure(ServiceError("It failed.", status), not_carried_out=False)


@pytest.fixture
def learned(monkeypatch: pytest.MonkeyPatch) -> list[Sample]:
    """What those that ended have taught."""
    samples: list[Sample] = []
    monkeypatch.setattr(
        "ansible_collections.zonesmith.dns.plugins.module_utils._api.concurrency.ConcurrencySearch.take",
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
        ("an answer", [AnswerKind.ANSWERED]),
        (ServiceError("It is refused.", 422), [AnswerKind.ANSWERED]),
        (lost(429), [AnswerKind.THROTTLED]),
        (lost(503), [AnswerKind.THROTTLED]),
        (lost(409), [AnswerKind.ANSWERED]),
        (lost(423), [AnswerKind.ANSWERED]),
        (lost(425), [AnswerKind.ANSWERED]),
        (lost(408), [AnswerKind.LOST]),
        (lost(500), [AnswerKind.LOST]),
        (lost(504), [AnswerKind.LOST]),
        (lost(None), [AnswerKind.LOST]),
    ],
)
def test_what_is_learned_from(learned: list[Sample], what: Any, outcomes: list[AnswerKind]) -> None:
    under_way = UnderWay(AUTO)
    assert end(under_way, what) is what
    assert [sample.outcome for sample in learned] == outcomes
    assert under_way.limiter.most == 8 + 3 * len(outcomes), "what the rule says counts"
    assert how_many(under_way.threads) == under_way.limiter.most
    assert under_way._number == 0


def test_the_most_that_one_has_seen_under_way_counts(learned: list[Sample]) -> None:
    """The first begins alone and ends beside two others; they begin as the second and third."""
    under_way = UnderWay(AUTO)

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
    assert (under_way.limiter.most, under_way.threads, under_way.at_most) == (
        number,
        number,
        number,
    )


@pytest.mark.parametrize(("concurrency", "connections"), [(1, 1), (20, 20), (AUTO, 64)])
def test_as_many_connections_are_kept_as_requests_may_be_under_way(
    concurrency: Concurrency, connections: int
) -> None:
    kept: list[int] = []

    def sender(_connection: Connection, number: int) -> None:
        kept.append(number)

    Client(Connection("https://dns.example", "token"), concurrency, sender)  # type: ignore[arg-type] # makes none
    assert kept == [connections]
