# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whatever the spelling of base_url, the token goes to the host that it names, over TLS or not off this machine."""

import socket

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import (
    Connection,
    InvalidConnection,
)

pytestmark = pytest.mark.any_core

TOKEN = "token-that-nobody-may-see"

REFUSED = [
    # Another host than it seems.
    "http://127.0.0.1@evil.example",
    "http://localhost:80\\@evil.example",
    "http://127.0.0.1#@evil.example",
    "https://good.example%00.evil.example",
    "https://good.example\uff0fevil.example",
    "https://good.example,evil.example",
    "http://127.0.0.1%2eevil.example",
    # Plain http to what only looks like this machine.
    "http://localhost.",
    "http://0",
    "http://[::]",
    "http://127.1",
    "http://2130706433",
    "http://0x7f.1",
    "http://0177.0.0.1",
    "http://127.0.0.01",
    "http://[::1%25eth0]",
    "http://[127.0.0.1]",
    "http://::1",
    # Characters that look like others, or like none.
    "http://127\u30020\u30020\u30021",
    "http://loc\u0430lhost",
    "http://localho\u017ft",
    "http://localhost\u200b",
    "http://127.0.0.1\u2028.evil.example",
    "http://\ud800",
    # White space, and the end of a line.
    "http://127.0.0.1\r\nX-Other: y",
    "ht\ntp://evil.example",
    "\x01http://evil.example",
    # Ports.
    "https://dns.example:+443",
    "https://dns.example:\uff14\uff14\uff13",
    "http://127.0.0.1:80:80",
    # No host, or no scheme of ours.
    "http:127.0.0.1",
    "http:////127.0.0.1",
    "hTTp://evil.example",
    "javascript:alert(1)",
]

USED = [
    ("https://dns.example", ("dns.example", 443)),
    ("HTTPS://DNS.Example", ("dns.example", 443)),
    ("https://dns.example.", ("dns.example.", 443)),
    ("https://localhost.evil.example", ("localhost.evil.example", 443)),
    ("https://ex\u0430mple.com", ("xn--exmple-4nf.com", 443)),
    ("https://[2001:db8::1]:8443", ("2001:db8::1", 8443)),
    ("http://LOCALHOST", ("localhost", 80)),
    ("http://127.9.9.9", ("127.9.9.9", 80)),
    ("http://[0:0:0:0:0:0:0:1]", ("0:0:0:0:0:0:0:1", 80)),
    ("http://127.0.0.1//evil.example", ("127.0.0.1", 80)),
    ("http://127.0.0.1/@evil.example", ("127.0.0.1", 80)),
    ("http://127.0.0.1/\u202egnp", ("127.0.0.1", 80)),
]
NOWHERE = [
    "https://dns..example",
    f"https://{'a' * 64}.example",
]
"""What no host can be called: whether it is refused or cannot be sent, nobody is asked for it."""


@pytest.fixture
def asked(monkeypatch):
    """The hosts and ports that somebody wanted to reach; none is there."""
    wanted = []

    def getaddrinfo(host, port, *_rest, **_named):
        wanted.append((host.decode() if isinstance(host, bytes) else host, int(port)))
        raise socket.gaierror(socket.EAI_NONAME, "not in a test")

    for proxy in (
        "http_proxy",
        "https_proxy",
        "all_proxy",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
    ):
        monkeypatch.delenv(proxy, raising=False)
    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return wanted


@pytest.mark.parametrize("base_url", REFUSED, ids=ascii)
def test_it_is_refused_before_anybody_is_asked(base_url, asked):
    with pytest.raises(InvalidConnection) as refused:
        Client(Connection(base_url, TOKEN, retries=0)).read_record_sets("slug")
    assert asked == []
    assert TOKEN not in str(refused.value)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("base_url, where", USED, ids=ascii)
def test_it_goes_where_it_says(base_url, where, asked):
    with pytest.raises(ServiceError) as failed:
        Client(Connection(base_url, TOKEN, retries=0)).read_record_sets("slug")
    assert set(asked) == {where}
    assert TOKEN not in str(failed.value)


@pytest.mark.parametrize("base_url", NOWHERE, ids=ascii)
def test_what_is_no_name_leads_nowhere(base_url, asked):
    with pytest.raises((InvalidConnection, ServiceError)):
        Client(Connection(base_url, TOKEN, retries=0)).read_record_sets("slug")
    assert asked == []
