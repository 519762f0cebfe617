# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The table: what services do (docs/design_details.md), and how a task that meets it must end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scenarios import Held, Scenario
from wishes import BEFORE, COMMON, EACH_CALL, OF_TEXT, PARKED, WISHES, WITH_DELETION

HTML = {"kind": "status_after", "status": 200, "body": "<html>OK</html>", "content_type": "text/html"}


@dataclass(frozen=True)
class End:
    """How the first run of a task has to end, and what the zone has to hold after it and after the second."""

    after: Held
    ends: str = "well"  # "failed" with a clean message, or "either"
    told: Sequence[str] = ()  # what the message or a warning has to say, as regular expressions
    ttl_counts: bool = True
    is_predicted: bool = True  # whether check mode can know changes and diff
    deletions: int = 1  # of one set in the first run
    sends_once: bool = True  # whether each value is to be sent once, unless its set was deleted meanwhile
    again: str = "unchanged"  # the second run; "same end": it may try again; "lifted": it runs without the oddity


@dataclass(frozen=True)
class Oddity:
    """One row: switches and faults of the service, and for which wishes they matter."""

    name: str
    switches: Mapping[str, Any] = field(default_factory=dict)
    faults: Sequence[Mapping[str, Any]] = ()
    wishes: Sequence[str] = COMMON
    options: Mapping[str, Any] = field(default_factory=dict)
    extra: Held = field(default_factory=dict)  # what the zone holds besides, before and after
    end: Callable[[Scenario, End], End] = lambda _wish, end: end
    patience: float = 0  # seconds that it makes a run take longer at least

    def expected(self, wish: Scenario) -> End:
        """How this wish must end."""
        return self.end(wish, End({**wish.after, **self.extra}))


def _late() -> Iterator[Oddity]:
    for lag in (0.3, 1, 3, 10):
        wishes = (*COMMON, "bulk") if lag in (0.3, 1) else COMMON
        yield Oddity(f"lag-{lag}", {"read_lag": lag}, wishes=wishes, patience=lag)
    for reads, lag in (("alternate", 3), ("connection", 3), ("random", 1), ("random", 3)):
        yield Oddity(f"lag-{lag}-{reads}", {"read_lag": lag, "late_reads": reads, "seed": 4}, patience=lag)
    for seconds in (1, 5):
        yield Oddity(f"cache-{seconds}", {"cache": seconds}, patience=seconds)
    accepted = {"post_status": 202, "delete_status": 202}
    for seconds in (0.5, 2):
        wishes = (*COMMON, "bulk") if seconds == 0.5 else COMMON
        yield Oddity(f"apply-{seconds}", {"apply_after": seconds, **accepted}, wishes=wishes, patience=seconds)
    yield Oddity("apply-2-checked", {"apply_after": 2, "apply_checks": True, **accepted}, patience=3)


def _busy() -> Iterator[Oddity]:
    for status in (409, 423):
        bulk = ("zone", "bulk") if status == 409 else ("zone",)
        busy = {"busy_status": status}
        yield Oddity(f"busy-{status}-after-write", {**busy, "busy_after_write": 0.5}, patience=2)
        yield Oddity(f"busy-{status}-one-writer", {**busy, "write_takes": 0.05}, wishes=bulk)
        yield Oddity(f"busy-{status}-deleted", {**busy, "busy_after_delete": 3}, wishes=WITH_DELETION, patience=3)
    yield Oddity("busy-409-deleted-15", {"busy_after_delete": 15}, wishes=("exclusive", "ttl"), patience=15)
    for status in (408, 409, 423, 425, 520, 522, 524):
        for kind, word in (("status", ""), ("status_after", "-done")):
            faults = [{"kind": kind, "status": status, "method": method} for method in ("POST", "DELETE")]
            yield Oddity(f"once-{status}{word}", faults=faults, wishes=EACH_CALL)


def _rates() -> Iterator[Oddity]:
    second = {"rate": 2, "rate_window": 1}
    yield Oddity("rate-2-a-second", second, wishes=(*EACH_CALL, "bulk"), patience=20)
    yield Oddity("rate-2-a-second-mute", {**second, "retry_after": False}, wishes=(*EACH_CALL, "bulk"), patience=20)
    minute = {"rate": 60, "rate_window": 60}
    yield Oddity("rate-60-a-minute", minute, wishes=("bulk",), patience=60)
    yield Oddity("rate-60-a-minute-mute", {**minute, "retry_after": False}, wishes=("bulk",), patience=60)


