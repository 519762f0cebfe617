# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The changes of one name, call by call, and the way back where the service does not take a value."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest
from running import Service
from shorthand import a_set, change, entries

from ansible_collections.zonesmith.dns.plugins.module_utils import _telling
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._history.histories import Histories
from ansible_collections.zonesmith.dns.plugins.module_utils._history.history import Operation
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.sender import Sender
from ansible_collections.zonesmith.dns.plugins.module_utils._service.writer import ZoneWriter
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import no_histories
from ansible_collections.zonesmith.dns.plugins.module_utils._telling import torn
from ansible_collections.zonesmith.dns.plugins.module_utils._write.failures import Failure
from ansible_collections.zonesmith.dns.plugins.module_utils._write.unit import Ahead, Stopped, Unit

A, V6 = Key("www.example.com.", "A"), Key("www.example.com.", "AAAA")
ONE, TWO = "www 300 A 192.0.2.1", "www 300 A 192.0.2.1\nwww 300 A 192.0.2.2"
REPLACE = change("www", "A", "300 192.0.2.1 192.0.2.2", "60 192.0.2.3 192.0.2.4")
GROW = change("www", "A", "300 192.0.2.1 192.0.2.2", "300 192.0.2.1 192.0.2.2 192.0.2.3")
GOES, V6_GOES = change("www", "A", "300 192.0.2.1 192.0.2.2", ""), change("www", "AAAA", "300 2001:db8::1", "")
NEW, NEW_V6 = change("www", "A", "", "60 192.0.2.3"), change("www", "AAAA", "", "60 2001:db8::9")
ALIAS_GOES = change("www", "CNAME", "300 old.example.net.", "")
NEW_ALIAS = change("www", "CNAME", "", "60 new.example.net.")

DELETE, DELETE_V6 = "DELETE www.example.com. A", "DELETE www.example.com. AAAA"
DELETE_ALIAS, ADD_ALIAS = "DELETE www.example.com. CNAME", "POST www CNAME old.example.net."
ADD_1, ADD_2, ADD_3, ADD_4 = (f"POST www A 192.0.2.{number}" for number in range(1, 5))
ADD_V6, ADD_V6_9 = "POST www AAAA 2001:db8::1", "POST www AAAA 2001:db8::9"

Work = Callable[..., "Failure | None"]


@pytest.fixture
def histories() -> Histories:
    """What was written, as far as the answers tell."""
    return no_histories()


@pytest.fixture
def journaled() -> list[Entry]:
    """The entries that were replaced in the journal."""
    return []


@pytest.fixture
def work(connect: Any, histories: Histories, journaled: list[Entry]) -> Work:
    """Carries out the changes of a name, with a journal of them, and gives the failure if there is one."""

    def keep(entry: Entry, *, is_new: bool = True) -> None:
        journaled.extend([entry] * is_new)

    def carry_out(*changes: Change, journal: Iterable[Entry] = ()) -> Failure | None:
        client = connect(retries=0)
        live = client.read_zone("example.com.")
        kept = [*journal] or [*entries(changes).values()] * any(change.deletes for change in changes)
        try:
            for change in changes:
                histories.believe(change.key, change.before)
            writer = ZoneWriter(client, live, histories, "auto")
            Unit(writer, [*changes], kept, histories, Ahead(keep, lambda: None)).carry_out()
        except Stopped as stopped:
            return stopped.failure
        return None

    return carry_out


def calls(zone: Any) -> list[str]:
    """The calls that write."""
    return [call for call in zone.calls() if call != "GET"]


@pytest.mark.parametrize(
    ("before", "changes", "made", "after"),
    [
        pytest.param(
            TWO, [REPLACE], [DELETE, ADD_3, ADD_4], ["www 60 A 192.0.2.3", "www 60 A 192.0.2.4"], id="rebuild"
        ),
        pytest.param(TWO, [GROW], [ADD_3], [*TWO.splitlines(), "www 300 A 192.0.2.3"], id="extend"),
        pytest.param("", [NEW], [ADD_3], ["www 60 A 192.0.2.3"], id="create"),
        pytest.param(ONE, [], [], [ONE], id="nothing"),
        pytest.param(TWO, [GOES], [DELETE], [], id="delete"),
        pytest.param(
            "www 300 CNAME old.example.net.",
            [NEW, ALIAS_GOES],
            [DELETE_ALIAS, ADD_3],
            ["www 60 A 192.0.2.3"],
            id="what goes before what comes",
        ),
    ],
)
def test_a_name_is_changed_call_by_call(
    zone: Any, work: Work, before: str, changes: list[Change], made: list[str], after: list[str]
) -> None:
    zone.holds(before)
    assert work(*changes) is None
    assert calls(zone) == made
    assert zone.lines() == after


