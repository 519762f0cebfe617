# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The zones of the account that a task does not have: made by hand, or left when their file went."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError, clause
from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.globs import ZoneGlobs
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable_part, some_names
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import can_match, globs_of
from ansible_collections.zonesmith.dns.plugins.module_utils._run.unmet import told_of_unmet

UNMANAGED: dict[str, dict[str, Any]] = {
    "unmanaged": {"type": "str", "choices": ["warn", "error", "ignore"]},
    "unmanaged_ignore": {"type": "list", "elements": "str", "default": []},
}
"""The options that Unmanaged takes, as an argument spec. Without the first, it is warned of what a folder lacks."""


class Unmanaged:
    """What the list of the account has and a task has not, as far as the task wants to hear of it."""

    def __init__(self, options: Mapping[str, Any]):
        src = options["src"]
        self._mode: str = options["unmanaged"] or ("ignore" if src is None else "warn")
        self._lack = "that the task does not list" if src is None else f"without a file in {printable_part(src)}"
        self._meant = ZoneGlobs(options["unmanaged_ignore"])
        self._limit = None if options["limit"] is None else ZoneGlobs(options["limit"])
        self._only = globs_of(options["only"])
        self._options = options
        self._unmet: set[int] = set()
        self._names: list[str] = []
        self._untold = ""
        self._is_known = False
        self.status_code: int | None = None
        """Of the answer that was no list."""

    @property
    def is_asked_for(self) -> bool:
        """Whether the list is to be read: who ignores what it has makes no request."""
        return self._mode != "ignore"

    def look(self, client: Client, managed: Collection[str]) -> None:
        """Read the list, and see which zones are not among the *managed* ones (canonical).

        The list can be a part of all, and nobody knows how to ask for the others. How many of them are not managed can
        be told all the same: all but the managed ones that are not in it, which the task reads one by one.
        """
        try:
            zones, total = client.listed()
        except ServiceError as error:
            self._untold = f"whether the account has zones {self._lack} cannot be told, {clause(error)}"
            self.status_code = error.status_code
            return
        listed = {zone.canonical for zone in zones}
        names = [name.removesuffix(".") for name in sorted(listed - {*managed})]
        self._names = [name for name in names if self._is_looked_at(name) and not self._meant.meet(name)]
        remaining = total - len(zones) - len({*managed} - listed)
        if self._limit:  # of those that are not in the list, the others may be managed, and are not looked at
            remaining = total - len(zones)
        self._is_known = remaining <= 0
        if self._is_known:
            self._unmet = self._meant.unmet(listed | {*managed})
        elif self._limit:
            self._untold = (
                f"whether limit matches more zones {self._lack} cannot be told, since the service lists {len(zones)} "
                f"of {total} zones"
            )
        else:
            self._untold = (
                f"the account has {remaining} more {self._lack}, whose names cannot be told, since the service lists "
                f"{len(zones)} of {total} zones"
            )

    def _is_looked_at(self, name: str) -> bool:
        """Whether the task would look at the zone if it had a file: the sets that it is only about could be in it."""
        is_in_limit = self._limit is None or self._limit.meet(name)
        return is_in_limit and (not self._only or any(can_match(glob, f"{name}.") for glob in self._only))

    @property
    def result(self) -> dict[str, Any]:
        """What the module returns of it: the names, or None where nobody can tell whether there are any."""
        return {"unmanaged": self._names if self._names or self._is_known else None} if self.is_asked_for else {}

    @property
    def warnings(self) -> list[str]:
        """What people are told where it is no error, and of the globs that meet no zone of the whole account."""
        unmet = told_of_unmet(self._options, {"unmanaged_ignore": self._unmet}, "the account")
        return [*(self._sentences() if self._mode == "warn" else ()), *unmet]

    @property
    def refusal(self) -> str:
        """Why nothing may be written, in clauses; empty where nothing is against it."""
        told = "; ".join(self._sentences()) if self._mode == "error" else ""
        way_out = "name those that are meant in unmanaged_ignore, or set unmanaged to warn"
        return f"{told}; {way_out}" if told else ""

    def _sentences(self) -> Iterator[str]:
        if self._names:
            zones = "1 zone" if len(self._names) == 1 else f"{len(self._names)} zones"
            yield f"the account has {zones} {self._lack}: {some_names([*map(printable_part, self._names)])}"
        if self._untold:
            yield self._untold
