# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What inventory plugins share: options, connection, cache, errors, hosts."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields
from datetime import date
from hashlib import sha256
from typing import Any, ClassVar

from ansible.errors import AnsibleError, AnsibleParserError
from ansible.plugins.inventory import (
    BaseInventoryPlugin,
    Cacheable,
    Constructable,
    to_safe_group_name,
)

from ..module_utils._api.answers import ServiceError
from ..module_utils._api.client import Client
from ..module_utils._api.connection import Connection
from ..module_utils._api.sender import REQUESTS_MISSING
from ..module_utils._api.zones import CONNECTIONS
from ..module_utils._dns.globs import ZoneGlobs
from ..module_utils._dns.names import DNSPYTHON_MISSING, InvalidName, zone_name
from ..module_utils._dns.printable import printable
from ..module_utils._dns.slips import question
from ..module_utils._python import pip_command
from ._hosts import ServiceHost

try:
    from ansible.template import trust_as_template
except ImportError:  # ansible-core 2.18 evaluates every template, unless it is wrapped
    from ansible.utils.unsafe_proxy import wrap_var

    def trust_as_template(text: str) -> str:
        """Mark a text as a template."""
        return text

    def untrusted(value: Any) -> Any:
        """A value without templates, even in keys and texts without braces.

        A text that begins with ``#jinja2:`` can choose other delimiters.
        """
        return wrap_var(value)

else:

    def untrusted(value: Any) -> Any:
        """A value without templates, as all values are since ansible-core 2.19."""
        return value


CONTROLLER_PYTHON = trust_as_template("{{ ansible_playbook_python }}")
"""The playbook's interpreter, perhaps not the inventory's."""

_CONTAINERS: Mapping[Any, Any] = {"list": list, "dict": Mapping}
_NO_TEXT = (list, tuple, set, bytes, date, Mapping)


