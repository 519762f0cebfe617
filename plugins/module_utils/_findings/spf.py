# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""SPF records (RFC 7208), and the rules on them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_address
from typing import NamedTuple

from .._dns.record_set import Key
from .._dns.zone_view import ZoneView, is_number, is_spf
from .rule import KeyedText, Topic

LOOKING_UP = ("a", "exists", "include", "mx", "ptr", "redirect")
"""The terms that cost one of ten look-ups (RFC 7208, section 4.6.4)."""

_MECHANISMS = ("a", "all", "exists", "include", "ip4", "ip6", "mx", "ptr")
_WITH_DOMAIN = ("exists", "include")
_INCLUDING = ("include", "redirect")
_TERM = re.compile(r"([+?~-]?)([A-Za-z][A-Za-z0-9_.-]*)(?:([:=])(.*)|(/[^:=]*))?")
_LENGTHS = re.compile(r"(.*?)(?:/([0-9]+))?(?://([0-9]+))?")
_EXPANSION = r"%\{[slodiphcrtv][0-9]*r?[-.+,/_=]*\}"
_MACRO_STRING = re.compile(rf"(?:{_EXPANSION}|%[%_-]|[!-$&-~])*", re.IGNORECASE)
_ENDS_IN_EXPANSION = re.compile(rf"{_EXPANSION}$", re.IGNORECASE)
_TOP_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?", re.IGNORECASE)
MOST_LOOKUPS = 10
LONGEST = 4096
"""Most characters of a record whose terms are judged, since many resolvers take no larger answers."""

# After the type of a whole line, or after quotes.
_LIKE_SPF = re.compile(
    r"(?:.*\bTXT\b)?(?:[\W_]|&[a-z]+;)*(?:v\s*[=:]\s*spf\s*[12](?![0-9])|spf1\s)", re.IGNORECASE
)
_LOST_BLANK = re.compile(
    r".(?:(?:exists|include|ip4|ip6|mx|ptr):|(?:exp|redirect)=|[-+?~]all$)", re.IGNORECASE
)
"""The start of another term inside a term."""


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
        if "%" in self.argument or not self.argument:
            return ""
        name = self.argument.rstrip(".")
        return f"{name.lower()}."


def terms(text: str) -> list[Term]:
    """The terms of a record; an invalid one has no name."""
    _version, *words = text.split(" ")
    return [_term(word) for word in words if word]


def _term(word: str) -> Term:
    match = _TERM.fullmatch(word)
    if not match:
        return Term(word, "", "", "", "")
    qualifier, name, separator, argument, lengths = match.groups("")
    return Term(word, qualifier, name.lower(), separator, argument or lengths)


def evaluated(text: str) -> Iterator[Term]:
    """The terms of a record that can be evaluated: none after ``all``, and ``redirect`` last."""
    redirect = None
    for term in terms(text):
        if term.name == "redirect" and term.is_modifier:
            redirect = term
        elif not term.is_modifier:
            yield term
            if term.name == "all":
                return
    if redirect:
        yield redirect


def problems(text: str) -> Iterator[str]:
    """Why receivers reject the record."""
    record = terms(text)
    modifiers = [term.name for term in record if term.is_modifier]
    for modifier in ("redirect", "exp"):
        if modifiers.count(modifier) > 1:
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
    return _problem_of_domain(term)


def _problem_of_network(term: Term) -> str | None:
    version = int(term.name[2])
    text, slash, length = term.argument.partition("/")
    try:
        address = ip_address(text)
    except ValueError:
        address = None
    if address is None or address.version != version:
        return f"an IPv{version} address belongs after the :"
    most = address.max_prefixlen
    if "%" in text or (slash and not _is_length(length, most)):  # fe80::1%eth0 is local
        return f"a prefix has at most {most} bits"
    return None


def _problem_of_domain(term: Term) -> str | None:
    domain, ipv4_length, ipv6_length = term.argument, "", ""
    found = _LENGTHS.fullmatch(domain)
    if found and term.name in ("a", "mx"):
        domain, ipv4_length, ipv6_length = found.groups("")
    if (term.separator and not domain) or (not term.separator and term.name in _WITH_DOMAIN):
        return "a domain name belongs after the :"
    if domain and not _is_domain(domain):
        return "a domain name with a dot, not an address, belongs after the :"
    is_long = ipv4_length and not _is_length(ipv4_length, 32)
    if is_long or (ipv6_length and not _is_length(ipv6_length, 128)):
        return "a prefix has at most 32 bits for IPv4, and 128 for IPv6"
    return None


def _is_length(text: str, most: int) -> bool:
    return is_number(text, 3) and int(text) <= most


def _is_domain(text: str) -> bool:
    """Whether a text is a domain-spec (RFC 7208, section 7.1), which ends in a macro or a label with a letter."""
    if not _MACRO_STRING.fullmatch(text):
        return False
    if _ENDS_IN_EXPANSION.search(text):
        return True
    _rest, dot, last = text.removesuffix(".").rpartition(".")
    return bool(dot and _TOP_LABEL.fullmatch(last)) and not last.isdigit()


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
        for problem in problems(text):
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


