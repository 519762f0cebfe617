# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The three forms of a report: given a run, what the page, the Markdown and the JSON show."""

import json
import re

import pytest
from reported import (
    FINE,
    REFUSED,
    WROTE,
    began,
    change,
    document_of,
    ended,
    unreachable,
    view_after,
)
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.html import as_html
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.json import as_json
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.markdown import (
    LARGEST,
    MOST_LISTED,
    as_markdown,
    code,
)

TWO, ONE = ({"ttl": 300, "contents": ["192.0.2.1", "192.0.2.2"][:n]} for n in (2, 1))
SECOND = {"ttl": 300, "contents": ["192.0.2.2"]}
SHORT = {"ttl": 60, "contents": ["192.0.2.1"]}

# Each: a set before and after, and why it changes; and the lines of a zone file.
LINES = {
    "extend": (
        change(action="extend", before=ONE, after=TWO),
        ["  300 192.0.2.1", "+ 300 192.0.2.2"],
    ),
    "a value less": (
        change(action="rebuild", before=TWO, after=SECOND),
        ["! is rebuilt, and gone for a moment", "- 300 192.0.2.1", "  300 192.0.2.2"],
    ),
    "another TTL": (
        change(action="rebuild", before=ONE, after=SHORT),
        ["! is rebuilt, and gone for a moment", "- 300 192.0.2.1", "+ 60 192.0.2.1"],
    ),
    "drift": (
        change(after=ONE, because="drift"),
        ["! was changed by somebody else before", "+ 300 192.0.2.1"],
    ),
}


@named_rows("changed, expected", LINES)
def test_a_change_is_lines_of_a_zone_file(changed, expected):
    view = view_after(ended({**WROTE, "changes": [changed]}))
    markdown = as_markdown(view)
    block = markdown.partition("```diff\n")[2].partition("\n```")[0]
    of_set = "www.example.com."
    lines = [re.sub("^! ", f"! ; {of_set} A ", line) for line in expected]
    lines = [re.sub(r"^([-+ ]) (\d+) ", rf"\1 {of_set} \2 IN A ", line) for line in lines]
    assert block.split("\n") == lines
    shown = re.findall(r'<span class="(?:in|out|kept|note)">(.*)', as_html(view))
    assert shown == lines


FINDING = {"rule": "spf", "severity": "warning", "name": "example.com.", "type": "TXT"}
FINDING |= {"message": "two", "source": "RFC 7208"}
OWNED = {"name": "example.com.", "type": "NS", "message": "NS belongs to the service <b>`\x1b"}
UNMANAGED = "the account has this zone, but the task does not: it has no file, or is not listed"
REBUILT = change(action="rebuild", before=TWO, after=ONE)