class ServiceInventory(BaseInventoryPlugin, Constructable, Cacheable):
    """Plugins read with ``fetch`` and add hosts with ``populate``."""

    FETCH_OPTIONS: ClassVar[tuple[str, ...]] = ()
    """Options for the cache key, which change what ``fetch`` reads."""

    def fetch(self, client: Client) -> Any:
        """Read plain data, which a cache can hold."""
        raise NotImplementedError

    def populate(self, found: Any) -> None:
        """Add hosts for the result of ``fetch``."""
        raise NotImplementedError

    def verify_file(self, path: str) -> bool:
        is_ours = path.endswith(("zonesmith.yml", "zonesmith.yaml"))
        return is_ours and bool(super().verify_file(path))

    def parse(self, inventory: Any, loader: Any, path: str, cache: bool = True) -> None:
        """Raises AnsibleParserError."""
        super().parse(inventory, loader, path, cache)
        try:
            config = self._checked_options(path)
            connection = self._connection(path, config)
            found = self._cached_or_fetched(path, connection, cache)
            self.populate(found)
        except (AnsibleError, ServiceError, ValueError) as error:
            # Without the cause: ansible-core shows its lines of the file, perhaps with the token.
            raise AnsibleParserError(f"{path}: {error}") from None

    def named(self, found: Iterable[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Zones by lower-case name without a final dot. Invalid names are skipped with a warning."""
        for zone in found:
            try:
                name = zone_name(zone["name"]).rstrip(".")
            except InvalidName as error:
                shown = printable(repr(zone["name"]))
                self.display.warning(f"The zone {shown} is not a host: {error}.")
            else:
                yield name, zone

    def set_options(
        self, task_keys: Any = None, var_options: Any = None, direct: Any = None
    ) -> None:
        """Take the options. Raises AnsibleParserError without the value, which ansible-core's own error would show."""
        for option, value in (direct or {}).items():
            if option not in self.option_definitions:
                continue  # _checked_options reports it as missing
            expected = self.option_definitions[option].get("type")
            containers = _CONTAINERS.get(expected, ())
            if isinstance(value, _NO_TEXT) and not isinstance(value, containers):
                raise AnsibleParserError(
                    f"{option} has a value of the wrong type: see ansible-doc {self.NAME}"
                )
        super().set_options(task_keys=task_keys, var_options=var_options, direct=direct)

    def _checked_options(self, path: str) -> Mapping[str, Any]:
        """Take the file's options. Raises AnsibleParserError."""
        config: Mapping[str, Any] = self._read_config_data(path)
        known = sorted(self.option_definitions)
        for option in map(str, config):
            if option not in known:
                hint = question(option, known) or ": see ansible-doc"
                raise AnsibleParserError(f"{self.NAME} has no option {option}{hint}")
        for library, missing in (
            ("requests >= 2.28.1", REQUESTS_MISSING),
            ("dnspython >= 2.6.1", DNSPYTHON_MISSING),
        ):
            if missing:
                raise AnsibleParserError(
                    f"the Python library {library} is missing on the controller: {pip_command()}"
                )
        return config

    def _connection(self, path: str, config: Mapping[str, Any]) -> Connection:
        """Templates are evaluated in the file, not in the environment."""
        options = {field.name: self.get_option(field.name) for field in fields(Connection)}
        if config.get("ca_path"):
            whole = os.path.expandvars(os.path.expanduser(str(config["ca_path"])))
            options["ca_path"] = os.path.abspath(os.path.join(os.path.dirname(path), whole))
        self.templar.available_variables = self._vars
        for option in ("base_url", "access_token"):
            if option in config:
                options[option] = self._evaluated(option, options[option])
        if not str(options["base_url"]).strip():
            raise AnsibleParserError("base_url is empty: set it, or ZONESMITH_BASE_URL")
        return Connection(**options)

    def _evaluated(self, option: str, template: Any) -> str:
        try:
            value = self.templar.template(template)
        except Exception:  # noqa: BLE001 - from a filter, with words that may be the token
            raise AnsibleParserError(f"the template of {option} cannot be evaluated") from None
        if value is None:
            return ""
        if not isinstance(value, (str, int, float)):
            raise AnsibleParserError(f"the template of {option} must give a text")
        return str(value)

    def _cached_or_fetched(self, path: str, connection: Connection, cache: bool) -> Any:
        key = self._cache_key(path, connection)
        is_cached = self.get_option("cache")
        if cache and is_cached:
            with suppress(KeyError, TypeError, ValueError):  # the last two if it is damaged
                return json.loads(self._cache[key])
        text = json.dumps(self.fetch(Client(connection, CONNECTIONS)))
        if is_cached:
            # As one text: from ansible-core 2.19 on, a cache can mark each text as a template.
            self._cache[key] = text
        return json.loads(text)

    def _cache_key(self, path: str, connection: Connection) -> str:
        options = [self.get_option(option) for option in self.FETCH_OPTIONS]
        scope = json.dumps([connection.base_url, *options])
        digest = sha256(scope.encode()).hexdigest()
        return f"{self.get_cache_key(path)}_{digest[:8]}"

    @staticmethod
    def _sanitize_group_name(name: str) -> str:
        """As in ansible-core, but ``all`` with a parent group would end more than this source."""
        safe: str = to_safe_group_name(name)
        return "_all" if safe == "all" else safe

    def add(
        self, host: str, found: Mapping[str, Any], settings: Mapping[str, Any] | None = None
    ) -> None:
        """Add a host with *found*, never a template. A name in use is skipped with a warning."""
        added = self._host(host)
        if added is None:
            return
        variables = {name: untrusted(value) for name, value in found.items()}
        variables.update(settings or {})
        for name, value in variables.items():
            added.set_variable(name, value)
        strict = self.get_option("strict")
        self._set_composite_vars(self.get_option("compose"), variables, host, strict=strict)
        groups, keyed = self.get_option("groups"), self.get_option("keyed_groups")
        try:
            self._add_host_to_composed_groups(groups, variables, host, strict=strict)
            self._add_host_to_keyed_groups(keyed, variables, host, strict=strict)
        except Exception as error:  # noqa: BLE001 - a plain one if a group would contain itself
            if strict:
                raise AnsibleError(str(error)) from None
            # It is about one host, and must not end the inventory.
            self.display.warning(f"{host} cannot be put into a group: {printable(str(error))}")

    def _host(self, name: str) -> ServiceHost | None:
        """The host, added if needed; None if the name is taken."""
        source = self.inventory.current_source
        known = self.inventory.hosts.get(name)
        if name in self.inventory.groups:
            reason = "there is a group of that name"
        elif known is None:
            return ServiceHost.added(name, self.inventory, self.loader)
        elif isinstance(known, ServiceHost) and known.is_of(source):
            return known
        else:
            reason = f"{known.vars.get('inventory_file')} has a host of that name"
        self.display.warning(f"{name} of {source} is left out: {reason}.")
        return None


def matches(name: str, include: Iterable[Any], exclude: Iterable[Any] = ()) -> bool:
    """Whether a name is included and not excluded."""
    included = ZoneGlobs(map(str, include))
    excluded = ZoneGlobs(map(str, exclude))
    return included.match(name) and not excluded.match(name)
