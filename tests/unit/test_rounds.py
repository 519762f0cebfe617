# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What further rounds, roll-backs and the next run leave of what others added, and of what a killed run had deleted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from running import Service

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._history.set_history import SetHistory
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client, LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.writer import ZoneWriter
from ansible_collections.zonesmith.dns.plugins.module_utils._state.files import FileStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError

Run = Callable[..., dict[str, Any]]
Killed = Callable[..., None]

DKIM, DKIM_QUOTED = "v=DKIM1; k=rsa", '"v=DKIM1; k=rsa"'
TXT = {"zone": "example.com", "name": "k", "type": "TXT", "content": DKIM, "ttl": 300}
PARSES = {"txt": "parses", "txt_read": "plain"}
A = {"zone": "example.com", "name": "k", "type": "A"}
NEW = {"name": "zz", "type": "A", "content": "192.0.2.7"}
ANOTHER = {"zone": "example.com", **NEW}
TWO = "k 300 A 192.0.2.1\nk 300 A 192.0.2.2"


def addresses(zone: Any) -> set[int]:
    """The last numbers of the addresses of k."""
    return {int(line.rpartition(".")[2]) for line in zone.lines() if line.startswith("k ")}


@pytest.fixture
def killed(zone: Any, run: Run, monkeypatch: pytest.MonkeyPatch) -> Killed:
    """Runs a task that is killed right after the first deletion that follows a call."""
    delete = Client.delete_record_set

    @contextmanager
    def killing(after: str) -> Iterator[None]:
        def delete_and_die(client: Client, *args: Any, **options: Any) -> bool:
            done = delete(client, *args, **options)
            if after in zone.calls():
                raise KeyboardInterrupt
            return done

        monkeypatch.setattr(Client, "delete_record_set", delete_and_die)
        yield
        monkeypatch.setattr(Client, "delete_record_set", delete)

    def kill(after: str, module: str = "dns_record", **task: Any) -> None:
        with killing(after), pytest.raises(KeyboardInterrupt):
            run(module, **task)

    return kill


def kept(state_dir: Path) -> str:
    """What the journal has, and what was put aside."""
    return "".join(file.read_text() for file in state_dir.iterdir() if "entries" in file.read_text())


def add_with(monkeypatch: pytest.MonkeyPatch, before: str, *values: str, **fields: Any) -> None:
    """Somebody else adds values to a set right before the first POST of one."""
    create, left = Client.create_value, [*values]

    def others_and_create(client: Client, slug: str, body: dict[str, Any], *args: Any, **options: Any) -> None:
        while body["content"] == before and left:
            create(client, slug, {**body, "content": left.pop(), **fields}, lambda: False)
        create(client, slug, body, *args, **options)

    monkeypatch.setattr(Client, "create_value", others_and_create)


def add_after(monkeypatch: pytest.MonkeyPatch, *first: str, **fields: Any) -> None:
    """Somebody else adds a value to a set right after the first POST of one of these."""
    create, left = Client.create_value, [fields]

    def create_and_others(client: Client, slug: str, body: dict[str, Any], *args: Any, **options: Any) -> None:
        create(client, slug, body, *args, **options)
        if body["content"] in first and left:
            create(client, slug, {**body, **left.pop()}, lambda: False)

    monkeypatch.setattr(Client, "create_value", create_and_others)


# What others add between two rounds


