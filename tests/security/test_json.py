# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Hostile JSON: each answer is either read for what it says or an error of one sentence, and none ends a loop."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from in_front import Asked, Front, Said
from playing import Played, play, service_environment
from running import Service

TOKEN = "token-that-nobody-may-see"
ZONE = "example.com"
SOA = {"name": "example.com.", "type": "SOA", "ttl": 3600, "contents": ["ns1. host. 1 2 3 4 5"]}
ROW = {"name": "www.example.com.", "type": "A", "ttl": 300, "contents": ["192.0.2.1"]}
TERMINAL = "\x1b[2J\x1b]0;title\x07\x1b]52;c;ZXZpbA==\x07\x9b31m\r\x08\x7f"
BIDI = "\u202e\u2066\u2028\u200f\ufeff"
KINDS = {
    "null": "null",
    "number": "7",
    "float": "1.5",
    "true": "true",
    "text": '"text"',
    "list": "[[]]",
    "object": '{"a": {}}',
}
FITS = {"name": {"text"}, "type": {"text"}, "ttl": {"number"}, "contents": set(), "records": set(), "data": set()}


def zone(*rows: Any, **fields: Any) -> str:
    return json.dumps({"status": "Success", "data": {"records": [SOA, *rows]}, **fields})


def holding(field: str, text: str) -> str:
    """An answer in which *text* stands, as it is, where the value of a field should."""
    marked = {"data": {"data": "@@"}, "records": {"data": {"records": "@@"}}, "status": {"status": "@@"}}
    fields = marked.get(field)
    return (zone(**fields) if fields else zone({**ROW, field: "@@"})).replace('"@@"', text)


def cases() -> dict[str, tuple[str, bool]]:
    """An answer by name, and whether it is one that can be used."""
    wrong = {
        f"{field}-{kind}": (holding(field, text), kind in fits)
        for field, fits in FITS.items()
        for kind, text in KINDS.items()
    }
    return {
        **wrong,
        **{f"status-{kind}": (holding("status", text), False) for kind, text in KINDS.items()},
        **{f"alone-{kind}": (text, False) for kind, text in KINDS.items()},
        "empty": ("", False),
        "cut": (zone(ROW)[:-5], False),
        "deep-list": ("[" * 100_000 + "]" * 100_000, False),
        "deep-object": ('{"a":' * 100_000 + "1" + "}" * 100_000, False),
        "deep-field": (zone(ROW, extra="@@").replace('"@@"', "[" * 100_000 + "]" * 100_000), False),
        "double-records": (zone(ROW)[:-1].replace('"data"', '"data": {"records": []}, "data"') + "}", True),
        "double-status": (f'{{"status": "Error", {zone(ROW)[1:]}', True),
        "error-after-success": (f'{zone(ROW)[:-1]}, "status": "Error", "message": "no"}}', False),
        "ttl-nan": (holding("ttl", "NaN"), False),
        "ttl-infinity": (holding("ttl", "1e999"), False),
        "ttl-long": (holding("ttl", "9" * 5000), False),
        "ttl-as-text": (holding("ttl", '"300"'), False),
        "contents-of-numbers": (holding("contents", "[1]"), False),
        "contents-of-lists": (holding("contents", '[["192.0.2.1"]]'), False),
        "surrogate-name": (holding("name", r'"\ud800.example.com."'), False),
        "surrogate-type": (holding("type", r'"\udfff"'), False),
        "surrogate-value": (holding("contents", r'["\ud800"]'), False),
        "surrogate-field": (zone(ROW, extra=0).replace('"extra"', r'"\ud800"'), True),
        "terminal-in-name": (zone({**ROW, "name": f"{TERMINAL}.example.com."}), True),
        "terminal-in-value": (zone({**ROW, "type": "TXT", "contents": [TERMINAL]}), True),
        "bidi-in-value": (zone({**ROW, "type": "TXT", "contents": [BIDI]}), True),
        "terminal-in-message": (json.dumps({"status": TERMINAL, "message": TERMINAL + BIDI}), False),
        "terminal-in-errors": (json.dumps({"status": "Error", "errors": {TERMINAL: [BIDI]}}), False),
        "surrogate-in-message": (r'{"status": "\ud800", "message": "\udc00", "errors": ["\ud800"]}', False),
        "token-in-message": (json.dumps({"status": TOKEN, "message": f"{TOKEN} x{TOKEN}", "errors": [TOKEN]}), False),
        "no-json": (f"<html>{TERMINAL}{BIDI}</html>", False),
        "bytes": ("\udcff\udcfe\udc80", False),
    }


