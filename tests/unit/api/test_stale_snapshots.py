# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Patience with readings: none where the first one will do, and no second write before all of it is spent."""

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._api.stale_snapshots import (
    READ_BACKOFF,
    READ_ONCE,
    SHORT_BACKOFF,
    read_until,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import STALE

TWO = "www 300 A 192.0.2.1\nwww 300 A 192.0.2.2"
TASK = {"zone": "example.com", "name": "www", "type": "A"}


@pytest.mark.parametrize(
    "enough_at, waits, answer, waited",
    [
        (1, READ_BACKOFF, 1, []),
        (3, READ_BACKOFF, 3, [0.25, 0.5]),
        (99, READ_BACKOFF, 7, list(READ_BACKOFF)),
        (99, READ_ONCE, 1, []),
        (99, SHORT_BACKOFF, 4, [0.25, 0.5, 1.0]),
    ],
)
def test_reading_until(clock, enough_at, waits, answer, waited):
    readings = iter(range(1, 100))
    assert read_until(lambda: next(readings), lambda read: read >= enough_at, waits) == answer
    assert clock.waits == waited


def test_all_waits_together_are_the_greatest_age_of_a_snapshot():
    assert sum(READ_BACKOFF) == STALE


def test_a_reading_that_fails_is_no_reading(clock):
    readings = iter([0])

    def fails_later():
        for number in readings:
            return number
        raise ServiceError("no answer")

    with pytest.raises(ServiceError, match="no answer"):
        read_until(fails_later, bool)
    assert clock.waits == [0.25]


def test_a_failure_is_told_from_a_reading_that_is_not_late(zone, run, service, clock):
    zone.holds(TWO)
    service.fault("status", method="POST", content="192.0.2.4", status=403, body={"message": "No"})
    service.habits("example.com", read_lag=600)
    clock.on_wait = lambda seconds: service.habits("example.com") if seconds == 2.0 else None
    result = run("dns_record", **{**TASK, "content": ["192.0.2.3", "192.0.2.4"]})
    assert "www.example.com. A holds 192.0.2.1, 192.0.2.2, 192.0.2.3 (TTL 300)" in result["msg"]
    assert result["changed"] is True
