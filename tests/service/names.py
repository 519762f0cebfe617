# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Zone and owner names. ValueError tells what is wrong with one."""

import re

import dns.exception
import dns.name

_PRINTABLE = re.compile(r"[!-~]+")
_PLAIN = re.compile(r"[a-z0-9._/-]+")


def zone(text):
    """Return a zone's name; case, a final dot, U-labels or A-labels do not matter."""
    try:
        name = dns.name.from_text(text.strip(), idna_codec=dns.name.IDNA_2008_UTS_46).canonicalize()
    except (dns.exception.DNSException, UnicodeError) as error:
        raise ValueError(f"{text!r} is not a domain name: {error}") from error
    if name == dns.name.root or not _PLAIN.fullmatch(name.to_text()):
        raise ValueError(f"{text!r} is not a domain name.")
    return name


def relative(text, origin):
    """Return the absolute name of a name that is relative to the zone, `@` for the zone itself."""
    name = _parse(text)
    if name.is_absolute():
        raise ValueError("The name must be relative to the zone: without a trailing dot.")
    if name.is_subdomain(origin.relativize(dns.name.root)):
        raise ValueError("The name must be relative to the zone: without the name of the zone.")
    try:
        return name.derelativize(origin).canonicalize()
    except dns.exception.DNSException as error:
        raise ValueError(f"The name is not valid: {error}") from error


def inside(text, origin):
    """Return a fully qualified name, with its trailing dot, that is in the zone."""
    name = _parse(text)
    if not name.is_absolute():
        raise ValueError("The name must be fully qualified, with a trailing dot.")
    if not name.is_subdomain(origin):
        raise ValueError("The name is out of zone.")
    return name.canonicalize()


def _parse(text):
    if not _PRINTABLE.fullmatch(text):
        raise ValueError("The name must be printable ASCII (A-labels), and not empty.")
    try:
        return dns.name.from_text(text, origin=None)
    except dns.exception.DNSException as error:
        raise ValueError(f"The name is not valid: {error}") from error
