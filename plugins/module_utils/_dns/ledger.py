# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The ledger of a zone: what each owner wanted of it last, as plain frozen values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key

OWNER = re.compile(r"[A-Za-z0-9._@/-]{1,64}", re.ASCII)
"""What an owner can be called."""


class Claim(NamedTuple):
    """What an owner has of one record set: its canonical values, and the TTL in seconds, None where any will do.

    One that *is_begun* is of a run that has not come to its end as far as anybody knows: its values are what was wanted
    before and what is wanted since.
    """

    ttl: int | None
    values: tuple[str, ...]
    is_begun: bool = False


Claims = Mapping[Key, Claim]
"""What one owner has of a zone."""

Ledger = Mapping[str, Claims]
"""What all owners have of a zone, by their names. Nobody who has nothing is in it."""
