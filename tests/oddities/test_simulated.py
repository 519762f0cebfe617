# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Every case, in a simulated world; test_oddities.py has a sample of them with real requests, time and kills."""

from __future__ import annotations

import pytest
from named import every, play
from stage import Stage
from stand_in import in_a_world


@pytest.mark.parametrize("name", every())
def test_ends_right(name: str) -> None:
    if wrong := in_a_world(lambda runs: play(name, Stage(0, runs))):
        pytest.fail("\n".join(wrong), pytrace=False)
