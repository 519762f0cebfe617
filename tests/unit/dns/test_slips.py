# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which of some known words is meant."""

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.slips import (
    meant,
    question,
    zone_hint,
)

KNOWN = ["name", "ttl", "content", "contents", "mx-address", "mx-address-literal"]


@pytest.mark.parametrize(
    "word, known",
    [
        ("nmae", "name"),
        ("contnet", "content or contents"),
        ("cntentt", "content or contents"),
        ("mx_adress", "mx-address"),
        ("cotnetn", ""),
        ("cotnexxt", ""),
        ("", ""),
    ],
)
def test_the_word_that_is_meant(word, known):
    assert meant(word, KNOWN) == known
    assert question(word, KNOWN) == (f" (did you mean {known}?)" if known else "")


def test_a_word_of_any_length_costs_nothing():
    assert meant("x" * 10_000_000, KNOWN) == ""


@pytest.mark.parametrize(
    "zone, listed, hint",
    [
        ("exmple.com.", ["example.com.", "other.example."], "did you mean example.com?"),
        # No more than three are told, the likeliest first.
        (
            "www.example.com.",
            ["com.", "ww.example.com.", "example.com.", "wwww.example.com.", "w.example.com."],
            "did you mean wwww.example.com or ww.example.com or w.example.com?",
        ),
        ("abcde.org.", ["fghij.org."], "check its name"),
    ],
)
def test_what_may_be_wrong_with_a_zone(zone, listed, hint):
    assert zone_hint(zone, listed) == hint
