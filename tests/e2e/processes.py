# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Servers that run beside a test, and what has to be installed for them."""

import abc
import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

TRIES = 3
START_LIMIT = 20.0
STOP_LIMIT = 5.0
# Servers are often installed where only root looks.
SEARCH = os.pathsep.join(
    [os.environ.get("PATH", os.defpath), "/usr/local/sbin", "/usr/sbin", "/sbin"]
)

# What is needed on the machine, and the Debian package that it comes in.
DEBIAN = {
    "dig": "bind9-dnsutils",
    "named": "bind9",
    "pdns_server": "pdns-server",
    "sqlite3": "sqlite3",
    "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql": "pdns-backend-sqlite3",
    "pebble": "pebble",
    "setpriv": "util-linux",
}


def program(name):
    """Return the path of a program, or just its name where there is none."""
    return shutil.which(name, path=SEARCH) or name


def missing():
    """What has to be installed before a run, in one sentence; empty where nothing is missing."""
    names = {
        DEBIAN[name]
        for name in DEBIAN
        if not (Path(name).is_file() or shutil.which(name, path=SEARCH))
    }
    needs = "The end-to-end tests need packages that are missing: apt-get install"
    return f"{needs} {' '.join(sorted(names))}" if names else ""


def free_port():
    """Return a port that nobody listens on, neither with TCP nor with UDP."""
    while True:
        with (
            socket.socket(type=socket.SOCK_STREAM) as tcp,
            socket.socket(type=socket.SOCK_DGRAM) as udp,
        ):
            tcp.bind(("127.0.0.1", 0))
            port = tcp.getsockname()[1]
            try:
                udp.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


class Server(abc.ABC):
    """A program that answers. It starts with the `with` block and ends with it, or with the process of the test."""

    def __enter__(self):
        """Start it; somebody else may take a port that was free a moment ago."""
        for tries_left in range(TRIES - 1, -1, -1):
            with contextlib.ExitStack() as running:
                folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="e2e-")))
                log = running.enter_context((folder / "log").open("w+", encoding="utf-8"))
                command = ["--pdeathsig", "TERM", *map(str, self.command(folder))]
                process = subprocess.Popen(
                    [program("setpriv"), *command],
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                )
                running.callback(_end, process)
                if self._answers(process):
                    self._running = running.pop_all()
                    break
                if not tries_left:
                    log.seek(0)
                    raise RuntimeError(f"{' '.join(command)} did not start:\n{log.read()}")
        return self

    def __exit__(self, *_error):
        self._running.close()

    def _answers(self, process):
        """Wait until the program answers; whether it does before it ends, or takes too long."""
        end = time.monotonic() + START_LIMIT
        while process.poll() is None and time.monotonic() < end:
            if self.is_ready():
                return True
            time.sleep(0.05)
        return False

    @abc.abstractmethod
    def command(self, folder):
        """Choose ports, write what the program needs into the folder, and return the command that starts it."""

    @abc.abstractmethod
    def is_ready(self):
        """Whether the program answers."""


def _end(process):
    """End a program, by its own process id."""
    process.terminate()
    try:
        process.wait(STOP_LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
