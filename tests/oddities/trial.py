# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One wish at one oddity: check mode, a first run, a second run, and what is wrong with them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from rows import End, Oddity
from scenarios import Held, Key, Scenario, lost, same, sent_twice, stored_twice
from stage import Ran, Stage

WRITES = ("POST", "DELETE")


def play(stage: Stage, oddity: Oddity, wish: Scenario) -> list[str]:
    """What is wrong, each as a clause."""
    end = oddity.expected(wish)
    before = {**wish.before, **oddity.extra}
    stage.fill(before)
    stage.odd(**oddity.switches)
    check = stage.run(wish.task, check=True, **oddity.options)
    for fault in oddity.faults:
        fields = dict(fault)
        stage.fault(fields.pop("kind"), **fields)
    stage.odd(**oddity.switches)  # what counts begins to count
    first = stage.run(wish.task, **oddity.options)
    stage.sleep(oddity.switches.get("return_after", 0))
    left = stage.held()
    if end.again == "lifted":
        stage.odd()
    second = stage.run(wish.task, **oddity.options)
    stage.sleep(oddity.switches.get("return_after", 0))
    final = stage.held()
    complaints = [*_about_loss(wish, before, end, left, final, first, second)]
    complaints += [*_about_first(before, end, first, left)]
    complaints += [*_about_check(end, check, first)]
    complaints += [*_about_second(end, first, second, {**wish.after, **oddity.extra}, final)]
    return complaints


def _about_loss(
    wish: Scenario, before: Held, end: End, left: Held, final: Held, first: Ran, second: Ran
) -> Iterator[str]:
    bounds = Scenario(wish.name, wish.task, before, end.after)
    sent = sent_twice(before, [*first.log, *second.log]) if end.sends_once else []
    for value in sorted({*lost(bounds, left), *lost(bounds, final)}):
        yield f"LOST {value}"
    for value in sorted({*stored_twice(left), *stored_twice(final), *sent}):
        yield f"DOUBLED {value}"
    deleted = [entry["query"] for entry in first.log_of("DELETE") if entry["changed"]]
    for key, times in Counter(f"{query['name']} {query['type']}" for query in deleted).items():
        if times > end.deletions:
            yield f"deleted {times} times: {key}"


def _about_first(before: Held, end: End, first: Ran, left: Held) -> Iterator[str]:
    if "Traceback" in f"{first.result.get('exception')} {first.told}":
        yield f"is no clean failure: {first.told[-300:]}"
    if end.ends != "either" and first.failed != (end.ends == "failed"):
        yield f"failed: {first.result.get('msg')}" if first.failed else "did not fail"
    if end.again == "lifted":
        if not first.failed and not _as_wanted(left, end):
            yield f"says that it is done: {difference(end.after, left)}"
        if first.failed and not same(left, before):
            yield f"wrote after a reading that cannot be true: {difference(before, left)}"
    elif not _as_wanted(left, end):
        yield f"first run: {difference(end.after, left)}"
    if first.failed is False and first.result.get("changed") is not True and not same(before, left):
        yield "says that nothing changed"
    for told in end.told:
        if not re.search(told, first.told):
            yield f"does not say {told}"


def _about_check(end: End, check: Ran, first: Ran) -> Iterator[str]:
    if check.log_of(*WRITES):
        yield "check mode wrote"
    if end.ends != "well" or first.failed:
        return
    if check.failed:
        yield f"check mode failed: {check.result.get('msg')}"
    for what in ("changed", "changes", "diff") if end.is_predicted else ("changed",):
        if check.result.get(what) != first.result.get(what):
            yield f"check mode said other {what}: {check.result.get(what)}, not {first.result.get(what)}"


def _about_second(end: End, first: Ran, second: Ran, wanted: Held, final: Held) -> Iterator[str]:
    if end.again == "lifted":
        if second.failed or not same(final, wanted):
            yield f"second run: {second.result.get('msg')}; {difference(wanted, final)}"
        return
    if not _as_wanted(final, end):
        yield f"second run: {difference(end.after, final)}"
    if end.again == "same end":
        if second.failed and not first.failed:
            yield f"second run failed: {second.result.get('msg')}"
        return
    if second.failed:
        yield f"second run failed: {second.result.get('msg')}"
    elif second.result.get("changed") or second.log_of(*WRITES):
        yield f"second run changed again: {', '.join(f'{m} {key}' for m in WRITES for key in second.sent(m))}"


def _as_wanted(held: Held, end: End) -> bool:
    return same(held, end.after) if end.ttl_counts else same(_without_ttl(held), _without_ttl(end.after))


def _without_ttl(held: Held) -> Held:
    return {key: (0, values) for key, (_ttl, values) in held.items()}


def difference(wanted: Held, held: Held) -> str:
    """What a zone holds that it should not, and the other way round."""

    def text(zone: Held, key: Key) -> str:
        return f"{zone[key][0]} {' '.join(sorted(zone[key][1]))}" if key in zone else "nothing"

    keys = sorted(key for key in wanted.keys() | held.keys() if text(wanted, key) != text(held, key))
    return "; ".join(f"{' '.join(key)} holds {text(held, key)}, not {text(wanted, key)}" for key in keys)


def wrong(what: str, wanted: Held, held: Held) -> Iterator[str]:
    """What is wrong with a zone, at a time that *what* tells."""
    if not same(wanted, held):
        missing = [
            value
            for key, (_ttl, values) in wanted.items()
            for value in values
            if value not in held.get(key, (0, ()))[1]
        ]
        yield f"{'LOST ' + ' '.join(missing) + ': ' if missing else ''}{what}: {difference(wanted, held)}"
    yield from (f"DOUBLED {value}" for value in stored_twice(held))


def failed(what: str, ran: Ran) -> Iterator[str]:
    """The failure of a task."""
    if ran.failed:
        yield f"{what} failed: {ran.result.get('msg')}"
