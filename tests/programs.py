# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ansible's programs, imported once and forked for each run: what they import is most of what a run costs.

A run is the program's own main(), in a process of its own, with its own arguments, folder, environment and files. Only
what is read while Python starts lasts, and what is read while Ansible is imported: settings in the environment. Other
settings are another start, or the program itself. Modules that run in processes of their own are started as ever.
"""

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from pathlib import Path

MODULES = {
    "ansible": "ansible.cli.adhoc",
    "ansible-inventory": "ansible.cli.inventory",
    "ansible-playbook": "ansible.cli.playbook",
}
OF_PYTHON = ("PYTHON", "LC_")

# What needs no setting. Ansible's programs, too, import ansible._internal before any other part of it: what comes before
# behaves as in a module's own process.
LIBRARIES = (
    *("ansible._internal", "ansible.config.manager", "ansible.errors"),
    *("ansible.module_utils.common.locale", "ansible.module_utils.common.process"),
    *("ansible.module_utils.common.sys_info", "ansible.module_utils.compat.selinux"),
    *("ansible.parsing.splitter", "ansible.parsing.utils.addresses"),
    *("ansible.utils.collection_loader", "ansible.utils.helpers"),
    *("cryptography.hazmat.backends.openssl", "cryptography.hazmat.primitives.ciphers"),
    *("cryptography.hazmat.primitives.hmac", "cryptography.hazmat.primitives.kdf.pbkdf2"),
    *("cryptography.hazmat.primitives.padding", "cryptography.hazmat.primitives.serialization"),
    *("curses", "difflib", "getpass", "multiprocessing.queues", "multiprocessing.synchronize"),
    *("pprint", "pty", "runpy", "tarfile", "tomllib", "uuid", "xml.dom.minidom"),
    *("dns.zonefile", "jinja2.nativetypes", "jinja2.sandbox", "packaging.specifiers"),
    *("requests", "yaml"),
)
# ansible's own parts that main() imports.
OF_ANSIBLE = (
    *("ansible.executor.task_executor", "ansible.inventory.manager", "ansible.plugins.strategy"),
    *("ansible.template", "ansible.vars.manager"),
)

# It imports as little as it can: that is all that a run costs beside its fork.
STARTER = """#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as asked:
    asked.connect({address!r})
    socket.send_fds(asked, [b" "], [0, 1, 2])
    run = {{"arguments": [{program!r}, *sys.argv[1:]], "folder": os.getcwd(), "environment": dict(os.environ)}}
    asked.sendall(json.dumps(run).encode() + b"\\n")
    sys.exit(int(asked.makefile().readline()))
