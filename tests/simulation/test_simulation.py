# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""That the simulation tells what is so: stories are played the same way twice, and those that failed are kept."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import checks
import pytest
from checks import violations
from drawing import drawn, hunted
from kept import HOLD, MX, TXT, WWW, B, records, www
from mutations import MUTATIONS, Mutation, broken
from playing import Outcome, play
from smaller import fails, made_small
from story import Fault, Hand, Run, Service, Story
from table import table


def result_of(story: Story, who: str) -> dict[str, Any]:
    """What a run that comes to its end says once the story is played."""
    (result,) = (one.result for one in play(story).runs if one.run.who == who and one.result)
    return result


@pytest.mark.parametrize("story", HOLD.values(), ids=HOLD)
def test_what_was_mended_holds(story: Story) -> None:
    outcome = play(story)
    assert violations(outcome) == [], "\n".join(table(outcome))


def test_what_others_add_while_a_deletion_is_waited_for_is_there_in_the_end() -> None:
    """The task fails and tells of it, which is enough for the checks."""
    story = HOLD["others add to a set while its DELETE, which is refused after a late one, is waited for"]
    assert play(story).zones.sets[WWW] == (300, ("192.0.2.6",))


def test_what_is_deleted_by_hand_stays_so_once_a_run_has_read_it_after_twenty_minutes() -> None:
    """Who deletes by hand is excused by the checks, whatever becomes of it."""
    story = HOLD["a set was read after twenty minutes, and then deleted by hand"]
    assert play(story).zones.sets[WWW] == (3600, ("192.0.2.4",))


@pytest.mark.parametrize("late", [2.4, 200.0])
def test_what_is_created_again_after_the_writing_leaves_what_is_told_of_the_plan(late: float) -> None:
    """A late DELETE takes b in one of two stories, while the task writes."""
    story = Story(
        zone={B: (300, ("192.0.2.1",))},
        steps=(
            records("r1", {"name": "b", "type": "A", "content": ["192.0.2.1"], "ttl": 600}),
            records(
                "r2",
                {"name": "@", "type": "MX", "content": ["10 nowhere"]},
                {"name": "m", "type": "A", "content": ["192.0.2.7"]},
                findings="warn",
                ttl_max=[{"ttl": 3600}],
            ),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", late),),
    )
    result = result_of(story, "r2")
    rules = [finding["rule"] for finding in result["findings"] if finding["severity"] == "error"]
    cached = {(one["name"], one["type"]): one["seconds"] for one in result["cached"]}
    assert (rules, bool(result["recovered"])) == (["mx-no-address"], late == 2.4)
    assert cached == {("example.com.", "MX"): 3600, ("m.example.com.", "A"): 3600}


@pytest.mark.parametrize("late", [12.0, 60.0])
def test_what_is_added_again_just_after_it_was_deleted_is_told_or_there_in_the_end(late: float) -> None:
    """An old reading looks the same, so the checks excuse it."""
    story = Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            www("r1", state="absent"),
            Hand("add", WWW, "192.0.2.3", ttl=300, before=("r2", 2)),
            www("r2", "192.0.2.9", name="ftp", pause=0.1),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", late),),
    )
    played = play(story)
    (told,) = (one.result["warnings"] for one in played.runs if one.run.who == "r2" and one.result)
    is_told = any("was shown once more after it had been deleted, and is gone" in warning for warning in told)
    assert (is_told, WWW in played.zones.sets) == (late < 16.0, late > 16.0)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: f"{mutation.rule}: {mutation.what}")
def test_what_is_broken_on_purpose_is_there_to_be_broken(mutation: Mutation) -> None:
    compile(broken(mutation), mutation.file, "exec")


@pytest.mark.parametrize("draw", [drawn, hunted])
@pytest.mark.parametrize("number", range(40))
def test_a_story_is_played_the_same_way_twice(number: int, draw: Callable[[int, int], Story]) -> None:
    first, second = (list(table(play(draw(11, number)))) for _number in range(2))
    assert first == second


def test_a_story_that_fails_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_killed_after_a_deletion(outcome: Outcome) -> Iterator[str]:
        deleted = {event.who for event in outcome.zones.events if event.before and not event.after}
        killed = {played.run.who for played in outcome.runs if played.result is None}
        yield from ("it is" for _who in deleted & killed)

    monkeypatch.setitem(checks.CHECKS, "made up", is_killed_after_a_deletion)
    story = Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2")), MX: (300, ("10 mail.example.net.",))},
        steps=(www("r1", "192.0.2.3"), www("r2", "192.0.2.4", exclusive=True), www("r3", "192.0.2.1")),
        faults=(Fault("r1", "POST", 1, "503", 2.0), Fault("r2", "DELETE", 1, "kill", 1.0)),
    )
    small = made_small(story, "made up")
    assert fails(small, "made up")
    assert ([*small.zone], [step.who for step in small.steps], [fault.who for fault in small.faults]) == (
        [WWW],
        ["r2"],
        ["r2"],
    )


def test_what_a_task_lists_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_rebuilt(outcome: Outcome) -> Iterator[str]:
        yield from ("it is" for event in outcome.zones.events if event.key == WWW and event.before and not event.after)

    monkeypatch.setitem(checks.CHECKS, "made up", is_rebuilt)
    www_a = {"name": "www", "type": "A", "content": ["192.0.2.1", "192.0.2.2"]}
    records = [{**www_a, "ttl": 60}, {"name": "ftp", "type": "A", "content": ["192.0.2.3"]}]
    example_com, example_net = {"zone": "example.com"}, {"zone": "example.net", "records": [records[1]]}
    task = {"zones": [{**example_com, "records": records, "ignore": []}, example_net]}
    story = Story(zone={WWW: (300, ("192.0.2.3",))}, steps=(Run("r1", "dns_zones", task),))
    (step,) = made_small(story, "made up").steps
    assert step.options == {"zones": [{**example_com, "records": [{**www_a, "content": ["192.0.2.2"]}]}]}


