# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone files as nobody would write them, and as RFC 1035, section 5.1, and BIND allow them: one for each seed."""

from __future__ import annotations

import random

ZONE = "example.com."
OWNERS = [
    "www",
    "WWW",
    "a.b",
    "*.dev",
    r"a\.b",
    r"x\065y",
    "_sip._tcp",
    "in",
    "300",
    "mx",
    "@",
    r"\@",
]
TTLS = ["60", "300", "0", "1H", "1h30m", "1w2D3h4M5s", "2147483647"]
CLASSES = ["IN", "in", "CLASS1"]
HOSTS = ["mail", "mail.eu", "mail.example.net.", "Mail.Example.COM.", "@", r"a\.b", r"m\065il"]
PLAIN = [
    "v=spf1",
    "a",
    r"a\;b",
    r"a\ b",
    r"\"x\"",
    r"\065",
    r"\\",
    r"\200",
    "grün",
    r"x=\(",
    "$TTL",
    "@",
]
QUOTED = [
    "",
    " ",
    "a;b",
    "a (b)",
    r"\"x\" y",
    r"\065\000",
    r"\\",
    "v=DMARC1; p=reject",
    "$1",
    "tab\there",
]
MODIFIERS = ["", "", "{0}", "{+2,3}", "{1,4,d}", "{0,3,o}", "{200,0,X}", "{9,4,x}"]


