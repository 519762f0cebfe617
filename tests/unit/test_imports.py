# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a run that changes nothing does not import: what writes, and what only some tasks ask for."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from running import Service

ONLY_FOR_WRITING = {
    *("_apply.owner_name", "_apply.requests", "_apply.run", "_apply.text_form", "_apply.zone_log"),
    *("_zonefile.zone_file", "_zonefile.zone_over", "_findings.findings"),
    *("_query.name_servers", "_query.served", "_query.transfer", "_state.database", "_state.session"),
}
"""What writes, and what few tasks ask for: findings, zone files, name servers, PostgreSQL."""

PLAY = """
import json, sys
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible_collections.zonesmith.dns.plugins.modules import {module} as module
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import Invocation

validation = ArgumentSpecValidator(module.OPTIONS).validate(json.loads(sys.argv[1]))
assert not validation.error_messages, validation.error_messages
result = module.{perform}(Invocation(validation.validated_parameters, {check}))
OURS = ".zonesmith.dns.plugins.module_utils."
of_ours = [name.partition(OURS)[2] for name in sys.modules if OURS in name]
print(json.dumps([result["changed"], of_ours]))
"""


UTILS = Path(__file__).parents[2] / "plugins" / "module_utils"

WWW = {"name": "www", "type": "A", "content": ["192.0.2.1"]}
MX = {"name": "@", "type": "MX", "content": ["10 mail"]}


def played(
    service: Service, state_dir: Path, module: str, perform: str, *, check: bool = False, **options: Any
) -> tuple[bool, set[str]]:
    """Whether a task in a Python of its own changes the zone, and what of the collection it imports."""
    given = {"base_url": service.url, "access_token": service.token, "state_dir": str(state_dir), **options}
    play = PLAY.format(module=module, perform=perform, check=check)
    done = subprocess.run([sys.executable, "-c", play, json.dumps(given)], check=True, capture_output=True, text=True)
    changed, imported = json.loads(done.stdout)
    return changed, set(imported)


TASKS = {
    "dns_record": ("dns_record", "converge_record_set", {"zone": "example.com", **WWW}),
    "dns_records": (
        "dns_records",
        "converge_record_sets",
        {"zone": "example.com", "records": [WWW, MX], "prune": True},
    ),
    "dns_zones": ("dns_zones", "converge_zones", {"zones": [{"zone": "example.com", "records": [WWW, MX]}]}),
}


@pytest.mark.parametrize("check", [False, True], ids=["run", "check mode"])
@pytest.mark.parametrize(("module", "perform", "options"), TASKS.values(), ids=TASKS)
def test_who_changes_nothing_imports_nothing_that_is_only_for_writing(
    zone: Any, service: Service, state_dir: Path, module: str, perform: str, options: dict[str, Any], check: bool
) -> None:
    zone.holds("www 300 A 192.0.2.1\n@ 300 MX 10 mail.example.com.")
    changed, imported = played(service, state_dir, module, perform, check=check, **options)
    assert not changed
    assert imported & ONLY_FOR_WRITING == set()


@pytest.mark.parametrize("name", sorted(ONLY_FOR_WRITING))
def test_what_must_not_be_imported_is_there(name: str) -> None:
    assert UTILS.joinpath(*name.split(".")).with_suffix(".py").is_file()


def test_who_writes_imports_it(zone: Any, service: Service, state_dir: Path) -> None:
    zone.holds("www 300 A 192.0.2.9")
    module, perform, options = TASKS["dns_record"]
    changed, imported = played(service, state_dir, module, perform, **options, exclusive=True)
    assert changed
    assert {"_apply.run", "_apply.requests", "_findings.findings"} <= imported


ALL = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(f"ansible_collections.zonesmith.dns.plugins.{name}")
print(len(sys.argv) - 1)
"""


def test_each_file_can_be_imported_on_each_python() -> None:
    """Also those that no test here needs: the gate runs this on the oldest Python and on the newest."""
    plugins = UTILS.parent
    files = [file.relative_to(plugins).with_suffix("") for file in sorted(plugins.rglob("*.py"))]
    names = [".".join(file.parts) for file in files if file.name != "__init__"]
    done = subprocess.run([sys.executable, "-c", ALL, *names], capture_output=True, text=True, check=False)
    assert (done.stderr, done.stdout) == ("", f"{len(names)}\n")


WITHOUT_DNSPYTHON = """
import importlib, sys

sys.modules["dns"] = None
for name in sys.argv[1:]:
    importlib.import_module("ansible_collections.zonesmith.dns.plugins." + name)
"""


def test_all_can_be_imported_without_dnspython() -> None:
    """What is missing is then told by who needs it, and ends no playbook."""
    files = [*UTILS.rglob("*.py"), *UTILS.with_name("filter").glob("*.py")]
    names = [
        ".".join(file.relative_to(UTILS.parent).with_suffix("").parts) for file in files if file.stem != "__init__"
    ]
    subprocess.run([sys.executable, "-c", WITHOUT_DNSPYTHON, *names], check=True)
