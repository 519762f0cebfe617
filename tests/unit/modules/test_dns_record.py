# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The module as Ansible runs it: its results to the letter, check mode, spellings, bad input, a bad service."""

import json
import os
import subprocess
import sys

import pytest

ZONE = """
    www 300 A 192.0.2.1
    www 300 A 192.0.2.2
    www 300 TXT "text"
    blog 300 CNAME www.example.com.
    @ 300 MX 10 a.example.net.
    @ 300 MX 20 b.example.net.
    @ 600 TXT "v=spf1 -all"
"""
WWW = {"zone": "example.com", "name": "www", "type": "A"}


@pytest.mark.parametrize("check", [True, False])
def test_a_result(zone, run, check):
    zone.holds(ZONE)
    task = {"type": "MX", "content": "b.example.net", "priority": 5, "exclusive": True, "ttl": 60}
    result = run("dns_record", check=check, zone="Example.COM.", **task)
    del result["invocation"]
    key = {"name": "example.com.", "type": "MX"}
    before = {"ttl": 300, "contents": ["10 a.example.net.", "20 b.example.net."]}
    after = {"ttl": 60, "contents": ["5 b.example.net."]}
    assert result == {
        "changed": True,
        "zone": "example.com",
        "record_set": {**key, **after},
        "changes": [{**key, "action": "rebuild", "before": before, "after": after}],
        "diff": {
            "before": "example.com. 300 IN MX 10 a.example.net.\nexample.com. 300 IN MX 20 b.example.net.\n",
            "after": "example.com. 60 IN MX 5 b.example.net.\n",
            "after_header": "1 set rebuilt, gone for a moment: example.com. MX",
        },
        "recovered": [],
        "findings": [],
        "service_owned": [],
    }


@pytest.mark.parametrize("check", [True, False])
def test_all_types_of_a_name_can_be_absent(zone, run, check):
    zone.holds(ZONE)
    task = {"zone": "example.com", "name": "www", "type": "*", "state": "absent", "ttl": 60}
    result = run("dns_record", check=check, **task)
    assert (result["changed"], result["record_set"]) == (True, None)
    changes = [(change["type"], change["action"]) for change in result["changes"]]
    assert changes == [("A", "delete"), ("TXT", "delete")]
    deleted = ["DELETE www.example.com. A", "DELETE www.example.com. TXT"]
    assert zone.calls() == (["GET"] if check else ["GET", *deleted, "GET"])


# Bad input: one sentence, and nothing is asked of the service

BAD = [
    ({"content": None}, "content is required"),
    (
        {"type": "*", "state": "absent", "content": "x", "priority": 10},
        "content is for a set of one type: leave it out, or set type; priority is for a set of one type",
    ),
    (
        {"name": False},
        "example.com: false A: name is the boolean false, but takes a text: YAML reads yes, no, on",
    ),
]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("options, message", BAD)
def test_invalid_values_are_refused_before_any_request(
    service, run, state_dir, options, message, check
):
    result = run("dns_record", check=check, **{**WWW, "content": ["192.0.2.1"], **options})
    assert message in result["msg"]
    assert result["msg"].isprintable()
    assert result["msg"].endswith(".")
    assert (result["changed"], result["changes"], result["status_code"]) == (False, [], None)
    assert service.calls() == []
    assert not state_dir.exists()


def test_a_zone_that_is_not_there(service, run):
    result = run("dns_record", **{**WWW, "zone": "exampel.com", "content": ["192.0.2.1"]})
    assert result["msg"].startswith("Zone exampel.com: the account has no zone of that name")
    assert "did you mean example.com?" in result["msg"]
    assert not result["msg"].endswith("?.")
    assert result["status_code"] == 404
    assert service.calls() == ["GET /dns/domains/exampelcom", "GET /dns/domains"]


# A bad service: one sentence each, with its own message


