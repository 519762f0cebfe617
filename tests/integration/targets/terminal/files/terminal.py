# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run a command in a terminal, and print what it shows there: terminal.py COMMAND ..."""

import os
import pty
import sys

if __name__ == "__main__":
    sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
