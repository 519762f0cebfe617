#!/usr/bin/python
# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Find out how a DNS service behaves."""

from __future__ import annotations

DOCUMENTATION = r"""
module: dns_service_check
short_description: Find out how a DNS service behaves
version_added: 1.0.0
description:
  - Tries in one zone what the specification of the service leaves open, such as after how long a write is seen, which
    record types and TTLs are taken, and how texts are shown. Then it puts everything back.
  - Each answer says which option or habit it means. What nobody has seen yet says so, and is worth a report.
  - Writes only at the name C(_zonesmith-check) of the zone and below. A TXT record with the text C(zonesmith-check) at
    this name marks the records there as the check's own. It is created first and deleted last, so the next check
    removes what a killed one left. Other records at these names are refused before anything is written.
  - Sends about 130 requests. On a service that shows writes late, throttles, or answers 409 to a value that is there,
    it takes some minutes, since a refusal that may pass is tried again for O(retry_timeout).
author:
  - The zonesmith.dns contributors (@zonesmith)
extends_documentation_fragment:
  - zonesmith.dns.api
  - zonesmith.dns.api.state
  - zonesmith.dns.attributes
attributes:
  check_mode:
    support: full
    details: Only reads. Lists the questions, and answers those that need no write.
  diff_mode:
    support: N/A
  idempotent:
    support: full
    details: Everything is put back, so nothing changes.
options:
  zone:
    description:
      - The zone in which to try, in upper or lower case, with or without a final dot. Any zone of the account will do.
        The check holds its lock, so tasks of other runs wait.
    type: str
    required: true
  rate:
    description:
      - Whether to send up to 600 requests as fast as possible, until the service answers 429. This can throttle other
        programs of the account for a while.
    type: bool
    default: false
seealso:
  - module: zonesmith.dns.dns_records
  - module: zonesmith.dns.dns_zone_info
"""

EXAMPLES = r"""
- name: Find out how the service behaves
  zonesmith.dns.dns_service_check:
    zone: example.com
  register: service

- name: Show what differs from the specification
  ansible.builtin.debug:
    msg: "{{ service.answers | rejectattr('means', 'match', 'no habit') }}"
"""

RETURN = r"""
answers:
  description: The answers, in the order of the questions. In check mode, most are empty.
  returned: success
  type: list
  elements: dict
  contains:
    question:
      description: What was tried.
      type: str
      sample: Is the type MX taken, and how is it shown?
    answer:
      description: What the service answered or showed, printable and at most 300 characters of it.
      type: str
      sample: 10 host.example.net. (TTL 300)
    means:
      description:
        - Which option or habit that is. C(no habit) is what every service does, or what tasks do not care about.
      type: str
      sample: "habit: it keeps TTLs of its own; tasks warn once, and remember it"
recommended:
  description: Options that should not be as they are by default, by name. Set them in C(module_defaults).
  returned: success
  type: dict
  sample: {txt_format: quoted}
restored:
  description: Whether the zone is as it was. If not, a warning names the sets that are left.
  returned: success
  type: bool
  sample: true
status_code:
  description: The HTTP status that ended the task, V(null) if it failed for another reason.
  returned: failure
  type: int
"""

from typing import Any

# It ends where Python is too old for what follows.
from ..module_utils import _python  # noqa: F401 # pylint: disable=unused-import
from ..module_utils._check.service_check import (
    check_service,
)
from ..module_utils._run.module import run_module
from ..module_utils._run.options import (
    SHARED_OPTIONS,
    WRITING_OPTIONS,
)

OPTIONS: dict[str, dict[str, Any]] = {
    **SHARED_OPTIONS,
    "zone": {"type": "str", "required": True},
    "rate": {"type": "bool", "default": False},
    **{name: WRITING_OPTIONS[name] for name in ("state_dir", "state_url")},
}


def main() -> None:
    """Run the module."""
    run_module(OPTIONS, check_service)


if __name__ == "__main__":
    main()
