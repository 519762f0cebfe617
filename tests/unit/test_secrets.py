# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is redacted in a message, to the character: given a token and proxies. test_client.py has it over HTTP."""

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._secrets import passwords_in, redact

pytestmark = pytest.mark.usefixtures("home")

TOKEN = "the-token-of-x"


@pytest.mark.parametrize(
    "character, spellings",
    [
        ("x", ["x", "X", "%78", "%2578", r"\u0078", r"\\\\u0078", "&#120;", "&#x78;", "&#x0078;"]),
        ("-", ["-", r"\-", r"\\\\-", "%2d", "%2D", "%252d", "%2525252D", r"\u002d", r"\\\\u002D"]),
        ("~", ["&#126;", "&#000000126;", "&#x7e;", "&#x0000007E;"]),
        ("+", ["+", r"\+", "%2B", "&#43;"]),
        ("&", ["&", "&amp;", r"\u0026"]),
        ('"', ['"', r"\"", "&quot;", "&#34;"]),
        ("'", ["'", "&apos;", "&#39;", "&#x27;"]),
        (" ", [" ", "+", "%20"]),
        ("é", ["é", "É", "%C3%A9", "%25C3%25A9", r"\u00e9", "&#233;", "&#xE9;"]),
        ("\udcff", ["\udcff", "%FF", r"\udcff"]),
    ],
)
def test_a_character_is_hidden_however_it_is_spelled(character, spellings):
    for spelling in spellings:
        assert redact(f"No: ab{spelling}cd!", f"ab{character}cd") == "No: ********!", spelling


@pytest.mark.parametrize(
    "character, spelling",
    [
        ("x", r"\x"),
        ("x", "&#12;"),
        ("-", ""),
        ("-", r"\\\\\-"),
        ("-", "%2e"),
        ("+", " "),
        ("é", "e"),
    ],
)
def test_what_is_another_character_is_shown(character, spelling):
    assert redact(f"ab{spelling}cd", f"ab{character}cd") == f"ab{spelling}cd"


@pytest.mark.parametrize(
    "token, text, shown",
    [
        # Six octets and more, where they stand in what was coded: what its neighbours are coded with stays.
        ("abcdef", "YWJjZGVm", "********"),
        ("abcdef", "eHh4YWJjZGVmeHh4", "eHh4********eHh4"),
        ("abcdefg", "YWJjZGVmZw==", "********w=="),
        ("abcdefg", "eGFiY2RlZmc=", "eG********c="),
        ("abcdefg", "eHhhYmNkZWZn", "eHh********"),
        # Shorter ones are in many words.
        ("abcde", "YWJjZGU=", "YWJjZGU="),
        ("abcdef", "eGFiY2RlZg==", "eGFiY2RlZg=="),
        # Its two last digits, in texts, paths, URLs and JSON.
        ("??>>~~", "Pz8+Pn5+", "********"),
        ("??>>~~", "Pz8-Pn5-", "********"),
        ("??>>~~", "Pz8%2BPn5%2b", "********"),
        ("~~??~~", "fn4/P35+", "********"),
        ("~~??~~", r"fn4\\\\/P35+", "********"),
        ("pä\udcffx.", "cMOk/3gu", "********"),
    ],
)
def test_a_secret_is_hidden_in_base64(token, text, shown):
    assert redact(text, token) == shown


@pytest.mark.parametrize(
    "proxy, text, shown",
    [
        (
            "http://user:s3cr3t@proxy:8080",
            "user:s3cr3t, s3cr3t, user and proxy:8080",
            "********, ********, user and proxy:8080",
        ),
        ("http://user:s3cr3t@proxy:8080", "dXNlcjpzM2NyM3Q=", "********Q="),
        ("user:s3cr3t@proxy", "user:s3cr3t", "********"),
        ("http://proxy:8080/", "XXL, proxy and 8080/", "XXL, proxy and 8080/"),
        ("http://proxy", "XXL and proxy", "XXL and proxy"),
        # As it stands there, and as libraries decode it.
        ("http://user:s3%43r3t@proxy", "s3%43r3t and s3Cr3t", "******** and ********"),
        (
            "http://user:s3%FFr3t@proxy",
            "s3%FFr3t and s3\N{REPLACEMENT CHARACTER}r3t",
            "******** and ********",
        ),
        # No URL: what would be a port may be the end of a password.
        ("http://user:s3cr3t", "user and s3cr3t", "user and ********"),
        # A part that libraries take for a host or a port.
        (
            "http://user:one/two?abc#ab@proxy",
            "one, two, abc and ab",
            "********, ********, ******** and ab",
        ),
        ("http://user:one:two@six@proxy", "one, two and six", "********, ******** and ********"),
    ],
)
@pytest.mark.parametrize("variable", ["http_proxy", "HTTPS_PROXY", "all_proxy"])
def test_the_password_of_a_proxy_is_hidden(variable, proxy, text, shown, monkeypatch):
    monkeypatch.setenv(variable, proxy)
    assert redact(text, TOKEN) == shown
    assert redact(f"{TOKEN} {text}", TOKEN) == f"******** {shown}"


def test_what_passes_by_the_proxy_is_no_secret(monkeypatch):
    monkeypatch.setenv("no_proxy", "::1,example.com")
    monkeypatch.setenv("http_proxy", "http://user:s3cr3t@proxy")
    assert redact("s3cr3t of 1,example.com", TOKEN) == "******** of 1,example.com"


def test_a_secret_in_another_is_hidden_with_it(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://user:the-token@proxy")
    monkeypatch.setenv("https_proxy", f"http://user:{TOKEN}-and-more@proxy")
    assert redact(f"the-token, {TOKEN}, {TOKEN}-and-more", TOKEN) == "********, ********, ********"


@pytest.mark.parametrize(
    "url, passwords",
    [
        ("https://user:se%2Dcret@dns.example.com", {"se%2Dcret", "se-cret"}),
        ("https://user:a:b/c@d@dns.example.com", {"a:b/c@d"}),
        ("user:secret@dns.example.com", {"secret"}),
        ("https://user:abc@dns.example.com", {"abc"}),
        ("https://user:ab@dns.example.com", set()),
        ("https://dns.example.com:8443/api", set()),
        ("None", set()),
    ],
)
def test_the_password_of_a_url(url, passwords):
    assert passwords_in(url) == passwords
