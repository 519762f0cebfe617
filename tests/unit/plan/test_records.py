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
    "present": (record("www", "A", "192.0.2.1"), beside("www", "A", "192.0.2.1")),
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
    "an internationalized name": (
        record("äpfel", "CNAME", "Äpfel.example.net"),
        beside("xn--pfel-koa", "CNAME", "xn--pfel-koa.example.net."),
    ),
    "an unknown type": (
        record("@", "ALIAS", "target.example.net."),
        beside("@", "ALIAS", "target.example.net."),
    ),
    "an SOA": (
        record(
            "@", "TYPE6", "ns1.example.net. root.example.net. 1 2 3 4 5", ttl=60, exclusive=True
        ),
        Desired("example.com.", "SOA", ("ns1.example.net. root.example.net. 1 2 3 4 5",), ttl=60),
    ),
    "an SOA as a service may show it": (
        record("@", "SOA", "what it knows"),
        beside("@", "SOA", "what it knows"),
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
    "absent, an MX of one preference": (
        record("@", "MX", "mail", state="absent", priority=10),
        beside("@", "MX", unwanted=("10 mail.example.com.",)),
    ),
    "absent, two values of a CNAME": (
        record("www", "CNAME", "a.example.net.", "b.example.net.", state="absent"),
        beside("www", "CNAME", unwanted=("a.example.net.", "b.example.net.")),
    ),
}


@named_rows("options, desired", WANTED)
def test_wanted_record_set(options, desired):
    assert desired_record_set(ZONE, options) == desired


NO_CONTENT = "content is required, and cannot be empty, when state is present"
WRITE_MX = "write preference and host, as in '10 mail.example.com.'"
NO_PREFERENCE = (
    "an MX value needs a preference: set priority, or write it as in '10 mail.example.com.'"
)
APEX_CNAME = (
    "a CNAME cannot be at the apex, beside SOA and NS: write ALIAS and its host if the service has that type, or its "
    "addresses as A and AAAA"
)
SOA = "SOA belongs to the service and is never written"
EVERY = "all types of a name are '*' for dns_record, with state absent"
SOA_BELOW = "only the apex of a zone has an SOA"


# Each row: the options, and the reasons, in order; each is a whole clause, or its start where dnspython has the word.
REFUSED = [
    (
        record("a..b", "A", "192.0.2.1"),
        ["name 'a..b' cannot be used: it has an empty label"],
    ),  # empty label
    (
        record("notexample.com.", "A", "192.0.2.1"),
        [
            "name 'notexample.com.' cannot be used: it ends in a dot and is not inside the zone example.com.: leave out"
        ],
    ),  # name outside the zone
    (
        record("", "A", "192.0.2.1"),
        ["name '' cannot be used: it is empty: the zone itself is @"],
    ),  # name empty
    (
        record("www", "*", state="absent"),
        ["type '*' cannot be used: only dns_record takes it, with state absent"],
    ),  # type every
    (
        record("www", "any", "192.0.2.1"),
        [f"type 'any' cannot be used: ANY is not a type that a zone can hold: {EVERY}"],
    ),  # type meta
    (
        record("www", "A", "192.0.2.1", ttl=-1),
        ["ttl is -1, but takes seconds, 0 to 2147483647"],
    ),  # ttl below
    (record("www", "A"), [NO_CONTENT]),  # content missing
    (
        record("www", "A", ""),
        ["'' is not a value of type A: the value is empty"],
    ),  # content of nothing
    (
        record("www", "AAAA", "2001:db8::1", "2001:DB8:0::1"),
        ["'2001:DB8:0::1' is listed twice"],
    ),  # value twice in other spelling
    (
        record("@", "MX", "10 mail", "mail.example.com.", priority=10),
        ["'mail.example.com.' is listed twice"],
    ),  # value twice by priority
    (record("@", "CNAME", "target.example.net."), [APEX_CNAME]),  # cname at the apex
    (
        record("www", "CNAME", "a.example.net.", "b.example.net."),
        ["a CNAME holds one value"],
    ),  # cname two values
    (
        {**record("www", "A", state="absent"), "content": []},
        ["content is empty: leave it out to remove the whole set"],
    ),  # absent empty content
    (record("www", "SOA", "ns1 root 1 2 3 4 5"), [SOA_BELOW]),  # soa of another name
    (record("@", "SOA", state="absent"), [SOA]),  # soa absent
    (record("@", "MX", "mail.example.com."), [NO_PREFERENCE]),  # mx without priority
    (
        record("@", "MX", "mail", priority=65536),
        ["priority is 65536, but must be 0 to 65535"],
    ),  # priority above
    (
        record("@", "MX", "10 mail", "10 mail b", priority=20),
        [f"'10 mail b' is not a value of type MX: b is unexpected; {WRITE_MX}"],
    ),  # priority beside what is no value
    (
        record("www", "A", "192.0.2.1", priority=10),
        ["priority is for MX only"],
    ),  # priority for another type
]

