# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is measured: the record sets, the plays, and what each play finds in the zone before it begins."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from entries import TTL, entries, is_tenth, zone_file

CONNECTIONS = 8
ZONE = "bench.example"
PLAYBOOK = "play.yml"
ZONE_FILE = f"{ZONE}.zone"
OPERATIONS = {
    "create": "Create",
    "no change": "No change",
    "change": "Change of 10%",
    "prune": "Prune of 10%",
}
SIZES = (20, 200, 1000, 10000)
LIMITED_SETS, LARGEST = 300, 100_000
AUTO = "auto"
LATENCY = 50
"""Milliseconds that a service takes for every request, unless it is another one."""
RATE = 20
"""Requests in a second that a service with a limit takes."""

LATENT, LIMITED = "create at 200 ms", f"create at {RATE} a second"
ELSEWHERE = {
    LATENT: ("Create, 200 ms added to every request", {"latency": 200}),
    LIMITED: (
        f"Create, at a service that takes {RATE} requests a second",
        {"rate": RATE, "rate_window": 1},
    ),
}
"""Creates at services that are otherwise than the usual one: a title, and the settings of the stand-in."""

TITLES = {**OPERATIONS, **{operation: title for operation, (title, _settings) in ELSEWHERE.items()}}


@dataclass(frozen=True)
class Services:
    """Where the plays find the stand-ins, and what they say to them."""

    url: str
    token: str
    state_dir: str
    state_url: str
    peers_url: str


def our_row(entry):
    """An entry as our stand-in is told what a zone holds."""
    return (entry.name, entry.type, TTL, [entry.content])


@dataclass(frozen=True)
class Tool:
    """One way to do the work.

    *tasks* makes the tasks from the wanted entries; *sizes* are the numbers of sets, by operation; *service* is which
    stand-in it talks to, *held* how that one is told what a zone holds; *variables* are the play's, *files* are
    beside the playbook. It may need a database.
    """

    name: str
    tasks: Callable
    sizes: Mapping
    service: str = "ours"
    held: Callable = our_row
    variables: Mapping = field(default_factory=dict)
    change_calls: int = 1
    needs_database: bool = False
    files: Callable = lambda _wanted: {}


@dataclass(frozen=True)
class Case:
    """One tool, one operation, one number of sets."""

    tool: Tool
    operation: str
    sets: int

    @property
    def key(self):
        """What identifies it in the results."""
        return (self.tool.name, self.operation, self.sets)

    @property
    def settings(self):
        """What the stand-in is told to be otherwise."""
        return ELSEWHERE[self.operation][1] if self.operation in ELSEWHERE else {}

    @property
    def is_create(self):
        """Whether the zone is empty before."""
        return self.operation == "create" or self.operation in ELSEWHERE

    def before(self):
        """What the zone holds before, in the form in which the stand-in takes it."""
        return [] if self.is_create else [self.tool.held(entry) for entry in entries(self.sets)]

    def held(self):
        """What our stand-in holds before, by zone."""
        return {ZONE: self.before() if self.tool.service else []}

    def wanted(self):
        """What is to be there afterwards."""
        wanted = entries(self.sets, changed=self.operation == "change")
        if self.operation == "prune":
            return [entry for index, entry in enumerate(wanted) if not is_tenth(index)]
        return wanted

    def files(self, services):
        """The playbook, and what has to be beside it."""
        wanted = self.wanted()
        tasks = self.tool.tasks(wanted, self.operation == "prune", services)
        play = {
            "hosts": "localhost",
            "gather_facts": False,
            "vars": dict(self.tool.variables),
            "tasks": tasks,
        }
        return {PLAYBOOK: json.dumps([play]), **self.tool.files(wanted)}

    @property
    def command(self):
        """What is measured, in the folder of the files; a program of the environment that this one runs in."""
        here = ["--inventory", "localhost,", "--connection", "local"]
        interpreter = f"ansible_python_interpreter={sys.executable}"
        return ["ansible-playbook", PLAYBOOK, *here, "--extra-vars", interpreter]

    def writes(self):
        """How many writing calls it takes: what was measured is only worth reporting where this was right."""
        tenth = sum(map(is_tenth, range(self.sets)))
        if not self.tool.service:
            return 0
        if self.is_create:
            return self.sets
        return {"no change": 0, "change": tenth * self.tool.change_calls, "prune": tenth}[
            self.operation
        ]


def cases():
    """Every case, in the order of measurement."""
    return [
        Case(tool, operation, count)
        for tool in TOOLS
        for operation, counts in tool.sizes.items()
        for count in counts
    ]


def connection(services):
    """The options of our modules that name the stand-in."""
    return {
        "base_url": services.url,
        "access_token": services.token,
        "state_dir": services.state_dir,
    }


def _row(entry):
    return {"name": entry.name, "type": entry.type, "content": [entry.content], "ttl": TTL}


def _bulk(
    module="zonesmith.dns.dns_records",
    concurrency=CONNECTIONS,
    *,
    from_file=False,
):
    def tasks(wanted, prune, services):
        held = {"src": ZONE_FILE} if from_file else {"records": [_row(entry) for entry in wanted]}
        options = {"zone": ZONE, "concurrency": concurrency, "prune": prune, **held}
        return [{module: {**connection(services), **options}}]

    return tasks


def _zone_file(wanted):
    return {ZONE_FILE: zone_file(wanted)}


