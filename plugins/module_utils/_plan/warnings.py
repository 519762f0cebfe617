# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Warnings about what is legal but probably a mistake.

In the value of an entry, ``ns1.deleg`` means ``ns1.deleg.``; as an owner name, and in a zone file, it is relative. A
text that the service shows in quotes is in presentation form, or contains them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import replace

from .._dns.dialect import host_alone
from .._dns.globs import has_wildcards
from .._dns.names import relative_name, with_u_labels
from .._dns.printable import printable, printable_part, some_names, some_warnings
from .._dns.rdata import is_in_strings_of_its_own, is_quoted, is_text, text_in
from .._dns.record_set import Key, RecordSet, Sets, values_of
from .._dns.record_types import HOST_TYPES
from .._dns.slips import is_one_slip
from .._dns.zone_view import hosts, labels
from .change import Change, replaced_by
from .desired import Desired

_TOP_LEVEL = frozenset({"arpa", "biz", "com", "edu", "example", "gov", "info", "io", "net", "org"})
_ALSO_PLACES = frozenset(
    {
        "app",
        "at",
        "au",
        "aws",
        "be",
        "br",
        "ca",
        "ch",
        "cn",
        "co",
        "cz",
        "de",
        "dev",
        "dk",
        "es",
        "eu",
        "fi",
        "fr",
    }
    | {"goog", "hu", "ie", "it", "jp", "nl", "no", "nz", "pl", "pt", "ru", "se", "uk"}
)
"""Also used inside zones: ``mail.eu`` and ``api.dev`` are relative names."""

_QUOTES = (
    '\\"',
    *"'`\u00ab\u00bb\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2039\u203a\u2032\u2033\uff02",
)
"""Escaped, single and typographic quotes. Which ones open or close depends on the language."""

_INVISIBLE = tuple("\u00a0\u200b\u200c\u200d\u2060\ufeff")


def warnings_of(
    zone: str, snapshot: Sets, desired: Collection[Desired], changes: Collection[Change]
) -> Iterator[str]:
    yield from _unknown_preferences(snapshot, desired, changes)
    yield from _undotted(zone, snapshot, desired, changes)
    yield from _like_globs(snapshot, desired)
    yield from _moved_from_apex(zone, changes)
    for change in changes:
        held = snapshot.get(change.key)
        if held and change.after and change.deletes:
            yield from _kept_though_rebuilt(held, change.after, change)
        yield from _around_text(change)
        yield from _replaces_nothing(held, change)


def _unknown_preferences(
    snapshot: Sets, desired: Iterable[Desired], changes: Iterable[Change]
) -> Iterator[str]:
    """Warn about mail hosts whose preference was only taken from the task. Creating one again sends it."""
    made = {change.key for change in changes if change.deletes}
    unknown = []
    for one in desired:
        if one.type != "MX":
            continue
        held = snapshot.get(one.key)
        if held and held.assumed:
            asked = one.unwanted if one.key in made else (*one.unwanted, *one.values)
            if any(value in asked for value in held.assumed):
                unknown.append(str(one.key))
    if unknown:
        yield (
            f"the service does not show the preferences of {some_names(unknown)}, and no earlier run recorded them: "
            "they stay as they are until another ttl rebuilds the set, and a host is removed whatever its preference"
        )


def _kept_though_rebuilt(held: RecordSet, after: RecordSet, change: Change) -> Iterator[str]:
    """Warn about kept values that a rebuild may alter: preferences, quotes, strings."""
    kept = [value for value in after.values if value not in change.desired.values]
    texts = {value: value for value in held.values} | dict(held.spelled)
    alone = [
        printable(value) for value in kept if host_alone(change.key.type, texts.get(value, value))
    ]
    if alone:
        yield (
            f"{change.key} is deleted and created again with {some_names(alone)} as last sent, because the service "
            "does not show the preference: if somebody changed it by hand, list the value in the task"
        )
    if is_text(change.key.type):
        yield from _texts_rebuilt(change, kept, texts)


