# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each oddity of the stand-in service, over real HTTP."""

from __future__ import annotations

import itertools
import json
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from running import Service

LONG = 600
"""Seconds that no test waits for: what is to come after them does not come."""
SOON = 0.2
PATIENCE = 20
WWW = ("www", "A", 300, ["192.0.2.1", "192.0.2.2"])
NUMBERS = itertools.count()


class Answer(NamedTuple):
    status: int
    body: Any
    headers: Any


class Zone:
    """A zone of its own, with its oddities, as a client meets it: with a new connection for each request."""

    def __init__(self, service: Service, records: Any = (WWW,), **oddities: Any) -> None:
        self.service = service
        self.name = f"zone{next(NUMBERS):03}.example"
        service.zone(self.name, records)
        service.odd(self.name, **oddities)

    def call(self, method: str, path: str = "", body: Any = None) -> Answer:
        request = urllib.request.Request(  # noqa: S310 - the address is the service's own
            f"{self.service.url}/dns/domains/{self.name.replace('.', '')}{path}",
            None if body is None else json.dumps(body).encode(),
            {
                "Authorization": f"Bearer {self.service.token}",
                "Accept": "application/json",
                "Content-Type": "application/json",
            },
            method=method,
        )
        try:
            response = urllib.request.urlopen(request, timeout=PATIENCE)  # noqa: S310 - as above
        except urllib.error.HTTPError as error:
            response = error
        with response:
            text = response.read()
            return Answer(response.status, json.loads(text) if text else None, response.headers)

    def post(self, content: str = "192.0.2.9", rtype: str = "A", name: str = "www", ttl: int = 300) -> Answer:
        return self.call("POST", "/records", {"name": name, "type": rtype, "content": content, "ttl": ttl})

    def delete(self, name: str = "www", rtype: str = "A") -> Answer:
        query = urllib.parse.urlencode({"name": f"{name}.{self.name}.", "type": rtype})
        return self.call("DELETE", f"/records?{query}")

    def shown(self) -> list[str]:
        """What a GET shows, one line a set."""
        return self._lines(self.call("GET").body["data"]["records"])

    def kept(self) -> list[str]:
        """What is so."""
        return self._lines(self.service.records(self.name))

    def until(self, line: str) -> None:
        """Wait until a GET shows a set."""
        end = time.monotonic() + PATIENCE
        while line not in self.shown():
            assert time.monotonic() < end
            time.sleep(SOON / 4)

    def _lines(self, records: list[dict[str, Any]]) -> list[str]:
        return [
            f"{row['name'].removesuffix(f'.{self.name}.')} {row['ttl']} {row['type']} {' | '.join(row['contents'])}"
            for row in records
            if row["name"] != f"{self.name}."
        ]


OLD = "www 300 A 192.0.2.1 | 192.0.2.2"
NEW = "www 300 A 192.0.2.1 | 192.0.2.2 | 192.0.2.9"


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with Service() as service:
        yield service


# Late


def test_reads_may_be_late(service: Service) -> None:
    zone = Zone(service, read_lag=LONG)
    assert zone.post().status == 200
    assert (zone.kept(), zone.shown()) == ([NEW], [OLD])


def test_the_control_interface_is_never_late(service: Service) -> None:
    zone = Zone(service, read_lag=LONG)
    zone.post()
    service.zone(zone.name, [("mail", "A", 60, ["192.0.2.5"])])
    assert zone.shown() == ["mail 60 A 192.0.2.5"]


@pytest.mark.parametrize(
    ("reads", "late"),
    [
        ({"late_reads": "alternate"}, [True, False, True, False, True, False]),
        ({"late_reads": "random", "seed": 7}, [True, True, False, True, False, True]),
    ],
)
def test_some_reads_may_be_late(service: Service, reads: dict[str, Any], late: list[bool]) -> None:
    zone = Zone(service, read_lag=LONG, **reads)
    zone.post()
    assert [zone.shown() == [OLD] for _read in late] == late


