# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads zone files (RFC 1035, section 5) into records of ``dns_records``.

dnspython reads all but the simplest values. $GENERATE and $INCLUDE work as in BIND, since dnspython's versions
differ.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from .._dns.forms import reason_in_words
from .._dns.input_checks import (
    check_new_value,
    checked_name,
    checked_type,
    reason_against_host,
    reason_against_template,
    reason_against_word,
)
from .._dns.names import (
    LABEL_CODEC,
    InvalidName,
    NameOutsideZone,
    is_doubled,
    owner_name,
    reason_against_doubled,
    relative_name,
)
from .._dns.plain_values import is_plain_name, plain_value
from .._dns.printable import printable_part, quoted
from .._dns.rdata import InvalidRdata, as_read, canonical_of, known_type, record_type, text_of
from .._dns.record_set import DEFAULT_TTL, MAX_RECORDS, MAX_TTL, Key
from .bad_lines import NO_TTL, BadLines, InvalidLine, InvalidValue, TooManyRecords, UnknownType
from .file_text import (
    BYTE_ORDER_MARK,
    FileRecord,
    FileSet,
    InvalidZoneFile,
    Source,
    Where,
)
from .file_warnings import FileWarnings
from .generate import template
from .included import Included, not_followed
from .logical_lines import (
    LogicalLine,
    OpaqueRecord,
    RecordWords,
    Word,
    class_in,
    logical_lines,
    record_words,
    seconds_in,
    words_of,
)
from .mistakes import reason_against_text

try:
    import dns.exception
    import dns.name
    import dns.rdata
    import dns.rdataclass
    import dns.rdatatype
    import dns.tokenizer
    import dns.ttl

    from .._dns.older_dnspython import ExactTokenizer
except ImportError:
    pass  # names.py keeps the error, the filters report it
else:

    class _Tokenizer(ExactTokenizer):
        """Feeds dnspython a value of type *rdtype*, or nothing but a name."""

        def __init__(self, text: str, zone: str, rdtype: str = ""):
            super().__init__(text, idna_codec=LABEL_CODEC)  # type: ignore[arg-type] # duck-typed
            self.rdtype = lambda: rdtype
            self.names: list[str] = []
            """Words that were read as names."""
            self._zone = zone

        def as_name(self, token: dns.tokenizer.Token, *origins: Any, **more: Any) -> dns.name.Name:
            """Parse a word as an owner name, or as a name inside a value."""
            word = token.value
            reason = reason_against_word(word, self._zone)
            if self.rdtype() and not reason:
                reason = reason_against_host(word)
            if reason:
                raise InvalidRdata(reason)
            self.names.append(word)
            return super().as_name(token, *origins, **more)


MAX_GENERATED = 64 * 1024 * 1024  # characters
LONGEST_LINE = 270_000
"""Characters: the longest value, all escaped. Parsing a TTL takes the square of its digits."""

_PLAIN_LINE = re.compile(  # most lines; their values may need no dnspython
    r"""(@|[A-Za-z0-9_*.-]{1,254})?[ \t]+ (?:([0-9]{1,9})[ \t]+)? (?:IN[ \t]+)?
    (A|AAAA|CNAME|MX|PTR|TXT)[ \t]+
    ("[^"\\\n]*" | [^"\\;()\s]+ (?:[ \t]+[^"\\;()\s]+)?) [ \t]* (?:;[^\n]*)? \n?""",
    re.VERBOSE,
)
_FEW = 4096
_ENDS_IN_HOST = frozenset({"CNAME", "MX", "PTR"})
_NOT_YET = -1
"""For draft records without a TTL."""


class ParsedZone(NamedTuple):
    """The contents of a zone's files, in file order.

    *owned* are SOA and apex NS, which the service owns. *sets* excludes them and signing records, since no signature
    fits the service's SOA. *records* has all.
    """

    sets: dict[Key, FileSet]
    owned: dict[Key, FileSet]
    records: list[FileRecord]

    @property
    def task_records(self) -> list[dict[str, Any]]:
        """The sets as ``dns_records`` lists them."""
        rows = []
        for key, one in self.sets.items():
            values = list(one.values)
            rows.append({"name": key.name, "type": key.type, "ttl": one.ttl, "content": values})
        return rows


