# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A web server and a proxy before the stand-in service: they write down what they are sent."""

from __future__ import annotations

import contextlib
import http.client
import select
import socket
import threading
from urllib.parse import urlsplit

from raw import RawServer, whole


def case_of(request):
    """The first segment of a path, which says to which case the request belongs."""
    return request.path.split("/")[1]


class Front(RawServer):
    """Passes requests on to the service at the URL *behind*, unless *answer* has one for them.

    *extra* are headers that each answer of the service gets on its way back.
    """

    def __init__(self, behind, answer, extra=()):
        self._behind, self._extra = urlsplit(behind).netloc, extra
        super().__init__(lambda request: answer(request) or self._passed_on(request))

    def of(self, case):
        """The methods of the requests of a case."""
        return [request.method for request in self.requests if case_of(request) == case]

    def _passed_on(self, request):
        headers = {
            name: value
            for name, value in request.headers.items()
            if name not in ("Host", "Connection")
        }
        path = request.path.removeprefix(f"/{case_of(request)}")
        with contextlib.closing(http.client.HTTPConnection(self._behind, timeout=60)) as connection:
            connection.request(request.method, path, request.body or None, headers)
            response = connection.getresponse()
            fields = "Content-Type: application/json", *self._extra
            return whole(response.read(), *fields, status=f"{response.status} {response.reason}")


class Proxy:
    """Writes down all that clients say to it, and connects them with one address, whichever they name."""

    def __init__(self, to):
        self.heard: list[bytes] = []
        self._to = to
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def __enter__(self):
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_error):
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _serve(self):
        while True:
            try:
                client, _address = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._connect, args=(client,), daemon=True).start()

    def _connect(self, client):
        # Either side may be gone at any time, which is no matter here.
        with contextlib.suppress(OSError), client, socket.create_connection(self._to) as service:
            self.heard.append(client.recv(65536))
            client.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
            while True:
                for end in select.select([client, service], [], [])[0]:
                    data = end.recv(65536)
                    if not data:
                        return
                    if end is client:
                        self.heard.append(data)
                    (service if end is client else client).sendall(data)
