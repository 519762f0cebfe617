# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Every row of the table of record types says what is so of its own example."""

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    InvalidRdata,
    as_read,
    canonical,
    is_unknown,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_types import (
    OF_SERVICES,
    TYPES,
)

ZONE = "example.com."
ASKED = {name: row for name, row in TYPES.items() if row.parts}
WHOLE = {name: row.example for name, row in ASKED.items() if "..." not in row.example}
WITH_HOST = {name: row.host for name, row in TYPES.items() if row.host}


@pytest.mark.parametrize("rdtype", sorted(TYPES.keys() - OF_SERVICES))
def test_a_row_is_of_a_type_that_dnspython_reads(rdtype):
    assert not is_unknown(rdtype)


@pytest.mark.parametrize("rdtype, example", WHOLE.items(), ids=WHOLE)
def test_an_example_is_a_value_and_the_same_as_it_is_sent(rdtype, example):
    value = canonical(rdtype, example, ZONE)
    assert as_read(rdtype, TYPES[rdtype].sent(value), ZONE) == value


@pytest.mark.parametrize("rdtype", ASKED)
def test_a_wrong_value_is_answered_with_parts_and_example(rdtype):
    row = TYPES[rdtype]
    with pytest.raises(InvalidRdata) as refusal:
        canonical(rdtype, "(", ZONE)
    assert str(refusal.value).endswith(f"; write {row.parts}, as in '{row.example}'")


@pytest.mark.parametrize("rdtype, host", WITH_HOST.items(), ids=WITH_HOST)
def test_the_host_is_made_absolute(rdtype, host):
    words = (TYPES[rdtype].example or "www").split()
    words[host - 1] = "Mail"
    assert canonical(rdtype, " ".join(words), ZONE).split()[host - 1] == "mail.example.com."


@pytest.mark.parametrize("rdtype", [name for name, row in TYPES.items() if row.is_text])
def test_nothing_at_all_is_a_text_where_a_service_may_show_it(rdtype):
    assert as_read(rdtype, "", ZONE) == '""'
