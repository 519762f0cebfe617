# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""dns_zones over two zones, one of them odd and one tidy: the tidy one is as wanted, whatever becomes of the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import trial
from playing import Task
from rows import ODDITIES
from scenarios import Held, Scenario, fill, held_by, same, sent_twice, stored_twice
from stage import Ran, Stage
from wishes import WISHES

FITTING = ("zone", "replace", "bulk")
"""The wishes that dns_records can have, those first that say more."""


class Pair(Stage):
    """A stage whose tasks are about its own, odd, zone and a tidy one; *complaints* are about the tidy one."""

    def __init__(self, stage: Stage, wish: Scenario) -> None:
        vars(self).update(vars(stage))
        self.tidy = self.zone.replace(".", "t.")
        self.complaints: list[str] = []
        self._wish = wish

    def fill(self, held: Held) -> None:
        """Make the odd zone hold this, and the tidy one what the wish finds."""
        super().fill(held)
        fill(self._service, self.tidy, self._wish.before)

    def run(self, task: Task, *, check: bool = False, **options: Any) -> Ran:
        """Run a task on both; what it said of the odd zone, and sent for it."""
        before = self._of_tidy()
        zones = [{"zone": zone, **task.options} for zone in (self.zone, self.tidy)]
        begun = len(self._tidy_log())
        ran = super().run(Task("dns_zones", {"zones": zones}), check=check, **options)
        told = {item["zone"]: item for item in ran.result.get("zones", ())}
        if {*told} != {self.zone, self.tidy}:
            return ran
        wanted = before if check or "nothing was changed. Zone" in ran.told else self._wish.after
        self._look_at(told[self.tidy], before, wanted, self._tidy_log()[begun:], check=check)
        odd = told[self.zone]
        diff = [part for part in ran.result.get("diff", ()) if part["before_header"] == self.zone]
        of_odd = {**odd, "failed": "msg" in odd, "diff": diff, "warnings": ran.result.get("warnings", ())}
        return Ran(of_odd, ran.log)

    def _look_at(self, told: Any, before: Held, wanted: Held, log: list[Any], *, check: bool) -> None:
        held = self._of_tidy()
        self.complaints += trial.wrong("the tidy zone", wanted, held)
        if "msg" in told:
            self.complaints.append(f"fails in the tidy zone: {told['msg']}")
        if not check and told["changed"] == same(before, held):
            self.complaints.append(f"says changed={told['changed']} of the tidy zone")
        self.complaints += [
            f"DOUBLED {value} in the tidy zone" for value in (*stored_twice(held), *sent_twice(before, log))
        ]

    def _of_tidy(self) -> Held:
        return held_by(self._service, self.tidy)

    def _tidy_log(self) -> list[Any]:
        return self._service.log(f"/{self.tidy.replace('.', '')}")


def _beside(stage: Stage, oddity: str, wish: str) -> Iterator[str]:
    pair = Pair(stage, WISHES[wish])
    yield from trial.play(pair, ODDITIES[oddity], WISHES[wish])
    yield from pair.complaints


def beside_a_tidy_zone() -> Iterator[tuple[str, Callable[[Stage], Iterator[str]]]]:
    """A story of each oddity that matters to dns_records."""
    for oddity in ODDITIES.values():
        if fitting := [wish for wish in FITTING if wish in oddity.wishes]:
            yield f"beside/{oddity.name}", partial(_beside, oddity=oddity.name, wish=fitting[0])
