# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Warnings about what is legal but probably a mistake.

In the value of an entry, ``ns1.deleg`` means ``ns1.deleg.``; as an owner name, and in a zone file, it is relative. A
text that the service shows in quotes is in presentation form, or contains them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from .._dns.dialect import host_alone
from .._dns.globs import has_wildcards
from .._dns.printable import printable, printable_part, some_names
from .._dns.rdata import is_in_strings_of_its_own, is_quoted, is_text, text_in
from .._dns.record_set import Key, RecordSet, Sets, values_of
from .change import Change, replaced_by
from .desired import Desired
from .whole_names import meant_in

_QUOTES = (
    '\\"',
    *"'`\u00ab\u00bb\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2039\u203a\u2032\u2033\uff02",
)
"""Escaped, single and typographic quotes. Which ones open or close depends on the language."""

_INVISIBLE = tuple("\u00a0\u200b\u200c\u200d\u2060\ufeff")


def warnings_of(
    zone: str, held: Sets, desired: Collection[Desired], changes: Collection[Change]
) -> Iterator[str]:
    yield from _unknown_preferences(held, desired, changes)
    yield from _undotted(zone, held, desired, changes)
    yield from _like_globs(held, desired)
    yield from _moved_from_apex(zone, changes)
    for change in changes:
        if change.before and change.after and change.deletes:
            yield from _rebuilt_unlisted(change.before, change.after, change)
        yield from _around_text(change)
        yield from _replaces_nothing(change)


def _unknown_preferences(
    held: Sets, desired: Iterable[Desired], changes: Iterable[Change]
) -> Iterator[str]:
    """Warn about mail hosts whose preference was only taken from the task. Creating one again sends it."""
    sent = {change.key for change in changes if change.deletes}
    unknown = []
    for one in desired:
        if one.type != "MX":
            continue
        there = held.get(one.key)
        asked = one.unwanted if one.key in sent else (*one.unwanted, *one.values)
        if there and not set(asked).isdisjoint(there.assumed):
            unknown.append(str(one.key))
    if unknown:
        yield (
            f"the service does not show the preferences of {some_names(unknown)}, and no earlier "
            "run recorded them: they stay as they are until another ttl rebuilds the set, and a "
            "host is removed whatever its preference"
        )


def _rebuilt_unlisted(held: RecordSet, after: RecordSet, change: Change) -> Iterator[str]:
    """Warn about values that the task does not list and that a rebuild may alter: preferences, quotes, strings."""
    unlisted = [value for value in after.values if value not in change.desired.values]
    texts = {value: value for value in held.values}
    texts.update(held.spelled)
    alone = []
    for value in unlisted:
        if host_alone(change.key.type, texts.get(value, value)):
            alone.append(printable(value))
    if alone:
        yield (
            f"{change.key} is deleted and created again with {some_names(alone)} as last sent, "
            "because the service does not show the preference: if somebody changed it by hand, "
            "list the value in the task"
        )
    if is_text(change.key.type):
        yield from _texts_rebuilt(change, unlisted, texts)


def _texts_rebuilt(
    change: Change, unlisted: Collection[str], texts: Mapping[str, str]
) -> Iterator[str]:
    """*texts* are those that the service shows, by value."""
    in_quotes = [value for value, text in texts.items() if is_quoted(text)]
    if len(in_quotes) < len(texts):
        for value in in_quotes:
            if value in unlisted:
                yield (
                    f"{change.key} is deleted and created again, and "
                    f"{printable_part(texts[value])}, in quotes unlike its other values, is sent "
                    "without them: if they belong to the text, change the set at the service"
                )
    after = values_of(change.after)
    split = []
    for value, text in texts.items():
        if value in after and is_in_strings_of_its_own(text):
            split.append(text)
    if split:
        texts_in_words = printable_part(", ".join(split))
        yield (
            f"{change.key} has {texts_in_words}, and its strings are joined when "
            "it is sent: if each string matters, list the set in ignore"
        )


def _replaces_nothing(change: Change) -> Iterator[str]:
    one = change.desired
    if not one.replaces or change.before is None or not change.creates:
        return
    if not replaced_by(change.before, one):
        globs, values = ", ".join(one.replaces), ", ".join(one.values)
        yield (
            f"replaces ({printable_part(globs)}) matches nothing in {change.key}, so "
            f"{printable_part(values)} is added beside the old values: is it spelled correctly?"
        )


def _around_text(change: Change) -> Iterator[str]:
    """New texts in literal quotes, or with an invisible character at an end."""
    if not is_text(change.key.type):
        return
    texts = [text_in(value) for value in change.creates if value in change.desired.values]
    if any(text.startswith(_QUOTES) and text.endswith(_QUOTES) for text in texts):
        yield (
            f"{change.key}: a text begins and ends in single, typographic or escaped quotes, which "
            "become part of it: leave them out if you do not want that"
        )
    if any(text.startswith(_INVISIBLE) or text.endswith(_INVISIBLE) for text in texts):
        yield (
            f"{change.key}: a text begins or ends in an invisible character, such as a no-break "
            "space: leave it out if you do not want it"
        )


def _undotted(
    zone: str, held: Sets, desired: Iterable[Desired], changes: Iterable[Change]
) -> Iterator[str]:
    """Hosts without a final dot that are also names of the zone, now or after the changes, or end in almost its name.

    Most hosts elsewhere, such as ``mail.example.net``, lack the dot too: no warning if the relative name leads nowhere.
    """
    doubtful = [one for one in desired if one.undotted]
    if not doubtful:
        return
    keys = held.keys() | {change.key for change in changes if change.after}
    names = {key.name for key in keys}
    for one in doubtful:
        for written, relative in one.undotted:
            zone_has = ""
            if meant_in(written.lower(), zone):
                zone_has = f"is {zone}"
            elif _leads_somewhere(relative, keys, names):
                zone_has = f"has {relative}"
            if zone_has:
                host = printable(written)
                yield (
                    f"{one.name} {one.type}: {host} is taken as the absolute name {host}., but the "
                    f"zone {zone_has}: write the one that you mean, with its final dot"
                )


def _leads_somewhere(name: str, keys: Collection[Key], names: Collection[str]) -> bool:
    """Whether the name has records, or is just below a delegation, a DNAME or a wildcard.

    Not deeper: a zone may delegate ``dev`` and have aliases of ``shop.pages.dev``.
    """
    above = name.partition(".")[2]
    if name in names or f"*.{above}" in names:
        return True
    return Key(above, "NS") in keys or Key(above, "DNAME") in keys


def _like_globs(held: Sets, desired: Iterable[Desired]) -> Iterator[str]:
    """Names to delete that the zone lacks and that have a wildcard in them."""
    for one in desired:
        if one.values:
            continue
        below_wildcard = one.name.removeprefix("*.")
        is_like_glob = has_wildcards(below_wildcard)
        if is_like_glob and not any(key.name == one.name for key in held):
            yield (
                f"{one.key}: a name is not a glob here, and the zone has no such set: write an "
                "entry for each name"
            )


def _moved_from_apex(zone: str, changes: Collection[Change]) -> Iterator[str]:
    """Sets pruned at the apex and created, with the same values, elsewhere."""
    gone = set()
    for change in changes:
        if change.desired.pruned and change.key.name == zone:
            gone.add((change.key.type, values_of(change.before)))
    for change in changes:
        made = change.key.type, values_of(change.after)
        if change.before is None and made in gone:
            yield (
                f"{change.key} gets what {zone} {change.key.type} loses: in a zone file, a line "
                "without a name belongs to the name above it, so write @ before it if you mean the "
                "zone itself"
            )
