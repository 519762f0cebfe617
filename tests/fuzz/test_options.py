# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whatever a user types in the options: a result, or one sentence that says what is wrong with them."""

import contextlib
import os
import tempfile
from pathlib import Path

import pytest
from answers import Answer, InMemory, NameServers
from fuzzing import TOKEN, checked_result
from hostile import (
    NAMES,
    NUMBERS,
    RECORDS,
    SERVED,
    TEXTS,
    TYPES,
    VALUES,
    ZONE,
    ZONE_FILES,
    as_json,
    good_zone,
    mostly,
)
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.zonesmith.dns.plugins.modules import (
    dns_record,
    dns_records,
    dns_zone_files,
    dns_zone_info,
    dns_zones,
)

LIST = Answer(
    body=as_json(
        {"status": "Success", "total": 1, "data": [{"name": ZONE, "slug": "x", "status": True}]}
    )
)
CONTENTS = st.one_of(st.none(), st.lists(VALUES, max_size=4))
KNOWN = {
    "base_url": mostly(st.just("http://127.0.0.1"), st.builds("http://127.0.0.1{}".format, TEXTS)),
    "access_token": mostly(
        st.just(TOKEN), st.one_of(TEXTS.map(lambda text: TOKEN + text), st.just(""))
    ),
    "retries": mostly(st.just(1), st.integers(max_value=5)),
    # Where folders are made: never outside the temporary one.
    "state_dir": mostly(st.just("state"), TEXTS.filter(lambda text: ".." not in text)),
    **dict.fromkeys(("state_url", "plan_dir"), st.none()),
    "zone": mostly(st.sampled_from([ZONE, "Example.COM.", "example.com"]), NAMES),
    "name": NAMES,
    "names": st.one_of(st.none(), st.lists(NAMES, max_size=3)),
    "type": TYPES,
    "types": st.one_of(st.none(), st.lists(TYPES, max_size=3)),
    "content": CONTENTS,
    "ttl": mostly(st.sampled_from([None, 0, 300]), NUMBERS),
    "priority": mostly(st.sampled_from([None, None, 10]), NUMBERS),
    "concurrency": mostly(st.just(1), st.one_of(st.sampled_from([0, 2, "auto", "8"]), NUMBERS)),
}
"""What may stand in options of these names; in others, what their type says."""
OF_TYPE = {
    "str": TEXTS,
    "path": TEXTS,
    "raw": TEXTS,
    "int": NUMBERS,
    "float": st.floats(),
    "bool": st.booleans(),
}


def option(name, spec):
    """What may stand in an option: its default mostly, where nothing is known of it."""
    if name in KNOWN:
        return KNOWN[name]
    if "choices" in spec:
        one = st.sampled_from(spec["choices"])
    elif "options" in spec:
        one = options(spec["options"])
    else:
        one = OF_TYPE.get(spec.get("elements", spec["type"]), st.nothing())
    if spec["type"] not in ("bool", "list") and "choices" not in spec:
        return mostly(st.just(spec.get("default")), one)
    one = st.lists(one, max_size=3) if spec["type"] == "list" else one
    return one if "default" in spec else st.one_of(st.none(), one)


def options(specs, **others):
    """What may stand in all options; in *others* as is said here."""
    return st.fixed_dictionaries(
        {**{name: option(name, spec) for name, spec in specs.items()}, **others}
    )


LIVE = st.lists(RECORDS, max_size=4)