WRONG_RDATA = [
    ("ALIAS", "a\nb"),
    ("CNAME", "192.0.2.1"),
    ("MX", "ten mail.example.com."),
    ("TXT", "\ud800"),
]


@pytest.mark.parametrize(
    "options, reasons",
    [
        *REFUSED,
        *(
            pytest.param(
                record("sub", rdtype, text),
                [f"{text!a} is not a value of type {rdtype}: "],
                id=f"rdata-{rdtype}-{text[:20]!a}",
            )
            for rdtype, text in WRONG_RDATA
        ),
    ],
)
def test_bad_input_gets_one_sentence(options, reasons):
    with pytest.raises(RecordRefused) as refusal:
        desired_record_set(ZONE, options)
    assert_reasons(refusal.value, reasons)
    named = options["name"] or "''"
    assert str(refusal.value).startswith(f"{named} {options['type']}: ")


@pytest.mark.parametrize(
    "options, reasons",
    [
        (
            record("a..b", "MX", "mail", "10 192.0.2.1", ttl=-1, priority=70000),
            ["name 'a..b' cannot be used", "priority is 70000", "ttl is -1"],
        ),  # name priority and ttl
        (
            record("www", "A", "192.0.2.256", "192.0.2.1", "2001:db8::1", ttl=-1),
            [
                "'192.0.2.256' is not a value of type A",
                "'2001:db8::1' is not a value of type A",
                "ttl is -1",
            ],
        ),  # each bad value
        (
            record("@", "CNAME", "a.example.net.", "A.example.net", "b..c", priority=10),
            [
                "priority is for MX only",
                "'A.example.net' is listed twice",
                "'b..c' is not a value of type CNAME",
                APEX_CNAME,
                "a CNAME holds one value",
            ],
        ),  # cname
        (record("..", "OPT"), ["name '..'", "type 'OPT'", NO_CONTENT]),  # nothing right
        (
            record("www", "OPT", "x", priority=70000),
            ["type 'OPT'"],
        ),  # of no type nothing more is said
    ],
)
def test_all_reasons_come_at_once(options, reasons):
    with pytest.raises(RecordRefused) as refusal:
        desired_record_set(ZONE, options)
    assert_reasons(refusal.value, reasons)


# As YAML's block scalars give them (| and >), and with the line ends of Windows.
ENDINGS = ["\n", "\n\n", "\r\n"]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    "rdtype, text, value",
    [
        ("TXT", "v=spf1 mx -all", '"v=spf1 mx -all"'),
        ("TXT", '"v=spf1" " mx -all"', '"v=spf1 mx -all"'),
        ("TXT", '"a line\\010"', '"a line\\010"'),
        ("MX", "10 mail.example.net.", "10 mail.example.net."),
        ("ALIAS", "target.example.net.", "target.example.net."),
    ],
)
def test_a_newline_at_the_end_is_no_part_of_a_value(rdtype, text, value, ending):
    assert desired_record_set(ZONE, record("@", rdtype, text + ending)).values == (value,)


