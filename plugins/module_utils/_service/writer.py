# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writing to one zone: single values and whole sets, in the forms that the service takes (spec 2.5 and 4)."""

from __future__ import annotations

from collections.abc import Callable

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import relative_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    as_read,
    is_quoted,
    is_text,
    same,
    sending_form,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, LiveSets
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client, LiveZone


class ZoneWriter:
    """The writing calls for the zone that *zone* is a reading of. Safe to use from several threads.

    *txt_format* is ``plain``, ``quoted`` or ``auto``, as modules take it.
    """

    def __init__(self, client: Client, zone: LiveZone, txt_format: str):
        self._client = client
        self._zone = zone
        self._text = _TextForm(txt_format, zone.record_sets)

    def read(self) -> LiveZone:
        """The zone as it is now. Raises ServiceError."""
        return self._client.read_again(self._zone)

    def add_value(self, key: Key, ttl: int, value: str) -> None:
        """Add one canonical value to a set. Raises ServiceError, unless the zone shows the value all the same."""
        quoted = self._text.quoted
        try:
            try:
                self._post(key, ttl, value, quoted)
            except ServiceError as error:
                if quoted or not is_text(key.type) or not self._text.learns_from(error):
                    raise
                self._post(key, ttl, value, quoted=True)
        except ServiceError as error:
            if not error.refuses_the_value or not _shown(lambda: self._holds(key, value)):
                raise

    def delete_set(self, key: Key) -> None:
        """Delete a whole set. Raises ServiceError, unless the service says 404 and the zone shows no such set."""
        try:
            rdtype = self._zone.shown_type(key)
            self._client.delete_record_set(self._zone.slug, key.name, rdtype, lambda: not self._has(key))
        except ServiceError as error:
            if error.status_code != 404 or not _shown(lambda: not self._has(key)):
                raise

    def _post(self, key: Key, ttl: int, value: str, quoted: bool) -> None:
        content, priority = sending_form(key.type, value, quoted=quoted)
        body = {"name": relative_name(key.name, self._zone.name), "type": key.type, "content": content, "ttl": ttl}
        if priority is not None:
            body["priority"] = priority
        self._client.create_value(self._zone.slug, body, lambda: self._holds(key, value))

    def _has(self, key: Key) -> bool:
        return key in self.read().record_sets

    def _holds(self, key: Key, value: str) -> bool:
        held = self.read().record_sets.get(key)
        return held is not None and any(
            same(key.type, value, as_read(key.type, c, self._zone.name)) for c in held.values
        )


class _TextForm:
    """Whether TXT values are sent in quotes. With ``auto``, learnt from the zone, and from what the service refuses."""

    def __init__(self, txt_format: str, live: LiveSets):
        texts = [content for record_set in live.values() if is_text(record_set.type) for content in record_set.values]
        self._learns = txt_format == "auto"
        self.quoted = txt_format == "quoted" or (self._learns and bool(texts) and all(map(is_quoted, texts)))

    def learns_from(self, error: ServiceError) -> bool:
        """Whether a refusal of an unquoted value means quotes from now on."""
        self.quoted = self.quoted or (self._learns and error.refuses_the_value)
        return self.quoted


def _shown(question: Callable[[], bool]) -> bool:
    """Whether the zone shows that a refused call is not needed; where it cannot be read, the refusal stands."""
    try:
        return question()
    except ServiceError:
        return False
