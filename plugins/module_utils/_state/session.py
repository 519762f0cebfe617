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
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.util import Finalize
from typing import Any
from urllib.parse import quote

from .._dns.printable import printable
from .._machine import machine
from .._telling import waiting
from .store import StateError

PSYCOPG_MISSING: ImportError | None = None
try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
except ImportError as error:
    PSYCOPG_MISSING = error

# psycopg's own log of a failure is not printed.
logging.getLogger("psycopg").addHandler(logging.NullHandler())

SCHEMES = ("postgresql://", "postgres://")
ANSWERS_WITHIN = 30.0
ASKED_EVERY = 5.0
"""Seconds between checks."""

ASKS_AGAIN = 1.0
"""Seconds, about."""

DEFAULTS: dict[str, Any] = {
    "connect_timeout": 10,
    "application_name": "zonesmith.dns",
    "tcp_user_timeout": 30_000,
}
DEFAULTS |= {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
"""libpq's parameters, which state_url can override."""

# A machine that vanished holds its locks for a minute, and not for the two hours of the kernel. What is asked after a
# lock was waited for must see what its last holder did. How long it is waited for is for lock_timeout to say.
SETTINGS = (
    "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3 -c synchronous_commit=on "
    r"-c default_transaction_isolation=read\ committed -c statement_timeout=0"
)

NOT_AVAILABLE, NO_SLOT = "55P03", "53300"
"""SQLSTATEs of a lock not granted in time, and of a server without a free session."""

_NO_SLOT = re.compile("connection slots are reserved|too many (clients|connections)")
"""libpq has no SQLSTATE for this, only the server's words, recognized in English."""

HINTS = {
    "42501": ": let the owner of the schema zonesmith grant the role of state_url the rights in the guide on state",
    "42703": ": restore the schema zonesmith from a backup, or remove it while no run is under way",
    "25006": ": state_url must lead to a server that can be written to",
    NO_SLOT: ": raise max_connections of the server, or set a longer lock_timeout",
}
"""Advice, by SQLSTATE."""

POOLED = "state_url leads to a connection pooler, which breaks locks: use the address of the database itself"

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
        self._secrets = [
            str(parameters[name]) for name in ("password", "sslpassword") if parameters.get(name)
        ]
        options = f"{SETTINGS} {parameters.get('options', '')}".strip()
        self._parameters = {**DEFAULTS, **parameters, "options": options, "client_encoding": "utf8"}

    def connect(self) -> psycopg.Connection[Any]:
        """Raises psycopg.Error."""
        return psycopg.connect(autocommit=True, prepare_threshold=None, **self._parameters)

    def shown(self, words: str) -> str:
        """A message of libpq or the server as one clause, without the password."""
        text = re.sub(r"(?<!:)\n", "; ", re.sub(r"\n\t(.*)", r" (\1)", words.strip()))
        text = " ".join(text.split())
        for secret in self._secrets:
            text = text.replace(secret, "********").replace(quote(secret, safe=""), "********")
        return printable(text).rstrip(".")[:300]


class Session:
    """For one thread at a time. Once lost, it stays lost. Raises DatabaseError."""

    def __init__(self, address: Address):
        self._address = address
        self._connection: psycopg.Connection[Any] | None = None
        with self._in_words():
            self._connection = address.connect()
        self.is_clear = True  # whether no answer is pending
        self._answered_at = machine().monotonic()

    @property
    def pid(self) -> int:
        """The server's process number; 0 if the session is lost."""
        connection = self._connection
        return connection.info.backend_pid if connection and not connection.closed else 0

    def ask(self, *statements: Statement, within: float = ANSWERS_WITHIN) -> Rows:
        """The rows of each statement, *within* seconds; all take effect or none does. Raises DatabaseError."""
        with self._in_words(), self._cut_after(within):
            self.is_clear = False
            if (connection := self._connection) is None:
                raise psycopg.OperationalError("the connection is lost")
            together = (
                connection.pipeline()
                if psycopg.Pipeline.is_supported()
                else connection.transaction()
            )
            try:
                with together:
                    cursors = [connection.execute(sql, values) for sql, values in statements]
                rows = [cursor.fetchall() if cursor.description else [] for cursor in cursors]
            except psycopg.errors.LockNotAvailable:
                self.is_clear = True  # the lock was not granted, and all else was rolled back
                raise
            self._answered_at = machine().monotonic()
            self.is_clear = True
            return rows

    def is_alive(self) -> bool:
        """Checked every few seconds, and when something arrives."""
        if not self.pid:
            return False
        if not self._has_come() and machine().monotonic() - self._answered_at < ASKED_EVERY:
            return True
        try:
            self.ask(("select 1", {}), within=ASKED_EVERY)
        except DatabaseError:
            self.close()
            return False
        return True

    def close(self) -> None:
        if self._connection:
            self._connection.close()
        self._connection = None

    def _has_come(self) -> bool:
        poll = select.poll()
        if self._connection:
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
        connection = self._connection
        with suppress(OSError, psycopg.Error):
            if connection:
                with socket.socket(fileno=os.dup(connection.fileno())) as own:
                    own.shutdown(socket.SHUT_RDWR)

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            if (interrupt := error.__context__) and not isinstance(interrupt, Exception):
                self.close()  # its state is unknown
                raise interrupt from None  # the task's time is over; psycopg would say it otherwise
            code, words = error.sqlstate or "", error.diag.message_primary or str(error)
            if "unsupported startup parameter" in words:
                raise StateError(POOLED) from None
            if not code and self._connection is None and _NO_SLOT.search(words):
                code = NO_SLOT
            what = "refused the request" if code and self.pid else "cannot be reached"
            raise DatabaseError(f"{what}, {self._address.shown(words)}", code) from None


class Sessions:
    """Thread-safe. Raises StateError for an invalid URL.

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

    def take(self, patience: float) -> Session:
        """A session to give back later. Raises DatabaseError.

        Waits for the process's other sessions, and *patience* seconds for a server without a free one.
        """
        if self._pid != os.getpid():  # sessions from before a fork belong to the parent
            self._begin()
        self._free.acquire()
        try:
            return self._idle_session() or self._new_session(patience)
        except BaseException:
            self._free.release()
            raise

    def give(self, session: Session) -> None:
        """Let others use a session. In doubt, it ends."""
        if session.is_clear and session.pid:
            self._idle.append(session)
        else:
            session.close()
        self._free.release()

    def renewed(self, session: Session) -> Session:
        """Idle sessions, mostly lost as well, are ended. Raises DatabaseError."""
        session.close()
        _end_all(self._idle)
        return Session(self._address)

    def asked(
        self, patience: float, *statements: Statement, within: float = ANSWERS_WITHIN
    ) -> tuple[Session, Rows]:
        """A session as from ``take``, and its answer. A lost idle one is replaced. Raises DatabaseError."""
        session = self.take(patience)
        try:
            try:
                return session, session.ask(*statements, within=within)
            except DatabaseError:
                if session.pid:
                    raise
            session = self.renewed(session)
            return session, session.ask(*statements, within=within)
        except BaseException:
            self.give(session)
            raise

    def rows(self, patience: float, *statements: Statement) -> Rows:
        """The answer of any session, with *patience* as in ``take``. Raises DatabaseError."""
        session, rows = self.asked(patience, *statements)
        self.give(session)
        return rows

    def _idle_session(self) -> Session | None:
        with suppress(IndexError):
            return self._idle.pop()
        return None

    def _new_session(self, patience: float) -> Session:
        deadline = machine().monotonic() + patience
        with waiting(
            lambda: f"the database of state_url has no free slot; lock_timeout is {patience:g} s"
        ):
            while True:
                try:
                    return Session(self._address)
                except DatabaseError as error:
                    remaining = deadline - machine().monotonic()
                    if error.code != NO_SLOT or remaining <= 0:
                        raise
                machine().sleep(min(remaining, machine().uniform(ASKS_AGAIN / 2, 1.5 * ASKS_AGAIN)))
                if session := self._idle_session():
                    return session


def _end_all(idle: deque[Session]) -> None:
    with suppress(IndexError):
        while True:
            idle.pop().close()


def _parameters_of(url: str) -> dict[str, Any]:
    if not url.startswith(SCHEMES):
        raise StateError(f"state_url does not begin with {SCHEMES[0]}")
    # Parts of a password without percent-encoding become host, port or database, which errors repeat.
    before_host, _at, _rest = url.partition("://")[2].rpartition("@")
    parameters: dict[str, Any] = {}
    if set(before_host).isdisjoint("@/\0"):
        with suppress(psycopg.Error, UnicodeError):  # libpq's message would repeat the text
            parameters = conninfo_to_dict(url)
    ports = [port for port in str(parameters.get("port", "")).split(",") if port]
    if parameters and all(port.isdecimal() and 0 < int(port) < 2**16 for port in ports):
        return parameters
    raise StateError(
        "state_url is not a PostgreSQL URL: write postgresql://USER:PASSWORD@HOST/DATABASE, with special characters "
        "percent-encoded"
    )
