# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One play, measured: its seconds, what the stand-in saw, and the memory of the processes that worked on it."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

BENCH = Path(__file__).resolve().parent
TESTS = BENCH.parents[1]
PEERS = ("community.dns", "vultr.cloud")
INFOMANIAK_HOST = "https://api.infomaniak.com"

sys.path[:0] = [str(TESTS), str(TESTS / "service"), str(TESTS / "state")]
import collection
import peers
import psycopg
from cases import LATENCY, Services
from postgres import Postgres
from running import Service

MEMORY_HOOK = '''\
"""Write down the peak memory of each process that runs a module, as it ends. Python imports this file by its name."""

import atexit
import os
import sys


def note():
    if "AnsiballZ_" in sys.argv[0]:
        with open("/proc/self/status", encoding="ascii") as status:
            peak = next(line.split()[1] for line in status if line.startswith("VmHWM"))
        with open(os.environ["BENCH_MEMORY"], "a", encoding="ascii") as file:
            file.write(peak + "\\n")


if "BENCH_MEMORY" in os.environ:
    atexit.register(note)
'''

LAUNCHER = """\
import json, os, sys, time

told, command = sys.argv[1], sys.argv[2:]
started = time.monotonic()
_pid, status, usage = os.wait4(os.posix_spawn(command[0], command, os.environ), 0)
seconds = time.monotonic() - started
used = usage.ru_utime + usage.ru_stime, usage.ru_maxrss
with open(told, "w", encoding="ascii") as file:
    json.dump([os.waitstatus_to_exitcode(status), seconds, *used], file)
"""
"""Starts a command, and tells what it used: a process begins with the memory of the one that starts it as its peak."""

EMPTY = psycopg.errors.InvalidSchemaName
"""No run has made the tables of the database yet."""

NOOP = '''\
#!/usr/bin/python
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""Take the arguments of dns_records and do nothing."""

from ansible.module_utils.basic import AnsibleModule, env_fallback

AnsibleModule(argument_spec=OPTIONS, supports_check_mode=True).exit_json(changed=False)
'''


class WrongRun(Exception):
    """A play failed, or did not do what was to be measured."""