ANSWERS = cases()
TEXTS = sorted(name for name in ANSWERS if name.startswith(("surrogate", "terminal-in-v", "terminal-in-m", "bidi")))
ITEMS = {"dns_record": sorted(ANSWERS), "dns_records": sorted(ANSWERS), "process": TEXTS}
"""The answers that each host's loop gets: one in a process of its own only those that it has to write down again."""


def answer(asked: Asked) -> Said:
    """An answer in place of the zone's; the list of zones is as it should be."""
    if asked.path == "/dns/domains":
        listed = [{"name": ZONE, "slug": "examplecom", "status": True}]
        return Said(json.dumps({"status": "Success", "data": listed, "total": 1}).encode())
    return Said(ANSWERS[asked.case][0].encode("utf-8", "surrogateescape"))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Loops over all answers, in Ansible's worker and in processes."""
    removing = {"name": "www", "type": "A", "state": "absent"}
    pruning = {"records": [{"name": "new", "type": "A", "content": ["192.0.2.1"]}], "prune": True, "prune_limit": 100}
    modules = {"dns_record": removing, "dns_records": pruning, "process": pruning}
    plays = [
        {
            "name": host,
            "hosts": host,
            "gather_facts": False,
            "vars": {"zonesmith_direct": host != "process"},
            "tasks": [
                {
                    "name": "Every answer",
                    f"zonesmith.dns.{'dns_records' if host == 'process' else host}": {
                        **options,
                        "zone": ZONE,
                        "retries": 0,
                        "base_url": "{{ front }}/{{ item }}",
                    },
                    "loop": ITEMS[host],
                    "ignore_errors": True,
                    "check_mode": True,
                    "diff": True,
                }
            ],
        }
        for host, options in modules.items()
    ]
    with Service(token=TOKEN) as service, Front(answer=answer) as front:
        inventory = {"all": {"hosts": {host: {} for host in modules}, "vars": {"front": front.url}}}
        return play(plays, inventory, service_environment(service, tmp_path_factory.mktemp("json")))


def results(played: Played, host: str) -> dict[str, dict[str, Any]]:
    assert host in played.results, played.output
    return {result["item"]: result for result in played.results[host]["results"]}


@pytest.mark.parametrize("host", ITEMS)
def test_every_item_of_a_loop_has_its_result(played: Played, host: str) -> None:
    assert list(results(played, host)) == ITEMS[host]


@pytest.mark.parametrize("host", ITEMS)
def test_what_can_be_used_is_used(played: Played, host: str) -> None:
    found = results(played, host)
    failed = {name: result["msg"] for name, result in found.items() if ANSWERS[name][1] and "msg" in result}
    assert failed == {}


@pytest.mark.parametrize("host", ITEMS)
def test_anything_else_is_an_error_of_one_sentence(played: Played, host: str) -> None:
    for name, result in results(played, host).items():
        if not ANSWERS[name][1]:
            assert not result.get("changed"), name
            assert re.match(r"Zone example\.com: cannot read .*the service", result.get("msg", "")), (name, result)
            assert result["msg"].endswith("; nothing was changed."), name
            assert re.fullmatch("[ -~\ufffd]{1,1500}", result["msg"]), name


@pytest.mark.parametrize("field", FITS)
def test_the_error_names_the_field_that_is_wrong(played: Played, field: str) -> None:
    for kind in set(KINDS) - FITS[field]:
        message = results(played, "dns_record")[f"{field}-{kind}"]["msg"]
        assert re.search(rf"\b{field}(\.records|\[0\])? (is not|is missing|has more than)", message), (kind, message)


def test_nothing_of_it_moves_a_terminal_or_shows_the_token(played: Played) -> None:
    assert "Traceback" not in played.output
    assert TOKEN not in played.output
    assert not re.search("[^\n -~\ufffd]", played.output)