@pytest.mark.parametrize("state", ["present", "absent"])
@pytest.mark.parametrize(
    "text", ["v=spf1 mx\n-all", '"v=spf1\nmx"', "v=spf1\r-all\n", "\nv=spf1 -all"]
)
def test_a_newline_inside_a_text_is_refused(text, state):
    with pytest.raises(RecordRefused, match="is not a value of type TXT: a value must be one line"):
        desired_record_set(ZONE, record("@", "TXT", text, state=state))


IN_ZONE_FILE_FORM = (
    r" (a value that begins with a quote is in zone-file form, where \" is a quote in the text)"
)
NO_ESCAPE = (
    "{0} at character {1} is not an escape, which is a backslash and three digits up to 255: write \\{0} for a "
    "backslash "
    f"itself{IN_ZONE_FILE_FORM}"
)
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
# Each row: a value of TXT, and what is said of it.
TEXTS_NOT_MEANT = [
    (
        '"google-site-verification=abc',
        f"the double quote at character 1 is never closed: leave it out, or close it{IN_ZONE_FILE_FORM}",
    ),
    (
        '"a" "b',
        f"the double quote at character 5 is never closed: leave it out, or close it{IN_ZONE_FILE_FORM}",
    ),
    (r'"foo\03bar"', NO_ESCAPE.format(r"\03", 5)),
    (r'"foo\256"', NO_ESCAPE.format(r"\256", 5)),
    (
        r'"C:\Users\1"',
        rf"\U at character 4 is U alone: write \\U for a backslash itself{IN_ZONE_FILE_FORM}",
    ),
    (
        r'"D:\2024\x"',
        rf"\x at character 9 is x alone: write \\x for a backslash itself{IN_ZONE_FILE_FORM}",
    ),
    (
        '"a" b',
        f"'b' at character 5 comes after a closing quote: put everything in quotes{IN_ZONE_FILE_FORM}",
    ),
    (
        '"a" ',
        f"' ' at character 4 comes after a closing quote: put everything in quotes{IN_ZONE_FILE_FORM}",
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
    ("google-site-verification=['abc']", A_LIST),
    ("['web1'].example.net.", A_LIST),
    ("v=spf1 include:['a.example.net', 'b.example.net'] -all", A_LIST),
    (r"v=DMARC1\; p=none", NO_BACKSLASH),
    ('( "token-a" "token-b" )', PARENTHESES),
    ("a __omit_place_holder__6c4a0cfd0efbb8a5877654b935ab01aab12ad5fd", OMIT),
    (
        "v=DKIM1; p=MIIBIjANBgkqhkiG9w0BAQEF\nAAOCAQ8A",
        ONE_LINE,
    ),
    (
        "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n",
        ONE_LINE,
    ),
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
        ('"a""b"', '"ab"'),
        ('""', '""'),
        (r'"C:\\Users\\1"', r'"C:\\Users\\1"'),
        (r'"say \"hello\""', r'"say \"hello\""'),
        ('say "hello', r'"say \"hello"'),
        (r"C:\Users\1", r'"C:\\Users\\1"'),
        ("<functions>", '"<functions>"'),
        ("<classes of Namespace>", '"<classes of Namespace>"'),
        ("b'a' and b'b'", "\"b'a' and b'b'\""),
        ("AnsibleUndefineds", '"AnsibleUndefineds"'),
        ("None at all", '"None at all"'),
        ("['a'] and ['b'] are lists", "\"['a'] and ['b'] are lists\""),
        ("\"['a']\"", "\"['a']\""),
        ("\"x=['a']\"", "\"x=['a']\""),
        ("it's [a] 'b'", "\"it's [a] 'b'\""),
        (r'"v=DMARC1\; p=none"', '"v=DMARC1; p=none"'),
        ('(see "a")', r'"(see \"a\")"'),
        ('["a", "b"]', r'"[\"a\", \"b\"]"'),
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
        ("http://www", "it is a URL; write www"),
        ("https://www.example.com/a", "it is a URL; write www.example.com."),
        ("@.example.com", APEX_OF),
        ("@.example.com.", APEX_OF),
        ("@.sub", APEX_OF),
        ("_sip._tls.@", APEX_OF),
        ("_sip.@.sub", APEX_OF),
        ("info@example.com", NO_ADDRESS),
        ("info@example.com.", NO_ADDRESS),
        ("info@sub", NO_ADDRESS),
        ("www, ftp", f"{WHITE_SPACE}: commas do not separate names, so write an entry for each"),
        ("<built-in method values of dict object at 0x7f0c>", OBJECT.format("built-in method")),
        ("AnsibleUndefined", UNDEFINED),
    ],
)
def test_a_name_that_is_none_is_refused_with_what_is_one(name, reason):
    with pytest.raises(RecordRefused) as refusal:
        desired_record_set(ZONE, record(name, "A", "192.0.2.1"))
    assert refusal.value.reasons == [f"name {name!a} cannot be used: {reason}"]


