# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Recovery does what it can, never deletes, blocks nobody, and says what it could not do and where that is kept."""

from __future__ import annotations

import json
import pathlib
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from converging import left_behind
from running import Service
from shorthand import a_set, entry, held

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client, LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.late_reads import READ_BACKOFF
from ansible_collections.zonesmith.dns.plugins.module_utils._service.sender import Sender
from ansible_collections.zonesmith.dns.plugins.module_utils._state import state_dir as _state_dir
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal, Kept
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory
from ansible_collections.zonesmith.dns.plugins.module_utils._state.state_dir import StateDirError
from ansible_collections.zonesmith.dns.plugins.module_utils._write import under_lock
from ansible_collections.zonesmith.dns.plugins.module_utils._write.apply import Settings
from ansible_collections.zonesmith.dns.plugins.module_utils._write.checked_entry import MOST_VALUES, checked_entry
from ansible_collections.zonesmith.dns.plugins.module_utils._write.converge import Progress
from ansible_collections.zonesmith.dns.plugins.module_utils._write.heal import Healed, completions
from ansible_collections.zonesmith.dns.plugins.module_utils._write.reading import Reading
from ansible_collections.zonesmith.dns.plugins.module_utils._write.recovery import (
    incomplete,
    is_judged_too_early,
    live_set_of,
    unfinished,
)

Run = Callable[..., dict[str, Any]]

WWW = Key("www.example.com.", "A")
TWO = "www 300 A 192.0.2.1\nwww 300 A 192.0.2.2"
OLD, NEW = "300 192.0.2.1 192.0.2.2", "60 192.0.2.3 192.0.2.4"
NEW_TWO = "www 60 A 192.0.2.3\nwww 60 A 192.0.2.4"
OTHER = {"zone": "example.com", "name": "other", "type": "A", "state": "absent"}
LEFT = "www.example.com. A had been left incomplete by an earlier run and "


def put_aside(journal: Journal) -> list[list[dict[str, Any]]]:
    """The entries of each file that was put aside, oldest first."""
    files = sorted(journal.store.path.parent.glob("*.aside-*"))
    return [json.loads(file.read_bytes())["entries"] for file in files]


def put_aside_entries(journal: Journal) -> list[list[Entry]]:
    """The same, as they are read."""
    return [[checked_entry("example.com.", written) for written in entries] for entries in put_aside(journal)]


# What a journal and a reading say together


UNFINISHED = [
    # before, after, age, what is read -> what is to be created, and what else is said
    pytest.param(OLD, NEW, 0, "", ["192.0.2.3", "192.0.2.4"], "", id="after its DELETE"),
    pytest.param(OLD, NEW, 0, "60 192.0.2.3", ["192.0.2.4"], "", id="after its first POST"),
    pytest.param(OLD, NEW, 0, "60 192.0.2.4", ["192.0.2.3"], "", id="after its second POST, and the first was lost"),
    pytest.param(OLD, NEW, 0, "60 192.0.2.4 192.0.2.3", [], "", id="all done"),
    pytest.param(OLD, NEW, 0, "300 192.0.2.2 192.0.2.1", [], "as before", id="before its DELETE"),
    pytest.param(OLD, NEW, 9999, OLD, [], "as before", id="before its DELETE, hours ago"),
    pytest.param(OLD, NEW, 0, "300 192.0.2.1", ["192.0.2.3", "192.0.2.4"], "", id="one old value is left"),
    pytest.param(OLD, NEW, 0, "300 192.0.2.9", [], "overwritten", id="others have made it anew"),
    pytest.param(OLD, NEW, 0, "300 192.0.2.1 192.0.2.9", [], "overwritten", id="others have added to the old"),
    pytest.param(OLD, NEW, 0, "60 192.0.2.3 192.0.2.9", ["192.0.2.4"], "", id="others have added to the new"),
    pytest.param(OLD, NEW, 599, "60 192.0.2.3 192.0.2.9", ["192.0.2.4"], "", id="others have added to it, minutes ago"),
    pytest.param(OLD, NEW, 601, "60 192.0.2.3 192.0.2.9", [], "overwritten", id="others have added to it, long ago"),
    pytest.param(OLD, "", 0, "", [], "", id="a removal, done"),
    pytest.param(OLD, "", 0, OLD, [], "as before", id="a removal, before its DELETE"),
    pytest.param(OLD, "", 0, "300 192.0.2.9", [], "", id="a removal, and others have made it anew"),
    pytest.param("", NEW, 0, "", [], "as before", id="a creation, not begun"),
    pytest.param("", NEW, 0, "60 192.0.2.3", ["192.0.2.4"], "", id="a creation, half way"),
]


@pytest.mark.parametrize(("before", "after", "age", "read", "creates", "said"), UNFINISHED)
def test_what_is_unfinished(before: str, after: str, age: float, read: str, creates: list[str], said: str) -> None:
    one = entry(before, after, age=age)
    live = LiveZone("example.com.", "examplecom", {one.key: shown} if (shown := a_set(WWW, read)) else {})
    left = unfinished(live, [one])
    assert [value for change in left.changes for value in change.creates] == creates
    assert not any(change.deletes for change in left.changes)
    assert left.as_before == ((one,) if said == "as before" else ())
    assert left.overwritten_by_others == ((one,) if said == "overwritten" else ())


def test_a_name_is_judged_as_one() -> None:
    alias, addresses = entry("300 old.example.net.", "", "CNAME"), entry("", NEW)
    assert unfinished(held("www 300 CNAME old.example.net."), [addresses, alias]).as_before == (addresses, alias)
    (change,) = unfinished(held(), [alias, addresses]).changes
    assert change.creates == ("192.0.2.3", "192.0.2.4")
    assert unfinished(held("www 300 CNAME new.example.net."), [alias, addresses]).changes == ()


