# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""All rules, which find what a service accepts and the internet does not.

To add a rule, write a function from a ``ZoneView`` to keys and sentences, in the file of its topic, under
``RULES.add``. The first line of its docstring is its sentence; ``make findings`` writes it into the table in
docs/guides/findings.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from .._dns.globs import matches_name
from .._dns.names import spellings
from .._dns.printable import SHOWN_CLAUSES, printable, printable_part
from .._dns.record_set import Key, RecordSet
from .._dns.slips import question
from .._dns.zone_view import ZoneView
from . import cuts, hosts, mail, reverse, spf, values
from .rule import Rule, Severity

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
TOPICS = (hosts.RULES, cuts.RULES, spf.RULES, mail.RULES, values.RULES, reverse.RULES)
"""In the order of the guide."""

RULES: tuple[Rule, ...] = tuple(rule for topic in TOPICS for rule in topic)


class CannotJudge(ValueError):
    """A rule fails on the content of a zone. One clause."""


@dataclass(frozen=True)
class Finding:
    rule: Rule
    key: Key
    message: str

    def __str__(self) -> str:
        return f"{' '.join(self.key)}: {self.message} ({self.rule.id}, {self.rule.source})"

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
        return any(
            fnmatchcase(finding.rule.id, rules)
            and (names == "*" or matches_name(names, spellings(finding.key.name, zone)))
            for rules, names in self.globs
        )

    def leaves_out(self, rule: Rule) -> bool:
        """Whether the rule is ignored everywhere."""
        return any(names == "*" and fnmatchcase(rule.id, rules) for rules, names in self.globs)

    def unmatched(self, names: Collection[str], zone: str) -> set[int]:
        """The positions of globs without a match."""
        known = [spellings(name, zone) for name in names]
        return {
            at
            for at, (_rules, glob) in enumerate(self.globs)
            if glob != "*" and not any(matches_name(glob, spelled) for spelled in known)
        }

    def of_no_rule(self) -> list[str]:
        """The rule globs that match no rule, each with a suggestion."""
        known = [rule.id for rule in RULES]
        none = [
            rules
            for rules, _names in self.globs
            if not any(fnmatchcase(rule, rules) for rule in known)
        ]
        return [f"{printable_part(rules)}{question(rules, known)}" for rules in none]


def findings(
    sets: Mapping[Key, RecordSet],
    zone: str,
    ignored: Ignored | None = None,
    unjudged: set[str] | None = None,
    before: Mapping[Key, RecordSet] | None = None,
) -> list[Finding]:
    """The findings in canonical sets, the worst first, then by name.

    *sets* are the whole zone; SOA and NS at the apex may be missing. With the sets *before* a change, only what it
    brings is found. *unjudged* gets the rules that fail on either; without it, the first raises CannotJudge.
    """
    view = ZoneView(sets, zone, before)
    found: set[Finding] = set()
    for rule in RULES:
        if ignored and ignored.leaves_out(rule):
            continue
        try:
            of_rule = [
                Finding(rule, key, printable_part(clause)) for key, clause in rule.find(view)
            ]
        except Exception as error:
            if unjudged is None:
                raise CannotJudge(in_words(rule.id, "ignore")) from error
            unjudged.add(rule.id)
        else:
            found.update(one for one in of_rule if not (ignored and ignored.ignores(one, zone)))
    if found and before is not None:
        found.difference_update(findings(before, zone, ignored, unjudged))
    return sorted((one for one in found if one.rule.id not in (unjudged or ())), key=_order)


def in_words(rule: str, option: str) -> str:
    """The message about a *rule* that fails."""
    return (
        f"the rule {rule} failed, so its findings are missing: report the bug, with the zone as dns_zone_info returns "
        f"it, and list {rule} in {option} meanwhile"
    )


def warnings_of(zone: str, found: Collection[Finding]) -> Iterator[str]:
    """The first findings that are more than information, and how many more there are."""
    shown = [str(finding) for finding in found if finding.rule.severity != "info"]
    yield from shown[:SHOWN_CLAUSES]
    if remaining := len(shown[SHOWN_CLAUSES:]):
        more = "is 1 more finding" if remaining == 1 else f"are {remaining} more findings"
        yield f"there {more} in {printable(zone.rstrip('.'))}, see findings in the result"


def _order(finding: Finding) -> tuple[int, list[str], str, str, str]:
    """The worst first, then names by their labels from the right (RFC 4034, section 6.1)."""
    name, rdtype = finding.key
    severity = SEVERITIES.index(finding.rule.severity)
    return severity, name.rstrip(".").split(".")[::-1], rdtype, finding.rule.id, finding.message
