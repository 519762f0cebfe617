# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a failure says, word for word: what was tried, why it failed, what the sets hold now, and what goes on."""

from dataclasses import replace

import pytest
from shorthand import change, held, named_rows, short

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import (
    ServiceError,
    unexpected,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.messages import (
    Attempt,
    ended_early,
    not_as_desired,
    not_continued,
    not_kept,
    not_verified,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.unit import Failure
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._log.past import Past
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import (
    PlanRefused,
    changes_made,
)

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
LATER = f"; the next run on the zone uses {PLACE} to complete what is missing"
ADD = "cannot add 192.0.2.2 to www.example.com. A: "


def attempt(planned, incomplete=(), written=(), read=None, not_begun=()):
    """A run that was to make these changes, of which some are for the next one to complete."""
    log = {
        one.key: Entry(Past().with_newest(one.before), one.after, one in incomplete, 0.0, 0.0)
        for one in (*planned, *incomplete)
    }
    changes = tuple(written) if read is None else changes_made(planned, read)
    keys = [one.key for one in not_begun]
    return Attempt(tuple(planned), log, PLACE, read, changes, keys, recovered=())


def tried(error=REFUSED, **fields):
    """The failure of a run that was to give www another address."""
    return Failure(WWW.key, "add 192.0.2.2 to www.example.com. A", error, **fields)


def pruning(error):
    """The failure of a run that was to remove www."""
    return Failure(GOES.key, "delete www.example.com. A", error)


WWW_A = "www.example.com. A holds "
BACK = "its old values were put back; "

EARLY = {
    # what was planned, the failure, what is read, what is incomplete -> what is said after the service's own words
    "as it was": ([GROWS], tried(), ["www 300 A 192.0.2.1"], [], f"{WWW_A}192.0.2.1 (TTL 300)"),
    "a new set of which there is nothing": ([NEW], tried(), [], [], f"{WWW_A}nothing"),
    "gone, and the log desires nothing": ([WWW], tried(), [], [], f"{WWW_A}nothing"),
    "gone, and in the log": ([WWW], tried(), [], [WWW], f"{WWW_A}nothing{LATER}"),
    "in the log, and as it was": (
        [WWW],
        tried(),
        ["www 300 A 192.0.2.1"],
        [WWW],
        f"{WWW_A}192.0.2.1 (TTL 300)",
    ),
    "in the log, and there all the same": (
        [WWW],
        tried(),
        ["www 60 A 192.0.2.2"],
        [WWW],
        f"{WWW_A}192.0.2.2 (TTL 60)",
    ),
    "a removal in the log, which no other run completes": (
        [GOES],
        pruning(BROKEN),
        ["www 300 A 192.0.2.7"],
        [GOES],
        f"{WWW_A}192.0.2.7 (TTL 300)",
    ),
    "put back, beside what others have added": (
        [WWW],
        tried(is_back=True),
        ["www 300 A 192.0.2.3 192.0.2.1"],
        [],
        f"{BACK}{WWW_A}192.0.2.3, 192.0.2.1 (TTL 300)",
    ),
    "not put back": (
        [WWW],
        tried(not_back=SILENT),
        [],
        [WWW],
        f"its old values were tried too: there was no answer; {WWW_A}nothing{LATER}",
    ),
    "put back, and the other set of the name is as planned": (
        [NEW, V6],
        tried(is_back=True),
        ["www 60 AAAA 2001:db8::1"],
        [],
        f"{BACK}{WWW_A}nothing (sets applied: 1, failed: 1, not attempted: 0)",
    ),
    "the other set of the name is as it was": (
        [NEW, V6],
        tried(),
        ["www 300 AAAA 2001:db8::1"],
        [],
        (
            f"{WWW_A}nothing; www.example.com. AAAA holds 2001:db8::1 (TTL 300) "
            "(sets applied: 0, failed: 2, not attempted: 0)"
        ),
    ),
    "another is not as planned": (
        [FTP, WWW],
        tried(),
        ["www 300 A 192.0.2.1"],
        [],
        (
            f"{WWW_A}192.0.2.1 (TTL 300); ftp.example.com. A holds nothing "
            "(sets applied: 0, failed: 2, not attempted: 0)"
        ),
    ),
    "another has a TTL of its own": (
        [FTP, WWW],
        tried(),
        ["www 300 A 192.0.2.1", "ftp 900 A 192.0.2.9"],
        [],
        f"{WWW_A}192.0.2.1 (TTL 300) (sets applied: 1, failed: 1, not attempted: 0)",
    ),
    "fit for a terminal": ([WWW], tried(), ["www 60 A \x1b[31m"], [], rf"{WWW_A}\x1b[31m (TTL 60)"),
    "a pruned set that the service refuses to delete": (
        [GOES],
        pruning(REFUSED),
        ["www 300 A 192.0.2.1"],
        [],
        f"if the service refuses to delete it, list it in ignore; {WWW_A}192.0.2.1 (TTL 300)",
    ),
    "a pruned set, and a service that is broken": (
        [GOES],
        pruning(BROKEN),
        ["www 300 A 192.0.2.1"],
        [],
        f"{WWW_A}192.0.2.1 (TTL 300)",
    ),
}


@named_rows("planned, failure, read, incomplete, message", EARLY)
def test_what_is_said_where_a_run_ends_early(planned, failure, read, incomplete, message):
    failed = ended_early(attempt(planned, incomplete, read=held(*read).record_sets), [failure])
    assert str(failed) == f"cannot {failure.tried}: {str(failure.error).rstrip('.')}; {message}"
    assert failed.status_code == failure.error.status_code
    assert failed.unfinished == tuple(incomplete)


@pytest.mark.parametrize("incomplete, message", [([WWW], LATER), ([], "")])
def test_what_is_said_where_the_zone_cannot_be_read_either(incomplete, message):
    of_run = attempt((FTP, MAIL, V6, WWW), incomplete, written=[MAIL], not_begun=[FTP, WWW])
    failed = ended_early(of_run, [tried(SILENT)])
    assert str(failed) == (
        f"{ADD}there was no answer; the state of www.example.com. A, www.example.com. AAAA is unknown{message} "
        "(sets applied: 1, failed: 2, not attempted: 1)"
    )
    assert (short(failed.applied), short(failed.failed)) == (["mail A"], ["www A", "www AAAA"])
    assert (short(failed.not_attempted), failed.status_code) == (["ftp A"], None)
    assert failed.changes == (MAIL,), "what was answered counts as done"


def test_what_an_earlier_run_left_counts_among_nothing_of_the_task():
    of_run = attempt((FTP, WWW), [WWW], read={}, not_begun=[FTP, V6])
    of_log = Failure(MAIL.key, "add 192.0.2.9 to mail.example.com. A", REFUSED)
    failed = ended_early(of_run, [of_log, tried()])
    assert str(failed) == (
        f"{ADD}the service answered 403: No; {WWW_A}nothing; mail.example.com. A holds nothing{LATER} "
        "(sets applied: 0, failed: 1, not attempted: 1)"
    )
    assert (short(failed.failed), short(failed.not_attempted)) == (["www A"], ["ftp A"])


def test_of_several_failures_what_is_gone_is_told_first():
    others = [Failure(one.key, f"change {one.key.name}", REFUSED) for one in (MAIL, FTP)]
    failed = ended_early(attempt((FTP, MAIL, WWW), [WWW], read={}), [*others, tried()])
    assert str(failed) == (
        f"{ADD}the service answered 403: No; {WWW_A}nothing; ftp.example.com. A holds nothing; "
        f"mail.example.com. A holds nothing{LATER} (sets applied: 0, failed: 3, not attempted: 0)"
    )


def test_not_all_of_many_sets_are_told():
    planned = [change(f"a{number}", "A", "", "300 192.0.2.9") for number in range(12)]
    told = str(ended_early(attempt(planned, read={}), [tried()]))
    assert told.startswith(f"{ADD}the service answered 403: No; {WWW_A}nothing; a0.example.com. A ")
    assert "a8.example.com. A holds nothing; and 3 more (sets applied: 0, failed: 12, " in told


@pytest.mark.parametrize(
    "error, why",
    [
        (BROKEN, "the service answered 500"),
        (KeyError("a\nb"), "KeyError 'a\\nb'"),
    ],
)
def test_what_is_said_where_nothing_could_be_verified(error, why):
    failed = not_verified(attempt([FTP, WWW], [WWW], written=[FTP]), error)
    assert str(failed) == (
        f"all changes were sent but could not be verified: {why}; the state of ftp.example.com. A, "
        f"www.example.com. A is unknown{LATER} (sets applied: 0, failed: 2, not attempted: 0)"
    )
    assert (failed.changes, failed.status_code) == ((FTP,), getattr(error, "status_code", None))


COUNTS = "(sets applied: {}, failed: {}, not attempted: 0)"


@pytest.mark.parametrize(
    "read, incomplete, message",
    [
        (
            [],
            [WWW],
            f"; ftp.example.com. A holds nothing; {WWW_A}nothing{LATER} {COUNTS.format(0, 2)}",
        ),
        (["ftp 300 A 192.0.2.9"], [], f"; {WWW_A}nothing {COUNTS.format(1, 1)}"),
        (["ftp 300 A 192.0.2.9", "www 60 A 192.0.2.2"], [], f" {COUNTS.format(2, 0)}"),
    ],
)
def test_what_is_said_where_going_on_is_refused(read, incomplete, message):
    of_run = attempt([FTP, WWW], incomplete, read=held(*read).record_sets)
    failed = not_continued(of_run, PlanRefused("that goes too far."))
    assert str(failed) == (
        f"the zone is not yet as desired, and the task must not continue: that goes too far{message}"
    )


@pytest.mark.parametrize("is_left", [False, True])
@pytest.mark.parametrize(
    "remaining, read, desired, holds",
    [
        (WWW, ["www 300 A 192.0.2.3"], "192.0.2.2 (TTL 60)", "192.0.2.3 (TTL 300)"),
        (WWW, [], "192.0.2.2 (TTL 60)", "nothing"),
        (GOES, ["www 300 A 192.0.2.1"], "nothing", "192.0.2.1 (TTL 300)"),
    ],
)
def test_what_is_said_after_the_last_round(remaining, read, desired, holds, is_left):
    of_run = attempt([remaining], [remaining] if is_left else (), read=held(*read).record_sets)
    failed = not_as_desired(of_run, [remaining], 3)
    assert str(failed) == (
        f"www.example.com. A is not as desired after 3 rounds, each of which the service reported as done: it should "
        f"hold {desired}, but somebody else changes it, or the service does not do what it reports; {WWW_A}{holds}"
        f"{LATER if is_left and remaining.after else ''}"
    )
    assert failed.failed == (remaining.key,)


def test_what_is_said_where_only_the_document_could_not_be_saved():
    read = {FTP.key: FTP.after} if FTP.after else {}
    failed = not_kept(attempt((FTP,), read=read), OSError("the disk is full."))
    assert str(failed) == "all changes were made and verified, but the disk is full"
    assert (failed.changes, failed.applied, failed.failed) == ((FTP,), (FTP.key,), ())


def test_what_went_wrong_besides_is_told_once():
    full = OSError("the disk is full.")
    unsaved = replace(attempt([FTP], read={FTP.key: FTP.after}), unsaved=full)
    failed = not_continued(unsaved, PlanRefused("it goes too far"))
    assert str(failed).endswith("it goes too far; also, the disk is full")
    assert str(not_continued(unsaved, full)).endswith("must not continue: the disk is full")


def test_an_error_that_nobody_has_words_for():
    assert unexpected(RuntimeError("it\n broke \x1b[31m.")) == r"RuntimeError it broke \x1b[31m"