@pytest.mark.parametrize(
    ("before", "changes", "told"),
    [
        pytest.param(TWO, [REPLACE], [[A], [A], [A]], id="rebuild: from its deletion on, to its last value"),
        pytest.param(TWO, [REPLACE, NEW_V6], [[A, V6], [A, V6], [A, V6], [V6]], id="and what comes beside it"),
        pytest.param(TWO, [GROW], [[]], id="extend"),
        pytest.param(TWO, [GOES], [[]], id="delete"),
    ],
)
def test_who_is_interrupted_can_tell_what_is_not_whole(
    zone: Any, work: Work, monkeypatch: pytest.MonkeyPatch, before: str, changes: list[Change], told: list[list[Key]]
) -> None:
    found: list[list[str]] = []

    def watched(sender: Sender, method: str, *arguments: Any) -> Any:
        if method != "GET":
            found.append(torn())
        return send(sender, method, *arguments)

    send = Sender.send
    monkeypatch.setattr(Sender, "send", watched)
    zone.holds(before)
    work(*changes)
    assert found == [[" ".join(key) for key in keys] for keys in told]
    assert torn() == []


@pytest.mark.parametrize(
    ("change", "made", "said"),
    [
        pytest.param(REPLACE, [], "the run was interrupted", id="rebuild"),
        pytest.param(GROW, [ADD_3], None, id="extend"),
        pytest.param(GOES, [], "the run was interrupted", id="delete"),
    ],
)
def test_once_who_interrupts_was_told_what_is_not_whole_nothing_is_deleted(
    zone: Any, work: Work, monkeypatch: pytest.MonkeyPatch, change: Change, made: list[str], said: str | None
) -> None:
    monkeypatch.setattr(_telling, "_over", threading.Event())
    _telling.end_tearing()
    zone.holds(TWO)
    failure = work(change)
    assert calls(zone) == made
    assert (str(failure.error) if failure else None) == said


def test_what_is_written_is_noted(zone: Any, work: Work, histories: Histories) -> None:
    zone.holds(TWO)
    work(REPLACE, NEW_V6)
    assert {key: written.expected for key, written in histories.sets.items()} == {
        A: a_set(A, "60 192.0.2.3 192.0.2.4"),
        V6: a_set(V6, "60 2001:db8::9"),
    }


OLD = "www 300 AAAA 2001:db8::1"
FAILS = [
    # what the zone holds, the changes, which value fails and how -> the calls, the zone after, and whether it is as was
    pytest.param(
        TWO,
        [REPLACE],
        {"192.0.2.4": 422},
        [DELETE, ADD_3, ADD_4, ADD_1, ADD_2, DELETE, ADD_1, ADD_2],
        TWO.splitlines(),
        True,
        id="a value is refused: what was there is added, then what is new goes",
    ),
    pytest.param(
        TWO,
        [REPLACE],
        {"192.0.2.3": 422},
        [DELETE, ADD_3, ADD_1, ADD_2],
        TWO.splitlines(),
        True,
        id="the first value is refused",
    ),
    pytest.param(
        TWO, [REPLACE], {"192.0.2.3": 500}, [DELETE, ADD_3, ADD_1, ADD_2], TWO.splitlines(), True, id="nothing is left"
    ),
    pytest.param(
        TWO, [REPLACE], {"192.0.2.4": 500}, [DELETE, ADD_3, ADD_4], ["www 60 A 192.0.2.3"], False, id="half is there"
    ),
    pytest.param(TWO, [REPLACE], {"192.0.2.3": None}, [DELETE, ADD_3], [], False, id="no answer"),
    pytest.param(TWO, [GROW], {"192.0.2.3": 422}, [ADD_3], TWO.splitlines(), False, id="nothing was lost"),
    pytest.param("", [NEW], {"192.0.2.3": 422}, [ADD_3], [], False, id="nothing was there"),
    pytest.param(
        f"{TWO}\n{OLD}",
        [GROW, V6_GOES, change("www", "TXT", "", '60 "a"')],
        {"a": 422, '"a"': 422},
        [DELETE_V6, ADD_3, "POST www TXT a", 'POST www TXT "a"', ADD_V6],
        [*TWO.splitlines(), "www 300 A 192.0.2.3", OLD],
        True,
        id="a set of the name that only grew stays so",
    ),
    pytest.param(
        "www 300 CNAME old.example.net.",
        [ALIAS_GOES, NEW, NEW_V6],
        {"2001:db8::9": 422},
        [DELETE_ALIAS, ADD_3, ADD_V6_9, DELETE, ADD_ALIAS],
        ["www 300 CNAME old.example.net."],
        True,
        id="what is new makes way for the alias",
    ),
    pytest.param(
        OLD,
        [V6_GOES, NEW, change("www", "TXT", "", '60 "a"')],
        {"a": 422, '"a"': 422},
        [DELETE_V6, ADD_3, "POST www TXT a", 'POST www TXT "a"', ADD_V6],
        ["www 300 AAAA 2001:db8::1", "www 60 A 192.0.2.3"],
        True,
        id="what is new is in nobody's way",
    ),
    pytest.param(
        TWO,
        [GOES, NEW_ALIAS],
        {"new.example.net.": 422},
        [DELETE, "POST www CNAME new.example.net.", ADD_1, ADD_2],
        TWO.splitlines(),
        True,
        id="an alias that was never made is in nobody's way",
    ),
    pytest.param(
        TWO,
        [REPLACE],
        {"192.0.2.3": 422, "192.0.2.1": 422},
        [DELETE, ADD_3, ADD_1, ADD_2],
        ["www 300 A 192.0.2.2"],
        False,
        id="a value that was there is refused: the others come back all the same",
    ),
    pytest.param(
        TWO,
        [REPLACE],
        {"192.0.2.3": 422, "192.0.2.1": 500},
        [DELETE, ADD_3, ADD_1],
        [],
        False,
        id="a value that was there meets a service that is broken",
    ),
]


