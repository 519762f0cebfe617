# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long a set is looked for, and how long its values are tried."""

import pytest
from shorthand import ABSENT, DELETE, EXCLUSIVE, TWO, no, www

from ansible_collections.zonesmith.dns.plugins.module_utils._api.stale_snapshots import (
    READ_BACKOFF,
    SHORT_BACKOFF,
)


@pytest.mark.parametrize(
    "status, waits",
    [
        *((status, READ_BACKOFF) for status in (404, 410)),
        *((status, SHORT_BACKOFF) for status in (422, 403)),
        (401, ()),
    ],
)
def test_how_long_a_set_is_looked_for_whose_deletion_was_refused(
    zone, run, service, clock, status, waits
):
    zone.holds(TWO)
    service.fault(**no("DELETE", status, times=0))
    result = run("dns_record", zone="example.com", **ABSENT)
    assert f"cannot delete www.example.com. A: the service answered {status}: No" in result["msg"]
    assert "; www.example.com. A holds " in result["msg"]
    assert clock.waits == list(waits)
    assert zone.calls().count(DELETE) == 1


@pytest.mark.parametrize(
    "task, is_done", [(www("192.0.2.3"), False), (EXCLUSIVE, True)], ids=["extend", "rebuild"]
)
def test_a_value_of_a_set_that_is_gone_is_tried_for_longer(
    zone, run, service, clock, task, is_done
):
    zone.holds(TWO)
    service.fault("status", method="POST", status=503, times=12)
    assert run("dns_record", zone="example.com", **task)["changed"] is is_done
    assert 100 < sum(clock.waits) < 1200


@pytest.mark.parametrize("there", [409, 422])
def test_a_value_whose_answer_was_lost_is_seen_although_only_the_ttl_changes(
    zone, run, service, there
):
    """The former value looks the same, but for its TTL; what is there is refused."""
    zone.holds("www 300 A 192.0.2.1")
    service.habits("example.com", there=there)
    service.fault("drop_after", method="POST")
    result = run("dns_record", zone="example.com", **www("192.0.2.1", ttl=60))
    assert not result.get("failed")
    assert zone.lines() == ["www 60 A 192.0.2.1"]
    assert zone.calls().count(DELETE) == 1
