# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs the module dns_records in Ansible's own worker where that gives the same result."""

from __future__ import annotations

from ..modules.dns_records import (
    OPTIONS,
    converge_record_sets,
)
from ..plugin_utils._direct import DirectAction


class ActionModule(DirectAction):
    """The action of dns_records."""

    options = OPTIONS
    perform = staticmethod(converge_record_sets)
