# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a run tells those who listen to the channel of a database: which zone, and what became of it.

It is JSON, and an object, because the sources of Event-Driven Ansible end at anything else.
"""

from __future__ import annotations

import json

LONGEST = 7_000
"""Bytes, of the fewer than 8,000 that PostgreSQL takes ("NOTIFY"), and of the 7 KiB that rulebooks send at once."""


def news_of(zone: str, state: str, service: str) -> str:
    """The news that *zone* (canonical) of the *service*, its URL, is in that *state*, in ASCII without a NUL."""
    news = {"zone": zone.rstrip("."), "state": state, "service": service}
    text = json.dumps(news)
    return text if len(text) <= LONGEST else json.dumps({**news, "service": None})
