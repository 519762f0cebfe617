# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rejects input that DNS would read differently from what its author meant; zones may hold it."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache

from .forms import A_LIST, OF_LINE, reason_against_strings
from .names import InvalidName, ends_in, name_as_read, owner_name
from .rdata import CACHED_TYPES, InvalidRdata, as_read, canonical, is_text, is_unknown, record_type
from .record_types import OF_SERVICES, REGISTERED, known_of
from .slips import meant

with suppress(ImportError):  # names.py keeps the error, module.py reports it
    import dns.rdatatype

_URL = re.compile("[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_NO_HOSTS = (
    (_URL, "is a URL"),
    (re.compile(r"[^:]+:[0-9]+\.?$"), "has a port"),
    # Not a reverse range (RFC 2317).
    (re.compile(r"[^/]*\.[a-z]{2,}\.?/", re.IGNORECASE), "has a path"),
    (re.compile(r"[^@\\]+@[^@\\]+$"), "is a mail address"),
)
"""Texts mistaken for hosts."""
_WRITE_A_HOST = "write a host name, such as mail.example.com."
_AT = re.compile(r"(?<!\\)@")
_APEX_INSIDE = re.compile(r"(?:^|(?<!\\)\.)@(?=\.|$)")

_LIST = r"\[\s*'[^'\]]*'(?:,\s*'[^'\]]*')*\s*\]"
# Intended texts of this kind follow other text or are quoted, and lack the object's address.
_OF_PYTHON = (
    (
        r"(?:^\s*<|<(?=[^<>]* at 0x[0-9a-f]+>))(built-in (?:method|function)|bound method|function|generator)\b",
        r"it is the text of a Python object (\1): if a key is also the name of a method, write item['values']",
    ),
    (
        r"^\s*<(?:class|Namespace)\b|<[^<>]* object at 0x[0-9a-f]+>",
        "it is the text of a Python object: write the part that you mean, as in item.name",
    ),
    (
        r"^\s*(?:AnsibleUndefined\b|None\s*$)",
        "it is the placeholder of an undefined variable: set the variable, or leave the value out",
    ),
    (
        rf"^\s*(?:\[\s*'.*'\s*\]|\{{\s*'[^']*':.*\}})\s*$|^[^\"]*(?:[^\"\s]{_LIST}|{_LIST}[^\"\s])",
        "it has the text of a list or dictionary: write each value as an item of its own, or put the text in quotes",
    ),
    (r"^\s*b'[^']*'\s*$", "it is the text of Python bytes: write only what is inside its quotes"),
    (  # before 2.19, ansible-core does not remove it from lists
        "__omit_place_holder__",
        "it contains omit, which works only for whole options: take it out of the list",
    ),
)
_MARK_OF_PYTHON = re.compile("<|'|AnsibleUndefined|None|__omit_place_holder__")
"""What all of these have in them."""
_OF_FILES = (
    (r"(\S+\s+){0,2}IN\s+(TXT|SPF)\s", f"{OF_LINE}: put it in quotes if you mean all of it"),
    (
        r'(?!").*\\;',
        "plain text needs no backslash before ;: write ; alone, or put the text in double quotes",
    ),
    (
        r'\(\s*".*"\s*\)$',
        "parentheses belong to zone files: write only the strings that are inside",
    ),
)
"""What plain text of an option has only by mistake."""
_ROOT = re.compile(r"(?:CNAME|DNAME|NS|PTR|MX [1-9][0-9]*) \.")  # MX 0 . means no mail (RFC 7505)
_OF_LINES = (
    "a value must be one line, but this has several: write it on one line, or its strings each in "
    "double quotes"
)
_ADDRESS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}")


def checked_name(text: str, zone: str) -> str:
    """Raises InvalidName."""
    reason = reason_against_template(text) or _reason_against_owner(text, zone)
    if reason:
        raise InvalidName(reason)
    return owner_name(text, zone)


def _reason_against_owner(text: str, zone: str) -> str | None:
    if _URL.match(text):
        return "it is a URL: write only the name"
    if text == "@" or not _AT.search(text):
        return None
    mail = "an owner name is not a mail address: leave the @ out, or write \\@ if you mean it"
    return reason_against_word(text, zone) or mail


