# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/guides/your_service.md and its example, at services with different habits."""

import re

import demo
import pytest
import reader
from documents import REPOSITORY

EXAMPLE = REPOSITORY / "docs" / "examples" / "check_service.yml"
GUIDE = REPOSITORY / "docs" / "guides" / "your_service.md"

HABITS = [
    ({}, "no habit", '"service.recommended": {}'),
    ({"parses": True}, "habit: it reads text without quotes", '"txt_format": "quoted"'),
    ({"keeps_quotes": True}, "habit: quotes become part", '"txt_format": "plain"'),
    ({"read_lag": 1, "ttl_min": 60}, "habit: it keeps TTLs of its own", "recommended"),
]


@pytest.mark.parametrize("habits, means, recommended", HABITS, ids=str)
def test_the_example_shows_what_the_service_does(tmp_path, service, habits, means, recommended):
    service.zone("example.com", demo.BEFORE)
    before = service.records("example.com")
    service.habits("example.com", **habits)
    done = reader.run(["ansible-playbook", str(EXAMPLE)], tmp_path, service)
    assert done.returncode == 0, done.stdout
    assert means in done.stdout
    assert recommended in done.stdout
    assert "changed=0" in done.stdout
    service.habits("example.com")
    assert service.records("example.com") == before


def test_the_guide_is_short_and_found():
    text = GUIDE.read_text(encoding="utf-8").partition("-->")[2]
    assert len(re.findall(r"\S+", text)) < 400
    second = (REPOSITORY / "README.md").read_text(encoding="utf-8").split("\n## ")[2]
    assert "docs/guides/your_service.md" in second
