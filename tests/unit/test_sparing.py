# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bytecode that the gates keep: of the same source alone, and as that of the file that is asked for. The collector."""

from __future__ import annotations

import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sparing

PLACES = ("/a/ansible_collections/x/y/z.py", "/b/ansible_collections/x/y/z.py")
Ran = Callable[[bytes, str], dict[str, Any]]


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were compiled, and not taken."""
    files: list[str] = []

    def compile_anew(source: Any, filename: Any, mode: str, **options: Any) -> Any:
        files.append(str(filename))
        return compile(source, filename, mode, **options)

    monkeypatch.setattr(sparing, "compile", compile_anew, raising=False)
    return files


@pytest.fixture
def run(tmp_path: Path) -> Ran:
    """Runs a file, and gives the names in it."""
    compiled = sparing.compiler(str(tmp_path))

    def run(source: bytes, filename: str) -> dict[str, Any]:
        held: dict[str, Any] = {}
        exec(compiled(source, filename, "exec", dont_inherit=True), held)  # noqa: S102 - it is ours
        return held

    return run


@pytest.mark.parametrize("places", [PLACES, [f"/{n}/ansible_x_payload.zip/ansible/z.py" for n in range(2)]])
def test_the_same_source_is_compiled_once(run: Ran, anew: list[str], places: list[str]) -> None:
    first, second = (run(b"def one():\n    return 1\n", place) for place in places)
    assert (first["one"](), second["one"](), anew) == (1, 1, [places[0]])
    code: types.CodeType = second["one"].__code__
    assert code.co_filename == places[1]


def test_what_has_changed_is_compiled(run: Ran, anew: list[str]) -> None:
    values = [run(source, PLACES[0])["x"] for source in (b"x = 1", b"x = 2", b"x = 1")]
    assert (values, anew) == ([1, 2, 1], [PLACES[0]] * 3)


def test_nothing_else_is_kept(run: Ran, anew: list[str]) -> None:
    for _time in range(2):
        run(b"x = 1", "/a/x.py")
    assert anew == ["/a/x.py"] * 2


def test_a_folder_that_cannot_be_written_is_none(run: Ran, anew: list[str], tmp_path: Path) -> None:
    tmp_path.rmdir()
    for _time in range(2):
        assert run(b"x = 1", PLACES[0])["x"] == 1
    assert anew == [PLACES[0]] * 2


def test_the_collector_comes_seldom_and_comes(tmp_path: Path) -> None:
    looks = "print(gc.get_threshold()[0], gc.isenabled())"
    code = f"import gc, sparing; sparing.spare({str(tmp_path)!r}); {looks}"
    folder = Path(sparing.__file__).parent
    done = subprocess.run([sys.executable, "-Sc", code], cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
    assert done.stdout == f"{sparing.NEW_OBJECTS} True\n"
