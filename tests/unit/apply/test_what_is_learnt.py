# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the log and a snapshot together tell of the service."""

from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Snapshot
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.zone import dialect_after
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.dialect import Dialect
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._log.past import Past

NOW = 1_000_000.0
KEY = Key("www.example.com.", "TXT")
WHOLE, CUT, OTHER = '"v=1; p=2"', '"v=1"', '"x"'


def texts(*values):
    return RecordSet(*KEY, 300, values)


ALTERED = {
    # before, desired, whether it was deleted first -> what the service is known to have made of texts
    "the text was sent": ((OTHER,), (OTHER, WHOLE), False, {CUT: WHOLE}),
    "the text was sent again, with all of the set": ((WHOLE,), (OTHER, WHOLE), True, {CUT: WHOLE}),
    "the text was there, and another one was added": ((WHOLE,), (OTHER, WHOLE), False, {}),
}


@named_rows("before, desired, has_delete, altered", ALTERED)
def test_a_cut_text_is_of_one_that_was_sent(before, desired, has_delete, altered):
    """Somebody may have written a text like it beside one that was not sent."""
    entry = Entry(Past().with_newest(texts(*before)), texts(*desired), has_delete, NOW, NOW)
    shown = {KEY: texts(*dict.fromkeys((*before, OTHER, CUT)))}
    snapshot = Snapshot("example.com.", "examplecom", shown)
    dialect = dialect_after(Dialect(), {KEY: entry}, snapshot, NOW)
    assert dialect.altered.get(KEY, {}) == altered
