# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filter that undoes what a task changed."""

from __future__ import annotations

DOCUMENTATION = r"""
name: reversal
short_description: Undo what a task changed
version_added: 1.0.0
description:
  - Turns the result of a module of this collection, even of a failed task, into record sets for
    M(zonesmith.dns.dns_records) that undo its changes. New sets are removed. Sets that were extended, rebuilt or
    deleted get their old values and TTL back.
  - The result of a loop, or a list of results for one zone, gives one list that undoes all of them. For a loop over
    zones, undo each item separately.
  - A result of M(zonesmith.dns.dns_zones), or a JSON report of P(zonesmith.dns.report#callback) read with C(from_json),
    gives a list for O(zonesmith.dns.dns_zones#module:zones). Tasks in check mode are left out.
  - A task that changed nothing gives an empty list. The result of a task that the keyword C(timeout) ended is refused,
    because it does not show what the task did.
  - Sets in RV(zonesmith.dns.dns_records#module:recovered) stay as they are, because an earlier run changed them.
  - The undo also removes values that others have meanwhile added to a set in the list. With an C(owner), it removes
    these values only from sets that the task created, and fails if such a value has another owner.
  - Undo the changes of a task with an C(owner) in a task with the same owner. Values of others in the listed sets then
    become this owner's, until O(zonesmith.dns.dns_records#module:release) gives them up.
  - If the preference of an MX value is unknown, the filter returns the value without one, and
    M(zonesmith.dns.dns_records) refuses it.
author:
  - The zonesmith.dns contributors (@zonesmith)
options:
  _input:
    description: The registered result, or the content of a JSON report.
    type: raw
    required: true
requirements:
  - Python >= 3.11, on the controller
"""

EXAMPLES = r"""
- name: Change a record, and undo the change if a health check fails
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

    - name: Check that all is well
      ansible.builtin.command:
        cmd: "{{ health_check }}"
      changed_when: false

  rescue:
    - name: Undo the change
      zonesmith.dns.dns_records:
        zone: example.com
        records: "{{ change | zonesmith.dns.reversal }}"

    - name: Fail all the same
      ansible.builtin.fail:
        msg: The change was undone.
"""

RETURN = r"""
_value:
  description: The record sets as they were, in the order of the changes.
  type: list
  elements: dict
  contains:
    name: {type: str, sample: www.example.com., description: The absolute owner name.}
    type: {type: str, sample: A, description: The type.}
    ttl: {type: int, sample: 300, description: "The TTL in seconds, if there was such a set."}
    content:
      description: The values, if there was such a set.
      type: list
      elements: str
    state: {type: str, sample: absent, description: V(absent) if there was no such set.}
"""

from typing import Any

from ansible.errors import AnsibleFilterError

from ..module_utils._dns.printable import printable
from ..module_utils._plan import reversal as _reversal


def reversal(returned: Any) -> list[dict[str, Any]]:
    """The record sets that undo a result. Raises AnsibleFilterError."""
    try:
        return _reversal.reversal(returned)
    except _reversal.NoResult as error:
        raise AnsibleFilterError(
            printable(f"reversal takes the result of a writing module: {error}")
        ) from None


class FilterModule:
    """The filter under its name."""

    def filters(self) -> dict[str, Any]:
        return {"reversal": reversal}
