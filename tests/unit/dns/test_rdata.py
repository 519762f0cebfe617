# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values of each type: spellings that are one value, values that are none, and the form in which they are sent."""

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.plain_values import PLAIN_TYPES
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    InvalidRdata,
    as_read,
    canonical,
    is_opaque,
    is_unknown,
    record_type,
    type_as_read,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sending import sending_form

ZONE = "example.com."
KEY = "mQENBFo0d0ABCAC7"
HIT = "200100107b1a74df365639cc39f1d578"
SHA1, SHA256 = "ab" * 20, "ab" * 32


@pytest.mark.parametrize(
    "text, mnemonic",
    [
        (" Mx ", "MX"),
        ("X-NEW-1", "X-NEW-1"),
        ("TYPE65534", "TYPE65534"),
        ("TYPE1", "A"),  # rfc3597 A
    ],
)
def test_record_type(text, mnemonic):
    assert record_type(text) == mnemonic


@pytest.mark.parametrize(
    "shown, read",
    [
        ("TYPE065", "HTTPS"),
        ("TYPE255", "TYPE255"),  # no type of data
        ("TYPE65536", "TYPE65536"),
        ("TYPE \u0661", "TYPE \u0661"),
        ("X NEW", "X NEW"),
    ],
)
def test_a_type_that_the_service_shows(shown, read):
    assert type_as_read(shown) == read


@pytest.mark.parametrize("text", ["", "1A", "A B", "A\nB", "*", "Ä", "-A"])
def test_what_is_no_type_is_refused(text):
    with pytest.raises(InvalidRdata, match="write one type, such as A, MX or TXT"):
        record_type(text)


@pytest.mark.parametrize("text", ["any", "OPT", "AXFR", "TYPE255", "NONE"])
def test_a_type_that_no_zone_holds_is_refused(text):
    with pytest.raises(InvalidRdata, match="not a type that a zone can hold"):
        record_type(text)


# Each row: a type, the canonical text of a value, and other spellings of the same value.
SPELLINGS = [
    ("A", "192.0.2.1", [" 192.0.2.1 ", r"\# 4 c0000201"]),
    (
        "AAAA",
        "2001:db8::1",
        [
            "2001:DB8:0::1",
            r"\# 16 20010db8000000000000000000000001",
        ],
    ),
    ("ALIAS", "lb.example.com.", [" lb ", "LB.example.com"]),
    ("ALIAS", "Some thing else", []),
    ("ALIAS", r"\# 1 00", []),
    ("X-OTHER", "Target.example.net", []),
    (
        "CAA",
        '0 issue "ca.example.net"',
        ["0 ISSUE ca.example.net", '000  Issue  "ca.example.net"'],
    ),
    (
        "HTTPS",
        '1 . alpn="h2,h3" port="8443"',
        [
            "1 . alpn=h2,h3 port=8443",
            '1 . port="8443" alpn="h2,h3"',
        ],
    ),
    (
        "HIP",
        f"2 {HIT} AwEAAbdx rvs.example.net. rvs2.example.com.",
        [
            f"02 {HIT.upper()} AwEAAbdx Rvs.example.NET rvs2",
        ],
    ),
    (
        "LOC",
        "52 22 23.000 N 4 53 32.000 E -2.00m",
        [
            "52 22 23 N 4 53 32 E -2m",
            "52 22 23.000 N 4 53 32.000 E -2.00m 1m 10000m 10m",
        ],
    ),
    (
        "MX",
        "10 mail.example.net.",
        [
            "10  Mail.Example.NET.",
            "010 mail.example.net.",
            "10\tmail.example.net.",
        ],
    ),
    (
        "NAPTR",
        '100 10 "u" "e2u+sip" "!^.*$!sip:info@example.com!" .',
        [
            "100 10 U E2U+SIP !^.*$!sip:info@example.com! .",
        ],
    ),
    (
        "OPENPGPKEY",
        KEY,
        [
            f"{KEY[:8]} {KEY[8:]}",
        ],
    ),
    (
        "SRV",
        "10 5 5060 sip.example.net.",
        [
            "010 05 05060 Sip.Example.Net.",
        ],
    ),
    (
        "TLSA",
        f"3 1 1 {SHA256}",
        [
            f"3 1 1 {SHA256.upper()}",
        ],
    ),
    (
        "TXT",
        '"v=spf1 -all"',
        ["v=spf1 -all", '"v=spf1 " "-all"', r'"v\061spf1 -all"'],
    ),
    ("TYPE65534", r"\# 2 abcd", [r"\# 2 ABCD", r"\#  2  ab cd"]),
]


