# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The pace that processes share by a note: what each tells in it, what it reads, and what makes no sense."""

from __future__ import annotations

import fcntl
import json
import math
import os
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._service import pacing
from ansible_collections.zonesmith.dns.plugins.module_utils._service.pace import BELOW, SLOWEST, Pace
from ansible_collections.zonesmith.dns.plugins.module_utils._service.pacing import LOOKS_AGAIN, Pacing, kept_pace
from ansible_collections.zonesmith.dns.plugins.module_utils._state import file_note
from ansible_collections.zonesmith.dns.plugins.module_utils._state.file_note import FileNote


class InMemory:
    """A note, and how often it was read and changed."""

    ahead = 0.0

    def __init__(self) -> None:
        self.content = b""
        self.reads = self.changes = 0

    def read(self) -> bytes:
        self.reads += 1
        return self.content

    def change(self, to: Callable[[bytes], bytes]) -> None:
        self.changes += 1
        self.content = to(self.content)

    def keep(self) -> None:
        """Others see it."""


@pytest.fixture
def note(clock: Any, monkeypatch: pytest.MonkeyPatch) -> InMemory:
    """The note of all in a test, on a machine whose time goes on where a test says so."""
    monkeypatch.setattr(pacing, "machine", lambda: clock)
    return InMemory()


def sharing(*with_note: InMemory) -> Pacing:
    """One more process."""
    pacing = Pacing()
    for note in with_note:
        pacing.share(note)
    return pacing


def take(pacing: Pacing, now: float, requests: int) -> None:
    for _request in range(requests):
        pacing.begins(now)
        pacing.took()


def test_who_meets_a_limit_tells_the_others(clock: Any, note: InMemory) -> None:
    first, second, third = sharing(note), sharing(note), sharing()
    now = clock.monotonic()
    take(first, now, 20)
    first.refused(now, now + 1, 1.0)
    clock.turn(2)
    now = clock.monotonic()
    begins = [pacing.begins(now) for pacing in (first, second, first, second)]
    step = 1 / (BELOW * 20)
    assert begins == pytest.approx([now, now + step, now + 2 * step, now + 3 * step], abs=1e-3)
    assert [third.begins(now) for _request in range(2)] == [now, now], "it has no note"


def test_what_each_has_taken_counts_together(clock: Any, note: InMemory) -> None:
    crew = [sharing(note) for _process in range(4)]
    now = clock.monotonic()
    for one in crew:
        take(one, now, 5)
    for one in crew:
        one.refused(now, now + 1, 1.0)
    clock.turn(1.1)
    crew[0].begins(clock.monotonic())
    kept = kept_pace(note.content, clock.time() - clock.monotonic(), clock.time())
    assert kept
    assert kept.learned == pytest.approx(BELOW * 20)


def test_what_was_taken_is_told_once(clock: Any, note: InMemory) -> None:
    one = sharing(note)
    now = clock.monotonic()
    take(one, now, 10)
    one.refused(now, now + 1, 1.0)
    one.refused(now, now + 1, 1.0)
    assert json.loads(note.content)["pace"]["taken"] == 10


def test_the_note_is_left_alone_while_there_is_no_pace(clock: Any, note: InMemory) -> None:
    one = sharing(note)
    for _request in range(100):
        one.begins(clock.monotonic())
        one.took()
    assert (note.reads, note.changes) == (1, 0)
    clock.turn(LOOKS_AGAIN)
    one.begins(clock.monotonic())
    assert (note.reads, note.changes) == (2, 0)


GOOD = asdict(Pace(learned=20.0, last=100.0, since=90.0))


