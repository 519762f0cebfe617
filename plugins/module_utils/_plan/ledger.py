# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What becomes of the ledger with an owner's task. Pure.

As it is drafted by the task, and as it was, while the plan is carried out, and as it is left.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Claim, Claims, Ledger


@dataclass(frozen=True)
class LedgerStep:
    """The ledger as it was *before* a task, and *after* it.

    *adopted* are the sets of which the zone held already what has become the owner's, *released* those of which the
    owner gives something up. *unowned* is the number of sets that are nobody's once the plan is carried out.
    """

    owner: str
    before: Ledger
    after: Ledger
    adopted: tuple[Key, ...] = ()
    released: tuple[Key, ...] = ()
    unowned: int = 0
    changing: frozenset[Key] = frozenset()
    """The sets that the plan writes to."""

    @property
    def own_before(self) -> Claims:
        """What the owner had."""
        return self.before.get(self.owner, {})

    @property
    def own_after(self) -> Claims:
        """What the owner has in the end."""
        return self.after.get(self.owner, {})

    @property
    def is_new(self) -> bool:
        """Whether there is something to keep."""
        return self.after != self.before

    @property
    def begun(self) -> Ledger:
        """The ledger while the plan is carried out: the owner has what was wanted before and what is wanted now."""
        was, will_be = self.own_before, self.own_after
        claims = dict(was)
        for key in {*was, *will_be}:
            one, other = was.get(key), will_be.get(key)
            if one != other:
                claims[key] = self._both(key, one, other)
        return _without_nothing({**self.before, self.owner: claims})

    def _both(self, key: Key, was: Claim | None, will_be: Claim | None) -> Claim:
        sides = [side for side in (will_be, was) if side]
        values = dict.fromkeys(value for side in sides for value in side.values)
        return Claim(sides[0].ttl, tuple(values), key in self.changing or any(side.is_begun for side in sides))

    def after_with(self, keys: Iterable[Key]) -> Ledger:
        """The ledger as it is left where something of these sets did not go, or may return."""
        was = self.begun.get(self.owner, {})
        back = {key: was[key] for key in keys if key in was}
        return {**self.after, self.owner: {**self.own_after, **back}} if back else self.after


class LedgerDraft:
    """The ledger as the task of an *owner* changes it; *own* is what the owner had before."""

    def __init__(self, ledger: Ledger, owner: str):
        self.owner = owner
        self.own = ledger.get(owner, {})
        self._claims = {name: dict(claims) for name, claims in {**ledger, owner: self.own}.items()}

    @property
    def after(self) -> Ledger:
        """The ledger as it is by now."""
        return _without_nothing(self._claims)

    def theirs(self, key: Key) -> list[tuple[str, Claim]]:
        """What others have of a set by now, each with its owner."""
        return [(name, claims[key]) for name, claims in self._claims.items() if name != self.owner and key in claims]

    def values_of_others(self, key: Key) -> list[str]:
        """All values that others have of a set by now."""
        return [value for _name, claim in self.theirs(key) for value in claim.values]

    def of_others(self) -> list[tuple[str, Key, Claim]]:
        """All that others have by now."""
        others = ((name, claims) for name, claims in self._claims.items() if name != self.owner)
        return [(name, key, claim) for name, claims in others for key, claim in claims.items()]

    def put(self, owner: str, key: Key, claim: Claim | None) -> None:
        """Somebody has this of a set from now on."""
        if claim and claim.values:
            self._claims[owner][key] = claim
        else:
            self._claims[owner].pop(key, None)

    def claim(self, key: Key, claim: Claim | None) -> None:
        """The owner has this of a set from now on; in what order the values are is no difference."""
        own = self.own.get(key)
        if not (own and claim and own.ttl == claim.ttl and not own.is_begun and {*own.values} == {*claim.values}):
            self.put(self.owner, key, claim)


def _without_nothing(ledger: Ledger) -> Ledger:
    """The ledger without owners who have nothing."""
    return ledger if all(ledger.values()) else {owner: claims for owner, claims in ledger.items() if claims}
