# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values of each type: spellings that are one value, values that are none, and the form in which they are sent."""

from __future__ import annotations

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.plain_values import PLAIN_TYPES
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    InvalidRdata,
    as_read,
    canonical,
    is_opaque,
    is_quoted,
    is_text,
    is_unknown,
    lacks_preference,
    record_type,
    same,
    type_as_read,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sending import sending_form

ZONE = "example.com."
SHA1, SHA256 = "ab" * 20, "ab" * 32
KEY = "mQENBFo0d0ABCAC7"
HIT = "200100107b1a74df365639cc39f1d578"


@pytest.mark.parametrize(
    ("text", "mnemonic"),
    [
        ("A", "A"),
        ("aaaa", "AAAA"),
        (" Mx ", "MX"),
        ("ALIAS", "ALIAS"),
        ("X-NEW-1", "X-NEW-1"),
        ("TYPE65534", "TYPE65534"),
        pytest.param("TYPE1", "A", id="rfc3597-A"),
        pytest.param("type16", "TXT", id="rfc3597-TXT"),
    ],
)
def test_record_type(text: str, mnemonic: str) -> None:
    assert record_type(text) == mnemonic


@pytest.mark.parametrize(
    ("shown", "read"),
    [
        ("A", "A"),
        ("ALIAS", "ALIAS"),
        ("TYPE65", "HTTPS"),
        ("TYPE065", "HTTPS"),
        ("TYPE6", "SOA"),
        ("TYPE65534", "TYPE65534"),
        pytest.param("TYPE255", "TYPE255", id="no-type-of-data"),
        ("TYPE65536", "TYPE65536"),
        ("TYPE", "TYPE"),
        ("TYPED", "TYPED"),
        ("TYPE \u0661", "TYPE \u0661"),
        ("X NEW", "X NEW"),
    ],
)
def test_a_type_that_the_service_shows(shown: str, read: str) -> None:
    assert type_as_read(shown) == read


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *[
            (text, "mnemonic such as A, MX or TXT")
            for text in ("", " ", "1A", "A B", "A.B", "A\nB", "*", "@", "Ä", "-A")
        ],
        *[
            (text, "not a type that a zone can hold")
            for text in (
                "ANY",
                "any",
                "OPT",
                "AXFR",
                "IXFR",
                "TSIG",
                "TKEY",
                "MAILA",
                "MAILB",
                "TYPE255",
                "TYPE41",
                "NONE",
            )
        ],
    ],
)
def test_record_type_refused(text: str, reason: str) -> None:
    with pytest.raises(InvalidRdata, match=reason):
        record_type(text)


