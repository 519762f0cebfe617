# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plan an owner's task in a shared zone, and say why sets change.

* A task that lists a whole set removes the owner's other values from it, but no others. One that lists single values
  leaves them, too.
* ``absent`` and ``replaces`` remove values of the owner and of nobody. Another owner's value is refused.
* A shared value goes when its last owner stops wanting it.
* Pruning removes only the owner's values, as the ledger has them.
* Another TTL than a co-owner's is refused. A task without a TTL takes theirs.
* A CNAME that conflicts with another owner's set is refused, and the reverse.
* ``takeover`` moves what would be refused to the owner: values and TTLs leave the other ledgers, conflicting sets go.
  Nobody's CNAME is replaced too, which is otherwise refused.
* Desired values already there become the owner's, and are reported.
* ``release`` only makes the ledger forget what the task names.
* Until a snapshot shows the plan carried out, the owner has old and new values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from .._dns.dialect import Dialect
from .._dns.printable import printable_part, shortened, some_clauses, values_and_ttl
from .._dns.record_set import Key, RecordSet, Sets, values_of
from .._log.document import Claim, Document, Ledger
from .._log.ledger import LedgerStep, without_nothing
from .change import BOTH, DRIFT, WANTED, Change, PlanRefused, replaced_by, unwanted_in
from .desired import EVERY_TYPE, SINGLE_VALUED, Desired, cname_alone, with_types
from .limits import Limits, pruned
from .owner import TaskOwner
from .plan import Plan, PlanTo
from .ttl import with_ttl_max


def planned_by_owner(
    owner: TaskOwner,
    zone: str,
    snapshot: Sets,
    desired: Iterable[Desired],
    document: Document,
    limits: Limits,
    plan_to: PlanTo,
) -> Plan:
    """The plan; *plan_to* plans desired sets within limits. Raises PlanRefused."""
    task = _Task(owner, zone, snapshot, document, limits)
    listed = list(desired)
    named = with_types(listed, snapshot, zone)
    every_type_at = {one.name for one in listed if one.type == EVERY_TYPE}
    adopted = set[Key]() if owner.release else task.take_all(named, every_type_at)
    released = task.release(named, every_type_at) if owner.release else set[Key]()
    planned = plan_to(task.desired, limits._replace(prune=False))
    after = task.draft.after
    going = {change.key for change in planned.changes if change.after is None}
    owned = {key for claims in after.values() for key in claims}
    unowned = [
        key
        for key in limits.within(snapshot, zone).keys() - owned - going
        if not key.is_made_by_service(zone)
    ]
    changing = frozenset(change.key for change in planned.changes)
    moved = tuple(sorted(adopted)), tuple(sorted(released))
    step = LedgerStep(owner.name, document.ledger, after, *moved, len(unowned), changing)
    changes = tuple(
        replace(one, reason=_reason_of(one, step, document.dialect)) for one in planned.changes
    )
    if owner.refuses_drift and (drifted := [*_drifted(changes, step)]):
        raise PlanRefused(
            "this task would undo what somebody else changed, and on_drift is refuse: "
            f"{some_clauses(drifted)}; if the change is right, add it to the desired state, otherwise set on_drift to "
            "overwrite"
        )
    return planned._replace(changes=changes, ledger=step, awaited=tuple(task.desired))


class _LedgerDraft:
    """The ledger as a task of *owner* edits it; *own* are the claims before."""

    def __init__(self, ledger: Ledger, owner: str):
        self.owner = owner
        self.own = ledger.get(owner, {})
        self._claims = {name: dict(claims) for name, claims in {**ledger, owner: self.own}.items()}

    @property
    def after(self) -> Ledger:
        return without_nothing(self._claims)

    def theirs(self, key: Key) -> list[tuple[str, Claim]]:
        return [
            (name, claims[key])
            for name, claims in self._claims.items()
            if name != self.owner and key in claims
        ]

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
        if not (
            own
            and claim
            and own.ttl == claim.ttl
            and not own.is_begun
            and {*own.values} == {*claim.values}
        ):
            self.put(self.owner, key, claim)


