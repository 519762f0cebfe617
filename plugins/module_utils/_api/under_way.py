# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The requests under way: how many may be, as the task says, or as is learned where it leaves that to the rule."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal, TypeAlias, TypeVar

from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import InvalidConnection
from ansible_collections.zonesmith.dns.plugins.module_utils._api.limiter import RequestLimiter
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import quoted
from ansible_collections.zonesmith.dns.plugins.module_utils._threads import Threads

Answer = TypeVar("Answer")

AUTO: Literal["auto"] = "auto"

Concurrency: TypeAlias = int | Literal["auto"]
"""How many requests are under way at once; AUTO leaves that to the rule."""

_NUMBER = re.compile("[+-]?[0-9]{1,9}")


def given_concurrency(value: Any) -> Concurrency:
    """What an option says. Raises InvalidConnection where it says nothing that can be."""
    from ansible_collections.zonesmith.dns.plugins.module_utils._api.concurrency import MOST

    text = str(value).strip()
    if text == AUTO:
        return AUTO
    is_number = _NUMBER.fullmatch(text) is not None
    if is_number and 1 <= int(text) <= MOST:
        return int(text)
    told = text if is_number else quoted(value)
    raise InvalidConnection(f"concurrency is {told}, and can be {AUTO} or 1 to {MOST}")


class UnderWay:
    """Those of one client, of which so many may be whatever becomes of them. Safe to use from several threads."""

    def __init__(self, number: int):
        self.limiter = RequestLimiter(number)
        """Where a thread is while a request of its is under way; who has several to make can enter before."""
        self.at_most = number

    @property
    def threads(self) -> Threads:
        """How many threads keep as many requests under way as may be."""
        return self.at_most

    def send(self, once: Callable[[], Answer]) -> Answer:
        """What a request gives."""
        return once()


def under_way(concurrency: Concurrency) -> UnderWay:
    """The requests under way of a new client; who says a number does not pay for the rule."""
    if concurrency != AUTO:
        return UnderWay(concurrency)
    from ansible_collections.zonesmith.dns.plugins.module_utils._api.learning import Learning

    return Learning()
