# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw docs/diff.svg: what README.md's task for a zone shows in a terminal, run against the stand-in service.

The run has no time, path or port in what it prints, so that two runs draw the same picture.
"""

import io
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from textwrap import indent

from rich.console import Console
from rich.text import Text

TESTS = Path(__file__).resolve().parents[1]
README = TESTS.parent / "README.md"
PICTURE = TESTS.parent / "docs" / "diff.svg"
COLUMNS = 114  # for the recap

sys.path[:0] = [str(TESTS), str(TESTS / "service")]
import collection
import demo
from running import Service

ZONE_FILE = """\
$TTL 300
@     IN MX    10 mx1
@     IN MX    20 mx2
@     IN TXT   "v=spf1 mx -all"
www   IN A     192.0.2.10
www   IN A     192.0.2.11
shop  IN CNAME www
"""
BEFORE = [
    ("@", "MX", 300, ["10 mail.old-provider.example."]),
    ("@", "TXT", 300, ["v=spf1 mx -all"]),
    ("www", "A", 300, ["192.0.2.10", "192.0.2.99"]),
    ("ftp", "CNAME", 300, ["www.example.com."]),
]
PLAY = """\
- name: Keep the zone as its file says
  hosts: localhost
  gather_facts: false
  tasks:
"""
COMMAND = ["ansible-playbook", "zone.yml", "--check", "--diff"]


def run(folder):
    """What the command prints, with its colours."""
    collection.install(folder / "collections")
    (folder / "example.com.zone").write_text(ZONE_FILE, "utf-8")
    blocks = re.findall(
        r"^```yaml\n(.*?)^```$", README.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    (task,) = (block for block in blocks if "dns_records:" in block and "prune: true" in block)
    (folder / "zone.yml").write_text(f"{PLAY}{indent(task, ' ' * 4)}", "utf-8")
    with Service() as service:
        service.zone("example.com", BEFORE)
        environment = {
            **demo.settings(folder),
            "ANSIBLE_FORCE_COLOR": "1",
            **service.environment(folder / "state"),
        }
        command = [demo.BIN / COMMAND[0], *COMMAND[1:]]
        return subprocess.run(
            command,
            check=True,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout


def draw(printed):
    """Write the picture."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO())
    console.print(Text.from_ansi(f"$ {' '.join(COMMAND)}\n{printed.rstrip()}"))
    svg = console.export_svg(title="zonesmith.dns", unique_id="diff")
    # Nothing is loaded from elsewhere: any monospaced font will do.
    svg = re.sub(r" *@font-face {.*?}\n", "", svg, flags=re.DOTALL)
    svg = "\n".join(line.rstrip() for line in svg.splitlines())
    head = "\n".join(line[2:] for line in Path(__file__).read_text("utf-8").splitlines()[:3])
    PICTURE.write_text(f"<!--\n{head}\n-->\n{svg}\n", "utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        draw(run(Path(temporary)))
