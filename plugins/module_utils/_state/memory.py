# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The memory of a zone beside its lock: the histories of sets that were written lately, and what is known for longer.

That stands in a line of its own: what the service made of TTLs and texts, which preferences of mail hosts it does not
show, and which plans that people had reviewed were carried out. A memory that makes no sense counts as none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import TYPE_CHECKING, NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import lacks_preference
from ansible_collections.zonesmith.dns.plugins.module_utils._history.histories import Histories
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine

if TYPE_CHECKING:
    from ansible_collections.zonesmith.dns.plugins.module_utils._dns.ledger import Ledger


class PlanRun(NamedTuple):
    """When a run began to carry out a reviewed plan (seconds since 1970), which run that was, and how far it came.

    It *is_whole* where it is as planned. Where it is not, and *is_over*, another plan has been begun since.
    """

    at: float
    by: str
    is_whole: bool = False
    is_over: bool = False

    @property
    def told(self) -> str:
        """When that was and which run, in a clause about the plan."""
        when = f"{datetime.fromtimestamp(self.at, timezone.utc):%Y-%m-%d at %H:%M UTC}"
        how, since = ("carried out", "") if self.is_whole else ("begun", ", and another one since")
        return f"was {how} on {when} by the run of {printable(self.by)}{since}"


def no_histories() -> Histories:
    """Those of a zone of which nothing is known, by the clock of this machine as it goes on from now.

    Where it is set back during a run, a store with a clock of its own would take what the run does after that for old.
    """
    this = machine()
    since = this.time() - this.monotonic()
    return Histories(lambda: max(this.time(), since + this.monotonic()))


@dataclass
class Memory:
    """What is known of a zone besides what readings show.

    *kept_ttls* is, for a set, the TTL that was sent and the one that the service kept instead. *text_form* is the
    sending form of TXT that was found to come back right, or empty. *plans* are the runs of reviewed plans by the
    digests of those, the last one at the end. The *ledger* stands beside it and is kept by itself: None where nobody
    asks for it, or where there is none.
    """

    histories: Histories = field(default_factory=no_histories)
    kept_ttls: dict[Key, tuple[int, int]] = field(default_factory=dict)
    text_form: str = ""
    plans: dict[str, PlanRun] = field(default_factory=dict)
    ledger: Ledger | None = None

    def begin_plan(self, digest: str, by: str) -> None:
        """The run *by* is about to carry out a plan, and nobody goes on with another one."""
        self.plans.pop(digest, None)
        for other, run in self.plans.items():
            self.plans[other] = run._replace(is_over=True)
        self.plans[digest] = PlanRun(self.histories.clock(), by)

    def end_plan(self, digest: str) -> None:
        """The zone is as a plan has it that was begun."""
        if digest in self.plans:
            self.plans[digest] = self.plans[digest]._replace(is_whole=True, is_over=True)

    def spent(self, digest: str) -> PlanRun | None:
        """The run after which a plan is not to be carried out again; None where it is good, or to be gone on with."""
        run = self.plans.get(digest)
        return run if run and run.is_over else None

    def see(self, key: Key, held: RecordSet | None) -> None:
        """A set was written, and is read as it is *held*: what that shows of it need not be remembered."""
        _sent, kept = self.kept_ttls.get(key, (0, 0))
        if not held or held.ttl != kept:
            self.kept_ttls.pop(key, None)
        if not (held and any(lacks_preference(key.type, value) for value in held.values)):
            self.histories.preferences.pop(key, None)

    def content(self, ahead: float = 0.0) -> bytes:
        """The memory, for a clock that is *ahead* (seconds)."""
        from ansible_collections.zonesmith.dns.plugins.module_utils._state.kept_memory import memory_content

        return memory_content(self, ahead)


def remembered(content: bytes | None, ahead: float = 0.0) -> Memory:
    """What a memory says, without what is too old to be of use; nothing where it makes no sense.

    The times are by a clock that is *ahead* of this one (seconds).
    """
    if not content:
        return Memory()
    from ansible_collections.zonesmith.dns.plugins.module_utils._state.kept_memory import kept_memory

    return kept_memory(content, ahead)
