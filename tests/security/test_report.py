# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The callback `report` beside real runs: it tells what happened, no secret, and never changes how a run ends."""

import json
import re
import signal
import time

import pytest
from playing import begun, play
from running import Service

TOKEN = "token-that-nobody-may-see"
FORMS = ("report.html", "report.md", "report.json")
ZONES = ["a.example", "b.example", "c.example", "e.example"]


def settings(service, folder):
    """The callback enabled, beside the one that the suite reads results with."""
    return {
        **service.environment(folder / "state"),
        "ANSIBLE_CALLBACKS_ENABLED": "as_json_lines,zonesmith.dns.report",
        "ZONESMITH_REPORT": ",".join(str(folder / "reports" / form) for form in FORMS),
    }


def read(folder):
    """The three forms of a report, as text and as what the last of them holds."""
    texts = [(folder / "reports" / form).read_text(encoding="utf-8") for form in FORMS]
    return texts, json.loads(texts[-1])


def states(document):
    """The state of each zone, and how many record sets changed or would."""
    return {
        zone["zone"]: (zone["state"], sum(len(task["changes"]) for task in zone["tasks"]))
        for zone in document["zones"]
    }


def record(zone, content="192.0.2.1", name="www", **fields):
    """A task that keeps one address."""
    options = {"zone": zone, "name": name, "type": "A", "content": content}
    return {"name": f"Keep {name} in {zone}", "zonesmith.dns.dns_record": options, **fields}


def hosts(*names):
    """An inventory of hosts that need no connection."""
    return {"all": {"hosts": {name: {} for name in names}}}


def plays(*tasks, **fields):
    """A play for each list of tasks, for all hosts."""
    return [{"hosts": "all", "gather_facts": False, "tasks": each, **fields} for each in tasks]


def on(host):
    """For this host alone."""
    return {"when": f"inventory_hostname == '{host}'"}


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """Four hosts in a play of strategy free, with a loop, failures of every kind, and what no_log hides."""
    folder = tmp_path_factory.mktemp("everything")
    both = ["192.0.2.1", "192.0.2.2"]
    late = {"zonesmith.dns.dns_record": {"zone": "{{ none }}", "type": "A", "access_token": TOKEN}}
    tasks = [
        record("a.example", "{{ item }}", "{{ inventory_hostname }}", loop=both),
        {"block": [record("nosuch.example", **on("h1"))], "rescue": [record("b.example")]},
        record("c.example", "not an address", ignore_errors=True, **on("h2")),
        record("e.example", "192.0.2.77", no_log=True, **on("h2")),
        {"name": "Options that cannot be read", **late, "ignore_errors": True, **on("h1")},
        record("away.example", vars={"zonesmith_direct": False}, **on("h3")),
        {"name": "Of somebody else", "ansible.builtin.fail": {"msg": TOKEN}, **on("h4")},
    ]
    inventory = hosts("h1", "h2", "h3", "h4")
    inventory["all"]["hosts"]["h3"] = {"ansible_remote_tmp": "/proc/there/is/none"}
    with Service(zones=ZONES, token=TOKEN) as service:
        environment = {**settings(service, folder), "ANSIBLE_STDOUT_CALLBACK": "minimal"}
        play(plays(tasks, strategy="free"), inventory, environment, verbosity=3)
    return read(folder)


def test_each_zone_is_told_once_with_its_worst_state(everything):
    _texts, document = everything
    assert states(document) == {
        "a.example": ("changed", 8),
        "away.example": ("failed", 0),
        "b.example": ("changed", 1),
        "c.example": ("failed", 0),
        "nosuch.example": ("failed", 0),
    }


def test_each_failure_is_told_with_what_became_of_it(everything):
    _texts, document = everything
    tasks = [task for zone in document["zones"] for task in zone["tasks"]]
    tasks += document["without_zone"]
    failed = [task for task in tasks if task["failure"]]
    assert {(task["task"], task["failure"]["handled"]) for task in failed} == {
        ("Options that cannot be read", "ignored"),
        ("Keep www in away.example", None),
        ("Keep www in c.example", "ignored"),
        ("Keep www in nosuch.example", "rescued"),
    }


def test_what_else_happened_is_told_and_no_secret(everything):
    texts, document = everything
    assert document["complete"] is True
    assert document["hidden"] == {"results": 1, "failed": 0}
    assert [place["host"] for place in document["unreachable"]] == ["h3"]
    (elsewhere,) = document["failed_elsewhere"]
    assert (elsewhere["host"], elsewhere["task"], elsewhere["msg"]) == (
        "h4",
        "Of somebody else",
        None,
    )
    for text in texts:
        assert "192.0.2.77" not in text
        assert TOKEN not in text


def test_a_report_changes_nothing_about_how_a_run_ends(service, tmp_path):
    """With it, without it, and with files that cannot be written, which are warned of."""
    (tmp_path / "file").touch()
    first = [record("example.com"), record("nosuch.example")]
    tasks = plays(first, [record("example.com", "192.0.2.9")])

    def run(**variables):
        """The lines in which Ansible sums the run up, and all that it says: it breaks warnings into lines."""
        environment = {**settings(service, tmp_path), **variables}
        output = play(tasks, hosts("h1"), environment, arguments=["--check"]).output
        return re.findall(r"^\w+ +: ok=.*", output, re.MULTILINE), " ".join(output.split())

    ended, _said = run()
    document = read(tmp_path)[1]
    assert {zone: state for zone, (state, _changes) in states(document).items()} == {
        "example.com": "would_change",
        "nosuch.example": "failed",
    }
    assert (document["complete"], document["mode"]) == (False, "check")
    bad = f"{tmp_path}/file/x.md, {tmp_path}/report.pdf,{tmp_path}/fine.md"
    ended_too, said = run(ZONESMITH_REPORT=bad)
    assert "report.pdf was not written: a report's name must end in .html, .md or .json" in said
    assert "x.md: File exists" in said
    assert (tmp_path / "fine.md").exists()
    without, said = run(ZONESMITH_REPORT="")
    assert "zonesmith.dns.report: no report was written: set output or hook" in said
    silent, _said = run(ANSIBLE_CALLBACKS_ENABLED="as_json_lines")
    assert ended == ended_too == without == silent != []


def test_an_interrupted_run_has_a_report_that_says_so(service, tmp_path):
    service.fault("hang_before", path="nosuchexample", seconds=300, times=0)
    tasks = plays([record("example.com"), record("nosuch.example", retries=0)])
    with begun(
        tasks, hosts("h1", "h2")["all"]["hosts"], settings(service, tmp_path), tmp_path
    ) as running:
        # Ansible forgets a worker that it forks at the moment of the signal, and would wait for it: both have begun.
        while len(service.log("nosuchexample")) < 2:
            assert running.poll() is None
            time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        output = running.communicate(timeout=60)[0]
    assert running.returncode
    assert "Traceback" not in output
    texts, document = read(tmp_path)
    assert document["complete"] is False
    assert states(document) == {"example.com": ("changed", 1)}
    interrupted = {place["task"] for place in document["interrupted"]}
    assert interrupted == {"Keep www in nosuch.example"}
    for text in texts[:2]:
        assert "The run ended early: this report shows what was done until then." in text