@pytest.fixture
def others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else adds a text to the set once the first new one is there."""
    add_after(monkeypatch, DKIM, DKIM_QUOTED, content="theirs")


SECOND_ROUND = [
    # how the service takes and shows texts, the TTL -> the forms of the first round and the second
    pytest.param(PARSES, 300, DKIM, DKIM_QUOTED, id="the first only added"),
    pytest.param({"txt": "keeps_quotes"}, 60, DKIM_QUOTED, DKIM, id="the first deleted too"),
]


@pytest.mark.usefixtures("others")
@pytest.mark.parametrize(("odd", "ttl", "first", "second"), SECOND_ROUND)
def test_what_others_added_after_the_first_round_stays(
    zone: Any, run: Run, service: Service, odd: dict[str, str], ttl: int, first: str, second: str
) -> None:
    zone.holds('k 300 TXT "one"')
    service.odd("example.com", **odd)
    result = run("dns_record", **TXT | {"ttl": ttl})
    posts = [call for call in zone.calls() if call.startswith("POST k TXT") and "DKIM" in call]
    assert posts == [f"POST k TXT {first}", f"POST k TXT {second}"]
    told = [warning for warning in result["warnings"] if "deleted and made anew on the way" not in warning]
    assert len(told) == 1, "of the form of texts, and not of a value that stays"
    service.odd("example.com")
    assert zone.lines() == [f"k {ttl} TXT {value}" for value in ('"one"', '"theirs"', DKIM_QUOTED)]


def test_a_roll_back_of_a_second_round_puts_back_no_text_that_the_service_misread(
    zone: Any, run: Run, service: Service
) -> None:
    zone.holds('k 300 TXT "one"')
    service.odd("example.com", **PARSES)
    service.fault("status", method="DELETE", status=403, nth=2)
    assert "its old values were put back" in run("dns_record", **TXT | {"ttl": 60})["msg"]
    assert zone.lines() == ['k 300 TXT "one"']


@pytest.mark.usefixtures("others")
@pytest.mark.parametrize(("odd", "ttl", "first", "second"), SECOND_ROUND)
def test_a_roll_back_puts_back_what_others_added_after_the_first_round(
    zone: Any, run: Run, service: Service, odd: dict[str, str], ttl: int, first: str, second: str
) -> None:
    zone.holds('k 300 TXT "one"')
    service.odd("example.com", **odd, refused=[f"TXT {DKIM_QUOTED}"])
    result = run("dns_record", **TXT | {"ttl": ttl})
    assert zone.calls().index(f"POST k TXT {first}") < zone.calls().index(f"POST k TXT {second}")
    assert 'holds "one", "theirs" (TTL 300).' in result["msg"]
    service.odd("example.com")
    assert zone.lines() == ['k 300 TXT "one"', 'k 300 TXT "theirs"']


@pytest.mark.usefixtures("others")
def test_a_run_that_is_killed_in_its_second_round_leaves_what_others_added_to_the_next(
    zone: Any, run: Run, killed: Killed, service: Service
) -> None:
    zone.holds('k 300 TXT "one"')
    service.odd("example.com", txt="keeps_quotes")
    task = TXT | {"ttl": 60}
    killed(f"POST k TXT {DKIM_QUOTED}", **task)
    assert zone.lines() == []
    assert "msg" not in run("dns_record", **task)
    service.odd("example.com")
    assert zone.lines() == ['k 60 TXT "one"', 'k 60 TXT "theirs"', f"k 60 TXT {DKIM_QUOTED}"]


@pytest.mark.parametrize("task", [TXT, ANOTHER], ids=["the same task", "another task"])
def test_a_run_that_is_killed_in_its_second_round_leaves_the_form_of_texts_to_the_next(
    zone: Any, run: Run, killed: Killed, service: Service, task: dict[str, Any]
) -> None:
    """In the other one recovery would make another value of the one that was kept."""
    zone.holds('k 300 TXT "one"\nk 300 TXT "a; b"')
    service.odd("example.com", **PARSES)
    killed(f"POST k TXT {DKIM}", **TXT)
    assert zone.lines() == []
    run("dns_record", **task)
    service.odd("example.com")
    assert [line for line in zone.lines() if line.startswith("k ")] == [
        f"k 300 TXT {value}" for value in ('"a; b"', '"one"', DKIM_QUOTED)
    ]


@pytest.mark.parametrize("value", ["one", "theirs"])
@pytest.mark.usefixtures("others")
def test_what_a_second_round_creates_again_is_looked_for_as_well(
    zone: Any, run: Run, service: Service, value: str
) -> None:
    """The service confirms it, and does nothing."""
    zone.holds('k 300 TXT "one"')
    service.odd("example.com", **PARSES)
    service.fault("lie", method="POST", content=f'"{value}"')
    assert "msg" not in run("dns_record", **TXT)
    service.odd("example.com")
    assert zone.lines() == [f"k 300 TXT {one}" for one in ('"one"', '"theirs"', DKIM_QUOTED)]


# A text that was misread before

MISREAD = [
    pytest.param(PARSES, '"v=DKIM1"', id="parses"),
    pytest.param({"txt": "keeps_quotes"}, rf'"\"{DKIM}\""', id="keeps quotes"),
]


@pytest.mark.parametrize(("odd", "misread"), MISREAD)
def test_a_task_that_says_what_the_set_holds_gets_rid_of_a_misread_text_that_was_there(
    zone: Any, run: Run, service: Service, odd: dict[str, str], misread: str
) -> None:
    zone.holds(f"k 300 TXT {misread}")
    service.odd("example.com", **odd)
    assert ": set txt_format to" in "".join(run("dns_record", **TXT, exclusive=True)["warnings"])
    assert zone.calls().count("DELETE k.example.com. TXT") == 2
    assert run("dns_record", **TXT, exclusive=True)["changed"] is False
    service.odd("example.com")
    assert zone.lines() == [f"k 300 TXT {DKIM_QUOTED}"]


# A TTL that is not the one that was sent


@pytest.mark.parametrize("before", ["", "k 300 A 192.0.2.2"], ids=["created", "rebuilt"])
def test_a_ttl_that_somebody_else_sent_is_not_the_service_s_own(
    zone: Any, run: Run, monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    zone.holds(before)
    add_with(monkeypatch, "192.0.2.1", "192.0.2.1", ttl=900)
    result = run("dns_record", **A, content="192.0.2.1", ttl=60, exclusive=True)
    assert ("msg" in result, "warnings" in result) == (False, False)
    assert zone.lines() == ["k 60 A 192.0.2.1"]


@pytest.mark.parametrize(("is_exclusive", "numbers"), [(False, [1, 9]), (True, [1])])
def test_a_ttl_that_somebody_else_sent_with_another_value_is_not_the_service_s_own(
    zone: Any, run: Run, monkeypatch: pytest.MonkeyPatch, is_exclusive: bool, numbers: list[int]
) -> None:
    zone.holds("")
    add_after(monkeypatch, "192.0.2.1", content="192.0.2.9", ttl=900)
    result = run("dns_record", **A, content="192.0.2.1", ttl=60, exclusive=is_exclusive)
    assert "the service keeps its own" not in str(result)
    assert zone.lines() == [f"k 60 A 192.0.2.{number}" for number in numbers]


@pytest.mark.parametrize("number", [1, 9])
def test_a_ttl_of_the_service_s_own_is_known_one_round_later_where_somebody_else_wrote_too(
    zone: Any, run: Run, service: Service, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    zone.holds("")
    service.odd("example.com", ttl_fixed=900)
    add_with(monkeypatch, "192.0.2.1", f"192.0.2.{number}")
    task = {**A, "content": "192.0.2.1", "ttl": 60}
    told = "k.example.com. A has a TTL of 900 seconds and not of 60: the service keeps its own"
    made_anew = "k.example.com. A was gone for a moment: it was deleted and made anew on the way"
    assert run("dns_record", **task)["warnings"] == [told, made_anew]
    assert zone.calls().count("DELETE k.example.com. A") == 1
    assert run("dns_record", **task)["changed"] is False
    assert zone.lines() == [f"k 900 A 192.0.2.{one}" for one in sorted({1, number})]


# Roll-backs


@pytest.mark.parametrize("ttl", [60, 300])
def test_a_roll_back_deletes_nothing_that_others_added_meanwhile(
    zone: Any, run: Run, service: Service, monkeypatch: pytest.MonkeyPatch, ttl: int
) -> None:
    zone.holds("k 300 A 192.0.2.1")
    service.odd("example.com", refused=["A 192.0.2.4"])
    add_with(monkeypatch, "192.0.2.4", "192.0.2.9")
    result = run("dns_record", **A, content=["192.0.2.4"], ttl=ttl)
    assert "192.0.2.1, 192.0.2.9 (TTL 300)" in result["msg"]
    assert addresses(zone) == {1, 9}


NOT_BACK = [
    pytest.param({"kind": "status", "status": 403}, id="refused"),
    pytest.param({"kind": "status", "status": 500, "times": 0}, id="fails"),
    pytest.param({"kind": "lie"}, id="confirmed, and not done"),
]


@pytest.mark.parametrize("fault", NOT_BACK)
def test_what_others_added_and_a_roll_back_has_deleted_stays_in_the_journal(
    zone: Any, run: Run, service: Service, state_dir: Path, monkeypatch: pytest.MonkeyPatch, fault: dict[str, Any]
) -> None:
    zone.holds("k 300 A 192.0.2.1")
    service.odd("example.com", refused=["A 192.0.2.4"])
    add_with(monkeypatch, "192.0.2.4", "192.0.2.9")
    service.fault(**fault, method="POST", content="192.0.2.9", nth=2)
    result = run("dns_record", **A, content=["192.0.2.4"], ttl=60)
    assert 9 in addresses(zone) or "192.0.2.9" in kept(state_dir), result["msg"]


def test_a_run_that_is_killed_in_its_roll_back_leaves_what_others_added_to_the_next(
    zone: Any, run: Run, killed: Any, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone.holds("k 300 A 192.0.2.1")
    service.odd("example.com", refused=["A 192.0.2.4"])
    add_with(monkeypatch, "192.0.2.4", "192.0.2.9")
    killed("POST k A 192.0.2.4", **A, content=["192.0.2.4"], ttl=60)
    assert addresses(zone) == set()
    service.odd("example.com")
    run("dns_record", **ANOTHER)
    assert 9 in addresses(zone)


def test_a_roll_back_deletes_nothing_that_others_added_where_the_journal_cannot_have_it(
    zone: Any, run: Run, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone.holds("k 300 A 192.0.2.1")
    service.odd("example.com", refused=["A 192.0.2.4"])
    add_with(monkeypatch, "192.0.2.4", "192.0.2.9")
    write = Journal.write

    def full(journal: Journal, *args: Any, **how: Any) -> None:
        if "POST k A 192.0.2.4" in zone.calls():
            raise StateError("the disk is full")
        write(journal, *args, **how)

    monkeypatch.setattr(Journal, "write", full)
    assert "cannot add 192.0.2.4" in run("dns_record", **A, content=["192.0.2.4"], ttl=60)["msg"]
    assert zone.calls().count("DELETE k.example.com. A") == 1
    assert addresses(zone) == {1, 9}


def test_a_roll_back_deletes_nothing_where_it_cannot_look_before(
    zone: Any, run: Run, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone.holds("k 300 A 192.0.2.1")
    service.odd("example.com", refused=["A 192.0.2.4"])
    read, looks = ZoneWriter.read, [0]

    def not_the_second_time(writer: ZoneWriter) -> LiveZone:
        looks[0] += "POST k A 192.0.2.4" in zone.calls()
        if looks[0] == 2:
            raise ServiceError("the service answered 503", 503)
        return read(writer)

    monkeypatch.setattr(ZoneWriter, "read", not_the_second_time)
    result = run("dns_record", **A, content=["192.0.2.3", "192.0.2.4"], ttl=60)
    assert "cannot add 192.0.2.4 to k.example.com. A: the service answered 422" in result["msg"]
    assert "put back" not in result["msg"]
    assert zone.calls().count("DELETE k.example.com. A") == 1
    assert addresses(zone) == {1, 3}


def test_what_others_added_to_a_new_set_is_not_deleted_for_an_alias_that_was_there(
    zone: Any, run: Run, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone.holds("k 300 CNAME t.example.net.")
    service.odd("example.com", refused=["A 192.0.2.4"])
    add_with(monkeypatch, "192.0.2.4", "192.0.2.9")
    new = {"name": "k", "type": "A", "content": ["192.0.2.1", "192.0.2.4"]}
    result = run("dns_records", zone="example.com", records=[{"name": "k", "type": "CNAME", "state": "absent"}, new])
    assert "cannot add 192.0.2.4" in result["msg"]
    assert addresses(zone) == {1, 9}


@pytest.fixture
def _added_after_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else adds 192.0.2.9 to the set of the first value that a run creates."""
    create, left = Client.create_value, ["192.0.2.9"]

    def create_and_others(client: Client, slug: str, body: dict[str, Any], *args: Any, **options: Any) -> None:
        create(client, slug, body, *args, **options)
        if left:
            create(client, slug, {**body, "content": left.pop()}, lambda: False)

    monkeypatch.setattr(Client, "create_value", create_and_others)


