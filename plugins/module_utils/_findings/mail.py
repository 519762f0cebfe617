# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rules on mail beside SPF: null MX, DMARC (RFC 7489), DKIM (RFC 6376). Each yields a set's key and a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import partial

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.spf import is_spf, terms
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.zone_view import (
    Rule,
    Said,
    ZoneView,
    hosts,
    is_number,
    labels,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._findings.dkim import key_of

_DMARC = re.compile(r"v[ \t]*=[ \t]*(DMARC1)[ \t]*(?:;|$)", re.IGNORECASE)
_LIKE_DMARC = re.compile(r"v[ \t]*=[ \t]*dmarc", re.IGNORECASE)
_LIKE_DKIM = re.compile(r"[\W_]*v\s*=\s*dkim", re.IGNORECASE)
_REPORT_TO = re.compile(r"[ \t]*[a-z][a-z0-9+.-]*:[^ \t]+(?:![0-9]+[kmgt]?)?[ \t]*", re.IGNORECASE)
_POLICIES = frozenset({"none", "quarantine", "reject"})
SHORTEST_KEY = 1024
SHORT_KEY = 2048


def _is_one_of(words: Collection[str], value: str) -> bool:
    return value.lower() in words


def _reports_to(value: str) -> bool:
    return all(map(_REPORT_TO.fullmatch, value.split(",")))


def _are_all_of(words: Collection[str], separators: str, value: str) -> bool:
    return all(word.strip().lower() in words for word in re.split(separators, value))


_TAGS: dict[str, tuple[Callable[[str], bool], str]] = {
    "adkim": (partial(_is_one_of, ("r", "s")), "r or s"),
    "aspf": (partial(_is_one_of, ("r", "s")), "r or s"),
    "fo": (partial(_are_all_of, ("0", "1", "d", "s"), ":"), "0, 1, d and s, with : between them"),
    "np": (partial(_is_one_of, _POLICIES), "none, quarantine or reject"),
    "pct": (lambda value: is_number(value) and int(value[:4]) <= 100, "a number from 0 to 100"),
    "psd": (partial(_is_one_of, ("y", "n", "u")), "y, n or u"),
    "rf": (partial(_are_all_of, ("afrf", "iodef"), "[: ]"), "afrf"),
    "ri": (is_number, "a number of seconds"),
    "rua": (_reports_to, "addresses such as mailto:dmarc@example.com"),
    "ruf": (_reports_to, "addresses such as mailto:dmarc@example.com"),
    "sp": (partial(_is_one_of, _POLICIES), "none, quarantine or reject"),
    "t": (partial(_is_one_of, ("y", "n")), "y or n"),
}
"""What each tag takes: those of RFC 7489, section 6.3, and those that came after it."""


def mail_without_spf(view: ZoneView) -> Said:
    """A name that takes mail and says nothing of who may send."""
    for one in view.of_type("MX"):
        texts = view.texts.get(Key(one.name, "TXT"), [])
        if not any(map(is_spf, texts)) and len(list(hosts(one))) == len(one.values):
            yield one.key, "the name takes mail and has no SPF record"


def mail_without_dmarc(view: ZoneView) -> Said:
    """Of the apex alone: names below it have its policy."""
    mx = view.names.get(view.zone, {}).get("MX")
    types_there = view.types_at(f"_dmarc.{view.zone}")
    if mx and types_there is not None and not types_there.keys() & {"TXT", "CNAME"} and any(hosts(mx)):
        yield mx.key, f"the zone takes mail, and there is no DMARC record at _dmarc.{view.zone}"


def no_mail_and_spf(view: ZoneView) -> Said:
    """A name that takes no mail and lets somebody send."""
    for key, texts in view.texts.items():
        mx = view.names[key.name].get("MX")
        if mx and not any(hosts(mx)):
            for text in filter(is_spf, texts):
                if [term.text.lower() for term in terms(text)] != ["-all"]:
                    yield (
                        key,
                        "the name takes no mail, because of its null MX, and its SPF record still lets somebody send",
                    )


def several_dmarc(view: ZoneView) -> Said:
    """More than one at a name."""
    for key, texts in _dmarc_texts(view):
        count = sum(bool(_DMARC.match(text)) for text in texts)
        if count > 1:
            yield key, f"it holds {count} DMARC records, and receivers ignore all of them"


def dmarc_not_seen(view: ZoneView) -> Said:
    """A text that is meant as a record, and that nobody takes for one."""
    for key, texts in _dmarc_texts(view):
        for text in texts:
            if _LIKE_DMARC.search(text) and not _DMARC.match(text):
                yield key, "a text is meant as a DMARC record and does not begin with v=DMARC1 and a ;"
    for key, texts in view.texts.items():
        if (key.name == view.zone or key.name.startswith("dmarc.")) and any(map(_DMARC.match, texts)):
            yield key, "a DMARC record is at a name without an underscore, and receivers look for it at _dmarc"


def dmarc_policy(view: ZoneView) -> Said:
    """A record whose policy is no policy."""
    for key, tags in _dmarc_records(view):
        for tag, value in tags:
            if tag == "p" and value.lower() not in _POLICIES:
                yield key, f"p={value} is no DMARC policy: it is none, quarantine or reject"


def dmarc_without_policy(view: ZoneView) -> Said:
    """A record that has none."""
    for key, tags in _dmarc_records(view):
        if "p" not in dict(tags):
            yield key, "the DMARC record has no p, and says nothing of what to do with mail"


def dmarc_tags(view: ZoneView) -> Said:
    """A tag that receivers leave out."""
    for key, tags in _dmarc_records(view):
        names = [tag for tag, _value in tags]
        for tag, value in tags:
            if tag == "v" and value != "DMARC1":
                yield key, f"the DMARC record begins with v={value}, and some receivers look for v=DMARC1"
            if not tag:
                yield key, f"={value} of the DMARC record is ignored: there is no tag before the ="
            elif names.count(tag) > 1:
                yield key, f"the tag {tag} of the DMARC record is there more than once"
            elif not value:
                yield key, f"the tag {tag} of the DMARC record has no value"
            elif tag in _TAGS and not _TAGS[tag][0](value):
                yield key, f"{tag}={value} of the DMARC record is ignored: {tag} takes {_TAGS[tag][1]}"
            elif tag not in _TAGS and tag not in ("p", "v"):
                yield key, f"the tag {tag} of the DMARC record is not known, and so ignored"


def several_dkim(view: ZoneView) -> Said:
    """More than one key at a name."""
    for key, texts in _dkim_texts(view):
        if len(texts) > 1:
            yield key, f"it holds {len(texts)} DKIM keys, and nobody can tell which one verifiers take"


def dkim_not_seen(view: ZoneView) -> Said:
    """A text that is meant as a key, and in which no verifier finds a version."""
    for key, texts in view.texts.items():
        if _is_of_dkim(key) and any(map(_is_meant_as_dkim, texts)):
            yield key, "a text is meant as a DKIM key and does not begin with v=DKIM1 and a ;"
        elif "domainkey" in labels(key.name) and any(map(_LIKE_DKIM.match, texts)):
            yield key, "a DKIM key is at a name without an underscore, and verifiers look for it below _domainkey"


def dkim_key(view: ZoneView) -> Said:
    """A key that no verifier can use."""
    for key, texts in _dkim_texts(view):
        for text in texts:
            problem, bits = key_of(text)
            if problem:
                yield key, f"the DKIM key cannot be used, {problem}"
            elif bits and bits < SHORTEST_KEY:
                yield key, f"the DKIM key has {bits} bits, and verifiers take none below {SHORTEST_KEY}"


def short_dkim_key(view: ZoneView) -> Said:
    """A key that is still taken."""
    for key, texts in _dkim_texts(view):
        for text in texts:
            problem, bits = key_of(text)
            if not problem and bits and SHORTEST_KEY <= bits < SHORT_KEY:
                yield key, f"the DKIM key has {bits} bits, and should have {SHORT_KEY}"


def _dmarc_texts(view: ZoneView) -> Iterator[tuple[Key, list[str]]]:
    return ((key, texts) for key, texts in view.texts.items() if key.name.startswith("_dmarc."))


def _dmarc_records(view: ZoneView) -> Iterator[tuple[Key, list[tuple[str, str]]]]:
    """The tags of each record, in order; reports are allowed at names of another form (RFC 7489, section 7.1)."""
    for key, texts in _dmarc_texts(view):
        for text in texts:
            if _DMARC.match(text):
                parts = (part.partition("=") for part in text.split(";") if part.strip())
                yield key, [(tag.strip().lower(), value.strip()) for tag, _equals, value in parts]


def _dkim_texts(view: ZoneView) -> Iterator[tuple[Key, list[str]]]:
    for key, texts in view.texts.items():
        if _is_of_dkim(key):
            keys = [text for text in texts if _is_dkim(text)]
            if keys:
                yield key, keys


def _is_of_dkim(key: Key) -> bool:
    return "._domainkey." in key.name and "_domainkey" in labels(key.name)[1:]


def _is_meant_as_dkim(text: str) -> bool:
    """Whether something that is no tag stands before the version, such as a quote."""
    return bool(_LIKE_DKIM.match(text)) and not text.lstrip(" \t").lower().startswith("v")


def _is_dkim(text: str) -> bool:
    if _is_meant_as_dkim(text):
        return False
    tags = [part.partition("=")[0].strip() for part in text.split(";")]
    return "p" in tags or text.lower().lstrip().startswith("v=dkim")


RULES = (
    Rule("dmarc-several", "error", "RFC 7489, section 6.6.3", "A name has more than one DMARC record.", several_dmarc),
    Rule(
        "dmarc-not-seen",
        "error",
        "RFC 7489, section 6.4",
        "A text that is meant as a DMARC record is none.",
        dmarc_not_seen,
    ),
    Rule(
        "dmarc-policy",
        "error",
        "RFC 7489, section 6.3",
        "The policy of a DMARC record is none of the three.",
        dmarc_policy,
    ),
    Rule("dmarc-no-policy", "warning", "RFC 7489, section 6.3", "A DMARC record has no policy.", dmarc_without_policy),
    Rule(
        "dmarc-tag",
        "warning",
        "RFC 7489, section 6.3",
        "A tag of a DMARC record is not known, there twice, or has a value that it does not take.",
        dmarc_tags,
    ),
    Rule(
        "dkim-key",
        "error",
        "RFC 6376, section 3.6.1; RFC 8301, section 3.2; RFC 8463",
        "A DKIM key does not decode, or has fewer than 1024 bits.",
        dkim_key,
    ),
    Rule(
        "dkim-not-seen",
        "error",
        "RFC 6376, section 3.6.1",
        "A text that is meant as a DKIM key is none.",
        dkim_not_seen,
    ),
    Rule("dkim-several", "warning", "RFC 6376, section 3.6.2.2", "A name has more than one DKIM key.", several_dkim),
    Rule("dkim-short", "info", "RFC 8301, section 3.2", "A DKIM key has fewer than 2048 bits.", short_dkim_key),
    Rule("mail-no-spf", "info", "RFC 7208, section 3", "A name takes mail and has no SPF record.", mail_without_spf),
    Rule(
        "mail-no-dmarc",
        "info",
        "RFC 7489, section 6.1",
        "The zone takes mail and has no DMARC record.",
        mail_without_dmarc,
    ),
    Rule(
        "no-mail-spf",
        "info",
        "RFC 7505, section 4.2",
        "A name takes no mail, and its SPF record lets somebody send.",
        no_mail_and_spf,
    ),
)
