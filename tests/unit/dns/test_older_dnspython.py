# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""With every dnspython that is accepted the result is the same, or it is said which one is needed."""

import dns.version
import pytest
from one_file import read_zone_file

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


@pytest.mark.parametrize(
    "rdtype, text, value",
    [
        ("HTTPS", r'1 . alpn="a\;b"', '1 . alpn="a;b"'),
        ("CAA", '0 iodef "mé"', r'0 iodef "m\195\169"'),
        ("NAPTR", r'1 2 "u" "\128" "" .', r'1 2 "u" "\128" "" .'),
        ("HINFO", r'"\200" "é"', r'"\200" "\195\169"'),
    ],
)
def test_an_escape_is_a_byte(rdtype, text, value):
    assert canonical(rdtype, text, ZONE) == value
    assert canonical(rdtype, value, ZONE) == value
    (record,) = read_zone_file(f"$TTL 60\nwww {rdtype} {text}", ZONE)
    assert record["content"] == [value]


@pytest.mark.parametrize(
    "rdtype, text, reason",
    [
        ("URI", r'10 1 "ftp://x/\255"', "a URI with .* not ASCII"),
        ("URI", '10 1 "ftp://x/é"', "a URI with .* not ASCII"),
        ("HTTPS", r"1 . alpn=\200", "an escape in it"),
    ],
)
def test_what_older_ones_read_as_another_value_is_refused(rdtype, text, reason):
    if IS_OLDER:
        with pytest.raises(InvalidRdata, match=f"{reason} {NEEDS_NEWER}"):
            canonical(rdtype, text, ZONE)
    else:
        value = canonical(rdtype, text, ZONE)
        assert canonical(rdtype, value, ZONE) == value


@pytest.mark.parametrize(
    "text",
    [
        r"a\300",
        r"ä\300",
    ],
)
def test_an_escape_above_255_is_no_name(text):
    with pytest.raises(InvalidName, match="a backslash that does not start an escape"):
        owner_name(text, ZONE)
    with pytest.raises(InvalidRdata):
        canonical("NS", text, ZONE)
    with pytest.raises(InvalidZoneFile, match=r"^line 2 of the zone file cannot be used: "):
        read_zone_file(f"$TTL 60\n{text} A 192.0.2.1", ZONE)


def test_a_certificate_that_is_no_base64():
    reason = "the certificate is empty" if IS_OLDER else "not base64"
    with pytest.raises(InvalidRdata, match=reason):
        canonical("CERT", "1 0 10 -", ZONE)
