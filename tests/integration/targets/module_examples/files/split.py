# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write each task of the modules' examples into a file of its own, FOLDER/MODULE-NUMBER.yml.

split.py FOLDER < what `ansible-doc --json` prints
"""

import json
import sys
from pathlib import Path

import yaml


def main(folder):
    """Split."""
    for module, documentation in json.load(sys.stdin).items():
        for number, task in enumerate(yaml.safe_load(documentation["examples"]), 1):
            if {"server", "wait"} & {*(task.get(module) or {})}:  # tests/e2e has name servers
                continue
            tasks = yaml.safe_dump([task], sort_keys=False, allow_unicode=True)
            (folder / f"{module}-{number:02}.yml").write_text(tasks, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
