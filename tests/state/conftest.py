# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real PostgreSQL, and the stand-in service, for what is kept in a database."""

import gc
import itertools
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "state"), str(TESTS), str(TESTS / "service"), str(TESTS / "faults")]

from machines import ADDRESSES, Machine
from postgres import Postgres, Proxy, programs
from running import Service

_numbers = itertools.count()

# A session whose owner is part of a cycle ends when the collector comes, and a server has no more than a hundred.
gc.set_threshold(700, 10, 10)


def pytest_configure():
    """Say what is missing before anything else fails for the lack of it."""
    if programs() is None:
        raise pytest.UsageError(
            "The tests of state_url need a package that is missing: apt-get install postgresql"
        )


@pytest.fixture(scope="session")
def postgres():
    """The server."""
    with Postgres() as server:
        yield server


@pytest.fixture
def database(postgres):
    """The name of a new database."""
    import psycopg

    name = f"state{next(_numbers)}"
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute(f"create database {name}")
    return name


@pytest.fixture
def state_url(postgres, database):
    """The state_url of a new database."""
    return postgres.url(database)


@pytest.fixture
def proxy(postgres):
    """What stands between."""
    with Proxy(postgres.port) as proxy:
        yield proxy


@pytest.fixture
def run_sql(state_url):
    """Runs statements as the owner of the database."""
    import psycopg

    def run(*statements):
        rows = []
        with psycopg.connect(state_url, autocommit=True) as admin:
            for statement in statements:
                cursor = admin.execute(statement.encode())
                rows = cursor.fetchall() if cursor.description else []
        return rows

    return run


@pytest.fixture(scope="module")
def service():
    """The stand-in service."""
    with Service() as service:
        yield service


@pytest.fixture
def zone(service):
    """A zone with a set of five addresses, and another of one."""
    name = f"zone{next(_numbers)}.example"
    service.zone(name, [("www", "A", 300, ADDRESSES), ("xyz", "A", 300, ["198.51.100.1"])])
    service.clear_log()
    service.clear_faults()
    return name


@pytest.fixture
def machine(service, state_url, tmp_path):
    """Makes machines, with that database or another one."""
    return lambda url=state_url: Machine(tmp_path / f"machine{next(_numbers)}", service, url)
