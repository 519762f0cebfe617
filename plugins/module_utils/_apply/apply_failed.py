# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How a plan ends that was not carried out whole, which also who never fails so has to know; its words are apart."""

from __future__ import annotations

from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change


class ApplyFailed(Exception):
    """A plan was not carried out whole: what was tried, why it failed, and what the set holds now, in one clause.

    *changes* is what changed all the same; *applied*, *failed* and *not_attempted* are the keys of the planned sets;
    *unfinished* is what was planned for those that the next run may complete, or whose state is not known.
    """

    def __init__(
        self,
        reason: str,
        status_code: int | None = None,
        changes: tuple[Change, ...] = (),
        applied: tuple[Key, ...] = (),
        failed: tuple[Key, ...] = (),
        not_attempted: tuple[Key, ...] = (),
        unfinished: tuple[Change, ...] = (),
    ):
        super().__init__(reason)
        self.status_code = status_code
        self.changes = changes
        self.applied = applied
        self.failed = failed
        self.not_attempted = not_attempted
        self.unfinished = unfinished
        self.findings: list[dict[str, Any]] = []
        """What *changes* bring, as modules return it, where somebody has judged them."""


def unexpected(error: Exception) -> str:
    """An error that nobody has words for, in one clause."""
    return printable(" ".join(f"{type(error).__name__} {error}".split())).rstrip(".")
