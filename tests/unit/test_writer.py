# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One value added, one set deleted: given what the service answers and shows, which requests follow each other."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from typing import Any

import pytest
from scripted import ACCEPTED, LOST, OK, Scripted

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import InvalidRdata
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._history.histories import Histories
from ansible_collections.zonesmith.dns.plugins.module_utils._history.history import Outcome
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError, TransientFailure
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client, LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.connection import Connection
from ansible_collections.zonesmith.dns.plugins.module_utils._service.sender import Sender
from ansible_collections.zonesmith.dns.plugins.module_utils._service.writer import ZoneWriter
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import no_histories

pytestmark = pytest.mark.usefixtures("home", "clock")

WWW, TEXT = Key("www.example.com.", "A"), Key("www.example.com.", "TXT")
VALUE = "192.0.2.1"
ONE, OTHER, BOTH = "www A 192.0.2.1", "www A 192.0.2.2", "www A 192.0.2.1, 192.0.2.2"
FOR_LONG = TransientFailure(ServiceError("the service answered 429", 429), not_carried_out=True, retry_after=11)
Make = Callable[..., tuple[ZoneWriter, Scripted]]


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Make:
    """Makes a writer for a zone that showed something, and the service that answers it."""

    def make(
        showed: str = "", txt_format: str = "auto", answers: Any = None, **knows: Any
    ) -> tuple[ZoneWriter, Scripted]:
        histories = knows.pop("histories", None) or Known()
        client = Client(Connection("https://dns.example.com", "token-that-nobody-may-see", retries=1))
        before = Scripted(GET=[showed])
        monkeypatch.setattr(Sender, "send", before.send)
        writer = ZoneWriter(client, client.read_zone("example.com."), histories, txt_format, **knows)
        service = Scripted(**(answers or {}))
        monkeypatch.setattr(Sender, "send", service.send)
        return writer, service

    return make


def short(calls: Sequence[str]) -> str:
    """Calls in their order; how many readings follow each other tells how long they were waited for."""
    counts = [(method, len(list(group))) for method, group in groupby(calls)]
    return " ".join(method if count == 1 else f"{method}*{count}" for method, count in counts)


def ends(call: Callable[..., None], *arguments: Any, **options: Any) -> str:
    """What a call fails with, nothing where it does not."""
    try:
        call(*arguments, **options)
    except ServiceError as error:
        return str(error).removeprefix("the service answered ")
    return ""


class Known(Histories):
    """Histories that know of these values (None is the whole set) and what a reading proves, and keep what is sent."""

    def __init__(self, *values: str | None, proves: bool = True, needs_a_delete: bool = True):
        super().__init__(time.time)
        self._values = values
        self._proves = proves
        self._needs_a_delete = needs_a_delete
        self.learned: list[str] = []

    def has(self, _key: Key, value: str | None) -> bool:
        return value in self._values

    def is_outdated(self, _key: Key, _held: RecordSet | None) -> bool:
        return not self._proves

    may_be_former = is_outdated

    def needs_a_delete(self, _key: Key, _held: RecordSet | None) -> bool:
        return self._needs_a_delete

    def send(self, _key: Key, _value: str | None, _ttl: int = 0) -> None:
        self.learned.append("unknown")

    def answer(self, _key: Key, outcome: Outcome) -> None:
        self.learned[-1] = outcome.value

    def see_removed(self, _key: Key) -> None:
        self.learned.append("gone")


NO_PROOF: dict[str, Any] = {"histories": Known(proves=False)}
GONE_BEFORE: dict[str, Any] = {"histories": Known(needs_a_delete=False)}
LATELY: dict[str, Any] = {"histories": Known(VALUE, None)}
LATELY_ALL: dict[str, Any] = {"histories": Known('"b"')}
LEFT = {"may_be_there": True}


# Adding a value


