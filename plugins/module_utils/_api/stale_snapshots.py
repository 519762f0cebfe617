# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads again if a snapshot is stale: the service does not show the last writes yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from .._machine import machine
from .._telling import waiting

Answer = TypeVar("Answer")

READ_BACKOFF = (0.25, 0.5, 1.0, 2.0, 4.0, 8.25)
"""Seconds before each further read; together STALE, the greatest age of a snapshot."""

SHORT_BACKOFF = READ_BACKOFF[:3]

READ_ONCE = ()

IS_STALE = "the service does not show the last changes yet; reading the zone again for {:.0f} s"


def read_until(
    read: Callable[[], Answer],
    is_enough: Callable[[Answer], bool],
    waits: Sequence[float] = READ_BACKOFF,
) -> Answer:
    """The first read that is enough, else the last after all *waits* (seconds)."""
    answer = read()
    with waiting(partial(IS_STALE.format, sum(waits))):
        for wait in waits:
            if is_enough(answer):
                break
            machine().sleep(wait)
            answer = read()
    return answer
