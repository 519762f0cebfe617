# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Servers that run beside a test, and what has to be installed for them."""

from __future__ import annotations

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
    "openssl": "openssl",
    "setpriv": "util-linux",
}


class StartError(RuntimeError):
    """Why a program did not start, with what it printed."""


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


class Process:
    """A program that runs in a folder of its own, until it is stopped or the process of the test is gone."""

    def __init__(self, command, folder, environment):
        self._command = [program("setpriv"), "--pdeathsig", "TERM", *map(str, command)]
        self._log = folder / "log"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=folder,
                env={**os.environ, **environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def wait_until(self, ready):
        """Wait until the program does its work. StartError when it ends before, or takes too long."""
        end = time.monotonic() + START_LIMIT
        while True:
            ended = self._process.poll() is not None
            if not ended and ready():
                return
            if ended or time.monotonic() > end:
                printed = self._log.read_text(encoding="utf-8", errors="replace")
                raise StartError(f"{' '.join(self._command)} did not start:\n{printed}")
            time.sleep(0.05)

    def stop(self):
        """End the program, by its own process id."""
        self._process.terminate()
        try:
            self._process.wait(STOP_LIMIT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Server(abc.ABC):
    """A program that answers. It starts with the `with` block and ends with it, or with the process of the test."""

    _running: contextlib.ExitStack
    _process: Process

    def __enter__(self):
        for tries_left in range(TRIES - 1, -1, -1):
            with contextlib.ExitStack() as running:
                folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="e2e-")))
                self._process = Process(self.command(folder), folder, self.environment)
                running.callback(self._process.stop)
                try:
                    self._process.wait_until(self.is_ready)
                except StartError:
                    # Somebody else may have taken a port that was free a moment ago.
                    if not tries_left:
                        raise
                    continue
                self._running = running.pop_all()
                break
        return self

    def __exit__(self, *_error):
        self._running.close()

    @property
    def environment(self):
        """What the program finds in its environment besides what the test has."""
        return {}

    @abc.abstractmethod
    def command(self, folder):
        """Choose ports, write what the program needs into the folder, and return the command that starts it."""

    @abc.abstractmethod
    def is_ready(self):
        """Whether the program answers."""