ADDING: dict[str, tuple[list[Any], list[Any], dict[str, Any], str, str]] = {
    "taken": ([OK], [""], {}, "POST", ""),
    "accepted, and the end of the run tells": ([ACCEPTED], [""], {}, "POST", ""),
    "refused": ([422], [""], {}, "POST GET", "422"),
    "refused beside another": ([422], [OTHER], {}, "POST GET", "422"),
    "refused because it is there": ([422], [ONE], {}, "POST GET", "there"),
    "refused, and there later by others": ([422], ["", ONE], {}, "POST GET", "422"),
    "refused whatever it is": ([401], [ONE], {}, "POST", "401"),
    "refused, and nobody knows whether it is there": ([422], [403], {}, "POST GET", "422"),
    "not found": ([404], [""], {}, "POST GET*4", "404"),
    "not found, and created": ([404], ["", "", BOTH], {}, "POST GET*3", "there"),
    "not allowed": ([405], [""], {}, "POST GET", "405"),
    "gone": ([410], [""], {}, "POST GET*4", "410"),
    "without a length": ([411], [""], {}, "POST GET", "411"),
    # What this run or an earlier one may have created is looked for with all patience.
    "created lately": ([422], [""], LATELY, "POST GET*7", "422"),
    "left by a run": ([422], [""], LEFT, "POST GET*7", "422"),
    "left by a run, and shown late": ([422], [*[""] * 6, ONE], LEFT, "POST GET*7", "there"),
    # No answer: the zone tells, as far as what it shows is proof.
    "lost, and there": ([LOST], [ONE], {}, "POST GET", ""),
    "lost, and there soon": ([LOST], ["", "", ONE], {}, "POST GET*3", ""),
    "lost, and not there": ([LOST, OK], [""], {}, "POST GET*4 POST", ""),
    "lost, and there without proof": ([LOST, OK], [ONE], NO_PROOF, "POST GET*4 POST", ""),
    "lost, and refused": ([LOST, 422], [""], {}, "POST GET*4 POST GET*7", "422"),
    "lost twice": ([LOST], [""], {}, "POST GET*4 POST GET*4", "no answer"),
    "throttled": ([429, OK], [""], {}, "POST*2", ""),
}


@pytest.mark.parametrize(("post", "get", "knows", "calls", "said"), ADDING.values(), ids=ADDING)
def test_adding_a_value(
    make: Make, post: list[Any], get: list[Any], knows: dict[str, Any], calls: str, said: str
) -> None:
    """Where it is there although it was refused, the set is one of which a value was refused."""
    writer, service = make(answers={"POST": post, "GET": get}, **({} if knows is LEFT else knows))
    ended = ends(writer.add_value, WWW, 300, VALUE, **(knows if knows is LEFT else {}))
    assert (ended or ("there" if writer.refused else "")) == said
    assert short(service.calls) == calls


@pytest.mark.parametrize(
    ("key", "value", "body"),
    [
        (WWW, VALUE, {"name": "www", "type": "A", "content": VALUE, "ttl": 60}),
        (
            Key("example.com.", "MX"),
            "10 mail.example.net.",
            {"name": "@", "type": "MX", "content": "mail.example.net.", "ttl": 60, "priority": 10},
        ),
        (TEXT, '"one"', {"name": "www", "type": "TXT", "content": "one", "ttl": 60}),
    ],
)
def test_what_a_creation_holds(make: Make, key: Key, value: str, body: dict[str, Any]) -> None:
    writer, service = make(answers={"POST": [OK]})
    writer.add_value(key, 60, value)
    assert service.sent == [body]


@pytest.mark.parametrize(("post", "told"), [(OK, True), (422, False)], ids=["taken", "refused"])
def test_a_preference_that_nobody_knows_is_0_and_that_is_told(make: Make, post: Any, told: bool) -> None:
    """A recovery may need it, and a roll-back."""
    warnings: list[str] = []
    writer, service = make(answers={"POST": [post], "GET": [""]}, warn=warnings.append)
    ends(writer.add_value, Key("example.com.", "MX"), 60, "mail.example.net.")
    assert service.sent[0]["priority"] == 0
    said = "example.com. MX has mail.example.net. with the preference 0 now, because the service never showed the one"
    assert [warning.startswith(said) for warning in warnings] == [True] * told


