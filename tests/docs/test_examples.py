# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every block of code that a reader meets is run against the stand-in service, or a table here says why not.

Tasks, playbooks and roles run twice, and the second time they change nothing. Inventories are listed. Commands are run
line by line. A block that is none of these and in no table fails.
"""

import json
import re
from pathlib import Path

import pytest
from documents import MARKDOWN, PLUGINS, REPOSITORY, Block, blocks, is_elsewhere, is_tasks, name
from reader import EXAMPLES, Folder, run

# Documents whose blocks are no examples of this collection's use, or run elsewhere.
ELSEWHERE = {
    "docs/guides/drift.md": "its files are run by tests/docs/test_drift.py",
    "docs/guides/findings.md": "every block is run by test_findings_in_ci.py, for zones that are right and others",
    "docs/guides/sources.md": "its blocks are files and commands that tests/docs/test_sources.py runs",
    "docs/guides/zone_in_git.md": "every block is run, in order, by tests/integration/targets/zone_files",
    "docs/performance.md": "its commands are the benchmark",
}

# Blocks of YAML that are not for ansible-playbook, by document and first line.
FRAGMENTS = {
    "docs/guides/awx.md version: 3": "is for ansible-builder; tests/ee checks it",
    "docs/guides/awx.md fields:": "is for a form of AWX",
    "docs/guides/awx.md env:": "is for a form of AWX",
    "docs/guides/awx.md dependencies:": "is for ansible-builder",
    "docs/guides/awx.md ansible-navigator:": "is for ansible-navigator, which needs containers",
    "docs/guides/state.md env:": "is a part of a workflow of GitHub",
    "docs/guides/moving.md ---": "is octoDNS's",
    "docs/guides/moving.md providers:": "is octoDNS's",
}

# Commands that a test cannot or need not run, by how they begin.
NOT_RUN = {
    ".venv/bin/python tests/service": "the stand-in, which the test has",
    "ansible-builder": "needs containers",
    "ansible-galaxy collection install": "asks Galaxy; other tests install the built archive",
    "ansible-navigator": "needs containers",
    "ansible-playbook acme_dns01.yml": "needs a certificate authority; tests/e2e has one",
    "ansible-playbook taking_back.yml": "needs a site; tests/docs/test_taking_back.py has one",
    "ansible-playbook from_report.yml": "needs a report; tests/docs/test_taking_back.py writes one",
    "ansible-playbook reverse.yml": "needs a reverse zone; tests/e2e has one",
    "ansible-playbook export.yml": "run by tests/integration/targets/zone_files",
    "cd ": "leads into the copy of an example, where the test is",
    "cp ": "copies an example, which the test has",
    "dig @192.0.2.53": "needs a name server; tests/e2e/test_zone_files.py has one",
    "export ": "sets what the test sets to the address and token of the stand-in",
    "install --directory": "makes a folder of the system",
    "make": "a gate of its own",
    "mkdir": "makes a folder in the user's home",
    "nox": "gates of their own",
    "octodns-sync": "another program",
    "pip install": "asks the package index",
    "podman": "needs containers",
}

LANGUAGES = {"yaml", "shell", "text", "diff", "sql"}
BEFORE = [("www", "A", 300, ["192.0.2.1"]), ("web1", "A", 300, ["192.0.2.31"])]
# Some guides name these.
FOR_MANY_ZONES = ("hundreds_of_zones", "one_mail_provider")
MANY_ZONES = [f"zone{n:03}.example.{'com' if n % 2 else 'org'}" for n in range(8)]
AGAIN = "The same again: "


class Reader(Folder):
    """Somebody who does what a document says, in a folder with the files it speaks of."""

    def __init__(self, document, path, service):
        example = Path(document).stem
        super().__init__(path, example if (EXAMPLES / example).is_dir() else ".", service)
        zone = (EXAMPLES / "zone_in_git" / "zones" / "example.com.zone").read_text("utf-8")
        for place in ("example.com.zone", "zones/example.com.zone", "zones/example.net.zone"):
            self.write(place, zone.replace("example.com", Path(place).stem))

    def text(self, block):
        """A block, with the stand-in in place of the service that it names."""
        text = block.text.replace("https://dns.example.com/api", self.service.url)
        text = text.replace(" ~/", f" {self.path}/")
        return text.replace("/tmp/", f"{self.path}/")  # noqa: S108 - it is where the example writes

    def run(self, command):
        """Run a command, and return what it printed."""
        actions = str(REPOSITORY / "tests" / "integration" / "plugins" / "action")
        own = {"ANSIBLE_ACTION_PLUGINS": actions, "DNS_TOKEN": self.service.token}
        done = run(command, self.path, self.service, **own)
        assert done.returncode == 0, f"{command}\n{done.stdout}"
        return done.stdout

    def play_blocks(self, written):
        """Run blocks of tasks and of plays, each twice, all in one run, each beginning with the same zone."""
        playbook = []
        for block in written:
            plays = Block("", "yaml", self.text(block)).value
            if is_tasks(block):
                plays = [{"hosts": "localhost", "gather_facts": False, "tasks": plays}]
            playbook += [reset()]
            for title in (block.place, f"{AGAIN}{block.place}"):
                playbook += [{**play, "name": title} for play in plays]
        self.write("blocks.yml", json.dumps(playbook))
        control = f"{self.service.url}/_control"
        variables = json.dumps({"dns_access_token": self.service.token, "service_control": control})
        output = self.run(["ansible-playbook", "blocks.yml", "--extra-vars", variables])
        plays = re.split(r"^PLAY (?=\[|RECAP)", output, flags=re.MULTILINE)
        again = [play for play in plays if play.startswith(f"[{AGAIN}")]
        assert len(again) >= len(written), output
        for play in again:
            assert not re.search(r"^changed: ", play, re.MULTILINE), play

    def inventory(self, block):
        """List an inventory."""
        self.write("block.zonesmith.yml", self.text(block))
        return json.loads(self.run("ansible-inventory --inventory block.zonesmith.yml --list"))


def reset():
    """A play that makes the zone what it was at first."""
    rows = [dict(zip(("name", "type", "ttl", "contents"), row, strict=True)) for row in BEFORE]
    task = {"stand_in": {"method": "PUT", "path": "zones/example.com", "body": {"records": rows}}}
    return {"hosts": "localhost", "gather_facts": False, "tasks": [task]}


def commands(block):
    """The commands of a block that are to be run."""
    lines = block.text.replace("\\\n", "").splitlines()
    return [line for line in lines if line.strip() and not line.startswith(("#", *NOT_RUN))]


def first_line(block):
    """What FRAGMENTS knows a block by."""
    return f"{block.place.partition(':')[0]} {block.text.partition(chr(10))[0]}"


def is_file(block, folder):
    """Whether a block is the body of an example's file, which the commands of its document run."""
    files = (
        file for pattern in ("*.yml", "group_vars/*.yml", "*.zone") for file in folder.glob(pattern)
    )
    return any(file.read_text("utf-8").endswith(f"\n\n{block.text}") for file in files)


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=name(path)) for path in [*MARKDOWN, *PLUGINS]]
)
def test_examples_do_what_they_say(path, tmp_path, service):
    document = name(path)
    if document in ELSEWHERE:
        return
    service.zone("example.com", BEFORE)
    for zone in MANY_ZONES if path.stem in FOR_MANY_ZONES else ():
        service.zone(zone, status=zone != MANY_ZONES[7])
    service.zone("example.net")
    reader = Reader(document, tmp_path, service)
    played = []
    printed = ""
    for block in blocks(path):
        if block.language == "shell":
            printed += "".join(map(reader.run, commands(block)))
        elif block.language == "text":
            if block.text.startswith("$ORIGIN"):
                reader.write("zones/example.com.zone", block.text)
        elif block.language != "yaml" or first_line(block) in FRAGMENTS or is_elsewhere(block):
            assert block.language in {*LANGUAGES, "{toctree}"}, f"{block.place}: {block.language}"
        elif isinstance(block.value, list):
            played += [] if is_file(block, tmp_path) else [block]
        elif not is_file(block, tmp_path):
            assert str(block.value.get("plugin")).startswith("zonesmith.dns."), (
                f"{block.place} is run by no test"
            )
            assert reader.inventory(block)["_meta"]["hostvars"], block.place
    if played:
        reader.play_blocks(played)
    if path.stem == "hundreds_of_zones":
        graph = next(block.text for block in blocks(path) if block.text.startswith("@all:"))
        for line in graph.splitlines():
            assert line.strip() == "..." or line in printed.splitlines()


def test_every_exception_has_its_use():
    """No table names what is not there."""
    all_blocks = [block for path in MARKDOWN for block in blocks(path)]
    assert set(FRAGMENTS) <= {first_line(block) for block in all_blocks}
    assert set(ELSEWHERE) <= {name(path) for path in MARKDOWN}
    shown = "".join(f"\n{block.text}" for block in all_blocks if block.language == "shell")
    assert [begin for begin in NOT_RUN if f"\n{begin}" not in shown] == []
