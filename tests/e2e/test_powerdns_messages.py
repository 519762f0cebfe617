# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What PowerDNS refuses comes to the user in its own words, and what it takes in one form only is given that form."""

from concurrent.futures import ThreadPoolExecutor

SLOW = 4  # seconds: for the other writer to come first


def record(zone, **options):
    """A task about one record set."""
    return {"zonesmith.dns.dns_record": {"zone": zone, **options}}


def test_its_words_are_in_the_message(ansible, service):
    service.zone("refused.example")
    text = {"name": "text", "type": "TXT", "content": "two words", "txt_format": "plain"}
    (result,) = ansible.tasks(record("refused.example", **text))
    assert (result["failed"], result["changed"], result["status_code"]) == (True, False, 422)
    words = "Data field in DNS should start with quote (\") at position 0 of 'two words'"
    assert words in result["msg"]
    assert "text.refused.example. TXT holds nothing" in result["msg"]


def test_a_cname_conflict_that_only_it_can_see(ansible, service, powerdns):
    service.zone("race.example")
    service.clear_log()
    service.fault("slow", method="POST", path="raceexample", seconds=SLOW)
    with ThreadPoolExecutor(1) as other:
        playing = other.submit(
            ansible.tasks,
            record("race.example", name="www", type="CNAME", content="a.example.net."),
        )
        # The module has read the zone, and its POST is on the way: now somebody else writes.
        service.wait_log(2, timeout=120)
        powerdns.write("race.example", "www.race.example", "A", 300, ["192.0.2.1"])
        (result,) = playing.result()
    assert "RRset www.race.example. IN CNAME: Conflicts with pre-existing RRset" in result["msg"]
    assert (result["failed"], result["changed"], result["status_code"]) == (True, False, 422)
    assert powerdns.ask("www.race.example", "CNAME").answer == []


def test_txt_format_auto_learns_that_it_takes_quoted_text_only(ansible, service):
    service.zone("auto.example")
    service.clear_log()
    texts = {"name": "text", "type": "TXT", "content": ["one text", "another text"]}
    (first,) = ansible.tasks(record("auto.example", **texts))
    assert first["changed"]
    sent = [entry for entry in service.log() if entry["method"] == "POST"]
    assert [(entry["body"]["content"], entry["status"]) for entry in sent] == [
        ("one text", 422),
        ('"one text"', 200),
        ('"another text"', 200),
    ]
