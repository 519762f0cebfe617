# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A server that answers in bytes of the test's choice, at a pace of the test's choice: what no web framework sends."""

from __future__ import annotations

import contextlib
import gzip
import itertools
import json
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

Parts = Callable[[], Iterable[bytes]]

MIB = 1024 * 1024
ENOUGH = 96
"""MiB of what is endless: far above the bound, and still harmless where the bound is missing."""

LONG_ENOUGH = 20
"""Seconds, of what drips."""

OK = b"HTTP/1.1 200 OK\r\n"
GOOD = {"name": "example.com.", "type": "SOA", "ttl": 60, "contents": ["ns1. host. 1 2 3 4 5"]}


class HostileServer:
    """Answers each request with the parts that the first segment of its path names, and closes the connection.

    What a proxy is asked has none, and its name is empty.
    """

    def __init__(self, answers: dict[str, Parts]) -> None:
        self._answers = answers
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._ended = threading.Event()
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.requests: list[str] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """End all that is under way."""
        self._ended.set()
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _address = self._listener.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            request = b""
            while b"\r\n\r\n" not in request:
                request += connection.recv(65536)
            path = request.split(b" ")[1].decode()
            self.requests.append(path)
            for part in self._answers[path.partition("/")[2].partition("/")[0]]():
                if self._ended.is_set():
                    return
                connection.sendall(part)


def whole(body: bytes, *headers: bytes, status: bytes = OK) -> Parts:
    """An answer at once, with its length."""
    head = b"\r\n".join((*headers, b"Content-Length: %d" % len(body), b"", b""))
    return lambda: [status + head + body]


def zone(*record_sets: Any) -> bytes:
    """The body of a zone with an SOA and these record sets."""
    return json.dumps({"status": "Success", "data": {"records": [GOOD, *record_sets]}}).encode()


def dripping(before: bytes, pace: float, drop: bytes = b"x") -> Parts:
    """Some bytes, then one after the other, for so long that only a bound ends it sooner."""

    def parts() -> Iterator[bytes]:
        yield before
        for _drop in range(int(LONG_ENOUGH / pace)):
            time.sleep(pace)
            yield drop

    return parts


def flooding(before: bytes, flood: bytes = b" " * MIB) -> Parts:
    """Some bytes, then as many as fit, as fast as they are taken."""
    return lambda: itertools.chain([before], itertools.repeat(flood, ENOUGH * MIB // len(flood)))


def bomb(layers: int, *, status: bytes = OK, header: bytes = b"") -> Parts:
    """Few bytes that become many."""
    body = gzip.compress(b" " * (ENOUGH * MIB), 1)
    for _layer in range(layers - 1):
        body = gzip.compress(body, 9)
    return whole(
        body, b"Content-Encoding: " + b", ".join([b"gzip"] * layers), *([header] if header else []), status=status
    )
