# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A web server and a proxy before the stand-in service: they write down what they are sent."""

from __future__ import annotations

import contextlib
import http.client
import http.server
import select
import socket
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import TracebackType
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Asked:
    """A request as it came. The first segment of its path is the *case* that it belongs to; *path* is the rest."""

    method: str
    case: str
    path: str
    headers: dict[str, list[str]]


@dataclass(frozen=True)
class Said:
    """An answer."""

    body: bytes = b""
    status: int = 200
    headers: Iterable[tuple[str, str]] = field(default=())


class Front:
    """Passes requests on to the service at the URL *behind*, unless *answer* has one for them.

    *extra* are headers that each answer of the service gets on its way back.
    """

    def __init__(
        self,
        behind: str = "",
        answer: Callable[[Asked], Said | None] = lambda _asked: None,
        extra: Iterable[tuple[str, str]] = (),
    ) -> None:
        self.asked: list[Asked] = []
        self._behind, self._answer, self._extra = behind, answer, tuple(extra)
        front = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                said = front._handle(self.command, self.path, self.headers.items(), body)
                self.send_response(said.status)
                for name, value in (*said.headers, ("Content-Length", str(len(said.body)))):
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(said.body)

            do_POST = do_DELETE = do_CONNECT = do_GET  # noqa: N815 - http.server calls them so

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Front:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def of(self, case: str) -> list[Asked]:
        """The requests of a case."""
        return [asked for asked in self.asked if asked.case == case]

    def _handle(self, method: str, path: str, headers: Iterable[tuple[str, str]], body: bytes) -> Said:
        _empty, case, rest = path.split("/", 2) if path.count("/") > 1 else ("", path, "")
        given: dict[str, list[str]] = {}
        for name, value in headers:
            given.setdefault(name.lower(), []).append(value)
        asked = Asked(method, case, f"/{rest}", given)
        self.asked.append(asked)
        return self._answer(asked) or self._passed_on(asked, body)

    def _passed_on(self, asked: Asked, body: bytes) -> Said:
        if not self._behind:
            return Said(b"{}", 404)
        connection = http.client.HTTPConnection(urlsplit(self._behind).netloc, timeout=60)
        headers = {name: value[0] for name, value in asked.headers.items() if name not in ("host", "connection")}
        connection.request(asked.method, asked.path, body or None, headers)
        response = connection.getresponse()
        said = Said(response.read(), response.status, (("Content-Type", "application/json"), *self._extra))
        connection.close()
        return said


class Proxy:
    """Writes down all that clients say to it, and connects them with one address, whichever they name."""

    def __init__(self, to: tuple[str, int]) -> None:
        self.heard: list[bytes] = []
        self._to = to
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def __enter__(self) -> Proxy:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _serve(self) -> None:
        while True:
            try:
                client, _address = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._connect, args=(client,), daemon=True).start()

    def _connect(self, client: socket.socket) -> None:
        # Either side may be gone at any time, which is no matter here.
        with contextlib.suppress(OSError), client, socket.create_connection(self._to) as service:
            self.heard.append(client.recv(65536))
            client.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
            while True:
                for end in select.select([client, service], [], [])[0]:
                    said = end.recv(65536)
                    if not said:
                        return
                    if end is client:
                        self.heard.append(said)
                    (service if end is client else client).sendall(said)
