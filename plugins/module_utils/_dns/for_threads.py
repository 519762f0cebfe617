# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What threads read names and values with, imported before there is more than one.

Where two import a module at once, Python can give it to the second one before its package knows it by name.
"""

from __future__ import annotations

from contextlib import suppress

with suppress(ImportError):  # names.py keeps the error, module.py reports it
    import dns.ipv6
    import dns.ttl  # noqa: F401

    from ansible_collections.zonesmith.dns.plugins.module_utils._dns import read_values  # noqa: F401
