# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""PostgreSQL sessions, which the runs of a process share.

Requests are bounded in time, and errors hold no secret.
"""

from __future__ import annotations

import logging
import os
import re
import select
import socket
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.util import Finalize
from typing import Any
from urllib.parse import quote

from .._dns.printable import printable
from .._machine import machine
from .store import StateError

PSYCOPG_MISSING: ImportError | None = None
try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
except ImportError as error:
    PSYCOPG_MISSING = error

# psycopg's own log of a failure is not printed.
logging.getLogger("psycopg").addHandler(logging.NullHandler())

ANSWERS_WITHIN = 30.0
ASKED_EVERY = 5.0
"""Seconds between checks."""

DEFAULTS: dict[str, Any] = {
    "connect_timeout": 10,
    "application_name": "zonesmith.dns",
    "tcp_user_timeout": 30_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
"""libpq's parameters, which state_url can override."""

# A machine that vanished holds its locks for a minute, and not for the two hours of the kernel.
# What is asked after a lock was waited for must see what its last holder did.
# How long it is waited for is for lock_timeout to say.
SETTINGS = (
    "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3 "
    r"-c synchronous_commit=on -c default_transaction_isolation=read\ committed "
    "-c statement_timeout=0"
)

NOT_AVAILABLE = "55P03"
"""SQLSTATE of a lock not granted in time."""

HINTS = {
    "42501": (
        ": if there are no tables yet, let a role with the CREATE privilege run a task once; then "
        "grant the role of state_url the rights in the guide on state"
    ),
    "25006": ": state_url must lead to a server that can be written to",
}
"""Advice, by SQLSTATE."""

POOLED = (
    "state_url leads to a connection pooler, which breaks locks: use the address of the database "
    "itself"
)

Statement = tuple[str, dict[str, Any]]
Rows = list[list[tuple[Any, ...]]]


class DatabaseError(StateError):
    """*code* is the SQLSTATE, empty without an answer."""

    def __init__(self, reason: str, code: str = ""):
        super().__init__(f"the database of state_url {reason}{HINTS.get(code, '')}")
        self.code = code


class Address:
    """Raises StateError, whose message repeats nothing of the URL."""

    def __init__(self, url: str):
        parameters = _parameters_of(url.strip())
        self._secrets = []
        for name in ("password", "sslpassword"):
            if parameters.get(name):
                self._secrets.append(str(parameters[name]))
        own = parameters.get("options", "")
        options = f"{SETTINGS} {own}".strip()
        self._parameters = {**DEFAULTS, **parameters, "options": options, "client_encoding": "utf8"}

    def connect(self) -> psycopg.Connection[Any]:
        """Raises psycopg.Error."""
        return psycopg.connect(autocommit=True, prepare_threshold=None, **self._parameters)

    @contextmanager
    def in_words(self, connection: psycopg.Connection[Any] | None = None) -> Iterator[None]:
        """Raises DatabaseError for an error of psycopg, and StateError for a pooler."""
        try:
            yield
        except psycopg.Error as error:
            interrupt = error.__context__
            if interrupt and not isinstance(interrupt, Exception):
                if connection:
                    connection.close()  # its state is unknown
                raise interrupt from None  # the task's time is over; psycopg would say it otherwise
            words = error.diag.message_primary or str(error)
            if "unsupported startup parameter" in words:
                raise StateError(POOLED) from None
            code = error.sqlstate or ""
            reason = f"cannot be reached, {self._shown(words)}"
            if code and connection and not connection.closed:
                reason = f"refused the request, {self._shown(words)}"
            raise DatabaseError(reason, code) from None

    def _shown(self, words: str) -> str:
        """A message of libpq or the server as one clause, without the password."""
        text = re.sub(r"\n\t(.*)", r" (\1)", words.strip())
        text = re.sub(r"(?<!:)\n", "; ", text)
        text = " ".join(text.split())
        for secret in self._secrets:
            for spelled in (secret, quote(secret, safe="")):
                text = text.replace(spelled, "********")
        return printable(text).rstrip(".")[:300]


