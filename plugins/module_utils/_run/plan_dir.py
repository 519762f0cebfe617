# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The folder of reviewed plans: one file a zone, which check mode writes and the real run obeys."""

from __future__ import annotations

import os
from contextlib import suppress
from stat import S_ISREG
from typing import BinaryIO

from ansible_collections.zonesmith.dns.plugins.module_utils._plan.reviewed import (
    NOTHING,
    Reviewed,
    UnusablePlan,
    reviewed_plan,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import InvalidOptions
from ansible_collections.zonesmith.dns.plugins.module_utils._run.replaced import replace_file

LARGEST = 64 * 2**20
"""Bytes of a plan."""


class PlanFile:
    """The file of the plan of *zone* (canonical) in *folder*."""

    def __init__(self, folder: str, zone: str):
        self._zone = zone
        self.path = os.path.join(folder, f"{zone.rstrip('.').replace('/', '%2F')}.json")

    def keep(self, text: str) -> None:
        """Make *text* what the file holds, and let no file be where it is empty. Raises InvalidOptions."""
        try:
            if text:
                os.makedirs(os.path.dirname(self.path) or ".", exist_ok=True)
                replace_file(self.path, text.encode())
            else:
                with suppress(FileNotFoundError):
                    os.unlink(self.path)
        except OSError as error:
            raise InvalidOptions(f"the plan {self.path} cannot be written, {error.strerror}") from error

    def reviewed(self) -> Reviewed:
        """What the file says; where there is none, that nothing changes. Raises InvalidOptions."""
        try:
            with _opened(self.path) as file:
                content = file.read(LARGEST + 1)
            if len(content) > LARGEST:
                raise UnusablePlan(f"it has more than {LARGEST >> 20} MiB")
            return reviewed_plan(self._zone, content.decode())
        except FileNotFoundError:
            return NOTHING
        except UnicodeDecodeError as error:
            raise InvalidOptions(f"the plan {self.path} cannot be used, it is not UTF-8 text") from error
        except UnusablePlan as error:
            raise InvalidOptions(f"the plan {self.path} cannot be used, {error}") from error
        except OSError as error:
            raise InvalidOptions(f"the plan {self.path} cannot be read, {error.strerror}") from error


def _opened(path: str) -> BinaryIO:
    """The file, which is not waited for: a pipe may have no writer. Raises UnusablePlan, OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    if not S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UnusablePlan("it is no file")
    return open(descriptor, "rb")
