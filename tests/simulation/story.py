# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A story: what a service is like, who does what when, and what goes wrong; all of it drawn before it is played.

It is data, so that it can be made smaller piece by piece, and written down.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any

Key = tuple[str, str]
"""The absolute name and the type of a set."""

Sets = dict[Key, tuple[int, tuple[str, ...]]]
"""TTL and values."""

ANY_TTL = (0, 2**31 - 1)
ZONE = "example.com."
OTHER = "example.net."
ZONES = (ZONE, OTHER)


def zone_of(key: Key) -> str:
    """The zone that a set is in."""
    return OTHER if key[0] == OTHER or key[0].endswith(f".{OTHER}") else ZONE


def key_of(zone: str, entry: dict[str, Any]) -> Key:
    """The set that an entry of a task on a zone is about."""
    name = entry.get("name", "@")
    return (zone if name == "@" else name if name.endswith(".") else f"{name}.{zone}", entry["type"])


@dataclass(frozen=True)
class Service:
    """How the service is. What is a row of numbers comes around again, request by request."""

    ages: tuple[float, ...] = (0.0,)
    """Seconds by which what a reading shows is old."""
    pace: tuple[float, ...] = (0.1,)
    """Seconds that a request takes."""
    dice: tuple[float, ...] = (0.5,)
    """What chance is to the code, from 0 to 1."""
    status: int = 200
    """Of a write that was carried out: 200, 201, 202, 204."""
    duplicate: int = 422
    """Of an addition of what is there: 200 takes it, 422 and 409 refuse it."""
    absent: int = 404
    """Of a deletion of what is not there."""
    takes_ttl: bool = False
    """Whether an addition with another TTL changes that of the set."""
    ttls: tuple[int, int] = ANY_TTL
    """What TTLs are raised or lowered to; where both are one, that is the TTL of all sets."""
    ttl_step: int = 1
    """What TTLs are rounded up to a multiple of."""
    rows: bool = False
    """Whether each value has the TTL that it was added with, in a row of its own."""
    quotes: bool = False
    """Whether texts are shown in quotes."""
    parses: bool = False
    """Whether texts without quotes are read as zone files are."""
    keeps_quotes: bool = False
    """Whether the quotes around a text become a part of it."""
    bare: bool = False
    """Whether mail hosts are shown without their preference."""
    refuses: tuple[str, ...] = ()
    """Values that it does not take."""
    returns: tuple[Key, ...] = ()
    """Sets that are there again after they were deleted."""
    keeps: tuple[Key, ...] = ()
    """Sets that cannot be deleted: 403."""
    cache: float = 0.0
    """Seconds for which what one reading has shown of a zone is what all show."""
    wide: bool = False
    """Whether a DELETE takes the sets of all types at its name."""
    a_second: int = 0
    """How many requests it takes in a second, with 429 for the others; 0 takes all."""
    says_when: bool = True
    """Whether it then says how long to wait."""

    @property
    def changes_ttls(self) -> bool:
        """Whether the TTL of a set may not be the one that was sent."""
        return self.ttls != ANY_TTL or self.ttl_step > 1 or self.rows

    @property
    def spoils_texts(self) -> bool:
        """Whether a text may not be the one that was sent."""
        return self.parses or self.keeps_quotes


@dataclass(frozen=True)
class Run:
    """Somebody runs a module, *pause* seconds after those before have ended, or *beside* them after they began.

    Beside the options of the module there are: with ``src``, ``records`` are what the file has; ``reverses`` names a
    run whose result is taken back, in place of ``records`` or ``zones``; ``plan_dir`` is the one of the story.
    """

    who: str
    module: str
    options: dict[str, Any]
    pause: float = 1.0
    beside: bool = False
    host: str = "one"
    check: bool = False


@dataclass(frozen=True)
class Hand:
    """Somebody writes by hand, *pause* seconds after the steps before, or just before a request of a run."""

    does: str
    """``add`` or ``delete``."""
    key: Key
    value: str = ""
    ttl: int = 300
    pause: float = 1.0
    before: tuple[str, int] | None = None
    """Whose request, and the how-manieth."""


@dataclass(frozen=True)
class SetClock:
    """The clock of a host is set, *pause* seconds after the steps before."""

    host: str
    seconds: float
    pause: float = 1.0


@dataclass(frozen=True)
class Fault:
    """What goes wrong with a run's request or with something that it saves: the how-manieth of its kind.

    ======== ==================================================================================================
    kill     the process ends before (``seconds`` 0) or after (1) a request, or a save
    lost     no answer; it was not carried out
    done     no answer; it was carried out
    late     no answer; it is carried out so many seconds after it was sent
    504      that answer; it is carried out so many seconds after it was sent, or never with -1
    accepted answered 202; it is carried out so many seconds after it was sent, or never with -1
    refused  no connection
    423 ...  that status; it was not carried out
    partial  a reading that lacks the SOA, and half of the other sets
    full     the disk is full
    session  the session with the database ends
    ======== ==================================================================================================
    """

    who: str
    call: str
    """``GET``, ``POST``, ``DELETE`` or ``save``."""
    number: int
    kind: str
    seconds: float = 0.0


@dataclass(frozen=True)
class Story:
    """All that a story is."""

    zone: Sets
    steps: tuple[Run | Hand | SetClock, ...]
    faults: tuple[Fault, ...] = ()
    service: Service = field(default_factory=Service)
    database: bool = False
    """Whether what is kept of a zone is in a database, for all hosts, or in a folder of each."""
    name: str = ""


def literal(given: Any) -> str:
    """A story as Python has it, without what goes without saying."""
    if is_dataclass(given) and not isinstance(given, type):
        said = (item for item in fields(given) if item.name != "name" and getattr(given, item.name) != _default(item))
        return (
            f"{type(given).__name__}({', '.join(f'{item.name}={literal(getattr(given, item.name))}' for item in said)})"
        )
    if isinstance(given, tuple):
        return f"({', '.join(map(literal, given))}{',' * (len(given) == 1)})"
    return repr(given)


def _default(item: Any) -> Any:
    return item.default_factory() if item.default_factory is not MISSING else item.default