def _answers() -> Iterator[Oddity]:
    for status in (201, 202, 204):
        yield Oddity(f"answer-{status}", {"post_status": status, "delete_status": status})
    yield Oddity("answer-empty", {"empty_answers": ["POST", "DELETE"]})
    yield Oddity("answer-html", faults=[{**HTML, "method": method} for method in ("POST", "DELETE")], wishes=EACH_CALL)
    yield Oddity("post-late", faults=[{"kind": "late", "method": "POST", "seconds": 1}], wishes=EACH_CALL)

    def not_seen(_wish: Scenario, end: End) -> End:
        return replace(end, sends_once=False)  # the log does not tell what somebody else deleted

    for status in (404, 410, 422, 400, 403, 200):
        gone = {"gone_first": 1, "gone_status": status}
        yield Oddity(f"gone-{status}", gone, wishes=WITH_DELETION, end=not_seen)
    for status in (400, 409):
        late = {"read_lag": 1, "duplicate_status": status}
        yield Oddity(f"lag-1-duplicate-{status}", late, faults=[{"kind": "drop_after", "method": "POST"}])


def _shown() -> Iterator[Oddity]:
    def refused(_wish: Scenario, end: End) -> End:
        return replace(end, ends="failed", again="lifted")

    def distrusted(_wish: Scenario, end: End) -> End:
        return replace(end, ends="either", again="lifted")

    for shows in ("no_soa", "nothing"):
        name = shows.replace("_", "-")
        yield Oddity(f"shows-{name}", {"shows": shows}, wishes=EACH_CALL, end=refused)
        yield Oddity(f"shows-{name}-once", {"shows": shows, "shows_times": 1}, wishes=EACH_CALL, end=distrusted)


def _mail_hosts() -> Iterator[Oddity]:
    def told(wish: Scenario, end: End) -> End:
        return replace(end, after=wish.before, told=["mail hosts without their preference"])

    yield Oddity("mx-bare", {"mx_read": "bare"}, wishes=("mx",), end=told)


def _sent_in_two_forms(_wish: Scenario, end: End) -> End:
    """What came of the first form is taken out with its whole set, and sent in the other one."""
    return replace(end, deletions=2, sends_once=False)


def _texts() -> Iterator[Oddity]:
    for txt in ("parses", "keeps_quotes"):
        for read in ("quoted", "plain"):
            name = f"txt-{txt.replace('_', '-')}-{read}"
            yield Oddity(name, {"txt": txt, "txt_read": read}, wishes=OF_TEXT, end=_sent_in_two_forms)


def _ttls() -> Iterator[Oddity]:
    for name, value, kept in (("min", 900, {300: 900, 600: 900}), ("max", 120, {300: 120, 600: 120})):
        yield _ttl(name, value, kept)
    yield _ttl("multiple", 500, {300: 500, 600: 1000})
    yield _ttl("fixed", 3600, {300: 3600, 600: 3600})


def _ttl(name: str, value: int, kept: Mapping[int, int]) -> Oddity:
    sent = {"new-set": 300, "ttl": 600, "txt-new": 300}

    def warned(wish: Scenario, end: End) -> End:
        told = [rf"\b{ttl}\b" for ttl in (sent[wish.name], kept[sent[wish.name]])] if wish.name in sent else []
        return replace(end, ttl_counts=False, is_predicted=False, told=told)

    return Oddity(f"ttl-{name}-{value}", {f"ttl_{name}": value}, end=warned)


def _stubborn() -> Iterator[Oddity]:
    def nothing_deleted(wish: Scenario, end: End) -> End:
        return replace(end, after=wish.before, ends="failed", again="same end") if wish.name in WITH_DELETION else end

    def prune_in_vain(wish: Scenario, end: End) -> End:
        if wish.name != "zone":
            return end
        after = {**end.after, PARKED: BEFORE[PARKED]}
        return replace(end, after=after, ends="either", told=["ignore"], is_predicted=False, again="same end")

    def prune_undone_later(wish: Scenario, end: End) -> End:
        return replace(prune_in_vain(wish, end), told=())

    def prune_undone(wish: Scenario, end: End) -> End:
        return replace(prune_in_vain(wish, end), deletions=3)

    every = [name for name in COMMON if name != "zone"]
    yield Oddity("undeletable-all", {"undeletable": ["*"]}, wishes=every, end=nothing_deleted)
    yield Oddity("undeletable-parked", {"undeletable": ["parked.*"]}, wishes=("absent-set", "zone"), end=prune_in_vain)
    yield Oddity("returning-at-once", {"returning": ["parked.*"]}, wishes=("absent-set", "zone"), end=prune_undone)
    later = {"returning": ["parked.*"], "return_after": 1}
    yield Oddity("returning-later", later, wishes=("zone",), end=prune_undone_later, patience=1)
    # What a partial change keeps of www is refused now; what it does not keep is nobody's concern.
    refused = {"refused": ["A 192.0.2.3", "TXT*three*"]}
    wishes = [name for name in COMMON if name not in ("ttl", "absent-one", "txt-fewer")]
    yield Oddity("refused-value", refused, wishes=wishes)


