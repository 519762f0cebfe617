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
    is_quoted,
    is_text,
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
        ("A", "A"),
        ("aaaa", "AAAA"),
        (" Mx ", "MX"),
        ("ALIAS", "ALIAS"),
        ("X-NEW-1", "X-NEW-1"),
        ("TYPE65534", "TYPE65534"),
        ("TYPE1", "A"),  # rfc3597 A
        ("type16", "TXT"),  # rfc3597 TXT
    ],
)
def test_record_type(text, mnemonic):
    assert record_type(text) == mnemonic


@pytest.mark.parametrize(
    "shown, read",
    [
        ("A", "A"),
        ("ALIAS", "ALIAS"),
        ("TYPE65", "HTTPS"),
        ("TYPE065", "HTTPS"),
        ("TYPE6", "SOA"),
        ("TYPE65534", "TYPE65534"),
        ("TYPE255", "TYPE255"),  # no type of data
        ("TYPE65536", "TYPE65536"),
        ("TYPE", "TYPE"),
        ("TYPED", "TYPED"),
        ("TYPE \u0661", "TYPE \u0661"),
        ("X NEW", "X NEW"),
    ],
)
def test_a_type_that_the_service_shows(shown, read):
    assert type_as_read(shown) == read


@pytest.mark.parametrize(
    "text, reason",
    [
        *[
            (text, "write one type, such as A, MX or TXT")
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
def test_record_type_refused(text, reason):
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
            [
                " target.example.net. ",
                "\ttarget.example.net.",
                "target.example.net",
                "Target.example.NET",
            ],
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
    (
        "CNAME",
        "target.example.net.",
        ["target.example.net", "Target.Example.NET.", " target.example.net "],
    ),
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
        [
            f"02 {HIT.upper()} AwEAAbdx Rvs.example.NET rvs2",
            f"2 {HIT} AwEAAbdx rvs.example.net. RVS2.example.com",
        ],
    ),
    ("HTTPS", '1 . ipv6hint="2001:db8::1"', ["1 . ipv6hint=2001:DB8:0::1"]),
    (
        "LOC",
        "52 22 23.000 N 4 53 32.000 E -2.00m",
        [
            "52 22 23 N 4 53 32 E -2",
            "52 22 23 N 4 53 32 E -2m",
            "52 22 23.000 N 4 53 32.000 E -2.00m 1m 10000m 10m",
        ],
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
        [
            "100 10 U E2U+SIP !^.*$!sip:info@example.com! .",
            '0100 010 "u" "E2U+sip" "!^.*$!sip:info@example.com!" .',
        ],
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
        [
            "10 5 5060 sip.example.net",
            "010 05 05060 Sip.Example.Net.",
            "10\t5\t5060\tsip.example.net.",
        ],
    ),
    (
        "SSHFP",
        f"4 2 {SHA256}",
        [f"4 2 {SHA256.upper()}", f"04 02 {SHA256}", f"4 2 {SHA256[:8]} {SHA256[8:]}"],
    ),
    (
        "SVCB",
        '1 svc.example.net. port="8443"',
        ["1 Svc.Example.NET port=8443", '01 svc.example.net. port="8443"'],
    ),
    (
        "TLSA",
        f"3 1 1 {SHA256}",
        [f"3 1 1 {SHA256.upper()}", f"03 01 01 {SHA256}", f"3 1 1 {SHA256[:9]} {SHA256[9:]}"],
    ),
    (
        "TXT",
        '"v=spf1 -all"',
        ["v=spf1 -all", '"v=spf1" " -all"', '"v=spf1 " "-all"', r'"v\061spf1 -all"'],
    ),
    ("TYPE65534", r"\# 2 abcd", [r"\# 2 ABCD", r"\#  2  ab cd"]),
    (
        "URI",
        '10 1 "https://example.net/"',
        ["10 1 https://example.net/", '010 01 "https://example.net/"'],
    ),
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
        ("*", "*.example.com."),  # wildcard
        ("_sip._udp.example.net", "_sip._udp.example.net."),  # underscore
        ("Äpfel.example.net", "xn--pfel-koa.example.net."),  # idn
        ("XN--PFEL-KOA.example.net", "xn--pfel-koa.example.net."),  # a label capitals
        ("_dmarc.äpfel.example.net.", "_dmarc.xn--pfel-koa.example.net."),  # underscore beside idn
        (r"a\.b", r"a\.b.example.com."),  # escaped dot is no dot
    ],
)
@pytest.mark.parametrize(
    "rdtype, before, after",
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
def test_hosts(rdtype, before, after, host, absolute):
    assert canonical(rdtype, f"{before}{host}{after}", ZONE) == f"{before}{absolute}{after}"


@pytest.mark.parametrize(
    "address", ["192.0.2.1", "192.0.2.1.", "2001:db8::1", "::1", "3221225985."]
)
@pytest.mark.parametrize(
    "rdtype, before",
    [("CNAME", ""), ("NS", ""), ("MX", "10 "), ("MX", ""), ("SRV", "10 5 5060 ")],
)
def test_an_address_is_no_host(rdtype, before, address):
    with pytest.raises(InvalidRdata) as refusal:
        canonical(rdtype, before + address, ZONE)
    shown = address.rstrip(".") + (f".{ZONE[:-1]}" if ":" in address else "")
    assert str(refusal.value) == f"{shown} is not a host name; it looks like an address"


@pytest.mark.parametrize(
    "text, priority, value",
    [
        ("mail.example.net", 10, "10 mail.example.net."),  # priority
        ("10 mail.example.net", None, "10 mail.example.net."),  # preference in content
        ("10 mail.example.net", 20, "10 mail.example.net."),  # content before priority
        (".", 0, "0 ."),  # null mx
        ("mail.example.net", 65535, "65535 mail.example.net."),  # highest
        ("Mail.Example.Net", None, "mail.example.net."),  # neither
    ],
)
def test_mx_preference(text, priority, value):
    assert canonical("MX", text, ZONE, priority) == value


def test_mx_preference_without_host_is_refused_whatever_priority_says():
    with pytest.raises(InvalidRdata):
        canonical("MX", "10", ZONE, 20)


@pytest.mark.parametrize(
    "rdtype, text",
    [("TXT", True), ("SPF", True), ("A", False), ("CAA", False), ("ALIAS", False)],
)
def test_is_text(rdtype, text):
    assert is_text(rdtype) is text


@pytest.mark.parametrize(
    "rdtype, text, unknown, opaque",
    [
        ("A", "192.0.2.1", False, False),
        ("ALIAS", "target.example.net.", True, True),
        ("ALIAS", r"\# 1 00", True, True),
        ("MD", "mail.example.net.", False, True),  # known by name alone
        ("MD", r"\# 1 00", False, False),  # known by name alone in generic form
        ("TYPE65534", r"\# 1 00", False, False),  # rfc3597
        ("TYPE65534", "text", False, False),  # rfc3597 wrong
    ],
)
def test_what_dnspython_does_not_know(rdtype, text, unknown, opaque):
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
    (
        "x" * 254 + "ü",
        f'"{"x" * 254}' + r'\195" "\188"',
        "x" * 254 + "ü",
        "character-across-chunks",
    ),
]


