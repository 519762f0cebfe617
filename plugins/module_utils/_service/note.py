# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What processes tell each other, and the next run, of a service: a note of a few parts, each of which may be wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Protocol

PACE = "pace"
UNDER_WAY = "under_way"
PARTS = (PACE, UNDER_WAY)


class Note(Protocol):
    """What is kept of a service for all who ask it. Nothing is raised: a note that cannot be had is empty.

    Its times are by a clock that is *ahead* of this machine's (seconds), as far as was seen when it was read last.
    """

    ahead: float

    def read(self) -> bytes:
        """What it says now."""

    def change(self, to: Callable[[bytes], bytes]) -> None:
        """Have it say what is made of what it says; it is made once, with nothing where there is no note."""

    def keep(self) -> None:
        """Have others see by now what it was changed to."""


def part_of(content: bytes, name: str) -> Any:
    """A part of what a note says, as it stands there; None where there is none."""
    return _parts(content).get(name)


def with_part(content: bytes, name: str, part: Any) -> bytes:
    """What a note says from now on."""
    return json.dumps({**_parts(content), name: part}).encode()


def _parts(content: bytes) -> dict[str, Any]:
    try:
        parts = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return {name: parts[name] for name in PARTS if name in parts} if isinstance(parts, dict) else {}