class Session:
    """A connection, and the locks that end with it. Thread-safe. Once lost, it stays lost."""

    def __init__(self, address: Address):
        """Raises DatabaseError."""
        self._address = address
        self._mutex = machine().lock()
        with address.in_words():
            self._connection = address.connect()
        self._answered_at = machine().monotonic()

    @property
    def pid(self) -> int:
        """The server's process number; 0 if the session is lost."""
        if self._connection.closed:
            return 0
        return self._connection.info.backend_pid

    def ask(self, *statements: Statement, waits: float = 0.0) -> Rows:
        """The rows of each statement; all take effect or none does. Raises DatabaseError.

        *waits* are the seconds that they may wait for locks, besides ANSWERS_WITHIN.
        """
        with self._mutex:
            return self._ask(statements, waits + ANSWERS_WITHIN)

    def is_alive(self) -> bool:
        """Asks the server only every few seconds, and when something arrives."""
        with self._mutex:
            if not self.pid:
                return False
            silent_for = machine().monotonic() - self._answered_at
            if silent_for < ASKED_EVERY and not self._has_come():
                return True
            try:
                self._ask([("select 1", {})], ANSWERS_WITHIN)
            except DatabaseError:
                self.close()
                return False
            return True

    def close(self) -> None:
        self._connection.close()

    def _ask(self, statements: Sequence[Statement], within: float) -> Rows:
        connection = self._connection
        with self._address.in_words(connection), self._cut_after(within):
            can_pipeline = psycopg.Pipeline.is_supported()
            together = connection.pipeline() if can_pipeline else connection.transaction()
            with together:
                cursors = [connection.execute(sql, values) for sql, values in statements]
            rows = [cursor.fetchall() if cursor.description else [] for cursor in cursors]
        self._answered_at = machine().monotonic()
        return rows

    def _has_come(self) -> bool:
        poll = select.poll()
        poll.register(self._connection.fileno(), select.POLLIN)
        return bool(poll.poll(0))

    @contextmanager
    def _cut_after(self, seconds: float) -> Iterator[None]:
        """Cut the connection after *seconds*, since a hanging proxy keeps it open for ever."""
        timer = threading.Timer(seconds, self._cut)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _cut(self) -> None:
        with suppress(OSError, psycopg.Error):
            descriptor = os.dup(self._connection.fileno())
            with socket.socket(fileno=descriptor) as own:
                own.shutdown(socket.SHUT_RDWR)


class Sessions:
    """The sessions of a process, at most *most*. Thread-safe. Raises StateError for an invalid URL.

    Idle sessions are kept for the next run, at most until the process ends.
    """

    def __init__(self, url: str, most: int):
        self._address = Address(url)
        self._most = most
        self._begin()

    def _begin(self) -> None:
        self._idle: deque[Session] = deque()
        self._free = threading.BoundedSemaphore(self._most)
        self._pid = os.getpid()  # last, so that no other thread takes old ones
        # Ansible's workers skip atexit, but not this.
        Finalize(self, _end_all, args=(self._idle,), exitpriority=0)

    @contextmanager
    def session(self, *, waits: bool = True) -> Iterator[Session]:
        """A session of its own for the context, which an error ends. Raises DatabaseError.

        If all are in use, it *waits*, or else raises DatabaseError.
        """
        if self._pid != os.getpid():  # sessions from before a fork belong to the parent
            self._begin()
        free = self._free
        if not free.acquire(blocking=waits):
            raise DatabaseError("is asked by all sessions of this run already")
        try:
            session = self._idle_session() or Session(self._address)
            try:
                yield session
            except BaseException:
                session.close()
                raise
            self._idle.append(session)
        finally:
            free.release()

    def rows(self, statement: Statement, *, waits: bool = True) -> Rows:
        """The answer of any session, as ``session`` gives it. Raises DatabaseError."""
        with self.session(waits=waits) as session:
            return session.ask(statement)

    def _idle_session(self) -> Session | None:
        with suppress(IndexError):
            while True:
                session = self._idle.pop()
                if session.is_alive():
                    return session
        return None


def _end_all(idle: deque[Session]) -> None:
    while idle:
        idle.pop().close()


def _parameters_of(url: str) -> dict[str, Any]:
    if not url.startswith(("postgresql://", "postgres://")):
        raise StateError("state_url does not begin with postgresql://")
    # Parts of a password without percent-encoding become host, port or database: errors repeat them.
    before_host, _at, _rest = url.partition("://")[2].rpartition("@")
    parameters: dict[str, Any] = {}
    if set(before_host).isdisjoint("@/\0"):
        with suppress(psycopg.Error, UnicodeError):  # libpq's message would repeat the text
            parameters = conninfo_to_dict(url)
    ports = str(parameters.get("port", ""))
    if not parameters or not _are_ports(ports):
        raise StateError(
            "state_url is not a PostgreSQL URL: write postgresql://USER:PASSWORD@HOST/DATABASE, "
            "with special characters percent-encoded"
        )
    return parameters


def _are_ports(text: str) -> bool:
    """Whether each part between commas is a port, or empty for the usual one."""
    for port in text.split(","):
        if port and not (port.isdecimal() and 0 < int(port) < 2**16):
            return False
    return True
