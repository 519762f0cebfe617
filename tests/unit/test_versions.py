# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One version: galaxy.yml names the release that is being made, and all else follows it."""

import importlib
import pathlib
import re

import pytest
import yaml

REPOSITORY = pathlib.Path(__file__).parents[2]
PLUGINS = sorted(
    path
    for kind in ("modules", "filter", "inventory", "callback")
    for path in (REPOSITORY / "plugins" / kind).glob("*.py")
)


def text_of(path):
    return (REPOSITORY / path).read_text(encoding="utf-8")


def numbers(version):
    return tuple(map(int, version.split(".")))


FRAGMENTS = sorted((REPOSITORY / "changelogs" / "fragments").glob("*.yml"))
NEXT = yaml.safe_load(text_of("galaxy.yml"))["version"]
RELEASED = yaml.safe_load(text_of("changelogs/changelog.yaml"))["releases"]
OPTIONS_RELEASED = set(text_of("tests/unit/released_options.txt").splitlines())


def fragment_of(name):
    """The part of a documentation that a plugin takes from plugins/doc_fragments."""
    _namespace, _collection, file, *part = name.split(".")
    place = f"ansible_collections.zonesmith.dns.plugins.doc_fragments.{file}"
    holder = importlib.import_module(place).ModuleDocFragment
    return yaml.safe_load(getattr(holder, part[0].upper() if part else "DOCUMENTATION"))


def options_of(path):
    """Since which version a plugin is there, and its options."""
    name = f"ansible_collections.zonesmith.dns.plugins.{path.parent.name}.{path.stem}"
    own = yaml.safe_load(importlib.import_module(name).DOCUMENTATION)
    options = {}
    for fragment in own.get("extends_documentation_fragment", []):
        if fragment.startswith("zonesmith.dns."):
            options |= fragment_of(fragment).get("options") or {}
    return own["version_added"], {**options, **own.get("options", {})}


def since(options, parts, since_above, above=""):
    """Each option, by its path, with the version that its documentation says it came with."""
    for name, option in options.items():
        added = option.get("version_added", since_above)
        yield f"{above}{name}", added
        yield from since(option.get(parts) or {}, parts, added, f"{above}{name}.")


def judged(plugin, options):
    """An option that was never released comes with the next release, and every other one came with one before."""
    options_added = {f"{plugin} {option}": added for option, added in options}
    coming = options_added.keys() - OPTIONS_RELEASED
    if NEXT in RELEASED:
        assert not coming, f"raise the version in galaxy.yml and _api/sender.py: {coming}"
    else:
        assert {option for option, added in options_added.items() if added == NEXT} == coming
    assert set(options_added.values()) <= {NEXT, *RELEASED}


@pytest.mark.parametrize("path", PLUGINS, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_an_option_says_since_when_it_is_there(path):
    there, options = options_of(path)
    judged(f"{path.parent.name}.{path.stem}", since(options, "suboptions", there))


def test_an_option_of_the_role_says_since_when_it_is_there():
    spec = yaml.safe_load(text_of("roles/zone/meta/argument_specs.yml"))["argument_specs"]["main"]
    judged("roles.zone", since(spec["options"], "options", spec["version_added"]))


def test_the_next_release_comes_after_the_last_by_what_has_changed():
    changed = {
        section
        for path in FRAGMENTS
        for section in yaml.safe_load(path.read_text(encoding="utf-8"))
    }
    last = max(map(numbers, RELEASED))
    if not changed:
        assert numbers(NEXT) == last
    elif changed & {"breaking_changes", "removed_features"}:
        assert numbers(NEXT) == (last[0] + 1, 0, 0)
    elif changed & {"minor_changes", "deprecated_features"}:
        assert numbers(NEXT) == (last[0], last[1] + 1, 0)
    else:
        assert numbers(NEXT) == (*last[:2], last[2] + 1)


def test_who_is_told_to_name_a_version_is_told_that_one():
    versions = re.findall(
        r"zonesmith\.dns:==([\d.]*\d)",
        "".join(path.read_text() for path in REPOSITORY.glob("docs/**/*.md")),
    )
    assert versions
    assert set(versions) == {NEXT}
