# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Stories that once failed, by their steps, and hold since."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from story import ZONE, Fault, Hand, Key, Run, Service, SetClock, Sets, Story

WWW: Key = ("www.example.com.", "A")
B: Key = ("b.example.com.", "A")
MX: Key = (ZONE, "MX")
TXT: Key = (ZONE, "TXT")
BESIDE: Key = ("www.example.com.", "TXT")
ALIAS: Key = ("alias.example.com.", "CNAME")
SPF = "v=spf1 mx -all"
OFTEN_OLD = Service(ages=(0.0, 0.0, 0.0, 0.0, 1.45, 0.0, 0.0))


ZONE_ALONE = {"zone": "example.com", "findings": "off"}
TWO_SETS: dict[str, Any] = {
    "zones": [
        {
            "zone": "example.com",
            "records": [
                {"name": "www", "type": "A", "content": ["192.0.2.2", "192.0.2.3"]},
                {"name": "@", "type": "TXT", "content": ["token=abc", SPF], "ttl": 300},
            ],
        }
    ],
    "findings": "off",
    "concurrency": 1,
}


def www(who: str, *content: str, pause: float = 1.0, **options: Any) -> Run:
    """A task on the addresses of www."""
    given = {"zone": "example.com", "name": "www", "type": "A", "findings": "off", **options}
    return Run(who, "dns_record", {**given, **({"content": [*content]} if content else {})}, pause)


def records(who: str, *records: dict[str, Any], pause: float = 1.0, **options: Any) -> Run:
    """A task on several sets of the zone."""
    return Run(who, "dns_records", {**ZONE_ALONE, "records": [*records], **options}, pause)


def owned(who: str, *rows: tuple[str, ...], **options: Any) -> Run:
    """A task of an owner on addresses."""
    wanted = ({"name": name, "type": "A", "content": [*content]} for name, *content in rows)
    return records(who, *wanted, **{"owner": "web", **options})


def reviewed(run: str, *records: dict[str, Any], **options: Any) -> tuple[Run, Run]:
    """A plan in check mode, by c1, c4 and so on, and the task that carries it out."""
    given = {**ZONE_ALONE, "records": [*records], "plan_dir": "plans", **options}
    return Run(f"c{run[1:]}", "dns_records", given, check=True), Run(run, "dns_records", given)


def text(who: str, content: str) -> Run:
    """A task on the text of the zone."""
    return www(who, content, name="@", type="TXT", exclusive=True)


OF_A_REVERSAL: Sets = {WWW: (300, ("192.0.2.3",)), MX: (300, ("10 mail.example.net.",)), TXT: (300, ("site=1",))}
REVERSAL = (
    Hand("add", WWW, "192.0.2.6", pause=5.0, before=("r2", 5)),
    www("r1", name="@", type="MX", state="absent", owner="web/shop"),
    www("r2", name="@", type="TXT", state="absent", owner="web"),
    www("r3", "192.0.2.5", owner="mail"),
    Run("back", "dns_records", {**ZONE_ALONE, "reverses": "r3"}, pause=0.1),
    www("r4", "20 mx.example.net.", name="@", type="MX", state="absent", owner="web/shop"),
)

