# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The border between our words and a service's.

Services store what they are sent in other words: a mail host without its preference, a URL in
small letters, a TTL of their own, a text with its quotes or cut at a semicolon. What runs have
learnt of that in a zone is its *dialect*. All else sees only our own words, so that equal texts
are equal values:

* ``Dialect.read`` turns a snapshot into our words, as they were sent.
* ``Dialect.asked`` says which TTL to ask for, and ``sending.py`` how a value is sent.
* ``Dialect.learnt`` compares what was sent with what is shown.

A value that the set did not have before tells what became of what was sent. One that it had before
tells nothing, since a snapshot may be stale. An altered text is no other word for the text, since
name servers answer it: it is to go, and the text is sent in the other form.

For example, a set held ``ab``, ``a b`` was sent without quotes, and the service shows ``ab``. That
may be the old value. If it shows ``ac`` and ``ab`` instead, and the set held ``ac``, the service
reads unquoted texts as zone files do, and made ``ab`` of ``a b``.

How a TTL is learnt, ``_log/entry.py`` tells.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from .rdata import as_read, is_text
from .record_set import Key, RecordSet, RecordSets, minus, same_values, values_of, without
from .record_types import known_of
from .sending import altered_forms

Words = Mapping[str, tuple[str, ...]]
"""A canonical value as shown, with the sent values that it may stand for."""

Said = Mapping[Key, Collection[str]]
"""Values that a task names, by set. They may explain a mail host shown without preference."""

NOTHING_SAID: Said = MappingProxyType({})


def host_alone(rdtype: str, value: str) -> bool:
    """Whether it is a mail host without preference, which no request can create (spec 2.5)."""
    return rdtype == "MX" and " " not in value


def with_host(host: str, values: Iterable[str]) -> tuple[str, ...]:
    """The MX values that have this host, whatever their preference."""
    return tuple(value for value in values if value.endswith(f" {host}"))


class Comparison(NamedTuple):
    """One set: as *shown* in the service's words, as it was *sent* or is to be, and its *old* values.

    *old* are the values, in our words, that tell nothing if they are shown. *proves_ttl* is whether
    the TTL that is shown was made of the one that was sent.
    """

    shown: RecordSet
    sent: RecordSet | None
    old: Collection[str] = ()
    proves_ttl: bool = False


class ReadSets(Mapping[Key, RecordSet]):
    """Sets in our words. Each is read when it is first asked for, since large zones have many."""

    def __init__(self, shown: RecordSets, read: Callable[[Key, RecordSet], RecordSet]):
        self._shown = shown
        self._read = read
        self._known: dict[Key, RecordSet] = {}

    def __getitem__(self, key: Key) -> RecordSet:
        if key not in self._known:
            self._known[key] = self._read(key, self._shown[key])
        return self._known[key]

    def __contains__(self, key: object) -> bool:
        return key in self._shown

    def __iter__(self) -> Iterator[Key]:
        return iter(self._shown)

    def __len__(self) -> int:
        return len(self._shown)

    def but(self, sets: Mapping[Key, RecordSet | None]) -> ReadSets:
        """The same with other *sets*, or without those that are None."""
        if not sets:
            return self
        shown, known = dict(self._shown), dict(self._known)
        for key, one in sets.items():
            shown.pop(key, None)
            known.pop(key, None)
            if one:
                shown[key] = known[key] = one
        other = ReadSets(shown, self._read)
        other._known = known
        return other

    def with_values(self, others: Mapping[Key, Mapping[str, str]]) -> ReadSets:
        """The same with *others* in place of values, by set."""
        sets: dict[Key, RecordSet | None] = {}
        for key, of_value in others.items():
            there = self.get(key)
            if there and of_value:
                values = dict.fromkeys(of_value.get(value, value) for value in there.values)
                sets[key] = replace(there, values=tuple(values))
        return self.but(sets)

    def without_values(self, values: Mapping[Key, Collection[str]]) -> ReadSets:
        """The same without some *values*, by set."""
        return self.but({key: without(self.get(key), going) for key, going in values.items()})


