# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the documentation promises is what the code does: options, results, examples."""

import functools
import importlib
import pathlib
import re

import pytest
import yaml

REPOSITORY = pathlib.Path(__file__).parents[2]
PLUGINS = "ansible_collections.zonesmith.dns.plugins"
MODULES = sorted(path.stem for path in (REPOSITORY / "plugins" / "modules").glob("*.py"))
SET_BY_ANSIBLE = {"changed", "failed", "msg", "invocation", "warnings"}


def module(name):
    return importlib.import_module(f"{PLUGINS}.modules.{name}")


@functools.cache
def documentation(name):
    """The DOCUMENTATION of a module, with the options, notes and attributes of its fragments."""
    own = yaml.safe_load(module(name).DOCUMENTATION)
    for fragment in own.get("extends_documentation_fragment", []):
        _namespace, _collection, file, *part = fragment.split(".")
        holder = importlib.import_module(f"{PLUGINS}.doc_fragments.{file}").ModuleDocFragment
        text = yaml.safe_load(getattr(holder, part[0].upper() if part else "DOCUMENTATION"))
        for field in ("options", "attributes"):
            merged = own.setdefault(field, {})
            for key, value in (text.get(field) or {}).items():
                merged[key] = {**value, **merged.get(key, {})}
    return own


@functools.cache
def returned(name):
    return yaml.safe_load(module(name).RETURN)


@pytest.mark.parametrize("name", MODULES)
def test_an_environment_variable_is_named_where_it_counts(name):
    for option, rules in module(name).OPTIONS.items():
        message = " ".join(documentation(name)["options"].get(option, {}).get("description", ""))
        variables = rules.get("fallback", (None, []))[1]
        assert re.findall(r"E\((ZONESMITH_\w+)\)", message) == variables, option


@pytest.mark.parametrize("name", MODULES)
def test_only_what_holds_a_secret_is_kept_out_of_logs(name):
    secret = [option for option, rules in module(name).OPTIONS.items() if rules.get("no_log")]
    besides = [] if name == "dns_zone_files" else ["state_url"]
    assert secret == ["access_token", *besides]


def test_all_modules_share_the_options_of_the_connection():
    shared = importlib.import_module(f"{PLUGINS}.module_utils._run.options").SHARED_OPTIONS
    for name in MODULES:
        assert {option: module(name).OPTIONS[option] for option in shared} == shared
        assert "zonesmith.dns.api" in documentation(name)["extends_documentation_fragment"]


def texts(node):
    """Every description below a node."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, list | dict):
        for item in node.values() if isinstance(node, dict) else node:
            yield from texts(item)


def test_the_requirements_are_those_of_the_collection():
    lines = (REPOSITORY / "meta" / "ee-requirements.txt").read_text(encoding="utf-8").splitlines()
    required = {line.replace(">=", " >= ") for line in lines if line and not line.startswith("#")}
    fragment = importlib.import_module(f"{PLUGINS}.doc_fragments.api").ModuleDocFragment
    python, *libraries = yaml.safe_load(fragment.DOCUMENTATION)["requirements"]
    assert set(libraries) == required
    assert python == f"Python {promised_python()}, where the module runs"


def promised_python():
    """The oldest Python that modules are promised to run on, as ansible-test is told it."""
    config = yaml.safe_load((REPOSITORY / "tests" / "config.yml").read_text(encoding="utf-8"))
    return str(config["modules"]["python_requires"]).replace(">=", ">= ")


@pytest.mark.parametrize(
    "plugin", sorted(path.stem for path in REPOSITORY.glob("plugins/[fi]*/*.py"))
)
def test_a_plugin_says_which_python_it_needs(plugin):
    (path,) = REPOSITORY.glob(f"plugins/[fi]*/{plugin}.py")
    own = importlib.import_module(f"{PLUGINS}.{path.parent.name}.{plugin}").DOCUMENTATION
    fragment = importlib.import_module(
        f"{PLUGINS}.doc_fragments.inventory"
    ).ModuleDocFragment.DOCUMENTATION
    requirements = yaml.safe_load(own if path.parent.name == "filter" else fragment)["requirements"]
    assert requirements[0].startswith("Python >= 3.11,")


# Results


IN_FULL = "dns_records"
"""The module that documents the results that several modules share; others say of them less, and nothing else."""


@pytest.mark.parametrize("name", sorted({*MODULES} - {IN_FULL}))
def test_what_two_modules_return_alike_is_described_alike(name):
    of_many = {"diff", "summary", "zones"} if name in ("dns_zones", "dns_zone_files") else set()
    both = set(returned(name)) & set(returned(IN_FULL)) - of_many
    assert "status_code" in both
    for key in both:
        one, other = returned(name)[key], returned(IN_FULL)[key]
        assert (one["type"], one.get("elements")) == (other["type"], other.get("elements")), key
        assert one["returned"] == other["returned"] or (name, key) == (
            "dns_zones",
            "cached_until",
        ), key


def results_of(name):
    """The results of a module, with what it leaves to the one that documents them in full."""
    if name == "dns_zones":
        zones = returned(name)["zones"]
        of_one = {
            key: {**rules, "returned": "if it failed, or not"}
            for key, rules in returned(IN_FULL).items()
        }
        return {**returned(name), "zones": {**zones, "contains": {**of_one, **zones["contains"]}}}
    if name == "dns_record":
        of_many = {"summary", "cached", "cached_until"}
        shared = {key: rules for key, rules in returned(IN_FULL).items() if key not in of_many}
        return {**returned(name), **shared}
    return returned(name)


def conforms(value, rules, path):
    """Check a result against its part of RETURN."""
    if value is None:
        assert "null" in " ".join(texts(rules["description"])), f"{path} is null"
        return
    kinds = {"str": str, "int": int, "bool": bool, "dict": dict, "list": list, "float": float}
    assert isinstance(value, kinds[rules["type"]]), path
    if rules["type"] == "list":
        for item in value:
            assert isinstance(item, kinds[rules["elements"]]), path
    if "contains" in rules:
        for item in value if isinstance(value, list) else [value]:
            assert set(item) <= set(rules["contains"]), path
            for key, inner in rules["contains"].items():
                if key in item:
                    conforms(item[key], inner, f"{path}.{key}")
                else:
                    assert "returned" in inner, f"{path}.{key} is missing"


TASKS = {
    "dns_record": {"zone": "example.com", "name": "www", "type": "A", "content": ["192.0.2.1"]},
    "dns_records": {
        "zone": "example.com",
        "records": [{"name": "www", "type": "A", "content": ["192.0.2.1"]}],
    },
    "dns_service_check": {"zone": "example.com"},
    "dns_zone_files": {"dest": "zones"},
    "dns_zone_info": {"zone": "example.com"},
    "dns_zones": {
        "zones": [
            {
                "zone": "example.com",
                "records": [{"name": "www", "type": "A", "content": ["192.0.2.1"]}],
            }
        ]
    },
}


@pytest.fixture
def _elsewhere(tmp_path, monkeypatch):
    """Files that are written are nobody's."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_elsewhere")
