# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The memory of a zone beside its lock: the histories of sets that were written lately, and what is known for longer.

That stands in a line of its own: what the service made of TTLs and texts, which preferences of mail hosts it does not
show, and which plans that people had reviewed were carried out. A memory that makes no sense counts as none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.ledger import Ledger
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import lacks_preference
from ansible_collections.zonesmith.dns.plugins.module_utils._history.histories import Histories
from ansible_collections.zonesmith.dns.plugins.module_utils._history.history import LATE
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._state.kept_histories import (
    as_kept,
    check_format,
    kept,
    kept_in_format_2,
    texts,
    ttls,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import LONGEST_HOLDER

FORMAT = 3
FORMER_FORMAT = 2
MOST_TTLS = 10_000
MOST_PREFERENCES = 10_000

PLANS_LAST = 600 * 86400.0
"""Seconds for which a plan that was carried out is remembered."""

MOST_PLANS = 600
"""More are not remembered of a zone: one a day for that long."""

_PREFERENCE = re.compile(r"(\d{1,5}) \S+")
_DIGEST = re.compile("[0-9a-f]{64}")
TEXT_FORMS = ("plain", "quoted")


@dataclass(frozen=True)
class PlanRun:
    """When a run began to carry out a reviewed plan (seconds since 1970), which run that was, and how far it came.

    It *is_whole* where it is as planned. Where it is not, and *is_over*, another plan has been begun since.
    """

    at: float
    by: str
    is_whole: bool = False
    is_over: bool = False

    @property
    def told(self) -> str:
        """When that was and which run, in a clause about the plan."""
        when = f"{datetime.fromtimestamp(self.at, timezone.utc):%Y-%m-%d at %H:%M UTC}"
        how, since = ("carried out", "") if self.is_whole else ("begun", ", and another one since")
        return f"was {how} on {when} by the run of {printable(self.by)}{since}"


def no_histories() -> Histories:
    """Those of a zone of which nothing is known, by the clock of this machine as it goes on from now.

    Where it is set back during a run, a store with a clock of its own would take what the run does after that for old.
    """
    this = machine()
    since = this.time() - this.monotonic()
    return Histories(lambda: max(this.time(), since + this.monotonic()))


@dataclass
class Memory:
    """What is known of a zone besides what readings show.

    *kept_ttls* is, for a set, the TTL that was sent and the one that the service kept instead. *text_form* is the
    sending form of TXT that was found to come back right, or empty. *plans* are the runs of reviewed plans by the
    digests of those, the last one at the end. The *ledger* stands beside it and is kept by itself: None where nobody
    asks for it, or where there is none.
    """

    histories: Histories = field(default_factory=no_histories)
    kept_ttls: dict[Key, tuple[int, int]] = field(default_factory=dict)
    text_form: str = ""
    plans: dict[str, PlanRun] = field(default_factory=dict)
    ledger: Ledger | None = None

    def begin_plan(self, digest: str, by: str) -> None:
        """The run *by* is about to carry out a plan, and nobody goes on with another one."""
        self.plans.pop(digest, None)
        for other, run in self.plans.items():
            self.plans[other] = replace(run, is_over=True)
        self.plans[digest] = PlanRun(self.histories.clock(), by)

    def end_plan(self, digest: str) -> None:
        """The zone is as a plan has it that was begun."""
        if digest in self.plans:
            self.plans[digest] = replace(self.plans[digest], is_whole=True, is_over=True)

    def spent(self, digest: str) -> PlanRun | None:
        """The run after which a plan is not to be carried out again; None where it is good, or to be gone on with."""
        run = self.plans.get(digest)
        return run if run and run.is_over else None

    def see(self, key: Key, held: RecordSet | None) -> None:
        """A set was written, and is read as it is *held*: what that shows of it need not be remembered."""
        _sent, kept = self.kept_ttls.get(key, (0, 0))
        if not held or held.ttl != kept:
            self.kept_ttls.pop(key, None)
        if not (held and any(lacks_preference(key.type, value) for value in held.values)):
            self.histories.preferences.pop(key, None)

    def content(self, ahead: float = 0.0) -> bytes:
        """The memory, for a clock that is *ahead* (seconds).

        What is kept for long is the first line, and the sets are the second.
        """
        now = self.histories.clock()
        # A thread that was left behind may still note something.
        sets = [lasting for known in list(self.histories.sets.values()) if (lasting := known.lasting(now))]
        preferences = list(self.histories.preferences.items())
        first = {
            "format": FORMAT,
            "at": max((known.at for known in sets), default=0.0) + ahead,
            "kept_ttls": [[*key, *pair] for key, pair in list(self.kept_ttls.items())[-MOST_TTLS:]],
            "text_form": self.text_form,
            "preferences": [[*key, *values] for key, values in preferences[-MOST_PREFERENCES:]],
            "plans": [
                [digest, run.at + ahead, run.by, run.is_whole, run.is_over]
                for digest, run in list(self.plans.items())[-MOST_PLANS:]
            ],
        }
        second = {"sets": [as_kept(known, ahead) for known in sets]}
        return b"\n".join(json.dumps(line).encode() for line in (first, second))


def remembered(content: bytes | None, ahead: float = 0.0) -> Memory:
    """What a memory says, without what is too old to be of use; nothing where it makes no sense.

    The times are by a clock that is *ahead* of this one (seconds). What is up to LATE in its future was written before
    it was set back, and counts as written now; what is later is dropped.
    """
    now = machine().time()
    try:
        first, _newline, second = (content or b"").partition(b"\n")
        held = json.loads(first)
        check_format("the memory of earlier runs", held["format"], FORMAT)
        if held["format"] not in (FORMAT, FORMER_FORMAT):
            return Memory()
        form = held["text_form"] if held["text_form"] in TEXT_FORMS else ""
        by_store = now + ahead
        plans = dict(_plans(held.get("plans"), by_store, ahead))
        memory = Memory(no_histories(), dict(_kept_ttls(held["kept_ttls"])), form, plans)
        memory.histories.preferences = dict(_preferences(held.get("preferences")))
        if -LATE <= by_store - float(held["at"]) < LATE:
            of_sets = json.loads(second)
            is_former = held["format"] == FORMER_FORMAT
            sets = kept_in_format_2(of_sets, now, ahead) if is_former else kept(of_sets["sets"], now, ahead)
            memory.histories.sets = dict(sets)
        return memory
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return Memory()


def _kept_ttls(items: Any) -> Iterator[tuple[Key, tuple[int, int]]]:
    for name, rdtype, *pair in items:
        sent, kept_instead = ttls(pair)
        yield Key(*texts([name, rdtype])), (sent, kept_instead)


def _preferences(items: Any) -> Iterator[tuple[Key, tuple[str, ...]]]:
    """What can be an MX value (RFC 1035, section 3.3.9); a version before this one kept none."""
    for item in items[-MOST_PREFERENCES:] if isinstance(items, list) else ():
        try:
            name, rdtype, *values = texts(item)
        except ValueError:
            continue
        found = [_PREFERENCE.fullmatch(value) for value in values]
        if rdtype == "MX" and found and all(one and int(one[1]) < 2**16 for one in found):
            yield Key(name, rdtype), tuple(values)


def _plans(items: Any, now: float, ahead: float) -> Iterator[tuple[str, PlanRun]]:
    """What is not too old; a version before this one kept none."""
    for item in items[-MOST_PLANS:] if isinstance(items, list) else ():
        try:
            digest, at, by, is_whole, is_over = item
            # A clock that was set back makes no plan good once more.
            at = min(float(at), now)
            if not (_DIGEST.fullmatch(digest) and isinstance(by, str)):
                continue
        except (ValueError, TypeError, OverflowError):
            continue
        if now - at < PLANS_LAST:
            yield digest, PlanRun(at - ahead, by[:LONGEST_HOLDER], is_whole is True, is_over is not False)
