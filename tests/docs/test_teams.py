# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the guide on teams says of values that are nobody's, and of files that go."""

import json

import pytest
import yaml
from documents import REPOSITORY, blocks
from reader import Folder

GUIDE = REPOSITORY / "docs" / "guides" / "teams.md"
TASKS = {
    task["name"]: task
    for block in blocks(GUIDE)
    if block.language == "yaml"
    for task in yaml.safe_load(block.text)
}
WEB = TASKS["Keep the records of the web team"]
MAIL = TASKS["Keep the records of the mail team"]
NOBODYS = [TASKS["Read who owns what"], TASKS["Show the values without an owner"]]
WEB_FILE = "web/example.com.zone"
WWW = TASKS["Keep only this address of www"]


class Team(Folder):
    """The folders of the teams, and the service."""

    def __init__(self, path, service):
        super().__init__(path, "teams", service)
        self.file = path / WEB_FILE

    def run(self, *tasks, **options):
        """Run tasks of the guide, the first one with more options; what Ansible prints."""
        first, *others = tasks
        module = next(key for key in first if key.startswith("zonesmith.dns."))
        first = {**first, module: {**first[module], **options}}
        play = [{"hosts": "localhost", "gather_facts": False, "tasks": [first, *others]}]
        self.write("play.json", json.dumps(play))
        return self.play("play.json --diff")

    def addresses(self):
        """The A sets of the zone."""
        rows = self.service.records("example.com")
        return {
            row["name"].partition(".")[0]: sorted(row["contents"])
            for row in rows
            if row["type"] == "A"
        }


@pytest.fixture
def team(tmp_path, service):
    """Two zones without records, and the folders."""
    return Team(tmp_path, service)


def test_what_is_nobodys_stays_until_it_is_said_to_go(team):
    team.write(WEB_FILE, "$TTL 300\nwww IN A 192.0.2.10\n")
    team.run(WEB)
    team.service.zone("example.com", [("www", "A", 300, ["192.0.2.99"])])
    printed = team.run(WEB)
    assert team.addresses() == {"www": ["192.0.2.10", "192.0.2.99"]}, (
        "put back, beside what was put in its place"
    )
    assert "1 set changed by somebody else before: www.example.com. A" in printed
    assert "changed=0 " in team.run(WEB), "what somebody only added is no drift"
    assert "www.example.com. A 192.0.2.99" in team.run(*NOBODYS)
    team.run(WWW)
    assert team.addresses() == {"www": ["192.0.2.10"]}
    assert "www.example.com. A 192.0.2" not in team.run(*NOBODYS)


@pytest.mark.parametrize(
    "is_empty, options",
    [(True, {"prune_limit": 100}), (False, {"release": True, "limit": ["example.com"]})],
    ids=["an empty file", "release"],
)
def test_who_goes_withdraws_before_the_file_is_deleted(team, is_empty, options):
    team.write("web/example.net.zone", "www 300 IN A 192.0.2.10\n")
    team.run(WEB)
    before, text = team.addresses(), team.read(WEB_FILE)
    assert sorted(before) == ["shop", "www"]
    team.file.unlink()
    assert "changed=0 " in team.run(WEB)
    assert team.addresses() == before, "which nothing tells"
    team.write(WEB_FILE, "" if is_empty else text)
    team.run(WEB, **options)
    assert team.addresses() == ({} if is_empty else before)
    assert ("www.example.com. A 192.0.2.10" in team.run(*NOBODYS)) is not is_empty


def test_an_old_ledger_shows_in_check_mode_and_can_be_thrown_away(team):
    """The ledger is of before the blog went from one team to the other."""
    line, mail = "blog 300 IN A 192.0.2.30\n", "mail/example.com.zone"
    kept = team.read(WEB_FILE)
    team.write(WEB_FILE, kept + line)
    team.run(WEB)
    (document,) = (team.path / "state").rglob("*.json")
    old = document.read_bytes()
    team.write(mail, team.read(mail) + line)
    team.run(MAIL)
    team.write(WEB_FILE, kept)
    team.run(WEB)
    zone = team.service.records("example.com")
    document.write_bytes(old)
    assert "-blog.example.com. 300 IN A 192.0.2.30" in team.run({**WEB, "check_mode": True})
    document.unlink()
    for task in (WEB, MAIL):
        assert "changed=0 " in team.run(task)
    assert team.service.records("example.com") == zone
