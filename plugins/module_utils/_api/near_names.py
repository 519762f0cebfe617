# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which of the listed zones may be meant by the name of one that there is not."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.look_alikes import look_alikes, seen_as
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import with_u_labels

NEAR_AMONG = 10_000
"""Among how many listed zones a similar name is looked for."""

NEAR_ENOUGH = 0.6
"""How like two names are at least (difflib's ratio) for one to be taken for the other."""


def near_names(zone: str, listed: Sequence[str]) -> list[str]:
    """Up to three of the listed names that may be meant, the likeliest first: those that look the same above all."""
    likeness = ((_likeness(_seen(zone), _seen(other)), other) for other in listed[:NEAR_AMONG])
    near = sorted((-ratio, other) for ratio, other in likeness if ratio >= NEAR_ENOUGH)
    return [other for _ratio, other in near[:3]]


def not_what_they_seem(zone: str) -> list[str]:
    """A clause for each letter of a zone's name that is of another script than those around it."""
    labels = with_u_labels(zone).split(".") if "xn--" in zone else []
    return list(dict.fromkeys(clause for label in labels for clause in look_alikes(label)))


def _seen(name: str) -> str:
    return seen_as(with_u_labels(name) if "xn--" in name else name)


def _likeness(zone: str, other: str) -> float:
    """How like two names are, but for the labels that both end in: those of one account mostly end alike."""
    if zone.endswith(f".{other}"):
        return 1.0
    one, two = zone.split("."), other.split(".")
    while one and two and one[-1] == two[-1]:
        one.pop()
        two.pop()
    if not one and not two:
        return 1.0
    compared = SequenceMatcher(None, ".".join(one), ".".join(two))
    is_far = compared.real_quick_ratio() < NEAR_ENOUGH or compared.quick_ratio() < NEAR_ENOUGH
    return 0.0 if is_far else compared.ratio()
