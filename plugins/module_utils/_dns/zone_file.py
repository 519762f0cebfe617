# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone files (RFC 1035, section 5), read into the entries of ``dns_records``."""

from __future__ import annotations

import re
import struct
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.bad_lines import NO_TTL, refuse_bad_lines
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.collected import Collected
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.given import (
    reason_against_host,
    reason_against_word,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import LABEL_CODEC
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.older_dnspython import (
    reason_against_origin,
    reason_against_template,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.opaque import (
    InvalidZoneFile,
    with_placeholders,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import InvalidRdata

try:
    import dns.exception
    import dns.grange
    import dns.name
    import dns.rdataclass
    import dns.tokenizer
    import dns.zonefile

    from ansible_collections.zonesmith.dns.plugins.module_utils._dns.older_dnspython import IS_OLDER, ExactTokenizer
except ImportError:
    pass  # names.py keeps the error, the filters report it
else:
    _WORDS = (dns.tokenizer.IDENTIFIER, dns.tokenizer.QUOTED_STRING)

    class _LineTokenizer(ExactTokenizer):
        """Knows the line at which the record began that is being read, and refuses words that cost too much.

        The line of the plain one is often a line ahead.
        """

        zone = ""
        record_line = 1
        ends_in_quotes = False  # the word that was read last
        words = 0  # of the record that is being read
        repeats = 0  # how many records $GENERATE makes of the words that are being read
        generated = 0
        refusal: str | None = None

        def get(self, want_leading: bool = False, want_comment: bool = False) -> dns.tokenizer.Token:
            if want_leading and want_comment:  # how the reader asks for the first token of a line
                self.record_line = self.line_number
                self.words = 0
            token = super().get(want_leading, want_comment)
            kind = token.ttype
            if kind in _WORDS:
                self.ends_in_quotes = kind == dns.tokenizer.QUOTED_STRING
                self.refusal = None
                self.words += 1
                if self.words > MOST_WORDS:
                    self._refuse(f"it has more than {MOST_WORDS} words")
                if self.repeats or len(token.value) > LONGEST_WORD:
                    self._check_word(token.value)
            return token

        def get_name(self, *origins: Any, **more: Any) -> dns.name.Name:
            """The next word as a name inside rdata."""
            token = self.get()
            self._refuse(reason_against_host(token.value))
            self.unget(token)
            name = super().get_name(*origins, **more)
            if not origins:  # that of $ORIGIN, before 2.9
                self._refuse(reason_against_origin(name))
            return name

        def as_name(self, token: dns.tokenizer.Token, *origins: Any, **more: Any) -> dns.name.Name:
            """A word as a name, of an owner or inside rdata."""
            self._refuse(reason_against_word(token.value, self.zone))
            return super().as_name(token, *origins, **more)

        def leaves_record(self) -> bool:
            """Go to where the next record begins; whether anybody can tell where that is."""
            self.repeats, self.refusal, self.ungotten_token = 0, None, None
            while not self.quoting and (self.multiline or not self._is_at_start_of_line()):
                try:
                    if super().get().is_eof():
                        break
                except dns.exception.SyntaxError:
                    if self.eof:  # inside parentheses
                        return False
            return not self.quoting and self.generated <= MAX_GENERATED

        def _is_at_start_of_line(self) -> bool:
            at = self.file.tell()
            self.file.seek(max(at - 1, 0))
            return self.file.read(at and 1) == "\n" and self.ungotten_char is None

        def _check_word(self, word: str) -> None:
            widths = [int(width) for width in _WIDTH.findall(word)] if self.repeats else []
            self.generated += self.repeats * (len(word) + len(str(MAX_IN_RANGE)) * word.count("$") + sum(widths))
            if len(word) > LONGEST_WORD:  # to read a TTL takes the square of the number of its digits
                self.refusal = f"it has a word of more than {LONGEST_WORD} characters"
            elif any(width > MAX_WIDTH for width in widths):
                self.refusal = f"$GENERATE takes a width of at most {MAX_WIDTH}"
            elif self.generated > MAX_GENERATED:
                self.refusal = f"$GENERATE makes more than {MAX_GENERATED} characters in the file"
            elif self.repeats:
                self.refusal = reason_against_template(word)
            self._refuse(self.refusal)

        def _refuse(self, reason: str | None) -> None:
            self.refusal = reason
            if reason:
                raise InvalidRdata(reason)  # for which the reader may say something else

    class _Reader(dns.zonefile.Reader):
        """Counts what $GENERATE asks for before it is made."""

        tok: _LineTokenizer

        def _rr_line(self) -> None:
            had_default = self.default_ttl_known
            super()._rr_line()
            # Before 2.9 the minimum of an SOA is the TTL of all that have none, in spite of RFC 2308, section 4.
            if IS_OLDER and self.default_ttl_known and not had_default:
                if not self.last_ttl_known:
                    self.last_ttl = self.default_ttl
                self.last_ttl_known, self.default_ttl_known = True, False

        def _generate_line(self) -> None:
            token = self.tok.get()
            collector: Any = self.txn
            try:
                start, stop, step = dns.grange.from_text(token.value)
            except (dns.exception.DNSException, AssertionError, ValueError):
                raise InvalidRdata("$GENERATE takes a range such as 1-9 or 1-9/2") from None
            if max(stop, step) > MAX_IN_RANGE:
                raise InvalidRdata(f"$GENERATE takes numbers up to {MAX_IN_RANGE}")
            self.tok.repeats = len(range(start, stop + 1, step))
            collector.check_room(self.tok.repeats)
            self.tok.unget(token)
            super()._generate_line()  # type: ignore[no-untyped-call] # dnspython has not annotated it
            self.tok.repeats = 0

        @property
        def record_line(self) -> int:
            """The number of the line at which the record began that was read last."""
            return self.tok.record_line

        @property
        def refusal(self) -> str | None:
            """What the tokenizer has against that line, for which dnspython may say something else."""
            return self.tok.refusal

        def error(self) -> Exception | None:
            """Read on; what is wrong with the line at which that ends, none at the end of the file."""
            try:
                self.read()
            except (dns.exception.DNSException, ValueError, *_OF_OLDER) as error:
                return error
            return None

        def goes_on(self, line: str, reason: str) -> bool:
            """Leave a *line* that was refused; whether what follows it still means what it says."""
            words = line.split()
            directive = words[0].upper() if line.startswith("$") else ""
            if directive == "$TTL" or reason == NO_TTL or any(map(_MAY_BE_TTL.fullmatch, words[1:4])):
                self.default_ttl_known = self.default_ttl_known or not self.last_ttl_known
            return directive != "$ORIGIN" and self.tok.leaves_record()


MAX_GENERATED = 64 * 1024 * 1024  # characters
MAX_IN_RANGE = 2**31 - 1  # as for BIND
MAX_WIDTH = 127  # as for BIND
LONGEST_WORD = 2 * 65535  # the largest rdata in hexadecimal
MOST_WORDS = LONGEST_WORD + 8  # each of its digits by itself, and what stands before them

_WIDTH = re.compile(r"\{[+-]?[0-9]+,0*([0-9]{1,4})")
_MAY_BE_TTL = re.compile(r"[0-9][0-9smhdw]*", re.IGNORECASE)
_BYTE_ORDER_MARK = "\ufeff"
_UNDECODED = re.compile("[\ud800-\udfff]")  # what Ansible makes of bytes that are not UTF-8
_OF_OLDER = (IndexError, struct.error)  # what dnspython before 2.9 raises for "" as a name, and for an escape above 255


def read_zone_file(
    text: str,
    zone: str,
    warnings: list[str] | None = None,
    *,
    default_ttl: int | None = None,
    place: str = "the zone file",
    lines: dict[tuple[str, str], int] | None = None,
) -> list[dict[str, Any]]:
    """The record sets of a zone file, as entries of ``dns_records``, in the order of the file.

    *zone* is canonical, and the first origin. SOA and NS at the apex are left out, since the service owns them, and so
    is what signs the zone, since no signature fits an SOA that the service writes. Where
    the records of one set differ in TTL the first one counts, as it does for BIND. *default_ttl* (seconds) is as a
    ``$TTL`` before the first line. *warnings* gets a sentence for each line that says less than it seems to, which
    calls the file *place*. *lines* gets the line at which each set begins. Raises InvalidZoneFile, which names every
    bad line, up to one after which nobody can tell what the others mean.
    """
    text = text.removeprefix(_BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")
    undecoded = _UNDECODED.search(text)
    if undecoded:
        line = text.count("\n", 0, undecoded.start()) + 1
        raise InvalidZoneFile(f"line {line} of {place} cannot be used, it is not UTF-8 text")
    rewritten, unknown_types = with_placeholders(text, place)
    tokenizer = _LineTokenizer(rewritten, idna_codec=LABEL_CODEC)  # type: ignore[arg-type] # duck-typed
    tokenizer.zone = zone
    collector = Collected(zone, unknown_types, tokenizer, place, [] if warnings is None else warnings)
    # The transaction is duck-typed: no more of it is used than to add records.
    reader = _Reader(
        tokenizer,
        dns.rdataclass.IN,
        collector,  # type: ignore[arg-type]
        allow_directives=("$ORIGIN", "$TTL", "$GENERATE"),
        default_ttl=default_ttl,
    )
    # With the root for its zone the reader skips nothing, and the collector can tell what is outside.
    reader.zone_origin = dns.name.root
    refuse_bad_lines(reader, text, zone, place)
    collector.warn_of_the_others()
    if lines is not None:
        lines.update(collector.lines)
    return [
        {"name": name, "type": rdtype, "ttl": ttl, "content": list(values)}
        for (name, rdtype), (ttl, values) in collector.record_sets.items()
    ]
