# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a playbook says is what the DNS server answers, type by type, and it is gone after its removal."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import dns.message
import dns.rcode
import dns.rdata
import dns.rdataclass
import dns.rdatatype
import pytest

KEPT = "kept.example"
REMOVED = "removed.example"
HASH = "2bb183af5f22588179a53b0a98631fad1a2921182bb183af5f22588179a53b0a"


@dataclasses.dataclass(frozen=True)
class Case:
    """What a playbook says about one record set, and what the server answers: the same, unless told otherwise."""

    id: str
    type: str
    content: Sequence[str]
    name: str = ""
    priority: int | None = None
    answers: Sequence[str] = ()
    asks: tuple[str, str] | None = None  # name and type of the query
    answers_with: str = ""  # type of the answer

    @property
    def owner(self):
        """The relative owner name: one of its own for each case."""
        return self.name or self.id

    def options(self, zone):
        """What a task says about the record set."""
        content = [text.replace("ZONE", zone) for text in self.content]
        priority = {} if self.priority is None else {"priority": self.priority}
        return {"name": self.owner, "type": self.type, "content": content, **priority}

    def query(self, zone):
        """The name and type to ask for."""
        name, rtype = self.asks or (self.owner, self.type)
        return f"{name}.{zone}".removeprefix("@."), rtype

    def expected(self, zone):
        """The values of the answer."""
        rtype = self.answers_with or self.query(zone)[1]
        texts = [text.replace("ZONE", zone) for text in self.answers or self.content]
        return {dns.rdata.from_text(dns.rdataclass.IN, rtype, text) for text in texts}


CASES = [
    Case("a", "A", ["192.0.2.1", "192.0.2.2"]),
    Case("aaaa", "AAAA", ["2001:DB8:0::1", "2001:db8::2"]),
    Case("aaaa-mapped", "AAAA", ["::ffff:192.0.2.1"]),
    Case("caa", "CAA", ['0 issue "letsencrypt.org; validationmethods=dns-01"', '128 issuewild ";"']),
    Case("caa-tag", "CAA", ["0 Issue letsencrypt.org"], answers=['0 issue "letsencrypt.org"']),
    Case("cert", "CERT", ["PKIX 1 RSASHA256 " + "MxFc" * 20]),
    Case("cname", "CNAME", ["Target.Example.NET"], answers=["target.example.net."]),
    Case("cname-relative", "CNAME", ["a"], answers=["a.ZONE."]),
    Case("dname", "DNAME", ["dname.example.net."]),
    Case("dname-below", "DNAME", ["d.example.net."], asks=("x.dname-below", "CNAME"), answers=["x.d.example.net."]),
    Case("ds", "DS", [f"60485 13 2 {HASH.upper()}"]),
    Case("https-alias", "HTTPS", ["0 svc.example.net."]),
    Case("https", "HTTPS", ['1 . alpn="h2,h3" port=8443 ipv4hint=192.0.2.1 ipv6hint=2001:db8::1']),
    Case("https-more", "HTTPS", ['1 a.example. mandatory=alpn alpn=h2 no-default-alpn ech="AAT+DQAA"']),
    Case("loc", "LOC", ["51 30 12.748 N 0 7 39.612 W 0.00m"]),
    Case("loc-sizes", "LOC", ["52 22 23 N 4 53 32 E -2m 0.00m 100m 10m"]),
    Case("mx", "MX", ["mail1.example.net.", "20 mail2.example.net"], priority=10,
         answers=["10 mail1.example.net.", "20 mail2.example.net."]),
    Case("mx-null", "MX", ["0 ."]),
    Case("naptr", "NAPTR", ['100 10 "u" "E2U+sip" "!^\\\\+44(.*)$!sip:\\\\1@example.com!" .',
                            '100 20 "s" "SIP+D2U" "" _sip._udp.example.net.'],
         answers=['100 10 "u" "e2u+sip" "!^\\\\+44(.*)$!sip:\\\\1@example.com!" .',
                  '100 20 "s" "sip+d2u" "" _sip._udp.example.net.']),
    Case("ns", "NS", ["ns1.example.net.", "ns2.example.net."]),
    Case("ns-below", "NS", ["ns1.example.net."], asks=("www.ns-below", "A"), answers_with="NS"),
    Case("openpgpkey", "OPENPGPKEY", ["mQENBFVHm5sBCADs" * 30], name=f"{HASH[:56]}._openpgpkey"),
    Case("ptr", "PTR", ["Host.example.net"], answers=["host.example.net."]),
    Case("smimea", "SMIMEA", [f"3 0 1 {HASH}"], name=f"{HASH[:56]}._smimecert"),
    Case("srv", "SRV", ["0 5 5060 sip.example.net.", "0 0 0 ."], name="_sip._tcp"),
    Case("sshfp", "SSHFP", [f"4 2 {HASH.upper()}", f"4 1 {HASH[:40]}"]),
    Case("svcb", "SVCB", ["1 svc.example.net. alpn=h2 port=8443 key65400=x"], name="_8443._foo"),
    Case("tlsa", "TLSA", [f"3 1 1 {HASH}"], name="_443._tcp"),
    Case("tlsa-whole", "TLSA", ["3 0 0 " + "30820122" * 40], name="_25._tcp"),
    Case("txt", "TXT", ["v=spf1 mx -all"], answers=['"v=spf1 mx -all"']),
    Case("uri", "URI", ['10 1 "https://example.com/path;x?y=1"']),
    Case("alias", "ALIAS", ["address.ZONE."], asks=("alias", "A"), answers=["192.0.2.99"]),
    Case("wildcard", "A", ["192.0.2.7"], name="*.wildcard", asks=("any.thing.wildcard", "A")),
    Case("idn", "CNAME", ["bücher.example."], name="straße", asks=("xn--strae-oqa", "CNAME"),
         answers=["xn--bcher-kva.example."]),
    Case("underscore", "TXT", ['"x"'], name="_under._score"),
    Case("apex", "TXT", ['"apex"'], name="@"),
]  # fmt: skip


