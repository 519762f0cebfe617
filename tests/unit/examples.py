# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How many examples of a property are tried: in the gates a fifth, and all where the unit tests run alone, as in CI."""

import os

IN_THE_GATES = "GATES" in os.environ


def some(number):
    """So many examples, and fewer in the gates."""
    return number // 5 if IN_THE_GATES else number