@pytest.mark.parametrize("text, value, plain", [pytest.param(*row[:3], id=row[3]) for row in TEXTS])
@pytest.mark.parametrize("rdtype", ["TXT", "SPF"])
def test_texts(rdtype, text, value, plain):
    assert canonical(rdtype, text, ZONE) == value
    assert as_read(rdtype, text, ZONE) == value
    assert sending_form(rdtype, value, quoted=True) == (value, None)
    assert sending_form(rdtype, value, quoted=False) == (plain, None)
    assert as_read(rdtype, plain, ZONE) == as_read(rdtype, value, ZONE) == value


def test_the_longest_text_is_taken_whole():
    text = "x" * 65279  # and 256 length bytes
    value = canonical("TXT", text, ZONE)
    assert sending_form("TXT", value, quoted=False) == (text, None)
    assert value.count('"') == 2 * 256


def test_no_text_is_refused():
    with pytest.raises(InvalidRdata, match="the value is empty"):
        canonical("TXT", "", ZONE)


@pytest.mark.parametrize("rdtype, value", [("TXT", '""'), ("SPF", '""')])
def test_a_value_that_the_service_shows_as_nothing_is_the_one_with_nothing_in_it(rdtype, value):
    assert as_read(rdtype, "", ZONE) == canonical(rdtype, value, ZONE)


@pytest.mark.parametrize("text", [r'"\²²²"', r'"a" "\²²²"'])
def test_an_escape_of_digits_that_are_not_ascii_is_no_traceback(text):
    value = canonical("TXT", text, ZONE)
    assert canonical("TXT", value, ZONE) == value


