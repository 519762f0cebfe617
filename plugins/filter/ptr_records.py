# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filter that makes PTR records from addresses."""

from __future__ import annotations

DOCUMENTATION = r"""
name: ptr_records
short_description: Make the PTR records of a reverse zone from the addresses in other zones
version_added: 1.0.0
description:
  - Turns the A and AAAA record sets of any number of zones into the PTR record sets of one reverse zone.
  - Other types, wildcards and addresses outside the reverse zone are left out.
  - An address with several names gets them all, sorted, unless O(prefer) chooses one. P(zonesmith.dns.findings#filter)
    reports such an address in the reverse zone.
  - The TTL of a PTR record set is the lowest TTL of the names. If the names have no TTL, the TTL is left out.
author:
  - The zonesmith.dns contributors (@zonesmith)
positional: reverse_zone
options:
  _input:
    description:
      - A dictionary with names of zones as keys. The values are texts of zone files, or lists of record sets as
        M(zonesmith.dns.dns_records) takes them.
      - Or a list, which may be nested. It can have items of RV(zonesmith.dns.dns_zone_info#module:zones), dictionaries
        with C(zone) and C(records), and record sets with absolute names (P(zonesmith.dns.from_zone_file#filter)).
    type: raw
    required: true
  reverse_zone:
    description:
      - The name of the reverse zone, below C(in-addr.arpa) or C(ip6.arpa).
      - For a part of a /24 (RFC 2317), the name begins with V(first/prefix length) or V(first-last), as in
        V(0/25.2.0.192.in-addr.arpa) and V(0-127.2.0.192.in-addr.arpa).
      - A name that may also mean V(first-prefix length) (RFC 4183), such as V(0-25), is an error, unless its addresses
        are a network, as those of V(0-31) are.
    type: str
    required: true
  ttl:
    description: The TTL of records of zone files that have none, as in O(zonesmith.dns.from_zone_file#filter:ttl).
    type: raw
  prefer:
    description:
      - Globs for names, such as V(*.hosts.example.com) and V(www.*). If an address has several names, it gets only the
        name that the first matching glob matches. V(*) matches dots too. Case does not matter.
      - If that glob matches several names, or no glob matches, the alphabetically first name is used.
    type: list
    elements: str
requirements:
  - Python >= 3.11, on the controller
  - dnspython >= 2.6.1
"""

EXAMPLES = r"""
- name: Show the PTR records of the addresses in two zone files
  ansible.builtin.debug:
    msg: "{{ zones | zonesmith.dns.ptr_records('2.0.192.in-addr.arpa') }}"
  vars:
    zones:
      example.com: "{{ lookup('ansible.builtin.file', 'zones/example.com.zone') }}"
      example.net: "{{ lookup('ansible.builtin.file', 'zones/example.net.zone') }}"

- name: Read all zones of the account
  zonesmith.dns.dns_zone_info:
    records: true
    types: [A, AAAA]
  register: account

- name: Show the PTR records of half a network (RFC 2317), with the host's own name where an address has several
  ansible.builtin.debug:
    msg: "{{ account.zones | zonesmith.dns.ptr_records('0/25.2.0.192.in-addr.arpa', prefer=['*.hosts.example.com']) }}"
"""

RETURN = r"""
_value:
  description: The PTR record sets, by address, for M(zonesmith.dns.dns_records).
  type: list
  elements: dict
  contains:
    name: {type: str, sample: 1.2.0.192.in-addr.arpa., description: The absolute owner name.}
    type: {type: str, sample: PTR, description: PTR.}
    ttl: {type: int, sample: 300, returned: when a name of the address has one, description: The TTL in seconds.}
    content:
      description: The names that have the address, or with O(prefer) one of them.
      type: list
      elements: str
      sample: [www.example.com.]
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ansible.errors import AnsibleFilterError

from ..module_utils._dns.names import (
    InvalidName,
    name_as_read,
)
from ..module_utils._dns.pointers import pointers
from ..module_utils._dns.printable import (
    printable_name,
    printable_part,
)
from ..module_utils._dns.record_set import RecordSet
from ..module_utils._dns.records import (
    InvalidRecord,
    check_record,
    has_ttl,
    owner_in,
    record_sets,
)
from ..module_utils._dns.reverse import reverse_zone
from ..module_utils._dns.zone_view import ADDRESS_TYPES
from ..plugin_utils._filter_zones import (
    canonical_zone,
    filter_error,
    is_list,
    sets_of,
    ttl_option,
    warn,
    zone_of,
)


def ptr_records(
    raw: Any, reverse: Any, ttl: Any = None, prefer: Any = None
) -> list[dict[str, Any]]:
    """The PTR record sets of a reverse zone. Raises AnsibleFilterError."""
    globs = _globs(prefer)
    name = canonical_zone("ptr_records", reverse)
    if not (isinstance(raw, Mapping) or is_list(raw)):
        raise AnsibleFilterError(
            "ptr_records takes a dictionary of zone names and their records, "
            "or a list of record sets"
        )
    try:
        found = [*_sets(raw, ttl_option("ptr_records", ttl))]
        zone = reverse_zone(name)
        records = pointers(found, zone, globs)
    except (InvalidName, InvalidRecord) as error:
        raise filter_error(reverse, error) from None
    if found and not records:
        addresses = f"from {zone.first} to {zone.last}"
        warn(reverse, f"no host has an address {addresses}: is its name spelled correctly?")
    return records


def _globs(prefer: Any) -> list[str] | None:
    if prefer is None:
        return None
    globs = [*prefer] if is_list(prefer) else [prefer]
    if not all(isinstance(glob, str) for glob in globs):
        raise AnsibleFilterError("ptr_records takes prefer as a list of globs for names")
    return [glob.strip().lower() for glob in globs]


def _sets(raw: Any, ttl: int | None) -> Iterator[tuple[RecordSet, bool]]:
    """The address sets, each with whether its record has a TTL. Raises AnsibleFilterError, InvalidRecord."""
    if isinstance(raw, Mapping) and "records" not in raw:
        for zone, content in raw.items():
            yield from _of_zone(content, zone, ttl)
        return
    for item in [raw] if isinstance(raw, Mapping) else raw:
        if is_list(item):
            yield from _sets(item, ttl)
        elif not isinstance(item, Mapping):
            raise InvalidRecord(
                "a record must be a dictionary; "
                "give the text of a zone file as the value of its zone's name"
            )
        elif "records" in item:
            yield from _of_zone(item["records"], zone_of(item), ttl)
        else:
            yield from _of_record(item, None)


def _of_zone(content: Any, zone: Any, ttl: int | None) -> Iterator[tuple[RecordSet, bool]]:
    name = canonical_zone("ptr_records", zone)
    if is_list(content):
        for record in content:
            yield from _of_record(record, name)
    else:
        for one in sets_of(content, name, ttl).values():
            if one.type in ADDRESS_TYPES:
                yield one, True


def _of_record(record: Any, zone: str | None) -> Iterator[tuple[RecordSet, bool]]:
    check_record(record)
    if str(record.get("type")).upper() not in ADDRESS_TYPES:
        return
    owner = owner_in(record)
    if zone is None and not owner.endswith("."):
        raise InvalidRecord(
            f"{printable_part(printable_name(owner))} {record['type']} cannot be used: "
            "its zone is unknown; write the name with its final dot, "
            "or give a dictionary of zone names and their records"
        )
    for one in record_sets([record], zone or name_as_read(owner)).values():
        yield one, has_ttl(record)


class FilterModule:
    """The filter under its name."""

    def filters(self) -> dict[str, Any]:
        return {"ptr_records": ptr_records}
