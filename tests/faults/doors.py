# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The doors through which the collection's code goes into a world: the Sender, the store, and what a run shares."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rules
from habitual_zone import with_habits
from settings import Settings
from worlds import EPOCH, ZONES, DiskFull, NoAnswer, Process, World

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import (
    Asked,
    ServiceError,
    Success,
    TransientFailure,
    success_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Document
from ansible_collections.zonesmith.dns.plugins.module_utils._log.stored import (
    document_bytes,
    document_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import Shared
from ansible_collections.zonesmith.dns.plugins.module_utils._state import folder
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError

# The worlds are no container, whatever the tests run in.
folder.MOUNTS = Path("/no/such/file")

BASE_URL = "https://dns.example/api"
TOKEN = "token-that-nobody-sees"


class WorldSender:
    """A Sender of one process."""

    base_url = BASE_URL

    def __init__(self, world: World):
        self._world = world

    def send(
        self, method: str, path: str, query: dict[str, str] | None, body: dict[str, Any] | None
    ) -> Success:
        """See Sender."""
        if path.endswith("/domains"):
            self._world.check_alive()
            listed = [
                {"name": zone.rstrip("."), "slug": zone.replace(".", ""), "status": True}
                for zone in ZONES
            ]
            return Success({"total": len(listed), "data": listed})
        try:
            answer = self._world.send(method, path, query, body)
        except NoAnswer as error:
            failure = ServiceError("dns.example did not answer within 30 s")
            raise TransientFailure(failure, not_carried_out=False) from error
        if isinstance(answer, dict):
            settings = with_habits(Settings(), self._world.zone.habits)
            return Success({"data": {"records": rules.shown(answer, settings)}})
        asked = Asked(method, self.base_url, path)
        return success_of(answer, answer.content, TOKEN, asked)  # type: ignore[arg-type] # duck-typed


class WorldShared(Shared):
    """What a process shares: its way to the service, and where zones are kept."""

    def __init__(self, world: World):
        super().__init__()
        self._world = world

    def _opened(self, connection: Any, concurrency: Any) -> Client:
        return Client(
            connection, concurrency, lambda _connection, _at_most: WorldSender(self._world)
        )  # type: ignore[arg-type]

    def store(self, options: Any, _client: Any, zone: str) -> Any:
        """See Shared."""
        return DocumentStore(self._world, zone, options["lock_timeout"])


@dataclass
class Disk:
    """What is kept of a zone, and who has its lock."""

    document: bytes | None = None
    holder: Process | None = None


class DocumentStore:
    """The Store of one zone in a world."""

    place = "the document of the zone"
    ahead = 0.0

    def __init__(self, world: World, zone: str, lock_timeout: float):
        self._world, self._zone, self._lock_timeout = world, zone, lock_timeout
        self.warnings: list[str] = []

    @property
    def _disk(self) -> Disk:
        return self._world.disks.setdefault(self._zone, Disk())

    def load(self) -> Document:
        """See Store."""
        self._world.check_alive()
        content = self._disk.document
        if content is None:
            return Document()
        document, problems = document_of(content, self._zone, EPOCH + self._world.t)
        assert not problems, "what a run saves, the next one can read"
        return document

    @contextmanager
    def lock(self) -> Iterator[Document]:
        """See Store."""
        self._world.check_alive()
        disk, process = self._disk, self._world.process
        if disk.holder:
            self._world.advance(self._lock_timeout)
            raise StateError(f"another run holds the lock on the zone ({disk.holder.who})")
        disk.holder = process
        try:
            yield self.load()
        finally:
            if not process.is_dead:
                disk.holder = None

    def save(self, document: Document) -> None:
        """See Store."""
        content = document_bytes(document, self._zone)

        def keep() -> None:
            self._disk.document = content

        try:
            self._world.save(keep, "save document")
        except DiskFull:
            raise StateError(f"{self.place} cannot be written: No space left on device") from None

    def check_held(self) -> None:
        """See Store."""
        self._world.check_alive()
