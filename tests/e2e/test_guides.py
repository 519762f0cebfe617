# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of guides whose records come from elsewhere, on a PowerDNS: the second run finds nothing to change."""

import shutil
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
MAIL = ["zone001.example.com", "zone002.example.org"]

PLAYBOOKS = [
    # a playbook, its zones, variables of the environment, and a name and type that it makes
    ("one_mail_provider/mail.yml", MAIL, {}, f"s1._domainkey.{MAIL[1]}", "CNAME"),
    ("one_mail_provider/dkim.yml", MAIL, {}, f"fm2._domainkey.{MAIL[0]}", "CNAME"),
    (
        "sources/inventory.yml",
        ["hosts.example.com", "2.0.192.in-addr.arpa", "8.b.d.0.1.0.0.2.ip6.arpa"],
        {"ANSIBLE_INVENTORY": "hosts.yml"},
        "11.2.0.192.in-addr.arpa",
        "PTR",
    ),
    ("sources/template.yml", ["example.net"], {}, "example.net", "TXT"),
]


@pytest.mark.parametrize("playbook, zones, variables, name, rdtype", PLAYBOOKS)
def test_the_example_makes_its_records(
    ansible, powerdns, service, tmp_path, playbook, zones, variables, name, rdtype
):
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    for zone in zones:
        service.zone(zone)
    path = tmp_path / "examples" / playbook
    of_folder = {key: str(path.parent / value) for key, value in variables.items()}
    played = [ansible.run(path, {}, **of_folder) for _run in range(2)]
    assert [(one.code, one.changed > 0) for one in played] == [(0, True), (0, False)], played
    assert powerdns.ask(name, rdtype).answer
