# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""When a set may be deleted: not while values cannot be added elsewhere, nor after Ctrl-C."""

import threading

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils import _threads
from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._api.retries import NotYet
from ansible_collections.zonesmith.dns.plugins.module_utils._apply import deletions as module
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.deletions import Deletions

HERE, THERE = ("example.com.", "www.example.com."), ("example.net.", "ftp.example.net.")
FTP = "ftp.example.net. A"


@pytest.fixture
def deletions():
    """Deletions while the value of a set cannot be added."""
    deletions = Deletions()
    deletions.addition_fails(THERE, FTP)
    return deletions


def test_a_deletion_waits_until_the_addition_elsewhere_has_ended(deletions, clock):
    with pytest.raises(NotYet):
        deletions.check(HERE)
    clock.on_wait = lambda _seconds: deletions.addition_ended(THERE)
    deletions.wait(HERE)
    assert clock.waits == [0.1]
    deletions.check(HERE)


def test_a_name_does_not_wait_for_its_own_additions(deletions, clock):
    deletions.wait(THERE)
    deletions.check(THERE)
    assert clock.waits == []


def test_once_values_cannot_be_added_for_good_nothing_is_deleted(deletions, clock):
    clock.on_wait = lambda _seconds: deletions.stop(FTP)
    deletions.wait(HERE)
    message = f"values could not be added to {FTP} after its deletion, so nothing more is deleted"
    with pytest.raises(ServiceError, match=message):
        deletions.check(HERE)


def test_after_ctrl_c_nothing_is_deleted(monkeypatch):
    monkeypatch.setattr(module, "is_interrupted", lambda: True)
    with pytest.raises(ServiceError, match="the run was interrupted"):
        Deletions().check(HERE)


def test_who_waits_for_nothing_any_more_ends(deletions, clock, monkeypatch):
    over = threading.Event()
    over.set()
    monkeypatch.setattr(_threads.own(), "overs", (over,))
    clock.on_wait = lambda _seconds: deletions.addition_ended(THERE)
    with pytest.raises(_threads.LeftBehind):
        deletions.wait(HERE)
