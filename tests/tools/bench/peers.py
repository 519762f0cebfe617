# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The peers' services, spoken just enough for their modules: Infomaniak's zones API and Vultr's domains API.

`python tests/tools/bench/peers.py PARENT` prints its base URL, ends with that process, and serves one zone a path, whatever
its name:

  /2/zones/ZONE/records[/ID]          Infomaniak, for community.dns
  /v2/domains/DOMAIN/records[/ID]     Vultr, for vultr.cloud

PUT /_control sets the latency, replaces the records (as the API shows them, without ids), and empties the log;
GET /_control tells the calls, connections and writes since. These two are not delayed.
"""

import asyncio
import contextlib
import itertools
import os
import subprocess
import sys

import requests
from aiohttp import web


class Records:
    """The records of the one zone, and what was asked of it."""

    def __init__(self):
        self._latency = 0.0
        self._records = {}
        self._ids = itertools.count(1)
        self._calls = 0
        self._writes = 0
        self._connections = set()

    def routes(self):
        """All calls."""
        zone, domain = "/2/zones/{zone}/records", "/v2/domains/{zone}/records"
        return [
            web.put("/_control", self._fill),
            web.get("/_control", self._log),
            web.get(zone, self._infomaniak_list),
            web.post(zone, self._infomaniak_add),
            web.put(f"{zone}/{{id}}", self._infomaniak_update),
            web.delete(f"{zone}/{{id}}", self._infomaniak_delete),
            web.get(domain, self._vultr_list),
            web.post(domain, self._vultr_add),
        ]

    async def _fill(self, request):
        given = await request.json()
        self._latency = given["latency"] / 1000
        self._records.clear()
        for record in given["records"]:
            self._add(record)
        self._calls = self._writes = 0
        self._connections.clear()
        return web.json_response({})

    async def _log(self, _request):
        figures = {
            "calls": self._calls,
            "connections": len(self._connections),
            "writes": self._writes,
        }
        return web.json_response(figures)

    async def _infomaniak_list(self, request):
        await self._called(request)
        size, page = int(request.query["per_page"]), int(request.query["page"])
        return _infomaniak(list(self._records.values())[size * (page - 1) : size * page])

    async def _infomaniak_add(self, request):
        await self._called(request, writes=True)
        return _infomaniak(self._add(await request.json()), 201)

    async def _infomaniak_update(self, request):
        await self._called(request, writes=True)
        record = self._records[request.match_info["id"]]
        record.update(await request.json())
        return _infomaniak(record)

    async def _infomaniak_delete(self, request):
        await self._called(request, writes=True)
        del self._records[request.match_info["id"]]
        return _infomaniak(True)

    async def _vultr_list(self, request):
        await self._called(request)
        size, start = int(request.query["per_page"]), int(request.query.get("cursor", 0))
        rows = list(self._records.values())
        following = str(start + size) if start + size < len(rows) else ""
        meta = {"total": len(rows), "links": {"next": following, "prev": ""}}
        return web.json_response({"records": rows[start : start + size], "meta": meta})

    async def _vultr_add(self, request):
        await self._called(request, writes=True)
        return web.json_response({"record": self._add(await request.json())}, status=201)

    async def _called(self, request, *, writes=False):
        self._calls += 1
        self._writes += writes
        # The object itself, not its id, which the next connection may get again.
        self._connections.add(request.transport)
        await asyncio.sleep(self._latency)

    def _add(self, body):
        record = {**body, "id": str(next(self._ids))}
        self._records[record["id"]] = record
        return record


def _infomaniak(data, status=200):
    return web.json_response({"result": "success", "data": data}, status=status)


class Peers:
    """The stand-in, running, as its harness sees it."""

    def __init__(self, url):
        self.url = url

    def fill(self, records, latency):
        """Hold these records, add so many milliseconds to every request, and forget what was called."""
        self._control("PUT", {"records": records, "latency": latency})

    def figures(self):
        """Calls, connections and writes since it was filled."""
        return self._control("GET")

    def _control(self, method, body=None):
        with requests.Session() as session:
            session.trust_env = False
            return session.request(method, f"{self.url}/_control", json=body, timeout=60).json()


@contextlib.contextmanager
def running():
    """The stand-in in a process of its own."""
    with subprocess.Popen(
        [sys.executable, __file__, str(os.getpid())], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Peers(process.stdout.readline().strip() if process.stdout else "")
        finally:
            process.terminate()


async def serve(parent):
    """Serve until the parent is gone."""
    application = web.Application(client_max_size=2**26)
    application.add_routes(Records().routes())
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    print(f"http://{host}:{port}", flush=True)
    while os.getppid() == parent:
        await asyncio.sleep(1)


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
