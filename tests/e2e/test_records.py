# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a playbook says is what the DNS server answers, type by type, and it is gone after its removal."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import dns.rdata
import dns.rdataclass
import pytest

ZONE = "types.example"
HASH = "2bb183af5f22588179a53b0a98631fad1a2921182bb183af5f22588179a53b0a"


@dataclasses.dataclass(frozen=True)
class Case:
    """What a playbook says about one record set, and what the server answers: the same, unless told otherwise."""

    id: str
    type: str
    content: Sequence[str]
    name: str = ""
    answers: Sequence[str] = ()
    asks: tuple[str, str] | None = None  # name and type of the query

    @property
    def record(self):
        """What a task says about the record set, whose owner name is one of its own."""
        return {"name": self.name or self.id, "type": self.type, "content": self.content}

    @property
    def query(self):
        """The name and type to ask for."""
        name, rtype = self.asks or (self.name or self.id, self.type)
        return f"{name}.{ZONE}".removeprefix("@."), rtype

    @property
    def expected(self):
        """The values of the answer."""
        _name, rtype = self.query
        texts = self.answers or self.content
        return {dns.rdata.from_text(dns.rdataclass.IN, rtype, text) for text in texts}


CASES = [
    Case("a", "A", ["192.0.2.1", "192.0.2.2"]),
    Case("aaaa", "AAAA", ["2001:DB8:0::1", "2001:db8::2"]),
    Case("aaaa-mapped", "AAAA", ["::ffff:192.0.2.1"]),
    Case("caa", "CAA", ['0 issue "letsencrypt.org; validationmethods=dns-01"', '128 issuewild ";"']),
    Case("cert", "CERT", ["PKIX 1 RSASHA256 " + "MxFc" * 20]),
    Case("cname", "CNAME", ["Target.Example.NET"], answers=["target.example.net."]),
    Case("dname", "DNAME", ["dname.example.net."]),
    Case("ds", "DS", [f"60485 13 2 {HASH.upper()}"]),
    Case("https", "HTTPS", ['1 a.example. mandatory=alpn alpn=h2 no-default-alpn ech="AAT+DQAA"']),
    Case("loc", "LOC", ["52 22 23 N 4 53 32 E -2m 0.00m 100m 10m"]),
    Case("mx", "MX", ["10 mail1.example.net.", "20 mail2.example.net."]),
    Case("mx-null", "MX", ["0 ."]),
    Case("naptr", "NAPTR", ['100 10 "u" "E2U+sip" "!^\\\\+44(.*)$!sip:\\\\1@example.com!" .'],
         answers=['100 10 "u" "e2u+sip" "!^\\\\+44(.*)$!sip:\\\\1@example.com!" .']),
    Case("ns", "NS", ["ns1.example.net.", "ns2.example.net."]),
    Case("openpgpkey", "OPENPGPKEY", ["mQENBFVHm5sBCADs" * 30], name=f"{HASH[:56]}._openpgpkey"),
    Case("ptr", "PTR", ["Host.example.net"], answers=["host.example.net."]),
    Case("smimea", "SMIMEA", [f"3 0 1 {HASH}"], name=f"{HASH[:56]}._smimecert"),
    Case("srv", "SRV", ["0 5 5060 sip.example.net.", "0 0 0 ."], name="_sip._tcp"),
    Case("sshfp", "SSHFP", [f"4 2 {HASH.upper()}", f"4 1 {HASH[:40]}"]),
    Case("svcb", "SVCB", ["1 svc.example.net. alpn=h2 port=8443 key65400=x"], name="_8443._foo"),
    Case("tlsa", "TLSA", ["3 0 0 " + "30820122" * 40], name="_443._tcp"),
    Case("uri", "URI", ['10 1 "https://example.com/path;x?y=1"']),
    Case("alias", "ALIAS", [f"address.{ZONE}."], asks=("alias", "A"), answers=["192.0.2.99"]),
    Case("wildcard", "A", ["192.0.2.7"], name="*.wildcard", asks=("any.thing.wildcard", "A")),
    Case("idn", "CNAME", ["bücher.example."], name="straße", asks=("xn--strae-oqa", "CNAME"),
         answers=["xn--bcher-kva.example."]),
    Case("apex", "TXT", ["v=spf1 mx -all"], name="@", answers=['"v=spf1 mx -all"']),
    Case("empty", "TXT", ['""']),
    Case("quotes", "TXT", ['say "hello" now', '"inside \\" it"'],
         answers=['"say \\"hello\\" now"', '"inside \\" it"']),
    Case("backslashes", "TXT", ["C:\\new\\065", '"back\\\\slash"'],
         answers=['"C:\\\\new\\\\065"', '"back\\\\slash"']),
    Case("semicolons", "TXT", ["v=DKIM1; k=rsa; p=MIGf"], answers=['"v=DKIM1; k=rsa; p=MIGf"']),
    Case("long", "TXT", ["x" * 255 + "y"], answers=[f'"{"x" * 255}" "y"']),
    Case("longest", "TXT", ["z" * 65000], answers=[f'"{"z" * 255}" ' * 254 + f'"{"z" * 230}"']),
    Case("chunks", "TXT", ['"one" "two"'], answers=['"onetwo"']),
    Case("bytes", "TXT", ['"\\000\\127\\255"', "größe ✓"],
         answers=['"\\000\\127\\255"', '"gr\\195\\182\\195\\159e \\226\\156\\147"']),
    Case("spaces", "TXT", ["  two  spaces  ", "tab\tinside"],
         answers=['"  two  spaces  "', '"tab\\009inside"']),
]  # fmt: skip