# Each row: a type, the canonical text of a value, and other spellings of the same value.
SPELLINGS = [
    ("A", "192.0.2.1", [" 192.0.2.1 ", "192.0.2.1\t", r"\# 4 c0000201"]),
    (
        "AAAA",
        "2001:db8::1",
        [
            "2001:DB8:0::1",
            "2001:db8:0:0:0:0:0:1",
            "2001:0db8:0000:0000:0000:0000:0000:0001",
            r"\# 16 20010db8000000000000000000000001",
        ],
    ),
    ("AAAA", "::ffff:192.0.2.1", ["::FFFF:C000:0201", "0:0:0:0:0:ffff:192.0.2.1"]),
    *[
        (
            rdtype,
            "target.example.net.",
            [" target.example.net. ", "\ttarget.example.net.", "target.example.net", "Target.example.NET"],
        )
        for rdtype in ("ALIAS", "ANAME")
    ],
    ("ALIAS", "lb.example.com.", ["lb", "LB.example.com"]),
    ("ALIAS", "xn--pfel-koa.example.net.", ["\u00e4pfel.example.net"]),
    ("ALIAS", "Some thing else", []),
    ("ALIAS", r"\# 1 00", []),
    ("X-OTHER", "Target.example.net", []),
    (
        "CAA",
        '0 issue "ca.example.net"',
        ["0 issue ca.example.net", "0 ISSUE ca.example.net", '000  Issue  "ca.example.net"'],
    ),
    ("CAA", '0 issue ";"', ['0 ISSUE ";"']),
    ("CNAME", "target.example.net.", ["target.example.net", "Target.Example.NET.", " target.example.net "]),
    (
        "DS",
        f"12345 13 2 {SHA256}",
        [
            f"12345 13 2 {SHA256.upper()}",
            f"12345 ECDSAP256SHA256 2 {SHA256}",
            f"12345 13 2 {SHA256[:20]} {SHA256[20:]}",
        ],
    ),
    (
        "HTTPS",
        '1 . alpn="h2,h3" port="8443"',
        ["1 . alpn=h2,h3 port=8443", '1 . port="8443" alpn="h2,h3"', "01 . port=8443 alpn=h2,h3"],
    ),
    (
        "HIP",
        f"2 {HIT} AwEAAbdx rvs.example.net. rvs2.example.com.",
        [f"02 {HIT.upper()} AwEAAbdx Rvs.example.NET rvs2", f"2 {HIT} AwEAAbdx rvs.example.net. RVS2.example.com"],
    ),
    ("HTTPS", '1 . ipv6hint="2001:db8::1"', ["1 . ipv6hint=2001:DB8:0::1"]),
    (
        "LOC",
        "52 22 23.000 N 4 53 32.000 E -2.00m",
        ["52 22 23 N 4 53 32 E -2", "52 22 23 N 4 53 32 E -2m", "52 22 23.000 N 4 53 32.000 E -2.00m 1m 10000m 10m"],
    ),
    (
        "MX",
        "10 mail.example.net.",
        [
            "10 mail.example.net",
            "10  Mail.Example.NET.",
            "010 mail.example.net.",
            " 10 mail.example.net. ",
            "10\tmail.example.net.",
        ],
    ),
    ("MX", "0 .", ["00 .", " 0  . "]),
    (
        "NAPTR",
        '100 10 "u" "e2u+sip" "!^.*$!sip:info@example.com!" .',
        ["100 10 U E2U+SIP !^.*$!sip:info@example.com! .", '0100 010 "u" "E2U+sip" "!^.*$!sip:info@example.com!" .'],
    ),
    (
        "NAPTR",
        '1 1 "s" "sip+d2u" "" _sip._udp.example.net.',
        ['1 1 s sip+D2U "" _sip._udp.example.net.', '1 1 S SIP+D2U "" _SIP._udp.example.net'],
    ),
    ("OPENPGPKEY", KEY, [f"{KEY[:8]} {KEY[8:]}", f"  {KEY}"]),
    ("PTR", "1.example.com.", ["1", "1.Example.com"]),
    (
        "SMIMEA",
        f"3 1 1 {SHA256}",
        [f"3 1 1 {SHA256.upper()}", f"03 01 01 {SHA256}", f"3 1 1 {SHA256[:9]} {SHA256[9:]}"],
    ),
    (
        "SRV",
        "10 5 5060 sip.example.net.",
        ["10 5 5060 sip.example.net", "010 05 05060 Sip.Example.Net.", "10\t5\t5060\tsip.example.net."],
    ),
    ("SSHFP", f"4 2 {SHA256}", [f"4 2 {SHA256.upper()}", f"04 02 {SHA256}", f"4 2 {SHA256[:8]} {SHA256[8:]}"]),
    ("SVCB", '1 svc.example.net. port="8443"', ["1 Svc.Example.NET port=8443", '01 svc.example.net. port="8443"']),
    ("TLSA", f"3 1 1 {SHA256}", [f"3 1 1 {SHA256.upper()}", f"03 01 01 {SHA256}", f"3 1 1 {SHA256[:9]} {SHA256[9:]}"]),
    ("TXT", '"v=spf1 -all"', ["v=spf1 -all", '"v=spf1" " -all"', '"v=spf1 " "-all"', r'"v\061spf1 -all"']),
    ("TYPE65534", r"\# 2 abcd", [r"\# 2 ABCD", r"\#  2  ab cd"]),
    ("URI", '10 1 "https://example.net/"', ["10 1 https://example.net/", '010 01 "https://example.net/"']),
]


@pytest.mark.parametrize(
    ("rdtype", "value", "text"),
    [
        pytest.param(rdtype, value, text, id=f"{rdtype}-{text.strip()[:40]}")
        for rdtype, value, texts in SPELLINGS
        for text in (value, *texts)
    ],
)
def test_one_value_has_one_canonical_text(rdtype: str, value: str, text: str) -> None:
    assert canonical(rdtype, text, ZONE) == value
    assert as_read(rdtype, text, ZONE) == value


