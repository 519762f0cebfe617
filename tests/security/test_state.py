# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What somebody else can do with ``state_dir``: bring a folder, a journal or a lock of his own, and never let go."""

from __future__ import annotations

import json
import os
import stat
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playing import Played, Task, play_tasks, run_directly
from running import Service

from ansible_collections.zonesmith.dns.plugins.module_utils._state.files import FileStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal

pytestmark = pytest.mark.any_core

ZONE = "example.com"
THREE_GIGABYTES = 3 * 10**9


def _journal(state_dir: Path, service: Service) -> Path:
    return Journal(FileStore(str(state_dir), service.url, f"{ZONE}.")).store.path


def _lock(journal: Path) -> Path:
    return journal.with_suffix(".lock")


def _entry(
    name: str = "planted.example.com.",
    rdtype: str = "A",
    contents: str = '["203.0.113.66"]',
    ttl: str = "300",
    before: str = "",
) -> str:
    """An entry as it stands in a journal, of a set that an interrupted run has deleted and not yet created again."""
    old = "10 old.example.net." if rdtype == "MX" else "192.0.2.254"
    before = before or f'{{"name": "{name}", "type": "{rdtype}", "ttl": 300, "contents": ["{old}"]}}'
    after = f'{{"name": "{name}", "type": "{rdtype}", "ttl": {ttl}, "contents": {contents}}}'
    return f'{{"key": ["{name}", "{rdtype}"], "before": {before}, "after": {after}}}'


def _plant(journal: Path, *entries: str) -> None:
    journal.write_text(f'{{"format": 1, "entries": [{", ".join(entries)}]}}', encoding="utf-8")
    journal.chmod(0o600)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(THREE_GIGABYTES)
    path.chmod(0o600)


def _linked_twice(path: Path) -> None:
    precious = path.parent.parent / "precious"
    precious.write_text("precious", encoding="utf-8")
    precious.chmod(0o600)
    os.link(precious, path)


def _open_to_all(path: Path) -> None:
    _plant(path, _entry())
    path.chmod(0o666)


def _somebody_elses(path: Path) -> None:
    _plant(path, _entry())
    os.chown(path, 12345, -1)


ONLY_ROOT = {"journal of another user", "lock of another user"}
FOUND: Mapping[str, tuple[Callable[[Path], object], str]] = {
    # what is in the place of a file -> how it gets there, and what the task says of the file
    "FIFO as journal": (os.mkfifo, "is no regular file"),
    "FIFO as lock": (os.mkfifo, "is no regular file"),
    "link to /dev/zero as journal": (lambda path: path.symlink_to("/dev/zero"), "is a link"),
    "link to /dev/zero as lock": (lambda path: path.symlink_to("/dev/zero"), "is a link"),
    "link that leads nowhere as journal": (lambda path: path.symlink_to("nowhere"), "is a link"),
    "folder as journal": (Path.mkdir, "is no regular file"),
    "3 GB as journal": (_sparse, "has more than 128 MiB"),
    "journal that others can write to": (_open_to_all, "can be written by others"),
    "lock that others can write to": (_open_to_all, "can be written by others"),
    "journal of another user": (_somebody_elses, "belongs to another user"),
    "lock of another user": (_somebody_elses, "belongs to another user"),
    "lock that is another file too": (_linked_twice, "has a second name"),
}

