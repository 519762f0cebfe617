# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone files (RFC 1035, section 5), read into the entries of ``dns_records``."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any, cast

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.bad_lines import (
    NO_TTL,
    BadLines,
    InvalidValue,
    reason_against_type,
    written_in,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.collected import Collected, FileRecord
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.file_text import reason_against_text
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.forms import reason_in_words
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.generate import template
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.given import (
    reason_against_host,
    reason_against_word,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.included import Included, Source, Where
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.invalid_zone_file import InvalidZoneFile
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import (
    LABEL_CODEC,
    is_doubled,
    reason_against_doubled,
    relative_name,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.opaque import with_placeholders
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.plain_lines import PlainLines
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import quoted
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import InvalidRdata
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import DEFAULT_TTL

try:
    import dns.exception
    import dns.name
    import dns.rdata
    import dns.rdataclass
    import dns.rdatatype
    import dns.tokenizer
    import dns.zonefile

    from ansible_collections.zonesmith.dns.plugins.module_utils._dns.older_dnspython import ExactTokenizer
except ImportError:
    pass  # names.py keeps the error, the filters report it
else:
    _WORDS = (dns.tokenizer.IDENTIFIER, dns.tokenizer.QUOTED_STRING)

    class _LineTokenizer(ExactTokenizer):
        """Knows the line at which the record began that is being read, and refuses words that cost too much.

        The line of the plain one is often a line ahead.
        """

        zone = ""
        is_held = False
        source = Source("", "")
        first: dns.tokenizer.Token | None = None  # of the line that is being read
        record_line = 1
        ends_in_quotes = False  # the word that was read last
        words = 0  # of the record that is being read
        refusal: InvalidRdata | None = None
        origin: Callable[[], dns.name.Name | None]  # of the line that is being read
        include: Callable[[list[str]], None] | None = None  # the words behind $INCLUDE
        end: Callable[[], None] | None = None  # what comes behind the end of a file that is included
        take_plain_lines: Callable[[], None]  # from where the reading is
        see_word: Callable[[str, bool], None] = staticmethod(lambda _word, _is_name: None)  # with escapes; if a name

        def get(self, want_leading: bool = False, want_comment: bool = False) -> dns.tokenizer.Token:
            is_first = want_leading and want_comment  # how the reader asks for the first token of a line
            if is_first:
                self.take_plain_lines()
                self.record_line = self.line_number
                self.words = 0
            token = super().get(want_leading, want_comment)
            if is_first:
                self.first = token
            kind = token.ttype
            if is_first and self._turns(token):
                return dns.tokenizer.Token(dns.tokenizer.EOL)
            if kind in _WORDS:
                self.ends_in_quotes = kind == dns.tokenizer.QUOTED_STRING
                self.refusal = None
                self.words += 1
                if self.words > MOST_WORDS:
                    self._refuse(InvalidRdata(f"it has more than {MOST_WORDS} words"))
                if len(token.value) > LONGEST_WORD:  # to read a TTL takes the square of the number of its digits
                    self._refuse(InvalidRdata(f"it has a word of more than {LONGEST_WORD} characters"))
                if "\\" in token.value:
                    self.see_word(token.value, False)
            return token

        def _turns(self, token: dns.tokenizer.Token) -> bool:
            """Whether the reader goes on in another file behind the line that this *token* begins."""
            if token.is_eof() and self.end:
                self.end()
                return True
            if not (self.include and token.is_identifier() and token.value.upper() == "$INCLUDE"):
                return False
            words = list[str]()
            while not (word := self.get()).is_eol_or_eof():
                words.append(word.value)
            self.include(words)
            return True

        def words_of_line(self) -> list[str]:
            """The words up to the end of the line, of which only the last may be in quotes."""
            words, is_quoted = list[str](), False
            while not (token := self.get()).is_eol_or_eof():
                if is_quoted:
                    raise InvalidRdata("of the words of $GENERATE only the last, its value, may be in quotes")
                words.append(token.value)
                is_quoted = token.is_quoted_string()
            return words

        def get_name(self, *origins: Any, **more: Any) -> dns.name.Name:
            """The next word as a name inside rdata."""
            token = self.get()
            if reason := reason_against_host(token.value) or reason_against_word(token.value, self.zone):
                self._refuse(InvalidValue(reason))
            self.unget(token)
            # Before 2.9, $ORIGIN is not told what a relative one is relative to (RFC 1035, section 5.1).
            return super().get_name(*(origins or (self.origin(),)), **more)

        def as_name(self, token: dns.tokenizer.Token, *origins: Any, **more: Any) -> dns.name.Name:
            """A word as a name, of an owner or inside rdata."""
            if reason := reason_against_word(token.value, self.zone):
                self._refuse(InvalidRdata(reason))
            if "\\" in token.value:
                self.see_word(token.value, True)
            name = super().as_name(token, *origins, **more)
            reason = reason_against_doubled(token.value, name.to_text().lower(), self.zone)
            if reason and self._names_sets(token) and not is_doubled(origins[0].to_text().lower(), self.zone):
                self._refuse(InvalidRdata(f"name {quoted(token.value)} cannot be used, {reason}"))
            return name

        def _names_sets(self, token: dns.tokenizer.Token) -> bool:
            """Whether a word is an owner name that is to be there, or what such names are relative to."""
            first = self.first
            return bool(first and not self.is_held and (token is first or first.value.startswith("$")))

        def leaves_record(self) -> bool:
            """Go to where the next record begins; whether anybody can tell where that is."""
            self.refusal, self.ungotten_token = None, None
            while not self._is_inside_quotes() and (self.multiline or not self._is_at_start_of_line()):
                try:
                    if super().get().is_eof():
                        break
                except dns.exception.SyntaxError:
                    if self.eof:  # inside parentheses
                        return False
            return not self._is_inside_quotes()

        def _is_inside_quotes(self) -> bool:
            return self.quoting and self.ungotten_char != '"'  # which is the one at the end of the last word

        def _is_at_start_of_line(self) -> bool:
            at = self.file.tell()
            self.file.seek(max(at - 1, 0))
            return self.file.read(at and 1) == "\n" and self.ungotten_char is None

        def _refuse(self, refusal: InvalidRdata) -> None:
            self.refusal = refusal  # the reader may say something else for it
            raise refusal

    class _Reader(dns.zonefile.Reader):
        """Reads TTLs, $GENERATE and $INCLUDE as BIND does, and counts what is asked for before it is made.

        Of a part of a zone, and of what it includes. Raises InvalidZoneFile where it has no text.
        """

        tok: _LineTokenizer

        def __init__(
            self, part: Source, collector: Collected, included: Included | None, default_ttl: int | None
        ) -> None:
            tokenizer, self._collector, self._included = self._opened(part, collector), collector, included
            # The transaction is duck-typed: no more of it is used than to add records.
            super().__init__(
                tokenizer,
                dns.rdataclass.IN,
                collector,  # type: ignore[arg-type]
                allow_directives=("$ORIGIN", "$TTL", "$GENERATE"),
                default_ttl=default_ttl,
            )
            # With the root for its zone the reader skips nothing, and the collector can tell what is outside.
            self.zone_origin = dns.name.root
            collector.begin_part(part.place)
            if included:
                tokenizer.include = self._include

        def _opened(self, source: Source, collector: Collected) -> _LineTokenizer:
            """What reads a file, as which *collector* takes what it is given from then on. Raises InvalidZoneFile."""
            text = source.text.removeprefix(_BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")
            if against := reason_against_text(text):
                line, reason = against
                where = Where(source.place, line) if line else source.place
                raise InvalidZoneFile(f"{where} cannot be used, it {reason}")
            collector.exported.see_text(text)
            rewritten, collector.unknown_types = with_placeholders(text, source.place)
            tokenizer = _LineTokenizer(rewritten, idna_codec=LABEL_CODEC)  # type: ignore[arg-type] # duck-typed
            tokenizer.zone, tokenizer.is_held, tokenizer.source = (
                collector.zone,
                collector.is_held,
                Source(source.place, text),
            )
            tokenizer.origin = lambda: self.current_origin
            tokenizer.take_plain_lines = partial(self._take_plain_lines, PlainLines(rewritten, collector.zone))
            lines = cache(partial(text.split, "\n"))
            tokenizer.rdtype = lambda: written_in(lines()[tokenizer.record_line - 1]).type
            tokenizer.see_word = lambda word, is_name: collector.see_word(word, is_name=is_name)
            collector.tokenizer = tokenizer
            return tokenizer

        def _include(self, words: list[str]) -> None:
            """Go on in the file that the *words* behind $INCLUDE name, below the origin that they name or this one.

            To BIND, what a $TTL or a record says there of the TTL counts for what follows the line too.
            """
            if not 1 <= len(words) <= 2:
                raise InvalidRdata("$INCLUDE takes a path and, where names are relative to another, an origin")
            origin = self.current_origin
            if len(words) == 2:
                origin = self.tok.as_name(dns.tokenizer.Token(dns.tokenizer.IDENTIFIER, words[1]), origin)
            collector, included = self._collector, cast("Included", self._included)
            before = self.tok, self.current_origin, self.last_name, collector.unknown_types
            tokenizer = self._opened(included.follow(words[0], collector.where), collector)

            def end() -> None:
                self.tok, self.current_origin, self.last_name, collector.unknown_types = before
                collector.tokenizer = self.tok
                collector.end_run()

            tokenizer.end, tokenizer.include = end, self._refuse_inside
            self.tok, self.current_origin = tokenizer, origin
            collector.end_run()

        def _refuse_inside(self, _words: list[str]) -> None:
            place = self.tok.source.place
            raise cast("Included", self._included).refusal(f"{place} is included itself")

        def _rr_line(self) -> None:
            had_default, collector = self.default_ttl_known, self._collector
            collector.ttl_of_line, collector.default_ttl = None, self.default_ttl if had_default else None
            super()._rr_line()
            if self.default_ttl_known and not had_default:
                # To BIND the minimum of an SOA is as a $TTL where no TTL stands before it, and else nothing. dnspython
                # takes it for more or for less than that, depending on its version.
                self.default_ttl_known, self.default_ttl_from_soa = not self.last_ttl_known, False
            if collector.ttl_of_line is not None:
                self.last_ttl = collector.ttl_of_line

        def _take_plain_lines(self, plain: PlainLines) -> None:
            """Read the lines that come next, as far as they are plain, to the same end as ``_rr_line``."""
            tok, spelled = self.tok, ""
            if tok.ungotten_token or tok.ungotten_char is not None or tok.multiline or tok.quoting:
                return
            origin = self.current_origin or dns.name.root
            last_name = self.last_name or origin
            self._collector.default_ttl = self.default_ttl if self.default_ttl_known else None
            for line in plain.following(tok.file.tell(), tok.line_number, origin.to_text(), last_name.to_text()):
                ttl = self.default_ttl if self.default_ttl_known else self.last_ttl if self.last_ttl_known else None
                counts = self._collector.takes_plain(line, ttl if line.ttl is None else line.ttl)
                if counts is None:
                    break
                spelled, self.last_ttl = line.spelled, counts
                self.last_ttl_known = self.last_ttl_known or line.ttl is not None
            if spelled:
                self.last_name = dns.name.from_text(spelled)
            tok.file.seek(plain.end)
            tok.line_number = plain.number

        def _generate_line(self) -> None:
            words = self.tok.words_of_line()
            line = template(words, ends_in_quotes=self.tok.ends_in_quotes)
            collector = self._collector
            collector.default_ttl = self.default_ttl if self.default_ttl_known else None
            collector.check_room(len(line.numbers))
            collector.generated += line.most_characters
            if collector.generated > MAX_GENERATED:
                raise InvalidRdata(f"$GENERATE makes more than {MAX_GENERATED} characters in the file")
            if line.ttl is not None:
                self.last_ttl, self.last_ttl_known = line.ttl, True
            if not self.default_ttl_known and not self.last_ttl_known:
                raise InvalidRdata(NO_TTL)
            ttl = self.default_ttl if line.ttl is None and self.default_ttl_known else self.last_ttl
            for number in line.numbers:
                owner, value = line.filled(number)
                name = self.tok.as_name(dns.tokenizer.Token(dns.tokenizer.IDENTIFIER, owner), self.current_origin)
                collector.add(name, ttl, self._rdata(line.rdtype, value), is_generated=True)

        def _rdata(self, rdtype: str, text: str) -> dns.rdata.Rdata:
            """A value of its own text. Raises dns.exception.DNSException, ValueError."""
            try:
                known = dns.rdatatype.from_text(rdtype)
            except (dns.exception.DNSException, ValueError):
                raise InvalidRdata(reason_against_type(rdtype)) from None
            tokenizer = _LineTokenizer(text, idna_codec=LABEL_CODEC)  # type: ignore[arg-type] # duck-typed
            tokenizer.zone, tokenizer.rdtype = self.tok.zone, rdtype.upper
            try:
                return dns.rdata.from_text(dns.rdataclass.IN, known, tokenizer, self.current_origin, False)
            except (dns.exception.DNSException, ValueError, *_OF_OLDER) as error:
                reason = (
                    str(tokenizer.refusal) if tokenizer.refusal else reason_in_words(rdtype.upper(), text, str(error))
                )
                raise InvalidValue(reason, text) from None
            finally:
                self.tok.ends_in_quotes = tokenizer.ends_in_quotes

        @property
        def source(self) -> Source:
            """The file of the record that was read last."""
            return self.tok.source

        @property
        def record_line(self) -> int:
            """The number of the line at which the record began that was read last."""
            return self.tok.record_line

        def error(self) -> Exception | None:
            """Read on; what is wrong with the line at which that ends, none at the end of the file."""
            try:
                self.read()
            except (dns.exception.DNSException, ValueError, *_OF_OLDER) as error:
                return self.tok.refusal or error
            return None

        def owner(self, written: str) -> str:
            """The owner name of a record of that line, which has it *written* so, or from the line above."""
            zone = dns.name.from_text(self.tok.zone)
            name = self.last_name or zone
            if written:
                token = dns.tokenizer.Token(dns.tokenizer.IDENTIFIER, written)
                try:
                    name = self.tok.as_name(token, self.current_origin)
                except (dns.exception.DNSException, ValueError, *_OF_OLDER):
                    return written
            text = name.to_text()
            return relative_name(text.lower(), self.tok.zone) if name.is_subdomain(zone) else text

        def goes_on(self, line: str, reason: str) -> bool:
            """Leave a *line* that was refused; whether what follows it still means what it says."""
            words = line.split()
            directive = words[0].upper() if line.startswith("$") else ""
            if directive == "$TTL" or reason == NO_TTL or any(map(_MAY_BE_TTL.fullmatch, words[1:4])):
                self.default_ttl_known = self.default_ttl_known or not self.last_ttl_known
            return directive != "$ORIGIN" and self._collector.generated <= MAX_GENERATED and self.tok.leaves_record()


MAX_GENERATED = 64 * 1024 * 1024  # characters
LONGEST_WORD = 2 * 65535  # the largest rdata in hexadecimal
MOST_WORDS = LONGEST_WORD + 8  # each of its digits by itself, and what stands before them

_MAY_BE_TTL = re.compile(r"[0-9][0-9smhdw]*", re.IGNORECASE)
_BYTE_ORDER_MARK = "\ufeff"
_OF_OLDER = (IndexError, struct.error)  # what dnspython before 2.9 raises for "" as a name, and for an escape above 255


def read_zone_file(
    text: str,
    zone: str,
    warnings: list[str] | None = None,
    *,
    default_ttl: int | None = None,
    place: str = "the zone file",
    lines: dict[tuple[str, str], int] | None = None,
    owned: dict[tuple[str, str], list[str]] | None = None,
) -> list[dict[str, Any]]:
    """The record sets of a zone file, as entries of ``dns_records``, in the order of the file.

    As ``read_zone_parts`` of a single part, which an error calls *place*; *lines* gets the line at which each set
    begins.
    """
    begins: list[Where] = []
    entries = read_zone_parts(
        [Source(place, text)], zone, warnings, place=place, default_ttl=default_ttl, begins=begins, owned=owned
    )
    if lines is not None:
        lines.update(((one["name"], one["type"]), where.line) for one, where in zip(entries, begins, strict=True))
    return entries


def read_zone_parts(
    parts: Iterable[Source],
    zone: str,
    warnings: list[str] | None = None,
    *,
    place: str,
    included: Included | None = None,
    default_ttl: int | None = None,
    begins: list[Where] | None = None,
    owned: dict[tuple[str, str], list[str]] | None = None,
    records: list[FileRecord] | None = None,
    is_held: bool = False,
) -> list[dict[str, Any]]:
    """The record sets of a zone whose file is in parts, as entries of ``dns_records``, in the order of the parts.

    Each part is read by itself: what one says of origin and TTL does not count in another. *zone* is canonical, and
    the first origin of each. *included* has what ``$INCLUDE`` may lead to; without it, that is refused.

    SOA and NS at the apex are left out, since the service owns them, and so is what signs the zone, since no signature
    fits an SOA that the service writes. TTLs are those that BIND gives.
    *default_ttl* (seconds) is as a ``$TTL`` before the first line, and what Cloudflare calls automatic. *warnings* gets
    a sentence for each line that says less than it seems to, and calls all parts *place*. *begins* gets where each of
    them begins, *owned* the canonical values of the SOA and of the NS at the apex, *records* each record, also of what
    is left out. With *is_held*, what a zone may hold and nobody means is read too, as a type with a slip in it or a URL
    for a host. Raises InvalidZoneFile, which names every bad line, up to one after which nobody can tell what the
    others of the part mean, and so one of a set that is in two parts.
    """
    collector = Collected(zone, place, [] if warnings is None else warnings, is_held=is_held, records=records)
    bad_lines = BadLines()
    for part in parts:
        try:
            reader = _Reader(part, collector, included, default_ttl)
        except InvalidZoneFile as error:
            bad_lines.add_file(str(error))
        else:
            bad_lines.read(reader, zone)
    bad_lines.refuse()
    collector.warn()
    if not is_held:
        collector.replace_automatic_ttls(DEFAULT_TTL if default_ttl is None else default_ttl)
    if begins is not None:
        begins.extend(found.begins for found in collector.record_sets.values())
    if owned is not None:
        owned.update({key: [*found.values] for key, found in collector.owned.items() if key[0] == zone})
    entries = [
        {"name": name, "type": rdtype, "ttl": found.ttl, "content": list(found.values)}
        for (name, rdtype), found in collector.record_sets.items()
    ]
    collector.forget()
    return entries
