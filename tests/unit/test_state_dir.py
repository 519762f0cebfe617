# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The folder of lock and journal by itself: what is refused and in which words, and how its files come and go."""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from rights import OF_ROOT, SOMEBODY, an_ordinary_user, needs_root, take_the_right_to_write

from ansible_collections.zonesmith.dns.plugins.module_utils._state import state_dir as _state_dir
from ansible_collections.zonesmith.dns.plugins.module_utils._state.state_dir import (
    StateDir,
    StateDirError,
    check_could_be_made,
)

OWN = "set state_dir to a folder of your own"
REMOVE = "find out who made it, and remove it"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the folder is to be; it is not there yet."""
    return tmp_path / "state"


@pytest.fixture
def folder(path: Path) -> Iterator[StateDir]:
    """The folder, made and open."""
    with StateDir.opened(path, make=True) as folder:
        yield folder


def refusal(call: Callable[[], object]) -> str:
    """What a StateDirError says."""
    with pytest.raises(StateDirError) as raised:
        call()
    return str(raised.value)


def opening(path: Path, *, make: bool) -> None:
    """Open a folder, and no more."""
    with StateDir.opened(path, make=make):
        pass


def left_open(path: Path) -> list[str]:
    """What this process has open there."""
    targets = []
    for descriptor in os.listdir("/proc/self/fd"):
        with suppress(OSError):  # the list's own
            targets.append(os.readlink(f"/proc/self/fd/{descriptor}"))
    return [target for target in targets if target.startswith(str(path))]


# The folder


def test_a_folder_is_made_with_its_parents_for_its_user_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        opening(tmp_path / "a" / "b" / "c", make=True)
        opening(tmp_path / "d", make=True)
    finally:
        os.umask(before)
    made = {str(one.relative_to(tmp_path)): stat.S_IMODE(one.stat().st_mode) for one in tmp_path.rglob("*")}
    assert made == {"a": 0o700, "a/b": 0o700, "a/b/c": 0o700, "d": 0o700}


def test_a_path_may_lead_through_a_folder_that_is_only_made_on_the_way(tmp_path: Path) -> None:
    opening(tmp_path / "a" / ".." / "b", make=True)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a", "b"]


def test_a_folder_that_is_missing_is_not_made_unless_asked_for(path: Path) -> None:
    with pytest.raises(FileNotFoundError), StateDir.opened(path):
        pass
    assert not path.exists()


@pytest.mark.parametrize("mode", [0o700, 0o500, 0o750, 0o755, 0o711])
def test_a_folder_that_others_cannot_write_to_is_as_good_as_a_new_one(path: Path, mode: int) -> None:
    path.mkdir()
    path.chmod(mode)
    opening(path, make=True)
    opening(path, make=False)
    assert left_open(path) == []


REFUSED: list[Any] = [
    # how the folder comes to be -> what is said of it
    pytest.param(
        lambda path: path.symlink_to("elsewhere"), "is a link: set state_dir to the folder it leads to", id="a link"
    ),
    pytest.param(lambda path: path.touch(), f"cannot be opened, Not a directory: {OWN}", id="a file"),
    *(
        pytest.param(
            lambda path, mode=mode: (path.mkdir(), path.chmod(mode)),
            "belongs to another user or can be written by others: make it your own with mode 0700, or set state_dir "
            "to another folder",
            id=f"mode {mode:o}",
        )
        for mode in (0o720, 0o702, 0o777)
    ),
    pytest.param(
        lambda path: (path.mkdir(0o700), os.chown(path, SOMEBODY, -1)),
        "belongs to another user or can be written by others: make it your own with mode 0700, or set state_dir "
        "to another folder",
        id="of somebody else",
        marks=needs_root,
    ),
]


@pytest.mark.parametrize("make", [True, False])
@pytest.mark.parametrize(("come_to_be", "said"), REFUSED)
def test_a_folder_that_is_refused(
    path: Path, tmp_path: Path, come_to_be: Callable[[Path], object], said: str, make: bool
) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    come_to_be(path)
    assert refusal(lambda: opening(path, make=make)) == f"state_dir {path} {said}"
    assert left_open(path) == []


@pytest.mark.parametrize(
    ("state_dir", "said"),
    [
        ("~", "this user has no home folder: set state_dir or HOME to a folder of your own"),
        ("~/a", "this user has no home folder: set state_dir or HOME to a folder of your own"),
        ("~nobody-here/a", f"there is no such user: {OWN}"),
    ],
)
def test_a_home_that_is_not_there_is_no_folder_by_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state_dir: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path(state_dir)
    for call in (lambda: opening(path, make=True), lambda: check_could_be_made(path)):
        assert refusal(call) == f"state_dir {path} cannot be made, {said}"
    assert list(tmp_path.iterdir()) == []


def test_the_folder_that_one_is_in_will_do(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.mkdir(mode=0o700)
    monkeypatch.chdir(path)
    opening(Path(), make=True)
    opening(Path("a") / "~", make=True)
    assert (path / "a" / "~").is_dir()


def test_a_folder_that_cannot_be_made_though_there_is_room_for_it(path: Path) -> None:
    too_long = path / ("x" * 256)
    check_could_be_made(too_long)
    said = f"state_dir {too_long} cannot be made, File name too long: {OWN}"
    assert refusal(lambda: opening(too_long, make=True)) == said


def test_a_folder_below_a_file(path: Path) -> None:
    path.touch(mode=0o700)
    below = path / "a" / "b"
    said = f"state_dir {below} cannot be made, {path} cannot be written to: {OWN}"
    assert refusal(lambda: check_could_be_made(below)) == said
    assert refusal(lambda: opening(below, make=True)) == said


def test_a_folder_below_one_that_only_root_can_write_to() -> None:
    path = OF_ROOT / "zonesmith" / "state"
    said = f"state_dir {path} cannot be made, {OF_ROOT} cannot be written to: {OWN}"
    with an_ordinary_user():
        assert refusal(lambda: check_could_be_made(path)) == said
        assert refusal(lambda: opening(path, make=True)) == said


def test_whether_a_folder_could_be_made_is_found_out_without_making_it(path: Path) -> None:
    check_could_be_made(path / "a" / "b")
    assert not path.exists()


def test_a_folder_without_the_right_to_write_is_told_before_it_is_needed(path: Path, folder: StateDir) -> None:
    folder.check_writable()
    take_the_right_to_write(path)
    with an_ordinary_user():
        assert refusal(folder.check_writable) == f"state_dir {path} cannot be written to: give it mode 0700"


# Its files


def test_a_file_is_opened_for_what_it_is_asked_for(path: Path, folder: StateDir) -> None:
    descriptor = folder.create_file("lock")
    os.write(descriptor, b"abc")
    os.close(descriptor)
    descriptor = folder.open_file("lock", "the lock", write=True)
    os.pwrite(descriptor, b"x", 1)
    os.close(descriptor)
    descriptor = folder.open_file("lock", "the lock")
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.write(descriptor, b"y")
    os.close(descriptor)
    assert (path / "lock").read_bytes() == b"axc"
    with pytest.raises(FileExistsError):
        folder.create_file("lock")


def test_a_file_is_for_its_user_alone(path: Path, folder: StateDir) -> None:
    before = os.umask(0)
    try:
        os.close(folder.create_file("lock"))
    finally:
        os.umask(before)
    assert stat.S_IMODE((path / "lock").stat().st_mode) == 0o600


REFUSED_FILES: list[Any] = [
    # how the file comes to be, and whether it is to be written to -> what is said of it
    pytest.param(lambda file: file.symlink_to("other"), False, f"is a link: {REMOVE}", id="a link"),
    pytest.param(lambda file: file.symlink_to("nowhere"), True, f"is a link: {REMOVE}", id="a link to nowhere"),
    pytest.param(lambda file: file.mkdir(), True, "cannot be opened, Is a directory: remove it", id="a folder"),
    pytest.param(lambda file: file.mkdir(), False, f"is no regular file: {REMOVE}", id="a folder to read"),
    pytest.param(lambda file: os.mkfifo(file, 0o600), False, f"is no regular file: {REMOVE}", id="a FIFO"),
    *(
        pytest.param(
            lambda file, mode=mode: (file.touch(), file.chmod(mode)),
            False,
            f"can be written by others: {REMOVE}",
            id=f"mode {mode:o}",
        )
        for mode in (0o620, 0o602)
    ),
    pytest.param(
        lambda file: (file.touch(0o600), os.chown(file, SOMEBODY, -1)),
        False,
        f"belongs to another user: {REMOVE}",
        id="of somebody else",
        marks=needs_root,
    ),
    pytest.param(
        lambda file: file.hardlink_to(file.parent / "other"),
        True,
        f"has a second name, a hard link: {REMOVE}",
        id="a second name",
    ),
]


@pytest.mark.parametrize(("come_to_be", "write", "said"), REFUSED_FILES)
def test_a_file_that_is_refused(
    path: Path, folder: StateDir, come_to_be: Callable[[Path], object], write: bool, said: str
) -> None:
    (path / "other").touch(mode=0o600)
    file = path / "file"
    come_to_be(file)
    assert refusal(lambda: folder.open_file("file", "the file", write=write)) == f"the file {file} {said}"
    assert left_open(file) == []


def test_a_file_that_others_can_only_read_or_that_has_a_second_name_can_be_read(path: Path, folder: StateDir) -> None:
    (path / "file").write_bytes(b"content")
    (path / "file").chmod(0o455)
    (path / "second").hardlink_to(path / "file")
    assert folder.read("second", "the journal") == b"content"
    assert left_open(path) == [str(path)]


def test_no_file_is_nothing_to_read(folder: StateDir) -> None:
    assert folder.read("file", "the journal") is None
    with pytest.raises(FileNotFoundError):
        folder.open_file("file", "the journal")


def test_a_file_is_as_old_as_it_is_whatever_a_link_leads_to(path: Path, folder: StateDir) -> None:
    (path / "file").touch()
    (path / "link").symlink_to("file")
    for name, then in (("file", 1), ("link", 2)):
        os.utime(path / name, ns=(0, then), follow_symlinks=False)
    assert (folder.modified("file"), folder.modified("link")) == (1, 2)
    with pytest.raises(FileNotFoundError):
        folder.modified("nothing")


def test_a_file_is_read_up_to_the_largest_that_we_write(
    path: Path, folder: StateDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_state_dir, "LARGEST", 2**20)
    (path / "file").touch(mode=0o600)
    (path / "file").write_bytes(b"x" * 2**20)
    assert folder.read("file", "the journal") == b"x" * 2**20
    (path / "file").write_bytes(b"x" * (2**20 + 1))
    said = f"the journal {path / 'file'} has more than 1 MiB: {REMOVE}"
    assert refusal(lambda: folder.read("file", "the journal")) == said


def test_a_file_that_turns_out_to_be_larger_than_it_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of the kernel's says that it is empty, as one does that grows while it is read."""
    process = Path(f"/proc/{os.getpid()}")
    with StateDir.opened(process) as folder:
        content = folder.read("maps", "the journal")
        assert content
        monkeypatch.setattr(_state_dir, "LARGEST", len(content) // 2)
        assert refusal(lambda: folder.read("maps", "the journal")).startswith(f"the journal {process}/maps has more ")


def test_a_file_that_cannot_be_read_is_one_sentence() -> None:
    """The memory of a process is a file of which the first byte is none."""
    process = Path(f"/proc/{os.getpid()}")
    with StateDir.opened(process) as folder:
        said = refusal(lambda: folder.read("mem", "the journal"))
    assert said == f"the journal {process}/mem cannot be read, Input/output error"


STEPS: list[Any] = [
    # what is done -> what is on disk in which order: a file with its content, a new name, the folder
    pytest.param(lambda folder: folder.replace("a", b"new"), [b"new", "replace", "folder"], id="replaced"),
    pytest.param(lambda folder: folder.replace("a", b"new", lasting=False), ["replace"], id="replaced for a time"),
    pytest.param(lambda folder: folder.keep("a", b"new"), [b"new", "folder"], id="kept"),
    pytest.param(lambda folder: folder.remove("a"), ["folder"], id="removed"),
]


@pytest.mark.parametrize(("step", "synced"), STEPS)
def test_what_is_done_is_on_disk_in_an_order_that_a_power_failure_can_cut_anywhere(
    folder: StateDir, monkeypatch: pytest.MonkeyPatch, step: Callable[[StateDir], object], synced: list[Any]
) -> None:
    seen: list[Any] = []
    replace = os.replace

    def watch_fsync(descriptor: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        seen.append("folder" if is_folder else Path(f"/proc/self/fd/{descriptor}").read_bytes())

    def watch_replace(source: str, target: str, **folders: int) -> None:
        seen.append("replace")
        replace(source, target, **folders)

    monkeypatch.setattr(os, "fsync", watch_fsync)
    monkeypatch.setattr(os, "replace", watch_replace)
    step(folder)
    assert seen == synced


def test_what_a_run_that_was_killed_has_left_of_a_file_goes_with_the_next_one(path: Path, folder: StateDir) -> None:
    (path / ".a.new").write_bytes(b"half")
    (path / "a").write_bytes(b"old")
    folder.replace("a", b"new")
    assert {file.name: file.read_bytes() for file in path.iterdir()} == {"a": b"new"}


def test_a_file_that_cannot_be_replaced_leaves_nothing_behind(path: Path, folder: StateDir) -> None:
    (path / "a").mkdir()
    with pytest.raises(IsADirectoryError):
        folder.replace("a", b"new")
    assert [file.name for file in path.iterdir()] == ["a"]


def test_a_file_is_removed_and_may_be_gone_already(path: Path, folder: StateDir) -> None:
    (path / "a").touch()
    folder.remove("a")
    folder.remove("a")
    assert list(path.iterdir()) == []


def test_what_is_kept_takes_the_place_of_nothing(path: Path, folder: StateDir, monkeypatch: pytest.MonkeyPatch) -> None:
    assert re.fullmatch(r"a-\d{19}", folder.keep("a", b"one").name)
    times = iter([7, 7, 8])
    monkeypatch.setattr(time, "time_ns", lambda: next(times))
    assert [folder.keep("b", content) for content in (b"two", b"three")] == [path / "b-7", path / "b-8"]
    assert [(path / name).read_bytes() for name in ("b-7", "b-8")] == [b"two", b"three"]
