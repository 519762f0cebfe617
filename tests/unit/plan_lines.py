# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zones, wishes, plans and ledgers as lines of a zone file.

A zone line is ``name ttl IN type value``. The zones are those of the service: its values are written as it shows them.

What is wanted is a verb and such a line, where the TTL can be missing. Lines with one verb, name and type are one set:

* ``present``: the set holds these values, among others;
* ``exactly``: the set holds these values and no others;
* ``absent``: the set does not hold these values; without a value, there is no such set.

A plan is a line for each changed set, ``action name type``, and below it the set as a diff: ``-`` goes, ``+`` comes.

A table of cases is a title for each, and indented below it such lines: of the zone, of what is wanted, and of the plan,
or of the error, each line of which begins with ``>``.

A line of a ledger is ``owner name ttl IN type value``, with ``-`` for any TTL, and with ``~`` before the name for what
a run had begun.
"""

import re
from itertools import groupby

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.dialect import Dialect
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import (
    owner_name,
    relative_name,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    Key,
    RecordSet,
    joined,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Claim
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import Glob
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import Limits
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import plan as real_plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.records import desired_of_name

ZONE = "example.com."
APEX = """
    @ 86400 IN SOA ns1.example.net. hostmaster.example.net. 1 2 3 4 5
    @ 86400 IN NS  ns1.example.net.
    @ 86400 IN NS  ns2.example.net.
"""


def zone(text):
    """Zone lines to live sets."""
    rows = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, ttl, _class, rdtype, value = line.split(None, 4)
        row = RecordSet(owner_name(name, ZONE), rdtype, int(ttl), (value,))
        rows.setdefault(row.key, []).append(row)
    return {key: joined(held) for key, held in rows.items()}


def desired_sets(text):
    """Such lines to what is wanted, by way of what ``dns_record`` would be told."""
    rows = []
    for line in filter(None, map(str.strip, text.splitlines())):
        before, after = line.split(" IN ")
        verb, name, ttl = (*before.split(), None)[:3]
        rdtype, value = (*after.split(None, 1), None)[:2]
        rows.append((verb, name, ttl, rdtype, value))
    return [
        desired_of_name(
            ZONE,
            {
                "name": name,
                "type": rdtype,
                "content": [row[4] for row in group if row[4]] or None,
                "ttl": int(ttl) if ttl else None,
                "exclusive": verb == "exactly",
                "state": "absent" if verb == "absent" else "present",
            },
        )
        for (verb, name, ttl, rdtype), group in groupby(rows, key=lambda row: row[:4])
    ]


def shown(planned):
    """A plan as these tables show it."""
    return "\n".join(line for change in planned.changes for line in _shown(change))


def _shown(change):
    before, after = (
        [f"{dict(side.higher_ttls).get(value, side.ttl)} {value}" for value in side.values]
        if side
        else []
        for side in (change.before, change.after)
    )
    rows = [f"{' ' if line in after else '-'} {line}" for line in before]
    rows += [f"+ {line}" for line in after if line not in before]
    title = f"{change.action} {relative_name(change.desired.name, ZONE)} {change.desired.type}"
    return [title, *rows]


def cases(table, zone="", options=()):
    """The rows of a table of cases: the zone, what is wanted, and the plan or the error.

    *zone* is that of cases that have none. Lines that begin with the name of one of *options* are a fourth column.
    """
    rows = []
    for case in re.split(r"\n(?=\S)", table.strip()):
        title, *body = case.splitlines()
        parts = {"zone": [], "wanted": [], "plan": [], "options": []}
        for line in map(str.strip, body):
            if line.split()[0] in options:
                part = "options"
            elif line.startswith(("present ", "exactly ", "absent ")):
                part = "wanted"
            else:
                part = "zone" if re.match(r"\S+ \d+ IN ", line) else "plan"
            parts[part].append(line.removeprefix("> "))
        live, desired, planned = ("\n".join(parts[part]) for part in ("zone", "wanted", "plan"))
        rows.append(
            pytest.param(
                live or zone, desired, planned, *[parts["options"]] * bool(options), id=title
            )
        )
    return rows


def pruning(ignore=(), limit=30):
    """The limits of a task that prunes."""
    return Limits(prune=True, prune_limit=limit, ignore=tuple(Glob(*one) for one in ignore))


def lines(text):
    """A table's plan without its indentation."""
    stripped = (line.strip() for line in text.splitlines())
    return "\n".join(f"  {line}" if line[:1].isdigit() else line for line in stripped if line)


def hosts(count):
    return "".join(f"host{i} 300 IN A 192.0.2.{i}\n" for i in range(count))


def kept(count):
    return "".join(f"exactly host{i} IN A 192.0.2.{i}\n" for i in range(count))


def ledger(text):
    """Lines of a ledger to a ledger."""
    rows = []
    for line in filter(None, map(str.strip, text.splitlines())):
        owner, name, ttl, _class, rdtype, value = line.split(None, 5)
        key = Key(owner_name(name.lstrip("~"), ZONE), rdtype)
        rows.append((owner, key, None if ttl == "-" else int(ttl), name.startswith("~"), value))
    claims = {}
    for (owner, key, ttl, is_begun), group in groupby(rows, key=lambda row: row[:4]):
        claims.setdefault(owner, {})[key] = Claim(ttl, tuple(row[4] for row in group), is_begun)
    return claims


def plan(zone, live, desired, *others):
    """The plan from what a service shows."""
    wanted = [*desired]
    said = {}
    for one in wanted:
        said[one.key] = (*said.get(one.key, ()), *one.values, *one.unwanted)
    return real_plan(zone, Dialect().read(live, zone, said), wanted, *others)


def plan_or_refusal(live, desired, limits):
    """The plan as these tables show it, or why there is none."""
    try:
        return shown(plan(ZONE, live, desired, limits))
    except PlanRefused as refusal:
        return str(refusal)
