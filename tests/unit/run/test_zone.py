# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One zone step by step: what each step asks of the service, what it keeps, and what is returned in the end."""

import pytest
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from shorthand import MachineAt, left_behind

from ansible_collections.zonesmith.dns.plugins.module_utils._api import client as api_client
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import diff_of
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import (
    Invocation,
    Shared,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._run.zone import (
    ZoneTask,
    converge_zone,
    look_at,
    outcome_without_writing,
    result_of_zone,
    wait,
    write,
)
from ansible_collections.zonesmith.dns.plugins.modules import dns_records

WWW = Key("www.example.com.", "A")
ONE = "www 300 A 192.0.2.1"
KEEP = Desired(*WWW, ("192.0.2.1",))
GROW = Desired(*WWW, ("192.0.2.2",), keeps_others=True)
NEW = Desired("new.example.com.", "A", ("192.0.2.9",))
ADD_NEW, ADD_SECOND = "POST new A 192.0.2.9", "POST www A 192.0.2.2"


@pytest.fixture
def start(service, state_dir, clock):  # noqa: ARG001 - for what it does to the client
    """The run of a task for example.com."""

    def invocation(*, check=False, shared=None, **options):
        own = {"base_url": service.url, "access_token": service.token, "state_dir": str(state_dir)}
        validation = ArgumentSpecValidator(dns_records.OPTIONS).validate(
            {"zone": "Example.com", **own, **options}
        )
        assert validation.error_messages == []
        return Invocation(validation.validated_parameters, check, shared or Shared())

    return invocation


def was_read(agenda, age, monkeypatch):
    """Let it be so many seconds since the look."""
    read_at = agenda.snapshot.read_at
    monkeypatch.setattr(api_client, "machine", lambda: MachineAt(lambda: read_at + age))


# The steps


def test_a_zone_goes_from_look_to_result(zone, start):
    zone.holds(ONE)
    invocation = start()
    task = ZoneTask(invocation, [GROW, NEW])
    agenda = look_at(task)
    assert (outcome_without_writing(task, agenda), zone.calls()) == (None, ["GET"])
    outcome = write(task, agenda, 1)
    assert zone.calls() == ["GET", ADD_NEW, ADD_SECOND, "GET"]
    wait(task, outcome)
    result = result_of_zone(task, outcome)
    assert (result["changed"], result["zone"]) == (True, "example.com")
    assert [(one["name"], one["action"]) for one in result["changes"]] == [
        ("new.example.com.", "create"),
        ("www.example.com.", "extend"),
    ]
    assert result["diff"] == diff_of(outcome.plan.changes)
    assert result["summary"] == outcome.plan.summary
    nothing = {field: value for field, value in result.items() if value == []}
    assert nothing.keys() == {"recovered", "findings", "service_owned"}
    assert invocation.warnings == []


def test_what_was_recovered_is_a_change_too(start, store):
    left_behind(store, WWW, "300 192.0.2.1", "60 192.0.2.1")
    _outcome, result = converge_zone(start(check=True), [])
    assert (result["changed"], result["changes"]) == (True, [])
    after = {"ttl": 60, "contents": ["192.0.2.1"]}
    assert [change["after"] for change in result["recovered"]] == [after]
    assert result["diff"]["after"] == "www.example.com. 60 IN A 192.0.2.1\n"


# When a snapshot is good enough to write from


AGED = [
    # seconds since the look, what is wanted -> is it read again
    (1.0, [GROW], False),
    (1.25, [GROW], True),
    (1.25, [NEW], False),
]


@pytest.mark.parametrize("age, desired, is_read_again", AGED)
def test_what_was_read_long_ago_is_not_written_from(
    zone, start, monkeypatch, age, desired, is_read_again
):
    zone.holds(ONE)
    task = ZoneTask(start(), desired)
    agenda = look_at(task)
    was_read(agenda, age, monkeypatch)
    write(task, agenda, 1)
    assert (zone.calls()[1] == "GET") is is_read_again


@pytest.mark.parametrize("age, again", [(0.5, []), (1.25, ["GET"])])
def test_a_later_item_of_a_loop_reads_again_only_what_it_writes_to(
    zone, start, monkeypatch, age, again
):
    zone.holds(ONE)
    shared = Shared()
    for _item in range(2):
        converge_zone(start(shared=shared), [KEEP])
        assert zone.calls() == ["GET"]
    task = ZoneTask(start(shared=shared), [GROW])
    agenda = look_at(task, shared.recall(task.invocation.connection, task.zone))
    was_read(agenda, age, monkeypatch)
    write(task, agenda, 1)
    assert zone.calls() == ["GET", *again, ADD_SECOND, "GET"]


def test_what_an_item_of_a_loop_says_of_a_mail_host_says_nothing_to_the_next(zone, start, service):
    service.settings(mx_read="bare")
    zone.holds("@ 300 MX 10 mail.example.net.")
    shared, mail = Shared(), Key("example.com.", "MX")
    for preference in (10, 20):
        invocation = start(shared=shared)
        outcome, _result = converge_zone(
            invocation, [Desired(*mail, (f"{preference} mail.example.net.",))]
        )
        assert outcome.plan.changes == ()
        (warning,) = invocation.warnings
        assert warning.startswith("the service does not show the preferences of example.com. MX")
    assert zone.calls() == ["GET"]
