# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Compiles each file once that a module takes out of the archive that Ansible packs for it. Python does so twice.

Its zipimport compiles a file to tell its name, for the import system that asks, and once more to run it (Python 3.10 to
3.13). The name follows from the place in the archive.
"""

from __future__ import annotations

import os
import sys
from zipimport import zipimporter

_HERE = getattr(__spec__, "loader", None)
"""What has loaded this file: where a module has a process of its own, Python's importer for Ansible's archive."""


class _Archive(zipimporter):
    def get_filename(self, fullname: str) -> str:
        """See zipimporter, whose answer this is too. Raises ZipImportError where there is no such file."""
        of_package = "/__init__" if self.is_package(fullname) else ""
        return os.path.join(self.archive, f"{self.prefix}{fullname.rpartition('.')[2]}{of_package}.py")


def compile_once() -> None:
    """From now on. Where a module is not run from an archive all stays as it is."""
    if not isinstance(_HERE, zipimporter):
        return
    inside = os.path.join(_HERE.archive, "")

    def importer(path: str) -> zipimporter:
        if not path.startswith(inside):
            raise ImportError(path)
        return _Archive(path)

    sys.path_hooks.insert(0, importer)
    for path in [path for path in sys.path_importer_cache if path.startswith(inside)]:
        del sys.path_importer_cache[path]
