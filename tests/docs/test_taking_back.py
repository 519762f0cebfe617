# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/examples/taking_back.yml with a site that answers, one that does not, and a service that fails on the way."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import collection
import demo
import pytest
from running import Service

TESTS = Path(__file__).resolve().parents[1]

EXAMPLE = TESTS.parent / "docs" / "examples" / "taking_back.yml"
HELD = [
    ("www", "A", 300, ["192.0.2.1", "192.0.2.2"]),
    ("www", "AAAA", 300, ["2001:db8::1"]),
    ("@", "TXT", 300, ['"v=spf1 -all"']),
]
CHANGED = ["shop.example.com. 3600 CNAME", "www.example.com. 60 A"]
ADDRESS = "Send visitors to the new server"
HEALTH = "Look whether the site answers"


class Case(NamedTuple):
    """What goes wrong: the path of the site, faults of the service, further sets; and the task that fails for it."""

    path: str = "/_control/settings"
    faults: tuple[dict[str, Any], ...] = ()
    held: tuple[tuple[str, str, int, list[str]], ...] = ()
    fails: str = ""


def refused(method: str, nth: int, times: int = 1) -> dict[str, Any]:
    return {"kind": "status", "status": 403, "method": method, "nth": nth, "times": times}


CASES = {
    "all is well": Case(),
    "the site does not answer": Case(path="/nowhere", fails=HEALTH),
    "the first value is refused": Case(faults=(refused("POST", 1),), fails=ADDRESS),
    "the second value is refused": Case(faults=(refused("POST", 2),), fails=ADDRESS),
    "nothing is taken, nor put back": Case(faults=({**refused("POST", 1, 3), "content": "192.0.2."},), fails=ADDRESS),
    "the second deletion is refused": Case(faults=(refused("DELETE", 2),), fails=ADDRESS),
    "the change is refused before it is begun": Case(held=(("shop", "A", 300, ["192.0.2.7"]),), fails=ADDRESS),
}


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """The stand-in service, whose control interface is the site too."""
    with Service(zones=["example.com"]) as running:
        yield running


def played(folder: Path, service: Service, path: str) -> subprocess.CompletedProcess[str]:
    collection.link(folder / "collections")
    return subprocess.run(
        ["ansible-playbook", str(EXAMPLE), "-e", f"site_health={service.url}{path}", "-e", "site_tries=0"],
        check=False,
        env={
            **demo.settings(folder),
            "PATH": f"{demo.BIN}:/usr/bin:/bin",
            "NO_PROXY": "*",
            "ZONESMITH_ACCESS_TOKEN": service.token,
            "ZONESMITH_BASE_URL": service.url,
            "ZONESMITH_STATE_DIR": str(folder / "state"),
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def lines(service: Service) -> list[str]:
    rows = [row for row in service.records("example.com") if row["type"] not in ("SOA", "NS")]
    return sorted(f"{row['name']} {row['ttl']} {row['type']} {sorted(row['contents'])}" for row in rows)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_change_is_kept_or_taken_back(case: Case, tmp_path: Path, service: Service) -> None:
    service.reset()
    service.zone("example.com", [*HELD, *case.held])
    before = lines(service)
    for fault in case.faults:
        service.fault(**fault)
    done = played(tmp_path, service, case.path)
    if case.fails:
        assert done.returncode == 2, done.stdout
        assert f"The change was taken back, because of the task '{case.fails}': " in done.stdout
        assert lines(service) == before, done.stdout
    else:
        assert done.returncode == 0, done.stdout
        assert [line.rpartition(" [")[0] for line in lines(service)[1:]] == CHANGED
        again = played(tmp_path, service, case.path)
        assert re.search(r"changed=0 .*failed=0 .*rescued=0", again.stdout), again.stdout
