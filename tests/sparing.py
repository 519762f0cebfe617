# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Spare each process of an environment what takes long and tests nothing: Ansible's tests are a thousand processes.

- To compile anew what Ansible packs with a module, which is half of what such a process costs: compile() looks first
  among what it kept of the same source, as Python does with the files that it imports itself; so does what a collection
  is loaded with, where it asks for it.
- To look for garbage among what was imported, and stays: a seventh of what the unit tests cost.

python tests/sparing.py     every process of this environment does so from now on
"""

import _imp
import gc
import marshal
import os
import zipimport

# Every process imports this at its start, and so it imports nothing that is not there already.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

NAME = "sparing"

NEW_OBJECTS = 200_000
"""After how many the collector comes by; Python has it come after 700. A process that lasts still meets it."""


def spare(folder: str) -> None:
    """Do both from now on; bytecode is kept in a folder."""
    keep(folder)
    gc.set_threshold(NEW_OBJECTS)


def keep(folder: str) -> None:
    """Keep bytecode in a folder, which is of this version of Python alone."""
    zipimport.compile = compiler(folder)  # type: ignore[attr-defined]


def compiler(folder: str) -> "Callable[..., Any]":
    """What does as compile() does for files, with what is kept in a folder."""

    def compile_or_take(source: "Any", filename: "Any", mode: str, **options: "Any") -> "Any":
        name = _name(filename)
        if not name or not isinstance(source, bytes):
            return compile(source, filename, mode, **options)
        kept = os.path.join(folder, f"{name.replace('/', '.')}c")
        digest = _imp.source_hash(0, source)
        code = _taken(kept, digest)
        if code is None:
            code = compile(source, filename, mode, **options)
            _write(kept, digest + marshal.dumps(code))
        else:
            _imp._fix_co_filename(code, filename)  # what Python does where it takes its own
        return code

    return compile_or_take


def _name(filename: "Any") -> str:
    """The name of a file in a collection or in what comes with a module, wherever that is; "" of any other."""
    for place in ("/ansible_collections/", "_payload.zip/"):
        before, _place, name = str(filename).rpartition(place)
        if before:
            return name
    return ""


def _taken(kept: str, digest: bytes) -> "Any":
    try:
        with open(kept, "rb") as file:
            return marshal.loads(file.read()) if file.read(len(digest)) == digest else None  # noqa: S302 - it is ours
    except OSError:
        return None


def _write(kept: str, content: bytes) -> None:
    own = f"{kept}.{os.getpid()}"
    try:
        with open(own, "wb") as file:
            file.write(content)
        os.replace(own, kept)
    except OSError:
        pass


def _install() -> None:
    import pathlib
    import sysconfig

    packages = pathlib.Path(sysconfig.get_path("purelib"))
    folder = packages / f"{NAME}_files"
    folder.mkdir(exist_ok=True)
    (packages / f"{NAME}.py").write_bytes(pathlib.Path(__file__).read_bytes())
    start = f"import {NAME}; {NAME}.spare({str(folder)!r})\n"
    (packages / f"{NAME}.pth").write_text(start, encoding="utf-8")


if __name__ == "__main__":
    _install()
