# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Turns zone and owner names into canonical text: absolute A-labels in lower case, such as ``www.example.com.``.

All other files use that. Patterns recognize simple names; dnspython, ten times slower, reads the rest.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .forms import reason_against_escapes, translated
from .plain_values import is_plain_name

try:
    import dns.exception
    import dns.name
    import dns.version

    # Older versions keep the spelling of addresses and numbers, so equal values would differ.
    if (dns.version.MAJOR, dns.version.MINOR) < (2, 6):
        raise ImportError(f"dnspython {dns.version.version} is too old")
except ImportError as error:
    DNSPYTHON_MISSING: ImportError | None = error
else:
    DNSPYTHON_MISSING = None

_FEW = 1_024
"""As many zones as most accounts have."""

_MANY = 16_384
"""As many names as large zones have. A zone with more is read as slowly as without a cache."""

TWICE = "it ends in the name of the zone twice"
_ZONE = re.compile(r"(?:[a-z0-9_/-]+\.)+")
_UNPRINTABLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")
_BAD_ESCAPE = "it has a backslash that does not start an escape"


class InvalidInput(ValueError):
    """The message says why."""


class InvalidName(InvalidInput):
    """Also a name outside its zone. The message is a clause."""


class NameOutsideZone(InvalidName):
    """An absolute name outside the zone."""


class LabelCodec:
    """IDNA 2008 with UTS 46 for dnspython; ASCII labels are unchanged.

    Beside a non-ASCII label, dnspython's own codecs refuse ``_dmarc``.
    """

    def encode(self, label: str) -> bytes:
        """Raises dns.exception.DNSException."""
        if label.isascii():
            return label.encode("ascii")
        return dns.name.IDNA_2008_UTS_46.encode(label)


LABEL_CODEC = LabelCodec()


@lru_cache(_FEW)
def zone_name(text: str) -> str:
    """The canonical name of a zone; its final dot is optional. Raises InvalidName."""
    name = _absolute(text.strip())
    if not is_plain_name(name):
        name = _absolute_name(text.strip())
    if not _ZONE.fullmatch(name):
        raise InvalidName("a zone's labels hold letters, digits, '-', '_' and '/' only")
    return name


@lru_cache(_MANY)
def owner_name(text: str, zone: str) -> str:
    """The canonical owner name of ``@``, a relative or an absolute name. Raises InvalidName, NameOutsideZone.

    Inside the zone, the final dot is optional. A dotless name that ends in the zone twice is refused, since services
    may take it for absolute.
    """
    if text == "@":
        return zone
    if not text:
        raise InvalidName("it is empty: the zone itself is @")
    name = _plain_owner_name(text, zone) or _read_owner_name(text, zone)
    reason = reason_against_doubled(text, name, zone)
    if reason:
        raise InvalidName(reason)
    return name


def ends_in(name: str, end: str) -> bool:
    """Whether a name is *end*, or ends in it after a dot."""
    return f".{name}".endswith(f".{end}")


def is_doubled(name: str, zone: str) -> bool:
    """Whether a name ends in the zone's name twice."""
    return ends_in(name, f"{zone}{zone}")


def reason_against_doubled(text: str, name: str, zone: str) -> str | None:
    """Why *text*, without a final dot, is probably not the canonical *name*.

    In a task, the zone was appended to an absolute name; in a file, the final dot is missing.
    """
    if text.endswith(".") or not is_doubled(name, zone):
        return None
    return f"{TWICE}: write {name.removesuffix(zone)}, or {name} if you mean that"


def is_inside(name: str, zone: str) -> bool:
    """An invalid name counts by its end."""
    try:
        return bool(owner_name(name, zone))
    except NameOutsideZone:
        return False
    except InvalidName:
        return name.endswith(f".{zone}")


def relative_name(name: str, zone: str) -> str:
    """The owner name as a POST takes it, or ``@`` (spec 2.5)."""
    return "@" if name == zone else name.removesuffix(f".{zone}")


