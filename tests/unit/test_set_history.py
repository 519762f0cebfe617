# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""That a set of many values, which a hostile service may show, takes no longer than its values."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._history.histories import Histories

WWW = Key("www.example.com.", "A")
MANY = 400


class Counted(str):
    """A value that counts how often it is compared."""

    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return str.__eq__(self, other)


def a_set(network: int, *more: str) -> RecordSet:
    return RecordSet(*WWW, 300, (*(Counted(f"10.{network}.{n >> 8}.{n & 255}") for n in range(MANY)), *more))


OURS, SHOWN = a_set(1), a_set(1, *a_set(2).values)
ASKED: dict[str, Callable[[Histories], object]] = {
    "what a reading shows of others": lambda histories: histories.see_others({WWW}, lambda _key: SHOWN),
    "whether it shows more": lambda histories: histories.shows_more(lambda _key: SHOWN),
    "whether it shows a part of it": lambda histories: histories.see_others({WWW}, lambda _key: a_set(2)),
    "which of the values are new": lambda histories: histories.new_values(WWW, SHOWN.values),
    "what a journal tells": lambda histories: histories.recall(histories.sets[WWW]),
}


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_no_value_is_held_against_each_other_one(ask: Callable[[Histories], object]) -> None:
    histories = Histories(lambda: 1000.0)
    histories.believe(WWW, OURS)
    histories.send(WWW, None)
    Counted.compared = 0
    ask(histories)
    assert Counted.compared < 10 * MANY
