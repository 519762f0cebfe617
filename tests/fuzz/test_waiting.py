# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whatever a zone holds: the wait for its name servers ends well where they have it, and says who has not."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from typing import Any

import pytest
from answers import InMemory, NameServers
from authority import Held, answer
from fuzzing import checked_result, inputs
from hostile import ZONE, good_zone
from hypothesis import strategies as st
from test_service import BULK, CONNECTION

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import canonical
from ansible_collections.zonesmith.dns.plugins.module_utils._query import served
from ansible_collections.zonesmith.dns.plugins.modules.dns_records import converge_record_sets

APEX = f"{ZONE}."
LABELS = st.sampled_from(
    ["www", "a.www", "*", "*.www", "lab", "ns1.lab", "x.lab", "_acme-challenge", r"a\.b", r"\000\255"]
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\0"), min_size=1, max_size=600)
VALUES = {
    "A": st.ip_addresses(v=4).map(str),
    "AAAA": st.ip_addresses(v=6).map(str),
    "TXT": TEXTS,
    "MX": st.builds("{} mail.example.net.".format, st.integers(0, 65535)),
    "NS": st.sampled_from([f"ns1.lab.{APEX}", "ns.example.net."]),
    "CAA": st.sampled_from(['0 issue "ca.example.net"', '128 iodef "mailto:a@example.net"']),
    "SRV": st.builds("0 1 {} www.example.com.".format, st.integers(0, 65535)),
    "HTTPS": st.sampled_from(["0 pool.example.net.", "1 . alpn=h2,h3 port=8443"]),
    "TYPE65534": st.binary(min_size=1, max_size=20).map(lambda data: rf"\# {len(data)} {data.hex()}"),
    "ALIAS": st.just("www.example.net."),
}  # fmt: skip


@st.composite
def rows(draw: st.DrawFn) -> dict[str, Any]:
    """A record set as the service shows it."""
    rdtype = draw(st.sampled_from(sorted(VALUES)))
    label = draw(LABELS.filter(lambda label: rdtype != "NS" or "*" not in label))
    found = draw(st.lists(VALUES[rdtype], min_size=1, max_size=3))
    contents = list(dict.fromkeys(canonical(rdtype, value, APEX) for value in found))
    return {
        "name": f"{label}.{APEX}",
        "type": rdtype,
        "ttl": draw(st.sampled_from([0, 60, 2**31 - 1])),
        "contents": contents,
    }


ZONES = st.lists(rows(), max_size=4, unique_by=lambda row: (row["name"], row["type"]))


def _served(zone: Sequence[dict[str, Any]]) -> Held:
    return {(row["name"], row["type"]): (row["ttl"], row["contents"]) for row in zone if row["type"] != "ALIAS"}


def _waited(zone: Sequence[dict[str, Any]], gone: Sequence[dict[str, Any]], versions: Sequence[Any]) -> dict[str, Any]:
    """The result of a task that says what the zone holds, while a name server has these versions, a question each."""
    there = {(row["name"], row["type"]) for row in zone}
    entries = [{**row, "content": row["contents"], "state": "present"} for row in zone]
    entries += [{**row, "content": None, "state": "absent"} for row in gone if (row["name"], row["type"]) not in there]
    records = [{"comment": None, "priority": None, **{key: entry[key] for key in ENTRY}} for entry in entries]
    left = [*map(_served, versions)]

    def response(query: Any, *_where: Any) -> Any:
        return answer(query, APEX, left.pop(0) if len(left) > 1 else left[0])

    waiting = {"wait": True, "wait_timeout": 600.0, "wait_nameservers": ["192.0.2.53"]}
    InMemory.gives([good_zone(*zone)])
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(served, "_response", response)
        options = {**CONNECTION, **BULK, **waiting, "prune": False, "records": records}
        return checked_result(converge_record_sets, {**options, "state_dir": folder}, check_mode=False)


ENTRY = ("name", "type", "content", "ttl", "state")


@inputs(zone=ZONES, others=st.lists(ZONES, max_size=2))
def test_any_zone_that_is_served(zone: Any, others: Any) -> None:
    """At once, or after something else; what a name server had before is what the task wants gone."""
    gone = [row for other in others for row in other]
    unique = {(row["name"], row["type"]): row for row in gone}
    NameServers.give([""])
    result = _waited(zone, list(unique.values()), [*others, zone])
    assert not result["failed"], result
    assert not result["changed"]


def _is_same(one: Any, other: Any) -> bool:
    return (one[0], sorted(one[1])) == (other[0], sorted(other[1]))


@inputs(zone=ZONES, other=ZONES)
def test_any_zone_that_is_not_served(zone: Any, other: Any) -> None:
    """The name server has something else for ever: it is named, unless nobody hears a difference."""
    result = _waited(zone, other, [other])
    held, has = _served(zone), _served(other)
    is_above = [key for key in {**held, **has} if key[1] == "NS" or key[0].startswith("*") or key[1] == "ALIAS"]
    if not is_above and not any(row["type"] == "ALIAS" for row in zone):
        differs = any(key not in has or not _is_same(held[key], has[key]) for key in held)
        assert result["failed"] is (differs or any(key not in held for key in has))
    assert result["failed"] == ("nothing had to be changed, but 192.0.2.53 answers" in result.get("msg", ""))
