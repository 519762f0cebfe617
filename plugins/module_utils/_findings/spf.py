# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rules on SPF records (RFC 7208). Each yields a set's key and a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.spf import (
    LOOKING_UP,
    evaluated,
    is_spf,
    problems,
    terms,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.zone_view import Rule, Said, ZoneView, text_of

MOST_LOOKUPS = 10
LONGEST = 4096
"""Characters of a record: many resolvers ask for no larger answers, and the terms of a longer one are not judged."""

_MECHANISMS_WRITTEN_AS_MODIFIERS = frozenset({"a", "exists", "include", "ip4", "ip6", "mx", "ptr"})
# Behind the type of a whole line, and behind the quotes of HTML and others.
_LIKE_SPF = re.compile(r"(?:.*\bTXT\b)?(?:[\W_]|&[a-z]+;)*v\s*[=:]\s*spf\s*[12](?![0-9])", re.IGNORECASE)
_LOST_BLANK = re.compile(r".(?:(?:exists|include|ip4|ip6|mx|ptr):|(?:exp|redirect)=|[-+?~]all$)", re.IGNORECASE)
"""In a term behind its qualifier: where another one begins."""

_Known = dict[str, tuple[str, ...]]


def several(view: ZoneView) -> Said:
    """More than one at a name."""
    for key, records in view.spf.items():
        if len(records) > 1:
            yield key, f"it holds {len(records)} SPF records, and receivers take that for an error"


def long_record(view: ZoneView) -> Said:
    """A record that hardly any answer has room for."""
    for key, records in view.spf.items():
        longest = max(map(len, records), default=0)
        if longest > LONGEST:
            yield key, f"the SPF record has {longest} characters, too many for an answer, and its terms are not judged"


def syntax(view: ZoneView) -> Said:
    """A record that receivers give up."""
    for key, text in _records(view):
        for problem in problems(terms(text)):
            yield key, f"the SPF record cannot be evaluated because of {problem}"


def not_seen(view: ZoneView) -> Said:
    """A text that is meant as a record, and that nobody takes for one."""
    for key, texts in view.texts.items():
        for text in texts:
            if _LIKE_SPF.match(text) and not is_spf(text):
                yield key, "a text is meant as an SPF record and does not begin with v=spf1 and a space"


def too_many_lookups(view: ZoneView) -> Said:
    """What evaluation costs where no term before the end decides, as far as the zone shows it."""
    known: _Known = {}
    for key, text in _records(view):
        if _lookups(view, text, MOST_LOOKUPS, known) > MOST_LOOKUPS:
            yield key, f"the SPF record takes more than {MOST_LOOKUPS} look-ups, those of what it includes counted too"


def _lookups(view: ZoneView, text: str, most: int, known: _Known) -> int:
    """How many a record takes, counted up to the first above *most*, so that no circle goes round for ever."""
    count = 0
    for domain in _looked_up(text, known):
        if count > most:
            break
        count += 1
        if domain and count <= most:
            found = _spf_at(view, domain) or []
            count += _lookups(view, found[0], most - count, known) if len(found) == 1 else 0
    return count


def _looked_up(text: str, known: _Known) -> tuple[str, ...]:
    """For each of the first look-ups of a record the name whose record counts too, or nothing."""
    if text not in known:
        found = (term for term in evaluated(terms(text[:LONGEST])) if term.name in LOOKING_UP)
        first = islice(found, MOST_LOOKUPS + 1)
        known[text] = tuple(term.domain if term.name in ("include", "redirect") else "" for term in first)
    return known[text]


def missing_include(view: ZoneView) -> Said:
    """An include or redirect to a name of this zone that has no record."""
    for key, text in _records(view):
        for term in evaluated(terms(text)):
            if term.name in ("include", "redirect") and term.domain and _spf_at(view, term.domain) == []:
                yield key, f"{term.text} leads to a name without an SPF record, which receivers take for an error"


def anybody(view: ZoneView) -> Said:
    """``all`` that lets everybody pass."""
    for key, text in _records(view):
        if any(term.name == "all" and term.qualifier in ("", "+") for term in evaluated(terms(text))):
            yield key, "+all in the SPF record lets everybody send mail in this name"


def open_end(view: ZoneView) -> Said:
    """A record that says nothing of all others."""
    for key, text in _records(view):
        record = list(evaluated(terms(text)))
        if not any(term.name in ("all", "redirect") for term in record):
            yield key, "the SPF record says nothing of other senders: end it with -all or ~all"


