# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults: answers that are wrong, late or missing, on chosen requests."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from typing import Any

import rules
from aiohttp import web

LIES = {"POST": rules.CREATED, "DELETE": rules.DELETED}


@dataclasses.dataclass
class Fault:
    """One fault, and how many requests it has seen."""

    kind: str
    method: str | None = None
    path: str | None = None
    content: str | None = None
    nth: int = 1
    times: int = 1
    status: int | None = None
    body: Any = None
    headers: dict[str, str] | None = None
    content_type: str | None = None
    seconds: float = 1.0
    location: str | None = None
    seen: int = 0

    def __post_init__(self):
        self.cleared = asyncio.Event()

    def due(self, method, path, content):
        """Count a request, and say whether the fault is for it."""
        if self.method is not None and self.method.upper() != method:
            return False
        if self.kind == "lie" and method not in LIES:
            return False
        if (self.path or "") not in path or (self.content or "") not in content:
            return False
        self.seen += 1
        return self.seen >= self.nth and (self.times == 0 or self.seen < self.nth + self.times)

    async def play(self, request, carry_out, clock):
        """Answer a request wrongly; None when the connection was cut instead."""
        match self.kind:
            case "status" | "answer" | "redirect":
                return self._answer()
            case "status_after":
                await carry_out()
                return self._answer()
            case "drop_before":
                _cut(request)
                return None
            case "drop_after":
                await carry_out()
                _cut(request)
                return None
            case "hang_before":
                await clock.sleep(self.seconds)
                return _json(504, {"status": "Error", "message": "Gateway Timeout"})
            case "hang_after":
                response = await carry_out()
                await clock.sleep(self.seconds)
                return response
            case "slow":
                await clock.wait(self.cleared, self.seconds)
                return await carry_out()
            case "late":
                clock.later(self.seconds, carry_out)
                return self._answer()
            case "lie":
                return _json(200, LIES[request.method])
        raise AssertionError(self.kind)

    def _answer(self):
        status = self.status or {"answer": 200, "redirect": 302, "late": 504}.get(self.kind, 500)
        headers = dict(self.headers or {})
        if self.location is not None:
            headers["Location"] = self.location
        body = (
            {"status": "Error", "message": "A fault was asked for."}
            if self.body is None
            else self.body
        )
        content_type = self.content_type
        if not isinstance(body, str):
            body, content_type = json.dumps(body), content_type or "application/json"
        headers["Content-Type"] = content_type or (
            "application/json" if self.kind == "answer" else "text/plain"
        )
        return web.Response(status=status, body=body.encode(), headers=headers)


class Faults:
    """The faults that are set, in order."""

    def __init__(self):
        self._faults = []

    def add(self, fault):
        """Set a fault."""
        self._faults.append(fault)

    def clear(self):
        """Forget every fault; requests that are slow go on."""
        for fault in self._faults:
            fault.cleared.set()
        self._faults.clear()

    def as_json(self):
        """Return the faults."""
        return [dataclasses.asdict(fault) for fault in self._faults]

    def pick(self, method, path, content):
        """Return the first fault for a request. Each fault counts it, also those that have to stand back."""
        due = [fault for fault in self._faults if fault.due(method, path, content)]
        return due[0] if due else None


def _cut(request):
    if request.transport is not None:
        request.transport.abort()


def _json(status, body):
    return web.json_response(body, status=status)
