# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What Ctrl-C finds: after it, no record set is deleted, and those that are incomplete are named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from ._machine import machine

_interrupted = machine().event()
_incomplete: list[Callable[[], Iterable[str]]] = []


def interrupt() -> None:
    """Allow no more deletions in this process."""
    _interrupted.set()


def is_interrupted() -> bool:
    return _interrupted.is_set()


@contextmanager
def making_again(sets: Callable[[], Iterable[str]]) -> Iterator[None]:
    """Mark the body as a rebuild. *sets* names the record sets that are incomplete now."""
    _incomplete.append(sets)
    try:
        yield
    finally:
        _incomplete.remove(sets)


def incomplete_sets() -> list[str]:
    """The record sets that are deleted and not yet made again, without waiting."""
    names: list[str] = []
    for sets in list(_incomplete):
        names += sets()
    return names
