# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Entries of a whole plan that speak of single values: given this zone and these entries, this zone after."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from ansible_collections.zonesmith.dns.plugins.plugin_utils._record_origins import merged_in_words

# Where entries of one set stand.


class Read(dict[str, Any]):
    """An entry as Ansible has read it from a file."""

    def __init__(self, path: str, line: int, record: dict[str, Any], *, is_old: bool = False):
        super().__init__(record)
        origin = type("Origin", (SimpleNamespace,), {})
        if is_old:
            self.ansible_pos = (path, line, 1)
        else:
            self._ansible_tags_mapping = {origin: origin(path=path, line_num=line), str: "other"}


WWW = {"name": "www", "type": "A", "content": "192.0.2.1"}
TOLD = (
    "Zone example.com: different files have entries for one set: www.example.com. A of records[0] (a.yml:1) and "
    "records[1] (b.yml:7); if each file lists only its own values, set exclusive to false in all these entries"
)


@pytest.mark.parametrize("is_old", [False, True])
@pytest.mark.parametrize(
    ("first", "second", "is_told"),
    [
        (("a.yml", WWW), ("b.yml", {**WWW, "name": "WWW.example.com."}), True),
        (("a.yml", WWW), ("b.yml", {**WWW, "exclusive": False}), True),
        (("a.yml", {**WWW, "replaces": "*"}), ("b.yml", {**WWW, "exclusive": False}), False),
        (("a.yml", WWW), ("a.yml", WWW), False),
        (("a.yml", WWW), ("b.yml", {**WWW, "type": "AAAA"}), False),
        (("a.yml", WWW), ("b.yml", {**WWW, "name": "a..b"}), False),
        (("a.yml", WWW), ("b.yml", {"name": "www"}), False),
    ],
)
def test_entries_of_different_files_for_one_set_are_told(
    first: Any, second: Any, is_told: bool, is_old: bool
) -> None:
    records = [
        Read(first[0], 1, first[1], is_old=is_old),
        Read(second[0], 7, second[1], is_old=is_old),
    ]
    found = [*merged_in_words({"zone": "example.com", "records": records})]
    assert found == ([TOLD] if is_told else [])
    assert [
        *merged_in_words({"zones": [{"zone": "example.com", "records": records}, "x"]})
    ] == found
    assert [
        *merged_in_words({"zone": "example.com", "records": [*map(dict, records), "x", None]})
    ] == []
    assert [*merged_in_words({"zone": None, "records": records})] == []
