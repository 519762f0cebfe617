# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The example that looks zone files over fails where one is broken, and nowhere else; it asks no service.

The guide's other playbook asks one, and writes nothing that is broken.
"""

import json
import shlex

import pytest
from documents import REPOSITORY, blocks
from reader import EXAMPLES, Folder

GUIDE = REPOSITORY / "docs" / "guides" / "findings.md"
GOOD = (EXAMPLES / "zone_in_git" / "zones" / "example.com.zone").read_text("utf-8")
PLAYBOOKS = [block.text for block in blocks(GUIDE) if block.language == "yaml"]
DUBIOUS = f"{GOOD}\nold 0 IN A 192.0.2.11\n"
BROKEN = f"{GOOD}\nshop 300 IN CNAME store\n"
LINES = GOOD.count("\n")
BROKEN_LINE = (
    f"line {LINES + 2}, error cname-target-missing, shop.example.com. CNAME: store.example.com. is in this zone but "
    "has no records"
)


@pytest.fixture
def folder(tmp_path, service):
    """The example."""
    return Folder(tmp_path, "findings", service)


CASES = {
    # the files, variables of the playbook, its status, and what it prints
    "one broken file of two": (
        {"example.com": BROKEN, "example.net": "$TTL 5"},
        {},
        2,
        [BROKEN_LINE, "net.zone: no findings", "1 of the findings above have severity error."],
    ),
    "what is dubious": ({"example.com": DUBIOUS}, {}, 0, ["warning ttl-zero, old.example.com. A"]),
    "what is dubious, strictly": (
        {"example.com": DUBIOUS},
        {"fails_on": ["warning"]},
        2,
        ["warning ttl-zero"],
    ),
    "what is known, in a file without a TTL, which the task has": (
        {"example.com": "www A 192.0.2.1\nshop CNAME store"},
        {"known": [{"name": "shop"}], "ttl": 1800},
        0,
        ["example.com.zone: no findings"],
    ),
    "a slash in a zone's name": (
        {"0%2F25.2.0.192.in-addr.arpa": "1 60 IN PTR server1.\n"},
        {},
        0,
        ["0%2F25.2.0.192.in-addr.arpa.zone: 1 findings", "line 1, warning ptr-one-label"],
    ),
    "what cannot be read": (
        {"example.com": "www 60 A 192.0.2.300\n@ 60 MX mail\n"},
        {},
        2,
        ["Zone example.com: 2 lines of the zone file cannot be used: line 1: www A: '192.0.2.300'"],
    ),
    "no file": ({}, {}, 2, ["There is no zone file in"]),
}


@pytest.mark.parametrize("zones, variables, status, expected", CASES.values(), ids=CASES)
def test_the_exit_status(folder, zones, variables, status, expected):
    (folder.path / "zones").mkdir()
    for name, text in zones.items():
        folder.write(f"zones/{name}.zone", text)
    output = folder.play(f"lint.yml --extra-vars {shlex.quote(json.dumps(variables))}", status)
    for words in expected:
        assert words in output
    assert output.count(BROKEN_LINE) <= 1, "each finding is printed once"
    assert "Finalization of task args" not in output, "no options of the task are shown"


def test_what_the_guide_shows(folder):
    """The first playbook is the example, and the commands end well where the zones are right."""
    assert folder.read("lint.yml").endswith(f"\n\n{PLAYBOOKS[0]}")
    folder.write("zones/example.com.zone", GOOD)
    commands = [block.text for block in blocks(GUIDE) if block.language == "shell"]
    assert len(commands) + len(PLAYBOOKS) == len(blocks(GUIDE))
    for command in "".join(commands).splitlines():
        output = folder.play(command.removeprefix("ansible-playbook "))
        assert "example.com.zone: no findings" in output


def test_the_guide_s_task_writes_nothing_that_is_broken_but_for_what_is_known(folder, service):
    folder.write("keep.yml", PLAYBOOKS[1])
    folder.write("zones/example.net.zone", "www 300 IN A 192.0.2.1")
    folder.write("zones/example.com.zone", BROKEN)
    before = service.records("example.com"), service.records("example.net")
    output = folder.play("keep.yml", status=2)
    assert "the change would bring errors into the zone: shop.example.com. CNAME: " in output
    assert (service.records("example.com"), service.records("example.net")) == before
    folder.write("zones/example.com.zone", f"{GOOD}\nlab2 0 IN MX 10 nothing.lab2\n")
    assert "WARNING" not in folder.play("keep.yml")
