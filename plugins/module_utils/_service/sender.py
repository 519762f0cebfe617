# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One request and its checked answer. The only file that sends HTTP requests."""

from __future__ import annotations

import re
from http.cookiejar import DefaultCookiePolicy
from typing import Any
from urllib.parse import urlsplit

from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import (
    ServiceError,
    TransientFailure,
    checked_envelope,
    shown,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._service.connection import (
    Connection,
    checked_base_url,
    checked_token,
    is_loopback,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._service.transport import (
    SLOWEST,
    AnswerBroken,
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


VERSION = "1.0.0"
"""The version in galaxy.yml, which is not where modules run."""

USER_AGENT = f"zonesmith.dns/{VERSION}"


class Sender:
    """Requests to the service behind one base URL. Safe to use from several threads; keeps *connections* open.

    Raises InvalidConnection before any request where the token must not be sent that way.
    """

    def __init__(self, connection: Connection, connections: int):
        self.base_url = checked_base_url(connection.base_url, connection.allow_insecure_http)
        self._options = connection
        self._verify: bool | str = connection.ca_path or True if connection.validate_certs else False
        host = urlsplit(self.base_url).hostname or ""
        self._authorization = f"Bearer {checked_token(connection.access_token, is_short_allowed=is_loopback(host))}"
        # Plain http is allowed for a loopback host because nobody else sees it; a proxy would.
        self._proxies = {"no_proxy": host} if is_loopback(host) else None
        self._session = UnredirectedSession()
        # An auth object, because requests lets an entry of ~/.netrc replace a header that is only set on the session.
        self._session.auth = self._authorize
        self._session.headers.update(
            {"Accept": "application/json", "Accept-Encoding": "gzip", "User-Agent": USER_AGENT}
        )
        # Whose session a cookie belongs to is not for the service to say.
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        adapter = BoundedAdapter(pool_maxsize=connections)
        self._session.mount("https://", adapter)
        self._session.mount("http://", adapter)

    def send(self, method: str, path: str, query: dict[str, str] | None, body: dict[str, Any] | None) -> dict[str, Any]:
        """The envelope of the answer (spec 2.1). Raises ServiceError, TransientFailure."""
        try:
            response = self._session.request(
                method,
                self.base_url + path,
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
            refused = ServiceError(f"{urlsplit(self.base_url).netloc} {error}")
            if method == "GET" and not isinstance(error, AnswerBroken):
                raise refused from error
            raise TransientFailure(refused, not_carried_out=False) from error
        # TypeError is what requests makes of a proxy without a host.
        except (AnswerTooSlow, HTTPError, OSError, ValueError, OverflowError, TypeError) as error:
            raise self._failure(error) from error
        return checked_envelope(response, content, self._options.access_token, writes=method != "GET")

    def _authorize(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = self._authorization
        return request

    def _failure(self, error: Exception) -> ServiceError | TransientFailure:
        """What it means that no answer came."""
        host, timeout = urlsplit(self.base_url).netloc, self._options.timeout
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
