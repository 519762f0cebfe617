# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write anew what follows from the rules of findings: the tables of the guide, what is said of the tests' zones, and
the pages for docs.ansible.com.

tests/unit/findings/test_findings.py says what they have to be, and fails where they are not.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
PAGES = TESTS.parent / "docs" / "docsite" / "guides.py"

sys.path[:0] = [str(TESTS), str(TESTS / "unit"), str(TESTS / "unit" / "findings")]
import collection


def main():
    """Write them, in the place of those that are there."""
    with tempfile.TemporaryDirectory() as folder:
        collection.link(Path(folder))
        sys.path.insert(0, folder)
        import test_findings as tests

        tests.GUIDE.write_text(tests.guide_from_the_rules(), "utf-8")
        tests.SENTENCES.write_text(tests.sentences_of_rows(), "utf-8")
    subprocess.run([sys.executable, PAGES], check=True)


if __name__ == "__main__":
    main()
