# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The ledger in a database: what strangers may have made of it, what it costs, and what a standby may lack of it."""

from __future__ import annotations

from typing import Any

import pytest
from keeping import MakeStore, RunSql
from machines import NewMachine, hold_back, wait_for_fault
from playing import Task
from running import Service

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.ledger import Claim, Ledger
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._state import database
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.kept_ledger import MAKES_NO_SENSE
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory
from ansible_collections.zonesmith.dns.plugins.module_utils._state.session import Session
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError

HELD: Ledger = {"web": {Key("www.example.com.", "A"): Claim(300, ("192.0.2.1",))}}


def keep(make: MakeStore) -> None:
    """A run with an owner."""
    journal = Journal(make(), owned="example.com.")
    with journal.lock() as seen:
        seen.memory.ledger = HELD
        journal.write(None, seen.memory)


TAMPERED = {
    "nothing": "''",
    "nonsense": "repeat('[', 100000)",
    "null": "'null'",
    "another zone": """'{"format": 1, "owners": {"web": [["www.example.net.", "A", 300, false, "192.0.2.1"]]}}'""",
    "half a character": """'{"format": 1, "owners": {"web": [["www.example.com.", "A", 300, false, "\\ud800"]]}}'""",
    "an owner in capitals of elsewhere": """'{"format": 1, "owners": {"w\u00e9b": []}}'""",
}


@pytest.mark.parametrize("content", TAMPERED.values(), ids=TAMPERED)
def test_what_strangers_wrote_counts_as_none(make: MakeStore, run_sql: RunSql, content: str) -> None:
    keep(make)
    run_sql(f"update zonesmith.zone set ledger = {content}")  # noqa: S608 - a row of the table above
    warnings: list[str] = []
    journal = Journal(make(), warnings, owned="example.com.")
    assert journal.look().memory.ledger is None
    with journal.lock() as seen:
        assert seen.memory.ledger is None
        seen.memory.ledger = HELD
        journal.write(None, seen.memory)
    assert warnings[0] == MAKES_NO_SENSE
    assert Journal(make(), owned="example.com.").look().memory.ledger == HELD


def test_one_that_is_huge_is_not_fetched_and_is_no_empty_one(make: MakeStore, run_sql: RunSql) -> None:
    keep(make)
    run_sql("update zonesmith.zone set ledger = repeat('x', 140000000)")
    with pytest.raises(StateError, match=r"ledger of the zone .* has more than 128 MiB"):
        make().look(with_ledger=True)
    with pytest.raises(StateError, match="more than 128 MiB"), make().lock(with_ledger=True):
        pass
    assert make().look().ledger is None


def test_a_newer_one_is_refused(make: MakeStore, run_sql: RunSql) -> None:
    keep(make)
    run_sql("""update zonesmith.zone set ledger = '{"format": 2}'""")
    with pytest.raises(StateError, match="kept in format 2"):
        Journal(make(), owned="example.com.").look()


@pytest.mark.parametrize("owned", ["", "example.com."])
def test_it_costs_no_round_trip_and_is_in_no_statement_of_others(
    make: MakeStore, monkeypatch: pytest.MonkeyPatch, owned: str
) -> None:
    keep(make)
    asked: list[list[str]] = []
    ask = Session.ask

    def counted(session: Session, *statements: Any, **how: Any) -> Any:
        asked.append([sql for sql, _values in statements])
        return ask(session, *statements, **how)

    monkeypatch.setattr(Session, "ask", counted)
    journal = Journal(make(), owned=owned)
    journal.look()
    with journal.lock() as seen:
        if owned:
            seen.memory.ledger = {}
        journal.write(None, Memory(text_form="plain", ledger=seen.memory.ledger))
    assert [len(statements) for statements in asked] == [1, 5, 1]
    assert any("ledger" in sql for statements in asked for sql in statements) is bool(owned)


def test_what_a_run_knows_of_it_is_kept_again(make: MakeStore, run_sql: RunSql) -> None:
    """As where a standby takes over that lacks its last commits."""
    store = make()
    with store.lock(with_ledger=True):
        store.save(ledger=b'{"format": 1, "owners": {}}')
        run_sql("update zonesmith.zone set ledger = null, last_write = 0")
        assert isinstance(store, database.DatabaseStore)
        store._keep_again()
    assert make().look(with_ledger=True).ledger == b'{"format": 1, "owners": {}}'


def test_two_owners_on_machines_of_their_own(service: Service, zone: str, machine: NewMachine, state_url: str) -> None:
    """A run of one is killed in a rebuild; the other, elsewhere, finds what is whose, and takes nothing."""

    def keep(owner: str, *rows: tuple[str, str], **options: object) -> Task:
        records = [{"name": name, "type": "A", "ttl": 300, "content": [value]} for name, value in rows]
        common = {"zone": zone, "records": records, "findings": "off", "prune": True, "prune_limit": 100}
        return Task("dns_records", {**common, "owner": owner, **options})

    service.zone(zone, [("hand", "A", 300, ["192.0.2.9"])])
    web, mail = machine(state_url), machine(state_url)
    assert web.act(keep("web", ("www", "192.0.2.1"), ("old", "192.0.2.1")))["unowned"] == 1
    assert mail.act(keep("mail", ("www", "192.0.2.2")))["changes"][0]["because"] == "wanted"
    hold_back(service, "POST")
    killed = web.start(keep("web", ("www", "192.0.2.3")))
    wait_for_fault(service)
    killed.kill()
    service.clear_faults()
    again = mail.act(keep("mail", ("www", "192.0.2.2"), on_drift="refuse"))
    assert not again.get("failed"), again
    assert "192.0.2.2" in {value for row in service.records(zone) if row["type"] == "A" for value in row["contents"]}
    done = machine(state_url).act(keep("web", ("www", "192.0.2.3")))
    assert not done.get("failed"), done
    held = {row["name"]: sorted(row["contents"]) for row in service.records(zone) if row["type"] == "A"}
    assert held == {f"hand.{zone}.": ["192.0.2.9"], f"www.{zone}.": ["192.0.2.2", "192.0.2.3"]}
    assert not mail.act(keep("mail", ("www", "192.0.2.2")))["changed"]
