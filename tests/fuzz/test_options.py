# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whatever a user types in the options: a result, or one sentence that says what is wrong with them."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Any

from answers import Answer, InMemory, NameServers
from fuzzing import TOKEN, checked_result, inputs
from hostile import NAMES, NUMBERS, RECORDS, SERVED, TEXTS, TYPES, VALUES, ZONE, ZONE_FILES, as_json, good_zone, mostly
from hypothesis import strategies as st

from ansible_collections.zonesmith.dns.plugins.modules.dns_record import converge_record_set
from ansible_collections.zonesmith.dns.plugins.modules.dns_records import converge_record_sets
from ansible_collections.zonesmith.dns.plugins.modules.dns_zone_files import keep_zone_files
from ansible_collections.zonesmith.dns.plugins.modules.dns_zone_info import read
from ansible_collections.zonesmith.dns.plugins.modules.dns_zones import converge_zones

LIST = Answer(body=as_json({"status": "Success", "total": 1, "data": [{"name": ZONE, "slug": "x", "status": True}]}))
ZONE_NAMES = mostly(st.sampled_from([ZONE, "Example.COM.", "example.com"]), NAMES)
TTLS = mostly(st.sampled_from([None, 0, 300]), NUMBERS)
PRIORITIES = mostly(st.sampled_from([None, None, 10]), NUMBERS)
CONTENTS = st.one_of(st.none(), st.lists(VALUES, max_size=4))
STATES = st.sampled_from(["present", "absent"])
BASE_URLS = mostly(
    st.just("http://127.0.0.1"),
    st.one_of(
        TEXTS,
        st.builds("http://{}".format, TEXTS),
        st.builds("https://{}".format, TEXTS),
        st.builds("http://127.0.0.1{}".format, TEXTS),
        st.sampled_from(
            ["http://[::1", "http://127.0.0.1:99999", "https://u:p@h", "ftp://h", "http://[::ffff:7f00:1]"]
        ),
    ),
)
# Where folders are made: never outside the temporary one.
FOLDERS = mostly(st.just("state"), TEXTS.filter(lambda text: ".." not in text))

CONNECTIONS = st.fixed_dictionaries(
    {
        "base_url": BASE_URLS,
        "access_token": mostly(st.just(TOKEN), st.one_of(TEXTS.map(lambda text: TOKEN + text), st.just(""))),
        "validate_certs": st.booleans(),
        "ca_path": mostly(st.none(), TEXTS),
        "allow_insecure_http": st.booleans(),
        "timeout": mostly(st.just(30.0), st.floats()),
        "retries": mostly(st.just(1), st.integers(max_value=5)),
        "retry_timeout": mostly(st.just(5.0), st.floats()),
        "txt_format": st.sampled_from(["auto", "plain", "quoted"]),
        "state_dir": FOLDERS,
        "state_url": st.none(),
        "lock_timeout": mostly(st.just(1.0), st.floats()),
        "wait": st.booleans(),
        "wait_timeout": mostly(st.just(120.0), st.floats()),
        "wait_nameservers": mostly(st.none(), st.lists(TEXTS, max_size=2)),
    }
)
SETS = st.fixed_dictionaries(
    {
        "zone": ZONE_NAMES,
        "name": NAMES,
        "type": TYPES,
        "content": CONTENTS,
        "priority": PRIORITIES,
        "ttl": TTLS,
        "exclusive": st.booleans(),
        "replaces": mostly(st.none(), st.lists(TEXTS, max_size=2)),
        "state": STATES,
    }
)
ENTRIES = st.fixed_dictionaries(
    {"name": NAMES, "type": TYPES, "content": CONTENTS, "ttl": TTLS, "priority": PRIORITIES, "state": STATES}
)
GLOBS = st.fixed_dictionaries({"name": NAMES, "type": TYPES, "value": mostly(st.just("*"), TEXTS)})
BULKS = st.fixed_dictionaries(
    {
        "zone": ZONE_NAMES,
        "records": st.lists(ENTRIES, max_size=5),
        "ttl": TTLS,
        "prune": st.booleans(),
        "ignore": st.lists(GLOBS, max_size=2),
        "protect": mostly(st.just([]), st.lists(GLOBS, max_size=2)),
        "change_limit": mostly(st.integers(0, 100), NUMBERS),
        "prune_limit": mostly(st.integers(0, 100), NUMBERS),
        "concurrency": mostly(st.just(1), st.one_of(st.sampled_from([0, 2, "auto", "8"]), NUMBERS)),
    }
)
READINGS = st.fixed_dictionaries(
    {
        "zone": st.one_of(st.none(), ZONE_NAMES),
        "names": st.one_of(st.none(), st.lists(NAMES, max_size=3)),
        "types": st.one_of(st.none(), st.lists(TYPES, max_size=3)),
        "records": st.one_of(st.none(), st.booleans()),
    }
)
LIVE = st.lists(RECORDS, max_size=4)