@pytest.mark.parametrize(
    "rdtype, value, text",
    [
        pytest.param(rdtype, value, text, id=f"{rdtype}-{text.strip()[:40]}")
        for rdtype, value, texts in SPELLINGS
        for text in (value, *texts)
    ],
)
def test_one_value_has_one_canonical_text(rdtype, value, text):
    assert canonical(rdtype, text, ZONE) == value
    assert as_read(rdtype, text, ZONE) == value


@pytest.mark.parametrize(
    "rdtype, one, other",
    [
        ("ALIAS", "two words", "Two words"),
        ("X-OTHER", "target.example.net.", "Target.example.net."),
        ("CAA", '0 issue "ca.example.net"', '0 issue "CA.example.net"'),
        ("NAPTR", '1 1 "u" "" "!a!b!" .', '1 1 "u" "" "!A!b!" .'),
        ("OPENPGPKEY", "AAAA", "aaaa"),
        ("TXT", "v=spf1 -all", "V=spf1 -all"),
        ("TXT", "a b", "a  b"),
        ("TXT", "a", " a"),
        ("TXT", r'"\195\188"', r"\195\188"),
        ("URI", '10 1 "https://example.net/"', '10 1 "https://example.net/A"'),
    ],
)
def test_different_values_stay_different(rdtype, one, other):
    assert canonical(rdtype, one, ZONE) != canonical(rdtype, other, ZONE)


@pytest.mark.parametrize(
    "host, absolute",
    [
        ("target.example.net.", "target.example.net."),  # absolute
        ("target.example.net", "target.example.net."),  # dotted
        ("www", "www.example.com."),  # single label
        ("@", "example.com."),  # apex
        (".", "."),  # root
        ("Äpfel.example.net", "xn--pfel-koa.example.net."),  # idn
        ("_dmarc.äpfel.example.net.", "_dmarc.xn--pfel-koa.example.net."),  # underscore beside idn
        (r"a\.b", r"a\.b.example.com."),  # escaped dot is no dot
    ],
)
@pytest.mark.parametrize(
    "rdtype, before, after",
    [
        ("CNAME", "", ""),
        ("HTTPS", "1 ", ' port="443"'),
        ("MX", "10 ", ""),
        ("NAPTR", '1 1 "" "" "" ', ""),
    ],
)
def test_hosts(rdtype, before, after, host, absolute):
    assert canonical(rdtype, f"{before}{host}{after}", ZONE) == f"{before}{absolute}{after}"


@pytest.mark.parametrize("address", ["192.0.2.1", "192.0.2.1.", "2001:db8::1", "3221225985."])
@pytest.mark.parametrize("rdtype, before", [("CNAME", ""), ("MX", "10 ")])
def test_an_address_is_no_host(rdtype, before, address):
    message = r"^\S*[^.\s] is not a host name; it looks like an address$"
    with pytest.raises(InvalidRdata, match=message):
        canonical(rdtype, before + address, ZONE)


@pytest.mark.parametrize(
    "text, priority, value",
    [
        ("mail.example.net", 10, "10 mail.example.net."),  # priority
        ("10 mail.example.net", 20, "10 mail.example.net."),  # content before priority
        (".", 0, "0 ."),  # null mx
        ("Mail.Example.Net", None, "mail.example.net."),  # neither
    ],
)
def test_mx_preference(text, priority, value):
    assert canonical("MX", text, ZONE, priority) == value


def test_mx_preference_without_host_is_refused_whatever_priority_says():
    with pytest.raises(InvalidRdata):
        canonical("MX", "10", ZONE, 20)


