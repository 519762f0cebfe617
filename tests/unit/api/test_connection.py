# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where the token may be sent: base URLs and tokens that are used, and those that are refused before any request."""

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import (
    Connection,
    InvalidConnection,
    checked_base_url,
    checked_token,
)

TOKEN = "token-that-nobody-may-see"


@pytest.mark.parametrize(
    "base_url, one_form",
    [
        ("HTTPS://Host:443/", "https://host"),
        ("https://host/", "https://host"),
        ("https://host:0443/api/", "https://host/api"),
        ("https://host:", "https://host"),
        ("https://Host:80/API", "https://host:80/API"),
        ("https://Host:8443", "https://host:8443"),
        ("HTTP://LocalHost:80", "http://localhost"),
        ("http://localhost:443", "http://localhost:443"),
        ("https://[2001:DB8::1]:443/api", "https://[2001:db8::1]/api"),
        ("https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443"),
        ("https://192.0.2.1:443//", "https://192.0.2.1"),
    ],
)
def test_a_service_has_one_base_url(base_url, one_form):
    """Locks and logs are found by it."""
    assert Client(Connection(base_url, TOKEN)).base_url == one_form


DURATION = "timeout is {}, but must be above 0 and at most 86400 seconds"
PATIENCE = "retry_timeout is {}, but must be from 0 to 86400 seconds"


@pytest.mark.parametrize(
    "option, value, message",
    [
        ("retry_timeout", 0, ""),
        ("retry_timeout", 0.5, ""),
        ("retry_timeout", 86400, ""),
        ("retry_timeout", 86401, PATIENCE),
        ("retry_timeout", 86400.5, PATIENCE),
        ("retry_timeout", -1, PATIENCE),
        ("retry_timeout", float("nan"), PATIENCE),
        ("retry_timeout", float("inf"), PATIENCE),
        ("timeout", 0.01, ""),
        ("timeout", 86400, ""),
        ("timeout", 0, DURATION),
        ("timeout", 86400.5, DURATION),
        ("timeout", float("nan"), DURATION),
        ("retries", 0, ""),
        ("retries", -1, "retries is -1, but must be 0 or more"),
    ],
)
def test_numbers_of_a_connection(option, value, message):
    if not message:
        Connection("https://dns.example.com", TOKEN, **{option: value})
        return
    with pytest.raises(InvalidConnection) as refused:
        Connection("https://dns.example.com", TOKEN, **{option: value})
    assert str(refused.value) == message.format(value)


@pytest.mark.parametrize(
    "base_url, why",
    [
        (
            "http://dns.example.com",
            "plain http.* on the network path to dns.example.com: use https, or set allow_insecure_http",
        ),
        ("http://192.0.2.1", "plain http"),
        ("http://[2001:db8::1]", "plain http"),
        ("http://127.0.0.1.example.com", "plain http"),
        ("http://localhost.example.com", "plain http"),
        ("http://0.0.0.0", "plain http"),
        ("https://user@dns.example.com", "a user"),
        ("https://user:secret@dns.example.com", "a user"),
        ("https://@dns.example.com", "a user"),
        ("http://localhost@dns.example.com", "a user"),
        ("https://dns.example.com/?token=secret", "a query"),
        ("https://dns.example.com/#part", "a fragment"),
        ("", "not a URL"),
        ("dns.example.com", "not a URL"),
        ("//dns.example.com", "not a URL"),
        ("https://", "not a URL"),
        ("https:///api", "not a URL"),
        ("ftp://dns.example.com", "not a URL"),
        ("file:///etc/passwd", "not a URL"),
        ("https://dns.example.com:port", "not a URL"),
        ("https://dns.example.com:99999", "not a URL"),
        ("https://[2001:db8::1", "not a URL"),
        ("https://dns example.com", "not a URL"),
        ("https://dns.example.com\\@other.example.com", "not a URL"),
        ("https://dns.example.com/a b", "not a URL"),
        ("https://dns.example.com/\nHost: other", "not a URL"),
    ],
)
def test_a_base_url_that_is_refused(base_url, why):
    with pytest.raises(InvalidConnection, match=why) as refused:
        Client(Connection(base_url, TOKEN))
    assert "secret" not in str(refused.value)


def test_plain_http_elsewhere_can_be_allowed():
    client = Client(Connection("http://dns.example.com/api", TOKEN, allow_insecure_http=True))
    assert client.base_url == "http://dns.example.com/api"
    assert (
        checked_base_url("http://[2001:DB8::1]:8080", allow_insecure_http=True)
        == "http://[2001:db8::1]:8080"
    )
    assert (
        checked_base_url("http://dns.example.com:80", allow_insecure_http=True)
        == "http://dns.example.com"
    )


@pytest.mark.parametrize(
    "token, why",
    [
        ("", "is empty: set it, or ZONESMITH_ACCESS_TOKEN"),
        ("Bearer secret-of-mine", "begins with the word Bearer"),
        (" ", "white space"),
        ("to ken", "white space"),
        ("token\n", "white space"),
        ("token\r\nX-Other: 1", "white space"),
        ("tökén", "other characters"),
        ("token\x00", "other characters"),
    ],
)
def test_a_token_that_is_refused(token, why):
    with pytest.raises(InvalidConnection, match=why) as refused:
        Client(Connection("https://dns.example.com", token))
    assert not token.strip() or token not in str(refused.value)


@pytest.mark.parametrize("token", ["a", "test", "eleven-long"])
@pytest.mark.parametrize(
    "base_url, is_allowed",
    [
        ("https://dns.example.com", False),
        ("https://192.0.2.1", False),
        ("https://localhost.example.com", False),
        ("https://localhost", True),
        ("http://127.0.0.1:8080", True),
        ("http://[::1]:8080", True),
    ],
)
def test_a_short_token_is_for_this_machine_only(base_url, is_allowed, token):
    if is_allowed:
        Client(Connection(base_url, token))
        return
    with pytest.raises(
        InvalidConnection, match="access_token has fewer than 12 characters"
    ) as refused:
        Client(Connection(base_url, token))
    assert f" {token} " not in str(refused.value).replace(" a token", "").replace(" a service", "")


def test_a_token_of_twelve_characters_is_long_enough():
    assert checked_token("twelve-chars", is_short_allowed=False) == "twelve-chars"


def test_a_connection_does_not_show_its_token():
    assert TOKEN not in repr(Connection("https://dns.example.com", TOKEN))