SIGNED: Held = {
    ("@", "DNSKEY"): (3600, ("257 3 13 a2V5a2V5a2V5a2V5",)),
    ("@", "CDS"): (3600, (f"12345 13 2 {'ab' * 32}",)),
    ("@", "CDNSKEY"): (3600, ("257 3 13 a2V5a2V5a2V5a2V5",)),
    ("@", "NSEC3PARAM"): (0, ("1 0 0 -",)),
    ("other", "RRSIG"): (60, ("A 13 3 60 20300101000000 20200101000000 12345 example. c2lnbmF0dXJl",)),
    ("other", "NSEC"): (60, ("parked.example. A RRSIG NSEC",)),
}

# What stories of several tasks are played at.
READS: Mapping[str, Mapping[str, Any]] = {
    "fresh": {},
    "lag-1": {"read_lag": 1},
    "lag-3": {"read_lag": 3},
    "lag-3-alternate": {"read_lag": 3, "late_reads": "alternate"},
    "lag-3-connection": {"read_lag": 3, "late_reads": "connection"},
    "lag-1-random": {"read_lag": 1, "late_reads": "random", "seed": 1},
    "lag-3-random": {"read_lag": 3, "late_reads": "random", "seed": 2},
    "cache-5": {"cache": 5},
    "apply-2": {"apply_after": 2, "post_status": 202, "delete_status": 202},
}

# Two at once: what each alone does not show.
PAIRS = ("extend", "exclusive", "absent-one", "zone")
TOGETHER = (
    Oddity("lag-1+busy-deleted", {"read_lag": 1, "busy_after_delete": 2}, wishes=PAIRS, patience=3),
    Oddity("lag-3-random+answer-204", {"read_lag": 3, "late_reads": "random", "post_status": 204}, wishes=PAIRS),
    Oddity("apply-1+busy-423", {"apply_after": 1, "busy_status": 423, "busy_after_write": 0.3}, wishes=PAIRS),
    Oddity(
        "cache-1+txt-parses",
        {"cache": 1, "txt": "parses", "txt_read": "plain"},
        wishes=OF_TEXT,
        end=_sent_in_two_forms,
        patience=1,
    ),
    Oddity("lag-1+rate-2", {"read_lag": 1, "rate": 2, "rate_window": 1}, wishes=PAIRS, patience=10),
    Oddity(
        "lag-1+gone-403",
        end=lambda _wish, end: replace(end, sends_once=False),
        switches={"read_lag": 1, "gone_first": 1, "gone_status": 403},
        wishes=PAIRS,
        patience=1,
    ),
    Oddity(
        "alternate+lost-post",
        {"read_lag": 1, "late_reads": "alternate"},
        wishes=PAIRS,
        faults=[{"kind": "drop_after", "method": "POST"}],
    ),
    Oddity(
        "lag-1+500-after",
        {"read_lag": 1},
        wishes=PAIRS,
        faults=[{"kind": "status_after", "status": 500, "method": method} for method in ("POST", "DELETE")],
    ),
    Oddity(
        "lag-1+late-post", {"read_lag": 1}, wishes=PAIRS, faults=[{"kind": "late", "method": "POST", "seconds": 0.5}]
    ),
    replace(_ttl("min", 900, {300: 900, 600: 900}), name="lag-1+ttl-min", switches={"read_lag": 1, "ttl_min": 900}),
)

ODDITIES = {
    oddity.name: oddity
    for oddity in (
        Oddity("none", wishes=tuple(WISHES)),
        *_late(),
        *_busy(),
        *_rates(),
        *_answers(),
        *_shown(),
        *_texts(),
        *_mail_hosts(),
        *_ttls(),
        *_stubborn(),
        Oddity("dnssec", extra=SIGNED, wishes=("exclusive", "absent-set", "zone")),
        *TOGETHER,
    )
}
