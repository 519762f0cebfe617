# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Support modules for the suites, a client without network and waits, and the line that sums the suites up."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[1])]

import fuzzing
from answers import Clock, InMemory, NameServers

from ansible_collections.zonesmith.dns.plugins.module_utils._api import (
    gate,
    late_reads,
    retries,
    sender,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._query import name_servers, served


@pytest.fixture(scope="session", autouse=True)
def _alone() -> Iterator[None]:
    """No network, no proxies, no waits, and no disk that is waited for."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
            patch.delenv(name)
        patch.setattr(sender, "BoundedAdapter", InMemory)
        NameServers.clock = Clock()
        for module in (gate, late_reads, retries, served):
            patch.setattr(module, "machine", lambda: NameServers.clock)
        patch.setattr(served, "AT_ONCE", 1)  # the same order every time
        patch.setattr(name_servers.socket, "getaddrinfo", NameServers.addresses)
        patch.setattr(served, "_response", NameServers.response)
        patch.setattr(os, "fsync", lambda _descriptor: None)
        yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what was tried."""
    terminalreporter.write_line(f"{sum(fuzzing.TRIED.values())} inputs tried ({fuzzing.PER_PROPERTY} a property)")