@pytest.mark.parametrize(
    "options",
    [
        record("sub", "TXT", "https://foo.example.net/"),
        record("sub", "URI", '10 1 "https://foo.example.net/"'),
        record("sub", "CAA", '0 iodef "https://ca.example.net/"'),
        record("sub", "NAPTR", '1 1 "u" "E2U+x" "!^.*$!https://foo.example.net!" .'),
        record(r"\@.sub", "CNAME", r"\@.example.net."),
        record(r"info\@sub", "TXT", "x"),
        record(r"info\064example.com", "TXT", "x"),
        record("a,b", "TXT", "x"),
        record("*a.b", "TXT", "x"),
        record("sub", "URL", "https://foo.example.net/"),
        record("sub", "ALIAS", "Some thing else"),
        record("1", "CNAME", "1.0/25.2.0.192.in-addr.arpa."),
        record("sub", "RP", "a\\.b.example.net. ."),
        record("sub", "MX", "0 ."),
        record("sub", "MX", ".", priority=0),
        record("sub", "SRV", "0 0 0 ."),
        record("sub", "HTTPS", "1 . alpn=h2"),
        record("sub", "NAPTR", '1 1 "u" "E2U+x" "!^.*$!x!" .'),
        record("sub", "RP", ". ."),
        record("sub", "PTR", r"Printer\032:1._ipp._tcp.example.net."),
    ],
)
def test_what_looks_alike_and_is_right_is_taken(options):
    assert len(desired_record_set(ZONE, options).values) == 1


@pytest.mark.parametrize(
    "options",
    [
        record("http://www", "A", state="absent"),
        record("@.example.com", "A", "192.0.2.1", state="absent"),
        record("info@example.com", "A", "192.0.2.1", state="absent"),
        record("www", "CNAME", "https://foo.example.net/", state="absent"),
        record("www", "TXT", '"google-site-verification=abc', state="absent"),
        record("www", "TXT", r"v=DMARC1\; p=none", state="absent"),
        record("www", "CNAME", ".", state="absent"),
        record("www", "TXT", "<built-in method values of dict object at 0x7f0c>", state="absent"),
    ],
)
def test_what_was_taken_before_can_be_removed(options):
    assert desired_record_set(ZONE, options).name


