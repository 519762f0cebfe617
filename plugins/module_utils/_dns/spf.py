# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""SPF records (RFC 7208): their terms, and what is wrong with one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address
from typing import NamedTuple

VERSION = "v=spf1"
LOOKING_UP = frozenset({"a", "exists", "include", "mx", "ptr", "redirect"})
"""The terms that cost one of the ten look-ups (RFC 7208, section 4.6.4)."""

_MECHANISMS = frozenset({"a", "all", "exists", "include", "ip4", "ip6", "mx", "ptr"})
_WITH_DOMAIN = frozenset({"exists", "include"})
_TERM = re.compile(r"([+?~-]?)([A-Za-z][A-Za-z0-9_.-]*)(?:([:=])(.*))?")
_LENGTHS = re.compile(r"(.*?)(?:/([0-9]+))?(?://([0-9]+))?")
_EXPANSION = r"%\{[slodiphcrtv][0-9]*r?[-.+,/_=]*\}"
_MACRO_STRING = re.compile(rf"(?:{_EXPANSION}|%[%_-]|[!-$&-~])*", re.IGNORECASE)
_ENDS_IN_EXPANSION = re.compile(rf"{_EXPANSION}$", re.IGNORECASE)
_TOP_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?", re.IGNORECASE)


class Term(NamedTuple):
    """One term: its qualifier, its name in lower case, ``:``, ``=`` or nothing, and what comes after."""

    text: str
    qualifier: str
    name: str
    separator: str
    argument: str

    @property
    def is_modifier(self) -> bool:
        """Whether it is a modifier such as ``redirect``, and no mechanism."""
        return self.separator == "="

    @property
    def domain(self) -> str:
        """The name after ``include`` or ``redirect``, canonical; empty where it is not known before it is used."""
        return "" if "%" in self.argument or not self.argument else f"{self.argument.rstrip('.').lower()}."


def is_spf(text: str) -> bool:
    """Whether a text is an SPF record for those who look for one (RFC 7208, section 4.5)."""
    return text[:6].lower() == VERSION and text[6:7] in ("", " ")


def terms(text: str) -> list[Term]:
    """The terms of a record, those without any sense with an empty name."""
    found = []
    for word in text[len(VERSION) :].split(" "):
        if word:
            name, slash, lengths = word.partition("/") if ":" not in word and "=" not in word else (word, "", "")
            match = _TERM.fullmatch(name)
            parts = match.groups("") if match else ("", "", "", "")
            found.append(Term(word, parts[0], parts[1].lower(), parts[2], f"{parts[3]}{slash}{lengths}"))
    return found


def evaluated(record: list[Term]) -> Iterator[Term]:
    """The terms that count where nothing before them has decided: none after ``all``, and ``redirect`` last."""
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
    """What makes receivers give the record up, a clause each."""
    for modifier in ("redirect", "exp"):
        if sum(term.name == modifier and term.is_modifier for term in record) > 1:
            yield f"'{modifier}': it is there twice"
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
        return "nothing comes after all" if term.separator or term.argument else None
    if term.name in ("ip4", "ip6"):
        return _problem_of_network(term)
    domain, *lengths = _split(term.argument) if term.name in ("a", "mx") else (term.argument, "", "")
    if (term.separator and not domain) or (not term.separator and term.name in _WITH_DOMAIN):
        return "a domain name belongs after the :"
    if domain and not _is_domain(domain):
        return "a domain name with a dot belongs after the :, and no address"
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
    return f"a prefix has at most {most} bits" if "%" in address or (slash and not is_length) else None


def _split(argument: str) -> tuple[str, str, str]:
    """A domain name, and the lengths of the prefixes for IPv4 and IPv6."""
    match = _LENGTHS.fullmatch(argument)
    groups = match.groups("") if match else (argument, "", "")
    return groups[0], groups[1], groups[2]


def _is_length(text: str, most: int) -> bool:
    return not text or (text.isascii() and len(text) <= 3 and int(text) <= most)


def _is_domain(text: str) -> bool:
    """Whether a text is a domain-spec (RFC 7208, section 7.1): it ends in a macro, or in a label that is no number."""
    if not _MACRO_STRING.fullmatch(text):
        return False
    _rest, dot, last = text.removesuffix(".").rpartition(".")
    is_label = bool(dot) and bool(_TOP_LABEL.fullmatch(last)) and not last.isdigit()
    return is_label or bool(_ENDS_IN_EXPANSION.search(text))
