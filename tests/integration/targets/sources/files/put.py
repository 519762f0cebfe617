# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write files into the current folder: put.py < {"PATH": "text", ...}

Those whose names begin with latin1 are not UTF-8.
"""

import json
import sys
from pathlib import Path

for name, text in json.load(sys.stdin).items():
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "latin-1" if path.name.startswith("latin1") else "utf-8")
