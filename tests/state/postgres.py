# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A PostgreSQL of Debian's package on a free port, and a proxy to it that can misbehave."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

START_LIMIT = 60.0
QUERY, SYNC, FLUSH = b"Q", b"S", b"H"  # the messages for whose answers a client waits
PASSWORD = "p@ss/word:that-nobody%may see"


def programs():
    """The folder of the newest server that is installed; None where there is none."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if not found and (initdb := shutil.which("initdb")):
        found = [Path(initdb).resolve().parent]
    return max(
        found, key=lambda path: [int(part) for part in path.parts if part.isdigit()], default=None
    )


class Postgres:
    """A server for the tests, with a superuser that needs a password."""

    def __init__(self):
        folder = programs()
        if folder is None:
            raise RuntimeError(
                "The tests of state_url need a PostgreSQL: apt-get install postgresql"
            )
        self._programs = folder
        self.port = free_port()
        # What it may not do as root, it does as the user of Debian's package.
        self._as = pwd.getpwnam("postgres") if os.geteuid() == 0 else None

    def __enter__(self):
        self._folder = Path(tempfile.mkdtemp(prefix="zonesmith-postgres-"))
        if self._as:
            os.chown(self._folder, self._as.pw_uid, self._as.pw_gid)
        password = self._folder / "password"
        password.write_text(PASSWORD, encoding="utf-8")
        password.chmod(0o644)
        access = ("-U", "admin", "-A", "scram-sha-256", f"--pwfile={password}")
        self._run("initdb", *access, "--no-sync")
        self.start()
        return self

    def __exit__(self, *_error):
        self.stop()
        shutil.rmtree(self._folder)

    def url(self, database="postgres", *, port=None, user="admin"):
        """The state_url of a database, as USER, on another port where something stands between."""
        from urllib.parse import quote

        return f"postgresql://{user}:{quote(PASSWORD, safe='')}@127.0.0.1:{port or self.port}/{database}"

    @contextlib.contextmanager
    def standby(self):
        """A standby of it, up to date and stopped. Once it is started, it gets what came since, if the server lives."""
        other = Postgres()
        other._folder = Path(tempfile.mkdtemp(prefix="zonesmith-standby-"))
        if self._as:
            os.chown(other._folder, self._as.pw_uid, self._as.pw_gid)
        try:
            other._run("pg_basebackup", "-R", "-c", "fast", "-d", self.url())
            other.start()
            other.stop()
            yield other
        finally:
            other.stop()
            shutil.rmtree(other._folder)

    def promote(self):
        """Let a standby take over, and wait until it can be written to."""
        self._run("pg_ctl", "-w", "promote")

    def start(self):
        """Start it, and wait until it answers."""
        options = f"-c port={self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off"
        log = str(self._folder / "log")
        self._run("pg_ctl", "-w", "-l", log, "-o", options, "start")

    def stop(self):
        """Stop it at once, as a crash would."""
        with contextlib.suppress(subprocess.CalledProcessError):
            self._run("pg_ctl", "-w", "-m", "immediate", "stop")

    def _run(self, program, *arguments):
        identity = {}
        if self._as:
            identity = {"user": self._as.pw_uid, "group": self._as.pw_gid, "extra_groups": []}
        subprocess.run(
            [self._programs / program, "-D", self._folder / "cluster", *arguments],
            check=True,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=START_LIMIT,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(self._folder)},
            **identity,
        )


class Proxy:
    """Hands on what it gets to a port of this machine, until it is told to hang, or to cut."""

    def __init__(self, port):
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        self.hangs = False
        self.refuses = False
        self.connections = 0
        self.round_trips = 0
        """How many times the server was sent something for whose answer the client waits, once it was connected.

        For the answer to letting go of locks nobody waits.
        """

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_error):
        self._listener.close()
        self.cut()

    def cut(self):
        """End every connection."""
        for one in self._open:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._open.clear()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _address = self._listener.accept()
                if self.refuses:
                    client.close()
                    continue
                server = socket.create_connection(("127.0.0.1", self._to))
                self.connections += 1
                self._open += [client, server]
                for ends in ((client, server, True), (server, client, False)):
                    # What comes in two pieces would wait for an acknowledgement, 40 ms.
                    ends[0].setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    threading.Thread(target=self._hand_on, args=ends, daemon=True).start()

    def _hand_on(self, one, other, to_server):
        unread, before = bytearray(), b""
        with contextlib.suppress(OSError):
            while content := one.recv(65536):
                while self.hangs:
                    time.sleep(0.02)
                if to_server:
                    unread += content
                    for message in _messages(unread):
                        self.round_trips += _asks(message[:1], before)
                        before = message[:1]
                other.sendall(content)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


def _asks(kind, before):
    """Whether the client waits for what the server says to a message; behind a Sync, a Flush asks for nothing more."""
    return kind in (QUERY, SYNC) or (kind == FLUSH and before != SYNC)


def _messages(unread):
    """The whole messages of a client, taken from what it sent (PostgreSQL, "Message Formats")."""
    while unread:
        # The first ones have no letter before their length, which is below 2 ** 24.
        start = 1 if unread[0] else 0
        end = start + int.from_bytes(unread[start : start + 4], "big")
        if len(unread) < start + 4 or len(unread) < end:
            return
        yield bytes(unread[:end])
        del unread[:end]


def free_port():
    """A port of this machine that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
