# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which names, types and values a glob of ``ignore``, ``protect`` and ``only`` matches."""

import pytest
from plan_lines import ZONE
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.dialect import PLAIN
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import (
    Glob,
    can_match,
    matches,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import (
    limits_of,
)

# Each row: a type, a value as the service shows it, the globs that match it, and those that do not.
VALUES = {
    "text": (
        "TXT",
        '"v=spf1 -all"',
        ["v=spf1*", "v=spf1 -all", "*", "*-all"],
        ["V=SPF1*", '"*', "[!v]*", "v=spf1"],
    ),
    "text with escapes": (
        "TXT",
        r'"say \"hi\"; \195\188"',
        ['say "hi"; ü', "say ?hi?; ?"],
        [r"*\\*", "*195*"],
    ),
    "text that is no UTF-8": ("TXT", r'"\255\254"', ["*", "??"], ["?", "*2*"]),
    "host": (
        "CNAME",
        "Target.Example.NET",
        ["target.example.net.", "Target.example.net", "*.NET"],
        ["target", "*.com"],
    ),
    "address": (
        "AAAA",
        "2001:DB8:0::1",
        ["2001:db8::1", "2001:DB8::*", "2001:db8:0::1", "2001:DB8:0:0:0:0:0:1", " 2001:db8::1"],
        ["2001:db8::2"],
    ),
    "mail": (
        "MX",
        "10 Mail.example.net",
        ["10 mail.*", "*mail.example.net.", "1? *", "10  MAIL.example.NET"],
        ["mail*", "20 *"],
    ),
    "authority": (
        "CAA",
        "0 issue ca.example.net",
        ['0 issue "ca*', "0 issue ca*", "0 ISSUE*"],
        ["issue*"],
    ),
    "unknown type": ("ALIAS", "Target.example.net", ["Target.example.net", "target*"], ["target"]),
}


@named_rows("rdtype, value, met, missed", VALUES)
def test_globs_of_values(rdtype, value, met, missed):
    held = PLAIN.read_set(RecordSet(f"www.{ZONE}", rdtype, 300, ("something else", value)), ZONE)
    assert [glob for glob in met if not matches([Glob(value=glob)], held, ZONE)] == []
    alone = PLAIN.read_set(RecordSet(f"www.{ZONE}", rdtype, 300, (value,)), ZONE)
    assert [glob for glob in missed if matches([Glob(value=glob)], alone, ZONE)] == []


# Each row: an owner name as the zone holds it, how a glob without wildcards may spell it, and what does not.
NAMES = {
    "letters": (
        "www",
        ["WWW", " www ", "www\n", "www.Example.com", "www.example.com."],
        ["ww", "w?", ""],
    ),
    "IDN": (
        "xn--bcher-kva",
        ["bücher", "bu\u0308cher", "BU\u0308CHER", "xn--BCHER-kva", "bücher。example。com。"],
        ["bucher"],
    ),
    "an escaped dot": (r"a\.b", [r"a\.b", r"a\046b", r"A\046B.example.com."], ["a.b"]),
    "a backslash": (r"a\\b", [r"a\\b", r"?\\b", r"a\\*"], ["ab", "?b", r"a\b"]),
    "the apex": ("@", ["@", "example.com", "EXAMPLE.com.", " @"], ["example"]),
    "a wildcard": (
        "*.x",
        ["*.x", r"\042.x", r"\*.x", r"\*.X.example.com.", "[*].x", r"[\*].x", r"\*.?"],
        ["y", r"\*.y"],
    ),
    "no wildcard": ("a.x", ["*.x", "?.x"], [r"\*.x", r"\?.x", r"\[a].x", "[*].x", r"*\*.x"]),
    "a bracket": ("[a]", ["[[]a]", r"\[a]", r"\[?]"], ["[a]"]),
}


@named_rows("name, met, missed", NAMES)
def test_spellings_of_names(name, met, missed):
    held = RecordSet(ZONE if name == "@" else f"{name}.{ZONE}", "A", 300, ("192.0.2.1",))

    def is_met(glob):
        return limits_of({"ignore": [{"name": glob}]}, [ZONE], own=()).ignores(held, ZONE)

    assert [glob for glob in met if not is_met(glob)] == []
    assert [glob for glob in missed if is_met(glob)] == []
    for glob in met:
        limits_of({"protect": [{"name": glob}]}, [ZONE])


@pytest.mark.parametrize(
    "glob, possible",
    [
        ("www", True),
        ("www.example.org", True),  # as www.example.org.example.com.
        ("www.example.org.", False),
        ("*.example.org.", False),
        ("[ab].example.org.", False),
        ("ample.com.", False),
        ("?example.com.", True),
        ("*badexample.com.", False),
        ("*.sub.example.com.", True),
        ("*.", True),
        ("com.", False),
        ("", False),
        ("a..b", False),
        ("a\\", False),
        ("a b" * 99, False),
        ("*.b..", False),
        ("*..b", False),
        (".*", False),
        (r"\*..b", False),
        ("[!.]*", True),
        (r"a\046*", True),
        ("a b*", True),
        ("w*.example.or?.", True),  # no more is looked at than the end after the last wildcard
    ],
)
def test_a_glob_that_names_another_zone_can_match_nothing(glob, possible):
    assert can_match(Glob(glob), ZONE) is possible


def test_a_glob_names_the_zone_in_u_labels_too():
    globs = [Glob("*.bücher.example."), Glob("*.xn--bcher-kva.example."), Glob("*.bucher.example.")]
    assert [can_match(glob, "xn--bcher-kva.example.") for glob in globs] == [True, True, False]
    held = RecordSet("a.xn--bcher-kva.example.", "A", 300, ("192.0.2.1",))
    assert matches(globs[:1], held, "xn--bcher-kva.example.")
