# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure the modules beside their peers and beside what Ansible costs itself; write docs/performance.md's tables.

python tests/bench/run.py                           five runs of everything
python tests/bench/run.py --slow 10 --slow-runs 1   one run in place of five of what takes longer than 10 s
python tests/bench/run.py --quick                   does everything still work? One run, small; nothing in docs/
python tests/bench/run.py --only 'dns_records, no change' --sizes 10000
                                                    some cases, before and after a change; nothing in docs/
python tests/bench/run.py --case zones-1000         a part by its name; nothing in docs/
python tests/bench/run.py --render                  the document again, from the results that are there

Needs ansible-core, aiohttp, requests, dnspython and matplotlib, for the rows with octoDNS octodns, and for those with
state_url psycopg and an installed PostgreSQL, on a machine that does nothing else meanwhile.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

BENCH = Path(__file__).resolve().parent
ROOT = BENCH.parent.parent
sys.path.insert(0, str(BENCH))
import databases  # noqa: E402 - tests/ is no package
import scale  # noqa: E402
from account import OCTODNS, account_cases, octodns_version  # noqa: E402
from cases import ALL_SIZES, Case, cases  # noqa: E402
from measuring import Scratch, StandIns, WrongRun, measure, stand_ins  # noqa: E402
from named import NAMED, is_of  # noqa: E402
from report import checks, document, is_busy, numbers  # noqa: E402
from table import Results, Table  # noqa: E402

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
QUICK_SIZES, QUICK_ZONES = (20,), (5,)
DIRECT_DEPENDENCIES = ("ansible-core", "requests", "dnspython")


def say(text: str) -> None:
    """Print a line at once."""
    print(text, flush=True)


class Rounds:
    """Round after round of every case, so that a change of the machine's mood meets all of them."""

    def __init__(self, chosen: Sequence[Case], arguments: argparse.Namespace) -> None:
        self._chosen = chosen
        self._slow, self._slow_runs = arguments.slow, arguments.slow_runs
        self._runs: dict[tuple[str, str, int], list[dict[str, Any]]] = {case.key: [] for case in chosen}
        self._failures: list[tuple[str, str, int]] = []

    def run(self, scratch: Scratch, services: StandIns) -> None:
        """One round, without slow cases that have had their runs."""
        for case in self._chosen:
            done = self._runs[case.key]
            if len(done) >= self._slow_runs and done[0]["seconds"] > self._slow:
                continue
            try:
                figures = measure(case, scratch, services)
            except WrongRun as error:
                say(f"  FAILED  {', '.join(map(str, case.key))}: {error}")
                self._failures.append(case.key)
                continue
            done.append(figures.as_json())
            say(f"  {figures.seconds:7.2f} s  {figures.calls:6} calls  {', '.join(map(str, case.key))}")

    def results(self) -> Results:
        """What there is so far."""
        cases_done = [
            {"tool": tool, "operation": operation, "sets": sets, "runs": done}
            for (tool, operation, sets), done in self._runs.items()
            if done
        ]
        return {"cases": cases_done, "failures": self._failures}


def conditions(arguments: argparse.Namespace) -> dict[str, Any]:
    """Under which everything is measured."""
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "command": " ".join(["python tests/bench/run.py", *_told(arguments)]),
        "latency": arguments.latency,
        "cores": len(os.sched_getaffinity(0)),
        "load": os.getloadavg()[0],
        "versions": {
            "Python": platform.python_version(),
            **{name: version(name) for name in DIRECT_DEPENDENCIES},
        },
    }


def _told(arguments: argparse.Namespace) -> Iterator[str]:
    """The options that change what is measured, without those that say where things are."""
    for name in ("quick", "no_peers", "no_scale"):
        if getattr(arguments, name):
            yield f"--{name.replace('_', '-')}"
    if not arguments.quick:
        yield f"--runs {arguments.runs}"
    if arguments.slow_runs < arguments.runs:
        yield f"--slow {arguments.slow:g} --slow-runs {arguments.slow_runs}"
    if arguments.latency != 50:
        yield f"--latency {arguments.latency:g}"


def write_documents(results: Results, folder: Path, folder_of_numbers: Path) -> None:
    """The document for users with its chart, and that for those who change the code."""
    import chart

    write_document(document(results), ROOT / "docs" / "performance.md", folder)
    chart.draw(Table(results), folder / "performance.png")
    write_document(numbers(results), BENCH / "numbers.md", folder_of_numbers)


def write_document(tables: str, template: Path, folder: Path) -> None:
    """The tables between the markers of a document."""
    before, begin, rest = template.read_text(encoding="utf-8").partition(BEGIN)
    _old, end, after = rest.partition(END)
    if not (begin and end):
        sys.exit(f"{template.name} has not both markers, {BEGIN} and {END}.")
    folder.mkdir(parents=True, exist_ok=True)
    text = f"{before}{BEGIN}\n\n{tables}\n\n{END}{after}"
    (folder / template.name).write_text(text, encoding="utf-8")
    say(f"Written: {template.name} in {folder}")


