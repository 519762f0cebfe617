# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One session with a PostgreSQL: what is asked is answered within a time, or is an error in words without a secret."""

from __future__ import annotations

import logging
import os
import re
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError

if TYPE_CHECKING:
    from ansible_collections.zonesmith.dns.plugins.module_utils._state.sessions import Sessions

PSYCOPG_MISSING: ImportError | None = None
try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
    from psycopg.pq import ExecStatus, TransactionStatus
except ImportError as error:
    PSYCOPG_MISSING = error

# What psycopg has to say of a failure besides goes to nobody's terminal.
logging.getLogger("psycopg").addHandler(logging.NullHandler())

SCHEMES = ("postgresql://", "postgres://")
CONNECTS_WITHIN = 10
ANSWERS_WITHIN = 30.0
ASKED_EVERY = 5.0
"""Seconds after which a session that seems alive is asked whether it is."""

DEFAULTS: dict[str, Any] = {
    "connect_timeout": CONNECTS_WITHIN,
    "application_name": "zonesmith.dns",
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""What a state_url can say otherwise (libpq's parameter key words)."""

POOLED = (
    "state_url leads to a connection pooler, behind which a lock is not its holder's: give the address of the database "
    "itself"
)

HINTS = {
    "42501": ": let the owner of the schema zonesmith grant the role of state_url what the documentation names",
    "25006": ": state_url must lead to a server that can be written to",
}
"""What to do about a refusal, by its SQLSTATE."""

SETTINGS = {
    # A machine that vanished holds its locks for a minute, and not for the two hours of the kernel.
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
    # What is asked after a lock was waited for must see what its last holder did.
    "default_transaction_isolation": r"read\ committed",
    "synchronous_commit": "on",
    # How long the lock is waited for is for lock_timeout to say.
    "statement_timeout": "0",
}

UNLOCK = b"select pg_advisory_unlock_all()"
TELL_AND_UNLOCK = b"select pg_notify('zonesmith', $1), pg_advisory_unlock_all()"

Statement = tuple[str, "dict[str, Any]"]


class DatabaseError(StateError):
    """The database did not do what it was asked; *code* is the SQLSTATE, empty where there was no answer."""

    def __init__(self, reason: str, code: str = ""):
        super().__init__(f"the database of state_url {reason}")
        self.code = code


class Session:
    """A session with the database at *url*, when it is first asked. Safe to use from several threads.

    It is on a connection that *sessions* lend, where they have one, and on one of its own after that is lost.
    """

    def __init__(self, url: str, sessions: Sessions | None = None):
        given = _parameters_of(url.strip())
        self._secrets = [str(given[name]) for name in ("password", "sslpassword") if given.get(name)]
        options = " ".join([*(f"-c {name}={value}" for name, value in SETTINGS.items()), str(given.get("options", ""))])
        self._parameters = {**DEFAULTS, **given, "options": options.strip(), "client_encoding": "utf8"}
        self._url, self._sessions = url, sessions
        self._connection: psycopg.Connection[Any] | None = None
        self._mutex = threading.RLock()
        self._answered_at = 0.0
        self._is_clear = False  # whether all that was asked was answered
        self._may_be_gone = False  # whether it has no lock, and was not asked since it lay idle
        self._was_ended = False  # whether one was lost: those that lie idle are lost too
        self.number = 0
        """How many sessions there were, this one among them: a server that was restarted gives the same pid again."""

    @property
    def pid(self) -> int:
        """The number by which the server seems to know the session; 0 where there is none."""
        connection = self._connection
        return connection.info.backend_pid if connection and not connection.closed else 0

    def ask(self, *statements: Statement, within: float = ANSWERS_WITHIN) -> list[list[tuple[Any, ...]]]:
        """The rows of each statement; all take effect together or none does, in one round trip where libpq can.

        They are answered within so many seconds. What lay idle and is gone is replaced. Raises DatabaseError.
        """
        with self._mutex:
            try:
                return self._answers(statements, within)
            except DatabaseError:
                if self.pid or not self._may_be_gone:
                    raise
            self.close()
            return self._answers(statements, within)

    def is_alive(self) -> bool:
        """Whether the session goes on; asked of the server every few seconds, and where something came from it."""
        with self._mutex:
            if not self.pid or self._connection is None:
                return False
            poll = select.poll()
            poll.register(self._connection.fileno(), select.POLLIN)
            if not poll.poll(0) and machine().monotonic() - self._answered_at < ASKED_EVERY:
                return True
            try:
                self.ask(("select 1", {}), within=ASKED_EVERY)
            except DatabaseError:
                self.close()
                return False
            return True

    def unlock(self, news: str = "") -> None:
        """Let go of all locks, and tell who listens the *news*, without waiting for the answer.

        Where there is any doubt, the session ends, and nobody is told.
        """
        with self._mutex:
            is_clear, self._is_clear = self._is_clear, False
            if self._connection and is_clear:
                with suppress(psycopg.Error):
                    if news:
                        self._connection.pgconn.send_query_params(TELL_AND_UNLOCK, [news.encode()])
                    else:
                        self._connection.pgconn.send_query(UNLOCK)
                    self._is_clear = self._may_be_gone = not self._connection.pgconn.flush()
            if not self._is_clear:
                self.close()

    def give_back(self) -> None:
        """Let others have the connection of a session without locks; where there is any doubt, end it."""
        with self._mutex:
            connection, is_clear = self._connection, self._is_clear
            if self._sessions is None or connection is None or not is_clear or connection.closed:
                self.close()
                return
            self._connection = None
            self._sessions.give(self._url, connection)

    def close(self) -> None:
        """End the session, and with it its locks."""
        with self._mutex:
            if self._connection:
                self._connection.close()
                self._was_ended = True
            self._connection = None
            self._is_clear = self._may_be_gone = False

    def _answers(self, statements: tuple[Statement, ...], within: float) -> list[list[tuple[Any, ...]]]:
        with self._in_words(), self._cut_after(within):
            self._is_clear = False
            connection = self._connected()
            together = connection.pipeline() if psycopg.Pipeline.is_supported() else connection.transaction()
            with together:
                cursors = [connection.execute(sql, values) for sql, values in statements]
            rows = [cursor.fetchall() if cursor.description else [] for cursor in cursors]
            self._answered_at = machine().monotonic()
            self._is_clear, self._may_be_gone = True, False
            return rows

    def _connected(self) -> psycopg.Connection[Any]:
        if self._connection is None or self._connection.closed:
            self._was_ended |= self._connection is not None
            lent = self._sessions.take(self._url) if self._sessions and not self._was_ended else None
            self._connection = lent or psycopg.connect(autocommit=True, prepare_threshold=None, **self._parameters)
            self._may_be_gone = lent is not None
            self.number += 1
        if self._connection.info.transaction_status != TransactionStatus.IDLE:
            _await_unlocked(self._connection)
        return self._connection

    @contextmanager
    def _cut_after(self, seconds: float) -> Iterator[None]:
        """Cut the connection off where an answer takes longer: a proxy that hangs keeps it open for ever."""
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
                self.close()  # nobody knows what it is in the middle of
                raise interrupt from None  # the time of a task is over, and psycopg has words of its own for that
            code, words = error.sqlstate or "", error.diag.message_primary or str(error)
            if "unsupported startup parameter" in words:
                raise StateError(POOLED) from None
            raise DatabaseError(f"{self._what(code)}, {self._shown(words)}{HINTS.get(code, '')}", code) from None

    def _what(self, code: str) -> str:
        return "refused what was asked" if code and self.pid else "cannot be reached"

    def _shown(self, words: str) -> str:
        """The words of libpq or of the server in one clause, without the password; a line set in is in brackets."""
        text = re.sub(r"(?<!:)\n", "; ", re.sub(r"\n\t(.*)", r" (\1)", words.strip()))
        text = " ".join(text.split())
        for secret in self._secrets:
            text = text.replace(secret, "********").replace(quote(secret, safe=""), "********")
        return printable(text).rstrip(".")[:300]


def _await_unlocked(connection: psycopg.Connection[Any]) -> None:
    """Read the answer to an unlocking. Raises psycopg.Error, and ends the session, where it is any other."""
    pgconn, found = connection.pgconn, []
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    try:
        while True:
            while pgconn.is_busy():
                poll.poll()
                pgconn.consume_input()
            if (result := pgconn.get_result()) is None:
                break
            found.append(result.status)
        if found != [ExecStatus.TUPLES_OK] or connection.info.transaction_status != TransactionStatus.IDLE:
            raise psycopg.OperationalError("it did not let go of its locks")
    except psycopg.Error:
        connection.close()
        raise


def _parameters_of(url: str) -> dict[str, Any]:
    """What a state_url says. Raises StateError, in words that repeat nothing of it."""
    if not url.startswith(SCHEMES):
        raise StateError(f"state_url does not begin with {SCHEMES[0]}")
    # A password that is not percent-encoded makes hosts, ports and databases of its parts, which errors repeat.
    before_host, _at, _rest = url.partition("://")[2].rpartition("@")
    given: dict[str, Any] = {}
    if set(before_host).isdisjoint("@/\0"):
        with suppress(psycopg.Error, UnicodeError):  # libpq's words repeat what it could not read
            given = conninfo_to_dict(url)
    ports = [port for port in str(given.get("port", "")).split(",") if port]
    if given and all(port.isdecimal() and 0 < int(port) < 2**16 for port in ports):
        return given
    raise StateError(
        "state_url is no URL of a PostgreSQL database: it is postgresql://USER:PASSWORD@HOST/DATABASE, and what is "
        "special in a URL is percent-encoded"
    )
