# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A record set before and after, and the action in between."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from .._dns.dialect import host_alone, with_host
from .._dns.printable import printable, some_names
from .._dns.record_set import Key, RecordSet, Sets, minus, same_set, values_of
from .desired import Desired
from .globs import matches_value

ACTIONS = {
    "create": "created",
    "extend": "extended",
    "rebuild": "rebuilt",
    "delete": "deleted",
}
"""Each action, and its past participle."""

WANTED, DRIFT, BOTH = "wanted", "drift", "both"
"""Why a set changes: its owner wants something new, somebody else changed it, or both."""


class PlanRefused(Exception):
    """Names the sets, what the plan breaks, and the remedy."""


@dataclass(frozen=True)
class Change:
    """*reason* is empty if the task has no owner."""

    before: RecordSet | None
    after: RecordSet | None
    desired: Desired
    reason: str = field(default="", compare=False)

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
        if not set(before.values).issubset(after.values):
            return "rebuild"
        is_same_ttl = before.ttl == after.ttl and before.higher_ttls == after.higher_ttls
        return "extend" if is_same_ttl else "rebuild"

    @property
    def deletes(self) -> bool:
        return self.action in ("rebuild", "delete")

    @property
    def creates(self) -> tuple[str, ...]:
        """The values that are sent."""
        if self.deletes:
            return values_of(self.after)
        return minus(self.after, self.before)

    @property
    def undoes_concurrent_writes(self) -> bool:
        """Whether it undoes concurrent writes if the snapshot is stale."""
        if self.action == "delete":
            return self.desired.keeps_others
        return self.action == "rebuild"

    def as_result(self) -> dict[str, Any]:
        result: dict[str, Any] = {**self.key._asdict(), "action": self.action}
        if self.reason:
            result["because"] = self.reason
        result["before"] = set_as_result(self.before)
        result["after"] = set_as_result(self.after)
        return result


def set_as_result(one: RecordSet | None) -> dict[str, Any] | None:
    """The TTL and the values of a set, as modules return them."""
    return one.ttl_and_contents if one else None


def change_of(held: RecordSet | None, desired: Desired) -> Change | None:
    """What makes the desired set of the one that is *held*. None if nothing changes. Raises PlanRefused."""
    if held is None:
        if not desired.values:
            return None
        ttl = desired.default_ttl if desired.ttl is None else desired.ttl
        values = tuple(dict.fromkeys(desired.values))
        return Change(None, RecordSet(*desired.key, ttl, values), desired)
    if _is_so(held, desired):
        return None
    going = leaving(held, desired)
    staying = [value for value in held.values if value not in going]
    values = tuple(dict.fromkeys((*staying, *desired.values)))
    if not values:
        return Change(held, None, desired)
    after = RecordSet(*desired.key, held.ttl, values, held.higher_ttls)
    if desired.ttl is not None:
        after = RecordSet(*desired.key, desired.ttl, values)
    if after == held:
        return None
    change = Change(held, after, desired)
    if change.deletes:
        change = replace(change, after=replace(after, higher_ttls=()))
        _refuse_hosts_alone(change)
    return change


def change_to(key: Key, shown: RecordSet | None, desired: RecordSet | None) -> Change:
    """What makes one set of another, without a task. What others have added stays."""
    wish = Desired(*key, keeps_others=True)
    if desired:
        wish = replace(wish, values=desired.values, default_ttl=desired.ttl)
    return Change(shown, desired, wish)


def _is_so(held: RecordSet, desired: Desired) -> bool:
    """Whether a set is obviously as desired, as nearly all of a large zone are."""
    if not held.values or held.values != desired.values:
        return False
    return desired.ttl is None or (desired.ttl == held.ttl and not held.higher_ttls)


def leaving(held: RecordSet, desired: Desired) -> frozenset[str]:
    """The values that the task removes: all that it does not list, or those that it names."""
    going = set(held.values)
    if desired.keeps_others:
        going &= unwanted_in(desired, held.values)
        going |= replaced_by(held, desired)
    return frozenset(going.difference(desired.values))


