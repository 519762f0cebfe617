# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone and owner names: every way to write one, and every way to get one wrong."""

from __future__ import annotations

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

LABEL_63 = "a" * 63
LABEL_64 = "a" * 64
# 242 bytes are left for the labels before example.com., each with its length byte.
FITS_ZONE = ".".join(["a" * 60] * 3 + ["b" * 58])
TOO_LONG_FOR_ZONE = ".".join(["a" * 60] * 3 + ["b" * 59])
# A zone of 255 bytes, and one more.
LONGEST_ZONE = ".".join(["a" * 63] * 3 + ["b" * 61])
TOO_LONG_ZONE = ".".join(["a" * 63] * 3 + ["b" * 62])
# 218 characters, but 255 bytes in A-labels before the root is counted.
LONG_IN_A_LABELS = ".".join(["ü" * 30] * 6 + ["b" * 32])

EMPTY_LABEL = "empty label"
LONG_LABEL = "more than 63 bytes"
LONG_NAME = "more than 255 bytes"
BLANK = "white space or control characters"
OUTSIDE = "not inside the zone example.com."
A_LABELS = "cannot be written in A-labels"
ESCAPE = "backslash that does not start an escape"
ZONE_LABELS = "a zone's labels hold"

TWICE = "twice: write {0}example.com., or {0}example.com.example.com. if you mean that"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        pytest.param("example.com", "example.com.", id="no-dot"),
        pytest.param("EXAMPLE.Com", "example.com.", id="capitals"),
        pytest.param("localhost", "localhost.", id="one-label"),
        pytest.param(
            "0/26.2.0.192.in-addr.arpa",
            "0/26.2.0.192.in-addr.arpa.",
            id="classless-reverse-rfc2317",
        ),
        pytest.param("äpfel.example", IDN_ZONE, id="idn"),
        pytest.param("XN--PFEL-KOA.EXAMPLE", IDN_ZONE, id="a-label-capitals"),
        pytest.param("äpfel。example", IDN_ZONE, id="ideographic-dot"),
        pytest.param("straße.example", "xn--strae-oqa.example.", id="sharp-s-stays-idna2008"),
        pytest.param(f"{LABEL_63}.example", f"{LABEL_63}.example.", id="label-63-bytes"),
        pytest.param(LONGEST_ZONE, f"{LONGEST_ZONE}.", id="name-255-bytes"),
    ],
)
def test_zone_name(text: str, canonical: str) -> None:
    assert zone_name(text) == canonical
    assert zone_name(canonical) == canonical


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("", "it is empty", id="empty"),
        pytest.param(".", ZONE_LABELS, id="root"),
        pytest.param("example..com", EMPTY_LABEL, id="empty-label"),
        pytest.param(".example.com", EMPTY_LABEL, id="leading-dot"),
        pytest.param("*.example.com", ZONE_LABELS, id="wildcard"),
        pytest.param("http://example.com/", "it is a URL: write only the zone", id="url"),
        pytest.param("example.com?x=1", ZONE_LABELS, id="query"),
        pytest.param(r"exa\.mple.com", ZONE_LABELS, id="escaped-dot"),
        pytest.param("exa mple.com", BLANK, id="space"),
        pytest.param("example.com\nexample.org", BLANK, id="newline"),
        pytest.param(f"{LABEL_64}.com", LONG_LABEL, id="label-64-bytes"),
        pytest.param(TOO_LONG_ZONE, LONG_NAME, id="name-256-bytes"),
        pytest.param("☃.example", A_LABELS, id="not-idna"),
        pytest.param("\u202eexample.com", A_LABELS, id="bidirectional-mark"),
        pytest.param("\ud800.example", A_LABELS, id="surrogate"),
        pytest.param(r"a\256.example", ESCAPE, id="escape-above-255"),
    ],
)
def test_zone_name_refused(text: str, reason: str) -> None:
    with pytest.raises(InvalidName, match=reason):
        zone_name(text)


