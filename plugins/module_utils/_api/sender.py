# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Sends one request. No other file sends HTTP requests."""

from __future__ import annotations

import re
import ssl
from collections.abc import Mapping
from functools import cached_property
from typing import Any
from urllib.parse import urlencode, urlsplit

from .answers import Asked, ServiceError, Success, TransientFailure, redacted, success_of
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
    MAY_PASS = (exceptions.ConnectionError, exceptions.Timeout, AnswerTooSlow, HTTPError)
    """What is raised where a further try may be answered."""
    OVER_TIME = (exceptions.Timeout, exceptions.ProxyError, ReadTimeoutError)


VERSION = "1.0.0"
"""As in galaxy.yml, which modules cannot read."""

USER_AGENT = f"zonesmith.dns/{VERSION}"

NO_TLS = frozenset(
    {
        "WRONG_VERSION_NUMBER",
        "RECORD_LAYER_FAILURE",
        "PACKET_LENGTH_TOO_LONG",
    }
)
"""OpenSSL's names."""

PROXIES = "the proxies in the environment"

ANOTHER_HOST = 62
SAY_ENOUGH = frozenset({9, 10, ANOTHER_HOST, 64})
"""OpenSSL's X509_V_ERR_* for a certificate that is not valid yet or any more, or is for another host."""

STRICT = range(79, 95)
"""Those for a certificate that lacks what RFC 5280 asks for, such as its issuer's key identifier (85)."""

ISSUE_ANEW = "(Python 3.13 and newer refuse such a certificate: it has to be issued anew)"


