# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The files of reviewed plans: where they are, what is left of one that fails, and why one cannot be used."""

import os
from pathlib import Path

import pytest
from shorthand import change

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidInput
from ansible_collections.zonesmith.dns.plugins.module_utils._files import file as _file
from ansible_collections.zonesmith.dns.plugins.module_utils._files.file import LARGEST
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Document
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.reviewed import (
    NOTHING,
    plan_text,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._run import plan_file
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import Invocation
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import InvalidOptions
from ansible_collections.zonesmith.dns.plugins.module_utils._run.plan_file import (
    PlanFile,
    keep_plan,
)

ZONE = "example.com."
CHANGES = (change("www", "A", "", "300 192.0.2.1"),)
TEXT = plan_text(ZONE, CHANGES)


@pytest.fixture
def file(tmp_path):
    """The plan of example.com, in a folder that is not there yet."""
    return PlanFile(str(tmp_path / "all" / "plans"), ZONE)


def reviewed(file):
    """What people have reviewed, as another run reads it."""
    of_run = PlanFile(os.path.dirname(file.path), ZONE)
    of_run.read()
    return of_run.reviewed


@pytest.mark.parametrize(
    "zone, name",
    [
        (ZONE, "example.com.json"),
        ("0/26.2.0.192.in-addr.arpa.", "0%2F26.2.0.192.in-addr.arpa.json"),
    ],
)
def test_the_file_is_called_as_the_zone(zone, name):
    assert PlanFile("plans", zone).path == f"plans/{name}"


def test_what_is_kept_is_reviewed(file):
    file.keep(CHANGES, Document())
    assert Path(file.path).read_text(encoding="utf-8") == TEXT
    assert os.listdir(os.path.dirname(file.path)) == ["example.com.json"]
    assert [*reviewed(file).changes] == [("www.example.com.", "A")]
    file.keep(CHANGES, Document())
    file.keep((), Document())
    assert os.listdir(os.path.dirname(file.path)) == []
    assert reviewed(file) == NOTHING


def test_a_plan_may_be_kept_in_the_folder_that_one_is_in(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = PlanFile("", ZONE)
    file.keep(CHANGES, Document())
    assert os.listdir(tmp_path) == ["example.com.json"]
    file.keep((), Document())
    assert os.listdir(tmp_path) == []


def test_what_is_not_there_need_not_be_removed_and_makes_no_folder(file, tmp_path):
    file.keep((), Document())
    assert reviewed(file) == NOTHING
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_who_may_read_a_plan_is_for_the_user_to_say(file, mask):
    before = os.umask(mask)
    try:
        file.keep(CHANGES, Document())
    finally:
        os.umask(before)
    assert os.stat(file.path).st_mode & 0o777 == 0o666 & ~mask


def test_a_plan_is_made_beside_its_place_under_a_name_that_nobody_can_know(file, monkeypatch):
    """Half a plan is in no place where a run looks, and people who list the folder do not see it."""
    moved = []
    replace = os.replace

    def watched(source, target, *, src_dir_fd, dst_dir_fd):
        assert os.path.samefile(f"/proc/self/fd/{src_dir_fd}", os.path.dirname(file.path))
        assert src_dir_fd == dst_dir_fd
        moved.append((source, target))
        replace(source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    monkeypatch.setattr(os, "replace", watched)
    file.keep(CHANGES, Document())
    file.keep(CHANGES, Document())
    (first, target), (second, _target) = moved
    assert target == os.path.basename(file.path)
    assert first != second
    assert first.startswith(".")
    assert first.endswith(".new")
    assert len(first) == len(f".{'0' * 32}.new")


@pytest.mark.parametrize("there", ["file", "link"])
def test_what_is_there_under_that_name_is_neither_opened_nor_followed(
    file, tmp_path, monkeypatch, there
):
    monkeypatch.setattr(_file, "token_hex", lambda number: "0" * 2 * number)
    folder = Path(file.path).parent
    folder.mkdir(parents=True)
    other, precious = folder / f".{'0' * 32}.new", tmp_path / "precious"
    precious.write_text("precious")
    other.symlink_to(tmp_path / "new") if there == "link" else os.link(precious, other)
    with pytest.raises(InvalidOptions) as caught:
        file.keep(CHANGES, Document())
    assert str(caught.value) == f"the plan {file.path} cannot be written: File exists"
    assert precious.read_text() == "precious"
    assert not (tmp_path / "new").exists()
    assert os.listdir(folder) == []


def test_a_plan_that_cannot_be_put_in_its_place_leaves_nothing(file):
    os.makedirs(file.path)
    with pytest.raises(InvalidOptions) as caught:
        file.keep(CHANGES, Document())
    assert str(caught.value) == f"the plan {file.path} cannot be written: Is a directory"
    assert os.listdir(os.path.dirname(file.path)) == ["example.com.json"]
    with pytest.raises(
        InvalidOptions, match=r"example.com.json cannot be written: Is a directory$"
    ):
        file.keep((), Document())


@pytest.mark.parametrize(
    "content, reason",
    [
        (b"\xff", "it is not a plan as check mode writes it"),
        (b"{}", "it is not a plan as check mode writes it"),
        (None, "it is not a file"),
    ],
)
def test_a_plan_that_cannot_be_used(file, content, reason):
    path = Path(file.path)
    path.parent.mkdir(parents=True)
    path.mkdir() if content is None else path.write_bytes(content)
    for _again in range(2):
        with pytest.raises(InvalidOptions) as caught:
            reviewed(file)
        assert str(caught.value) == f"the plan {file.path} cannot be used: {reason}"


def test_a_plan_that_nobody_may_read(tmp_path):
    (tmp_path / "file").write_text("")
    file = PlanFile(str(tmp_path / "file"), ZONE)
    with pytest.raises(InvalidInput) as caught:
        reviewed(file)
    assert str(caught.value) == f"the plan {file.path} cannot be read: Not a directory"


@pytest.mark.parametrize("more", [0, 1])
def test_a_plan_is_read_as_far_as_one_can_be_long(file, monkeypatch, more):
    assert LARGEST == 64 * 2**20
    monkeypatch.setattr(plan_file, "LARGEST", 2**20)
    Path(file.path).parent.mkdir(parents=True)
    Path(file.path).write_text(TEXT + " " * (2**20 - len(TEXT) + more), encoding="utf-8")
    if not more:
        assert [*reviewed(file).changes] == [("www.example.com.", "A")]
        return
    with pytest.raises(InvalidOptions) as caught:
        reviewed(file)
    assert str(caught.value) == f"the plan {file.path} cannot be used: it has more than 64 MiB"


@pytest.mark.parametrize(
    "check_mode, folder, is_there",
    [(True, True, False), (False, True, True), (True, False, True)],
)
def test_check_mode_begins_without_the_plan_of_an_earlier_run(
    tmp_path, check_mode, folder, is_there
):
    PlanFile(str(tmp_path), ZONE).keep(CHANGES, Document())
    options = {"zone": "Example.com", "plan_dir": str(tmp_path) if folder else None}
    keep_plan(Invocation(options, check_mode))
    assert (tmp_path / "example.com.json").exists() is is_there
