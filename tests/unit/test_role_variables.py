# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is told of variables that look like one of the role, and of which there is none."""

import pathlib
from types import SimpleNamespace

import pytest
import yaml

from ansible_collections.zonesmith.dns.plugins.action.dns_records import (
    PREFIX,
    VARIABLES,
    slips_in_words,
)

SPECS = pathlib.Path(__file__).parents[2] / "roles/zone/meta/argument_specs.yml"


def role(name):
    return SimpleNamespace(get_name=lambda include_role_fqcn: name if include_role_fqcn else "")


def test_the_variables_are_those_of_the_role():
    specs = yaml.safe_load(SPECS.read_text(encoding="utf-8"))
    assert sorted(specs["argument_specs"]["main"]["options"]) == sorted(
        PREFIX + name for name in VARIABLES
    )


@pytest.mark.parametrize(
    "variable, near",
    [
        ("zone_prunne", "zone_prune"),
        ("zone_protcet", "zone_protect"),
        *((PREFIX + name, None) for name in VARIABLES),
        ("zone_result", None),
        ("zone_names", None),
        ("zone_", None),
        ("zone_owner_of_mine", None),
        ("my_zone_prunne", None),
    ],
)
def test_one_that_may_mean_another_is_told(variable, near):
    slips = (
        [f"the role zonesmith.dns.zone has no variable {variable}; did you mean {near}?"]
        if near
        else []
    )
    assert list(slips_in_words(role("zonesmith.dns.zone"), ["zone_name", variable])) == slips
    assert list(slips_in_words(role("other.dns.zone"), [variable])) == []
    assert list(slips_in_words(None, [variable])) == []
