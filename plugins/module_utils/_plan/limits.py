# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How far a task may go in a zone: what it leaves alone, what it may not delete, and how much at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, LiveSets, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted

if TYPE_CHECKING:
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import Glob
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ttl_max import TtlMax

ALL = 100  # percent

_GLOBS: dict[str, Any] = {
    "type": "list",
    "elements": "dict",
    "default": [],
    "options": {part: {"type": "str", "default": "*"} for part in ("name", "type", "value")},
}
LIMIT_OPTIONS: dict[str, dict[str, Any]] = {
    "prune": {"type": "bool", "default": False},
    "ignore": _GLOBS,
    "prune_limit": {"type": "int", "default": 30},
    "protect": _GLOBS,
    "change_limit": {"type": "int", "default": ALL},
    "only": _GLOBS,
    "ttl_max": {**_GLOBS, "options": {**_GLOBS["options"], "ttl": {"type": "raw", "required": True}}},
}
"""The options that ``given_limits`` takes, as an argument spec."""
GLOBS = tuple(option for option, rules in LIMIT_OPTIONS.items() if rules["type"] == "list")


class Limits(NamedTuple):
    """How far a task may go in a zone.

    With *prune* the zone is to hold no other sets than the wanted ones, and at most *prune_limit* percent of those that
    may be pruned go for that. At most *change_limit* percent of the zone's sets may be deleted or rebuilt for whatever
    reason. What *ignore* matches is left alone, what *protect* matches is never deleted or rebuilt. Where there is any
    *only*, the task is about the sets that it matches, and to the other options the zone has no others. What *ttl_max*
    matches has at most the TTL that it says. Pruning leaves the *spared* sets alone, which are others'.
    """

    prune: bool = False
    prune_limit: int = 30
    change_limit: int = ALL
    ignore: tuple[Glob, ...] = ()
    protect: tuple[Glob, ...] = ()
    only: tuple[Glob, ...] = ()
    ttl_max: tuple[TtlMax, ...] = ()
    spared: frozenset[Key] = frozenset()

    @property
    def bound_what_is_new(self) -> bool:
        """Whether what others make of a set that is new to the task could be against them."""
        return bool(self.ignore or self.protect or self.only or self.change_limit < ALL)

    def ignores(self, record_set: RecordSet, zone: str) -> bool:
        """Whether the set, as the zone holds it, is to be left alone."""
        return bool(self.ignore) and _matches(self.ignore, record_set, zone)

    def ignores_wanted(self, wanted: Wanted, zone: str) -> bool:
        """Whether the set would be left alone if it were as the task wants it."""
        return bool(self.ignore) and _matches(self.ignore, RecordSet(*wanted.key, 0, wanted.values), zone)

    def is_about(self, record_set: RecordSet, zone: str) -> bool:
        """Whether the task is about the set, as the zone holds it."""
        return not self.only or _matches(self.only, record_set, zone)

    def is_about_wanted(self, wanted: Wanted, zone: str) -> bool:
        """Whether the task would be about the set if it were as it wants it; one that is to go may have any value."""
        if not self.only:
            return True
        from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import ANY, matches

        globs = self.only if wanted.values else [replace(glob, value=ANY) for glob in self.only]
        return matches(globs, RecordSet(*wanted.key, 0, wanted.values), zone)

    @property
    def has_globs(self) -> bool:
        """Whether there are any that could match nothing."""
        return any(getattr(self, option) for option in GLOBS)

    def within(self, live: LiveSets, zone: str) -> LiveSets:
        """The sets of the zone that the task is about."""
        return {key: one for key, one in live.items() if self.is_about(one, zone)} if self.only else live

    def unmet(self, sets: Sequence[RecordSet], zone: str) -> dict[str, set[int]]:
        """The places of the globs that match none of the sets, by their option."""
        from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import unmet

        return {option: unmet(getattr(self, option), sets, zone) for option in GLOBS}

    def protects(self, record_set: RecordSet, zone: str) -> bool:
        """Whether the set, as the zone holds it, may be neither deleted nor rebuilt."""
        return bool(self.protect) and _matches(self.protect, record_set, zone)


def _matches(globs: Sequence[Glob], one: RecordSet, zone: str) -> bool:
    """Whether one of the globs matches the set; a task without any does not pay for what they need."""
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import matches

    return matches(globs, one, zone)


UNLIMITED = Limits()
