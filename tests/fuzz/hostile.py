# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a service that is broken or hostile might answer, and what a user might type."""

import json
from dataclasses import dataclass

from answers import Answer
from fuzzing import TOKEN
from hypothesis import strategies as st

ZONE = "example.com"

TRICKY_TEXTS = (
    "",
    " ",
    ".",
    "@",
    "*",
    "\x1b]0;title\x07",
    "\x00",
    "\r\n",
    "\u202egnp.exe",
    "\ud800",
    '"',
    "\\",
    "\\# 4 c0000201",
    "../../../etc/passwd",
    "%s%n{0}{{ 7 * 7 }}",
    "a" * 64,
    "a." * 130,
    "9" * 5000,
    "1e400",
    "xn--\u00e4",
    TOKEN[:4],
)
TEXTS = st.one_of(st.sampled_from(TRICKY_TEXTS), st.text(max_size=30))
NAMES = st.one_of(
    st.sampled_from(["@", "www", "*", "www.example.com.", "WWW.Example.COM", "example.net."]), TEXTS
)
TYPES = st.one_of(
    st.sampled_from(["a", "CNAME", "MX", "TXT", "SRV", "CAA", "NS", "SOA", "LOC"]),
    st.sampled_from(["DS", "HTTPS", "APL", "TYPE65280", "TYPE1", "ANY", "OPT", "ALIAS"]),
    TEXTS,
)
VALUES = st.one_of(
    st.sampled_from(
        [
            "192.0.2.1",
            "2001:db8::1",
            "10 mail.example.com.",
            "mail.example.com.",
            '"a" "b"',
            "plain text",
            "0 1 443 host",
            "1 . alpn=h2,h3 ipv4hint=192.0.2.1",
            "51 30 12.748 N 0 7 39.611 W 0.00m",
            "; comment",
            "( 192.0.2.1 )",
        ]
    ),
    TEXTS,
)
NUMBERS = st.one_of(st.integers(), st.sampled_from([-1, 0, 300, 2**31 - 1, 2**31, 2**63, 10**400]))


@dataclass(frozen=True)
class _Raw:
    """Text that stands in JSON as it is."""

    text: str


DEPTHS = st.one_of(st.sampled_from([3, 5000, 100_000]), st.integers(880, 1010))
RAW = st.one_of(
    st.sampled_from(["NaN", "1e400", "9" * 5000, '"\\ud800"', '{"a": 1, "a": 2}']),
    st.builds(lambda depth: "[" * depth + "]" * depth, DEPTHS),
    st.builds(lambda depth: '{"a":' * depth + "1" + "}" * depth, DEPTHS),
).map(_Raw)
JSON = st.one_of(
    st.recursive(
        st.one_of(st.none(), st.booleans(), NUMBERS, st.floats(), TEXTS),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)
        ),
        max_leaves=6,
    ),
    RAW,
)


def as_json(value):
    """JSON, in which raw texts stand as they are."""
    raw = []

    def plain(item):
        if isinstance(item, _Raw):
            raw.append(item.text)
            return f"@@{len(raw) - 1}@@"
        if isinstance(item, dict):
            return {key: plain(inner) for key, inner in item.items()}
        return [plain(inner) for inner in item] if isinstance(item, list) else item

    text = json.dumps(plain(value))
    for number, item in enumerate(raw):
        text = text.replace(f'"@@{number}@@"', item)
    return text.encode("utf-8", "surrogatepass")


def mostly(good, bad=JSON):
    """Nine times out of ten something good."""
    return st.integers(0, 9).flatmap(lambda number: bad if number == 9 else good)


RECORDS = st.fixed_dictionaries(
    {
        "name": mostly(
            st.sampled_from(
                ["example.com.", "www.example.com.", "a.example.com.", "www.example.com"]
            ),
            NAMES,
        ),
        "type": mostly(st.sampled_from(["A", "AAAA", "CNAME", "MX", "TXT", "NS", "ALIAS"]), TEXTS),
        "ttl": mostly(st.sampled_from([0, 300, 3600])),
        "contents": mostly(st.lists(mostly(VALUES), max_size=4)),
    }
)
APEX = {"name": "example.com.", "type": "SOA", "ttl": 3600, "contents": ["ns1. host. 1 2 3 4 5"]}


