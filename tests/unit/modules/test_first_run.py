# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is wrong in a first run, and what a task says of it: real servers, and messages that name what to look at."""

import contextlib
import json
import socket
import ssl
import threading
from fnmatch import fnmatchcase

import pytest
from certificates import DAY, Authority
from raw import RawServer, whole
from shorthand import named_rows

TOKEN = "token-that-nobody-may-see"


class Places(contextlib.ExitStack):
    """Hosts and ports where something listens that is not the service as the task has it."""

    def __init__(self, folder, service):
        super().__init__()
        self.authority = Authority(folder)
        self.service = service.url.removeprefix("http://")
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            self.closed = f"127.0.0.1:{closed.getsockname()[1]}"

    def answering(self, parts):
        """A server that sends these to whatever it is asked, or is silent."""
        server = self.enter_context(RawServer(lambda _request: parts or _silence(server)))
        return server.url.removeprefix("http://")

    def with_certificate(self, certificate):
        """A server that has it, and says nothing to who trusts it."""
        listening = self.enter_context(socket.create_server(("127.0.0.1", 0)))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        threading.Thread(target=_shake_hands, args=(listening, context), daemon=True).start()
        return f"127.0.0.1:{listening.getsockname()[1]}"


def _silence(server):
    server.ended.wait()
    return []


def _shake_hands(listening, context):
    while True:
        try:
            connection, _address = listening.accept()
        except OSError:  # the end
            return
        with contextlib.suppress(OSError), connection:  # of who does not trust the certificate
            context.wrap_socket(connection, server_side=True)


@pytest.fixture
def places(tmp_path, service):
    with Places(tmp_path, service) as places:
        yield places


def tls(**options):
    """A server whose certificate has these *options*, and an authority that is trusted."""

    def place(places):
        at = places.with_certificate(places.authority.certificate("host", **options))
        return {"at": at, "base_url": f"https://{at}", "ca_path": str(places.authority.bundle)}

    return place


def http(parts):
    """A server that says this."""

    def place(places):
        at = places.answering(parts)
        return {"at": at, "base_url": f"http://{at}"}

    return place


def proxy(scheme, body=b""):
    """A proxy that wants to know who asks."""

    def place(places):
        at = places.answering(whole(body, status="407 Proxy Authentication Required"))
        return {
            "at": at,
            "base_url": f"{scheme}://dns.invalid",
            f"{scheme}_proxy": f"http://me:s3cr3t-pw@{at}",
        }

    return place


# What is wrong -> where the service is looked for, and what the task says of it; {at} is host and port, * anything.
MISTAKES = {
    "a host that does not exist": (
        lambda _places: {"base_url": "https://dns.invalid/api"},
        "cannot connect to dns.invalid: ** (see base_url)",
    ),
    "a closed port": (
        lambda places: {"at": places.closed, "base_url": f"http://{places.closed}"},
        "cannot connect to {at}: Connection refused (see base_url)",
    ),
    "the port of something else": (
        http([b"SSH-2.0-OpenSSH_9.2\r\n"]),
        "the connection to {at} broke: SSH-2.0-OpenSSH_9.2 (see base_url)",
    ),
    "https to a port without TLS": (
        lambda places: {"at": places.service, "base_url": f"https://{places.service}"},
        "{at} does not speak TLS: * (see base_url, which begins with https, not with http)",
    ),
    "http to a port with TLS": (
        lambda places: {
            **(found := tls()(places)),
            "base_url": found["base_url"].replace("https", "http"),
        },
        "the connection to {at} broke: * (see base_url)",
    ),
    "a certificate that nobody has signed": (
        tls(self_signed=True),
        "the TLS connection to {at} failed: certificate verify failed: self?signed certificate (see ca_path)",
    ),
    "a certificate of an authority that is not known": (
        lambda places: {name: value for name, value in tls()(places).items() if name != "ca_path"},
        (
            "the TLS connection to {at} failed: certificate verify failed: unable to get local issuer certificate (see "
            "ca_path)"
        ),
    ),
    "a certificate that has expired": (
        tls(ends=-DAY),
        "the TLS connection to {at} failed: certificate verify failed: certificate has expired",
    ),
    "a certificate of another host": (
        tls(address="127.0.0.2"),
        (
            # What comes first are the words of OpenSSL, or of urllib3 before 2.
            "the TLS connection to {at} failed: *'127.0.0.1'*"
        ),
    ),
    "a ca_path that is not there": (
        lambda places: {**tls()(places), "ca_path": "/nowhere.pem"},
        "the request to {at} could not be sent: */nowhere.pem (see ca_path)",
    ),
    "a ca_path without a certificate": (
        lambda places: {**tls()(places), "ca_path": __file__},
        "the TLS connection to {at} failed: no certificate or crl found (see ca_path)",
    ),
    "a path that the service does not have": (
        lambda places: {"at": places.service, "base_url": f"http://{places.service}/v1"},
        "the service answered 404: Not Found (requested GET http://{at}/v1/dns/domains; see base_url)",
    ),
    "a token that nobody knows": (
        lambda places: {"base_url": f"http://{places.service}", "access_token": "wrong-token-here"},
        "the service answered 401: Unauthenticated (see access_token)",
    ),
    "a service that is silent": (http(None), "{at} did not answer within 0.5 s (see timeout)"),
    "a SOCKS proxy without the package for it": (
        lambda places: {
            "base_url": "https://dns.invalid",
            "https_proxy": f"socks5h://me:s3cr3t-pw@{places.closed}",
        },
        (
            "the request to dns.invalid (through the proxy *) could not be sent: Missing dependencies for SOCKS support "
            "(install the Python package PySocks, or see the proxies in the environment)"
        ),
    ),
    "a proxy that is not there": (
        lambda places: {
            "at": places.closed,
            "base_url": "https://dns.invalid",
            "https_proxy": f"http://{places.closed}",
        },
        "cannot reach dns.invalid (through the proxy {at}): Connection refused (see the proxies in the environment)",
    ),
    "a proxy that wants to know who asks": (
        proxy("https"),
        (
            "cannot reach dns.invalid (through the proxy {at}): Tunnel connection failed: 407 Proxy Authentication "
            "Required "
            "(see the proxies in the environment)"
        ),
    ),
    "a proxy that wants to know who asks in plain http": (
        proxy("http", b"No."),
        "the service answered 407: No",
    ),
}


@named_rows("place, message", MISTAKES)
def test_each_mistake_names_the_option_and_what_was_asked(
    run,
    places,
    monkeypatch,
    place,
    message,
):
    options = place(places)
    at = options.pop("at", "")
    for variable in ("http_proxy", "https_proxy"):
        if variable in options:
            monkeypatch.setenv(variable, options.pop(variable))
    task = {"zone": "example.com", "name": "www", "type": "A", "content": "192.0.2.1"}
    how = {"allow_insecure_http": True, "retries": 0, "timeout": 0.5, "access_token": TOKEN}
    result = run("dns_record", **{**task, **how, **options})
    sentence = (
        f"Zone example.com: cannot read it: {message.replace('{at}', at)}; nothing was changed."
    )
    assert fnmatchcase(result["msg"], sentence), result["msg"]
    assert "s3cr3t-pw" not in json.dumps(result)