@pytest.mark.parametrize(
    ("text", "zone", "canonical"),
    [
        pytest.param("@", ZONE, "example.com.", id="apex-sign"),
        pytest.param("example.com", ZONE, "example.com.", id="apex-absolute-no-dot"),
        pytest.param("www", ZONE, "www.example.com.", id="relative"),
        pytest.param("www.example.com", ZONE, "www.example.com.", id="absolute-no-dot"),
        pytest.param("WWW.Example.COM.", ZONE, "www.example.com.", id="absolute-capitals"),
        pytest.param("a.b", ZONE, "a.b.example.com.", id="relative-two-labels"),
        pytest.param(
            "notexample.com", ZONE, "notexample.com.example.com.", id="only-looks-like-inside"
        ),
        pytest.param(
            "www.example.org",
            ZONE,
            "www.example.org.example.com.",
            id="other-zone-no-dot-is-relative",
        ),
        pytest.param(
            "example.com",
            NESTED_ZONE,
            "example.com.example.com.example.com.",
            id="end-of-zone-is-relative",
        ),
        pytest.param(
            "example.com.example.com.",
            ZONE,
            "example.com.example.com.",
            id="zone-name-twice-with-dot",
        ),
        pytest.param(
            "anexample.com.example.com", ZONE, "anexample.com.example.com.", id="zone-name-once"
        ),
        pytest.param("*", ZONE, "*.example.com.", id="wildcard"),
        pytest.param("_443._tcp.www", ZONE, "_443._tcp.www.example.com.", id="service-labels"),
        pytest.param(
            "1.0/26",
            "2.0.192.in-addr.arpa.",
            "1.0/26.2.0.192.in-addr.arpa.",
            id="classless-reverse",
        ),
        pytest.param("äpfel", ZONE, "xn--pfel-koa.example.com.", id="idn"),
        pytest.param("www.Äpfel.example", IDN_ZONE, f"www.{IDN_ZONE}", id="idn-zone-no-dot"),
        pytest.param("äpfel", IDN_ZONE, f"xn--pfel-koa.{IDN_ZONE}", id="idn-relative-to-idn-zone"),
        pytest.param(r"a\.b", ZONE, r"a\.b.example.com.", id="escaped-dot"),
        pytest.param(r"a\046b", ZONE, r"a\.b.example.com.", id="escaped-dot-decimal"),
        pytest.param(r"a\032b", ZONE, r"a\032b.example.com.", id="escaped-space"),
        pytest.param(r"\097", ZONE, "a.example.com.", id="needless-escape"),
        pytest.param("a;b", ZONE, r"a\;b.example.com.", id="semicolon"),
        pytest.param(LABEL_63, ZONE, f"{LABEL_63}.example.com.", id="label-63-bytes"),
        pytest.param(FITS_ZONE, ZONE, f"{FITS_ZONE}.example.com.", id="name-255-bytes"),
        pytest.param(
            f"{FITS_ZONE}.example.com",
            ZONE,
            f"{FITS_ZONE}.example.com.",
            id="name-255-bytes-no-dot",
        ),
    ],
)
def test_owner_name(text: str, zone: str, canonical: str) -> None:
    assert owner_name(text, zone) == canonical
    assert owner_name(canonical, zone) == canonical


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("", "it is empty", id="empty"),
        pytest.param("notexample.com.", OUTSIDE, id="only-looks-like-inside"),
        pytest.param("www.example.org.", OUTSIDE, id="other-zone"),
        pytest.param("a..b", EMPTY_LABEL, id="empty-label"),
        pytest.param("www..example.com.", EMPTY_LABEL, id="empty-label-absolute"),
        pytest.param("www ", BLANK, id="space-at-end"),
        pytest.param("www\n", BLANK, id="newline"),
        pytest.param("w\u00a0ww", BLANK, id="no-break-space"),
        pytest.param(LABEL_64, LONG_LABEL, id="label-64-bytes"),
        pytest.param("ä" * 63, LONG_LABEL, id="label-63-characters-more-bytes"),
        pytest.param(TOO_LONG_FOR_ZONE, LONG_NAME, id="name-256-bytes"),
        pytest.param(LONG_IN_A_LABELS, LONG_NAME, id="name-256-bytes-in-a-labels"),
        pytest.param("☃", A_LABELS, id="not-idna"),
        pytest.param("a.\u00ad.b", A_LABELS, id="label-of-soft-hyphen-alone"),
        pytest.param("\u202ewww", A_LABELS, id="bidirectional-mark"),
        pytest.param("www\\", ESCAPE, id="lone-backslash"),
        pytest.param(r"a\25", ESCAPE, id="short-escape"),
        pytest.param(r"a\999", ESCAPE, id="escape-above-255"),
        pytest.param("www.example.com.example.com", TWICE.format("www."), id="zone-name-twice"),
        pytest.param("Example.com.EXAMPLE.com", TWICE.format(""), id="zone-name-twice-alone"),
    ],
)
def test_owner_name_refused(text: str, reason: str) -> None:
    with pytest.raises(InvalidName, match=reason):
        owner_name(text, ZONE)


