# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A server that answers with whatever bytes a test wants, at the pace it wants: what no web framework sends."""

from __future__ import annotations

import contextlib
import email
import json
import socket
import threading
from typing import NamedTuple


class Request(NamedTuple):
    """A request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class RawServer:
    """Writes each request down, sends what *answer* returns for it, part by part, and closes the connection."""

    def __init__(self, answer):
        self.answer = answer
        self.requests = []
        self.ended = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):  # of a class that inherits from it, too
        return self

    def __exit__(self, *_error):
        """Stop, and end each answer under way at its next part."""
        self.ended.set()
        self._listener.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _address = self._listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with contextlib.suppress(OSError), connection, connection.makefile("rb") as received:
            request = _read(received)
            if request is None:
                return
            self.requests.append(request)
            for part in self.answer(request):
                if self.ended.is_set():
                    return
                connection.sendall(part)


def whole(body, *headers, status="200 OK"):
    """An answer at once, with its length unless a header says another."""
    if not any(header.startswith("Content-Length:") for header in headers):
        headers = (*headers, f"Content-Length: {len(body)}")
    return [
        "\r\n".join([f"HTTP/1.1 {status}", *headers, "Connection: close", "", ""]).encode() + body
    ]


def as_json(data):
    """A JSON answer."""
    return whole(json.dumps(data).encode(), "Content-Type: application/json")


def _read(received):
    line = received.readline().decode().split()
    if not line:
        return None
    text = b"".join(iter(received.readline, b"\r\n")).decode()
    headers = dict(email.message_from_string(text))
    return Request(line[0], line[1], headers, received.read(int(headers.get("Content-Length", 0))))
