# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The ledger as an owner's task edits it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from .._dns.printable import printable_part
from .._dns.record_set import Key
from .._log.document import Claim, Ledger
from .ledger import without, without_empty
from .owner import TaskOwner


class LedgerDraft:
    """The ledger as a task of *owner* edits it.

    *own* are the claims that the owner had before. *reasons* say what the task would take from other owners.
    """

    def __init__(self, ledger: Ledger, owner: TaskOwner):
        self.owner = owner
        self.own = ledger.get(owner.name, {})
        self.reasons: list[str] = []
        self._claims = {name: dict(claims) for name, claims in ledger.items()}
        self._claims.setdefault(owner.name, {})

    @property
    def after(self) -> Ledger:
        return without_empty(self._claims)

    def of_others(self) -> Iterator[tuple[str, Key, Claim]]:
        """All claims of other owners."""
        for name, claims in self._claims.items():
            if name != self.owner.name:
                for key, claim in [*claims.items()]:
                    yield name, key, claim

    def theirs(self, key: Key) -> list[tuple[str, Claim]]:
        """The claims of other owners in a set."""
        found = []
        for name, claims in self._claims.items():
            if name != self.owner.name and key in claims:
                found.append((name, claims[key]))
        return found

    def values_of_others(self, key: Key) -> list[str]:
        values: list[str] = []
        for _name, claim in self.theirs(key):
            values += claim.values
        return values

    def claim(self, key: Key, claim: Claim) -> None:
        self._put(self.owner.name, key, claim)

    def take(self, name: str, key: Key, what: str, why: str, rest: Claim) -> None:
        """Leave *rest* to another owner, or refuse that if the task may not take over."""
        if self.owner.takeover:
            self._put(name, key, rest)
        else:
            self.reasons.append(f"{key} {printable_part(what)} belongs to {name}{why}")

    def take_values(self, key: Key, values: Collection[str]) -> None:
        for name, claim in self.theirs(key):
            rest = without(claim.values, values)
            if rest != claim.values:
                taken = ", ".join(without(claim.values, rest))
                why = ", and this task would remove it"
                self.take(name, key, taken, why, claim._replace(values=rest))

    def _put(self, owner: str, key: Key, claim: Claim) -> None:
        """Set a claim; one without values is removed. The order of values says nothing."""
        if claim.values:
            self._claims[owner][key] = claim._replace(values=tuple(sorted(claim.values)))
        else:
            self._claims[owner].pop(key, None)
