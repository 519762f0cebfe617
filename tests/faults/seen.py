# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What was seen of a run that met a fault, and of what came after it, and what is wrong with that."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cases import WRITES, Case
from playing import Task
from scenarios import UNRELATED_SET, Held, Key, lost, same, stored_twice, torn

Log = list[dict[str, Any]]


@dataclass(frozen=True)
class Seen:
    """What was seen of one case."""

    case: Case
    met: bool  # the fault was played
    killed: bool
    result: Mapping[str, Any]  # of the run that met the fault
    log: Log  # of that run
    left: Held  # what it left
    journal: bool  # whether it left a journal
    healed: Held | None  # after another task on the zone
    again: Mapping[str, Any]  # the result of the same task without fault
    final: Held
    final_journal: bool
    twice: list[str]

    def lost(self) -> list[str]:
        """What is missing, after the other task or in the end."""
        missing = lost(self.case.scenario, self.final)
        return missing + (lost(self.case.scenario, self.healed) if self.healed is not None else [])

    def doubled(self) -> list[str]:
        """What is in a set twice, or was sent although it was there."""
        zones = [self.left, self.final] if self.healed is None else [self.left, self.healed, self.final]
        doubled = [value for zone in zones for value in stored_twice(zone)]
        # Who is told that a set was deleted which was not has to create values that are there.
        return doubled if "lie" in self.case.fault.name else doubled + self.twice


def task_of(case: Case, task: Task, **options: Any) -> Task:
    """A task on the case's own zone."""
    return Task(task.module, {"zone": case.zone, **task.options, **options})


def complaints_about(seen: Seen) -> list[str]:
    """What went wrong in one case, each as a sentence without its subject."""
    scenario, complaints = seen.case.scenario, []
    if not seen.met:
        complaints.append(f"the fault was never met: {seen.result.get('msg')}")
    complaints += [f"lost {value}" for value in seen.lost()]
    complaints += [f"doubled {value}" for value in seen.doubled()]
    wanted = {**scenario.after, **(UNRELATED_SET if seen.case.heals_elsewhere else {})}
    if seen.again.get("failed") or not same(seen.final, wanted):
        complaints.append(f"not healed, {seen.again.get('msg')}: {_difference(wanted, seen.final)}")
    if seen.final_journal:
        complaints.append("a journal is left in the end")
    ends = seen.case.fault.ends
    if ends == "either":
        ends = "failed" if seen.result.get("failed") else "well"
    check = {"well": _complaints_about_success, "failed": _complaints_about_failure, "killed": _complaints_about_kill}
    return complaints + check[ends](seen)


def _complaints_about_success(seen: Seen) -> list[str]:
    if seen.result.get("failed"):
        return [f"failed: {seen.result.get('msg')}"]
    complaints = [] if seen.result.get("changed") else ["says that nothing changed"]
    if seen.journal:
        complaints.append("leaves a journal")
    if not same(seen.left, seen.case.scenario.after):
        complaints.append(f"says it is done, and it is not: {_difference(seen.case.scenario.after, seen.left)}")
    return complaints


def _complaints_about_kill(seen: Seen) -> list[str]:
    # Who is killed with its ansible-playbook has no result.
    return [] if seen.killed and seen.result.get("failed", True) else [f"was not killed: {seen.result}"]


def _complaints_about_failure(seen: Seen) -> list[str]:
    message = str(seen.result.get("msg"))
    if not seen.result.get("failed"):
        return ["did not fail"]
    complaints = []
    if "Traceback" in f"{seen.result.get('exception')} {message}" or not message.startswith(f"Zone {seen.case.zone}: "):
        complaints.append(f"is no clean failure: {seen.result}")
    was_read = "cannot be read" not in message and "could not be verified" not in message
    if was_read and seen.result["changed"] == same(seen.left, seen.case.scenario.before):
        complaints.append(f"says changed={seen.result['changed']}: {_difference(seen.case.scenario.before, seen.left)}")
    if seen.case.fault.name == "refusal":  # of one request: then there is a way back
        complaints += [f"was not rolled back at {name}" for name in torn(seen.case.scenario, seen.left)]
        if seen.journal:
            complaints.append("leaves a journal")
    return complaints + _complaints_about_state(message, seen)


KEY = r"(?P<name>\S+) (?P<type>[A-Z]+)"
TRIED = rf"cannot (?:add .+? to|delete) {KEY}: .*; "
HELD = r"(?P<held>nothing|.+? \(TTL \d+\))"
STATES = (
    rf"{TRIED}its old values were put back, it holds {HELD}",
    rf"{TRIED}the set holds {HELD}",
    rf"{TRIED}the set is gone, and the next run on the zone completes it from ",
    rf"{TRIED}what the set holds now cannot be read",
    rf"{KEY} is not as wanted after 3 rounds, .*: it holds {HELD} in place of",
    r"all changes were sent, and could not be verified",
)


def _complaints_about_state(message: str, seen: Seen) -> list[str]:
    """The message must say what is true of the set it is about, unless nothing was sent at all."""
    told = next((match for state in STATES if (match := re.search(state, message))), None)
    if told is None:
        writes = [entry["method"] for entry in seen.log if entry["method"] in WRITES]
        return [f"does not say what state the set is in: {message}"] if writes else []
    if "cannot be read" in message or "could not be verified" in message:
        return []
    groups = told.groupdict()
    relative = groups["name"].removesuffix(f"{seen.case.zone}.").removesuffix(".") or "@"
    held, said = _in_words(seen.left, (relative, groups["type"])), groups.get("held") or "nothing"
    return [] if said == held else [f"says that the set holds {said}, and it holds {held}: {message}"]


def _in_words(held: Held, key: Key) -> str:
    if key not in held:
        return "nothing"
    ttl, values = held[key]
    return f"{', '.join(values)} (TTL {ttl})"


def _difference(wanted: Held, held: Held) -> str:
    keys = sorted(key for key in wanted.keys() | held.keys() if wanted.get(key) != held.get(key))
    return "; ".join(f"{' '.join(key)} is {held.get(key)}, not {wanted.get(key)}" for key in keys)
