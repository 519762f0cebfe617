# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Explains why dnspython rejects a value. Positions count from 1."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from ipaddress import IPv4Address, IPv6Address
from itertools import pairwise, zip_longest

from .printable import printable_part, quoted
from .record_types import RecordType, known_of

_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_ITEMS: dict[str, tuple[str, Callable[[str], object]]] = {
    "ech": ("base64", _BASE64.fullmatch),
    "ipv4hint": ("IPv4 addresses", IPv4Address),
    "ipv6hint": ("IPv6 addresses", IPv6Address),
}
_ESCAPE = re.compile(r"\\([0-9]{1,3}|.|$)", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"(?:[ \t]+(?=[^ \t]))?', re.DOTALL)
_DECIMAL = re.compile("[0-9]{1,20}")
_DIGITS_MEANT = str.maketrans("OoIl", "0011")
_LAST_BYTE = 255
OF_LINE = "it is a whole line of a zone file, but only the value belongs here"
A_LIST = "it has a comma, but several values must be a list"
_PARAMETER = re.compile(
    r"(?:alpn|dohpath|ech|ipv[46]hint|key[0-9]+|mandatory|no-default-alpn|ohttp|port)\b"
)

# Messages of dnspython, and ours for them.
_WORDS: tuple[tuple[str, str], ...] = (
    (r'expected EOL or EOF, got \d+ "(#|//).*"', r"a comment begins with ;, not with \1"),
    (
        r"string too long",
        (
            "a text in it has more than 255 bytes, so write several, "
            "each in quotes, separated by spaces"
        ),
    ),
    (
        r'expected EOL or EOF, got \d+ "([0-9a-f]*[.:][0-9a-f.:]+)"',
        r"\1 is unexpected: several values must be a list",
    ),
    (r'expected EOL or EOF, got \d+ "(.*)"', r"\1 is unexpected"),
    (r"(-?\d+) is not an unsigned 8-bit integer", r"\1 is not a number from 0 to 255"),
    (r"(-?\d+) is not an unsigned 16-bit integer", r"\1 is not a number from 0 to 65535"),
    (r"(-?\d+) is not an unsigned 32-bit integer", r"\1 is not a number from 0 to 4294967295"),
    (r"algorithm must be .*", "its algorithm is not a number from 0 to 255"),
    (r"Text input ended unexpectedly", "double quotes are not closed, or it ends in a backslash"),
    (r"newline in quoted string", "a text in double quotes has to end on its line"),
    (r"unbalanced parentheses", "a parenthesis is not closed"),
    (
        r"A DNS label is empty",
        "a name in it has an empty label (two dots in a row, or a dot at its start)",
    ),
    (
        r"A DNS label is > 63 octets long",
        "a name in it has a label of more than 63 bytes (RFC 1035, section 2.3.4)",
    ),
    (
        r"A DNS name is > 255 octets long",
        "a name in it has more than 255 bytes (RFC 1035, section 2.3.4)",
    ),
    (
        r"An escaped code .* is invalid|ubyte format requires .*",
        "a backslash in it does not start an escape",
    ),
    (
        (
            r"IDNA processing exception: "
            r"Codepoint U\+(201[0-5]|2212) at position (\d+) of (.*) not allowed"
        ),
        r"character \2 of \3 is U+\1, a dash: write a hyphen (-)",
    ),
    (r"IDNA processing exception: (.*)", r"a name in it cannot be written in A-labels (\1)"),
    (
        r"DNS TTL value is not well-formed|unknown unit '.*'|bad \$TTL",
        "a TTL in it is neither in seconds nor as in 5m or 1h30m",
    ),
    (r"expecting an integer", "a number is missing"),
    (
        (
            r"expecting (an|another) (identifier|string)|expecting a string|"
            r"URI target must be a string"
        ),
        "it ends too early",
    ),
    (r"Odd-length string|.*[Hh]exadecimal.*", "its data is not pairs of hexadecimal digits"),
    (r".*base64.*|.*padding.*", "its data is not base64"),
    (r"(.*) length inconsistent with (.*)", r"its \1 does not have the length for its \2"),
    (r"tag is not alphanumeric", "its tag may have only letters and digits"),
    (r"Unknown SVCB ParamKey", "it has an unknown parameter"),
    (r"port is not an integer|not a uint16", "its port is not a number from 0 to 65535"),
    (r"value cannot be empty", "a parameter needs a value"),
    (r"parameters in AliasMode", "with priority 0, no parameters are allowed"),
    (
        r"empty bytes not allowed",
        "a parameter has an empty item: use spaces only between parameters",
    ),
    (
        r"key \d+ declared mandatory but not present",
        "its mandatory names a parameter that is missing",
    ),
    (r"whitespace after =", "a parameter has nothing after its ="),
    (r'invalid key "(.*)"', r"\1 is not a parameter, such as alpn=h2"),
    (r"no-default-alpn with non-empty value", "no-default-alpn takes no value"),
    (r"duplicate key .*", "a parameter occurs twice"),
    (r"URI target cannot be empty", "its URI is empty"),
    (
        r"generic rdata does not start with .*",
        r"a value of a numbered type begins with \\# (RFC 3597, section 5)",
    ),
    (r"generic rdata hex data has wrong length", "its data is not as long as it says"),
    (r"Exceeds the limit .*", "a number in it has thousands of digits"),  # Python's limit on digits
    (r"Text input is malformed", "a part of it is not an address"),
    (r"|.*(unpack|invalid literal for|out of range|Input text must).*", "it cannot be read"),
)


def reason_in_words(rdtype: str, text: str | None, error: str) -> str:
    """Why *text* (None if unknown) is no value; *error* is dnspython's message."""
    reason = reason_against_escapes(text or "")
    if reason:
        return reason
    known = known_of(rdtype)
    found = None
    if text is not None:
        found = next(_mistakes(rdtype, text.strip(), known), None)
    found = found or translated(error)
    if not known.parts or "whose type" in found:
        return found
    return f"{found}; write {known.parts}, as in '{known.example}'"


def _mistakes(rdtype: str, text: str, known: RecordType) -> Iterator[str]:
    """What is wrong with a text, the likeliest mistake first."""
    if re.match(rf"(\S+\s+){{0,3}}{rdtype}\s", text, re.IGNORECASE):
        yield OF_LINE
    if rdtype == "A":
        yield from _mistakes_in_ipv4(text)
    if rdtype == "AAAA":
        yield from _mistakes_in_ipv6(text)
    for pattern, message in known.mistakes:
        if re.search(pattern, text, re.IGNORECASE):
            yield message
    if not known.parts:
        return
    if "," in text and not known.has_commas:
        yield A_LIST
    words = text.split()
    yield from _mistakes_in_numbers(words, known.numbers)
    if known.has_parameters:
        yield from _mistakes_in_parameters(words)
    is_quoted = known.example.startswith('"')
    if text.startswith('"') and not known.numbers and not is_quoted:
        quotes = text.replace('\\"', "").count('"')
        yield "it is in quotes" if quotes % 2 == 0 else "a double quote in it is never closed"


def _mistakes_in_numbers(words: list[str], names: tuple[str, ...]) -> Iterator[str]:
    """*names* are those of the numbers that *words* begin with."""
    for name, word in zip_longest(names, words[: len(names)], fillvalue=""):
        if not word:
            yield f"its {name} is missing"
        elif re.fullmatch(r"-[0-9]+", word):
            yield f"its {name} is below 0"
        elif not re.fullmatch(r"[0-9]+", word):
            yield f"its {name} is {printable_part(word)}, which is not a number"


def _mistakes_in_parameters(words: list[str]) -> Iterator[str]:
    for before, word in pairwise(words):
        if "=" in before and "=" not in word and not _PARAMETER.match(word):
            what = printable_part(word)
            yield f"{what} comes after a space: separate items only with commas, as in alpn=h2,h3"
    for word in words:
        if '","' in word:
            yield "its items are quoted one by one: separate items only with commas"
        key, _equals, value = word.partition("=")
        items = value.strip('"')
        if key not in _ITEMS or not items:
            continue
        what, read = _ITEMS[key]
        for item in items.split(","):
            if not _is_read(read, item):
                yield f"{key} takes {what}, but {printable_part(item) or 'nothing'} is not one"


def _mistakes_in_ipv4(text: str) -> Iterator[str]:
    yield from _mistakes_in_address(text)
    if _is_read(IPv6Address, text):
        yield "it is an IPv6 address, whose type is AAAA"
    with_digits = text.translate(_DIGITS_MEANT)
    if _is_read(IPv4Address, with_digits):
        yield "it has a letter (O, I or l) where a digit belongs"
    yield from _name_in_place_of_address(text)
    numbers = text.split(".")
    if not all(_DECIMAL.fullmatch(number) for number in numbers):
        return
    highest = max(map(int, numbers))
    if len(numbers) == 1:
        yield "it has 1 number, not 4"
    elif len(numbers) != 4:
        yield f"it has {len(numbers)} numbers, not 4"
    elif highest > _LAST_BYTE:
        yield f"{highest} is above {_LAST_BYTE}"


def _mistakes_in_ipv6(text: str) -> Iterator[str]:
    yield from _mistakes_in_address(text)
    if _is_read(IPv4Address, text):
        yield "it is an IPv4 address, whose type is A"
    yield from _name_in_place_of_address(text)
    if re.fullmatch(r"[0-9a-z.]*:[0-9a-z.:]*", text, re.IGNORECASE):
        yield from _mistakes_in_groups(text)


def _mistakes_in_address(text: str) -> Iterator[str]:
    found = re.search(r"[^\x00-\x7f]", text)
    if found:
        odd, at = found[0], found.start() + 1
        yield f"its character {at} is U+{ord(odd):04X}, {unicodedata.name(odd, 'no letter')}"


def _name_in_place_of_address(text: str) -> Iterator[str]:
    is_name = re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)*\.?", text, re.IGNORECASE)
    if is_name and re.search(r"[g-z]", text, re.IGNORECASE):
        yield "it is a name, whose type would be CNAME"


