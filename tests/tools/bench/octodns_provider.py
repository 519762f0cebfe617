# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A provider for octoDNS, made as octoDNS's own provider packages are: a class around a session of requests."""

import logging

from octodns.provider.base import BaseProvider
from octodns.record import Record
from requests import Session


class StandInProvider(BaseProvider):  # type: ignore[misc] # octoDNS has no types
    """Zones of the service as a target."""

    SUPPORTS_GEO = False
    SUPPORTS_DYNAMIC = False
    SUPPORTS_ROOT_NS = False
    SUPPORTS = frozenset({"A", "AAAA", "CNAME", "MX", "TXT"})

    def __init__(self, id, url, token, *args, **kwargs):
        self.log = logging.getLogger(f"StandInProvider[{id}]")
        super().__init__(id, *args, **kwargs)
        self._url = url
        self._session = Session()
        self._session.headers.update(
            {"Accept": "application/json", "Authorization": f"Bearer {token}"}
        )

    def populate(self, zone, target=False, lenient=False):  # noqa: ARG002 - octoDNS gives it
        """Give the zone what the service holds."""
        for row in self._call("GET", zone).json()["data"]["records"]:
            if row["type"] in self.SUPPORTS:
                name = zone.hostname_from_fqdn(row["name"])
                record = Record.new(zone, name, _read(row), source=self, lenient=lenient)
                zone.add_record(record, lenient=lenient)
        return True

    def _call(self, method, zone, path="", **options):
        url = f"{self._url}/dns/domains/{zone.name.replace('.', '')}{path}"
        response = self._session.request(method, url, **options)
        response.raise_for_status()
        return response

    def _apply(self, plan):
        for change in plan.changes:
            getattr(self, f"_apply_{type(change).__name__.lower()}")(change)

    def _apply_create(self, change):
        for body in _bodies(change.new):
            self._call("POST", change.new.zone, "/records", json=body)

    def _apply_update(self, change):
        self._apply_delete(change)
        self._apply_create(change)

    def _apply_delete(self, change):
        existing = change.existing
        query = {"name": existing.fqdn, "type": existing._type}
        self._call("DELETE", existing.zone, "/records", params=query)


def _read(row):
    """A record set of the service, as octoDNS has it."""
    values = row["contents"]
    if row["type"] == "MX":
        words = [value.split() for value in values]
        values = [
            {"preference": int(preference), "exchange": exchange} for preference, exchange in words
        ]
    if row["type"] == "TXT":
        values = [value.strip('"').replace(";", "\\;") for value in values]
    field, held = ("value", values[0]) if row["type"] == "CNAME" else ("values", values)
    return {"type": row["type"], "ttl": row["ttl"], field: held}


def _bodies(record):
    """The body of a call for each value."""
    common = {"name": record.name or "@", "type": record._type, "ttl": record.ttl}
    for value in [record.value] if record._type == "CNAME" else record.values:
        if record._type == "MX":
            yield {**common, "content": value.exchange, "priority": value.preference}
        else:
            yield {**common, "content": str(value).replace("\\;", ";")}
