# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long one input may take, and what must be true of every result."""

import contextlib
import json
import signal

from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import Invocation
from ansible_collections.zonesmith.dns.plugins.module_utils._run.results import result_of

SECONDS = 20
"""How long one input may take: so long that only a hang takes longer, on a busy machine too."""

TOKEN = "token-that-nobody-may-see"


@contextlib.contextmanager
def time_limit():
    """Interrupts what takes too long."""

    def interrupt(_signal, _frame):
        raise AssertionError(f"It takes longer than {SECONDS} s.")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def checked_result(perform, options, *, check_mode):
    """What a task returns. Any exception that the modules do not expect comes out of here, and fails the test."""
    with time_limit():
        result = result_of(perform, Invocation(options, check_mode))
    text = json.dumps(result)
    assert TOKEN not in text
    assert str(result.get("msg", "")).isprintable()
    shown = result.get("diff", {})
    sides = [
        side for part in (shown if isinstance(shown, list) else [shown]) for side in part.values()
    ]
    assert all(line.isprintable() for side in sides for line in side.splitlines())
    assert bool(result["failed"]) == ("msg" in result)
    return result
