# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a task wants of one zone and how far it may go, and the plan that follows for what the zone holds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import LONGEST_TIMEOUT
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.look import Outcome
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, LiveSets, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Document, spent
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change, PlanRefused, canonical_set
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import Limits
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan, plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ttl import kept_ttls_in_words, with_kept_ttls
from ansible_collections.zonesmith.dns.plugins.module_utils._run.findings_report import FindingsReport
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import Invocation
from ansible_collections.zonesmith.dns.plugins.module_utils._run.owner import owner_of
from ansible_collections.zonesmith.dns.plugins.module_utils._threads import Threads

if TYPE_CHECKING:
    from ansible_collections.zonesmith.dns.plugins.module_utils._apply.run import Settings
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ledger import LedgerStep
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.owners import Owner
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.reviewed import Reviewed
    from ansible_collections.zonesmith.dns.plugins.module_utils._run.plan_dir import PlanFile
    from ansible_collections.zonesmith.dns.plugins.module_utils._run.unmet import Unmet
    from ansible_collections.zonesmith.dns.plugins.module_utils._run.waiting import Waiting


@dataclass(frozen=True)
class ZoneTask:
    """A task about one zone (canonical). *zones* are the canonical names of all zones that it is about."""

    zone: str
    invocation: Invocation
    wanted: Sequence[Desired]
    limits: Limits
    zones: Collection[str]
    owner: Owner | None
    findings: FindingsReport
    waiting: Waiting | None
    """Whom the task asks at its end; None where it says nothing of it."""
    plan_file: PlanFile | None
    reviewed: Reviewed | None

    @classmethod
    def of(cls, invocation: Invocation, wanted: Iterable[Desired], limits: Limits, zones: Collection[str]) -> ZoneTask:
        """The task that the options say. Raises InvalidOptions."""
        options, zone = invocation.options, invocation.zone
        plan_file = plan_file_of(invocation)
        return cls(
            zone,
            invocation,
            [*wanted],
            limits,
            zones,
            owner_of(options),
            FindingsReport(zone, options, limits),
            _waiting(zone, invocation),
            plan_file,
            plan_file.reviewed() if plan_file and not invocation.check_mode else None,
        )

    @property
    def is_waited_for(self) -> bool:
        """Whether the run waits for name servers."""
        return self.waiting is not None and self.waiting.is_asked_for

    @property
    def is_bounded(self) -> bool:
        """Whether the task says how far it may go in what is new to it, too."""
        return self.reviewed is not None or self.limits.bound_what_is_new

    def settings(self, threads: Threads) -> Settings:
        """How the plan is carried out."""
        from ansible_collections.zonesmith.dns.plugins.module_utils._apply.run import Settings

        reviewed = self.reviewed.digest if self.reviewed else ""
        return Settings(self.invocation.options["txt_format"], threads, self.plan_again, self._refuse_further, reviewed)

    def make_plan(self, live: LiveSets, document: Document) -> Plan:
        """The plan for what the zone holds, and what is to be said of it. Raises PlanRefused."""
        if self.waiting:
            self.waiting.find_servers(live)
        planned = self.plan_again(live, document)
        if self.limits.ttl_max:
            from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ttl import cached

            planned = planned._replace(cached=cached(self.zone, live, planned.changes))
        self.findings.of(live, planned.changes)
        if any(change.action == "rebuild" for change in planned.changes):
            self.invocation.warn_of_an_early_end()
        if not planned.changes:
            return planned
        from ansible_collections.zonesmith.dns.plugins.module_utils._plan.doubts import whole_names

        doubts = whole_names(self.zone, live, planned.changes, self.zones)
        return planned._replace(warnings=(*planned.warnings, *doubts))

    def plan_again(self, live: LiveSets, document: Document) -> Plan:
        """The plan for what the zone holds, within the limits of the task. Raises PlanRefused."""
        wishes: Sequence[Desired] = self.wanted
        if maxima := self.limits.ttl_max:
            from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ttl import with_ttl_max

            wishes = [with_ttl_max(one, live.get(one.key), maxima, self.zone) for one in wishes]
        plan_for = self._planned_for_owner if self.owner else self._planned
        planned = plan_for(wishes, live, document)
        self._refuse_unreviewed(live, planned, document)
        return planned

    def _planned(self, wishes: Sequence[Desired], live: LiveSets, document: Document) -> Plan:
        if document.ledger and not self.invocation.options.get("takeover"):
            from ansible_collections.zonesmith.dns.plugins.module_utils._plan.without_owner import planned_without_owner

            planned = planned_without_owner(
                self.zone,
                live,
                wishes,
                document.ledger,
                self.limits,
                document.preferences,
                lambda wanted, limits: self._planned_to(wanted, limits, live, document),
            )
        else:
            planned = self._planned_to(wishes, self.limits, live, document)
        return planned._replace(awaited=tuple(wishes))

    def _planned_to(self, wanted: Iterable[Desired], limits: Limits, live: LiveSets, document: Document) -> Plan:
        of_zone = (limits, self.invocation.options["service_owned"], document.preferences)
        wanted, kept = with_kept_ttls(wanted, live, document.kept_ttls)
        planned = plan(self.zone, live, wanted, *of_zone)
        if (maxima := self.limits.ttl_max) and planned.changes:
            from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ttl import with_ttl_asked_for

            changes = tuple(with_ttl_asked_for(change, maxima, self.zone) for change in planned.changes)
            planned = planned._replace(changes=changes)
        return planned._replace(warnings=(*planned.warnings, *kept_ttls_in_words(kept)))

    def _planned_for_owner(self, wishes: Sequence[Desired], live: LiveSets, document: Document) -> Plan:
        """The plan where others may have values in the zone too."""
        from ansible_collections.zonesmith.dns.plugins.module_utils._plan.owners import (
            beside_others,
            desired_by_owner,
            with_reasons,
        )

        owner, known, kept = self.owner, document.preferences, document.kept_ttls
        if owner is None:
            raise AssertionError("it is asked for an owner alone")
        owned = desired_by_owner(owner, self.zone, live, wishes, document.ledger or None, self.limits, known, kept)
        planned = self._planned_to(owned.desired, owned.limits, live, document)
        planned = with_reasons(self.zone, live, planned, owner, owned, kept)
        told = self._told_of(owner, live, planned.ledger)
        awaited = tuple(map(beside_others, owned.desired)) if self.is_waited_for else ()
        return planned._replace(warnings=(*planned.warnings, *told), awaited=awaited)

    def _told_of(self, owner: Owner, live: LiveSets, step: LedgerStep | None) -> Iterator[str]:
        """What people are told of a step of the ledger."""
        from ansible_collections.zonesmith.dns.plugins.module_utils._run.told_of_owner import (
            told_of_ledger,
            told_of_release,
        )

        if step and owner.release:
            yield from told_of_release(self.zone, self.wanted, step)
        elif step:
            yield from told_of_ledger(self.zone, live, step, self.invocation.ends_early, prunes=self.limits.prune)

    def _refuse_further(self, live: LiveSets, planned: Sequence[Change], again: Sequence[Change]) -> None:
        if self.is_bounded:
            from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import refuse_further

            refuse_further(self.zone, live, planned, again, self.limits)

    def _refuse_unreviewed(self, live: LiveSets, planned: Plan, document: Document) -> None:
        if not (self.reviewed and self.plan_file):
            return
        from ansible_collections.zonesmith.dns.plugins.module_utils._plan.reviewed import (
            differences,
            in_one_sentence,
            spent_in_one_sentence,
        )

        def live_set(key: Key) -> RecordSet | None:
            return canonical_set(live[key], self.zone, document.preferences) if key in live else None

        digest = self.reviewed.digest
        run, is_begun = spent(document.plans, digest), digest in document.plans
        told = differences(self.reviewed, planned.changes, live_set, document.kept_ttls, is_begun=is_begun)
        if run and (told or planned.changes):
            raise PlanRefused(spent_in_one_sentence(self.plan_file.path, run.told, told, planned.changes))
        if told:
            raise PlanRefused(in_one_sentence(self.reviewed, self.plan_file.path, told))

    def unmet(self, live: LiveSets) -> Unmet:
        """The globs of the task that match nothing of what the zone holds, or is to hold."""
        limits, options = self.limits, self.invocation.options
        if not (limits.has_globs or options["findings_ignore"]):
            return {}
        from ansible_collections.zonesmith.dns.plugins.module_utils._run.unmet import without_passing

        within = limits.within(live, self.zone).values()
        sets = [*within, *(RecordSet(*one.key, 0, one.values) for one in self.wanted)]
        unmet = {
            **limits.unmatched(sets, self.zone),
            "findings_ignore": self.findings.unmet({one.name for one in sets}),
        }
        return without_passing(options, unmet)

    def keep_plan(self, outcome: Outcome) -> None:
        """Keep the plan for review, where the task says so. Raises InvalidOptions."""
        if self.plan_file:
            from ansible_collections.zonesmith.dns.plugins.module_utils._plan.reviewed import plan_text

            plans = outcome.document.plans
            self.plan_file.keep(plan_text(self.zone, outcome.plan.changes, lambda digest: bool(spent(plans, digest))))

    def result_of_ledger(self, step: LedgerStep | None) -> Mapping[str, Any]:
        """What the result says of the ledger."""
        if not step:
            return {}
        from ansible_collections.zonesmith.dns.plugins.module_utils._run.told_of_owner import result_of_step

        return result_of_step(step)


def plan_file_of(invocation: Invocation) -> PlanFile | None:
    """Where the plan of the zone is kept for review; None where the task says nothing of it. Raises InvalidOptions."""
    if not (folder := invocation.options.get("plan_dir")):
        return None
    from ansible_collections.zonesmith.dns.plugins.module_utils._run.plan_dir import PlanFile

    return PlanFile(folder, invocation.zone)


def _waiting(zone: str, invocation: Invocation) -> Waiting | None:
    options = invocation.options
    if not (options["wait"] or options["wait_nameservers"]) and 0 < options["wait_timeout"] <= LONGEST_TIMEOUT:
        return None
    from ansible_collections.zonesmith.dns.plugins.module_utils._run.waiting import Waiting

    return Waiting(zone, options, check_mode=invocation.check_mode)
