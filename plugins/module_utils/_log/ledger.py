# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The ledger before, during and after an owner's task. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .._dns.record_set import Key
from .document import Claim, Claims, Ledger


@dataclass(frozen=True)
class LedgerStep:
    """*adopted* sets already held values that become the owner's.

    *released* sets lose a claim of the owner. *unowned* counts sets without an owner.
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
        """The ledger during the run: old and new claims of the owner."""
        was, will_be = self.own_before, self.own_after
        claims = dict(was)
        for key in {*was, *will_be}:
            sides = [claim for claim in (will_be.get(key), was.get(key)) if claim]
            if will_be.get(key) != was.get(key):
                values = dict.fromkeys(value for side in sides for value in side.values)
                is_begun = key in self.changing or any(side.is_begun for side in sides)
                claims[key] = Claim(sides[0].ttl, tuple(values), is_begun)
        return without_nothing({**self.before, self.owner: claims})

    def after_with(self, keys: Iterable[Key]) -> Ledger:
        """The final ledger if values of these sets did not go, or may return."""
        was = self.begun.get(self.owner, {})
        back = {key: was[key] for key in keys if key in was}
        return {**self.after, self.owner: {**self.own_after, **back}} if back else self.after


def without_nothing(ledger: Ledger) -> Ledger:
    return (
        ledger
        if all(ledger.values())
        else {owner: claims for owner, claims in ledger.items() if claims}
    )
