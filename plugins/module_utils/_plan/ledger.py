# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What becomes of the ledger with a task: as it was, while the plan is carried out, and as it is left. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Claim, Ledger


@dataclass(frozen=True)
class LedgerStep:
    """The ledger as it was *before* a task, None where there was none, and as it is *left* by it.

    *adopted* are the sets of which the zone held already what has become the owner's, *released* those of which the
    owner gives something up. *unowned* is the number of sets that are nobody's once the plan is carried out.
    """

    owner: str
    before: Ledger | None
    left: Ledger
    adopted: tuple[Key, ...] = ()
    released: tuple[Key, ...] = ()
    unowned: int = 0
    changing: frozenset[Key] = frozenset()
    """The sets that the plan writes to."""

    @property
    def is_new(self) -> bool:
        """Whether there is something to keep."""
        return self.left != (self.before or {})

    @property
    def begun(self) -> Ledger:
        """The ledger while the plan is carried out: the owner has what was wanted before and what is wanted now."""
        before = self.before or {}
        was, will_be = before.get(self.owner, {}), self.left.get(self.owner, {})
        claims = dict(was)
        for key in {*was, *will_be} if was is not will_be else ():
            one, other = was.get(key), will_be.get(key)
            if one != other:
                claims[key] = self._both(key, one, other)
        return without_nothing({**before, self.owner: claims})

    def _both(self, key: Key, was: Claim | None, will_be: Claim | None) -> Claim:
        sides = [side for side in (will_be, was) if side]
        values = dict.fromkeys(value for side in sides for value in side.values)
        return Claim(sides[0].ttl, tuple(values), key in self.changing or any(side.is_begun for side in sides))

    def left_with(self, keys: Iterable[Key]) -> Ledger:
        """The ledger as it is left where something of these sets did not go, or may return."""
        was = self.begun.get(self.owner, {})
        back = {key: was[key] for key in keys if key in was}
        return {**self.left, self.owner: {**self.left.get(self.owner, {}), **back}} if back else self.left

    def given_up(self, key: Key) -> frozenset[str]:
        """The values of a set that its owner wanted before, and nobody wants any more; none where it is released."""
        was = (self.before or {}).get(self.owner, {}).get(key)
        if was is None or key in self.released:
            return frozenset()
        claims = (of.get(key) for of in self.left.values())
        return frozenset(was.values).difference(*(claim.values for claim in claims if claim))


def without_nothing(ledger: Ledger) -> Ledger:
    """The ledger without owners who have nothing."""
    return ledger if all(ledger.values()) else {owner: claims for owner, claims in ledger.items() if claims}
