# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the specification says about the fields of requests and answers. No HTTP, no store."""

import dns.name
import names
import values
from settings import is_integer
from store import RefusedError, Write

CREATED = {"status": "Success", "message": "Domain record created successfully."}
DELETED = {"status": "Success", "message": "Domain record deleted successfully."}


def addition(body, zone, settings):
    """Read the body of a POST."""
    if not isinstance(body, dict):
        raise RefusedError(422, "The body must be a JSON object.")
    origin = dns.name.from_text(zone)
    fields = _Fields(body)
    name = fields.take("name", _text, lambda text: names.relative(text, origin).to_text())
    rtype = fields.take("type", _text, values.type_name)
    content = fields.take("content", _text)
    ttl = fields.take("ttl", _integer(0, values.MAX_TTL))
    if rtype == "MX":
        priority = fields.take("priority", _integer(0, 65535))
        content = fields.then("content", content, lambda host: f"{priority} {_host(host)}")
    elif rtype == "TXT":
        content = fields.then("content", content, lambda text: _txt(text, settings.txt_write))
    fields.finish()
    _guard(name, rtype, origin)
    return Write((name, rtype), content, ttl)


def deletion(query, zone):
    """Read the query of a DELETE: a name and a type."""
    pairs = list(query)
    origin = dns.name.from_text(zone)
    fields = _Fields(dict(pairs))
    name = fields.take("name", _text, lambda text: names.inside(text, origin).to_text())
    rtype = fields.take("type", _text, values.type_name)
    if len(pairs) != 2:
        fields.wrong("query", "The query must hold name and type, each once, and nothing else.")
    fields.finish()
    _guard(name, rtype, origin)
    return Write((name, rtype))


def zone_list(zones, settings):
    """Return the answer that lists the zones."""
    data = [{"name": zone.name, "slug": zone.slug, "status": zone.status} for zone in zones]
    return {
        "status": "Success",
        "message": "OK",
        "total": len(data) + settings.list_total_extra,
        "data": data,
    }


def zone_detail(sets, settings):
    """Return the answer that shows one zone."""
    return {"status": "Success", "message": "OK", "data": {"records": shown(sets, settings)}}


def shown(sets, settings):
    """Return record sets as a client sees them."""
    forms = {}
    if settings.txt_read == "plain":
        forms["TXT"] = values.txt_plain
    if settings.mx_read == "bare":
        forms["MX"] = lambda content: content.partition(" ")[2]
    rows = []
    for (name, rtype), (ttl, held) in sets.items():
        contents = list(map(forms[rtype], held) if rtype in forms else held)
        rows.append({"name": name, "type": rtype, "ttl": ttl, "contents": contents})
    return rows


def refusal(refused):
    """Return the body that says no."""
    if refused.errors is not None:
        return {"message": refused.message, "errors": refused.errors}
    return {"status": "Error", "message": refused.message}


class _Fields:
    """Takes fields one by one and gathers every error before it complains."""

    def __init__(self, data):
        self._left = dict(data)
        self._errors = {}

    def take(
        self,
        field,
        check,
        convert=None,
    ):
        value = self._left.pop(field, None)
        complaint = "is required." if value is None or value == "" else check(value)
        if complaint:
            return self.wrong(field, f"The {field} field {complaint}")
        return self.then(field, value, convert) if convert else value

    def then(self, field, value, convert):
        if value is None:
            return None
        try:
            return convert(value)
        except ValueError as error:
            return self.wrong(field, str(error))

    def wrong(self, field, message):
        self._errors.setdefault(field, []).append(message)

    def finish(self):
        for field in self._left:
            self.wrong(field, f"The {field} field is not allowed here.")
        if self._errors:
            raise RefusedError(422, errors=self._errors)


def _text(value):
    if not isinstance(value, str):
        return "must be a string."
    try:
        value.encode()
    except UnicodeEncodeError:
        return "must be valid UTF-8."
    return None


def _integer(low, high):
    def check(value):
        if not is_integer(value):
            return "must be an integer."
        return None if low <= value <= high else f"must be between {low} and {high}."

    return check


def _host(text):
    if not text.endswith(".") or any(character.isspace() for character in text):
        raise ValueError("The content of an MX record must be a host name with a trailing dot.")
    return text


def _txt(text, txt_write):
    if txt_write == "raw":
        return text
    chunks = values.txt_chunks(text)
    if chunks is None and txt_write == "quoted":
        raise ValueError(
            f"Data field in DNS should start with quote (\") at position 0 of '{text}'"
        )
    return values.txt_quoted(text.encode() if chunks is None else chunks)


def _guard(name, rtype, origin):
    if rtype == "SOA" or (rtype == "NS" and name == origin.canonicalize().to_text()):
        raise RefusedError(403, f"The {rtype} records of {name} belong to the service.")
