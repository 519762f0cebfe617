# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Hostile JSON: each answer is either read for what it says or an error of one sentence, and none ends a loop."""

from __future__ import annotations

import json
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
        "surrogate-name": (holding("name", r'"\ud800.example.com."'), True),
        "surrogate-type": (holding("type", r'"\udfff"'), True),
        "surrogate-value": (holding("contents", r'["\ud800"]'), True),
        "surrogate-field": (zone(ROW, extra=0).replace('"extra"', r'"\ud800"'), True),
        "terminal-in-name": (zone({**ROW, "name": f"{TERMINAL}.example.com."}), True),
        "terminal-in-value": (zone({**ROW, "type": "TXT", "contents": [TERMINAL]}), True),
        "bidi-in-value": (zone({**ROW, "type": "TXT", "contents": [BIDI]}), True),
        "terminal-in-message": (json.dumps({"status": TERMINAL, "message": TERMINAL + BIDI}), False),
        "terminal-in-errors": (json.dumps({"status": "Error", "errors": {TERMINAL: [BIDI]}}), False),
        "surrogate-in-message": (r'{"status": "\ud800", "message": "\udc00", "errors": ["\ud800"]}', False),
        "token-in-message": (json.dumps({"status": TOKEN, "message": f"{TOKEN} x{TOKEN}", "errors": [TOKEN]}), False),
        "no-json": (f"<html>{TERMINAL}{BIDI}</html>", False),
        "bytes": ("\udcff\udcfe\udc00", False),
    }


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Each answer in place of the zone's, for the first item of a loop and so on, in both ways to run a module."""
    answers = cases()

    def answer(asked: Asked) -> Said | None:
        return Said(answers[asked.case][0].encode("utf-8", "surrogateescape"))

    common = {"zone": ZONE, "retries": 0}
    removing = {"name": "*", "type": "A", "state": "absent"}
    modules = {"dns_record": {**common, **removing}, "dns_records": {**common, "records": [], "prune": True}}
    modules["dns_records"]["prune_limit"] = 100
    tasks = [
        {
            "name": module,
            f"zonesmith.dns.{module}": {**options, "base_url": "{{ front }}/{{ item }}"},
            "loop": sorted(answers),
            "register": module,
            "ignore_errors": True,
            "check_mode": True,
            "diff": True,
        }
        for module, options in modules.items()
    ]
    with Service(token=TOKEN) as service, Front(answer=answer) as front:
        plays = [{"name": "All", "hosts": "all", "gather_facts": False, "tasks": [task]} for task in tasks]
        inventory = {"all": {"hosts": {"here": {"front": front.url}}}}
        return play(plays, inventory, service_environment(service, tmp_path_factory.mktemp("json")))
