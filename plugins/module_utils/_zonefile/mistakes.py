# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How zone files, and lines in them, are mistaken: other files, templates, marks of git, types that are none.

Nothing here is needed to refuse them. It tells people what they did.
"""

from __future__ import annotations

import re

from .._dns.input_checks import slip_in
from .file_text import PIECES

_UNDECODED = re.compile("[\ud800-\udfff]")  # how Python and Ansible decode bytes that are not UTF-8
_UTF_16 = re.compile(r"(?:\udcff\udcfe|\udcfe\udcff|(?:[^\0]\0|\0[^\0]){4})")

_FIELD = r"""(?:"[^"\n]*"|[A-Z0-9_]*)"""
_OTHER_KINDS = {
    "a web page": r"\s*<(?:!doctype|html|head|body|\?xml)\b",
    "JSON": r"\s*(?:\{\s*[\"}]|\[\s*[\"{\[\]])",
    "CSV": rf"""(?=[A-Z0-9_"]){_FIELD}(?:([,;]){_FIELD})(?:\1{_FIELD})+\r?$""",
    "the configuration of a name server": (
        r"(?:\s|(?://|#)[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*"
        r"(?:acl|controls|key|logging|options|server|view|zone)\b[^\n;]*\{\s*$"
    ),
    "YAML": (
        r"(?:[ \t\r]*(?:#[^\n]*)?\n)*"
        r"(?:---\s*$|- +[A-Z_]+:(?: |\r?$)|[A-Z_]+:(?: +[^\s;]+)?\s*$)"
    ),
}
"""Formats often mistaken for zone files, by how they start."""
_RECORDS = (
    "lines such as 'www 300 IN A 192.0.2.1' belong there, as name servers and to_zone_file write "
    "them"
)

_LINES = (
    (
        r'[^";\0\x1a\u00a0]*(?:"(?:\\.|[^"\\])*"[^";\0\x1a\u00a0]*)*[\0\x1a\u00a0]',
        (
            "its character {end} is U+{code:04X}, which is invisible: leave it out, or write a "
            "normal space"
        ),
    ),
    (
        r"(?![ \t]*;).*(?:\{\{[^{}\n]*\}\}|\{%[^%\n]*%\})",
        (
            "a zone file is not a template: use records, with the filter from_zone_file and "
            "lookup('ansible.builtin.template', ...)"
        ),
    ),
    (
        r"(<{7}|\|{7}|={7}|>{7})( |$)",
        "it is a merge conflict marker of git: keep one version, without the markers",
    ),
    (r"\s*(#|//)", "a comment begins with ;, not with {0}"),
)
"""Lines that are no records, by how they begin."""

NO_TYPE = "there is no known record type where one belongs"
_TELLABLE = re.compile(r"[A-Za-z0-9.:-]{1,15}")
"""A plausible type, TTL or address. Any other word may be a secret, and is not shown."""
_LIKE_A_TTL = re.compile(r"-?[0-9][A-Za-z0-9]*")
_MNEMONIC = re.compile(r"[A-Za-z][A-Za-z0-9-]*")


def reason_against_text(text: str) -> str:
    """Explain in a clause why a text is no zone file; empty if it may be one. Comments may contain anything."""
    if _UTF_16.match(text):
        return "it is UTF-16 text: convert it with 'iconv -f utf-16 -t utf-8'"
    for kind, pattern in _OTHER_KINDS.items():
        if re.match(pattern, text, re.IGNORECASE | re.MULTILINE):
            return f"it is {kind}, not a zone file: {_RECORDS}"
    if _UNDECODED.search(text):
        return _reason_against_bytes(text)
    return ""


def _reason_against_bytes(text: str) -> str:
    plain = PIECES.sub(_without_comment, text)
    undecoded = _UNDECODED.search(plain)
    if not undecoded:
        return ""
    line = plain.count("\n", 0, undecoded.start()) + 1
    return (
        f"line {line} is not UTF-8 text: if the file is in windows-1252, convert it with "
        "'iconv -f windows-1252 -t utf-8'"
    )


def _without_comment(piece: re.Match[str]) -> str:
    text = piece[0]
    return "" if text.startswith(";") else text


def reason_against_line(line: str) -> str:
    """Explain in a clause what a line is in place of a record; empty if that is not known."""
    for pattern, reason in _LINES:
        found = re.match(pattern, line, re.IGNORECASE)
        if found:
            return reason.format(*found.groups(), end=found.end(), code=ord(found[0][-1]))
    return ""


def reason_against_type(word: str) -> str:
    """Explain in a clause why a *word* is no record type."""
    if not is_tellable(word):
        return NO_TYPE
    if _LIKE_A_TTL.fullmatch(word):
        return f"{word} is neither a TTL, such as 300 or 1h30m, nor a known record type"
    unknown = f"{word} is not a known record type"
    mnemonic = word.upper()
    if mnemonic in ("DKIM", "DMARC"):
        return f"{unknown}: write TXT"
    if not is_mnemonic(mnemonic) or re.match("TYPE[0-9]", mnemonic):
        return unknown
    hint = f"if the service has it, write the whole line, as in 'www 300 IN {mnemonic} ...'"
    return slip_in(mnemonic) or f"{unknown}: {hint}"


def is_mnemonic(word: str) -> bool:
    """Whether a word may be the type of a record."""
    return is_tellable(word) and _MNEMONIC.fullmatch(word) is not None


def is_tellable(word: str) -> bool:
    """Whether a word of a line that is not a record may be shown."""
    return _TELLABLE.fullmatch(word) is not None