SHOWN_AS_BEFORE = "www 300 A 192.0.2.1 192.0.2.2"


@pytest.mark.parametrize(
    ("age", "after", "read", "too_early"),
    [
        (0, NEW, SHOWN_AS_BEFORE, True),
        (100, NEW, SHOWN_AS_BEFORE, True),
        (201, NEW, SHOWN_AS_BEFORE, False),
        (0, OLD, SHOWN_AS_BEFORE, False),
        (0, NEW, "www 300 A 192.0.2.1", False),
        (0, NEW, "ftp 300 A 192.0.2.1", False),
    ],
)
def test_when_a_name_is_judged_too_early(age: float, after: str, read: str, too_early: bool) -> None:
    begun = entry("300 192.0.2.8", "300 192.0.2.9", name="a.example.com.")
    assert is_judged_too_early(held(read), [begun, entry(OLD, after, age=age)], 200) is too_early
    assert is_judged_too_early(held(read), [], 200) is False


@pytest.mark.parametrize(
    ("entries", "read", "unanswered", "rest"),
    [
        pytest.param([entry(OLD, NEW)], [], (), [0], id="gone"),
        pytest.param([entry(OLD, NEW)], ["www 60 A 192.0.2.3 192.0.2.1"], (), [0], id="half of each"),
        pytest.param([entry(OLD, NEW)], ["www 60 A 192.0.2.4 192.0.2.3"], (), [], id="as wanted"),
        pytest.param([entry(OLD, NEW)], ["www 60 A 192.0.2.2 192.0.2.1"], (), [], id="as before"),
        pytest.param([entry(OLD, NEW)], ["www 60 A 192.0.2.2 192.0.2.1"], ["www.example.com."], [0], id="no answer"),
        pytest.param([entry(OLD, NEW)], ["www 60 A 192.0.2.2 192.0.2.1"], ["ftp.example.com."], [], id="another's"),
        pytest.param([entry(OLD, "")], [], (), [], id="removed"),
        pytest.param([entry("", NEW)], [], (), [], id="never there"),
        pytest.param([entry("300 a.example.", "", "CNAME"), entry("", NEW)], [], (), [0, 1], id="an alias gone"),
    ],
)
def test_what_is_incomplete(entries: list[Entry], read: list[str], unanswered: Any, rest: list[int]) -> None:
    keys = [Key(name, "TXT") for name in unanswered]
    assert incomplete(entries, held(*read), keys) == [entries[index] for index in rest]


@pytest.mark.parametrize(
    ("before", "after", "deletes"),
    [
        (OLD, NEW, True),
        (OLD, "", True),
        ("", NEW, False),
        (OLD, OLD, False),
        (OLD, f"{OLD} 192.0.2.3", False),
        (OLD, f"60 {OLD.split(' ', 1)[1]}", True),
        (OLD, "300 192.0.2.1", True),
    ],
)
def test_what_an_entry_deletes(before: str, after: str, deletes: bool) -> None:
    assert entry(before, after).deletes is deletes


@pytest.mark.parametrize(
    ("at", "age"),
    [(0, 0), (-30, 30), (3600, 0)],
    ids=["now", "earlier", "the clock was set back"],
)
def test_how_old_an_entry_is(at: float, age: float) -> None:
    one = Entry(Key("a.", "A"), None, a_set(WWW, NEW), time.time() + at)
    assert age <= one.age <= age + 5


@pytest.mark.parametrize(
    "at",
    [
        ...,
        None,
        True,
        "now",
        [],
        {},
        -1,
        10**400,
        float("inf"),
        float("-inf"),
        float("nan"),
        pytest.param(time.time() + 2 * 86400, id="in two days"),
    ],
)
def test_a_time_that_tells_nothing_is_long_ago(at: Any) -> None:
    written = entry(OLD, NEW).as_written() | {"at": at}
    if at is ...:  # as before version 1.1
        del written["at"]
    one = checked_entry("example.com.", json.loads(json.dumps(written)))
    assert (one.at, one.before, one.after) == (0.0, a_set(WWW, OLD), a_set(WWW, NEW))


def test_a_time_that_is_to_come_is_now() -> None:
    """The clock was set back since: what may have happened then may still happen."""
    one = checked_entry("example.com.", json.loads(json.dumps(entry(OLD, NEW, age=-3600).as_written())))
    assert one.age < 60


@pytest.mark.parametrize("at", [0, 0.5, 1, 1_700_000_000])
def test_a_time_that_can_be(at: float) -> None:
    assert checked_entry("example.com.", entry(OLD, NEW).as_written() | {"at": at}).at == at


def test_as_many_values_as_an_answer_can_have() -> None:
    values = " ".join(f"10.0.{n // 256}.{n % 256}" for n in range(MOST_VALUES))
    one = entry(OLD, f"300 {values}")
    assert checked_entry("example.com.", json.loads(json.dumps(one.as_written()))) == one


