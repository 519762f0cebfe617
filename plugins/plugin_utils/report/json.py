# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""JSON, documented in docs/guides/drift.md and in the callback."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from typing import Any

from .outcomes import Outcome
from .view import View, Zone

FORMAT = 1
"""Rises if a field goes or changes its meaning."""


def as_json(view: View) -> str:
    """ASCII, which shows invisible characters."""
    return json.dumps(document_of(view), indent=1, default=vars) + "\n"


def document_of(view: View) -> dict[str, Any]:
    """The document, whose parts ``vars`` turns into plain ones."""
    report, run = view.report, view.report.run
    return {
        "format": FORMAT,
        "began": _time(run.began),
        "ended": _time(run.ended),
        "playbooks": run.playbooks,
        "complete": run.is_complete,
        "mode": view.mode,
        "counts": view.counts,
        "zones": [_zone(zone) for zone in view.zones],
        "without_zone": [_outcome(outcome) for outcome in view.without_zone],
        "untouched": sorted(report.untouched),
        "unreachable": report.unreachable,
        "failed_elsewhere": report.failed_elsewhere,
        "interrupted": report.interrupted,
        "hidden": report.hidden,
    }


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def _zone(zone: Zone) -> dict[str, Any]:
    tasks = [_outcome(outcome) for outcome in zone.outcomes]
    return {"zone": zone.name, "state": zone.state, "tasks": tasks}


def _outcome(outcome: Outcome) -> dict[str, Any]:
    """The fields of a task's outcome, whose zone the document names around it."""
    return {name: value for name, value in vars(outcome).items() if name != "zone"}
