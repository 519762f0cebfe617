# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone and owner names: read as people write them, kept in one canonical text.

The canonical text of a name is absolute, in A-labels, in lower case, with its trailing dot: ``www.example.com.``.
Every other file passes names around as that text. Most names show at a glance what it is; dnspython reads all others,
which takes ten times as long.
"""

from __future__ import annotations

import re
from functools import cache

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.forms import translated
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.older_dnspython import has_bytes_alone
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.plain_values import is_plain_name

try:
    import dns.exception
    import dns.name
    import dns.version

    # Older ones keep the spelling of addresses and of numbers, so that one value would be two.
    if (dns.version.MAJOR, dns.version.MINOR) < (2, 6):
        raise ImportError(f"dnspython {dns.version.version} is too old")
except ImportError as error:
    DNSPYTHON_MISSING: ImportError | None = error
else:
    DNSPYTHON_MISSING = None

_ZONE = re.compile(r"(?:[a-z0-9_/-]+\.)+")
_UNPRINTABLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")
_BAD_ESCAPE = "it has a backslash that does not start an escape"


class InvalidInput(ValueError):
    """What a user wrote and cannot be used; says why."""


class InvalidName(InvalidInput):
    """A text that is no domain name, or not one that fits its zone; says why in one clause."""


class NameOutsideZone(InvalidName):
    """An absolute name that is not inside the zone."""


class LabelCodec:
    """Encodes single labels for dnspython: IDNA 2008 with the mappings of UTS 46, ASCII labels left as they are.

    dnspython's own codecs look at every label of a name that has one non-ASCII label, and refuse ``_dmarc``.
    """

    def encode(self, label: str) -> bytes:
        """The A-label of *label*. Raises dns.exception.DNSException."""
        if label.isascii():
            return label.encode("ascii")
        return dns.name.IDNA_2008_UTS_46.encode(label)


LABEL_CODEC = LabelCodec()


@cache
def zone_name(text: str) -> str:
    """The canonical name of the zone that *text* names, in any case, with or without its trailing dot.

    Raises InvalidName where it is no name that a zone of the service can have.
    """
    name = _absolute(text.strip())
    if not is_plain_name(name):
        if "://" in text:
            raise InvalidName("it is a URL: write the zone alone")
        name = _absolute_name(text.strip())
    if not _ZONE.fullmatch(name):
        raise InvalidName("a zone's labels hold letters, digits, '-', '_' and '/' only")
    return name


@cache
def owner_name(text: str, zone: str) -> str:
    """The canonical owner name that *text* means in *zone* (canonical).

    ``@``, a relative name, an absolute name, or an absolute one without its dot when it ends in the zone's name. One
    without its dot that ends in it twice is not meant: a service may take what is sent of it for the absolute name.
    Raises InvalidName, NameOutsideZone.
    """
    if text == "@":
        return zone
    if not text:
        raise InvalidName("it is empty: the zone itself is @")
    name = _plain_owner_name(text, zone) or _read_owner_name(text, zone)
    if reason := reason_against_doubled(text, name, zone):
        raise InvalidName(reason)
    return name


def is_doubled(name: str, zone: str) -> bool:
    """Whether a canonical *name* ends in the zone's twice."""
    return f".{name}".endswith(f".{zone}{zone}")


def reason_against_doubled(text: str, name: str, zone: str) -> str | None:
    """Why a *text* without a final dot is not meant as the canonical *name* that it stands for; None where it may be.

    In a task it is the absolute name and the zone's once more, in a file the absolute name without its dot.
    """
    if text.endswith(".") or not is_doubled(name, zone):
        return None
    return f"it ends in the name of the zone twice: write {name.removesuffix(zone)}, or {name} where that is meant"


def is_inside(name: str, zone: str) -> bool:
    """Whether an owner *name* that the service shows is in *zone* (both as read); what is no name, by its end."""
    try:
        return bool(owner_name(name, zone))
    except NameOutsideZone:
        return False
    except InvalidName:
        return name.endswith(f".{zone}")


