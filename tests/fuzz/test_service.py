# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whatever the service answers: a result or one sentence. No traceback, no hang, no token, nothing for terminals."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from typing import Any

import pytest
import urllib3.connection
from answers import Answer, Connections, InMemory
from fuzzing import TOKEN, checked_result, inputs
from hostile import ANSWERS, ZONE
from hypothesis import strategies as st

from ansible_collections.zonesmith.dns.plugins.module_utils._service import sender
from ansible_collections.zonesmith.dns.plugins.module_utils._service import transport as _transport
from ansible_collections.zonesmith.dns.plugins.modules.dns_record import converge_record_set
from ansible_collections.zonesmith.dns.plugins.modules.dns_records import converge_record_sets
from ansible_collections.zonesmith.dns.plugins.modules.dns_zone_info import read

REAL_ADAPTER = _transport.BoundedAdapter

CONNECTION: dict[str, Any] = {
    "base_url": "http://127.0.0.1",
    "access_token": TOKEN,
    "validate_certs": True,
    "ca_path": None,
    "allow_insecure_http": False,
    "timeout": 1.0,
    "retries": 2,
    "txt_format": "auto",
    "state_dir": "",
    "lock_timeout": 1.0,
}
WRITING = {"zone": ZONE, "wait": False, "wait_timeout": 1.0, "wait_nameservers": None}
ONE = {"name": "www", "type": "A", "content": ["192.0.2.1"], "priority": None, "ttl": None, "exclusive": False}
ROW = {"name": "www", "type": "A", "content": ["192.0.2.1"], "priority": None, "ttl": 60, "state": "present"}
BULK = {"ttl": None, "ignore": [], "prune_limit": 30, "concurrency": 1}
ALIAS = {"name": "a", "type": "CNAME", "content": ["www"]}
MAIL = {"name": "@", "type": "MX", "content": ["mail"], "priority": 10}
TEXT = {"name": "@", "type": "TXT", "content": ["some text"]}

TASKS: list[tuple[Any, dict[str, Any]]] = [
    (converge_record_set, {**WRITING, **ONE, "state": "present"}),
    (converge_record_set, {**WRITING, **ONE, "state": "present", "exclusive": True, "ttl": 60}),
    (converge_record_set, {**WRITING, **ONE, **MAIL, "state": "present", "exclusive": True}),
    (converge_record_set, {**WRITING, **ONE, **ALIAS, "state": "present"}),
    (converge_record_set, {**WRITING, **ONE, "state": "absent"}),
    (converge_record_set, {**WRITING, **ONE, "state": "absent", "content": None}),
    (converge_record_sets, {**WRITING, **BULK, "records": [ROW, {**ROW, **TEXT}], "prune": False}),
    (converge_record_sets, {**WRITING, **BULK, "records": [{**ROW, **ALIAS}], "prune": True, "prune_limit": 100}),
    (converge_record_sets, {**WRITING, **BULK, "records": [], "prune": True}),
    (read, {"zone": ZONE, "names": None, "types": None, "records": True}),
    (read, {"zone": None, "names": ["www"], "types": ["a"], "records": True}),
    (read, {"zone": None, "names": None, "types": None, "records": None}),
]


def _run(task: tuple[Any, dict[str, Any]], *, check_mode: bool) -> dict[str, Any]:
    perform, options = task
    with tempfile.TemporaryDirectory() as folder:
        return checked_result(perform, {**CONNECTION, **options, "state_dir": folder}, check_mode=check_mode)


@inputs(task=st.sampled_from(TASKS), answers=ANSWERS, check_mode=st.booleans())
def test_any_answers(task: Any, answers: Sequence[Answer], check_mode: bool) -> None:
    """Any status, any JSON in any place, any header."""
    InMemory.gives(answers)
    _run(task, check_mode=check_mode)


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
            st.sampled_from([b'5\r\n{"a":\r\n', b"fffffffffff\r\n", b"-1\r\n", b'{"status": "Success", "data": []}']),
        ),
    ),
)


@inputs(task=st.sampled_from(TASKS), said=st.lists(BYTES, min_size=1, max_size=4))
def test_any_bytes(task: Any, said: Sequence[bytes]) -> None:
    """What is no HTTP, or nearly."""
    connections = Connections(said)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sender, "BoundedAdapter", REAL_ADAPTER)
        patch.setattr(urllib3.connection.HTTPConnection, "_new_conn", lambda _self: connections.connect())
        try:
            _run(task, check_mode=False)
        finally:
            connections.close()
