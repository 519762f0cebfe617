# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a module does first in a process of its own, so that it starts sooner. Nobody else is in that process.

It compiles each file once that it takes out of the archive that Ansible packs for it. Python's zipimport compiles a
file to tell its name, for the import system that asks, and once more to run it (Python 3.10 to 3.13), although the name
follows from the place in the archive. And it imports requests without what guesses encodings of texts: every answer is
JSON, and none is guessed.
"""

from __future__ import annotations

import os
import sys
import warnings
from importlib import import_module
from typing import Any
from zipimport import zipimporter

_HERE = getattr(__spec__, "loader", None)
"""What has loaded this file: where a module has a process of its own, Python's importer for Ansible's archive."""

_GUESSES = ("chardet", "charset_normalizer")


class _Archive(zipimporter):
    def get_filename(self, fullname: str) -> str:
        """See zipimporter, whose answer this is too. Raises ZipImportError where there is no such file."""
        of_package = "/__init__" if self.is_package(fullname) else ""
        return os.path.join(self.archive, f"{self.prefix}{fullname.rpartition('.')[2]}{of_package}.py")


def start_sooner() -> None:
    """Where a module is run from Ansible's archive; elsewhere all stays as it is."""
    if isinstance(_HERE, zipimporter):
        _compile_once(os.path.join(_HERE.archive, ""))
        _guess_nothing()


def _compile_once(inside: str) -> None:
    def importer(path: str) -> zipimporter:
        if not path.startswith(inside):
            raise ImportError(path)
        return _Archive(path)

    sys.path_hooks.insert(0, importer)
    for path in [path for path in sys.path_importer_cache if path.startswith(inside)]:
        del sys.path_importer_cache[path]


def _guess_nothing() -> None:
    """Import requests as if nothing that guesses were there; one before 2.32 must have it, and gets it."""
    warnings.filterwarnings("ignore", "Unable to find acceptable character detection")
    # Python takes a module that is None for one that cannot be found.
    hidden: dict[str, Any] = {name: None for name in _GUESSES if name not in sys.modules}
    sys.modules.update(hidden)
    try:
        import_module("requests")
    except ImportError:  # so it is once more where it is used, and told there
        for name in [name for name in sys.modules if name.partition(".")[0] == "requests"]:
            del sys.modules[name]
    finally:
        for name in hidden:
            sys.modules.pop(name, None)