def _texts_rebuilt(
    change: Change, kept: Collection[str], texts: Mapping[str, str]
) -> Iterator[str]:
    quoted = [value for value, text in texts.items() if is_quoted(text)]
    if len(quoted) < len(texts):
        for value in filter(kept.__contains__, quoted):
            yield (
                f"{change.key} is deleted and created again, and {printable_part(texts[value])}, in quotes unlike its "
                "other values, is sent without them: if they belong to the text, change the set at the service"
            )
    after = values_of(change.after)
    split = [
        text for value, text in texts.items() if value in after and is_in_strings_of_its_own(text)
    ]
    if split:
        yield (
            f"{change.key} has {printable_part(', '.join(split))}, and its strings are joined when it is sent: if each "
            "string matters, list the set in ignore"
        )


def _replaces_nothing(held: RecordSet | None, change: Change) -> Iterator[str]:
    one = change.desired
    if one.replaces and held and change.creates and not replaced_by(held, one):
        yield (
            f"replaces ({printable_part(', '.join(one.replaces))}) matches nothing in {change.key}, so "
            f"{printable_part(', '.join(one.values))} is added beside the old values: is it spelled correctly?"
        )


def _around_text(change: Change) -> Iterator[str]:
    """New texts in literal quotes, or with an invisible character at an end."""
    if not is_text(change.key.type):
        return
    texts = [text_in(value) for value in change.creates if value in change.desired.values]
    if any(text.startswith(_QUOTES) and text.endswith(_QUOTES) for text in texts):
        yield (
            f"{change.key}: a text begins and ends in single, typographic or escaped quotes, which become part of "
            "it: leave them out if you do not want that"
        )
    if any(text.startswith(_INVISIBLE) or text.endswith(_INVISIBLE) for text in texts):
        yield (
            f"{change.key}: a text begins or ends in an invisible character, such as a no-break space: leave it out if "
            "you do not want it"
        )


def _undotted(
    zone: str, snapshot: Sets, desired: Iterable[Desired], changes: Iterable[Change]
) -> Iterator[str]:
    """Hosts without a final dot that are also names of the zone, now or after the changes, or end in almost its name.

    Most hosts elsewhere, such as ``mail.example.net``, lack the dot too: no warning if the relative name leads nowhere.
    """
    doubtful = [one for one in desired if one.undotted]
    keys = (
        snapshot.keys() | {change.key for change in changes if change.after} if doubtful else set()
    )
    names = {key.name for key in keys}
    for one in doubtful:
        for written, relative in one.undotted:
            meant = _meant_in(written.lower(), zone)
            if meant or _leads_somewhere(relative, keys, names):
                host = printable(written)
                yield (
                    f"{one.name} {one.type}: {host} is taken as the absolute name {host}., but the zone "
                    f"{f'is {zone}' if meant else f'has {relative}'}: write the one that you mean, with its final dot"
                )


def _like_globs(snapshot: Sets, desired: Iterable[Desired]) -> Iterator[str]:
    """Names to delete that the zone lacks and that have a wildcard in them."""
    for one in desired:
        is_like_glob = not one.values and has_wildcards(one.name.removeprefix("*."))
        if is_like_glob and not any(key.name == one.name for key in snapshot):
            yield (
                f"{printable(' '.join(one.key))}: a name is not a glob here, and the zone has no such set: write an "
                "entry for each name"
            )


def _moved_from_apex(zone: str, changes: Collection[Change]) -> Iterator[str]:
    """Sets pruned at the apex and created, with the same values, elsewhere."""
    pruned = [change for change in changes if change.desired.pruned and change.key.name == zone]
    gone = {(change.key.type, values_of(change.before)) for change in pruned}
    for change in changes:
        if not change.before and (change.key.type, values_of(change.after)) in gone:
            yield (
                f"{change.key} gets what {zone} {change.key.type} loses: in a zone file, a line without a name belongs "
                "to the name above it, so write @ before it if you mean the zone itself"
            )