def _mistakes_in_groups(text: str) -> Iterator[str]:
    """What is wrong with the parts of an IPv6 address between colons."""
    if ":::" in text or text.count("::") > 1:
        yield "it has '::' more than once"
    groups = text.split(":")
    count = sum(map(bool, groups))
    if "." in groups[-1]:  # an IPv4 address, in place of two
        count += 1
        groups.pop()
    for group in groups:
        if not re.fullmatch(r"[0-9a-f]{0,4}", group, re.IGNORECASE):
            yield f"{printable_part(group)} is not one to four hexadecimal digits"
    if re.search("^:[^:]|[^:]:$", text):
        yield "it has a single ':' at one end"
        return
    if "::" in text and count >= 8:
        yield f"it has {count} groups, which leave nothing for '::' to stand for"
    elif "::" not in text and count < 8:
        yield f"it has {count} groups and no '::' for the others"
    elif "::" not in text and count > 8:
        yield f"it has {count} groups and not 8"


def _is_read(read: Callable[[str], object], text: str) -> bool:
    try:
        return bool(read(text))
    except ValueError:
        return False


def translated(error: str) -> str:
    """In plain words, if known."""
    error = error.rstrip(".")
    for pattern, words in _WORDS:
        match = re.fullmatch(pattern, error)
        if match:
            return printable_part(match.expand(words))
    return printable_part(error)


