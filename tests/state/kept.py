# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the stores keep there."""

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.dialect import Dialect
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import (
    Claim,
    Document,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._log.past import Past

SERVICE = "https://api.example.net"
WWW = Key("www.example.com.", "A")
OLD, NEW = RecordSet(*WWW, 300, ("192.0.2.1",)), RecordSet(*WWW, 300, ("192.0.2.2",))
ENTRY = Entry(
    Past().with_newest(OLD),
    NEW,
    True,
    1_700_000_000.0,
    1_700_000_001.5,
    pending_since=1_700_000_001.5,
    sent=NEW,
)
FULL = Document(
    entries={WWW: ENTRY},
    dialect=Dialect(ttls={WWW: (60, 300)}, form="plain"),
    plans={"a" * 64: 1_790_000_000.0},
    ledger={"web": {WWW: Claim(300, ("192.0.2.1",), True)}},
)
PLAIN = Document(dialect=Dialect(form="plain"))
