# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a task says, read as what it wants of one record set; and all that is wrong with it, in one sentence."""

import pytest
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import Glob
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import Limits
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.records import (
    RecordRefused,
    RecordsRefused,
    desired_record_set,
    desired_record_sets,
)

ZONE = "example.com."


def record(name, rdtype, *content, **options):
    """The options of ``dns_record`` as Ansible hands them over: those that were not given are null."""
    unset = {
        "content": list(content) or None,
        "ttl": None,
        "priority": None,
        "exclusive": False,
        "state": "present",
    }
    return {"name": name, "type": rdtype, **unset, **options}


def beside(name, rdtype, *values, **more):
    """What is wanted of a set, whatever else it holds."""
    return Desired(
        f"{name}.example.com.".removeprefix("@."), rdtype, values, keeps_others=True, **more
    )


WANTED = {
    "present in other spelling": (
        record("WWW.Example.com", "aaaa", "2001:DB8:0::1", ttl=300),
        beside("www", "AAAA", "2001:db8::1", ttl=300),
    ),
    "exclusive in the order given": (
        record("@", "A", "192.0.2.2", "192.0.2.1", exclusive=True),
        Desired("example.com.", "A", ("192.0.2.2", "192.0.2.1")),
    ),
    "MX, priority for values without preference": (
        record("@", "MX", "mail", "20 backup.example.net", priority=10),
        beside("@", "MX", "10 mail.example.com.", "20 backup.example.net."),
    ),
    "an SOA": (
        record(
            "@", "TYPE6", "ns1.example.net. root.example.net. 1 2 3 4 5", ttl=60, exclusive=True
        ),
        Desired("example.com.", "SOA", ("ns1.example.net. root.example.net. 1 2 3 4 5",), ttl=60),
    ),
    "absent, a whole set": (record("www", "A", state="absent"), Desired("www.example.com.", "A")),
    "absent, a value": (
        record("www", "A", "192.0.2.1", state="absent"),
        beside("www", "A", unwanted=("192.0.2.1",)),
    ),
    "absent, an MX whatever its preference": (
        record("@", "MX", "mail", state="absent"),
        beside("@", "MX", unwanted=("mail.example.com.",)),
    ),
}


@named_rows("options, desired", WANTED)
def test_wanted_record_set(options, desired):
    assert desired_record_set(ZONE, options) == desired


NO_CONTENT = "content is required, and cannot be empty, when state is present"
NO_PREFERENCE = (
    "an MX value needs a preference: set priority, or write it as in '10 mail.example.com.'"
)
APEX_CNAME = (
    "a CNAME cannot be at the apex, beside SOA and NS: write ALIAS and its host if the service has that type, or its "
    "addresses as A and AAAA"
)
SOA = "SOA belongs to the service and is never written"
SOA_BELOW = "only the apex of a zone has an SOA"


# Each row: the options, and the reasons, in order; each is a whole clause, or its start where dnspython has the word.
REFUSED = {
    "a name outside the zone": (
        record("notexample.com.", "A", "192.0.2.1"),
        [
            "name 'notexample.com.' cannot be used: it ends in a dot and is not inside the zone example.com.: leave out"
        ],
    ),
    "all types": (
        record("www", "*", state="absent"),
        ["type '*' cannot be used: only dns_record takes it, with state absent"],
    ),
    "no type of a zone": (
        record("www", "any", "192.0.2.1", priority=70000),
        ["type 'any' cannot be used: ANY is not a type that a zone can hold"],
    ),
    "content of nothing": (
        record("www", "A", ""),
        ["'' is not a value of type A: the value is empty"],
    ),
    "a value twice, in other spelling": (
        record("www", "AAAA", "2001:db8::1", "2001:DB8:0::1"),
        ["'2001:DB8:0::1' is listed twice"],
    ),
    "absent, with content of nothing": (
        {**record("www", "A", state="absent"), "content": []},
        ["content is empty: leave it out to remove the whole set"],
    ),
    "an SOA of another name": (record("www", "SOA", "ns1 root 1 2 3 4 5"), [SOA_BELOW]),
    "no SOA": (record("@", "SOA", state="absent"), [SOA]),
    "an MX without preference": (record("@", "MX", "mail.example.com."), [NO_PREFERENCE]),
    "name, priority and TTL at once": (
        record("a..b", "MX", "mail", "10 192.0.2.1", ttl=-1, priority=65536),
        [
            "name 'a..b' cannot be used: it has an empty label",
            "priority is 65536, but must be 0 to 65535",
            "ttl is -1, but takes seconds, 0 to 2147483647",
        ],
    ),
    "all that can be wrong with a CNAME": (
        record("@", "CNAME", "a.example.net.", "A.example.net", "b..c", priority=10),
        [
            "priority is for MX only",
            "'A.example.net' is listed twice",
            "'b..c' is not a value of type CNAME",
            APEX_CNAME,
            "a CNAME holds one value",
        ],
    ),
    "nothing right": (record("..", "OPT"), ["name '..'", "type 'OPT'", NO_CONTENT]),
}


