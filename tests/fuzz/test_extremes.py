# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Numbers that only a very long run has trouble with, or Python itself."""

import json

import pytest
from answers import Answer, InMemory
from fuzzing import TOKEN, time_limit

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import Connection

NOBODY_LISTENS = "http://127.0.0.1:9"


def _reason(retries):
    with time_limit(), pytest.raises(ServiceError) as raised:
        Client(Connection(NOBODY_LISTENS, TOKEN, retries=retries)).list_zones()
    assert TOKEN not in str(raised.value)


def test_more_retries_than_a_wait_can_double():
    InMemory.gives([Answer(500)])
    _reason(1100)
    assert InMemory.sent == 1101


@pytest.mark.parametrize("field", ["status", "message", "errors", "data"])
@pytest.mark.parametrize("status", [200, 422])
def test_every_depth_at_which_python_gives_up(field, status):
    """Reading, showing and writing nested JSON fail at depths that differ by a few, and with the caller's own depth."""
    envelope = json.dumps({"status": "Success", field: "@"})
    for depth in range(700, 1010):
        for opening, closing in (("[", "]"), ('{"a":[', "]}")):
            body = envelope.replace('"@"', opening * depth + closing * depth)
            InMemory.gives([Answer(status, body.encode())])
            _reason(0)