@cache
def relative_reading(host: str, zone: str) -> str | None:
    """What a *host* with a dot inside and none at its end would be as a name relative to *zone*.

    None for any other host, and for one that is inside the zone as an absolute name.
    """
    if host.isascii() and "\\" not in host and ("." not in host or host.endswith(".")):
        return None
    try:
        name = _parsed(host)
        if name.is_absolute() or len(name.labels) < 2:
            return None
        is_inside = _derelativized(name, dns.name.root).is_subdomain(_origin(zone))
        return None if is_inside else _text(_derelativized(name, _origin(zone)))
    except InvalidName:
        return None


def relative_name(name: str, zone: str) -> str:
    """The canonical owner *name* as a creation wants it: relative to *zone*, ``@`` for the apex (spec 2.5)."""
    return "@" if name == zone else name[: -len(zone) - 1]


def with_u_labels(name: str) -> str:
    """A name with its A-labels as people read them; the name itself where they cannot be read."""
    try:
        return dns.name.from_text(name, origin=None).to_unicode(idna_codec=dns.name.IDNA_2008_UTS_46)
    except (dns.exception.DNSException, UnicodeError):
        return name


def spellings(name: str, zone: str) -> set[str]:
    """How people may write a canonical owner *name*: relative, absolute with or without its dot, and in U-labels."""
    texts = {relative_name(name, zone), name, name[:-1]}
    return texts | set(map(with_u_labels, texts)) if "xn--" in name else texts


def name_as_read(text: str) -> str:
    """The canonical form of a name that the service shows; what is no name is only put in lower case."""
    lowered = text.lower()
    if not lowered.endswith("."):
        lowered += "."
    if is_plain_name(lowered):
        return lowered
    try:
        return _absolute_name(text)
    except InvalidName:
        return lowered


def host_name(name: dns.name.Name, zone: str) -> dns.name.Name:
    """The absolute, lower-case name that a host inside rdata stands for (docs/design_details.md, "Open
    questions in the specification").

    Absolute stays; ``@`` is the apex; a single label is relative to *zone*; any other name is absolute but for its dot.
    """
    if not name.is_absolute():
        name = name.concatenate(_origin(zone) if len(name.labels) < 2 else dns.name.root)
    return name.canonicalize()


def _absolute(text: str) -> str:
    """An ASCII text in lower case and with a dot at its end; another one as it is, for which that is not enough."""
    return f"{text.lower().removesuffix('.')}." if text.isascii() else text


def _plain_owner_name(text: str, zone: str) -> str | None:
    """As ``owner_name`` has it, where it shows at a glance."""
    name = _absolute(text)
    if not (name == zone or name.endswith(f".{zone}") or text.endswith(".")):
        name += zone
    is_inside = name == zone or name.endswith(f".{zone}")
    return name if is_inside and is_plain_name(name) else None


def _read_owner_name(text: str, zone: str) -> str:
    """As ``owner_name`` has it, for any text. Raises InvalidName, NameOutsideZone."""
    name, origin = _parsed(text), _origin(zone)
    if not name.is_absolute():
        absolute = _derelativized(name, dns.name.root)
        return _text(absolute if absolute.is_subdomain(origin) else _derelativized(name, origin))
    if not name.is_subdomain(origin):
        raise NameOutsideZone(f"it ends in a dot and is not inside the zone {zone}")
    return _text(name)


def _absolute_name(text: str) -> str:
    """The canonical text of a name, which is absolute with or without its trailing dot. Raises InvalidName."""
    return _text(_derelativized(_parsed(text), dns.name.root))


def _parsed(text: str) -> dns.name.Name:
    if not text:
        raise InvalidName("it is empty")
    if _UNPRINTABLE.search(text):
        of_list = ": a comma makes no list of names, so write an entry for each" if "," in text else ""
        raise InvalidName(f"it has white space or control characters in it{of_list}")
    if not has_bytes_alone(text):  # which dnspython before 2.9 may let pass
        raise InvalidName(_BAD_ESCAPE)
    try:
        return dns.name.from_text(text, origin=None, idna_codec=LABEL_CODEC)  # type: ignore[arg-type] # duck-typed
    except (dns.name.BadEscape, ValueError) as error:  # that dnspython before 2.9 raises for digits that are not ASCII
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


@cache
def _origin(zone: str) -> dns.name.Name:
    return dns.name.from_text(zone)
