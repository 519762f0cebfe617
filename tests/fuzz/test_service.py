# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whatever the service answers: a result or one sentence. No traceback, no hang, no token, nothing for terminals."""

import tempfile

import pytest
import urllib3.connection
from answers import Answer, Connections, InMemory, NameServers
from fuzzing import TOKEN, checked_result
from hostile import ANSWERS, SERVED, ZONE, as_json, good_zone
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.zonesmith.dns.plugins.module_utils._api import sender
from ansible_collections.zonesmith.dns.plugins.module_utils._api import transport as _transport
from ansible_collections.zonesmith.dns.plugins.modules import dns_record, dns_records, dns_zone_info
from ansible_collections.zonesmith.dns.plugins.modules.dns_record import converge_record_set
from ansible_collections.zonesmith.dns.plugins.modules.dns_records import converge_record_sets

REAL_ADAPTER = _transport.BoundedAdapter

IMPATIENT = {
    "base_url": "http://127.0.0.1",
    "access_token": TOKEN,
    "timeout": 1.0,
    "retries": 2,
    "retry_timeout": 5.0,
    "lock_timeout": 1.0,
}


def _defaults(module):
    """What a task of a module says that names no option."""
    return {**{name: rules.get("default") for name, rules in module.OPTIONS.items()}, **IMPATIENT}


WRITING = {"zone": ZONE, "wait_timeout": 1.0}
WAITING = st.fixed_dictionaries(
    {
        "wait": st.booleans(),
        "wait_nameservers": st.sampled_from([None, ["192.0.2.53"], ["192.0.2.53", "ns.example"]]),
    }
)
ONE = {**_defaults(dns_record), **WRITING, "name": "www", "type": "A", "content": ["192.0.2.1"]}
ROW = {
    "name": "www",
    "type": "A",
    "content": ["192.0.2.1"],
    "priority": None,
    "ttl": 60,
    "state": "present",
}
READING = _defaults(dns_zone_info)
BULK = {**_defaults(dns_records), **WRITING, "concurrency": 1}
ALIAS = {"name": "a", "type": "CNAME", "content": ["www"]}
MAIL = {"name": "@", "type": "MX", "content": ["mail"], "priority": 10}
TEXT = {"name": "@", "type": "TXT", "content": ["some text"]}

TASKS = [
    (converge_record_set, {**ONE, "state": "present"}),
    (converge_record_set, {**ONE, "state": "present", "exclusive": True, "ttl": 60}),
    (converge_record_set, {**ONE, **MAIL, "state": "present", "exclusive": True}),
    (converge_record_set, {**ONE, **ALIAS, "state": "present"}),
    (converge_record_set, {**ONE, "state": "absent"}),
    (converge_record_set, {**ONE, "state": "absent", "content": None}),
    (converge_record_sets, {**BULK, "records": [ROW, {**ROW, **TEXT}], "prune": False}),
    (
        converge_record_sets,
        {**BULK, "records": [{**ROW, **ALIAS}], "prune": True, "prune_limit": 100},
    ),
    (converge_record_sets, {**BULK, "records": [], "prune": True, "prune_limit": 100}),
    (dns_zone_info.read, {**READING, "zone": ZONE, "names": None, "types": None, "records": True}),
    (
        dns_zone_info.read,
        {**READING, "zone": None, "names": ["www"], "types": ["a"], "records": True},
    ),
    (dns_zone_info.read, {**READING, "zone": None, "names": None, "types": None, "records": None}),
]


def _run(task, waiting, *, check_mode):
    perform, options = task
    if perform is not dns_zone_info.read:
        options = {**options, **waiting}
    with tempfile.TemporaryDirectory() as folder:
        return checked_result(perform, {**options, "state_dir": folder}, check_mode=check_mode)


@given(
    task=st.sampled_from(TASKS),
    waiting=WAITING,
    answers=ANSWERS,
    served=SERVED,
    check_mode=st.booleans(),
)
def test_any_answers(task, waiting, answers, served, check_mode):
    """Any status, any JSON in any place, any header; then any answers of name servers."""
    InMemory.gives(answers)
    NameServers.give(served)
    _run(task, waiting, check_mode=check_mode)


SUCCESS = Answer(body=as_json({"status": "Success", "data": {}}))
NS = {"name": f"{ZONE}.", "type": "NS", "ttl": 3600, "contents": ["ns1.example.net."]}
HELD = {"name": f"www.{ZONE}.", "type": "A", "ttl": 60, "contents": ["192.0.2.1"]}
# Tasks and the answers with which they change the zone, so that the wait begins.
CHANGING = [
    (TASKS[0], [good_zone(NS), SUCCESS, good_zone(NS, HELD)]),
    (TASKS[5], [good_zone(NS, HELD), SUCCESS, good_zone(NS)]),
    (TASKS[8], [good_zone(NS, HELD), SUCCESS, good_zone(NS)]),
]


@given(change=st.sampled_from(CHANGING), waiting=WAITING, served=SERVED)
def test_any_name_server(change, waiting, served):
    """Whatever name servers answer, the change has been made; they are asked if and only if they are to be."""
    task, answers = change
    InMemory.gives(answers)
    NameServers.give(served)
    result = _run(task, waiting, check_mode=False)
    assert result["changed"], result
    assert bool(NameServers.asked) == waiting["wait"]
    assert result["failed"] == ("the service took all changes" in result.get("msg", ""))


STATUS_LINES = st.sampled_from(
    [b"HTTP/1.1 200 OK", b"HTTP/1.1 429 x", b"HTTP/1.0 99 x", b"HTTP/9 200", b"200", b"\x00"]
)
FRAMES = st.sampled_from(
    [
        b"Content-Length: 10",
        b"Content-Length: -1",
        b"Content-Length: " + b"9" * 5000,
        b"Content-Length: x",
        b"Transfer-Encoding: chunked",
        b"Content-Encoding: gzip",
        b"Content-Encoding: deflate, br",
        b"Content-Type: application/json; charset=\xff",
        b"Retry-After: " + b"9" * 6000,
        b"Retry-After: Wed, 21 Oct 99999 07:28:00 GMT",
        b"X: " + b"a" * 70000,
        b"no colon",
        b"Set-Cookie: a=b; Domain=127.0.0.1; expires=Thu, 99 Jan 99999",
    ]
)
BYTES = st.one_of(
    st.binary(max_size=200),
    st.builds(
        lambda status, headers, body: b"\r\n".join([status, *headers, b"", body]),
        STATUS_LINES,
        st.lists(FRAMES, max_size=3),
        st.one_of(
            st.binary(max_size=60),
            st.sampled_from(
                [
                    b'5\r\n{"a":\r\n',
                    b"fffffffffff\r\n",
                    b"-1\r\n",
                    b'{"status": "Success", "data": []}',
                ]
            ),
        ),
    ),
)


@given(
    task=st.sampled_from(TASKS),
    waiting=WAITING,
    answers=st.lists(BYTES, min_size=1, max_size=4),
    served=SERVED,
)
def test_any_bytes(task, waiting, answers, served):
    """What is no HTTP, or nearly."""
    connections = Connections(answers)
    NameServers.give(served)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sender, "BoundedAdapter", REAL_ADAPTER)
        patch.setattr(
            urllib3.connection.HTTPConnection, "_new_conn", lambda _self: connections.connect()
        )
        try:
            _run(task, waiting, check_mode=False)
        finally:
            connections.close()
