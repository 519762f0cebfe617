# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Tasks that speak for an owner, as tables: the zone, the ledger, what is wanted; then the plan, and the ledger after.

The owner who speaks is ``web``. A plan has why a set changes behind its type.
"""

import re
from dataclasses import replace
from functools import partial

import pytest
from plan_lines import (
    ZONE,
    cases,
    desired_sets,
    hosts,
    kept,
    ledger,
    lines,
    pruning,
    shown,
    zone,
)

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.dialect import Dialect
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import relative_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import (
    OWNER,
    Document,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._owners.ledger import (
    OwnersPlan,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._owners.with_owner import (
    TaskOwner,
    planned_by_owner,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import UNLIMITED
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.reviewed import (
    plan_text,
    reviewed_plan,
)


def lines_of(held):
    """A ledger to its lines, sorted."""
    return sorted(
        f"{owner} {'~' * claim.is_begun}{relative_name(key.name, ZONE)} "
        f"{'-' if claim.ttl is None else claim.ttl} IN {key.type} {value}"
        for owner, claims in held.items()
        for key, claim in claims.items()
        for value in claim.values
    )


def planned(live, before, desired, limits=UNLIMITED, kept_ttls=None, **how):
    """The plan of a task of web."""
    document = Document(ledger=ledger(before), dialect=Dialect(ttls=kept_ttls or {}))
    sets = zone(live)
    all_desired = desired_sets(desired) if isinstance(desired, str) else desired
    plan_to = partial(plan, ZONE, sets)
    return planned_by_owner(
        TaskOwner("web", **how), ZONE, sets, all_desired, document, limits, plan_to
    )


def step_of(made):
    """What becomes of the ledger."""
    assert isinstance(made, OwnersPlan)
    return made.step


def with_reason(made):
    """A plan with why its sets change."""
    reasons = {
        f"{one.action} {relative_name(one.key.name, ZONE)} {one.key.type}": one.reason
        for one in made.changes
    }
    return "\n".join(
        f"{line} {reasons[line]}" if line in reasons else line for line in shown(made).splitlines()
    )


MINE_1 = "web www 300 IN A 192.0.2.1"
THEIRS_2 = "mail www 300 IN A 192.0.2.2"
# What owners had is a line of a ledger that begins with ``had``, what they have then one that begins with ``has``.
CASES = """
what is created becomes the owners
    exactly www 300 IN A 192.0.2.1
    create www A wanted
    + 300 192.0.2.1
    has web www 300 IN A 192.0.2.1
what is nobodys stays in a set that says exactly
    www 300 IN A 192.0.2.1
    www 300 IN A 192.0.2.9
    had web www 300 IN A 192.0.2.1
    exactly www 300 IN A 192.0.2.1
    has web www 300 IN A 192.0.2.1
what the owner wants no longer goes and what others have stays
    www 300 IN A 192.0.2.1
    www 300 IN A 192.0.2.2
    www 300 IN A 192.0.2.9
    had web www 300 IN A 192.0.2.1
    had mail www 300 IN A 192.0.2.2
    exactly www 300 IN A 192.0.2.3
    rebuild www A wanted
    - 300 192.0.2.1
      300 192.0.2.2
      300 192.0.2.9
    + 300 192.0.2.3
    has web www 300 IN A 192.0.2.3
    has mail www 300 IN A 192.0.2.2
a value of two owners stays until both want it no longer
    www 300 IN A 192.0.2.1
    www 300 IN A 192.0.2.2
    had web www 300 IN A 192.0.2.1
    had mail www 300 IN A 192.0.2.1
    had mail www 300 IN A 192.0.2.2
    exactly www 300 IN A 192.0.2.2
    has web www 300 IN A 192.0.2.2
    has mail www 300 IN A 192.0.2.1
    has mail www 300 IN A 192.0.2.2
a task that says one value speaks of that alone
    www 300 IN A 192.0.2.1
    had web www 300 IN A 192.0.2.1
    present www IN A 192.0.2.2
    extend www A wanted
      300 192.0.2.1
    + 300 192.0.2.2
    has web www 300 IN A 192.0.2.1
    has web www 300 IN A 192.0.2.2
a value of nobody goes where a task says so
    www 300 IN A 192.0.2.9
    absent www IN A 192.0.2.9
    delete www A wanted
    - 300 192.0.2.9
