# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One record set as it is and as it will be."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted

ACTIONS = {"create": "created", "extend": "extended", "rebuild": "rebuilt", "delete": "deleted"}
"""What a change does to a set, and the word for what has become of it."""

WANTED, DRIFT, BOTH = "wanted", "drift", "both"
"""Why a set changes: its owner wants something else than before, somebody else changed it, or both."""


@dataclass(frozen=True)
class Change:
    """One set as it is and as it will be, both with canonical values, and what was wanted of it.

    *because* is one of WANTED, DRIFT and BOTH where a task speaks for an owner, and empty where not. Once it is
    made, it is known whether the set *was_kept*: no DELETE was sent.
    """

    before: RecordSet | None
    after: RecordSet | None
    wanted: Wanted
    because: str = field(default="", compare=False)
    was_kept: bool = field(default=False, compare=False)

    @property
    def key(self) -> Key:
        """What identifies the set in its zone."""
        return self.wanted.key

    @property
    def action(self) -> str:
        """One of ACTIONS."""
        before, after = self.before, self.after
        if before is None:
            return "create"
        if after is None:
            return "delete"
        is_other = (before.ttl, before.higher_ttls) != (after.ttl, after.higher_ttls) and not self.was_kept
        return "rebuild" if is_other or not set(before.values) <= set(after.values) else "extend"

    @property
    def deletes(self) -> bool:
        """Whether it deletes the set."""
        return self.action in ("rebuild", "delete")

    @property
    def is_pruned(self) -> bool:
        """Whether the set goes because no task names it."""
        return self.wanted.pruned

    @property
    def creates(self) -> tuple[str, ...]:
        """The values to create, in order."""
        if self.after is None:
            return ()
        if self.before is None or self.deletes:
            return self.after.values
        return tuple(value for value in self.after.values if value not in self.before.values)

    @property
    def depends_on_others(self) -> bool:
        """Whether it would undo what others wrote, if the reading is outdated."""
        return self.action == "rebuild" or (self.action == "delete" and self.wanted.keeps_others)

    def remaining(self) -> Wanted:
        """What must hold once the change is carried out, whatever happened on the way.

        What the task wants will not do: after a rebuild was cut short, the values that were only kept are in no live
        set.
        """
        return replace(
            self.wanted,
            values=self.after.values if self.after and self.deletes else self.wanted.values,
            default_ttl=self.after.ttl if self.after else self.wanted.default_ttl,
        )

    def as_result(self) -> dict[str, Any]:
        """The change as modules return it."""

        def side(record_set: RecordSet | None) -> dict[str, Any] | None:
            return {"ttl": record_set.ttl, "contents": list(record_set.values)} if record_set else None

        return {
            "name": self.wanted.name,
            "type": self.wanted.type,
            "action": self.action,
            **({"because": self.because} if self.because else {}),
            "before": side(self.before),
            "after": side(self.after),
        }