@pytest.mark.parametrize(
    "rdtype, text, unknown, opaque",
    [
        ("ALIAS", "target.example.net.", True, True),
        ("MD", "mail.example.net.", False, True),  # known by name alone
        ("MD", r"\# 1 00", False, False),  # known by name alone in generic form
        ("TYPE65534", r"\# 1 00", False, False),  # rfc3597
    ],
)
def test_what_dnspython_does_not_know(rdtype, text, unknown, opaque):
    assert is_unknown(rdtype) is unknown
    assert is_opaque(rdtype, text) is opaque


# Each row: what a person or the service writes; the canonical text; what is sent plain.
TEXTS = [
    ("v=spf1 -all", '"v=spf1 -all"', "v=spf1 -all"),  # plain
    ('"v=spf1" " -all"', '"v=spf1 -all"', "v=spf1 -all"),  # chunks
    ('"v=spf1""-all"', '"v=spf1-all"', "v=spf1-all"),  # chunks without space
    ("k=v; p=q", '"k=v; p=q"', "k=v; p=q"),  # semicolon plain
    (r'"k=v\; p=q"', '"k=v; p=q"', "k=v; p=q"),  # semicolon escaped
    ('"a"; b="c"', r'"\"a\"; b=\"c\""', r'"\"a\"; b=\"c\""'),  # comment would lose half
    ('"a" "b" ; "c"', r'"\"a\" \"b\" ; \"c\""', r'"\"a\" \"b\" ; \"c\""'),  # comment after chunks
    ('"a" ("b" "c")', r'"\"a\" (\"b\" \"c\")"', '"a" ("b" "c")'),  # parentheses outside quotes
    ('say "hi"', r'"say \"hi\""', 'say "hi"'),  # quotes inside plain
    (r'"say \"hi\" now"', r'"say \"hi\" now"', 'say "hi" now'),  # quotes inside quoted
    (r'"\"hi\""', r'"\"hi\""', r'"\"hi\""'),  # quotes around quoted
    ('"a"b"', r'"\"a\"b\""', r'"\"a\"b\""'),  # quote too many
    ('"', r'"\""', r'"\""'),  # one quote
    (r"a\b", r'"a\\b"', r"a\b"),  # backslash plain
    (r'"a\\b"', r'"a\\b"', r"a\b"),  # backslash quoted
    ('"\\"', r'"\"\\\""', r'"\"\\\""'),  # escaped end quote
    (r'"\065"', '"A"', "A"),  # decimal escape
    (r"\065", r'"\\065"', r"\065"),  # decimal escape plain is literal
    (r'"\256"', r'"\"\\256\""', r'"\"\\256\""'),  # escape above 255 is literal
    ("ü", r'"\195\188"', "ü"),  # non ascii plain
    (r'"\195\188"', r'"\195\188"', "ü"),  # non ascii escaped
    (r'"\255"', r'"\255"', r'"\255"'),  # not utf8
    (r'"a\000b"', r'"a\000b"', r'"a\000b"'),  # nul
    ("a\nb", r'"a\010b"', r'"a\010b"'),  # newline
    ('"a\\\nb"', r'"a\010b"', r'"a\010b"'),  # newline escaped
    ('"a"\n"b"', r'"\"a\"\010\"b\""', r'"\"a\"\010\"b\""'),  # newline between chunks is literal
    ("\u202eabc", r'"\226\128\174abc"', r'"\226\128\174abc"'),  # bidirectional mark
    (" a ", '" a "', '" a "'),  # white space around
    ("  ", '"  "', '"  "'),  # white space alone
    ('""', '""', '""'),  # empty quoted
    ("x" * 255, f'"{"x" * 255}"', "x" * 255),  # 255 bytes
    ("x" * 256, f'"{"x" * 255}" "x"', "x" * 256),  # 256 bytes
    (f'"{"x" * 256}"', f'"{"x" * 255}" "x"', "x" * 256),  # 256 bytes in one chunk
    (f'"{"x" * 100}" "{"x" * 156}"', f'"{"x" * 255}" "x"', "x" * 256),  # 256 bytes in other chunks
    (
        "x" * 254 + "ü",
        f'"{"x" * 254}' + r'\195" "\188"',
        "x" * 254 + "ü",
    ),  # character across chunks
]


