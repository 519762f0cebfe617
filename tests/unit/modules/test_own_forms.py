# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values and TTLs as they are sent, and as the service makes others of them: told, remembered, and not fought."""

from dataclasses import replace

import pytest
from shorthand import no, writes, www

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._log.past import Past
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine

TWO = "www 300 A 192.0.2.1\nwww 300 A 192.0.2.2"
DELETE = "DELETE www.example.com. A"


# TXT (docs/design_details.md, "Open questions in the specification")

PLAIN, QUOTED = "v=spf1 -all", '"v=spf1 -all"'


@pytest.mark.parametrize(
    "txt_format, txt_read, txt_write, before, posts",
    [
        # nothing to learn from: plain, and in quotes once that is refused, from then on
        ("auto", "plain", "quoted", "", [PLAIN, QUOTED, '"two"']),
        # the zone shows how
        ("auto", "quoted", "any", "other 300 TXT old", [QUOTED, '"two"']),
        # as told
        ("plain", "quoted", "any", "other 300 TXT old", [PLAIN, "two"]),
        ("quoted", "plain", "any", "other 300 TXT old", [QUOTED, '"two"']),
    ],
)
def test_how_text_is_sent(zone, run, service, txt_format, txt_read, txt_write, before, posts):
    zone.holds(before)
    service.settings(txt_read=txt_read, txt_write=txt_write)
    text = {"zone": "example.com", "type": "TXT", "content": [PLAIN, "two"], "ttl": 300}
    assert run("dns_record", **text, txt_format=txt_format)["changed"] is True
    assert [call["body"]["content"] for call in service.log() if call["method"] == "POST"] == posts
    service.clear_log()
    assert run("dns_record", **text, txt_format=txt_format)["changed"] is False
    assert zone.calls() == ["GET"]
    service.settings(txt_read="quoted")
    assert zone.lines()[:2] == ['@ 300 TXT "two"', f"@ 300 TXT {QUOTED}"]


# Values and TTLs of which the service makes others


@pytest.mark.parametrize(
    "habits, kept, deleted",
    [
        ({"ttl_min": 900}, 900, 1),  # raised
        ({"ttl_min": 300, "ttl_max": 300}, 300, 2),  # fixed, and so as before
    ],
)
def test_a_ttl_that_the_service_does_not_keep(
    zone, run, service, store, clock, habits, kept, deleted
):
    zone.holds(TWO)
    service.habits("example.com", **habits)
    task = {"zone": "example.com", **www("192.0.2.1", "192.0.2.2", ttl=60)}
    result = run("dns_record", **task)
    warning = f"www.example.com. A has a TTL of {kept} seconds, not 60: the service keeps its own"
    assert result["warnings"] == [warning]
    assert result["changed"] is (kept != 300)
    assert result["record_set"]["ttl"] == kept
    assert zone.calls().count(DELETE) == deleted
    service.clear_log()
    again = run("dns_record", **task)
    assert (again["changed"], again["warnings"]) == (False, [warning]), "each run says so"
    assert zone.calls() == ["GET"]
    # It shows another one later: somebody wrote that.
    clock.turn(1000)
    service.habits("example.com")
    zone.holds("www 77 A 192.0.2.1\nwww 77 A 192.0.2.2")
    assert "warnings" not in run("dns_record", **task)
    assert zone.lines() == ["www 60 A 192.0.2.1", "www 60 A 192.0.2.2"]
    assert store.load().dialect.ttls == {}


def test_a_deletion_without_an_answer_is_warned_of_where_a_ttl_is_learnt(zone, run, service):
    zone.holds("www 300 A 192.0.2.1")
    service.habits("example.com", ttl_min=300, ttl_max=300)
    service.fault("drop_after", method="DELETE")
    result = run("dns_record", zone="example.com", **www("192.0.2.1", ttl=60))
    kept, pending = result["warnings"]
    assert "the service keeps its own" in kept
    assert pending.startswith("a deletion of www.example.com. A was not confirmed")


