# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a file or an entry says of SOA and of NS at the apex, against the stand-in service: what is told and done."""

import pytest
from shorthand import named_rows

# As the stand-in has them.
SOA = "@ 3600 SOA ns1.dns.example. hostmaster.dns.example. 1 3600 600 1209600 3600"
NS = "@ 3600 NS ns1.dns.example.\n@ 3600 NS ns2.dns.example."
WWW = "www 300 A 192.0.2.1"
EVIL = "@ 3600 NS ns1.evil.example."
OWNED = "belongs to the service and is never written: the zone holds"
NS_TOLD = f"example.com. NS {OWNED} ns1.dns.example., ns2.dns.example., but the file says"
SOA_TOLD = f"example.com. SOA {OWNED} ns1.dns.example. hostmaster.dns.example., but the file says"

AS_THE_ZONE_HAS_THEM = {
    "nothing of them": "",
    "in another order, case and form": (
        "$ORIGIN dns.example.\nexample.com. 1h IN NS NS2\nexample.com. 1h IN NS NS1\n$ORIGIN example.com."
    ),
    "other TTLs": "@ 60 NS ns1.dns.example.\n@ 60 NS ns2.dns.example.",
    "another serial and other timers": "@ 60 SOA NS1.dns.example. Hostmaster.dns.example. 2026010199 1 2 3 4",
    "an SOA that is no zone's": "sub 60 SOA ns1.evil.example. hostmaster.evil.example. 1 2 3 4 5",
}
OTHERWISE = {
    "one more": (
        f"{NS}\n@ 60 NS ns3.dns.example.",
        [f"{NS_TOLD} ns1.dns.example., ns2.dns.example., ns3.dns.example."],
    ),
    "both of another": (
        f"{SOA.replace('dns', 'evil')}\n{EVIL}",
        [f"{SOA_TOLD} ns1.evil.example. hostmaster.evil.example.", f"{NS_TOLD} ns1.evil.example."],
    ),
}


def of_file(run, text, **options):
    """What dns_records says of such a file for example.com, which also has www."""
    files = {"zone.file": {"text": f"{text}\n{WWW}\n"}}
    return run("dns_records", zone="example.com", src="zone.file", _files=files, **options)


@pytest.mark.parametrize("check", [True, False])
@named_rows("text", AS_THE_ZONE_HAS_THEM)
def test_a_file_that_says_what_the_zone_holds(zone, run, text, check):
    zone.holds(WWW)
    result = of_file(run, text, check=check, service_owned="error")
    assert (result["changed"], result["service_owned"], result.get("warnings")) == (False, [], None)
    assert result["summary"]["unchanged"] == 1


def test_what_a_file_says_otherwise_is_a_difference(zone, run):
    zone.holds(WWW)
    assert of_file(run, EVIL, check=True, fail_on_changes=True)["msg"] == (
        "fail_on_changes is true, and there are differences: zone example.com (example.com. NS, which the service owns)."
    )


@pytest.mark.parametrize("check", [True, False])
@named_rows("text, warnings", OTHERWISE)
def test_a_file_that_says_otherwise_is_a_warning(zone, run, text, warnings, check):
    zone.holds(WWW)
    result = of_file(run, text, check=check)
    assert (result["changed"], result["warnings"]) == (False, warnings)
    assert [one["message"] for one in result["service_owned"]] == warnings
    assert zone.calls() == ["GET"]


def test_what_stands_in_the_result(zone, run):
    zone.holds("")
    result = of_file(run, EVIL, prune=True)
    assert result["changed"], "what can be written is written all the same"
    (found,) = result["service_owned"]
    del found["message"]
    assert found == {
        "name": "example.com.",
        "type": "NS",
        "live": {"ttl": 3600, "contents": ["ns1.dns.example.", "ns2.dns.example."]},
        "wanted": {"ttl": None, "contents": ["ns1.evil.example."]},
    }


@pytest.mark.parametrize("check", [True, False])
def test_an_error_is_one_before_anything_is_written(zone, run, check):
    text = f"{SOA.replace('dns', 'evil')}\n{EVIL}\nnew 60 A 192.0.2.9"
    result = of_file(run, text, check=check, service_owned="error")
    out = "; leave it out, or set service_owned to warn"
    assert result["msg"] == (
        f"Zone example.com: {SOA_TOLD} ns1.evil.example. hostmaster.evil.example.{out}; "
        f"{NS_TOLD} ns1.evil.example.{out}; nothing was changed."
    )
    assert (result["changed"], zone.lines()) == (False, [])


@pytest.mark.parametrize(
    "options",
    [
        {"service_owned": "ignore"},
        {"ignore": [{"name": "@", "type": "NS"}], "service_owned": "error"},
        {"ignore": [{"value": "*.evil.example."}], "service_owned": "error"},
    ],
)
def test_what_nobody_wants_to_hear_of(zone, run, options):
    zone.holds(WWW)
    result = of_file(run, EVIL, prune=True, **options)
    assert (result["changed"], result["service_owned"], result.get("warnings")) == (False, [], None)


RECORD = {"name": "@", "type": "NS", "content": ["ns1.evil.example."]}


@pytest.mark.parametrize(
    "module, task", [("dns_record", RECORD), ("dns_records", {"records": [RECORD]})]
)
def test_an_entry_is_refused_unless_the_task_says_otherwise(zone, run, module, task):
    task = {"zone": "example.com", **task}
    message = (
        f"Zone example.com: example.com. NS {OWNED} ns1.dns.example., ns2.dns.example. (TTL 3600), but the task says "
        "ns1.evil.example.; leave it out"
    )
    for option in ({}, {"service_owned": "error"}):
        assert message in run(module, **task, **option)["msg"]
    for option, listed in (("warn", 1), ("ignore", 0)):
        result = run(module, **task, service_owned=option)
        assert result["changed"] is False
        assert len(result["service_owned"]) == len(result.get("warnings", [])) == listed
    assert {*zone.calls()} == {"GET"}


def test_many_zones_are_refused_before_one_is_written(zone, run):
    text = f"{EVIL}\nnew 60 A 192.0.2.9\n"
    files = {"z": {"reason": "it is a folder"}, "z/example.com.zone": {"text": text}}
    refused = run("dns_zones", src="z", _files=files, service_owned="error")
    assert (
        f"nothing was changed. Zone example.com: {NS_TOLD} ns1.evil.example.; leave it out"
        in refused["msg"]
    )
    assert zone.lines() == []
    files["z/example.com.zone"] = {"text": EVIL}
    differs = run("dns_zones", src="z", _files=files, check=True, fail_on_changes=True)
    assert [one["zone"] for one in differs["zones"]] == ["example.com"]
    done = run("dns_zones", src="z", _files=files)
    assert done["warnings"] == [f"Zone example.com: {NS_TOLD} ns1.evil.example."]
