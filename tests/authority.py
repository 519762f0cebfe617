# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A name server for tests, which answers as RFC 1034 (4.3.2), 2181 and 4592 say: wildcards, delegations, glue.

    with Authority("example.com.", "@ 300 NS ns1.example.net.\\nwww 300 A 192.0.2.1") as server:
        ...  # ask server.name
        server.holds("www 300 A 192.0.2.2")

``answer`` is the same without a network.
"""

from __future__ import annotations

import socketserver
import threading
from functools import cache
from itertools import groupby

import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdatatype
import dns.rrset

SOA = "ns1.example.net. root.example.net. 1 2 3 4 5"


def held(zone, text):
    """What lines of ``<relative name> <TTL> <type> <value>`` say."""
    rows = [line.split(maxsplit=3) for line in text.strip().splitlines()]
    sets = {}
    for (name, ttl, rdtype), group in groupby(sorted(rows), key=lambda row: row[:3]):
        absolute = zone if name == "@" else f"{name}.{zone}"
        sets[absolute, rdtype] = int(ttl), [row[3] for row in group]
    return sets


def answer(query, zone, sets):
    """What a server of the zone answers that holds these sets."""
    response = dns.message.make_response(query)
    question = query.question[0]
    name, rdtype = question.name.to_text().lower(), dns.rdatatype.to_text(question.rdtype)
    if not f".{name}".endswith(f".{zone}"):
        response.set_rcode(dns.rcode.REFUSED)
        return response
    if cut := _cut(name, rdtype, zone, sets):
        response.authority.append(_rrset(cut, "NS", sets[cut, "NS"]))
        for host in sets[cut, "NS"][1]:
            if f".{host}".endswith(f".{cut}"):
                response.additional += [
                    _rrset(host, kind, sets[host, kind]) for kind in GLUE if (host, kind) in sets
                ]
        return response
    response.flags |= dns.flags.AA
    there = _existing(zone, (owner for owner, _type in sets))
    source = name if name in there else _source_of_synthesis(name, there)
    for kind in (rdtype, "CNAME"):
        if (source, kind) in sets:
            response.answer.append(_rrset(name, kind, sets[source, kind]))
            return response
    response.authority.append(_rrset(zone, "SOA", (300, [SOA])))
    if source not in there:
        response.set_rcode(dns.rcode.NXDOMAIN)
    return response


GLUE = ("A", "AAAA")


def _cut(name, rdtype, zone, sets):
    """The delegation at or above a name, the one next to the apex; its DS is the parent's."""
    above = [name]
    while above[-1] != zone:
        above.append(above[-1].partition(".")[2])
    cut = next((owner for owner in above[-2::-1] if (owner, "NS") in sets), None)
    return None if (cut, rdtype) == (name, "DS") else cut


def _existing(zone, owners):
    """The owner names, and the empty ones between them and the apex."""
    there = {zone}
    for owner in owners:
        while owner not in there:
            there.add(owner)
            owner = owner.partition(".")[2]
    return there


def _source_of_synthesis(name, there):
    while name not in there:
        name = name.partition(".")[2]
    return f"*.{name}"


def _rrset(name, rdtype, held):
    # What one answer adds to is no other's.
    return _parsed(name, held[0], rdtype, tuple(held[1])).copy()


@cache
def _parsed(name, ttl, rdtype, values):
    return dns.rrset.from_text(name, ttl, "IN", rdtype, *values)


class _Answering(socketserver.BaseRequestHandler):
    def handle(self):
        wire, from_here = self.request
        owner = self.server.owner  # type: ignore[attr-defined] # of our own server
        from_here.sendto(owner.answered(dns.message.from_wire(wire)).to_wire(), self.client_address)


class Authority:
    """A server of one zone on a port of its own, which lags: the last of *versions* is answered with after the others,
    each of which lasts for so many questions as *lag* says.
    """

    def __init__(self, zone, *versions, lag=1):
        self.zone = zone
        self.asked: list[tuple[str, str]] = []
        self._lag = lag
        self._lock = threading.Lock()
        self.holds(*versions)

    def holds(self, *versions):
        """What to answer with from now on."""
        self._versions = [held(self.zone, version) for version in versions or ("",)]
        self._left = self._lag

    def answered(self, query):
        """The answer to the next question."""
        with self._lock:
            question = query.question[0]
            self.asked.append((question.name.to_text(), dns.rdatatype.to_text(question.rdtype)))
            response = answer(query, self.zone, self._versions[0])
            self._left -= 1
            if self._left <= 0 and len(self._versions) > 1:
                del self._versions[0]
                self._left = self._lag
            return response

    def __enter__(self):
        self._server = socketserver.ThreadingUDPServer(("127.0.0.1", 0), _Answering)
        self._server.owner = self  # type: ignore[attr-defined]
        self.name = f"127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}
        )
        self._thread.start()
        return self

    def __exit__(self, *_error):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
