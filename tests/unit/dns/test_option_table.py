# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What to do instead of leaving an option empty."""

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.option_table import (
    reason_against_empty,
)

EMPTY = [
    ("access_token", "set it, or ZONESMITH_ACCESS_TOKEN"),
    ("base_url", "set it, or ZONESMITH_BASE_URL"),
    ("dest", "name a folder"),
    ("name", "the zone itself is @"),
    ("owner", "leave it out, or name the owner"),
    ("plan_dir", "leave it out to write without a review, or name a folder"),
    ("state_dir", "leave it out, or give it a value"),
    ("type", "write one type, such as A, MX or TXT"),
]


@pytest.mark.parametrize("option, instead", EMPTY)
def test_an_option_that_is_empty(option, instead):
    assert reason_against_empty(option, option, {option: " "}) == f"{option} is empty: {instead}"
