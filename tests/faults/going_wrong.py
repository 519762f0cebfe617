# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What can go wrong at a step, by its kind; and what services do beside what their specification says."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from tasks import ALIAS, FTP, MX, TXT, WWW
from worlds import PLAIN, Fault, Habits

# Killed before a step is killed after the one before it.
_WRITE = (
    Fault("no answer, not carried out", "none", None),
    Fault("no answer, carried out", "none"),
    *(Fault(f"no answer, carried out {seconds} s later", "none", seconds) for seconds in (60, 500)),
    Fault("504, carried out 5 s later", 504, 5),
    Fault("killed after", "kill"),
    Fault("killed, carried out 60 s later", "kill", 60),
    Fault("200, carried out 20 s later", 200, 20),
    Fault("202, carried out 5 s later", 202, 5),
    Fault("503", 503, None),
    Fault("409", 409, None),
    Fault("a person deletes the set before", before="deletes"),
    Fault("another run before", before="run"),
)

FAULTS: dict[str, tuple[Fault, ...]] = {
    "GET": (
        Fault("5 s old", age=5),
        Fault("15 s old", age=15),
        Fault("no answer", "none"),
        Fault("503", 503),
        Fault("killed after", "kill"),
        Fault("a person adds before", before="adds"),
        Fault("a person deletes the set before", before="deletes"),
        Fault("another run before", before="run"),
    ),
    # What a person adds between the last snapshot and a DELETE nobody can see: that is not among them.
    "DELETE": (
        *_WRITE,
        Fault("403", 403, None),
        *(Fault(f"200, carried out {seconds} s later", 200, seconds) for seconds in (5, 25, 60)),
        Fault("200, never carried out", 200, None),
    ),
    "POST": (
        *_WRITE,
        Fault("refused", 422, None, lasts=True),
        Fault("takes no values for 90 s, and says so", 429, None, busy=90),
        Fault("a person adds before", before="adds"),
    ),
    "save": (Fault("killed after", "kill"), Fault("the disk is full", "full")),
}

LAGS = {"": 0.0, "every other snapshot is 5 s old": 5.0, "every other snapshot is 15 s old": 15.0}
"""One of these is one of the things that go wrong."""

_SETS = tuple(" ".join(key) for key in (WWW, FTP, TXT, MX, ALIAS))

QUEUES = "deletes 5 s later, and refuses what is there"
HABITS: dict[str, dict[str, object]] = {
    "shows a write 2 s later": {"read_lag": 2.0},
    "shows a write 10 s later": {"read_lag": 10.0},
    "shows a write 10 s later, on every other read": {"read_lag": 10.0, "late_reads": 2},
    "202": {"write_status": 202},
    "200 without a body": {"has_body": False},
    "raises TTLs": {"ttl_min": 600},
    "keeps its own TTL": {"ttl_min": 300, "ttl_max": 300},
    "levels TTLs": {"keeps_ttl": False},
    "MX without preference": {"mx_read": "bare"},
    "shows texts in quotes": {"txt_read": "quoted"},
    "parses texts without quotes": {"parses": True},
    "refuses texts without quotes": {"txt_write": "quoted"},
    "keeps quotes": {"keeps_quotes": True, "txt_read": "quoted"},
    "404 for what is gone": {"gone": 404},
    "400 for what is there": {"there": 400},
    "409 for what is there": {"there": 409},
    "422 for what is there": {"there": 422},
    "deletes 5 s later": {"delete_after": 5.0},
    "deletes 25 s later": {"delete_after": 25.0},
    "lowers CAA": {"lower": ("CAA",)},
    "sets that cannot be deleted": {"undeletable": _SETS},
    "sets that come again": {"returning": _SETS},
    "shows for 12 s what it has shown": {"cache": 12.0},
    "shows for 30 s what it has shown": {"cache": 30.0},
    QUEUES: {"delete_after": 5.0, "there": 422},
}
"""What it does, as the fields of its habits."""

UNMENDABLE = frozenset(
    {
        "sets that cannot be deleted",
        "sets that come again",
        "deletes 25 s later",
        "shows for 30 s what it has shown",
    }
)
"""With these a task that has to delete fails, and says so."""
ALTERS_TEXTS = ("parses texts without quotes", "keeps quotes")
NO_FORM = ({*ALTERS_TEXTS}, {"keeps quotes", "refuses texts without quotes"})
"""With both of these no form of a text comes back right, and a task that sends one fails, and says so."""


LATE = frozenset(
    {
        "deletes 5 s later",
        "deletes 25 s later",
        QUEUES,
        "shows for 30 s what it has shown",
    }
)
"""With these and another habit, a task may fail that says so: a second thing going wrong is told, and need not heal."""


def may_fail(names: Collection[str]) -> bool:
    """Whether a task may fail at a service with the habits of these names, where it says so."""
    if len(names) > 1 and LATE.intersection(names):
        return True
    return bool(UNMENDABLE.intersection(names)) or any(both.issubset(names) for both in NO_FORM)


def habits_of(*names: str) -> Habits:
    """The habits of these names together."""
    together: dict[str, object] = {}
    for name in names:
        together |= HABITS[name]
    return replace(PLAIN, **together)  # type: ignore[arg-type] # its fields have many types
