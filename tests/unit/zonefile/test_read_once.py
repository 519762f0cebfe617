# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Names and values of a zone file, which are read once, are what they would be if they were read again as text."""

from unittest import mock

import dns.name
import dns.rdata
import pytest
from any_zone import values_of
from examples import some
from hypothesis import HealthCheck, example, given, reject, settings
from hypothesis import strategies as st
from one_file import read_zone_file

from ansible_collections.zonesmith.dns.plugins.module_utils._dns import names
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import (
    LABEL_CODEC,
    InvalidName,
    name_as_read,
    owner_name,
    zone_name,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    InvalidRdata,
    canonical,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_types import TYPES
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import (
    InvalidZoneFile,
)

ZONE = "example.com."
holds = settings(
    deadline=None,
    derandomize=True,
    max_examples=some(300),
    suppress_health_check=[HealthCheck.too_slow],
)

LABEL = st.one_of(
    st.from_regex(r"[A-Za-z0-9_*-]{1,9}", fullmatch=True),
    st.sampled_from(["Äpfel", r"a\.b", r"a\032b", r"\255", r"\@", "2001:DB8::1", "a" * 63, "10"]),
)
HOST = st.one_of(
    st.sampled_from(["@", ".", "10.0.0.1.", "mail.", "@.", "a..b."]),
    st.builds(
        lambda labels, dot: ".".join(labels) + dot,
        st.lists(LABEL, min_size=1, max_size=5),
        st.sampled_from(["", "."]),
    ),
)
IN_WORDS = st.one_of(
    st.tuples(st.sampled_from(["CNAME", "DNAME", "NS", "PTR"]), HOST),
    st.tuples(st.just("MX"), st.builds("{} {}".format, st.sampled_from(["0", "010"]), HOST)),
    *(st.tuples(st.just(rdtype), values) for rdtype, values in values_of.items()),
).filter(lambda row: row[0] not in {"X-OPAQUE", "CAA", "NAPTR"})
"""Opaque values are not printed, and an older dnspython misreads the escapes of the others."""
IN_BYTES = st.tuples(  # RFC 3597, section 5
    st.sampled_from([*TYPES, "TYPE1", "TYPE16"]),
    st.binary(max_size=40).map(lambda wire: rf"\# {len(wire)} {wire.hex()}"),
)


@pytest.fixture(autouse=True)
def forget():
    """Leave no value behind to other tests."""
    yield
    _forget()


def _forget():
    canonical.cache_clear()
    owner_name.cache_clear()


def printed(rdtype, text):
    """A value as dnspython prints it; of a type that it does not know as it is."""
    if rdtype == "ALIAS":
        return text
    zone = dns.name.from_text(ZONE)
    rdata = dns.rdata.from_text("IN", rdtype, text, zone, False, idna_codec=LABEL_CODEC)
    return rdata.to_text()


@holds
@given(st.one_of(IN_WORDS, IN_BYTES), HOST)
@example(("TXT", '"' + "x" * 255 + '" "y"'), "@")
@example(("TXT", " ".join(['"' + "x" * 255 + '"'] * 257)), "@")
@example(("TXT", r"\# 0"), "@")
@example(("MX", "10 Mail"), "@")
@example(("CNAME", "https://example.net"), "www")
@example(("CNAME", "2001:db8::1.example.net."), "www")
@example(("SRV", "0 0 1 192.0.2.1."), "www")
def test_a_value_of_a_zone_file_is_what_its_text_is(row, owner):
    """Whatever it is written as; and it stays so where a task says it once more."""
    _forget()
    try:
        entries = read_zone_file(f"$TTL 60\n{owner} {' '.join(row)}\n", ZONE)
        _forget()
        again = canonical(row[0], printed(*row), ZONE)
    except (InvalidZoneFile, InvalidRdata):
        reject()
    for entry in entries:  # none of what the service owns
        (value,) = entry["content"]
        assert value == again == canonical(entry["type"], value, "example.net.")


PLAIN = st.from_regex(r"[A-Za-z0-9_*-]{1,9}", fullmatch=True)
LENGTHS = st.sampled_from([61, 62, 63, 64])
LONG = st.lists(LENGTHS.map("a".__mul__), min_size=1, max_size=4).map(".".join)


@holds
@given(
    st.one_of(HOST, LONG, st.builds("{}.{}".format, LONG, PLAIN), PLAIN),
    st.sampled_from(["", ".", f".{ZONE}", ".example.com", f"..{ZONE}", f".{ZONE}\n"]),
)
@example("\u212aelvin", ".")  # which is a k in lower case
@example("WWW.Example.COM", "")
def test_a_plain_name_is_what_dnspython_makes_of_it(start, end):
    """Also at the bounds of its length."""
    for function in (lambda text: owner_name(text, ZONE), name_as_read, zone_name):
        outcomes = []
        for plain in (names.is_plain_name, lambda _name: False):
            with mock.patch.object(names, "is_plain_name", plain):
                owner_name.cache_clear()
                zone_name.cache_clear()
                try:
                    outcomes.append(function(start + end))
                except InvalidName as error:
                    outcomes.append(str(error))
        assert outcomes[0] == outcomes[1]
