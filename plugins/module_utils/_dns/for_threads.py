# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What threads read names and values with, to be imported before there is more than one.

Where two import a module at once, Python can give it to the second one before its package knows it by name.
"""

from __future__ import annotations

from types import ModuleType


def imported() -> tuple[ModuleType, ...]:
    """The modules, imported by now; none where dnspython is missing, which is told elsewhere."""
    try:
        import dns.ipv6
        import dns.ttl

        from ansible_collections.zonesmith.dns.plugins.module_utils._dns import read_values
    except ImportError:
        return ()
    return dns.ipv6, dns.ttl, read_values