def test_a_value_is_there_in_any_spelling(make: Make) -> None:
    writer, service = make(answers={"POST": [422], "GET": ["www CNAME A.Example.NET"]})
    writer.add_value(Key("www.example.com.", "CNAME"), 60, "a.example.net.")
    assert service.calls == ["POST", "GET"]


def test_what_nobody_can_send_is_a_refusal_without_a_request(make: Make) -> None:
    writer, service = make()
    key, value = Key("example.com.", "MX"), "ten mail.example.net."
    with pytest.raises(ServiceError, match=r"^ten is no preference$") as failed:
        writer.add_value(key, 60, value)
    assert failed.value.refuses_the_value
    with pytest.raises(InvalidRdata, match=r"^ten is no preference$"):
        writer.check_sendable(key, ["10 mail.example.net.", value])
    writer.check_sendable(WWW, [VALUE])
    assert service.calls == []


TEXTS: dict[str, tuple[list[Any], str, dict[str, Any], list[str], str, str]] = {
    "taken": ([OK], "", {}, ["b"], "POST", ""),
    "taken in quotes": ([422, OK], "", {}, ["b", '"b"'], "POST GET POST", ""),
    "throttled": ([503, OK], "", {}, ["b", "b"], "POST*2", ""),
    "refused in either form": ([422], "", {}, ["b", '"b"'], "POST GET POST GET", "422"),
    "refused because it is there": ([422], 'www TXT "b"', {}, ["b"], "POST GET", ""),
    "created lately, and there": ([422], 'www TXT "b"', LATELY_ALL, ["b"], "POST GET", ""),
    "created lately, and not there": ([422, OK], "", LATELY_ALL, ["b", '"b"'], "POST GET*7 POST", ""),
    "an earlier run knows the form": ([422], "", {"text_form": "plain"}, ["b"], "POST GET", "422"),
}


@pytest.mark.parametrize(("post", "get", "knows", "contents", "calls", "said"), TEXTS.values(), ids=TEXTS)
def test_the_form_of_a_text(
    make: Make, post: list[Any], get: str, knows: dict[str, Any], contents: list[str], calls: str, said: str
) -> None:
    writer, service = make(answers={"POST": post, "GET": [get]}, **knows)
    assert ends(writer.add_value, TEXT, 60, '"b"') == said
    assert [sent["content"] for sent in service.sent] == contents
    assert short(service.calls) == calls
    assert writer.text.quoted is (post == [422, OK]), "quotes that did not help are left out again"


def test_a_text_that_was_taken_without_quotes_makes_others_be_looked_for_first(make: Make) -> None:
    writer, service = make(answers={"POST": [OK, 422, OK], "GET": ['www TXT "a"']})
    writer.add_value(TEXT, 60, '"a"')
    writer.add_value(TEXT, 60, '"b"')
    assert service.calls == ["POST", "POST", "GET", "POST"]
    assert [sent["content"] for sent in service.sent] == ["a", "b", '"b"']


@pytest.mark.parametrize(
    ("showed", "may_be_there", "form", "again"),
    [
        pytest.param("", False, "", '"a b"', id="it was not there at first"),
        pytest.param("www TXT ab", False, "", "a b", id="it was, so that it may be meant"),
        pytest.param("www TXT ab", True, "", '"a b"', id="it was, as an interrupted run may have sent it"),
        pytest.param("", False, "plain", "a b", id="a form that is known helps no more"),
    ],
)
@pytest.mark.parametrize("answer", [LOST, 409], ids=["no answer", "409"])
def test_a_text_that_is_there_as_another_one_is_sent_in_quotes(
    make: Make, answer: Any, showed: str, may_be_there: bool, form: str, again: str
) -> None:
    answers = {"POST": [answer, OK], "GET": ['www TXT "ab"']}
    writer, service = make(showed, answers=answers, text_form=form)
    assert ends(partial(writer.add_value, may_be_there=may_be_there), TEXT, 60, '"a b"') == ""
    assert [sent["content"] for sent in service.sent] == ["a b", again]


