# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plugins with which a task runs elsewhere, or as somebody else, and leaves a file that tells so."""

# Another machine, with an environment of its own.
JAIL = """
from ansible.plugins.connection.local import Connection as Local, DOCUMENTATION as OF_LOCAL
DOCUMENTATION = OF_LOCAL.replace("name: local", "name: jail")
class Connection(Local):
    def exec_command(self, cmd, *args, **kwargs):
        names = "ZONESMITH_BASE_URL ZONESMITH_ACCESS_TOKEN"
        return super().exec_command(f"unset {names}; export ZONESMITH_STATE_DIR=/dev/null/no; {cmd}", *args, **kwargs)
"""

# As sudo does it, which resets the environment.
BECOME = """
from pathlib import Path
from ansible.plugins.become import BecomeBase
DOCUMENTATION = '''
name: marking
short_description: Leaves a file named by become_flags
description: Leaves a file.
options:
  become_user: {description: Who., default: root, vars: [{name: ansible_become_user}]}
  become_exe: {description: What., vars: [{name: ansible_become_exe}]}
  become_pass: {description: None., vars: [{name: ansible_become_password}]}
  become_flags: {description: The file., vars: [{name: ansible_become_flags}]}
'''
class BecomeModule(BecomeBase):
    name = "marking"
    def build_become_command(self, cmd, shell):
        super().build_become_command(cmd, shell)
        if not cmd:
            return cmd
        Path(__file__).with_name(self.get_option("become_flags")).touch()
        return f"env -i PATH=\\"$PATH\\" HOME=\\"$HOME\\" LC_ALL=C.UTF-8 {self._build_success_command(cmd, shell)}"
"""


def put(folder):
    """Put them into a folder; the variables by which Ansible finds them."""
    (folder / "jail.py").write_text(JAIL, encoding="utf-8")
    (folder / "marking.py").write_text(BECOME, encoding="utf-8")
    return {
        "ANSIBLE_CONNECTION_PLUGINS": str(folder),
        "ANSIBLE_BECOME_PLUGINS": str(folder),
        "ANSIBLE_BECOME_ALLOW_SAME_USER": "1",
    }
