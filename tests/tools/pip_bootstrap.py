# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prepare a home folder in which `ansible-test ... --requirements` needs nothing but the package index.

ansible-test starts its environments without pip and downloads a bootstrap script for it from a host of its own, unless
that script is in its cache already. It also drops every PIP_* variable. So the given home gets a bootstrap script that
lends out the pip of this Python, which is compiled already, and a pip.conf that says what pip is told here.

    python tests/tools/pip_bootstrap.py HOME
"""

import ast
import configparser
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

LENT = """\
import subprocess
import sys

sys.exit(subprocess.call([{python!r}, "-m", "pip", "--python", sys.executable, *sys.argv[1:]]))
"""
BOOTSTRAP = """\
import pathlib
import subprocess
import sys
import sysconfig

lent = pathlib.Path(sysconfig.get_path("purelib"), "pip")
lent.mkdir(exist_ok=True)
(lent / "__init__.py").touch()
(lent / "__main__.py").write_text({lent!r}, "utf-8")
others = [one for one in sys.argv[1:] if not one.startswith(("pip==", "--no-setuptools", "--no-wheel"))]
if any(not one.startswith("-") for one in others):
    sys.exit(subprocess.call([sys.executable, "-m", "pip", "install", *others]))
"""


def wanted_pip_versions():
    """The pip versions the installed ansible-test asks for."""
    spec = importlib.util.find_spec("ansible_test")
    if spec is None or not spec.submodule_search_locations:
        sys.exit(f"{sys.executable} has no ansible-test: install ansible-core first.")
    source = Path(
        spec.submodule_search_locations[0], "_internal", "python_requirements.py"
    ).read_text("utf-8")
    versions = set(re.findall(r"\bpip='([\d.]+)'", source))
    if not versions:
        sys.exit(
            "This ansible-test names its pip version in a way that tests/tools/pip_bootstrap.py does not know."
        )
    return versions


def pip_settings():
    """What pip is told by its files and the environment, as one file; the environment wins, as it does in pip."""
    listing = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], check=True, capture_output=True, text=True
    ).stdout
    settings = configparser.RawConfigParser()
    settings["global"] = {"quiet": "2"}
    for line in sorted(listing.splitlines(), key=lambda line: line.startswith(":env:")):
        key, value = line.split("=", 1)
        section, option = key.replace(":env:", "global").split(".", 1)
        if not settings.has_section(section):
            settings.add_section(section)
        settings.set(section, option, ast.literal_eval(value))
    return settings


def prepare(home):
    """Write the bootstrap scripts and the pip settings into `home`."""
    cache = home / ".ansible" / "test" / "cache"
    cache.mkdir(parents=True, exist_ok=True)
    lent = LENT.format(python=sys.executable)
    for version in wanted_pip_versions():
        script = cache / f"get_pip_{version.replace('.', '_')}.py"
        script.write_text(BOOTSTRAP.format(lent=lent), "utf-8")
    config = home / ".config" / "pip" / "pip.conf"
    config.parent.mkdir(parents=True, exist_ok=True)
    with config.open("w", encoding="utf-8") as file:
        pip_settings().write(file)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    prepare(Path(sys.argv[1]).resolve())
