# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""SPF records (RFC 7208), and the rules on them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address
from itertools import islice
from typing import NamedTuple

from .._dns.printable import some_names
from .._dns.rdata import text_in
from .._dns.record_set import Key
from .._dns.zone_view import ZoneView, is_spf
from .rule import KeyedText, Topic

LOOKING_UP = frozenset({"a", "exists", "include", "mx", "ptr", "redirect"})
"""The terms that cost one of ten look-ups (RFC 7208, section 4.6.4)."""

_MECHANISMS = frozenset({"a", "all", "exists", "include", "ip4", "ip6", "mx", "ptr"})
_WITH_DOMAIN = frozenset({"exists", "include"})
_TERM = re.compile(r"([+?~-]?)([A-Za-z][A-Za-z0-9_.-]*)(?:([:=])(.*))?")
_LENGTHS = re.compile(r"(.*?)(?:/([0-9]+))?(?://([0-9]+))?")
_EXPANSION = r"%\{[slodiphcrtv][0-9]*r?[-.+,/_=]*\}"
_MACRO_STRING = re.compile(rf"(?:{_EXPANSION}|%[%_-]|[!-$&-~])*", re.IGNORECASE)
_ENDS_IN_EXPANSION = re.compile(rf"{_EXPANSION}$", re.IGNORECASE)
_TOP_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?", re.IGNORECASE)
MOST_LOOKUPS = 10
LONGEST = 4096
"""Most characters of a record whose terms are judged, since many resolvers take no larger answers."""

_MECHANISMS_WRITTEN_AS_MODIFIERS = _MECHANISMS - {"all"}
# After the type of a whole line, or after quotes.
_LIKE_SPF = re.compile(
    r"(?:.*\bTXT\b)?(?:[\W_]|&[a-z]+;)*(?:v\s*[=:]\s*spf\s*[12](?![0-9])|spf1\s)", re.IGNORECASE
)
_LOST_BLANK = re.compile(
    r".(?:(?:exists|include|ip4|ip6|mx|ptr):|(?:exp|redirect)=|[-+?~]all$)", re.IGNORECASE
)
"""The start of another term inside a term."""

_Known = dict[str, tuple[str, ...]]


class Term(NamedTuple):
    """A term; the name is in lower case, *separator* ``:``, ``=`` or nothing."""

    text: str
    qualifier: str
    name: str
    separator: str
    argument: str

    @property
    def is_modifier(self) -> bool:
        """Whether it is a modifier such as ``redirect``, not a mechanism."""
        return self.separator == "="

    @property
    def domain(self) -> str:
        """The canonical name after ``include`` or ``redirect``; empty if it depends on the sender."""
        return (
            ""
            if "%" in self.argument or not self.argument
            else f"{self.argument.rstrip('.').lower()}."
        )


def terms(text: str) -> list[Term]:
    """The terms of a record; an invalid one has no name."""
    found = []
    for word in text[len("v=spf1") :].split(" "):
        if word:
            name, slash, lengths = (
                word.partition("/") if ":" not in word and "=" not in word else (word, "", "")
            )
            match = _TERM.fullmatch(name)
            parts = match.groups("") if match else ("", "", "", "")
            found.append(
                Term(word, parts[0], parts[1].lower(), parts[2], f"{parts[3]}{slash}{lengths}")
            )
    return found


def evaluated(record: list[Term]) -> Iterator[Term]:
    """The terms that can be evaluated: none after ``all``, and ``redirect`` last."""
    redirect = None
    for term in record:
        if term.name == "redirect" and term.is_modifier:
            redirect = term
        elif not term.is_modifier:
            yield term
            if term.name == "all":
                return
    if redirect:
        yield redirect


def problems(record: list[Term]) -> Iterator[str]:
    """Why receivers reject the record."""
    for modifier in ("redirect", "exp"):
        if sum(term.name == modifier and term.is_modifier for term in record) > 1:
            yield f"'{modifier}': it occurs twice"
    for term in record:
        problem = _problem(term)
        if problem:
            yield f"'{term.text}': {problem}"


def _problem(term: Term) -> str | None:
    if term.is_modifier and not term.qualifier:
        if term.name in ("redirect", "exp") and not _is_domain(term.argument):
            return "a domain name with a dot belongs after the ="
        return None
    if term.name not in _MECHANISMS or term.is_modifier:
        return "there is no such mechanism"
    if term.name == "all":
        return "nothing may follow all" if term.separator or term.argument else None
    if term.name in ("ip4", "ip6"):
        return _problem_of_network(term)
    domain, *lengths = (
        _split(term.argument) if term.name in ("a", "mx") else (term.argument, "", "")
    )
    if (term.separator and not domain) or (not term.separator and term.name in _WITH_DOMAIN):
        return "a domain name belongs after the :"
    if domain and not _is_domain(domain):
        return "a domain name with a dot, not an address, belongs after the :"
    if not all(_is_length(length, most) for length, most in zip(lengths, (32, 128), strict=False)):
        return "a prefix has at most 32 bits for IPv4, and 128 for IPv6"
    return None