K = {"name": "k", "type": "A", "content": "192.0.2.5"}


@pytest.mark.usefixtures("_added_after_the_first")
def test_what_is_removed_of_others_is_told_also_where_the_run_then_fails(zone: Any, run: Run, service: Service) -> None:
    service.fault("lie", method="POST", content="192.0.2.7")
    service.fault("status", method="POST", content="192.0.2.7", nth=2, status=401)
    result = run("dns_records", zone="example.com", records=[K, NEW], concurrency=1)
    assert "cannot add 192.0.2.7" in result["msg"]
    assert addresses(zone) == {5}
    (warning,) = (warning for warning in result["warnings"] if "which was removed" in warning)
    assert "192.0.2.9" in warning
    assert result["changes"][0]["before"]["contents"] == ["192.0.2.9"]


@pytest.mark.usefixtures("_added_after_the_first")
def test_what_is_removed_of_others_is_told(zone: Any, run: Run) -> None:
    result = run("dns_records", zone="example.com", records=[K])
    assert addresses(zone) == {5}
    assert ["which was removed" in warning for warning in result["warnings"]] == [True]


@pytest.mark.usefixtures("_added_after_the_first")
def test_what_was_to_be_removed_of_others_and_is_there_is_not_told_as_removed(
    zone: Any, run: Run, service: Service
) -> None:
    service.fault("status", method="DELETE", status=403, times=0)
    result = run("dns_records", zone="example.com", records=[K], concurrency=1)
    assert "cannot delete k.example.com. A" in result["msg"]
    assert addresses(zone) == {5, 9}
    assert "which was removed" not in str(result.get("warnings"))


