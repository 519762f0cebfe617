# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A web server and a proxy before the stand-in service: they write down what they are sent."""

import contextlib
import http.client
import select
import socket
import socketserver
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


class Proxy(socketserver.ThreadingTCPServer):
    """Writes down all that clients say to it, and connects them with one address, whichever they name."""

    daemon_threads = True

    def __init__(self, to):
        super().__init__(("127.0.0.1", 0), socketserver.BaseRequestHandler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.heard = []
        self._to = to
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *_error):
        self.shutdown()
        self.server_close()

    def finish_request(self, request, client_address):  # noqa: ARG002 - it is of socketserver
        """Connect a client; either side may be gone at any time, which is no matter here."""
        with contextlib.suppress(OSError), socket.create_connection(self._to) as service:
            self.heard.append(request.recv(65536))
            request.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
            other = {request: service, service: request}
            while True:
                for end in select.select([request, service], [], [])[0]:
                    data = end.recv(65536)
                    if not data:
                        return
                    if end is request:
                        self.heard.append(data)
                    other[end].sendall(data)