def after_all(view: ZoneView) -> Said:
    """Terms that nobody comes to."""
    for key, text in _records(view):
        record = terms(text)
        names = [term.name for term in record if not term.is_modifier]
        is_redirected = any(term.name == "redirect" and term.is_modifier for term in record)
        if "all" in names and (names.index("all") + 1 < len(names) or is_redirected):
            yield key, "the SPF record has mechanisms after all, or a redirect beside it, and these are ignored"


def pointer(view: ZoneView) -> Said:
    """The mechanism that is not to be used."""
    for key, text in _records(view):
        if any(term.name == "ptr" and not term.is_modifier for term in terms(text)):
            yield key, "the SPF record has ptr, which is slow, and which some receivers ignore"


def modifier(view: ZoneView) -> Said:
    """A mechanism with ``=`` in place of ``:`` is an unknown modifier, and left out without a word."""
    for key, text in _records(view):
        for term in terms(text):
            if term.is_modifier and term.name in _MECHANISMS_WRITTEN_AS_MODIFIERS and not term.qualifier:
                yield key, f"{term.text} in the SPF record is ignored: write {term.name}:{term.argument}"


def lost_blank(view: ZoneView) -> Said:
    """Two terms in one, as of two strings without a blank at the end of the first."""
    for key, text in _records(view):
        for term in terms(text):
            if _LOST_BLANK.search(term.text.lstrip("+-?~")):
                why = "the strings of a text are joined as they are"
                yield key, f"{term.text} in the SPF record is two terms without a blank between: {why}"


def obsolete_type(view: ZoneView) -> Said:
    """The type SPF, where no TXT stands beside it."""
    for one in view.of_type("SPF"):
        beside = view.names[one.name].get("TXT")
        if not (beside and any(is_spf(text_of(value)) for value in beside.values)):
            yield one.key, "everybody ignores the type SPF by now: the record has to be TXT"


def _records(view: ZoneView) -> Iterator[tuple[Key, str]]:
    return ((key, text) for key, records in view.spf.items() for text in records if len(text) <= LONGEST)


def _spf_at(view: ZoneView, name: str) -> list[str] | None:
    """The records at a name of this zone; None where others answer."""
    types = view.at_end(name)
    if types is None:
        return None
    texts = types.get("TXT")
    return view.spf[texts.key] if texts else []


RULES = (
    Rule("spf-several", "error", "RFC 7208, section 3.2", "A name has more than one SPF record.", several),
    Rule(
        "spf-syntax", "error", "RFC 7208, section 4.6", "An SPF record has a term that receivers cannot read.", syntax
    ),
    Rule(
        "spf-blank",
        "error",
        "RFC 7208, section 3.3",
        "An SPF record has two terms without a blank between them, as of two strings.",
        lost_blank,
    ),
    Rule(
        "spf-long",
        "warning",
        "RFC 7208, section 3.4",
        f"An SPF record has more than {LONGEST} characters, and its terms are not judged.",
        long_record,
    ),
    Rule("spf-not-seen", "error", "RFC 7208, section 4.5", "A text that is meant as an SPF record is none.", not_seen),
    Rule(
        "spf-lookups",
        "error",
        "RFC 7208, section 4.6.4",
        "An SPF record takes more than 10 look-ups, as far as the zone shows it.",
        too_many_lookups,
    ),
    Rule(
        "spf-include-missing",
        "error",
        "RFC 7208, section 5.2",
        "An SPF record includes a name of the zone that has none.",
        missing_include,
    ),
    Rule("spf-all-pass", "warning", "RFC 7208, section 5.1", "An SPF record lets everybody send.", anybody),
    Rule(
        "spf-after-all",
        "warning",
        "RFC 7208, section 5.1",
        "An SPF record has terms that are ignored.",
        after_all,
    ),
    Rule(
        "spf-equals",
        "warning",
        "RFC 7208, section 6",
        "An SPF record has a mechanism with = in place of a colon.",
        modifier,
    ),
    Rule("spf-ptr", "warning", "RFC 7208, section 5.5", "An SPF record has ptr.", pointer),
    Rule(
        "spf-type",
        "warning",
        "RFC 7208, section 3.1",
        "An SPF record is of type SPF, and none of type TXT.",
        obsolete_type,
    ),
    Rule("spf-open-end", "info", "RFC 7208, section 4.7", "An SPF record says nothing of other senders.", open_end),
)
