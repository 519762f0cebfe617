# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The files of reviewed plans: where they are, what is left of one that fails, and why one cannot be used."""

import os
import re
from pathlib import Path

import pytest
from shorthand import change

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidInput
from ansible_collections.zonesmith.dns.plugins.module_utils._files import file as _file
from ansible_collections.zonesmith.dns.plugins.module_utils._files.file import LARGEST
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.reviewed import (
    NOTHING,
    plan_text,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._run import plan_file
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import Invocation
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import InvalidOptions
from ansible_collections.zonesmith.dns.plugins.module_utils._run.plan_file import (
    plan_path,
    read_plan,
    write_plan,
)

ZONE = "example.com."
CHANGES = (change("www", "A", "", "300 192.0.2.1"),)
TEXT = plan_text(ZONE, CHANGES)


@pytest.fixture
def file(tmp_path):
    """The plan of example.com, in a folder that is not there yet."""
    return tmp_path / "all" / "plans" / "example.com.json"


def keep(path, *changes):
    write_plan(str(path), plan_text(ZONE, changes))


def reviewed(path):
    """What people have reviewed, as another run reads it."""
    return read_plan(str(path), ZONE)


@pytest.mark.parametrize(
    "zone, name",
    [
        (ZONE, "example.com.json"),
        ("0/26.2.0.192.in-addr.arpa.", "0%2F26.2.0.192.in-addr.arpa.json"),
    ],
)
def test_the_file_is_called_as_the_zone(zone, name):
    assert plan_path(Invocation({"plan_dir": "plans", "zone": zone}, True)) == f"plans/{name}"
    assert plan_path(Invocation({"plan_dir": None, "zone": zone}, True)) == ""


def test_what_is_kept_is_reviewed(file):
    keep(file, *CHANGES)
    assert Path(file).read_text(encoding="utf-8") == TEXT
    assert os.listdir(os.path.dirname(file)) == ["example.com.json"]
    assert [*reviewed(file).changes] == [("www.example.com.", "A")]
    keep(file)
    assert os.listdir(os.path.dirname(file)) == []
    assert reviewed(file) == NOTHING


def test_a_plan_may_be_kept_in_the_folder_that_one_is_in(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    keep("example.com.json", *CHANGES)
    assert os.listdir(tmp_path) == ["example.com.json"]


def test_what_is_not_there_need_not_be_removed_and_makes_no_folder(file, tmp_path):
    keep(file)
    assert reviewed(file) == NOTHING
    assert os.listdir(tmp_path) == []


def test_who_may_read_a_plan_is_for_the_user_to_say(file):
    before = os.umask(0o027)
    try:
        keep(file, *CHANGES)
    finally:
        os.umask(before)
    assert os.stat(file).st_mode & 0o777 == 0o640


def test_a_plan_is_made_beside_its_place_under_a_name_that_nobody_can_know(file, monkeypatch):
    """Half a plan is in no place where a run looks, and people who list the folder do not see it."""
    moved = []
    replace = os.replace

    def watched(source, target, *, src_dir_fd, dst_dir_fd):
        assert src_dir_fd == dst_dir_fd
        moved.append((source, target))
        replace(source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    monkeypatch.setattr(os, "replace", watched)
    keep(file, *CHANGES)
    keep(file, *CHANGES)
    (first, target), (second, _target) = moved
    assert target == os.path.basename(file)
    assert first != second
    assert re.fullmatch(r"\.[0-9a-f]{32}\.new", first)


def test_what_is_there_under_that_name_is_neither_opened_nor_followed(file, tmp_path, monkeypatch):
    monkeypatch.setattr(_file, "token_hex", lambda number: "0" * 2 * number)
    folder = Path(file).parent
    folder.mkdir(parents=True)
    precious = tmp_path / "precious"
    precious.write_text("precious")
    (folder / f".{'0' * 32}.new").symlink_to(precious)
    with pytest.raises(InvalidOptions) as caught:
        keep(file, *CHANGES)
    assert str(caught.value) == f"the plan {file} cannot be written: File exists"
    assert precious.read_text() == "precious"
    assert os.listdir(folder) == []


def test_a_plan_that_cannot_be_put_in_its_place_leaves_nothing(file):
    os.makedirs(file)
    with pytest.raises(InvalidOptions) as caught:
        keep(file, *CHANGES)
    assert str(caught.value) == f"the plan {file} cannot be written: Is a directory"
    assert os.listdir(os.path.dirname(file)) == ["example.com.json"]


@pytest.mark.parametrize(
    "content, reason",
    [
        (b"\xff", "it is not a plan as check mode writes it"),
        (None, "it is not a file"),
    ],
)
def test_a_plan_that_cannot_be_used(file, content, reason):
    path = Path(file)
    path.parent.mkdir(parents=True)
    path.mkdir() if content is None else path.write_bytes(content)
    with pytest.raises(InvalidOptions) as caught:
        reviewed(file)
    assert str(caught.value) == f"the plan {file} cannot be used: {reason}"


def test_a_plan_that_nobody_may_read(tmp_path):
    (tmp_path / "file").write_text("")
    file = tmp_path / "file" / "example.com.json"
    with pytest.raises(InvalidInput) as caught:
        reviewed(file)
    assert str(caught.value) == f"the plan {file} cannot be read: Not a directory"


@pytest.mark.parametrize("more", [0, 1])
def test_a_plan_is_read_as_far_as_one_can_be_long(file, monkeypatch, more):
    assert LARGEST == 64 * 2**20
    monkeypatch.setattr(plan_file, "LARGEST", 2**20)
    Path(file).parent.mkdir(parents=True)
    Path(file).write_text(TEXT + " " * (2**20 - len(TEXT) + more), encoding="utf-8")
    told = ""
    try:
        reviewed(file)
    except InvalidOptions as error:
        told = str(error)
    assert told == (f"the plan {file} cannot be used: it has more than 64 MiB" if more else "")
