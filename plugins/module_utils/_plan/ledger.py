# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The ledger before, during and after an owner's task."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .._dns.record_set import Key
from .._log.document import Claim, Claims, Ledger


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
        return _without_nothing({**self.before, self.owner: claims})

    def after_with(self, keys: Iterable[Key]) -> Ledger:
        """The final ledger if values of these sets did not go, or may return."""
        was = self.begun.get(self.owner, {})
        back = {key: was[key] for key in keys if key in was}
        return {**self.after, self.owner: {**self.own_after, **back}} if back else self.after


class LedgerDraft:
    """*own* are the claims of the owner before."""

    def __init__(self, ledger: Ledger, owner: str):
        self.owner = owner
        self.own = ledger.get(owner, {})
        self._claims = {name: dict(claims) for name, claims in {**ledger, owner: self.own}.items()}

    @property
    def after(self) -> Ledger:
        return _without_nothing(self._claims)

    def theirs(self, key: Key) -> list[tuple[str, Claim]]:
        return [(name, claims[key]) for name, claims in self._claims.items() if name != self.owner and key in claims]

    def values_of_others(self, key: Key) -> list[str]:
        return [value for _name, claim in self.theirs(key) for value in claim.values]

    def of_others(self) -> list[tuple[str, Key, Claim]]:
        others = ((name, claims) for name, claims in self._claims.items() if name != self.owner)
        return [(name, key, claim) for name, claims in others for key, claim in claims.items()]

    def put(self, owner: str, key: Key, claim: Claim | None) -> None:
        """Set a claim; one without values is removed."""
        if claim and claim.values:
            self._claims[owner][key] = claim
        else:
            self._claims[owner].pop(key, None)

    def claim(self, key: Key, claim: Claim | None) -> None:
        """Set the owner's claim, unless only the order of values differs."""
        own = self.own.get(key)
        if not (own and claim and own.ttl == claim.ttl and not own.is_begun and {*own.values} == {*claim.values}):
            self.put(self.owner, key, claim)


def _without_nothing(ledger: Ledger) -> Ledger:
    return ledger if all(ledger.values()) else {owner: claims for owner, claims in ledger.items() if claims}