each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


def values(answer):
    """The values of an answer, or of a referral."""
    return {rdata for rrset in answer.answer or answer.authority for rdata in rrset}


def of_zone(records, zone=ZONE):
    """A task about these records."""
    return {"zonesmith.dns.dns_records": {"zone": zone, "records": records}}


@pytest.fixture(scope="module")
def played(ansible, service, powerdns):
    """The results of a playbook that runs twice, and then removes all; and what the server answered in between."""
    service.zone(ZONE, [("address", "A", 300, ["192.0.2.99"])])
    records = [case.record for case in CASES]
    gone = [{"name": row["name"], "type": row["type"], "state": "absent"} for row in records]
    made = ansible.tasks(of_zone(records), of_zone(records))
    answers = {case.id: values(powerdns.ask(*case.query)) for case in CASES}
    return [*made, *ansible.tasks(of_zone(gone))], answers


@each_case
def test_it_resolves(case, played):
    _results, answers = played
    assert answers[case.id] == case.expected


def test_a_second_run_changes_nothing(played):
    (first, again, _removal), _answers = played
    assert first["changed"], first.get("msg")
    assert not again["failed"], again.get("msg")
    assert (again["changed"], again["summary"]["unchanged"]) == (False, len(CASES))


@each_case
def test_it_is_gone_after_its_removal(case, played, powerdns):
    (_first, _again, removal), _answers = played
    assert removal["changed"], removal.get("msg")
    assert not values(powerdns.ask(*case.query)) & case.expected


def test_an_internationalized_zone_name_and_target(ansible, service, powerdns):
    service.zone("xn--bcher-kva.example")
    rows = [{"name": "straße", "type": "CNAME", "content": "größe.bücher.example"}]
    results = ansible.tasks(
        of_zone(rows, "BÜCHER.example"), of_zone(rows, "xn--bcher-kva.example.")
    )
    assert [result["changed"] for result in results] == [True, False]
    answer = powerdns.ask("xn--strae-oqa.xn--bcher-kva.example", "CNAME").answer[0]
    assert [rdata.to_text() for rdata in answer] == ["xn--gre-6ka8i.xn--bcher-kva.example."]