@named_rows("options, reasons", REFUSED)
def test_bad_input_gets_one_sentence(options, reasons):
    with pytest.raises(RecordRefused) as refusal:
        desired_record_set(ZONE, options)
    found = refusal.value.reasons
    assert [one[: len(start)] for one, start in zip(found, reasons, strict=True)] == reasons
    assert str(refusal.value) == f"{options['name']} {options['type']}: {'; '.join(found)}"


# As YAML's block scalars give them (| and >), and with the line ends of Windows.
ENDINGS = ["\n", "\n\n", "\r\n"]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    "rdtype, text, value",
    [
        ("TXT", "v=spf1 mx -all", '"v=spf1 mx -all"'),
        ("TXT", '"a line\\010"', '"a line\\010"'),
        ("MX", "10 mail.example.net.", "10 mail.example.net."),
    ],
)
def test_a_newline_at_the_end_is_no_part_of_a_value(rdtype, text, value, ending):
    assert desired_record_set(ZONE, record("@", rdtype, text + ending)).values == (value,)


@pytest.mark.parametrize("state", ["present", "absent"])
@pytest.mark.parametrize("text", ["v=spf1 mx\n-all", "v=spf1\r-all\n", "\nv=spf1 -all"])
def test_a_newline_inside_a_text_is_refused(text, state):
    with pytest.raises(RecordRefused, match="is not a value of type TXT: a value must be one line"):
        desired_record_set(ZONE, record("@", "TXT", text, state=state))


IN_ZONE_FILE_FORM = (
    r" (a value that begins with a quote is in zone-file form, where \" is a quote in the text)"
)
ITSELF = f"for a backslash itself{IN_ZONE_FILE_FORM}"
ONE_LINE = "a value must be one line, but this has several: write it on one line, or its strings each in double quotes"
OBJECT = "it is the text of a Python object ({}): if a key is also the name of a method, write item['values']"
OF_LINE = "it is a whole line of a zone file, but only the value belongs here: put it in quotes if you mean all of it"
PART_OF_OBJECT = "it is the text of a Python object: write the part that you mean, as in item.name"
UNDEFINED = (
    "it is the placeholder of an undefined variable: set the variable, or leave the value out"
)
A_LIST = "it has the text of a list or dictionary: write each value as an item of its own, or put the text in quotes"
NO_BACKSLASH = (
    "plain text needs no backslash before ;: write ; alone, or put the text in double quotes"
)
PARENTHESES = "parentheses belong to zone files: write only the strings that are inside"
OMIT = "it contains omit, which works only for whole options: take it out of the list"
IN_QUOTES = "it begins with a double quote: put everything in quotes, and close each of them"
# Each row: a value of TXT, and what is said of it.
TEXTS_NOT_MEANT = [
    (
        '"google-site-verification=abc',
        f"{IN_QUOTES}{IN_ZONE_FILE_FORM}",
    ),
    (
        r'"foo\03bar"',
        rf"\03 at character 5 is not an escape, which is a backslash and three digits up to 255: write \\03 {ITSELF}",
    ),
    (
        r'"C:\Users\1"',
        rf"\U at character 4 is U alone: write \\U {ITSELF}",
    ),
    (
        '"a" b',
        f"{IN_QUOTES}{IN_ZONE_FILE_FORM}",
    ),
    ("<built-in method values of dict object at 0x7f0c>", OBJECT.format("built-in method")),
    ("<bound method Undefined.values>", OBJECT.format("bound method")),
    ("<generator object do_map at 0x7f0c>", OBJECT.format("generator")),
    ("<Namespace {'a': 1}>", PART_OF_OBJECT),
    ("v=<ansible.vars.hostvars.HostVars object at 0x7f0c>", PART_OF_OBJECT),
    ("AnsibleUndefined", UNDEFINED),
    ("None", UNDEFINED),
    ("['a','b']", A_LIST),
    ('www 300 IN TXT "a"', OF_LINE),
    ("b'v=spf1 -all'", "it is the text of Python bytes: write only what is inside its quotes"),
    ("{'a': 1, 'b': 2}", A_LIST),
    ("['web1'].example.net.", A_LIST),
    ("v=spf1 include:['a.example.net', 'b.example.net'] -all", A_LIST),
    (r"v=DMARC1\; p=none", NO_BACKSLASH),
    ('( "token-a" "token-b" )', PARENTHESES),
    ("a __omit_place_holder__6c4a0cfd0efbb8a5877654b935ab01aab12ad5fd", OMIT),
    ("v=DKIM1; p=MIIBIjANBgkqhkiG9w0BAQEF\nAAOCAQ8A", ONE_LINE),
]


