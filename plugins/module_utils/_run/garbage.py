# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How often Python looks for garbage while a task runs: not at all before it writes, since what it reads is none.

To go through what 100,000 sets take again and again takes half of the time. What only is garbage because it refers to
itself is left by failures, and not by what is read and planned; all else is freed at once, as ever.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_SELDOM = (50_000, 50, 100)
"""As ``gc.set_threshold`` takes it. By default each 700 new objects count; what 50,000 take is a few MiB."""

_put_off: list[bool] = []
"""Of each task under way, whether it has put off what was on before it."""


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Do not look for garbage inside until it is ``collected``, and then seldom."""
    before, was_on = gc.get_threshold(), gc.isenabled()
    if before[0]:  # 0 is never
        gc.set_threshold(*map(max, before, _SELDOM))
    gc.disable()
    _put_off.append(was_on)
    try:
        yield
    finally:
        _put_off.pop()
        gc.set_threshold(*before)
        if was_on:
            gc.enable()


def collected() -> None:
    """From now on a task may take long, and meet many failures."""
    if any(_put_off):
        gc.enable()