SHOWN = {
    "changes": (
        [ended({**WROTE, "changes": [REBUILT, change("b.example.com.")]})],
        [
            "## DNS: 0 failed, 1 changed, 0 unchanged\n\n2 changes, 1 set rebuilt (gone for a mo",
            "Changed: <code>example.com</code> · 2 changes · 1 set rebuilt (gone for a moment)<",
        ],
    ),
    "check mode": (
        [ended(WROTE, check_mode=True)],
        ["0 failed, 1 would change, 0 unchanged\n\nCheck mode: nothing was written. 1 change."],
    ),
    "what an earlier run had left": (
        [ended({**FINE, "recovered": [change()]})],
        ["\nWhat an earlier run had left incomplete:\n\n```diff\n+ www", "1 record set recovered"],
    ),
    "a failure half-way": (
        [ended({**REFUSED, "unfinished": [change()]}, failed=True)],
        [
            "## DNS: **1 failed**, 0 changed, 0 unchanged\n\n1 record set left incomplete.\n",
            "<details open><summary>❌ Failed: <code>example.com</code>",
            "- **Failed:** `Zone example.com: no.`\n\nWhat this run left incomplete:\n\n```diff",
        ],
    ),
    "a failure that is ignored": (
        [ended(REFUSED, failed=True, ignored=True)],
        [
            "**1 failed (1 ignored or rescued)**",
            "**Failed, ignored:** `Z",
            " · failure ignored or rescued<",
        ],
    ),
    "a failure of no zone": (
        [ended({"msg": "no src"}, failed=True, zone=None)],
        ["## DNS: **1 failed (1 without a zone)**", "\n❌ `Keep it on localhost`\n\n- **Failed"],
    ),
    "a warning of no zone": (
        [ended({**FINE, "warnings": ["late"]}, zone=None), ended({"warnings": ["x"]}, zone=None)],
        ["\n⚠️ `Keep it on localhost`\n\n- Warning: `x`\n", "\n2 warnings.\n"],
    ),
    "a finding": (
        [ended({**FINE, "findings": [FINDING]})],
        ["- Finding: `example.com. TXT spf: two (RFC 7208)`\n"],
    ),
    "a finding that is an error": (
        [ended({**FINE, "findings": [{**FINDING, "severity": "error", "source": ""}]})],
        ["- **Error:** `example.com. TXT spf: two`\n"],
    ),
    "what the service owns": (
        [ended({**FINE, "service_owned": [OWNED]})],
        [
            "0 failed, 0 changed, 1 owned by the service, 0 unchanged\n",
            "- Owned by the service: ``NS belongs to the service <b>`\\x1b``\n",
        ],
    ),
    "a zone without a file": (
        [ended({"zones": [FINE], "unmanaged": ["old.example"]})],
        ["👻 Unmanaged: <code>old.example</code>", f"- Unmanaged: `{UNMANAGED}`"],
    ),
    "an unreachable host": (
        [unreachable({"msg": "no route"}, host="h1", ignore_unreachable=True)],
        ["> 1 host was unreachable.\n> - `Keep it on h1: no route (ignored)`\n"],
    ),
    "interrupted tasks": (
        [began(host="h1"), began(host="h2", check_mode=True)],
        [
            "## DNS: 0 failed, **2 interrupted**, 0 unchanged\n",
            "> The run ended early: this report shows what was done until then.\n",
            "> 2 tasks were interrupted or left running: run again.\n> - `Keep it on h1`\n> - `Keep it on h2`\n",
        ],
    ),
    "failures of others": (
        [ended({}, failed=True, action="other")],
        ["> Other tasks failed, so what their hosts would have done next may be missing here.\n"],
    ),
    "what no_log hides": (
        [ended({"censored": "x"}, failed=True), ended({"censored": "x"})],
        ["> 2 results are hidden by no_log, 1 of them failed.\n", "**1 failed (1 without a zone)"],
    ),
}


@named_rows("steps, markdown", SHOWN)
def test_the_markdown_shows(steps, markdown):
    view = view_after(*steps, ends=not any("began" in step.__qualname__ for step in steps))
    assert [text for text in markdown if text not in as_markdown(view)] == []


def test_the_page_shows_all_that_the_markdown_does():
    steps = [step for row in SHOWN.values() for step in row[0]]
    page = as_html(view_after(*steps, ends=False))
    for text in (
        "DNS report: 3 failed (2 without a zone), 2 interrupted, 1 unmanaged, 0 unchanged<",
        "<b>2</b> All",
        "Some tasks ran in check mode<",
        '<p class="title">What an earlier run had left incomplete<',
        '<p class="title">What this run left incomplete<',
        '<p class="say failed"><strong>Failed:</strong> Zone example.com: no.<',
        ">Failed, ignored:<",
        "Of no zone in particular<",
        '<p class="say warning"><strong>Warning:</strong> late<',
        '"say finding"><strong>Finding:</strong> example.com. TXT spf: two (RFC 7208)<',
        '<p class="say failed"><strong>Error:</strong> example.com. TXT spf: two<',
        "<strong>Owned by the service:</strong> NS belongs to the service &lt;b&gt;`\\x1b<",
        f"<strong>Unmanaged:</strong> {UNMANAGED}<",
        "<li>Keep it on h1: no route (ignored)<",
        "<strong>The run ended early: this report shows what was done until then.<",
        "<strong>2 tasks were interrupted or left running: run again.</strong></p>\n<ul>\n<li>Keep it on h1<",
        "<strong>Other tasks failed, so what their hosts would have done next may be missing",
        "<strong>2 results are hidden by no_log, 1 of them failed.<",
    ):
        assert text in page


def test_failures_come_first_then_changes():
    steps = [
        ended({**FINE, "zone": "a.example"}),
        ended({**WROTE, "zone": "b.example"}),
        ended({**REFUSED, "zone": "c.example"}, failed=True),
    ]
    view = view_after(*steps)
    assert re.findall(r'class="name">(\w)', as_html(view)) == ["c", "b", "a"]
    assert re.findall(r"<code>(\w)", as_markdown(view)) == ["c", "b"]
    assert [zone["zone"][0] for zone in document_of(view)["zones"]] == ["a", "b", "c"]


