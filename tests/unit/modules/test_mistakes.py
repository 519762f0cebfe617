# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Everyday mistakes that are legal DNS: what people are told."""

from __future__ import annotations

from typing import Any

import pytest
from shorthand import Run

MAIL = "@ 300 MX 10 mail.example.net.\n@ 300 TXT v=spf1 mx -all\nwww 300 A 192.0.2.1"
INSERTED = '@ A 192.0.2.1\nnew A 192.0.2.9\n MX 10 mail.example.net.\n TXT "v=spf1 mx -all"\nwww A 192.0.2.1\n'
WHOLE_NAMES = "a.example.com A 192.0.2.1\nb.example.com A 192.0.2.1\n"

FILES = {
    "a host above lines without a name": (
        "x",
        INSERTED,
        "new.example.com. MX gets what example.com. MX loses",
    ),
    "a host without its dot beside a wildcard": (
        "x",
        "* A 192.0.2.1\n@ MX 1 aspmx.l.google.com",
        "example.com. MX: aspmx.l.google.com.example.com. looks like the full name aspmx.l.google.com. with",
    ),
    "the file of another zone": (
        "z/example.org.zone",
        "www A 192.0.2.1",
        "is named like the file of another zone",
    ),
    "the file of the zone": ("z/example.com.zone", "www A 192.0.2.1", ""),
    "a file of no zone": ("z/parked.zone", "www A 192.0.2.1", ""),
    "whole names without a dot": ("x", WHOLE_NAMES, "write $ORIGIN . in its first line"),
    "one of them": (
        "x",
        "a.example.com A 192.0.2.1",
        "it ends in the name of the zone twice: write a.example.com.",
    ),
}


@pytest.mark.parametrize(("src", "text", "expected"), FILES.values(), ids=FILES)
def test_a_file(zone: Any, run: Run, src: str, text: str, expected: str) -> None:
    zone.holds(MAIL)
    files = {src: {"text": f"$TTL 300\n{text}\n"}}
    result = run(
        "dns_records",
        zone="example.com",
        src=src,
        prune=True,
        findings="off",
        check=True,
        _files=files,
    )
    messages = " ".join([result.get("msg", ""), *result.get("warnings", ())])
    assert expected in messages if expected else "named like" not in messages


@pytest.mark.parametrize("zones", ["example.com example.org", "example.com, example.org"])
def test_zones_as_a_text(run: Run, zones: str) -> None:
    message = "zones is a text, but must be a list: write - {zone: 'example.com'}, and one such line for each zone"
    assert message in run("dns_zones", zones=zones)["msg"]


@pytest.mark.parametrize(("name", "is_told"), [("w*", True), ("*.dev", False), ("www", False)])
def test_a_glob_in_names(zone: Any, run: Run, name: str, is_told: bool) -> None:
    zone.holds(MAIL)
    warnings = run("dns_zone_info", zone="example.com", names=[name]).get("warnings", [])
    assert (
        warnings
        == [f"names: '{name}' is taken literally, as names takes no globs: write each name"]
        * is_told
    )
