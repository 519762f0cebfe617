# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/examples/taking_back.yml with a site that answers, one that does not, and a service that fails on the way."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from reader import run

TESTS = Path(__file__).resolve().parents[1]

EXAMPLE = TESTS.parent / "docs" / "examples" / "taking_back.yml"
FROM_REPORT = EXAMPLE.with_name("from_report.yml")
HELD = [
    ("www", "A", 300, ["192.0.2.1", "192.0.2.2"]),
    ("www", "AAAA", 300, ["2001:db8::1"]),
    ("@", "TXT", 300, ['"v=spf1 -all"']),
]
CHANGED = ["shop.example.com. 3600 CNAME", "www.example.com. 60 A"]
ADDRESS = "Send visitors to the new server"
HEALTH = "Check that the site answers"


def refused(**fault):
    return {"kind": "status", "status": 403, "method": "POST", **fault}


CASES = {
    # the path of the site, the service's faults, and the task that fails for it
    "the site does not answer": ("/nowhere", {}, HEALTH),
    "the second value is refused": ("/", refused(nth=2), ADDRESS),
    "nothing is taken, nor put back": ("/", refused(times=3, content="192.0.2."), ADDRESS),
}


def played(folder, service, path="/_control/log"):
    """The playbook run; the control interface of the service is the site too."""
    site = ("-e", f"site_health={service.url}{path}", "-e", "site_tries=0")
    return run(["ansible-playbook", EXAMPLE, *site], folder, service)


def lines(service):
    rows = [row for row in service.records("example.com") if row["type"] not in ("SOA", "NS")]
    return sorted(
        f"{row['name']} {row['ttl']} {row['type']} {sorted(row['contents'])}" for row in rows
    )


def test_a_change_is_kept(tmp_path, service):
    service.zone("example.com", HELD)
    done = played(tmp_path, service)
    assert done.returncode == 0, done.stdout
    assert [line.rpartition(" [")[0] for line in lines(service)[1:]] == CHANGED
    again = played(tmp_path, service)
    assert re.search(r"changed=0 .*failed=0 .*rescued=0", again.stdout), again.stdout


@pytest.mark.parametrize("path, fault, fails", CASES.values(), ids=CASES)
def test_a_change_is_taken_back(path, fault, fails, tmp_path, service):
    service.zone("example.com", HELD)
    before = lines(service)
    if fault:
        service.fault(**fault)
    done = played(tmp_path, service, path)
    assert done.returncode == 2, done.stdout
    assert f"The change was undone because the task '{fails}' failed: " in done.stdout
    assert lines(service) == before, done.stdout


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


def run_playbook(folder, service, playbook):
    """A run of a playbook, which reports to old.json."""
    (folder / "mistake.yml").write_text(playbook, encoding="utf-8")
    return run(["ansible-playbook", "mistake.yml"], folder, service, **REPORT)


def undo(folder, service, *options):
    """The example, run on the report."""
    command = ["ansible-playbook", FROM_REPORT, "-e", f"report={folder}/old.json", *options]
    return run(command, folder, service)


def test_what_a_run_did_is_taken_back_from_its_report(tmp_path, service):
    service.zone("example.com", WITH_A_WILDCARD)
    before = lines(service)
    done = run_playbook(tmp_path, service, MISTAKE)
    assert done.returncode == 0, done.stdout
    after = lines(service)
    assert not [line for line in after if line.startswith(("*", "text"))]
    checked = undo(tmp_path, service, "--check", "--diff")
    assert (checked.returncode, lines(service)) == (0, after), checked.stdout
    assert "+*.example.com. 300 IN A 192.0.2.8" in checked.stdout
    done = undo(tmp_path, service)
    assert done.returncode == 0, done.stdout
    assert lines(service) == before, done.stdout


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


def test_what_a_failed_run_had_begun_is_taken_back_too(tmp_path, service):
    service.zone("example.com", HELD)
    before = lines(service)
    service.fault("drop_after", method="DELETE")
    service.fault("status", status=403, method="GET", nth=3, times=0)
    done = run_playbook(tmp_path, service, HALFWAY)
    assert done.returncode == 2, done.stdout
    held = lines(service)
    assert [line for line in held if line.startswith(("first.", "www."))] == [
        "first.example.com. 3600 A ['198.51.100.7']",
        "www.example.com. 300 AAAA ['2001:db8::1']",
    ]
    service.clear_faults()
    done = undo(tmp_path, service)
    assert done.returncode == 0, done.stdout
    assert lines(service) == before, done.stdout


CUT_SHORT = """
- hosts: localhost
  gather_facts: false
  tasks:
    - zonesmith.dns.dns_record: {zone: example.com, name: new, type: A, content: 192.0.2.7}
    - name: Change the address
      zonesmith.dns.dns_record: {zone: example.com, name: www, type: A, content: 192.0.2.3}
      timeout: 2
"""


def test_a_report_that_does_not_show_everything_is_refused(tmp_path, service):
    service.zone("example.com", HELD)
    before = lines(service)
    service.fault("hang_before", method="POST", content="192.0.2.3", seconds=20)
    assert run_playbook(tmp_path, service, CUT_SHORT).returncode == 2
    service.clear_faults()
    after = lines(service)
    done = undo(tmp_path, service)
    assert (done.returncode, lines(service)) == (2, after), done.stdout
    assert "does not show what these tasks did: Change the address; and no_log hides 0" in (
        " ".join(done.stdout.split())
    )
    done = undo(tmp_path, service, "-e", "undo_the_rest=true")
    assert done.returncode == 0, done.stdout
    assert not [line for line in lines(service) if line.startswith("new.")]
    assert set(before) <= set(lines(service)), done.stdout
