# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/examples/acme_dns01.yml obtains a certificate from Pebble, and leaves nothing behind."""

from pathlib import Path

import pytest
from cryptography import x509
from pebble import Pebble
from powerdns import PowerDNS

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


def test_one_certificate_for_two_names_and_a_wildcard(ansible, service, powerdns, acme, tmp_path):
    zone = "acme.example"
    service.zone(zone)
    service.clear_log()
    variables = settings(zone, tmp_path, acme, powerdns)

    first = ansible.run(EXAMPLE, variables, SSL_CERT_FILE=str(acme.ca))
    assert first.code == 0, first.output
    chain = x509.load_pem_x509_certificates((tmp_path / f"{zone}.pem").read_bytes())
    names = chain[0].extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert sorted(names.get_values_for_type(x509.DNSName)) == [
        f"*.{zone}",
        zone,
        f"imap.mail.{zone}",
    ]
    chain[-1].verify_directly_issued_by(x509.load_pem_x509_certificate(acme.root().encode()))

    posted = [entry for entry in service.log() if entry["method"] == "POST" and entry["changed"]]
    published = [entry["body"]["name"] for entry in posted]
    assert sorted(published) == ["_acme-challenge"] * 2 + ["_acme-challenge.imap.mail"]
    assert challenges(service, zone) == {}

    second = ansible.run(EXAMPLE, variables, SSL_CERT_FILE=str(acme.ca))
    assert (second.code, second.changed) == (0, 0), second.output


def test_challenges_go_when_the_order_fails_and_those_of_others_stay(
    ansible, service, powerdns, tmp_path
):
    zone = "failing.example"
    service.zone(zone, [("_acme-challenge", "TXT", 300, ["of somebody else"])])
    service.clear_log()
    # This ACME server asks a DNS server that does not have the zone.
    with PowerDNS() as empty, Pebble(empty.name_server) as blind:
        variables = settings(zone, tmp_path, blind, powerdns)
        names = {"certificate_names": [zone, f"*.{zone}"]}
        played = ansible.run(EXAMPLE, {**variables, **names}, SSL_CERT_FILE=str(blind.ca))
    assert played.code != 0
    assert "Failed to validate challenge" in played.output
    changes = [entry["method"] for entry in service.log() if entry["changed"]]
    assert changes == ["POST", "POST", "DELETE", "POST"]
    assert not (tmp_path / f"{zone}.pem").exists()
    assert challenges(service, zone) == {f"_acme-challenge.{zone}.": ['"of somebody else"']}
