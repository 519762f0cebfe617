# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The control interface under /_control/: how a harness sets the scene and sees what happened."""

import functools
import json

import names
import rules
from aiohttp import web
from faults import Fault
from store import RefusedError, ZoneDefinition
from zone_habits import HELP as HABITS
from zone_habits import Habits

HELP = (
    """\
control interface (JSON; no token; never logged, delayed or disturbed):

  GET    /_control/log                  every request since the start, in order of arrival: n, method, path, query,
                                        body (parsed, or null), status (null: not answered, or not yet), connection
                                        (a number for each TCP connection), changed (did it change the zones),
                                        authorized, time (monotonic seconds)
  GET    /_control/log?wait=N&timeout=S the same, once there are N entries, or after S seconds (default 10)
  GET    /_control/log?path=TEXT        those entries whose path holds TEXT
  DELETE /_control/log                  empty it
  GET    /_control/zones                the zones: name, slug, status
  PUT    /_control/zones/NAME           make or replace a zone: {"slug"?, "status"?, "records"?: [{"name", "type",
                                        "ttl", "contents"}]}; SOA and NS are added unless given; names relative, @
                                        or absolute; contents in zone-file form (TXT also literal)
  GET    /_control/zones/NAME           its record sets as the interface shows them
  DELETE /_control/zones/NAME           remove it
  PUT    /_control/settings             change token, or any of the settings (below); all of them
  GET    /_control/faults               the faults that are set ("seen": matching requests so far)
  POST   /_control/faults               set a fault (below); several may be set, the first that is due is played
  DELETE /_control/faults               clear them
  PUT    /_control/habits/NAME          the habits (below) of a zone from now on: {"read_lag": 3, ...}, {} for none
  POST   /_control/reset                zones, settings, faults, habits, log: back to how the command line started it

settings:

  latency                 milliseconds added to every request
  txt_read, mx_read       quoted (the default) or plain: how TXT reads back; full, or bare: MX without preference
  txt_write               any, quoted (others are refused), or raw (left to the backend; the default for PowerDNS)
  lose_concurrent_writes  true: a write reads the set, waits 2 ms and writes it back
  list_total_extra        added to "total" of the zone list

a fault: {"kind", "method"?, "path"?, "content"?, "nth": 1, "times": 1, ...}
  path is a substring of "/path?query" (decoded), content a substring of the body's content. It starts with the nth
  matching request, counted from when it is set, and lasts for so many matching requests (0: for ever).

  status        status (500), body (text or JSON), headers, content_type: this answer, not carried out
  status_after  the same, carried out first
  drop_before   connection cut, not carried out
  drop_after    connection cut, carried out first
  hang_before   nothing for seconds (1), not carried out, then 504
  hang_after    carried out at once, the answer comes after seconds (1)
  slow          seconds (1), or until it is cleared, then as usual
  late          status (504), body, headers, content_type: this answer, carried out seconds (1) later
  lie           POST and DELETE: Success, but nothing is done
  answer        body, headers, content_type (application/json) with status 200, not carried out
  redirect      location, status (302), not carried out

"""
    + HABITS
)


class Control:
    """The calls of the control interface."""

    def __init__(
        self,
        store,
        zones,
        settings,
        faults,
        log,
    ):
        """*zones* are those that there are at first."""
        self._store = store
        self._zones = zones
        self._settings = settings
        self._initial = settings.as_json()
        self._faults = faults
        self._log = log

    def routes(self):
        """Return every route."""
        table = [
            ("GET", "log", self._get_log),
            ("DELETE", "log", self._clear_log),
            ("GET", "zones", self._list_zones),
            ("GET", "zones/{name}", self._get_zone),
            ("PUT", "zones/{name}", self._put_zone),
            ("DELETE", "zones/{name}", self._remove_zone),
            ("PUT", "settings", self._change_settings),
            ("GET", "faults", self._get_faults),
            ("POST", "faults", self._add_fault),
            ("DELETE", "faults", self._clear_faults),
            ("PUT", "habits/{name}", self._put_habits),
            ("POST", "reset", self._reset),
        ]
        routes = [
            web.route(method, f"/_control/{path}", _json(handler))
            for method, path, handler in table
        ]
        return [*routes, web.route("*", "/_control{rest:(/.*)?}", _json(self._unknown))]

    async def _get_log(self, request):
        if "wait" in request.query:
            await self._log.wait(
                int(request.query["wait"]), float(request.query.get("timeout", "10"))
            )
        path = request.query.get("path", "")
        return [entry for entry in self._log.as_json() if path in entry["path"]]

    async def _clear_log(self, _request):
        self._log.clear()

    async def _list_zones(self, _request):
        return rules.zone_list(await self._store.zones(), self._settings)["data"]

    async def _get_zone(self, request):
        return rules.shown(await self._store.sets(_zone_name(request)), self._settings)

    async def _put_zone(self, request):
        data = await _object(request) if request.can_read_body else {}
        await self._store.put_zone(ZoneDefinition.from_json(request.match_info["name"], **data))

    async def _remove_zone(self, request):
        await self._store.remove_zone(_zone_name(request))

    async def _change_settings(self, request):
        self._settings.change(await _object(request))
        return self._settings.as_json()

    async def _get_faults(self, _request):
        return self._faults.as_json()

    async def _add_fault(self, request):
        self._faults.add(Fault(**await _object(request)))

    async def _clear_faults(self, _request):
        self._faults.clear()

    async def _put_habits(self, request):
        self._store.change(_zone_name(request), Habits(**await _object(request)))

    async def _reset(self, _request):
        self._settings.change(self._initial)
        self._faults.clear()
        self._log.clear()
        await self._store.clear()
        for zone in self._zones:
            await self._store.put_zone(zone)

    async def _unknown(self, request):
        raise RefusedError(404, f"The control interface has no {request.method} {request.path}.")


def _json(handler):
    @functools.wraps(handler)
    async def answer(request):
        try:
            result = await handler(request)
        except RefusedError as refused:
            return web.json_response(rules.refusal(refused), status=refused.status)
        except (
            TypeError,
            ValueError,
        ) as error:  # of which the first says that there is no such switch
            return web.json_response({"status": "Error", "message": str(error)}, status=400)
        return web.json_response({"status": "Success"} if result is None else result)

    return answer


async def _object(request):
    data = json.loads(await request.read())
    if not isinstance(data, dict):
        raise ValueError("The body must be a JSON object.")
    return data


def _zone_name(request):
    return names.zone(request.match_info["name"]).to_text(omit_final_dot=True)
