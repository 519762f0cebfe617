# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What happened in a run, as the callback gathers it event by event."""

from __future__ import annotations

from dataclasses import dataclass, field

from .outcomes import Outcome


@dataclass(frozen=True)
class Place:
    """A task on a host. *handled* is ``ignored`` or ``rescued`` if the playbook went on after its failure."""

    host: str
    task: str
    msg: str | None = None
    handled: str | None = None
    check_mode: bool = False


@dataclass
class Run:
    """The run as a whole. *began* and *ended* are seconds since 1970.

    *is_complete* if all plays of all playbooks came to their end.
    """

    began: float = 0
    ended: float = 0
    playbooks: list[str] = field(default_factory=list)
    is_complete: bool = False


@dataclass
class Hidden:
    """How many results ``no_log`` hides, and how many of those are failures."""

    results: int = 0
    failed: int = 0


@dataclass
class Report:
    """A run and what its tasks did.

    *interrupted* tasks did not say what they did; those in the background are among them.
    *untouched* zones were left alone because others failed.
    """

    run: Run = field(default_factory=Run)
    outcomes: list[Outcome] = field(default_factory=list)
    unreachable: list[Place] = field(default_factory=list)
    failed_elsewhere: list[Place] = field(default_factory=list)
    interrupted: list[Place] = field(default_factory=list)
    untouched: set[str] = field(default_factory=set)
    hidden: Hidden = field(default_factory=Hidden)