def assert_reasons(refusal, reasons):
    assert len(refusal.reasons) == len(reasons), refusal.reasons
    for found, expected in zip(refusal.reasons, reasons, strict=True):
        assert found.startswith(expected)
    assert str(refusal).endswith(": " + "; ".join(refusal.reasons))
    assert "\n" not in str(refusal)


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
    "nothing": ("", None, []),
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
    "a signed CNAME": (
        "www - CNAME a\nwww - NSEC a.example.com. CNAME RRSIG NSEC",
        None,
        [
            Desired(A[0], "CNAME", ("a.example.com.",)),
            Desired(A[0], "NSEC", ("a.example.com. CNAME RRSIG NSEC",)),
        ],
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


def test_an_absent_entry_may_say_what_does_not_matter():
    entries = [record("www", "A", state="absent", ttl=-1, priority=70000, exclusive=True)]
    assert desired_record_sets(ZONE, entries, None, OFFICE) == [Desired(*A)]


@pytest.mark.parametrize("content", [[], [""], None])
def test_content_of_nothing_is_none_for_an_absent_entry(content):
    entries = [record("www", "A", state="absent", content=content, exclusive=True)]
    assert desired_record_sets(ZONE, entries, None, OFFICE) == [Desired(*A)]


def test_an_absent_entry_with_content_is_refused_since_the_whole_set_would_go():
    absent = {"state": "absent", "exclusive": True}
    entries = [record("www", "A", "192.0.2.1", **absent), record("@", "SOA", "x", **absent)]
    with pytest.raises(RecordsRefused) as refusal:
        desired_record_sets(ZONE, entries, None, OFFICE)
    no_content = "absent removes the whole set and takes no content: leave it out, or list the values to keep,"
    assert [reason.split(" with state")[0] for reason in refusal.value.reasons] == [
        f"records[0] www A: {no_content}",
        f"records[1] @ SOA: {no_content}",
    ]


# Each row: entries, and what is wrong with them.
REFUSED_TASKS = {
    "one of one": ("www - A x", ["records[0] www A: 'x' is not a value of type A: "]),
    "two TTLs": (
        "www 60 A 192.0.2.1\nwww - A 192.0.2.2\nwww 300 A 192.0.2.3",
        ["records[2] www A: ttl is 300, but 60 in records[0], and a set has one TTL"],
    ),
    "a TTL of 0 is a TTL": (
        "www 0 A 192.0.2.1\nwww 60 A 192.0.2.2",
        ["records[1] www A: ttl is 60, but 0 in records[0], and a set has one TTL"],
    ),
    "a value twice": (
        "www - A 192.0.2.1\nwww - A 192.0.2.2\nwww - A 192.0.2.1",
        ["records[2] www A: 192.0.2.1 is listed twice (see records[0])"],
    ),
    "present and absent": (
        "www - A 192.0.2.1\nwww - A",
        ["records[1] www A: it is both present and absent (see records[0])"],
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
    assert "?." not in str(refusal.value)


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
    "both of their values alone": (
        [OURS, THEIRS],
        Desired(*A, ("192.0.2.1", "192.0.2.9"), keeps_others=True),
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


@pytest.mark.parametrize(
    "messages, message",
    [
        (
            {"exclusive": False},
            "absent removes the whole set, whatever exclusive says: leave it out",
        ),
        (
            {"exclusive": True, "replaces": ["*"]},
            "replaces works only with state present: leave it out, or list the values to remove in content",
        ),
    ],
)
def test_what_removes_a_set_is_of_no_values(messages, message):
    with pytest.raises(RecordsRefused) as refusal:
        desired_record_sets(ZONE, [record("www", "A", state="absent", **messages)], None, OFFICE)
    assert refusal.value.reasons == [f"records[0] www A: {message}"]


def test_a_reason_that_ends_in_a_dot_ends_in_one():
    table = "shop 60 CNAME http://example.net\nwww - CNAME a\nwww 60 A 192.0.2.1"
    with pytest.raises(RecordsRefused) as refusal:
        desired_record_sets(ZONE, rows(table), 300, OFFICE)
    assert "such as example.net. records[1] www CNAME: " in str(refusal.value)