@pytest.mark.parametrize("text, reason", TEXTS_NOT_MEANT)
def test_a_text_that_is_not_meant_is_refused_with_the_place(text, reason):
    with pytest.raises(RecordRefused) as refusal:
        desired_record_set(ZONE, record("@", "TXT", text))
    assert [
        line.partition(" is not a value of type TXT: ")[2] for line in refusal.value.reasons
    ] == [reason]


@pytest.mark.parametrize(
    "text, value",
    [
        ('"a" "b"', '"ab"'),
        ('""', '""'),
        (r'"C:\\Users\\1"', r'"C:\\Users\\1"'),
        ('say "hello', r'"say \"hello"'),
        (r"C:\Users\1", r'"C:\\Users\\1"'),
        ("<functions>", '"<functions>"'),
        ("b'a' and b'b'", "\"b'a' and b'b'\""),
        ("AnsibleUndefineds", '"AnsibleUndefineds"'),
        ("['a'] and ['b'] are lists", "\"['a'] and ['b'] are lists\""),
        ("\"['a']\"", "\"['a']\""),
        (r'"v=DMARC1\; p=none"', '"v=DMARC1; p=none"'),
        ('(see "a")', r'"(see \"a\")"'),
        ('{"a": 1}', r'"{\"a\": 1}"'),
        ("see <bound method x>", '"see <bound method x>"'),
    ],
)
def test_a_text_that_is_meant_is_taken(text, value):
    assert desired_record_set(ZONE, record("@", "TXT", text)).values == (value,)


WHITE_SPACE = "it contains white space or control characters"
NO_ADDRESS = r"an owner name is not a mail address: leave the @ out, or write \@ if you mean it"
APEX_OF = "the zone itself is written @ or example.com., and @ means nothing in a longer name: leave it out"


@pytest.mark.parametrize(
    "name, reason",
    [
        ("http://www", "it is a URL: write only the name"),
        ("https://www.example.com/a", "it is a URL: write only the name"),
        ("@.example.com", APEX_OF),
        ("_sip._tls.@", APEX_OF),
        ("info@example.com", NO_ADDRESS),
        ("info@sub", NO_ADDRESS),
        ("www, ftp", WHITE_SPACE),
        ("AnsibleUndefined", UNDEFINED),
    ],
)
def test_a_name_that_is_none_is_refused_with_what_is_one(name, reason):
    with pytest.raises(RecordRefused) as refusal:
        desired_record_set(ZONE, record(name, "A", "192.0.2.1"))
    assert refusal.value.reasons == [f"name {name!a} cannot be used: {reason}"]


# Each row: a name, and a type and a value of it that look like what is not meant.
RIGHT = [
    ("sub", "TXT", "https://foo.example.net/"),
    ("sub", "URI", '10 1 "https://foo.example.net/"'),
    ("sub", "URL", "https://foo.example.net/"),
    ("sub", "NAPTR", '1 1 "u" "E2U+x" "!^.*$!https://foo.example.net!" .'),
    (r"\@.sub", "CNAME", r"\@.example.net."),
    (r"info\@sub", "RP", ". ."),
    ("a,b", "ALIAS", "Some thing else"),
    ("*a.b", "SRV", "0 0 0 ."),
    ("1", "CNAME", "1.0/25.2.0.192.in-addr.arpa."),
    ("sub", "MX", "0 ."),
    ("sub", "HTTPS", "1 . alpn=h2"),
    ("sub", "PTR", r"Printer\032:1._ipp._tcp.example.net."),
]


@pytest.mark.parametrize("name, rdtype, text", RIGHT)
def test_what_looks_alike_and_is_right_is_taken(name, rdtype, text):
    assert len(desired_record_set(ZONE, record(name, rdtype, text)).values) == 1


