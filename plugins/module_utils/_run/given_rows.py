# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The entries of the lists of a task as they were written, looked at as the task itself is (``arguments``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import (
    printable,
    printable_part,
    quoted,
    shortened,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import CONTENT_NAMES
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.entries import subject
from ansible_collections.zonesmith.dns.plugins.module_utils._run.arguments import (
    MAY_BE_DICTIONARY,
    AgainstRecords,
    Spec,
    against,
)


def in_one(rows: Sequence[Any], told: Mapping[int, list[str]]) -> str:
    """What is *told* of the entries of one option, by their places, in one clause."""
    bad = [lines for lines in told.values() if lines]
    entries = "entry" if len(rows) == 1 else "entries"
    in_words = ". ".join(line.removesuffix(".") for lines in bad for line in lines)
    return f"{len(bad)} of {len(rows)} {entries} cannot be used: {in_words}"


def with_others(
    rows: Sequence[Any], told: Mapping[int, list[str]], spec: Spec, of_records: AgainstRecords
) -> dict[int, list[str]]:
    """What is *told* of entries of ``records``, and what else is: of the others, and of other values in them."""
    others = {at: _without_slips(row, spec) if told[at] else row for at, row in enumerate(rows)}
    against = of_records({at: row for at, row in others.items() if row is not None})
    merged = dict(told)
    for at, line in against.items():
        begin = f"records[{at}] {subject(rows[at])}: "
        merged[at] = [f"{told[at][0]}; {line.removeprefix(begin)}", *told[at][1:]] if told[at] else [line]
    return merged


def _without_slips(row: Any, spec: Spec) -> Any:
    """An entry without the values that YAML has made something else of; None where it cannot be looked at without."""
    if not isinstance(row, dict):
        return None
    kept = {
        key: [item for item in value if not isinstance(item, (bool, float))]
        if key in CONTENT_NAMES and isinstance(value, (list, tuple))
        else value
        for key, value in row.items()
    }
    is_empty = any(key in CONTENT_NAMES and not value for key, value in kept.items())
    return None if is_empty or [*against_row("records", 0, kept, spec)] else kept


def against_row(option: str, index: int, row: Any, spec: Spec) -> Iterator[str]:
    """What is wrong with one entry of an option as it was written, a clause each."""
    if not isinstance(row, dict):
        if not (isinstance(row, str) and MAY_BE_DICTIONARY.search(row)):
            yield f"{option}[{index}]: it is {quoted(row)}, and an entry is a dictionary{_written(row, spec)}"
        return
    missing = [f"{name} is missing" for name, rules in spec.items() if rules.get("required") and row.get(name) is None]
    if reasons := missing + against(spec, row, "key"):
        is_record_set = spec.get("type", {}).get("required", False)
        zone = f" {shortened(printable(str(row['zone'])))}" if "zone" in row else ""
        of = f" {subject(row)}" if is_record_set else zone
        yield f"{option}[{index}]{of}: {'; '.join(reasons)}"
    for name, rules in spec.items():
        if "options" in rules and isinstance(row.get(name), list):
            for number, inside in enumerate(row[name]):
                yield from against_row(f"{option}[{index}].{name}", number, inside, rules["options"])


def _written(row: Any, spec: Spec) -> str:
    """How a text is written as the first key of an entry, where no other key is needed."""
    if not isinstance(row, str) or not row.strip() or any(rules.get("required") for rules in spec.values()):
        return ""
    is_plain = row[0].isalnum() or row[0] == "_"
    return f": write - {next(iter(spec))}: {printable_part(row) if is_plain else quoted(row)}"


def usable_rows(option: str, rows: Sequence[Any], spec: Spec) -> list[Any]:
    """The entries of an option, a list, that nothing is wrong with."""
    return [row for at, row in enumerate(rows) if not [*against_row(option, at, row, spec)]]
