# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Ten times the sets are about ten times the work, also where things go wrong: counted in calls, not in seconds."""

import sys

import pytest
from shorthand import a_set

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Snapshot
from ansible_collections.zonesmith.dns.plugins.module_utils._api.limiter import Bounds, Limiter
from ansible_collections.zonesmith.dns.plugins.module_utils._api.turns import Turns
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.deletions import Deletions
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.look import look
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.outcome import (
    ApplyFailed,
    Job,
    ZoneOutcome,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.run import carry_out
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    Key,
    RecordSet,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Document
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._log.past import Past
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import plan
from ansible_collections.zonesmith.dns.plugins.module_utils._state.folder import FolderStore

ZONE = "example.com."
FEW, MANY = 60, 600
OLD, NEW = "192.0.2.1", "192.0.2.2"


class InMemory:
    """The client of a zone that holds as many sets, and of a service that refuses or ignores what it is told to."""

    def __init__(self, keys, held, refuses, *, ignores):
        self.turns = Turns(Limiter(Bounds(1, 1)))
        self._sets = {key: record_set for key in keys if (record_set := a_set(key, held))}
        self._refuses = refuses
        self._ignores = ignores

    def read_zone(self, zone):
        return Snapshot(zone, "examplecom", {**self._sets})

    def read_again(self, zone):
        return self.read_zone(zone.name)

    def create_value(self, _slug, body, write):
        write.before_each_try()
        if body["name"] == self._refuses:
            raise ServiceError("the service answered 422: no", 422)
        key = Key(f"{body['name']}.{ZONE}", body["type"])
        if not self._ignores:
            held = self._sets[key].values if key in self._sets else ()
            self._sets[key] = RecordSet(*key, body["ttl"], (*held, body["content"]))

    def delete_record_set(self, _slug, name, rdtype, write):
        write.before_each_try()
        if not self._ignores:
            del self._sets[Key(name, rdtype)]
        return True


def converge(client, store, desired):
    """Read the zone, and do what that leads to."""

    def make_plan(held, _document):
        return plan(ZONE, held, desired)

    job = Job({}, make_plan, make_plan, lambda *_: None, Deletions())
    agenda = look(client, ZONE, store, job)
    if agenda.is_empty:
        return ZoneOutcome(agenda.snapshot, agenda.document, agenda.shown, agenda.plan)
    return carry_out(client, store, agenda, job, [])


def work(number, state_dir, monkeypatch, scenario):
    """How many calls and comparisons of keys a task makes on so many sets, and how it ends."""
    keys = [Key(f"host{index:04}.{ZONE}", "A") for index in range(number)]
    client = InMemory(
        keys,
        scenario["held"],
        f"host{number - 1:04}" if "refuses_the_last" in scenario else None,
        ignores=scenario.get("ignores", False),
    )
    store = FolderStore(str(state_dir), f"https://{number}.example", ZONE)
    if "left" in scenario:
        before, desired = scenario["left"]
        at = machine().time() - 60
        entries = {
            key: Entry(
                Past().with_newest(a_set(key, before)),
                a_set(key, desired),
                True,
                at,
                at,
            )
            for key in keys
        }
        with store.lock():
            store.save(Document(entries))
    wanted = [Desired(*key, (value,), ttl=60) for key in keys if (value := scenario.get("wanted"))]
    wanted = wanted or [Desired("www.example.com.", "A", (NEW,))]
    counted = 0

    def count(_frame, event, _argument):
        nonlocal counted
        counted += event == "call"

    def equal(one, other):
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
    "scenario, end",
    [
        pytest.param(
            {"held": f"300 {OLD}", "wanted": OLD}, "600 changed, 0 completed", id="rebuilt"
        ),
        pytest.param(
            {"held": f"300 {OLD}", "wanted": NEW, "refuses_the_last": True},
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
    ],
)
@pytest.mark.usefixtures("clock")
def test_ten_times_the_sets_are_ten_times_the_work(state_dir, monkeypatch, scenario, end):
    work(
        2, state_dir, monkeypatch, scenario
    )  # what is imported and kept once is counted in neither
    few, _end = work(FEW, state_dir, monkeypatch, scenario)
    many, ended = work(MANY, state_dir, monkeypatch, scenario)
    assert ended == end
    assert many < 11 * few
