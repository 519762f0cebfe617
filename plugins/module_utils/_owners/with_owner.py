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
5. Refused is what takes from another owner: removing a value, another TTL than the claimed one for a shared set, a CNAME
   beside another owner's set, or a set beside another owner's CNAME. A second value for a CNAME is refused also if the
   first is nobody's. A task without a TTL takes the one that others claim.
6. ``takeover`` does what would be refused: values and TTLs leave the claims of others, and sets in conflict go.
7. Listed values that are there already become the owner's: they are *adopted*, and reported.
8. ``release`` only gives claims up. It changes nothing in the zone.
9. Until a snapshot shows the plan carried out, the owner has old and new values (``LedgerStep.begun``).

For example, ``web`` claims 1 and 2 in a set, and ``mail`` claims 2; the set also holds 3. If a task of ``web`` lists 4
alone, then 1 goes and 4 comes, 2 stays for ``mail``, and 3 stays since it is nobody's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from .._dns.printable import printable_part, some_clauses
from .._dns.record_set import Key, RecordSet, Sets, values_of
from .._log.document import Claim, Document
from .._plan.change import PlanRefused, replaced_by, unwanted_in
from .._plan.desired import EVERY_TYPE, SINGLE_VALUED, Desired, cname_alone, with_types
from .._plan.limits import Limits, pruned
from .._plan.plan import Plan, PlanTo
from .._plan.ttl import with_ttl_max
from .ledger import LedgerDraft, LedgerStep, OwnersPlan, without
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
    listed = [*desired]
    named = [*with_types(listed, held, zone)]
    every_type_at = {one.name for one in listed if one.type == EVERY_TYPE}
    task = _Task(owner, zone, held, document, limits)
    adopted, released = set[Key](), set[Key]()
    if owner.release:
        released = task.release(named, every_type_at)
    else:
        adopted = task.claim_all(named, every_type_at)
    planned = plan_to(task.desired, limits._replace(prune=False))
    changing = frozenset(change.key for change in planned.changes)
    unowned = task.unowned(planned)
    step = LedgerStep(
        owner.name,
        document.ledger,
        task.draft.after,
        adopted=tuple(sorted(adopted)),
        released=tuple(sorted(released)),
        unowned=len(unowned),
        changing=changing,
    )
    changes = with_reasons(planned.changes, step, document.dialect)
    if owner.refuses_drift:
        refuse_drift(changes, step)
    planned = replace(planned, changes=changes, awaited=tuple(task.desired))
    return OwnersPlan(**vars(planned), step=step)


