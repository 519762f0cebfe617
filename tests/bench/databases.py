# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A PostgreSQL of its own for what is measured with state_url, where one is installed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "state"))
from postgres import Postgres, programs

EMPTY = "truncate zonesmith.zone"


def missing() -> str:
    """Why nothing can be measured with a database; empty where it can."""
    try:
        import psycopg  # noqa: F401 - whether it is there
    except ImportError:
        return "psycopg is not installed"
    return "" if programs() else "PostgreSQL is not installed"


def database(*, is_wanted: bool) -> AbstractContextManager[str]:
    """The state_url of a database on a free port of this machine; empty where none is wanted."""
    return _running() if is_wanted else nullcontext("")


@contextmanager
def _running() -> Iterator[str]:
    with Postgres() as server:
        yield server.url()


def clear(url: str) -> None:
    """Forget what runs have kept in the database; the tables, which the first of them made, stay."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection, suppress(psycopg.errors.InvalidSchemaName):
        connection.execute(EMPTY)
