# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Names as dnspython reads them: those that do not show at a glance what they are (``names``)."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.forms import translated
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidName, NameOutsideZone

with suppress(ImportError):  # names.py keeps the error, module.py reports it
    import dns.exception
    import dns.name

_UNPRINTABLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")
_PROBLEMS = {
    "EmptyLabel": "it has an empty label (two dots in a row, or a dot at its start)",
    "LabelTooLong": "it has a label of more than 63 bytes (RFC 1035, section 2.3.4)",
    "NameTooLong": "it has more than 255 bytes (RFC 1035, section 2.3.4)",
    "BadEscape": "it has a backslash that does not start an escape",
}


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


def _parsed_name(text: str) -> dns.name.Name:
    if not text:
        raise InvalidName("it is empty")
    if _UNPRINTABLE.search(text):
        raise InvalidName("it has white space or control characters in it")
    if "\\" in text:
        from ansible_collections.zonesmith.dns.plugins.module_utils._dns.older_dnspython import has_bytes_alone

        if not has_bytes_alone(text):  # which dnspython before 2.9 may let pass
            raise InvalidName(_PROBLEMS["BadEscape"])
    try:
        return dns.name.from_text(text, origin=None, idna_codec=LABEL_CODEC)  # type: ignore[arg-type] # duck-typed
    except dns.name.IDNAException as error:
        raise InvalidName(translated(str(error)).replace("a name in it", "it")) from error
    except dns.exception.DNSException as error:
        raise InvalidName(_PROBLEMS.get(type(error).__name__, str(error))) from error
    except ValueError as error:  # what dnspython before 2.9 says of digits that are not ASCII
        raise InvalidName(_PROBLEMS["BadEscape"]) from error


def _derelativized(name: dns.name.Name, origin: dns.name.Name) -> dns.name.Name:
    try:
        return name.derelativize(origin)
    except dns.exception.DNSException as error:
        raise InvalidName(_PROBLEMS.get(type(error).__name__, str(error))) from error


def _text(name: dns.name.Name) -> str:
    return name.canonicalize().to_text()


@cache
def _origin(zone: str) -> dns.name.Name:
    return dns.name.from_text(zone)


def absolute_name(text: str) -> str:
    """The canonical text of a name, which is absolute with or without its trailing dot. Raises InvalidName."""
    return _text(_derelativized(_parsed_name(text), dns.name.root))


def owner_name_in(text: str, zone: str) -> str:
    """The canonical owner name of a *text*, as ``names.owner_name`` has it. Raises InvalidName, NameOutsideZone."""
    name, origin = _parsed_name(text), _origin(zone)
    if not name.is_absolute():
        absolute = _derelativized(name, dns.name.root)
        return _text(absolute if absolute.is_subdomain(origin) else _derelativized(name, origin))
    if not name.is_subdomain(origin):
        raise NameOutsideZone(f"it ends in a dot and is not inside the zone {zone}")
    return _text(name)


def relative_reading_of(host: str, zone: str) -> str | None:
    """See ``names.relative_reading``."""
    try:
        name = _parsed_name(host)
        if name.is_absolute() or len(name.labels) < 2:
            return None
        is_inside = _derelativized(name, dns.name.root).is_subdomain(_origin(zone))
        return None if is_inside else _text(_derelativized(name, _origin(zone)))
    except InvalidName:
        return None


def in_u_labels(name: str) -> str:
    """See ``names.with_u_labels``."""
    try:
        return dns.name.from_text(name, origin=None).to_unicode(idna_codec=dns.name.IDNA_2008_UTS_46)
    except (dns.exception.DNSException, UnicodeError):
        return name


def host_name(name: dns.name.Name, zone: str) -> dns.name.Name:
    """The absolute, lower-case name that a host inside rdata stands for (docs/design.md, "What is open in the
    specification").

    Absolute stays; ``@`` is the apex; a single label is relative to *zone*; any other name is absolute but for its dot.
    """
    if not name.is_absolute():
        name = name.concatenate(_origin(zone) if len(name.labels) < 2 else dns.name.root)
    return name.canonicalize()
