# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Text of others in a message: what cannot be seen in it, and how much of it is told."""

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import (
    SHOWN_CLAUSES,
    SHOWN_NAMES,
    printable,
    shortened,
    some_clauses,
    some_names,
    some_warnings,
    values_and_ttl,
)


@pytest.mark.parametrize(
    "text, printed",
    [
        ("a\nb\tc", r"a\nb\tc"),  # lines
        ("\x1b[31mü", r"\x1b[31mü"),  # colour
        ("\u202eTXT", r"\u202eTXT"),  # bidirectional mark
        ("\ud800", r"\ud800"),  # surrogate
        ("a ##[add-mask]x", r"a #\#[add-mask]x"),  # command of github
        ("a ##vso[task.complete]", r"a #\#vso[task.complete]"),  # azure pipelines
        ("::add-mask::x", r":\:add-mask:\:x"),  # command at the start of a line
        (":::notice::x", r"::\:notice:\:x"),  # three colons
        ("## title [1] #[x] ##", "## title [1] #[x] ##"),  # no command
        (
            "::1, 2001:db8::beef (TTL 60) ::ffff:192.0.2.1 fe80::/10 a::",
            "::1, 2001:db8::beef (TTL 60) ::ffff:192.0.2.1 fe80::/10 a::",
        ),  # addresses
    ],
)
def test_printable(text, printed):
    assert printable(text) == printed


def test_a_long_text_is_shown_in_part():
    assert shortened("x" * 300) == "x" * 300
    assert shortened("x" * 301) == "x" * 300 + "..."


@pytest.mark.parametrize(
    "items, names", [([], ""), (["a", "b"], "a, b"), (["a", "b", "c"], "a, b and 1 more")]
)
def test_what_is_left_is_counted(items, names):
    assert some_names(items, 2) == names


@pytest.mark.parametrize("count, end", [(0, ""), (1, "a"), (10, "; a"), (12, "; a; and 2 more")])
def test_clauses_that_are_left_are_counted(count, end):
    clauses = some_clauses(["a"] * count)
    assert clauses.endswith(end)
    assert clauses.count("a") - clauses.count("and") == min(count, SHOWN_CLAUSES)


@pytest.mark.parametrize("more, last", [(0, "a"), (2, "more warnings of this kind: 2 (see x)")])
def test_warnings_that_are_left_are_counted(more, last):
    assert some_warnings(["a"] * (SHOWN_CLAUSES + more), "x")[SHOWN_CLAUSES - 1 :][-1] == last


def test_a_message_has_a_bounded_length():
    assert some_clauses(["a"] * (SHOWN_CLAUSES + 1)).count("a;") == SHOWN_CLAUSES == 10
    assert some_names(["a"] * (SHOWN_NAMES + 1)).count(",") == SHOWN_NAMES - 1 == 19


def test_a_set_is_told_with_its_ttl_where_there_is_one():
    assert values_and_ttl(("a", "b\n"), 60) == "a, b\\n (TTL 60)"
    assert values_and_ttl(["a", "b"], None) == "a, b"
