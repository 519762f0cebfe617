# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""In which form texts are sent: given the option, what is known and shown, and what came of it."""

import pytest
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Snapshot
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.zone import dialect_after
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.altered_texts import (
    TextForm,
    comes_back_altered,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.dialect import Dialect
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import begun

TXT = Key("www.example.com.", "TXT")


def form(asked="auto", known="", shown="", rdtype="TXT"):
    """The form for a zone in which a set holds the values *shown*."""
    one = RecordSet("www.example.com.", rdtype, 300, tuple(shown.split()))
    return TextForm(asked, Dialect(form=known), {one.key: one} if shown else {})


@pytest.mark.parametrize(
    "asked, known, shown, rdtype, first",
    [
        ("auto", "", "", "TXT", "plain"),
        ("auto", "", "one", "TXT", "plain"),
        ("auto", "", '"one"', "TXT", "quoted"),
        ("auto", "", '"one" "two"', "TXT", "quoted"),
        ("auto", "", '"one" two', "TXT", "plain"),
        ("auto", "", '"one"', "ALIAS", "plain"),
        ("auto", "quoted", "one", "TXT", "quoted"),
        ("auto", "plain", '"one"', "TXT", "plain"),
        ("plain", "quoted", '"one"', "TXT", "plain"),
        ("quoted", "plain", "one", "TXT", "quoted"),
    ],
)
def test_the_first_form(asked, known, shown, rdtype, first):
    assert form(asked, known, shown, rdtype).form == first


DKIM, CUT, KEPT, BLANK = '"v=DKIM1; k=rsa"', '"v=DKIM1"', r'"\"v=DKIM1; k=rsa\""', '" lead"'
FORMS = {
    # the option, the form that is known, the type, the text, what was made of texts -> the forms that are tried
    "automatic": ("auto", "", "TXT", DKIM, {}, "plain quoted"),
    "quotes are known to be right": ("auto", "quoted", "TXT", DKIM, {}, "quoted plain"),
    "cut without quotes": ("auto", "", "TXT", DKIM, {CUT: DKIM}, "quoted"),
    "with its quotes in them": ("auto", "", "TXT", DKIM, {KEPT: DKIM}, "plain"),
    "another text was cut": ("auto", "", "TXT", '"one"', {CUT: DKIM}, "plain quoted"),
    "it goes in quotes alone": ("auto", "", "TXT", BLANK, {}, "plain"),
    "no text": ("auto", "", "A", "192.0.2.1", {}, "plain"),
    "a form that is asked for": ("quoted", "plain", "TXT", DKIM, {}, "quoted"),
}


@named_rows("asked, known, rdtype, text, altered, forms", FORMS)
def test_the_forms_in_which_a_text_is_tried(asked, known, rdtype, text, altered, forms):
    dialect = Dialect(altered={TXT: altered}, form=known)
    assert TextForm(asked, dialect, {}).forms_for(rdtype, text, dialect) == forms.split()


TURNS = {
    # the option, and the forms in which texts came back altered -> whether it changes, the form
    "altered as it is sent": ("auto", {"plain"}, True, "quoted"),
    "altered in the other form": ("auto", {"quoted"}, False, "plain"),
    "altered in both": ("auto", {"plain", "quoted"}, True, "quoted"),
    "not altered": ("auto", set[str](), False, "plain"),
    "a form that was asked for": ("plain", {"plain"}, False, "plain"),
}


@named_rows("asked, forms, changes, after", TURNS)
def test_the_form_turns_if_texts_come_back_altered(asked, forms, changes, after):
    one = form(asked)
    assert one.turns_from(forms) is changes
    assert one.form == after


IN_BOTH = f"{DKIM} was stored differently from how it was sent, with each txt_format: leave out what the service changes"
IN_ONE = f"{DKIM} was stored differently from how it was sent: set txt_format to "
IN_QUOTES = f"{BLANK} can only be sent in quotes, whatever txt_format says, and the service keeps the quotes: leave it out"
REFUSED = {
    # what the service makes of a text, the form that is known to be right -> why it is refused
    "nothing is known": ({}, "", "auto", DKIM, ""),
    "with its quotes": ({KEPT: DKIM}, "", "auto", DKIM, ""),
    "with its quotes, which are asked for": ({KEPT: DKIM}, "", "quoted", DKIM, f"{IN_ONE}plain"),
    "cut, and quotes are asked for": ({CUT: DKIM}, "", "quoted", DKIM, ""),
    "cut, and none are asked for": ({CUT: DKIM}, "", "plain", DKIM, f"{IN_ONE}quoted"),
    "altered in both forms": ({CUT: DKIM, KEPT: DKIM}, "", "auto", DKIM, IN_BOTH),
    "it goes in quotes alone": ({r'"\"\\" lead\\"\""': BLANK}, "", "plain", BLANK, ""),
    "it goes in quotes alone, which are kept": (
        {r'"\" lead\""': BLANK},
        "",
        "auto",
        BLANK,
        IN_QUOTES,
    ),
    "as another text has shown": ({}, "plain", "auto", BLANK, IN_QUOTES),
    "in quotes, which are asked for": ({}, "plain", "quoted", BLANK, ""),
    "altered in both forms, of which one is asked for": (
        {CUT: DKIM, KEPT: DKIM},
        "",
        "plain",
        DKIM,
        IN_BOTH,
    ),
    "where quotes help": ({}, "quoted", "auto", BLANK, ""),
}


@named_rows("altered, known, asked, text, why", REFUSED)
def test_why_a_text_is_refused(altered, known, asked, text, why):
    dialect = Dialect(altered={TXT: altered}, form=known)
    assert comes_back_altered(text, dialect, asked) == why


@pytest.mark.parametrize("deletes, altered", [(False, {}), (True, {TXT: {'"a"': '"a; b"'}})])
def test_what_others_add_beside_a_text_that_was_not_sent_is_not_made_of_it(deletes, altered):
    """The set held a text and gets another one. A third looks like the first, cut at its semicolon."""
    held = RecordSet(*TXT, 300, ('"a; b"',))
    desired = RecordSet(*TXT, 300, ('"a; b"', '"new"'))
    shown = RecordSet(*TXT, 300, ('"a; b"', '"new"', '"a"'))
    log = {TXT: begun(None, held, desired, 0.0, has_delete=deletes)}
    snapshot = Snapshot("example.com.", "examplecom", {TXT: shown})
    assert dialect_after(Dialect(), log, snapshot, 60.0).altered == altered


@pytest.mark.usefixtures("clock")
def test_texts_with_quotes_that_the_service_keeps_are_not_others_values(zone, run, service):
    """A DELETE has no answer, so that the values of others are kept from then on."""
    zone.holds('www 300 TXT "one"\nwww 300 TXT "stays"')
    service.habits("example.com", keeps_quotes=True, txt_read="quoted")
    service.fault("status", method="DELETE", status=504)
    task = {"name": "www", "type": "TXT", "content": "two", "replaces": ["one"]}
    assert not run("dns_record", zone="example.com", **task).get("failed")
    assert zone.lines() == ['www 300 TXT "stays"', 'www 300 TXT "two"']