def unwanted_in(desired: Desired, values: Collection[str]) -> set[str]:
    """The unwanted values; a mail host alone means every value with this host."""
    unwanted = set(desired.unwanted)
    for value in desired.unwanted:
        if host_alone(desired.type, value):
            unwanted.update(with_host(value, values))
    return unwanted


def replaced_by(held: RecordSet, desired: Desired) -> set[str]:
    """The values that ``replaces`` matches, in our words or as shown."""
    found: set[str] = set()
    if not desired.replaces:
        return found
    texts = {(value, value) for value in held.values}.union(held.spelled)
    for value, text in texts:
        if any(matches_value(glob, held.type, text) for glob in desired.replaces):
            found.add(value)
    return found


def _refuse_hosts_alone(change: Change) -> None:
    """Raises PlanRefused for a mail host that no request can create again."""
    for value in change.creates:
        if host_alone(change.key.type, value):
            raise PlanRefused(
                f"{change.desired.name} MX must be rebuilt, but the service does not show the "
                f"preference of {value}: list that value with its preference"
            )


def is_made(change: Change | None, shown: RecordSet | None, desired: RecordSet | None) -> bool:
    """Whether nothing is to be sent. A task may plan to level several TTLs of a set."""
    if change and shown and shown.higher_ttls:
        return False
    return same_set(shown, desired)


def changes_made(planned: Iterable[Change], shown: Sets) -> tuple[Change, ...]:
    """What became of planned changes, as the zone shows their sets now: those that changed anything."""
    made = []
    for change in planned:
        now = shown.get(change.key)
        if not _is_same(now, change.after):
            change = replace(change, after=now)
        if not _is_same(change.before, change.after):
            made.append(change)
    return tuple(made)


def _is_same(one: RecordSet | None, other: RecordSet | None) -> bool:
    """Whether two sets have the same values, each with the same TTL."""
    if one is None or other is None:
        return one is other
    return same_set(one, other) and sorted(one.higher_ttls) == sorted(other.higher_ttls)


def diff_of(*steps: Iterable[Change]) -> dict[str, str]:
    """Both states as lines of a zone file.

    Ansible shows ``after_header`` above. It names what no line shows: sets that are gone for a moment, and sets that
    somebody else changed.
    """
    changes = [*chain.from_iterable(steps)]
    before: dict[Key, RecordSet | None] = {}
    after: dict[Key, RecordSet | None] = {}
    for change in changes:
        before.setdefault(change.key, change.before)
        after[change.key] = change.after
    diff = {"before": _lines(before.values()), "after": _lines(after.values())}
    rebuilt = {str(change.key) for change in changes if change.action == "rebuild"}
    drifted = {str(change.key) for change in changes if change.reason in (DRIFT, BOTH)}
    swapped = names_between_cname_and_others(changes)
    marks = [
        _marked("set", rebuilt, "rebuilt, gone for a moment"),
        _marked("name", swapped, "between CNAME and other types, gone for a moment"),
        _marked("set", drifted, "changed by somebody else before"),
    ]
    header = "; ".join(filter(None, marks))
    if header:
        diff["after_header"] = header
    return diff


def names_between_cname_and_others(changes: Iterable[Change]) -> set[str]:
    """The names at which a CNAME replaces other types, or they replace it: they are gone for a moment."""
    cnames: set[str] = set()
    others: set[str] = set()
    for change in changes:
        if change.action in ("create", "delete"):
            names = cnames if change.key.type == "CNAME" else others
            names.add(change.key.name)
    return cnames & others


def _marked(kind: str, names: Collection[str], what: str) -> str:
    """A clause that counts and names sets or names; empty if there are none."""
    if not names:
        return ""
    plural = "" if len(names) == 1 else "s"
    listed = some_names([printable(name) for name in sorted(names)])
    return f"{len(names)} {kind}{plural} {what}: {listed}"


def _lines(record_sets: Iterable[RecordSet | None]) -> str:
    lines: list[str] = []
    for one in record_sets:
        if one:
            lines += one.zone_file_lines()
    return "".join(f"{line}\n" for line in sorted(lines))
