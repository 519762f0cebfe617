# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw docs/report.png: the report of docs/examples/drift, run against the stand-in service, as chromium shows it.

Light and dark side by side, so that neither a light nor a dark README hides it.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image  # matplotlib brings it

TESTS = Path(__file__).resolve().parents[1]
EXAMPLE = TESTS.parent / "docs" / "examples" / "drift"
PICTURE = TESTS.parent / "docs" / "report.png"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDTH, HEIGHT = 680, 670
QUIETLY = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-lcd-text")
DARK = "--blink-settings=preferredColorScheme=0"
BOTH = (
    '<!DOCTYPE html><style>body {{ margin: 0; display: flex }} img {{ width: {width}px }}</style><img src="light.png">'
    '<img src="dark.png">'
)

sys.path[:0] = [str(TESTS), str(TESTS / "service")]
import collection
import demo
from running import Service

ZONE_FILE = """\
$TTL 300
@      IN MX    10 mx1.example.net.
@      IN TXT   "v=spf1 mx -all"
_dmarc IN TXT   "v=DMARC1; p=reject"
www    IN A     192.0.2.10
www    IN A     192.0.2.11
shop   IN CNAME www
"""
ZONES = [f"example.{last}" for last in ("com", "de", "fr", "net", "nl", "org", "se")]
BY_HAND = {
    "example.com": [
        ("example.com.", "TXT", 300, ["v=spf1 mx include:_spf.mailer.example ~all"]),
        ("_dmarc.example.com.", "TXT", 300, ["v=DMARC1; p=none"]),
        ("www.example.com.", "A", 300, ["192.0.2.10", "192.0.2.11", "198.51.100.7"]),
    ],
    "example.net": [("ftp", "A", 300, ["198.51.100.7"])],
}


def run(folder):
    """Apply the zones' files, let somebody change some by hand, and check them again."""
    collection.install(folder / "collections")
    shutil.copytree(EXAMPLE, folder, dirs_exist_ok=True)
    (folder / "zones").mkdir()
    for zone in ZONES:
        (folder / "zones" / f"{zone}.zone").write_text(ZONE_FILE, "utf-8")
    with Service(zones=ZONES) as service:
        environment = {
            **demo.settings(folder),
            "ANSIBLE_CALLBACKS_ENABLED": "zonesmith.dns.report",
            "ZONESMITH_REPORT": "report.html",
            **service.environment(folder / "state"),
        }
        command = [demo.BIN / "ansible-playbook", "drift.yml"]
        quiet = {"cwd": folder, "env": environment, "stdout": subprocess.DEVNULL}
        subprocess.run(command, check=False, **quiet)
        for zone, rows in BY_HAND.items():
            changed = [(name, rdtype) for name, rdtype, _ttl, _values in rows]
            held = service.records(zone)
            kept = [row for row in held if (row["name"], row["type"]) not in changed]
            service.zone(zone, [*kept, *rows])
        service.remove_zone("example.fr")
        shutil.rmtree(
            folder / "state"
        )  # what was written just now; it was not just now for whoever looks
        subprocess.run([*command, "--check"], check=False, **quiet)


def draw(folder):
    """Write the picture."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not browser:
        sys.exit("There is no browser: apt-get install chromium")

    def photograph(page, picture, width, *options):
        files = [f"--screenshot={folder / picture}", (folder / page).as_uri()]
        command = [browser, *QUIETLY, *options, f"--window-size={width},{HEIGHT}", *files]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    photograph("report.html", "light.png", WIDTH)
    photograph("report.html", "dark.png", WIDTH, DARK)
    (folder / "both.html").write_text(BOTH.format(width=WIDTH), "utf-8")
    photograph("both.html", "both.png", 2 * WIDTH)
    # Few colours make it half as large, and nobody sees it.
    Image.open(folder / "both.png").convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE).save(
        PICTURE, optimize=True
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        run(Path(temporary))
        draw(Path(temporary))