HOLD: dict[str, Story] = {
    "a late DELETE takes what others have added to a set that a task leaves, and that is still to be completed": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r2", 4)),
            www("r1", "192.0.2.3", replaces=["192.0.2.2"]),
            www("r2", "192.0.2.1", state="absent"),
        ),
        faults=(Fault("r1", "DELETE", 1, "late", 90.0), Fault("r1", "POST", 2, "lost")),
        service=Service(refuses=("192.0.2.1",)),
    ),
    "a late DELETE takes what others have added to a set that a killed run was to delete": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            Hand("add", WWW, "192.0.2.5", before=("r2", 6)),
            www("r1", state="absent"),
            www("r2", "192.0.2.2"),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 25.0), Fault("r1", "DELETE", 2, "kill", 1.0)),
        service=Service(ages=(0.0, 10.0)),
    ),
    "a reading from before others made a set shows that it is gone, and its DELETE comes late": Story(
        zone={},
        steps=(
            replace(www("r1", "192.0.2.1", "192.0.2.3"), host="two"),
            www("r2", "192.0.2.2", replaces=["192.0.2.1"]),
        ),
        faults=(Fault("r2", "DELETE", 1, "504", 25.0),),
        service=Service(ages=(0.0, 0.0, 8.0, 0.0)),
    ),
    "the same of a service that takes values that are there": Story(
        zone={},
        steps=(
            Hand("add", WWW, "192.0.2.1"),
            Hand("add", WWW, "192.0.2.3"),
            www("r2", "192.0.2.2", replaces=["192.0.2.1"]),
        ),
        faults=(Fault("r2", "DELETE", 1, "504", 300.0),),
        service=Service(ages=(0.0, 0.0, 8.0, 0.0), duplicate=200),
    ),
    "the same of a DELETE that was accepted, for another TTL": Story(
        zone={},
        steps=(
            Hand("add", WWW, "192.0.2.1"),
            Hand("add", WWW, "192.0.2.3"),
            www("r2", "192.0.2.2", ttl=600),
        ),
        faults=(Fault("r2", "DELETE", 1, "accepted", 25.0),),
        service=Service(ages=(0.0, 0.0, 0.0, 0.0, 8.0), duplicate=200),
    ),
    "the verification is shown what was there before an earlier run removed it, and a DELETE may come yet": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(www("r1", state="absent"), www("r2", "192.0.2.5", "192.0.2.2", owner="web")),
        faults=(Fault("r1", "DELETE", 1, "504", 25.0),),
        service=Service(ages=(0.0, 0.0, 0.0, 9.92, *(0.0,) * 7)),
    ),
    "the last reading of all patience is older than one in the middle": Story(
        zone={},
        steps=(
            www("r3", "192.0.2.2", "192.0.2.3"),
            replace(www("r4", "192.0.2.3", pause=0.3, state="absent"), beside=True),
            Hand("add", WWW, "192.0.2.4", before=("r4", 6)),
        ),
        service=Service(ages=(0.0, 4.16, 0.0, 0.0, 0.0, 0.0, 15.0, 15.0, 0.0, 0.0, 0.0)),
    ),
    "a late DELETE takes what a first reading showed, and all patience is spent before the next one counts": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r2", 1)),
            www("r1", "192.0.2.1", state="absent"),
            www("r2", "192.0.2.2", state="absent"),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 2.5),),
    ),
    "a late DELETE takes what others have added between two readings of the verification": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r2", 4)),
            www("r1", "192.0.2.1", state="absent"),
            www("r2", "192.0.2.2", ttl=600),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 2.9),),
    ),
    "others add one value more to a set, with a former one, while its DELETE has no answer": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.6"))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r2", 4)),
            Hand("add", WWW, "192.0.2.4", before=("r2", 5)),
            www("r1", "192.0.2.1", exclusive=True),
            www("r2", "192.0.2.1", ttl=600),
        ),
        faults=(Fault("r2", "DELETE", 1, "504", 12.0),),
    ),
    "a value that is accepted and never added is shown as it was before others wrote": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(Hand("add", WWW, "192.0.2.3"), www("r2", "192.0.2.3", state="absent")),
        faults=(Fault("r2", "POST", 1, "accepted", -1.0),),
        service=Service(ages=(0.0, 2.0, 0.0)),
    ),
    "a value whose addition has no answer is shown as it was before others wrote": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(Hand("add", WWW, "192.0.2.3"), www("r2", "192.0.2.3", state="absent")),
        faults=(Fault("r2", "POST", 2, "504", -1.0),),
        service=Service(ages=(0.0, 8.0, 0.0)),
    ),
    "a set is shown as gone, by a late DELETE, and then as it was before": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(www("r1", "192.0.2.5", ttl=600), www("r2", "192.0.2.5", ttl=600, pause=17.0)),
        faults=(Fault("r1", "DELETE", 1, "504", 13.0),),
        service=Service(ages=(8.0, 0.0)),
    ),
    "what is read because of one set shows what others have added to another that is deleted next": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r1", 4)),
            records(
                "r1",
                {"name": "b", "type": "A", "content": ["192.0.2.2"]},
                {"name": "www", "type": "A", "content": ["192.0.2.1"], "ttl": 600, "exclusive": False},
                concurrency=1,
            ),
        ),
        faults=(Fault("r1", "POST", 1, "504", -1.0),),
    ),
    "a reading shows what others have put in place of what a late DELETE took, and the next one is older": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(
            www("r1", "192.0.2.2", state="absent"),
            www("r2", "192.0.2.3", "192.0.2.4", pause=17.5),
            Hand("add", WWW, "192.0.2.1", pause=14.5),
            www("r3", "192.0.2.1", pause=5.0),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 25.0),),
        service=Service(ages=(0.0, 0.0, 0.0, 0.0, 0.0, 10.0, 0.0)),
    ),
    "a late DELETE takes what others have added, while nobody can tell whether that is old": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r2", 1)),
            www("r1", "192.0.2.1", state="absent"),
            www("r2", "192.0.2.2", state="absent"),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 12.0),),
    ),
    "others add to a set while its DELETE, which was accepted, is waited for": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(Hand("add", WWW, "192.0.2.7", before=("r1", 5)), www("r1", "192.0.2.1", ttl=600)),
        faults=(Fault("r1", "DELETE", 1, "accepted", 12.0),),
    ),
    "others add to a set while its DELETE, which is refused after a late one, is waited for": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(Hand("add", WWW, "192.0.2.6", before=("r1", 4)), www("r1", "192.0.2.2", state="absent")),
        faults=(Fault("r1", "DELETE", 1, "504", 1.0), Fault("r1", "DELETE", 2, "422")),
        service=Service(ages=(0.0, 0.0, 2.0)),
    ),
    "the reading under the lock is older and shows a value that others have removed since": Story(
        zone={WWW: (300, ("192.0.2.2", "192.0.2.3"))},
        steps=(
            Hand("delete", WWW, pause=0.5),
            Hand("add", WWW, "192.0.2.3", 600, pause=0.5),
            www("r1", "192.0.2.3", exclusive=True),
            www("r3", "192.0.2.1", ttl=60),
        ),
        service=Service(ages=(0.0, 8.0, *(0.0,) * 9)),
    ),
    "a reading from before a task removed values is held against a later one": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2", "192.0.2.3"))},
        steps=(
            www("r1", "192.0.2.5", ttl=600),
            www("r2", "192.0.2.1", exclusive=True),
            www("r4", "192.0.2.4", ttl=60),
        ),
        faults=(Fault("r1", "POST", 3, "kill", 1.0),),
        service=Service(ages=(2.5, *(0.0,) * 12)),
    ),
    "only the last reading of a run shows what a killed one added to a set that a late DELETE takes": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(
            www("r1", "192.0.2.2", replaces=["192.0.2.1"]),
            www("r3", "192.0.2.3"),
            www("r4", "site=1", name="@", type="TXT"),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 300.0), Fault("r3", "GET", 2, "kill", 1.0)),
        service=Service(ages=(8.0,)),
    ),
    "the last reading of all patience is older than the one before it": Story(
        zone={WWW: (300, ("192.0.2.7",))},
        steps=(
            Hand("add", WWW, "192.0.2.1", pause=9.0),
            www("r2", "192.0.2.5", ttl=600),
            Hand("add", WWW, "192.0.2.2", before=("r2", 7)),
        ),
        service=Service(ages=(0.0, 9.0, 0.0, 0.0, 0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 0.0)),
    ),
    "a late DELETE takes a set while that is completed, and others add to the rest": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.3"))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r2", 6)),
            Hand("add", WWW, "192.0.2.6", 600, pause=0.5),
            www("r1", "192.0.2.1", "192.0.2.4", pause=0.1, exclusive=True),
            replace(www("r2", "192.0.2.2"), beside=True),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 6.0),),
        service=Service(ages=(4.0, 0.0, 0.0, 0.0, 1.69, 1.69, 0.0), pace=(1.0,), dice=(0.5, 0.6)),
    ),
    "another run reads an older zone after the first reading of a task that waits for it": Story(
        zone={},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r1", 7)),
            www("r1", "192.0.2.3"),
            replace(
                records("r4", {"name": "www", "type": "A", "content": ["192.0.2.2", "192.0.2.4"], "ttl": 600}),
                pause=6.0,
                beside=True,
            ),
        ),
        service=Service(
            ages=(0.0, 8.0, 5.32, 8.0, 6.64, 5.32, 4.29, 0.0, 0.0, 0.0, 0.0), pace=(0.1, 0.1, 0.1, 1.0, 0.1)
        ),
    ),
    "a value that nobody knew of a set just written is shown once, and then an older zone": Story(
        zone={},
        steps=(
            www("r1", "192.0.2.4", exclusive=True),
            Hand("add", WWW, "192.0.2.6", 600, pause=0.5, before=("r3", 2)),
            www("r3", "192.0.2.3", replaces=["192.0.2.4"]),
        ),
        service=Service(ages=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.77)),
    ),
    "a set that a late DELETE has taken is shown without it, and then as it was before": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(
            www("r1", "192.0.2.2", state="absent"),
            www("r2", "192.0.2.2", pause=20.0),
            Run("back", "dns_records", {**ZONE_ALONE, "reverses": "r1"}, pause=5.0),
            Hand("add", WWW, "192.0.2.1", pause=5.0),
            www("r3", "192.0.2.1", pause=5.0),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 25.0),),
        service=Service(ages=(0.0, 0.0, 0.0, 0.0, 0.0, 10.0, 0.0), pace=(0.05, 0.1, 0.1, 0.1, 0.1)),
    ),
    "what an interrupted run was to leave is shown, as the set was before others had added to it": Story(
        zone={WWW: (300, ("192.0.2.2", "192.0.2.3"))},
        steps=(
            Hand("add", WWW, "192.0.2.1", pause=5.0),
            www("r2", "192.0.2.1", state="absent"),
            www("r3", "192.0.2.4", state="absent", pause=0.1),
        ),
        faults=(Fault("r2", "POST", 2, "kill"),),
        service=Service(ages=(0.0, 0.0, 1.02, 8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)),
    ),
    "a second round deletes what others had added, and the next task is shown that": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            Hand("delete", WWW, before=("r1", 2)),
            Hand("add", WWW, "192.0.2.3", 600, before=("r1", 5)),
            www("r1", "192.0.2.1", exclusive=True),
            www("r2", "192.0.2.3"),
        ),
        service=Service(ages=(0.0, 0.0, 0.0, 0.0, 7.4, 8.0, 0.0)),
    ),
    "others add to a set that a killed run was to delete, and an older zone is shown": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(
            www("r1", state="absent"),
            Hand("add", WWW, "192.0.2.6", before=("r2", 1)),
            www("r2", "192.0.2.4", exclusive=True, pause=20.0),
        ),
        faults=(Fault("r1", "save", 1, "kill", 1.0),),
        service=Service(ages=(0.0, 0.0, 0.0, 0.0, 0.0, 8.0, 0.0)),
    ),
    "the reading under the lock is older than the one before it, and lacks what that has shown": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(Hand("add", WWW, "192.0.2.3"), www("r1", "192.0.2.3"), www("r3", "192.0.2.1", ttl=60)),
        service=Service(ages=(0.0, 8.0, *(0.0,) * 9)),
    ),
    "an addition is refused, and a reading from before all that is known of the set shows the value": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(
            Hand("add", WWW, "192.0.2.4", pause=5.0),
            www("r1", "192.0.2.3"),
            www("r2", "192.0.2.1", "192.0.2.2", exclusive=True),
            www("x2", "192.0.2.5"),
        ),
        faults=(Fault("r2", "POST", 2, "409", 1.0),),
        service=Service(ages=(6.0, 0.0)),
    ),
    "an owner's task is killed while it completes a set of an earlier one to what it wants itself": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(
            www("r1", "192.0.2.4", ttl=60, owner="web"),
            www("r2", "192.0.2.3", replaces=["192.0.2.4"], owner="web"),
            www("r4", "192.0.2.1", exclusive=True, owner="web"),
        ),
        faults=(Fault("r1", "GET", 3, "kill"), Fault("r2", "POST", 2, "kill", 1.0)),
        service=Service(status=204),
    ),
    "others undo what a task finds as it wants it, of a set that is protected, and add to it": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(
            records(
                "r1",
                {"name": "www", "type": "A", "content": ["192.0.2.2"], "ttl": 300},
                {"name": "@", "type": "TXT", "content": ["token=abc", "site=1"]},
                {"name": "@", "type": "MX", "content": ["10 mail.example.net.", "20 mx.example.net."]},
                protect=[{"name": "www"}],
                owner="web",
            ),
            Hand("delete", WWW, pause=0.5),
            Hand("add", WWW, "192.0.2.6", 600, pause=0.5),
        ),
    ),
    "a text is misread without an answer, and then refused, while a reviewed plan is carried out": Story(
        zone={},
        steps=reviewed("r1", {"name": "@", "type": "TXT", "content": [SPF, "token=abc"]}, owner="mail"),
        faults=(Fault("r1", "POST", 1, "done"),),
        service=Service(parses=True),
    ),
    "a run is killed after a DELETE that it sent again half a minute later, and an old reading shows the set": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(www("r3", "192.0.2.1", state="absent"), www("r4", "192.0.2.2", pause=0.1)),
        faults=(Fault("r3", "DELETE", 1, "late", 300.0), Fault("r3", "POST", 1, "kill")),
        service=Service(ages=(0.0, 0.0, 0.88, *(0.0,) * 8)),
    ),
    "a task finds a value absent that a killed one was about to add, and others add to the set": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.3"))},
        steps=(
            www("r1", "192.0.2.1", "192.0.2.4", exclusive=True),
            www("r2", "192.0.2.4", state="absent"),
            www("r3", "192.0.2.1", name="ftp"),
            Hand("add", WWW, "192.0.2.6", pause=0.5),
        ),
        faults=(Fault("r1", "DELETE", 1, "kill"),),
    ),
    "an answer that is not whole comes while a set is made anew": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(www("r2", "192.0.2.4", ttl=600, owner="web"),),
        faults=(Fault("r2", "POST", 2, "423"), Fault("r2", "GET", 4, "partial")),
    ),
    "others add to a set that is put back in the second round": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(Hand("add", WWW, "192.0.2.6", 600, pause=0.5, before=("r1", 6)), www("r1", "192.0.2.2", ttl=60)),
        faults=(Fault("r1", "POST", 2, "accepted", 4.0),),
        service=Service(refuses=("192.0.2.2",)),
    ),
    "a late DELETE takes a set while what was left of another one is completed": Story(
        zone={WWW: (300, ("192.0.2.1",)), MX: (300, ("20 mx.example.net.",))},
        steps=(
            www("r2", "10 mail.example.net.", name="@", type="MX", exclusive=True),
            www("r3", "192.0.2.2"),
            Run("back", "dns_records", {**ZONE_ALONE, "reverses": "r3"}),
            www("r4", "20 mx.example.net.", name="@", type="MX"),
        ),
        faults=(Fault("r2", "DELETE", 1, "504", 12.0),),
        service=Service(refuses=("192.0.2.1",)),
    ),
    "a late DELETE comes while a task that only wants one of the values adds to another set": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(
            www("r1", "192.0.2.5", replaces=["192.0.2.2"]),
            records(
                "r2",
                {"name": "www", "type": "A", "content": ["192.0.2.1"], "exclusive": False},
                {"name": "@", "type": "MX", "content": ["20 mx.example.net."]},
            ),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 12.0), Fault("r2", "GET", 2, "lost")),
    ),
    "others add what an owner's run has deleted and is about to add again": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(
            Hand("add", WWW, "192.0.2.6", pause=5.0),
            Hand("add", WWW, "192.0.2.6", pause=0.5, before=("r1", 5)),
            www("r1", "192.0.2.2", state="absent", owner="web", pause=20.0),
        ),
    ),
    "a run of the same owner says beside a reviewed plan what is to be": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(
            *reviewed("r1", {"name": "www", "type": "A", "content": ["192.0.2.1", "192.0.2.3"]}, owner="web"),
            replace(www("r2", "192.0.2.2", owner="web", pause=2.0), beside=True),
        ),
        faults=(Fault("r1", "GET", 2, "409", 2.0), Fault("r1", "GET", 1, "refused")),
    ),
    "a task finds a set as it wants it, which a killed one was about to delete, and that DELETE comes late": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(www("r1", state="absent"), www("r2", "192.0.2.3"), www("r3", "192.0.2.5", state="absent")),
        faults=(Fault("r1", "DELETE", 1, "504", 25.0), Fault("r1", "DELETE", 2, "kill")),
    ),
    "a task finds a value that it wants where a killed one was about to delete, and that DELETE comes late": Story(
        zone={WWW: (300, ("192.0.2.3", "192.0.2.4", "192.0.2.6"))},
        steps=(
            www("r1", "192.0.2.3", "192.0.2.4", state="absent"),
            www("r2", "192.0.2.3"),
            www("r3", "192.0.2.5", state="absent"),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 25.0), Fault("r1", "DELETE", 2, "kill")),
    ),
    "a value is added where a DELETE comes late, and the disk is full as the memory of it is saved": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(
            www("r1", "192.0.2.2", replaces=["192.0.2.1"]),
            www("r3", "192.0.2.3"),
            www("r4", "site=1", name="@", type="TXT"),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 300.0), Fault("r3", "save", 2, "full")),
    ),
    "the disk is full before a value is added, the run is killed, and a reading from before is believed": Story(
        zone={},
        steps=(www("r1", "192.0.2.4"), www("r2", "192.0.2.4", state="absent")),
        faults=(
            Fault("r1", "POST", 2, "kill", 1.0),
            Fault("r1", "POST", 1, "409", 2.0),
            Fault("r1", "save", 1, "full"),
        ),
        service=Service(ages=(0.0, 3.26, *(0.0,) * 8)),
    ),
    "a set whose TTL is lowered comes back": Story(
        zone={("ftp.example.com.", "A"): (300, ("192.0.2.9",))},
        steps=(
            records(
                "r2",
                {"name": "ftp", "type": "A", "content": ["192.0.2.1"], "ttl": 600, "exclusive": False},
                ttl_max=[{"type": "A", "ttl": 60}],
            ),
        ),
        service=Service(duplicate=200, returns=(("ftp.example.com.", "A"),)),
    ),
    "a reviewed plan lowers TTLs that the service raises, and goes on where a run was killed": Story(
        zone={},
        steps=reviewed(
            "r4",
            {"name": "www", "type": "A", "content": ["192.0.2.1", "192.0.2.2"]},
            {"name": "@", "type": "TXT", "content": ["site=1"]},
            ttl_max=[{"type": "A", "ttl": 60}],
        ),
        faults=(Fault("r4", "POST", 2, "kill"),),
        service=Service(ttls=(120, 2147483647)),
    ),
    "a clock is set back while a run is at work that keeps its times by the clock of a database": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            www("r2", state="absent"),
            SetClock("one", -100.0),
            Run("back", "dns_records", {**ZONE_ALONE, "reverses": "r2"}),
        ),
        service=Service(ages=(0.0, 4.86), pace=(0.3,)),
        database=True,
    ),
    "a value is refused, and a reading from before a DELETE shows it": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.3"))},
        steps=(www("r1", "192.0.2.5", ttl=600), www("r2", "192.0.2.4")),
        faults=(Fault("r1", "DELETE", 1, "late", 300.0),),
        service=Service(ages=(0.0, 0.0, 0.0, 0.0, 8.0, 0.0, 0.0), status=202, refuses=("192.0.2.1",)),
    ),
    "a DELETE takes the sets of all types along": Story(
        zone={WWW: (300, ("192.0.2.1",)), ("www.example.com.", "TXT"): (300, ("site=1",))},
        steps=(www("r1", "192.0.2.2", exclusive=True),),
        service=Service(wide=True),
    ),
    "others create again what a DELETE without an answer took, as it was before an earlier task": Story(
        zone={},
        steps=(
            www("r1", "192.0.2.2", "192.0.2.1"),
            www("r2", state="absent"),
            Hand("add", WWW, "192.0.2.6", 600, before=("r2", 3)),
        ),
        faults=(Fault("r2", "DELETE", 1, "504", 0.3),),
    ),
    "others put back what an earlier task took out, while a DELETE is throttled": Story(
        zone={},
        steps=(
            www("r1", "192.0.2.3", ttl=300, exclusive=True),
            Hand("add", WWW, "192.0.2.6", 600, pause=0.5),
            Hand("add", WWW, "192.0.2.6", 600, before=("r2", 3)),
            www("r2", state="absent"),
        ),
        faults=(Fault("r2", "DELETE", 1, "423"),),
        service=Service(pace=(1.0,)),
    ),
    "two DELETEs without an answer, and both come late": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2", "192.0.2.3"))},
        steps=(www("r1", "192.0.2.3", state="absent"), www("r2", "192.0.2.2", state="absent")),
        faults=(Fault("r1", "DELETE", 1, "504", 6.0), Fault("r2", "DELETE", 1, "504", 25.0)),
    ),
    "a DELETE that comes between two tasks": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.3"))},
        steps=(www("r1", "192.0.2.3", state="absent"), www("r2", "192.0.2.1")),
        faults=(Fault("r1", "DELETE", 1, "504", 2.5),),
        service=Service(ages=(0.0, 3.0, 8.0)),
    ),
    "a task adds where a late DELETE has taken the others along, and reads what was before": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(www("r2", "192.0.2.2", ttl=60), www("r3", "192.0.2.4", pause=5.0)),
        faults=(Fault("r2", "DELETE", 1, "504", 6.0),),
        service=OFTEN_OLD,
    ),
    "a late DELETE comes while a task adds": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.3"))},
        steps=(www("r2", "192.0.2.1", state="absent"), www("r3", "192.0.2.4")),
        faults=(Fault("r2", "DELETE", 1, "504", 6.0), Fault("r3", "GET", 2, "lost")),
    ),
    "somebody adds where a late DELETE has taken the others along": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            www("r1", "192.0.2.2", "192.0.2.4", exclusive=True),
            Hand("add", WWW, "192.0.2.6", pause=3.0),
            www("r2", "192.0.2.6"),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 1.0),),
    ),
    "an addition comes after the late DELETE that took the others along": Story(
        zone={WWW: (300, ("192.0.2.5",))},
        steps=(www("r2", "192.0.2.1", "192.0.2.2", exclusive=True), www("r4", "192.0.2.5")),
        faults=(Fault("r2", "DELETE", 1, "504", 300.0), Fault("r2", "POST", 1, "late", 300.0)),
    ),
    "a DELETE of a task that only deletes comes after others have added to the set": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(www("r2", state="absent"), www("r3", "192.0.2.5"), www("r4", "192.0.2.1")),
        faults=(Fault("r2", "DELETE", 1, "late", 300.0),),
    ),
    "an old reading after the set was made anew is taken for a TTL that the service keeps": Story(
        zone={WWW: (300, ("192.0.2.2", "192.0.2.3"))},
        steps=(www("r2", state="absent"), www("r3", "192.0.2.3", ttl=60)),
        service=Service(ages=(0.0, 0.93, 0.93, 6.83, 6.83, 8.0, 0.0)),
    ),
    "a journal has a value that a task takes out by a glob": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(www("r1", "192.0.2.1", state="absent"), www("r2", "192.0.2.1", replaces=["192.0.2.2"])),
        faults=(Fault("r1", "DELETE", 1, "kill"), Fault("r2", "save", 2, "kill")),
    ),
    "a clock is set back": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(
            www("r1", "192.0.2.1", "192.0.2.3", exclusive=True),
            SetClock("one", -100.0, pause=3.0),
            www("r2", "192.0.2.1", state="absent"),
        ),
        service=Service(ages=(0.0, 0.0, 0.0, 0.0, 8.0, 8.0, 0.0)),
    ),
    "a run is killed after it took out what an earlier one, without an answer, had put there": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(
            www("r1", "192.0.2.4", exclusive=True),
            www("r2", "192.0.2.2", pause=70.0, exclusive=True),
        ),
        faults=(Fault("r1", "DELETE", 1, "lost"), Fault("r2", "save", 2, "kill")),
    ),
    "what was only accepted is taken for written, and a reading from before for its end": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(www("r3", "192.0.2.4"), www("r4", "192.0.2.2", exclusive=True)),
        faults=(Fault("r4", "POST", 1, "accepted", 1.0),),
        service=Service(ages=(0.0, 6.81)),
    ),
    "a DELETE of a roll-back has no answer, and comes when another run has found all as it should be": Story(
        zone={},
        steps=(
            www("r1", "192.0.2.5", exclusive=True),
            www("r2", "192.0.2.4", ttl=60),
            www("r4", "192.0.2.1", state="absent", pause=3.0),
        ),
        faults=(Fault("r2", "DELETE", 2, "504", 300.0),),
        service=Service(ages=(*(0.0, 0.0, 4.0), *(0.0,) * 8), refuses=("192.0.2.4",)),
    ),
    "a run that only deletes is killed, and its first DELETE comes after two others have added": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            www("r1", state="absent"),
            Run(
                "r2",
                "dns_records",
                {
                    "zone": "example.com",
                    "findings": "off",
                    "records": [{"name": "www", "type": "A", "content": ["192.0.2.1"]}],
                },
            ),
            www("r3", "192.0.2.5"),
        ),
        faults=(Fault("r1", "DELETE", 1, "late", 90.0), Fault("r1", "GET", 3, "kill", 1.0)),
    ),
    "the disk is full when the memory is saved, and a reading from before is believed": Story(
        zone={},
        steps=(
            www("r1", "192.0.2.5", exclusive=True),
            www("r2", "192.0.2.2"),
            www("back", "192.0.2.5", exclusive=True, pause=5.0),
        ),
        faults=(Fault("r2", "save", 2, "full"),),
        service=Service(ages=(*(8.02, 0.0, 7.04), *(0.0,) * 4)),
    ),
    "a run that completes what another left is killed once the journal is gone, and a DELETE comes late": Story(
        zone={WWW: (300, ("192.0.2.2", "192.0.2.3"))},
        steps=(www("r1", "192.0.2.1", "192.0.2.3", exclusive=True), www("r2", "192.0.2.4")),
        faults=(
            Fault("r1", "DELETE", 1, "late", 90.0),
            Fault("r1", "POST", 2, "kill"),
            Fault("r2", "save", 1, "kill", 1.0),
        ),
    ),
    "the preference of a mail host that was only accepted, and that a late DELETE takes along": Story(
        zone={MX: (300, ("10 mail.example.net.",))},
        steps=(www("r2", "20 mx.example.net.", name="@", type="MX", exclusive=True),),
        faults=(Fault("r2", "DELETE", 1, "504", 300.0),),
        service=Service(status=202, bare=True),
    ),
    "an old reading shows the set gone while a DELETE without an answer is still to come": Story(
        zone={},
        steps=(
            www("r1", "192.0.2.4", exclusive=True),
            www("r2", "192.0.2.5", "192.0.2.2", ttl=600),
            www("r4", "192.0.2.3"),
        ),
        faults=(Fault("r2", "DELETE", 2, "504", 90.0), Fault("r2", "DELETE", 1, "late", 12.0)),
        service=Service(ages=(4.0, *(0.0,) * 6), status=202, refuses=("192.0.2.2",)),
    ),
    "a run that puts a set aside is killed before it can tell": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.3"))},
        steps=(
            www("r1", "192.0.2.1", state="absent"),
            Hand("add", WWW, "192.0.2.6", pause=0.5, before=("r1", 5)),
            www("r2", "192.0.2.5"),
        ),
        faults=(Fault("r1", "POST", 1, "kill"), Fault("r2", "POST", 1, "kill")),
        service=Service(status=202),
    ),
    "a text that was there before is misread, and an old reading shows it rightly": Story(
        zone={(ZONE, "TXT"): (300, (SPF,))},
        steps=(text("r2", "site=1"), text("back", SPF)),
        service=Service(ages=(0.0, 9.74), parses=True),
    ),
    "others have undone what an old reading shows of a set that the task need not change": Story(
        zone={WWW: (300, ("192.0.2.2", "192.0.2.3"))},
        steps=(
            Hand("delete", WWW, pause=5.0),
            Run(
                "r2",
                "dns_records",
                {
                    "zone": "example.com",
                    "findings": "off",
                    "records": [
                        {"name": "www", "type": "A", "content": ["192.0.2.2", "192.0.2.3"]},
                        {"name": "@", "type": "MX", "content": ["10 mail.example.net."]},
                    ],
                },
            ),
        ),
        service=Service(ages=(0.0, 4.0)),
    ),
    "a text is misread while a DELETE without an answer is still to come": Story(
        zone={(ZONE, "TXT"): (300, (SPF, "site=1"))},
        steps=(www("r2", SPF, "token=abc", name="@", type="TXT", exclusive=True), www("r3", "192.0.2.1")),
        faults=(Fault("r2", "DELETE", 1, "504", 90.0),),
        service=Service(parses=True),
    ),
    "what a run put aside is told, also where it is killed in a change of the same set": Story(
        zone={WWW: (300, ("192.0.2.2", "192.0.2.3"))},
        steps=(
            www("r2", "192.0.2.2", exclusive=True),
            Hand("add", WWW, "192.0.2.6", ttl=600, pause=5.0),
            www("r3", "192.0.2.4", ttl=60),
        ),
        faults=(Fault("r2", "POST", 1, "kill"), Fault("r3", "DELETE", 1, "kill", 1.0)),
    ),
    "a reviewed plan is refused where a text was misread whose POST had no answer": Story(
        zone={},
        steps=(
            Run("c1", "dns_zones", {**TWO_SETS, "plan_dir": "plans"}, check=True),
            Run("r1", "dns_zones", {**TWO_SETS, "plan_dir": "plans"}),
        ),
        faults=(Fault("r1", "POST", 3, "done"), Fault("r1", "POST", 1, "late", 300.0)),
        service=Service(parses=True),
    ),
    "what an old look shows of a set before it was deleted proves no addition": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(www("r1", "192.0.2.3"), www("r2", "192.0.2.1", "192.0.2.2", exclusive=True)),
        faults=(Fault("r2", "POST", 2, "409", 1.0),),
        service=Service(ages=(6.0, 0.0)),
    ),
    "each look for a value takes the place of the value, where one request a second is taken": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(www("r1", "192.0.2.2", state="absent"),),
        faults=(Fault("r1", "POST", 2, "lost"),),
        service=Service(a_second=1),
    ),
    "what became of a misread text stays where its run was killed": Story(
        zone={},
        steps=(
            records("r2", {"name": "@", "type": "TXT", "state": "absent"}),
            www("r3", SPF, name="@", type="TXT"),
        ),
        faults=(Fault("r3", "GET", 2, "kill", 1.0),),
        service=Service(parses=True),
    ),
    "a TTL of others that an old reading still shows after the round that took it back": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(
            owned("r1", ("www", "192.0.2.2", "192.0.2.3"), ("ftp", "192.0.2.2"), ttl_max=[{"type": "A", "ttl": 60}]),
            Hand("add", WWW, "192.0.2.6", 600, 5.0, before=("r1", 5)),
        ),
        faults=(Fault("r1", "DELETE", 2, "504", 1.0),),
        service=Service(ages=(0.0, 0.75)),
    ),
    "a value that somebody adds to a set while its owner waits to prune it": Story(
        zone={},
        steps=(
            owned("r1", ("www", "192.0.2.4", "192.0.2.3"), ("h3", "192.0.2.1"), ("h4", "192.0.2.1")),
            owned("r4", ("h11", "192.0.2.1"), concurrency=2, prune=True, prune_limit=100),
            Hand("add", WWW, "192.0.2.6", 600, 0.5),
        ),
        service=Service(status=202),
    ),
    "the TTL of a value that comes late, after the set was deleted, is no TTL that the service keeps": Story(
        zone={},
        steps=(
            records("r1", {"name": "www", "type": "A", "content": ["192.0.2.1"]}),
            www("r2", "192.0.2.2", ttl=300, exclusive=True),
            replace(
                records(
                    "r3",
                    {"name": "www", "type": "A", "content": ["192.0.2.1"]},
                    ttl_max=[{"name": "www", "ttl": 120}],
                    pause=0.3,
                ),
                beside=True,
            ),
        ),
        faults=(Fault("r2", "POST", 1, "504", 17.0),),
        service=Service(ages=(8.0,), takes_ttl=True),
    ),
    "a value that others removed, while a task adds one with another TTL and an old reading shows it": Story(
        zone={WWW: (300, ("192.0.2.2", "192.0.2.3"))},
        steps=(
            Hand("delete", WWW, pause=0.5),
            www("r1", state="absent", pause=3.0),
            www("r2", "192.0.2.2", ttl=600, pause=5.0),
        ),
        service=Service(ages=(10.0, 0.96), status=202),
    ),
    "a value that others removed, and an old reading shows before the next task on its set": Story(
        zone={WWW: (300, ("192.0.2.2", "192.0.2.3"))},
        steps=(
            Hand("delete", WWW, pause=0.5),
            www("r1", "192.0.2.3", exclusive=True),
            www("r3", "192.0.2.1", ttl=60),
        ),
        service=Service(ages=(0.0, 8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)),
    ),
    "a value that others add, and who looks again for it is shown what was before": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            www("r1", "192.0.2.4"),
            www("r3", "192.0.2.5", ttl=600),
            Hand("add", WWW, "192.0.2.6", 600, 0.5),
        ),
        service=Service(ages=(8.0, 0.0)),
    ),
    "a deletion that may have been carried out, where a service takes two requests a second": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(www("r2", "192.0.2.2", ttl=60), www("r3", state="absent")),
        faults=(Fault("r3", "DELETE", 1, "504", 300.0),),
        service=Service(
            ages=(0.18,),
            pace=(0.1, 0.05, 0.1, 0.1, 0.02),
            dice=(0.85, 0.5, 0.5, 0.5, 0.32),
            status=204,
            a_second=2,
            says_when=False,
        ),
    ),
    "a value that others add while a deletion waits because requests are throttled": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            records(
                "r1",
                {"name": "www", "type": "A", "content": ["192.0.2.1"], "ttl": 600},
                {"name": "@", "type": "MX", "content": ["20 mx.example.net.", "10 mail.example.net."]},
                owner="web/shop",
                concurrency=2,
            ),
            Hand("add", WWW, "192.0.2.6", 600, 5.0, ("r1", 5)),
        ),
        faults=(Fault("r1", "POST", 2, "lost"),),
        service=Service(a_second=2),
    ),
    "what a service made of a text is to be taken out, and the run is killed before it begins": Story(
        zone={},
        steps=(
            www("r1", "site=1", "token=abc", name="@", type="TXT", exclusive=True),
            www("r2", SPF, name="@", type="TXT"),
        ),
        faults=(Fault("r2", "save", 2, "kill", 1.0),),
        service=Service(parses=True),
    ),
    "a value that others add to a set whose turn comes half a minute after the zone was read": Story(
        zone={WWW: (300, ("192.0.2.3",)), ("h1.example.com.", "A"): (300, ("192.0.2.1",))},
        steps=(
            records(
                "r2",
                {"name": "h1", "type": "A", "content": ["192.0.2.2"]},
                {"name": "www", "type": "A", "content": ["192.0.2.1"], "ttl": 600, "exclusive": False},
                concurrency=1,
            ),
            Hand("add", WWW, "192.0.2.6", 300, 0.5),
        ),
        faults=(Fault("r2", "DELETE", 1, "lost", 1.0),),
    ),
    "the same of a set that is pruned within limits": Story(
        zone={
            WWW: (300, ("192.0.2.3",)),
            (ZONE, "TXT"): (300, ("site=1",)),
            ("alias.example.com.", "CNAME"): (300, ("www.example.com.",)),
        },
        steps=(
            records(
                "r2",
                {"name": "@", "type": "TXT", "content": ["token=abc", SPF]},
                prune=True,
                prune_limit=30,
                change_limit=10,
            ),
            Hand("add", WWW, "192.0.2.6", 600, 0.5),
        ),
        faults=(Fault("r2", "DELETE", 2, "lost", 1.0),),
    ),
    "a set that is to go, while a value of it is looked for and another run makes it anew": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.3"))},
        steps=(
            www("r1", "192.0.2.4"),
            replace(www("r2", state="absent", pause=2.0), beside=True),
            replace(www("r4", "192.0.2.1", state="absent", pause=2.0), beside=True),
        ),
        service=Service(ages=(5.94, 7.52, 8.0, 8.0, 7.52, 0.0, 8.0, 8.0, 7.52, 0.0, 0.0), pace=(0.1, 1.0), status=204),
    ),
    "a run that waits for the lock is not told by who had it, and was killed, that it has written": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            records("r1", {"name": "www", "type": "A", "content": ["192.0.2.2"], "ttl": 600}, change_limit=10),
            replace(
                records("r2", {"name": "www", "type": "A", "state": "absent"}, change_limit=10, pause=2.0), beside=True
            ),
        ),
        faults=(Fault("r1", "GET", 2, "lost"), Fault("r1", "save", 2, "kill", 1.0)),
    ),
    "a value that recovery cannot create, and an old reading shows once it has tried": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.3"))},
        steps=(www("r3", "192.0.2.3", state="absent"), Run("back", "dns_records", {**ZONE_ALONE, "reverses": "r3"})),
        service=Service(ages=(0.0, 0.0, 0.0, 0.0, 0.0, 10.0, 0.0, 10.0, 0.0, 0.0), refuses=("192.0.2.1",)),
    ),
    "what others have added before a DELETE comes late is known to a run that has nothing to do there": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(
            www("r1", "192.0.2.1", state="absent"),
            Hand("add", WWW, "192.0.2.6", pause=5.0),
            www("r2", "192.0.2.6"),
            www("r3", "192.0.2.9", name="ftp"),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 90.0),),
    ),
    "what others have added to a set that is being put back": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r1", 5)),
            www("r1", "192.0.2.1", "192.0.2.2", exclusive=True, ttl=600),
        ),
        service=Service(refuses=("192.0.2.2",)),
    ),
    "a text that is refused because a try before is carried out late is no reason to send texts in quotes": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(records("r1", {"name": "@", "type": "TXT", "content": [SPF, "token=abc"], "ttl": 300}),),
        faults=(Fault("r1", "POST", 1, "504", 2.5),),
        service=Service(ages=(0.0, 0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0), keeps_quotes=True),
    ),
    "a value that is refused for good, and shown by one old reading, while another set fails": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(
            records(
                "r1",
                {"name": "www", "type": "A", "content": ["192.0.2.2"]},
                {"name": "@", "type": "TXT", "content": ["token=abc", "site=1"], "ttl": 300},
            ),
            records(
                "r3",
                {"name": "www", "type": "A", "content": ["192.0.2.1"]},
                {"name": "ftp", "type": "A", "content": ["192.0.2.1", "192.0.2.2"], "ttl": 300},
            ),
        ),
        service=Service(ages=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 6.47, 0.0, 0.0, 0.0, 0.0), refuses=("192.0.2.1",)),
    ),
    "others add once more what an earlier task has removed, while a DELETE has no answer": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(
            www("r1", "192.0.2.1", exclusive=True),
            Hand("add", WWW, "192.0.2.6", pause=5.0, before=("r1", 5)),
            Hand("add", WWW, "192.0.2.6", pause=5.0, before=("r2", 4)),
            www("r2", "192.0.2.1", ttl=600),
        ),
        faults=(Fault("r2", "DELETE", 1, "504", 12.0),),
        service=Service(status=202),
    ),
    "an old reading of a set that was deleted in a second round, and not as it was before the first": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", ttl=600, before=("r1", 2)),
            www("r1", "192.0.2.3", "192.0.2.2", exclusive=True),
            www("r2", "192.0.2.3"),
        ),
        faults=(Fault("r1", "POST", 2, "kill"),),
        service=Service(ages=(0.0, 0.0, 0.0, 0.0, 0.0, 1.61, 0.0)),
    ),
    "a value without an answer while its set is made anew, and shown as long ago as no run remembers": Story(
        zone=OF_A_REVERSAL,
        steps=REVERSAL,
        faults=(Fault("back", "POST", 1, "409"),),
        service=Service(ages=(3.3, 3.3, 0.0, 0.0, 0.0, 0.0, 0.0, 8.0, 0.0, 3.3, 0.0), pace=(0.05,)),
    ),
    "a value that is refused once while its set is made anew, and shown as long ago as no run remembers": Story(
        zone=OF_A_REVERSAL,
        steps=REVERSAL,
        faults=(Fault("back", "POST", 1, "422"),),
        service=Service(ages=(3.3, 3.3, 0.0, 0.0, 0.0, 8.0, 0.0, 3.3, 0.0, 3.3, 0.0), pace=(0.05,)),
    ),
    "a DELETE that is sent long after it was journaled, and an old reading when its run is killed": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(
            records(
                "r1",
                {"name": "ftp", "type": "A", "content": ["192.0.2.9"]},
                {"name": "www", "type": "A", "content": ["192.0.2.1", "192.0.2.2"], "ttl": 600},
                concurrency=1,
            ),
            www("r2", "192.0.2.1", pause=0.5),
            www("r3", "192.0.2.1", pause=700.0),
        ),
        faults=(Fault("r1", "POST", 1, "done"), Fault("r1", "DELETE", 1, "kill", 1.0)),
        service=Service(ages=(4.0,)),
    ),
    "a value that was accepted, and comes once another run has made it": Story(
        zone={WWW: (300, ("192.0.2.2", "192.0.2.3"))},
        steps=(
            www("r2", "192.0.2.1", replaces=["192.0.2.3"], owner="mail"),
            www("r3", "192.0.2.5", owner="web/shop"),
        ),
        faults=(Fault("r2", "POST", 1, "lost"), Fault("r2", "POST", 2, "accepted", 4.0)),
        service=Service(refuses=("192.0.2.1",)),
    ),
    "a mail host that is put back without anybody who knows its preference has one from then on": Story(
        zone={MX: (300, ("20 mx.example.net.",))},
        steps=(
            *reviewed(
                "r1",
                {"name": "ftp", "type": "A", "content": ["192.0.2.2"]},
                {"name": "@", "type": "MX", "state": "absent"},
                {"name": "@", "type": "TXT", "content": ["token=abc"]},
                owner="web/shop",
            ),
            www("r4", "20 mx.example.net.", name="@", type="MX", owner="web/shop"),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 300.0), Fault("r1", "DELETE", 2, "kill")),
        service=Service(bare=True),
    ),
    "a task that finds a value that a killed one has added where a DELETE may come keeps that it is there": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(
            www("r1", "192.0.2.1", state="absent"),
            www("r2", "192.0.2.4"),
            www("r3", "192.0.2.4"),
            www("r4", "192.0.2.1", state="absent"),
        ),
        faults=(
            Fault("r1", "DELETE", 1, "504", 90.0),
            Fault("r2", "POST", 1, "lost"),
            Fault("r2", "POST", 2, "kill", 1.0),
        ),
    ),
    "what a killed run may have added, and one reading has shown, is not gone because an older one lacks it": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(
            www("r1", "192.0.2.4", owner="web/shop"),
            Hand("add", WWW, "192.0.2.6", ttl=600, before=("r2", 1)),
            www("r2", "192.0.2.1", exclusive=True, owner="web/shop"),
        ),
        faults=(Fault("r1", "GET", 2, "kill", 1.0),),
        service=Service(ages=(0.0, 8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)),
    ),
    "what a run adds once more in a second round, because others removed it, is noted before": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(
            www("r1", "192.0.2.1", "192.0.2.4"),
            Hand("delete", WWW, before=("r1", 4)),
            www("r2", "192.0.2.1", state="absent"),
            www("r3", "192.0.2.4", state="absent"),
        ),
        faults=(Fault("r1", "POST", 2, "kill", 1.0),),
        service=Service(ages=(4.51,)),
    ),
    "what others added comes back on the way back too, behind a value that the service refuses": Story(
        zone={WWW: (300, ("192.0.2.2", "192.0.2.3"))},
        steps=(Hand("add", WWW, "192.0.2.6", pause=5.0), www("r1", "192.0.2.2", ttl=60)),
        faults=(Fault("r1", "GET", 2, "lost"),),
        service=Service(ages=(0.0, 0.0, 9.77, 7.51, 10.0, 10.0, 0.0, 0.0, 0.0), status=202, refuses=("192.0.2.3",)),
    ),
    "what others make of a set that they deleted, just before a DELETE, and after what a reading can show": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r1", 4)),
            www("r1", "192.0.2.1", "192.0.2.2", ttl=120),
            Hand("delete", WWW, pause=0.5, before=("r1", 3)),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 300.0),),
        service=Service(ages=(0.93, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), refuses=("192.0.2.2",)),
    ),
    "what a run adds once more in a third round is noted before, though the first round noted it too": Story(
        zone={B: (300, ("192.0.2.5",))},
        steps=(
            records(
                "r1",
                {"name": "www", "type": "A", "content": ["192.0.2.4"]},
                {"name": "b", "type": "A", "content": ["192.0.2.5"]},
            ),
            Hand("delete", B, before=("r1", 5)),
            Hand("delete", WWW, before=("r1", 9)),
            www("r2", state="absent"),
        ),
        faults=(Fault("r1", "POST", 3, "kill", 1.0),),
        service=Service(ages=(3.0,)),
    ),
    "a run is killed in a second round, after a late DELETE took what the set held beside what it adds": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(
            records(
                "r1",
                {"name": "www", "type": "A", "content": ["192.0.2.3"], "ttl": 300, "exclusive": False},
                ttl_max=[{"name": "www", "ttl": 120}],
            ),
            www("r2", "192.0.2.4", "192.0.2.3", pause=2.9),
        ),
        faults=(
            Fault("r1", "DELETE", 1, "504", 6.0),
            Fault("r1", "POST", 2, "kill", 1.0),
            Fault("r2", "POST", 2, "kill"),
        ),
        service=Service(ages=(0.0, 4.55, 3.53, 3.53, 0.0, 10.0, 0.0)),
    ),
    "a late DELETE takes a set that a killed run had made, while the next one completes another": Story(
        zone={
            B: (300, ("192.0.2.4",)),
            ("c.example.com.", "A"): (300, ("192.0.2.4",)),
            WWW: (300, ("192.0.2.1", "192.0.2.2")),
        },
        steps=(
            records(
                "r1",
                {"name": "www", "type": "A", "content": ["192.0.2.1"], "ttl": 300},
                {"name": "b", "type": "A", "content": ["192.0.2.1"], "ttl": 600},
                {"name": "c", "type": "A", "content": ["192.0.2.2"], "ttl": 300},
            ),
            Hand("add", B, "192.0.2.6", before=("r1", 6)),
            records("r2", {"name": "h5", "type": "A", "content": ["192.0.2.1"]}),
        ),
        faults=(Fault("r1", "DELETE", 3, "504", 20.0), Fault("r1", "DELETE", 5, "kill", 1.0)),
        service=Service(ages=(3.0,)),
    ),
    "a value that is tried again a minute after it was noted is noted anew": Story(
        zone={},
        steps=(www("r1", "192.0.2.2"), www("r2", state="absent")),
        faults=(Fault("r1", "POST", 1, "429", 60.0), Fault("r1", "POST", 2, "kill", 1.0)),
        service=Service(ages=(3.0,)),
    ),
    "what was removed does not come back through readings that were held while a request had no answer": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            records("r1", {"name": "www", "type": "A", "state": "absent"}),
            www("r2", "192.0.2.5", owner="web/shop"),
        ),
        faults=(Fault("r1", "DELETE", 1, "late", 300.0), Fault("r2", "GET", 3, "lost")),
        service=Service(ages=(0.0, 0.0, 0.0, 0.0, 3.74, 2.76, 0.0)),
    ),
    "what a reading for another set shows of others, while a DELETE has no answer yet, comes back with its set": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r1", 4)),
            records(
                "r1",
                {"name": "www", "type": "A", "content": ["192.0.2.1", "192.0.2.2"], "ttl": 600},
                {"name": "@", "type": "MX", "content": ["10 mail.example.net.", "20 mx.example.net."], "ttl": 300},
                owner="mail",
                prune_limit=100,
            ),
        ),
        faults=(Fault("r1", "DELETE", 1, "late", 6.0), Fault("r1", "POST", 2, "504", 6.0)),
    ),
    "what others add to a set that is to go, while its DELETE is accepted and waited for, comes back": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r2", 7)),
            www("r1", state="absent"),
            www("r2", "192.0.2.9", name="ftp"),
        ),
        faults=(Fault("r1", "DELETE", 1, "accepted", 25.0),),
    ),
    "what others add to a set of an earlier run comes back, where a run for another set has read it and no more": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r2", 3)),
            www("r1", "192.0.2.4", replaces=["192.0.2.2"]),
            www("r2", "192.0.2.9", name="ftp"),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 3.0), Fault("r2", "POST", 1, "accepted", 1.7)),
    ),
    "what a recovery reads of others after it has written comes back": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r2", 3)),
            www("r1", "192.0.2.4", ttl=600),
            www("r2", "192.0.2.9", name="ftp"),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 5.0), Fault("r1", "DELETE", 2, "kill", 1.0)),
    ),
    "what others add beside a value that is replaced comes back": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(Hand("add", WWW, "192.0.2.6", before=("r1", 6)), www("r1", "192.0.2.4", replaces=["192.0.2.2"])),
        faults=(Fault("r1", "DELETE", 1, "504", 2.2), Fault("r1", "POST", 1, "accepted", 4.0)),
    ),
    "what is read of others while a POST is looked for comes back": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(Hand("add", WWW, "192.0.2.6", before=("r1", 6)), www("r1", "192.0.2.4", ttl=600)),
        faults=(Fault("r1", "DELETE", 1, "504", 2.2), Fault("r1", "POST", 1, "504", 9.0)),
    ),
    "what others add beside a value that was accepted and is not there yet comes back": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r2", 7)),
            www("r1", "192.0.2.1", ttl=600),
            records("r2", {"name": "ftp", "type": "A", "content": ["192.0.2.9", "192.0.2.5"], "exclusive": False}),
        ),
        faults=(
            Fault("r1", "DELETE", 1, "504", 5.5),
            Fault("r1", "DELETE", 2, "kill", 1.0),
            Fault("r2", "POST", 1, "accepted", 4.0),
        ),
    ),
    "a new set that is protected is not made anew where others have added a value of it, with their TTL": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(
            www("r1", state="absent"),
            Hand("add", WWW, "192.0.2.3", pause=5.0, before=("r2", 5)),
            records(
                "r2",
                {"name": "www", "type": "A", "content": ["192.0.2.1", "192.0.2.3"], "ttl": 600},
                {"name": "@", "type": "MX", "content": ["10 mail.example.net.", "20 mx.example.net."]},
                change_limit=20,
                protect=[{"name": "www"}],
            ),
        ),
        service=Service(rows=True),
    ),
    "what a killed run had added, and an earlier reading of the next one showed, comes back with the set": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(
            www("r1", "192.0.2.2", ttl=600),
            www("r2", "192.0.2.1", "192.0.2.3"),
            www("r3", "192.0.2.4"),
        ),
        faults=(Fault("r1", "DELETE", 1, "accepted", 25.0), Fault("r2", "POST", 2, "kill", 1.0)),
        service=Service(ages=(0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0)),
    ),
    "a TTL of somebody else's that a killed run took for the service's own is told by the next": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            Hand("add", WWW, "192.0.2.4", before=("r1", 4)),
            www("r1", "192.0.2.2", "192.0.2.4", ttl=60, exclusive=True),
        ),
        faults=(Fault("r1", "save", 3, "kill", 1.0),),
        service=Service(duplicate=200),
    ),
    "a TTL with which somebody else has added a value, before the run did, is not taken for the service's own": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", ttl=600, before=("r1", 7)),
            www("r1", "192.0.2.5", ttl=60),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 12.0),),
        service=Service(status=202),
    ),
    "a set keeps its TTL, and the service rounds it to more than it may have": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=reviewed("r1", {"name": "www", "type": "A", "content": ["192.0.2.1"]}, ttl_max=[{"ttl": 450}]),
        faults=(Fault("r1", "save", 1, "kill"),),
        service=Service(ttl_step=250),
    ),
    "a value of somebody else's, refused as a service refuses while it is busy, has their TTL": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(Hand("add", WWW, "192.0.2.5", ttl=600, before=("r1", 4)), www("r1", "192.0.2.5", ttl=60)),
        service=Service(duplicate=409),
    ),
    "others added to a set that is to go, which was read for another one, and an older reading lacks it": Story(
        zone={("example.com.", "MX"): (300, ("20 mx.example.net.",))},
        steps=(
            Hand(does="add", key=("www.example.com.", "A"), value="192.0.2.6", before=("r2", 7)),
            Run(
                who="r1",
                module="dns_zones",
                options={
                    "zones": [
                        {
                            "zone": "example.com",
                            "records": [
                                {"name": "www", "type": "A", "content": ["192.0.2.1", "192.0.2.3"], "ttl": 300},
                                {"name": "@", "type": "MX", "content": ["10 mail.example.net."], "ttl": 600},
                            ],
                            "src": "example.com.zone",
                        }
                    ],
                    "findings": "off",
                    "owner": "web/shop",
                },
            ),
            Run(
                who="r2",
                module="dns_records",
                options={
                    "zone": "example.com",
                    "records": [{"name": "ftp", "type": "A", "content": ["192.0.2.1", "192.0.2.2"], "ttl": 300}],
                    "src": "example.com.zone",
                    "findings": "off",
                    "concurrency": 1,
                    "owner": "web/shop",
                    "prune": True,
                    "prune_limit": 100,
                },
                pause=70.0,
            ),
        ),
        faults=(
            Fault(who="r2", call="DELETE", number=1, kind="late", seconds=90.0),
            Fault(who="r2", call="POST", number=2, kind="504", seconds=300.0),
        ),
        service=Service(ages=(10.64, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)),
    ),
    "older readings follow one with what others added, and the first of them is not as the plan was reviewed": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            www("first", "192.0.2.1", "192.0.2.4", exclusive=True),
            Hand("add", WWW, "192.0.2.6", before=("r3", 2)),
            *reviewed("r3", {"name": "www", "type": "A", "content": ["192.0.2.1", "192.0.2.2"]}),
        ),
        service=Service(ages=(*(0.0,) * 11, 15.0, 0.0, 15.0, 1.9, *(0.0,) * 25)),
    ),
    "an addition to a set of which nobody asks for a TTL makes it larger than it may be": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=reviewed(
            "r1", {"name": "www", "type": "A", "content": ["192.0.2.4"], "exclusive": False}, ttl_max=[{"ttl": 450}]
        ),
        service=Service(takes_ttl=True, ttl_step=250),
    ),
    "a reading for another set is from before a set was deleted, of which an earlier DELETE may come": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            records(
                "r3",
                {"name": "www", "type": "A", "content": ["192.0.2.3", "192.0.2.4"], "ttl": 300},
                {"name": "@", "type": "MX", "content": ["10 mail.example.net.", "20 mx.example.net."]},
            ),
            Run("back", "dns_records", {**ZONE_ALONE, "reverses": "r3"}),
            www("r4", state="absent"),
        ),
        faults=(Fault("back", "DELETE", 1, "lost"), Fault("back", "POST", 1, "409")),
        service=Service(ages=(0.0, 0.0, 10.0, *(0.0,) * 8)),
    ),
    "an owner creates a set that is another's too, and gone, whose TTL is more than it may have": Story(
        zone={},
        steps=(
            records("r1", {"name": "www", "type": "A", "content": ["192.0.2.1"], "ttl": 300}, owner="web"),
            Hand("delete", WWW, pause=0.5),
            owned("r2", ("www", "192.0.2.1"), owner="web/shop", ttl_max=[{"ttl": 120}], pause=70.0),
        ),
    ),
    "a late DELETE of an owner's earlier run comes while its next one wants less": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            records(
                "r1", {"name": "www", "type": "A", "content": ["192.0.2.2", "192.0.2.4"], "ttl": 600}, owner="mail"
            ),
            owned("r2", ("www", "192.0.2.2"), owner="mail", pause=0.1),
        ),
        faults=(Fault("r1", "DELETE", 1, "accepted", 23.0),),
        service=Service(ages=(5.12,)),
    ),
    "a late DELETE of an owner's earlier run comes after its next one has pruned the set": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(
            records("r1", {"name": "www", "type": "A", "content": ["192.0.2.2"], "ttl": 600}, owner="web"),
            owned("r2", ("ftp", "192.0.2.5"), prune=True, prune_limit=100),
        ),
        faults=(Fault("r1", "DELETE", 1, "accepted", 60.0),),
    ),
    "a reading from before a DELETE shows a value that is being added, with a TTL that somebody has just sent": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2", "192.0.2.3"))},
        steps=(
            www("r1", "192.0.2.3", ttl=600),
            Hand("add", WWW, "192.0.2.2", pause=0.5),
            Hand("add", WWW, "192.0.2.2", ttl=600, pause=0.5),
        ),
        faults=(Fault("r1", "POST", 2, "refused", 2.0), Fault("r1", "POST", 3, "423")),
        service=Service(
            ages=(0.0, 0.0, 10.0, 3.09, 0.0, 10.0, 0.0), pace=(0.1, 0.1, 1.0, 0.3, 1.0), duplicate=200, takes_ttl=True
        ),
    ),
    "values are added to a set of which an older reading showed the TTL that is wanted": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            Hand("delete", WWW, pause=0.5),
            www("first", "192.0.2.3"),
            www("r2", "192.0.2.3", "192.0.2.4", ttl=300),
        ),
        service=Service(ages=(*(0.0,) * 11, 8.0, *(0.0,) * 28)),
    ),
    "a further round deletes a set in which only a reading before its last one has shown what others have added": Story(
        zone={},
        steps=(
            Hand("add", WWW, "192.0.2.3", ttl=3600, before=("r1", 2)),
            Hand("add", WWW, "192.0.2.6", before=("r1", 4)),
            www("r1", "192.0.2.3", ttl=600),
        ),
        service=Service(ages=(0.0, 2.31), pace=(0.1, 0.1, 1.0), duplicate=409),
    ),
    "a run is killed after a further round has deleted a set that was not there at first": Story(
        zone={},
        steps=(
            Hand("add", WWW, "192.0.2.1", ttl=3600, before=("r1", 2)),
            www("r1", "192.0.2.1", ttl=600),
            records("r2", {"name": "b", "type": "A", "content": ["192.0.2.3"]}),
        ),
        faults=(Fault("r1", "DELETE", 1, "kill", 1.0),),
    ),
    "the DELETE of a further round of a set that was not there at first comes after the end of the run": Story(
        zone={},
        steps=(
            Hand("add", WWW, "192.0.2.1", ttl=3600, before=("r1", 2)),
            www("r1", "192.0.2.1", ttl=600),
            records("r2", {"name": "b", "type": "A", "content": ["192.0.2.3"]}, pause=10.0),
        ),
        faults=(Fault("r1", "DELETE", 1, "accepted", 25.0),),
    ),
    "an old reading shows no set after a DELETE without an answer, and what is put back has no answer either": Story(
        zone={},
        steps=(
            Hand("add", WWW, "192.0.2.3", ttl=3600, pause=0.5),
            www("r1", "192.0.2.3", ttl=600, exclusive=True),
            www("r2", "192.0.2.2"),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 90.0), Fault("r1", "POST", 2, "lost")),
        service=Service(ages=(0.0, 0.0, 0.0, 0.0, 10.0)),
    ),
    "the last of all readings is older than one that showed what somebody has added since": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r1", 12)),
            Hand("add", WWW, "192.0.2.4", ttl=3600, before=("r1", 2)),
            www("r1", "192.0.2.1", ttl=600),
        ),
        service=Service(ages=(0.0, 0.0, 15.0, 15.0, 0.0, 0.0, 0.0)),
    ),
    "a text is refused that somebody else has just added, by a service to which quotes are a part of it": Story(
        zone={},
        steps=(
            Hand("add", TXT, SPF, ttl=60, before=("r1", 2)),
            text("r1", SPF),
        ),
        service=Service(keeps_quotes=True),
    ),
    "a text that was added late is refused, and readings show first the set of before, and then none": Story(
        zone={},
        steps=(
            text("r1", SPF),
            www("r2", "a; b=c", name="@", type="TXT", ttl=600),
        ),
        faults=(Fault("r2", "POST", 1, "504", 1.0),),
        service=Service(ages=(4.0,), keeps_quotes=True),
    ),
    "two values of others are seen one after the other, and then a reading shows but the first of them": Story(
        zone={},
        steps=(
            Hand("add", WWW, "192.0.2.1", ttl=3600, before=("r1", 2)),
            Hand("add", WWW, "192.0.2.6", ttl=3600, before=("r1", 8)),
            Hand("add", WWW, "192.0.2.7", before=("r1", 9)),
            www("r1", "192.0.2.3", "192.0.2.1", ttl=600),
        ),
        faults=(Fault("r1", "POST", 1, "accepted", 6.0),),
        service=Service(ages=(0.0, 15.0, 0.0, 0.0), pace=(0.1, 1.0)),
    ),
    "a further round is rolled back of a set in which others had what the task wants too": Story(
        zone={},
        steps=(
            Hand("add", WWW, "192.0.2.2", ttl=3600, before=("r1", 2)),
            Hand("add", WWW, "192.0.2.3", ttl=3600, before=("r1", 2)),
            www("r1", "192.0.2.2", "192.0.2.4", ttl=600),
            records("r2", {"name": "b", "type": "A", "content": ["192.0.2.3"]}),
        ),
        faults=(Fault("r1", "POST", 3, "400"), Fault("r1", "save", 4, "kill")),
    ),
    "a reading for another name shows what others add to a set whose DELETE waits for its turn": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(
            Hand("add", WWW, "192.0.2.7", before=("r1", 6)),
            records(
                "r1",
                {"name": "www", "type": "A", "content": ["192.0.2.1", "192.0.2.3"], "ttl": 600, "exclusive": False},
                *({"name": f"b{number}", "type": "A", "content": ["192.0.2.2"]} for number in range(4)),
                concurrency=2,
            ),
        ),
        faults=(Fault("r1", "POST", 3, "409"),),
    ),
    "a text that came back wrong from a killed run looks like the one that completes it": Story(
        zone={TXT: (300, (SPF,))},
        steps=(www("r1", SPF, name="@", type="TXT", ttl=60), www("r2", "192.0.2.1")),
        faults=(Fault("r1", "DELETE", 1, "504", 90.0), Fault("r1", "POST", 1, "kill", 1.0)),
        service=Service(duplicate=200, parses=True),
    ),
    "a refused value that somebody else has added where an alias is to come back": Story(
        zone={ALIAS: (300, ("www.example.com.",))},
        steps=(
            Hand("add", ("alias.example.com.", "A"), "192.0.2.2", before=("r1", 3)),
            records(
                "r1",
                {"name": "alias", "type": "CNAME", "state": "absent"},
                {"name": "alias", "type": "A", "content": ["192.0.2.3", "192.0.2.2"], "ttl": 600},
            ),
            records("r2", {"name": "b", "type": "A", "content": ["192.0.2.1"]}),
        ),
        faults=(Fault("r1", "save", 3, "kill"),),
        service=Service(ages=(0.0, 10.0, 0.0, 0.0, 0.0, 0.0, 0.0)),
    ),
    "an old reading shows what a text had become before it was sent in quotes": Story(
        zone={TXT: (300, ("site=1",))},
        steps=(
            text("r1", SPF),
            www("r2", SPF, name="@", type="TXT", state="absent", pause=3.0),
        ),
        service=Service(ages=(7.14, 7.14, 8.0, 7.14, 0.0, 7.14, 0.0), pace=(0.02,), parses=True),
    ),
    "somebody adds what was removed long ago, while a DELETE is out": Story(
        zone={},
        steps=(
            Hand("add", WWW, "192.0.2.5", 3600, before=("r1", 5)),
            Hand("add", WWW, "192.0.2.5", 3600, before=("r3", 5)),
            www("r1", "192.0.2.1", exclusive=True),
            www("r2", "192.0.2.1", state="absent"),
            www("r3", "192.0.2.3", pause=70.0),
        ),
        faults=(Fault("r2", "DELETE", 1, "504", 90.0),),
        service=Service(ages=(4.0,), pace=(0.02,)),
    ),
    "somebody adds to a set that is made anew, a DELETE takes it, and the run is killed": Story(
        zone={WWW: (300, ("192.0.2.2", "192.0.2.3"))},
        steps=(Hand("add", WWW, "192.0.2.6", before=("r1", 6)), www("r1", "192.0.2.3", state="absent")),
        faults=(
            Fault("r1", "DELETE", 1, "504", 6.0),
            Fault("r1", "POST", 1, "504", 1.0),
            Fault("r1", "GET", 11, "kill"),
        ),
    ),
    "a late DELETE takes what was made anew, and somebody adds a part of it with another TTL": Story(
        zone={},
        steps=(
            text("r2", "token=abc"),
            www("r4", "site=1", name="@", type="TXT", ttl=60),
            Hand("add", TXT, "token=abc", 600, pause=5.0),
        ),
        faults=(Fault("r4", "DELETE", 1, "504", 2.5),),
        service=Service(pace=(1.0, 0.1, 0.1, 1.0, 0.1)),
    ),
    "somebody adds what a run adds, with another TTL, and the run that makes it anew is killed": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", 300, before=("r1", 2)),
            Hand("add", WWW, "192.0.2.2", 600, before=("r1", 4)),
            www("r1", "192.0.2.2", ttl=300),
            www("r2", "192.0.2.1", state="absent"),
        ),
        faults=(Fault("r1", "POST", 1, "lost"), Fault("r1", "POST", 5, "kill")),
        service=Service(duplicate=422, rows=True),
    ),
    "a mail host whose preference nobody knows goes with a late DELETE": Story(
        zone={MX: (300, ("20 mx.example.net.",))},
        steps=(
            www("r1", name="@", type="MX", state="absent"),
            www("r3", "10 mail.example.net.", "20 mx.example.net.", name="@", type="MX", exclusive=True),
            www("r4", "192.0.2.1"),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 300.0), Fault("r1", "DELETE", 2, "kill")),
        service=Service(bare=True),
    ),
    "a round that makes texts anew begins with a reading from before the last of them": Story(
        zone={
            WWW: (300, ("192.0.2.2",)),
            TXT: (300, (SPF,)),
            ("ftp.example.com.", "A"): (300, ("192.0.2.9",)),
        },
        steps=(
            records(
                "r1",
                {"name": "www", "type": "A", "state": "absent"},
                {"name": "ftp", "type": "A", "content": ["192.0.2.2"], "ttl": 600},
                {"name": "@", "type": "TXT", "content": ["site=1", SPF], "ttl": 600},
                concurrency=2,
            ),
            records("r2", {"name": "ftp", "type": "A", "content": ["192.0.2.1", "192.0.2.2"], "ttl": 600}),
        ),
        faults=(
            Fault("r1", "DELETE", 1, "late", 300.0),
            Fault("r1", "POST", 1, "lost"),
            Fault("r1", "DELETE", 3, "done"),
        ),
        service=Service(ages=(0.0, 0.77), pace=(0.1, 0.1, 1.0, 1.0, 0.1), parses=True, duplicate=422, a_second=2),
    ),
    "somebody adds a text while a run sends it and the service misreads it": Story(
        zone={},
        steps=(
            Hand("add", TXT, SPF, 600, before=("r2", 1)),
            www("r1", name="@", type="TXT", state="absent"),
            www("r2", SPF, name="@", type="TXT"),
        ),
        service=Service(ages=(10.0, *(0.0,) * 10), parses=True),
    ),
    "a task that only adds is refused what others have added beside": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r2", 3)),
            www("r1", "192.0.2.1", ttl=600),
            www("r2", "192.0.2.2"),
            www("r3", "site=1", name="@", type="TXT", pause=400.0),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 300.0),),
        service=Service(refuses=("192.0.2.2",)),
    ),
    "the zone cannot be read again, where an interrupted run has left a set to which others have added": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r2", 1)),
            www("r1", "192.0.2.1", ttl=600),
            www("r2", "site=1", name="@", type="TXT"),
            www("r3", "site=1", name="@", type="TXT", pause=400.0),
        ),
        faults=(
            Fault("r1", "DELETE", 1, "504", 300.0),
            Fault("r1", "POST", 1, "kill", 1.0),
            *(Fault("r2", "GET", number, "lost") for number in range(2, 8)),
        ),
    ),
    "the same where they have added once the run has the lock": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(
            www("r1", "192.0.2.1", ttl=600),
            Hand("add", WWW, "192.0.2.6", before=("r2", 2)),
            www("r2", "site=1", name="@", type="TXT"),
            www("r3", "site=1", name="@", type="TXT", pause=400.0),
        ),
        faults=(
            Fault("r1", "DELETE", 1, "504", 300.0),
            Fault("r1", "POST", 1, "kill", 1.0),
            *(Fault("r2", "GET", number, "lost") for number in range(3, 9)),
        ),
    ),
    "others have added to a zone that is not written to because another one cannot be": Story(
        zone={WWW: (300, ("192.0.2.1",)), ("www.example.net.", "A"): (300, ("192.0.2.1",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r2", 1)),
            www("r1", "192.0.2.1", ttl=600),
            Run(
                "r2",
                "dns_zones",
                {
                    "zones": [
                        {"zone": "example.com", "records": [{"name": "ftp", "type": "A", "content": ["192.0.2.1"]}]},
                        {
                            "zone": "example.net",
                            "records": [{"name": "www", "type": "CNAME", "content": ["a.example.org."]}],
                        },
                    ],
                    "findings": "off",
                    "concurrency": 1,
                },
            ),
            www("r3", "site=1", name="@", type="TXT", pause=400.0),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 300.0),),
    ),
    "recovery meets a plan that nobody has reviewed": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(
            www("r1", "192.0.2.1", "192.0.2.2", ttl=600),
            replace(reviewed("r2", {"name": "www", "type": "A", "content": ["192.0.2.3"]})[1], pause=20.0),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 10.0),),
    ),
    "a plan is made for review, and carried out, after a run was killed": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(
            www("r1", "192.0.2.1", "192.0.2.2", ttl=600),
            *reviewed("r2", {"name": "www", "type": "A", "content": ["192.0.2.3"]}),
        ),
        faults=(Fault("r1", "POST", 1, "kill"),),
    ),
    "the last reading before a roll-back deletes is older than one that showed what others have added": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r1", 6)),
            www("r1", "192.0.2.2", "192.0.2.3", replaces=["192.0.2.1"]),
        ),
        service=Service(refuses=("192.0.2.3",), ages=(0.0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0), pace=(1.0,)),
    ),
    "what a DELETE was waited for has shown of another set at the name, the last reading before that goes lacks": Story(
        zone={WWW: (300, ("192.0.2.1",)), BESIDE: (300, ("site=1",))},
        steps=(
            Hand("add", BESIDE, "x=1", before=("r1", 4)),
            records(
                "r1",
                {"name": "www", "type": "A", "content": ["192.0.2.1"], "ttl": 600, "exclusive": False},
                {"name": "www", "type": "TXT", "content": ["site=1"], "ttl": 600, "exclusive": False},
                concurrency=1,
            ),
        ),
        faults=(Fault("r1", "DELETE", 1, "423", 2.0),),
        service=Service(ages=(*(0.0,) * 5, 8.0, *(0.0,) * 5), pace=(1.0,)),
    ),
    "a clock is set back by more than the ten minutes in which a DELETE may come": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(
            www("r1", "192.0.2.1", ttl=600),
            SetClock("one", -700.0),
            www("r2", "site=1", name="@", type="TXT", pause=2.0),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 60.0), Fault("r1", "POST", 1, "kill", 1.0)),
    ),
    "a late DELETE takes a set while another task adds to it": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(www("r1", "192.0.2.1", ttl=600), www("r2", "192.0.2.2")),
        faults=(Fault("r1", "DELETE", 1, "504", 2.35),),
    ),
    "a deletion that had no answer was carried out, and the next run comes after the ten minutes": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(
            www("r1", "192.0.2.1", state="absent"),
            Hand("add", WWW, "192.0.2.6", before=("r2", 1)),
            www("r2", "192.0.2.3", pause=900.0),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 120.0),),
    ),
    "the same where nobody comes for hours": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(
            www("r1", "192.0.2.3", ttl=60),
            www("r2", "site=1", name="@", type="TXT", pause=30.0),
            www("r3", "192.0.2.3", ttl=60, pause=20000.0),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 120.0),),
    ),
    "a set was read after twenty minutes, and then deleted by hand": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(
            www("r1", "192.0.2.3", ttl=60),
            www("r2", "192.0.2.3", ttl=60, pause=1300.0),
            Hand("delete", WWW, pause=60.0),
            www("r3", "192.0.2.4", pause=60.0),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", -1.0),),
    ),
    "a set that a killed run had put back is as it was, and the ten minutes of its deletion are over": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(
            records("r3", {"name": "www", "type": "A", "content": ["192.0.2.4", "192.0.2.2"], "ttl": 300}),
            www("r4", SPF, name="@", type="TXT"),
        ),
        faults=(Fault("r3", "save", 3, "kill"),),
        service=Service(refuses=("192.0.2.2",)),
    ),
    "a run takes ten minutes, and a deletion of one before it was carried out meanwhile": Story(
        zone={ALIAS: (300, ("www.example.com.",)), ("ftp.example.com.", "A"): (300, ("192.0.2.9",))},
        steps=(
            www("r1", "www.example.com.", name="alias", type="CNAME", ttl=600),
            records(
                "r2",
                {"name": "www", "type": "A", "content": ["192.0.2.4"], "ttl": 300},
                {"name": "ftp", "type": "A", "content": ["192.0.2.2", "192.0.2.1"]},
                {"name": "@", "type": "TXT", "content": ["site=1"], "ttl": 300},
                concurrency=1,
            ),
        ),
        faults=(
            Fault("r1", "DELETE", 1, "late", 90.0),
            *(Fault("r2", "POST", number, "lost") for number in (3, 4, 5, 6, 7, 9, 10)),
            *(Fault("r2", "POST", number, "refused") for number in (2, 8, 11, 12)),
            *(Fault("r2", "GET", number, "lost") for number in (5, 6, 9)),
            *(Fault("r2", "GET", number, "refused") for number in (7, 8, 10)),
        ),
    ),
    "an outage begins while a deleted set is still shown": Story(
        zone={MX: (300, ("20 mx.example.net.",))},
        steps=(www("r3", name="@", type="MX", state="absent"), www("r4", "192.0.2.5")),
        faults=(
            Fault("r3", "DELETE", 1, "504", 12.0),
            *(Fault("r4", "GET", number, "lost") for number in range(4, 10)),
        ),
        service=Service(ages=(*(2.88,) * 3, *(0.0,) * 8)),
    ),
    "others add what a task wants too, before that deletes the set, and it is put back": Story(
        zone={WWW: (300, ("192.0.2.1",)), BESIDE: (300, (SPF,))},
        steps=(
            records(
                "r1",
                {"name": "www", "type": "A", "content": ["192.0.2.1", "192.0.2.2"], "ttl": 600},
                {"name": "@", "type": "TXT", "content": [SPF]},
                {"name": "www", "type": "TXT", "content": ["site=1"]},
                prune_limit=10,
            ),
            Hand("add", BESIDE, "site=1", pause=0.5, before=("r1", 5)),
        ),
        faults=(Fault("r1", "POST", 2, "done"),),
        service=Service(refuses=("192.0.2.2",), a_second=2),
    ),
    "a run that was killed has put aside what its owner wants no longer": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.3"))},
        steps=(
            www("r2", "192.0.2.4", ttl=600, owner="web/shop"),
            www("r3", "192.0.2.5", exclusive=True, owner="web/shop"),
        ),
        faults=(Fault("r3", "save", 3, "kill", 1.0),),
        service=Service(refuses=("192.0.2.1",)),
    ),
    "a set is made again what it was, and a reading from before shows it so": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2"))},
        steps=(www("r1", "192.0.2.2", state="absent"), www("r2", "192.0.2.2", pause=0.1)),
        faults=(Fault("r1", "DELETE", 1, "504", 2.5), Fault("r1", "DELETE", 2, "504", 6.0)),
        service=Service(ages=(0.0, 9.89, *(0.0,) * 4), pace=(1.0,)),
    ),
    "a reading from before shows what the service had made of a text that is sent in quotes now": Story(
        zone={TXT: (300, (SPF,))},
        steps=(
            www("r1", "site=1", name="@", type="TXT"),
            www("r2", SPF, name="@", type="TXT", ttl=600),
            Run("back", "dns_records", {**ZONE_ALONE, "reverses": "r1"}),
            www("r4", "site=1", name="@", type="TXT", state="absent"),
        ),
        service=Service(ages=(*(0.0,) * 4, 10.0, 0.0, 0.0), pace=(1.0,), parses=True),
    ),
    "a task wants to be absent what a killed run was about to create": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(
            records(
                "r1",
                {"name": "www", "type": "A", "content": ["192.0.2.2"]},
                {"name": "www", "type": "TXT", "content": ["token=abc", "site=1"]},
            ),
            www("r2", "site=1", type="TXT", state="absent"),
            www("r3", "192.0.2.2", ttl=600),
        ),
        faults=(Fault("r1", "DELETE", 1, "kill", 0.0),),
        service=Service(refuses=("192.0.2.1",)),
    ),
    "a task wants to be absent the whole set that a killed run was about to create": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(
            records(
                "r1",
                {"name": "www", "type": "A", "content": ["192.0.2.2"]},
                {"name": "www", "type": "TXT", "content": ["site=1"]},
            ),
            www("r2", type="TXT", state="absent"),
            www("r3", "192.0.2.2", ttl=600),
        ),
        faults=(Fault("r1", "DELETE", 1, "kill", 0.0),),
        service=Service(refuses=("192.0.2.1",)),
    ),
    "others have added what the task wants too after the DELETE, and then a value is refused": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            Hand("add", WWW, "192.0.2.1", pause=0.5, before=("r3", 4)),
            records("r3", {"name": "www", "type": "A", "content": ["192.0.2.1", "192.0.2.4"]}, prune_limit=100),
        ),
        service=Service(refuses=("192.0.2.4",)),
    ),
    "a zone was read before the ten minutes were over, and is written to after that": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(
            www("r1", "192.0.2.1", ttl=600),
            Run(
                "r2",
                "dns_zones",
                {
                    "zones": [
                        {"zone": "example.com", "records": [{"name": "b", "type": "A", "content": ["192.0.2.2"]}]},
                        {"zone": "example.net", "records": [{"name": "b", "type": "A", "content": ["192.0.2.1"]}]},
                    ],
                    "findings": "off",
                    "concurrency": 1,
                },
                pause=590.0,
            ),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 599.0), Fault("r2", "GET", 2, "lost")),
    ),
    "others add to a set while its DELETE is out and another run has the lock, of which it sees the end alone": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r2", 1)),
            www("r1", "192.0.2.1", ttl=600),
            www("r3", "192.0.2.7", name="b", pause=15.0),
            replace(www("r2", "192.0.2.2", name="ftp", pause=0.3), beside=True),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 25.0), Fault("r3", "POST", 1, "lost")),
    ),
    "the same, and who has read it has nothing to do": Story(
        zone={WWW: (300, ("192.0.2.1",)), TXT: (300, ("site=1",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r2", 1)),
            www("r1", "192.0.2.1", ttl=600),
            www("r3", "192.0.2.7", name="b", pause=15.0),
            replace(www("r2", "site=1", name="@", type="TXT", pause=0.3), beside=True),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 25.0), Fault("r3", "POST", 1, "lost")),
    ),
    "the same, and the lock comes when the DELETE can come no more": Story(
        zone={WWW: (300, ("192.0.2.1",)), TXT: (300, ("site=1",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r2", 1)),
            www("r1", "192.0.2.1", ttl=600),
            www("r3", "site=1", name="@", type="TXT", ttl=900, pause=20.0),
            replace(www("r2", "192.0.2.2", name="ftp", pause=0.3), beside=True),
        ),
        faults=(
            Fault("r1", "DELETE", 1, "504", 300.0),
            *(Fault("r3", "POST", number, "lost") for number in range(1, 14)),
            *(Fault("r3", "GET", number, "lost") for number in range(3, 14)),
        ),
    ),
    "the clock is set forward while a DELETE is out": Story(
        zone={WWW: (300, ("192.0.2.1",)), TXT: (300, ("site=1",))},
        steps=(
            www("r1", "192.0.2.1", ttl=600),
            SetClock("one", 400.0, pause=10.0),
            www("r2", "site=1", name="@", type="TXT", pause=250.0),
            www("r4", "site=1", name="@", type="TXT", pause=650.0),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 300.0),),
    ),
    "others add what the task wants too, a value is refused, and a late DELETE takes what was put back": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r1", 6)),
            Hand("add", WWW, "192.0.2.2", before=("r1", 7)),
            www("r1", "192.0.2.4", "192.0.2.2", exclusive=True),
            www("r2", "site=2", name="@", type="TXT", pause=20.0),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 15.0),),
        service=Service(refuses=("192.0.2.4",)),
    ),
    "an earlier reading, before the lock, has shown what others had added": Story(
        zone={WWW: (300, ("192.0.2.1",)), B: (300, ("192.0.2.8",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r3", 3)),
            www("r1", "192.0.2.1", ttl=600),
            www("r3", "192.0.2.7", name="b", exclusive=True, ttl=60, pause=12.0),
            replace(www("r2", "192.0.2.9", name="b", exclusive=True, pause=2.0), beside=True),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 22.0),),
        service=Service(ages=(8.0, 0.0, 0.0), pace=(1.0,)),
        database=True,
    ),
    "others make a set anew that a late DELETE has taken, and an older reading follows one of that": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2")), TXT: (300, ("site=1",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", before=("r2", 1)),
            www("r1", "192.0.2.1", ttl=600),
            www("r2", "192.0.2.1", ttl=600, pause=620.0),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 310.0),),
        service=Service(ages=(15.0, 0.0)),
    ),
    "a late DELETE takes what others add and the task wants too, and then the set is put back": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.3"))},
        steps=(
            Hand("add", WWW, "192.0.2.2", before=("r1", 11)),
            Hand("add", WWW, "192.0.2.5", before=("r1", 8)),
            www("r1", "192.0.2.4", "192.0.2.2", exclusive=True),
            www("r2", "192.0.2.5", ttl=900),
            www("r3", "s=3", name="@", type="TXT", pause=320.0),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 4.0), Fault("r1", "POST", 1, "500")),
        service=Service(refuses=("192.0.2.4",)),
    ),
    "who waits for the lock has read a set while the holder makes it another one": Story(
        zone={TXT: (300, (SPF, "site=1"))},
        steps=(
            records(
                "r1",
                {"name": "www", "type": "A", "content": ["192.0.2.2"], "ttl": 300},
                {"name": "@", "type": "TXT", "content": ["token=abc", SPF], "ttl": 600},
            ),
            Hand("delete", WWW, pause=5.0),
            replace(www("r2", "192.0.2.1"), beside=True),
        ),
        service=Service(pace=(1.0,), status=202),
    ),
    "a set is deleted by hand, and a task that is about another one creates it again and says so": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            Hand("delete", WWW, pause=5.0, before=("r2", 2)),
            records(
                "r1",
                {"name": "www", "type": "A", "content": ["192.0.2.2"], "ttl": 600},
                only=[{"type": "A"}],
                owner="web/shop",
                prune_limit=100,
                on_drift="refuse",
            ),
            replace(www("r2", "10 mail.example.net.", name="@", type="MX", owner="web"), beside=True),
            replace(
                records(
                    "r3",
                    {"name": "www", "type": "A", "content": ["192.0.2.3", "192.0.2.1"]},
                    only=[{"type": "A"}],
                    owner="web",
                    prune_limit=100,
                    pause=0.3,
                ),
                beside=True,
            ),
            Hand("add", WWW, "192.0.2.5", ttl=600, pause=0.5, before=("r1", 2)),
            www("r4", "site=1", name="@", type="TXT", owner="web", takeover=True),
        ),
        faults=(Fault("r2", "GET", 1, "lost"),),
        service=Service(ages=(4.0, 1.2)),
    ),
    "others add to a set while a DELETE is out, the disk is full, and the run is killed": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.3"))},
        steps=(
            Hand("add", WWW, "192.0.2.6", ttl=600, before=("r1", 7)),
            www("r1", "192.0.2.3", state="absent"),
        ),
        faults=(
            Fault("r1", "DELETE", 1, "504", 2.5),
            Fault("r1", "POST", 3, "kill"),
            Fault("r1", "save", 3, "full"),
        ),
        service=Service(status=202),
    ),
    "a killed run was to create a value, and the next task wants it absent before the DELETE comes": Story(
        zone={WWW: (300, ("192.0.2.2",))},
        steps=(
            www("r1", "192.0.2.3", "192.0.2.4", exclusive=True, ttl=300),
            www("r2", "192.0.2.4", state="absent"),
            www("r3", "site=1", name="@", type="TXT", pause=20000.0),
        ),
        faults=(Fault("r1", "DELETE", 1, "late", 300.0), Fault("r1", "save", 2, "kill", 1.0)),
    ),
    "a text of a set that is deleted comes back as another one, and no reading tells before the run fails": Story(
        zone={TXT: (300, (SPF,))},
        steps=(
            records(
                "r1",
                {"name": "ftp", "type": "A", "content": ["192.0.2.2"]},
                {"name": "@", "type": "TXT", "content": [SPF, "token=abc"], "ttl": 600},
                owner="web",
                takeover=True,
            ),
        ),
        faults=(
            Fault("r1", "DELETE", 1, "504", 0.3),
            *(Fault("r1", "GET", number, "lost") for number in range(5, 11)),
        ),
        service=Service(parses=True, refuses=("192.0.2.2",)),
    ),
    "recovery sends a text without quotes, hears nothing, and sends it in quotes": Story(
        zone={TXT: (300, (SPF,))},
        steps=(
            www("r1", "token=abc", name="@", type="TXT", ttl=600),
            www("r2", "192.0.2.2", exclusive=True),
        ),
        faults=(Fault("r2", "POST", 1, "done"), Fault("r1", "POST", 1, "kill")),
        service=Service(parses=True),
    ),
    "a text of others is made anew with the set, and comes back as another one": Story(
        zone={},
        steps=(
            Hand("add", TXT, SPF, ttl=600, pause=5.0, before=("r1", 4)),
            records("r1", {"name": "@", "type": "TXT", "content": ["token=abc"], "ttl": 300, "exclusive": False}),
        ),
        service=Service(ages=(0.0, 8.0), takes_ttl=True, parses=True),
    ),
    "recovery sends a text without quotes that is there as another one, which the service answers with 409": Story(
        zone={},
        steps=(
            www("r1", "a b c", name="@", type="TXT", exclusive=True),
            www("r2", "v=DMARC1; p=none", name="@", type="TXT", state="absent"),
        ),
        faults=(Fault("r1", "DELETE", 1, "accepted", 60.0),),
        service=Service(duplicate=409, quotes=True, parses=True),
    ),
    "who waits for the lock for a minute has read what its holder then removes on purpose": Story(
        zone={WWW: (300, ("192.0.2.2", "192.0.2.3"))},
        steps=(
            www("r1", "192.0.2.2", state="absent"),
            replace(
                records("r2", {"name": "h11", "type": "A", "content": ["192.0.2.1"]}, plan_dir="plans"),
                beside=True,
                pause=2.0,
            ),
            Hand("add", WWW, "192.0.2.6", ttl=600, pause=0.5),
        ),
        faults=(Fault("r1", "DELETE", 1, "late", 1.0), Fault("r1", "POST", 1, "lost")),
        service=Service(pace=(0.1, 0.1, 1.0, 1.0, 0.1)),
    ),
    "the same text is sent for two sets, for one of them in quotes": Story(
        zone={("www.example.com.", "TXT"): (300, (SPF,))},
        steps=(
            records(
                "r1",
                {
                    "name": "@",
                    "type": "TXT",
                    "content": ["token=abc", SPF],
                    "replaces": [SPF],
                },
                {
                    "name": "www",
                    "type": "TXT",
                    "content": ["site=1", SPF],
                    "replaces": ["token=abc"],
                    "ttl": 600,
                },
                concurrency=8,
            ),
        ),
        faults=(Fault("r1", "POST", 2, "done"),),
        service=Service(parses=True),
    ),
    "what others put in place of a set that a DELETE took is read by a task about another one, and goes too": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            Hand("add", WWW, "192.0.2.6", ttl=600, before=("r3", 7)),
            www("r2", "192.0.2.3", ttl=600),
            www("r3", "192.0.2.2", name="ftp", pause=5.0),
        ),
        faults=(
            Fault("r3", "POST", 1, "accepted", 590.0),
            Fault("r2", "DELETE", 1, "504", 25.0),
            Fault("r2", "DELETE", 2, "504", 12.0),
        ),
        service=Service(pace=(0.1, 0.1, 0.1, 1.0)),
    ),
    "others put a set of their own in place of one that a killed run had deleted: that stays, and is told": Story(
        zone={WWW: (300, ("192.0.2.2", "192.0.2.3"))},
        steps=(
            www("r1", "192.0.2.3", state="absent"),
            Hand("add", WWW, "192.0.2.6", pause=0.5),
            replace(www("c2", "192.0.2.5", pause=70.0), check=True),
            www("r2", "192.0.2.5"),
        ),
        faults=(Fault("r1", "DELETE", 1, "kill", 1.0),),
    ),
    "an addition without an answer brings a value late that was removed since": Story(
        zone={WWW: (300, ("192.0.2.2",)), B: (300, ("192.0.2.1",))},
        steps=(
            www("r1", "192.0.2.3"),
            www("r2", "192.0.2.3", state="absent"),
            www("r4", "192.0.2.5", name="b", ttl=60, pause=5.0),
        ),
        faults=(
            Fault("r1", "POST", 1, "late", 300.0),
            Fault("r2", "DELETE", 1, "504", 590.0),
            Fault("r4", "DELETE", 1, "lost"),
            *(Fault("r4", "GET", number, "lost") for number in range(3, 12)),
        ),
    ),
    "values that were answered with 202 are shown, and put back without: an old reading shows them once more": Story(
        zone={WWW: (300, ("192.0.2.3",))},
        steps=(
            www("r1", "192.0.2.4"),
            www("r2", "192.0.2.1", "192.0.2.4", ttl=600),
            www("r3", "192.0.2.1"),
        ),
        faults=(Fault("r1", "POST", 1, "lost"),),
        service=Service(
            ages=(6.31, 4.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
            status=202,
            ttls=(450, 450),
            refuses=("192.0.2.4",),
        ),
    ),
    "an outage begins when others have put a set in place of one that a killed run had deleted": Story(
        zone={WWW: (300, ("192.0.2.2", "192.0.2.3"))},
        steps=(
            www("r1", "192.0.2.3", state="absent"),
            Hand("add", WWW, "192.0.2.6", pause=5.0),
            www("r2", "192.0.2.5", name="ftp", pause=20.0),
            replace(www("c3", "192.0.2.5", name="ftp", pause=120.0), check=True),
            www("r3", "192.0.2.5", name="ftp"),
        ),
        faults=(
            Fault("r1", "DELETE", 1, "504", 100.0),
            Fault("r1", "DELETE", 2, "kill", 1.0),
            *(Fault("r2", "GET", number, "lost") for number in range(2, 12)),
        ),
    ),
    "others add to a set that is put back, and give it the TTL of before, so that it looks like an old reading": Story(
        zone={WWW: (600, ("192.0.2.2",))},
        steps=(
            www("r1", "192.0.2.4", exclusive=True),
            www("r2", "192.0.2.1", ttl=60),
            Hand("add", WWW, "192.0.2.5", ttl=600, before=("r2", 11)),
        ),
        service=Service(
            ages=(0.0, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), status=202, refuses=("192.0.2.1",)
        ),
    ),
    "a task makes a protected set that was deleted just before, and makes it anew in quotes": Story(
        zone={BESIDE: (300, (SPF,))},
        steps=(
            records("r1", {"name": "www", "type": "TXT", "state": "absent"}),
            records(
                "r2",
                {"name": "www", "type": "TXT", "content": ["token=abc", SPF], "ttl": 300},
                protect=[{"name": "www"}],
            ),
        ),
        service=Service(parses=True),
    ),
    "the service makes 500 of a TTL of 300, so that an old reading looks like the set that is made anew": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.2", "192.0.2.3"))},
        steps=(
            www("r1", "192.0.2.1", state="absent"),
            www("r2", "192.0.2.3", state="absent"),
        ),
        faults=(
            Fault("r1", "POST", 2, "409", 55.0),
            Fault("r2", "POST", 1, "423", 2.0),
        ),
        service=Service(ages=(0.0, 0.0, 0.0, 0.0, 14.67, 14.67, 0.0, 0.0, 0.0, 0.0, 0.0), ttl_step=250),
    ),
    "others put a set in place of one that recovery completes, whose value is accepted and never comes": Story(
        zone={WWW: (300, ("192.0.2.2", "192.0.2.3"))},
        steps=(
            www("r1", "192.0.2.2", exclusive=True),
            records("r2", {"name": "@", "type": "MX", "state": "absent"}),
            Hand("add", WWW, "192.0.2.6", ttl=600, before=("r2", 7)),
        ),
        faults=(Fault("r1", "POST", 1, "kill"), Fault("r2", "POST", 1, "accepted")),
        service=Service(refuses=("192.0.2.2",)),
    ),
    "hours later, others put a set in place of one that a late DELETE took, and an older reading follows": Story(
        zone={WWW: (300, ("192.0.2.1", "192.0.2.3"))},
        steps=(
            records("r2", {"name": "www", "type": "A", "content": ["192.0.2.1"]}),
            Hand("add", WWW, "192.0.2.6", ttl=600, before=("r4", 3)),
            www("r4", "192.0.2.3", pause=20000.0),
        ),
        faults=(Fault("r2", "DELETE", 1, "late", 90.0), Fault("r4", "GET", 1, "lost")),
        service=Service(ages=(0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0)),
    ),
    "others delete a set whose DELETE has no answer, so that it seems carried out, and it comes after all": Story(
        zone={WWW: (300, ("192.0.2.1",))},
        steps=(
            www("r1", "192.0.2.1", "192.0.2.5", ttl=60),
            Hand("delete", WWW, before=("r1", 4)),
            www("r2", "192.0.2.3", pause=20.0),
        ),
        faults=(Fault("r1", "DELETE", 1, "504", 12.0),),
    ),
    "a run takes back what another one had added and taken back since it began": Story(
        zone={WWW: (300, ("192.0.2.2", "192.0.2.3")), ("ftp.example.com.", "A"): (300, ("192.0.2.9",))},
        steps=(
            records(
                "r1",
                {"name": "www", "type": "A", "content": ["192.0.2.2"]},
                {"name": "ftp", "type": "A", "content": ["192.0.2.1", "192.0.2.2"]},
            ),
            replace(records("r2", {"name": "ftp", "type": "A", "content": ["192.0.2.1", "192.0.2.2"]}), beside=True),
        ),
        service=Service(pace=(0.1, 1.0, 1.0), status=204, refuses=("192.0.2.2",)),
    ),
}
"""Each with what it tells."""
