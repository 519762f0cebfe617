# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/guides/your_service.md and its example, at services with different habits."""

import demo
import pytest
from reader import Folder

HABITS = [
    ({}, "no habit", '"service.recommended": {}'),
    ({"keeps_quotes": True}, "habit: quotes become part", '"txt_format": "plain"'),
]


@pytest.mark.parametrize("habits, means, recommended", HABITS, ids=str)
def test_the_example_shows_what_the_service_does(tmp_path, service, habits, means, recommended):
    service.zone("example.com", demo.BEFORE)
    before = service.records("example.com")
    service.habits("example.com", **habits)
    printed = Folder(tmp_path, ".", service).play("check_service.yml")
    for words in (means, recommended, "changed=0"):
        assert words in printed
    service.habits("example.com")
    assert service.records("example.com") == before