@pytest.mark.parametrize("zones", [1, 20, 5000])
def test_zones_that_nobody_touched_are_a_count_and_a_folded_list_below_the_failure(zones):
    names = [f"z{number:04}.example" for number in range(zones)]
    failed = {**REFUSED, "zone": "bad.example"}
    view = view_after(ended({"zones": [failed], "untouched": names}, failed=True))
    were = "1 zone was not touched" if zones == 1 else f"{zones:,} zones were not touched"
    above, _summary, folded = as_html(view).partition(f"<summary>{were}, because others")
    assert "z0000.example" not in above
    assert re.findall(r"<li>(.*)</li>", folded) == names
    above, _summary, folded = as_markdown(view).partition(f"<details><summary>{were}")
    assert f"**1 failed**, {zones:,} not touched, 0 changed, 0 unchanged" in above
    assert "z0000.example" not in above
    assert folded.count("\n- `z") == min(zones, MOST_LISTED)
    assert ("\n- and 4,980 more\n" in folded) is (zones == 5000)
    assert document_of(view)["untouched"] == names


# Limits


def many(zones, changes, **fields):
    """A report of zones with changes each."""
    results = []
    for number in range(zones):
        zone = f"zone{number:04}.example"
        sets = [change(f"h{n}.{zone}.") for n in range(changes)]
        results.append({**FINE, "zone": zone, "changes": sets, **fields})
    return view_after(ended({"zones": results}))


@pytest.mark.parametrize("zones, changes", [(500, 20), (1, 20_000), (20_000, 0)])
def test_markdown_fits_a_comment_and_counts_what_it_leaves_out(zones, changes):
    markdown = as_markdown(many(zones, changes, msg="" if changes else "x" * 5000))
    assert len(markdown.encode()) <= LARGEST
    shown = len(re.findall("^(?:<details|. Changed|. Failed)", markdown, re.MULTILINE))
    left = re.findall(r"space: ([\d,]+) zone", markdown)
    assert shown + sum(int(count.replace(",", "")) for count in left) == zones


def test_a_page_shows_some_lines_of_each_zone_and_in_all_and_counts_the_others():
    page = as_html(many(102, 501))
    assert page.count('<span class="in">') == 50_000
    assert re.findall(r"and ([\d,]+) more lines?<", page) == ["1"] * 100 + ["501"] * 2
    assert "51,102 changes" in page


def test_long_lists_are_cut_with_a_count():
    steps = [ended({**FINE, "warnings": [f"w{number}w" for number in range(120)]})]
    steps += [unreachable({}, host=f"h{number}", action="other") for number in range(30)]
    page, markdown = (form(view_after(*steps)) for form in (as_html, as_markdown))
    assert page.count("Warning:") == 100
    assert "and 20 more<" in page
    assert markdown.count("\n- Warning") == MOST_LISTED
    assert "\n- and 100 more\n" in markdown
    assert "\n> - and 10 more\n" in markdown


@pytest.mark.parametrize(
    "text, shown",
    [
        ("a\u202eb\x1b\n", "a\\u202eb\\x1b\\n"),
        ("x" * 900, "x" * 900),
        ("x" * 70_000, f"{'x' * 1000}… (cut, it has 70000 characters)"),
    ],
)
def test_what_cannot_be_seen_is_an_escape_and_what_is_long_is_cut(text, shown):
    view = view_after(ended({**FINE, "warnings": [text]}))
    assert f"- Warning: `{shown}`\n" in as_markdown(view)
    assert f"</strong> {shown}<" in as_html(view)


# Attacks

HOSTILE = [
    "</pre></details></code></script><script>alert(1)</script>",
    '<img src=x onerror=alert(1)> " onmouseover="alert(1)" x="',
    "`x` ``` ```` `````",
    "```\n\n# Heading\n\n@someone ![a](https://evil.example/x.png) [b](javascript:alert(1)) <b>",
    "\u202egnp.exe\u202c \u2066x\u2069 \x1b[31m \x00 \x07 \u200b \ud800",
    "{{ 7 * 7 }} {% raw %} ${x}",
    "]]> --> <!-- @team #1 https://evil.example",
]


