# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The switches: what the specification leaves open, and how the service is disturbed."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeGuard

CHOICES = {"txt_read": ("quoted", "plain"), "txt_write": ("any", "quoted", "raw"), "mx_read": ("full", "bare")}


def is_integer(value: object) -> TypeGuard[int]:
    """Whether a JSON value is an integer; to Python a bool is one too."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a JSON value is a number."""
    return is_integer(value) or isinstance(value, float)


@dataclasses.dataclass
class Settings:
    """Every switch that can be changed while the service runs."""

    token: str = "stand-in-token"
    latency: float = 0.0  # milliseconds
    txt_read: str = "quoted"
    txt_write: str = "any"
    mx_read: str = "full"
    lose_concurrent_writes: bool = False
    list_total_extra: int = 0

    def change(self, changes: Mapping[str, Any]) -> None:
        """Set some switches, all or none; ValueError tells what is wrong."""
        for name, value in changes.items():
            _check(name, value)
        for name, value in changes.items():
            setattr(self, name, value)

    def as_json(self) -> dict[str, Any]:
        """Return every switch with its value."""
        return dataclasses.asdict(self)


def _check(name: str, value: Any) -> None:
    match name:
        case "token":
            good, wanted = isinstance(value, str) and value != "", "a string that is not empty"
        case "latency":
            good, wanted = is_number(value) and value >= 0, "a number of milliseconds"
        case "txt_read" | "txt_write" | "mx_read":
            good, wanted = value in CHOICES[name], " or ".join(CHOICES[name])
        case "lose_concurrent_writes":
            good, wanted = isinstance(value, bool), "true or false"
        case "list_total_extra":
            good, wanted = is_integer(value), "a whole number"
        case _:
            raise ValueError(f"There is no setting {name}.")
    if not good:
        raise ValueError(f"{name} must be {wanted}, not {value!r}.")
