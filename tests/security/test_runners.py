# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a zone says is no command to what runs a job, wherever it is printed for people.

The runner of GitHub Actions obeys ``##[command]`` anywhere in a line, and ``::command::`` at its beginning
(ActionCommand.cs); Azure Pipelines and TeamCity have a word between ``##`` and ``[``. GitLab folds a log where a line
has ``section_start`` between a carriage return and an escape sequence.
"""

import json
import re
from urllib.parse import unquote

import pytest
from in_front import Front
from playing import play
from raw import as_json
from running import Service

COMMANDS = ("add-mask", "debug", "echo", "error", "set-env", "stop-commands")
OBEYED = (
    re.compile(rf"##\[({'|'.join(COMMANDS)})[ \]]", re.IGNORECASE),
    re.compile(rf"^\s*::({'|'.join(COMMANDS)})( .*)?::", re.IGNORECASE),
    re.compile(r"##(vso|teamcity)\["),
    re.compile(r"section_(start|end):\d+:[^\r]*\r\x1b\[0K"),
)
ZONE, OTHER, HOSTILE = "example.com", "example.net", "##[add-mask]x.example"
TEXTS = [
    *(f"##[{command}]x" for command in COMMANDS),
    *(f"::{command}::x" for command in COMMANDS),
    "##[Error file=a]x",
    "##vso[task.setvariable variable=a]x",
    "##teamcity[message text='x']",
    "\r\x1b[0Ksection_start:0:a\r\x1b[0Kx",
    # Where Ansible wraps a warning, a word begins a line.
    "v=spf1 " + "a:mail.example.com " * 3 + "::stop-commands::x",
]
NAMES = ["##[add-mask]a", "::add-mask::a"]


def obeyed(output):
    """The lines that a runner takes for commands."""
    return [line for line in output.split("\n") if any(one.search(line) for one in OBEYED)]


def row(name, rdtype, *values):
    return {"name": name, "type": rdtype, "ttl": 300, "contents": [*values]}


def answer(request):
    """A service whose two zones hold all of that."""
    path = unquote(request.path.partition("/dns/domains")[2])
    if not path:
        zones = [{"name": zone, "slug": zone.replace(".", "")} for zone in (ZONE, OTHER, HOSTILE)]
        return as_json({"status": "Success", "data": zones, "total": 3})
    zone = next(one for one in (ZONE, OTHER, HOSTILE) if path == f"/{one.replace('.', '')}")
    rows = [row(f"{zone}.", "SOA", "ns1. host. 1 2 3 4 5")]
    if zone == ZONE:
        quoted = [json.dumps(text) for text in TEXTS if text.isprintable()]
        rows += [row(f"text{at}.{zone}.", "TXT", text) for at, text in enumerate(quoted)]
        rows += [row(f"opaque{at}.{zone}.", "OPAQUE", text) for at, text in enumerate(TEXTS)]
        rows += [row(f"{name}.{zone}.", "TXT", '"text"', '"kept"') for name in NAMES]
    return as_json({"status": "Success", "data": {"records": rows}})


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """What plays on hostile zones print, and the folder with their reports, plans and files."""
    folder = tmp_path_factory.mktemp("runners")
    two_spf = {"name": "@", "type": "TXT", "content": [TEXTS[-1], "v=spf1 -all"]}
    prune = {"prune": True, "prune_limit": 100, "plan_dir": str(folder / "plans")}
    fewer = [{"name": name, "type": "TXT", "content": ["kept"]} for name in NAMES]
    tasks = [
        {"zonesmith.dns.dns_records": {"zone": ZONE, "records": fewer, **prune}},
        {"zonesmith.dns.dns_records": {"zone": OTHER, "records": [two_spf], "findings": "warn"}},
        {
            "zonesmith.dns.dns_zone_files": {
                "dest": str(folder / "zones"),
                "zones": ["example.*"],
                "ignore": [{"type": "OPAQUE"}],
            }
        },
        # Which is refused, since the third zone is none.
        {"zonesmith.dns.dns_zone_files": {"dest": str(folder / "zones")}, "ignore_errors": True},
    ]
    plays = [
        {
            "name": "Show hostile zones",
            "hosts": "localhost",
            "gather_facts": False,
            "tasks": [{"name": "Show", "check_mode": True, **task} for task in tasks],
        }
    ]
    with Service() as service, Front(service.url, answer) as front:
        environment = {
            **service.environment(folder / "state"),
            "ZONESMITH_BASE_URL": front.url,
            "ANSIBLE_CALLBACKS_ENABLED": "as_json_lines,zonesmith.dns.report",
            "ZONESMITH_REPORT": str(folder / "report.md"),
        }
        hosts = {"all": {"hosts": {"localhost": {"ansible_connection": "local"}}}}
        played = play(plays, hosts, environment, arguments=["--diff"])
    return played.output, folder


def test_what_a_zone_says_is_no_command(hostile):
    output, folder = hostile
    assert "failed=0 " in output, output
    assert "ignored=1 " in output, output
    assert r'-text0.example.com. 300 IN TXT "#\#[add-mask]x"' in output
    assert r' #\#[add-mask]a.example.com. 300 IN TXT "kept"' in output
    assert obeyed(output) == []
    assert obeyed((folder / "report.md").read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("text", TEXTS)
def test_a_runner_would_obey_these(text):
    """Nothing is proved by texts that no runner takes for commands."""
    assert obeyed(text.removeprefix("v=spf1 " + "a:mail.example.com " * 3)) != []