def test_a_refused_write_tells_what_the_set_holds(zone, service, run):
    zone.holds(ZONE)
    service.fault(
        "status", method="POST", status=422, body={"errors": {"content": ["Too many values."]}}
    )
    result = run("dns_record", **WWW, content=["192.0.2.3"])
    del result["invocation"]
    assert result == {
        "failed": True,
        "msg": "Zone example.com: cannot add 192.0.2.3 to www.example.com. A: the service answered 422: "
        '{"content": ["Too many values."]}; www.example.com. A holds 192.0.2.1, 192.0.2.2 (TTL 300).',
        "changed": False,
        "changes": [],
        "status_code": 422,
        "applied": [],
        "failed_sets": [{"name": "www.example.com.", "type": "A"}],
        "not_attempted": [],
    }


@pytest.mark.parametrize("shown", ["1 . alpn=h2", r"\# 10 00010000010003026832"])
@pytest.mark.parametrize("rdtype", ["HTTPS", "TYPE65"])
def test_a_set_that_is_shown_by_the_number_of_its_type(service, run, rdtype, shown):
    records = [
        {"name": "example.com.", "type": "SOA", "ttl": 300, "contents": ["a. b. 1 2 3 4 5"]},
        {"name": "www.example.com.", "type": "TYPE65", "ttl": 300, "contents": [shown]},
    ]
    answers = {"status": "Success", "data": {"records": records}}
    service.fault("answer", method="GET", body=answers, times=0)
    task = {**WWW, "type": rdtype}
    assert run("dns_record", **task, content="1 . alpn=h2")["changed"] is False
    run("dns_record", **task, state="absent")
    assert "DELETE www.example.com. TYPE65" in service.calls()


ON_AN_OLD_PYTHON = """
import json, sys
from ansible.module_utils import basic
sys.version_info = (3, 9, 18)
basic._ANSIBLE_ARGS = json.dumps({"ANSIBLE_MODULE_ARGS": {"access_token": "token", "zone": "example.com"}}).encode()
basic._ANSIBLE_PROFILE = "legacy"
import importlib
importlib.import_module(f"ansible_collections.zonesmith.dns.plugins.modules.{sys.argv[1]}")
"""


@pytest.mark.parametrize("module", ["dns_record", "dns_records", "dns_zone_info"])
def test_a_python_that_is_too_old_is_named(module):
    done = subprocess.run(
        [sys.executable, "-c", ON_AN_OLD_PYTHON, module],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert done.stderr == ""
    result = json.loads(done.stdout)
    assert result["failed"]
    assert result["msg"].startswith(
        "zonesmith.dns needs Python 3.10 or newer where its modules run"
    )
    assert f"{sys.executable} is Python 3.9." in result["msg"]
    assert "token" not in done.stdout


QUOTED, PLAIN = r'"\"quoted\""', '"plain text"'
IS_KEPT = (
    't.example.com. TXT is deleted and created again, which may alter "quoted": a preference that the service does not '
    "show is sent as last known, and quotes that other values lack are left out; list the values in the task, or the "
    "set in ignore"
)


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(
    "held, task, warns",
    [
        ([QUOTED, PLAIN], {"content": "new", "ttl": 60}, True),
        ([QUOTED, PLAIN], {"content": "new"}, False),  # which only adds
        ([QUOTED], {"content": "new", "ttl": 60}, False),  # as where all values are shown in quotes
        # which says what it is
        ([QUOTED, PLAIN], {"content": ["quoted", "plain text"], "ttl": 60}, False),
    ],
)
def test_a_text_that_may_lose_its_quotes_is_told(service, run, check, held, task, warns):
    service.zone("example.com", [("t", "TXT", 300, held)])
    service.settings(txt_read="plain")
    of_set = {"zone": "example.com", "name": "t", "type": "TXT", "txt_format": "plain"}
    warnings = run("dns_record", check=check, **of_set, **task).get("warnings", [])
    assert [warning for warning in warnings if "quotes" in warning] == [IS_KEPT] * warns
