# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Answers that Ansible's worker cannot hand on, such as half a character, cost a loop none of its results."""

import json

import pytest
from playing import play
from raw import RawServer, as_json, whole

TOKEN = "token-that-nobody-may-see"


def _lists(status):
    zone = {"name": "example.com", "slug": "examplecom", "status": status}
    return {"status": "Success", "data": [zone], "total": 1}


def _deep(levels):
    return [_deep(levels - 1)] if levels else []


def _holds(text):
    soa = {"name": "example.com.", "type": "SOA", "ttl": 300, "contents": ["a. b. 1 2 3 4 5"]}
    www = {"name": "www.example.com.", "type": "TXT", "ttl": 300, "contents": [text]}
    return {"status": "Success", "data": {"records": [soa, www]}}


REPLIES = {
    "good": (_lists(True), _holds("fine")),
    "status": (_lists({"\udfff": "\ud800"}), _holds("fine")),
    "deep": (_lists(_deep(400)), _holds("fine")),
    "value": (_lists(True), _holds("\udc80")),
}
"""What a hostile service says of its list and of a zone, by the first part of the path in base_url."""


def _reply(request):
    _root, part, rest = request.path.split("/", 2)
    answers = dict(zip(("dns/domains", "dns/domains/examplecom"), REPLIES[part], strict=True))
    if rest in answers:
        return as_json(answers[rest])
    return whole(b'{"status": "Error", "message": "not here"}', status="404 Not Found")


@pytest.mark.parametrize("direct", [True, False], ids=["direct", "process"])
def test_no_text_of_the_service_costs_the_loop_its_results(direct):
    with RawServer(_reply) as hostile:
        options = {
            "base_url": f"{hostile.url}/{{{{ item }}}}",
            "access_token": TOKEN,
            "records": "{{ item == 'value' }}",
        }
        task = {"zonesmith.dns.dns_zone_info": options, "loop": [*REPLIES], "ignore_errors": True}
        plays = [{"hosts": "one", "gather_facts": False, "tasks": [task]}]
        played = play(plays, {"all": {"hosts": {"one": {"zonesmith_direct": direct}}}}, {})
    results = played.results["one"].get("results", [])
    assert [result["item"] for result in results] == [*REPLIES], played.output
    for result in results:
        assert "\n" not in result["msg"] if "msg" in result else len(result["zones"]) == 1
    assert [zone["name"] for zone in results[0]["zones"]] == ["example.com"]
    assert TOKEN not in played.output
    assert TOKEN not in json.dumps(played.results)
