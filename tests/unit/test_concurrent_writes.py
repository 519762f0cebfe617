# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""When the zone is looked at again for what others write, and what is said where that must not be deleted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from running import Service
from shorthand import MachineAt, change

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, LiveSets, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._history.history import Outcome
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.meanwhile import External
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._service.writer import ZoneWriter
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import no_histories
from ansible_collections.zonesmith.dns.plugins.module_utils._write import concurrent_writes
from ansible_collections.zonesmith.dns.plugins.module_utils._write.concurrent_writes import (
    ConcurrentWrites,
    refuse_nothing,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._write.unit import Stopped
from ansible_collections.zonesmith.dns.plugins.module_utils._write.verification import Verification

WWW = Key("www.example.com.", "A")
ONE, OTHERS = "www 300 A 192.0.2.1", "www 300 A 192.0.2.1\nwww 300 A 192.0.2.9"
GOES = change("www", "A", "300 192.0.2.1", "")
NEW = change("ftp", "A", "", "300 192.0.2.2")


class Asked:
    """Whether to go on: tells what it was asked, and refuses where it is told to."""

    def __init__(self) -> None:
        self.external: list[External] = []
        self.refusal = ""

    def __call__(self, live: LiveSets, planned: Sequence[Change], again: Sequence[Change], external: External) -> None:
        assert (WWW in live, [*planned]) == (True, [GOES, NEW])
        assert [one.key for one in again] == [WWW]
        self.external.append(external)
        if self.refusal:
            raise PlanRefused(self.refusal)


@pytest.fixture
def asked() -> Asked:
    return Asked()


@pytest.fixture
def client(zone: Any, connect: Any) -> Client:
    """A client, and a zone with one address."""
    zone.holds(ONE)
    client: Client = connect(retries=0)
    return client


def look_out(
    client: Client,
    refuse_round: Any,
    monkeypatch: pytest.MonkeyPatch,
    age: float,
    verification: Verification | None = None,
) -> ConcurrentWrites:
    """What looks at others for a run that has read the zone *age* seconds ago."""
    live = client.read_zone("example.com.")
    monkeypatch.setattr(concurrent_writes, "machine", lambda: MachineAt(lambda: live.read_at + age))
    planned = (GOES, NEW)
    return ConcurrentWrites(
        ZoneWriter(client, live, no_histories(), "auto"),
        live,
        planned,
        verification or Verification(planned),
        no_histories(),
        refuse_round,
    )


@pytest.mark.parametrize(("age", "is_read_again"), [(2.0, False), (2.25, True)])
def test_a_reading_that_is_old_is_not_deleted_from(
    zone: Any, client: Client, asked: Asked, monkeypatch: pytest.MonkeyPatch, age: float, is_read_again: bool
) -> None:
    look = look_out(client, asked, monkeypatch, age)
    zone.holds(OTHERS)
    look.look_before([GOES])
    assert zone.calls() == ["GET", *["GET"] * is_read_again]
    assert asked.external == [{WWW: ("192.0.2.9",)}] * is_read_again


def test_nobody_is_asked_where_nothing_is_deleted_or_nothing_is_of_others(
    zone: Any, client: Client, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = look_out(client, asked, monkeypatch, 9)
    look.look_before([NEW])
    assert zone.calls() == ["GET"]
    look.look_before([GOES, NEW])
    assert zone.calls() == ["GET", "GET"]
    assert asked.external == []


@pytest.mark.parametrize(("age", "is_read_again"), [(9.75, False), (10.25, True)])
def test_without_limits_a_reading_lasts_longer(
    zone: Any, client: Client, monkeypatch: pytest.MonkeyPatch, age: float, is_read_again: bool
) -> None:
    zone.holds(OTHERS)
    look_out(client, refuse_nothing, monkeypatch, age).look_before([GOES])
    assert zone.calls() == ["GET", *["GET"] * is_read_again]


AS_IT_IS = [
    # what is planned, and what others have made of it since -> what is done, and what is told to be removed of theirs
    pytest.param(
        change("www", "A", "300 192.0.2.1", "60 192.0.2.1 192.0.2.2", values=("192.0.2.2",), ttl=60, keeps_others=True),
        "www 300 A 192.0.2.1\nwww 300 A 192.0.2.9",
        ["rebuild 300 192.0.2.1 192.0.2.9 -> 60 192.0.2.1 192.0.2.9 192.0.2.2"],
        {},
        id="what is added stays",
    ),
    pytest.param(
        change("www", "A", "300 192.0.2.1", "60 192.0.2.2", values=("192.0.2.2",), ttl=60),
        "www 300 A 192.0.2.1\nwww 300 A 192.0.2.9",
        ["rebuild 300 192.0.2.1 192.0.2.9 -> 60 192.0.2.2"],
        {WWW: ("192.0.2.9",)},
        id="what is added to a set of which the task says all goes, and is told",
    ),
    pytest.param(
        GOES, "www 300 A 192.0.2.9", ["delete 300 192.0.2.9 -> "], {WWW: ("192.0.2.9",)}, id="a set that goes"
    ),
    pytest.param(
        change("www", "A", "300 192.0.2.1", "60 192.0.2.1", values=("192.0.2.1",), ttl=60, keeps_others=True),
        "www 60 A 192.0.2.1\nwww 60 A 192.0.2.9",
        [],
        {},
        id="what they have done themselves",
    ),
    pytest.param(
        change("www", "A", "300 192.0.2.1", "60 192.0.2.2", values=("192.0.2.2",), ttl=60),
        "www 60 A 192.0.2.2",
        None,
        {},
        id="nothing of others",
    ),
]


@pytest.mark.parametrize(("planned", "shown", "done", "removed"), AS_IT_IS)
def test_what_others_have_written_is_planned_with(
    zone: Any,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    planned: Change,
    shown: str,
    done: list[str] | None,
    removed: dict[Key, tuple[str, ...]],
) -> None:
    verification = Verification((planned,))
    look = look_out(client, refuse_nothing, monkeypatch, 11, verification)
    zone.holds(shown)
    changes = look.look_before([planned])
    assert (None if changes == [planned] else [in_words(one) for one in changes]) == done
    assert verification.external_removed == removed


def in_words(one: Change) -> str:
    sides = (f"{side.ttl} {' '.join(side.values)}" if side else "" for side in (one.before, one.after))
    return f"{one.action} {' -> '.join(sides)}"


@pytest.mark.parametrize(
    ("shown", "before"),
    [
        pytest.param([OTHERS, OTHERS, ONE], ("192.0.2.1",), id="it was an old reading"),
        pytest.param([OTHERS], ("192.0.2.1", "192.0.2.9"), id="they have added it again"),
    ],
)
def test_what_may_be_from_before_the_last_writes_is_read_again(
    zone: Any, client: Client, monkeypatch: pytest.MonkeyPatch, shown: list[str], before: tuple[str, ...]
) -> None:
    look = look_out(client, refuse_nothing, monkeypatch, 11)
    histories = look._histories
    histories.believe(WWW, RecordSet(*WWW, 300, ("192.0.2.1", "192.0.2.9")))
    histories.send(WWW, None)
    histories.answer(WWW, Outcome.DONE)
    histories.send(WWW, "192.0.2.1", 300)
    histories.answer(WWW, Outcome.DONE)
    readings = []
    for lines in shown:
        zone.holds(lines)
        readings.append(client.read_zone("example.com."))
    monkeypatch.setattr(look._writer, "read", lambda: readings.pop(0) if len(readings) > 1 else readings[0])
    (deletes,) = look.look_before([GOES])
    assert (deletes.before and deletes.before.values) == before


@pytest.mark.parametrize("is_first", [True, False])
def test_what_must_not_be_deleted_is_not(
    zone: Any, client: Client, asked: Asked, monkeypatch: pytest.MonkeyPatch, is_first: bool
) -> None:
    look = look_out(client, asked, monkeypatch, 9)
    zone.holds(OTHERS)
    if not is_first:
        look.look_after(client.read_zone("example.com."), [GOES])
    asked.refusal = "others have written to it"
    with pytest.raises(Stopped) as stopped:
        look.look_before([NEW, GOES])
    failure = stopped.value.failure
    assert (failure.key, failure.tried, str(failure.error)) == (
        WWW,
        "delete www.example.com. A",
        "others have written to it",
    )
    assert (failure.error.status_code, failure.untouched) == (None, is_first)


def test_where_the_zone_cannot_be_read_again_nothing_is_deleted(
    client: Client, asked: Asked, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = look_out(client, asked, monkeypatch, 9)
    service.fault("status", method="GET", status=403, body={"message": "No"})
    with pytest.raises(Stopped) as stopped:
        look.look_before([GOES])
    assert str(stopped.value.failure.error) == "the service answered 403: No (see access_token)"
    assert stopped.value.failure.error.status_code == 403


def test_what_a_further_round_deletes_of_others_is_remembered(
    zone: Any, client: Client, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    verification = Verification((GOES, NEW))
    look = look_out(client, asked, monkeypatch, 0, verification)
    zone.holds(OTHERS)
    live = client.read_zone("example.com.")
    left = [change("www", "A", "300 192.0.2.1 192.0.2.9", "")]
    look.look_after(live, left)
    assert asked.external == [{WWW: ("192.0.2.9",)}]
    assert verification.external_removed == {WWW: ("192.0.2.9",)}
    look.look_before([GOES])
    assert asked.external == [{WWW: ("192.0.2.9",)}] * 2, "the reading after the round counts"


@pytest.mark.parametrize(
    ("shown", "seen"),
    [
        ("www 300 A 192.0.2.1\nwww 300 A 192.0.2.7", []),
        ("www 300 A 192.0.2.1\nwww 300 A 192.0.2.7\nwww 300 A 192.0.2.9", ["192.0.2.9"]),
    ],
    ids=["what was removed just before", "beside it what nobody knew"],
)
def test_of_a_reading_from_before_only_what_nobody_knew_is_of_others(
    zone: Any, client: Client, shown: str, seen: list[str]
) -> None:
    """The set had .7 before it was made anew."""
    live, histories = client.read_zone("example.com."), no_histories()
    histories.believe(WWW, RecordSet(*WWW, 300, ("192.0.2.1", "192.0.2.7")))
    for value in (None, "192.0.2.1"):
        histories.send(WWW, value, 300)
        histories.answer(WWW, Outcome.DONE)
    planned = (GOES,)
    writer = ZoneWriter(client, live, histories, "auto")
    look = ConcurrentWrites(writer, live, planned, Verification(planned), histories)
    zone.holds(shown)
    look.see(client.read_again(live))
    assert look.lacking(live, WWW) == seen
