# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Machines that share nothing but a service and a database: a home each, and processes in which tasks run."""

import gc
import multiprocessing
import os

from playing import Task, wait_until
from run_directly import run

from ansible_collections.zonesmith.dns.plugins.module_utils._state.database import DatabaseStore
from ansible_collections.zonesmith.dns.plugins.modules import dns_record, dns_records, dns_zones

IMPORTED = (
    DatabaseStore,
    dns_record,
    dns_records,
    dns_zones,
)  # here, so that the forked processes need not
LIMIT = 300.0  # seconds


class Machine:
    """A machine: its home and state_dir, the service that it writes to, and the database, if any, that it keeps to."""

    def __init__(self, home, service, state_url=""):
        home.mkdir()
        self.environment = {"HOME": str(home), **service.environment(home / "state")}
        if state_url:
            self.environment["ZONESMITH_STATE_URL"] = state_url

    def start(self, *tasks, check_mode=False):
        """Tasks in a process of their own, one after the other."""
        return Run(self.environment, tasks, check_mode)

    def run(self, *tasks, check_mode=False):
        """The results of tasks."""
        return self.start(*tasks, check_mode=check_mode).results()

    def act(self, task, *, check_mode=False):
        """The result of one task."""
        (result,) = self.run(task, check_mode=check_mode)
        return result


class Run:
    """A process in which tasks run. It is forked, so that no Python has to start."""

    def __init__(self, environment, tasks, check_mode):
        context = multiprocessing.get_context("fork")
        self._from, to = context.Pipe(duplex=False)
        self._process = context.Process(target=_run, args=(environment, tasks, check_mode, to))
        self._process.start()
        to.close()

    @property
    def pid(self):
        """The process."""
        assert self._process.pid is not None
        return self._process.pid

    def results(self):
        """What the tasks returned, once they have."""
        if not self._from.poll(LIMIT):
            self._process.kill()
            raise TimeoutError("The tasks do not end.")
        results = self._from.recv()
        self._process.join()
        return results

    def result(self):
        """What the only task returned."""
        (result,) = self.results()
        return result

    def kill(self):
        """End it as nobody expects."""
        self._process.kill()
        self._process.join()


def _run(environment, tasks, check_mode, to):
    # What the parent left to collect is not this process's: a finalizer that warns imports, and while something else
    # is imported, Python before 3.13 fails with a KeyError for that (CPython's gh-106176).
    gc.freeze()
    os.environ.update(environment)
    to.send(
        [run(task.module, {**task.options, "_ansible_check_mode": check_mode}) for task in tasks]
    )


def wait_for_fault(service):
    """Wait until a fault has been met, whose request the service now holds back."""
    wait_until(service.met_faults)


ADDRESSES = [f"192.0.2.{number}" for number in range(1, 6)]


def removal(zone, **options):
    """The last of the five values is to go."""
    wanted = {"name": "www", "type": "A", "content": ADDRESSES[-1], "state": "absent"}
    return Task("dns_record", {"zone": zone, **wanted, **options})


def hold_back(service, method, nth=1):
    """The service holds such a request back until the faults are cleared."""
    service.fault("slow", method=method, nth=nth, seconds=LIMIT)
