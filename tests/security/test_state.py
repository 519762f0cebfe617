# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What somebody else can do with ``state_dir``: bring a folder, a document or a lock of his own, and never let go."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import planted
import pytest
from planted import NO_FILE_OF_OURS, document, entry, lock_of, says
from playing import Played, Task, play_tasks, run_directly
from running import Service

from ansible_collections.zonesmith.dns.plugins.module_utils._state.folder import FolderStore

pytestmark = pytest.mark.any_core

ZONE = "example.com"
ONLY_ROOT = {"file of another user as document", "file of another user as lock"}
FOUND: Mapping[str, tuple[Callable[[Path], object], str]] = {
    # what is in the place of a file -> how it gets there, and what the task says of the file
    **{f"{what} as document": found for what, found in NO_FILE_OF_OURS.items()},
    **{
        f"{what} as lock": NO_FILE_OF_OURS[what]
        for what in ("FIFO", "link to /dev/zero", "file that others can write to", "file of another user")
    },
    "lock that is another file too": (planted.linked_twice, "has a second name"),
}

GOOD = entry("lost.example.com.", want=[300, "192.0.2.1", "192.0.2.2"])
NONSENSE: Mapping[str, str] = {
    # what no run can have written; of such a document nothing is believed, the good entry neither
    "no JSON": "{",
    "a deep list": "[" * 100_000,
    "name of another zone": document(GOOD, entry("www.example.org.")),
    "SOA": document(GOOD, entry("example.com.", "SOA", [300, "a. b. 1 2 3 4 5"])),
    "a text form of its own": document(GOOD, text_form="{{ lookup('pipe', 'touch owned') }}"),
    "a template for an owner": document(GOOD, ledger={"{{ lookup('pipe', 'touch owned') }}": []}),
}
UNTAKEN: Mapping[str, list[Any]] = {
    # what only the service, or who sends it, can refuse: nothing of it gets into the zone, and no task is in its way
    "MX zz mail": entry("mx.example.com.", "MX", [300, "zz mail"]),
    "all types": entry("any.example.com.", "ANY"),
}


@dataclass
class Scene:
    """Folders by host, and what the one run of ansible-playbook said of each task."""

    service: Service
    folder: Path
    played: Played
    calls: list[str]

    def result(self, host: str) -> dict[str, Any]:
        """The result of a task."""
        return self.played.results[host]

    def warnings(self, host: str) -> str:
        """The warnings of a task."""
        return " ".join(str(warning) for warning in self.result(host).get("warnings", []))


