# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One run of a module: its options, checked, and what it shares with the runs before it in the same process."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidName, zone_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._service.connection import (
    LONGEST_TIMEOUT,
    Connection,
    InvalidConnection,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._service.under_way import Concurrency, given_concurrency
from ansible_collections.zonesmith.dns.plugins.module_utils._state.files import FileStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import Store
from ansible_collections.zonesmith.dns.plugins.module_utils._write.converge import Progress
from ansible_collections.zonesmith.dns.plugins.module_utils._write.reading import Reading

if TYPE_CHECKING:
    from ansible_collections.zonesmith.dns.plugins.module_utils._dns.ledger import Ledger
    from ansible_collections.zonesmith.dns.plugins.module_utils._state.sessions import Sessions


FILES = "_files"
"""The option in which the action passes on what it read: a File of ``zone_folder`` for each ``src``."""


class InvalidOptions(ValueError):
    """Options that make no sense for any zone; says all of them in one sentence."""


class InvalidForZone(InvalidOptions):
    """Options that make no sense for the zone that the run is about, whose name the message begins with."""


class Shared:
    """Clients and readings that the runs in one process share, such as the items of a loop in Ansible's own worker.

    What leads out of the process, to the service and to what is kept of its zones, is opened here.
    """

    READING_LASTS = 10.0  # seconds; others may write to the zone too

    def __init__(self) -> None:
        self.clients: dict[tuple[Connection, Concurrency], Client] = {}
        self._readings: dict[tuple[Connection, str], Reading] = {}

    @cached_property
    def sessions(self) -> Sessions:
        """Connections to the databases of state_url; no run without one pays for the import."""
        from ansible_collections.zonesmith.dns.plugins.module_utils._state.sessions import Sessions

        return Sessions()

    def client(self, connection: Connection, concurrency: Concurrency) -> Client:
        """A client for the service. Raises InvalidConnection."""
        key = (connection, concurrency)
        return self.clients.get(key) or self.clients.setdefault(key, self._opened(*key))

    def _opened(self, connection: Connection, concurrency: Concurrency) -> Client:
        return Client(connection, concurrency)

    def stores(
        self, state_dir: str, state_url: str | None, base_url: str, zone: str, lock_timeout: float
    ) -> tuple[Store, Store | None]:
        """What keeps a zone, and what kept it before this machine had a *state_url*. Raises StateError."""
        of_zone = (base_url, zone, lock_timeout)
        folder = FileStore(state_dir, *of_zone)
        if not state_url:
            return folder, None
        from ansible_collections.zonesmith.dns.plugins.module_utils._state.database import DatabaseStore

        return DatabaseStore(state_url, *of_zone, self.sessions), folder

    def recall(self, connection: Connection, journal: Journal, zone: str) -> Reading | None:
        """A reading that is still good; None where there is none."""
        reading = self._readings.get((connection, zone))
        if not reading or reading.age >= self.READING_LASTS:
            return None
        kept = journal.look()
        return reading._replace(kept=kept) if kept.last_write == reading.kept.last_write else None

    def remember(self, connection: Connection, reading: Reading) -> None:
        """Keep a reading for the next run; it ages all the same."""
        self._readings[connection, reading.zone.name] = reading


@dataclass(frozen=True)
class Invocation:
    """One run of a module: its options, its mode, what it can use of earlier runs in the same process.

    While it runs it gathers warnings, and what is done.
    """

    options: dict[str, Any] = field(repr=False)
    check_mode: bool
    shared: Shared = field(default_factory=Shared)
    warnings: list[str] = field(default_factory=list)
    done: list[Change] = field(default_factory=list)
    progress: Progress = field(default_factory=Progress)

    @property
    def zone(self) -> str:
        """The canonical name of the zone that the run is about. Raises InvalidOptions."""
        try:
            return zone_name(self.options["zone"])
        except InvalidName as error:
            raise InvalidOptions(f"zone {printable(repr(self.options['zone']))} cannot be used, {error}") from error

    @property
    def connection(self) -> Connection:
        """How to reach the service. Raises InvalidOptions."""
        try:
            return Connection(**{item.name: self.options[item.name] for item in fields(Connection)})
        except InvalidConnection as error:
            raise InvalidOptions(str(error)) from error

    def checked_lock_timeout(self) -> float:
        """Seconds for which the lock of a zone is waited for. Raises InvalidOptions."""
        seconds: float = self.options["lock_timeout"]
        if not 0 <= seconds <= LONGEST_TIMEOUT:
            raise InvalidOptions(f"lock_timeout must be 0 to {LONGEST_TIMEOUT} seconds")
        return seconds

    def journal(self, client: Client) -> Journal:
        """The lock and the journal of the zone at the client's service. Raises InvalidOptions, StateError."""
        store, former = self._stores(client, self.zone)
        return Journal(store, self.warnings, former, owned=self.zone if self.options.get("owner") else "")

    def ledger(self, client: Client, zone: str) -> Ledger:
        """What is kept of who has what in *zone* (canonical) at the client's service. Raises StateError."""
        store, _former = self._stores(client, zone)
        warnings: list[str] = []
        with closing(Journal(store, warnings, owned=zone)) as journal:
            ledger = journal.look().memory.ledger
        self.warnings.extend(f"Zone {printable(zone.rstrip('.'))}: {warning}" for warning in warnings)
        return ledger or {}

    def _stores(self, client: Client, zone: str) -> tuple[Store, Store | None]:
        place = (self.options["state_dir"], self.options["state_url"])
        return self.shared.stores(*place, client.base_url, zone, self.checked_lock_timeout())

    @property
    def concurrency(self) -> Concurrency:
        """How many requests may be under way, where that is an option. Raises InvalidOptions."""
        try:
            return given_concurrency(self.options["concurrency"])
        except InvalidConnection as error:
            raise InvalidOptions(str(error)) from error

    def client(self, concurrency: Concurrency = 1) -> Client:
        """A client for the service. Raises InvalidOptions."""
        try:
            return self.shared.client(self.connection, concurrency)
        except InvalidConnection as error:
            raise InvalidOptions(str(error)) from error
