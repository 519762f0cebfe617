# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run a stand-in DNS service with a certificate of its own making, for as long as the file with its URL exists.

tls_service.py AUTHORITY-FILE URL-FILE TOKEN
"""

import sys
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parents[4]
sys.path[:0] = [str(TESTS), str(TESTS / "service")]
from certificates import Authority
from running import Service

LONGEST = 300


def main(authority_file, url_file, token):
    """Serve."""
    authority = Authority(authority_file.parent)
    certificate = authority.certificate("service")
    authority.bundle.rename(authority_file)
    with Service("--tls-cert", str(certificate), zones=["example.com"], token=token) as service:
        # In one step, so that nobody reads half a URL.
        half_done = url_file.with_suffix(".part")
        half_done.write_text(service.url, "utf-8")
        half_done.rename(url_file)
        end = time.monotonic() + LONGEST
        while url_file.exists() and time.monotonic() < end:
            time.sleep(0.1)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
