# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What people are told of waits: when, and in which words."""

import contextlib
import json
import os
import signal
import socket
import time
from types import SimpleNamespace

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils import _telling
from ansible_collections.zonesmith.dns.plugins.module_utils._api import turns
from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import Connection
from ansible_collections.zonesmith.dns.plugins.module_utils._api.stale_snapshots import read_until
from ansible_collections.zonesmith.dns.plugins.module_utils._interruption import making_again
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import Machine
from ansible_collections.zonesmith.dns.plugins.module_utils._query.name_servers import (
    Addresses,
    checked_server,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._query.served import (
    NotServed,
    wait_until_served,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.folder import FolderStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError
from ansible_collections.zonesmith.dns.plugins.module_utils._telling import (
    Watch,
    tell,
    waiting,
    watched,
)
from ansible_collections.zonesmith.dns.plugins.plugin_utils import _direct as direct

TOKEN = "token-that-nobody-may-see"


class At(Machine):
    """A machine whose clock a test sets."""

    now = 100.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = At()
    monkeypatch.setattr(_telling, "machine", lambda: clock)
    return clock


# When


def test_a_wait_is_told_after_five_seconds_and_each_time_it_has_doubled(clock):
    lines = []
    watch = Watch(lines.append)
    with watch.waiting(lambda: "a lock"):
        for clock.now in range(100, 200):
            watch.look()
    assert lines == [f"Still waiting after {seconds} s: a lock" for seconds in (5, 10, 20, 40, 80)]
    clock.now = 300
    watch.look()
    assert len(lines) == 5, "which is over"


def test_of_waits_at_once_the_one_that_began_first_is_told(clock):
    lines = []
    watch = Watch(lines.append)
    with watch.waiting(lambda: "two"):
        with contextlib.ExitStack() as inside:
            inside.enter_context(watch.waiting(lambda: "three"))
            clock.now += 6
            watch.look()
            clock.now += 5
            watch.look()
        assert lines == ["Still waiting after 6 s: two"], "five seconds later it has not doubled"
    with watch.waiting(lambda: "four"):
        clock.now += 4
        watch.look()
        clock.now += 1
        watch.look()
    assert lines[1:] == ["Still waiting after 5 s: four"]


def test_where_something_was_told_just_now_a_wait_is_told_later(clock):
    lines = []
    watch = Watch(lines.append)
    with watch.waiting(lambda: "a lock"):
        clock.now += 5
        watch.tell("1 of 2")
        watch.tell("2 of 2")
        watch.look()
        clock.now += 5
        watch.look()
        watch.tell("3 of 3")
    assert lines == ["1 of 2", "Still waiting after 10 s: a lock"]


def test_where_nobody_watches_nothing_is_told():
    tell("1 of 2")
    with waiting(lambda: pytest.fail("nobody asks for words")):
        pass


# In which words


@pytest.fixture
def lines(monkeypatch):
    """What somebody is told who has no patience at all."""
    lines = []
    monkeypatch.setattr(_telling, "QUIET", 0.1)
    monkeypatch.setattr(_telling, "CHECKS_EVERY", 0.01)
    monkeypatch.setattr(turns, "FIRST_WAIT", 0.4)
    with watched(lines.append):
        yield lines
    shown = len(lines)
    tell("1 of 2")
    assert len(lines) == shown, "nobody watches any more"


def words(lines):
    """What was waited for, each thing once, in order."""
    return list(dict.fromkeys(line.partition(" s: ")[2] for line in lines))


def tries(lines):
    """What was waited for between tries, whether or not one of them took its time too."""
    return [line for line in words(lines) if not line.startswith("no answer yet to ")]


@pytest.fixture
def nobody():
    """A URL at which all connections are refused."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{unused.getsockname()[1]}"


@pytest.fixture
def heeds_ctrl_c():
    """Handle SIGINT as a terminal's processes do; a shell lets what it runs in the background ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeds_ctrl_c")
def test_sigterm_just_after_ctrl_c_leaves_time_for_the_last_words(
    monkeypatch,
):
    ours, its = os.pipe()
    monkeypatch.setattr(direct, "LAST_WORDS", its)
    monkeypatch.setattr(direct, "interrupt", lambda: signal.raise_signal(signal.SIGTERM))
    with (
        pytest.raises(KeyboardInterrupt),
        direct.watched_task({TOKEN}),
        making_again(lambda: ["www A"]),
    ):
        signal.raise_signal(signal.SIGINT)
    assert os.read(ours, 999).startswith(
        b"\nInterrupted while these sets were deleted or incomplete: www A. Run "
    )


def test_another_runs_lock(lines, state_dir):
    other, mine = (
        FolderStore(str(state_dir), "https://dns.example", "example.com.", 0.5)
        for _number in range(2)
    )
    with other.lock(), pytest.raises(StateError), mine.lock():
        pass
    (line,) = words(lines)
    host, pid = os.uname().nodename, os.getpid()
    assert line.startswith(
        f"another run has the lock on example.com (host {host}, pid {pid}, since 20"
    )
    assert line.endswith("Z); lock_timeout is 0.5 s")


def test_a_secret_in_what_another_run_has_left_is_masked(monkeypatch):
    """The note of a lock is another run's, who may have called its machine anything."""
    lines = []
    monkeypatch.setattr(_telling, "QUIET", 0.0)
    monkeypatch.setattr(direct, "IS_WATCHED", True)
    monkeypatch.setattr(direct.Display(), "display", lambda line, **_where: lines.append(line))
    with direct.watched_task({TOKEN}):
        tell(f"another run has the lock on example.com (host {TOKEN}, pid 1)")
    assert lines == ["another run has the lock on example.com (host ********, pid 1)"]


@pytest.mark.parametrize("is_watched", [True, False])
def test_where_nobody_watches_it_is_told_on_stderr(monkeypatch, is_watched):
    """Of the first run after a killed one, a job's log says why it waits; its stdout may be JSON."""
    lines = []
    monkeypatch.setattr(_telling, "QUIET", 0.01)
    monkeypatch.setattr(_telling, "CHECKS_EVERY", 0.01)
    monkeypatch.setattr(direct, "IS_WATCHED", is_watched)
    monkeypatch.setattr(
        direct.Display(), "display", lambda line, stderr: lines.append((line, stderr))
    )
    with direct.watched_task(set()):
        with _telling.waiting(lambda: "the service does not show the last changes yet"):
            deadline = time.monotonic() + 60
            while not lines and time.monotonic() < deadline:
                time.sleep(0.01)
        time.sleep(0.02)
        tell("1 of 2 zones read")
    (wait, on_stderr), *others = lines
    assert wait.startswith("Still waiting after 0 s: the service does not show the last changes")
    assert on_stderr is not is_watched
    progress = [line for line, _stderr in others if line == "1 of 2 zones read"]
    assert progress == ["1 of 2 zones read"]


def test_a_service_that_is_down(lines, nobody):
    with pytest.raises(ServiceError):
        Client(Connection(nobody, TOKEN, retries=2)).read_record_sets("examplecom")
    at = nobody.removeprefix("http://")
    asked = f"GET {nobody}/dns/domains/examplecom"
    failed = f"{asked} failed: cannot connect to {at}: Connection refused (see base_url)"
    assert tries(lines) == [f"{failed}; it is retried (see retries and retry_timeout)"]


def in_vain(client, slug):
    with pytest.raises(ServiceError):
        client.read_record_sets(slug)


def test_a_request_that_waits_with_others_and_was_not_sent(lines, recorder):
    """One was throttled and has given up; nothing is sent before the time that it would have waited is over."""
    recorder.answers(json.dumps({"message": "Busy."}).encode(), status=503)
    client = Client(Connection(recorder.url, TOKEN, retry_timeout=0.1))
    in_vain(client, "examplecom")
    lines.clear()
    in_vain(client, "exampleorg")
    asked = f"GET {recorder.url}/dns/domains/exampleorg"
    told = f"the service throttles requests, so {asked} has not been sent yet (see retry_timeout)"
    assert words(lines)[0] == told, "and not that there is no answer yet"


def test_an_answer_that_does_not_come(lines, service):
    service.fault("hang_before", seconds=1)
    with pytest.raises(ServiceError):
        Client(Connection(service.url, TOKEN, retries=0, timeout=0.5)).read_record_sets(
            "examplecom"
        )
    assert words(lines) == [f"no answer yet to GET {service.url}/dns/domains/examplecom"]


def test_late_readings(lines):
    assert read_until(lambda: 1, bool, (3600,)) == 1
    assert read_until(lambda: time.sleep(0.5) or 1, bool, (3600,)) == 1
    assert lines == [], "the first is no wait of this kind"
    assert read_until(lambda: 1, lambda _answer: False, (0.2, 0.2)) == 1
    assert words(lines) == [
        "the service does not show the last changes yet; reading the zone again for 0 s"
    ]


def test_name_servers(lines):
    desired = SimpleNamespace(key=("www.example.com.", "A"), ttl=None, delegated_at=None)
    with socket.socket(type=socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        name = f"127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(NotServed):
            wait_until_served(
                "example.com.", [desired], [Addresses(checked_server(name))], {"wait_timeout": 1.0}
            )
    assert words(lines)[0] == "querying the name servers for the first time; wait_timeout is 1 s"