def test_a_set_that_was_deleted_and_cannot_be_read_since_has_changed(zone: Any, run: Run, service: Service) -> None:
    zone.holds("k 300 A 192.0.2.1")
    service.fault("status", method="POST", status=401, times=0)
    service.fault("status", method="GET", status=401, nth=3, times=0)
    result = run("dns_record", **A, content="192.0.2.3", ttl=60)
    assert zone.lines() == []
    assert result["changed"] is True


@pytest.mark.parametrize(
    ("task", "numbers"),
    [
        pytest.param({"content": "192.0.2.2", "state": "absent"}, {1, 9}, id="takes one out"),
        pytest.param({"content": "192.0.2.1", "ttl": 60}, {1, 2, 9}, id="another TTL"),
    ],
)
def test_what_others_add_between_two_tries_of_a_deletion_stays(
    zone: Any, run: Run, service: Service, clock: Any, task: dict[str, Any], numbers: set[int]
) -> None:
    zone.holds("k 300 A 192.0.2.1\nk 300 A 192.0.2.2")
    service.fault("drop_before", method="DELETE")
    held = [{"name": "k", "type": "A", "ttl": 300, "contents": [f"192.0.2.{n}" for n in (1, 2, 9)]}]
    clock.on_wait = lambda _seconds: service.zone("example.com", [held.pop()]) if held else None
    result = run("dns_record", **A, **task)
    assert (
        "cannot delete k.example.com. A: others have added 192.0.2.9 to it meanwhile, which would be lost: run the "
        "task again; the set holds 192.0.2.1, 192.0.2.2, 192.0.2.9 (TTL 300)"
    ) in result["msg"]
    assert addresses(zone) == {1, 2, 9}
    assert "msg" not in run("dns_record", **A, **task)
    assert addresses(zone) == numbers