@pytest.fixture(scope="module", params=[False, True], ids=["module", "direct"])
def scene(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """All tasks of this file, run in processes of their own, or in Ansible's workers."""
    folder = tmp_path_factory.mktemp("state")
    with Service(zones=[ZONE]) as service, ExitStack() as stack:
        tasks = _tasks(folder, service)
        stack.enter_context(FolderStore(str(folder / "held" / "state"), service.url, f"{ZONE}.").lock())
        played = play_tasks(tasks, service, folder / "unused", direct=request.param)
        yield Scene(service, folder, played, service.calls())


def _document(state_dir: Path, service: Service) -> Path:
    return planted.document_in(state_dir, service.url, ZONE)


def _tasks(folder: Path, service: Service) -> dict[str, Task]:
    def task(host: str, **options: Any) -> Task:
        name = f"of-{'-'.join(host.replace('/', '').split())}"
        common = {"zone": ZONE, "name": name, "type": "A", "content": ["192.0.2.9"], "retries": 0}
        return Task("dns_record", {**common, "state_dir": str(folder / host / "state"), **options})

    for host in (*FOUND, *NONSENSE, *UNTAKEN, "good", "held"):
        (folder / _host(host)).mkdir()
        (folder / _host(host) / "state").mkdir(mode=0o700)
    for host, (put, _said) in FOUND.items():
        if os.geteuid() == 0 or host not in ONLY_ROOT:
            at = _document(folder / _host(host) / "state", service)
            put(lock_of(at) if "lock" in host else at)
    contents = {**NONSENSE, **{what: document(row) for what, row in UNTAKEN.items()}, "good": document(GOOD)}
    for host, content in contents.items():
        says(content)(_document(folder / _host(host) / "state", service))
    return {
        **{_host(host): task(_host(host)) for host in (*FOUND, *contents)},
        "held": task("held", lock_timeout=0.2),
        "not-a-number": task("not-a-number", lock_timeout="nan"),
    }


def _host(what: str) -> str:
    return what.replace(" ", "_").replace("/", "")


@pytest.mark.parametrize("what", FOUND)
def test_what_is_no_file_of_ours_is_refused(scene: Scene, what: str) -> None:
    if what in ONLY_ROOT and os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    at = _document(scene.folder / _host(what) / "state", scene.service)
    result = scene.result(_host(what))
    assert result["failed"], result
    file = f"the lock {lock_of(at)}" if "lock" in what else f"the document of the zone {at}"
    assert f"Zone {ZONE}: {file} {FOUND[what][1]}" in result["msg"]
    assert "remove it" in result["msg"]
    assert result["changed"] is False
    assert not any(_host(what) in call or "planted" in call for call in scene.calls if call.startswith("POST"))


def test_a_file_with_a_second_name_is_not_written_to(scene: Scene) -> None:
    precious = scene.folder / _host("lock that is another file too") / "precious"
    assert precious.read_text(encoding="utf-8") == "precious"


def test_what_an_interrupted_run_left_is_completed(scene: Scene) -> None:
    result = scene.result("good")
    assert [change["name"] for change in result["recovered"]] == ["lost.example.com."]
    assert result["changed"] is True


@pytest.mark.parametrize("what", NONSENSE)
def test_of_what_no_run_can_have_written_nothing_is_believed(scene: Scene, what: str) -> None:
    result, state_dir = scene.result(_host(what)), scene.folder / _host(what) / "state"
    assert (result["changed"], result["recovered"]) == (True, []), result
    (kept,) = state_dir.glob("*.aside-*")
    assert kept.read_text(encoding="utf-8") == NONSENSE[what]
    assert "makes no sense" in scene.warnings(_host(what))
    assert str(kept) in scene.warnings(_host(what))
    assert not Path("owned").exists()


def test_of_a_planted_document_nothing_is_sent(scene: Scene) -> None:
    sent = [call for call in scene.calls if not call.startswith("GET") and "of-" not in call]
    assert {"POST lost A 192.0.2.1", "POST lost A 192.0.2.2"} <= {*sent}
    assert not any("planted" in call or call.startswith("DELETE") for call in sent)


@pytest.mark.parametrize("what", UNTAKEN)
def test_what_nobody_takes_is_in_no_other_task_s_way(scene: Scene, what: str) -> None:
    result = scene.result(_host(what))
    assert not result.get("failed"), result
    assert result["recovered"] == []
    assert "cannot be completed" in scene.warnings(_host(what))


def test_a_lock_that_nobody_lets_go_of_is_not_waited_for_for_ever(scene: Scene) -> None:
    result = scene.result("held")
    assert result["failed"], result
    assert f"Zone {ZONE}: another run holds the lock" in result["msg"]
    assert f"host {os.uname().nodename}, pid {os.getpid()}, since 20" in result["msg"]
    assert "lock_timeout" in result["msg"]
    assert "lock_timeout must be 0 to 86400 seconds" in scene.result("not-a-number")["msg"]


def test_a_folder_that_is_swapped_is_never_used(service: Service, tmp_path: Path) -> None:
    """Somebody who can write to a parent turns it to his own folder and back, all the time."""
    for owner, mode in (("own", 0o700), ("foreign", 0o777)):
        (tmp_path / owner / "state").mkdir(parents=True)
        (tmp_path / owner / "state").chmod(mode)
    state_dir = tmp_path / "parent" / "state"
    foreign = tmp_path / "foreign" / "state" / _document(state_dir, service).name
    (tmp_path / "parent").symlink_to("own")
    stop = threading.Event()

    def swap() -> None:
        for turn in range(10**9):
            if stop.is_set():
                return
            (tmp_path / "next").symlink_to(("foreign", "own")[turn % 2])
            os.replace(tmp_path / "next", tmp_path / "parent")
            stop.wait(0.00002)

    swapping = threading.Thread(target=swap)
    swapping.start()
    try:
        for turn in range(2):
            says(document(entry()))(foreign)
            common = {"zone": ZONE, "type": "A", "content": ["192.0.2.9"]}
            tasks = {f"{n}": Task("dns_record", {**common, "name": f"turn{turn}-{n}"}) for n in range(15)}
            results = run_directly(tasks, service, state_dir)
            for result in results.values():
                assert result["changed"] or "can be written by others" in result["msg"]
    finally:
        stop.set()
        swapping.join()
    assert not any("planted" in call for call in service.calls())
    assert list((tmp_path / "foreign" / "state").iterdir()) == [foreign]