@pytest.mark.parametrize(("before", "changes", "fails", "made", "after", "is_back"), FAILS)
def test_a_failure_takes_back_what_it_can(
    zone: Any,
    work: Work,
    service: Service,
    before: str,
    changes: list[Change],
    fails: dict[str, int | None],
    made: list[str],
    after: list[str],
    is_back: bool,
) -> None:
    zone.holds(before)
    for value, status in fails.items():
        fault: dict[str, Any] = {"kind": "status", "status": status} if status else {"kind": "drop_before"}
        service.fault(**fault, method="POST", content=value, times=0)
    failure = work(*changes)
    assert failure
    value = next(iter(fails)).strip('"')
    assert failure.tried.replace('"', "").startswith(f"add {value} to www.example.com. ")
    assert failure.error.status_code == next(iter(fails.values()))
    assert (failure.rolled_back, failure.untouched) == (is_back, False)
    assert calls(zone) == made
    assert zone.lines() == sorted(after)


def test_a_deletion_that_is_refused_takes_nothing_back(zone: Any, work: Work, service: Service) -> None:
    zone.holds(TWO)
    service.fault("status", method="DELETE", status=403, times=0)
    failure = work(REPLACE)
    assert failure
    assert (failure.key, failure.tried, failure.rolled_back) == (A, "delete www.example.com. A", False)
    assert calls(zone) == [DELETE]


def test_a_later_round_leads_back_to_what_was_there_before_the_first(zone: Any, work: Work, service: Service) -> None:
    """The first round has rebuilt the set, and this one only adds what is missing of it."""
    zone.holds("www 60 A 192.0.2.3")
    service.fault("status", method="POST", content="192.0.2.4", status=422)
    failure = work(change("www", "A", "60 192.0.2.3", "60 192.0.2.3 192.0.2.4"), journal=entries([REPLACE]).values())
    assert failure
    assert failure.rolled_back
    assert calls(zone) == [ADD_4, ADD_1, ADD_2, DELETE, ADD_1, ADD_2]
    assert zone.lines() == TWO.splitlines()


def test_what_is_there_again_is_not_sent_again(zone: Any, work: Work, service: Service) -> None:
    zone.holds(TWO)
    service.fault("status", method="POST", content="192.0.2.2", status=422)
    failure = work(change("www", "A", "300 192.0.2.1 192.0.2.2", "60 192.0.2.1 192.0.2.2"))
    assert failure
    assert failure.rolled_back
    assert calls(zone) == [DELETE, ADD_1, ADD_2, ADD_2, DELETE, ADD_1, ADD_2]
    assert zone.lines() == TWO.splitlines()


