# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a task of one owner wants of a zone in which others have values too, and what becomes of the ledger. Pure.

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
* Until the plan is carried out, and a reading has shown it, the owner has what was wanted before and what is wanted
  now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import (
    printable,
    printable_part,
    shortened,
    some_clauses,
    values_and_ttl,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    BESIDE_CNAME,
    NONE_KNOWN,
    Key,
    LiveSets,
    Preferences,
    RecordSet,
    is_owned_by_service,
    signs_zone,
    values_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import is_among
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Claim, Claims, Ledger
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
    Wanted,
    with_types,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import matches_value
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ledger import LedgerStep, without_nothing
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

    wanted: tuple[Wanted, ...]
    limits: Limits
    step: LedgerStep
    removed: frozenset[Key] = frozenset()
    """The sets of which the task asks for something to go, by its name or by that of the set."""

    def with_changes(self, live: LiveSets, changes: Sequence[Change], zone: str) -> LedgerStep:
        """The step, once it is known what the plan changes."""
        gone = {change.key for change in changes if change.after is None}
        had = {key for claims in self.step.left.values() for key in claims}
        unowned = [
            key
            for key in self.limits.within(live, zone)
            if key not in had and key not in gone and not (is_owned_by_service(*key, zone) or signs_zone(*key, zone))
        ]
        return replace(self.step, unowned=len(unowned), changing=frozenset(change.key for change in changes))


def wanted_by_owner(
    owner: Owner,
    zone: str,
    live: LiveSets,
    wanted: Iterable[Wanted],
    ledger: Ledger | None,
    limits: Limits = UNLIMITED,
    preferences: Preferences = NONE_KNOWN,
    kept_ttls: KeptTTLs = NOTHING_KEPT,
) -> Owned:
    """What the *wanted* sets mean where they are an owner's, as the *ledger* has it. Raises PlanRefused.

    *preferences* and *kept_ttls* are what is known of mail hosts and TTLs that the service shows otherwise.
    """
    listed = list(wanted)
    wishes = [*with_types(listed, live, zone)]
    task = _Task(owner, zone, live, ledger or {}, limits, preferences, kept_ttls)
    if owner.release:
        task.release(wishes, [one.name for one in listed if one.type == EVERY_TYPE])
        limits = limits._replace(prune=False)
    else:
        for one in wishes:
            task.take(one)
        task.look_beside()
        task.forget_all_types({one.name for one in listed if one.type == EVERY_TYPE})
        if limits.prune:
            task.prune()
            limits = limits._replace(prune=False)
    task.refuse()
    step = LedgerStep(owner.name, ledger, task.left, tuple(sorted(task.adopted)), tuple(sorted(task.released)))
    return Owned(tuple(task.wanted), limits, step, frozenset(task.removed))


def beside_others(one: Wanted) -> Wanted:
    """The same, where others may have values in the set; what is to go as a whole goes."""
    return replace(one, keeps_others=True) if one.values and not (one.keeps_others or one.is_of_file) else one


@dataclass
class _Task:
    """What a task comes to, set by set."""

    owner: Owner
    zone: str
    live: LiveSets
    ledger: Ledger
    limits: Limits
    preferences: Preferences
    kept_ttls: KeptTTLs
    wanted: list[Wanted] = field(default_factory=list)
    adopted: set[Key] = field(default_factory=set)
    released: set[Key] = field(default_factory=set)
    removed: set[Key] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._own: Claims = self.ledger.get(self.owner.name, {})
        self._others = {name: claims for name, claims in self.ledger.items() if name != self.owner.name}
        self._claims: dict[Key, Claim | None] = {}
        self._taken: dict[tuple[str, Key], Claim | None] = {}
        self._named: dict[Key, Wanted] = {}
        self._refusals: list[str] = []

    @property
    def left(self) -> Ledger:
        """The ledger as the task leaves it."""
        if not self._claims and not self._taken:
            return self.ledger
        own = {key: claim for key, claim in {**self._own, **self._claims}.items() if claim and claim.values}
        changed: dict[str, dict[Key, Claim]] = {self.owner.name: own}
        for (name, key), claim in self._taken.items():
            claims = changed.setdefault(name, dict(self._others[name]))
            if claim and claim.values:
                claims[key] = claim
            else:
                claims.pop(key, None)
        return without_nothing({**self.ledger, **changed})

    def refuse(self) -> None:
        """Raise PlanRefused with all that other owners have against the task."""
        if self._refusals:
            raise PlanRefused(
                f"{some_clauses(self._refusals)}; leave that out, or set takeover to true where it is to be of "
                f"{self.owner.name}"
            )

    def take(self, one: Wanted) -> None:
        """One set as the task has it."""
        key = one.key
        if one.is_of_file or is_owned_by_service(*key, self.zone):
            self.wanted.append(one)
            return
        self._named[key] = one
        if one.values and self._is_as_ever(key, one):
            self.wanted.append(one)
        elif one.values:
            self._take_present(one)
        else:
            self._take_absent(one)

    def _is_as_ever(self, key: Key, one: Wanted) -> bool:
        """Whether the owner wants what it wanted before, the zone holds that alone, and nobody else has anything of it.

        It is so for most of the sets of most tasks, and then there is nothing to ask.
        """
        live, own = self.live.get(key), self._own.get(key)
        if not own or own.is_begun or own.ttl != one.ttl or own.values != one.values:
            return False
        if live is None or live.values != one.values:
            return False
        return not (self._others and any(key in claims for claims in self._others.values()))

    def _take_absent(self, one: Wanted) -> None:
        own, theirs = self._own.get(one.key), self._theirs(one.key)
        going = one.unwanted if one.keeps_others else tuple(value for _name, claim in theirs for value in claim.values)
        self._take_from_others(one.key, going, "this task would remove it")
        self.removed.add(one.key)
        if own:
            rest = tuple(value for value in own.values if one.keeps_others and not self._is_in(one, value, going))
            self._claim(one.key, own._replace(values=rest, is_begun=False) if rest else None)
        self.wanted.append(one)

    def _take_present(self, one: Wanted) -> None:
        own, theirs = self._own.get(one.key), self._theirs(one.key)
        had = own.values if own else ()
        going = list(one.unwanted)
        kept: tuple[str, ...] = ()
        if one.keeps_others:
            replaced = self._replaced(one, [had, *(claim.values for _name, claim in theirs)])
            self._take_from_others(one.key, replaced, "this task would replace it")
            kept = tuple(v for v in had if not self._is_in(one, v, replaced) and not self._is_in(one, v, one.values))
        else:
            shared = [value for _name, claim in theirs for value in claim.values]
            going += [v for v in had if not self._is_in(one, v, one.values) and not self._is_in(one, v, shared)]
        if one.type in SINGLE_VALUED:
            going += self._in_place_of(one, had)
        ttl = self._shared_ttl(one, own, theirs)
        if self.owner.takeover:
            for name, claim in self._theirs(one.key):
                rest = tuple(value for value in claim.values if not self._is_in(one, value, one.values))
                self._taken[name, one.key] = claim._replace(values=rest)
        own_ttl = one.ttl if one.ttl is not None else own.ttl if own and one.keeps_others else None
        self._claim(one.key, Claim(own_ttl, (*kept, *one.values)))
        new = [value for value in one.values if not self._is_in(one, value, had)]
        if new and any(self._is_in(one, value, self._held(one.key)) for value in new):
            self.adopted.add(one.key)
        self.wanted.append(
            replace(one, keeps_others=True, unwanted=tuple(going), default_ttl=one.default_ttl if ttl is None else ttl)
        )

    def _claim(self, key: Key, claim: Claim | None) -> None:
        """The owner has this of a set from now on; in what order the values are is no difference."""
        own = self._own.get(key)
        if own and claim and own.ttl == claim.ttl and not own.is_begun and {*own.values} == {*claim.values}:
            return
        self._claims[key] = claim

    def _theirs(self, key: Key) -> list[tuple[str, Claim]]:
        """What others have of a set, as far as it is not taken over."""
        claims = ((name, self._taken.get((name, key), of.get(key))) for name, of in self._others.items())
        return [(name, claim) for name, claim in claims if claim and claim.values]

    def _held(self, key: Key) -> tuple[str, ...]:
        return canonical_set(self.live[key], self.zone, self.preferences).values if key in self.live else ()

    @staticmethod
    def _is_in(one: Wanted | Key, value: str, values: Sequence[str]) -> bool:
        return is_among(one.type, value, values)

    def _replaced(self, one: Wanted, had: Iterable[Sequence[str]]) -> list[str]:
        """The values that a glob of the task matches and that it does not want, in the zone and in the ledger."""
        if not one.replaces:
            return []
        known = {value for values in had for value in values}
        found = {v for v in known if any(matches_value(glob, one.type, v, v) for glob in one.replaces)}
        if one.key in self.live:
            found |= replaced_by(self.zone, self.live[one.key], one)
        return sorted(value for value in found if not self._is_in(one, value, one.values))

    def _take_from_others(self, key: Key, values: Sequence[str], why: str) -> None:
        """Values that are to go; what another owner has of them is taken over, or refused."""
        for name, claim in self._theirs(key):
            taken = [value for value in claim.values if is_among(key.type, value, values)]
            if taken and self.owner.takeover:
                rest = tuple(value for value in claim.values if value not in taken)
                self._taken[name, key] = claim._replace(values=rest)
            elif taken:
                self._refuse(key, taken, f"is of {name}, and {why}")

    def _in_place_of(self, one: Wanted, had: Sequence[str]) -> Iterator[str]:
        """The values of others, and of nobody, in whose place the only one of a set is to be."""
        for name, claim in self._theirs(one.key):
            rivals = [value for value in claim.values if not self._is_in(one, value, one.values)]
            if rivals and self.owner.takeover:
                self._taken[name, one.key] = None
                yield from rivals
            elif rivals:
                self._refuse(one.key, rivals, f"is of {name}, and a {one.type} holds one value")
                return
        known = (*one.values, *had)
        nobodys = [value for value in self._held(one.key) if not self._is_in(one, value, known)]
        if nobodys and self.owner.takeover:
            yield from nobodys
        elif nobodys and not one.keeps_others:
            self._refuse(one.key, nobodys, f"is of nobody, and a {one.type} holds one value")

    def _shared_ttl(self, one: Wanted, own: Claim | None, theirs: Sequence[tuple[str, Claim]]) -> int | None:
        """The TTL that others want of a set, where the task says none; of one that it makes, lowered to ``ttl_max``."""
        live, shared = self.live.get(one.key), None
        if one.ttl is None:
            shared = next((claim.ttl for _name, claim in theirs if claim.ttl is not None), None)
            allowed = shared if live else self._lowered(one, shared)
            if allowed == shared:
                return shared
            shared, one = allowed, replace(one, ttl=allowed)
        shown = (live.ttl, *self.kept_ttls.get(one.key, ())) if live else ()
        for name, claim in theirs:
            # Who says none takes the one that is there, and who wanted this one before may want it back.
            any_will_do = claim.ttl is None and (not live or (own and own.ttl == one.ttl))
            wanted = shown if claim.ttl is None else (claim.ttl,)
            if any_will_do or one.ttl in wanted:
                continue
            if self.owner.takeover:
                self._taken[name, one.key] = claim._replace(ttl=one.ttl)
            else:
                why = f"is of {name} too, and a set has one TTL, which this task makes {one.ttl}"
                self._refuse(one.key, [f"with a TTL of {wanted[0]}"], why)
        return shared

    def _lowered(self, one: Wanted, ttl: int | None) -> int | None:
        """A TTL in seconds, as far as the task allows it for a set that it makes."""
        if ttl is None or not self.limits.ttl_max:
            return ttl
        return with_ttl_max(replace(one, default_ttl=ttl), None, self.limits.ttl_max, self.zone).default_ttl

    def _refuse(self, key: Key, what: Sequence[str], why: str) -> None:
        shown = printable_part(", ".join(what))
        self._refusals.append(f"{printable(' '.join(key))} {shown} {why}")

    def look_beside(self) -> None:
        """What others have at the names of the task, and cannot be beside what it wants there (RFC 1034, 3.6.2)."""
        types: dict[str, set[str]] = {}
        for key, one in self._named.items() if self._others else ():
            if one.values:
                types.setdefault(key.name, set()).add(key.type)
        beside = [
            (name, key, claim)
            for name, claims in self._others.items()
            for key, claim in claims.items()
            if key.name in types and _excludes(types[key.name], key.type)
        ]
        for name, key, claim in beside:
            if not self.owner.takeover:
                self._refuse(key, claim.values, f"is of {name}, and a CNAME must be alone at its name")
                continue
            self._taken[name, key] = None
            if key not in self._named:
                self.removed.add(key)
                self.wanted.append(Wanted(*key, unwanted=claim.values, keeps_others=True))

    def forget_all_types(self, names: Iterable[str]) -> None:
        """What the owner had at names of which all types go, and the zone does not hold any more."""
        for key in self._at(names):
            if key not in self._named:
                self._claim(key, None)

    def _at(self, names: Iterable[str]) -> list[Key]:
        at = frozenset(names)
        return [key for key in self._own if key.name in at] if at else []

    def prune(self) -> None:
        """The owner's sets that the task does not name go, as far as the limits allow. Raises PlanRefused."""
        unnamed = [key for key in self._own if key not in self._named and self._may_prune(key)]
        going: dict[Key, tuple[str, ...]] = {}
        for key in unnamed:
            shared = [value for _name, claim in self._theirs(key) for value in claim.values]
            mine = [value for value in self._own[key].values if not is_among(key.type, value, shared)]
            held = self._held(key)
            if values := tuple(value for value in mine if is_among(key.type, value, held)):
                going[key] = values
        had = {key: self.live[key] for key in self._own if key in self.live and (key in self._named or key in going)}
        for key in pruned(self.zone, had, self._named, self.limits, self.owner.name):
            is_all = all(is_among(key.type, value, going[key]) for value in self._held(key))
            self.wanted.append(Wanted(*key, unwanted=going[key], keeps_others=True, pruned=is_all))
        for key in unnamed:
            self._claim(key, None)

    def _may_prune(self, key: Key) -> bool:
        """Whether the task may take a set away, as the zone holds it or as the ledger has it."""
        known = self.live.get(key) or RecordSet(*key, 0, self._own[key].values)
        if self.limits.ignores(known, self.zone) or signs_zone(*key, self.zone):
            return False
        return self.limits.is_about(known, self.zone)

    def release(self, wishes: Iterable[Wanted], names: Iterable[str]) -> None:
        """What the task names is given up: whole sets, or of those that it says values of, these."""
        for one in wishes:
            if own := self._own.get(one.key):
                given = (*one.values, *one.unwanted) if one.keeps_others else own.values
                rest = tuple(value for value in own.values if not self._is_in(one, value, given))
                self._give_up(one.key, own._replace(values=rest))
        for key in self._at(names):
            self._give_up(key, None)

    def _give_up(self, key: Key, rest: Claim | None) -> None:
        if rest != self._own[key]:
            self.released.add(key)
            self._claim(key, rest)


def _excludes(types: set[str], rdtype: str) -> bool:
    """Whether a set of one type cannot be at a name that is to hold these types."""
    if rdtype == "CNAME":
        return bool(types - BESIDE_CNAME - {"CNAME"})
    return "CNAME" in types and rdtype not in BESIDE_CNAME


def with_reasons(
    zone: str, live: LiveSets, planned: Plan, owner: Owner, owned: Owned, kept_ttls: KeptTTLs = NOTHING_KEPT
) -> Plan:
    """The plan of an owner's task with why each set changes, and what becomes of the ledger.

    Raises PlanRefused where somebody else has changed what it would change back, and the owner refuses that.
    """
    changes = tuple(replace(change, because=_because(change, owned, kept_ttls)) for change in planned.changes)
    if owner.refuses_drift and (drifted := [*_drifted(changes, owned)]):
        raise PlanRefused(
            "somebody else has changed what this task would change back, and on_drift is refuse: "
            f"{some_clauses(drifted)}; see whether that was meant, and write it into what is wanted, or set on_drift "
            "to overwrite"
        )
    return planned._replace(changes=changes, ledger=owned.with_changes(live, changes, zone))


def _drifted(changes: Sequence[Change], owned: Owned) -> Iterator[str]:
    for change in changes:
        if change.because in (DRIFT, BOTH):
            was, now = _claims_before(owned)[change.key], change.before
            holds = shortened(values_and_ttl(values_of(now), now.ttl)) if now else "nothing"
            left_with = shortened(values_and_ttl(was.values, was.ttl))
            yield f"{printable(' '.join(change.key))} was left with {left_with}, and holds {holds}"


def _claims_before(owned: Owned) -> Claims:
    return (owned.step.before or {}).get(owned.step.owner, {})


def _because(change: Change, owned: Owned, kept_ttls: KeptTTLs) -> str:
    key, step = change.key, owned.step
    was, will_be = _claims_before(owned).get(key), step.left.get(step.owner, {}).get(key)
    if was is None or was.is_begun:
        return WANTED
    before = change.before
    held = before.values if before else ()
    is_drift = not all(is_among(key.type, value, held) for value in was.values)
    if before and was.ttl is not None and before.ttl != was.ttl:
        is_drift |= not is_kept(kept_ttls.get(key), was.ttl, before.ttl)
    if will_be is None or (was.ttl, {*was.values}) != (will_be.ttl, {*will_be.values}):
        return BOTH if is_drift else WANTED
    return DRIFT if is_drift or key not in owned.removed else WANTED