OTHER = '{"name": "other.example.com.", "type": "A", "ttl": 300, "contents": ["192.0.2.1"]}'
GOOD = _entry("lost.example.com.", contents='["192.0.2.1", "192.0.2.2"]')
REFUSED: Mapping[str, tuple[str, str]] = {
    # entries that were sent as they stood, or ended the run without a word -> what the warning says
    "endless TTL": (_entry("ttl.example.com.", ttl="1e999"), "its TTL is no whole number of 0 to 2147483647 seconds"),
    "true as TTL": (_entry("bool.example.com.", ttl="true"), "its TTL is no whole number"),
    "TTL of many years": (_entry("years.example.com.", ttl="2147483648"), "its TTL is no whole number"),
    "negative TTL": (_entry("negative.example.com.", ttl="-1"), "its TTL is no whole number"),
    "MX zz mail": (_entry("mx.example.com.", "MX", '["zz mail"]'), "'zz mail' is not a value of type MX"),
    "MX without preference": (_entry("bare.example.com.", "MX", '["mail.example.net."]'), "needs a preference"),
    "name of another zone": (_entry("www.example.org."), "is not inside the zone example.com."),
    "relative name": (_entry("www"), "www A: a run would write it as www.example.com. A"),
    "NS of the zone": (_entry("example.com.", "NS", '["ns.evil.example."]'), "NS at the apex belongs to the service"),
    "SOA": (_entry("example.com.", "SOA", '["a. b. 1 2 3 4 5"]'), "SOA belongs to the service"),
    "no type": (_entry("any.example.com.", "ANY"), "ANY is not a type of data"),
    "no address": (_entry("address.example.com.", contents='["example"]'), "'example' is not a value of type A"),
    "no values": (_entry("empty.example.com.", contents="[]"), "content is required"),
    "values that are no list": (_entry("text.example.com.", contents='"192.0.2.1"'), "its values are no list of texts"),
    "no set at all": ('{"key": ["nothing.example.com.", "A"], "before": null, "after": null}', "of no set"),
    "sides of two sets": (_entry("two.example.com.", before=OTHER), "one side of it is another set"),
    "no entry": ("7", "it is no entry"),
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
        stack.enter_context(Journal(FileStore(str(folder / "held" / "state"), service.url, f"{ZONE}.")).lock())
        played = play_tasks(tasks, service, folder / "unused", direct=request.param)
        yield Scene(service, folder, played, service.calls())


def _tasks(folder: Path, service: Service) -> dict[str, Task]:
    def task(host: str, **options: Any) -> Task:
        name = f"of-{'-'.join(host.replace('/', '').split())}"
        common = {"zone": ZONE, "name": name, "type": "A", "content": ["192.0.2.9"], "retries": 0}
        return Task("dns_record", {**common, "state_dir": str(folder / host / "state"), **options})

    for host in (*FOUND, "entries", "held", "linked"):
        (folder / _host(host)).mkdir()
        (folder / _host(host) / "state").mkdir(mode=0o700)
    for host, (put, _said) in FOUND.items():
        if os.geteuid() == 0 or host not in ONLY_ROOT:
            journal = _journal(folder / _host(host) / "state", service)
            put(_lock(journal) if "lock" in host else journal)
    _plant(_journal(folder / "entries" / "state", service), GOOD, *(entry for entry, _said in REFUSED.values()))
    (folder / "linked" / "link").symlink_to("state")
    return {
        **{_host(host): task(_host(host)) for host in FOUND},
        "entries": task("entries"),
        "held": task("held", lock_timeout=0.2),
        "not-a-number": task("not-a-number", lock_timeout="nan"),
        "linked": task("linked", state_dir=str(folder / "linked" / "link")),
        "linked-slash": task("linked", state_dir=str(folder / "linked" / "link/")),
        "made": task("made", state_dir=str(folder / "one" / "two" / "three")),
    }


def _host(what: str) -> str:
    return what.replace(" ", "_").replace("/", "")


@pytest.mark.parametrize("what", FOUND)
def test_what_is_no_file_of_ours_is_refused(scene: Scene, what: str) -> None:
    if what in ONLY_ROOT and os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    journal = _journal(scene.folder / _host(what) / "state", scene.service)
    result = scene.result(_host(what))
    assert result["failed"], result
    file = f"the lock {_lock(journal)}" if "lock" in what else f"the journal {journal}"
    assert f"Zone {ZONE}: {file} {FOUND[what][1]}" in result["msg"]
    assert "remove it" in result["msg"]
    assert result["changed"] is False
    assert not any(_host(what) in call or "planted" in call for call in scene.calls if call.startswith("POST"))


def test_a_file_with_a_second_name_is_not_written_to(scene: Scene) -> None:
    precious = scene.folder / _host("lock that is another file too") / "precious"
    assert precious.read_text(encoding="utf-8") == "precious"


def test_of_a_journal_only_good_entries_count(scene: Scene) -> None:
    result = scene.result("entries")
    assert [change["name"] for change in result["recovered"]] == ["lost.example.com."]
    assert result["changed"] is True
    sent = [call for call in scene.calls if not call.startswith("GET") and "of-" not in call]
    assert sent == ["POST lost A 192.0.2.1", "POST lost A 192.0.2.2"]


def test_the_journal_is_kept_aside_with_a_warning_that_says_why(scene: Scene) -> None:
    state_dir = scene.folder / "entries" / "state"
    (kept,) = state_dir.glob("*.unreadable-*")
    assert len(json.loads(kept.read_bytes())["entries"]) == len(REFUSED) + 1
    assert not _journal(state_dir, scene.service).exists()
    warnings = scene.warnings("entries")
    assert f"is kept as {kept}" in warnings
    assert [said for _entry, said in REFUSED.values() if said not in warnings] == []


def test_a_lock_that_nobody_lets_go_of_is_not_waited_for_for_ever(scene: Scene) -> None:
    result = scene.result("held")
    assert result["failed"], result
    assert f"Zone {ZONE}: another run holds the lock" in result["msg"]
    assert f"host {os.uname().nodename}, pid {os.getpid()}, since 20" in result["msg"]
    assert "lock_timeout" in result["msg"]
    assert "lock_timeout must be 0 to 86400 seconds" in scene.result("not-a-number")["msg"]


@pytest.mark.parametrize("host", ["linked", "linked-slash"])
def test_a_link_to_a_folder_is_no_state_dir(scene: Scene, host: str) -> None:
    assert "is a link: set state_dir to the folder it leads to" in scene.result(host)["msg"]
    assert list((scene.folder / "linked" / "state").iterdir()) == []


def test_nobody_else_gets_into_the_folders_that_are_made(scene: Scene) -> None:
    assert scene.result("made")["changed"] is True, scene.result("made")
    made = [scene.folder / "one", scene.folder / "one" / "two", scene.folder / "one" / "two" / "three"]
    assert [stat.S_IMODE(path.stat().st_mode) for path in made] == [0o700] * 3


def test_a_folder_that_is_swapped_is_never_used(service: Service, tmp_path: Path) -> None:
    """Somebody who can write to a parent turns it to his own folder and back, all the time."""
    for owner, mode in (("own", 0o700), ("foreign", 0o777)):
        (tmp_path / owner / "state").mkdir(parents=True)
        (tmp_path / owner / "state").chmod(mode)
    state_dir = tmp_path / "parent" / "state"
    planted = tmp_path / "foreign" / "state" / _journal(state_dir, service).name
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
            _plant(planted, _entry())
            common = {"zone": ZONE, "type": "A", "content": ["192.0.2.9"]}
            tasks = {f"{n}": Task("dns_record", {**common, "name": f"turn{turn}-{n}"}) for n in range(15)}
            results = run_directly(tasks, service, state_dir)
            for result in results.values():
                assert result["changed"] or "can be written by others" in result["msg"]
    finally:
        stop.set()
        swapping.join()
    assert not any("planted" in call for call in service.calls())
    assert list((tmp_path / "foreign" / "state").iterdir()) == [planted]
