# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What somebody else can do with ``state_dir``: write the document of a zone, or turn the folder to his own.

What is not a file or folder of ours, and what no run can have written, are rows of tests/state and tests/unit/log.
"""

import json
import os
import threading
import time
from pathlib import Path

import pytest
from playing import Task, run_directly

from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Document
from ansible_collections.zonesmith.dns.plugins.module_utils._log.stored import document_bytes
from ansible_collections.zonesmith.dns.plugins.module_utils._state.folder import FolderStore

pytestmark = pytest.mark.any_core

ADDS = {"zone": "example.com", "name": "www", "type": "A", "content": ["192.0.2.9"], "retries": 0}


def entry(name="planted.example.com.", rdtype="A", *desired):
    """A set that an interrupted run has deleted and not yet created again."""
    former = [300, "10 old.example.net." if rdtype == "MX" else "192.0.2.254"]
    at = time.time() - 60
    wish = [300, *(desired or ("203.0.113.66",))]
    past = [former, former[1:], former[:1], former[1:], False]
    return [[name, rdtype], [past, wish, True, at, at, None, False, wish]]


def plant(state_dir, service, *entries):
    """Make a folder and a document of the zone, as a run of this user would."""
    state_dir.mkdir(mode=0o700, exist_ok=True)
    file = state_dir / Path(FolderStore(str(state_dir), service.url, "example.com.").place).name
    document = json.loads(document_bytes(Document(), "example.com."))
    file.write_text(json.dumps({**document, "entries": entries}), encoding="utf-8")
    file.chmod(0o600)
    return file


@pytest.mark.parametrize(
    "planted, warning",
    [
        (
            entry("mx.example.com.", "MX", "zz mail"),
            "this run leaves it out: zz is not a preference",
        ),
        (entry("any.example.com.", "ANY"), "cannot be completed"),
    ],
    ids=["MX", "ANY"],
)
def test_what_the_service_never_takes_is_in_no_other_task_s_way(
    service, tmp_path, planted, warning
):
    plant(tmp_path / "state", service, planted)
    result = run_directly({"one": Task("dns_record", ADDS)}, service, tmp_path / "state")["one"]
    assert not result.get("failed"), result
    assert result["recovered"] == []
    assert warning in str(result["warnings"])
    assert "POST www A 192.0.2.9" in service.calls()


def test_a_folder_that_is_swapped_is_never_used(service, tmp_path):
    """Somebody who can write to a parent turns it to his own folder and back, all the time."""
    for owner, mode in (("own", 0o700), ("foreign", 0o777)):
        (tmp_path / owner / "state").mkdir(parents=True)
        (tmp_path / owner / "state").chmod(mode)
    (tmp_path / "parent").symlink_to("own")
    stop = threading.Event()

    def swap():
        for turn in range(10**9):
            if stop.is_set():
                return
            (tmp_path / "next").symlink_to(("foreign", "own")[turn % 2])
            os.replace(tmp_path / "next", tmp_path / "parent")
            stop.wait(0.00002)

    state_dir = tmp_path / "parent" / "state"
    swapping = threading.Thread(target=swap)
    swapping.start()
    try:
        for turn in range(2):
            foreign = plant(tmp_path / "foreign" / "state", service, entry())
            tasks = {
                f"{n}": Task("dns_record", {**ADDS, "name": f"turn{turn}-{n}"}) for n in range(15)
            }
            for result in run_directly(tasks, service, state_dir).values():
                assert result["changed"] or "can be written by others" in result["msg"]
    finally:
        stop.set()
        swapping.join()
    assert not any("planted" in call for call in service.calls())
    assert list((tmp_path / "foreign" / "state").iterdir()) == [foreign]