@pytest.mark.parametrize("text, value, plain", TEXTS)
def test_texts(text, value, plain):
    assert canonical("TXT", text, ZONE) == as_read("TXT", text, ZONE) == value
    assert sending_form("TXT", value, quoted=True) == (value, None)
    assert sending_form("TXT", value, quoted=False) == (plain, None)
    assert as_read("TXT", plain, ZONE) == value


def test_the_longest_text_is_taken_whole():
    text = "x" * 65279  # and 256 length bytes
    value = canonical("TXT", text, ZONE)
    assert sending_form("TXT", value, quoted=False) == (text, None)
    assert value.count('"') == 2 * 256


def test_no_text_is_refused():
    with pytest.raises(InvalidRdata, match="the value is empty"):
        canonical("TXT", "", ZONE)


def test_an_escape_of_digits_that_are_not_ascii_is_no_traceback():
    value = canonical("TXT", r'"a" "\²²²"', ZONE)
    assert canonical("TXT", value, ZONE) == value


@pytest.mark.parametrize(
    "value, host, priority",
    [
        ("10 mail.example.net.", "mail.example.net.", 10),
        ("0 .", ".", 0),
    ],
)
def test_a_preference_is_sent_beside_its_host(value, host, priority):
    assert sending_form("MX", value, quoted=False) == (host, priority)


@pytest.mark.parametrize(
    "rdtype, value, sent",
    [
        (
            "HTTPS",
            '1 . alpn="h2,h3" port="443" ipv4hint="192.0.2.1"',
            "1 . alpn=h2,h3 port=443 ipv4hint=192.0.2.1",
        ),
        (
            "HTTPS",
            r'1 . alpn="f\\\\oo\\,bar,h2"',
            r"1 . alpn=f\\\\oo\\,bar,h2",
        ),  # RFC 9460, appendix D.2
        ("HTTPS", '1 . alpn="a;b"', '1 . alpn="a;b"'),
        ("HTTPS", '1 . alpn="a(b" key667="c alpn="', '1 . alpn="a(b" key667="c alpn="'),
        ("AAAA", "::ffff:192.0.2.1", "0000:0000:0000:0000:0000:ffff:c000:0201"),
        ("CERT", "PKIX 1 RSASHA256 MxFc MxFc", "1 1 8 MxFcMxFc"),
        (
            "LOC",
            "52 22 23.000 N 4 53 32.000 E -2.00m",
            "52 22 23.000 N 4 53 32.000 E -2.00m 1.00m 10000.00m 10.00m",
        ),
        (
            "LOC",
            "52 0 0.000 N 4 0 0.000 E 0.00m 2.00m 3.00m 4.00m",
            "52 0 0.000 N 4 0 0.000 E 0.00m 2.00m 3.00m 4.00m",
        ),
        ("TLSA", "3 0 0 3082 0122", "3 0 0 30820122"),
        ("DHCID", "AAIBY2 AuCccg", "AAIBY2AuCccg"),
        ("SSHFP", f"4 2 {SHA1} {SHA256[:24]}", f"4 2 {SHA1}{SHA256[:24]}"),
        ("HIP", f"2 {HIT} AwEAAbdx rvs.example.net.", f"2 {HIT} AwEAAbdx rvs.example.net."),
    ],
)
def test_values_are_sent_as_strict_parsers_take_them(rdtype, value, sent):
    assert sending_form(rdtype, value, quoted=True) == (sent, None)
    assert as_read(rdtype, sent, "example.com.") == as_read(rdtype, value, "example.com.")


@pytest.mark.parametrize(
    "value, why",
    [
        ("٣ a.", "٣ is not a preference"),
        ("mail.example.net.", "the service does not show the preference of mail.example.net."),
    ],
)
def test_a_mail_host_without_a_preference_is_not_sent(value, why):
    with pytest.raises(InvalidRdata, match=why):
        sending_form("MX", value, quoted=True)


def test_dnspython_knows_the_types_of_plain_values_by_these_names():
    assert {record_type(rdtype) for rdtype in PLAIN_TYPES} == PLAIN_TYPES
