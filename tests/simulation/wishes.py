# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a run asks for, read from its options alone: what is to be there, and what may go."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from story import ZONE, Key, Run, Sets


@dataclass
class Wish:
    """What a run wants of each set, and what it lets go."""

    wanted: dict[Key, tuple[str, ...]] = field(default_factory=dict)
    unwanted: dict[Key, tuple[str, ...]] = field(default_factory=dict)
    """Values that are to go; ``*`` is all that are not wanted, and so are globs."""
    ttls: dict[Key, int] = field(default_factory=dict)
    prunes: bool = False
    ignored: tuple[tuple[str, str], ...] = ()
    """Globs on the relative name and on the type."""

    def wants(self, key: Key, value: str) -> bool:
        """Whether a value is to be there."""
        return value in self.wanted.get(key, ())

    def removes(self, key: Key, value: str) -> bool:
        """Whether a value is to go."""
        if self.wants(key, value):
            return False
        if key in self.wanted or key in self.unwanted:
            return any(fnmatchcase(value, glob) for glob in self.unwanted.get(key, ()))
        return self.prunes and not is_owned(key) and not self._ignores(key)

    def touches(self, key: Key) -> bool:
        """Whether it is about a set at all."""
        return key in self.wanted or key in self.unwanted or self.prunes

    def _ignores(self, key: Key) -> bool:
        relative = key[0].removesuffix(f".{ZONE}") if key[0] != ZONE else "@"
        return any(fnmatchcase(relative, name) and fnmatchcase(key[1], rdtype) for name, rdtype in self.ignored)


def is_owned(key: Key) -> bool:
    """Whether a set is the service's own."""
    return key[1] == "SOA" or key == (ZONE, "NS")


def wish_of(run: Run) -> Wish:
    """What a run asks for."""
    options = run.options
    if run.module == "dns_record":
        return _of_record(options)
    if run.module == "dns_records":
        return _of_records(options)
    (zone,) = options["zones"]
    return _of_records({**options, **zone})


def _key(entry: dict[str, Any]) -> Key:
    name = entry.get("name", "@")
    return (ZONE if name == "@" else f"{name}.{ZONE}", entry["type"])


def _of_record(options: dict[str, Any]) -> Wish:
    key, content = _key(options), tuple(options.get("content") or ())
    if options.get("state") == "absent":
        return Wish(unwanted={key: content or ("*",)})
    others = ("*",) if options.get("exclusive") else tuple(options.get("replaces") or ())
    ttls = {key: options["ttl"]} if "ttl" in options else {}
    return Wish(wanted={key: content}, unwanted={key: others}, ttls=ttls)


def _of_records(options: dict[str, Any]) -> Wish:
    wish = Wish(prunes=bool(options.get("prune")))
    wish.ignored = tuple((glob.get("name", "*"), glob.get("type", "*")) for glob in options.get("ignore") or ())
    for entry in options["records"]:
        key = _key(entry)
        wish.unwanted[key] = ("*",)
        if entry.get("state") != "absent":
            wish.wanted[key] = tuple(entry["content"])
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
