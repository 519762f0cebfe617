# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the files of a zone hold, record by record, as record sets."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.bad_lines import InvalidValue, TooManyRecords
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.exported import AUTOMATIC_TTL, Exported
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.given import check_host, given_name, given_type
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.included import Source, Where
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidName, NameOutsideZone, owner_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.plain_lines import PlainLine
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import (
    SHOWN_CLAUSES,
    printable_part,
    quoted,
    some_names,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    InvalidRdata,
    as_read,
    canonical_of,
    record_type,
    text_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    MAX_TTL,
    is_owned_by_service,
    signs_zone,
)

try:
    import dns.name
    import dns.rdatatype
except ImportError:
    pass  # names.py keeps the error, the filters report it

MAX_RECORDS = 1_000_000  # $GENERATE can ask for more than any memory holds
_QUOTES = (
    "put the whole value in quotes",
    'write the whole value as "\\"...\\""',  # BIND reads it as it stands in a line of its own then
)
_SHOWN_LINES = 5
"""With another TTL than the one that counts, of which a warning tells beside the first."""
_TAG = re.compile(r"\s*[A-Za-z][A-Za-z0-9_-]*\s*=\s*\S")
_ITEM = re.compile(r"[A-Za-z0-9/.:-]*[0-9]")
_CUT_OFF = {"CAA": _TAG, "SPF": _TAG, "TXT": _TAG, "HTTPS": _ITEM, "SVCB": _ITEM}
"""What is no comment by the look of it, behind a ; in a value without quotes."""


class Reading(Protocol):
    """Where the reading of a file is."""

    source: Source
    record_line: int
    ends_in_quotes: bool

    def origin(self) -> dns.name.Name | None:
        """What a relative name is relative to."""


class FileRecord(NamedTuple):
    """One record of a file: the line at which it begins, and what it is to whoever reads the file."""

    where: Where
    owner: str
    type: str
    value: str
    """Canonical; empty where the record signs the zone."""
    ttl: int
    """That of its line, or from the lines before."""
    counts: int
    """The TTL that BIND gives it for the others of its set."""
    origin: str
    default_ttl: int | None
    """The TTL that it has where it says none; None where that is the one of the record before."""
    is_generated: bool


@dataclass(slots=True)
class FileSet:
    """A record set of a file: its values, its TTL in seconds, and with which part, line and TTL it begins."""

    values: dict[str, None]
    ttl: int
    part: str
    begins: Where
    first_ttl: int


FileSets = dict[tuple[str, str], FileSet]
"""By canonical owner name and type."""


