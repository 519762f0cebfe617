# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A file as a lock by itself: how long it is waited for, which note counts, and what it leaves behind."""

from __future__ import annotations

import calendar
import fcntl
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rights import an_ordinary_user, take_the_right_to_write

from ansible_collections.zonesmith.dns.plugins.module_utils._state import lock as _lock
from ansible_collections.zonesmith.dns.plugins.module_utils._state.lock import (
    Holder,
    held_by,
    held_lock,
    holder_of,
    sign,
    unsign,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.state_dir import StateDir, StateDirError
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError

SINCE = "2026-01-02T03:04:05Z"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The lock file, which is not there yet."""
    return tmp_path / "state" / "zone.lock"


@pytest.fixture
def folder(file: Path) -> Iterator[StateDir]:
    """Its folder."""
    with StateDir.opened(file.parent, make=True) as folder:
        yield folder


@pytest.fixture
def waits(clock: Any, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses of those who wait for a lock, on a clock that only these move."""
    looks = []

    def monotonic() -> float:
        looks.append(now())
        assert len(looks) < 20, "it does not pause"
        return looks[-1]

    now = clock.monotonic
    monkeypatch.setattr(clock, "monotonic", monotonic)
    monkeypatch.setattr(_lock, "machine", lambda: clock)
    waits: list[float] = clock.waits
    return waits


def descriptors(file: Path) -> int:
    """How often this process has the file open."""
    links = [f"/proc/self/fd/{descriptor}" for descriptor in os.listdir("/proc/self/fd")]
    return sum(os.path.lexists(link) and os.readlink(link) == str(file) for link in links)


def a_note(**fields: Any) -> bytes:
    """A note that names host a and process 7, but for these fields; one that is ... is left out."""
    note = {"host": "a", "pid": 7, "since": SINCE, **fields}
    return json.dumps({name: value for name, value in note.items() if value is not ...}).encode()


def test_whether_a_lock_is_held_can_be_asked_for_without_a_trace(folder: StateDir, file: Path) -> None:
    assert not held_by(folder, file)
    assert not file.exists()
    with held_lock(folder, file, 0):
        assert held_by(folder, file)
        assert descriptors(file) == 1
    assert not held_by(folder, file)
    assert descriptors(file) == 0


def test_a_new_lock_was_never_written(folder: StateDir, file: Path) -> None:
    with held_lock(folder, file, 0):
        assert folder.modified(file.name) == 0


def test_who_only_asks_is_in_nobodys_way(folder: StateDir, file: Path) -> None:
    with held_lock(folder, file, 0):
        pass
    with file.open("rb") as asking:
        fcntl.flock(asking, fcntl.LOCK_SH)
        assert not held_by(folder, file)


def test_a_lock_is_waited_for_to_the_end_of_the_time_and_not_longer(
    folder: StateDir, file: Path, waits: list[float]
) -> None:
    with held_lock(folder, file, 0) as descriptor:
        os.write(descriptor, a_note())
        for timeout in (0, 0.05):
            with pytest.raises(StateError) as raised, held_lock(folder, file, timeout):
                pass
            assert str(raised.value) == (
                f"another run holds the lock on the zone (host a, pid 7, since {SINCE}) and did not let go of it "
                f"within {timeout} seconds; nothing was changed: run the task again when the other has ended, end "
                "that one if it hangs, or set a longer lock_timeout"
            )
        assert waits == pytest.approx([0.02, 0.02, 0.01])
        assert descriptors(file) == 1


def test_a_lock_that_is_let_go_of_meanwhile_is_taken(
    folder: StateDir, file: Path, clock: Any, waits: list[float]
) -> None:
    other = held_lock(folder, file, 0)
    other.__enter__()
    clock.on_wait = lambda _seconds: other.__exit__(None, None, None) if len(waits) == 2 else None
    with held_lock(folder, file, 600):
        assert held_by(folder, file)
    assert len(waits) == 2


def test_a_file_that_says_nothing_of_its_holder_is_named_itself(folder: StateDir, file: Path) -> None:
    with (
        held_lock(folder, file, 0),
        pytest.raises(StateError) as raised,
        held_lock(folder, file, 0),
    ):
        pass
    assert f"holds the lock on the zone ({file}) and did not" in str(raised.value)


def test_a_lock_that_was_removed_while_it_was_waited_for_is_made_anew(
    folder: StateDir, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flock, removed = fcntl.flock, []

    def remove_first(descriptor: int, operation: int) -> None:
        if not removed:
            removed.append(file.unlink())
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", remove_first)
    with held_lock(folder, file, 0) as descriptor:
        assert os.path.samestat(os.fstat(descriptor), file.stat())
    assert descriptors(file) == 0


@pytest.mark.parametrize("asks", [False, True])
def test_a_file_system_without_locks(folder: StateDir, file: Path, monkeypatch: pytest.MonkeyPatch, asks: bool) -> None:
    with held_lock(folder, file, 0):
        pass

    def no_locks(_descriptor: int, _operation: int) -> None:
        raise OSError(37, "No locks available")  # needs an old NFS

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with pytest.raises(StateDirError) as raised:
        held_by(folder, file) if asks else held_lock(folder, file, 0).__enter__()
    assert str(raised.value) == f"{file} cannot be locked, No locks available; set state_dir to a local folder"
    assert descriptors(file) == 0


def test_a_lock_that_cannot_be_made(folder: StateDir, file: Path) -> None:
    file = file.with_name("x" * 256)
    with pytest.raises(StateDirError) as raised, held_lock(folder, file, 0):
        pass
    assert str(raised.value) == f"the lock {file} cannot be made, File name too long"


def test_a_lock_that_cannot_be_made_because_its_folder_must_not_be_written_to(folder: StateDir, file: Path) -> None:
    take_the_right_to_write(file.parent)
    with an_ordinary_user(), pytest.raises(StateDirError) as raised, held_lock(folder, file, 0):
        pass
    assert str(raised.value) == f"state_dir {file.parent} cannot be written to: give it mode 0700"


@pytest.mark.parametrize("asks", [False, True])
def test_a_lock_with_a_second_name_is_refused(folder: StateDir, file: Path, asks: bool) -> None:
    file.touch(mode=0o600)
    file.with_name("second").hardlink_to(file)
    with pytest.raises(StateDirError) as raised:
        held_by(folder, file) if asks else held_lock(folder, file, 0).__enter__()
    assert str(raised.value) == (f"the lock {file} has a second name, a hard link: find out who made it, and remove it")


# The note


def test_the_note_tells_who_holds_the_lock_and_since_when(folder: StateDir, file: Path) -> None:
    began = calendar.timegm(time.gmtime())  # by the note's own clock: that of time.time() is a tick ahead of it
    with held_lock(folder, file, 0) as descriptor:
        os.write(descriptor, b"x" * 1000)
        sign(descriptor)
        holder = holder_of(descriptor)
        assert holder
        assert (holder.host, holder.pid) == (os.uname().nodename, os.getpid())
        assert began <= calendar.timegm(time.strptime(holder.since, "%Y-%m-%dT%H:%M:%SZ")) <= time.time()
        assert json.loads(file.read_bytes()) == {"host": holder.host, "pid": holder.pid, "since": holder.since}
        unsign(descriptor)
        assert file.read_bytes() == b""
        assert holder_of(descriptor) is None


def test_a_holder_in_words() -> None:
    assert str(Holder("\x1b[1mhost", 7, SINCE)) == rf"host \x1b[1mhost, pid 7, since {SINCE}"


@pytest.mark.parametrize(
    ("note", "is_told"),
    [
        (a_note(), True),
        (a_note(host="a" * 255), True),
        (a_note(host="a" * 256), False),
        (a_note(more="x" * (1000 - len(a_note(more="")))), True),
        (a_note(more="x" * (1001 - len(a_note(more="")))), False),
        *((a_note(**{name: ...}), False) for name in ("host", "pid", "since")),
        *((a_note(host=host), False) for host in (None, 7, ["a"])),
        *((a_note(pid=pid), False) for pid in (None, "7", True, 7.0)),
        *((a_note(since=since), False) for since in (None, 7, "", "yesterday", f"{SINCE} ", SINCE[:-1])),
        (b"", False),
        (b"no JSON", False),
        (b"[" * 1000, False),
        (b"\xff\x00", False),
        (b"[7]", False),
    ],
)
def test_which_note_is_believed(folder: StateDir, note: bytes, is_told: bool) -> None:
    descriptor = folder.create_file("noted")
    os.write(descriptor, note)
    holder = holder_of(descriptor)
    os.close(descriptor)
    assert holder == (Holder(json.loads(note)["host"], 7, SINCE) if is_told else None)