@pytest.mark.parametrize(
    "habit, shown",
    [("lower", "https://example.net/one"), ("dotted", "https://Example.net/One.")],
)
def test_a_value_that_is_shown_in_another_spelling_is_told_once_and_never_rebuilt(
    zone, run, service, clock, habit, shown
):
    sent = "https://Example.net/One"
    service.habits("example.com", **{habit: ["URL"]})
    task = {"zone": "example.com", "name": "www", "type": "URL", "content": sent, "findings": "off"}
    result = run("dns_record", **task, ttl=300)
    assert result["warnings"] == [
        f"www.example.com. URL was sent {sent}, and the service shows it as {shown}"
    ]
    assert (result["changed"], result["record_set"]["contents"]) == (True, [sent])
    service.clear_log()
    clock.turn(1000)
    again = run("dns_record", exclusive=True, **task)
    assert (again["changed"], again.get("warnings"), zone.calls()) == (False, None, ["GET"])
    for _again in range(2):
        assert "warnings" not in run("dns_record", **task, ttl=60)
    assert zone.lines() == [f"www 60 URL {shown}"]
    assert zone.calls().count("DELETE www.example.com. URL") == 1
    gone = run("dns_record", **task, state="absent")
    assert (gone["changed"], zone.lines()) == (True, [])


DKIM, DKIM_QUOTED = "v=DKIM1; k=rsa", '"v=DKIM1; k=rsa"'
TXT = {"zone": "example.com", "name": "k", "type": "TXT", "content": DKIM, "ttl": 300}
OWN_WAY = "the service changed TXT values, but keeps them when they are sent "


@pytest.mark.parametrize("read", ["quoted", "plain"])
def test_text_that_is_read_as_zone_files_are(zone, run, service, clock, read):
    service.habits("example.com", parses=True, txt_read=read)
    result = run("dns_record", **TXT)
    assert result["changed"] is True
    plain, quoted = f"POST k TXT {DKIM}", f"POST k TXT {DKIM_QUOTED}"
    assert writes(zone) == [plain, "DELETE k.example.com. TXT", quoted]
    assert clock.waits == [], "what was made of it is shown, so it is not late"
    assert result["warnings"] == [f"{OWN_WAY}in quotes: set txt_format to quoted"]
    service.clear_log()
    assert run("dns_record", **TXT)["changed"] is False
    assert "warnings" not in run("dns_record", **TXT | {"name": "l"})
    assert zone.calls() == ["GET", "GET", f"POST l TXT {DKIM_QUOTED}", "GET"]


def test_what_a_text_becomes_is_learnt_although_it_was_there_and_was_removed(zone, run, service):
    service.habits("example.com", parses=True, txt_read="plain")
    zone.holds('k 300 TXT "v=DKIM1"\nk 300 TXT "others"')
    assert run("dns_record", **TXT | {"content": "v=DKIM1"}, state="absent")["changed"]
    assert not run("dns_record", **TXT).get("failed")
    assert zone.lines() == ['k 300 TXT "others"', f"k 300 TXT {DKIM_QUOTED}"]


def test_text_whose_quotes_are_kept(zone, run, service):
    """The zone shows quotes, so they were sent; a partial removal sends the kept values too."""
    zone.holds('k 300 TXT "one"\nk 300 TXT "two"')
    task = {**TXT, "content": "two", "state": "absent"}
    service.habits("example.com", keeps_quotes=True)
    result = run("dns_record", **task)
    delete = "DELETE k.example.com. TXT"
    assert writes(zone) == [delete, 'POST k TXT "one"', delete, "POST k TXT one"]
    assert result["warnings"] == [f"{OWN_WAY}without quotes: set txt_format to plain"]
    assert (result["changed"], result["record_set"]["contents"]) == (True, ['"one"'])
    assert run("dns_record", **task)["changed"] is False
    assert zone.lines() == ['k 300 TXT "one"']


