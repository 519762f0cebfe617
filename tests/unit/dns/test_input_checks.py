# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Types and values that people write: which are taken for a slip, and of what, and which nobody means."""

import pytest
from one_file import read_zone_file

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.input_checks import (
    checked_type,
    slip_in,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.option_table import checked_ttl
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import InvalidRdata
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_types import (
    OF_SERVICES,
    REGISTERED,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.records import (
    RecordRefused,
    desired_record_set,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import (
    InvalidZoneFile,
)

SLIPS = {
    "CNAEM": "CNAME",  # two have changed places, at the end, at the start
    "NCAME": "DNAME or CNAME",  # two are as near
    "NAME": "DNAME or CNAME",
    "CNSME": "CNAME",  # another one
    "HTTP": "HTTPS",
    "NSEC4": "NSEC or NSEC3",
}
NONE = [
    "BOGUS",
    "TYPE65280",
    "CXAMX",
    "TX*",
    "",
    *OF_SERVICES,
    *REGISTERED,
]


@pytest.mark.parametrize("written, known", SLIPS.items())
def test_a_slip_is_told_with_what_may_be_meant(written, known):
    with pytest.raises(
        InvalidRdata, match=rf"^the type {written} is unknown \(did you mean {known}\?\)$"
    ):
        checked_type(f" {written.lower()} ")


@pytest.mark.parametrize("written", sorted(NONE))
def test_what_is_no_slip(written):
    assert slip_in(written) is None


@pytest.mark.parametrize("state", ["present", "absent"])
def test_an_entry_with_a_slip_is_refused_whatever_it_asks_for(state):
    record = {"name": "www", "type": "cnaem", "content": ["a.example.net."], "state": state}
    with pytest.raises(
        RecordRefused,
        match=r"^www cnaem: type 'cnaem' cannot be used: the type CNAEM is unknown \(did you mean CNAME",
    ):
        desired_record_set("example.com.", record)


A_HOST = "write a host name, such as mail.example.com."
URL = f"is a URL: {A_HOST}"
AT_INSIDE = "the zone itself is written @ or example.com., and @ means nothing in a longer name: leave it out"
# Each row: type, value, and what is said of it.
NOT_MEANT = [
    ("CNAME", "https://foo.example.net/", f"https://foo.example.net/ {URL}"),
    ("CNAME", "HTTPS://Foo.example.net:8443/a/b.html?c", URL),
    ("MX", "10 http://mail", f"http://mail {URL}"),
    ("HTTPS", "1 https://svc.example.net alpn=h2", URL),
    (
        "MX",
        "10 mail.example.net:25",
        f"net:25 has a port: {A_HOST}",
    ),
    (
        "MX",
        "10 me@example.net",
        f"me@example.net is a mail address: {A_HOST}",
    ),
    ("CNAME", "www:8080", f"www:8080 has a port: {A_HOST}"),
    ("CNAME", "a.example.net,b.example.net", "it has a comma, but several values must be a list"),
    ("MX", "10 @.example.com", AT_INSIDE),
    ("CNAME", "www.@", AT_INSIDE),
    (
        "CNAME",
        "foo.example.net/a/b.html",
        f"foo.example.net/a/b.html has a path: {A_HOST}",
    ),
    (
        "ANAME",
        "192.0.2.61",
        f"192.0.2.61 is an address: {A_HOST}",
    ),
    ("CNAME", ".", "its host is a dot alone, the root: was a variable empty?"),
    ("MX", "10 .", "its host is a dot alone, the root: was a variable empty?"),
]


@pytest.mark.parametrize("rdtype, text, reason", NOT_MEANT)
def test_what_nobody_means_is_refused(rdtype, text, reason):
    record = {"name": "sub", "type": rdtype, "content": [text], "state": "present"}
    with pytest.raises(RecordRefused) as refusal:
        desired_record_set("example.com.", record)
    [found] = refusal.value.reasons
    assert found.startswith(f"{text!a} is not a value of type {rdtype}: ")
    assert reason in found


@pytest.mark.parametrize("line", ["www 300 IN MX {} a", "www 300 IN TYPE65280 \\# {} 00"])
def test_a_number_of_thousands_of_digits_is_refused(line):
    with pytest.raises(InvalidZoneFile, match="is not a value of type"):
        read_zone_file(f"$TTL 300\n{line.format('9' * 5000)}\n", "example.com.")
    with pytest.raises(InvalidRdata, match=r"^ttl is .*, but takes seconds, 0 to 2147483647"):
        checked_ttl(10**5000)