def _problem_of_network(term: Term) -> str | None:
    kind, most = (IPv4Address, 32) if term.name == "ip4" else (IPv6Address, 128)
    address, slash, length = term.argument.partition("/")
    try:
        kind(address)
    except ValueError:
        return f"an IPv{term.name[2]} address belongs after the :"
    is_length = length.isdigit() and _is_length(length, most)
    return (
        f"a prefix has at most {most} bits" if "%" in address or (slash and not is_length) else None
    )


def _split(argument: str) -> tuple[str, str, str]:
    """The domain name, and the prefix lengths for IPv4 and IPv6."""
    match = _LENGTHS.fullmatch(argument)
    groups = match.groups("") if match else (argument, "", "")
    return groups[0], groups[1], groups[2]


def _is_length(text: str, most: int) -> bool:
    return not text or (text.isascii() and len(text) <= 3 and int(text) <= most)


def _is_domain(text: str) -> bool:
    """Whether a text is a domain-spec (RFC 7208, section 7.1), which ends in a macro or a label with a letter."""
    if not _MACRO_STRING.fullmatch(text):
        return False
    _rest, dot, last = text.removesuffix(".").rpartition(".")
    is_label = bool(dot) and bool(_TOP_LABEL.fullmatch(last)) and not last.isdigit()
    return is_label or bool(_ENDS_IN_EXPANSION.search(text))


RULES = Topic()


@RULES.add("spf-several", "error", "RFC 7208, section 3.2")
def spf_several(view: ZoneView) -> KeyedText:
    """A name has more than one SPF record."""
    for key, records in view.spf.items():
        if len(records) > 1:
            yield key, f"it holds {len(records)} SPF records, which receivers treat as an error"


@RULES.add("spf-syntax", "error", "RFC 7208, section 4.6")
def spf_syntax(view: ZoneView) -> KeyedText:
    """An SPF record has a term that receivers cannot read."""
    for key, text in _records(view):
        for problem in problems(terms(text)):
            yield key, f"the SPF record cannot be evaluated because of {problem}"


@RULES.add("spf-blank", "error", "RFC 7208, section 3.3")
def spf_blank(view: ZoneView) -> KeyedText:
    """An SPF record has two terms without a space between them."""
    for key, text in _records(view):
        for term in terms(text):
            if _LOST_BLANK.search(term.text.lstrip("+-?~")):
                why = "the strings of a text are joined without spaces"
                yield (
                    key,
                    f"{term.text} in the SPF record is two terms without a space between: {why}",
                )


@RULES.add("spf-pieces", "warning", "RFC 7208, section 3.3")
def spf_pieces(view: ZoneView) -> KeyedText:
    """A TXT value beside an SPF record has only SPF terms."""
    for key, records in view.spf.items():
        pieces = [text.strip() for text in view.texts[key] if _is_of_terms(text)] if records else []
        if pieces:
            shown, are = (
                some_names(pieces),
                "is a text of its own" if len(pieces) == 1 else "are texts of their own",
            )
            yield key, f"{shown} {are}: an SPF record is one text, with spaces between its terms"


@RULES.add("spf-long", "warning", "RFC 7208, section 3.4")
def spf_long(view: ZoneView) -> KeyedText:
    """An SPF record has more than 4096 characters, and its terms are not judged.

    Hardly any answer has room for it.
    """
    for key, records in view.spf.items():
        longest = max(map(len, records), default=0)
        if longest > LONGEST:
            yield (
                key,
                f"the SPF record has {longest} characters, too many for an answer, and its terms are not judged",
            )


@RULES.add("spf-not-seen", "error", "RFC 7208, section 4.5")
def spf_not_seen(view: ZoneView) -> KeyedText:
    """A TXT value looks like SPF, but receivers do not recognize it."""
    for key, texts in view.texts.items():
        for text in texts:
            if _LIKE_SPF.match(text) and not is_spf(text):
                yield (
                    key,
                    "a text looks like an SPF record but does not begin with v=spf1 and a space",
                )


@RULES.add("spf-lookups", "error", "RFC 7208, section 4.6.4")
def spf_lookups(view: ZoneView) -> KeyedText:
    """An SPF record needs more than 10 look-ups, as far as the zone shows.

    Counted are those of an evaluation in which no term before the end decides.
    """
    known: _Known = {}
    for key, text in _records(view):
        if _lookups(view, text, MOST_LOOKUPS, known) > MOST_LOOKUPS:
            yield (
                key,
                f"the SPF record takes more than {MOST_LOOKUPS} look-ups, with those of included records",
            )


