# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which of some known words is meant."""

from __future__ import annotations

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.slips import (
    is_one_slip,
    meant,
    question,
)

KNOWN = ["name", "ttl", "content", "contents", "mx-address", "mx-address-literal"]


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("nmae", "name"),
        ("nam", "name"),
        ("names", "name"),
        ("contnet", "content"),
        ("contens", "contents"),
        ("cntentt", "content"),
        ("mx-adres", "mx-address"),
        ("mx_adress", "mx-address"),
        ("cotnetn", None),
        ("tl_", None),
        ("cotnexxt", None),
        ("", None),
    ],
)
def test_the_word_that_is_meant(word: str, known: str | None) -> None:
    assert meant(word, KNOWN) == known
    assert question(word, KNOWN) == (f" (did you mean {known}?)" if known else "")


@pytest.mark.parametrize(
    ("word", "is_one"),
    [
        ("example", False),
        ("exampel", True),
        ("exmple", True),
        ("exampl", True),
        ("exxample", True),
        ("ezample", True),
        ("examlpe", True),
        ("exmaepl", False),
        ("examplees", False),
        ("", False),
    ],
)
def test_one_slip(word: str, is_one: bool) -> None:
    assert is_one_slip(word, "example") is is_one
    assert is_one_slip("example", word) is is_one


def test_a_word_of_any_length_costs_nothing() -> None:
    assert meant("x" * 10_000_000, KNOWN) is None
