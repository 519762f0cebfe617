# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports that the tests open: one with something of everything, one as large as they get, one from an attacker."""

from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.model import (
    Hidden,
    Place,
    Report,
    Run,
)
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.outcomes import (
    Failure,
    Outcome,
)

TASK = "Keep every zone as its file says"
FINDING = ("rule", "severity", "name", "type", "message", "source")

ATTACKS = (
    "<script>document.title = 'pwned'; window.pwned = 1</script>",
    "<img src=x onerror=\"window.pwned = 1\"><svg onload='window.pwned = 1'>",
    '" autofocus onfocus="window.pwned = 1" onmouseover="window.pwned = 1" x="',
    "</pre></details></style></script><iframe srcdoc='<script>parent.pwned = 1</script>'></iframe>",
    '<a href="javascript:window.pwned = 1">x</a><form action=https://evil.example><input name=q>',
    "<style>* { display: none !important }</style><link rel=stylesheet href=https://evil.example/x.css>",
    '<meta http-equiv=refresh content="0; url=https://evil.example"><base href=https://evil.example>',
    "{{ 7 * 7 }}${window.pwned = 1}\u202e\u2066\x1b[31m\x00",
)


def change(zone, name, before, after, rdtype="A"):
    """A change of a set's values; one of the two can be empty."""
    sides = [{"ttl": 300, "contents": values} if values else None for values in (before, after)]
    return row(f"{name}.{zone}.", rdtype, "create", *sides)


def row(name, rdtype, action, before, after):
    """A change as the modules' results have it."""
    return {"name": name, "type": rdtype, "action": action, "before": before, "after": after}


def everything():
    """Zones in every state, on a run in check mode, with each kind of thing that a report can tell."""
    changed = (
        change("example.com", "www", ("192.0.2.10",), ("192.0.2.10", "192.0.2.11")),
        change("example.com", "ftp", ("www.example.com.",), (), "CNAME"),
        change(
            "example.com",
            "_dmarc",
            (),
            ('"v=DMARC1; p=reject; rua=mailto:dmarc-reports@example.com; fo=1"',),
            "TXT",
        ),
    )
    finding = dict(
        zip(
            FINDING,
            [
                "spf-lookups",
                "warning",
                "example.net.",
                "TXT",
                "needs 11 look-ups",
                "RFC 7208, section 4.6.4",
            ],
            strict=True,
        )
    )
    refused = "Zone example.org: cannot read it: the service answered 401: Unauthenticated; nothing was changed."
    outcomes = [
        Outcome(
            "example.com",
            "example.com",
            TASK,
            True,
            changed,
            warnings=("Zone example.com: a TTL was kept.",),
        ),
        Outcome("example.net", "example.net", TASK, True, findings=(finding,)),
        Outcome("example.org", "example.org", TASK, True, failure=Failure(refused)),
        Outcome(
            "example.edu",
            "example.edu",
            TASK,
            True,
            failure=Failure("Zone example.edu: busy.", "rescued"),
        ),
        Outcome(
            "example.info",
            "example.info",
            TASK,
            True,
            recovered=(change("example.info", "api", (), ("192.0.2.11",)),),
        ),
        *(Outcome(f"quiet{number}.example", "localhost", TASK, True) for number in range(3)),
        Outcome("", "zone9", "Read the file", True, failure=Failure("src cannot be read.")),
    ]
    away = [Place("zone8", "Gathering Facts", "no route to host")]
    return Report(
        run=Run(1e9, 1e9 + 93, ["drift.yml"], is_complete=True),
        outcomes=outcomes,
        unreachable=away,
        failed_elsewhere=[Place("zone7", "Assert")],
        interrupted=[Place("zone6", TASK)],
        untouched={f"left{number}.example" for number in range(59)},
        hidden=Hidden(2, 1),
    )


def large(zones=500):
    """As many zones as an account has, each with 20 changes."""
    outcomes = []
    for number in range(zones):
        zone = f"zone{number:03}.example"
        sets = tuple(change(zone, f"host{n}", ("192.0.2.1",), ("192.0.2.2",)) for n in range(20))
        failure = Failure(f"Zone {zone}: no.") if number % 50 == 0 else None
        outcomes.append(Outcome(zone, "localhost", TASK, False, sets, failure=failure))
    return Report(run=Run(is_complete=True), outcomes=outcomes)


def hostile():
    """Each attack, wherever a zone, the service or a playbook can put text."""
    outcomes = []
    for text in ATTACKS:
        found = dict.fromkeys(FINDING, text)
        sides = {"ttl": 1, "contents": (text, text)}, {"ttl": 2, "contents": (text,)}
        both = (row(text, text, text, *sides),)
        owned = dict.fromkeys(("name", "type", "message"), text)
        full = Outcome(
            zone=text,
            host=text,
            task=text,
            changes=both,
            unfinished=both,
            recovered=both,
            findings=(found,),
            service_owned=(owned,),
            warnings=(text,),
            failure=Failure(text),
        )
        outcomes += [full, Outcome("", text, text, failure=Failure(text))]
    return Report(
        run=Run(playbooks=[*ATTACKS]),
        outcomes=outcomes,
        unreachable=[Place(text, text, text) for text in ATTACKS],
        untouched={*ATTACKS},
    )