@dataclass
class _Collected:
    """The records of a *zone* (canonical) read so far.

    *is_lenient* accepts legal records that are probably mistakes, such as a misspelled type. *is_draft* accepts lines
    that will get their TTL and owner name later.
    """

    zone: str
    is_lenient: bool
    is_draft: bool
    records: list[FileRecord] = field(default_factory=list)
    sets: dict[Key, FileSet] = field(default_factory=dict)
    """Those that do not sign the zone."""
    generated: int = 0
    """Most characters that ``$GENERATE`` may have made."""
    part: int = 0
    _refused: set[Hashable] = field(default_factory=set)

    def check_room(self, records: int) -> None:
        """Raises InvalidRdata if *records* more would be too many."""
        if len(self.records) + records > MAX_RECORDS:
            raise TooManyRecords(f"the file has more than {MAX_RECORDS} records")

    def set_and_value(
        self, name: str, rdtype: str, ttl: int, data: Any, origin: str
    ) -> tuple[Key, str] | None:
        """Return a record's set and canonical value, empty if it signs the zone.

        None if its *origin* or set was already refused. *data* is from dnspython, an OpaqueRecord, or a canonical
        value. Raises InvalidRdata.
        """
        self.check_room(1)
        owner = self._owner(name, origin)
        if not owner:
            return None
        read_type = checked_type
        if self.is_lenient:
            read_type = record_type
        key = Key(owner, read_type(rdtype))
        if key.signs_zone(self.zone):
            return key, ""
        begun = self.sets.get(key)
        if begun and begun.part != self.part and not self.is_draft:
            where = begun.first.where
            self._refuse_once(
                key,
                f"a set must be in one part, but this one is also in {where}: keep its records "
                "together",
            )
            return None
        return key, self._canonical(key, ttl, data)

    def add(self, record: FileRecord) -> None:
        self.records.append(record)
        if record.value:
            one = self.sets.setdefault(record.key, FileSet(record, self.part, record.ttl, {}))
            one.ttl = min(one.ttl, record.ttl)
            one.values[record.value] = None

    def _owner(self, written: str, origin: str) -> str | None:
        name = written.lower()
        is_inside = f".{name}".endswith(f".{self.zone}")
        if is_inside and is_plain_name(name) and not reason_against_template(written):
            return name
        read_name = checked_name
        if self.is_lenient:
            read_name = owner_name
        try:
            return read_name(written, self.zone)
        except NameOutsideZone as error:
            if not _is_below(written, origin):
                raise InvalidRdata(f"name {quoted(written)} cannot be used: {error}") from error
            self._refuse_once(
                origin.lower(),
                f"$ORIGIN is {origin} there, which is not inside the zone {self.zone}: is this "
                "the file of another zone? Other names are not listed here",
            )
            return None
        except InvalidName as error:
            raise InvalidRdata(f"name {quoted(written)} cannot be used: {error}") from error

    def _canonical(self, key: Key, ttl: int, data: Any) -> str:
        if key.is_owned_by_service(self.zone):
            if isinstance(data, str):
                return data
            return as_read(key.type, data.to_text(), self.zone)
        if ttl > MAX_TTL:
            raise InvalidRdata(f"its TTL is {ttl}, but must be 0 to {MAX_TTL} seconds")
        if isinstance(data, str):
            return data
        if isinstance(data, OpaqueRecord):
            text = data.value
        else:
            text = text_of(data)
        try:
            value = canonical_of(key.type, data, text, self.zone)
            if not self.is_lenient:
                check_new_value(key.type, text, value, self.zone)
        except InvalidRdata as error:
            raise InvalidValue(str(error)) from error
        return value

    def _refuse_once(self, what: Hashable, reason: str) -> None:
        """Raises InvalidRdata, but only once for the same *what*."""
        if what not in self._refused:
            self._refused.add(what)
            raise InvalidRdata(reason)


def _is_below(name: str, origin: str) -> bool:
    """Whether a name is below an origin other than the root."""
    return origin != "." and dns.name.from_text(name).is_subdomain(dns.name.from_text(origin))


@dataclass
class _Inherited:
    """State that lines pass on: origin, owner name, and TTLs (RFC 1035, section 5.1; RFC 2308, section 4)."""

    origin: str
    owner: str
    """As spelled."""
    default_ttl: int | None
    """The TTL of records without one; None if they take the last one that was stated."""
    last_ttl: int | None = None

    def ttl(self, stated: int | None) -> int | None:
        """Return the TTL of a record that may have *stated* one."""
        if stated is not None:
            self.last_ttl = stated
            return stated
        if self.default_ttl is None:
            return self.last_ttl
        return self.default_ttl


class _EndOfPart(Exception):
    """The rest of a part would be read wrong."""