class _Task:
    """The sets that a task of an owner desires, and a draft of the ledger that it leaves."""

    def __init__(self, owner: TaskOwner, zone: str, held: Sets, document: Document, limits: Limits):
        self._owner = owner
        self._zone = zone
        self._held = held
        self._document = document
        self._limits = limits
        self.draft = LedgerDraft(document.ledger, owner.name)
        self.desired: list[Desired] = []
        self._reasons: list[str] = []

    def release(self, named: Iterable[Desired], every_type_at: Collection[str]) -> set[Key]:
        """Give up the claims that the task names. Returns their sets."""
        own = self.draft.own
        remaining: dict[Key, tuple[str, ...]] = {}
        for key in own:
            if key.name in every_type_at:
                remaining[key] = ()
        for one in named:
            if one.key not in own or one.key in remaining:
                continue
            mine = own[one.key].values
            given_up: Collection[str] = mine
            if one.keeps_others:
                given_up = {*one.values, *unwanted_in(one, mine)}
            remaining[one.key] = without(mine, given_up)
        released = set()
        for key, values in remaining.items():
            if values != own[key].values:
                released.add(key)
                self.draft.claim(key, own[key]._replace(values=values))
        return released

    def claim_all(self, named: Iterable[Desired], every_type_at: Collection[str]) -> set[Key]:
        """Desire and claim what the task names. Returns the adopted sets. Raises PlanRefused."""
        of_task: dict[Key, Desired] = {}
        for one in named:
            if one.is_of_file or one.key.is_owned_by_service(self._zone):
                self.desired.append(one)
                continue
            of_task[one.key] = one
            self.desired.append(self._present(one) if one.values else self._absent(one))
        self._look_beside(of_task)
        for key in self.draft.own:
            is_gone = key not in of_task
            if is_gone and key.name in every_type_at:
                self.draft.claim(key, None)
        if self._limits.prune:
            self._prune(of_task)
        if self._reasons:
            raise PlanRefused(
                f"{some_clauses(self._reasons)}; leave that out, or set takeover to true to make "
                f"{self._owner.name} the owner"
            )
        return self._adopted()

    def unowned(self, planned: Plan) -> list[Key]:
        """The sets that have no owner after the plan."""
        owned: set[Key] = set()
        for claims in self.draft.after.values():
            owned.update(claims)
        going = {change.key for change in planned.changes if change.after is None}
        not_counted = owned | going
        within = self._limits.within(self._held, self._zone)
        unowned = []
        for key in within:
            if key not in not_counted and not key.is_made_by_service(self._zone):
                unowned.append(key)
        return unowned

    def _adopted(self) -> set[Key]:
        adopted = set()
        own_after = self.draft.after.get(self._owner.name, {})
        for key, claim in own_after.items():
            new = without(claim.values, self.draft.own_values(key))
            if not set(new).isdisjoint(self._held_values(key)):
                adopted.add(key)
        return adopted

    def _held_values(self, key: Key) -> tuple[str, ...]:
        return values_of(self._held.get(key))

    # Sets that the task lists (rules 1 to 4).

    def _absent(self, one: Desired) -> Desired:
        own = self.draft.own.get(one.key)
        had = self.draft.own_values(one.key)
        of_others = self.draft.values_of_others(one.key)
        if one.keeps_others:
            going: Collection[str] = unwanted_in(one, (*of_others, *had))
            rest = without(had, going)
        else:
            going, rest = of_others, ()
        self._take_from_others(one.key, going, "this task would remove it")
        if own:
            self.draft.claim(one.key, own._replace(values=rest, is_begun=False))
        return one

    def _present(self, one: Desired) -> Desired:
        own = self.draft.own.get(one.key)
        had = self.draft.own_values(one.key)
        going, claimed = one.unwanted, one.values
        if one.keeps_others:
            replaced = self._replaced(one, had)
            self._take_from_others(one.key, replaced, "this task would replace it")
            others = without(had, [*replaced, *one.values])
            claimed = (*others, *one.values)
        else:
            of_others = self.draft.values_of_others(one.key)
            going += without(had, [*one.values, *of_others])
        if one.type in SINGLE_VALUED:
            going += tuple(self._in_place_of(one, had))
        shared_ttl = self._shared_ttl(one, own)
        if self._owner.takeover:
            self._take(one.key, one.values)
        own_ttl = one.ttl
        if own_ttl is None and own and one.keeps_others:
            own_ttl = own.ttl
        self.draft.claim(one.key, Claim(own_ttl, claimed))
        if shared_ttl is not None:
            one = replace(one, default_ttl=shared_ttl)
        return replace(one, keeps_others=True, unwanted=going)

    def _replaced(self, one: Desired, had: Sequence[str]) -> list[str]:
        """The values that ``replaces`` matches, in claims or in the zone."""
        claimed = (*had, *self.draft.values_of_others(one.key))
        found = replaced_by(RecordSet(*one.key, 0, claimed), one)
        held = self._held.get(one.key)
        if held:
            found |= replaced_by(held, one)
        return sorted(without(found, one.values))

    # What takes from other owners (rules 5 and 6).

    def _against(
        self, name: str, key: Key, what: Iterable[str], why: str, rest: Claim | None
    ) -> bool:
        """Refuse, or take over and leave *rest* to the other owner. Returns whether it is refused."""
        if self._owner.takeover:
            self.draft.put(name, key, rest)
            return False
        values = printable_part(", ".join(what))
        self._reasons.append(f"{key} {values} belongs to {name}{why}")
        return True

    def _take(self, key: Key, values: Collection[str]) -> None:
        for name, claim in self.draft.theirs(key):
            self.draft.put(name, key, claim._replace(values=without(claim.values, values)))

    def _take_from_others(self, key: Key, values: Collection[str], why: str) -> None:
        for name, claim in self.draft.theirs(key):
            taken = [value for value in claim.values if value in values]
            if taken:
                rest = claim._replace(values=without(claim.values, taken))
                self._against(name, key, taken, f", and {why}", rest)

    def _in_place_of(self, one: Desired, had: Sequence[str]) -> Iterator[str]:
        """The values of others, and of nobody, that a CNAME or DNAME replaces."""
        why = f", and a {one.type} holds one value"
        for name, claim in self.draft.theirs(one.key):
            rivals = without(claim.values, one.values)
            if not rivals:
                continue
            if self._against(name, one.key, rivals, why, None):
                return
            yield from rivals
        nobodys = without(self._held_values(one.key), (*one.values, *had))
        if self._owner.takeover:
            yield from nobodys
        elif nobodys and not one.keeps_others:
            self._against("nobody", one.key, nobodys, why, None)

    def _shared_ttl(self, one: Desired, own: Claim | None) -> int | None:
        """The TTL that the set is to have; None if it keeps its own, or the task says none.

        If the task creates a shared set without one, that is the others'.
        """
        ttl = one.ttl
        if ttl is None:
            shared = self._ttl_of_others(one.key)
            if shared is None or one.key in self._held:
                return None
            like_others = replace(one, default_ttl=shared)
            ttl = with_ttl_max(like_others, None, self._limits.ttl_max, self._zone).default_ttl
        self._refuse_other_ttl(one.key, ttl, own)
        return ttl

    def _ttl_of_others(self, key: Key) -> int | None:
        for _name, claim in self.draft.theirs(key):
            if claim.ttl is not None:
                return claim.ttl
        return None

    def _refuse_other_ttl(self, key: Key, ttl: int, own: Claim | None) -> None:
        held = self._held.get(key)
        had_before = own is not None and own.ttl == ttl
        for name, claim in self.draft.theirs(key):
            if claim.ttl is not None:
                theirs: tuple[int, ...] = (claim.ttl,)
            elif held is None or had_before:
                # They take any, and who had this TTL before may want it back.
                continue
            else:
                service_ttls = self._document.dialect.ttls.get(key, ())
                theirs = (held.ttl, *service_ttls)
            if ttl not in theirs:
                why = f" too, and this task would change the TTL of the set to {ttl}"
                what = f"with a TTL of {theirs[0]}"
                self._against(name, key, [what], why, claim._replace(ttl=ttl))

    def _look_beside(self, of_task: Mapping[Key, Desired]) -> None:
        """Find others' sets in conflict with a CNAME (RFC 1034, section 3.6.2)."""
        at_names: dict[str, list[Desired]] = {}
        for one in of_task.values():
            at_names.setdefault(one.name, []).append(one)
        for name, key, claim in self.draft.of_others():
            beside = at_names.get(key.name, [])
            claimed = RecordSet(*key, 0, claim.values)
            if not beside or not [*cname_alone([claimed, *beside])]:
                continue
            why = ", and a CNAME must be alone at its name"
            is_refused = self._against(name, key, claim.values, why, None)
            if not is_refused and key not in of_task:
                gone = Desired(*key, unwanted=claim.values, keeps_others=True)
                self.desired.append(gone)

    # Pruning (rule 4).

    def _prune(self, of_task: Mapping[Key, Desired]) -> None:
        """Raises PlanRefused."""
        going: dict[Key, tuple[str, ...]] = {}
        for key in self.draft.own.keys() - of_task.keys():
            mine = self.draft.own_values(key)
            known = self._held.get(key) or RecordSet(*key, 0, mine)
            if self._limits.may_prune(known, self._zone):
                mine = without(mine, self.draft.values_of_others(key))
                there = self._held_values(key)
                going[key] = tuple(value for value in mine if value in there)
                self.draft.claim(key, None)
        had: dict[Key, RecordSet] = {}
        for key in self.draft.own:
            if key in self._held and (key in of_task or going.get(key)):
                had[key] = self._held[key]
        for key in pruned(self._zone, had, of_task, self._limits, self._owner.name):
            staying = without(self._held_values(key), going[key])
            one = Desired(*key, unwanted=going[key], keeps_others=True, pruned=not staying)
            self.desired.append(one)
