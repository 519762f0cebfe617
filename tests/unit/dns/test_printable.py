# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Text of others in a message: what cannot be seen in it, and how much of it is told."""

from __future__ import annotations

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import (
    SHOWN_CLAUSES,
    SHOWN_NAMES,
    printable,
    shortened,
    some_clauses,
    some_names,
    values_and_ttl,
)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        pytest.param("", "", id="nothing"),
        pytest.param("plain ü 日本", "plain ü 日本", id="printable"),
        pytest.param("a\nb\tc", r"a\nb\tc", id="lines"),
        pytest.param("\x1b[31mü", r"\x1b[31mü", id="colour"),
        pytest.param("\u202eTXT", r"\u202eTXT", id="bidirectional-mark"),
        pytest.param("\ud800", r"\ud800", id="surrogate"),
        pytest.param("a ##[add-mask]x", r"a #\#[add-mask]x", id="command-of-github"),
        pytest.param("###[group]##[error]", r"##\#[group]#\#[error]", id="commands-of-github"),
        pytest.param("a ##vso[task.complete]", r"a #\#vso[task.complete]", id="azure-pipelines"),
        pytest.param("##teamcity[x]", r"#\#teamcity[x]", id="teamcity"),
        pytest.param("::add-mask::x", r":\:add-mask:\:x", id="command-at-the-start-of-a-line"),
        pytest.param(
            "a ::Error file=b::c", r"a :\:Error file=b::c", id="one-where-a-line-is-wrapped"
        ),
        pytest.param(":::notice::x", r"::\:notice:\:x", id="three-colons"),
        pytest.param(
            "\r\x1b[0Ksection_start:0:x\r\x1b[0K",
            r"\r\x1b[0Ksection_start:0:x\r\x1b[0K",
            id="section-of-gitlab",
        ),
        pytest.param("## title [1] #[x] ##", "## title [1] #[x] ##", id="no-command"),
        pytest.param(
            "::1, 2001:db8::beef (TTL 60) ::ffff:192.0.2.1 fe80::/10 a::",
            "::1, 2001:db8::beef (TTL 60) ::ffff:192.0.2.1 fe80::/10 a::",
            id="addresses",
        ),
    ],
)
def test_printable(text: str, printed: str) -> None:
    assert printable(text) == printed


@pytest.mark.parametrize(
    ("text", "printed"),
    [("", ""), ("x" * 300, "x" * 300), ("x" * 301, "x" * 300 + "...")],
    ids=["0", "300", "301"],
)
def test_shortened(text: str, printed: str) -> None:
    assert shortened(text) == printed


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