def test_every_other_connection_may_be_late(service: Service) -> None:
    zone = Zone(service, read_lag=LONG, late_reads="connection")
    zone.post()
    reads = [zone.shown() == [OLD] for _read in range(4)]
    assert reads in ([True, False, True, False], [False, True, False, True])


def test_a_cache_shows_what_it_has(service: Service) -> None:
    zone = Zone(service, cache=LONG)
    assert zone.shown() == [OLD]
    zone.post()
    assert zone.shown() == [OLD]
    fresh = Zone(service, cache=SOON)
    fresh.shown()
    fresh.post()
    fresh.until(NEW)


def test_writes_may_be_carried_out_later_and_in_order(service: Service) -> None:
    zone = Zone(service, apply_after=SOON, post_status=202, delete_status=202)
    answers = [zone.delete(), zone.post("192.0.2.1"), zone.post("192.0.2.1"), zone.post()]
    assert [answer.status for answer in answers] == [202] * 4
    zone.until("www 300 A 192.0.2.1 | 192.0.2.9")


def test_writes_that_are_carried_out_later_may_be_checked_at_once(service: Service) -> None:
    zone = Zone(service, apply_after=LONG, apply_checks=True)
    assert [zone.delete().status, zone.post("192.0.2.1").status, zone.post().status] == [200, 422, 200]
    assert zone.delete("mail").status == 404
    assert zone.kept() == [OLD]


# Busy


@pytest.mark.parametrize("status", [409, 423])
def test_busy_after_a_write(service: Service, status: int) -> None:
    zone = Zone(service, busy_status=status, busy_after_write=LONG)
    assert zone.delete("mail").status == 404
    assert [zone.post().status, zone.post("192.0.2.8").status, zone.delete().status] == [200, status, status]
    assert zone.kept() == [NEW]


