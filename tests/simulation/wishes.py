# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a run asks for, read from its options alone: what is to be there, and what may go."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any

from story import ZONES, Key, Run, Sets, key_of, zone_of

Globs = tuple[tuple[str, str], ...]


@dataclass
class Wish:
    """What a run wants of each set, and what it lets go."""

    wanted: dict[Key, tuple[str, ...]] = field(default_factory=dict)
    unwanted: dict[Key, tuple[str, ...]] = field(default_factory=dict)
    """Values that are to go; ``*`` is all that are not wanted, and so are globs."""
    ttls: dict[Key, int] = field(default_factory=dict)
    prunes: tuple[str, ...] = ()
    """The zones that are to hold nothing else."""
    ignored: Globs = ()
    """Globs on the relative name and on the type."""
    ttl_max: tuple[tuple[Globs, int], ...] = ()
    """Globs, each with the largest TTL that what they meet may have."""
    only: Globs = ()
    """The same, of the sets that it is about; where there are none, of all."""
    owner: str = ""
    """For whom it speaks: then what else is there stays, but for what that owner wanted before."""
    takes_over: bool = False
    releases: bool = False
    whole: frozenset[Key] = frozenset()
    """The sets of which it says all that its owner has."""
    owner_prunes: tuple[str, ...] = ()
    """The zones in which its owner has nothing else."""

    def wants(self, key: Key, value: str) -> bool:
        """Whether a value is to be there."""
        return value in self.wanted.get(key, ())

    def removes(self, key: Key, value: str) -> bool:
        """Whether a value is to go."""
        if self.wants(key, value):
            return False
        if key in self.wanted or key in self.unwanted:
            return any(fnmatchcase(value, glob) for glob in self.unwanted.get(key, ()))
        return self.is_pruned(key)

    def is_pruned(self, key: Key) -> bool:
        """Whether a set goes because the run wants nothing of it."""
        is_named = key in self.wanted or key in self.unwanted
        is_own = not is_owned(key) and self.is_about(key)
        return not is_named and zone_of(key) in self.prunes and is_own and not is_met(key, self.ignored)

    def largest_ttl(self, key: Key) -> int | None:
        """The largest TTL that a set may have, which it says something of; None is any."""
        allowed = [ttl for globs, ttl in self.ttl_max if key in self.wanted and is_met(key, globs)]
        return min(allowed, default=None)

    def is_about(self, key: Key) -> bool:
        """Whether a set is in the part of the zone that the run is for."""
        return not self.only or is_met(key, self.only)

    def gives_up(self, key: Key, value: str) -> bool:
        """Whether a value is to go if the owner has it."""
        if self.wants(key, value) or self.releases:
            return False
        if key in self.wanted or key in self.unwanted:
            return key in self.whole
        return zone_of(key) in self.owner_prunes and self.is_about(key) and not is_met(key, self.ignored)

    def displaces(self, key: Key) -> bool:
        """Whether a set is taken over because it cannot be beside what is wanted at its name: another alias, too."""
        at_name = {other[1] for other, values in self.wanted.items() if other[0] == key[0] and values}
        others = at_name - {key[1]}
        return self.takes_over and ("CNAME" in at_name or (bool(others) and key[1] == "CNAME"))

    def touches(self, key: Key) -> bool:
        """Whether it is about a set at all."""
        if self.displaces(key) or (zone_of(key) in self.owner_prunes and self.is_about(key)):
            return True
        return key in self.wanted or key in self.unwanted or (zone_of(key) in self.prunes and self.is_about(key))

    def add(self, other: Wish) -> None:
        """What is wanted of another zone, too."""
        self.wanted |= other.wanted
        self.unwanted |= other.unwanted
        self.ttls |= other.ttls
        self.prunes += other.prunes
        self.only, self.ttl_max = other.only, other.ttl_max
        self.owner, self.takes_over, self.releases = other.owner, other.takes_over, other.releases
        self.whole |= other.whole
        self.owner_prunes += other.owner_prunes
        self.ignored = (*self.ignored, *(glob for glob in other.ignored if glob not in self.ignored))


