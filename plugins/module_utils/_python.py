# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Ends a module if Python is too old, and tells how to install missing libraries.

Importing this file checks Python, so every Python that Ansible supports must be able to import it.
"""

from __future__ import annotations

import sys

from ansible.module_utils.basic import AnsibleModule

OLDEST = (3, 10)
NEEDED = ("requests>=2.28.1", "dnspython>=2.6.1")


class _Module(AnsibleModule):  # type: ignore[misc] # ansible-core does not ship its types
    def _load_params(self) -> None:
        super()._load_params()
        # Nothing of the task, such as its token, is logged or shown.
        self.params: dict[str, object] = {}


def end_where_too_old() -> None:
    """Fail like a module if Python is older than 3.10."""
    if sys.version_info >= OLDEST:
        return
    running = f"{sys.executable} is Python {sys.version_info[0]}.{sys.version_info[1]}"
    module = _Module(argument_spec={}, supports_check_mode=True)
    module.fail_json(
        msg=f"zonesmith.dns needs Python 3.10 or newer where its modules run, and {running}. "
        "Set ansible_python_interpreter to a newer one."
    )


def pip_command(*more: str) -> str:
    """Return the pip command that installs the collection's libraries, and *more*, for this Python."""
    packages = [f"'{package}'" for package in (*NEEDED, *more)]
    return " ".join([sys.executable, "-m pip install", *packages])


end_where_too_old()