@pytest.mark.parametrize(
    ("post", "get", "posts", "said"),
    [
        pytest.param([LOST] * 20 + [OK], [""], 21, "", id="taken in the end"),
        pytest.param([500] * 20 + [OK], [""], 21, "", id="taken after many failures"),
        pytest.param([LOST], [""] * 7 + [ONE], 2, "", id="there after all"),
        pytest.param([LOST, OK], [LOST] * 20 + [""], 2, "", id="nobody can look for long"),
        pytest.param([LOST, OK], [403], 1, "403", id="nobody may look"),
    ],
)
def test_a_value_of_a_set_that_is_gone_is_tried_for_long_whatever_fails_and_never_blindly(
    make: Make, post: list[Any], get: list[Any], posts: int, said: str
) -> None:
    writer, service = make(answers={"POST": post, "GET": get})
    assert ends(partial(writer.add_value, is_urgent=True), WWW, 300, VALUE) == said
    assert service.calls.count("POST") == posts
    assert "POST*" not in short(service.calls), "without a look between them"


def test_where_the_wait_was_long_one_look_is_enough(make: Make) -> None:
    writer, service = make(answers={"POST": [LOST] * 10 + [OK], "GET": [""]})
    writer.add_value(WWW, 300, VALUE, is_urgent=True)
    assert short(service.calls).startswith("POST GET*4 POST GET*4 POST GET")
    assert short(service.calls).endswith(" POST GET POST GET POST GET POST")


@pytest.mark.parametrize("status", [LOST, 500, 503])
def test_what_is_urgent_is_tried_as_long_whatever_the_failure_is(make: Make, clock: Any, status: Any) -> None:
    writer, _service = make(answers={"POST": [status], "GET": [""]})
    began = clock.monotonic()
    assert ends(partial(writer.add_value, is_urgent=True), WWW, 300, VALUE)
    assert 1100 < clock.monotonic() - began <= 1210


# Deleting a set


AS_IF = "as if it had deleted the set, and does not show that it is gone"

DELETING: dict[str, tuple[list[Any], list[Any], dict[str, Any], str, str, int]] = {
    "done": ([OK], [ONE], {}, "DELETE", "", 0),
    "throttled": ([503, OK], [ONE], {}, "DELETE*2", "", 0),
    "throttled for long": ([FOR_LONG, OK], [ONE], {}, "DELETE GET DELETE", "", 0),
    "throttled for long, and gone": ([FOR_LONG, OK], [""], {}, "DELETE GET", "", 0),
    "throttled for long, and nobody knows": ([FOR_LONG, OK], [403], {}, "DELETE GET*2", "403", 0),
    "accepted, and gone": ([ACCEPTED], [""], {}, "DELETE GET", "", 0),
    "accepted, and gone later": ([ACCEPTED], [ONE, ONE, ""], {}, "DELETE GET*3", "", 0),
    "accepted, and there": ([ACCEPTED], [ONE], {}, "DELETE GET*7", AS_IF, 1),
    "accepted, and nobody knows": ([ACCEPTED], [403], {}, "DELETE GET", AS_IF, 1),
    "refused": ([422], [ONE], {}, "DELETE GET*4", "422", 0),
    "refused because it is gone": ([422], [ONE, ""], {}, "DELETE GET*2", "", 0),
    "refused, and nobody knows": ([422], [403], {}, "DELETE GET", "422", 0),
    "refused whatever it is": ([401], [""], {}, "DELETE", "401", 0),
    "not found, and gone": ([404], [""], {}, "DELETE GET", "", 0),
    "not found, and there": ([404], [ONE], {}, "DELETE GET*7", "404", 0),
    "said to be gone, and there": ([410], [ONE], {}, "DELETE GET*7", "410", 0),
    "not allowed": ([405], [ONE], {}, "DELETE GET*4", "405", 0),
    "deleted lately": ([422], [ONE], LATELY, "DELETE GET*7", "422", 0),
    # A reading without the set may be from before it was made: then only all patience tells.
    "accepted, and gone without proof": ([ACCEPTED], [""], NO_PROOF, "DELETE GET*7", "", 0),
    "refused, and gone without proof": ([422], [""], NO_PROOF, "DELETE GET*7", "", 0),
    "refused, and there after all": ([422], ["", "", "", "", ONE], NO_PROOF, "DELETE GET*7", "422", 0),
    # Without an answer, it may be carried out later.
    "lost, and gone": ([LOST], [""], {}, "DELETE GET", "", 0),
    "lost, and there": ([LOST, OK], [ONE], {}, "DELETE GET DELETE", "", 1),
    "lost, and gone without proof": ([LOST, OK], [""], NO_PROOF, "DELETE GET DELETE", "", 0),
    "lost, and gone as it may have been before": ([LOST, OK], [""], GONE_BEFORE, "DELETE GET DELETE", "", 0),
    "lost, and not found": ([LOST, 404], [ONE, ""], {}, "DELETE GET DELETE GET", "", 0),
    "lost, and refused": ([LOST, 422], [ONE], {}, "DELETE GET DELETE GET*7", "422", 1),
    "lost twice": ([LOST], [ONE], {}, "DELETE GET DELETE GET", "no answer", 2),
    "lost twice, and gone": ([LOST], [ONE, ""], {}, "DELETE GET DELETE GET", "", 1),
}


