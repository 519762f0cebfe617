# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whatever bytes a value has, the text that is sent of it stands for the same ones."""

import struct

import dns.name
import pytest
from examples import some
from hypothesis import given, settings
from hypothesis import strategies as st

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import LABEL_CODEC
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.older_dnspython import (
    IS_OLDER,
    parsed,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    InvalidRdata,
    canonical,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sending import (
    altered_forms,
    sending_form,
)

ZONE = "example.com."


def test_what_services_may_make_of_a_text():
    """In a zone file, a text without quotes ends at a semicolon, and its words are strings of one text."""
    made = {'"ab"': "plain", r'"\"a b; c\""': "quoted"}
    assert altered_forms('"a b; c"') == made


def in_wire(length, data):
    """Bytes behind their number, as *length* packs it."""
    return struct.pack(length, len(data)) + data


SPECIAL = st.text('"\\; ()=,a1\t\x00\x7f\xff', max_size=8).map(lambda text: text.encode("latin-1"))
BYTES = st.one_of(SPECIAL, st.binary(max_size=12))
STRING = BYTES.map(lambda data: in_wire("!B", data))  # RFC 1035, section 3.3
NUMBER = st.binary(min_size=2, max_size=2)
NAME = st.sampled_from(
    ["mail.example.net.", r"a\.b.example.net.", r"a\"\;\(\032b.example.net.", "."]
).map(lambda text: dns.name.from_text(text).to_wire())
TARGET = NAME.map(bytes.lower)
# RFC 9460, section 14.3.2
PARAMETERS = {
    1: st.lists(
        BYTES.filter(bool).map(lambda data: in_wire("!B", data)), min_size=1, max_size=3
    ).map(b"".join),
    3: NUMBER,
    4: st.lists(st.binary(min_size=4, max_size=4), min_size=1, max_size=2).map(b"".join),
    6: st.lists(st.binary(min_size=16, max_size=16), min_size=1, max_size=2).map(b"".join),
    667: BYTES,
    65333: BYTES,
}


@st.composite
def services(draw):
    """RFC 9460, section 2.2."""
    keys = sorted(draw(st.sets(st.sampled_from(sorted(PARAMETERS)))))
    values = {key: draw(PARAMETERS[key]) for key in keys}
    if keys and draw(st.booleans()):
        values = {0: b"".join(struct.pack("!H", key) for key in keys), **values}
    params = b"".join(
        struct.pack("!H", key) + in_wire("!H", value) for key, value in values.items()
    )
    return b"\0\1" + draw(TARGET) + params


def row(*parts):
    """The fields of a value, one behind the other."""
    return st.tuples(*parts).map(b"".join)


WITHOUT_CASE = STRING.map(lambda wire: wire[:1] + wire[1:].lower())
WIRES = {
    "CAA": row(st.binary(min_size=1, max_size=1), st.just(b"\5issue"), BYTES),
    "HTTPS": services(),
    "NAPTR": row(NUMBER, NUMBER, WITHOUT_CASE, WITHOUT_CASE, STRING, TARGET),
    "TYPE65300": BYTES,
    "URI": row(NUMBER, NUMBER, BYTES.filter(bool)),
}


@pytest.mark.parametrize("rdtype", WIRES)
def test_what_is_sent_is_the_value(rdtype):
    @settings(max_examples=some(300), deadline=None)
    @given(WIRES[rdtype], st.booleans())
    def holds(wire, quoted):
        try:
            value = canonical(rdtype, rf"\# {len(wire)} {wire.hex()}", ZONE)
        except InvalidRdata:
            assert IS_OLDER  # as test_older_dnspython.py has it
            return
        content, _priority = sending_form(rdtype, value, quoted=quoted)
        assert wire_of(rdtype, value) == wire
        assert wire_of(rdtype, content) == wire

    holds()


def wire_of(rdtype, text):
    """What a text in zone-file form stands for."""
    return parsed(rdtype, text, LABEL_CODEC).to_wire()
