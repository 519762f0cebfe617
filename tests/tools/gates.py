# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Work that starts programs, some at a time: it prints as it goes, and leaves none of them behind, however it ends."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections import defaultdict
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

QUIET = 60  # seconds without a line
POLITELY = 5  # seconds that programs have to end by themselves
PR_SET_CHILD_SUBREAPER = 36  # prctl(2)
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def say(line):
    """Print a line in one piece, as several threads do."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def each(names, work, at_once):
    """What *work* returns of each name; it returns what to print besides. Raises KeyboardInterrupt when it is stopped.

    Programs that *work* starts have a session of their own, so that Ctrl-C comes here alone.
    """
    for stopping in STOPPING:
        signal.signal(stopping, signal.default_int_handler)
    if sys.platform == "linux":
        # What has lost its parent is a child of this process then, and is found.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def begin(name):
        say(f"begins: {name}")
        return work(name)

    pool = ThreadPoolExecutor(at_once)
    say(f"{len(names)} to run, {min(at_once, len(names))} at a time")
    try:
        futures = {pool.submit(begin, name): name for name in names}
        waiting = set(futures)
        while waiting:
            done, waiting = wait(waiting, QUIET, FIRST_COMPLETED)
            for one in done:
                say(f"{one.result()[1]} [{len(names) - len(waiting)} of {len(names)}]")
            if not done:
                say(" ".join(["at work:", *(futures[one] for one in waiting if one.running())]))
        return [one.result()[0] for one in futures]
    finally:
        for stopping in STOPPING:
            signal.signal(stopping, signal.SIG_IGN)
        pool.shutdown(wait=False, cancel_futures=True)
        end_all()


def end_all():
    """End all processes below this one: those of its children's groups as Ctrl-C does, and then what is left."""
    for pid in below(os.getpid(), deep=False):
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGINT)
    politely = time.monotonic() + POLITELY
    while left := below(os.getpid()):
        if time.monotonic() > politely:
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        time.sleep(0.1)


def below(pid, *, deep=True):
    """The processes that *pid* has started, and with *deep* those that they have, and so on."""
    command = ["ps", "-A", "-o", "pid=,ppid=,stat="]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as ps:
        listed = [line.split() for line in ps.communicate()[0].splitlines()]
    children = defaultdict(list)
    for child, parent, state in listed:
        if int(child) != ps.pid and not state.startswith("Z"):
            children[int(parent)].append(int(child))
    found = [*children[pid]]
    for one in found if deep else ():
        found += children[one]
    return found