@RULES.add("spf-include-missing", "error", "RFC 7208, section 5.2")
def spf_include_missing(view: ZoneView) -> KeyedText:
    """An SPF record includes a name of the zone that has no SPF record."""
    for key, text in _records(view):
        for term in evaluated(terms(text)):
            if (
                term.name in ("include", "redirect")
                and term.domain
                and _spf_at(view, term.domain) == []
            ):
                yield (
                    key,
                    f"{term.text} leads to a name without an SPF record, which receivers treat as an error",
                )


@RULES.add("spf-all-pass", "warning", "RFC 7208, section 5.1")
def spf_all_pass(view: ZoneView) -> KeyedText:
    """An SPF record lets anyone send."""
    for key, text in _records(view):
        if any(
            term.name == "all" and term.qualifier in ("", "+") for term in evaluated(terms(text))
        ):
            yield key, "+all in the SPF record lets everybody send mail as this domain"


@RULES.add("spf-after-all", "warning", "RFC 7208, section 5.1")
def spf_after_all(view: ZoneView) -> KeyedText:
    """An SPF record has terms that are ignored."""
    for key, text in _records(view):
        record = terms(text)
        names = [term.name for term in record if not term.is_modifier]
        is_redirected = any(term.name == "redirect" and term.is_modifier for term in record)
        if "all" in names and (names.index("all") + 1 < len(names) or is_redirected):
            yield (
                key,
                "the SPF record has mechanisms after 'all', or a redirect beside it, which are ignored",
            )


@RULES.add("spf-equals", "warning", "RFC 7208, section 6")
def spf_equals(view: ZoneView) -> KeyedText:
    """An SPF record has a mechanism with = in place of a colon.

    Then it is an unknown modifier, and left out without a word.
    """
    for key, text in _records(view):
        for term in terms(text):
            if (
                term.is_modifier
                and term.name in _MECHANISMS_WRITTEN_AS_MODIFIERS
                and not term.qualifier
            ):
                yield (
                    key,
                    f"{term.text} in the SPF record is ignored: write {term.name}:{term.argument}",
                )


@RULES.add("spf-ptr", "warning", "RFC 7208, section 5.5")
def spf_ptr(view: ZoneView) -> KeyedText:
    """An SPF record uses `ptr`."""
    for key, text in _records(view):
        if any(term.name == "ptr" and not term.is_modifier for term in terms(text)):
            yield key, "the SPF record uses ptr, which is slow and ignored by some receivers"


@RULES.add("spf-type", "warning", "RFC 7208, section 3.1")
def spf_type(view: ZoneView) -> KeyedText:
    """A name has an SPF record of type SPF, but none of type TXT."""
    for one in view.of_type("SPF"):
        beside = view.names[one.name].get("TXT")
        if not (beside and any(is_spf(text_in(value)) for value in beside.values)):
            yield one.key, "the type SPF is obsolete and ignored: the record must be TXT"


@RULES.add("spf-open-end", "info", "RFC 7208, section 4.7")
def spf_open_end(view: ZoneView) -> KeyedText:
    """An SPF record says nothing about other senders."""
    for key, text in _records(view):
        record = list(evaluated(terms(text)))
        if not any(term.name in ("all", "redirect") for term in record):
            yield key, "the SPF record does not cover other senders: end it with -all or ~all"


def _lookups(view: ZoneView, text: str, most: int, known: _Known) -> int:
    """Counted up to one above *most*, so that loops end."""
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
    """For each of a record's first look-ups, the name whose record counts too, or nothing."""
    if text not in known:
        found = (term for term in evaluated(terms(text[:LONGEST])) if term.name in LOOKING_UP)
        first = islice(found, MOST_LOOKUPS + 1)
        known[text] = tuple(
            term.domain if term.name in ("include", "redirect") else "" for term in first
        )
    return known[text]


def _records(view: ZoneView) -> Iterator[tuple[Key, str]]:
    return (
        (key, text) for key, records in view.spf.items() for text in records if len(text) <= LONGEST
    )


def _is_of_terms(text: str) -> bool:
    """Whether a text has only mechanisms, ``redirect`` and ``exp``, like a part of a record."""
    if len(text) > LONGEST or is_spf(text):
        return False
    found = terms(f"v=spf1 {text}")
    known = (
        not _problem(term) and term.is_modifier == (term.name in ("redirect", "exp"))
        for term in found
    )
    return bool(found) and all(known)


def _spf_at(view: ZoneView, name: str) -> list[str] | None:
    """None if another zone has the name."""
    types = view.at_end(name)
    if types is None:
        return None
    texts = types.get("TXT")
    return view.spf[texts.key] if texts else []