@dataclass
class Collected:
    """What dnspython's reader writes to in place of a transaction on a zone.

    Where the records of a set differ in TTL, BIND takes that of the first in a run of records with one owner name, and
    of several runs the last one's. What ``$GENERATE`` makes stands in no run.
    """

    zone: str
    place: str
    warnings: list[str]
    tokenizer: Reading = field(init=False)
    unknown_types: dict[int, str] = field(default_factory=dict)
    """The types behind the numbers in the text that is being read."""
    record_sets: FileSets = field(default_factory=dict)
    owned: FileSets = field(default_factory=dict)
    signing: Counter[str] = field(default_factory=Counter)
    """How many records sign the zone, by their types."""
    exported: Exported = field(default_factory=Exported)
    default_ttl: int | None = None
    """That of records without one, where it is not that of the record before, as the line that is read finds it."""
    ttl_of_line: int | None = None
    """That of the record that was taken last, for those behind it that have none."""
    _run: dict[tuple[str, int], int] = field(default_factory=dict)
    _owner_of_run: str = ""
    _foreign_origins: set[dns.name.Name] = field(default_factory=set)
    _part: str = ""
    _ttls: dict[tuple[str, str], dict[Where, int]] = field(default_factory=dict)
    """Of each set whose records have several TTLs: its first line, those that say another TTL, and what they say."""
    _split: set[tuple[str, str]] = field(default_factory=set)
    count: int = 0
    is_held: bool = False
    """Whether it takes what a zone may hold and nobody means, such as a type with a slip in it."""
    records: list[FileRecord] | None = None
    """Each of them in the order of the files, where somebody wants to know."""
    generated: int = 0
    """How many characters ``$GENERATE`` may have made."""

    @property
    def where(self) -> Where:
        """The line at which the record begins that is being read."""
        return Where(self.tokenizer.source.place, self.tokenizer.record_line)

    def see_word(self, word: str, *, is_name: bool) -> None:
        """Note a word with escapes of the line that is being read."""
        self.exported.see_word(word, self.where, is_name=is_name)

    def begin_part(self, place: str) -> None:
        """Take what follows for a part of its own, which an error calls *place*."""
        self._part = place
        self.end_run()

    def end_run(self) -> None:
        """Take what follows for records of another file, which goes on with no run of them."""
        self._owner_of_run, self._run = "", {}

    def forget(self) -> None:
        """Keep nothing that was taken: who reads into it refers to it, and it to that, so that both are freed late."""
        self.record_sets = {}

    @property
    def manager(self) -> Collected:
        """Whom dnspython's reader asks for the origin."""
        return self

    def origin_information(self) -> tuple[dns.name.Name, bool, dns.name.Name]:
        """The origin as the reader wants it: the zone, that names stay absolute, and the zone once more."""
        origin = dns.name.from_text(self.zone)
        return origin, False, origin

    def check_put_rdataset(self, _check: Any) -> None:
        """Nothing to check: ``dns_records`` knows about CNAME and other data."""

    def _set_origin(self, _origin: Any) -> None:
        """Nothing to set: owner names arrive absolute."""

    def check_room(self, records: int) -> None:
        """Refuse so many more records if that would be too many. Raises InvalidRdata."""
        if self.count + records > MAX_RECORDS:
            raise TooManyRecords(f"the file has more than {MAX_RECORDS} records")

    def add(self, name: dns.name.Name, ttl: int, rdata: Any, *, is_generated: bool = False) -> None:
        """Take one record of the file. Raises InvalidRdata."""
        self.check_room(1)
        self.count += 1
        spelled = name.to_text()
        try:
            owner = (owner_name if self.is_held else given_name)(spelled, self.zone)
        except NameOutsideZone as error:
            if not (origin := self._foreign_origin(name)):
                raise InvalidRdata(f"name {quoted(spelled)} cannot be used, {error}") from error
            if origin in self._foreign_origins:
                return  # the file is refused for it, and once is enough
            self._foreign_origins.add(origin)
            raise InvalidRdata(
                f"$ORIGIN is {origin} there, which is not inside the zone {self.zone}: is the file that of another "
                "zone? What else it would make names of is left out here"
            ) from error
        except InvalidName as error:
            raise InvalidRdata(f"name {quoted(spelled)} cannot be used, {error}") from error
        mnemonic = self.unknown_types.get(rdata.rdtype) or dns.rdatatype.to_text(rdata.rdtype)
        rdtype = (record_type if self.is_held else given_type)(mnemonic)
        counts = self._ttl_that_counts(spelled, (rdtype, rdata.covers()), ttl, is_generated)
        if signs_zone(owner, rdtype, self.zone):
            self.signing[rdtype] += 1
            self._note(self.where, (owner, rdtype), "", ttl, counts, is_generated=is_generated)
            return
        where = self.where
        is_owned = is_owned_by_service(owner, rdtype, self.zone)
        sets = self.owned if is_owned else self.record_sets
        if not self._is_in_one_part(sets, (owner, rdtype)):
            return
        if is_owned:
            value = as_read(rdtype, rdata.to_text(), self.zone)
            self._put(sets, (owner, rdtype), value, where, ttl, counts)
            self._note(where, (owner, rdtype), value, ttl, counts, is_generated=is_generated)
            return
        if ttl > MAX_TTL:
            raise InvalidRdata(f"its TTL is {ttl}, and a TTL is 0 to {MAX_TTL} seconds")
        text = rdata.data.decode() if rdata.rdtype in self.unknown_types else text_of(rdata)
        self._warn_of_a_text_without_quotes(where, owner, rdtype, rdata, _QUOTES[is_generated])
        try:
            if not self.is_held:
                check_host(rdtype, text, self.zone)
            value = canonical_of(rdtype, rdata, text, self.zone)
        except InvalidRdata as error:
            raise InvalidValue(str(error)) from error
        self._put(sets, (owner, rdtype), value, where, ttl, counts)
        self._note(where, (owner, rdtype), value, ttl, counts, is_generated=is_generated)

    def takes_plain(self, line: PlainLine, ttl: int | None) -> int | None:
        """Take one record as ``add`` would; the TTL that counts, and none where ``add`` might refuse the record."""
        key, where = (line.owner, line.type), Where(self.tokenizer.source.place, line.number)
        if ttl is None or ttl > MAX_TTL or self.count >= MAX_RECORDS:
            return None
        found = self.record_sets.get(key)
        if found and found.part != self._part:
            return None
        self.count += 1
        counts = self._ttl_that_counts(line.spelled, (line.type, dns.rdatatype.NONE), ttl, is_generated=False)
        self._put(self.record_sets, key, line.value, where, ttl, counts)
        self._note(where, key, line.value, ttl, counts, is_generated=False)
        return counts

    def _put(self, sets: FileSets, key: tuple[str, str], value: str, where: Where, ttl: int, counts: int) -> None:
        found = sets.get(key)
        if found is None:
            sets[key] = FileSet({value: None}, counts, self._part, where, ttl)
            return
        found.values[value] = None
        found.ttl = counts
        if ttl != found.first_ttl and sets is self.record_sets:
            self._ttls.setdefault(key, {found.begins: found.first_ttl})[where] = ttl

    def _note(
        self, where: Where, key: tuple[str, str], value: str, ttl: int, counts: int, *, is_generated: bool
    ) -> None:
        if self.records is not None:
            origin = (self.tokenizer.origin() or dns.name.root).canonicalize().to_text()
            self.records.append(FileRecord(where, *key, value, ttl, counts, origin, self.default_ttl, is_generated))

    def _is_in_one_part(self, sets: FileSets, key: tuple[str, str]) -> bool:
        """Whether a set has no record in a part before this one. Raises InvalidRdata for the first that has."""
        found = sets.get(key)
        if not found or found.part == self._part:
            return True
        if key not in self._split:
            self._split.add(key)
            raise InvalidRdata(f"a set is in one part, and this one has {found.begins} too: keep its records together")
        return False

    def _warn_of_a_text_without_quotes(self, where: Where, owner: str, rdtype: str, rdata: Any, how: str) -> None:
        """Say where a value without quotes is less than it seems to be (RFC 1035, section 5.1)."""
        if rdtype not in _CUT_OFF or self.tokenizer.ends_in_quotes:
            return
        subject = f"{where}, {printable_part(f'{owner} {rdtype}')}"
        if _CUT_OFF[rdtype].match(rdata.rdcomment or ""):
            how = "write a comma in its place" if _CUT_OFF[rdtype] is _ITEM else how
            self.warnings.append(
                f"{subject}: its value is {printable_part(rdata.to_text())}, and what follows the ; is left out as a "
                f"comment: {how} if it belongs to it"
            )
        if rdtype in ("SPF", "TXT") and len(rdata.strings) > 1:
            joined = as_read(rdtype, rdata.to_text(), self.zone)
            self.warnings.append(
                f"{subject}: its words are one text with nothing between them, {printable_part(joined)}: {how} if "
                "blanks belong to it"
            )

    def _foreign_origin(self, name: dns.name.Name) -> dns.name.Name | None:
        """The $ORIGIN that a name outside the zone is below; none where it is the root, from which names are whole."""
        origin = self.tokenizer.origin()
        return origin if origin and origin != dns.name.root and name.is_subdomain(origin) else None

    def _ttl_that_counts(self, spelled: str, kind: tuple[str, int], ttl: int, is_generated: bool) -> int:
        if is_generated:  # BIND puts it into the zone at once, and a run with that name at its end
            return self._run.get(kind, ttl) if spelled.lower() == self._owner_of_run.lower() else ttl
        if spelled != self._owner_of_run:  # to BIND, another case ends a run
            self._owner_of_run, self._run = spelled, {}
        self.ttl_of_line = self._run.setdefault(kind, ttl)
        return self.ttl_of_line

    def warn(self) -> None:
        """Once all is read, say what of it is left out, and which TTLs."""
        if not self.count:
            self.warnings.append(f"{self.place} holds no records")
        if count := self.signing.total():
            types = ", ".join(f"{number} {rdtype}" for rdtype, number in sorted(self.signing.items()))
            records = "1 record" if count == 1 else f"{count} records"
            self.warnings.append(
                f"{records} of {self.place} left out ({types}): what signs a zone is made by whoever signs it, and "
                "fits no other SOA"
            )
        self._warn_of_ttls()
        self.warnings += self.exported.told(self.place)

    def replace_automatic_ttls(self, ttl: int) -> None:
        """Give the sets whose TTL is Cloudflare's for automatic this one (seconds), and say so."""
        automatic = [found for found in self.record_sets.values() if found.ttl == AUTOMATIC_TTL]
        is_meant = self.exported.is_of_cloudflare or len(automatic) == len(self.record_sets)
        if not automatic or not is_meant or ttl == AUTOMATIC_TTL:
            return
        for found in automatic:
            found.ttl = ttl
        which = "all TTLs are" if len(automatic) == len(self.record_sets) else f"{len(automatic)} TTLs are"
        self.warnings.append(
            f"in {self.place} {which} {AUTOMATIC_TTL}, which stands for automatic where Cloudflare exports it: {ttl} "
            "counts in its place, so set ttl where another is meant"
        )

    def _warn_of_ttls(self) -> None:
        """Of no more sets than anybody reads."""
        several = [(key, self._ttls[key]) for key in self.record_sets if key in self._ttls] if self._ttls else []
        for (owner, rdtype), ttls in several[:SHOWN_CLAUSES]:
            counts = self.record_sets[owner, rdtype].ttl
            where, *more = (where for where, ttl in ttls.items() if ttl != counts)
            counting = next(counting for counting, ttl in ttls.items() if ttl == counts)
            line, *lines = (f"line {one.line}" if one.place == where.place else str(one) for one in (counting, *more))
            nor = f", nor that of {some_names(lines, _SHOWN_LINES)}" if lines else ""
            self.warnings.append(
                f"{where}, {printable_part(f'{owner} {rdtype}')}: a set has one TTL (RFC 2181, section 5.2), so the "
                f"{counts} of {line} counts and not {ttls[where]}{nor}"
            )
        if (others := len(several) - SHOWN_CLAUSES) > 0:
            self.warnings.append(f"{others} more {'set' if others == 1 else 'sets'} of {self.place} have several TTLs")