def test_busy_while_a_write_is_under_way(service: Service) -> None:
    zone = Zone(service, write_takes=3)
    answers: list[int] = []
    writers = [
        threading.Thread(target=lambda number=number: answers.append(zone.post(f"192.0.2.{number}").status))
        for number in range(11, 14)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert sorted(answers) == [200, 409, 409]
    assert zone.post("192.0.2.20").status == 200


def test_busy_with_a_set_that_was_deleted(service: Service) -> None:
    zone = Zone(service, busy_after_delete=LONG)
    assert [zone.delete().status, zone.post().status, zone.post(name="mail").status] == [200, 409, 200]
    short = Zone(service, busy_after_delete=SOON)
    short.delete()
    time.sleep(SOON)
    assert short.post().status == 200


@pytest.mark.parametrize("retry_after", [True, False])
def test_rate(service: Service, retry_after: bool) -> None:
    zone = Zone(service, rate=2, rate_window=LONG, retry_after=retry_after)
    answers = [zone.call("GET") for _request in range(3)]
    assert [answer.status for answer in answers] == [200, 200, 429]
    told = answers[2].headers["Retry-After"]
    assert (0 < int(told) <= LONG) if retry_after else told is None


# Answers


@pytest.mark.parametrize(("status", "given"), [(404, {}), (410, {"gone_status": 410}), (200, {"gone_status": 200})])
def test_delete_of_a_set_that_is_gone(service: Service, status: int, given: dict[str, int]) -> None:
    answer = Zone(service, [], **given).delete()
    assert (answer.status, answer.body["status"]) == (status, "Error")


# Values


@pytest.mark.parametrize(
    ("oddity", "sent", "kept"),
    [
        ("parses", "v=DKIM1; k=rsa", '"v=DKIM1"'),
        ("parses", "v=spf1 mx -all", '"v=spf1mx-all"'),
        ("parses", '"v=DKIM1; k=rsa" "p=A"', '"v=DKIM1; k=rsap=A"'),
        ("keeps_quotes", "v=DKIM1; k=rsa", '"v=DKIM1; k=rsa"'),
        ("keeps_quotes", '"v=DKIM1"', r'"\"v=DKIM1\""'),
    ],
)
def test_txt_may_become_something_else(service: Service, oddity: str, sent: str, kept: str) -> None:
    zone = Zone(service, [], txt=oddity)
    assert zone.post(sent, "TXT").status == 200
    assert zone.shown() == [f"www 300 TXT {kept}"]


@pytest.mark.parametrize(
    ("spelling", "rtype", "kept"),
    [
        ("lower", "URL", "https://example.net/one"),
        ("dot", "URL", "https://Example.net/One."),
        ("dot", "CAA", '0 issue "Example.net"'),
    ],
)
def test_values_of_unknown_types_may_be_spelled_otherwise(
    service: Service, spelling: str, rtype: str, kept: str
) -> None:
    zone = Zone(service, [], spelling=spelling)
    sent = kept if rtype == "CAA" else "https://Example.net/One"
    assert [zone.post(sent, rtype).status, zone.post(sent, rtype).status] == [200, 422]
    assert zone.shown() == [f"www 300 {rtype} {kept}"]


@pytest.mark.parametrize(
    ("oddity", "ttls"),
    [
        ({"ttl_min": 300}, {60: 300, 3600: 3600}),
        ({"ttl_max": 300}, {60: 60, 3600: 300}),
        ({"ttl_multiple": 100}, {60: 100, 300: 300, 301: 400}),
        ({"ttl_fixed": 120}, {60: 120, 3600: 120}),
    ],
)
def test_another_ttl_may_be_kept(service: Service, oddity: dict[str, int], ttls: dict[int, int]) -> None:
    zone = Zone(service, [], **oddity)
    for ttl in ttls:
        zone.post(name=f"ttl{ttl}", ttl=ttl)
    assert zone.shown() == [f"ttl{sent} {kept} A 192.0.2.9" for sent, kept in ttls.items()]


def test_a_value_that_was_there_may_be_refused(service: Service) -> None:
    zone = Zone(service, refused=["A 192.0.2.1", "TXT *"])
    zone.delete()
    assert [zone.post("192.0.2.1").status, zone.post("text", "TXT").status, zone.post().status] == [422, 422, 200]


# Sets


# Which zone


def test_the_others_may_have_some_together() -> None:
    with Service("--oddities", '{"ttl_fixed": 1}', zones=["a.example"]) as service:
        zones = [Zone(service, [], ttl_fixed=2), Zone(service, [])]
        service.odd("*", ttl_fixed=3)
        name = "a.example"
        plain = Zone(service, [])
        plain.name = name
        for zone in (*zones, plain):
            zone.post()
        assert [zone.kept() for zone in (*zones, plain)] == [
            ["www 2 A 192.0.2.9"],
            ["www 300 A 192.0.2.9"],
            ["www 3 A 192.0.2.9"],
        ]
        service.reset()
        plain.post(name="mail")
        assert plain.kept() == ["mail 1 A 192.0.2.9"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"lag": 1},
        {"read_lag": -1},
        {"read_lag": "1"},
        {"late_reads": "some"},
        {"apply_checks": 1},
        {"busy_status": 500},
        {"rate": True},
        {"rate_window": 0},
        {"post_status": 404},
        {"empty_answers": ["GET"]},
        {"empty_answers": "POST"},
        {"txt": "odd"},
        {"ttl_min": 1.5},
        {"refused": "A *"},
        {"undeletable": [1]},
        {"gone_status": 500},
        {"duplicate_status": 200},
        {"shows": "some"},
    ],
)
def test_wrong_oddities_are_refused(service: Service, wrong: dict[str, Any]) -> None:
    zone = Zone(service)
    with pytest.raises(ValueError, match=r"400 .*(must be|There is no oddity)"):
        service.odd(zone.name, ttl_fixed=1, **wrong)
    assert zone.post(name="mail").status == 200
    assert zone.kept()[1] == "mail 300 A 192.0.2.9"
