# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What BIND reads in a zone file, and entries in the same form."""

import subprocess

import dns.name
from dns.rdtypes.ANY.TXT import TXT

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import LABEL_CODEC
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.older_dnspython import parsed

CHECKS_OF_A_ZONE = ("-i", "local")
NO_CHECKS = ("-i", "none", *(word for letter in "kmnrMSTW" for word in (f"-{letter}", "ignore")))
"""What BIND does not look at then: whether names and hosts are in use."""


def read_by_bind(
    checkzone,
    text,
    zone,
    file,
    checks=CHECKS_OF_A_ZONE,
):
    """The records that BIND finds in a zone file, without what is left out here: name, TTL, type and data.

    Where it refuses the file, what it says.
    """
    file.write_text(text, encoding="utf-8")
    command = [checkzone, *checks, "-s", "full", "-D", "-o", "-", zone, file]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        return f"{done.stdout}{done.stderr}"
    rows = [line.split(None, 4) for line in done.stdout.splitlines() if not line.startswith(";")]
    return {
        (dns.name.from_text(name).canonicalize().to_text(), int(ttl), rdtype, data(rdtype, *value))
        for name, ttl, _in, rdtype, *value in rows
        if rdtype not in {"SOA", "RRSIG"} and (rdtype != "NS" or name != zone)
    }


def data(rdtype, value=""):
    """What a value means: its wire format with the names in lower case, the chunks of a text joined."""
    rdata = parsed(rdtype, value, LABEL_CODEC)
    if isinstance(rdata, TXT):
        return b"".join(rdata.strings)
    if rdtype == "NAPTR":  # whose flags and service are compared without case
        rdata = rdata.replace(flags=rdata.flags.lower(), service=rdata.service.lower())
    in_any_case = rdtype == "HTTPS"
    return (
        rdata.replace(target=rdata.target.canonicalize()) if in_any_case else rdata
    ).to_digestable()


def as_read_by_bind(entries):
    """Entries in the form of ``read_by_bind``."""
    return {
        (e["name"], e["ttl"], e["type"], data(e["type"], value))
        for e in entries
        for value in e["content"]
    }


def without_ttls(rows, warnings):
    """The records, without TTLs where the *warnings* say that one set has several: BIND takes the first of them."""
    if any("a set has one TTL" in warning for warning in warnings):
        return {(name, rdtype, value) for name, _ttl, rdtype, value in rows}
    return set(rows)