def is_met(key: Key, globs: Globs) -> bool:
    """Whether a glob meets a set."""
    zone = zone_of(key)
    relative = key[0].removesuffix(f".{zone}") if key[0] != zone else "@"
    return any(fnmatchcase(relative, name) and fnmatchcase(key[1], rdtype) for name, rdtype in globs)


def globs_of(options: dict[str, Any], option: str) -> Globs:
    """The globs of an option, on the relative name and on the type."""
    return tuple((glob.get("name", "*"), glob.get("type", "*")) for glob in options.get(option) or ())


def is_owned(key: Key) -> bool:
    """Whether a set is the service's own."""
    return key[1] == "SOA" or key in [(zone, "NS") for zone in ZONES]


def wish_of(run: Run) -> Wish:
    """What a run asks for."""
    options = run.options
    if run.module == "dns_record":
        return _of_owner(_of_record(options), options)
    if run.module == "dns_records":
        return _of_owner(_of_records(options), options)
    wish = Wish()
    for zone in options["zones"]:
        wish.add(_of_owner(_of_records({**options, **zone}), options))
    return wish


def _of_owner(wish: Wish, options: dict[str, Any]) -> Wish:
    """The same where a task speaks for an owner: what a set is to hold is said of the values of that one."""
    if not options.get("owner"):
        return wish
    releases = bool(options.get("release"))
    takes_over = bool(options.get("takeover"))
    whole = frozenset(key for key in wish.wanted if wish.unwanted.get(key) == ("*",))
    # An alias in place of another one is taken over from whoever has that.
    spared = {key for key in whole if not (takes_over and key[1] == "CNAME")}
    return replace(
        wish,
        owner=options["owner"],
        takes_over=takes_over,
        releases=releases,
        wanted={} if releases else wish.wanted,
        ttls={} if releases else wish.ttls,
        unwanted={} if releases else {key: () if key in spared else gone for key, gone in wish.unwanted.items()},
        whole=whole,
        prunes=(),
        owner_prunes=() if releases else wish.prunes,
    )


def _of_record(options: dict[str, Any]) -> Wish:
    key, content = key_of(f"{options['zone']}.", options), tuple(options.get("content") or ())
    if options.get("state") == "absent":
        return Wish(unwanted={key: content or ("*",)})
    others = ("*",) if options.get("exclusive") else tuple(options.get("replaces") or ())
    ttls = {key: options["ttl"]} if "ttl" in options else {}
    return Wish(wanted={key: content}, unwanted={key: others}, ttls=ttls)


def _of_records(options: dict[str, Any]) -> Wish:
    zone = f"{options['zone']}."
    prunes = (zone,) if options.get("prune") else ()
    ttl_max = tuple((globs_of({"ttl_max": [one]}, "ttl_max"), one["ttl"]) for one in options.get("ttl_max") or ())
    wish = Wish(prunes=prunes, ignored=globs_of(options, "ignore"), ttl_max=ttl_max, only=globs_of(options, "only"))
    for entry in options["records"]:
        key = key_of(zone, entry)
        wish.unwanted[key] = tuple(entry.get("replaces") or (("*",) if entry.get("exclusive", True) else ()))
        if entry.get("state") != "absent":
            # As the service shows it, where a result is taken back; it shows the text itself, or that in quotes.
            wish.wanted[key] = tuple(value.strip('"') for value in entry["content"])
            if "ttl" in entry:
                wish.ttls[key] = entry["ttl"]
    return wish


def fulfilled(wish: Wish, sets: Sets) -> list[str]:
    """Where a zone is not as a wish has it."""
    wrong = []
    for key, values in wish.wanted.items():
        held = sets.get(key, (0, ()))[1]
        wrong += [f"{' '.join(key)} lacks {value}" for value in values if value not in held]
    for key, (_ttl, values) in sets.items():
        wrong += [f"{' '.join(key)} has {value}" for value in values if wish.removes(key, value)]
    return wrong
