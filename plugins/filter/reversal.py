# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filter that leads back from what a task has changed."""

from __future__ import annotations

DOCUMENTATION = r"""
name: reversal
short_description: Take back what a task has changed
version_added: 1.0.0
description:
  - Turns what a writing module of this collection returned into a list of record sets for
    M(zonesmith.dns.dns_records) that leads back. A set that was created is to go, one that was extended, rebuilt or
    deleted is to be as it was, with its values and its TTL.
  - It works for a task that failed too. What such a task has done all the same is in its C(changes).
  - What was registered in a loop, or a list of results, gives one list. Where they tell of one set several times, it is
    to be as it was before the first. They have to be of one zone; take a loop over zones item by item.
  - What C(dns_zones) returned gives a list for its option C(zones), with an item for each zone that has changed.
  - A report that P(zonesmith.dns.report#callback) wrote as JSON gives such a list too, once
    C(from_json) has read it. What its tasks did in check mode is left out.
  - A task that changed nothing, that was skipped, or that failed before it wrote gives an empty list, with which
    M(zonesmith.dns.dns_records) does nothing. One that the keyword C(timeout) has ended is refused, since nobody has
    told what it had done.
  - What RV(zonesmith.dns.dns_records#module:recovered) tells of stays. It was completed for an interrupted run.
  - Values that others have added meanwhile to a set of the list go, since an entry describes a whole set. All other
    sets stay as they are.
  - What a task with an C(owner) has changed is to be taken back by a task of that owner. Values that others had in a
    set of the list become that owner's too, as O(zonesmith.dns.dns_records#module:release) can mend.
  - Where the service shows an MX value without its preference, and the task has not told it either, the value is given
    as it is shown, and M(zonesmith.dns.dns_records) asks for the preference.
author:
  - The zonesmith.dns contributors (@zonesmith)
options:
  _input:
    description: What was registered, or what a report as JSON holds.
    type: raw
    required: true
requirements:
  - Python >= 3.11, as ansible-core has it on the controller
seealso:
  - module: zonesmith.dns.dns_records
"""

EXAMPLES = r"""
- name: A change that is taken back where it does no good
  vars:
    health_check: "true"
  block:
    - name: Change the record
      zonesmith.dns.dns_record:
        zone: example.com
        name: www
        type: A
        content: 192.0.2.80
        exclusive: true
      register: change

    - name: Look whether all is well
      ansible.builtin.command:
        cmd: "{{ health_check }}"
      changed_when: false

  rescue:
    - name: Take it back
      zonesmith.dns.dns_records:
        zone: example.com
        records: "{{ change | zonesmith.dns.reversal }}"

    - name: Fail all the same
      ansible.builtin.fail:
        msg: The change was taken back.
"""

RETURN = r"""
_value:
  description: The record sets as they were, in the order of the changes.
  type: list
  elements: dict
  contains:
    name:
      description: The absolute owner name.
      type: str
      sample: www.example.com.
    type:
      description: The type.
      type: str
      sample: A
    ttl:
      description: The TTL in seconds, where there was such a set.
      type: int
      sample: 300
    content:
      description: The values, where there was such a set.
      type: list
      elements: str
      sample:
        - 192.0.2.1
    state:
      description: V(absent) where there was no such set.
      type: str
      sample: absent
"""

from collections.abc import Callable
from typing import Any

from ansible.errors import AnsibleFilterError

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._plan import reversal as _reversal


def reversal(returned: Any) -> list[dict[str, Any]]:
    """The record sets that lead back. Raises AnsibleFilterError."""
    try:
        return _reversal.reversal(returned)
    except _reversal.NoResult as error:
        raise AnsibleFilterError(printable(f"reversal takes what a writing module returned: {error}")) from None


class FilterModule:
    """The filter under its name."""

    def filters(self) -> dict[str, Callable[..., Any]]:
        """What Ansible asks for."""
        return {"reversal": reversal}