ODD_SETS = [
    # what a zone shows and no task could want: name, type, values
    ("www", "AAAA", ["1.2.3.4"]),
    ("www", "AAAA", ["2001:DB8::1", "1.2.3.4"]),
    ("www", "CAA", ['0 issue "ca.example.net" extra']),
    ("www", "LOC", ["nowhere"]),
    ("www", "MX", ["zz mail"]),
    ("www", "MX", ["mail.example.net.", "10 mail.example.com."]),
    ("www", "CNAME", ["192.0.2.1"]),
    ("www", "CNAME", ["a.example.net.", "b.example.net."]),
    ("www", "NS", ["http://ns1.example.net:53"]),
    ("www", "A", ["", " ", "192.0.2.1\n192.0.2.2"]),
    ("www", "A", []),
    ("www", "TXT", ["", '"not closed', "t\u00e4xt", "two\nlines", "x" * 70_000]),
    ("www", "TYPE0", ["192.0.2.1"]),
    ("www", "TYPE65", ["1 . alpn=h2"]),
    ("www", "any", ["192.0.2.1"]),
    ("www", "two words", ["192.0.2.1"]),
    ("www", "", ["192.0.2.1"]),
    ("W\u00fcw.", "A", ["192.0.2.1"]),
    ("w\\046w", "A", ["192.0.2.1"]),
    ("www.", "A", ["192.0.2.1"]),
    ("www\x1b", "A", ["192.0.2.1"]),
    ("l" * 64, "A", ["192.0.2.1"]),
]


@pytest.mark.parametrize(("name", "rdtype", "contents"), ODD_SETS)
@pytest.mark.parametrize("becomes", ["gone", "as before"])
def test_whatever_a_zone_shows_was_there_before(
    connect: Any, monkeypatch: pytest.MonkeyPatch, name: str, rdtype: str, contents: list[str], becomes: str
) -> None:
    """A run journals what it reads; after a roll-back as what is to be there, too."""
    row = {"name": f"{name}.example.com.", "type": rdtype, "ttl": 300, "contents": contents}
    soa = {"name": "example.com.", "type": "SOA", "ttl": 300, "contents": ["a. b. 1 2 3 4 5"]}
    answer = {"status": "Success", "data": {"records": [soa, row]}}
    monkeypatch.setattr(Sender, "send", lambda *_: answer)
    live = connect().read_zone("example.com.")
    (key,) = live.record_sets.keys() - {("example.com.", "SOA")}
    before = live_set_of(live, key)
    one = Entry(key, before, before if becomes == "as before" else None)
    written = json.loads(json.dumps(one.as_written()))
    assert checked_entry("example.com.", written) == one


@pytest.mark.parametrize(
    ("rdtype", "before", "after", "said"),
    [
        ("AAAA", "300 1.2.3.4 2001:db8::1", "60 1.2.3.4 2001:db8::1", None),
        ("AAAA", "300 1.2.3.4", "60 1.2.3.4 2001:db8::2", None),
        ("AAAA", "300 1.2.3.4", "60 1.2.3.5", "'1.2.3.5' is not a value of type AAAA"),
        ("AAAA", "", "60 1.2.3.4", "'1.2.3.4' is not a value of type AAAA"),
        ("MX", "300 mail.example.net.", "300 mail.example.net. mx.example.net.", "needs a preference"),
        ("AAAA", "300", "60", "content is required"),
        ("A", "300", "300", None),
        ("CNAME", "300 a.example.net. b.example.net.", "60 c.example.net. d.example.net.", "a CNAME holds one value"),
        ("ANY", "300 192.0.2.1", "60 192.0.2.1", "ANY is not a type of data"),
    ],
)
def test_of_what_is_to_be_only_what_was_there_may_be_odd(
    rdtype: str, before: str, after: str, said: str | None
) -> None:
    one = entry(before, after, rdtype)
    if said is None:
        assert checked_entry("example.com.", json.loads(json.dumps(one.as_written()))) == one
        return
    with pytest.raises(ValueError, match=said):
        checked_entry("example.com.", one.as_written())


# Healing


@pytest.mark.parametrize(
    ("rdtype", "before", "after", "holds"),
    [
        ("AAAA", ["1.2.3.4"], ["2001:db8::1"], ["2001:db8::1"]),
        ("AAAA", ["1.2.3.4", "2001:db8::1"], ["1.2.3.4", "2001:db8::1"], ["2001:db8::1"]),
        ("CAA", ['0 issue "a" extra'], ['0 issue "b"'], ['0 issue "b"']),
        ("LOC", ["nowhere"], ["52 0 0.000 N 4 0 0.000 E 0.00m 2.00m 3.00m 4.00m"], None),
        ("MX", ["zz mail"], ["10 mail.example.net."], ["10 mail.example.net."]),
    ],
)
def test_an_odd_value_before_stops_no_recovery(
    zone: Any, run: Run, journal: Journal, rdtype: str, before: list[str], after: list[str], holds: list[str] | None
) -> None:
    key = Key("www.example.com.", rdtype)
    left_behind(journal, Entry(key, RecordSet(*key, 300, tuple(before)), RecordSet(*key, 60, tuple(after))))
    result = run("dns_record", **OTHER)
    holds = after if holds is None else holds
    assert zone.lines() == [f"www 60 {rdtype} {value}" for value in holds]
    assert [change["after"]["contents"] for change in result["recovered"]] == [holds]
    assert "no run would write" not in str(result["warnings"])
    assert not journal.look().is_open


@pytest.mark.parametrize(
    ("rdtype", "odd", "why"),
    [
        ("MX", "zz mail", "zz is no preference"),
        ("AAAA", "1.2.3.4", "1.2.3.4 is no value of the type AAAA"),
        ("LOC", "nowhere", "the service answered 422"),
    ],
)
def test_an_odd_value_that_nobody_takes_is_put_aside(
    zone: Any, run: Run, journal: Journal, service: Service, clock: Any, rdtype: str, odd: str, why: str
) -> None:
    """And stops neither the task nor the other values of its set."""
    good = {"MX": "10 mail.example.net.", "AAAA": "2001:db8::1"}.get(
        rdtype, "52 0 0.000 N 4 0 0.000 E 0.00m 2.00m 3.00m 4.00m"
    )
    key = Key("www.example.com.", rdtype)
    one = Entry(key, before := RecordSet(*key, 300, (odd, good)), before)
    left_behind(journal, one)
    service.odd("example.com", refused=["LOC nowhere"])
    result = run("dns_record", **OTHER)
    assert zone.lines() == [f"www 300 {rdtype} {good}"]
    (warning,) = result["warnings"]
    assert f"the service does not take {odd} any more ({why}" in warning
    assert [[checked_entry("example.com.", written) for written in entries] for entries in put_aside(journal)] == [
        [one]
    ]
    was_sent = rdtype == "LOC"
    assert (f"POST www {rdtype} {odd}" in zone.calls()) is was_sent
    assert bool(clock.waits) is was_sent, "what cannot be sent, nobody can have created"


