# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a loop of ansible-playbook costs the database: one connection where its items share a process."""

import pytest
from machines import rebuild
from playing import play

ITEMS = 3
PAUSE = 0.3  # seconds


@pytest.fixture
def state_url_of_proxy(proxy, postgres, database, machine, zone):
    """The state_url of a database with its tables, behind the proxy."""
    assert machine().act(rebuild(zone))["changed"]
    return postgres.url(database, port=proxy.port)


def play_loop(service, zone, state_url, folder, content, *, direct):
    """The results of the items of one task, each about a set of its own."""
    options = {
        "zone": zone,
        "name": "n{{ item }}",
        "type": "A",
        "content": content,
        "ttl": 300,
        "exclusive": True,
    }
    # The server lets go of the lock of an item a moment after its end, and who comes sooner asks for it twice.
    loop = {"loop": list(range(ITEMS)), "loop_control": {"pause": PAUSE}}
    tasks = [{"zonesmith.dns.dns_record": options, **loop}]
    plays = [
        {
            "hosts": "all",
            "gather_facts": False,
            "vars": {"zonesmith_direct": direct},
            "tasks": tasks,
        }
    ]
    environment = {**service.environment(folder), "ZONESMITH_STATE_URL": state_url}
    played = play(plays, {"all": {"hosts": {"here": {}}}}, environment)
    return played.results["here"]["results"]


@pytest.mark.parametrize("direct", [False, True], ids=["module", "direct"])
def test_the_items_of_a_loop(
    service,
    zone,
    state_url_of_proxy,
    proxy,
    tmp_path,
    run_sql,
    *,
    direct,
):
    """Beside connecting, an item costs one round trip where nothing changes, and four where something does."""
    for content, changed, round_trips in (
        ("192.0.2.1", True, 5),
        ("192.0.2.1", False, 1),
        ("192.0.2.2", True, 5),
    ):
        proxy.connections = proxy.round_trips = 0
        results = play_loop(service, zone, state_url_of_proxy, tmp_path, content, direct=direct)
        assert [(result["changed"], result.get("failed", False)) for result in results] == [
            (changed, False)
        ] * ITEMS
        expected = (1 if direct else ITEMS, round_trips * ITEMS)
        assert (proxy.connections, proxy.round_trips) == expected
    assert run_sql("select pid from pg_locks where locktype = 'advisory'") == []