@pytest.mark.parametrize(
    "name, rdtype, text",
    [
        ("http://www", "TXT", r"v=DMARC1\; p=none"),
        ("@.example.com", "CNAME", "https://foo.example.net/"),
        ("info@example.com", "CNAME", "."),
        ("www", "TXT", '"google-site-verification=abc'),
        ("www", "TXT", "<built-in method values of dict object at 0x7f0c>"),
    ],
)
def test_what_was_taken_before_can_be_removed(name, rdtype, text):
    assert desired_record_set(ZONE, record(name, rdtype, text, state="absent")).unwanted


# All entries of a task


def rows(table):
    """Entries from lines of ``<name> <TTL> <type> <value>``; ``-`` is not a TTL, and no value a set that is to go."""
    entries = []
    for line in filter(None, map(str.strip, table.splitlines())):
        name, ttl, rdtype, *content = line.split(maxsplit=3)
        state = "present" if content else "absent"
        options = {"state": state, "ttl": None if ttl == "-" else int(ttl), "exclusive": True}
        entries.append(record(name, rdtype, *content, **options))
    return entries


OFFICE = Limits(ignore=(Glob("office", "A"),))


A, AAAA, MX = ("www.example.com.", "A"), ("www.example.com.", "AAAA"), ("example.com.", "MX")

# Each row: entries, the TTL of the task, and what they want.
TASKS = {
    "an entry is a whole set": ("www - A 192.0.2.1", None, [Desired(*A, ("192.0.2.1",))]),
    "a set of several entries, in their order": (
        """
        www - A 192.0.2.2
        www - AAAA 2001:db8::1
        WWW.example.com. - a 192.0.2.1
        www - A 192.0.2.3
        """,
        None,
        [Desired(*A, ("192.0.2.2", "192.0.2.1", "192.0.2.3")), Desired(*AAAA, ("2001:db8::1",))],
    ),
    "the TTL of the task, for sets that have none": (
        "www 60 A 192.0.2.1\nwww - AAAA 2001:db8::1\nwww 0 AAAA 2001:db8::2\n@ - MX 10 mail",
        300,
        [
            Desired(*A, ("192.0.2.1",), ttl=60),
            Desired(*AAAA, ("2001:db8::1", "2001:db8::2"), ttl=0),
            Desired(*MX, ("10 mail.example.com.",), ttl=300),
        ],
    ),
    "a set that is to go": ("www 60 A", None, [Desired(*A)]),
    "a CNAME in place of what is to go": (
        "www - A\nwww - CNAME a\nwww - RRSIG",
        None,
        [Desired(*A), Desired(A[0], "CNAME", ("a.example.com.",)), Desired(A[0], "RRSIG")],
    ),
    "what the service owns, which has no TTL of the task": (
        "@ - SOA ns1.example.net. root.example.net. 1 2 3 4 5\n@ - NS ns1.example.net.\n@ - NS ns2.example.net.",
        300,
        [
            Desired("example.com.", "SOA", ("ns1.example.net. root.example.net. 1 2 3 4 5",)),
            Desired("example.com.", "NS", ("ns1.example.net.", "ns2.example.net.")),
        ],
    ),
}


@named_rows("table, default_ttl, desired", TASKS)
def test_wanted_record_sets(table, default_ttl, desired):
    assert desired_record_sets(ZONE, rows(table), default_ttl, OFFICE) == desired


@pytest.mark.parametrize("content", [[], [""], None])
def test_an_absent_entry_may_say_what_does_not_matter(content):
    besides = {"content": content, "ttl": -1, "priority": 70000, "exclusive": True}
    entries = [record("www", "A", state="absent", **besides)]
    assert desired_record_sets(ZONE, entries, None, OFFICE) == [Desired(*A)]


# Each row: what an entry says besides that the set is to go, and what is wrong with it.
NOT_TO_GO = {
    "with content": (
        {"content": ["192.0.2.1"], "exclusive": True},
        "absent removes the whole set and takes no content: leave it out, or list the values to keep, with state",
    ),
    "for its values alone": (
        {"exclusive": False},
        "absent removes the whole set, whatever exclusive says: leave it out",
    ),
    "with replaces": (
        {"exclusive": True, "replaces": ["*"]},
        "replaces works only with state present: leave it out, or list the values to remove in content",
    ),
}


@named_rows("besides, reason", NOT_TO_GO)
def test_what_removes_a_set_is_of_no_values(besides, reason):
    with pytest.raises(RecordsRefused) as refusal:
        desired_record_sets(ZONE, [record("www", "A", state="absent", **besides)], None, OFFICE)
    assert refusal.value.reasons[0].startswith(f"records[0] www A: {reason}")