@pytest.mark.parametrize(("delete", "get", "knows", "calls", "said", "may_come"), DELETING.values(), ids=DELETING)
def test_deleting_a_set(
    make: Make, delete: list[Any], get: list[Any], knows: dict[str, Any], calls: str, said: str, may_come: int
) -> None:
    histories = no_histories()
    histories.believe(WWW, RecordSet(*WWW, 300, (VALUE,)))
    writer, service = make(ONE, answers={"DELETE": delete, "GET": get}, **(knows or {"histories": histories}))
    writer.refused[WWW] = ["192.0.2.1"]
    assert ends(writer.delete_set, WWW) == said
    assert short(service.calls) == calls
    assert set(writer.refused) == ({WWW} if said else set()), "which is about values since the set was deleted"
    assert knows or histories.unseen_deletes(WWW) == may_come


@pytest.mark.parametrize(
    ("method", "answers", "get", "learned"),
    [
        ("POST", [OK], "", "done"),
        ("POST", [ACCEPTED], "", "accepted"),
        ("POST", [422], "", "refused"),
        ("POST", [422], ONE, "done"),
        ("POST", [503, OK], "", "refused done"),
        ("POST", [LOST, OK], "", "unknown done"),
        ("POST", [LOST], ONE, "done"),
        ("POST", [LOST, 422], "", "unknown refused"),
        ("POST", [LOST], "", "unknown unknown"),
        ("POST", [500], "", "unknown unknown"),
        ("DELETE", [OK], "", "done"),
        ("DELETE", [ACCEPTED], "", "accepted gone"),
        ("DELETE", [ACCEPTED], ONE, "accepted"),
        ("DELETE", [404], "", "refused gone"),
        ("DELETE", [422], ONE, "refused"),
        ("DELETE", [429, OK], "", "refused done"),
        ("DELETE", [LOST, OK], ONE, "unknown done"),
        ("DELETE", [LOST], "", "unknown gone"),
        ("DELETE", [LOST], ONE, "unknown unknown"),
    ],
)
def test_what_the_history_of_a_set_learns(make: Make, method: str, answers: list[Any], get: str, learned: str) -> None:
    known = Known()
    writer, _service = make(ONE if method == "DELETE" else "", answers={method: answers, "GET": [get]}, histories=known)
    ends(*((writer.delete_set, WWW) if method == "DELETE" else (writer.add_value, WWW, 300, VALUE)))
    assert " ".join(known.learned) == learned


def others_in(zone: LiveZone) -> list[str]:
    """What others have added to www."""
    live_set = zone.record_sets.get(WWW)
    return [value for value in live_set.values if value == "192.0.2.2"] if live_set else []


@pytest.mark.parametrize(("answer", "said"), [(503, ""), (FOR_LONG, "others have added 192.0.2.2 to it meanwhile")])
def test_what_others_add_while_a_deletion_is_throttled_is_seen(make: Make, answer: Any, said: str) -> None:
    writer, service = make(ONE, answers={"DELETE": [answer, OK], "GET": [BOTH]})
    assert ends(partial(writer.delete_set, others=others_in), WWW).startswith(said)
    assert short(service.calls) == ("DELETE GET" if said else "DELETE*2")


