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
BLANK_BEFORE = "comes after a space: separate items only with commas, as in alpn=h2,h3"

# Each row: a type, a text, and words of the reason. What a reason of dnspython says changes with its version.
REFUSED = [
    ("A", "192.0.2.256", "256 is above 255; write an IPv4 address, as in '192.0.2.1'"),
    ("A", "192.0.2", "it has 3 numbers, not 4; write an IPv4"),
    ("A", "3221225985", "it has 1 number, not 4; write"),
    ("A", "192.O.2.l", "it has a letter (O, I or l) where a digit belongs; write"),
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
    ("A", "www.example.com.", "it is a name, whose type would be CNAME"),
    ("A", '"192.0.2.1"', "it is in quotes"),
    ("A", "192.0.2.1 (", "a parenthesis is not closed"),
    ("A", "1" * 5000, "a part of it is not an address"),
    ("AAAA", "192.0.2.1", "it is an IPv4 address, whose type is A"),
    (
        "AAAA",
        "2001:db8:::1",
        "it has '::' more than once; write an IPv6 address, as in '2001:db8::1'",
    ),
    ("AAAA", "2001:db8::1::2", "it has '::' more than once"),
    ("AAAA", "2001:db8:1", "it has 3 groups and no '::' for the others; write"),
    ("AAAA", "1:2:3:4:5:6:7:8:9", "it has 9 groups and not 8; write"),
    ("AAAA", "2001:db8::12345", "12345 is not one to four hexadecimal digits; write"),
    ("AAAA", "2001:DB8::G", "G is not one to four hexadecimal digits; write"),
    ("AAAA", "2001:db8::1:", "it has a single ':' at one end; write"),
    (
        "AAAA",
        "1:2:3:4::5:6:7:8",
        "it has 8 groups, which leave nothing for '::' to stand for; write",
    ),
    ("AAAA", "::" + "1" * 5000, "1... is not one to four"),
    ("A", "192.0.2.1\u200b", "its character 10 is U+200B, ZERO WIDTH SPACE; write an IPv4 address"),
    ("A", "\uff11.0.2.1", "its character 1 is U+FF11, FULLWIDTH DIGIT ONE; write an IPv4 address"),
    (
        "A",
        "300 IN A 192.0.2.1",
        "it is a whole line of a zone file, but only the value belongs here; write an IPv4",
    ),
    ("A", "192.0.2.1 // main", "a comment begins with ;, not with //"),
    ("AAAA", "fe80::1%eth0", "it has a zone index"),
    ("AFSDB", "afs.example.net.", "which is not a number; write subtype and"),
    ("ALIAS", "   ", "empty"),
    ("APL", "x", "it cannot be read"),
    ("CAA", "issue ca.example.net", "which is not a number; write flags, tag and value,"),
    ("CAA", '0 iss-ue "ca.example.net"', "its tag may have only letters and digits"),
    ("CAA", '0 issue "ca.example.net', "double quotes are not closed"),
    ("CNAME", "two words", "words is unexpected; write one host name, as in 'www.example.com.'"),
    ("CNAME", '"a.example.net.', "a double quote in it is never closed; write one host name"),
    ("CNAME", r'"a.example.net.\"', "a double quote in it is never closed"),
    ("CNAME", r'"a\".example.net."', "it is in quotes"),
    ("CNAME", "a..b", "a name in it has an empty label"),
    ("CNAME", "a" * 64, "a label of more than 63 bytes"),
    ("CNAME", ".".join(["a" * 63] * 4), "more than 255 bytes"),
    ("CNAME", "☃.example.net", "a name in it cannot be written in A-labels (Codepoint U+2603"),
    (
        "CNAME",
        "web\u20131.example.net.",
        "character 4 of 'web\u20131' is U+2013, a dash: write a hyphen (-); write",
    ),
    ("CNAME", r"\999.example.net.", r"\999 at character 1 is not an escape"),
    ("CNAME", "a\\", "double quotes are not closed, or it ends in a backslash"),
    (
        "DNSKEY",
        "257 3 13 AAA",
        "its data is not base64; write flags, protocol, algorithm and key in base64",
    ),
    ("DS", f"65536 13 2 {SHA256}", "65536 is not a number from 0 to 65535"),
    (
        "DS",
        "12345 13 2 abcd",
        "its digest does not have the length for its digest type; write key tag, algorithm, digest type and digest",
    ),
    ("DS", "12345 13 2 not-hex", "its data is not pairs of hexadecimal digits"),
    ("DS", f"12345 300 2 {SHA256}", "its algorithm is not a number from 0 to 255"),
    (
        "HTTPS",
        "1 . nonsense=1",
        "it has an unknown parameter; write priority, target and parameters, as in",
    ),
    ("HTTPS", "1 . port=99999", "its port is not a number from 0 to 65535"),
    (
        "HTTPS",
        "1 . ipv4hint=2001:db8::1",
        "ipv4hint takes IPv4 addresses, but 2001:db8::1 is not one; write priority",
    ),
    (
        "SVCB",
        '1 . ipv6hint="::1,192.0.2.1"',
        "ipv6hint takes IPv6 addresses, but 192.0.2.1 is not one; write priority",
    ),
    (
        "HTTPS",
        "1 . alpn=h2 ech=AEX+DQBBAAAAA",
        "ech takes base64, but AEX+DQBBAAAAA is not one; write priority",
    ),
    (
        "HTTPS",
        "1 . alpn=h3;h2",
        "a ';' outside quotes starts a comment; write commas between the items, as in alpn=h2,h3",
    ),
    ("HTTPS", "1 . alpn=h2, h3", f"h3 {BLANK_BEFORE}"),
    ("HTTPS", '1 . alpn="h2" "h3"', f'"h3" {BLANK_BEFORE}'),
    ("SVCB", "1 . alpn=h2 h3 port=443", f"h3 {BLANK_BEFORE}"),
    (
        "HTTPS",
        '1 . alpn="h3","h2"',
        "its items are quoted one by one: separate items only with commas; write",
    ),
    ("HTTPS", "1 . ipv4hint=192.0.2.1 192.0.2.2", f"192.0.2.2 {BLANK_BEFORE}"),
    ("HTTPS", "1 . port=1 alpn", "a parameter needs a value"),
    ("HTTPS", "1 . mandatory=ech alpn=h2", "its mandatory names a parameter that is missing"),
    ("HTTPS", "1 . alpn=", "a parameter has nothing after its ="),
    # dnspython before 2.8 does not say which.
    ("HTTPS", "1 . alpn:h2", "parameter"),
    ("HTTPS", "1 . alpn=h2 no-default-alpn=true", "no-default-alpn takes no value"),
    ("HTTPS", "1 . alpn", "a parameter needs a value"),
    ("HTTPS", "1 . alpn=h2 alpn=h3", "a parameter occurs twice"),
    ("HTTPS", "0 . alpn=h2", "with priority 0, no parameters are allowed"),
    ("LOC", "91 0 0 N 4 53 32 E 0m", "range"),
    (
        "LOC",
        "somewhere",
        "a number is missing; write degrees, minutes, seconds and N or S, the same with E or W, and",
    ),
    (
        "LOC",
        "52.5200 13.4050",
        "it is in decimal degrees; write degrees, minutes, seconds and N or S",
    ),
    ("LOC", "52.52 N 13.4 E 34m", "it is in decimal degrees; write degrees, minutes"),
    (
        "MX",
        "65536 mail.example.net.",
        "65536 is not a number from 0 to 65535; write preference and host, as in '10",
    ),
    ("MX", "-1 mail.example.net.", "its preference is below 0"),
    ("MX", "10 20 mail.example.net.", "mail.example.net. is unexpected"),
    ("MX", "mail.example.net. 10", "which is not a number; write preference"),
    (
        "HINFO",
        '"PC"',
        'it ends too early; write CPU and operating system, as in \'"INTEL-386" "UNIX"\'',
    ),
    (
        "RP",
        "admin.example.com.",
        "it ends too early; write mailbox with a dot for its @ and name of a TXT, as in",
    ),
    ("NAPTR", '70000 1 "" "" "" .', "70000 is not a number from 0 to 65535"),
    ("NAPTR", '10 u "E2U+sip" "" .', "u, which is not a number; write order,"),
    (
        "NAPTR",
        r'100 10 "u" "E2U+sip" "!^.*$!sip:\1@a!" .',
        r"\1 at character 33 is not an escape, which is a backslash and three digits up to 255: write \\1",
    ),
    ("OPENPGPKEY", "not base64!", "its data is not base64; write the key in base64"),
    ("OPENPGPKEY", r"\# 0", "the value is empty"),
    ("SMIMEA", f"256 1 1 {SHA256}", "256 is not a number from 0 to 255"),
    ("SRV", "10 5 sip.example.net.", "which is not a number; write priority,"),
    ("SRV", "10 5 70000 sip.example.net.", "70000 is not a number from 0 to 65535"),
    ("SSHFP", "4 2 not-hex", "its data is not pairs of hexadecimal digits"),
    (
        "SSHFP",
        "4 2 8D:02:53:6C",
        "it has colons: leave them out; write algorithm, fingerprint type",
    ),
    (
        "SSHFP",
        "1 1 MD5:8d:02:53:6c",
        "it looks like the output of ssh-keygen -l: use ssh-keygen -r instead",
    ),
    (
        "SSHFP",
        "4 2 SHA256:uNiVztksCsDhcc0u9e8BrQgR",
        "it looks like the output of ssh-keygen -l: use ssh-keygen -r instead",
    ),
    ("SVCB", "x svc.example.net.", "x, which is not a number; write"),
    ("TLSA", "3 1 1 not-hex", "its data is not pairs of hexadecimal digits"),
    ("SMIMEA", "3 1 1 8D:02:53:6C", "it has colons: leave them out; write usage, selector"),
    ("TXT", "\ud800", "UTF-8"),
    ("TXT", "x" * 65280, "a value has at most 65535 bytes"),
    ("TYPE65534", "abcd", r"a value of a numbered type begins with \# (RFC 3597"),
    ("TYPE65534", r"\# 3 abcd", "its data is not as long as it says"),
    ("URI", "10 x https://example.net/", "x, which is not a number; write priority, weight"),
    ("URI", '10 1 ""', "its URI is empty"),
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


QUOTE, LEAVE_OUT = "put the text in quotes", "leave it out, with what follows it"
AN_ITEM_EACH = "several values are items of a list"


@pytest.mark.parametrize(
    "rdtype, text, message",
    [
        ("A", "192.0.2.1 ; old", LEAVE_OUT),
        ("A", "192.0.2.1;old", LEAVE_OUT),
        ("CAA", "0 issue ca.example.net; account=1", QUOTE),
        ("CNAME", "v=DMARC1; p=none", LEAVE_OUT),
        ("MX", "10 mx1.example.net. ; 20", LEAVE_OUT),
        ("MX", "10 mx1.example.net.; 20 mx2.example.net.", AN_ITEM_EACH),
        ("A", "192.0.2.1; 192.0.2.2; 192.0.2.3", AN_ITEM_EACH),
        ("NS", "ns1.example.net;ns2.example.net", AN_ITEM_EACH),
        ("SSHFP", f"4 2 {SHA256}; 3 2 {SHA256}", AN_ITEM_EACH),
        ("URI", "10 1 https://example.net/;x", QUOTE),
    ],
)
def test_a_comment_is_refused(rdtype, text, message):
    with pytest.raises(InvalidRdata, match=f"starts a comment; {message}"):
        canonical(rdtype, text, ZONE)