@pytest.mark.parametrize(
    ("rdtype", "one", "other"),
    [
        ("A", "192.0.2.1", "192.0.2.2"),
        ("AAAA", "2001:db8::1", "2001:db8::1:0"),
        ("ALIAS", "target.example.net.", "target.example.com."),
        ("ALIAS", "two words", "Two words"),
        ("X-OTHER", "target.example.net.", "Target.example.net."),
        ("CAA", '0 issue "ca.example.net"', '0 issuewild "ca.example.net"'),
        ("CAA", '0 issue "ca.example.net"', '0 issue "CA.example.net"'),
        ("MX", "10 mail.example.net.", "20 mail.example.net."),
        ("NAPTR", '1 1 "u" "" "!a!b!" .', '1 1 "u" "" "!A!b!" .'),
        ("OPENPGPKEY", "AAAA", "aaaa"),
        ("SRV", "10 5 5060 sip.example.net.", "10 5 5061 sip.example.net."),
        ("TXT", "v=spf1 -all", "V=spf1 -all"),
        ("TXT", "a b", "a  b"),
        ("TXT", "a", " a"),
        ("TXT", "a", "a "),
        ("TXT", r'"\195\188"', r"\195\188"),
        ("URI", '10 1 "https://example.net/"', '10 1 "https://example.net/A"'),
    ],
)
def test_different_values_stay_different(rdtype: str, one: str, other: str) -> None:
    assert canonical(rdtype, one, ZONE) != canonical(rdtype, other, ZONE)


BLANK_BEFORE = "comes after a space: separate items only with commas, as in alpn=h2,h3"
# Each row: a type, a text, and words of the reason. What a reason of dnspython says changes with its version.
REFUSED = [
    ("A", "192.0.2.256", "256 is above 255; write an IPv4 address, as in '192.0.2.1'"),
    ("A", "192.0.2", "it has 3 numbers, not 4; write an IPv4"),
    ("A", "192.0.2.01", "it has a number that begins with 0; write"),
    ("A", "2001:db8::1", "it is an IPv6 address, whose type is AAAA"),
    ("A", "192.0.2.1 192.0.2.2", "192.0.2.2 is too much; write"),
    ("A", "192.0.2.1, 192.0.2.2", "it has a comma, but several values must be a list; write an IPv4 address"),
    ("A", "192.0.2.0/24", "it is a network and not one address"),
    ("A", "192.0.2.1:443", "it has a port"),
    ("A", "http://192.0.2.1/", "it is a URL"),
    ("A", "www.example.com.", "it is a name, whose type would be CNAME"),
    ("A", '"192.0.2.1"', "it is in quotes"),
    ("A", "192.0.2.1 (", "a parenthesis is not closed"),
    ("A", "1" * 5000, "a part of it is not an address"),
    ("AAAA", "192.0.2.1", "it is an IPv4 address, whose type is A"),
    ("AAAA", "2001:db8:::1", "it has '::' more than once; write an IPv6 address, as in '2001:db8::1'"),
    ("AAAA", "2001:db8::1::2", "it has '::' more than once"),
    ("AAAA", "2001:db8:1", "it has 3 groups and no '::' for the others; write"),
    ("AAAA", "1:2:3:4:5:6:7:8:9", "it has 9 groups and not 8; write"),
    ("AAAA", "2001:db8::12345", "12345 is not one to four hexadecimal digits; write"),
    ("AAAA", "2001:DB8::G", "G is not one to four hexadecimal digits; write"),
    ("AAAA", "2001:db8::1:", "it has a single ':' at one end; write"),
    ("AAAA", "1:2:3:4::5:6:7:8", "it has 8 groups, which leave nothing for '::' to stand for; write"),
    ("AAAA", "::" + "1" * 5000, "1... is not one to four"),
    ("A", "192.0.2.1\u200b", "its character 10 is U+200B, ZERO WIDTH SPACE; write an IPv4 address"),
    ("A", "\uff11.0.2.1", "its character 1 is U+FF11, FULLWIDTH DIGIT ONE; write an IPv4 address"),
    ("A", "Parked", "Parked is what GoDaddy exports instead of an address of its own; write an IPv4 address"),
    ("A", "300 IN A 192.0.2.1", "it is a whole line of a zone file, but only the value belongs here; write an IPv4"),
    ("A", "192.0.2.1 // main", "a comment begins with ;, not with //"),
    ("AAAA", "fe80::1%eth0", "it has a zone index"),
    ("AFSDB", "afs.example.net.", "which is not a number; write subtype and"),
    ("ALIAS", "   ", "empty"),
    ("APL", "x", "it cannot be read"),
    ("CAA", "issue ca.example.net", "which is not a number; write flags, tag and value,"),
    ("CAA", '0 iss-ue "ca.example.net"', "its tag has more than letters and digits"),
    ("CAA", '0 issue "ca.example.net', "double quotes are not closed"),
    ("CNAME", "two words", "words is too much; write one host name, as in 'www.example.com.'"),
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
    ("DNSKEY", "257 3 13 AAA", "its data is not base64; write flags, protocol, algorithm and key in base64"),
    ("DS", f"65536 13 2 {SHA256}", "65536 is not a number from 0 to 65535"),
    (
        "DS",
        "12345 13 2 abcd",
        "its digest does not have the length for its digest type; write key tag, algorithm, digest type and digest",
    ),
    ("DS", "12345 13 2 not-hex", "its data is not pairs of hexadecimal digits"),
    ("DS", f"12345 300 2 {SHA256}", "its algorithm is not a number from 0 to 255"),
    ("HTTPS", "1 . nonsense=1", "it has an unknown parameter; write priority, target and parameters, as in"),
    ("HTTPS", "1 . port=99999", "its port is not a number from 0 to 65535"),
    ("HTTPS", "1 . ipv4hint=2001:db8::1", "ipv4hint takes IPv4 addresses, but 2001:db8::1 is not one; write priority"),
    ("SVCB", '1 . ipv6hint="::1,192.0.2.1"', "ipv6hint takes IPv6 addresses, but 192.0.2.1 is not one; write priority"),
    ("HTTPS", "1 . alpn=h2 ech=AEX+DQBBAAAAA", "ech takes base64, but AEX+DQBBAAAAA is not one; write priority"),
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
    ("HTTPS", "1 . alpn=h2 alpn=h3", "a parameter is there twice"),
    ("HTTPS", "0 . alpn=h2", "with priority 0, no parameters are allowed"),
    ("LOC", "91 0 0 N 4 53 32 E 0m", "range"),
    ("LOC", "somewhere", "a number is missing; write degrees, minutes, seconds and N or S, the same with E or W, and"),
    ("LOC", "52.5200 13.4050", "it is in decimal degrees; write degrees, minutes, seconds and N or S"),
    ("LOC", "52.52 N 13.4 E 34m", "it is in decimal degrees; write degrees, minutes"),
    ("MX", "65536 mail.example.net.", "65536 is not a number from 0 to 65535; write preference and host, as in '10"),
    ("MX", "-1 mail.example.net.", "its preference is below 0"),
    ("MX", "10 20 mail.example.net.", "mail.example.net. is too much"),
    ("MX", "mail.example.net. 10", "which is not a number; write preference"),
    ("HINFO", '"PC"', 'it ends too early; write CPU and operating system, as in \'"INTEL-386" "UNIX"\''),
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
    ("SSHFP", "4 2 8D:02:53:6C", "it has colons: leave them out; write algorithm, fingerprint type"),
    ("SSHFP", "1 1 MD5:8d:02:53:6c", "it looks like the output of ssh-keygen -l: use ssh-keygen -r instead"),
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
    ("rdtype", "text", "words"), [pytest.param(*row, id=f"{row[0]}-{row[1][:40]!a}") for row in REFUSED]
)
def test_invalid_values_are_refused_with_a_reason(rdtype: str, text: str, words: str) -> None:
    with pytest.raises(InvalidRdata) as refusal:
        canonical(rdtype, text, ZONE)
    assert words in str(refusal.value)
    assert str(refusal.value).strip()
    assert not str(refusal.value).endswith("."), "it is a clause in a sentence of the caller's"
    assert as_read(rdtype, text, ZONE) == text


