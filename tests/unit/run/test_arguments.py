# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is said of options as they were written, word for word, where Ansible would take them or say less."""

import pytest
from ansible.module_utils.common.parameters import env_fallback

from ansible_collections.zonesmith.dns.plugins.module_utils._run.arguments import (
    doubts_in,
    validation_errors,
    variables_of,
    with_whole_values,
)

ROW = {
    "name": {"type": "str"},
    "type": {"type": "str", "required": True},
    "content": {"type": "list", "elements": "str", "aliases": ["value", "values"]},
    "ttl": {"type": "raw"},
    "rank": {"type": "int"},
    "weight": {"type": "float"},
    "place": {"type": "path"},
    "keep": {"type": "bool"},
    "state": {"type": "str", "choices": ["present", "absent"]},
    "comment": {"type": "str"},
    "mode": {"type": "str", "choices": ["off", "warn"]},
}
KEYS = "comment, content, keep, mode, name, place, rank, state, ttl, type, value, values, weight"
RECORDS = {"records": {"type": "list", "elements": "dict", "options": ROW}}
GLOB = {
    "rule": {"type": "str"},
    "glob": {"type": "str", "choices": ["*"]},
}
GLOBS = {"ignore": {"type": "list", "elements": "dict", "options": GLOB}}
OF_ZONE = {"zone": {"type": "str", "required": True}, **RECORDS, **GLOBS}
ZONES = {"zones": {"type": "list", "elements": "dict", "options": OF_ZONE}}
CONNECTION = {
    "base_url": {"type": "str", "fallback": (env_fallback, ["THE_URL"])},
    "access_token": {"type": "str", "fallback": (env_fallback, ["THE_TOKEN"])},
    "zone": {"type": "str", "required": True},
}
STATE = {"state_dir": {"type": "path"}, "state_url": {"type": "str"}}
FLOAT = "YAML reads 7.1 and 7.10 as one number unless they are in quotes"
BOOLEAN = "YAML reads yes, no, on, off, true and false as booleans unless they are in quotes"
A = {"name": "www", "type": "A"}


# Entries


OF_KEYS = ", ".join(ROW)
OF_A_ROW = [
    # an entry -> what is said of it behind its place
    ({"type": "A"}, ""),  # all that is needed
    ({"name": "www"}, " www: type is missing"),  # no type
    ({**A, "tpye": "A"}, " www A: there is no key 'tpye' (did you mean type?)"),  # an unknown key
    (
        {**A, "\x1b": 1, "comment": "lab"},
        rf" www A (lab): there is no key '\x1b', only {KEYS}",
    ),  # odd
    (
        {**A, "ttl": True},
        f" www A: ttl is the boolean true, but takes a number: {BOOLEAN}",
    ),  # TTL true
    (
        {"name": False, "type": "A"},
        f" false A: name is the boolean false, but takes a text: {BOOLEAN}",
    ),  # name no
    ({**A, "mode": False}, ""),  # a choice that YAML reads as false
    *(
        pytest.param({**A, "weight": weight}, "", id=f"a float: {weight!r}")
        for weight in (5, float("nan"), " 0.5 ", "-5.", "1e3")
    ),
    ({**A, "keep": " YES "}, ""),  # a boolean in words
    *(
        pytest.param({**A, "ttl": ttl}, "", id=f"TTL {ttl}")
        for ttl in (0, 300.0, " +300.0 ", " 1h30m ", "-1", "")
    ),
    (
        {"name": 7.1, "type": "A"},
        f" 7.1 A: name is the number 7.1, but takes a text: {FLOAT}",
    ),  # a name
    (
        {**A, "content": [1.1, True, "a", 1.2, False, 1.1]},
        f" www A: content is the number 1.1, but takes a text: {FLOAT}",
    ),  # the first of several values
    ({**A, "weight": 7.1}, ""),  # a float where a number belongs
    (
        {**A, "value": [1, ["a"], {}, ["b"]]},
        " www A: value has a list, but takes a text or a list of texts",
    ),  # a list among values
    ("www A", f": it is 'www A', but an entry is a dictionary of {OF_KEYS}"),  # a text
    (
        {"ttl": False, "state": "gone", "x": 1},
        (
            f" @: there is no key 'x', only {KEYS}; value of state must be one of: present, absent, got: gone; "
            f"type is missing; ttl is the boolean false, but takes a number: {BOOLEAN}"
        ),
    ),  # all at once
    (
        "name=www type=A",
        f": it is 'name=www type=A', but an entry is a dictionary of {OF_KEYS}",
    ),  # what Ansible would read as a dictionary
]


@pytest.mark.parametrize("row, reason", OF_A_ROW)
def test_what_is_said_of_an_entry(row, reason):
    errors = [f"records[1]{reason}"] if reason else []
    assert validation_errors(RECORDS, {"records": [A, row]}) == errors


def test_what_is_inside_an_entry_is_told_with_its_place():
    zones = [{"zone": "a\x1b", "records_": 1}, {"records": [A, {"name": "b"}], "ignore": [5]}]
    assert validation_errors(ZONES, {"zones": zones}) == [
        r"zones[0] a\x1b: there is no key 'records_' (did you mean records?)",
        "zones[1]: zone is missing",
        "zones[1].records[1] b: type is missing",
        "zones[1].ignore[0]: it is 5, but an entry is a dictionary of rule, glob",
    ]


