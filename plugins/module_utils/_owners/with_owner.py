# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plan a task with an owner, in a zone that several owners share.

Terms:

* An *owner* is the team for which a task speaks (option ``owner``).
* A *claim* is what an owner asked for last of one set: values, and a TTL or any.
* The *ledger* has all claims on a zone. Each value is the task's own, another owner's, both, or nobody's.

Premise: the ledger tells who wants a value, the zone tells what is there. Neither follows from the other: people change
zones by hand, and what an owner wants no longer may still be there.

Rules:

1. What a task lists becomes its owner's claim, and what it lists no longer is given up.
2. A task that lists a whole set removes the owner's other values from it, and no others. One that lists single values
   removes none.
3. A value of two owners goes when the last of them gives it up.
4. ``absent`` and ``replaces`` remove the owner's values and nobody's. Pruning removes the owner's values alone.
5. Refused is what takes from another owner: removing a value, another TTL for a shared set than the claimed one (the
   zone's, if none is claimed), a CNAME beside another owner's set, or a set beside another owner's CNAME. Replacing a
   CNAME is refused also if it is nobody's. A task without a TTL takes the one that others claim.
6. ``takeover`` does what would be refused: values and TTLs leave the claims of others, and sets in conflict go.
7. Listed values that are there already become the owner's: they are *adopted*, and reported.
8. ``release`` only gives claims up. It changes nothing in the zone.
9. Until a snapshot shows the plan carried out, the owner has old and new values (``LedgerStep.begun``).

For example, ``web`` claims 1 and 2 in a set, and ``mail`` claims 2; the set also holds 3. If a task of ``web`` lists 4
alone, then 1 goes and 4 comes, 2 stays for ``mail``, and 3 stays since it is nobody's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from .._dns.dialect import Dialect
from .._dns.printable import some_clauses, some_names
from .._dns.record_set import Key, RecordSet, Sets, values_of
from .._log.document import Claim, Document, Ledger
from .._plan.change import PlanRefused, leaving, unwanted_in
from .._plan.desired import SINGLE_VALUED, Desired, with_types
from .._plan.limits import Limits, pruned
from .._plan.plan import Plan, PlanTo
from .draft import LedgerDraft
from .ledger import NO_CLAIM, LedgerStep, OwnersPlan, without
from .owner import TaskOwner
from .reasons import refuse_drift, with_reasons


def planned_by_owner(
    owner: TaskOwner,
    zone: str,
    held: Sets,
    desired: Iterable[Desired],
    document: Document,
    limits: Limits,
    plan_to: PlanTo,
) -> OwnersPlan:
    """The plan; *plan_to* plans desired sets within limits. Raises PlanRefused."""
    draft = LedgerDraft(document.ledger, owner)
    task = _Task(zone, held, document.dialect, limits, draft)
    known = dict.fromkeys([*held, *draft.own])
    named = [*with_types(desired, known, zone)]
    released: list[Key] = []
    warnings: list[str] = []
    if owner.release:
        released = _released(draft, named)
        warnings += _not_released(draft, zone, named, released)
    else:
        task.claim_all(named)
    planned = plan_to(task.desired, limits._replace(prune=False))
    unowned = _unowned(limits.within(held, zone), draft.after, planned)
    step = LedgerStep(
        owner.name,
        document.ledger,
        draft.after,
        adopted=tuple(sorted(task.adopted)),
        released=tuple(sorted(released)),
        unowned=len([key for key in unowned if not key.is_made_by_service(zone)]),
    )
    changes = with_reasons(planned.changes, step, document.dialect)
    if owner.refuses_drift:
        refuse_drift(changes, step)
    planned = replace(planned, changes=changes, warnings=(*warnings, *planned.warnings))
    return OwnersPlan(**vars(planned), step=step)


def _released(draft: LedgerDraft, named: Iterable[Desired]) -> list[Key]:
    """Give up the claims that the task names. Returns their sets."""
    released = []
    for one in named:
        own = draft.own.get(one.key, NO_CLAIM)
        rest: tuple[str, ...] = ()
        if one.keeps_others:
            rest = without(own.values, {*one.values, *unwanted_in(one, own.values)})
        if rest != own.values:
            released.append(one.key)
            draft.claim(one.key, own._replace(values=rest))
    return released


def _not_released(
    draft: LedgerDraft, zone: str, named: Iterable[Desired], released: Collection[Key]
) -> Iterator[str]:
    """Warn of sets that the task names and in which its owner has nothing to give up."""
    names = []
    for one in named:
        if one.key not in released and not one.key.is_owned_by_service(zone):
            names.append(str(one.key))
    if names:
        owner = draft.owner.name
        yield f"{owner} owns none of {some_names(names)}: check the owner and the names"


def _unowned(held: Sets, ledger: Ledger, planned: Plan) -> set[Key]:
    """The sets that have no owner after the plan."""
    keys = set(held)
    keys.difference_update(*ledger.values())
    keys.difference_update(change.key for change in planned.changes if change.after is None)
    return keys


class _Task:
    """The sets that a task of an owner desires, while it edits the ledger."""

    def __init__(self, zone: str, held: Sets, dialect: Dialect, limits: Limits, draft: LedgerDraft):
        self._zone = zone
        self._held = held
        self._dialect = dialect
        self._limits = limits
        self._draft = draft
        self.desired: list[Desired] = []
        self.adopted: list[Key] = []

    def claim_all(self, named: Iterable[Desired]) -> None:
        """Desire and claim what the task names. Raises PlanRefused."""
        of_task: dict[Key, Desired] = {}
        for one in named:
            if one.key.is_owned_by_service(self._zone):
                self.desired.append(one)
            else:
                of_task[one.key] = one
                self.desired.append(self._claimed(one))
        self._look_beside(of_task)
        if self._limits.prune:
            self._prune(of_task)
        if self._draft.reasons:
            raise PlanRefused(
                f"{some_clauses(self._draft.reasons)}; leave that out, or set takeover to true to "
                f"make {self._draft.owner.name} the owner"
            )

    def _claimed(self, one: Desired) -> Desired:
        """The set as it is desired, with the values of others (rules 1 to 7)."""
        key, draft = one.key, self._draft
        own = draft.own.get(key, NO_CLAIM)
        held = self._held.get(key)
        of_others = draft.values_of_others(key)
        takeover = draft.owner.takeover
        lists_own_values = bool(one.values) and not one.keeps_others
        if one.type in SINGLE_VALUED and (takeover or without(of_others, one.values)):
            lists_own_values = False
        if lists_own_values:
            removed = without(own.values, {*one.values, *of_others})
            claimed = one.values
        else:
            spelled = held.spelled if held else ()
            known = (*own.values, *of_others, *values_of(held))
            removed = tuple(sorted(leaving(RecordSet(*key, 0, known, spelled=spelled), one)))
            claimed = (*without(own.values, {*removed, *one.values}), *one.values)
        draft.take_values(key, {*removed, *one.values} if takeover else removed)
        ttl = one.ttl
        if ttl is None and one.keeps_others:
            ttl = own.ttl
        draft.claim(key, Claim(ttl, claimed))
        if not one.values:
            return one
        if not set(without(one.values, own.values)).isdisjoint(values_of(held)):
            self.adopted.append(key)
        default_ttl = self._shared_ttl(one, held)
        return replace(one, keeps_others=True, unwanted=removed, default_ttl=default_ttl)

    def _shared_ttl(self, one: Desired, held: RecordSet | None) -> int:
        """The TTL of the set if the task creates it and says none: the one that others claim.

        A task that says another one than theirs is refused.
        """
        default = one.default_ttl
        for name, claim in self._draft.theirs(one.key):
            theirs = claim.ttl
            if theirs is None and held:
                theirs = held.ttl
            if theirs is None:
                continue
            default = theirs
            asked = self._dialect.asked(one.key, one.ttl, held)
            if theirs not in (one.ttl, asked) and one.ttl is not None:
                why = f" too, and this task would change the TTL of the set to {one.ttl}"
                rest = claim._replace(ttl=one.ttl)
                self._draft.take(name, one.key, f"with a TTL of {theirs}", why, rest)
        return default

    def _look_beside(self, of_task: Mapping[Key, Desired]) -> None:
        """Find others' sets in conflict with a CNAME (RFC 1034, section 3.6.2)."""
        cnames: set[str] = set()
        others: set[str] = set()
        for one in of_task.values():
            if one.values:
                names = cnames if one.type == "CNAME" else others
                names.add(one.name)
        for name, key, claim in self._draft.of_others():
            conflicting = others if key.type == "CNAME" else cnames
            if key.name not in conflicting or key in of_task:
                continue
            what = ", ".join(claim.values)
            why = ", and a CNAME must be alone at its name"
            self._draft.take(name, key, what, why, NO_CLAIM)
            self.desired.append(Desired(*key, unwanted=claim.values, keeps_others=True))

    def _prune(self, of_task: Mapping[Key, Desired]) -> None:
        """Desire that what the owner had and lists no longer goes (rule 4). Raises PlanRefused."""
        had: dict[Key, RecordSet] = {}
        going: dict[Key, tuple[str, ...]] = {}
        for key, own in self._draft.own.items():
            there = self._held.get(key)
            if key not in of_task:
                known = there or RecordSet(*key, 0, own.values)
                if not self._limits.may_prune(known, self._zone):
                    continue
                self._draft.claim(key, NO_CLAIM)
                mine = without(own.values, self._draft.values_of_others(key))
                going[key] = tuple(value for value in mine if value in values_of(there))
            if there and going.get(key) != ():
                had[key] = there
        whose = f"{self._draft.owner.name}'s"
        for key in pruned(self._zone, had, of_task, self._limits, whose):
            staying = without(had[key].values, going[key])
            one = Desired(*key, unwanted=going[key], keeps_others=True, pruned=not staying)
            self.desired.append(one)