@pytest.mark.parametrize(
    "txt_format, habit, post, held, remedy",
    [
        ("plain", "parses", DKIM, "v=DKIM1", "quoted"),
        ("quoted", "keeps_quotes", DKIM_QUOTED, r"\"v=DKIM1; k=rsa\"", "plain"),
    ],
)
def test_a_form_that_was_asked_for_is_not_switched(
    zone, run, service, txt_format, habit, post, held, remedy
):
    service.habits("example.com", **{habit: True})
    result = run("dns_record", **TXT, txt_format=txt_format)
    why = (
        f"k.example.com. TXT cannot be stored as desired: {DKIM_QUOTED} was stored differently from how it was sent: "
        f"set txt_format to {remedy}"
    )
    assert result["msg"] == (
        f"Zone example.com: the zone is not yet as desired, and the task must not continue: {why}; "
        f'k.example.com. TXT holds "{held}" (TTL 300).'
    )
    assert result["changed"] is True
    again = run("dns_record", **TXT, txt_format=txt_format)
    assert again["msg"] == f"Zone example.com: {why}; nothing was changed."
    assert writes(zone) == [f"POST k TXT {post}"]


@pytest.mark.parametrize("later", [0, 1000])
def test_what_was_made_of_a_text_goes_as_soon_as_the_remedy_is_followed(
    zone, run, service, clock, later
):
    service.habits("example.com", parses=True)
    zone.holds('k 300 TXT "others"')
    assert run("dns_record", **TXT, txt_format="plain")["failed"]
    clock.turn(later)
    assert run("dns_record", **TXT, txt_format="quoted")["changed"]
    assert zone.lines() == ['k 300 TXT "others"', f"k 300 TXT {DKIM_QUOTED}"]


def test_former_texts_come_back_without_quotes_if_the_service_refuses_these(zone, run, service):
    """It cuts a text without quotes, and takes none with them."""
    service.habits("example.com", parses=True)
    zone.holds('k 300 TXT "others"')
    service.fault(**no(content='"', times=0))
    assert run("dns_record", **TXT)["failed"]
    assert zone.lines() == ['k 300 TXT "others"']


def test_a_text_is_not_tried_in_the_other_form_where_the_service_fails(zone, run, service):
    service.fault(**no(status=500, times=0))
    assert run("dns_record", **TXT, retries=0)["failed"]
    assert writes(zone) == [f"POST k TXT {DKIM}"]


@pytest.mark.parametrize(
    "name, sent",
    [
        ("k", ["DELETE k.example.com. TXT", 'POST k TXT "others"', f"POST k TXT {DKIM_QUOTED}"]),
        ("l", [f"POST l TXT {DKIM_QUOTED}"]),
    ],
)
def test_a_run_that_was_killed_after_a_text_came_back_cut_is_continued_in_the_other_form(
    zone, run, service, store, name, sent
):
    service.habits("example.com", parses=True, txt_read="plain")
    zone.holds('k 300 TXT "others"\nk 300 TXT "v=DKIM1"')
    at = machine().time() - 60
    before = RecordSet("k.example.com.", "TXT", 300, ('"others"',))
    desired = replace(before, values=('"others"', DKIM_QUOTED))
    with store.lock() as document:
        entry = Entry(Past().with_newest(before), desired, False, at, at)
        store.save(replace(document, entries={before.key: entry}))
    assert run("dns_record", **TXT | {"name": name})["changed"]
    assert writes(zone) == sent


