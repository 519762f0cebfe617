# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The table of broken rules follows the code: what each replaces is there. ``broken_rules.py`` plays them."""

from __future__ import annotations

import pytest
from broken_rules import ALL, SOURCE, broken


@pytest.mark.parametrize("mutation", ALL, ids=[one.name for one in ALL])
def test_what_a_broken_rule_replaces_is_there_once(mutation):
    compile(broken(mutation, SOURCE), mutation.file, "exec")


def test_each_broken_rule_has_a_name_of_its_own():
    assert len({one.name for one in ALL}) == len(ALL)
