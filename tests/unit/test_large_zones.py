# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Ten times the sets are about ten times the work, also where things go wrong: counted in calls, not in seconds."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from shorthand import a_set

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._api.under_way import RequestLimiter
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.look import ApplyFailed, ZoneOutcome, look
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.run import Settings, carry_out
from ansible_collections.zonesmith.dns.plugins.module_utils._dns import given as _given
from ansible_collections.zonesmith.dns.plugins.module_utils._dns import rdata as _rdata
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import canonical
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, LiveSets, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Document
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.entries import desired_record_sets
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import UNLIMITED
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan, plan
from ansible_collections.zonesmith.dns.plugins.module_utils._state.folder import FolderStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import Store
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_file import _Collected, read_zone_file

ZONE = "example.com."
FEW, MANY = 60, 600
OLD, NEW, OTHERS = "192.0.2.1", "192.0.2.2", "192.0.2.9"


class InMemory:
    """The client of a zone that holds as many sets, and of a service that refuses or ignores what it is told to."""

    def __init__(self, keys: Iterable[Key], held: str, refuses: Callable[[str], bool], *, ignores: bool):
        self.limiter = RequestLimiter(1)
        self._sets = {key: record_set for key in keys if (record_set := a_set(key, held))}
        self._refuses = refuses
        self._ignores = ignores

    def read_zone(self, zone: str) -> LiveZone:
        return LiveZone(zone, "examplecom", {**self._sets})

    def read_again(self, zone: LiveZone) -> LiveZone:
        return self.read_zone(zone.name)

    def create_value(
        self, _slug: str, body: dict[str, Any], _is_there: Any, allowed: Any, *_: Any, **_options: Any
    ) -> bool:
        allowed()
        if self._refuses(body["name"]):
            raise ServiceError("the service answered 422: no", 422)
        key = Key(f"{body['name']}.{ZONE}", body["type"])
        if not self._ignores:
            held = self._sets[key].values if key in self._sets else ()
            self._sets[key] = RecordSet(*key, body["ttl"], (*held, body["content"]))
        return True

    def delete_record_set(self, _slug: str, name: str, rdtype: str, _is_gone: Any, allowed: Any, *_: Any) -> bool:
        allowed()
        if not self._ignores:
            del self._sets[Key(name, rdtype)]
        return True


def converge(client: Any, store: Store, wanted: Sequence[Desired]) -> ZoneOutcome:
    """Read the zone, and do what that leads to."""

    def make_plan(live: LiveSets, _document: Document) -> Plan:
        return plan(ZONE, live, wanted)

    found = look(client, ZONE, store, make_plan)
    if found.is_all:
        return ZoneOutcome(found.snapshot, found.document, found.plan)
    settings = Settings("auto", 1, make_plan, lambda *_: None)
    return carry_out(client, found, make_plan, store, settings, [])


