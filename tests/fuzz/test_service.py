# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whatever the service answers: a result or one sentence. No traceback, no hang, no token, nothing for terminals."""

import contextlib
import itertools
import socket
import tempfile

import pytest
import urllib3.connection
from answers import Answer, InMemory, NameServers
from fuzzing import TOKEN, checked_result
from hostile import ANSWERS, SERVED, ZONE, as_json, good_zone
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.zonesmith.dns.plugins.module_utils._api import sender
from ansible_collections.zonesmith.dns.plugins.module_utils._api import transport as _transport
from ansible_collections.zonesmith.dns.plugins.modules import dns_record, dns_records, dns_zone_info

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
MAIL = {"name": "@", "type": "MX", "content": ["mail"], "priority": 10}

TASKS = [
    (dns_record.converge_record_set, {**ONE, "state": "present"}),
    (
        dns_record.converge_record_set,
        {**ONE, **MAIL, "state": "present", "exclusive": True, "ttl": 60},
    ),
    (dns_record.converge_record_set, {**ONE, "state": "absent", "content": None}),
    (dns_records.converge_record_sets, {**BULK, "records": [ROW, {**ROW, **MAIL}]}),
    (
        dns_records.converge_record_sets,
        {**BULK, "records": [ROW], "prune": True, "prune_limit": 100},
    ),
    (dns_zone_info.read, {**READING, "zone": ZONE}),
    (dns_zone_info.read, {**READING, "names": ["www"], "types": ["a"], "records": True}),
]


def _run(task, *, check_mode, **waiting):
    perform, options = task
    with tempfile.TemporaryDirectory() as folder:
        options = {**options, **waiting, "state_dir": folder}
        return checked_result(perform, options, check_mode=check_mode)


@given(task=st.sampled_from(TASKS), answers=ANSWERS, check_mode=st.booleans())
def test_any_answers(task, answers, check_mode):
    """Any status, any JSON in any place, any header."""
    InMemory.gives(answers)
    _run(task, check_mode=check_mode)


SUCCESS = Answer(body=as_json({"status": "Success", "data": {}}))
NS = {"name": f"{ZONE}.", "type": "NS", "ttl": 3600, "contents": ["ns1.example.net."]}
HELD = {"name": f"www.{ZONE}.", "type": "A", "ttl": 60, "contents": ["192.0.2.1"]}
# The answers with which the first task changes the zone, so that the wait begins.
CHANGED = [good_zone(NS), SUCCESS, good_zone(NS, HELD)]


@given(waiting=WAITING, served=SERVED)
def test_any_name_server(waiting, served):
    """Whatever name servers answer, the change has been made; they are asked if and only if they are to be."""
    InMemory.gives(CHANGED)
    NameServers.give(served)
    result = _run(TASKS[0], check_mode=False, **waiting)
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
        b"Transfer-Encoding: chunked",
        b"Content-Encoding: gzip",
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


@given(task=st.sampled_from(TASKS), answers=st.lists(BYTES, min_size=1, max_size=4))
def test_any_bytes(task, answers):
    """What is no HTTP, or nearly."""
    left = itertools.chain(answers, itertools.repeat(answers[-1]))
    with contextlib.ExitStack() as ends, pytest.MonkeyPatch.context() as patch:

        def connect(_self):
            """A socket on whose other end all has been said."""
            ours, theirs = socket.socketpair()
            ends.enter_context(theirs)
            theirs.sendall(next(left))
            theirs.shutdown(socket.SHUT_WR)
            return ours

        patch.setattr(sender, "BoundedAdapter", REAL_ADAPTER)
        patch.setattr(urllib3.connection.HTTPConnection, "_new_conn", connect)
        _run(task, check_mode=False)
