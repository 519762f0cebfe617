# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Findings: for each rule a zone that sets it off and a near one that does not; what is new; silence on good files."""

import pathlib
import re
import time

import pytest
from ansible.errors import AnsibleFilterError
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.filter.findings import findings as findings_filter
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import text_in
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_types import TYPES
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.records import record_sets
from ansible_collections.zonesmith.dns.plugins.module_utils._findings.findings import (
    RULES,
    TOPICS,
    Ignored,
    findings,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._findings.rule import Rule

ZONE = "example.com."
REVERSE = "2.0.192.in-addr.arpa."
REVERSE_V6 = "8.b.d.0.1.0.0.2.ip6.arpa."
REPOSITORY = pathlib.Path(__file__).parents[3]
# A team's file is a part of a zone, and those of one mail provider include another.
_OF_GUIDES = (
    path
    for path in REPOSITORY.glob("docs/**/*.zone")
    if not {"one_mail_provider", "teams"} & set(path.relative_to(REPOSITORY).parts)
)
ZONE_FILES = sorted([*(pathlib.Path(__file__).parents[1] / "zone_files").iterdir(), *_OF_GUIDES])
GUIDE = REPOSITORY / "docs" / "guides" / "findings.md"
SENTENCES = pathlib.Path(__file__).with_name("sentences.txt")
HEAD_OF_TABLE = "| Rule | Severity | What it finds |\n|---|---|---|\n"
RSA_768 = (
    "MHwwDQYJKoZIhvcNAQEBBQADawAwaAJhANOZgM35oe0SBETtzPAJo3q+PhlbL+ETJXnBS8OjIBZFc50BBRtwWrxjeQpRHohAL4VTzcLW3G1oSNQAiTDc"
    "UEsPs5fwtwlWolFWAd6mlP0iIRLHnxTVkmTd3ghj5GD60wIDAQAB"
)
RSA_1024 = (
    "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDH1qoiTiMRHh9hg544j005fhUMT1Pjt7iV/+iPe7cf1R36hR01nIuT/QFAW8XgNQHpTOG8oHI6T38W"
    "rnOq8lFJWQQ8E6FWfOqbFMaALHd4vi4mRviLmi5XKi5JWtUE93Nnp4bV3r5bTmM+J9MhDnIGp8GkYqv4KAkS8JUYyEnBLwIDAQAB"
)
ED25519 = "hRgdni4VyQATkdlJcCsiIXkdnmtZT4wSMqOi0ZO64rc="
SPF = '@ TXT "v=spf1 {}"'.format
ADDRESSES = " ".join(["ip4:192.0.2.1"] * 291)
DMARC = '_dmarc TXT "v=DMARC1; {}"'.format
DKIM = 's._domainkey TXT "{}"'.format
CHAIN = "\n".join(f"c{n} CNAME c{n + 1}" for n in range(1, 8))
DELEGATED = "s NS a.example.net.\ns NS b.example.net."
SHA256 = "0d6fce3320a8f7a6e1d0e5e2c5b7a4938271605f4e3d2c1b0a99887766554433"
NIBBLES = "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0"


def sets_of(text, zone=ZONE):
    """The sets of lines of ``<name> [<TTL>] <type> <value>``; a value stands as it is."""
    entries = []
    for line in filter(None, map(str.strip, text.splitlines())):
        name, *rest = line.split(None, 2 if re.match(r"\S+\s+[0-9]+\s", line) is None else 3)
        ttl = {"ttl": rest.pop(0)} if rest[0].isdigit() else {}
        entries.append({"name": name, "type": rest[0], "content": [rest[1]], **ttl})
    return record_sets(entries, zone)


def findings_in(text, zone=ZONE):
    """What is found in these lines; where ``then`` parts them, what the change to the second half brings."""
    before, then, after = text.rpartition("then\n")
    sets = sets_of(after, zone)
    return findings(sets, zone, before=sets_of(before, zone) if then else None)


def found(text, zone=ZONE):
    """What is found, as ``<rule> <relative name> <type>``, sorted."""
    return sorted(
        f"{one.rule.id} {one.key.name.removesuffix(zone).removesuffix('.') or '@'} {one.key.type}"
        for one in findings_in(text, zone)
    )


TABLE = [
    # Hosts
    ("cname-target-missing www CNAME", "www CNAME web", "www CNAME web\nweb A 192.0.2.1"),
    (
        "cname-target-missing www CNAME",
        "www CNAME a.b.example.com.\nb A 192.0.2.1",
        "www CNAME a.b.example.com.\n*.b A 192.0.2.1",
    ),
    (
        "cname-target-missing www CNAME",
        "www CNAME a.b.c.example.com.\n*.c A 192.0.2.1\nx.b.c A 192.0.2.1",
        "www CNAME b.c.example.com.\n*.c A 192.0.2.1",
    ),
    (
        "cname-target-missing www CNAME",
        "www CNAME sub2",
        "www CNAME sub\nsub NS a.example.net.\nsub NS b.example.net.",
    ),
    (
        "cname-target-missing www CNAME",
        "www CNAME a.e.example.com.",
        "www CNAME a.d.example.com.\nd DNAME example.net.",
    ),
    ("cname-target-missing www CNAME", "www CNAME a", "_acme-challenge.www CNAME a"),
    (
        "cname-target-no-address www CNAME",
        "www CNAME a\na TXT x",
        "www CNAME a\na AAAA 2001:db8::1\na TXT x",
    ),
    ("cname-target-no-address www CNAME", "www CNAME a\na TXT x", "_x CNAME a\na TXT x"),
    (
        "cname-target-no-address www CNAME",
        "www CNAME a\na TXT x",
        "www CNAME a\na HTTPS 0 b.example.net.",
    ),
    ("cname-target-no-address www CNAME", "www CNAME @", "www CNAME @\n@ A 192.0.2.1"),
    (
        "cname-target-no-address www CNAME",
        "www CNAME @\n@ MX 0 .",
        "www CNAME @\n@ ALIAS b.example.net.",
    ),
    (
        "cname-loop a CNAME\ncname-loop b CNAME",
        "a CNAME b\nb CNAME a",
        "a CNAME b\nb CNAME c\nc A 192.0.2.1",
    ),
    (
        "cname-loop *.w CNAME",
        "*.w CNAME x.w.example.com.",
        "*.w CNAME x.w.example.com.\nx.w A 192.0.2.1",
    ),
    (
        "\n".join(f"cname-loop c{n} CNAME" for n in range(1, 9)),
        f"{CHAIN}\nc8 CNAME c1",
        f"{CHAIN}\nc8 A 192.0.2.1",
    ),
    (
        "cname-chain c1 CNAME",
        f"{CHAIN}\nc8 CNAME c9\nc9 CNAME d\nd A 192.0.2.1\nb CNAME c3",
        f"{CHAIN}\nc8 A 192.0.2.1\nb CNAME c2",
    ),
    (
        "cname-beside-others a CNAME",
        "a CNAME b.example.net.\na A 192.0.2.1\na AAAA 2001:db8::1",
        "a CNAME b.example.net.\na NSEC b CNAME",
    ),
    (
        "cname-at-apex @ CNAME",
        "@ CNAME b.example.net.",
        "@ ALIAS b.example.net.\nb CNAME b.example.net.",
    ),
    (
        "single-value a CNAME",
        "a CNAME b.example.net.\na CNAME c.example.net.",
        "a CNAME b.example.net.\na CNAME B.example.net.",
    ),
    ("mx-no-address x MX", "x MX 1 mail\nx TXT v=spf1", "x MX 1 mail\nmail A 192.0.2.1"),
    ("mx-no-address x MX", "x MX 1 mail", f"x MX 1 mail.s.example.com.\n{DELEGATED}"),
    (
        "ns-no-address s NS",
        "s NS ns1\ns NS ns.example.net.",
        "s NS ns1\ns NS ns.example.net.\nns1 A 192.0.2.1",
    ),
    (
        "srv-no-address _sip._tcp SRV",
        "_sip._tcp SRV 0 0 5060 a",
        "_sip._tcp SRV 0 0 5060 a\na A 192.0.2.1",
    ),
    ("svcb-no-address @ HTTPS", "@ HTTPS 1 a alpn=h2", "@ HTTPS 1 . alpn=h2\n@ A 192.0.2.1"),
    ("svcb-no-address @ SVCB", "@ SVCB 1 a alpn=h2", "@ SVCB 1 . alpn=h2\n@ A 192.0.2.1"),
    ("svcb-no-address @ HTTPS", "@ HTTPS 0 a", "@ HTTPS 0 a\na HTTPS 1 b.example.net."),
    ("mx-cname x MX", "x MX 1 m\nm CNAME a\na A 192.0.2.1", "x MX 1 a\nm CNAME a\na A 192.0.2.1"),
    (
        "ns-cname s NS",
        "s NS n\ns NS b.example.net.\nn CNAME a\na A 192.0.2.1",
        "s NS a\ns NS b.example.net.\na A 192.0.2.1",
    ),
    (
        "srv-cname _x._tcp SRV",
        "_x._tcp SRV 0 0 1 m\nm CNAME a\na A 192.0.2.1",
        "_x._tcp SRV 0 0 1 a\nm CNAME a\na A 192.0.2.1",
    ),
    (
        "mx-host-twice x MX",
        "x MX 10 m.example.net.\nx MX 20 m.example.net.",
        "x MX 10 m.example.net.\nx MX 10 n.example.net.",
    ),
    ("null-mx-beside-others x MX", "x MX 0 .\nx MX 10 a.example.net.", "x MX 0 ."),
    ("host-wildcard a CNAME", "a CNAME *.x.example.net.", "a CNAME x*.example.net."),
    (
        "doubled-zone www.example.com A",
        "www.example.com.example.com. A 192.0.2.1",
        "www.example.com A 192.0.2.1",
    ),
    (
        "doubled-zone a CNAME",
        "a CNAME b.example.com.example.com.\n* A 192.0.2.1",
        "a CNAME b\n* A 192.0.2.1",
    ),
    ("owner-not-host <x> A", "<x> A 192.0.2.1", "_x-1 A 192.0.2.1"),
    (r"owner-not-host a\@b MX", r"a\@b MX 1 a.example.net.", r"a\@b TXT x"),
    ("owner-not-host a,b A", "a,b A 192.0.2.1", "bücher A 192.0.2.1\nx* A 192.0.2.1"),
    ("wildcard-inside a.* A", "a.* A 192.0.2.1", "*.a A 192.0.2.1\n* A 192.0.2.1\n@ A 192.0.2.1"),
    ("wildcard-inside *.*.b CNAME", "*.*.b CNAME a.example.net.", "*.b CNAME a.example.net."),
    ("owner-not-host -bad A", "-bad A 192.0.2.1", "b-a--d A 192.0.2.1"),
    ("owner-not-host *.-bad MX", "*.-bad MX 1 a.example.net.", "xn--bcher-kva MX 1 a.example.net."),
    *(
        (f"wildcard-hidden {name}", f"{wild}\nthen\n{wild}\n{bad}", f"{wild}\nthen\n{wild}\n{good}")
        for name, wild, bad, good in (
            ("b.a TXT", "*.a A 192.0.2.1", "b.a TXT x", "b.a A 192.0.2.2\nb.a TXT x\n_b.a TXT x"),
            (
                "_x.b.a TXT",
                "*.a A 192.0.2.1",
                "_x.b.a TXT x",
                "_x.b.a TXT x\nb.a CNAME a.example.net.",
            ),
            ("c.b.a A", "*.a A 192.0.2.1", "c.b.a A 192.0.2.2", "a A 192.0.2.2\nc.b A 192.0.2.2"),
            (
                "b.a TXT",
                "*.a CNAME b.example.net.",
                "b.a TXT x",
                "b.a ALIAS a.example.net.\n@ TXT x",
            ),
            (
                "b TXT",
                "* ALIAS b.example.net.\nc A 192.0.2.1",
                "b TXT x",
                "b AAAA 2001:db8::1\nc TXT x",
            ),
            ("b A", "* A 192.0.2.1\n* MX 0 .", "b A 192.0.2.2", DELEGATED),
        )
    ),
    (
        "wildcard-hidden b TXT",
        "* A 192.0.2.1\nthen\n* A 192.0.2.1\nb TXT x",
        "then\n* A 192.0.2.1\nb TXT x",
    ),
    # Delegations and DNAMEs
    (
        "no-glue s NS",
        "s NS ns.s.example.com.\ns NS a.example.net.",
        "s NS ns.s.example.com.\ns NS a.example.net.\nns.s A 192.0.2.1",
    ),
    (
        "no-glue s NS",
        "s NS ns.s.example.com.\ns NS a.example.net.\n*.s A 192.0.2.1",
        "s NS s\ns NS a.example.net.\ns A 192.0.2.1",
    ),
    (
        "no-glue s NS",
        "s NS ns.s.example.com.\ns NS a.example.net.\nt.s NS ns.t.s.example.com.\nt.s NS a.example.net.",
        f"{DELEGATED}\nt.s NS ns.t.s.example.com.",
    ),
    ("no-glue s NS", "s NS ns.s.example.com.\ns NS ns.xs.example.com.", "s NS a.example.net."),
    (
        "below-delegation a.s TXT",
        f"{DELEGATED}\na.s TXT x",
        "s NS ns.s.example.com.\ns NS b.example.net.\nns.s A 192.0.2.1",
    ),
    (
        "below-delegation s MX",
        f"{DELEGATED}\ns MX 1 a.example.net.",
        f"{DELEGATED}\ns DS 1 8 2 {SHA256}",
    ),
    (
        "below-delegation x.s A",
        f"{DELEGATED}\nx.s A 192.0.2.1",
        f"{DELEGATED}\nxs A 192.0.2.1",
    ),
    (
        "below-dname a.d A",
        "d DNAME b.example.net.\na.d A 192.0.2.1",
        "d DNAME b.example.net.\nd A 192.0.2.1",
    ),
    (
        "ds-without-delegation s DS",
        "s DS 1 8 2 " + SHA256,
        f"{DELEGATED}\ns DS 1 8 2 {SHA256}",
    ),
    ("ds-without-delegation @ DS", "@ DS 1 8 2 " + SHA256, "@ CDS 1 8 2 " + SHA256),
    # SPF
    (
        "spf-several @ TXT",
        SPF("-all") + "\n" + SPF("mx -all"),
        SPF("-all") + "\n@ TXT other\nwww TXT v=spf1 -all",
    ),
    (
        "spf-several @ TXT",
        SPF("-all") + '\n@ TXT "V=SPF1 -all"',
        SPF("-all") + '\n@ TXT "v=spf10 -all"',
    ),
    *(
        ("spf-syntax @ TXT", SPF(f"{bad} -all"), SPF(f"{good} -all"))
        for bad, good in (
            ("ip4:192.0.2", "ip4:192.0.2.0"),
            ("exists:a.example.net/24", "exists:a.example.net"),
            ("all/24", "mx/24"),
            ("ip4:192.0.2.0/33", "ip4:192.0.2.0/32"),
            ("ip4:2001:db8::1", "ip6:2001:db8::1"),
            ("ip4:192.0.2.0/", "ip4:192.0.2.0/24"),
            ("ip6:2001:db8::/129", "ip6:2001:db8::/128"),
            ("include", "include:a.example.net"),
            ("include:", "INCLUDE:a.example.net."),
            ("include:localhost", "include:_x.example.net"),
            ("a:192.0.2.1", "a:a.example.net"),
            ("a/33", "a/32"),
            ("mx//129", "mx/24//64"),
            ("exists:%{i.example.net", "exists:%{ir}.%{l1r-}.example.net"),
            ("alll", "unknown=modifier"),
            ("a;", "a"),
            ("exp=a.example.net exp=b.example.net", "exp=a.example.net"),
            ("redirect=localhost", "exp=%{d}"),
        )
    ),
    ("spf-not-seen @ TXT", "@ TXT v=spf1;mx -all", "@ TXT v=spf1 mx -all"),
    ("spf-not-seen @ TXT", '@ TXT " v=spf1 -all"', '@ TXT "see v=spf1 -all"'),
    *[
        ("spf-not-seen @ TXT", f"@ TXT {bad}", "@ TXT v=spf1 mx -all")
        for bad in (
            "\u201cv=spf1 mx -all\u201d",
            "v=spf1\u00a0-all",
            '"v=spf 1 -all"',
            '"&quot;v=spf1 -all&quot;"',
            '"@ 300 IN TXT v=spf1 -all"',
        )
    ],
    ("spf-not-seen @ TXT", "@ TXT v=spf2 -all", "@ TXT v=spf20 -all"),
    ("spf-not-seen @ TXT", "@ TXT spf1 mx -all", "@ TXT spf10 mx -all"),
    (
        "spf-blank @ TXT",
        SPF('include:a.net" "include:b.net -all'),
        SPF('include:a.net " "include:b.net -all'),
    ),
    *[
        ("spf-blank @ TXT", SPF(bad), SPF(good))
        for bad, good in (
            ("include:a.net-all", "include:a-all.net -all"),
            ("a:a.netinclude:b.net ~all", "a:include.net ~all"),
            ("include:a.netredirect=b.net", "include:a.net redirect=b.net"),
        )
    ],
    (
        "spf-lookups @ TXT",
        SPF("a " * 11 + "-all"),
        SPF("a " * 10 + "ip4:192.0.2.1 -all a"),
    ),
    (
        "spf-lookups @ TXT",
        SPF("include:b.example.com mx -all") + "\nb TXT v=spf1 " + "a " * 9 + "-all\nb A 192.0.2.1",
        SPF("include:b.example.com mx -all") + "\nb TXT v=spf1 " + "a " * 8 + "-all\nb A 192.0.2.1",
    ),
    ("spf-lookups @ TXT", SPF("redirect=example.com"), SPF("redirect=example.net")),
    (
        "spf-include-missing @ TXT",
        SPF("include:b.example.com include:c.example.com -all") + "\nb TXT v=spf1 -all",
        SPF("include:B.Example.COM. include:%{i}.example.com -all") + "\nb TXT v=spf1 -all",
    ),
    (
        "spf-include-missing @ TXT",
        SPF("redirect=b.example.com"),
        SPF("redirect=b.example.com") + "\nb CNAME spf.example.net.",
    ),
    ("spf-all-pass @ TXT", SPF("+all"), SPF("~all")),
    ("spf-all-pass @ TXT", SPF("mx all"), SPF("mx ?all")),
    ("spf-after-all @ TXT", SPF("-all mx"), SPF("mx -all exp=a.example.net")),
    ("spf-after-all @ TXT", SPF("-all redirect=a.example.net"), SPF("mx redirect=a.example.net")),
    ("spf-equals @ TXT", SPF("include=a.example.net -all"), SPF("include:a.example.net -all")),
    ("spf-ptr @ TXT", SPF("ptr -all"), SPF("a -all")),
    ("spf-long @ TXT", SPF(f"{ADDRESSES} a:a.example -all"), SPF(f"{ADDRESSES} a:a.exampl -all")),
    (
        "spf-open-end @ TXT",
        SPF(f"{ADDRESSES} mx:ab.example.x"),
        SPF(f"{ADDRESSES} a:a.exampl -all"),
    ),
    ("spf-type @ SPF", "@ SPF v=spf1 -all", "@ SPF v=spf1 -all\n@ TXT v=spf1 -all"),
    ("spf-open-end @ TXT", SPF("mx"), SPF("mx -all")),
    # DMARC, DKIM, mail
    (
        "dmarc-several _dmarc TXT",
        DMARC("p=none") + "\n" + DMARC("p=reject"),
        DMARC("p=none") + "\n_dmarc TXT other",
    ),
    (
        "dmarc-not-seen _dmarc TXT",
        '_dmarc TXT "p=none; v=DMARC1"',
        '_dmarc TXT "v = DMARC1 ; p=none"',
    ),
    (
        "dmarc-not-seen dmarc TXT",
        'dmarc TXT "v=DMARC1; p=none"',
        'a._d TXT "v=DMARC1; p=none"\ndmarc TXT x',
    ),
    ("dmarc-not-seen @ TXT", '@ TXT "v=DMARC1; p=none"', '@ TXT "see v=DMARC1"'),
    ("dmarc-policy _dmarc TXT", DMARC("p=rejct"), DMARC("p=Reject")),
    (
        "dmarc-no-policy _dmarc TXT",
        DMARC("rua=mailto:a@example.net"),
        "example.net._report._dmarc TXT v=DMARC1",
    ),
    *(
        ("dmarc-tag _dmarc TXT", DMARC(f"p=none; {bad}"), DMARC(f"p=none; {good}"))
        for bad, good in (
            ("sp=non", "sp=none"),
            ("pct=101", "pct=100"),
            ("fo=2", "fo=1:d:s"),
            ("ri=1h", "ri=3600"),
            ("rua=a@example.net", "rua=mailto:a@example.net!10m,mailto:b@example.net"),
            ("rau=mailto:a@example.net", "ruf=mailto:a@example.net"),
            ("p=none", "np=reject"),
            ("aspf", "aspf=r"),
            ("rf=x", "rf=afrf:iodef afrf"),
            ("ri=²", "pct=0;"),
            ("np=x", "aspf=s; fo=0; np=quarantine; psd=y; t=n"),
            ("=x", "psd=u; rf=AFRF"),
        )
    ),
    ("dmarc-tag _dmarc TXT", '_dmarc TXT "v=dmarc1; p=none"', DMARC("p=none")),
    ("dkim-key s._domainkey TXT", DKIM(f"v=DKIM1; p={RSA_768}"), DKIM("v=DKIM1; p=")),
    ("dkim-key s._domainkey TXT", DKIM(f"p={ED25519}"), DKIM("t=y; o=~")),
    (
        "dkim-not-seen s._domainkey TXT",
        f"s._domainkey TXT \u201cv=DKIM1; k=ed25519; p={ED25519}\u201d",
        DKIM(f" v=DKIM1; k=ed25519; p={ED25519}"),
    ),
    ("dkim-not-seen s._domainkey TXT", "s._domainkey TXT 'v=DKIM1", '_domainkey TXT "\'v=DKIM1"'),
    (
        "dkim-not-seen s.domainkey TXT",
        's.domainkey TXT "v=DKIM1; p="',
        's.dkim TXT "v=DKIM1; p="\ns.domainkey TXT x',
    ),
    (
        "dkim-several s._domainkey TXT",
        DKIM("p=") + "\n" + DKIM(f"k=ed25519; p={ED25519}"),
        DKIM("p=") + "\n" + DKIM("other"),
    ),
    ("dkim-short s._domainkey TXT", DKIM(f"v=DKIM1; p={RSA_1024}"), DKIM("v=DKIM1; p=")),
    ("mail-no-spf x MX", "x MX 1 a.example.net.", "x MX 1 a.example.net.\nx TXT v=spf1 mx -all"),
    ("mail-no-spf x MX", "x MX 1 a.example.net.\nx TXT x", "x MX 0 ."),
    (
        "mail-no-dmarc @ MX",
        "@ MX 1 a.example.net.\n@ TXT v=spf1 -all",
        "@ MX 1 a.example.net.\n@ TXT v=spf1 -all\n_dmarc CNAME a.example.net.",
    ),
    # Values
    ("address-unusable a A", "a A 0.0.0.0", "a A 1.0.0.1"),
    ("address-unusable a A", "a A 239.1.2.3", "a A 223.255.255.1"),
    ("address-unusable a AAAA", "a AAAA ::ffff:192.0.2.1", "a AAAA 64:ff9b::192.0.2.1"),
    (
        "address-local a A",
        "a A 127.0.0.1",
        "localhost A 127.0.0.1\nlocalhost AAAA ::1\n2.0.0.127 A 127.0.0.2",
    ),
    *(
        ("address-private a A", f"a A {bad}", f"a A {good}")
        for bad, good in (
            ("172.16.0.1", "172.15.0.1"),
            ("172.31.255.1", "172.32.0.1"),
            ("100.64.0.1", "100.63.0.1"),
            ("100.127.0.1", "100.128.0.1"),
        )
    ),
    ("ttl-zero a A", "a 0 A 192.0.2.1", "a 1 A 192.0.2.1"),
    ("ttl-long a A", "a 604801 A 192.0.2.1", "a 604800 A 192.0.2.1"),
    (
        "caa-critical @ CAA",
        '@ CAA 0 issue ";"\n@ CAA 128 tbs "x"',
        '@ CAA 128 issue "ca.example.net"',
    ),
    (
        "caa-unknown @ CAA",
        '@ CAA 0 issue ";"\n@ CAA 0 issues "x"',
        '@ CAA 0 issue ";"\n@ CAA 0 issuemail ";"',
    ),
    (
        "caa-value @ CAA",
        '@ CAA 0 issue "https://ca.example.net"',
        '@ CAA 0 issue " ca.example.net ; validationmethods=dns-01"',
    ),
    ("caa-value @ CAA", '@ CAA 0 issue "ca.example.net."', '@ CAA 0 issuewild ";"'),
    (
        "caa-value @ CAA",
        '@ CAA 0 issue ";"\n@ CAA 0 iodef "a@example.net"',
        '@ CAA 0 issue ";"\n@ CAA 0 iodef "mailto:a@example.net"',
    ),
    ("caa-value @ CAA", '@ CAA 1 issue ";"', '@ CAA 128 issue ""'),
    ("caa-no-issuer @ CAA", '@ CAA 0 contactphone "1"', '@ CAA 0 issuevmc ";"'),
    *(
        (
            "ds-old s DS",
            f"{DELEGATED}\ns DS {bad}",
            f"{DELEGATED}\ns DS 1 8 2 {SHA256}\ns DS 1 13 2 {SHA256}",
        )
        for bad in (
            *(f"1 {old} 2 {SHA256}" for old in (1, 3, 5, 6, 7)),
            f"1 8 1 {SHA256[:40]}",
        )
    ),
    (
        "srv-name _sip.tcp SRV",
        "_sip.tcp SRV 0 0 1 a.example.net.",
        "_a._tcp.dc SRV 0 0 1 a.example.net.\n*._tcp SRV 0 0 0 .",
    ),
    (
        "misspelled-type www TXTT",
        "www TXTT x",
        "www TXT x",
    ),
    (
        "unknown-type www URL",
        "www URL https://www.example.net/",
        "w0 ALIAS x\nw1 ANAME x\nw2 LUA x",
    ),
    (
        "unknown-type www BOGUS",
        "www BOGUS x",
        "www TYPE65300 \\# 1 00\nx RESINFO qnamemin\ny WALLET x y",
    ),
]

REVERSE_TABLE = [
    ("ptr-in-arpa 1 PTR", "1 PTR server1", "b._dns-sd._udp PTR @", REVERSE),
    ("ptr-one-label 1 PTR", "1 PTR server1.", "1 PTR localhost.", REVERSE),
    ("ptr-owner 256 PTR", "256 PTR a.example.com.", "255 PTR a.example.com.", REVERSE),
    (
        "ptr-owner 192.0.2.1 PTR",
        "192.0.2.1 PTR a.example.com.",
        "1.0/25 PTR a.example.com.",
        REVERSE,
    ),
    (
        "ptr-owner 1 PTR",
        "1 PTR a.example.com.",
        "1.0 PTR a.example.com.\n@ PTR a.example.com.",
        "0.192.in-addr.arpa.",
    ),
    (
        "ptr-owner 1.0 PTR",
        "1.0 PTR a.example.com.",
        f"{NIBBLES} PTR a.example.com.\n* PTR a.example.com.",
        REVERSE_V6,
    ),
    (
        "ptr-owner 2001:db8::1 PTR",
        "2001:db8::1 PTR a.example.com.",
        "x PTR a.example.com.",
        REVERSE_V6,
    ),
    (
        "ptr-several 1 PTR",
        "1 PTR a.example.com.\n1 PTR b.example.com.",
        "1 PTR a.example.com.",
        REVERSE,
    ),
    ("ptr-in-arpa 1 PTR", "1 PTR a", "1 PTR b\nb A 192.0.2.1", REVERSE),
]
ROWS = [(*row, ZONE) for row in TABLE] + REVERSE_TABLE


@pytest.mark.parametrize(
    "expected, bad, good, zone",
    [pytest.param(*row, id=f"{n}-{row[0].split()[0]}") for n, row in enumerate(ROWS)],
)
def test_each_rule(expected, bad, good, zone):
    rule = f"{expected.split()[0]} "
    assert [line for line in found(bad, zone) if line.startswith(rule)] == expected.splitlines()
    assert [line for line in found(good, zone) if line.startswith(rule)] == []
    assert all(one.rule.severity != "error" for one in findings_in(good, zone))


def guide_from_the_rules():
    """The guide with the rows of its tables as the tables of the rules have them."""
    before, *tables = GUIDE.read_text(encoding="utf-8").split(HEAD_OF_TABLE)
    text = before
    for topic, table in zip(TOPICS, tables, strict=True):
        rows = [f"| `{rule.id}` | {rule.severity} | {rule.sentence} |\n" for rule in topic]
        text += HEAD_OF_TABLE + "".join(rows) + re.sub(r"\A(\|.*\n)*", "", table)
    return text


def sentences_of_rows():
    """What the rules say of the zones that set them off, in the order of the rows, below the head of the file."""
    rows = {
        f"{one.rule.id}: {one.message}": None
        for _expected, bad, _good, zone in ROWS
        for one in findings_in(bad, zone)
    }
    head = [
        line for line in SENTENCES.read_text(encoding="utf-8").splitlines() if line.startswith("#")
    ]
    return "\n".join([*head, *rows, ""])


def test_what_the_rules_say_of_these_zones():
    kept = SENTENCES.read_text(encoding="utf-8").splitlines()
    assert sentences_of_rows().splitlines() == kept, "run make findings, and read what has changed"


def test_the_guide_has_each_rule_as_it_is():
    guide = GUIDE.read_text(encoding="utf-8")
    assert guide_from_the_rules().splitlines() == guide.splitlines(), "run make findings"


def test_the_worst_comes_first_and_names_are_in_the_order_of_zones():
    text = "b 0 A 10.0.0.1\nc.a 0 A 192.0.2.1\na.b 0 A 192.0.2.1\nb.c 0 A 192.0.2.1\nz CNAME y\nb 0 AAAA 2001:db8::1"
    assert [
        f"{one.rule.id} {one.key.name} {one.key.type}" for one in findings(sets_of(text), ZONE)
    ] == [
        "cname-target-missing z.example.com. CNAME",
        "ttl-zero c.a.example.com. A",
        "ttl-zero b.example.com. A",
        "ttl-zero b.example.com. AAAA",
        "ttl-zero a.b.example.com. A",
        "ttl-zero b.c.example.com. A",
        "address-private b.example.com. A",
    ]


def test_every_rule_has_its_rows():
    assert {row[0].split()[0] for row in ROWS} == {rule.id for rule in RULES}


def zone_of(path):
    """The zone of one of the files: its name, or that which the tests of zone files use."""
    return path.stem if "." in path.stem else {"reverse": REVERSE}.get(path.stem, ZONE)


def test_what_the_zone_file_of_each_style_says():
    """Nothing that is wrong is said of what is right; what is said is true."""
    found = {
        (path.stem, finding["rule"])
        for path in ZONE_FILES
        for finding in findings_filter(path.read_text(encoding="utf-8"), zone_of(path))
        if finding["severity"] != "info"
    }
    assert found == {("ttl_units_blank_owners", "ttl-zero")}
    assert len(ZONE_FILES) > 7


def test_each_loop_and_chain_is_told_once():
    text = "a CNAME b\nb CNAME c\nc CNAME b\nx CNAME a\n" + "\n".join(
        f"d{n} CNAME d{n + 1}" for n in range(1, 12)
    )
    assert found(f"{text}\nd12 A 192.0.2.1") == [
        "cname-chain d1 CNAME",
        "cname-chain d2 CNAME",
        "cname-chain d3 CNAME",
        "cname-loop b CNAME",
        "cname-loop c CNAME",
    ]


def test_a_delegation_wins_over_a_dname_at_its_name():
    text = "d DNAME a.example.net.\nd NS ns.d.example.com.\nd NS a.example.net.\nns.d A 192.0.2.1"
    assert found(text) == ["below-delegation d DNAME"]


@pytest.mark.parametrize(
    "value, text",
    [
        ('"one" "two"', "onetwo"),
        (r'"x\" " "y"', 'x" y'),
        (r'"\195\188" "\\"', "\u00fc\\"),
        (r'"\195\188\200"', "\u00c3\u00bc\u00c8"),
        ("not quoted", "not quoted"),
        ('"\u4e2d\\065"', "\u4e2dA"),
    ],
)
def test_the_text_of_a_value(value, text):
    assert text_in(value) == text


DIGITS = "9" * 5000
HOSTILE = [
    "²",
    "1 ² 1 ab",
    "٣ ٣ ٣ ab",
    DIGITS,
    f"1 {DIGITS} {DIGITS} ab",
    "\ud800",
    "-1",
    f'{DIGITS} issue "x"',
    f"10 {DIGITS}.",
    "v=DKIM1; k=rsa; p=²",
    "v=spf1² -all",
    "1e5",
    "1_0 1 1 ab",
    f"v=DMARC1; p=none; pct=²; ri=²; rua=x!{DIGITS}",
    f"v=spf1 a/² ip4:192.0.2.1/² mx//{DIGITS} ip4:192.0.2.1/{DIGITS} -all",
    "\\# 4 00",
    "",
    " ",
    ".",
    '"',
    "\\",
    "\0",
    "\\300",
    "v=spf1",
    "v=spf1 a:%{",
    "v=DMARC1;",
]
HOSTILE_NAMES = (
    "@",
    "x",
    "_dmarc",
    "s._domainkey",
    "_443._tcp",
    "².2",
    f"{DIGITS}.1",
    "٣",
    "*",
    "x.",
    "a\\",
)


@pytest.mark.parametrize("zone", [ZONE, REVERSE, REVERSE_V6])
@pytest.mark.parametrize("rdtype", [*TYPES, "TYPE7"])
def test_whatever_a_zone_holds_is_looked_over(rdtype, zone):
    """As a service may show it: no rule fails, and what it says can be shown."""
    for name in HOSTILE_NAMES:
        owner = zone if name == "@" else f"{name}.{zone}"
        for value in HOSTILE:
            one = RecordSet(owner, rdtype, 0, (value, f'"{value}"'))
            for each in findings({one.key: one}, zone):
                assert each.rule.id != "rule-failed", (owner, value)
                assert each.message.isprintable(), (owner, value)


def test_a_rule_that_fails_is_named(monkeypatch):
    def fails(_view):
        yield Key(ZONE, "MX"), "it was told before it failed"
        raise RecursionError

    broken = Rule("broken", "error", "RFC 1", "It fails.", fails)
    monkeypatch.setattr(
        "ansible_collections.zonesmith.dns.plugins.module_utils._findings.findings.RULES",
        (broken, *RULES),
    )
    sets = sets_of("@ MX 10 x")
    expected = ["mail-no-dmarc", "mail-no-spf", "mx-no-address", "rule-failed"]
    assert sorted(one.rule.id for one in findings(sets, ZONE)) == expected
    (told,) = findings(sets, ZONE, before=sets)
    assert told.message.startswith("the rule broken failed, so its findings are missing")
    without = findings(sets, ZONE, Ignored((("broken", "*"),)))  # which is not asked at all
    assert sorted(one.rule.id for one in without) == expected[:-1]


INCLUDES = "\n".join(f"s{n} TXT v=spf1 include:s{n + 1}.example.com -all" for n in range(3000))
MESH = " ".join(f"include:s{n}.example.com" for n in range(1500))
LONG = {
    "a chain of includes": f"{INCLUDES}\ns3000 TXT v=spf1 -all",
    "records that include each other": "\n".join(
        f"s{n} TXT v=spf1 {MESH} -all" for n in range(500)
    ),
    "records at one name": "\n".join(
        f"@ TXT v=spf1 include:example.com ip4:192.0.2.1/{n} -all" for n in range(9000)
    ),
    "a chain of aliases": "\n".join(f"a{n} CNAME a{n + 1}" for n in range(5000)),
    "names of many labels": "\n".join(
        f"{'a.' * 115}b{n} CNAME {'c.' * 110}example.com." for n in range(300)
    ),
}


@named_rows("text", LONG)
def test_nothing_takes_for_ever(text):
    begin = time.process_time()
    assert isinstance(found(text), list)
    assert time.process_time() - begin < 20


def test_a_chain_of_includes_is_counted_from_each_of_its_ends():
    text = (
        "\n".join(f"s{n} TXT v=spf1 include:s{n + 1}.example.com -all" for n in range(13))
        + "\ns13 TXT v=spf1 -all"
    )
    assert found(text) == ["spf-lookups s0 TXT", "spf-lookups s1 TXT", "spf-lookups s2 TXT"]
    assert found(
        "a TXT v=spf1 include:b.example.com -all\nb TXT v=spf1 include:a.example.com -all"
    ) == [
        "spf-lookups a TXT",
        "spf-lookups b TXT",
    ]


# What a plan brings


def test_only_what_was_not_there_before_is_new():
    before = sets_of("www CNAME web\nold 0 A 192.0.2.1\nsoon CNAME gone\ngone A 192.0.2.1")
    after = sets_of("www CNAME web\nold 0 A 192.0.2.1\nsoon CNAME gone\nold 0 AAAA 2001:db8::1")
    new = [(one.rule.id, *one.key) for one in findings(after, ZONE, before=before)]
    assert new == [
        ("cname-target-missing", "soon.example.com.", "CNAME"),
        ("ttl-zero", "old.example.com.", "AAAA"),
    ]
    assert findings(before, ZONE, before=after) == []
    assert findings(after, ZONE, before=after) == []


# The filter

BROKEN = """$TTL 300
@ IN SOA ns1.example.net. h.example.com. 1 2 3 4 5
; a comment
www IN CNAME web
x IN MX 0 .
  IN MX 10 a.example.net.
bücher 0 IN A 192.0.2.1
"""


def test_the_filter_tells_the_line():
    first, *others = findings_filter(BROKEN, "example.com")
    assert first == {
        "rule": "cname-target-missing",
        "severity": "error",
        "name": "www.example.com.",
        "type": "CNAME",
        "message": "web.example.com. is in this zone but has no records",
        "source": "RFC 1034, section 3.6.2",
        "line": 4,
    }
    assert [(one["rule"], one["line"]) for one in others] == [
        ("null-mx-beside-others", 5),
        ("ttl-zero", 7),
    ]


@pytest.mark.parametrize(
    "ignore, left",
    [
        ([{"rule": "cname-*", "name": "www"}], {"null-mx-beside-others", "ttl-zero"}),
        (
            [{"rule": "ttl-zero", "name": "www"}],
            {"cname-target-missing", "null-mx-beside-others", "ttl-zero"},
        ),
        ({"rule": "[cnt]*"}, set()),
    ],
)
def test_what_is_ignored(ignore, left):
    assert {
        finding["rule"] for finding in findings_filter(BROKEN, "example.com", ignore=ignore)
    } == left


RECORDS = [
    {"name": "www", "type": "cname", "content": "web"},
    {"name": "web", "type": "A", "state": "absent"},
    {"type": "MX", "value": ["mail"], "priority": 10},
]


def test_entries_are_as_dns_records_takes_them():
    found = findings_filter(RECORDS, "Example.COM.")
    assert [(one["rule"], one["name"]) for one in found if one["severity"] == "error"] == [
        ("mx-no-address", "example.com."),
        ("cname-target-missing", "www.example.com."),
    ]
    assert findings_filter({"zone": "example.com", "records": RECORDS}, "example.com") == found
    assert findings_filter("", "example.com") == []


ERRORS = {
    "a number": (
        7,
        "findings takes the text of a zone file, a list of record sets, or a zone of dns_zone_info",
    ),
    "another zone": (
        {"name": "example.net", "records": []},
        "Zone example.com: the records are those of example.net",
    ),
    "a zone without records": (
        {"name": "example.com", "slug": "examplecom"},
        "Zone example.com: there are no records: when you use dns_zone_info, set zone, or set records to true",
    ),
}


@named_rows("given_input, message", ERRORS)
def test_errors(given_input, message):
    with pytest.raises(AnsibleFilterError) as raised:
        findings_filter(given_input, "example.com")
    assert str(raised.value) == message


@pytest.mark.parametrize(
    "ignore, message",
    [
        (
            "ttl-zero",
            "findings takes ignore as a list of dictionaries with globs for rule and name",
        ),
        (
            [{"rules": "ttl-zero"}],
            "findings takes ignore as a list of dictionaries with globs for rule and name",
        ),
        ([{"rule": "ttl-nil"}], "ignore names ttl-nil, but there is no such rule"),
    ],
)
def test_errors_of_ignore(ignore, message):
    with pytest.raises(AnsibleFilterError) as raised:
        findings_filter("", "example.com", ignore)
    assert str(raised.value) == message
