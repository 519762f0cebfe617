# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/examples/taking_back.yml with a site that answers, one that does not, and a service that fails on the way."""

import re

import pytest
from reader import Folder

HELD = [
    ("www", "A", 300, ["192.0.2.1", "192.0.2.2"]),
    ("www", "AAAA", 300, ["2001:db8::1"]),
    ("@", "TXT", 300, ['"v=spf1 -all"']),
]
CHANGED = ["shop.example.com. 3600 CNAME", "www.example.com. 60 A"]
ADDRESS = "Send visitors to the new server"
HEALTH = "Check that the site answers"


SECOND = {"kind": "status", "status": 403, "method": "POST", "nth": 2}
CASES = {
    # the path of the site, the service's faults, and the task that fails for it
    "the site does not answer": ("/nowhere", {}, HEALTH),
    "the second value is refused": ("/", SECOND, ADDRESS),
}


@pytest.fixture
def reader(tmp_path, service):
    """Somebody with the examples."""
    service.zone("example.com", HELD)
    return Folder(tmp_path, ".", service)


def change(reader, path="/_control/log", status=0):
    """What the playbook prints; the control interface of the service is the site too."""
    site = f"-e site_health={reader.service.url}{path} -e site_tries=0"
    return reader.play(f"taking_back.yml {site}", status)


def lines(service):
    rows = [row for row in service.records("example.com") if row["type"] not in ("SOA", "NS")]
    return sorted(
        f"{row['name']} {row['ttl']} {row['type']} {sorted(row['contents'])}" for row in rows
    )


def test_a_change_is_kept(reader, service):
    change(reader)
    assert [line.rpartition(" [")[0] for line in lines(service)[1:]] == CHANGED
    assert re.search(r"changed=0 .*failed=0 .*rescued=0", change(reader))


@pytest.mark.parametrize("path, fault, fails", CASES.values(), ids=CASES)
def test_a_change_is_taken_back(path, fault, fails, reader, service):
    before = lines(service)
    if fault:
        service.fault(**fault)
    printed = change(reader, path, status=2)
    assert f"The change was undone because the task '{fails}' failed: " in printed
    assert lines(service) == before, printed


WITH_A_WILDCARD = [
    *HELD,
    ("*", "A", 300, ["192.0.2.8"]),
    ("text", "TXT", 300, ['"{{ 7 * 7 }} \\"quoted\\""']),
    ("kept", "A", 300, ["192.0.2.9"]),
]
# What a run does that somebody is sorry for: another TTL, a value more, a wildcard and a text that go, a new set.
MISTAKE = """
- hosts: localhost
  gather_facts: false
  tasks:
    - zonesmith.dns.dns_records:
        zone: example.com
        prune: true
        prune_limit: 100
        records:
          - {name: www, type: A, content: [192.0.2.1, 192.0.2.2], ttl: 60}
          - {name: www, type: AAAA, content: ["2001:db8::1", "2001:db8::2"]}
          - {type: TXT, content: v=spf1 -all}
          - {name: kept, type: A, content: 192.0.2.9}
          - {name: new, type: A, content: 192.0.2.7}
    - zonesmith.dns.dns_record: {zone: example.com, name: www, type: A, state: absent}
    - zonesmith.dns.dns_record: {zone: example.com, name: kept, type: A, state: absent}
      check_mode: true
"""


REPORT = {"ANSIBLE_CALLBACKS_ENABLED": "zonesmith.dns.report", "ZONESMITH_REPORT": "old.json"}


def mistake(reader, playbook, status):
    """A run of a playbook, which reports to old.json."""
    reader.write("mistake.yml", playbook)
    reader.play("mistake.yml", status, **REPORT)


def undo(reader, options="", status=0):
    """What the example prints, run on the report."""
    return reader.play(f"from_report.yml -e report={reader.path}/old.json {options}", status)


def test_what_a_run_did_is_taken_back_from_its_report(reader, service):
    service.zone("example.com", WITH_A_WILDCARD)
    before = lines(service)
    mistake(reader, MISTAKE, 0)
    after = lines(service)
    assert not [line for line in after if line.startswith(("*", "text"))]
    assert "+*.example.com. 300 IN A 192.0.2.8" in undo(reader, "--check --diff")
    assert lines(service) == after
    undo(reader)
    assert lines(service) == before


# The answer to the deletion of www A is lost, and then the zone cannot be read.
HALFWAY = """
- hosts: localhost
  gather_facts: false
  tasks:
    - zonesmith.dns.dns_zones:
        zones:
          - zone: example.com
            records:
              - {name: first, type: A, content: 198.51.100.7}
              - {name: www, type: A, content: 192.0.2.80, ttl: 60}
        concurrency: 1
"""


def test_what_a_failed_run_had_begun_is_taken_back_too(reader, service):
    before = lines(service)
    service.fault("drop_after", method="DELETE")
    service.fault("status", status=403, method="GET", nth=3, times=0)
    mistake(reader, HALFWAY, 2)
    assert [line for line in lines(service) if line.startswith(("first.", "www."))] == [
        "first.example.com. 3600 A ['198.51.100.7']",
        "www.example.com. 300 AAAA ['2001:db8::1']",
    ]
    service.clear_faults()
    undo(reader)
    assert lines(service) == before


CUT_SHORT = """
- hosts: localhost
  gather_facts: false
  tasks:
    - zonesmith.dns.dns_record: {zone: example.com, name: new, type: A, content: 192.0.2.7}
    - name: Change the address
      zonesmith.dns.dns_record: {zone: example.com, name: www, type: A, content: 192.0.2.3}
      timeout: 2
"""


def test_a_report_that_does_not_show_everything_is_refused(reader, service):
    before = lines(service)
    service.fault("hang_before", method="POST", content="192.0.2.3", seconds=20)
    mistake(reader, CUT_SHORT, 2)
    service.clear_faults()
    after = lines(service)
    printed = " ".join(undo(reader, status=2).split())
    assert "does not show what these tasks did: Change the address; and no_log hides 0" in printed
    assert lines(service) == after
    undo(reader, "-e undo_the_rest=true")
    assert not [line for line in lines(service) if line.startswith("new.")]
    assert set(before) <= set(lines(service))
