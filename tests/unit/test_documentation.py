# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the documentation promises is what the code does: options and results; tests/docs runs the examples."""

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


# Results


IN_FULL = "dns_records"
"""The module that documents the results that several modules share."""


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


RECORD = {"name": "www", "type": "A", "content": ["192.0.2.1"]}
TASKS = {
    "dns_record": {"zone": "example.com", **RECORD},
    "dns_records": {"zone": "example.com", "records": [RECORD]},
    "dns_service_check": {"zone": "example.com"},
    "dns_zone_files": {"dest": "zones"},
    "dns_zone_info": {"zone": "example.com"},
    "dns_zones": {"zones": [{"zone": "example.com", "records": [RECORD]}]},
}


@pytest.mark.parametrize("outcome", ["success", "refused", "refused write"])
@pytest.mark.parametrize("name", MODULES)
def test_what_is_returned_is_documented(service, run, name, outcome, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
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
