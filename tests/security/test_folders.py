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
WAYS = {"direct": {"zonesmith_direct": True}, "job": {"seconds": 120}}
LEADS_OUT = "it is a link out of the folder, or to a hidden file."
INVISIBLE = "white space or control characters"


def of_text(file):
    """A zone file as any other."""
    file.write_text(TEXT, encoding="utf-8")


def leading(target):
    """A link to this."""
    return lambda file: file.symlink_to(target)


def huge(file):
    file.touch()
    os.truncate(file, _files.LARGEST + 1)


HOSTILE = {
    b"a\nb": (of_text, INVISIBLE),
    b"\x1b[31mred": (of_text, INVISIBLE),
    b"\xff": (of_text, "a zone's labels hold letters"),
    b"{{ 1 + 1 }}": (of_text, INVISIBLE),
    b"$(touch pwned)": (of_text, INVISIBLE),
    b"%2F..%2F..%2Fetc": (of_text, "it has an empty label"),
    b"loop": (leading("loop.zone"), "it is not a file."),
    b"fifo": (os.mkfifo, "it is not a file."),
    b"device": (leading("/dev/zero"), LEADS_OUT),
    b"huge": (huge, "it has more than 64 MiB."),
    b"latin1": (lambda file: file.write_bytes(b"www TXT \xe9\n"), "line 1 is not UTF-8 text: "),
    b"folder": (Path.mkdir, "it is a folder without parts of the zone"),
    b"elsewhere": (leading("/etc"), LEADS_OUT),
    b"credentials": (leading("../credentials"), LEADS_OUT),
    b"including": (
        lambda file: file.write_text("$INCLUDE ../credentials\n", encoding="utf-8"),
        "$INCLUDE is not followed: ../credentials cannot be used: it is outside the folder",
    ),
}
"""What files are called, without their ending, what they are, and what is said of each."""


def _make_hostile(folder):
    folder.mkdir()
    folder.with_name("credentials").write_text(
        f"machine {QUIET} login A password {QUIET}", encoding="utf-8"
    )
    for name, (make, _said) in HOSTILE.items():
        make(Path(os.fsdecode(os.fsencode(folder) + b"/" + name + b".zone")))
    for name in ("..zone", ".hidden.zone", "zone", "example.com.zone~"):
        (folder / name).write_text("nonsense", encoding="utf-8")
    of_text(folder / "example.com.zone")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Every folder in every way, and as a job in the background, with all that Ansible shows."""
    project = tmp_path_factory.mktemp("project")
    _make_hostile(project / "hostile")
    (project / "good").mkdir()
    of_text(project / "good" / "example.com.zone")
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
    assert len(messages) == len(HOSTILE)
    reasons = [reason for _make, reason in HOSTILE.values()]
    for reason in reasons:
        said = [message for message in messages.values() if reason in message]
        assert len(said) == reasons.count(reason), reason
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
