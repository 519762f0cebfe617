# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a task does that an unset variable has given nothing: each option of each module, and each key of an entry.

An empty option is refused before any request, or is as one that is left out. Tables say which, so a new option has to be
in one of them, or be refused.
"""

import importlib

import pytest
from shorthand import NULL, named_rows

HOSTS = "\n".join(f"host{number} 300 A 192.0.2.{number}" for number in range(1, 11))
HELD = f"""
    @ 300 MX 10 mail.example.net.
    @ 300 TXT v=spf1 mx -all
    www 300 A 192.0.2.1
    www 300 A 192.0.2.2
    {HOSTS}
"""
"""Enough to lose."""

RECORD = {"name": "www", "type": "A", "content": "192.0.2.9"}
GONE = {"name": "www", "type": "A", "content": "192.0.2.1", "state": "absent"}
REMOVED = {"name": "www", "type": "A", "state": "absent"}
ENTRIES = [
    *(
        {"name": f"host{number}", "type": "A", "content": f"192.0.2.{number}"}
        for number in range(1, 11)
    ),
    RECORD,
]
OF_ZONE = {"zone": "example.com", "records": ENTRIES}

TASKS = {
    "dns_record": ("dns_record", {"zone": "example.com", **RECORD}),
    "dns_record absent": ("dns_record", {"zone": "example.com", **GONE}),
    "dns_records": ("dns_records", {**OF_ZONE, "prune": True}),
    "dns_zones": ("dns_zones", {"zones": ["example.com"], "records": ENTRIES, "prune": True}),
    "dns_zone_info": ("dns_zone_info", {"zone": "example.com"}),
    "dns_zone_files": ("dns_zone_files", {}),
}
"""Tasks that do something, each to be given empty options."""

EMPTY = {"null": NULL, "text": ""}
EMPTY_LISTS = {"null": NULL, "list": [], "list of nothing": [""]}

AS_LEFT_OUT = {
    # option or key -> which empty ones: cells of a table, and what is for people
    "comment": {"null", "text"},
    "priority": {"null", "text"},
    "ttl": {"null", "text"},
    # Nothing is ignored, asked or listed besides.
    "findings_ignore": {"list"},
    "unmanaged_ignore": {"list"},
    "wait_nameservers": {"list"},
}
DOES_NOTHING = {
    # an empty list of what the task is about
    "limit": {"list"},
    "names": {"list"},
    "records": {"list"},
    "types": {"list"},
    "zones": {"list"},
}


def options_of(module):
    name = f"ansible_collections.zonesmith.dns.plugins.modules.{module}"
    return importlib.import_module(name).OPTIONS


def empty_values(rules):
    """What an unset variable makes of an option, each by a name."""
    of_type = EMPTY_LISTS if rules["type"] == "list" else EMPTY
    return [*of_type.items()]


def empty_options():
    """Each option of each task."""
    return [
        pytest.param(task, option, rules, id=f"{task}: {option}")
        for task, (module, _options) in TASKS.items()
        for option, rules in options_of(module).items()
    ]


def empty_keys(option):
    """Each key of an entry of an option of dns_zones, and each key of a record."""
    keys = options_of("dns_zones")["zones"]["options"]
    if option == "records":
        keys = options_of("dns_records")["records"]["options"]
    return [pytest.param(key, rules, id=key) for key, rules in keys.items()]


@pytest.fixture
def written(zone, run, tmp_path, monkeypatch, service):
    """Runs a module on the zone as it was at first, and gives its result and its requests that write."""
    # Where an option says nothing, another service is not to be written to either.
    monkeypatch.setenv("ZONESMITH_BASE_URL", service.url)
    monkeypatch.setenv("ZONESMITH_ACCESS_TOKEN", service.token)

    def written(module, options):
        zone.holds(HELD)
        service.clear_log()
        dest = {"dest": str(tmp_path / "files")} if module == "dns_zone_files" else {}
        result = run(module, **{**dest, **options})
        return result, [call for call in zone.calls() if not call.startswith("GET")]

    return written


def check(option, kind, done, as_left_out):
    """An option or key that is given nothing: what it does, and what the task does without it."""
    result, writes = done
    if kind in AS_LEFT_OUT.get(option, ()):
        assert writes == as_left_out()[1], kind
    elif kind in DOES_NOTHING.get(option, ()):
        assert writes == [], kind
    else:
        assert (writes, result.get("failed", False)) == ([], True), kind
        assert says_what_is_missing(option, result["msg"]), kind


@pytest.mark.parametrize("task, option, rules", empty_options())
def test_an_option_that_is_given_nothing(written, task, option, rules):
    module, options = TASKS[task]
    left_out = {name: value for name, value in options.items() if name != option}
    for kind, empty in empty_values(rules):
        done = written(module, {**options, option: empty})
        check(option, kind, done, lambda: written(module, left_out))


def test_a_priority_of_nothing_does_not_widen_a_removal(written):
    """Without it, a removal takes more than was meant."""
    mail = {"name": "@", "type": "MX", "content": "mail.example.net.", "state": "absent"}
    for empty in EMPTY.values():
        result, writes = written("dns_record", {"zone": "example.com", "priority": empty, **mail})
        assert (writes, result["failed"]) == ([], True)
        assert "priority is empty" in result["msg"]


@pytest.mark.parametrize("key, rules", empty_keys("zones"))
def test_a_key_of_a_zone_that_is_given_nothing(written, key, rules):
    def zones(zone):
        return written("dns_zones", {"zones": [zone], "prune": True})

    for kind, empty in empty_values(rules):
        check(key, kind, zones({**OF_ZONE, key: empty}), lambda: zones(OF_ZONE))


@pytest.mark.parametrize("entry", [RECORD, REMOVED], ids=["present", "absent"])
@pytest.mark.parametrize("key, rules", empty_keys("records"))
def test_a_key_of_a_record_that_is_given_nothing(written, key, rules, entry):
    def records(record):
        return written("dns_records", {"zone": "example.com", "records": [record]})

    for kind, empty in empty_values(rules):
        check(key, kind, records({**entry, key: empty}), lambda: records(entry))


def test_options_of_zones_of_a_folder_that_are_given_nothing(written):
    files = {"zones/example.com.zone": {"text": "www 300 A 192.0.2.9\n"}}
    options = {"src": "zones", "_files": files, "prune": True, "prune_limit": 100}
    result, writes = written("dns_zones", {**options, "zones": []})
    assert (writes, result["failed"]) == ([], True)
    assert result["msg"].startswith("zones is empty: leave it out")


GLOBS = {
    # a list of globs, and what is said of it
    "all of them": ([{}], "{} is empty"),
    "one of them": ([{"name": "www"}, {}], "{} has an empty item"),
    "a name": ([{"name": ""}], "{}[0]: name is empty"),
    "a type that is null": ([{"type": NULL}], "{}[0]: type is empty"),
    "a value": ([{"name": "www", "value": " "}], "{}[0]: value is empty"),
}


@pytest.mark.parametrize("option", ["ignore", "protect", "only"])
@named_rows("globs, says", GLOBS)
def test_a_glob_that_is_given_nothing(written, option, globs, says):
    result, writes = written("dns_records", {**OF_ZONE, "prune": True, option: globs})
    assert writes == []
    assert says.format(option) in result["msg"]


@pytest.mark.parametrize(
    "task, option, glob",
    [
        ("dns_records", "ttl_max", {"name": "", "ttl": 60}),
        ("dns_record", "findings_ignore", {"rule": "*", "name": " "}),
        ("dns_zone_files", "ignore", {"value": " "}),
    ],
)
def test_a_glob_of_another_option_that_is_given_nothing(written, task, option, glob):
    module, options = TASKS[task]
    result, writes = written(module, {**options, option: [glob]})
    assert (writes, result["failed"]) == ([], True)


VARIABLES = [
    # a variable of the environment that is there and empty, the option that is left out, and what is said
    ("OWNER", "owner", "ZONESMITH_OWNER is empty: give it a value, or unset it"),
    ("STATE_DIR", "state_dir", "ZONESMITH_STATE_DIR is empty: give it a value, or unset it"),
    ("STATE_URL", "state_dir", "ZONESMITH_STATE_URL is empty: give it a value, or unset it"),
    ("BASE_URL", "base_url", "base_url is missing"),
    ("ACCESS_TOKEN", "access_token", "access_token is missing"),
]


@pytest.mark.parametrize("variable, option, says", VARIABLES)
def test_a_variable_of_the_environment_that_is_empty(written, monkeypatch, variable, option, says):
    monkeypatch.setenv(f"ZONESMITH_{variable}", " ")
    result, writes = written("dns_record", {**TASKS["dns_record"][1], option: None})
    assert (writes, result["failed"]) == ([], True)
    assert says in result["msg"]


@pytest.mark.parametrize(
    "task, option",
    [("dns_zones", "plan_dir"), ("dns_record", "state_dir"), ("dns_zone_files", "dest")],
)
def test_a_path_of_a_variable_that_is_empty(written, monkeypatch, task, option):
    """Ansible puts variables of the environment into paths."""
    monkeypatch.setenv("EMPTY", "")
    module, options = TASKS[task]
    result, writes = written(module, {**options, option: "$EMPTY"})
    assert (writes, result.get("failed", False)) == ([], True)
    assert f"{option} is empty" in result["msg"]


def test_a_text_of_blanks_is_no_value(written):
    result, writes = written(
        "dns_record", {"zone": "example.com", "name": "www", "type": "TXT", "content": " "}
    )
    assert (writes, result["failed"]) == ([], True)
    assert "the value is empty: write blanks in quotes" in result["msg"]


def says_what_is_missing(option, message):
    """Whether people learn that their option is empty."""
    words = (f"{option} is empty", f"{option} is missing", f"{option} has an empty item")
    of_lists = (f"{option}[0]: it is '', but an entry", "value for option 'records' is of type")
    of_values = {
        "content": ("content is required, and cannot be empty", "the value is empty"),
    }
    every = (*words, *of_lists, *of_values.get(option, ()))
    return any(part in message for part in every)
