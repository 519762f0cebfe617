# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Sets of one owner name that are made together: each alone, but where a CNAME comes or goes.

That must be alone, so all DELETEs come first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from .._api.answers import ServiceError
from .._dns.printable import printable
from .._dns.record_set import Key, minus, same_set
from .add_value import add
from .delete_set import delete, delete_again, is_in_the_way_of
from .set_at_work import SetAtWork


@dataclass(eq=False)
class Failure(Exception):
    """The request that ended the work on a set, and on those made together with it.

    * *tried*: what it was, for people; *value* if it was to add one.
    * *together*: all these sets.
    * *is_back*: whether former values were added again, and *not_back* why not, if that was tried.
    """

    key: Key
    tried: str
    error: ServiceError
    value: str = ""
    together: tuple[Key, ...] = ()
    is_back: bool = False
    not_back: Exception | None = None

    def __str__(self) -> str:
        return f"cannot {self.tried}: {self.error}"


class Unit:
    """Sets that are made together, in a round.

    * *is_urgent*: once a DELETE has begun, values are retried longer, and Ctrl-C names the sets.
    * *puts_back*: former values come back, so a refused one stops no other.
    """

    def __init__(self, sets: Sequence[SetAtWork]):
        self.sets = sets
        self.zone = sets[0].zone
        self.at = sets[0].at
        self.is_urgent = any(one.has_sent_delete for one in sets)
        self.puts_back = False

    def make(self) -> None:
        """Send what leads to each set's ``change.after``: DELETEs, then POSTs. Raises Failure."""
        for one in self.sets:
            if one.change.deletes:
                self.is_urgent = True
                self._try(one, f"delete {one.key}", delete)
        try:
            self._add_values()
        except Failure as failure:
            if not failure.error.refuses_the_value:
                raise
            in_the_way = [
                one for one in self.sets if is_in_the_way_of(one, failure.key, failure.value)
            ]
            if not in_the_way:
                raise
            for one in in_the_way:
                self._try(one, f"delete {one.key}", delete_again)
            self._add_values()

    def _add_values(self) -> None:
        refused = None
        for one in self.sets:
            for value in minus(one.change.after, one.sent):
                add_it = partial(add, value=value, is_urgent=self.is_urgent)
                try:
                    self._try(one, f"add {printable(value)} to {one.key}", add_it, value)
                except Failure as failure:
                    if not self.puts_back or not failure.error.refuses_the_value:
                        raise
                    refused = refused or failure
        if refused:
            raise refused

    def _try(
        self, one: SetAtWork, what: str, request: Callable[[SetAtWork], None], value: str = ""
    ) -> None:
        try:
            request(one)
        except ServiceError as error:
            together = tuple(one.key for one in self.sets)
            raise Failure(one.key, what, error, value, together) from error

    def not_whole(self) -> list[str]:
        """The sets to create, once one is deleted or about to be."""
        if not self.is_urgent:
            return []
        return [
            str(one.key)
            for one in self.sets
            if one.change.after and not same_set(one.sent, one.change.after)
        ]