@pytest.mark.parametrize(
    "told",
    [
        {**GOOD, "learned": 0},
        {**GOOD, "learned": -1},
        {**GOOD, "learned": 1e-9},
        {**GOOD, "learned": SLOWEST / 2},
        {**GOOD, "learned": math.nan},
        {**GOOD, "learned": "20"},
        {**GOOD, "learned": True},
        {**GOOD, "learned": None},
        {**GOOD, "taken": -1},
        {**GOOD, "taken": 1e300},
        {**GOOD, "taken": math.inf},
        {**GOOD, "used": -1},
        {**GOOD, "counted": -1},
        {**GOOD, "counted": 1e300},
        {**GOOD, "asked": -1},
        {**GOOD, "asked": math.inf},
        {**GOOD, "seconds": -1},
        {**GOOD, "seconds": math.inf},
        {**GOOD, "since": 1e300},
        {**GOOD, "refused_at": 1e300},
        {**GOOD, "opens_at": 1e300},
        {**GOOD, "opens_at": math.inf},
        {**GOOD, "shut_at": 1e300},
        {**GOOD, "next_at": 1e300},
        {**GOOD, "last": 1e300},
        {**GOOD, "last": 10**400},
        {name: told for name, told in GOOD.items() if name != "last"},
        [GOOD],
        [],
        7,
        None,
    ],
)
def test_what_makes_no_sense_is_no_pace(told: Any) -> None:
    assert kept_pace(json.dumps({"pace": told}).encode(), 0.0, time.time()) is None


def test_a_note_of_no_seconds_stops_nobody(clock: Any, note: InMemory) -> None:
    forged = Pace(learned=20.0, counted=9, taken=9, since=clock.time(), refused_at=clock.time(), opens_at=clock.time())
    note.content = json.dumps({"pace": asdict(forged)}).encode()
    now = clock.monotonic()
    assert sharing(note).begins(now) == now


@pytest.mark.parametrize("content", [b"", b"{", b"{}", b"[]", b"7", b"\xff", b"[" * 4000])
def test_what_is_no_json_is_no_pace(content: bytes) -> None:
    assert kept_pace(content, 0.0, time.time()) is None


def test_what_is_kept_is_read_by_the_clock_of_who_reads() -> None:
    kept = kept_pace(json.dumps({"pace": GOOD}).encode(), 60.0, time.time())
    assert kept
    assert (kept.learned, kept.last, kept.since) == (20, 40, 30)


# The note as a file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    folder.mkdir(mode=0o700)
    return folder


def appended(note: FileNote, more: bytes) -> list[bytes]:
    """What a note said when it was changed."""
    said: list[bytes] = []

    def to(content: bytes) -> bytes:
        said.append(content)
        return content + more

    note.change(to)
    return said


def test_a_file_keeps_the_note_of_a_service(folder: Path) -> None:
    one, same = (FileNote(str(folder), "https://one.example") for _process in range(2))
    other = FileNote(str(folder), "https://other.example")
    assert one.read() == b""
    assert (appended(one, b"a"), appended(same, b"b"), appended(other, b"c")) == ([b""], [b"a"], [b""])
    assert (one.read(), other.read()) == (b"ab", b"c")
    one.change(lambda _content: b"")
    assert one.read() == b""
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}


@pytest.mark.parametrize("wrong", ["missing", "a link", "of others", "no path", "a file that is a link", "a folder"])
def test_a_note_that_cannot_be_had_is_empty(folder: Path, tmp_path: Path, wrong: str) -> None:
    note = FileNote(str(folder), "https://one.example")
    appended(note, b"a")
    (file,) = folder.iterdir()
    if wrong == "missing":
        note = FileNote(str(tmp_path / "elsewhere"), "https://one.example")
    elif wrong == "a link":
        (tmp_path / "link").symlink_to(folder)
        note = FileNote(str(tmp_path / "link"), "https://one.example")
    elif wrong == "of others":
        folder.chmod(0o777)
    elif wrong == "no path":
        note = FileNote("\0", "https://one.example")
    else:
        file.unlink()
        file.symlink_to(tmp_path / "target") if wrong == "a file that is a link" else file.mkdir()
    assert (note.read(), appended(note, b"b"), note.read()) == (b"", [b""], b"")


def test_who_does_not_let_go_of_the_note_is_not_waited_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note = FileNote(str(folder), "https://one.example")
    appended(note, b"a")
    monkeypatch.setattr(file_note, "PAUSE", 0.0)
    (file,) = folder.iterdir()
    descriptor = os.open(file, os.O_RDWR)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        assert appended(note, b"b") == [b""]
    finally:
        os.close(descriptor)
    assert note.read() == b"a"
    assert appended(note, b"c") == [b"a"]


def test_what_fails_while_a_note_is_changed_comes_out_of_it(folder: Path) -> None:
    note = FileNote(str(folder), "https://one.example")
    with pytest.raises(KeyError):
        note.change(lambda content: {}[content])
    assert appended(note, b"a") == [b""]
