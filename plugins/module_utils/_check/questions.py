# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The questions that the check asks with a write: what is sent, and what each outcome means.

Each question has a name of its own below CHECK. Its outcome is one word, which ``outcome_of``
takes from what the service shows, and MEANINGS says which option or habit that is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .._dns.dialect import PLAIN, Comparison, Dialect
from .._dns.names import owner_name
from .._dns.rdata import canonical, record_type, txt_value
from .._dns.record_set import Key, RecordSet, same_values
from .._dns.sending import goes_in_quotes, sending_form

CHECK = "_zonesmith-check"
"""The owner name, relative to the zone, at and below which the check writes."""

MARK = "zonesmith-check"
"""The TXT value at CHECK for as long as the check has records in the zone."""

TTL = 300

AS_SENT = "as sent"
LEARNED = "learned"
NO_PREFERENCE = "no preference"
OWN_TTL = "own TTL"
CUT = "cut"
KEEPS_QUOTES = "keeps quotes"
ALTERED = "altered"
REFUSED = "refused"
FAILED = "failed"
UNSEEN = "unseen"

REPORT = "nobody has seen that: please report it"
NO_HABIT = "no habit"
SAYS_NOTHING = "a failure, which says nothing of this: run the check again"


@dataclass(frozen=True)
class Value:
    """One value as a POST has it."""

    type: str
    content: str
    ttl: int = TTL
    priority: int | None = None


@dataclass(frozen=True)
class Question:
    """*sends* are values for one name. The last is in question; without any, it is a DELETE."""

    text: str
    label: str
    kind: str
    sends: tuple[Value, ...]

    @property
    def name(self) -> str:
        """Relative to the zone, as a POST takes it."""
        return f"{self.label}.{CHECK}"

    def key(self, zone: str) -> Key:
        """The set in question."""
        rdtype = self.sends[-1].type if self.sends else "A"
        return Key(owner_name(self.name, zone), record_type(rdtype))

    def sent_set(self, zone: str) -> RecordSet:
        """The set in question as it was sent, in our own words."""
        key = self.key(zone)
        last = self.sends[-1]
        values: dict[str, None] = {}
        for value in self.sends:
            if value.type == last.type:
                values[canonical(key.type, value.content, zone, value.priority)] = None
        return RecordSet(*key, last.ttl, tuple(values))

    def means(self, outcome: str) -> str:
        """Which option or habit an outcome is."""
        default = MEANINGS.get(("", outcome), REPORT)
        return MEANINGS.get((self.kind, outcome), default)


ADDRESS = Value("A", "192.0.2.1")
DIGEST = "8d02536c887482bc34ff54e41d2ba659bf85b341a0a20afadb5813dcfbcf286d"

FORMS = ("plain", "quoted")
"""Forms of TXT values, which are options, and kinds of questions."""

TTLS = (0, 1, 30, 60, 300, 86400, 2147483647)

TEXTS = (
    ("a word", "word"),
    ("quotes", 'say "yes"'),
    ("a backslash", "back\\slash"),
    ("a semicolon", "k=1; p=2"),
    ("blanks at both ends", " blanks "),
    ("UTF-8", "grün"),
    ("255 bytes", 255 * "x"),
    ("256 bytes", 256 * "x"),
    ("600 bytes", 600 * "x"),
)

TYPES = (
    ADDRESS,
    Value("AAAA", "2001:db8::1"),
    Value("ALIAS", "Host.Example.NET."),
    Value("CAA", '0 issue "ca.example.net"'),
    Value("CNAME", "Host.Example.NET."),
    Value("DS", f"12345 13 2 {DIGEST}"),
    Value("HTTPS", "1 . alpn=h2"),
    Value("LOC", "52 22 23.000 N 4 53 32.000 E -2.00m 1.00m 10000.00m 10.00m"),
    Value("MX", "Host.Example.NET.", priority=10),
    Value("NAPTR", '100 10 "u" "E2U+sip" "!^.*$!sip:info@example.com!" .'),
    Value("NS", "Host.Example.NET."),
    Value("PTR", "Host.Example.NET."),
    Value("SMIMEA", f"3 0 1 {DIGEST}"),
    Value("SRV", "0 5 5060 Host.Example.NET."),
    Value("SSHFP", f"4 2 {DIGEST}"),
    Value("SVCB", "1 . alpn=h2"),
    Value("TLSA", f"3 1 1 {DIGEST}"),
    Value("TYPE65", "1 . alpn=h2"),
    Value("TYPE65300", "\\# 3 010203"),
    Value("URI", '10 1 "https://example.net/"'),
)

NAMES = (
    ("an underscore", "_underscore"),
    ("a wildcard", "*"),
    ("an escaped asterisk, \\*", "\\*.escaped"),
    ("an A-label", "xn--bcher-kva"),
    ("63 octets", 63 * "n"),
    ("upper case", "UPPER"),
)

