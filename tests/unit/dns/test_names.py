# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone and owner names: every way to write one, and every way to get one wrong."""

import subprocess
import sys

import dns.version
import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import (
    InvalidName,
    is_inside,
    name_as_read,
    owner_name,
    relative_name,
    with_u_labels,
    zone_name,
)

ZONE = "example.com."
IDN_ZONE = "xn--pfel-koa.example."  # äpfel.example.
NESTED_ZONE = "example.com.example.com."

# 242 bytes are left for the labels before example.com., each with its length byte.
FITS_ZONE = ".".join(["a" * 60] * 3 + ["b" * 58])
TOO_LONG_FOR_ZONE = ".".join(["a" * 60] * 3 + ["b" * 59])
EMPTY_LABEL = "empty label"
LONG_LABEL = "more than 63 bytes"
LONG_NAME = "more than 255 bytes"
BLANK = "white space or control characters"
OUTSIDE = "not inside the zone example.com."
A_LABELS = r"^it cannot be written in A-labels \(.+\)$"
ESCAPE = "backslash that does not start an escape"
ZONE_LABELS = "a zone's labels hold"

TWICE = "twice: write www.example.com., or www.example.com.example.com. if you mean that"


@pytest.mark.parametrize(
    "text, canonical",
    [
        ("example.com", "example.com."),  # no dot
        ("EXAMPLE.Com", "example.com."),  # capitals
        ("0/26.2.0.192.in-addr.arpa", "0/26.2.0.192.in-addr.arpa."),  # classless reverse rfc2317
        ("äpfel.example", IDN_ZONE),  # idn
        ("äpfel。example", IDN_ZONE),  # ideographic dot
        ("straße.example", "xn--strae-oqa.example."),  # sharp s stays idna2008
    ],
)
def test_zone_name(text, canonical):
    assert zone_name(text) == canonical
    assert zone_name(canonical) == canonical


@pytest.mark.parametrize(
    "text, reason",
    [
        ("", "it is empty"),  # empty
        (".", ZONE_LABELS),  # root
        ("example..com", EMPTY_LABEL),  # empty label
        ("*.example.com", ZONE_LABELS),  # wildcard
        ("http://example.com/", ZONE_LABELS),  # url
        (r"exa\.mple.com", ZONE_LABELS),  # escaped dot
        ("exa mple.com", BLANK),  # space
        ("☃.example", A_LABELS),  # not idna
        ("\ud800.example", A_LABELS),  # surrogate
    ],
)
def test_zone_name_refused(text, reason):
    with pytest.raises(InvalidName, match=reason):
        zone_name(text)


@pytest.mark.parametrize(
    "text, zone, canonical",
    [
        ("@", ZONE, "example.com."),  # apex sign
        ("example.com", ZONE, "example.com."),  # apex absolute no dot
        ("www", ZONE, "www.example.com."),  # relative
        ("www.example.com", ZONE, "www.example.com."),  # absolute no dot
        ("WWW.Example.COM.", ZONE, "www.example.com."),  # absolute capitals
        ("notexample.com", ZONE, "notexample.com.example.com."),  # only looks like inside
        (
            "example.com",
            NESTED_ZONE,
            "example.com.example.com.example.com.",
        ),  # end of zone is relative
        ("example.com.example.com.", ZONE, "example.com.example.com."),  # zone name twice with dot
        ("anexample.com.example.com", ZONE, "anexample.com.example.com."),  # zone name once
        ("äpfel", ZONE, "xn--pfel-koa.example.com."),  # idn
        ("www.Äpfel.example", IDN_ZONE, f"www.{IDN_ZONE}"),  # idn zone no dot
        (r"a\046b", ZONE, r"a\.b.example.com."),  # escaped dot decimal
        (r"a\032b", ZONE, r"a\032b.example.com."),  # escaped space
        (r"\097", ZONE, "a.example.com."),  # needless escape
        (r"a\255", ZONE, r"a\255.example.com."),  # the last escape
        ("a" * 63, ZONE, f"{'a' * 63}.example.com."),  # label 63 bytes
        (FITS_ZONE, ZONE, f"{FITS_ZONE}.example.com."),  # name 255 bytes
    ],
)
def test_owner_name(text, zone, canonical):
    assert owner_name(text, zone) == canonical
    assert owner_name(canonical, zone) == canonical


@pytest.mark.parametrize(
    "text, reason",
    [
        ("", "it is empty"),  # empty
        ("notexample.com.", OUTSIDE),  # only looks like inside
        ("a..b", EMPTY_LABEL),  # empty label
        ("www ", BLANK),  # space at end
        ("w\u00a0ww", BLANK),  # no break space
        ("a" * 64, LONG_LABEL),  # label 64 bytes
        ("ä" * 63, LONG_LABEL),  # label 63 characters more bytes
        (TOO_LONG_FOR_ZONE, LONG_NAME),  # name 256 bytes
        ("☃", A_LABELS),  # not idna
        ("\u202ewww", A_LABELS),  # bidirectional mark
        ("www\\", ESCAPE),  # lone backslash
        (r"a\999", ESCAPE),  # escape above 255
        ("www.example.com.example.com", TWICE),  # zone name twice
    ],
)
def test_owner_name_refused(text, reason):
    with pytest.raises(InvalidName, match=reason):
        owner_name(text, ZONE)


@pytest.mark.parametrize(
    "name, zone, relative",
    [
        ("example.com.", ZONE, "@"),  # apex
        ("www.example.com.", ZONE, "www"),  # one label
        ("example.com.example.com.", ZONE, "example.com"),  # zone name twice
    ],
)
def test_relative_name(name, zone, relative):
    assert relative_name(name, zone) == relative


@pytest.mark.parametrize(
    "text, canonical",
    [
        ("WWW.Example.com.", "www.example.com."),  # capitals
        ("Äpfel.example.", IDN_ZONE),  # idn
        (r"A\.b.example.com.", r"a\.b.example.com."),  # escaped dot
        ("A B.example.com.", "a b.example.com."),  # no name white space
        (r"a\999.example.com.", r"a\999.example.com."),  # no name escape
    ],
)
def test_name_as_read(text, canonical):
    assert name_as_read(text) == canonical
    assert name_as_read(canonical) == canonical


@pytest.mark.parametrize(
    "name, shown",
    [
        ("www", "www"),  # no a label
        ("_dmarc.xn--pfel-koa.example.com.", "_dmarc.äpfel.example.com."),  # absolute
        ("xn--99999999999.", "xn--99999999999."),  # no a label behind the prefix
    ],
)
def test_with_u_labels(name, shown):
    assert with_u_labels(name) == shown


@pytest.mark.parametrize("version, is_missing", [((2, 5), True), ((2, 6), False), ((3, 0), False)])
def test_a_dnspython_that_keeps_spellings_counts_as_missing(version, is_missing):
    code = f"import dns.version; dns.version.MAJOR, dns.version.MINOR = {version}; "
    code += f"from {owner_name.__module__} import DNSPYTHON_MISSING; print(DNSPYTHON_MISSING)"
    output = subprocess.run(
        [sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    assert output.strip() == (
        f"dnspython {dns.version.version} is too old" if is_missing else "None"
    )


@pytest.mark.parametrize(
    "name, inside",
    [
        ("www.example.com.", True),
        ("notexample.com.", False),
        ("a..example.com.", True),
        ("a..notexample.com.", False),
    ],
)
def test_is_inside(name, inside):
    assert is_inside(name, "example.com.") == inside