@dataclass(frozen=True)
class Dialect:
    """What runs have learnt about a service, in one zone.

    * *words*: by set, the values shown in other words than sent.
    * *altered*: by set, what the service made of texts, each with the text.
    * *ttls*: by set, the TTL sent and the one that the service keeps.
    * *form*: the form of TXT values that comes back unaltered: ``plain`` or ``quoted``.
      It is empty if that is not known.
    """

    words: Mapping[Key, Words] = field(default_factory=dict)
    altered: Mapping[Key, Mapping[str, str]] = field(default_factory=dict)
    ttls: Mapping[Key, tuple[int, int]] = field(default_factory=dict)
    form: str = ""

    def read(self, shown: RecordSets, zone: str, said: Said = NOTHING_SAID) -> ReadSets:
        """The sets of a snapshot in our words."""

        def read(key: Key, one: RecordSet) -> RecordSet:
            if key not in self.words and is_read_as_shown(one, zone):
                return one
            return self.read_set(one, zone, said.get(key, ()))

        return ReadSets(shown, read)

    def read_set(self, shown: RecordSet, zone: str, said: Collection[str] = ()) -> RecordSet:
        """One set in our words.

        *said* explains mail hosts without preference, unless an earlier run knows better.
        """
        meanings = _meanings(shown, zone, self.words.get(shown.key, {}))
        assumed: list[str] = []
        if shown.type == "MX":
            for text, meant in meanings.items():
                if host_alone(shown.type, meant[0]):
                    found = with_host(meant[0], said)
                    assumed += found
                    meanings[text] = found or meant
        values = tuple(dict.fromkeys(chain.from_iterable(meanings.values())))
        if values == shown.values:
            return shown
        higher: list[tuple[str, int]] = []
        for text, ttl in shown.higher_ttls:
            higher += [(value, ttl) for value in meanings[text]]
        spelled: list[tuple[str, str]] = []
        for text, meant in meanings.items():
            spelled += [(value, text) for value in meant if value != text]
        return replace(
            shown,
            values=values,
            higher_ttls=tuple(higher),
            spelled=tuple(spelled),
            assumed=tuple(assumed),
        )

    def asked(self, key: Key, ttl: int | None, held: RecordSet | None) -> int | None:
        """The TTL to ask for in place of *ttl*.

        That is the one that is there if the service makes it of *ttl*. A service that caps
        or rounds treats all TTLs between the one sent and the one kept alike.
        """
        pair = self.ttls.get(key)
        if ttl is None or pair is None or held is None or held.ttl != pair[1]:
            return ttl
        return held.ttl if min(pair) <= ttl <= max(pair) else ttl

    def with_hosts_of(self, sets: Mapping[Key, Iterable[RecordSet | None]]) -> Dialect:
        """The dialect while *sets* are written, each given as it is before and after.

        Their mail hosts may stand for the values of both.
        """
        words: dict[Key, Words] = {}
        for key, sides in sets.items():
            if key.type != "MX":
                continue
            values = chain.from_iterable(map(values_of, sides))
            full = [value for value in values if " " in value]
            words[key] = _by_outline(key.type, full)
        return self._with_words(words)

    def learnt(self, comparisons: Iterable[Comparison]) -> Dialect:
        """What sets tell that are shown otherwise than they were sent."""
        words: dict[Key, Words] = {}
        altered = dict(self.altered)
        proofs: list[Comparison] = []
        for one in comparisons:
            shown, sent = one.shown, one.sent
            if sent is None:
                continue
            key = shown.key
            old = self._shown_as(key, one.old)
            if is_text(shown.type):
                found = _altered(shown, sent, old)
                if found:
                    altered[key] = {**altered.get(key, {}), **found}
            else:
                words[key] = _words(shown, sent, self.words.get(key, {}), old)
            if one.proves_ttl and shown.ttl != sent.ttl:
                proofs.append(one)
        dialect = replace(self._with_words(words), altered=altered)
        return dialect._with_ttls_of(proofs)

    def _with_ttls_of(self, proofs: Iterable[Comparison]) -> Dialect:
        """With the TTLs that the service keeps in sets which hold nothing but what was sent."""
        ttls = dict(self.ttls)
        for shown, sent, _old, _proves in proofs:
            if sent:
                read = self.read_set(shown, shown.name)
                if same_values(read, sent):
                    ttls[shown.key] = sent.ttl, shown.ttl
        return replace(self, ttls=ttls)

    def _shown_as(self, key: Key, values: Iterable[str]) -> set[str]:
        """Values, and all words in which the service shows them."""
        found = {*values}
        for text, meant in self.words.get(key, {}).items():
            if not found.isdisjoint(meant):
                found.add(text)
        return found

    def _with_words(self, news: Mapping[Key, Words]) -> Dialect:
        words = dict(self.words)
        for key, found in news.items():
            if found:
                words[key] = {**words.get(key, {}), **found}
        return replace(self, words=words)

    def altered_in(self, key: Key, texts: Collection[str]) -> dict[str, str]:
        """What the service made of *texts* that were sent to a set, each with the text."""
        found = {}
        for made, text in self.altered.get(key, {}).items():
            if text in texts and made not in texts:
                found[made] = text
        return found

    def respelled_since(self, before: Dialect) -> Iterator[tuple[Key, str, tuple[str, ...]]]:
        """The values that are shown in other words, as far as *before* does not know them.

        A mail host without its preference is no other word.
        """
        for key, words in self.words.items():
            known = before.words.get(key, {})
            for shown, values in words.items():
                if key.type != "MX" and shown not in known:
                    yield key, shown, values

    def ttls_since(self, before: Dialect) -> dict[Key, tuple[int, int]]:
        """The TTLs that the service keeps instead of others, as far as *before* does not know them."""
        return {key: pair for key, pair in self.ttls.items() if before.ttls.get(key) != pair}

    def altering_forms(self, text: str) -> set[str]:
        """The forms in which a TXT value comes back altered."""
        forms: set[str] = set()
        for altered in self.altered.values():
            forms.update(self.form_of(made, text) for made, sent in altered.items() if sent == text)
        return forms

    @staticmethod
    def form_of(made: str, text: str) -> str:
        """The form in which a service makes this of a text."""
        return altered_forms(text).get(made, "")

    def still_needed(
        self, shown: RecordSets, zone: str, desired: Mapping[Key, RecordSet | None]
    ) -> Dialect:
        """The dialect without what is neither shown by a snapshot nor *desired* any more."""

        def texts_of(key: Key) -> set[str]:
            return {as_read(key.type, text, zone) for text in values_of(shown.get(key))}

        words: dict[Key, Words] = {}
        for key, known in self.words.items():
            texts = texts_of(key)
            rest = {text: sent for text, sent in known.items() if text in texts}
            if rest:
                words[key] = rest
        altered: dict[Key, dict[str, str]] = {}
        for key, made in self.altered.items():
            texts = texts_of(key) & made.keys()
            needed = {*values_of(desired.get(key)), *(made[text] for text in texts)}
            kept = {text: sent for text, sent in made.items() if sent in needed}
            if kept:
                altered[key] = kept
        ttls = {}
        for key, pair in self.ttls.items():
            if key in shown and shown[key].ttl == pair[1]:
                ttls[key] = pair
        return replace(self, words=words, altered=altered, ttls=ttls)