SPECIAL = (
    Question(
        "What does POST answer to a value that is there?", "again", "again", (ADDRESS, ADDRESS)
    ),
    Question("What does DELETE answer where there is no such set?", "nothing", "nothing", ()),
    Question(
        "What does a second value with another TTL do to its set?",
        "second",
        "second",
        (ADDRESS, Value("A", "192.0.2.2", 2 * TTL)),
    ),
    Question(
        "Is a CNAME taken beside an A?",
        "beside",
        "beside",
        (ADDRESS, Value("CNAME", "host.example.net.")),
    ),
    Question(
        "How is a TXT with two strings shown that is sent quoted?",
        "strings",
        "quoted",
        (Value("TXT", '"one" "two"'),),
    ),
)


def _of_texts() -> Iterator[Question]:
    """Each text in both forms; in one where tasks never send it plain."""
    for number, (what, text) in enumerate(TEXTS):
        value = canonical("TXT", text, "")
        for form in FORMS:
            if form == "plain" and goes_in_quotes(value):
                continue
            content, _priority = sending_form("TXT", value, quoted=form == "quoted")
            asked = f"How is a TXT with {what} shown that is sent {form}?"
            yield Question(asked, f"{form}-{number}", form, (Value("TXT", content),))


def questions() -> tuple[Question, ...]:
    """All of them, in the order in which they are asked."""
    found = [*SPECIAL, *_of_texts()]
    for ttl in TTLS:
        address = Value("A", "192.0.2.1", ttl)
        found.append(Question(f"What is kept of the TTL {ttl}?", f"ttl-{ttl}", "ttl", (address,)))
    for value in TYPES:
        asked = f"Is the type {value.type} taken, and how is it shown?"
        found.append(Question(asked, f"type-{value.type.lower()}", "type", (value,)))
    for what, label in NAMES:
        found.append(Question(f"Is a name with {what} taken?", label, "name", (ADDRESS,)))
    return tuple(found)


MEANINGS = {
    ("", AS_SENT): NO_HABIT,
    ("", FAILED): SAYS_NOTHING,
    ("", LEARNED): "habit: values of this type come back spelled otherwise; tasks learn how",
    ("again", REFUSED): "habit: it refuses what is there; tasks read the zone, and go on",
    (
        "nothing",
        REFUSED,
    ): "habit: it refuses to delete what is gone; tasks read the zone, and go on",
    ("second", REFUSED): "no habit: tasks send one TTL for a set",
    ("beside", REFUSED): "no habit: tasks refuse that too",
    ("beside", UNSEEN): "no habit: tasks refuse that themselves",
    ("ttl", OWN_TTL): "habit: it keeps TTLs of its own; tasks warn once, and remember it",
    ("ttl", REFUSED): "tasks fail with this ttl: choose another",
    (
        "plain",
        CUT,
    ): "habit: it reads text without quotes as zone files do; txt_format as recommended",
    ("plain", REFUSED): "habit: it refuses text without quotes; txt_format as recommended",
    ("quoted", KEEPS_QUOTES): "habit: quotes become part of the text; txt_format as recommended",
    ("quoted", REFUSED): "habit: it refuses text in quotes; txt_format as recommended",
    (
        "type",
        NO_PREFERENCE,
    ): "habit: MX hosts are shown without preference; state_dir keeps what was sent",
    ("type", REFUSED): "tasks fail with this type here",
    ("name", REFUSED): "tasks fail with such a name here",
}
"""By kind and outcome; without a kind, for all others."""


def outcome_of(question: Question, shown: RecordSet | None, zone: str) -> str:
    """What became of a set that the service accepted, by the rules that tasks learn by."""
    if shown is None:
        return UNSEEN
    sent = question.sent_set(zone)
    read = PLAIN.read_set(shown, zone)
    learnt = PLAIN.learnt([Comparison(read, sent)])
    for made, text in learnt.altered_in(sent.key, sent.values).items():
        return KEEPS_QUOTES if Dialect.form_of(made, text) == "quoted" else CUT
    if sent.key in learnt.words:
        return NO_PREFERENCE if sent.type == "MX" else LEARNED
    if not same_values(read, sent):
        with_quotes = txt_value(question.sends[-1].content.encode())
        if read.values == (with_quotes,):
            return KEEPS_QUOTES
        return ALTERED
    if question.kind == "ttl" and shown.ttl != sent.ttl:
        return OWN_TTL
    return AS_SENT


def recommended(outcomes: Mapping[Question, str]) -> dict[str, str]:
    """The options that should not be as they are by default."""
    fit = {*FORMS}
    for question, outcome in outcomes.items():
        if outcome not in (AS_SENT, FAILED):
            fit.discard(question.kind)
    if len(fit) != 1:
        return {}
    return {"txt_format": fit.pop()}