@RULES.add("spf-long", "warning", "RFC 7208, section 3.4")
def spf_long(view: ZoneView) -> KeyedText:
    """An SPF record has more than 4096 characters, and its terms are not judged.

    Hardly any answer has room for it.
    """
    for key, records in view.spf.items():
        longest = max(map(len, records), default=0)
        if longest > LONGEST:
            clause = "too many for an answer, and its terms are not judged"
            yield key, f"the SPF record has {longest} characters, {clause}"


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
    known: dict[str, list[str]] = {}
    for key, text in _records(view):
        if _lookups(view, text, MOST_LOOKUPS, known) > MOST_LOOKUPS:
            most = f"{MOST_LOOKUPS} look-ups, with those of included records"
            yield key, f"the SPF record takes more than {most}"


@RULES.add("spf-include-missing", "error", "RFC 7208, section 5.2")
def spf_include_missing(view: ZoneView) -> KeyedText:
    """An SPF record includes a name of the zone that has no SPF record."""
    for key, text in _records(view):
        for term in evaluated(text):
            domain = term.domain if term.name in _INCLUDING else ""
            if domain and _spf_at(view, domain) == []:
                clause = "a name without an SPF record, which receivers treat as an error"
                yield key, f"{term.text} leads to {clause}"


@RULES.add("spf-all-pass", "warning", "RFC 7208, section 5.1")
def spf_all_pass(view: ZoneView) -> KeyedText:
    """An SPF record lets anyone send."""
    for key, text in _records(view):
        for term in evaluated(text):
            if term.name == "all" and term.qualifier in ("", "+"):
                yield key, "+all in the SPF record lets everybody send mail as this domain"


@RULES.add("spf-after-all", "warning", "RFC 7208, section 5.1")
def spf_after_all(view: ZoneView) -> KeyedText:
    """An SPF record has terms that are ignored."""
    for key, text in _records(view):
        read = [*evaluated(text)]
        written = [one for one in terms(text) if one.name == "redirect" or not one.is_modifier]
        ends_in_all = bool(read) and read[-1].name == "all"
        if ends_in_all and len(written) > len(read):
            ignored = "mechanisms after 'all', or a redirect beside it, which are ignored"
            yield key, f"the SPF record has {ignored}"


@RULES.add("spf-equals", "warning", "RFC 7208, section 6")
def spf_equals(view: ZoneView) -> KeyedText:
    """An SPF record has a mechanism with = in place of a colon.

    Then it is an unknown modifier, and left out without a word.
    """
    for key, text in _records(view):
        for term in terms(text):
            is_mechanism = term.name in _MECHANISMS and term.name != "all"
            if is_mechanism and term.is_modifier and not term.qualifier:
                yield (
                    key,
                    f"{term.text} in the SPF record is ignored: write {term.name}:{term.argument}",
                )


@RULES.add("spf-ptr", "warning", "RFC 7208, section 5.5")
def spf_ptr(view: ZoneView) -> KeyedText:
    """An SPF record uses `ptr`."""
    for key, text in _records(view):
        for term in terms(text):
            if term.name == "ptr" and not term.is_modifier:
                yield key, "the SPF record uses ptr, which is slow and ignored by some receivers"


@RULES.add("spf-type", "warning", "RFC 7208, section 3.1")
def spf_type(view: ZoneView) -> KeyedText:
    """A name has an SPF record of type SPF, but none of type TXT."""
    for one in view.of_type("SPF"):
        if not view.spf.get(Key(one.name, "TXT")):
            yield one.key, "the type SPF is obsolete and ignored: the record must be TXT"


@RULES.add("spf-open-end", "info", "RFC 7208, section 4.7")
def spf_open_end(view: ZoneView) -> KeyedText:
    """An SPF record says nothing about other senders."""
    for key, text in _records(view):
        names = [term.name for term in evaluated(text)]
        if "all" not in names and "redirect" not in names:
            yield key, "the SPF record does not cover other senders: end it with -all or ~all"


def _lookups(view: ZoneView, text: str, most: int, known: dict[str, list[str]]) -> int:
    """How many look-ups a record needs; not counted far above *most*, so that loops end.

    *known* keeps what each record looks up.
    """
    if text not in known:
        known[text] = _looked_up(text)
    count = 0
    for domain in known[text]:
        count += 1
        if count > most:
            break
        included = _spf_at(view, domain) if domain else None
        if included and len(included) == 1:
            count += _lookups(view, included[0], most - count, known)
    return count


def _looked_up(text: str) -> list[str]:
    """For each of a record's first look-ups, the name whose record counts too, or nothing."""
    found = []
    for term in evaluated(text[:LONGEST]):
        if term.name in LOOKING_UP:
            found.append(term.domain if term.name in _INCLUDING else "")
    return found[: MOST_LOOKUPS + 1]


def _records(view: ZoneView) -> Iterator[tuple[Key, str]]:
    """The SPF records that are judged."""
    for key, records in view.spf.items():
        for text in records:
            if len(text) <= LONGEST:
                yield key, text


def _spf_at(view: ZoneView, name: str) -> list[str] | None:
    """The SPF records at a name; None if another zone has the name."""
    types = view.at_end(name)
    if types is None:
        return None
    texts = types.get("TXT")
    return view.spf[texts.key] if texts else []
