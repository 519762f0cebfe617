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
)

TOKEN = "token-that-nobody-may-see"


@pytest.mark.parametrize(
    "base_url, one_form",
    [
        ("HTTPS://Host:443/", "https://host"),
        ("https://host:0443/api/", "https://host/api"),
        ("https://Host:80/API", "https://host:80/API"),
        ("HTTP://LocalHost:80", "http://localhost"),
        ("https://[2001:DB8::1]:8443", "https://[2001:db8::1]:8443"),
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
        ("retry_timeout", 86400, ""),
        ("retry_timeout", 86400.5, PATIENCE),
        ("retry_timeout", -1, PATIENCE),
        ("retry_timeout", float("nan"), PATIENCE),
        ("timeout", 0.01, ""),
        ("timeout", 0, DURATION),
        ("timeout", 86400.5, DURATION),
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
        ("http://[2001:db8::1]", "plain http"),
        ("http://localhost.example.com", "plain http"),
        ("https://user:secret@dns.example.com", "a user"),
        ("https://@dns.example.com", "a user"),
        ("https://dns.example.com/?token=secret", "a query"),
        ("https://dns.example.com/#part", "a fragment"),
        ("", "not a URL"),
        ("https:///api", "not a URL"),
        ("ftp://dns.example.com", "not a URL"),
        ("https://dns.example.com:99999", "not a URL"),
        ("https://[2001:db8::1", "not a URL"),
        ("https://dns.example.com/a b", "not a URL"),
    ],
)
def test_a_base_url_that_is_refused(base_url, why):
    with pytest.raises(InvalidConnection, match=f"^base_url .*{why}") as refused:
        Client(Connection(base_url, TOKEN))
    assert "secret" not in str(refused.value)


def test_plain_http_elsewhere_can_be_allowed():
    assert (
        checked_base_url("http://[2001:DB8::1]:80/api", allow_insecure_http=True)
        == "http://[2001:db8::1]/api"
    )


@pytest.mark.parametrize(
    "token, why",
    [
        ("", "is empty: set it, or ZONESMITH_ACCESS_TOKEN"),
        ("Bearer secret-of-mine", "begins with the word Bearer"),
        (" ", "white space"),
        ("token\r\nX-Other: 1", "white space"),
        ("tökén", "other characters"),
        ("token\x00", "other characters"),
    ],
)
def test_a_token_that_is_refused(token, why):
    with pytest.raises(InvalidConnection, match=why) as refused:
        Client(Connection("https://dns.example.com", token))
    assert not token.strip() or token not in str(refused.value)


@pytest.mark.parametrize("base_url", ["https://localhost", "http://127.0.0.1:8080"])
def test_a_short_token_is_for_this_machine(base_url):
    Client(Connection(base_url, "a"))


@pytest.mark.parametrize("base_url", ["https://192.0.2.1", "https://localhost.example.com"])
def test_and_for_no_other(base_url):
    Client(Connection(base_url, "twelve-chars"))
    with pytest.raises(
        InvalidConnection, match="access_token has fewer than 12 characters"
    ) as refused:
        Client(Connection(base_url, "eleven-long"))
    assert "eleven-long" not in str(refused.value)


def test_a_connection_does_not_show_its_token():
    assert TOKEN not in repr(Connection("https://dns.example.com", TOKEN))
