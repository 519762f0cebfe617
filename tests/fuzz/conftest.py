# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Support modules for the suites, how many inputs are tried, and a client without network and waits."""

import os
import sys
from pathlib import Path

import pytest

sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from answers import Clock, InMemory, NameServers
from hypothesis import HealthCheck, Phase, settings

from ansible_collections.zonesmith.dns.plugins.module_utils._api import sender
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import in_place_of_it
from ansible_collections.zonesmith.dns.plugins.module_utils._query import name_servers, served

PROPERTIES = 10
"""How many there are, so that FUZZ_INPUTS can be the number of all inputs."""
ALL = int(os.environ.get("FUZZ_INPUTS", "0"))

# The same few inputs in every run, others each time where many are asked for.
settings.register_profile(
    "fuzz",
    max_examples=-(-ALL // PROPERTIES) or 100,
    derandomize=not ALL,
    database=None,
    deadline=None,
    phases=(Phase.generate, Phase.shrink),
    print_blob=True,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("fuzz")


@pytest.fixture(scope="session", autouse=True)
def _alone():
    """No network, no proxies, no waits, and no disk that is waited for."""
    NameServers.clock = Clock()
    with in_place_of_it(NameServers.clock), pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
            patch.delenv(name)
        patch.setattr(sender, "BoundedAdapter", InMemory)
        patch.setattr(served, "AT_ONCE", 1)  # the same order every time
        patch.setattr(name_servers.socket, "getaddrinfo", NameServers.addresses)
        patch.setattr(served, "ask", NameServers.response)
        patch.setattr(os, "fsync", lambda _descriptor: None)
        yield
