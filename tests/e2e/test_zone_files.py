# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Zone files of real name servers: what dig transfers from BIND is what src reads, and what an export writes."""

import subprocess
import sys
from pathlib import Path

import dns.zone
import pytest
from bind import Bind

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path += [str(REPOSITORY / "tests" / "docs"), str(REPOSITORY / "tests" / "tools")]
from documents import blocks

GUIDE = REPOSITORY / "docs" / "guides" / "moving.md"
KEY = next(block.text for block in blocks(GUIDE) if block.text.startswith("key "))
COMMAND = next(block.text for block in blocks(GUIDE) if block.text.startswith("dig "))
HEAD = "$TTL 1h\n@ SOA ns1 hostmaster 1 2h 15m 4w 5m\n@ NS ns1\nns1 A 192.0.2.53\n"
BODY = r"""
www 300 A 192.0.2.1
www 300 AAAA 2001:db8::1
*.dev CNAME www
@ MX 10 mail.example.net.
@ TXT "v=spf1 mx -all" "\195\169\"\\;"
_sip._tcp SRV 0 5 5060 sip.example.net.
@ CAA 0 issue "ca.example.net"
svc HTTPS 1 . alpn=h2,h3
cut NS ns.cut
cut DS 1 13 2 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
ns.cut A 192.0.2.54
x TYPE65300 \# 3 010203
"""
WHO_HAS_IT = 'key "transfer.example.com"'
ZONES = {"example.com": (f"{HEAD}{BODY}", WHO_HAS_IT), "closed.example": (HEAD, "none")}


@pytest.fixture(scope="module")
def bind():
    """The old name server, which sends one zone to who has the key, and one to nobody."""
    with Bind(ZONES, KEY) as server:
        yield server


def records(text):
    """What a zone file says, without SOA and NS of the zone itself, and with the chunks of a text as one."""
    found = dns.zone.from_text(text, "example.com.", check_origin=False, relativize=False)
    return {
        (name.to_text(), ttl, rdata.to_text().replace('" "', ""))
        for name, ttl, rdata in found.iterate_rdatas()
        if name != found.origin or rdata.rdtype not in (dns.rdatatype.SOA, dns.rdatatype.NS)
    }


def transfer(bind, folder, zone="example.com"):
    """Do what the guide shows, with a server and a zone of the test's; the file that dig writes."""
    (folder / "transfer.key").write_text(KEY, "utf-8")
    (folder / "zones").mkdir()
    command = COMMAND.replace("@192.0.2.53", f"@127.0.0.1 -p {bind.port}")
    command = command.replace("example.com", zone)
    subprocess.run(command, shell=True, check=True, cwd=folder)  # noqa: S602 - it is the guide's
    return folder / "zones" / f"{zone}.zone"


def test_what_dig_transfers_is_what_src_reads(ansible, powerdns, bind, tmp_path):
    powerdns.make_zone("example.com")
    file = transfer(bind, tmp_path)
    lines = file.read_text("utf-8").splitlines()
    soa = "example.com.\t\t3600\tIN\tSOA\t"
    assert [line.startswith(soa) for line in (lines[0], lines[-1])] == [True, True]
    task = {"zone": "example.com", "src": str(file), "prune": True, "service_owned": "ignore"}
    exported = {"dest": str(tmp_path / "exported"), "zones": ["example.com"]}
    first, again, _done = ansible.tasks(
        {"zonesmith.dns.dns_records": task},
        {"zonesmith.dns.dns_records": task},
        {"zonesmith.dns.dns_zone_files": exported},
    )
    assert (first["changed"], again["changed"]) == (True, False), (first, again)
    written = (tmp_path / "exported" / "example.com.zone").read_text("utf-8")
    assert records(written) == records(ZONES["example.com"][0])


def test_a_transfer_that_failed_removes_nothing(ansible, powerdns, bind, tmp_path):
    """Nobody may have this zone, and dig succeeds all the same."""
    powerdns.make_zone("unmoved.example")
    powerdns.write("unmoved.example", "www.unmoved.example", "A", 300, ["192.0.2.1"])
    file = transfer(bind, tmp_path, "closed.example")
    assert file.read_text("utf-8").endswith("; Transfer failed.\n")
    options = {"zone": "unmoved.example", "src": str(file), "prune": True}
    (refused,) = ansible.tasks({"zonesmith.dns.dns_records": options})
    assert refused["failed"]
    assert "prune" in refused["msg"]
    assert powerdns.ask("www.unmoved.example", "A").answer
