# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A service that is only what it answers: no HTTP, no clock, and no zone but the one that each answer shows."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import (
    NOT_CARRIED_OUT,
    TRANSIENT,
    ServiceError,
    Success,
    TransientFailure,
)

OK, ACCEPTED, LOST = Success(), Success(is_confirmed=False), None


class Scripted:
    """What the service answers to each method, in order, and the last one from then on."""

    def __init__(self, **answers: Sequence[Any]) -> None:
        self._answers = {method: deque(given) for method, given in answers.items()}
        self.calls: list[str] = []
        self.sent: list[Any] = []

    def send(self, method: str, path: str, query: Any, body: Any) -> Success:
        """In place of Sender's."""
        self.calls.append(method)
        assert path == ("/dns/domains/examplecom" if method == "GET" else "/dns/domains/examplecom/records")
        if method != "GET":
            self.sent.append(body or query)
        given = self._answers[method]
        answer = given.popleft() if len(given) > 1 else given[0]
        if isinstance(answer, str):
            rows = [row(line) for line in ("@ SOA a. b. 1 2 3 4 5", answer) if line]
            return Success({"data": {"records": rows}})
        if isinstance(answer, Success):
            return answer
        if isinstance(answer, Exception):
            raise answer
        error = ServiceError("no answer" if answer is LOST else f"the service answered {answer}", answer)
        if answer is LOST or answer in TRANSIENT:
            raise TransientFailure(error, not_carried_out=answer in NOT_CARRIED_OUT)
        raise error


def row(line: str) -> dict[str, Any]:
    """A record set as the service shows it, of ``<name> <type> <value>, <value>``."""
    name, rdtype, values = line.split(" ", 2)
    owner = "example.com." if name == "@" else f"{name}.example.com."
    return {"name": owner, "type": rdtype, "ttl": 300, "contents": values.split(", ")}
