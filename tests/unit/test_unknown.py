# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Options that a module does not have."""

from __future__ import annotations

import importlib

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._run.module import OPTIONS
from ansible_collections.zonesmith.dns.plugins.module_utils._run.unknown import MODULES, instead_of

PLUGINS = "ansible_collections.zonesmith.dns.plugins.modules"
NAMES = ("dns_record", "dns_records", "dns_zone_files", "dns_zone_info", "dns_zones")


def options_of(module: str) -> set[str]:
    spec = importlib.import_module(f"{PLUGINS}.{module}").OPTIONS
    return {name for option, rules in spec.items() for name in (option, *rules.get("aliases", ()))}


def test_a_module_that_is_told_of_has_the_option_and_each_option_is_told_of() -> None:
    known = {name: options_of(name) for name in NAMES}
    for option, modules in MODULES.items():
        assert all(option in known[module] for module in modules), option
    of_some = {option for options in known.values() for option in options} - OPTIONS.keys()
    assert {option for option in of_some if not all(option in options for options in known.values())} == {
        *MODULES,
        "state_dir",
        "state_url",
        "ttl",
    }


@pytest.mark.parametrize(
    ("name", "called", "said"),
    [
        ("prune", "option", ", which is one of dns_records and dns_zones"),
        ("zone_name", "option", " (did you mean zone?)"),
        ("record_type", "option", ": ansible-doc tells those of the module"),
        ("zoen", "option", " (did you mean zone?)"),
        ("prune", "key", ": ansible-doc tells those of the module"),
        ("nonsense", "option", ": ansible-doc tells those of the module"),
    ],
)
def test_what_is_meant(name: str, called: str, said: str) -> None:
    assert instead_of(name, ["zone", *(f"option{number}" for number in range(20))], called) == said


def test_few_names_are_listed() -> None:
    assert instead_of("x", ["name", "type"], "key") == ", but name, type"
    assert instead_of("record_type", ["name", "type"], "key") == " (did you mean type?)"
    assert instead_of("record", ["name", "type"], "key") == " (did you mean name?)"
    assert instead_of("rdata", ["content", "name"], "key") == " (did you mean content?)"
