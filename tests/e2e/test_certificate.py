# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/examples/acme_dns01.yml obtains a certificate from Pebble, and leaves nothing behind."""

import re
import subprocess
from pathlib import Path

import pytest
from pebble import Pebble
from powerdns import PowerDNS
from processes import program

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "acme_dns01.yml"


@pytest.fixture(scope="module")
def acme(powerdns):
    """An ACME server that asks PowerDNS for the challenges."""
    with Pebble(powerdns.name_server) as server:
        yield server


def settings(zone, folder, acme, powerdns):
    """The example's variables."""
    return {
        "dns_zone": zone,
        "certificate_folder": str(folder),
        "acme_directory": acme.directory,
        "acme_name_servers": [powerdns.name_server],
    }


def challenges(service, zone):
    """The values at every _acme-challenge name of the zone."""
    return {
        record["name"]: record["contents"]
        for record in service.records(zone)
        if record["name"].startswith("_acme-challenge")
    }


def openssl(*arguments):
    """Run openssl and return what it prints."""
    done = subprocess.run(
        [program("openssl"), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_one_certificate_for_two_names_and_a_wildcard(ansible, service, powerdns, acme, tmp_path):
    zone = "acme.example"
    service.zone(zone)
    service.clear_log()
    variables = settings(zone, tmp_path, acme, powerdns)

    first = ansible.run(EXAMPLE, variables, SSL_CERT_FILE=str(acme.ca))
    assert first.code == 0, first.output
    chain = tmp_path / f"{zone}.pem"
    names = re.findall(
        r"DNS:([^,\s]+)", openssl("x509", "-in", chain, "-noout", "-ext", "subjectAltName")
    )
    assert sorted(names) == [f"*.{zone}", zone, f"imap.mail.{zone}"]
    root = tmp_path / "root.pem"
    root.write_text(acme.root(), encoding="utf-8")
    openssl("verify", "-CAfile", root, "-untrusted", chain, chain)

    published = [
        entry["body"]
        for entry in service.log()
        if entry["method"] == "POST" and entry["status"] == 200
    ]
    assert sorted(body["name"] for body in published) == [
        "_acme-challenge",
        "_acme-challenge",
        "_acme-challenge.imap.mail",
    ]
    assert challenges(service, zone) == {}
    assert powerdns.ask(f"_acme-challenge.{zone}", "TXT").answer == []

    second = ansible.run(EXAMPLE, variables, SSL_CERT_FILE=str(acme.ca))
    assert (second.code, second.changed) == (0, 0), second.output


def test_challenges_go_when_the_order_fails_and_those_of_others_stay(
    ansible, service, powerdns, acme, tmp_path
):
    zone = "failing.example"
    service.zone(zone, [("_acme-challenge", "TXT", 300, ["of somebody else"])])
    service.clear_log()
    variables = {
        **settings(zone, tmp_path, acme, powerdns),
        "certificate_names": [zone, f"*.{zone}"],
    }
    # This ACME server asks a DNS server that does not have the zone.
    with PowerDNS() as empty, Pebble(empty.name_server) as blind:
        played = ansible.run(
            EXAMPLE, {**variables, "acme_directory": blind.directory}, SSL_CERT_FILE=str(blind.ca)
        )
    assert played.code != 0
    assert "Failed to validate challenge" in played.output
    assert [entry["method"] for entry in service.log() if entry["changed"]] == [
        "POST",
        "POST",
        "DELETE",
        "POST",
    ]
    assert not (tmp_path / f"{zone}.pem").exists()
    assert challenges(service, zone) == {f"_acme-challenge.{zone}.": ['"of somebody else"']}