each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


def all_at_once(zone, **options):
    """A task about every record set."""
    records = [{**case.options(zone), **options} for case in CASES]
    if options.get("state") == "absent":  # whole sets
        records = [{name: record[name] for name in ("name", "type", "state")} for record in records]
    return {"zonesmith.dns.dns_records": {"zone": zone, "records": records}}


def one_by_one(zone, rows, **options):
    """A task that goes through record sets one by one."""
    return {
        "zonesmith.dns.dns_record": "{{ options | combine(item) }}",
        "vars": {"options": {"zone": zone, **options}},
        "loop": rows,
    }


def values(answer, rtype):
    """The values of a type in an answer, or in a referral."""
    wanted = dns.rdatatype.from_text(rtype)
    return {
        rdata
        for rrset in answer.answer or answer.authority
        if rrset.rdtype == wanted
        for rdata in rrset
    }


@pytest.fixture(scope="module")
def twice(ansible, service):
    """The results of a playbook that runs twice."""
    service.zone(KEPT, [("address", "A", 300, ["192.0.2.99"])])
    return ansible.tasks(all_at_once(KEPT), all_at_once(KEPT))


@pytest.fixture(scope="module")
def removed(ansible, service):
    """The results of a playbook that makes record sets and removes them."""
    service.zone(REMOVED, [("address", "A", 300, ["192.0.2.99"])])
    return ansible.tasks(all_at_once(REMOVED), all_at_once(REMOVED, state="absent"))


