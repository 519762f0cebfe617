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
from ansible_collections.zonesmith.dns.plugins.module_utils._run.desired import listed_sets
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import (
    InvalidOptions,
    check_ranges,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import (
    InvalidZoneFile,
)

ZONE = "example.com."
FILE = "www A 192.0.2.1\n\nftp 60 A 192.0.2.2\n"


def listed(limits=UNLIMITED, warnings=None, **options):
    """The sets of example.com that these options list."""
    arguments = {"src": None, "records": None, "ttl": None, "_files": None, **options}
    return listed_sets(arguments, ZONE, limits, [] if warnings is None else warnings)


CONCURRENCY = "concurrency is {!r}, but must be auto or 1 to 64"
TTL = (
    "ttl is {}, but takes seconds, 0 to 2147483647, or the form of zone files, such as 5m or 1h30m"
)
TIMEOUT = f"timeout is {{}}, but must be above 0 and at most {LONGEST_TIMEOUT} seconds"
LOCK_TIMEOUT = f"lock_timeout is {{}}, but must be from 0 to {LONGEST_TIMEOUT} seconds"


@pytest.mark.parametrize(
    "option, message, possible, impossible",
    [
        ("concurrency", CONCURRENCY, (1, "64", " 8 ", "auto"), ("0", "65", "many", "", "8.5")),
        ("ttl", TTL, (0, 2147483647), (-1, 2**31, "4000w", "1x")),
        ("timeout", TIMEOUT, (5e-324, LONGEST_TIMEOUT), (0.0, LONGEST_TIMEOUT + 1, float("nan"))),
        ("wait_timeout", f"wait_{TIMEOUT}", (0.25,), (0.0,)),
        ("lock_timeout", LOCK_TIMEOUT, (0.0, LONGEST_TIMEOUT), (-0.5, LONGEST_TIMEOUT + 1)),
    ],
)
def test_which_numbers_an_option_can_be(option, message, possible, impossible):
    for number in possible:
        check_ranges({option: number})
    for number in impossible:
        with pytest.raises((InvalidOptions, InvalidConnection, InvalidRdata)) as refused:
            check_ranges({option: number})
        assert str(refused.value) == message.format(number)


@pytest.mark.parametrize(
    "options, message",
    [
        ({}, "set either records or src, but neither is given"),
        ({"src": "a.zone", "records": []}, "set either records or src, but both are given"),
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


def test_the_lines_of_a_file_are_sets():
    sets = listed(src="a.zone", _files={"a.zone": {"text": FILE}}, ttl=90)
    assert [(one.name, one.ttl) for one in sets] == [
        ("www.example.com.", 90),
        ("ftp.example.com.", 60),
    ]


def test_doubts_about_a_line_are_told_with_the_file():
    warnings = []
    text = "$TTL 60\nwww A 192.0.2.1\nwww 90 A 192.0.2.2\n"
    (www,) = listed(warnings=warnings, src="a\x1b.zone", _files={"a\x1b.zone": {"text": text}})
    assert www.values == ("192.0.2.1", "192.0.2.2")
    assert [r"a\x1b.zone" in warning for warning in warnings] == [True]


def test_what_is_wrong_with_a_line_names_it():
    with pytest.raises(InvalidZoneFile) as refused:
        listed(src="a\x1b.zone", _files={"a\x1b.zone": {"text": "www A 192.0.2.1\n"}})
    assert str(refused.value).startswith(
        "line 1 of a\\x1b.zone cannot be used: www A: the record has no TTL, "
    )


def test_what_is_wrong_with_a_set_of_a_file_names_its_first_line():
    text = f"$TTL 60\n{FILE}mail A 192.0.2.1\n\nmail CNAME www\n"
    with pytest.raises(RecordsRefused) as refused:
        listed(src="a\x1b.zone", _files={"a\x1b.zone": {"text": text}})
    assert str(refused.value).startswith(
        "1 of 4 entries cannot be used: line 7 of a\\x1b.zone mail.example.com. CNAME: a CNAME must be alone at its "
    )


def test_what_is_left_alone_is_not_to_be_listed():
    limits = limits_of({"ignore": [{"name": "www"}]}, [ZONE])
    with pytest.raises(RecordsRefused) as refused:
        listed(limits, src="a.zone", _files={"a.zone": {"text": f"$TTL 60\n{FILE}"}})
    assert "line 2 of a.zone www.example.com. A: ignore matches it" in str(refused.value)
