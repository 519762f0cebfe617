# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""With every dnspython that is accepted the result is the same, or it is said which one is needed."""

import dns.version
import pytest
from one_file import read_zone_file
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import (
    InvalidName,
    owner_name,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    InvalidRdata,
    canonical,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import (
    InvalidZoneFile,
)

ZONE = "example.com."
IS_OLDER = (dns.version.MAJOR, dns.version.MINOR) < (2, 9)
NEEDS_NEWER = r"needs dnspython 2\.9 or newer, and \S+ is installed"


def read(text):
    """The record sets of a zone file, a line each."""
    return [
        f"{record['name'].removesuffix('.example.com.')} {record['ttl']} {record['type']} {' '.join(record['content'])}"
        for record in read_zone_file(text, ZONE)
    ]


# Each row: a zone file that the older ones read otherwise, and its sets.
READ_ALIKE = {
    "a relative origin": ("$TTL 60\n$ORIGIN lab\nwww A 192.0.2.1", ["www.lab 60 A 192.0.2.1"]),
    "the origin again": ("$TTL 60\n$ORIGIN @\nwww A 192.0.2.1", ["www 60 A 192.0.2.1"]),
    "places of two forms": (
        "$TTL 60\n$GENERATE 1-2 h$ TXT $-${1}",
        ['h1 60 TXT "1-2"', 'h2 60 TXT "2-3"'],
    ),
    "a dollar for itself": ("$TTL 60\n$GENERATE 1-1 h$ TXT $$$", ['h1 60 TXT "$1"']),
    "a dollar behind a backslash": ("$TTL 60\n$GENERATE 1-1 h$ TXT a\\$$", ['h1 60 TXT "a$1"']),
    "nibbles": ("$TTL 60\n$GENERATE 10-10 ${0,3,n} TXT x", ['a.0 60 TXT "x"']),
}


@named_rows("text, sets", READ_ALIKE)
def test_what_older_ones_misread_is_read_as_with_later_ones(text, sets):
    assert read(text) == sets


SOA = "IN SOA ns1 hostmaster 1 7200 900 1209600 300"
SAME = {
    "the TTL before, not the minimum of the SOA": (
        f"@ 3600 {SOA}\nwww 7200 A 192.0.2.1\nmail A 192.0.2.2",
        [7200, 7200],
    ),
    "the TTL of the SOA, not its minimum": (f"@ 3600 {SOA}\nwww A 192.0.2.1", [3600]),
    "the minimum of the SOA where there is no other": (
        f"@ {SOA}\nwww A 192.0.2.1\nmail 60 A 192.0.2.2\nftp A 192.0.2.3",
        [300, 60, 300],
    ),
    "$TTL before the SOA": (
        f"$TTL 60\n@ 3600 {SOA}\nwww 7200 A 192.0.2.1\nmail A 192.0.2.2",
        [7200, 60],
    ),
    "$TTL after the SOA": (
        f"@ 3600 {SOA}\n$TTL 60\nwww 7200 A 192.0.2.1\nmail A 192.0.2.2",
        [7200, 60],
    ),
    "$GENERATE": (
        f"@ 3600 {SOA}\nwww 7200 A 192.0.2.1\n$GENERATE 1-1 h$ A 192.0.2.$",
        [7200, 7200],
    ),
}


@named_rows("text, ttls", SAME)
def test_a_record_without_ttl(text, ttls):
    assert [record["ttl"] for record in read_zone_file(text, ZONE)] == ttls


@pytest.mark.parametrize(
    "rdtype, text, value",
    [
        ("HTTPS", r'1 . alpn="a\;b"', '1 . alpn="a;b"'),
        ("CAA", r'0 iodef "m\195\169"', r'0 iodef "m\195\169"'),
        ("CAA", '0 iodef "mé"', r'0 iodef "m\195\169"'),
        ("NAPTR", r'1 2 "u" "\128" "" .', r'1 2 "u" "\128" "" .'),
        ("HINFO", r'"\200" "é"', r'"\200" "\195\169"'),
        ("ISDN", r'"\200"', r'"\200"'),
        ("X25", r'"\200"', r'"\200"'),
    ],
)
def test_an_escape_is_a_byte(rdtype, text, value):
    assert canonical(rdtype, text, ZONE) == value
    assert canonical(rdtype, value, ZONE) == value
    (record,) = read_zone_file(f"$TTL 60\nwww {rdtype} {text}", ZONE)
    assert record["content"] == [value]


@pytest.mark.parametrize("text", [r'10 1 "ftp://x/\255"', '10 1 "ftp://x/é"'])
def test_a_uri_that_is_no_ascii_is_not_read_as_another(text):
    if IS_OLDER:
        with pytest.raises(InvalidRdata, match=f"^a URI with .* not ASCII {NEEDS_NEWER}; write "):
            canonical("URI", text, ZONE)
    else:
        value = canonical("URI", text, ZONE)
        assert canonical("URI", value, ZONE) == value


@pytest.mark.parametrize("rdtype, text", [("HTTPS", r"1 . alpn=\200"), ("ISDN", r'"1" "\200"')])
def test_an_escape_that_older_ones_read_as_another_is_refused(rdtype, text):
    if IS_OLDER:
        with pytest.raises(InvalidRdata, match=f"an escape in it {NEEDS_NEWER}"):
            canonical(rdtype, text, ZONE)
    else:
        value = canonical(rdtype, text, ZONE)
        assert canonical(rdtype, value, ZONE) == value


@pytest.mark.parametrize("text", [r"a\300", r"ä\300", r"a\256.b", r"\\\300", r"b\999"])
def test_an_escape_above_255_is_no_name(text):
    with pytest.raises(InvalidName, match="a backslash that does not start an escape"):
        owner_name(text, ZONE)
    with pytest.raises(InvalidRdata):
        canonical("NS", text, ZONE)
    with pytest.raises(InvalidZoneFile, match=r"^line 2 of the zone file cannot be used: "):
        read(f"$TTL 60\n{text} A 192.0.2.1")


@pytest.mark.parametrize("text", ["1 0 10 -", "1 0 10 ."])
def test_a_certificate_that_is_no_base64(text):
    with pytest.raises(
        InvalidRdata, match="the certificate is empty" if IS_OLDER else "not base64"
    ):
        canonical("CERT", text, ZONE)


def test_a_quoted_name_is_refused_with_its_line():
    with pytest.raises(InvalidZoneFile, match=r"^line 2 of the zone file cannot be used: "):
        read('$TTL 60\n"" A 192.0.2.1')
