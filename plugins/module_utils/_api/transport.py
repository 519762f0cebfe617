# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bounds the time and size of HTTP answers.

The time-outs of requests restart with each byte, and it decodes any content coding. So a clock is checked as bytes
arrive, below http.client, for status, headers and body, even of a proxy.
"""

from __future__ import annotations

import io
import math
import socket
import zlib
from functools import lru_cache
from http.client import HTTPResponse
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import requests

try:
    from requests.adapters import HTTPAdapter
    from urllib3.exceptions import IncompleteRead
except ImportError:  # sender.py keeps the error, module.py reports it
    HTTPAdapter = object  # type: ignore[assignment,misc] # so that the class below can be defined

LARGEST = 64 * 1024 * 1024
"""Bytes, decoded."""

SLOWEST = 10
"""In time-outs."""

MOST_JSON_VALUES = 4_000_000
"""Most JSON values in an answer, which take more memory than bytes."""

_PART = 256 * 1024


class AnswerTooSlow(Exception):
    """The answer was incomplete after SLOWEST time-outs."""


class AnswerRefused(Exception):
    """An answer not read. The message follows the service's name."""


class AnswerBroken(AnswerRefused):
    """An answer damaged on the way; a retry may help."""


class Clocked(io.RawIOBase):
    """A connection's input, with a deadline. Raises AnswerTooSlow."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._received = connection.makefile("rb", buffering=0)
        self._timeout = connection.gettimeout() or math.inf
        self._ends = monotonic() + SLOWEST * self._timeout

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
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
        """Release the connection, which stays open."""
        self._received.close()
        super().close()


class _ClockedResponse(HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(Clocked(sock), *args, **kwargs)  # type: ignore[arg-type] # it only uses a socket's makefile


_POOLS = 8
"""More than urllib3 has classes: for HTTP and HTTPS, each also through SOCKS."""


@lru_cache(_POOLS)
def _clocked(pool: Any) -> Any:
    if pool.ConnectionCls.response_class is _ClockedResponse:
        return pool
    connection = type(
        pool.ConnectionCls.__name__, (pool.ConnectionCls,), {"response_class": _ClockedResponse}
    )
    return type(pool.__name__, (pool,), {"ConnectionCls": connection})


def _clock(manager: Any) -> Any:
    manager.pool_classes_by_scheme = {
        scheme: _clocked(pool) for scheme, pool in manager.pool_classes_by_scheme.items()
    }
    return manager


class BoundedAdapter(HTTPAdapter):
    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        _clock(self.poolmanager)

    def proxy_manager_for(self, *args: Any, **kwargs: Any) -> Any:
        return _clock(super().proxy_manager_for(*args, **kwargs))


def content_of(response: requests.Response) -> bytes:
    """The decoded body of an answer requested with ``stream``.

    An undecodable body is empty if the status is an error. Raises AnswerRefused, AnswerTooSlow, and errors of urllib3.
    """
    coding = response.headers.get("Content-Encoding", "").strip().lower()
    try:
        if coding not in ("", "identity", "gzip", "x-gzip"):
            raise AnswerBroken("sent an answer in an encoding that was not requested")
        body = _body(response.raw)
        content = _gunzipped(body) if body and coding.endswith("gzip") else body
        if sum(map(content.count, (b",", b"[", b"{"))) > MOST_JSON_VALUES:
            raise AnswerRefused(
                f"sent an answer with more than {MOST_JSON_VALUES:,} values, which is too many"
            )
    except BaseException as error:
        response.close()
        if isinstance(error, AnswerBroken) and response.status_code >= 400:
            return b""
        raise
    return content


def _body(raw: Any) -> bytes:
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
        raise AnswerBroken("sent a broken answer, which is not gzip") from error
    if len(content) > LARGEST:
        raise _too_large()
    if not decoder.eof:
        raise AnswerBroken("sent a broken answer, whose gzip data ends too early")
    return content


def _too_large() -> AnswerRefused:
    return AnswerRefused(
        f"sent an answer with more than {LARGEST // 1024**2} MiB, which is too much"
    )