a set of the owner and nobody goes where a task says so
    www 300 IN A 192.0.2.1
    www 300 IN A 192.0.2.9
    had web www 300 IN A 192.0.2.1
    absent www IN A
    delete www A wanted
    - 300 192.0.2.1
    - 300 192.0.2.9
a wish is withdrawn of what is gone
    had web www 300 IN A 192.0.2.1
    absent www IN A
a value that somebody took away is drift
    www 300 IN A 192.0.2.2
    had web www 300 IN A 192.0.2.1
    had mail www 300 IN A 192.0.2.2
    exactly www 300 IN A 192.0.2.1
    extend www A drift
      300 192.0.2.2
    + 300 192.0.2.1
    has web www 300 IN A 192.0.2.1
    has mail www 300 IN A 192.0.2.2
another ttl than was left is drift
    www 600 IN A 192.0.2.1
    had web www 300 IN A 192.0.2.1
    exactly www 300 IN A 192.0.2.1
    rebuild www A drift
    - 600 192.0.2.1
    + 300 192.0.2.1
    has web www 300 IN A 192.0.2.1
another wish for what somebody changed is both
    www 300 IN A 192.0.2.9
    had web www 300 IN A 192.0.2.1
    exactly www 300 IN A 192.0.2.3
    extend www A both
      300 192.0.2.9
    + 300 192.0.2.3
    has web www 300 IN A 192.0.2.3
another wish for a set whose ttl somebody changed is both
    www 600 IN A 192.0.2.1
    had web www 300 IN A 192.0.2.1
    exactly www 300 IN A 192.0.2.3
    rebuild www A both
    - 600 192.0.2.1
    + 300 192.0.2.3
    has web www 300 IN A 192.0.2.3
what a run had begun is no drift
    had web ~www 300 IN A 192.0.2.1
    had web ~www 300 IN A 192.0.2.3
    exactly www 300 IN A 192.0.2.3
    create www A wanted
    + 300 192.0.2.3
    has web www 300 IN A 192.0.2.3
what a run had begun is begun no longer
    www 300 IN A 192.0.2.1
    had web ~www 300 IN A 192.0.2.1
    exactly www 300 IN A 192.0.2.1
    has web www 300 IN A 192.0.2.1
nor where a value of it goes
    www 300 IN A 192.0.2.1
    www 300 IN A 192.0.2.2
    had web ~www 300 IN A 192.0.2.1
    had web ~www 300 IN A 192.0.2.2
    absent www IN A 192.0.2.2
    rebuild www A wanted
      300 192.0.2.1
    - 300 192.0.2.2
    has web www 300 IN A 192.0.2.1
who says no ttl takes that of the others
    had mail www 300 IN A 192.0.2.2
    exactly www IN A 192.0.2.1
    create www A wanted
    + 300 192.0.2.1
    has web www - IN A 192.0.2.1
    has mail www 300 IN A 192.0.2.2
all types of a name that is gone
    had web www 300 IN A 192.0.2.1
    absent www IN *
a ttl that both have and somebody changed
    www 600 IN A 192.0.2.1
    www 600 IN A 192.0.2.2
    had web www 300 IN A 192.0.2.1
    had mail www 300 IN A 192.0.2.2
    exactly www 300 IN A 192.0.2.1
    rebuild www A drift
    - 600 192.0.2.1
    - 600 192.0.2.2
    + 300 192.0.2.1
    + 300 192.0.2.2
    has web www 300 IN A 192.0.2.1
    has mail www 300 IN A 192.0.2.2
who says no ttl takes the default where the others say none either
    had mail www - IN A 192.0.2.2
    exactly www IN A 192.0.2.1
    create www A wanted
    + 3600 192.0.2.1
    has web www - IN A 192.0.2.1
    has mail www - IN A 192.0.2.2
