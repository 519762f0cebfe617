# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a failure says, word for word: what was tried, why it failed, what the sets hold now, and what goes on."""

from dataclasses import replace

import pytest
from shorthand import change, ends, held, named_rows, short

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import (
    ServiceError,
    unexpected,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.messages import (
    Attempt,
    became,
    besides,
    ended_early,
    not_as_desired,
    not_continued,
    not_kept,
    not_verified,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.outcome import ApplyFailed
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.owner_name import Failure
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import PlanRefused

PLACE = "/state/example.com.json"
REFUSED = ServiceError("the service answered 403: No.", 403)
BROKEN = ServiceError("the service answered 500", 500)
SILENT = ServiceError("there was no answer.")

WWW = change("www", "A", "300 192.0.2.1", "60 192.0.2.2")
NEW = change("www", "A", "", "60 192.0.2.2")
GROWS = change("www", "A", "300 192.0.2.1", "300 192.0.2.1 192.0.2.2")
GOES = change("www", "A", "300 192.0.2.1", "", pruned=True)
V6 = change("www", "AAAA", "300 2001:db8::1", "60 2001:db8::1")
FTP = change("ftp", "A", "", "300 192.0.2.9")
MAIL = change("mail", "A", "", "300 192.0.2.9")
COMPLETES = f"; the next run on the zone completes it from {PLACE}"
LATER = f". The next run on the zone uses {PLACE} to complete what is missing"
ADD = "cannot add 192.0.2.2 to www.example.com. A: "


def attempt(
    planned,
    incomplete=(),
    written=(),
    read=None,
):
    """A run that was to make these changes, of which some are for the next one to complete."""
    log = {
        one.key: Entry(tuple(filter(None, [one.before])), one.after, one in incomplete, 0.0, 0.0)
        for one in (*planned, *incomplete)
    }
    return Attempt(tuple(planned), log, PLACE, read, {one.key for one in written})


def tried(error=REFUSED, **fields):
    """The failure of a run that was to give www another address."""
    return Failure(WWW.key, "add 192.0.2.2 to www.example.com. A", error, **fields)


def pruning(error):
    """The failure of a run that was to remove www."""
    return Failure(GOES.key, "delete www.example.com. A", error)


EARLY = {
    # what was planned, the failure, what is read, what is incomplete -> what is said after the service's own words
    "as it was": (
        [GROWS],
        tried(),
        ["www 300 A 192.0.2.1"],
        [],
        "the set holds 192.0.2.1 (TTL 300)",
    ),
    "a new set of which there is nothing": ([NEW], tried(), [], [], "the set holds nothing"),
    "gone": ([WWW], tried(), [], [], "the set is gone"),
    "gone, and in the log": ([WWW], tried(), [], [WWW], f"the set is gone{COMPLETES}"),
    "put back, beside what others have added": (
        [WWW],
        tried(is_back=True),
        ["www 300 A 192.0.2.3 192.0.2.1"],
        [],
        "its old values were put back, and it holds 192.0.2.3, 192.0.2.1 (TTL 300)",
    ),
    "put back, and gone all the same": ([WWW], tried(is_back=True), [], [], "the set is gone"),
    "not put back": (
        [WWW],
        tried(not_back=SILENT),
        [],
        [WWW],
        f"its old values were tried too: there was no answer; the set is gone{COMPLETES}",
    ),
    "put back, and the other set of the name is as planned": (
        [NEW, V6],
        tried(is_back=True),
        ["www 300 AAAA 2001:db8::1"],
        [],
        (
            "its old values were put back, and it holds nothing, www.example.com. AAAA holds 2001:db8::1 (TTL 300) "
            "(1 set applied, 1 failed, 0 not attempted)"
        ),
    ),
    "another is not as planned": (
        [FTP, WWW],
        tried(),
        ["www 300 A 192.0.2.1"],
        [],
        (
            "the set holds 192.0.2.1 (TTL 300); ftp.example.com. A holds nothing, which is not as planned either "
            "(0 sets applied, 2 failed, 0 not attempted)"
        ),
    ),
    "another has a TTL of its own": (
        [FTP, WWW],
        tried(),
        ["www 300 A 192.0.2.1", "ftp 900 A 192.0.2.9"],
        [],
        "the set holds 192.0.2.1 (TTL 300) (1 set applied, 1 failed, 0 not attempted)",
    ),
    "fit for a terminal": (
        [WWW],
        tried(),
        ["www 60 A \x1b[31m"],
        [],
        r"the set holds \x1b[31m (TTL 60)",
    ),
    "a pruned set that the service refuses to delete it, go": (
        [GOES],
        pruning(REFUSED),
        ["www 300 A 192.0.2.1"],
        [],
        "the set holds 192.0.2.1 (TTL 300); if the service refuses to delete it, list it in ignore",
    ),
    "a pruned set, and a service that is broken": (
        [GOES],
        pruning(BROKEN),
        ["www 300 A 192.0.2.1"],
        [],
        "the set holds 192.0.2.1 (TTL 300)",
    ),
}


@named_rows("planned, failure, read, incomplete, message", EARLY)
def test_what_is_said_where_a_run_ends_early(planned, failure, read, incomplete, message):
    failed = ended_early(attempt(planned, incomplete, read=held(*read).record_sets), [failure], [])
    assert str(failed) == f"cannot {failure.tried}: {str(failure.error).rstrip('.')}; {message}"
    assert failed.status_code == failure.error.status_code
    assert failed.unfinished == tuple(incomplete)


@pytest.mark.parametrize(
    "incomplete, message",
    [([WWW], COMPLETES), ([MAIL], "")],
)
def test_what_is_said_where_the_zone_cannot_be_read_either(incomplete, message):
    of_run = attempt((FTP, MAIL, V6, WWW), incomplete, written=[MAIL])
    failed = ended_early(of_run, [tried(SILENT)], [FTP.key], BROKEN)
    assert str(failed) == (
        f"{ADD}there was no answer; the set cannot be read now: the service answered 500{message} "
        "(1 set applied, 2 failed, 1 not attempted)"
    )
    assert (short(failed.applied), short(failed.failed)) == (["mail A"], ["www A", "www AAAA"])
    assert (short(failed.not_attempted), failed.status_code) == (["ftp A"], None)
    assert failed.changes == (MAIL,), "what was answered counts as done"


def test_what_an_earlier_run_left_counts_among_nothing_of_the_task():
    of_run = attempt((FTP, WWW), [WWW], read={})
    failed = ended_early(of_run, [tried()], [FTP.key, MAIL.key, V6.key])
    assert str(failed).endswith("(0 sets applied, 1 failed, 1 not attempted)")
    assert short(failed.not_attempted) == ["ftp A"]


def test_what_an_earlier_round_wrote_was_attempted():
    of_run = attempt((FTP, WWW), [WWW], written=[FTP], read={})
    failed = ended_early(of_run, [tried()], [FTP.key])
    assert (short(failed.not_attempted), short(failed.failed)) == ([], ["www A", "ftp A"])


def test_of_several_failures_what_is_gone_is_told_first():
    others = [Failure(one.key, f"change {one.key.name}", REFUSED) for one in (FTP, MAIL)]
    failed = ended_early(attempt((FTP, MAIL, WWW), [WWW], read={}), [*others, tried()], [])
    assert str(failed) == (
        f"{ADD}the service answered 403: No; the set is gone{COMPLETES}; ftp.example.com. A, mail.example.com. A "
        "failed too (0 sets applied, 3 failed, 0 not attempted)"
    )


@pytest.mark.parametrize(
    "error, why",
    [
        (BROKEN, "the service answered 500"),
        (PlanRefused("it is not allowed."), "it is not allowed"),
        (KeyError("a\nb"), "KeyError 'a\\nb'"),
    ],
)
def test_what_is_said_where_nothing_could_be_verified(error, why):
    failed = not_verified(attempt([FTP, MAIL, WWW], [WWW], written=[FTP]), error)
    assert str(failed) == (
        f"all changes were sent but could not be verified: {why}; the state of ftp.example.com. A and 2 more is "
        f"unknown{LATER}"
    )
    assert (failed.changes, failed.status_code) == ((FTP,), getattr(error, "status_code", None))


@pytest.mark.parametrize(
    "read, incomplete, message",
    [
        ([], [WWW], f"; ftp.example.com. A holds nothing; www.example.com. A holds nothing{LATER}"),
        (["ftp 300 A 192.0.2.9"], [], "; www.example.com. A holds nothing"),
        (
            ["ftp 300 A 192.0.2.9", "www 60 A 192.0.2.2"],
            [],
            "",
        ),
    ],
)
def test_what_is_said_where_going_on_is_refused(read, incomplete, message):
    of_run = attempt([FTP, WWW], incomplete, read=held(*read).record_sets)
    failed = not_continued(of_run, PlanRefused("that goes too far."))
    assert str(failed) == (
        f"the zone is not yet as desired, and the task must not continue: that goes too far{message}"
    )


NOT_AS_WANTED = (
    "www.example.com. A is not as desired after 3 rounds, each of which the service reported as done: it holds "
    "192.0.2.1 (TTL 300) instead of {}; does somebody else change it, or does the service {} it?"
)
ROUNDS = {
    # what remains, what is read -> what is said
    "it lacks": (
        [WWW],
        ["www 300 A 192.0.2.1"],
        NOT_AS_WANTED.format("192.0.2.2 (TTL 60)", "drop"),
    ),
    "it does not go": (
        [GOES],
        ["www 300 A 192.0.2.1"],
        NOT_AS_WANTED.format("nothing", "create"),
    ),
}


@pytest.mark.parametrize("is_left", [False, True])
@named_rows("remaining, read, message", ROUNDS)
def test_what_is_said_after_the_last_round(remaining, read, message, is_left):
    shown = held(*read).record_sets
    of_run = attempt(remaining, remaining if is_left else (), read=shown)
    failed = not_as_desired(of_run, remaining, 3)
    later = LATER.removeprefix(".")
    # The next run plans anew for a set that is as it was before.
    is_as_before = all(shown.get(one.key) == one.before for one in remaining)
    assert str(failed) == message + (later if is_left and not is_as_before else "")
    assert failed.failed == tuple(one.key for one in remaining)


def test_what_is_said_where_only_the_document_could_not_be_saved():
    read = {FTP.key: FTP.after} if FTP.after else {}
    failed = not_kept(attempt((FTP,), read=read), OSError("the disk is full."))
    assert str(failed) == "all changes were made and verified, but the disk is full"
    assert (failed.changes, failed.applied, failed.failed) == ((FTP,), (FTP.key,), ())


def test_what_went_wrong_besides_is_told_once():
    first = ApplyFailed("it failed", 403, (FTP,), failed=(FTP.key,))
    both = besides(first, OSError("the disk is full."))
    assert str(both) == "it failed; also, the disk is full"
    assert vars(both) == vars(first)
    assert besides(both, OSError("the disk is full.")) is both


BECAME = {
    "gone": (WWW, [], ["www A gone"]),
    "something else": (WWW, ["www 60 A 192.0.2.7"], ["www A 60 192.0.2.7"]),
    "a new one that is not there": (NEW, [], []),
    "one that was to go, and is there": (GOES, ["www 300 A 192.0.2.1"], []),
}


@named_rows("planned, read, expected", BECAME)
def test_what_became_of_what_was_planned(planned, read, expected):
    assert ends(became((planned,), held(*read).record_sets)) == expected


def test_values_with_several_ttls_are_told_and_are_a_change():
    live = replace(
        held("www 300 A 192.0.2.1 192.0.2.2").record_sets[WWW.key],
        higher_ttls=(("192.0.2.2", 600),),
    )
    failed = ended_early(attempt([GROWS], read={WWW.key: live}), [tried()], [])
    assert str(failed).endswith(
        "; the set holds 192.0.2.1, 192.0.2.2 (TTL 300) (and the service shows 192.0.2.2 with TTL 600)"
    )


def test_an_error_that_nobody_has_words_for():
    assert unexpected(RuntimeError("it\n broke \x1b[31m.")) == r"RuntimeError it broke \x1b[31m"