def with_u_labels(name: str) -> str:
    """Unchanged if invalid."""
    if "xn--" not in name:
        return name
    try:
        return dns.name.from_text(name, origin=None).to_unicode(
            idna_codec=dns.name.IDNA_2008_UTS_46
        )
    except (dns.exception.DNSException, UnicodeError):
        return name


def spellings(name: str, zone: str) -> set[str]:
    """An owner name, relative, absolute with and without dot, in A-labels and U-labels."""
    texts = {relative_name(name, zone), name, name.removesuffix(".")}
    if "xn--" not in name:
        return texts
    return texts.union(map(with_u_labels, texts))


def name_as_read(text: str) -> str:
    """If invalid, just in lower case."""
    lowered = _with_dot(text.lower())
    if is_plain_name(lowered):
        return lowered
    try:
        return _absolute_name(text)
    except InvalidName:
        return lowered


def host_name(name: dns.name.Name, zone: str) -> dns.name.Name:
    """The absolute, lower-case host in rdata (docs/design_details.md, "Open questions in the specification").

    ``@`` is the apex, a single label is relative to *zone*, longer names are absolute.
    """
    if not name.is_absolute():
        origin = _origin(zone) if len(name.labels) < 2 else dns.name.root
        name = name.concatenate(origin)
    return name.canonicalize()


def _absolute(text: str) -> str:
    """In lower case with a final dot; text that is not ASCII is unchanged."""
    if not text.isascii():
        return text
    return _with_dot(text.lower())


def _with_dot(name: str) -> str:
    return f"{name.removesuffix('.')}."


def _plain_owner_name(text: str, zone: str) -> str | None:
    """For simple names, else None."""
    name = _absolute(text)
    if not ends_in(name, zone):
        if text.endswith("."):
            return None
        name += zone
    if not is_plain_name(name):
        return None
    return name


def _read_owner_name(text: str, zone: str) -> str:
    """For any text. Raises InvalidName, NameOutsideZone."""
    name, origin = _parsed(text), _origin(zone)
    absolute = _derelativized(name, dns.name.root)
    if absolute.is_subdomain(origin):
        return _text(absolute)
    if name.is_absolute():
        raise NameOutsideZone(
            f"it ends in a dot and is not inside the zone {zone}: "
            "leave out the dot, or use its zone"
        )
    return _text(_derelativized(name, origin))


def _absolute_name(text: str) -> str:
    return _text(_derelativized(_parsed(text), dns.name.root))


def _parsed(text: str) -> dns.name.Name:
    if not text:
        raise InvalidName("it is empty")
    if _UNPRINTABLE.search(text):
        raise InvalidName("it contains white space or control characters")
    if reason_against_escapes(text):  # dnspython before 2.9 may accept others
        raise InvalidName(_BAD_ESCAPE)
    try:
        return dns.name.from_text(text, origin=None, idna_codec=LABEL_CODEC)  # type: ignore[arg-type] # duck-typed
    # ValueError is from dnspython before 2.9, for digits that are not ASCII.
    except (dns.name.BadEscape, ValueError) as error:
        raise InvalidName(_BAD_ESCAPE) from error
    except dns.exception.DNSException as error:
        raise InvalidName(_in_words(error)) from error


def _derelativized(name: dns.name.Name, origin: dns.name.Name) -> dns.name.Name:
    try:
        return name.derelativize(origin)
    except dns.exception.DNSException as error:
        raise InvalidName(_in_words(error)) from error


def _in_words(error: dns.exception.DNSException) -> str:
    return translated(str(error)).replace("a name in it", "it")


def _text(name: dns.name.Name) -> str:
    return name.canonicalize().to_text()


@lru_cache(_FEW)
def _origin(zone: str) -> dns.name.Name:
    return dns.name.from_text(zone)
