# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which name servers there are to ask: what users and zones name, and the addresses that resolvers find."""

import socket
import threading

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._query.name_servers import (
    Addresses,
    InvalidNameServer,
    NameServer,
    UnusableNameServer,
    checked_server,
    zones_server,
)

GUARD = 30.0


@pytest.mark.parametrize(
    "text, server",
    [
        ("192.0.2.53", NameServer("192.0.2.53", "192.0.2.53", 53)),
        (" 192.0.2.53:5300 ", NameServer("192.0.2.53:5300", "192.0.2.53", 5300)),
        ("fe80::53%eth0", NameServer("fe80::53%eth0", "fe80::53%eth0", 53)),
        ("[2001:db8::53]:5300", NameServer("[2001:db8::53]:5300", "2001:db8::53", 5300)),
        ("NS1.example.net.:65535", NameServer("NS1.example.net.:65535", "ns1.example.net", 65535)),
        ("bücher.example", NameServer("bücher.example", "xn--bcher-kva.example", 53)),
    ],
)
def test_name_servers_that_a_user_names(text, server):
    assert checked_server(text) == server


NO_HOSTS = [
    "",
    ".",
    "a..b",
    "no host",
    "a/b",
    "127.1",
    "2130706433",
    "0x7f.1",
    "\udcff",
    f"{'a' * 64}.example",
]


@pytest.mark.parametrize(
    "text",
    [
        *NO_HOSTS,
        "192.0.2.53:0",
        "192.0.2.53:65536",
        "192.0.2.53:",
        "ns1.example.net:domain",
        "ns1.example.net:५३",
        "[ns1.example.net]:53",
        "[2001:db8::53",
        "[2001:db8::53]53",
        ":53",
    ],
)
def test_what_is_no_name_server(text):
    with pytest.raises(InvalidNameServer, match="it is not a host name"):
        checked_server(text)


@pytest.mark.parametrize(
    "text",
    [*NO_HOSTS, "192.0.2.53", "192.0.2.53:80", "ns1.example.net.:53", "2001:db8::53", "[::1]"],
)
def test_a_zone_names_hosts_only(text):
    with pytest.raises(UnusableNameServer) as refused:
        zones_server(text)
    shown = r"\udcff" if text == "\udcff" else text
    assert str(refused.value) == (
        f"the zone's name server {shown} is not a host name; name the servers to ask in wait_nameservers"
    )


# Addresses


@pytest.fixture
def resolver(monkeypatch):
    """Sets what a resolver says, one look-up after the other; each is written down as it was made."""

    def resolver(*answers):
        left, asked = list(answers), []

        def look_up(*where, **options):
            asked.append((*where, options, threading.current_thread().daemon))
            answer = left.pop(0)
            if callable(answer):
                answer = answer()
            if isinstance(answer, Exception):
                raise answer
            return [
                (socket.AF_INET, socket.SOCK_DGRAM, 17, "", (address, 53)) for address in answer
            ]

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        return asked

    return resolver


def test_addresses_are_looked_up_once_they_are_found(resolver):
    asked = resolver(["192.0.2.1", "2001:db8::1", "192.0.2.1"])
    addresses = Addresses(checked_server("ns1.example.net:5300"))
    for _look in range(2):
        addresses.look_up(GUARD)
        assert addresses.found == ("192.0.2.1", "2001:db8::1")
    # No exit of the interpreter waits for a resolver.
    assert asked == [("ns1.example.net", 5300, {"type": socket.SOCK_DGRAM}, True)]


@pytest.mark.parametrize(
    "error, is_unknown",
    [
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), True),
        (UnicodeError("label too long"), True),
        (socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution"), False),
    ],
)
def test_a_look_up_that_finds_nothing(resolver, error, is_unknown):
    resolver(error, OSError("no network"), ["192.0.2.1"])
    addresses = Addresses(checked_server("ns1.example.net"))
    addresses.look_up(GUARD)
    assert (addresses.found, addresses.is_unknown) == ((), is_unknown)
    if is_unknown:
        with pytest.raises(UnusableNameServer) as refused:
            addresses.check()
        message = f"{addresses.complaint}; name the servers to ask in wait_nameservers"
        assert str(refused.value) == message
    for _look in range(2):
        addresses.look_up(GUARD)
        addresses.check()
    assert addresses.found == ("192.0.2.1",)


def test_a_look_up_that_takes_longer_goes_on(resolver):
    answer = threading.Event()

    def slowly():
        answer.wait(GUARD)
        return ["192.0.2.1"]

    asked = resolver(slowly)
    addresses = Addresses(checked_server("ns1.example.net"))
    for _look in range(2):
        addresses.look_up(-1.0)
        assert addresses.found == ()
        addresses.check()
    answer.set()
    addresses.look_up(GUARD)
    assert addresses.found == ("192.0.2.1",)
    assert len(asked) == 1


def test_a_complaint_is_shown_without_escapes():
    assert Addresses(NameServer("ns\x1b[31m", "ns")).complaint == (
        r"the name server ns\x1b[31m has no address to query"
    )


OWN = (
    *("127.0.0.1", "127.0.1.1", "::1", "::ffff:127.0.0.1", "0.0.0.0"),  # noqa: S104 - nothing is bound
    *("169.254.169.254", "fe80::1%eth0", "224.0.0.251", "255.255.255.255", "240.0.0.1"),
)
OTHERS = ("10.0.0.53", "100.64.0.53", "fd00::53", "192.0.2.53", "::ffff:192.0.2.53")


@pytest.mark.parametrize("address", OWN)
def test_a_zone_leads_to_no_address_of_the_controllers_own(resolver, address):
    resolver([address], [address], ["192.0.2.1", address])
    addresses = Addresses(zones_server("ns1.example.net."))
    with pytest.raises(UnusableNameServer) as refused:
        addresses.look_up(GUARD)
    assert str(refused.value) == (
        f"the zone's name server ns1.example.net. has the address {address}, where no public zone is served; "
        "name the servers to ask in wait_nameservers"
    )
    by_a_user = Addresses(checked_server("ns1.example.net"))
    by_a_user.look_up(GUARD)
    assert by_a_user.found == (address,)
    addresses.look_up(GUARD)
    assert addresses.found == ("192.0.2.1",)


@pytest.mark.parametrize("address", OTHERS)
def test_a_zone_may_lead_into_a_closed_network(resolver, address):
    resolver([address])
    addresses = Addresses(zones_server("ns1.example.net."))
    addresses.look_up(GUARD)
    assert addresses.found == (address,)
