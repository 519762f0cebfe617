# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Nothing is lost (docs/design.md): what a run writes down before it deletes, and what the next one makes of it."""

from __future__ import annotations

import errno
import fcntl
import json
import math
import os
import pathlib
import pwd
import re
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from converging import converge, left_behind
from elsewhere import AHEAD, Elsewhere
from running import Service
from shorthand import entry

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._history.history import LATE
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._state import journal as _journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state import lock as _lock
from ansible_collections.zonesmith.dns.plugins.module_utils._state.files import FileStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal, Kept
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory
from ansible_collections.zonesmith.dns.plugins.module_utils._state.state_dir import StateDir, StateDirError
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError
from ansible_collections.zonesmith.dns.plugins.module_utils._write.apply import Settings
from ansible_collections.zonesmith.dns.plugins.module_utils._write.checked_entry import checked_entry
from ansible_collections.zonesmith.dns.plugins.module_utils._write.recovery import before_with_others

Run = Callable[..., dict[str, Any]]

WWW = ("www.example.com.", "A")
TWO = "www 300 A 192.0.2.1\nwww 300 A 192.0.2.2"
REPLACE = {"zone": "example.com", "name": "www", "type": "A", "content": ["192.0.2.3", "192.0.2.4"], "exclusive": True}
OTHER = {"zone": "example.com", "name": "other", "type": "A", "content": ["192.0.2.9"], "ttl": 300}


