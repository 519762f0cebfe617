# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""All rules, which find what a service accepts and the internet does not.

To add a rule, write a function from a ``ZoneView`` to keys and sentences, in the file of its topic, under
``RULES.add``. The first line of its docstring is its sentence; ``make findings`` writes it into the table in
docs/guides/findings.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from .._dns.globs import matches_glob, matches_name
from .._dns.names import spellings
from .._dns.printable import printable_part, some_warnings
from .._dns.record_set import Key, RecordSet
from .._dns.slips import question
from .._dns.zone_view import ZoneView
from . import cuts, hosts, mail, reverse, spf, values
from .rule import Rule, Severity

SEVERITIES = get_args(Severity)
TOPICS = (hosts.RULES, cuts.RULES, spf.RULES, mail.RULES, values.RULES, reverse.RULES)
"""In the order of the guide."""

_ANY = "*"

RULES: tuple[Rule, ...] = tuple(rule for topic in TOPICS for rule in topic)


@dataclass(frozen=True)
class Finding:
    rule: Rule
    key: Key
    message: str

    def __str__(self) -> str:
        return (
            f"{self.key.name} {self.key.type}: {self.message} ({self.rule.id}, {self.rule.source})"
        )

    def as_result(self) -> dict[str, Any]:
        return {
            "rule": self.rule.id,
            "severity": self.rule.severity,
            "name": self.key.name,
            "type": self.key.type,
            "message": self.message,
            "source": self.rule.source,
        }


@dataclass(frozen=True)
class Ignored:
    """Globs for rule and name."""

    globs: tuple[tuple[str, str], ...] = ()

    def ignores(self, finding: Finding, zone: str) -> bool:
        """Whether a glob matches; its name may be relative, or absolute with or without a final dot."""
        for rules, names in self.globs:
            if not matches_glob(finding.rule.id, rules):
                continue
            if matches_name(names, spellings(finding.key.name, zone)):
                return True
        return False

    def leaves_out(self, rule: Rule) -> bool:
        """Whether the rule is ignored everywhere."""
        everywhere = [rules for rules, names in self.globs if names == _ANY]
        return any(matches_glob(rule.id, rules) for rules in everywhere)

    def of_no_rule(self) -> list[str]:
        """The rule globs that match no rule, each with a suggestion."""
        known = [rule.id for rule in RULES]
        found = []
        for rules, _names in self.globs:
            if not any(matches_glob(rule, rules) for rule in known):
                found.append(f"{printable_part(rules)}{question(rules, known)}")
        return found


def findings(
    sets: Mapping[Key, RecordSet],
    zone: str,
    ignored: Ignored | None = None,
    before: Mapping[Key, RecordSet] | None = None,
) -> list[Finding]:
    """The findings in canonical sets, the worst first, then by name.

    *sets* are the whole zone; SOA and NS at the apex may be missing. With the sets *before* a change, only what it
    brings is found. A rule that fails is a warning.
    """
    ignored = ignored or Ignored()
    rules = [rule for rule in RULES if not ignored.leaves_out(rule)]
    failed: set[str] = set()
    found = _found(ZoneView(sets, zone, before), rules, failed)
    if found and before is not None:
        found -= _found(ZoneView(before, zone), rules, failed)
    told = []
    for one in found:
        if one.rule.id not in failed and not ignored.ignores(one, zone):
            told.append(one)
    for name in failed:
        clause = (
            f"the rule {name} failed, so its findings are missing: report the bug, with the zone as "
            f"dns_zone_info returns it, and ignore {name} meanwhile"
        )
        told.append(Finding(FAILED, Key(zone, "SOA"), clause))
    return sorted(told, key=_order)


def _found(view: ZoneView, rules: Iterable[Rule], failed: set[str]) -> set[Finding]:
    found = set()
    for rule in rules:
        try:
            for key, clause in rule.find(view):
                found.add(Finding(rule, key, printable_part(clause)))
        except Exception:  # noqa: BLE001 - a bug in a rule must end no task
            failed.add(rule.id)
    return found


FAILED = Rule("rule-failed", "warning", "a bug", "A rule fails.", lambda _view: iter(()))


def warnings_of(found: Collection[Finding]) -> list[str]:
    """The first findings that are more than information, and how many more there are."""
    told = [str(finding) for finding in found if finding.rule.severity != "info"]
    return some_warnings(told, "findings in the result")


def _order(finding: Finding) -> tuple[int, list[str], str, str, str]:
    """The worst first, then names by their labels from the right (RFC 4034, section 6.1)."""
    severity = SEVERITIES.index(finding.rule.severity)
    labels = finding.key.name.split(".")[::-1]
    return severity, labels, finding.key.type, finding.rule.id, finding.message
