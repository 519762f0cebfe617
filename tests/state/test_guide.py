# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What docs/guides/state.md says of roles and rights, done word for word."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
from postgres import Postgres

from ansible_collections.zonesmith.dns.plugins.module_utils._state.database import DatabaseStore

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "state.md"
SERVICE = ("https://api.example.net", "example.com.", 5)
JOURNAL = b'{"format": 1, "entries": [{"key": ["www.example.com.", "A"], "before": null, "after": null}]}'


def statements() -> list[list[str]]:
    """Those of each block."""
    blocks = re.findall(r"```sql\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    return [[part.strip() for part in block.split(";") if part.strip()] for block in blocks]


def use(url: str) -> None:
    """Everything that runs do with a database."""
    store = DatabaseStore(url, *SERVICE)
    try:
        store.look()
        with store.lock():
            store.save(JOURNAL, b"{}\n{}")
            assert store.preview()
            assert store.holder()
            store.save(b"")
            store.put_aside("aside", JOURNAL)
        assert not store.look().is_open
    finally:
        store.close()


def test_the_roles_of_the_guide_have_the_rights_that_runs_need(postgres: Postgres) -> None:
    make, grant = statements()
    with psycopg.connect(postgres.url(), autocommit=True) as admin:
        for statement in (*make, "create role runs login password 'other'"):
            admin.execute(statement.encode())
    address = f"127.0.0.1:{postgres.port}/zonesmith"
    owner = f"postgresql://zonesmith:choose-one@{address}"
    use(owner)
    with psycopg.connect(owner, autocommit=True) as connection:
        for statement in grant:
            connection.execute(statement.encode())
    use(f"postgresql://runs:other@{address}")
