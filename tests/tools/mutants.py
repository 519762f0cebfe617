# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How much the tests notice: the code with one small thing wrong, again and again, and the tests that run that line.

python tests/tools/mutants.py                                 all of plugins/module_utils, with all unit tests
python tests/tools/mutants.py plugins/module_utils/_plan      files or folders
python tests/tools/mutants.py --every 10                      every tenth mutant
python tests/tools/mutants.py --tests tests/unit/plan --tests tests/unit/log ...

It works on a copy. What survives is printed; survivors that change nothing are listed in tests/tools/mutants.txt, each with
the reason. It ends with an error where fewer than 92 of a hundred are killed in a file, or where a mutant is listed
that no longer survives, or that no longer is one.

A mutant meets the tests of the file that bears its file's name, and of all others that run its line the quickest of
each file of tests in turn, as many as take --seconds together, and what survives those counts as alive: the shares are
rather too low than too high.
Left out are files that run against a real database alone and, unless it is named, the one that only an older dnspython
runs.
"""

import argparse
import fnmatch
import functools
import gc
import importlib
import itertools
import multiprocessing
import os
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path
from types import FunctionType

import coverage
import pytest
import tomllib

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import collection
from mutations import mutants_of

PACKAGE = "ansible_collections.zonesmith.dns"
SOURCES = Path("plugins", "module_utils")
OF_OLDER = SOURCES / "_dns" / "older_dnspython.py"
EQUIVALENT = Path(__file__).with_suffix(".txt")
LEAST = 92  # percent
MEMORY = 8 << 30
# Of each thread, also of one that has ended and is not collected yet: by thousands in some tests.
STACK = 1 << 20
# Imported once, before the processes part: none of it knows the collection.
LIBRARIES = (
    "ansible.module_utils.basic",
    "ansible.errors",
    "dns.zonefile",
    "hypothesis",
    "requests",
    "yaml",
)

AT_ONCE = os.cpu_count() or 1
PLAIN = ("-p", "no:cacheprovider", "--assert=plain", "--quiet")

fork = multiprocessing.get_context("fork")


def survives(work, seconds):
    """Whether *work* is true in a process of its own that may take so many seconds."""

    def bounded():
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sys.exit(0 if work() else 1)

    process = fork.Process(target=bounded)
    process.start()
    process.join(seconds)
    if process.exitcode is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.join()
    return process.exitcode == 0


class Tests:
    """A session of pytest that gives its tests to somebody else to run."""

    def __init__(self, use):
        self.items = []
        self.ids = []
        self._use = use
        self._caches = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        self.items, self.ids = session.items, [item.nodeid for item in session.items]
        gc.unfreeze()  # what conftest.py has hidden from the collector is not among its objects
        cached = (one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper))
        self._caches = [one for one in cached if str(one.__module__).startswith(PACKAGE)]
        self._use(self)
        return True

    def pass_one(self, item, following):
        """Run one test, with no value remembered from another."""
        for one in self._caches:
            one.cache_clear()
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        return not item.session.testsfailed

    def all_pass(self, chosen):
        """Run these tests until one fails."""
        for index, following in itertools.zip_longest(chosen, chosen[1:]):
            after = None if following is None else self.items[following]
            if not self.pass_one(self.items[index], after):
                return False
        return True


def measured(tests, place, results, tell):
    """Run all tests; write down the tests that run each line, and what each of them costs in seconds.

    Tells of a test that fails, and ends there.
    """
    cover = coverage.Coverage(data_file=None, source=[str(place / SOURCES)], config_file=False)
    cover.start()
    costs = []
    for index, (item, following) in enumerate(
        zip(tests.items, [*tests.items[1:], None], strict=True)
    ):
        cover.switch_context(str(index))
        started = time.monotonic()
        if not tests.pass_one(item, following):
            tell(f"This test fails: {item.nodeid}")
            return False
        costs.append(time.monotonic() - started)
    cover.stop()
    data = cover.get_data()
    lines = {
        str(Path(name).relative_to(place)): {
            line: [int(test) for test in contexts if test]
            for line, contexts in data.contexts_by_lineno(name).items()
        }
        for name in data.measured_files()
    }
    results.write_bytes(pickle.dumps((lines, costs)))
    return True


class Judge:
    """Says of each mutant whether the tests that run its lines fail."""

    def __init__(self, place, seconds, tell):
        self._place, self._seconds, self._tell = place, seconds, tell
        self._results = place.parents[2] / "results"
        self._living = {}
        self.lines = {}
        self.costs = []
        self.tests = None

    def survivors(self, tests, mutants):
        """Those that survive; None where tests fail without one, in the order of their files or the quick ones first."""
        self.tests = tests
        if not survives(lambda: measured(tests, self._place, self._results, self._tell), 3600):
            return None
        self.lines, self.costs = pickle.loads(self._results.read_bytes())  # noqa: S301 - written just above
        every = sorted(range(len(tests.ids)), key=lambda test: self.costs[test])
        if not survives(lambda: tests.all_pass(every), self.seconds(every)):
            return None
        # Tests may import a file only when they run.
        for path in {mutant.path for mutant in mutants}:
            importlib.import_module(".".join((PACKAGE, *Path(path).with_suffix("").parts)))
        self._living = _functions()
        return self._side_by_side(mutants)

    def chosen(self, mutant):
        """Tests of a mutant: those that bear its name, then all that run its line in turn."""
        ids = self.tests.ids
        path = Path(mutant.path)
        about_it = f"/{path.parent.name.lstrip('_')}/test_{path.stem}.py::"
        found = self._running(mutant)
        if self._is_of_import(mutant):  # a test may import it in a process of its own
            found = {test for tests in self.lines.get(mutant.path, {}).values() for test in tests}
            found |= {test for test, name in enumerate(ids) if about_it in name}
        order = sorted(self._in_turn(found, ids), key=lambda test: about_it not in ids[test])
        spent = itertools.accumulate(self.costs[test] for test in order)
        return [
            test for test, seconds in zip(order, spent, strict=True) if seconds <= self._seconds
        ] or order[:1]

    def _running(self, mutant):
        """The tests that run its lines."""
        ran = self.lines.get(mutant.path, {})
        return {test for line in mutant.lines for test in ran.get(line, ())}

    def _is_of_import(self, mutant):
        """Whether it may make a difference as the file is imported: also in functions that no test calls."""
        return not (mutant.functions and self._running(mutant))

    def _in_turn(self, found, ids):
        """One test of each file after the other, the quickest first, and each function once before its next case."""
        turns = {}
        for part, then in (("[", lambda test: self.costs[test]), ("::", turns.__getitem__)):
            before = Counter()
            for test in sorted(found, key=then):
                name = ids[test].partition(part)[0]
                turns[test] = (before[name], self.costs[test])
                before[name] += 1
        return sorted(found, key=turns.__getitem__)

    def seconds(self, chosen):
        """How long these tests may take; the costs were measured with coverage, and so are rather high."""
        return 10 + 2 * sum(self.costs[test] for test in chosen)

    def _side_by_side(self, mutants):
        """Judged by as many processes as there are processors, each with a copy of all files."""

        def judge(strip):
            folder = self._results.parent / str(strip)
            collection.copy(folder)
            place = folder.joinpath(*PACKAGE.split("."))
            mine = range(strip, len(mutants), AT_ONCE)
            alive = [at for at in mine if self._lives(mutants[at], place)]
            self._results.with_suffix(f".{strip}").write_bytes(pickle.dumps(alive))

        processes = [fork.Process(target=judge, args=(strip,)) for strip in range(AT_ONCE)]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        files = [self._results.with_suffix(f".{strip}") for strip in range(AT_ONCE)]
        alive = sorted(at for file in files for at in pickle.loads(file.read_bytes()))  # noqa: S301 - written just above
        return [mutants[at] for at in alive]

    def _lives(self, mutant, place):
        chosen = self.chosen(mutant)
        file = place / mutant.path
        original = file.read_text("utf-8")
        file.write_text(mutant.text, "utf-8")
        lives = not chosen or self._passes(mutant, chosen, place)
        file.write_text(original, "utf-8")
        if lives:
            is_run = not mutant.functions or self._running(mutant)
            self._tell(f"{mutant}{'' if is_run else ' (no test runs it)'}")
        return lives

    def _passes(self, mutant, chosen, place):
        """Whether tests pass with it in the functions as they are, and as imported: one may have made a table by then."""
        limit = self.seconds(chosen)
        passes = True
        if not self._is_of_import(mutant):
            passes = survives(lambda: self._in_function(mutant, chosen), limit)
        return passes and survives(lambda: self._at_import(chosen, place), limit)

    def _in_function(self, mutant, chosen):
        """Whether tests pass with other code in the functions as they are."""
        file = str(self._place / mutant.path)
        for code in mutant.functions:
            for function in self._living[file, code.co_qualname, code.co_firstlineno]:
                function.__code__ = code
        return self.tests.all_pass(chosen)

    def _at_import(self, chosen, place):
        """Whether tests pass that import everything anew from a place, where the mutant is."""
        names = [self.tests.ids[test] for test in chosen]
        command = [sys.executable, "-m", "pytest", *PLAIN, "--exitfirst", *names]
        environment = {**os.environ, "PYTHONPATH": str(place.parents[2])}
        return not subprocess.run(
            command, cwd=place, env=environment, stdout=subprocess.DEVNULL, check=False
        ).returncode


def _functions():
    """All functions there are, by where their code stands."""
    found = defaultdict(list)
    for one in gc.get_objects():
        if isinstance(one, FunctionType):
            code = one.__code__
            found[code.co_filename, code.co_qualname, code.co_firstlineno].append(one)
    return found


def listed():
    """The mutants that change nothing, each with the reason."""
    text = EQUIVALENT.read_text("utf-8") if EQUIVALENT.exists() else ""
    rows = [line for line in text.splitlines() if line and not line.startswith("#")]
    return {what: reason for what, _mark, reason in (row.rpartition("  # ") for row in rows)}


def sources(arguments):
    """The files to change, as paths in the repository; none that coverage leaves to tests/state."""
    root = collection.REPOSITORY
    left = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["coverage"]["run"][
        "omit"
    ]
    for path in (Path(argument).resolve() for argument in arguments or [str(root / SOURCES)]):
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            may_be_there = path.is_dir() and file == root / OF_OLDER
            may_be_there = may_be_there or any(
                fnmatch.fnmatch(str(file), pattern) for pattern in left
            )
            if file.stat().st_size and not may_be_there:
                yield file.relative_to(root).as_posix()


def report(mutants, alive, keys, tell):
    """Say what came of each file, and of all; whether all is well. *keys* are those of all mutants, tried or not."""
    equivalent = listed()
    well = True
    for path in dict.fromkeys(mutant.path for mutant in mutants):
        every = [mutant for mutant in mutants if mutant.path == path]
        left = [mutant for mutant in alive if mutant.path == path]
        same = [mutant for mutant in left if mutant.key in equivalent]
        killed, of = len(every) - len(left), len(every) - len(same)
        share = 100 * killed / of if of else 100.0
        tell(f"{path}: {killed}/{of} killed, {share:.0f} %, and {len(same)} equivalent")
        dead = {one.key for one in every} - {one.key for one in left}
        of_file = [key for key in equivalent if key.startswith(f"{path} ")]
        gone = [key for key in of_file if key in dead or key not in keys]
        for key in gone:
            tell(f"  in {EQUIVALENT.name}, but no such mutant survives: {key}")
        well = well and share >= LEAST and not gone
    same = sum(mutant.key in equivalent for mutant in alive)
    tell(f"all: {len(mutants) - len(alive)}/{len(mutants) - same} killed, and {same} equivalent")
    return well


def main():
    """Make the mutants, judge them, and say what survived."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth mutant")
    parser.add_argument(
        "--seconds", type=float, default=10, help="of tests for a mutant; 10 if not given"
    )
    parser.add_argument(
        "--tests", action="append", metavar="PATH", help="tests to run; all unit tests if not given"
    )
    parser.add_argument(
        "files", nargs="*", help="what to change; all of plugins/module_utils if not given"
    )
    arguments = parser.parse_args()
    paths = list(sources(arguments.files))
    terminal = os.fdopen(os.dup(1), "w", buffering=1)

    def tell(line):
        print(line, file=terminal)

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        collection.copy(folder)
        place = folder.joinpath(*PACKAGE.split("."))
        os.environ |= {
            "PYTHONPATH": str(folder),
            "PYTHONDONTWRITEBYTECODE": "1",
            "COVERAGE_CORE": "ctrace",
        }
        sys.dont_write_bytecode = True
        sys.path.insert(0, str(folder))
        os.chdir(place)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        threading.stack_size(STACK)
        for library in LIBRARIES:
            importlib.import_module(library)
        every_mutant = [mutant for path in paths for mutant in mutants_of(place, path)]
        mutants = every_mutant[:: arguments.every]
        judge = Judge(place, arguments.seconds, tell)
        found = []
        tests = Tests(lambda tests: found.append(judge.survivors(tests, mutants)))
        pytest.main([*PLAIN, *(arguments.tests or ["tests/unit"])], plugins=[tests])
        if found in ([], [None]):
            sys.exit("The tests fail without a mutant.")
        well = report(mutants, found[0], {mutant.key for mutant in every_mutant}, tell)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
