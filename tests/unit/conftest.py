# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A stand-in service over real HTTP, zones as text, modules run in this process, and a clock that never waits."""

from __future__ import annotations

import contextlib
import importlib
import io
import itertools
import json
import pathlib
import sys
import threading
from collections.abc import Callable

import pytest
from ansible.module_utils import basic
from ansible.module_utils.common.parameters import PASS_VARS
from ansible.release import __version__ as ansible_version

from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import Connection
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import Machine, in_place_of_it
from ansible_collections.zonesmith.dns.plugins.module_utils._state import folder as _folder
from ansible_collections.zonesmith.dns.plugins.module_utils._state.folder import FolderStore

sys.path += [
    str(pathlib.Path(__file__).parents[1] / folder) for folder in ("", "service", "tools", "unit")
]

from raw import RawServer, whole
from running import Service
from shorthand import NULL


def pytest_report_header():
    """Which ansible-core, of all that are supported, this run is about."""
    return f"ansible-core: {ansible_version}"


TOKEN = "token-that-nobody-may-see"
AMBIENT = (
    "ZONESMITH_BASE_URL",
    "ZONESMITH_ACCESS_TOKEN",
    "ZONESMITH_STATE_DIR",
    "ZONESMITH_STATE_URL",
    "ZONESMITH_OWNER",
    "CI",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
)
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(scope="session")
def _running_service():
    with Service(zones=["example.com"], token=TOKEN) as service:
        yield service


@pytest.fixture
def service(_running_service):
    """The stand-in service, with one zone, example.com, as new."""
    _running_service.reset()
    return _running_service


class Zone:
    """The zone example.com in the service, as lines of ``<relative name> <TTL> <type> <value>``."""

    name = "example.com."

    def __init__(self, service):
        self._service = service

    def holds(self, text, **fields):
        """Make the zone hold these lines, beside the SOA and NS that every zone has."""
        lines = [line.split(maxsplit=3) for line in text.strip().splitlines()]
        sets = itertools.groupby(lines, key=lambda line: line[:3])
        rows = [
            (name, rdtype, int(ttl), [line[3] for line in group])
            for (name, ttl, rdtype), group in sets
        ]
        self._service.zone("example.com", rows, **fields)

    def lines(self):
        """What the zone holds, sorted, without SOA and NS."""
        lines = []
        for row in self._service.records("example.com"):
            name = row["name"].removesuffix("example.com.").removesuffix(".") or "@"
            if row["type"] != "SOA" and (name, row["type"]) != ("@", "NS"):
                lines += [
                    f"{name} {row['ttl']} {row['type']} {content}" for content in row["contents"]
                ]
        return sorted(lines)

    def calls(self):
        """Each call so far, in order: ``GET``, ``GET list``, ``POST www A 192.0.2.1``, ``DELETE www.example.com. A``"""
        short = {"GET /dns/domains/examplecom": "GET", "GET /dns/domains": "GET list"}
        return [short.get(call, call) for call in self._service.calls()]


@pytest.fixture
def zone(service):
    """The zone example.com."""
    return Zone(service)


@pytest.fixture
def three(service):
    """A service with the zones example.com, example.net and example.org, each with www A 192.0.2.1."""
    for name in ("example.com", "example.net", "example.org"):
        service.zone(name, [("www", "A", 300, ["192.0.2.1"])])
    service.clear_log()
    return service


class Clock(Machine):
    """A machine on which waiting takes no time, and is written down."""

    def __init__(self):
        self.waits: list[float] = []
        self.on_wait: Callable[[float], None] = lambda _seconds: None
        self._now = 1000.0
        # However slow the machine is that the tests run on, no time passes but what is waited for.
        self._began = super().time() - self._now
        self._lock = threading.Lock()

    def turn(self, seconds):
        """Let so many seconds pass."""
        with self._lock:
            self._now += seconds

    def monotonic(self):
        return self._now

    def time(self):
        return self._began + self._now

    def sleep(self, seconds):
        if seconds:
            with self._lock:
                self.waits.append(seconds)
            self.on_wait(seconds)
            self.turn(seconds)


