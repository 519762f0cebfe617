# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The habits of a zone: what real services do, and the specification does not tell."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

HELP = """\
habits of a zone: how services are. Each zone has its own; seconds throughout

  read_lag            a GET shows a write only after so long; changes by the control interface show at once
  late_reads          every so-manieth GET is the one that read_lag is for, the first one too (1)
  cache               what a GET has shown once, every GET shows until it is so old
  apply_after         a write is answered at once (best with write_status 202) and carried out after so long, in order;
                      what is impossible by then is dropped without a word
  delete_after        the same for DELETEs alone
  busy_after_write    409 to writes on the zone for so long after a write
  rate, rate_window   429 to more than so many requests in the window (0: no limit; 60)
  retry_after         whether that 429 has a Retry-After (true)
  write_status        the status of a write that succeeds, 200 to 206 (200); 204 has no body
  has_body            whether that answer has a body (true)
  parses              TXT without quotes is read as zone files are: a ; begins a comment, words are chunks
  keeps_quotes        the quotes of quoted TXT become part of the value
  txt_read, txt_write, mx_read
                      in place of the settings of these names
  lower, dotted       types whose values are kept in lower case, or with a final dot
  ttl_min, ttl_max    what a POST's TTL is raised or lowered to (0: not)
  keeps_ttl           a set keeps its TTL when a POST with another one comes
  refused             globs on "TYPE CONTENT" (content in zone-file form): refused_status (422) to such a POST, also of
                      what is there
  undeletable         globs on "NAME TYPE" (name absolute): 403 to such a DELETE
  returning           globs like these: such a set is there again, as it was, after its DELETE
  gone, there         the status of a DELETE of what is not there (404), and of a POST of what is (422)
  shows               all, no_soa (the zone's answer lacks its SOA) or nothing (no record set at all)
"""


@dataclasses.dataclass(frozen=True)
class Habits:
    """Every habit of a zone; by default it has none."""

    read_lag: float = 0.0
    late_reads: int = 1
    cache: float = 0.0
    apply_after: float = 0.0
    delete_after: float = 0.0
    busy_after_write: float = 0.0
    rate: int = 0
    rate_window: float = 60.0
    retry_after: bool = True
    write_status: int = 200
    has_body: bool = True
    parses: bool = False
    keeps_quotes: bool = False
    txt_read: str = ""
    txt_write: str = ""
    mx_read: str = ""
    lower: Sequence[str] = ()
    dotted: Sequence[str] = ()
    ttl_min: int = 0
    ttl_max: int = 0
    keeps_ttl: bool = False
    refused: Sequence[str] = ()
    refused_status: int = 422
    undeletable: Sequence[str] = ()
    returning: Sequence[str] = ()
    gone: int = 404
    there: int = 422
    shows: str = "all"
