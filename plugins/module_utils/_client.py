# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The four calls of the service, with retries and checked answers. The only file that knows HTTP."""

from __future__ import annotations

import json
import random
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from http.cookiejar import DefaultCookiePolicy
from ipaddress import ip_address
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

from ansible_collections.zonesmith.dns.plugins.module_utils._names import InvalidName, name_as_read, zone_name
from ansible_collections.zonesmith.dns.plugins.module_utils._record_set import LiveSets, RecordSet, visible
from ansible_collections.zonesmith.dns.plugins.module_utils._threads import go_on

try:
    import requests
    from urllib3.exceptions import InvalidHeader, NewConnectionError
    from urllib3.util import Retry
except ImportError as error:
    REQUESTS_MISSING: ImportError | None = error
else:
    REQUESTS_MISSING = None

TRANSIENT = frozenset({429, 500, 502, 503, 504})
NOT_CARRIED_OUT = frozenset({429, 503})
ABOUT_THE_CALLER = frozenset({401, 408, 429})
FIRST_WAIT = 0.5
LONGEST_WAIT = 60.0
SHOWN_CHARACTERS = 300
HIDDEN = "********"


class ServiceError(Exception):
    """The service did not do what it was asked; says why in one clause, with the service's own message.

    *status_code* is None where no answer came.
    """

    def __init__(self, reason: str, status_code: int | None = None):
        super().__init__(reason)
        self.status_code = status_code

    @property
    def refuses_the_value(self) -> bool:
        """Whether the answer may be about the value that was sent, and not only about who sends it or how often."""
        status = self.status_code
        return status is not None and 400 <= status < 500 and status not in ABOUT_THE_CALLER


def clause(error: Exception) -> str:
    """What an error says, without the full stop that the service's own words may end with, to go on after it."""
    return str(error).rstrip(".")


class ZoneNotFound(ServiceError):
    """The service answered, and what it lists does not lead to the zone; says what it lists instead."""


class InvalidConnection(ValueError):
    """Connection options that must not be used; says which and why in one sentence."""


class _Transient(Exception):
    """A failure that may pass: the error to raise if it does not, and whether the call certainly had no effect."""

    def __init__(self, error: ServiceError, *, not_carried_out: bool, retry_after: float = 0.0):
        super().__init__()
        self.error = error
        self.not_carried_out = not_carried_out
        self.retry_after = retry_after


@dataclass(frozen=True)
class ListedZone:
    """A zone as the list shows it (spec 2.2), with its canonical name beside the shown one."""

    canonical: str
    name: str
    slug: str
    status: Any


@dataclass(frozen=True)
class LiveZone:
    """A zone as it was read: canonical name, the slug that leads to it, record sets as the service shows them."""

    name: str
    slug: str
    record_sets: LiveSets
    read_at: float = field(default_factory=time.monotonic, init=False, compare=False)


@dataclass(frozen=True)
class Connection:
    """How to reach the service. *timeout* is in seconds, for each connect and each read."""

    base_url: str
    access_token: str = field(repr=False)
    validate_certs: bool = True
    ca_path: str | None = None
    allow_insecure_http: bool = False
    timeout: float = 30.0
    retries: int = 5


class _SharedPause:
    """A point in time before which nobody calls: a rate limit that one worker met holds for all of them."""

    def __init__(self) -> None:
        self._until = 0.0
        self._lock = threading.Lock()

    def extend(self, seconds: float) -> None:
        with self._lock:
            self._until = max(self._until, time.monotonic() + seconds)

    def wait(self) -> None:
        while (left := self._until - time.monotonic()) > 0:
            time.sleep(left)


