# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Tasks that speak for no owner in a zone where owners have values, as tables: the zone, the ledger, what is wanted."""

from functools import partial

import pytest
from plan_lines import ZONE, desired_sets, ledger, lines, pruning, shown, zone
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._owners.without_owner import (
    planned_without_owner,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import UNLIMITED
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import plan

WEBS = "web www 300 IN A 192.0.2.1"
ONE = "www 300 IN A 192.0.2.1"
TWO = f"{ONE}\nwww 300 IN A 192.0.2.2"
REFUSED = "; leave that out, set owner if the task acts for that owner, or set takeover to true"


def planned(live, held, desired, limits=UNLIMITED):
    """The plan of a task without owner."""
    sets = zone(live)
    return planned_without_owner(
        ZONE,
        sets,
        desired_sets(desired),
        ledger(held),
        limits,
        partial(plan, ZONE, sets),
    )


REFUSALS = {
    "the set is to go": (ONE, "absent www IN A", "delete"),
    "another beside it goes": (TWO, "exactly www IN A 192.0.2.1", "rebuild"),
    "another TTL": (ONE, "present www 600 IN A 192.0.2.1", "rebuild"),
}


@named_rows("live, desired, action", REFUSALS)
def test_what_an_owner_has_is_neither_deleted_nor_rebuilt(live, desired, action):
    with pytest.raises(PlanRefused) as refused:
        planned(live, WEBS, desired)
    whose = "www.example.com. A 192.0.2.1 belongs to web"
    reason = f"{whose}, and this task without an owner would {action} the set"
    assert str(refused.value) == f"{reason}{REFUSED}"


def test_each_owner_is_named():
    held = f"{WEBS}\nmail www 300 IN A 192.0.2.2\nmail www 300 IN A 192.0.2.3"
    with pytest.raises(PlanRefused) as refused:
        planned(f"{TWO}\nwww 300 IN A 192.0.2.3", held, "absent www IN A")
    who = "www.example.com. A {} belongs to {}, and this task without an owner would delete the set"
    assert (
        str(refused.value)
        == f"{who.format('192.0.2.2, 192.0.2.3', 'mail')}; {who.format('192.0.2.1', 'web')}{REFUSED}"
    )


BESIDE = (
    "www.example.com. A 192.0.2.7 is added beside values of web; this task has no owner, so nobody owns the new "
    "values: set owner to change that"
)
SPARED = (
    "prune keeps sets that have an owner, because this task has none: www.example.com. A (web); list them in ignore, "
    "or set takeover to true to remove them"
)
ALLOWED = [
    (ONE, WEBS, "exactly www 300 IN A 192.0.2.1", UNLIMITED, "", []),  # what is there is no change
    (
        ONE,
        WEBS,
        "present www IN A 192.0.2.7",
        UNLIMITED,
        """
        extend www A
          300 192.0.2.1
        + 300 192.0.2.7
        """,
        [BESIDE],
    ),  # what is added beside is told
    (
        f"{ONE}\nold 300 IN A 192.0.2.9\nnew 300 IN A 192.0.2.3",
        WEBS,
        "exactly new 300 IN A 192.0.2.3",
        pruning(limit=100),
        """
        delete old A
        - 300 192.0.2.9
        """,
        [SPARED],
    ),  # prune spares it
    (ONE, WEBS, "exactly www 300 IN A 192.0.2.1", pruning(), "", []),  # what it lists is not spared
    (ONE, WEBS, "", pruning(), "", [SPARED]),  # what is spared does not count for the limit
]


@pytest.mark.parametrize("live, held, desired, limits, expected, warnings", ALLOWED)
def test_the_plan_beside_owners(live, held, desired, limits, expected, warnings):
    made = planned(live, held, desired, limits)
    assert shown(made) == lines(expected)
    assert [*made.warnings] == warnings
