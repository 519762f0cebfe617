# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Look at the archive that is published as a user and as Galaxy will.

python tests/tools/archive.py accepted    it holds what a user needs and nothing else, and Galaxy's importer is content
python tests/tools/archive.py works       installed from it, the documentation, the quick start and the role work
"""

import fnmatch
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent

sys.path[:0] = [str(TESTS), str(TESTS / "service")]
import collection
import demo
import programs
from running import Service

MEMBERS = (
    ".ansible-lint",  # Galaxy lints the examples with it
    "CHANGELOG.md",
    "FILES.json",
    "LICENSE",
    "MANIFEST.json",
    "README.md",
    "SECURITY.md",
    "changelogs/changelog.yaml",
    "docs/comparison.md",
    "docs/concurrency.md",
    "docs/diff.svg",
    "docs/docsite/extra-docs.yml",
    "docs/docsite/links.yml",
    "docs/docsite/rst/*.rst",
    "docs/examples/*.inc",
    "docs/examples/*.j2",
    "docs/examples/*.py",
    "docs/examples/*.yml",
    "docs/examples/*.zone",
    "docs/guides/*.md",
    "docs/performance.md",
    "docs/performance.png",
    "docs/releases.md",
    "docs/report.png",
    "docs/security.md",
    "docs/under_way.svg",
    "meta/ee-bindep.txt",
    "meta/ee-requirements.txt",
    "meta/execution-environment.yml",
    "meta/runtime.yml",
    "plugins/*/*.py",
    "plugins/plugin_utils/report/page.html.j2",
    "plugins/plugin_utils/report/script.js",
    "plugins/plugin_utils/report/style.css",
    "roles/zone/*/main.yml",
    "roles/zone/README.md",
    "roles/zone/meta/argument_specs.yml",
)
SOURCES = {
    "callback": "plugins/callback/*.py",
    "module": "plugins/modules/*.py",
    "filter": "plugins/filter/*.py",
    "inventory": "plugins/inventory/*.py",
    "role": "roles/*",
}
IMPORTER = "[galaxy-importer]\ncheck_required_tags = true\nrequire_v1_or_greater = true\nansible_local_tmp = {folder}\n"


def accepted(folder):
    """Build the archive, and look at it both ways."""
    archive = collection.build(folder)
    members(archive)
    importer(archive, folder)


def members(archive):
    """Compare the files in the archive with the list."""
    with tarfile.open(archive) as opened:
        names = [member.name for member in opened if not member.isdir()]
    unwanted = [
        name for name in names if not any(fnmatch.fnmatchcase(name, wanted) for wanted in MEMBERS)
    ]
    missing = [wanted for wanted in MEMBERS if not fnmatch.filter(names, wanted)]
    if unwanted or missing:
        sys.exit(
            f"In the archive are {unwanted or 'no'} files too many, and none that fit {missing or 'nothing'}."
        )
    print(f"{len(names)} files, all wanted")


def importer(archive, folder):
    """Run Galaxy's importer, which says of warnings and of some errors that it succeeded."""
    config = folder / "galaxy-importer.cfg"
    config.write_text(IMPORTER.format(folder=folder), "utf-8")
    environment = {
        **os.environ,
        # ansible-lint deletes its mocks there, also those of another that runs.
        "ANSIBLE_HOME": str(folder),
        "PATH": f"{BIN}:{os.environ['PATH']}",  # where it looks for ansible-doc and ansible-lint
        "GALAXY_IMPORTER_CONFIG": str(config),
    }
    command = [sys.executable, "-m", "galaxy_importer.main", archive]
    done = programs.called(command, folder, environment)
    print(done.stdout)
    complaints = [
        line
        for line in done.stdout.splitlines()
        if line.startswith(("WARNING", "ERROR", "CRITICAL"))
    ]
    if done.returncode or complaints:
        sys.exit(
            f"The importer ended with {done.returncode} and said {len(complaints)} things to mend."
        )


def works(folder):
    """Install the collection, list its plugins, and run its own examples."""
    collection.install(folder / "collections")
    with Service(zones=["example.com"]) as service:
        environment = {
            **demo.settings(folder),
            **service.environment(folder / "state"),
        }
        for kind, files in SOURCES.items():
            listed = documented(kind, environment)
            wanted = sorted(f"zonesmith.dns.{file.stem}" for file in TESTS.parent.glob(files))
            assert listed == wanted, f"ansible-doc lists {listed} as {kind}."
        examples = folder / "collections/ansible_collections/zonesmith/dns/docs/examples"
        assert demo.play(examples / "quickstart.yml", "example.com", environment), (
            "quickstart.yml changed nothing."
        )
        apply = examples / "zone_in_git/apply.yml"
        # The run after it does what was planned.
        demo.play(apply, "example.com", environment, "--check")
        first, second = (demo.play(apply, "example.com", environment) for run in range(2))
        assert first, f"{apply.name} changed nothing."
        assert not second, f"The second run of {apply.name} changed {second} tasks."


def documented(kind, environment):
    """The names that ansible-doc lists."""
    command = [BIN / "ansible-doc", "--list", "--json", "--type", kind, "zonesmith.dns"]
    listing = subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE).stdout
    return sorted(json.loads(listing))


def main():
    """Do one of the two with a folder that goes afterwards."""
    checks = {"accepted": accepted, "works": works}
    if len(sys.argv) != 2 or sys.argv[1] not in checks:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as temporary:
        checks[sys.argv[1]](Path(temporary))


if __name__ == "__main__":
    main()
