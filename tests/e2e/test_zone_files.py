# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Zones to files, from the service and by transfers from a real PowerDNS and a real BIND, with and without a key."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dns.zone
import pytest
import yaml
from bind import Bind, Key
from playbook import Ansible
from powerdns import PowerDNS
from running import Service

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.append(str(REPOSITORY / "tests" / "docs"))
from documents import blocks

KEY = Key("transfer.example", "hmac-sha512", "c2VjcmV0IG9mIHRoZSB0cmFuc2Zlcg==")
DOCUMENTED = Key("transfer.example.com", "hmac-sha256", "ZG9jdW1lbnRlZCBzZWNyZXQ=")
OTHER = Key("other.example", "hmac-sha256", "YW5vdGhlciBzZWNyZXQ=")
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
odd\.name A 192.0.2.2
cut NS ns.cut
cut DS 1 13 2 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
ns.cut A 192.0.2.54
x TYPE65300 \# 3 010203
"""
MANY = "$GENERATE 1-3000 host$ A 192.0.2.1\n" + "".join(
    f'text{n} TXT "number {n} of many"\n' for n in range(300)
)
ZONES = {
    "open.example": (f"{HEAD}{BODY}", "any"),
    "many.example": (f"{HEAD}{MANY}", "any"),
    "keyed.example": (f"{HEAD}{BODY}", f'key "{KEY.name}"'),
    "closed.example": (HEAD, "none"),
    "example.com": (f"{HEAD}{BODY}", f'key "{DOCUMENTED.name}"'),
}


@pytest.fixture(scope="module")
def bind() -> Iterator[Bind]:
    """A server with zones that it sends to everybody, to who has a key, and to nobody."""
    with Bind(ZONES, KEY, DOCUMENTED) as server:
        yield server


def files(dest: Path, *zones: str, **options: Any) -> dict[str, Any]:
    """A task that writes zones to files."""
    return {"zonesmith.dns.dns_zone_files": {"dest": str(dest), "zones": [*zones], **options}}


def with_key(key: Key) -> dict[str, str]:
    """The options for a key."""
    return {"tsig_name": key.name, "tsig_key": key.secret, "tsig_algorithm": key.algorithm}


def records(text: str, zone: str) -> set[tuple[str, int, str]]:
    """What a zone file says, without SOA and NS of the zone itself, and with the chunks of a text as one."""
    found = dns.zone.from_text(text, f"{zone}.", check_origin=False, relativize=False)
    return {
        (name.to_text(), ttl, rdata.to_text().replace('" "', ""))
        for name, ttl, rdata in found.iterate_rdatas()
        if name != found.origin or rdata.rdtype not in (dns.rdatatype.SOA, dns.rdatatype.NS)
    }


@pytest.mark.parametrize("zone", ["open.example", "many.example"])
def test_a_zone_of_bind(ansible: Ansible, bind: Bind, zone: str, tmp_path: Path) -> None:
    first, again = ansible.tasks(*[files(tmp_path, zone, server=f"127.0.0.1:{bind.port}")] * 2)
    assert (first["changed"], again["changed"]) == (True, False), first
    (file,) = tmp_path.iterdir()
    text = file.read_text(encoding="utf-8")
    expected = records(ZONES[zone][0], zone)
    assert len(expected) == (3301 if zone == "many.example" else 14)
    assert records(text, zone) == expected
    assert f"; @  SOA  ns1.{zone}. hostmaster.{zone}. ..." in text


def test_a_zone_of_bind_over_ipv6(ansible: Ansible, bind: Bind, tmp_path: Path) -> None:
    try:
        socket.create_connection(("::1", bind.port), 1).close()
    except OSError:
        pytest.skip("there is no IPv6 here")
    (done,) = ansible.tasks(files(tmp_path, "open.example", server=f"[::1]:{bind.port}"))
    assert done["changed"], done


def test_a_zone_of_bind_with_a_key(ansible: Ansible, bind: Bind, tmp_path: Path) -> None:
    task = files(tmp_path, "keyed.example", server=f"127.0.0.1:{bind.port}", **with_key(KEY))
    (done,) = ansible.tasks(task)
    assert done["changed"], done
    text = (tmp_path / "keyed.example.zone").read_text(encoding="utf-8")
    assert records(text, "keyed.example") == records(ZONES["keyed.example"][0], "keyed.example")


def documented() -> Iterator[dict[str, Any]]:
    """The tasks of the documentation that ask a name server."""
    module = REPOSITORY / "plugins" / "modules" / "dns_zone_files.py"
    for path in (REPOSITORY / "docs" / "guides" / "moving.md", module):
        for block in blocks(path):
            tasks = yaml.safe_load(block.text) if block.language == "yaml" else None
            for task in tasks if isinstance(tasks, list) else ():
                if "server" in task.get("zonesmith.dns.dns_zone_files", {}):
                    yield task


def test_what_the_documentation_shows(ansible: Ansible, bind: Bind, tmp_path: Path) -> None:
    found = [*documented()]
    assert len(found) == 2
    for number, task in enumerate(found):
        options = task["zonesmith.dns.dns_zone_files"]
        options |= {"server": f"127.0.0.1:{bind.port}", "dest": str(tmp_path / str(number))}
        (done,) = ansible.tasks(task, transfer_key=DOCUMENTED.secret)
        assert [file["zone"] for file in done["files"]] == ["example.com"], done
        assert done["changed"]


REFUSED_BY_BIND = {
    "nobody": (
        "closed.example",
        {},
        "it answers REFUSED: check that it serves the zone and lets this machine transfer it",
    ),
    "without the key": (
        "keyed.example",
        {},
        "it answers REFUSED: check that it serves the zone and lets this machine transfer it",
    ),
    "with the key, nobody": (
        "closed.example",
        with_key(KEY),
        "it answers REFUSED: check that it serves the zone and lets whoever has ",
    ),
    "another key": (
        "keyed.example",
        with_key(OTHER),
        "the key other.example does not work (The peer didn't know the key",
    ),
    "another secret": (
        "keyed.example",
        {**with_key(KEY), "tsig_key": OTHER.secret},
        "the key transfer.example does not work (The peer didn't like the signature",
    ),
    "no such zone": (
        "nowhere.example",
        {},
        "it answers NOTAUTH: check that it serves the zone ",
    ),
}


def test_what_bind_refuses(ansible: Ansible, bind: Bind, tmp_path: Path) -> None:
    server = f"127.0.0.1:{bind.port}"
    cases = REFUSED_BY_BIND.values()
    results = ansible.tasks(
        *(files(tmp_path, zone, server=server, **options) for zone, options, _said in cases)
    )
    for (zone, _options, reason), result in zip(cases, results, strict=True):
        assert result["failed"]
        assert result["msg"].startswith(
            f"zone {zone}: it cannot be transferred from {server}: {reason}"
        )
    assert [*tmp_path.iterdir()] == []


@pytest.fixture(scope="module")
def moved(service: Service, powerdns: PowerDNS) -> str:
    """A zone of the service, which PowerDNS serves and sends with and without a key."""
    zone = "files.example"
    powerdns.make_zone(zone)
    for owner, rdtype, ttl, contents in (
        ("www.files.example", "A", 300, ["192.0.2.1", "192.0.2.2"]),
        ("files.example", "MX", 600, ["10 mail.example.net."]),
        ("files.example", "TXT", 300, ['"v=spf1 mx -all" "\\195\\169\\"\\\\;"']),
        ("*.files.example", "CNAME", 300, ["www.files.example."]),
        ("_sip._tcp.files.example", "SRV", 300, ["0 5 5060 sip.example.net."]),
    ):
        powerdns.write(zone, owner, rdtype, ttl, contents)
    powerdns.api(
        "POST", "tsigkeys", {"name": KEY.name, "algorithm": KEY.algorithm, "key": KEY.secret}
    )
    powerdns.api("PUT", f"zones/{zone}.", {"master_tsig_key_ids": [f"{KEY.name}."]})
    assert service.zones()
    return zone


def test_a_zone_of_powerdns_is_that_of_the_service(
    ansible: Ansible, powerdns: PowerDNS, moved: str, tmp_path: Path
) -> None:
    """By either way it is the same file."""
    places = [tmp_path / name for name in ("service", "transfer", "key")]
    sources: list[dict[str, Any]] = [{}, {"server": powerdns.name_server}]
    sources.append({**sources[1], **with_key(KEY)})
    results = ansible.tasks(
        *(files(place, moved, **source) for place, source in zip(places, sources, strict=True))
    )
    assert [result["changed"] for result in results] == [True] * 3, results
    texts = {(place / f"{moved}.zone").read_text(encoding="utf-8") for place in places}
    assert len(texts) == 1, texts
    assert len(records(texts.pop(), moved)) == 6