class Client:
    """The service behind one base URL. Safe to use from several threads; *connections* is how many it keeps open.

    Raises InvalidConnection before any request where the token must not be sent that way.
    """

    def __init__(self, connection: Connection, connections: int = 1):
        self._base_url = _checked_base_url(connection.base_url, connection.allow_insecure_http)
        self._authorization = f"Bearer {_checked_token(connection.access_token)}"
        self._options = connection
        self._verify: bool | str = connection.ca_path or True if connection.validate_certs else False
        host = urlsplit(self._base_url).hostname or ""
        # Plain http is allowed for a loopback host because nobody else sees it; a proxy would.
        self._proxies = {"no_proxy": host} if _is_loopback(host) else None
        self._pause = _SharedPause()
        self._session = requests.Session()
        # An auth object, because requests lets an entry of ~/.netrc replace a header that is only set on the session.
        self._session.auth = self._authorize
        self._session.headers["Accept"] = "application/json"
        # Whose session a cookie belongs to is not for the service to say.
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        adapter = requests.adapters.HTTPAdapter(pool_maxsize=connections)
        self._session.mount("https://", adapter)
        self._session.mount("http://", adapter)

    @property
    def base_url(self) -> str:
        """The base URL in its checked form, without a trailing slash."""
        return self._base_url

    def list_zones(self) -> list[ListedZone]:
        """All zones of the account (spec 4). Raises ServiceError, also where the list is not complete."""
        zones, total = self._listed()
        if total > len(zones):
            raise ServiceError(
                f"the service lists {len(zones)} of {total} zones, and its specification tells no way to the others"
            )
        return zones

    def read_zone(self, zone: str) -> LiveZone:
        """The zone with this canonical name. Raises ServiceError, which names similar zones where there is none.

        The slug is the name without its dots (spec 2.2), so two zones can share one: an answer counts only when its SOA
        is the zone's. Otherwise the list tells the slug.
        """
        derived = zone.replace(".", "")
        try:
            record_sets = self.read_record_sets(derived)
        except ServiceError as error:
            if error.status_code not in (200, 400, 404, 422):
                raise
            refusal: ServiceError | None = error
        else:
            refusal = None
            if (zone, "SOA") in record_sets:
                return LiveZone(zone, derived, record_sets)
        listed = self.listed_zone(zone)
        if listed.slug != derived:
            return self.read_listed(listed)
        if refusal:
            raise refusal
        return _checked_zone(listed, record_sets)

    def listed_zone(self, zone: str) -> ListedZone:
        """The list's item for the zone with this canonical name. Raises ServiceError, which names similar zones."""
        zones, total = self._listed()
        for listed in zones:
            if listed.canonical == zone:
                return listed
        if total > len(zones):
            raise ZoneNotFound(
                f"it is not among the {len(zones)} zones that the service lists; it has {total}, so whether the zone "
                "exists cannot be told"
            )
        near = get_close_matches(zone, [listed.canonical for listed in zones], n=3)
        hint = f"did you mean {' or '.join(visible(name.rstrip('.')) for name in near)}?" if near else "check its name"
        raise ZoneNotFound(f"the account has no zone of that name, only {len(zones)} others; {hint}", 404)

    def read_listed(self, listed: ListedZone) -> LiveZone:
        """The zone behind an item of the list. Raises ServiceError."""
        return _checked_zone(listed, self.read_record_sets(listed.slug))

    def read_record_sets(self, slug: str) -> LiveSets:
        """The record sets behind *slug*, by name and type (spec 2.4). Raises ServiceError."""
        envelope = self._call("GET", _zone_path(slug))
        record_sets: LiveSets = {}
        for number, item in enumerate(_field(_field(envelope, "data", dict), "records", list, "data.")):
            record_set = _record_set(item, f"data.records[{number}].")
            earlier = record_sets.get(record_set.key)
            if earlier:
                record_set = RecordSet(*record_set.key, earlier.ttl, earlier.contents + record_set.contents)
            record_sets[record_set.key] = record_set
        return record_sets

    def create_value(self, slug: str, body: dict[str, Any], is_there: Callable[[], bool]) -> None:
        """Add one value (spec 2.5). Raises ServiceError.

        *is_there* reads the zone again: it is asked after an answer was lost, before the call is repeated.
        """
        self._call("POST", f"{_zone_path(slug)}/records", body=body, is_done=is_there)

    def delete_record_set(self, slug: str, name: str, rdtype: str, is_gone: Callable[[], bool]) -> None:
        """Delete a whole set (spec 4, rule 2). Raises ServiceError. *is_gone* as for create_value."""
        query = {"name": name, "type": rdtype}
        self._call("DELETE", f"{_zone_path(slug)}/records", query=query, is_done=is_gone)

    def _listed(self) -> tuple[list[ListedZone], int]:
        envelope = self._call("GET", "/dns/domains")
        items = _field(envelope, "data", list)
        total = envelope.get("total")
        return (
            [_listed_zone(item, f"data[{number}].") for number, item in enumerate(items)],
            total if isinstance(total, int) else 0,
        )

    def _authorize(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = self._authorization
        return request

    def _call(
        self,
        method: str,
        path: str,
        *,
        query: dict[str, str] | None = None,
        body: dict[str, Any] | None = None,
        is_done: Callable[[], bool] | None = None,
    ) -> dict[str, Any]:
        """One call until it is answered for good; its envelope, empty where *is_done* tells that it was carried out."""
        for tries_left in range(self._options.retries, -1, -1):
            self._pause.wait()
            go_on()
            try:
                return self._once(method, path, query, body)
            except _Transient as failure:
                is_last = not tries_left or failure.retry_after > LONGEST_WAIT
                if not is_last:
                    time.sleep(self._wait_after(failure, tries_left))
                if is_done and not failure.not_carried_out and is_done():
                    return {}
                if is_last:
                    raise failure.error from None
        raise AssertionError("unreachable: the last try returns or raises")

    def _wait_after(self, failure: _Transient, tries_left: int) -> float:
        longest = min(FIRST_WAIT * 2 ** min(self._options.retries - tries_left, 10), LONGEST_WAIT)
        # Jitter is no secret.
        wait = max(failure.retry_after, random.uniform(longest / 2, longest))  # noqa: S311 # nosec B311
        if failure.error.status_code == 429:
            self._pause.extend(wait)
        return wait

    def _once(
        self, method: str, path: str, query: dict[str, str] | None, body: dict[str, Any] | None
    ) -> dict[str, Any]:
        host = urlsplit(self._base_url).netloc
        try:
            response = self._session.request(
                method,
                self._base_url + path,
                params=query,
                json=body,
                timeout=self._options.timeout,
                # Given with each request: requests lets REQUESTS_CA_BUNDLE replace what is only set on the session.
                verify=self._verify,
                proxies=self._proxies,
                allow_redirects=False,
            )
        except requests.exceptions.SSLError as error:
            raise ServiceError(f"the TLS connection to {host} failed, {_innermost(error)}; see ca_path") from error
        except requests.exceptions.ConnectTimeout as error:
            reason = f"{host} took no connection within {self._options.timeout:g} s"
            raise _Transient(ServiceError(reason), not_carried_out=True) from error
        except requests.exceptions.Timeout as error:
            reason = f"{host} did not answer within {self._options.timeout:g} s"
            raise _Transient(ServiceError(reason), not_carried_out=False) from error
        except (requests.exceptions.ConnectionError, requests.exceptions.ChunkedEncodingError) as error:
            refused = isinstance(getattr(_argument(error), "reason", None), NewConnectionError)
            reason = f"{'no connection to' if refused else 'the connection broke to'} {host}, {_innermost(error)}"
            raise _Transient(ServiceError(reason), not_carried_out=refused) from error
        except (requests.exceptions.RequestException, OSError, ValueError, OverflowError) as error:
            raise ServiceError(f"the request to {host} could not be sent, {_innermost(error)}") from error
        return _checked_answer(response, self._options.access_token)


def _checked_base_url(base_url: str, allow_insecure_http: bool) -> str:
    """The URL in a form without doubt about its host. Raises InvalidConnection."""
    try:
        parts = urlsplit(base_url.strip())
        host, _port = parts.hostname or "", parts.port
    except ValueError as error:
        raise InvalidConnection("base_url is not a URL; it should look like https://dns.example.com/api") from error
    if (
        parts.scheme not in ("http", "https")
        or not re.fullmatch(r"[\w.:-]+", host)
        or re.search(r"[\\\s]", base_url.strip())
    ):
        raise InvalidConnection("base_url is not a URL of the service; it should look like https://dns.example.com/api")
    if parts.username is not None or parts.query or parts.fragment:
        raise InvalidConnection("base_url must hold neither user, nor query, nor fragment; the token is access_token")
    if parts.scheme == "http" and not allow_insecure_http and not _is_loopback(host):
        raise InvalidConnection(
            f"base_url is plain http, which would show the token to the network on the way to {host}: "
            "use https, or set allow_insecure_http to true"
        )
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _checked_token(token: str) -> str:
    if not token:
        raise InvalidConnection("access_token is empty: set it, or ZONESMITH_ACCESS_TOKEN")
    if not re.fullmatch(r"[!-~]+", token):
        raise InvalidConnection("access_token has white space or other characters that cannot be in a header")
    return token


def _zone_path(slug: str) -> str:
    return f"/dns/domains/{quote(slug, safe='')}"


def _checked_zone(listed: ListedZone, record_sets: LiveSets) -> LiveZone:
    soa = next((name for name, rdtype in record_sets if rdtype == "SOA"), listed.canonical)
    if soa != listed.canonical:
        raise ZoneNotFound(f"its slug {visible(listed.slug)} leads to the zone {visible(soa)} instead")
    return LiveZone(listed.canonical, listed.slug, record_sets)


def _checked_answer(response: requests.Response, token: str) -> dict[str, Any]:
    """The envelope (spec 2.1) of a successful answer. Raises ServiceError, _Transient."""
    status = response.status_code
    if 300 <= status < 400:
        target = _quoted(response.headers.get("Location", "nowhere"), token)
        raise ServiceError(f"the service answered {status} and points to {target}; set base_url to where it is", status)
    try:
        envelope = json.loads(response.content)
    except (ValueError, RecursionError):
        envelope = None
    if not 200 <= status < 300:
        reason = f"the service answered {status}{_own_message(envelope, response, token)}"
        if status not in TRANSIENT:
            raise ServiceError(reason, status)
        wait = _retry_after(response)
        if wait > LONGEST_WAIT:
            reason += f", and asks to wait {wait:.0f} s before the next request"
        raise _Transient(ServiceError(reason, status), not_carried_out=status in NOT_CARRIED_OUT, retry_after=wait)
    if not isinstance(envelope, dict):
        message = _own_message(None, response, token)
        raise ServiceError(f"the service answered {status} with something that is not a JSON object{message}", status)
    if envelope.get("status") != "Success":
        word = _quoted(str(envelope.get("status")), token)
        message = _own_message(envelope, response, token)
        raise ServiceError(f"the service answered {status} with status {word} in place of Success{message}", status)
    return envelope


def _own_message(envelope: Any, response: requests.Response, token: str) -> str:
    """What the service itself says, for the end of a sentence: its message and errors, else the start of its body."""
    said = []
    if isinstance(envelope, dict):
        if isinstance(envelope.get("message"), str):
            said.append(envelope["message"])
        if envelope.get("errors"):
            said.append(json.dumps(envelope["errors"], ensure_ascii=False))
    text = _quoted(" ".join(said) or response.content.decode("utf-8", "replace"), token)
    return f": {text}" if text else ""


def _quoted(text: str, token: str) -> str:
    """The service's own words, fit for a message: without the token, which must go before the rest is cut."""
    for form in (token, json.dumps(token)[1:-1]):
        text = text.replace(form, HIDDEN)
    return visible(" ".join(text.split()))[:SHOWN_CHARACTERS]


def _retry_after(response: requests.Response) -> float:
    header = response.headers.get("Retry-After")
    try:
        return Retry().parse_retry_after(header) if header else 0.0
    except (InvalidHeader, ValueError, OverflowError):  # the last two for numbers that no clock has
        return 0.0


def _argument(error: BaseException) -> Any:
    return error.args[0] if error.args else None


def _innermost(error: BaseException) -> str:
    """The words of the error that all others wrap, without the addresses of objects."""
    while True:
        inner = getattr(_argument(error), "reason", None) or _argument(error)
        inner = inner if isinstance(inner, BaseException) else error.__context__
        if inner is None or inner is error:
            break
        error = inner
    text = str(error.args[-1]) if error.args else type(error).__name__
    return visible(re.sub(r"<[^>]*>:? ?", "", text))[:SHOWN_CHARACTERS]


def _field(holder: dict[str, Any], field: str, kind: type, path: str = "") -> Any:
    value = holder.get(field)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        is_there = "is missing" if field not in holder else f"is not {_KINDS[kind]}"
        raise ServiceError(f"the service's answer is not as specified, {path}{field} {is_there}", 200)
    return value


_KINDS = {dict: "an object", list: "an array", str: "a string", int: "an integer"}


def _record_set(item: Any, path: str) -> RecordSet:
    if not isinstance(item, dict):
        raise ServiceError(f"the service's answer is not as specified, {path.rstrip('.')} is not an object", 200)
    contents = _field(item, "contents", list, path)
    if not all(isinstance(content, str) for content in contents):
        raise ServiceError(f"the service's answer is not as specified, {path}contents has more than strings in it", 200)
    name, rdtype = _field(item, "name", str, path), _field(item, "type", str, path)
    return RecordSet(name_as_read(name), rdtype.upper(), _field(item, "ttl", int, path), tuple(contents))


def _listed_zone(item: Any, path: str) -> ListedZone:
    if not isinstance(item, dict):
        raise ServiceError(f"the service's answer is not as specified, {path.rstrip('.')} is not an object", 200)
    name, slug = _field(item, "name", str, path), _field(item, "slug", str, path)
    try:
        canonical = zone_name(name)
    except InvalidName:
        canonical = name
    if slug.strip(".") == "":  # such a path would lead above the zones
        raise ServiceError(f"the service's answer is not as specified, {path}slug is {visible(slug)!r}", 200)
    return ListedZone(canonical, name, slug, item.get("status"))