CHECKED_TYPES = [
    "A", "AAAA", "ALIAS", "CAA", "CNAME", "DNAME", "DS", "HTTPS", "LOC", "MX", "NAPTR", "NS", "OPENPGPKEY", "PTR",
    "SMIMEA", "SRV", "SSHFP", "SVCB", "TLSA", "TXT", "URI",
]  # fmt: skip


@pytest.mark.parametrize("rdtype", [rdtype for rdtype in CHECKED_TYPES if rdtype != "TXT"])
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("", "the value is empty", id="empty"),
        pytest.param(" \t ", "the value is empty", id="blank"),
        pytest.param("a\nb", "a value is one line", id="newline"),
        pytest.param("a\r", "a value is one line", id="carriage-return"),
        pytest.param("a\x00b", "a value is one line", id="nul"),
    ],
)
def test_no_value_of_any_type(rdtype: str, text: str, reason: str) -> None:
    with pytest.raises(InvalidRdata, match=reason):
        canonical(rdtype, text, ZONE)


QUOTE, LEAVE_OUT = "put the text in quotes", "leave it out, with what follows it"
AN_ITEM_EACH = "several values are items of a list"


@pytest.mark.parametrize(
    ("rdtype", "text", "told"),
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
def test_a_comment_is_refused(rdtype: str, text: str, told: str) -> None:
    with pytest.raises(InvalidRdata, match=f"starts a comment; {told}"):
        canonical(rdtype, text, ZONE)


@pytest.mark.parametrize(
    ("host", "absolute"),
    [
        pytest.param("target.example.net.", "target.example.net.", id="absolute"),
        pytest.param("target.example.net", "target.example.net.", id="dotted"),
        pytest.param("www", "www.example.com.", id="single-label"),
        pytest.param("@", "example.com.", id="apex"),
        pytest.param(".", ".", id="root"),
        pytest.param("*", "*.example.com.", id="wildcard"),
        pytest.param("_sip._udp.example.net", "_sip._udp.example.net.", id="underscore"),
        pytest.param("Äpfel.example.net", "xn--pfel-koa.example.net.", id="idn"),
        pytest.param("XN--PFEL-KOA.example.net", "xn--pfel-koa.example.net.", id="a-label-capitals"),
        pytest.param("_dmarc.äpfel.example.net.", "_dmarc.xn--pfel-koa.example.net.", id="underscore-beside-idn"),
        pytest.param(r"a\.b", r"a\.b.example.com.", id="escaped-dot-is-no-dot"),
    ],
)
@pytest.mark.parametrize(
    ("rdtype", "before", "after"),
    [
        ("CNAME", "", ""),
        ("DNAME", "", ""),
        ("HTTPS", "1 ", ' port="443"'),
        ("KX", "10 ", ""),
        ("MX", "10 ", ""),
        ("MX", "", ""),
        ("NAPTR", '1 1 "" "" "" ', ""),
        ("NS", "", ""),
        ("PTR", "", ""),
        ("SRV", "10 5 5060 ", ""),
        ("SVCB", "0 ", ""),
    ],
)
def test_hosts(rdtype: str, before: str, after: str, host: str, absolute: str) -> None:
    assert canonical(rdtype, f"{before}{host}{after}", ZONE) == f"{before}{absolute}{after}"


@pytest.mark.parametrize("address", ["192.0.2.1", "192.0.2.1.", "2001:db8::1", "::1", "3221225985."])
@pytest.mark.parametrize(
    ("rdtype", "before"),
    [("CNAME", ""), ("NS", ""), ("MX", "10 "), ("MX", ""), ("SRV", "10 5 5060 ")],
)
def test_an_address_is_no_host(rdtype: str, before: str, address: str) -> None:
    with pytest.raises(InvalidRdata) as refusal:
        canonical(rdtype, before + address, ZONE)
    shown = address.rstrip(".") + (f".{ZONE[:-1]}" if ":" in address else "")
    assert str(refusal.value) == f"{shown} is not a host name; it looks like an address"


@pytest.mark.parametrize(
    ("text", "priority", "value"),
    [
        pytest.param("mail.example.net", 10, "10 mail.example.net.", id="priority"),
        pytest.param("10 mail.example.net", None, "10 mail.example.net.", id="preference-in-content"),
        pytest.param("10 mail.example.net", 20, "10 mail.example.net.", id="content-before-priority"),
        pytest.param(".", 0, "0 .", id="null-mx"),
        pytest.param("mail.example.net", 65535, "65535 mail.example.net.", id="highest"),
        pytest.param("Mail.Example.Net", None, "mail.example.net.", id="neither"),
    ],
)
def test_mx_preference(text: str, priority: int | None, value: str) -> None:
    assert canonical("MX", text, ZONE, priority) == value


def test_mx_preference_without_host_is_refused_whatever_priority_says() -> None:
    with pytest.raises(InvalidRdata):
        canonical("MX", "10", ZONE, 20)


@pytest.mark.parametrize(
    ("rdtype", "one", "other", "are_same"),
    [
        pytest.param("MX", "10 mail.example.com.", "20 mail.example.com.", False, id="other-preference"),
        pytest.param("MX", "mail.example.com.", "20 mail.example.com.", True, id="bare-host-matches-any-preference"),
        pytest.param(
            "MX", "20 mail.example.com.", "mail.example.com.", True, id="bare-host-matches-the-other-way-round"
        ),
        pytest.param("MX", "mail.example.com.", "20 backup.example.com.", False, id="bare-other-host"),
        pytest.param("MX", ".", "0 .", True, id="bare-null-mx"),
    ],
)
def test_same(rdtype: str, one: str, other: str, are_same: bool) -> None:
    assert same(rdtype, one, other) is are_same


@pytest.mark.parametrize(
    ("rdtype", "value", "lacks"),
    [
        ("MX", "mail.example.com.", True),
        ("MX", ".", True),
        ("MX", "10 mail.example.com.", False),
        ("CNAME", "www.example.com.", False),
    ],
)
def test_lacks_preference(rdtype: str, value: str, lacks: bool) -> None:
    assert lacks_preference(rdtype, value) is lacks


@pytest.mark.parametrize(
    ("rdtype", "text"), [("TXT", True), ("SPF", True), ("A", False), ("CAA", False), ("ALIAS", False)]
)
def test_is_text(rdtype: str, text: bool) -> None:
    assert is_text(rdtype) is text


@pytest.mark.parametrize(
    ("rdtype", "text", "unknown", "opaque"),
    [
        ("A", "192.0.2.1", False, False),
        ("ALIAS", "target.example.net.", True, True),
        ("ALIAS", r"\# 1 00", True, True),
        pytest.param("MD", "mail.example.net.", False, True, id="known-by-name-alone"),
        pytest.param("MD", r"\# 1 00", False, False, id="known-by-name-alone-in-generic-form"),
        pytest.param("TYPE65534", r"\# 1 00", False, False, id="rfc3597"),
        pytest.param("TYPE65534", "text", False, False, id="rfc3597-wrong"),
    ],
)
def test_what_dnspython_does_not_know(rdtype: str, text: str, unknown: bool, opaque: bool) -> None:
    assert is_unknown(rdtype) is unknown
    assert is_opaque(rdtype, text) is opaque


# Each row: what a person or the service writes; the canonical text; what is sent plain; the name of the case.
TEXTS = [
    ("hello", '"hello"', "hello", "word"),
    ("v=spf1 -all", '"v=spf1 -all"', "v=spf1 -all", "plain"),
    ('"v=spf1 -all"', '"v=spf1 -all"', "v=spf1 -all", "quoted"),
    ('"v=spf1" " -all"', '"v=spf1 -all"', "v=spf1 -all", "chunks"),
    ('"v=spf1""-all"', '"v=spf1-all"', "v=spf1-all", "chunks-without-space"),
    ('"a"\t"b"', '"ab"', "ab", "chunks-with-tab"),
    ("k=v; p=q", '"k=v; p=q"', "k=v; p=q", "semicolon-plain"),
    ('"k=v; p=q"', '"k=v; p=q"', "k=v; p=q", "semicolon-quoted"),
    (r'"k=v\; p=q"', '"k=v; p=q"', "k=v; p=q", "semicolon-escaped"),
    ('"a"; b="c"', r'"\"a\"; b=\"c\""', r'"\"a\"; b=\"c\""', "comment-would-lose-half"),
    ('"k"; "p"', r'"\"k\"; \"p\""', r'"\"k\"; \"p\""', "comment-would-lose-a-chunk"),
    ('"a" "b" ; "c"', r'"\"a\" \"b\" ; \"c\""', r'"\"a\" \"b\" ; \"c\""', "comment-after-chunks"),
    ('"a" ("b" "c")', r'"\"a\" (\"b\" \"c\")"', '"a" ("b" "c")', "parentheses-outside-quotes"),
    ('("a" "b")', r'"(\"a\" \"b\")"', '("a" "b")', "parentheses-around"),
    ("(a)", '"(a)"', "(a)", "parentheses"),
    ('say "hi"', r'"say \"hi\""', 'say "hi"', "quotes-inside-plain"),
    (r'"say \"hi\" now"', r'"say \"hi\" now"', 'say "hi" now', "quotes-inside-quoted"),
    (r'"\"hi\""', r'"\"hi\""', r'"\"hi\""', "quotes-around-quoted"),
    ('"a"b"', r'"\"a\"b\""', r'"\"a\"b\""', "quote-too-many"),
    ('"', r'"\""', r'"\""', "one-quote"),
    ('"a', r'"\"a"', '"a', "quote-at-start"),
    ('a"', r'"a\""', 'a"', "quote-at-end"),
    (r"a\b", r'"a\\b"', r"a\b", "backslash-plain"),
    (r'"a\\b"', r'"a\\b"', r"a\b", "backslash-quoted"),
    ('"\\"', r'"\"\\\""', r'"\"\\\""', "escaped-end-quote"),
    (r'"\065"', '"A"', "A", "decimal-escape"),
    (r"\065", r'"\\065"', r"\065", "decimal-escape-plain-is-literal"),
    (r'"\256"', r'"\"\\256\""', r'"\"\\256\""', "escape-above-255-is-literal"),
    ("ü", r'"\195\188"', "ü", "non-ascii-plain"),
    ('"ü"', r'"\195\188"', "ü", "non-ascii-quoted"),
    (r'"\195\188"', r'"\195\188"', "ü", "non-ascii-escaped"),
    ("日本", r'"\230\151\165\230\156\172"', "日本", "non-ascii-three-bytes"),
    (r'"\255"', r'"\255"', r'"\255"', "not-utf8"),
    (r'"a\000b"', r'"a\000b"', r'"a\000b"', "nul"),
    ("a\tb", r'"a\009b"', r'"a\009b"', "tab"),
    ("a\nb", r'"a\010b"', r'"a\010b"', "newline"),
    ('"a\nb"', r'"a\010b"', r'"a\010b"', "newline-quoted"),
    ('"a\\\nb"', r'"a\010b"', r'"a\010b"', "newline-escaped"),
    ('"a"\n"b"', r'"\"a\"\010\"b\""', r'"\"a\"\010\"b\""', "newline-between-chunks-is-literal"),
    ("\u202eabc", r'"\226\128\174abc"', r'"\226\128\174abc"', "bidirectional-mark"),
    (" a ", '" a "', '" a "', "white-space-around"),
    ('" a"', '" a"', '" a"', "white-space-at-start-quoted"),
    ("  ", '"  "', '"  "', "white-space-alone"),
    ('""', '""', '""', "empty-quoted"),
    ('"" ""', '""', '""', "empty-chunks"),
    ("x" * 255, f'"{"x" * 255}"', "x" * 255, "255-bytes"),
    ("x" * 256, f'"{"x" * 255}" "x"', "x" * 256, "256-bytes"),
    (f'"{"x" * 256}"', f'"{"x" * 255}" "x"', "x" * 256, "256-bytes-in-one-chunk"),
    (f'"{"x" * 100}" "{"x" * 156}"', f'"{"x" * 255}" "x"', "x" * 256, "256-bytes-in-other-chunks"),
    ("x" * 510, f'"{"x" * 255}" "{"x" * 255}"', "x" * 510, "510-bytes"),
    ("x" * 254 + "ü", f'"{"x" * 254}' + r'\195" "\188"', "x" * 254 + "ü", "character-across-chunks"),
]


@pytest.mark.parametrize(("text", "value", "plain"), [pytest.param(*row[:3], id=row[3]) for row in TEXTS])
@pytest.mark.parametrize("rdtype", ["TXT", "SPF"])
def test_texts(rdtype: str, text: str, value: str, plain: str) -> None:
    assert canonical(rdtype, text, ZONE) == value
    assert as_read(rdtype, text, ZONE) == value
    assert sending_form(rdtype, value, quoted=True) == (value, None)
    assert sending_form(rdtype, value, quoted=False) == (plain, None)
    assert as_read(rdtype, plain, ZONE) == as_read(rdtype, value, ZONE) == value


def test_the_longest_text_is_taken_whole() -> None:
    text = "x" * 65279  # and 256 length bytes
    value = canonical("TXT", text, ZONE)
    assert sending_form("TXT", value, quoted=False) == (text, None)
    assert value.count('"') == 2 * 256


def test_no_text_is_refused() -> None:
    with pytest.raises(InvalidRdata, match="the value is empty"):
        canonical("TXT", "", ZONE)


@pytest.mark.parametrize(("rdtype", "value"), [("TXT", '""'), ("APL", r"\# 0")])
def test_a_value_that_the_service_shows_as_nothing_is_the_one_with_nothing_in_it(rdtype: str, value: str) -> None:
    assert as_read(rdtype, "", ZONE) == canonical(rdtype, value, ZONE)


@pytest.mark.parametrize("text", [r'"\²²²"', r'"a" "\²²²"'])
def test_an_escape_of_digits_that_are_not_ascii_is_no_traceback(text: str) -> None:
    value = canonical("TXT", text, ZONE)
    assert canonical("TXT", value, ZONE) == value


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('"a"', True),
        ('"a" "b"', True),
        ('""', True),
        ('"a; b"', True),
        ("a", False),
        ("", False),
        ('"', False),
        ('"a', False),
        ('"a"; b="c"', False),
        ('"a"\n"b"', False),
        ('"a\\"', False),
    ],
)
def test_is_quoted(text: str, quoted: bool) -> None:
    assert is_quoted(text) is quoted


