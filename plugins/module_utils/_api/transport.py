# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""HTTP answers that end: bounds of time and size, which requests and urllib3 do not have.

A time-out of theirs starts anew with each byte, and they decode whatever a body is coded in, as often as it says. So
the clock is looked at where bytes come in, below http.client: for a status line, headers and a body alike, also those
of a proxy, without a thread, and at no cost that can be measured.
"""

from __future__ import annotations

import io
import math
import socket
import zlib
from functools import cache
from http.client import HTTPResponse
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import requests

try:
    from requests.adapters import HTTPAdapter
    from urllib3.exceptions import IncompleteRead
except ImportError:  # sender.py keeps the error, module.py reports it
    HTTPAdapter = object  # type: ignore[assignment,misc] # so that the class below can be read

LARGEST = 64 * 1024 * 1024
"""How many bytes an answer may have, decoded."""

SLOWEST = 10
"""How many time-outs a whole answer may take."""

MOST_JSON_VALUES = 4_000_000
"""How many values the JSON of an answer may have: they take more memory than their bytes."""

_PART = 256 * 1024


class AnswerTooSlow(Exception):
    """The answer was still not complete after SLOWEST time-outs."""


class AnswerRefused(Exception):
    """An answer that is not read; says why in one clause that goes on after the service's name."""


class AnswerBroken(AnswerRefused):
    """An answer that was damaged on its way, and may come whole the next time."""


class AnswerCoded(AnswerRefused):
    """An answer in a coding that nobody has asked for."""


class Clocked(io.RawIOBase):
    """What a connection receives until the answer's time is over, which begins now. Raises AnswerTooSlow."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._received = connection.makefile("rb", buffering=0)
        self._timeout = connection.gettimeout() or math.inf
        self._ends = monotonic() + SLOWEST * self._timeout

    def makefile(self, _mode: str) -> io.BufferedReader:
        """The one thing that http.client asks of a socket for an answer."""
        return io.BufferedReader(self)

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int | None:
        """Wait for the next bytes."""
        remaining = self._ends - monotonic()
        if remaining <= 0:
            raise AnswerTooSlow
        if remaining < self._timeout:
            self._connection.settimeout(remaining)
        try:
            return self._received.readinto(buffer)
        except TimeoutError:
            if monotonic() >= self._ends:
                raise AnswerTooSlow from None
            raise

    def close(self) -> None:
        """Let go of the connection, which stays open for the next request."""
        self._received.close()
        super().close()


class _ClockedResponse(HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(Clocked(sock), *args, **kwargs)  # type: ignore[arg-type] # of a socket it uses makefile only


@cache
def _clocked(pool: Any) -> Any:
    """The class of connection pools *pool*, with connections that look at the clock."""
    if pool.ConnectionCls.response_class is _ClockedResponse:
        return pool
    connection = type(pool.ConnectionCls.__name__, (pool.ConnectionCls,), {"response_class": _ClockedResponse})
    return type(pool.__name__, (pool,), {"ConnectionCls": connection})


def _clock(manager: Any) -> Any:
    manager.pool_classes_by_scheme = {scheme: _clocked(pool) for scheme, pool in manager.pool_classes_by_scheme.items()}
    return manager


class BoundedAdapter(HTTPAdapter):
    """Sends requests to one service, to whose answers the bound of time applies, through proxies too.

    The pool of connections, which requests looks up for each request, is the same for all of them.
    """

    _pool: Any = None

    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> Any:
        """The pool of connections to the service."""
        if self._pool is None:
            self._pool = super().get_connection_with_tls_context(*args, **kwargs)
        return self._pool

    def get_connection(self, *args: Any, **kwargs: Any) -> Any:
        """The same, as requests before 2.32 asks for it."""
        if self._pool is None:
            self._pool = super().get_connection(*args, **kwargs)
        return self._pool

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        """Make the pools of direct connections."""
        super().init_poolmanager(*args, **kwargs)
        _clock(self.poolmanager)

    def proxy_manager_for(self, *args: Any, **kwargs: Any) -> Any:
        """Make the pools of connections through a proxy."""
        return _clock(super().proxy_manager_for(*args, **kwargs))


def content_of(response: requests.Response) -> bytes:
    """The decoded body of an answer that was asked for with ``stream``; its connection is free afterwards.

    One that cannot be decoded is empty where the status tells of a failure: that says what to do. Raises
    AnswerRefused, AnswerTooSlow, and what urllib3 raises where the body does not arrive.
    """
    coding = response.headers.get("Content-Encoding", "").strip().lower()
    try:
        if coding not in ("", "identity", "gzip", "x-gzip"):
            raise AnswerCoded("sent an answer in a coding that was not asked for, which is not read")
        body = _body(response.raw)
        content = _gunzipped(body) if body and coding.endswith("gzip") else body
        if sum(map(content.count, (b",", b"[", b"{"))) > MOST_JSON_VALUES:
            raise AnswerRefused(f"sent an answer of more than {MOST_JSON_VALUES:,} values, which is not read")
    except BaseException as error:
        response.close()
        if isinstance(error, (AnswerBroken, AnswerCoded)) and response.status_code >= 400:
            return b""
        raise
    return content


def _body(raw: Any) -> bytes:
    """What an answer has after its headers, as it came."""
    parts, remaining = [], LARGEST
    if (raw.length_remaining or 0) > remaining:
        raise _too_large()
    while part := raw.read(_PART, decode_content=False):
        parts.append(part)
        remaining -= len(part)
        if remaining < 0:
            raise _too_large()
        if raw.length_remaining == 0:
            break
    if raw.length_remaining:  # urllib3 before 2 says nothing
        raise IncompleteRead(LARGEST - remaining, raw.length_remaining)
    return b"".join(parts)


def _gunzipped(body: bytes) -> bytes:
    decoder = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        content = decoder.decompress(body, LARGEST + 1)
    except zlib.error as error:
        raise AnswerBroken("sent a broken answer, which is no gzip and cannot be decompressed") from error
    if len(content) > LARGEST:
        raise _too_large()
    if not decoder.eof:
        raise AnswerBroken("sent a broken answer, which ends within its gzip and cannot be decompressed")
    return content


def _too_large() -> AnswerRefused:
    return AnswerRefused(f"sent an answer of more than {LARGEST // 1024**2} MiB, which is not read to its end")
