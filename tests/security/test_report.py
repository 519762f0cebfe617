# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The callback `report` beside real runs: it tells what happened, no secret, and never changes how a run ends."""

from __future__ import annotations

import json
import re
import signal
import time
from dataclasses import dataclass
from typing import Any

import pytest
from playing import Played, begun, play
from running import Service

TOKEN = "token-that-nobody-may-see"
FORMS = ("report.html", "report.md", "report.json")
ZONES = ["a.example", "b.example", "c.example", "d.example", "e.example"]
HOSTILE = '"</pre><script>alert(1)</script> ``` @someone \\\\u202e"'


@dataclass(frozen=True)
class Reported:
    """What a run printed, and what the report says of it; *texts* are its three forms as they were written."""

    played: Played
    texts: dict[str, str]
    document: dict[str, Any]

    @property
    def zones(self):
        """The state of each zone, and how many record sets changed or would."""
        return {
            zone["zone"]: (zone["state"], sum(len(task["changes"]) for task in zone["tasks"]))
            for zone in self.document["zones"]
        }

    def failures(self):
        """Each failure: zone, task, and what the playbook did about it."""
        listed = [(zone["zone"], task) for zone in self.document["zones"] for task in zone["tasks"]]
        listed += [("", task) for task in self.document["without_zone"]]
        return {
            (zone, task["task"], task["failure"]["handled"])
            for zone, task in listed
            if task["failure"]
        }


def settings(service, folder):
    """The callback enabled, beside the one that the suite reads results with."""
    return {
        **service.environment(folder / "state"),
        "ANSIBLE_CALLBACKS_ENABLED": "as_json_lines,zonesmith.dns.report",
        "ZONESMITH_REPORT": ",".join(str(folder / "reports" / form) for form in FORMS),
    }


def read(folder, played):
    """The report that a run has written."""
    texts = {form: (folder / "reports" / form).read_text(encoding="utf-8") for form in FORMS}
    return Reported(played, texts, json.loads(texts["report.json"]))


def record(zone, content="192.0.2.1", name="www", **fields):
    """A task that keeps one address."""
    options = {"zone": zone, "name": name, "type": "A", "content": content}
    return {"name": f"Keep {name} in {zone}", "zonesmith.dns.dns_record": options, **fields}


def hosts(*names, **variables):
    """An inventory of hosts that need no connection."""
    return {"all": {"hosts": {name: {} for name in names}, "vars": variables}}


def plays(*tasks, **fields):
    """A play for each list of tasks, for all hosts."""
    return [{"hosts": "all", "gather_facts": False, "tasks": each, **fields} for each in tasks]


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """Five hosts in a play of strategy free, with a loop, failures of every kind, and what no_log hides."""
    folder = tmp_path_factory.mktemp("everything")
    late = {"zonesmith.dns.dns_record": {"zone": "{{ none }}", "type": "A", "access_token": TOKEN}}
    hidden = record("e.example", "192.0.2.77", no_log=True, when="inventory_hostname == 'h2'")
    tasks = [
        record(
            "a.example", "{{ item }}", "{{ inventory_hostname }}", loop=["192.0.2.1", "192.0.2.2"]
        ),
        record("b.example", run_once=True, delegate_to="h2"),
        {
            "block": [record("nosuch.example", when="inventory_hostname == 'h1'")],
            "rescue": [record("b.example")],
        },
        record(
            "c.example", "not an address", ignore_errors=True, when="inventory_hostname == 'h2'"
        ),
        hidden,
        {
            "name": "Options that cannot be read",
            **late,
            "ignore_errors": True,
            "when": "inventory_hostname == 'h3'",
        },
        {
            "name": "Text of somebody",
            "zonesmith.dns.dns_record": {
                "zone": "d.example",
                "name": "x",
                "type": "TXT",
                "content": HOSTILE,
            },
            "when": "inventory_hostname == 'h3'",
            "notify": "Then",
        },
        record("away.example", when="inventory_hostname == 'h4'", vars={"zonesmith_direct": False}),
        {
            "name": "Of somebody else",
            "ansible.builtin.fail": {"msg": TOKEN},
            "when": "inventory_hostname == 'h5'",
        },
        record("c.example", "not an address either", when="inventory_hostname == 'h1'"),
        {
            "name": "Look",
            "zonesmith.dns.dns_zone_info": {"zone": "nosuch.example"},
            "when": "inventory_hostname == 'h3'",
        },
        {"name": "Never", "zonesmith.dns.dns_zone_info": {"zone": "a.example"}},
    ]
    inventory = hosts("h1", "h2", "h3", "h4", "h5")
    inventory["all"]["hosts"]["h4"] = {"ansible_remote_tmp": "/proc/there/is/none"}
    handlers = [record("d.example", name="Then") | {"name": "Then"}]
    with Service(zones=ZONES, token=TOKEN) as service:
        service.zone("b.example", [("www", "A", 300, ["192.0.2.1"])])
        chosen = plays(tasks, strategy="free", handlers=handlers, force_handlers=True)
        environment = {**settings(service, folder), "ANSIBLE_STDOUT_CALLBACK": "minimal"}
        played = play(chosen, inventory, environment, verbosity=3)
    return read(folder, played)