"""


@pytest.mark.parametrize("live, desired, changes, ledgers", cases(CASES, options=("had", "has")))
def test_plan_of_an_owner(live, desired, changes, ledgers):
    before, left = (
        "\n".join(line[4:] for line in ledgers if line.startswith(which))
        for which in ("had ", "has ")
    )
    made = planned(live, before, desired)
    assert with_reason(made) == lines(changes)
    assert lines_of(step_of(made).after) == lines_of(ledger(left))


MOVED = [
    (
        "www 300 IN A 192.0.2.2",
        THEIRS_2,
        "absent www IN A 192.0.2.2",
        "www.example.com. A 192.0.2.2 belongs to mail, and this task would remove it",
        "delete www A wanted\n- 300 192.0.2.2",
        "",
    ),  # a value
    (
        "www 300 IN A 192.0.2.1\nwww 300 IN A 192.0.2.2",
        f"{MINE_1}\n{THEIRS_2}\nmail www 300 IN A 192.0.2.3",
        "absent www IN A",
        "www.example.com. A 192.0.2.2, 192.0.2.3 belongs to mail, and this task would remove it",
        "delete www A wanted\n- 300 192.0.2.1\n- 300 192.0.2.2",
        "",
    ),  # a set
    (
        "www 300 IN A 192.0.2.2",
        THEIRS_2,
        "exactly www 600 IN A 192.0.2.1",
        (
            "www.example.com. A with a TTL of 300 belongs to mail too, and this task would change the TTL of the set "
            "to 600"
        ),
        "rebuild www A wanted\n- 300 192.0.2.2\n+ 600 192.0.2.2\n+ 600 192.0.2.1",
        "web www 600 IN A 192.0.2.1\nmail www 600 IN A 192.0.2.2",
    ),  # a ttl
    (
        "www 300 IN A 192.0.2.2",
        "mail www - IN A 192.0.2.2",
        "exactly www 600 IN A 192.0.2.1",
        (
            "www.example.com. A with a TTL of 300 belongs to mail too, and this task would change the TTL of the set "
            "to 600"
        ),
        "rebuild www A wanted\n- 300 192.0.2.2\n+ 600 192.0.2.2\n+ 600 192.0.2.1",
        "web www 600 IN A 192.0.2.1\nmail www 600 IN A 192.0.2.2",
    ),  # the ttl of who says none
    (
        "www 300 IN A 192.0.2.2",
        THEIRS_2,
        "exactly www 300 IN CNAME web.example.net.",
        "www.example.com. A 192.0.2.2 belongs to mail, and a CNAME must be alone at its name",
        "delete www A wanted\n- 300 192.0.2.2\ncreate www CNAME wanted\n+ 300 web.example.net.",
        "web www 300 IN CNAME web.example.net.",
    ),  # a name for a cname
    (
        "www 300 IN CNAME mail.example.net.",
        "mail www 300 IN CNAME mail.example.net.",
        "present www 300 IN A 192.0.2.1",
        "www.example.com. CNAME mail.example.net. belongs to mail, and a CNAME must be alone at its name",
        "create www A wanted\n+ 300 192.0.2.1\ndelete www CNAME wanted\n- 300 mail.example.net.",
        MINE_1,
    ),  # a name that has a cname
    (
        "www 300 IN CNAME our.example.net.",
        "web www 300 IN CNAME our.example.net.\nmail www 300 IN CNAME our.example.net.",
        "exactly www 300 IN CNAME web.example.net.",
        "www.example.com. CNAME our.example.net. belongs to mail, and this task would remove it",
        "rebuild www CNAME wanted\n- 300 our.example.net.\n+ 300 web.example.net.",
        "web www 300 IN CNAME web.example.net.",
    ),
]


@pytest.mark.parametrize("live, before, desired, reason, changes, left", MOVED)
def test_what_another_owner_has_is_refused_and_taken_over(
    live, before, desired, reason, changes, left
):
    with pytest.raises(PlanRefused) as refused:
        planned(live, before, desired)
    assert (
        str(refused.value)
        == f"{reason}; leave that out, or set takeover to true to make web the owner"
    )
    made = planned(live, before, desired, takeover=True)
    assert with_reason(made) == lines(changes)
    assert lines_of(step_of(made).after) == lines_of(ledger(left))
    # Until it is carried out, the others have what they had.
    assert {**step_of(made).begun, "web": {}} == {**ledger(before), "web": {}}


def test_what_is_nobodys_beside_a_cname_is_not_taken_over():
    live = "www 300 IN A 192.0.2.2\nwww 300 IN A 192.0.2.9"
    with pytest.raises(PlanRefused, match="would hold a CNAME beside A"):
        planned(live, THEIRS_2, "exactly www 300 IN CNAME web.example.net.", takeover=True)


def test_a_cname_of_nobody_is_replaced_by_takeover_alone():
    task = ("www 300 IN CNAME old.example.net.", "", "exactly www 300 IN CNAME web.example.net.")
    with pytest.raises(
        PlanRefused, match=r"would hold old\.example\.net\. and web\.example\.net\."
    ):
        planned(*task)
    made = planned(*task, takeover=True)
    assert with_reason(made) == lines(
        """
        rebuild www CNAME wanted
        - 300 old.example.net.
        + 300 web.example.net.
        """
    )
    assert lines_of(step_of(made).after) == ["web www 300 IN CNAME web.example.net."]


def test_a_value_of_another_owner_is_shared_and_taken_over_with_a_word():
    live = "www 300 IN A 192.0.2.2"
    shared = planned(live, THEIRS_2, "exactly www 300 IN A 192.0.2.2")
    assert lines_of(step_of(shared).after) == lines_of(
        ledger(f"{THEIRS_2}\nweb www 300 IN A 192.0.2.2")
    )
    assert step_of(shared).adopted == (Key("www.example.com.", "A"),)
    taken = planned(live, THEIRS_2, "exactly www 300 IN A 192.0.2.2", takeover=True)
    assert lines_of(step_of(taken).after) == ["web www 300 IN A 192.0.2.2"]
    assert not taken.changes


def test_what_replaces_matches_goes_unless_another_owner_has_it():
    spf = [replace(desired_sets("present @ IN TXT v=spf1 mx -all")[0], replaces=("v=spf1*",))]
    live = "@ 300 IN TXT v=spf1 -all"
    assert with_reason(planned(live, "", spf)).startswith("rebuild @ TXT wanted")
    with pytest.raises(PlanRefused, match="belongs to mail, and this task would remove it;"):
        planned(live, 'mail @ 300 IN TXT "v=spf1 -all"', spf)
    made = planned(live, 'web @ 300 IN TXT "v=spf1 -all"', spf)
    assert lines_of(step_of(made).after) == ['web @ 300 IN TXT "v=spf1 mx -all"']


PRUNED = """
    www 300 IN A 192.0.2.1
    ftp 300 IN A 192.0.2.1
    ftp 300 IN A 192.0.2.2
    old 300 IN A 192.0.2.1
    old 300 IN A 192.0.2.9
    by-hand 300 IN A 192.0.2.9
