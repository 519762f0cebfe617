# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How planning and applying grow by themselves: many sets in memory, without HTTP and without Ansible.

python tests/bench/scale.py          a table: 1,000 to 1,000,000 sets in zones of 100, one zone of 1,000 to 100,000
python tests/bench/scale.py --quick  the small ones only

Every size runs in a Python of its own, so that its peak memory is its own. Each zone goes through what dns_records
does: entries to what is wanted, converge, results. The client and the store are fakes that keep everything in memory.
Seconds are of CPU time.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

BENCH = Path(__file__).resolve().parent
sys.path[:0] = [str(BENCH), str(BENCH.parent)]
import collection  # noqa: E402 - tests/ is no package
from cases import OPERATIONS  # noqa: E402
from entries import TTL, entries, is_tenth  # noqa: E402

SETS_A_ZONE = 100
MANY_ZONES = ((10, SETS_A_ZONE), (100, SETS_A_ZONE), (1000, SETS_A_ZONE), (10000, SETS_A_ZONE))
ONE_ZONE = ((1, 1000), (1, 10000), (1, 100000))
QUICK = ((10, SETS_A_ZONE), (100, SETS_A_ZONE), (1, 1000), (1, 10000))
CONCURRENCY = 8

Result = dict[str, Any]


def measure(collections: Path, shapes: tuple[tuple[int, int], ...], report: Callable[[str], None]) -> list[Result]:
    """Every shape, given as zones and sets a zone, with the collection in the folder *collections*."""
    results = []
    for zones, sets in shapes:
        report(f"{zones * sets:,} sets in {zones:,} zones")
        done = _in_own_process(collections, zones, sets)
        filled = _in_own_process(collections, zones, sets, "--fill")
        results.append({**done, "service_mib": filled["peak_mib"]})
    return results


def _in_own_process(collections: Path, zones: int, sets: int, *options: str) -> Result:
    command = [sys.executable, __file__, "--one", str(zones), str(sets), *options]
    environment = {**os.environ, "PYTHONPATH": str(collections)}
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    result: Result = json.loads(done.stdout)
    return result


def run_one(zones: int, sets: int, *, fill_only: bool) -> Result:
    """One shape in this process: seconds by operation, peak memory. With *fill_only* only the service's sets."""
    service = _Service()
    if fill_only:
        for number in range(zones):
            service.fill(_zone(number), sets)
        return {"peak_mib": _peak_mib()}
    seconds = dict.fromkeys(OPERATIONS, 0.0)
    writes = dict.fromkeys(OPERATIONS, 0)
    for operation in OPERATIONS:
        _forget()
        for number in range(zones):
            rows = _rows(sets, operation)
            before = service.writes
            started = time.process_time()
            _converge(service, _zone(number), rows, prune=operation == "prune")
            seconds[operation] += time.process_time() - started
            writes[operation] += service.writes - before
    tenth = zones * sum(map(is_tenth, range(sets)))
    expected = {"create": zones * sets, "no change": 0, "change": 2 * tenth, "prune": tenth}
    if writes != expected:
        raise AssertionError(f"{writes} writes in place of {expected}")
    return {"zones": zones, "sets": zones * sets, "seconds": seconds, "peak_mib": _peak_mib()}


def _forget() -> None:
    """Empty the caches of names and values: each operation begins as a run of its own would."""
    from ansible_collections.zonesmith.dns.plugins.module_utils._dns import names as _names
    from ansible_collections.zonesmith.dns.plugins.module_utils._dns import rdata as _rdata

    for module in (_names, _rdata):
        for function in vars(module).values():
            if hasattr(function, "cache_clear"):
                function.cache_clear()


def _zone(number: int) -> str:
    return f"zone{number}.example."


def _rows(sets: int, operation: str) -> list[dict[str, Any]]:
    """The entries of a task as AnsibleModule hands them over. A prune finds, and wants, the changed values."""
    wanted = entries(sets, changed=operation in ("change", "prune"))
    if operation == "prune":
        wanted = [entry for index, entry in enumerate(wanted) if not is_tenth(index)]
    return [
        {
            "name": entry.name,
            "type": entry.type,
            "content": [entry.content],
            "ttl": TTL,
            "priority": None,
            "state": "present",
        }
        for entry in wanted
    ]