IS_TAKEN_FOR = [
    # an option, what it is given, and what is said of it
    ("records", A, [f"records must be a list of dictionaries of {OF_KEYS}"]),
    ("records", "www A 192.0.2.1", [f"records must be a list of dictionaries of {OF_KEYS}"]),
    ("records", [], []),
    ("ignore", "*.dev", ["ignore must be a list of dictionaries of rule, glob"]),
]


@pytest.mark.parametrize("option, value, errors", IS_TAKEN_FOR)
def test_what_is_written_in_place_of_a_list(option, value, errors):
    assert validation_errors({**RECORDS, **GLOBS}, {option: value}) == errors


REMOVED = "without name, this removes the A set of the apex: write name: '@' to confirm"
GONE = {"type": "A", "state": "absent"}
DOUBTFUL = [
    # the options of a task, and what is said of them
    ({"zone": "a.example", **GONE}, [f"Zone a.example: {REMOVED}"]),
    ({**GONE, "name": "@"}, []),
    ({**GONE, "content": ["192.0.2.1"]}, []),
    ({"type": "A", "content": "192.0.2.1"}, []),
    (
        {"zones": [{"zone": "b.example", "records": [GONE]}, "c.example"]},
        [f"Zone b.example: records[0]: {REMOVED}"],
    ),
    (
        {"zones": ["b.example"], "records": [GONE] * 12},
        [f"records[{at}]: {REMOVED}" for at in range(10)]
        + ["more warnings of this kind: 2 (see the task)"],
    ),
]


@pytest.mark.parametrize("options, starts", DOUBTFUL)
def test_what_a_task_may_not_mean(options, starts):
    doubts = doubts_in(options)
    assert [one[: len(start)] for one, start in zip(doubts, starts, strict=True)] == starts


# Options of a task


IN_THE_TASK = "is missing: set it in the task or in module_defaults, or"
NO_URL = f"base_url {IN_THE_TASK} THE_URL in the environment of ansible-playbook"
NO_TOKEN = f"access_token {IN_THE_TASK} THE_TOKEN in the environment of ansible-playbook"


@pytest.mark.parametrize(
    "options, url, errors",
    [
        ({"base_url": "u", "access_token": "t"}, "", ["zone is missing"]),
        ({"zone": "z"}, "", [NO_URL, NO_TOKEN]),
        ({}, "x", [NO_TOKEN, "zone is missing"]),
    ],
)
def test_what_is_missing(options, url, errors, monkeypatch):
    monkeypatch.setenv("THE_URL", url)
    assert validation_errors(CONNECTION, options) == errors
    assert [*variables_of(CONNECTION)] == [("base_url", "THE_URL"), ("access_token", "THE_TOKEN")]


FALSE = f"is the boolean false, but takes a text: {BOOLEAN}"
OF_A_TASK = [
    (
        {**A, "tpye": "A", "_ansible_version": "2"},
        "www A: there is no option 'tpye' (did you mean type?)",
    ),
    (
        {**A, "ttl": True, "place": False},
        f"www A: ttl is the boolean true, but takes a number: {BOOLEAN}; place {FALSE}",
    ),
    ({**A, "state": "absnt"}, "www A: value of state must be one of: present, absent, got: absnt"),
    (
        {"name": "www", "tpye": "A"},
        "www: there is no option 'tpye' (did you mean type?); type is missing",
    ),
]


@pytest.mark.parametrize("options, errors", OF_A_TASK)
def test_a_task_is_looked_at_as_an_entry_is(options, errors):
    assert validation_errors(ROW, options) == [errors]


BOTH = {"state_dir": "/x", "state_url": "u"}


@pytest.mark.parametrize(
    "options, variable, is_refused",
    [
        (BOTH, "v", True),
        (BOTH, "", True),
        ({"state_dir": "/x"}, "v", True),
        ({"state_dir": "/x"}, "", False),
        ({"state_url": "u"}, "v", False),
    ],
)
def test_the_log_is_kept_in_one_place(options, variable, is_refused, monkeypatch):
    monkeypatch.setenv("ZONESMITH_STATE_URL", variable)
    error = (
        "state_dir and state_url, or the environment variable ZONESMITH_STATE_URL, are both given, but state is kept "
        "in one place: leave one of them out"
    )
    assert validation_errors(STATE, options) == [error] * is_refused


def test_all_that_is_wrong_is_told():
    spec = {**CONNECTION, **STATE, **RECORDS}
    options = {"base_url": "u", "zone": True, "records": [{"name": "a"}], **BOTH}
    errors = validation_errors(spec, options)
    assert [reason.split(" ")[0] for reason in errors] == [
        "access_token",
        "state_dir",
        "zone",
        "records[0]",
    ]


# What is one value


@pytest.mark.parametrize(
    "options, whole",
    [
        *(({name: "a, b"}, {name: ["a, b"]}) for name in ("content", "values", "replaces")),
        ({"ttl": " ", "priority": ""}, {"ttl": None, "priority": None}),
        ({"ttl": 0, "name": "", "content": 5}, {"ttl": 0, "name": "", "content": 5}),
        (
            {"zones": [{"records": [{"value": "a", "ttl": ""}, "b"]}]},
            {"zones": [{"records": [{"value": ["a"], "ttl": None}, "b"]}]},
        ),
        (
            {"records": "a", "ignore": [{"value": "a"}]},
            {"records": "a", "ignore": [{"value": "a"}]},
        ),
    ],
)
def test_a_single_value_is_not_split(options, whole):
    assert with_whole_values(options) == whole
