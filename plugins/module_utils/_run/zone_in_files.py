# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A zone written into its file, or into those of its parts that have its sets."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable, printable_part
from ansible_collections.zonesmith.dns.plugins.module_utils._run.kept_files import Kept, UnusableFile
from ansible_collections.zonesmith.dns.plugins.module_utils._run.zone_folder import File
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import Source
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.included import Included
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_file import read_zone_parts
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_over import parts_written_over, written_over
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_text import pretty_zone_file

Records = Iterable[Mapping[str, Any]]
"""Record sets as ``dns_zone_info`` returns them."""


def records_in(zone: str, path: str, found: File) -> list[dict[str, Any]]:
    """The record sets of a *zone* (canonical) that its files at *path* have, as they were *found*.

    Raises InvalidZoneFile.
    """
    place = printable(path)
    if "parts" not in found:
        return read_zone_parts([Source(place, found.get("text") or "")], zone, place=place, is_held=True)
    parts = [Source(f"{place}/{printable_part(name)}", text) for name, text in found["parts"].items()]
    return read_zone_parts(parts, zone, place=place, included=Included(zone, place, found["included"]), is_held=True)


def zone_in_files(zone: str, records: Records, path: str, found: File, *, update: bool) -> tuple[list[Kept], list[str]]:
    """The files of a *zone* (canonical) as they are to be, which are at *path* as they were *found*; and what to tell.

    With *update* only lines whose set differs change; without, a file is written anew. Each part keeps its sets. Raises
    InvalidZoneFile, UnusableFile.
    """
    place = printable(path)
    if "parts" in found:
        if not update:
            raise UnusableFile(f"{place} has the zone in parts, which are only written with update")
        places = {name: f"{place}/{printable_part(name)}" for name in found["parts"]}
        texts = {places[name]: text for name, text in found["parts"].items()}
        written, told = parts_written_over(texts, zone, records, included=found["included"], folder=place)
        return [
            Kept(os.path.join(path, name), text, written[places[name]], is_part=True)
            for name, text in found["parts"].items()
        ], told
    before = found.get("text")
    if before is None or not update:
        return [Kept(path, before, pretty_zone_file(records, zone))], []
    after, told = written_over(before, zone, records, place=place)
    return [Kept(path, before, after)], told