@pytest.mark.parametrize(
    "text, quoted",
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
def test_is_quoted(text, quoted):
    assert is_quoted(text) is quoted


@pytest.mark.parametrize(
    "rdtype, value, content, priority",
    [
        ("A", "192.0.2.1", "192.0.2.1", None),
        ("CNAME", "target.example.net.", "target.example.net.", None),
        ("MX", "10 mail.example.net.", "mail.example.net.", 10),
        ("MX", "0 .", ".", 0),
        ("SRV", "10 5 5060 sip.example.net.", "10 5 5060 sip.example.net.", None),
        ("CAA", '0 issue "ca.example.net"', '0 issue "ca.example.net"', None),
        ("ALIAS", "target.example.net.", "target.example.net.", None),
        ("MX", "mail.example.net.", "mail.example.net.", 0),  # MX preference never told
    ],
)
@pytest.mark.parametrize("quoted", [False, True])
def test_sending_form(rdtype, value, content, priority, quoted):
    assert sending_form(rdtype, value, quoted=quoted) == (content, priority)


@pytest.mark.parametrize(
    "rdtype, text",
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
def test_what_the_service_shows_and_nobody_understands_stays(rdtype, text):
    assert as_read(rdtype, text, ZONE) == text


@pytest.mark.parametrize(
    "rdtype, value, sent",
    [
        (
            "HTTPS",
            '1 . alpn="h2,h3" port="443" ipv4hint="192.0.2.1"',
            "1 . alpn=h2,h3 port=443 ipv4hint=192.0.2.1",
        ),
        ("HTTPS", r'1 . alpn="a\"b,h2"', r"1 . alpn=a\"b,h2"),
        (
            "HTTPS",
            r'1 . alpn="f\\\\oo\\,bar,h2"',
            r"1 . alpn=f\\\\oo\\,bar,h2",
        ),  # RFC 9460, appendix D.2
        ("HTTPS", '1 . alpn="a;b"', '1 . alpn="a;b"'),
        ("HTTPS", '1 . alpn="a(b" key667="c alpn="', '1 . alpn="a(b" key667="c alpn="'),
        ("SVCB", '1 a.example. key65400="x y"', '1 a.example. key65400="x y"'),
        ("AAAA", "::ffff:192.0.2.1", "0000:0000:0000:0000:0000:ffff:c000:0201"),
        ("CERT", "PKIX 1 RSASHA256 MxFc MxFc", "1 1 8 MxFcMxFc"),
        ("AAAA", "2001:db8::1", "2001:db8::1"),
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
        ("SVCB", '1 . alpn="h2" port="1" ipv6hint="::1"', "1 . alpn=h2 port=1 ipv6hint=::1"),
        (
            "SVCB",
            '1 . mandatory="alpn,port" alpn="h2" port="1"',
            "1 . mandatory=alpn,port alpn=h2 port=1",
        ),
        ("TLSA", "3 0 0 3082 0122", "3 0 0 30820122"),
        ("SMIMEA", "3 0 0 3082 0122", "3 0 0 30820122"),
        ("DNSKEY", "257 3 13 AAAA BBBB", "257 3 13 AAAABBBB"),
        ("CDNSKEY", "257 3 13 AAAA BBBB", "257 3 13 AAAABBBB"),
        ("DHCID", "AAIBY2 AuCccg", "AAIBY2AuCccg"),
        *(
            (
                rdtype,
                f"1 13 4 {SHA1} {SHA1}abcd abcd abcd abcd",
                f"1 13 4 {SHA1}{SHA1}abcdabcdabcdabcd",
            )
            for rdtype in ("CDS", "DS")
        ),
        ("SSHFP", f"4 2 {SHA1} {SHA256[:24]}", f"4 2 {SHA1}{SHA256[:24]}"),
        ("HIP", f"2 {HIT} AwEAAbdx rvs.example.net.", f"2 {HIT} AwEAAbdx rvs.example.net."),
        (
            "NAPTR",
            '100 10 "u" "E2U+sip" "!^.*$!sip:a@b!" .',
            '100 10 "u" "E2U+sip" "!^.*$!sip:a@b!" .',
        ),
    ],
)
@pytest.mark.parametrize("quoted", [False, True], ids=["plain", "quoted"])
def test_values_are_sent_as_strict_parsers_take_them(rdtype, value, sent, quoted):
    assert sending_form(rdtype, value, quoted=quoted) == (sent, None)
    assert as_read(rdtype, sent, "example.com.") == as_read(rdtype, value, "example.com.")


def test_a_preference_that_is_no_number_is_not_sent():
    with pytest.raises(InvalidRdata, match="is not a preference"):
        sending_form("MX", "٣ a.", quoted=True)


def test_dnspython_knows_the_types_of_plain_values_by_these_names():
    assert {record_type(rdtype) for rdtype in PLAIN_TYPES} == PLAIN_TYPES
