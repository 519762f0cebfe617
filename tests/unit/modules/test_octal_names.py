# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Names that a service shows with octal escapes, as Route 53 does: what each module tells, and that none is pruned."""

import pytest
from raw import RawServer, as_json

ZONE = "example.com"
SOA = "ns1.example.com. h.example.com. 1 7200 900 1209600 300"
SHOWN = {
    "example.com. SOA": SOA,
    r"\052.apps.example.com. A": "192.0.2.1",
    r"\052.dev.example.com. A": "192.0.2.2",
    "old.example.com. A": "192.0.2.3",
}
TOLD = (
    "the service shows \\052.apps.example.com., whose escapes are decimal (RFC 1035, section 5.1), which makes it "
    "4.apps.example.com.; if they are octal, as Route 53 shows them, it is *.apps.example.com., so it is not pruned: "
    "change it at the service (1 more with such escapes)"
)
NEW = {"name": "new", "type": "A", "content": "192.0.2.4"}


def answer(request):
    """The account's list, or its zone."""
    if request.path == "/dns/domains":
        return as_json({"status": "Success", "data": [{"name": ZONE, "slug": "z", "status": True}]})
    records = []
    for shown, value in SHOWN.items():
        name, rdtype = shown.split()
        records.append({"name": name, "type": rdtype, "ttl": 300, "contents": [value]})
    return as_json({"status": "Success", "data": {"name": ZONE, "records": records}})


@pytest.fixture
def url():
    with RawServer(answer) as server:
        yield server.url


@pytest.mark.parametrize(
    "module, options, warnings",
    [
        ("dns_zone_info", {"zone": ZONE}, [f"Zone {ZONE}: {TOLD}"]),
        ("dns_zone_files", {"zones": [ZONE]}, [f"Zone {ZONE}: {TOLD}"]),
        ("dns_records", {"zone": ZONE, "records": [NEW], "prune": True}, [TOLD]),
    ],
)
def test_both_readings_are_told(run, url, tmp_path, module, options, warnings):
    dest = {"dest": str(tmp_path)} if module == "dns_zone_files" else {}
    result = run(module, base_url=url, check=True, **options, **dest)
    assert result.get("warnings", []) == warnings
    changes = [(change["action"], change["name"]) for change in result.get("changes", [])]
    pruning = [("create", "new.example.com."), ("delete", "old.example.com.")]
    assert changes == (pruning if module == "dns_records" else [])
