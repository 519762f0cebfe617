# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where in the files of a zone a set goes that is new there: below its own name, or the name that is nearest."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_layout import labels_of, order_of

_Place = TypeVar("_Place")


class Neighbours(Generic[_Place]):
    """The places of the sets that the files of a *zone* (canonical) have, each in the order of its file."""

    def __init__(self, zone: str, places: Iterable[tuple[Key, _Place]]):
        self._zone = zone
        self._at_name: dict[str, list[tuple[Key, _Place]]] = defaultdict(list)
        for key, place in places:
            self._at_name[key.name].append((key, place))
        # Below each end of names, all names in the order of people.
        self._below: dict[tuple[str, ...], list[tuple[Any, str]]] = defaultdict(list)
        for order, name in sorted((self._order(name), name) for name in self._at_name):
            labels = labels_of(name)
            for length in range(len(labels_of(zone)), len(labels) + 1):
                self._below[labels[:length]].append((order, name))

    def _order(self, name: str) -> Any:
        return order_of(Key(name, ""), self._zone)[0]

    def nearest(self, key: Key) -> _Place | None:
        """The place below which a new set goes; None where there is no set at all.

        At its own name that is the last of those that come before it, and else of all. Of other names those count
        that end as it does in the most labels, and among them the last before it, else the first.
        """
        if at_name := self._at_name.get(key.name):
            before = [place for other, place in at_name if order_of(other, self._zone) <= order_of(key, self._zone)]
            return before[-1] if before else at_name[-1][1]
        labels, order = labels_of(key.name), self._order(key.name)
        for length in range(len(labels) - 1, len(labels_of(self._zone)) - 1, -1):
            if names := self._below.get(labels[:length]):
                found = bisect_right(names, (order, key.name))
                return self._at_name[names[max(found - 1, 0)][1]][-1][1]
        return None
