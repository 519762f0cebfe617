# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Quoted strings and escapes of zone files (RFC 1035, section 5.1) that are none: where, and what to write.

Places are counted from 1.
"""

from __future__ import annotations

import re

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import quoted

_ESCAPE = re.compile(r"\\([0-9]{1,3}|.|$)", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BETWEEN = re.compile(r"[ \t]*")
_MOST = 255


def reason_against_escapes(text: str) -> str | None:
    """What is wrong with the first escape in *text* that stands for no character, in one clause."""
    for found in _ESCAPE.finditer(text):
        code = found[1]
        if code.isdigit() and code.isascii() and (len(code) < 3 or int(code) > _MOST):
            return (
                f"{found[0]} at character {found.start() + 1} is no escape, which is a backslash with three digits up "
                f"to {_MOST}: write \\{found[0]} for a backslash itself"
            )
    return None


def reason_against_strings(text: str) -> str | None:
    """Why a *text* that begins with a double quote is not one or more strings in quotes, in one clause."""
    if reason := reason_against_escapes(text):
        return reason
    for found in _ESCAPE.finditer(text):
        if found[1].isascii() and found[1].isalpha():
            at = found.start() + 1
            return f"{found[0]} at character {at} is {found[1]} alone: write \\{found[0]} for a backslash itself"
    at = 0
    while at < len(text):
        string = _STRING.match(text, at)
        if string:
            at = string.end()
            between = _BETWEEN.match(text, at)
            at = between.end() if between and between.end() < len(text) else at
        elif text[at] == '"':
            return f"the double quote at character {at + 1} is never closed: leave it out, or close it"
        else:
            return f"{quoted(text[at:])} at character {at + 1} stands behind a closing quote: put all in quotes"
    return None
