# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Numbers that only a real socket, or a very long run, has trouble with."""

import gc
import json

import pytest
from answers import Answer, InMemory
from fuzzing import TOKEN, time_limit

from ansible_collections.zonesmith.dns.plugins.module_utils._api import sender
from ansible_collections.zonesmith.dns.plugins.module_utils._api import transport as _transport
from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import Connection

REAL_ADAPTER = _transport.BoundedAdapter
NOBODY_LISTENS = "http://127.0.0.1:9"


def _reason(**options):
    with time_limit(), pytest.raises(ServiceError) as raised:
        Client(Connection(access_token=TOKEN, **options)).list_zones()
    assert TOKEN not in str(raised.value)
    return raised.value


# urllib3 forgets to close the socket that it could not give such a time-out.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("timeout", [1e-12, 5e-324])
def test_a_timeout_that_no_clock_has(monkeypatch, timeout):
    monkeypatch.setattr(sender, "BoundedAdapter", REAL_ADAPTER)
    assert _reason(base_url=NOBODY_LISTENS, retries=0, timeout=timeout).status_code is None
    gc.collect()


def test_more_retries_than_a_wait_can_double():
    InMemory.gives([Answer(500)])
    assert _reason(base_url=NOBODY_LISTENS, retries=1100).status_code == 500
    assert InMemory.sent == 1101


@pytest.mark.parametrize("field", ["status", "message", "errors", "data"])
@pytest.mark.parametrize("status", [200, 422])
def test_every_depth_at_which_python_gives_up(field, status):
    """Reading, showing and writing nested JSON fail at depths that differ by a few, and with the caller's own depth."""
    envelope = json.dumps({"status": "Success", field: "@"})
    for depth in range(700, 1010):
        for opening, closing in (("[", "]"), ('{"a":[', "]}")):
            InMemory.gives(
                [
                    Answer(
                        status, envelope.replace('"@"', opening * depth + closing * depth).encode()
                    )
                ]
            )
            _reason(base_url=NOBODY_LISTENS, retries=0)