def _leads_somewhere(name: str, keys: Collection[Key], names: Collection[str]) -> bool:
    """Whether the name has records, or is just below a delegation, a DNAME or a wildcard.

    Not deeper: a zone may delegate ``dev`` and have aliases of ``shop.pages.dev``.
    """
    above = name.partition(".")[2]
    return (
        name in names
        or f"*.{above}" in names
        or Key(above, "NS") in keys
        or Key(above, "DNAME") in keys
    )


def whole_names(
    zone: str, snapshot: Sets, changes: Collection[Change], zones: Collection[str] = ()
) -> list[str]:
    """New names that look absolute, so the zone's name may be appended by mistake.

    Such an owner or host without records ends in another one of *zones*, almost in its own, or in a top-level label new
    to the zone. An owner written in full is trusted.
    """
    known = {key.name for key in snapshot}
    places = _ALSO_PLACES | {zone[:-1].rpartition(".")[2]}
    ends = {
        end
        for above, _dot, end in (relative_name(name, zone).rpartition(".") for name in known)
        if above
    }
    doubtful = []
    for name, key in sorted(_new_names(zone, known, changes).items()):
        is_host, relative = key.name != name, relative_name(name, zone)
        above, _dot, end = relative.rpartition(".")
        is_whole = end not in ends and bool(
            above if end in _TOP_LEVEL else end in places and "." in above
        )
        of = next(
            (other for other in zones if other != zone and f".{name}".endswith(f".{other}{zone}")),
            "",
        )
        written, full, of_set = (
            printable_part(relative),
            printable_part(name),
            printable_part(str(key)),
        )
        if not of and (meant := _meant_in(relative, zone)):
            doubtful.append(
                f"{f'{of_set}: {written}' if is_host else f'{written} {key.type}'} becomes {full} in full: write "
                f"{printable_part(relative_name(meant, zone))} if you mean {printable_part(meant)}, or the full "
                "name with its final dot"
            )
        elif of or is_whole:
            doubtful.append(
                f"{of_set}: {full if is_host else 'it'} looks like the full name {written}."
                f"{f', of the zone {of}' if of else ''} with {zone} appended"
                f"{': end it with a dot if you mean that' if is_host else ''}"
            )
    doubtful += [
        f"{key}: the host {printable(host)} is a top-level name: write {printable(host)}{zone} if you mean that"
        for key, host in _new_hosts(changes)
        if host not in ("localhost.", zone)
        and (len(labels(host)) == 1 or labels(host)[-1].startswith("_"))
    ]
    return some_warnings(doubtful, "changes")


def _new_hosts(changes: Iterable[Change]) -> Iterator[tuple[Key, str]]:
    for change in changes:
        if change.after and change.key.type in HOST_TYPES:
            for host in hosts(replace(change.after, values=change.creates)):
                yield change.key, host


def _new_names(zone: str, known: Set[str], changes: Collection[Change]) -> dict[str, Key]:
    """New names, each with a set that brings it as its owner or a host."""
    there = known | {change.key.name for change in changes if change.after}
    found = {
        host: key
        for key, host in _new_hosts(changes)
        if host not in there and host.endswith(f".{zone}")
    }
    made = (change for change in changes if change.after and not change.desired.is_absolute)
    return found | {change.key.name: change.key for change in made if change.key.name not in known}


def _meant_in(relative: str, zone: str) -> str | None:
    """The name meant if *relative* ends in the zone's name, misspelled or cut short.

    One label is no sign: it may be the zone's name without its last one.
    """
    words, of_zone = relative.split("."), zone[:-1].split(".")
    count = len(of_zone)
    if count < 2 or len(words) < 2:
        return None
    glued = relative.removesuffix(zone[:-1])
    if glued != relative and glued[-1:].isalnum():
        return f"{glued}.{zone}"
    as_people_read = with_u_labels if "xn--" in zone else str
    if len(words) >= count and is_one_slip(
        *map(as_people_read, (".".join(words[-count:]), zone[:-1]))
    ):
        return ".".join([*words[:-count], zone])
    if words[1 - count :] == of_zone[:-1]:
        return ".".join([*words[: 1 - count], zone])
    return None
