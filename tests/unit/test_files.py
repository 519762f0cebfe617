# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The files of a zone: how they are called, which earlier versions have to agree on, and what a look at them tells."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from rights import OF_ROOT, an_ordinary_user, take_the_right_to_write

from ansible_collections.zonesmith.dns.plugins.module_utils._state import files as _files
from ansible_collections.zonesmith.dns.plugins.module_utils._state import lock as _lock
from ansible_collections.zonesmith.dns.plugins.module_utils._state.files import FileStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.state_dir import StateDir, StateDirError
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import NotRemembered, StateError

SERVICE = "https://dns.example.com"


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    """The files of a zone, none of which is there yet."""
    return FileStore(str(tmp_path / "state"), SERVICE, "example.com.")


@pytest.mark.parametrize(
    ("base_url", "zone", "name"),
    [
        (f"{SERVICE}/api", "example.com.", "40015e6723b1db5b-example.com.json"),
        (SERVICE, "0/25.2.0.192.in-addr.arpa.", "0fc7f69c55edc7a5-0%2F25.2.0.192.in-addr.arpa.json"),
    ],
)
def test_the_names_of_files(base_url: str, zone: str, name: str) -> None:
    assert FileStore("/state", base_url, zone).path == Path("/state", name)


def test_a_long_name_is_cut() -> None:
    zone = ".".join(["x" * 49] * 5) + "."
    _sign, _dash, readable = FileStore("/state", SERVICE, zone).path.stem.partition("-")
    assert readable == zone[:150]


@pytest.mark.parametrize(("state_dir", "shown"), [("/a\0b", r"/a\\x00b"), ("/a\ud800", r"/a\\ud800")])
def test_a_folder_that_no_path_leads_to(state_dir: str, shown: str) -> None:
    with pytest.raises(StateDirError, match=rf"^state_dir {shown} is not a path$"):
        FileStore(state_dir, SERVICE, "example.com.")


def test_a_look_tells_that_somebody_has_or_had_the_lock(store: FileStore) -> None:
    other = FileStore(str(store.folder), SERVICE, "example.com.")
    free = other.look()
    assert (free.last_write, store.released, free.is_open, free.written) == (0, 0, False, None)
    began = time.time_ns()
    with store.lock() as before:
        held = other.look()
        assert began <= held.last_write != before.last_write
        assert 0 <= held.idle < 60
        store.save(b"journal", b"memory")
        changed = other.look()
        assert (changed.is_open, changed.written) == (True, b"memory")
        assert changed.last_write > held.last_write, "or a run that dies here has written nothing that others know of"
    assert other.look().last_write == store.released > changed.last_write


