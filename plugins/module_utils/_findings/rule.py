# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a rule is: a function from a zone to what is wrong with its sets, its name, and where that is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.zone_view import ZoneView

Severity = Literal["error", "warning", "info"]
"""``error`` surely does not work, ``warning`` is probably not meant, ``info`` is what one may want to know."""

Said = Iterator[tuple[Key, str]]
"""What a rule says: the key of a set, and a clause that says what is wrong with it."""

Find = Callable[[ZoneView], Said]


@dataclass(frozen=True)
class Rule:
    """One rule: how it is called, how bad it is, where it is written, what it says, and what finds it."""

    id: str
    severity: Severity
    source: str
    sentence: str
    find: Find


class Topic(list[Rule]):
    """The rules on one topic, in the order of the guide's table."""

    def add(self, rule: str, severity: Severity, source: str) -> Callable[[Find], Find]:
        """What makes a *rule* of that name of a function, whose first line of documentation is its sentence."""

        def made(find: Find) -> Find:
            self.append(Rule(rule, severity, source, (find.__doc__ or "").partition("\n")[0], find))
            return find

        return made
