# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A story that fails is made small: what can be left out is, and what is a row of numbers becomes one that is plain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from checks import violations
from playing import play
from story import Run, Service, Story

PLAIN = Service()
MOST_TRIES = 600
LEFT_OUT = ("ttl", "prune", "ignore", "replaces", "concurrency")
"""Options without which a task is simpler."""


def fails(story: Story, check: str) -> bool:
    """Whether a check still finds something wrong with a story."""
    return any(violation.check == check for violation in violations(play(story)))


def made_small(story: Story, check: str) -> Story:
    """The smallest story like this one of which the check still finds something wrong."""
    tries, is_smaller = 0, True
    while is_smaller:
        is_smaller = False
        for candidate in _smaller(story):
            tries += 1
            if tries > MOST_TRIES:
                return story
            if fails(candidate, check):
                story, is_smaller = candidate, True
                break
    return story


def _smaller(story: Story) -> Iterator[Story]:
    """Stories with one thing less."""
    for index, step in enumerate(story.steps):
        left = story.steps[:index] + story.steps[index + 1 :]
        if any(isinstance(other, Run) for other in left):
            who = step.who if isinstance(step, Run) else ""
            yield replace(story, steps=left, faults=tuple(fault for fault in story.faults if fault.who != who))
    for index in range(len(story.faults)):
        yield replace(story, faults=story.faults[:index] + story.faults[index + 1 :])
    for key, (ttl, values) in story.zone.items():
        yield replace(story, zone={other: held for other, held in story.zone.items() if other != key})
        for value in values if len(values) > 1 else ():
            yield replace(story, zone={**story.zone, key: (ttl, tuple(one for one in values if one != value))})
    yield from (replace(story, service=service) for service in _plainer(story.service))
    for index, step in enumerate(story.steps):
        if isinstance(step, Run):
            for smaller in _smaller_runs(step):
                yield replace(story, steps=(*story.steps[:index], smaller, *story.steps[index + 1 :]))
    if story.database:
        yield replace(story, database=False, steps=tuple(_at_one(step) for step in story.steps))


def _at_one(step: object) -> object:
    return replace(step, host="one") if isinstance(step, Run) else step


def _plainer(service: Service) -> Iterator[Service]:
    for name, plain in vars(PLAIN).items():
        if (given := getattr(service, name)) != plain:
            yield replace(service, **{name: plain})
            if name in ("ages", "pace", "dice") and len(given) > 1:
                for index, number in enumerate(given):
                    if number != plain[0]:
                        yield replace(service, **{name: (*given[:index], plain[0], *given[index + 1 :])})
                yield replace(service, **{name: given[:-1]})


def _smaller_runs(run: Run) -> Iterator[Run]:
    if run.beside:
        yield replace(run, beside=False, pause=1.0)
    if run.pause != 1.0 and not run.beside:
        yield replace(run, pause=1.0)
    yield from (replace(run, options=options) for options in _fewer(run.options))


def _fewer(given: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Options, or an entry of one, with one thing less."""
    for name, of in given.items():
        if name in LEFT_OUT:
            yield {key: other for key, other in given.items() if key != name}
        for index, entry in enumerate(of) if isinstance(of, list) else ():
            if len(of) > 1:
                yield {**given, name: of[:index] + of[index + 1 :]}
            for fewer in _fewer(entry) if isinstance(entry, dict) else ():
                yield {**given, name: [*of[:index], fewer, *of[index + 1 :]]}
