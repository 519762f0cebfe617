# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A service that gives the answers it is told to give, and keeps everybody waiting who asks for more."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

HANG_GUARD = 15.0  # seconds; whoever still waits then gets an answer


class Answering:
    """*replies* are JSON values by the first part of the path, which base_url has, and the rest of it."""

    def __init__(self, replies: Mapping[str, Mapping[str, Any]]) -> None:
        self.hanging: list[tuple[str, str]] = []
        self.held_back = 0
        self._over = threading.Event()
        answering = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _answer(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                _root, part, rest = self.path.split("/", 2)
                reply = replies[part].get(f"/{rest}") if self.command == "GET" else None
                if reply is None and "hangs" not in rest and self.command == "GET":
                    self._send(404, {"status": "Error", "message": "not here"})
                    return
                if reply is None:
                    answering.hanging.append((self.command, self.path))
                    answering.held_back += 1
                    answering._over.wait(HANG_GUARD)
                    answering.held_back -= 1
                    reply = {"status": "Success", "data": {}}
                self._send(200, reply)

            do_GET = do_POST = do_DELETE = _answer  # noqa: N815 - as BaseHTTPRequestHandler looks for them

            def _send(self, status: int, reply: Any) -> None:
                body = json.dumps(reply).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def handle(self) -> None:
                try:
                    super().handle()
                except OSError:  # who asked has gone
                    self.close_connection = True

            def log_message(self, *_args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def url(self, part: str) -> str:
        """The base URL under which the replies of *part* are."""
        return f"http://127.0.0.1:{self._server.server_port}/{part}"

    def __enter__(self) -> Answering:
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
