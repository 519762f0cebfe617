# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Hosts from the service, which give way to those of other sources: whoever writes to a zone chooses its names."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ansible.errors import AnsibleError
from ansible.inventory.group import Group
from ansible.inventory.host import Host
from ansible.utils.display import Display
from ansible.utils.path import basedir

_SOURCES = 64
"""More than the sources of an inventory."""


class ServiceHost(Host):
    """A host from the service, until a later source names it too.

    Then its settings, such as a local connection, must not affect that machine.
    """

    _inventory: Any = None
    _loader: Any = None
    _source: str | None = None

    @classmethod
    def added(cls, name: str, inventory: Any, loader: Any) -> ServiceHost:
        inventory.add_host(name)
        host = cls(name)
        host.vars = inventory.hosts[name].vars
        host._inventory = inventory
        host._loader = loader
        host._source = inventory.current_source
        inventory.hosts[name] = host
        return host

    def is_of(self, source: str | None) -> bool:
        """Whether it is from this source, and no other claimed it."""
        return self._inventory is not None and self._source == source

    def add_group(self, group: Group) -> bool:
        self._make_way()
        return bool(super().add_group(group))

    def set_variable(self, key: str, value: Any) -> None:
        self._make_way()
        super().set_variable(key, value)

    def _make_way(self) -> None:
        if self._inventory is None:
            return
        source = self._inventory.current_source
        if not source or source == self._source or _only_groups(self._loader, source):
            return
        Display().warning(
            f"{self.name} of {self._source} is left out: {source} has a host of that name."
        )
        self._inventory = None
        for group in list(self.groups):
            group.remove_host(self)
        self.groups.clear()
        self.vars = {"inventory_file": source, "inventory_dir": basedir(source)}


@lru_cache(_SOURCES)
def _only_groups(loader: Any, source: str) -> bool:
    """Whether it is ``ansible.builtin.constructed``, which adds no hosts."""
    try:
        config = loader.load_from_file(source, cache="none")
    except (AnsibleError, OSError, ValueError):
        return False
    if not isinstance(config, dict):
        return False
    return config.get("plugin") in ("constructed", "ansible.builtin.constructed")
