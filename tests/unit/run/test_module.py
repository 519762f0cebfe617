# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Entries inside an option, and what a module prints, whoever refuses the options."""

import contextlib
import io
import json
import sys

import pytest
from ansible.module_utils import basic

from ansible_collections.zonesmith.dns.plugins.module_utils._run import module
from ansible_collections.zonesmith.dns.plugins.module_utils._run.arguments import validated_records
from ansible_collections.zonesmith.dns.plugins.module_utils._run.module import (
    missing_psycopg,
    run_module,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import (
    RECORDS,
    SHARED_OPTIONS,
    WRITING_OPTIONS,
    InvalidOptions,
)

TOKEN = "token-of-a-test"

# What a task may say


# Entries inside an option


def test_entries_are_what_ansible_makes_of_them():
    rows = [
        {"type": "A", "value": "192.0.2.1, 192.0.2.2", "ttl": "5m"},
        {"name": "www", "type": "A", "ttl": ""},
    ]
    nothing = {
        "ttl": None,
        "priority": None,
        "comment": None,
        "exclusive": True,
        "replaces": None,
        "state": "present",
    }
    first, second = validated_records(rows)
    assert {**first, "value": None} == {
        **nothing,
        "name": "@",
        "type": "A",
        "content": ["192.0.2.1, 192.0.2.2"],
        "ttl": "5m",
        "value": None,
    }
    assert second == {**nothing, "name": "www", "type": "A", "content": None}


# What is printed


SPEC = {
    **SHARED_OPTIONS,
    **WRITING_OPTIONS,
    "zone": {"type": "str"},
    "records": {"type": "list", "elements": "dict", "options": RECORDS},
}


@pytest.fixture
def printed(monkeypatch, home):  # noqa: ARG001 - an environment that says nothing
    """Runs a module of these options, which does what it is told, and gives what it prints."""

    def run(
        perform=lambda _invocation: {"changed": False},
        spec=None,
        check=False,
        **options,
    ):
        arguments = {
            "base_url": "https://dns.example.com",
            "access_token": TOKEN,
            **options,
            "_ansible_check_mode": check,
        }
        monkeypatch.setattr(
            basic, "_ANSIBLE_ARGS", json.dumps({"ANSIBLE_MODULE_ARGS": arguments}).encode()
        )
        monkeypatch.setattr(basic, "_ANSIBLE_PROFILE", "legacy", raising=False)
        warned = []
        monkeypatch.setattr(
            basic.AnsibleModule, "warn", lambda _module, warning: warned.append(warning)
        )
        output = io.StringIO()
        with contextlib.redirect_stdout(output), pytest.raises(SystemExit) as ended:
            run_module(spec or SPEC, perform)
        result = json.loads(output.getvalue())
        assert bool(ended.value.code) is bool(result.get("failed"))
        assert TOKEN not in output.getvalue()
        result.pop("invocation", None)
        return {**result, "warned": warned}

    return run


def test_a_result_is_printed_and_its_warnings_are_given_to_ansible(printed):
    def perform(invocation):
        invocation.warnings.append("mind the gap")
        return {"changed": True, "mode": invocation.check_mode, "zone": invocation.options["zone"]}

    assert printed(perform, zone="a") == {
        "changed": True,
        "mode": False,
        "zone": "a",
        "warned": ["mind the gap"],
    }
    assert printed(perform, zone="a", check=True)["mode"] is True


def test_a_failure_is_printed_with_all_its_fields(printed):
    def perform(_invocation):
        raise InvalidOptions("timeout is 0")

    assert printed(perform) == {
        "failed": True,
        "msg": "timeout is 0.",
        "changed": False,
        "changes": [],
        "status_code": None,
        "warned": [],
    }


def test_what_the_action_read_is_no_option(printed):
    files = {"a.zone": {"text": "www A 192.0.2.1"}}
    assert printed(lambda run: {"read": run.options["_files"]}, _files=files)["read"] == files
    for nothing in ({}, {"_files": None}, {"_files": "a.zone"}):
        assert printed(lambda run: {"read": run.options["_files"]}, **nothing)["read"] is None


A_FAILURE = {"failed": True, "changed": False, "status_code": None, "warned": []}


@pytest.mark.parametrize(
    "options, message",
    [
        (
            {"zone": " a. ", "timeout": True},
            "Zone a: timeout is the boolean true, but takes a number: ",
        ),
        (
            {"zone": "", "timeout": True},
            "Zone '': timeout is the boolean true, but takes a number: ",
        ),
        ({"timeout": True}, "timeout is the boolean true, but takes a number: "),
        ({"zone": 5, "timeout": True}, "Zone 5: timeout is the boolean true, but takes a number: "),
        (
            {"zone": "a", "timeout": True, "retries": False},
            "Zone a: timeout is the boolean true, but takes a ",
        ),
        ({"timeout": "long"}, "argument 'timeout' is of type "),
        (
            {"zone": "a", "nonsense": 1},
            "Zone a: there is no option 'nonsense'",
        ),
    ],
)
def test_options_that_cannot_be_used_are_a_failure_like_any(printed, options, message):
    result = printed(**options)
    assert result.pop("msg").startswith(message)
    assert result == {**A_FAILURE, "changes": []}


@pytest.mark.parametrize("records", ["a", [1], [None], [[]]])
def test_no_failure_shows_the_token_or_a_password(printed, records):
    result = printed(records=records, base_url=f"https://me:{'p' * 12}@dns.example.com/{TOKEN}")
    assert result["failed"]
    result = printed(nonsense=f"{'p' * 12}", base_url=f"https://me:{'p' * 12}@dns.example.com")
    assert "p" * 12 not in str(result)


MISSING = [
    ("REQUESTS_MISSING", "requests", "This is required in version 2.28.1 or newer."),
    ("DNSPYTHON_MISSING", "dnspython", "This is required in version 2.6.1 or newer."),
]


@pytest.mark.parametrize("name, library, required", MISSING)
def test_a_library_that_is_missing_is_named(printed, monkeypatch, name, library, required):
    monkeypatch.setattr(module, name, ImportError("No module named that"))
    result = printed(lambda _invocation: {"changed": True})
    assert result["msg"].startswith(f"Failed to import the required Python library ({library}) on ")
    assert required in result["msg"]
    assert result["msg"].endswith(
        f". To install it: {sys.executable} -m pip install 'requests>=2.28.1' 'dnspython>=2.6.1'"
    )
    assert result["changed"] is False


@pytest.mark.parametrize("url, is_asked_for", [("postgresql://db", True), (None, False)])
def test_psycopg_is_asked_for_where_there_is_a_database(printed, monkeypatch, url, is_asked_for):
    from ansible_collections.zonesmith.dns.plugins.module_utils._state import session

    missing = ImportError("No module named psycopg")
    monkeypatch.setattr(session, "PSYCOPG_MISSING", missing)
    assert missing_psycopg({"state_url": url}) is (missing if is_asked_for else None)
    result = printed(spec=SPEC, **({"state_url": url} if url else {}))
    assert result.get("failed", False) is is_asked_for
    if is_asked_for:
        assert result["msg"].startswith(
            "Failed to import the required Python library (psycopg) on "
        )
        assert "This is required in version 3.1 or newer, for state_url." in result["msg"]
