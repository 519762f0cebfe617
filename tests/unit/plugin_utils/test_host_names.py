# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which names can be hosts."""

import pytest

from ansible_collections.zonesmith.dns.plugins.plugin_utils._host_names import (
    is_host_name,
    is_zone_host,
)


@pytest.mark.parametrize(
    "name, of_a_machine, of_a_zone",
    [
        ("www.example.com", True, True),
        ("xn--bcher-kva.example", True, True),
        (f"{'a' * 63}.example", True, True),
        (".".join(["a" * 50] * 4 + ["b" * 49]), True, True),
        ("_acme.example.com", False, True),
        ("0/25.2.0.192.in-addr.arpa", False, True),
        ("all", False, False),
        ("localhost", False, False),
        ("web.localhost", False, False),
        ("127.1", False, False),
        ("0x7f.0x1", False, False),
        ("www.-v.example", False, False),
        ("www-.example", False, False),
        ("WWW.example", False, False),
        ("www..example", False, False),
        ("www.example\n", False, False),
        (f"{'a' * 64}.example", False, False),
        (".".join(["a" * 50] * 5), False, False),
    ],
)
def test_a_name_can_be_a_host(name, of_a_machine, of_a_zone):
    assert (is_host_name(name), is_zone_host(name)) == (of_a_machine, of_a_zone)
