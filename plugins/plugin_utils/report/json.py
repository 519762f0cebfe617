# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""JSON, documented in docs/guides/drift.md and in the callback."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from typing import Any

from .model import Place, Report, Zone
from .outcomes import Outcome

FORMAT = 1
"""Rises if a field goes or changes its meaning."""


def as_json(report: Report) -> str:
    """ASCII, which shows invisible characters."""
    return json.dumps(document_of(report), indent=1, default=fields_of) + "\n"


def document_of(report: Report) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "began": _time(report.began),
        "ended": _time(report.ended),
        "playbooks": report.playbooks,
        "complete": report.is_complete and not report.plays_left,
        "mode": report.mode,
        "counts": report.counts,
        "zones": [_zone(zone) for zone in report.zones],
        "without_zone": [_outcome(outcome) for outcome in report.nowhere],
        "untouched": sorted(report.untouched),
        "unreachable": [_place(place) for place in report.unreachable],
        "failed_elsewhere": [_place(place) for place in report.elsewhere],
        "in_background": [_place(place) for place in report.background],
        "interrupted": [
            {**_place(place), "check_mode": place.check_mode} for place in report.interrupted
        ],
        "hidden": {"results": report.hidden, "failed": report.hidden_failed},
        "plays_not_begun": report.plays_left,
    }


def fields_of(part: Any) -> dict[str, Any]:
    """``because`` only with an owner."""
    return {name: value for name, value in vars(part).items() if (name, value) != ("because", "")}


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def _zone(zone: Zone) -> dict[str, Any]:
    return {
        "zone": zone.name,
        "state": zone.state,
        "tasks": [_outcome(outcome) for outcome in zone.outcomes],
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    fields = {
        name: value
        for name, value in vars(outcome).items()
        if name not in ("zone", "failure", "handled")
    }
    failure = (
        {"msg": outcome.failure, "handled": outcome.handled or None} if outcome.failure else None
    )
    return {**fields, "failure": failure}


def _place(place: Place) -> dict[str, Any]:
    return {
        "host": place.host,
        "task": place.task,
        "msg": place.msg or None,
        "handled": place.handled or None,
    }
