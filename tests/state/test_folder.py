# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can happen to a store in a folder alone: hostile files, a full disk, no rights, no locks, a power failure."""

import errno
import fcntl
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from kept import FULL, PLAIN, SERVICE

sys.path.append(str(Path(__file__).resolve().parents[1] / "unit"))
from rights import SOMEBODY, an_ordinary_user, needs_root, take_the_right_to_write

from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Document
from ansible_collections.zonesmith.dns.plugins.module_utils._state import folder as _folder
from ansible_collections.zonesmith.dns.plugins.module_utils._state.folder import (
    FolderStore,
    StateDir,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError

OWN = (
    "set state_dir, or the environment variable ZONESMITH_STATE_DIR, to a folder of your own, or keep the state in a "
    "database with state_url"
)
REMOVE = "find out who created it, and remove it"
OTHERS = (
    "belongs to another user or can be written by others: make it your own with mode 0700, or set state_dir to another "
    "folder"
)


@pytest.fixture
def path(tmp_path):
    """Where the folder is to be; it is not there yet."""
    return tmp_path / "state"


def store_in(path, patience=0):
    """A store there."""
    return FolderStore(str(path), SERVICE, "example.com.", patience)


def keep(path, document=FULL):
    """Keep something there, and tell in which file."""
    store = store_in(path)
    with store.lock():
        store.save(document)
    return Path(store.place)


def refusal(call):
    """What a StateError says."""
    with pytest.raises(StateError) as raised:
        call()
    return str(raised.value)


def lock(path):
    """Take the lock there, and no more."""
    with store_in(path).lock():
        pass


def left_open(path):
    """What this process has open there."""
    targets = []
    for descriptor in os.listdir("/proc/self/fd"):
        with suppress(OSError):  # the list's own
            targets.append(os.readlink(f"/proc/self/fd/{descriptor}"))
    return [target for target in targets if target.startswith(str(path))]


def failing(number):
    """What stands in for a call that fails so."""

    def fails(*_given, **_named):
        raise OSError(number, os.strerror(number))

    return fails


# The folder


def test_it_is_made_with_its_parents_and_is_for_its_user_alone_with_its_files(tmp_path):
    folder = tmp_path / "a" / "b"
    before = os.umask(0)
    try:
        keep(folder)
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert len([*folder.iterdir()]) == 2
    for file in folder.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert left_open(tmp_path) == []


def test_a_missing_folder_holds_nothing_and_who_looks_makes_none(path):
    store = store_in(path)
    assert (store.load(), store.warnings) == (Document(), [])
    assert not path.exists()


@pytest.mark.parametrize("mode", [0o700, 0o755])
def test_a_folder_that_others_cannot_write_to_is_as_good_as_a_new_one(path, mode):
    path.mkdir()
    path.chmod(mode)
    keep(path)
    assert store_in(path).load() == FULL


def with_mode(make, mode):
    """Makes a file or folder with that mode."""
    return lambda path: (make(path), path.chmod(mode))


def of_somebody(make):
    """Makes a file or folder of somebody else."""
    return lambda path: (make(path), os.chown(path, SOMEBODY, -1))


REFUSED = [
    # how the folder comes to be -> what is said of it
    (
        lambda path: path.symlink_to("elsewhere"),
        "is a link: set state_dir to the folder it leads to",
    ),
    (Path.touch, f"cannot be used: Not a directory: {OWN}"),
    (with_mode(Path.mkdir, 0o720), OTHERS),
    (with_mode(Path.mkdir, 0o702), OTHERS),
    pytest.param(of_somebody(Path.mkdir), OTHERS, marks=needs_root),
]


@pytest.mark.parametrize("come_to_be, message", REFUSED)
def test_a_folder_that_is_refused(path, tmp_path, come_to_be, message):
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    come_to_be(path)
    for call in (lambda: lock(path), store_in(path).load):
        assert refusal(call) == f"state_dir {path} {message}"
    assert left_open(path) == []


def test_a_home_that_is_not_there_is_no_folder_by_that_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    message = f"state_dir ~/a cannot be used: there is no such home folder: {OWN}"
    for call in (lambda: lock(Path("~/a")), store_in(Path("~/a")).load):
        assert refusal(call) == message
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made(path):
    path.touch(mode=0o700)
    said = refusal(lambda: lock(path / "a"))
    assert said == f"state_dir {path / 'a'} cannot be used: Not a directory: {OWN}"


def test_a_folder_without_the_right_to_write_is_told_before_anything_is_written(path, monkeypatch):
    keep(path)
    take_the_right_to_write(path)
    for file in path.iterdir():
        os.chown(file, path.stat().st_uid, -1)
    monkeypatch.chdir(path)
    with an_ordinary_user():
        assert store_in(Path()).load() == FULL
        said = refusal(lambda: keep(Path()))
    assert said == f"state_dir . cannot be used: Permission denied: {OWN}"


# Its files

NOT_ALONE = f"is not a file of yours alone: {REMOVE}"
FILES = [
    # how a file comes to be -> what is said of it
    (
        lambda file: file.symlink_to("other"),
        f"cannot be opened: Too many levels of symbolic links: {REMOVE}",
    ),
    (os.mkfifo, NOT_ALONE),
    (with_mode(Path.touch, 0o620), NOT_ALONE),
    (with_mode(Path.touch, 0o602), NOT_ALONE),
    pytest.param(of_somebody(Path.touch), NOT_ALONE, marks=needs_root),
]


OF_LOCKS = [
    (Path.mkdir, f"cannot be opened: Is a directory: {REMOVE}"),
    (lambda file: file.hardlink_to(file.with_name("other")), NOT_ALONE),
]


@pytest.mark.parametrize("come_to_be, message", FILES)
def test_a_document_that_is_refused(path, come_to_be, message):
    file = made_otherwise(keep(path), come_to_be)
    for call in (lambda: lock(path), store_in(path).load):
        assert refusal(call) == f"the document of the zone {file} {message}"
    assert left_open(path) == []


@pytest.mark.parametrize("come_to_be, message", [*FILES, *OF_LOCKS])
def test_a_lock_that_is_refused(path, come_to_be, message):
    """What it leads to would be written over."""
    file = made_otherwise(keep(path).with_suffix(".lock"), come_to_be)
    assert refusal(lambda: lock(path)) == f"the lock {file} {message}"
    assert (path / "other").read_text() == "content"
    assert left_open(path) == []


def made_otherwise(file, come_to_be):
    """Another file in its place, beside one that it may lead to."""
    other = file.with_name("other")
    other.write_text("content")
    other.chmod(0o600)
    file.unlink()
    come_to_be(file)
    return file


def test_a_file_is_read_up_to_the_largest_that_is_written(path, monkeypatch):
    file = keep(path)
    monkeypatch.setattr(_folder, "LARGEST", 2**20)
    file.write_bytes(file.read_bytes().ljust(2**20))
    assert store_in(path).load() == FULL
    file.write_bytes(file.read_bytes() + b" ")
    message = f"the document of the zone {file} has more than 1 MiB: {REMOVE}"
    assert [refusal(call) for call in (lambda: lock(path), store_in(path).load)] == [message] * 2


def test_a_file_that_turns_out_to_be_larger_than_it_said(monkeypatch):
    """A file of the kernel's says that it is empty, as one does that grows while it is read."""
    process = Path(f"/proc/{os.getpid()}")
    with StateDir.opened(process) as folder:
        content = folder.read("maps")
        assert content
        monkeypatch.setattr(_folder, "LARGEST", len(content) // 2)
        assert " has more than " in refusal(lambda: folder.read("maps"))
        assert refusal(lambda: folder.read("mem")).endswith("cannot be read: Input/output error")


# Writing


def test_what_is_saved_is_on_disk_in_an_order_that_a_power_failure_can_cut_anywhere(
    path, monkeypatch
):
    seen = []
    replace, fsync = os.replace, os.fsync

    def watch_fsync(descriptor):
        seen.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        fsync(descriptor)

    def watch_replace(source, target, **folders):
        seen.append("replace")
        replace(source, target, **folders)

    monkeypatch.setattr(os, "fsync", watch_fsync)
    monkeypatch.setattr(os, "replace", watch_replace)
    keep(path)
    assert seen == ["file", "replace", "folder"]


@pytest.mark.parametrize("place, call", [(StateDir, "create_file"), (os, "fsync"), (os, "replace")])
def test_on_a_full_disk_the_document_of_before_stays(path, monkeypatch, place, call):
    file = keep(path)
    store = store_in(path)
    with store.lock(), monkeypatch.context() as patch:
        patch.setattr(place, call, failing(errno.ENOSPC))
        message = refusal(lambda: store.save(PLAIN))
    assert message == f"the document of the zone {file} cannot be written: No space left on device"
    assert store_in(path).load() == FULL
    assert sorted(one.suffix for one in path.iterdir()) == [".json", ".lock"]


def test_a_lock_that_cannot_be_made_on_a_full_disk(path, monkeypatch):
    file = keep(path).with_suffix(".lock")
    file.unlink()
    monkeypatch.setattr(StateDir, "create_file", failing(errno.ENOSPC))
    said = refusal(lambda: lock(path))
    assert said == f"the lock {file} cannot be created: No space left on device: {OWN}"


def test_on_a_full_disk_there_is_a_lock_without_a_note(path, monkeypatch):
    monkeypatch.setattr(os, "pwrite", failing(errno.ENOSPC))
    with store_in(path).lock():
        assert "another run holds the lock on the zone (unknown) and" in refusal(lambda: lock(path))


def test_what_a_run_that_was_killed_has_left_of_a_file_goes_with_the_next_one(path):
    file = keep(path)
    file.with_name(f".{file.name}.new").write_bytes(b"half")
    keep(path, PLAIN)
    assert store_in(path).load() == PLAIN
    assert sorted(one.suffix for one in path.iterdir()) == [".json", ".lock"]


def test_what_is_put_aside_is_in_a_file_beside_it(path):
    file = keep(path)
    file.write_bytes(b"half")
    lock(path)
    (aside,) = path.glob("*.aside")
    assert aside.read_bytes() == b"half"
    assert stat.S_IMODE(aside.stat().st_mode) == 0o600
    assert not file.exists()


def test_what_cannot_be_put_aside_is_one_sentence(path, monkeypatch):
    file = keep(path)
    file.write_bytes(b"half")
    monkeypatch.setattr(os, "rename", failing(errno.EIO))
    message = f"the document of the zone {file} cannot be moved: Input/output error"
    assert refusal(lambda: lock(path)) == message


# The lock


def test_a_file_system_without_locks(path, monkeypatch):
    file = keep(path).with_suffix(".lock")
    monkeypatch.setattr(fcntl, "flock", failing(errno.ENOLCK))  # as an old NFS does
    message = f"{file} cannot be locked: No locks available; set state_dir to a local folder"
    assert refusal(lambda: lock(path)) == message
    assert left_open(path) == []


def test_a_lock_that_was_removed_while_it_was_waited_for_is_made_anew(path, monkeypatch):
    file = keep(path).with_suffix(".lock")
    flock, removed = fcntl.flock, []

    def remove_first(descriptor, operation):
        if not removed:
            removed.append(file.unlink())
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", remove_first)
    with store_in(path).lock():
        assert refusal(lambda: lock(path))
    assert left_open(path) == []


def test_the_note_goes_with_the_lock(path):
    file = keep(path).with_suffix(".lock")
    assert file.read_bytes() == b""
    with store_in(path).lock():
        assert file.read_text().startswith(
            f"host {os.uname().nodename}, pid {os.getpid()}, since 20"
        )


def test_a_note_cannot_write_to_the_terminal(path):
    file = keep(path).with_suffix(".lock")
    with store_in(path).lock():
        for note in (
            b"",
            b"\xff",
            b"host \x1b[1ma, pid 7, since 2026-01-01T00:00:00Z",
            b"x" * 1000,
        ):
            file.write_bytes(note)
            message = refusal(lambda: lock(path))
            assert message.isprintable()
            assert len(message) < 700


def test_no_zone_leads_out_of_the_folder(path):
    for zone in ("../../x.example.", "/etc/x.example.", f"{'a' * 60}." * 4 + "example."):
        store = FolderStore(str(path), SERVICE, zone)
        with store.lock():
            store.save(PLAIN)
        assert Path(store.place).parent == path
        assert store.load() == PLAIN
