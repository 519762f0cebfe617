# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The files of a zone: how they are called, which earlier versions have to agree on, and what a look at them tells."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._state.files import FileStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.state_dir import StateDirError

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
        assert (changed.is_open, changed.written, changed.last_write) == (True, b"memory", held.last_write)
    assert other.look().last_write == store.released > held.last_write
    time.sleep(0.05)
    assert 0.05 <= other.look().idle < 60


def test_what_is_saved_is_there_and_what_is_empty_is_not(store: FileStore) -> None:
    with store.lock():
        store.save(b"journal")
        assert store.journal() == b"journal"
        store.save(b"", b"memory")
        assert store.journal() is None
    assert sorted(file.suffix for file in store.folder.iterdir()) == [".lock", ".written"]


def test_what_cannot_be_put_aside_is_told(store: FileStore) -> None:
    with pytest.raises(StateDirError) as raised:
        store.put_aside("broken", b"x")
    assert str(raised.value) == f"the journal {store.path} cannot be put aside, No such file or directory"


def test_check_mode_makes_no_folder(store: FileStore) -> None:
    assert store.preview() is None
    assert not store.folder.exists()
    with store.lock():
        store.save(b"journal")
        assert store.preview() is None  # of a run that is under way
    assert store.preview() == b"journal"
