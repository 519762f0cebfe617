# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a task lists of a zone, as entries or as a file, and which numbers its options can be."""

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import (
    InvalidConnection,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidInput
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.option_table import LONGEST_TIMEOUT
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import InvalidRdata
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import (
    UNLIMITED,
    limits_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.records import RecordsRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._run.desired import (
    listed_sets,
    unusable,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import (
    InvalidOptions,
    check_ranges,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import (
    InvalidZoneFile,
)

ZONE = "example.com."
WWW = {"name": "www", "type": "A", "content": ["192.0.2.1"], "state": "present"}
FILE = "www A 192.0.2.1\n\nftp 60 A 192.0.2.2\n"


def listed(limits=UNLIMITED, warnings=None, **options):
    """The sets of example.com that these options list."""
    arguments = {"src": None, "records": None, "ttl": None, "_files": None, **options}
    return listed_sets(arguments, ZONE, limits, [] if warnings is None else warnings)


def short(desired):
    """The sets as owner, TTL, values and whether others stay."""
    return [
        (one.name.removesuffix(f".{ZONE}"), one.ttl, one.values, one.keeps_others)
        for one in desired
    ]


@pytest.mark.parametrize(
    "option, numbers",
    [
        ("concurrency", (1, 2, 64, "1", " 8 ", "auto")),
        ("ttl", (0, 1, 2147483647)),
        ("timeout", (5e-324, 0.25, LONGEST_TIMEOUT)),
        ("wait_timeout", (5e-324, 0.25, LONGEST_TIMEOUT)),
        ("lock_timeout", (0.0, 600.0, LONGEST_TIMEOUT)),
    ],
)
def test_numbers_that_an_option_can_be(option, numbers):
    for number in numbers:
        check_ranges({option: number})


@pytest.mark.parametrize(
    "options, message",
    [
        ({"concurrency": 0}, "concurrency is '0', but must be auto or 1 to 64"),
        ({"concurrency": 65}, "concurrency is '65', but must be auto or 1 to 64"),
        ({"concurrency": "-8"}, "concurrency is '-8', but must be auto or 1 to 64"),
        ({"concurrency": "many"}, "concurrency is 'many', but must be auto or 1 to 64"),
        ({"concurrency": "Auto"}, "concurrency is 'Auto', but must be auto or 1 to 64"),
        ({"concurrency": ""}, "concurrency is '', but must be auto or 1 to 64"),
        ({"concurrency": "8.5"}, "concurrency is '8.5', but must be auto or 1 to 64"),
        (
            {"ttl": -1},
            "ttl is -1, but takes seconds, 0 to 2147483647, or the form of zone files, such as 5m or 1h30m",
        ),
        (
            {"ttl": 2**31},
            "ttl is 2147483648, but takes seconds, 0 to 2147483647, or the form of zone files, such as 5m or 1h30m",
        ),
        (
            {"ttl": "4000w"},
            "ttl is 4000w, but takes seconds, 0 to 2147483647, or the form of zone files, such as 5m or 1h30m",
        ),
        *(
            (
                {option: seconds},
                f"{option} is {seconds}, but must be above 0 and at most {LONGEST_TIMEOUT} seconds",
            )
            for option in ("timeout", "wait_timeout")
            for seconds in (0.0, -1.0, LONGEST_TIMEOUT + 1, float("inf"), float("nan"))
        ),
        *(
            (
                {"lock_timeout": seconds},
                f"lock_timeout is {seconds}, but must be from 0 to {LONGEST_TIMEOUT} seconds",
            )
            for seconds in (-0.5, LONGEST_TIMEOUT + 1, float("inf"), float("nan"))
        ),
        (
            {"ttl": "1x"},
            "ttl is 1x, but takes seconds, 0 to 2147483647, or the form of zone files, such as 5m or 1h30m",
        ),
    ],
)
def test_numbers_that_an_option_cannot_be(options, message):
    with pytest.raises((InvalidOptions, InvalidConnection, InvalidRdata)) as refused:
        check_ranges(options)
    assert str(refused.value) == message


GLOBS = {"ignore": [{"name": "www.other.example."}], "protect": [{"name": "ftp.other.example."}]}


@pytest.mark.parametrize("option", ["ignore", "protect"])
def test_a_glob_that_can_match_nothing_is_wrong_for_the_zone(option):
    with pytest.raises(InvalidInput) as refused:
        limits_of({option: GLOBS[option]}, [ZONE])
    (glob,) = GLOBS[option]
    assert str(refused.value) == (
        f"{option} names '{glob['name']}', which can match nothing in the zone example.com."
    )
    others = {"ignore", "protect"} - {option}
    assert limits_of({option: GLOBS[option]}, [ZONE], others), (
        "what is said of all zones need not be of this one"
    )


@pytest.mark.parametrize("src, message", [("a.zone", "src a.zone cannot be used: it is gone")])
def test_what_is_said_of_a_source_that_cannot_be_used(src, message):
    error = unusable(src, "it is gone")
    assert (type(error), str(error)) == (InvalidInput, message)


@pytest.mark.parametrize(
    "options, message",
    [
        ({}, "set either records or src, but neither is given"),
        ({"src": "a.zone", "records": []}, "set either records or src, but both are given"),
        (
            {"src": "a.zone", "_files": {"a.zone": {"reason": "it is gone"}}},
            "src a.zone cannot be used: it is gone",
        ),
        (
            {
                "src": "z",
                "_files": {"z": {"reason": "it is a folder", "hint": ": dns_zones takes one"}},
            },
            "src z cannot be used: it is a folder: dns_zones takes one",
        ),
    ],
)
def test_what_lists_nothing(options, message):
    with pytest.raises(InvalidInput) as refused:
        listed(**options)
    assert str(refused.value) == message


def test_entries_are_sets():
    assert short(listed(records=[WWW, {**WWW, "name": "ftp", "ttl": 60}], ttl=90)) == [
        ("www", 90, ("192.0.2.1",), False),
        ("ftp", 60, ("192.0.2.1",), False),
    ]
    assert listed(records=[]) == []


def test_the_lines_of_a_file_are_sets():
    assert short(listed(src="a.zone", _files={"a.zone": {"text": FILE}}, ttl=90)) == [
        ("www", 90, ("192.0.2.1",), False),
        ("ftp", 60, ("192.0.2.2",), False),
    ]


def test_doubts_about_a_line_are_told_with_the_file():
    warnings = []
    text = "$TTL 60\nwww A 192.0.2.1\nwww 90 A 192.0.2.2\n"
    (www,) = listed(warnings=warnings, src="a\x1b.zone", _files={"a\x1b.zone": {"text": text}})
    assert www.values == ("192.0.2.1", "192.0.2.2")
    assert [r"a\x1b.zone" in warning for warning in warnings] == [True]


@pytest.mark.parametrize(
    "text, message",
    [
        (
            "www A 192.0.2.300\n",
            "line 1 of a\\x1b.zone cannot be used: www A: '192.0.2.300' is not a value of type A: ",
        ),
        (
            "www A 192.0.2.1\n",
            "line 1 of a\\x1b.zone cannot be used: www A: the record has no TTL, ",
        ),
    ],
)
def test_what_is_wrong_with_a_line_names_it(text, message):
    with pytest.raises(InvalidZoneFile) as refused:
        listed(src="a\x1b.zone", _files={"a\x1b.zone": {"text": text}})
    assert str(refused.value).startswith(message)


def test_what_is_wrong_with_a_set_of_a_file_names_its_first_line():
    text = f"$TTL 60\n{FILE}mail A 192.0.2.1\n\nmail CNAME www\n"
    with pytest.raises(RecordsRefused) as refused:
        listed(src="a\x1b.zone", _files={"a\x1b.zone": {"text": text}})
    assert str(refused.value).startswith(
        "1 of 4 entries cannot be used: line 7 of a\\x1b.zone mail.example.com. CNAME: a CNAME must be alone at its "
    )


@pytest.mark.parametrize(
    "options, place",
    [
        ({"records": [WWW]}, "records[0] www A"),
        (
            {"src": "a.zone", "_files": {"a.zone": {"text": f"$TTL 60\n{FILE}"}}},
            "line 2 of a.zone www.example.com. A",
        ),
    ],
)
def test_what_is_left_alone_is_not_to_be_listed(options, place):
    limits = limits_of({"ignore": [{"name": "www"}]}, [ZONE])
    with pytest.raises(RecordsRefused) as refused:
        listed(limits, **options)
    assert f"{place}: ignore matches it, so the task cannot change it" in str(refused.value)
