# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The example keeps reverse zones from three forward zones, and `dig -x` finds the names of their addresses."""

import shutil
import subprocess
from pathlib import Path

import pytest
from processes import program

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "reverse_zones"
NET, NET6 = "2.0.192.in-addr.arpa", "8.b.d.0.1.0.0.2.ip6.arpa"
HALF = f"128-255.{NET}"  # RFC 2317
NAMES = {
    "192.0.2.10": {"example.com.", "www.example.com."},
    "192.0.2.25": {"mail.example.com."},
    "192.0.2.53": {"ns1.example.net."},
    "192.0.2.130": {"example.net."},
    "192.0.2.131": {"host.example.org."},
    "192.0.2.1": set(),  # which was there before, and nothing has
    "192.0.2.99": set(),  # a wildcard's
    "198.51.100.1": set(),  # of another network
    "2001:db8::10": {"example.com."},
    "2001:db8::25": {"mail.example.com."},
    "2001:db8:0:1::53": {"ns1.example.net."},
}
CLASSLESS = {"192.0.2.130", "192.0.2.131"}


@pytest.fixture(scope="module")
def played(ansible, service, tmp_path_factory):
    """Three reverse zones that the example keeps, each twice, and one of them without a zone file at last."""
    stale = [("1", "PTR", 300, ["nobody.example.com."])]
    service.zone(NET, stale)
    service.zone(NET6)
    service.zone(HALF)
    folder = tmp_path_factory.mktemp("reverse") / "example"
    shutil.copytree(EXAMPLE, folder)
    zones = [NET, NET, NET6, NET6, HALF, HALF]
    return [ansible.run(folder / "reverse.yml", {"reverse_zone": zone}) for zone in zones]


def dig(powerdns, address):
    """The names of an address, as dig prints them."""
    server = ["@127.0.0.1", "-p", str(powerdns.port)]
    command = [program("dig"), *server, "+norecurse", "+short", "-x", address]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=30)
    return set(done.stdout.split())


def test_the_second_run_changes_nothing(played):
    assert [(one.code, one.changed) for one in played] == [(0, 1), (0, 0)] * 3, [
        one.output for one in played
    ]


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize("address", NAMES)
def test_dig_finds_the_names(powerdns, address):
    assert dig(powerdns, address) == NAMES[address]


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize("address", CLASSLESS)
def test_a_part_of_a_network_is_found_by_its_alias(powerdns, address):
    """As RFC 2317 has it: the network's own zone points into that of its part."""
    last = address.rpartition(".")[2]
    alias = f"{last}.{HALF}."
    powerdns.write(NET, f"{last}.{NET}", "PTR", 300, [])
    powerdns.write(NET, f"{last}.{NET}", "CNAME", 300, [alias])
    assert dig(powerdns, address) == {alias, *NAMES[address]}
