# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""All that is kept of a zone: its log, what is known of the service, plans and the ledger."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from .._dns.dialect import Dialect
from .._dns.record_set import Key
from .entry import Entry

OWNER = re.compile(r"[A-Za-z0-9._@/-]{1,64}")


class Claim(NamedTuple):
    """An owner's canonical values in a set, and its TTL, or None for any.

    With *is_begun*, a run may have been interrupted. Then the values are those desired before and since.
    """

    ttl: int | None
    values: tuple[str, ...]
    is_begun: bool = False


Claims = Mapping[Key, Claim]

Ledger = Mapping[str, Claims]
"""All owners' sets in a zone, by owner, without empty ones."""


@dataclass(frozen=True)
class Document:
    """All that is kept of a zone.

    * *quarantined*: entries too old to finish.
    * *dialect*: what the service makes of what it is sent.
    * *plans*: the reviewed plans that were carried out, by digest, and when (seconds since 1970), the last at the end.
    * *ledger*: what each owner asked for.
    * *under_way*: the sets that a run is writing.
    * *closed*: why nothing may go that a task does not list: what was kept could not be read, and
      nobody has looked at it since. Empty if all was read.
    """

    entries: Mapping[Key, Entry] = field(default_factory=dict)
    quarantined: tuple[tuple[Key, Entry], ...] = ()
    dialect: Dialect = field(default_factory=Dialect)
    plans: Mapping[str, float] = field(default_factory=dict)
    ledger: Ledger = field(default_factory=dict)
    under_way: frozenset[Key] = frozenset()
    closed: str = ""