def test_each_zone_is_told_once_with_its_worst_state(everything):
    assert everything.zones == {
        "a.example": ("changed", 10),
        "away.example": ("failed", 0),
        "b.example": ("unchanged", 0),
        "c.example": ("failed", 0),
        "d.example": ("changed", 2),
        "nosuch.example": ("failed", 0),
    }


def test_each_failure_is_told_with_what_became_of_it(everything):
    assert everything.failures() == {
        ("", "Options that cannot be read", "ignored"),
        ("away.example", "Keep www in away.example", None),
        ("c.example", "Keep www in c.example", "ignored"),
        ("c.example", "Keep www in c.example", None),
        ("nosuch.example", "Keep www in nosuch.example", "rescued"),
        ("nosuch.example", "Look", None),
    }


def test_what_else_happened_is_told(everything):
    document = everything.document
    assert document["complete"] is True
    assert document["hidden"] == {"results": 1, "failed": 0}
    assert [place["host"] for place in document["unreachable"]] == ["h4"]
    assert [
        (place["host"], place["task"], place["msg"]) for place in document["failed_elsewhere"]
    ] == [("h5", "Of somebody else", None)]
    assert "192.0.2.77" not in str(everything.texts)


def test_no_token_is_in_any_form(everything):
    for form in FORMS:
        assert TOKEN not in everything.texts[form], form


def test_text_of_a_zone_stays_text(everything):
    assert everything.texts["report.html"].count("<script>") == 1
    assert "&lt;script&gt;alert(1)" in everything.texts["report.html"]
    assert re.search("^````diff$", everything.texts["report.md"], re.MULTILINE)


def recap(played):
    """The lines in which Ansible sums a run up."""
    return re.findall(r"^\w+ +: ok=.*", played.output, re.MULTILINE)


def test_a_report_changes_nothing_about_how_a_run_ends(service, tmp_path):
    """With it, without it, and with files that cannot be written, which are warned of."""
    (tmp_path / "file").touch()
    tasks = plays(
        [record("example.com"), record("nosuch.example")], [record("example.com", "192.0.2.9")]
    )
    environment = settings(service, tmp_path)
    noted = play(tasks, hosts("h1"), environment, arguments=["--check"])
    document = read(tmp_path, noted).document
    assert [(zone["zone"], zone["state"]) for zone in document["zones"]] == [
        ("example.com", "would_change"),
        ("nosuch.example", "failed"),
    ]
    assert (document["complete"], document["mode"]) == (False, "check")
    bad = {"ZONESMITH_REPORT": f"{tmp_path}/file/x.md, {tmp_path}/report.pdf,{tmp_path}/fine.md"}
    warned = play(tasks, hosts("h1"), {**environment, **bad}, arguments=["--check"])
    # Ansible breaks warnings into lines.
    words = " ".join(warned.output.split())
    assert "report.pdf was not written: a report's name must end in .html, .md or .json" in words
    assert "x.md: File exists" in words
    assert (tmp_path / "fine.md").exists()
    silent = play(
        tasks,
        hosts("h1"),
        {**environment, "ANSIBLE_CALLBACKS_ENABLED": "as_json_lines"},
        arguments=["--check"],
    )
    assert recap(noted) == recap(warned) == recap(silent) != []
    without = play(
        tasks, hosts("h1"), {**environment, "ZONESMITH_REPORT": ""}, arguments=["--check"]
    )
    assert recap(without) == recap(silent)
    assert "zonesmith.dns.report: no report was written: set output or hook" in (
        " ".join(without.output.split())
    )


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
    reported = read(tmp_path, Played(output))
    assert reported.document["complete"] is False
    assert reported.zones == {"example.com": ("changed", 1)}
    places = {(place["task"], place["host"]) for place in reported.document["interrupted"]}
    assert places
    assert places <= {("Keep www in nosuch.example", host) for host in ("h1", "h2")}
    for form in ("report.html", "report.md"):
        assert (
            "The run ended early: this report shows what was done until then."
            in reported.texts[form]
        )