class _Task:
    def __init__(
        self, owner: TaskOwner, zone: str, snapshot: Sets, document: Document, limits: Limits
    ):
        self._owner = owner
        self._zone = zone
        self._snapshot = snapshot
        self._document = document
        self._limits = limits
        self.draft = _LedgerDraft(document.ledger, owner.name)
        self.desired: list[Desired] = []
        self._reasons: list[str] = []

    def release(self, desired_sets: Iterable[Desired], every_type_at: Collection[str]) -> set[Key]:
        """Returns the sets."""
        own = self.draft.own
        rest: dict[Key, tuple[str, ...]] = {key: () for key in own if key.name in every_type_at}
        for one in desired_sets:
            if one.key in own and one.key not in rest:
                mine = own[one.key].values
                named = {*one.values, *unwanted_in(one, mine)} if one.keeps_others else mine
                rest[one.key] = _without(mine, named)
        released = {key for key, values in rest.items() if values != own[key].values}
        for key in released:
            self.draft.claim(key, own[key]._replace(values=rest[key]))
        return released

    def take_all(self, desired_sets: Iterable[Desired], every_type_at: Collection[str]) -> set[Key]:
        """Desire the sets, and settle conflicts. Returns adopted sets. Raises PlanRefused."""
        named: dict[Key, Desired] = {}
        for one in desired_sets:
            if one.is_of_file or one.key.is_owned_by_service(self._zone):
                self.desired.append(one)
            else:
                named[one.key] = one
                self.desired.append(self._present(one) if one.values else self._absent(one))
        self._look_beside(named)
        for key in self.draft.own:
            if key.name in every_type_at and key not in named:  # and it is gone from the zone
                self.draft.claim(key, None)
        if self._limits.prune:
            self._prune(named)
        if self._reasons:
            raise PlanRefused(
                f"{some_clauses(self._reasons)}; leave that out, or set takeover to true to make {self._owner.name} "
                "the owner"
            )
        return {
            key
            for key, claim in self.draft.after.get(self._owner.name, {}).items()
            if self._is_adopted(key, claim)
        }

    def _is_adopted(self, key: Key, claim: Claim) -> bool:
        own = self.draft.own.get(key)
        new = _without(claim.values, own.values if own else ())
        return not set(new).isdisjoint(self._held(key))

    def _held(self, key: Key) -> tuple[str, ...]:
        return values_of(self._snapshot.get(key))

    def _absent(self, one: Desired) -> Desired:
        own = self.draft.own.get(one.key)
        of_others = self.draft.values_of_others(one.key)
        had = own.values if own else ()
        going = unwanted_in(one, (*of_others, *had)) if one.keeps_others else of_others
        self._take_from_others(one.key, going, "this task would remove it")
        if own:
            rest = _without(own.values, going) if one.keeps_others else ()
            self.draft.claim(one.key, own._replace(values=rest, is_begun=False))
        return one

    def _present(self, one: Desired) -> Desired:
        own = self.draft.own.get(one.key)
        had = own.values if own else ()
        going, kept = one.unwanted, tuple[str, ...]()
        if one.keeps_others:
            replaced = self._replaced(one, had)
            self._take_from_others(one.key, replaced, "this task would replace it")
            kept = _without(had, (*replaced, *one.values))
        else:
            going += _without(had, (*one.values, *self.draft.values_of_others(one.key)))
        if one.type in SINGLE_VALUED:
            going += tuple(self._in_place_of(one, had))
        ttl = self._shared_ttl(one, own)
        if self._owner.takeover:
            for name, claim in self.draft.theirs(one.key):
                self.draft.put(
                    name, one.key, claim._replace(values=_without(claim.values, one.values))
                )
        own_ttl = one.ttl if one.ttl is not None else own.ttl if own and one.keeps_others else None
        self.draft.claim(one.key, Claim(own_ttl, (*kept, *one.values)))
        return replace(
            one,
            keeps_others=True,
            unwanted=going,
            default_ttl=one.default_ttl if ttl is None else ttl,
        )

    def _replaced(self, one: Desired, had: Sequence[str]) -> list[str]:
        known = RecordSet(*one.key, 0, (*had, *self.draft.values_of_others(one.key)))
        sides = known, self._snapshot.get(one.key, known)
        found = {value for side in sides for value in replaced_by(side, one)}
        return sorted(_without(found, one.values))

    def _against(
        self, name: str, key: Key, what: Iterable[str], why: str, rest: Claim | None
    ) -> bool:
        """Refuse, or take over and leave *rest* to the other owner. Returns whether it is refused."""
        if self._owner.takeover:
            self.draft.put(name, key, rest)
        else:
            self._reasons.append(f"{key} {printable_part(', '.join(what))} belongs to {name}{why}")
        return not self._owner.takeover

    def _take_from_others(self, key: Key, values: Collection[str], why: str) -> None:
        for name, claim in self.draft.theirs(key):
            if taken := [value for value in claim.values if value in values]:
                rest = claim._replace(values=_without(claim.values, taken))
                self._against(name, key, taken, f", and {why}", rest)

    def _in_place_of(self, one: Desired, had: Sequence[str]) -> Iterator[str]:
        """The values of others, and of nobody, that a CNAME or DNAME replaces."""
        why = f", and a {one.type} holds one value"
        for name, claim in self.draft.theirs(one.key):
            if rivals := _without(claim.values, one.values):
                if self._against(name, one.key, rivals, why, None):
                    return
                yield from rivals
        nobodys = _without(self._held(one.key), (*one.values, *had))
        if self._owner.takeover:
            yield from nobodys
        elif nobodys and not one.keeps_others:
            self._against("nobody", one.key, nobodys, why, None)

    def _shared_ttl(self, one: Desired, own: Claim | None) -> int | None:
        """The TTL of a shared set: the others', if the task creates it without one."""
        held, theirs, ttl = self._snapshot.get(one.key), self.draft.theirs(one.key), one.ttl
        if ttl is None:
            shared = next((claim.ttl for _name, claim in theirs if claim.ttl is not None), None)
            if held or shared is None:
                return None
            ttl = with_ttl_max(
                replace(one, default_ttl=shared), None, self._limits.ttl_max, self._zone
            ).default_ttl
            if ttl == shared:
                return ttl
        shown = (held.ttl, *self._document.dialect.ttls.get(one.key, ())) if held else ()
        for name, claim in theirs:
            # Without a TTL of its own, an owner takes the one that is there; who had this TTL before may want it back.
            any_will_do = claim.ttl is None and (not held or (own and own.ttl == ttl))
            desired = shown if claim.ttl is None else (claim.ttl,)
            if not any_will_do and ttl not in desired:
                why = f" too, and this task would change the TTL of the set to {ttl}"
                self._against(
                    name, one.key, [f"with a TTL of {desired[0]}"], why, claim._replace(ttl=ttl)
                )
        return ttl

    def _look_beside(self, named: Mapping[Key, Desired]) -> None:
        """Find others' sets in conflict with a CNAME (RFC 1034, section 3.6.2)."""
        at_names: dict[str, list[Desired]] = {}
        for one in named.values():
            at_names.setdefault(one.name, []).append(one)
        for name, key, claim in self.draft.of_others():
            held = RecordSet(*key, 0, claim.values)
            if key.name not in at_names or not any(cname_alone([held, *at_names[key.name]])):
                continue
            is_refused = self._against(
                name, key, claim.values, ", and a CNAME must be alone at its name", None
            )
            if not is_refused and key not in named:
                self.desired.append(Desired(*key, unwanted=claim.values, keeps_others=True))

    def _prune(self, named: Mapping[Key, Desired]) -> None:
        """Raises PlanRefused."""
        own, snapshot, going = self.draft.own, self._snapshot, dict[Key, tuple[str, ...]]()
        for key in own.keys() - named.keys():
            known = snapshot.get(key) or RecordSet(*key, 0, own[key].values)
            if self._limits.may_prune(known, self._zone):
                mine, held = (
                    _without(own[key].values, self.draft.values_of_others(key)),
                    self._held(key),
                )
                going[key] = tuple(value for value in mine if value in held)
                self.draft.claim(key, None)
        had = {
            key: snapshot[key]
            for key in own
            if key in snapshot and (key in named or going.get(key))
        }
        for key in pruned(self._zone, had, named, self._limits, self._owner.name):
            is_all = not _without(self._held(key), going[key])
            self.desired.append(
                Desired(*key, unwanted=going[key], keeps_others=True, pruned=is_all)
            )


