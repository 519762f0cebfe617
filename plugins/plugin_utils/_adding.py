# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How what the service told of becomes hosts: their variables and groups, and nobody else's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ansible.errors import AnsibleError
from ansible.plugins.inventory import BaseInventoryPlugin, Constructable, to_safe_group_name

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.plugin_utils._hosts import ServiceHost

try:
    from ansible.template import trust_as_template
except ImportError:  # ansible-core 2.18 evaluates every template, unless it is wrapped
    from ansible.utils.unsafe_proxy import wrap_var

    def trust_as_template(text: str) -> str:
        """A text that may be evaluated as a template."""
        return text

    def untrusted(value: Any) -> Any:
        """A value whose texts are never evaluated as templates, its keys and those without braces neither.

        A text can begin with ``#jinja2:`` and say itself what stands for braces in it.
        """
        return wrap_var(value)

else:

    def untrusted(value: Any) -> Any:
        """A value whose texts are never evaluated as templates: since ansible-core 2.19 that holds by itself."""
        return value


CONTROLLER_PYTHON = trust_as_template("{{ ansible_playbook_python }}")
"""The interpreter that runs the playbook, which need not be the one that made the inventory."""


class HostsOfService(BaseInventoryPlugin, Constructable):
    """Adds hosts whose names and variables come from the service."""

    @staticmethod
    def _sanitize_group_name(name: str) -> str:
        """As ansible-core does it, except ``all``: with a parent group, that would end more than this source."""
        safe: str = to_safe_group_name(name)
        return "_all" if safe == "all" else safe

    def add(self, host: str, found: Mapping[str, Any], settings: Mapping[str, Any] | None = None) -> None:
        """Add a host, and what ``compose``, ``groups`` and ``keyed_groups`` make of its variables.

        *found* comes from the service and is never evaluated as a template; *settings* are the plugin's own. A host
        whose name stands for something else already is left out, with a warning.
        """
        added = self._host(host)
        if added is None:
            return
        variables = {**{name: untrusted(value) for name, value in found.items()}, **(settings or {})}
        for name, value in variables.items():
            added.set_variable(name, value)
        strict = self.get_option("strict")
        self._set_composite_vars(self.get_option("compose"), variables, host, strict=strict)
        self._group(self._add_host_to_composed_groups, self.get_option("groups"), variables, host, strict)
        for entry in self.get_option("keyed_groups") or ():
            self._group(self._add_host_to_keyed_groups, [entry], variables, host, strict)

    def _host(self, name: str) -> ServiceHost | None:
        """A host of this inventory, made where there is none."""
        known = self.inventory.hosts.get(name)
        if name in self.inventory.groups:
            reason = "there is a group of that name"
        elif known is None:
            return ServiceHost.added(name, self.inventory, self.loader)
        elif isinstance(known, ServiceHost) and known.is_of(self.inventory.current_source):
            return known
        else:
            reason = f"{known.vars.get('inventory_file')} has a host of that name"
        self.display.warning(f"{name} of {self.inventory.current_source} is left out: {reason}.")
        return None

    def _group(
        self, add: Callable[..., None], groups: Any, variables: Mapping[str, Any], host: str, strict: bool
    ) -> None:
        """Add the host to groups. What the service says of one host must not end the inventory."""
        try:
            add(groups, variables, host, strict=strict)
        except Exception as error:  # noqa: BLE001 - a plain one where a group would be in itself
            if strict:
                raise AnsibleError(str(error)) from None
            self.display.warning(f"{host} cannot be put into a group: {printable(str(error))}")