"""


def run(program, *arguments, folder, environment):
    """Run a program of MODULES in a folder; *environment* is all that it finds in its environment."""
    address = _started(_settings(environment))
    with contextlib.ExitStack() as stack:
        said, complained = (
            stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8"))
            for _number in range(2)
        )
        nothing = stack.enter_context(open(os.devnull, encoding="utf-8"))
        asked = stack.enter_context(socket.socket(socket.AF_UNIX))
        asked.connect(address)
        socket.send_fds(asked, [b" "], [file.fileno() for file in (nothing, said, complained)])
        wanted = {
            "arguments": [program, *arguments],
            "folder": str(folder),
            "environment": dict(environment),
        }
        asked.sendall(json.dumps(wanted).encode() + b"\n")
        code = int(asked.makefile().readline())
        for file in (said, complained):
            file.seek(0)
        return subprocess.CompletedProcess(
            [program, *arguments], code, said.read(), complained.read()
        )


def called(
    command,
    folder,
    environment,
    seconds=None,
):
    """Run any command in a folder, with nothing to read; all that it says is in stdout."""
    return subprocess.run(
        command,
        check=False,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=seconds,
    )


def _settings(environment, begins=("ANSIBLE_", *OF_PYTHON)):
    names = sorted(name for name in environment if name.startswith(tuple(begins)))
    return tuple((name, environment[name]) for name in names)


def folder(environment=None):
    """A folder with the programs, for PATH: each does there what it does elsewhere, whatever the settings are.

    Who gives an *environment* is served faster wherever its settings hold.
    """
    if environment is None:
        of_python = {
            name: value for name, value in os.environ.items() if name.startswith(OF_PYTHON)
        }
        environment = {**of_python, "LC_ALL": "C.UTF-8"}
    return _folder(_settings(environment))


@functools.cache
def _folder(settings):
    address = _started(settings)
    for program in MODULES:
        file = Path(address).with_name(program)
        file.write_text(
            STARTER.format(python=sys.executable, address=address, program=program),
            encoding="utf-8",
        )
        file.chmod(0o700)
    return Path(address).parent


@functools.cache
def _started(settings):
    """The address of a process that has imported the programs; their libraries alone where no setting is Ansible's."""
    others = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ANSIBLE_", *OF_PYTHON))
    }
    # No TemporaryDirectory: a process that is forked from this one forgets it, and with that removes it.
    temporary = tempfile.mkdtemp(prefix="programs-")
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    address = str(Path(temporary, "socket"))
    started = subprocess.Popen(
        [sys.executable, __file__, address],
        env={**others, **dict(settings)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(started.communicate)  # which ends its input, and it with it
    assert started.stdout
    started.stdout.readline()
    return address


def _serve(address):
    """Fork a run for each who asks, until the input ends."""
    for name in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    settings = _settings(os.environ, ["ANSIBLE_"])
    if settings:
        for name in (*MODULES.values(), *OF_ANSIBLE):
            importlib.import_module(name)
    gc.freeze()  # what was imported stays, and no fork need look it through, or copy it
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen(64)
        print(flush=True)
        while sys.stdin not in select.select([sys.stdin, listening], [], [])[0]:
            asked, _nobody = listening.accept()
            if not os.fork():
                _answer(asked, settings)
            asked.close()
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass


def _answer(asked, settings):
    """Have a run in a process of its own, which ends at the latest with who waits for it; say how it ended."""
    _space, files, _flags, _address = socket.recv_fds(asked, 1, 3)
    wanted = json.loads(asked.makefile(encoding="utf-8").readline())
    run = os.fork()
    if not run:
        asked.close()
        _run(**wanted, files=files, settings=settings)
    for file in files:
        os.close(file)

    def end_with_who_asked():
        asked.recv(1)
        with contextlib.suppress(ProcessLookupError):  # it has just ended by itself
            os.kill(run, signal.SIGKILL)

    threading.Thread(target=end_with_who_asked, daemon=True).start()
    code = os.waitstatus_to_exitcode(os.waitpid(run, 0)[1])
    with contextlib.suppress(OSError):
        asked.sendall(f"{code}\n".encode())
    os._exit(0)


def _run(arguments, folder, environment, files, settings):
    code = 1
    try:
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
        # Those that are there may have found out of other files than these what can be done with them.
        sys.stdin, sys.stdout, sys.stderr = (
            open(number, mode, encoding="utf-8", errors=errors, closefd=False)  # noqa: SIM115 - to the end
            for number, mode, errors in (
                (0, "r", "strict"),
                (1, "w", "strict"),
                (2, "w", "backslashreplace"),
            )
        )
        os.chdir(folder)
        if settings and _settings(environment, ["ANSIBLE_"]) != settings:
            program = Path(sys.executable).with_name(arguments[0])
            os.execve(program, [program, *arguments[1:]], environment)  # noqa: S606 - its own file
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = arguments
        importlib.import_module(MODULES[arguments[0]]).main()
        code = 0
    except SystemExit as ended:
        code = ended.code
    except Exception:  # noqa: BLE001 - it is told as Python does
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    sys.path.remove(str(Path(__file__).parent))
    _serve(sys.argv[1])