def _without(values: Iterable[str], others: Collection[str]) -> tuple[str, ...]:
    return tuple(value for value in values if value not in others)


def _drifted(changes: Iterable[Change], step: LedgerStep) -> Iterator[str]:
    for change in changes:
        if change.reason in (DRIFT, BOTH):
            was, now = step.own_before[change.key], change.before
            holds = shortened(values_and_ttl(now.values, now.ttl)) if now else "nothing"
            yield f"{change.key} was left with {shortened(values_and_ttl(was.values, was.ttl))}, but holds {holds}"


def _reason_of(change: Change, step: LedgerStep, dialect: Dialect) -> str:
    """Why a set changes.

    * *wanted* if the task differs from the ledger, *drift* if the zone does. It does if the owner's value is missing,
      or if the TTL is another and not the service's doing.
    * If neither differs, it is *drift*, since the zone had what the owner wanted. But removing what the owner never had
      is *wanted*.
    * What a run has begun is *wanted*: nobody knows how it was left.
    """
    key, before = change.key, change.before
    was, will_be = step.own_before.get(key), step.own_after.get(key)
    if was is None or was.is_begun:
        return WANTED
    is_drift = bool(_without(was.values, values_of(before)))
    if before and was.ttl is not None and before.ttl != was.ttl:
        is_drift |= dialect.asked(key, was.ttl, before) != before.ttl
    if will_be is None or (was.ttl, {*was.values}) != (will_be.ttl, {*will_be.values}):
        return BOTH if is_drift else WANTED
    return DRIFT if is_drift or change.desired.values else WANTED
