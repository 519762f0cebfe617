# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Decides which names and addresses become hosts, and makes them give way to real hosts.

Whoever writes to a zone chooses them. ssh takes a leading hyphen for an option, and some names make Ansible run
commands on the controller.
"""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address
from typing import Any

from ansible.errors import AnsibleError
from ansible.inventory.group import Group
from ansible.inventory.host import Host
from ansible.utils.display import Display
from ansible.utils.path import basedir

from ..module_utils._query.name_servers import may_be_reached

_HOST = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
# Zones can have names that machines cannot: _acme.example.com, 0/25.2.0.192.in-addr.arpa (RFC 2317).
_ZONE = re.compile(r"[a-z0-9_](?:[a-z0-9_/-]{0,61}[a-z0-9_])?")
# inet_aton reads these as addresses: 127.1, 2130706433, 0x7f.1.
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")
_LONGEST_NAME = 253
_SOURCES = 64
"""More than the sources of an inventory."""


def is_host_name(name: str) -> bool:
    """Whether a machine can have this lower-case name without a final dot (RFC 1123, section 2.1).

    Not the controller's (``localhost``, RFC 6761), addresses, or names without a dot, which can be groups in Ansible.
    """
    return _is_name(name, _HOST)


def is_zone_host(name: str) -> bool:
    """Whether a zone's lower-case name without a final dot can be a host."""
    return _is_name(name, _ZONE)


def _is_name(name: str, pattern: re.Pattern[str]) -> bool:
    labels = name.split(".")
    return (
        len(name) <= _LONGEST_NAME
        and len(labels) > 1
        and all(pattern.fullmatch(label) for label in labels)
        and "localhost" not in (labels[0], labels[-1])
        and not _NUMBER.fullmatch(labels[-1])
    )


def usable_address(rdtype: str, value: str) -> str | None:
    """An address to connect to, or None.

    Unusable are loopback, unspecified, link-local, multicast and reserved addresses, and zone indexes (RFC 4007).
    """
    if rdtype == "CNAME":
        target = value.lower()
        return target if is_host_name(target) else None
    try:
        address = IPv4Address(value) if rdtype == "A" else IPv6Address(value)
    except ValueError:
        return None
    return str(address) if "%" not in value and may_be_reached(value) else None


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
        host._inventory, host._loader, host._source = inventory, loader, inventory.current_source
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
        source = self._inventory.current_source if self._inventory else None
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
    return isinstance(config, dict) and config.get("plugin") in (
        "constructed",
        "ansible.builtin.constructed",
    )
