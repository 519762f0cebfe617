# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long a call is tried, and when it is worth another try."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import LONGEST_WAIT, TransientFailure
from ansible_collections.zonesmith.dns.plugins.module_utils._service.threads import go_on

FIRST_WAIT = 0.5


class Patience:
    """Tries calls again, at most *retries* times each. Safe to use from several threads, which share what they met."""

    def __init__(self, retries: int):
        self._retries = retries
        self._pause = _SharedPause()

    def call(self, once: Callable[[], dict[str, Any]], is_done: Callable[[], bool] | None = None) -> dict[str, Any]:
        """What *once* gives when it is answered for good; nothing where *is_done* tells that it was carried out.

        *is_done* reads the zone: it is asked after an answer was lost, before the call is repeated.
        Raises ServiceError.
        """
        for tries_left in range(self._retries, -1, -1):
            self._pause.wait()
            go_on()
            try:
                return once()
            except TransientFailure as failure:
                is_last = not tries_left or failure.retry_after > LONGEST_WAIT
                if not is_last:
                    time.sleep(self._wait_after(failure, tries_left))
                if is_done and not failure.not_carried_out and is_done():
                    return {}
                if is_last:
                    raise failure.error from None
        raise AssertionError("unreachable: the last try returns or raises")

    def _wait_after(self, failure: TransientFailure, tries_left: int) -> float:
        longest = min(FIRST_WAIT * 2 ** min(self._retries - tries_left, 10), LONGEST_WAIT)
        # Jitter is no secret.
        wait = max(failure.retry_after, random.uniform(longest / 2, longest))  # noqa: S311 # nosec B311
        if failure.error.status_code == 429:
            self._pause.extend(wait)
        return wait


class _SharedPause:
    """A point in time before which nobody calls: a rate limit that one worker met holds for all of them."""

    def __init__(self) -> None:
        self._until = 0.0
        self._lock = threading.Lock()

    def extend(self, seconds: float) -> None:
        with self._lock:
            self._until = max(self._until, time.monotonic() + seconds)

    def wait(self) -> None:
        while (left := self._until - time.monotonic()) > 0:
            time.sleep(left)
