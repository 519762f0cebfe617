# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which names machines and zones can have as hosts of an inventory.

Whoever writes to a zone chooses them. ssh takes a leading hyphen for an option, and some names make Ansible run
commands on the controller.
"""

from __future__ import annotations

import re

_HOST = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
# Zones can have names that machines cannot: _acme.example.com, 0/25.2.0.192.in-addr.arpa (RFC 2317).
_ZONE = re.compile(r"[a-z0-9_](?:[a-z0-9_/-]{0,61}[a-z0-9_])?")
# inet_aton reads these as addresses: 127.1, 2130706433, 0x7f.1.
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")
_LONGEST_NAME = 253


def is_host_name(name: str) -> bool:
    """Whether a machine can have this lower-case name without a final dot (RFC 1123, section 2.1).

    Not the controller's (``localhost``, RFC 6761), addresses, or names without a dot, which can be groups in Ansible.
    """
    return _is_name(name, _HOST)


def is_zone_host(name: str) -> bool:
    """Whether a zone's lower-case name without a final dot can be a host."""
    return _is_name(name, _ZONE)


def _is_name(name: str, pattern: re.Pattern[str]) -> bool:
    labels = name.split(".")
    if len(name) > _LONGEST_NAME or len(labels) < 2:
        return False
    if "localhost" in (labels[0], labels[-1]) or _NUMBER.fullmatch(labels[-1]):
        return False
    return all(pattern.fullmatch(label) for label in labels)
