# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How much of a long list a message tells."""

from __future__ import annotations

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.shown import (
    SHOWN_CLAUSES,
    SHOWN_NAMES,
    some_clauses,
    some_names,
    values_and_ttl,
)


@pytest.mark.parametrize(
    ("items", "clauses", "names"),
    [
        ([], "", ""),
        (["a"], "a", "a"),
        (["a", "b"], "a; b", "a, b"),
        (["a", "b", "c"], "a; b; and 1 more", "a, b and 1 more"),
        (["a", "b", "c", "d"], "a; b; and 2 more", "a, b and 2 more"),
    ],
)
def test_what_is_left_is_counted(items: list[str], clauses: str, names: str) -> None:
    assert (some_clauses(items, 2), some_names(items, 2)) == (clauses, names)


def test_a_message_has_a_bounded_length() -> None:
    assert some_clauses(["a"] * (SHOWN_CLAUSES + 1)).count("a;") == SHOWN_CLAUSES == 10
    assert some_names(["a"] * (SHOWN_NAMES + 1)).count(",") == SHOWN_NAMES - 1 == 19


def test_a_set_is_told_with_its_ttl_where_there_is_one() -> None:
    assert values_and_ttl(("a", "b\n"), 60) == "a, b\\n (TTL 60)"
    assert values_and_ttl(["a", "b"], None) == "a, b"
