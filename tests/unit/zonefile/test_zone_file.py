# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone files in and out: text to entries and back, the line of every error, and BIND as the judge where it is there."""

import pathlib
import re
import shlex
import subprocess
from functools import partial

import pytest
from ansible.errors import AnsibleFilterError
from any_edit import OF_BIND, edited, edited_zone, zone_of
from any_zone import as_sets, zones
from any_zone_file import ZoneFile
from examples import some
from hypothesis import given, settings
from hypothesis import strategies as st
from one_file import lines, read_zone_file, refused
from read_by_bind import NO_CHECKS, as_read_by_bind, data, read_by_bind, without_ttls
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.filter import from_zone_file as reading_filter
from ansible_collections.zonesmith.dns.plugins.filter import to_zone_file as writing_filter
from ansible_collections.zonesmith.dns.plugins.filter.findings import findings
from ansible_collections.zonesmith.dns.plugins.filter.ptr_records import ptr_records
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import relative_name
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile import zone_file as _zone_file
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import (
    InvalidZoneFile,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_text import (
    pretty_zone_file,
    write_zone_file,
)
from ansible_collections.zonesmith.dns.plugins.plugin_utils import _filter_zones

ZONE = "example.com."
REVERSE = "2.0.192.in-addr.arpa."
FILES = pathlib.Path(__file__).parents[1] / "zone_files"
STYLES = {
    "bind_tutorial": (ZONE, 10, 11),
    "ttl_units_blank_owners": (ZONE, 10, 11),
    "dkim": (ZONE, 8, 9),
    "reverse": (REVERSE, 11, 12),
    "services": (ZONE, 21, 26),
    "origins": (ZONE, 12, 12),
}
"""Each style with its zone, and how many sets and values it holds without SOA and NS at the apex."""

style = pytest.mark.parametrize("style", STYLES)
SOA = {
    "name": "@",
    "type": "SOA",
    "ttl": 3600,
    "contents": ["ns1.example.net. hostmaster.example.net. 1 2 3 4 5"],
}
NS = {"name": "@", "type": "NS", "ttl": 3600, "contents": ["ns1.example.net.", "ns2.example.net."]}


def text_of(style):
    return (FILES / f"{style}.zone").read_text(encoding="utf-8")


# Reading


@style
def test_reads_each_style_whole(style):
    zone, sets, values = STYLES[style]
    entries = read_zone_file(text_of(style), zone)
    assert (len(entries), len(lines(entries))) == (sets, values)
    assert len({(entry["name"], entry["type"]) for entry in entries}) == sets
    assert not [
        e for e in entries if e["type"] == "SOA" or (e["type"] == "NS" and e["name"] == zone)
    ]


SIGNED = "13 3 5 20300101000000 20200101000000 1 "
READS = {
    "line ends of Windows": (
        "$TTL 5\r\nwww A 192.0.2.1\r\n  A 192.0.2.2\r\n",
        "www 5 A 192.0.2.1\nwww 5 A 192.0.2.2",
    ),
    "line ends of old Macs": (
        "$TTL 5\rwww TXT x\r\r  A 192.0.2.2\r",
        'www 5 TXT "x"\nwww 5 A 192.0.2.2',
    ),
    "the last TTL where no $TTL is": (
        "a 60 A 192.0.2.1\nb A 192.0.2.2",
        "a 60 A 192.0.2.1\nb 60 A 192.0.2.2",
    ),
    "the minimum of the SOA where no TTL is": (
        "@ SOA ns h 1 2 3 4 77\na A 192.0.2.1",
        "a 77 A 192.0.2.1",
    ),
    "the TTL of the SOA, not its minimum": (
        "@ 60 SOA ns h 1 2 3 4 77\na A 192.0.2.1",
        "a 60 A 192.0.2.1",
    ),
    "the default of a file outlasts the TTL of a record": (
        "$TTL 5\na 300 A 192.0.2.1\nb A 192.0.2.2",
        "a 300 A 192.0.2.1\nb 5 A 192.0.2.2",
    ),
    "the zone's name twice, where the file says so": (
        "example.com.example.com. 5 A 192.0.2.2\n  MX 1 a.\n$ORIGIN example.com.example.com.\nwww A 192.0.2.3",
        "example.com 5 A 192.0.2.2\nexample.com 5 MX 1 a.\nwww.example.com 5 A 192.0.2.3",
    ),
    "a TTL of many units, in any case": ("a 1w2D3h4M5s A 192.0.2.1", "a 788645 A 192.0.2.1"),
    "a blank owner": (
        "a 5 A 192.0.2.1\n\n; between\n\tAAAA 2001:db8::1",
        "a 5 A 192.0.2.1\na 5 AAAA 2001:db8::1",
    ),
    "a value spelled in two ways is one": (
        "a 5 AAAA 2001:db8::1\na 5 AAAA 2001:DB8:0::1",
        "a 5 AAAA 2001:db8::1",
    ),
    "two TTLs in one set: the lowest": (
        "a 7 A 192.0.2.1\na 5 A 192.0.2.2",
        "a 5 A 192.0.2.1\na 5 A 192.0.2.2",
    ),
    "no TTL behind two in one set: the last": (
        "a 5 A 192.0.2.1\na 7 A 192.0.2.2\nb A 192.0.2.1",
        "a 5 A 192.0.2.1\na 5 A 192.0.2.2\nb 7 A 192.0.2.1",
    ),
    "a host with a dot inside is relative too": (
        "a 5 MX 10 mail.eu",
        "a 5 MX 10 mail.eu.example.com.",
    ),
    "@ in a value is the origin": ("$ORIGIN eu\na 5 CNAME @", "a.eu 5 CNAME eu.example.com."),
    "an origin above the zone": ("$ORIGIN com.\nwww.example 5 A 192.0.2.1", "www 5 A 192.0.2.1"),
    "parentheses": (
        "a 5 TXT ( one ; comment\n\n  two\n)\nb 5 A 192.0.2.1",
        'a 5 TXT "onetwo"\nb 5 A 192.0.2.1',
    ),
    "a label that is an escaped @": (r"\@.a 5 CNAME \@.b", r"\@.a 5 CNAME \@.b.example.com."),
    "a type that is not known, on a full line": (
        "a 5 IN ALIAS b.example.net.",
        "a 5 ALIAS b.example.net.",
    ),
    "a comment after a type that is not known": (
        "@ 300 IN ALIAS target. ; old",
        "@ 300 ALIAS target.",
    ),
    "a semicolon in quotes of a type that is not known": (
        r'a 5 IN WEB "x;y" "\";z" ; "old"',
        r'a 5 WEB "x;y" "\";z"',
    ),
    "an escaped semicolon of a type that is not known": (r"a 5 IN WEB x\;y;z", "a 5 WEB x;y"),
    "quotes that stay open, of a type that is not known": ('a 5 IN WEB 5" ;x', 'a 5 WEB 5" ;x'),
    "a signed zone": (
        f"a 5 CNAME b\na 5 RRSIG CNAME {SIGNED}@ AAAA\na 5 RRSIG NSEC {SIGNED}@ AAAA\na 5 NSEC b CNAME",
        "a 5 CNAME b.example.com.",
    ),
    "what signs the zone is left out": (
        f"$TTL 5\n@ DNSKEY 257 3 13 AAAA\n@ CDS 0 0 0 00\n@ RRSIG SOA {SIGNED}@ AAAA\n@ NSEC3PARAM 1 0 0 -\n"
        f"@ ZONEMD 1 1 1 {'ab' * 48}\n@ TYPE65534 \\# 5 0d00010001\n"
        "a A 192.0.2.1\nlab DS 1 13 2 " + "ab" * 32,
        "a 5 A 192.0.2.1\nlab 5 DS 1 13 2 " + "ab" * 32,
    ),
    "SOA and NS at the apex are left out": (
        "@ 5 SOA ns h 1 2 3 4 5\n@ 5 NS ns\nExample.com. 5 NS ns2\n@ 5 A 192.0.2.1",
        "@ 5 A 192.0.2.1",
    ),
}


@named_rows("text, expected", READS)
def test_reads(text, expected):
    assert lines(read_zone_file(text, ZONE)) == expected.splitlines()


def test_what_signs_the_zone_is_left_out_with_a_warning():
    warnings = []
    read_zone_file(
        f"$TTL 5\n@ NSEC a A\na RRSIG A {SIGNED}@ AAAA\n@ RRSIG NSEC {SIGNED}@ AAAA\n",
        ZONE,
        warnings,
    )
    start = "the records of the zone file that sign the zone are left out (1 NSEC, 2 RRSIG): "
    assert warnings[0].startswith(start)


CUT = "because what follows the ; is a comment: put the whole value in quotes if it belongs to the value"
MARK = "it is a merge conflict marker of git: keep one version, without the markers"
BLANK = "a line that begins with a space has the owner name of the record before it, so write its own name without"
LONG = "a text in it has more than 255 bytes, so write several, each in quotes, separated by spaces"
NEVER_MEANT = [
    ("# a comment", "a comment begins with ;, not with #"),
    (
        "b A 192.0.2.1 # web",
        "b A: '192.0.2.1 # web' is not a value of type A: a comment begins with ;, not with #; ",
    ),
    (
        "b A 192.0.2.1 // web",
        "b A: '192.0.2.1 // web' is not a value of type A: a comment begins with ;, not with //; ",
    ),
    ("_dmarc IN DMARC ( x )", "_dmarc DMARC: DMARC is not a known record type: write TXT"),
    ("d._domainkey IN DKIM ( x )", "d._domainkey DKIM: DKIM is not a known record type: write TXT"),
    (
        "b\u20131 A 192.0.2.1",
        "b\u20131 A: a name in it cannot be written in A-labels (Codepoint U+2013",
    ),
    ("<<<<<<< HEAD", MARK),
    ("\0\0", "its character 1 is U+0000, which is invisible: leave it out"),
    (
        "b\u00a0A 192.0.2.1",
        "its character 2 is U+00A0, which is invisible: leave it out, or write a normal space",
    ),
    ('b CAA 0 "\u00a0" x', "b CAA: "),
    (f'b TXT "{"x" * 256}"', f"b TXT: '\"{'x' * 256}\"' is not a value of type TXT: {LONG}"),
]


def test_a_name_behind_a_space_is_told_as_one():
    told = refused("$TTL 5\na A 192.0.2.1\n  www A 192.0.2.1\n")
    assert told.startswith("line 3 of the zone file cannot be used: a WWW: www is not a known")
    assert told.endswith(BLANK + " the space")


@pytest.mark.parametrize("line, told", NEVER_MEANT)
def test_a_line_that_was_never_meant_as_a_record_is_told_as_what_it_is(line, told):
    found = refused(f"$TTL 5\na A 192.0.2.1\n{line}\nc A 192.0.2.1\n")
    assert found.startswith(f"line 3 of the zone file cannot be used: {told}")


TEMPLATE = (
    "a zone file is not a template: use records, with the filter from_zone_file and lookup('ansible.builtin.template', "
    "...)"
)
OTHER_FILES = {
    "\n <!DOCTYPE html>\n<html>": "it is a web page, not a zone file",
    '{"records": [{"name": "www"}]}': "it is JSON, not a zone file: ",
    '[\n  {"name": "www"}\n]': "it is JSON, not a zone file: ",
    "name,type,ttl,content\nwww,A,300,192.0.2.1": "it is CSV, not a zone file: ",
    '"Name";"Type";"Value"\r\n"www";"A";"192.0.2.1"': "it is CSV, not a zone file: ",
    "// main\n# more\n\noptions {\n  recursion no;\n};": (
        "it is the configuration of a name server, not a zone file: "
    ),
    "/* one\n two */\nzone example.com IN {\n};": (
        "it is the configuration of a name server, not a zone file: "
    ),
    "# ours\n- name: www\n  type: A": "it is YAML, not a zone file: ",
    "records:\n  - name: www": "it is YAML, not a zone file: ",
    "\udcff\udcfea\0 \0": ("it is UTF-16 text: convert it with 'iconv -f utf-16 -t utf-8'"),
    'a 5 A 192.0.2.1 ; gr\udcfc\nb 5 TXT "; gr\udcfcn"': (
        "line 2 is not UTF-8 text: if the file is in windows-1252, convert it with 'iconv -f windows-1252 -t utf-8'"
    ),
}


@pytest.mark.parametrize("text, said", OTHER_FILES.items())
def test_a_file_of_another_kind_is_told_as_what_it_is(text, said):
    assert refused(text).startswith(f"the zone file cannot be used: {said}")


@pytest.mark.parametrize("line", ["a A {{ web_ip }}", "{% for one in all %}", "b MX ; {{ x }}"])
def test_a_template_is_told_as_one(line):
    text = f"$TTL 5\n; {{{{ ansible_managed }}}}\n{line}\n"
    assert refused(text) == f"line 3 of the zone file cannot be used: {TEMPLATE}"


def test_a_file_keeps_braces_and_warns():
    warnings = []
    text = '; {{ y }}\na 5 TXT "{a} { %"\nb 5 TXT "{{ x }}"\n'
    kept = ['a 5 TXT "{a} { %"', 'b 5 TXT "{{ x }}"']
    assert lines(read_zone_file(text, ZONE, warnings=warnings)) == kept
    assert warnings == [
        "1 line of the zone file had {{ }} or {% %}, which is kept as it is: a zone file is not a template"
    ]


def test_anything_may_stand_in_a_comment():
    text = "a 5 A 192.0.2.1 ; \udce9 \0 \x1a \u00a0 \u201cx\u201d\n; \udcff\n"
    assert lines(read_zone_file(text, ZONE)) == ["a 5 A 192.0.2.1"]


# Each row: a file, its lines of name and TTL, what the warnings say of it, and the ttl of the task.
EXPORTED = {
    "Cloudflare": (
        (
            "@ 86400 NS ns1\n@ 3600 SOA ns1 h 1 2 3 4 5\na 1 A 192.0.2.1 ; cf_tags=cf-proxied:true\n"
            "b 1 A 192.0.2.1 ; cf_tags=cf-proxied:false\nc 300 A 192.0.2.1 ; x cf_tags=cf-proxied:true"
        ),
        {"a": 3600, "b": 3600, "c": 300},
        [
            "2 lines of the zone file had cf-proxied:true, ",
            "2 sets of the zone file had the TTL 1, which Cloudflare exports for automatic: 3600 is used",
        ],
        None,
    ),
    "Cloudflare, which writes the name of the SOA without its dot": (
        "example.com\t3600\tIN\tSOA\ta.example.net. dns.example.net. 1 2 3 4 5\n\t60 IN A 192.0.2.1\n",
        {"@": 60},
        [],
        None,
    ),
    "Cloudflare without tags": (
        "a 1 A 192.0.2.1\nb 1 A 192.0.2.1",
        {"a": 60, "b": 60},
        [
            "2 sets of the zone file had the TTL 1, which Cloudflare exports for automatic: 60 is used"
        ],
        60,
    ),
    "a TTL of 1 beside others": (
        "a 1 A 192.0.2.1\nb 5 A 192.0.2.1",
        {"a": 1, "b": 5},
        [],
        None,
    ),
    "decimal escapes": (
        (
            '\\042.apps 5 A 192.0.2.1\na\\032b 5 TXT "\\195\\188 \\040"\n'
            "b 5 RP john\\046doe .\nc\\095\\040 5 A 192.0.2.1\n\\195\\188 5 TXT x\n\\052.lab 5 A 192.0.2.1"
        ),
        {"*.apps": 5, "4.lab": 5, "a\\032b": 5, "b": 5, "c_\\(": 5, "\\195\\188": 5},
        [],
        None,
    ),
}


@named_rows("text, ttls, said, ttl", EXPORTED)
def test_what_a_program_exported_is_told(text, ttls, said, ttl):
    warnings = []
    found = {
        relative_name(one["name"], ZONE): one["ttl"]
        for one in read_zone_file(text, ZONE, warnings, default_ttl=ttl)
    }
    assert found == ttls
    assert len(warnings) == len(said)
    for warning, start in zip(warnings, said, strict=True):
        assert warning.startswith(start)


@pytest.mark.parametrize("text", ["", "\n", "; all gone\n", "$TTL 5\n"])
def test_a_file_without_records_gets_a_warning(text):
    warnings = []
    assert read_zone_file(text, ZONE, warnings, place="a.zone") == []
    assert warnings == ["a.zone holds no records"]


JOINED = "put the whole value in quotes if you want the spaces"
# Each row: a line of a file, and the warning that it gets, if any.
WARNED = [
    ("k TXT v=DMARC1; p=reject", f'its value is "v=DMARC1", {CUT}'),
    ("k TXT v=DKIM1; t = y", f'its value is "v=DKIM1", {CUT}'),
    ("k CAA 0 issue ca.example.net; account=230", f'its value is 0 issue "ca.example.net", {CUT}'),
    ("k TXT v=DMARC1;", None),
    ('k TXT "v=DMARC1" ; p=reject', None),
    ("k TXT v=DMARC1 ; see RFC 7489", None),
    ("k A 192.0.2.1 ; owner=bob", None),
    (
        "k TXT verification code 12345",
        f'its strings are joined without spaces, "verificationcode12345": {JOINED}',
    ),
    ("k SPF v=spf1 -all", f'its strings are joined without spaces, "v=spf1-all": {JOINED}'),
    ('k TXT "verification code" " 12345"', None),
]


@pytest.mark.parametrize("line, told", WARNED)
def test_a_text_that_loses_its_end_or_its_spaces_gets_a_warning(line, told):
    warnings = []
    read_zone_file(f"$TTL 5\n{line}\n", ZONE, warnings)
    where = f"line 2 of the zone file, k.example.com. {line.split()[1]}"
    assert warnings == ([f"{where}: {told}"] if told else [])


GOOD = "$TTL 300\na A 192.0.2.1\n"  # two lines that every error comes after

TWICE = "cannot be used: it ends in the name of the zone twice: write "
ERRORS = {
    "after empty lines and comments": ("\n; comment\n\nb A 192.0.2.999 ; x", 6, "999 is above 255"),
    "in a record over several lines": (
        "b SOA ns h (\n1 2 3\n4 x )\nc A 192.0.2.1",
        3,
        "a TTL in it is neither",
    ),
    "parentheses that stay open": (
        "b TXT ( a\n b\nc A 192.0.2.1",
        3,
        "a parenthesis is not closed",
    ),
    "parentheses in parentheses": (
        "b TXT ( ( a )\n b )\nc A 192.0.2.999",
        5,
        "999 is above 255",
    ),
    "parentheses that were not open": ("b TXT a )", 3, ""),
    "quotes that stay open": ('b TXT "a\nc A 192.0.2.1', 3, "has to end on its line"),
    "a name alone": ("b", 3, "it has no type"),
    "a type of queries": ("b IN AXFR x", 3, ""),
    "an unknown unit in $TTL": (
        "$TTL 5y",
        3,
        "a TTL in it is neither in seconds nor as in 5m or 1h30m",
    ),
    "an origin outside the zone": (
        "$ORIGIN example.net.\nwww A 192.0.2.1",
        4,
        "not inside the zone example.com.",
    ),
    "the zone's name twice": (
        "b.example.com A 192.0.2.1",
        3,
        f"b.example.com A: name 'b.example.com' {TWICE}",
    ),
    "$INCLUDE": (
        "$INCLUDE other.zone",
        3,
        "$INCLUDE is not followed in a text or an included file: use the file as src, or merge the files into one",
    ),
    "a name in quotes": ('"b" 5 A 192.0.2.1', 3, "a name is written without quotes"),
    "an unknown directive": ("$MAGIC on", 3, "$MAGIC is not a known directive"),
}


@named_rows("text, line, reason", ERRORS)
def test_an_error_names_the_line(text, line, reason):
    told = refused(GOOD + text)
    assert told.startswith(f"line {line} of the zone file cannot be used: ")
    assert reason in told


NONE = "is not a value of type"
# Each line, what is said of it up to the reason, and how that begins.
NAMED = [
    ("\tA 192.0.2.999", f"a A: '192.0.2.999' {NONE} A", "999 is above 255"),
    ("@ 5m IN MX mail ; x", f"@ MX: 'mail' {NONE} MX", "a number is missing or misspelled"),
    ("B in 5M mx 1 mail x", f"B MX: '1 mail x' {NONE} MX", "x is unexpected"),
    ('b CAA 0 x "a  b" c', f"b CAA: '0 x \"a  b\" c' {NONE} CAA", "c is unexpected"),
    ('b TXT "a" "b', "b TXT", "a text in double quotes has to end on its line"),
    (
        r'b NAPTR 1 1 "u" "s" "!^(.*)$!sip:\1!" .',
        rf"""b NAPTR: '1 1 "u" "s" "!^(.*)$!sip:\1!" .' {NONE} NAPTR""",
        r"\1 at character 26 is not an escape",
    ),
    (r"b\ c A x", rf"b\ c A: 'x' {NONE} A", "it is a name"),
    ("b CNAME .", f"b CNAME: '.' {NONE} CNAME", "its host is a dot alone, the root"),
    ("b A ( 192.0.2.999", "b A", "a parenthesis is not closed"),
    ("b 2147483648 A 192.0.2.1", "b A", "its TTL is 2147483648"),
    (
        "b.example.net. A 192.0.2.1",
        "b.example.net. A: name 'b.example.net.' is not inside the zone example.com.",
        "mend it, or the $ORIGIN above it",
    ),
    ("\x1b[2J A x", rf"\x1b[2J A: 'x' {NONE} A", "it is a name"),
    ("$GENERATE 255-256 h$ 5 IN A 192.0.2.$", f"h$ A: '192.0.2.256' {NONE} A", "256 is above 255"),
]


@pytest.mark.parametrize("line, named, reason", NAMED)
def test_an_error_names_the_record_and_the_value_that_is_at_fault(line, named, reason):
    begin = f"line 3 of the zone file cannot be used: {named}: {reason}"
    assert refused(GOOD + line).startswith(begin)


def test_no_word_of_a_file_without_records_is_shown():
    told = refused("-----BEGIN\nMC4CAQAwBQYDK2VwBCIEI\nHush\n")
    assert told.endswith(": line 1: it has no type; line 2: it has no type; line 3: it has no type")


# Every bad line of a file, as its number and what is said begins. Nobody reads on after some.
ALL_BAD = {
    "four kinds": (
        "w A 999.1.1.1\nx FOO bar\n@ MX mail\ngood A 192.0.2.1\ny CNAME 1.2.3.4",
        [
            "3: 999 is above",
            "4: FOO is not a known",
            "5: a number is missing",
            "7: 1.2.3.4 is an address",
        ],
    ),
    "parentheses that are closed": (
        '@ SOA ns h (\n x ; ( " serial\n 3 4 5 6 )\nx FOO ( bar\n 1 ) ; x\ny A 1',
        ["3: a number is missing", "6: FOO is not a known", "8: it has less"],
    ),
    "parentheses that are not": (
        "w A 1\nx A ( 192.0.2.999\ny A 2\nz A 3",
        ["3: it has less", "4: a parenthesis is not closed"],
    ),
    "quotes that are not": (
        'w A 1\nx TXT "a\ny A 2',
        ["3: it has less", "4: a text in double quotes"],
    ),
    "an origin": (
        "w A 1\n$ORIGIN a..b\nx A 2",
        ["3: it has less", "4: a name in it has an empty"],
    ),
    "other directives": (
        "$INCLUDE x\n$GENERATE 1-3 n$ FOO x\n$GENERATE 9-1 n$ A 1\n$TTL\n$MAGIC\ny A 1",
        [
            "3: $INCLUDE is not followed",
            "4: FOO is not a known",
            "5: $GENERATE takes a range",
            "6: $TTL takes one word",
            "7: $MAGIC is not",
            "8: it has less",
        ],
    ),
}


@named_rows("text, told", ALL_BAD)
def test_every_bad_line_is_named(text, told):
    head, *lines = re.split(r"(?:: |; )line ", refused(GOOD + text))
    assert head == f"{len(told)} lines of the zone file cannot be used"
    lines = [
        re.sub(rf"^([0-9]+: )\S+ [A-Z]+: ('.*' {NONE} [A-Z]+: )?", r"\1", line) for line in lines
    ]
    assert [line[: len(start)] for line, start in zip(lines, told, strict=True)] == told


def test_a_line_that_ends_before_it_began_is_one_line():
    told = refused(")\nw 5 A 1\nx 5 A 192.0.2.1")
    assert re.match(r"2 lines of the zone file cannot be used: line 1: .*; line 2: ", told)


def test_the_reasons_of_ten_bad_lines_are_told_and_the_others_counted():
    told = refused("$TTL 5\n" + "a A x\n" * 13)
    assert told.startswith("13 lines of the zone file cannot be used: line 2: a A: 'x' ")
    assert told.endswith("; and 3 more")
    assert told.count("; line ") == 9


def test_a_file_of_another_kind_is_not_read_to_its_end():
    told = refused("a|b|c\n" * 5000)
    assert re.match(r"1000 lines .*; and 990 more$", told)


ONE_CAUSE = {
    "no TTL, told once": ("a A 192.0.2.1\nb A 192.0.2.2\nc A 192.0.2.3", ["line 1"]),
    "a TTL that is none": ("$TTL 5y\na A 192.0.2.1", ["line 1"]),
    "a TTL on a line that is refused": (
        "a..b 300 A 192.0.2.1\nc A 192.0.2.1\nd A x",
        ["line 1", "line 3"],
    ),
    "no TTL after a number in a value": ("a IN A x 5\nb A 192.0.2.1", ["line 1", "line 2"]),
}


@named_rows("text, told", ONE_CAUSE)
def test_what_follows_from_a_bad_line_is_not_told(text, told):
    assert re.findall(r"line [0-9]+", refused(text)) == told


TYPES = {
    "b IN BOGUS x": "BOGUS is not a known record type: if the service has it, write the whole line, as in 'www 300 IN BOGUS ...'",
    "b 3OO IN A 192.0.2.1": "3OO is neither a TTL, such as 300 or 1h30m, nor a known record type",
    "b 60 IN 192.0.2.1": "192.0.2.1 is not a known record type",
    "export AWS_SECRET=abc": "there is no known record type where one belongs",
    "b TYPE99999 x": "TYPE99999 is not a known record type",
}


@pytest.mark.parametrize("line, said", TYPES.items(), ids=TYPES)
def test_no_word_of_the_library_is_said(line, said):
    assert refused(GOOD + line).endswith(said)


@pytest.mark.parametrize(
    "line",
    [
        "the-secret",
        "password the-secret",
        "  password the-secret",
        "machine example.net login me password the-secret",
        "password: the-secret",
        "aws_secret_access_key = the-secret",
        "export TOKEN=the-secret",
        "key AKIAthe-secretIOSFODNN7EXAMPLE x",
        "me:x:0:0:the-secret:/root:/bin/sh",
        "-----BEGIN OPENSSH PRIVATE KEY-----\nthe-secret\n-----END OPENSSH PRIVATE KEY-----",
    ],
)
def test_a_file_of_credentials_is_not_quoted(line):
    assert "the-secret" not in refused(f"{line}\n").lower()


def test_two_ttls_of_one_set_are_told_with_their_lines():
    warnings = []
    text = (
        "a 300 A 192.0.2.1\na 600 A 192.0.2.2\na 700 A 192.0.2.3\na 900 TXT x\nb 300 A 192.0.2.1\n"
    )
    (entry, *_others) = read_zone_file(text, ZONE, warnings)
    assert entry["ttl"] == 300
    said = (
        "a set has one TTL (RFC 2181, section 5.2), so the lowest, 300, counts, not the 600 there"
    )
    assert warnings == [f"line 2 of the zone file, a.example.com. A: {said}"]


def test_not_more_sets_with_two_ttls_are_told_than_anybody_reads():
    warnings = []
    text = "".join(f"n{n} 5 A 192.0.2.1\nn{n} 6 A 192.0.2.2\n" for n in range(12))
    read_zone_file(text, ZONE, warnings)
    assert len(warnings) == 11
    assert warnings[-1] == "more warnings of this kind: 2 (see the zone file)"


def test_a_record_without_any_ttl_is_an_error():
    told = refused("; a file without $TTL\nwww A 192.0.2.1\n")
    assert told.startswith("line 2 of the zone file cannot be used: www A: the record has no TTL, ")


def test_a_line_is_as_long_as_the_longest_record_and_no_longer(monkeypatch):
    monkeypatch.setattr(_zone_file, "LONGEST_LINE", 20)
    assert read_zone_file("www 5 TXT ( a\n  b )", ZONE)
    for text in ("www 5 TXT ( a\n  bcd )", "$ORIGIN " + 13 * "x"):
        assert "it has more than 20 characters" in refused(text)


@pytest.mark.parametrize("text", ["a 5 TYPE{} x", "a 5 A {}", "${} x", "{} 5 A 192.0.2.1"])
def test_an_error_shows_a_long_word_in_part(text):
    assert len(refused(text.format("9" * 100_000))) < 800


# Writing


def test_writes_sorted_lines_one_a_value():
    records = [
        {"name": "www", "type": "A", "ttl": 300, "content": ["192.0.2.2", "192.0.2.1"]},
        {"name": "b.a", "type": "CNAME", "ttl": 60, "content": "www"},
        {"name": "WWW.example.com", "type": "aaaa", "ttl": 300, "value": "2001:DB8::1"},
        {"name": "@", "type": "MX", "content": ["mail"], "priority": 10},
        {"name": "0.b", "type": "A", "ttl": 60, "contents": ["192.0.2.9"]},
        {"name": "a", "type": "ALIAS", "ttl": 60, "content": ["x.example.net."]},
        NS,
        {"name": "www", "type": "A", "ttl": 300, "content": ["192.0.2.1"]},
        SOA,
    ]
    assert write_zone_file(records, ZONE).splitlines() == [
        "$ORIGIN example.com.",
        "@ 3600 IN SOA ns1.example.net. hostmaster.example.net. 1 2 3 4 5",
        "@ 3600 IN NS ns1.example.net.",
        "@ 3600 IN NS ns2.example.net.",
        "@ 3600 IN MX 10 mail.example.com.",
        "a 60 IN ALIAS x.example.net.",
        "b.a 60 IN CNAME www.example.com.",
        "0.b 60 IN A 192.0.2.9",
        "www 300 IN A 192.0.2.1",
        "www 300 IN A 192.0.2.2",
        "www 300 IN AAAA 2001:db8::1",
    ]


SPELLED = {
    "semicolons of a type that is not known": (
        {"type": "WEB", "content": ['a;b "c;d" ;e']},
        r'WEB a\;b "c;d" \;e',
    ),
    "a semicolon of a type that is known": ({"type": "TXT", "content": ["a;b"]}, 'TXT "a;b"'),
    "a preference of its own": (
        {"type": "MX", "priority": 7, "content": ["mail"]},
        "MX 7 mail.example.com.",
    ),
    "a set that is to go": ({"type": "A", "state": "absent"}, None),
    "the zone's name twice": (
        {"name": "www.example.com.example.com.", "type": "A", "content": ["192.0.2.1"]},
        "A 192.0.2.1",
    ),
}


@named_rows("entry, line", SPELLED)
def test_a_value_as_a_file_has_it(entry, line):
    (_origin, *lines) = write_zone_file([{"name": "www", "ttl": 5, **entry}], ZONE).splitlines()
    assert lines == ([] if line is None else [f"{entry.get('name', 'www')} 5 IN {line}"])


UNWRITABLE = {
    "no record": ("www A 192.0.2.1", "a record is a dictionary"),
    "a name outside": (
        {"name": "a.example.net.", "type": "A", "content": ["192.0.2.1"]},
        "a.example.net. A cannot be",
    ),
    "two lines": (
        {"name": "www", "type": "ALIAS", "content": ["x\ny A 192.0.2.1"]},
        "a value is one line",
    ),
    "an MX without preference": (
        {"name": "www", "type": "MX", "contents": ["mail."]},
        "www.example.com. MX cannot .* preference",
    ),
}
MASK = "********"
WHOLE = "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER"
MASKED = {
    "a value": {"name": "www", "type": "TXT", "content": ["good", MASK]},
    "a name": {"name": f"{MASK}.example.com.", "type": "A", "content": ["192.0.2.1"]},
    "a value in full": {"name": "www", "type": "TXT", "contents": [f"a {WHOLE}"]},
}


@named_rows("record", MASKED)
def test_what_ansible_has_masked_is_not_written(record):
    with pytest.raises(
        InvalidZoneFile,
        match=r"cannot be written to a zone file: it holds \S+, which Ansible writes instead of a",
    ):
        write_zone_file([NS, record], ZONE)


def test_fewer_asterisks_are_no_mask():
    values = ["*******", "* * * * * * * *", "value_specified"]
    record = {"name": "*.a", "type": "TXT", "ttl": 5, "content": values}
    assert len(write_zone_file([record], ZONE).splitlines()) == 4


@named_rows("record, reason", UNWRITABLE)
def test_what_cannot_be_written(record, reason):
    with pytest.raises(InvalidZoneFile, match=reason):
        write_zone_file([NS, record], ZONE)


@pytest.mark.parametrize("character", "\x01\x0b\x1b\x7f\x85\u202e\u2028\ufeff\udcff")
def test_an_invisible_character_is_not_written(character):
    record = {"name": "www", "type": "ALIAS", "content": ["good", f"a{character}b"]}
    with pytest.raises(
        InvalidZoneFile,
        match=r"^www.example.com. ALIAS cannot be written to a zone file: a value contains invisible characters$",
    ):
        write_zone_file([record], ZONE)


# Any zone


@pytest.mark.parametrize("write", [write_zone_file, pretty_zone_file])
@given(zones(), st.randoms(use_true_random=False))
@settings(max_examples=some(150), deadline=None)
def test_any_zone_reads_back_as_it_was(write, zone, rng):
    text = write(zone, ZONE)
    assert as_sets(read_zone_file(text, ZONE)) == as_sets(zone)
    assert write(rng.sample(zone, len(zone)), ZONE) == text


# BIND


OWNED = (
    "@ 3600 SOA ns1.example.net. hostmaster.example.net. 1 2 3 4 5\n@ 3600 NS ns1.example.net.\n"
)
"""What BIND asks for, and a person's file has as comments."""

WRITINGS = {
    "plain": lambda entries, zone: write_zone_file([*entries, SOA, NS], zone),
    "pretty": lambda entries, zone: OWNED + pretty_zone_file(entries, zone),
}


@style
@pytest.mark.parametrize("written", [None, *WRITINGS])
def test_bind_reads_each_style_as_we_do(style, written, checkzone, tmp_path):
    zone = STYLES[style][0]
    entries = read_zone_file(text_of(style), zone)
    text = WRITINGS[written](entries, zone) if written else text_of(style)
    assert read_by_bind(checkzone, text, zone, tmp_path / "zone") == as_read_by_bind(entries)


FILES_IN_A_TEST = 30


@pytest.mark.parametrize("first", range(0, some(300), FILES_IN_A_TEST))
def test_bind_reads_any_file_that_was_edited_as_we_do(first, checkzone, tmp_path):
    for seed in range(first, first + FILES_IN_A_TEST):
        text = ZoneFile(seed).text
        zone = edited_zone(zone_of(text), seed, OF_BIND)
        if (new := edited(text, zone)) is not None:
            expected = as_read_by_bind({**one, "content": one["contents"]} for one in zone)
            found = read_by_bind(checkzone, new, ZONE, tmp_path / "zone", NO_CHECKS)
            assert not isinstance(found, str), f"{seed}\n{new}"
            warnings = []
            read_zone_file(new, ZONE, warnings)
            assert without_ttls(found, warnings) == without_ttls(expected, warnings), (
                f"{seed}\n{new}"
            )


@pytest.mark.parametrize("first", range(0, some(900), FILES_IN_A_TEST))
def test_bind_reads_any_file_as_we_do(first, checkzone, tmp_path):
    for seed in range(first, first + FILES_IN_A_TEST):
        text = ZoneFile(seed).text
        expected = read_by_bind(checkzone, text, ZONE, tmp_path / "zone", NO_CHECKS)
        warnings = []
        found = as_read_by_bind(read_zone_file(text, ZONE, warnings))
        assert not isinstance(expected, str), f"{seed}\n{text}"
        assert without_ttls(found, warnings) == without_ttls(expected, warnings), f"{seed}\n{text}"


HIT = "200100107B1A74DF365639CC39F1D578"
GUIDE = pathlib.Path(__file__).parents[3] / "docs" / "guides" / "moving.md"


def test_several_files_are_read_once_bind_has_made_one_of_them(checkzone, tmp_path):
    (command,) = re.findall("`(named-compilezone [^`]+)`", GUIDE.read_text(encoding="utf-8"))
    head = "$TTL 60\n@ SOA ns1 hostmaster 1 2 3 4 5\n@ NS ns1.example.net.\n_a A 192.0.2.1\n"
    (tmp_path / "zones").mkdir()
    (tmp_path / "db.example.com").write_text(
        f"{head}$INCLUDE more lab\nb A 192.0.2.2\n", encoding="utf-8"
    )
    (tmp_path / "more").write_text("a 5 A 192.0.2.3\n", encoding="utf-8")
    environment = {"PATH": str(pathlib.Path(checkzone).parent)}
    subprocess.run(
        shlex.split(command), check=True, cwd=tmp_path, env=environment, capture_output=True
    )
    text = (tmp_path / "zones" / "example.com.zone").read_text(encoding="utf-8")
    expected = rows_of("_a 60 A 192.0.2.1\nb 60 A 192.0.2.2\na.lab 5 A 192.0.2.3")
    assert as_read_by_bind(read_zone_file(text, ZONE)) == expected


REFUSED = None
# Each row: what follows SOA and NS, and what BIND and the collection read of it.
DEVIATIONS = {
    "a name outside the zone is left out by BIND": (
        "a A 192.0.2.1\nb.example.net. A 192.0.2.1",
        "a 60 A 192.0.2.1",
        REFUSED,
    ),
    "a name that ends in the zone's name twice": (
        "a.example.com A 192.0.2.1",
        "a.example.com 60 A 192.0.2.1",
        REFUSED,
    ),
    "a name of other than ASCII characters is its bytes to BIND": (
        "\u00fc A 192.0.2.1",
        "\\195\\188 60 A 192.0.2.1",
        "xn--tda 60 A 192.0.2.1",
    ),
    "two spellings of a host, which BIND takes for two values of a newer type that are one": (
        f"a HIP 2 {HIT} AwEAAbdx R\na HIP 2 {HIT} AwEAAbdx r",
        f"a 60 HIP 2 {HIT} AwEAAbdx R.example.com.\na 60 HIP 2 {HIT} AwEAAbdx r.example.com.",
        f"a 60 HIP 2 {HIT} AwEAAbdx r.example.com.",
    ),
    "a $ that has the offset of another": (
        '$GENERATE 1-1 a TXT "${3}-$"',
        'a 60 TXT "4-4"',
        REFUSED,
    ),
    "a CNAME beside other data is for the task to refuse": (
        "a CNAME b\na A 192.0.2.1",
        REFUSED,
        "a 60 CNAME b.example.com.\na 60 A 192.0.2.1",
    ),
    "two TTLs in one set, of which the first counts for BIND": (
        "a 50 A 192.0.2.1\na 40 A 192.0.2.2",
        "a 50 A 192.0.2.1\na 50 A 192.0.2.2",
        "a 40 A 192.0.2.1\na 40 A 192.0.2.2",
    ),
}
"""Where the collection is stricter, since a task could not make it again, or nobody can have meant it; and two more."""


@named_rows("text, of_bind, ours", DEVIATIONS)
def test_where_bind_reads_otherwise(text, of_bind, ours, checkzone, tmp_path):
    text = f"$TTL 60\n@ SOA ns1 hostmaster 1 2 3 4 5\n@ NS ns1.example.net.\n{text}\n"
    found = read_by_bind(checkzone, text, ZONE, tmp_path / "zone", NO_CHECKS)
    assert (REFUSED if isinstance(found, str) else found) == (of_bind and rows_of(of_bind))
    if ours is REFUSED:
        with pytest.raises(InvalidZoneFile):
            read_zone_file(text, ZONE)
    else:
        assert as_read_by_bind(read_zone_file(text, ZONE)) == rows_of(ours)


def rows_of(text):
    """Lines as ``lines`` writes them in the form of ``read_by_bind``."""
    rows = [line.split(None, 3) for line in text.splitlines()]
    return {
        (f"{name}.{ZONE}", int(ttl), rdtype, data(rdtype, value))
        for name, ttl, rdtype, value in rows
    }


# The filters


def test_the_filters_are_the_functions():
    read = reading_filter.FilterModule().filters()["from_zone_file"]
    write = writing_filter.FilterModule().filters()["to_zone_file"]
    entries = [{"name": "www.example.com.", "type": "A", "ttl": 300, "content": ["192.0.2.1"]}]
    plain = "$ORIGIN example.com.\nwww 300 IN A 192.0.2.1\n"
    pretty = "$ORIGIN example.com.\n$TTL 300\n\nwww  IN  A  192.0.2.1\n"
    assert read(plain, "Example.COM.") == entries
    assert write(entries, "Example.COM.", style="plain") == plain
    assert write(entries, "example.com") == write(entries, "example.com", "pretty") == pretty


@pytest.mark.parametrize("style", ["Plain", ["plain"]])
def test_a_style_that_is_none_is_refused(style):
    with pytest.raises(
        AnsibleFilterError, match="to_zone_file takes style as one of pretty, plain"
    ):
        writing_filter.to_zone_file([NS], "example.com", style=style)


def test_the_filter_edits_a_file():
    text = "$TTL 5\n; the shop\nshop A 192.0.2.1\n\nwww A 192.0.2.2 ; web\n"
    record = {"name": "www", "type": "A", "ttl": 5, "contents": ["192.0.2.33"]}
    new = writing_filter.to_zone_file([record], "Example.com", over=text)
    assert new == "$TTL 5\n; the shop\n\nwww A 192.0.2.33 ; web\n"


MISUSES = {
    "a list over which it is written": (
        partial(writing_filter.to_zone_file, over=["a 5 A 192.0.2.1"]),
        [NS],
        "example.com",
        "to_zone_file takes over as the text of a zone file",
    ),
    "a final dot": (
        reading_filter.from_zone_file,
        "$TTL 1\nx",
        "example.com.",
        "Zone example.com: line 2",
    ),
    "no text": (
        reading_filter.from_zone_file,
        [SOA],
        "example.com",
        "takes the text of a zone file",
    ),
    "a zone that is no name": (
        reading_filter.from_zone_file,
        "",
        "example..com",
        "Zone example..com: it has an empty",
    ),
    "no list": (
        writing_filter.to_zone_file,
        "www A 192.0.2.1",
        "example.com",
        "takes a list of record sets",
    ),
    "a bad record": (
        writing_filter.to_zone_file,
        [{}],
        "example.com",
        "Zone example.com: a record is a dictionary",
    ),
}


@named_rows("use, value, zone, reason", MISUSES)
def test_a_filter_says_how_it_is_used(use, value, zone, reason):
    with pytest.raises(AnsibleFilterError, match=re.escape(reason)):
        use(value, zone)


def test_a_filter_without_dnspython_says_so(monkeypatch):
    monkeypatch.setattr(_filter_zones, "DNSPYTHON_MISSING", ImportError("dns"))
    with pytest.raises(AnsibleFilterError, match=r"dnspython >= 2\.6\.1 on the controller"):
        reading_filter.from_zone_file("", "example.com")


@pytest.mark.parametrize(
    "ttl, read", [(1800, 1800), ("1800", 1800), (0, 0), (2**31 - 1, 2**31 - 1)]
)
def test_a_file_is_read_with_the_ttl_that_the_module_would_be_given(ttl, read):
    text, reverse = "www A 192.0.2.1\nold 60 A 192.0.2.2", "2.0.192.in-addr.arpa"
    for entries in (
        reading_filter.from_zone_file(text, "example.com", ttl=ttl),
        ptr_records({"example.com": text}, reverse, ttl=ttl),
    ):
        assert [entry["ttl"] for entry in entries] == [read, 60]
    assert not findings("www A 192.0.2.1", "example.com", ttl="300")


@pytest.mark.parametrize("ttl", [None, ""])
def test_a_file_without_ttl_is_refused_where_none_is_given(ttl):
    with pytest.raises(
        AnsibleFilterError, match=re.escape("put $TTL 3600 in the first line, or set ttl")
    ):
        reading_filter.from_zone_file("www A 192.0.2.1", "example.com", ttl=ttl)


@pytest.mark.parametrize("ttl", [-1, 2**31, "1x", 1.5, True, [5], "9" * 5000])
def test_a_ttl_that_no_file_can_have_is_refused(ttl):
    for use in (reading_filter.from_zone_file, findings):
        with pytest.raises(
            AnsibleFilterError,
            match=r"takes ttl as seconds, 0 to 2147483647, or the form of zone files, such as 5m or 1h30m$",
        ):
            use("", "example.com", ttl=ttl)


# What is said to the letter, and the limits


def test_a_newline_at_the_end_of_a_text_is_not_written():
    record = {"name": "a", "type": "TXT", "ttl": 5, "content": "v=spf1 -all\r\n"}
    assert write_zone_file([record], ZONE).splitlines()[1:] == ['a 5 IN TXT "v=spf1 -all"']


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_a_bad_line_has_its_number_whatever_ends_the_lines(ending):
    lines = ["$TTL 5", "a A 192.0.2.1", "", "b A x", "c A 192.0.2.3", "d A y", ""]
    told = refused(ending.join(lines))
    assert re.match(r"2 lines of the zone file cannot be used: line 4: .*; line 6: ", told)


# A file of another zone

OF_ANOTHER = """\
$TTL 300
@ A 192.0.2.9
$ORIGIN example.net.
@ IN SOA ns1 host 1 3600 600 1209600 3600
www A 192.0.2.256
mail.example.com. A 192.0.2.2
$ORIGIN sub
a A 192.0.2.3
$ORIGIN .
example.net A 192.0.2.5
"""


def test_each_name_of_another_zone_is_told_with_its_origin():
    outside = f"is not inside the zone {ZONE}: mend it, or the $ORIGIN above it"
    assert re.split("; (?!write)", refused(OF_ANOTHER).partition(": ")[2]) == [
        f"line 4: @ SOA: name 'example.net.' {outside}",
        f"line 5: www A: '192.0.2.256' {NONE} A: 256 is above 255; write an IPv4 address, as in '192.0.2.1'",
        f"line 8: a A: name 'a.sub.example.net.' {outside}",
        f"line 10: example.net A: name 'example.net.' {outside}",
    ]


FIVE = '"a300INALIASb"'  # what people see of five strings
B = "b.example.com."


@pytest.mark.parametrize(
    "text, values",
    [
        ("www TXT (\na 300 IN ALIAS b\n)\n", {"TXT": [FIVE]}),
        (
            "www TXT ( ; (\na 300 IN ALIAS b\n) ; )\nwww 60 IN ALIAS b\n",
            {"TXT": [FIVE], "ALIAS": [B]},
        ),
        ("www 60 IN ALIAS (\nwww 60 IN ALIAS b\n", {"ALIAS": ["(", B]}),
    ],
)
def test_a_line_inside_parentheses_is_no_record(text, values):
    found = {
        one["type"]: one["content"] for one in read_zone_file(f"$TTL 60\n{text}", "example.com.")
    }
    assert found == values
