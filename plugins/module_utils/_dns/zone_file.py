# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone files (RFC 1035, section 5), read into the entries of ``dns_records``."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.forms import reason_in_words, translated
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.given import (
    check_host,
    given_name,
    reason_against_host,
    reason_against_word,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import LABEL_CODEC, InvalidName
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.older_dnspython import (
    reason_against_origin,
    reason_against_template,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.opaque import (
    InvalidZoneFile,
    with_placeholders,
    without_comment,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    InvalidRdata,
    canonical,
    canonical_of,
    is_unknown,
    record_type,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    MAX_TTL,
    is_owned_by_service,
    signs_zone,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import lacks_preference
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.shown import visible_part

try:
    import dns.exception
    import dns.grange
    import dns.name
    import dns.rdataclass
    import dns.rdatatype
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


MAX_RECORDS = 1_000_000  # $GENERATE can ask for more than any memory holds
MAX_GENERATED = 64 * 1024 * 1024  # characters
MAX_IN_RANGE = 2**31 - 1  # as for BIND
MAX_WIDTH = 127  # as for BIND
LONGEST_WORD = 2 * 65535  # the largest rdata in hexadecimal
MOST_WORDS = LONGEST_WORD + 8  # each of its digits by itself, and what stands before them

_WIDTH = re.compile(r"\{[+-]?[0-9]+,0*([0-9]{1,4})")
_OFTEN_UNQUOTED = frozenset({"CAA", "SPF", "TXT"})  # whose values are tags with a ; between them
_TAG = re.compile(r"\s*[A-Za-z][A-Za-z0-9_-]*\s*=\s*\S")
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
    calls the file *place*. *lines* gets the line at which each set begins. Raises InvalidZoneFile.
    """
    text = text.removeprefix(_BYTE_ORDER_MARK).replace("\r\n", "\n")
    undecoded = _UNDECODED.search(text)
    if undecoded:
        line = text.count("\n", 0, undecoded.start()) + 1
        raise InvalidZoneFile(f"line {line} of {place} cannot be used, it is not UTF-8 text")
    rewritten, unknown_types = with_placeholders(text, place)
    tokenizer = _LineTokenizer(rewritten, idna_codec=LABEL_CODEC)  # type: ignore[arg-type] # duck-typed
    tokenizer.zone = zone
    collector = _Collector(zone, unknown_types, tokenizer, place, [] if warnings is None else warnings)
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
    try:
        reader.read()
    except (dns.exception.DNSException, ValueError, *_OF_OLDER) as error:
        reason = tokenizer.refusal or _reason(error, text.split("\n")[tokenizer.record_line - 1], zone)
        raise InvalidZoneFile(f"line {tokenizer.record_line} of {place} cannot be used, {reason}") from error
    if lines is not None:
        lines.update(collector.lines)
    return [
        {"name": name, "type": rdtype, "ttl": ttl, "content": list(values)}
        for (name, rdtype), (ttl, values) in collector.record_sets.items()
    ]


@dataclass
class _Collector:
    """What dnspython's reader writes to in place of a transaction on a zone."""

    zone: str
    unknown_types: dict[int, str]
    tokenizer: _LineTokenizer
    place: str
    warnings: list[str]
    lines: dict[tuple[str, str], int] = field(default_factory=dict)
    record_sets: dict[tuple[str, str], tuple[int, dict[str, None]]] = field(default_factory=dict)
    count: int = 0

    @property
    def manager(self) -> _Collector:
        return self

    def origin_information(self) -> tuple[dns.name.Name, bool, dns.name.Name]:
        origin = dns.name.from_text(self.zone)
        return origin, False, origin

    def check_put_rdataset(self, _check: Any) -> None:
        """Nothing to check: ``dns_records`` knows about CNAME and other data."""

    def _set_origin(self, _origin: Any) -> None:
        """Nothing to set: owner names arrive absolute."""

    def check_room(self, records: int) -> None:
        """Refuse so many more records if that would be too many. Raises InvalidRdata."""
        if self.count + records > MAX_RECORDS:
            raise InvalidRdata(f"the file has more than {MAX_RECORDS} records")

    def add(self, name: dns.name.Name, ttl: int, rdata: Any) -> None:
        """Take one record of the file. Raises InvalidRdata."""
        self.check_room(1)
        self.count += 1
        try:
            owner = given_name(name.to_text(), self.zone)
        except InvalidName as error:
            raise InvalidRdata(f"{name} cannot be used, {error}") from error
        rdtype = record_type(self.unknown_types.get(rdata.rdtype) or dns.rdatatype.to_text(rdata.rdtype))
        if is_owned_by_service(owner, rdtype, self.zone) or signs_zone(owner, rdtype, self.zone):
            return
        if ttl > MAX_TTL:
            raise InvalidRdata(f"its TTL is {ttl}, and a TTL is 0 to {MAX_TTL} seconds")
        text = rdata.data.decode() if rdata.rdtype in self.unknown_types else rdata.to_text()
        self.lines.setdefault((owner, rdtype), self.tokenizer.record_line)
        _ttl, values = self.record_sets.setdefault((owner, rdtype), (ttl, {}))
        is_unquoted = rdtype in _OFTEN_UNQUOTED and not self.tokenizer.ends_in_quotes
        if is_unquoted and _TAG.match(rdata.rdcomment or ""):
            self.warnings.append(
                f"line {self.tokenizer.record_line} of {self.place}, {visible_part(f'{owner} {rdtype}')}: what "
                "follows the ; is left out as a comment: put the whole value in quotes if it belongs to it"
            )
        check_host(rdtype, text, self.zone)
        values[canonical_of(rdtype, rdata, text, self.zone)] = None


def _reason(error: Exception, line: str, zone: str) -> str:
    reason = re.sub(r"^<string>:[0-9]+: ", "", str(error))
    if reason == "Missing default TTL value":
        return "the record has no TTL, and no $TTL stands before it"
    words = translated(reason)
    if isinstance(error, InvalidRdata) or words == reason:
        return visible_part(reason)
    # An owner may be called like a type, and only a line that begins with white space has none.
    fields = without_comment(line).split()
    types = (at for at in range(0 if line[:1].isspace() else 1, len(fields)) if not is_unknown(fields[at].upper()))
    for at in types:
        rdtype, value = fields[at].upper(), " ".join(fields[at + 1 :])
        if "(" in line:
            return reason_in_words(rdtype, None, reason)
        try:
            if lacks_preference(rdtype, canonical(rdtype, value, zone)):
                return reason_in_words(rdtype, value, reason)
        except InvalidRdata as refusal:
            return visible_part(str(refusal))
        break
    return words
