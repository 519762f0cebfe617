# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Record sets that a service shows in a zone and that are outside of it: they are not the zone's."""

import pytest
from raw import RawServer, as_json

ZONE = "example.com"
SETS = {
    "example.com. SOA": "ns1.example.com. h.example.com. 1 7200 900 1209600 300",
    "www.example.com. A": "192.0.2.1",
    "www.example.net. A": "192.0.2.2",
    "notexample.com. A": "192.0.2.3",
}
TOLD = "the service shows sets outside the zone, which are left alone: {}, {}"
WWW = {"name": "www", "type": "A", "content": "192.0.2.1"}


@pytest.fixture
def calls():
    return []


@pytest.fixture
def url(calls):
    def answer(request):
        calls.append(request.method)
        records = []
        for shown, value in SETS.items():
            name, rdtype = shown.split()
            records.append({"name": name, "type": rdtype, "ttl": 300, "contents": [value]})
        return as_json({"status": "Success", "data": {"name": ZONE, "records": records}})

    with RawServer(answer) as server:
        yield server.url


@pytest.mark.parametrize("check", [True, False])
def test_they_are_never_pruned_and_told_once(run, url, calls, check):
    options = {"zone": ZONE, "records": [WWW], "prune": True, "prune_limit": 100}
    result = run("dns_records", check=check, base_url=url, **options)
    assert (result["changed"], calls) == (False, ["GET"])
    told = [one for one in result["warnings"] if "outside the zone" in one]
    assert told == [TOLD.format("www.example.net. A", "notexample.com. A")]
