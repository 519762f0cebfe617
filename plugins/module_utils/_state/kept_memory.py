# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The memory of a zone as it is kept, and as it is read back: one that makes no sense counts as none.

What is kept for long is the first line, and the sets are the second.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._history.history import LATE
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._state.kept_histories import (
    CLOCK_SET_BACK,
    as_kept,
    check_format,
    kept,
    kept_in_format_2,
    texts,
    ttls,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory, PlanRun, no_histories
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


def memory_content(memory: Memory, ahead: float) -> bytes:
    """A memory, for a clock that is *ahead* (seconds)."""
    now = memory.histories.clock()
    # A thread that was left behind may still note something.
    sets = [lasting for known in list(memory.histories.sets.values()) if (lasting := known.lasting(now))]
    preferences = list(memory.histories.preferences.items())
    first: dict[str, Any] = {
        "format": FORMAT,
        "at": max((known.at for known in sets), default=0.0) + ahead,
        "kept_ttls": [[*key, *pair] for key, pair in list(memory.kept_ttls.items())[-MOST_TTLS:]],
        "text_form": memory.text_form,
        "preferences": [[*key, *values] for key, values in preferences[-MOST_PREFERENCES:]],
        "plans": [
            [digest, run.at + ahead, run.by, run.is_whole, run.is_over]
            for digest, run in list(memory.plans.items())[-MOST_PLANS:]
        ],
    }
    # The first line is read for longer, and is short.
    if gone := [as_kept(known, ahead) for known in sets if known.may_have_gone(now)]:
        first["may_have_gone"] = gone
    second = {"sets": [as_kept(known, ahead) for known in sets]}
    return b"\n".join(json.dumps(line).encode() for line in (first, second))


def kept_memory(content: bytes, ahead: float) -> Memory:
    """What a memory says, without what is too old to be of use; nothing where it makes no sense.

    The times are by a clock that is *ahead* of this one (seconds). What is up to CLOCK_SET_BACK in its future was
    written before it was set back, and counts as written now; what is later is dropped.
    """
    now = machine().time()
    try:
        first, _newline, second = content.partition(b"\n")
        held = json.loads(first)
        check_format("the memory of earlier runs", held["format"], FORMAT)
        if held["format"] not in (FORMAT, FORMER_FORMAT):
            return Memory()
        form = held["text_form"] if held["text_form"] in TEXT_FORMS else ""
        by_store = now + ahead
        plans = dict(_plans(held.get("plans"), by_store, ahead))
        memory = Memory(no_histories(), dict(_kept_ttls(held["kept_ttls"])), form, plans)
        memory.histories.preferences = dict(_preferences(held.get("preferences")))
        if -CLOCK_SET_BACK <= by_store - float(held["at"]) < LATE:
            of_sets = json.loads(second)
            is_former = held["format"] == FORMER_FORMAT
            sets = kept_in_format_2(of_sets, now, ahead) if is_former else kept(of_sets["sets"], now, ahead)
            memory.histories.sets = dict(sets)
        elif gone := held.get("may_have_gone"):
            memory.histories.sets = dict(kept(gone, now, ahead))
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
