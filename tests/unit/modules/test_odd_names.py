# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Names that a service shows in octal, as Route 53 does, or outside the zone: what is told, and that none is pruned."""

import pytest
from raw import RawServer, as_json

ZONE = "example.com"
OCTAL = (r"\052.apps.example.com.", r"\052.dev.example.com.", "old.example.com.")
OUTSIDE = ("www.example.net.", "notexample.com.", "old.example.com.")
TOLD_OF_OCTAL = (
    "the service shows \\052.apps.example.com., \\052.dev.example.com., whose escapes are read as decimal "
    "(RFC 1035, section 5.1), but may be octal, as Route 53 shows them: that is not pruned, so change it at the service"
)
TOLD_OF_OUTSIDE = "the service shows sets outside the zone, which are left alone: www.example.net. A, notexample.com. A"


def server(names):
    """A service whose zone has an address at each of these names."""
    soa = "ns1.example.com. h.example.com. 1 7200 900 1209600 300"
    records = [{"name": f"{ZONE}.", "type": "SOA", "ttl": 300, "contents": [soa]}]
    for name in names:
        records.append({"name": name, "type": "A", "ttl": 300, "contents": ["192.0.2.1"]})

    def answer(request):
        data = {"name": ZONE, "records": records}
        if request.path == "/dns/domains":
            data = [{"name": ZONE, "slug": "z", "status": True}]
        return as_json({"status": "Success", "data": data})

    return RawServer(answer)


@pytest.mark.parametrize("names, told", [(OCTAL, TOLD_OF_OCTAL), (OUTSIDE, TOLD_OF_OUTSIDE)])
def test_what_is_not_the_zones_or_not_as_it_seems_is_never_pruned(run, names, told):
    nothing = {"zone": ZONE, "records": [], "prune": True, "prune_limit": 100}
    with server(names) as service:
        result = run("dns_records", base_url=service.url, check=True, **nothing)
    assert told in result["warnings"]
    assert [change["name"] for change in result["changes"]] == ["old.example.com."]


@pytest.mark.parametrize("module", ["dns_zone_info", "dns_zone_files"])
def test_who_reads_is_told_of_octal_names(run, tmp_path, module):
    options = {"zone": ZONE}
    if module == "dns_zone_files":
        options = {"zones": [ZONE], "dest": str(tmp_path)}
    with server(OCTAL) as service:
        result = run(module, base_url=service.url, check=True, **options)
    assert result["warnings"] == [f"Zone {ZONE}: {TOLD_OF_OCTAL}"]
