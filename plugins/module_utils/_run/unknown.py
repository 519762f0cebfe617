# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a task may mean by an option that its module does not have: another one, or another module."""

from __future__ import annotations

from collections.abc import Sequence

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.slips import question

MOST_NAMES = 16
"""Known names that a message lists; nobody reads more."""

_OF_MANY = "ignore protect only ttl_max prune prune_limit change_limit plan_dir concurrency records src"
_OF_ONE = "name type content contents value values priority exclusive replaces state"
_OF_FILES = "dest update remove server tsig_name tsig_key tsig_algorithm"
_OF_WRITING = "owner takeover release on_drift txt_format findings findings_ignore service_owned fail_on_changes"

_ELSEWHERE = {
    **dict.fromkeys(["host", "prefix", "record", "record_name"], "name"),
    **dict.fromkeys(["data", "rdata"], "content"),
    **dict.fromkeys(["overwrite", "solo"], "exclusive"),
    "record_type": "type",
    "zone_name": "zone",
}
"""What modules of other collections call options of these."""

MODULES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        f"{_OF_WRITING} wait wait_timeout wait_nameservers".split(), ("dns_record", "dns_records", "dns_zones")
    ),
    **dict.fromkeys(_OF_ONE.split(), ("dns_record",)),
    **dict.fromkeys(_OF_MANY.split(), ("dns_records", "dns_zones")),
    **dict.fromkeys(["zones", "limit", "unmanaged", "unmanaged_ignore"], ("dns_zones",)),
    **dict.fromkeys(["names", "types", "owners"], ("dns_zone_info",)),
    **dict.fromkeys(_OF_FILES.split(), ("dns_zone_files",)),
    "zone": ("dns_record", "dns_records", "dns_zone_info"),
}
"""The modules that are told of for an option that some lack."""


def instead_of(name: str, known: Sequence[str], called: str) -> str:
    """What a message says behind an unknown *name*, *called* an option or a key, where these are *known*."""
    if (ours := _ELSEWHERE.get(name)) in known:
        return f" (did you mean {ours}?)"
    if near := question(name, known):
        return near
    if called == "option" and (modules := MODULES.get(name)):
        return f", which is one of {' and '.join(modules)}"
    return f", but {', '.join(known)}" if len(known) <= MOST_NAMES else ": ansible-doc tells those of the module"