def _envelope(data):
    whole = st.fixed_dictionaries(
        {"status": mostly(st.just("Success")), "data": data, "message": TEXTS}
    )
    return mostly(whole)


ZONES = _envelope(
    mostly(
        st.fixed_dictionaries(
            {
                "records": mostly(
                    st.lists(mostly(RECORDS), max_size=6).map(lambda rows: [APEX, *rows])
                )
            }
        )
    )
)
LISTED = st.fixed_dictionaries(
    {
        "name": mostly(st.sampled_from(["example.com", "example.com.", "example.net"]), NAMES),
        "slug": mostly(st.sampled_from(["examplecom", "other"]), TEXTS),
        "status": JSON,
    }
)
LISTS = st.builds(
    lambda envelope, total: (
        {**envelope, "total": total} if isinstance(envelope, dict) else envelope
    ),
    _envelope(mostly(st.lists(mostly(LISTED), max_size=4))),
    mostly(st.integers(0, 5)),
)
ERRORS = st.fixed_dictionaries({}, optional={"status": JSON, "message": JSON, "errors": JSON})
BODIES = st.one_of(ZONES, ZONES, LISTS, ERRORS, JSON).map(as_json) | st.binary(max_size=60)

STATUSES = st.one_of(
    st.just(200),
    st.just(200),
    st.sampled_from([100, 204, 301, 401, 403, 404, 409, 422, 429, 500, 503, 599, 999]),
)
HEADER_VALUES = st.one_of(
    st.sampled_from(
        [
            "1",
            "61",
            "-1",
            "1.5",
            "9" * 5000,
            "nan",
            "Wed, 21 Oct 99999 07:28:00 GMT",
            "Wed, 21 Oct 2015 07:28:00 +999999999999",
            f"https://elsewhere.example/\x1b[2J{'a' * 5000}",
        ]
    ),
    st.text(st.characters(max_codepoint=255, exclude_characters="\r\n"), max_size=20),
)
HEADERS = st.dictionaries(
    st.sampled_from(["Retry-After", "Location", "Content-Type", "Set-Cookie", "Content-Encoding"]),
    HEADER_VALUES,
    max_size=2,
)
ANSWERS = st.lists(st.builds(Answer, STATUSES, BODIES, HEADERS), min_size=1, max_size=6)


# What name servers answer while a task waits for them: "192.0.2.1" is what many of the tasks have written.
SERVED = st.lists(
    st.one_of(
        st.just("192.0.2.1"),
        st.sampled_from(["silence", "refused", "SERVFAIL", "NXDOMAIN", ""]),
        VALUES,
    ),
    min_size=1,
    max_size=4,
)


def good_zone(*rows):
    """The zone, with these record sets."""
    return Answer(body=as_json({"status": "Success", "data": {"records": [APEX, *rows]}}))


# Lines and texts of zone files
WORDS = st.one_of(
    st.sampled_from(["www", "@", "IN", "CH", "300", "1h30m", "A", "CNAME", "SOA", "TYPE65280"]),
    st.sampled_from(["(", ")", ";", '"', "\n", "\t", "\\#", "4", "c0000201", "9" * 5000]),
    st.sampled_from(["$ORIGIN", "$TTL", "$INCLUDE", "$GENERATE", "1-3", "3-1/0", "${0,3,d}", "$$"]),
    NAMES,
    TYPES,
    VALUES,
)
LINES = st.one_of(
    st.lists(WORDS, max_size=8).map(" ".join),
    st.builds("{} {} IN {} {}".format, NAMES, NUMBERS, TYPES, VALUES),
    st.builds(
        "$GENERATE {} {} A {}".format, st.sampled_from(["1-3", "0-9/3", "5-1"]), NAMES, VALUES
    ),
)
ZONE_FILES = st.one_of(st.lists(LINES, max_size=6).map("\n".join), st.text(max_size=200))
