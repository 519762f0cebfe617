# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Sends one request. No other file sends HTTP requests."""

from __future__ import annotations

import re
import ssl
from collections.abc import Mapping
from functools import cached_property
from http.client import BadStatusLine, RemoteDisconnected
from typing import Any
from urllib.parse import urlencode, urlsplit

from .answers import PROXIES, Asked, ServiceError, Success, TransientFailure, redacted, success_of
from .connection import Connection, checked_base_url, checked_token, is_loopback
from .transport import (
    SLOWEST,
    AnswerBroken,
    AnswerRefused,
    AnswerTooSlow,
    BoundedAdapter,
    content_of,
)

try:
    import requests
    from requests import exceptions
    from requests.utils import select_proxy
    from urllib3.exceptions import HTTPError, NewConnectionError, ReadTimeoutError
except ImportError as error:
    REQUESTS_MISSING: ImportError | None = error
else:
    REQUESTS_MISSING = None


VERSION = "1.0.0"
"""As in galaxy.yml, which modules cannot read."""

USER_AGENT = f"zonesmith.dns/{VERSION}"

NO_TLS = frozenset(
    {
        "WRONG_VERSION_NUMBER",
        "RECORD_LAYER_FAILURE",
        "HTTP_REQUEST",
        "UNKNOWN_PROTOCOL",
        "PACKET_LENGTH_TOO_LONG",
    }
)
"""OpenSSL's names."""

ANOTHER_HOST = 62
SAY_ENOUGH = frozenset({9, 10, ANOTHER_HOST, 64})
"""OpenSSL's X509_V_ERR_* for a certificate that is not valid yet or any more, or is for another host."""


