# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/examples/taking_back.yml with a site that answers, one that does not, and a service that fails on the way."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from reader import run
from running import Service

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


class Case(NamedTuple):
    """What goes wrong: the path of the site, faults of the service, further sets; and the task that fails for it."""

    path: str = "/_control/settings"
    faults: tuple[dict[str, Any], ...] = ()
    held: tuple[tuple[str, str, int, list[str]], ...] = ()
    fails: str = ""


def refused(method: str, nth: int, times: int = 1) -> dict[str, Any]:
    return {"kind": "status", "status": 403, "method": method, "nth": nth, "times": times}


CASES = {
    "all is well": Case(),
    "the site does not answer": Case(path="/nowhere", fails=HEALTH),
    "the first value is refused": Case(faults=(refused("POST", 1),), fails=ADDRESS),
    "the second value is refused": Case(faults=(refused("POST", 2),), fails=ADDRESS),
    "nothing is taken, nor put back": Case(
        faults=({**refused("POST", 1, 3), "content": "192.0.2."},), fails=ADDRESS
    ),
    "the second deletion is refused": Case(faults=(refused("DELETE", 2),), fails=ADDRESS),
    "the change is refused before it is begun": Case(
        held=(("shop", "A", 300, ["192.0.2.7"]),), fails=ADDRESS
    ),
}


def played(folder: Path, service: Service, path: str) -> subprocess.CompletedProcess[str]:
    """The playbook run; the control interface of the service is the site too."""
    site = ("-e", f"site_health={service.url}{path}", "-e", "site_tries=0")
    return run(["ansible-playbook", EXAMPLE, *site], folder, service)


def lines(service: Service) -> list[str]:
    rows = [row for row in service.records("example.com") if row["type"] not in ("SOA", "NS")]
    return sorted(
        f"{row['name']} {row['ttl']} {row['type']} {sorted(row['contents'])}" for row in rows
    )


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_change_is_kept_or_taken_back(case: Case, tmp_path: Path, service: Service) -> None:
    service.zone("example.com", [*HELD, *case.held])
    before = lines(service)
    for fault in case.faults:
        service.fault(**fault)
    done = played(tmp_path, service, case.path)
    if case.fails:
        assert done.returncode == 2, done.stdout
        assert f"The change was undone because the task '{case.fails}' failed: " in done.stdout
        assert lines(service) == before, done.stdout
    else:
        assert done.returncode == 0, done.stdout
        assert [line.rpartition(" [")[0] for line in lines(service)[1:]] == CHANGED
        again = played(tmp_path, service, case.path)
        assert re.search(r"changed=0 .*failed=0 .*rescued=0", again.stdout), again.stdout


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


def test_what_a_run_did_is_taken_back_from_its_report(tmp_path: Path, service: Service) -> None:
    service.zone("example.com", WITH_A_WILDCARD)
    before = lines(service)
    (tmp_path / "mistake.yml").write_text(MISTAKE, encoding="utf-8")
    report = {"ANSIBLE_CALLBACKS_ENABLED": "zonesmith.dns.report", "ZONESMITH_REPORT": "old.json"}
    done = run(["ansible-playbook", "mistake.yml"], tmp_path, service, **report)
    assert done.returncode == 0, done.stdout
    after = lines(service)
    assert not [line for line in after if line.startswith(("*", "text"))]
    back = ("ansible-playbook", FROM_REPORT, "-e", f"report={tmp_path}/old.json")
    checked = run([*back, "--check", "--diff"], tmp_path, service)
    assert (checked.returncode, lines(service)) == (0, after), checked.stdout
    assert "+*.example.com. 300 IN A 192.0.2.8" in checked.stdout
    done = run(back, tmp_path, service)
    assert done.returncode == 0, done.stdout
    assert lines(service) == before, done.stdout
    again = run(back, tmp_path, service)
    assert re.search(r"changed=0 .*failed=0", again.stdout), again.stdout
