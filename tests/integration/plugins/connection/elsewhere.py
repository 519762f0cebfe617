# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Another host, played by this machine: what runs there begins in another folder."""

from ansible.plugins.connection.local import DOCUMENTATION as OF_LOCAL
from ansible.plugins.connection.local import Connection as Local

DOCUMENTATION = OF_LOCAL.replace("name: local", "name: elsewhere")


class Connection(Local):
    """A connection that is not the controller's own."""

    transport = "elsewhere"

    def exec_command(self, cmd, *arguments, **more):
        """Run it in a folder that has no zone files."""
        return super().exec_command(f"cd / && {cmd}", *arguments, **more)
