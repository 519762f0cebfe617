# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The file of a zone's plan, which option ``plan_dir`` has people review."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from .._dns.record_set import Key, RecordSet, RecordSets
from .._files import LARGEST, UnreadableFile, read_file, replace_file
from .._log.document import Document, spent
from .._plan import reviewed
from .._plan.change import Change, PlanRefused, canonical_set
from .options import InvalidForZone, InvalidOptions


class PlanFile:
    """The plan file of a *zone* (canonical); ``read`` sets *reviewed*."""

    def __init__(self, folder: str, zone: str):
        self._zone = zone
        self._of_no_folder = f"plan_dir is {folder}, which is not a folder"
        self.path = os.path.join(folder, f"{zone.rstrip('.').replace('/', '%2F')}.json")
        self.reviewed = reviewed.NOTHING

    def keep(self, changes: Sequence[Change], document: Document) -> None:
        """Write a plan; one without changes has no file. Raises InvalidOptions."""
        text = reviewed.plan_text(self._zone, changes, lambda digest: bool(spent(document.plans, digest)))
        with self._errors("written"):
            if text:
                os.makedirs(os.path.dirname(self.path) or ".", exist_ok=True)
                replace_file(self.path, text.encode())
            else:
                with suppress(FileNotFoundError):
                    os.unlink(self.path)

    def read(self) -> None:
        """Read the reviewed plan; a missing file means no changes. Raises InvalidOptions."""
        self.reviewed = reviewed.NOTHING
        with self._errors("read"), suppress(FileNotFoundError):
            self.reviewed = reviewed.reviewed_plan(self._zone, read_file(self.path, LARGEST).decode())

    def refuse_others(self, snapshot: RecordSets, changes: Sequence[Change], document: Document) -> None:
        """Raises PlanRefused if the changes are not the reviewed ones, or those were already applied."""

        def held_set(key: Key) -> RecordSet | None:
            return canonical_set(snapshot[key], self._zone, document.preferences) if key in snapshot else None

        digest = self.reviewed.digest
        run, is_begun = spent(document.plans, digest), digest in document.plans
        clauses = reviewed.differences(self.reviewed, changes, held_set, document.kept_ttls, is_begun=is_begun)
        if run and (clauses or changes):
            raise PlanRefused(reviewed.spent_in_one_sentence(self.path, run.told, clauses, changes))
        if clauses:
            raise PlanRefused(reviewed.in_one_sentence(self.reviewed, self.path, clauses))

    @contextmanager
    def _errors(self, done: str) -> Iterator[None]:
        try:
            yield
        except NotADirectoryError as error:
            raise InvalidForZone(self._of_no_folder) from error
        except OSError as error:
            raise InvalidOptions(f"the plan {self.path} cannot be {done}: {error.strerror}") from error
        except (UnreadableFile, reviewed.UnusablePlan) as error:
            raise InvalidOptions(f"the plan {self.path} cannot be used: {error}") from error
        except UnicodeDecodeError as error:
            raise InvalidOptions(f"the plan {self.path} cannot be used: it is not UTF-8 text") from error
