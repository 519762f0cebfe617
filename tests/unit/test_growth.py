# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The states in which a set has been: what is known once it held this, and which readings show one of them."""

from __future__ import annotations

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._state.growth import Growth, grown, was_so_before


def a_set(text: str, rdtype: str = "A") -> RecordSet:
    """A set written like ``300 a b``: its TTL and values of one letter."""
    ttl, *values = text.split()
    return RecordSet("www.example.com.", rdtype, int(ttl), tuple(values))


def after(*states: str) -> tuple[Growth, ...]:
    """What is known of a set that was in these states; an empty one is no set."""
    growths: tuple[Growth, ...] = ()
    for state in states:
        growths = grown(growths, a_set(state) if state else None)
    return growths


AB = Growth(300, ("a", "b"), 1)


@pytest.mark.parametrize(
    ("states", "growths"),
    [
        ([], ()),
        ([""], ()),
        (["300 a"], (Growth(300, ("a",), 1),)),
        (["300 a b"], (Growth(300, ("a", "b"), 2),)),
        (["300 a", "300 a b"], (AB,)),
        (["300 a", "", "300 a b"], (AB,)),
        (["300 a", "300 a b", "300 a b c"], (Growth(300, ("a", "b", "c"), 1),)),
        # what it was before is known already
        (["300 a", "300 a b", "300 b a"], (AB,)),
        (["300 a", "300 a b", "300 a"], (AB,)),
        # another TTL, other values, and another order are another growth
        (["300 a", "60 a"], (Growth(300, ("a",), 1), Growth(60, ("a",), 1))),
        (["300 a", "300 a b", "300 b"], (AB, Growth(300, ("b",), 1))),
        (["300 a", "300 a b", "300 b", "300 b c"], (AB, Growth(300, ("b", "c"), 1))),
        (["300 a", "60 b", "60 b c"], (Growth(300, ("a",), 1), Growth(60, ("b", "c"), 1))),
        (["300 a", "60 b", "300 c", "300 c d"], (*after("300 a", "60 b"), Growth(300, ("c", "d"), 1))),
    ],
)
def test_what_is_known_of_a_set_after_its_states(states: list[str], growths: tuple[Growth, ...]) -> None:
    assert after(*states) == growths


def test_of_many_growths_the_last_20_are_known() -> None:
    assert [growth.ttl for growth in after(*(f"{ttl} a" for ttl in range(45)))] == [*range(25, 45)]


def test_which_states_a_growth_has_been_in() -> None:
    growth = Growth(300, ("a", "b", "c", "d"), 2)
    assert [growth.was("A", 300, set(state)) for state in ("ab", "ba", "abc", "abcd")] == [True] * 4
    assert [growth.was("A", 300, set(state)) for state in ("", "a", "b", "ac", "abd", "bcd", "abe")] == [False] * 7
    assert growth.was("A", 60, set("ab")) is False


@pytest.mark.parametrize(
    ("states", "held", "value", "was_so"),
    [
        ([], "300 a", "a", False),
        (["300 a"], "300 a", "a", True),
        (["300 a"], "60 a", "a", False),
        (["300 a"], "300 a x", "a", True),
        (["300 a"], "300 a x", "x", False),
        (["300 a b"], "300 a", "a", False),
        (["300 a", "300 a b"], "300 a", "a", True),
        (["300 a", "300 a b"], "300 b", "b", False),
        (["300 a", "300 a b", "60 c"], "300 a b", "b", True),
        (["300 a", "300 a b", "60 c"], "60 c", "c", True),
        (["300 a", "300 a b", "60 c"], "300 a c", "c", False),
    ],
)
def test_whether_a_set_with_a_value_has_been_so_before(states: list[str], held: str, value: str, was_so: bool) -> None:
    assert was_so_before(after(*states), a_set(held), value) is was_so


def test_a_mail_host_is_known_without_its_preference() -> None:
    mail = RecordSet("example.com.", "MX", 300, ("10 a.",))
    shown = RecordSet("example.com.", "MX", 300, ("a.",))
    growths = grown((), mail)
    assert grown(growths, shown) == growths
    assert was_so_before(growths, shown, "10 a.")
    assert not was_so_before(growths, RecordSet("example.com.", "MX", 300, ("20 a.",)), "20 a.")