def mode(path: pathlib.Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


class AtFirstWrite:
    """Looks at the journal when the first DELETE is about to be sent."""

    def __init__(self, journal: Journal, monkeypatch: pytest.MonkeyPatch):
        self.seen: dict[str, Any] = {}
        send = Client.delete_record_set

        def look_and_send(client: Client, *args: Any) -> bool:
            self.seen = {
                "journal": json.loads(journal.store.path.read_bytes()),
                "modes": {path.name.rpartition(".")[2]: mode(path) for path in journal.store.path.parent.iterdir()},
            }
            return send(client, *args)

        monkeypatch.setattr(Client, "delete_record_set", look_and_send)


# Writing ahead


def test_before_the_first_delete_both_sides_are_on_disk(
    zone: Any, run: Run, journal: Journal, state_dir: pathlib.Path, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone.holds(TWO)
    at_first_write, began = AtFirstWrite(journal, monkeypatch), clock.time()
    run("dns_record", **REPLACE)
    (entry_seen,) = at_first_write.seen["journal"]["entries"]
    assert began <= entry_seen.pop("at") <= clock.time()
    history, quoted = entry_seen.pop("history"), entry_seen.pop("quoted")
    kinds = [step[0] for step in history["steps"]]
    assert (kinds, quoted) == (["delete", "add"], False), "what is about to be sent"
    assert at_first_write.seen == {
        "journal": {
            "format": 1,
            "entries": [
                {
                    "key": ["www.example.com.", "A"],
                    "before": {
                        "name": "www.example.com.",
                        "type": "A",
                        "ttl": 300,
                        "contents": ["192.0.2.1", "192.0.2.2"],
                    },
                    "after": {
                        "name": "www.example.com.",
                        "type": "A",
                        "ttl": 300,
                        "contents": ["192.0.2.3", "192.0.2.4"],
                    },
                }
            ],
        },
        "modes": {"json": 0o600, "lock": 0o600, "written": 0o600},
    }
    assert mode(state_dir) == 0o700
    left = sorted(path.suffix for path in state_dir.iterdir())
    assert left == [".lock", ".written"], "the journal goes once the set is verified"


@pytest.mark.parametrize(("ttl", "is_made_anew"), [(60, True), (300, False)])
def test_a_set_whose_values_have_several_ttls_is_journaled_as_one_that_is_deleted(
    zone: Any, run: Run, journal: Journal, monkeypatch: pytest.MonkeyPatch, ttl: int, is_made_anew: bool
) -> None:
    zone.holds(TWO)
    read = Client.read_record_sets

    def with_two_ttls(client: Client, *args: Any) -> Any:
        shown = read(client, *args)
        return {
            key: replace(one, ttl=60, higher_ttls=(("192.0.2.2", 300),)) if key == WWW and one.ttl == 300 else one
            for key, one in shown.items()
        }

    monkeypatch.setattr(Client, "read_record_sets", with_two_ttls)
    at_first_write = AtFirstWrite(journal, monkeypatch)
    run("dns_record", zone="example.com", name="www", type="A", content=["192.0.2.1", "192.0.2.2"], ttl=ttl)
    (entry_seen,) = at_first_write.seen["journal"]["entries"]
    assert entry_seen.get("is_made_anew", False) is is_made_anew


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_modes_do_not_depend_on_the_umask(journal: Journal, state_dir: pathlib.Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        left_behind(journal, entry("300 192.0.2.1", ""))
    finally:
        os.umask(before)
    assert mode(state_dir) == 0o700
    assert {mode(path) for path in state_dir.iterdir()} == {0o600}


@pytest.mark.parametrize(
    ("before", "task"),
    [
        (TWO, {**REPLACE, "content": ["192.0.2.1"], "exclusive": False}),
        (TWO, {**REPLACE, "state": "absent", "content": ["192.0.2.9"]}),
        (TWO, {**REPLACE, "name": "ftp", "state": "absent", "content": None}),
    ],
)
def test_a_run_that_changes_nothing_leaves_no_trace(
    zone: Any, run: Run, state_dir: pathlib.Path, before: str, task: Any
) -> None:
    zone.holds(before)
    assert run("dns_record", **task)["changed"] is False
    assert not state_dir.exists()


def test_what_only_adds_is_not_written_down(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        Journal, "write", lambda _journal, entries, *_, **_how: entries is None or pytest.fail("written")
    )
    assert run("dns_record", **{**REPLACE, "exclusive": False})["changed"] is True


def test_the_journal_is_replaced_whole(
    journal: Journal, state_dir: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever reads it sees the old one or the new one; after a failure the old one is there, and nothing else."""
    left_behind(journal, entry("300 192.0.2.1", "300 192.0.2.2"))
    old = journal.store.path.read_bytes()

    def no_space(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")  # needs a full disk

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(StateDirError, match="cannot be written, No space left on device"):
        journal.write([entry("300 192.0.2.8", "300 192.0.2.9")])
    assert journal.store.path.read_bytes() == old
    assert sorted(path.suffix for path in state_dir.iterdir()) == [".json", ".lock"]


def test_a_file_that_cannot_be_synced_is_an_error_though_its_folder_can(
    journal: Journal, state_dir: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_behind(journal, entry("300 192.0.2.1", "300 192.0.2.2"))
    old = journal.store.path.read_bytes()
    fsync = os.fsync

    def no_space(descriptor: int) -> None:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(28, "No space left on device")  # needs a full disk
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(StateDirError, match="cannot be written, No space left on device"):
        journal.write([entry("300 192.0.2.8", "300 192.0.2.9")])
    assert journal.store.path.read_bytes() == old
    assert sorted(path.suffix for path in state_dir.iterdir()) == [".json", ".lock"]


def test_what_is_written_is_what_is_read(journal: Journal) -> None:
    entries = [
        entry("300 192.0.2.1 192.0.2.2", "60 192.0.2.3"),
        entry("300 192.0.2.1", "", name="*.xn--bcher-kva.example.com."),
        entry("", "300 mail.example.net.", rdtype="CNAME"),
        Entry(("t.example.com.", "TXT"), RecordSet("t.example.com.", "TXT", 0, ('"a\\"b\\195\\188\\027"',)), None),
        Entry(("u.example.com.", "UNHEARDOF"), RecordSet("u.example.com.", "UNHEARDOF", 0, ("ü\x1b",)), None),
    ]
    left_behind(journal, *entries)
    assert journal.pending(partial(checked_entry, "example.com.")) == entries
    assert journal.warnings == []


def test_the_token_is_in_no_file(zone: Any, run: Run, service: Service, state_dir: pathlib.Path) -> None:
    zone.holds(TWO)
    service.fault("status", method="POST", status=422, times=0)
    run("dns_record", **REPLACE)
    files = list(state_dir.iterdir())
    assert sorted(path.suffix for path in files) == [".json", ".lock", ".written"]
    assert all(service.token not in path.read_text(encoding="utf-8") + path.name for path in files)


# Healing


AFTER_HEALING = [
    # before, after, and the zone that the killed run left -> the zone, and what was recovered
    pytest.param("300 192.0.2.1 192.0.2.2", "300 192.0.2.3 192.0.2.4", TWO, TWO, [], id="before its DELETE"),
    pytest.param(
        "300 192.0.2.1 192.0.2.2",
        "300 192.0.2.3 192.0.2.4",
        "www 300 A 192.0.2.2\nwww 300 A 192.0.2.1",
        TWO,
        [],
        id="before its DELETE, read in another order",
    ),
    pytest.param(
        "300 192.0.2.1 192.0.2.2",
        "60 192.0.2.3 192.0.2.4",
        "",
        "www 60 A 192.0.2.3\nwww 60 A 192.0.2.4",
        [("create", None, ["192.0.2.3", "192.0.2.4"])],
        id="after its DELETE",
    ),
    pytest.param(
        "300 192.0.2.1 192.0.2.2",
        "60 192.0.2.3 192.0.2.4",
        "www 60 A 192.0.2.3",
        "www 60 A 192.0.2.3\nwww 60 A 192.0.2.4",
        [("extend", ["192.0.2.3"], ["192.0.2.3", "192.0.2.4"])],
        id="after its first POST",
    ),
    pytest.param(
        "300 192.0.2.1 192.0.2.2",
        "60 192.0.2.3 192.0.2.4",
        "www 60 A 192.0.2.3\nwww 60 A 192.0.2.4",
        "www 60 A 192.0.2.3\nwww 60 A 192.0.2.4",
        [],
        id="when all was done",
    ),
    pytest.param("300 192.0.2.1 192.0.2.2", "", "", "", [], id="in a removal, when all was done"),
    pytest.param("300 192.0.2.1 192.0.2.2", "", TWO, TWO, [], id="in a removal, before its DELETE"),
    pytest.param(
        "300 192.0.2.1",
        "300 192.0.2.3",
        "www 300 CNAME other.example.net.",
        "www 300 CNAME other.example.net.",
        [],
        id="and a CNAME is there now",
    ),
]


@pytest.mark.parametrize("age", [0, 3600], ids=["just now", "an hour ago"])
@pytest.mark.parametrize(("before", "after", "left", "healed", "recovered"), AFTER_HEALING)
@pytest.mark.parametrize(
    ("task", "more"),
    [(OTHER, ["other 300 A 192.0.2.9"]), ({**OTHER, "state": "absent"}, [])],
    ids=["next run writes", "next run changes nothing"],
)
def test_a_run_was_killed(
    zone: Any,
    run: Run,
    journal: Journal,
    before: str,
    after: str,
    left: str,
    healed: str,
    recovered: list[Any],
    age: float,
    task: dict[str, Any],
    more: list[str],
) -> None:
    zone.holds(left)
    left_behind(journal, entry(before, after, age=age))

    checked = run("dns_record", check=True, **task)
    assert set(zone.calls()) == {"GET"}
    assert zone.lines() == sorted(left.splitlines())
    assert journal.look().is_open

    result = run("dns_record", **task)
    assert zone.lines() == sorted(healed.splitlines() + more)
    # Its DELETE may still be carried out.
    assert journal.look().is_open is (sorted(left.splitlines()) == sorted(TWO.splitlines()) and not age)
    assert not any(call.startswith("DELETE") for call in zone.calls())

    put_aside = "CNAME" in left
    for said, others in ((checked, 0), (result, put_aside)):
        told = [
            (c["action"], c["before"] and c["before"]["contents"], c["after"]["contents"]) for c in said["recovered"]
        ]
        assert told == recovered
        assert said["changed"] is bool(recovered or more)
        assert len(said.get("warnings", [])) == len(recovered) + others
        assert bool(said["changes"]) is bool(more)
    assert bool([*journal.store.path.parent.glob("*.aside-*")]) is put_aside
    if recovered:
        begun = "www.example.com. A had been left incomplete by an earlier run and"
        assert begun + " would be completed from the journal" in str(checked["warnings"])
        assert begun + " was completed from the journal" in str(result["warnings"])
    assert run("dns_record", **task)["changed"] is False


def test_a_name_with_several_sets_is_healed_as_one(zone: Any, run: Run, journal: Journal) -> None:
    """A CNAME was to become addresses, and the run was killed between its DELETE and the creations."""
    left_behind(
        journal,
        entry("", "300 192.0.2.1 192.0.2.2"),
        entry("300 old.example.net.", "", rdtype="CNAME"),
        entry("300 192.0.2.7", "300 192.0.2.8", name="untouched.example.com."),
    )
    zone.holds("untouched 300 A 192.0.2.7")
    result = run("dns_record", **{**OTHER, "state": "absent"})
    assert [change["name"] for change in result["recovered"]] == ["www.example.com."]
    assert zone.lines() == ["untouched 300 A 192.0.2.7", *TWO.splitlines()]


@pytest.mark.parametrize(
    ("left", "task", "changes"),
    [
        pytest.param("60 192.0.2.1 192.0.2.2", {"content": "192.0.2.1", "ttl": 60}, [], id="the-same-task"),
        pytest.param("300 192.0.2.9", {"content": "192.0.2.9"}, [], id="its-values-without-its-ttl"),
        pytest.param("300 192.0.2.9", {"content": "192.0.2.8"}, ["extend"], id="one-value-more"),
        pytest.param("300 192.0.2.9", {"state": "absent"}, ["delete"], id="the-set-is-to-go"),
    ],
)
def test_check_mode_tells_what_comes_after_the_healing(
    run: Run, journal: Journal, left: str, task: dict[str, Any], changes: list[str]
) -> None:
    left_behind(journal, entry("300 192.0.2.1 192.0.2.2", left))
    options = {"zone": "example.com", "name": "www", "type": "A", **task}
    told, done = run("dns_record", **options, check=True), run("dns_record", **options)
    assert [change["action"] for change in done["changes"]] == changes
    for result in ("changed", "changes", "diff", "record_set", "recovered"):
        assert told[result] == done[result]


def test_what_the_killed_run_wanted_is_finished_by_the_same_task(run: Run, journal: Journal) -> None:
    left_behind(journal, entry("300 192.0.2.1 192.0.2.2", "300 192.0.2.3 192.0.2.4"))
    result = run("dns_record", **REPLACE)
    assert result["changed"] is True
    assert result["changes"] == []
    assert [change["name"] for change in result["recovered"]] == ["www.example.com."]
    assert result["record_set"]["contents"] == ["192.0.2.3", "192.0.2.4"]
    assert run("dns_record", **REPLACE)["recovered"] == []


def test_a_roll_back_that_failed_is_made_good_by_the_next_run(
    zone: Any, run: Run, service: Service, journal: Journal
) -> None:
    zone.holds(TWO)
    service.fault("status", method="POST", status=422, times=0)
    assert run("dns_record", **REPLACE)["failed"]
    assert zone.lines() == []
    service.clear_faults()
    result = run("dns_record", **{**OTHER, "state": "absent"})
    assert [change["action"] for change in result["recovered"]] == ["create"]
    assert zone.lines() == ["www 300 A 192.0.2.3", "www 300 A 192.0.2.4"]
    assert not journal.look().is_open


def test_what_the_service_refuses_for_good_does_not_block_the_zone(
    zone: Any, run: Run, service: Service, journal: Journal
) -> None:
    """What was before takes the place of what cannot be completed, and the task goes on."""
    left_behind(journal, entry("300 192.0.2.1 192.0.2.2", "300 192.0.2.3"))
    service.fault("status", method="POST", content="192.0.2.3", status=422, body={"message": "Never"}, times=0)
    result = run("dns_record", **OTHER)
    (warning,) = result["warnings"]
    assert (
        "www.example.com. A had been left incomplete by an earlier run and stays so, because the service does not "
        "take 192.0.2.3 any more (the service answered 422: Never); what it held and was to hold is kept as "
    ) in warning
    assert [change["after"]["contents"] for change in result["recovered"]] == [["192.0.2.1", "192.0.2.2"]]
    assert zone.lines() == ["other 300 A 192.0.2.9", *TWO.splitlines()]
    assert not journal.look().is_open
    kept_as = pathlib.Path(warning.partition("is kept as ")[2].partition(":")[0])
    assert json.loads(kept_as.read_bytes())["entries"][0]["after"]["contents"] == ["192.0.2.3"]
    assert run("dns_record", **OTHER)["changed"] is False


@pytest.mark.parametrize(
    ("left", "age", "healed"),
    [
        pytest.param("www 60 A 203.0.113.99", 0, None, id="other values, at once"),
        pytest.param("www 60 A 203.0.113.99", 3600, None, id="other values, later"),
        pytest.param("www 60 A 192.0.2.1\nwww 60 A 203.0.113.99", 0, None, id="and an old one, which was to go"),
        pytest.param(
            "www 60 A 192.0.2.3\nwww 60 A 203.0.113.99",
            0,
            "www 60 A 192.0.2.3\nwww 60 A 192.0.2.4\nwww 60 A 203.0.113.99",
            id="and what the run created, at once: somebody added a value",
        ),
        pytest.param("www 60 A 192.0.2.3\nwww 60 A 203.0.113.99", 3600, None, id="and what the run created, later"),
    ],
)
def test_what_others_repaired_is_not_mixed_with_the_old(
    zone: Any, run: Run, journal: Journal, left: str, age: float, healed: str | None
) -> None:
    zone.holds(left)
    left_behind(journal, entry("300 192.0.2.1 192.0.2.2", "60 192.0.2.3 192.0.2.4", age=age))
    result = run("dns_record", **OTHER)
    assert zone.lines() == sorted([*(healed or left).splitlines(), "other 300 A 192.0.2.9"])
    assert bool(result["recovered"]) is (healed is not None)
    (warning,) = result["warnings"]
    assert ("others have given it values of their own since" in warning) is (healed is None)
    assert not journal.look().is_open


def test_what_somebody_else_has_put_where_no_set_was_outlives_a_roll_back() -> None:
    held = RecordSet(*WWW, 60, ("192.0.2.3", "192.0.2.7"))
    assert before_with_others(entry("", "300 192.0.2.3"), held) == RecordSet(*WWW, 60, ("192.0.2.7",))


KILLED = """
import json, sys
from ansible.module_utils import basic
basic._ANSIBLE_ARGS = json.dumps({"ANSIBLE_MODULE_ARGS": json.loads(sys.argv[1])}).encode()
basic._ANSIBLE_PROFILE = "legacy"
from ansible_collections.zonesmith.dns.plugins.modules.dns_record import main
main()
"""


def test_a_process_is_killed_between_delete_and_create(
    zone: Any, run: Run, service: Service, state_dir: pathlib.Path
) -> None:
    zone.holds(TWO)
    service.fault("hang_before", method="POST", seconds=1)
    connection = {"base_url": service.url, "access_token": service.token, "state_dir": str(state_dir)}
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen([sys.executable, "-c", KILLED, json.dumps(REPLACE | connection)], env=environment) as process:
        try:
            service.wait_log(4, timeout=60)
        finally:
            process.kill()
    assert zone.calls() == ["GET", "GET", "DELETE www.example.com. A", "POST www A 192.0.2.3"]
    assert zone.lines() == []
    result = run("dns_record", **{**OTHER, "state": "absent"}, lock_timeout=0)
    assert [change["name"] for change in result["recovered"]] == ["www.example.com."]
    assert zone.lines() == ["www 300 A 192.0.2.3", "www 300 A 192.0.2.4"]


# A journal that makes no sense


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "[]",
        "null",
        "7",
        "{}",
        '{"format": 1}',
        '{"format": 0, "entries": []}',
        '{"format": "1", "entries": []}',
        '{"format": 1, "entries": {"a": 1}}',
        '{"format": 1, "entries": 7}',
        "\x00\xff",
        "[" * 100_000,
    ],
)
def test_a_journal_that_makes_no_sense_is_kept_aside_with_a_warning(
    zone: Any, run: Run, journal: Journal, state_dir: pathlib.Path, text: str
) -> None:
    left_behind(journal, entry("300 192.0.2.1", ""))
    journal.store.path.write_bytes(text.encode("latin-1"))

    checked = run("dns_record", check=True, **OTHER)
    assert journal.store.path.read_bytes() == text.encode("latin-1")
    assert f"makes no sense and is kept as {journal.store.path}" in str(checked["warnings"])

    result = run("dns_record", **OTHER)
    (kept,) = [path for path in state_dir.iterdir() if "unreadable" in path.name]
    assert kept.read_bytes() == text.encode("latin-1")
    assert f"makes no sense and is kept as {kept}: check that the zone holds every set it should" in str(
        result["warnings"]
    )
    assert zone.lines() == ["other 300 A 192.0.2.9"]
    assert (result["changed"], result["recovered"]) == (True, [])
    assert "warnings" not in run("dns_record", **OTHER)


A = {"name": "www.example.com.", "type": "A", "ttl": 300, "contents": ["192.0.2.1"]}
NOTHING = {"before": None, "after": None}


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (1, "it is no entry"),
        ([], "it is no entry"),
        ({"key": ["www.example.com.", "A"], "before": None}, "it is no entry"),
        ({"key": ["www.example.com."], "before": None, "after": A}, "it is no entry"),
        ({"key": [1, "A"], "before": None, "after": A}, "it is no entry"),
        ({"key": [["x"], {}], "before": None, "after": A}, "it is no entry"),
        ({"key": ["www.example.com.", "A"], "before": None, "after": None}, "it tells of no set"),
        *(
            ({"key": ["www.example.com.", "A"], "before": None, "after": after}, said)
            for after, said in [
                ([A], "one side of it is another set"),
                ({**A, "name": "ftp.example.com."}, "one side of it is another set"),
                ({**A, "type": "AAAA"}, "one side of it is another set"),
                *(
                    ({**A, "ttl": ttl}, "its TTL is no whole number of 0 to 2147483647 seconds")
                    for ttl in (None, "300", True, 300.0, -1, 2**31, float("inf"), float("nan"), [300])
                ),
                ({**A, "contents": None}, "its values are no list of texts"),
                ({**A, "contents": "192.0.2.1"}, "its values are no list of texts"),
                ({**A, "contents": [1]}, "its values are no list of texts"),
                ({**A, "contents": []}, "content is required"),
                ({**A, "contents": ["192.0.2.1"] * 6001}, "it has more than 6000 values"),
                ({**A, "contents": ["192.0.2.1"] * 2}, "is listed twice"),
                ({**A, "contents": ["mail"]}, "'mail' is not a value of type A"),
            ]
        ),
        *(
            ({**NOTHING, "key": [name, rdtype], side: {**A, "name": name, "type": rdtype, "contents": [value]}}, said)
            for side in ("before", "after")
            for name, rdtype, value, said in [
                ("www.example.org.", "A", "192.0.2.1", "is not inside the zone"),
                (r"www\.example.com.", "A", "192.0.2.1", "is not inside the zone"),
                ("www..example.org.", "A", "192.0.2.1", "is not inside the zone"),
                ("www", "A", "192.0.2.1", "a run would write it as www.example.com. A"),
                ("WWW.example.com.", "A", "192.0.2.1", "a run would write it as www.example.com. A"),
                ("www.example.com.", "a", "192.0.2.1", "a run would write it as www.example.com. A"),
                ("www.example.com.", "TYPE1", "192.0.2.1", "a run would write it as www.example.com. A"),
                ("a\ud800.example.com.", "A", "192.0.2.1", "it has half a character in it"),
                ("www.example.com.", "\ud800", "192.0.2.1", "it has half a character in it"),
                ("www.example.com.", "TXT", "\ud800", "it has half a character in it"),
                (f"{'a.' * 507}example.com.", "A", "192.0.2.1", "more than 1024 characters"),
                ("www.example.com.", "A" * 1025, "192.0.2.1", "more than 1024 characters"),
                ("example.com.", "NS", "ns.example.net.", "NS at the apex belongs to the service"),
                ("www.example.com.", "SOA", "a. b. 1 2 3 4 5", "SOA belongs to the service"),
            ]
        ),
        *(
            (
                {**NOTHING, "key": [name, rdtype], "after": {"name": name, "type": rdtype, "ttl": 1, "contents": [v]}},
                said,
            )
            for name, rdtype, v, said in [
                ("www.example.com.", "ANY", "192.0.2.1", "ANY is not a type of data that a zone can hold"),
                ("www.example.com.", "", "192.0.2.1", "a type is a mnemonic"),
                ("www..example.com.", "A", "192.0.2.1", "it has an empty label"),
                ("www.example.com.", "MX", "zz mail", "'zz mail' is not a value of type MX"),
            ]
        ),
        (
            {**NOTHING, "key": ["www.example.com.", "MX"], "after": {**A, "type": "MX", "contents": ["a.example."]}},
            "a preference",
        ),
        (
            {**NOTHING, "key": ["a.example.com.", "CNAME"], "after": {**A, "name": "a.example.com.", "type": "CNAME"}},
            "is not a host name; it looks like an address",
        ),
    ],
)
def test_an_entry_that_no_run_can_have_written_is_refused(written: Any, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        checked_entry("example.com.", written)


def test_what_the_service_shows_without_values_or_preference_can_be_believed() -> None:
    """As what was there before, not as what is to be."""
    for rdtype, contents in (("MX", ("mail.example.net.",)), ("A", ())):
        before = RecordSet("www.example.com.", rdtype, 300, contents)
        written = {"key": before.key, "before": before.as_result(), "after": None}
        assert checked_entry("example.com.", written) == Entry(before.key, before, None)


def test_good_entries_beside_a_refused_one_count(zone: Any, run: Run, journal: Journal) -> None:
    good = entry("300 192.0.2.1", "300 192.0.2.2")
    twice = entry("300 192.0.2.1", "300 192.0.2.7")
    left_behind(journal, good, entry("", "300 mail", name="bad.example.com."), twice)
    text = journal.store.path.read_bytes()

    checked = run("dns_record", check=True, **OTHER)
    assert f"is kept as {journal.store.path}: check that the zone holds every set it should" in str(checked["warnings"])
    assert journal.store.path.read_bytes() == text

    result = run("dns_record", **OTHER)
    for said in (checked, result):
        assert [change["after"]["contents"] for change in said["recovered"]] == [["192.0.2.2"]]
        assert "entries[1] bad.example.com. A: 'mail' is not a value of type A" in str(said["warnings"])
        assert "entries[2] www.example.com. A: it is listed twice" in str(said["warnings"])
    assert zone.lines() == ["other 300 A 192.0.2.9", "www 300 A 192.0.2.2"]
    (kept,) = journal.store.path.parent.glob("*.unreadable-*")
    assert kept.read_bytes() == text
    assert not journal.look().is_open


def test_until_the_good_entries_are_done_they_stay_in_the_journal(run: Run, service: Service, journal: Journal) -> None:
    good = entry("300 192.0.2.1", "300 192.0.2.2")
    left_behind(journal, good, entry("", "300 mail", name="bad.example.com."))
    service.fault("status", method="POST", status=503, times=0)
    assert run("dns_record", **OTHER, retries=0)["failed"]
    assert journal.pending(partial(checked_entry, "example.com.")) == [good]


def test_of_many_refused_entries_some_are_named(run: Run, journal: Journal) -> None:
    left_behind(journal, *(entry("", "300 mail", name=f"bad{n:02}.example.com.") for n in range(30)))
    (warning,) = run("dns_record", **OTHER)["warnings"]
    assert "entries[19] bad19.example.com. A" in warning
    assert "bad20" not in warning
    assert "; and 10 more) and is kept as" in warning


def test_what_is_put_aside_takes_the_place_of_nothing(
    run: Run, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([7, 7, 7, *range(8, 1000)])
    monkeypatch.setattr(time, "time_ns", lambda: next(times))
    for text in ("first", "second"):
        left_behind(journal, entry("300 192.0.2.1", ""))
        journal.store.path.write_text(text, encoding="utf-8")
        run("dns_record", **{**OTHER, "state": "absent"})
    kept = journal.store.path.parent.glob("*.unreadable-*")
    assert sorted(path.read_text(encoding="utf-8") for path in kept) == ["first", "second"]


def test_a_journal_that_cannot_be_put_aside_is_one_sentence(
    run: Run, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_behind(journal, entry("300 192.0.2.1", ""))
    journal.store.path.write_text("no JSON", encoding="utf-8")

    def no_space(_folder: StateDir, _name: str, _content: bytes, **_how: bool) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(StateDir, "keep", no_space)
    assert f"{journal.store.path} cannot be put aside, No space left on device." in run("dns_record", **OTHER)["msg"]


def test_the_warning_is_given_when_the_task_fails_too(run: Run, service: Service, journal: Journal) -> None:
    """The file is out of the way after this run, so no later one would warn."""
    left_behind(journal, entry("300 192.0.2.1", ""))
    journal.store.path.write_text("no JSON", encoding="utf-8")
    service.fault("status", method="POST", status=422)
    result = run("dns_record", **OTHER)
    assert result["failed"]
    assert "makes no sense and is kept as" in str(result.get("warnings"))


# A state_dir that cannot be used


def test_a_journal_that_cannot_be_written_stops_the_run_before_the_delete(
    zone: Any, run: Run, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone.holds(TWO)

    def no_space(_folder: StateDir, _name: str, _content: bytes, **_how: bool) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(StateDir, "replace", no_space)
    result = run("dns_record", **REPLACE)
    assert result["msg"] == (
        f"Zone example.com: the journal {journal.store.path} cannot be written, No space left on device."
    )
    assert (result["changed"], result["changes"], result["status_code"]) == (False, [], None)
    assert zone.calls() == ["GET", "GET"]
    assert zone.lines() == TWO.splitlines()


def test_a_note_that_cannot_be_written_stops_the_run_before_it_adds(
    zone: Any, run: Run, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(_folder: StateDir, _name: str, _content: bytes, **_how: bool) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(StateDir, "replace", no_space)
    result = run("dns_record", **OTHER)
    note = journal.store.path.with_suffix(".written")
    assert result["msg"] == (
        f"Zone example.com: the note of what was written {note} cannot be written, No space left on device, and what "
        "cannot be noted is not written to the zone: make room, or set state_dir to another folder."
    )
    assert result["changed"] is False
    assert {call.split()[0] for call in zone.calls()} == {"GET"}


def test_a_note_that_would_be_too_large_stops_the_run_before_it_adds(
    zone: Any, run: Run, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has to have room for what becomes of the sets."""
    zone.holds(TWO)
    monkeypatch.setattr(_journal, "LARGEST", 400)
    result = run("dns_record", **OTHER)
    assert result["msg"] == (
        "Zone example.com: the note of what is about to be written would have more than 0 MiB, and what cannot be "
        "noted is not written to the zone: change fewer sets in one task."
    )
    assert result["changed"] is False
    assert {call.split()[0] for call in zone.calls()} == {"GET"}
    assert not journal.look().is_open
    monkeypatch.setattr(_journal, "LARGEST", 2000)
    result = run("dns_record", **OTHER)
    assert result["changed"]
    assert "warnings" not in result


def test_where_a_note_cannot_be_written_nothing_is_left_in_the_journal(
    zone: Any, run: Run, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone.holds(TWO)
    replaced = StateDir.replace

    def no_space(folder: StateDir, name: str, content: bytes, **how: bool) -> None:
        if name.endswith(".written"):
            raise OSError(28, "No space left on device")
        replaced(folder, name, content, **how)

    monkeypatch.setattr(StateDir, "replace", no_space)
    assert "cannot be noted is not written to the zone" in run("dns_record", **REPLACE)["msg"]
    assert not journal.look().is_open
    assert zone.lines() == TWO.splitlines()


@pytest.mark.parametrize("permissions", [0o770, 0o707, 0o777, 0o1777, 0o720, 0o702])
def test_a_state_dir_that_others_can_write_to_is_refused(
    zone: Any, run: Run, state_dir: pathlib.Path, permissions: int
) -> None:
    state_dir.mkdir()
    state_dir.chmod(permissions)
    result = run("dns_record", **OTHER)
    assert f"state_dir {state_dir} belongs to another user or can be written by others" in result["msg"]
    assert zone.calls() == ["GET"]
    assert list(state_dir.iterdir()) == []


@pytest.mark.parametrize("permissions", [0o700, 0o750, 0o755])
def test_a_state_dir_that_others_can_only_read_is_used(run: Run, state_dir: pathlib.Path, permissions: int) -> None:
    state_dir.mkdir()
    state_dir.chmod(permissions)
    assert run("dns_record", **OTHER)["changed"] is True


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_state_dir_of_somebody_else_is_refused(zone: Any, run: Run, state_dir: pathlib.Path) -> None:
    state_dir.mkdir(mode=0o700)
    os.chown(state_dir, 12345, -1)
    assert "belongs to another user" in run("dns_record", **OTHER)["msg"]
    assert zone.calls() == ["GET"]


@pytest.mark.parametrize(
    ("state_dir", "said"),
    [
        ("/dev/null/state", "cannot be made, /dev/null cannot be written to: set state_dir to a folder of your own"),
        ("/dev/null", "cannot be opened, Not a directory: set state_dir to a folder of your own"),
        ("/proc/no-such-place", "cannot be made, "),
        ("/tmp/" + "x" * 300, "File name too long"),  # noqa: S108 - it is never made
        ("~no-such-user/state", "cannot be made, there is no such user: set state_dir to a folder of your own"),
    ],
)
@pytest.mark.parametrize("task", [OTHER, {**OTHER, "state": "absent"}], ids=["to write", "nothing to write"])
def test_a_state_dir_that_cannot_be_made_is_one_sentence(
    zone: Any, run: Run, state_dir: Any, said: str, task: Any
) -> None:
    result = run("dns_record", **{**task, "state_dir": state_dir})
    if result.get("failed"):
        assert said in result["msg"]
        assert (result["changed"], result["changes"], result["status_code"]) == (False, [], None)
    assert not any(call.startswith(("POST", "DELETE")) for call in zone.calls())


def test_a_journal_that_cannot_be_read_is_one_sentence(zone: Any, run: Run, journal: Journal) -> None:
    with journal.lock():
        journal.store.path.mkdir()
    for check in (True, False):
        result = run("dns_record", check=check, **OTHER)
        assert (
            f"the journal {journal.store.path} is no regular file: find out who made it, and remove it" in result["msg"]
        )
    assert zone.calls() == ["GET", "GET"]


def test_a_run_that_deletes_is_noted_too_before_it_writes(zone: Any, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_journal, "LARGEST", 2**20)
    zone.holds("www 300 TXT " + "x" * 1000)
    result = run("dns_record", **{**REPLACE, "type": "TXT", "content": [f"{n:05}" + "x" * 1000 for n in range(1100)]})
    assert "the note of what is about to be written would have more than 0 MiB" in result["msg"]
    assert zone.calls() == ["GET", "GET"]


REFUSED_FOLDERS: dict[str, Callable[[pathlib.Path], object]] = {
    "others can write to it": lambda folder: (folder.mkdir(), folder.chmod(0o777)),
    "a link": lambda folder: folder.symlink_to(folder.parent),
    "a link that leads nowhere": lambda folder: folder.symlink_to("nowhere"),
    "a link above it that leads nowhere": lambda folder: folder.parent.symlink_to("nowhere"),
    "a file": lambda folder: folder.touch(),
    "below a file": lambda folder: (folder.parent.rmdir(), folder.parent.touch()),
    "no right to write": lambda folder: folder.mkdir(mode=0o500),
    "no right to make it": lambda folder: folder.parent.chmod(0o500),
    "a FIFO as lock": lambda folder: (folder.mkdir(mode=0o700), os.mkfifo(folder / "lock")),
    "a FIFO as journal": lambda folder: (folder.mkdir(mode=0o700), os.mkfifo(folder / "journal")),
    "a lock with a second name": lambda folder: (
        folder.mkdir(mode=0o700),
        (folder / "lock").touch(mode=0o600),
        os.link(folder / "lock", folder / "second"),
    ),
}


UNREADABLE = {"others can write to it", "a link", "a link that leads nowhere", "a file", "below a file"}
"""Where nobody can tell whether there is a ledger."""


@pytest.mark.parametrize("what", REFUSED_FOLDERS)
@pytest.mark.parametrize("task", [OTHER, {**OTHER, "state": "absent"}], ids=["to write", "nothing to write"])
def test_check_mode_refuses_what_a_run_would_refuse(
    zone: Any, run: Run, service: Service, tmp_path: pathlib.Path, what: str, task: dict[str, Any]
) -> None:
    if "no right" in what and os.geteuid() == 0:
        pytest.skip("root has every right")
    folder = tmp_path / "parent" / "state"
    if "above" not in what:
        folder.parent.mkdir()
    REFUSED_FOLDERS[what](folder)
    journal = Journal(FileStore(str(folder), service.url, "example.com."))
    for name, path in (("lock", lock_file(journal)), ("journal", journal.store.path)):
        if os.path.lexists(folder / name):
            (folder / name).rename(path)
    before = sorted(tmp_path.rglob("*"))
    checked, result = (run("dns_record", **task, state_dir=str(folder), check=check) for check in (True, False))
    assert bool(checked.get("failed")) is bool(result.get("failed"))
    assert bool(result.get("failed")) is (task is OTHER or what in {*UNREADABLE, "a FIFO as journal"})
    assert set(zone.calls()) == {"GET"}
    if result.get("failed"):
        assert checked["msg"] == result["msg"]
    if what != "a FIFO as journal":
        assert sorted(tmp_path.rglob("*")) == before


def test_check_mode_makes_no_folder(run: Run, state_dir: pathlib.Path) -> None:
    options = {**OTHER, "state_dir": str(state_dir / "one" / "two")}
    assert run("dns_record", check=True, **options)["changed"] is True
    assert not state_dir.exists()
    assert run("dns_record", **options)["changed"] is True
    assert {mode(folder) for folder in (state_dir, state_dir / "one", state_dir / "one" / "two")} == {0o700}


@pytest.mark.parametrize("check", [False, True], ids=["run", "check mode"])
def test_a_user_without_a_home_folder_is_told_so(
    zone: Any, run: Run, home: pathlib.Path, monkeypatch: pytest.MonkeyPatch, check: bool
) -> None:
    """In a container, a user that has a number and no entry in the list of users."""

    def no_entry(_uid: int) -> None:
        raise KeyError("getpwuid(): uid not found")

    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", no_entry)
    monkeypatch.chdir(home)
    result = run("dns_record", check=check, **{**OTHER, "state_dir": None})
    assert result["msg"] == (
        "Zone example.com: state_dir ~/.ansible/zonesmith cannot be made, this user has no home folder: "
        "set state_dir or HOME to a folder of your own."
    )
    assert zone.calls() == ["GET"]
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("check", [False, True], ids=["run", "check mode"])
def test_a_home_folder_that_is_no_folder(
    zone: Any, run: Run, home: pathlib.Path, monkeypatch: pytest.MonkeyPatch, check: bool
) -> None:
    """A container gives a user without entry the HOME of another, which he cannot write to."""
    nowhere = home / "nowhere"
    nowhere.touch()
    monkeypatch.setenv("HOME", str(nowhere))
    result = run("dns_record", check=check, **{**OTHER, "state_dir": None})
    assert result["msg"] == (
        f"Zone example.com: state_dir {nowhere}/.ansible/zonesmith cannot be made, {nowhere} cannot be written to: "
        "set state_dir to a folder of your own."
    )
    assert zone.calls() == ["GET"]


@pytest.mark.parametrize("check", [False, True], ids=["run", "check mode"])
def test_a_file_system_without_locks(
    zone: Any, run: Run, journal: Journal, monkeypatch: pytest.MonkeyPatch, check: bool
) -> None:
    with journal.lock():
        pass

    def no_locks(_descriptor: int, _operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    assert run("dns_record", check=check, **OTHER)["msg"] == (
        f"Zone example.com: {lock_file(journal)} cannot be locked, No locks available; set state_dir to a local folder."
    )
    assert zone.calls() == ["GET"]


def test_the_default_state_dir_is_in_the_home_directory(run: Run, home: pathlib.Path) -> None:
    assert run("dns_record", **{**OTHER, "state_dir": None})["changed"] is True
    lock, written = sorted((home / ".ansible" / "zonesmith").iterdir())
    assert (lock.suffix, written.suffix) == (".lock", ".written")
    assert {mode(lock.parent), mode(lock), mode(written)} == {0o700, 0o600}


@pytest.mark.parametrize(
    "zone_name",
    [
        "example.com.",
        "../../etc/passwd.",
        "/etc/passwd.",
        "..",
        "0/25.2.0.192.in-addr.arpa.",
        "a\\/b\x00c.",
        "-" * 63 + "." + "a.b" * 60,
        "é" * 300,
    ],
)
def test_no_zone_leads_out_of_state_dir(service: Service, state_dir: pathlib.Path, zone_name: str) -> None:
    journal = Journal(FileStore(str(state_dir), service.url, zone_name))
    left_behind(journal, entry("300 192.0.2.1", ""))
    assert journal.store.path.resolve().parent == state_dir.resolve()
    assert journal.store.path.is_file()
    assert len(list(state_dir.iterdir())) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("https://a.example", "example.com."), ("https://b.example", "example.com.")),
        (("https://a.example/v1", "example.com."), ("https://a.example/v2", "example.com.")),
        (("https://a.example", "example.com."), ("https://a.example", "examplecom.")),
        (("https://a.example", "example.com."), ("https://a.example", "example.co.")),
        (("https://a.example", "a/b.example."), ("https://a.example", "a_b.example.")),
        (
            ("https://a.example", f"{'a' * 63}.{'b' * 63}.{'c' * 63}.one.example."),
            ("https://a.example", f"{'a' * 63}.{'b' * 63}.{'c' * 63}.two.example."),
        ),
    ],
)
def test_each_service_and_zone_has_its_own_journal(
    state_dir: pathlib.Path, one: tuple[str, str], other: tuple[str, str]
) -> None:
    assert Journal(FileStore(str(state_dir), *one)).store.path != Journal(FileStore(str(state_dir), *other)).store.path


# The lock


def lock_file(journal: Journal) -> pathlib.Path:
    return journal.store.path.with_suffix(".lock")


@contextmanager
def another_process_holds(journal: Journal) -> Iterator[Callable[[], None]]:
    """The lock, held by another process until the function is called, or the context ends."""
    with journal.lock():
        pass
    code = "import fcntl, sys; f = open(sys.argv[1]); fcntl.flock(f, fcntl.LOCK_EX); print('held', flush=True); input()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(lock_file(journal))], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin
    assert process.stdout
    try:
        assert process.stdout.readline() == "held\n"

        def let_go() -> None:
            process.communicate("\n", timeout=10)

        yield let_go
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def test_a_lock_that_another_process_holds_is_waited_for(
    zone: Any, connect: Any, journal: Journal, service: Service
) -> None:
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import plan
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted

    def make_plan(live: Any, *_: object) -> Plan:
        return plan("example.com.", live, [Wanted("www.example.com.", "A", ("192.0.2.1",))])

    client = connect()
    with another_process_holds(journal) as let_go:
        waiting = threading.Thread(
            target=converge, args=(client, "example.com.", make_plan, journal, Settings()), daemon=True
        )
        waiting.start()
        service.wait_log(1)
        time.sleep(0.2)
        assert waiting.is_alive()
        assert zone.calls() == ["GET"]
        let_go()
        waiting.join(10)
    assert zone.lines() == ["www 3600 A 192.0.2.1"]


def test_check_mode_and_readings_do_not_wait_for_the_lock(zone: Any, run: Run, journal: Journal) -> None:
    """Nor is the journal of a run that is under way taken for one that was left behind."""
    zone.holds(TWO)
    left_behind(journal, entry("300 192.0.2.7", "300 192.0.2.8", name="other.example.com."))
    with another_process_holds(journal):
        checked = run("dns_record", check=True, **REPLACE)
        assert checked["recovered"] == []
        (told,) = checked["warnings"]
        assert told.startswith("another run is at work on example.com (")
        assert run("dns_zone_info", zone="example.com")["zones"]
    assert [c["name"] for c in run("dns_record", check=True, **REPLACE)["recovered"]] == ["other.example.com."]


def test_a_run_without_changes_does_not_wait_for_the_lock(zone: Any, run: Run, journal: Journal) -> None:
    zone.holds(TWO)
    with another_process_holds(journal):
        assert run("dns_record", **{**REPLACE, "content": ["192.0.2.1"], "exclusive": False})["changed"] is False


UNTIL_TOLD = (
    r"another run holds the lock on the zone \((.*)\) and did not let go of it within (.*) seconds; nothing was"
)


def test_a_lock_that_is_not_let_go_of_is_waited_for_as_long_as_lock_timeout_says(
    zone: Any, run: Run, journal: Journal
) -> None:
    for lock_timeout, said in ((0, "0"), (0.25, "0.25")):
        with journal.lock():
            held_since = journal.look().last_write
            result = run("dns_record", **OTHER, lock_timeout=lock_timeout)
            told = re.search(UNTIL_TOLD, result["msg"])
            assert told, result["msg"]
            holder, seconds = told.groups()
            assert re.fullmatch(
                rf"host {re.escape(os.uname().nodename)}, pid {os.getpid()}, since \d{{4}}-\d\d-\d\dT[\d:]{{8}}Z",
                holder,
            )
            assert seconds == said
            assert (result["changed"], result["changes"]) == (False, [])
            assert journal.look().last_write == held_since, "who only waited has written nothing"
    assert set(zone.calls()) == {"GET"}
    assert run("dns_record", **OTHER, lock_timeout=0)["changed"] is True


@pytest.mark.parametrize("lock_timeout", [-1, -0.001, float("nan"), float("inf"), 86401])
@pytest.mark.parametrize("check", [False, True], ids=["run", "check mode"])
def test_a_lock_timeout_that_makes_no_sense_is_refused(zone: Any, run: Run, lock_timeout: float, check: bool) -> None:
    result = run("dns_record", check=check, **OTHER, lock_timeout=lock_timeout)
    assert result["msg"] == "lock_timeout must be 0 to 86400 seconds."
    assert zone.calls() == []


@pytest.mark.parametrize(
    "note",
    [
        b"",
        b"no JSON",
        b"7",
        b"[" * 1000,
        b"\xff\x00",
        b'{"host": "a", "pid": 7}',
        b'{"host": "a", "pid": true, "since": "2026-01-02T03:04:05Z"}',
        b'{"host": ["a"], "pid": 7, "since": "2026-01-02T03:04:05Z"}',
        b'{"host": "a", "pid": 7, "since": "yesterday"}',
        b'{"host": "a", "pid": 7, "since": 7}',
        b'{"host": "%s", "pid": 7, "since": "2026-01-02T03:04:05Z"}' % (b"a" * 256),
        b'{"host": "%s", "pid": 7, "since": "2026-01-02T03:04:05Z"}' % (b"a" * 10**6),
    ],
)
def test_a_note_that_says_no_holder_is_not_shown(run: Run, journal: Journal, note: bytes) -> None:
    with another_process_holds(journal):
        lock_file(journal).write_bytes(note)
        told = re.search(UNTIL_TOLD, run("dns_record", **OTHER, lock_timeout=0)["msg"])
    assert told
    assert told[1] == str(lock_file(journal))


def test_a_note_cannot_write_to_the_terminal(run: Run, journal: Journal) -> None:
    note = {"host": "\x1b[31mred\u202e", "pid": 7, "since": "2026-01-02T03:04:05Z"}
    with another_process_holds(journal):
        lock_file(journal).write_text(json.dumps(note), encoding="utf-8")
        told = re.search(UNTIL_TOLD, run("dns_record", **OTHER, lock_timeout=0)["msg"])
    assert told
    assert told[1] == "host \\x1b[31mred\\u202e, pid 7, since 2026-01-02T03:04:05Z"


def test_the_note_goes_with_the_lock(journal: Journal) -> None:
    with journal.lock():
        assert json.loads(lock_file(journal).read_bytes())["pid"] == os.getpid()
    assert lock_file(journal).read_bytes() == b""


def test_nothing_is_left_of_a_note_that_was_longer(journal: Journal) -> None:
    with journal.lock():
        pass
    lock_file(journal).write_text("x" * 1000, encoding="utf-8")
    with journal.lock():
        assert json.loads(lock_file(journal).read_bytes())["pid"] == os.getpid()


@pytest.mark.parametrize(("length", "is_told"), [(255, True), (256, False)])
def test_a_note_names_a_host_of_at_most_255_characters(run: Run, journal: Journal, length: int, is_told: bool) -> None:
    note = {"host": "h" * length, "pid": 7, "since": "2026-01-02T03:04:05Z"}
    with another_process_holds(journal):
        lock_file(journal).write_text(json.dumps(note), encoding="utf-8")
        message = run("dns_record", **OTHER, lock_timeout=0)["msg"]
    assert ("h" * length in message) is is_told


def test_a_lock_is_asked_for_again_after_each_pause_until_the_time_is_over(
    run: Run, journal: Journal, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a clock that only the pauses move."""
    looks: list[float] = []

    def monotonic() -> float:
        assert len(looks) < 20, "it does not pause"
        looks.append(now())
        return looks[-1]

    now = clock.monotonic
    monkeypatch.setattr(_lock, "PAUSE", 0.25)
    counting = SimpleNamespace(monotonic=monotonic, sleep=clock.sleep)
    with another_process_holds(journal):
        monkeypatch.setattr(_lock, "machine", lambda: counting)
        message = run("dns_record", **OTHER, lock_timeout=1.125)["msg"]
    assert "did not let go of it within 1.125 seconds" in message
    assert clock.waits == [0.25, 0.25, 0.25, 0.25, 0.125]


def test_a_lock_that_cannot_be_made_is_one_sentence(
    zone: Any, run: Run, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(_folder: StateDir, _name: str) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(StateDir, "create_file", no_space)
    result = run("dns_record", **OTHER)
    assert f"the lock {lock_file(journal)} cannot be made, No space left on device" in result["msg"]
    assert zone.calls() == ["GET"]


def test_on_a_full_disk_there_is_a_lock_without_a_note(
    run: Run, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(_descriptor: int, _content: bytes, _offset: int) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "pwrite", no_space)
    assert run("dns_record", **OTHER)["changed"] is True
    assert journal.look().last_write > 0


def test_a_lock_that_was_removed_while_it_was_waited_for_is_made_anew(
    run: Run, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or the next run would make another one, and both would write."""
    flock, removed = fcntl.flock, []

    def remove_first(descriptor: int, operation: int) -> None:
        if not removed:
            removed.append(lock_file(journal).unlink())
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", remove_first)
    assert run("dns_record", **OTHER)["changed"] is True
    assert lock_file(journal).exists()


def test_a_link_in_place_of_the_lock_is_refused(
    zone: Any, run: Run, journal: Journal, state_dir: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    state_dir.mkdir(mode=0o700)
    target = tmp_path / "target"
    for target_exists in (False, True):
        if target_exists:
            target.write_text("precious", encoding="utf-8")
        else:
            lock_file(journal).symlink_to(target)
        result = run("dns_record", **OTHER)
        assert f"the lock {lock_file(journal)} is a link: find out who made it, and remove it" in result["msg"]
        assert target.exists() is target_exists
    assert target.read_text(encoding="utf-8") == "precious"
    assert zone.calls() == ["GET", "GET"]


def test_the_lock_tells_of_the_last_write(journal: Journal) -> None:
    assert journal.look().last_write == 0
    with journal.lock() as seen:
        assert seen.last_write == 0
        under_way = journal.look().last_write
        assert under_way > 0
        time.sleep(0.02)
    assert journal.look().last_write > under_way
    with journal.lock() as seen:
        assert seen.last_write > under_way


# The difference, as ansible-playbook --diff shows it


@pytest.mark.parametrize("check", [False, True])
def test_what_was_completed_is_in_the_difference(zone: Any, run: Run, journal: Journal, check: bool) -> None:
    zone.holds("ftp 300 A 192.0.2.9")
    left_behind(journal, entry("300 192.0.2.1", "300 192.0.2.1 192.0.2.2"))
    result = run("dns_record", check=check, **{**OTHER, "name": "www", "content": "192.0.2.3"})
    assert [change["action"] for change in (*result["recovered"], *result["changes"])] == ["create", "extend"]
    lines = [f"www.example.com. 300 IN A 192.0.2.{n}\n" for n in (1, 2, 3)]
    assert result["diff"] == {"before": "", "after": "".join(lines)}


def test_after_a_failure_the_difference_is_what_was_done(zone: Any, run: Run, service: Service) -> None:
    service.fault("status", method="POST", content="192.0.2.2", status=422, times=0)
    result = run("dns_record", **{**REPLACE, "content": ["192.0.2.1", "192.0.2.2"], "exclusive": False})
    assert result["failed"]
    assert zone.lines() == ["www 3600 A 192.0.2.1"]
    assert result["diff"] == {"before": "", "after": "www.example.com. 3600 IN A 192.0.2.1\n"}


def test_where_nothing_was_written_there_is_no_difference(run: Run) -> None:
    assert "diff" not in run("dns_record", **{**REPLACE, "content": "no address"})


# The journal by itself, without a run


CHECK = partial(checked_entry, "example.com.")


@pytest.fixture
def elsewhere(tmp_path: pathlib.Path) -> Elsewhere:
    """A store whose clock is ahead of this machine's."""
    return Elsewhere(str(tmp_path / "elsewhere"), "https://dns.example.com", "example.com.")


def test_an_entry_is_as_old_as_it_is() -> None:
    assert 5 <= entry("300 192.0.2.1", "", age=5).age < 60
    assert entry("300 192.0.2.1", "", age=-60).age == 0, "where the clock was set back"
    assert entry("300 192.0.2.1", "", age=1) == entry("300 192.0.2.1", "", age=2)


def test_nothing_is_seen_where_nothing_is_kept() -> None:
    assert Kept() == Kept(last_write=0, idle=math.inf, is_open=False, memory=Memory(), at=7.0)
    assert Kept().at == 0.0, "as long ago as can be"


def test_an_entry_in_the_journal_and_what_is_put_aside(journal: Journal) -> None:
    one = entry("300 192.0.2.1", "")
    before = {"name": "www.example.com.", "type": "A", "ttl": 300, "contents": ["192.0.2.1"]}
    held: dict[str, Any] = {"format": 1, "entries": [{"key": [*WWW], "before": before, "after": None, "at": one.at}]}
    steps = [["delete", one.at, "unknown", False]]
    history = {
        "key": [*WWW],
        "start": [300, "192.0.2.1"],
        "steps": steps,
        "left": [300, "192.0.2.1"],
        "is_to_go": False,
    }
    held["entries"][0] |= {"history": history, "quoted": False}
    written = one.as_written()
    assert json.loads(json.dumps(written)) == held["entries"][0]
    with journal.lock():
        journal.write([one])
        kept = journal.put_aside([one])
    assert kept.startswith(f"{journal.store.path.with_suffix('')}.aside-")
    assert json.loads(pathlib.Path(kept).read_bytes()) == json.loads(journal.store.path.read_bytes()) == held


def test_a_memory_that_is_kept_already_is_not_kept_again(journal: Journal, state_dir: pathlib.Path) -> None:
    memory = Memory(text_form="plain")
    with journal.lock():
        journal.write(None, memory)
        (file,) = state_dir.glob("*.written")
        os.utime(file, ns=(1, 1))
        journal.write(None, memory)
    again = Journal(journal.store)
    with again.lock():
        again.write(None, memory)
        again.write([entry("300 192.0.2.1", "")], memory)
        again.write(None, memory)
    assert file.stat().st_mtime_ns == 1
    for form in ("quoted", "plain"):
        with journal.lock():
            journal.write([], Memory(text_form=form))
            assert journal.look().memory.text_form == form


def test_a_set_is_deleted_on_the_way_unless_it_only_grows() -> None:
    grow = [("300 .1", "300 .1"), ("300 .1", "300 .2 .1"), ("", "300 .1")]
    go = [("300 .1 .2", "300 .1"), ("300 .1", "300 .2"), ("300 .1", "60 .1 .2"), ("300 .1", "")]
    assert [entry(before, after).deletes for before, after in grow] == [False] * len(grow)
    assert [entry(before, after).deletes for before, after in go] == [True] * len(go)


def test_the_store_is_let_go_of(elsewhere: Elsewhere) -> None:
    Journal(elsewhere).close()
    assert elsewhere.closed == 1


def test_a_place_that_may_not_last_is_warned_of_once(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal.store, "ends_early", lambda: "")
    journal.warn_of_an_early_end()
    assert journal.warnings == []
    monkeypatch.setattr(journal.store, "ends_early", lambda: "state_dir /x is on tmpfs")
    for _again in range(2):
        journal.warn_of_an_early_end()
        (warning,) = journal.warnings
        assert warning == (
            "state_dir /x is on tmpfs, so that what an interrupted rebuild leaves may be lost with it: set state_url "
            "to keep the journal in a database, or keep the folder on a disk that outlasts this machine"
        )


def test_what_was_left_here_shows_elsewhere(journal: Journal, elsewhere: Elsewhere) -> None:
    new = Journal(elsewhere, former=journal.store)
    assert not new.look().is_open
    left_behind(journal, entry("300 192.0.2.1", ""))
    assert new.look().is_open
    assert not Journal(elsewhere).look().is_open


def test_times_are_those_of_the_store(elsewhere: Elsewhere) -> None:
    one = entry("300 192.0.2.1", "300 192.0.2.2")
    with (journal := Journal(elsewhere)).lock():
        journal.write([one], Memory(text_form="plain"))
    assert json.loads(elsewhere.path.read_bytes())["entries"][0]["at"] == one.at + AHEAD
    with (journal := Journal(elsewhere)).lock():
        (read,) = journal.pending(CHECK)
    assert read.at == pytest.approx(one.at, abs=0.01)
    assert read.age < 60
    assert journal.look().memory.text_form == "plain"


@pytest.mark.parametrize("at", [..., None, "soon", True, [1]])
def test_an_entry_that_does_not_tell_its_time_is_of_long_ago(elsewhere: Elsewhere, at: Any) -> None:
    """As one of an older version."""
    left_behind(Journal(elsewhere), entry("300 192.0.2.1", ""))
    held = json.loads(elsewhere.path.read_bytes())
    held["entries"][0]["at"] = at
    if at is ...:
        del held["entries"][0]["at"]
    elsewhere.path.write_text(json.dumps(held), encoding="utf-8")
    journal = Journal(elsewhere)
    journal.look()
    assert [(read.key, read.at) for read in journal.preview(CHECK).leftover] == [(WWW, 0.0)]
    assert journal.warnings == []


def test_what_was_left_here_keeps_its_time_and_counts_where_nobody_has_written_since(
    journal: Journal, elsewhere: Elsewhere
) -> None:
    long_ago = entry("300 192.0.2.1", "", name="ftp.example.com.", age=time.time())
    late = entry("300 192.0.2.1", "300 192.0.2.2", age=2 * LATE)
    left_behind(journal, late, long_ago)
    assert [one.at for one in Journal(journal.store).preview(CHECK).leftover] == [late.at, long_ago.at], (
        "without a look"
    )

    new = Journal(elsewhere, former=journal.store)
    assert [one.at for one in new.preview(CHECK).leftover] == [late.at, long_ago.at]
    with new.lock():
        assert [one.at for one in new.pending(CHECK)] == [late.at, long_ago.at]
    assert new.warnings == []


def test_what_was_left_here_counts_if_it_is_newer_than_what_others_wrote(
    journal: Journal, elsewhere: Elsewhere
) -> None:
    entries = [entry("300 192.0.2.1", "", name=f"{name}.example.com.", age=2 * LATE) for name in ("a", "b")]
    left_behind(Journal(elsewhere))
    (lock,) = elsewhere.folder.glob("*.lock")
    for wrote, counts in ((3 * LATE, True), (1.5 * LATE, False)):
        left_behind(journal, *entries)
        os.utime(lock, (time.time() - wrote, time.time() - wrote))
        new = Journal(elsewhere, former=journal.store)
        new.look()
        assert new.preview(CHECK).leftover == entries * counts
        with new.lock():
            assert new.pending(CHECK) == entries * counts
            new.write([])
    begins = [warning.partition(" had been left incomplete by an earlier")[0] for warning in new.warnings]
    assert begins == ["a.example.com. A, b.example.com. A"]


def test_what_is_refused_is_told_word_for_word(journal: Journal) -> None:
    def refuse(written: Any) -> Entry:
        raise ValueError(f"{written['key'][0]}: it will not do")

    left_behind(journal, *(entry("", "300 192.0.2.1", name=f"bad{number}.example.com.") for number in range(20)))
    assert journal.preview(refuse).leftover == []
    reasons = "; ".join(f"entries[{number}] bad{number}.example.com.: it will not do" for number in range(20))
    (warning,) = journal.warnings
    assert warning == (
        f"the journal of an earlier run has entries that no run would write ({reasons}) and is kept as "
        f"{journal.store.path}: check that the zone holds every set it should, then remove the file"
    )


def test_as_much_is_written_as_can_be_read(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    one = entry("300 192.0.2.1", "300 192.0.2.2")
    left_behind(journal, one)
    monkeypatch.setattr(_journal, "LARGEST", len(journal.store.path.read_bytes()))
    left_behind(journal, one)
    longer = entry("300 192.0.2.1", "300 192.0.2.20")
    with journal.lock(), pytest.raises(StateError, match=r" would have more than 0 MiB: change fewer "):
        journal.write([Entry(longer.key, longer.before, longer.after, one.at)])
    with journal.lock():
        assert journal.pending(CHECK) == [one]

    memory = Memory(text_form="plain")
    monkeypatch.setattr(_journal, "LARGEST", len(memory.content()))
    with journal.lock():
        journal.write(None, memory)
        journal.write(None, Memory(text_form="quoted"))
    assert journal.look().memory == memory
