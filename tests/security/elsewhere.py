# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plugins and a shell with which a task runs as somebody else, or elsewhere; each leaves a file beside itself."""

from __future__ import annotations

JAIL = """
from pathlib import Path
from ansible.plugins.connection.local import Connection as Local, DOCUMENTATION as OF_LOCAL
DOCUMENTATION = OF_LOCAL.replace("name: local", "name: jail")
class Connection(Local):
    def exec_command(self, *args, **kwargs):
        Path(__file__).with_name(self._play_context.remote_addr).touch()
        return super().exec_command(*args, **kwargs)
"""

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
        return self._build_success_command(cmd, shell)
"""

SHELL = """#!/bin/sh
touch "$(dirname "$0")/another-shell"
exec /bin/sh "$@"
"""
