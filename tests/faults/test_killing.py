# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""That a kill of these tests meets the process that it is for, and none of the same tests run beside them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from killing import processes_of
from playing import CASE

HOST = "case00007"
BY_NAME = f"open('/proc/self/comm', 'w').write('{HOST}')"


@contextmanager
def waiting(begins: str, mark: str, service: Any) -> Iterator[int]:
    """The id of a process at a service, which is what it says to be, and ends with the block."""
    command = [sys.executable, "-c", f"{begins}\nprint(flush=True)\ninput()"]
    environment = {"ZONESMITH_BASE_URL": service.url, CASE: mark}
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        yield process.pid
        process.communicate(b"\n")


@pytest.mark.parametrize(("begins", "mark"), [("", HOST), (BY_NAME, "")], ids=["by its environment", "by its name"])
def test_the_same_host_at_another_service_is_not_killed(begins: str, mark: str) -> None:
    services: list[Any] = [SimpleNamespace(url=f"http://127.0.0.1:{port}") for port in (1, 2)]
    with ExitStack() as stack:
        pids = [stack.enter_context(waiting(begins, mark, service)) for service in services]
        assert [processes_of(HOST, service) for service in services] == [[pid] for pid in pids]
