# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The switches: what the specification leaves open, and how the service is disturbed."""

from __future__ import annotations

import dataclasses


def is_integer(value):
    """Whether a JSON value is an integer; to Python a bool is one too."""
    return isinstance(value, int) and not isinstance(value, bool)


@dataclasses.dataclass
class Settings:
    """Every switch that can be changed while the service runs."""

    token: str = "stand-in-token"
    latency: float = 0.0  # milliseconds
    txt_read: str = "quoted"
    txt_write: str = "any"
    mx_read: str = "full"
    lose_concurrent_writes: bool = False
    list_total_extra: int = 0

    def change(self, changes):
        """Set some switches, all or none; TypeError tells of one that is not there."""
        vars(self).update(vars(dataclasses.replace(self, **changes)))

    def as_json(self):
        """Return every switch with its value."""
        return dataclasses.asdict(self)