@pytest.mark.parametrize(
    ("name", "zone", "relative"),
    [
        pytest.param("example.com.", ZONE, "@", id="apex"),
        pytest.param("www.example.com.", ZONE, "www", id="one-label"),
        pytest.param(r"a\.b.example.com.", ZONE, r"a\.b", id="escaped-dot"),
        pytest.param("example.com.example.com.", ZONE, "example.com", id="zone-name-twice"),
    ],
)
def test_relative_name(name: str, zone: str, relative: str) -> None:
    assert relative_name(name, zone) == relative


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        pytest.param("www.example.com.", "www.example.com.", id="as-specified"),
        pytest.param("WWW.Example.com.", "www.example.com.", id="capitals"),
        pytest.param("www.example.com", "www.example.com.", id="no-dot"),
        pytest.param("Äpfel.example.", IDN_ZONE, id="idn"),
        pytest.param(r"A\.b.example.com.", r"a\.b.example.com.", id="escaped-dot"),
        pytest.param("A B.example.com.", "a b.example.com.", id="no-name-white-space"),
        pytest.param("Bad..example.com", "bad..example.com.", id="no-name-empty-label"),
        pytest.param(r"a\999.example.com.", r"a\999.example.com.", id="no-name-escape"),
        pytest.param("☃.example.com.", "☃.example.com.", id="no-name-not-idna"),
    ],
)
def test_name_as_read(text: str, canonical: str) -> None:
    assert name_as_read(text) == canonical
    assert name_as_read(canonical) == canonical


def test_what_cannot_be_written_in_a_labels_is_told_with_the_reason() -> None:
    with pytest.raises(InvalidName, match=r"^it cannot be written in A-labels \(.+\)$"):
        owner_name("☃", ZONE)
    with pytest.raises(
        InvalidName, match=r"^character 4 of 'web–1' is U\+2013, a dash: write a hyphen \(-\)$"
    ):
        owner_name("web–1", ZONE)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        pytest.param("www", "www", id="no-a-label"),
        pytest.param("xn--pfel-koa", "äpfel", id="a-label"),
        pytest.param(
            "_dmarc.xn--pfel-koa.example.com.", "_dmarc.äpfel.example.com.", id="absolute"
        ),
        pytest.param("xn--strae-oqa.example.", "straße.example.", id="sharp-s"),
        pytest.param("xn--99999999999.", "xn--99999999999.", id="no-a-label-behind-the-prefix"),
        pytest.param("a..b", "a..b", id="no-name"),
    ],
)
def test_with_u_labels(name: str, shown: str) -> None:
    assert with_u_labels(name) == shown


@pytest.mark.parametrize(
    ("version", "is_missing"), [((2, 5), True), ((2, 6), False), ((3, 0), False)]
)
def test_a_dnspython_that_keeps_spellings_counts_as_missing(
    version: tuple[int, int], is_missing: bool
) -> None:
    code = f"import dns.version; dns.version.MAJOR, dns.version.MINOR = {version}; "
    code += f"from {owner_name.__module__} import DNSPYTHON_MISSING; print(DNSPYTHON_MISSING)"
    output = subprocess.run(
        [sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    assert output.strip() == (
        f"dnspython {dns.version.version} is too old" if is_missing else "None"
    )


@pytest.mark.parametrize(
    ("name", "inside"),
    [
        ("www.example.com.", True),
        ("example.com.", True),
        ("notexample.com.", False),
        ("www.example.net.", False),
        ("a..example.com.", True),
        ("a..notexample.com.", False),
    ],
)
def test_is_inside(name: str, inside: bool) -> None:
    assert is_inside(name, "example.com.") == inside
