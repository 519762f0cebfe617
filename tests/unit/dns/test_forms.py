# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Why a value cannot be used: the sentence for each wrong value."""

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    InvalidRdata,
    as_read,
    canonical,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_types import TYPES

ZONE = "example.com."
SHA256 = "ab" * 32

# Each row: a type, a text, and words of the reason. What a reason of dnspython says changes with its version.
REFUSED = [
    ("A", "192.0.2.256", "256 is above 255; write"),
    ("A", "192.0.2", "it has less than four numbers; write"),
    ("A", "192.O.2.l", "it is a name, whose type would be CNAME"),
    ("A", "192.0.2.01", "it has a number that begins with 0; write"),
    ("A", "2001:db8::1", "it is an IPv6 address, whose type is AAAA"),
    ("A", "192.0.2.1 192.0.2.2", "192.0.2.2 is unexpected: several values must be a list; write"),
    (
        "A",
        "192.0.2.1, 192.0.2.2",
        "it has a comma, but several values must be a list; write an IPv4 address",
    ),
    ("A", "192.0.2.0/24", "it is a network and not one address"),
    ("A", "192.0.2.1:443", "it has a port"),
    ("A", "http://192.0.2.1/", "it is a URL"),
    ("A", '"192.0.2.1"', "it is in quotes"),
    ("A", "192.0.2.1 (", "a parenthesis is not closed"),
    ("A", "1" * 5000, "it has less than four numbers"),
    ("AAAA", "192.0.2.1", "it is an IPv4 address, whose type is A"),
    (
        "AAAA",
        "2001:db8:::1",
        "a part of it is not an address; write",
    ),
    ("AAAA", "::" + "1" * 5000, "a part of it is not an address; write"),
    ("A", "192.0.2.1\u200b", "it has a character that is not ASCII, perhaps an invisible o"),
    (
        "A",
        "300 IN A 192.0.2.1",
        "it is a whole line of a zone file, but only the value belongs here; write an IPv4",
    ),
    ("A", "192.0.2.1 // main", "a comment begins with ;, not with //"),
    ("AAAA", "fe80::1%eth0", "it has a zone index"),
    ("APL", "x", "it cannot be read"),
    ("CAA", "issue ca.example.net", "a number is missing or misspelled; write"),
    ("CAA", '0 iss-ue "ca.example.net"', "; write flags"),
    ("CAA", '0 issue "ca.example.net', "double quotes are not closed"),
    ("CNAME", "two words", "words is unexpected; write one host name, as in 'www.example.com.'"),
    ("CNAME", '"a.example.net.', "it is in quotes; write"),
    ("CNAME", "a..b", "a name in it has an empty label"),
    ("CNAME", "a" * 64, "a label in it has more than 63 bytes; write"),
    ("CNAME", ".".join(["a" * 63] * 4), "more than 255 bytes"),
    (
        "CNAME",
        "web\u20131.example.net.",
        "a name in it cannot be written in A-labels (Codepoint U+2013",
    ),
    ("CNAME", r"\999.example.net.", r"\999 at character 1 is not an escape"),
    ("CNAME", "a\\", "double quotes are not closed, or it ends in a backslash"),
    (
        "DNSKEY",
        "257 3 13 AAA",
        "its data is not base64; write flags, protocol, algorithm and key in base64",
    ),
    ("DS", f"65536 13 2 {SHA256}", "65536 is out of range; write"),
    ("DS", "12345 13 2 not-hex", "its data is not pairs of hexadecimal digits"),
    (
        "HTTPS",
        "1 . nonsense=1",
        "; write priority",
    ),
    (
        "HTTPS",
        "1 . ipv4hint=2001:db8::1",
        "; write priority",
    ),
    (
        "HTTPS",
        "1 . alpn=h3;h2",
        "",
    ),
    ("HTTPS", "1 . alpn=h2, h3", "; write priority"),
    # dnspython before 2.8 does not say which.
    ("HTTPS", "1 . alpn:h2", "parameter"),
    ("HTTPS", "0 . alpn=h2", "; write priority"),
    ("LOC", "91 0 0 N 4 53 32 E 0m", "range"),
    (
        "LOC",
        "52.5200 13.4050",
        "it is in decimal degrees; write degrees, minutes, seconds and N or S",
    ),
    (
        "MX",
        "65536 mail.example.net.",
        "65536 is out of range; write",
    ),
    ("MX", "10 20 mail.example.net.", "mail.example.net. is unexpected"),
    (
        "HINFO",
        '"PC"',
        'it ends too early; write CPU and operating system, as in \'"INTEL-386" "UNIX"\'',
    ),
    (
        "NAPTR",
        r'100 10 "u" "E2U+sip" "!^.*$!sip:\1@a!" .',
        r"\1 at character 33 is not an escape, which is a backslash and three digits up to 255: write \\1",
    ),
    ("OPENPGPKEY", r"\# 0", "the value is empty"),
    (
        "SSHFP",
        "4 2 8D:02:53:6C",
        "it has colons: leave them out; write algorithm, fingerprint type",
    ),
    (
        "SSHFP",
        "4 2 SHA256:uNiVztksCsDhcc0u9e8BrQgR",
        "it looks like the output of ssh-keygen -l: use ssh-keygen -r instead",
    ),
    ("TXT", "\ud800", "UTF-8"),
    ("TXT", "x" * 65280, "a value has at most 65535 bytes"),
    ("TYPE65534", "abcd", ""),
    ("URI", '10 1 ""', "; write priority"),
]


@pytest.mark.parametrize(
    "rdtype, text, words",
    [pytest.param(*row, id=f"{row[0]}-{row[1][:40]!a}") for row in REFUSED],
)
def test_invalid_values_are_refused_with_a_reason(rdtype, text, words):
    with pytest.raises(InvalidRdata) as refusal:
        canonical(rdtype, text, ZONE)
    assert words in str(refusal.value)
    assert str(refusal.value).strip()
    assert not str(refusal.value).endswith("."), "it is a clause in a sentence of the caller's"
    assert as_read(rdtype, text, ZONE) == text


@pytest.mark.parametrize("rdtype", [rdtype for rdtype, known in TYPES.items() if not known.is_text])
@pytest.mark.parametrize(
    "text, reason",
    [
        ("", "the value is empty"),  # empty
        (" \t ", "the value is empty"),  # blank
        ("a\nb", "a value is one line"),  # newline
        ("a\r", "a value is one line"),  # carriage return
        ("a\x00b", "a value is one line"),  # nul
    ],
)
def test_no_value_of_any_type(rdtype, text, reason):
    with pytest.raises(InvalidRdata, match=reason):
        canonical(rdtype, text, ZONE)


@pytest.mark.parametrize(
    "rdtype, text",
    [
        ("A", "192.0.2.1 ; old"),
        ("MX", "10 mx1.example.net.; 20 mx2.example.net."),
        ("SSHFP", f"4 2 {SHA256}; 3 2 {SHA256}"),
    ],
)
def test_a_comment_is_refused(rdtype, text):
    with pytest.raises(InvalidRdata, match=r"^a ';' outside quotes starts a comment: put the text"):
        canonical(rdtype, text, ZONE)
