# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A folder of zone files, some of them made by an enemy: what is read, said, shown and written."""

import os
from pathlib import Path

import pytest
from playing import play
from running import Service

from ansible_collections.zonesmith.dns.plugins.plugin_utils import _files

TOKEN = "token-that-nobody-may-see"
QUIET = "out-of-a-vault"
LITERAL = "{{ lookup('ansible.builtin.pipe', 'touch pwned') }}"
TEXT = f'; {QUIET}\n$TTL 300\nwww TXT "{LITERAL}"\n'
WAYS = {
    "direct": {"zonesmith_direct": True},
    "process": {"zonesmith_direct": False},
    "job": {"seconds": 120},
}
NO_FILE = "it is not a file."
LEADS_NOWHERE = "it is a broken link."
LEADS_OUT = "it is a link out of the folder, or to a hidden file."
CREDENTIALS = f"machine {QUIET} login A password {QUIET}"

HOSTILE = {
    b"a\nb": "white space or control characters",
    b"\x1b[31mred": "white space or control characters",
    b"\xff": "a zone's labels hold letters",
    b"{{ 1 + 1 }}": "white space or control characters",
    b"$(touch pwned)": "white space or control characters",
    b"%2F..%2F..%2Fetc": "it has an empty label",
    b"x" * 250: "a label in it has more than 63 bytes",
    b"loop": LEADS_NOWHERE,
    b"fifo": NO_FILE,
    b"device": LEADS_OUT,
    b"nowhere": LEADS_NOWHERE,
    b"huge": "it has more than 64 MiB.",
    b"latin1": "line 2 is not UTF-8 text: ",
    b"folder": "it is a folder without parts of the zone",
    b"linked": "it is a folder without parts of the zone",
    b"elsewhere": LEADS_OUT,
    b"credentials": LEADS_OUT,
    b"including": "$INCLUDE is not followed: ../credentials cannot be used: it is outside the folder",
}
"""What files are called, without their ending, and what is said of each."""


def _make_hostile(folder):
    folder.mkdir()
    folder.with_name("credentials").write_text(CREDENTIALS, encoding="utf-8")
    for name in HOSTILE:
        file = Path(os.fsdecode(os.fsencode(folder) + b"/" + name + b".zone"))
        match name:
            case b"loop":
                file.symlink_to(file.name)
            case b"fifo":
                os.mkfifo(file)
            case b"device":
                file.symlink_to("/dev/zero")
            case b"nowhere":
                file.symlink_to("gone")
            case b"huge":
                file.touch()
                os.truncate(file, _files.LARGEST + 1)
            case b"folder":
                file.mkdir()
            case b"linked":
                file.symlink_to("folder.zone")
            case b"elsewhere":
                file.symlink_to("/etc")
            case b"credentials":
                file.symlink_to("../credentials")
            case b"including":
                file.write_text("$INCLUDE ../credentials\n", encoding="utf-8")
            case b"latin1":
                file.write_bytes(b"www 300 A 192.0.2.1\nwww 300 TXT \xe9\n")
            case _:
                file.write_text(TEXT, encoding="utf-8")
    for name in ("..zone", ".zone", ".hidden.zone", "zone", "example.com.zone~"):
        (folder / name).write_text("nonsense", encoding="utf-8")
    (folder / "example.com.zone").write_text(TEXT, encoding="utf-8")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Every folder in every way, and as a job in the background, with all that Ansible shows."""
    project = tmp_path_factory.mktemp("project")
    _make_hostile(project / "hostile")
    (project / "good").mkdir()
    (project / "good" / "example.com.zone").write_text(TEXT, encoding="utf-8")
    hosts = {
        f"{way}-{folder}": {"folder": folder, "seconds": 0, **variables}
        for way, variables in WAYS.items()
        for folder in ("hostile", "good")
    }
    task = {
        "name": "Keep",
        "zonesmith.dns.dns_zones": {"src": "{{ folder }}", "access_token": TOKEN},
        "async": "{{ seconds }}",
        "poll": 1,
        "ignore_errors": True,
    }
    plays = [{"hosts": "all", "gather_facts": False, "tasks": [task]}]
    with Service(token=TOKEN) as service:
        service.zone("example.com", [("www", "TXT", 300, [f'"{LITERAL}"'])])
        environment = {
            **service.environment(project / "state"),
            "ZONESMITH_ACCESS_TOKEN": "of-nobody",
        }
        played = play(plays, {"all": {"hosts": hosts}}, environment, verbosity=4, beside=project)
        assert not [call for call in service.calls() if not call.startswith("GET")]
    assert not list(project.rglob("pwned"))
    return played


@pytest.mark.parametrize("way", WAYS)
def test_a_folder_that_an_enemy_writes_to(played, way):
    result = played.results[f"{way}-hostile"]
    assert result["failed"], played.output
    assert "Traceback" not in str(result.get("exception"))
    messages = {item["zone"]: item["msg"] for item in result["zones"]}
    assert result["untouched"] == ["example.com"]
    count = f"{len(HOSTILE)} of {len(HOSTILE) + 1} zones"
    assert result["msg"].startswith(f"{count} cannot be planned, and nothing was changed.")
    reasons = sorted(HOSTILE.values())
    assert len(messages) == len(HOSTILE)
    assert (
        sorted(
            next((reason for reason in reasons if reason in msg), msg) for msg in messages.values()
        )
        == reasons
    )
    assert all(text.isprintable() for text in (*messages, *messages.values(), result["msg"]))


@pytest.mark.parametrize("way", WAYS)
def test_what_a_file_holds_is_taken_as_it_is_and_shown_nowhere(played, way):
    result = played.results[f"{way}-good"]
    assert result["changed"] is False, played.output
    assert result["summary"]["unchanged"] == 1
    assert QUIET not in str(result)


def test_neither_the_token_nor_a_file_is_in_the_output_of_all_that(played):
    assert TOKEN not in played.output
    assert QUIET not in played.output
    assert "{{ 1 + 1 }}" in played.output


@pytest.mark.any_core
@pytest.mark.parametrize("place", ["zones/example.com.zone", "zones/example.com.zone/a.zone"])
def test_nothing_is_written_through_a_link(place, tmp_path):
    """Nor into what somebody put where the file is made before it is renamed: nobody can know that name."""
    precious, link = tmp_path / "precious", tmp_path / place
    precious.write_text("precious", encoding="utf-8")
    link.parent.mkdir(parents=True)
    link.symlink_to(precious)
    plays = [{"hosts": "all", "gather_facts": False, "tasks": []}]
    for update in (True, False):
        task = {"zonesmith.dns.dns_zone_files": {"dest": str(tmp_path / "zones"), "update": update}}
        plays[0]["tasks"] = [{**task, "ignore_errors": True}]
        with Service(zones=["example.com"]) as service:
            play(plays, {"all": {"hosts": {"one": {}}}}, service.environment(tmp_path / "state"))
    assert precious.read_text(encoding="utf-8") == "precious"
    assert link.is_symlink()