def work(number: int, state_dir: Path, monkeypatch: pytest.MonkeyPatch, story: dict[str, Any]) -> tuple[int, str]:
    """How many calls and comparisons of keys a task makes on so many sets, and how it ends."""
    keys = [Key(f"host{index:04}.{ZONE}", "A") for index in range(number)]
    refused = {f"host{index % number:04}" for index in story.get("refuses", ())}
    client: Any = InMemory(
        keys,
        story["held"],
        lambda name: story.get("refuses_all") or name in refused,
        ignores=story.get("ignores", False),
    )
    store = FolderStore(str(state_dir), f"https://{number}.example", ZONE)
    if "left" in story:
        before, want = story["left"]
        at = machine().time() - 60
        entries = {key: Entry(a_set(key, before), a_set(key, want), True, at, at) for key in keys}
        with store.lock():
            store.save(Document(entries))
    wanted = [Desired(*key, (value,), ttl=60) for key in keys if (value := story.get("wanted"))]
    wanted = wanted or [Desired("www.example.com.", "A", (NEW,))]
    counted = 0

    def count(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal counted
        counted += event == "call"

    def equal(one: Key, other: object) -> bool:
        nonlocal counted
        counted += 1
        return tuple.__eq__(one, other)

    with monkeypatch.context() as patched:
        patched.setattr(Key, "__eq__", equal)
        patched.setattr(Key, "__hash__", tuple.__hash__)
        sys.setprofile(count)
        try:
            outcome = converge(client, store, wanted)
            end = f"{len(outcome.plan.changes)} changed, {len(outcome.recovered)} completed"
        except ApplyFailed as error:
            end = f"{len(error.applied)} applied, {len(error.failed)} failed, {len(error.not_attempted)} not attempted"
        finally:
            sys.setprofile(None)
    return counted, end


@pytest.mark.parametrize(
    ("story", "end"),
    [
        pytest.param({"held": f"300 {OLD}", "wanted": OLD}, "600 changed, 0 completed", id="rebuilt"),
        pytest.param({"held": "", "wanted": OLD}, "600 changed, 0 completed", id="created"),
        pytest.param(
            {"held": "", "wanted": OLD, "refuses": [0]},
            "0 applied, 1 failed, 599 not attempted",
            id="the first is refused",
        ),
        pytest.param(
            {"held": f"300 {OLD}", "wanted": NEW, "refuses": [-1]},
            "599 applied, 1 failed, 0 not attempted",
            id="the last is refused",
        ),
        pytest.param(
            {"held": f"300 {OLD}", "wanted": NEW, "ignores": True},
            "0 applied, 600 failed, 0 not attempted",
            id="nothing is done",
        ),
        pytest.param(
            {"held": "", "left": (f"300 {OLD}", f"60 {NEW}")},
            "1 changed, 600 completed",
            id="an earlier run's completed",
        ),
        pytest.param(
            {"held": "", "left": (f"300 {OLD}", f"60 {NEW}"), "refuses_all": True},
            "0 applied, 1 failed, 0 not attempted",
            id="an earlier run's refused",
        ),
        pytest.param(
            {"held": f"300 {OTHERS}", "left": (f"300 {OLD}", f"60 {NEW}")},
            "1 changed, 600 completed",
            id="an earlier run's beside other values",
        ),
    ],
)
@pytest.mark.usefixtures("clock")
def test_ten_times_the_sets_are_ten_times_the_work(
    state_dir: Path, monkeypatch: pytest.MonkeyPatch, story: dict[str, Any], end: str
) -> None:
    work(2, state_dir, monkeypatch, story)  # what is imported and kept once is counted in neither
    few, _end = work(FEW, state_dir, monkeypatch, story)
    many, ended = work(MANY, state_dir, monkeypatch, story)
    assert ended == end
    assert many < 11 * few


def reads_of_a_value(story: dict[str, Any], state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """How often the value of a set is read at the most, by a task on some sets, as if nothing had cached it."""
    read = Counter[str]()

    def count(rdtype: str, text: str, *more: Any) -> str:
        read[text] += 1
        return str(canonical.__wrapped__(rdtype, text, *more))

    keys = [Key(f"host{index}.{ZONE}", "SRV") for index in range(FEW)]
    client: Any = InMemory(keys, "", lambda _name: False, ignores=False)
    if shown := story.get("holds"):
        client._sets = {key: RecordSet(*key, 300, (f"0 0 {at} {shown}",)) for at, key in enumerate(keys)}
    store = FolderStore(str(state_dir), "https://values.example", ZONE)
    rows = [
        {"name": key.name, "type": "SRV", "content": [f"0 0 {at} {story['wants']}"], "ttl": 300, "state": "present"}
        for at, key in enumerate(keys)
    ]
    with monkeypatch.context() as patched:
        for module in (_rdata, _given):
            patched.setattr(module, "canonical", count)
        wanted = desired_record_sets(ZONE, rows, None, UNLIMITED)
        outcome = converge(client, store, wanted)
    return max(read.values()), f"{len(outcome.plan.changes)} changed"


@pytest.mark.parametrize(
    ("story", "most", "end"),
    [
        pytest.param({"holds": "a.example.net.", "wants": "a.example.net."}, 1, "0 changed", id="as it is compared"),
        pytest.param({"holds": "A.example.net", "wants": "a.example.net."}, 1, "0 changed", id="in another form"),
        pytest.param({"wants": "a.example.net."}, 2, "60 changed", id="created, and read once more to verify"),
        pytest.param({"holds": "b.example.net.", "wants": "a.example.net."}, 2, "60 changed", id="rebuilt"),
    ],
)
@pytest.mark.usefixtures("clock")
def test_no_value_is_read_twice_out_of_one_snapshot(
    state_dir: Path, monkeypatch: pytest.MonkeyPatch, story: dict[str, Any], most: int, end: str
) -> None:
    """A cache would hide it in a zone that fits into it, and make a larger one take longer for each of its sets."""
    assert reads_of_a_value(story, state_dir, monkeypatch) == (most, end)


def test_a_value_of_a_zone_file_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "$TTL 300\n" + "".join(f"host{number} SRV 0 0 {number} a\n" for number in range(FEW))
    monkeypatch.setattr(_rdata, "canonical", None)
    monkeypatch.setattr(_given, "canonical", None)
    assert len(desired_record_sets(ZONE, read_zone_file(text, ZONE), None, UNLIMITED)) == FEW


def test_what_is_read_and_planned_leaves_no_garbage(state_dir: Path) -> None:
    garbage_after(FEW, state_dir)  # what is made once
    assert garbage_after(FEW, state_dir) == garbage_after(MANY, state_dir)


def garbage_after(number: int, state_dir: Path) -> int:
    """What a task that changes nothing of so many sets leaves that refers to itself."""
    keys = [Key(f"host{index}.{ZONE}", "A") for index in range(number)]
    client: Any = InMemory(keys, f"60 {OLD}", lambda _name: False, ignores=False)
    store = FolderStore(str(state_dir), "https://dns.example", ZONE)
    wanted = [Desired(*key, (OLD,)) for key in keys]
    gc.collect()
    gc.disable()
    try:
        assert not converge(client, store, wanted).plan.changes
        return gc.collect()
    finally:
        gc.enable()


def test_what_a_zone_file_was_collected_in_is_freed_at_once() -> None:
    text = "$TTL 300\n" + "".join(f"host{number} A 192.0.2.1\n" for number in range(FEW))
    before = sum(isinstance(one, _Collected) for one in gc.get_objects())
    gc.disable()
    try:
        read_zone_file(text, ZONE)
        assert sum(isinstance(one, _Collected) for one in gc.get_objects()) == before
    finally:
        gc.enable()
