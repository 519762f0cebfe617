# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is raised of a zone file that cannot be used."""

from __future__ import annotations


class InvalidZoneFile(ValueError):
    """A zone file, or a record for one, that cannot be used; names the line or the record."""