class Sender:
    """Thread-safe; keeps *connections* open. Raises InvalidConnection."""

    def __init__(self, connection: Connection, connections: int):
        self.base_url = checked_base_url(connection.base_url, connection.allow_insecure_http)
        self._options = connection
        self._host = urlsplit(self.base_url).hostname or ""
        self._token = checked_token(
            connection.access_token, is_short_allowed=is_loopback(self._host)
        )
        # A session would look for credentials, cookies and redirects in each request.
        self._adapter = BoundedAdapter(pool_maxsize=connections)

    @cached_property
    def _common(self) -> requests.PreparedRequest:
        """What all requests share. Raises ValueError."""
        headers = requests.utils.default_headers()
        headers.update(
            {"Accept": "application/json", "Accept-Encoding": "gzip", "User-Agent": USER_AGENT}
        )
        headers["Authorization"] = f"Bearer {self._token}"
        common = requests.PreparedRequest()
        common.prepare("GET", self.base_url, headers)
        return common

    @cached_property
    def _way(self) -> Mapping[str, Any]:
        """Proxies and certificates, from options and environment. Raises ValueError."""
        # Plain http is allowed to a loopback host, since nobody sees it. A proxy would.
        proxies = {"no_proxy": self._host} if is_loopback(self._host) else {}
        verify = self._options.ca_path or True if self._options.validate_certs else False
        return requests.Session().merge_environment_settings(
            self.base_url, proxies, True, verify, None
        )

    def _request(
        self, method: str, path: str, body: dict[str, Any] | None
    ) -> requests.PreparedRequest:
        request = self._common.copy()
        request.method = method
        request.url = f"{(request.url or '').rstrip('/')}{path}"
        request.prepare_body(None, None, body)
        return request

    def send(
        self, method: str, path: str, query: dict[str, str] | None, body: dict[str, Any] | None
    ) -> Success:
        """Raises ServiceError, TransientFailure."""
        asked = Asked(method, self.base_url, f"{path}?{urlencode(query)}" if query else path)
        try:
            request = self._request(method, asked.path, body)
            response = self._adapter.send(request, timeout=self._options.timeout, **self._way)
            content = content_of(response)
        except AnswerRefused as error:
            reason = f"{urlsplit(self.base_url).netloc} {error}"
            if method == "GET" and not isinstance(error, AnswerBroken):
                raise ServiceError(reason) from error
            raise TransientFailure(ServiceError(reason), not_carried_out=False) from error
        # requests raises TypeError for a proxy without a host.
        except (AnswerTooSlow, HTTPError, OSError, ValueError, OverflowError, TypeError) as error:
            raise self._no_answer(error) from error
        return success_of(response, content, self._token, asked)

    def _place(self) -> str:
        """The service, and the proxy without its password."""
        try:
            proxies = self._way["proxies"]
        except ValueError:
            proxies = {}
        proxy = (
            (select_proxy(self.base_url, proxies) or "")
            .rpartition("@")[2]
            .rpartition("//")[2]
            .rstrip("/")
        )
        host = urlsplit(self.base_url).netloc
        return f"{host} (through the proxy {redacted(proxy, self._token)})" if proxy else host

    def _no_answer(self, error: Exception) -> ServiceError | TransientFailure:
        place, timeout, not_carried_out = self._place(), self._options.timeout, False
        cause = _innermost(error)
        why = redacted(_words(cause), self._token).rstrip(".")
        if isinstance(error, exceptions.SSLError):
            return ServiceError(_without_tls(place, cause, why))
        if isinstance(error, exceptions.ProxyError) and not isinstance(cause, TimeoutError):
            reason = f"cannot reach {place}: {why} (see {PROXIES})"
        elif isinstance(error, exceptions.ConnectTimeout):
            reason = f"{place} did not accept a connection within {timeout:g} s (see base_url and timeout)"
            not_carried_out = True
        elif isinstance(error, AnswerTooSlow):
            reason = f"{place} began to answer but had not finished after {SLOWEST * timeout:g} s (see timeout)"
        elif isinstance(error, (exceptions.Timeout, exceptions.ProxyError, ReadTimeoutError)):
            reason = f"{place} did not answer within {timeout:g} s (see timeout)"
        elif isinstance(error, (exceptions.ConnectionError, HTTPError)) and not isinstance(
            error, ValueError
        ):
            not_carried_out = isinstance(
                getattr(_argument(error), "reason", None), NewConnectionError
            )
            broken = self._broken(place, cause, why)
            reason = (
                f"cannot connect to {place}: {why} (see base_url)" if not_carried_out else broken
            )
        else:
            return ServiceError(
                f"the request to {place} could not be sent: {why} (see {self._unusable(error)})"
            )
        return TransientFailure(ServiceError(reason), not_carried_out=not_carried_out)

    def _broken(self, place: str, cause: BaseException, why: str) -> str:
        if isinstance(cause, BadStatusLine) and not isinstance(cause, RemoteDisconnected):
            return f"{place} does not speak HTTP: {why} (see base_url)"
        may_want_tls = isinstance(cause, ConnectionResetError) and self.base_url.startswith("http:")
        hint = " (see base_url, which begins with http, not with https)" if may_want_tls else ""
        return f"the connection to {place} broke: {why}{hint}"

    def _unusable(self, error: Exception) -> str:
        if isinstance(
            error, (exceptions.InvalidProxyURL, TypeError)
        ):  # the latter for a proxy without a host
            return PROXIES
        # requests raises a plain OSError for a missing file, and subclasses for all else.
        if error.__class__ is OSError:
            return (
                "ca_path"
                if self._options.ca_path
                else "REQUESTS_CA_BUNDLE and CURL_CA_BUNDLE in the environment"
            )
        return "base_url"


def _without_tls(place: str, cause: BaseException, why: str) -> str:
    if isinstance(cause, ssl.SSLError) and cause.reason in NO_TLS:
        return f"{place} does not speak TLS: {why} (see base_url, which begins with https, not with http)"
    # urllib3 1.26 compares the host itself, without an error code.
    code = getattr(cause, "verify_code", ANOTHER_HOST if isinstance(cause, ValueError) else None)
    return f"the TLS connection to {place} failed: {why}{'' if code in SAY_ENOUGH else ' (see ca_path)'}"


def _argument(error: BaseException) -> object:
    return error.args[0] if error.args else None


def _innermost(error: BaseException) -> BaseException:
    while True:
        wrapped = (getattr(_argument(error), "reason", None), *error.args, error.__context__)
        # urllib3 1.26 tries an argument that this Python lacks, which is not the cause.
        inner = next(
            (
                one
                for one in wrapped
                if isinstance(one, BaseException) and not isinstance(one, TypeError)
            ),
            None,
        )
        if inner is None or inner is error:
            return error
        error = inner


def _words(error: BaseException) -> str:
    """The message without object addresses and OpenSSL's file names."""
    text = str(error.args[-1]) if error.args else type(error).__name__
    return re.sub(r"<[^<>]*>:? ?|^\[[A-Z0-9_: ]*\] |\.? \(_ssl\.c:\d+\)$", "", text)