class TestEachType:
    @each_case
    def test_it_resolves(self, case, twice, powerdns):
        assert twice[0]["changed"], twice[0].get("msg")
        rtype = case.answers_with or case.query(KEPT)[1]
        assert values(powerdns.ask(*case.query(KEPT)), rtype) == case.expected(KEPT)

    def test_a_second_run_changes_nothing(self, twice):
        assert not twice[1]["failed"], twice[1].get("msg")
        assert (twice[1]["changed"], twice[1]["summary"]["unchanged"]) == (False, len(CASES))

    @each_case
    def test_it_is_gone_after_its_removal(self, case, removed, powerdns):
        made, gone = removed
        assert (made["changed"], gone["changed"]) == (True, True), gone.get("msg")
        answer = powerdns.ask(*case.query(REMOVED))
        rcode = dns.rcode.NOERROR if case.owner == "@" else dns.rcode.NXDOMAIN
        assert (answer.rcode(), answer.answer) == (rcode, [])


@dataclasses.dataclass(frozen=True)
class Text:
    """TXT values as a playbook says them, and the bytes that they are."""

    id: str
    content: Sequence[str]
    answers: set[bytes]


TEXTS = [
    Text("plain", ["v=spf1 mx -all"], {b"v=spf1 mx -all"}),
    Text("word", ["word"], {b"word"}),
    Text("empty", ['""'], {b""}),
    Text(
        "quotes",
        ['say "hello" now', '"inside \\" it"', '"\\"open"'],
        {b'say "hello" now', b'inside " it', b'"open'},
    ),
    Text("backslashes", ["C:\\new\\065", '"back\\\\slash"'], {b"C:\\new\\065", b"back\\slash"}),
    Text("semicolons", ["v=DKIM1; k=rsa; p=MIGf", ";"], {b"v=DKIM1; k=rsa; p=MIGf", b";"}),
    Text("long", ["x" * 255 + "y" * 255 + "z"], {b"x" * 255 + b"y" * 255 + b"z"}),
    Text("longest", ["z" * 65000], {b"z" * 65000}),
    Text("chunks", ['"one" "two"'], {b"onetwo"}),
    Text("non-ascii", ["größe ✓ 日本"], {"größe ✓ 日本".encode()}),
    Text("bytes", ['"\\000\\127\\255"'], {b"\x00\x7f\xff"}),
    Text("spaces", ["  two  spaces  ", "tab\tinside"], {b"  two  spaces  ", b"tab\tinside"}),
    Text("several", ["one", "two", "three"], {b"one", b"two", b"three"}),
]


@pytest.fixture(scope="module")
def texts(ansible, service):
    """The results of a playbook about texts that runs twice."""
    service.zone("texts.example")
    rows = [{"name": text.id, "type": "TXT", "content": text.content} for text in TEXTS]
    return ansible.tasks(one_by_one("texts.example", rows), one_by_one("texts.example", rows))


@pytest.mark.parametrize("text", [pytest.param(text, id=text.id) for text in TEXTS])
class TestEachText:
    def test_it_resolves_byte_for_byte(self, text, texts, powerdns):
        result = texts[0]["results"][TEXTS.index(text)]
        assert result["changed"], result.get("msg")
        answer = powerdns.ask(f"{text.id}.texts.example", "TXT").answer[0]
        assert {b"".join(rdata.strings) for rdata in answer} == text.answers

    def test_a_second_run_changes_nothing(self, text, texts):
        result = texts[1]["results"][TEXTS.index(text)]
        assert not result["failed"], result.get("msg")
        assert not result["changed"]


def test_an_internationalized_zone_name_and_target(ansible, service, powerdns):
    service.zone("xn--bcher-kva.example")
    rows = [{"name": "straße", "type": "CNAME", "content": ["größe.bücher.example"]}]
    results = ansible.tasks(
        one_by_one("BÜCHER.example", rows), one_by_one("xn--bcher-kva.example.", rows)
    )
    assert [result["changed"] for result in results] == [True, False]
    answer = powerdns.ask("xn--strae-oqa.xn--bcher-kva.example", "CNAME").answer[0]
    assert [rdata.to_text() for rdata in answer] == ["xn--gre-6ka8i.xn--bcher-kva.example."]