def test_a_text_that_came_back_cut_is_nobody_else_s_in_the_next_run(zone, run, service, store):
    """A run was killed before it sent the text in quotes; the DELETE of the next one waits for that of another set."""
    service.habits("example.com", parses=True, txt_read="plain")
    zone.holds('a 300 A 192.0.2.1\nk 300 TXT "others"\nk 300 TXT "v=DKIM1"')
    at = machine().time() - 60
    before = RecordSet("k.example.com.", "TXT", 300, ('"others"',))
    desired = replace(before, values=('"others"', DKIM_QUOTED))
    with store.lock() as document:
        entry = Entry(Past().with_newest(before), desired, True, at, at)
        dialect = replace(document.dialect, altered={before.key: {'"v=DKIM1"': DKIM_QUOTED}})
        killed = replace(document, entries={before.key: entry}, dialect=dialect)
        store.save(replace(killed, under_way=frozenset([before.key])))
    service.fault("status", method="DELETE", status=429, headers={"Retry-After": "17"})
    text = {"name": "k", "type": "TXT", "content": DKIM, "exclusive": False}
    address = {"name": "a", "type": "A", "content": "192.0.2.1", "ttl": 60}
    run("dns_records", zone="example.com", records=[address, text], concurrency=1)
    assert zone.lines() == [
        "a 60 A 192.0.2.1",
        'k 300 TXT "others"',
        f"k 300 TXT {DKIM_QUOTED}",
    ]


def test_a_text_that_came_back_cut_goes_if_another_is_refused(zone, run, service):
    service.habits("example.com", parses=True)
    before = 'k 300 TXT "old"'
    zone.holds(before)
    service.fault(**no(content="bad", times=0))
    task = TXT | {"content": [DKIM, "bad"], "exclusive": True}
    result = run("dns_record", **task)
    assert "its old values were put back" in result["msg"]
    assert "warnings" not in result
    assert zone.lines() == [before]


def test_a_text_that_a_run_left_cut_is_not_what_the_next_one_completes(zone, run, service):
    """The set was new; its text comes back cut, and is refused in quotes."""
    service.habits("example.com", parses=True)
    service.fault(**no(content='"', times=0))
    assert run("dns_record", **TXT)["failed"]
    other = run("dns_record", zone="example.com", name="a", type="A", content="192.0.2.1")
    assert "warnings" not in other
    assert zone.lines() == ["a 3600 A 192.0.2.1"]


def test_a_text_that_no_form_brings_back_can_be_left_out(zone, run, service):
    service.habits("example.com", parses=True, keeps_quotes=True)
    zone.holds('k 300 TXT "others"')
    assert run("dns_record", **TXT)["failed"]
    result = run("dns_record", **TXT | {"content": "others"})
    assert "failed" not in result, result["msg"]


def test_a_text_that_somebody_cuts_again_is_a_change_of_the_task(zone, run, service, clock):
    service.habits("example.com", parses=True)
    assert run("dns_record", **TXT)["changed"]
    zone.holds(f'k 300 TXT {DKIM_QUOTED}\nk 300 TXT "v=DKIM1"')
    clock.turn(1000)
    assert run("dns_record", **TXT | {"name": "l"})["changed"], "the entry of k has ended"
    result = run("dns_record", **TXT)
    (change,) = result["changes"]
    assert change["before"]["contents"] == [DKIM_QUOTED, '"v=DKIM1"']
    assert change["after"]["contents"] == [DKIM_QUOTED]
    assert (result["recovered"], result.get("warnings")) == ([], None)
    assert zone.lines()[0] == f"k 300 TXT {DKIM_QUOTED}"


BLANK = '" lead"'
"""A text that goes in quotes whatever the form: as it is, a service may leave its blank out."""


def test_a_text_that_goes_in_quotes_alone_where_the_service_keeps_them(zone, run, service):
    zone.holds(f'k 300 TXT {BLANK}\nk 300 TXT "one"')
    service.habits("example.com", keeps_quotes=True)
    assert run("dns_record", **TXT | {"name": "l"})["warnings"] == [
        f"{OWN_WAY}without quotes: set txt_format to plain"
    ]
    service.clear_log()
    refused = run("dns_record", **TXT | {"name": "m", "content": BLANK})
    assert refused["msg"] == (
        f"Zone example.com: m.example.com. TXT cannot be stored as desired: {BLANK} can only be sent in quotes, "
        "whatever txt_format says, and the service keeps the quotes: leave it out; nothing was changed."
    )
    rebuilt = run("dns_record", **TXT | {"content": "one", "ttl": 60})
    assert "must be rebuilt, but a value that it holds cannot be created again" in rebuilt["msg"]
    assert set(zone.calls()) == {"GET"}
