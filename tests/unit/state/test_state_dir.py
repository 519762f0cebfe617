# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where lock and log are kept: what may be asked for, and what is said of a place that may not last."""

import errno
import os

import pytest
from rights import OF_ROOT, an_ordinary_user

from ansible_collections.zonesmith.dns.plugins.module_utils._state import folder as _folder
from ansible_collections.zonesmith.dns.plugins.module_utils._state.folder import (
    FolderStore,
    check_writable,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError

SERVICE = "https://dns.example.com"


@pytest.mark.parametrize(
    "base_url, zone, name",
    [
        (f"{SERVICE}/api", "example.com.", "40015e6723b1db5b-example.com.json"),
        (
            SERVICE,
            "0/25.2.0.192.in-addr.arpa.",
            "0fc7f69c55edc7a5-0%2F25.2.0.192.in-addr.arpa.json",
        ),
    ],
)
def test_the_names_of_files_on_which_versions_agree(base_url, zone, name):
    assert FolderStore("/state", base_url, zone).place == f"/state/{name}"


@pytest.mark.parametrize("code", [errno.EISDIR, errno.EACCES, errno.EROFS])
def test_folders_that_exist_are_not_made(tmp_path, monkeypatch, code):
    """Systems answer differently where one would be made again."""

    def mkdir(path, _mode=0o777):
        raise OSError(code if os.path.isdir(path) else errno.ENOSPC, "of this system", str(path))

    monkeypatch.setattr(os, "mkdir", mkdir)
    with _folder.StateDir.opened(tmp_path, make=True) as opened:
        assert opened.path == tmp_path


@pytest.mark.parametrize("below", ["", "a", "a/b"])
def test_nothing_is_made_where_it_is_only_asked(tmp_path, below):
    check_writable(str(tmp_path / "state" / below))
    assert [*tmp_path.iterdir()] == []


def test_a_user_without_an_account_and_a_home_that_is_read_only():
    """As OpenShift runs containers; a run says what check mode says."""
    folder = OF_ROOT / ".ansible" / "zonesmith"
    message = (
        f"state_dir {folder} cannot be used: Permission denied: set state_dir, or the environment variable "
        "ZONESMITH_STATE_DIR, to a folder of your own, or keep the state in a database with state_url"
    )
    store = FolderStore(str(folder), SERVICE, "example.com.")
    for call in (lambda: check_writable(str(folder)), store.lock().__enter__):
        with an_ordinary_user(), pytest.raises(StateError) as refused:
            call()
        assert str(refused.value) == message


TWO = "www 300 A 192.0.2.1\nwww 300 A 192.0.2.2"
TASK = {"zone": "example.com", "name": "www", "type": "A"}


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize(
    "options, warns",
    [
        ({"content": "192.0.2.1", "state": "absent"}, True),  # a value of two goes
        ({"content": "192.0.2.1", "ttl": 60}, True),  # another TTL
        ({"content": "192.0.2.3"}, False),  # a value comes
        ({"state": "absent"}, False),  # all of it goes
    ],
)
def test_a_rebuild_that_a_machine_of_ci_would_take_along_is_warned_of(
    zone, run, monkeypatch, state_dir, options, warns, check
):
    zone.holds(TWO)
    monkeypatch.setenv("CI", "true")
    warnings = run("dns_record", check=check, **TASK, **options).get("warnings", [])
    text = (
        f"state_dir {state_dir} is on the machine of a CI job, and the record of an interrupted rebuild may be lost "
        "with it: set state_url to keep the state in a database, or put the folder on a disk that outlasts this machine"
    )
    assert warnings == [text] * warns


@pytest.mark.parametrize("kind, warns", [("overlay", True), ("tmpfs", True), ("ext4", False)])
def test_so_is_one_in_a_container_or_in_memory(zone, run, monkeypatch, tmp_path, kind, warns):
    zone.holds(TWO)
    device = tmp_path.stat().st_dev
    mounts = tmp_path / "mountinfo"
    numbers = f"{os.major(device)}:{os.minor(device)}"
    mounts.write_text(f"1 2 0:0 / /a rw - proc proc rw\n31 1 {numbers} / / rw - {kind} root rw\n")
    monkeypatch.setattr(_folder, "MOUNTS", mounts)
    result = run("dns_record", **TASK, content="192.0.2.1", ttl=60)
    assert (f" is on {kind}, and the" in str(result.get("warnings"))) is warns


@pytest.mark.parametrize("text", ["nonsense\n", "1 2 3\n"])
def test_a_system_that_does_not_tell_is_no_container(monkeypatch, tmp_path, text):
    mounts = tmp_path / "mountinfo"
    monkeypatch.setattr(_folder, "MOUNTS", mounts)
    assert _folder.file_system(tmp_path) == "", "without the file"
    mounts.write_text(text)
    assert _folder.file_system(tmp_path) == ""
