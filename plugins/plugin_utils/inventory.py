# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the inventory plugins have in common: options, connection, cache, errors that name the file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from difflib import get_close_matches
from fnmatch import fnmatchcase
from hashlib import sha256
from typing import Any, ClassVar

from ansible.errors import AnsibleError, AnsibleParserError
from ansible.plugins.inventory import BaseInventoryPlugin, Cacheable, Constructable

from ansible_collections.zonesmith.dns.plugins.module_utils._client import (
    REQUESTS_MISSING,
    Client,
    Connection,
    ServiceError,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._names import DNSPYTHON_MISSING, InvalidName, zone_name
from ansible_collections.zonesmith.dns.plugins.module_utils._record_set import visible
from ansible_collections.zonesmith.dns.plugins.module_utils._zone_info import CONNECTIONS

try:
    from ansible.template import trust_as_template
except ImportError:  # ansible-core 2.18 evaluates every template, unless it is wrapped
    from ansible.utils.unsafe_proxy import wrap_var

    def trust_as_template(text: str) -> str:
        """A text that may be evaluated as a template."""
        return text

    def untrusted(value: Any) -> Any:
        """A value whose texts are never evaluated as templates."""
        if isinstance(value, dict):
            return {name: untrusted(item) for name, item in value.items()}
        if isinstance(value, list):
            return [untrusted(item) for item in value]
        # Only where it matters: ansible-inventory shows a wrapped text as an object.
        return wrap_var(value) if isinstance(value, str) and "{" in value else value

else:

    def untrusted(value: Any) -> Any:
        """A value whose texts are never evaluated as templates: since ansible-core 2.19 that holds by itself."""
        return value


CONTROLLER_PYTHON = trust_as_template("{{ ansible_playbook_python }}")
"""The interpreter that runs the playbook, which need not be the one that made the inventory."""


class ServiceInventory(BaseInventoryPlugin, Constructable, Cacheable):
    """An inventory from the service: a plugin reads with ``fetch`` and adds hosts with ``populate``."""

    FETCH_OPTIONS: ClassVar[tuple[str, ...]] = ()
    """The options that decide what ``fetch`` reads: with others, a cached answer is of no use."""

    def fetch(self, client: Client) -> Any:
        """What the plugin needs from the service, as plain data that a cache can hold."""
        raise NotImplementedError

    def populate(self, found: Any) -> None:
        """Add hosts for what ``fetch`` found."""
        raise NotImplementedError

    def verify_file(self, path: str) -> bool:
        """Whether the file's name says that it is for a plugin of this collection."""
        return bool(super().verify_file(path)) and path.endswith(("zonesmith.yml", "zonesmith.yaml"))

    def parse(self, inventory: Any, loader: Any, path: str, cache: bool = True) -> None:
        """Read the file *path*, and add its hosts to *inventory*. Raises AnsibleParserError."""
        super().parse(inventory, loader, path, cache)
        try:
            given = self._checked_options(path)
            self.populate(self._cached_or_fetched(path, self._connection(given), cache))
        except (AnsibleError, ServiceError, ValueError) as error:
            # Without the cause: ansible-core would show its lines of the file, and one of them can hold the token.
            raise AnsibleParserError(f"{path}: {error}") from None

    def add(self, host: str, found: Mapping[str, Any], settings: Mapping[str, Any] | None = None) -> None:
        """Add a host, and what ``compose``, ``groups`` and ``keyed_groups`` make of its variables.

        *found* comes from the service and is never evaluated as a template; *settings* are the plugin's own.
        """
        variables = {**{name: untrusted(value) for name, value in found.items()}, **(settings or {})}
        self.inventory.add_host(host)
        for name, value in variables.items():
            self.inventory.set_variable(host, name, value)
        strict = self.get_option("strict")
        self._set_composite_vars(self.get_option("compose"), variables, host, strict=strict)
        self._add_host_to_composed_groups(self.get_option("groups"), variables, host, strict=strict)
        self._add_host_to_keyed_groups(self.get_option("keyed_groups"), variables, host, strict=strict)

    def named(self, found: Iterable[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
        """The zones among *found* under their names, in lower case and without trailing dot.

        What has a name that no zone can have is left out, with a warning.
        """
        for zone in found:
            if name := self._host_of(zone["name"]):
                yield name, zone

    def _host_of(self, zone: str) -> str | None:
        try:
            return zone_name(zone).rstrip(".")
        except InvalidName as error:
            self.display.warning(f"The zone {visible(repr(zone))} is no host, {error}.")
            return None

    def _checked_options(self, path: str) -> Mapping[str, Any]:
        """Take the options from the file, and give those that are written in it. Raises AnsibleParserError."""
        given: Mapping[str, Any] = self._read_config_data(path)
        known = sorted(self.option_definitions)
        for option in map(str, given):
            if option not in known:
                hint = "".join(f", did you mean {near}?" for near in get_close_matches(option, known, n=1))
                raise AnsibleParserError(f"{self.NAME} has no option {option}{hint or ': see ansible-doc'}")
        if self.get_option("timeout") <= 0 or self.get_option("retries") < 0:
            raise AnsibleParserError("timeout must be above 0 seconds, and retries 0 or more")
        for library, missing in (("requests", REQUESTS_MISSING), ("dnspython >= 2.9", DNSPYTHON_MISSING)):
            if missing:
                raise AnsibleParserError(f"the Python library {library} is missing on the controller")
        return given

    def _connection(self, given: Mapping[str, Any]) -> Connection:
        """How to reach the service. Templates count in the file only: what the environment says is taken as it is."""
        options = {field.name: self.get_option(field.name) for field in fields(Connection)}
        self.templar.available_variables = self._vars
        for option in ("base_url", "access_token"):
            if option in given:
                options[option] = self._evaluated(option, options[option])
        return Connection(**options)

    def _evaluated(self, option: str, template: Any) -> str:
        try:
            value = self.templar.template(template)
        except AnsibleError as error:
            reason = str(error).replace(str(template), "...")  # a token with braces in it is a template too
            raise AnsibleParserError(f"the template of {option} cannot be evaluated: {reason}") from error
        return "" if value is None else str(value)

    def _cached_or_fetched(self, path: str, connection: Connection, cache: bool) -> Any:
        if not self.get_option("cache"):
            return self.fetch(Client(connection, CONNECTIONS))
        scope = [connection.base_url, *(self.get_option(option) for option in self.FETCH_OPTIONS)]
        key = f"{self.get_cache_key(path)}_{sha256(json.dumps(scope).encode()).hexdigest()[:8]}"
        if cache:
            try:
                return self._cache[key]
            except KeyError:
                pass
        self._cache[key] = found = self.fetch(Client(connection, CONNECTIONS))
        return found


def matches(name: str, include: Iterable[Any], exclude: Iterable[Any] = ()) -> bool:
    """Whether a name is matched by one of the globs, and by none of those to exclude.

    Case and a trailing dot do not matter, and a label outside ASCII stands for its A-label.
    """
    plain = _plain(name)
    return any(fnmatchcase(plain, _plain(glob)) for glob in include) and not any(
        fnmatchcase(plain, _plain(glob)) for glob in exclude
    )


def _plain(text: Any) -> str:
    lowered = str(text).lower().rstrip(".")
    return lowered if lowered.isascii() else ".".join(map(_a_label, lowered.split(".")))


def _a_label(label: str) -> str:
    try:
        return label if label.isascii() else zone_name(label).rstrip(".")
    except InvalidName:  # such as a glob inside the label, which only matches labels that are written that way
        return label
