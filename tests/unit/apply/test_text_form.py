# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""In which form texts are sent: given what was asked for, found and seen, and what became of those that were sent.

And values that come values, but keeps them when they are sent: given what is shown, sent and was there before.
"""

from __future__ import annotations

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.text_form import TextForm
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import InvalidRdata
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sending import (
    as_sent,
    misread_in,
    respelled_in,
)

TXT, A = (Key("www.example.com.", rdtype) for rdtype in ("TXT", "A"))
ONE, TWO, BLANK = '"one"', '"two"', '" lead"'  # the last goes in quotes in either form
REFUSED, LATER = ServiceError("No", 422), ServiceError("Later", 503)


def form(asked: str = "auto", found: str = "", shown: str = "", rdtype: str = "TXT") -> TextForm:
    """The form for a zone in which a set holds the values *shown*."""
    one = RecordSet("www.example.com.", rdtype, 300, tuple(shown.split()))
    return TextForm(asked, found, {one.key: one} if shown else {})


@pytest.mark.parametrize(
    ("asked", "found", "shown", "rdtype", "quoted"),
    [
        ("auto", "", "", "TXT", False),
        ("auto", "", "one", "TXT", False),
        ("auto", "", '"one"', "TXT", True),
        ("auto", "", '"one" "two"', "TXT", True),
        ("auto", "", '"one" two', "TXT", False),
        ("auto", "", '"one"', "ALIAS", False),
        ("auto", "quoted", "one", "TXT", True),
        ("auto", "plain", '"one"', "TXT", False),
        ("plain", "quoted", '"one"', "TXT", False),
        ("quoted", "plain", "one", "TXT", True),
    ],
)
def test_the_first_form(asked: str, found: str, shown: str, rdtype: str, quoted: bool) -> None:
    first = form(asked, found, shown, rdtype)
    assert first.quoted == quoted
    assert first.found == (found if asked == "auto" else "")
    assert first.keeps_quotes == (found == "plain" and not quoted)


@pytest.mark.parametrize(
    ("asked", "found", "taken", "refused", "again"),
    [
        ("auto", "", None, REFUSED, True),
        ("auto", "", None, LATER, False),
        ("auto", "plain", None, REFUSED, False),
        ("plain", "", None, REFUSED, False),
        ("auto", "", False, REFUSED, True),
        ("auto", "plain", False, REFUSED, False),
        ("auto", "", True, REFUSED, True),
    ],
)
def test_what_a_refusal_tells(
    asked: str, found: str, taken: bool | None, refused: ServiceError, again: bool
) -> None:
    one = form(asked, found)
    if taken is not None:
        one.is_taken(taken, TXT, ONE)
    assert one.learns_from(refused, TXT, False) is again
    assert one.quoted is again


def test_what_a_refusal_does_not_tell() -> None:
    one = form()
    assert one.learns_from(REFUSED, A, False) is False
    assert one.learns_from(REFUSED, TXT, True) is False
    assert not one.quoted
    assert one.learns_from(REFUSED, TXT, False)
    assert one.learns_from(REFUSED, TXT, False), "another thread has learnt it meanwhile"


def test_quotes_that_did_not_help_were_not_lacking() -> None:
    one = form()
    one.learns_from(REFUSED, TXT, False)
    one.is_refused(False)
    assert one.quoted, "which the answer to an unquoted one does not tell"
    one.is_refused(True)
    assert not one.quoted

    one.learns_from(REFUSED, TXT, False)
    one.is_taken(True, TXT, ONE)
    one.is_refused(True)
    assert one.quoted, "they have helped another"

    asked = form(shown='"one"')
    asked.is_refused(True)
    assert asked.quoted, "nobody has learnt it from a refusal"

    other = form()
    other.is_taken(True, A, "192.0.2.1")
    other.learns_from(REFUSED, TXT, False)
    other.is_refused(True)
    assert not other.quoted, "an address has no form"


@pytest.mark.parametrize(
    ("sent", "misread", "switched", "quoted", "found"),
    [
        pytest.param({ONE: False}, {ONE}, True, True, "quoted", id="sent without, so with"),
        pytest.param({ONE: True}, {ONE}, True, False, "plain", id="sent with, so without"),
        pytest.param({}, {ONE}, True, True, "quoted", id="not sent by this run, as if sent so"),
        pytest.param(
            {ONE: True, TWO: False}, {ONE, TWO}, False, False, "", id="neither form is right"
        ),
        pytest.param(
            {ONE: False, BLANK: True}, {ONE}, True, True, "quoted", id="the other came back right"
        ),
    ],
)
def test_the_other_form(
    sent: dict[str, bool], misread: set[str], switched: bool, quoted: bool, found: str
) -> None:
    one = form()
    for value, was_quoted in sent.items():
        one.is_taken(was_quoted, TXT, value)
    assert one.switch({(TXT, value) for value in misread}) is switched
    assert (one.quoted, one.found) == (quoted, found)


def test_forms_are_switched_once() -> None:
    one = form()
    one.is_taken(False, TXT, ONE)
    assert one.switch({(TXT, ONE)})
    one.is_taken(True, TXT, ONE)
    assert not one.switch({(TXT, ONE)})
    assert one.quoted
    one.is_taken(False, TXT, TWO)
    assert one.switch({(TXT, TWO)}), "it was sent before the form was another"


@pytest.mark.parametrize("asked", ["plain", "quoted"])
def test_a_form_that_was_asked_for_stays(asked: str) -> None:
    one = form(asked)
    one.is_taken(one.quoted, TXT, ONE)
    assert not one.switch({(TXT, ONE)})
    assert (one.quoted, one.found) == (asked == "quoted", "")


@pytest.mark.parametrize("asked", ["auto", "plain"])
def test_what_goes_in_quotes_alone_tells_that_they_are_kept(asked: str) -> None:
    one = form(asked)
    one.check(TXT, [ONE, BLANK])
    one.is_taken(False, TXT, BLANK)
    assert not one.switch({(TXT, BLANK)})
    assert (one.quoted, one.keeps_quotes) == (False, True)
    one.check(TXT, [ONE])
    one.check(A, ["192.0.2.1"])
    with pytest.raises(
        InvalidRdata, match='" lead" can only be sent in quotes, and the service keeps the'
    ):
        one.check(TXT, [ONE, BLANK])


def test_a_text_is_sent_in_the_other_form_once() -> None:
    """The other form may be refused, and then what is there is still of the first one."""
    one = form()
    one.is_taken(True, TXT, ONE)
    one.quoted = True
    assert one.switch([(TXT, ONE)])
    assert not one.switch([(TXT, ONE)])


def test_a_text_that_is_right_in_one_set_is_sent_in_the_other_form_for_another_one() -> None:
    other = Key("mail.example.com.", "TXT")
    one = form()
    one.is_taken(False, other, ONE)
    one.quoted = True
    one.is_taken(True, TXT, ONE)
    assert one.switch({(other, ONE)})
    assert (one.quoted, one.found) == (True, "quoted")


DKIM = '"v=DKIM1; k=rsa"'
CUT, KEPT = '"v=DKIM1"', r'"\"v=DKIM1; k=rsa\""'
OTHERS: dict[str, tuple[str, list[str], list[str], list[str], dict[str, str]]] = {
    # the type, what is shown, was sent, and was there before -> which of it came of what was sent
    "as it was sent": ("TXT", [DKIM], [DKIM], [], {}),
    "read as a zone file": ("TXT", [CUT], [DKIM], [], {CUT: DKIM}),
    "with its quotes": ("TXT", [KEPT], [DKIM], [], {KEPT: DKIM}),
    "it was there before": ("TXT", [CUT], [DKIM], [CUT], {}),
    "it is there beside it": ("TXT", [CUT, DKIM], [DKIM], [], {}),
    "it was sent, too": ("TXT", [CUT], [DKIM, CUT], [], {}),
    "of somebody else": ("TXT", [ONE], [DKIM], [], {}),
    "nothing was sent": ("TXT", [CUT], [], [], {}),
    "in lower case": (
        "URL",
        ["https://a.b/c"],
        ["https://A.b/C"],
        [],
        {"https://a.b/c": "https://A.b/C"},
    ),
    "with a final dot": ("ALIAS", ["a.b."], ["a.b"], [], {"a.b.": "a.b"}),
    "of the same letters in another order": ("URL", ["https://b.a/c"], ["https://a.b/c"], [], {}),
    "another value": ("URL", ["https://a.b/d"], ["https://A.b/C"], [], {}),
    "a spelling that was there before": ("URL", ["a"], ["A"], ["a"], {}),
    "both are there": ("URL", ["a", "A"], ["A"], [], {}),
    "an address of the same digits": ("A", ["192.0.2.21"], ["192.0.2.12"], [], {}),
    "a host of the same letters": ("CNAME", ["web21.example.net."], ["web12.example.net."], [], {}),
    "a mail host without its preference": ("MX", ["a."], ["10 a."], [], {}),
}


@pytest.mark.parametrize(("rdtype", "shown", "sent", "before", "made"), OTHERS.values(), ids=OTHERS)
def test_what_came_of_what_was_sent(
    rdtype: str, shown: list[str], sent: list[str], before: list[str], made: dict[str, str]
) -> None:
    one, of_run, former = (
        RecordSet("www.example.com.", rdtype, 300, tuple(values)) if values else None
        for values in (shown, sent, before)
    )
    assert one
    assert {**misread_in(one, of_run, former), **respelled_in(one, of_run, former)} == made
    assert as_sent(one, of_run, former).values == tuple(made.get(value, value) for value in shown)


def test_what_came_of_a_form_that_is_given_up_is_not_what_was_sent() -> None:
    shown, sent = (RecordSet(*TXT, 300, (value,)) for value in (CUT, DKIM))
    assert as_sent(shown, sent, None).values == (DKIM,)
    assert as_sent(shown, sent, None, [CUT]).values == (CUT,)