class Scratch:
    """A folder with all that the plays need: collections, settings, and nothing of the user's own."""

    def __init__(self, folder):
        self.folder = folder
        self.collections = folder / "collections"

    def prepare(self, peers_url):
        """Put the collections in their places; the versions of the peers', if there is a URL for them."""
        shutil.rmtree(self.collections, ignore_errors=True)
        collection.install(self.collections)
        self._make_noop()
        for name in ("hook", "state", "ansible"):
            self.clear(name)
        (self.folder / "hook" / "sitecustomize.py").write_text(MEMORY_HOOK, "ascii")
        (self.folder / "ansible.cfg").touch()
        return self._place_peers(self._download_peers(), peers_url) if peers_url else {}

    def clear(self, name):
        """Make a folder of it empty."""
        shutil.rmtree(self.folder / name, ignore_errors=True)
        (self.folder / name).mkdir(mode=0o700)

    @property
    def work(self):
        """Where what is measured runs, and finds its files."""
        return self.folder / "work"

    @property
    def state_dir(self):
        """Where logs and locks go."""
        return str(self.folder / "state")

    def environment(self, memory):
        """The environment of a play."""
        return {
            **{
                name: value
                for name, value in os.environ.items()
                if not name.startswith(("ANSIBLE_", "ZONESMITH_"))
            },
            "ANSIBLE_COLLECTIONS_PATH": str(self.collections),
            "ANSIBLE_CONFIG": str(self.folder / "ansible.cfg"),
            "ANSIBLE_HOME": str(self.folder / "ansible"),
            "ANSIBLE_REMOTE_TMP": str(self.folder / "ansible" / "remote"),
            "ANSIBLE_NOCOLOR": "1",
            "BENCH_MEMORY": str(memory),
            "LC_ALL": "C.UTF-8",
            # For tasks with state_url, which look there for what was left from before, and cannot have it as an option.
            "ZONESMITH_STATE_DIR": self.state_dir,
            "NO_PROXY": "127.0.0.1",
            "no_proxy": "127.0.0.1",
            "PYTHONPATH": f"{self.folder / 'hook'}{os.pathsep}{self.work}",
        }

    def _make_noop(self):
        """The module that does nothing, with the options that dns_records has now."""
        ask = (
            "import json; from ansible_collections.zonesmith.dns.plugins.modules.dns_records import OPTIONS; "
            "print(json.dumps(OPTIONS, default=lambda function: f'<{function.__name__}>'))"
        )
        environment = {**os.environ, "PYTHONPATH": str(self.collections)}
        done = subprocess.run(
            [sys.executable, "-c", ask],
            env=environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        spec = re.sub(r"'<(\w+)>'", r"\1", repr(json.loads(done.stdout)))
        module = self.collections / "ansible_collections/bench/floor/plugins/modules/noop.py"
        module.parent.mkdir(parents=True)
        module.write_text(NOOP.replace("OPTIONS", spec), "utf-8")

    def _place_peers(self, source, url):
        versions = {}
        for name in PEERS:
            place = Path("ansible_collections", *name.split("."))
            shutil.copytree(
                source / place, self.collections / place, ignore=shutil.ignore_patterns("tests")
            )
            manifest = json.loads((source / place / "MANIFEST.json").read_text("utf-8"))
            versions[name] = manifest["collection_info"]["version"]
        of_dns = self.collections / "ansible_collections/community/dns"
        api = of_dns / "plugins/module_utils/_infomaniak/api.py"
        text = api.read_text("utf-8")
        if INFOMANIAK_HOST not in text:
            raise WrongRun(f"community.dns does not name {INFOMANIAK_HOST} where it did.")
        api.write_text(text.replace(INFOMANIAK_HOST, url), "utf-8")
        return versions

    def _download_peers(self):
        """Both collections out of the `ansible` package of the index, kept for the next time."""
        kept = self.folder / "peers"
        if not kept.exists():
            print("Downloading the ansible package for the peers' collections (once)", flush=True)
            archives = self.folder / "download"
            # The package asks for a newer Python than its collections do; nothing but files is taken from it.
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", archives]
            options = ["--no-deps", "--ignore-requires-python", "--only-binary=:all:"]
            subprocess.run([*pip, *options, "ansible>=14"], check=True)
            (archive,) = archives.glob("ansible-*.whl")
            prefixes = tuple(f"ansible_collections/{name.replace('.', '/')}/" for name in PEERS)
            with zipfile.ZipFile(archive) as package:
                package.extractall(
                    kept, [name for name in package.namelist() if name.startswith(prefixes)]
                )
            shutil.rmtree(archives)
        return kept


class StandIns:
    """Both stand-ins, ours and the one for the peers, and the database, if any."""

    def __init__(self, ours, theirs, state_url):
        self._ours = ours
        self._theirs = theirs
        self._state_url = state_url
        self.peers_url = theirs.url

    def services(self, state_dir):
        """What the plays must know of them."""
        return Services(
            self._ours.url, self._ours.token, state_dir, self._state_url, self.peers_url
        )

    def fill(self, case):
        """Let the zone of a case be as it is before, the service as it is for it, and forget all calls."""
        habits = dict(case.settings)
        latency = habits.pop("latency", LATENCY)
        if case.tool.needs_database:
            with psycopg.connect(self._state_url, autocommit=True) as connection, suppress(EMPTY):
                connection.execute("truncate zonesmith.zone")
        if case.tool.service == "peers":
            self._theirs.fill(case.before(), latency)
        else:
            self._ours.settings(latency=latency)
            for zone, records in case.held().items():
                self._ours.zone(zone, records)
                self._ours.habits(zone, **habits)
            self._ours.clear_log()

    def figures(self, case):
        """Calls, connections and writes since it was filled."""
        if case.tool.service == "peers":
            return self._theirs.figures()
        log = self._ours.log()
        return {
            "calls": len(log),
            "connections": len({entry["connection"] for entry in log}),
            "writes": sum(entry["changed"] for entry in log),
        }


@contextmanager
def stand_ins(*, with_database):
    """Start the stand-ins, and a database on a free port of this machine."""
    with (
        Service() as ours,
        peers.running() as theirs,
        Postgres() if with_database else nullcontext() as database,
    ):
        yield StandIns(ours, theirs, database.url() if database else "")


def measure(case, scratch, services):
    """Run a case once, and tell what it cost, in all processes. Raises WrongRun.

    Memory, in MiB, is of the largest process that ran a module (None where modules run in Ansible's own worker), and of
    the largest process of all.
    """
    memory, used, output = (scratch.folder / name for name in ("memory", "usage", "output"))
    scratch.clear("work")
    for name, text in case.files(services.services(scratch.state_dir)).items():
        file = scratch.work / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
    memory.unlink(missing_ok=True)
    services.fill(case)
    scratch.clear(
        "state"
    )  # what the last run remembers of its writes is not what the zone was filled with
    program, *options = case.command
    launcher = [sys.executable, "-I", "-S", "-c", LAUNCHER, used]
    command = [*launcher, Path(sys.executable).with_name(program), *options]
    pipes = {"stdin": subprocess.DEVNULL, "stderr": subprocess.STDOUT}
    with output.open("w", encoding="utf-8") as file:
        environment = scratch.environment(memory)
        subprocess.run(command, cwd=scratch.work, env=environment, stdout=file, check=True, **pipes)
    exit_status, seconds, processor_seconds, largest_kib = json.loads(used.read_text("ascii"))
    if exit_status:
        raise WrongRun(f"{output.read_text('utf-8')[-3000:]}\n{program} failed.")
    seen = services.figures(case)
    if seen["writes"] != case.writes():
        raise WrongRun(f"{case.key} took {seen['writes']} writes in place of {case.writes()}.")
    peaks = [int(line) for line in memory.read_text().split()] if memory.exists() else []
    return {
        "seconds": seconds,
        "processor_seconds": processor_seconds,
        "calls": seen["calls"],
        "connections": seen["connections"],
        "module_mib": max(peaks) / 1024 if peaks else None,
        "largest_mib": largest_kib / 1024,
    }
