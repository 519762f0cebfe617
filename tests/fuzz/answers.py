# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A service and name servers without network: answers come from a list."""

import contextlib
import io
import socket
from dataclasses import dataclass, field

import dns.exception
import dns.message
import dns.rcode
import dns.rrset
import requests
import urllib3

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import Machine


@dataclass(frozen=True)
class Answer:
    """One answer of the service."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


class InMemory(requests.adapters.BaseAdapter):
    """Stands in for the adapter that talks to the network. The last answer is given again and again."""

    answers = ()
    sent = 0
    most = 2000
    """How many requests one input may lead to: what asks more often does not end."""

    def __init__(self, **_options):
        super().__init__()

    @classmethod
    def gives(cls, answers):
        """What to answer from now on."""
        cls.answers, cls.sent = answers, 0

    def send(self, request, **_options):
        """Give the next answer."""
        cls = type(self)
        answer = cls.answers[min(cls.sent, len(cls.answers) - 1)]
        cls.sent += 1
        assert cls.sent <= cls.most, "The requests have no end."
        response = requests.Response()
        response.status_code, response.request, response.url = (
            answer.status,
            request,
            request.url or "",
        )
        response.headers.update(answer.headers)
        response.raw = urllib3.HTTPResponse(body=io.BytesIO(answer.body), preload_content=False)
        return response

    def close(self):
        """Nothing to close."""


class NameServers:
    """Stands in for name servers, each of which has an address. The last answer is given again and again."""

    answers = ()
    asked = 0
    clock = None

    @classmethod
    def give(cls, answers):
        """What to answer from now on: values, a response code, or what becomes of the query."""
        cls.answers, cls.asked = answers, 0

    @staticmethod
    def addresses(_host, port, **_options):
        """In place of socket.getaddrinfo."""
        return [(socket.AF_INET, socket.SOCK_DGRAM, 0, "", ("192.0.2.53", port))]

    @classmethod
    def response(cls, query, *_where):
        """In place of what sends a query and waits for its answer."""
        answer = cls.answers[min(cls.asked, len(cls.answers) - 1)]
        cls.asked += 1
        if answer == "refused":
            raise ConnectionRefusedError
        if answer == "silence":
            cls.clock.sleep(3)
            raise dns.exception.Timeout
        response = dns.message.make_response(query)
        if answer in ("NXDOMAIN", "SERVFAIL"):
            response.set_rcode(dns.rcode.from_text(answer))
            return response
        question = query.question[0]
        with contextlib.suppress(
            dns.exception.DNSException, ValueError
        ):  # what is not a value of the type is left out
            response.answer.append(
                dns.rrset.from_text(question.name, 300, "IN", question.rdtype, answer)
            )
        return response


class Clock(Machine):
    """A machine on which waiting takes no time."""

    def __init__(self):
        self._now = 1000.0

    def monotonic(self):
        """The time of this clock."""
        return self._now

    def sleep(self, seconds):
        """Move the clock on."""
        assert seconds >= 0
        self._now += seconds
