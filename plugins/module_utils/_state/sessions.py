# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Connections that the runs of one process, such as the items of a loop, have one after the other, never together."""

from __future__ import annotations

import os
import select
from collections import deque
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING, Any

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine

if TYPE_CHECKING:
    from psycopg import Connection

IDLE_FOR = 60.0
"""Seconds after which a connection that nobody used is not used again."""

_Idle = dict[str, "deque[tuple[Connection[Any], float]]"]


class Sessions:
    """The connections of this process that nobody uses just now, by state_url. Safe to use from several threads.

    They end with it, or with the process, at the latest.
    """

    def __init__(self) -> None:
        self._begin()

    def take(self, url: str) -> Connection[Any] | None:
        """The connection to the database at *url* that was given back last and seems to go on; None without one."""
        idle = self._idle_at(url)
        while idle:
            try:
                connection, since = idle.pop()
            except IndexError:  # another thread was faster
                break
            if machine().monotonic() - since < IDLE_FOR and not _was_told_something(connection):
                return connection
            connection.close()
        return None

    def give(self, url: str, connection: Connection[Any]) -> None:
        """Keep for others what has no lock and no transaction; at most the answer to an unlocking is still to come."""
        idle = self._idle_at(url)
        idle.append((connection, machine().monotonic()))
        while idle:
            try:
                oldest = idle.popleft()
            except IndexError:
                break
            if machine().monotonic() - oldest[1] < IDLE_FOR:
                idle.appendleft(oldest)
                break
            oldest[0].close()

    def _idle_at(self, url: str) -> deque[tuple[Connection[Any], float]]:
        if self._pid != os.getpid():  # those that were there before the fork belong to the other process
            self._begin()
        return self._idle.setdefault(url, deque())

    def _begin(self) -> None:
        self._idle: _Idle = {}
        self._pid = os.getpid()  # after them, so that no other thread takes those of before
        # Ansible's workers end without what atexit holds, but not without this.
        Finalize(self, _end_all, args=(self._idle,), exitpriority=0)


def _was_told_something(connection: Connection[Any]) -> bool:
    """Whether the server said what nobody has asked for: mostly that it ends the session."""
    from psycopg.pq import TransactionStatus

    if connection.closed:
        return True
    if connection.info.transaction_status == TransactionStatus.ACTIVE:
        return False  # the answer to the unlocking may be there, and is read by who takes it
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


def _end_all(idle: _Idle) -> None:
    for connections in idle.values():
        while connections:
            connections.pop()[0].close()