# Several zones, whose answers are all the same; what the action found in files is what anybody may have put there.
PATHS = mostly(
    st.sampled_from([f"zones/{ZONE}zone", "zones/EXAMPLE.com.zone", "zones/0%2F25.zone"]), TEXTS
)
PARTS = st.dictionaries(
    mostly(st.sampled_from(["a.zone", "b.zone"]), TEXTS), ZONE_FILES, min_size=1, max_size=3
)
INCLUDED = st.dictionaries(
    mostly(st.sampled_from(["x", "x/y"]), TEXTS), ZONE_FILES.map(lambda text: {"text": text})
)
FOUND = st.one_of(
    ZONE_FILES.map(lambda text: {"text": text}),
    st.fixed_dictionaries({"parts": PARTS, "included": INCLUDED}),
    TEXTS.map(lambda reason: {"reason": reason}),
)
SRC = mostly(st.none(), PATHS)
# Whose records are looked at by the module, and not by Ansible.
ENTRIES = options(dns_records.OPTIONS["records"]["options"])
SEVERAL = options(
    dns_zones.OPTIONS["zones"]["options"],
    src=SRC,
    records=st.one_of(st.none(), mostly(st.lists(mostly(ENTRIES), max_size=3))),
)
ACCOUNTS = options(
    dns_zones.OPTIONS,
    zones=mostly(st.lists(SEVERAL, max_size=4), st.none()),
    records=st.none(),
    src=mostly(st.none(), st.one_of(st.just("zones"), PATHS)),
    _files=st.one_of(
        st.none(), st.dictionaries(st.one_of(st.just("zones"), PATHS), FOUND, max_size=4)
    ),
    concurrency=mostly(st.sampled_from([1, 3, "auto"]), NUMBERS),
)

NAMES_OF_FILES = st.sampled_from(
    [
        *(f"{ZONE}.zone{part}" for part in ("", "/a.zone", "/b.zone", "/x")),
        "Example.com.zone",
        "other.example.zone",
    ]
)
WRITINGS = options(
    dns_zone_files.OPTIONS,
    dest=mostly(st.just("zones"), st.just("")),
    zones=mostly(st.none(), st.lists(mostly(st.sampled_from([ZONE, "*"]), TEXTS), max_size=3)),
)


def _with_source(options):
    """The argument spec takes either ``src`` or ``zones``."""
    if options["src"] is None and options["zones"] is None:
        return {**options, "zones": []}
    return options


TASKS = {
    "record set": (dns_record.converge_record_set, options(dns_record.OPTIONS)),
    "record sets": (
        dns_records.converge_record_sets,
        options(dns_records.OPTIONS, src=st.none(), records=st.lists(ENTRIES, max_size=5)),
    ),
    "zones": (dns_zones.converge_zones, ACCOUNTS.map(_with_source)),
    "reading": (dns_zone_info.read, options(dns_zone_info.OPTIONS)),
}


@pytest.mark.parametrize("perform, typed", TASKS.values(), ids=TASKS)
@given(data=st.data(), live=LIVE, served=SERVED, check_mode=st.booleans())
def test_any_options(perform, typed, data, live, served, check_mode):
    """Every option of a module, and every file."""
    NameServers.give(served)
    zone = good_zone(*live)
    InMemory.gives([LIST, zone] if perform is dns_zone_info.read else [zone])
    options = data.draw(typed)
    with tempfile.TemporaryDirectory() as folder:
        options["state_dir"] = os.path.join(folder, options["state_dir"].lstrip("/"))
        checked_result(perform, options, check_mode=check_mode)


@given(
    options=WRITINGS,
    live=LIVE,
    there=st.dictionaries(NAMES_OF_FILES, ZONE_FILES, max_size=3),
    check_mode=st.booleans(),
)
def test_any_zones_to_files(options, live, there, check_mode):
    """Every option of dns_zone_files, over whatever is there; a second time writes nothing."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in there.items():
            path = Path(folder, "zones", name)
            with contextlib.suppress(FileExistsError, NotADirectoryError, IsADirectoryError):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text.encode("utf-8", "surrogatepass"))
        given = {**options, "dest": options["dest"] and f"{folder}/zones"}
        before = _tree(folder)
        InMemory.gives([LIST, good_zone(*live)])
        result = checked_result(dns_zone_files.keep_zone_files, given, check_mode=check_mode)
        if check_mode or result.get("failed"):
            assert _tree(folder) == before
            return
        InMemory.gives([LIST, good_zone(*live)])
        again = checked_result(
            dns_zone_files.keep_zone_files, {**given, "remove": False}, check_mode=False
        )
        assert not again.get("changed"), (result["diff"], again)


def _tree(folder):
    return {str(path): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}