def test_what_a_reading_for_another_set_shows_of_others_is_looked_at_before_a_deletion(make: Make) -> None:
    writer, service = make(ONE, answers={"DELETE": [OK], "GET": [BOTH]})
    writer.latest = writer.read()
    assert ends(partial(writer.delete_set, others=others_in), WWW).startswith("others have added 192.0.2.2")
    assert short(service.calls) == "GET*2"


@pytest.mark.parametrize(("knows", "readings", "said"), [(NO_PROOF, 2, ""), ({}, 1, "others have added")])
def test_an_old_reading_is_no_word_of_others(make: Make, knows: dict[str, Any], readings: int, said: str) -> None:
    writer, service = make(ONE, answers={"DELETE": [LOST, OK], "GET": [BOTH, ONE]}, **knows)

    def others(zone: LiveZone) -> list[str]:
        return [value for value in zone.record_sets[WWW].values if value != VALUE]

    assert ends(writer.delete_set, WWW, others).startswith(said)
    assert short(service.calls) == short(["DELETE", *["GET"] * readings, *["DELETE"] * (not said)])


def test_a_set_is_deleted_by_the_type_that_is_shown(make: Make) -> None:
    writer, service = make("www TYPE65 1 .", answers={"DELETE": [OK]})
    writer.delete_set(Key("www.example.com.", "HTTPS"))
    assert service.sent == [{"name": "www.example.com.", "type": "TYPE65"}]


# Readings, and whether anything may be sent


@pytest.mark.parametrize(("knows", "readings"), [(NO_PROOF, 7), ({}, 1)], ids=["no proof", "proof"])
def test_a_value_that_may_be_an_old_one_makes_the_next_verdict_wait(
    make: Make, knows: dict[str, Any], readings: int
) -> None:
    writer, service = make(answers={"POST": [422], "GET": [ONE]}, **knows)
    writer.add_value(WWW, 300, VALUE)
    for expected in (readings, 1):
        service.calls.clear()
        assert writer.read_until(lambda _zone: True).record_sets[WWW].values == (VALUE,)
        assert service.calls == ["GET"] * expected


def test_a_reading_is_made_until_it_is_enough(make: Make) -> None:
    writer, service = make(answers={"GET": ["", ONE]})
    assert WWW in writer.read_until(lambda zone: WWW in zone.record_sets).record_sets
    assert service.calls == ["GET", "GET"]
    assert WWW in writer.read().record_sets


def test_who_holds_the_lock_is_asked_before_each_try(make: Make) -> None:
    urgent: list[bool] = []

    def hold(*, is_urgent: bool) -> None:
        urgent.append(is_urgent)

    writer, _service = make(ONE, answers={"POST": [429, OK], "DELETE": [OK]}, hold=hold)
    writer.add_value(WWW, 300, VALUE)
    assert urgent == [False, False]
    writer.add_value(WWW, 300, VALUE, is_urgent=True)
    writer.delete_set(WWW)
    assert urgent == [False, False, True, False]


def test_nothing_is_sent_once_the_lock_is_another_s(make: Make) -> None:
    def hold(*, is_urgent: bool) -> None:
        raise ServiceError(f"the lock is another's, urgent or not {is_urgent}")

    writer, service = make(ONE, answers={"POST": [OK], "DELETE": [OK]}, hold=hold)
    with pytest.raises(ServiceError, match=r"^the lock is another's, urgent or not True$"):
        writer.add_value(WWW, 300, VALUE, is_urgent=True)
    with pytest.raises(ServiceError, match=r"^the lock is another's, urgent or not False$"):
        writer.delete_set(WWW)
    assert service.calls == []


def test_what_is_urgent_is_throttled_for_longer(make: Make, clock: Any) -> None:
    writer, _service = make(answers={"POST": [503]})
    waited = []
    for is_urgent in (False, True):
        before = clock.monotonic()
        with pytest.raises(ServiceError, match="it was throttled for"):
            writer.add_value(WWW, 300, VALUE, is_urgent=is_urgent)
        waited.append(clock.monotonic() - before)
    assert waited[0] <= 120 < 1000 < waited[1]
