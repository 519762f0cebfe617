# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Long texts take time in proportion to their length, wherever they come from.

Somebody who may only propose a zone file, or who has one value in a zone, must not be able to stop the runs of everybody.
"""

import json
import time
from contextlib import suppress
from functools import partial
from itertools import islice, product
from string import ascii_uppercase
from types import SimpleNamespace

import pytest
from examples import some
from one_file import read_zone_file, written_over

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import (
    Asked,
    ServiceError,
    TransientFailure,
    listed_zones,
    success_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.dialect import Dialect
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.globs import ZoneGlobs
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.input_checks import (
    checked_name,
    checked_type,
    checked_value,
    undotted_host,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import (
    InvalidName,
    name_as_read,
    owner_name,
    spellings,
    zone_name,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.option_table import checked_ttl
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import InvalidRdata
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._findings.findings import findings
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import (
    can_match,
    globs_of,
    matches,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import (
    InvalidZoneFile,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_text import (
    pretty_zone_file,
)

ZONE = "example.com."
SHORT, LONG, *LONGER = 2_000, 8_000, 32_000, 128_000, 256_000
"""Characters."""
MOST_SECONDS = 2.0
"""Of the processor. A text that takes less is not looked at."""
MOST_GROWTH = 8
"""How much longer a long text may take than a short one, which has a quarter of its length."""

REPEATED = (
    *";()\"\\.09$@/:-<>'{[]*?=%#a_|",
    " ",
    "\n",
    "\r\n",
    "\u00a0",
    "\u00e4",
    '"" ',
    "\\;",
    "\\046",
    "a ",
    "a.",
    "1:",
    'a="b" ',
    "k=,",
    "{{",
    "['",
    "[!",
    "*a",
    "%{i}",
    "-\n",
    "/*",
    "a:\n",
    "a\n;",
    "<a ",
)
ENDS = ("", "!\n")
VALUES = (
    "A ",
    "AAAA ",
    "ALIAS ",
    'CAA 0 issue "ca; a=',
    "DS 1 13 2 ",
    'HTTPS 1 . key7="',
    "LOC ",
    "MX 10 ",
    'NAPTR 10 10 "',
    'TXT "',
    "TXT v=spf1 ",
    "TXT v=DMARC1; ",
    "TXT v=DKIM1; p=",
)
"""Types, and words that a long text in a value follows: one of each form."""
DIRECTIVES = ("$ORIGIN ", "$TTL ", "$INCLUDE ", "$GENERATE ", "$GENERATE 1-2 a A ", "$X")


def read(text):
    """Read a zone file, whose lines may be refused."""
    with suppress(InvalidZoneFile):
        read_zone_file(text, ZONE)


def edit(text, content):
    """Edit a zone file so that www has this value."""
    with suppress(InvalidZoneFile):
        written_over(text, ZONE, [{"name": "www", "type": "TXT", "content": content}])


def take(rdtype, value):
    """Take a value as an option, and as the service may show it."""
    for is_new in (True, False):
        with suppress(InvalidRdata):
            checked_value(rdtype, value, ZONE, is_new=is_new)
    undotted_host(rdtype, value, ZONE)
    shown = RecordSet(f"www.{ZONE}", rdtype, 300, (value,))
    held = Dialect().read_set(shown, ZONE)
    findings({held.key: held}, ZONE)
    with suppress(InvalidZoneFile):
        pretty_zone_file([shown.as_result()], ZONE)


def name(text):
    """Take a name as an option, and as the service may show it."""
    for taken in (checked_name, owner_name):
        with suppress(InvalidName):
            taken(text, ZONE)
    with suppress(InvalidName):
        zone_name(text)
    shown = RecordSet(name_as_read(text), "A", 300, ("192.0.2.1",))
    spellings(shown.name, ZONE)
    for one in (shown, RecordSet(f"www.{ZONE}", "CNAME", 300, (text,))):
        findings({one.key: one}, ZONE)
    with suppress(InvalidZoneFile):
        pretty_zone_file([shown.as_result()], ZONE)


def glob(text):
    """Match a glob with an ordinary zone, and an ordinary glob with a long value."""
    ZoneGlobs([text]).match("example.com")
    row = RecordSet(f"www.{ZONE}", "TXT", 300, ('"v=spf1 -all"',))
    long = RecordSet(f"www.{ZONE}", "TXT", 300, (text,))
    for part in ("name", "type", "value"):
        globs = globs_of([{part: text}])
        can_match(globs[0], ZONE)
        matches(globs, row, ZONE)
    matches(globs_of([{"value": "v=spf1*include:*-all"}]), long, ZONE)


def answer(body, status, **headers):
    """Read an answer of the service."""
    response = SimpleNamespace(status_code=status, headers=headers)
    asked = Asked("GET", "https://dns.example/api", "/zones")
    with suppress(ServiceError, TransientFailure):
        envelope = success_of(response, body, "the-token", asked).envelope
        listed_zones(envelope)


def answers(text):
    """Read a long text wherever an answer may have it."""
    raw = text.encode()
    for status in (200, 400, 503):
        answer(raw, status)
        answer(b"<html>" + raw, status)
        answer(json.dumps({"status": text, "message": text, "errors": [text]}).encode(), status)
    answer(b"", 302, Location=text)
    answer(b"", 503, **{"Retry-After": text})
    row = {"name": text, "slug": text, "status": text}
    answer(json.dumps({"status": "Success", "data": [row]}).encode(), 200)


def refused(take, text):
    """Take an option, which may be refused."""
    with suppress(InvalidRdata):
        take(text)


def after(words, text):
    """Read a long text after other words of its line."""
    read(f"{words}{text}")


def value(words, text):
    """Take a value as an option, and from a file."""
    rdtype, _blank, begun = words.partition(" ")
    take(rdtype, f"{begun}{text}")
    read(f"www 300 IN {words}{text}")


PLACES = {
    "a file": read,
    "lines after a record": partial(after, "www 300 IN A 192.0.2.1\n"),
    "lines before a record": lambda text: read(f"{text}\nwww 300 IN A 192.0.2.1"),
    "an indented line": partial(after, "www 300 IN A 192.0.2.1\n  "),
    "a comment": partial(after, "; "),
    "an owner name": lambda text: read(f"{text} 300 IN A 192.0.2.1"),
    "a type in a file": lambda text: read(f"www 300 IN {text} x"),
    "parentheses": lambda text: read(f"www 300 IN TXT ( {text} )"),
    **{f"after {directive}": partial(after, directive) for directive in DIRECTIVES},
    "a text to be edited": lambda text: edit(f"{text}\nwww 300 IN TXT a", "b"),
    "a line to be edited": lambda text: edit(f"www 300 IN TXT {text} ; {text}", "b"),
    "a new line of a file": lambda text: edit("www 300 IN TXT a", text),
    "a TTL": partial(refused, checked_ttl),
    "a type": partial(refused, checked_type),
    "a name": name,
    "a glob": glob,
    "an answer": answers,
    **{f"the value {words}": partial(value, words) for words in VALUES},
}


def seconds(place, characters, repeated, end):
    """Return the time of the processor that a text takes."""
    text = repeated * (characters // len(repeated)) + end
    start = time.process_time()
    PLACES[place](text)
    return time.process_time() - start


def is_slow(place, repeated, end):
    """Whether the longest text takes too long. Only what seems to grow with the square is tried with longer ones."""
    of_short, of_long = (seconds(place, length, repeated, end) for length in (SHORT, LONG))
    if of_long <= MOST_GROWTH * of_short:
        return False
    before = of_long
    for length in LONGER:  # each at most four times as long as the one before it
        of_this = seconds(place, length, repeated, end)
        if of_this > MOST_SECONDS and of_this > MOST_GROWTH * before:
            return True
        before = of_this
    return False


@pytest.mark.parametrize("place", PLACES)
def test_a_long_text_takes_time_in_proportion_to_its_length(place):
    """In the gates, each place has others of the texts, the semicolon among them."""
    every = len(REPEATED) // some(len(REPEATED))
    first = [*PLACES].index(place) % every
    slow = []
    for repeated in (";", *REPEATED[first::every]):
        slow += [(repeated, end) for end in ENDS if is_slow(place, repeated, end)]
    assert slow == []


def edit_values(count):
    """Edit a set of many values in place."""
    held = "".join(f'www 300 IN TXT "v{n}"\n' for n in range(count))
    desired = [f"w{n}" for n in range(count)]
    written_over(held, ZONE, [{"name": "www", "type": "TXT", "ttl": 300, "content": desired}])


LISTS = {
    "values of one set that all change": edit_values,
    "unknown types": lambda count: read(
        "".join(f"w 300 IN {word} x\n" for word in islice(words(), count))
    ),
    "files to include": lambda count: read("".join(f"$INCLUDE {n}\n" for n in range(count))),
}


def words():
    """Yield words of letters that are no types."""
    return (f"X{''.join(letters)}" for letters in product(ascii_uppercase, repeat=4))


@pytest.mark.parametrize("kind", LISTS)
def test_many_lines_take_time_in_proportion_to_their_number(kind):
    start = time.process_time()
    LISTS[kind](1_000)
    of_few = time.process_time() - start
    LISTS[kind](4_000)
    of_many = time.process_time() - start - of_few
    assert of_many <= max(MOST_GROWTH * of_few, MOST_SECONDS)
