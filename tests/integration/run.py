# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run the integration targets with ansible-playbook, each against a stand-in DNS service of its own.

A target is a folder tests/integration/targets/NAME with a tasks/main.yml. It can use the variables service_url,
service_token, service_control and service_backend; own_folder, which is empty at first, and gone after the run; and
forked_programs, a folder of Ansible's programs that are imported already. It finds the address and the token in the
environment too, as a user would. Each runs twice: with the modules in Ansible's worker, and, as far as something could
differ there, with the modules in processes of their own.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
TARGETS = TESTS / "integration" / "targets"
PLUGINS = TESTS / "integration" / "plugins"
TIME_LIMIT = 900
AT_ONCE = 2

# The service has a powerdns.py too: that of the server comes first.
sys.path[:0] = [str(TESTS / folder) for folder in ("e2e", "", "service", "tools")]
import collection
import demo
import programs
from powerdns import PowerDNS
from running import Service

WAYS = ("module", "direct")
STAND_IN_ONLY = {"forms": "its forms of TXT and MX are switches of the stand-in"}


@dataclass(frozen=True)
class Outcome:
    """How one target went."""

    target: str
    way: str
    passed: bool
    seconds: float
    output: str


@contextmanager
def serving(backend):
    """A service with one zone, in memory or in front of a PowerDNS server of its own."""
    if backend == "memory":
        with Service(zones=["example.com"]) as service:
            yield service
        return
    with PowerDNS() as server:
        arguments = [f"--powerdns-url={server.url}", f"--powerdns-key={server.key}"]
        settings = {"txt_write": "any"}
        with Service(*arguments, zones=["example.com"], settings=settings) as service:
            yield service


def run(target, way, settings, backend, options):
    """Run one target one way, with a service and state of its own."""
    started = time.monotonic()
    try:
        passed, output = _run(target, way, settings, backend, options)
    except RuntimeError as error:  # Service tells in it why it did not start
        passed, output = False, f"{target}: {error}\n"
    return Outcome(target, way, passed, time.monotonic() - started, output)


def _run(target, way, settings, backend, options):
    with tempfile.TemporaryDirectory(prefix=f"{target}-") as temporary, serving(backend) as service:
        own_folder = Path(temporary, "own")
        own_folder.mkdir()
        playbook = Path(temporary, "playbook.yml")
        playbook.write_text(json.dumps(play(target)), "utf-8")
        variables = {
            "service_url": service.url,
            "service_token": service.token,
            "service_control": f"{service.url}/_control",
            "service_backend": backend,
            "own_folder": str(own_folder),
            "zonesmith_direct": way == "direct",
            "forked_programs": str(programs.folder(settings)),
        }
        arguments = ["--inventory", "localhost,", "--extra-vars", json.dumps(variables), *options]
        command = [programs.folder(settings) / "ansible-playbook", playbook, *arguments]
        environment = {**settings, **service.environment(Path(temporary, "state"))}
        try:
            done = programs.called(command, Path(temporary), environment, TIME_LIMIT)
            return done.returncode == 0, done.stdout
        except subprocess.TimeoutExpired as error:
            printed = error.stdout or b""
            output = printed.decode(errors="replace") if isinstance(printed, bytes) else printed
            return False, f"{output}\n{target} was stopped after {TIME_LIMIT} s.\n"


def settings_of(folder, collections):
    """The environment in which Ansible runs, the same for all targets: so one start of it does for all."""
    return {
        **demo.settings(folder),
        "ANSIBLE_ACTION_PLUGINS": str(PLUGINS / "action"),
        # By default a job is written into HOME, and looked for in the home that the account has.
        "ANSIBLE_ASYNC_DIR": str(folder / "async"),
        "ANSIBLE_COLLECTIONS_PATH": str(collections),
        "ANSIBLE_CONNECTION_PLUGINS": str(PLUGINS / "connection"),
        "ANSIBLE_LOOKUP_PLUGINS": str(PLUGINS / "lookup"),
        # Or each module is five commands.
        "ANSIBLE_PIPELINING": "1",
        "ANSIBLE_ROLES_PATH": str(TARGETS),
    }


def play(target):
    """The playbook that runs a target."""
    return [
        {
            "name": f"Target {target}",
            "hosts": "localhost",
            "connection": "local",
            "gather_facts": False,
            "vars": {"ansible_python_interpreter": "{{ ansible_playbook_python }}"},
            "roles": [target],
        }
    ]


def report(outcomes, *, everything):
    """Print the output of what failed, or of *everything*, and a line for each run; 1 where one failed."""
    for outcome in outcomes:
        if everything or not outcome.passed:
            print(outcome.output)
    width = max((len(outcome.target) for outcome in outcomes), default=0)
    for outcome in outcomes:
        result = "passed" if outcome.passed else "FAILED"
        print(f"{outcome.target:{width}}  {outcome.way}  {result}  {outcome.seconds:6.1f} s")
    failed = sum(not outcome.passed for outcome in outcomes)
    print(f"{len(outcomes) - failed} passed, {failed} failed")
    return 1 if failed or not outcomes else 0


def main():
    """Run the chosen targets, a few at a time, and print a line for each run."""
    # setup_* is what targets depend on, as in ansible-test.
    known = sorted(
        name
        for tasks in TARGETS.glob("*/tasks/main.yml")
        if not (name := tasks.parts[-3]).startswith("setup_")
    )
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "targets", nargs="*", metavar="TARGET", help=f"of {', '.join(known)}; default: all"
    )
    parser.add_argument(
        "--collections", type=Path, help="folder with the installed collection; default: install it"
    )
    parser.add_argument(
        "--backend", choices=("memory", "powerdns"), default="memory", help="default: %(default)s"
    )
    parser.add_argument("--way", choices=WAYS, action="append", help="default: both")
    parser.add_argument(
        "-v",
        "--verbose",
        action="count",
        default=0,
        help="show what passes too; more: as ansible's",
    )
    args = parser.parse_args()
    if unknown := sorted(set(args.targets) - set(known)):
        parser.error(f"no such target: {', '.join(unknown)}")
    chosen = args.targets or known
    if args.backend != "memory":
        for target in sorted(STAND_IN_ONLY.keys() & set(chosen)):
            print(f"{target} is left out: {STAND_IN_ONLY[target]}")
        chosen = [target for target in chosen if target not in STAND_IN_ONLY]
    options = [f"-{'v' * (args.verbose - 1)}"] if args.verbose > 1 else []

    with tempfile.TemporaryDirectory() as temporary:
        collections = args.collections
        if collections is None:
            collections = Path(temporary)
            collection.install(collections)
        settings = settings_of(Path(temporary), collections.resolve())
        programs.folder(settings)  # once, before several ask for it
        with ThreadPoolExecutor(AT_ONCE) as pool:
            runs = itertools.product(chosen, args.way or WAYS)
            outcomes = list(pool.map(lambda one: run(*one, settings, args.backend, options), runs))

    return report(outcomes, everything=bool(args.verbose))


if __name__ == "__main__":
    sys.exit(main())