def reason_against_escapes(text: str) -> str | None:
    """Why the first invalid escape is wrong."""
    for found in _ESCAPE.finditer(text):
        escape, code = found.group(0, 1)
        is_number = code.isascii() and code.isdigit()
        if is_number and (len(code) < 3 or int(code) > _LAST_BYTE):
            at = found.start() + 1
            return (
                f"{escape} at character {at} is not an escape, which is a backslash and three "
                f"digits up to {_LAST_BYTE}: write \\{escape} for a backslash itself"
            )
    return None


def reason_against_strings(text: str) -> str | None:
    """Why *text*, which starts with a double quote, is not a series of quoted strings."""
    reason = reason_against_escapes(text)
    if reason:
        return reason
    for found in _ESCAPE.finditer(text):
        escape, letter = found.group(0, 1)
        if letter.isascii() and letter.isalpha():
            at = found.start() + 1
            instead = f"write \\{escape} for a backslash itself"
            return f"{escape} at character {at} is {letter} alone: {instead}"
    at = 0
    while at < len(text):
        string = _STRING.match(text, at)
        if string:
            at = string.end()
        elif text[at] == '"':
            return (
                f"the double quote at character {at + 1} is never closed: leave it out, or close it"
            )
        else:
            rest = f"{quoted(text[at:])} at character {at + 1}"
            return f"{rest} comes after a closing quote: put everything in quotes"
    return None