@pytest.fixture
def clock():
    """The clock of the machine."""
    clock = Clock()
    with in_place_of_it(clock):
        yield clock


@pytest.fixture(autouse=True)
def _nothing_ambient(monkeypatch):
    """What a user of the collection has set says nothing to its tests."""
    for name in AMBIENT:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty home directory, in an environment that says nothing of service, proxies or certificates."""
    for name in (*AMBIENT, *PROXIES, *map(str.upper, PROXIES)):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    # The tests may run in a container or in memory, of which a rebuild warns.
    monkeypatch.setattr(_folder, "MOUNTS", folder / "no-such-file")
    return folder


@pytest.fixture
def state_dir(home):
    """The state_dir that ``run`` and ``store`` use."""
    return home / "state"


@pytest.fixture
def store(service, state_dir):
    """What keeps the document of example.com."""
    return FolderStore(str(state_dir), service.url, "example.com.")


@pytest.fixture
def connect(
    service,
    home,  # noqa: ARG001 - for what it does to the environment
    clock,  # noqa: ARG001 - for what it does to the client
):
    """Makes a client for the service; options are those of Connection."""

    def connect(*, connections=1, **options):
        values = {"base_url": service.url, "access_token": service.token, **options}
        return Client(Connection(**values), connections)

    return connect


def _null(value):
    """Write NULL as null."""
    assert value is NULL


@pytest.fixture
def run(
    service,
    state_dir,
    clock,  # noqa: ARG001 - for what it does to the client
    monkeypatch,
):
    """Runs a module's main() in this process and gives what it says on stdout: its result or its failure.

    The connection is that of the service, unless an option says otherwise; an option that is None is left out, and
    one that is NULL is null.
    """

    def run(module, *, check=False, verbosity=0, **options):
        state = (
            {} if module in ("dns_zone_files", "dns_zone_info") else {"state_dir": str(state_dir)}
        )
        values = {"base_url": service.url, "access_token": service.token, **state, **options}
        arguments = {name: value for name, value in values.items() if value is not None}
        arguments |= {
            "_ansible_check_mode": check,
            "_ansible_verbosity": verbosity,
            "_ansible_diff": True,
        }
        # Since ansible-core 2.21 the options are in a result only where they are asked for; before, always.
        if "inject_invocation" in PASS_VARS:
            arguments["_ansible_inject_invocation"] = True
        # What ansible.module_utils.testing.patch_module_args does; ansible-core 2.18 does not have it. Warnings are
        # caught early: once a test has imported a part of the controller, they are no longer in what a module says.
        written = json.dumps({"ANSIBLE_MODULE_ARGS": arguments}, default=_null)
        monkeypatch.setattr(basic, "_ANSIBLE_ARGS", written.encode())
        monkeypatch.setattr(basic, "_ANSIBLE_PROFILE", "legacy", raising=False)
        warnings = []
        monkeypatch.setattr(
            basic.AnsibleModule, "warn", lambda _module, warning: warnings.append(warning)
        )
        main = importlib.import_module(
            f"ansible_collections.zonesmith.dns.plugins.modules.{module}"
        ).main
        output = io.StringIO()
        with contextlib.redirect_stdout(output), pytest.raises(SystemExit) as ended:
            main()
        result = json.loads(output.getvalue())
        assert bool(ended.value.code) == result.get("failed", False)
        assert TOKEN not in output.getvalue() + str(warnings)
        return {**result, "warnings": warnings} if warnings else result

    return run


class Recorder(RawServer):
    """A web server that is not the service; it answers what it was told to."""

    def __init__(self):
        super().__init__(lambda _request: self._parts)
        self.answers(b'{"status": "Success", "data": {"records": []}}')

    def answers(self, body, status=200, **headers):
        """What to answer from now on; a header is written with _ for -."""
        lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self._parts = whole(body, *lines, status=f"{status} -")


@pytest.fixture
def recorder():
    """A web server that is not the service."""
    with Recorder() as recorder:
        yield recorder
