# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""JSON, documented in docs/guides/drift.md and in the callback."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from typing import Any

from .model import Place
from .outcomes import Outcome
from .view import View, Zone

FORMAT = 1
"""Rises if a field goes or changes its meaning."""


def as_json(view: View) -> str:
    """ASCII, which shows invisible characters."""
    return json.dumps(document_of(view), indent=1, default=fields_of) + "\n"


def document_of(view: View) -> dict[str, Any]:
    """The document, whose parts ``fields_of`` turns into plain ones."""
    report, run = view.report, view.report.run
    return {
        "format": FORMAT,
        "began": _time(run.began),
        "ended": _time(run.ended),
        "playbooks": run.playbooks,
        "complete": run.is_complete and not run.plays_not_begun,
        "mode": view.mode,
        "counts": view.counts,
        "zones": [_zone(zone) for zone in view.zones],
        "without_zone": [_outcome(outcome) for outcome in view.without_zone],
        "untouched": sorted(report.untouched),
        "unreachable": [_place(place) for place in report.unreachable],
        "failed_elsewhere": [_place(place) for place in report.failed_elsewhere],
        "in_background": [_place(place) for place in report.in_background],
        "interrupted": [_interrupted(place) for place in report.interrupted],
        "hidden": report.hidden,
        "plays_not_begun": run.plays_not_begun,
    }


def fields_of(part: Any) -> dict[str, Any]:
    """The fields of a change, a finding and the like; ``because`` only with an owner."""
    fields = dict(vars(part))
    if fields.get("because") == "":
        del fields["because"]
    return fields


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def _zone(zone: Zone) -> dict[str, Any]:
    tasks = [_outcome(outcome) for outcome in zone.outcomes]
    return {"zone": zone.name, "state": zone.state, "tasks": tasks}


def _outcome(outcome: Outcome) -> dict[str, Any]:
    fields = fields_of(outcome)
    del fields["zone"]
    failure = {"msg": fields.pop("failure"), "handled": fields.pop("handled") or None}
    return {**fields, "failure": failure if outcome.failure else None}


def _place(place: Place) -> dict[str, Any]:
    return {
        "host": place.host,
        "task": place.task,
        "msg": place.msg or None,
        "handled": place.handled or None,
    }


def _interrupted(place: Place) -> dict[str, Any]:
    return {**_place(place), "check_mode": place.check_mode}
