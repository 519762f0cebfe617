# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The ledger as it is kept: what a run keeps comes back, and what no run can have kept counts as none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.ledger import Claim, Ledger
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._state.files import FileStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.kept_ledger import (
    LONGEST_VALUE,
    MAKES_NO_SENSE,
    MOST_OWNERS,
    MOST_VALUES,
    kept_ledger,
    ledger_content,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError

ZONE = "example.com."
SERVICE = "https://dns.example"
HELD: Ledger = {
    "web": {
        Key("www.example.com.", "A"): Claim(300, ("192.0.2.1", "192.0.2.2")),
        Key("example.com.", "TXT"): Claim(None, ('"caf\\195\\169"',), True),
    },
    "mail@example.net": {Key("example.com.", "MX"): Claim(0, ("10 mail.example.net.",))},
}


def test_what_is_kept_comes_back() -> None:
    content = ledger_content(HELD)
    assert kept_ledger(content, ZONE).ledger == HELD
    assert ledger_content({owner: HELD[owner] for owner in reversed(HELD)}) == content
    assert kept_ledger(ledger_content({}), ZONE).ledger == {}
    assert kept_ledger(None, ZONE).ledger is None
    assert not kept_ledger(None, ZONE).makes_no_sense


ROW: list[Any] = ["www.example.com.", "A", 300, False, "192.0.2.1"]
NONSENSE: list[Any] = [
    *(b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000, b'{"format": 1}', b'{"format": 0, "owners": {}}'),
    {"format": 1, "owners": []},
    {"format": 1, "owners": {"web": 1}},
    {"format": True, "owners": {"": [ROW]}},
    {"format": 1, "owners": {"": [ROW]}},
    {"format": 1, "owners": {"a b": [ROW]}},
    {"format": 1, "owners": {"x" * 65: [ROW]}},
    {"format": 1, "owners": {f"o{number}": [ROW] for number in range(MOST_OWNERS + 1)}},
    *(
        {"format": 1, "owners": {"web": rows}}
        for rows in (
            [ROW, ROW],
            [[]],
            [1],
            [["www.example.net.", *ROW[1:]]],
            [["notexample.com.", *ROW[1:]]],
            [["www.example.com", *ROW[1:]]],
            [[f"{'x' * 1100}.example.com.", *ROW[1:]]],
            [[None, *ROW[1:]]],
            [[["www.example.com."], *ROW[1:]]],
            [["example.com.", "NS", *ROW[2:]]],
            [["example.com.", "SOA", *ROW[2:]]],
            [[ROW[0], "a", *ROW[2:]]],
            [[ROW[0], "", *ROW[2:]]],
            [[ROW[0], "A" * 65, *ROW[2:]]],
            [[ROW[0], 1, *ROW[2:]]],
            [[*ROW[:2], -1, *ROW[3:]]],
            [[*ROW[:2], 2**31, *ROW[3:]]],
            [[*ROW[:2], True, *ROW[3:]]],
            [[*ROW[:2], "300", *ROW[3:]]],
            [[*ROW[:2], 1e999, *ROW[3:]]],
            [[*ROW[:3], 0, *ROW[4:]]],
            [ROW[:4]],
            [[*ROW[:4], 1]],
            [[*ROW[:4], ""]],
            [[*ROW[:4], "\ud800"]],
            [[*ROW[:4], "x" * (LONGEST_VALUE + 1)]],
            [[*ROW[:4], *["x"] * (MOST_VALUES + 1)]],
        )
    ),
]


@pytest.mark.parametrize("held", NONSENSE, ids=range(len(NONSENSE)))
def test_what_no_run_can_have_kept_counts_as_none(held: Any) -> None:
    kept = kept_ledger(held if isinstance(held, bytes) else json.dumps(held).encode(), ZONE)
    assert kept.makes_no_sense
    assert kept.ledger is None


def test_a_newer_form_is_not_guessed_at() -> None:
    with pytest.raises(StateError) as refused:
        kept_ledger(b'{"format": 2}', ZONE)
    assert str(refused.value) == (
        "the ledger of earlier runs is kept in format 2, and this version of the collection knows up to 1: use the "
        "newest zonesmith.dns that any of your runs uses"
    )


def journal(folder: Path, warnings: list[str] | None = None, owned: str = ZONE) -> Journal:
    """The journal of the zone, with its ledger."""
    return Journal(FileStore(str(folder), SERVICE, ZONE), warnings, owned=owned)


def test_it_is_saved_where_it_changes_and_read_by_who_asks(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    one = journal(folder)
    with one.lock() as kept:
        assert kept.memory.ledger is None
        kept.memory.ledger = HELD
        one.write(None, kept.memory)
    (file,) = folder.glob("*.owners")
    assert file.stat().st_mode & 0o777 == 0o600
    assert journal(folder).look().memory.ledger == HELD
    assert journal(folder, owned="").look().memory.ledger is None
    before = file.stat().st_ino
    with (one := journal(folder)).lock() as kept:
        assert kept.memory.ledger == HELD
        one.write(None, kept.memory)
        one.write([], Memory())
    assert file.stat().st_ino == before


def test_one_that_makes_no_sense_is_told_of_and_put_aside(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    with (one := journal(folder)).lock() as kept:
        kept.memory.ledger = HELD
        one.write(None, kept.memory)
    (file,) = folder.glob("*.owners")
    file.write_bytes(b"{")
    warnings: list[str] = []
    assert journal(folder, warnings).look().memory.ledger is None
    with (one := journal(folder, warnings)).lock() as kept:
        kept.memory.ledger = {}
        one.write(None, kept.memory)
    (aside,) = folder.glob("*.ledger-*")
    assert aside.read_bytes() == b"{"
    assert warnings == [
        MAKES_NO_SENSE,
        f"the ledger of earlier runs is kept as {aside}: look at it, then remove it",
    ]
    assert journal(folder).look().memory.ledger == {}


def test_one_that_cannot_be_saved_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = journal(tmp_path / "state")

    def fail(*_arguments: Any, **_more: Any) -> None:
        raise OSError(28, "No space left on device")

    with one.lock() as kept:
        kept.memory.ledger = HELD
        monkeypatch.setattr(one.store._open, "replace", fail)  # type: ignore[attr-defined] # of a FileStore
        with pytest.raises(StateError, match=r"the ledger .*\.owners cannot be written, No space left on device"):
            one.write(None, kept.memory)


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    with (one := journal(folder)).lock() as kept:
        kept.memory.ledger = HELD
        one.write(None, kept.memory)
    (file,) = folder.glob("*.owners")
    elsewhere = file.rename(tmp_path / "elsewhere")
    file.symlink_to(elsewhere)
    with pytest.raises(StateError, match=r"the ledger .*\.owners is a link"):
        journal(folder).look()
