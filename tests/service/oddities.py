# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The oddities of a zone: what real services do, and the specification does not tell."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from settings import CHOICES, is_integer, is_number

LATE_READS = ("all", "alternate", "connection", "random")
TXT = ("", "parses", "keeps_quotes")
SPELLING = ("", "lower", "dot")
SHOWS = ("all", "no_soa", "nothing")
METHODS = ("POST", "DELETE")

HELP = """\
oddities of a zone: how services are. Each zone has its own, or those of "*", or those of --oddities; seconds throughout

  read_lag            a GET shows a write only after so long; changes by the control interface show at once
  late_reads          which reads read_lag and cache are for: all, alternate (every other one, the first one late),
                      connection (those on TCP connections of odd number), random (by seed, half of them)
  seed                a whole number for random (0)
  cache               what a GET has shown once, every GET shows until it is so old
  apply_after         a write is answered at once (best with 202: post_status, delete_status) and carried out after so
                      long, in order; what is impossible by then is dropped without a word
  apply_checks        true: writes that do not fit what is stored at their arrival are refused nevertheless
  busy_status         409 or 423, for the next three (409)
  write_takes         a write takes so long, and others on the zone are refused meanwhile
  busy_after_write    writes on the zone are refused for so long after a write
  busy_after_delete   a POST to a set that was deleted is refused for so long
  rate, rate_window   429 to more than so many requests in the window (0: no limit; 60)
  retry_after         whether that 429 has a Retry-After (true)
  post_status,        the status of a success, 200 to 206 (200); 204 has no body
  delete_status
  empty_answers       methods whose success has no body, of POST and DELETE ([])
  txt                 parses: TXT without quotes is read as zone files are: a ; begins a comment, words are chunks;
                      keeps_quotes: the quotes of quoted TXT become part of the value
  spelling            lower or dot: values of types that DNS does not know are kept in lower case, or with a final dot
  txt_read, mx_read   quoted or plain, and full or bare, in place of the settings
  ttl_min, ttl_max,   what a POST's TTL is raised or lowered to, rounded up to a multiple of, or replaced by (0: not)
  ttl_multiple,
  ttl_fixed
  refused             globs on "TYPE CONTENT" (content in zone-file form): 422 to such a POST, also of what is there
  undeletable         globs on "NAME TYPE" (name absolute): 403 to such a DELETE
  returning           globs like these: such a set is there again, as it was, some time after its DELETE:
  return_after        (0: at once)
  gone_status         the answer to a DELETE of a set that is not there: 400 to 499, or 200 with status Error (404)
  gone_first          so many DELETEs come too late: somebody else deleted that set just before (0)
  duplicate_status    the answer to a POST of a value that is there: 400 to 499 (422)
  shows               all, no_soa (the zone's answer lacks its SOA) or nothing (no record set at all)
  shows_times         so many reads show that (0: all)
"""


def _one_of(choices: tuple[object, ...]) -> tuple[Callable[[Any], bool], str]:
    return lambda value: value in choices, " or ".join(repr(choice) for choice in choices)


def _number_between(low: int, high: int) -> tuple[Callable[[Any], bool], str]:
    return lambda value: is_integer(value) and low <= value <= high, f"a whole number from {low} to {high}"


SECONDS = (lambda value: is_number(value) and value >= 0, "a number of seconds")
COUNT = (lambda value: is_integer(value) and value >= 0, "a whole number from 0")
SWITCH = (lambda value: isinstance(value, bool), "true or false")
GLOBS = (lambda value: isinstance(value, list) and all(isinstance(glob, str) for glob in value), "a list of globs")
SUCCESS = _number_between(200, 206)

CHECKS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    **dict.fromkeys(
        (
            "read_lag",
            "cache",
            "apply_after",
            "write_takes",
            "busy_after_write",
            "busy_after_delete",
            "return_after",
        ),
        SECONDS,
    ),
    **dict.fromkeys(
        ("rate", "ttl_min", "ttl_max", "ttl_multiple", "ttl_fixed", "gone_first", "shows_times", "seed"), COUNT
    ),
    **dict.fromkeys(("apply_checks", "retry_after"), SWITCH),
    **dict.fromkeys(("refused", "undeletable", "returning"), GLOBS),
    **dict.fromkeys(("post_status", "delete_status"), SUCCESS),
    "late_reads": _one_of(LATE_READS),
    "busy_status": _one_of((409, 423)),
    "rate_window": (lambda value: is_number(value) and value > 0, "a number of seconds above 0"),
    "empty_answers": (
        lambda value: isinstance(value, list) and all(method in METHODS for method in value),
        "a list of POST and DELETE",
    ),
    "txt": _one_of(TXT),
    "spelling": _one_of(SPELLING),
    "txt_read": _one_of(("", *CHOICES["txt_read"])),
    "mx_read": _one_of(("", *CHOICES["mx_read"])),
    "gone_status": (
        lambda value: is_integer(value) and (value == 200 or 400 <= value <= 499),
        "200 or a whole number from 400 to 499",
    ),
    "duplicate_status": _number_between(400, 499),
    "shows": _one_of(SHOWS),
}


@dataclasses.dataclass(frozen=True)
class Oddities:
    """Every oddity of a zone; by default it has none."""

    read_lag: float = 0.0
    late_reads: str = "all"
    seed: int = 0
    cache: float = 0.0
    apply_after: float = 0.0
    apply_checks: bool = False
    busy_status: int = 409
    write_takes: float = 0.0
    busy_after_write: float = 0.0
    busy_after_delete: float = 0.0
    rate: int = 0
    rate_window: float = 60.0
    retry_after: bool = True
    post_status: int = 200
    delete_status: int = 200
    empty_answers: list[str] = dataclasses.field(default_factory=list)
    txt: str = ""
    spelling: str = ""
    txt_read: str = ""
    mx_read: str = ""
    ttl_min: int = 0
    ttl_max: int = 0
    ttl_multiple: int = 0
    ttl_fixed: int = 0
    refused: list[str] = dataclasses.field(default_factory=list)
    undeletable: list[str] = dataclasses.field(default_factory=list)
    returning: list[str] = dataclasses.field(default_factory=list)
    return_after: float = 0.0
    gone_status: int = 404
    gone_first: int = 0
    duplicate_status: int = 422
    shows: str = "all"
    shows_times: int = 0

    @classmethod
    def from_json(cls, data: object) -> Oddities:
        """Read oddities; ValueError tells what is wrong."""
        if not isinstance(data, dict):
            raise ValueError("Oddities must be a JSON object.")
        for name, value in data.items():
            if name not in CHECKS:
                raise ValueError(f"There is no oddity {name}.")
            good, wanted = CHECKS[name]
            if not good(value):
                raise ValueError(f"{name} must be {wanted}, not {value!r}.")
        return cls(**data)

    def as_json(self) -> dict[str, Any]:
        """Return every oddity with its value."""
        return dataclasses.asdict(self)

    def kept_ttl(self, ttl: int) -> int:
        """The TTL that is kept in place of the one that was sent, both in seconds."""
        if self.ttl_fixed:
            return self.ttl_fixed
        if self.ttl_multiple:
            ttl = -(-ttl // self.ttl_multiple) * self.ttl_multiple
        ttl = max(ttl, self.ttl_min)
        return min(ttl, self.ttl_max) if self.ttl_max else ttl