def _loop(wanted, _prune, services):
    return [_one_by_one(wanted, connection(services))]


def _loop_with_database(wanted, _prune, services):
    options = connection(services)
    del options["state_dir"]
    return [_one_by_one(wanted, {**options, "state_url": services.state_url})]


def _one_by_one(wanted, options):
    fields = {field: f"{{{{ item.{field} }}}}" for field in ("name", "type", "content", "ttl")}
    rows = [_row(entry) for entry in wanted]
    return _looped({"zonesmith.dns.dns_record": {**options, "zone": ZONE, **fields}}, rows)


def _looped(task, rows):
    return {**task, "loop": rows, "loop_control": {"label": "{{ item.name }}"}}


def _infomaniak(wanted, prune, _services):
    records = [
        {"prefix": entry.name, "type": entry.type, "value": [entry.content], "ttl": TTL} for entry in wanted
    ]  # fmt: skip
    arguments = {
        "zone_name": ZONE,
        "infomaniak_token": "token",
        "record_sets": records,
        "prune": prune,
    }
    return [{"community.dns.infomaniak_dns_record_sets": arguments}]


def _infomaniak_record(entry):
    return {"source": entry.name, "type": entry.type, "ttl": TTL, "target": entry.presented}


def _vultr(wanted, _prune, services):
    fields = {
        field: f"{{{{ item.{field} }}}}" for field in ("name", "type", "data", "priority", "ttl")
    }
    service = {"api_endpoint": f"{services.peers_url}/v2", "api_key": "token", "domain": ZONE}
    rows = [_vultr_record(entry) for entry in wanted]
    return [_looped({"vultr.cloud.dns_record": {**service, **fields}}, rows)]


def _vultr_record(entry):
    priority = entry.preference or 0
    return {
        "name": entry.name,
        "type": entry.type,
        "data": entry.value,
        "priority": priority,
        "ttl": TTL,
    }


def _ping(_wanted, _prune, _services):
    return [{"ansible.builtin.ping": {}}]


def _ping_loop(wanted, _prune, _services):
    return [_looped({"ansible.builtin.ping": {}}, [_row(entry) for entry in wanted])]


DNS_RECORDS = "dns_records"
DNS_RECORDS_AUTO = "dns_records with auto (default)"
DNS_RECORDS_APART = "dns_records in its own process"
FROM_FILE = "dns_records with src"
FROM_FILE_AUTO = "dns_records with src and auto (default)"
FROM_FILE_APART = "dns_records with src in its own process"
LOOP = "dns_record in a loop"
LOOP_APART = "dns_record in a loop, a process each"
LOOP_DATABASE = "dns_record with state_url in a loop"
LOOP_DATABASE_APART = "dns_record with state_url in a loop, a process each"
INFOMANIAK = "community.dns infomaniak_dns_record_sets"
VULTR = "vultr.cloud dns_record in a loop"
NOOP = "a module that does nothing"
PING = "ansible.builtin.ping"
PING_LOOP = "ansible.builtin.ping in a loop"

_LOOP_SIZES = {"create": (20, 200), "no change": (20, 200)}
_APART = {"zonesmith_direct": False}

TOOLS = (
    Tool(PING, _ping, {"no change": (1,)}, service=""),
    Tool(NOOP, _bulk("bench.floor.noop"), {"no change": SIZES}, service=""),
    Tool(
        DNS_RECORDS,
        _bulk(),
        {**dict.fromkeys(OPERATIONS, SIZES), LATENT: (1000,), LIMITED: (LIMITED_SETS,)},
        change_calls=2,
    ),
    Tool(
        DNS_RECORDS_AUTO,
        _bulk(concurrency=AUTO),
        {"create": SIZES, LATENT: (1000,), LIMITED: (LIMITED_SETS,)},
    ),
    Tool(
        DNS_RECORDS_APART,
        _bulk(),
        {"create": (1000,), "no change": (1000, 10000)},
        variables=_APART,
    ),
    Tool(
        FROM_FILE,
        _bulk(from_file=True),
        {"create": (1000, 10000), "no change": (*SIZES, LARGEST)},
        files=_zone_file,
    ),
    Tool(
        FROM_FILE_AUTO,
        _bulk(concurrency=AUTO, from_file=True),
        {"create": (10000,)},
        files=_zone_file,
    ),
    Tool(
        FROM_FILE_APART,
        _bulk(from_file=True),
        {"no change": (10000,)},
        variables=_APART,
        files=_zone_file,
    ),
    Tool(PING_LOOP, _ping_loop, {"no change": (20, 200)}, service=""),
    Tool(LOOP, _loop, _LOOP_SIZES),
    Tool(LOOP_APART, _loop, _LOOP_SIZES, variables=_APART),
    Tool(LOOP_DATABASE, _loop_with_database, _LOOP_SIZES, needs_database=True),
    Tool(
        LOOP_DATABASE_APART,
        _loop_with_database,
        dict.fromkeys(_LOOP_SIZES, (20,)),
        variables=_APART,
        needs_database=True,
    ),
    Tool(
        INFOMANIAK,
        _infomaniak,
        {**dict.fromkeys(OPERATIONS, (20, 200, 1000)), LATENT: (1000,)},
        "peers",
        _infomaniak_record,
    ),
    Tool(VULTR, _vultr, {"create": (20,), "no change": (20,)}, "peers", _vultr_record),
)
