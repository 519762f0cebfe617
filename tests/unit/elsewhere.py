# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A store whose clock is an hour ahead, as that of a database can be."""

from __future__ import annotations

from dataclasses import replace

from ansible_collections.zonesmith.dns.plugins.module_utils._state.files import FileStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import Look

AHEAD = 3600.0


class Elsewhere(FileStore):
    """A store with a clock of its own."""

    closed = 0

    def look(self, *, with_ledger: bool = False) -> Look:
        """What the files show, and how much the clock differs."""
        return replace(super().look(with_ledger=with_ledger), ahead=AHEAD)

    def close(self) -> None:
        """Count it."""
        self.closed += 1