def test_what_a_later_round_deletes_is_put_back_though_the_first_only_added(
    zone: Any, work: Work, service: Service
) -> None:
    zone.holds(f"{ONE}\nwww 300 A 192.0.2.9")
    service.fault("status", method="POST", content="192.0.2.1", status=422)
    first, later = "300 192.0.2.1 192.0.2.3", "300 192.0.2.1 192.0.2.9"
    failure = work(
        change("www", "A", later, first), journal=entries([change("www", "A", "300 192.0.2.1", first)]).values()
    )
    assert failure
    assert failure.rolled_back
    assert calls(zone) == [DELETE, ADD_1, ADD_1]


def test_a_mail_host_comes_back_with_the_preference_that_the_task_tells(
    zone: Any, work: Work, service: Service
) -> None:
    """The service shows none, and takes none without."""
    service.settings(mx_read="bare")
    zone.holds("www 300 MX 10 a.example.net.")
    key = Key("www.example.com.", "MX")
    sides = (RecordSet(*key, 300, ("a.example.net.",)), RecordSet(*key, 60, ("10 a.example.net.", "20 b.example.net.")))
    service.fault("status", method="POST", content="b.example.net.", status=422, times=0)
    failure = work(Change(*sides, Wanted(*key)))
    assert failure
    assert failure.rolled_back
    assert calls(zone)[-1] == "POST www MX 10 a.example.net."
    service.settings(mx_read="full")
    assert zone.lines() == ["www 300 MX 10 a.example.net."]


TEXTS = change("www", "TXT", '300 "old"', '300 "a" "b"')
SHOWN_LATE = [
    # the change, the value that is refused, and what the reading before the deletion shows besides -> what comes back
    pytest.param(REPLACE, "192.0.2.4", "192.0.2.9", ["192.0.2.1", "192.0.2.2", "192.0.2.9"], id="what others added"),
    pytest.param(REPLACE, "192.0.2.4", "192.0.2.4", ["192.0.2.1", "192.0.2.2"], id="what was made and refused"),
    pytest.param(TEXTS, "b", '"b"', ["old"], id="a text that was made and refused"),
    pytest.param(TEXTS, "b", r'"\"b\""', ["old"], id="a text with its quotes kept"),
    pytest.param(TEXTS, "b", '"c"', ["old", "c"], id="a text of others"),
]


def deletes(entry: Entry) -> int:
    """How many DELETEs an entry of the journal tells of."""
    return sum(isinstance(step, Operation) and step.is_delete for step in entry.known.history.steps)


@pytest.mark.parametrize(("task", "refused", "shown", "back"), SHOWN_LATE)
def test_a_roll_back_creates_again_what_is_not_its_own(
    zone: Any,
    work: Work,
    service: Service,
    monkeypatch: pytest.MonkeyPatch,
    task: Change,
    refused: str,
    shown: str,
    back: list[str],
    journaled: list[Any],
) -> None:
    name, rdtype = task.key
    assert task.before
    assert task.after
    zone.holds("\n".join(f"www 300 {rdtype} {value}" for value in task.before.values))
    service.fault("status", method="POST", content=refused, status=422, times=0)
    read, looks = ZoneWriter.read, [0]

    def with_what_is_late(writer: ZoneWriter) -> LiveZone:
        looks[0] += 1
        live = read(writer)
        held = live.record_sets.get(task.key)
        if held and looks[0] > 1:
            live.record_sets[task.key] = replace(held, values=(*held.values, shown))
        return live

    monkeypatch.setattr(ZoneWriter, "read", with_what_is_late)
    failure = work(task)
    assert failure
    assert failure.rolled_back
    made = calls(zone)
    last = len(made) - made[::-1].index(f"DELETE {name} {rdtype}")
    assert [call.split(" ", 3)[3].strip('"') for call in made[last:]] == back
    # What others added, and then that a second DELETE is sent.
    with_others = [(task.key, (*task.before.values, shown), (*task.after.values, shown), sent) for sent in (1, 2)]
    without = [(task.key, task.before.values, task.after.values, 2)]
    assert [(one.key, one.before.values, one.after.values, deletes(one)) for one in journaled] == (
        with_others if len(back) > len(task.before.values) else without
    )


def test_where_nothing_is_new_an_alias_comes_back_without_another_look(zone: Any, work: Work, service: Service) -> None:
    zone.holds("www 300 CNAME old.example.net.")
    service.fault("status", method="POST", content="192.0.2.3", status=422)
    failure = work(ALIAS_GOES, NEW)
    assert failure
    assert failure.rolled_back
    assert zone.calls() == ["GET", DELETE_ALIAS, ADD_3, "GET", ADD_ALIAS]