@dataclass
class _Reader:
    """Reads a part of a *zone*. Without *included*, ``$INCLUDE`` is refused."""

    zone: str
    collected: _Collected
    file_warnings: FileWarnings
    bad_lines: BadLines
    inherited: _Inherited
    included: Included | None
    where: Where = field(init=False)
    """Where the current line begins."""
    value: str = ""
    """The line's value as written; empty if not known in full."""

    def read_part(self, part: Source) -> None:
        self.collected.part += 1
        try:
            self._read(part)
        except InvalidZoneFile as error:
            self.bad_lines.add_file(str(error))
        except _EndOfPart:
            pass

    def _read(self, source: Source) -> None:
        """Read a file, skipping bad lines. Raises InvalidZoneFile, _EndOfPart."""
        text = source.text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")
        reason = reason_against_text(text)
        if reason:
            raise InvalidZoneFile(f"{source.place} cannot be used: {reason}")
        self.file_warnings.see_text(text)
        for line in logical_lines(text):
            self.where = Where(source.place, line.number)
            self.value = ""
            try:
                self._read_line(line)
            except (dns.exception.DNSException, ValueError) as error:
                if self._goes_on_past(line, error):
                    continue
                rest = text.split("\n")[line.number :]
                if any(map(str.strip, rest)):
                    self.bad_lines.end(self.where)
                raise _EndOfPart from None

    def _goes_on_past(self, line: LogicalLine, error: Exception) -> bool:
        """Skip a refused line; return whether later lines keep their meaning."""
        first = line.text[:LONGEST_LINE].partition("\n")[0]
        directive = ""
        if first.startswith("$"):
            directive = first.split()[0].upper()
        if not self.bad_lines.add(self.where, first, self.value, error, self._owner_in_words):
            return False
        misses_ttl = directive == "$TTL" or str(error) == NO_TTL
        if misses_ttl and self.inherited.ttl(None) is None:
            self.inherited.default_ttl = 0
        if directive == "$ORIGIN" or line.unclosed:
            return False
        return self.collected.generated <= MAX_GENERATED

    def _owner_in_words(self, written: str) -> str:
        """Return an owner name for messages, relative to the zone, so that zones with the same file have the same ones.

        An empty name is the one above. Names outside the zone are absolute.
        """
        name = self.inherited.owner
        try:
            if written:
                name = self._name(written)
        except (dns.exception.DNSException, ValueError):
            return written
        if _is_below(name, self.zone):
            return relative_name(name.lower(), self.zone)
        return name

    def _read_line(self, line: LogicalLine) -> None:
        text = line.text
        if line.unclosed:
            raise InvalidLine(line.unclosed)
        if self._takes_plain(text):
            return
        if len(text) > LONGEST_LINE:
            raise InvalidLine(f"it has more than {LONGEST_LINE} characters")
        words = words_of(text)
        if not words:
            dns.tokenizer.Tokenizer(text).get()  # refuses a parenthesis that was not opened
        elif words[0].text[0] == "$" and text[0] not in " \t":
            self._follow(text, words)
        else:
            self._record(text, record_words(text, words))

    def _follow(self, text: str, words: list[Word]) -> None:
        directive = words[0].text.upper()
        if directive == "$INCLUDE":
            if not self.included:
                raise InvalidLine(not_followed(self.zone))
            self._include([_unquoted(word) for word in words[1:]], self.included)
        elif directive == "$GENERATE":
            self._generate(words[1:], record_words(text))
            self._see_escapes(text, [])
        elif directive not in ("$ORIGIN", "$TTL"):
            raise InvalidLine(f"{printable_part(directive)} is not a known directive")
        elif len(words) != 2:
            raise InvalidLine(f"{directive} takes one word")
        elif directive == "$TTL":
            self.inherited.default_ttl = dns.ttl.from_text(words[1].text)
        else:
            self.inherited.origin = self._meant(words[1].text)
            self._see_escapes(text, [words[1].text])

    def _include(self, words: list[str], included: Included) -> None:
        """Read the included file below its own or the current origin, then return to this one.

        As in BIND, TTLs of the included file stay in effect.
        """
        if not 1 <= len(words) <= 2:
            raise InvalidRdata(
                "$INCLUDE takes a path and, where names are relative to another, an origin"
            )
        inherited = self.inherited
        origin, owner = inherited.origin, inherited.owner
        below = origin
        if len(words) == 2:
            below = self._meant(words[1])
        source = included.follow(words[0], self.where)
        try:
            inherited.origin = below
            self._read(source)
        finally:
            inherited.origin, inherited.owner = origin, owner

    def _record(self, text: str, words: RecordWords) -> None:
        stated = self._stated_ttl(words)
        names = []
        if words.owner:
            names.append(words.owner.text)
            self.inherited.owner = self._owner(words, words.owner.text)
        if words.opaque:
            self._see_escapes("", names)
            self._take(words.opaque.type, words.opaque, stated, words.rdata)
            return
        if not words.rest:
            raise dns.exception.SyntaxError
        rdtype = _mnemonic(words.type.text)
        self.value = " ".join(word.text for word in words.rdata)
        tokenizer = _Tokenizer(_without(text, words.head), self.zone, words.type.text.upper())
        data = self._rdata(rdtype, tokenizer)
        self._see_escapes(text, names + tokenizer.names)
        self._take(rdtype, data, stated, words.rdata)

    def _stated_ttl(self, words: RecordWords) -> int | None:
        """Return a line's TTL, if any. Raises InvalidLine if its class is not IN."""
        stated = seconds_in(words.ttl.text) if words.ttl else None
        self.inherited.ttl(stated)  # applies to later lines even if this record is refused
        if words.rdclass and class_in(words.rdclass.text) != dns.rdataclass.IN:
            raise InvalidLine("its class is not IN")
        return stated

    def _owner(self, words: RecordWords, owner: str) -> str:
        """Return the owner name. Cloudflare omits the final dot from the SOA's."""
        names_apex = f"{owner.lower()}." == self.zone == self.inherited.origin.lower()
        if names_apex and words.rest and words.type.text.upper() == "SOA":
            return self.zone
        return self._meant(owner)

    def _takes_plain(self, text: str) -> bool:
        """Take a record with a simple value; return False to leave it to dnspython."""
        found = _PLAIN_LINE.fullmatch(text)
        if not found:
            return False
        owner, ttl, rdtype, value = found.groups()
        self.value = value
        is_quoted = value[0] == '"'
        if rdtype in _ENDS_IN_HOST and not is_quoted:
            *preference, host = value.split()
            if host.replace(".", "").isdigit():  # an address is no host
                return False
            value = " ".join([*preference, self._absolute(host)])
        if rdtype == "TXT" and not is_quoted:
            return False
        plain = plain_value(rdtype, value, self.zone)
        if not plain:
            return False
        stated = int(ttl) if ttl else None
        self.inherited.ttl(stated)
        if owner:
            self.inherited.owner = self._meant(owner)
        self._take(rdtype, plain, stated, [])
        return True

    def _take(
        self, rdtype: str, data: Any, stated: int | None, words: list[Word], generated: str = ""
    ) -> None:
        """Add a record of the current owner, or of a *generated* one."""
        inherited = self.inherited
        default_ttl = inherited.default_ttl
        ttl = inherited.ttl(stated)
        if rdtype == "SOA" and default_ttl is None:
            # BIND takes the SOA's minimum as $TTL unless a TTL precedes it.
            if inherited.last_ttl is None:
                inherited.default_ttl = data.minimum
            if ttl is None:
                ttl = data.minimum
        if ttl is None:
            if not self.collected.is_draft:
                raise InvalidLine(NO_TTL)
            ttl = _NOT_YET
        origin, owner = inherited.origin, generated or inherited.owner
        taken = self.collected.set_and_value(owner, rdtype, ttl, data, origin)
        if not taken:
            return
        is_generated = bool(generated)
        record = FileRecord(*self.where, *taken, ttl, origin.lower(), default_ttl, is_generated)
        self.collected.add(record)
        ends_in_quotes = bool(words) and words[-1].text.startswith('"')
        if not isinstance(data, str) and not ends_in_quotes:
            self.file_warnings.see_value(record, data, self.zone)

    def _rdata(self, rdtype: str, tokenizer: _Tokenizer) -> dns.rdata.Rdata:
        """Parse a value with dnspython. Raises InvalidValue."""
        origin = _as_name(self.inherited.origin)
        try:
            return dns.rdata.from_text(dns.rdataclass.IN, rdtype, tokenizer, origin, False)
        except (dns.exception.DNSException, ValueError) as error:
            if isinstance(error.__cause__, InvalidRdata):
                raise InvalidValue(str(error.__cause__)) from None
            reason = reason_in_words(tokenizer.rdtype(), self.value or None, str(error))
            raise InvalidValue(reason) from None

    def _absolute(self, word: str) -> str:
        origin = self.inherited.origin
        if word == "@":
            return origin
        if word.endswith("."):
            return word
        if origin == ".":
            return f"{word}."
        return f"{word}.{origin}"

    def _meant(self, word: str) -> str:
        """Return the name of an owner or origin. Raises InvalidRdata, and what ``_name`` raises."""
        if word.startswith('"'):
            raise InvalidLine("a name is written without quotes")
        name = self._name(word)
        reason = reason_against_doubled(word, name.lower(), self.zone)
        is_meant = is_doubled(self.inherited.origin.lower(), self.zone)
        if reason and not is_meant and not self.collected.is_lenient:
            raise InvalidRdata(f"name {quoted(word)} cannot be used: {reason}")
        return name

    def _name(self, word: str) -> str:
        """Return an absolute name as spelled. Raises dns.exception.DNSException, ValueError."""
        name = self._absolute(word)
        if is_plain_name(name.lower()):
            return name
        token = dns.tokenizer.Token(dns.tokenizer.IDENTIFIER, word)
        return _Tokenizer("", self.zone).as_name(token, _as_name(self.inherited.origin)).to_text()

    def _generate(self, arguments: list[Word], words: RecordWords) -> None:
        quoted_words = [word for word in arguments if word.text.startswith('"')]
        ends_in_quotes = quoted_words == arguments[-1:]
        if quoted_words and not ends_in_quotes:
            raise InvalidRdata("in $GENERATE, only the last word, the value, may be in quotes")
        stated = self._stated_ttl(words)
        texts = [_unquoted(word) for word in arguments if word not in (words.ttl, words.rdclass)]
        line = template(texts, ends_in_quotes=ends_in_quotes)
        collected = self.collected
        collected.check_room(len(line.numbers))
        collected.generated += line.most_characters
        if collected.generated > MAX_GENERATED:
            raise InvalidRdata(f"$GENERATE makes more than {MAX_GENERATED} characters in the file")
        rdtype = _mnemonic(line.rdtype)
        for number in line.numbers:
            owner, self.value = line.filled(number)
            name = self._meant(owner)
            data = self._rdata(rdtype, _Tokenizer(self.value, self.zone, line.rdtype.upper()))
            self._see_escapes(owner, [owner])
            self._take(rdtype, data, stated, words_of(self.value), name)

    def _see_escapes(self, text: str, names: Iterable[str]) -> None:
        if "\\" in text:
            for word in words_of(text):
                self.file_warnings.see_word(word.text.strip('"'), self.where, is_name=False)
        for name in names:
            self.file_warnings.see_word(name, self.where, is_name=True)