@pytest.mark.parametrize("waits", range(1, len(READ_BACKOFF) + 1))
def test_what_is_shown_as_before_is_not_judged_too_early(
    zone: Any, run: Run, journal: Journal, clock: Any, waits: int
) -> None:
    zone.holds(TWO)
    left_behind(journal, entry(OLD, NEW))
    clock.on_wait = lambda seconds: zone.holds("") if seconds == READ_BACKOFF[waits - 1] else None
    assert [change["action"] for change in run("dns_record", **OTHER)["recovered"]] == ["create"]
    assert clock.waits == list(READ_BACKOFF[:waits])
    assert zone.lines() == NEW_TWO.splitlines()
    assert not journal.look().is_open


@pytest.mark.parametrize(
    ("age", "waits", "stays"),
    [(0, READ_BACKOFF, True), (20, (), True), (590, (), True), (610, (), False), (None, (), False)],
    ids=["now", "seconds ago", "minutes ago", "more than ten minutes ago", "no time, as older versions write it"],
)
def test_what_stays_as_before(
    zone: Any, run: Run, journal: Journal, clock: Any, age: float | None, waits: tuple[float, ...], stays: bool
) -> None:
    zone.holds(TWO)
    left_behind(journal, entry(OLD, NEW, age=age or 0))
    written = json.loads(journal.store.path.read_bytes())
    if age is None:
        del written["entries"][0]["at"]
        journal.store.path.write_text(json.dumps(written), encoding="utf-8")
    result = run("dns_record", **OTHER)
    assert (result["changed"], result.get("warnings")) == (False, None)
    assert clock.waits == list(waits)
    assert journal.look().is_open is stays
    if stays:
        assert json.loads(journal.store.path.read_bytes()) == written, "its ten minutes do not begin anew"


def test_no_time_is_no_reason_not_to_complete(zone: Any, run: Run, journal: Journal, clock: Any) -> None:
    left_behind(journal, entry(OLD, NEW))
    written = json.loads(journal.store.path.read_bytes())
    del written["entries"][0]["at"]
    journal.store.path.write_text(json.dumps(written), encoding="utf-8")
    assert run("dns_record", **OTHER)["changed"] is True
    assert zone.lines() == NEW_TWO.splitlines()
    assert clock.waits == []


def test_what_is_completed_is_read_once_and_remembered(zone: Any, run: Run, journal: Journal, clock: Any) -> None:
    left_behind(journal, entry(OLD, NEW))
    result = run("dns_record", **OTHER)
    assert result["warnings"] == [f"{LEFT}was completed from the journal"]
    assert zone.calls() == ["GET", "GET", "POST www A 192.0.2.3", "POST www A 192.0.2.4", "GET"]
    assert clock.waits == []
    assert journal.look().memory.histories.sets[WWW].expected == a_set(WWW, NEW)


def test_what_is_completed_may_be_shown_late(
    zone: Any, run: Run, service: Service, journal: Journal, clock: Any
) -> None:
    zone.holds("")
    left_behind(journal, entry(OLD, NEW))
    service.odd("example.com", read_lag=600)
    clock.on_wait = lambda seconds: service.odd("example.com") if seconds == 2.0 else None
    result = run("dns_record", **OTHER)
    assert result["recovered"][0]["after"]["contents"] == ["192.0.2.3", "192.0.2.4"]
    assert clock.waits == [0.25, 0.5, 1.0, 2.0]
    assert sum(call.startswith("POST") for call in zone.calls()) == 2