def is_read_as_shown(shown: RecordSet, zone: str) -> bool:
    """Whether a set is obviously shown in our words, as nearly all of a large zone are."""
    if len(shown.values) != 1:
        return False
    (text,) = shown.values
    return as_read(shown.type, text, zone) == text and not host_alone(shown.type, text)


def _meanings(shown: RecordSet, zone: str, words: Words) -> dict[str, tuple[str, ...]]:
    """By text that is shown, the values for which it stands."""
    meanings = {}
    for text in shown.values:
        value = as_read(shown.type, text, zone)
        meanings[text] = words.get(value, (value,))
    return meanings


def _altered(shown: RecordSet, sent: RecordSet, old: Collection[str]) -> dict[str, str]:
    """What a service made of texts, each with the text. An *old* copy of the text may be there too."""
    texts = {}
    for text in sent.values:
        if text in shown.values and text not in old:
            continue  # it came back as it was sent, so what is like it is from others
        for made in altered_forms(text):
            texts[made] = text
    found = {}
    for value in minus(shown, sent):
        if value in texts and value not in old:
            found[value] = texts[value]
    return found


def _words(shown: RecordSet, sent: RecordSet, known: Words, old: Collection[str]) -> Words:
    """What each value shown stands for, where that is news.

    It stands for itself if it was sent so, and for what it stood for before. One that was not sent
    stands for missing values that may be shown so. An *old* value tells nothing, but a mail host alone
    is neither old nor new.
    """
    missing = minus(sent, shown)
    if not missing and not known:
        return {}
    shown_otherwise = _by_outline(shown.type, missing)
    there = set(sent.values)
    words = {}
    for word in shown.values:
        if word in old and shown.type != "MX":
            continue
        may_be = [word, *known.get(word, ())]
        meant = [value for value in may_be if value in there]
        has_preference = shown.type == "MX" and " " in word
        if word not in there and not has_preference:
            meant += shown_otherwise.get(_outline(shown.type, word), ())
        stands_for = tuple(dict.fromkeys(meant))
        if stands_for and stands_for != known.get(word, (word,)):
            words[word] = stands_for
    return words


def _by_outline(rdtype: str, values: Iterable[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for value in dict.fromkeys(values):
        outline = _outline(rdtype, value)
        found[outline] = (*found.get(outline, ()), value)
    return found


def _outline(rdtype: str, value: str) -> str:
    """What a service cannot change in a value, however it shows it."""
    if rdtype == "MX":
        return value.rpartition(" ")[2]
    if known_of(rdtype).has_one_spelling:
        return value
    return "".join(filter(str.isalnum, value.lower()))


PLAIN = Dialect()
"""Reads sets in the service's words, as canonical values."""
