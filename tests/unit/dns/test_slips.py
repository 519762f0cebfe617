# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which of some known words is meant."""

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.slips import (
    meant,
    near_zones,
    question,
)

KNOWN = ["name", "ttl", "content", "contents", "mx-address", "mx-address-literal"]


@pytest.mark.parametrize(
    "word, known",
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
def test_the_word_that_is_meant(word, known):
    assert meant(word, KNOWN) == known
    assert question(word, KNOWN) == (f" (did you mean {known}?)" if known else "")


def test_a_word_of_any_length_costs_nothing():
    assert meant("x" * 10_000_000, KNOWN) is None


@pytest.mark.parametrize(
    "zone, listed, near",
    [
        ("exmple.com.", ["example.com.", "other.example."], ["example.com."]),
        # The zone above comes first, and no more than three are told.
        (
            "www.example.com.",
            ["ww.example.com.", "example.com.", "com."],
            ["com.", "example.com.", "ww.example.com."],
        ),
        ("not-example.com.", ["example.com.", "e.com."], ["example.com."]),
        ("myexample.com.", ["example.com.", "myexampl.com."], ["myexampl.com.", "example.com."]),
        # The dots between labels count as characters do.
        ("a.b.org.", ["ab.org.", "a.bc.org."], ["a.bc.org.", "ab.org."]),
        # Three of five characters are enough, and two are not; the ends that both have do not count.
        ("abcde.org.", ["abcfg.org."], ["abcfg.org."]),
        ("abcde.org.", ["abfgh.org."], []),
        ("abc.org.", ["abcdefgh.org."], []),
        ("a.example.org.", ["b.example.org."], []),
        ("a.", [], []),
        ("abc.org.", ["abcdefg.org."], ["abcdefg.org."]),
        # What looks the same comes first, O and 0, l and 1, and letters of other scripts.
        (
            "z4o.example.",
            [f"z{n}4.example." for n in range(3)] + ["z40.example."],
            ["z40.example.", "z04.example.", "z14.example."],
        ),
        ("web1.example.", ["web2.example.", "webl.example."], ["webl.example.", "web2.example."]),
        ("xn--exmple-4nf.com.", ["exampel.com.", "example.com."], ["example.com.", "exampel.com."]),
    ],
)
def test_which_names_are_near(zone, listed, near):
    assert near_zones(zone, listed) == near