@pytest.mark.parametrize("options", [[], ["--hunt"]], ids=["by chance", "of a hunt"])
def test_that_nothing_is_found_is_told(options: list[str]) -> None:
    command = [sys.executable, str(Path(__file__).parent), "--first", "--stories=2", "--seed=29", "--processes=1"]
    told = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    assert (told.returncode, told.stdout, told.stderr) == (0, "none in 2 of seed 29\n", "")


def test_a_form_of_texts_that_was_found_stays_where_a_reading_may_be_from_before() -> None:
    """The old reading explains the task as well: it shows the text as the service had made it of the other form."""
    wanted = partial(www, name="@", type="TXT", pause=0.1)
    text = "v=spf1 mx -all"
    story = Story(
        zone={TXT: (300, ("site=1",))},
        steps=(wanted("r1", text), wanted("r2", text, state="absent"), wanted("r3", text)),
        service=Service(ages=(*(0.0,) * 13, 6.0), pace=(0.4,), parses=True),
    )
    played = play(story)
    assert [one.is_ok for one in played.runs if one.run.who == "r3"] == [True]
    assert played.zones.sets[TXT] == (300, ("site=1", text))


def test_a_value_that_was_taken_without_a_word_is_waited_for_before_a_failure_is_told() -> None:
    story = Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(www("r1", "192.0.2.5", "192.0.2.3"),),
        faults=(Fault("r1", "POST", 2, "400"),),
        service=Service(status=204, ages=(1.0,)),
    )
    result = result_of(story, "r1")
    assert "the set holds 192.0.2.1, 192.0.2.5 (TTL 300)" in result["msg"]


def test_recovery_sends_a_text_in_another_form_once_and_tells_of_it_once() -> None:
    story = Story(
        zone={TXT: (3600, ("token=abc",))},
        steps=(www("r1", "token=abc", "v=spf1 mx -all", name="@", type="TXT", ttl=300), www("r2", "192.0.2.1")),
        faults=(Fault("r1", "DELETE", 1, "kill", 1.0),),
        service=Service(ages=(1.0,), parses=True),
    )
    result = result_of(story, "r2")
    (recovered,) = result["recovered"]
    assert '"v=spf1 mx -all"' in recovered["after"]["contents"]
    assert sum("which the service made of texts" in warning for warning in result["warnings"]) == 1


def test_a_text_that_is_put_back_and_comes_back_as_another_one_does_not_count_as_put_back_by_an_old_reading() -> None:
    story = Story(
        zone={TXT: (300, ("k=1; p=a b",))},
        steps=(www("r1", "bad=1", "k=1; p=a b", name="@", type="TXT", ttl=600),),
        service=Service(ages=(*(0.0,) * 4, *(15.0,) * 3, *(0.0,) * 10), parses=True, refuses=("bad=1",)),
    )
    result = result_of(story, "r1")
    assert 'the set holds "k=1" (TTL 300), and the next run on the zone completes it' in result["msg"]


def test_a_set_that_is_new_at_a_name_that_was_put_back_is_no_entry_of_the_journal() -> None:
    """Such an entry tells of nothing, and the next run would take the journal for damaged."""
    story = Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.3"))},
        steps=(
            records(
                "r1",
                {"name": "www", "type": "A", "content": ["192.0.2.4"], "ttl": 60},
                {"name": "www", "type": "TXT", "content": ["site=1"]},
            ),
            www("r2", "192.0.2.5", name="ftp", pause=20.0),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 15.0),),
        service=Service(refuses=("192.0.2.4",)),
    )
    result = result_of(story, "r2")
    assert [one["name"] for one in result["recovered"]] == ["www.example.com."]
    assert not [warning for warning in result["warnings"] if "entries" in warning]


def test_what_a_run_has_just_removed_is_not_put_back_as_what_others_added() -> None:
    """An old reading shows it before the DELETE of the roll-back; with it, that would come back."""
    story = Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(
            records(
                "r1",
                {"name": "www", "type": "CNAME", "state": "absent"},
                {"name": "www", "type": "A", "content": ["192.0.2.3"]},
                {"name": "www", "type": "TXT", "content": ["x=1"]},
            ),
            www("r2", "192.0.2.1", ttl=600),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 400.0),),
        service=Service(ages=(0.0, 0.0, 15.0), refuses=("192.0.2.1",)),
    )
    result = result_of(story, "r2")
    assert "its old values were put back, it holds 192.0.2.3 (TTL 300)" in result["msg"]


def test_a_deletion_that_seems_carried_out_costs_the_next_task_no_patience() -> None:
    story = Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(www("r1", "192.0.2.1", "192.0.2.2", ttl=60), www("r2", "192.0.2.2", state="absent")),
        faults=(Fault("r1", "DELETE", 1, "504", 0.1),),
    )
    took = [played.ended - played.began for played in play(story).runs[:2]]
    assert max(took) < 15, "after 16 seconds no reading can be from before"


def test_a_deletion_that_only_an_old_reading_showed_to_be_carried_out_is_warned_of() -> None:
    result = result_of(HOLD["the same of a service that takes values that are there"], "r2")
    assert ["had no clear answer" in warning for warning in result["warnings"]] == [True]