"""
HAD = """
    web www 300 IN A 192.0.2.1
    web ftp 300 IN A 192.0.2.1
    mail ftp 300 IN A 192.0.2.1
    mail ftp 300 IN A 192.0.2.2
    web old 300 IN A 192.0.2.1
    web gone 300 IN A 192.0.2.1
"""


def test_what_the_service_owns_is_compared_and_has_no_owner():
    live = "@ 300 IN NS ns1.example.net."
    made = planned(live, "", f"present {live}")
    assert (made.changes, lines_of(step_of(made).after)) == ((), [])
    with pytest.raises(PlanRefused, match="NS belongs to the service and is never written"):
        planned(live, "", "present @ IN NS ns9.example.net.")


def test_prune_takes_what_the_ledger_has_and_nothing_else():
    desired = "exactly www 300 IN A 192.0.2.1"
    assert not planned(PRUNED, HAD, desired).changes
    made = planned(PRUNED, HAD, desired, pruning())
    assert with_reason(made) == lines(
        """
        rebuild old A wanted
        - 300 192.0.2.1
          300 192.0.2.9
        """
    )
    left = "web www 300 IN A 192.0.2.1\nmail ftp 300 IN A 192.0.2.1\nmail ftp 300 IN A 192.0.2.2"
    assert lines_of(step_of(made).after) == lines_of(ledger(left))
    assert step_of(made).unowned == 2
    begun = re.sub("web (old|ftp|gone)", r"web ~\1", HAD)
    assert lines_of(step_of(made).begun) == lines_of(ledger(begun))
    old = Key("old.example.com.", "A")
    assert step_of(made).after_with([]) == step_of(made).after
    assert step_of(made).after_with([old])["web"][old] == step_of(made).begun["web"][old]


def test_what_the_plan_removes_has_no_owner_and_is_not_counted():
    live = "www 300 IN A 192.0.2.1\nold 300 IN A 192.0.2.9\nby-hand 300 IN A 192.0.2.9"
    assert step_of(planned(live, MINE_1, "absent old IN A")).unowned == 1


def test_prune_removes_a_whole_set_last_and_leaves_what_is_ignored():
    task = ("www 300 IN A 192.0.2.1\nold 300 IN A 192.0.2.1", HAD, "exactly www 300 IN A 192.0.2.1")
    made = planned(*task, pruning())
    assert [(change.action, change.desired.pruned) for change in made.changes] == [("delete", True)]
    made = planned(*task, pruning(ignore=[("old",)]))
    assert not made.changes
    assert "web old 300 IN A 192.0.2.1" in lines_of(step_of(made).after)


def test_prune_limit_counts_what_the_ledger_has():
    live = hosts(10) + "".join(f"x{number} 300 IN A 192.0.2.1\n" for number in range(10))
    had = "".join(f"web host{number} 300 IN A 192.0.2.{number}\n" for number in range(10))
    with pytest.raises(PlanRefused, match="prune would remove 4 of web's 10 sets, more than"):
        planned(live, had, kept(6), pruning())
    with pytest.raises(PlanRefused) as refused:
        planned(live, had, "", pruning())
    assert str(refused.value) == (
        "prune would remove all 10 sets, because the desired state is empty: is the list or "
        "the zone file meant to be empty? If so, set prune_limit to 100"
    )
    assert len(planned(live, had, "", pruning(limit=100)).changes) == 10


@pytest.mark.parametrize(
    "desired, left",
    [
        ("exactly www 600 IN A 192.0.2.7", ""),  # a whole set
        ("present www IN A 192.0.2.1", "web www 300 IN A 192.0.2.2"),  # a value
        ("absent www IN A 192.0.2.1", "web www 300 IN A 192.0.2.2"),  # a value that is to go
        ("absent www IN *", ""),  # all types
        ("exactly ftp IN A 192.0.2.1", f"{MINE_1}\nweb www 300 IN A 192.0.2.2"),  # what it has not
    ],
)
def test_release_changes_nothing_but_the_ledger(desired, left):
    had = f"{MINE_1}\nweb www 300 IN A 192.0.2.2"
    live = "www 300 IN A 192.0.2.1\nwww 300 IN A 192.0.2.2\nold 300 IN A 192.0.2.1"
    made = planned(live, had, desired, pruning(), release=True)
    assert not made.changes
    assert lines_of(step_of(made).after) == lines_of(ledger(left))
    assert step_of(made).released == (
        (Key("www.example.com.", "A"),) if step_of(made).is_new else ()
    )


def test_without_a_ledger_nothing_is_pruned_and_it_is_told_how_many_sets_are_nobodys():
    made = planned(
        f"@ 300 IN SOA a. b. 1 2 3 4 5\n{PRUNED}", "", "exactly www 300 IN A 192.0.2.1", pruning()
    )
    assert not made.changes
    assert step_of(made).before == {}
    assert step_of(made).is_new
    assert step_of(made).adopted == (Key("www.example.com.", "A"),)
    assert step_of(made).unowned == 3


def test_drift_is_refused_by_name_and_a_new_wish_is_not():
    with pytest.raises(
        PlanRefused,
        match=r"www\.example\.com\. A was left with 192\.0\.2\.1 .*, but holds nothing;",
    ):
        planned("", MINE_1, "exactly www 300 IN A 192.0.2.1", refuses_drift=True)
    assert planned(
        "www 300 IN A 192.0.2.1", MINE_1, "exactly www 300 IN A 192.0.2.7", refuses_drift=True
    ).changes


def test_a_ttl_that_the_service_keeps_is_no_drift_and_no_ttl_of_others():
    kept = {Key("www.example.com.", "A"): (300, 600)}
    live = "www 600 IN A 192.0.2.1\nwww 600 IN A 192.0.2.2"
    desired = [replace(one, ttl=600) for one in desired_sets("exactly www 300 IN A 192.0.2.3")]
    made = planned(live, f"{MINE_1}\nmail www - IN A 192.0.2.2", desired, kept_ttls=kept)
    assert {change.reason for change in made.changes} == {"wanted"}


def test_a_plan_is_the_same_plan_whatever_it_is_because_of():
    drift = planned("", MINE_1, "exactly www 300 IN A 192.0.2.1")
    desired = planned("", "", "exactly www 300 IN A 192.0.2.1")
    assert drift.changes == desired.changes
    text, other = (plan_text(ZONE, made.changes) for made in (drift, desired))
    assert '"because": "drift"' in text
    assert reviewed_plan(ZONE, text).digest == reviewed_plan(ZONE, other).digest


@pytest.mark.parametrize("name", ["", "x" * 65, "a b", "täm", "a\n", "a;b", "{{ a }}"])
def test_what_no_owner_can_be_called(name):
    assert not OWNER.fullmatch(name)
