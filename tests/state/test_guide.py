# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What docs/guides/state.md says of roles and rights, done word for word."""

import re
from pathlib import Path

import psycopg
from kept import FULL, PLAIN, SERVICE

from ansible_collections.zonesmith.dns.plugins.module_utils._state.database import DatabaseStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.session import Sessions

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "state.md"


def statements():
    """Those of each block."""
    blocks = re.findall(r"```sql\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    return [[part.strip() for part in block.split(";") if part.strip()] for block in blocks]


def use(url):
    """Everything that runs do with a database."""
    store = DatabaseStore(Sessions(url, 1), SERVICE, "example.com.", 5)
    for document in (FULL, PLAIN):
        with store.lock():
            store.save(document)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("update zonesmith.zone set document = 'half'")
    with store.lock():  # puts that aside
        pass


def test_the_roles_of_the_guide_have_the_rights_that_runs_need(postgres):
    make, grant, remove = statements()
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
    with psycopg.connect(owner, autocommit=True) as connection:
        (statement,) = remove
        assert connection.execute(statement.encode()).rowcount == 1, "what was put aside first"