def hostile(text):
    """A report that holds *text* wherever a zone, the service or a playbook can put it."""
    sides = {"before": TWO | {"contents": [text, text]}, "after": SHORT | {"contents": [text]}}
    changed = {"name": text, "type": text, "action": text, **sides}
    full = {
        "changes": [changed],
        "unfinished": [changed],
        "recovered": [changed],
        "findings": [dict.fromkeys(FINDING, text)],
        "service_owned": [dict.fromkeys(OWNED, text)],
        "warnings": [f"warning {text}"],
        "msg": f"failure {text}",
        "untouched": [text],
        "status_code": 400,
    }
    task = {"name": text, "host": text, "zone": None}
    return view_after(
        *(ended({**full, "zone": zone}, failed=True, **task) for zone in (text, "")),
        ended({"zones": [FINE], "unmanaged": [text]}, **task),
        unreachable({"msg": text}, **task),
        ended({}, failed=True, action="other", **task),
        began(**task),
        ends=False,
    )


TAGS = re.compile(r"<(/?[a-zA-Z!][^\s>]*)")


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_a_part_of_the_page(text):
    page, harmless = as_html(hostile(text)), as_html(hostile("harmless"))
    assert TAGS.findall(page) == TAGS.findall(harmless)
    body = page.partition("<body>")[2].partition("<script>")[0]
    assert not re.search(r"\bon\w+=(?!\S*(&#34;|&lt;|alert\(1\)))", body)
    assert page.count("{{ 7 * 7 }}") == (page.count("${x}") if "{{" in text else 0)
    page.encode()


def test_the_page_loads_nothing_and_runs_its_own_script_alone():
    page = as_html(hostile("x"))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    rules = dict(rule.split(" ", 1) for rule in policy[1].replace("&#39;", "'").split("; "))
    assert rules.pop("style-src").startswith("'sha256-")
    assert rules.pop("script-src").startswith("'sha256-")
    assert rules == {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'"}
    assert not re.search(r"\b(src|href|action|srcset|style)=|url\(|@import|https?:", page)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_a_part_of_the_markdown(text):
    """Outside of code, which is what a fence or a span holds, there is nothing but the report's own words."""
    markdown, harmless = as_markdown(hostile(text)), as_markdown(hostile("harmless"))
    assert outside_code(markdown) == outside_code(harmless)
    markdown.encode()


def outside_code(markdown):
    """Markdown with its code taken out, as CommonMark finds it (sections 4.5 and 6.1), and what <code> holds."""
    rest, fence = [], ""
    for line in markdown.split("\n"):
        if fence:
            fence = "" if re.fullmatch(f" {{0,3}}{fence}`*[ \t]*", line) else fence
        elif opening := re.match(r"(`{3,})[^`]*$", line):
            fence = opening[1]
        else:
            rest.append(
                re.sub(
                    r"<code>[^<]*</code>", "", re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", line)
                )
            )
    assert not fence
    return "\n".join(rest)


@pytest.mark.parametrize(
    "text, span",
    [
        ("a`b", "``a`b``"),
        ("```", "```` ``` ````"),
        ("", "`  `"),
        (" x", "`  x `"),
    ],
)
def test_a_code_span_has_a_fence_that_its_text_has_not(text, span):
    assert code(text) == span


# JSON


@pytest.mark.parametrize("text", HOSTILE)
def test_json_holds_every_text_as_it_is_and_in_ascii(text):
    written = as_json(hostile(text))
    assert written.isascii()
    zones = json.loads(written)["zones"]
    task = next(zone for zone in zones if zone["zone"] != "example.com")["tasks"][0]
    assert task["changes"][0]["before"] == {"ttl": 300, "contents": [text, text]}
    assert task["findings"] == [dict.fromkeys(FINDING, text)]
    assert " ".join(f"failure {text}".partition("\n\n")[0].split()) == task["failure"]["msg"]


def test_a_change_has_a_reason_where_the_task_has_an_owner():
    changes = [change(because=why) if why else change() for why in ("drift", "wanted", "")]
    (zone,) = document_of(view_after(ended({**WROTE, "changes": changes})))["zones"]
    reasons = [one.get("because") for one in zone["tasks"][0]["changes"]]
    assert reasons == ["drift", "wanted", None]