def test_a_lock_is_taken_and_freed_at_times_that_tell_two_requests_apart(
    store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel's own clock for files is coarser."""
    times = iter([10**18 + 1, 10**18 + 2])
    with monkeypatch.context() as patched:
        patched.setattr(time, "time_ns", lambda: next(times))
        with store.lock():
            assert store.look().last_write == 10**18 + 1
    assert store.look().last_write == store.released == 10**18 + 2


def test_a_look_tells_how_long_nobody_had_the_lock(store: FileStore) -> None:
    with store.lock():
        pass
    (file,) = store.folder.iterdir()
    for moment in (time.time() - 3600, time.time()):
        os.utime(file, (moment, moment))
        changed, before = file.stat().st_mtime_ns / 1e9, time.time()
        idle = store.look().idle
        assert before - changed <= idle <= time.time() - changed


def test_the_lock_is_waited_for_ten_minutes(store: FileStore, clock: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with store.lock():
        monkeypatch.setattr(_lock, "machine", lambda: clock)
        monkeypatch.setattr(_lock, "PAUSE", 450.0)
        with pytest.raises(StateError, match=r" and did not let go of it within 600 seconds; "), store.lock():
            pass
    assert clock.waits == [450, 150]


def test_a_note_of_who_has_the_lock_is_there_as_long_as_he_has_it(store: FileStore) -> None:
    with store.lock():
        (file,) = store.folder.iterdir()
        assert f'"pid": {os.getpid()}' in file.read_text(encoding="utf-8")
    assert file.read_bytes() == b""


def test_what_is_saved_is_there_and_what_is_empty_is_not(store: FileStore) -> None:
    with store.lock():
        store.save(b"journal")
        assert store.journal() == b"journal"
        store.save(b"", b"memory")
        assert store.journal() is None
    assert sorted(file.suffix for file in store.folder.iterdir()) == [".lock", ".written"]


def test_what_is_put_aside_bears_the_name_of_the_zone(store: FileStore) -> None:
    with store.lock():
        kept = store.put_aside("broken", b"content")
    assert kept.startswith(f"{store.path.with_suffix('')}.broken-")
    assert Path(kept).read_bytes() == b"content"


def test_what_cannot_be_kept_is_told(store: FileStore) -> None:
    for keep, what in (
        (lambda: store.put_aside("broken", b"x"), "put aside"),
        (lambda: store.save(b"journal"), "written"),
        (lambda: store.save(b""), "written"),
    ):
        with pytest.raises(StateDirError) as raised:
            keep()
        assert str(raised.value) == f"the journal {store.place} cannot be {what}, No such file or directory"
    assert store.place == str(store.path)


def test_a_journal_that_is_no_file_is_told(store: FileStore) -> None:
    with store.lock():
        store.path.mkdir()
        said = f"the journal {store.path} is no regular file: find out who made it, and remove it"
        for read in (store.journal, FileStore(str(store.folder), SERVICE, "example.com.", 0).journal):
            with pytest.raises(StateDirError) as raised:
                read()
            assert str(raised.value) == said
    with pytest.raises(StateDirError) as raised:
        store.preview()
    assert str(raised.value) == said


def test_the_memory_is_not_waited_for_until_it_is_on_the_disk(
    store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.lock():
        monkeypatch.setattr(os, "fsync", lambda _descriptor: pytest.fail("waited for"))
        store.save(None, b"memory")
        assert store.look().written == b"memory"


def test_a_memory_that_cannot_be_written_is_told_of_once_all_else_is(
    store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = StateDir.replace

    def no_memory(folder: StateDir, name: str, content: bytes, **how: bool) -> None:
        if content == b"memory":
            raise OSError(28, "No space left on device")
        replace(folder, name, content, **how)

    monkeypatch.setattr(StateDir, "replace", no_memory)
    with store.lock(), pytest.raises(NotRemembered, match=r"^the note of what was written .*No space left on device$"):
        store.save(b"journal", b"memory")
    assert store.journal() == b"journal"


def test_where_there_is_no_folder_nothing_is_remembered(store: FileStore) -> None:
    with pytest.raises(NotRemembered):
        store.save(None, b"memory")
    assert store.look().written is None
    assert not store.folder.exists()


def test_check_mode_makes_no_folder(store: FileStore) -> None:
    assert store.preview() is None
    assert not store.folder.exists()
    with store.lock():
        store.save(b"journal")
        assert (store.preview(), store.holder()[:5]) == (b"journal", "host ")
    assert (store.preview(), store.holder()) == (b"journal", "")


def test_check_mode_finds_that_no_folder_can_be_made() -> None:
    with an_ordinary_user(), pytest.raises(StateDirError) as raised:
        FileStore(str(OF_ROOT / "zonesmith" / "state"), SERVICE, "example.com.").preview()
    assert f"cannot be made, {OF_ROOT} cannot be written to" in str(raised.value)


def test_check_mode_finds_that_the_folder_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    take_the_right_to_write(folder)
    monkeypatch.chdir(folder)
    with an_ordinary_user(), pytest.raises(StateDirError) as raised:
        FileStore(".", SERVICE, "example.com.").preview()
    assert str(raised.value) == "state_dir . cannot be written to: give it mode 0700"


@pytest.mark.parametrize(
    ("kind", "is_told"),
    [*((kind, True) for kind in ("overlay", "tmpfs", "ramfs", "aufs")), ("ext4", False), ("nfs4", False), ("", False)],
)
def test_a_folder_that_ends_with_its_machine(
    store: FileStore, monkeypatch: pytest.MonkeyPatch, kind: str, is_told: bool
) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(_files, "file_system", lambda _path: kind)
    assert store.ends_early() == (f"state_dir {store.folder} is on {kind}" if is_told else "")
    monkeypatch.setenv("CI", "true")
    assert store.ends_early() == f"state_dir {store.folder} is on the machine of a CI job"
