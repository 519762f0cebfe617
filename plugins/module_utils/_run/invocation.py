# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One run of a module, and what it shares with earlier runs in the same process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from .._api.client import Client
from .._api.connection import Concurrency, Connection
from .._apply.deletions import Deletions
from .._apply.outcome import ZoneOutcome
from .._dns.names import InvalidName, zone_name
from .._dns.printable import printable
from .._state.folder import FolderStore, check_writable, short_lived
from .._state.store import Store
from .options import InvalidOptions, checked_concurrency

if TYPE_CHECKING:
    from .._state.session import Sessions


class Shared:
    """Clients and snapshots that runs in one process share, such as the items of a loop.

    Connections to the service and the state start here.
    """

    SNAPSHOT_LASTS = 10.0
    """Seconds, since others may write too."""

    def __init__(self) -> None:
        self.clients: dict[tuple[Connection, Concurrency], Client] = {}
        self._latest: tuple[Connection, ZoneOutcome] | None = None
        self._sessions: dict[str, Sessions] = {}
        """By state_url."""

    def client(self, connection: Connection, concurrency: Concurrency) -> Client:
        """Return a client for the service. Raises InvalidConnection."""
        key = (connection, concurrency)
        if key not in self.clients:
            self.clients[key] = self._opened(connection, concurrency)
        return self.clients[key]

    def _opened(self, connection: Connection, concurrency: Concurrency) -> Client:
        return Client(connection, concurrency)

    def store(self, options: Mapping[str, Any], client: Client, zone: str) -> Store:
        """Return the store of a zone's document, for the client's threads. Raises StateError."""
        state_url = options["state_url"]
        lock_timeout = options["lock_timeout"]
        if not state_url:
            return FolderStore(options["state_dir"], client.base_url, zone, lock_timeout)
        from .._state.database import DatabaseStore
        from .._state.session import Sessions

        if state_url not in self._sessions:
            at_once = client.most + 2
            self._sessions[state_url] = Sessions(state_url, at_once)
        return DatabaseStore(self._sessions[state_url], client.base_url, zone, lock_timeout)

    def recall(self, connection: Connection, zone: str) -> ZoneOutcome | None:
        """Return the last outcome if it is of this zone, and its snapshot not too old; else None."""
        if self._latest is None:
            return None
        of_connection, outcome = self._latest
        snapshot = outcome.snapshot
        is_same = of_connection == connection and snapshot.name == zone
        if is_same and snapshot.age < self.SNAPSHOT_LASTS:
            return outcome
        return None

    def remember(self, connection: Connection, outcome: ZoneOutcome) -> None:
        """Keep an outcome for the next run, and forget the one before."""
        self._latest = (connection, outcome)


@dataclass
class Invocation:
    """One run of a module.

    It collects warnings, and *findings* to report with a failure. *deletions* decides when sets may be deleted, in all
    zones of the task.
    """

    options: dict[str, Any] = field(repr=False)
    check_mode: bool
    shared: Shared = field(default_factory=Shared)
    warnings: list[str] = field(default_factory=list)
    findings: list[dict[str, Any]] = field(default_factory=list)
    deletions: Deletions = field(default_factory=Deletions)

    @property
    def zone(self) -> str:
        """The canonical zone name. Raises InvalidOptions."""
        name = self.options["zone"]
        try:
            return zone_name(name)
        except InvalidName as error:
            shown = printable(repr(name))
            raise InvalidOptions(f"zone {shown} cannot be used: {error}") from error

    @property
    def connection(self) -> Connection:
        """How to reach the service. Raises InvalidConnection."""
        names = [item.name for item in fields(Connection)]
        return Connection(**{name: self.options[name] for name in names})

    def check_state(self) -> None:
        """Raises StateError if the state could not be saved.

        A database was reached when the document was loaded.
        """
        if not self.options["state_url"]:
            check_writable(self.options["state_dir"])

    def ends_early(self) -> str:
        """Explain why state may be lost before the next run; empty if it should not be."""
        if self.options["state_url"]:
            return ""
        return short_lived(self.options["state_dir"])

    def warn_once(self, *warnings: str) -> None:
        """Add only new warnings."""
        for warning in warnings:
            if warning not in self.warnings:
                self.warnings.append(warning)

    def warn_of_an_early_end(self) -> None:
        """Warn once that the log may be lost before the next run, if so."""
        reason = self.ends_early()
        if reason:
            self.warn_once(
                f"{reason}, and the record of an interrupted rebuild may be lost with it: set state_url to keep the "
                "state in a database, or put the folder on a disk that outlasts this machine"
            )

    @property
    def concurrency(self) -> Concurrency:
        """The number of requests allowed at once, 1 for modules without the option. Raises InvalidOptions."""
        return checked_concurrency(self.options.get("concurrency", 1))

    def client(self, concurrency: Concurrency | None = None) -> Client:
        """Return a client for the service, with the task's concurrency or another. Raises InvalidConnection."""
        return self.shared.client(self.connection, concurrency or self.concurrency)
