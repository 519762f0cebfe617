# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whatever is in a zone file, or in a list that should become one: a value, or an error that names the place."""

from ansible.errors import AnsibleFilterError
from hostile import JSON, NAMES, NUMBERS, TEXTS, TYPES, VALUES, ZONE, ZONE_FILES, mostly
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.zonesmith.dns.plugins.filter.from_zone_file import from_zone_file
from ansible_collections.zonesmith.dns.plugins.filter.to_zone_file import to_zone_file

ZONE_NAMES = mostly(st.just(ZONE), st.one_of(TEXTS, JSON))


STYLES = st.sampled_from(["pretty", "plain"])


@given(text=mostly(ZONE_FILES), zone=ZONE_NAMES, style=STYLES)
def test_any_zone_file(text, zone, style):
    """What is read can be written, unless it cannot be seen, and reads back the same."""
    try:
        records = from_zone_file(text, zone)
    except AnsibleFilterError as error:
        assert str(error).isprintable()
        return
    try:
        written = to_zone_file(records, zone, style)
    except AnsibleFilterError as error:
        assert "invisible characters" in str(error)
        assert not all(value.isprintable() for record in records for value in record["content"])
        return
    assert all(line.replace("\t", " ").isprintable() for line in written.split("\n"))
    again = from_zone_file(written, zone)
    assert _values(again) == _values(records)


def _values(records):
    return {
        (record["name"], record["type"]): (record["ttl"], sorted(record["content"]))
        for record in records
    }


ROWS = st.fixed_dictionaries(
    {
        "name": mostly(NAMES),
        "type": mostly(TYPES),
        "ttl": mostly(NUMBERS),
        "content": mostly(st.lists(VALUES, max_size=3)),
    },
    optional={"priority": mostly(st.none()), "state": JSON},
)


@given(
    text=mostly(ZONE_FILES, st.none()),
    rows=mostly(st.lists(mostly(ROWS), max_size=4)),
    zone=ZONE_NAMES,
)
def test_any_rows_over_any_file(text, rows, zone):
    """A file that holds the rows and is edited no further, or an error in words."""
    try:
        written = to_zone_file(rows, zone, over=text)
    except AnsibleFilterError as error:
        assert str(error).isprintable()
        return
    if text is None:
        from_zone_file(written, zone)
    else:
        assert to_zone_file(rows, zone, over=written) == written
