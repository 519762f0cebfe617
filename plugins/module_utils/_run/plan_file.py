# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The file of a zone's plan, which option ``plan_dir`` has people review."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from .._apply.outcome import ZoneOutcome
from .._files.file import LARGEST, UnreadableFile, read_file, replace_file
from .._log.document import Document
from .._plan import reviewed
from .._plan.change import Change
from .invocation import Invocation
from .options import InvalidOptions


class PlanFile:
    """The plan file of a *zone* (canonical); ``read`` sets *reviewed*."""

    def __init__(self, folder: str, zone: str):
        self._zone = zone
        name = zone.rstrip(".").replace("/", "%2F")
        self.path = os.path.join(folder, f"{name}.json")
        self.reviewed = reviewed.NOTHING

    def keep(self, changes: Sequence[Change], document: Document) -> None:
        """Write a plan; one without changes has no file. Raises InvalidInput."""
        text = reviewed.plan_text(self._zone, changes, document.plans.__contains__)
        with self._errors("written"):
            if text:
                replace_file(self.path, text.encode())
            else:
                with suppress(FileNotFoundError):
                    os.unlink(self.path)

    def read(self) -> None:
        """Read the reviewed plan; a missing file means no changes. Raises InvalidInput."""
        with self._errors("read"), suppress(FileNotFoundError):
            content = read_file(self.path, LARGEST)
            self.reviewed = reviewed.reviewed_plan(self._zone, content)

    @contextmanager
    def _errors(self, done: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise InvalidOptions(
                f"the plan {self.path} cannot be {done}: {error.strerror}"
            ) from error
        except (UnreadableFile, reviewed.UnusablePlan) as error:
            raise InvalidOptions(f"the plan {self.path} cannot be used: {error}") from error


def plan_file_of(invocation: Invocation) -> PlanFile | None:
    """Return the plan file, or None without ``plan_dir``. Raises InvalidOptions."""
    folder = invocation.options.get("plan_dir")
    if not folder:
        return None
    return PlanFile(folder, invocation.zone)


def keep_plan(invocation: Invocation, outcome: ZoneOutcome | None = None) -> None:
    """In check mode, keep the plan for review if asked to; without an outcome, remove an earlier one.

    Raises InvalidInput.
    """
    plan_file = plan_file_of(invocation)
    if not invocation.check_mode or not plan_file:
        return
    if outcome:
        plan_file.keep(outcome.plan.changes, outcome.document)
    else:
        plan_file.keep((), Document())