@pytest.mark.parametrize(
    ("rdtype", "value", "content", "priority"),
    [
        ("A", "192.0.2.1", "192.0.2.1", None),
        ("CNAME", "target.example.net.", "target.example.net.", None),
        ("MX", "10 mail.example.net.", "mail.example.net.", 10),
        ("MX", "0 .", ".", 0),
        ("SRV", "10 5 5060 sip.example.net.", "10 5 5060 sip.example.net.", None),
        ("CAA", '0 issue "ca.example.net"', '0 issue "ca.example.net"', None),
        ("ALIAS", "target.example.net.", "target.example.net.", None),
        pytest.param("MX", "mail.example.net.", "mail.example.net.", 0, id="MX-preference-never-told"),
    ],
)
@pytest.mark.parametrize("quoted", [False, True])
def test_sending_form(rdtype: str, value: str, content: str, priority: int | None, quoted: bool) -> None:
    assert sending_form(rdtype, value, quoted=quoted) == (content, priority)


@pytest.mark.parametrize(
    ("rdtype", "text"),
    [
        ("A", "not an address"),
        ("CNAME", "192.0.2.1"),
        ("CNAME", r"a\999.example.net."),
        ("LOC", "somewhere"),
        ("NONSENSE", "any thing"),
        ("TXT", "\ud800"),
        ("TLSA", ""),
    ],
)
def test_what_the_service_shows_and_nobody_understands_stays(rdtype: str, text: str) -> None:
    assert as_read(rdtype, text, ZONE) == text