def test_what_a_late_look_shows_before_a_deletion_is_sent_again_is_not_what_others_added(
    zone: Any, run: Run, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone.holds("k 300 A 192.0.2.5")
    run("dns_record", **A, content="192.0.2.1", ttl=300, exclusive=True)
    service.fault("drop_before", method="DELETE")
    read, late = Client.read_again, [RecordSet("k.example.com.", "A", 300, ("192.0.2.5",))]

    def late_once(client: Client, live: LiveZone) -> LiveZone:
        shown = read(client, live)
        if zone.calls().count("DELETE k.example.com. A") == 2 and late:
            shown.record_sets[Key("k.example.com.", "A")] = late.pop()
        return shown

    monkeypatch.setattr(Client, "read_again", late_once)
    assert "msg" not in run("dns_record", **A, content="192.0.2.1", ttl=60)
    assert (late, zone.lines()) == ([], ["k 60 A 192.0.2.1"])


def test_a_text_that_others_put_back_meanwhile_is_no_reason_for_quotes(
    zone: Any, run: Run, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shown plain, the one that is sent in quotes then cannot be told from the right one."""
    zone.holds('k 60 TXT "one"')
    service.odd("example.com", txt="keeps_quotes", txt_read="plain", refused=["TXT *DKIM*"])
    add_with(monkeypatch, "one", "one")
    result = run("dns_record", **TXT)
    assert "cannot add" in result["msg"]
    assert 'POST k TXT "one"' not in zone.calls()
    service.odd("example.com")
    assert zone.lines() == ['k 60 TXT "one"']


# What an earlier run left, and recovery could not complete

FAULTS = [
    pytest.param({"kind": "status", "status": 403}, id="refused for a while"),
    pytest.param({"kind": "lie"}, id="confirmed, and not done"),
]
LATER = [
    # the task after a killed run that took 1 and 2 out to add 3, and the set after the next but one
    pytest.param({"content": "192.0.2.3", "ttl": 60}, {1, 2, 3}, id="the same task"),
    pytest.param({"content": "192.0.2.4"}, {1, 2, 3, 4}, id="adds another"),
    pytest.param({"content": "192.0.2.2", "state": "absent"}, {1, 3}, id="takes one out"),
    pytest.param({"content": "192.0.2.1", "state": "absent"}, {2, 3}, id="takes that one out"),
    pytest.param({"content": "192.0.2.5", "exclusive": True}, {5}, id="says what the set holds"),
    pytest.param({"state": "absent"}, set(), id="takes all out"),
]


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize(("task", "numbers"), LATER)
def test_what_recovery_could_not_complete_is_left_to_the_next_run_by_a_task_about_the_same_set(
    zone: Any,
    run: Run,
    killed: Killed,
    service: Service,
    fault: dict[str, Any],
    task: dict[str, Any],
    numbers: set[int],
) -> None:
    zone.holds(TWO)
    killed("DELETE k.example.com. A", **A, content="192.0.2.3", ttl=60)
    service.fault(**fault, method="POST", content="192.0.2.1")
    assert "msg" not in run("dns_record", **A, **task)
    assert "msg" not in run("dns_record", **ANOTHER)
    assert addresses(zone) == numbers
    assert "warnings" not in run("dns_record", **ANOTHER)


K_ABSENT = {"name": "k", "type": "A", "state": "absent"}
ABSENT = [
    pytest.param("dns_record", {**A, "content": "192.0.2.1", "state": "absent"}, 0, id="the value"),
    pytest.param("dns_record", {**A, "state": "absent"}, 0, id="the set"),
    pytest.param("dns_records", {"zone": "example.com", "records": [K_ABSENT, NEW]}, 1, id="the set, beside another"),
]


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize(("module", "task", "changes"), ABSENT)
def test_what_recovery_could_not_complete_is_left_to_nobody_where_the_task_wants_it_gone(
    zone: Any,
    run: Run,
    killed: Killed,
    service: Service,
    fault: dict[str, Any],
    module: str,
    task: dict[str, Any],
    changes: int,
) -> None:
    zone.holds("k 300 A 192.0.2.1")
    killed("DELETE k.example.com. A", **A, content="192.0.2.1", ttl=60)
    service.fault(**fault, method="POST", content="192.0.2.1")
    result = run(module, **task)
    assert ("msg" in result, len(result["changes"])) == (False, changes)
    assert "k.example.com. A is to be absent as it is, so what could not be completed is not tried again" in "".join(
        result["warnings"]
    )
    assert "warnings" not in run("dns_record", **ANOTHER)
    assert addresses(zone) == set()


def test_what_recovery_could_not_complete_is_left_to_the_next_run_where_the_task_may_not_take_it_away(
    zone: Any, run: Run, killed: Killed, service: Service
) -> None:
    zone.holds("k 300 A 192.0.2.1")
    killed("DELETE k.example.com. A", **A, content="192.0.2.1", ttl=60)
    service.fault("status", status=403, method="POST")
    assert "msg" not in run("dns_records", zone="example.com", records=[K_ABSENT], protect=[{"name": "k"}])
    run("dns_record", **ANOTHER)
    assert addresses(zone) == {1}


def test_what_recovery_could_not_complete_outlasts_a_task_about_the_same_set_that_fails(
    zone: Any, run: Run, killed: Killed, service: Service
) -> None:
    zone.holds(TWO)
    killed("DELETE k.example.com. A", **A, content="192.0.2.3", ttl=60)
    service.fault("status", status=403, method="POST", content="192.0.2.1")
    service.fault("status", status=422, method="POST", content="192.0.2.4")
    assert "cannot add 192.0.2.4" in run("dns_record", **A, content="192.0.2.4")["msg"]
    run("dns_record", **ANOTHER)
    assert addresses(zone) == {1, 2, 3}


def test_what_recovery_could_not_complete_outlasts_a_task_about_the_same_set_that_is_killed(
    zone: Any, run: Run, killed: Killed, service: Service
) -> None:
    zone.holds(TWO)
    killed("DELETE k.example.com. A", **A, content="192.0.2.3", ttl=60)
    zone.holds("k 60 A 192.0.2.2")
    service.fault("status", status=403, method="POST", content="192.0.2.1")
    killed("POST k A 192.0.2.3", **A, content="192.0.2.4", ttl=900)
    assert addresses(zone) == set()
    run("dns_record", **ANOTHER)
    assert addresses(zone) == {1, 2, 3, 4}


# In which form recovery sends texts

TEXTS = ('"v=DMARC1; p=none"', '"v=spf1 mx -all"')


def texts(ttl: int, *values: str) -> list[str]:
    """Lines of the set of k."""
    return [f"k {ttl} TXT {value}" for value in values]


def test_recovery_sends_texts_as_the_killed_run_would_have_sent_them(
    zone: Any, run: Run, killed: Killed, service: Service
) -> None:
    """Of the only texts of the zone it shows no form any more."""
    service.odd("example.com", txt="parses", txt_read="quoted")
    zone.holds("\n".join(texts(300, *TEXTS)))
    killed("DELETE k.example.com. TXT", **TXT | {"content": "v=spf1 mx -all", "ttl": 60})
    assert len(run("dns_record", **ANOTHER)["warnings"]) == 1
    assert zone.lines() == [*texts(60, *TEXTS), "zz 3600 A 192.0.2.7"]


@pytest.mark.parametrize(
    ("odd", "made"),
    [
        pytest.param(PARSES, ('"v=DMARC1"', '"v=spf1mx-all"'), id="unquoted"),
        pytest.param({"txt": "keeps_quotes"}, (r'"\"v=DMARC1; p=none\""', r'"\"v=spf1 mx -all\""'), id="quoted"),
    ],
)
def test_recovery_sees_which_texts_come_back_wrong_and_sends_them_in_the_other_form(
    zone: Any, run: Run, killed: Killed, service: Service, odd: dict[str, str], made: tuple[str, ...]
) -> None:
    zone.holds("\n".join(texts(300, *TEXTS)))
    service.odd("example.com", **odd)
    killed("DELETE k.example.com. TXT", **TXT | {"content": "v=spf1 mx -all", "ttl": 60})
    told, completed = sorted(run("dns_record", **ANOTHER)["warnings"], key=lambda one: "completed" in one)
    assert "completed from the journal" in completed
    assert told == (
        f"k.example.com. TXT holds {made[0]}, {made[1]}, which the service made of texts that were sent to complete "
        "it: take that out"
    )
    service.odd("example.com")
    assert zone.lines() == sorted([*texts(60, *made, *TEXTS), "zz 3600 A 192.0.2.7"])
    assert "warnings" not in run("dns_record", **ANOTHER)


# What a reading still shows of a name that is half gone

CAA, MX = '@ {} CAA 0 issue "ca.example.net"', "@ {} MX 10 mail.example.net."
MAIL = Key("example.com.", "MX")


@pytest.mark.parametrize(
    ("late", "runs"),
    [
        pytest.param(4.0, 1, id="for some seconds"),
        pytest.param(15.75, 1, id="until all patience is spent"),
        pytest.param(100.0, 2, id="to the end of the run"),
    ],
)
def test_a_set_that_is_shown_late_beside_one_that_is_gone_is_completed_too(
    zone: Any, run: Run, killed: Killed, clock: Any, monkeypatch: pytest.MonkeyPatch, late: float, runs: int
) -> None:
    zone.holds(f"{CAA.format(300)}\n{MX.format(300)}")
    at_the_apex = [
        {"name": "@", "type": rdtype, "content": line.split(" ", 3)[3], "ttl": 60}
        for rdtype, line in (("CAA", CAA), ("MX", MX))
    ]
    killed("DELETE example.com. MX", module="dns_records", zone="example.com", records=at_the_apex, concurrency=1)
    assert zone.lines() == []
    read, killed_at = Client.read_record_sets, clock.monotonic()

    def read_late(client: Client, slug: str) -> Any:
        shown = read(client, slug)
        if clock.monotonic() - killed_at < late:
            shown[MAIL] = RecordSet(*MAIL, 300, ("10 mail.example.net.",))
        return shown

    monkeypatch.setattr(Client, "read_record_sets", read_late)
    for _time in range(runs):
        run("dns_record", **ANOTHER)
        clock.sleep(100)
        zone_now = zone.lines()
        zone.holds("\n".join(line for line in zone_now if not line.startswith("zz")))
    assert zone_now == [CAA.format(60), MX.format(60), "zz 3600 A 192.0.2.7"]


# What recovery completes at once to what the task wants

SAYS = [
    # the task after a killed run that took 1 and 2 out to add 3 with a TTL of 60, and what the set is to hold then
    pytest.param({"content": "192.0.2.3", "ttl": 120}, 120, {1, 2, 3}, id="another TTL"),
    pytest.param({"content": "192.0.2.4", "ttl": 300}, 300, {1, 2, 3, 4}, id="the former TTL, and another value"),
    pytest.param({"content": "192.0.2.5", "exclusive": True}, 60, {5}, id="another value alone"),
    pytest.param({"content": "192.0.2.2", "state": "absent"}, 60, {1, 3}, id="one value less"),
]


@pytest.mark.parametrize(("task", "ttl", "numbers"), SAYS)
def test_a_set_that_is_gone_is_completed_to_what_the_task_makes_of_it(
    zone: Any, run: Run, killed: Killed, service: Service, task: dict[str, Any], ttl: int, numbers: set[int]
) -> None:
    zone.holds(TWO)
    killed("DELETE k.example.com. A", **A, content="192.0.2.3", ttl=60)
    service.clear_log()
    checked, result = (run("dns_record", **A, **task, check=check) for check in (True, False))
    assert zone.lines() == [f"k {ttl} A 192.0.2.{number}" for number in sorted(numbers)]
    assert not any(call.startswith("DELETE") for call in zone.calls()), "or it would be gone a second time"
    assert len([call for call in zone.calls() if call.startswith("POST")]) == len(numbers)
    assert [change["after"]["ttl"] for change in result["recovered"]] == [ttl]
    assert (result["changed"], result["changes"]) == (True, [])
    assert [checked[part] for part in ("recovered", "changes", "diff")] == [
        result[part] for part in ("recovered", "changes", "diff")
    ]
    assert run("dns_record", **A, **task)["changed"] is False


def test_what_the_task_may_not_make_of_it_is_completed_as_it_was_meant(zone: Any, run: Run, killed: Killed) -> None:
    zone.holds(TWO)
    killed("DELETE k.example.com. A", **A, content="192.0.2.3", ttl=60)
    record = {"name": "k", "type": "A", "content": "192.0.2.5"}
    assert "protect" in run("dns_records", zone="example.com", records=[record], protect=[{"name": "k"}])["msg"]
    assert zone.lines() == [f"k 60 A 192.0.2.{number}" for number in (1, 2, 3)]


def test_a_run_that_is_killed_as_it_completes_a_set_to_its_own_leaves_that_to_the_next(
    zone: Any, run: Run, killed: Killed, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone.holds(TWO)
    killed("DELETE k.example.com. A", **A, content="192.0.2.3", ttl=60)
    create = Client.create_value

    def create_and_die(client: Client, *args: Any, **options: Any) -> None:
        create(client, *args, **options)
        raise KeyboardInterrupt

    monkeypatch.setattr(Client, "create_value", create_and_die)
    with pytest.raises(KeyboardInterrupt):
        run("dns_record", **A, content=["192.0.2.5", "192.0.2.1"], exclusive=True, ttl=120)
    monkeypatch.setattr(Client, "create_value", create)
    assert len(addresses(zone)) == 1
    assert run("dns_record", **ANOTHER)["recovered"]
    assert addresses(zone) == {1, 5}


# What others made of a name meanwhile

THEIRS = [
    # what a killed run was to rebuild, its old value, and what others made of the name
    pytest.param(A | {"content": "192.0.2.3"}, "192.0.2.1", ("CNAME", "t.example.net."), id="an alias"),
    pytest.param(
        A | {"type": "CNAME", "content": "new.example.net.", "exclusive": True},
        "old.example.net.",
        ("A", "192.0.2.1"),
        id="addresses in place of an alias",
    ),
]


def aside(state_dir: Path) -> str:
    """What was put aside."""
    return "".join(file.read_text() for file in state_dir.glob("*.aside-*"))


@pytest.mark.parametrize(("task", "old", "theirs"), THEIRS)
def test_what_a_killed_run_had_deleted_is_not_forgotten_where_others_gave_the_name_what_keeps_it_away(
    zone: Any, run: Run, killed: Killed, state_dir: Path, task: dict[str, Any], old: str, theirs: Any
) -> None:
    rdtype, value = theirs
    zone.holds(f"k 300 {task['type']} {old}")
    killed(f"DELETE k.example.com. {task['type']}", **task, ttl=60)
    zone.holds(f"k 300 {rdtype} {value}")
    assert "warnings" not in run("dns_record", **ANOTHER, check=True)
    assert not aside(state_dir)
    (warning,) = run("dns_record", **ANOTHER)["warnings"]
    assert warning.startswith(
        f"k.example.com. {task['type']} had been left incomplete by an earlier run and stays so, "
        "because of what is at the name now; "
    )
    assert old in aside(state_dir)
    assert zone.lines() == [f"k 300 {rdtype} {value}", "zz 3600 A 192.0.2.7"]


@pytest.mark.parametrize("is_young", [True, False], ids=["at once", "minutes later"])
def test_what_was_deleted_late_is_put_aside_once_where_others_gave_the_name_what_keeps_it_away(
    zone: Any, run: Run, service: Service, state_dir: Path, monkeypatch: pytest.MonkeyPatch, is_young: bool
) -> None:
    zone.holds("k 300 A 192.0.2.1")
    service.fault("status", method="DELETE", status=504)
    assert "msg" not in run("dns_record", **A, content="192.0.2.1", ttl=60)
    zone.holds("k 300 CNAME t.example.net.")
    monkeypatch.setattr(SetHistory, "is_young", lambda _known, _now: is_young)
    (warning,) = run("dns_record", **ANOTHER)["warnings"]
    assert warning.startswith(
        "k.example.com. A lacked what an earlier run had left, and a late request or somebody else had taken, and "
        "stays so, because of what is at the name now; "
    )
    assert "192.0.2.1" in aside(state_dir)
    assert "warnings" not in run("dns_record", **ANOTHER)
    assert len([*state_dir.glob("*.aside-*")]) == 1


# A deletion that comes after another task


def deleted_late_after(zone: Any, run: Run, service: Service, **second: Any) -> set[int]:
    """The addresses of k after a next run, where the deletion of a first task is carried out after a *second* one."""
    zone.holds(TWO)
    service.fault("status", method="DELETE", status=504)
    assert "msg" not in run("dns_record", **A, content="192.0.2.1", ttl=60)
    assert "msg" not in run("dns_record", **A, **second)
    zone.holds("")
    run("dns_record", **ANOTHER)
    return addresses(zone)


@pytest.mark.parametrize(
    ("second", "numbers"),
    [
        pytest.param({"content": "192.0.2.3"}, {1, 2, 3}, id="added to it"),
        pytest.param({"content": "192.0.2.2", "state": "absent"}, {1}, id="rebuilt it"),
        pytest.param({"state": "absent"}, set(), id="deleted it"),
    ],
)
def test_a_deletion_may_come_late_also_after_another_task(
    zone: Any, run: Run, service: Service, second: dict[str, Any], numbers: set[int]
) -> None:
    assert deleted_late_after(zone, run, service, **second) == numbers


def test_a_deletion_may_come_late_between_two_readings(
    zone: Any, run: Run, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone.holds(TWO)
    service.fault("status", method="DELETE", status=504)
    assert "msg" not in run("dns_record", **A, content="192.0.2.1", ttl=60)
    read, late = Client.read_again, [""]

    def deleted_and_read(client: Client, live: LiveZone) -> LiveZone:
        for nothing in late:
            zone.holds(nothing)
        late.clear()
        return read(client, live)

    monkeypatch.setattr(Client, "read_again", deleted_and_read)
    result = run("dns_record", **A, content="192.0.2.3", ttl=900)
    assert [change["after"]["contents"] for change in result["recovered"]] == [["192.0.2.1", "192.0.2.2", "192.0.2.3"]]
    assert addresses(zone) == {1, 2, 3}


def test_what_a_deletion_takes_that_comes_just_before_a_value_is_added_is_created_again(
    zone: Any, run: Run, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone.holds(TWO)
    service.fault("status", method="DELETE", status=504)
    assert "msg" not in run("dns_record", **A, content="192.0.2.1", ttl=60)
    create, late = Client.create_value, [""]

    def deleted_and_created(client: Client, *args: Any, **options: Any) -> bool:
        for nothing in late:
            zone.holds(nothing)
        late.clear()
        return create(client, *args, **options)

    monkeypatch.setattr(Client, "create_value", deleted_and_created)
    result = run("dns_record", **A, content="192.0.2.3")
    assert [change["after"]["contents"] for change in result["changes"]] == [["192.0.2.3", "192.0.2.1", "192.0.2.2"]]
    assert [change["action"] for change in result["changes"]] == ["extend"]
    assert (addresses(zone), result["recovered"]) == ({1, 2, 3}, [])


def refuse_to_save(_store: FileStore, *_content: Any) -> None:
    raise StateError("the disk is full")


@pytest.mark.parametrize("hindrance", ["", "another run has the lock", "the disk is full"])
def test_what_a_task_without_changes_reads_of_a_set_that_may_be_deleted_late_comes_back_where_it_can_be_kept(
    zone: Any, run: Run, service: Service, journal: Journal, monkeypatch: pytest.MonkeyPatch, hindrance: str
) -> None:
    """The task waits for the lock, and does not fail; where it waits in vain it says what may go."""
    zone.holds(TWO)
    service.fault("status", method="DELETE", status=504)
    assert "msg" not in run("dns_record", **A, content="192.0.2.1", ttl=60)
    zone.holds("k 60 A 192.0.2.1\nk 60 A 192.0.2.2\nk 60 A 192.0.2.9")  # by hand
    lock = journal.lock() if "lock" in hindrance else nullcontext()
    with lock, monkeypatch.context() as patched:
        if "disk" in hindrance:
            patched.setattr(FileStore, "save", refuse_to_save)
        result = run("dns_record", **A, content="192.0.2.9", lock_timeout=1)
    assert (result["changed"], "msg" in result) == (False, False)
    told = "k.example.com. A had 192.0.2.9 when this task read it, which others have added: "
    assert [one.startswith(told) for one in result.get("warnings", [])] == [True] * ("lock" in hindrance)
    zone.holds("")
    run("dns_record", **ANOTHER)
    assert addresses(zone) == ({1, 2} if hindrance else {1, 2, 9})


# A set that somebody deletes by hand after a recovery

LOST_DELETES = [
    # how many DELETEs of a run get no answer -> how often the set is created again after it
    pytest.param(0, 0, id="answered"),
    pytest.param(1, 1, id="one not answered"),
    pytest.param(2, 2, id="two not answered"),
]


def times_created_again(zone: Any, run: Run) -> int:
    """How often a set that goes again and again comes back."""
    for times in range(5):
        zone.holds("")
        result = run("dns_record", **ANOTHER)
        assert ("warnings" in result, bool(result["recovered"])) == (bool(addresses(zone)), bool(addresses(zone)))
        if not addresses(zone):
            return times
    raise AssertionError("it always does")


@pytest.mark.parametrize(("lost", "times"), LOST_DELETES)
def test_what_goes_after_a_recovery_is_created_again_only_where_a_deletion_had_no_answer(
    zone: Any, run: Run, killed: Killed, service: Service, lost: int, times: int
) -> None:
    zone.holds(TWO)
    if lost:
        service.fault("status", method="DELETE", status=504, times=lost)
    killed("DELETE k.example.com. A", **A, content="192.0.2.3", ttl=60)
    assert addresses(zone) == set()
    assert run("dns_record", **ANOTHER)["recovered"]
    assert addresses(zone) == {1, 2, 3}
    assert times_created_again(zone, run) == times


@pytest.mark.parametrize(("lost", "times"), LOST_DELETES)
def test_what_goes_after_a_task_is_created_again_as_often_as_a_deletion_had_no_answer(
    zone: Any, run: Run, service: Service, lost: int, times: int
) -> None:
    zone.holds(TWO)
    if lost:
        service.fault("status", method="DELETE", status=504, times=lost)
    assert "msg" not in run("dns_record", **A, content="192.0.2.3", ttl=60)
    assert times_created_again(zone, run) == times


@pytest.mark.parametrize(("lost", "times"), LOST_DELETES)
def test_what_goes_after_a_failure_is_created_again_only_where_a_deletion_had_no_answer(
    zone: Any, run: Run, service: Service, lost: int, times: int
) -> None:
    """The failed run leaves the set half built, and the next one completes it."""
    zone.holds(TWO)
    if lost:
        service.fault("status", method="DELETE", status=504, times=lost)
    service.fault("status", method="POST", content="192.0.2.2", status=401)
    assert "cannot add 192.0.2.2" in run("dns_record", **A, content="192.0.2.3", ttl=60)["msg"]
    assert run("dns_record", **ANOTHER)["recovered"]
    assert addresses(zone) == {1, 2, 3}
    assert times_created_again(zone, run) == times


# What recovery creates beside what is refused


@pytest.mark.parametrize("is_young", [True, False], ids=["at once", "after minutes of tries"])
@pytest.mark.parametrize(
    ("task", "refused", "created"),
    [
        pytest.param({}, "192.0.2.1", 3, id="one is refused"),
        pytest.param({"exclusive": True}, "192.0.2.3", 1, id="all is refused, and what was there is put back"),
    ],
)
def test_what_recovery_created_beside_a_value_that_is_refused_is_told_however_late_it_is_shown(
    zone: Any,
    run: Run,
    killed: Killed,
    service: Service,
    clock: Any,
    monkeypatch: pytest.MonkeyPatch,
    task: dict[str, Any],
    refused: str,
    created: int,
    is_young: bool,
) -> None:
    zone.holds("k 300 A 192.0.2.1")
    killed("DELETE k.example.com. A", **A, **task, content="192.0.2.3", ttl=60)
    service.odd("example.com", refused=[f"A {refused}"])
    read, late = Client.read_again, [True]

    def late_once(client: Client, live: LiveZone) -> LiveZone:
        """What is read first after the creation is what was read before."""
        return live if addresses(zone) and late and late.pop() else read(client, live)

    monkeypatch.setattr(Client, "read_again", late_once)
    monkeypatch.setattr(SetHistory, "is_young", lambda _known, _now: is_young)
    clock.waits.clear()
    result = run("dns_record", **A | {"type": "TXT"}, state="absent")
    assert addresses(zone) == {created}
    assert [change["after"]["contents"] for change in result["recovered"]] == [[f"192.0.2.{created}"]]
    assert result["changed"] is True
    assert clock.waits[-1:] == [0.25], "until it is shown, and no longer"
