# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Warnings about what is legal but probably a mistake.

In the value of an entry, ``ns1.deleg`` means ``ns1.deleg.``; as an owner name, and in a zone file, it is relative. A
text that the service shows in quotes is in presentation form, or contains them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from .._dns.dialect import Dialect, host_alone
from .._dns.printable import printable, printable_part, some_names
from .._dns.rdata import is_quoted, is_text
from .._dns.record_set import Key, Sets, values_of
from .change import Change, replaced_by
from .desired import Desired


def warnings_of(
    held: Sets, desired: Collection[Desired], changes: Collection[Change]
) -> Iterator[str]:
    yield from _unknown_preferences(held, desired, changes)
    yield from _undotted(held, desired, changes)
    for change in changes:
        yield from _rebuilt_unlisted(change)
        yield from _replaces_nothing(change)


def _unknown_preferences(
    held: Sets, desired: Iterable[Desired], changes: Iterable[Change]
) -> Iterator[str]:
    """Warn about mail hosts whose preference was only taken from the task. Creating one again sends it."""
    sent = {change.key for change in changes if change.action == "rebuild"}
    unknown = []
    for one in desired:
        if one.type != "MX":
            continue
        there = held.get(one.key)
        if there is None or one.key in sent:
            continue
        if not set(there.assumed).isdisjoint((*one.values, *one.unwanted)):
            unknown.append(str(one.key))
    if unknown:
        yield (
            f"the service does not show the preferences of {some_names(unknown)}, and no earlier "
            "run recorded them: they stay as they are until another ttl rebuilds the set, and a "
            "host is removed whatever its preference"
        )


def _rebuilt_unlisted(change: Change) -> Iterator[str]:
    """Warn about values that a rebuild may alter and that the task does not list."""
    before = change.before
    if before is None or not change.deletes:
        return
    texts = {value: value for value in before.values}
    texts.update(before.spelled)
    is_mixed = len(set(map(is_quoted, texts.values()))) > 1
    doubtful = []
    for value in values_of(change.after):
        text = texts.get(value, value)
        is_altered = host_alone(change.key.type, text)
        if is_text(change.key.type):
            is_altered = is_mixed and is_quoted(text)
        if is_altered and value not in change.desired.values:
            doubtful.append(printable_part(text))
    if doubtful:
        yield (
            f"{change.key} is deleted and created again, which may alter {some_names(doubtful)}: "
            "a preference that the service does not show is sent as last known, and quotes that "
            "other values lack are left out; list the values in the task, or the set in ignore"
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


def _undotted(held: Sets, desired: Iterable[Desired], changes: Iterable[Change]) -> Iterator[str]:
    """Hosts without a final dot that, as relative names, are in the zone or just below a delegation.

    Most hosts elsewhere, such as ``mail.example.net``, lack the dot too.
    """
    keys = set(held)
    keys.update(change.key for change in changes if change.after)
    names = {key.name for key in keys}
    for one in desired:
        for written, relative in one.undotted:
            above = relative.partition(".")[2]
            if relative in names or Key(above, "NS") in keys:
                host = printable(written)
                yield (
                    f"{one.name} {one.type}: {host} is taken as the absolute name {host}., but the "
                    f"zone has {relative}: write the one that you mean, with its final dot"
                )


def respelled_in_words(before: Dialect, after: Dialect) -> Iterator[str]:
    """Values that are now known to be shown in other words."""
    for key, shown, values in after.respelled_since(before):
        sent = printable_part(", ".join(values))
        yield f"{key} was sent {sent}, and the service shows it as {printable_part(shown)}"
