# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The password of state_url is in no output, no exception and no table, however wrong the URL is."""

import json
from urllib.parse import quote

import psycopg
import pytest
from playing import Task, play_tasks
from postgres import PASSWORD, free_port

from ansible_collections.zonesmith.dns.plugins.module_utils._state.session import Sessions
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError

SECRETS = ("hunter2", "swordfish", PASSWORD, quote(PASSWORD, safe=""))
"""The two halves of a password, around whatever is special in a URL."""

WHOLE = quote(PASSWORD, safe="")
URLS = {
    "host=127.0.0.1 user=u password=hunter2swordfish": "does not begin with postgresql://",
    "POSTGRESQL://u:hunter2swordfish@127.0.0.1/db": "does not begin with postgresql://",
    "postgresql://u:hunter2@swordfish@127.0.0.1:PORT/db": "is not a PostgreSQL URL",
    "postgresql://u:hunter2/swordfish@127.0.0.1:PORT/db": "is not a PostgreSQL URL",
    "postgresql://u:12345/hunter2swordfish@127.0.0.1:PORT/db": "is not a PostgreSQL URL",
    "postgresql://u:hunter2 swordfish@127.0.0.1:PORT/db": "is not a PostgreSQL URL",
    "postgresql://u:hunter2%zzswordfish@127.0.0.1:PORT/db": "is not a PostgreSQL URL",
    "postgresql://u:hunter2\udcffswordfish@127.0.0.1:PORT/db": "is not a PostgreSQL URL",
    "postgresql://u:hunter2\x00swordfish@127.0.0.1:PORT/db": "is not a PostgreSQL URL",
    "postgresql://u:hunter2swordfish@127.0.0.1:PORT/db?sslmod=require": "is not a PostgreSQL URL",
    "postgresql://u@127.0.0.1:PORT/db?password=hunter2&swordfish": "is not a PostgreSQL URL",
    "postgresql://u@127.0.0.1:PORT/db?password=hunter2swordfish": "password authentication failed",
    'postgresql://u:hunter2"swordfish@127.0.0.1:PORT/db': "password authentication failed",
    "postgresql://u:hunter2\x1b[31mswordfish@127.0.0.1:PORT/db": "password authentication failed",
    "postgresql://hunter2swordfish:hunter2swordfish@127.0.0.1:PORT/db": "password authentication failed",
    "postgresql://u:hunter2swordfish@[::1]:NOBODY/db": "cannot be reached",
    f"postgresql://admin:{WHOLE}@127.0.0.1:PORT/there-is-none": "does not exist",
    f"postgresql://admin:{WHOLE}@127.0.0.1:PORT/postgres?sslmode=require": "does not support SSL",
    f"postgresql://admin:{WHOLE}@127.0.0.1:PORT/postgres?sslmode={WHOLE}": "cannot be reached",
    f"postgresql://admin:{WHOLE}@127.0.0.1:PORT/{WHOLE}": "does not exist",
    f"postgresql://admin:{WHOLE}@127.0.0.1:PORT/postgres?connect_timeout=soon": "cannot be reached",
    f"postgresql://admin:{WHOLE}@127.0.0.1:PORT/postgres?options=-c%20there_is_none%3D1": "cannot be reached",
}


@pytest.fixture(scope="module")
def urls(postgres):
    """Every URL that leads to no database, and what is said of it."""
    ports = {"PORT": str(postgres.port), "NOBODY": str(free_port())}
    made = dict(URLS)
    for word, port in ports.items():
        made = {url.replace(f":{word}/", f":{port}/"): part for url, part in made.items()}
    return made


def ask(url):
    """What a session says."""
    sessions = Sessions(url, 1)
    return sessions.rows(("select 1", {}))


def test_no_url_is_repeated_with_its_password(urls):
    for url, said in urls.items():
        with pytest.raises(StateError) as failed:
            ask(url)
        message = str(failed.value)
        assert said in message, (url, message)
        assert message.isprintable(), url
        assert not any(secret in message for secret in SECRETS), (url, message)
        chain = failed.value.__cause__ or (
            None if failed.value.__suppress_context__ else failed.value.__context__
        )
        assert chain is None, url


def test_what_is_around_a_url_is_no_part_of_it(state_url):
    assert ask(f" {state_url}\n") == [[(1,)]]


@pytest.mark.parametrize("direct", [False, True], ids=["module", "direct"])
def test_no_output_has_the_password(service, urls, state_url, tmp_path, direct):
    """Of runs that rebuild, that find no database and that are refused, with all that Ansible can say of them."""
    chosen = [url for url in urls if url.isprintable() and "\udcff" not in url]
    if not direct:
        chosen = chosen[::4]
    hosts = {f"host{number:02}": url for number, url in enumerate([state_url, *chosen])}
    tasks = {}
    for host, url in hosts.items():
        zone = f"{host}.example"
        service.zone(zone, [("www", "A", 300, ["192.0.2.1"])])
        www = {"zone": zone, "name": "www", "type": "A", "content": "192.0.2.1", "ttl": 600}
        tasks[host] = Task("dns_record", {**www, "state_url": url})
    service.clear_log()
    played = play_tasks(tasks, service, tmp_path, verbosity=4, direct=direct)
    said = f"{played.output}{json.dumps(played.results)}{_tables(state_url)}"
    assert not any(secret in said for secret in SECRETS)
    good = played.results.pop("host00")
    assert good["changed"], good
    for host, result in played.results.items():
        assert result["failed"], (hosts[host], result)
        assert result.get("exception") in (None, "(traceback unavailable)"), result
        assert result["msg"].startswith(f"Zone {host}.example: "), result
        assert urls[hosts[host]] in result["msg"], result
        assert "Traceback" not in result["msg"]
    changed = [entry["path"] for entry in service.log() if entry["method"] != "GET"]
    assert all("host00" in path for path in changed), changed


def _tables(url):
    """Everything that is in the tables, as one text."""
    with psycopg.connect(url) as connection:
        return repr(connection.execute("select * from zonesmith.zone").fetchall())
