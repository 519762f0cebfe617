# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How a module starts in a process of its own: files are compiled once, and no encoding is guessed."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
import zipimport
from pathlib import Path

import pytest
import requests

from ansible_collections.zonesmith import dns
from ansible_collections.zonesmith.dns.plugins.module_utils import _own_process

MODULES = sorted(Path(next(iter(dns.__path__)), "plugins", "modules").glob("dns_*.py"))
UTILS = "ansible_collections/zonesmith/dns/plugins/module_utils"
SOURCES = {
    "room/__init__.py": "",
    "room/file.py": "from .inner import two\nfrom . import other\n",
    "room/other.py": "",
    "room/inner/__init__.py": "",
    "room/inner/two.py": "",
}

RUN = """
import json, sys

sys.path.insert(0, sys.argv[1])
compiled = []
sys.addaudithook(lambda event, told: compiled.append(str(told[1])) if event == "compile" else None)
UTILS = "ansible_collections.zonesmith.dns.plugins.module_utils"
if sys.argv[2] == "once":
    __import__(f"{UTILS}._own_process", fromlist=["_"]).start_sooner()
__import__(f"{UTILS}.room.file")
told = {}
for name, module in sys.modules.items():
    if name.startswith(f"{UTILS}.room"):
        spec = module.__spec__
        told[name] = [compiled.count(module.__file__), module.__file__, spec.origin, spec.submodule_search_locations]
print(json.dumps(told))
"""


def imported(archive: Path, how: str) -> dict[str, list[object]]:
    """Of each module: how often its file was compiled, and what is known of it."""
    # Without site, which in a gate brings what keeps bytecode of archives (tests/sparing.py).
    command = [sys.executable, "-I", "-S", "-c", RUN, str(archive), how]
    told: dict[str, list[object]] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return told


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "payload.zip"
    parts = UTILS.split("/")
    with zipfile.ZipFile(path, "w") as packed:
        for depth in range(1, len(parts) + 1):
            packed.writestr("/".join((*parts[:depth], "__init__.py")), "")
        packed.write(_own_process.__file__, f"{UTILS}/_own_process.py")
        for name, source in SOURCES.items():
            packed.writestr(f"{UTILS}/{name}", source)
    return path


def test_each_file_of_the_archive_is_compiled_once(archive: Path) -> None:
    once = imported(archive, "once")
    assert len(once) == len(SOURCES)
    assert [times for times, *_known in once.values()] == [1] * len(SOURCES)


def test_its_modules_are_as_pythons_own_importer_makes_them(archive: Path) -> None:
    once, as_ever = imported(archive, "once"), imported(archive, "as ever")
    assert {name: known for name, (_times, *known) in once.items()} == {
        name: known for name, (_times, *known) in as_ever.items()
    }


GUESS = """
import json, sys, warnings

warnings.simplefilter("error")
sys.path[:0] = sys.argv[1:]
UTILS = "ansible_collections.zonesmith.dns.plugins.module_utils"
__import__(f"{UTILS}._own_process", fromlist=["_"]).start_sooner()
import requests
from requests.adapters import HTTPAdapter

guesses = [name for name in sys.modules if name in ("chardet", "charset_normalizer")]
print(json.dumps([requests.__file__, guesses, [requests.adapters.HTTPAdapter is HTTPAdapter]]))
"""
OF_OLD = {
    "requests/__init__.py": "from . import exceptions, compat",
    "requests/exceptions.py": "",
    "requests/compat.py": "import charset_normalizer as chardet",
    "requests/adapters.py": "from . import exceptions\nclass HTTPAdapter: pass",
    "charset_normalizer.py": "",
}


def guessed_with(*folders: Path) -> tuple[str, list[str]]:
    """Where requests was imported from, and what was imported that guesses encodings."""
    command = [sys.executable, "-c", GUESS, *map(str, folders)]
    file, guesses, (is_whole,) = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    assert is_whole
    return file, guesses


def test_requests_is_imported_without_what_guesses(archive: Path) -> None:
    file, guesses = guessed_with(archive)
    assert file == requests.__file__
    needs_one = tuple(map(int, requests.__version__.split(".")[:2])) < (2, 32)
    assert bool(guesses) == needs_one


def test_one_that_cannot_do_without_has_it(archive: Path, tmp_path: Path) -> None:
    for name, source in OF_OLD.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(source, encoding="utf-8")
    assert guessed_with(tmp_path, archive) == (str(tmp_path / "requests/__init__.py"), ["charset_normalizer"])


def test_without_requests_nothing_is_raised(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "requests.py").write_text("raise ImportError('there is none')", encoding="utf-8")
    with pytest.raises(subprocess.CalledProcessError) as failed:
        guessed_with(tmp_path, archive)
    raised = failed.value.stderr.decode()
    assert raised.count("Traceback") == 1
    assert 'File "<string>", line 8' in raised


def test_what_is_not_there_is_no_file(archive: Path) -> None:
    with pytest.raises(zipimport.ZipImportError):
        _own_process._Archive(f"{archive}/{UTILS}/room").get_filename("room.none")


def test_where_a_module_is_no_archive_imports_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path_hooks", before := [*sys.path_hooks])
    _own_process.start_sooner()
    assert sys.path_hooks == before


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_each_module_does_so_before_it_imports_the_rest(module: Path) -> None:
    before, call, after = module.read_text(encoding="utf-8").partition("\nstart_sooner()\n")
    assert call
    assert "module_utils._run" in after
    assert "module_utils._run" not in before
