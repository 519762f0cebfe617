# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""When record sets may be deleted: not while the service takes no additions.

A service that carries out DELETEs and refuses POSTs would empty one set after another, in all zones
of a task. So no DELETE begins while a value of a deleted set cannot be added: it waits while the
addition is tried again, or the former values are put back. If neither succeeds, nothing more is
deleted in this task. What is under way ends first.
"""

from __future__ import annotations

from .._api.answers import ServiceError
from .._api.retries import NotYet
from .._interruption import is_interrupted
from .._machine import machine
from .._telling import waiting
from .._threads import go_on

CHECKS_EVERY = 0.1
"""Seconds."""


OwnerName = tuple[str, str]
"""A zone, and an owner name in it."""


class Deletions:
    """Shared by all zones of a task. Thread-safe."""

    def __init__(self) -> None:
        self._failing: dict[OwnerName, str] = {}
        self._stopped_by = ""

    def addition_fails(self, name: OwnerName, to: str) -> None:
        """A value cannot be added *to* a deleted set of an owner name, so far."""
        self._failing[name] = to

    def addition_ended(self, name: OwnerName) -> None:
        """The sets of an owner name have their new values, or their former ones again."""
        self._failing.pop(name, None)

    def stop(self, to: str) -> None:
        """A deleted set gets neither its new values nor its former ones."""
        self._stopped_by = to

    def wait(self, name: OwnerName) -> None:
        """Wait until a set of an owner name may be deleted, or must not be any more."""
        with waiting(self._in_words):
            while self._must_wait(name):
                go_on()
                machine().sleep(CHECKS_EVERY)

    def check(self, name: OwnerName) -> None:
        """Raises ServiceError if no set may be deleted any more, and NotYet if it must wait again."""
        if is_interrupted():
            raise ServiceError("the run was interrupted")
        if self._stopped_by:
            raise ServiceError(
                f"values could not be added to {self._stopped_by} after its deletion, so nothing "
                "more is deleted"
            )
        if self._must_wait(name):
            raise NotYet

    def _must_wait(self, name: OwnerName) -> bool:
        """A name of which an addition fails does not wait for others, which might wait for it."""
        return bool(self._failing) and name not in self._failing and not self._stopped_by

    def _in_words(self) -> str:
        sets = ", ".join(self._failing.values())
        return f"nothing is deleted while no values can be added to {sets}"
