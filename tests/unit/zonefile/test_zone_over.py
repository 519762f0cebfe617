# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A zone written into files that are there: the file and what has changed in, and the lines of the file that differ."""

import re
from difflib import ndiff

import pytest
from any_zone import SIGNATURE, ZONE, as_sets, rows, zones
from examples import some
from hypothesis import example, given, settings
from one_file import read_zone_file, written_over
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import (
    InvalidZoneFile,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.included import Included
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_over import (
    written_over as parts_written_over,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_text import (
    pretty_zone_file,
    write_zone_file,
)

LONG = "x" * 255
FILE = """\
; example.com, see the wiki
$ORIGIN example.com.
$TTL 1h
@       IN SOA ns1 hostmaster ( 1   ; serial
            2h 3 4 5 )
        IN NS ns1.dns.example.

@       300 IN  A     192.0.2.10    ; the office
            IN  MX    10 mail       ; first
            IN  MX    20 mx2.example.com.

; web servers
www     300 IN  A     192.0.2.10    ; old one
        300 IN  AAAA  2001:db8::10
web1        IN  A     192.0.2.101
web2        IN  A     192.0.2.102

; dkim, do not touch
k1._domainkey  IN  TXT ( "v=DKIM1; k=rsa; "  ; head
                         "p=MIIB" )          ; key
$ORIGIN lab.example.com.
@       IN  NS    ns1.dns.example.
box     1D  IN  A     192.0.2.60
$GENERATE 1-2 host$ A 192.0.2.$
"""


def changed(text, change, zone=ZONE):
    """The zone of a file with other sets, by ``<relative name> <type>``: TTL and values, None for one that is gone."""
    sets = {(one["name"], one["type"]): dict(one) for one in read_zone_file(text, zone)}
    for key, now in change.items():
        name, rdtype = key.split()
        owner = zone if name == "@" else f"{name}.{zone}"
        if now is None:
            del sets[owner, rdtype]
        else:
            ttl, *values = now
            sets[owner, rdtype] = {
                "name": owner,
                "type": rdtype,
                "ttl": int(ttl),
                "content": values,
            }
    return [*sets.values()]


def differences(old, new):
    """The lines that differ, with ``-`` and ``+``."""
    lines = ndiff(old.splitlines(keepends=True), new.splitlines(keepends=True))
    return [line.replace("\n", "") for line in lines if line[0] in "-+"]


EDITS = {
    "a value": (
        FILE, {"www A": ["300", "192.0.2.111"]},
        ["- www     300 IN  A     192.0.2.10    ; old one", "+ www     300 IN  A     192.0.2.111   ; old one"],
    ),
    "a value of several": (
        FILE, {"@ MX": ["3600", "10 mail2.example.com.", "20 mx2.example.com."]},
        ["-             IN  MX    10 mail       ; first", "+             IN  MX    10 mail2      ; first"],
    ),
    "a TTL": (
        FILE, {"www A": ["60", "192.0.2.10"]},
        ["- www     300 IN  A     192.0.2.10    ; old one", "+ www     60  IN  A     192.0.2.10    ; old one"],
    ),
    "a TTL where $TTL gave it": (
        FILE, {"web1 A": ["60", "192.0.2.101"]},
        ["- web1        IN  A     192.0.2.101", "+ web1     60 IN  A     192.0.2.101"],
    ),
    "a TTL in units": (
        FILE, {"box.lab A": ["172800", "192.0.2.60"]},
        ["- box     1D  IN  A     192.0.2.60", "+ box     172800 IN  A     192.0.2.60"],
    ),
    "a set, and its lines had no other owner": (
        FILE, {"www A": None},
        [
            "- www     300 IN  A     192.0.2.10    ; old one", "-         300 IN  AAAA  2001:db8::10",
            "+ www     300 IN  AAAA  2001:db8::10",
        ],
    ),
    "an alias in place of an address": (
        FILE, {"web1 A": None, "web1 CNAME": ["3600", "www.example.com."]},
        ["- web1        IN  A     192.0.2.101", "+ web1        IN  CNAME www"],
    ),
    "a new name, below the one before it": (
        FILE, {"web3 A": ["3600", "192.0.2.103"]}, ["+ web3        IN  A     192.0.2.103"],
    ),
    "a value more, where the line above has no owner": (
        FILE, {"www AAAA": ["300", "2001:db8::10", "2001:db8::11"]}, ["+         300 IN  AAAA  2001:db8::11"],
    ),
    "a text in lines": (
        FILE, {"k1._domainkey TXT": ["3600", f'"v=DKIM1; k=rsa; {LONG[:239]}" "{LONG}" "tail"']},
        [
            '- k1._domainkey  IN  TXT ( "v=DKIM1; k=rsa; "  ; head',
            '-                          "p=MIIB" )          ; key',
            f'+ k1._domainkey  IN  TXT ( "v=DKIM1; k=rsa; {LONG[:239]}" "{LONG}" "tail" ; head',
            '+  )          ; key',
        ],
    ),
    "a line that gave its TTL to the next": (
        "a 60 A 192.0.2.1\nb A 192.0.2.2\nc A 192.0.2.3\n", {"a A": None},
        ["- a 60 A 192.0.2.1", "- b A 192.0.2.2", "+ b 60 A 192.0.2.2"],
    ),
    "a line that gave its TTL to $GENERATE": (
        "a 60 A 192.0.2.1\n$GENERATE 1-2 h$ A 192.0.2.$\n", {"a A": None},
        ["- a 60 A 192.0.2.1", "- $GENERATE 1-2 h$ A 192.0.2.$", "+ $GENERATE 1-2 h$ 60 A 192.0.2.$"],
    ),
    "a set in two places": (
        "$TTL 5\na A 192.0.2.1\nb A 192.0.2.2\na A 192.0.2.3\n", {"a A": ["5", "192.0.2.3", "192.0.2.4", "192.0.2.5"]},
        ["- a A 192.0.2.1", "+ a A 192.0.2.4", "+ a A 192.0.2.5"],
    ),
    "a name outside the origin": (
        "$TTL 5\n$ORIGIN lab.example.com.\nbox A 192.0.2.1\n", {"www A": ["5", "192.0.2.2"]},
        ["+ www.example.com. A 192.0.2.2"],
    ),
    "a value that goes on in parentheses": (
        "$TTL 5\n_a SRV 0 ( 5 ; weight\n 5060 sip ) ; x\n", {"_a SRV": ["5", "0 5 5061 sip.example.com."]},
        ["- _a SRV 0 ( 5 ; weight", "-  5060 sip ) ; x", "+ _a SRV 0 5 5061 sip ( ; weight", "+  ) ; x"],
    ),
    "tabs": (
        "$TTL 5\na\tIN\tA\t192.0.2.1\t; x\n", {"a A": ["5", "192.0.2.222"], "longer-name A": ["5", "192.0.2.2"]},
        ["- a\tIN\tA\t192.0.2.1\t; x", "+ a\tIN\tA\t192.0.2.222\t; x", "+ longer-name\tIN\tA\t192.0.2.2"],
    ),
    "a type that nobody knows": (
        "a 5 IN ALIAS x.example.net. ; x\n", {"a ALIAS": ["6", "y;z.example.net."], "b WEB": ["5", "1;2"]},
        ["- a 5 IN ALIAS x.example.net. ; x", r"+ a 6 IN ALIAS y\;z.example.net. ; x", r"+ b 5 IN WEB 1\;2"],
    ),
    "no line end at the end": (
        "$TTL 5\na A 192.0.2.1", {"b A": ["5", "192.0.2.2"]}, ["- a A 192.0.2.1", "+ a A 192.0.2.1", "+ b A 192.0.2.2"],
    ),
    "line ends of Windows": (
        "$TTL 5\r\na A 192.0.2.1\r\n", {"b A": ["5", "192.0.2.2"], "c TXT": ["5", f'"{LONG}" "y"']},
        ["+ b A 192.0.2.2\r", "+ c TXT (\r", f'+     "{LONG}"\r', '+     "y"\r', "+ )\r"],
    ),
    "signatures and what the service owns": (
        f"$TTL 5\n@ SOA ns h 1 2 3 4 5\n  NS ns.example.net.\na A 192.0.2.1\n  RRSIG {SIGNATURE}\n",
        {"a A": None},
        ["- a A 192.0.2.1", f"-   RRSIG {SIGNATURE}", f"+ a RRSIG {SIGNATURE}"],
    ),
    "the only set that has its TTL from $TTL": (
        "$TTL 1h\na A 192.0.2.1\n", {"a A": ["60", "192.0.2.1"]}, ["- a A 192.0.2.1", "+ a 60 A 192.0.2.1"],
    ),
    "hosts as the line above has them": (
        "$TTL 5\na CNAME x\nb CNAME y.example.com.\n", {"c CNAME": ["5", "z.example.com."]},
        ["+ c CNAME z.example.com."],
    ),
}  # fmt: skip


@named_rows("text, change, expected", EDITS)
def test_only_what_has_to_change_does(text, change, expected):
    zone = changed(text, change)
    new = written_over(text, ZONE, zone)
    assert sorted(differences(text, new)) == sorted(expected)
    assert as_sets(read_zone_file(new, ZONE)) == as_sets(zone)
    assert written_over(new, ZONE, zone) == new


SAME = {
    "all kinds of lines": FILE,
    "a byte order mark": "\ufeff" + FILE,
    "no line end at the end": FILE[:-1],
}


@named_rows("text", SAME)
def test_a_file_of_the_same_zone_stays_to_the_byte(text):
    assert written_over(text, ZONE, reversed(changed(text, {}))) == text


def test_what_the_service_owns_is_no_reason_to_change_anything():
    others = rows(
        "@ 5 SOA ns9.example.net. x. 9 9 9 9 9",
        "@ 5 NS ns9.example.net.",
        "@ 5 DNSKEY 257 3 13 AAAA",
    )
    assert written_over(FILE, ZONE, [*changed(FILE, {}), *others]) == FILE


@pytest.mark.parametrize("head", ["; our zone\n", "; our zone", "\ufeff; our zone\n", "\n"])
def test_a_file_without_records_gets_the_zone_below_its_comments(head):
    zone = rows("a 5 A 192.0.2.1")
    between = ("\n" if head.endswith("\n") else "\n\n") if head.strip("\ufeff\n") else ""
    assert written_over(head, ZONE, zone) == head.removeprefix(
        "\ufeff"
    ) + between + pretty_zone_file(zone, ZONE)


def test_comments_above_what_is_gone_stay():
    text = "$TTL 5\n; one\n;  two\nold A 192.0.2.1 ; the shop\nb A 192.0.2.2\n"
    new = written_over(text, ZONE, changed(text, {"old A": None}))
    assert new == "$TTL 5\n; one\n;  two\nb A 192.0.2.2\n"


REFUSED = {
    "a value": (
        {"host2.lab A": ["3600", "192.0.2.9"]},
        "host2.lab.example.com. A cannot be edited in place, because line 24 of the zone file makes it with $GENERATE",
    ),
    "a TTL, and a set that is gone": (
        {"host1.lab A": None, "host2.lab A": ["60", "192.0.2.2"]},
        "the zone has no such set, so edit that line by hand; host2.lab.example.com. A cannot be edited in place",
    ),
}


@named_rows("change, message", REFUSED)
def test_what_is_generated_is_not_edited(change, message):
    with pytest.raises(InvalidZoneFile, match=re.escape(message)):
        written_over(FILE, ZONE, changed(FILE, change))


def test_what_is_generated_can_be_added_to():
    new = written_over(
        FILE, ZONE, changed(FILE, {"host2.lab A": ["3600", "192.0.2.2", "192.0.2.9"]})
    )
    assert differences(FILE, new) == ["+ host2 3600 IN A 192.0.2.9"]


def test_a_file_that_cannot_be_read_is_not_written_over():
    with pytest.raises(InvalidZoneFile, match=r"line 1 of the zone file cannot be used: "):
        written_over("$INCLUDE other\n", ZONE, [])


@pytest.mark.parametrize(
    "odd",
    [
        rows("www 300 MXE 192.0.2.1"),
        rows("www 300 CNAME http://a.example.net."),
        rows("http://www.example.com. 300 A 192.0.2.1"),
    ],
)
def test_what_a_zone_holds_is_written_and_written_over_however_odd_it_is(
    odd,
):
    sane = rows("mail 300 A 192.0.2.2")
    text = written_over("; the zone\n", ZONE, odd + sane)
    assert written_over(text, ZONE, odd + sane) == text
    assert differences(text, written_over(text, ZONE, odd))
    less = written_over(text, ZONE, sane)
    assert written_over(less, ZONE, sane) == less
    with pytest.raises(InvalidZoneFile):
        read_zone_file(text, ZONE)


# Parts

PARTS = {
    "zones/mail.zone": "$TTL 60\n@ MX 10 mail\nmail A 192.0.2.1\n",
    "zones/web.zone": "$TTL 60\n; web\nwww A 192.0.2.2\n$INCLUDE hosts\nnas A 192.0.2.9\n",
}
INCLUDED = Included("zones", {"hosts": {"text": "box A 192.0.2.7\n"}})
OF_PARTS = (
    "@ 60 MX 10 mail.example.com.",
    "mail 60 A 192.0.2.1",
    "www 60 A 192.0.2.2",
    "box 60 A 192.0.2.7",
    "nas 60 A 192.0.2.9",
)


def over_parts(*lines):
    return parts_written_over(PARTS, ZONE, rows(*lines), included=INCLUDED)


def test_the_parts_of_the_same_zone_stay_to_the_byte():
    assert over_parts(*OF_PARTS) == PARTS


def test_a_set_stays_in_its_part_and_a_new_one_goes_to_that_of_the_name_before_it():
    new = over_parts(
        *OF_PARTS[:2],
        "_smtp._tcp.mail 60 TXT x",
        "www2 60 A 192.0.2.3",
        "www 60 A 192.0.2.22",
        *OF_PARTS[3:],
    )
    assert new["zones/mail.zone"] == PARTS["zones/mail.zone"] + '_smtp._tcp.mail TXT "x"\n'
    assert (
        new["zones/web.zone"]
        == "$TTL 60\n; web\nwww A 192.0.2.22\nwww2 A 192.0.2.3\n$INCLUDE hosts\nnas A 192.0.2.9\n"
    )


def test_what_is_included_is_not_edited():
    message = "box.example.com. A cannot be edited in place, because line 1 of zones/hosts is in an included file: the"
    with pytest.raises(InvalidZoneFile, match=re.escape(message)):
        over_parts(*OF_PARTS[:3], OF_PARTS[4])


def test_a_part_that_is_empty_stays_so():
    texts = {"a": "", "b": "$TTL 60\nwww A 192.0.2.1\n"}
    new = parts_written_over(texts, ZONE, rows("www 60 A 192.0.2.1", "x 60 A 192.0.2.1"))
    assert new == {"a": "", "b": "$TTL 60\nwww A 192.0.2.1\nx A 192.0.2.1\n"}


# Any zones


@given(zones(), zones())
@settings(max_examples=some(100), deadline=None)
@example(
    [{"name": "a.example.com.", "type": "X-OPAQUE", "ttl": 0, "content": [")"]}],
    [{"name": "a.example.com.", "type": "X-OPAQUE", "ttl": 0, "content": ["0"]}],
)
def test_any_zone_is_written_over_any_other(before, after):
    for style in (pretty_zone_file, write_zone_file):
        text = style(before, ZONE)
        assert written_over(text, ZONE, before) == text
        new = written_over(text, ZONE, after)
        assert as_sets(read_zone_file(new, ZONE)) == as_sets(after)
