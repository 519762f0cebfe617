# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The four calls of the interface over HTTP."""

import json
import re
import sys
import traceback

import rules
from aiohttp import hdrs, web
from habitual_zone import as_kept, with_habits
from store import RefusedError

_PATH = re.compile(r"/dns/domains(?:/(?P<slug>[^/]+)(?P<records>/records)?)?")
_JSON = "application/json"


class Interface:
    """Answers requests as the specification says, unless a fault or a limit comes first."""

    def __init__(
        self,
        store,
        settings,
        faults,
        log,
        clock,
    ):
        self._store = store
        self._settings = settings
        self._faults = faults
        self._log = log
        self._clock = clock
        self._pages = {}

    async def handle(self, request):
        """Answer one request."""
        raw = await request.read()
        body = _parse(raw)
        entry = self._log.arrive(
            request.transport,
            method=request.method,
            path=request.path,
            query=dict(request.query),
            body=body,
            authorized=self._authorized(request),
        )
        content = body.get("content") if isinstance(body, dict) else None
        where = f"{request.path}?{request.rel_url.query_string}"
        fault = self._faults.pick(
            request.method, where, content if isinstance(content, str) else ""
        )
        if self._settings.latency:
            await self._clock.sleep(self._settings.latency / 1000)

        async def carry_out():
            return await self._carry_out(request, raw, entry)

        response = await (fault.play(request, carry_out, self._clock) if fault else carry_out())
        if response is None or request.transport is None or request.transport.is_closing():
            return web.Response()
        entry.status = response.status
        return response

    async def _carry_out(self, request, raw, entry):
        try:
            self._check_headers(request, raw, entry)
            return await self._call(request, raw, entry)
        except RefusedError as refused:
            return _answer(rules.refusal(refused), refused.status, refused.headers)
        except Exception:  # noqa: BLE001 - a client gets JSON whatever happens
            traceback.print_exc(file=sys.stderr)
            return _answer({"status": "Error", "message": "Server Error"}, 500)

    async def _call(self, request, raw, entry):
        match = _PATH.fullmatch(request.path)
        if match is None:
            raise RefusedError(404, "Not Found")
        slug, records = match["slug"], match["records"]
        allowed = ("POST", "DELETE") if records else ("GET",)
        if request.method not in allowed:
            message = f"The {request.method} method is not supported for this route."
            raise RefusedError(405, message, headers={hdrs.ALLOW: ", ".join(allowed)})
        if request.method != "POST" and raw:
            raise RefusedError(422, f"A {request.method} request must not have a body.")
        if request.method != "DELETE" and request.query:
            raise RefusedError(422, "This call has no query parameters.")

        zones = await self._store.zones()
        if slug is None:
            return _answer(rules.zone_list(zones, self._settings))
        zone = next((zone for zone in zones if zone.slug == slug), None)
        if zone is None:
            raise RefusedError(404, "Domain not found.")
        habits = self._store.begin(zone.name)
        settings = with_habits(self._settings, habits)
        if not records:
            page = await self._page(zone.name, settings)
            return web.Response(body=page, content_type=_JSON)
        if request.method == "POST":
            body = as_kept(_parse_strictly(raw), habits)
            write, answer = rules.addition(body, zone.name, settings), rules.CREATED
        else:
            write, answer = rules.deletion(request.query.items(), zone.name), rules.DELETED
        await self._store.write(zone.name, write)
        entry.changed = True
        status = habits.write_status
        return _answer(answer if habits.has_body and status != 204 else None, status)

    async def _page(self, zone, settings):
        sets = await self._store.read(zone)
        form = (settings.txt_read, settings.mx_read)
        page = self._pages.get(zone)
        if page is None or page[0] is not sets or page[1] != form:
            page = (sets, form, json.dumps(rules.zone_detail(sets, settings)).encode())
            self._pages[zone] = page
        return page[2]

    def _authorized(self, request):
        return request.headers.getall(hdrs.AUTHORIZATION, []) == [f"Bearer {self._settings.token}"]

    def _check_headers(self, request, raw, entry):
        if not entry.authorized:
            raise RefusedError(401, "Unauthenticated.")
        accepted = ",".join(request.headers.getall(hdrs.ACCEPT, [])).split(",")
        if _JSON not in (media.partition(";")[0].strip().lower() for media in accepted):
            raise RefusedError(406, "The request must accept application/json.")
        if raw and request.content_type != _JSON:
            raise RefusedError(415, "The Content-Type of a body must be application/json.")


def _parse(raw):
    try:
        return json.loads(raw)
    except ValueError:
        return None


def _parse_strictly(raw):
    try:
        return json.loads(raw)
    except ValueError as error:
        raise RefusedError(400, f"The body is not valid JSON: {error}") from error


def _answer(body, status=200, headers=None):
    if body is None:
        return web.Response(status=status, headers=headers)
    return web.json_response(body, status=status, headers=headers)
