# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a plan brings into a zone that is legal for the service and wrong for the internet (option ``findings``)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import SHOWN_CLAUSES, printable, some_clauses
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import LiveSets
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change, PlanRefused, canonical_set
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import UNLIMITED, Limits
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import InvalidOptions

if TYPE_CHECKING:
    from ansible_collections.zonesmith.dns.plugins.module_utils._findings.findings import Finding, Ignored

TOLD = ("error", "warning")


class FindingsReport:
    """What the plans of one zone bring, as far as the options of the task want to hear of it.

    The rules are imported where something changes, or findings_ignore is set: other runs do not pay for them.
    """

    def __init__(self, zone: str, options: Mapping[str, Any], limits: Limits = UNLIMITED):
        """Of sets that the task is not about, as its *limits* tell, nothing is told. Raises InvalidOptions."""
        self._zone = zone
        self._limits = limits
        self._mode = options["findings"]
        globs = options["findings_ignore"]
        self._ignored = _ignored(globs) if globs else None
        self._judged: tuple[LiveSets, tuple[Change, ...]] = ({}, ())
        self._found: list[Finding] = []
        self._unjudged: list[str] = []

    def of(self, live: LiveSets, changes: tuple[Change, ...]) -> None:
        """Judge a plan from these live sets, the last one counts. Raises PlanRefused where it brings an error.

        A rule that cannot judge is no error.
        """
        if self._mode == "off":
            return
        if self._judged != (live, changes):  # the same plan is made again under the lock
            self._judge(live, changes)
        errors = [finding for finding in self._found if finding.rule.severity == "error"]
        if errors and self._mode == "error":
            told = some_clauses([*map(_in_words, errors)])
            raise PlanRefused(
                f"findings is error, and the change would bring {len(errors)} into the zone: {told}: mend them, list "
                "them in findings_ignore, or set findings to warn"
            )

    def _judge(self, live: LiveSets, changes: tuple[Change, ...]) -> None:
        self._judged, self._found, self._unjudged = (live, changes), [], []
        if not changes:
            return
        from ansible_collections.zonesmith.dns.plugins.module_utils._findings.findings import in_words, new_findings

        before = {key: canonical_set(live_set, self._zone) for key, live_set in live.items()}
        ends = {change.key: change.after for change in changes}
        after = {key: one for key, one in {**before, **ends}.items() if one}
        unjudged: set[str] = set()
        found = new_findings(before, after, self._zone, self._ignored, unjudged=unjudged)
        self._unjudged = [in_words(rule, "findings_ignore") for rule in sorted(unjudged)]
        self._found = [one for one in found if self._limits.is_about(after[one.key], self._zone)]

    def unmet(self, names: Collection[str]) -> set[int]:
        """The places of the entries of findings_ignore that match none of these owner names (canonical)."""
        return self._ignored.unmatched(names, self._zone) if self._ignored else set()

    def let_go(self) -> None:
        """Keep no more of the zone than what was found."""
        self._judged = ({}, ())

    @property
    def warnings(self) -> Iterator[str]:
        """What people are told of the last plan."""
        told = [finding for finding in self._found if finding.rule.severity in TOLD]
        yield from map(_in_words, told[:SHOWN_CLAUSES])
        if len(told) > SHOWN_CLAUSES:
            remaining = len(told) - SHOWN_CLAUSES
            findings = "is 1 more finding" if remaining == 1 else f"are {remaining} more findings"
            yield f"there {findings} in {printable(self._zone.rstrip('.'))}, see findings in the result"
        yield from self._unjudged

    @property
    def result(self) -> list[dict[str, Any]]:
        """All findings of the last plan, as modules return them."""
        return [finding.as_result() for finding in self._found]


def _ignored(entries: list[Mapping[str, Any]]) -> Ignored:
    from ansible_collections.zonesmith.dns.plugins.module_utils._findings.findings import Ignored

    ignored = Ignored(tuple((entry["rule"], entry["name"].lower()) for entry in entries))
    if of_none := ignored.of_no_rule():
        raise InvalidOptions(f"findings_ignore names {printable(', '.join(of_none))}, and there is no such rule")
    return ignored


def _in_words(finding: Finding) -> str:
    return f"{' '.join(finding.key)}: {finding.message} ({finding.rule.id}, {finding.rule.source})"
