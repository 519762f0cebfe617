# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone and owner names: read as people write them, kept in one canonical text.

The canonical text of a name is absolute, in A-labels, in lower case, with its trailing dot: ``www.example.com.``.
Every other file passes names around as that text. Most names show at a glance what it is. All others are read by
dnspython (``read_names``), which is imported for them alone: that takes longer than a whole task does.
"""

from __future__ import annotations

import re
from functools import cache

try:
    import dns.version

    # Older ones keep the spelling of addresses and of numbers, so that one value would be two.
    if (dns.version.MAJOR, dns.version.MINOR) < (2, 6):
        raise ImportError(f"dnspython {dns.version.version} is too old")
except ImportError as error:
    DNSPYTHON_MISSING: ImportError | None = error
else:
    DNSPYTHON_MISSING = None

_PLAIN_NAME = re.compile(r"(?=.{,254}$)(?:[a-z0-9_*-]{1,63}\.)+")  # RFC 1035, section 2.3.4
_ZONE = re.compile(r"(?:[a-z0-9_/-]+\.)+")


class InvalidName(ValueError):
    """A text that is no domain name, or not one that fits its zone; says why in one clause."""


class NameOutsideZone(InvalidName):
    """An absolute name that is not inside the zone."""


def _absolute(text: str) -> str:
    """An ASCII text in lower case and with a dot at its end; another one as it is, for which that is not enough."""
    return f"{text.lower().removesuffix('.')}." if text.isascii() else text


@cache
def zone_name(text: str) -> str:
    """The canonical name of the zone that *text* names, in any case, with or without its trailing dot.

    Raises InvalidName where it is no name that a zone of the service can have.
    """
    name = _absolute(text.strip())
    if not _PLAIN_NAME.fullmatch(name):
        if "://" in text:
            raise InvalidName("it is a URL: write the zone alone")
        from ansible_collections.zonesmith.dns.plugins.module_utils._dns.read_names import absolute_name

        name = absolute_name(text.strip())
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
    name = _plain_owner_name(text, zone)
    if not name:
        from ansible_collections.zonesmith.dns.plugins.module_utils._dns.read_names import owner_name_in

        name = owner_name_in(text, zone)
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


def _plain_owner_name(text: str, zone: str) -> str | None:
    """The same where it shows at a glance."""
    name = _absolute(text)
    if not (name == zone or name.endswith(f".{zone}") or text.endswith(".")):
        name += zone
    is_inside = name == zone or name.endswith(f".{zone}")
    return name if is_inside and _PLAIN_NAME.fullmatch(name) else None


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
    from ansible_collections.zonesmith.dns.plugins.module_utils._dns.read_names import relative_reading_of

    return relative_reading_of(host, zone)


def relative_name(name: str, zone: str) -> str:
    """The canonical owner *name* as a creation wants it: relative to *zone*, ``@`` for the apex (spec 2.5)."""
    return "@" if name == zone else name[: -len(zone) - 1]


def with_u_labels(name: str) -> str:
    """A name with its A-labels as people read them; the name itself where they cannot be read."""
    from ansible_collections.zonesmith.dns.plugins.module_utils._dns.read_names import in_u_labels

    return in_u_labels(name)


def spellings(name: str, zone: str) -> set[str]:
    """How people may write a canonical owner *name*: relative, absolute with or without its dot, and in U-labels."""
    texts = {relative_name(name, zone), name, name[:-1]}
    return texts | set(map(with_u_labels, texts)) if "xn--" in name else texts


def name_as_read(text: str) -> str:
    """The canonical form of a name that the service shows; what is no name is only put in lower case."""
    lowered = text.lower()
    if not lowered.endswith("."):
        lowered += "."
    if _PLAIN_NAME.fullmatch(lowered):
        return lowered
    from ansible_collections.zonesmith.dns.plugins.module_utils._dns.read_names import absolute_name

    try:
        return absolute_name(text)
    except InvalidName:
        return lowered
