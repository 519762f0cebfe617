# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each file of the collection can be imported, on every Python, and without dnspython."""

import subprocess
import sys
from pathlib import Path

UTILS = Path(__file__).parents[2] / "plugins" / "module_utils"


WITHOUT_DNSPYTHON = """
import importlib, sys

sys.modules["dns"] = None
for name in sys.argv[1:]:
    importlib.import_module("ansible_collections.zonesmith.dns.plugins." + name)
"""


def test_all_can_be_imported_without_dnspython():
    """What is missing is then told by who needs it, and ends no playbook."""
    files = [*UTILS.rglob("*.py"), *UTILS.with_name("filter").glob("*.py")]
    names = [
        ".".join(file.relative_to(UTILS.parent).with_suffix("").parts)
        for file in files
        if file.stem != "__init__"
    ]
    subprocess.run([sys.executable, "-c", WITHOUT_DNSPYTHON, *names], check=True)