def parsed(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--runs", type=int, default=5, help="runs of every case; figures are medians (default: %(default)s)")
    add("--slow", type=float, default=10, metavar="SECONDS", help="what --slow-runs is about (default: %(default)s)")
    add("--slow-runs", type=int, metavar="N", help="runs of cases that take longer than --slow (default: as --runs)")
    add("--quick", action="store_true", help="one run, 20 sets, the small simulations; documents in the scratch folder")
    add("--case", choices=NAMED, nargs="+", default=[], help="parts of it by their names; nothing else")
    add("--only", default="", metavar="TEXT", help="cases whose 'TOOL, OPERATION' holds this; nothing else")
    add("--sizes", type=int, nargs="+", choices=ALL_SIZES, help="numbers of sets; with --only or --case")
    add("--zones", type=int, nargs="+", help="numbers of zones, where there are many; with --only or --case")
    add("--render", action="store_true", help="measure nothing, write the documents from --results")
    add("--latency", type=float, default=50, metavar="MS", help="added to every request (default: %(default)s)")
    add("--peers", type=Path, metavar="FOLDER", help="where ansible_collections/ with the peers is, instead of pip's")
    add("--no-peers", action="store_true", help="leave the peers out")
    add("--no-scale", action="store_true", help="leave the simulation out")
    add("--scratch", type=Path, default=ROOT / "tests" / "output" / "bench", metavar="FOLDER", help="for what it makes")
    add("--results", type=Path, default=BENCH / "results.json", metavar="FILE", help="the raw figures")
    arguments = parser.parse_args(words)
    if arguments.quick:
        arguments.runs, arguments.sizes = 1, arguments.sizes or QUICK_SIZES
        arguments.zones = arguments.zones or QUICK_ZONES
        arguments.results = arguments.scratch / "results.json"
    if arguments.case and arguments.results == BENCH / "results.json":
        arguments.results = arguments.scratch / "results.json"
    arguments.slow_runs = arguments.runs if arguments.slow_runs is None else max(1, arguments.slow_runs)
    if (arguments.sizes or arguments.zones) and not (arguments.only or arguments.case or arguments.quick):
        parser.error("--sizes and --zones need --only or --case: the document is about all sizes")
    return arguments


def main() -> int:
    """Measure, sum up, write; 1 where a run failed."""
    arguments = parsed()
    if arguments.render:
        results: Results = json.loads(arguments.results.read_text(encoding="utf-8"))
    else:
        results = _measured(arguments)
    if is_busy(results):
        say("The machine was busy before the start: do not trust these figures.")
    for number, limit, measured, verdict in checks(Table(results)):
        if verdict != "not measured":
            say(f"{verdict.replace('*', '')}: {number}: {measured}, limit {limit}")
    if results["failures"]:
        say(f"{len(results['failures'])} runs FAILED and are in no figure.")
    if not (arguments.only or arguments.case):
        scratch = arguments.scratch / "docs"
        write_documents(results, *((scratch, scratch) if arguments.quick else (ROOT / "docs", BENCH)))
    return 1 if results["failures"] else 0


def _measured(arguments: argparse.Namespace) -> Results:
    """Measure what the command line asks for; the file of results holds every round as soon as it is over."""
    without_database = databases.missing()
    octodns = octodns_version()
    chosen = [
        case
        for case in (*cases(arguments.sizes or ALL_SIZES), *account_cases(arguments.zones or ()))
        if arguments.only in f"{case.tool.name}, {case.operation}"
        and (not arguments.case or is_of(arguments.case, case))
        and not (arguments.no_peers and case.tool.service == "peers")
        and not (without_database and case.tool.needs_database)
        and not (case.tool.name == OCTODNS and (arguments.no_peers or not octodns))
    ]
    results: Results = {
        **conditions(arguments),
        "without_database": without_database,
        "without_octodns": "" if octodns else "it is not installed",
    }
    if octodns:
        results["versions"]["octodns"] = octodns
    started = time.monotonic()
    scratch = Scratch(arguments.scratch.resolve())

    def keep(more: Results) -> None:
        results.update(more, minutes=(time.monotonic() - started) / 60)
        arguments.results.write_text(json.dumps(results, indent=1), encoding="utf-8")

    with_database = any(case.tool.needs_database for case in chosen)
    with_peers = any(case.tool.service == "peers" for case in chosen)
    try:
        with stand_ins(arguments.latency, with_peers=with_peers, with_database=with_database) as (services, peers_url):
            results["versions"] |= scratch.prepare(arguments.peers, peers_url)
            say(f"{len(chosen)} cases, load {results['load']:.1f}")
            if with_database:  # no row is about who makes the tables
                measure(
                    Case(next(case.tool for case in chosen if case.tool.needs_database), "create", 1), scratch, services
                )
            rounds = Rounds(chosen, arguments)
            for number in range(1, arguments.runs + 1):
                rounds.run(scratch, services)
                keep(rounds.results())
                say(f"Round {number} of {arguments.runs}; {results['minutes']:.1f} minutes so far")
    except (WrongRun, RuntimeError) as error:
        sys.exit(str(error))
    if not (arguments.only or arguments.case or arguments.no_scale):
        shapes = scale.QUICK if arguments.quick else scale.MANY_ZONES + scale.ONE_ZONE
        keep({"scale": scale.measure(scratch.collections, shapes, say)})
    return results


if __name__ == "__main__":
    if not shutil.which("git"):
        sys.exit("git is missing: the collection is built from the files that it lists.")
    sys.exit(main())
