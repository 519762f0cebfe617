# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The example that looks zone files over fails where one is broken, and nowhere else; it asks no service."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "docs"), str(TESTS)]
import collection  # noqa: E402 - tests/ is no package
import demo  # noqa: E402
from documents import blocks  # noqa: E402

GUIDE = TESTS.parent / "docs" / "guides" / "findings.md"
EXAMPLES = TESTS.parent / "docs" / "examples"
GOOD = (EXAMPLES / "zone_in_git" / "zones" / "example.com.zone").read_text(encoding="utf-8")
DUBIOUS = f"{GOOD}\nold 0 IN A 192.0.2.11\n"
BROKEN = f"{GOOD}\nshop 300 IN CNAME store\n"
LINES = GOOD.count("\n")
BROKEN_LINE = (
    f"line {LINES + 2}, error cname-target-missing, shop.example.com. CNAME: store.example.com. holds nothing, "
    "and this zone is where it would be"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, beside a folder of collections with this one."""
    at = tmp_path_factory.mktemp("lint")
    shutil.copytree(EXAMPLES / "findings", at, dirs_exist_ok=True)
    (at / "collections").mkdir()
    collection.link(at / "collections")
    return at


def run(folder: Path, zones: dict[str, str], command: list[str]) -> tuple[int, str]:
    """The exit status of a command beside these files, and what it prints."""
    shutil.rmtree(folder / "zones", ignore_errors=True)
    (folder / "zones").mkdir()
    for name, text in zones.items():
        (folder / "zones" / f"{name}.zone").write_text(text, encoding="utf-8")
    environment = {
        **demo.settings(folder),
        "ANSIBLE_COLLECTIONS_PATH": str(folder / "collections"),
        "PATH": f"{demo.BIN}:/usr/bin:/bin",
    }
    done = subprocess.run(
        command, check=False, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


CASES: list[tuple[str, dict[str, str], dict[str, Any], int, list[str]]] = [
    (
        "one broken file of two",
        {"example.com": BROKEN, "example.net": "$TTL 5"},
        {},
        2,
        [BROKEN_LINE, "net.zone: no"],
    ),
    ("what is dubious", {"example.com": DUBIOUS}, {}, 0, ["warning ttl-zero, old.example.com. A"]),
    ("what is dubious, strictly", {"example.com": DUBIOUS}, {"fails_on": ["warning"]}, 2, ["warning ttl-zero"]),
    ("what is known", {"example.com": BROKEN}, {"known": [{"name": "shop"}]}, 0, ["example.com.zone: no findings"]),
    ("what cannot be read", {"example.com": "www A 192.0.2.1"}, {}, 2, ["line 1 of the zone file cannot be used"]),
    ("no file", {}, {}, 2, ["There is no zone file in"]),
]


@pytest.mark.parametrize("case", [pytest.param(case, id=case[0]) for case in CASES])
def test_the_exit_status(folder: Path, case: tuple[str, dict[str, str], dict[str, Any], int, list[str]]) -> None:
    _id, zones, variables, status, said = case
    code, output = run(folder, zones, ["ansible-playbook", "lint.yml", "--extra-vars", json.dumps(variables)])
    assert code == status, output
    for words in said:
        assert words in output


def test_what_the_guide_shows(folder: Path) -> None:
    """The playbook is the example, and the commands end well where the zones are right."""
    playbook = (EXAMPLES / "findings" / "lint.yml").read_text(encoding="utf-8")
    shown = {block.language: block.text for block in blocks(GUIDE)}
    assert playbook.endswith(f"\n\n{shown['yaml']}")
    assert set(shown) == {"yaml", "shell"}
    for block in blocks(GUIDE):
        for line in block.text.splitlines() if block.language == "shell" else ():
            code, output = run(folder, {"example.com": GOOD}, shlex.split(line))
            assert code == 0, output
            assert "example.com.zone: no findings" in output
