# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reports mistakes in a plan that the service accepts (option ``findings``)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from .._dns.printable import printable, some_clauses
from .._dns.record_set import Sets
from .._plan.change import Change, PlanRefused
from .._plan.limits import UNLIMITED, Limits
from .options import InvalidOptions

if TYPE_CHECKING:
    from .._findings.findings import Ignored


def new_findings(
    zone: str,
    before: Sets,
    changes: Collection[Change],
    options: Mapping[str, Any],
    limits: Limits = UNLIMITED,
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the new findings of a *zone* (canonical) within the *limits*, as modules return them, and warnings.

    Raises PlanRefused for errors that the task refuses. Rules are imported only if something changes, to save time.
    """
    if options["findings"] == "off":
        return [], []
    from .._findings.findings import findings, warnings_of

    after = dict(before)
    for change in changes:
        if change.after:
            after[change.key] = change.after
        else:
            after.pop(change.key, None)
    every = findings(after, zone, ignored_findings(options), before)
    found = []
    for one in every:
        if one.key not in after or limits.is_about(after[one.key], zone):
            found.append(one)
    errors = [str(finding) for finding in found if finding.rule.severity == "error"]
    if errors and options["findings"] == "error":
        raise PlanRefused(
            f"findings is error, and the change would bring errors into the zone: {some_clauses(errors)}; fix "
            "them, list them in findings_ignore, or set findings to warn"
        )
    results = [finding.as_result() for finding in found]
    return results, warnings_of(found)


def ignored_findings(options: Mapping[str, Any]) -> Ignored | None:
    """Return the ignored findings, or None. Raises InvalidOptions."""
    if not options["findings_ignore"]:
        return None
    from .._findings.findings import Ignored

    globs = [(item["rule"], item["name"].lower()) for item in options["findings_ignore"]]
    ignored = Ignored(tuple(globs))
    of_none = ", ".join(ignored.of_no_rule())
    if of_none:
        raise InvalidOptions(
            f"findings_ignore names {printable(of_none)}, but there is no such rule"
        )
    return ignored
