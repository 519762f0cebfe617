# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run docs/examples/quickstart.yml, which makes records, changes them, and leaves the zone as it was.

It runs against a stand-in for the DNS service, or against the service that ZONESMITH_BASE_URL and
ZONESMITH_ACCESS_TOKEN name; ZONESMITH_DEMO_ZONE is the zone then.
"""

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
QUICKSTART = Path("docs", "examples", "quickstart.yml")

# Last, because others who import this have a powerdns.py of their own.
sys.path += [str(TESTS), str(TESTS / "service")]
import collection
from running import Service

# What somebody has in a zone, and finds there after it.
BEFORE = [
    ("@", "MX", 3600, ["10 mail.example.net."]),
    ("www", "CNAME", 300, ["site.example.net."]),
]


def say(text=""):
    """Print a line in its place among the lines of the programs this one starts."""
    print(text, flush=True)


def settings(temporary):
    """The environment Ansible runs in: the built collection and nothing of the user's own configuration."""
    config = temporary / "ansible.cfg"
    config.touch()
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("ANSIBLE_")},
        "ANSIBLE_COLLECTIONS_PATH": str(temporary / "collections"),
        "ANSIBLE_CONFIG": str(config),
        "ANSIBLE_HOME": str(temporary / "ansible"),
        "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
        "ANSIBLE_LOCALHOST_WARNING": "false",
        "ANSIBLE_NOCOLOR": "1",
    }


@contextlib.contextmanager
def service():
    """The zone, and the variables that name the service: the user's own, or a stand-in that ends with the demo."""
    own = {
        name: os.environ.get(f"ZONESMITH_{name}", "")
        for name in ("BASE_URL", "ACCESS_TOKEN", "DEMO_ZONE")
    }
    if own["BASE_URL"] or own["ACCESS_TOKEN"]:
        if missing := [f"ZONESMITH_{name}" for name, value in own.items() if not value]:
            sys.exit(
                f"To run against your own service, set {' and '.join(missing)} too. The demo writes at the name"
                " _quickstart alone, and takes away what it made."
            )
        zone = own["DEMO_ZONE"]
        say(f"Service: {own['BASE_URL']} (yours), zone {zone}")
        yield zone, {}
        return
    zone = "example.com"
    with Service() as stand_in, tempfile.TemporaryDirectory() as state:
        stand_in.zone(zone, BEFORE)
        say(f"Service: {stand_in.url} (a stand-in, gone after the demo), zone {zone}")
        yield zone, stand_in.environment(Path(state))


def play(playbook, zone, environment, *options):
    """Run a playbook, show it as it goes, and return the number of changed tasks."""
    variables = ["--extra-vars", json.dumps({"dns_zone": zone})]
    command = [BIN / "ansible-playbook", playbook, "--diff", *variables, *options]
    changed = None
    with subprocess.Popen(
        command,
        env=environment,
        cwd=TESTS.parent,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        for line in process.stdout or ():
            sys.stdout.write(line)
            sys.stdout.flush()
            if recap := re.search(r"changed=(\d+)", line):
                changed = (changed or 0) + int(recap[1])
    if process.returncode or changed is None:
        sys.exit(f"The playbook failed (exit code {process.returncode}).")
    return changed


def lines(zone, environment):
    """The zone as the service holds it, as lines of a zone file, but the SOA, whose number rises."""
    module = ["-m", "zonesmith.dns.dns_zone_info", "-a", json.dumps({"zone": zone})]
    command = [BIN / "ansible", "localhost", *module]
    done = subprocess.run(command, check=False, env=environment, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout}The zone could not be read.")
    (answer,) = json.loads(done.stdout.partition("=>")[2])["zones"]
    width = max(len(records["name"]) for records in answer["records"])
    return [
        f"{records['name']:{width}}  {records['ttl']:>6} IN {records['type']:<5} {content}"
        for records in answer["records"]
        if records["type"] != "SOA"
        for content in records["contents"]
    ]


def main():
    """Build, run, show."""
    with tempfile.TemporaryDirectory() as folder:
        temporary = Path(folder)
        say("Building and installing the collection into a temporary folder")
        collection.install(temporary / "collections")
        with service() as (zone, variables):
            environment = {**settings(temporary), **variables}
            before = lines(zone, environment)
            say(f"\nansible-playbook {QUICKSTART} --diff")
            colour = {"ANSIBLE_FORCE_COLOR": str(sys.stdout.isatty())}
            changed = play(QUICKSTART, zone, environment | colour)
            after = lines(zone, environment)
    if after != before:
        sys.exit("\nThe zone is not as it was:\n\n" + "\n".join(after))
    say("The zone, as it was before:\n\n" + "\n".join(after))
    say(
        f"\n{changed} tasks changed something; the second asked for what was there, and changed nothing."
    )
    if variables:
        say(
            "Your own service instead: set ZONESMITH_BASE_URL, ZONESMITH_ACCESS_TOKEN and ZONESMITH_DEMO_ZONE."
        )


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as error:  # Service tells in it why it did not start
        sys.exit(str(error))
