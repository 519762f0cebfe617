# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads zone files (RFC 1035, section 5) into records of ``dns_records``.

dnspython reads all but the simplest values. $GENERATE and $INCLUDE work as in BIND, since dnspython's versions
differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
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
from .._dns.option_table import seconds_of
from .._dns.plain_values import is_plain_name, plain_value
from .._dns.printable import printable_part, quoted
from .._dns.rdata import InvalidRdata, as_read, canonical_of, known_type, record_type
from .._dns.record_set import DEFAULT_TTL, MAX_RECORDS, MAX_TTL, Key
from .bad_lines import NO_TTL, BadLines, InvalidLine, InvalidValue, UnknownType
from .file_text import (
    BYTE_ORDER_MARK,
    FileRecord,
    FileSet,
    InvalidZoneFile,
    Source,
    Where,
)
from .file_warnings import FileWarnings
from .generate import filled, numbers_of
from .included import NOT_FOLLOWED, Included
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
            self.rdtype = rdtype
            self._zone = zone

        def as_name(self, token: dns.tokenizer.Token, *origins: Any, **more: Any) -> dns.name.Name:
            """Parse a word as an owner name, or as a name inside a value."""
            word = token.value
            reason = reason_against_word(word, self._zone)
            if self.rdtype and not reason:
                reason = reason_against_host(word)
            if reason:
                raise InvalidRdata(reason)
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
"""The TTL of records without one, while their file is edited."""


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

    *is_lenient* accepts records that are probably mistakes, such as a misspelled type, sets in two parts, and records
    without a TTL, as a file has while it is edited.
    """

    zone: str
    is_lenient: bool
    records: list[FileRecord] = field(default_factory=list)
    sets: dict[Key, FileSet] = field(default_factory=dict)
    """Those that do not sign the zone."""
    generated: int = 0
    """Most characters that ``$GENERATE`` may have made."""
    part: int = 0

    def check_room(self, records: int) -> None:
        """Raises InvalidLine if *records* more would be too many."""
        if len(self.records) + records > MAX_RECORDS:
            raise InvalidLine(f"the file has more than {MAX_RECORDS} records")

    def set_and_value(self, name: str, rdtype: str, ttl: int, data: Any) -> tuple[Key, str]:
        """Return a record's set and canonical value, empty if it signs the zone.

        *data* is from dnspython, an OpaqueRecord, or a canonical value. Raises InvalidRdata.
        """
        self.check_room(1)
        owner = self._owner(name)
        read_type = checked_type
        if self.is_lenient:
            read_type = record_type
        key = Key(owner, read_type(rdtype))
        if key.signs_zone(self.zone):
            return key, ""
        begun = self.sets.get(key)
        if begun and begun.part != self.part and not self.is_lenient:
            where = begun.first.where
            raise InvalidRdata(
                f"a set must be in one part, but this one is also in {where}: keep its records "
                "together"
            )
        return key, self._canonical(key, ttl, data)

    def add(self, record: FileRecord) -> None:
        self.records.append(record)
        if record.value:
            one = self.sets.setdefault(record.key, FileSet(record, self.part, record.ttl, {}))
            one.ttl = min(one.ttl, record.ttl)
            one.values[record.value] = None

    def _owner(self, written: str) -> str:
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
            raise InvalidRdata(
                f"name {quoted(written)} is not inside the zone {self.zone}: mend it, or the "
                "$ORIGIN above it"
            ) from error
        except InvalidName as error:
            raise InvalidRdata(f"name {quoted(written)} cannot be used: {error}") from error

    def _canonical(self, key: Key, ttl: int, data: Any) -> str:
        if ttl > MAX_TTL:
            raise InvalidRdata(f"its TTL is {ttl}, but must be 0 to {MAX_TTL} seconds")
        if isinstance(data, str):
            return data
        if key.is_owned_by_service(self.zone):
            return as_read(key.type, data.to_text(), self.zone)
        if isinstance(data, OpaqueRecord):
            text = data.value
        else:
            text = data.to_text()
        try:
            value = canonical_of(key.type, data, text, self.zone)
            if not self.is_lenient:
                check_new_value(key.type, text, value, self.zone)
        except InvalidRdata as error:
            raise InvalidValue(str(error)) from error
        return value


@dataclass
class _Inherited:
    """State that lines pass on: origin, owner name, and TTLs (RFC 1035, section 5.1; RFC 2308, section 4)."""

    origin: str
    owner: str
    """As spelled."""
    default_ttl: int | None
    """The TTL of records without one; None if they take the last one that was stated."""
    last_ttl: int | None = None
    is_generated: bool = False
    """Whether the lines are from a ``$GENERATE``."""

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
                self._skip(line, error)

    def _skip(self, line: LogicalLine, error: Exception) -> None:
        """Note a refused line. Raises _EndOfPart if later lines may mean something else."""
        first = line.text[:LONGEST_LINE].partition("\n")[0]
        owner = relative_name(self.inherited.owner.lower(), self.zone)
        goes_on = self.bad_lines.add(self.where, first, self.value, error, owner)
        if not goes_on or line.unclosed or first.upper().startswith("$ORIGIN"):
            raise _EndOfPart

    def _read_line(self, line: LogicalLine) -> None:
        text = line.text
        if line.unclosed:
            raise InvalidLine(line.unclosed)
        if len(text) > LONGEST_LINE:
            raise InvalidLine(f"it has more than {LONGEST_LINE} characters")
        if text.startswith("$"):
            self._follow(text)
        else:
            self._read_record(text)

    def _follow(self, text: str) -> None:
        directive, *words = words_of(text)
        name = directive.text.upper()
        if name == "$INCLUDE":
            if not self.included:
                raise InvalidLine(NOT_FOLLOWED)
            self._include([_unquoted(word) for word in words], self.included)
        elif name == "$GENERATE":
            self._generate(text, words)
        elif name not in ("$ORIGIN", "$TTL"):
            raise InvalidLine(f"{printable_part(name)} is not a known directive")
        elif len(words) != 1:
            raise InvalidLine(f"{name} takes one word")
        elif name == "$TTL":
            self.inherited.default_ttl = 0  # so that a wrong one is told once
            self.inherited.default_ttl = seconds_of(words[0].text)
        else:
            self.inherited.origin = self._meant(words[0].text)

    def _include(self, words: list[str], included: Included) -> None:
        """Read the included file below its own or the current origin, then return to this one.

        As in BIND, TTLs of the included file stay in effect. It includes no other.
        """
        if not 1 <= len(words) <= 2:
            raise InvalidLine(
                "$INCLUDE takes a path and, where names are relative to another, an origin"
            )
        inherited = self.inherited
        origin, owner = inherited.origin, inherited.owner
        below = origin
        if len(words) == 2:
            below = self._meant(words[1])
        source = included.follow(words[0])
        try:
            self.included = None
            inherited.origin = below
            self._read(source)
        finally:
            self.included = included
            inherited.origin, inherited.owner = origin, owner

    def _generate(self, text: str, words: list[Word]) -> None:
        """Read the records that a template stands for. As in BIND, later lines do not inherit their names."""
        numbers = numbers_of(words[0].text if words else "")
        record = record_words(text)
        if not record.owner or len(record.rdata) != 1:
            raise InvalidLine(
                "$GENERATE takes a range, a name, a type and a value, as in '$GENERATE 1-9 h$ A "
                "192.0.2.$': put a value of several words in quotes"
            )
        owner = record.owner.text
        value = record.rdata[0]
        between = " ".join(word.text for word in record.head if word != record.owner)
        template = value.text
        if template.startswith('"'):  # the quotes only group the words of the value
            template = template[1:-1].replace('\\"', '"')

        def line(number: int) -> str:
            return f"{filled(owner, number)} {between} {filled(template, number)}"

        collected = self.collected
        collected.check_room(len(numbers))
        longest = max(line(numbers[0]), line(numbers[-1]), key=len)
        collected.generated += len(numbers) * len(longest)
        if collected.generated > MAX_GENERATED:
            raise InvalidLine(f"$GENERATE makes more than {MAX_GENERATED} characters in the file")
        inherited = self.inherited
        before = inherited.owner
        inherited.is_generated = True
        try:
            for number in numbers:
                self._read_record(line(number))
        finally:
            inherited.is_generated = False
            inherited.owner = before

    def _read_record(self, text: str) -> None:
        if self._takes_plain(text):
            return
        words = words_of(text)
        if not words:
            if ")" in text.partition(";")[0]:
                raise InvalidLine("a parenthesis is closed that was not opened")
            return
        record = record_words(text, words)
        stated = self._stated_ttl(record)
        if record.owner:
            self.inherited.owner = self._owner(record, record.owner.text)
        if record.opaque:
            self._take(record.opaque.type, record.opaque, stated, record.rdata)
            return
        if not record.rest:
            raise InvalidLine("it has no type")
        rdtype = _mnemonic(record.type.text)
        self.value = " ".join(word.text for word in record.rdata)
        tokenizer = _Tokenizer(_without(text, record.head), self.zone, record.type.text.upper())
        data = self._rdata(rdtype, tokenizer)
        self._take(rdtype, data, stated, record.rdata)

    def _stated_ttl(self, words: RecordWords) -> int | None:
        """Return a line's TTL, if any. Raises InvalidLine if its class is not IN."""
        stated = seconds_in(words.ttl.text) if words.ttl else None
        self.inherited.ttl(stated)  # applies to later lines even if this record is refused
        if words.rdclass and class_in(words.rdclass.text) != dns.rdataclass.IN:
            raise InvalidLine("its class is not IN")
        return stated

    def _owner(self, words: RecordWords, owner: str) -> str:
        """Return the owner name. Cloudflare omits the final dot from the SOA's."""
        if f"{owner.lower()}." == self.zone and words.rest and words.type.text == "SOA":
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

    def _take(self, rdtype: str, data: Any, stated: int | None, words: list[Word]) -> None:
        """Add a record of the current owner."""
        inherited = self.inherited
        default_ttl = inherited.default_ttl
        ttl = inherited.ttl(stated)
        if ttl is None and rdtype == "SOA":
            # BIND takes the SOA's minimum as $TTL unless a TTL precedes it.
            ttl = inherited.default_ttl = data.minimum
        if ttl is None:
            if not self.collected.is_lenient:
                inherited.default_ttl = 0  # so that this is told once
                raise InvalidLine(NO_TTL)
            ttl = _NOT_YET
        key, value = self.collected.set_and_value(inherited.owner, rdtype, ttl, data)
        origin = inherited.origin.lower()
        is_generated = inherited.is_generated
        record = FileRecord(*self.where, key, value, ttl, origin, default_ttl, is_generated)
        self.collected.add(record)
        ends_in_quotes = bool(words) and words[-1].text.startswith('"')
        if not (isinstance(data, str) or ends_in_quotes or is_generated):
            self.file_warnings.see_value(record, data, self.zone)

    def _rdata(self, rdtype: str, tokenizer: _Tokenizer) -> dns.rdata.Rdata:
        """Parse a value with dnspython. Raises InvalidValue."""
        origin = _as_name(self.inherited.origin)
        try:
            return dns.rdata.from_text(dns.rdataclass.IN, rdtype, tokenizer, origin, False)
        except (dns.exception.DNSException, ValueError) as error:
            if isinstance(error.__cause__, InvalidRdata):
                raise InvalidValue(str(error.__cause__)) from None
            reason = reason_in_words(tokenizer.rdtype, self.value or None, str(error))
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
        """Return the absolute name of an owner or origin, as spelled. Raises InvalidRdata, dns.exception.DNSException."""
        if word.startswith('"'):
            raise InvalidLine("a name is written without quotes")
        name = self._absolute(word)
        if not is_plain_name(name.lower()):
            token = dns.tokenizer.Token(dns.tokenizer.IDENTIFIER, word)
            read = _Tokenizer("", self.zone).as_name(token, _as_name(self.inherited.origin))
            name = read.to_text()
        reason = reason_against_doubled(word, name.lower(), self.zone)
        is_meant = is_doubled(self.inherited.origin.lower(), self.zone)
        if reason and not is_meant and not self.collected.is_lenient:
            raise InvalidRdata(f"name {quoted(word)} cannot be used: {reason}")
        return name


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
) -> ParsedZone:
    """Read a zone from the *parts* of its file. Raises InvalidZoneFile, which names every bad line.

    Each part starts anew, with *zone* (canonical) as its origin. *included* has the files for ``$INCLUDE``, which is
    refused without it.

    Of several TTLs of a set, the lowest counts (RFC 2181, section 5.2). *default_ttl* (seconds) is a ``$TTL`` before the
    first line, and replaces Cloudflare's automatic TTL. *warnings* gets a sentence for each misleading line, in which
    *place* stands for all parts.

    *is_lenient* accepts what a zone may hold, or a file that is being edited, though tasks refuse it: records that are
    probably mistakes, such as a URL for a host, sets that are spread over two parts, and records without a TTL.

    A line that makes the rest of its part ambiguous ends the part.
    """
    collected = _Collected(zone, is_lenient)
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
