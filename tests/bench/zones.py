# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure docs/examples/hundreds_of_zones: many zones in one task, as hosts of a play, and in a loop on one host.

python tests/bench/zones.py                        500 zones, three runs, a table
python tests/bench/zones.py --write                the same, and the table goes into docs/guides/hundreds_of_zones.md
python tests/bench/zones.py --zones 10 --runs 1    does everything still work?

Each run begins with empty zones, applies the example, and applies it again when there is nothing left to do. Needs
ansible-core, aiohttp, requests and dnspython, on a machine that does nothing else meanwhile.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
EXAMPLE = TESTS.parent / "docs" / "examples" / "hundreds_of_zones"
GUIDE = TESTS.parent / "docs" / "guides" / "hundreds_of_zones.md"
PLAYBOOK = Path(sys.executable).with_name("ansible-playbook")
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
VALUES = 21  # in standard.zone
ONE_TASK = "`dns_zones` with a folder"
STATES = ("empty zones", "nothing to do")

sys.path[:0] = [str(TESTS), str(TESTS / "service")]
import collection  # noqa: E402 - tests/ is no package
from running import Service  # noqa: E402


class Bench:
    """A folder with the example and the installed collection, and a service with many zones."""

    def __init__(self, folder: Path, service: Service, zones: int) -> None:
        self._service = service
        self._zones = [f"zone{number:03}.example.{'com' if number % 2 else 'org'}" for number in range(zones)]
        self._folder = folder / "example"
        self._state = folder / "state"
        shutil.copytree(EXAMPLE, self._folder)
        (self._folder / "zones").mkdir()
        for zone in self._zones:
            shutil.copy(EXAMPLE / "standard.zone", self._folder / "zones" / f"{zone}.zone")
        collection.install(folder / "collections")
        (folder / "ansible.cfg").touch()
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("ANSIBLE_", "ZONESMITH_"))},
            "ANSIBLE_COLLECTIONS_PATH": str(folder / "collections"),
            "ANSIBLE_CONFIG": str(folder / "ansible.cfg"),
            "ANSIBLE_HOME": str(folder / "ansible"),
            "ANSIBLE_NOCOLOR": "1",
            "LC_ALL": "C.UTF-8",
            "NO_PROXY": "127.0.0.1",
            "no_proxy": "127.0.0.1",
            "ZONESMITH_BASE_URL": service.url,
            "ZONESMITH_ACCESS_TOKEN": service.token,
            "ZONESMITH_STATE_DIR": str(self._state),
        }

    def run(self, command: Sequence[str]) -> list[float]:
        """Seconds of the command with empty zones, and of the same again."""
        for zone in self._zones:
            self._service.zone(zone)
        shutil.rmtree(self._state, ignore_errors=True)  # what the last run remembers of zones that were full
        return [self._timed(command, writes) for writes in (VALUES * len(self._zones), 0)]

    def _timed(self, command: Sequence[str], writes: int) -> float:
        self._service.clear_log()
        started = time.monotonic()
        done = subprocess.run(
            [PLAYBOOK, *command],
            check=False,
            env=self._environment,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        seconds = time.monotonic() - started
        if done.returncode:
            sys.exit(f"{done.stdout[-3000:]}\n{' '.join(command)} failed.")
        seen = sum(entry["changed"] for entry in self._service.log())
        if seen != writes:
            sys.exit(f"{' '.join(command)} made {seen} writes in place of {writes}.")
        return seconds


def measure(arguments: argparse.Namespace) -> dict[str, list[float]]:
    """The median seconds of each state, for each way of running it."""
    ways = {
        "a loop on one host": ["loop.yml"],
        f"zones as hosts, {arguments.forks} forks": [
            "--inventory=zones.zonesmith.yml",
            f"--forks={arguments.forks}",
            "apply.yml",
        ],
        ONE_TASK: ["folder.yml"],
    }
    runs: dict[str, list[list[float]]] = {way: [] for way in ways}
    with tempfile.TemporaryDirectory() as folder, Service(f"--latency={arguments.latency}") as service:
        bench = Bench(Path(folder), service, arguments.zones)
        for number in range(arguments.runs):
            for way, command in ways.items():
                seconds = bench.run(command)
                runs[way].append(seconds)
                shown = ", ".join(f"{state} {taken:.1f} s" for state, taken in zip(STATES, seconds, strict=True))
                print(f"run {number + 1}, {way}: {shown}", flush=True)
    return {way: [statistics.median(column) for column in zip(*rows, strict=True)] for way, rows in runs.items()}


def table(medians: dict[str, list[float]]) -> str:
    """The medians as Markdown, with how many times longer than one task the others take."""
    rows = [["", *STATES], ["---", *["---:"] * len(STATES)]]
    for way, row in medians.items():
        factors = [seconds / fewest for seconds, fewest in zip(row, medians[ONE_TASK], strict=True)]
        told = ["" if way == ONE_TASK else f", {factor:.1f} times as long" for factor in factors]
        rows.append([way, *(f"{seconds:.0f} s{factor}" for seconds, factor in zip(row, told, strict=True))])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> None:
    """Measure, print, and write where asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zones", type=int, default=500, help="how many zones (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=3, help="runs of each, for the median (default: %(default)s)")
    parser.add_argument("--forks", type=int, default=20, help="forks of the play over zones (default: %(default)s)")
    parser.add_argument("--latency", type=int, default=50, help="ms added to each request (default: %(default)s)")
    parser.add_argument("--write", action="store_true", help=f"put the table into {GUIDE.name}")
    arguments = parser.parse_args()
    how_often = f"the median of {arguments.runs} runs" if arguments.runs > 1 else "one run"
    what = f"{arguments.zones} zones of 20 record sets, {arguments.latency} ms added to each request, {how_often}"
    result = f"Measured: {what}, {os.cpu_count()} processors.\n\n{table(measure(arguments))}"
    print(f"\n{result}")
    if arguments.write:
        text = GUIDE.read_text(encoding="utf-8")
        block = f"{BEGIN}\n\n{result}\n\n{END}"
        GUIDE.write_text(re.sub(f"{BEGIN}.*{END}", lambda _match: block, text, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as error:  # Service tells in it why it did not start
        sys.exit(str(error))
