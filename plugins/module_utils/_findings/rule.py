# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rules: functions from a zone to what is wrong with its sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from .._dns.record_set import Key
from .._dns.zone_view import ZoneView, hosts

Severity = Literal["error", "warning", "info"]
"""``error`` certainly does not work, ``warning`` is probably a mistake, ``info`` is good to know."""

KeyedText = Iterator[tuple[Key, str]]
"""A set's key, with a clause about it, or one of its values."""

Find = Callable[[ZoneView], KeyedText]


@dataclass(frozen=True)
class Rule:
    id: str
    severity: Severity
    source: str
    sentence: str
    find: Find


def values(view: ZoneView, *types: str) -> KeyedText:
    """Each value of these types."""
    for one in view.of_type(*types):
        for value in one.values:
            yield one.key, value


def targets(view: ZoneView, *types: str) -> KeyedText:
    """Each host that sets of these types name."""
    for one in view.of_type(*types):
        for host in hosts(one):
            yield one.key, host


class Topic(list[Rule]):
    """The rules on one topic, in the order of the guide's table."""

    def add(self, rule: str, severity: Severity, source: str) -> Callable[[Find], Find]:
        """Make a rule of a function. The first line of its docstring is its sentence."""

        def made(find: Find) -> Find:
            documentation = find.__doc__ or ""
            sentence = documentation.partition("\n")[0]
            self.append(Rule(rule, severity, source, sentence, find))
            return find

        return made