# Several zones, whose answers are all the same; what the action found in files is what anybody may have put there.
PATHS = mostly(st.sampled_from([f"zones/{ZONE}zone", "zones/EXAMPLE.com.zone", "zones/0%2F25.zone"]), TEXTS)
PARTS = st.dictionaries(mostly(st.sampled_from(["a.zone", "b.zone"]), TEXTS), ZONE_FILES, min_size=1, max_size=3)
INCLUDED = st.dictionaries(mostly(st.sampled_from(["x", "x/y"]), TEXTS), ZONE_FILES.map(lambda text: {"text": text}))
FOUND = st.one_of(
    ZONE_FILES.map(lambda text: {"text": text}),
    st.fixed_dictionaries({"parts": PARTS, "included": INCLUDED}),
    TEXTS.map(lambda reason: {"reason": reason}),
)
OF_ZONE = {
    "src": mostly(st.none(), PATHS),
    "ttl": TTLS,
    "prune": st.one_of(st.none(), st.booleans()),
    "ignore": st.one_of(st.none(), st.lists(st.fixed_dictionaries({"name": NAMES, "type": TYPES}), max_size=2)),
    "prune_limit": st.one_of(st.none(), mostly(st.integers(0, 100), NUMBERS)),
}
# Whose records are looked at by the module, and not by Ansible.
ROWS = mostly(st.lists(mostly(ENTRIES), max_size=3))
SEVERAL = st.lists(
    st.fixed_dictionaries({**OF_ZONE, "zone": ZONE_NAMES, "records": st.one_of(st.none(), ROWS)}), max_size=4
)
ACCOUNTS = st.fixed_dictionaries(
    {
        **OF_ZONE,
        "zones": mostly(SEVERAL, st.none()),
        "src": mostly(st.none(), st.one_of(st.just("zones"), PATHS)),
        "_files": st.one_of(st.none(), st.dictionaries(st.one_of(st.just("zones"), PATHS), FOUND, max_size=4)),
        "prune": st.booleans(),
        "ignore": st.lists(st.fixed_dictionaries({"name": NAMES, "type": TYPES}), max_size=2),
        "prune_limit": mostly(st.integers(0, 100), NUMBERS),
        "concurrency": mostly(st.sampled_from([1, 3, "auto"]), NUMBERS),
    }
)


NAMES_OF_FILES = st.sampled_from(
    [*(f"{ZONE}.zone{part}" for part in ("", "/a.zone", "/b.zone", "/x")), "Example.com.zone", "other.example.zone"]
)
WRITINGS = st.fixed_dictionaries(
    {
        "dest": mostly(st.just("zones"), st.just("")),
        "zones": mostly(st.none(), st.lists(mostly(st.sampled_from([ZONE, "*"]), TEXTS), max_size=3)),
        "ignore": st.lists(GLOBS, max_size=2),
        "update": st.booleans(),
        "remove": st.booleans(),
        "server": mostly(st.none(), st.sampled_from(["127.0.0.1:1", "", "x y", "[::1"])),
        "tsig_algorithm": st.sampled_from([None, "hmac-sha512"]),
    }
)
KEYS = mostly(st.just((None, None)), st.tuples(TEXTS, TEXTS))
"""The name and the secret of a key: the argument spec takes both or none."""


def _run(perform: Any, options: dict[str, Any], rows: list[Any], *, check_mode: bool = False) -> None:
    zone = good_zone(*rows)
    InMemory.gives([LIST, zone] if perform in (read, keep_zone_files) else [zone])
    with tempfile.TemporaryDirectory() as folder:
        options = {**options, "state_dir": os.path.join(folder, options["state_dir"].lstrip("/"))}
        checked_result(perform, options, check_mode=check_mode)


@inputs(connection=CONNECTIONS, options=SETS, live=LIVE, served=SERVED, check_mode=st.booleans())
def test_any_record_set(connection: Any, options: Any, live: Any, served: list[str], check_mode: bool) -> None:
    """Every option of dns_record."""
    NameServers.give(served)
    _run(converge_record_set, {**connection, **options}, live, check_mode=check_mode)


@inputs(connection=CONNECTIONS, options=BULKS, live=LIVE, served=SERVED, check_mode=st.booleans())
def test_any_record_sets(connection: Any, options: Any, live: Any, served: list[str], check_mode: bool) -> None:
    """Every option of dns_records."""
    NameServers.give(served)
    _run(converge_record_sets, {**connection, **options}, live, check_mode=check_mode)


@inputs(connection=CONNECTIONS, options=ACCOUNTS, live=LIVE, served=SERVED, check_mode=st.booleans())
def test_any_zones(connection: Any, options: Any, live: Any, served: list[str], check_mode: bool) -> None:
    """Every option of dns_zones, and every file."""
    NameServers.give(served)
    if options["src"] is None and options["zones"] is None:  # the argument spec takes one
        options = {**options, "zones": []}
    _run(converge_zones, {**connection, **options}, live, check_mode=check_mode)


@inputs(connection=CONNECTIONS, options=READINGS, live=LIVE)
def test_any_reading(connection: Any, options: Any, live: Any) -> None:
    """Every option of dns_zone_info."""
    _run(read, {**connection, **options}, live)


@inputs(
    connection=CONNECTIONS,
    options=WRITINGS,
    key=KEYS,
    live=LIVE,
    there=st.dictionaries(NAMES_OF_FILES, ZONE_FILES, max_size=3),
    check_mode=st.booleans(),
)
def test_any_zones_to_files(
    connection: Any, options: Any, key: Any, live: Any, there: dict[str, str], check_mode: bool
) -> None:
    """Every option of dns_zone_files, over whatever is there; a second time writes nothing."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in there.items():
            path = Path(folder, "zones", name)
            with contextlib.suppress(FileExistsError, NotADirectoryError, IsADirectoryError):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text.encode("utf-8", "surrogatepass"))
        given = {**connection, **options, "dest": options["dest"] and f"{folder}/zones"}
        given["tsig_name"], given["tsig_key"] = key
        before = _tree(folder)
        InMemory.gives([LIST, good_zone(*live)])
        result = checked_result(keep_zone_files, given, check_mode=check_mode)
        if check_mode or result.get("failed"):
            assert _tree(folder) == before
            return
        InMemory.gives([LIST, good_zone(*live)])
        again = checked_result(keep_zone_files, {**given, "remove": False}, check_mode=False)
        assert not again.get("changed"), (result["diff"], again)


def _tree(folder: str) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}
