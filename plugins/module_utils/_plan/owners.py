# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a task of one owner wants of a zone in which others have values too, and why sets change. Pure.

The rules, in words:

* A task that says what a set holds speaks of its owner's values: those that the ledger has and the task does not list
  go. Values of other owners stay, and so do those of nobody.
* A task that says single values speaks of those alone: what the owner had of the set besides stays the owner's.
* To have a value or a set absent, or replaced, is said of whatever the zone holds: values of the owner and of nobody
  go. Where another owner has one of them, that is refused.
* A value that several owners want is of all of them, and goes once the last of them wants it no longer.
* Pruning removes what the ledger has of the owner's sets that the task does not name, and nothing else.
* Another TTL than that of another owner who shares the set is refused. Who says none takes theirs.
* A CNAME beside another owner's set of another type is refused, and the reverse; so is another CNAME than theirs.
* With takeover, what would be refused becomes the owner's: a value or a TTL is taken out of the other's ledger, and
  what cannot be beside what is wanted goes. A CNAME of nobody is replaced with it too, which is refused without.
* What is wanted and there already becomes the owner's, which is told.
* With release nothing changes but the ledger, which forgets what the task names.
* Until the plan is carried out, and a snapshot has shown it, the owner has what was wanted before and what is wanted
  now.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import (
    printable_part,
    shortened,
    some_clauses,
    values_and_ttl,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import is_among
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    BESIDE_CNAME,
    NONE_KNOWN,
    Key,
    LiveSets,
    Preferences,
    RecordSet,
    values_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Claim, Ledger
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import (
    BOTH,
    DRIFT,
    WANTED,
    Change,
    PlanRefused,
    canonical_set,
    replaced_by,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import (
    EVERY_TYPE,
    SINGLE_VALUED,
    Desired,
    with_types,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import matches_value
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ledger import LedgerDraft, LedgerStep
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import UNLIMITED, Limits, pruned
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ttl import (
    NOTHING_KEPT,
    KeptTTLs,
    is_kept,
    with_ttl_max,
)


@dataclass(frozen=True)
class Owner:
    """For whom a task speaks, and how: whether what others have is taken over, whether all it names is given up.

    Where it *refuses_drift*, nothing is changed back that somebody else has changed.
    """

    name: str
    takeover: bool = False
    release: bool = False
    refuses_drift: bool = False


@dataclass(frozen=True)
class Owned:
    """What an owner's task wants, as ``plan`` takes it, with the limits that are left to it."""

    desired: tuple[Desired, ...]
    limits: Limits
    step: LedgerStep


def desired_by_owner(
    owner: Owner,
    zone: str,
    snapshot: LiveSets,
    desired: Iterable[Desired],
    ledger: Ledger | None,
    limits: Limits = UNLIMITED,
    preferences: Preferences = NONE_KNOWN,
    kept_ttls: KeptTTLs = NOTHING_KEPT,
) -> Owned:
    """What the *desired* sets mean where they are an owner's, as the *ledger* has it. Raises PlanRefused.

    *preferences* and *kept_ttls* are what is known of mail hosts and TTLs that the service shows otherwise.
    """
    listed = list(desired)
    desired_sets = [*with_types(listed, snapshot, zone)]
    every_type_at = {one.name for one in listed if one.type == EVERY_TYPE}
    shown = _Shown(zone, snapshot, preferences, kept_ttls)
    draft = LedgerDraft(ledger or {}, owner.name)
    task = _Task(owner, shown, limits, draft)
    released: set[Key] = set()
    if owner.release:
        released = _release(draft, desired_sets, every_type_at)
    else:
        task.take_all(desired_sets, every_type_at)
    adopted = () if owner.release else tuple(sorted(_adopted(draft, shown)))
    step = LedgerStep(owner.name, ledger, draft.left, adopted, tuple(sorted(released)))
    return Owned(tuple(task.desired), limits._replace(prune=False), step)


def beside_others(one: Desired) -> Desired:
    """The same, where others may have values in the set; what is to go as a whole goes."""
    return replace(one, keeps_others=True) if one.values and not (one.keeps_others or one.is_of_file) else one


def _adopted(draft: LedgerDraft, shown: _Shown) -> Iterator[Key]:
    """The sets of which the zone held already what has become the owner's."""
    for key, claim in draft.left.get(draft.owner, {}).items():
        was = draft.own.get(key)
        if claim is not was:
            new = [value for value in claim.values if not is_among(key.type, value, was.values if was else ())]
            if new and any(is_among(key.type, value, shown.held(key)) for value in new):
                yield key


def _release(draft: LedgerDraft, desired_sets: Iterable[Desired], every_type_at: Collection[str]) -> set[Key]:
    """What the task names is given up: whole sets, or of those that it says values of, these."""
    rest: dict[Key, Claim | None] = {key: None for key in draft.own if key.name in every_type_at}
    for one in desired_sets:
        if (own := draft.own.get(one.key)) and one.key not in rest:
            given = (*one.values, *one.unwanted) if one.keeps_others else own.values
            rest[one.key] = own._replace(values=_without(one.type, own.values, given))
    released = {key for key, claim in rest.items() if claim != draft.own[key]}
    for key in released:
        draft.claim(key, rest[key])
    return released


class _Shown(NamedTuple):
    """What is known of the zone: its sets, and the preferences and TTLs that the service shows otherwise."""

    zone: str
    snapshot: LiveSets
    preferences: Preferences
    kept_ttls: KeptTTLs

    def held(self, key: Key) -> tuple[str, ...]:
        """The canonical values of a set."""
        return canonical_set(self.snapshot[key], self.zone, self.preferences).values if key in self.snapshot else ()


class _Task:
    """What a task comes to, set by set: what is wanted of the zone, and what others have against it."""

    def __init__(self, owner: Owner, shown: _Shown, limits: Limits, draft: LedgerDraft):
        self._owner = owner
        self._shown = shown
        self._limits = limits
        self._draft = draft
        self.desired: list[Desired] = []
        self._named: dict[Key, Desired] = {}
        self._refusals: list[str] = []

    def take_all(self, desired_sets: Iterable[Desired], every_type_at: Collection[str]) -> None:
        """All sets as the task has them, and what follows for others at their names. Raises PlanRefused."""
        for one in desired_sets:
            self._take(one)
        self._look_beside()
        for key in self._draft.own:
            if key.name in every_type_at and key not in self._named:  # and the zone does not hold it any more
                self._draft.claim(key, None)
        if self._limits.prune:
            self._prune()
        if self._refusals:
            raise PlanRefused(
                f"{some_clauses(self._refusals)}; leave that out, or set takeover to true where it is to be of "
                f"{self._owner.name}"
            )

    def _take(self, one: Desired) -> None:
        key = one.key
        if one.is_of_file or key.is_owned_by_service(self._shown.zone):
            self.desired.append(one)
            return
        self._named[key] = one
        if one.values:
            self._take_present(one)
        else:
            self._take_absent(one)

    def _take_absent(self, one: Desired) -> None:
        own, theirs = self._draft.own.get(one.key), self._draft.theirs(one.key)
        going = one.unwanted if one.keeps_others else tuple(value for _name, claim in theirs for value in claim.values)
        self._take_from_others(one.key, going, "this task would remove it")
        if own:
            rest = _without(one.type, own.values, going) if one.keeps_others else ()
            self._draft.claim(one.key, own._replace(values=rest, is_begun=False))
        self.desired.append(one)

    def _take_present(self, one: Desired) -> None:
        own, theirs = self._draft.own.get(one.key), self._draft.theirs(one.key)
        had = own.values if own else ()
        going = list(one.unwanted)
        kept: tuple[str, ...] = ()
        if one.keeps_others:
            replaced = self._replaced(one, [had, *(claim.values for _name, claim in theirs)])
            self._take_from_others(one.key, replaced, "this task would replace it")
            kept = _without(one.type, had, (*replaced, *one.values))
        else:
            shared = [value for _name, claim in theirs for value in claim.values]
            going += _without(one.type, had, (*one.values, *shared))
        if one.type in SINGLE_VALUED:
            going += self._in_place_of(one, had)
        ttl = self._shared_ttl(one, own, theirs)
        if self._owner.takeover:
            for name, claim in self._draft.theirs(one.key):
                self._draft.put(name, one.key, claim._replace(values=_without(one.type, claim.values, one.values)))
        own_ttl = one.ttl if one.ttl is not None else own.ttl if own and one.keeps_others else None
        self._draft.claim(one.key, Claim(own_ttl, (*kept, *one.values)))
        self.desired.append(
            replace(one, keeps_others=True, unwanted=tuple(going), default_ttl=one.default_ttl if ttl is None else ttl)
        )

    def _replaced(self, one: Desired, had: Iterable[Sequence[str]]) -> list[str]:
        """The values that a glob of the task matches and that it does not want, in the zone and in the ledger."""
        if not one.replaces:
            return []
        known = {value for values in had for value in values}
        found = {v for v in known if any(matches_value(glob, one.type, v, v) for glob in one.replaces)}
        if one.key in self._shown.snapshot:
            found |= replaced_by(self._shown.zone, self._shown.snapshot[one.key], one)
        return sorted(_without(one.type, found, one.values))

    def _take_from_others(self, key: Key, values: Sequence[str], why: str) -> None:
        """Values that are to go; what another owner has of them is taken over, or refused."""
        for name, claim in self._draft.theirs(key):
            taken = [value for value in claim.values if is_among(key.type, value, values)]
            if taken and self._owner.takeover:
                rest = tuple(value for value in claim.values if value not in taken)
                self._draft.put(name, key, claim._replace(values=rest))
            elif taken:
                self._refuse(key, taken, f"is of {name}, and {why}")

    def _in_place_of(self, one: Desired, had: Sequence[str]) -> Iterator[str]:
        """The values of others, and of nobody, in whose place the only one of a set is to be."""
        for name, claim in self._draft.theirs(one.key):
            rivals = _without(one.type, claim.values, one.values)
            if rivals and self._owner.takeover:
                self._draft.put(name, one.key, None)
                yield from rivals
            elif rivals:
                self._refuse(one.key, rivals, f"is of {name}, and a {one.type} holds one value")
                return
        nobodys = _without(one.type, self._shown.held(one.key), (*one.values, *had))
        if nobodys and self._owner.takeover:
            yield from nobodys
        elif nobodys and not one.keeps_others:
            self._refuse(one.key, nobodys, f"is of nobody, and a {one.type} holds one value")

    def _shared_ttl(self, one: Desired, own: Claim | None, theirs: Sequence[tuple[str, Claim]]) -> int | None:
        """The TTL that others want of a set, where the task says none; of one that it makes, lowered to ``ttl_max``."""
        held, shared = self._shown.snapshot.get(one.key), None
        if one.ttl is None:
            shared = next((claim.ttl for _name, claim in theirs if claim.ttl is not None), None)
            allowed = shared
            if shared is not None and not held:
                lowered = with_ttl_max(replace(one, default_ttl=shared), None, self._limits.ttl_max, self._shown.zone)
                allowed = lowered.default_ttl
            if allowed == shared:
                return shared
            shared, one = allowed, replace(one, ttl=allowed)
        shown = (held.ttl, *self._shown.kept_ttls.get(one.key, ())) if held else ()
        for name, claim in theirs:
            # Who says none takes the one that is there, and who wanted this one before may want it back.
            any_will_do = claim.ttl is None and (not held or (own and own.ttl == one.ttl))
            desired = shown if claim.ttl is None else (claim.ttl,)
            if any_will_do or one.ttl in desired:
                continue
            if self._owner.takeover:
                self._draft.put(name, one.key, claim._replace(ttl=one.ttl))
            else:
                why = f"is of {name} too, and a set has one TTL, which this task makes {one.ttl}"
                self._refuse(one.key, [f"with a TTL of {desired[0]}"], why)
        return shared

    def _refuse(self, key: Key, what: Sequence[str], why: str) -> None:
        shown = printable_part(", ".join(what))
        self._refusals.append(f"{key} {shown} {why}")

    def _look_beside(self) -> None:
        """What others have at the names of the task, and cannot be beside what it wants there (RFC 1034, 3.6.2)."""
        types: dict[str, set[str]] = {}
        for key, one in self._named.items():
            if one.values:
                types.setdefault(key.name, set()).add(key.type)
        for name, key, claim in self._draft.of_others():
            if key.name not in types or not _excludes(types[key.name], key.type):
                continue
            if not self._owner.takeover:
                self._refuse(key, claim.values, f"is of {name}, and a CNAME must be alone at its name")
                continue
            self._draft.put(name, key, None)
            if key not in self._named:
                self.desired.append(Desired(*key, unwanted=claim.values, keeps_others=True))

    def _prune(self) -> None:
        """The owner's sets that the task does not name go, as far as the limits allow. Raises PlanRefused."""
        own, snapshot = self._draft.own, self._shown.snapshot
        unnamed = [key for key in own if key not in self._named and self._may_prune(key)]
        going: dict[Key, tuple[str, ...]] = {}
        for key in unnamed:
            shared = [value for _name, claim in self._draft.theirs(key) for value in claim.values]
            held = self._shown.held(key)
            mine = _without(key.type, own[key].values, shared)
            if values := tuple(value for value in mine if is_among(key.type, value, held)):
                going[key] = values
        had = {key: snapshot[key] for key in own if key in snapshot and (key in self._named or key in going)}
        for key in pruned(self._shown.zone, had, self._named, self._limits, self._owner.name):
            is_all = not _without(key.type, self._shown.held(key), going[key])
            self.desired.append(Desired(*key, unwanted=going[key], keeps_others=True, pruned=is_all))
        for key in unnamed:
            self._draft.claim(key, None)

    def _may_prune(self, key: Key) -> bool:
        """Whether the task may take a set away, as the zone holds it or as the ledger has it."""
        zone = self._shown.zone
        known = self._shown.snapshot.get(key) or RecordSet(*key, 0, self._draft.own[key].values)
        return not self._limits.ignores(known, zone) and not key.signs_zone(zone) and self._limits.is_about(known, zone)


def _without(rdtype: str, values: Iterable[str], others: Collection[str]) -> tuple[str, ...]:
    """The values of a type that are not among the others, in whatever form."""
    return tuple(value for value in values if not is_among(rdtype, value, others))


def _excludes(types: set[str], rdtype: str) -> bool:
    """Whether a set of one type cannot be at a name that is to hold these types."""
    if rdtype == "CNAME":
        return bool(types - BESIDE_CNAME - {"CNAME"})
    return "CNAME" in types and rdtype not in BESIDE_CNAME


def with_reasons(
    zone: str, snapshot: LiveSets, planned: Plan, owner: Owner, owned: Owned, kept_ttls: KeptTTLs = NOTHING_KEPT
) -> Plan:
    """The plan of an owner's task with why each set changes, and what becomes of the ledger.

    Raises PlanRefused where somebody else has changed what it would change back, and the owner refuses that.
    """
    changes = tuple(replace(change, reason=_reason_of(change, owned.step, kept_ttls)) for change in planned.changes)
    if owner.refuses_drift and (drifted := [*_drifted(changes, owned)]):
        raise PlanRefused(
            "somebody else has changed what this task would change back, and on_drift is refuse: "
            f"{some_clauses(drifted)}; see whether that was meant, and write it into what is wanted, or set on_drift "
            "to overwrite"
        )
    return planned._replace(changes=changes, ledger=_with_changes(zone, snapshot, owned, changes))


def _with_changes(zone: str, snapshot: LiveSets, owned: Owned, changes: Sequence[Change]) -> LedgerStep:
    """The step, once it is known what the plan changes."""
    gone = {change.key for change in changes if change.after is None}
    had = {key for claims in owned.step.left.values() for key in claims}
    unowned = [
        key
        for key in owned.limits.within(snapshot, zone)
        if key not in had and key not in gone and not key.is_made_by_service(zone)
    ]
    return replace(owned.step, unowned=len(unowned), changing=frozenset(change.key for change in changes))


def _drifted(changes: Sequence[Change], owned: Owned) -> Iterator[str]:
    for change in changes:
        if change.reason in (DRIFT, BOTH):
            was, now = owned.step.own_before[change.key], change.before
            holds = shortened(values_and_ttl(values_of(now), now.ttl)) if now else "nothing"
            left_with = shortened(values_and_ttl(was.values, was.ttl))
            yield f"{change.key} was left with {left_with}, and holds {holds}"


def _reason_of(change: Change, step: LedgerStep, kept_ttls: KeptTTLs) -> str:
    """Why a set changes.

    * It is *wanted* where what is desired is not what the ledger has, *drift* where the zone is not as the owner left
      it, and *both* where both are so.
    * The zone is not as it was left where a value that the owner had is missing, or the set has another TTL than the
      one that was wanted, and that is not the service's doing.
    * A set that changes although neither shows is drift as well: the owner wants what it wanted, and the zone had it.
      But where the task asks for something to go that the owner never had, that is wanted.
    * Of what a run had begun, nobody knows how it was left: it is wanted.
    """
    key, before = change.key, change.before
    was, will_be = step.own_before.get(key), step.own_left.get(key)
    if was is None or was.is_begun:
        return WANTED
    is_drift = bool(_without(key.type, was.values, values_of(before)))
    if before and was.ttl is not None and before.ttl != was.ttl:
        is_drift |= not is_kept(kept_ttls.get(key), was.ttl, before.ttl)
    if will_be is None or (was.ttl, {*was.values}) != (will_be.ttl, {*will_be.values}):
        return BOTH if is_drift else WANTED
    return DRIFT if is_drift or change.desired.values else WANTED
