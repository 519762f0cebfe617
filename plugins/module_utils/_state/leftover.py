# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a run leaves in a journal: an entry for each set, as it is written, and as it is read back.

What no run can have written is told, and does not count.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import (
    SHOWN_CHARACTERS,
    printable,
    some_clauses,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._history.history import LATE
from ansible_collections.zonesmith.dns.plugins.module_utils._history.set_history import (
    MOST_DELETES,
    SetHistory,
    begun,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._state.kept_histories import (
    as_kept,
    check_format,
    is_number_of_deletes,
    kept,
)

FORMAT = 1
SHOWN_REASONS = 20
NEVER = 2.0**40
"""Seconds since 1970 that no clock tells."""


@dataclass(frozen=True)
class Entry:
    """One set of a name at which a run deletes something: what it was and is to be, with canonical values."""

    key: Key
    before: RecordSet | None
    after: RecordSet | None
    at: float = field(default_factory=lambda: machine().time(), compare=False)
    """When it was written, in seconds since 1970; everything after that may have happened."""
    history: SetHistory | None = field(default=None, compare=False)
    """What was done to the set, and the DELETE that is about to be sent."""
    quoted: bool = field(default=False, compare=False)
    """Whether its run sends texts in quotes, which no reading tells once they are gone."""
    is_aside: bool = field(default=False, compare=False)
    """Whether what an earlier run had left of the set was put aside, and nobody was told yet."""
    is_made_anew: bool = field(default=False, compare=False)
    """Whether the set is deleted although both sides are the same here: its values had several TTLs, or it is to become
    again what it was.
    """

    def as_written(self, ahead: float = 0.0) -> dict[str, Any]:
        """The entry as a journal holds it whose clock is *ahead* (seconds)."""
        sides = {side: held and held.as_result() for side, held in (("before", self.before), ("after", self.after))}
        return {
            "key": self.key,
            **sides,
            "at": self.at + ahead,
            "history": as_kept(self.known, ahead),
            "quoted": self.quoted,
            **{flag: True for flag in ("is_aside", "is_made_anew") if getattr(self, flag)},
        }

    @property
    def known(self) -> SetHistory:
        """What was done to the set: where nothing is told, a DELETE of what was there is about to be sent."""
        return self.history or begun(self.key, self.before).sent(None, 0, self.at)

    @property
    def deletes(self) -> bool:
        """Whether the set is deleted on the way, and not only added to."""
        if self.before is None or self.after is None:
            return self.before is not None
        is_other = self.before.ttl != self.after.ttl or not set(self.before.values) <= set(self.after.values)
        return is_other or self.is_made_anew

    @property
    def is_taken_late(self) -> bool:
        """Whether no run was to change the set, and a DELETE that came late has done so."""
        return self.before == self.after and not self.is_made_anew

    @property
    def age(self) -> float:
        """Seconds since it was written; none where the clock was set back."""
        return max(0.0, machine().time() - self.at)

    @property
    def is_old(self) -> bool:
        """Whether nothing of it can come late any more."""
        return self.age > LATE


Check = Callable[[Any], Entry]
"""What turns an entry as it stands in a journal into one that can be believed, or raises ValueError."""


def journal_content(entries: Iterable[Entry], ahead: float) -> bytes:
    """A journal of these entries, by a clock that is *ahead* of this one (seconds); empty without any."""
    held = [entry.as_written(ahead) for entry in entries]
    return json.dumps({"format": FORMAT, "entries": held}).encode() if held else b""


@dataclass(frozen=True)
class Leftover:
    """What a journal holds: the entries that can be believed, and what is wrong with the rest."""

    entries: list[Entry] = field(default_factory=list)
    problem: str = ""

    def warning(self, kept_as: str) -> str:
        """What to tell the user, whose journal is now at *kept_as*."""
        return (
            f"{self.problem} and is kept as {kept_as}: check that the zone holds every set it should, "
            "then remove the file"
        )


def leftover_of(content: bytes | None, check: Check, ahead: float) -> Leftover:
    """What a journal holds whose clock is *ahead* of this one (seconds), as far as *check* takes it."""
    if content is None:
        return Leftover()
    try:
        held = json.loads(content)
        check_format("the journal of an earlier run", held["format"], FORMAT)
        if held["format"] != FORMAT or not isinstance(held["entries"], list):
            raise ValueError("format")
    except (ValueError, TypeError, KeyError, RecursionError):
        return Leftover(problem="the journal of an earlier run makes no sense")
    entries: dict[Key, Entry] = {}
    reasons: list[str] = []
    for index, written in enumerate(held["entries"]):
        try:
            entry = check(_by_this_clock(written, ahead))
            entry = replace(entry, history=_history(entry, written, ahead))
            if entry.key in entries:
                raise ValueError(f"{' '.join(entry.key)}: it is listed twice")
            entries[entry.key] = entry
        except (ValueError, TypeError, KeyError, OverflowError) as error:
            error = error if isinstance(error, ValueError) else ValueError("its history makes no sense")
            reasons.append(f"entries[{index}] {printable(str(error))[:SHOWN_CHARACTERS]}")
    if not reasons:
        return Leftover(list(entries.values()))
    problem = (
        f"the journal of an earlier run has entries that no run would write ({some_clauses(reasons, SHOWN_REASONS)})"
    )
    return Leftover(list(entries.values()), problem)


def _history(entry: Entry, written: Mapping[str, Any], ahead: float) -> SetHistory:
    """What an entry tells of its set. A version before this one tells how many DELETEs were sent; or nothing."""
    now = machine().time()
    if "history" in written:
        told = dict(kept([written["history"]], now, ahead))
        if told.keys() - {entry.key}:
            raise ValueError(printable(f"{' '.join(entry.key)}: its history is that of another set"))
        return told.get(entry.key) or begun(entry.key, entry.before)
    sent = written.get("sent_deletes")
    number = int(sent) if sent is not None and is_number_of_deletes(sent) else MOST_DELETES
    return begun(entry.key, entry.before).with_pending_deletes(number, entry.at, now)


def _by_this_clock(written: Any, ahead: float) -> Any:
    at = written.get("at") if isinstance(written, dict) else None
    if not (ahead and isinstance(at, (int, float)) and 0 <= at < NEVER):
        return written
    return {**written, "at": at - ahead}
