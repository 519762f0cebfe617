# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A PowerDNS server, the service in front of it, and Ansible with the built collection; nothing is installed for it."""

import importlib
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent
# tests/service has a powerdns.py too: this folder comes first.
sys.path[:0] = [str(TESTS / folder) for folder in ("e2e", "", "service", "tools")]

import processes


def pytest_configure():
    """Say what is missing before anything else fails for the lack of it."""
    if sentence := processes.missing():
        raise pytest.UsageError(sentence)


@pytest.fixture(scope="session")
def powerdns():
    """The DNS server."""
    from powerdns import PowerDNS

    with PowerDNS() as server:
        yield server


@pytest.fixture(scope="session")
def service(powerdns):
    """The service in front of it. Every test makes a zone of its own."""
    from running import Service

    backend = (f"--powerdns-url={powerdns.url}", f"--powerdns-key={powerdns.key}")
    with Service(*backend) as service:
        yield service


@pytest.fixture(scope="session")
def collections(tmp_path_factory):
    """This collection as users get it, and the one of others that the examples need."""
    import collection

    folder = tmp_path_factory.mktemp("collections")
    collection.install(folder)
    crypto = folder / "ansible_collections" / "community" / "crypto"
    crypto.parent.mkdir()
    crypto.symlink_to(importlib.import_module("ansible_collections.community.crypto").__path__[0])
    return folder


@pytest.fixture(scope="session")
def ansible(collections, service):
    """Runs playbooks against the service."""
    from playbook import Ansible

    return Ansible(collections, service.url, service.token)
