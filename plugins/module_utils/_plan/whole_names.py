# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Names that look absolute but are relative, so that the zone's name may be appended by mistake.

``www.example.com`` without its final dot, in the zone ``example.com``, is ``www.example.com.example.com``. Such names
are legal, so they are only warned about, where they are new.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import replace

from .._dns.names import relative_name, with_u_labels
from .._dns.printable import printable, printable_part, some_warnings
from .._dns.record_set import Key, Sets
from .._dns.record_types import HOST_TYPES
from .._dns.slips import is_one_slip
from .._dns.zone_view import hosts, labels
from .change import Change

_TOP_LEVEL = frozenset({"arpa", "biz", "com", "edu", "example", "gov", "info", "io", "net", "org"})
_ALSO_PLACES = frozenset(
    {"app", "at", "au", "aws", "be", "br", "ca", "ch", "cn", "co", "cz", "de", "dev", "dk", "es"}
    | {"eu", "fi", "fr", "goog", "hu", "ie", "it", "jp", "nl", "no", "nz", "pl", "pt", "ru", "se"}
    | {"uk"}
)
"""Also used inside zones: ``mail.eu`` and ``api.dev`` are relative names."""


def whole_names(
    zone: str, held: Sets, changes: Collection[Change], zones: Collection[str] = ()
) -> list[str]:
    """Warnings of new names that look absolute.

    Such an owner or host without records ends in another one of *zones*, almost in its own, or in a top-level label new
    to the zone. An owner written in full is trusted.
    """
    known = {key.name for key in held}
    ends = _ends_of(known, zone)
    doubtful = []
    for name, key in sorted(_new_names(zone, known, changes).items()):
        relative = relative_name(name, zone)
        of_zone = _zone_at_end(name, zone, zones)
        meant = "" if of_zone else meant_in(relative, zone)
        if meant:
            doubtful.append(_almost_whole(name, key, meant, zone))
        elif of_zone or _ends_as_whole_names_do(relative, zone, ends):
            doubtful.append(_appended(name, key, of_zone, zone))
    for key, host in _new_hosts(changes):
        if host not in ("localhost.", zone) and _is_top_level(host):
            name = printable(host)
            doubtful.append(
                f"{key}: the host {name} is a top-level name: write {name}{zone} if you mean that"
            )
    return some_warnings(doubtful, "changes")


def meant_in(relative: str, zone: str) -> str:
    """The name meant if *relative* ends in the zone's name, misspelled or cut short; else empty.

    One label is no sign: it may be the zone's name without its last one.
    """
    whole = zone.removesuffix(".")
    words, of_zone = relative.split("."), whole.split(".")
    if len(of_zone) < 2 or len(words) < 2:
        return ""
    glued = relative.removesuffix(whole)
    if glued != relative and glued and glued[-1].isalnum():
        return f"{glued}.{zone}"
    before, end = _split_at_end(words, len(of_zone))
    if end and _is_misspelled(end, whole):
        return ".".join([*before, zone])
    before, end = _split_at_end(words, len(of_zone) - 1)
    if end and whole.startswith(f"{end}."):
        return ".".join([*before, zone])
    return ""


def _split_at_end(words: list[str], count: int) -> tuple[list[str], str]:
    """The words before the last *count* ones, and those as a name; empty if there are fewer."""
    if len(words) < count:
        return words, ""
    at = len(words) - count
    return words[:at], ".".join(words[at:])


def _is_misspelled(name: str, zone: str) -> bool:
    """Whether a name is almost that of the zone (both without a final dot)."""
    if "xn--" in zone:
        return is_one_slip(with_u_labels(name), with_u_labels(zone))
    return is_one_slip(name, zone)


def _ends_of(names: Iterable[str], zone: str) -> set[str]:
    """The last labels of relative names that have several."""
    ends = set()
    for name in names:
        above, _dot, end = relative_name(name, zone).rpartition(".")
        if above:
            ends.add(end)
    return ends


def _zone_at_end(name: str, zone: str, zones: Iterable[str]) -> str:
    """Another one of *zones* whose name stands before that of the *zone*; empty for none."""
    for other in zones:
        end = f".{other}{zone}"
        if other != zone and f".{name}".endswith(end):
            return other
    return ""


def _ends_as_whole_names_do(relative: str, zone: str, ends: Collection[str]) -> bool:
    """Whether a relative name has a top-level label at its end that no name in the zone has."""
    above, _dot, end = relative.rpartition(".")
    if end in ends:
        return False
    if end in _TOP_LEVEL:
        return bool(above)
    if "." not in above:
        return False
    return end in _ALSO_PLACES or f".{zone}".endswith(f".{end}.")


def _almost_whole(name: str, key: Key, meant: str, zone: str) -> str:
    written = printable_part(relative_name(name, zone))
    full = printable_part(name)
    short = printable_part(relative_name(meant, zone))
    subject = f"{written} {key.type}"
    if key.name != name:
        subject = f"{printable_part(str(key))}: {written}"
    return (
        f"{subject} becomes {full} in full: write {short} if you mean {printable_part(meant)}, or "
        "the full name with its final dot"
    )


def _appended(name: str, key: Key, of_zone: str, zone: str) -> str:
    written = printable_part(relative_name(name, zone))
    it, hint = "it", ""
    if key.name != name:
        it = printable_part(name)
        hint = ": end it with a dot if you mean that"
    where = f", of the zone {of_zone}" if of_zone else ""
    one = printable_part(str(key))
    return f"{one}: {it} looks like the full name {written}.{where} with {zone} appended{hint}"


def _is_top_level(host: str) -> bool:
    words = labels(host)
    return len(words) == 1 or words[-1].startswith("_")


def _new_hosts(changes: Iterable[Change]) -> Iterator[tuple[Key, str]]:
    for change in changes:
        if change.after and change.key.type in HOST_TYPES:
            created = replace(change.after, values=change.creates)
            for host in hosts(created):
                yield change.key, host


def _new_names(zone: str, known: Set[str], changes: Collection[Change]) -> dict[str, Key]:
    """New names, each with a set that brings it as its owner or a host."""
    there = known | {change.key.name for change in changes if change.after}
    found = {}
    for key, host in _new_hosts(changes):
        if host not in there and host.endswith(f".{zone}"):
            found[host] = key
    for change in changes:
        is_new = change.after and change.key.name not in known
        if is_new and not change.desired.is_absolute:
            found[change.key.name] = change.key
    return found
