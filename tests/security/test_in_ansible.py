# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who gets the token, as a user meets it: in ansible-playbook.

The integration target ``token`` looks for the token in output, logs, async jobs and documents of zones.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from ansible.release import __version__ as ansible_version
from certificates import DAY, Authority
from held_zones import held_by
from playing import Played, Task, play, play_tasks
from running import Service

TOKEN = "token-that-nobody-may-see"
ZONE = "example.com"
BEFORE = [("www", "A", 300, ["192.0.2.1"])]
AFTER = {("www", "A"): (60, ("192.0.2.1",))}
GET = "GET /dns/domains/examplecom"
CALLS = [GET, GET, "DELETE www.example.com. A", "POST www A 192.0.2.1", GET]


@dataclass
class Scene:
    """Services by name, the folders that tasks use, and what the one run of ansible-playbook said of each task."""

    services: dict[str, Service]
    folder: Path
    played: Played


CERTIFICATES = {
    "good": {},
    "expired": {"ends": -DAY},
    "other-host": {"address": "127.0.0.2"},
    "self-signed": {"self_signed": True},
}


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """All tasks of this file, run."""
    folder = tmp_path_factory.mktemp("security")
    authority = Authority(folder)
    with ExitStack() as stack:
        files = {
            name: str(authority.certificate(name, **options))
            for name, options in CERTIFICATES.items()
        }
        commands = {"plain": [], **{name: ["--tls-cert", file] for name, file in files.items()}}
        services = {
            name: stack.enter_context(Service(*command, token=TOKEN))
            for name, command in commands.items()
        }
        for service in services.values():
            service.zone(ZONE, BEFORE)
        tasks = _tasks(services, authority)
        yield Scene(
            services, folder, play_tasks(tasks, services["plain"], folder / "state", verbosity=4)
        )


def _tasks(services, authority):
    def task(service, **options):
        common = {
            "base_url": services[service].url,
            "access_token": TOKEN,
            "zone": ZONE,
            "retries": 0,
        }
        rebuild = {"name": "www", "type": "A", "content": ["192.0.2.1"], "ttl": 60}
        return Task("dns_record", {**common, **rebuild, **options})

    trusting = {"ca_path": str(authority.bundle)}
    return {
        **{name: task(name, **trusting) for name in CERTIFICATES},
        "unknown-authority": task("good"),
        "unchecked": task("self-signed", validate_certs=False),
        "nothing-to-template": task(
            "plain", content="{{ 'token is ' ~ options.access_token | no_such_filter }}"
        ),
    }


def test_a_certificate_of_the_given_authority_is_trusted_and_any_with_validate_certs_false(
    scene,
):
    for host in ("good", "unchecked"):
        assert scene.played.results[host]["changed"] is True, scene.played.output
    assert held_by(scene.services["good"], ZONE) == AFTER


@pytest.mark.parametrize(
    "host, why",
    [
        ("expired", "certificate has expired"),
        ("other-host", "certificate is not valid for '127.0.0.1'"),
        ("self-signed", "self-signed certificate (see ca_path)"),
        ("unknown-authority", "unable to get local issuer certificate (see ca_path)"),
    ],
)
def test_any_other_certificate_ends_it_before_the_token_is_sent(scene, host, why):
    result = scene.played.results[host]
    message = result["msg"]
    assert result["failed"] is True
    assert "the TLS connection to 127.0.0.1:" in message
    assert why in message
    assert message.endswith("; nothing was changed.")
    assert scene.services["expired"].log() == scene.services["other-host"].log() == []
    # What came to the other two is what the tasks sent that trust them.
    assert scene.services["good"].calls() == scene.services["self-signed"].calls() == CALLS


@pytest.mark.skipif(
    ansible_version.startswith("2.18."),
    reason="this ansible-core itself shows the options of what it cannot template",
)
def test_the_token_is_not_in_the_output_of_all_that(scene):
    assert "no_such_filter" in scene.played.output
    assert TOKEN not in scene.played.output
    assert TOKEN not in str(scene.played.results)


@pytest.mark.parametrize("direct", [False, True], ids=["module", "direct"])
def test_the_keyword_environment_shows_the_token_of_a_process(scene, direct):
    """Not what anybody wants, but what docs/security.md has to warn of: Ansible puts it on the command line."""
    service = scene.services["plain"]
    task = {"name": "Read", "zonesmith.dns.dns_zone_info": {"zone": ZONE}}
    variables = {"ZONESMITH_ACCESS_TOKEN": TOKEN, "ZONESMITH_BASE_URL": service.url}
    plays = [
        {
            "name": "Read",
            "hosts": "all",
            "gather_facts": False,
            "environment": variables,
            "tasks": [task],
        }
    ]
    inventory = {"all": {"hosts": {"here": {"zonesmith_direct": direct}}}}
    environment = {
        **service.environment(scene.folder / "state"),
        "ZONESMITH_ACCESS_TOKEN": "another",
    }
    assert TOKEN not in play(plays, inventory, environment).output
    assert (TOKEN in play(plays, inventory, environment, verbosity=3).output) is not direct