def _converge(service: _Service, zone: str, rows: list[dict[str, Any]], *, prune: bool) -> None:
    """What dns_records does between its arguments and its result."""
    from ansible_collections.zonesmith.dns.plugins.module_utils._apply.look import ZoneOutcome, look
    from ansible_collections.zonesmith.dns.plugins.module_utils._apply.run import Settings, carry_out
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.entries import desired_record_sets
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import Limits
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import diff_of, plan

    limits = Limits(prune=prune)
    wanted_sets = desired_record_sets(zone, rows, None, limits)
    client: Any = service
    store: Any = _NoStore()

    def make_plan(live: Any, _document: Any) -> Any:
        return plan(zone, live, wanted_sets, limits)

    found = look(client, zone, store, make_plan)
    outcome = ZoneOutcome(found.snapshot, found.document, found.plan)
    if not found.is_all:
        settings = Settings("auto", CONCURRENCY, make_plan, lambda *_: None)
        outcome = carry_out(client, found, make_plan, store, settings, [])
    for change in outcome.plan.changes:
        change.as_result()
    diff_of(outcome.plan.changes)


class _Service:
    """The client's interface over dictionaries: a slug is the zone's name, values read back as they are shown."""

    def __init__(self) -> None:
        from ansible_collections.zonesmith.dns.plugins.module_utils._api.under_way import RequestLimiter

        self.limiter = RequestLimiter(CONCURRENCY)
        self._zones: dict[str, dict[Any, Any]] = {}
        self.writes = 0

    def fill(self, zone: str, sets: int) -> None:
        """Let a zone hold what a create leaves."""
        for entry in entries(sets):
            self._put(zone, f"{entry.name}.{zone}", entry.type, entry.content)

    def read_zone(self, zone: str) -> Any:
        """A zone by its canonical name."""
        from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import LiveZone

        # A copy, as every answer of the service is one.
        return LiveZone(zone, zone, dict(self._zones.get(zone, {})))

    def read_again(self, zone: Any) -> Any:
        """The zone by an earlier reading of it."""
        return self.read_zone(zone.name)

    def create_value(
        self, slug: str, body: dict[str, Any], _is_there: Any, allowed: Callable[[], None], *_: Any, **_options: Any
    ) -> bool:
        """Add one value."""
        allowed()
        content = f"{body['priority']} {body['content']}" if "priority" in body else body["content"]
        self._put(slug, f"{body['name']}.{slug}", body["type"], content)
        self.writes += 1  # off by a few among threads would show as a wrong number of writes
        return True

    def delete_record_set(
        self, slug: str, name: str, rdtype: str, _is_gone: Any, allowed: Callable[[], None], *_: Any
    ) -> bool:
        """Delete a set."""
        allowed()
        del self._zones[slug][name, rdtype]
        self.writes += 1
        return True

    def _put(self, zone: str, name: str, rdtype: str, content: str) -> None:
        from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet

        key = Key(name, rdtype)
        self._zones.setdefault(zone, {})[key] = RecordSet(*key, TTL, (content,))


class _NoStore:
    """A store that keeps nothing: files would be measured in its place."""

    place = "none"
    ahead = 0.0

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def load(self) -> Any:
        """Nothing was kept."""
        from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Document

        return Document()

    @contextlib.contextmanager
    def lock(self) -> Iterator[Any]:
        """No lock."""
        yield self.load()

    def check_held(self) -> None:
        """It cannot be lost."""

    def save(self, *_: Any) -> None:
        """Nothing is kept."""

    def notify(self, *_: Any) -> None:
        """Nobody listens."""


def _peak_mib() -> float:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))) / 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the small ones only")
    parser.add_argument("--one", nargs=2, type=int, metavar=("ZONES", "SETS"), help=argparse.SUPPRESS)
    parser.add_argument("--fill", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(run_one(*arguments.one, fill_only=arguments.fill)))
        return
    from report import scale_tables

    with tempfile.TemporaryDirectory() as folder:
        collection.link(Path(folder))
        shapes = QUICK if arguments.quick else MANY_ZONES + ONE_ZONE
        print(scale_tables(measure(Path(folder), shapes, print)))


if __name__ == "__main__":
    main()