def _without(text: str, words: Iterable[Word]) -> str:
    """Blank out these words of a line."""
    for word in words:
        text = text[: word.start] + " " * len(word.text) + text[word.end :]
    return text


def _unquoted(word: Word) -> str:
    return word.text[1:-1] if word.text.startswith('"') else word.text


@lru_cache(_FEW)
def _as_name(text: str) -> dns.name.Name:
    return dns.name.from_text(text)


def _mnemonic(word: str) -> str:
    """Return a type in upper case. Raises UnknownType."""
    known = known_type(word.upper())
    if known is None:
        raise UnknownType(word)
    return dns.rdatatype.to_text(known)


def read_zone_parts(
    parts: Iterable[Source],
    zone: str,
    warnings: list[str] | None = None,
    *,
    place: str,
    included: Included | None = None,
    default_ttl: int | None = None,
    is_lenient: bool = False,
    is_draft: bool = False,
) -> ParsedZone:
    """Read a zone from the *parts* of its file. Raises InvalidZoneFile, which names every bad line.

    Each part starts anew, with *zone* (canonical) as its origin. *included* has the files for ``$INCLUDE``, which is
    refused without it.

    Of several TTLs of a set, the lowest counts (RFC 2181, section 5.2). *default_ttl* (seconds) is a ``$TTL`` before the
    first line, and replaces Cloudflare's automatic TTL. *warnings* gets a sentence for each misleading line, in which
    *place* stands for all parts.

    *is_lenient* accepts legal records that are probably mistakes, such as a misspelled type or a URL for a host;
    *is_draft* also accepts missing TTLs.

    A set spread over two parts is an error. A line that makes the rest of its part ambiguous ends the part.
    """
    collected = _Collected(zone, is_lenient, is_draft)
    file_warnings = FileWarnings(place, [] if warnings is None else warnings)
    bad_lines = BadLines()
    for part in parts:
        inherited = _Inherited(zone, zone, default_ttl)
        _Reader(zone, collected, file_warnings, bad_lines, inherited, included).read_part(part)
    bad_lines.refuse()
    sets, records = collected.sets, collected.records
    of_service = [key for key in sets if key.is_owned_by_service(zone)]
    owned = {}
    for key in of_service:
        one = sets.pop(key)
        if key.name == zone:
            owned[key] = one
    file_warnings.add_of_whole(records, sets)
    if not is_lenient:
        automatic_ttl = DEFAULT_TTL if default_ttl is None else default_ttl
        file_warnings.replace_automatic_ttl(sets.values(), automatic_ttl)
    return ParsedZone(sets, owned, records)
