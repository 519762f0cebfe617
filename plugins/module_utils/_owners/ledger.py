# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The ledger of a zone before, during and after an owner's task."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from .._dns.record_set import Key, RecordSet
from .._log.document import Claim, Claims, Ledger
from .._plan.plan import Plan


@dataclass(frozen=True)
class LedgerStep:
    """What a task of *owner* makes of the ledger.

    * *adopted*: sets of which values become the owner's that were there already.
    * *released*: sets in which the owner gives a claim up.
    * *unowned*: how many sets have no owner.
    * *changing*: the sets that the plan changes.
    """

    owner: str
    before: Ledger
    after: Ledger
    adopted: tuple[Key, ...] = ()
    released: tuple[Key, ...] = ()
    unowned: int = 0
    changing: frozenset[Key] = frozenset()

    @property
    def own_before(self) -> Claims:
        return self.before.get(self.owner, {})

    @property
    def own_after(self) -> Claims:
        return self.after.get(self.owner, {})

    @property
    def is_new(self) -> bool:
        return self.after != self.before

    @property
    def begun(self) -> Ledger:
        """The ledger during the run, which may be cut short: the owner has old and new values."""
        claims = dict(self.own_before)
        for key in self.own_before.keys() | self.own_after.keys():
            if self.own_before.get(key) != self.own_after.get(key):
                claims[key] = self._begun_claim(key)
        return without_empty({**self.before, self.owner: claims})

    def _begun_claim(self, key: Key) -> Claim:
        sides = [claims[key] for claims in (self.own_after, self.own_before) if key in claims]
        values: list[str] = []
        for side in sides:
            values += side.values
        is_begun = key in self.changing or any(side.is_begun for side in sides)
        return Claim(sides[0].ttl, tuple(dict.fromkeys(values)), is_begun)

    def after_with(self, keys: Iterable[Key]) -> Ledger:
        """The ledger after the run if values of these sets are still there, or may return."""
        begun = self.begun.get(self.owner, {})
        back = {key: begun[key] for key in keys if key in begun}
        if not back:
            return self.after
        return {**self.after, self.owner: {**self.own_after, **back}}


@dataclass(frozen=True)
class OwnersPlan(Plan):
    """The plan of a task with an owner: it changes the zone, and the ledger."""

    step: LedgerStep = field(kw_only=True)

    @property
    def is_empty(self) -> bool:
        return super().is_empty and not self.step.is_new


class LedgerDraft:
    """The ledger as a task of *owner* edits it; *own* are the claims that the owner had before."""

    def __init__(self, ledger: Ledger, owner: str):
        self.owner = owner
        self.own = ledger.get(owner, {})
        self._claims = {name: dict(claims) for name, claims in ledger.items()}
        self._claims.setdefault(owner, {})

    @property
    def after(self) -> Ledger:
        return without_empty(self._claims)

    def own_values(self, key: Key) -> tuple[str, ...]:
        """The owner's values in a set, before the task."""
        own = self.own.get(key)
        return own.values if own else ()

    def theirs(self, key: Key) -> list[tuple[str, Claim]]:
        """The claims of other owners in a set."""
        found = []
        for name, claims in self._claims.items():
            if name != self.owner and key in claims:
                found.append((name, claims[key]))
        return found

    def values_of_others(self, key: Key) -> list[str]:
        values: list[str] = []
        for _name, claim in self.theirs(key):
            values += claim.values
        return values

    def of_others(self) -> list[tuple[str, Key, Claim]]:
        """All claims of other owners."""
        found: list[tuple[str, Key, Claim]] = []
        for name, claims in self._claims.items():
            if name != self.owner:
                found += [(name, key, claim) for key, claim in claims.items()]
        return found

    def put(self, owner: str, key: Key, claim: Claim | None) -> None:
        """Set a claim; one without values is removed."""
        if claim and claim.values:
            self._claims[owner][key] = claim
        else:
            self._claims[owner].pop(key, None)

    def claim(self, key: Key, claim: Claim | None) -> None:
        """Set the owner's claim, unless only the order of values differs."""
        own = self.own.get(key)
        if own is None or claim is None or own.is_begun or not same_claim(own, claim):
            self.put(self.owner, key, claim)


def same_claim(one: Claim, other: Claim) -> bool:
    """Whether two claims are equal, in any order of values."""
    return (one.ttl, {*one.values}) == (other.ttl, {*other.values})


def without_empty(ledger: Ledger) -> Ledger:
    """The ledger without owners that have nothing."""
    return {owner: claims for owner, claims in ledger.items() if claims}


def without(values: Iterable[str], others: Collection[str]) -> tuple[str, ...]:
    """The values that are not among *others*."""
    return tuple(value for value in values if value not in others)


def owners_of(one: RecordSet, ledger: Ledger) -> list[dict[str, Any]]:
    """A set's owners, sorted, with their values."""
    found = []
    for owner in sorted(ledger):
        claim = ledger[owner].get(one.key)
        contents = [value for value in one.values if claim and value in claim.values]
        if contents:
            found.append({"owner": owner, "contents": contents})
    return found
