# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Entries inside an option, and what a module prints, whoever refuses the options."""

import sys

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._run import module
from ansible_collections.zonesmith.dns.plugins.module_utils._run.arguments import validated_records
from ansible_collections.zonesmith.dns.plugins.module_utils._state import session

RECORD = {"name": "www", "type": "A", "content": "192.0.2.1"}
PASSWORD = "p" * 12


def test_entries_are_what_ansible_makes_of_them():
    (entry,) = validated_records([{"type": "A", "value": "192.0.2.1, 192.0.2.2", "ttl": ""}])
    assert {option: value for option, value in entry.items() if value is not None} == {
        "name": "@",
        "type": "A",
        "value": ["192.0.2.1, 192.0.2.2"],
        "content": ["192.0.2.1, 192.0.2.2"],
        "exclusive": True,
        "state": "present",
    }


# What is printed


def test_what_the_action_read_is_no_option(run):
    result = run("dns_records", zone="example.com", src="z", _files="of somebody else")
    assert "src z cannot be used: its content did not arrive" in result["msg"]


@pytest.mark.parametrize(
    "options, message",
    [
        (
            {"zone": " a. ", "timeout": True},
            "Zone a: www A: timeout is the boolean true, but takes a number: ",
        ),
        ({"zone": "", "timeout": True}, "Zone '': www A: "),
        (
            {"zone": 5, "timeout": True},
            "Zone 5: www A: timeout is the boolean true, but takes a number: ",
        ),
        ({"zone": "a", "timeout": 0}, "timeout is 0.0, but must be above 0 and at most "),
        ({"zone": "a", "ttl": "long"}, "Zone a: www A: ttl is long, but takes seconds, "),
        ({"zone": "a", "nonsense": 1}, "Zone a: www A: there is no option 'nonsense'"),
    ],
)
def test_options_that_cannot_be_used_are_a_failure_like_any(run, options, message):
    result = run("dns_record", **RECORD, **options)
    assert result["msg"].startswith(message)
    failure = {"failed": True, "changed": False, "status_code": None, "changes": []}
    assert failure.items() <= result.items()


@pytest.mark.parametrize("records", ["a", [1], [None], [[]]])
def test_no_failure_shows_the_token_or_a_password(run, service, records):
    base_url = f"https://me:{PASSWORD}@dns.example.com/{service.token}"
    assert run("dns_records", zone="a", records=records, base_url=base_url)["failed"]
    result = run("dns_records", zone="a", nonsense=PASSWORD, base_url=base_url)
    assert PASSWORD not in str(result)


MISSING = [
    ("REQUESTS_MISSING", "requests", "This is required in version 2.28.1 or newer."),
    ("DNSPYTHON_MISSING", "dnspython", "This is required in version 2.6.1 or newer."),
]


@pytest.mark.parametrize("name, library, required", MISSING)
def test_a_library_that_is_missing_is_named(run, monkeypatch, name, library, required):
    monkeypatch.setattr(module, name, ImportError("No module named that"))
    result = run("dns_record", zone="a", **RECORD)
    assert result["msg"].startswith(f"Failed to import the required Python library ({library}) on ")
    assert required in result["msg"]
    assert result["msg"].endswith(
        f". To install it: {sys.executable} -m pip install 'requests>=2.28.1' 'dnspython>=2.6.1'"
    )


def test_psycopg_is_asked_for_where_there_is_a_database(run, monkeypatch):
    monkeypatch.setattr(session, "PSYCOPG_MISSING", ImportError("No module named psycopg"))
    assert "failed" not in run("dns_record", zone="example.com", **RECORD)
    state = {"state_url": "postgresql://db", "state_dir": None}
    result = run("dns_record", zone="example.com", **RECORD, **state)
    assert result["msg"].startswith("Failed to import the required Python library (psycopg) on ")
    assert "This is required in version 3.1 or newer, for state_url." in result["msg"]
