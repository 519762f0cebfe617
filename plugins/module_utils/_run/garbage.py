# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How often Python looks for garbage while a task runs: seldom, since the sets of a large zone are none for long."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_SELDOM = (50_000, 50, 100)
"""As ``gc.set_threshold`` takes it. By default each 700 new objects count, and to go through those of 100,000 sets
again and again takes half of the time; what 50,000 take is a few MiB."""


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Look seldom for what only is garbage because it refers to itself; all else is freed at once, as ever."""
    before = gc.get_threshold()
    if before[0]:  # 0 is never
        gc.set_threshold(*map(max, before, _SELDOM))
    try:
        yield
    finally:
        gc.set_threshold(*before)
