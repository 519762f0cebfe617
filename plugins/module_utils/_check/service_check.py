# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Finds out how a service behaves, at names of its own, and puts everything back.

The check knows its own records by the mark: the TXT value MARK at the name CHECK. It is created
first and deleted last. While it is there, all sets at the names of the check are the check's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from .._api.answers import ZONES, ServiceError, TransientFailure, clause
from .._api.client import Client, Snapshot
from .._api.connection import Connection
from .._api.sender import Sender
from .._dns.names import InvalidInput, relative_name
from .._dns.printable import printable_part, some_names, values_and_ttl
from .._dns.rdata import record_type
from .._dns.record_set import Key, RecordSet, values_of
from .._log.entry import STALE
from .._machine import machine
from .._run.invocation import Invocation
from .._run.options import check_ranges
from .._threads import in_threads, outlasting_threads
from .questions import (
    AS_SENT,
    FAILED,
    MARK,
    NO_HABIT,
    REFUSED,
    REPORT,
    SAYS_NOTHING,
    Question,
    outcome_of,
    questions,
    recommended,
)
from .tries import (
    CONNECTIONS,
    LONGEST,
    SHORTEST_WAIT,
    Exchange,
    Tries,
    keys_below_the_check,
    mark_of,
    own_keys,
)

MOST_REQUESTS = 600
REQUESTS_AT_ONCE = 8

SLUG = "What is the slug of the zone?"
TOTAL = "How many zones does the list show, of how many?"
SEEN = "After how long is a write seen?"
POST = "What does POST answer?"
DELETE = "What does DELETE answer?"
GONE = "Are deleted sets gone?"
RATE = "How many requests a second are answered?"


class CheckFailed(InvalidInput):
    """Why there are no answers, in one sentence. *status_code* is that of a refusal."""

    def __init__(self, reason: str, status_code: int | None = None):
        super().__init__(reason)
        self.status_code = status_code


@dataclass
class Answers:
    """What the check has found out."""

    rows: list[dict[str, str]] = field(default_factory=list)
    outcomes: dict[Question, str] = field(default_factory=dict)

    def add(self, question: str, answer: str = "", means: str = "") -> None:
        """Without an answer, it is a question that check mode does not ask."""
        self.rows.append({"question": question, "answer": answer, "means": means})

    def add_exchange(self, question: str, exchange: Exchange) -> None:
        """What a request was answered, and in which time."""
        means = NO_HABIT
        if exchange.error:
            means = "tasks fail with this"
        elif not exchange.is_confirmed:
            means = "habit: such an answer does not say that it is done; tasks read the zone"
        self.add(question, f"{_in_words(exchange)} ({exchange.seconds:.2f} s)", means)

    def add_outcome(
        self, question: Question, exchange: Exchange, shown: RecordSet | None, zone: str
    ) -> None:
        """What became of what was sent."""
        answer = _in_words(exchange)
        outcome = AS_SENT
        if exchange.error:
            outcome = FAILED if _is_failure(exchange.error) else REFUSED
        elif question.sends:
            outcome = outcome_of(question, shown, zone)
            answer = "accepted, and not shown"
            if shown:
                answer = printable_part(values_and_ttl(shown.values, shown.ttl))
        self.outcomes[question] = outcome
        self.add(question.text, answer, question.means(outcome))


def check_service(invocation: Invocation) -> dict[str, Any]:
    """Find out how the service behaves; the module's result.

    Raises CheckFailed, ServiceError, StateError.
    """
    check_ranges(invocation.options)
    connection = invocation.connection
    zone = invocation.zone
    client = Client(connection, CONNECTIONS)
    answers = Answers()
    snapshot = client.read_zone(zone)
    _add_lists(answers, client, snapshot)
    left: list[Key] = []
    if invocation.check_mode:
        _check_names(snapshot)
        for text in [SEEN, POST, *[question.text for question in questions()], DELETE, GONE]:
            answers.add(text)
        if invocation.options["rate"]:
            answers.add(RATE)
    else:
        store = invocation.shared.store(invocation.options, client, zone)
        with outlasting_threads(store.lock()):
            invocation.warnings += store.warnings
            tries = Tries(client, store, client.read_again(snapshot))
            left = _asked(tries, answers, invocation)
        if invocation.options["rate"]:
            _add_rate(answers, connection, snapshot.slug)
    return {
        "changed": bool(left),
        "answers": answers.rows,
        "recommended": recommended(answers.outcomes),
        "restored": not left,
    }


def _check_names(snapshot: Snapshot) -> bool:
    """Whether an earlier check has left records. Raises CheckFailed if others have some there."""
    # This fails in a zone whose long name leaves no room for those of the check.
    own = own_keys(snapshot)
    keys = keys_below_the_check(snapshot)
    if not keys:
        return False
    values = values_of(snapshot.record_sets.get(mark_of(snapshot.name)))
    is_marked = bool(values) and all(value.strip('"\\') == MARK for value in values)
    others = keys - own if is_marked else keys
    if others:
        raise CheckFailed(
            "the check did not make these record sets, whose names it needs: "
            f"{_some(sorted(others), snapshot.name)}; nothing was changed: remove them, or check another zone"
        )
    return True


