# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The border alone: what a service shows, what was sent, and what is read then."""

from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.dialect import (
    PLAIN,
    Comparison,
    Dialect,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet

ZONE = "example.com."
DKIM, CUT, KEPT = '"v=DKIM1; k=rsa"', '"v=DKIM1"', r'"\"v=DKIM1; k=rsa\""'
BLANK = '" lead"'  # goes in quotes in either form


def one(rdtype, values, ttl=300):
    return RecordSet(ZONE, rdtype, ttl, tuple(values)) if values else None


def compared(rdtype, shown, sent, old):
    there = one(rdtype, shown)
    return Comparison(PLAIN.read_set(there, ZONE) if there else None, one(rdtype, sent), old)


CASES = {
    # type, sent before, sent then, shown then -> read then, altered
    "as sent": ("A", [], ["192.0.2.1"], ["192.0.2.1"], ["192.0.2.1"], {}),
    "one value twice": ("A", [], ["192.0.2.1"], ["192.0.2.1", "192.0.2.1"], ["192.0.2.1"], {}),
    "a host alone": ("MX", [], ["10 a."], ["a."], ["10 a."], {}),
    "a host alone with two preferences": (
        "MX",
        [],
        ["10 a.", "20 a."],
        ["a."],
        ["10 a.", "20 a."],
        {},
    ),
    "a second preference": ("MX", ["10 a."], ["10 a.", "20 a."], ["a."], ["10 a.", "20 a."], {}),
    "one of another": ("MX", [], ["10 a."], ["a.", "b."], ["10 a.", "b."], {}),
    "another spelling": ("URL", [], ["https://A.b"], ["https://a.b"], ["https://A.b"], {}),
    "a host with another preference": ("MX", [], ["10 a."], ["20 a."], ["20 a."], {}),
    "what another one is spelled like": (
        "URL",
        [],
        ["https://A.b", "https://a.b"],
        ["https://a.b"],
        ["https://a.b"],
        {},
    ),
    "and then that one alone": (
        "URL",
        ["https://A.b"],
        ["https://a.b"],
        ["https://a.b"],
        ["https://a.b"],
        {},
    ),
    "an altered text": (
        "TXT",
        [],
        ['"v=DKIM1; k=rsa"'],
        ['"v=DKIM1"'],
        ['"v=DKIM1"'],
        {'"v=DKIM1"': '"v=DKIM1; k=rsa"'},
    ),
    "a text with its quotes": (
        "TXT",
        [],
        ['"a b"'],
        [r'"\"a b\""'],
        [r'"\"a b\""'],
        {r'"\"a b\""': '"a b"'},
    ),
    "of somebody else": ("TXT", [], ['"a b"'], ['"x"'], ['"x"'], {}),
    "somebody's text beside it": ("TXT", [], [DKIM], [CUT, DKIM], [CUT, DKIM], {}),
    "what it is altered to, sent too": ("TXT", [], [DKIM, CUT], [CUT], [CUT], {}),
    "the same letters in another order": ("URL", [], ["a://a.b"], ["a://b.a"], ["a://b.a"], {}),
    "an address of the same digits": ("A", [], ["192.0.2.12"], ["192.0.2.21"], ["192.0.2.21"], {}),
}


@named_rows("rdtype, before, sent, shown, read, altered", CASES)
def test_what_is_read(
    rdtype,
    before,
    sent,
    shown,
    read,
    altered,
):
    then = [value.lower().rpartition(" ")[2] for value in before]
    first = Dialect().learnt([compared(rdtype, then, before, [])])
    dialect = first.learnt([compared(rdtype, shown, sent, [])])
    there = one(rdtype, shown)
    assert there
    assert sorted(dialect.read_set(there, ZONE).values) == sorted(read)
    assert dialect.altered == ({Key(ZONE, rdtype): altered} if altered else {})
    assert dialect.learnt([compared(rdtype, shown, sent, [])]) == dialect, "known is no news"


OLD = {
    # type, sent, shown, its old values, which it may hold in any spelling -> read
    "the altered text was there before": ("TXT", [DKIM], [CUT], [CUT], [CUT]),
    "the spelling was there before": ("URL", ["A://b"], ["a://b"], ["a://b"], ["a://b"]),
    "it was there in other words": ("URL", ["A://b"], ["a://b"], ["a://B"], ["a://B"]),
}


@named_rows("rdtype, sent, shown, old, read", OLD)
def test_an_old_value_tells_nothing(rdtype, sent, shown, old, read):
    before = Dialect().learnt([compared(rdtype, shown, old, [])])
    dialect = before.learnt([compared(rdtype, shown, sent, old)])
    there = one(rdtype, shown)
    assert there
    assert sorted(dialect.read_set(there, ZONE).values) == sorted(read)
    assert dialect.altered == before.altered


def test_an_older_copy_of_a_text_hides_nothing_of_what_was_made_of_it():
    dialect = Dialect().learnt([compared("TXT", [CUT, DKIM], [DKIM], [DKIM])])
    assert dialect.altered == {Key(ZONE, "TXT"): {CUT: DKIM}}


WHILE_WRITTEN = {
    "a mail host alone": ("MX", "10 a.", "a.", "10 a."),
    "another value": ("URL", "ABC", "abc", "abc"),
}


@named_rows("rdtype, sent, shown, read", WHILE_WRITTEN)
def test_what_is_read_while_it_is_written(rdtype, sent, shown, read):
    dialect = Dialect().with_hosts_of({Key(ZONE, rdtype): (None, one(rdtype, [sent]))})
    assert dialect.read_set(one(rdtype, [shown]), ZONE).values == (read,)


def test_an_altered_text_is_of_a_set_to_which_it_was_not_sent_itself():
    key = Key(ZONE, "TXT")
    dialect = Dialect(altered={key: {CUT: DKIM}})
    found = [dialect.altered_in(key, sent) for sent in ([DKIM], [DKIM, CUT], [])]
    assert found == [{CUT: DKIM}, {}, {}]


def test_a_ttl_that_is_clamped_for_one_set():
    key, other = Key("a.example.com.", "A"), Key("b.example.com.", "A")
    dialect = Dialect(ttls={key: (60, 600)})
    held = {name: RecordSet(*name, 600, ("192.0.2.1",)) for name in (key, other)}
    asked = [dialect.asked(key, ttl, held[key]) for ttl in (60, 300, 600, 900, None)]
    assert asked == [600, 600, 600, 900, None]
    assert dialect.asked(other, 60, held[other]) == 60, "nothing is known of other sets"


def test_what_is_kept_is_shown_or_desired():
    key, text = Key(ZONE, "URL"), Key(ZONE, "TXT")
    dialect = Dialect(
        words={key: {"a://b": ("A://b",), "c://d": ("C://d",)}},
        altered={text: {CUT: DKIM, '"a"': '"a;b"'}},
        ttls={key: (60, 300)},
    )
    shown = {key: RecordSet(*key, 300, ("a://b",))}
    kept = dialect.still_needed(shown, ZONE, {text: RecordSet(*text, 300, (DKIM,))})
    assert kept.words == {key: {"a://b": ("A://b",)}}
    assert kept.altered == {text: {CUT: DKIM}}
    assert kept.ttls == {key: (60, 300)}
    assert dialect.still_needed({}, ZONE, {}) == Dialect()