# Each row: entries, and what is wrong with them.
REFUSED_TASKS = {
    "one of one": ("www - A x", ["records[0] www A: 'x' is not a value of type A: "]),
    "two TTLs": (
        "www 0 A 192.0.2.1\nwww - A 192.0.2.2\nwww 300 A 192.0.2.3",
        ["records[2] www A: ttl is 300, but 0 in records[0], and a set has one TTL"],
    ),
    "a value twice": (
        "www - A 192.0.2.1\nwww - A 192.0.2.2\nwww - A 192.0.2.1",
        ["records[2] www A: 192.0.2.1 is listed twice (see records[0])"],
    ),
    "two CNAMEs": (
        "www - CNAME a\nwww - CNAME b",
        ["records[1] www CNAME: a CNAME holds one value (see records[0])"],
    ),
    "a CNAME beside others": (
        "@ - MX 10 mail\nwww - TXT x\nwww - CNAME a\nwww - A 192.0.2.1\nwww - RRSIG",
        [
            (
                "records[2] www CNAME: a CNAME must be alone at its name, but A and TXT is there too "
                "(see records[3], records[1])"
            )
        ],
    ),
    "a CNAME present and absent beside others": (
        "www - CNAME\nwww - TXT\nwww - TXT x\nwww - CNAME a\nwww - CNAME b",
        [
            "records[0] www CNAME: a CNAME must be alone at its name, but TXT is there too (see records[1])",
            "records[2] www TXT: it is both present and absent (see records[1])",
            "records[3] www CNAME: it is both present and absent (see records[0])",
            "records[4] www CNAME: a CNAME holds one value (see records[0])",
        ],
    ),
    "ignored": (
        "www - A 192.0.2.1\noffice - A 192.0.2.1\noffice - A",
        [
            "records[1] office A: ignore matches it, so the task cannot change it",
            (
                "records[2] office A: ignore matches it, so the task cannot change it; "
                "it is both present and absent (see records[1])"
            ),
        ],
    ),
    "several at once": (
        "@ - SOA\nwww 60 A 192.0.2.1\nwww 61 A 192.0.2.1\nwww - CNAME a\n\u202ea - A 192.0.2.1",
        [
            "records[0] @ SOA: SOA belongs to the service and is never written",
            (
                "records[2] www A: ttl is 61, but 60 in records[1], and a set has one TTL; "
                "192.0.2.1 is listed twice (see records[1])"
            ),
            "records[3] www CNAME: a CNAME must be alone at its name, but A is there too (see records[1])",
            "records[4] \\u202ea A: name '\\u202ea' cannot be used: it cannot be written in A-labels",
        ],
    ),
}


@named_rows("table, reasons", REFUSED_TASKS)
def test_a_task_is_refused_with_all_reasons(table, reasons):
    entries = rows(table)
    with pytest.raises(RecordsRefused) as refusal:
        desired_record_sets(ZONE, entries, 300, OFFICE)
    lines = refusal.value.reasons
    assert [line[: len(start)] for line, start in zip(lines, reasons, strict=True)] == reasons
    count = "1 of 1 entry" if len(entries) == 1 else f"{len(reasons)} of {len(entries)} entries"
    assert str(refusal.value) == f"{count} cannot be used: {'. '.join(lines)}"


OURS, THEIRS, ALL = (
    {"exclusive": False},
    {"exclusive": False, "content": ["192.0.2.9"]},
    {"exclusive": True},
)
ONE = ("192.0.2.1",)

# Each row: what entries for one set say besides its value, and what they want together.
TOGETHER = {
    "its values alone": ([OURS], Desired(*A, ONE, keeps_others=True)),
    "replaces, whatever exclusive is": (
        [{"exclusive": True, "replaces": ["192.*"]}],
        Desired(*A, ONE, keeps_others=True, replaces=("192.*",)),
    ),
    "one of the whole set, told first": ([ALL, THEIRS], Desired(*A, ("192.0.2.1", "192.0.2.9"))),
    "globs that add up": (
        [{"replaces": ["a", "b"]}, {**THEIRS, "replaces": ["b", "c"], "ttl": 60}],
        Desired(
            *A, ("192.0.2.1", "192.0.2.9"), keeps_others=True, ttl=60, replaces=("a", "b", "c")
        ),
    ),
}


@named_rows("rows_of_set, desired", TOGETHER)
def test_records_of_values_and_of_the_whole_set(rows_of_set, desired):
    entries = [record("www", "A", **{"content": [*ONE], **one}) for one in rows_of_set]
    assert desired_record_sets(ZONE, entries, None, OFFICE) == [desired]