def _asked(tries: Tries, answers: Answers, invocation: Invocation) -> list[Key]:
    """Ask all questions, under the lock; the sets that may be left.

    Raises CheckFailed, ServiceError, StateError.
    """
    zone = invocation.zone
    if _check_names(tries.latest):
        earlier = tries.restore()
        reason = earlier.failed or _some(earlier.left, zone)
        if reason:
            raise CheckFailed(f"what an earlier check left cannot be removed: {reason}")
    try:
        _ask(tries, answers, zone)
    except ServiceError as error:
        raise CheckFailed(f"the check ended early: {clause(error)}", error.status_code) from error
    finally:
        left, last, failed = tries.restore()
        if left:
            invocation.warnings.append(
                f"Zone {zone.rstrip('.')}: the check may have left {_some(left, zone)}; run it "
                "again, or remove them"
            )
    if last:
        answers.add_exchange(DELETE, last)
    if failed:
        answers.add(GONE, f"not known: {printable_part(failed)}", SAYS_NOTHING)
    elif left:
        means = "habit: sets that cannot be deleted, or come back; name them in ignore"
        answers.add(GONE, f"still there: {_some(left, zone)}", means)
    else:
        answers.add(GONE, "yes", NO_HABIT)
    return left


def _ask(tries: Tries, answers: Answers, zone: str) -> None:
    """Send everything, then read what became of it.

    Raises CheckFailed, ServiceError, StateError.
    """
    marked = tries.mark_names()
    if marked.error:
        raise marked.error
    seen = tries.seen_after()
    if not seen:
        raise CheckFailed(f"what the check wrote was not seen within {LONGEST:.0f} seconds")
    answers.add(SEEN, *_about_lag(*seen))
    answers.add_exchange(POST, marked)
    ended: dict[Question, Exchange] = {}
    for question in questions():
        ended[question] = _sent(tries, question, zone)
    accepted = set()
    for question, exchange in ended.items():
        if question.sends and not exchange.error:
            accepted.add(question.key(zone))
    shown = tries.read(lambda zone: accepted <= zone.record_sets.keys()).record_sets
    for question, exchange in ended.items():
        answers.add_outcome(question, exchange, shown.get(question.key(zone)), zone)


def _sent(tries: Tries, question: Question, zone: str) -> Exchange:
    """How the last write of a question ended. Raises ServiceError, StateError."""
    key = question.key(zone)
    if not question.sends:
        return tries.delete(key)
    for value in question.sends:
        exchange = tries.post(question.name, Key(key.name, record_type(value.type)), value)
    return exchange


def _is_failure(error: ServiceError) -> bool:
    """Whether the service failed, so that it may take the same another time."""
    return (error.status_code or 0) >= 500


def _in_words(exchange: Exchange) -> str:
    """What the service answered, safe to show."""
    if exchange.error:
        return printable_part(clause(exchange.error))
    return "accepted" if exchange.is_confirmed else "accepted, not confirmed"


def _some(keys: Sequence[Key], zone: str) -> str:
    return some_names([f"{relative_name(key.name, zone)} {key.type}" for key in keys])


def _about_lag(first: float, all_reads: float) -> tuple[str, str]:
    """The answer, and what it means. In seconds."""
    answer = f"after {all_reads:.1f} s in all reads"
    if first < all_reads:
        answer = f"after {first:.1f} s in some reads, {answer}"
    means = f"habit: it shows a write late; tasks read again for {STALE:.0f} s"
    if all_reads < SHORTEST_WAIT:
        means = NO_HABIT
    if all_reads > STALE:
        means = "habit: it shows a write late; tasks take longer, and fail if they cannot verify it"
    return answer, means


def _add_lists(answers: Answers, client: Client, snapshot: Snapshot) -> None:
    """The slug, and what the list of zones tells. Raises ServiceError."""
    own = "habit: a slug of its own; tasks look it up in the list"
    is_derived = snapshot.slug == snapshot.name.replace(".", "")
    answers.add(SLUG, printable_part(snapshot.slug), NO_HABIT if is_derived else own)
    zones, total = client.listed()
    lacks = "habit: an incomplete list; tasks never conclude that a zone does not exist"
    answers.add(TOTAL, f"{len(zones)} of {total}", NO_HABIT if total == len(zones) else lacks)


def _add_rate(answers: Answers, connection: Connection, slug: str) -> None:
    """Read the zone until a request is refused."""
    sender = Sender(connection, REQUESTS_AT_ONCE)
    path = f"{ZONES}/{quote(slug, safe='')}"
    answered: list[int] = []
    ended = "none refused"
    means = NO_HABIT
    began = machine().monotonic()

    def read(number: int) -> None:
        sender.send("GET", path, None, None)
        answered.append(number)

    try:
        in_threads(read, range(MOST_REQUESTS), REQUESTS_AT_ONCE)
    except TransientFailure as failure:
        if failure.is_throttled:
            ended = f"then {failure.error.status_code} with Retry-After {failure.retry_after:.0f}"
            means = "habit: a limit; tasks keep to it with concurrency: auto"
        else:
            ended = f"then {clause(failure.error)}"
            means = SAYS_NOTHING
    except ServiceError as error:
        ended = f"then {clause(error)}"
        means = REPORT
    seconds = max(machine().monotonic() - began, 0.001)
    number = len(answered)
    rate = number / seconds
    answers.add(RATE, f"{number} in {seconds:.1f} s ({rate:.0f} a second), {ended}", means)
