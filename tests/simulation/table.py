# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A story as people read it: when, who, what was sent, what was answered, and what the set held then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from playing import Outcome, Played
from story import ZONE, Key


def table(outcome: Outcome) -> Iterator[str]:
    """Its lines."""
    story = outcome.story
    yield "the zone: " + ("; ".join(f"{_short(key)} {_held(held)}" for key, held in story.zone.items()) or "empty")
    if odd := {name: given for name, given in vars(story.service).items() if given != _PLAIN[name]}:
        yield "the service: " + ", ".join(f"{name} {given}" for name, given in odd.items())
    yield f"{'s':>8}  {'who':<9} {'what':<44} {'answer':<30} the set"
    lines = [(event.at, number, _line(event)) for number, event in enumerate(outcome.zones.events)]
    for number, played in enumerate(outcome.runs):
        lines.append((played.began, -2 * len(outcome.runs) + number, _begins(played)))
        lines.append((played.ended, 10**6 + number, _ends(played)))
    yield from (f"{at:8.2f}  {line}" for at, _number, line in sorted(lines))


def _short(key: Key) -> str:
    return f"{key[0].removesuffix(f'.{ZONE}') if key[0] != ZONE else '@'} {key[1]}"


def _held(held: Any) -> str:
    return f"{held[0]} {' '.join(held[1])}" if held else "none"


def _line(event: Any) -> str:
    late = "carried out late" if event.is_late else ""
    what = f"{event.who:<9} {event.what:<44} {event.answer or late:<30}"
    return f"{what} {_short(event.key)} {_held(event.before)} -> {_held(event.after)}" if event.key else what.rstrip()


def _begins(played: Played) -> str:
    options = {name: given for name, given in played.run.options.items() if name not in ("zone", "findings")}
    said = ", ".join(f"{name}: {_told(given)}" for name, given in options.items())
    host = f" on {played.run.host}" if played.run.host != "one" else ""
    return f"{played.run.who:<9} {played.run.module}{host}{' --check' if played.run.check else ''} {{{said}}}"


def _told(given: Any) -> str:
    if isinstance(given, Mapping):
        return "{" + ", ".join(f"{name}: {_told(one)}" for name, one in given.items()) + "}"
    if isinstance(given, (list, tuple)):
        return "[" + ", ".join(map(_told, given)) + "]"
    return str(given)


def _ends(played: Played) -> str:
    result = played.result
    if result is None:
        return f"{played.run.who:<9} is no more"
    told = "failed" if result["failed"] else "changed" if result["changed"] else "ok"
    words = [*result["warnings"], *([result["msg"]] if result["failed"] else [])]
    recovered = " recovered" if result.get("recovered") else ""
    return f"{played.run.who:<9} says {told}{recovered}" + "".join(f" | {word}" for word in words)


def _plain() -> dict[str, Any]:
    from story import Service

    return vars(Service())


_PLAIN = _plain()
