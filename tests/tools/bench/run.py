# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure how long the modules take, beside other tools, and write docs/performance.md.

python tests/tools/bench/run.py                           five runs of everything
python tests/tools/bench/run.py --slow 10 --slow-runs 1   one run in place of five of what takes longer than 10 s
python tests/tools/bench/run.py --only 'no change, 10000$'
                                                    some cases, before and after a change; nothing in docs/
python tests/tools/bench/run.py --render                  the document again, from the results that are there

Needs ansible-core, aiohttp, requests, dnspython, matplotlib, octodns and psycopg, and for the rows with state_url an
installed PostgreSQL, on a machine that does nothing else meanwhile.
"""

import argparse
import datetime
import json
import os
import platform
import re
import sys
import time
from importlib.metadata import version
from pathlib import Path

BENCH = Path(__file__).resolve().parent
ROOT = BENCH.parents[2]
sys.path.insert(0, str(BENCH))
from account import account_cases
from cases import LATENCY, Case, cases
from measuring import Scratch, WrongRun, measure, stand_ins
from postgres import programs
from report import Table, document, is_busy

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
DOCS = ROOT / "docs"
SCRATCH = ROOT / "tests" / "output" / "bench"
PROGRAMS = ("ansible-core", "requests", "dnspython", "octodns")


def say(text):
    """Print a line at once."""
    print(text, flush=True)


def chosen_cases(only):
    """The cases whose `TOOL, OPERATION, NUMBER` has this regular expression, with a play of one ping."""
    every = [*cases(), *account_cases()]
    return [
        case for case in every if case.sets == 1 or re.search(only, ", ".join(map(str, case.key)))
    ]


def conditions():
    """Under which everything is measured."""
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "command": " ".join(["python tests/tools/bench/run.py", *sys.argv[1:]]),
        "latency": LATENCY,
        "cores": len(os.sched_getaffinity(0)),
        "load": os.getloadavg()[0],
        "versions": {
            "Python": platform.python_version(),
            **{name: version(name) for name in PROGRAMS},
        },
    }


def measured(arguments, file):
    """Round after round of every case, so that a busy minute of the machine meets all; each is kept once it is over."""
    chosen = chosen_cases(arguments.only)
    if not programs():
        say("PostgreSQL is not installed: without the rows with state_url.")
        chosen = [case for case in chosen if not case.tool.needs_database]
    results = {**conditions(), "cases": [], "failures": []}
    runs = {case.key: [] for case in chosen}
    started, scratch = time.monotonic(), Scratch(SCRATCH)
    with_database = next((case.tool for case in chosen if case.tool.needs_database), None)
    with stand_ins(with_database=bool(with_database)) as services:
        with_peers = any(case.tool.service == "peers" for case in chosen)
        results["versions"] |= scratch.prepare(services.peers_url if with_peers else "")
        say(f"{len(chosen)} cases, load {results['load']:.1f}")
        if with_database:  # no row is about who makes the tables
            measure(Case(with_database, "create", 1), scratch, services)
        for number in range(1, arguments.runs + 1):
            for case in chosen:
                done = runs[case.key]
                if len(done) < arguments.slow_runs or done[0]["seconds"] <= arguments.slow:
                    _run(case, scratch, services, done, results["failures"])
            results["cases"] = [{"tool": tool, "operation": operation, "sets": sets, "runs": done}
                                for (tool, operation, sets), done in runs.items() if done]  # fmt: skip
            results["minutes"] = (time.monotonic() - started) / 60
            file.write_text(json.dumps(results, indent=1), "utf-8")
            say(f"Round {number} of {arguments.runs}; {results['minutes']:.1f} minutes so far")
    return results


def _run(
    case,
    scratch,
    services,
    done,
    failures,
):
    text = ", ".join(map(str, case.key))
    try:
        done.append(measure(case, scratch, services))
    except WrongRun as error:
        say(f"  FAILED  {text}: {error}")
        failures.append(case.key)
    else:
        say(f"  {done[-1]['seconds']:7.2f} s  {done[-1]['calls']:6} calls  {text}")


def write_document(results):
    """The document for users, with its chart."""
    import chart

    chart.draw(Table(results), DOCS / "performance.png")
    page = DOCS / "performance.md"
    before, _begin, rest = page.read_text("utf-8").partition(BEGIN)
    text = f"{before}{BEGIN}\n\n{document(results)}\n\n{END}{rest.partition(END)[2]}"
    page.write_text(text, "utf-8")
    say(f"Written: {page}")


def parsed(words=None):
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add(
        "--runs",
        type=int,
        default=5,
        help="runs of every case; figures are medians (default: %(default)s)",
    )
    add(
        "--slow",
        type=float,
        default=10,
        metavar="SECONDS",
        help="what --slow-runs is about (default: %(default)s)",
    )
    add(
        "--slow-runs",
        type=int,
        metavar="N",
        help="runs of cases that take longer than --slow (default: as --runs)",
    )
    add(
        "--only",
        default="",
        metavar="PATTERN",
        help="cases whose 'TOOL, OPERATION, NUMBER' has this; nothing in docs/",
    )
    add(
        "--render",
        action="store_true",
        help="measure nothing, write the document from tests/tools/bench/results.json",
    )
    arguments = parser.parse_args(words)
    arguments.slow_runs = arguments.slow_runs or arguments.runs
    return arguments


def main():
    """Measure, sum up, write; 1 where a run failed."""
    arguments = parsed()
    SCRATCH.mkdir(parents=True, exist_ok=True)
    file = (SCRATCH if arguments.only else BENCH) / "results.json"
    results = json.loads(file.read_text("utf-8")) if arguments.render else measured(arguments, file)
    if is_busy(results):
        say("The machine was busy before the start: do not trust these figures.")
    if results["failures"]:
        say(f"{len(results['failures'])} runs FAILED and are in no figure.")
    if not arguments.only:
        write_document(results)
    return 1 if results["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
