# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The file of a zone's plan, which option ``plan_dir`` has people review."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from .._apply.outcome import ZoneOutcome
from .._files.file import LARGEST, UnreadableFile, read_file, replace_file
from .._plan import reviewed
from .invocation import Invocation
from .options import InvalidOptions


def plan_path(invocation: Invocation) -> str:
    """Return the path of the plan of the task's zone; empty without ``plan_dir``. Raises InvalidOptions."""
    folder = invocation.options.get("plan_dir")
    if not folder:
        return ""
    name = invocation.zone.rstrip(".").replace("/", "%2F")
    return os.path.join(folder, f"{name}.json")


def keep_plan(invocation: Invocation, outcome: ZoneOutcome | None = None) -> None:
    """In check mode, keep the plan for review if asked to; without an outcome, remove an earlier one.

    Raises InvalidInput.
    """
    path = plan_path(invocation)
    if not invocation.check_mode or not path:
        return
    text = ""
    if outcome:
        is_carried_out = outcome.document.plans.__contains__
        text = reviewed.plan_text(invocation.zone, outcome.plan.changes, is_carried_out)
    write_plan(path, text)


def write_plan(path: str, text: str) -> None:
    """Write the text of a plan; one without changes has no file. Raises InvalidOptions."""
    with _errors(path, "written"):
        if text:
            replace_file(path, text.encode())
        else:
            with suppress(FileNotFoundError):
                os.unlink(path)


def read_plan(path: str, zone: str) -> reviewed.Reviewed:
    """Return the reviewed plan of a *zone* (canonical); a missing file means no changes. Raises InvalidOptions."""
    with _errors(path, "read"), suppress(FileNotFoundError):
        return reviewed.reviewed_plan(zone, read_file(path, LARGEST))
    return reviewed.NOTHING


@contextmanager
def _errors(path: str, done: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InvalidOptions(f"the plan {path} cannot be {done}: {error.strerror}") from error
    except (UnreadableFile, reviewed.UnusablePlan) as error:
        raise InvalidOptions(f"the plan {path} cannot be used: {error}") from error
