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

NO_CLAIM = Claim(None, ())


@dataclass(frozen=True)
class LedgerStep:
    """What a task of *owner* makes of the ledger.

    * *adopted*: sets of which values become the owner's that were there already.
    * *released*: sets in which the owner gives a claim up.
    * *unowned*: how many sets have no owner.
    """

    owner: str
    before: Ledger
    after: Ledger
    adopted: tuple[Key, ...] = ()
    released: tuple[Key, ...] = ()
    unowned: int = 0

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
            old = self.own_before.get(key, NO_CLAIM)
            new = self.own_after.get(key, old._replace(values=()))
            if old != new:
                values = {*old.values, *new.values}
                claims[key] = Claim(new.ttl, tuple(sorted(values)), is_begun=True)
        return without_empty({**self.before, self.owner: claims})

    def after_with(self, keys: Iterable[Key]) -> Ledger:
        """The ledger after the run if values of these sets are still there, or may return."""
        begun = self.begun.get(self.owner, {})
        back = {key: begun[key] for key in keys if key in begun}
        return without_empty({**self.after, self.owner: {**self.own_after, **back}})


@dataclass(frozen=True)
class OwnersPlan(Plan):
    """The plan of a task with an owner: it changes the zone, and the ledger."""

    step: LedgerStep = field(kw_only=True)

    @property
    def is_empty(self) -> bool:
        return super().is_empty and not self.step.is_new


def ledger_begun(plan: Plan, ledger: Ledger) -> Ledger:
    """The ledger of a zone while a plan is carried out."""
    if isinstance(plan, OwnersPlan):
        return plan.step.begun
    return ledger


def ledger_after(plan: Plan, ledger: Ledger, may_return: Iterable[Key]) -> Ledger:
    """The ledger of a zone after a plan, if values of these sets are there, or may return."""
    if isinstance(plan, OwnersPlan):
        return plan.step.after_with(may_return)
    return ledger


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