class ZoneFile:
    """The lines of a zone file that BIND takes, by the numbers of *seed*."""

    def __init__(self, seed):
        self.random = random.Random(seed)  # noqa: S311 - the same file each time
        self.lines: list[str] = []
        self.below = "."  # what stands between an owner and the origin's end of it
        self.targets = 0
        self.is_alias = False  # what a line without an owner would belong to
        self._head()
        for _line in range(self.random.randint(3, 14)):
            self._line()

    @property
    def text(self):
        """The file."""
        return "\n".join(self.lines) + self.random.choice(["\n", "\n\n; the end\n"])

    def _some(self, *choices):
        return self.random.choice(choices)

    def _often(self, text, share=0.5):
        return text if self.random.random() < share else ""

    def _head(self):
        """SOA and NS, which BIND asks for, with all the ways in which a TTL can be said, or not."""
        before = self._some("", "", "$TTL 1h", "$TTL 1D ; a day", "first 40 A 192.0.2.1")
        soa_ttl = self._some("", "900 ", "IN ", "IN 15m ", "900 IN ")
        numbers = self._some(
            "1 2 3 4 77", "( 1 ; serial\n 2 3\n\t4 1m ; minimum\n)", "(1 1d 2h 1W 77)"
        )
        after = self._some("", "", "$TTL 20m")
        ns_ttl = self._some("", "", "50 ", "IN ")
        owner = self._some("@", " ") if before != "first 40 A 192.0.2.1" else "@"
        head = [
            before,
            f"@ {soa_ttl}SOA ns1 hostmaster {numbers}",
            after,
            f"{owner} {ns_ttl}NS ns1.example.net.",
        ]
        self.lines += [line for line in head if line]

    def _line(self):
        make = self.random.choice(
            [self._record] * 12
            + [
                self._generate,
                self._generate,
                self._origin,
                self._ttl,
                self._blank,
                self._signature,
            ]
            + [self._alias, self._delegation]
        )
        make()

    def _owner(self):
        owner = self._some(*OWNERS)
        return owner if self.below == "." or owner != "@" else "apex"

    def _ttl_and_class(self):
        ttl, rdclass = self._often(self._some(*TTLS)), self._often(self._some(*CLASSES))
        words = [ttl, rdclass]
        self.random.shuffle(words)
        return self._blanks().join(word for word in words if word)

    def _blanks(self):
        return self._some(" ", " ", "\t", "   ", " \t ")

    def _put(self, owner, rdtype, value):
        if owner and not owner.startswith("$"):
            self.is_alias = rdtype == "CNAME"
        middle = self._ttl_and_class()
        line = (
            owner
            + self._blanks()
            + (middle + self._blanks() if middle else "")
            + rdtype
            + self._blanks()
            + value
        )
        self.lines.append(line + self._some("", "", "", " ", " ; a comment", "\t;x=y"))

    def _record(self):
        owner = self._some(self._owner(), self._owner(), *([] if self.is_alias else [""]))
        rdtype, value = self._value()
        self._put(owner, self._some(rdtype, rdtype, rdtype.lower()), value)

    def _value(self):
        number = self.random.randint
        host = self._some(*HOSTS)
        expression = self._some("!^.*$!sip:x!", "", "!a b!c;d!")
        target = self._some(*HOSTS[:3])
        makers = {
            "A": lambda: f"192.0.2.{number(0, 9)}",
            "AAAA": lambda: self._some("2001:db8::1", "2001:DB8:0::1", "::ffff:192.0.2.1", "2001:db8:0:0:1::"),
            "TXT": self._text,
            "MX": lambda: f"{number(0, 99)} {host}",
            "SRV": lambda: f"0 {number(0, 9)} 5060 {target}",
            "CAA": lambda: self._some('0 issue "ca.example.net"', "128 issue ca", r'0 iodef "a\"b;c"', r'0 issue "\;"'),
            "PTR": lambda: host,
            "HINFO": lambda: self._some("PC Linux", '"a b" "\\"c"', r"\200 x"),
            "NAPTR": lambda: f'1 {number(0, 9)} "u" "E2U+sip" "{expression}" {target}',
            "HTTPS": lambda: self._some("0 mail", "1 . alpn=h2,h3", '1 . alpn="h2" port=8443'),
            "SSHFP": lambda: f"4 2 ( {'12' * 16}\n {'34' * 16} )",
            "TYPE65300": lambda: self._some(r"\# 3 010203", r"\# 0", r"\# 2 ( 01 02 )"),
            "TYPE1": lambda: rf"\# 4 c000020{number(0, 9)}",
        }  # fmt: skip
        rdtype = self.random.choice(["A", "A", "A", "TXT", "TXT", "TXT", *makers])
        return rdtype, makers[rdtype]()

    def _text(self):
        strings = [
            self._some(self._some(*PLAIN), f'"{self._some(*QUOTED)}"')
            for _string in range(self.random.randint(1, 4))
        ]
        if self.random.random() < 0.3:
            between = self._some(" ", "\n", ' ; "\n\t', "\n\n")
            return "(" + self._some("", " ", " ; x\n") + between.join(strings) + " )"
        return " ".join(strings)

    def _place(self):
        return "$" + self._some(*MODIFIERS)

    def _generate(self):
        numbers = self._some("1-3", "0-0", "8-12/2", "10-11", "1-2/5")
        owner = self._some(
            "h$",
            f"h{self._place()}",
            f"{self._place()}.x",
            f"h$-{self._place()}",
            "www",
            r"a\$$",
            "$$x$",
        )
        place = self._place()
        rdtype, value = self.random.choice([
            ("A", "192.0.2.$"),
            ("A", "192.0.2.${5}"),
            ("CNAME", f"x{place}.example.net."),
            ("PTR", f"x{place}"),
            ("TXT", f'"v=x id={place}"'),
            ("TXT", f'"\\"a {place};\\" $$ ${self._some(*MODIFIERS[2:])}"'),
            ("TXT", r'"a\\ \$ \065$; c"'),
            ("MX", f'"10 m{place}"'),
            ("AAAA", "2001:db8::${1,4,x}"),
            ("TYPE1", r'"\# 4 c000020$"') if numbers in {"1-3", "0-0", "1-2/5"} else ("TXT", "x"),
        ])  # fmt: skip
        if rdtype == "CNAME":  # alone at its name, but the only one there
            self.targets += 1
            owner = f"only{self.targets}-$"
        self._put(f"$GENERATE {numbers} {owner}", rdtype, value)

    def _origin(self):
        origin, below = self.random.choice([
            ("example.com.", "."), ("@", None), ("eu.example.com.", "eu"), ("eu", "eu"), ("Example.COM.", "."),
        ])  # fmt: skip
        self.lines.append(
            f"{self._some('$ORIGIN', '$origin')} {origin}{self._often(' ; from here')}"
        )
        self.below = self.below if below is None else below

    def _ttl(self):
        self.lines.append(
            f"{self._some('$TTL', '$ttl')}{self._blanks()}{self._some(*TTLS)}{self._often(' ; x')}"
        )

    def _blank(self):
        self.lines.append(
            self._some(
                "", "  ", "; comment", "  ; comment", "\t", ";; $ORIGIN x", "\t; www A 192.0.2.1"
            )
        )

    def _signature(self):
        self.targets += 1
        owner = f"signed{self.targets}"  # two TTLs of one set would count otherwise for BIND
        covered = self._some("A", "TXT", "SOA")
        ttl = self._often(self._some("70 ", "80 "))
        signature = "13 3 5 20300101000000 20200101000000 1 example.com. AAAA"
        self.is_alias = False
        self.lines.append(f"{owner} {ttl}RRSIG {covered} {signature}")

    def _alias(self):
        self.targets += 1
        self._put(f"only{self.targets}", "CNAME", self._some(*HOSTS))

    def _delegation(self):
        self.targets += 1
        cut = f"cut{self.targets}"
        self._put(cut, "NS", f"ns.{cut}")
        self._put(self._some(cut, ""), "DS", f"1 13 2 {'ab' * 32}")
        self._put(f"ns.{cut}", "A", "192.0.2.53")
