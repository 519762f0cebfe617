# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A record set before and after, and the action in between."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from .._dns.printable import some_names
from .._dns.rdata import as_read, is_among, lacks_preference, with_preferences
from .._dns.record_set import NONE_KNOWN, Key, Preferences, RecordSet
from .desired import Desired
from .globs import matches_value

ACTIONS = {"create": "created", "extend": "extended", "rebuild": "rebuilt", "delete": "deleted"}
"""Each action, and its past participle."""

WANTED, DRIFT, BOTH = "wanted", "drift", "both"
"""Why a set changes: its owner wants something new, somebody else changed it, or both."""


class PlanRefused(Exception):
    """Names the sets, what the plan breaks, and the remedy."""


@dataclass(frozen=True)
class Change:
    """Canonical sets; *reason* is empty if the task has no owner.

    *was_kept* is set after the run if no DELETE was sent.
    """

    before: RecordSet | None
    after: RecordSet | None
    desired: Desired
    reason: str = field(default="", compare=False)
    was_kept: bool = field(default=False, compare=False)

    @property
    def key(self) -> Key:
        return self.desired.key

    @property
    def action(self) -> str:
        before, after = self.before, self.after
        if before is None:
            return "create"
        if after is None:
            return "delete"
        is_other = (before.ttl, before.higher_ttls) != (
            after.ttl,
            after.higher_ttls,
        ) and not self.was_kept
        return "rebuild" if is_other or not set(before.values) <= set(after.values) else "extend"

    @property
    def deletes(self) -> bool:
        return self.action in ("rebuild", "delete")

    @property
    def creates(self) -> tuple[str, ...]:
        if self.after is None:
            return ()
        if self.before is None or self.deletes:
            return self.after.values
        return tuple(value for value in self.after.values if value not in self.before.values)

    @property
    def undoes_concurrent_writes(self) -> bool:
        """Whether it undoes concurrent writes if the snapshot is stale."""
        return self.action == "rebuild" or (self.action == "delete" and self.desired.keeps_others)

    def as_result(self) -> dict[str, Any]:
        return {
            **self.key._asdict(),
            "action": self.action,
            **({"because": self.reason} if self.reason else {}),
            "before": self.before.ttl_and_contents if self.before else None,
            "after": self.after.ttl_and_contents if self.after else None,
        }


def canonical_set(
    record_set: RecordSet, zone: str, preferences: Preferences = NONE_KNOWN
) -> RecordSet:
    """A set as shown, canonical, with *preferences*."""
    canonical = record_set.canonical(zone)
    sent = preferences.get(record_set.key) if preferences else None
    return (
        replace(canonical, values=with_preferences(canonical.type, canonical.values, sent))
        if sent
        else canonical
    )


def change_of(
    zone: str, held: RecordSet | None, desired: Desired, preferences: Preferences
) -> Change | None:
    """None if nothing changes. Raises PlanRefused."""
    if held and _is_shown_so(held, desired):
        return None
    before = canonical_set(held, zone, preferences) if held else None
    there = before.values if before else ()
    replaced = replaced_by(zone, held, desired) if held else set()
    kept = tuple(value for value in there if stays(value, desired, replaced))
    added = tuple(value for value in desired.values if not is_among(desired.type, value, kept))
    values = kept + added
    ttl = desired.ttl if desired.ttl is not None else before.ttl if before else desired.default_ttl
    if not values:
        return Change(before, None, desired) if before else None
    higher = before.higher_ttls if before and desired.ttl is None else ()
    change = Change(before, RecordSet(desired.name, desired.type, ttl, values, higher), desired)
    if change.before == change.after:
        return None
    if change.deletes:
        return replace(
            change,
            after=RecordSet(desired.name, desired.type, ttl, _as_task_writes(values, desired)),
        )
    return change


def _is_shown_so(held: RecordSet, desired: Desired) -> bool:
    has_ttl = desired.ttl in (None, held.ttl) and not held.higher_ttls
    return has_ttl and bool(held.values) and held.values == desired.values


def replaced_by(zone: str, held: RecordSet, desired: Desired) -> set[str]:
    """The canonical values that ``replaces`` matches, in either form."""
    known = ((as_read(held.type, shown, zone), shown) for shown in held.values if desired.replaces)
    return {
        value
        for value, shown in known
        if any(matches_value(glob, held.type, value, shown) for glob in desired.replaces)
    }


def stays(value: str, desired: Desired, replaced: Collection[str]) -> bool:
    if is_among(desired.type, value, desired.values):
        return True
    return (
        desired.keeps_others
        and not is_among(desired.type, value, replaced)
        and not is_among(desired.type, value, desired.unwanted)
    )


def _as_task_writes(held_values: tuple[str, ...], desired: Desired) -> tuple[str, ...]:
    """The values to create. Mail hosts shown alone get the task's preference. Raises PlanRefused."""
    values = with_preferences(desired.type, held_values, desired.values)
    for value in values:
        if lacks_preference(desired.type, value):
            raise PlanRefused(
                f"{desired.name} MX must be rebuilt, but the service does not show the preference of {value}: list "
                "that value with its preference"
            )
    return values


def diff_of(*steps: Iterable[Change]) -> dict[str, str]:
    """Both states as lines of a zone file.

    Ansible shows ``after_header`` above. It names what no line shows: sets rebuilt, or changed by somebody else.
    """
    changes = [*chain.from_iterable(steps)]
    before = {change.key: change.before for change in reversed(changes)}
    after = {change.key: change.after for change in changes}
    rebuilt = {change.key for change in changes if change.action == "rebuild"}
    drifted = {change.key for change in changes if change.reason in (DRIFT, BOTH)}
    marked = (rebuilt, "rebuilt, gone for a moment"), (drifted, "changed by somebody else before")
    header = [
        f"{len(keys)} {'set' if len(keys) == 1 else 'sets'} {what}: {some_names([str(key) for key in sorted(keys)])}"
        for keys, what in marked
        if keys
    ]
    text = {"before": _lines(before.values()), "after": _lines(after.values())}
    return {**text, **({"after_header": "; ".join(header)} if header else {})}


def _lines(record_sets: Iterable[RecordSet | None]) -> str:
    return "".join(
        f"{line}\n"
        for line in sorted(line for one in record_sets if one for line in one.zone_file_lines())
    )