@pytest.mark.parametrize("outcome", ["success", "refused", "refused write"])
@pytest.mark.parametrize("name", MODULES)
def test_what_is_returned_is_documented(service, run, name, outcome):
    if outcome != "success":
        service.fault(
            "status", method="POST" if outcome == "refused write" else "GET", status=403, times=0
        )
    result = run(name, **TASKS[name])
    rules = results_of(name)
    assert set(result) - SET_BY_ANSIBLE <= set(rules)
    for key in set(result) - SET_BY_ANSIBLE:
        conforms(result[key], rules[key], key)
    ended = "failure" if result.get("failed") else "success"
    for key, rule in rules.items():
        if rule["returned"] in (ended, "always"):
            assert key in result
        elif rule["returned"] in ("failure", "success"):
            assert key not in result


@pytest.mark.parametrize("name", MODULES)
def test_samples_are_of_their_type(name):
    def check(rules, path):
        assert rules["description"], path
        assert rules["type"], path
        if "sample" in rules:
            conforms(
                rules["sample"],
                {key: value for key, value in rules.items() if key != "contains"},
                path,
            )
        for key, inner in rules.get("contains", {}).items():
            check(inner, f"{path}.{key}")

    for key, rules in returned(name).items():
        check(rules, key)


# Examples


def tasks_in(entries):
    for entry in entries:
        for part in ("block", "rescue", "always"):
            yield from tasks_in(entry.get(part, []))
        if "block" not in entry:
            yield entry


@pytest.mark.usefixtures("_elsewhere")
@pytest.mark.parametrize("name", MODULES)
def test_the_examples_run(service, run, name):
    """Each task, in order, twice: the second time it changes nothing. Playbooks run those with templates and files."""
    for zone in ("example.edu", "example.net", "example.org"):
        service.zone(zone, [])
    ran = 0
    for task in tasks_in(yaml.safe_load(module(name).EXAMPLES)):
        assert task["name"]
        for other in (
            key.removeprefix("zonesmith.dns.") for key in task if key.startswith("zonesmith.dns.")
        ):
            assert other in MODULES
            options = task[f"zonesmith.dns.{other}"] or {}
            names = {*module(other).OPTIONS}
            names |= {
                alias
                for rules in module(other).OPTIONS.values()
                for alias in rules.get("aliases", [])
            }
            assert set(options) <= names
            if re.search(r"\{\{|\bsrc\b", str(options)) or "loop" in task or options.get("wait"):
                continue
            ran += other == name
            result = run(other, **options)
            assert not result.get("failed"), (task["name"], result["msg"])
            assert run(other, **options)["changed"] is False, task["name"]
    assert ran
