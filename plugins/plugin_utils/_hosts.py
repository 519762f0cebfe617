# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Decides which names and addresses of the service may become hosts, and makes such a host give way to a real one.

Whoever writes to a zone chooses them. ssh takes a leading hyphen for an option, and Ansible runs commands on the
controller for some names.
"""

from __future__ import annotations

import re
from functools import cache
from ipaddress import IPv4Address, IPv6Address
from typing import Any

from ansible.errors import AnsibleError
from ansible.inventory.group import Group
from ansible.inventory.host import Host
from ansible.utils.display import Display
from ansible.utils.path import basedir

_HOST = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
# Zones can have names that machines cannot: _acme.example.com, 0/25.2.0.192.in-addr.arpa (RFC 2317).
_ZONE = re.compile(r"[a-z0-9_](?:[a-z0-9_/-]{0,61}[a-z0-9_])?")
# inet_aton reads these as addresses: 127.1, 2130706433, 0x7f.1.
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")
_LONGEST_NAME = 253


def is_host_name(name: str) -> bool:
    """Whether a machine can have this name (RFC 1123, section 2.1), given in lower case without a final dot.

    Names for the controller (``localhost``, below it, RFC 6761, and ``localhost.localdomain``), addresses, and names
    without a dot, which Ansible could take for groups, do not count.
    """
    return _is_name(name, _HOST)


def is_zone_host(name: str) -> bool:
    """Whether a zone of this name, in lower case without a final dot, can be a host."""
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
    """The canonical text of an A, AAAA or CNAME value to connect to; None if it must not be used.

    That is a loopback, unspecified, link-local, multicast or reserved address, or one with a zone index (RFC 4007).
    """
    if rdtype == "CNAME":
        target = value.lower()
        return target if is_host_name(target) else None
    try:
        address = IPv4Address(value) if rdtype == "A" else IPv6Address(value)
    except ValueError:
        return None
    reached = getattr(address, "ipv4_mapped", None) or address
    if "%" in value or reached.is_loopback or reached.is_unspecified:
        return None
    if reached.is_link_local or reached.is_multicast or reached.is_reserved:
        return None
    return str(address)


class ServiceHost(Host):
    """A host from the service, until a source that is read later names it too.

    Then its settings here, such as a local connection, must not hold for that machine.
    """

    _inventory: Any = None
    _loader: Any = None
    _source: str | None = None

    @classmethod
    def added(cls, name: str, inventory: Any, loader: Any) -> ServiceHost:
        """Add a host to *inventory*, which has none of that name."""
        inventory.add_host(name)
        host = cls(name)
        host.vars = inventory.hosts[name].vars
        host._inventory, host._loader, host._source = inventory, loader, inventory.current_source
        inventory.hosts[name] = host
        return host

    def is_of(self, source: str | None) -> bool:
        """Whether it was made from this source and not claimed by another."""
        return self._inventory is not None and self._source == source

    def add_group(self, group: Group) -> bool:
        """Note that this host is in *group*."""
        self._make_way()
        return bool(super().add_group(group))

    def set_variable(self, key: str, value: Any) -> None:
        """Set a variable of this host."""
        self._make_way()
        super().set_variable(key, value)

    def _make_way(self) -> None:
        source = self._inventory.current_source if self._inventory else None
        if not source or source == self._source or _only_groups(self._loader, source):
            return
        Display().warning(f"{self.name} of {self._source} is left out: {source} has a host of that name.")
        self._inventory = None
        for group in list(self.groups):
            group.remove_host(self)
        self.groups.clear()
        self.vars = {"inventory_file": source, "inventory_dir": basedir(source)}


@cache
def _only_groups(loader: Any, source: str) -> bool:
    """Whether a source is a file of ``ansible.builtin.constructed``, which adds no hosts."""
    try:
        config = loader.load_from_file(source, cache="none")
    except (AnsibleError, OSError, ValueError):
        return False
    return isinstance(config, dict) and config.get("plugin") in ("constructed", "ansible.builtin.constructed")