@pytest.mark.parametrize(
    ("rdtype", "value", "sent"),
    [
        ("HTTPS", '1 . alpn="h2,h3" port="443" ipv4hint="192.0.2.1"', "1 . alpn=h2,h3 port=443 ipv4hint=192.0.2.1"),
        ("HTTPS", r'1 . alpn="a\"b,h2"', r"1 . alpn=a\"b,h2"),
        ("HTTPS", r'1 . alpn="f\\\\oo\\,bar,h2"', r"1 . alpn=f\\\\oo\\,bar,h2"),  # RFC 9460, appendix D.2
        ("HTTPS", '1 . alpn="a;b"', '1 . alpn="a;b"'),
        ("HTTPS", '1 . alpn="a(b" key667="c alpn="', '1 . alpn="a(b" key667="c alpn="'),
        ("SVCB", '1 a.example. key65400="x y"', '1 a.example. key65400="x y"'),
        ("AAAA", "::ffff:192.0.2.1", "::ffff:c000:201"),
        ("AAAA", "2001:db8::1", "2001:db8::1"),
        ("CERT", "PKIX 1 RSASHA256 MxFc MxFc", "1 1 8 MxFcMxFc"),
        ("LOC", "52 22 23.000 N 4 53 32.000 E -2.00m", "52 22 23.000 N 4 53 32.000 E -2.00m 1.00m 10000.00m 10.00m"),
        ("LOC", "52 0 0.000 N 4 0 0.000 E 0.00m 2.00m 3.00m 4.00m", "52 0 0.000 N 4 0 0.000 E 0.00m 2.00m 3.00m 4.00m"),
        ("SVCB", '1 . alpn="h2" port="1" ipv6hint="::1"', "1 . alpn=h2 port=1 ipv6hint=::1"),
        ("SVCB", '1 . mandatory="alpn,port" alpn="h2" port="1"', "1 . mandatory=alpn,port alpn=h2 port=1"),
        ("TLSA", "3 0 0 3082 0122", "3 0 0 30820122"),
        ("SMIMEA", "3 0 0 3082 0122", "3 0 0 30820122"),
        ("DNSKEY", "257 3 13 AAAA BBBB", "257 3 13 AAAABBBB"),
        ("CDNSKEY", "257 3 13 AAAA BBBB", "257 3 13 AAAABBBB"),
        ("DHCID", "AAIBY2 AuCccg", "AAIBY2AuCccg"),
        *(
            (rdtype, f"1 13 4 {SHA1} {SHA1}abcd abcd abcd abcd", f"1 13 4 {SHA1}{SHA1}abcdabcdabcdabcd")
            for rdtype in ("CDS", "DS")
        ),
        ("SSHFP", f"4 2 {SHA1} {SHA256[:24]}", f"4 2 {SHA1}{SHA256[:24]}"),
        ("HIP", f"2 {HIT} AwEAAbdx rvs.example.net.", f"2 {HIT} AwEAAbdx rvs.example.net."),
        ("NAPTR", '100 10 "u" "E2U+sip" "!^.*$!sip:a@b!" .', '100 10 "u" "E2U+sip" "!^.*$!sip:a@b!" .'),
    ],
)
@pytest.mark.parametrize("quoted", [False, True], ids=["plain", "quoted"])
def test_values_are_sent_as_strict_parsers_take_them(rdtype: str, value: str, sent: str, quoted: bool) -> None:
    assert sending_form(rdtype, value, quoted=quoted) == (sent, None)
    assert as_read(rdtype, sent, "example.com.") == as_read(rdtype, value, "example.com.")


@pytest.mark.parametrize(
    ("rdtype", "value"),
    [("AAAA", "x.y"), ("AAAA", "1.2.3.4"), ("AAAA", f"::{'9' * 5000}.1.1.1"), ("CERT", "x"), ("MX", "٣ a.")],
)
def test_what_nobody_can_send_is_no_value(rdtype: str, value: str) -> None:
    with pytest.raises(InvalidRdata, match=r"is not a value of the type|is not a preference"):
        sending_form(rdtype, value, quoted=True)


def test_dnspython_knows_the_types_of_plain_values_by_these_names() -> None:
    assert {record_type(rdtype) for rdtype in PLAIN_TYPES} == PLAIN_TYPES