def test_what_is_completed_is_not_what_was_there_before(
    zone: Any, run: Run, journal: Journal, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_behind(journal, entry("300 192.0.2.1", "60 192.0.2.1"))
    read, late = Client.read_again, [a_set(WWW, "300 192.0.2.1")]

    def late_once(client: Client, live: LiveZone) -> LiveZone:
        """What is read first after the creation is what was read before the deletion."""
        now = read(client, live)
        return replace(now, record_sets={WWW: late.pop()}) if zone.lines() and late else now

    monkeypatch.setattr(Client, "read_again", late_once)
    (recovered,) = run("dns_record", **OTHER)["recovered"]
    assert recovered["after"]["ttl"] == 60
    assert clock.waits == [0.25]


def test_what_is_there_and_not_shown_is_not_refused(
    zone: Any, run: Run, service: Service, journal: Journal, clock: Any
) -> None:
    """The killed run created it; the service says that it is a duplicate before it shows it."""
    zone.holds("")
    left_behind(journal, entry(OLD, "60 192.0.2.3"))
    service.fault("status_after", method="POST", status=422, body={"message": "Duplicate"})
    service.odd("example.com", read_lag=600)
    clock.on_wait = lambda seconds: service.odd("example.com") if seconds == 8.0 else None
    result = run("dns_record", **OTHER)
    assert result["warnings"] == [f"{LEFT}was completed from the journal"]
    assert clock.waits == list(READ_BACKOFF)
    assert zone.lines() == ["www 60 A 192.0.2.3"]


@pytest.mark.parametrize("txt_format", ["auto", "quoted"])
def test_text_is_completed_on_a_service_that_takes_only_quotes(
    zone: Any, run: Run, service: Service, journal: Journal, txt_format: str
) -> None:
    """The zone has no other text to learn that from."""
    service.settings(txt_write="quoted")
    left_behind(journal, entry('300 "old"', '300 "one" "two"', "TXT"))
    result = run("dns_record", **OTHER, txt_format=txt_format)
    assert zone.lines() == ['www 300 TXT "one"', 'www 300 TXT "two"']
    assert result["warnings"] == [
        "www.example.com. TXT" + LEFT.removeprefix("www.example.com. A") + "was completed from the journal"
    ]
    assert put_aside(journal) == []
    refused = [one for one in service.log() if one["status"] == 422]
    assert len(refused) == (txt_format == "auto")


@pytest.mark.parametrize(("status", "age"), [(400, 0), (422, 0), (403, 3600), (404, 3600)])
def test_a_value_that_is_refused_is_put_aside(
    zone: Any, run: Run, service: Service, journal: Journal, status: int, age: float
) -> None:
    left_behind(journal, entry(OLD, NEW, age=age))
    service.fault("status", method="POST", content="192.0.2.4", status=status, body={"message": "Never"}, times=0)
    result = run("dns_record", **OTHER)
    (kept_as,) = journal.store.path.parent.glob("*.aside-*")
    (warning,) = result["warnings"]
    assert warning == (
        f"{LEFT}stays so, because the service does not take 192.0.2.4 any more (the service answered {status}: Never); "
        f"what it held and was to hold is kept as {kept_as}: check the set, then remove the file"
    )
    assert [change["after"]["contents"] for change in result["recovered"]] == [["192.0.2.3"]]
    assert zone.lines() == ["www 60 A 192.0.2.3"]
    ((written,),) = put_aside(journal)
    assert checked_entry("example.com.", written) == entry(OLD, NEW)
    assert kept_as.stat().st_mode & 0o777 == 0o600
    assert not journal.look().is_open
    service.clear_log()
    assert "warnings" not in run("dns_record", **OTHER)
    assert zone.calls() == ["GET"]


def test_a_failure_tells_what_the_next_run_completes_of_an_earlier_one(
    zone: Any, run: Run, service: Service, journal: Journal
) -> None:
    left_behind(journal, entry(OLD, NEW))
    service.fault("status", method="POST", times=0, status=500)
    task = {"zone": "example.com", "name": "www", "type": "A", "content": ["192.0.2.9"], "exclusive": True}
    failed = run("dns_record", **task, retries=0)
    assert failed["failed"] is True
    assert failed["msg"].endswith(
        f"the set holds nothing, and the next run on the zone completes it from {journal.store.path}."
    )
    assert [one["name"] for one in failed["unfinished"]] == ["www.example.com."]
    service.clear_faults()
    run("dns_record", **OTHER)
    assert zone.lines() == ["www 3600 A 192.0.2.9"]


@pytest.mark.parametrize("status", [403, 404])
def test_what_may_be_refused_for_a_while_is_tried_again(
    zone: Any, run: Run, service: Service, journal: Journal, status: int
) -> None:
    """A token, a quota or a zone that is locked for a while is no reason to give a set up."""
    left_behind(journal, entry(OLD, NEW))
    service.fault("status", method="POST", content="192.0.2", status=status, times=4)
    (warning,) = run("dns_record", **{**OTHER, "state": "absent"})["warnings"]
    assert "could not be completed, the service answered" in warning
    assert zone.lines() == []
    run("dns_record", **{**OTHER, "state": "absent"})
    assert zone.lines() == ["www 60 A 192.0.2.3", "www 60 A 192.0.2.4"]
    assert not journal.look().is_open


def test_the_task_s_own_wish_wins(zone: Any, run: Run, service: Service, journal: Journal) -> None:
    left_behind(journal, entry(OLD, "300 192.0.2.2 192.0.2.3"))
    service.odd("example.com", refused=["A 192.0.2.3"])
    task = {"zone": "example.com", "name": "www", "type": "A", "content": "192.0.2.3", "state": "absent"}
    assert run("dns_record", **task)["record_set"]["contents"] == ["192.0.2.2"]
    assert zone.lines() == ["www 300 A 192.0.2.2"]
    assert not journal.look().is_open


def test_what_is_put_aside_is_the_whole_name(zone: Any, run: Run, service: Service, journal: Journal) -> None:
    """Addresses were to take the place of an alias, and are refused: it is there again, and the file knows of both."""
    alias, addresses = entry("300 old.example.net.", "", "CNAME"), entry("", NEW)
    left_behind(journal, addresses, alias, entry(OLD, NEW, name="ftp.example.com."))
    service.odd("example.com", refused=["A *"])
    result = run("dns_record", **OTHER)
    assert [(c["type"], c["before"], c["after"]["contents"]) for c in result["recovered"]] == [
        ("CNAME", None, ["old.example.net."])
    ]
    written = [[checked_entry("example.com.", one) for one in entries] for entries in put_aside(journal)]
    assert sorted(written, key=len) == [[entry(OLD, NEW, name="ftp.example.com.")], [addresses, alias]]
    assert not journal.look().is_open
    assert zone.lines() == ["www 300 CNAME old.example.net."]


def test_what_a_journal_says_is_safe_for_a_terminal(run: Run, journal: Journal) -> None:
    left_behind(journal, odd := entry(OLD, OLD, name="www\x1b[31m.example.com.", age=700))
    assert checked_entry("example.com.", odd.as_written()) == odd
    (warning,) = run("dns_record", **OTHER)["warnings"]
    assert warning.startswith(r"www\x1b[31m.example.com. A lacked what")


@pytest.mark.parametrize(
    ("holds", "refused", "sets"),
    [
        pytest.param("www 60 CNAME a.example.net.", [], 3, id="impossible"),
        pytest.param("www 60 A 203.0.113.1\nwww 60 AAAA 2001:db8::9", [], 2, id="repaired"),
        pytest.param("", ["A *", "AAAA *"], 2, id="refused"),
    ],
)
def test_of_one_name_one_copy_is_put_aside(
    zone: Any, run: Run, service: Service, journal: Journal, holds: str, refused: list[str], sets: int
) -> None:
    left_behind(
        journal,
        entry(OLD, NEW),
        entry("300 2001:db8::1", "300 2001:db8::2", "AAAA"),
        entry("300 a.example.net.", "", "CNAME"),
        entry("", NEW, name="x.example.com."),
    )
    zone.holds(holds)
    service.odd("example.com", refused=refused)
    warnings = [said for said in run("dns_record", **OTHER)["warnings"] if "stays so" in said and "x.ex" not in said]
    assert [len(entries) for entries in put_aside(journal) if entries[0]["key"][0] == "www.example.com."] == [3]
    assert len(warnings) == sets
    assert len({warning.split("kept as ")[1] for warning in warnings}) == 1


def test_a_set_that_gets_back_what_it_had_gives_nothing_to_one_of_its_name_that_is_whole(
    zone: Any, run: Run, service: Service, journal: Journal
) -> None:
    left_behind(journal, entry("300 192.0.2.1", "300 192.0.2.2"), entry("300 2001:db8::1", "300 2001:db8::2", "AAAA"))
    zone.holds("www 300 A 192.0.2.2")
    service.fault("status", method="POST", content="2001:db8::2", status=422, times=0)
    (recovered,) = run("dns_record", **OTHER)["recovered"]
    assert zone.lines() == ["www 300 A 192.0.2.2", "www 300 AAAA 2001:db8::1"]
    assert (recovered["before"], recovered["after"]["contents"]) == (None, ["2001:db8::1"])


def test_what_others_repaired_is_put_aside_with_its_whole_name(zone: Any, run: Run, journal: Journal) -> None:
    zone.holds("www 60 A 203.0.113.99")
    addresses, more = entry(OLD, NEW), entry("300 2001:db8::1", "", "AAAA")
    addresses, more = (checked_entry("example.com.", one.as_written()) for one in (addresses, more))
    left_behind(journal, addresses, more)
    (warning,) = run("dns_record", **OTHER)["warnings"]
    assert warning.startswith(f"{LEFT}stays so, others have given it values of their own since; what it held and was ")
    assert [[checked_entry("example.com.", one) for one in entries] for entries in put_aside(journal)] == [
        [addresses, more]
    ]


def goals(journal: bytes) -> list[dict[str, Any]]:
    """The entries of a journal, without what is known of their sets."""
    return [{name: part for name, part in one.items() if name != "history"} for one in json.loads(journal)["entries"]]


@pytest.mark.parametrize(
    ("kind", "fields", "why"),
    [
        ("status", {"status": 500, "body": {"message": "Oops"}}, "the service answered 500: Oops"),
        ("status", {"status": 401, "body": {"message": "Who?"}}, "the service answered 401: Who? (see access_token)"),
        ("status", {"status": 429, "body": {"message": "Slow"}}, "the service answered 429: Slow"),
        ("drop_before", {}, "the connection broke to "),
        ("lie", {}, "the service does not show what it took"),
    ],
)
def test_what_could_not_be_completed_is_tried_again(
    zone: Any, run: Run, service: Service, journal: Journal, kind: str, fields: dict[str, Any], why: str
) -> None:
    left_behind(journal, entry(OLD, NEW))
    written = journal.store.path.read_bytes()
    service.fault(kind, method="POST", times=0, **fields)
    result = run("dns_record", **OTHER, retries=0)
    assert (result["changed"], result["recovered"]) == (False, [])
    (warning,) = result["warnings"]
    assert warning.startswith(f"{LEFT}could not be completed, {why}")
    assert warning.endswith(f"; the next run tries again from {journal.store.path}")
    assert goals(journal.store.path.read_bytes()) == goals(written)
    assert sum(call.startswith("POST") for call in zone.calls()) == (2 if kind == "lie" else 1)
    service.clear_faults()
    assert run("dns_record", **OTHER)["changed"] is True
    assert zone.lines() == NEW_TWO.splitlines()
    assert not journal.look().is_open


def test_a_name_that_cannot_be_completed_stops_no_other(run: Run, service: Service, journal: Journal) -> None:
    left_behind(journal, *(entry(OLD, NEW, name=f"{name}.example.com.") for name in "abc"))
    service.fault("status", method="POST", nth=3, status=500, times=1)
    result = run("dns_record", **OTHER, retries=0)
    assert [change["name"] for change in result["recovered"]] == ["a.example.com.", "c.example.com."]
    assert len(result["warnings"]) == 2
    assert [one["key"][0] for one in json.loads(journal.store.path.read_bytes())["entries"]] == ["b.example.com."]


def test_what_stays_in_the_journal_outlives_another_task(
    zone: Any, run: Run, service: Service, journal: Journal
) -> None:
    """Also one that writes the journal itself, and one that fails."""
    zone.holds("other 300 A 192.0.2.7")
    left_behind(journal, entry(OLD, NEW))
    service.fault("status", method="POST", path="", content="192.0.2.3", status=500, times=0)
    run("dns_record", **OTHER | {"state": "present", "content": "192.0.2.8", "exclusive": True}, retries=0)
    assert zone.lines() == ["other 300 A 192.0.2.8"]
    assert [one["key"][0] for one in json.loads(journal.store.path.read_bytes())["entries"]] == ["www.example.com."]
    service.fault("status", method="POST", content="192.0.2.9", status=422, times=0)
    failed = run("dns_record", **OTHER | {"state": "present", "content": "192.0.2.9", "exclusive": True}, retries=0)
    assert failed["failed"]
    assert [one["key"][0] for one in json.loads(journal.store.path.read_bytes())["entries"]] == ["www.example.com."]


# What is told where the run then fails


def test_what_was_recovered_is_told_where_the_task_then_fails(
    zone: Any, run: Run, service: Service, journal: Journal
) -> None:
    left_behind(journal, entry(OLD, NEW))
    service.fault("status", method="POST", content="192.0.2.9", status=422, body={"message": "No"}, times=0)
    result = run("dns_record", **OTHER | {"state": "present", "content": "192.0.2.9"})
    assert "cannot add 192.0.2.9 to other.example.com. A: the service answered 422: No" in result["msg"]
    assert result["changed"] is True
    assert [change["name"] for change in result["recovered"]] == ["www.example.com."]
    assert result["changes"] == []
    assert result["warnings"] == [f"{LEFT}was completed from the journal"]
    assert zone.lines() == NEW_TWO.splitlines()


@pytest.mark.parametrize("check", ["write", "put_aside"])
def test_what_was_recovered_is_told_where_the_disk_is_full_then(
    zone: Any, run: Run, service: Service, journal: Journal, monkeypatch: pytest.MonkeyPatch, check: str
) -> None:
    left_behind(journal, entry(OLD, NEW))
    if check == "put_aside":
        service.odd("example.com", refused=["A 192.0.2.4"])

    def no_space(*_: Any) -> None:
        raise StateDirError("the disk is full")

    monkeypatch.setattr(Journal, check, no_space)
    result = run("dns_record", **OTHER)
    assert result["msg"] == "Zone example.com: the disk is full."
    assert result["changed"] is True
    now = zone.lines()
    assert now == (NEW_TWO.splitlines() if check == "write" else NEW_TWO.splitlines()[:1])
    assert [f"www 60 A {value}" for value in result["recovered"][0]["after"]["contents"]] == now


@pytest.mark.parametrize(
    ("fault", "value", "created", "says_nothing_was_changed"),
    [
        pytest.param(None, "", ["192.0.2.3", "192.0.2.4"], False, id="all was taken"),
        pytest.param(("status", 500), "192.0.2.4", ["192.0.2.3"], False, id="the first value was taken"),
        pytest.param(("status", 422), "192.0.2.3", ["192.0.2.4"], False, id="the second value was taken"),
        pytest.param(("status", 422), "192.0.2", ["192.0.2.1", "192.0.2.2"], False, id="the old was put back"),
        pytest.param(("status", 403), "192.0.2", [], True, id="all was refused"),
        pytest.param(("status", 429), "192.0.2", [], True, id="all was throttled"),
        pytest.param(("status", 500), "192.0.2", [], False, id="nobody knows: an error"),
        pytest.param(("drop_after", 0), "192.0.2", [], False, id="nobody knows: no answer"),
    ],
)
def test_what_was_sent_for_recovery_is_told_where_the_zone_cannot_be_read_then(
    run: Run,
    service: Service,
    journal: Journal,
    fault: tuple[str, int] | None,
    value: str,
    created: list[str],
    says_nothing_was_changed: bool,
) -> None:
    left_behind(journal, entry(OLD, NEW))
    if fault:
        kind, status = fault
        times = 2 if created[:1] == ["192.0.2.1"] else 0
        service.fault(kind, method="POST", content=value, times=times, **({"status": status} if status else {}))
    service.fault("status", method="GET", nth=3, status=500, body={"message": "Oops"}, times=0)
    result = run("dns_record", **OTHER, retries=0)
    assert "the service answered 500: Oops" in result["msg"]
    assert ("nothing was changed" in result["msg"]) is says_nothing_was_changed
    assert result["changed"] is bool(created)
    assert [(c["name"], c["before"], c["after"]["contents"]) for c in result.get("recovered", [])] == [
        ("www.example.com.", None, created)
    ] * bool(created)
    assert journal.look().is_open


def test_check_mode_tells_and_does_nothing(zone: Any, run: Run, journal: Journal) -> None:
    left_behind(journal, entry(OLD, NEW))
    written = journal.store.path.read_bytes()
    result = run("dns_record", check=True, **OTHER)
    assert result["warnings"] == [f"{LEFT}would be completed from the journal"]
    assert zone.calls() == ["GET"]
    assert journal.store.path.read_bytes() == written


# The files


def test_what_is_put_aside_is_a_journal_of_its_own(journal: Journal) -> None:
    with journal.lock():
        first = pathlib.Path(journal.put_aside([entry(OLD, NEW)]))
        second = pathlib.Path(journal.put_aside([entry(OLD, NEW), entry("", NEW, name="ftp.example.com.")]))
        assert first != second
        assert first.parent == journal.store.path.parent
        assert first.name.startswith(f"{journal.store.path.stem}.aside-")
        second.rename(journal.store.path)
        assert len(journal.pending(partial(checked_entry, "example.com."))) == 2
    assert journal.warnings == []


def test_where_nothing_can_be_put_aside_that_is_told(
    journal: Journal, state_dir: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with journal.lock():

        def no_space(*_: Any) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(_state_dir.StateDir, "keep", no_space)
        with pytest.raises(StateDirError, match="cannot be put aside, No space left on device"):
            journal.put_aside([entry(OLD, NEW)])
    assert state_dir.exists()


def test_what_is_missing_is_tried_for_long(zone: Any, run: Run, service: Service, journal: Journal, clock: Any) -> None:
    """Ten times as long as anything else: it may be all that answers for the name."""
    left_behind(journal, entry(OLD, "60 192.0.2.3"))
    service.fault("status", method="POST", status=503, times=12)
    assert run("dns_record", **OTHER)["changed"] is True
    assert 120 < sum(clock.waits) < 1200
    assert zone.lines() == ["www 60 A 192.0.2.3"]


def test_the_old_takes_the_place_of_what_is_refused(zone: Any, run: Run, service: Service, journal: Journal) -> None:
    """And not of what is there, were it in part."""
    left_behind(
        journal, entry(OLD, NEW), entry(OLD, NEW, name="ftp.example.com."), entry("", NEW, name="n.example.com.")
    )
    zone.holds("ftp 60 A 192.0.2.3\nother 300 A 192.0.2.1\nn 60 TXT text")
    service.odd("example.com", refused=["A 192.0.2.3", "A 192.0.2.4"])
    result = run("dns_record", **OTHER)
    assert zone.lines() == ["ftp 60 A 192.0.2.3", 'n 60 TXT "text"', *TWO.splitlines()]
    assert [change["after"]["contents"] for change in result["recovered"]] == [["192.0.2.1", "192.0.2.2"]]
    assert len(put_aside(journal)) == 2


@pytest.mark.parametrize("done", ["was", "would be"])
@pytest.mark.parametrize(
    ("after", "said"),
    [
        (NEW, "had been left incomplete by an earlier run and {} completed from the journal"),
        (
            OLD,
            "lacked what an earlier run had left, and a late request or somebody else had taken, and {} created again",
        ),
    ],
)
def test_a_set_is_told_by_what_had_become_of_it(after: str, said: str, done: str) -> None:
    one, *others = (entry(OLD, after, name=f"{name}.example.com.") for name in ("www", "a", "b", "c"))
    assert completions([one], done) == [f"www.example.com. A {said.format(done)}"]
    for named, sets in (
        ("a.example.com. A, b.example.com. A", others[:2]),
        ("www.example.com. A, a.example.com. A, b.example.com. A and 1 more", [one, *others]),
    ):
        many = f"{len(sets)} sets ({named}, see recovered in the result)"
        assert completions(sets, done) == [f"{many} {said.format('were' if done == 'was' else done)}"]


def test_each_kind_of_completed_sets_is_told_once() -> None:
    told = completions([entry(OLD, after) for after in (OLD, NEW, OLD, NEW)], "was")
    assert [warning.rpartition(" were ")[2] for warning in told] == ["completed from the journal", "created again"]


MORE = {10: "", 11: "there is 1 more set of which", 12: "there are 2 more sets of which"}


@pytest.mark.parametrize(("sets", "more"), MORE.items())
@pytest.mark.parametrize("are_refused", [False, True])
def test_of_many_sets_the_first_are_told_and_the_others_counted(
    run: Run, service: Service, journal: Journal, sets: int, more: str, are_refused: bool
) -> None:
    names = [f"h{number:02}.example.com." for number in range(sets)]
    left_behind(journal, *(entry("300 192.0.2.1", "300 192.0.2.2", name=name) for name in names))
    checked = run("dns_record", check=True, **OTHER)
    if are_refused:
        service.fault("status", method="POST", times=0, status=500)
    done = run("dns_record", **OTHER, retries=0)
    kept = json.loads(journal.store.path.read_bytes())["entries"] if are_refused else []
    assert [one["key"][0] for one in kept] == (names if are_refused else [])
    assert (len(checked["recovered"]), len(done["recovered"])) == (sets, sets - len(kept))
    for result in (checked,) if are_refused else (checked, done):
        (warning,) = result["warnings"]
        assert warning.startswith(f"{sets} sets (")
    if are_refused:
        told = [warning.partition(" ")[0] for warning in done["warnings"]]
        assert told == names[:10] + ["there"] * bool(more)
        assert done["warnings"][-1].startswith(more)


def test_sets_that_no_zone_can_hold_together_are_put_aside(zone: Any, run: Run, journal: Journal) -> None:
    alias = entry("300 a.example.net.", "60 b.example.net.", "CNAME")
    left_behind(journal, entry(OLD, NEW), alias)
    warnings = run("dns_record", **OTHER)["warnings"]
    assert [warning.partition(" stays so, ")[2].partition(";")[0] for warning in warnings] == [
        "because of what is at the name now"
    ] * 2
    assert zone.lines() == []


def test_the_doubt_of_a_first_recovery_is_not_forgotten_in_a_second(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, doubts = held("www 300 A 192.0.2.1"), iter([True, False])

    class Healing:
        recovered = ()

        def __init__(self, *_of_run: Any):
            self.is_in_doubt = next(doubts)

        def heal(self, _live: Any, entries: Any, _read: Any) -> Healed:
            return Healed(live, tuple(entries))

    monkeypatch.setattr(under_lock, "Healer", Healing)
    client: Any = SimpleNamespace(read_again=lambda _zone: live, limiter=None)
    left_behind(journal, entry("300 192.0.2.1", "60 192.0.2.2"))
    with journal.lock():
        run = under_lock.LockedRun(client, journal, Settings(), Reading(live, Kept()), Memory(), Progress())
        for _time in range(2):
            run.read_and_heal(lambda _live, _memory: Plan((), 0))
    assert run.progress.is_in_doubt
