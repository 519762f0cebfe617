# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The error of what may not be planned, which every step after the plan knows."""

from __future__ import annotations


class PlanRefused(Exception):
    """A plan that would leave the zone wrong, or that is too large to be meant; says which sets, and what to do."""
