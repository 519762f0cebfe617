# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What leaves a module, in a form that every way to the user can carry."""

from __future__ import annotations

from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.shown import visible
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError

DEEPEST = 32


def encodable(value: Any, depth: int = 0) -> Any:
    """*value* with lone surrogates, which no file and no terminal takes, as escapes.

    Raises ServiceError where it is nested so deep that Ansible, which walks through results by recursion, would not
    come back; only the service's own part of a result has no form of its own.
    """
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()
    if depth > DEEPEST:
        raise ServiceError(f"the service's answer is not as specified, it is nested deeper than {DEEPEST} levels", 200)
    if isinstance(value, dict):
        return {encodable(name): encodable(held, depth + 1) for name, held in value.items()}
    if isinstance(value, (list, tuple)):
        return [encodable(held, depth + 1) for held in value]
    return value


def sentence(text: str) -> str:
    """*text* for the person at the terminal, with a full stop."""
    text = visible(text)
    return text if text.endswith((".", "?")) else f"{text}."
