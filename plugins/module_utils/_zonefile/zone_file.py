# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone files (RFC 1035, section 5), read into the entries of ``dns_records``.

Values are read by dnspython, but for those that show at a glance what they are. TTLs, $GENERATE and $INCLUDE are as
BIND reads them: dnspython reads those in other ways, depending on its version.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.forms import reason_in_words
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.given import (
    check_host,
    given_name,
    given_type,
    reason_against_host,
    reason_against_word,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import (
    LABEL_CODEC,
    InvalidName,
    NameOutsideZone,
    is_doubled,
    owner_name,
    reason_against_doubled,
    relative_name,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.plain_values import is_plain_name, plain_value
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable_part, quoted
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    InvalidRdata,
    as_read,
    canonical_of,
    known_type,
    record_type,
    text_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    DEFAULT_TTL,
    MAX_RECORDS,
    MAX_TTL,
    Key,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.bad_lines import (
    NO_TTL,
    OTHER_CLASS,
    BadLines,
    InvalidLine,
    InvalidValue,
    TooManyRecords,
    UnknownType,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.entries import (
    Entry,
    OpaqueRecord,
    RecordWords,
    Word,
    class_in,
    entries_of,
    opaque_record,
    record_words,
    seconds_in,
    without_comment,
    words_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import (
    BYTE_ORDER_MARK,
    PIECES,
    FileRecord,
    FileSet,
    InvalidZoneFile,
    Source,
    Where,
    reason_against_text,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_warnings import FileWarnings
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.generate import template
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.included import Included, not_followed

try:
    import dns.exception
    import dns.name
    import dns.rdata
    import dns.rdataclass
    import dns.rdatatype
    import dns.tokenizer
    import dns.ttl

    from ansible_collections.zonesmith.dns.plugins.module_utils._dns.older_dnspython import ExactTokenizer
except ImportError:
    pass  # names.py keeps the error, the filters report it
else:

    class _Tokenizer(ExactTokenizer):
        """Gives dnspython the words behind the type of a record, or behind a directive."""

        def __init__(self, text: str, zone: str, rdtype: str = ""):
            super().__init__(text, idna_codec=LABEL_CODEC)  # type: ignore[arg-type] # duck-typed
            self.rdtype = lambda: rdtype
            self.names: list[str] = []
            """The words that have been read as names."""
            self._zone = zone

        def get_name(self, *origins: Any, **more: Any) -> dns.name.Name:
            """The next word as a name inside rdata."""
            token = self.get()
            if reason := reason_against_host(token.value) or reason_against_word(token.value, self._zone):
                raise InvalidValue(reason)
            self.unget(token)
            return super().get_name(*origins, **more)

        def as_name(self, token: dns.tokenizer.Token, *origins: Any, **more: Any) -> dns.name.Name:
            """A word as a name, of an owner or inside rdata."""
            if reason := reason_against_word(token.value, self._zone):
                raise InvalidRdata(reason)
            self.names.append(token.value)
            return super().as_name(token, *origins, **more)

        def words_to_end(self) -> list[dns.tokenizer.Token]:
            """What is left of the line."""
            words = []
            while not (word := self.get()).is_eol_or_eof():
                words.append(word)
            return words


MAX_GENERATED = 64 * 1024 * 1024  # characters
LONGEST_WORD = 2 * 65535  # the largest rdata in hexadecimal; to read a TTL takes the square of the number of its digits
MOST_WORDS = LONGEST_WORD + 8  # each of its digits by itself, and what stands before them

_MAY_BE_TTL = re.compile(r"[0-9][0-9smhdw]*", re.IGNORECASE)
_PLAIN_LINE = re.compile(  # of which most files consist: its value may show at a glance what it is
    r"""(@|[A-Za-z0-9_*.-]{1,254})?[ \t]+ (?:([0-9]{1,9})[ \t]+)? (?:IN[ \t]+)? (A|AAAA|CNAME|MX|PTR|TXT)[ \t]+
    ("[^"\\\n]*" | [^"\\;()\s]+ (?:[ \t]+[^"\\;()\s]+)?) [ \t]* (?:;[^\n]*)? \n?""",
    re.VERBOSE,
)
_FEW = 4096
_ENDS_IN_HOST = frozenset({"CNAME", "MX", "PTR"})
TTLs = tuple[int, int, int | None]
"""Of a record: its own, the one that counts for its set, and the default, as a FileRecord has them."""
_NOT_YET = -1
"""The TTL of a record of a draft that has none."""


@dataclass(frozen=True)
class ParsedZone:
    """What the files of a zone hold, in their order.

    *owned* are SOA and the NS at the apex, which the service owns; *sets* has neither those nor what signs the zone,
    since no signature fits an SOA that the service writes. *records* are all.
    """

    sets: dict[Key, FileSet]
    owned: dict[Key, FileSet]
    records: list[FileRecord]

    @property
    def entries(self) -> list[dict[str, Any]]:
        """The sets as entries of ``dns_records``."""
        return [
            {"name": key.name, "type": key.type, "ttl": one.ttl, "content": list(one.values)}
            for key, one in self.sets.items()
        ]


@dataclass
class _Collected:
    """The records of a *zone* (canonical), as far as its files are read.

    With *is_lenient*, what a zone may hold and nobody means is taken too, such as a type with a slip in it. With
    *is_draft*, lines are taken that will get the TTL and the owner name that they lack.
    """

    zone: str
    is_lenient: bool
    is_draft: bool
    records: list[FileRecord] = field(default_factory=list)
    generated: int = 0
    """How many characters ``$GENERATE`` may have made."""
    _begins: dict[Key, tuple[str, Where]] = field(default_factory=dict)
    """The part in which a set is, and where it begins."""
    _refused: set[Hashable] = field(default_factory=set)

    def check_room(self, records: int) -> None:
        """Refuse so many more records if that would be too many. Raises InvalidRdata."""
        if len(self.records) + records > MAX_RECORDS:
            raise TooManyRecords(f"the file has more than {MAX_RECORDS} records")

    def key_of(self, name: str, rdtype: str, origin: str) -> Key | None:
        """The set of a record whose owner and type are written so; None where another was refused for its *origin*.

        Raises InvalidRdata.
        """
        self.check_room(1)
        owner = self._owner(name, origin)
        return Key(owner, (record_type if self.is_lenient else given_type)(rdtype)) if owner else None

    def value_of(self, key: Key, ttl: int, data: Any, part: str, where: Where) -> str | None:
        """The canonical value of a record in a *part*, empty where it signs the zone; None where the set was refused.

        Its *data* are dnspython's, those of an OpaqueRecord, or a canonical value. Raises InvalidRdata.
        """
        if key.signs_zone(self.zone):
            return ""
        of_part, begins = self._begins.get(key, (part, where))
        if of_part != part and not self.is_draft:
            reason = f"a set is in one part, and this one has {begins} too: keep its records together"
            self._refuse_once(key, reason)
            return None
        value = self._canonical(key, ttl, data)
        self._begins[key] = of_part, begins
        return value

    def _owner(self, written: str, origin: str) -> str | None:
        """The canonical owner name; none where another record has been refused for the same origin."""
        try:
            return (owner_name if self.is_lenient else given_name)(written, self.zone)
        except InvalidName as error:
            if isinstance(error, NameOutsideZone) and _is_below(written, origin):
                self._refuse_once(
                    origin.lower(),
                    f"$ORIGIN is {origin} there, which is not inside the zone {self.zone}: is the file that of "
                    "another zone? What else it would make names of is left out here",
                )
                return None
            raise InvalidRdata(f"name {quoted(written)} cannot be used, {error}") from error

    def _canonical(self, key: Key, ttl: int, data: Any) -> str:
        if key.is_owned_by_service(self.zone):
            return data if isinstance(data, str) else as_read(key.type, data.to_text(), self.zone)
        if ttl > MAX_TTL:
            raise InvalidRdata(f"its TTL is {ttl}, and a TTL is 0 to {MAX_TTL} seconds")
        if isinstance(data, str):
            return data
        text = data.value if isinstance(data, OpaqueRecord) else text_of(data)
        try:
            if not self.is_lenient:
                check_host(key.type, text, self.zone)
            return canonical_of(key.type, data, text, self.zone)
        except InvalidRdata as error:
            raise InvalidValue(str(error)) from error

    def _refuse_once(self, what: Hashable, reason: str) -> None:
        """Raises InvalidRdata for the first record that is refused for the same: the file is, and once is enough."""
        if what not in self._refused:
            self._refused.add(what)
            raise InvalidRdata(reason)


def _is_below(name: str, origin: str) -> bool:
    """Whether a name is below an origin that is not the root, from which names are whole."""
    return origin != "." and dns.name.from_text(name).is_subdomain(dns.name.from_text(origin))


@dataclass
class _Inherited:
    """What lines leave to those behind them: the origin, the owner name, and TTLs as BIND has them.

    Where the records of a set differ in TTL, BIND takes that of the first in a run of records with one owner name, and
    of several runs the last one's. What ``$GENERATE`` makes stands in no run.
    """

    origin: str
    owner: str
    """As it is spelled, since to BIND another case ends a run."""
    default_ttl: int | None
    """That of records without one, where it is not that of the record before."""
    last_ttl: int | None = None
    _run: dict[tuple[str, int], int] = field(default_factory=dict)
    _owner_of_run: str = ""

    def ttl(self, stated: int | None) -> int | None:
        """The TTL of a record that may have *stated* one."""
        if stated is not None:
            self.last_ttl = stated
            return stated
        return self.last_ttl if self.default_ttl is None else self.default_ttl

    def counts(self, kind: tuple[str, int], ttl: int) -> int:
        """The TTL that a record of the owner has for the others of its set, which are of one *kind*."""
        if self.owner != self._owner_of_run:
            self._owner_of_run, self._run = self.owner, {}
        counts = self._run.setdefault(kind, ttl)
        if self.last_ttl is not None:
            self.last_ttl = counts
        return counts

    def counts_generated(self, owner: str, kind: tuple[str, int], ttl: int) -> int:
        """The same of what ``$GENERATE`` makes: BIND has it in the zone before the run with that name at its end."""
        return self._run.get(kind, ttl) if owner.lower() == self._owner_of_run.lower() else ttl

    def end_run(self) -> None:
        """Take what follows for records of another file, which goes on with no run of them."""
        self._owner_of_run, self._run = "", {}


@dataclass
class _Reader:
    """Reads a *part* of a zone, and what it includes; without what may be *included*, that is refused."""

    part: str
    collected: _Collected
    file_warnings: FileWarnings
    bad_lines: BadLines
    inherited: _Inherited
    included: Included | None
    where: Where = field(init=False)
    """The line at which the entry begins that is being read."""
    value: str = ""
    """The value in it, as it is written; empty where it is not known as a whole."""

    @property
    def zone(self) -> str:
        """The canonical name of the zone."""
        return self.collected.zone

    def read_part(self, text: str) -> None:
        """Read the part, which has this text."""
        try:
            text = self._usable(Source(self.part, text))
        except InvalidZoneFile as error:
            self.bad_lines.add_file(str(error))
        else:
            self._read(self.part, text)

    def _usable(self, source: Source) -> str:
        """The text of a file with the line ends of Unix. Raises InvalidZoneFile where it has none."""
        text = source.text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")
        if against := reason_against_text(text):
            line, reason = against
            raise InvalidZoneFile(f"{Where(source.place, line) if line else source.place} cannot be used, it {reason}")
        self.file_warnings.see_text(text)
        return text

    def _read(self, place: str, text: str) -> bool:
        """Read a file to its end, past all that cannot be used; whether nobody misses what is behind that."""
        for entry in entries_of(text):
            self.where, self.value = Where(place, entry.line), ""
            try:
                if not self._goes_on_behind(entry.text):
                    return False
            except (dns.exception.DNSException, ValueError) as error:
                if not self._goes_on_past(entry, error):
                    if "".join(text.split("\n")[entry.line :]).strip():
                        self.bad_lines.end(self.where)
                    return False
        return True

    def _goes_on_past(self, entry: Entry, error: Exception) -> bool:
        """Leave an entry that was refused; whether what follows it still means what it says."""
        line, inherited = entry.first_line, self.inherited
        words = line.split()
        directive = words[0].upper() if line.startswith("$") else ""
        if entry.unclosed == "parenthesis" and entry.text.rstrip() != line:  # whatever the lines are that it takes in
            error = InvalidLine("a parenthesis is not closed")
        if not self.bad_lines.add(self.where, line, self.value, error, self._owner_told):
            return False
        may_have_ttl = directive == "$TTL" or str(error) == NO_TTL or any(map(_MAY_BE_TTL.fullmatch, words[1:4]))
        if may_have_ttl and inherited.ttl(None) is None:
            inherited.default_ttl = 0
        return directive != "$ORIGIN" and self.collected.generated <= MAX_GENERATED and not entry.unclosed

    def _owner_told(self, written: str) -> str:
        """An owner name that is *written* so, or is that of the line above, relative to the zone where it is inside.

        So one file says the same of each zone that takes it.
        """
        try:
            name = self._name(written) if written else self.inherited.owner
        except (dns.exception.DNSException, ValueError):
            return written
        is_inside = dns.name.from_text(name).is_subdomain(dns.name.from_text(self.zone))
        return relative_name(name.lower(), self.zone) if is_inside else name

    def _goes_on_behind(self, text: str) -> bool:
        """Read an entry; whether what follows it still means what it says, which only an included file may change."""
        if self._takes_plain(text):
            return True
        words = words_of(text)
        if len(text) > min(LONGEST_WORD, MOST_WORDS):
            _check_size(text, words)
        if not words or words[0].is_open:
            _Tokenizer(text, self.zone).words_to_end()
        elif words[0].text[0] == "$" and text[0] not in " \t":
            return self._follow(text, words[0])
        else:
            self._record(text, record_words(text, words))
        return True

    def _follow(self, text: str, word: Word) -> bool:
        """Do what the directive says that begins with a *word*."""
        directive, inherited = word.text.upper(), self.inherited
        tokenizer = _Tokenizer(_without(text, [word]), self.zone)
        if directive == "$INCLUDE" and self.included:
            return self._include(tokenizer, self.included)
        if directive == "$GENERATE":
            self._generate(tokenizer)
        elif directive == "$TTL":
            token = tokenizer.get()
            inherited.default_ttl = dns.ttl.from_text(token.value if token.is_identifier() else "")
            tokenizer.get_eol()
        elif directive == "$ORIGIN":
            origin = tokenizer.get_name(_as_name(inherited.origin)).to_text()
            self._check_meant(tokenizer.names[0], origin)
            inherited.origin = origin
            tokenizer.get_eol()
        else:
            told = f"{printable_part(directive)} is no directive that is known"
            raise InvalidLine(not_followed(self.zone) if directive == "$INCLUDE" else told)
        self._see_escapes(text, tokenizer.names)
        return True

    def _include(self, tokenizer: _Tokenizer, included: Included) -> bool:
        """Go on in the file that a line names, below the origin that it names or this one, and come back.

        To BIND, what a $TTL or a record says there of the TTL counts for what follows the line too.
        """
        words = [token.value for token in tokenizer.words_to_end()]
        if not 1 <= len(words) <= 2:
            raise InvalidRdata("$INCLUDE takes a path and, where names are relative to another, an origin")
        inherited = self.inherited
        before = inherited.origin, inherited.owner
        origin = self._meant(words[1]) if len(words) == 2 else inherited.origin
        source = included.follow(words[0], self.where)
        text = self._usable(source)
        inherited.origin = origin
        inherited.end_run()
        goes_on = self._read(source.place, text)
        inherited.origin, inherited.owner = before
        inherited.end_run()
        return goes_on

    def _record(self, text: str, words: RecordWords) -> None:
        if words.owner:
            if words.owner.text.startswith('"'):
                raise dns.exception.SyntaxError("expecting an identifier")  # type: ignore[no-untyped-call]
            self.inherited.owner = self._owner(words, words.owner.text)
        stated = seconds_in(words.ttl.text) if words.ttl else None
        self.inherited.ttl(stated)  # which counts for what follows, also where this record is refused
        if words.rdclass and class_in(words.rdclass.text) != dns.rdataclass.IN:
            raise InvalidLine(OTHER_CLASS)
        owner = [words.owner.text] if words.owner else []
        if words.opaque:
            self._see_escapes("", owner)
            self._take(words.opaque.type, words.opaque, stated, words.rdata)
            return
        if not words.rest:
            raise dns.exception.SyntaxError
        written = words.type.text.upper()
        rdtype = _mnemonic(written)
        if not rdtype:
            raise UnknownType(words.type.text)
        if words.rdata and not any(found[0] == "(" for found in PIECES.finditer(text)):
            self.value = without_comment(text[words.rdata[0].start :]).strip()
        tokenizer = _Tokenizer(_without(text, words.head), self.zone, written)
        data = self._rdata(rdtype, tokenizer)
        self._see_escapes(text, [*owner, *tokenizer.names])
        self._take(rdtype, data, stated, words.rdata)

    def _owner(self, words: RecordWords, owner: str) -> str:
        """The owner name; Cloudflare exports that of the SOA without its final dot."""
        names_apex = f"{owner.lower()}." == self.zone == self.inherited.origin.lower()
        is_soa = bool(words.rest) and words.type.text.upper() == "SOA"
        return self.zone if names_apex and is_soa else self._meant(owner)

    def _takes_plain(self, text: str) -> bool:
        """Take a record whose value shows at a glance what it is; any other is for dnspython to read."""
        found = _PLAIN_LINE.fullmatch(text)
        if not found:
            return False
        owner, ttl, rdtype, value = found.groups()
        self.value = value
        words = value.split() if value[0] != '"' else [value]
        if rdtype in _ENDS_IN_HOST:
            if words[-1].replace(".", "").isdigit():  # an address, which is refused
                return False
            words[-1] = self._absolute(words[-1])
        plain = None if rdtype == "TXT" and value[0] != '"' else plain_value(rdtype, " ".join(words), self.zone)
        if plain:
            self.inherited.owner = self._meant(owner) if owner else self.inherited.owner
            self._take(rdtype, plain, int(ttl) if ttl else None, [])
        return bool(plain)

    def _take(self, rdtype: str, data: Any, stated: int | None, words: list[Word]) -> None:
        """Take a record of the owner, which may have *stated* a TTL and whose value has these words."""
        inherited = self.inherited
        default_ttl, ttl = inherited.default_ttl, inherited.ttl(stated)
        if rdtype == "SOA" and default_ttl is None:
            # To BIND its minimum is as a $TTL where no TTL stands before it, and else nothing.
            ttl = data.minimum if ttl is None else ttl
            inherited.default_ttl = data.minimum if inherited.last_ttl is None else None
        ttl = self._known(ttl)
        counts = inherited.counts(_kind(rdtype, data), ttl)
        self._add(inherited.owner, rdtype, data, words, (ttl, counts, default_ttl))

    def _known(self, ttl: int | None) -> int:
        """A TTL that a record has to have. Raises InvalidRdata."""
        if ttl is None and not self.collected.is_draft:
            raise InvalidLine(NO_TTL)
        return _NOT_YET if ttl is None else ttl

    def _add(
        self, name: str, rdtype: str, data: Any, words: list[Word], ttls: TTLs, *, is_generated: bool = False
    ) -> None:
        """Take a record, whose value has these words."""
        origin, (ttl, counts, default_ttl) = self.inherited.origin, ttls
        key = self.collected.key_of(name, rdtype, origin)
        value = self.collected.value_of(key, ttl, data, self.part, self.where) if key else None
        if not key or value is None:
            return
        self.collected.records.append(
            FileRecord(self.where, key, value, ttl, counts, origin.lower(), default_ttl, is_generated)
        )
        if not isinstance(data, str) and not (words and words[-1].text.startswith('"')):
            self.file_warnings.see_value(self.where, key, data, self.zone, is_generated=is_generated)

    def _rdata(self, rdtype: str, tokenizer: _Tokenizer) -> dns.rdata.Rdata:
        """The value, as dnspython reads it. Raises InvalidValue."""
        try:
            return dns.rdata.from_text(dns.rdataclass.IN, rdtype, tokenizer, _as_name(self.inherited.origin), False)
        except (dns.exception.DNSException, ValueError) as error:
            refusal = error.__cause__ if isinstance(error.__cause__, InvalidRdata) else None
            reason = refusal or reason_in_words(tokenizer.rdtype(), self.value or None, str(error))
            raise InvalidValue(str(reason)) from None

    def _absolute(self, word: str) -> str:
        origin = self.inherited.origin
        return origin if word == "@" else word if word.endswith(".") else f"{word}.{origin.removeprefix('.')}"

    def _meant(self, word: str) -> str:
        """The name that a word is, where that is to be there or have others below it. Raises what ``_name`` does."""
        name = self._name(word)
        self._check_meant(word, name)
        return name

    def _check_meant(self, word: str, name: str) -> None:
        reason = reason_against_doubled(word, name.lower(), self.zone)
        if reason and not self.collected.is_lenient and not is_doubled(self.inherited.origin.lower(), self.zone):
            raise InvalidRdata(f"name {quoted(word)} cannot be used, {reason}")

    def _name(self, word: str) -> str:
        """The name that a word is, absolute and as it is spelled. Raises dns.exception.DNSException, ValueError."""
        name = self._absolute(word)
        if is_plain_name(name.lower()):
            return name
        token = dns.tokenizer.Token(dns.tokenizer.IDENTIFIER, word)
        return _Tokenizer("", self.zone).as_name(token, _as_name(self.inherited.origin)).to_text()

    def _generate(self, tokenizer: _Tokenizer) -> None:
        words = tokenizer.words_to_end()
        if any(word.is_quoted_string() for word in words[:-1]):
            raise InvalidRdata("of the words of $GENERATE only the last, its value, may be in quotes")
        line = template([word.value for word in words], ends_in_quotes=bool(words) and words[-1].is_quoted_string())
        collected, inherited = self.collected, self.inherited
        collected.check_room(len(line.numbers))
        collected.generated += line.most_characters
        if collected.generated > MAX_GENERATED:
            raise InvalidRdata(f"$GENERATE makes more than {MAX_GENERATED} characters in the file")
        default_ttl, ttl = inherited.default_ttl, self._known(inherited.ttl(line.ttl))
        rdtype = _mnemonic(line.rdtype)
        for number in line.numbers:
            owner, value = line.filled(number)
            name = self._meant(owner)
            if not rdtype:
                raise UnknownType(line.rdtype)
            self.value = value
            data = self._rdata(rdtype, _Tokenizer(value, self.zone, line.rdtype.upper()))
            counts = inherited.counts_generated(name, _kind(rdtype, data), ttl)
            self._see_escapes(owner, [owner])
            self._add(name, rdtype, data, words_of(value), (ttl, counts, default_ttl), is_generated=True)

    def _see_escapes(self, text: str, names: Iterable[str]) -> None:
        for word in words_of(text) if "\\" in text else ():
            self.file_warnings.see_word(word.text.strip('"'), self.where, is_name=False)
        for name in names:
            self.file_warnings.see_word(name, self.where, is_name=True)


def _without(text: str, words: Iterable[Word]) -> str:
    """An entry with blanks in place of these words."""
    for word in words:
        text = text[: word.start] + " " * len(word.text) + text[word.end :]
    return text


def _check_size(text: str, words: list[Word]) -> None:
    """Raises InvalidRdata where the words of an entry cost too much."""
    opaque = opaque_record(text)
    sizes = [2 * len(opaque.value.encode())] if opaque else [len(word.text.strip('"')) for word in words]
    if max(sizes, default=0) > LONGEST_WORD:
        raise InvalidRdata(f"it has a word of more than {LONGEST_WORD} characters")
    if len(sizes) > MOST_WORDS:
        raise InvalidRdata(f"it has more than {MOST_WORDS} words")


def _kind(rdtype: str, data: Any) -> tuple[str, int]:
    """What tells the records of a set from others of their owner."""
    return rdtype, data.covers() if isinstance(data, dns.rdata.Rdata) else dns.rdatatype.NONE


@lru_cache(_FEW)
def _as_name(text: str) -> dns.name.Name:
    return dns.name.from_text(text)


@lru_cache(_FEW)
def _mnemonic(word: str) -> str | None:
    """The type that a word is, in upper case; None where it is none."""
    known = known_type(word.upper())
    return None if known is None else dns.rdatatype.to_text(known)


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
    """What a zone holds whose file is in parts.

    Each part is read by itself: what one says of origin and TTL does not count in another. *zone* is canonical, and
    the first origin of each. *included* has what ``$INCLUDE`` may lead to; without it, that is refused.

    TTLs are those that BIND gives. *default_ttl* (seconds) is as a ``$TTL`` before the first line, and what Cloudflare
    calls automatic. *warnings* gets a sentence for each line that says less than it seems to, and calls all parts
    *place*. With *is_lenient*, what a zone may hold and nobody means is read too, as a type with a slip in it or a URL
    for a host; with *is_draft*, also what has no TTL yet. Raises InvalidZoneFile, which names every bad line, up to one
    after which nobody can tell what the others of the part mean, and so one of a set that is in two parts.
    """
    collected = _Collected(zone, is_lenient, is_draft)
    file_warnings = FileWarnings(place, [] if warnings is None else warnings)
    bad_lines = BadLines(zone)
    for part in parts:
        inherited = _Inherited(zone, zone, default_ttl)
        _Reader(part.place, collected, file_warnings, bad_lines, inherited, included).read_part(part.text)
    bad_lines.refuse()
    found = defaultdict[Key, list[FileRecord]](list)
    for record in collected.records:
        if record.value:
            found[record.key].append(record)
    sets = {
        key: FileSet(tuple({one.value: None for one in records}), records[-1].counts, records[0].where)
        for key, records in found.items()
    }
    owned = {key: sets.pop(key) for key in found if key.is_owned_by_service(zone)}
    file_warnings.add_of_whole(collected.records, {key: found[key] for key in sets})
    if not is_lenient:
        sets |= file_warnings.of_automatic_ttl(sets, DEFAULT_TTL if default_ttl is None else default_ttl)
    return ParsedZone(sets, {key: one for key, one in owned.items() if key.name == zone}, collected.records)
