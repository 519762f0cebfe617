# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The four calls of the service, with retries and checked answers. The only file that sends HTTP requests."""

from __future__ import annotations

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

from ansible_collections.zonesmith.dns.plugins.module_utils._answer import (
    LONGEST_WAIT,
    ListedZone,
    ServiceError,
    TransientFailure,
    checked_envelope,
    listed_zones,
    record_sets_of,
    shown,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._record_set import LiveSets, RecordSet, visible
from ansible_collections.zonesmith.dns.plugins.module_utils._transport import (
    SLOWEST,
    AnswerRefused,
    AnswerTooSlow,
    BoundedAdapter,
    UnredirectedSession,
    content_of,
)

try:
    import requests
    from urllib3.exceptions import HTTPError, NewConnectionError, ReadTimeoutError
except ImportError as error:
    REQUESTS_MISSING: ImportError | None = error
else:
    REQUESTS_MISSING = None

__all__ = [
    "REQUESTS_MISSING",
    "Client",
    "Connection",
    "InvalidConnection",
    "ListedZone",
    "LiveZone",
    "ServiceError",
    "ZoneNotFound",
    "clause",
]

FIRST_WAIT = 0.5
SHORTEST_TOKEN = 12
NEAR_AMONG = 10_000
"""Among how many listed zones a similar name is looked for."""


def clause(error: Exception) -> str:
    """What an error says, without the full stop that the service's own words may end with, to go on after it."""
    return str(error).rstrip(".")


class ZoneNotFound(ServiceError):
    """The service answered, and what it lists does not lead to the zone; says what it lists instead."""


class InvalidConnection(ValueError):
    """Connection options that must not be used; says which and why in one sentence."""


@dataclass(frozen=True)
class LiveZone:
    """A zone as it was read: canonical name, the slug that leads to it, record sets as the service shows them."""

    name: str
    slug: str
    record_sets: LiveSets
    read_at: float = field(default_factory=time.monotonic, init=False, compare=False)


@dataclass(frozen=True)
class Connection:
    """How to reach the service. *timeout* is in seconds, for each connect and each read; SLOWEST of them an answer."""

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
        self._options = connection
        self._verify: bool | str = connection.ca_path or True if connection.validate_certs else False
        host = urlsplit(self._base_url).hostname or ""
        self._authorization = f"Bearer {_checked_token(connection.access_token, is_short_allowed=_is_loopback(host))}"
        # Plain http is allowed for a loopback host because nobody else sees it; a proxy would.
        self._proxies = {"no_proxy": host} if _is_loopback(host) else None
        self._pause = _SharedPause()
        self._session = UnredirectedSession()
        # An auth object, because requests lets an entry of ~/.netrc replace a header that is only set on the session.
        self._session.auth = self._authorize
        self._session.headers.update({"Accept": "application/json", "Accept-Encoding": "gzip"})
        # Whose session a cookie belongs to is not for the service to say.
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        adapter = BoundedAdapter(pool_maxsize=connections)
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
        near = get_close_matches(zone, [listed.canonical for listed in zones[:NEAR_AMONG]], n=3)
        hint = f"did you mean {' or '.join(visible(name.rstrip('.')) for name in near)}?" if near else "check its name"
        raise ZoneNotFound(f"the account has no zone of that name, only {len(zones)} others; {hint}", 404)

    def read_listed(self, listed: ListedZone) -> LiveZone:
        """The zone behind an item of the list. Raises ServiceError."""
        return _checked_zone(listed, self.read_record_sets(listed.slug))

    def read_record_sets(self, slug: str) -> LiveSets:
        """The record sets behind *slug*, by name and type (spec 2.4). Raises ServiceError."""
        record_sets: LiveSets = {}
        for record_set in record_sets_of(self._call("GET", _zone_path(slug))):
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
        return listed_zones(self._call("GET", "/dns/domains"))

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
            try:
                return self._once(method, path, query, body)
            except TransientFailure as failure:
                is_last = not tries_left or failure.retry_after > LONGEST_WAIT
                if not is_last:
                    time.sleep(self._wait_after(failure, tries_left))
                if is_done and not failure.not_carried_out and is_done():
                    return {}
                if is_last:
                    raise failure.error from None
        raise AssertionError("unreachable: the last try returns or raises")

    def _wait_after(self, failure: TransientFailure, tries_left: int) -> float:
        longest = min(FIRST_WAIT * 2 ** min(self._options.retries - tries_left, 10), LONGEST_WAIT)
        # Jitter is no secret.
        wait = max(failure.retry_after, random.uniform(longest / 2, longest))  # noqa: S311 # nosec B311
        if failure.error.status_code == 429:
            self._pause.extend(wait)
        return wait

    def _once(
        self, method: str, path: str, query: dict[str, str] | None, body: dict[str, Any] | None
    ) -> dict[str, Any]:
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
                stream=True,
            )
            content = content_of(response)
        except AnswerRefused as error:
            refused = ServiceError(f"{urlsplit(self._base_url).netloc} {error}")
            if method == "GET":
                raise refused from error
            raise TransientFailure(refused, not_carried_out=False) from error
        # TypeError is what requests makes of a proxy without a host.
        except (AnswerTooSlow, HTTPError, OSError, ValueError, OverflowError, TypeError) as error:
            raise self._failure(error) from error
        return checked_envelope(response, content, self._options.access_token)

    def _failure(self, error: Exception) -> ServiceError | TransientFailure:
        """What it means that no answer came."""
        host, timeout = urlsplit(self._base_url).netloc, self._options.timeout
        why = shown(_innermost(error), self._options.access_token)
        if isinstance(error, requests.exceptions.SSLError):
            return ServiceError(f"the TLS connection to {host} failed, {why}; see ca_path")
        if isinstance(error, requests.exceptions.ConnectTimeout):
            return TransientFailure(
                ServiceError(f"{host} took no connection within {timeout:g} s"), not_carried_out=True
            )
        if isinstance(error, AnswerTooSlow):
            reason = f"{host} began to answer, and had not come to an end after {SLOWEST * timeout:g} s"
            return TransientFailure(ServiceError(reason), not_carried_out=False)
        if isinstance(error, (requests.exceptions.Timeout, ReadTimeoutError)):
            return TransientFailure(ServiceError(f"{host} did not answer within {timeout:g} s"), not_carried_out=False)
        if isinstance(error, (requests.exceptions.ConnectionError, HTTPError)) and not isinstance(error, ValueError):
            refused = isinstance(getattr(_argument(error), "reason", None), NewConnectionError)
            reason = f"{'no connection to' if refused else 'the connection broke to'} {host}, {why}"
            return TransientFailure(ServiceError(reason), not_carried_out=refused)
        return ServiceError(f"the request to {host} could not be sent, {why}")


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


def _checked_token(token: str, *, is_short_allowed: bool) -> str:
    if not token:
        raise InvalidConnection("access_token is empty: set it, or ZONESMITH_ACCESS_TOKEN")
    if not re.fullmatch(r"[!-~]+", token):
        raise InvalidConnection("access_token has white space or other characters that cannot be in a header")
    if len(token) < SHORTEST_TOKEN and not is_short_allowed:
        raise InvalidConnection(
            f"access_token has fewer than {SHORTEST_TOKEN} characters: hiding it would hide words of the zone too, and "
            "it could be guessed; only a service on this machine may have such a token"
        )
    return token


def _zone_path(slug: str) -> str:
    return f"/dns/domains/{quote(slug, safe='')}"


def _checked_zone(listed: ListedZone, record_sets: LiveSets) -> LiveZone:
    soa = next((name for name, rdtype in record_sets if rdtype == "SOA"), listed.canonical)
    if soa != listed.canonical:
        raise ZoneNotFound(f"its slug {visible(listed.slug)} leads to the zone {visible(soa)} instead")
    return LiveZone(listed.canonical, listed.slug, record_sets)


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
    return re.sub(r"<[^<>]*>:? ?", "", text)
