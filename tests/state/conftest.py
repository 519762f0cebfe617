# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real PostgreSQL, and the stand-in service, for what is kept in a database."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "state"), str(TESTS), str(TESTS / "service"), str(TESTS / "faults")]

from postgres import Postgres, programs  # noqa: E402 - tests/ is no package

_numbers = itertools.count()


def pytest_configure() -> None:
    """Say what is missing before anything else fails for the lack of it."""
    if programs() is None:
        raise pytest.UsageError("The tests of state_url need a package that is missing: apt-get install postgresql")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The server."""
    with Postgres() as server:
        yield server


@pytest.fixture
def database(postgres: Postgres) -> str:
    """The name of a new database."""
    import psycopg

    name = f"state{next(_numbers)}"
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute(f"create database {name}")
    return name


@pytest.fixture
def state_url(postgres: Postgres, database: str) -> str:
    """The state_url of a new database."""
    return postgres.url(database)