class Sender:
    """Thread-safe; keeps *connections* open. Raises InvalidConnection."""

    def __init__(self, connection: Connection, connections: int):
        self.base_url = checked_base_url(connection.base_url, connection.allow_insecure_http)
        self._options = connection
        self._host = urlsplit(self.base_url).hostname or ""
        self._token = checked_token(
            connection.access_token, is_short_allowed=is_loopback(self._host)
        )
        self._has_answered = False
        """Whether base_url is the service's, as one answer has shown."""
        # A session would look for credentials, cookies and redirects in each request.
        self._adapter = BoundedAdapter(pool_maxsize=connections)

    @cached_property
    def _common(self) -> requests.PreparedRequest:
        """What all requests share. Raises ValueError."""
        headers = requests.utils.default_headers()
        headers.update(
            {
                "Accept": "application/json",
                "Accept-Encoding": "gzip",
                "Authorization": f"Bearer {self._token}",
                "User-Agent": USER_AGENT,
            }
        )
        common = requests.PreparedRequest()
        common.prepare("GET", self.base_url, headers)
        return common

    @cached_property
    def _way(self) -> Mapping[str, Any]:
        """Proxies and certificates, from options and environment. Raises ValueError."""
        # Plain http is allowed to a loopback host, since nobody sees it. A proxy would.
        proxies = {"no_proxy": self._host} if is_loopback(self._host) else {}
        verify: bool | str = self._options.validate_certs
        if verify and self._options.ca_path:
            verify = self._options.ca_path
        return requests.Session().merge_environment_settings(
            self.base_url, proxies, True, verify, None
        )

    def send(
        self, method: str, path: str, query: dict[str, str] | None, body: dict[str, Any] | None
    ) -> Success:
        """Raises ServiceError, TransientFailure."""
        if query:
            path = f"{path}?{urlencode(query)}"
        asked = Asked(method, self.base_url, path, self._has_answered)
        try:
            request = self._common.copy()
            request.method = method
            request.url = f"{(request.url or '').rstrip('/')}{path}"
            request.prepare_body(None, None, body)
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
        success = success_of(response, content, self._token, asked)
        self._has_answered = True
        return success

    def _place(self) -> str:
        """The service, and the proxy without its password."""
        host = urlsplit(self.base_url).netloc
        try:
            proxy = select_proxy(self.base_url, self._way["proxies"]) or ""
        except ValueError:
            proxy = ""
        address = proxy.rpartition("@")[2].rpartition("//")[2].rstrip("/")
        if not address:
            return host
        return f"{host} (through the proxy {redacted(address, self._token)})"

    def _no_answer(self, error: Exception) -> ServiceError | TransientFailure:
        place = self._place()
        cause = _innermost(error)
        why = redacted(_words(cause), self._token).rstrip(".")
        if isinstance(error, exceptions.SSLError):
            return ServiceError(self._without_tls(cause, place, why))
        if isinstance(error, ValueError) or not isinstance(error, MAY_PASS):
            hint = self._about_what_cannot_be_sent(error)
            return ServiceError(f"the request to {place} could not be sent: {why} ({hint})")
        reason = self._why_none(error, cause, place, why)
        return TransientFailure(ServiceError(reason), not_carried_out=_is_unconnected(error))

    def _why_none(self, error: Exception, cause: BaseException, place: str, why: str) -> str:
        timeout = self._options.timeout
        if isinstance(error, exceptions.ProxyError) and not isinstance(cause, TimeoutError):
            return f"cannot reach {place}: {why} (see {PROXIES})"
        if isinstance(error, exceptions.ConnectTimeout):
            return f"{place} did not accept a connection within {timeout:g} s (see timeout)"
        if isinstance(error, AnswerTooSlow):
            seconds = SLOWEST * timeout
            return f"{place} began to answer but had not finished after {seconds:g} s (see timeout)"
        if isinstance(error, OVER_TIME):
            return f"{place} did not answer within {timeout:g} s (see timeout)"
        reason = f"the connection to {place} broke: {why}"
        if _is_unconnected(error):
            reason = f"cannot connect to {place}: {why}"
        return reason if self._has_answered else f"{reason} (see base_url)"

    def _about_what_cannot_be_sent(self, error: Exception) -> str:
        if isinstance(error, exceptions.InvalidSchema):
            return f"install the Python package PySocks, or see {PROXIES}"
        # requests raises TypeError for a proxy without a host.
        if isinstance(error, (exceptions.InvalidProxyURL, TypeError)):
            return f"see {PROXIES}"
        # requests raises a plain OSError for a missing file, and subclasses for all else.
        if error.__class__ is not OSError:
            return "see base_url"
        if self._options.ca_path:
            return "see ca_path"
        return "see REQUESTS_CA_BUNDLE and CURL_CA_BUNDLE in the environment"

    def _without_tls(self, cause: BaseException, place: str, why: str) -> str:
        failed = f"the TLS connection to {place} failed: {why}"
        if isinstance(cause, ssl.SSLError) and cause.reason in NO_TLS:
            if self._has_answered:
                return failed
            return f"{place} does not speak TLS: {why} (see base_url, which begins with https, not with http)"
        # urllib3 1.26 compares the host itself, without an error code.
        unknown = ANOTHER_HOST if isinstance(cause, ValueError) else None
        code = getattr(cause, "verify_code", unknown)
        if code in SAY_ENOUGH:
            return failed
        if code in STRICT:
            return f"{failed} {ISSUE_ANEW}"
        return f"{failed} (see ca_path)"


def _is_unconnected(error: Exception) -> bool:
    """Whether nothing was sent."""
    if isinstance(error, exceptions.ConnectTimeout):
        return True
    return isinstance(getattr(_argument(error), "reason", None), NewConnectionError)


def _argument(error: BaseException) -> object:
    return error.args[0] if error.args else None


def _innermost(error: BaseException) -> BaseException:
    while True:
        inner = error
        for wrapped in (getattr(_argument(error), "reason", None), *error.args, error.__context__):
            # urllib3 1.26 tries an argument that this Python lacks, which is not the cause.
            if isinstance(wrapped, BaseException) and not isinstance(wrapped, TypeError):
                inner = wrapped
                break
        if inner is error:
            return error
        error = inner


def _words(error: BaseException) -> str:
    """The message without object addresses and OpenSSL's file names."""
    text = str(error.args[-1]) if error.args else type(error).__name__
    return re.sub(r"<[^<>]*>:? ?|^\[[A-Z0-9_: ]*\] |\.? \(_ssl\.c:\d+\)$", "", text)