def checked_value(
    rdtype: str, text: str, zone: str, priority: int | None = None, *, is_new: bool
) -> str:
    """The canonical text; more is refused if it *is_new*. Raises InvalidRdata."""
    if is_new:
        _check_spelling(rdtype, text)
    if rdtype == "SOA":  # nobody writes one, and services may show it in a form of their own
        return as_read(rdtype, text, zone)
    text = without_line_end(text)
    if "\n" in text or "\r" in text:
        raise InvalidRdata(_OF_LINES)
    value = canonical(rdtype, text, zone, priority)
    if is_new:
        check_new_value(rdtype, text, value, zone)
    return value


def _check_spelling(rdtype: str, text: str) -> None:
    """Raises InvalidRdata if the text of an option is probably not as meant."""
    of_python = reason_against_template(text)
    if of_python:
        raise InvalidRdata(of_python)
    if not is_text(rdtype):
        return
    if text and not text.strip():
        raise InvalidRdata("the value is empty: write blanks in quotes, as in '\" \"'")
    for pattern, reason in _OF_FILES:
        if re.match(pattern, text):
            raise InvalidRdata(reason)
    of_strings = None
    if text.startswith('"'):
        of_strings = reason_against_strings(without_line_end(text))
    if of_strings:
        raise InvalidRdata(
            f'{of_strings} (a value that begins with a quote is in zone-file form, where \\" is a quote in the text)'
        )


def reason_against_template(text: str) -> str | None:
    """Why it looks like a printed Python object."""
    if not _MARK_OF_PYTHON.search(text):
        return None
    for pattern, message in _OF_PYTHON:
        found = re.search(pattern, text, re.DOTALL)
        if found:
            return found.expand(message)
    return None


def check_new_value(rdtype: str, text: str, value: str, zone: str) -> None:
    """Raises InvalidRdata if a value to create (canonical *value*) cannot be meant."""
    if _ROOT.fullmatch(f"{rdtype} {value}"):
        raise InvalidRdata("its host is a dot alone, the root: was a variable empty?")
    for word in text.split()[: known_of(rdtype).host]:
        reason = _reason_against_host_word(word, zone)
        if reason:
            raise InvalidRdata(reason)


def _reason_against_host_word(word: str, zone: str) -> str | None:
    for pattern, what in _NO_HOSTS:
        if pattern.match(word):
            return f"{word} {what}: {_WRITE_A_HOST}"
    if "," in word and "\\" not in word:
        return A_LIST
    return reason_against_word(word, zone) or reason_against_host(word)


def undotted_host(rdtype: str, text: str, zone: str) -> tuple[str, str] | None:
    """A host with inner dots but no final one, and its name if relative; else None."""
    before_others = text.split()[: known_of(rdtype).host]
    if not before_others:
        return None
    host = before_others[-1]
    absolute = name_as_read(host)
    if "." not in host or host.endswith(".") or ends_in(absolute, zone):
        return None
    return host, f"{absolute}{zone}"


def reason_against_word(word: str, zone: str) -> str | None:
    """Why *word* is no owner or host name. A label ``@`` is written ``\\@``."""
    if "@" in word and word != "@" and _APEX_INSIDE.search(word):
        return f"the zone itself is written @ or {zone}, and @ means nothing in a longer name: leave it out"
    return None


def reason_against_host(word: str) -> str | None:
    """Why it is not a host. The origin would be appended to an address."""
    if not _ADDRESS.fullmatch(word):
        return None
    return f"{word} is an address: {_WRITE_A_HOST}"


def without_line_end(text: str) -> str:
    """Without final newlines, as from YAML block scalars."""
    return text.rstrip("\r\n")


@lru_cache(CACHED_TYPES)
def checked_type(text: str) -> str:
    """Raises InvalidRdata."""
    rdtype = record_type(text)
    slip = slip_in(rdtype)
    if slip:
        raise InvalidRdata(slip)
    return rdtype


@lru_cache(CACHED_TYPES)
def slip_in(rdtype: str) -> str | None:
    """The known type that an unknown one is like, as a clause; None if there is none, or for a glob."""
    is_mnemonic = rdtype.replace("-", "").isalnum()
    if not is_mnemonic or not is_unknown(rdtype) or rdtype in OF_SERVICES | REGISTERED:
        return None
    near = meant(rdtype, dns.rdatatype.RdataType.__members__)
    return f"the type {rdtype} is unknown (did you mean {near}?)" if near else None
